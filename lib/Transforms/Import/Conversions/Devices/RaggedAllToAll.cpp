//===- RaggedAllToAll.cpp - exchanges of computed numbers of rows ---------===//
//
// JAX's `ragged_all_to_all`: device i sends rows [inputOffset, inputOffset +
// sendSize) of its operand to device j, which has them from row outputOffset of
// its output on; all three are computed numbers, one per i and j, that the
// sender has. A program of static shapes cannot send as many rows as it turns
// out. So all devices of a group get the rows of all, and for each row of its
// output a device finds which of them belongs there.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Devices/Collectives.h"

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

/// Builds the exchange between `count` devices.
class RaggedExchange {
public:
  RaggedExchange(Conversion &c, AxesAttr axes, int64_t count)
      : c(c), b(c.builder), axes(axes), count(count) {}

  /// What a device has in place of `output`. `numbers` are input offsets, send
  /// sizes, and output offsets, per receiver.
  Value build(Value operand, Value output, ValueRange numbers);

private:
  RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  Value reshaped(Value value, ArrayRef<int64_t> shape) {
    return ReshapeOp::create(b, typeOf(value).clone(shape), value);
  }
  SmallVector<Value, 3> exchanged(ValueRange numbers);
  Value gathered(Value operand);
  void findOrigins(ArrayRef<Value> numbers, int64_t operandRows,
                   int64_t outputRows);
  Value rowsAt(Value all, Value indices);

  Conversion &c;
  ImplicitLocOpBuilder &b;
  /// Null where there is one device.
  AxesAttr axes;
  int64_t count;
  /// Per row of the output, which of all rows it is, and whether it is one.
  Value origin, isSent;
};

} // namespace

/// `numbers`, each of all receivers, of all senders to this device.
SmallVector<Value, 3> RaggedExchange::exchanged(ValueRange numbers) {
  SmallVector<Value, 3> columns;
  for (Value number : numbers)
    columns.push_back(reshaped(number, {count, 1}));
  auto type = typeOf(columns.front()).clone({count, int64_t(columns.size())});
  Value table = ConcatenateOp::create(b, type, columns, 1);
  if (axes)
    table = spmd::AllToAllOp::create(b, type, table, 0, 0, axes);
  SmallVector<Value, 3> received;
  for (int64_t i = 0; i < int64_t(columns.size()); ++i) {
    Value column = SliceOp::create(
        b, type.clone({count, 1}), table, ArrayRef<int64_t>{0, i},
        ArrayRef<int64_t>{count, i + 1}, ArrayRef<int64_t>{1, 1});
    received.push_back(reshaped(column, {count}));
  }
  return received;
}

/// The rows of all devices.
Value RaggedExchange::gathered(Value operand) {
  if (!axes)
    return operand;
  SmallVector<int64_t> shape(typeOf(operand).getShape());
  shape[0] *= count;
  return spmd::AllGatherOp::create(b, typeOf(operand).clone(shape), operand, 0,
                                   axes);
}

/// Compares every row of the output with the rows of every sender.
void RaggedExchange::findOrigins(ArrayRef<Value> numbers, int64_t operandRows,
                                 int64_t outputRows) {
  auto list = typeOf(numbers.front());
  auto pairs = list.clone({outputRows, count});
  auto perSender = [&](Value value) -> Value {
    return BroadcastOp::create(b, pairs, value, ArrayRef<int64_t>{1});
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpIOp::create(b, predicate, x, y);
  };
  unsigned width = list.getElementTypeBitWidth();
  Value row = IotaOp::create(b, pairs, 0), begin = perSender(numbers[2]);
  Value end = arith::AddIOp::create(b, numbers[2], numbers[1]);
  Value hit = arith::AndIOp::create(
      b, compare(arith::CmpIPredicate::sge, row, begin),
      compare(arith::CmpIPredicate::slt, row, perSender(end)));
  // Row `r` of the output is row `r - begin + input offset` of the sender's.
  Value first = arith::MulIOp::create(b, IotaOp::create(b, list, 0),
                                      c.splat(list, APInt(width, operandRows)));
  first = arith::AddIOp::create(b, first, numbers[0]);
  first = arith::SubIOp::create(b, first, numbers[2]);
  Value source = arith::AddIOp::create(b, row, perSender(first));
  source = arith::SelectOp::create(b, hit, source,
                                   c.splat(pairs, APInt::getZero(width)));
  auto ofSenders = [&](ReductionKind kind, Value value) -> Value {
    return ReduceOp::create(b, typeOf(value).clone({outputRows}),
                            ReductionAttr::get(b.getContext(), kind), value,
                            ArrayRef<int64_t>{1});
  };
  origin = ofSenders(ReductionKind::Max, source);
  isSent = ofSenders(ReductionKind::Or, hit);
}

/// Rows `indices` of `all`.
Value RaggedExchange::rowsAt(Value all, Value indices) {
  SmallVector<int64_t> shape(typeOf(all).getShape()), offset;
  shape[0] = typeOf(indices).getDimSize(0);
  SmallVector<int64_t> sizes(shape);
  sizes[0] = 1;
  for (int64_t dim = 1; dim < int64_t(shape.size()); ++dim)
    offset.push_back(dim);
  ArrayRef<int64_t> none;
  return GatherOp::create(b, typeOf(all).clone(shape), all, indices, offset,
                          ArrayRef<int64_t>{0}, none, none,
                          ArrayRef<int64_t>{0}, 1, sizes);
}

Value RaggedExchange::build(Value operand, Value output, ValueRange numbers) {
  RankedTensorType type = typeOf(output);
  Value all = gathered(operand);
  findOrigins(exchanged(numbers), typeOf(operand).getDimSize(0),
              type.getDimSize(0));
  Value sent = BroadcastOp::create(b, type.clone(b.getI1Type()), isSent,
                                   ArrayRef<int64_t>{0});
  return arith::SelectOp::create(b, sent, rowsAt(all, origin), output);
}

/// Whether the operands are an operand, an output of rows of the same kind, and
/// four lists of `count` signed numbers of one type.
static bool areRagged(Operation *op, int64_t count) {
  auto operand = cast<RankedTensorType>(op->getOperand(0).getType());
  auto output = cast<RankedTensorType>(op->getOperand(1).getType());
  auto numbers = cast<RankedTensorType>(op->getOperand(2).getType());
  return operand.getRank() > 0 && operand.getRank() == output.getRank() &&
         operand.getElementType() == output.getElementType() &&
         operand.getShape().drop_front() == output.getShape().drop_front() &&
         numbers.getShape() == ArrayRef<int64_t>{count} &&
         elementKind(numbers) == ElementKind::Signed &&
         llvm::all_equal(llvm::drop_begin(op->getOperandTypes(), 2));
}

static LogicalResult convertRagged(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  auto config = op->getAttrOfType<DictionaryAttr>("backend_config");
  FailureOr<DeviceGroup> group =
      readGroups(op, config ? config.get("replica_groups") : Attribute(), c);
  if (failed(group))
    return failure();
  int64_t count = group->size;
  if (!areRagged(op, count))
    return emitError(op->getLoc())
           << "expected an operand, an output with rows like the operand's, "
              "and "
              "four lists of "
           << count
           << " signed integers, one for each device of the group, got "
           << op->getOperandTypes();
  results.push_back(RaggedExchange(c, group->axes, count)
                        .build(operands[0], operands[1], operands.slice(2, 3)));
  return success();
}

void tessera::importer::addRaggedAllToAll(ConversionTable &table) {
  static constexpr StringLiteral kAttributes[] = {
      "api_version", "backend_config", "call_target_name"};
  static const OpConversion rows[] = {
      {"stablehlo.custom_call@ragged_all_to_all", convertRagged, 6, 1, 0,
       kAttributes},
  };
  addRows(table, rows);
}
