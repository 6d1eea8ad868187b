//===- OperandLoader.h - Brings an operand into shared memory ---*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_OPERANDLOADER_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_OPERANDLOADER_H

#include "Core/GridFunction.h"
#include "Core/SharedTile.h"
#include "Matmul/Matmul.h"

namespace tessera::nvptx {

/// Brings tiles of an operand, `freeExtent` by `depthExtent` elements, into
/// shared memory, each thread a share of them.
///
/// An operand that lies in memory, aligned to at least 4 bytes, is copied
/// asynchronously. Any other is computed: `load` computes elements in
/// registers, `store` puts them into shared memory, so that the loads are under
/// way while the block multiplies. Elements outside of the operand are zero.
///
/// Neighbouring threads work on neighbours in memory. The tile's rows follow
/// memory as well, so that 16 bytes stay together, unless `asDepthMajor` asks
/// for rows that are contiguous in depth.
class OperandLoader {
public:
  OperandLoader(GridFunction &grid, const MatmulOperand &operand,
                int64_t freeExtent, int64_t depthExtent, bool asDepthMajor);

  /// The tiles to come are those of this batch and free index (`i64`).
  void locate(mlir::Value batch, mlir::Value freeStart);

  bool isAsynchronous() const { return copyUnit != 0; }
  /// Whether rows of `tile` are contiguous in depth.
  bool isDepthMajor() const { return depthMajor; }
  const SharedTile &tile() const { return shared; }

  /// Starts the copies of the tile that begins at `depth` to `target`.
  void copy(mlir::Value depth, mlir::Value target);
  /// This thread's elements of the tile, in the form that `store` takes; the
  /// tile may lie behind the end of the operand. Fails with a diagnostic.
  llvm::FailureOr<codegen::CodeBuilder::Values> load(mlir::Value depth);
  void store(mlir::ValueRange elements, mlir::Value target);

private:
  /// A share: `unit` elements that are neighbours in memory, by the indices of
  /// the first in the tile.
  struct Indices {
    mlir::Value free, depth;
  };
  Indices indicesOf(int64_t number);
  /// Bytes from the start of the tile.
  mlir::Value sharedOffset(int64_t number);
  /// Where element (free, depth) lies, in elements from the leaf's memory.
  mlir::Value position(mlir::Value free, mlir::Value depth);
  mlir::Value element(codegen::ElementEmitter &e, mlir::Value free,
                      mlir::Value depth);
  mlir::Value isInside(const Indices &first, mlir::Value depth);
  /// Runs `body` in the threads that have a share.
  void forActive(llvm::function_ref<void()> body);
  int64_t freeSize() const { return operand.side.size(operand.side.free); }
  int64_t depthSize() const {
    return operand.side.size(operand.side.contracting);
  }
  bool freeIsRagged() const { return freeSize() % freeExtent != 0; }
  bool depthIsRagged() const { return depthSize() % depthExtent != 0; }

  GridFunction &grid;
  codegen::CodeBuilder &b;
  const MatmulOperand &operand;
  int64_t freeExtent, depthExtent;
  bool depthMajor;
  SharedTile shared;
  /// Elements of an asynchronous copy, or 0; elements of a share.
  int64_t copyUnit, unit;
  /// Shares of each thread, and of the block.
  int64_t shares, allShares;
  mlir::Value batch, freeStart;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_OPERANDLOADER_H
