//===- GatheredProducts.cpp - products of shards as they come -------------===//
//
// Wang et al., "Overlap Communication with Dependent Computation via
// Decomposition in Large Deep Learning Models" (ASPLOS 2023), without the loop:
// since the program is unrolled, every shard comes from its owner directly, and
// no permute waits for another one. Shards of the nearest devices come first.
//
//===----------------------------------------------------------------------===//

#include "CollectiveMatmul/Decomposition.h"
#include "CollectiveMatmul/Ring.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

Decomposition::~Decomposition() = default;

namespace {

class GatheredProducts : public Decomposition {
public:
  explicit GatheredProducts(spmd::AllGatherOp gather);

  bool isEmpty() const { return products.empty(); }
  std::string describe() override;
  Price price(const PriceInputs &inputs) override;
  void apply() override;

private:
  /// A product that reads the gathered tensor, and where its blocks lie.
  struct Reader {
    DotGeneralOp product;
    unsigned operand;
    int64_t dim;
    /// What keeps some of the gathered tensor for it, if that does not read it
    /// itself.
    Operation *crop;
    Value result = {};
  };
  Value emitBlock(ImplicitLocOpBuilder &builder, const Reader &reader,
                  Value shard, int64_t shift);
  Value emitWhole(ImplicitLocOpBuilder &builder);
  std::optional<Reader> readerOf(Operation *op, Value value);
  void moveCrop(Reader &reader);

  spmd::AllGatherOp gather;
  Ring ring;
  SmallVector<Reader, 3> products;
  /// The first other reader, or what it lies in.
  Operation *firstOther = nullptr;
  /// The shards that there are so far, by the shift of their owners.
  SmallVector<std::pair<Value, int64_t>> shards;
};

} // namespace

/// Who reads `value`, each once, in the order of `block`, in or below which
/// they stand.
static SmallVector<Operation *> readersOf(Value value, Block *block) {
  SmallVector<Operation *> readers;
  for (Operation *user : value.getUsers())
    readers.push_back(block->findAncestorOpInBlock(*user));
  llvm::sort(readers, [](Operation *a, Operation *b) {
    return a != b && a->isBeforeInBlock(b);
  });
  readers.erase(llvm::unique(readers), readers.end());
  return readers;
}

/// Whether `value` is there at `op`.
static bool isBefore(Value value, Operation *op) {
  Operation *producer = value.getDefiningOp();
  return !producer || producer->getBlock() != op->getBlock() ||
         producer->isBeforeInBlock(op);
}

/// Whether `op` only drops the last elements along `dim`: what `devices` shards
/// of equal size have too many.
static bool isCrop(Operation *op, int64_t dim, int64_t devices) {
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice)
    return false;
  SmallVector<int64_t> kept(shapeOf(slice.getOperand()));
  int64_t dropped = kept[dim] - slice.getType().getDimSize(dim);
  kept[dim] -= dropped;
  return dropped < devices &&
         llvm::all_of(slice.getStarts(), [](int64_t i) { return i == 0; }) &&
         llvm::all_of(slice.getStrides(), [](int64_t i) { return i == 1; }) &&
         slice.getType().getShape() == ArrayRef(kept);
}

/// Sorts out who reads what is gathered: products that can be computed by
/// shards, and others.
GatheredProducts::GatheredProducts(spmd::AllGatherOp gather)
    : gather(gather), ring(gather) {
  Block *block = gather->getBlock();
  SmallVector<Reader> found;
  llvm::SetVector<Operation *> others;
  for (Operation *op : readersOf(gather.getResult(), block)) {
    bool isCropped = isCrop(op, gather.getDim(), ring.devices());
    Value value = gather.getResult();
    SmallVector<Operation *> readers = {op};
    if (isCropped) {
      value = op->getResult(0);
      readers = readersOf(value, block);
    }
    if (readers.empty())
      others.insert(op);
    for (Operation *reader : readers) {
      if (std::optional<Reader> product = readerOf(reader, value))
        found.push_back(*product);
      else
        others.insert(op);
    }
  }
  llvm::sort(found, [](const Reader &a, const Reader &b) {
    return a.product->isBeforeInBlock(b.product);
  });
  for (Reader &reader : found) {
    // Blocks are computed where the first of the products stands: so they share
    // the time that permutes take.
    Operation *first = found.front().product;
    Value other = reader.product->getOperand(1 - reader.operand);
    if (isBefore(other, first))
      products.push_back(reader);
    else
      others.insert(reader.crop ? reader.crop : reader.product);
  }
  for (Operation *op : others)
    if (!firstOther || op->isBeforeInBlock(firstOther))
      firstOther = op;
}

/// What `op` is if it is a product of `value`, the gathered tensor or what is
/// kept of it, that keeps the gathered dimension.
std::optional<GatheredProducts::Reader>
GatheredProducts::readerOf(Operation *op, Value value) {
  auto product = dyn_cast<DotGeneralOp>(op);
  if (!product || product.getLhs() == product.getRhs())
    return std::nullopt;
  unsigned operand = product.getRhs() == value;
  // What is gathered, whole or in part, cannot be both operands.
  Value other = product->getOperand(1 - operand);
  auto slice = other.getDefiningOp<SliceOp>();
  if (other == gather.getResult() ||
      (slice && slice.getOperand() == gather.getResult()))
    return std::nullopt;
  std::optional<int64_t> dim = resultDim(product, operand, gather.getDim());
  Operation *crop =
      value == gather.getResult() ? nullptr : value.getDefiningOp();
  if (!dim || (crop && operandDims(product, *dim)[1 - operand]))
    return std::nullopt;
  return Reader{product, operand, *dim, crop};
}

std::string GatheredProducts::describe() {
  return llvm::formatv("{0} permutes beside {1} partial products{2}",
                       ring.devices() - 1, products.size() * ring.devices(),
                       firstOther ? " and a copy for its other readers" : "")
      .str();
}

/// The seconds to put blocks together to `bytes`: to fill the memory, and to
/// read and write each block.
static double joinSeconds(double bytes, const Machine &machine) {
  return 3 * bytes / machine.memoryBandwidth;
}

Price GatheredProducts::price(const PriceInputs &inputs) {
  int64_t devices = ring.devices();
  const Machine &machine = inputs.machine;
  double whole = 0, block = 0, join = 0;
  Price price{0, std::numeric_limits<double>::infinity()};
  for (Reader &reader : products) {
    if (isOfBatch(reader.product))
      return kNever;
    double piece = productSeconds(reader.product, machine, reader.dim, devices);
    price.piece = std::min(price.piece, piece);
    whole += productSeconds(reader.product, machine);
    block += piece;
    join += joinSeconds(spmd::bytesOf(reader.product), machine);
  }
  if (firstOther)
    join += joinSeconds(spmd::bytesOf(gather.getResult()), machine);
  const Transfer &transfer = *inputs.transfer;
  double permute = inputs.callSeconds + inputs.links.latency +
                   spmd::bytesOf(gather.getOperand()) / inputs.links.bandwidth;
  // The clock starts when the products could run but for the gathered tensor.
  double link = transfer.begin - (transfer.need - transfer.stall), end = block;
  for (int64_t i = 1; i < devices; ++i) {
    link += permute;
    end = std::max(end, link) + block;
  }
  price.saved = transfer.stall + whole - (end + join) -
                inputs.lateness((devices - 1) * permute);
  return price;
}

/// The block of the product that the shard of the device at `shift` gives.
Value GatheredProducts::emitBlock(ImplicitLocOpBuilder &builder,
                                  const Reader &reader, Value shard,
                                  int64_t shift) {
  DotGeneralOp product = reader.product;
  builder.setLoc(product.getLoc());
  SmallVector<Value, 2> operands(product->getOperands());
  unsigned other = 1 - reader.operand;
  operands[reader.operand] = shard;
  if (auto batch = operandDims(product, reader.dim)[other])
    operands[other] = ring.slice(builder, operands[other], *batch, shift);
  return emitPartialProduct(builder, product, operands[0], operands[1]);
}

static Value emptyTensor(ImplicitLocOpBuilder &builder, RankedTensorType type) {
  return arith::ConstantOp::create(builder,
                                   cast<TypedAttr>(builder.getZeroAttr(type)));
}

Value GatheredProducts::emitWhole(ImplicitLocOpBuilder &builder) {
  builder.setLoc(gather.getLoc());
  Value whole = emptyTensor(builder, gather.getType());
  for (auto [shard, shift] : shards)
    whole = ring.update(builder, whole, shard, gather.getDim(), shift);
  return whole;
}

/// Lets the product be that of all that is gathered, and keeps less of it.
void GatheredProducts::moveCrop(Reader &reader) {
  DotGeneralOp product = reader.product;
  ImplicitLocOpBuilder builder(product.getLoc(), product);
  SmallVector<Value, 2> operands(product->getOperands());
  operands[reader.operand] = gather.getResult();
  Value whole = emitPartialProduct(builder, product, operands[0], operands[1]);
  SmallVector<int64_t> zeros(product.getType().getRank(), 0),
      ones(product.getType().getRank(), 1);
  Value kept = SliceOp::create(builder, product.getType(), whole, zeros,
                               product.getType().getShape(), ones);
  product.replaceAllUsesWith(kept);
  product.erase();
  if (reader.crop->use_empty())
    reader.crop->erase();
  reader.product = whole.getDefiningOp<DotGeneralOp>();
}

void GatheredProducts::apply() {
  for (Reader &reader : products)
    if (reader.crop)
      moveCrop(reader);
  ImplicitLocOpBuilder builder(gather.getLoc(), gather);
  shards.push_back({gather.getOperand(), 0});
  for (int64_t shift : ring.shifts())
    shards.push_back({ring.send(builder, gather.getOperand(), shift), -shift});
  if (firstOther) {
    builder.setInsertionPoint(firstOther);
    Value whole = emitWhole(builder);
    gather.getResult().replaceUsesWithIf(whole, [&](OpOperand &use) {
      return llvm::none_of(products, [&](const Reader &reader) {
        return reader.product == use.getOwner();
      });
    });
  }
  builder.setInsertionPoint(products.front().product);
  for (Reader &reader : products)
    reader.result = emptyTensor(builder, reader.product.getType());
  for (auto [shard, shift] : shards)
    for (Reader &reader : products)
      reader.result = ring.update(builder, reader.result,
                                  emitBlock(builder, reader, shard, shift),
                                  reader.dim, shift);
  for (Reader &reader : products) {
    reader.product.replaceAllUsesWith(reader.result);
    reader.product.erase();
  }
  gather.erase();
}

std::unique_ptr<Decomposition>
communicate::decomposeGather(spmd::AllGatherOp gather, std::string &reason) {
  if (groupSize(gather, gather.getAxes()) > kMostDevices) {
    reason = llvm::formatv("more than {0} devices", kMostDevices).str();
    return nullptr;
  }
  auto result = std::make_unique<GatheredProducts>(gather);
  if (!result->isEmpty())
    return result;
  reason = "no product keeps the gathered dimension";
  return nullptr;
}
