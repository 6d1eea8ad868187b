//===- OperationTable.h - Which function computes which operation ---------===//

#ifndef TESSERA_INTERPRETER_OPERATIONTABLE_H
#define TESSERA_INTERPRETER_OPERATIONTABLE_H

#include "Executor.h"

#include "llvm/ADT/StringMap.h"

namespace tessera {

/// Computes the results of one operation on one device.
using OperationFunction = mlir::LogicalResult (*)(Invocation &);

/// Computes a collective for a whole group: one operand per member in, one
/// result per member out, both in the order of the group.
using CollectiveFunction = Fallible<std::vector<TensorRef>> (*)(
    mlir::Operation *, llvm::ArrayRef<TensorRef>);

/// All operations that the interpreter knows, by name. The files of this
/// library each add their operations.
class OperationTable {
public:
  static const OperationTable &get();

  void add(llvm::StringRef name, OperationFunction function) {
    functions[name] = function;
  }
  void addCollective(llvm::StringRef name, CollectiveFunction function) {
    collectives[name] = function;
  }

  /// Null where the operation is not known (or not of that kind).
  OperationFunction find(mlir::Operation *op) const {
    return functions.lookup(op->getName().getStringRef());
  }
  CollectiveFunction findCollective(mlir::Operation *op) const {
    return collectives.lookup(op->getName().getStringRef());
  }

private:
  OperationTable();
  llvm::StringMap<OperationFunction> functions;
  llvm::StringMap<CollectiveFunction> collectives;
};

void addFloatOperations(OperationTable &table);
void addIntegerOperations(OperationTable &table);
void addConversions(OperationTable &table);
void addMatmuls(OperationTable &table);
void addDataMovement(OperationTable &table);
void addIndexedOperations(OperationTable &table);
void addAttention(OperationTable &table);
void addSorting(OperationTable &table);
void addLibraryCalls(OperationTable &table);
void addControlFlow(OperationTable &table);
void addCollectives(OperationTable &table);
void addManualRegions(OperationTable &table);
void addMessages(OperationTable &table);

} // namespace tessera

#endif // TESSERA_INTERPRETER_OPERATIONTABLE_H
