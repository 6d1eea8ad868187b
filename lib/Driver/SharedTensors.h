//===- SharedTensors.h - what entry points of a program share ---*- C++ -*-===//
//
// The state of a program with several entry points: arguments of one name are
// one tensor, which stays on the devices between calls. So is a result without
// a donated argument that has the name of another entry point's argument, and
// the result that a shared argument is donated to. A tensor has one type and
// one sharding, wherever it occurs:
//
//   - what one entry point annotates holds for all, before any is sharded;
//   - what the phase `shard` chooses for an entry point is an annotation for
//   those that are sharded after it.
//
// Each entry point has an MLIR context of its own. What passes between them are
// values without a context.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DRIVER_SHAREDTENSORS_H
#define TESSERA_DRIVER_SHAREDTENSORS_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace tessera {

/// An entry point while it is compiled: `main` is its function.
struct EntryPointModule {
  std::string name;
  mlir::ModuleOp module;
  mlir::func::FuncOp main;

  /// Its mesh; null if there is none.
  MeshOp mesh() const;
};

/// The tensors that entry points share, by name.
class SharedTensors {
public:
  /// Fails with a diagnostic where tensors of one name are of different types,
  /// where an entry point would overwrite what it still reads, or where meshes
  /// differ. An entry point without a mesh is given that of the others. The
  /// entry points are imported, and must outlive this.
  static llvm::FailureOr<SharedTensors>
  find(llvm::MutableArrayRef<EntryPointModule> entryPoints);

  /// Makes the annotations of each entry point those of all; fails with a
  /// diagnostic where two contradict.
  llvm::LogicalResult mergeAnnotations();

  /// Once the phase `shard` has been run on entry point `number`: checks that
  /// it has kept to what those before it have, and makes its shardings
  /// annotations of those behind it.
  llvm::LogicalResult handOn(size_t number);

private:
  /// An argument or result of an entry point.
  struct Place {
    const EntryPointModule *entryPoint;
    bool isResult;
    unsigned index;

    mlir::DictionaryAttr attributes() const;
    std::optional<TensorSharding> sharding() const;
    void setSharding(const TensorSharding &sharding) const;
    std::string type() const;
    std::string describe() const;
    mlir::Location location() const;
  };

  explicit SharedTensors(llvm::ArrayRef<EntryPointModule> entryPoints)
      : entryPoints(entryPoints) {}
  llvm::LogicalResult addResults(const EntryPointModule &entryPoint);
  llvm::LogicalResult checkTypes() const;
  static mlir::InFlightDiagnostic fail(const Place &place, const Place &other,
                                       const llvm::Twine &what);

  llvm::ArrayRef<EntryPointModule> entryPoints;
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<Place>> tensors;
};

} // namespace tessera

#endif // TESSERA_DRIVER_SHAREDTENSORS_H
