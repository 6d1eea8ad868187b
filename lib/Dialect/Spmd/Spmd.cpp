//===- Spmd.cpp - the dialect of one device's program ---------------------===//

#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Spmd/WorkCosts.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::spmd;

#include "tessera/Dialect/Spmd/SpmdDialect.cpp.inc"
#include "tessera/Dialect/Spmd/SpmdEnums.cpp.inc"
#include "tessera/Dialect/Spmd/SpmdInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Spmd/SpmdAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/Spmd/SpmdTypes.cpp.inc"

void SpmdDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/Spmd/SpmdAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tessera/Dialect/Spmd/SpmdTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Spmd/SpmdOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Spmd/CombinedOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Spmd/HostOps.cpp.inc"
      >();
}

/// Checks what the phase `schedule` writes on functions, calls, loops and
/// whatever has results: sizes, and buffers as many as there are values.
LogicalResult SpmdDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (StringRef name = attribute.getName();
      name == kArenaSizeAttr || name == kHostSizeAttr) {
    auto size = dyn_cast<IntegerAttr>(attribute.getValue());
    return size && size.getType().isInteger(64) && size.getInt() >= 0
               ? success()
               : op->emitError() << "expected an i64 of at least 0 for " << name
                                 << ", got " << attribute.getValue();
  }
  if (attribute.getName() == kCallAttr)
    return verifyCallNumber(op, attribute.getValue());
  if (attribute.getName() == kWorkspaceAttr) {
    auto buffer = dyn_cast<BufferAttr>(attribute.getValue());
    return buffer && buffer.getSpace() == Space::Arena
               ? success()
               : op->emitError()
                     << "expected a buffer in the arena for " << kWorkspaceAttr;
  }
  if (attribute.getName() == kRematerializedAttr)
    return isa<UnitAttr>(attribute.getValue())
               ? success()
               : op->emitError()
                     << "expected no value for " << kRematerializedAttr
                     << ", got " << attribute.getValue();
  bool isCarried = attribute.getName() == kCarriedAttr;
  if (isCarried && !isa<scf::WhileOp>(op))
    return op->emitError() << "expected 'scf.while' for " << kCarriedAttr;
  if (!isCarried && attribute.getName() != kBuffersAttr)
    return op->emitError() << "unknown attribute '"
                           << attribute.getName().getValue()
                           << "' of the dialect spmd";
  auto buffers = dyn_cast<ArrayAttr>(attribute.getValue());
  unsigned count = isCarried ? op->getNumOperands() : op->getNumResults();
  if (!buffers || !llvm::all_of(buffers, llvm::IsaPred<BufferAttr>) ||
      buffers.size() != count)
    return op->emitError() << "expected " << count << " buffers in "
                           << attribute.getName().getValue() << ", one per "
                           << (isCarried ? "initial value" : "result");
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

LogicalResult spmd::verifyAxes(Operation *op, AxesAttr axes) {
  MeshOp mesh = lookupMesh(op, axes.getMesh());
  if (!mesh)
    return op->emitOpError() << "unknown mesh " << axes.getMesh();
  AxisList manual = manualAxesAround(op);
  for (const AxisRef &axis : axes.getAxes()) {
    std::string error = axis.verify(mesh.getMesh().getMesh());
    if (!error.empty())
      return op->emitOpError() << error;
    if (op->getParentOfType<ManualRegionInterface>() &&
        llvm::none_of(manual, [&](const AxisRef &other) {
          return other.name == axis.name;
        }))
      return op->emitOpError() << "expected axes that are manual here, got \""
                               << axis.name.str() << "\"";
  }
  return success();
}

int64_t CollectiveOpInterface::getBytesSent(int64_t n) {
  return bytesSent(getCollectiveKind(), n, bytesOf((*this)->getOperand(0)));
}

static LogicalResult verifyDim(Operation *op, int64_t dim,
                               RankedTensorType type) {
  if (dim < 0 || dim >= type.getRank())
    return op->emitOpError()
           << "dimension " << dim << " is out of range: expected 0 to "
           << type.getRank() - 1;
  return success();
}

/// `whole` must have `type`'s shape but for a multiple of the size in dimension
/// `dim`.
static LogicalResult verifyParts(Operation *op, int64_t dim,
                                 RankedTensorType part,
                                 RankedTensorType whole) {
  if (failed(verifyDim(op, dim, part)))
    return failure();
  bool agree = part.getElementType() == whole.getElementType() &&
               part.getRank() == whole.getRank();
  for (int64_t i = 0; agree && i < part.getRank(); ++i)
    agree = i == dim ? part.getDimSize(i) != 0 &&
                           whole.getDimSize(i) % part.getDimSize(i) == 0
                     : part.getDimSize(i) == whole.getDimSize(i);
  if (!agree)
    return op->emitOpError() << "expected " << whole << " to be a multiple of "
                             << part << " in dimension " << dim;
  return success();
}

/// Checks that dimension `dim` is as many times as large in `whole` as in
/// `part` as the group of `axes` has devices.
static LogicalResult verifyGroup(Operation *op, int64_t dim,
                                 RankedTensorType part, RankedTensorType whole,
                                 AxesAttr axes) {
  int64_t n = groupSize(op, axes);
  int64_t expected = part.getDimSize(dim) * n, got = whole.getDimSize(dim);
  if (expected != got)
    return op->emitOpError()
           << "expected size " << expected << " in dimension " << dim << ", "
           << n << " times that of the part, got " << got;
  return success();
}

LogicalResult AllGatherOp::verify() {
  RankedTensorType part = typeOf(getOperand());
  return failure(
      failed(verifyParts(*this, getDim(), part, getType())) ||
      failed(verifyGroup(*this, getDim(), part, getType(), getAxes())));
}
LogicalResult ReduceScatterOp::verify() {
  RankedTensorType whole = typeOf(getOperand());
  return failure(
      failed(verifyParts(*this, getDim(), getType(), whole)) ||
      failed(verifyGroup(*this, getDim(), getType(), whole, getAxes())));
}

LogicalResult AllToAllOp::verify() {
  RankedTensorType from = typeOf(getOperand()), to = getType();
  if (failed(verifyDim(*this, getSplitDim(), from)) ||
      failed(verifyDim(*this, getConcatDim(), from)))
    return failure();
  SmallVector<int64_t> joined(from.getShape());
  if (getSplitDim() != getConcatDim()) {
    int64_t parts =
        to.getRank() == from.getRank() && to.getDimSize(getSplitDim()) != 0
            ? from.getDimSize(getSplitDim()) / to.getDimSize(getSplitDim())
            : 0;
    joined[getConcatDim()] *= parts;
    if (parts)
      joined[getSplitDim()] /= parts;
  }
  if (to != RankedTensorType::get(joined, from.getElementType()))
    return emitOpError() << "expected dimension " << getConcatDim()
                         << " to grow as dimension " << getSplitDim()
                         << " shrinks, got " << from << " and " << to;
  if (getSplitDim() != getConcatDim())
    return verifyGroup(*this, getSplitDim(), to, from, getAxes());
  int64_t size = from.getDimSize(getSplitDim());
  if (size % groupSize(*this, getAxes()) != 0)
    return emitOpError() << "expected dimension " << getSplitDim()
                         << " to be split into " << groupSize(*this, getAxes())
                         << " equal parts, got size " << size;
  return success();
}

LogicalResult PermuteOp::verify() {
  int64_t n = getTarget().size();
  SmallVector<bool> receives(n, false);
  for (int32_t target : getTarget()) {
    if (target < -1 || target >= n)
      return emitOpError() << "target " << target
                           << " is out of range: expected -1 to " << n - 1;
    if (target >= 0 && std::exchange(receives[target], true))
      return emitOpError() << "device " << target
                           << " of the group receives twice";
  }
  if (n != groupSize(*this, getAxes()))
    return emitOpError() << "expected one target for each of the "
                         << groupSize(*this, getAxes())
                         << " devices of the group, got " << n;
  return success();
}

LogicalResult spmd::BroadcastOp::verify() {
  int64_t root = getRoot(), n = groupSize(*this, getAxes());
  if (root < 0 || root >= n)
    return emitOpError() << "root " << root
                         << " is out of range: expected 0 to " << n - 1;
  return success();
}

LogicalResult AxisIndexOp::verify() { return verifyAxes(*this, getAxes()); }

//===----------------------------------------------------------------------===//
// Collectives that overlap with what follows
//===----------------------------------------------------------------------===//

Operation *StartOp::getStarted() { return &getBody().front().front(); }

CollectiveOpInterface StartOp::getCollective() {
  return dyn_cast<CollectiveOpInterface>(getStarted());
}

WaitOp StartOp::getWait() {
  return cast<WaitOp>(*getFuture().getUsers().begin());
}

StartOp WaitOp::getStart() { return getFuture().getDefiningOp<StartOp>(); }

LogicalResult WaitOp::verify() {
  if (!getStart())
    return emitOpError("expected the future of a 'spmd.start'");
  return success();
}

LogicalResult StartOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 0 || body.getOperations().size() != 2 ||
      !(isa<CollectiveOpInterface>(body.front()) ||
        isHostCopy(&body.front())) ||
      !isa<YieldOp>(body.back()) ||
      !llvm::equal(body.front().getResults(), body.back().getOperands()))
    return emitOpError("expected one collective or copy to the host or back, "
                       "and its result yielded");
  Type result = body.front().getResult(0).getType();
  if (result != getType().getTensor())
    return emitOpError() << "expected a future of " << result << ", got "
                         << getType();
  if (!getFuture().hasOneUse() ||
      !isa<WaitOp>(*getFuture().getUsers().begin()) ||
      getWait()->getBlock() != (*this)->getBlock())
    return emitOpError("expected one 'spmd.wait' of the future, in the block "
                       "that starts it");
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult KernelOp::verify() {
  if (getBody().getArgumentTypes() != getOperandTypes())
    return emitOpError("expected region arguments of the operands' types");
  if (getBody().front().getTerminator()->getOperandTypes() != getResultTypes())
    return emitOpError("expected yielded values of the results' types");
  return success();
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Spmd/SpmdOps.cpp.inc"
