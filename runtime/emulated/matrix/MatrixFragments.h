//===- MatrixFragments.h - Matrices spread over the lanes of a warp -------===//
//
// The arithmetic of mma.sync and wgmma and the moves of ldmatrix, stmatrix and
// movmatrix, from the figures of the PTX ISA ("Matrix Fragments for
// mma.m16n8k16", "Register Fragments for wgmma.mma_async", ...). With lane =
// 4 * g + t they all are instances of three formulas, where a register of 32
// bits holds E = 4 / (bytes of an element) elements, element e of register r:
//
//   A (16 x k):  row = g + 8 * (r % 2),  column = (t + 4 * (r / 2)) * E + e
//   B (k x 8):   row = (t + 4 * r) * E + e,  column = g
//   C, D (16 x n), element i of a lane: row = g + 8 * (i / 2 % 2),
//                column = 8 * (i / 4) + 2 * t + i % 2
//
// where a register holds two elements of D in f16 and one in f32. Warp w of a
// warp group has rows 16 * w to 16 * w + 15 of A and D.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_MATRIX_MATRIXFRAGMENTS_H
#define TESSERA_RUNTIME_EMULATED_MATRIX_MATRIXFRAGMENTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::emulated {

/// One 32-bit register of every lane of a warp.
using LaneWords = std::array<uint32_t, 32>;
/// One 64-bit register of every lane of a warp.
using LaneDoubles = std::array<double, 32>;

/// The elements of matrix operands. Tensor cores ignore the lowest 13 bits of a
/// TF32.
enum class MatrixElement { F16, BF16, TF32 };

/// The elements of accumulators.
enum class AccumulatorElement { F16, F32 };

inline unsigned bytesOf(MatrixElement element) {
  return element == MatrixElement::TF32 ? 4 : 2;
}

/// The value of an element as tensor cores see it; `bits` has it lowest.
float toFloat(uint32_t bits, MatrixElement element);

/// A row-major matrix of f32, which holds every element of the other types.
struct Matrix {
  unsigned rows = 0, columns = 0;
  std::vector<float> values;

  Matrix(unsigned rows, unsigned columns)
      : rows(rows), columns(columns), values(size_t(rows) * columns) {}
  float &at(unsigned row, unsigned column) {
    return values[size_t(row) * columns + column];
  }
  float at(unsigned row, unsigned column) const {
    return values[size_t(row) * columns + column];
  }
};

/// The 16 x k matrix A that `registers` of a warp hold.
Matrix unpackA(std::span<const LaneWords> registers, MatrixElement element);

/// The k x 8 matrix B that `registers` of a warp hold.
Matrix unpackB(std::span<const LaneWords> registers, MatrixElement element);

/// The 16 x `columns` accumulators that `registers` of a warp hold: columns / 2
/// registers of f32, half as many of f16.
Matrix unpackAccumulators(std::span<const LaneWords> registers,
                          unsigned columns, AccumulatorElement element);

/// The registers of a warp for 16-row accumulators; f16 are rounded to nearest.
std::vector<LaneWords> packAccumulators(const Matrix &matrix,
                                        AccumulatorElement element);

/// accumulators += a * b, in f32 and in the order of k.
void multiplyAdd(const Matrix &a, const Matrix &b, Matrix &accumulators);

/// mma.sync.aligned.m8n8k4 of f64: lane 4 * g + t has a(g, t), b(t, g) and
/// c(g, 2 * t + i).
std::array<LaneDoubles, 2> multiplyAddF64(const LaneDoubles &a,
                                          const LaneDoubles &b,
                                          const std::array<LaneDoubles, 2> &c);

/// An 8 x 8 matrix of 16-bit elements.
using Matrix8x8 = std::array<std::array<uint16_t, 8>, 8>;

/// The register that ldmatrix gives each lane of a matrix: elements (g, 2 * t)
/// and (g, 2 * t + 1), the former lowest; of the transposed matrix if
/// `transpose`.
LaneWords packMatrix8x8(const Matrix8x8 &matrix, bool transpose);

/// The reverse of `packMatrix8x8`, as stmatrix needs it.
Matrix8x8 unpackMatrix8x8(const LaneWords &lanes, bool transpose);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_MATRIX_MATRIXFRAGMENTS_H
