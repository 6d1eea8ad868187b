//===- ReduceSlices.cpp - single elements of split dimensions -------------===//
//
// A slice of one element of a dimension (the last position of a prompt, the
// first token of a picture, what the last stage has made) lies on one device
// where that dimension is split. To every other device it may contribute zero,
// so that it is a sum over the devices like the result of a look-up: pending,
// until somebody needs it whole, and a fraction of what a gather would move.
// `dynamic_slice` says that by its sharding rule; a slice could as well, but
// as a rule it is a piece of a shift (`tessera-compose-moves`), whose parts
// are exchanged, not reduced. What is left of them here is none.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Sharding/Algebra/AxisFit.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_REDUCESLICES
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-reduce-slices"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// The split dimensions of which `op` takes one element of several.
static SmallVector<int64_t> singleDims(SliceOp op, const Mesh &mesh) {
  SmallVector<int64_t> dims;
  ShardingAttr sharding = getSharding(op.getOperand());
  if (!sharding)
    return dims;
  ArrayRef<int64_t> shape = op.getOperand().getType().getShape();
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size > 1 && op.getType().getDimSize(dim) == 1 &&
        sharding.getValue().numShards(dim, mesh) > 1)
      dims.push_back(dim);
  return dims;
}

/// The sharding of `op`'s result, but with `dims` split as its operand's are:
/// what the result has elsewhere and does not fit beside these axes is given
/// up.
static TensorSharding splitAsOperand(SliceOp op, ArrayRef<int64_t> dims,
                                     const Mesh &mesh) {
  const TensorSharding &from = getSharding(op.getOperand()).getValue();
  TensorSharding sharding = getSharding(op).getValue();
  for (int64_t dim : dims)
    sharding = without(sharding, from.dims[dim].axes, mesh);
  for (int64_t dim : dims)
    sharding.dims[dim] = from.dims[dim];
  return sharding;
}

/// What `op` takes of all dimensions but `dims`, of which it takes everything.
static Value sliceOthers(ImplicitLocOpBuilder &b, SliceOp op,
                         ArrayRef<int64_t> dims, const Mesh &mesh) {
  RankedTensorType from = op.getOperand().getType();
  SmallVector<int64_t> starts(op.getStarts()), limits(op.getLimits()),
      strides(op.getStrides()), shape(op.getType().getShape());
  for (int64_t dim : dims) {
    starts[dim] = 0;
    strides[dim] = 1;
    limits[dim] = shape[dim] = from.getDimSize(dim);
  }
  if (ArrayRef(shape) == from.getShape())
    return op.getOperand();
  Value others = SliceOp::create(b, from.clone(shape), op.getOperand(), starts,
                                 limits, strides);
  setSharding(others,
              ShardingAttr::get(op.getContext(), getSharding(op).getMesh(),
                                splitAsOperand(op, dims, mesh)));
  return others;
}

/// Takes one element of each of `dims` by an index.
static void reduceSlice(SliceOp op, ArrayRef<int64_t> dims, const Mesh &mesh) {
  LDBG() << describeOperation(op) << ": one element of each of " << dims.size()
         << " split dimensions, taken by its place";
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto scalar = RankedTensorType::get({}, b.getI32Type());
  auto whole = ShardingAttr::get(op.getContext(), getSharding(op).getMesh(),
                                 TensorSharding::getReplicated(0));
  Value operand = sliceOthers(b, op, dims, mesh);
  SmallVector<Value> indices;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    int64_t index = llvm::is_contained(dims, dim) ? op.getStarts()[dim] : 0;
    indices.push_back(arith::ConstantOp::create(
        b, DenseElementsAttr::get(scalar, b.getI32IntegerAttr(index))));
    setSharding(indices.back(), whole);
  }
  Value taken = DynamicSliceOp::create(b, op.getType(), operand, indices);
  setSharding(taken, getSharding(op));
  op.replaceAllUsesWith(taken);
  op.erase();
}

namespace {
struct ReduceSlices : tessera::shard::impl::ReduceSlicesBase<ReduceSlices> {
  void runOnOperation() override {
    FailureOr<MeshOp> found = getOnlyMesh(getOperation());
    if (failed(found))
      return signalPassFailure();
    const Mesh &mesh = found->getMesh().getMesh();
    SmallVector<std::pair<SliceOp, SmallVector<int64_t>>> slices;
    getOperation().walk([&](SliceOp op) {
      SmallVector<int64_t> dims = singleDims(op, mesh);
      if (!dims.empty() && getSharding(op))
        slices.emplace_back(op, std::move(dims));
    });
    for (auto &[op, dims] : slices)
      reduceSlice(op, dims, mesh);
  }
};
} // namespace
