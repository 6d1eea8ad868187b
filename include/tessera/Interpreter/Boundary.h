//===- Boundary.h - What a program takes and gives ------------------------===//

#ifndef TESSERA_INTERPRETER_BOUNDARY_H
#define TESSERA_INTERPRETER_BOUNDARY_H

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Support/RandomTensor.h"
#include "tessera/Support/TensorBinding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// The storage of a scalar type of the IR (`index` is i64), or of the elements
/// of a ranked tensor type of static shape; nothing where the interpreter has
/// none.
std::optional<ElementType> elementTypeOf(mlir::Type type);

/// The arguments and results of `@main`, which is only declared where pipeline
/// ranks have programs, as the outside world sees them: global
/// shapes, names, unsigned integers; and how each is spread over the devices.
struct Boundary {
  mlir::func::FuncOp main;
  std::vector<TensorSlot> arguments, results;
  /// One per argument and per result; null where it is replicated.
  std::vector<ShardingAttr> argumentShardings, resultShardings;

  /// `mesh`, that of the program, as argument or result `number` lies on it.
  Mesh meshOfArgument(unsigned number, const Mesh &mesh) const;
  Mesh meshOfResult(unsigned number, const Mesh &mesh) const;

  /// The boundary of the module's `@main`. Emits a diagnostic where there is no
  /// such function, it has no body and no pipeline rank a program, or it has a
  /// type that the interpreter cannot hold.
  static mlir::FailureOr<Boundary> of(mlir::ModuleOp module);

  /// The same random inputs that every other tool makes from `seed`.
  std::vector<HostTensor> randomInputs(uint64_t seed) const;
};

} // namespace tessera

#endif // TESSERA_INTERPRETER_BOUNDARY_H
