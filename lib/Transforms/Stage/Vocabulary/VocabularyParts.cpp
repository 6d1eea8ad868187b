//===- VocabularyParts.cpp - one rank's part of an output layer -----------===//

#include "Vocabulary/VocabularyParts.h"

#include "Layers/StackWrites.h"

#include "Costs/OperationCosts.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Interfaces/LocalComputationInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

VocabularyRange VocabularyRange::of(const VocabularyLayer &layer, int64_t part,
                                    int64_t parts) {
  int64_t block = layer.size() / layer.blocks();
  return {layer.size(), layer.blocks(), block * part / parts,
          block * (part + 1) / parts};
}

//===----------------------------------------------------------------------===//
// Cutting and joining
//===----------------------------------------------------------------------===//

ShardingAttr tessera::stage::rearranged(ShardingAttr sharding,
                                        ArrayRef<int64_t> from) {
  if (!sharding)
    return {};
  TensorSharding changed = sharding.getValue();
  changed.dims.clear();
  for (int64_t dim : from)
    changed.dims.push_back(dim < 0 ? DimSharding()
                                   : sharding.getValue().dims[dim]);
  return ShardingAttr::get(sharding.getContext(), sharding.getMesh(), changed);
}

static SmallVector<int64_t> dimsOf(int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

/// `value` with dimension `dim` as [blocks, rest].
static Value splitBlocks(OpBuilder &builder, Value value, int64_t dim,
                         int64_t blocks) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  SmallVector<int64_t> from = dimsOf(shape.size());
  shape[dim] /= blocks;
  shape.insert(shape.begin() + dim, blocks);
  from.insert(from.begin() + dim + 1, -1);
  Value split = ReshapeOp::create(builder, value.getLoc(),
                                  typeOf(value).clone(shape), value);
  setSharding(split, rearranged(getSharding(value), from));
  return split;
}

/// The inverse.
static Value mergeBlocks(OpBuilder &builder, Value value, int64_t dim) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  SmallVector<int64_t> from = dimsOf(shape.size());
  shape[dim] *= shape[dim + 1];
  shape.erase(shape.begin() + dim + 1);
  from.erase(from.begin() + dim + 1);
  Value merged = ReshapeOp::create(builder, value.getLoc(),
                                   typeOf(value).clone(shape), value);
  setSharding(merged, rearranged(getSharding(value), from));
  return merged;
}

/// `value` with all of `dim` on every device, if devices have other blocks of
/// it than `blocks` says.
static Value withBlocks(OpBuilder &builder, Value value, int64_t dim,
                        int64_t blocks) {
  ShardingAttr sharding = getSharding(value);
  if (!sharding)
    return value;
  TensorSharding whole = sharding.getValue();
  MeshOp mesh =
      lookupMesh(builder.getBlock()->getParentOp(), sharding.getMesh());
  int64_t shards = whole.numShards(dim, mesh.getMesh().getMesh());
  if (shards == 1 || shards == blocks)
    return value;
  whole.dims[dim].axes.clear();
  return withSharding(builder, value,
                      ShardingAttr::get(builder.getContext(),
                                        sharding.getMesh(), std::move(whole)));
}

Value tessera::stage::sliceVocabulary(OpBuilder &builder, Value value,
                                      int64_t dim,
                                      const VocabularyRange &range) {
  bool isSplit = range.blocks > 1;
  ShardingAttr sharding = getSharding(value);
  value = withBlocks(builder, value, dim, range.blocks);
  Value blocks =
      isSplit ? splitBlocks(builder, value, dim, range.blocks) : value;
  int64_t at = isSplit ? dim + 1 : dim;
  SmallVector<int64_t> limits(typeOf(blocks).getShape());
  SmallVector<int64_t> starts(limits.size(), 0), strides(limits.size(), 1);
  starts[at] = range.begin;
  limits[at] = range.end;
  SmallVector<int64_t> shape = limits;
  shape[at] = range.end - range.begin;
  Value slice =
      SliceOp::create(builder, value.getLoc(), typeOf(blocks).clone(shape),
                      blocks, starts, limits, strides);
  setSharding(slice, getSharding(blocks));
  Value part = isSplit ? mergeBlocks(builder, slice, dim) : slice;
  // What is computed from it is sharded as if it were of `value` itself.
  return sharding ? withSharding(builder, part, sharding) : part;
}

Value tessera::stage::joinVocabulary(OpBuilder &builder, ArrayRef<Value> parts,
                                     int64_t dim, int64_t blocks) {
  bool isSplit = blocks > 1;
  int64_t at = isSplit ? dim + 1 : dim, columns = 0;
  SmallVector<Value> pieces;
  for (Value part : parts) {
    pieces.push_back(isSplit ? splitBlocks(builder, part, dim, blocks) : part);
    columns += typeOf(pieces.back()).getDimSize(at);
  }
  SmallVector<int64_t> shape(typeOf(pieces.front()).getShape());
  shape[at] = columns;
  Value joined = ConcatenateOp::create(builder, parts.front().getLoc(),
                                       typeOf(pieces.front()).clone(shape),
                                       pieces, builder.getI64IntegerAttr(at));
  setSharding(joined, getSharding(pieces.front()));
  return isSplit ? mergeBlocks(builder, joined, dim) : joined;
}

//===----------------------------------------------------------------------===//
// Indices in a part
//===----------------------------------------------------------------------===//

namespace {

/// Turns indices of the vocabulary, which are data, into indices of one part.
class IndicesInPart {
public:
  /// Component `component` of the index vectors along `vectorDim` of `indices`
  /// is the index.
  IndicesInPart(OpBuilder &outer, Value indices, int64_t vectorDim,
                int64_t component, const VocabularyRange &range)
      : builder(indices.getLoc(), outer), sharding(getSharding(indices)),
        indices(indices), vectorDim(vectorDim), component(component),
        range(range) {
    if (typeOf(indices).getElementTypeBitWidth() < 32)
      this->indices = marked(arith::ExtSIOp::create(
          builder, typeOf(indices).clone(builder.getI32Type()), indices));
  }

  /// The index vectors for the part; `elsewhere` is the index for those that
  /// lie in another one.
  Value inPart(int64_t elsewhere);
  /// Moves indices outside of the vocabulary to its nearest end.
  void clamp();
  /// Per index vector, whether it lies in the part.
  Value isInside();

private:
  Value marked(Value value) {
    setSharding(value, sharding);
    return value;
  }
  Value constant(int64_t value) {
    return marked(arith::ConstantOp::create(
        builder, DenseElementsAttr::get(
                     typeOf(indices),
                     APInt(typeOf(indices).getElementTypeBitWidth(), value,
                           /*isSigned=*/true))));
  }
  template <typename Op> Value compute(Value a, int64_t b) {
    return marked(Op::create(builder, a, constant(b)));
  }
  Value isBelow(Value index, int64_t limit) {
    return marked(arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                        index, constant(limit)));
  }
  bool hasVectorDim() const { return vectorDim < typeOf(indices).getRank(); }
  /// Where the component stands, as a mask; null where there is no other.
  Value isComponent();
  /// Per element, whether the index lies in the part, and the index there.
  std::pair<Value, Value> locate();

  ImplicitLocOpBuilder builder;
  ShardingAttr sharding;
  Value indices;
  int64_t vectorDim, component;
  const VocabularyRange &range;
};

} // namespace

Value IndicesInPart::isComponent() {
  int64_t components =
      hasVectorDim() ? typeOf(indices).getDimSize(vectorDim) : 1;
  if (components == 1)
    return {};
  SmallVector<bool> mask(components, false);
  mask[component] = true;
  auto type = RankedTensorType::get({components}, builder.getI1Type());
  Value row =
      arith::ConstantOp::create(builder, DenseElementsAttr::get(type, mask));
  setSharding(row, rearranged(sharding, {-1}));
  return marked(
      BroadcastOp::create(builder, typeOf(indices).clone(builder.getI1Type()),
                          row, builder.getDenseI64ArrayAttr({vectorDim})));
}

void IndicesInPart::clamp() {
  Value clamped = compute<arith::MinSIOp>(compute<arith::MaxSIOp>(indices, 0),
                                          range.columns - 1);
  Value mask = isComponent();
  indices =
      mask ? marked(arith::SelectOp::create(builder, mask, clamped, indices))
           : clamped;
}

std::pair<Value, Value> IndicesInPart::locate() {
  int64_t block = range.blockColumns(), size = range.end - range.begin;
  if (range.blocks == 1) {
    Value local = compute<arith::SubIOp>(indices, range.begin);
    // As unsigned numbers, negative indices are beyond every size.
    return {isBelow(local, size), local};
  }
  Value rest = compute<arith::SubIOp>(compute<arith::RemSIOp>(indices, block),
                                      range.begin);
  Value first =
      compute<arith::MulIOp>(compute<arith::DivSIOp>(indices, block), size);
  return {marked(arith::AndIOp::create(builder, isBelow(rest, size),
                                       isBelow(indices, range.columns))),
          marked(arith::AddIOp::create(builder, first, rest))};
}

Value IndicesInPart::inPart(int64_t elsewhere) {
  auto [inside, local] = locate();
  Value localIndices = marked(
      arith::SelectOp::create(builder, inside, local, constant(elsewhere)));
  Value mask = isComponent();
  return mask ? marked(arith::SelectOp::create(builder, mask, localIndices,
                                               indices))
              : localIndices;
}

Value IndicesInPart::isInside() {
  Value inside = locate().first;
  if (!hasVectorDim())
    return inside;
  SmallVector<int64_t> starts(typeOf(inside).getRank(), 0),
      strides(starts.size(), 1), limits(typeOf(inside).getShape());
  starts[vectorDim] = component;
  limits[vectorDim] = component + 1;
  SmallVector<int64_t> shape(typeOf(inside).getShape()), from;
  shape[vectorDim] = 1;
  if (limits[vectorDim] != typeOf(inside).getDimSize(vectorDim) ||
      component > 0)
    inside = marked(SliceOp::create(builder, typeOf(inside).clone(shape),
                                    inside, starts, limits, strides));
  for (int64_t dim : dimsOf(shape.size()))
    if (dim != vectorDim)
      from.push_back(dim);
  shape.erase(shape.begin() + vectorDim);
  Value rows = ReshapeOp::create(builder, typeOf(inside).clone(shape), inside);
  setSharding(rows, rearranged(sharding, from));
  return rows;
}

//===----------------------------------------------------------------------===//
// Part operations
//===----------------------------------------------------------------------===//

static int64_t positionOf(ArrayRef<int64_t> map, int64_t dim) {
  return llvm::find(map, dim) - map.begin();
}

/// `op` of one part: what lies in another part is zero.
static Value gatherFromPart(OpBuilder &builder, GatherOp op, Value part,
                            Value indices, int64_t dim,
                            const VocabularyRange &range) {
  IndicesInPart partIndices(builder, indices, op.getIndexVectorDim(),
                            positionOf(op.getStartIndexMap(), dim), range);
  partIndices.clamp();
  Value gathered = createLocalOperation(
                       builder, op, {part, partIndices.inPart(0)}, op.getType())
                       ->getResult(0);
  ShardingAttr sharding = getSharding(op.getResult());
  setSharding(gathered, sharding);
  SmallVector<int64_t> batchDims;
  for (int64_t i = 0; i < op.getType().getRank(); ++i)
    if (!llvm::is_contained(op.getOffsetDims(), i))
      batchDims.push_back(i);
  ImplicitLocOpBuilder inner(op.getLoc(), builder);
  RankedTensorType type = op.getType();
  Value mask = BroadcastOp::create(inner, type.clone(inner.getI1Type()),
                                   partIndices.isInside(),
                                   inner.getDenseI64ArrayAttr(batchDims));
  Value zero = arith::ConstantOp::create(inner, inner.getZeroAttr(type));
  Value own = arith::SelectOp::create(inner, mask, gathered, zero);
  ShardingAttr whole = sharding;
  if (sharding) {
    TensorSharding resolved = sharding.getValue();
    resolved.unreduced.clear();
    resolved.unreducedKind = ReductionKind::Sum;
    whole =
        ShardingAttr::get(sharding.getContext(), sharding.getMesh(), resolved);
  }
  setSharding(mask, whole);
  setSharding(zero, sharding);
  setSharding(own, sharding);
  return own;
}

/// `op` into one part: what goes to another part is skipped.
static Value scatterIntoPart(OpBuilder &builder, ScatterOp op,
                             ArrayRef<Value> operands, int64_t dim,
                             const VocabularyRange &range, Type result) {
  IndicesInPart partIndices(builder, operands[1], op.getIndexVectorDim(),
                            positionOf(op.getOperandDimsMap(), dim), range);
  return createLocalOperation(
             builder, op, {operands[0], partIndices.inPart(-1), operands[2]},
             result)
      ->getResult(0);
}

Value VocabularyPart::apply(Operation *op, ArrayRef<Value> operands,
                            Type result) {
  std::optional<int64_t> dim;
  if (isa<GatherOp, ScatterOp>(op))
    for (auto [at, size] : llvm::enumerate(typeOf(operands[0]).getShape()))
      if (size != typeOf(op->getOperand(0)).getDimSize(at))
        dim = at;
  Value applied;
  if (auto gather = dyn_cast<GatherOp>(op);
      gather && dim && llvm::is_contained(gather.getStartIndexMap(), *dim))
    applied =
        gatherFromPart(builder, gather, operands[0], operands[1], *dim, range);
  else if (auto scatter = dyn_cast<ScatterOp>(op);
           scatter && dim &&
           llvm::is_contained(scatter.getOperandDimsMap(), *dim))
    applied = scatterIntoPart(builder, scatter, operands, *dim, range, result);
  else
    applied = createLocalOperation(builder, op, operands, result)->getResult(0);
  setSharding(applied, getSharding(op->getResult(0)));
  return applied;
}

//===----------------------------------------------------------------------===//
// On demand
//===----------------------------------------------------------------------===//

VocabularyPart::VocabularyPart(const VocabularyLayer &layer,
                               const StepProgram &program,
                               const VocabularyRange &range,
                               pipe::FragmentOp fragment,
                               VocabularyPart *earlier, Combine combine)
    : RowSite(OpBuilder(fragment.getBody().front().getTerminator())),
      layer(layer), program(program), range(range), earlier(earlier),
      combine(std::move(combine)) {}

RankedTensorType VocabularyPart::partType(Type type, int64_t dim) const {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] = range.size();
  return tensor.clone(shape);
}

Value VocabularyPart::ones(Value value, int64_t dim) {
  RankedTensorType type = partType(value.getType(), dim);
  Value made = arith::ConstantOp::create(
      builder, value.getLoc(),
      DenseElementsAttr::get(type, builder.getOneAttr(type.getElementType())));
  setSharding(made, getSharding(value));
  return made;
}

bool VocabularyPart::isOutside(Value value) const {
  scf::ForOp loop = program.getLoop();
  return !loop.getRegion().isAncestor(value.getParentRegion());
}

/// Rows of the forward pass come from there; others are computed here again.
Value VocabularyPart::row(Value value) {
  if (layer.partialKind(value)) {
    Value &known = rows[value];
    return known ? known : rows[value] = combine(value, *this);
  }
  Operation *maker = program.definingOperation(value);
  bool isOwn = layer.contains(value) || program.is(maker, Placement::Backward);
  if (isOutside(value) || !isOwn)
    return value;
  if (Value known = rows.lookup(value))
    return known;
  IRMapping mapping;
  for (Value read : program.readsOf(maker))
    mapping.map(read, row(read));
  Operation *copy = builder.clone(*maker, mapping);
  for (auto [result, made] :
       llvm::zip_equal(maker->getResults(), copy->getResults()))
    rows[result] = made;
  return rows.at(value);
}

Value VocabularyPart::part(Value value, int64_t dim) {
  if (Value known = parts.lookup({value, dim}))
    return known;
  Operation *maker = value.getDefiningOp();
  // One-hot rows take as much memory as logits, and less time.
  bool isKept = earlier && maker && getOperationCost(maker).isHeavy &&
                !isa<ScatterOp>(maker) && !layer.isLate(value) &&
                !isOutside(value);
  Value made = isKept ? earlier->part(value, dim) : build(value, dim);
  parts[{value, dim}] = made;
  return made;
}

Value VocabularyPart::partial(Value value) {
  if (Value known = contributions.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  Value made;
  if (auto reshard = dyn_cast<ReshardOp>(op)) {
    made = builder.clone(*op)->getResult(0);
    made.getDefiningOp()->setOperand(0, partial(reshard.getOperand()));
    made.getDefiningOp()->moveBefore(&*builder.getInsertionPoint());
  } else {
    made = apply(op, operandsOf(op, layer.factorOf(op)), value.getType());
  }
  return contributions[value] = made;
}

SmallVector<Value> VocabularyPart::operandsOf(Operation *op, FactorId factor) {
  std::optional<ShardingRule> rule = partRule(op);
  SmallVector<Value> operands;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    std::optional<int64_t> dim = dimAt(*rule, number, factor);
    operands.push_back(dim ? part(operand, *dim) : row(operand));
  }
  return operands;
}

/// A constant's part: of the same value everywhere, or cut.
Value VocabularyPart::buildConstant(Value value, int64_t dim) {
  auto constant = cast<arith::ConstantOp>(value.getDefiningOp());
  auto elements = cast<DenseElementsAttr>(constant.getValue());
  RankedTensorType type = partType(value.getType(), dim);
  if (!elements.isSplat()) {
    Value whole = builder.clone(*constant)->getResult(0);
    return sliceVocabulary(builder, whole, dim, range);
  }
  Value made = arith::ConstantOp::create(builder, value.getLoc(),
                                         elements.resizeSplat(type));
  setSharding(made, getSharding(value));
  return made;
}

/// The part of what the body does not compute, made once before the loop.
Value VocabularyPart::buildOutside(Value value, int64_t dim) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(program.getLoop());
  Operation *maker = value.getDefiningOp();
  std::optional<ShardingRule> rule =
      maker && maker->getNumResults() == 1 && !isa<IotaOp>(maker)
          ? partRule(maker)
          : std::nullopt;
  std::optional<FactorId> factor =
      rule ? factorAt(*rule, maker->getNumOperands(), dim) : std::nullopt;
  if (!factor || rule->factors[*factor].kind != FactorKind::PassThrough ||
      isa<GatherOp, ScatterOp>(maker))
    return sliceVocabulary(builder, value, dim, range);
  SmallVector<Value> operands;
  for (auto [number, operand] : llvm::enumerate(maker->getOperands())) {
    std::optional<int64_t> at = dimAt(*rule, number, *factor);
    // Not a constant that stands in the loop.
    bool isConstant = operand.getDefiningOp<arith::ConstantOp>();
    operands.push_back(!at          ? operand
                       : isConstant ? buildConstant(operand, *at)
                                    : part(operand, *at));
  }
  return apply(maker, operands, partType(value.getType(), dim));
}

Value VocabularyPart::build(Value value, int64_t dim) {
  Operation *maker = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(maker);
      constant && isa<DenseElementsAttr>(constant.getValue()))
    return buildConstant(value, dim);
  if (isOutside(value))
    return earlier ? earlier->part(value, dim) : buildOutside(value, dim);
  std::optional<ShardingRule> rule =
      maker && maker->getNumResults() == 1 && !isa<IotaOp>(maker)
          ? partRule(maker)
          : std::nullopt;
  std::optional<FactorId> factor =
      rule ? factorAt(*rule, maker->getNumOperands(), dim) : std::nullopt;
  if (!factor || rule->factors[*factor].kind != FactorKind::PassThrough)
    return sliceVocabulary(builder, row(value), dim, range);
  return apply(maker, operandsOf(maker, *factor),
               partType(value.getType(), dim));
}
