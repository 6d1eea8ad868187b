//===- LowerKernel.cpp - A kernel's functions -----------------------------===//

#include "LowerKernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/NestLowering.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-lower-to-rt"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

/// Work below this many operations is not worth another thread.
static constexpr int64_t smallestShare = int64_t(1) << 16;

/// The thread-local memory for packed operands; `defineScratch` makes it as
/// large as the largest need.
static constexpr llvm::StringLiteral scratchName = "tessera_scratch";

/// The address of the running thread's scratch memory.
static Value scratchBase(CodeBuilder &b) {
  OperationState of(b.getLoc(), LLVM::AddressOfOp::getOperationName());
  LLVM::AddressOfOp::build(b, of, b.pointerType(), scratchName);
  return b.make<LLVM::ThreadlocalAddressOp>(b.pointerType(), b.pure(of));
}

namespace {

/// Emits the two functions of every loop nest: one with a pointer argument per
/// buffer, of which the compiler knows that they do not overlap, and one that
/// the runtime calls, which unpacks the table of buffers.
class KernelLowering {
public:
  KernelLowering(spmd::KernelOp kernel, ArrayRef<int64_t> aliases,
                 ModuleOp module, StringRef name, const Target &target)
      : kernel(kernel), aliases(aliases), module(module), name(name),
        target(target), builder(OpBuilder::atBlockEnd(module.getBody())),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  std::unique_ptr<CpuKernel> run() {
    lowered->operations = simplifyKernel(kernel);
    untransposeReductions(kernel);
    FailureOr<KernelPlan> planned = planKernel(kernel, aliases);
    if (failed(planned))
      return nullptr;
    plan = &*planned;
    lowered->temporaries = plan->temporaries;
    buffers = kernel.getNumOperands() + llvm::count(aliases, int64_t(-1)) +
              plan->temporaries.size();
    for (auto [number, nest] : llvm::enumerate(plan->nests))
      if (failed(lowerNest(nest, number)))
        return nullptr;
    for (auto [temporary, result] : plan->copies)
      lowerCopy(temporary, result);
    return std::move(lowered);
  }

private:
  /// A function of all buffers and a range of iterations, with its entry block.
  func::FuncOp makeBody(StringRef symbol, Location loc) {
    SmallVector<Type> types(buffers, pointer);
    types.append(2, builder.getI64Type());
    auto function = func::FuncOp::create(builder, loc, symbol,
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    for (unsigned i = 0; i < buffers; ++i)
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
    function.addEntryBlock();
    return function;
  }

  /// The function that the runtime calls.
  void makeEntry(func::FuncOp body, StringRef symbol) {
    Type i64 = builder.getI64Type();
    auto entry =
        func::FuncOp::create(builder, body.getLoc(), symbol,
                             builder.getFunctionType({pointer, i64, i64}, {}));
    Block *block = entry.addEntryBlock();
    CodeBuilder b(body.getLoc(), block, target.lanes());
    SmallVector<Value> arguments;
    for (unsigned i = 0; i < buffers; ++i)
      arguments.push_back(LLVM::LoadOp::create(
          b, b.getLoc(), pointer,
          b.address(block->getArgument(0), pointer, b.index(i))));
    arguments.push_back(block->getArgument(1));
    arguments.push_back(block->getArgument(2));
    func::CallOp::create(b, b.getLoc(), body, arguments);
    func::ReturnOp::create(b, b.getLoc());
  }

  /// Sorts the arguments of a body into operands, results and temporaries.
  void assignBuffers(NestLowering &l, Block *entry) {
    unsigned next = 0;
    for (unsigned i = 0; i < kernel.getNumOperands(); ++i)
      l.operands.push_back(entry->getArgument(next++));
    for (int64_t alias : aliases)
      l.results.push_back(alias >= 0 ? l.operands[alias]
                                     : Value(entry->getArgument(next++)));
    for (size_t i = 0; i < plan->temporaries.size(); ++i)
      l.temporaries.push_back(entry->getArgument(next++));
  }

  LogicalResult lowerNest(const LoopNest &nest, unsigned number) {
    if (llvm::all_of(nest.outputs, [](const NestOutput &output) {
          return elementsOf(shapeOf(output.value)) == 0;
        }))
      return success();
    std::string symbol = name.str();
    if (number > 0)
      symbol += "_" + std::to_string(number);
    func::FuncOp function = makeBody(symbol + "_body", kernel.getLoc());
    Block *entry = &function.front();
    CodeBuilder b(kernel.getLoc(), entry, target.lanes());
    NestLowering l{*plan,
                   nest,
                   number,
                   kernel,
                   module,
                   b,
                   entry->getArgument(buffers),
                   entry->getArgument(buffers + 1),
                   {},
                   {},
                   {},
                   {}};
    assignBuffers(l, entry);
    l.scratchBase = [&b] { return scratchBase(b); };
    FailureOr<NestRange> range = lowerBy(nest.kind, l);
    if (failed(range))
      return failure();
    LDBG() << symbol << ", of " << describeOperation(kernel) << ": "
           << stringifyKernelKind(nest.kind) << " loop nest of "
           << range->extent << " iterations";
    func::ReturnOp::create(b, b.getLoc());
    lowered->scratchBytes = std::max(lowered->scratchBytes, l.scratchBytes);
    finish(function, symbol, *range);
    return success();
  }

  static FailureOr<NestRange> lowerBy(KernelKind kind, NestLowering &l) {
    switch (kind) {
    case KernelKind::Elementwise:
    case KernelKind::Row:
      return lowerRows(l);
    case KernelKind::Column:
      return lowerColumns(l);
    case KernelKind::Matmul:
      return lowerMatmul(l);
    case KernelKind::Structured:
      return lowerSingle(l);
    }
    llvm_unreachable("unknown kind of loop nest");
  }

  void finish(func::FuncOp body, StringRef symbol, NestRange range) {
    if (range.extent == 0)
      return;
    makeEntry(body, symbol);
    int64_t grain =
        std::max<int64_t>(1, smallestShare / std::max<int64_t>(range.cost, 1));
    lowered->launches.push_back(
        {symbol.str(), range.extent, std::min(grain, range.extent)});
  }

  /// A result that could not be computed in its place is copied there.
  void lowerCopy(unsigned temporary, unsigned result) {
    std::string symbol = (name + "_copy_" + std::to_string(result)).str();
    func::FuncOp function = makeBody(symbol + "_body", kernel.getLoc());
    Block *entry = &function.front();
    CodeBuilder b(kernel.getLoc(), entry, target.lanes());
    LoopNest none;
    NestLowering l{*plan, none, 0, kernel, module, b, {}, {}, {}, {}, {}, {}};
    assignBuffers(l, entry);
    LLVM::MemcpyOp::create(b, b.getLoc(), l.results[result],
                           l.temporaries[temporary],
                           b.index(plan->temporaries[temporary]),
                           /*isVolatile=*/false);
    func::ReturnOp::create(b, b.getLoc());
    finish(function, symbol, {1, 1});
  }

  spmd::KernelOp kernel;
  ArrayRef<int64_t> aliases;
  ModuleOp module;
  StringRef name;
  const Target &target;
  OpBuilder builder;
  Type pointer;
  const KernelPlan *plan = nullptr;
  unsigned buffers = 0;
  std::unique_ptr<CpuKernel> lowered = std::make_unique<CpuKernel>();
};

} // namespace

std::unique_ptr<CpuKernel> cpu::lowerKernel(spmd::KernelOp kernel,
                                            ArrayRef<int64_t> aliases,
                                            ModuleOp module, StringRef name,
                                            const Target &target) {
  return KernelLowering(kernel, aliases, module, name, target).run();
}

void cpu::defineScratch(ModuleOp module, int64_t bytes) {
  if (bytes == 0)
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  auto global = LLVM::GlobalOp::create(
      builder, UnknownLoc::get(module.getContext()), type, /*isConstant=*/false,
      LLVM::Linkage::Internal, scratchName, Attribute(), /*alignment=*/64,
      /*addrSpace=*/0, /*dsoLocal=*/true, /*thread_local_=*/true);
  builder.createBlock(&global.getInitializerRegion());
  Value zero = LLVM::ZeroOp::create(builder, global.getLoc(), type);
  LLVM::ReturnOp::create(builder, global.getLoc(), zero);
}

bool cpu::storeOutputs(NestLowering &lowering, ElementEmitter &e,
                       ArrayRef<NestOutput> outputs,
                       const LaneIndices &indices) {
  SmallVector<Value> elements;
  for (const NestOutput &output : outputs)
    elements.push_back(
        e.emit(output.value, lowering.outputIndices(output, indices)));
  for (auto [output, element] : llvm::zip(outputs, elements))
    if (element)
      lowering.storeOutput(e, output, element,
                           lowering.outputIndices(output, indices));
  return !llvm::is_contained(elements, Value());
}
