//===- SplitSorts.cpp - sorts that keep few elements, in two steps --------===//
//
// What comes first in an order comes first in its own part, too. Of a dimension
// that is split over devices, each part is sorted by itself, and then what the
// parts kept: only that has to be gathered. Equal elements keep their order,
// since the parts do.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera {
#define GEN_PASS_DEF_SPLITSORTS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {

/// One sort along a dimension that may be split.
class SortSplitter {
public:
  SortSplitter(SortOp sort, const Mesh &mesh)
      : sort(sort), dim(sort.getDim()), b(sort.getLoc(), sort) {
    int64_t size = typeOf(sort.getInputs().front()).getDimSize(dim);
    int64_t kept = typeOf(sort.getResult(0)).getDimSize(dim);
    for (Value input : sort.getInputs()) {
      ShardingAttr guide = getSharding(input);
      int64_t count = guide ? guide.getValue().numShards(dim, mesh) : 1;
      if (count > 1 && size % count == 0 && kept < size / count) {
        sharding = guide;
        parts = count;
        return;
      }
    }
  }

  bool isNeeded() const { return parts > 1; }

  void rewrite() {
    SmallVector<int64_t> shape(typeOf(sort.getInputs().front()).getShape());
    int64_t kept = typeOf(sort.getResult(0)).getDimSize(dim);
    shape[dim] /= parts;
    shape.insert(shape.begin() + dim, parts);
    SortOp within = sortAlong(dim + 1, kept, reshape(sort.getInputs(), shape));
    setShardings(within.getResults());
    shape.erase(shape.begin() + dim);
    shape[dim] = parts * kept;
    SortOp across = sortAlong(dim, kept, reshape(within.getResults(), shape));
    for (auto [old, now] :
         llvm::zip_equal(sort.getResults(), across.getResults()))
      setSharding(now, getSharding(old));
    sort->replaceAllUsesWith(across);
    sort->erase();
  }

private:
  SmallVector<Value> reshape(ValueRange values, ArrayRef<int64_t> shape) {
    SmallVector<Value> reshaped;
    for (Value value : values)
      reshaped.push_back(
          ReshapeOp::create(b, typeOf(value).clone(shape), value));
    setShardings(reshaped);
    return reshaped;
  }

  /// The same order of other inputs.
  SortOp sortAlong(int64_t along, int64_t kept, ValueRange inputs) {
    SmallVector<Type> types;
    for (Value input : inputs) {
      SmallVector<int64_t> shape(typeOf(input).getShape());
      shape[along] = kept;
      types.push_back(typeOf(input).clone(shape));
    }
    auto sorted = SortOp::create(b, types, inputs, along);
    IRMapping mapping;
    sort.getBody().cloneInto(&sorted.getBody(), mapping);
    return sorted;
  }

  /// Gives `values` the sharding of the inputs; behind the sorted dimension,
  /// which is that of the parts, they may have another one.
  void setShardings(ValueRange values) {
    for (Value value : values) {
      TensorSharding split = sharding.getValue();
      split.dims.insert(split.dims.begin() + dim + 1,
                        typeOf(value).getRank() - split.rank(), DimSharding());
      setSharding(value, ShardingAttr::get(sort.getContext(),
                                           sharding.getMesh(), split));
    }
  }

  SortOp sort;
  int64_t dim;
  ImplicitLocOpBuilder b;
  /// How the inputs are split.
  ShardingAttr sharding;
  int64_t parts = 1;
};

struct SplitSorts : tessera::impl::SplitSortsBase<SplitSorts> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    SmallVector<SortOp> sorts;
    getOperation().walk([&](SortOp sort) { sorts.push_back(sort); });
    for (SortOp sort : sorts)
      if (SortSplitter splitter(sort, mesh->getMesh().getMesh());
          splitter.isNeeded())
        splitter.rewrite();
  }
};

} // namespace
