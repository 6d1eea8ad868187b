//===- Package.h - The phase package: one file that runs ------------------===//
#ifndef TESSERA_PACKAGE_PACKAGE_H
#define TESSERA_PACKAGE_PACKAGE_H

#include "mlir/IR/BuiltinOps.h"
#include "tessera/Codegen/Host/ObjectEmitter.h"
#include "tessera/Codegen/NVPTX/PtxEmitter.h"

namespace tessera {

/// The version of the interface between programs and the runtime
/// (TESSERA_ABI_VERSION in runtime.h).
inline constexpr int64_t kAbiVersion = 7;

/// What the manifest says beside what stands in the module.
struct PackageOptions {
  /// The model's file, as the user named it.
  std::string model;
  /// The compiler's version.
  std::string version = "0.1.0";
  /// Whether ptxas makes cubins of the code for GPUs, if it is installed.
  bool assemble = true;
  /// Stands before the names of all symbols of the program, so that it can be
  /// linked with others.
  std::string prefix = {};
};

/// The manifest of `module`, which is as the phase `codegen` leaves it, as JSON
/// text. `images` is the code of kernels for GPUs, if they are for GPUs. Fails
/// with a diagnostic if the module lacks what belongs into it.
llvm::FailureOr<std::string>
buildManifest(mlir::ModuleOp module, const PackageOptions &options,
              llvm::ArrayRef<nvptx::GpuImage> images);

/// A compiled program.
struct Package {
  /// The bytes of model.tsx, a shared object with the manifest in it, sealed
  /// (Checksum.h).
  std::string program;
  /// The manifest by itself.
  std::string manifest;
};

/// A program that is not linked yet: the manifest is not among the objects.
struct PackageObjects {
  std::vector<codegen::Object> objects;
  std::string manifest;
};

/// Compiles the nested modules of `module` to object code, kernels for GPUs to
/// PTX (and to cubins where ptxas is installed).
llvm::FailureOr<PackageObjects> buildObjects(mlir::ModuleOp module,
                                             const PackageOptions &options);

/// The objects of an entry point, whose symbols no other has.
struct NamedObjects {
  std::string name;
  PackageObjects objects;
};

/// Links a program of several entry points, whose manifest has the manifest of
/// each. Diagnostics are reported on `module`, one of theirs.
llvm::FailureOr<Package>
linkEntryPoints(llvm::ArrayRef<NamedObjects> entryPoints, mlir::ModuleOp module,
                llvm::StringRef version);

/// Compiles the nested modules of `module` to object code, kernels for GPUs to
/// PTX (and to cubins where ptxas is installed), adds the manifest and links
/// all.
llvm::FailureOr<Package> buildPackage(mlir::ModuleOp module,
                                      const PackageOptions &options);

} // namespace tessera

#endif // TESSERA_PACKAGE_PACKAGE_H
