//===- Report.cpp - what was decided, for programs to read ----------------===//

#include "Report.h"

#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Spmd/WorkCosts.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Driver/Compiler.h"
#include "tessera/Interfaces/TripCount.h"
#include "tessera/Simulator/ChartSummary.h"
#include "tessera/Simulator/ProgramPrediction.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>
#include <set>

using namespace tessera;
namespace json = llvm::json;

int64_t tessera::countOperations(mlir::Operation *op) {
  int64_t count = -1; // without itself
  op->walk([&](mlir::Operation *) { ++count; });
  return count;
}

/// `{"name", "type": "tensor<8x16xf32>", "sharding", "donated"}` of an argument
/// or result in the manifest, and `device_order`, if it has one of its own.
static json::Object describeTensor(const json::Object &tensor) {
  std::string type = "tensor<";
  for (const json::Value &size : *tensor.getArray("shape"))
    type += llvm::formatv("{0}x", size).str();
  type += tensor.getString("dtype").value_or("").str() + ">";
  json::Object described{{"name", tensor.getString("name")},
                         {"type", type},
                         {"sharding", tensor.getString("text")}};
  if (tensor.get("donated"))
    described["donated"] = tensor.getInteger("donated").has_value();
  if (const json::Array *order = tensor.getArray("device_order"))
    described["device_order"] = json::Array(*order);
  return described;
}

static json::Array describeTensors(const json::Object &manifest,
                                   llvm::StringRef key) {
  json::Array list;
  for (const json::Value &tensor : *manifest.getArray(key))
    list.push_back(describeTensor(*tensor.getAsObject()));
  return list;
}

static json::Array textsOf(llvm::ArrayRef<std::string> lines) {
  json::Array list;
  for (const std::string &line : lines)
    list.push_back(line);
  return list;
}

/// The messages between pipeline ranks, as collectives without axes: `rank`
/// sends to `target`.
static json::Array describeMessages(mlir::ModuleOp module) {
  json::Array messages;
  auto meshes = module.getOps<MeshOp>();
  auto table =
      module->getAttrOfType<mlir::ArrayAttr>(rt::RtDialect::kTransfersAttr);
  if (!table)
    return messages;
  stage::RankLinks ranks(*meshes.begin());
  for (auto entry : table.getAsRange<mlir::DictionaryAttr>()) {
    auto number = [&](llvm::StringRef key) {
      return entry.getAs<mlir::IntegerAttr>(key).getInt();
    };
    std::string type;
    llvm::raw_string_ostream(type)
        << entry.getAs<mlir::TypeAttr>("type").getValue();
    auto why = entry.getAs<ProvenanceAttr>("why");
    messages.push_back(json::Object{
        {"kind", "send"},
        {"axes", json::Array()},
        {"groups", 1},
        {"rank", number("source")},
        {"target", number("target")},
        {"type", type},
        {"times", number("times")},
        {"bytes", number("bytes")},
        {"seconds", messageSeconds(ranks, number("source"), number("target"),
                                   number("times"), number("bytes"))},
        {"location", entry.getAs<mlir::StringAttr>("location").getValue()},
        {"why", textsOf(describeWhy(why))}});
  }
  return messages;
}

/// Adds to `collective` how long it takes, why it is there, and what would
/// remove it if that is known. `recorded` is what the program says of it.
static void describeReasons(json::Object &collective,
                            mlir::DictionaryAttr recorded,
                            mlir::ModuleOp module, spmd::DeviceSeconds &device,
                            const RemedyTable &remedies) {
  auto kind = recorded.getAs<mlir::StringAttr>("kind");
  auto axes = recorded.getAs<AxesAttr>("axes");
  auto why = recorded.getAs<ProvenanceAttr>("why");
  auto number = [&](llvm::StringRef key) {
    return recorded.getAs<mlir::IntegerAttr>(key).getInt();
  };
  auto mesh = module.lookupSymbol<MeshOp>(axes.getMesh().getAttr());
  if (std::optional<CollectiveKind> known = collectiveFromName(kind.getValue()))
    collective["seconds"] = collectiveSeconds(*known, axes, mesh, device,
                                              number("times"), number("bytes"));
  collective["why"] = textsOf(describeWhy(why, axes));
  if (auto remedy = remedies.find({kind, why}); remedy != remedies.end())
    collective["remedy"] = remedy->second;
}

/// The collectives of the manifest and the messages between pipeline ranks,
/// each with why it is there. `bytes` is what the device sends that sends most,
/// `calls` in how many calls one does the collectives that does most.
static json::Object describeCommunication(mlir::ModuleOp module,
                                          const json::Object &manifest,
                                          const RemedyTable &remedies) {
  json::Array collectives = *manifest.getArray("collectives");
  auto table =
      module->getAttrOfType<mlir::ArrayAttr>(rt::RtDialect::kCollectivesAttr);
  // Each device belongs to one pipeline rank.
  std::map<int64_t, int64_t> bytesOfRank, callsOfRank;
  std::set<std::pair<int64_t, int64_t>> combined;
  int64_t bytes = 0, calls = 0;
  spmd::DeviceSeconds device(module);
  for (auto [number, entry] : llvm::enumerate(collectives)) {
    describeReasons(*entry.getAsObject(),
                    llvm::cast<mlir::DictionaryAttr>(table[number]), module,
                    device, remedies);
    const json::Object &collective = *entry.getAsObject();
    int64_t rank = collective.getInteger("rank").value_or(0);
    std::optional<int64_t> call = collective.getInteger("call");
    if (!call || combined.insert({rank, *call}).second)
      calls = std::max(calls, callsOfRank[rank] +=
                              collective.getInteger("times").value_or(0));
  }
  for (json::Value &message : describeMessages(module))
    collectives.push_back(std::move(message));
  for (const json::Value &entry : collectives) {
    const json::Object &collective = *entry.getAsObject();
    bytes = std::max(bytes,
                     bytesOfRank[collective.getInteger("rank").value_or(0)] +=
                     collective.getInteger("bytes").value_or(0));
  }
  return json::Object{{"bytes", bytes},
                      {"calls", calls},
                      {"collectives", std::move(collectives)}};
}

/// The schedule of the pipeline ranks; memory is what the finished program
/// needs on a device of each.
static json::Object describeSchedule(const stage::PredictedStep &predicted,
                                     const json::Object &manifest,
                                     const Chart &step) {
  ChartFigures figures(step);
  json::Array memory;
  if (const json::Object *pipeline = manifest.getObject("pipeline"))
    memory = *pipeline->getArray("memory");
  return json::Object{{"schedule", predicted.schedule.name},
                      {"ranks", int64_t(predicted.schedule.ranks.size())},
                      {"stages", predicted.schedule.stages},
                      {"microbatches", predicted.schedule.microbatches},
                      {"bubble", figures.bubble()},
                      {"seconds", 1e-3 * figures.makespan},
                      {"memory", std::move(memory)}};
}

Chart tessera::chartOfStep(const json::Object &manifest) {
  Fallible<ProgramWork> work = ProgramWork::read(manifest);
  if (!work)
    return {};
  Fallible<Chart> chart = predictAsCompiled(*work);
  if (!chart)
    return {};
  chart->title = manifest.getString("model").value_or("").str();
  return *std::move(chart);
}

/// What a step takes and, in the mean of the pipeline ranks, its parts.
static json::Object describeStep(const Chart &step) {
  json::Object described{{"seconds", 1e-3 * step.makespan()},
                         {"machine", step.machine}};
  for (const auto &[part, milliseconds] : step.parts)
    described[part] = 1e-3 * milliseconds;
  return described;
}

RematerializedWork tessera::findRematerialized(mlir::ModuleOp module) {
  RematerializedWork work;
  spmd::DeviceSeconds seconds(module);
  module.walk([&](mlir::Operation *op) {
    if (spmd::isHostCopy(op)) {
      bool isThere = llvm::isa<spmd::OffloadOp>(op);
      work.copied += isThere;
      work.copiedBytes += isThere ? spmd::bytesOf(op->getResult(0)) : 0;
      work.copySeconds += seconds.of(op);
    }
    if (!op->hasAttr(spmd::kRematerializedAttr))
      return;
    ++work.operations;
    work.collectives += llvm::isa<spmd::CollectiveOpInterface>(op);
    work.seconds += seconds.of(op) * tripCount(op->getParentOp());
  });
  return work;
}

json::Object
tessera::makeReport(mlir::ModuleOp module, const json::Object &manifest,
                    json::Object operations, const CompileTimer &timer,
                    const stage::PredictedStep *predicted,
                    const RemedyTable &remedies, const Chart &step) {
  json::Object times = *timer.toJSON().getAsObject();
  int64_t devices = manifest.getArray("programs")->size();
  for (const json::Value &axis : *manifest.getArray("mesh"))
    devices *= *axis.getAsObject()->getInteger("size");
  json::Object report{
      {"tessera", kVersion},
      {"model", manifest.getString("model")},
      {"target", manifest.getString("target")},
      {"mesh", *manifest.get("mesh")},
      {"devices", devices},
      {"operations", std::move(operations)},
      {"phases", std::move(*times.get("phases"))},
      {"arguments", describeTensors(manifest, "arguments")},
      {"results", describeTensors(manifest, "results")},
      {"memory", *manifest.get("memory")},
      {"communication", describeCommunication(module, manifest, remedies)},
      {"kernels", *manifest.get("kernels")}};
  if (const json::Value *changes = manifest.get("changed_mathematics"))
    report["changed_mathematics"] = *changes;
  if (!step.tracks.empty())
    report["step"] = describeStep(step);
  if (predicted)
    report["pipeline"] = describeSchedule(*predicted, manifest, step);
  return report;
}
