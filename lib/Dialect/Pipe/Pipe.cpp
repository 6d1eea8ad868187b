//===- Pipe.cpp - the dialect of stages -----------------------------------===//

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Pipe/NetworkLevels.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::pipe;

#include "tessera/Dialect/Pipe/PipeDialect.cpp.inc"
#include "tessera/Dialect/Pipe/PipeEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Pipe/PipeAttrs.cpp.inc"

void PipeDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/Pipe/PipeAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Pipe/PipeOps.cpp.inc"
      >();
}

/// Why `attribute` is not one level of a network within which groups of
/// `inner` devices lie (0: all), or an empty string; sets `inner` to the
/// devices of its own groups.
static std::string checkLevel(Attribute attribute, int64_t &inner) {
  auto level = dyn_cast<ArrayAttr>(attribute);
  bool isLevel =
      level && (level.size() == 3 ||
                (level.size() == 4 && isa<DictionaryAttr>(level[3])));
  auto devices = isLevel ? dyn_cast<IntegerAttr>(level[0]) : IntegerAttr();
  auto latency = devices ? dyn_cast<FloatAttr>(level[1]) : FloatAttr();
  auto bandwidth = latency ? dyn_cast<FloatAttr>(level[2]) : FloatAttr();
  if (!bandwidth)
    return "expected levels '[devices, latency, bandwidth]' of an integer and "
           "two floating-point numbers";
  if (level.size() == 4)
    if (std::string error = checkLinkDetails(level[3]); !error.empty())
      return error;
  if (!(latency.getValueAsDouble() >= 0) || !latency.getValue().isFinite())
    return "expected a latency of 0 seconds or more";
  if (!(bandwidth.getValueAsDouble() > 0))
    return "expected a bandwidth of more than 0 bytes per second";
  if (inner == 0)
    return "expected nothing behind the level that holds all devices";
  if (devices.getInt() < 0 || devices.getInt() % inner != 0)
    return "expected a multiple of the " + std::to_string(inner) +
           " devices of the level within, got " +
           std::to_string(devices.getInt());
  inner = devices.getInt();
  return "";
}

LogicalResult PipeDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != kLevelsAttr && name != kKernelsAttr && name != kMachineAttr)
    return success();
  if (!isa<ModuleOp>(op))
    return op->emitOpError() << "expected '" << name << "' on a module";
  if (name == kKernelsAttr) {
    std::string error = checkKernelCosts(attribute.getValue());
    return error.empty()
               ? success()
               : LogicalResult(op->emitOpError() << name << ": " << error);
  }
  if (name == kMachineAttr)
    return isa<StringAttr>(attribute.getValue())
               ? success()
               : LogicalResult(op->emitOpError()
                               << name << ": expected a name");
  auto levels = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!levels || levels.empty())
    return op->emitOpError() << kLevelsAttr << ": expected a list of levels, "
                             << "got " << attribute.getValue();
  int64_t inner = 1;
  for (Attribute level : levels)
    if (std::string error = checkLevel(level, inner); !error.empty())
      return op->emitOpError()
             << kLevelsAttr << ": " << error << ", at " << level;
  if (inner != 0)
    return op->emitOpError()
           << kLevelsAttr
           << ": expected a last level of 0 devices, which holds all, got "
           << inner;
  return success();
}

LogicalResult FragmentOp::verify() {
  if (int64_t(getPart()) < 0 ||
      (getPart() != 0 && getKind() != FragmentKind::WeightGradient))
    return emitOpError("expected a part from 0 on of a 'weight_gradient', got ")
           << int64_t(getPart()) << " of '" << stringifyFragmentKind(getKind())
           << "'";
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError("expected a region that ends with 'pipe.yield'");
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError("expected to yield what it gives, (")
           << getResultTypes() << "), got (" << yield.getOperandTypes() << ')';
  return success();
}

void FragmentOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getResults());
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Pipe/PipeOps.cpp.inc"
