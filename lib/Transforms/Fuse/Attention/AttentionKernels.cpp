//===- AttentionKernels.cpp - which attention has a kernel ----------------===//

#include "Attention/AttentionKernels.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tessera;

bool tessera::fuse::isAttentionKernelType(Type element) {
  return element.isF32() || element.isBF16() || element.isF16();
}

bool tessera::fuse::hasAttentionKernel(Operation *attention) {
  auto types = llvm::to_vector(attention->getOperandTypes());
  llvm::append_range(types, attention->getResultTypes());
  for (Type type : types) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getElementType().isInteger(1))
      continue;
    if (!isAttentionKernelType(tensor.getElementType()))
      return false;
  }
  return llvm::all_of(attention->getOperands().take_front(3), [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return getElementTypeOrSelf(attention->getOperand(0)) ==
               type.getElementType() &&
           type.getDimSize(3) <= kAttentionFeatures;
  });
}
