// No memory: the n-th allocation fails, for every n. Each verb then throws std::bad_alloc, and every message is still one that can be
// read, cleared and destroyed.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <new>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/sample.h"

namespace {

// How many calls of operator new still succeed on this thread; negative: all.
thread_local long allocations_left = -1;

void* Allocate(size_t size) {
  if (allocations_left >= 0 && allocations_left-- == 0) {
    allocations_left = 0;  // and all that follow fail as well
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Of the whole test program.
void* operator new(size_t size) { return Allocate(size); }
void* operator new[](size_t size) { return Allocate(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return Allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](size_t size, const std::nothrow_t& nothrow) noexcept { return operator new(size, nothrow); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::RichModel;

// Runs `act` with the n-th allocation failing, for n from 0 until nothing fails any more.
void FailEverywhere(const std::function<void()>& prepare, const std::function<void()>& act) {
  for (long n = 0;; ++n) {
    ASSERT_LT(n, 100000);
    prepare();
    bool whole = true;
    allocations_left = n;
    try {
      act();
    } catch (const std::bad_alloc&) {
      whole = false;
    }
    allocations_left = -1;
    if (whole) return;
  }
}

TEST(NoMemory, EveryVerbFailsCleanly) {
  const ModelProto sample = RichModel();
  const std::string bytes = sample.SerializeAsString();
  const std::string graph_bytes = sample.graph().SerializeAsString();
  ModelProto model;
  ModelProto other;
  const auto fill = [&] {
    model = sample;
    other = sample;
    for (ModelProto* each : {&model, &other}) {
      GraphProto* graph = each->mutable_graph();
      (void)graph->ref_node();
      *graph->mutable_name() += "held";
      graph->add_initializer()->set_raw_data_with_deleter("x", 1, [] {});
      for (int i = 0; i < 20; ++i) graph->add_node()->add_attribute()->mutable_g()->add_node()->set_name("n");
    }
  };
  using Act = std::function<void()>;
  const std::pair<const char*, Act> acts[] = {
      {"parse", [&] { model.ParseFromString(bytes); }},
      {"parse a child", [&] { model.mutable_graph()->ParseFromString(graph_bytes); }},
      {"merge bytes", [&] { model.MergeFromString(bytes); }},
      {"serialise", [&] { (void)model.SerializeAsString(); }},
      {"copy", [&] { model = other; }},
      {"copy a child", [&] { *model.mutable_graph() = other.graph(); }},
      {"move into a child", [&] { *model.mutable_graph() = std::move(*other.mutable_graph()); }},
      {"move from a child", [&] { const GraphProto moved(std::move(*model.mutable_graph())); }},
      {"merge", [&] { model.MergeFrom(other); }},
      {"merge itself", [&] { model.MergeFrom(model); }},
      {"swap", [&] { model.mutable_graph()->Swap(other.mutable_graph()); }},
      {"clear", [&] { model.Clear(); }},
      {"clear a field", [&] { model.clear_graph(); }},
      {"lists", [&] { model.mutable_graph()->ref_node().extend(model.graph().node()); }},
      {"erase", [&] { model.mutable_graph()->ref_node().DeleteSubrange(1, 10); }},
      {"set", [&] { model.mutable_graph()->mutable_node(0)->ref_doc_string() = "a text longer than a small string"; }},
      {"read", [&] { (void)std::as_const(model).graph().node(0).name(); }},
      {"release", [&] { const utils::Owned<GraphProto> graph = model.release_graph(); }},
      {"print", [&] { (void)model.DebugString(); }},
      {"compare", [&] { (void)(model == other); }},
      {"payload", [&] { model.mutable_graph()->mutable_initializer(0)->attach_raw_data_deleter([] {}); }},
  };
  for (const auto& [name, act] : acts) {
    SCOPED_TRACE(name);
    FailEverywhere(fill, [&, &run = act] {
      try {
        run();
      } catch (const std::bad_alloc&) {
        allocations_left = -1;
        // Whatever is left is whole.
        ModelProto again;
        again.ParseFromString(model.SerializeAsString());
        EXPECT_EQ(again, model);
        again.ParseFromString(other.SerializeAsString());
        EXPECT_EQ(again, other);
        model.mutable_graph()->add_node()->set_name("usable");
        model.MergeFrom(other);
        model.mutable_graph()->Clear();
        throw;
      }
    });
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// In a child process that may have little more memory than it has: what malloc and mmap refuse is std::bad_alloc too.
template <class Act>
int InLittleMemory(size_t more, Act act) {
  const pid_t child = fork();
  if (child == 0) {
    proto::Arena::KeepFreedBlocks(0);  // what earlier tests have freed is not to help
    malloc_trim(0);
    size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t limit = pages * 4096 + more;
    const rlimit limits{limit, limit};
    setrlimit(RLIMIT_AS, &limits);
    try {
      act();
    } catch (const std::bad_alloc&) {
      _exit(7);
    } catch (...) {
      _exit(8);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

TEST(NoMemory, RefusedByTheSystemIsBadAllocNotTheEnd) {
  std::string bytes;
  {
    GraphProto graph;
    for (int i = 0; i < 20000; ++i) graph.add_node()->set_name("some name");
    bytes = graph.SerializeAsString();
  }
  EXPECT_EQ(InLittleMemory(size_t{3} << 20, [&] { GraphProto().ParseFromString(bytes); }), 7);
  EXPECT_EQ(InLittleMemory(size_t{3} << 20, [] { utils::ByteSpan().resize(size_t{64} << 20); }), 7);
  EXPECT_EQ(InLittleMemory(size_t{64} << 20, [&] { GraphProto().ParseFromString(bytes); }), 0);
}
#endif

TEST(NoMemory, ClaimsOfHugeLengthsInTinyFilesAllocateNothing) {
  const auto huge = [](int tag) { return std::string(1, static_cast<char>(tag)) + "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"; };
  for (const int tag : {0x0a, 0x12, 0x1a, 0x22, 0x2a, 0x32, 0x3a, 0x42, 0x4a, 0x52, 0x5a, 0x72}) {
    for (const proto::Table* table : proto::AllTables()) {
      const proto::NewRoot root(*table);
      EXPECT_THROW(proto::Verbs::Parse(*table, root.message(), huge(tag), {}), ParseError);
      EXPECT_THROW(proto::Verbs::Parse(*table, root.message(), huge(tag).substr(0, 6) + "\x07", {}), ParseError);
      EXPECT_LT(root.arena()->bytes_used(), 1000u);
    }
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
