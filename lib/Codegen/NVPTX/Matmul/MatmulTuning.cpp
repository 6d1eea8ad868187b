//===- MatmulTuning.cpp - Measured choices for matmuls --------------------===//

#include "Matmul/MatmulRules.h"
#include "Matmul/MatmulTile.h"
#include "Matmul/WarpgroupTile.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::nvptx;

static std::string typeName(Value operand) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(operand.getType());
  return name;
}

TuningKey nvptx::getTuningKey(const Matmul &matmul, const GpuTarget &target) {
  return {KernelKind::Matmul,
          target,
          {{"batch", matmul.batches},
           {"m", matmul.m},
           {"n", matmul.n},
           {"k", matmul.k}},
          {{"left", typeName(matmul.left.side.operand)},
           {"right", typeName(matmul.right.side.operand)},
           {"layout",
            {matmul.left.isDepthMajor ? 'k' : 'm',
             matmul.right.isDepthMajor ? 'k' : 'n'}}}};
}

llvm::ArrayRef<KernelFamily> nvptx::matmulFamilies() {
  static constexpr llvm::StringLiteral names[] = {"left", "right", "layout"};
  static constexpr llvm::StringLiteral sizes[] = {"batch", "m", "n", "k"};
  constexpr KernelKind kind = KernelKind::Matmul;
  auto isNothing = [](llvm::StringRef text) { return text.empty(); };
  static const KernelFamily families[] = {
      // Tensor cores or scalar units.
      {"mma", kind, isTileText<MatmulTile>, names, sizes, true},
      {"wgmma", kind, isTileText<WarpgroupTile>, names, sizes, true},
      {"cublasLt", kind, isNothing, names, sizes},
  };
  return families;
}
