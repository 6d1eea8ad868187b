//===- LibraryCalls.cpp - what routines of libraries compute --------------===//
//
// `fft`, `cholesky` and `triangular_solve` call routines of the project's own
// library; JAX's linear algebra arrives as calls of routines that it has under
// their names, and so do those of users.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Calls/ForeignCall.h"
#include "Conversions/Conversion.h"

#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Support/RoutineCall.h"
#include "tessera/Support/RoutineSignatures.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

/// What a routine gets or gives, as the foreign program sees it.
struct ForeignArray {
  RankedTensorType type;
  /// Its dimensions in memory, from major to minor; empty for row-major order.
  SmallVector<int64_t> order;
  /// By dimension: the factor, or `RoutineBufferAttr::kWhole`.
  SmallVector<int64_t> factors;
};

/// A call of a routine, and its results.
class CallBuilder {
public:
  CallBuilder(Conversion &c, StringRef routine) : c(c), routine(routine) {}

  /// Adds an operand, which has been converted to `value`.
  void addOperand(const ForeignArray &array, Value value) {
    seen.push_back(array);
    operands.push_back(transposed(value, physical(array)));
  }
  void addResult(const ForeignArray &array) {
    seen.push_back(array);
    results.push_back(array);
  }
  /// The same for what is in the order of the array already: its type is what
  /// the routine sees.
  void addStoredOperand(const ForeignArray &array, Value value) {
    seen.push_back(array);
    operands.push_back(value);
  }
  void addStoredResult(const ForeignArray &array, RankedTensorType type) {
    seen.push_back(array);
    results.push_back({type, {}, {}});
  }
  void addParameter(StringRef name, Attribute value) {
    parameters.set(name, value);
  }
  void addParameters(DictionaryAttr values) {
    if (values)
      parameters.append(values);
  }
  /// Result `result` starts from operand `operand`.
  void alias(unsigned result, unsigned operand) {
    aliases.resize(results.size(), -1);
    aliases[result] = operand;
  }

  /// Appends the results, in row-major order.
  LogicalResult create(ArrayRef<int64_t> summed, Location place,
                       SmallVectorImpl<Value> &values) {
    SmallVector<Type> types;
    for (const ForeignArray &array : results) {
      RankedTensorType type = c.convertType(storedType(array.type), place);
      if (!type)
        return failure();
      SmallVector<int64_t> shape;
      for (int64_t dim : physicalOrIdentity(array, type.getRank()))
        shape.push_back(type.getDimSize(dim));
      types.push_back(type.clone(shape));
    }
    dropFalseAliases(types);
    SmallVector<int64_t> whole = addOwnFactors();
    SmallVector<Attribute> buffers;
    for (const ForeignArray &array : seen)
      buffers.push_back(describe(array));
    auto call = LibraryCallOp::create(
        c.builder, types, routine, operands,
        parameters.getDictionary(c.builder.getContext()),
        c.builder.getArrayAttr(buffers),
        aliases.empty() ? nullptr : c.builder.getDenseI64ArrayAttr(aliases),
        summed.empty() ? nullptr : c.builder.getDenseI64ArrayAttr(summed),
        whole.empty() ? nullptr : c.builder.getDenseI64ArrayAttr(whole));
    for (auto [array, value] : llvm::zip_equal(results, call.getResults())) {
      SmallVector<int64_t> inverse(physical(array));
      for (auto [from, to] : llvm::enumerate(physical(array)))
        inverse[to] = from;
      values.push_back(transposed(value, inverse));
    }
    return success();
  }

private:
  Attribute describe(const ForeignArray &array) {
    SmallVector<int64_t> factors;
    for (size_t i = 0; i < array.factors.size(); ++i)
      factors.push_back(
          array.factors[array.order.empty() ? i : array.order[i]]);
    Type element = array.type.getElementType();
    return RoutineBufferAttr::get(c.builder.getContext(), signless(element),
                                  factors, array.order);
  }
  /// Only unsigned integers differ from what is stored.
  static Type signless(Type element) {
    return element.isSignedInteger()
               ? IntegerType::get(element.getContext(),
                                  element.getIntOrFloatBitWidth())
               : element;
  }
  /// What a tensor of `type` is in a program: pairs of complex numbers.
  static RankedTensorType storedType(RankedTensorType type) {
    auto complex = dyn_cast<ComplexType>(type.getElementType());
    if (!complex)
      return type;
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(2);
    return RankedTensorType::get(shape, complex.getElementType());
  }
  /// The dimensions of what is stored, from major to minor; empty for its own
  /// order.
  static SmallVector<int64_t> physical(const ForeignArray &array) {
    SmallVector<int64_t> order(array.order);
    if (!order.empty() && isa<ComplexType>(array.type.getElementType()))
      order.push_back(order.size());
    return order;
  }
  static SmallVector<int64_t> physicalOrIdentity(const ForeignArray &array,
                                                 int64_t rank) {
    SmallVector<int64_t> order = physical(array);
    return order.empty() ? llvm::to_vector(llvm::seq<int64_t>(0, rank)) : order;
  }
  Value transposed(Value value, ArrayRef<int64_t> permutation) {
    if (permutation.empty())
      return value;
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape;
    for (int64_t dim : permutation)
      shape.push_back(type.getDimSize(dim));
    return TransposeOp::create(c.builder, type.clone(shape), value,
                               permutation);
  }
  /// Gives dimension `dim` of the arrays numbered `arrays`, counted as the
  /// routine sees them, a factor; nothing if they have several sizes or some
  /// has one.
  std::optional<int64_t> addFactor(ArrayRef<unsigned> arrays, int64_t dim) {
    int64_t number = 0;
    for (const ForeignArray &array : seen)
      for (int64_t factor : array.factors)
        number = std::max(number, factor + 1);
    auto sizeIn = [&](unsigned array) {
      RankedTensorType type = seen[array].type;
      return dim >= 0 && dim < type.getRank() ? type.getDimSize(dim) : -1;
    };
    for (unsigned array : arrays)
      if (sizeIn(array) < 0 || sizeIn(array) != sizeIn(arrays.front()) ||
          seen[array].factors[dim] != RoutineBufferAttr::kWhole)
        return std::nullopt;
    for (unsigned array : arrays)
      seen[array].factors[dim] = number;
    return number;
  }
  /// Gives the dimensions behind the batch factors, where the project supplies
  /// the routine and what it computes lies as what it gets. Returns those along
  /// which nothing may be split while the routine runs.
  SmallVector<int64_t> addOwnFactors() {
    SmallVector<int64_t> whole;
    auto addWhole = [&](ArrayRef<unsigned> arrays, int64_t dim) {
      if (std::optional<int64_t> number = addFactor(arrays, dim))
        whole.push_back(*number);
    };
    std::optional<OwnRoutine> own = findOwnRoutine(routine);
    unsigned inputs = operands.size();
    if (!own || seen.size() <= inputs)
      return whole;
    StringRef family = own->family;
    int64_t rank = seen.front().type.getRank();
    if (family == "fft") {
      auto all = llvm::to_vector(llvm::seq<unsigned>(0, seen.size()));
      for (int64_t dim = 0; dim < rank; ++dim)
        addWhole(all, dim);
    }
    if (family == "potrf" || family == "getrf")
      for (int64_t dim : {rank - 2, rank - 1})
        addWhole({0, inputs}, dim);
    if (family == "trsm" && inputs == 2) {
      // Each right-hand side is solved by itself.
      auto side = dyn_cast_or_null<IntegerAttr>(parameters.get("side"));
      bool isLeft = side && side.getValue() == 'L';
      addWhole({1, inputs}, isLeft ? rank - 2 : rank - 1);
      addFactor({1, inputs}, isLeft ? rank - 1 : rank - 2);
    }
    return whole;
  }
  /// What is in another order in memory is copied by the routine, if it wants.
  void dropFalseAliases(ArrayRef<Type> types) {
    if (!aliases.empty())
      aliases.resize(results.size(), -1);
    for (auto [result, operand] : llvm::enumerate(aliases))
      if (operand >= 0 && operands[operand].getType() != types[result])
        operand = -1;
  }

  Conversion &c;
  std::string routine;
  SmallVector<Value> operands;
  SmallVector<ForeignArray> results;
  /// Operands and results, as the routine sees them.
  SmallVector<ForeignArray> seen;
  SmallVector<int64_t> aliases;
  NamedAttrList parameters;
};

} // namespace

/// The factors of an array whose first `batch` dimensions are a batch.
static SmallVector<int64_t> batchFactors(int64_t rank, int64_t batch) {
  SmallVector<int64_t> factors(rank, RoutineBufferAttr::kWhole);
  for (int64_t dim = 0; dim < std::min(rank, batch); ++dim)
    factors[dim] = dim;
  return factors;
}

/// The types of operands and results before complex numbers became pairs.
static FunctionType signatureOf(Operation *op) {
  if (auto type = op->getAttrOfType<TypeAttr>(kForeignSignature))
    if (auto function = dyn_cast<FunctionType>(type.getValue()))
      return function;
  return FunctionType::get(op->getContext(), op->getOperandTypes(),
                           op->getResultTypes());
}

static FailureOr<RankedTensorType> tensorOf(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape())
    return tensor;
  return emitError(op->getLoc()) << "expected arrays of static shape of '"
                                 << op->getName() << "', got " << type;
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// Both parts of complex numbers are operands or results of their own.
static LogicalResult convertFft(Operation *op, ValueRange operands,
                                Conversion &c, SmallVectorImpl<Value> &values) {
  FailureOr<StringRef> text = c.text(op, "fft_type");
  FailureOr<SmallVector<int64_t>> lengths = c.integers(op, "fft_length");
  if (failed(text) || failed(lengths))
    return failure();
  Fallible<StringRef> kind = parseEnumeration(*text, "fft_type");
  if (!kind)
    return emitError(op->getLoc())
           << "malformed attribute 'fft_type': " << kind.message();
  bool fromReal = *kind == "RFFT", toReal = *kind == "IRFFT";
  auto type = dyn_cast<RankedTensorType>(operands.front().getType());
  int64_t batch = type ? type.getRank() - int64_t(lengths->size()) : -1;
  Type element = type ? type.getElementType() : Type();
  if (operands.size() != (fromReal ? 1 : 2) ||
      op->getNumResults() != (toReal ? 1 : 2) || batch < 0 ||
      !(element.isF32() || element.isF64()))
    return emitError(op->getLoc())
           << "expected a transform " << *kind << " of "
           << (fromReal ? "real" : "complex") << " numbers of f32 or f64, got "
           << op->getOperand(0).getType();
  CallBuilder call(c, element.isF32() ? "tessera_fft_f32" : "tessera_fft_f64");
  auto arrayOf = [&](Type foreign) {
    auto tensor = cast<RankedTensorType>(foreign);
    return ForeignArray{tensor, {}, batchFactors(tensor.getRank(), batch)};
  };
  for (auto [operand, value] : llvm::zip_equal(op->getOperands(), operands))
    call.addOperand(arrayOf(operand.getType()), value);
  for (Type result : op->getResultTypes())
    call.addResult(arrayOf(result));
  call.addParameter("kind", c.builder.getStringAttr(*kind));
  call.addParameter("length", c.builder.getDenseI64ArrayAttr(*lengths));
  return call.create({}, op->getLoc(), values);
}

//===----------------------------------------------------------------------===//
// Factors and systems of equations
//===----------------------------------------------------------------------===//

/// `lapack_spotrf_ffi` for `potrf` of matrices of f32; empty for types that
/// LAPACK does not know.
static std::string lapackName(StringRef name, Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  Type part = complex ? complex.getElementType() : element;
  if (!part.isF32() && !part.isF64())
    return {};
  StringRef letter = part.isF32() ? complex ? "c" : "s" : complex ? "z" : "d";
  return ("lapack_" + letter + name + "_ffi").str();
}

/// Matrices by rows are, for LAPACK, transposed ones.
static ForeignArray transposedMatrix(RankedTensorType type) {
  int64_t rank = type.getRank();
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[rank - 1], shape[rank - 2]);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[rank - 1], order[rank - 2]);
  return {type.clone(shape), order, batchFactors(rank, rank - 2)};
}

/// The type of matrices `type` as LAPACK gets them: f16 and bf16 are computed
/// in f32.
static FailureOr<RankedTensorType> matrixOf(Operation *op, Type type) {
  FailureOr<RankedTensorType> tensor = tensorOf(op, type);
  if (failed(tensor))
    return failure();
  Type element = tensor->getElementType();
  if (element.isF16() || element.isBF16())
    element = Float32Type::get(op->getContext());
  if (tensor->getRank() < 2 || lapackName("", element).empty())
    return emitError(op->getLoc())
           << "expected matrices of f16, bf16, f32, f64 or complex numbers of "
              "the latter two, got "
           << type;
  return tensor->clone(element);
}

/// `value` in elements of `element`, as LAPACK gets it or as the program does.
static Value inElements(Conversion &c, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  unsigned from = type.getElementTypeBitWidth(),
           to = element.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from < to)
    return arith::ExtFOp::create(c.builder, type.clone(element), value);
  return arith::TruncFOp::create(c.builder, type.clone(element), value);
}

/// Real elements of `type`: those of both parts of complex ones.
static Type partOf(RankedTensorType type) {
  auto complex = dyn_cast<ComplexType>(type.getElementType());
  return complex ? complex.getElementType() : type.getElementType();
}

static Attribute letterOf(Conversion &c, char letter) {
  return c.builder.getIntegerAttr(c.builder.getIntegerType(8, false), letter);
}

/// NaN where LAPACK has failed; zeros in the other triangle.
static Value finishFactor(Conversion &c, Value factor, Value status,
                          bool isLower, bool isPacked) {
  auto &b = c.builder;
  auto type = cast<RankedTensorType>(factor.getType());
  int64_t rank = type.getRank() - isPacked;
  auto statusType = cast<RankedTensorType>(status.getType());
  Type boolean = b.getI1Type();
  Value hasFailed = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, status,
                                          c.zeros(statusType));
  hasFailed = BroadcastOp::create(
      b, type.clone(boolean), hasFailed,
      llvm::to_vector(llvm::seq<int64_t>(0, statusType.getRank())));
  auto counts = type.clone(b.getI32Type());
  Value row = IotaOp::create(b, counts, rank - 2),
        column = IotaOp::create(b, counts, rank - 1);
  Value outside = arith::CmpIOp::create(
      b, isLower ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt,
      column, row);
  Value nan = c.splat(type, std::numeric_limits<double>::quiet_NaN());
  Value kept = arith::SelectOp::create(b, hasFailed, nan, factor);
  return arith::SelectOp::create(b, outside, c.zeros(type), kept);
}

static LogicalResult convertCholesky(Operation *op, ValueRange operands,
                                     Conversion &c,
                                     SmallVectorImpl<Value> &values) {
  FailureOr<RankedTensorType> type = matrixOf(op, signatureOf(op).getInput(0));
  if (failed(type))
    return failure();
  bool isLower = c.flag(op, "lower");
  ForeignArray matrix = transposedMatrix(*type);
  int64_t batch = type->getRank() - 2;
  CallBuilder call(c, lapackName("potrf", type->getElementType()));
  // A Hermitian matrix transposed is its conjugate, and so is its factor, by
  // columns what the factor is by rows.
  ForeignArray rows = {*type, {}, matrix.factors};
  call.addOperand(rows, inElements(c, operands.front(), partOf(*type)));
  call.addResult(rows);
  call.addResult({RankedTensorType::get(type->getShape().take_front(batch),
                                        c.builder.getI32Type()),
                  {},
                  batchFactors(batch, batch)});
  call.alias(0, 0);
  call.addParameter("uplo", letterOf(c, isLower ? 'U' : 'L'));
  SmallVector<Value> results;
  if (failed(call.create({}, op->getLoc(), results)))
    return failure();
  Value factor = finishFactor(c, results[0], results[1], isLower,
                              isa<ComplexType>(type->getElementType()));
  values.push_back(
      inElements(c, factor, getElementTypeOrSelf(operands.front())));
  return success();
}

/// Of transposed matrices, the unknowns stand on the other side.
static LogicalResult convertTriangularSolve(Operation *op, ValueRange operands,
                                            Conversion &c,
                                            SmallVectorImpl<Value> &values) {
  FunctionType signature = signatureOf(op);
  FailureOr<RankedTensorType> a = matrixOf(op, signature.getInput(0)),
                              b = matrixOf(op, signature.getInput(1));
  FailureOr<StringRef> text = c.text(op, "transpose_a");
  if (failed(a) || failed(b) || failed(text))
    return failure();
  Fallible<StringRef> transpose = parseEnumeration(*text, "transpose");
  if (!transpose)
    return emitError(op->getLoc())
           << "malformed attribute 'transpose_a': " << transpose.message();
  CallBuilder call(c, lapackName("trsm", a->getElementType()));
  // A matrix of one row and column per unknown is square.
  ForeignArray coefficients = {*a, {}, transposedMatrix(*a).factors};
  ForeignArray sides = transposedMatrix(*b);
  // The value lies by rows already: it is in the order that is described.
  RankedTensorType byColumns = sides.type;
  call.addOperand(coefficients, inElements(c, operands[0], partOf(*a)));
  call.addStoredOperand({byColumns, sides.order, sides.factors},
                        inElements(c, operands[1], partOf(*b)));
  call.addStoredResult({byColumns, sides.order, sides.factors}, *b);
  call.alias(0, 1);
  call.addParameter("side", letterOf(c, c.flag(op, "left_side") ? 'R' : 'L'));
  call.addParameter("uplo", letterOf(c, c.flag(op, "lower") ? 'U' : 'L'));
  call.addParameter("diag",
                    letterOf(c, c.flag(op, "unit_diagonal") ? 'U' : 'N'));
  call.addParameter("trans_x", letterOf(c, *transpose == "ADJOINT"     ? 'C'
                                           : *transpose == "TRANSPOSE" ? 'T'
                                                                       : 'N'));
  if (failed(call.create({}, op->getLoc(), values)))
    return failure();
  values.back() =
      inElements(c, values.back(), getElementTypeOrSelf(operands[1]));
  return success();
}

//===----------------------------------------------------------------------===//
// Calls by name
//===----------------------------------------------------------------------===//

/// By rows `order` of dimensions from major to minor, or nothing for row-major
/// order, of each of `count` arrays that `attribute` lists the layouts of.
static FailureOr<SmallVector<SmallVector<int64_t>>>
readLayouts(Operation *op, StringRef name, TypeRange types) {
  SmallVector<SmallVector<int64_t>> orders(types.size());
  auto list = op->getAttrOfType<ArrayAttr>(name);
  if (!list)
    return orders;
  auto fail = [&] {
    return emitError(op->getLoc())
           << "expected a layout of each array in '" << name << "'";
  };
  if (list.size() != types.size())
    return fail();
  for (auto [attribute, type, order] : llvm::zip_equal(list, types, orders)) {
    auto layout = dyn_cast<DenseIntElementsAttr>(attribute);
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!layout || !tensor || layout.getNumElements() != tensor.getRank())
      return fail();
    for (const APInt &dim : layout.getValues<APInt>())
      order.push_back(dim.getSExtValue());
    std::reverse(order.begin(), order.end());
    SmallVector<int64_t> sorted(order);
    llvm::sort(sorted);
    if (!llvm::equal(sorted, llvm::seq<int64_t>(0, tensor.getRank())))
      return fail();
    if (sorted == order)
      order.clear();
  }
  return orders;
}

/// The attributes of a call that its routine gets.
static DictionaryAttr parametersOf(Operation *op) {
  for (StringRef name : {"mhlo.backend_config", "backend_config"})
    if (auto parameters = op->getAttrOfType<DictionaryAttr>(name))
      return parameters;
  return {};
}

bool tessera::importer::isRoutineCall(Operation *op) {
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  auto version = op->getAttrOfType<IntegerAttr>("api_version");
  bool isTyped = parametersOf(op) || (version && version.getInt() == 4);
  if (!target || !isTyped)
    return false;
  if (isOwnRoutine(target.getValue()))
    return true;
  auto module = op->getParentOfType<ModuleOp>();
  // A file runs in processes that have no functions of Python.
  if (target.getValue() == kHostCallback)
    return module->hasAttr("jax.host_callbacks");
  auto paths = module->getAttrOfType<ArrayAttr>(kRoutineLibrariesAttr);
  return paths && llvm::any_of(paths.getAsRange<StringAttr>(), [&](auto path) {
           Fallible<bool> found = suppliesRoutine(path.str(), target.str());
           return found && *found;
         });
}

/// The routine has the target's name, and gets what the call says.
static LogicalResult convertRoutineCall(Operation *op, ValueRange operands,
                                        Conversion &c,
                                        SmallVectorImpl<Value> &values) {
  StringRef routine =
      op->getAttrOfType<StringAttr>("call_target_name").getValue();
  bool isEffect = c.flag(op, "has_side_effect");
  if (isEffect && routine != kHostCallback)
    return emitError(op->getLoc())
           << "expected a routine without side effects, got '" << routine
           << "'";
  FunctionType signature = signatureOf(op);
  SmallVector<Type> types(signature.getInputs());
  llvm::append_range(types, signature.getResults());
  SmallVector<ForeignArray> arrays;
  for (Type type : types) {
    FailureOr<RankedTensorType> tensor = tensorOf(op, type);
    if (failed(tensor))
      return failure();
    arrays.push_back({*tensor, {}, {}});
  }
  size_t inputs = signature.getNumInputs();
  auto operandOrders =
           readLayouts(op, "operand_layouts", signature.getInputs()),
       resultOrders = readLayouts(op, "result_layouts", signature.getResults());
  if (failed(operandOrders) || failed(resultOrders))
    return failure();
  FailureOr<CallFactors> factors = readFactors(op, types, inputs);
  if (failed(factors))
    return failure();
  for (auto [number, array] : llvm::enumerate(arrays)) {
    array.order = number < inputs ? (*operandOrders)[number]
                                  : (*resultOrders)[number - inputs];
    array.factors = factors->ofArrays[number];
  }
  CallBuilder call(c, routine);
  ArrayRef<ForeignArray> all = arrays;
  for (auto [array, value] : llvm::zip_equal(all.take_front(inputs), operands))
    call.addOperand(array, value);
  // The order of effects is a number, which they pass on (ThreadEffects.cpp).
  ForeignArray order = {
      RankedTensorType::get({}, c.builder.getI32Type()), {}, {}};
  if (isEffect)
    call.addOperand(order, c.zeros(order.type));
  for (const ForeignArray &array : all.drop_front(inputs))
    call.addResult(array);
  if (isEffect)
    call.addResult(order);
  call.addParameters(parametersOf(op));
  if (isEffect)
    call.addParameter(kEffectParameter, c.builder.getI32IntegerAttr(1));
  for (auto [result, operand] : readAliases(op))
    if (result < arrays.size() - inputs && operand < inputs)
      call.alias(result, operand);
  if (failed(call.create(factors->summed, op->getLoc(), values)))
    return failure();
  if (isEffect)
    values.pop_back();
  return success();
}

void tessera::importer::addLibraryCalls(ConversionTable &table) {
  static constexpr int kAny = OpConversion::kAny;
  static constexpr StringLiteral kFft[] = {"fft_type", "fft_length"};
  static constexpr StringLiteral kCholesky[] = {"lower", kForeignSignature};
  static constexpr StringLiteral kSolve[] = {
      "left_side", "lower", "unit_diagonal", "transpose_a", kForeignSignature};
  static constexpr StringLiteral kCall[] = {
      "call_target_name",    "has_side_effect",
      "backend_config",      "api_version",
      "called_computations", "operand_layouts",
      "result_layouts",      "output_operand_aliases",
      "mhlo.backend_config", "mhlo.frontend_attributes",
      kForeignSignature};
  static const OpConversion rows[] = {
      {"stablehlo.fft", convertFft, kAny, kAny, 0, kFft},
      {"stablehlo.cholesky", convertCholesky, 1, 1, 0, kCholesky},
      {"stablehlo.triangular_solve", convertTriangularSolve, 2, 1, 0, kSolve},
      {kRoutineCall, convertRoutineCall, kAny, kAny, 0, kCall},
  };
  addRows(table, rows);
}
