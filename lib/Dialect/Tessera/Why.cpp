//===- Why.cpp - provenance in words --------------------------------------===//

#include "tessera/Dialect/Tessera/Why.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;

std::string tessera::describeFile(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    llvm::raw_string_ostream(text) << file.getFilename().getValue() << ':'
                                   << file.getLine() << ':' << file.getColumn();
    return WalkResult::interrupt();
  });
  return text;
}

/// What JAX calls an operation: `jit(step)/attention/dot_general` without the
/// function around it.
static StringRef findName(Location loc) {
  StringRef name;
  loc->walk([&](Location nested) {
    auto named = dyn_cast<NameLoc>(nested);
    if (!named || !named.getName().getValue().contains('/'))
      return WalkResult::advance();
    name = named.getName().getValue();
    return WalkResult::interrupt();
  });
  if (name.starts_with("jit("))
    name = name.split('/').second;
  return name;
}

/// `dot_general` of `tessera.dot_general`, `all_gather` of `spmd.all_gather`;
/// others keep their dialect.
static StringRef shortName(StringRef what) {
  what.consume_front("tessera.");
  what.consume_front("spmd.");
  return what;
}

static std::string describeAt(StringRef what, Location loc) {
  std::string text = shortName(what).str();
  if (StringRef name = findName(loc); !name.empty())
    text += (" (" + name + ")").str();
  if (std::string file = describeFile(loc); !file.empty())
    text += " at " + file;
  return text;
}

std::string tessera::describePlace(PlaceAttr place) {
  return describeAt(place.getWhat(), place.getLoc());
}

std::string tessera::describeOperation(Operation *op) {
  return describeAt(op->getName().getStringRef(), op->getLoc());
}

std::string tessera::describeMaker(Value value) {
  if (Operation *op = value.getDefiningOp())
    return describeOperation(op);
  unsigned number = cast<BlockArgument>(value).getArgNumber();
  return describeAt("argument " + std::to_string(number), value.getLoc());
}

/// `dot_general (gpt.py:12)`: a step on a longer way.
static std::string describeStep(PlaceAttr place) {
  std::string text = shortName(place.getWhat()).str();
  std::string full = describeFile(place.getLoc());
  if (!full.empty())
    text += (" (" +
             llvm::sys::path::filename(StringRef(full).rsplit(':').first) + ")")
                .str();
  return text;
}

std::string tessera::describeSharding(ShardingAttr sharding) {
  std::string text;
  llvm::raw_string_ostream(text) << sharding.getValue();
  return text;
}

/// The reason in one line.
static std::string describeReason(ProvenanceAttr why) {
  std::string from = describeSharding(why.getSource());
  std::string to = describeSharding(why.getTarget());
  auto name = [](PlaceAttr place) {
    return place ? describePlace(place) : "something";
  };
  std::string producer = name(why.getProducer());
  std::string consumer = name(why.getConsumer());
  StringRef reason = why.getReason();
  if (reason == "pending sum")
    return "pending sum of " + producer + ", which gives " + from + "; " +
           consumer + " takes " + to;
  if (reason == "inside")
    return producer + " needs parts of other devices: it takes " + from +
           " and gives " + to;
  if (reason == "written")
    return producer + " is the program's own, in the " + consumer;
  if (reason == "transfer")
    return producer + " goes to another stage" +
           (from == to ? " as " + from
                       : " in parts, every byte once: as " + to +
                             ", put together as " + from);
  if (reason == "accumulated")
    return producer + " is accumulated by several pipeline ranks, which " +
           "exchange their parts";
  if (reason == "device order")
    return producer + ", which is " + from + ", lies on other devices";
  if (reason == "value")
    return producer + " has the sharding " + to;
  std::string handed = reason == "control flow" ? " (control flow)" : "";
  return producer + " gives " + from + "; " + consumer + handed + " takes " +
         to;
}

/// How an axis came from an annotation.
static std::string describeOrigin(OriginAttr origin) {
  PlaceAttr annotation = origin.getAnnotation();
  bool says = llvm::any_of(
      origin.getSharding().getValue().usedAxes(),
      [&](const AxisRef &axis) { return axis.name == origin.getAxis(); });
  std::string text =
      ("\"" + origin.getAxis() + "\" of the " + origin.getSide() +
       (says ? ": from " : ": kept out by ") + annotation.getWhat() + " " +
       describeSharding(origin.getSharding()))
          .str();
  if (std::string file = describeFile(annotation.getLoc()); !file.empty())
    text += " at " + file;
  if (origin.getSkipped() > 0)
    text += " -> " + std::to_string(origin.getSkipped()) +
            (origin.getSkipped() == 1 ? " operation" : " operations");
  for (PlaceAttr step : origin.getSteps())
    text += " -> " + describeStep(step);
  return text;
}

/// What else would have brought the axis of `origin`, in one line; empty where
/// nothing is known.
static std::string describeOthers(OriginAttr origin,
                                  ArrayRef<OriginAttr> origins) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (OriginAttr other : origins) {
    if (other.getAxis() != origin.getAxis() ||
        other.getSide() != (origin.getSide() + kAsWell).str())
      continue;
    PlaceAttr annotation = other.getAnnotation();
    if (text.empty())
      os << '"' << origin.getAxis() << "\" of the " << other.getSide()
         << ": from ";
    else
      os << ", ";
    os << annotation.getWhat() << ' ' << describeSharding(other.getSharding());
    std::string file = describeFile(annotation.getLoc());
    if (annotation.getWhat() == "constraint" && !file.empty())
      os << " at " << file;
  }
  return text;
}

SmallVector<OriginAttr> tessera::originsOf(ProvenanceAttr provenance,
                                           AxesAttr axes) {
  SmallVector<OriginAttr> origins(provenance.getOrigins());
  if (axes && provenance.getReason() == "inside")
    llvm::erase_if(origins, [&](OriginAttr origin) {
      return llvm::none_of(axes.getAxes(), [&](const AxisRef &axis) {
        return axis.name == origin.getAxis();
      });
    });
  return origins;
}

SmallVector<std::string> tessera::describeWhy(ProvenanceAttr provenance,
                                              AxesAttr axes) {
  if (!provenance)
    return {"nothing is recorded: the program itself asks for it, or the file "
            "was written without provenance"};
  SmallVector<std::string> lines = {describeReason(provenance)};
  if (!provenance.getConflict().empty())
    lines.push_back("because " + provenance.getConflict().str());
  SmallVector<OriginAttr> origins = originsOf(provenance, axes);
  for (OriginAttr origin : origins) {
    if (origin.getSide().ends_with(kAsWell))
      continue;
    lines.push_back(describeOrigin(origin));
    if (llvm::any_of(ArrayRef(origins).take_while(
                         [&](OriginAttr other) { return other != origin; }),
                     [&](OriginAttr before) {
                       return before.getAxis() == origin.getAxis() &&
                              before.getSide() == origin.getSide();
                     }))
      continue;
    if (std::string others = describeOthers(origin, origins); !others.empty())
      lines.push_back(others);
  }
  return lines;
}

std::string tessera::withoutLayerNumbers(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    result += text[i];
    if (!StringRef("[_./-").contains(text[i++]))
      continue;
    StringRef digits = text.substr(i).take_while(llvm::isDigit);
    StringRef rest = text.substr(i + digits.size());
    if (digits.empty() || rest.empty() ||
        !StringRef("]'\"_./-").contains(rest.front()))
      continue;
    result += '*';
    i += digits.size();
  }
  return result;
}
