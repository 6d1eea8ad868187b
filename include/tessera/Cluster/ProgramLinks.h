//===- ProgramLinks.h - What a program's messages go over -----------------===//
#ifndef TESSERA_CLUSTER_PROGRAMLINKS_H
#define TESSERA_CLUSTER_PROGRAMLINKS_H

#include "tessera/Cluster/Cluster.h"
#include "tessera/Support/GroupLinks.h"

#include <map>
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
  const GroupLinks &ofGroups(llvm::ArrayRef<AxisRef> axes, int64_t rank);
  /// Of messages from the devices of `source` to those in the same places of
  /// `target`.
  GroupLinks ofMessages(int64_t source, int64_t target) const;

private:
  GroupLinks findLinks(llvm::ArrayRef<AxisRef> axes, int64_t rank) const;
  /// Of the axis of that name, if it has links of its own.
  std::optional<GroupLinks> ofAxis(llvm::StringRef name) const;

  const Cluster &cluster;
  const Mesh &mesh;
  std::vector<NetworkLevel> levels;
  /// What has been asked for: all devices are looked at, and programs have many
  /// collectives along few axes.
  std::map<std::pair<std::vector<AxisRef>, int64_t>, GroupLinks> known;
};

} // namespace tessera

#endif // TESSERA_CLUSTER_PROGRAMLINKS_H
