//===- ReducedProduct.cpp - a product whose sum goes to all, by pieces ----===//
//
// An all-reduce is a reduce-scatter and an all-gather, and permutes beside
// partial products could hide the first half only. In pieces all but the last
// is hidden, every element is summed in the same order as before, and pieces
// need not be equal.
//
//===----------------------------------------------------------------------===//

#include "CollectiveMatmul/Decomposition.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace {

class ReducedProduct : public Decomposition {
public:
  ReducedProduct(spmd::AllReduceOp reduction, DotGeneralOp product, int64_t dim,
                 int64_t pieces)
      : reduction(reduction), product(product), dim(dim), pieces(pieces) {}

  std::string describe() override;
  Price price(const PriceInputs &inputs) override;
  void apply() override;

private:
  Value emitPiece(ImplicitLocOpBuilder &builder, int64_t begin, int64_t end);

  spmd::AllReduceOp reduction;
  DotGeneralOp product;
  int64_t dim, pieces;
};

} // namespace

std::string ReducedProduct::describe() {
  return llvm::formatv("{0} pieces beside as many partial products", pieces)
      .str();
}

Price ReducedProduct::price(const PriceInputs &inputs) {
  if (isOfBatch(product))
    return kNever;
  const Transfer &transfer = *inputs.transfer;
  const Machine &machine = inputs.machine;
  double whole = productSeconds(product, machine),
         piece = productSeconds(product, machine, dim, pieces);
  double call = transfer.latency + transfer.seconds / pieces, link = 0;
  // The clock starts when the product does.
  for (int64_t i = 1; i <= pieces; ++i)
    link = std::max(link, i * piece) + call;
  // Read and written once more.
  double join = 2.0 * spmd::bytesOf(product) / machine.memoryBandwidth;
  // What runs between the product and the first reader, or would.
  double cover = transfer.need - transfer.stall - transfer.ready;
  double before = whole + cover + transfer.stall,
         after = std::max(link, pieces * piece + cover) + join;
  return {before - after - inputs.lateness(pieces * call), piece};
}

Value ReducedProduct::emitPiece(ImplicitLocOpBuilder &builder, int64_t begin,
                                int64_t end) {
  SmallVector<Value, 2> operands(product->getOperands());
  for (auto [operand, cut] :
       llvm::zip_equal(operands, operandDims(product, dim))) {
    if (!cut)
      continue;
    RankedTensorType type = typeOf(operand);
    SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1),
        limits(type.getShape()), shape(type.getShape());
    starts[*cut] = begin;
    limits[*cut] = end;
    shape[*cut] = end - begin;
    operand = SliceOp::create(builder, type.clone(shape), operand, starts,
                              limits, strides);
  }
  return emitPartialProduct(builder, product, operands[0], operands[1]);
}

void ReducedProduct::apply() {
  ImplicitLocOpBuilder builder(product.getLoc(), product);
  int64_t size = product.getType().getDimSize(dim);
  SmallVector<Value> results;
  for (int64_t i = 0; i < pieces; ++i) {
    builder.setLoc(product.getLoc());
    Value piece =
        emitPiece(builder, size * i / pieces, size * (i + 1) / pieces);
    builder.setLoc(reduction.getLoc());
    results.push_back(spmd::AllReduceOp::create(builder, piece.getType(),
                                                reduction.getKind(), piece,
                                                reduction.getAxes()));
  }
  builder.setInsertionPoint(reduction);
  reduction.replaceAllUsesWith(
      ConcatenateOp::create(builder, reduction.getType(), results, dim)
          .getResult());
  reduction.erase();
  product.erase();
}

std::unique_ptr<Decomposition>
communicate::decomposeReduction(spmd::AllReduceOp reduction, int64_t pieces,
                                std::string &reason) {
  DotGeneralOp product = soleProduct(reduction, reason);
  if (!product)
    return nullptr;
  for (auto [dim, size] : llvm::enumerate(product.getType().getShape()))
    if (size >= pieces)
      return std::make_unique<ReducedProduct>(reduction, product, dim, pieces);
  reason = "no dimension has as many elements as there would be pieces";
  return nullptr;
}
