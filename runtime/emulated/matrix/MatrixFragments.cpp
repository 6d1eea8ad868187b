//===- MatrixFragments.cpp ------------------------------------------------===//

#include "matrix/MatrixFragments.h"

#include "tessera/Support/HalfPrecision.h"

#include <bit>

using namespace tessera;
using namespace tessera::emulated;

/// Calls `body` with the function from the bits of an element to its value.
template <typename Body>
static auto dispatchElement(MatrixElement element, Body body) {
  auto word = [](uint32_t bits) { return static_cast<uint16_t>(bits); };
  switch (element) {
  case MatrixElement::F16:
    return body([=](uint32_t bits) { return Float16{word(bits)}.toFloat(); });
  case MatrixElement::BF16:
    return body([=](uint32_t bits) { return BFloat16{word(bits)}.toFloat(); });
  case MatrixElement::TF32:
    break;
  }
  return body(
      [](uint32_t bits) { return std::bit_cast<float>(bits & ~0x1fffu); });
}

float emulated::toFloat(uint32_t bits, MatrixElement element) {
  return dispatchElement(element, [=](auto value) { return value(bits); });
}

/// Calls `use(lane, register, element of it, value)` for all elements.
template <typename Use>
static void forEachElement(std::span<const LaneWords> registers,
                           MatrixElement element, Use use) {
  unsigned perWord = 4 / bytesOf(element);
  dispatchElement(element, [&](auto value) {
    for (unsigned r = 0; r < registers.size(); ++r)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned e = 0; e < perWord; ++e)
          use(lane, r, e, value(registers[r][lane] >> (16 * e)));
  });
}

Matrix emulated::unpackA(std::span<const LaneWords> registers,
                         MatrixElement element) {
  unsigned perWord = 4 / bytesOf(element);
  unsigned columnBlocks = (registers.size() + 1) / 2;
  Matrix a(16, columnBlocks * 4 * perWord);
  forEachElement(registers, element,
                 [&](unsigned lane, unsigned r, unsigned e, float value) {
                   unsigned g = lane / 4, t = lane % 4;
                   a.at(g + 8 * (r % 2), (t + 4 * (r / 2)) * perWord + e) =
                       value;
                 });
  return a;
}

Matrix emulated::unpackB(std::span<const LaneWords> registers,
                         MatrixElement element) {
  unsigned perWord = 4 / bytesOf(element);
  Matrix b(registers.size() * 4 * perWord, 8);
  forEachElement(registers, element,
                 [&](unsigned lane, unsigned r, unsigned e, float value) {
                   unsigned g = lane / 4, t = lane % 4;
                   b.at((t + 4 * r) * perWord + e, g) = value;
                 });
  return b;
}

/// Where element `i` of a lane's accumulators stands.
static std::pair<unsigned, unsigned> accumulatorIndices(unsigned lane,
                                                        unsigned i) {
  return {lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}

Matrix emulated::unpackAccumulators(std::span<const LaneWords> registers,
                                    unsigned columns,
                                    AccumulatorElement element) {
  Matrix matrix(16, columns);
  for (unsigned i = 0; i < columns / 2; ++i)
    for (unsigned lane = 0; lane < 32; ++lane) {
      auto [row, column] = accumulatorIndices(lane, i);
      matrix.at(row, column) =
          element == AccumulatorElement::F32
              ? std::bit_cast<float>(registers[i][lane])
              : toFloat(registers[i / 2][lane] >> (16 * (i % 2)),
                        MatrixElement::F16);
    }
  return matrix;
}

std::vector<LaneWords> emulated::packAccumulators(const Matrix &matrix,
                                                  AccumulatorElement element) {
  bool half = element == AccumulatorElement::F16;
  unsigned elements = matrix.columns / 2;
  std::vector<LaneWords> registers(half ? elements / 2 : elements);
  for (unsigned i = 0; i < elements; ++i)
    for (unsigned lane = 0; lane < 32; ++lane) {
      auto [row, column] = accumulatorIndices(lane, i);
      float value = matrix.at(row, column);
      if (half)
        registers[i / 2][lane] |=
            static_cast<uint32_t>(Float16::fromFloat(value).bits)
            << (16 * (i % 2));
      else
        registers[i][lane] = std::bit_cast<uint32_t>(value);
    }
  return registers;
}

/// A row of accumulators, `columns` wide, plus its row of A times B. Products
/// are rounded before they are added, on all hosts.
template <typename Columns>
__attribute__((always_inline)) static inline void
multiplyRow(std::span<const float> factors, const float *__restrict b,
            float *__restrict sums, Columns columns) {
  for (float factor : factors) {
    for (unsigned j = 0; j < columns; ++j)
      sums[j] += factor * b[j];
    b += columns;
  }
}

static void multiplyRows(const Matrix &a, const Matrix &b, Matrix &sums) {
  for (unsigned i = 0; i < a.rows; ++i) {
    std::span factors(&a.values[size_t(i) * a.columns], a.columns);
    float *row = &sums.at(i, 0);
    if (b.columns == 8)
      multiplyRow(factors, b.values.data(), row,
                  std::integral_constant<unsigned, 8>());
    else
      multiplyRow(factors, b.values.data(), row, b.columns);
  }
}

void emulated::multiplyAdd(const Matrix &a, const Matrix &b,
                           Matrix &accumulators) {
  multiplyRows(a, b, accumulators);
}

std::array<LaneDoubles, 2>
emulated::multiplyAddF64(const LaneDoubles &a, const LaneDoubles &b,
                         const std::array<LaneDoubles, 2> &c) {
  std::array<LaneDoubles, 2> d = c;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned k = 0; k < 4; ++k) {
        unsigned row = lane / 4, column = 2 * (lane % 4) + i;
        d[i][lane] += a[4 * row + k] * b[4 * column + k];
      }
  return d;
}

LaneWords emulated::packMatrix8x8(const Matrix8x8 &matrix, bool transpose) {
  LaneWords lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    uint32_t low = transpose ? matrix[2 * t][g] : matrix[g][2 * t];
    uint32_t high = transpose ? matrix[2 * t + 1][g] : matrix[g][2 * t + 1];
    lanes[lane] = low | (high << 16);
  }
  return lanes;
}

Matrix8x8 emulated::unpackMatrix8x8(const LaneWords &lanes, bool transpose) {
  Matrix8x8 matrix;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned e = 0; e < 2; ++e) {
      unsigned row = lane / 4, column = 2 * (lane % 4) + e;
      auto value = static_cast<uint16_t>(lanes[lane] >> (16 * e));
      (transpose ? matrix[column][row] : matrix[row][column]) = value;
    }
  return matrix;
}
