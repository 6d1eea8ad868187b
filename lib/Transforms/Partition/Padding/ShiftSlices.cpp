//===- ShiftSlices.cpp - slices that crop split dimensions ----------------===//

#include "Padding/ShiftSlices.h"

#include "Padding/ShardedBuilder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

/// The dimensions that `op` crops by elements beside each other although its
/// operand, in `sharding`, is split along them.
static SmallVector<int64_t> splitAndCropped(SliceOp op, ShardingAttr sharding,
                                            const Mesh &mesh) {
  SmallVector<int64_t> dims;
  for (auto [dim, size] : llvm::enumerate(op.getOperand().getType().getShape()))
    if (sharding && sharding.getValue().numShards(dim, mesh) != 1 &&
        op.getStrides()[dim] == 1 && op.getType().getDimSize(dim) != size)
      dims.push_back(dim);
  return dims;
}

/// Lets a pad crop `dims`, and `op` the dimensions that are left.
static void shiftAlong(SliceOp op, ArrayRef<int64_t> dims,
                       ShardedBuilder &make) {
  RankedTensorType from = op.getOperand().getType();
  SmallVector<int64_t> zeros(from.getRank(), 0), low(zeros), high(zeros),
      shape(from.getShape()), starts(op.getStarts()), limits(op.getLimits());
  for (int64_t dim : dims) {
    low[dim] = -starts[dim];
    high[dim] = limits[dim] - shape[dim];
    shape[dim] = op.getType().getDimSize(dim);
    starts[dim] = 0;
    limits[dim] = shape[dim];
  }
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value anything = make.poison(builder, from.getElementType());
  Value moved = make.create<PadOp>(builder, getSharding(op.getOperand()),
                                   from.clone(shape), op.getOperand(), anything,
                                   low, high, zeros);
  op.getOperandMutable().assign(moved);
  op.setStarts(starts);
  op.setLimits(limits);
  if (moved.getType() == op.getType()) {
    op.replaceAllUsesWith(moved);
    op.erase();
  }
}

void tessera::partition::shiftSlices(func::FuncOp function, MeshOp mesh) {
  ShardedBuilder make(FlatSymbolRefAttr::get(mesh));
  SmallVector<SliceOp> slices;
  function.walk([&](SliceOp op) { slices.push_back(op); });
  for (SliceOp op : slices) {
    SmallVector<int64_t> dims = splitAndCropped(
        op, getSharding(op.getOperand()), mesh.getMesh().getMesh());
    if (!dims.empty())
      shiftAlong(op, dims, make);
  }
}
