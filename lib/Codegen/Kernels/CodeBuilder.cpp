//===- CodeBuilder.cpp - Emits loops and address arithmetic ---------------===//

#include "tessera/Codegen/Kernels/CodeBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera::codegen;

CodeBuilder::CodeBuilder(Location loc, Block *entry, unsigned lanes)
    : ImplicitLocOpBuilder(loc, OpBuilder::atBlockEnd(entry)), laneCount(lanes),
      pointer(LLVM::LLVMPointerType::get(loc.getContext())) {
  scopes.push_back({entry, nullptr});
}

Type CodeBuilder::vectorOf(Type type, unsigned lanes) {
  return lanes == 1 ? type : VectorType::get({int64_t(lanes)}, type);
}

Type CodeBuilder::storageType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(),
                           storageType(vector.getElementType()));
  if (type.isInteger(1))
    return getI8Type();
  return type.isF16() || type.isBF16() ? getI16Type() : type;
}

int64_t CodeBuilder::storageBytes(Type type) {
  return type.isIndex() ? 8 : (type.getIntOrFloatBitWidth() + 7) / 8;
}

Value CodeBuilder::index(int64_t value) {
  Value &cached = constants[value];
  if (cached)
    return cached;
  InsertionGuard guard(*this);
  Block *entry = scopes.front().block;
  if (lastConstant)
    setInsertionPointAfter(lastConstant);
  else
    setInsertionPointToStart(entry);
  auto constant =
      arith::ConstantOp::create(*this, getLoc(), getI64IntegerAttr(value));
  lastConstant = constant;
  return cached = constant;
}

Value CodeBuilder::splat(Type type, TypedAttr scalar) {
  OperationState state(getLoc(), arith::ConstantOp::getOperationName());
  TypedAttr value = scalar;
  if (auto vector = dyn_cast<VectorType>(type))
    value = SplatElementsAttr::get(vector, Attribute(scalar));
  arith::ConstantOp::build(*this, state, value);
  return pure(state);
}

static bool isConstant(Value value, int64_t &constant) {
  APInt bits;
  if (!value.getType().isInteger(64) ||
      !matchPattern(value, m_ConstantInt(&bits)))
    return false;
  constant = bits.getSExtValue();
  return true;
}

Value CodeBuilder::add(Value a, Value b) {
  int64_t x, y;
  bool left = isConstant(a, x), right = isConstant(b, y);
  if (left && right)
    return index(x + y);
  if (left && x == 0)
    return b;
  if (right && y == 0)
    return a;
  return make<arith::AddIOp>(a, b);
}

Value CodeBuilder::sub(Value a, Value b) {
  int64_t x, y;
  if (isConstant(b, y)) {
    if (isConstant(a, x))
      return index(x - y);
    if (y == 0)
      return a;
  }
  return make<arith::SubIOp>(a, b);
}

Value CodeBuilder::mul(Value a, Value b) {
  int64_t x, y;
  bool left = isConstant(a, x), right = isConstant(b, y);
  if (left && right)
    return index(x * y);
  if ((left && x == 0) || (right && y == 1))
    return a;
  if ((right && y == 0) || (left && x == 1))
    return b;
  return make<arith::MulIOp>(a, b);
}

Value CodeBuilder::div(Value a, Value b) {
  int64_t x, y;
  if (isConstant(b, y)) {
    if (y == 1)
      return a;
    if (isConstant(a, x))
      return index(x / y);
  }
  return make<arith::DivUIOp>(a, b);
}

Value CodeBuilder::rem(Value a, Value b) {
  int64_t x, y;
  if (isConstant(b, y)) {
    if (y == 1 && a.getType().isInteger(64))
      return index(0);
    if (isConstant(a, x))
      return index(x % y);
  }
  return make<arith::RemUIOp>(a, b);
}

Value CodeBuilder::min(Value a, Value b) {
  int64_t x, y;
  if (isConstant(a, x) && isConstant(b, y))
    return index(std::min(x, y));
  return make<arith::MinSIOp>(a, b);
}

Value CodeBuilder::max(Value a, Value b) {
  int64_t x, y;
  if (isConstant(a, x) && isConstant(b, y))
    return index(std::max(x, y));
  return make<arith::MaxSIOp>(a, b);
}

size_t CodeBuilder::levelOf(Value value) const {
  Block *block = value.getParentBlock();
  for (size_t level = scopes.size(); level-- > 1;)
    if (scopes[level].block == block)
      return level;
  return 0;
}

bool CodeBuilder::isAvailable(Value value) const {
  Block *block = value.getParentBlock();
  return llvm::any_of(scopes,
                      [&](Scope scope) { return scope.block == block; });
}

void CodeBuilder::setInsertionLevel(size_t level) {
  if (level + 1 < scopes.size())
    setInsertionPoint(scopes[level].inner);
}

Value CodeBuilder::pure(OperationState &state) {
  size_t level = scopes.size() - 1;
  while (level > 0 && !scopes[level].isClosed)
    --level;
  for (Value operand : state.operands)
    level = std::max(level, levelOf(operand));
  InsertionGuard guard(*this);
  setInsertionLevel(level);
  return OpBuilder::create(state)->getResult(0);
}

Value CodeBuilder::broadcast(Value value, unsigned lanes) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  return make<vector::BroadcastOp>(vectorOf(value.getType(), lanes), value);
}

Value CodeBuilder::address(Value base, Type type, Value offset) {
  int64_t constant;
  if (isConstant(offset, constant) && constant == 0)
    return base;
  Type result = base.getType();
  if (auto vector = dyn_cast<VectorType>(offset.getType()))
    result = VectorType::get(vector.getShape(), result);
  return make<LLVM::GEPOp>(result, type, base, ValueRange{offset});
}

Value CodeBuilder::load(Type type, Value pointer) {
  Type element = getElementTypeOrSelf(type);
  return LLVM::LoadOp::create(*this, getLoc(), type, pointer,
                              storageBytes(element));
}

void CodeBuilder::store(Value value, Value pointer) {
  Type element = getElementTypeOrSelf(value.getType());
  LLVM::StoreOp::create(*this, getLoc(), value, pointer, storageBytes(element));
}

CodeBuilder::Values CodeBuilder::loop(Value lower, Value upper, int64_t step,
                                      ValueRange carried, LoopBody body) {
  int64_t first, last;
  if (isConstant(lower, first) && isConstant(upper, last)) {
    if (first >= last)
      return Values(carried);
    if (first + step >= last)
      return body(lower, carried);
  }
  auto loop =
      scf::ForOp::create(*this, getLoc(), lower, upper, index(step), carried);
  InsertionGuard guard(*this);
  scopes.back().inner = loop;
  Block *block = loop.getBody();
  if (carried.empty())
    block->getTerminator()->erase();
  scopes.push_back({block, nullptr});
  setInsertionPointToEnd(block);
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(*this, getLoc(), next);
  scopes.pop_back();
  scopes.back().inner = nullptr;
  return Values(loop.getResults());
}

void CodeBuilder::loop(Value lower, Value upper, int64_t step,
                       function_ref<void(Value)> body) {
  loop(lower, upper, step, {}, [&](Value iv, ValueRange) {
    body(iv);
    return Values{};
  });
}

void CodeBuilder::when(Value condition, function_ref<void()> body) {
  enter(condition, /*isClosed=*/false, body);
}

void CodeBuilder::guard(Value condition, function_ref<void()> body) {
  enter(condition, /*isClosed=*/true, body);
}

void CodeBuilder::enter(Value condition, bool isClosed,
                        function_ref<void()> body) {
  auto branch = scf::IfOp::create(*this, getLoc(), condition, false);
  InsertionGuard guard(*this);
  scopes.back().inner = branch;
  Block *block = branch.thenBlock();
  scopes.push_back({block, nullptr, isClosed});
  setInsertionPoint(block->getTerminator());
  body();
  scopes.pop_back();
  scopes.back().inner = nullptr;
}
