//===- ProgramLinks.h - What a program's messages go over -----------------===//
#ifndef TESSERA_SIMULATOR_PROGRAMLINKS_H
#define TESSERA_SIMULATOR_PROGRAMLINKS_H

#include "tessera/Cluster/Cluster.h"
#include "tessera/Support/GroupLinks.h"

#include <vector>

namespace tessera {

/// The links of a cluster under a program: of pipeline rank r the devices from
/// r times those of its mesh on. All its devices go on together, so that what
/// counts is the slowest of several groups or pairs.
class ProgramLinks {
public:
  /// Both outlive this.
  ProgramLinks(const Cluster &cluster, const Mesh &mesh);

  /// Of the groups of pipeline rank `rank` along `axes`, at least one. An axis
  /// with links of its own has those, whatever lies under it.
  GroupLinks ofGroups(llvm::ArrayRef<AxisRef> axes, int64_t rank) const;
  /// Of messages from the devices of `source` to those in the same places of
  /// `target`.
  GroupLinks ofMessages(int64_t source, int64_t target) const;

private:
  /// Of the axis of that name, if it has links of its own.
  std::optional<GroupLinks> ofAxis(llvm::StringRef name) const;

  const Cluster &cluster;
  const Mesh &mesh;
  std::vector<NetworkLevel> levels;
};

} // namespace tessera

#endif // TESSERA_SIMULATOR_PROGRAMLINKS_H
