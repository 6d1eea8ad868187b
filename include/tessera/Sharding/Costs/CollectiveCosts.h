//===- CollectiveCosts.h - What collectives cost --------------------------===//
#ifndef TESSERA_SHARDING_COSTS_COLLECTIVECOSTS_H
#define TESSERA_SHARDING_COSTS_COLLECTIVECOSTS_H

#include "tessera/Sharding/Algebra/AxisRef.h"
#include "tessera/Support/Collective.h"

namespace tessera {

/// The links along one mesh axis, in the alpha-beta model.
struct LinkCosts {
  /// Seconds before the first byte of a message arrives. By default hardly any,
  /// so that bytes decide and messages break ties: what a program waits for
  /// depends on which collectives overlap, which a cost per tensor cannot know,
  /// whereas every byte is sent. Where messages are slow, a description of the
  /// machine says so.
  double latency = 1e-8;
  /// Bytes per second that a device sends along the axis.
  double bandwidth = 25e9;
};

/// The time of collectives on a mesh. A group that spans several axes is as
/// slow as the slowest of them.
class CollectiveCosts {
public:
  /// `links` has one entry per axis of `mesh`, or none for the defaults.
  CollectiveCosts(const Mesh &mesh, llvm::ArrayRef<LinkCosts> links = {});

  /// The links of a group over `axes`: largest latency, smallest bandwidth.
  LinkCosts linksOf(llvm::ArrayRef<AxisRef> axes) const;
  /// The links along mesh axis number `axis`.
  const LinkCosts &linksOfAxis(unsigned axis) const { return links[axis]; }
  /// The seconds of a collective over `axes`.
  double seconds(CollectiveKind kind, llvm::ArrayRef<AxisRef> axes,
                 int64_t operandBytes) const;

private:
  Mesh mesh;
  llvm::SmallVector<LinkCosts, 4> links;
};

/// The seconds of a collective over `devices` participants with such `links`.
double collectiveSeconds(CollectiveKind kind, int64_t devices,
                         int64_t operandBytes, const LinkCosts &links);

} // namespace tessera

#endif // TESSERA_SHARDING_COSTS_COLLECTIVECOSTS_H
