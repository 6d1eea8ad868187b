//===- ElementRules.cpp - Elements of structured operations ---------------===//

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/IndexedOperations.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// `value` clamped to [0, limit].
static Value clamp(ElementEmitter &e, Value value, int64_t limit) {
  CodeBuilder &b = e.builder();
  unsigned lanes = isa<VectorType>(value.getType()) ? e.lanes() : 1;
  Value low = b.max(value, b.broadcast(b.index(0), lanes));
  return b.min(low, b.broadcast(b.index(limit), lanes));
}

/// Compares two indices, in as many lanes as needed.
static Value compare(ElementEmitter &e, arith::CmpIPredicate predicate,
                     const LaneIndex &x, int64_t y) {
  CodeBuilder &b = e.builder();
  Value left = e.index().value(x);
  unsigned lanes = isa<VectorType>(left.getType()) ? e.lanes() : 1;
  return b.make<arith::CmpIOp>(predicate, left, b.broadcast(b.index(y), lanes));
}

static Value select(ElementEmitter &e, Value condition, Value x, Value y) {
  CodeBuilder &b = e.builder();
  bool vector = llvm::any_of(ValueRange{condition, x, y}.getTypes(),
                             llvm::IsaPred<VectorType>);
  unsigned lanes = vector ? e.lanes() : 1;
  return b.make<arith::SelectOp>(b.broadcast(condition, lanes),
                                 b.broadcast(x, lanes), b.broadcast(y, lanes));
}

static Value emitIota(ElementEmitter &e, Operation *op,
                      const LaneIndices &indices) {
  CodeBuilder &b = e.builder();
  const LaneIndex &index = indices[cast<IotaOp>(op).getDim()];
  Value value = e.index().value(index);
  auto vector = dyn_cast<VectorType>(value.getType());
  unsigned lanes = vector ? vector.getNumElements() : 1;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  Type type = CodeBuilder::vectorOf(element, lanes);
  if (element.isInteger(64))
    return value;
  if (isa<IntegerType>(element))
    return b.make<arith::TruncIOp>(type, value);
  return b.make<arith::SIToFPOp>(type, value);
}

/// The element of `operand` at `operandIndices`, in those lanes only for which
/// `inside` holds, if it is there.
static Value emitWhere(ElementEmitter &e, Value inside, Value operand,
                       const LaneIndices &operandIndices) {
  if (!inside)
    return e.emit(operand, operandIndices);
  return e.emitWhere(inside, [&] { return e.emit(operand, operandIndices); });
}

/// The operand's element where the index is inside of it, else the padding.
/// Loads outside are avoided: by clamping an index that all lanes share, else
/// in those lanes. What all lanes share does not mask the load as well: LLVM 22
/// takes a half of a vector for unmasked if the mask is the conjunction of a
/// scalar with constants that are false in that half.
static Value emitPad(ElementEmitter &e, Operation *op,
                     const LaneIndices &indices) {
  auto pad = cast<PadOp>(op);
  CodeBuilder &b = e.builder();
  ArrayRef<int64_t> shape = shapeOf(pad.getOperand());
  LaneIndices operandIndices;
  Value shared, lanesInside;
  auto require = [&](Value condition) {
    Value &inside = isa<VectorType>(condition.getType()) ? lanesInside : shared;
    inside = inside ? b.make<arith::AndIOp>(inside, condition) : condition;
  };
  for (auto [i, size] : llvm::enumerate(shape)) {
    int64_t low = pad.getLow()[i], step = pad.getInterior()[i] + 1;
    LaneIndex index = e.index().add(indices[i], LaneIndex::constant(-low));
    int64_t extent = (size - 1) * step + 1;
    int64_t result = shapeOf(op->getResult(0))[i];
    IndexBounds bounds = e.index().bounds(index);
    if (bounds.high < 0 || bounds.low >= extent)
      return e.emit(pad.getValue(), {});
    bool always = (low <= 0 && result - low <= extent) ||
                  (bounds.low >= 0 && bounds.high < extent);
    if (!always) {
      // Unsigned, so that negative indices are large.
      require(compare(e, arith::CmpIPredicate::ult, index, extent));
      if (index.isUniform())
        index = LaneArithmetic::wrap(
            clamp(e, e.index().value(index), std::max<int64_t>(extent - 1, 0)),
            {0, std::max<int64_t>(extent - 1, 0)});
    }
    if (step != 1) {
      require(
          compare(e, arith::CmpIPredicate::eq, e.index().mod(index, step), 0));
      index = e.index().div(index, step);
    }
    operandIndices.push_back(index);
  }
  Value padding = e.emit(pad.getValue(), {});
  if (!padding || elementsOf(shape) == 0)
    return padding;
  Value element = emitWhere(e, lanesInside, pad.getOperand(), operandIndices);
  if (!element)
    return element;
  for (Value inside : {lanesInside, shared})
    if (inside)
      element = select(e, inside, element, padding);
  return element;
}

namespace {

/// An operand of a concatenation that some of the wanted elements lie in.
struct Piece {
  Value operand;
  int64_t start, size;
  /// The elements' indices in the operand.
  LaneIndices operandIndices;
};

} // namespace

/// The operands of `op` that elements at `indices` may lie in, in order.
static SmallVector<Piece, 2> findPieces(ElementEmitter &e, ConcatenateOp op,
                                        const LaneIndices &indices) {
  int64_t dim = op.getDim(), start = 0;
  IndexBounds bounds = e.index().bounds(indices[dim]);
  SmallVector<Piece, 2> pieces;
  for (Value operand : op.getOperands()) {
    int64_t size = shapeOf(operand)[dim];
    if (size != 0 && bounds.low < start + size && bounds.high >= start) {
      LaneIndices operandIndices = indices;
      operandIndices[dim] =
          e.index().add(indices[dim], LaneIndex::constant(-start));
      pieces.push_back({operand, start, size, operandIndices});
    }
    start += size;
  }
  return pieces;
}

/// Where all lanes read the same one of several pieces of one tensor, as those
/// of a rotation: that tensor, and the indices in it. The indices are chosen,
/// not the element. Nothing if the pieces come from several tensors, or their
/// indices differ in more than where they start.
static std::optional<std::pair<Value, LaneIndices>>
chooseIndices(ElementEmitter &e, ArrayRef<Piece> pieces,
              const LaneIndex &index) {
  if (!index.isUniform())
    return std::nullopt;
  Value source;
  LaneIndices chosen;
  for (const Piece &piece : pieces) {
    Value value = piece.operand;
    LaneIndices operandIndices = piece.operandIndices;
    while (!e.isBound(value)) {
      std::optional<AffineMap> map = getAccessMap(value.getDefiningOp());
      if (!map)
        break;
      operandIndices = e.index().apply(*map, operandIndices);
      value = value.getDefiningOp()->getOperand(0);
    }
    if (!source) {
      source = value;
      chosen = operandIndices;
      continue;
    }
    if (value != source)
      return std::nullopt;
    Value condition = compare(e, arith::CmpIPredicate::sge, index, piece.start);
    for (auto [before, after] : llvm::zip(chosen, operandIndices)) {
      std::optional<LaneIndex> either =
          e.index().select(condition, after, before);
      if (!either)
        return std::nullopt;
      before = *either;
    }
  }
  return std::pair(source, chosen);
}

/// The element of the piece that it lies in. Loads outside of a piece are
/// avoided as in `emitPad`.
static Value emitConcatenate(ElementEmitter &e, Operation *op,
                             const LaneIndices &indices) {
  auto concatenate = cast<ConcatenateOp>(op);
  int64_t dim = concatenate.getDim();
  const LaneIndex &index = indices[dim];
  SmallVector<Piece, 2> pieces = findPieces(e, concatenate, indices);
  if (pieces.size() == 1)
    return e.emit(pieces.front().operand, pieces.front().operandIndices);
  if (auto chosen = chooseIndices(e, pieces, index))
    return e.emit(chosen->first, chosen->second);
  Value result;
  for (Piece &piece : pieces) {
    LaneIndex &inPiece = piece.operandIndices[dim];
    Value inside;
    if (index.isUniform())
      inPiece = LaneArithmetic::wrap(
          clamp(e, e.index().value(inPiece), piece.size - 1),
          {0, piece.size - 1});
    else
      // Unsigned, so that negative indices are large.
      inside = compare(e, arith::CmpIPredicate::ult, inPiece, piece.size);
    Value element = emitWhere(e, inside, piece.operand, piece.operandIndices);
    if (!element)
      return {};
    Value behind = compare(e, arith::CmpIPredicate::sge, index, piece.start);
    result = result ? select(e, behind, element, result) : element;
  }
  return result;
}

static Value emitDynamicSlice(ElementEmitter &e, Operation *op,
                              const LaneIndices &indices) {
  auto slice = cast<DynamicSliceOp>(op);
  LaneIndices operandIndices;
  for (auto [i, index] : llvm::enumerate(slice.getIndices())) {
    int64_t room =
        shapeOf(slice.getOperand())[i] - shapeOf(op->getResult(0))[i];
    Value start = e.emit(index, {});
    if (!start)
      return {};
    start = clamp(e, toIndex(e.builder(), start), room);
    operandIndices.push_back(
        e.index().add(indices[i], LaneArithmetic::wrap(start)));
  }
  return e.emit(slice.getOperand(), operandIndices);
}

/// The elements of a gather at `indices`: reads the start of the slice from the
/// indices of the same batch and clamps it, so that the whole slice lies in the
/// operand. Null where an operand cannot be emitted.
static Value emitGather(ElementEmitter &e, Operation *op,
                        const LaneIndices &indices) {
  auto gather = cast<GatherOp>(op);
  ArrayRef<int64_t> shape = shapeOf(gather.getOperand());
  int64_t vectorDim = gather.getIndexVectorDim();
  // Result dimensions that are not offsets run over the index vectors.
  LaneIndices batch, offsets;
  for (auto [i, index] : llvm::enumerate(indices))
    (llvm::is_contained(gather.getOffsetDims(), int64_t(i)) ? offsets : batch)
        .push_back(index);
  LaneIndices operandIndices(shape.size(), LaneIndex::constant(0));
  size_t next = 0;
  for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
    if (!llvm::is_contained(gather.getCollapsedDims(), d) &&
        !llvm::is_contained(gather.getOperandBatching(), d))
      operandIndices[d] = offsets[next++];
  for (auto [d, source] :
       llvm::zip(gather.getOperandBatching(), gather.getIndicesBatching()))
    operandIndices[d] = batch[source < vectorDim ? source : source - 1];
  for (auto [component, d] : llvm::enumerate(gather.getStartIndexMap())) {
    Value start =
        emitIndexComponent(e, gather.getIndices(), vectorDim, batch, component);
    if (!start)
      return {};
    start = clamp(e, start, shape[d] - gather.getSliceSizes()[d]);
    operandIndices[d] =
        e.index().add(operandIndices[d], LaneArithmetic::wrap(start));
  }
  return e.emit(gather.getOperand(), operandIndices);
}

ElementRule codegen::getElementRule(Operation *op) {
  static const llvm::DenseMap<TypeID, ElementRule> rules = {
      {TypeID::get<IotaOp>(), emitIota},
      {TypeID::get<PadOp>(), emitPad},
      {TypeID::get<ConcatenateOp>(), emitConcatenate},
      {TypeID::get<DynamicSliceOp>(), emitDynamicSlice},
      {TypeID::get<GatherOp>(), emitGather}};
  return rules.lookup(op->getName().getTypeID());
}
