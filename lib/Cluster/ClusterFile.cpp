//===- ClusterFile.cpp - Descriptions of machines in YAML -----------------===//
#include "tessera/Cluster/Cluster.h"
#include "tessera/Support/ByteSize.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

using namespace tessera;

LLVM_YAML_IS_SEQUENCE_VECTOR(tessera::ClusterLevel)
LLVM_YAML_IS_SEQUENCE_VECTOR(tessera::ClusterAxis)

namespace {
/// A number of bytes, written as `80e9` or `80GB`.
struct ByteSize {
  int64_t bytes;
};
} // namespace

static void mapLinks(llvm::yaml::IO &io, LinkCosts &links) {
  io.mapRequired("latency", links.latency);
  io.mapRequired("bandwidth", links.bandwidth);
}

namespace llvm::yaml {

template <> struct ScalarTraits<ByteSize> {
  static void output(const ByteSize &size, void *, raw_ostream &os) {
    os << size.bytes;
  }
  static StringRef input(StringRef text, void *, ByteSize &size) {
    Fallible<int64_t> bytes = parseByteSize(text);
    if (!bytes)
      return "expected a size such as 80e9, 80GB or 512MiB";
    size.bytes = *bytes;
    return StringRef();
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

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
    ByteSize memory{device.memory};
    io.mapOptional("compute", device.compute);
    io.mapOptional("memory-bandwidth", device.memoryBandwidth);
    io.mapOptional("memory", memory);
    device.memory = memory.bytes;
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
