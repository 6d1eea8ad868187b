//===- TesseraAttrs.cpp - the text of meshes, shardings and reductions ----===//

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

#include "tessera/Dialect/Tessera/TesseraEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Tessera/TesseraAttrs.cpp.inc"

void TesseraDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/Tessera/TesseraAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Mesh
//===----------------------------------------------------------------------===//

/// `"data"=2`
static ParseResult parseMeshAxis(AsmParser &parser,
                                 SmallVectorImpl<MeshAxis> &axes) {
  std::string name;
  int64_t size;
  if (parser.parseString(&name) || parser.parseEqual() ||
      parser.parseInteger(size))
    return failure();
  axes.push_back({AxisName(name), size});
  return success();
}

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<MeshAxis> axes;
  SmallVector<int64_t> deviceIds;
  SMLoc loc = parser.getCurrentLocation();
  using Delimiter = AsmParser::Delimiter;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(
          Delimiter::Square, [&] { return parseMeshAxis(parser, axes); }))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("device_ids") || parser.parseEqual() ||
       parser.parseCommaSeparatedList(Delimiter::Square, [&] {
         return parser.parseInteger(deviceIds.emplace_back());
       })))
    return {};
  if (parser.parseGreater())
    return {};
  Mesh mesh;
  mesh.axes.assign(axes.begin(), axes.end());
  mesh.deviceIds.assign(deviceIds.begin(), deviceIds.end());
  if (std::string error = mesh.verify(); !error.empty())
    return parser.emitError(loc, error), Attribute();
  return MeshAttr::get(parser.getContext(), Mesh(axes, deviceIds));
}

void MeshAttr::print(AsmPrinter &printer) const {
  getMesh().print(printer.getStream());
}

//===----------------------------------------------------------------------===//
// Machine
//===----------------------------------------------------------------------===//

/// `compute = 1.0e+12`, behind a comma.
static ParseResult parseRate(AsmParser &parser, StringRef name, double &rate) {
  return failure(parser.parseComma() || parser.parseKeyword(name) ||
                 parser.parseEqual() || parser.parseFloat(rate));
}

/// `, host = [latency, bandwidth, bytes]`, or nothing.
static ParseResult parseHost(AsmParser &parser, HostMemory &host) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword("host") || parser.parseEqual() ||
                 parser.parseLSquare() || parser.parseFloat(host.latency) ||
                 parser.parseComma() || parser.parseFloat(host.bandwidth) ||
                 parser.parseComma() || parser.parseInteger(host.bytes) ||
                 parser.parseRSquare());
}

Attribute MachineAttr::parse(AsmParser &parser, Type) {
  Machine machine;
  using Delimiter = AsmParser::Delimiter;
  if (parser.parseLess() || parser.parseKeyword("links") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          Delimiter::Square,
          [&] {
            LinkCosts &link = machine.links.emplace_back();
            return failure(
                parser.parseLSquare() || parser.parseFloat(link.latency) ||
                parser.parseComma() || parser.parseFloat(link.bandwidth) ||
                parser.parseRSquare());
          }) ||
      parseRate(parser, "compute", machine.compute) ||
      parseRate(parser, "memory_bandwidth", machine.memoryBandwidth) ||
      parser.parseComma() || parser.parseKeyword("memory") ||
      parser.parseEqual() || parser.parseInteger(machine.memory) ||
      parseHost(parser, machine.host) || parser.parseGreater())
    return {};
  return MachineAttr::get(parser.getContext(), machine);
}

void MachineAttr::print(AsmPrinter &printer) const {
  const Machine &machine = getMachine();
  printer << "<links = [";
  llvm::interleaveComma(
      machine.links, printer.getStream(), [&](const LinkCosts &link) {
        printer << '[' << link.latency << ", " << link.bandwidth << ']';
      });
  printer << "], compute = " << machine.compute
          << ", memory_bandwidth = " << machine.memoryBandwidth
          << ", memory = " << machine.memory;
  if (const HostMemory &host = machine.host; host.isThere())
    printer << ", host = [" << host.latency << ", " << host.bandwidth << ", "
            << host.bytes << ']';
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// `"model"` or `"model":(2)4`, after the name has been read.
static ParseResult parseSubAxis(AsmParser &parser, StringRef name,
                                AxisList &axes) {
  if (failed(parser.parseOptionalColon())) {
    axes.push_back(AxisRef(AxisName(name)));
    return success();
  }
  int64_t preSize, size;
  if (parser.parseLParen() || parser.parseInteger(preSize) ||
      parser.parseRParen() || parser.parseInteger(size))
    return failure();
  axes.push_back(AxisRef(AxisName(name), preSize, size));
  return success();
}

static ParseResult parseAxisRef(AsmParser &parser, AxisList &axes) {
  std::string name;
  return failure(parser.parseString(&name) || parseSubAxis(parser, name, axes));
}

Attribute AxesAttr::parse(AsmParser &parser, Type) {
  FlatSymbolRefAttr mesh;
  AxisList axes;
  if (parser.parseLess() || parser.parseAttribute(mesh) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parseAxisRef(parser, axes); }) ||
      parser.parseGreater())
    return {};
  return AxesAttr::get(parser.getContext(), mesh, axes);
}

void AxesAttr::print(AsmPrinter &printer) const {
  printer << '<' << getMesh() << ", [";
  llvm::interleaveComma(
      getAxes(), printer.getStream(),
      [&](const AxisRef &axis) { axis.print(printer.getStream()); });
  printer << "]>";
}

//===----------------------------------------------------------------------===//
// Sharding
//===----------------------------------------------------------------------===//

/// `{"data", ?}p1`
static ParseResult parseDimSharding(AsmParser &parser, DimSharding &dim) {
  if (parser.parseLBrace())
    return failure();
  bool closed = succeeded(parser.parseOptionalRBrace());
  while (!closed) {
    if (succeeded(parser.parseOptionalQuestion())) {
      dim.open = true;
      if (parser.parseRBrace())
        return failure();
      break;
    }
    if (parseAxisRef(parser, dim.axes))
      return failure();
    closed = succeeded(parser.parseOptionalRBrace());
    if (!closed && parser.parseComma())
      return failure();
  }
  StringRef priority;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&priority)))
    return success();
  int64_t value;
  if (!priority.consume_front("p") || priority.getAsInteger(10, value))
    return parser.emitError(
        loc, "expected a priority (p0, p1, ...) behind the dimension's axes");
  dim.priority = value;
  return success();
}

/// `{"x", "y"}`
static ParseResult parseAxisSet(AsmParser &parser, AxisList &axes) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Braces, [&] { return parseAxisRef(parser, axes); });
}

/// `replicated={...}`, `unreduced={...}`, `unreduced=max{...}`
static ParseResult parseOtherAxes(AsmParser &parser, TensorSharding &sharding) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword) || parser.parseEqual())
    return failure();
  if (keyword == "replicated")
    return parseAxisSet(parser, sharding.replicated);
  if (keyword != "unreduced")
    return parser.emitError(loc)
           << "expected 'replicated' or 'unreduced', got '" << keyword << "'";
  StringRef kind;
  loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&kind))) {
    std::optional<ReductionKind> value = parseReductionKind(kind);
    if (!value)
      return parser.emitError(loc)
             << "expected a reduction (sum, min, max, ...), got '" << kind
             << "'";
    sharding.unreducedKind = *value;
  }
  return parseAxisSet(parser, sharding.unreduced);
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  FlatSymbolRefAttr mesh;
  TensorSharding sharding;
  if (parser.parseLess() || parser.parseAttribute(mesh) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseDimSharding(parser, sharding.dims.emplace_back());
      }))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseOtherAxes(parser, sharding))
      return {};
  if (parser.parseGreater())
    return {};
  return ShardingAttr::get(parser.getContext(), mesh, sharding);
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << '<' << getMesh() << ", ";
  getValue().print(printer.getStream());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

Attribute ReductionAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<ReductionKind> kind = parseReductionKind(keyword);
  if (!kind)
    return parser.emitError(loc) << "expected a reduction (sum, product, min, "
                                    "max, and, or, xor), got '"
                                 << keyword << "'",
           Attribute();
  return parser.parseGreater() ? Attribute()
                               : ReductionAttr::get(parser.getContext(), *kind);
}

void ReductionAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringify(getKind()) << '>';
}
