//===- Real.h - formulas of real numbers in StableHLO
//----------------------===//
//
// So that formulas read as in the literature: operators on `Real` and `Truth`
// build StableHLO's operations on tensors of one shape.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_COMPLEX_REAL_H
#define TESSERA_TRANSFORMS_IMPORT_COMPLEX_REAL_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tessera::importer {

/// A foreign operation `name` at `place`, with `properties` as its attributes.
mlir::Operation *
createForeign(mlir::OpBuilder &builder, mlir::Location place,
              llvm::StringRef name, mlir::ValueRange operands,
              mlir::TypeRange types,
              llvm::ArrayRef<mlir::NamedAttribute> properties = {});

/// A foreign constant of `value`.
mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location place,
                           mlir::DenseElementsAttr value);

/// Where formulas are built.
struct FormulaContext {
  mlir::OpBuilder &builder;
  mlir::Location location;
};

/// A tensor of booleans in a formula.
struct Truth {
  FormulaContext *context;
  mlir::Value value;
};

/// A tensor of floating point numbers in a formula.
struct Real {
  FormulaContext *context;
  mlir::Value value;

  mlir::RankedTensorType type() const {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  }
  /// The format of the elements.
  const llvm::fltSemantics &semantics() const {
    return mlir::cast<mlir::FloatType>(type().getElementType())
        .getFloatSemantics();
  }
  /// A constant of this type.
  Real number(double constant) const;
  Real number(const llvm::APFloat &constant) const;
  Real infinity() const { return number(llvm::APFloat::getInf(semantics())); }
  Real largest() const {
    return number(llvm::APFloat::getLargest(semantics()));
  }
};

/// What StableHLO calls `name` (without the dialect) of `operands`, the first
/// of which has the result's type.
Real apply(llvm::StringRef name, llvm::ArrayRef<Real> operands);
/// Whether `l` is LT, LE, EQ, NE, GE or GT to `r`, which `direction` says.
Truth compare(llvm::StringRef direction, Real l, Real r);
/// `l` where `condition`, else `r`.
Real select(Truth condition, Real l, Real r);

inline Real operator+(Real l, Real r) { return apply("add", {l, r}); }
inline Real operator-(Real l, Real r) { return apply("subtract", {l, r}); }
inline Real operator*(Real l, Real r) { return apply("multiply", {l, r}); }
inline Real operator/(Real l, Real r) { return apply("divide", {l, r}); }
inline Real operator-(Real x) { return apply("negate", {x}); }
inline Real operator+(Real l, double r) { return l + l.number(r); }
inline Real operator-(Real l, double r) { return l - l.number(r); }
inline Real operator*(Real l, double r) { return l * l.number(r); }
inline Real operator/(Real l, double r) { return l / l.number(r); }
inline Real operator+(double l, Real r) { return r.number(l) + r; }
inline Real operator-(double l, Real r) { return r.number(l) - r; }
inline Real operator*(double l, Real r) { return r.number(l) * r; }
inline Real operator/(double l, Real r) { return r.number(l) / r; }

inline Truth operator<(Real l, Real r) { return compare("LT", l, r); }
inline Truth operator<=(Real l, Real r) { return compare("LE", l, r); }
inline Truth operator>(Real l, Real r) { return compare("GT", l, r); }
inline Truth operator>=(Real l, Real r) { return compare("GE", l, r); }
inline Truth operator==(Real l, Real r) { return compare("EQ", l, r); }
inline Truth operator<(Real l, double r) { return l < l.number(r); }
inline Truth operator<=(Real l, double r) { return l <= l.number(r); }
inline Truth operator>(Real l, double r) { return l > l.number(r); }
inline Truth operator>=(Real l, double r) { return l >= l.number(r); }
inline Truth operator==(Real l, double r) { return l == l.number(r); }

Truth operator&&(Truth l, Truth r);
Truth operator||(Truth l, Truth r);
Truth operator!(Truth t);

inline Real abs(Real x) { return apply("abs", {x}); }
inline Real sqrt(Real x) { return apply("sqrt", {x}); }
inline Real exp(Real x) { return apply("exponential", {x}); }
inline Real expm1(Real x) { return apply("exponential_minus_one", {x}); }
inline Real log(Real x) { return apply("log", {x}); }
inline Real log1p(Real x) { return apply("log_plus_one", {x}); }
inline Real sin(Real x) { return apply("sine", {x}); }
inline Real cos(Real x) { return apply("cosine", {x}); }
inline Real pow(Real x, Real y) { return apply("power", {x, y}); }
inline Real atan2(Real y, Real x) { return apply("atan2", {y, x}); }
inline Real max(Real l, Real r) { return apply("maximum", {l, r}); }
inline Real min(Real l, Real r) { return apply("minimum", {l, r}); }
inline Truth isInfinite(Real x) { return abs(x) == x.infinity(); }
inline Truth isFinite(Real x) { return abs(x) < x.infinity(); }

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_COMPLEX_REAL_H
