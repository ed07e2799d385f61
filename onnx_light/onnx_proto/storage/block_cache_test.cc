#include "onnx_proto/storage/block_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

TEST(BlockCache, AProcessThatIsForkedWhileOthersUseItDoesNotWaitForThem) {
  constexpr size_t kBlock = size_t{8} << 20;
  std::atomic<bool> done{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 2; ++i) {
    others.emplace_back([&done] {
      while (!done) {
        std::array<void*, 8> blocks{};  // not malloc, which has a lock of its own that AddressSanitizer's does not let go of in a child
        for (void*& block : blocks) block = TakeHugeBlock(kBlock);
        for (void* const block : blocks) {
          *static_cast<char*>(block) = 1;
          GiveHugeBlock(block, kBlock);
        }
      }
    });
  }
  int failed = 0;
  for (int turn = 0; turn < 200; ++turn) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(5);
      GiveHugeBlock(TakeHugeBlock(kBlock), kBlock);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) {
      failed = turn + 1;
      break;
    }
  }
  done = true;
  for (std::thread& other : others) other.join();
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::proto
