//===- KernelWork.cpp -----------------------------------------------------===//

#include "KernelWork.h"

#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::run;
using nlohmann::json;

template <typename T>
static T field(const json &object, const char *key, T otherwise) {
  auto found = object.find(key);
  return found != object.end() && !found->is_null() ? found->get<T>()
                                                    : otherwise;
}

/// The products of a kernel, as `[batch, rows, columns, depth]`.
static std::vector<ProductShape> readProducts(const json &kernel) {
  std::vector<ProductShape> products;
  for (const json &sizes : kernel.value("products", json::array()))
    if (sizes.is_array() && sizes.size() == 4)
      products.push_back({sizes[0].get<int64_t>(), sizes[1].get<int64_t>(),
                          sizes[2].get<int64_t>(), sizes[3].get<int64_t>()});
  return products;
}

/// Reads the manifest; a text that is none gives an empty table, as profiles do
/// without.
WorkTable::WorkTable(const std::string &text) {
  json manifest = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!manifest.is_object())
    return;
  if (auto machine = manifest.find("machine"); machine != manifest.end())
    described =
        MachinePeak{false,
                    field<double>(*machine, "compute", 1),
                    {{0, field<double>(*machine, "memory_bandwidth", 1)}}};
  for (const json &program : manifest.value("programs", json::array())) {
    json sizes = program.value("memory", json::object());
    int64_t peak = field<int64_t>(sizes, "peak", 0);
    memory.push_back({peak - field<int64_t>(sizes, "temporary", 0), peak});
  }
  for (const json &function : manifest.value("work", json::array())) {
    std::string name = function.value("name", "");
    std::function<void(const json &)> read = [&](const json &steps) {
      for (const json &step : steps) {
        int64_t live = field<int64_t>(step, "live", 0);
        functionPeaks[name] = std::max(functionPeaks[name], live);
        if (step.contains("kernel"))
          kernels[step["kernel"]] = {field<double>(step, "operations", 0),
                                     field<double>(step, "bytes", 0),
                                     field<int64_t>(step, "launches", 1),
                                     name,
                                     live,
                                     readProducts(step)};
        if (step.contains("task"))
          callBytes[{step["task"], step.value("call", "")}] = live;
        if (step.contains("steps"))
          read(step["steps"]);
      }
    };
    read(function.value("steps", json::array()));
  }
}

const WorkTable::Kernel *WorkTable::find(const std::string &kernel) const {
  auto found = kernels.find(kernel);
  return found == kernels.end() ? nullptr : &found->second;
}

std::optional<WorkTable::Memory>
WorkTable::memoryOf(int32_t pipelineRank) const {
  if (pipelineRank >= static_cast<int32_t>(memory.size()) ||
      memory[pipelineRank].peak == 0)
    return std::nullopt;
  return memory[pipelineRank];
}

std::optional<int64_t> WorkTable::bytesAt(int32_t pipelineRank,
                                          const std::string &task,
                                          const std::string &kernel) const {
  const Kernel *found = find(kernel);
  std::optional<Memory> sizes = memoryOf(pipelineRank);
  if (!found || !sizes)
    return std::nullopt;
  int64_t bytes = sizes->boundary + found->live;
  auto call = callBytes.find({task, found->function});
  // The caller's arena holds that of the function it calls.
  if (call != callBytes.end())
    bytes += call->second - functionPeaks.at(found->function);
  return bytes;
}
