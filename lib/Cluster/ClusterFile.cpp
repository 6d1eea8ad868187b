//===- ClusterFile.cpp - Descriptions of machines in YAML -----------------===//
#include "tessera/Cluster/Cluster.h"
#include "tessera/Support/NearestName.h"
#include "tessera/Support/Quantities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/YAMLTraits.h"

using namespace tessera;

LLVM_YAML_IS_SEQUENCE_VECTOR(tessera::ClusterLevel)
LLVM_YAML_IS_SEQUENCE_VECTOR(tessera::ClusterAxis)

// Numbers with units, as they stand in the file.
LLVM_YAML_STRONG_TYPEDEF(double, SecondsText)
LLVM_YAML_STRONG_TYPEDEF(double, RateText)
LLVM_YAML_STRONG_TYPEDEF(int64_t, BytesText)

/// The keys of all mappings, for those who misspell one.
static const std::string kKeys[] = {"device",    "levels",  "axes",
                                    "name",      "devices", "latency",
                                    "bandwidth", "compute", "memory-bandwidth",
                                    "memory"};

static void mapLinks(llvm::yaml::IO &io, LinkCosts &links) {
  SecondsText latency(links.latency);
  RateText bandwidth(links.bandwidth);
  io.mapRequired("latency", latency);
  io.mapRequired("bandwidth", bandwidth);
  links.latency = latency;
  links.bandwidth = bandwidth;
}

namespace llvm::yaml {

/// Reads by `parse` and writes as a plain number.
template <typename Text, typename Value,
          Fallible<Value> (*parse)(std::string_view)>
struct QuantityTraits {
  static void output(const Text &value, void *, raw_ostream &os) {
    os << double(Value(value));
  }
  static StringRef input(StringRef text, void *, Text &value) {
    Fallible<Value> parsed = parse({text.data(), text.size()});
    if (parsed) {
      value = *parsed;
      return {};
    }
    // The reader copies it at once.
    static thread_local std::string message;
    message = parsed.message();
    return message;
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

static Fallible<double> readSeconds(std::string_view text) {
  return parseTime(text);
}

template <>
struct ScalarTraits<SecondsText>
    : QuantityTraits<SecondsText, double, readSeconds> {};
template <>
struct ScalarTraits<RateText> : QuantityTraits<RateText, double, parseRate> {};
template <>
struct ScalarTraits<BytesText>
    : QuantityTraits<BytesText, int64_t, parseBytes> {};

template <> struct MappingTraits<ClusterLevel> {
  static void mapping(IO &io, ClusterLevel &level) {
    io.mapRequired("name", level.name);
    io.mapOptional("devices", level.devices, int64_t(0));
    mapLinks(io, level.links);
  }
};

template <> struct MappingTraits<ClusterAxis> {
  static void mapping(IO &io, ClusterAxis &axis) {
    io.mapRequired("name", axis.name);
    mapLinks(io, axis.links);
  }
};

template <> struct MappingTraits<Machine> {
  static void mapping(IO &io, Machine &device) {
    RateText compute(device.compute), bandwidth(device.memoryBandwidth);
    BytesText memory(device.memory);
    io.mapOptional("compute", compute);
    io.mapOptional("memory-bandwidth", bandwidth);
    io.mapOptional("memory", memory);
    device.compute = compute;
    device.memoryBandwidth = bandwidth;
    device.memory = memory;
  }
};

template <> struct MappingTraits<Cluster> {
  static void mapping(IO &io, Cluster &cluster) {
    io.mapOptional("device", cluster.device);
    io.mapOptional("levels", cluster.levels);
    io.mapOptional("axes", cluster.axes);
  }
};

} // namespace llvm::yaml

/// Reports the first key in `node` that no mapping has. The reader by itself
/// would miss the key that was meant first.
static bool checkKeys(llvm::yaml::Stream &stream, llvm::yaml::Node *node) {
  if (auto *list = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(node)) {
    for (llvm::yaml::Node &entry : *list)
      if (!checkKeys(stream, &entry))
        return false;
    return true;
  }
  auto *mapping = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(node);
  if (!mapping)
    return true;
  for (llvm::yaml::KeyValueNode &entry : *mapping) {
    auto *key = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(entry.getKey());
    llvm::SmallString<32> storage;
    std::string name = key ? key->getValue(storage).str() : std::string();
    if (key && !llvm::is_contained(kKeys, name)) {
      stream.printError(key,
                        "unknown key '" + name + "'" + didYouMean(name, kKeys));
      return false;
    }
    if (!checkKeys(stream, entry.getValue()))
      return false;
  }
  return true;
}

std::optional<Cluster> tessera::parseCluster(llvm::StringRef text,
                                             ClusterError &error) {
  auto keepFirst = [](const llvm::SMDiagnostic &diagnostic, void *context) {
    auto &error = *static_cast<ClusterError *>(context);
    if (!error.message.empty())
      return;
    error = {diagnostic.getMessage().str(),
             unsigned(std::max(diagnostic.getLineNo(), 1)),
             unsigned(std::max(diagnostic.getColumnNo() + 1, 1))};
  };
  error = ClusterError();
  // Reading a file without a document is undefined.
  if (llvm::yaml::Input probe(text, nullptr, keepFirst, &error);
      !probe.setCurrentDocument()) {
    if (error.message.empty())
      error.message = "expected a description of a cluster, got nothing";
    return std::nullopt;
  }
  llvm::SourceMgr sources;
  sources.setDiagHandler(keepFirst, &error);
  llvm::yaml::Stream stream(text, sources);
  if (!checkKeys(stream, stream.begin()->getRoot()))
    return std::nullopt;
  error = ClusterError();
  Cluster cluster;
  llvm::yaml::Input input(text, nullptr, keepFirst, &error);
  input >> cluster;
  if (input.error() && error.message.empty())
    error.message = input.error().message();
  if (error.message.empty())
    error.message = cluster.verify();
  return error.message.empty() ? std::optional(cluster) : std::nullopt;
}

void tessera::printCluster(const Cluster &cluster, llvm::raw_ostream &os) {
  Cluster copy = cluster;
  llvm::yaml::Output output(os);
  output << copy;
}
