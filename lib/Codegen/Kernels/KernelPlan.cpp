//===- KernelPlan.cpp - How a kernel is cut into loop nests ---------------===//

#include "tessera/Codegen/Kernels/KernelPlan.h"

#include "LoopNestBuilder.h"

#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/CodeBuilder.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

SmallVector<int64_t> LoopNest::keptDims() const {
  SmallVector<int64_t> dims;
  for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
    if (!llvm::is_contained(reducedDims, d))
      dims.push_back(d);
  return dims;
}

SmallVector<int64_t> LoopNest::keptShape() const {
  SmallVector<int64_t> sizes;
  for (int64_t d : keptDims())
    sizes.push_back(shape[d]);
  return sizes;
}

std::vector<SmallVector<ReduceOp>> LoopNest::phases() const {
  auto isLeaf = [](Value value) {
    return isa<BlockArgument>(value) ||
           isa<ReduceOp, DotGeneralOp>(value.getDefiningOp());
  };
  std::vector<SmallVector<ReduceOp>> result;
  llvm::DenseMap<Value, unsigned> phaseOf;
  for (ReduceOp reduce : reductions) {
    unsigned phase = 0;
    Value root = reduce.getOperand();
    AffineMap identity = getIdentityAccess(shapeOf(root), root.getContext());
    for (const Access &access : collectAccesses(root, identity, isLeaf))
      if (auto it = phaseOf.find(access.leaf); it != phaseOf.end())
        phase = std::max(phase, it->second + 1);
    phaseOf[reduce.getResult()] = phase;
    result.resize(std::max<size_t>(result.size(), phase + 1));
    result[phase].push_back(reduce);
  }
  return result;
}

SmallVector<Access> codegen::collectAccesses(Value value, AffineMap map,
                                             function_ref<bool(Value)> isLeaf) {
  SmallVector<Access> accesses;
  llvm::DenseSet<std::pair<Value, AffineMap>> visited;
  SmallVector<std::pair<Value, AffineMap>> worklist = {{value, map}};
  while (!worklist.empty()) {
    auto [current, at] = worklist.pop_back_val();
    if (!visited.insert({current, at}).second)
      continue;
    if (isLeaf(current)) {
      accesses.push_back({current, at});
      continue;
    }
    Operation *op = current.getDefiningOp();
    std::optional<AffineMap> access = getAccessMap(op);
    for (Value operand : op->getOperands()) {
      AffineMap next;
      if (at && shapeOf(operand).empty())
        next = AffineMap::get(at.getNumDims(), 0, op->getContext());
      else if (at && access)
        next = simplifyAffineMap(access->compose(at));
      else if (isElementwise(op))
        next = at;
      worklist.push_back({operand, next});
    }
  }
  return accesses;
}

//===----------------------------------------------------------------------===//
// Memory between loop nests
//===----------------------------------------------------------------------===//

namespace {

/// Gives what loop nests hand on memory, and keeps results that overwrite
/// operands from doing so too early.
class NestMemory {
public:
  NestMemory(spmd::KernelOp kernel, ArrayRef<int64_t> aliases, KernelPlan &plan)
      : kernel(kernel), aliases(aliases), context(kernel.getContext()),
        plan(plan) {}

  void run() {
    addTemporaries();
    avoidHazards();
  }

private:
  void addTemporaries();
  unsigned addTemporary(Type type);
  void avoidHazards();
  bool isHazard(unsigned result, BlockArgument argument);
  bool isReadBefore(const LoopNest &nest, const NestOutput &written, Value root,
                    const Access &access);
  void redirect(unsigned result);
  SmallVector<Access> accessesThrough(Value root, size_t number);

  spmd::KernelOp kernel;
  ArrayRef<int64_t> aliases;
  MLIRContext *context;
  KernelPlan &plan;
};

} // namespace

/// What `nest` computes, from its accesses on.
static SmallVector<Value> rootsOf(const LoopNest &nest) {
  SmallVector<Value> roots;
  for (ReduceOp reduce : nest.reductions)
    roots.push_back(reduce.getOperand());
  if (nest.op)
    llvm::append_range(roots, nest.op->getOperands());
  for (const NestOutput &output : nest.outputs)
    if (!isAnchor(output.value))
      roots.push_back(output.value);
  return roots;
}

/// Whatever a loop nest needs of another is stored.
void NestMemory::addTemporaries() {
  for (size_t number = 0; number < plan.nests.size(); ++number)
    for (Value root : rootsOf(plan.nests[number]))
      for (const Access &access : accessesThrough(root, number)) {
        auto it = plan.nestOf.find(access.leaf);
        if (it != plan.nestOf.end() && it->second != number)
          addOutput(plan.nests[it->second], access.leaf);
      }
  for (LoopNest &nest : plan.nests)
    for (NestOutput &output : nest.outputs)
      if (plan.slots[output.value].empty())
        plan.slots[output.value].push_back(
            {true, addTemporary(output.value.getType())});
}

unsigned NestMemory::addTemporary(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  plan.temporaries.push_back(
      tensor.getNumElements() *
      CodeBuilder::storageBytes(tensor.getElementType()));
  return plan.temporaries.size() - 1;
}

/// Accesses of loop nest `number` to compute `root`: to arguments, anchors and
/// what earlier loop nests have stored.
SmallVector<Access> NestMemory::accessesThrough(Value root, size_t number) {
  return collectAccesses(
      root, getIdentityAccess(shapeOf(root), context), [&](Value v) {
        auto it = plan.nestOf.find(v);
        return isa<BlockArgument>(v) || isAnchor(v) ||
               (it != plan.nestOf.end() && it->second < number);
      });
}

/// A result that overwrites an operand must be computed where nothing else
/// reads that operand any more.
void NestMemory::avoidHazards() {
  for (auto [result, alias] : llvm::enumerate(aliases))
    if (alias >= 0 && isHazard(result, kernel.getBody().getArgument(alias)))
      redirect(result);
}

bool NestMemory::isHazard(unsigned result, BlockArgument argument) {
  size_t writer = 0;
  const NestOutput *written = nullptr;
  for (auto [number, nest] : llvm::enumerate(plan.nests))
    for (const NestOutput &output : nest.outputs)
      for (Slot slot : plan.slots.at(output.value))
        if (!slot.temporary && slot.number == result) {
          writer = number;
          written = &output;
        }
  if (written->value == argument)
    return false;
  for (size_t number = writer; number < plan.nests.size(); ++number) {
    const LoopNest &nest = plan.nests[number];
    if (nest.kind == KernelKind::Structured)
      continue; // their code decides
    for (Value root : rootsOf(nest))
      for (const Access &access : accessesThrough(root, number))
        if (access.leaf == argument &&
            (number != writer || !isReadBefore(nest, *written, root, access)))
          return true;
  }
  return false;
}

/// Whether `nest` has read what `access`, which `root` needs, reaches by the
/// time it stores `written` there.
bool NestMemory::isReadBefore(const LoopNest &nest, const NestOutput &written,
                              Value root, const Access &access) {
  ArrayRef<int64_t> shape = shapeOf(access.leaf);
  if (access.map != getIdentityAccess(shape, context))
    return false;
  if (root == written.value && shapeOf(root) == shape)
    return true;
  // A row is stored after all its reductions.
  if (nest.hasRows() && !written.kept && shapeOf(root) == ArrayRef(nest.shape))
    return true;
  // The results of an epilogue are stored after all are computed.
  return nest.kind == KernelKind::Matmul && shapeOf(root) == shape &&
         llvm::any_of(nest.outputs, [&](const NestOutput &output) {
           return output.value == root && output.map == written.map;
         });
}

void NestMemory::redirect(unsigned result) {
  unsigned temporary = addTemporary(kernel.getResult(result).getType());
  // NOLINTNEXTLINE(custom-iteration-order): each by itself.
  for (auto &entry : plan.slots)
    for (Slot &slot : entry.second)
      if (!slot.temporary && slot.number == result)
        slot = {true, temporary};
  plan.copies.push_back({temporary, result});
}

FailureOr<KernelPlan> codegen::planKernel(spmd::KernelOp kernel,
                                          ArrayRef<int64_t> aliases) {
  KernelPlan plan;
  if (failed(LoopNestBuilder(kernel, plan).run()))
    return failure();
  NestMemory(kernel, aliases, plan).run();
  return plan;
}
