//===- Source.h - Tensors of a checkpoint or of a tensor file -------------===//

#ifndef TESSERA_TOOLS_TESSERA_CHECKPOINT_SOURCE_H
#define TESSERA_TOOLS_TESSERA_CHECKPOINT_SOURCE_H

#include "checkpoint/Checkpoint.h"
#include "tessera/Support/StoredTensor.h"

namespace tessera::checkpoint {

/// What a path of the command line names: a checkpoint, a folder of which the
/// latest counts, or a tensor file.
class Source {
public:
  static Fallible<Source> open(const std::string &path);

  /// The folder of the checkpoint, or the file.
  const std::string &path() const { return where; }
  /// By name, without pieces; the elements of `name` by `read`.
  const std::vector<Tensor> &tensors() const { return list; }
  /// Null for a tensor file.
  const Index *index() const { return reader ? &reader->index() : nullptr; }

  /// All elements of a tensor.
  Fallible<HostTensor> read(size_t number) const;

private:
  std::string where;
  std::vector<Tensor> list;
  std::optional<Reader> reader;
  std::vector<StoredTensor> stored;
};

/// The folder of the checkpoint that a path means: itself, or the latest in it.
Fallible<std::string> findCheckpoint(const std::string &path);

} // namespace tessera::checkpoint

#endif // TESSERA_TOOLS_TESSERA_CHECKPOINT_SOURCE_H
