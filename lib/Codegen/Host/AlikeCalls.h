//===- AlikeCalls.h - calls in which branches meet ------------------------===//
#ifndef TESSERA_CODEGEN_HOST_ALIKECALLS_H
#define TESSERA_CODEGEN_HOST_ALIKECALLS_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::codegen {

/// On a collective of `rt` a number, which others that are one with it have.
inline constexpr llvm::StringLiteral kMeetingAttr = "rt.meeting";

/// Devices of a group may take different branches if all of these make the same
/// calls (`CollectiveOrder.h`): they meet in the first one of each, then in the
/// second. Numbers such calls of `program`, which has branches still, as the
/// runtime takes calls with different names for different ones.
void numberAlikeCalls(mlir::ModuleOp program);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_ALIKECALLS_H
