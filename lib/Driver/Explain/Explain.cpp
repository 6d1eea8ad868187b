//===- Explain.cpp - why the program communicates -------------------------===//

#include "Explain.h"

#include "Quantities.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Support/StableSort.h"
#include "tessera/Transforms/Stage/Costs/RankLinks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// How often each function is called, by name; one that no one calls runs once.
using CallCounts = llvm::StringMap<int64_t>;

static CallCounts countCalls(ModuleOp module) {
  CallCounts counts;
  module.walk([&](func::CallOp call) { ++counts[call.getCallee()]; });
  return counts;
}

/// How often `op` runs in one step, as far as is known.
static int64_t countRuns(Operation *op, const CallCounts &calls) {
  int64_t times = 1;
  if (auto function = op->getParentOfType<func::FuncOp>())
    times = std::max<int64_t>(1, calls.lookup(function.getSymName()));
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (std::optional<APInt> count = loop.getStaticTripCount())
      times *= count->getSExtValue();
  return times;
}

double tessera::collectiveSeconds(CollectiveKind kind, AxesAttr axes,
                                  MeshOp mesh, spmd::DeviceSeconds &device,
                                  int64_t times, int64_t bytes) {
  const GroupLinks &links = device.linksOf(axes);
  int64_t members = groupSize(mesh, axes);
  return times * links.latencySeconds(kind, members) +
         links.transferSeconds(kind, members, bytes);
}

double tessera::messageSeconds(const stage::RankLinks &ranks, int64_t source,
                               int64_t target, int64_t times, int64_t bytes) {
  LinkCosts links = ranks.between(source, target);
  return times * links.latency + bytes / links.bandwidth;
}

static Collective describe(spmd::CollectiveOpInterface op,
                           const CallCounts &calls,
                           spmd::DeviceSeconds &device) {
  MeshOp mesh = lookupMesh(op, op.getAxes().getMesh());
  int64_t times = countRuns(op, calls);
  int64_t bytes = times * op.getBytesSent(groupSize(op, op.getAxes()));
  const CollectiveInfo &info = collectiveInfo(op.getCollectiveKind());
  Type operand = op->getOperand(0).getType(),
       result = op->getResult(0).getType();
  return {info.name,
          op.getAxes(),
          info.joinsResult ? result : operand,
          times,
          bytes,
          collectiveSeconds(op.getCollectiveKind(), op.getAxes(), mesh, device,
                            times, bytes),
          op->getLoc()};
}

static Collective describe(spmd::SendOp op, MeshOp mesh,
                           const stage::RankLinks &ranks,
                           const CallCounts &calls) {
  RankedTensorType type = op.getOperand().getType();
  int64_t times = countRuns(op, calls);
  int64_t bytes = times * type.getNumElements() *
                  llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  auto sender = op->getParentOfType<func::FuncOp>()->getAttrOfType<IntegerAttr>(
      pipe::PipeDialect::kRankAttr);
  return {op->getName().stripDialect().str(),
          AxesAttr::get(op.getContext(), FlatSymbolRefAttr::get(mesh), {}),
          type,
          times,
          bytes,
          messageSeconds(ranks, sender ? sender.getInt() : 0, op.getRank(),
                         times, bytes),
          op.getLoc()};
}

std::vector<Collective> tessera::findCollectives(ModuleOp module) {
  std::vector<Collective> collectives;
  CallCounts calls = countCalls(module);
  spmd::DeviceSeconds device(module);
  std::optional<stage::RankLinks> ranks;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op))
      collectives.push_back(describe(collective, calls, device));
    else if (auto send = dyn_cast<spmd::SendOp>(op)) {
      MeshOp mesh = *module.getOps<MeshOp>().begin();
      if (!ranks)
        ranks.emplace(mesh);
      collectives.push_back(describe(send, mesh, *ranks, calls));
    }
  });
  return collectives;
}

//===----------------------------------------------------------------------===//
// Grouping
//===----------------------------------------------------------------------===//

int64_t CollectiveGroup::bytes() const {
  int64_t sum = 0;
  for (const Collective &member : members)
    sum += member.bytes;
  return sum;
}

int64_t CollectiveGroup::count() const {
  int64_t sum = 0;
  for (const Collective &member : members)
    sum += member.times;
  return sum;
}

double CollectiveGroup::seconds() const {
  double sum = 0;
  for (const Collective &member : members)
    sum += member.seconds;
  return sum;
}

static std::string axesText(AxesAttr axes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(axes.getAxes(), os,
                        [&](const AxisRef &axis) { axis.print(os); });
  return text;
}

/// What equal collectives of several layers have in common: everything but the
/// numbers of the layers, and the ways on which axes came.
static std::string groupKey(const Collective &collective) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << collective.kind << collective.axes << collective.type
     << collective.times << describeFile(collective.loc);
  ProvenanceAttr why = findProvenance(collective.loc);
  if (!why)
    return key;
  os << why.getReason() << why.getSource() << why.getTarget()
     << why.getConflict();
  for (PlaceAttr place : {why.getProducer(), why.getConsumer()})
    if (place)
      os << withoutLayerNumbers(describePlace(place));
  for (OriginAttr origin : originsOf(why, collective.axes))
    os << origin.getAxis() << origin.getSide() << origin.getSharding()
       << withoutLayerNumbers(origin.getAnnotation().getWhat());
  return key;
}

std::vector<CollectiveGroup>
tessera::groupCollectives(ArrayRef<Collective> collectives) {
  std::vector<CollectiveGroup> groups;
  llvm::StringMap<size_t> groupOf;
  for (const Collective &collective : collectives) {
    auto [entry, isNew] =
        groupOf.try_emplace(groupKey(collective), groups.size());
    if (isNew)
      groups.emplace_back();
    CollectiveGroup &group = groups[entry->second];
    group.members.push_back(collective);
    ProvenanceAttr provenance = findProvenance(collective.loc);
    SmallVector<std::string> why = describeWhy(provenance, collective.axes);
    if (isNew)
      group.why = std::move(why);
    else
      for (auto [line, other] : llvm::zip(group.why, why))
        if (line != other)
          line = withoutLayerNumbers(line);
  }
  stableSort(groups, [](const auto &a, const auto &b) {
    return a.bytes() > b.bytes();
  });
  return groups;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Bytes and number of the collectives in one cell of the table.
struct Cell {
  int64_t bytes = 0, count = 0;

  void add(const CollectiveGroup &group) {
    bytes += group.bytes();
    count += group.count();
  }
  std::string text() const {
    return count ? formatBytes(bytes) + " (" + std::to_string(count) + ")" : "";
  }
};

/// Bytes by kind, one row each, and axes, one column each.
static void printTable(ArrayRef<CollectiveGroup> groups, raw_ostream &os) {
  llvm::MapVector<StringRef, llvm::StringMap<Cell>> rows;
  llvm::MapVector<StringRef, Cell> columns;
  std::vector<std::string> names;
  names.reserve(groups.size());
  for (const CollectiveGroup &group : groups) {
    const Collective &first = group.front();
    names.push_back(first.isMessage() ? "ranks" : axesText(first.axes));
    StringRef column = names.back(), row = group.front().kind;
    rows[row][column].add(group);
    rows[row]["total"].add(group);
    columns[column].add(group);
    columns["total"].add(group);
  }
  // The sums stand last.
  Cell total = columns["total"];
  columns.erase("total");
  columns["total"] = total;
  auto printRow = [&](StringRef name, auto textOf) {
    std::string line = llvm::formatv("  {0,-16}", name).str();
    for (auto &[column, cell] : columns)
      line += llvm::formatv("  {0,-20}", textOf(column)).str();
    os << StringRef(line).rtrim() << '\n';
  };
  printRow("", [](StringRef column) { return column.str(); });
  for (auto &[kind, cells] : rows)
    printRow(kind, [&](StringRef column) { return cells[column].text(); });
  printRow("total", [&](StringRef column) { return columns[column].text(); });
}

/// Prints one paragraph of `--explain`: what is sent how often and for how
/// long, where the model asks for it, why, and by which change of the
/// annotations it would go.
static void printGroup(unsigned number, const CollectiveGroup &group,
                       raw_ostream &os) {
  const Collective &first = group.front();
  os << '\n' << number << ". " << first.kind;
  if (first.isMessage())
    os << " to another pipeline rank";
  else
    os << " over " << axesText(first.axes);
  os << " of " << first.type;
  if (first.isMessage() && group.count() > 1)
    os << ", " << group.count() << " times";
  else if (group.members.size() > 1)
    os << ", x " << group.members.size();
  if (!first.isMessage() && first.times > 1)
    os << ", " << first.times << " times each";
  os << ": " << formatBytes(group.bytes()) << ", "
     << formatSeconds(group.seconds()) << '\n';
  if (std::string file = describeFile(first.loc); !file.empty())
    os << "   at " << file << '\n';
  for (const std::string &line : group.why)
    os << "   " << line << '\n';
  if (!group.remedy.empty())
    os << "   to remove it, " << group.remedy << '\n';
  else if (!group.exchange.empty())
    os << "   no remedy that was found is worth it: one may " << group.exchange
       << '\n';
  else if (group.isSearched)
    os << "   no change of the annotations that it leads to was found to "
          "remove it"
       << (group.isCut ? ", but not all were tried\n" : "\n");
}

/// Says for how many collectives trials ended before all changes were tried.
static void printLimits(ArrayRef<CollectiveGroup> groups, raw_ostream &os) {
  Cell cut, all;
  for (const CollectiveGroup &group : groups) {
    all.add(group);
    if (group.isCut)
      cut.add(group);
  }
  if (cut.count)
    os << "\nTrials take much longer than compiling and are limited: not all "
          "changes that might remove them were tried for "
       << cut.count << " of " << all.count << " collectives ("
       << formatBytes(cut.bytes) << " of " << formatBytes(all.bytes) << ").\n";
}

void tessera::printExplanation(ModuleOp module,
                               ArrayRef<CollectiveGroup> groups,
                               raw_ostream &os) {
  Cell collectives, messages;
  double seconds = 0;
  for (const CollectiveGroup &group : groups) {
    (group.front().isMessage() ? messages : collectives).add(group);
    seconds += group.seconds();
  }
  int64_t ranks = llvm::count_if(module.getOps(), [](Operation &op) {
    return op.hasAttr(pipe::PipeDialect::kRankAttr);
  });
  auto number = [&](const Cell &cell, StringRef what) {
    os << cell.count << ' ' << what << (cell.count == 1 ? "" : "s");
  };
  if (ranks)
    os << "Of each of the " << ranks << " pipeline ranks one device: together "
       << "they send ";
  else
    os << "Each device sends ";
  os << formatBytes(collectives.bytes + messages.bytes) << " per step in ";
  number(collectives, "collective");
  if (ranks) {
    os << " and ";
    number(messages, "message");
  }
  for (MeshOp mesh : module.getOps<MeshOp>())
    os << ", on " << mesh.getMesh().getMesh();
  os << "; all links busy for " << formatSeconds(seconds)
     << " if none overlap.";
  if (groups.empty()) {
    os << '\n';
    return;
  }
  os << "\n\n";
  printTable(groups, os);
  for (auto [index, group] : llvm::enumerate(groups))
    printGroup(index + 1, group, os);
  printLimits(groups, os);
}
