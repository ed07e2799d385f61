#include "onnx_proto/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <set>
#include <stdexcept>
#include <vector>

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using utils::ThreadPool;

TEST(ThreadPool, DoesEachJobOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    std::vector<std::atomic<int>> done(1000);
    pool.ForEach(done.size(), [&](size_t i) { ++done[i]; });
    for (const std::atomic<int>& count : done) EXPECT_EQ(count, 1);
    pool.ForEach(0, [](size_t) { FAIL(); });
  }
}

TEST(ThreadPool, RunsJobsAtTheSameTimeOnAsManyThreadsAsItWasToldTo) {
  ThreadPool pool(3);
  std::latch all_here(3);  // is passed only if three run at once
  std::mutex mutex;
  std::set<std::thread::id> threads;
  pool.ForEach(3, [&](size_t) {
    all_here.arrive_and_wait();
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 3u);
  EXPECT_TRUE(threads.count(std::this_thread::get_id()));
  EXPECT_LE(pool.started(), 2u);
}

TEST(ThreadPool, StartsNoThreadBeforeThereIsAJobAndNoneForOneThread) {
  ThreadPool one(1);
  one.Submit([] {});
  one.Wait();
  EXPECT_EQ(one.started(), 0u);
  EXPECT_EQ(ThreadPool(8).started(), 0u);
}

TEST(ThreadPool, ASingleJobRunsOnTheThreadThatAsks) {
  ThreadPool pool(8);
  std::thread::id ran;
  pool.ForEach(1, [&](size_t) { ran = std::this_thread::get_id(); });
  EXPECT_EQ(ran, std::this_thread::get_id());
  EXPECT_EQ(pool.started(), 0u);
}

TEST(ThreadPool, ThrowsWhatAJobThrewAndCanGoOn) {
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    EXPECT_THROW(pool.ForEach(100,
                              [](size_t i) {
                                if (i == 30) throw std::out_of_range("thirty");
                              }),
                 std::out_of_range);
    std::atomic<int> sum{0};
    pool.ForEach(10, [&](size_t i) { sum += static_cast<int>(i); });
    EXPECT_EQ(sum, 45);
  }
}

TEST(ThreadPool, EndsWithoutWaitingForJobsThatHaveNotBegun) {
  std::atomic<int> done{0};
  {
    ThreadPool pool(1);
    for (int i = 0; i < 5; ++i) pool.Submit([&] { ++done; });
  }
  EXPECT_EQ(done, 0);
}

TEST(ThreadCount, IsWhatIsAskedForOrWhatTheMachineHas) {
  EXPECT_EQ(utils::ThreadCount(3), 3);
  EXPECT_GE(utils::ThreadCount(-1), 1);
  EXPECT_LE(utils::ThreadCount(0), 8);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
