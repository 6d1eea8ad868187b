//===- LibraryProducts.cpp ------------------------------------------------===//
//
// A step is row-major, the library column-major: the same memory, read in the
// other order, is the transposed matrix. Of result = left x right it sees
//
//   result^T = right^T x left^T,   A = right^T, B = left^T, D = result^T
//
// so that D is n x m with the result's rows as columns. A row-major operand
// that is not transposed is what the library takes as it is, one that is
// transposed it has to transpose. The bias, one element per column of the
// result, is one per row of D, as the library wants it.
//
//===----------------------------------------------------------------------===//

#include "LibraryProducts.h"

#include <numeric>

using namespace tessera;
using namespace tessera::gpu;

/// What the runtime and the memory plan align buffers to.
static constexpr int64_t bufferAlignment = 64;

static Failure failureOf(const CublasLt &library, const char *what,
                         BlasStatus status) {
  const char *text = library.statusString(status);
  return Failure{std::string("cuBLASLt: ") + what + ": " +
                 (text ? text : "unknown") + " (" + std::to_string(status) +
                 ")"};
}

/// The cudaDataType_t of an element type; -1 for those that the library gets
/// never.
static int blasTypeOf(int32_t dtype) {
  return dtype == TESSERA_F16    ? blasF16
         : dtype == TESSERA_BF16 ? blasBf16
         : dtype == TESSERA_F32  ? blasF32
                                 : -1;
}

static void *addressOf(const TesseraMatrix &matrix, void *const *buffers) {
  return static_cast<std::byte *>(buffers[matrix.buffer]) + matrix.offset;
}

/// What the library knows of a step.
class LibraryProducts::Plan {
public:
  Plan(const CublasLt &library, BlasHandle handle,
       const TesseraLibraryStep &step)
      : library(library), handle(handle), step(step) {}
  ~Plan();
  Plan(const Plan &) = delete;

  /// Describes the product to the library, which chooses how to compute it with
  /// operands that are aligned like these.
  Fallible<void> make(void *const *buffers);
  Fallible<void> run(void *const *buffers, CudaStream stream);

private:
  /// Remembers the first call that failed, and makes no further ones.
  template <typename Call> void ask(const char *what, Call call) {
    if (failed == blasOk && (failed = call()) != blasOk)
      failedCall = what;
  }
  void setMatmul(int attribute, const void *value, size_t bytes) {
    ask("an attribute of a product",
        [&] { return library.matmulSet(matmul, attribute, value, bytes); });
  }
  void setBias(void *const *buffers) {
    if (step.bias >= 0)
      setMatmul(blasBiasPointer, &buffers[step.bias],
                sizeof buffers[step.bias]);
  }
  /// A matrix as the library sees it: `rows` x `columns`, after the operation
  /// that transposes it, or not.
  void makeLayout(BlasLayout &layout, const TesseraMatrix &matrix, int64_t rows,
                  int64_t columns);
  void choose();
  Fallible<void> outcome() const {
    if (failed == blasOk)
      return {};
    return failureOf(library, failedCall, failed);
  }

  const CublasLt &library;
  BlasHandle handle;
  const TesseraLibraryStep &step;
  BlasMatmul matmul = nullptr;
  BlasLayout a = nullptr, b = nullptr, d = nullptr;
  BlasHeuristic chosen = {};
  BlasStatus failed = blasOk;
  const char *failedCall = "";
};

LibraryProducts::Plan::~Plan() {
  for (BlasLayout layout : {a, b, d})
    if (layout)
      library.layoutDestroy(layout);
  if (matmul)
    library.matmulDestroy(matmul);
}

void LibraryProducts::Plan::makeLayout(BlasLayout &layout,
                                       const TesseraMatrix &matrix,
                                       int64_t rows, int64_t columns) {
  if (matrix.transposed)
    std::swap(rows, columns);
  ask("a layout", [&] {
    return library.layoutCreate(&layout, blasTypeOf(matrix.dtype), rows,
                                columns, matrix.row);
  });
  auto batches = static_cast<int32_t>(step.batches);
  int64_t stride = matrix.batch;
  if (batches == 1)
    return;
  ask("a number of matrices", [&] {
    return library.layoutSet(layout, blasBatchCount, &batches, sizeof batches);
  });
  ask("a stride of matrices", [&] {
    return library.layoutSet(layout, blasBatchStride, &stride, sizeof stride);
  });
}

void LibraryProducts::Plan::choose() {
  BlasPreference preference = nullptr;
  ask("preferences", [&] { return library.preferenceCreate(&preference); });
  auto set = [&](int attribute, auto value) {
    ask("a preference", [&] {
      return library.preferenceSet(preference, attribute, &value, sizeof value);
    });
  };
  auto alignmentOf = [](const TesseraMatrix &matrix) {
    return static_cast<uint32_t>(std::gcd(bufferAlignment, matrix.offset));
  };
  set(blasMaxWorkspace, static_cast<uint64_t>(step.workspace_bytes));
  set(blasAlignmentA, alignmentOf(step.right));
  set(blasAlignmentB, alignmentOf(step.left));
  set(blasAlignmentC, alignmentOf(step.result));
  set(blasAlignmentD, alignmentOf(step.result));
  int count = 0;
  ask("the choice of an algorithm", [&] {
    return library.heuristic(handle, matmul, a, b, d, d, preference, 1, &chosen,
                             &count);
  });
  ask("the choice of an algorithm",
      [&] { return count > 0 ? chosen.state : blasNotSupported; });
  if (preference)
    library.preferenceDestroy(preference);
}

Fallible<void> LibraryProducts::Plan::make(void *const *buffers) {
  int compute = step.tf32 ? blasComputeTf32 : blasComputeF32;
  ask("a product",
      [&] { return library.matmulCreate(&matmul, compute, blasF32); });
  int32_t transA = step.right.transposed ? blasTransposed : blasAsIs;
  int32_t transB = step.left.transposed ? blasTransposed : blasAsIs;
  uint32_t epilogue = step.bias >= 0 ? blasBias : blasNoEpilogue;
  setMatmul(blasTransA, &transA, sizeof transA);
  setMatmul(blasTransB, &transB, sizeof transB);
  setMatmul(blasEpilogue, &epilogue, sizeof epilogue);
  setBias(buffers);
  makeLayout(a, step.right, step.n, step.k);
  makeLayout(b, step.left, step.k, step.m);
  makeLayout(d, step.result, step.n, step.m);
  choose();
  return outcome();
}

Fallible<void> LibraryProducts::Plan::run(void *const *buffers,
                                          CudaStream stream) {
  setBias(buffers);
  float one = 1, zero = 0;
  void *result = addressOf(step.result, buffers);
  ask("a product", [&] {
    return library.matmul(handle, matmul, &one, addressOf(step.right, buffers),
                          a, addressOf(step.left, buffers), b, &zero, result, d,
                          result, d, &chosen.algorithm, buffers[step.workspace],
                          step.workspace_bytes, stream);
  });
  return outcome();
}

LibraryProducts::LibraryProducts(CublasLtLoader load) : load(std::move(load)) {}

LibraryProducts::~LibraryProducts() {
  plans.clear();
  if (handle)
    library->destroy(handle);
}

Fallible<void> LibraryProducts::open() {
  if (handle)
    return {};
  Fallible<const CublasLt *> loaded = load();
  if (!loaded)
    return loaded.failure();
  library = *loaded;
  if (BlasStatus status = library->create(&handle))
    return failureOf(*library, "cannot be started", status);
  return {};
}

Fallible<LibraryProducts::Plan *>
LibraryProducts::find(const TesseraLibraryStep &step, void *const *buffers) {
  if (auto known = plans.find(&step); known != plans.end())
    return known->second.get();
  if (Fallible<void> opened = open(); !opened)
    return opened.failure();
  auto plan = std::make_unique<Plan>(*library, handle, step);
  if (Fallible<void> made = plan->make(buffers); !made)
    return made.failure();
  return (plans[&step] = std::move(plan)).get();
}

Fallible<void> LibraryProducts::run(const TesseraLibraryStep &step,
                                    void *const *buffers, CudaStream stream) {
  Fallible<Plan *> plan = find(step, buffers);
  return plan ? (*plan)->run(buffers, stream) : plan.failure();
}
