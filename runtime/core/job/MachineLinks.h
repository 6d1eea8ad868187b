//===- MachineLinks.h - What ranks send over on a described machine -------===//

#ifndef TESSERA_RUNTIME_CORE_JOB_MACHINELINKS_H
#define TESSERA_RUNTIME_CORE_JOB_MACHINELINKS_H

#include "../program/DeviceMesh.h"
#include "tessera/Support/GroupLinks.h"
#include "tessera/backend.h"

#include <span>

namespace tessera::runtime {

/// The links of a machine between the ranks of a job, which are the devices
/// with their numbers: those of the innermost level one of whose groups holds
/// all who communicate, or of an axis that has links of its own.
class MachineLinks {
public:
  /// Ranks are `copies` copies of `mesh`. All of them outlive this, and
  /// `machine` has a level that holds all devices, or none at all.
  MachineLinks(const TesseraMachine &machine, const DeviceMesh &mesh,
               int32_t copies);

  /// By rank, of its group along these sub-axes. Where some of the axes have
  /// links of their own, the largest latency and the smallest bandwidth of all.
  std::vector<TesseraLink> ofGroups(const std::vector<SubAxis> &along) const;
  /// Of a message between two ranks of different copies of the mesh.
  TesseraLink between(int32_t source, int32_t target) const;

private:
  GroupLinks ofLevel(std::span<const int32_t> ranks) const;
  /// Of the axis of that name, if it has links of its own.
  std::optional<GroupLinks> ofAxis(const std::string &name) const;

  const TesseraMachine &machine;
  const DeviceMesh &mesh;
  int32_t copies;
  std::vector<NetworkLevel> levels;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_JOB_MACHINELINKS_H
