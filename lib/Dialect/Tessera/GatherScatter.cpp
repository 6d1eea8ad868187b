//===- GatherScatter.cpp - verifiers of gather and scatter ----------------===//
//
// Both operations relate three tensors: the whole, the indices, and the windows
// (gather's result, scatter's updates). Seen as one, gather reads windows from
// the whole and scatter writes them, so that one check serves both.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Tessera.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

namespace {

/// The dimension lists of a gather or scatter under common names.
struct WindowDims {
  ArrayRef<int64_t> windowDims; ///< Dimensions of the windows' tensor that lie
                                ///< inside a window.
  ArrayRef<int64_t> insertedDims; ///< Dimensions of the whole in which a window
                                  ///< has size 1 and no dimension.
  ArrayRef<int64_t> wholeBatching; ///< Dimensions of the whole that go with
                                   ///< those of the indices.
  ArrayRef<int64_t> indicesBatching;
  ArrayRef<int64_t> indexMap; ///< Which dimension of the whole each component
                              ///< of an index vector places.
  int64_t indexVectorDim;
};

} // namespace

static LogicalResult verifyInRange(Operation *op, StringRef what,
                                   ArrayRef<int64_t> dims, int64_t rank) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError()
             << what << " dimension " << dim
             << " is out of range: expected 0 to " << rank - 1;
    if (llvm::is_contained(dims.take_front(i), dim))
      return op->emitOpError()
             << what << " dimension " << dim << " appears twice";
  }
  return success();
}

/// Checks the dimension lists, and that the windows' tensor has the batch
/// dimensions of the indices.
static LogicalResult verifyWindows(Operation *op, const WindowDims &dims,
                                   RankedTensorType whole,
                                   RankedTensorType indices,
                                   RankedTensorType windows) {
  SmallVector<int64_t> withoutWindow(dims.insertedDims);
  llvm::append_range(withoutWindow, dims.wholeBatching);
  if (failed(verifyInRange(op, "window", dims.windowDims, windows.getRank())) ||
      failed(
          verifyInRange(op, "inserted", dims.insertedDims, whole.getRank())) ||
      failed(verifyInRange(op, "operand batching", dims.wholeBatching,
                           whole.getRank())) ||
      failed(verifyInRange(op, "inserted or batching", withoutWindow,
                           whole.getRank())) ||
      failed(verifyInRange(op, "indices batching", dims.indicesBatching,
                           indices.getRank())) ||
      failed(verifyInRange(op, "mapped", dims.indexMap, whole.getRank())))
    return failure();
  if (dims.indexVectorDim < 0 || dims.indexVectorDim > indices.getRank())
    return op->emitOpError()
           << "index vector dimension " << dims.indexVectorDim
           << " is out of range: expected 0 to " << indices.getRank();
  int64_t components = dims.indexVectorDim == indices.getRank()
                           ? 1
                           : indices.getDimSize(dims.indexVectorDim);
  if (int64_t(dims.indexMap.size()) != components)
    return op->emitOpError()
           << "expected " << components
           << " mapped dimensions, one per component of an index vector, got "
           << dims.indexMap.size();
  if (dims.wholeBatching.size() != dims.indicesBatching.size())
    return op->emitOpError() << "expected as many batching dimensions of the "
                                "indices as of the operand ("
                             << dims.wholeBatching.size() << "), got "
                             << dims.indicesBatching.size();
  size_t windowRank =
      whole.getRank() - dims.insertedDims.size() - dims.wholeBatching.size();
  if (dims.windowDims.size() != windowRank)
    return op->emitOpError()
           << "expected " << windowRank << " window dimensions, got "
           << dims.windowDims.size();
  SmallVector<int64_t> batchShape, windowsBatchShape;
  for (int64_t i = 0; i < indices.getRank(); ++i)
    if (i != dims.indexVectorDim)
      batchShape.push_back(indices.getDimSize(i));
  for (int64_t i = 0; i < windows.getRank(); ++i)
    if (!llvm::is_contained(dims.windowDims, i))
      windowsBatchShape.push_back(windows.getDimSize(i));
  if (batchShape != windowsBatchShape)
    return op->emitOpError() << "expected the batch dimensions of " << indices
                             << " in " << windows;
  if (whole.getElementType() != windows.getElementType())
    return op->emitOpError()
           << "expected element type " << whole.getElementType() << ", got "
           << windows.getElementType();
  return success();
}

LogicalResult GatherOp::verify() {
  auto whole = cast<RankedTensorType>(getOperand().getType());
  WindowDims dims{getOffsetDims(),      getCollapsedDims(),
                  getOperandBatching(), getIndicesBatching(),
                  getStartIndexMap(),   int64_t(getIndexVectorDim())};
  if (failed(verifyWindows(*this, dims, whole,
                           cast<RankedTensorType>(getIndices().getType()),
                           getType())))
    return failure();
  if (int64_t(getSliceSizes().size()) != whole.getRank())
    return emitOpError() << "expected " << whole.getRank()
                         << " slice sizes, got " << getSliceSizes().size();
  size_t window = 0;
  for (auto [i, size] : llvm::enumerate(getSliceSizes())) {
    if (size < 0 || size > whole.getDimSize(i))
      return emitOpError() << "expected a slice size of at most "
                           << whole.getDimSize(i) << " in dimension " << i
                           << ", got " << size;
    bool dropped = llvm::is_contained(getCollapsedDims(), int64_t(i)) ||
                   llvm::is_contained(getOperandBatching(), int64_t(i));
    if (dropped && size > 1)
      return emitOpError()
             << "expected slice size 1 in collapsed or batching dimension " << i
             << ", got " << size;
    if (dropped)
      continue;
    int64_t resultDim = getOffsetDims()[window++];
    if (getType().getDimSize(resultDim) != size)
      return emitOpError() << "expected size " << size
                           << " in result dimension " << resultDim << ", got "
                           << getType().getDimSize(resultDim);
  }
  return success();
}

LogicalResult ScatterOp::verify() {
  auto whole = cast<RankedTensorType>(getOperand().getType());
  if (getType() != whole)
    return emitOpError() << "expected result type " << whole << ", got "
                         << getType();
  WindowDims dims{getWindowDims(),      getInsertedDims(),
                  getOperandBatching(), getIndicesBatching(),
                  getOperandDimsMap(),  int64_t(getIndexVectorDim())};
  return verifyWindows(*this, dims, whole,
                       cast<RankedTensorType>(getIndices().getType()),
                       cast<RankedTensorType>(getUpdates().getType()));
}
