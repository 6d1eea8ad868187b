//===- ProgramWork.cpp - What a compiled program does, step by step -------===//

#include "tessera/Simulator/ProgramWork.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
namespace json = llvm::json;

static Failure malformed(const std::string &what) {
  return Failure{"malformed manifest: expected " + what};
}

static Fallible<Mesh> readMesh(const json::Object &manifest) {
  const json::Array *axes = manifest.getArray("mesh");
  if (!axes)
    return malformed("a mesh");
  llvm::SmallVector<MeshAxis> list;
  for (const json::Value &value : *axes) {
    const json::Object *axis = value.getAsObject();
    if (!axis || !axis->getString("name") || !axis->getInteger("size"))
      return malformed("axes with name and size");
    list.push_back(
        {AxisName(*axis->getString("name")), *axis->getInteger("size")});
  }
  llvm::SmallVector<int64_t> order;
  if (const json::Array *devices = manifest.getArray("device_order"))
    for (const json::Value &device : *devices)
      order.push_back(device.getAsInteger().value_or(-1));
  Mesh mesh;
  mesh.axes.assign(list.begin(), list.end());
  mesh.deviceIds = std::move(order);
  if (std::string error = mesh.verify(); !error.empty())
    return malformed("a mesh: " + error);
  return mesh;
}

static LinkCosts readLinks(const json::Value &value) {
  LinkCosts links;
  if (const json::Object *object = value.getAsObject()) {
    links.latency = object->getNumber("latency").value_or(links.latency);
    links.bandwidth = object->getNumber("bandwidth").value_or(links.bandwidth);
  }
  return links;
}

/// What a level does beside latency and bandwidth; nothing where it does not
/// say.
static LinkDetails readDetails(const json::Object *level) {
  LinkDetails details;
  if (!level)
    return details;
  details.launch = level->getNumber("launch").value_or(0);
  details.halfSaturation = level->getNumber("half_saturation").value_or(0);
  details.copyBandwidth = level->getNumber("copy_bandwidth").value_or(0);
  details.links = level->getInteger("links").value_or(0);
  return details;
}

static KernelCosts readKernelCosts(const json::Object *object) {
  KernelCosts kernels;
  if (!object)
    return kernels;
  kernels.launch = object->getNumber("launch").value_or(0);
  kernels.efficiency = object->getNumber("efficiency").value_or(1);
  kernels.processors = object->getInteger("processors").value_or(0);
  kernels.tile = object->getInteger("tile").value_or(0);
  kernels.memoryHalfSaturation =
      object->getNumber("memory_half_saturation").value_or(0);
  return kernels;
}

/// The machine of the manifest, under `mesh`.
static Fallible<std::optional<Cluster>>
readMachine(const json::Object &manifest, const Mesh &mesh) {
  const json::Object *object = manifest.getObject("machine");
  const json::Array *links = object ? object->getArray("links") : nullptr;
  const json::Array *levels = object ? object->getArray("levels") : nullptr;
  if (!links || !levels)
    return std::optional<Cluster>();
  if (links->size() != mesh.axes.size())
    return malformed("a machine with links for each axis");
  Machine device;
  std::vector<ClusterLevel> network;
  device.compute = object->getNumber("compute").value_or(device.compute);
  device.memoryBandwidth =
      object->getNumber("memory_bandwidth").value_or(device.memoryBandwidth);
  device.memory = object->getInteger("memory").value_or(device.memory);
  if (const json::Value *host = object->get("host")) {
    LinkCosts link = readLinks(*host);
    const json::Object *entry = host->getAsObject();
    device.host = {link.latency, link.bandwidth,
                   entry ? entry->getInteger("memory").value_or(0) : 0};
  }
  for (const json::Value &level : *levels) {
    const json::Object *entry = level.getAsObject();
    int64_t devices = entry ? entry->getInteger("devices").value_or(0) : 0;
    network.push_back({"", devices, readLinks(level), readDetails(entry)});
  }
  for (const json::Value &link : *links)
    device.links.push_back(readLinks(link));
  Cluster cluster = Cluster::around(device, std::move(network), mesh);
  cluster.name = object->getString("name").value_or("").str();
  cluster.kernels = readKernelCosts(object->getObject("kernels"));
  if (std::string error = cluster.verify(); !error.empty())
    return malformed("a machine: " + error);
  return std::optional(std::move(cluster));
}

/// The axes along which the members of a group differ.
static Fallible<llvm::SmallVector<AxisRef>> readAxes(const json::Array *axes,
                                                     const Mesh &mesh) {
  if (!axes)
    return malformed("a collective's axes");
  llvm::SmallVector<AxisRef> refs;
  for (const json::Value &entry : *axes) {
    const json::Object *axis = entry.getAsObject();
    if (!axis || !axis->getString("axis") ||
        !mesh.findAxis(*axis->getString("axis")))
      return malformed("a collective along axes of the mesh");
    AxisName name(*axis->getString("axis"));
    std::optional<int64_t> pre = axis->getInteger("pre"),
                           size = axis->getInteger("size");
    refs.push_back(pre && size ? AxisRef(name, *pre, *size) : AxisRef(name));
  }
  return refs;
}

/// The kind of a step, and the value of the key that says so.
static std::optional<std::pair<WorkStep::Kind, const json::Value *>>
kindOf(const json::Object &step) {
  using Kind = WorkStep::Kind;
  static constexpr std::pair<const char *, Kind> kKeys[] = {
      {"kernel", Kind::Kernel}, {"collective", Kind::Collective},
      {"copy", Kind::Copy},     {"wait", Kind::Wait},
      {"loop", Kind::Loop},     {"call", Kind::Call},
      {"send", Kind::Send},     {"recv", Kind::Recv}};
  for (auto [key, kind] : kKeys)
    if (const json::Value *value = step.get(key))
      return std::pair(kind, value);
  return std::nullopt;
}

/// The products of a kernel, which may have none.
static std::vector<ProductShape> readProducts(const json::Array *array) {
  std::vector<ProductShape> products;
  for (const json::Value &value : array ? *array : json::Array()) {
    const json::Array *sizes = value.getAsArray();
    if (!sizes || sizes->size() != 4)
      continue;
    auto size = [&](size_t i) {
      return (*sizes)[i].getAsInteger().value_or(1);
    };
    products.push_back({size(0), size(1), size(2), size(3)});
  }
  return products;
}

namespace {

/// Reads the steps of functions.
class StepReader {
public:
  explicit StepReader(const Mesh &mesh) : mesh(mesh) {}

  Fallible<std::vector<WorkStep>> read(const json::Array *array) const {
    std::vector<WorkStep> steps;
    if (!array)
      return malformed("steps");
    for (const json::Value &value : *array) {
      const json::Object *object = value.getAsObject();
      Fallible<WorkStep> step =
          object ? readStep(*object) : Fallible<WorkStep>(malformed("steps"));
      if (!step)
        return step.failure();
      steps.push_back(*std::move(step));
    }
    return steps;
  }

private:
  /// Reads one step of a function's work from the manifest; a number that is
  /// missing is 0. Fails, naming what was expected, for a step of no known kind
  /// and for malformed axes or steps of a loop.
  Fallible<WorkStep> readStep(const json::Object &object) const {
    auto kind = kindOf(object);
    if (!kind)
      return malformed("a step of a known kind");
    WorkStep step;
    step.kind = kind->first;
    step.name = kind->second->getAsString().value_or("").str();
    step.task = object.getString("task").value_or("").str();
    auto number = [&](llvm::StringRef key) {
      return object.getNumber(key).value_or(0);
    };
    step.operations = number("operations");
    step.bytes = number("bytes");
    step.live = number("live");
    step.tag = number("tag");
    int64_t value = kind->second->getAsInteger().value_or(0);
    switch (step.kind) {
    case WorkStep::Kind::Collective: {
      std::optional<CollectiveKind> collective = collectiveFromName(step.name);
      if (!collective)
        return malformed("a collective of a known kind, got '" + step.name +
                         "'");
      step.collective = *collective;
      auto axes = readAxes(object.getArray("axes"), mesh);
      if (!axes)
        return axes.failure();
      step.axes = *std::move(axes);
      step.started = object.getInteger("start").value_or(0);
      return step;
    }
    case WorkStep::Kind::Copy:
      step.started = object.getInteger("start").value_or(0);
      return step;
    case WorkStep::Kind::Wait:
      step.started = value;
      return step;
    case WorkStep::Kind::Loop: {
      step.times = value;
      Fallible<std::vector<WorkStep>> steps = read(object.getArray("steps"));
      if (!steps)
        return steps.failure();
      step.steps = *std::move(steps);
      return step;
    }
    case WorkStep::Kind::Send:
    case WorkStep::Kind::Recv:
      step.peer = value;
      return step;
    case WorkStep::Kind::Kernel:
      step.products = readProducts(object.getArray("products"));
      return step;
    case WorkStep::Kind::Call:
      return step;
    }
    return step;
  }

  const Mesh &mesh;
};

} // namespace

/// What a device of rank number `rank` needs, by the manifest's own figures.
static RankMemory readMemory(const json::Object &manifest, size_t rank) {
  const json::Array *programs = manifest.getArray("programs");
  if (!programs || rank >= programs->size())
    return {};
  const json::Object *program = (*programs)[rank].getAsObject();
  const json::Object *memory = program ? program->getObject("memory") : nullptr;
  if (!memory)
    return {};
  int64_t peak = memory->getInteger("peak").value_or(0);
  return {double(peak),
          double(peak - memory->getInteger("temporary").value_or(0))};
}

Fallible<ProgramWork> ProgramWork::read(const json::Object &manifest) {
  ProgramWork work;
  Fallible<Mesh> mesh = readMesh(manifest);
  if (!mesh)
    return mesh.failure();
  work.mesh = *std::move(mesh);
  Fallible<std::optional<Cluster>> machine = readMachine(manifest, work.mesh);
  if (!machine)
    return machine.failure();
  work.machine = *std::move(machine);
  const json::Array *functions = manifest.getArray("work");
  if (!functions)
    return Failure{"the program has no record of its work: compile it again"};
  StepReader reader(work.mesh);
  for (const json::Value &value : *functions) {
    const json::Object *function = value.getAsObject();
    if (!function || !function->getString("name"))
      return malformed("functions with names");
    Fallible<std::vector<WorkStep>> steps =
        reader.read(function->getArray("steps"));
    if (!steps)
      return steps.failure();
    std::string name = function->getString("name")->str();
    work.functions[name] = *std::move(steps);
    if (std::optional<int64_t> rank = function->getInteger("rank")) {
      if (*rank != int64_t(work.ranks.size()))
        return malformed("pipeline ranks in order");
      work.memory.push_back(readMemory(manifest, *rank));
      work.ranks.push_back(std::move(name));
    }
  }
  if (work.ranks.empty())
    return malformed("a function that a rank runs");
  return work;
}
