//===- GridKernelTables.h - What the runtime knows of GPU kernels ---------===//
#ifndef TESSERA_CODEGEN_HOST_GRIDKERNELTABLES_H
#define TESSERA_CODEGEN_HOST_GRIDKERNELTABLES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "tessera/Dialect/Rt/Rt.h"

namespace tessera::codegen {

/// Constants of the host program that describe GPU kernels to the runtime:
/// `TesseraGpuKernel` of runtime.h and all that it refers to.
class GridKernelTables {
public:
  /// The constants go to the end of `program`.
  explicit GridKernelTables(mlir::ModuleOp program);

  /// The name of the constant that describes `kernel`.
  std::string symbol(rt::GridKernelOp kernel);

private:
  /// A constant struct or array of `fields`: integers, or addresses of other
  /// constants by name (an empty name is a null pointer).
  struct Field {
    mlir::Type type;
    int64_t number = 0;
    std::string symbol;
    bool isAddress = false;
  };
  Field integer(int64_t value, unsigned width);
  Field pointerTo(llvm::StringRef symbol);
  std::string define(llvm::ArrayRef<Field> fields);
  std::string defineText(llvm::StringRef text);
  /// An array of constants of one size, each a list of fields.
  std::string defineNumbers(llvm::ArrayRef<int64_t> values, unsigned width);

  void append(llvm::SmallVectorImpl<Field> &fields, rt::TensorMapAttr map);
  void append(llvm::SmallVectorImpl<Field> &fields, rt::GridStepAttr step);
  void append(llvm::SmallVectorImpl<Field> &fields, rt::MatrixAttr matrix);
  void append(llvm::SmallVectorImpl<Field> &fields, rt::LibraryStepAttr step);
  void append(llvm::SmallVectorImpl<Field> &fields, rt::VariantAttr variant,
              int64_t module);

  mlir::ModuleOp program;
  mlir::OpBuilder b;
  unsigned count = 0;
  llvm::DenseMap<mlir::Operation *, std::string> known;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_GRIDKERNELTABLES_H
