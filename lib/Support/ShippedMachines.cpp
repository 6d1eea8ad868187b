//===- ShippedMachines.cpp - Machines that the project describes ----------===//

#include "tessera/Support/ShippedMachines.h"
#include "tessera/Support/NearestName.h"

#include <algorithm>
#include <charconv>

using namespace tessera;

/// Names and texts, in the order of the names.
static constexpr std::pair<const char *, std::string_view> kFiles[] = {
#include "Machines.inc"
};

/// The first line of a file, which is a comment, without `# `.
static std::string aboutOf(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  return std::string(
      line.substr(std::min(line.find_first_not_of("# "), line.size())));
}

const std::vector<ShippedMachine> &tessera::shippedMachines() {
  static const std::vector<ShippedMachine> machines = [] {
    std::vector<ShippedMachine> list;
    for (auto [name, text] : kFiles)
      list.push_back({name, aboutOf(text), text});
    return list;
  }();
  return machines;
}

/// The text of the file of that name; empty for none.
static std::string_view textOf(std::string_view name) {
  for (auto [file, text] : kFiles)
    if (name == file)
      return text;
  return "";
}

/// How many devices a node has, which its first level says.
static int64_t devicesPerNode(std::string_view text) {
  constexpr std::string_view kKey = "\n    devices: ";
  size_t at = text.find(kKey);
  int64_t devices = 0;
  if (at != std::string_view::npos)
    std::from_chars(text.data() + at + kKey.size(), text.data() + text.size(),
                    devices);
  return devices;
}

std::optional<std::string> tessera::findShippedMachine(std::string_view name) {
  if (std::string_view text = textOf(name); !text.empty())
    return std::string(text);
  size_t last = name.rfind('x');
  if (last == std::string_view::npos)
    return std::nullopt;
  std::string_view text = textOf(name.substr(0, last)),
                   count = name.substr(last + 1);
  int64_t nodes = 0, devices = devicesPerNode(text);
  auto [end, problem] =
      std::from_chars(count.data(), count.data() + count.size(), nodes);
  if (devices == 0 || problem != std::errc() ||
      end != count.data() + count.size() || nodes < 1 || nodes > 1'000'000)
    return std::nullopt;
  return std::string(text) + "devices: " + std::to_string(nodes * devices) +
         "\n";
}

std::string tessera::describeUnknownMachine(const std::string &name) {
  std::vector<std::string> names;
  for (const ShippedMachine &machine : shippedMachines())
    names.push_back(machine.name);
  return "expected a file or a machine that ships, got '" + name + "'" +
         didYouMean(name, names) + " (tesserac --help lists the machines)";
}
