//===- FoldTrivialOps.cpp - folds what inlining made trivial --------------===//
//
// One forward walk, so that every operation sees its operands folded already,
// and one backward walk for what is no longer used: linear, and the program
// stays readable.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_FOLDTRIVIALOPS
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-fold-trivial-ops"

using namespace mlir;

/// The constant operands of `op` that one value fills; null for all others.
static SmallVector<Attribute> constantOperands(Operation *op) {
  SmallVector<Attribute> constants;
  for (Value operand : op->getOperands()) {
    Attribute constant;
    matchPattern(operand, m_Constant(&constant));
    auto elements = dyn_cast_or_null<ElementsAttr>(constant);
    constants.push_back(elements && !elements.isSplat() ? Attribute()
                                                        : constant);
  }
  return constants;
}

/// Whether `type` is that of tensors without elements, which are all equal.
static bool isEmptyTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
}

/// Replaces those of `values` that have no elements by constants where
/// `builder` stands.
static void replaceEmpty(ValueRange values, OpBuilder builder) {
  for (Value value : values)
    if (isEmptyTensor(value.getType()) && !value.use_empty()) {
      auto type = cast<RankedTensorType>(value.getType());
      value.replaceAllUsesWith(arith::ConstantOp::create(
          builder, value.getLoc(),
          DenseElementsAttr::get(type, ArrayRef<Attribute>())));
    }
}

/// Replaces `op` by what its folder says, if all of that can be built.
static void fold(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      replaceEmpty(block.getArguments(), OpBuilder::atBlockBegin(&block));
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  replaceEmpty(op->getResults(), builder);
  if (op->getNumRegions() != 0)
    return;
  // Some folds change the operation in place, which may enable another one.
  SmallVector<OpFoldResult> folded;
  for (int attempt = 0; attempt < 4 && folded.empty(); ++attempt)
    if (failed(op->fold(constantOperands(op), folded)))
      return;
  if (folded.empty())
    return;
  builder.setInsertionPoint(op);
  SmallVector<Value> values;
  for (auto [result, type] : llvm::zip_equal(folded, op->getResultTypes())) {
    auto value = dyn_cast<Value>(result);
    auto constant =
        value ? TypedAttr() : dyn_cast<TypedAttr>(cast<Attribute>(result));
    if (constant && constant.getType() == type)
      value = arith::ConstantOp::create(builder, op->getLoc(), constant);
    if (!value || value.getType() != type)
      return;
    values.push_back(value);
  }
  LDBG() << tessera::describeOperation(op) << ": folded to "
         << tessera::describeMaker(values.front());
  op->replaceAllUsesWith(values);
}

namespace {

struct FoldTrivialOps
    : public tessera::importer::impl::FoldTrivialOpsBase<FoldTrivialOps> {
  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>(fold);
    eraseDead(getOperation().getBodyRegion());
  }

  /// Erases unused operations, users before what they use.
  static void eraseDead(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
        if (isOpTriviallyDead(&op)) {
          op.erase();
          continue;
        }
        for (Region &inner : op.getRegions())
          eraseDead(inner);
      }
  }
};

} // namespace
