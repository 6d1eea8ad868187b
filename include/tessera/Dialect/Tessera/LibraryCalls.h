//===- LibraryCalls.h - what is known of routines and their calls ---------===//
#ifndef TESSERA_DIALECT_TESSERA_LIBRARYCALLS_H
#define TESSERA_DIALECT_TESSERA_LIBRARYCALLS_H

#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera {

/// On a module: an array of the paths of shared objects that supply routines,
/// before the library that comes with the project is asked.
inline constexpr llvm::StringLiteral kRoutineLibrariesAttr =
    "tessera.routine_libraries";

/// Lets modules of `context` name the shared object at `path`: to load one runs
/// its code, so that only those are which the user of a tool has named. Before
/// a module that names it is read.
void allowRoutineLibrary(mlir::MLIRContext &context, llvm::StringRef path);

/// A diagnostic where `attribute`, `kRoutineLibrariesAttr` of `module`, is not
/// an array of paths that are allowed.
llvm::LogicalResult verifyRoutineLibraries(mlir::Operation *module,
                                           mlir::Attribute attribute);

/// Whether the library that comes with the project supplies `routine`.
bool isOwnRoutine(llvm::StringRef routine);

/// Whether `op` is a call with an effect, which happens once: it is not to be
/// repeated.
bool hasEffect(mlir::Operation *op);
/// Whether `op` or anything in it is such a call.
bool holdsEffect(mlir::Operation *op);

/// The floating-point operations of `call`, which calls a routine of the
/// project's library; 0 for others, of which nothing is known.
int64_t countRoutineOperations(LibraryCallOp call);

/// The call of `routine` as `RoutineCall` reads it: `arrays` are the types of
/// what it gets, of which the first `inputs` are operands. `module` names the
/// libraries; null for none.
std::string describeCall(llvm::StringRef routine,
                         mlir::DictionaryAttr parameters,
                         llvm::ArrayRef<mlir::RankedTensorType> arrays,
                         unsigned inputs, mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_LIBRARYCALLS_H
