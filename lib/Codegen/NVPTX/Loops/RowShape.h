//===- RowShape.h - How rows are spread over threads ----------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_LOOPS_ROWSHAPE_H
#define TESSERA_CODEGEN_NVPTX_LOOPS_ROWSHAPE_H

#include "Core/Vectors.h"

namespace tessera::nvptx {

/// What a tuning record says of a block that reduces: `x` threads along what is
/// contiguous, `y` along the rest, `parts` blocks that share what is reduced.
struct BlockTile {
  int64_t x, y, parts;

  /// Written `256x1/4`; nothing if that is no block.
  static std::optional<BlockTile> parse(llvm::StringRef text);
};

/// What one says of element-wise loop nests: the vectors of a thread.
struct VectorTile {
  int64_t vectors;

  /// Written `2`; from 1 to 8.
  static std::optional<VectorTile> parse(llvm::StringRef text);
  /// The record's for a loop nest of so many elements, if there is one.
  static std::optional<VectorTile> find(const GpuNest &nest, int64_t elements,
                                        int64_t bytes);
};

/// How the rows of a loop nest are spread over threads. A tuning record decides
/// first.
///
/// A row is `vectors` vectors of `lanes` elements. The threads of a row
/// (`threads`, a power of 2) take neighbouring vectors and go on behind the
/// last one of them, so that thread t has the vectors t, t + threads, ...
struct RowShape {
  int64_t rows, vectors, lanes;
  /// Of one row, and rows of one block.
  int64_t threads, rowsPerBlock;
  /// Whether a thread keeps all its elements in registers from the first pass
  /// to the last, so that they are read once. Else it loops over them,
  /// `unroll` vectors at a time.
  bool isResident;
  int64_t unroll;
  /// Parts that a row is cut into, each for a block of its own, and vectors of
  /// one part. More than one part only where there are too few rows to keep the
  /// GPU busy.
  int64_t parts, partVectors;

  int64_t blockThreads() const { return threads * rowsPerBlock; }
  int64_t rowBlocks() const { return llvm::divideCeil(rows, rowsPerBlock); }

  static RowShape choose(const GpuNest &nest);

private:
  /// Completes `threads`, `rowsPerBlock` and `parts` for threads that keep
  /// `kept` times their elements.
  void complete(int64_t kept);
};

/// How reductions over rows, which keep the columns, are spread over threads.
///
/// A tuning record decides first. A block is `x` threads along vectors of
/// columns times `y` threads along the rows of one of `parts` parts.
struct ColumnShape {
  /// Vectors of columns, elements of one, and rows that are reduced.
  int64_t vectors, lanes, rows;
  int64_t x, y, parts;
  /// Rows of one part, a multiple of `y`.
  int64_t partRows;

  int64_t columns() const { return vectors * lanes; }
  int64_t blockThreads() const { return x * y; }
  int64_t columnBlocks() const { return llvm::divideCeil(vectors, x); }

  static ColumnShape choose(const GpuNest &nest, int64_t vectors, int64_t lanes,
                            int64_t rows);

private:
  /// Cuts the rows into `wanted` parts, or as few as they fill.
  void cut(int64_t wanted);
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_LOOPS_ROWSHAPE_H
