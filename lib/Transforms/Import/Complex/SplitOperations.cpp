//===- SplitOperations.cpp - how operations make parts of parts -----------===//

#include "Complex/ComplexSplitter.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Each part by itself
//===----------------------------------------------------------------------===//

/// Whether all of `op` is complex, but for conditions and indices; or, where it
/// gives one result for each operand, what stems from what is.
static bool isOnParts(Operation *op) {
  if (op->getNumOperands() == op->getNumResults())
    return llvm::all_of_zip(op->getOperandTypes(), op->getResultTypes(),
                            [](Type operand, Type result) {
                              return isComplex(operand) == isComplex(result);
                            });
  return llvm::any_of(op->getOperandTypes(), isComplex) &&
         llvm::all_of(op->getResultTypes(), isComplex) &&
         llvm::none_of(op->getOperandTypes(), [](Type type) {
           return isa<FloatType>(getElementTypeOrSelf(type));
         });
}

/// Real operands (conditions, indices) serve both parts.
bool ComplexSplitter::splitParts(Operation *op) {
  if (!isOnParts(op) || op->getNumRegions() != 0)
    return false;
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(isComplex(type) ? partType(type) : type);
  auto onPart = [&](Value Parts::*part) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Parts found = lookup(operand);
      operands.push_back(found.re ? found.*part : operand);
    }
    return copy(op, operands, types);
  };
  Operation *re = onPart(&Parts::re), *im = onPart(&Parts::im);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (isComplex(result.getType()))
      map(result, {re->getResult(i), im->getResult(i)});
    else
      result.replaceAllUsesWith(re->getResult(i));
  return true;
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

static Complex complexOf(ComplexSplitter &s, FormulaContext &context,
                         Value value) {
  Parts parts = s.lookup(value);
  return {{&context, parts.re}, {&context, parts.im}};
}

static void mapResult(ComplexSplitter &s, Operation *op, Complex z) {
  s.map(op->getResult(0), {z.re.value, z.im.value});
}

/// Whether `op` has `count` operands, all complex.
static bool isOnComplex(Operation *op, unsigned count) {
  return op->getNumOperands() == count &&
         llvm::all_of(op->getOperandTypes(), isComplex);
}

/// Whether `op` has `count` operands, all complex and of its result's type.
static bool isOfOneType(Operation *op, unsigned count) {
  return isOnComplex(op, count) && llvm::all_equal(op->getOperandTypes()) &&
         op->getOperand(0).getType() == op->getResult(0).getType();
}

/// Whether `op` makes a part, or a magnitude, of one complex operand.
static bool isPart(Operation *op) {
  return isOnComplex(op, 1) &&
         op->getResult(0).getType() == partType(op->getOperand(0).getType());
}

template <Complex (*formula)(Complex)>
static bool splitUnary(Operation *op, ComplexSplitter &s) {
  if (!isOfOneType(op, 1))
    return false;
  FormulaContext context{s.builder, op->getLoc()};
  mapResult(s, op, formula(complexOf(s, context, op->getOperand(0))));
  return true;
}

template <Complex (*formula)(Complex, Complex)>
static bool splitBinary(Operation *op, ComplexSplitter &s) {
  if (!isOfOneType(op, 2))
    return false;
  FormulaContext context{s.builder, op->getLoc()};
  mapResult(s, op,
            formula(complexOf(s, context, op->getOperand(0)),
                    complexOf(s, context, op->getOperand(1))));
  return true;
}

static bool splitMagnitude(Operation *op, ComplexSplitter &s) {
  if (!isPart(op))
    return false;
  FormulaContext context{s.builder, op->getLoc()};
  s.replace(op, magnitude(complexOf(s, context, op->getOperand(0))).value);
  return true;
}

static bool splitMake(Operation *op, ComplexSplitter &s) {
  Type type = op->getResult(0).getType();
  if (op->getNumOperands() != 2 || !isComplex(type) ||
      !llvm::all_of(op->getOperandTypes(),
                    [&](Type part) { return part == partType(type); }))
    return false;
  s.map(op->getResult(0), {op->getOperand(0), op->getOperand(1)});
  return true;
}

/// The same of parts that are repeated along the dimensions that they lack: as
/// `broadcast_dimensions` says, or the first ones.
static bool splitBroadcastMake(Operation *op, ComplexSplitter &s) {
  Type result = op->getResult(0).getType();
  if (op->getNumOperands() != 2 || !isComplex(result))
    return false;
  RankedTensorType type = partType(result);
  auto given = op->getAttrOfType<DenseI64ArrayAttr>("broadcast_dimensions");
  SmallVector<SmallVector<int64_t>> dims;
  for (Value operand : op->getOperands()) {
    auto own = dyn_cast<RankedTensorType>(operand.getType());
    if (!own || own.getElementType() != type.getElementType() ||
        own.getRank() > type.getRank())
      return false;
    int64_t missing = type.getRank() - own.getRank();
    dims.push_back(
        llvm::to_vector(llvm::seq<int64_t>(missing, type.getRank())));
    if (missing && given)
      dims.back().assign(given.asArrayRef().begin(), given.asArrayRef().end());
    if (int64_t(dims.back().size()) != own.getRank())
      return false;
    for (auto [dim, size] : llvm::zip_equal(dims.back(), own.getShape()))
      if (dim < 0 || dim >= type.getRank() ||
          (size != 1 && size != type.getDimSize(dim)))
        return false;
  }
  auto repeated = [&](unsigned number) {
    return createForeign(s.builder, op->getLoc(), "stablehlo.broadcast_in_dim",
                         op->getOperand(number), type,
                         s.builder.getNamedAttr(
                             "broadcast_dimensions",
                             s.builder.getDenseI64ArrayAttr(dims[number])))
        ->getResult(0);
  };
  Value re = repeated(0);
  s.map(op->getResult(0), {re, repeated(1)});
  return true;
}

template <Value Parts::*part>
static bool splitTake(Operation *op, ComplexSplitter &s) {
  if (!isPart(op))
    return false;
  s.replace(op, s.lookup(op->getOperand(0)).*part);
  return true;
}

/// Equal are numbers of which both parts are; there is no other order.
static bool splitCompare(Operation *op, ComplexSplitter &s) {
  auto direction =
      dyn_cast_or_null<OpaqueAttr>(op->getAttr("comparison_direction"));
  if (!isOnComplex(op, 2) || isComplex(op->getResult(0).getType()) ||
      !direction)
    return false;
  bool isEqual = direction.getAttrData().contains("EQ");
  if (!isEqual && !direction.getAttrData().contains("NE"))
    return false;
  Parts l = s.lookup(op->getOperand(0)), r = s.lookup(op->getOperand(1));
  Type type = op->getResult(0).getType();
  Value re = s.copy(op, {l.re, r.re}, type)->getResult(0);
  Value im = s.copy(op, {l.im, r.im}, type)->getResult(0);
  s.replace(op, createForeign(s.builder, op->getLoc(),
                              isEqual ? "stablehlo.and" : "stablehlo.or",
                              {re, im}, type)
                    ->getResults());
  return true;
}

static Value zerosOf(ComplexSplitter &s, Location place,
                     RankedTensorType type) {
  return createConstant(
      s.builder, place,
      DenseElementsAttr::get(type,
                             s.builder.getZeroAttr(type.getElementType())));
}

/// Of a real number the imaginary part is 0; of a complex one a real type takes
/// the real part.
static bool splitConvert(Operation *op, ComplexSplitter &s) {
  if (op->getNumOperands() != 1)
    return false;
  Type to = op->getResult(0).getType();
  Value operand = op->getOperand(0);
  if (!isComplex(to)) {
    s.replace(op, s.copy(op, s.lookup(operand).re, to)->getResults());
    return true;
  }
  Parts from = s.lookup(operand);
  auto converted = [&](Value part) {
    return s.copy(op, part, partType(to))->getResult(0);
  };
  Value re = converted(from.re ? from.re : operand);
  s.map(op->getResult(0),
        {re, from.im ? converted(from.im)
                     : zerosOf(s, op->getLoc(), partType(to))});
  return true;
}

static bool splitConstant(Operation *op, ComplexSplitter &s) {
  auto value = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
  if (!value || !isComplex(value.getType()) ||
      value.getType() != op->getResult(0).getType())
    return false;
  SmallVector<APFloat> re, im;
  auto add = [&](const std::complex<APFloat> &number) {
    re.push_back(number.real());
    im.push_back(number.imag());
  };
  if (value.isSplat())
    add(value.getSplatValue<std::complex<APFloat>>());
  else
    for (const std::complex<APFloat> &number :
         value.getValues<std::complex<APFloat>>())
      add(number);
  RankedTensorType type = partType(value.getType());
  auto constant = [&](ArrayRef<APFloat> part) {
    return createConstant(s.builder, op->getLoc(),
                          DenseElementsAttr::get(type, part));
  };
  Value first = constant(re);
  s.map(op->getResult(0), {first, constant(im)});
  return true;
}

static bool splitIota(Operation *op, ComplexSplitter &s) {
  if (op->getNumOperands() != 0)
    return false;
  RankedTensorType type = partType(op->getResult(0).getType());
  Value re = s.copy(op, {}, type)->getResult(0);
  s.map(op->getResult(0), {re, zerosOf(s, op->getLoc(), type)});
  return true;
}

/// A bilinear operation: four real ones, of which none cancels what another one
/// rounded.
static bool splitProduct(Operation *op, ComplexSplitter &s) {
  if (op->getNumOperands() != 2 || !isComplex(op->getResult(0).getType()))
    return false;
  FormulaContext context{s.builder, op->getLoc()};
  RankedTensorType type = partType(op->getResult(0).getType());
  auto product = [&](Value left, Value right) -> Real {
    Operation *real = s.copy(op, {left, right}, type);
    real->removeDiscardableAttr(kForeignSharding);
    return {&context, real->getResult(0)};
  };
  auto partsOf = [&](Value operand) {
    return isComplex(operand.getType()) ? s.lookup(operand)
                                        : Parts{operand, {}};
  };
  Parts l = partsOf(op->getOperand(0)), r = partsOf(op->getOperand(1));
  Real re = product(l.re, r.re);
  if (l.im && r.im)
    mapResult(
        s, op,
        {re - product(l.im, r.im), product(l.re, r.im) + product(l.im, r.re)});
  else
    mapResult(s, op,
              {re, r.im   ? product(l.re, r.im)
                   : l.im ? product(l.im, r.re)
                          : re.number(0)});
  return true;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr SplitRow::Form kParts = SplitRow::Form::Parts,
                                kSideBySide = SplitRow::Form::SideBySide,
                                kReduction = SplitRow::Form::Reduction,
                                kSeparate = SplitRow::Form::SeparateReduction,
                                kSort = SplitRow::Form::Sort,
                                kPacked = SplitRow::Form::Packed,
                                kFormula = SplitRow::Form::Formula;

static constexpr SplitRow kRows[] = {
    {"func.call", kSideBySide},
    {"sdy.manual_computation", kSideBySide},
    {"stablehlo.case", kSideBySide},
    {"stablehlo.composite", kSideBySide},
    {"stablehlo.fft", kSideBySide},
    {"stablehlo.if", kSideBySide},
    {"stablehlo.optimization_barrier", kSideBySide},
    {"stablehlo.while", kSideBySide},

    {"stablehlo.all_reduce", kSeparate},
    {"stablehlo.reduce", kReduction},
    {"stablehlo.reduce_scatter", kSeparate},
    {"stablehlo.reduce_window", kReduction},
    {"stablehlo.scatter", kReduction},
    {"stablehlo.sort", kSort},

    {"stablehlo.cholesky", kPacked},
    {"stablehlo.custom_call", kPacked},
    {"stablehlo.triangular_solve", kPacked},

    {"sdy.propagation_barrier", kParts},
    {"sdy.sharding_constraint", kParts},
    {"sdy.sharding_group", kParts},
    {"stablehlo.add", kParts},
    {"stablehlo.all_gather", kParts},
    {"stablehlo.all_to_all", kParts},
    {"stablehlo.broadcast", kParts},
    {"stablehlo.broadcast_in_dim", kParts},
    {"stablehlo.collective_broadcast", kParts},
    {"stablehlo.collective_permute", kParts},
    {"stablehlo.concatenate", kParts},
    {"stablehlo.dynamic_broadcast_in_dim", kParts},
    {"stablehlo.dynamic_gather", kParts},
    {"stablehlo.dynamic_pad", kParts},
    {"stablehlo.dynamic_reshape", kParts},
    {"stablehlo.dynamic_slice", kParts},
    {"stablehlo.dynamic_update_slice", kParts},
    {"stablehlo.gather", kParts},
    {"stablehlo.negate", kParts},
    {"stablehlo.pad", kParts},
    {"stablehlo.real_dynamic_slice", kParts},
    {"stablehlo.reshape", kParts},
    {"stablehlo.reverse", kParts},
    {"stablehlo.select", kParts},
    {"stablehlo.slice", kParts},
    {"stablehlo.subtract", kParts},
    {"stablehlo.torch_index_select", kParts},
    {"stablehlo.transpose", kParts},

    {"chlo.acos", kFormula, splitUnary<acos>},
    {"chlo.acosh", kFormula, splitUnary<acosh>},
    {"chlo.asin", kFormula, splitUnary<asin>},
    {"chlo.asinh", kFormula, splitUnary<asinh>},
    {"chlo.atan", kFormula, splitUnary<atan>},
    {"chlo.atanh", kFormula, splitUnary<atanh>},
    {"chlo.broadcast_complex", kFormula, splitBroadcastMake},
    {"chlo.conj", kFormula, splitUnary<conj>},
    {"chlo.cosh", kFormula, splitUnary<cosh>},
    {"chlo.sinh", kFormula, splitUnary<sinh>},
    {"chlo.square", kFormula, splitUnary<square>},
    {"chlo.tan", kFormula, splitUnary<tan>},
    {"stablehlo.abs", kFormula, splitMagnitude},
    {"stablehlo.atan2", kFormula, splitBinary<atan2>},
    {"stablehlo.bitcast_convert", kFormula, splitBitcast},
    {"stablehlo.cbrt", kFormula, splitUnary<cbrt>},
    {"stablehlo.compare", kFormula, splitCompare},
    {"stablehlo.complex", kFormula, splitMake},
    {"stablehlo.constant", kFormula, splitConstant},
    {"stablehlo.convert", kFormula, splitConvert},
    {"stablehlo.convolution", kFormula, splitProduct},
    {"stablehlo.cosine", kFormula, splitUnary<cos>},
    {"stablehlo.divide", kFormula, splitBinary<divide>},
    {"stablehlo.dot", kFormula, splitProduct},
    {"stablehlo.dot_general", kFormula, splitProduct},
    {"stablehlo.dynamic_conv", kFormula, splitProduct},
    {"stablehlo.exponential", kFormula, splitUnary<exp>},
    {"stablehlo.exponential_minus_one", kFormula, splitUnary<expm1>},
    {"stablehlo.imag", kFormula, splitTake<&Parts::im>},
    {"stablehlo.iota", kFormula, splitIota},
    {"stablehlo.log", kFormula, splitUnary<log>},
    {"stablehlo.log_plus_one", kFormula, splitUnary<log1p>},
    {"stablehlo.logistic", kFormula, splitUnary<logistic>},
    {"stablehlo.maximum", kFormula, splitBinary<maximum>},
    {"stablehlo.minimum", kFormula, splitBinary<minimum>},
    {"stablehlo.multiply", kFormula, splitBinary<multiply>},
    {"stablehlo.power", kFormula, splitBinary<power>},
    {"stablehlo.real", kFormula, splitTake<&Parts::re>},
    {"stablehlo.rsqrt", kFormula, splitUnary<rsqrt>},
    {"stablehlo.sign", kFormula, splitUnary<sign>},
    {"stablehlo.sine", kFormula, splitUnary<sin>},
    {"stablehlo.sqrt", kFormula, splitUnary<sqrt>},
    {"stablehlo.tan", kFormula, splitUnary<tan>},
    {"stablehlo.tanh", kFormula, splitUnary<tanh>},
};

const SplitRow *tessera::importer::findSplitRow(StringRef name) {
  static const llvm::StringMap<const SplitRow *> table = [] {
    llvm::StringMap<const SplitRow *> byName;
    for (const SplitRow &row : kRows)
      byName[row.name] = &row;
    return byName;
  }();
  return table.lookup(name);
}
