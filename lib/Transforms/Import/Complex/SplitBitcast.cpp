//===- SplitBitcast.cpp - the bits of complex numbers ---------------------===//

#include "Complex/ComplexSplitter.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Place `at` along the last dimension of `value`, of which `count` are left.
static Value placesOf(ComplexSplitter &s, Value value, int64_t at,
                      int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1), shape(type.getShape());
  starts.back() = at;
  limits.back() = at + count;
  shape.back() = count;
  OpBuilder &b = s.builder;
  NamedAttribute properties[] = {
      b.getNamedAttr("start_indices", b.getDenseI64ArrayAttr(starts)),
      b.getNamedAttr("limit_indices", b.getDenseI64ArrayAttr(limits)),
      b.getNamedAttr("strides", b.getDenseI64ArrayAttr(strides))};
  return createForeign(b, value.getLoc(), "stablehlo.slice", value,
                       type.clone(shape), properties)
      ->getResult(0);
}

/// `first` and `second`, of one place each along the last dimension.
static Value joinPlaces(ComplexSplitter &s, Value first, Value second) {
  auto type = cast<RankedTensorType>(first.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = 2;
  OpBuilder &b = s.builder;
  return createForeign(b, first.getLoc(), "stablehlo.concatenate",
                       {first, second}, type.clone(shape),
                       b.getNamedAttr("dimension",
                                      b.getI64IntegerAttr(type.getRank() - 1)))
      ->getResult(0);
}

/// A number of double precision is two of single precision, the first of which
/// has the bits of the real part: their real parts are the lower halves.
bool tessera::importer::splitBitcast(Operation *op, ComplexSplitter &s) {
  Type result = op->getResult(0).getType();
  if (op->getNumOperands() != 1 || !isComplex(op->getOperand(0).getType()) ||
      !isComplex(result))
    return false;
  Parts from = s.lookup(op->getOperand(0));
  auto own = cast<RankedTensorType>(from.re.getType());
  RankedTensorType part = partType(result);
  if (own == part)
    return s.map(op->getResult(0), from), true;
  bool isNarrower = own.getRank() + 1 == part.getRank();
  RankedTensorType wide = isNarrower ? own : part,
                   halves = isNarrower ? part : own;
  if (!wide.getElementType().isF64() || !halves.getElementType().isF32() ||
      halves.getRank() != wide.getRank() + 1 || halves.getShape().back() != 2 ||
      halves.getShape().drop_back() != wide.getShape())
    return false;
  auto seenAs = [&](Value value, Type type) {
    return createForeign(s.builder, op->getLoc(), "stablehlo.bitcast_convert",
                         value, type)
        ->getResult(0);
  };
  auto joined = [&](Value first, Value second, int64_t at) {
    return joinPlaces(s, placesOf(s, first, at, 1), placesOf(s, second, at, 1));
  };
  if (isNarrower) {
    Value re = seenAs(from.re, part), im = seenAs(from.im, part);
    Value lower = joined(re, im, 0);
    s.map(op->getResult(0), {lower, joined(re, im, 1)});
    return true;
  }
  Value re = seenAs(joined(from.re, from.im, 0), part);
  s.map(op->getResult(0), {re, seenAs(joined(from.re, from.im, 1), part)});
  return true;
}
