//===- EmulatedCublasLt.cpp -----------------------------------------------===//
//
// Written from the library's manual, in its column-major terms, and not from
// LibraryProducts.cpp, so that the one proves the other:
//
//   D(i, j) = alpha * sum over d of op(A)(i, d) * op(B)(d, j)
//             + beta * C(i, j) + bias(i)
//
// element (i, j) of a matrix of a layout at i + j * leading elements.
//
//===----------------------------------------------------------------------===//

#include "device/EmulatedCublasLt.h"

#include "device/EmulatedDevice.h"

#include "tessera/Support/HalfPrecision.h"

#include <cstring>

using namespace tessera;
using namespace tessera::emulated;
using namespace tessera::gpu;

namespace {
/// What a cublasLtMatmulDesc_t is.
struct Product {
  int compute, scaleType;
  int32_t transA = blasAsIs, transB = blasAsIs;
  uint32_t epilogue = blasNoEpilogue;
  const void *bias = nullptr;
};

/// What a cublasLtMatrixLayout_t is.
struct Layout {
  int type;
  int64_t rows, columns, leading;
  int32_t batches = 1;
  int64_t stride = 0;

  size_t elementBytes() const { return type == blasF32 ? 4 : 2; }
  /// Bytes from the first element to the last of all matrices.
  size_t bytes() const {
    int64_t elements = (batches - 1) * stride + (columns - 1) * leading + rows;
    return elements * elementBytes();
  }
};

/// What a cublasLtMatmulPreference_t is: values by attribute.
struct Preference {
  uint64_t workspace = 0;
  uint32_t alignment[4] = {256, 256, 256, 256}; ///< Of A, B, C and D.
};

/// What a cublasLtMatmulAlgo_t says: what it was chosen for.
struct Algorithm {
  uint64_t mark;
  uint64_t workspace;
  uint32_t alignment[4];
  int64_t m, n, k;
  uint64_t unused;
};
static_assert(sizeof(Algorithm) == sizeof(BlasAlgorithm));

/// One matrix of a batch, as floats.
using Matrix = std::vector<float>;
} // namespace

static constexpr uint64_t algorithmMark = 0x6d6d6c61'74626c61;

/// What an algorithm takes of the workspace that it is offered.
static constexpr uint64_t workspaceUse = 1 << 10;

static Product &unwrap(BlasMatmul matmul) {
  return *reinterpret_cast<Product *>(matmul);
}
static Layout &unwrap(BlasLayout layout) {
  return *reinterpret_cast<Layout *>(layout);
}

static BlasStatus create(BlasHandle *handle) {
  if (!currentDevice())
    return 1; // CUBLAS_STATUS_NOT_INITIALIZED
  *handle = reinterpret_cast<BlasHandle>(currentDevice());
  return blasOk;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

/// Copies an attribute's value, which must have the size of the target.
template <typename T>
static BlasStatus take(T &target, const void *value, size_t bytes) {
  if (!value || bytes != sizeof target)
    return blasInvalidValue;
  std::memcpy(&target, value, bytes);
  return blasOk;
}

static BlasStatus matmulCreate(BlasMatmul *matmul, int compute, int scaleType) {
  bool isKnown = compute == blasComputeF32 || compute == blasComputeTf32;
  if (!isKnown || scaleType != blasF32)
    return blasNotSupported;
  *matmul = reinterpret_cast<BlasMatmul>(new Product{compute, scaleType});
  return blasOk;
}

static BlasStatus matmulSet(BlasMatmul matmul, int attribute, const void *value,
                            size_t bytes) {
  Product &product = unwrap(matmul);
  switch (attribute) {
  case blasTransA:
    return take(product.transA, value, bytes);
  case blasTransB:
    return take(product.transB, value, bytes);
  case blasEpilogue:
    return take(product.epilogue, value, bytes);
  case blasBiasPointer:
    return take(product.bias, value, bytes);
  }
  return blasInvalidValue;
}

static BlasStatus layoutCreate(BlasLayout *layout, int type, uint64_t rows,
                               uint64_t columns, int64_t leading) {
  bool isKnown = type == blasF16 || type == blasBf16 || type == blasF32;
  if (!isKnown || rows == 0 || columns == 0 ||
      leading < static_cast<int64_t>(rows))
    return blasInvalidValue;
  *layout = reinterpret_cast<BlasLayout>(
      new Layout{type, static_cast<int64_t>(rows),
                 static_cast<int64_t>(columns), leading});
  return blasOk;
}

static BlasStatus layoutSet(BlasLayout layout, int attribute, const void *value,
                            size_t bytes) {
  switch (attribute) {
  case blasBatchCount:
    return take(unwrap(layout).batches, value, bytes);
  case blasBatchStride:
    return take(unwrap(layout).stride, value, bytes);
  }
  return blasInvalidValue;
}

static BlasStatus preferenceSet(BlasPreference preference, int attribute,
                                const void *value, size_t bytes) {
  auto &preferences = *reinterpret_cast<Preference *>(preference);
  if (attribute == blasMaxWorkspace)
    return take(preferences.workspace, value, bytes);
  if (attribute < blasAlignmentA || attribute > blasAlignmentD)
    return blasInvalidValue;
  return take(preferences.alignment[attribute - blasAlignmentA], value, bytes);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Whether the descriptions fit together; `algorithm` gets the sizes.
static BlasStatus check(const Product &product, const Layout &a,
                        const Layout &b, const Layout &c, const Layout &d,
                        Algorithm &algorithm) {
  bool transA = product.transA != blasAsIs, transB = product.transB != blasAsIs;
  algorithm.m = transA ? a.columns : a.rows;
  algorithm.k = transA ? a.rows : a.columns;
  algorithm.n = transB ? b.rows : b.columns;
  int64_t depth = transB ? b.columns : b.rows;
  bool fits = depth == algorithm.k && d.rows == algorithm.m &&
              d.columns == algorithm.n && c.rows == d.rows &&
              c.columns == d.columns && a.batches == d.batches &&
              b.batches == d.batches && c.batches == d.batches;
  if (!fits)
    return blasInvalidValue;
  bool isKnown =
      a.type == b.type && c.type == d.type &&
      (d.type == a.type || d.type == blasF32) &&
      (product.compute == blasComputeF32 || a.type == blasF32) &&
      (product.epilogue == blasNoEpilogue || product.epilogue == blasBias);
  return isKnown ? blasOk : blasNotSupported;
}

static BlasStatus heuristic(BlasHandle, BlasMatmul matmul, BlasLayout a,
                            BlasLayout b, BlasLayout c, BlasLayout d,
                            BlasPreference preference, int asked,
                            BlasHeuristic *results, int *count) {
  *count = 0;
  Algorithm algorithm = {};
  BlasStatus status = check(unwrap(matmul), unwrap(a), unwrap(b), unwrap(c),
                            unwrap(d), algorithm);
  if (status || asked < 1)
    return status ? status : blasInvalidValue;
  const auto &preferences = *reinterpret_cast<Preference *>(preference);
  algorithm.mark = algorithmMark;
  algorithm.workspace = std::min(preferences.workspace, workspaceUse);
  std::memcpy(algorithm.alignment, preferences.alignment,
              sizeof algorithm.alignment);
  results[0] = {};
  std::memcpy(&results[0].algorithm, &algorithm, sizeof algorithm);
  results[0].workspaceBytes = algorithm.workspace;
  results[0].waves = 1;
  *count = 1;
  return blasOk;
}

static float readElement(int type, const std::byte *from) {
  if (type == blasF32) {
    float value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, from, sizeof bits);
  return type == blasF16 ? Float16{bits}.toFloat() : BFloat16{bits}.toFloat();
}

static void writeElement(int type, float value, std::byte *to) {
  if (type == blasF32) {
    std::memcpy(to, &value, sizeof value);
    return;
  }
  uint16_t bits = type == blasF16 ? Float16::fromFloat(value).bits
                                  : BFloat16::fromFloat(value).bits;
  std::memcpy(to, &bits, sizeof bits);
}

/// Matrix number `batch`, transposed or not, its rows one behind the other.
static Matrix readRows(const void *memory, const Layout &layout, int64_t batch,
                       bool transposed) {
  auto *from = static_cast<const std::byte *>(memory) +
               batch * layout.stride * layout.elementBytes();
  auto at = [&](int64_t row, int64_t column) {
    return readElement(layout.type, from + (row + column * layout.leading) *
                                               layout.elementBytes());
  };
  int64_t rows = transposed ? layout.columns : layout.rows;
  int64_t columns = transposed ? layout.rows : layout.columns;
  Matrix matrix(rows * columns);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      matrix[row * columns + column] =
          transposed ? at(column, row) : at(row, column);
  return matrix;
}

namespace {
/// A product as it was asked for.
struct Request {
  Product product;
  float alpha, beta;
  const void *a, *b, *c;
  void *d;
  Layout aLayout, bLayout, cLayout, dLayout;
  int64_t depth;

  void compute(int64_t batch) const;
};
} // namespace

void Request::compute(int64_t batch) const {
  Matrix left = readRows(a, aLayout, batch, product.transA != blasAsIs);
  Matrix right = readRows(b, bLayout, batch, product.transB == blasAsIs);
  Matrix old;
  if (beta != 0)
    old = readRows(c, cLayout, batch, false);
  auto *to = static_cast<std::byte *>(d) +
             batch * dLayout.stride * dLayout.elementBytes();
  auto *bias = static_cast<const std::byte *>(product.bias);
  // The right matrix was read with its columns one behind the other.
  for (int64_t i = 0; i < dLayout.rows; ++i)
    for (int64_t j = 0; j < dLayout.columns; ++j) {
      float sum = 0;
      for (int64_t s = 0; s < depth; ++s)
        sum += left[i * depth + s] * right[j * depth + s];
      sum *= alpha;
      if (beta != 0)
        sum += beta * old[i * dLayout.columns + j];
      if (product.epilogue == blasBias)
        sum += readElement(dLayout.type, bias + i * dLayout.elementBytes());
      writeElement(dLayout.type, sum,
                   to + (i + j * dLayout.leading) * dLayout.elementBytes());
    }
}

/// Checks a product as cuBLASLt does (layouts, alignment, algorithm, workspace)
/// and queues it on the stream; the arithmetic is done when the stream gets
/// there.
static BlasStatus matmul(BlasHandle, BlasMatmul matmul, const void *alpha,
                         const void *a, BlasLayout aLayout, const void *b,
                         BlasLayout bLayout, const void *beta, const void *c,
                         BlasLayout cLayout, void *d, BlasLayout dLayout,
                         const BlasAlgorithm *algorithm, void *workspace,
                         size_t workspaceBytes, CudaStream stream) {
  Request request = {unwrap(matmul),
                     0,
                     0,
                     a,
                     b,
                     c,
                     d,
                     unwrap(aLayout),
                     unwrap(bLayout),
                     unwrap(cLayout),
                     unwrap(dLayout),
                     0};
  std::memcpy(&request.alpha, alpha, sizeof request.alpha);
  std::memcpy(&request.beta, beta, sizeof request.beta);
  Algorithm asked = {}, chosen = {};
  if (BlasStatus status =
          check(request.product, request.aLayout, request.bLayout,
                request.cLayout, request.dLayout, asked))
    return status;
  request.depth = asked.k;
  std::memcpy(&chosen, algorithm, sizeof chosen);
  const void *operands[] = {a, b, c, d};
  for (int i = 0; i < 4; ++i)
    if (reinterpret_cast<uintptr_t>(operands[i]) %
        std::max(1u, chosen.alignment[i]))
      return blasInvalidValue;
  bool isChosen = chosen.mark == algorithmMark && chosen.m == asked.m &&
                  chosen.n == asked.n && chosen.k == asked.k;
  if (!isChosen || workspaceBytes < chosen.workspace ||
      (request.product.epilogue == blasBias && !request.product.bias))
    return blasInvalidValue;

  Work work;
  work.accesses = {rangeOf(a, request.aLayout.bytes(), false),
                   rangeOf(b, request.bLayout.bytes(), false),
                   rangeOf(d, request.dLayout.bytes(), true)};
  if (request.beta != 0)
    work.accesses.push_back(rangeOf(c, request.cLayout.bytes(), false));
  if (request.product.epilogue == blasBias)
    work.accesses.push_back(
        rangeOf(request.product.bias,
                request.dLayout.rows * request.dLayout.elementBytes(), false));
  if (chosen.workspace > 0)
    work.accesses.push_back(rangeOf(workspace, chosen.workspace, true));
  for (const MemoryRange &range : work.accesses)
    if (currentDevice()->checkRange(range.begin, range.end - range.begin))
      return blasInvalidValue;
  work.execute = [request]() -> WorkResult {
    for (int64_t batch = 0; batch < request.dLayout.batches; ++batch)
      request.compute(batch);
    return {};
  };
  enqueue(stream, std::move(work));
  return blasOk;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const CublasLt &emulated::emulatedCublasLt() {
  static const CublasLt table = {
      .create = create,
      .destroy = [](BlasHandle) { return blasOk; },
      .version = [] { return size_t(130000); },
      .statusString = [](BlasStatus status) -> const char * {
        return status == blasInvalidValue   ? "CUBLAS_STATUS_INVALID_VALUE"
               : status == blasNotSupported ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                            : "CUBLAS_STATUS_INTERNAL_ERROR";
      },
      .matmulCreate = matmulCreate,
      .matmulDestroy =
          [](BlasMatmul matmul) { return delete &unwrap(matmul), blasOk; },
      .matmulSet = matmulSet,
      .layoutCreate = layoutCreate,
      .layoutDestroy =
          [](BlasLayout layout) { return delete &unwrap(layout), blasOk; },
      .layoutSet = layoutSet,
      .preferenceCreate =
          [](BlasPreference *preference) {
            *preference = reinterpret_cast<BlasPreference>(new Preference);
            return blasOk;
          },
      .preferenceDestroy =
          [](BlasPreference preference) {
            return delete reinterpret_cast<Preference *>(preference), blasOk;
          },
      .preferenceSet = preferenceSet,
      .heuristic = heuristic,
      .matmul = matmul,
  };
  return table;
}
