//===- Rt.cpp - the dialect of execution ----------------------------------===//

#include "tessera/Dialect/Rt/Combined.h"
#include "tessera/Dialect/Rt/HostCopies.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Support/ThreadLocalCache.h"
#include "llvm/ADT/TypeSwitch.h"

// The dialect LLVM alone, without its operations, whose headers take eight
// seconds.
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"

using namespace mlir;
using namespace tessera;
using namespace tessera::rt;

#include "tessera/Dialect/Rt/RtDialect.cpp.inc"

/// A list of steps: grids without the name of their attribute, others with it.
static ParseResult parseSteps(AsmParser &parser,
                              SmallVectorImpl<Attribute> &steps) {
  auto parseStep = [&]() -> ParseResult {
    Attribute &step = steps.emplace_back();
    OptionalParseResult other = parser.parseOptionalAttribute(step);
    if (other.has_value())
      return *other;
    step = GridStepAttr::parse(parser, Type());
    return success(bool(step));
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        parseStep);
}

static void printSteps(AsmPrinter &printer, ArrayRef<Attribute> steps) {
  printer << '[';
  llvm::interleaveComma(steps, printer, [&](Attribute step) {
    if (auto grid = dyn_cast<GridStepAttr>(step))
      printer.printStrippedAttrOrType(grid);
    else
      printer.printAttribute(step);
  });
  printer << ']';
}

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Rt/RtAttrs.cpp.inc"

LogicalResult VariantAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int32_t, ArrayRef<Attribute> steps) {
  for (Attribute step : steps)
    if (!isa<GridStepAttr, LibraryStepAttr>(step))
      return emitError() << "expected steps to be grids or library steps, got "
                         << step;
  return success();
}

LogicalResult CallRoutineOp::verify() {
  if (getTypes().size() != getBuffers().size())
    return emitOpError() << "expected " << getBuffers().size() << " types, got "
                         << getTypes().size();
  if (getInputs() > getBuffers().size())
    return emitOpError() << "expected at most " << getBuffers().size()
                         << " inputs, got " << getInputs();
  for (Type type : getTypes().getAsValueRange<TypeAttr>())
    if (!isa<RankedTensorType>(type))
      return emitOpError() << "expected types to be tensors, got " << type;
  return success();
}

void RtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/Rt/RtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Rt/RtOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Rt/CombinedOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Rt/HostOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Rt/RtOps.cpp.inc"
#define GET_OP_CLASSES
#include "tessera/Dialect/Rt/CombinedOps.cpp.inc"
#define GET_OP_CLASSES
#include "tessera/Dialect/Rt/HostOps.cpp.inc"
