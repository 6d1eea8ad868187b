//===- ConvertRtToLLVM.cpp - Calls of the runtime -------------------------===//

#include "AlikeCalls.h"
#include "GridKernelTables.h"
#include "StepTable.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tessera/Codegen/Host/ConvertToLLVM.h"
#include "tessera/Codegen/Host/Passes.h"
#include "tessera/Dialect/Rt/Combined.h"
#include "tessera/Dialect/Rt/HostCopies.h"
#include "tessera/Dialect/Tessera/ElementTypes.h"
#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::codegen {
#define GEN_PASS_DEF_CONVERTRTTOLLVM
#include "tessera/Codegen/Host/Passes.h.inc"
} // namespace tessera::codegen

#define DEBUG_TYPE "tessera-convert-rt-to-llvm"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using codegen::StepTable;

namespace {

/// The number in the C interface of an element type that the runtime stores.
int32_t dtypeCode(Type type) {
  return static_cast<int32_t>(*getStoredType(type));
}

/// Converts the operations of the host program: calls with known arguments,
/// which are most of it, to rows of the table of steps, the rest to code.
class CallBuilder {
public:
  explicit CallBuilder(ModuleOp module)
      : module(module), b(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        onDevice(module->getParentOp()->hasAttr(rt::RtDialect::kGpuAttr)) {}

  void convert(func::FuncOp function) {
    constants.clear();
    entry = &function.front();
    bases = {};
    // Addresses are wanted as long as there are others.
    SmallVector<Operation *> ops, addresses;
    size_t widest = 1;
    function.walk([&](Operation *op) {
      if (isa<rt::EntryOp, rt::OffsetOp>(op))
        addresses.push_back(op);
      else if (isa<rt::RtDialect>(op->getDialect()) ||
               op->hasTrait<OpTrait::IsTerminator>())
        ops.push_back(op);
      if (auto call = dyn_cast<rt::CallOp>(op))
        widest = std::max<size_t>(widest, call.getInputs().size() +
                                              call.getOutputs().size());
    });
    // Calls run one after another: they share one table of pointers.
    b.setInsertionPointToStart(&function.front());
    Value count = integer(function.getLoc(), widest, 64);
    table =
        LLVM::AllocaOp::create(b, function.getLoc(), pointer, pointer, count);
    scalar =
        LLVM::AllocaOp::create(b, function.getLoc(), pointer, b.getI64Type(),
                               integer(function.getLoc(), 1, 64));
    for (Operation *op : ops) {
      b.setInsertionPoint(op);
      if (addStep(op)) {
        op->erase();
        continue;
      }
      runSteps(op->getLoc());
      if (!isa<rt::RtDialect>(op->getDialect()))
        continue;
      convert(op);
      op->erase();
    }
    for (Operation *op : addresses) {
      b.setInsertionPoint(op);
      if (!op->use_empty())
        convert(op);
      op->erase();
    }
  }

  /// Ends the program; call after all functions.
  void finish() { steps.finish(); }

private:
  /// Equal numbers of a function are one, at its beginning.
  Value integer(Location loc, int64_t value, unsigned width) {
    Value &constant = constants[{value, width}];
    if (!constant) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(entry);
      Type type = b.getIntegerType(width);
      constant = LLVM::ConstantOp::create(b, module.getLoc(), type,
                                          b.getIntegerAttr(type, value));
    }
    return constant;
  }

  void convert(Operation *op) {
    Location loc = op->getLoc();
    llvm::TypeSwitch<Operation *>(op)
        .Case<rt::EntryOp>([&](auto o) {
          Value from = LLVM::GEPOp::create(
              b, loc, pointer, pointer, o.getTable(),
              ArrayRef<LLVM::GEPArg>{int32_t(o.getIndex())});
          o.replaceAllUsesWith(
              LLVM::LoadOp::create(b, loc, pointer, from).getResult());
        })
        .Case<rt::OffsetOp>([&](auto o) {
          o.replaceAllUsesWith(
              LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), o.getBase(),
                                  ValueRange{integer(loc, o.getBytes(), 64)})
                  .getResult());
        })
        .Case<rt::LoadOp>([&](auto o) { convertLoad(o); })
        .Case<rt::StoreOp>([&](auto o) {
          store(loc, o.getContext(), o.getValue(), o.getTarget());
        })
        .Case<rt::AxisIndexOp>([&](auto o) { convertAxisIndex(o); })
        .Case<rt::CallOp>([&](auto o) { convertCall(o); })
        .Case<rt::RunOp>([&](auto o) {
          auto call =
              func::CallOp::create(b, loc, o.getPartAttr(),
                                   TypeRange{b.getI32Type()}, o.getOperands());
          returnOnFailure(loc, call.getResult(0));
        });
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  using Argument = StepTable::Argument;

  /// Adds `op` to the table of steps, if it is one.
  bool addStep(Operation *op) {
    auto number = [](auto value, unsigned width) {
      return StepTable::number(int64_t(value), width);
    };
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<rt::LaunchOp>([&](auto o) {
          StringRef name = o.getKernel().getLeafReference().getValue();
          declare(name, {pointer, b.getI64Type(), b.getI64Type()}, {});
          return step(o, "launch",
                      {steps.symbol(name), addresses(o.getBuffers()),
                       number(o.getExtent(), 64), number(o.getGrain(), 64),
                       site(o, o.getName())});
        })
        .Case<rt::LaunchGridOp>([&](auto o) {
          auto kernel = cast<rt::GridKernelOp>(SymbolTable::lookupSymbolIn(
              module->getParentOp(), o.getKernel()));
          return step(o, "launch_grid",
                      {steps.symbol(gridKernels.symbol(kernel)),
                       addresses(o.getBuffers()), site(o, o.getName())});
        })
        .Case<rt::CallRoutineOp>([&](auto o) {
          return step(o, "call_routine",
                      {steps.symbol(description(o)), addresses(o.getBuffers()),
                       site(o, o.getName())});
        })
        .Case<rt::AllReduceOp, rt::ReduceScatterOp>([&](auto o) {
          return collective(o, {number(o.getCount(), 64),
                                number(dtypeCode(o.getElement()), 32),
                                number(o.getKind().getKind(), 32)});
        })
        .Case<rt::AllGatherOp, rt::AllToAllOp>(
            [&](auto o) { return collective(o, {number(o.getBytes(), 64)}); })
        .Case<rt::PermuteOp>([&](auto o) {
          return collective(
              o, {number(o.getBytes(), 64), steps.symbol(members(o))});
        })
        .Case<rt::BroadcastOp>([&](auto o) {
          return collective(
              o, {number(o.getBytes(), 64), number(o.getRoot(), 32)});
        })
        .Case<rt::BeginCombinedOp>(
            [&](auto o) { return step(o, "begin_combined", {}); })
        .Case<rt::EndCombinedOp>([&](auto o) { return endCombined(o); })
        .Case<rt::WaitOp>([&](auto o) {
          // The text is in the order of execution, so the collective that was
          // started last with a number is the one that is waited for.
          int32_t future = o.getFuture();
          return step(o, "wait",
                      {number(future, 32), site(o, started[future])});
        })
        .Case<rt::OffloadOp>([&](auto o) {
          return hostCopy(o,
                          {address(o.getSource()), number(o.getOffset(), 64)});
        })
        .Case<rt::ReloadOp>([&](auto o) {
          return hostCopy(o,
                          {number(o.getOffset(), 64), address(o.getTarget())});
        })
        .Case<rt::CopyOp>([&](auto o) {
          return step(o, "copy",
                      {address(o.getSource()), address(o.getTarget()),
                       number(o.getBytes(), 64), site(o, nextName(o))});
        })
        .Case<rt::SendOp>([&](auto o) { return message(o, o.getSource()); })
        .Case<rt::RecvOp>([&](auto o) { return message(o, o.getTarget()); })
        .Default([](Operation *) { return false; });
  }

  bool step(Operation *op, const Twine &name, ArrayRef<Argument> arguments) {
    SmallString<32> buffer;
    steps.add(("tessera_rt_" + name).toStringRef(buffer), arguments);
    return true;
  }

  /// Runs the steps that have been added.
  void runSteps(Location loc) {
    if (!steps.isPending())
      return;
    if (!bases)
      storeBases();
    returnOnFailure(loc, steps.run(b, loc, bases));
  }

  /// Writes down what the function got.
  void storeBases() {
    OpBuilder::InsertionGuard guard(b);
    Location loc = module.getLoc();
    Value count = integer(loc, entry->getNumArguments(), 64);
    b.setInsertionPointAfterValue(count);
    bases = LLVM::AllocaOp::create(b, loc, pointer, pointer, count);
    for (BlockArgument argument : entry->getArguments()) {
      Value slot = LLVM::GEPOp::create(
          b, loc, pointer, pointer, bases,
          ArrayRef<LLVM::GEPArg>{int32_t(argument.getArgNumber())});
      LLVM::StoreOp::create(b, loc, argument, slot);
    }
  }

  /// `value` in a row: an entry or an offset of what the function got.
  static int64_t addressOf(Value value) {
    if (auto offset = value.getDefiningOp<rt::OffsetOp>())
      return StepTable::address(
          cast<BlockArgument>(offset.getBase()).getArgNumber(),
          offset.getBytes(), /*isEntry=*/false);
    if (auto entry = value.getDefiningOp<rt::EntryOp>())
      return StepTable::address(
          cast<BlockArgument>(entry.getTable()).getArgNumber(),
          entry.getIndex(), /*isEntry=*/true);
    return StepTable::address(cast<BlockArgument>(value).getArgNumber(), 0,
                              /*isEntry=*/false);
  }
  static Argument addresses(ValueRange values) {
    return {Argument::Addresses, llvm::map_to_vector<4>(values, addressOf)};
  }
  static Argument address(Value value) {
    return {Argument::Address, {addressOf(value)}};
  }
  Argument site(Operation *op, StringRef name) {
    return steps.site(name, describeFile(op->getLoc()));
  }

  /// What traces call the next operation of this kind: `all_reduce.3`. Calls in
  /// which branches meet are one.
  std::string nextName(Operation *op) {
    return nextName(op, op->getName().stripDialect());
  }
  std::string nextName(Operation *op, StringRef kind) {
    auto next = [&] { return (kind + "." + Twine(numbers[kind]++)).str(); };
    auto meeting = op->getAttrOfType<IntegerAttr>(kMeetingAttr);
    if (!meeting)
      return next();
    auto [known, isFirst] = meetings.try_emplace(meeting.getInt());
    if (isFirst)
      known->second = next();
    return known->second;
  }

  template <typename Op> bool message(Op op, Value memory) {
    return step(op, op->getName().stripDialect(),
                {address(memory), StepTable::number(op.getBytes(), 64),
                 StepTable::number(op.getRank(), 32),
                 StepTable::number(op.getTag(), 64), site(op, nextName(op))});
  }

  template <typename Op> bool collective(Op op, ArrayRef<Argument> extra) {
    SmallVector<Argument> arguments = {address(op.getSource()),
                                       address(op.getTarget())};
    llvm::append_range(arguments, extra);
    int32_t future = op.getFuture() ? int32_t(*op.getFuture()) : -1;
    arguments.push_back(StepTable::number(op.getCommunicator(), 32));
    arguments.push_back(StepTable::number(future, 32));
    std::string name = nextName(op);
    arguments.push_back(site(op, name));
    if (future >= 0)
      started[future] = name;
    return step(op, op->getName().stripDialect(), arguments);
  }

  /// A copy to the host or back, between `ends`.
  template <typename Op>
  bool hostCopy(Op op, std::initializer_list<Argument> ends) {
    SmallVector<Argument> arguments(ends);
    int32_t future = op.getFuture() ? int32_t(*op.getFuture()) : -1;
    std::string name = nextName(op);
    arguments.push_back(StepTable::number(op.getBytes(), 64));
    arguments.push_back(StepTable::number(future, 32));
    arguments.push_back(site(op, name));
    if (future >= 0)
      started[future] = name;
    return step(op, op->getName().stripDialect(), arguments);
  }

  bool endCombined(rt::EndCombinedOp op) {
    int32_t future = op.getFuture() ? int32_t(*op.getFuture()) : -1;
    std::string name = nextName(op, "combined");
    if (future >= 0)
      started[future] = name;
    return step(op, "end_combined",
                {StepTable::number(future, 32), site(op, name)});
  }

  /// The name of a constant: what is called, as text.
  std::string description(rt::CallRoutineOp op) {
    SmallVector<RankedTensorType> arrays;
    for (Type type : op.getTypes().getAsValueRange<TypeAttr>())
      arrays.push_back(cast<RankedTensorType>(type));
    std::string text =
        describeCall(op.getRoutine(), op.getParameters(), arrays,
                     op.getInputs(), cast<ModuleOp>(module->getParentOp()));
    auto [entry, isNew] = routines.try_emplace(text, routines.size());
    std::string name = "routine_" + std::to_string(entry->second);
    std::string bytes = text + '\0';
    define(name, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
           b.getStringAttr(bytes));
    return name;
  }

  /// The name of a constant.
  std::string members(rt::PermuteOp op) {
    ArrayRef<int32_t> targets = op.getMembers();
    std::string &name = memberTables[op.getMembersAttr()];
    if (!name.empty())
      return name;
    name = "members_" + std::to_string(memberTables.size());
    auto type = LLVM::LLVMArrayType::get(b.getI32Type(), targets.size());
    define(name, type, b.getI32TensorAttr(targets));
    return name;
  }

  //===--------------------------------------------------------------------===//
  // Code
  //===--------------------------------------------------------------------===//

  /// The address of entry `number` of the table of pointers.
  Value tableEntry(Location loc, size_t number) {
    return LLVM::GEPOp::create(b, loc, pointer, pointer, table,
                               ArrayRef<LLVM::GEPArg>{int32_t(number)});
  }

  /// Fills the table of pointers from entry `first` on.
  void fillTable(Location loc, ValueRange pointers, size_t first = 0) {
    for (auto [number, value] : llvm::enumerate(pointers))
      LLVM::StoreOp::create(b, loc, value, tableEntry(loc, first + number));
  }

  void convertCall(rt::CallOp op) {
    Location loc = op.getLoc();
    fillTable(loc, op.getInputs());
    fillTable(loc, op.getOutputs(), op.getInputs().size());
    if (std::optional<StringRef> task = op.getTask())
      call(loc, "tessera_rt_begin_task", {op.getState(), site(loc, *task)});
    Value outputs = tableEntry(loc, op.getInputs().size());
    auto called = func::CallOp::create(
        b, loc, op.getCalleeAttr(), TypeRange{b.getI32Type()},
        ValueRange{op.getState(), table, outputs, op.getArena(),
                   op.getTemporaries()});
    returnOnFailure(loc, called.getResult(0));
    if (op.getTask())
      call(loc, "tessera_rt_end_task", {op.getState()});
  }

  void convertAxisIndex(rt::AxisIndexOp op) {
    Location loc = op.getLoc();
    Value communicator = integer(loc, op.getCommunicator(), 32);
    declare("tessera_rt_axis_index", {pointer, b.getI32Type()}, b.getI64Type());
    Value index =
        LLVM::CallOp::create(b, loc, TypeRange{b.getI64Type()},
                             "tessera_rt_axis_index",
                             ValueRange{op.getContext(), communicator})
            .getResult();
    Value narrow = arith::TruncIOp::create(b, loc, b.getI32Type(), index);
    store(loc, op.getContext(), narrow, op.getTarget());
  }

  /// Booleans are bytes in memory.
  Type storedType(Type type) {
    return type.isInteger(1) ? Type(b.getI8Type()) : type;
  }
  Value bytesOf(Location loc, Type stored) {
    return integer(loc, stored.getIntOrFloatBitWidth() / 8, 64);
  }

  void convertLoad(rt::LoadOp op) {
    Location loc = op.getLoc();
    Type stored = storedType(op.getType());
    Value from = op.getSource();
    if (onDevice) {
      call(loc, "tessera_rt_read",
           {op.getContext(), from, scalar, bytesOf(loc, stored)});
      from = scalar;
    }
    Value value = LLVM::LoadOp::create(b, loc, stored, from);
    if (stored != op.getType())
      value = arith::TruncIOp::create(b, loc, op.getType(), value);
    op.replaceAllUsesWith(value);
  }

  void store(Location loc, Value context, Value value, Value target) {
    Type stored = storedType(value.getType());
    if (stored != value.getType())
      value = arith::ExtUIOp::create(b, loc, stored, value);
    LLVM::StoreOp::create(b, loc, value, scalar);
    call(loc, "tessera_rt_write",
         {context, scalar, target, bytesOf(loc, stored)});
  }

  /// Calls a function of the runtime; if it fails, the program ends with its
  /// status.
  void call(Location loc, StringRef name, ArrayRef<Value> arguments) {
    SmallVector<Type> types(ValueRange(arguments).getTypes());
    declare(name, types, b.getI32Type());
    Value status =
        LLVM::CallOp::create(b, loc, TypeRange{b.getI32Type()}, name, arguments)
            .getResult();
    returnOnFailure(loc, status);
  }

  void returnOnFailure(Location loc, Value status) {
    Value good = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, status,
                                      integer(loc, 0, 32));
    // The rest of the block goes on only if the call was good.
    Operation *op = &*b.getInsertionPoint();
    Block *before = op->getBlock();
    Block *after = before->splitBlock(op);
    Region *region = before->getParent();
    if (!failure || failure->getParent() != region) {
      failure = b.createBlock(region, region->end(), {b.getI32Type()}, {loc});
      func::ReturnOp::create(b, loc, failure->getArgument(0));
    }
    b.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(b, loc, good, after, ValueRange(), failure,
                           ValueRange{status});
    b.setInsertionPointToStart(after);
  }

  void declare(StringRef name, ArrayRef<Type> types, Type result) {
    if (!declared.insert(name).second)
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    Type returned = result ? result : LLVM::LLVMVoidType::get(b.getContext());
    LLVM::LLVMFuncOp::create(b, module.getLoc(), name,
                             LLVM::LLVMFunctionType::get(returned, types));
  }

  /// Defines a constant of the module, by `value` or by `fill`.
  void define(StringRef name, Type type, Attribute value,
              function_ref<Value()> fill = nullptr) {
    if (!declared.insert(name).second)
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    auto global = LLVM::GlobalOp::create(b, module.getLoc(), type,
                                         /*isConstant=*/true,
                                         LLVM::Linkage::Internal, name, value);
    if (fill) {
      b.createBlock(&global.getInitializerRegion());
      Value initial = fill();
      LLVM::ReturnOp::create(b, module.getLoc(), initial);
    }
  }

  /// The address of a constant that is defined as above.
  Value global(Location loc, StringRef name, Type type, Attribute value,
               function_ref<Value()> fill = nullptr) {
    define(name, type, value, fill);
    return LLVM::AddressOfOp::create(b, loc, pointer, name);
  }

  /// The address of `text`, ended by zero; equal texts are one.
  Value string(Location loc, StringRef text) {
    auto [it, fresh] = strings.try_emplace(text, strings.size());
    std::string name = "text_" + std::to_string(it->second);
    std::string bytes = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    return global(loc, name, type, b.getStringAttr(bytes));
  }

  /// A TesseraSite.
  Value site(Location loc, StringRef name) {
    std::string symbol = "site_" + std::to_string(sites++);
    auto type =
        LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer, pointer});
    return global(loc, symbol, type, Attribute(), [&] {
      Location unknown = module.getLoc();
      Value value = LLVM::UndefOp::create(b, unknown, type);
      Value first = string(unknown, name);
      Value second = string(unknown, describeFile(loc));
      value = LLVM::InsertValueOp::create(b, unknown, value, first,
                                          ArrayRef<int64_t>{0});
      value = LLVM::InsertValueOp::create(b, unknown, value, second,
                                          ArrayRef<int64_t>{1});
      return value;
    });
  }

  ModuleOp module;
  OpBuilder b;
  Type pointer;
  /// Whether tensors are out of the host's reach.
  bool onDevice;
  codegen::GridKernelTables gridKernels{module};
  StepTable steps{module};
  /// What the function got, in memory, for steps.
  Value bases;
  /// The names of constants with the members of permutations.
  llvm::DenseMap<Attribute, std::string> memberTables;
  /// Pointers for calls, and 8 bytes for what the device reads or writes.
  Value table, scalar;
  Block *failure = nullptr;
  /// Of the function that is converted.
  Block *entry = nullptr;
  llvm::DenseMap<std::pair<int64_t, unsigned>, Value> constants;
  llvm::StringSet<> declared;
  llvm::StringMap<unsigned> strings, numbers, routines;
  unsigned sites = 0;
  /// The names of calls in which branches meet.
  llvm::DenseMap<int64_t, std::string> meetings;
  /// The collective that was started last with each future.
  llvm::DenseMap<int32_t, std::string> started;
};

class ConvertRtToLLVM
    : public tessera::codegen::impl::ConvertRtToLLVMBase<ConvertRtToLLVM> {
public:
  using ConvertRtToLLVMBase::ConvertRtToLLVMBase;

  void runOnOperation() override {
    // Kernels of a GPU have been converted already.
    bool onDevice = getOperation()->hasAttr(rt::RtDialect::kGpuAttr);
    SmallVector<ModuleOp> modules;
    for (auto module : getOperation().getOps<ModuleOp>())
      if (!onDevice || module.getSymName() == rt::RtDialect::kProgramName)
        modules.push_back(module);
    auto convert = [&](ModuleOp module) {
      if (failed(convertCalls(module)))
        return failure();
      return codegen::convertToLLVM(module);
    };
    LDBG() << modules.size() << " modules, "
           << (onDevice ? "of which kernels have been converted before"
                        : "the host program and its kernels");
    if (failed(failableParallelForEach(&getContext(), modules, convert)))
      signalPassFailure();
  }

private:
  /// Early returns need control flow without structure.
  LogicalResult convertCalls(ModuleOp module) {
    if (module.getSymName() != rt::RtDialect::kProgramName)
      return success();
    numberAlikeCalls(module);
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return failure();
    CallBuilder calls(module);
    for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
      calls.convert(function);
    calls.finish();
    return success();
  }
};

} // namespace
