//===- IndexingMaps.cpp - what an operation does to indices ---------------===//

#include "tessera/Interfaces/IndexingMaps.h"

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

#include "tessera/Interfaces/IndexingMapInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

IndexingMaps::IndexingMaps(Operation *op)
    : context(op->getContext()), numOperands(op->getNumOperands()) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (ArrayRef<int64_t> shape : getShapes(types)) {
      shapes.push_back(shape);
      tensors.emplace_back(shape.size(), AffineExpr());
    }
}

AffineExpr IndexingMaps::dim(unsigned dim) const {
  return getAffineDimExpr(dim, context);
}

AffineExpr IndexingMaps::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

AffineExpr IndexingMaps::addDim(int64_t size, ArrayRef<int64_t> operandDims,
                                ArrayRef<int64_t> resultDims, FactorKind kind,
                                ReductionKind reduction) {
  AffineExpr index = dim(dims.size());
  dims.push_back({size, kind, reduction});
  auto addTo = [&](ArrayRef<int64_t> tensorDims, unsigned first) {
    for (auto [number, at] : llvm::enumerate(tensorDims)) {
      if (at == kNone)
        continue;
      AffineExpr &whole = tensors[first + number][at];
      whole = whole ? whole * size + index : index;
    }
  };
  addTo(operandDims, 0);
  addTo(resultDims, numOperands);
  return index;
}

void IndexingMaps::addResultDims() {
  for (auto [number, size] : llvm::enumerate(shapes[numOperands]))
    addDim(size, {}, int64_t(number));
}

void IndexingMaps::addOperandDims() {
  for (auto [number, size] : llvm::enumerate(shapes[0]))
    addDim(size, int64_t(number), {});
}

/// Makes dimensions `first` to `end` of `tensor` the digits of dimension
/// `number` of the space.
void IndexingMaps::setDigits(unsigned tensor, size_t first, size_t end,
                             unsigned number) {
  int64_t inner = 1, total = dims[number].size;
  for (size_t i = end; i-- > first; inner *= shapes[tensor][i]) {
    int64_t size = shapes[tensor][i];
    if (size == 1)
      continue;
    AffineExpr index = inner == 1 ? dim(number) : dim(number).floorDiv(inner);
    tensors[tensor][i] = inner * size == total ? index : index % size;
  }
}

void IndexingMaps::addReshapedDims() {
  ArrayRef<int64_t> from = shapes[0], to = shapes[numOperands];
  llvm::fill(tensors[0], constant(0));
  if (llvm::is_contained(from, 0))
    return addResultDims();
  llvm::fill(tensors[numOperands], constant(0));
  size_t in = 0, out = 0;
  while (in < from.size() || out < to.size()) {
    size_t firstIn = in, firstOut = out;
    int64_t left = 1, right = 1;
    do {
      if ((left <= right && out < to.size()) || in == from.size())
        left *= to[out++];
      else
        right *= from[in++];
    } while (left != right);
    if (left == 1)
      continue;
    unsigned number = dims.size();
    addDim(left, {}, {});
    setDigits(0, firstIn, in, number);
    setDigits(numOperands, firstOut, out, number);
  }
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

bool IndexingMaps::isView() const {
  return moved.size() == 1 && numOperands == 1 && tensors.size() == 2;
}

/// Adds `scale * expr` to `sum`; false if that is no sum of terms.
static bool addTerms(AffineExpr expr, int64_t scale,
                     ArrayRef<IterationDim> dims, IndexSum &sum) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    sum.terms.push_back(
        {dim.getPosition(), 1, dims[dim.getPosition()].size, scale});
    return true;
  }
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    sum.offset += scale * number.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addTerms(binary.getLHS(), scale, dims, sum) &&
           addTerms(binary.getRHS(), scale, dims, sum);
  auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!number)
    return false;
  int64_t value = number.getValue();
  if (binary.getKind() == AffineExprKind::Mul)
    return addTerms(binary.getLHS(), scale * value, dims, sum);
  // A part of one dimension.
  IndexSum part;
  if (!addTerms(binary.getLHS(), 1, dims, part) || part.terms.size() != 1 ||
      !part.isPlain())
    return false;
  IndexTerm term = part.terms.front();
  if (binary.getKind() == AffineExprKind::Mod) {
    term.size = value;
  } else {
    term.divisor *= value;
    term.size /= value;
  }
  term.scale = scale;
  sum.terms.push_back(term);
  return true;
}

std::optional<IndexSum> IndexingMaps::getIndex(unsigned tensor,
                                               int64_t dim) const {
  IndexSum sum;
  AffineExpr index = tensors[tensor][dim];
  if (!index || !addTerms(index, 1, dims, sum))
    return std::nullopt;
  return sum;
}

std::optional<AffineMap> IndexingMaps::getMap(unsigned from,
                                              unsigned to) const {
  SmallVector<AffineExpr> point(dims.size());
  for (auto [number, dim] : llvm::enumerate(dims))
    if (dim.size == 1)
      point[number] = constant(0);
  for (int64_t i = shapes[from].size(); i-- > 0;) {
    std::optional<IndexSum> index = getIndex(from, i);
    if (!index || index->terms.size() != 1 || shapes[from][i] == 1)
      continue;
    IndexTerm term = index->terms.front();
    if (dims[term.dim].size == 1)
      continue;
    AffineExpr coordinate = dim(i) - index->offset;
    coordinate = term.scale < 0 ? -coordinate : coordinate.floorDiv(term.scale);
    AffineExpr &whole = point[term.dim];
    whole = coordinate * term.divisor + (whole ? whole : constant(0));
  }
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : tensors[to]) {
    if (!index)
      return std::nullopt;
    for (unsigned number = 0; number < dims.size(); ++number)
      if (!point[number] && index.isFunctionOfDim(number))
        return std::nullopt;
    indices.push_back(index.replaceDims(point));
  }
  return AffineMap::get(shapes[from].size(), 0, indices, context);
}

std::optional<SmallVector<int64_t>>
IndexingMaps::getPosition(unsigned tensor) const {
  SmallVector<int64_t> position(dims.size() + 1, 0), known(dims.size(), 1);
  int64_t stride = 1;
  for (int64_t i = shapes[tensor].size(); i-- > 0;) {
    std::optional<IndexSum> index = getIndex(tensor, i);
    if (!index)
      return std::nullopt;
    position.back() += index->offset * stride;
    for (IndexTerm term : index->terms) {
      if (dims[term.dim].size == 1)
        continue;
      // Digits come from minor to major, each where the ones before end.
      int64_t &coefficient = position[term.dim], step = term.scale * stride;
      if (term.divisor != known[term.dim] ||
          (term.divisor != 1 && step != coefficient * term.divisor))
        return std::nullopt;
      if (term.divisor == 1)
        coefficient = step;
      known[term.dim] *= term.size;
    }
    stride *= shapes[tensor][i];
  }
  for (auto [size, dim] : llvm::zip_equal(known, dims))
    if (size != 1 && size != dim.size)
      return std::nullopt;
  return position;
}

std::optional<SmallVector<int64_t>>
IndexingMaps::getWholeDims(unsigned tensor) const {
  SmallVector<int64_t> whole;
  for (auto [at, size] : llvm::enumerate(shapes[tensor])) {
    std::optional<IndexSum> index = getIndex(tensor, at);
    if (!index || !index->isPlain())
      return std::nullopt;
    if (size != 1 &&
        (index->terms.empty() || index->terms.front().size != size))
      return std::nullopt;
    whole.push_back(size == 1 ? kNone : index->terms.front().dim);
  }
  return whole;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

std::optional<IndexingMaps> tessera::getViewMaps(Operation *op) {
  auto interface = dyn_cast_or_null<IndexingMapInterface>(op);
  if (!interface || op->getNumOperands() != 1 || op->getNumResults() != 1)
    return std::nullopt;
  IndexingMaps maps = interface.getIndexingMaps();
  return maps.isView() ? std::optional(std::move(maps)) : std::nullopt;
}

bool tessera::repeatsAlong(Operation *op, int64_t dim) {
  std::optional<IndexingMaps> maps = getViewMaps(op);
  std::optional<AffineMap> map = maps ? maps->getMap(1, 0) : std::nullopt;
  return map && !map->isFunctionOfDim(dim);
}
