//===- ProgramFiles.cpp - Compiled programs and machines in files ---------===//

#include "tessera/Package/ProgramFile.h"
#include "tessera/Simulator/ProgramPrediction.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;

Fallible<Chart> tessera::predictProgramFile(const std::string &path,
                                            const Cluster &cluster) {
  auto fail = [&](const std::string &reason) {
    return Failure{path + ": error: " + reason};
  };
  llvm::Expected<llvm::json::Object> manifest = readManifest(path);
  if (!manifest)
    return fail(llvm::toString(manifest.takeError()));
  Fallible<ProgramWork> work = ProgramWork::read(*manifest);
  if (!work)
    return fail(work.message());
  Fallible<Chart> chart = predictProgram(*work, cluster);
  if (!chart)
    return fail(chart.message());
  chart->title = manifest->getString("model").value_or(path).str();
  return chart;
}

Fallible<Cluster> tessera::readClusterFile(const std::string &path) {
  if (path.empty())
    return Cluster::builtin();
  auto fail = [&](const ClusterError &error) {
    return Failure{path + ":" + std::to_string(error.line) + ":" +
                   std::to_string(error.column) + ": error: " + error.message};
  };
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return fail({"cannot open the description of the cluster: " +
                     file.getError().message(),
                 1, 1});
  ClusterError error;
  if (std::optional<Cluster> cluster =
          parseCluster((*file)->getBuffer(), error))
    return *std::move(cluster);
  return fail(error);
}
