//===- Interpreter.cpp - Runs @main on whole tensors or on all devices ----===//

#include "tessera/Interpreter/Interpreter.h"

#include "Executor.h"
#include "PlannedMemory.h"
#include "Rendezvous.h"
#include "Shards.h"

#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Dialect/Spmd/Spmd.h"

#include <cstring>
#include <thread>

using namespace mlir;
using namespace tessera;

/// The tensor with its integers called what the slot calls them, or what the
/// IR does (signed): the bits are the same.
static HostTensor retype(HostTensor tensor, ElementType type) {
  if (tensor.type() == type)
    return tensor;
  HostTensor other(type, tensor.shape());
  std::memcpy(other.data(), tensor.data(), tensor.byteSize());
  return other;
}

/// Checks that there is a tensor of the right type for each argument, and gives
/// them the IR's element types.
static LogicalResult checkInputs(const Boundary &boundary,
                                 std::vector<HostTensor> &inputs) {
  func::FuncOp main = boundary.main;
  assert(inputs.size() == boundary.arguments.size() &&
         "callers bind an input to every argument");
  for (auto [i, slot] : llvm::enumerate(boundary.arguments)) {
    ElementType stored = *elementTypeOf(main.getArgumentTypes()[i]);
    if ((inputs[i].type() != slot.type && inputs[i].type() != stored) ||
        inputs[i].shape() != slot.shape)
      return emitError(main.isExternal() ? main.getLoc()
                                         : main.getArgument(i).getLoc())
             << "expected " << describeTensorType(slot.type, slot.shape)
             << " for argument " << i << ", got " << inputs[i].describeType();
    inputs[i] = retype(std::move(inputs[i]), stored);
    inputs[i].normalizeBooleans();
  }
  return success();
}

bool tessera::isDeviceProgram(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return main != nullptr;
  auto isGlobal = [](DictionaryAttr attributes) {
    return attributes && attributes.contains(TesseraDialect::kGlobalTypeAttr);
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (isGlobal(main.getArgAttrDict(i)))
      return true;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (isGlobal(main.getResultAttrDict(i)))
      return true;
  // Manual regions are for one device in a program that is not.
  return module
      .walk<WalkOrder::PreOrder>([](Operation *op) {
        if (isa<ManualRegionInterface>(op))
          return WalkResult::skip();
        return isa<spmd::CollectiveOpInterface, spmd::AxisIndexOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// A program on whole tensors
//===----------------------------------------------------------------------===//

static SmallVector<TensorRef> share(std::vector<HostTensor> tensors) {
  SmallVector<TensorRef> shared;
  for (HostTensor &tensor : tensors)
    shared.push_back(std::make_shared<const HostTensor>(std::move(tensor)));
  return shared;
}

static FailureOr<Interpretation> runWhole(const Boundary &boundary,
                                          const LastUses &lastUses,
                                          const MemoryPlan &plan,
                                          std::vector<HostTensor> inputs) {
  Executor executor(lastUses, nullptr, 0, &plan);
  SmallVector<TensorRef> results;
  if (failed(executor.call(boundary.main, share(std::move(inputs)), results))) {
    executor.error()->emit();
    return failure();
  }
  Interpretation interpretation;
  for (auto [slot, result] : llvm::zip_equal(boundary.results, results))
    interpretation.results.push_back(retype(*result, slot.type));
  return interpretation;
}

//===----------------------------------------------------------------------===//
// One device's program on all devices
//===----------------------------------------------------------------------===//

/// The one mesh (with axes) that shardings and collectives of `module` name; an
/// empty one where they name none. Emits a diagnostic where there are several.
static FailureOr<Mesh> findMesh(ModuleOp module) {
  MeshOp found;
  for (MeshOp mesh : module.getOps<MeshOp>()) {
    if (mesh.getMesh().getMesh().axes.empty() ||
        SymbolTable::symbolKnownUseEmpty(mesh, module))
      continue;
    if (found) {
      InFlightDiagnostic diagnostic =
          mesh.emitError("expected one mesh for all devices, got a second");
      diagnostic.attachNote(found.getLoc()) << "the first is here";
      return diagnostic;
    }
    found = mesh;
  }
  return found ? found.getMesh().getMesh() : Mesh();
}

/// Checks that what a device holds of each argument and result has the type
/// that the program says.
static LogicalResult checkLocalTypes(const Boundary &boundary,
                                     const Mesh &mesh) {
  func::FuncOp main = boundary.main;
  auto check = [&](StringRef what, size_t i, const TensorSlot &slot,
                   ShardingAttr sharding, Type type) -> LogicalResult {
    Shape shape = slot.shape;
    if (sharding) {
      auto local = sharding.getValue().localShape(slot.shape, mesh);
      shape.assign(local.begin(), local.end());
    }
    if (shape == shapeOf(type))
      return success();
    return main.emitError()
           << "expected shape " << describeTensorType(slot.type, shape)
           << " for " << what << " " << i << ", the part of "
           << describeTensorType(slot.type, slot.shape)
           << " that a device holds, got " << type;
  };
  for (auto [i, slot] : llvm::enumerate(boundary.arguments))
    if (failed(check("argument", i, slot, boundary.argumentShardings[i],
                     main.getArgumentTypes()[i])))
      return failure();
  for (auto [i, slot] : llvm::enumerate(boundary.results))
    if (failed(check("result", i, slot, boundary.resultShardings[i],
                     main.getResultTypes()[i])))
      return failure();
  return success();
}

static TensorSharding shardingOr(ShardingAttr sharding, const Shape &shape) {
  return sharding ? sharding.getValue()
                  : TensorSharding::getReplicated(shape.size());
}

namespace {

/// The programs of the pipeline ranks, each on its copy of the mesh; a module
/// whose devices all run `@main` is one rank.
class DeviceRun {
public:
  /// A diagnostic where the program is not one for devices.
  static FailureOr<DeviceRun> prepare(const Boundary &boundary);

  /// Runs all devices, each on a thread; emits what went wrong.
  FailureOr<Interpretation> run(const LastUses &lastUses,
                                const MemoryPlan &plan,
                                const std::vector<HostTensor> &inputs);

private:
  explicit DeviceRun(const Boundary &boundary) : boundary(boundary) {}

  int64_t numDevices() const { return programs.size() * mesh.numDevices(); }
  const RankProgram &programOf(int64_t device) const {
    return programs[device / mesh.numDevices()];
  }
  void runDevice(int64_t device, Executor &executor, Rendezvous &rendezvous,
                 const std::vector<HostTensor> &inputs);
  Fallible<HostTensor> assembleOnRank(int64_t rank, unsigned position,
                                      const Shape &shape) const;
  FailureOr<HostTensor> assembleResult(unsigned number);

  const Boundary &boundary;
  Mesh mesh;
  SmallVector<RankProgram> programs;
  /// What each device returned.
  std::vector<SmallVector<TensorRef>> results;
};

} // namespace

FailureOr<DeviceRun> DeviceRun::prepare(const Boundary &boundary) {
  DeviceRun run(boundary);
  func::FuncOp main = boundary.main;
  auto module = main->getParentOfType<ModuleOp>();
  FailureOr<Mesh> mesh = findMesh(module);
  FailureOr<SmallVector<RankProgram>> programs = getRankPrograms(module);
  if (failed(mesh) || failed(programs) || failed(verifyHaveBodies(*programs)) ||
      failed(checkLocalTypes(boundary, *mesh)))
    return failure();
  run.mesh = *mesh;
  run.programs = std::move(*programs);
  if (run.programs.empty()) {
    run.programs.push_back({main, {}, {}});
    for (int64_t i = 0; i < int64_t(boundary.arguments.size()); ++i)
      run.programs[0].arguments.push_back({i});
    for (int64_t i = 0; i < int64_t(boundary.results.size()); ++i)
      run.programs[0].results.push_back({i});
  }
  return run;
}

namespace {

/// Where rows along a dimension stand in a tensor: in `outer` runs, each of as
/// many bytes as there are rows, times `rowBytes`.
struct RowRuns {
  size_t outer = 1, rowBytes;

  RowRuns(const HostTensor &tensor, int64_t dim) {
    const Shape &shape = tensor.shape();
    size_t rows = shape.empty() ? 1 : shape[dim];
    for (int64_t i = 0; i < dim; ++i)
      outer *= shape[i];
    rowBytes = tensor.byteSize() / std::max<size_t>(outer * rows, 1);
  }
};

} // namespace

/// The rows of `whole` that `rows` says.
static HostTensor rowsOf(const HostTensor &whole, const BoundaryRows &rows) {
  Shape shape = whole.shape();
  RowRuns runs(whole, rows.dim);
  size_t from = shape[rows.dim] * runs.rowBytes,
         to = *rows.count * runs.rowBytes;
  shape[rows.dim] = *rows.count;
  HostTensor part(whole.type(), shape);
  for (size_t run = 0; run < runs.outer && to; ++run)
    std::memcpy(part.data() + run * to,
                whole.data() + run * from + rows.first * runs.rowBytes, to);
  return part;
}

void DeviceRun::runDevice(int64_t device, Executor &executor,
                          Rendezvous &rendezvous,
                          const std::vector<HostTensor> &inputs) {
  const RankProgram &program = programOf(device);
  std::vector<HostTensor> parts;
  for (const BoundaryRows &rows : program.arguments) {
    int64_t i = rows.number;
    HostTensor part = rows.count ? rowsOf(inputs[i], rows) : inputs[i];
    parts.push_back(
        shardOf(part, shardingOr(boundary.argumentShardings[i], part.shape()),
                boundary.meshOfArgument(i, mesh), device % mesh.numDevices(),
                /*seed=*/i));
  }
  func::FuncOp function = program.function;
  bool done = succeeded(
      executor.call(function, share(std::move(parts)), results[device]));
  rendezvous.leave(device,
                   done ? function.getBody().front().getTerminator() : nullptr);
}

/// The tensor of shape `shape` that the devices of pipeline rank `rank` give as
/// result number `position` of its program.
Fallible<HostTensor> DeviceRun::assembleOnRank(int64_t rank, unsigned position,
                                               const Shape &shape) const {
  std::vector<HostTensor> parts;
  for (int64_t device = 0; device < mesh.numDevices(); ++device)
    parts.push_back(*results[rank * mesh.numDevices() + device][position]);
  unsigned number = programs[rank].results[position].number;
  return assemble(parts, shape,
                  shardingOr(boundary.resultShardings[number], shape),
                  boundary.meshOfResult(number, mesh));
}

/// Puts `part`, the rows `rows` of `whole` that pipeline rank `rank` gives, in
/// their place. `givers` says which rank has given a row, -1 for none. Returns
/// the rank that has given another value for one of the rows.
static std::optional<int64_t> giveRows(const HostTensor &part,
                                       const BoundaryRows &rows, int64_t rank,
                                       std::vector<int64_t> &givers,
                                       HostTensor &whole) {
  RowRuns runs(whole, rows.dim);
  size_t numRows = rows.count.value_or(givers.size());
  for (size_t row = 0; row < numRows; ++row) {
    int64_t &giver = givers[rows.first + row];
    for (size_t run = 0; run < runs.outer && runs.rowBytes; ++run) {
      std::byte *target =
          whole.data() +
          (run * givers.size() + rows.first + row) * runs.rowBytes;
      const std::byte *source =
          part.data() + (run * numRows + row) * runs.rowBytes;
      if (giver >= 0 && std::memcmp(target, source, runs.rowBytes))
        return giver;
      std::memcpy(target, source, runs.rowBytes);
    }
    giver = rank;
  }
  return std::nullopt;
}

/// The whole result `number` of `@main`, which all ranks that give it must
/// agree on.
FailureOr<HostTensor> DeviceRun::assembleResult(unsigned number) {
  const TensorSlot &slot = boundary.results[number];
  func::FuncOp main = boundary.main;
  auto fail = [&](const Twine &message) {
    return main.emitError() << "result '" << slotName(slot, number, "result")
                            << "': " << message;
  };
  HostTensor whole(slot.type, slot.shape);
  // By row, the pipeline rank that has given it; -1 if none has.
  int64_t dim = 0;
  for (const RankProgram &program : programs)
    for (const BoundaryRows &rows : program.results)
      if (rows.number == number && rows.count)
        dim = rows.dim;
  std::vector<int64_t> givers(slot.shape.empty() ? 1 : slot.shape[dim], -1);
  for (auto [rank, program] : llvm::enumerate(programs))
    for (auto [position, rows] : llvm::enumerate(program.results)) {
      if (rows.number != number)
        continue;
      Shape shape = slot.shape;
      if (rows.count)
        shape[rows.dim] = *rows.count;
      BoundaryRows placed = rows;
      placed.dim = dim;
      Fallible<HostTensor> part = assembleOnRank(rank, position, shape);
      if (!part)
        return fail((programs.size() > 1
                         ? "on pipeline rank " + std::to_string(rank) + ", "
                         : "") +
                    part.message());
      if (std::optional<int64_t> other =
              giveRows(*part, placed, rank, givers, whole))
        return fail("pipeline ranks " + Twine(*other) + " and " + Twine(rank) +
                    " should give the same and differ");
    }
  return whole;
}

FailureOr<Interpretation>
DeviceRun::run(const LastUses &lastUses, const MemoryPlan &plan,
               const std::vector<HostTensor> &inputs) {
  Rendezvous rendezvous(mesh, programs.size());
  std::vector<Executor> executors;
  for (int64_t device = 0; device < numDevices(); ++device)
    executors.emplace_back(lastUses, &rendezvous, device, &plan);
  results.resize(numDevices());
  std::vector<std::thread> threads;
  for (int64_t device = 0; device < numDevices(); ++device)
    threads.emplace_back([&, device] {
      runDevice(device, executors[device], rendezvous, inputs);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Executor &executor : executors)
    if (executor.error()) {
      executor.error()->emit();
      return failure();
    }
  if (rendezvous.error()) {
    rendezvous.error()->emit();
    return failure();
  }

  Interpretation interpretation;
  for (Executor &executor : executors)
    interpretation.collectives.push_back(executor.takeCounts());
  for (unsigned i = 0; i < boundary.results.size(); ++i) {
    FailureOr<HostTensor> whole = assembleResult(i);
    if (failed(whole))
      return failure();
    interpretation.results.push_back(std::move(*whole));
  }
  return interpretation;
}

FailureOr<Interpretation>
tessera::interpretModule(ModuleOp module, std::vector<HostTensor> inputs) {
  FailureOr<Boundary> boundary = Boundary::of(module);
  if (failed(boundary) || failed(checkInputs(*boundary, inputs)))
    return failure();
  LastUses lastUses(module);
  FailureOr<MemoryPlan> plan = MemoryPlan::of(module);
  if (failed(plan))
    return failure();
  if (isDeviceProgram(module)) {
    FailureOr<DeviceRun> run = DeviceRun::prepare(*boundary);
    if (failed(run))
      return failure();
    return run->run(lastUses, *plan, inputs);
  }
  return runWhole(*boundary, lastUses, *plan, std::move(inputs));
}
