//===- Writer.cpp ---------------------------------------------------------===//

#include "checkpoint/Writer.h"

#include "tessera/Support/File.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::checkpoint;
namespace fs = std::filesystem;

bool Snapshot::allocate() {
  constexpr size_t kAlignment = 2 << 20;
  bytes = 0;
  for (Item &item : items) {
    item.offset = bytes;
    size_t size =
        item.box.elements() * elementSize(index.tensors[item.tensor].type);
    bytes += (size + 63) / 64 * 64;
  }
  size_t capacity = (bytes + kAlignment) / kAlignment * kAlignment;
  buffer.reset(
      static_cast<std::byte *>(std::aligned_alloc(kAlignment, capacity)));
  if (!buffer)
    return false;
  madvise(buffer.get(), capacity, MADV_HUGEPAGE);
  std::memset(buffer.get(), 0, bytes);
  return true;
}

Writer::~Writer() {
  // Where the job has failed, this may be the last state that there is; but
  // other processes may be gone.
  stop = !leads || !snapshot.others.empty();
  (void)wait();
}

void Writer::start() {
  (void)wait();
  step = snapshot.index.step;
  busy = true;
  thread = std::thread([this] {
    // The ranks come first.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
    outcome = write();
    if (!outcome && leads) {
      std::error_code error;
      fs::remove_all(store.partialPathOf(step, run), error);
    }
    busy = false;
  });
}

Fallible<void> Writer::wait() {
  if (thread.joinable())
    thread.join();
  return std::exchange(outcome, {});
}

static std::string fileName(int32_t rank, const char *extension) {
  char name[64];
  std::snprintf(name, sizeof name, "rank-%05d.%s", rank, extension);
  return name;
}

/// Writes a file for each rank of this process, then the index or a part of it.
Fallible<void> Writer::write() {
  std::string folder = store.partialPathOf(step, run);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return Failure{folder + ": " + error.message()};
  std::map<int32_t, std::vector<PieceData>> byRank;
  for (const Snapshot::Item &item : snapshot.items)
    byRank[item.rank].push_back({&snapshot.index.tensors[item.tensor], item.box,
                                 snapshot.buffer.get() + item.offset});
  Index whole = snapshot.index;
  for (const auto &[rank, pieces] : byRank) {
    Fallible<Index> part = writePieces(folder, fileName(rank, "safetensors"),
                                       pieces, whole.blockBytes, &stop);
    if (!part)
      return part.failure();
    part->step = step;
    Fallible<void> done =
        leads ? addPart(whole, *part)
              : writeFile((fs::path(folder) / fileName(rank, "json")).string(),
                          printIndex(*part));
    if (!done)
      return done;
  }
  return leads ? writeIndex(std::move(whole), folder) : Fallible<void>();
}

/// The part of another process, once it is there.
Fallible<Index> Writer::awaitPart(const std::string &path, int32_t rank) const {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  std::error_code error;
  while (!fs::exists(path, error)) {
    if (stop)
      return Failure{path + ": given up"};
    if (std::chrono::duration<double>(Clock::now() - begin).count() > patience)
      return Failure{path + ": waited " +
                     std::to_string(static_cast<int64_t>(patience)) +
                     " s for what rank " + std::to_string(rank) + " writes"};
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  Fallible<std::string> text = readTextFile(path, 256 << 20);
  if (!text)
    return text.failure();
  Fallible<Index> part = parseIndex(*text, Extent::Part);
  if (!part)
    return Failure{path + ": " + part.message()};
  return part;
}

/// Puts the parts of all together; the checkpoint is complete afterwards.
Fallible<void> Writer::writeIndex(Index whole, const std::string &folder) {
  for (int32_t rank : snapshot.others) {
    std::string path = (fs::path(folder) / fileName(rank, "json")).string();
    Fallible<Index> part = awaitPart(path, rank);
    if (!part)
      return part.failure();
    if (Fallible<void> added = addPart(whole, *part); !added)
      return Failure{path + ": " + added.message()};
    std::error_code error;
    fs::remove(path, error);
  }
  if (Fallible<void> arranged = arrangePieces(whole); !arranged)
    return Failure{folder + ": " + arranged.message()};
  std::string path = (fs::path(folder) / indexName).string();
  if (Fallible<void> written = writeDurably(path, printIndex(whole)); !written)
    return written;
  if (Fallible<void> complete = store.commit(step, run); !complete)
    return complete;
  if (keep > 0)
    store.prune(keep, step);
  return {};
}
