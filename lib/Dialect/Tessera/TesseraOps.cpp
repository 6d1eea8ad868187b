//===- TesseraOps.cpp - verifiers and folders of structured operations ----===//

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Parsing a monoid's name: `tessera.reduce sum %0`
//===----------------------------------------------------------------------===//

ParseResult tessera::parseReduction(OpAsmParser &parser, ReductionAttr &kind) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<ReductionKind> value = parseReductionKind(keyword);
  if (!value)
    return parser.emitError(loc) << "expected a reduction (sum, product, min, "
                                    "max, and, or, xor), got '"
                                 << keyword << "'";
  kind = ReductionAttr::get(parser.getContext(), *value);
  return success();
}

void tessera::printReduction(OpAsmPrinter &printer, Operation *,
                             ReductionAttr kind) {
  printer << stringify(kind.getKind());
}

static ParseResult parseOptionalReduction(OpAsmParser &parser,
                                          ReductionAttr &kind) {
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(
          &keyword, {"sum", "product", "min", "max", "and", "or", "xor"})))
    return success();
  kind = ReductionAttr::get(parser.getContext(), *parseReductionKind(keyword));
  return success();
}

static void printOptionalReduction(OpAsmPrinter &printer, Operation *op,
                                   ReductionAttr kind) {
  if (kind)
    printReduction(printer, op, kind);
}

//===----------------------------------------------------------------------===//
// MeshOp
//===----------------------------------------------------------------------===//

Machine MeshOp::getMachine() {
  if (MachineAttr machine = getOnAttr())
    return machine.getMachine();
  return Machine(getMesh().getMesh());
}

LogicalResult MeshOp::verify() {
  if (!getOnAttr())
    return success();
  std::string error = getOnAttr().getMachine().verify(getMesh().getMesh());
  return error.empty() ? success() : emitOpError() << error;
}

//===----------------------------------------------------------------------===//
// Checks that several operations share
//===----------------------------------------------------------------------===//

/// `dims` must be distinct dimensions of a tensor of rank `rank`; `what` names
/// them in the diagnostic.
static LogicalResult verifyDims(Operation *op, StringRef what,
                                ArrayRef<int64_t> dims, int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError()
             << what << " dimension " << dim
             << " is out of range: expected 0 to " << rank - 1;
    if (seen.test(dim))
      return op->emitOpError()
             << what << " dimension " << dim << " appears twice";
    seen.set(dim);
  }
  return success();
}

static LogicalResult verifyCount(Operation *op, StringRef what, size_t got,
                                 size_t expected) {
  if (got != expected)
    return op->emitOpError()
           << "expected " << expected << " " << what << ", got " << got;
  return success();
}

/// The result must have this shape and the operand's element type.
static LogicalResult verifyResult(Operation *op, RankedTensorType got,
                                  ArrayRef<int64_t> shape, Type elementType) {
  auto expected = RankedTensorType::get(shape, elementType);
  if (got != expected)
    return op->emitOpError()
           << "expected result type " << expected << ", got " << got;
  return success();
}

/// Dimensions of a tensor of rank `rank` that none of `lists` contains, in
/// order.
static SmallVector<int64_t>
remainingDims(int64_t rank, std::initializer_list<ArrayRef<int64_t>> lists) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (llvm::none_of(lists, [&](ArrayRef<int64_t> list) {
          return llvm::is_contained(list, dim);
        }))
      dims.push_back(dim);
  return dims;
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

LogicalResult ConstrainOp::verify() {
  return verifySharding(*this, getSharding(), getType());
}
LogicalResult ReshardOp::verify() {
  return verifySharding(*this, getSharding(), getType());
}

LogicalResult ShardingGroupOp::verify() {
  if (int64_t(getGroup()) < 0)
    return emitOpError() << "expected a group of at least 0, got "
                         << int64_t(getGroup());
  return success();
}

//===----------------------------------------------------------------------===//
// Matmuls, reductions and orders
//===----------------------------------------------------------------------===//

SmallVector<int64_t> DotGeneralOp::getLhsFree() {
  return remainingDims(typeOf(getLhs()).getRank(),
                       {getLhsBatching(), getLhsContracting()});
}
SmallVector<int64_t> DotGeneralOp::getRhsFree() {
  return remainingDims(typeOf(getRhs()).getRank(),
                       {getRhsBatching(), getRhsContracting()});
}

LogicalResult DotGeneralOp::verify() {
  RankedTensorType lhs = typeOf(getLhs()), rhs = typeOf(getRhs());
  auto check = [&](StringRef what, ArrayRef<int64_t> left,
                   ArrayRef<int64_t> right) -> LogicalResult {
    if (left.size() != right.size())
      return emitOpError() << "expected as many " << what
                           << " dimensions of rhs as of lhs (" << left.size()
                           << "), got " << right.size();
    for (auto [l, r] : llvm::zip_equal(left, right))
      if (l >= 0 && l < lhs.getRank() && r >= 0 && r < rhs.getRank() &&
          lhs.getDimSize(l) != rhs.getDimSize(r))
        return emitOpError()
               << what << " dimensions differ in size: dimension " << l
               << " of lhs has " << lhs.getDimSize(l) << ", dimension " << r
               << " of rhs has " << rhs.getDimSize(r);
    return success();
  };
  SmallVector<int64_t> lhsDims(getLhsBatching()), rhsDims(getRhsBatching());
  llvm::append_range(lhsDims, getLhsContracting());
  llvm::append_range(rhsDims, getRhsContracting());
  if (failed(verifyDims(*this, "lhs", lhsDims, lhs.getRank())) ||
      failed(verifyDims(*this, "rhs", rhsDims, rhs.getRank())) ||
      failed(check("batching", getLhsBatching(), getRhsBatching())) ||
      failed(check("contracting", getLhsContracting(), getRhsContracting())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim : getLhsBatching())
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim : getLhsFree())
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim : getRhsFree())
    shape.push_back(rhs.getDimSize(dim));
  return verifyResult(*this, getType(), shape, getType().getElementType());
}

static SmallVector<int64_t> reducedShape(RankedTensorType type,
                                         ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape;
  for (int64_t dim : remainingDims(type.getRank(), {dims}))
    shape.push_back(type.getDimSize(dim));
  return shape;
}

LogicalResult ReduceOp::verify() {
  RankedTensorType type = typeOf(getOperand());
  if (failed(verifyDims(*this, "reduced", getDims(), type.getRank())))
    return failure();
  bool bitwise = llvm::is_contained(
      {ReductionKind::And, ReductionKind::Or, ReductionKind::Xor},
      getKind().getKind());
  if (bitwise && !type.getElementType().isInteger())
    return emitOpError() << "expected integers for "
                         << stringify(getKind().getKind()) << ", got "
                         << type.getElementType();
  return verifyResult(*this, getType(), reducedShape(type, getDims()),
                      type.getElementType());
}

LogicalResult VariadicReduceOp::verify() {
  size_t n = getInputs().size();
  if (n == 0)
    return emitOpError("expected at least one input");
  if (failed(verifyCount(*this, "results", getResults().size(), n)) ||
      failed(verifyCount(*this, "region arguments", getBody().getNumArguments(),
                         2 * n)) ||
      failed(verifyCount(*this, "yielded values",
                         getBody().front().getTerminator()->getNumOperands(),
                         n)))
    return failure();
  RankedTensorType first = typeOf(getInputs().front());
  if (failed(verifyDims(*this, "reduced", getDims(), first.getRank())))
    return failure();
  for (auto [operand, init, result, argument] :
       llvm::zip(getInputs(), getInits(), getResults(),
                 getBody().getArguments().take_front(n))) {
    RankedTensorType type = typeOf(operand);
    if (type.getShape() != first.getShape())
      return emitOpError() << "expected operands of one shape, got " << first
                           << " and " << type;
    auto scalar = RankedTensorType::get({}, type.getElementType());
    if (init.getType() != scalar || argument.getType() != scalar)
      return emitOpError() << "expected an init and a region argument of type "
                           << scalar << ", got " << init.getType() << " and "
                           << argument.getType();
    if (failed(verifyResult(*this, typeOf(result),
                            reducedShape(type, getDims()),
                            type.getElementType())))
      return failure();
  }
  return success();
}

LogicalResult SortOp::verify() {
  size_t n = getInputs().size();
  if (n == 0)
    return emitOpError("expected at least one input");
  if (failed(verifyCount(*this, "results", getResults().size(), n)) ||
      failed(verifyCount(*this, "region arguments", getBody().getNumArguments(),
                         2 * n)))
    return failure();
  auto decision = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  TypeRange yielded = getBody().front().getTerminator()->getOperandTypes();
  if (yielded != TypeRange(decision))
    return emitOpError() << "expected a region that yields one " << decision;
  RankedTensorType first = typeOf(getInputs().front()),
                   firstResult = typeOf(getResults().front());
  if (failed(verifyDims(*this, "sorted", int64_t(getDim()), first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  if (firstResult.getRank() == first.getRank())
    shape[getDim()] =
        std::min(shape[getDim()], firstResult.getDimSize(getDim()));
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    RankedTensorType type = typeOf(input);
    if (type.getShape() != first.getShape())
      return emitOpError() << "expected operands of one shape, got " << first
                           << " and " << type;
    auto scalar = RankedTensorType::get({}, type.getElementType());
    for (BlockArgument argument : getBody().getArguments().slice(2 * i, 2))
      if (argument.getType() != scalar)
        return emitOpError() << "expected region arguments of type " << scalar
                             << ", got " << argument.getType();
    if (failed(verifyResult(*this, typeOf(getResult(i)), shape,
                            type.getElementType())))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = typeOf(getOperand()), to = getType();
  if (failed(verifyCount(*this, "dimensions in dims", getDims().size(),
                         from.getRank())) ||
      failed(verifyDims(*this, "result", getDims(), to.getRank())))
    return failure();
  for (auto [i, dim] : llvm::enumerate(getDims()))
    if (from.getDimSize(i) != 1 && from.getDimSize(i) != to.getDimSize(dim))
      return emitOpError() << "expected operand dimension " << i
                           << " of size 1 or " << to.getDimSize(dim)
                           << " (result dimension " << dim << "), got "
                           << from.getDimSize(i);
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "expected element type " << from.getElementType()
                         << ", got " << to.getElementType();
  return success();
}

LogicalResult TransposeOp::verify() {
  RankedTensorType type = typeOf(getOperand());
  if (failed(verifyCount(*this, "dimensions in permutation",
                         getPermutation().size(), type.getRank())) ||
      failed(
          verifyDims(*this, "permutation", getPermutation(), type.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim : getPermutation())
    shape.push_back(type.getDimSize(dim));
  return verifyResult(*this, getType(), shape, type.getElementType());
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = typeOf(getOperand()), to = getType();
  if (from.getNumElements() != to.getNumElements())
    return emitOpError() << "expected " << from.getNumElements()
                         << " elements in the result, got "
                         << to.getNumElements();
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "expected element type " << from.getElementType()
                         << ", got " << to.getElementType();
  return success();
}

LogicalResult SliceOp::verify() {
  RankedTensorType type = typeOf(getOperand());
  size_t rank = type.getRank();
  if (failed(verifyCount(*this, "starts", getStarts().size(), rank)) ||
      failed(verifyCount(*this, "limits", getLimits().size(), rank)) ||
      failed(verifyCount(*this, "strides", getStrides().size(), rank)))
    return failure();
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) {
    int64_t start = getStarts()[i], limit = getLimits()[i],
            stride = getStrides()[i];
    if (start < 0 || start > limit || limit > type.getDimSize(i))
      return emitOpError() << "expected 0 <= start <= limit <= "
                           << type.getDimSize(i) << " in dimension " << i
                           << ", got start " << start << " and limit " << limit;
    if (stride <= 0)
      return emitOpError() << "expected a positive stride in dimension " << i
                           << ", got " << stride;
    shape.push_back((limit - start + stride - 1) / stride);
  }
  return verifyResult(*this, getType(), shape, type.getElementType());
}

/// A box of `box`'s shape inside a tensor of type `whole`, placed by
/// `numIndices` indices.
static LogicalResult verifyBox(Operation *op, RankedTensorType whole,
                               RankedTensorType box, size_t numIndices) {
  if (failed(verifyCount(op, "indices", numIndices, whole.getRank())))
    return failure();
  if (box.getRank() != whole.getRank() ||
      box.getElementType() != whole.getElementType())
    return op->emitOpError()
           << "expected a box of rank " << whole.getRank()
           << " and element type " << whole.getElementType() << ", got " << box;
  for (int64_t i = 0; i < whole.getRank(); ++i)
    if (box.getDimSize(i) > whole.getDimSize(i))
      return op->emitOpError()
             << "expected a box of at most " << whole.getDimSize(i)
             << " elements in dimension " << i << ", got " << box.getDimSize(i);
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  return verifyBox(*this, typeOf(getOperand()), getType(), getIndices().size());
}

LogicalResult DynamicUpdateSliceOp::verify() {
  if (getType() != getOperand().getType())
    return emitOpError() << "expected result type " << getOperand().getType()
                         << ", got " << getType();
  return verifyBox(*this, typeOf(getOperand()), typeOf(getUpdate()),
                   getIndices().size());
}

LogicalResult PadOp::verify() {
  RankedTensorType type = typeOf(getOperand());
  size_t rank = type.getRank();
  if (failed(verifyCount(*this, "low paddings", getLow().size(), rank)) ||
      failed(verifyCount(*this, "high paddings", getHigh().size(), rank)) ||
      failed(
          verifyCount(*this, "interior paddings", getInterior().size(), rank)))
    return failure();
  if (typeOf(getValue()) != RankedTensorType::get({}, type.getElementType()))
    return emitOpError() << "expected a scalar of " << type.getElementType()
                         << " as padding value, got " << getValue().getType();
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = type.getDimSize(i), interior = getInterior()[i];
    if (interior < 0)
      return emitOpError()
             << "expected interior padding of at least 0 in dimension " << i
             << ", got " << interior;
    int64_t padded = getLow()[i] + size +
                     std::max<int64_t>(size - 1, 0) * interior + getHigh()[i];
    if (padded < 0)
      return emitOpError() << "padding leaves " << padded
                           << " elements in dimension " << i
                           << ", expected at least 0";
    shape.push_back(padded);
  }
  return verifyResult(*this, getType(), shape, type.getElementType());
}

LogicalResult ConcatenateOp::verify() {
  if (getOperands().empty())
    return emitOpError("expected at least one operand");
  RankedTensorType first = typeOf(getOperands().front());
  int64_t dim = getDim();
  if (dim < 0 || dim >= first.getRank())
    return emitOpError() << "dimension " << dim
                         << " is out of range: expected 0 to "
                         << first.getRank() - 1;
  SmallVector<int64_t> shape(first.getShape());
  for (Value operand : getOperands().drop_front()) {
    RankedTensorType type = typeOf(operand);
    bool agree = type.getRank() == first.getRank() &&
                 type.getElementType() == first.getElementType();
    for (int64_t i = 0; agree && i < first.getRank(); ++i)
      agree = i == dim || type.getDimSize(i) == first.getDimSize(i);
    if (!agree)
      return emitOpError() << "expected operands that differ only in dimension "
                           << dim << ", got " << first << " and " << type;
    shape[dim] += type.getDimSize(dim);
  }
  return verifyResult(*this, getType(), shape, first.getElementType());
}

LogicalResult ReverseOp::verify() {
  return verifyDims(*this, "reversed", getDims(), getType().getRank());
}

LogicalResult IotaOp::verify() {
  if (getDim() >= uint64_t(getType().getRank()))
    return emitOpError() << "dimension " << int64_t(getDim())
                         << " is out of range: expected 0 to "
                         << getType().getRank() - 1;
  return success();
}

LogicalResult BarrierOp::verify() {
  if (getOperandTypes() != getResultTypes())
    return emitOpError("expected results of the operands' types");
  return success();
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Tessera/TesseraOps.cpp.inc"
