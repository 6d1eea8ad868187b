//===- Interpreter.cpp - Runs @main on whole tensors or on all devices ----===//

#include "tessera/Interpreter/Interpreter.h"

#include "Executor.h"
#include "Rendezvous.h"
#include "Shards.h"

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
  if (inputs.size() != boundary.arguments.size())
    return main.emitError() << "expected " << boundary.arguments.size()
                            << " inputs, got " << inputs.size();
  for (auto [i, slot] : llvm::enumerate(boundary.arguments)) {
    ElementType stored = *elementTypeOf(main.getArgument(i).getType());
    if ((inputs[i].type() != slot.type && inputs[i].type() != stored) ||
        inputs[i].shape() != slot.shape)
      return emitError(main.getArgument(i).getLoc())
             << "expected " << describeTensorType(slot.type, slot.shape)
             << " for argument " << i << ", got " << inputs[i].describeType();
    inputs[i] = retype(std::move(inputs[i]), stored);
    inputs[i].normalizeBooleans();
  }
  return success();
}

bool tessera::isDeviceProgram(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return false;
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
                                          std::vector<HostTensor> inputs) {
  Executor executor(lastUses);
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

/// Runs all devices, each on a thread, and returns the parts of the results by
/// device; emits what went wrong.
static FailureOr<std::vector<SmallVector<TensorRef>>>
runDevices(const Boundary &boundary, const Mesh &mesh,
           std::vector<Executor> &executors, Rendezvous &rendezvous,
           const std::vector<HostTensor> &inputs) {
  int64_t n = mesh.numDevices();
  std::vector<SmallVector<TensorRef>> results(n);
  auto runOne = [&](int64_t device) {
    std::vector<HostTensor> parts;
    for (auto [i, input] : llvm::enumerate(inputs))
      parts.push_back(shardOf(
          input, shardingOr(boundary.argumentShardings[i], input.shape()), mesh,
          device, /*seed=*/i));
    func::FuncOp main = boundary.main;
    bool done = succeeded(
        executors[device].call(main, share(std::move(parts)), results[device]));
    rendezvous.leave(device,
                     done ? main.getBody().front().getTerminator() : nullptr);
  };
  std::vector<std::thread> threads;
  for (int64_t device = 0; device < n; ++device)
    threads.emplace_back(runOne, device);
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
  return results;
}

static FailureOr<Interpretation>
runOnDevices(const Boundary &boundary, const LastUses &lastUses,
             const std::vector<HostTensor> &inputs) {
  func::FuncOp main = boundary.main;
  FailureOr<Mesh> mesh = findMesh(main->getParentOfType<ModuleOp>());
  if (failed(mesh) || failed(checkLocalTypes(boundary, *mesh)))
    return failure();
  Rendezvous rendezvous(*mesh);
  std::vector<Executor> executors;
  for (int64_t device = 0; device < mesh->numDevices(); ++device)
    executors.emplace_back(lastUses, &rendezvous, device);
  auto results = runDevices(boundary, *mesh, executors, rendezvous, inputs);
  if (failed(results))
    return failure();

  Interpretation interpretation;
  for (Executor &executor : executors)
    interpretation.collectives.push_back(executor.takeCounts());
  for (auto [i, slot] : llvm::enumerate(boundary.results)) {
    std::vector<HostTensor> parts;
    for (SmallVector<TensorRef> &ofDevice : *results)
      parts.push_back(*ofDevice[i]);
    Fallible<HostTensor> whole =
        assemble(parts, slot.shape,
                 shardingOr(boundary.resultShardings[i], slot.shape), *mesh);
    if (!whole)
      return main.emitError() << "result '" << slotName(slot, i, "result")
                              << "': " << whole.message();
    interpretation.results.push_back(retype(std::move(*whole), slot.type));
  }
  return interpretation;
}

FailureOr<Interpretation>
tessera::interpretModule(ModuleOp module, std::vector<HostTensor> inputs) {
  FailureOr<Boundary> boundary = Boundary::of(module);
  if (failed(boundary) || failed(checkInputs(*boundary, inputs)))
    return failure();
  LastUses lastUses(module);
  if (isDeviceProgram(module))
    return runOnDevices(*boundary, lastUses, inputs);
  return runWhole(*boundary, lastUses, std::move(inputs));
}
