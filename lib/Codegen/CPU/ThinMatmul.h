//===- ThinMatmul.h - Matrix products that are bound by memory ------------===//
//
// Elsewhere: skinny GEMM, GEMV.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_CPU_THINMATMUL_H
#define TESSERA_CODEGEN_CPU_THINMATMUL_H

#include "tessera/Codegen/Kernels/MatmulShape.h"
#include "tessera/Codegen/Kernels/NestLowering.h"

namespace tessera::cpu {

/// A product that is computed without copying its wide side
/// (LowerThinMatmul.cpp).
struct ThinMatmul {
  codegen::MatmulSide thin, wide;
  bool wideIsLeft = false;
  /// Whether vectors go along the contracted dimension, not along the wide
  /// side's free dimension.
  bool alongDepth = false;
  /// Whether the thin side is copied to scratch memory.
  bool packsThin = false;
  /// What sums are formed in.
  mlir::Type accumulated;
  int64_t batches = 1, thinRows = 1, wideRows = 1, depth = 1;
  /// Rows of the thin side and columns of the wide one that an iteration
  /// computes, the latter by groups whose sums are in registers; along the
  /// free dimension, both are whole vectors.
  int64_t blockRows = 1, blockWide = 1, groupWide = 1;
  /// Steps of the matmul after which the next group comes; along the
  /// matmul, whole vectors.
  int64_t depthPiece = 1;

  /// Whether sums so far go through memory.
  bool usesTile() const { return alongDepth || depth > depthPiece; }

  int64_t tasksRows() const { return (thinRows + blockRows - 1) / blockRows; }
  int64_t tasksWide() const { return (wideRows + blockWide - 1) / blockWide; }
};

/// How the product of `lowering` is computed without copying, if one of its
/// sides has so few rows, or its contracted dimension so short, that this is
/// faster.
std::optional<ThinMatmul> findThinMatmul(codegen::NestLowering &lowering);

/// Emits the code of such a product: iterations [begin, end).
llvm::FailureOr<codegen::NestRange>
lowerThinMatmul(codegen::NestLowering &lowering, const ThinMatmul &shape);

} // namespace tessera::cpu

#endif // TESSERA_CODEGEN_CPU_THINMATMUL_H
