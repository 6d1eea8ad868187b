//===- KernelStructure.cpp - what a kernel may hold -----------------------===//

#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Interfaces/IndexingMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;

StringRef tessera::stringifyKernelKind(KernelKind kind) {
  switch (kind) {
  case KernelKind::Elementwise:
    return "elementwise";
  case KernelKind::Row:
    return "row";
  case KernelKind::Column:
    return "column";
  case KernelKind::Matmul:
    return "matmul";
  case KernelKind::Structured:
    return "structured";
  }
  llvm_unreachable("all kinds are named");
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

int64_t tessera::elementsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

bool tessera::isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isKernelOperation(op) &&
         llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
}

bool tessera::isStructured(Operation *op) {
  WorkKind kind = getOperationCost(op).kind;
  return kind == WorkKind::Structured || kind == WorkKind::Library;
}

bool tessera::isKernelOperation(Operation *op) {
  if (isa<BarrierOp, MeshOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->getNumResults() == 0)
    return false;
  return isa<TesseraDialect, arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

ElementAccess ElementAccess::through(ElementAccess inner) const {
  if (kind == Mapped || inner.kind == Mapped)
    return {Mapped, 1};
  int64_t product = length * inner.length;
  return {product == 1 ? Identity : Row, product};
}

/// Rows are repeated if what the operand does not have are the last `length`
/// elements of the result.
std::optional<ElementAccess> tessera::getViewAccess(Operation *op) {
  std::optional<IndexingMaps> maps = getViewMaps(op);
  if (!maps)
    return std::nullopt;
  int64_t from = elementsOf(op->getOperand(0)),
          to = elementsOf(op->getResult(0));
  if (from == 0 && to == 0)
    return ElementAccess{};
  ElementAccess mapped{ElementAccess::Mapped, 1};
  auto source = maps->getPosition(0), target = maps->getPosition(1);
  if (!source || !target || source->back() != 0 || from == 0 || to % from != 0)
    return mapped;
  int64_t length = to / from;
  for (auto [own, outer, dim] : llvm::zip(*source, *target, maps->getDims()))
    if (dim.size != 1 && (own == 0 ? outer >= length : own * length != outer))
      return mapped;
  return ElementAccess{
      length == 1 ? ElementAccess::Identity : ElementAccess::Row, length};
}

std::optional<KernelKind> tessera::getReductionKind(ReduceOp reduce) {
  ArrayRef<int64_t> shape = shapeOf(reduce.getOperand());
  int64_t changes = 0;
  std::optional<bool> first, last;
  for (int64_t i = 0, rank = shape.size(); i < rank; ++i) {
    if (shape[i] == 1)
      continue;
    bool reduced = llvm::is_contained(reduce.getDims(), i);
    changes += last && *last != reduced;
    first = first.value_or(reduced);
    last = reduced;
  }
  if (changes > 1)
    return std::nullopt;
  return changes == 1 && *first ? KernelKind::Column : KernelKind::Row;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

/// Checks a body from top to bottom. A value is *fixed* if it depends on a
/// reduction or a matmul of the kernel: such a value is computed once, at
/// the points of the iteration space, and cannot be read at other indices. All
/// others are evaluated wherever they are needed.
class KernelAnalysis {
public:
  explicit KernelAnalysis(spmd::KernelOp kernel) : kernel(kernel) {}

  FailureOr<KernelStructure> run();

private:
  LogicalResult findSpace();
  LogicalResult checkOperation(Operation &op);
  LogicalResult checkResults();
  /// Makes `next` the kernel's anchor; fails if it has another that does not go
  /// with it.
  LogicalResult setSpace(Operation *op, KernelStructure next);

  spmd::KernelOp kernel;
  std::optional<KernelStructure> space;
  Operation *anchor = nullptr;
  llvm::DenseSet<Value> fixed;
};

} // namespace

LogicalResult KernelAnalysis::setSpace(Operation *op, KernelStructure next) {
  if (!space) {
    space = next;
    anchor = op;
    return success();
  }
  bool several =
      next.kind == KernelKind::Row || next.kind == KernelKind::Column;
  if (several && next.kind == space->kind && next.points == space->points &&
      next.parts == space->parts)
    return success();
  InFlightDiagnostic error =
      op->emitError()
      << "expected operations of one kernel to share an iteration space, got "
      << stringifyKernelKind(next.kind) << " of " << next.points << " x "
      << next.parts;
  error.attachNote(anchor->getLoc())
      << stringifyKernelKind(space->kind) << " of " << space->points << " x "
      << space->parts;
  return failure();
}

LogicalResult KernelAnalysis::findSpace() {
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      std::optional<KernelKind> kind = getReductionKind(reduce);
      if (!kind)
        return op.emitError(
            "expected a reduction over leading or over trailing dimensions");
      if (failed(setSpace(&op, {*kind, elementsOf(reduce.getOperand()),
                                elementsOf(reduce.getResult())})))
        return failure();
    } else if (isa<DotGeneralOp>(op)) {
      if (failed(setSpace(
              &op, {KernelKind::Matmul, elementsOf(op.getResult(0)), 0})))
        return failure();
    } else if (isStructured(&op)) {
      if (failed(setSpace(
              &op, {KernelKind::Structured, elementsOf(op.getResult(0)), 0})))
        return failure();
    }
  }
  return success();
}

LogicalResult KernelAnalysis::checkOperation(Operation &op) {
  bool isAnchor = isa<ReduceOp, DotGeneralOp>(op) || isStructured(&op);
  for (Value operand : op.getOperands()) {
    if (!fixed.contains(operand))
      continue;
    std::optional<ElementAccess> view = getViewAccess(&op);
    bool allowed = isElementwise(&op) ||
                   (view && view->kind == ElementAccess::Identity) ||
                   (view && view->kind == ElementAccess::Row &&
                    space->kind == KernelKind::Row &&
                    elementsOf(operand) == space->parts) ||
                   (isa<ReduceOp>(op) && space->kind == KernelKind::Row &&
                    elementsOf(operand) == space->points) ||
                   (isa<TransposeOp>(op) && space->kind == KernelKind::Matmul);
    if (!allowed)
      return op.emitError()
             << "expected an operand that does not depend on the kernel's "
             << (space->kind == KernelKind::Matmul ? "matmul" : "reduction")
             << ", which is computed at the points of the iteration space only";
    fixed.insert(op.result_begin(), op.result_end());
  }
  if (isAnchor)
    fixed.insert(op.result_begin(), op.result_end());
  return success();
}

LogicalResult KernelAnalysis::checkResults() {
  Operation *terminator = kernel.getBody().front().getTerminator();
  for (Value result : terminator->getOperands()) {
    int64_t size = elementsOf(result);
    if (!space ||
        (space->kind == KernelKind::Elementwise && size > space->points))
      space = KernelStructure{KernelKind::Elementwise, size};
    if (space->kind == KernelKind::Structured && !fixed.contains(result))
      return kernel.emitError(
          "expected the results of the structured operation only");
  }
  for (Value result : terminator->getOperands()) {
    int64_t size = elementsOf(result);
    if (size == space->points || size == space->parts ||
        space->kind == KernelKind::Structured)
      continue;
    if (space->kind == KernelKind::Elementwise && space->parts == 0 &&
        size != 0 && space->points % size == 0) {
      space->kind = KernelKind::Row;
      space->parts = size;
      continue;
    }
    return kernel.emitError()
           << "expected a result of " << space->points << " or " << space->parts
           << " elements, got " << result.getType();
  }
  return success();
}

FailureOr<KernelStructure> KernelAnalysis::run() {
  if (failed(findSpace()))
    return failure();
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (!isKernelOperation(&op))
      return op.emitError() << "expected operations of tessera, arith or math "
                               "on tensors in a kernel, got '"
                            << op.getName() << "'";
    if (failed(checkOperation(op)))
      return failure();
  }
  if (failed(checkResults()))
    return failure();
  return space.value_or(KernelStructure{KernelKind::Elementwise, 0});
}

FailureOr<KernelStructure> tessera::analyzeKernel(spmd::KernelOp kernel) {
  return KernelAnalysis(kernel).run();
}
