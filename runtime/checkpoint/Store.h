//===- Store.h - The folder that checkpoints are kept in ------------------===//
//
// `DIR/step-N` is a complete checkpoint as soon as it has that name: it is
// written as `DIR/step-N.tmp-ID`, every file and then the index brought to the
// disk, and renamed. What else lies in DIR is nobody's business here.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CHECKPOINT_STORE_H
#define TESSERA_RUNTIME_CHECKPOINT_STORE_H

#include "checkpoint/Index.h"

namespace tessera::checkpoint {

/// The checkpoints in a folder.
class Store {
public:
  explicit Store(std::string path) : folder(std::move(path)) {}

  const std::string &path() const { return folder; }

  /// Makes the folder, if it is missing, and tries whether files can be made
  /// there. Removes what a run that ended early has left.
  Fallible<void> prepare() const;

  struct Entry {
    int64_t step;
    std::string path;
  };
  /// Those with an index, by step, ascending; whether the index is sound, its
  /// reader says. None if there is no such folder.
  std::vector<Entry> list() const;

  /// Where the checkpoint of a step is, and where it is while runs with this
  /// identification write it.
  std::string pathOf(int64_t step) const;
  std::string partialPathOf(int64_t step, uint32_t run) const;

  /// Gives a checkpoint whose files are all on the disk its name; one that was
  /// there before is replaced.
  Fallible<void> commit(int64_t step, uint32_t run) const;

  /// Removes all but the latest `keep` checkpoints; never one whose step is
  /// above `latest`.
  void prune(int64_t keep, int64_t latest) const;

private:
  std::string folder;
};

/// Brings a file or a folder's list of files to the disk.
Fallible<void> syncToDisk(const std::string &path);

/// Writes a file and brings it to the disk.
Fallible<void> writeDurably(const std::string &path, std::string_view text);

/// Reads and checks the index of the checkpoint in a folder, and that its files
/// have their sizes; failures begin with the path of a file.
Fallible<Index> readIndex(const std::string &folder);

} // namespace tessera::checkpoint

#endif // TESSERA_RUNTIME_CHECKPOINT_STORE_H
