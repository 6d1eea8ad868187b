//===- GridFunction.cpp - A function that a grid of thread blocks runs ----===//

#include "Core/GridFunction.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// The address space of shared memory, and the name of the array in it whose
/// size a launch decides.
static constexpr unsigned kShared = 3;
static constexpr StringLiteral kDynamicShared = "tessera_dynamic_shared";
/// What the runtime and the memory plan align buffers to.
static constexpr int64_t kBufferAlignment = 64;
/// Blocks that a grid may have along y, and along z.
static constexpr int64_t kMostBlocksAlongY = 65535;

/// A name for the next function of `variant`.
static std::string nextName(const KernelVariant &variant) {
  std::string name = variant.name;
  if (size_t number = variant.steps.size())
    name += "_" + std::to_string(number);
  return name;
}

static LLVM::LLVMFuncOp makeFunction(KernelVariant &variant, int64_t threads) {
  OpBuilder builder = OpBuilder::atBlockEnd(variant.module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  SmallVector<Type> types(variant.firstTemporary() + variant.temporaries.size(),
                          pointer);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), types);
  auto function = LLVM::LLVMFuncOp::create(builder, variant.kernel.getLoc(),
                                           nextName(variant), type);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    builder.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  // Without a number of blocks ptxas makes room for more of them on a
  // multiprocessor at the price of spills.
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    builder.getI32IntegerAttr(1));
  function.addEntryBlock(builder);
  return function;
}

GridFunction::GridFunction(const GpuNest &nest, int64_t threads)
    : b(nest.variant.kernel.getLoc(),
        &makeFunction(nest.variant, threads).getBody().front(), 1),
      lowering{nest.variant.plan,
               nest.loops,
               nest.number,
               nest.variant.kernel,
               nest.variant.module,
               b,
               {},
               {},
               {},
               {},
               {},
               {}},
      variant(nest.variant),
      function(cast<LLVM::LLVMFuncOp>(b.getBlock()->getParentOp())),
      entry(b.getBlock()), threadCount(threads) {
  for (unsigned i = 0; i < entry->getNumArguments(); ++i)
    buffers.push_back(i);
  unsigned next = 0;
  for (unsigned i = 0; i < variant.kernel.getNumOperands(); ++i)
    lowering.operands.push_back(entry->getArgument(next++));
  for (int64_t alias : variant.aliases)
    lowering.results.push_back(alias >= 0 ? lowering.operands[alias]
                                          : Value(entry->getArgument(next++)));
  while (next < entry->getNumArguments())
    lowering.temporaries.push_back(entry->getArgument(next++));
}

GridFunction::~GridFunction() {
  if (!isFinished)
    function.erase();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// A register as `i64`, whose value is less than `limit`, at the start of the
/// function; the operation that reads it.
template <typename Register>
static Operation *readRegister(CodeBuilder &b, Block *entry, int64_t limit) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  auto range = LLVM::ConstantRangeAttr::get(b.getContext(), APInt(32, 0),
                                            APInt(32, limit));
  return Register::create(b, b.getLoc(), b.getI32Type(), range);
}

static Value widen(CodeBuilder &b, Operation *reader) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(reader);
  return arith::ExtUIOp::create(b, b.getLoc(), b.getI64Type(),
                                reader->getResult(0));
}

Value GridFunction::thread() {
  if (!threadIndex)
    threadIndex =
        widen(b, readRegister<NVVM::ThreadIdXOp>(b, entry, threadCount));
  return threadIndex;
}

Value GridFunction::block(unsigned dim) {
  if (blockIndex[dim])
    return blockIndex[dim];
  constexpr int64_t any = 1;
  Operation *&reader = blockRegister[dim];
  reader = dim == 0   ? readRegister<NVVM::BlockIdXOp>(b, entry, any)
           : dim == 1 ? readRegister<NVVM::BlockIdYOp>(b, entry, any)
                      : readRegister<NVVM::BlockIdZOp>(b, entry, any);
  return blockIndex[dim] = widen(b, reader);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Value GridFunction::temporary(unsigned number) {
  // Temporaries that came since the function began stand behind the others,
  // before the tensor maps.
  while (lowering.temporaries.size() <= number) {
    Value parameter =
        entry->insertArgument(buffers.size(), b.pointerType(), b.getLoc());
    buffers.push_back(variant.firstTemporary() + lowering.temporaries.size());
    lowering.temporaries.push_back(parameter);
  }
  return lowering.temporaries[number];
}

Value GridFunction::tensorMap(Value buffer, Type element,
                              ArrayRef<int64_t> sizes,
                              ArrayRef<int64_t> strides, ArrayRef<int64_t> box,
                              int32_t swizzle) {
  int32_t number = buffers[cast<BlockArgument>(buffer).getArgNumber()];
  auto map = rt::TensorMapAttr::get(b.getContext(), number, element, sizes,
                                    strides, box, swizzle);
  for (auto [position, known] : llvm::enumerate(maps))
    if (known == map)
      return entry->getArgument(buffers.size() + position);
  maps.push_back(map);
  return entry->addArgument(b.pointerType(), b.getLoc());
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The address of a global of shared memory, at the start of the function.
static Value addressOf(CodeBuilder &b, StringRef name) {
  OperationState state(b.getLoc(), LLVM::AddressOfOp::getOperationName());
  LLVM::AddressOfOp::build(
      b, state, LLVM::LLVMPointerType::get(b.getContext(), kShared), name);
  return b.pure(state);
}

Value GridFunction::sharedArray(Type element, int64_t elements,
                                int64_t alignment) {
  Type storage = b.storageType(element);
  std::string name =
      function.getName().str() + "_shared_" + std::to_string(staticBytes);
  staticBytes +=
      llvm::alignTo(elements * CodeBuilder::storageBytes(element), alignment);
  assert(staticBytes <= variant.target.staticSharedBytes &&
         "expected dynamicShared for this much");
  OpBuilder builder = OpBuilder::atBlockBegin(variant.module.getBody());
  LLVM::GlobalOp::create(builder, b.getLoc(),
                         LLVM::LLVMArrayType::get(storage, elements),
                         /*isConstant=*/false, LLVM::Linkage::Internal, name,
                         Attribute(), alignment, kShared);
  return addressOf(b, name);
}

Value GridFunction::dynamicShared(int64_t bytes, int64_t alignment) {
  constexpr int64_t highest = 1024;
  assert(alignment <= highest && "expected a lower alignment");
  if (!variant.module.lookupSymbol(kDynamicShared)) {
    OpBuilder builder = OpBuilder::atBlockBegin(variant.module.getBody());
    LLVM::GlobalOp::create(builder, b.getLoc(),
                           LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External,
                           kDynamicShared, Attribute(), highest, kShared);
  }
  int64_t offset = llvm::alignTo(dynamicBytes, alignment);
  dynamicBytes = offset + bytes;
  return b.address(addressOf(b, kDynamicShared), b.getI8Type(),
                   b.index(offset));
}

// `nvvm.barrier` cannot be parsed again where a location follows it.
void GridFunction::barrier() { NVVM::Barrier0Op::create(b, b.getLoc()); }

//===----------------------------------------------------------------------===//
// Values of other threads
//===----------------------------------------------------------------------===//

/// A 32-bit value of the lane whose number differs by `mask`.
static Value shuffleWord(CodeBuilder &b, Value word, int64_t mask) {
  Type type = word.getType();
  auto constant = [&](int64_t value) -> Value {
    return b.splat(b.getI32Type(), b.getI32IntegerAttr(value));
  };
  return NVVM::ShflOp::create(b, b.getLoc(), type, constant(-1), word,
                              constant(mask), constant(kWarp - 1),
                              NVVM::ShflKind::bfly, UnitAttr());
}

Value GridFunction::shuffleXor(Value value, int64_t mask) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 32)
    return shuffleWord(b, value, mask);
  Type bits = b.getIntegerType(width);
  Value word = type == bits ? value : b.make<arith::BitcastOp>(bits, value);
  if (width < 32) {
    word = b.make<arith::ExtUIOp>(b.getI32Type(), word);
    word = b.make<arith::TruncIOp>(bits, shuffleWord(b, word, mask));
  } else {
    Type pair = VectorType::get({2}, b.getI32Type());
    Value words = b.make<LLVM::BitcastOp>(pair, word);
    Value moved = words;
    for (int64_t half = 0; half < 2; ++half)
      moved = b.make<vector::InsertOp>(
          shuffleWord(b, b.make<vector::ExtractOp>(words, half), mask), moved,
          half);
    word = b.make<LLVM::BitcastOp>(bits, moved);
  }
  return type == bits ? word : b.make<arith::BitcastOp>(type, word);
}

Value GridFunction::acrossLanes(Accumulator &accumulator, Value value,
                                int64_t width) {
  for (int64_t mask = width / 2; mask > 0; mask /= 2)
    value = accumulator.combine(value, shuffleXor(value, mask));
  return value;
}

Value GridFunction::acrossBlock(Accumulator &accumulator, Value value) {
  value = acrossLanes(accumulator, value);
  int64_t warps = threadCount / kWarp;
  if (warps == 1)
    return value;
  Type type = value.getType(), storage = b.storageType(type);
  Value array = sharedArray(type, warps);
  Value first =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, lane(), b.index(0));
  b.guard(first, [&] { b.store(value, b.address(array, storage, warp())); });
  barrier();
  // Every thread adds up the few sums itself, in the same order.
  Value sum;
  for (int64_t i = 0; i < warps; ++i) {
    Value part = b.load(storage, b.address(array, storage, b.index(i)));
    sum = sum ? accumulator.combine(sum, part) : part;
  }
  // The array may be written again in the next trip of a loop.
  barrier();
  return sum;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Drops parameters that nothing uses; `used` gets the numbers of the others'
/// buffers.
void GridFunction::eraseUnusedParameters(SmallVectorImpl<int32_t> &used) {
  llvm::BitVector unused(entry->getNumArguments());
  for (auto [position, number] : llvm::enumerate(buffers))
    if (entry->getArgument(position).use_empty())
      unused.set(position);
    else
      used.push_back(number);
  entry->eraseArguments(unused);
}

/// Has the `count` parameters from `first` on be tensor maps, not pointers. The
/// copy engine reads maps through a cache of its own, which does not see what
/// is written to global memory without a fence in every block; parameters that
/// no thread may change (`grid_constant`) need none.
static void passMapsByValue(LLVM::LLVMFuncOp function, size_t first,
                            size_t count) {
  Builder b(function.getContext());
  constexpr int64_t words = 16, alignment = 64;
  auto type = LLVM::LLVMArrayType::get(b.getI64Type(), words);
  for (size_t position = first; position < first + count; ++position) {
    function.setArgAttr(position, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(type));
    function.setArgAttr(position, LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(alignment));
    function.setArgAttr(position, NVVM::NVVMDialect::getGridConstantAttrName(),
                        b.getUnitAttr());
  }
}

void GridFunction::finish(std::array<int64_t, 3> grid) {
  if (llvm::product_of(grid) == 0)
    return;
  assert(grid[1] <= kMostBlocksAlongY && grid[2] <= kMostBlocksAlongY &&
         "expected the long dimension of a grid to be x");
  LLVM::ReturnOp::create(b, b.getLoc(), ValueRange());
  SmallVector<int32_t> used;
  eraseUnusedParameters(used);
  SmallVector<Type> types(entry->getArgumentTypes());
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), types));
  for (auto [position, number] : llvm::enumerate(used)) {
    auto set = [&](StringRef name, Attribute value) {
      function.setArgAttr(position, name, value);
    };
    set(LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    set(LLVM::LLVMDialect::getAlignAttrName(),
        b.getI64IntegerAttr(kBufferAlignment));
    bool isOperand = number < int64_t(variant.kernel.getNumOperands());
    if (isOperand && !llvm::is_contained(variant.aliases, number))
      set(LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
  }
  passMapsByValue(function, used.size(), maps.size());
  for (auto [reader, size] : llvm::zip(blockRegister, grid))
    if (reader)
      reader->setAttr("range",
                      LLVM::ConstantRangeAttr::get(b.getContext(), APInt(32, 0),
                                                   APInt(32, size)));
  variant.steps.push_back(rt::GridStepAttr::get(
      b.getContext(), function.getSymNameAttr(), grid, int32_t(threadCount),
      int32_t(dynamicBytes), b.getDenseI32ArrayAttr(used), maps));
  isFinished = true;
}

void GridFunction::finishPerThread(int64_t count,
                                   function_ref<void(Value)> body) {
  Value number = globalThread();
  if (count % threadCount == 0)
    body(number);
  else
    b.guard(b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, number,
                                  b.index(count)),
            [&] { body(number); });
  finish({int64_t(llvm::divideCeil(count, threadCount)), 1, 1});
}
