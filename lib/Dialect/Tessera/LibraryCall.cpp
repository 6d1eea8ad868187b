//===- LibraryCall.cpp - calls of routines of libraries -------------------===//

#include "IndexingModels.h"
#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Support/RoutineSignatures.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// The text of buffers: `<f32 [0, *, *] order [0, 2, 1]>`
//===----------------------------------------------------------------------===//

Attribute RoutineBufferAttr::parse(AsmParser &parser, Type) {
  Type element;
  SmallVector<int64_t> factors, order;
  using Delimiter = AsmParser::Delimiter;
  auto parseFactor = [&]() -> ParseResult {
    int64_t &factor = factors.emplace_back(kWhole);
    return succeeded(parser.parseOptionalStar()) ? success()
                                                 : parser.parseInteger(factor);
  };
  if (parser.parseLess() || parser.parseType(element) ||
      parser.parseCommaSeparatedList(Delimiter::Square, parseFactor))
    return {};
  if (succeeded(parser.parseOptionalKeyword("order")) &&
      parser.parseCommaSeparatedList(Delimiter::Square, [&] {
        return parser.parseInteger(order.emplace_back());
      }))
    return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), element, factors, order);
}

void RoutineBufferAttr::print(AsmPrinter &printer) const {
  printer << '<' << getElement() << " [";
  llvm::interleaveComma(getFactors(), printer, [&](int64_t factor) {
    factor == kWhole ? void(printer << '*') : void(printer << factor);
  });
  printer << ']';
  if (!getOrder().empty()) {
    printer << " order [";
    llvm::interleaveComma(getOrder(), printer);
    printer << ']';
  }
  printer << '>';
}

RankedTensorType RoutineBufferAttr::getArrayType(RankedTensorType type) const {
  ArrayRef<int64_t> shape = type.getShape();
  if (isa<ComplexType>(getElement()))
    shape = shape.drop_back();
  SmallVector<int64_t> dims(shape);
  for (auto [dim, to] : llvm::enumerate(getOrder()))
    dims[to] = shape[dim];
  return RankedTensorType::get(dims, getElement());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

RankedTensorType LibraryCallOp::getTensorType(unsigned index) {
  unsigned numOperands = getOperands().size();
  return typeOf(index < numOperands ? getOperands()[index]
                                    : getResult(index - numOperands));
}

std::optional<unsigned> LibraryCallOp::getAlias(unsigned result) {
  std::optional<ArrayRef<int64_t>> aliases = getAliases();
  if (!aliases || (*aliases)[result] < 0)
    return std::nullopt;
  return (*aliases)[result];
}

/// A factor: the dimension of every operand and result that is it.
namespace {
struct CallFactor {
  SmallVector<int64_t> operands, results;
  int64_t size = 1;

  static bool isUsed(ArrayRef<int64_t> dims) {
    return llvm::any_of(
        dims, [](int64_t dim) { return dim != ShardingRuleBuilder::kNone; });
  }
};
} // namespace

/// The factors of `op` by their numbers. Of dimensions with one number, the
/// last one's size.
static std::map<int64_t, CallFactor> factorsOf(LibraryCallOp op) {
  size_t numOperands = op.getOperands().size();
  std::map<int64_t, CallFactor> factors;
  for (size_t index = 0; index < op.getBuffers().size(); ++index)
    for (auto [dim, number] :
         llvm::enumerate(op.getBuffer(index).getFactors())) {
      if (number == RoutineBufferAttr::kWhole)
        continue;
      CallFactor &factor = factors[number];
      factor.operands.resize(numOperands, ShardingRuleBuilder::kNone);
      factor.results.resize(op.getNumResults(), ShardingRuleBuilder::kNone);
      (index < numOperands ? factor.operands[index]
                           : factor.results[index - numOperands]) = dim;
      factor.size = op.getTensorType(index).getDimSize(dim);
    }
  return factors;
}

/// The numbers in an optional list.
static ArrayRef<int64_t> listed(std::optional<ArrayRef<int64_t>> numbers) {
  return numbers.value_or(ArrayRef<int64_t>());
}

IndexingMaps tessera::mapsOf(LibraryCallOp op) {
  IndexingMaps maps(op);
  for (const auto &[number, factor] : factorsOf(op)) {
    FactorKind kind = llvm::is_contained(listed(op.getWhole()), number)
                          ? FactorKind::NeedReplication
                      : CallFactor::isUsed(factor.results)
                          ? FactorKind::PassThrough
                          : FactorKind::Reduction;
    maps.addDim(factor.size, factor.operands, factor.results, kind);
  }
  return maps;
}

/// The project's routines take any numbers, and compute each part by itself: of
/// others it is not known what they make of padding.
ShardingRule LibraryCallOp::getShardingRule() {
  ShardingRuleBuilder builder = makeIndexedRule(*this);
  bool isOwn = isOwnRoutine(getRoutine());
  for (FactorId factor = 0; factor < builder.numFactors(); ++factor)
    if (!isOwn || builder.getFactor(factor).kind == FactorKind::Reduction)
      builder.keepEven(factor);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Whether a tensor of elements `stored` holds what a routine sees as `seen`.
static bool holds(Type stored, Type seen) {
  if (auto complex = dyn_cast<ComplexType>(seen))
    return isa<FloatType>(stored) && stored == complex.getElementType();
  if (seen.isUnsignedInteger())
    return stored.isSignlessInteger(seen.getIntOrFloatBitWidth());
  return stored == seen;
}

/// Checks how the routine sees tensor `index`.
static LogicalResult verifyBuffer(LibraryCallOp op, unsigned index) {
  RoutineBufferAttr buffer = op.getBuffer(index);
  RankedTensorType type = op.getTensorType(index);
  bool isComplex = isa<ComplexType>(buffer.getElement());
  if (!holds(type.getElementType(), buffer.getElement()))
    return op.emitOpError()
           << "expected tensor " << index << " to hold elements of type "
           << buffer.getElement() << ", got " << type;
  if (isComplex && (type.getRank() == 0 || type.getShape().back() != 2))
    return op.emitOpError() << "expected both parts of complex numbers in a "
                               "last dimension of 2 of tensor "
                            << index << ", got " << type;
  size_t rank = type.getRank() - isComplex;
  if (buffer.getFactors().size() != rank)
    return op.emitOpError() << "expected " << rank << " factors of tensor "
                            << index << ", got " << buffer.getFactors().size();
  llvm::SmallSet<int64_t, 4> seen;
  for (int64_t factor : buffer.getFactors())
    if (factor != RoutineBufferAttr::kWhole &&
        (factor < 0 || !seen.insert(factor).second))
      return op.emitOpError() << "expected factors of tensor " << index
                              << " to be distinct numbers, got " << factor;
  SmallVector<int64_t> order(buffer.getOrder());
  llvm::sort(order);
  if (!order.empty() &&
      !llvm::equal(order, llvm::seq<int64_t>(0, int64_t(rank))))
    return op.emitOpError() << "expected the order of tensor " << index
                            << " to name each of " << rank << " dimensions";
  return success();
}

/// Checks that the dimensions of each factor are equal, and that it occurs in
/// operands, and in results unless it is summed.
static LogicalResult verifyFactors(LibraryCallOp op) {
  std::map<int64_t, CallFactor> factors = factorsOf(op);
  for (size_t index = 0; index < op.getBuffers().size(); ++index)
    for (auto [dim, number] : llvm::enumerate(op.getBuffer(index).getFactors()))
      if (number != RoutineBufferAttr::kWhole &&
          op.getTensorType(index).getDimSize(dim) != factors[number].size)
        return op.emitOpError()
               << "expected dimensions of factor " << number << " to have "
               << factors[number].size << " elements, got "
               << op.getTensorType(index).getDimSize(dim) << " in tensor "
               << index;
  ArrayRef<int64_t> summed = listed(op.getSummed());
  for (int64_t number : summed)
    if (!factors.count(number))
      return op.emitOpError()
             << "expected factor " << number << " in an operand: it is summed";
  for (int64_t number : listed(op.getWhole()))
    if (!factors.count(number) || llvm::is_contained(summed, number))
      return op.emitOpError() << "expected factor " << number
                              << " in an operand and a result: it is whole";
  for (auto &[number, factor] : factors) {
    if (!CallFactor::isUsed(factor.operands))
      return op.emitOpError()
             << "expected factor " << number << " in an operand";
    bool isSummed = llvm::is_contained(summed, number);
    if (CallFactor::isUsed(factor.results) == isSummed)
      return op.emitOpError() << "expected factor " << number
                              << (isSummed ? " in no result: it is summed"
                                           : " in a result: it is not summed");
  }
  return success();
}

static bool isNumber(Type type) {
  return type.isIntOrIndexOrFloat() &&
         (type.isIndex() || type.getIntOrFloatBitWidth() <= 64);
}

/// Whether a call frame has a form for `value`, and a description
/// (LibraryCalls.h) can say it.
static bool isParameter(Attribute value) {
  if (auto dictionary = dyn_cast<DictionaryAttr>(value))
    return llvm::all_of(dictionary, [](NamedAttribute entry) {
      return llvm::json::isUTF8(entry.getName().getValue()) &&
             isParameter(entry.getValue());
    });
  if (auto elements = dyn_cast<DenseElementsAttr>(value))
    return elements.getType().getRank() == 1 &&
           isNumber(elements.getElementType());
  if (auto text = dyn_cast<StringAttr>(value))
    return llvm::json::isUTF8(text.getValue());
  if (isa<FloatAttr, IntegerAttr>(value))
    return isNumber(cast<TypedAttr>(value).getType());
  return isa<DenseArrayAttr>(value);
}

/// Checks that a routine of the project gets and gives what it reads and
/// writes.
static LogicalResult verifySignature(LibraryCallOp op) {
  SmallVector<RankedTensorType> arrays;
  for (unsigned i = 0; i < op.getBuffers().size(); ++i)
    arrays.push_back(op.getArrayType(i));
  if (Fallible<void> checked = checkRoutineCall(
          describeCall(op.getRoutine(), op.getParameters(), arrays,
                       op.getOperands().size(), /*module=*/nullptr));
      !checked)
    return op.emitOpError(checked.message());
  return success();
}

LogicalResult LibraryCallOp::verify() {
  size_t tensors = getOperands().size() + getNumResults();
  if (getRoutine().empty() || !llvm::json::isUTF8(getRoutine()))
    return emitOpError("expected the name of a routine, in UTF-8");
  if (getBuffers().size() != tensors)
    return emitOpError() << "expected " << tensors << " buffers, got "
                         << getBuffers().size();
  for (size_t index = 0; index < tensors; ++index)
    if (failed(verifyBuffer(*this, index)))
      return failure();
  if (std::optional<ArrayRef<int64_t>> aliases = getAliases()) {
    if (aliases->size() != getNumResults())
      return emitOpError() << "expected " << getNumResults() << " aliases, got "
                           << aliases->size();
    int64_t numOperands = getOperands().size();
    for (auto [result, operand] : llvm::enumerate(*aliases))
      if (operand >= numOperands ||
          (operand >= 0 &&
           getOperands()[operand].getType() != getResult(result).getType()))
        return emitOpError()
               << "expected result " << result
               << " to start from an operand of its type, got " << operand;
    // Every device would start from all of the operand, and it would be summed.
    if (getSummed() && !getSummed()->empty() &&
        llvm::any_of(*aliases, [](int64_t operand) { return operand >= 0; }))
      return emitOpError("expected no result to start from an operand: it "
                         "would be summed as often as there are parts");
  }
  for (NamedAttribute parameter : getParameters())
    if (!llvm::json::isUTF8(parameter.getName().getValue()) ||
        !isParameter(parameter.getValue()))
      return emitOpError() << "expected parameter '"
                           << parameter.getName().getValue()
                           << "' to be a number of at most 64 bits, a string "
                              "in UTF-8, a list of such numbers or a "
                              "dictionary of these, got "
                           << parameter.getValue();
  if (failed(verifyFactors(*this)))
    return failure();
  return isOwnRoutine(getRoutine()) ? verifySignature(*this) : success();
}
