//===- MatmulTest.cpp - Matrix products against loops ---------------------===//

#include "CompiledProgram.h"
#include "gtest/gtest.h"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

using namespace tessera::test;

namespace {

using Shape = std::vector<int64_t>;

int64_t elements(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<>());
}

std::string typeOf(const Shape &shape) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + "f32>";
}

std::string listOf(const Shape &dims) {
  std::string text = "[";
  for (int64_t dim : dims)
    text += (text.size() > 1 ? ", " : "") + std::to_string(dim);
  return text + "]";
}

std::vector<float> randomValues(int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(generator);
  return values;
}

/// A matmul, its operands and what it should give.
struct Matmul {
  Shape left, right, leftBatch, rightBatch, leftDepth, rightDepth;

  Shape freeDims(const Shape &shape, const Shape &batch,
                 const Shape &depth) const {
    Shape dims;
    for (int64_t d = 0; d < int64_t(shape.size()); ++d)
      if (!std::count(batch.begin(), batch.end(), d) &&
          !std::count(depth.begin(), depth.end(), d))
        dims.push_back(d);
    return dims;
  }
  Shape resultShape() const {
    Shape shape;
    for (int64_t d : leftBatch)
      shape.push_back(left[d]);
    for (int64_t d : freeDims(left, leftBatch, leftDepth))
      shape.push_back(left[d]);
    for (int64_t d : freeDims(right, rightBatch, rightDepth))
      shape.push_back(right[d]);
    return shape;
  }
  std::string operation() const {
    return "tessera.dot_general %0, %1 batching = " + listOf(leftBatch) +
           " x " + listOf(rightBatch) + " contracting = " + listOf(leftDepth) +
           " x " + listOf(rightDepth) + " : (" + typeOf(left) + ", " +
           typeOf(right) + ") -> " + typeOf(resultShape());
  }

  /// Offsets in `shape` of all indices over `dims`, in row-major order.
  static std::vector<int64_t> offsets(const Shape &shape, const Shape &dims) {
    std::vector<int64_t> result = {0};
    for (int64_t dim : dims) {
      int64_t stride = 1;
      for (size_t d = dim + 1; d < shape.size(); ++d)
        stride *= shape[d];
      std::vector<int64_t> next;
      for (int64_t offset : result)
        for (int64_t i = 0; i < shape[dim]; ++i)
          next.push_back(offset + i * stride);
      result = next;
    }
    return result;
  }

  std::vector<double> expected(const std::vector<float> &a,
                               const std::vector<float> &b) const {
    auto ab = offsets(left, leftBatch), bb = offsets(right, rightBatch);
    auto am = offsets(left, freeDims(left, leftBatch, leftDepth));
    auto bn = offsets(right, freeDims(right, rightBatch, rightDepth));
    auto ak = offsets(left, leftDepth), bk = offsets(right, rightDepth);
    std::vector<double> result;
    for (size_t batch = 0; batch < ab.size(); ++batch)
      for (int64_t m : am)
        for (int64_t n : bn) {
          double sum = 0;
          for (size_t k = 0; k < ak.size(); ++k)
            sum += double(a[ab[batch] + m + ak[k]]) * b[bb[batch] + n + bk[k]];
          result.push_back(sum);
        }
    return result;
  }
};

class MatmulTest
    : public testing::TestWithParam<std::tuple<Matmul, const char *>> {};

TEST_P(MatmulTest, MatchesLoops) {
  auto [dot, cpu] = GetParam();
  std::string type = typeOf(dot.resultShape());
  auto program = CompiledProgram::compile(
      programOf(typeOf(dot.left) + ";" + typeOf(dot.right), type,
                "%c = " + dot.operation() + "\nspmd.yield %c : " + type),
      cpu);
  ASSERT_TRUE(program);
  if (!isExecuted(cpu))
    GTEST_SKIP() << "compiled only: this machine does not execute " << cpu;
  auto a = randomValues(elements(dot.left), 1);
  auto b = randomValues(elements(dot.right), 2);
  std::vector<float> c(elements(dot.resultShape()), 7.0f);
  ASSERT_EQ(program->run({a.data(), b.data()}, {c.data()}), 0);
  std::vector<double> expected = dot.expected(a, b);
  int64_t depth = dot.offsets(dot.left, dot.leftDepth).size();
  for (size_t i = 0; i < c.size(); ++i)
    ASSERT_NEAR(c[i], expected[i], 1e-6 * (depth + 8)) << "at " << i;
}

const Matmul matmuls[] = {
    // Whole blocks, written to the result directly.
    {{64, 48}, {48, 96}, {}, {}, {1}, {0}},
    // Nothing divides.
    {{37, 29}, {29, 43}, {}, {}, {1}, {0}},
    {{1, 5}, {5, 1}, {}, {}, {1}, {0}},
    // Every transposition, ragged and whole.
    {{29, 37}, {29, 43}, {}, {}, {0}, {0}},
    {{37, 29}, {43, 29}, {}, {}, {1}, {1}},
    {{29, 37}, {43, 29}, {}, {}, {0}, {1}},
    {{64, 32}, {96, 32}, {}, {}, {1}, {1}},
    {{32, 64}, {32, 96}, {}, {}, {0}, {0}},
    // Several blocks of the contracted dimension and of both other dimensions.
    {{300, 900}, {900, 600}, {}, {}, {1}, {0}},
    {{900, 300}, {600, 900}, {}, {}, {0}, {1}},
    // Attention: batch dimensions that are not leading.
    {{2, 16, 3, 8}, {2, 16, 3, 8}, {0, 2}, {0, 2}, {3}, {3}},
    {{2, 3, 16, 16}, {2, 16, 3, 8}, {0, 1}, {0, 2}, {3}, {1}},
    {{2, 16, 3, 8}, {2, 3, 16, 16}, {0, 2}, {0, 1}, {1}, {3}},
    // Several contracting and free dimensions.
    {{4, 8, 2, 6}, {2, 6, 32}, {}, {}, {2, 3}, {0, 1}},
    {{4, 8, 16}, {4, 8, 3, 10}, {}, {}, {0, 1}, {0, 1}},
    {{4, 8, 3, 5}, {6, 3, 5, 7}, {}, {}, {3, 2}, {2, 1}},
    // Matrix times vector and the reverse, outer product.
    {{64, 48}, {48}, {}, {}, {1}, {0}},
    {{48}, {48, 64}, {}, {}, {0}, {0}},
    {{8}, {9}, {}, {}, {}, {}},
};

INSTANTIATE_TEST_SUITE_P(Shapes, MatmulTest,
                         testing::Combine(testing::ValuesIn(matmuls),
                                          testing::Values("native", "x86-64-v3",
                                                          "x86-64-v4", "sm_80",
                                                          "sm_90a")));

} // namespace
