//===- WarpgroupMma.cpp ---------------------------------------------------===//

#include "matrix/WarpgroupMma.h"

#include "asynchronous/AsyncCopies.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

std::array<uint32_t, 2> WgmmaShape::pack() const {
  uint32_t flags = uint32_t(negateA) | uint32_t(negateB) << 1 |
                   uint32_t(majorA == Major::MN) << 2 |
                   uint32_t(majorB == Major::MN) << 3 |
                   uint32_t(registersA) << 4 |
                   uint32_t(accumulator == AccumulatorElement::F32) << 5 |
                   static_cast<uint32_t>(element) << 8;
  return {n, flags};
}

WgmmaShape WgmmaShape::unpack(uint32_t first, uint32_t second) {
  WgmmaShape shape;
  shape.n = first;
  shape.negateA = second & 1;
  shape.negateB = second >> 1 & 1;
  shape.majorA = second >> 2 & 1 ? Major::MN : Major::K;
  shape.majorB = second >> 3 & 1 ? Major::MN : Major::K;
  shape.registersA = second >> 4 & 1;
  shape.accumulator =
      second >> 5 & 1 ? AccumulatorElement::F32 : AccumulatorElement::F16;
  shape.element = static_cast<MatrixElement>(second >> 8);
  return shape;
}

static WgmmaShape shapeOf(const Instruction &instruction) {
  return WgmmaShape::unpack(instruction.data[0], instruction.data[1]);
}

static LaneWords &wordsOf(Warp &warp, const Operand &operand) {
  return *reinterpret_cast<LaneWords *>(warp.lanes<uint32_t>(operand));
}

//===----------------------------------------------------------------------===//
// Tokens: sign and exponent all ones, quiet bit zero, 15 bits of the product's
// number (not 0), 7 bits of the register's.
//===----------------------------------------------------------------------===//

static constexpr uint32_t lastId = (1u << 15) - 1;

static uint32_t token(uint32_t id, uint32_t element) {
  return 0xff800000u | id << 7 | element;
}
/// The product of a token; 0 for other words.
static uint32_t tokenId(uint32_t word) {
  return (word & 0xffc00000u) == 0xff800000u ? word >> 7 & lastId : 0;
}
static uint32_t tokenElement(uint32_t word) { return word & 127; }

//===----------------------------------------------------------------------===//
// Operands in shared memory
//===----------------------------------------------------------------------===//

/// An operand's part: indices `first` to `first + count` of M or N, all of K.
namespace {
struct SharedOperand {
  MatrixDescriptor descriptor;
  unsigned first, count, k;
  Major major;
  MatrixElement element;

  /// Calls `use(address, mn, k) -> bool` for each chunk of 16 bytes, which
  /// begins with that element, until it returns false.
  template <typename Use> bool forEachChunk(Use use) const {
    unsigned bytes = bytesOf(element), chunk = 16 / bytes;
    unsigned stepMN = major == Major::MN ? chunk : 1;
    unsigned stepK = major == Major::K ? chunk : 1;
    for (unsigned i = first; i < first + count; i += stepMN)
      for (unsigned j = 0; j < k; j += stepK)
        if (!use(descriptor.addressOf(i, j, major, bytes), i, j))
          return false;
    return true;
  }
};
} // namespace

/// The operand as a matrix, count x k, or transposed; negated on request.
static Matrix readOperand(Warp &warp, const SharedOperand &operand,
                          bool transposed, bool negated) {
  Matrix matrix(transposed ? operand.k : operand.count,
                transposed ? operand.count : operand.k);
  unsigned bytes = bytesOf(operand.element), chunk = 16 / bytes;
  bool alongK = operand.major == Major::K;
  operand.forEachChunk([&](uint32_t address, unsigned mn, unsigned k) {
    const std::byte *from = warp.block().shared().data() + address;
    for (unsigned e = 0; e < chunk; ++e) {
      uint32_t bits = 0;
      std::memcpy(&bits, from + e * bytes, bytes);
      float value = toFloat(bits, operand.element);
      unsigned row = mn - operand.first + (alongK ? 0 : e);
      unsigned column = k + (alongK ? e : 0);
      (transposed ? matrix.at(column, row) : matrix.at(row, column)) =
          negated ? -value : value;
    }
    return true;
  });
  return matrix;
}

/// Notes that this warp's asynchronous agent reads the operand; false after a
/// fault.
static bool accessOperand(Warp &warp, const SharedOperand &operand) {
  return operand.forEachChunk([&](uint32_t address, unsigned, unsigned) {
    return warp.accessAs(asynchronousAgent(warp.index()), Space::Shared, 0,
                         address, 16, Access::Read) != nullptr;
  });
}

/// The descriptor in an operand, which all lanes have to agree on; nothing
/// after a fault.
static std::optional<MatrixDescriptor> readDescriptor(Warp &warp,
                                                      const Operand &operand) {
  const uint64_t *lanes = warp.lanes<uint64_t>(operand);
  for (unsigned lane = 1; lane < warpLanes; ++lane)
    if (lanes[lane] != lanes[0]) {
      warp.fault(lane, "expected one matrix descriptor for the whole warp");
      return std::nullopt;
    }
  Fallible<MatrixDescriptor> descriptor = MatrixDescriptor::decode(lanes[0]);
  if (descriptor)
    return *descriptor;
  warp.fault(0, descriptor.message());
  return std::nullopt;
}

/// The parts of A and B that a warp needs.
static SharedOperand leftOperand(const Warp &warp, const WgmmaShape &shape,
                                 const MatrixDescriptor &descriptor) {
  return {descriptor,   16 * (warp.index() % 4), 16, shape.k(), shape.majorA,
          shape.element};
}
static SharedOperand rightOperand(const WgmmaShape &shape,
                                  const MatrixDescriptor &descriptor) {
  return {descriptor, 0, shape.n, shape.k(), shape.majorB, shape.element};
}

//===----------------------------------------------------------------------===//
// WarpgroupMma
//===----------------------------------------------------------------------===//

/// Whether all accumulators are those of a pending product of the same shape,
/// which is ordered before this one without a fence.
bool WarpgroupMma::continues(Warp &warp, const Instruction &instruction) {
  WgmmaShape shape = shapeOf(instruction);
  const State &own = state(warp);
  for (unsigned i = 0; i < shape.registersD(); ++i) {
    uint32_t id = tokenId(wordsOf(warp, instruction[i])[0]);
    auto before = std::find_if(own.pending.begin(), own.pending.end(),
                               [&](const Product &p) { return p.id == id; });
    if (!id || before == own.pending.end() ||
        shapeOf(*before->instruction).n != shape.n ||
        shapeOf(*before->instruction).element != shape.element)
      return false;
  }
  return true;
}

Outcome WarpgroupMma::start(Warp &warp, const Instruction &instruction,
                            bool accumulate) {
  WgmmaShape shape = shapeOf(instruction);
  State &own = state(warp);
  if (!own.fenced && (shape.registersA || !continues(warp, instruction)))
    return warp.fault(0, "wgmma.mma_async without a wgmma.fence after its "
                         "registers were written");
  Product product{own.nextId, &instruction, accumulate, {}, {}, {}};
  unsigned at = shape.registersD();
  if (!shape.registersA) {
    product.a = readDescriptor(warp, instruction[at]);
    if (!product.a)
      return Outcome::Fault;
  }
  product.b = readDescriptor(warp, instruction[at + (product.a ? 1 : 4)]);
  if (!product.b)
    return Outcome::Fault;
  warp.block().state<AsyncCopies>().beginProxyRead(warp);
  if ((product.a &&
       !accessOperand(warp, leftOperand(warp, shape, *product.a))) ||
      !accessOperand(warp, rightOperand(shape, *product.b)))
    return Outcome::Fault;
  own.nextId = own.nextId == lastId ? 1 : own.nextId + 1;
  for (unsigned i = 0; i < shape.registersD(); ++i) {
    LaneWords &words = wordsOf(warp, instruction[i]);
    product.accumulators.push_back(words);
    words.fill(token(product.id, i));
  }
  own.pending.push_back(std::move(product));
  ++own.uncommitted;
  warp.observe(&WarpgroupMma::observe);
  return Outcome::Continue;
}

void WarpgroupMma::commit(Warp &warp) {
  State &own = state(warp);
  own.groups.push_back(
      {own.uncommitted, warp.block().state<AsyncCopies>().asyncClock(warp)});
  own.uncommitted = 0;
}

void WarpgroupMma::compute(Warp &warp, Product &product) {
  WgmmaShape shape = shapeOf(*product.instruction);
  Matrix left(16, shape.k());
  if (product.a) {
    left = readOperand(warp, leftOperand(warp, shape, *product.a), false,
                       shape.negateA);
  } else {
    std::vector<LaneWords> words(4);
    for (unsigned i = 0; i < 4; ++i)
      words[i] = wordsOf(warp, (*product.instruction)[shape.registersD() + i]);
    left = unpackA(words, shape.element);
    if (shape.negateA)
      for (float &value : left.values)
        value = -value;
  }
  Matrix right =
      readOperand(warp, rightOperand(shape, *product.b), true, shape.negateB);
  Matrix sums(16, shape.n);
  if (product.accumulate)
    sums = unpackAccumulators(product.accumulators, shape.n, shape.accumulator);
  multiplyAdd(left, right, sums);
  product.accumulators = packAccumulators(sums, shape.accumulator);
}

/// Puts the values in the place of the tokens of `done`.
static void replaceTokens(uint32_t *words,
                          const std::vector<LaneWords> *const *valuesOfId,
                          uint32_t firstId, size_t count) {
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    uint32_t id = tokenId(words[lane]);
    uint32_t index = (id + lastId - firstId) % lastId;
    if (id && index < count)
      words[lane] = (*valuesOfId[index])[tokenElement(words[lane])][lane];
  }
}

void WarpgroupMma::resolve(Warp &warp, const std::vector<Product> &done) {
  if (registers.empty()) {
    for (const Instruction &instruction :
         warp.block().launch().program.instructions)
      for (unsigned i = 0; i < instruction.operandCount; ++i) {
        const Operand &operand = instruction[i];
        if (operand.kind == Operand::Kind::Lanes && operand.file == 0 &&
            operand.bytes == 4)
          registers.push_back(operand.offset);
      }
    std::sort(registers.begin(), registers.end());
    registers.erase(std::unique(registers.begin(), registers.end()),
                    registers.end());
  }
  std::vector<const std::vector<LaneWords> *> values;
  for (const Product &product : done)
    values.push_back(&product.accumulators);
  Operand operand;
  operand.bytes = 4;
  for (uint32_t offset : registers) {
    operand.offset = offset;
    replaceTokens(warp.lanes<uint32_t>(operand), values.data(), done[0].id,
                  done.size());
  }
}

void WarpgroupMma::wait(Warp &warp, unsigned allowed) {
  State &own = state(warp);
  std::vector<Product> done;
  Clock clock;
  for (; own.groups.size() > allowed; own.groups.pop_front()) {
    clock.join(own.groups.front().clock);
    for (size_t i = 0; i < own.groups.front().products; ++i) {
      Product product = std::move(own.pending.front());
      own.pending.pop_front();
      compute(warp, product);
      const std::vector<LaneWords> *values = &product.accumulators;
      for (Product &later : own.pending)
        for (LaneWords &words : later.accumulators)
          replaceTokens(words.data(), &values, product.id, 1);
      done.push_back(std::move(product));
    }
  }
  warp.block().races().acquire(warp.index(), clock);
  if (!done.empty()) {
    resolve(warp, done);
    own.fenced = false;
  }
  if (own.pending.empty())
    warp.observe(nullptr);
}

Outcome WarpgroupMma::observe(Warp &warp, const Instruction &instruction,
                              LaneMask) {
  if (instruction.copies)
    return Outcome::Continue;
  State &own = warp.block().state<WarpgroupMma>().state(warp);
  for (unsigned i = 0; i < instruction.operandCount; ++i) {
    const Operand &operand = instruction[i];
    if (operand.kind != Operand::Kind::Lanes || operand.file != 0 ||
        operand.bytes != 4)
      continue;
    uint32_t id = tokenId(wordsOf(warp, operand)[0]);
    if (id && std::any_of(own.pending.begin(), own.pending.end(),
                          [&](const Product &p) { return p.id == id; }))
      return warp.fault(0, "uses an accumulator of a wgmma.mma_async before "
                           "the wgmma.wait_group for it");
  }
  return Outcome::Continue;
}

std::optional<std::string> WarpgroupMma::finish(Block &) {
  for (const State &own : states)
    if (!own.pending.empty())
      return std::to_string(own.pending.size()) +
             " wgmma.mma_async were never waited for";
  return std::nullopt;
}
