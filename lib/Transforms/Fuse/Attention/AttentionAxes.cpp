//===- AttentionAxes.cpp - which dimension is which in attention ----------===//

#include "Attention/AttentionAxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/IndexingMaps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

SmallVector<int> tessera::fuse::axesOf(const AxisDim &dim) {
  SmallVector<int> axes;
  for (const AxisPiece &piece : dim)
    if (piece.axis >= 0)
      axes.push_back(piece.axis);
  return axes;
}

SmallVector<int> tessera::fuse::axesOf(const AxisLayout &layout) {
  SmallVector<int> axes;
  for (const AxisDim &dim : layout)
    llvm::append_range(axes, axesOf(dim));
  return axes;
}

//===----------------------------------------------------------------------===//
// Axes and unknowns
//===----------------------------------------------------------------------===//

int AxisTable::add(int64_t size) {
  sizes.push_back(size);
  return sizes.size() - 1;
}

AxisDim AxisTable::addDim(int64_t size) {
  if (size == 1)
    return {};
  return {{size, add(size)}};
}

AxisDim AxisTable::addUnknownDim(int64_t size) {
  if (size == 1)
    return {};
  return {{size, nextUnknown--}};
}

void AxisTable::bind(const AxisPiece &unknown, ArrayRef<AxisPiece> pieces) {
  bindings[unknown.axis] = AxisDim(pieces);
}

AxisLayout AxisTable::resolve(const AxisLayout &layout) const {
  AxisLayout resolved;
  for (const AxisDim &dim : layout) {
    AxisDim &pieces = resolved.emplace_back();
    for (const AxisPiece &piece : dim) {
      auto it = bindings.find(piece.axis);
      if (it == bindings.end())
        pieces.push_back(piece);
      else
        llvm::append_range(pieces, resolve({it->second}).front());
    }
  }
  return resolved;
}

/// Goes through both lists from major to minor. A repeated piece may be cut, an
/// unknown one takes as many of the other's pieces as it needs.
std::optional<AxisDim> AxisTable::unifyDim(AxisDim a, AxisDim b) {
  AxisDim unified;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    // The smaller piece first.
    if (a[i].size > b[j].size || (a[i].size == b[j].size && a[i].axis < 0)) {
      std::swap(a, b);
      std::swap(i, j);
    }
    AxisPiece small = a[i], &large = b[j];
    if (small.size == large.size) {
      if (small == large || large.isRepeated()) {
        unified.push_back(small);
      } else if (small.isRepeated()) {
        unified.push_back(large);
      } else if (large.isUnknown()) {
        bind(large, small);
        unified.push_back(small);
      } else if (small.isUnknown()) {
        bind(small, large);
        unified.push_back(large);
      } else {
        return std::nullopt;
      }
      ++i, ++j;
    } else if (large.size % small.size != 0) {
      return std::nullopt;
    } else if (large.isRepeated()) {
      unified.push_back(small);
      large.size /= small.size;
      ++i;
    } else if (large.isUnknown()) {
      AxisDim pieces;
      for (int64_t size = 1; size < large.size; ++i) {
        if (i == a.size() || large.size % (size * a[i].size) != 0)
          return std::nullopt;
        size *= a[i].size;
        pieces.push_back(a[i]);
      }
      bind(large, pieces);
      llvm::append_range(unified, pieces);
      ++j;
    } else {
      return std::nullopt;
    }
  }
  if (i < a.size() || j < b.size())
    return std::nullopt;
  return unified;
}

std::optional<AxisLayout> AxisTable::unify(const AxisLayout &a,
                                           const AxisLayout &b) {
  if (a.size() != b.size())
    return std::nullopt;
  AxisLayout unified;
  for (size_t dim = 0; dim < a.size(); ++dim) {
    // Earlier dimensions may have bound unknowns of this one.
    std::optional<AxisDim> pieces =
        unifyDim(resolve({a[dim]}).front(), resolve({b[dim]}).front());
    if (!pieces)
      return std::nullopt;
    unified.push_back(std::move(*pieces));
  }
  return unified;
}

AxisTensor AxisTable::nameUnknowns(AxisTensor tensor) {
  tensor.layout = resolve(tensor.layout);
  for (const AxisDim &dim : tensor.layout)
    for (const AxisPiece &piece : dim)
      if (piece.isUnknown() && !bindings.contains(piece.axis))
        bind(piece, AxisPiece{piece.size, add(piece.size)});
  tensor.layout = resolve(tensor.layout);
  return tensor;
}

bool AxisTable::isSame(const AxisTensor &a, const AxisTensor &b) {
  auto strip = [&](AxisTensor tensor) {
    while (auto wider = tensor.value.getDefiningOp<arith::ExtFOp>())
      tensor = trace({wider.getIn(), tensor.layout}, /*throughRepeats=*/false);
    return tensor;
  };
  AxisTensor left = strip(a), right = strip(b);
  return left.value == right.value && unify(left.layout, right.layout);
}

//===----------------------------------------------------------------------===//
// Operations that only move elements
//===----------------------------------------------------------------------===//

std::optional<AxisLayout> AxisTable::regroup(const AxisLayout &layout,
                                             ArrayRef<int64_t> shape) {
  AxisDim pieces;
  for (const AxisDim &dim : layout)
    llvm::append_range(pieces, dim);
  AxisLayout regrouped;
  size_t next = 0;
  for (int64_t size : shape) {
    AxisDim &dim = regrouped.emplace_back();
    for (int64_t missing = size; missing > 1;) {
      if (next == pieces.size())
        return std::nullopt;
      AxisPiece &piece = pieces[next];
      if (missing % piece.size == 0) {
        dim.push_back(piece);
        missing /= piece.size;
        ++next;
      } else if (piece.isRepeated() && piece.size % missing == 0) {
        dim.push_back({missing, AxisPiece::kRepeated});
        piece.size /= missing;
        missing = 1;
      } else {
        return std::nullopt;
      }
    }
  }
  return regrouped;
}

/// What the dimensions of tensor `to` are if those of tensor `from` are
/// `layout`: those of the iteration space, along which it repeats what `from`
/// does not have.
static std::optional<AxisLayout> carry(Operation *op, unsigned from,
                                       unsigned to, const AxisLayout &layout) {
  std::optional<IndexingMaps> maps = getViewMaps(op);
  auto source = maps ? maps->getWholeDims(from) : std::nullopt,
       target = maps ? maps->getWholeDims(to) : std::nullopt;
  if (!source || !target)
    return std::nullopt;
  AxisLayout space(maps->getDims().size());
  for (auto [dim, pieces] : llvm::zip_equal(*source, layout))
    if (dim != IndexingMaps::kNone)
      llvm::append_range(space[dim], pieces);
  AxisDim carried;
  int64_t previous = IndexingMaps::kNone;
  for (int64_t dim : *target) {
    if (dim == IndexingMaps::kNone || dim == previous)
      continue;
    if (space[dim].empty())
      carried.push_back({maps->getDims()[dim].size, AxisPiece::kRepeated});
    llvm::append_range(carried, space[dim]);
    previous = dim;
  }
  return AxisTable::regroup({carried}, maps->getShape(to));
}

std::optional<AxisLayout> AxisTable::forward(Operation *op,
                                             const AxisLayout &operand) {
  return carry(op, 0, 1, operand);
}

std::optional<AxisLayout> AxisTable::backward(Operation *op,
                                              const AxisLayout &result) {
  return carry(op, 1, 0, result);
}

AxisTensor AxisTable::trace(AxisTensor tensor, bool throughRepeats) const {
  tensor.layout = resolve(tensor.layout);
  while (Operation *op = tensor.value.getDefiningOp()) {
    std::optional<AxisLayout> layout = backward(op, tensor.layout);
    if (!layout)
      break;
    bool repeats = typeOf(op->getResult(0)).getNumElements() !=
                   typeOf(op->getOperand(0)).getNumElements();
    if (repeats && !throughRepeats)
      break;
    tensor = {op->getOperand(0), std::move(*layout)};
  }
  return tensor;
}
