//===- RandomBits.cpp - random bits from a key and a counter --------------===//
//
// Philox 4x32 of ten rounds and Threefry 2x32 of twenty (Salmon et al.,
// Parallel random numbers: as easy as 1, 2, 3, SC 2011): functions from a
// counter and a key to words, so that every element is computed on its own,
// wherever it lies. The state is the key k and a number c.
//
// Of Philox, block i of four words has the counter k * 2^64 + c + i, and the
// next state is k and c + number of blocks; XLA does so too, on CPUs and GPUs,
// also where the program leaves the choice to it. A third word of the state is
// the upper half of c, in the place of k. Of Threefry, block i of two
// words has the counter c + i. Elements of 64 bits are a block each; others are
// half of one, the two halves next to each other along the first even dimension
// or, where there is none, along the largest, which is as XLA has them.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

static constexpr int64_t kWordsPerBlock = 4;

namespace {

/// Arithmetic on the words of all blocks, tensors of one shape.
class WordBuilder {
public:
  WordBuilder(Conversion &c, ArrayRef<int64_t> shape)
      : c(c), b(c.builder),
        words(RankedTensorType::get(shape, b.getIntegerType(32))),
        wide(words.clone(b.getIntegerType(64))) {}

protected:
  Value blockNumbers();
  Value spread(Value scalar, Type type) {
    return BroadcastOp::create(b, type, scalar, b.getDenseI64ArrayAttr({}));
  }
  Value low(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return arith::TruncIOp::create(b, type.clone(b.getIntegerType(32)), value);
  }
  Value high(Value value) {
    Value shift = c.splat(value.getType(), APInt(64, 32));
    return low(arith::ShRUIOp::create(b, value, shift));
  }
  /// `word` + `by`.
  Value raise(Value word, uint32_t by) {
    return arith::AddIOp::create(b, word,
                                 c.splat(word.getType(), APInt(32, by)));
  }

  Conversion &c;
  ImplicitLocOpBuilder &b;
  RankedTensorType words, wide;
};

class Philox : WordBuilder {
public:
  using WordBuilder::WordBuilder;

  /// The four words of every block, whose counters start at `counter` and
  /// `above`, its upper half: scalars of 64 bits, as `key` is.
  SmallVector<Value, 4> blocks(Value key, Value counter, Value above);

private:
  void round(SmallVectorImpl<Value> &state, Value key0, Value key1);
};

class Threefry : WordBuilder {
public:
  using WordBuilder::WordBuilder;

  /// The two words of every block; `key` and `counter` are scalars of 64 bits.
  SmallVector<Value, 4> blocks(Value key, Value counter);

private:
  void round(SmallVectorImpl<Value> &state, uint32_t rotation);
};

} // namespace

/// The row-major number of every block.
Value WordBuilder::blockNumbers() {
  Value numbers = c.splat(wide, APInt::getZero(64));
  int64_t stride = 1;
  for (int64_t dim = wide.getRank() - 1; dim >= 0; --dim) {
    Value indices = IotaOp::create(b, wide, dim);
    indices =
        arith::MulIOp::create(b, indices, c.splat(wide, APInt(64, stride)));
    numbers = arith::AddIOp::create(b, numbers, indices);
    stride *= wide.getDimSize(dim);
  }
  return numbers;
}

void Philox::round(SmallVectorImpl<Value> &state, Value key0, Value key1) {
  auto multiply = [&](Value word, uint32_t factor) {
    Value extended = arith::ExtUIOp::create(b, wide, word);
    return arith::MulIOp::create(b, extended, c.splat(wide, APInt(64, factor)));
  };
  auto mix = [&](Value product, Value word, Value key) -> Value {
    Value mixed = arith::XOrIOp::create(b, high(product), word);
    return arith::XOrIOp::create(b, mixed, spread(key, words));
  };
  Value first = multiply(state[0], 0xD2511F53);
  Value second = multiply(state[2], 0xCD9E8D57);
  Value word0 = mix(second, state[1], key0), word2 = mix(first, state[3], key1);
  state.assign({word0, low(second), word2, low(first)});
}

SmallVector<Value, 4> Philox::blocks(Value key, Value counter, Value above) {
  Value start = spread(counter, wide);
  Value lower = arith::AddIOp::create(b, start, blockNumbers());
  Value carry =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, lower, start);
  Value upper = arith::AddIOp::create(b, spread(above, wide),
                                      arith::ExtUIOp::create(b, wide, carry));
  SmallVector<Value, 4> state = {low(lower), high(lower), low(upper),
                                 high(upper)};
  Value key0 = low(key), key1 = high(key);
  for (int number = 0; number < 10; ++number) {
    round(state, key0, key1);
    key0 = raise(key0, 0x9E3779B9);
    key1 = raise(key1, 0xBB67AE85);
  }
  return state;
}

void Threefry::round(SmallVectorImpl<Value> &state, uint32_t rotation) {
  state[0] = arith::AddIOp::create(b, state[0], state[1]);
  Value left =
      arith::ShLIOp::create(b, state[1], c.splat(words, APInt(32, rotation)));
  Value right = arith::ShRUIOp::create(
      b, state[1], c.splat(words, APInt(32, 32 - rotation)));
  Value rotated = arith::OrIOp::create(b, left, right);
  state[1] = arith::XOrIOp::create(b, state[0], rotated);
}

SmallVector<Value, 4> Threefry::blocks(Value key, Value counter) {
  static constexpr uint32_t kRotations[2][4] = {{13, 15, 26, 6},
                                                {17, 29, 16, 24}};
  Value number =
      arith::AddIOp::create(b, spread(counter, wide), blockNumbers());
  // The third key is the parity of the others.
  SmallVector<Value, 3> keys = {low(key), high(key)};
  Value both = arith::XOrIOp::create(b, keys[0], keys[1]);
  keys.push_back(arith::XOrIOp::create(
      b, both, c.splat(both.getType(), APInt(32, 0x1BD11BDA))));
  SmallVector<Value, 4> state = {low(number), high(number)};
  auto addKeys = [&](unsigned first) {
    for (unsigned i : {0, 1}) {
      Value added = keys[(first + i) % 3];
      // The second word also counts.
      if (i == 1)
        added = raise(added, first);
      state[i] = arith::AddIOp::create(b, state[i], spread(added, words));
    }
  };
  addKeys(0);
  for (unsigned group = 1; group <= 5; ++group) {
    for (uint32_t rotation : kRotations[(group - 1) % 2])
      round(state, rotation);
    addKeys(group);
  }
  return state;
}

/// `words`, an even number per block, as elements of type `element`: the low
/// bits of a word each, or two words.
static SmallVector<Value> elementsOf(ArrayRef<Value> words, IntegerType element,
                                     Conversion &c) {
  ImplicitLocOpBuilder &b = c.builder;
  auto type = cast<RankedTensorType>(words[0].getType()).clone(element);
  SmallVector<Value> elements;
  if (element.getWidth() <= 32) {
    for (Value word : words)
      elements.push_back(
          word.getType() == type
              ? word
              : arith::TruncIOp::create(b, type, word).getResult());
    return elements;
  }
  for (size_t i = 0; i < words.size(); i += 2) {
    Value lower = arith::ExtUIOp::create(b, type, words[i]);
    Value upper = arith::ExtUIOp::create(b, type, words[i + 1]);
    upper = arith::ShLIOp::create(b, upper, c.splat(type, APInt(64, 32)));
    elements.push_back(arith::OrIOp::create(b, lower, upper));
  }
  return elements;
}

/// The elements of each block one behind the other, as a tensor of `type`.
static Value joinBlocks(ArrayRef<Value> elements, RankedTensorType type,
                        Conversion &c) {
  ImplicitLocOpBuilder &b = c.builder;
  auto part = cast<RankedTensorType>(elements[0].getType());
  SmallVector<int64_t> shape(part.getShape());
  shape.push_back(1);
  SmallVector<Value> columns;
  for (Value element : elements)
    columns.push_back(ReshapeOp::create(b, part.clone(shape), element));
  shape.back() = elements.size();
  Value joined =
      ConcatenateOp::create(b, part.clone(shape), columns, shape.size() - 1);
  int64_t count = type.getNumElements();
  int64_t available = part.getNumElements() * elements.size();
  if (available != count) {
    joined = ReshapeOp::create(b, part.clone({available}), joined);
    joined =
        SliceOp::create(b, part.clone({count}), joined, ArrayRef<int64_t>{0},
                        ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
  }
  return joined.getType() == type ? joined : ReshapeOp::create(b, type, joined);
}

//===----------------------------------------------------------------------===//
// The order of elements
//===----------------------------------------------------------------------===//

namespace {
/// Bits and how much the counter went on for them.
struct RandomBits {
  Value elements;
  int64_t numBlocks;
};
} // namespace

/// The shape of Philox's blocks: that of the elements where rows are whole
/// blocks, so that they are split alike, else a list.
static SmallVector<int64_t> shapeOfBlocks(RankedTensorType type,
                                          int64_t perBlock) {
  if (type.getRank() == 0 || type.getShape().back() % perBlock != 0)
    return {int64_t(llvm::divideCeil(type.getNumElements(), perBlock))};
  SmallVector<int64_t> shape(type.getShape());
  shape.back() /= perBlock;
  return shape;
}

static RandomBits philoxBits(Value key, Value counter, Value above,
                             RankedTensorType type, Conversion &c) {
  auto element = cast<IntegerType>(type.getElementType());
  int64_t perBlock =
      element.getWidth() == 64 ? kWordsPerBlock / 2 : kWordsPerBlock;
  SmallVector<int64_t> shape = shapeOfBlocks(type, perBlock);
  SmallVector<Value, 4> words = Philox(c, shape).blocks(key, counter, above);
  return {joinBlocks(elementsOf(words, element, c), type, c),
          ShapedType::getNumElements(shape)};
}

/// The dimension along which the words of Threefry's blocks alternate.
static int64_t alternatingDim(ArrayRef<int64_t> shape) {
  const int64_t *even =
      llvm::find_if(shape, [](int64_t size) { return size % 2 == 0; });
  return (even != shape.end() ? even : llvm::max_element(shape)) -
         shape.begin();
}

/// Random bits of `type` from Threefry-2x32, in XLA's order: one block gives
/// two words, which alternate along the dimension of `alternatingDim` (an odd
/// size drops the last word); 64 bits take both words of a block. Also the
/// number of blocks, by which the counter grows.
static RandomBits threefryBits(Value key, Value counter, RankedTensorType type,
                               Conversion &c) {
  auto element = cast<IntegerType>(type.getElementType());
  SmallVector<int64_t> shape(type.getShape());
  if (element.getWidth() == 64) {
    SmallVector<Value, 4> words = Threefry(c, shape).blocks(key, counter);
    return {elementsOf(words, element, c).front(), type.getNumElements()};
  }
  // A scalar is the first of two.
  if (shape.empty())
    shape.push_back(1);
  int64_t dim = alternatingDim(shape), size = shape[dim];
  shape[dim] = llvm::divideCeil(size, 2);
  ImplicitLocOpBuilder &b = c.builder;
  SmallVector<Value, 4> words = Threefry(c, shape).blocks(key, counter);
  int64_t numBlocks = ShapedType::getNumElements(shape);
  shape.insert(shape.begin() + dim + 1, 1);
  SmallVector<Value> columns;
  for (Value word : elementsOf(words, element, c))
    columns.push_back(ReshapeOp::create(b, type.clone(shape), word));
  shape[dim + 1] = 2;
  Value joined = ConcatenateOp::create(b, type.clone(shape), columns, dim + 1);
  shape.erase(shape.begin() + dim + 1);
  shape[dim] *= 2;
  joined = ReshapeOp::create(b, type.clone(shape), joined);
  SmallVector<int64_t> starts(shape.size(), 0), limits(shape),
      strides(shape.size(), 1);
  limits[dim] = size;
  if (limits != shape)
    joined =
        SliceOp::create(b, type.clone(limits), joined, starts, limits, strides);
  if (joined.getType() != type)
    joined = ReshapeOp::create(b, type, joined);
  return {joined, numBlocks};
}

/// The words of the state behind `numBlocks` blocks.
static SmallVector<Value> nextState(ArrayRef<Value> state, int64_t numBlocks,
                                    Conversion &c) {
  ImplicitLocOpBuilder &b = c.builder;
  Value used = c.splat(state[1].getType(), APInt(64, numBlocks));
  Value next = arith::AddIOp::create(b, state[1], used);
  SmallVector<Value> words = {state[0], next};
  if (state.size() == 2)
    return words;
  Value carry = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, next, used);
  carry = arith::ExtUIOp::create(b, state[2].getType(), carry);
  words.push_back(arith::AddIOp::create(b, state[2], carry));
  return words;
}

/// Gives the state behind the bits and the bits, as XLA computes both: the
/// state is key and counter, and the counter grows by the blocks that were
/// used. DEFAULT is Philox.
static LogicalResult convertRandomBits(Operation *op, ValueRange operands,
                                       Conversion &c,
                                       SmallVectorImpl<Value> &results) {
  FailureOr<StringRef> algorithm = c.parsed<StringRef, StringRef>(
      op, "rng_algorithm", parseEnumeration, "rng_algorithm");
  RankedTensorType type =
      c.convertType(op->getResult(1).getType(), op->getLoc());
  if (failed(algorithm) || !type)
    return failure();
  ImplicitLocOpBuilder &b = c.builder;
  auto state = cast<RankedTensorType>(operands[0].getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  bool isThreefry = *algorithm == "THREE_FRY";
  bool isPhilox = *algorithm == "DEFAULT" || *algorithm == "PHILOX";
  auto isWords = [&](int64_t count) {
    return state == RankedTensorType::get({count}, b.getIntegerType(64));
  };
  if ((!isThreefry && !isPhilox) || !element || element.getWidth() < 8 ||
      !(isWords(2) || (isPhilox && isWords(3))))
    return emitError(op->getLoc())
           << "unsupported form of 'stablehlo.rng_bit_generator', expected "
              "DEFAULT, PHILOX or THREE_FRY, a state of tensor<2xui64> (or "
              "tensor<3xui64>, but for THREE_FRY) and integers, got "
           << *algorithm << ", " << op->getOperand(0).getType() << " and "
           << op->getResult(1).getType();
  auto one = RankedTensorType::get({1}, b.getIntegerType(64)),
       scalar = RankedTensorType::get({}, b.getIntegerType(64));
  SmallVector<Value> words;
  for (int64_t i = 0; i < state.getNumElements(); ++i) {
    Value slice =
        SliceOp::create(b, one, operands[0], ArrayRef<int64_t>{i},
                        ArrayRef<int64_t>{i + 1}, ArrayRef<int64_t>{1});
    words.push_back(ReshapeOp::create(b, scalar, slice));
  }
  Value above = words.size() == 3 ? words[2] : words[0];
  RandomBits bits = isThreefry ? threefryBits(words[0], words[1], type, c)
                               : philoxBits(words[0], words[1], above, type, c);
  SmallVector<Value> numbers;
  for (Value word : nextState(words, bits.numBlocks, c))
    numbers.push_back(ReshapeOp::create(b, one, word));
  results.push_back(ConcatenateOp::create(b, state, numbers, 0));
  results.push_back(bits.elements);
  return success();
}

void tessera::importer::addRandomBits(ConversionTable &table) {
  static constexpr StringLiteral kAlgorithm[] = {"rng_algorithm"};
  static const OpConversion rows[] = {
      {"stablehlo.rng_bit_generator", convertRandomBits, 1, 2, 0, kAlgorithm},
  };
  addRows(table, rows);
}
