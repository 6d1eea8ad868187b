//===- PaddingInterface.cpp - operations on padded tensors ----------------===//

#include "tessera/Interfaces/PaddingInterface.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tessera;

#include "tessera/Interfaces/PaddingInterface.cpp.inc"

SmallVector<int64_t> PaddedOperands::paddedDims(Value value) const {
  SmallVector<int64_t> dims;
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    for (auto [dim, size] : llvm::enumerate(wholeShape(value)))
      if (size != type.getDimSize(dim))
        dims.push_back(dim);
  return dims;
}
