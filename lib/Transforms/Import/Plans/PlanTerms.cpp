//===- PlanTerms.cpp - the words of a rule --------------------------------===//

#include "PlanTerms.h"

#include "tessera/Support/NearestName.h"
#include "tessera/Support/Quantities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::importer;

/// `name(argument, ...)` taken apart, with what follows.
namespace {
struct Call {
  std::string name;
  llvm::SmallVector<llvm::StringRef, 2> arguments;
  bool hasArguments = false;
  llvm::StringRef rest;
};
} // namespace

/// The call that `text` begins with; nothing where a bracket is missing.
static std::optional<Call> parseCall(llvm::StringRef text) {
  Call call;
  size_t end = text.find_first_of("( ");
  call.name = text.take_front(end).str();
  text = text.drop_front(std::min(end, text.size())).ltrim();
  if (text.consume_front("(")) {
    call.hasArguments = true;
    size_t close = text.find(')');
    if (close == llvm::StringRef::npos)
      return std::nullopt;
    for (llvm::StringRef part : llvm::split(text.take_front(close), ','))
      if (!part.trim().empty())
        call.arguments.push_back(part.trim());
    text = text.drop_front(close + 1).ltrim();
  }
  call.rest = text;
  return call;
}

/// The axes that `names` are, of which each may be several: `data+model`.
static std::vector<PlanName> axesOf(llvm::ArrayRef<llvm::StringRef> names,
                                    PlanPlace place) {
  std::vector<PlanName> axes;
  for (llvm::StringRef name : names)
    for (llvm::StringRef axis : llvm::split(name, '+'))
      axes.push_back({axis.trim().str(), place});
  return axes;
}

Fallible<PlanStyle> tessera::importer::parseStyle(llvm::StringRef text,
                                                  PlanPlace place) {
  static const std::pair<const char *, StyleKind> kStyles[] = {
      {"colwise", StyleKind::Colwise},   {"rowwise", StyleKind::Rowwise},
      {"vocab", StyleKind::Vocab},       {"experts", StyleKind::Experts},
      {"sequence", StyleKind::Sequence}, {"replicate", StyleKind::Replicate},
  };
  std::vector<std::string> names = {"packed"};
  for (auto &[name, kind] : kStyles)
    names.push_back(name);
  PlanStyle style;
  style.text = text.str();
  std::optional<Call> call = parseCall(text);
  if (call && call->name == "packed") {
    if (call->arguments.size() != 1 ||
        call->arguments[0].getAsInteger(10, style.parts) || style.parts < 1)
      return Failure{"expected packed(N) with a number of parts, got '" +
                     text.str() + "'"};
    call = parseCall(call->rest);
    if (call && call->name != "colwise" && call->name != "rowwise")
      return Failure{"expected colwise or rowwise behind packed(N), got '" +
                     call->name + "'"};
  }
  if (!call || !call->rest.empty())
    return Failure{"expected a style as colwise(AXIS), got '" + text.str() +
                   "'"};
  auto known = llvm::find_if(
      kStyles, [&](auto &entry) { return call->name == entry.first; });
  if (known == std::end(kStyles))
    return Failure{"unknown style '" + call->name + "', expected one of " +
                   llvm::join(names, " ") + didYouMean(call->name, names)};
  style.kind = known->second;
  style.axes = axesOf(call->arguments, place);
  if (style.axes.empty() && style.kind != StyleKind::Replicate)
    return Failure{"expected the axes of the style, as " + call->name +
                   "(model), got '" + text.str() + "'"};
  return style;
}

Fallible<PlanFsdp> tessera::importer::parseFsdp(llvm::StringRef text,
                                                PlanPlace place) {
  llvm::StringRef inner = text.trim();
  if (inner.consume_front("fsdp(") && !inner.consume_back(")"))
    return Failure{"expected fsdp(AXIS) or fsdp(AXIS, SIZE), got '" +
                   text.str() + "'"};
  auto [axes, size] = inner.split(',');
  PlanFsdp fsdp;
  fsdp.axes = axesOf(axes.trim(), place);
  if (axes.trim().empty())
    return Failure{"expected fsdp(AXIS) or fsdp(AXIS, SIZE), got '" +
                   text.str() + "'"};
  size = size.trim();
  if (!size.empty()) {
    Fallible<int64_t> bytes = parseBytes({size.data(), size.size()});
    if (!bytes)
      return bytes.failure();
    fsdp.minBytes = *bytes;
  }
  return fsdp;
}

Fallible<PlanPlacement> tessera::importer::parsePlacement(llvm::StringRef text,
                                                          PlanPlace place) {
  PlanPlacement placement;
  placement.place = place;
  std::optional<Call> call = parseCall(text);
  Failure malformed{"expected Replicate, Shard(DIM) or _StridedShard(DIM, "
                    "split_factor=N), got '" +
                    text.str() + "'"};
  if (!call || !call->rest.empty())
    return malformed;
  if (call->name == "Partial")
    return Failure{"expected Replicate or Shard(DIM): an argument is no "
                   "pending sum, got '" +
                   text.str() + "'"};
  if (call->name == "Replicate" && call->arguments.empty())
    return placement;
  bool isStrided = call->name == "_StridedShard";
  if ((call->name != "Shard" && !isStrided) ||
      call->arguments.size() != (isStrided ? 2 : 1))
    return malformed;
  llvm::StringRef dim = call->arguments[0];
  dim.consume_front("dim=");
  int64_t number;
  if (dim.getAsInteger(10, number))
    return malformed;
  placement.dim = number;
  if (isStrided) {
    llvm::StringRef factor = call->arguments[1];
    factor.consume_front("split_factor=");
    if (factor.consume_front("sf="),
        factor.getAsInteger(10, placement.splitFactor) ||
            placement.splitFactor < 1)
      return malformed;
  }
  return placement;
}

Fallible<PlanDim> tessera::importer::parseDim(llvm::StringRef text,
                                              PlanPlace place) {
  PlanDim dim;
  llvm::StringRef inner = text.trim();
  if (inner == "...") {
    dim.isRest = true;
    return dim;
  }
  if (inner.empty() || inner == "-" || inner == "null" || inner == "None" ||
      inner == "~")
    return dim;
  auto [name, priority] = inner.split(' ');
  if (!priority.empty()) {
    int64_t number;
    if (!priority.consume_front("p") || priority.getAsInteger(10, number) ||
        number < 0)
      return Failure{"expected an axis, maybe with a priority as in 'model "
                     "p1', got '" +
                     text.str() + "'"};
    dim.priority = number;
  }
  dim.open = name.consume_back("?");
  if (!name.empty())
    dim.axes = axesOf(name, place);
  return dim;
}

Fallible<TensorRole> tessera::importer::parseRole(llvm::StringRef text) {
  const std::vector<std::string> names = {"weight", "state", "batch", "result"};
  auto known = llvm::find(names, text.str());
  if (known == names.end())
    return Failure{"unknown role '" + text.str() + "', expected one of " +
                   llvm::join(names, " ") + didYouMean(text.str(), names)};
  return TensorRole(known - names.begin());
}
