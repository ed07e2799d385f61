#include "onnx_proto/callback.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

int Twice(int number) { return 2 * number; }

TEST(Callback, CallsWhatItWasMadeFrom) {
  int added = 1;
  const Callback<int(int)> lambda = [&](int number) { return number + added; };
  added = 5;
  EXPECT_EQ(lambda(2), 7);
  EXPECT_EQ(Callback<int(int)>(Twice)(4), 8);
  EXPECT_EQ(Callback<int(int)>(&Twice)(4), 8);
  EXPECT_EQ(Callback<int(int)>(std::function<int(int)>(Twice))(4), 8);
  std::string filled;
  const Callback<void(std::string&)> reference = [](std::string& text) { text = "here"; };
  reference(filled);
  EXPECT_EQ(filled, "here");
}

TEST(Callback, OfNothingIsEmptyAndGivesAnEmptyResult) {
  int (*const pointer)(int) = nullptr;
  for (const Callback<int(int)>& empty :
       {Callback<int(int)>(), Callback<int(int)>(nullptr), Callback<int(int)>(std::function<int(int)>()), Callback<int(int)>(pointer)}) {
    EXPECT_FALSE(empty);
    EXPECT_TRUE(empty == nullptr);
    EXPECT_EQ(empty(3), 0);
  }
  EXPECT_TRUE(Callback<int(int)>([](int number) { return number; }));
}

TEST(Callback, CopiesShareTheCallableWhichGoesWithTheLast) {
  const auto watched = std::make_shared<int>(0);
  Callback<void()> first = [watched, calls = 0]() mutable { *watched = ++calls; };
  EXPECT_EQ(watched.use_count(), 2);
  Callback<void()> second = first;
  first();
  second();
  EXPECT_EQ(*watched, 2);
  Callback<void()> third = std::move(first);
  first = nullptr;
  second = {};
  EXPECT_EQ(watched.use_count(), 2);
  third = nullptr;
  EXPECT_EQ(watched.use_count(), 1);
}

TEST(Callback, TellsWhetherItHoldsACertainType) {
  struct Add {
    int operator()(int number) const { return number + much; }
    int much;
  };
  const Callback<int(int)> callback = Add{3};
  ASSERT_NE(callback.target<Add>(), nullptr);
  EXPECT_EQ(callback.target<Add>()->much, 3);
  EXPECT_EQ(callback.target<int (*)(int)>(), nullptr);
  EXPECT_EQ(Callback<int(int)>().target<Add>(), nullptr);
}

TEST(Callback, BecomesAStdFunction) {
  const Callback<int(int)> callback = Twice;
  const std::function<int(int)> function = callback;
  EXPECT_EQ(function(21), 42);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::utils
