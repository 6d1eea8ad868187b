//===- HostProgram.cpp - What the device does in order --------------------===//

#include "HostProgram.h"
#include "AccessMap.h"
#include "CodeBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Tessera/ElementTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

/// What the phase schedule has planned.
static int64_t arenaSizeOf(func::FuncOp function) {
  auto size =
      function->getAttrOfType<IntegerAttr>(spmd::SpmdDialect::kArenaSizeAttr);
  return size ? size.getInt() : 0;
}

namespace {

/// Builds one function.
class HostBuilder {
public:
  /// `builder` stands where the function is put.
  HostBuilder(const HostFunction &function, const ProgramFunctions &program,
              const CommunicationTable &communication,
              const KernelUses &kernels, OpBuilder builder)
      : function(function), places(function.places), program(program),
        communication(communication), kernels(kernels), b(builder) {}

  LogicalResult run() {
    makeFunction();
    func::FuncOp source = function.source;
    return emitBlock(source.front());
  }

private:
  static int64_t align(int64_t bytes) { return (bytes + 63) / 64 * 64; }

  void makeFunction() {
    func::FuncOp source = function.source;
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    SmallVector<Type> operands(function.isEntry ? 4 : 5, pointer);
    auto host =
        func::FuncOp::create(b, source.getLoc(), function.name,
                             b.getFunctionType(operands, {b.getI32Type()}));
    if (!function.isEntry)
      host.setPrivate();
    Block *entry = host.addEntryBlock();
    context = entry->getArgument(0);
    arguments = entry->getArgument(1);
    results = entry->getArgument(2);
    arena = entry->getArgument(3);
    if (!function.isEntry)
      temporaries = entry->getArgument(4);
    b.setInsertionPointToStart(entry);
  }

  /// The address of the memory for kernels' temporaries, from byte `offset`: in
  /// an entry behind everything else in the arena.
  Value temporaryAddress(int64_t offset, Location loc) {
    Value base = function.isEntry ? arena : temporaries;
    if (function.isEntry)
      offset += align(arenaSizeOf(function.source));
    return rt::OffsetOp::create(b, loc, context.getType(), base, offset);
  }

  /// The address of `place`, computed here.
  Value address(Place place, Location loc) {
    Type pointer = context.getType();
    switch (place.space) {
    case spmd::Space::Arena:
      return rt::OffsetOp::create(b, loc, pointer, arena, place.position);
    case spmd::Space::Argument:
      return rt::EntryOp::create(b, loc, pointer, arguments, place.position);
    case spmd::Space::Result:
      return rt::EntryOp::create(b, loc, pointer, results, place.position);
    }
    llvm_unreachable("unknown space");
  }

  /// The address of a tensor; null after a diagnostic.
  Value address(Value value, Location loc) {
    std::optional<Place> place = places.lookup(value);
    return place ? address(*place, loc) : Value();
  }

  static int64_t bytesOf(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getNumElements() *
           CodeBuilder::storageBytes(type.getElementType());
  }

  /// Makes sure that the elements of `value` are at `target`.
  LogicalResult copyTo(Value value, Place target, Location loc) {
    std::optional<Place> source = places.lookup(value);
    if (!source)
      return failure();
    if (!(*source == target) && bytesOf(value) > 0)
      rt::CopyOp::create(b, loc, address(*source, loc), address(target, loc),
                         bytesOf(value));
    return success();
  }

  LogicalResult emitBlock(Block &block) {
    for (Operation &op : block)
      if (failed(emit(&op)))
        return failure();
    return success();
  }

  LogicalResult emit(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<spmd::KernelOp>([&](auto o) { return emitKernel(o); })
        .Case<spmd::CollectiveOpInterface>(
            [&](auto o) { return emitCollective(o); })
        .Case<spmd::AxisIndexOp>([&](auto o) { return emitAxisIndex(o); })
        .Case<spmd::SendOp>([&](auto o) { return emitSend(o); })
        .Case<spmd::RecvOp>([&](auto o) { return emitRecv(o); })
        .Case<func::CallOp>([&](auto o) { return emitCall(o); })
        .Case<scf::ForOp>([&](auto o) { return emitFor(o); })
        .Case<scf::WhileOp>([&](auto o) { return emitWhile(o); })
        .Case<scf::IfOp>([&](auto o) { return emitIf(o); })
        .Case<scf::IndexSwitchOp>([&](auto o) { return emitSwitch(o); })
        .Case<func::ReturnOp>([&](auto o) { return emitReturn(o); })
        .Case<tensor::ExtractOp>([&](auto o) { return emitExtract(o); })
        .Case<tensor::FromElementsOp>(
            [&](auto o) { return emitFromElements(o); })
        .Case<scf::YieldOp, scf::ConditionOp>([](auto) { return success(); })
        .Default([&](Operation *other) { return emitScalar(other); });
  }

  /// Operations on scalars stay as they are.
  LogicalResult emitScalar(Operation *op) {
    auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
    if (op->getNumRegions() == 0 &&
        llvm::all_of(op->getOperandTypes(), isScalar) &&
        llvm::all_of(op->getResultTypes(), isScalar)) {
      b.clone(*op, scalars);
      return success();
    }
    return op->emitError("unsupported operation: expected kernels, collectives "
                         "and control flow after the phase schedule, got '")
           << op->getName() << "'";
  }

  LogicalResult emitKernel(spmd::KernelOp kernel) {
    const KernelUse &use = kernels.find(kernel)->second;
    Location loc = kernel.getLoc();
    SmallVector<Value> buffers;
    for (Value operand : kernel.getOperands())
      buffers.push_back(address(operand, loc));
    for (auto [result, alias] : llvm::zip(kernel.getResults(), use.aliases))
      if (alias < 0)
        buffers.push_back(address(result, loc));
    int64_t offset = 0;
    for (int64_t bytes : use.code->temporaries) {
      buffers.push_back(temporaryAddress(offset, loc));
      offset += align(bytes);
    }
    if (llvm::is_contained(buffers, Value()))
      return failure();
    for (const Launch &launch : use.code->launches) {
      auto symbol = SymbolRefAttr::get(
          b.getContext(), use.module,
          {FlatSymbolRefAttr::get(b.getContext(), launch.symbol)});
      rt::LaunchOp::create(b, loc, context, symbol, buffers, launch.extent,
                           launch.grain, use.name);
    }
    return success();
  }

  /// Whether dimension `dim` is the outermost in memory.
  static bool isOutermost(Value value, int64_t dim) {
    return llvm::all_of(shapeOf(value).take_front(dim),
                        [](int64_t size) { return size == 1; });
  }

  LogicalResult emitCollective(spmd::CollectiveOpInterface op) {
    Location loc = op->getLoc();
    Value operand = op->getOperand(0), result = op->getResult(0);
    Value source = address(operand, loc), target = address(result, loc);
    if (!source || !target)
      return failure();
    int64_t size = groupSize(op, op.getAxes());
    int32_t number = communication.communicator(op.getAxes());
    auto type = cast<RankedTensorType>(operand.getType());
    if (!getStoredType(type.getElementType()))
      return op->emitOpError("expected elements that the runtime stores (i1 to "
                             "i64, f16, bf16, f32, f64), got ")
             << type.getElementType();
    auto element = TypeAttr::get(type.getElementType());
    bool flat = true;
    llvm::TypeSwitch<Operation *>(op.getOperation())
        .Case<spmd::AllReduceOp>([&](auto o) {
          rt::AllReduceOp::create(
              b, loc, context, source, target, b.getI32IntegerAttr(number),
              b.getI64IntegerAttr(type.getNumElements()), element, o.getKind());
        })
        .Case<spmd::ReduceScatterOp>([&](auto o) {
          flat = isOutermost(operand, o.getDim());
          rt::ReduceScatterOp::create(
              b, loc, context, source, target, b.getI32IntegerAttr(number),
              b.getI64IntegerAttr(type.getNumElements() / size), element,
              o.getKind());
        })
        .Case<spmd::AllGatherOp>([&](auto o) {
          flat = isOutermost(operand, o.getDim());
          rt::AllGatherOp::create(b, loc, context, source, target, number,
                                  bytesOf(operand));
        })
        .Case<spmd::AllToAllOp>([&](auto o) {
          flat = isOutermost(operand, o.getSplitDim()) &&
                 isOutermost(result, o.getConcatDim());
          rt::AllToAllOp::create(b, loc, context, source, target, number,
                                 bytesOf(operand) / size);
        })
        .Case<spmd::PermuteOp>([&](auto o) {
          rt::PermuteOp::create(
              b, loc, context, source, target, b.getI32IntegerAttr(number),
              b.getI64IntegerAttr(bytesOf(operand)), o.getTargetAttr());
        })
        .Case<spmd::BroadcastOp>([&](auto o) {
          rt::BroadcastOp::create(b, loc, context, source, target, number,
                                  bytesOf(operand), int32_t(o.getRoot()));
        });
    if (!flat)
      return op->emitError(
          "expected a collective along the outermost dimension "
          "after the phase fuse");
    return success();
  }

  LogicalResult emitAxisIndex(spmd::AxisIndexOp op) {
    Value target = address(op.getResult(), op.getLoc());
    if (!target)
      return failure();
    rt::AxisIndexOp::create(b, op.getLoc(), context, target,
                            communication.communicator(op.getAxes()));
    return success();
  }

  LogicalResult emitSend(spmd::SendOp op) {
    Value source = address(op.getOperand(), op.getLoc());
    if (!source)
      return failure();
    rt::SendOp::create(b, op.getLoc(), context, source,
                       bytesOf(op.getOperand()), int32_t(op.getRank()),
                       op.getTag());
    return success();
  }

  LogicalResult emitRecv(spmd::RecvOp op) {
    Value target = address(op.getResult(), op.getLoc());
    if (!target)
      return failure();
    rt::RecvOp::create(b, op.getLoc(), context, target, bytesOf(op.getResult()),
                       int32_t(op.getRank()), op.getTag());
    return success();
  }

  /// Operands and results stay where they are: the called function gets their
  /// addresses, and a part of this arena.
  LogicalResult emitCall(func::CallOp op) {
    Location loc = op.getLoc();
    SmallVector<Value> inputs, outputs;
    for (Value operand : op.getOperands())
      inputs.push_back(address(operand, loc));
    for (Value result : op.getResults())
      outputs.push_back(address(result, loc));
    if (llvm::is_contained(inputs, Value()) ||
        llvm::is_contained(outputs, Value()))
      return failure();
    auto workspace =
        op->getAttrOfType<spmd::BufferAttr>(spmd::SpmdDialect::kWorkspaceAttr);
    if (!workspace)
      return op->emitError("expected 'spmd.workspace' on a call, as the phase "
                           "schedule writes it");
    const HostFunction *callee =
        llvm::find_if(program.functions, [&](const HostFunction &other) {
          func::FuncOp source = other.source;
          return source.getName() == op.getCallee();
        });
    Value memory =
        address(Place{workspace.getSpace(), workspace.getPosition()}, loc);
    rt::CallOp::create(
        b, loc, callee->name, context, memory, temporaryAddress(0, loc), inputs,
        outputs, op->getAttrOfType<StringAttr>(pipe::PipeDialect::kTaskAttr));
    return success();
  }

  LogicalResult emitExtract(tensor::ExtractOp op) {
    Value from = address(op.getTensor(), op.getLoc());
    if (!from)
      return failure();
    if (!op.getIndices().empty())
      return op->emitError(
                 "unsupported operation: expected a scalar tensor, got ")
             << op.getTensor().getType();
    Type type = op.getType();
    bool flag = type.isInteger(1);
    Value value = LLVM::LoadOp::create(b, op.getLoc(),
                                       flag ? Type(b.getI8Type()) : type, from);
    if (flag)
      value = arith::TruncIOp::create(b, op.getLoc(), type, value);
    scalars.map(op.getResult(), value);
    return success();
  }

  LogicalResult emitFromElements(tensor::FromElementsOp op) {
    Value target = address(op.getResult(), op.getLoc());
    if (!target)
      return failure();
    if (op.getElements().size() != 1)
      return op->emitError(
                 "unsupported operation: expected a scalar tensor, got ")
             << op.getType();
    Value value = scalars.lookup(op.getElements().front());
    if (value.getType().isInteger(1))
      value = arith::ExtUIOp::create(b, op.getLoc(), b.getI8Type(), value);
    LLVM::StoreOp::create(b, op.getLoc(), value, target);
    return success();
  }

  static SmallVector<Value> tensorsOf(ValueRange values) {
    return llvm::filter_to_vector(values, [](Value value) {
      return isa<RankedTensorType>(value.getType());
    });
  }

  /// Moves `values` to where `targets` lie, as if all at once.
  LogicalResult copyAll(ValueRange values, ValueRange targets, Location loc) {
    SmallVector<Place> destinations;
    for (auto [value, target] : llvm::zip(values, targets)) {
      std::optional<Place> place = places.lookup(target);
      std::optional<Place> source = places.lookup(value);
      if (!place || !source)
        return failure();
      if (llvm::is_contained(destinations, *source) && !(*source == *place))
        return emitError(loc, "unsupported operation: values of a loop that "
                              "exchange their places");
      destinations.push_back(*place);
    }
    for (auto [value, place] : llvm::zip(values, destinations))
      if (failed(copyTo(value, place, loc)))
        return failure();
    return success();
  }

  LogicalResult emitFor(scf::ForOp loop) {
    Location loc = loop.getLoc();
    if (failed(copyAll(tensorsOf(loop.getInitArgs()),
                       tensorsOf(loop.getResults()), loc)))
      return failure();
    if (tensorsOf(loop.getResults()).size() != loop.getNumResults())
      return loop->emitError(
          "unsupported operation: loop that carries scalars");
    auto host = scf::ForOp::create(b, loc, scalars.lookup(loop.getLowerBound()),
                                   scalars.lookup(loop.getUpperBound()),
                                   scalars.lookup(loop.getStep()));
    scalars.map(loop.getInductionVar(), host.getInductionVar());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(host.getBody()->getTerminator());
    if (failed(emitBlock(*loop.getBody())))
      return failure();
    Operation *yield = loop.getBody()->getTerminator();
    return copyAll(yield->getOperands(), loop.getResults(), loc);
  }

  /// The condition's arguments and the loop's results share their places.
  LogicalResult emitWhile(scf::WhileOp loop) {
    Location loc = loop.getLoc();
    if (failed(copyAll(loop.getInits(), loop.getResults(), loc)))
      return failure();
    auto host = scf::WhileOp::create(b, loc, TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&host.getBefore());
    if (failed(emitBlock(loop.getBefore().front())))
      return failure();
    scf::ConditionOp condition = loop.getConditionOp();
    if (failed(copyAll(condition.getArgs(), loop.getResults(), loc)))
      return failure();
    scf::ConditionOp::create(b, loc, scalars.lookup(condition.getCondition()),
                             ValueRange());
    b.createBlock(&host.getAfter());
    if (failed(emitBlock(loop.getAfter().front())))
      return failure();
    Operation *yield = loop.getAfter().front().getTerminator();
    if (failed(copyAll(yield->getOperands(), loop.getResults(), loc)))
      return failure();
    scf::YieldOp::create(b, loc);
    return success();
  }

  LogicalResult emitIf(scf::IfOp branch) {
    Location loc = branch.getLoc();
    auto host = scf::IfOp::create(b, loc, scalars.lookup(branch.getCondition()),
                                  !branch.getElseRegion().empty());
    auto emitRegion = [&](Region &from, Block *to) -> LogicalResult {
      if (from.empty())
        return success();
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(to->getTerminator());
      if (failed(emitBlock(from.front())))
        return failure();
      return copyAll(from.front().getTerminator()->getOperands(),
                     branch.getResults(), loc);
    };
    if (failed(emitRegion(branch.getThenRegion(), host.thenBlock())))
      return failure();
    return emitRegion(branch.getElseRegion(), branch.getElseRegion().empty()
                                                  ? nullptr
                                                  : host.elseBlock());
  }

  LogicalResult emitSwitch(scf::IndexSwitchOp branch) {
    Location loc = branch.getLoc();
    auto host = scf::IndexSwitchOp::create(
        b, loc, TypeRange(), scalars.lookup(branch.getArg()), branch.getCases(),
        branch.getCases().size());
    for (auto [from, to] :
         llvm::zip_equal(branch->getRegions(), host->getRegions())) {
      OpBuilder::InsertionGuard guard(b);
      b.createBlock(&to);
      if (failed(emitBlock(from.front())) ||
          failed(copyAll(from.front().getTerminator()->getOperands(),
                         branch.getResults(), loc)))
        return failure();
      scf::YieldOp::create(b, loc);
    }
    return success();
  }

  LogicalResult emitReturn(func::ReturnOp op) {
    for (auto [number, value] : llvm::enumerate(op.getOperands()))
      if (failed(copyTo(value, places.result(number), op.getLoc())))
        return failure();
    Value status =
        arith::ConstantOp::create(b, op.getLoc(), b.getI32IntegerAttr(0));
    func::ReturnOp::create(b, op.getLoc(), status);
    return success();
  }

  const HostFunction &function;
  const PlaceTable &places;
  const ProgramFunctions &program;
  const CommunicationTable &communication;
  const KernelUses &kernels;
  OpBuilder b;
  Value context, arguments, results, arena, temporaries;
  /// Scalars of the source program to those of the host program.
  IRMapping scalars;
};

} // namespace

/// Bytes of the temporaries of a kernel.
static int64_t temporaryBytes(const KernelUse &use) {
  int64_t bytes = 0;
  for (int64_t temporary : use.code->temporaries)
    bytes += llvm::alignTo(temporary, 64);
  return bytes;
}

/// The arena of an entry, with the temporaries of all kernels that it may run
/// behind everything else: kernels run one after another and share that memory.
static int64_t arenaWithTemporaries(const EntryProgram &program,
                                    const KernelUses &kernels) {
  int64_t temporaries = 0;
  for (auto [function, times] : program.runs)
    function.walk([&](spmd::KernelOp kernel) {
      temporaries =
          std::max(temporaries, temporaryBytes(kernels.find(kernel)->second));
    });
  int64_t arena = arenaSizeOf(program.entry);
  return temporaries ? llvm::alignTo(arena, 64) + temporaries : arena;
}

LogicalResult cpu::buildHostProgram(ModuleOp module,
                                    const ProgramFunctions &program,
                                    const CommunicationTable &communication,
                                    const KernelUses &kernels) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  func::FuncOp first = program.entries.front().entry;
  auto host = ModuleOp::create(b, first.getLoc(), rt::RtDialect::kProgramName);
  for (const HostFunction &function : program.functions)
    if (failed(HostBuilder(function, program, communication, kernels,
                           OpBuilder::atBlockEnd(host.getBody()))
                   .run()))
      return failure();
  for (const EntryProgram &entry : program.entries) {
    func::FuncOp function = entry.entry;
    function->setAttr(
        spmd::SpmdDialect::kArenaSizeAttr,
        b.getI64IntegerAttr(arenaWithTemporaries(entry, kernels)));
  }
  return success();
}
