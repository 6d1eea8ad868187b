//===- ExcludePadding.cpp - what padding must not reach -------------------===//
//
// Operations that take places in a tensor as data. Gathers and boxes at
// computed indices clamp them into the tensor, which must remain the one
// without padding. A scatter skips what lies outside; an update that is padding
// itself is sent there. What is reversed counts from the end, where the padding
// is.
//
// Integers are divided by none of it: processors trap on a zero.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/PaddingInterface.h"
#include "tessera/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

namespace {

struct PaddedGather : PaddingInterface::ExternalModel<PaddedGather, GatherOp> {
  void excludePadding(Operation *op, PaddedOperands &padded) const {
    auto gather = cast<GatherOp>(op);
    SmallVector<int64_t> dims = padded.paddedDims(gather.getOperand());
    ArrayRef<int64_t> map = gather.getStartIndexMap();
    if (llvm::none_of(
            map, [&](int64_t dim) { return llvm::is_contained(dims, dim); }))
      return;
    ArrayRef<int64_t> whole = padded.wholeShape(gather.getOperand());
    SmallVector<int64_t> last;
    for (int64_t dim : map)
      // A window that spans the dimension spans its padding as well.
      last.push_back(
          std::max<int64_t>(0, whole[dim] - gather.getSliceSizes()[dim]));
    padded.clamp(gather.getIndicesMutable(), gather.getIndexVectorDim(), last);
  }
};

/// What is added behind the end stands where the operand has its padding.
struct PaddedPad : PaddingInterface::ExternalModel<PaddedPad, PadOp> {
  void excludePadding(Operation *op, PaddedOperands &padded) const {
    auto pad = cast<PadOp>(op);
    ArrayRef<int64_t> from = padded.wholeShape(pad.getOperand()),
                      to = padded.wholeShape(pad);
    SmallVector<int64_t> dims;
    for (int64_t dim : padded.paddedDims(pad.getOperand()))
      if (to[dim] - pad.getLow()[dim] > from[dim])
        dims.push_back(dim);
    padded.fill(pad.getOperandMutable(), dims, pad.getValue());
  }
};

/// Clamps the start of `box` in `whole`, one index per dimension. A box that
/// spans the dimension spans its padding as well.
static void clampBox(PaddedOperands &padded, Value whole, Value box,
                     MutableOperandRange indices) {
  ArrayRef<int64_t> wholeShape = padded.wholeShape(whole),
                    boxShape = padded.wholeShape(box);
  for (int64_t dim : padded.paddedDims(whole))
    if (boxShape[dim] != wholeShape[dim])
      padded.clamp(indices[dim], /*dim=*/0, wholeShape[dim] - boxShape[dim]);
}

struct PaddedDynamicSlice
    : PaddingInterface::ExternalModel<PaddedDynamicSlice, DynamicSliceOp> {
  void excludePadding(Operation *op, PaddedOperands &padded) const {
    auto slice = cast<DynamicSliceOp>(op);
    clampBox(padded, slice.getOperand(), slice, slice.getIndicesMutable());
  }
};

struct PaddedDynamicUpdateSlice
    : PaddingInterface::ExternalModel<PaddedDynamicUpdateSlice,
                                      DynamicUpdateSliceOp> {
  void excludePadding(Operation *op, PaddedOperands &padded) const {
    auto update = cast<DynamicUpdateSliceOp>(op);
    clampBox(padded, update.getOperand(), update.getUpdate(),
             update.getIndicesMutable());
  }
};

struct PaddedScatter
    : PaddingInterface::ExternalModel<PaddedScatter, ScatterOp> {
  void excludePadding(Operation *op, PaddedOperands &padded) const {
    auto scatter = cast<ScatterOp>(op);
    SmallVector<int64_t> dims = padded.paddedDims(scatter.getIndices());
    if (dims.empty())
      return;
    Type index = scatter.getIndices().getType().getElementType();
    if (!scatter.getOperandDimsMap().empty())
      return padded.fill(scatter.getIndicesMutable(), dims,
                         IntegerAttr::get(index, -1));
    // Without an index every update is added at the same position.
    SmallVector<int64_t> batchDims;
    for (int64_t dim : padded.paddedDims(scatter.getUpdates()))
      if (!llvm::is_contained(scatter.getWindowDims(), dim))
        batchDims.push_back(dim);
    Type element = scatter.getUpdates().getType().getElementType();
    padded.fill(scatter.getUpdatesMutable(), batchDims,
                Builder(op->getContext()).getZeroAttr(element));
  }
};

/// The padding, reversed, would come first.
struct PaddedReverse
    : PaddingInterface::ExternalModel<PaddedReverse, ReverseOp> {
  void excludePadding(Operation *op, PaddedOperands &padded) const {
    auto reverse = cast<ReverseOp>(op);
    ArrayRef<int64_t> whole = padded.wholeShape(reverse.getOperand());
    SmallVector<int64_t> offsets(whole.size(), 0);
    for (int64_t dim : reverse.getDims())
      offsets[dim] = reverse.getType().getDimSize(dim) - whole[dim];
    if (llvm::any_of(offsets, [](int64_t offset) { return offset != 0; }))
      padded.shift(reverse.getOperandMutable(), offsets);
  }
};

template <typename Division>
struct PaddedDivision
    : PaddingInterface::ExternalModel<PaddedDivision<Division>, Division> {
  void excludePadding(Operation *op, PaddedOperands &padded) const {
    OpOperand &divisor = op->getOpOperand(1);
    if (matchPattern(divisor.get(), m_Constant()))
      return;
    padded.fill(divisor, padded.paddedDims(divisor.get()),
                Builder(op->getContext())
                    .getIntegerAttr(getElementTypeOrSelf(divisor.get()), 1));
  }
};

template <typename... Divisions> void attachDivisions(MLIRContext *context) {
  (Divisions::template attachInterface<PaddedDivision<Divisions>>(*context),
   ...);
}

} // namespace

void tessera::partition::registerPadding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TesseraDialect *) {
    DynamicSliceOp::attachInterface<PaddedDynamicSlice>(*context);
    DynamicUpdateSliceOp::attachInterface<PaddedDynamicUpdateSlice>(*context);
    GatherOp::attachInterface<PaddedGather>(*context);
    PadOp::attachInterface<PaddedPad>(*context);
    ReverseOp::attachInterface<PaddedReverse>(*context);
    ScatterOp::attachInterface<PaddedScatter>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachDivisions<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                    arith::RemUIOp>(context);
  });
}
