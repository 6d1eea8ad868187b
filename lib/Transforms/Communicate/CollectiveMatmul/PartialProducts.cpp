//===- PartialProducts.cpp - products by blocks of a dimension ------------===//

#include "CollectiveMatmul/PartialProducts.h"

#include "tessera/Dialect/Pipe/NetworkLevels.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Sharding/Costs/Roofline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

OperandDims communicate::operandDims(DotGeneralOp product, int64_t dim) {
  ArrayRef<int64_t> lhsBatch = product.getLhsBatching(),
                    rhsBatch = product.getRhsBatching();
  if (dim < int64_t(lhsBatch.size()))
    return {lhsBatch[dim], rhsBatch[dim]};
  dim -= lhsBatch.size();
  SmallVector<int64_t> lhsFree = product.getLhsFree();
  if (dim < int64_t(lhsFree.size()))
    return {lhsFree[dim], std::nullopt};
  return {std::nullopt, product.getRhsFree()[dim - lhsFree.size()]};
}

std::optional<int64_t> communicate::resultDim(DotGeneralOp product,
                                              unsigned operand, int64_t dim) {
  for (int64_t i = 0; i < product.getType().getRank(); ++i)
    if (operandDims(product, i)[operand] == dim)
      return i;
  return std::nullopt;
}

Value communicate::emitPartialProduct(ImplicitLocOpBuilder &builder,
                                      DotGeneralOp product, Value lhs,
                                      Value rhs) {
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < product.getType().getRank(); ++dim) {
    OperandDims dims = operandDims(product, dim);
    shape.push_back(dims[0] ? typeOf(lhs).getDimSize(*dims[0])
                            : typeOf(rhs).getDimSize(*dims[1]));
  }
  auto part = cast<DotGeneralOp>(builder.clone(*product));
  part->setOperands({lhs, rhs});
  part.getResult().setType(product.getType().clone(shape));
  return part;
}

bool communicate::isOfBatch(DotGeneralOp product) {
  return !product.getLhsBatching().empty();
}

DotGeneralOp communicate::soleProduct(Operation *reader, std::string &reason) {
  auto product = reader->getOperand(0).getDefiningOp<DotGeneralOp>();
  if (!product || product->getBlock() != reader->getBlock())
    reason = "its operand is no product";
  else if (!product->hasOneUse())
    reason = "something else reads the product";
  else
    return product;
  return nullptr;
}

double communicate::productSeconds(DotGeneralOp product, const Machine &machine,
                                   int64_t dim, int64_t parts) {
  OperandDims dims = operandDims(product, dim);
  double bytes = double(spmd::bytesOf(product)) / parts;
  for (auto [operand, cut] : llvm::zip_equal(product->getOperands(), dims))
    bytes += double(spmd::bytesOf(operand)) / (cut ? parts : 1);
  return rooflineSeconds(
      countArithmetic(product) / parts, bytes, machine,
      pipe::readKernelCosts(product->getParentOfType<ModuleOp>()));
}

Value communicate::emitSum(ImplicitLocOpBuilder &builder,
                           ArrayRef<Value> values) {
  RankedTensorType type = typeOf(values.front());
  bool isFloat = isa<FloatType>(type.getElementType());
  bool isNarrow = isFloat && type.getElementTypeBitWidth() < 32;
  auto wide = type.clone(builder.getF32Type());
  Value sum;
  for (Value value : values) {
    if (isNarrow)
      value = arith::ExtFOp::create(builder, wide, value);
    if (!sum)
      sum = value;
    else if (isFloat)
      sum = arith::AddFOp::create(builder, sum, value);
    else
      sum = arith::AddIOp::create(builder, sum, value);
  }
  return isNarrow ? arith::TruncFOp::create(builder, type, sum) : sum;
}
