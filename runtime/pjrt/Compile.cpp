//===- Compile.cpp - From a module to a program with ranks ----------------===//

#include "Functions.h"
#include "Parameters.h"
#include "plugin.h"

#include "../core/program/Manifest.h"

#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::pjrt;
using Json = nlohmann::json;

struct TesseraPjrtAnswer {
  std::string text;
};

/// Of the Python package.
static TesseraPjrtCompiler compiler = {};

void tessera_pjrt_set_compiler(const TesseraPjrtCompiler *given) {
  compiler = *given;
}

void tessera_pjrt_answer(TesseraPjrtAnswer *answer, const char *json,
                         size_t bytes) {
  answer->text.assign(json, bytes);
}

const TesseraPjrtCompiler &pjrt::packageFunctions() { return compiler; }

/// What the package answers.
static Json askCompiler(const ClientCompile &arguments) {
  if (!compiler.compile)
    throw Refusal(Code::FailedPrecondition,
                  "nobody compiles: the plugin is registered by the package "
                  "jax_plugins.tessera");
  TesseraPjrtAnswer answer;
  compiler.compile(arguments.program->code, arguments.program->codeSize,
                   arguments.options, arguments.optionsSize, &answer);
  Json json = Json::parse(answer.text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    throw Refusal(Code::Internal, "the compiler gave no answer");
  if (json.contains("error"))
    throw Refusal(static_cast<Code>(json.at("code").get<int32_t>()),
                  json.at("error").get<std::string>());
  return json;
}

/// Describes what the manifest in `text` says.
static void describe(Description &about, const std::string &text) {
  Json json = Json::parse(text);
  auto manifest = runtime::parseManifest(text, TESSERA_ABI_VERSION);
  if (!manifest)
    throw Refusal(Code::Internal, manifest.message());
  about.ranks = manifest->ranks();
  if (manifest->pipelineRanks() > 1)
    throw Refusal(Code::Unimplemented,
                  "programs with pipeline stages are not supported by the "
                  "plugin; use tessera.jit");
  about.arenaBytes = manifest->programs[0].arenaBytes;
  for (size_t i = 0; i < manifest->arguments.size(); ++i)
    about.arguments.push_back(makeParameter(manifest->arguments[i],
                                            json["arguments"][i], about.ranks));
  size_t shown = manifest->results.size();
  if (shown > 0 && manifest->results.back().name == "effects") {
    about.hiddenResults = 1;
    --shown;
  }
  for (size_t i = 0; i < shown; ++i)
    about.results.push_back(
        makeParameter(manifest->results[i], json["results"][i], about.ranks));
}

/// The places of `count` parameters among which JAX has tokens at `tokens`;
/// sets `all` to the number of both.
static std::vector<size_t> placesBetween(const Json &tokens, size_t count,
                                         size_t &all) {
  std::set<size_t> taken;
  for (const Json &place : tokens)
    taken.insert(place.get<size_t>());
  all = count + taken.size();
  std::vector<size_t> places;
  for (size_t place = 0; place < all; ++place)
    if (!taken.count(place))
      places.push_back(place);
  return places;
}

/// Loads the compiled file of the answer into `loaded`.
static void load(const Json &answer, LoadedExecutable &loaded) {
  auto path = answer.at("path").get<std::string>();
  TesseraStatus status = tessera_program_load(path.c_str(), &loaded.program);
  std::error_code ignored;
  loaded.about->codeBytes =
      static_cast<int64_t>(std::filesystem::file_size(path, ignored));
  if (answer.value("is_temporary", false))
    std::filesystem::remove(path, ignored);
  if (status != TESSERA_OK)
    throw Refusal(Code::Internal, tessera_error_message());
  describe(*loaded.about, tessera_program_manifest(loaded.program));
}

/// DeviceAssignmentProto: of one replica the device of each rank.
static std::string assignmentOf(const std::vector<Device *> &devices) {
  enum { kReplicas = 1, kComputations = 2, kDevices = 3, kIds = 1 };
  std::string message;
  putNumber(message, kReplicas, 1);
  putNumber(message, kComputations, devices.size());
  for (const Device *device : devices) {
    std::string ids;
    putNumbers(ids, kIds, {device->id});
    putBytes(message, kDevices, ids);
  }
  return message;
}

static void compile(ClientCompile &arguments) {
  Json answer = askCompiler(arguments);
  auto loaded = std::make_unique<LoadedExecutable>();
  loaded->client = arguments.object;
  loaded->about = std::make_shared<Description>();
  Description &about = *loaded->about;
  about.name = answer.at("name").get<std::string>();
  about.code.assign(arguments.program->code, arguments.program->codeSize);
  if (const Json &shown = answer.at("shown"); shown.is_string())
    about.code = shown.get<std::string>();
  for (const Json &id : answer.at("devices"))
    loaded->devices.push_back(&arguments.object->device(id.get<int32_t>()));
  loaded->hostFunctions = answer.value("functions", int64_t{0});
  loaded->threads = arguments.object->threads;
  if (loaded->threads == 0)
    loaded->threads = answer.value("threads", 0);
  load(answer, *loaded);
  about.devices = static_cast<int32_t>(loaded->devices.size());
  if (about.ranks != 1 && about.ranks != about.devices)
    throw Refusal(Code::Internal, "expected a program for " +
                                      std::to_string(loaded->devices.size()) +
                                      " devices, got one for " +
                                      std::to_string(about.ranks));
  about.argumentPlaces =
      placesBetween(answer.at("argument_tokens"), about.arguments.size(),
                    about.argumentCount);
  about.resultPlaces = placesBetween(answer.at("result_tokens"),
                                     about.results.size(), about.resultCount);
  about.assignment = assignmentOf(loaded->devices);
  for (const auto &[name, value] : answer.at("costs").items()) {
    NamedValue cost = {};
    cost.size = sizeof cost;
    cost.type = kRealValue;
    cost.real = value.get<float>();
    cost.valueSize = 1;
    about.costNames.push_back(name);
    about.costs.push_back(cost);
  }
  about.finish();
  arguments.executable = loaded.release();
}

void pjrt::addCompile(Table &table) {
  put<compile>(table, Slot::ClientCompile);
}
