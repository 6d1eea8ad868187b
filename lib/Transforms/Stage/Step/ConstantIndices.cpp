//===- ConstantIndices.cpp - indices in a tensor that are known -----------===//

#include "Step/ConstantIndices.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

std::optional<SmallVector<int64_t>>
tessera::stage::constantIndices(ValueRange indices) {
  SmallVector<int64_t> numbers;
  for (Value index : indices) {
    DenseIntElementsAttr attribute;
    if (!matchPattern(index, m_Constant(&attribute)))
      return std::nullopt;
    numbers.push_back(attribute.getSplatValue<APInt>().getSExtValue());
  }
  return numbers;
}
