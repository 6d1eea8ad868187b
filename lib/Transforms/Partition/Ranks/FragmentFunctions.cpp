//===- FragmentFunctions.cpp - fragments as functions ---------------------===//

#include "Ranks/FragmentFunctions.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

namespace {

/// What a fragment uses from around it.
struct Captures {
  /// Given to the function.
  SmallVector<Value> operands;
  /// Computed within it, in the order of the text.
  llvm::SetVector<Operation *> repeated;
};

} // namespace

/// Adds `value` to `captures`: what it is computed from first, where it can be
/// computed within the function.
static void capture(const ScheduledStep &step, Value value,
                    Captures &captures) {
  scf::ForOp loop = step.getLoop();
  bool isInLoop = value.getParentRegion() == &loop.getRegion();
  if (isInLoop || !step.isFree(value)) {
    if (!llvm::is_contained(captures.operands, value))
      captures.operands.push_back(value);
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    capture(step, operand, captures);
  captures.repeated.insert(value.getDefiningOp());
}

static FailureOr<Captures> findCaptures(const ScheduledStep &step,
                                        pipe::FragmentOp fragment) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(fragment.getBody(), used);
  Captures captures;
  for (Value value : used)
    capture(step, value, captures);
  for (Value operand : captures.operands)
    if (!isa<RankedTensorType>(operand.getType()))
      return fragment.emitOpError()
             << "expected to use tensors from around it, got a value of type "
             << operand.getType();
  return captures;
}

/// A name that is free in the module: `base`, `base_1`, `base_2`, ...
static std::string unusedName(const std::string &base,
                              const SymbolTable &symbols) {
  std::string name = base;
  for (int64_t i = 1; symbols.lookup(name); ++i)
    name = base + "_" + std::to_string(i);
  return name;
}

FailureOr<FragmentFunction>
tessera::partition::outlineFragment(const ScheduledStep &step,
                                    pipe::FragmentOp fragment,
                                    SymbolTable &symbols) {
  FailureOr<Captures> captures = findCaptures(step, fragment);
  if (failed(captures))
    return failure();
  std::string base = stringifyFragmentKind(fragment.getKind()).str() + "_" +
                     std::to_string(fragment.getStage());
  OpBuilder builder(fragment.getContext());
  auto function = func::FuncOp::create(
      builder, fragment.getLoc(), unusedName(base, symbols),
      builder.getFunctionType(ValueRange(captures->operands).getTypes(),
                              fragment.getResultTypes()));
  function.setPrivate();
  function->setDiscardableAttrs(fragment->getDiscardableAttrDictionary());
  function->setAttr(kFragmentStageAttr, fragment.getStageAttr());
  function->setAttr(kFragmentKindAttr, fragment.getKindAttr());
  symbols.insert(function);

  Block *body = builder.createBlock(&function.getBody());
  IRMapping mapping;
  for (Value operand : captures->operands)
    mapping.map(operand,
                body->addArgument(operand.getType(), operand.getLoc()));
  for (Operation *op : captures->repeated)
    builder.clone(*op, mapping);
  Block &original = fragment.getBody().front();
  for (Operation &op : original.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> results =
      llvm::map_to_vector(original.getTerminator()->getOperands(),
                          [&](Value value) { return mapping.lookup(value); });
  func::ReturnOp::create(builder, original.getTerminator()->getLoc(), results);
  return FragmentFunction{function, captures->operands};
}
