//===- SplitTransform.cpp - Fourier transforms along split dimensions -----===//
//
// A transform along several dimensions is one along each, in any order. While
// one runs, its dimension must be whole: the axes that split it move to another
// dimension, which sends what a device has to others once, instead of all to
// all. Dimensions that are whole already come first; axes move to one that
// needs no transform any more, if there is one, and stay there.
//
// Of real numbers, what is transformed first has half of the elements
// afterwards: the last dimension. To real numbers it comes last.
//
//===----------------------------------------------------------------------===//

#include "Libraries/SplitRoutines.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

class TransformSplitter {
public:
  TransformSplitter(LibraryCallOp call, const Mesh &mesh)
      : call(call), mesh(mesh), b(call.getLoc(), call),
        lengths(call.getParameters()
                    .getAs<DenseI64ArrayAttr>("length")
                    .asArrayRef()),
        rank(call.getTensorType(0).getRank()) {}

  bool isNeeded();
  SmallVector<Value> rewrite();

private:
  int64_t firstDim() const { return rank - lengths.size(); }
  StringRef kind() {
    return call.getParameters().getAs<StringAttr>("kind").getValue();
  }
  ShardingAttr wantedSharding();
  /// The transformed dimensions, in the order of their transforms.
  SmallVector<int64_t> order();
  /// The kind of the transform along `dim`.
  StringRef kindAlong(int64_t dim);
  void moveAxes(int64_t dim, ArrayRef<int64_t> later, ArrayRef<int64_t> shape);
  SmallVector<Value> transformAlong(int64_t dim, ValueRange values);
  Value transposed(Value value, ArrayRef<int64_t> permutation,
                   TensorSharding sharding);
  Value withSharding(Value value, TensorSharding sharding);

  LibraryCallOp call;
  const Mesh &mesh;
  ImplicitLocOpBuilder b;
  ArrayRef<int64_t> lengths;
  int64_t rank;
  /// How the values are split that have been transformed so far.
  TensorSharding current;
};

} // namespace

bool TransformSplitter::isNeeded() {
  ShardingAttr sharding = getSharding(call.getOperands().front());
  if (!sharding || lengths.size() < 2)
    return false;
  current = TensorSharding::getReplicated(rank);
  for (auto [dim, from] : llvm::zip(current.dims, sharding.getValue().dims))
    dim.axes = from.axes;
  return llvm::any_of(ArrayRef(current.dims).drop_front(firstDim()),
                      [](const DimSharding &dim) { return !dim.axes.empty(); });
}

/// How the first result is wanted: as a constraint says, or its guide.
ShardingAttr TransformSplitter::wantedSharding() {
  for (Operation *user : call.getResult(0).getUsers())
    if (auto constraint = dyn_cast<ConstrainOp>(user))
      return constraint.getSharding();
  return getSharding(call.getResult(0));
}

SmallVector<int64_t> TransformSplitter::order() {
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(firstDim(), rank));
  int64_t last = rank - 1;
  ShardingAttr result = wantedSharding();
  auto place = [&](int64_t dim) {
    if (dim == last && kind() == "RFFT")
      return 0;
    if (dim == last && kind() == "IRFFT")
      return 4;
    if (current.dims[dim].axes.empty())
      return 1;
    return result && result.getValue().dims[dim].axes.empty() ? 3 : 2;
  };
  llvm::sort(dims, [&](int64_t a, int64_t b) {
    return std::pair(place(a), a) < std::pair(place(b), b);
  });
  return dims;
}

StringRef TransformSplitter::kindAlong(int64_t dim) {
  if (dim == rank - 1)
    return kind();
  return kind() == "RFFT" ? "FFT" : kind() == "IRFFT" ? "IFFT" : kind();
}

/// Whether `size` elements are parts of one size over `shards` devices, or with
/// `mayBeUneven` not much more than that.
static bool divides(int64_t size, int64_t shards, bool mayBeUneven) {
  int64_t padded = llvm::alignTo(size, shards);
  return mayBeUneven ? 4 * padded <= 5 * size : padded == size;
}

/// Moves the axes of `dim` to another dimension of `shape`, best to one that is
/// not among those transformed `later`. They are gathered if there is none.
void TransformSplitter::moveAxes(int64_t dim, ArrayRef<int64_t> later,
                                 ArrayRef<int64_t> shape) {
  AxisList moved;
  std::swap(moved, current.dims[dim].axes);
  if (moved.empty())
    return;
  for (bool mayBeLater : {false, true})
    for (bool mayBeUneven : {false, true})
      for (int64_t to = 0; to < rank; ++to) {
        AxisList both = current.dims[to].axes;
        llvm::append_range(both, moved);
        if (to == dim || llvm::is_contained(later, to) != mayBeLater ||
            !divides(shape[to], totalSize(both, mesh), mayBeUneven))
          continue;
        current.dims[to].axes = mergeAdjacent(both, mesh);
        return;
      }
}

/// `value`, constrained to lie like that.
Value TransformSplitter::withSharding(Value value, TensorSharding sharding) {
  FlatSymbolRefAttr mesh = getSharding(call.getOperands().front()).getMesh();
  auto attribute = ShardingAttr::get(b.getContext(), mesh, sharding);
  setSharding(value, attribute);
  Value fixed = ConstrainOp::create(b, value, attribute);
  setSharding(fixed, attribute);
  return fixed;
}

/// `value`, split like `current` with its dimensions permuted.
Value TransformSplitter::transposed(Value value, ArrayRef<int64_t> permutation,
                                    TensorSharding sharding) {
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(shapeOf(value)[dim]);
  return withSharding(
      TransposeOp::create(b, typeOf(value).clone(shape), value, permutation),
      sharding);
}

/// `values` transformed along `dim`, which `current` leaves whole: with it
/// last, as routines take it.
SmallVector<Value> TransformSplitter::transformAlong(int64_t dim,
                                                     ValueRange values) {
  StringRef kind = kindAlong(dim);
  int64_t length = lengths[dim - firstDim()];
  // The dimension last, which is its own inverse.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[dim], order[rank - 1]);
  TensorSharding last = current;
  std::swap(last.dims[dim], last.dims[rank - 1]);
  bool isLast = dim == rank - 1;
  SmallVector<Value> operands;
  for (Value value : values)
    operands.push_back(isLast ? value : transposed(value, order, last));
  SmallVector<int64_t> shape(shapeOf(operands.front()));
  shape.back() = kind == "RFFT" ? length / 2 + 1 : length;
  SmallVector<Type> types(kind == "IRFFT" ? 1 : 2,
                          typeOf(operands.front()).clone(shape));
  SmallVector<int64_t> factors = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  bool isSameSize = shape.back() == shapeOf(operands.front()).back();
  if (!isSameSize)
    factors.back() = RoutineBufferAttr::kWhole;
  SmallVector<Attribute> buffers(
      operands.size() + types.size(),
      RoutineBufferAttr::get(b.getContext(),
                             typeOf(operands.front()).getElementType(), factors,
                             {}));
  auto parameters = b.getDictionaryAttr(
      {b.getNamedAttr("kind", b.getStringAttr(kind)),
       b.getNamedAttr("length", b.getDenseI64ArrayAttr(length))});
  auto part = LibraryCallOp::create(
      b, types, call.getRoutineAttr(), operands, parameters,
      b.getArrayAttr(buffers), /*aliases=*/nullptr, /*summed=*/nullptr,
      isSameSize ? b.getDenseI64ArrayAttr(rank - 1) : nullptr);
  SmallVector<Value> results;
  for (Value result : part.getResults()) {
    Value fixed = withSharding(result, last);
    results.push_back(isLast ? fixed : transposed(fixed, order, current));
  }
  return results;
}

SmallVector<Value> TransformSplitter::rewrite() {
  SmallVector<Value> values(call.getOperands());
  SmallVector<int64_t> dims = order();
  for (auto [step, dim] : llvm::enumerate(dims)) {
    moveAxes(dim, ArrayRef(dims).drop_front(step + 1), shapeOf(values.front()));
    values = transformAlong(dim, values);
  }
  return values;
}

SmallVector<Value> tessera::shard::splitTransform(LibraryCallOp call,
                                                  RoutineCosts &costs) {
  TransformSplitter splitter(call, costs.getMesh());
  return splitter.isNeeded() ? splitter.rewrite() : SmallVector<Value>();
}
