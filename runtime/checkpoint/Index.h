//===- Index.h - What a checkpoint consists of, and where it lies ---------===//
//
// A checkpoint is a folder: global tensors by the model's names, unpadded, cut
// into pieces that lie in .safetensors files, and an index, which is written
// last (docs/checkpoints.md). Nothing in it depends on the mesh, the stages or
// the number of processes that wrote it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CHECKPOINT_INDEX_H
#define TESSERA_RUNTIME_CHECKPOINT_INDEX_H

#include "tessera/Support/TensorBox.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::checkpoint {

/// The name of the index in the folder of a checkpoint.
inline constexpr const char *indexName = "index.json";

/// The version of the format; another one is refused.
inline constexpr int64_t formatVersion = 1;

/// No run has so many steps: sums of them do not overflow.
inline constexpr int64_t mostSteps = int64_t(1) << 40;

/// Pieces have a checksum for each block of so many bytes (BlockedBox), the
/// least that is read.
inline constexpr int64_t defaultBlockBytes = 1 << 20;

/// A box of a tensor in a file.
struct Piece {
  TensorBox box;
  size_t file = 0;                 ///< Among the files of the index.
  uint64_t begin = 0;              ///< Of its elements, in bytes of the file.
  std::vector<uint32_t> checksums; ///< The CRC-32 of each block.
};

/// A global tensor.
struct Tensor {
  std::string name;
  ElementType type = ElementType::F32;
  Shape shape;
  /// Of what the elements are the bits, as in manifests; empty for themselves.
  std::string shortType;
  /// The cells of a grid, in its row-major order; none if there are no
  /// elements.
  std::vector<Piece> pieces;
  /// By dimension: where the cells of the grid begin, ascending.
  std::vector<Shape> cuts;
  /// Whether it is state that the compiler has added, which may be missing: it
  /// is zero then.
  bool isInitiallyZero = false;

  /// `f32[2x3]`; of a short type also which.
  std::string describeType() const;
};

/// A file of pieces, in the folder of the index.
struct File {
  std::string name;
  uint64_t size = 0;
};

/// The contents of an index.
struct Index {
  int64_t step = 0;             ///< How many steps led to this state.
  int64_t position = 0;         ///< How many batches have been used.
  std::optional<uint64_t> seed; ///< Of random arguments, where there are such.
  std::string mesh, program;    ///< Who wrote it, for people.
  int64_t blockBytes = defaultBlockBytes;
  std::vector<File> files;
  std::vector<Tensor> tensors; ///< With different names.

  /// Null if there is none of that name.
  const Tensor *find(const std::string &name) const;
};

/// Whether an index is all of a checkpoint, or what one rank has written of it.
enum class Extent { Whole, Part };

/// The text of an index, which begins with its own checksum.
std::string printIndex(const Index &index);

/// Reads an index that somebody may have damaged or made up: all sizes and
/// places fit each other, files are names without folders, names differ, and
/// (unless it is a part) the pieces of each tensor are a grid that covers it.
/// Failures have no path.
Fallible<Index> parseIndex(std::string_view text, Extent extent);

/// Adds the files and pieces of a part, whose tensors all are in `whole`, too.
Fallible<void> addPart(Index &whole, const Index &part);

/// Puts the pieces of each tensor in the order of their grid; fails if they are
/// none.
Fallible<void> arrangePieces(Index &index);

} // namespace tessera::checkpoint

#endif // TESSERA_RUNTIME_CHECKPOINT_INDEX_H
