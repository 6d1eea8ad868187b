//===- Manifest.cpp - What a compiled model says about itself -------------===//

#include "GpuResources.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tessera/Codegen/Host/Target.h"
#include "tessera/Dialect/Pipe/NetworkLevels.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Dialect/Rt/ProgramMemory.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/ChangedMathematics.h"
#include "tessera/Dialect/Tessera/ComplexBoundary.h"
#include "tessera/Dialect/Tessera/DeviceOrder.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/ShortTypeBoundary.h"
#include "tessera/Package/Package.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tessera;
namespace json = llvm::json;

namespace {

/// Reads the manifest off a program whose code has been made.
class ManifestBuilder {
public:
  ManifestBuilder(ModuleOp module, const PackageOptions &options,
                  ArrayRef<nvptx::GpuImage> images)
      : module(module), options(options), images(images),
        main(module.lookupSymbol<func::FuncOp>("main")) {}

  FailureOr<json::Object> run() {
    FailureOr<LargestProgram> largest = findLargestProgram(module);
    if (failed(largest) || failed(findPrograms()))
      return failure();
    FailureOr<json::Object> cpu = describeCpu();
    if (failed(cpu))
      return failure();
    auto gpus = module->getAttrOfType<ArrayAttr>(rt::RtDialect::kGpuAttr);
    // Arrays that grow copy what they hold, so the long ones have their size.
    json::Array arguments, results;
    arguments.reserve(main.getNumArguments());
    results.reserve(main.getNumResults());
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      arguments.push_back(describeArgument(i));
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      results.push_back(describeResult(i));
    json::Object manifest{{"schema", 2},
                          {"abi", kAbiVersion},
                          {"tessera", options.version},
                          {"model", options.model},
                          {"target", gpus ? "cuda" : "cpu"},
                          {"cpu", std::move(*cpu)},
                          {"mesh", describeMesh()},
                          {"arguments", std::move(arguments)},
                          {"results", std::move(results)},
                          {"memory", describeMemory(largest->function)},
                          {"communicators", describeCommunicators()},
                          {"collectives", describeCollectives()},
                          {"kernels", describeKernels()}};
    manifest["programs"] = describePrograms();
    if (auto changes = module->getAttrOfType<ArrayAttr>(kMathematicsAttr)) {
      json::Array sentences;
      for (auto sentence : changes.getAsRange<StringAttr>())
        sentences.push_back(sentence.getValue());
      manifest["changed_mathematics"] = std::move(sentences);
    }
    if (gpus)
      manifest["gpu"] = json::Object{{"architectures", describeGpus(gpus)}};
    if (auto schedule = main->getAttrOfType<pipe::ScheduleAttr>(
            pipe::PipeDialect::kScheduleAttr))
      manifest["pipeline"] = describePipeline(schedule);
    if (MeshOp mesh = findMesh(); mesh && mesh.getOnAttr())
      manifest["machine"] = describeMachine(mesh);
    if (MeshOp mesh = findMesh();
        mesh && !mesh.getMesh().getMesh().deviceIds.empty())
      manifest["device_order"] =
          json::Array(mesh.getMesh().getMesh().deviceIds);
    return manifest;
  }

private:
  static json::Object describeLinks(double latency, double bandwidth) {
    return json::Object{{"latency", latency}, {"bandwidth", bandwidth}};
  }

  static void addDetails(json::Object &level, const LinkDetails &details) {
    if (details == LinkDetails())
      return;
    level["launch"] = details.launch;
    level["half_saturation"] = details.halfSaturation;
    level["copy_bandwidth"] = details.copyBandwidth;
    level["links"] = details.links;
  }

  /// The machine that the program was compiled for: what a device has, the
  /// links along each axis of the mesh, and the levels of the network if they
  /// are known.
  json::Object describeMachine(MeshOp mesh) {
    Machine machine = mesh.getMachine();
    json::Array links, levels;
    for (const LinkCosts &link : machine.links)
      links.push_back(describeLinks(link.latency, link.bandwidth));
    for (const ClusterLevel &level : pipe::readLevels(module)) {
      json::Object described =
          describeLinks(level.links.latency, level.links.bandwidth);
      described["devices"] = level.devices;
      addDetails(described, level.details);
      levels.push_back(std::move(described));
    }
    json::Object described{{"compute", machine.compute},
                           {"memory_bandwidth", machine.memoryBandwidth},
                           {"memory", machine.memory},
                           {"links", std::move(links)},
                           {"levels", std::move(levels)}};
    if (const HostMemory &host = machine.host; host.isThere()) {
      json::Object link = describeLinks(host.latency, host.bandwidth);
      link["memory"] = host.bytes;
      described["host"] = std::move(link);
    }
    if (StringRef name = pipe::readMachineName(module); !name.empty())
      described["name"] = name;
    if (KernelCosts kernels = pipe::readKernelCosts(module);
        kernels != KernelCosts())
      described["kernels"] = json::Object{
          {"launch", kernels.launch},
          {"efficiency", kernels.efficiency},
          {"processors", kernels.processors},
          {"tile", kernels.tile},
          {"memory_half_saturation", kernels.memoryHalfSaturation}};
    return described;
  }

  /// `@main`, or the programs of all pipeline ranks.
  LogicalResult findPrograms() {
    FailureOr<SmallVector<RankProgram>> found = getRankPrograms(module);
    if (failed(found))
      return failure();
    ranks = std::move(*found);
    for (const RankProgram &rank : ranks)
      if (failed(checkDonations(rank)))
        return failure();
    return success();
  }

  /// The runtime gives an argument and its result one memory on every pipeline
  /// rank that has both, so the code must expect exactly that.
  LogicalResult checkDonations(const RankProgram &rank) {
    func::FuncOp function = rank.function;
    for (auto [position, rows] : llvm::enumerate(rank.arguments)) {
      std::optional<unsigned> result = getDonatedResult(function, position),
                              whole = getDonatedResult(main, rows.number);
      BoundaryRows expected = rows;
      expected.number = whole.value_or(-1);
      bool isRight = result ? rank.results[*result] == expected : !whole;
      if (!isRight)
        return function.emitError() << "expected argument " << position
                                    << " to be donated as argument "
                                    << rows.number << " of @main is";
    }
    return success();
  }

  FailureOr<json::Object> describeCpu() {
    auto name = module->getAttrOfType<StringAttr>(rt::RtDialect::kCpuAttr);
    if (!name)
      return module.emitError(
          "expected 'rt.cpu', as the phase codegen writes it");
    llvm::Expected<codegen::Target> target =
        codegen::Target::get(name.getValue());
    if (!target)
      return module.emitError(llvm::toString(target.takeError()));
    return json::Object{{"name", target->name},
                        {"features", json::Array(target->required)}};
  }

  static json::Array describeGpus(ArrayAttr gpus) {
    json::Array names;
    for (auto gpu : gpus.getAsRange<StringAttr>())
      names.push_back(gpu.getValue());
    return names;
  }

  MeshOp findMesh() {
    auto meshes = module.getOps<MeshOp>();
    return meshes.empty() ? MeshOp() : *meshes.begin();
  }

  json::Array describeMesh() {
    json::Array axes;
    if (MeshOp mesh = findMesh())
      for (const MeshAxis &axis : mesh.getMesh().getMesh().axes)
        axes.push_back(
            json::Object{{"name", axis.name.str()}, {"size", axis.size}});
    return axes;
  }

  static json::Array describeAxes(ArrayRef<AxisRef> axes) {
    json::Array list;
    for (const AxisRef &axis : axes) {
      json::Object object{{"axis", axis.name.str()}};
      if (axis.sub) {
        object["pre"] = axis.sub->preSize;
        object["size"] = axis.sub->size;
      }
      list.push_back(std::move(object));
    }
    return list;
  }

  static std::string dtypeName(Type type, bool isUnsigned) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << type;
    if (isUnsigned && !type.isInteger(1))
      text[0] = 'u';
    return text;
  }

  /// `type` is the local type.
  static json::Object describeTensor(Type type, DictionaryAttr attributes) {
    auto local = cast<RankedTensorType>(type);
    auto has = [&](StringRef key) {
      return attributes && attributes.contains(key);
    };
    RankedTensorType global = local;
    if (has(TesseraDialect::kGlobalTypeAttr))
      global = cast<RankedTensorType>(
          attributes.getAs<TypeAttr>(TesseraDialect::kGlobalTypeAttr)
              .getValue());
    json::Object tensor{
        {"dtype",
         dtypeName(local.getElementType(), has(TesseraDialect::kUnsignedAttr))},
        {"shape", json::Array(global.getShape())},
        {"local_shape", json::Array(local.getShape())}};
    if (has(TesseraDialect::kNameAttr))
      tensor["name"] =
          attributes.getAs<StringAttr>(TesseraDialect::kNameAttr).getValue();
    if (has(kComplexAttr))
      tensor["complex"] = true;
    if (has(kShortTypeAttr))
      tensor["short_type"] =
          attributes.getAs<StringAttr>(kShortTypeAttr).getValue();
    json::Array sharding;
    sharding.reserve(local.getRank());
    std::string text;
    if (has(TesseraDialect::kShardingAttr)) {
      auto value = attributes.getAs<ShardingAttr>(TesseraDialect::kShardingAttr)
                       .getValue();
      llvm::raw_string_ostream(text) << value;
      for (const DimSharding &dim : value.dims)
        sharding.push_back(describeAxes(dim.axes));
      if (!value.unreduced.empty()) {
        tensor["unreduced"] = describeAxes(value.unreduced);
        tensor["reduction"] = stringify(value.unreducedKind);
      }
    } else {
      for (int64_t i = 0; i < local.getRank(); ++i)
        sharding.push_back(json::Array());
    }
    if (has(kDeviceOrderAttr))
      tensor["device_order"] = json::Array(
          attributes.getAs<DenseI64ArrayAttr>(kDeviceOrderAttr).asArrayRef());
    tensor["sharding"] = std::move(sharding);
    tensor["text"] = std::move(text);
    return tensor;
  }

  json::Object describeArgument(unsigned number) {
    json::Object tensor = describeTensor(main.getArgumentTypes()[number],
                                         main.getArgAttrDict(number));
    std::optional<unsigned> donated = getDonatedResult(main, number);
    tensor["donated"] = donated ? json::Value(*donated) : nullptr;
    if (main.getArgAttr(number, kInitiallyZeroAttr))
      tensor["initial"] = "zero";
    addHolders(tensor, &RankProgram::arguments, number);
    return tensor;
  }

  json::Object describeResult(unsigned number) {
    json::Object tensor =
        describeTensor(main.getFunctionType().getResult(number),
                       main.getResultAttrDict(number));
    addHolders(tensor, &RankProgram::results, number);
    return tensor;
  }

  /// With stages, the pipeline ranks that an argument or result lives on.
  void addHolders(json::Object &tensor,
                  SmallVector<BoundaryRows> RankProgram::*side,
                  unsigned number) {
    json::Array holders;
    for (auto [rank, program] : llvm::enumerate(ranks))
      if (llvm::any_of(program.*side, [&](const BoundaryRows &rows) {
            return rows.number == number;
          }))
        holders.push_back(int64_t(rank));
    if (!ranks.empty())
      tensor["ranks"] = std::move(holders);
  }

  /// One entry per pipeline rank; a single one where there are no stages.
  json::Array describePrograms() {
    std::string entry = options.prefix + rt::RtDialect::kEntryName.str();
    if (ranks.empty())
      return json::Array{describeProgram(0, entry, main)};
    json::Array programs;
    for (auto [rank, program] : llvm::enumerate(ranks)) {
      json::Object described = describeProgram(
          int64_t(rank), entry + "_" + std::to_string(rank), program.function);
      described["arguments"] = describeRows(program.arguments);
      described["results"] = describeRows(program.results);
      programs.push_back(std::move(described));
    }
    return programs;
  }

  static json::Object describeProgram(int64_t rank, std::string entry,
                                      func::FuncOp program) {
    return json::Object{{"rank", rank},
                        {"entry", std::move(entry)},
                        {"arena", ProgramMemory::of(program).temporary},
                        {"memory", describeMemory(program)}};
  }

  /// Numbers, and for some rows only an object that says which.
  static json::Array describeRows(ArrayRef<BoundaryRows> side) {
    json::Array list;
    for (const BoundaryRows &rows : side)
      if (rows.count)
        list.push_back(json::Object{{"number", rows.number},
                                    {"dimension", rows.dim},
                                    {"first_row", rows.first},
                                    {"rows", *rows.count}});
      else
        list.push_back(rows.number);
    return list;
  }

  /// What one device of a pipeline rank needs.
  static json::Object describeMemory(func::FuncOp program) {
    ProgramMemory memory = ProgramMemory::of(program);
    json::Object described{
        {"arguments", memory.arguments}, {"results", memory.results},
        {"donated", memory.donated},     {"temporary", memory.temporary},
        {"headroom", memory.headroom},   {"peak", memory.peak()}};
    if (memory.host > 0)
      described["host"] = memory.host;
    return described;
  }

  json::Object describePipeline(pipe::ScheduleAttr schedule) {
    json::Array tasks, memory;
    for (StringAttr line : schedule.getRanks())
      tasks.push_back(line.getValue());
    for (const RankProgram &rank : ranks)
      memory.push_back(ProgramMemory::of(rank.function).peak());
    return json::Object{
        {"schedule", schedule.getName().getValue()},
        {"stages", schedule.getStages()},
        {"microbatches", schedule.getMicrobatches()},
        {"ranks", std::move(tasks)},
        {"fragments", describeTable(rt::RtDialect::kFragmentsAttr)},
        {"transfers", describeTable(rt::RtDialect::kTransfersAttr)},
        {"memory", std::move(memory)}};
  }

  /// The entries of a table of dictionaries, with numbers, texts and types.
  json::Array describeTable(StringRef name) {
    json::Array list;
    auto table = module->getAttrOfType<ArrayAttr>(name);
    if (!table)
      return list;
    list.reserve(table.size());
    for (auto entry : table.getAsRange<DictionaryAttr>()) {
      json::Object object;
      for (NamedAttribute field : entry) {
        StringRef key = field.getName();
        if (auto number = dyn_cast<IntegerAttr>(field.getValue()))
          object[key] = number.getInt();
        else if (auto text = dyn_cast<StringAttr>(field.getValue()))
          object[key] = text.getValue();
        else if (auto type = dyn_cast<TypeAttr>(field.getValue()))
          object[key] = textOf(type.getValue());
      }
      list.push_back(std::move(object));
    }
    return list;
  }

  static std::string textOf(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  json::Array describeCommunicators() {
    json::Array list;
    if (auto table =
            module->getAttrOfType<ArrayAttr>(rt::RtDialect::kCommunicatorsAttr))
      for (auto axes : table.getAsRange<AxesAttr>())
        list.push_back(describeAxes(axes.getAxes()));
    return list;
  }

  json::Array describeCollectives() {
    json::Array list;
    auto table =
        module->getAttrOfType<ArrayAttr>(rt::RtDialect::kCollectivesAttr);
    if (!table)
      return list;
    list.reserve(table.size());
    for (auto entry : table.getAsRange<DictionaryAttr>()) {
      json::Array axes;
      for (const AxisRef &axis : entry.getAs<AxesAttr>("axes").getAxes())
        axes.push_back(axisText(axis));
      auto number = [&](StringRef key) {
        return entry.getAs<IntegerAttr>(key).getInt();
      };
      json::Object collective{
          {"kind", entry.getAs<StringAttr>("kind").getValue()},
          {"axes", std::move(axes)},
          {"groups", number("groups")},
          {"type", textOf(entry.getAs<TypeAttr>("type").getValue())},
          {"times", number("times")},
          {"bytes", number("bytes")},
          {"location", entry.getAs<StringAttr>("location").getValue()}};
      if (entry.contains("call"))
        collective["call"] = number("call");
      if (entry.contains("rank"))
        collective["rank"] = number("rank");
      list.push_back(std::move(collective));
    }
    return list;
  }

  /// `x`, or `x:(2)4` for a part.
  static std::string axisText(const AxisRef &axis) {
    std::string text = axis.name.str().str();
    if (axis.sub)
      text += ":(" + std::to_string(axis.sub->preSize) + ")" +
              std::to_string(axis.sub->size);
    return text;
  }

  static json::Array numbersIn(DictionaryAttr entry, StringRef name) {
    return json::Array(entry.getAs<DenseI64ArrayAttr>(name).asArrayRef());
  }
  static json::Array textsIn(DictionaryAttr entry, StringRef name) {
    json::Array list;
    for (auto text : entry.getAs<ArrayAttr>(name).getAsRange<StringAttr>())
      list.push_back(text.getValue());
    return list;
  }

  /// The bytes of each result, or the operand that it overwrites.
  static json::Array describeResults(DictionaryAttr entry) {
    json::Array list;
    for (auto [bytes, operand] : llvm::zip_equal(
             entry.getAs<DenseI64ArrayAttr>("results").asArrayRef(),
             entry.getAs<DenseI64ArrayAttr>("overwrites").asArrayRef()))
      list.push_back(operand < 0 ? json::Object{{"bytes", bytes}}
                                 : json::Object{{"overwrites", operand}});
    return list;
  }

  json::Array describeKernels() {
    json::Array list;
    GpuResources resources(module, images);
    if (auto table =
            module->getAttrOfType<ArrayAttr>(rt::RtDialect::kKernelsAttr))
      for (auto entry : table.getAsRange<DictionaryAttr>()) {
        StringRef name = entry.getAs<StringAttr>("name").getValue();
        json::Object kernel{
            {"name", name},
            {"operations", entry.getAs<IntegerAttr>("operations").getInt()},
            {"operands", numbersIn(entry, "operands")},
            {"results", describeResults(entry)},
            {"uses", textsIn(entry, "uses")}};
        resources.describe(name, kernel);
        list.push_back(std::move(kernel));
      }
    return list;
  }

  ModuleOp module;
  const PackageOptions &options;
  ArrayRef<nvptx::GpuImage> images;
  func::FuncOp main;
  /// By pipeline rank; none without stages.
  SmallVector<RankProgram> ranks;
};

} // namespace

/// `manifest` as text, with `work`, which is JSON text already, as one more
/// field where the order of names puts it.
static std::string print(json::Object manifest, StringAttr work) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream stream(os);
  if (work)
    manifest["work"] = nullptr;
  SmallVector<StringRef> names;
  for (const auto &[name, value] : manifest)
    names.push_back(name);
  llvm::sort(names);
  stream.object([&] {
    for (StringRef name : names) {
      stream.attributeBegin(name);
      if (name == "work")
        stream.rawValue(work.getValue());
      else
        stream.value(*manifest.get(name));
      stream.attributeEnd();
    }
  });
  return text;
}

FailureOr<std::string>
tessera::buildManifest(ModuleOp module, const PackageOptions &options,
                       ArrayRef<nvptx::GpuImage> images) {
  FailureOr<json::Object> manifest =
      ManifestBuilder(module, options, images).run();
  if (failed(manifest))
    return failure();
  // The longest part by far, as the phase codegen wrote it down: what the
  // functions do.
  return print(std::move(*manifest),
               module->getAttrOfType<StringAttr>(rt::RtDialect::kWorkAttr));
}
