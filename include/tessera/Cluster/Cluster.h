//===- Cluster.h - The machine that programs run on -----------------------===//
#ifndef TESSERA_CLUSTER_CLUSTER_H
#define TESSERA_CLUSTER_CLUSTER_H

#include "tessera/Sharding/Costs/Machine.h"
#include "tessera/Support/KernelCosts.h"
#include "tessera/Support/LinkDetails.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tessera {

/// A level of the network, such as the devices of one node.
struct ClusterLevel {
  std::string name;
  /// How many devices, with consecutive numbers, a group of this level has; 0
  /// for all.
  int64_t devices = 0;
  /// Between devices of one group that share no group of an inner level.
  LinkCosts links;
  LinkDetails details;
};

/// The links along one mesh axis, whatever the levels say.
struct ClusterAxis {
  std::string name;
  LinkCosts links;
};

/// A machine as a user describes it (`--cluster=FILE.yaml`, docs/cluster.md),
/// independent of any mesh. All in seconds, bytes and floating-point
/// operations.
struct Cluster {
  /// How the user called it: a machine that ships, or a file. Empty for the
  /// built-in one, and where only a mesh knows the machine.
  std::string name;
  /// What one device has; `device.links` is not used.
  Machine device;
  /// What its kernels do beside the roofline of `device`.
  KernelCosts kernels;
  /// How many devices there are; 0 where as many as a program needs.
  int64_t devices = 0;
  /// From the innermost out; the devices of each divide those of the next, and
  /// the last holds all.
  std::vector<ClusterLevel> levels;
  std::vector<ClusterAxis> axes;

  /// The machine where nobody describes one: all devices alike on one level,
  /// with so little latency that bytes decide.
  static Cluster builtin();

  /// A machine of which `machine`, under `mesh`, and `levels` are known;
  /// without levels, there is one with the slowest links along any axis. Links
  /// of an axis that are not those of the levels under it are its own.
  static Cluster around(const Machine &machine,
                        std::vector<ClusterLevel> levels, const Mesh &mesh);

  /// The machine under `mesh`. Along an axis that `axes` does not name, links
  /// are those of the innermost level whose groups hold every line of devices
  /// along the axis.
  Machine machineFor(const Mesh &mesh) const;

  /// The levels between pipeline ranks, each a copy of a mesh: `levels`, unless
  /// `axes` names the axis `kStageAxis` and `mesh` has none of that name; then
  /// one level with its links. The built-in one where there are none.
  std::vector<ClusterLevel> levelsBetweenRanks(const Mesh &mesh) const;

  /// Why this describes no machine, or an empty string.
  std::string verify() const;
};

/// The axis along which pipeline ranks lie, outermost of all.
inline constexpr llvm::StringLiteral kStageAxis = "stage";

/// The links between the pipeline ranks `a` and `b`. Rank r is the copy of
/// `mesh` on the devices from r times those of the mesh on, and each device
/// talks to the one in the same place of the other copy: the links are those of
/// the innermost of `levels`, of which the last holds all devices, whose groups
/// hold all these pairs.
LinkCosts linksBetweenRanks(llvm::ArrayRef<ClusterLevel> levels,
                            const Mesh &mesh, int64_t a, int64_t b);

/// The slower of both in latency and in bandwidth.
LinkCosts slower(const LinkCosts &a, const LinkCosts &b);

/// Why a description cannot be read, and where (from 1).
struct ClusterError {
  std::string message;
  unsigned line = 1, column = 1;
};

/// Reads a description; without a result, `error` says why.
std::optional<Cluster> parseCluster(llvm::StringRef text, ClusterError &error);

/// The description that `name` asks for: of a machine that ships, or in a file.
/// Without a result, `error` says why and where.
std::optional<Cluster> findCluster(const std::string &name,
                                   ClusterError &error);

/// Writes `cluster` as `parseCluster` reads it.
void printCluster(const Cluster &cluster, llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_CLUSTER_CLUSTER_H
