//===- ElementEmitter.cpp - Code for single elements of a kernel ----------===//

#include "tessera/Codegen/Kernels/ElementEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tessera::codegen;

void ElementEmitter::bind(Value tensor, Source source) {
  sources[tensor] = std::move(source);
  computed.erase(tensor);
}

void ElementEmitter::bindMemory(Value tensor, Value pointer) {
  auto type = cast<RankedTensorType>(tensor.getType());
  bind(tensor, [this, type, pointer](const LaneIndices &indices) {
    return load(type.getElementType(), pointer,
                arithmetic.linearize(indices, type.getShape()));
  });
}

Value ElementEmitter::mask() {
  if (activeLanes >= laneCount)
    return existing;
  SmallVector<bool> bits(laneCount, false);
  std::fill_n(bits.begin(), activeLanes, true);
  Value active = b.make<arith::ConstantOp>(b.getBoolVectorAttr(bits));
  return existing ? b.make<arith::AndIOp>(active, existing) : active;
}

Value ElementEmitter::emitWhere(Value condition, function_ref<Value()> emit) {
  Value outer = existing;
  existing = outer ? b.make<arith::AndIOp>(outer, condition) : condition;
  Value value = emit();
  existing = outer;
  return value;
}

Value ElementEmitter::maskInactive(Value value, Value neutral) {
  Value active = mask();
  if (!active)
    return value;
  return b.make<arith::SelectOp>(active, b.broadcast(value, laneCount),
                                 b.broadcast(neutral, laneCount));
}

/// A loaded value as elements of `element`.
static Value fromStorage(CodeBuilder &b, Type element, Value loaded) {
  if (element == getElementTypeOrSelf(loaded.getType()))
    return loaded;
  auto vector = dyn_cast<VectorType>(loaded.getType());
  if (isa<FloatType>(element))
    return b.make<arith::BitcastOp>(
        CodeBuilder::vectorOf(element, vector ? vector.getNumElements() : 1),
        loaded);
  Value zero = b.splat(loaded.getType(), b.getI8IntegerAttr(0));
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, loaded, zero);
}

Value ElementEmitter::load(Type element, Value pointer,
                           const LaneIndex &position, bool written) {
  Type storage = b.storageType(element);
  auto create = [&](OperationState &state) {
    return written ? static_cast<OpBuilder &>(b).create(state)->getResult(0)
                   : b.pure(state);
  };
  auto simple = [&](Type type, const LaneIndex &index) {
    Value from = b.address(pointer, storage, arithmetic.start(index));
    OperationState state(b.getLoc(), LLVM::LoadOp::getOperationName());
    LLVM::LoadOp::build(b, state, type, from,
                        CodeBuilder::storageBytes(element));
    return create(state);
  };
  if (laneCount == 1 || position.isUniform())
    return fromStorage(b, element, simple(storage, position));
  auto vector = cast<VectorType>(CodeBuilder::vectorOf(storage, laneCount));
  Value active = mask();
  // A mask that is constant in part is not for masked loads; see `emitPad`.
  bool isMixed = existing && activeLanes < laneCount;
  bool contiguous = !position.vector && position.stride == 1 && !isMixed;
  if (contiguous && !active)
    return fromStorage(b, element, simple(vector, position));
  if (!active)
    active = b.splat(VectorType::get({int64_t(laneCount)}, b.getI1Type()),
                     b.getBoolAttr(true));
  Value none = b.splat(vector, b.getZeroAttr(storage));
  unsigned alignment = CodeBuilder::storageBytes(element);
  OperationState state(b.getLoc(),
                       contiguous ? LLVM::MaskedLoadOp::getOperationName()
                                  : LLVM::masked_gather::getOperationName());
  if (contiguous) {
    Value from = b.address(pointer, storage, arithmetic.start(position));
    LLVM::MaskedLoadOp::build(b, state, vector, from, active, none, alignment);
  } else {
    Value from = b.address(pointer, storage, arithmetic.materialize(position));
    LLVM::masked_gather::build(b, state, vector, from, active, none,
                               b.getI32IntegerAttr(alignment));
  }
  return fromStorage(b, element, create(state));
}

void ElementEmitter::store(Value value, Value pointer,
                           const LaneIndex &position) {
  Type element = getElementTypeOrSelf(value.getType());
  Type storage = b.storageType(element);
  if (laneCount != 1 && !position.isUniform())
    value = b.broadcast(value, laneCount);
  else if (isa<VectorType>(value.getType()))
    // Along a dimension of size 1 all lanes have one position: the first
    // counts.
    value = b.make<vector::ExtractOp>(value, ArrayRef<int64_t>{0});
  if (isa<FloatType>(element) && storage != element)
    value = b.make<arith::BitcastOp>(b.storageType(value.getType()), value);
  else if (storage != element)
    value = b.make<arith::ExtUIOp>(b.storageType(value.getType()), value);
  if (laneCount == 1 || position.isUniform())
    return b.store(value,
                   b.address(pointer, storage, arithmetic.start(position)));
  Value active = mask();
  bool contiguous = !position.vector && position.stride == 1;
  if (contiguous && !active)
    return b.store(value,
                   b.address(pointer, storage, arithmetic.start(position)));
  if (!active)
    active = b.splat(VectorType::get({int64_t(laneCount)}, b.getI1Type()),
                     b.getBoolAttr(true));
  unsigned alignment = CodeBuilder::storageBytes(element);
  if (contiguous) {
    Value to = b.address(pointer, storage, arithmetic.start(position));
    LLVM::MaskedStoreOp::create(b, b.getLoc(), value, to, active, alignment);
    return;
  }
  Value to = b.address(pointer, storage, arithmetic.materialize(position));
  LLVM::masked_scatter::create(b, b.getLoc(), value, to, active,
                               b.getI32IntegerAttr(alignment));
}

/// Arithmetic on 16-bit floats is done in f32, each operation rounded.
static bool needsF32(Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  bool computes =
      isa<math::MathDialect>(op->getDialect()) ||
      isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::RemFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op);
  return computes && (element.isF16() || element.isBF16());
}

/// Whether a division by zero traps. Lanes that are not active may hold zeros.
static bool mayTrap(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
      op);
}

Value ElementEmitter::clone(Operation *op, ValueRange operands) {
  bool vector = llvm::any_of(operands.getTypes(), llvm::IsaPred<VectorType>);
  unsigned count = vector ? laneCount : 1;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  bool wide = needsF32(op);
  OperationState state(b.getLoc(), op->getName());
  for (Value operand : operands) {
    Value value = b.broadcast(operand, count);
    if (vector && mayTrap(op) && state.operands.size() == 1)
      value =
          maskInactive(value, b.splat(element, b.getIntegerAttr(element, 1)));
    if (wide && isa<FloatType>(getElementTypeOrSelf(value.getType())))
      value = b.make<arith::ExtFOp>(
          CodeBuilder::vectorOf(b.getF32Type(), count), value);
    state.addOperands(value);
  }
  state.addTypes(
      CodeBuilder::vectorOf(wide ? Type(b.getF32Type()) : element, count));
  state.attributes = op->getDiscardableAttrDictionary();
  state.propertiesAttr = op->getPropertiesAsAttribute();
  Value result = b.pure(state);
  return wide ? b.make<arith::TruncFOp>(CodeBuilder::vectorOf(element, count),
                                        result)
              : result;
}

/// The constant's elements as read-only data of the module.
static Value makeTable(CodeBuilder &b, DenseElementsAttr elements) {
  Type element = elements.getElementType(), storage = b.storageType(element);
  if (element.isInteger(1))
    elements = elements.mapValues(
        storage, [](const APInt &bit) { return APInt(8, bit.getBoolValue()); });
  else if (storage != element)
    elements = elements.bitcast(storage);
  int64_t count = elements.getNumElements();
  elements = elements.reshape(RankedTensorType::get({count}, storage));
  auto module = b.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name;
  for (LLVM::GlobalOp table : module.getOps<LLVM::GlobalOp>())
    if (table.getValueOrNull() == elements)
      name = table.getName().str();
  if (name.empty()) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto tables = module.getOps<LLVM::GlobalOp>();
    name =
        "table_" + std::to_string(std::distance(tables.begin(), tables.end()));
    LLVM::GlobalOp::create(builder, b.getLoc(),
                           LLVM::LLVMArrayType::get(storage, count),
                           /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           elements, /*alignment=*/64);
  }
  OperationState state(b.getLoc(), LLVM::AddressOfOp::getOperationName());
  LLVM::AddressOfOp::build(b, state, b.pointerType(), name);
  return b.pure(state);
}

Value ElementEmitter::constant(Operation *op, const LaneIndices &indices) {
  auto value = cast<arith::ConstantOp>(op).getValue();
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (elements && elements.isSplat())
    return b.splat(element,
                   cast<TypedAttr>(elements.getSplatValue<Attribute>()));
  if (elements)
    return load(element, makeTable(b, elements),
                arithmetic.linearize(indices, shapeOf(op->getResult(0))));
  op->emitError("unsupported operation: expected a dense constant, got ")
      << value;
  return {};
}

Value ElementEmitter::compute(Value tensor, const LaneIndices &indices) {
  auto source = sources.find(tensor);
  if (source != sources.end())
    return source->second(indices);
  Operation *op = tensor.getDefiningOp();
  assert(op && "kernel arguments are bound to memory");
  // The code of an element comes from where its operation does.
  Location outer = b.getLoc();
  llvm::scope_exit restore([&] { b.setLoc(outer); });
  b.setLoc(op->getLoc());
  if (isa<arith::ConstantOp>(op))
    return constant(op, indices);
  if (isElementwise(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Value element =
          emit(operand, shapeOf(operand).empty() ? LaneIndices{} : indices);
      if (!element)
        return {};
      operands.push_back(element);
    }
    return clone(op, operands);
  }
  if (auto map = getAccessMap(op))
    return emit(op->getOperand(0), arithmetic.apply(*map, indices));
  if (ElementRule rule = getElementRule(op))
    return rule(*this, op, indices);
  op->emitError("unsupported operation: '")
      << op->getName() << "' has no code in a kernel";
  return {};
}

Value ElementEmitter::emit(Value tensor, const LaneIndices &indices) {
  for (const Computed &entry : computed[tensor])
    if (entry.indices == indices && entry.activeLanes == activeLanes &&
        (!entry.existing || entry.existing == existing) &&
        b.isAvailable(entry.value))
      return entry.value;
  Value value = compute(tensor, indices);
  if (value)
    computed[tensor].push_back({indices, activeLanes, existing, value});
  return value;
}

Value ElementEmitter::emitLanes(Value tensor, const LaneIndices &indices) {
  Value value = emit(tensor, indices);
  return value ? b.broadcast(value, laneCount) : value;
}
