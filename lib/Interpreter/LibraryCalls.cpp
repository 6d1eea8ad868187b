//===- LibraryCalls.cpp - routines of libraries ---------------------------===//

#include "OperationTable.h"

#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Support/RoutineCall.h"

#include <cstring>

using namespace mlir;
using namespace tessera;

/// A result that starts from an operand gets what that holds, and stands in its
/// place.
static LogicalResult callLibrary(Invocation &in) {
  auto op = cast<LibraryCallOp>(in.op);
  unsigned inputs = op.getOperands().size();
  SmallVector<RankedTensorType> arrays;
  for (unsigned i = 0; i < op.getBuffers().size(); ++i)
    arrays.push_back(op.getArrayType(i));
  Fallible<std::unique_ptr<RoutineCall>> routine = RoutineCall::prepare(
      describeCall(op.getRoutine(), op.getParameters(), arrays, inputs,
                   op->getParentOfType<ModuleOp>()));
  if (!routine)
    return in.fail(routine.message());
  SmallVector<void *> memory;
  for (unsigned i = 0; i < inputs; ++i)
    memory.push_back(const_cast<std::byte *>(in.operand(i).data()));
  SmallVector<HostTensor> results;
  for (unsigned i = 0; i < op.getNumResults(); ++i)
    results.push_back(in.makeResult(i));
  bool isEmpty = llvm::all_of(results, [](const HostTensor &result) {
    return result.elementCount() == 0;
  });
  for (auto [i, result] : llvm::enumerate(results)) {
    memory.push_back(result.data());
    std::optional<unsigned> operand = op.getAlias(i);
    if (!operand)
      continue;
    std::memcpy(result.data(), in.operand(*operand).data(), result.byteSize());
    memory[*operand] = result.data();
  }
  if (!isEmpty)
    if (Fallible<void> done = (*routine)->run(memory.data()); !done)
      return in.fail(done.message());
  for (HostTensor &result : results)
    (void)in.give(std::move(result));
  return success();
}

void tessera::addLibraryCalls(OperationTable &table) {
  table.add("tessera.library_call", callLibrary);
}
