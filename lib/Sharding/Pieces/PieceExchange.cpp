//===- PieceExchange.cpp - Parts put together from pieces -----------------===//
#include "tessera/Sharding/Pieces/PieceExchange.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <numeric>

using namespace tessera;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

int64_t PieceRouting::product(llvm::ArrayRef<int64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), int64_t(1),
                         std::multiplies<>());
}

/// The axes that split a dimension that changes. Parts of an axis that overlap
/// or cut it at boundaries that do not divide each other become the smallest
/// part that says the values of both.
void PieceRouting::chooseAxes(const TensorSharding &before,
                              const TensorSharding &after) {
  for (auto [old, now] : llvm::zip_equal(before.dims, after.dims))
    if (old.axes != now.axes)
      for (const AxisList *list : {&old.axes, &now.axes})
        llvm::append_range(axes, *list);
  for (size_t i = 0; i < axes.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (fitsBeside(axes[i], axes[j], mesh))
        continue;
      int64_t preSize = std::gcd(axes[i].preSize(), axes[j].preSize());
      int64_t endSize = std::lcm(axes[i].endSize(mesh), axes[j].endSize(mesh));
      axes[j] = AxisRef::get(axes[j].name, preSize, endSize / preSize, mesh);
      axes.erase(axes.begin() + i);
      // What has grown may overlap what was compared before.
      i = 0;
      break;
    }
  axes = canonicalSet(axes, mesh);
  numDevices = totalSize(axes, mesh);
}

/// How the index of a device along the axes says its values along `list`, parts
/// of these axes.
llvm::SmallVector<PieceRouting::Digit, 4>
PieceRouting::digitsOf(llvm::ArrayRef<AxisRef> list) const {
  llvm::SmallVector<Digit, 4> digits;
  for (const AxisRef &part : list) {
    int64_t stride = numDevices;
    for (const AxisRef &axis : axes) {
      stride /= axis.size(mesh);
      if (!axis.contains(part, mesh))
        continue;
      digits.push_back({stride * (axis.endSize(mesh) / part.endSize(mesh)),
                        part.size(mesh)});
      break;
    }
  }
  return digits;
}

/// Adds the pieces of a device that has part `old` and wants part `now`, of
/// which both say the index per dimension.
void PieceRouting::addPieces(int32_t device, llvm::ArrayRef<int64_t> old,
                             llvm::ArrayRef<int64_t> now) {
  for (int64_t number = 0; number < numHad(); ++number) {
    int64_t rest = number, piece = 0, stride = 1;
    for (size_t dim = cuts.size(); dim-- > 0; stride *= cuts[dim]) {
      piece += (old[dim] * had[dim] + rest % had[dim]) * stride;
      rest /= had[dim];
    }
    owned.push_back(piece);
  }
  firstDemand.push_back(demands.size());
  for (int64_t number = 0, end = product(wanted); number < end; ++number) {
    int64_t rest = number, piece = 0, stride = 1;
    bool isOwned = true;
    for (size_t dim = cuts.size(); dim-- > 0; stride *= cuts[dim]) {
      int64_t index = now[dim] * wanted[dim] + rest % wanted[dim];
      piece += index * stride;
      isOwned &= index / had[dim] == old[dim];
      rest /= wanted[dim];
    }
    needed.push_back(piece);
    if (!isOwned)
      demands.push_back({device, int32_t(piece)});
  }
  least = std::max<int64_t>(least, demands.size() - firstDemand.back());
}

PieceRouting::PieceRouting(const TensorSharding &before,
                           const TensorSharding &after, const Mesh &mesh)
    : mesh(mesh) {
  chooseAxes(before, after);
  constexpr int64_t kMaxPieces = 2048;
  auto moves = [&](const AxisRef &axis) {
    return !fitsBeside(axis, axes, mesh);
  };
  possible = llvm::none_of(before.unreduced, moves);
  llvm::SmallVector<llvm::SmallVector<Digit, 4>, 4> oldDigits, newDigits;
  for (auto [old, now] : llvm::zip_equal(before.dims, after.dims)) {
    bool changes = old.axes != now.axes;
    possible &= changes || llvm::none_of(old.axes, moves);
    int64_t parts = changes ? totalSize(old.axes, mesh) : 1;
    int64_t newParts = changes ? totalSize(now.axes, mesh) : 1;
    cuts.push_back(std::lcm(parts, newParts));
    had.push_back(cuts.back() / parts);
    wanted.push_back(cuts.back() / newParts);
    oldDigits.push_back(digitsOf(changes ? old.axes : AxisList()));
    newDigits.push_back(digitsOf(changes ? now.axes : AxisList()));
  }
  possible &= numDevices * std::max(numHad(), product(wanted)) <= kMaxPieces;
  auto valueOf = [](llvm::ArrayRef<Digit> digits, int64_t device) {
    int64_t value = 0;
    for (const Digit &digit : digits)
      value = value * digit.size + device / digit.divisor % digit.size;
    return value;
  };
  Counts old(cuts.size()), now(cuts.size());
  for (int64_t device = 0; possible && device < numDevices; ++device) {
    for (size_t dim = 0; dim < cuts.size(); ++dim) {
      old[dim] = valueOf(oldDigits[dim], device);
      now[dim] = valueOf(newDigits[dim], device);
    }
    addPieces(device, old, now);
    possible = least <= kMaxRounds;
  }
  firstDemand.push_back(demands.size());
}

//===----------------------------------------------------------------------===//
// Groups and rounds
//===----------------------------------------------------------------------===//

double PieceRouting::Layout::seconds(int64_t pieceBytes) const {
  return rounds *
         collectiveSeconds(CollectiveKind::Permute, 2, pieceBytes, links);
}

/// Per device a number of its group: those that agree along all axes slower
/// than `links`. It is the smallest index of a device of the group, and the
/// others are this one and one of group 0 together.
llvm::SmallVector<int32_t, 0>
PieceRouting::groupsOn(const CollectiveCosts &costs,
                       const LinkCosts &links) const {
  llvm::SmallVector<int32_t, 0> groupOf(numDevices, 0);
  int64_t stride = numDevices;
  for (const AxisRef &axis : axes) {
    LinkCosts own = costs.linksOf(axis);
    stride /= axis.size(mesh);
    if (own.latency > links.latency || own.bandwidth < links.bandwidth)
      for (int64_t device = 0; device < numDevices; ++device)
        groupOf[device] += device / stride % axis.size(mesh) * stride;
  }
  return groupOf;
}

/// The most pieces that a device sends if, in every group, all that have a
/// piece send equal shares of it; nothing where none in a group has one that is
/// lacked there.
std::optional<double>
PieceRouting::mostSent(llvm::ArrayRef<int32_t> groupOf) const {
  llvm::SmallVector<int32_t, 0> firstGroup;
  for (int64_t device = 0; device < numDevices; ++device)
    if (groupOf[device] == 0)
      firstGroup.push_back(device);
  // Per piece how many devices of a group have it, and how many lack it.
  llvm::SmallVector<int32_t, 0> owners(product(cuts)), lacking(product(cuts));
  double most = 0;
  for (int64_t group = 0; group < numDevices; ++group) {
    if (groupOf[group] != group)
      continue;
    for (int32_t offset : firstGroup) {
      for (int32_t piece : ownedBy(group + offset))
        ++owners[piece];
      for (const Demand &demand : demandsOf(group + offset))
        ++lacking[demand.piece];
    }
    for (int32_t offset : firstGroup) {
      double share = 0;
      for (int32_t piece : ownedBy(group + offset))
        share += double(lacking[piece]) / owners[piece];
      most = std::max(most, share);
      for (const Demand &demand : demandsOf(group + offset))
        if (owners[demand.piece] == 0)
          return std::nullopt;
    }
    for (int32_t offset : firstGroup) {
      for (int32_t piece : ownedBy(group + offset))
        owners[piece] = 0;
      for (const Demand &demand : demandsOf(group + offset))
        lacking[demand.piece] = 0;
    }
  }
  return most;
}

std::optional<PieceRouting::Layout>
PieceRouting::choose(const CollectiveCosts &costs, int64_t pieceBytes) const {
  std::optional<Layout> best;
  llvm::SmallVector<LinkCosts> tried;
  for (const AxisRef &latest : axes)
    for (const AxisRef &slowest : axes) {
      Layout layout;
      layout.rounds = least;
      layout.links = {costs.linksOf(latest).latency,
                      costs.linksOf(slowest).bandwidth};
      if (llvm::any_of(tried, [&](const LinkCosts &other) {
            return other.latency == layout.links.latency &&
                   other.bandwidth == layout.links.bandwidth;
          }))
        continue;
      tried.push_back(layout.links);
      auto isBetter = [&] {
        return layout.rounds <= kMaxRounds &&
               (!best ||
                layout.seconds(pieceBytes) < best->seconds(pieceBytes));
      };
      if (!isBetter())
        continue;
      layout.groupOf = groupsOn(costs, layout.links);
      std::optional<double> sent = mostSent(layout.groupOf);
      if (!sent)
        continue;
      // Shares are fractions: what is a little above a number is that number.
      constexpr double kTolerance = 1e-6;
      while (isBetter() && *sent > layout.rounds + kTolerance &&
             !chooseSenders(layout))
        ++layout.rounds;
      if (isBetter())
        best = std::move(layout);
    }
  return best;
}

//===----------------------------------------------------------------------===//
// The exchange
//===----------------------------------------------------------------------===//

int64_t PieceExchange::numHad() const { return PieceRouting::product(had); }

double PieceExchange::seconds(int64_t pieceBytes) const {
  return rounds.size() *
         collectiveSeconds(CollectiveKind::Permute, 2, pieceBytes, links);
}

std::string PieceExchange::verify(const TensorSharding &before,
                                  const TensorSharding &after,
                                  const Mesh &mesh) const {
  if (before.unreduced != after.unreduced ||
      before.unreducedKind != after.unreducedKind)
    return "expected the pending reduction to stay";
  PieceRouting routing(before, after, mesh);
  if (routing.axes != axes || routing.had != had || routing.wanted != wanted)
    return "expected the pieces that old and new parts have in common";
  if (!routing.possible)
    return "expected devices that hold the same of all other dimensions";
  // Per device its pieces, then what arrives in the rounds.
  std::vector<llvm::SmallVector<int32_t, 8>> held;
  held.reserve(routing.numDevices);
  for (int64_t device = 0; device < routing.numDevices; ++device)
    held.emplace_back(routing.ownedBy(device));
  for (const Round &round : rounds) {
    for (auto &pieces : held)
      pieces.push_back(-1);
    for (auto [sender, target] : llvm::enumerate(round.targets)) {
      if (target < 0)
        continue;
      if (held[target].back() >= 0)
        return "expected no device to receive twice in a round";
      held[target].back() = routing.ownedBy(sender)[round.pieces[sender]];
    }
  }
  for (int64_t device = 0; device < routing.numDevices; ++device)
    for (auto [index, piece] : llvm::enumerate(routing.neededBy(device)))
      if (held[device][origins[index][device]] != piece)
        return "expected every device to receive the pieces it needs";
  return "";
}
