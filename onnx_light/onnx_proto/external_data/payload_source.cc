#include "onnx_proto/external_data/payload_source.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/stream/mapped_file.h"
#include "onnx_proto/text/quoted.h"
#include "onnx_proto/thread_pool.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using proto::PayloadOwner;

constexpr uint64_t kOwnBlock = uint64_t{4} << 20;      // from here on a range has a block of its own
constexpr uint64_t kSharedBlock = uint64_t{16} << 20;  // about as much as the small ones of one block take together
constexpr uint64_t kGap = uint64_t{64} << 10;          // what is between two ranges is read over up to here
constexpr size_t kMostParts = 512;                     // of one call
constexpr size_t kAlignment = 64;

std::atomic<void (*)(const char*)> hook{nullptr};

struct LetGo {
  void operator()(PayloadOwner* owner) const { owner->LetGo(); }
};
using Block = std::unique_ptr<PayloadOwner, LetGo>;

// Ranges that overlap, as one.
struct Cluster {
  uint64_t begin = 0, end = 0;
  std::vector<WantedPayload*> payloads;
  uint8_t* bytes = nullptr;
  uint64_t size() const { return end - begin; }
};

// What one call, or a few, reads: clusters side by side in the file, and in one block.
struct Batch {
  std::vector<Cluster*> clusters;
  Block block;
};

std::vector<Cluster> ClustersOf(std::vector<WantedPayload*> wanted) {
  std::erase_if(wanted, [](const WantedPayload* one) { return one->range.size == 0; });
  std::sort(wanted.begin(), wanted.end(), [](const auto* a, const auto* b) { return a->range.offset < b->range.offset; });
  std::vector<Cluster> clusters;
  for (WantedPayload* one : wanted) {
    const uint64_t end = one->range.offset + one->range.size;
    if (clusters.empty() || one->range.offset >= clusters.back().end) clusters.push_back({one->range.offset, end, {}});
    clusters.back().end = std::max(clusters.back().end, end);
    clusters.back().payloads.push_back(one);
  }
  return clusters;
}

// Places the clusters in blocks.
std::vector<Batch> BatchesOf(std::vector<Cluster>& clusters) {
  std::vector<Batch> batches;
  for (size_t i = 0; i < clusters.size();) {
    Batch batch;
    uint64_t room = 0;
    do {
      Cluster& next = clusters[i];
      const bool joins = batch.clusters.empty() || (next.size() < kOwnBlock && batch.clusters.back()->size() < kOwnBlock &&
                                                    room + next.size() <= kSharedBlock && next.begin - batch.clusters.back()->end <= kGap);
      if (!joins) break;
      room = (room + kAlignment - 1) / kAlignment * kAlignment + next.size();
      batch.clusters.push_back(&next);
    } while (++i < clusters.size());
    uint8_t* bytes = nullptr;
    batch.block = Block(PayloadOwner::NewBlock(static_cast<size_t>(room), &bytes));
    uint64_t at = 0;
    for (Cluster* cluster : batch.clusters) {
      at = (at + kAlignment - 1) / kAlignment * kAlignment;
      cluster->bytes = bytes + at;
      at += cluster->size();
    }
    batches.push_back(std::move(batch));
  }
  return batches;
}

// Reads into all parts, from `offset` on.
void ReadParts(const WeightsFile& file, uint64_t offset, std::vector<iovec>& parts) {
  size_t first = 0;
  while (first < parts.size()) {
    utils::CheckInterrupt();
    const int count = static_cast<int>(std::min(parts.size() - first, kMostParts));
    const ssize_t got = preadv(file.file.get(), &parts[first], count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) utils::ThrowFileError(file.path, "read");
    if (got == 0) {
      utils::ThrowShortened(file.path,
                            "ends at " + std::to_string(offset) + ", it had " + std::to_string(file.size) + " bytes when it was opened");
    }
    offset += static_cast<uint64_t>(got);
    auto done = static_cast<size_t>(got);
    for (; first < parts.size() && done >= parts[first].iov_len; ++first) done -= parts[first].iov_len;
    if (done) {
      parts[first].iov_base = static_cast<char*>(parts[first].iov_base) + done;
      parts[first].iov_len -= done;
    }
  }
}

void ReadBatch(const WeightsFile& file, const Batch& batch) {
  std::vector<iovec> parts;
  std::vector<char> gap;
  uint64_t at = batch.clusters.front()->begin;
  for (const Cluster* cluster : batch.clusters) {
    if (cluster->begin > at) {
      gap.resize(kGap);
      parts.push_back({gap.data(), static_cast<size_t>(cluster->begin - at)});
    }
    parts.push_back({cluster->bytes, static_cast<size_t>(cluster->size())});
    at = cluster->end;
  }
  ReadParts(file, batch.clusters.front()->begin, parts);
}

}  // namespace

void SetHookBeforeReading(void (*now)(const char* path)) { hook = now; }

void CheckRanges(const WeightsFile& file, const std::vector<WantedPayload*>& wanted) {
  for (const WantedPayload* one : wanted) {
    if (one->range.offset <= file.size && one->range.size <= file.size - one->range.offset) continue;
    const std::string wrong =
        one->range.offset > file.size ? "exceeds file size" : "and length " + std::to_string(one->range.size) + " exceeds available data";
    throw ExternalDataError(one->whose + ": offset " + std::to_string(one->range.offset) + " " + wrong + ": " +
                            Shown(file.path, kWholePath) + " has " + std::to_string(file.size) + " bytes");
  }
}

void ReadPayloads(const WeightsFile& file, const std::vector<WantedPayload*>& wanted, const ParseOptions& options) {
  if (const auto call = hook.load()) call(file.path.c_str());
  std::vector<Cluster> clusters = ClustersOf(wanted);
  const std::vector<Batch> batches = BatchesOf(clusters);
  uint64_t total = 0;
  for (const Cluster& cluster : clusters) total += cluster.size();
  const auto piece = static_cast<uint64_t>(std::max<int64_t>(options.min_parallel_block_size, 1 << 16));
  if (options.num_threads == 1 || total < 16 * piece) {
    for (const Batch& batch : batches) ReadBatch(file, batch);
  } else {
    utils::ThreadPool pool(options.num_threads);
    for (const Batch& batch : batches) {
      if (batch.clusters.size() > 1) {
        pool.Submit([&file, &batch] { ReadBatch(file, batch); });
        continue;
      }
      const Cluster& cluster = *batch.clusters.front();
      for (uint64_t at = 0; at < cluster.size(); at += piece) {
        pool.Submit([&file, &cluster, at, size = std::min(piece, cluster.size() - at)] {
          utils::ReadAt(file.file.get(), file.path, cluster.begin + at, cluster.bytes + at, static_cast<size_t>(size));
        });
      }
    }
    pool.Wait();
  }
  for (const Batch& batch : batches) {
    for (const Cluster* cluster : batch.clusters) {
      for (WantedPayload* one : cluster->payloads) {
        batch.block->Hold();
        one->bytes.adopt(cluster->bytes + (one->range.offset - cluster->begin), static_cast<size_t>(one->range.size), batch.block.get(),
                         true);
      }
    }
  }
}

void MapPayloads(WeightsFile file, const std::vector<WantedPayload*>& wanted) {
  if (const auto call = hook.load()) call(file.path.c_str());
  const std::string path = file.path;
  const utils::MappedFile mapped(std::move(file.file), path);
  for (WantedPayload* one : wanted) one->bytes = mapped.Slice(one->range.offset, one->range.size);
}

}  // namespace ONNX_LIGHT_NAMESPACE
