//===- ScatteredProduct.cpp - blocks of a product to their owners ---------===//
//
// As GatheredProducts.cpp, the other way round. The own block comes last: its
// kernel adds what the others have sent, so that no kernel only adds.
//
//===----------------------------------------------------------------------===//

#include "CollectiveMatmul/Decomposition.h"
#include "CollectiveMatmul/Ring.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace {

class ScatteredProduct : public Decomposition {
public:
  ScatteredProduct(spmd::ReduceScatterOp scatter, PadOp pad,
                   DotGeneralOp product)
      : scatter(scatter), pad(pad), product(product), ring(scatter) {}

  std::string describe() override;
  Price price(const PriceInputs &inputs) override;
  void apply() override;

private:
  Value emitBlock(ImplicitLocOpBuilder &builder, int64_t shift);

  void movePadding();
  Value emitPadding(ImplicitLocOpBuilder &builder, Value sum, Value padding,
                    int64_t size);

  spmd::ReduceScatterOp scatter;
  /// What makes parts of equal size of the product, if anything does.
  PadOp pad;
  DotGeneralOp product;
  Ring ring;
};

} // namespace

std::string ScatteredProduct::describe() {
  return llvm::formatv("{0} permutes beside {1} partial products",
                       ring.devices() - 1, ring.devices())
      .str();
}

Price ScatteredProduct::price(const PriceInputs &inputs) {
  if (isOfBatch(product))
    return kNever;
  int64_t devices = ring.devices(), dim = scatter.getDim();
  const Transfer &transfer = *inputs.transfer;
  double whole = productSeconds(product, inputs.machine),
         piece = productSeconds(product, inputs.machine, dim, devices);
  double permute = inputs.callSeconds + inputs.links.latency +
                   spmd::bytesOf(scatter) / inputs.links.bandwidth;
  // The clock starts when the product does.
  double link = 0;
  for (int64_t i = 1; i < devices; ++i)
    link = std::max(link, i * piece) + permute;
  // The last kernel also reads what has come.
  double add = double(spmd::bytesOf(product)) / inputs.machine.memoryBandwidth,
         end = std::max(link, (devices - 1) * piece) + piece + add;
  // What runs between the product and the first reader, or would.
  double cover = transfer.need - transfer.stall - transfer.ready;
  double before = whole + cover + transfer.stall,
         after = std::max(end, devices * piece + add + cover);
  return {before - after - inputs.lateness((devices - 1) * permute), piece};
}

Value ScatteredProduct::emitBlock(ImplicitLocOpBuilder &builder,
                                  int64_t shift) {
  builder.setLoc(product.getLoc());
  SmallVector<Value, 2> operands(product->getOperands());
  for (auto [operand, dim] :
       llvm::zip_equal(operands, operandDims(product, scatter.getDim())))
    if (dim)
      operand = ring.slice(builder, operand, *dim, shift);
  return emitPartialProduct(builder, product, operands[0], operands[1]);
}

/// `sum`, of the own block, with `padding` from element `size` of the whole on:
/// zeros of one operand make no zeros where the other is infinite.
Value ScatteredProduct::emitPadding(ImplicitLocOpBuilder &builder, Value sum,
                                    Value padding, int64_t size) {
  RankedTensorType type = typeOf(sum);
  int64_t dim = scatter.getDim();
  auto indexType = RankedTensorType::get(
      {type.getDimSize(dim) * ring.devices()}, builder.getI32Type());
  Value bound = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(indexType, int32_t(size)));
  Value isInside = arith::CmpIOp::create(
      builder, arith::CmpIPredicate::slt,
      IotaOp::create(builder, indexType, uint64_t(0)), bound);
  isInside = ring.slice(builder, isInside, 0, 0);
  Value mask = BroadcastOp::create(builder, type.clone(builder.getI1Type()),
                                   isInside, builder.getDenseI64ArrayAttr(dim));
  Value outside = BroadcastOp::create(builder, type, padding,
                                      builder.getDenseI64ArrayAttr({}));
  return arith::SelectOp::create(builder, mask, sum, outside);
}

/// Pads the operands instead of the product.
void ScatteredProduct::movePadding() {
  ImplicitLocOpBuilder builder(pad.getLoc(), product);
  SmallVector<Value, 2> operands(product->getOperands());
  for (auto [operand, dim] :
       llvm::zip_equal(operands, operandDims(product, scatter.getDim()))) {
    if (!dim)
      continue;
    RankedTensorType type = typeOf(operand);
    SmallVector<int64_t> zeros(type.getRank(), 0), high(zeros),
        shape(type.getShape());
    high[*dim] = pad.getHigh()[scatter.getDim()];
    shape[*dim] += high[*dim];
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value zero = arith::ConstantOp::create(
        builder, cast<TypedAttr>(builder.getZeroAttr(scalar)));
    operand = PadOp::create(builder, type.clone(shape), operand, zero, zeros,
                            high, zeros);
  }
  Value padded = emitPartialProduct(builder, product, operands[0], operands[1]);
  padded.setLoc(product.getLoc());
  pad.replaceAllUsesWith(padded);
  pad.erase();
  product.erase();
  product = padded.getDefiningOp<DotGeneralOp>();
}

void ScatteredProduct::apply() {
  int64_t size = product.getType().getDimSize(scatter.getDim());
  Value padding = pad ? pad.getValue() : Value();
  if (pad)
    movePadding();
  ImplicitLocOpBuilder builder(scatter.getLoc(), product);
  SmallVector<Value> received;
  for (int64_t shift : ring.shifts()) {
    Value block = emitBlock(builder, shift);
    builder.setLoc(scatter.getLoc());
    received.push_back(ring.send(builder, block, shift));
  }
  SmallVector<Value> blocks = {emitBlock(builder, 0)};
  llvm::append_range(blocks, received);
  builder.setInsertionPoint(scatter);
  builder.setLoc(scatter.getLoc());
  Value sum = emitSum(builder, blocks);
  if (padding)
    sum = emitPadding(builder, sum, padding, size);
  scatter.replaceAllUsesWith(sum);
  scatter.erase();
  product.erase();
}

/// Whether `pad`, which nobody else reads, only adds zeros behind the last
/// elements along `dim`, as many as equal shards on `devices` need.
static bool isFilledUp(PadOp pad, int64_t dim, int64_t devices) {
  SmallVector<int64_t> high(pad.getHigh());
  if (high[dim] >= devices)
    return false;
  high[dim] = std::min<int64_t>(high[dim], 0);
  auto isZero = [](int64_t i) { return i == 0; };
  return pad->hasOneUse() && llvm::all_of(high, isZero) &&
         llvm::all_of(pad.getLow(), isZero) &&
         llvm::all_of(pad.getInterior(), isZero) &&
         (matchPattern(pad.getValue(), m_Zero()) ||
          matchPattern(pad.getValue(), m_AnyZeroFloat()));
}

std::unique_ptr<Decomposition>
communicate::decomposeScatter(spmd::ReduceScatterOp scatter,
                              std::string &reason) {
  Type element = scatter.getType().getElementType();
  if (scatter.getKind().getKind() != ReductionKind::Sum ||
      element.isInteger(1)) {
    reason = "it is no sum";
    return nullptr;
  }
  if (groupSize(scatter, scatter.getAxes()) > kMostDevices) {
    reason = llvm::formatv("more than {0} devices", kMostDevices).str();
    return nullptr;
  }
  auto pad = scatter.getOperand().getDefiningOp<PadOp>();
  if (pad && !isFilledUp(pad, scatter.getDim(),
                         groupSize(scatter, scatter.getAxes()))) {
    reason = "its operand is padded by more than equal shards need";
    return nullptr;
  }
  DotGeneralOp product =
      pad ? soleProduct(pad, reason) : soleProduct(scatter, reason);
  if (!product)
    return nullptr;
  return std::make_unique<ScatteredProduct>(scatter, pad, product);
}
