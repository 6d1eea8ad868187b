//===- BatchNormalization.cpp - StableHLO's batch_norm operations ---------===//
//
// As the specification defines them, by means, products and sums over all
// dimensions but that of the features. Short numbers are computed in single
// precision.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

/// The arithmetic of one operation on `x`, whose features have a dimension.
class Normalization {
public:
  Normalization(Conversion &c, RankedTensorType type, int64_t feature,
                double epsilon)
      : c(c), b(c.builder), type(type), feature(feature), epsilon(epsilon) {
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (dim == feature)
        continue;
      others.push_back(dim);
      count *= type.getDimSize(dim);
    }
  }

  Value add(Value l, Value r) { return arith::AddFOp::create(b, l, r); }
  Value sub(Value l, Value r) { return arith::SubFOp::create(b, l, r); }
  Value mul(Value l, Value r) { return arith::MulFOp::create(b, l, r); }
  Value div(Value l, Value r) { return arith::DivFOp::create(b, l, r); }

  /// `value`, one number per feature, for every element.
  Value spread(Value value) {
    return BroadcastOp::create(b, type, value, ArrayRef<int64_t>{feature});
  }
  /// The sum over the elements of each feature.
  Value sum(Value value) {
    return ReduceOp::create(
        b, type.clone({type.getDimSize(feature)}),
        ReductionAttr::get(b.getContext(), ReductionKind::Sum), value, others);
  }
  Value mean(Value value) {
    Value total = sum(value);
    return div(total, number(total, count));
  }
  Value number(Value like, double value) {
    return c.splat(like.getType(), value);
  }
  Value deviation(Value variance) {
    return math::SqrtOp::create(b, add(variance, number(variance, epsilon)));
  }
  Value centered(Value x, Value mean) { return sub(x, spread(mean)); }
  Value normalize(Value x, Value scale, Value offset, Value mean,
                  Value variance) {
    Value unit = div(centered(x, mean), spread(deviation(variance)));
    return add(mul(unit, spread(scale)), spread(offset));
  }
  SmallVector<Value> train(Value x, Value scale, Value offset);
  SmallVector<Value> differentiate(Value x, Value scale, Value mean,
                                   Value variance, Value gradient);

private:
  Conversion &c;
  ImplicitLocOpBuilder &b;
  RankedTensorType type;
  int64_t feature;
  double epsilon;
  SmallVector<int64_t> others;
  int64_t count = 1;
};

} // namespace

/// The normalized elements, the mean and the variance of each feature.
SmallVector<Value> Normalization::train(Value x, Value scale, Value offset) {
  Value average = mean(x);
  Value distance = centered(x, average);
  Value variance = mean(mul(distance, distance));
  return {normalize(x, scale, offset, average, variance), average, variance};
}

/// The gradients of the operand, the scale and the offset.
SmallVector<Value> Normalization::differentiate(Value x, Value scale,
                                                Value mean, Value variance,
                                                Value gradient) {
  Value distance = centered(x, mean);
  Value root = deviation(variance);
  Value sumOfGradients = sum(gradient);
  Value sumOfProducts = sum(mul(gradient, distance));
  Value along = div(mul(spread(sumOfProducts), distance),
                    spread(add(variance, number(variance, epsilon))));
  Value rest =
      sub(sub(mul(gradient, number(gradient, count)), spread(sumOfGradients)),
          along);
  Value factor = div(div(scale, root), number(scale, count));
  return {mul(spread(factor), rest), div(sumOfProducts, root), sumOfGradients};
}

/// `stablehlo.batch_norm_inference`, `_training` and `_grad`.
static LogicalResult convertNormalization(Operation *op, ValueRange operands,
                                          Conversion &c,
                                          SmallVectorImpl<Value> &results) {
  FailureOr<int64_t> feature = c.integer(op, "feature_index");
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  auto epsilon = op->getAttrOfType<FloatAttr>("epsilon");
  if (failed(feature) || failed(types))
    return failure();
  RankedTensorType type = typeOf(operands[0]);
  bool isNumber = isa<FloatType>(type.getElementType());
  if (!epsilon || !isNumber || *feature < 0 || *feature >= type.getRank())
    return emitError(op->getLoc())
           << "expected a number 'epsilon', and 'feature_index' a dimension of "
              "numbers of '"
           << op->getName() << "', got " << type;
  auto perFeature = type.clone({type.getDimSize(*feature)});
  for (Value operand : operands)
    if (operand.getType() != type && operand.getType() != perFeature)
      return emitError(op->getLoc())
             << "expected operands of type " << type << " or " << perFeature
             << " of '" << op->getName() << "', got " << operand.getType();
  RankedTensorType wide = type.getElementTypeBitWidth() < 32
                              ? type.clone(c.builder.getF32Type())
                              : type;
  SmallVector<Value> in;
  for (Value operand : operands)
    in.push_back(
        convertFloat(c, operand, typeOf(operand).clone(wide.getElementType())));
  Normalization normal(c, wide, *feature, epsilon.getValueAsDouble());
  StringRef name = op->getName().getStringRef();
  SmallVector<Value> out;
  if (name == "stablehlo.batch_norm_inference")
    out = {normal.normalize(in[0], in[1], in[2], in[3], in[4])};
  else if (name == "stablehlo.batch_norm_training")
    out = normal.train(in[0], in[1], in[2]);
  else
    out = normal.differentiate(in[0], in[1], in[2], in[3], in[4]);
  for (auto [value, result] : llvm::zip_equal(out, *types))
    results.push_back(convertFloat(
        c, value,
        typeOf(value).clone(cast<RankedTensorType>(result).getElementType())));
  return success();
}

void tessera::importer::addBatchNormalization(ConversionTable &table) {
  static constexpr StringLiteral kAttributes[] = {"epsilon", "feature_index"};
  static const OpConversion rows[] = {
      {"stablehlo.batch_norm_inference", convertNormalization, 5, 1, 0,
       kAttributes},
      {"stablehlo.batch_norm_training", convertNormalization, 3, 3, 0,
       kAttributes},
      {"stablehlo.batch_norm_grad", convertNormalization, 5, 3, 0, kAttributes},
  };
  addRows(table, rows);
}
