//===- HostProgram.cpp - What the device does in order --------------------===//

#include "HostBuilder.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/CodeBuilder.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Rt/Combined.h"
#include "tessera/Dialect/Rt/HostCopies.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Tessera/ElementTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// What the phase schedule has planned.
static int64_t arenaSizeOf(func::FuncOp function) {
  auto size =
      function->getAttrOfType<IntegerAttr>(spmd::SpmdDialect::kArenaSizeAttr);
  return size ? size.getInt() : 0;
}

LogicalResult HostBuilder::run() {
  makeFunction();
  func::FuncOp source = function.source;
  return emitBlock(source.front());
}

void HostBuilder::makeFunction() {
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

Value HostBuilder::temporaryAddress(int64_t offset, Location loc) {
  Value base = function.isEntry ? arena : temporaries;
  if (function.isEntry)
    offset += align(arenaSizeOf(function.source));
  return rt::OffsetOp::create(b, loc, context.getType(), base, offset);
}

Value HostBuilder::address(MemoryLocation location, Location loc) {
  Type pointer = context.getType();
  switch (location.space) {
  case spmd::Space::Arena:
    return rt::OffsetOp::create(b, loc, pointer, arena, location.position);
  case spmd::Space::Argument:
    return rt::EntryOp::create(b, loc, pointer, arguments, location.position);
  case spmd::Space::Result:
    return rt::EntryOp::create(b, loc, pointer, results, location.position);
  case spmd::Space::Host:
    break; // The runtime's; copies name its bytes.
  }
  llvm_unreachable("expected memory of the device");
}

Value HostBuilder::address(Value value, Location loc) {
  std::optional<MemoryLocation> location = locations.lookup(value);
  return location ? address(*location, loc) : Value();
}

int64_t HostBuilder::bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() *
         CodeBuilder::storageBytes(type.getElementType());
}

LogicalResult HostBuilder::copyTo(Value value, MemoryLocation target,
                                  Location loc) {
  std::optional<MemoryLocation> source = locations.lookup(value);
  if (!source)
    return failure();
  if (!(*source == target) && bytesOf(value) > 0)
    rt::CopyOp::create(b, loc, context, address(*source, loc),
                       address(target, loc), bytesOf(value));
  return success();
}

LogicalResult HostBuilder::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emit(&op)))
      return failure();
  return success();
}

LogicalResult HostBuilder::emit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<spmd::KernelOp>([&](auto o) { return emitKernel(o); })
      .Case<spmd::CollectiveOpInterface>(
          [&](auto o) { return emitCollective(o); })
      .Case<spmd::OffloadOp, spmd::ReloadOp>(
          [&](auto o) { return emitHostCopy(o, {}); })
      .Case<spmd::StartOp>([&](auto o) { return emitStart(o); })
      .Case<spmd::WaitOp>([&](auto o) { return emitWait(o); })
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
      .Case<tensor::FromElementsOp>([&](auto o) { return emitFromElements(o); })
      .Case<scf::YieldOp, scf::ConditionOp>([](auto) { return success(); })
      .Default([&](Operation *other) { return emitScalar(other); });
}

LogicalResult HostBuilder::emitScalar(Operation *op) {
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

LogicalResult HostBuilder::emitKernel(spmd::KernelOp kernel) {
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
  kernelTarget.launch(b, loc, use, context, buffers);
  return success();
}

bool HostBuilder::isOutermost(Value value, int64_t dim) {
  return llvm::all_of(shapeOf(value).take_front(dim),
                      [](int64_t size) { return size == 1; });
}

LogicalResult HostBuilder::emitCollective(spmd::CollectiveOpInterface op,
                                          IntegerAttr future) {
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
        rt::AllReduceOp::create(b, loc, context, source, target,
                                b.getI32IntegerAttr(number),
                                b.getI64IntegerAttr(type.getNumElements()),
                                element, o.getKind(), future);
      })
      .Case<spmd::ReduceScatterOp>([&](auto o) {
        flat = isOutermost(operand, o.getDim());
        rt::ReduceScatterOp::create(
            b, loc, context, source, target, b.getI32IntegerAttr(number),
            b.getI64IntegerAttr(type.getNumElements() / size), element,
            o.getKind(), future);
      })
      .Case<spmd::AllGatherOp>([&](auto o) {
        flat = isOutermost(operand, o.getDim());
        rt::AllGatherOp::create(b, loc, context, source, target, number,
                                bytesOf(operand), future);
      })
      .Case<spmd::AllToAllOp>([&](auto o) {
        flat = isOutermost(operand, o.getSplitDim()) &&
               isOutermost(result, o.getConcatDim());
        rt::AllToAllOp::create(b, loc, context, source, target, number,
                               bytesOf(operand) / size, future);
      })
      .Case<spmd::PermuteOp>([&](auto o) {
        rt::PermuteOp::create(
            b, loc, context, source, target, b.getI32IntegerAttr(number),
            b.getI64IntegerAttr(bytesOf(operand)), o.getTargetAttr(), future);
      })
      .Case<spmd::BroadcastOp>([&](auto o) {
        rt::BroadcastOp::create(b, loc, context, source, target, number,
                                bytesOf(operand), int32_t(o.getRoot()), future);
      });
  if (!flat)
    return op->emitError("expected a collective along the outermost dimension "
                         "after the phase fuse");
  return success();
}

LogicalResult HostBuilder::emitHostCopy(Operation *copy, IntegerAttr future) {
  bool isThere = isa<spmd::OffloadOp>(copy);
  Location loc = copy->getLoc();
  Value source = copy->getOperand(0), result = copy->getResult(0);
  std::optional<MemoryLocation> host =
      locations.lookup(isThere ? result : source);
  Value device = address(isThere ? source : result, loc);
  if (!host || !device)
    return failure();
  auto offset = b.getI64IntegerAttr(host->position),
       bytes = b.getI64IntegerAttr(bytesOf(result));
  if (isThere)
    rt::OffloadOp::create(b, loc, context, device, offset, bytes, future);
  else
    rt::ReloadOp::create(b, loc, context, offset, device, bytes, future);
  return success();
}

LogicalResult HostBuilder::emitStart(spmd::StartOp op) {
  std::optional<int32_t> number = futures.of(op);
  IntegerAttr future = number ? b.getI32IntegerAttr(*number) : IntegerAttr();
  if (spmd::isHostCopy(op.getStarted()))
    return emitHostCopy(op.getStarted(), future);
  SmallVector<spmd::StartOp, 1> parts = spmd::startsOfCall(op);
  if (parts.empty())
    return success(); // A part of a call that has begun.
  if (parts.size() == 1)
    return emitCollective(op.getCollective(), future);
  rt::BeginCombinedOp::create(b, op.getLoc(), context);
  for (spmd::StartOp part : parts)
    if (failed(emitCollective(part.getCollective())))
      return failure();
  rt::EndCombinedOp::create(b, op.getLoc(), context, future);
  return success();
}

/// The first wait of a call is for all of it.
LogicalResult HostBuilder::emitWait(spmd::WaitOp op) {
  spmd::StartOp start = op.getStart();
  std::optional<MemoryLocation> location = locations.lookup(op.getResult()),
                                written = locations.lookup(
                                    start.getStarted()->getResult(0));
  if (!location || !written)
    return failure();
  if (!(*location == *written))
    return op.emitError("expected the result where what was started writes it");
  if (std::optional<int32_t> future = futures.of(start))
    rt::WaitOp::create(b, start.getStarted()->getLoc(), context, *future);
  return success();
}

LogicalResult HostBuilder::emitAxisIndex(spmd::AxisIndexOp op) {
  Value target = address(op.getResult(), op.getLoc());
  if (!target)
    return failure();
  rt::AxisIndexOp::create(b, op.getLoc(), context, target,
                          communication.communicator(op.getAxes()));
  return success();
}

LogicalResult HostBuilder::emitSend(spmd::SendOp op) {
  Value source = address(op.getOperand(), op.getLoc());
  if (!source)
    return failure();
  rt::SendOp::create(b, op.getLoc(), context, source, bytesOf(op.getOperand()),
                     int32_t(op.getRank()), op.getTag());
  return success();
}

LogicalResult HostBuilder::emitRecv(spmd::RecvOp op) {
  Value target = address(op.getResult(), op.getLoc());
  if (!target)
    return failure();
  rt::RecvOp::create(b, op.getLoc(), context, target, bytesOf(op.getResult()),
                     int32_t(op.getRank()), op.getTag());
  return success();
}

LogicalResult HostBuilder::emitCall(func::CallOp op) {
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
  Value memory = address(
      MemoryLocation{workspace.getSpace(), workspace.getPosition()}, loc);
  rt::CallOp::create(
      b, loc, callee->name, context, memory, temporaryAddress(0, loc), inputs,
      outputs, op->getAttrOfType<StringAttr>(pipe::PipeDialect::kTaskAttr));
  return success();
}

LogicalResult HostBuilder::emitExtract(tensor::ExtractOp op) {
  Value from = address(op.getTensor(), op.getLoc());
  if (!from)
    return failure();
  if (!op.getIndices().empty())
    return op->emitError(
               "unsupported operation: expected a scalar tensor, got ")
           << op.getTensor().getType();
  scalars.map(op.getResult(),
              rt::LoadOp::create(b, op.getLoc(), op.getType(), context, from)
                  .getResult());
  return success();
}

LogicalResult HostBuilder::emitFromElements(tensor::FromElementsOp op) {
  Value target = address(op.getResult(), op.getLoc());
  if (!target)
    return failure();
  if (op.getElements().size() != 1)
    return op->emitError(
               "unsupported operation: expected a scalar tensor, got ")
           << op.getType();
  rt::StoreOp::create(b, op.getLoc(), context,
                      scalars.lookup(op.getElements().front()), target);
  return success();
}

LogicalResult HostBuilder::emitReturn(func::ReturnOp op) {
  for (auto [number, value] : llvm::enumerate(op.getOperands()))
    if (failed(copyTo(value, locations.result(number), op.getLoc())))
      return failure();
  Value status =
      arith::ConstantOp::create(b, op.getLoc(), b.getI32IntegerAttr(0));
  func::ReturnOp::create(b, op.getLoc(), status);
  return success();
}

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

LogicalResult codegen::buildHostProgram(ModuleOp module,
                                        const ProgramFunctions &program,
                                        const CommunicationTable &communication,
                                        const KernelUses &kernels,
                                        KernelTarget &target) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  func::FuncOp first = program.entries.front().entry;
  auto host = ModuleOp::create(b, first.getLoc(), rt::RtDialect::kProgramName);
  FutureNumbers futures(program);
  for (const HostFunction &function : program.functions)
    if (failed(HostBuilder(function, program, communication, futures, kernels,
                           target, OpBuilder::atBlockEnd(host.getBody()))
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
