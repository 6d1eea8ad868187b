//===- ShortTypeBits.cpp - the same bits as elements of another type ------===//

#include "ShortTypes/ShortTypeBits.h"

#include "ShortTypes/ShortType.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// `value` where `like` is built.
static Real of(Real like, Value value) { return {like.context, value}; }

/// `bytes`, of which each is `parts` elements of type `to`, the first in the
/// lowest bits, as bytes of one each, in one more dimension.
static Real splitBytes(Real bytes, int64_t parts, unsigned width) {
  auto &[builder, location] = *bytes.context;
  RankedTensorType type = bytes.type();
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  SmallVector<Value> columns;
  for (int64_t i = 0; i < parts; ++i) {
    Real shifted =
        apply("shift_right_logical", {bytes, integerLike(bytes, i * width)});
    Real part = apply("and", {shifted, integerLike(bytes, (1 << width) - 1)});
    columns.push_back(createForeign(builder, location, "stablehlo.reshape",
                                    part.value, type.clone(shape))
                          ->getResult(0));
  }
  shape.back() = parts;
  return of(bytes, createForeign(builder, location, "stablehlo.concatenate",
                                 columns, type.clone(shape),
                                 builder.getNamedAttr(
                                     "dimension",
                                     builder.getI64IntegerAttr(type.getRank())))
                       ->getResult(0));
}

/// The inverse.
static Real joinBytes(Real elements, unsigned width) {
  auto &[builder, location] = *elements.context;
  RankedTensorType type = elements.type();
  SmallVector<int64_t> shape(type.getShape().drop_back());
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1);
  std::optional<Real> joined;
  for (int64_t i = 0; i < type.getShape().back(); ++i) {
    starts.back() = i;
    limits.back() = i + 1;
    SmallVector<int64_t> column(type.getShape());
    column.back() = 1;
    Operation *slice = createForeign(
        builder, location, "stablehlo.slice", elements.value,
        type.clone(column),
        {builder.getNamedAttr("start_indices",
                              builder.getDenseI64ArrayAttr(starts)),
         builder.getNamedAttr("limit_indices",
                              builder.getDenseI64ArrayAttr(limits)),
         builder.getNamedAttr("strides",
                              builder.getDenseI64ArrayAttr(strides))});
    Real part =
        of(elements, createForeign(builder, location, "stablehlo.reshape",
                                   slice->getResult(0), type.clone(shape))
                         ->getResult(0));
    part = apply("and", {part, integerLike(part, (1 << width) - 1)});
    part = apply("shift_left", {part, integerLike(part, i * width)});
    joined = joined ? apply("or", {*joined, part}) : part;
  }
  return *joined;
}

bool tessera::importer::areSameBits(RankedTensorType from,
                                    RankedTensorType to) {
  unsigned least = std::min(widthOf(from), widthOf(to)),
           most = std::max(widthOf(from), widthOf(to));
  if (least >= 8) // The conversion of the operation checks it.
    return true;
  if (most % least != 0)
    return false;
  SmallVector<int64_t> row((widthOf(from) == least ? to : from).getShape());
  if (least != most)
    row.push_back(most / least);
  return ArrayRef(row) == (widthOf(from) == least ? from : to).getShape() &&
         (least == most || most >= 8);
}

/// What is left of a change between types of bits is one between bytes, which
/// stands for every byte what it is made of.
Real tessera::importer::changeBits(Real bits, RankedTensorType from,
                                   RankedTensorType to) {
  auto &[builder, location] = *bits.context;
  Type byte = IntegerType::get(from.getContext(), 8, IntegerType::Unsigned);
  auto change = [&](Real value, RankedTensorType type,
                    StringRef name = "stablehlo.bitcast_convert") -> Real {
    if (value.type() == type)
      return value;
    return of(value, createForeign(builder, location, name, value.value, type)
                         ->getResult(0));
  };
  auto withRow = [&](RankedTensorType wide, SmallVector<int64_t> row) {
    SmallVector<int64_t> shape(wide.getShape());
    llvm::append_range(shape, row);
    return RankedTensorType::get(shape, byte);
  };
  unsigned fromWidth = widthOf(from), toWidth = widthOf(to);
  SmallVector<int64_t> bytesOfFrom, bytesOfTo;
  if (fromWidth > 8)
    bytesOfFrom.push_back(fromWidth / 8);
  if (toWidth > 8)
    bytesOfTo.push_back(toWidth / 8);
  if (fromWidth < 8 && toWidth > fromWidth) {
    bits = change(bits, from.clone(byte));
    bytesOfTo.push_back(8 / fromWidth);
    bits = change(bits, withRow(to, bytesOfTo), "stablehlo.reshape");
    bits = joinBytes(bits, fromWidth);
  } else if (toWidth < 8 && toWidth < fromWidth) {
    bits = change(bits, withRow(from, bytesOfFrom));
    bits = splitBytes(bits, 8 / toWidth, toWidth);
    bits = change(bits, to.clone(byte), "stablehlo.reshape");
  }
  bits = isShort(to) ? fromBits(change(bits, storedType(to)), to)
                     : change(bits, to);
  return bits;
}
