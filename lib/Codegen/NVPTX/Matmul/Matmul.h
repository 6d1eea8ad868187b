//===- Matmul.h - A matmul as a GPU computes it -----------------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_MATMUL_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_MATMUL_H

#include "Core/GridFunction.h"
#include "Core/TuningRecords.h"
#include "tessera/Codegen/Kernels/MatmulShape.h"

namespace tessera::nvptx {

/// One operand of a product, and the way its elements take into shared memory.
/// "Depth" is the linear index over the contracted dimensions, "free" the one
/// over the operand's own.
struct MatmulOperand {
  codegen::MatmulSide side;
  /// The type of the elements in shared memory: what the units multiply.
  mlir::Type element;
  /// Whether neighbours in memory are neighbours in depth (or else free).
  bool isDepthMajor;
  /// Bytes that one asynchronous copy can take: 16, 8 or 4; 0 where elements
  /// have to be computed, converted, or are not aligned to 4 bytes.
  int64_t copyBytes;
  /// Neighbours that are computed at a time if `copyBytes` is 0: a power of 2
  /// that divides the number of neighbours.
  int64_t vector;

  int64_t elementBytes() const {
    return codegen::CodeBuilder::storageBytes(element);
  }
};

/// What multiplies.
enum class MatmulUnit {
  /// Tensor cores on f16 or bf16, accumulating in f32.
  TensorCore,
  /// Tensor cores on f32 of which they use 10 bits of mantissa.
  TensorFloat32,
  /// The scalar units, on f32, f64, i32 or i64, exactly as the type says.
  Scalar,
};

/// A batch of products of m x k and k x n elements.
struct Matmul {
  DotGeneralOp dot;
  MatmulOperand left, right;
  MatmulUnit unit;
  /// What products are summed in.
  mlir::Type accumulator;
  int64_t batches, m, n, k;

  /// The matmul that `nest`, of kind Matmul, computes. `tf32` allows
  /// TensorFloat32 for products of f32.
  static Matmul get(const GpuNest &nest, bool tf32);

  /// Bytes of an element of each operand in shared memory, which agree.
  int64_t elementBytes() const { return left.elementBytes(); }
  int64_t accumulatorBytes() const {
    return codegen::CodeBuilder::storageBytes(accumulator);
  }
};

/// What `matmul` looks like to a tuning record. Names: `left` and `right`, the
/// operands' element types ("bf16"), and `layout`, whether each is contiguous
/// in depth (`k`) or in its free index (`m`, `n`): `kk`, `kn`, `mk` or `mn`.
/// Sizes: `batch`, `m`, `n`, `k`.
TuningKey getTuningKey(const Matmul &matmul, const GpuTarget &target);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_MATMUL_H
