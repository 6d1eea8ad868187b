//===- HostProgram.cpp - What the device does in order --------------------===//

#include "HostProgram.h"
#include "AccessMap.h"
#include "CodeBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Tessera/ElementTypes.h"
#include "tessera/Dialect/Tessera/Provenance.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

class HostBuilder {
public:
  HostBuilder(ModuleOp module, func::FuncOp main, const PlaceTable &places,
              const llvm::DenseMap<Operation *, KernelUse> &kernels)
      : module(module), main(main), places(places), kernels(kernels),
        b(main.getContext()) {}

  FailureOr<int64_t> run() {
    reserveTemporaries();
    makeFunction();
    if (failed(emitBlock(main.front())))
      return failure();
    module->setAttr(rt::RtDialect::kCommunicatorsAttr,
                    b.getArrayAttr(communicators.getArrayRef()));
    module->setAttr(rt::RtDialect::kCollectivesAttr,
                    b.getArrayAttr(collectives));
    return arenaBytes;
  }

private:
  static int64_t align(int64_t bytes) { return (bytes + 63) / 64 * 64; }

  /// Temporaries of kernels live behind everything else; kernels run one after
  /// another and share that memory.
  void reserveTemporaries() {
    auto size =
        main->getAttrOfType<IntegerAttr>(spmd::SpmdDialect::kArenaSizeAttr);
    firstTemporary = align(size ? size.getInt() : 0);
    arenaBytes = size ? size.getInt() : 0;
    for (auto &[op, use] : kernels) {
      int64_t bytes = firstTemporary;
      for (int64_t temporary : use.code->temporaries)
        bytes += align(temporary);
      if (!use.code->temporaries.empty())
        arenaBytes = std::max(arenaBytes, bytes);
    }
  }

  void makeFunction() {
    b.setInsertionPointToEnd(module.getBody());
    auto program = ModuleOp::create(b, main.getLoc(), "program");
    b.setInsertionPointToStart(program.getBody());
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto function = func::FuncOp::create(
        b, main.getLoc(), "tessera_main",
        b.getFunctionType({pointer, pointer, pointer, pointer},
                          {b.getI32Type()}));
    Block *entry = function.addEntryBlock();
    context = entry->getArgument(0);
    arguments = entry->getArgument(1);
    results = entry->getArgument(2);
    arena = entry->getArgument(3);
    b.setInsertionPointToStart(entry);
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
    int64_t offset = firstTemporary;
    for (int64_t bytes : use.code->temporaries) {
      buffers.push_back(address(Place{spmd::Space::Arena, offset}, loc));
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

  int32_t communicator(AxesAttr axes) {
    communicators.insert(axes);
    return std::distance(communicators.begin(),
                         llvm::find(communicators, axes));
  }

  /// How often a collective runs: the product of the constant trip counts
  /// around it.
  static int64_t tripCount(Operation *op) {
    int64_t times = 1;
    for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (std::optional<APInt> count = loop.getStaticTripCount())
        times *= count->getSExtValue();
    return times;
  }

  void record(spmd::CollectiveOpInterface op) {
    int64_t size = groupSize(op, op.getAxes());
    MeshOp mesh = lookupMesh(op, op.getAxes().getMesh());
    int64_t devices = mesh.getMesh().getMesh().numDevices();
    StringRef kind = op->getName().stripDialect();
    // The larger of operand and result names the collective.
    Type operand = op->getOperand(0).getType(),
         result = op->getResult(0).getType();
    Type type = isa<spmd::AllGatherOp>(op.getOperation()) ? result : operand;
    int64_t times = tripCount(op);
    SmallVector<NamedAttribute> entry = {
        b.getNamedAttr("kind", b.getStringAttr(kind)),
        b.getNamedAttr("axes", op.getAxes()),
        b.getNamedAttr("groups", b.getI64IntegerAttr(devices / size)),
        b.getNamedAttr("type", TypeAttr::get(type)),
        b.getNamedAttr("times", b.getI64IntegerAttr(times)),
        b.getNamedAttr("bytes",
                       b.getI64IntegerAttr(times * op.getBytesSent(size))),
        b.getNamedAttr("location",
                       b.getStringAttr(describeFile(op->getLoc())))};
    if (ProvenanceAttr why = findProvenance(op->getLoc()))
      entry.push_back(b.getNamedAttr("why", why));
    collectives.push_back(b.getDictionaryAttr(entry));
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
    int32_t number = communicator(op.getAxes());
    record(op);
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
                            communicator(op.getAxes()));
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

  ModuleOp module;
  func::FuncOp main;
  const PlaceTable &places;
  const llvm::DenseMap<Operation *, KernelUse> &kernels;
  OpBuilder b;
  Value context, arguments, results, arena;
  int64_t firstTemporary = 0, arenaBytes = 0;
  llvm::SetVector<Attribute> communicators;
  SmallVector<Attribute> collectives;
  /// Scalars of the source program to those of the host program.
  IRMapping scalars;
};

} // namespace

FailureOr<int64_t>
cpu::buildHostProgram(ModuleOp module, func::FuncOp main,
                      const PlaceTable &places,
                      const llvm::DenseMap<Operation *, KernelUse> &kernels) {
  return HostBuilder(module, main, places, kernels).run();
}
