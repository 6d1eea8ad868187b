//===- RankHarness.h - Ranks of a back end under test ---------------------===//

#ifndef TESSERA_TEST_RUNTIME_RANKHARNESS_H
#define TESSERA_TEST_RUNTIME_RANKHARNESS_H

#include "../../runtime/core/program/DeviceMesh.h"
#include "tessera/Support/HostTensor.h"
#include "tessera/backend.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tessera::runtime::test {

/// The back end of that name from the build tree; null when it is not built.
const TesseraBackend *findBackend(const std::string &name);

/// A world of ranks on a mesh, with one group table per communicator. Each test
/// body runs on all ranks at once. Where ranks have devices, operands are
/// copied there and back around each call.
class RankHarness {
public:
  RankHarness(const TesseraBackend *backend, DeviceMesh mesh,
              std::vector<std::vector<SubAxis>> communicators,
              double timeout = 20, bool spin = false, int32_t spareCores = 0);
  ~RankHarness() { backend->close(world); }

  /// Runs the body, which gives the rank's status.
  TesseraStatus run(std::function<int32_t(int32_t rank)> body);
  std::string error() { return backend->error(world); }

  /// Fills in group and site, and calls, or starts if `future` is not -1. The
  /// site is `<name>` at `test.py:<line>`.
  int32_t call(int32_t rank, int32_t communicator, TesseraCollective call,
               const TesseraSite &site = defaultSite, int32_t future = -1);
  /// The same of several collectives as the parts of one call.
  int32_t combined(int32_t rank, int32_t communicator,
                   std::vector<TesseraCollective> parts,
                   const TesseraSite &site = defaultSite, int32_t future = -1);
  int32_t wait(int32_t rank, int32_t future);

  /// Sends a tensor, or receives one of that type and shape.
  int32_t send(int32_t rank, int32_t target, int64_t tag,
               const HostTensor &tensor, const TesseraSite &site = defaultSite);
  int32_t recv(int32_t rank, int32_t source, int64_t tag, HostTensor &tensor,
               const TesseraSite &site = defaultSite);

  const GroupTable &groups(int32_t communicator) {
    return tables[communicator];
  }
  int32_t ranks() const { return mesh.ranks(); }

  static const TesseraSite defaultSite;

private:
  /// Fills in group and site, and puts the operands where the rank has them.
  /// Gives what copies the result back.
  std::function<int32_t()> prepare(int32_t rank, int32_t communicator,
                                   TesseraCollective &call,
                                   const TesseraSite &site);
  /// Makes or starts a call, behind which comes `finish`.
  int32_t execute(int32_t rank, const TesseraCollective &call,
                  std::function<int32_t()> finish);
  /// Memory of a rank's device with the content of a buffer of the host, or the
  /// buffer itself where ranks have no devices.
  void *stage(int32_t rank, const void *buffer, int64_t bytes);
  /// Copies back, which on a device waits for what it was asked; a status.
  int32_t unstage(int32_t rank, void *staged, void *buffer, int64_t bytes);

  const TesseraBackend *backend;
  DeviceMesh mesh;
  std::vector<GroupTable> tables;
  /// By communicator, then by rank.
  std::vector<std::vector<TesseraGroup>> groupsOfRanks;
  /// By rank, then by future: copies the result back.
  std::vector<std::map<int32_t, std::function<int32_t()>>> started;
  /// By rank, then by size: memory of the device that is free again.
  std::vector<std::multimap<int64_t, void *>> memory;
  TesseraWorld *world = nullptr;
};

/// A mesh of axes a, b, c, ... of these sizes.
DeviceMesh meshOf(std::vector<int32_t> sizes);

} // namespace tessera::runtime::test

#endif // TESSERA_TEST_RUNTIME_RANKHARNESS_H
