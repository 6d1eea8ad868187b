//===- Scans.cpp - CHLO's scan --------------------------------------------===//
//
// A loop over one dimension: its body takes a slice of every input and what is
// carried, and returns a slice of every output and what is carried on.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

/// One `chlo.scan`, along dimension `dim` of `length` elements.
struct Scan {
  Operation *op;
  int64_t dim, length;
  /// Of the operands and of the results; behind them stands what is carried.
  size_t numInputs, numOutputs;

  Block &body() const { return op->getRegion(0).front(); }
  /// `type` without the dimension.
  RankedTensorType sliceType(RankedTensorType type) const {
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + dim);
    return type.clone(shape);
  }
  /// The index along every dimension of `type`, of which `index` is that along
  /// this one.
  SmallVector<Value> indicesAt(RankedTensorType type, Value index,
                               Conversion &c) const {
    SmallVector<Value> all(type.getRank(),
                           c.splat(index.getType(), APInt(32, 0)));
    all[dim] = index;
    return all;
  }
  Value take(Value whole, Value index, Conversion &c) const;
  Value put(Value whole, Value slice, Value index, Conversion &c) const;
};

} // namespace

Value Scan::take(Value whole, Value index, Conversion &c) const {
  RankedTensorType type = typeOf(whole);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 1;
  Value slice = DynamicSliceOp::create(c.builder, type.clone(shape), whole,
                                       indicesAt(type, index, c));
  return ReshapeOp::create(c.builder, sliceType(type), slice);
}

Value Scan::put(Value whole, Value slice, Value index, Conversion &c) const {
  RankedTensorType type = typeOf(whole);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 1;
  Value thick = ReshapeOp::create(c.builder, type.clone(shape), slice);
  return DynamicUpdateSliceOp::create(c.builder, type, whole, thick,
                                      indicesAt(type, index, c));
}

/// What `op` scans; fails after a diagnostic.
static FailureOr<Scan> readScan(Operation *op, Conversion &c) {
  FailureOr<int64_t> dim = c.integer(op, "dimension");
  if (failed(dim))
    return failure();
  auto operands = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  auto results = op->getAttrOfType<DenseI32ArrayAttr>("resultSegmentSizes");
  auto refuse = [&] {
    return emitError(op->getLoc())
           << "expected inputs of one length along 'dimension' of '"
           << op->getName() << "', and a body of their slices and of what it "
           << "carries";
  };
  auto isCount = [](int32_t count) { return count >= 0; };
  if (!operands || !results || operands.size() != 2 || results.size() != 2 ||
      !llvm::all_of(operands.asArrayRef(), isCount) ||
      !llvm::all_of(results.asArrayRef(), isCount))
    return refuse(), failure();
  Scan scan = {op, *dim, -1, size_t(operands[0]), size_t(results[0])};
  bool fits = op->getNumOperands() == scan.numInputs + operands[1] &&
              op->getNumResults() == scan.numOutputs + results[1] &&
              operands[1] == results[1] && scan.numInputs > 0;
  SmallVector<Type> types(
      TypeRange(op->getOperandTypes()).take_front(fits ? scan.numInputs : 0));
  if (fits)
    llvm::append_range(
        types, TypeRange(op->getResultTypes()).take_front(scan.numOutputs));
  SmallVector<Type> slices;
  for (Type type : types) {
    RankedTensorType own = c.convertType(type, op->getLoc());
    if (!own)
      return failure();
    fits = fits && *dim >= 0 && *dim < own.getRank() &&
           (scan.length < 0 || own.getDimSize(*dim) == scan.length);
    if (!fits)
      return refuse(), failure();
    scan.length = own.getDimSize(*dim);
    slices.push_back(scan.sliceType(cast<RankedTensorType>(type)));
  }
  auto carried =
      TypeRange(op->getOperandTypes()).drop_front(fits ? scan.numInputs : 0);
  SmallVector<Type> in(ArrayRef(slices).take_front(scan.numInputs)),
      out(ArrayRef(slices).drop_front(scan.numInputs));
  llvm::append_range(in, carried);
  llvm::append_range(out, carried);
  if (!fits || scan.body().getArgumentTypes() != TypeRange(in) ||
      scan.body().back().getOperandTypes() != TypeRange(out))
    return refuse(), failure();
  return scan;
}

/// A loop that carries the outputs, filled slice by slice, before what the scan
/// carries.
static LogicalResult convertScan(Operation *op, ValueRange operands,
                                 Conversion &c,
                                 SmallVectorImpl<Value> &results) {
  FailureOr<Scan> scan = readScan(op, c);
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(scan) || failed(types))
    return failure();
  ImplicitLocOpBuilder &b = c.builder;
  SmallVector<Value> inits;
  for (Type type : ArrayRef(*types).take_front(scan->numOutputs))
    inits.push_back(c.zeros(cast<RankedTensorType>(type)));
  llvm::append_range(inits, operands.drop_front(scan->numInputs));
  if (scan->length == 0)
    return results.append(inits), success();
  auto number = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  Value zero = number(0), one = number(1), length = number(scan->length);
  auto loop = scf::ForOp::create(b, zero, length, one, inits);
  OpBuilder::InsertionGuard guard(b);
  if (!loop.getBody()->empty())
    loop.getBody()->back().erase();
  b.setInsertionPointToEnd(loop.getBody());
  Value step = loop.getInductionVar();
  if (c.flag(op, "is_reverse"))
    step = arith::SubIOp::create(b, number(scan->length - 1), step);
  Value index = tensor::FromElementsOp::create(
      b, RankedTensorType::get({}, b.getI32Type()), ValueRange(step));
  for (auto [i, argument] : llvm::enumerate(scan->body().getArguments()))
    c.map(argument,
          i < scan->numInputs
              ? scan->take(operands[i], index, c)
              : loop.getRegionIterArg(scan->numOutputs + i - scan->numInputs));
  SmallVector<Value> yielded;
  if (failed(c.convertBody(scan->body(), yielded)))
    return failure();
  for (size_t i = 0; i < scan->numOutputs; ++i)
    yielded[i] = scan->put(loop.getRegionIterArg(i), yielded[i], index, c);
  scf::YieldOp::create(b, yielded);
  llvm::append_range(results, loop.getResults());
  return success();
}

void tessera::importer::addScans(ConversionTable &table) {
  static constexpr StringLiteral kScan[] = {
      "dimension", "is_reverse", "is_associative", "operandSegmentSizes",
      "resultSegmentSizes"};
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"chlo.scan", convertScan, kAny, kAny, 1, kScan},
  };
  addRows(table, rows);
}
