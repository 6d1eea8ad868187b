//===- PlannedMemory.cpp - The memory that a plan gives to values ---------===//

#include "PlannedMemory.h"
#include "tessera/Dialect/Spmd/HostCopies.h"

#include <cstring>

using namespace mlir;
using namespace tessera;

/// What memory holds that nobody has written.
static constexpr std::byte kPoison{0xA5};

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

FailureOr<MemoryPlan> MemoryPlan::of(ModuleOp module) {
  MemoryPlan plan;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() ||
        !function->hasAttr(spmd::SpmdDialect::kArenaSizeAttr))
      continue;
    const spmd::MemoryMap &table =
        plan.tables.try_emplace(function, function).first->second;
    auto add = [&](ValueRange values) {
      for (Value value : values) {
        if (!isa<RankedTensorType>(value.getType()))
          continue;
        std::optional<spmd::MemoryLocation> location = table.lookup(value);
        if (!location)
          return failure();
        plan.locations.try_emplace(value, *location);
      }
      return success();
    };
    WalkResult result = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (failed(add(op->getResults())))
        return WalkResult::interrupt();
      if (isa<spmd::KernelOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        if (failed(add(region.getArguments())))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return plan;
}

static int64_t arenaSizeOf(func::FuncOp function) {
  return function->getAttrOfType<IntegerAttr>(spmd::SpmdDialect::kArenaSizeAttr)
      .getInt();
}

static int64_t hostSizeOf(func::FuncOp function) {
  auto size = function->getAttrOfType<IntegerAttr>(spmd::kHostSizeAttr);
  return size ? size.getInt() : 0;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

PlannedMemory::Bytes PlannedMemory::allocate(int64_t bytes) {
  return owned->blocks.emplace_back(std::max<int64_t>(bytes, 0), kPoison);
}

PlannedMemory::PlannedMemory(func::FuncOp function, const MemoryPlan &plan)
    : function(function), plan(plan), owned(std::make_shared<Owned>()) {
  for (Type type : function.getArgumentTypes())
    arguments.push_back(allocate(spmd::bytesOf(type)));
  for (auto [number, type] : llvm::enumerate(function.getResultTypes())) {
    spmd::MemoryLocation location = plan.tableOf(function)->result(number);
    results.push_back(location.space == spmd::Space::Argument
                          ? arguments[location.position]
                          : allocate(spmd::bytesOf(type)));
  }
  arena = allocate(arenaSizeOf(function));
  host = allocate(hostSizeOf(function));
}

PlannedMemory::PlannedMemory(func::FuncOp function, func::CallOp call,
                             PlannedMemory &caller, Error &error)
    : function(function), plan(caller.plan), call(call), owned(caller.owned) {
  auto find = [&](Value value) {
    return caller.bytesAt(*plan.locationOf(value),
                          spmd::bytesOf(value.getType()), call, error);
  };
  for (Value operand : call.getOperands())
    arguments.push_back(find(operand));
  for (Value result : call.getResults())
    results.push_back(find(result));
  auto workspace =
      call->getAttrOfType<spmd::BufferAttr>(spmd::SpmdDialect::kWorkspaceAttr);
  arena = caller.bytesAt(
      {spmd::Space::Arena, workspace ? workspace.getPosition() : -1},
      arenaSizeOf(function), call, error);
  store(arena, nullptr, call);
  host = allocate(hostSizeOf(function));
}

PlannedMemory::Bytes PlannedMemory::bytesAt(spmd::MemoryLocation location,
                                            int64_t bytes, Operation *op,
                                            Error &error) const {
  Bytes memory = arena;
  int64_t offset = 0;
  if (location.space == spmd::Space::Arena)
    offset = location.position;
  else if (location.space == spmd::Space::Host)
    std::tie(memory, offset) = std::tuple(host, location.position);
  else
    memory = location.space == spmd::Space::Argument
                 ? arguments[location.position]
                 : results[location.position];
  if (offset >= 0 && offset + bytes <= int64_t(memory.size()))
    return memory.slice(offset, bytes);
  std::string text;
  llvm::raw_string_ostream(text)
      << "'" << op->getName() << "' op expected " << bytes
      << " bytes of memory at "
      << spmd::BufferAttr::get(op->getContext(), location.space,
                               location.position)
      << ", got " << std::max<int64_t>(memory.size() - offset, 0);
  if (!error)
    error = RunError{op->getLoc(), text, {}};
  return {};
}

void PlannedMemory::store(Bytes target, const std::byte *source,
                          Operation *op) {
  if (target.empty())
    return;
  if (source)
    std::memmove(target.data(), source, target.size());
  else
    std::memset(target.data(), int(kPoison), target.size());
  llvm::erase_if(owned->writes, [&](const Write &old) {
    return old.begin >= target.begin() && old.end <= target.end();
  });
  owned->writes.push_back({target.begin(), target.end(), op});
}

PlannedMemory::Error PlannedMemory::write(Value value, const HostTensor &tensor,
                                          Operation *op) {
  // What a caller hands over is there already.
  if (call && value.getParentBlock() == &function.front() &&
      isa<BlockArgument>(value))
    return read(value, tensor, call);
  Error error;
  if (std::optional<spmd::MemoryLocation> location = plan.locationOf(value))
    if (Bytes target = bytesAt(*location, tensor.byteSize(), op, error); !error)
      store(target, tensor.data(), op);
  return error;
}

PlannedMemory::Error PlannedMemory::spoil(Value value, Operation *op) {
  Error error;
  Bytes target = bytesAt(*plan.locationOf(value),
                         spmd::bytesOf(value.getType()), op, error);
  store(target, nullptr, op);
  return error;
}

PlannedMemory::Error PlannedMemory::compare(Bytes found,
                                            const HostTensor &expected,
                                            Location made,
                                            Operation *op) const {
  if (found.empty() ||
      std::memcmp(found.data(), expected.data(), found.size()) == 0)
    return std::nullopt;
  auto [different, same] =
      std::mismatch(found.begin(), found.end(), expected.data());
  RunError error{op->getLoc(),
                 ("'" + op->getName().getStringRef() +
                  "' op reads a value whose memory was overwritten from byte " +
                  Twine(different - found.begin()) + " on")
                     .str(),
                 {{made, "the value is made here"}}};
  for (const Write &write : llvm::reverse(owned->writes))
    if (write.begin <= different && different < write.end) {
      error.notes.push_back({write.op->getLoc(), "and overwritten here"});
      break;
    }
  return error;
}

PlannedMemory::Error PlannedMemory::read(Value value, const HostTensor &tensor,
                                         Operation *op) const {
  std::optional<spmd::MemoryLocation> location = plan.locationOf(value);
  if (!location)
    return std::nullopt;
  Error error;
  Bytes found = bytesAt(*location, tensor.byteSize(), op, error);
  return error ? error : compare(found, tensor, value.getLoc(), op);
}

PlannedMemory::Error PlannedMemory::giveBack(ArrayRef<TensorRef> values,
                                             Operation *op) {
  const spmd::MemoryMap &table = *plan.tableOf(function);
  Error error;
  SmallVector<Bytes> targets;
  for (auto [number, value] : llvm::enumerate(values))
    targets.push_back(
        bytesAt(table.result(number), value->byteSize(), op, error));
  if (error)
    return error;
  // What is in place already stays, others are copied in their order.
  for (auto [number, value] : llvm::enumerate(values)) {
    if (Error damage = read(op->getOperand(number), *value, op))
      return damage;
    if (plan.locationOf(op->getOperand(number)) != table.result(number))
      store(targets[number], value->data(), op);
  }
  for (auto [number, value] : llvm::enumerate(values))
    if (Error damage = compare(targets[number], *value,
                               op->getOperand(number).getLoc(), op))
      return damage;
  return std::nullopt;
}
