//===- PieceFile.h - Pieces in .safetensors files -------------------------===//

#ifndef TESSERA_RUNTIME_CHECKPOINT_PIECEFILE_H
#define TESSERA_RUNTIME_CHECKPOINT_PIECEFILE_H

#include "checkpoint/Index.h"

#include <atomic>
#include <functional>
#include <memory>

namespace tessera::checkpoint {

/// A piece that is to be written.
struct PieceData {
  const Tensor *tensor;
  TensorBox box;
  const std::byte *data; ///< Its elements, dense and row-major.
};

/// Writes pieces to a .safetensors file, each under its tensor's name, with
/// `@` and where it begins unless it is all of it, and brings it to the disk.
/// Returns a part of an index, with the file under `name`; the file is in
/// `folder`. Gives up when `stop`, unless null, becomes true. Failures begin
/// with the path.
Fallible<Index> writePieces(const std::string &folder, const std::string &name,
                            const std::vector<PieceData> &pieces,
                            int64_t blockBytes, const std::atomic<bool> *stop);

/// Reads tensors of a checkpoint block by block, and compares checksums.
class Reader {
public:
  /// See `readIndex`.
  static Fallible<Reader> open(const std::string &folder);

  const Index &index() const { return contents; }
  const std::string &path() const { return folder; }

  /// Calls `take` with each block of a tensor that `needs` says yes to; each is
  /// read once, no other byte is. Blocks are dense, whole elements, i1 is 0
  /// or 1. Ends with the first failure: of a file, which it begins with, or of
  /// `take`.
  Fallible<void>
  read(const Tensor &tensor,
       const std::function<bool(const TensorBox &)> &needs,
       const std::function<Fallible<void>(const TensorBox &, const std::byte *)>
           &take) const;

  /// All of a tensor.
  Fallible<HostTensor> readWhole(const Tensor &tensor) const;

private:
  std::string folder;
  Index contents;
};

} // namespace tessera::checkpoint

#endif // TESSERA_RUNTIME_CHECKPOINT_PIECEFILE_H
