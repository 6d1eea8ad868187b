//===- ProgramGenerator.cpp - Random annotated programs -------------------===//

#include "ProgramGenerator.h"

#include "tessera/Dialect/Tessera/BatchAttribute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// The largest magnitude that inputs have.
static constexpr double inputBound = 3;
static constexpr int64_t maximalElements = 2048, maximalRank = 4;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Integers up to this magnitude are exact in `element`, with a margin.
static double exactRange(Type element) {
  if (element.isBF16())
    return 1 << 7;
  if (element.isF32())
    return 1 << 22;
  return 1 << 28;
}

Type ProgramGenerator::randomElement() {
  int64_t draw = random.below(100);
  if (draw < 60)
    return builder.getF32Type();
  if (draw < 85)
    return builder.getI32Type();
  if (draw < 93)
    return builder.getBF16Type();
  return builder.getF64Type();
}

SmallVector<int64_t> ProgramGenerator::randomShape() {
  SmallVector<int64_t> shape;
  int64_t rank = random.pick({0, 1, 1, 2, 2, 2, 3, 3, 4}), elements = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = random.pick({1, 2, 3, 4, 4, 6, 8, 8, 12});
    if (elements * size > maximalElements)
      size = 1;
    elements *= size;
    shape.push_back(size);
  }
  return shape;
}

ProgramGenerator::Known ProgramGenerator::newArgument(RankedTensorType type) {
  if (isIsolated)
    return newConstant(type);
  Value argument =
      main.getBody().front().addArgument(type, builder.getUnknownLoc());
  pool.push_back(
      {argument, type.getElementType().isInteger(1) ? 1 : inputBound});
  return pool.back();
}

Value ProgramGenerator::integers(ArrayRef<int64_t> shape, Type element,
                                 ArrayRef<int64_t> values) {
  auto type = tensorType(shape, element);
  SmallVector<Attribute> attributes;
  for (int64_t value : values)
    attributes.push_back(isa<FloatType>(element)
                             ? Attribute(builder.getFloatAttr(element, value))
                             : builder.getIntegerAttr(element, value));
  return create<arith::ConstantOp>(DenseElementsAttr::get(type, attributes));
}

Value ProgramGenerator::splat(RankedTensorType type, int64_t number) {
  return integers(type.getShape(), type.getElementType(), {number});
}

ProgramGenerator::Known ProgramGenerator::newConstant(RankedTensorType type) {
  bool isBit = type.getElementType().isInteger(1);
  SmallVector<int64_t> values(random.chance(50) ? 1 : type.getNumElements());
  for (int64_t &value : values)
    value = isBit ? random.below(2) : random.between(-3, 3);
  pool.push_back(
      {integers(type.getShape(), type.getElementType(), values), inputBound});
  return pool.back();
}

ProgramGenerator::Known ProgramGenerator::need(RankedTensorType type) {
  if (random.chance(65))
    if (auto known = find([&](const Known &k) { return k.type() == type; }))
      return *known;
  int64_t draw = random.below(100);
  if (draw < 15)
    return newConstant(type);
  if (draw < 25 && type.getRank() > 0 && !type.getElementType().isInteger(1)) {
    int64_t dim = random.below(type.getRank());
    pool.push_back({create<IotaOp>(type, dim),
                    std::max(3.0, double(type.getDimSize(dim)))});
    return pool.back();
  }
  if (draw < 45 && type.getRank() > 0) {
    // A smaller value, repeated along some dimensions.
    SmallVector<int64_t> shape, dims;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (random.chance(50)) {
        shape.push_back(random.chance(20) ? 1 : size);
        dims.push_back(dim);
      }
    Known small = newArgument(tensorType(shape, type.getElementType()));
    pool.push_back(
        {create<tessera::BroadcastOp>(type, small.value, dims), small.bound});
    return pool.back();
  }
  return newArgument(type);
}

std::optional<ProgramGenerator::Known>
ProgramGenerator::find(function_ref<bool(const Known &)> fits) {
  SmallVector<Known> candidates;
  for (const Known &known : pool)
    if (fits(known))
      candidates.push_back(known);
  if (candidates.empty())
    return std::nullopt;
  int64_t n = candidates.size();
  return candidates[std::max(random.below(n), random.below(n))];
}

std::optional<ProgramGenerator::Known>
ProgramGenerator::findNumber(int64_t minimalRank) {
  auto fits = [&](const Known &known) {
    return !known.element().isInteger(1) && known.rank() >= minimalRank &&
           known.rank() <= maximalRank;
  };
  if (random.chance(85))
    if (auto known = find(fits))
      return known;
  SmallVector<int64_t> shape = randomShape();
  while (int64_t(shape.size()) < minimalRank)
    shape.push_back(random.pick({2, 4}));
  return newArgument(tensorType(shape, randomElement()));
}

ProgramGenerator::Known ProgramGenerator::bounded(Known known, double bound) {
  if (known.bound <= bound || known.element().isInteger(1))
    return known;
  Value four = splat(known.type(), 4);
  Value rest = isa<FloatType>(known.element())
                   ? create<arith::RemFOp>(known.value, four).getResult()
                   : create<arith::RemSIOp>(known.value, four).getResult();
  return {rest, 3};
}

bool ProgramGenerator::add(Value value, double bound) {
  pool.push_back({value, bound});
  return true;
}

//===----------------------------------------------------------------------===//
// Element-wise operations
//===----------------------------------------------------------------------===//

/// Adds a sum, difference, product, maximum or minimum of two tensors whose
/// result stays exact in its type, so that no order of operations changes it.
bool ProgramGenerator::addBinary() {
  Known a = *findNumber();
  Known b = need(a.type());
  double range = exactRange(a.element());
  bool isFloat = isa<FloatType>(a.element());
  int64_t kind = random.below(5);
  if (kind < 2) {
    a = bounded(a, range / 2);
    b = bounded(b, range / 2);
    Value sum =
        kind == 0
            ? (isFloat ? create<arith::AddFOp>(a.value, b.value).getResult()
                       : create<arith::AddIOp>(a.value, b.value).getResult())
            : (isFloat ? create<arith::SubFOp>(a.value, b.value).getResult()
                       : create<arith::SubIOp>(a.value, b.value).getResult());
    return add(sum, a.bound + b.bound);
  }
  if (kind == 2) {
    a = bounded(a, 8);
    b = bounded(b, range / 8);
    Value product = isFloat
                        ? create<arith::MulFOp>(a.value, b.value).getResult()
                        : create<arith::MulIOp>(a.value, b.value).getResult();
    return add(product, a.bound * b.bound);
  }
  Value extreme =
      kind == 3
          ? (isFloat ? create<arith::MaximumFOp>(a.value, b.value).getResult()
                     : create<arith::MaxSIOp>(a.value, b.value).getResult())
          : (isFloat ? create<arith::MinimumFOp>(a.value, b.value).getResult()
                     : create<arith::MinSIOp>(a.value, b.value).getResult());
  return add(extreme, std::max(a.bound, b.bound));
}

bool ProgramGenerator::addUnary() {
  Known a = *findNumber();
  if (random.chance(20)) {
    Known rest = bounded({a.value, exactRange(a.element())}, 3);
    return add(rest.value, rest.bound);
  }
  if (!isa<FloatType>(a.element()))
    return add(create<math::AbsIOp>(a.value), a.bound);
  return random.chance(50) ? add(create<arith::NegFOp>(a.value), a.bound)
                           : add(create<math::AbsFOp>(a.value), a.bound);
}

/// Adds a choice between two tensors by a comparison, or by booleans that exist
/// already.
bool ProgramGenerator::addSelect() {
  Known a = *findNumber();
  Known b = need(a.type());
  Value condition;
  if (random.chance(60)) {
    Known left = *findNumber();
    if (left.shape() != a.shape())
      left = a;
    Known right = need(left.type());
    condition = isa<FloatType>(left.element())
                    ? create<arith::CmpFOp>(random.pick({
                                                arith::CmpFPredicate::OLT,
                                                arith::CmpFPredicate::OEQ,
                                                arith::CmpFPredicate::UNE,
                                            }),
                                            left.value, right.value)
                          .getResult()
                    : create<arith::CmpIOp>(random.pick({
                                                arith::CmpIPredicate::slt,
                                                arith::CmpIPredicate::eq,
                                                arith::CmpIPredicate::uge,
                                            }),
                                            left.value, right.value)
                          .getResult();
    pool.push_back({condition, 1});
  } else {
    condition = need(a.shape(), builder.getI1Type()).value;
  }
  return add(create<arith::SelectOp>(condition, a.value, b.value),
             std::max(a.bound, b.bound));
}

bool ProgramGenerator::addConversion() {
  Known a = *findNumber();
  Type element = randomElement();
  if (element == a.element())
    return false;
  a = bounded(a, exactRange(element));
  auto type = tensorType(a.shape(), element);
  bool fromFloat = isa<FloatType>(a.element()),
       toFloat = isa<FloatType>(element);
  if (fromFloat && toFloat)
    return element.getIntOrFloatBitWidth() > a.element().getIntOrFloatBitWidth()
               ? add(create<arith::ExtFOp>(type, a.value), a.bound)
               : add(create<arith::TruncFOp>(type, a.value), a.bound);
  return fromFloat ? add(create<arith::FPToSIOp>(type, a.value), a.bound)
                   : add(create<arith::SIToFPOp>(type, a.value), a.bound);
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

ProgramGenerator::ProgramGenerator(MLIRContext *context, uint64_t seed)
    : random(seed), builder(context), routineDraws(random.apart()) {
  if (routineDraws.chance(20))
    routinePercent = 25;
}

bool ProgramGenerator::addOperation() {
  static constexpr Addition additions[] = {
      &ProgramGenerator::addBinary,
      &ProgramGenerator::addBinary,
      &ProgramGenerator::addBinary,
      &ProgramGenerator::addUnary,
      &ProgramGenerator::addSelect,
      &ProgramGenerator::addConversion,
      &ProgramGenerator::addDotGeneral,
      &ProgramGenerator::addDotGeneral,
      &ProgramGenerator::addDotGeneral,
      &ProgramGenerator::addReduce,
      &ProgramGenerator::addReduce,
      &ProgramGenerator::addBroadcast,
      &ProgramGenerator::addBroadcast,
      &ProgramGenerator::addTranspose,
      &ProgramGenerator::addTranspose,
      &ProgramGenerator::addReshape,
      &ProgramGenerator::addReshape,
      &ProgramGenerator::addSlice,
      &ProgramGenerator::addPad,
      &ProgramGenerator::addConcatenate,
      &ProgramGenerator::addStencil,
      &ProgramGenerator::addStencil,
      &ProgramGenerator::addRotation,
      &ProgramGenerator::addEdges,
      &ProgramGenerator::addMiddle,
      &ProgramGenerator::addReverse,
      &ProgramGenerator::addIota,
      &ProgramGenerator::addConstant,
      &ProgramGenerator::addConstrain,
      &ProgramGenerator::addConstrain,
      &ProgramGenerator::addBarrier,
      &ProgramGenerator::addShardingGroup,
      &ProgramGenerator::addPropagationBarrier,
      &ProgramGenerator::addArgmax,
      &ProgramGenerator::addDynamicSlice,
      &ProgramGenerator::addGather,
      &ProgramGenerator::addScatter,
      &ProgramGenerator::addFor,
      &ProgramGenerator::addAccumulation,
      &ProgramGenerator::addLayers,
      &ProgramGenerator::addWhile,
      &ProgramGenerator::addDynamicUpdateSlice,
      &ProgramGenerator::addIf,
      &ProgramGenerator::addSwitch,
      &ProgramGenerator::addManual,
      &ProgramGenerator::addManual,
      &ProgramGenerator::addCall,
      &ProgramGenerator::addCall,
      &ProgramGenerator::addUpdate,
      &ProgramGenerator::addUpdate,
  };
  if (routineDraws.chance(routinePercent))
    return addRoutine();
  return (this->*random.pick(additions))();
}

OwningOpRef<ModuleOp> ProgramGenerator::generate(int64_t operations) {
  module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  shardings.emplace(random);
  shardings->declareMeshes(builder);
  // Where devices compute slowly, routines run on parts of small matrices, too.
  if (routinePercent > 0 && routineDraws.chance(50))
    for (auto mesh : module->getOps<MeshOp>()) {
      Machine machine = mesh.getMachine();
      machine.compute = 1e3;
      mesh.setOnAttr(MachineAttr::get(builder.getContext(), machine));
    }
  main = create<func::FuncOp>("main", builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(main.addEntryBlock());
  for (int64_t added = 0; added < operations;)
    added += addOperation();
  finish();
  assert(succeeded(verify(*module)) && "a generated program must be valid");
  return std::move(module);
}

/// An annotation, in so many cases, of what enters or leaves a function.
DictionaryAttr ProgramGenerator::boundaryAttributes(Type type,
                                                    int64_t percent) {
  NamedAttrList attributes;
  auto tensor = cast<RankedTensorType>(type);
  // Types narrower than 32 bits could not hold the summands of some sums.
  if (random.chance(percent))
    attributes.set(
        TesseraDialect::kShardingAttr,
        shardings->attribute(
            builder.getContext(), tensor.getShape(),
            /*mayBeUnreduced=*/tensor.getElementTypeBitWidth() >= 32));
  return attributes.getDictionary(builder.getContext());
}

/// Sometimes calls a dimension of an argument the batch, so that the program is
/// split into microbatches if it can be.
void ProgramGenerator::markBatch() {
  for (BlockArgument argument : main.getArguments())
    for (auto [dim, size] :
         llvm::enumerate(cast<RankedTensorType>(argument.getType()).getShape()))
      if (size > 1 && random.chance(15))
        return main.setArgAttr(argument.getArgNumber(), kBatchAttr,
                               builder.getI64IntegerAttr(dim));
}

/// Returns what nobody uses (and a few values more), drops what leads nowhere,
/// and annotates arguments and results.
void ProgramGenerator::finish() {
  SmallVector<Value> results;
  for (auto [state, next] : replaced)
    results.push_back(next);
  for (const Known &known : llvm::reverse(pool)) {
    bool unused = known.value.use_empty() && known.value.getDefiningOp();
    if (results.size() < replaced.size() + 4 && (unused || random.chance(5)))
      results.push_back(known.value);
  }
  create<func::ReturnOp>(results);
  for (func::FuncOp function : functions)
    if (SymbolTable::symbolKnownUseEmpty(function, *module))
      function.erase();
  Block &body = main.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  body.eraseArguments(
      [](BlockArgument argument) { return argument.use_empty(); });
  main.setFunctionType(builder.getFunctionType(body.getArgumentTypes(),
                                               TypeRange(ValueRange(results))));
  for (BlockArgument argument : body.getArguments())
    main.setArgAttrs(argument.getArgNumber(),
                     boundaryAttributes(argument.getType(), 60));
  markBatch();
  auto isReplaced = [&](BlockArgument argument, Value result) {
    return llvm::is_contained(replaced, std::pair(argument, result));
  };
  for (auto [i, result] : llvm::enumerate(results)) {
    main.setResultAttrs(i, boundaryAttributes(result.getType(), 50));
    for (BlockArgument argument : body.getArguments())
      if (argument.getType() == result.getType() &&
          random.chance(isReplaced(argument, result) ? 80 : 40) &&
          !main.getArgAttr(argument.getArgNumber(),
                           TesseraDialect::kDonatedAttr)) {
        main.setArgAttr(argument.getArgNumber(), TesseraDialect::kDonatedAttr,
                        builder.getI32IntegerAttr(i));
        break;
      }
  }
}
