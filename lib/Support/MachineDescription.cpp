//===- MachineDescription.cpp - A machine as a user describes it ----------===//

#include "tessera/Support/MachineDescription.h"
#include "tessera/Support/File.h"
#include "tessera/Support/NearestName.h"
#include "tessera/Support/Quantities.h"
#include "tessera/Support/ShippedMachines.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace tessera;

MachineDescription MachineDescription::slowNetwork() {
  MachineDescription machine;
  machine.levels.push_back({"all", 0, 10e-6, 1e9, {}});
  return machine;
}

/// Why links are none, or an empty string.
static std::string checkLinks(const char *kind, const LinkDescription &links) {
  std::string subject = std::string(kind) + " '" + links.name + "': ";
  if (!std::isfinite(links.latency) || links.latency < 0)
    return subject + "expected a latency of at least 0 seconds";
  if (!std::isfinite(links.bandwidth) || links.bandwidth <= 0)
    return subject + "expected a bandwidth above 0 bytes per second";
  const LinkDetails &details = links.details;
  for (auto [name, value] :
       {std::pair("launch", details.launch),
        std::pair("half-saturation", details.halfSaturation),
        std::pair("copy-bandwidth", details.copyBandwidth)})
    if (!std::isfinite(value) || value < 0)
      return subject + "expected " + name + " to be at least 0";
  if (details.links < 0)
    return subject + "expected at least 1 link, got " +
           std::to_string(details.links);
  return "";
}

static bool isPositive(double value) {
  return std::isfinite(value) && value > 0;
}

std::string MachineDescription::verify() const {
  if (levels.empty() && axes.empty())
    return "expected levels or axes, got neither";
  if (devices < 0)
    return "expected at least 1 device, got " + std::to_string(devices);
  int64_t inner = 1;
  for (const LinkDescription &level : levels) {
    if (std::string error = checkLinks("level", level); !error.empty())
      return error;
    if (inner == 0)
      return "level '" + level.name +
             "': expected nothing behind the level that holds all devices";
    if (level.devices < 0 || level.devices % inner != 0)
      return "level '" + level.name + "': expected a multiple of the " +
             std::to_string(inner) + " devices of the level within it, got " +
             std::to_string(level.devices);
    inner = level.devices;
  }
  if (!levels.empty() && inner != 0)
    return "expected a last level without 'devices', which holds all of them";
  for (const LinkDescription &axis : axes)
    if (std::string error = checkLinks("axis", axis); !error.empty())
      return error;
  if (!isPositive(device.compute) || !isPositive(device.memoryBandwidth) ||
      device.memory <= 0)
    return "expected positive numbers for compute, memory_bandwidth and memory";
  if (!device.kernels.isValid())
    return "kernels: expected an efficiency above 0 and up to 1, processors "
           "with a tile or neither, and no negative numbers";
  if (device.host != HostMemory() &&
      (!isPositive(device.host.bandwidth) || device.host.bytes <= 0 ||
       !std::isfinite(device.host.latency) || device.host.latency < 0))
    return "expected positive numbers for bandwidth and memory of the host, "
           "and "
           "a latency of at least 0";
  return "";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Fills a description from the nodes of its text. Each function is true unless
/// something was wrong; the first that was stands in `error`.
class MachineReader {
public:
  explicit MachineReader(TextError &error) : error(error) {}

  bool readMachine(const YamlNode &node, MachineDescription &machine) {
    return expectKeys(node, {"device", "devices", "levels", "axes"}) &&
           optional(node, "devices",
                    [&](const YamlNode &value) {
                      return readScalar(value, machine.devices, count);
                    }) &&
           optional(node, "device",
                    [&](const YamlNode &value) {
                      return readDevice(value, machine.device);
                    }) &&
           optional(node, "levels",
                    [&](const YamlNode &value) {
                      return readList(value, /*isLevel=*/true, machine.levels);
                    }) &&
           optional(node, "axes", [&](const YamlNode &value) {
             return readList(value, /*isLevel=*/false, machine.axes);
           });
  }

private:
  bool fail(const YamlNode &node, std::string message) {
    error = {std::move(message), node.line, node.column};
    return false;
  }

  /// Whether `node` is a mapping that has none but these keys.
  bool expectKeys(const YamlNode &node, std::vector<std::string> keys) {
    if (node.kind != YamlNode::Kind::Mapping)
      return fail(node, "expected a mapping with the keys " + joined(keys));
    for (const YamlEntry &entry : node.entries)
      if (std::find(keys.begin(), keys.end(), entry.key.text) == keys.end())
        return fail(entry.key, "unknown key '" + entry.key.text + "'" +
                                   didYouMean(entry.key.text, keys));
    return true;
  }
  static std::string joined(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names)
      text += (text.empty() ? "'" : ", '") + name + "'";
    return text;
  }

  template <typename Read>
  bool optional(const YamlNode &node, const char *key, Read read) {
    const YamlNode *value = node.find(key);
    return !value || read(*value);
  }
  template <typename Read>
  bool required(const YamlNode &node, const char *key, Read read) {
    const YamlNode *value = node.find(key);
    return value
               ? read(*value)
               : fail(node, std::string("missing required key '") + key + "'");
  }

  /// Reads a scalar by `parse`, which says what it expected.
  template <typename T, typename Parse>
  bool readScalar(const YamlNode &node, T &value, Parse parse) {
    if (node.kind != YamlNode::Kind::Scalar)
      return fail(node, "expected one value, got several");
    Fallible<T> parsed = parse(node.text);
    if (!parsed)
      return fail(node, parsed.message());
    value = *std::move(parsed);
    return true;
  }
  static Fallible<double> seconds(std::string_view text) {
    return parseTime(text);
  }
  static Fallible<double> bytes(std::string_view text) {
    Fallible<int64_t> number = parseBytes(text);
    return number ? Fallible<double>(double(*number)) : number.failure();
  }
  static Fallible<int64_t> count(const std::string &text) {
    int64_t value = 0;
    const char *last = text.data() + text.size();
    auto [end, problem] = std::from_chars(text.data(), last, value);
    if (problem != std::errc() || end != last)
      return Failure{"expected a number of devices, got '" + text + "'"};
    return value;
  }
  static Fallible<std::string> name(const std::string &text) {
    if (text.empty())
      return Failure{"expected a name"};
    return text;
  }

  bool readDevice(const YamlNode &node, DeviceDescription &device) {
    auto rate = [&](double &field) {
      return [this, &field](const YamlNode &value) {
        return readScalar(value, field, parseRate);
      };
    };
    return expectKeys(node, {"compute", "memory-bandwidth", "memory", "host",
                             "kernels"}) &&
           optional(node, "compute", rate(device.compute)) &&
           optional(node, "memory-bandwidth", rate(device.memoryBandwidth)) &&
           optional(node, "memory",
                    [&](const YamlNode &value) {
                      return readScalar(value, device.memory, parseBytes);
                    }) &&
           optional(node, "host",
                    [&](const YamlNode &value) {
                      return readHost(value, device.host);
                    }) &&
           optional(node, "kernels", [&](const YamlNode &value) {
             return readKernels(value, device.kernels);
           });
  }

  bool readKernels(const YamlNode &node, KernelCosts &kernels) {
    auto into = [&](auto &field, auto parse) {
      return [this, &field, parse](const YamlNode &value) {
        return readScalar(value, field, parse);
      };
    };
    return expectKeys(node, {"launch", "efficiency", "processors", "tile",
                             "memory-half-saturation"}) &&
           optional(node, "launch", into(kernels.launch, seconds)) &&
           optional(node, "efficiency", into(kernels.efficiency, parseRate)) &&
           optional(node, "processors", into(kernels.processors, count)) &&
           optional(node, "tile", into(kernels.tile, count)) &&
           optional(node, "memory-half-saturation",
                    into(kernels.memoryHalfSaturation, bytes));
  }

  bool readHost(const YamlNode &node, HostMemory &host) {
    auto into = [&](auto &field, auto parse) {
      return [this, &field, parse](const YamlNode &value) {
        return readScalar(value, field, parse);
      };
    };
    return expectKeys(node, {"memory", "latency", "bandwidth"}) &&
           required(node, "memory", into(host.bytes, parseBytes)) &&
           required(node, "latency", into(host.latency, seconds)) &&
           required(node, "bandwidth", into(host.bandwidth, parseRate));
  }

  bool readLinks(const YamlNode &node, bool isLevel, LinkDescription &links) {
    std::vector<std::string> keys = {"name", "latency", "bandwidth"};
    if (isLevel)
      keys.insert(keys.end(), {"devices", "launch", "half-saturation",
                               "copy-bandwidth", "links"});
    LinkDetails &details = links.details;
    auto into = [&](auto &field, auto parse) {
      return [this, &field, parse](const YamlNode &value) {
        return readScalar(value, field, parse);
      };
    };
    return expectKeys(node, std::move(keys)) &&
           required(node, "name", into(links.name, name)) &&
           optional(node, "devices", into(links.devices, count)) &&
           required(node, "latency", into(links.latency, seconds)) &&
           required(node, "bandwidth", into(links.bandwidth, parseRate)) &&
           optional(node, "launch", into(details.launch, seconds)) &&
           optional(node, "half-saturation",
                    into(details.halfSaturation, bytes)) &&
           optional(node, "copy-bandwidth",
                    into(details.copyBandwidth, parseRate)) &&
           optional(node, "links", into(details.links, count));
  }

  bool readList(const YamlNode &node, bool isLevel,
                std::vector<LinkDescription> &list) {
    if (node.kind != YamlNode::Kind::Sequence)
      return fail(node, "expected a list");
    for (const YamlNode &item : node.items)
      if (!readLinks(item, isLevel, list.emplace_back()))
        return false;
    return true;
  }

  TextError &error;
};

} // namespace

std::optional<MachineDescription> tessera::parseMachine(std::string_view text,
                                                        TextError &error) {
  std::optional<YamlNode> node = parseYaml(text, error);
  if (!node) {
    if (error.message.empty())
      error.message = "expected a description of a cluster, got nothing";
    return std::nullopt;
  }
  MachineDescription machine;
  if (!MachineReader(error).readMachine(*node, machine))
    return std::nullopt;
  error.message = machine.verify();
  return error.message.empty() ? std::optional(machine) : std::nullopt;
}

/// Whether `name` can only be that of a machine: no file is called so.
static bool looksLikeMachine(const std::string &name) {
  return name.find_first_of("/.") == std::string::npos;
}

Fallible<std::string> tessera::findMachineText(const std::string &name) {
  if (std::ifstream file(name, std::ios::binary); file) {
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string reason = std::strerror(errno);
  if (std::optional<std::string> shipped = findShippedMachine(name))
    return *std::move(shipped);
  if (looksLikeMachine(name))
    return Failure{describeUnknownMachine(name)};
  return Failure{"cannot open the description of the cluster: " + reason};
}

Fallible<MachineDescription> tessera::readMachineFile(const std::string &name) {
  TextError error;
  Fallible<std::string> text = findMachineText(name);
  if (!text)
    error.message = text.message();
  else if (std::optional<MachineDescription> machine =
               parseMachine(*text, error)) {
    machine->name = name;
    return *std::move(machine);
  }
  return Failure{name + ":" + std::to_string(error.line) + ":" +
                 std::to_string(error.column) + ": error: " + error.message};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The shortest text that reads as `value`.
static std::string number(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// A name as it may stand behind a key.
static std::string quoted(const std::string &name) {
  auto isPlain = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (std::ranges::all_of(name, isPlain))
    return name;
  std::string text = "'";
  for (char c : name)
    text += c == '\'' ? "''" : std::string(1, c);
  return text + "'";
}

/// A line for a value that is not `otherwise`.
static std::string entry(const char *key, double value, double otherwise = 0) {
  return value == otherwise ? ""
                            : std::string(key) + ": " + number(value) + "\n";
}

static std::string printKernels(const KernelCosts &kernels) {
  if (kernels == KernelCosts())
    return "";
  return "  kernels:\n" + entry("    launch", kernels.launch) +
         entry("    efficiency", kernels.efficiency, 1) +
         entry("    processors", double(kernels.processors)) +
         entry("    tile", double(kernels.tile)) +
         entry("    memory-half-saturation", kernels.memoryHalfSaturation);
}

static std::string printList(const char *key,
                             const std::vector<LinkDescription> &list) {
  if (list.empty())
    return "";
  std::string text = std::string(key) + ":\n";
  for (const LinkDescription &links : list) {
    text += "  - name: " + quoted(links.name) + "\n";
    if (links.devices != 0)
      text += "    devices: " + std::to_string(links.devices) + "\n";
    text += "    latency: " + number(links.latency) + "\n";
    text += "    bandwidth: " + number(links.bandwidth) + "\n";
    text += entry("    launch", links.details.launch);
    text += entry("    half-saturation", links.details.halfSaturation);
    text += entry("    copy-bandwidth", links.details.copyBandwidth);
    text += entry("    links", double(links.details.links));
  }
  return text;
}

static std::string printHost(const HostMemory &host) {
  if (!host.isThere())
    return "";
  return "  host:\n    memory: " + std::to_string(host.bytes) +
         "\n    latency: " + number(host.latency) +
         "\n    bandwidth: " + number(host.bandwidth) + "\n";
}

std::string tessera::printMachine(const MachineDescription &machine) {
  return "device:\n  compute: " + number(machine.device.compute) +
         "\n  memory-bandwidth: " + number(machine.device.memoryBandwidth) +
         "\n  memory: " + std::to_string(machine.device.memory) + "\n" +
         printHost(machine.device.host) + printKernels(machine.device.kernels) +
         entry("devices", double(machine.devices)) +
         printList("levels", machine.levels) + printList("axes", machine.axes);
}
