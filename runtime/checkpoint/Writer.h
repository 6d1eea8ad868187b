//===- Writer.h - Checkpoints written while the job goes on ---------------===//
//
// The state is copied between two steps; a thread then brings the copy to the
// disk while the next steps run (the observation behind DataStates-LLM, HPDC
// 2024: parameters do not change before the next update). There is one copy, so
// at most one checkpoint is being written at a time.
//
// Of several processes each writes the pieces of its ranks, a file for each
// rank, and then a part of the index. The one that leads waits for the parts of
// all, puts them together, and gives the checkpoint its name: they meet in the
// file system only, beside the job's own communication.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CHECKPOINT_WRITER_H
#define TESSERA_RUNTIME_CHECKPOINT_WRITER_H

#include "checkpoint/PieceFile.h"
#include "checkpoint/Store.h"

#include <thread>

namespace tessera::checkpoint {

/// A copy of what this process writes of a state.
struct Snapshot {
  struct Item {
    size_t tensor; ///< Among those of the index.
    int32_t rank;
    TensorBox box;
    size_t offset; ///< In the buffer.
  };
  /// Of the whole state, without pieces and files.
  Index index;
  std::vector<Item> items;     ///< Those of this process.
  std::vector<int32_t> others; ///< Ranks of other processes that have pieces.
  std::unique_ptr<std::byte, decltype(&std::free)> buffer{nullptr, &std::free};
  size_t bytes = 0;

  /// Gives every item its place, and makes the buffer, whose pages are there
  /// afterwards. False if there is no memory for it.
  bool allocate();
};

class Writer {
public:
  /// `run` is one number for all processes of the job and no other job's;
  /// `keep`, unless 0, the number of checkpoints that stay.
  Writer(Store store, Snapshot snapshot, uint32_t run, bool leads, int64_t keep)
      : store(std::move(store)), snapshot(std::move(snapshot)), run(run),
        leads(leads), keep(keep) {}
  /// Ends what is being written; where other processes write, too, gives it up.
  ~Writer();

  /// How long the process that leads waits for parts of others.
  double patience = 1800;

  /// Whether the thread still reads the snapshot.
  bool isBusy() const { return busy; }
  /// The step of what is being or was written last; -1 for none.
  int64_t lastStep() const { return step; }
  /// What is to be written next: the copy is to be changed only while the
  /// writer is not busy.
  Snapshot &next() { return snapshot; }

  /// Begins to write the snapshot; the writer is not busy.
  void start();

  /// Waits for the end of what was started. The failure of it, once.
  Fallible<void> wait();

private:
  Fallible<void> write();
  Fallible<void> writeIndex(Index whole, const std::string &folder);
  Fallible<Index> awaitPart(const std::string &path, int32_t rank) const;

  Store store;
  Snapshot snapshot;
  uint32_t run;
  bool leads;
  int64_t keep;
  int64_t step = -1;
  std::thread thread;
  std::atomic<bool> busy = false, stop = false;
  Fallible<void> outcome;
};

} // namespace tessera::checkpoint

#endif // TESSERA_RUNTIME_CHECKPOINT_WRITER_H
