//===- ProgramFiles.cpp - Compiled programs and machines in files ---------===//

#include "tessera/Package/ProgramFile.h"
#include "tessera/Simulator/ProgramPrediction.h"

using namespace tessera;

/// Reads the description of a machine. The failure begins with
/// `file:line:column: error: `.
static Fallible<Cluster> readClusterFile(const std::string &path) {
  auto fail = [&](const ClusterError &error) {
    return Failure{path + ":" + std::to_string(error.line) + ":" +
                   std::to_string(error.column) + ": error: " + error.message};
  };
  ClusterError error;
  if (std::optional<Cluster> cluster = findCluster(path, error))
    return *std::move(cluster);
  return fail(error);
}

Fallible<Chart> tessera::predictProgramFile(const std::string &path,
                                            const std::string &clusterPath) {
  auto fail = [&](const std::string &reason) {
    return Failure{path + ": error: " + reason};
  };
  llvm::Expected<llvm::json::Object> manifest = readManifest(path);
  if (!manifest)
    return fail(llvm::toString(manifest.takeError()));
  if (const llvm::json::Array *entryPoints = manifest->getArray("entries"))
    return fail("expected a program of one entry point, got " +
                std::to_string(entryPoints->size()) +
                ": compile one alone with tesserac --entry=NAME");
  Fallible<ProgramWork> work = ProgramWork::read(*manifest);
  if (!work)
    return fail(work.message());
  Fallible<Chart> chart = Failure{""};
  if (clusterPath.empty()) {
    chart = predictAsCompiled(*work);
  } else {
    Fallible<Cluster> cluster = readClusterFile(clusterPath);
    if (!cluster)
      return cluster.failure();
    chart = predictProgram(*work, *cluster);
    if (chart) {
      chart->machine = clusterPath + ", of --cluster";
      chart->memoryLimit = double(cluster->device.memory);
    }
  }
  if (!chart)
    return fail(chart.message());
  chart->title = manifest->getString("model").value_or(path).str();
  return chart;
}
