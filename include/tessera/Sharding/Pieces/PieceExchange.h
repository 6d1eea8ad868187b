//===- PieceExchange.h - Parts put together from pieces -------------------===//
#ifndef TESSERA_SHARDING_PIECES_PIECEEXCHANGE_H
#define TESSERA_SHARDING_PIECES_PIECEEXCHANGE_H

#include "tessera/Sharding/Algebra/TensorSharding.h"
#include "tessera/Sharding/Costs/CollectiveCosts.h"

namespace tessera {

/// How devices put their new parts of a tensor together from pieces of the old
/// ones. A piece is what one old and one new part can have in common, and all
/// are of one shape; each that a device lacks is sent to it once.
struct PieceExchange {
  /// What happens at once: every device sends and receives at most one piece.
  struct Round {
    /// Per device, by its index along `axes`, the index of the one that it
    /// sends to, or -1.
    llvm::SmallVector<int32_t, 0> targets;
    /// Per device which piece of its old part it sends; 0 where none.
    llvm::SmallVector<int32_t, 0> pieces;

    friend bool operator==(const Round &a, const Round &b) {
      return a.targets == b.targets && a.pieces == b.pieces;
    }
  };

  /// Devices that differ along these axes exchange pieces, for all combinations
  /// of the others alike. In the order of the mesh.
  AxisList axes;
  /// Per dimension, how many pieces the old and the new part of a device have.
  /// Pieces of a part are numbered row-major.
  llvm::SmallVector<int64_t> had, wanted;
  llvm::SmallVector<Round, 0> rounds;
  /// Per piece of the new part and device where it comes from: the number of a
  /// piece of the device's old part or, counted on from these, of the round in
  /// which it arrives.
  llvm::SmallVector<llvm::SmallVector<int32_t, 0>, 0> origins;
  /// The slowest links that a message takes.
  LinkCosts links;

  /// How many pieces the old part of a device has.
  int64_t numHad() const;
  /// The time of all rounds; `pieceBytes` is the size of one piece.
  double seconds(int64_t pieceBytes) const;
  /// Why devices that hold their parts by `before` do not end up with those by
  /// `after`, or an empty string.
  std::string verify(const TensorSharding &before, const TensorSharding &after,
                     const Mesh &mesh) const;
};

/// Who lacks which piece, and who may send it: finds the exchange of pieces
/// between two shardings on one mesh that takes the least time.
///
/// **Pieces.** Where a dimension is split into s parts and is to be split into
/// t, it is cut into lcm(s, t) pieces, of which each part is a run. A device
/// keeps what it wants of what it has.
///
/// **Senders.** Several devices may have a piece that one lacks. The number of
/// rounds is the most pieces that any device sends or receives (see below). If
/// everybody who has a piece sent an equal share of it, and nobody sent more
/// than so many pieces, then there are whole senders as well, since flows are
/// integral; so it is mostly enough to count. Otherwise, and once an exchange
/// is chosen, senders are found by a bipartite matching in which every device
/// has as many places as there are rounds, by augmenting paths, for one round
/// more each time until all pieces have a sender. Where links differ, this is
/// done for all sets of axes that contain every axis as fast as their slowest,
/// and the cheapest is taken.
///
/// **Rounds.** Every piece is a message; see `roundsOfMessages`.
///
/// Everything else that a plan can do sends some bytes more than once, or to
/// devices that do not want them, unless it is one collective; but a collective
/// takes fewer rounds. O(rounds * pieces^2) at worst, mostly linear in the
/// pieces that are sent.
class PieceRouting {
public:
  /// Exchanges of more rounds are none.
  static constexpr int64_t kMaxRounds = 8;

  /// How an exchange is organised.
  struct Layout {
    int64_t rounds = 0;
    /// The slowest links that a message takes.
    LinkCosts links;
    /// Per device the group of devices that it exchanges pieces with.
    llvm::SmallVector<int32_t, 0> groupOf;

    /// The time of all rounds; `pieceBytes` is the size of one piece.
    double seconds(int64_t pieceBytes) const;
  };

  /// `before` and `after` are placements with the same pending reduction, and
  /// differ only in dimensions that divide by both numbers of parts.
  PieceRouting(const TensorSharding &before, const TensorSharding &after,
               const Mesh &mesh);

  /// Whether the devices that exchange pieces hold the same of everything else,
  /// are as few as this is meant for, and the pieces as well.
  bool isPossible() const { return possible; }
  /// How many pieces the old part of a device has.
  int64_t numHad() const { return product(had); }
  /// The layout of the cheapest exchange of pieces of `pieceBytes` bytes; none
  /// where all have more than `kMaxRounds` rounds.
  std::optional<Layout> choose(const CollectiveCosts &costs,
                               int64_t pieceBytes) const;
  /// The exchange by `layout`, which `choose` has returned.
  PieceExchange exchange(const Layout &layout) const;

private:
  friend struct PieceExchange;

  /// A piece that a device lacks.
  struct Demand {
    int32_t receiver, piece;
  };
  /// An axis that splits a dimension, by the index of a device.
  struct Digit {
    int64_t divisor, size;
  };
  using Counts = llvm::SmallVector<int64_t>;
  using Senders = llvm::SmallVector<int32_t, 0>;

  static int64_t product(llvm::ArrayRef<int64_t> counts);
  void chooseAxes(const TensorSharding &before, const TensorSharding &after);
  llvm::SmallVector<Digit, 4> digitsOf(llvm::ArrayRef<AxisRef> list) const;
  void addPieces(int32_t device, llvm::ArrayRef<int64_t> old,
                 llvm::ArrayRef<int64_t> now);
  llvm::ArrayRef<int32_t> ownedBy(int64_t device) const {
    return llvm::ArrayRef(owned).slice(device * numHad(), numHad());
  }
  llvm::ArrayRef<int32_t> neededBy(int64_t device) const {
    return llvm::ArrayRef(needed).slice(device * product(wanted),
                                        product(wanted));
  }
  /// Which piece of its old part a device has as `piece`, or none.
  std::optional<int32_t> findOwned(int64_t device, int32_t piece) const;
  llvm::ArrayRef<Demand> demandsOf(int64_t device) const {
    return llvm::ArrayRef(demands).slice(
        firstDemand[device], firstDemand[device + 1] - firstDemand[device]);
  }
  llvm::SmallVector<int32_t, 0> groupsOn(const CollectiveCosts &costs,
                                         const LinkCosts &links) const;
  std::optional<double> mostSent(llvm::ArrayRef<int32_t> groupOf) const;
  std::optional<Senders> chooseSenders(const Layout &layout) const;
  void fillRounds(llvm::ArrayRef<int32_t> senders,
                  PieceExchange &exchange) const;
  void fillOrigins(llvm::ArrayRef<int32_t> rounds,
                   PieceExchange &exchange) const;

  const Mesh &mesh;
  AxisList axes;
  bool possible = true;
  /// No exchange has fewer than `least` rounds.
  int64_t numDevices = 1, least = 0;
  /// Per dimension the pieces of the whole, of an old and of a new part.
  Counts cuts, had, wanted;
  /// The pieces that devices have and want, device by device, in the order of
  /// their numbers in its parts.
  llvm::SmallVector<int32_t, 0> owned, needed;
  /// Receiver by receiver, and where those of each begin.
  llvm::SmallVector<Demand, 0> demands;
  llvm::SmallVector<int32_t, 0> firstDemand;
};

} // namespace tessera

#endif // TESSERA_SHARDING_PIECES_PIECEEXCHANGE_H
