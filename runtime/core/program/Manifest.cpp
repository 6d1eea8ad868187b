//===- Manifest.cpp -------------------------------------------------------===//
//
// The JSON library reports missing keys and wrong types by exceptions; they are
// turned into failures in `parseManifest` and do not leave this file.
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"

#include "Reduction.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::runtime;
using Json = nlohmann::json;

namespace {
/// What is wrong with the manifest.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
} // namespace

/// The value of a fallible; throws its failure after `where`.
template <typename T>
static T orThrow(Fallible<T> value, const std::string &where) {
  if (!value)
    throw Malformed(where + value.message());
  return *std::move(value);
}

/// A whole number in [low, high].
static int64_t integer(const Json &value, int64_t low, int64_t high) {
  int64_t number = value.is_number_integer() ? value.get<int64_t>() : -1;
  if (!value.is_number_integer() || number < low || number > high)
    throw Malformed("expected a number from " + std::to_string(low) + " to " +
                    std::to_string(high) + ", got " + value.dump());
  return number;
}

static std::string optionalString(const Json &object, const char *key) {
  auto found = object.find(key);
  return found == object.end() || found->is_null() ? ""
                                                   : found->get<std::string>();
}

/// The ranks at the mesh's positions that `owner` lists, if it does.
static std::vector<int32_t> parseOrder(const Json &owner) {
  std::vector<int32_t> order;
  if (auto found = owner.find("device_order");
      found != owner.end() && !found->is_null())
    for (const Json &rank : *found)
      order.push_back(static_cast<int32_t>(integer(rank, 0, INT32_MAX)));
  return order;
}

/// The mesh: a list of axes, or an object of `axes` and `device_order`.
static DeviceMesh parseMesh(const Json &manifest) {
  const Json &value = manifest.at("mesh");
  const Json &list = value.is_object() ? value.at("axes") : value;
  std::vector<MeshAxis> axes;
  for (const Json &axis : list)
    axes.push_back(
        {axis.at("name").get<std::string>(),
         static_cast<int32_t>(integer(axis.at("size"), 1, INT32_MAX))});
  return orThrow(
      DeviceMesh::create(std::move(axes),
                         parseOrder(value.is_object() ? value : manifest)),
      "");
}

/// A list of `{"axis": "x"}` and `{"axis": "x", "pre": 2, "size": 4}`.
static std::vector<SubAxis> parseAxes(const DeviceMesh &mesh,
                                      const Json &list) {
  std::vector<SubAxis> axes;
  if (!list.is_array())
    throw Malformed("expected a list of axes, got " + list.dump());
  for (const Json &item : list) {
    std::string name = item.at("axis").get<std::string>();
    bool isWhole = !item.contains("size");
    axes.push_back(
        orThrow(isWhole ? mesh.wholeAxis(name)
                        : mesh.subAxis(name,
                                       item.contains("pre")
                                           ? integer(item["pre"], 1, INT32_MAX)
                                           : 1,
                                       integer(item["size"], 1, INT32_MAX)),
                ""));
  }
  return axes;
}

static Shape parseShape(const Json &list) {
  if (!list.is_array())
    throw Malformed("expected a shape, got " + list.dump());
  Shape shape;
  for (const Json &size : list)
    shape.push_back(integer(size, 0, INT64_MAX));
  return shape;
}

/// The code of the reduction called `name`.
static int32_t parseReduction(const std::string &name) {
  static constexpr const char *names[] = {"sum", "product", "min", "max",
                                          "and", "or",      "xor"};
  const auto *found = std::ranges::find(names, name);
  if (found == std::end(names))
    throw Malformed("unknown reduction '" + name + "'");
  return static_cast<int32_t>(found - names);
}

/// Reads an argument or result of the manifest and computes who holds which
/// part of it on the devices of `mesh`; `which` names it in messages. Throws
/// Malformed where type, shape, sharding or reduction is none or they do not
/// fit.
static ManifestTensor parseTensor(const DeviceMesh &mesh, const Json &object,
                                  const std::string &which) {
  ManifestTensor tensor;
  tensor.name = optionalString(object, "name");
  std::string where =
      which + (tensor.name.empty() ? "" : " '" + tensor.name + "'") + ": ";
  std::string dtype = object.at("dtype").get<std::string>();
  std::optional<ElementType> type = elementTypeFromName(dtype);
  if (!type)
    throw Malformed(where + "unknown element type '" + dtype + "'");
  tensor.type = *type;
  tensor.shardingText = optionalString(object, "text");
  Shape global = parseShape(object.at("shape"));
  if (!elementCountOf(global, elementSize(*type)))
    throw Malformed(where + "the tensor is too large");
  std::vector<std::vector<SubAxis>> axes;
  for (const Json &dimension : object.at("sharding"))
    axes.push_back(parseAxes(mesh, dimension));
  std::vector<SubAxis> unreduced;
  if (object.contains("unreduced")) {
    unreduced = parseAxes(mesh, object["unreduced"]);
    tensor.reduction = parseReduction(object.at("reduction"));
    if (!isReducible(static_cast<int32_t>(*type), tensor.reduction))
      throw Malformed(where + "the reduction does not fit the element type");
  }
  std::vector<int32_t> order = parseOrder(object);
  DeviceMesh own = order.empty()
                       ? mesh
                       : orThrow(DeviceMesh::create(mesh.axes(), order), where);
  tensor.layout =
      orThrow(ShardLayout::create(own, std::move(global),
                                  parseShape(object.at("local_shape")),
                                  std::move(axes), std::move(unreduced)),
              where);
  return tensor;
}

/// Connects each donated argument with its result and checks that they fit.
static void parseDonations(const Json &arguments, Manifest &manifest) {
  for (size_t i = 0; i < manifest.arguments.size(); ++i) {
    auto found = arguments[i].find("donated");
    if (found == arguments[i].end() || found->is_null())
      continue;
    ManifestTensor &argument = manifest.arguments[i];
    std::string which = "argument " + std::to_string(i) + ": ";
    int64_t number =
        integer(*found, 0, static_cast<int64_t>(manifest.results.size()) - 1);
    ManifestTensor &result = manifest.results[number];
    if (result.donation)
      throw Malformed(which + "result " + std::to_string(number) +
                      " has the memory of another argument already");
    if (argument.type != result.type || argument.layout != result.layout ||
        argument.reduction != result.reduction)
      throw Malformed(which + "donated to result " + std::to_string(number) +
                      " of another type or sharding");
    argument.donation = static_cast<int32_t>(number);
    result.donation = static_cast<int32_t>(i);
  }
}

/// What a program has of `tensors`, under `key`; all where it does not say so.
static std::vector<ManifestRows>
parseRows(const Json &program, const char *key,
          const std::vector<ManifestTensor> &tensors) {
  std::vector<ManifestRows> list;
  auto found = program.find(key);
  if (found == program.end() || found->is_null()) {
    for (size_t i = 0; i < tensors.size(); ++i)
      list.push_back({static_cast<int32_t>(i), 0, {}});
    return list;
  }
  int64_t last = static_cast<int64_t>(tensors.size()) - 1;
  for (const Json &entry : *found) {
    ManifestRows rows;
    bool isWhole = !entry.is_object();
    rows.number = static_cast<int32_t>(
        integer(isWhole ? entry : entry.at("number"), 0, last));
    if (!isWhole) {
      const ShardLayout &layout = tensors[rows.number].layout;
      auto dim = entry.find("dimension");
      if (dim != entry.end())
        rows.dim = integer(*dim, 0, INT32_MAX);
      if (!layout.hasWholeRows(rows.dim))
        throw Malformed("a program has rows of one of its " + std::string(key) +
                        " whose rows are sharded");
      int64_t count = layout.globalShape()[rows.dim];
      rows.first = integer(entry.at("first_row"), 0, count - 1);
      rows.count = integer(entry.at("rows"), 1, count - rows.first);
    }
    if (std::ranges::count(list, rows))
      throw Malformed("a program names one of its " + std::string(key) +
                      " twice");
    list.push_back(rows);
  }
  return list;
}

/// Checks that the pipeline ranks together have each row of result `number`.
static void checkHolders(const Manifest &manifest, int32_t number) {
  const Shape &shape = manifest.results[number].layout.globalShape();
  bool isSomewhere = false, isWhole = false;
  std::map<int64_t, std::vector<bool>> heldAlong;
  for (const ManifestProgram &program : manifest.programs)
    for (const ManifestRows &part : program.results) {
      if (part.number != number)
        continue;
      isSomewhere = true;
      isWhole |= !part.count;
      if (!part.count)
        continue;
      std::vector<bool> &held = heldAlong[part.dim];
      held.resize(shape[part.dim]);
      std::fill_n(held.begin() + part.first, *part.count, true);
    }
  for (const auto &[dim, held] : heldAlong)
    isWhole |= !std::ranges::count(held, false);
  if (!isWhole)
    throw Malformed("result " + std::to_string(number) +
                    (isSomewhere ? " lives in part on no pipeline rank"
                                 : " lives on no pipeline rank"));
}

/// Checks that each donated argument of `program` has its result there.
static void checkDonations(const Manifest &manifest,
                           const ManifestProgram &program) {
  std::string rank = std::to_string(manifest.pipelineRanks());
  for (const ManifestRows &rows : program.arguments) {
    std::optional<int32_t> result = manifest.arguments[rows.number].donation;
    if (!result)
      continue;
    ManifestRows expected = rows;
    expected.number = *result;
    if (!std::ranges::count(program.results, expected))
      throw Malformed("expected result " + std::to_string(*result) +
                      " on pipeline rank " + rank + ", like argument " +
                      std::to_string(rows.number) + ", which is donated to it");
  }
}

/// The programs, in the order of their pipeline ranks.
static void parsePrograms(const Json &list, Manifest &manifest) {
  if (!list.is_array() || list.empty() ||
      static_cast<int64_t>(list.size()) * manifest.mesh.ranks() > rankLimit)
    throw Malformed("expected a program for each pipeline rank");
  for (const Json &object : list) {
    ManifestProgram program;
    int64_t rank = integer(object.at("rank"), 0, rankLimit);
    if (rank != manifest.pipelineRanks())
      throw Malformed("expected the program of pipeline rank " +
                      std::to_string(manifest.pipelineRanks()) + ", got " +
                      std::to_string(rank));
    program.entry = object.at("entry").get<std::string>();
    program.arenaBytes = integer(object.at("arena"), 0, INT64_MAX / 2);
    if (object.contains("memory") && object.at("memory").contains("host"))
      program.hostBytes =
          integer(object.at("memory").at("host"), 0, INT64_MAX / 2);
    program.arguments = parseRows(object, "arguments", manifest.arguments);
    program.results = parseRows(object, "results", manifest.results);
    checkDonations(manifest, program);
    manifest.programs.push_back(std::move(program));
  }
  for (size_t i = 0; i < manifest.results.size(); ++i)
    checkHolders(manifest, static_cast<int32_t>(i));
}

int32_t Manifest::donorOf(const ManifestProgram &program,
                          int32_t position) const {
  const ManifestRows &result = program.results[position];
  std::optional<int32_t> donor = results[result.number].donation;
  if (!donor)
    return -1;
  ManifestRows expected = result;
  expected.number = *donor;
  auto found = std::ranges::find(program.arguments, expected);
  return found == program.arguments.end()
             ? -1
             : static_cast<int32_t>(found - program.arguments.begin());
}

/// The channels, from the list of the pipeline's transfers.
static void parseChannels(const Json &json, Manifest &manifest) {
  std::set<std::pair<int32_t, int32_t>> pairs;
  int32_t count = manifest.pipelineRanks();
  if (auto pipeline = json.find("pipeline"); pipeline != json.end()) {
    for (const Json &transfer : pipeline->at("transfers"))
      pairs.emplace(integer(transfer.at("source"), 0, count - 1),
                    integer(transfer.at("target"), 0, count - 1));
  } else {
    for (int32_t source = 0; source < count; ++source)
      for (int32_t target = 0; target < count; ++target)
        if (source != target)
          pairs.emplace(source, target);
  }
  manifest.channels.assign(pairs.begin(), pairs.end());
}

static void parseInto(Manifest &manifest, const Json &json) {
  manifest.target = json.at("target").get<std::string>();
  if (auto cpu = json.find("cpu"); cpu != json.end() && cpu->is_object()) {
    manifest.cpuName = optionalString(*cpu, "name");
    if (cpu->contains("features"))
      manifest.cpuFeatures = (*cpu)["features"].get<std::vector<std::string>>();
  }
  manifest.mesh = parseMesh(json);
  auto parseAll = [&](const char *key, const char *which) {
    std::vector<ManifestTensor> tensors;
    for (const Json &object : json.at(key))
      tensors.push_back(parseTensor(manifest.mesh, object,
                                    which + std::string(" ") +
                                        std::to_string(tensors.size())));
    return tensors;
  };
  manifest.arguments = parseAll("arguments", "argument");
  manifest.results = parseAll("results", "result");
  parseDonations(json.at("arguments"), manifest);
  for (const Json &communicator : json.at("communicators")) {
    manifest.communicators.push_back(parseAxes(manifest.mesh, communicator));
    if (!manifest.mesh.areDisjoint(manifest.communicators.back()))
      throw Malformed("a communicator names an axis twice");
  }
  parsePrograms(json.at("programs"), manifest);
  parseChannels(json, manifest);
}

static KernelBuffers parseBuffers(const Json &kernel) {
  KernelBuffers buffers;
  auto add = [&](const Json &bytes, bool isWritten) {
    buffers.bytes.push_back(integer(bytes, 0, INT64_MAX));
    buffers.isWritten.push_back(isWritten);
  };
  for (const Json &bytes : kernel.at("operands"))
    add(bytes, false);
  buffers.operands = static_cast<int32_t>(buffers.bytes.size());
  for (const Json &result : kernel.at("results")) {
    if (auto operand = result.find("overwrites"); operand != result.end())
      buffers.isWritten[integer(*operand, 0, buffers.operands - 1)] = true;
    else
      add(result.at("bytes"), true);
  }
  return buffers;
}

Fallible<KernelTable> runtime::parseKernels(const std::string &text) {
  KernelTable table;
  try {
    Json manifest = Json::parse(text);
    for (const Json &kernel : manifest.at("kernels")) {
      auto buffers =
          std::make_shared<const KernelBuffers>(parseBuffers(kernel));
      for (const Json &use : kernel.at("uses"))
        table[use.get<std::string>()] = buffers;
    }
  } catch (const Malformed &malformed) {
    return Failure{std::string("malformed manifest: ") + malformed.what()};
  } catch (const Json::exception &exception) {
    return Failure{std::string("malformed manifest: ") + exception.what()};
  }
  return table;
}

static Fallible<void> checkAbi(const Json &json, int32_t abi) {
  int64_t version = integer(json.at("abi"), 0, INT32_MAX);
  if (version == abi)
    return {};
  return Failure{"compiled for ABI version " + std::to_string(version) +
                 ", this runtime has version " + std::to_string(abi)};
}

Fallible<void> runtime::checkAbi(const std::string &text, int32_t abi) {
  try {
    return ::checkAbi(Json::parse(text), abi);
  } catch (const Malformed &) {
  } catch (const Json::exception &) {
  }
  return {};
}

/// What `parse`, which throws where something is wrong, makes of `text`.
template <typename Parse>
static auto parsedBy(Parse parse, const std::string &text, int32_t abi)
    -> Fallible<decltype(parse(Json()))> {
  try {
    Json json = Json::parse(text);
    if (Fallible<void> same = ::checkAbi(json, abi); !same)
      return same.failure();
    return parse(json);
  } catch (const Malformed &malformed) {
    return Failure{std::string("malformed manifest: ") + malformed.what()};
  } catch (const Json::exception &exception) {
    return Failure{std::string("malformed manifest: ") + exception.what()};
  }
}

static void checkSchema(const Json &json, int64_t expected) {
  int64_t schema = integer(json.at("schema"), 0, INT32_MAX);
  if (schema != expected)
    throw Malformed("expected schema " + std::to_string(expected) + ", got " +
                    std::to_string(schema));
}

/// Of one entry point, less its text.
static Manifest parseOne(const Json &json) {
  checkSchema(json, 2);
  Manifest manifest;
  parseInto(manifest, json);
  return manifest;
}

/// Of the entry points that `list` names, each with the ranks of the first.
static std::vector<Manifest> parseEntryPoints(const Json &list) {
  if (!list.is_array() || list.empty())
    throw Malformed("expected a list of entry points");
  std::vector<Manifest> manifests;
  for (const Json &entry : list) {
    std::string name = entry.at("name").get<std::string>();
    Manifest manifest = parseOne(entry.at("manifest"));
    manifest.text = entry.at("manifest").dump();
    manifest.entryPoint = name;
    if (std::ranges::count(manifests, name, &Manifest::entryPoint))
      throw Malformed("two entry points have the name '" + name + "'");
    manifests.push_back(std::move(manifest));
    const Manifest &first = manifests.front(), &last = manifests.back();
    if (last.target != "cpu")
      throw Malformed("expected target 'cpu' of several entry points, got '" +
                      last.target + "'");
    if (last.mesh.describe() != first.mesh.describe() ||
        last.pipelineRanks() != first.pipelineRanks())
      throw Malformed("entry point '" + name + "' has other ranks than '" +
                      first.entryPoint + "'");
  }
  return manifests;
}

Fallible<Manifest> runtime::parseManifest(std::string text, int32_t abi) {
  Fallible<Manifest> manifest = parsedBy(parseOne, text, abi);
  if (manifest)
    manifest->text = std::move(text);
  return manifest;
}

Fallible<std::vector<Manifest>> runtime::parseManifests(std::string text,
                                                        int32_t abi) {
  auto parse = [](const Json &json) {
    if (auto entries = json.find("entries"); entries != json.end()) {
      checkSchema(json, 3);
      return parseEntryPoints(*entries);
    }
    std::vector<Manifest> manifests;
    manifests.push_back(parseOne(json));
    return manifests;
  };
  Fallible<std::vector<Manifest>> manifests = parsedBy(parse, text, abi);
  if (manifests && manifests->front().text.empty())
    manifests->front().text = std::move(text);
  return manifests;
}
