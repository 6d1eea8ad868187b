//===- Provenance.cpp - the text of provenance, and its place -------------===//

#include "tessera/Dialect/Tessera/Provenance.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Place
//===----------------------------------------------------------------------===//

Attribute PlaceAttr::parse(AsmParser &parser, Type) {
  std::string what;
  LocationAttr loc;
  if (parser.parseLess() || parser.parseString(&what) ||
      parser.parseKeyword("at") || parser.parseAttribute(loc) ||
      parser.parseGreater())
    return {};
  return PlaceAttr::get(parser.getContext(), what, loc);
}

void PlaceAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getWhat());
  printer << " at ";
  printer.printAttribute(getLoc());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Origin
//===----------------------------------------------------------------------===//

template <typename AttributeT>
static ParseResult parseList(AsmParser &parser,
                             SmallVectorImpl<AttributeT> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseAttribute(list.emplace_back());
  });
}

template <typename AttributeT>
static void printList(AsmPrinter &printer, ArrayRef<AttributeT> list) {
  printer << '[';
  llvm::interleaveComma(list, printer.getStream(), [&](AttributeT element) {
    printer.printAttribute(element);
  });
  printer << ']';
}

Attribute OriginAttr::parse(AsmParser &parser, Type) {
  std::string axis, side;
  PlaceAttr annotation;
  ShardingAttr sharding;
  SmallVector<PlaceAttr> steps;
  int64_t skipped;
  if (parser.parseLess() || parser.parseString(&axis) ||
      parser.parseKeyword("of") || parser.parseString(&side) ||
      parser.parseKeyword("from") || parser.parseAttribute(annotation) ||
      parser.parseKeyword("as") || parser.parseAttribute(sharding) ||
      parser.parseKeyword("via") || parseList(parser, steps) ||
      parser.parseKeyword("skipping") || parser.parseInteger(skipped) ||
      parser.parseGreater())
    return {};
  return OriginAttr::get(parser.getContext(), axis, side, annotation, sharding,
                         steps, skipped);
}

void OriginAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getAxis());
  printer << " of ";
  printer.printString(getSide());
  printer << " from ";
  printer.printAttribute(getAnnotation());
  printer << " as ";
  printer.printAttribute(getSharding());
  printer << " via ";
  printList(printer, getSteps());
  printer << " skipping " << getSkipped() << '>';
}

//===----------------------------------------------------------------------===//
// Provenance
//===----------------------------------------------------------------------===//

Attribute ProvenanceAttr::parse(AsmParser &parser, Type) {
  std::string reason, conflict;
  ShardingAttr source, target;
  PlaceAttr producer, consumer;
  SmallVector<OriginAttr> origins;
  if (parser.parseLess() || parser.parseString(&reason) ||
      parser.parseKeyword("from") || parser.parseAttribute(source) ||
      parser.parseKeyword("to") || parser.parseAttribute(target))
    return {};
  if (succeeded(parser.parseOptionalKeyword("producer")) &&
      parser.parseAttribute(producer))
    return {};
  if (succeeded(parser.parseOptionalKeyword("consumer")) &&
      parser.parseAttribute(consumer))
    return {};
  if (succeeded(parser.parseOptionalKeyword("because")) &&
      parser.parseString(&conflict))
    return {};
  if (parser.parseKeyword("origins") || parseList(parser, origins) ||
      parser.parseGreater())
    return {};
  return ProvenanceAttr::get(parser.getContext(), reason, source, target,
                             producer, consumer, conflict, origins);
}

void ProvenanceAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getReason());
  printer << " from ";
  printer.printAttribute(getSource());
  printer << " to ";
  printer.printAttribute(getTarget());
  if (getProducer()) {
    printer << " producer ";
    printer.printAttribute(getProducer());
  }
  if (getConsumer()) {
    printer << " consumer ";
    printer.printAttribute(getConsumer());
  }
  if (!getConflict().empty()) {
    printer << " because ";
    printer.printString(getConflict());
  }
  printer << " origins ";
  printList(printer, getOrigins());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Provenance in locations
//===----------------------------------------------------------------------===//

ProvenanceAttr tessera::findProvenance(Location loc) {
  ProvenanceAttr found;
  loc->walk([&](Location nested) {
    if (auto fused = dyn_cast<FusedLoc>(nested))
      found = dyn_cast_or_null<ProvenanceAttr>(fused.getMetadata());
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

Location tessera::withProvenance(Location loc, ProvenanceAttr provenance) {
  return FusedLoc::get(loc.getContext(), {withoutProvenance(loc)}, provenance);
}

Location tessera::withoutProvenance(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused || !isa_and_nonnull<ProvenanceAttr>(fused.getMetadata()))
    return loc;
  return fused.getLocations().front();
}

std::string tessera::boundaryName(StringRef kind, unsigned number,
                                  DictionaryAttr attributes) {
  if (attributes)
    if (auto name = attributes.getAs<StringAttr>(TesseraDialect::kNameAttr))
      return (kind + " '" + name.getValue() + "'").str();
  return (kind + " " + Twine(number)).str();
}
