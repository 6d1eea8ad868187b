//===- Tessera.h - the dialect of the whole model -------------------------===//
#ifndef TESSERA_DIALECT_TESSERA_TESSERA_H
#define TESSERA_DIALECT_TESSERA_TESSERA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/ManualRegionInterface.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"
#include "tessera/Sharding/Algebra/Mesh.h"
#include "tessera/Sharding/Algebra/TensorSharding.h"
#include "tessera/Sharding/Costs/Machine.h"

#include "tessera/Dialect/Tessera/TesseraDialect.h.inc"
#include "tessera/Dialect/Tessera/TesseraEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Tessera/TesseraAttrs.h.inc"

#define GET_OP_CLASSES
#include "tessera/Dialect/Tessera/TesseraOps.h.inc"

namespace tessera {

/// The mesh that `symbol` names in the module around `op`; null when there is
/// none.
MeshOp lookupMesh(mlir::Operation *op, mlir::FlatSymbolRefAttr symbol);

/// The mesh of a module that has exactly one; a diagnostic otherwise.
mlir::FailureOr<MeshOp> getOnlyMesh(mlir::ModuleOp module);

/// Checks `sharding` against the mesh it names and against `type`; the
/// diagnostic is placed at `op`.
mlir::LogicalResult verifySharding(mlir::Operation *op, ShardingAttr sharding,
                                   mlir::Type type);

/// The sharding recorded for `value` on its defining operation, or on its
/// function if it is an argument of a function's entry block; an argument of a
/// region that control flow enters has that of the first operand it takes. Null
/// when none is recorded.
ShardingAttr getSharding(mlir::Value value);

/// What `getSharding` says of all values in the regions of `function`, found in
/// one walk.
llvm::DenseMap<mlir::Value, ShardingAttr>
getAllShardings(mlir::Operation *function);

/// Checks that `shardings` has every tensor in the regions of `function`.
mlir::LogicalResult
verifyAllSharded(mlir::Operation *function,
                 const llvm::DenseMap<mlir::Value, ShardingAttr> &shardings);

/// Records the sharding of `value` where `getSharding` finds it. A null
/// sharding removes it.
void setSharding(mlir::Value value, ShardingAttr sharding);

/// The number of devices in a group of `axes`.
int64_t groupSize(mlir::Operation *op, AxesAttr axes);

/// The neutral element of `kind` among scalars of `type`, integers being
/// signed.
mlir::TypedAttr neutralElement(mlir::Type type, ReductionKind kind);

/// Whether `value` is known to have the neutral element of `kind` everywhere,
/// or may be taken to; a zero may have either sign.
bool isNeutral(mlir::Value value, ReductionKind kind);

/// `sum %0`: the spelling of a monoid inside an operation.
mlir::ParseResult parseReduction(mlir::OpAsmParser &parser,
                                 ReductionAttr &kind);
void printReduction(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    ReductionAttr kind);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_TESSERA_H
