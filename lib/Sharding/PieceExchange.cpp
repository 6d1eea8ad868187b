//===- PieceExchange.cpp - Parts put together from pieces -----------------===//
#include "tessera/Sharding/PieceExchange.h"

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
      if (!axes[i].overlaps(axes[j], mesh) && axes[i].canCoexist(axes[j], mesh))
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

/// The coordinates of the device at index `device` along the axes, and 0 along
/// the others.
llvm::SmallVector<int64_t, 4>
PieceRouting::coordinatesOf(int64_t device) const {
  llvm::SmallVector<int64_t, 4> coordinates(mesh.axes.size(), 0);
  for (const AxisRef &axis : llvm::reverse(axes)) {
    unsigned number = *mesh.findAxis(axis.name);
    int64_t size = axis.size(mesh);
    coordinates[number] +=
        device % size * (mesh.axes[number].size / axis.endSize(mesh));
    device /= size;
  }
  return coordinates;
}

/// The pieces of a part, of which there are `counts` per dimension; `part` says
/// which part it is.
PieceRouting::Pieces
PieceRouting::piecesOf(llvm::ArrayRef<int64_t> part,
                       llvm::ArrayRef<int64_t> counts) const {
  Pieces pieces = {0};
  for (size_t dim = 0; dim < cuts.size(); ++dim) {
    Pieces longer;
    for (int64_t piece : pieces)
      for (int64_t i = 0; i < counts[dim]; ++i)
        longer.push_back(piece * cuts[dim] + part[dim] * counts[dim] + i);
    pieces = std::move(longer);
  }
  return pieces;
}

PieceRouting::PieceRouting(const TensorSharding &before,
                           const TensorSharding &after, const Mesh &mesh)
    : mesh(mesh) {
  chooseAxes(before, after);
  auto changes = [&](size_t dim) {
    return before.dims[dim].axes != after.dims[dim].axes;
  };
  for (size_t dim = 0; dim < before.dims.size(); ++dim) {
    int64_t old = 1, now = 1;
    if (changes(dim)) {
      old = totalSize(before.dims[dim].axes, mesh);
      now = totalSize(after.dims[dim].axes, mesh);
    }
    cuts.push_back(std::lcm(old, now));
    had.push_back(cuts.back() / old);
    wanted.push_back(cuts.back() / now);
  }
  constexpr int64_t kMaxPieces = 2048;
  auto moves = [&](const AxisRef &axis) {
    return overlapsAny(axis, axes, mesh);
  };
  possible =
      numDevices * std::max(product(had), product(wanted)) <= kMaxPieces &&
      llvm::none_of(before.unreduced, moves);
  for (size_t dim = 0; dim < before.dims.size(); ++dim)
    possible &= changes(dim) || llvm::none_of(before.dims[dim].axes, moves);
  if (!possible)
    return;
  for (int64_t device = 0; device < numDevices; ++device) {
    llvm::SmallVector<int64_t, 4> coordinates = coordinatesOf(device);
    llvm::SmallVector<int64_t> old, now;
    for (size_t dim = 0; dim < cuts.size(); ++dim) {
      old.push_back(
          changes(dim) ? valueAt(before.dims[dim].axes, coordinates, mesh) : 0);
      now.push_back(
          changes(dim) ? valueAt(after.dims[dim].axes, coordinates, mesh) : 0);
    }
    owned.push_back(piecesOf(old, had));
    needed.push_back(piecesOf(now, wanted));
    int64_t lacking = 0;
    for (int64_t piece : needed.back())
      if (!llvm::is_contained(owned.back(), piece)) {
        demands.push_back({int32_t(device), int32_t(piece)});
        ++lacking;
      }
    least = std::max(least, lacking);
  }
}

//===----------------------------------------------------------------------===//
// Senders and rounds
//===----------------------------------------------------------------------===//

namespace {
/// Devices that have a piece.
using Owners = llvm::SmallVector<int32_t, 4>;

/// A bipartite matching of demands with senders that have several places each,
/// by augmenting paths.
class SenderMatching {
public:
  SenderMatching(llvm::ArrayRef<Owners> candidates, int64_t numDevices,
                 size_t places)
      : candidates(candidates), places(places), served(numDevices),
        isVisited(numDevices), senders(candidates.size(), -1) {}

  /// Finds a sender for `demand`, which may move others; false if none can.
  bool serve(int32_t demand) {
    std::fill(isVisited.begin(), isVisited.end(), false);
    return augment(demand);
  }

  llvm::ArrayRef<int32_t> getSenders() const { return senders; }

private:
  bool augment(int32_t demand) {
    // Who sends least first, so that few paths are longer than one.
    int32_t best = -1;
    for (int32_t sender : candidates[demand])
      if (served[sender].size() < places &&
          (best < 0 || served[sender].size() < served[best].size()))
        best = sender;
    if (best >= 0) {
      served[best].push_back(demand);
      senders[demand] = best;
      return true;
    }
    for (int32_t sender : candidates[demand]) {
      if (isVisited[sender])
        continue;
      isVisited[sender] = true;
      for (size_t place = 0; place < places; ++place)
        if (augment(served[sender][place])) {
          served[sender][place] = demand;
          senders[demand] = sender;
          return true;
        }
    }
    return false;
  }

  llvm::ArrayRef<Owners> candidates;
  size_t places;
  std::vector<llvm::SmallVector<int32_t, 8>> served;
  std::vector<char> isVisited;
  llvm::SmallVector<int32_t, 0> senders;
};

/// A colouring of the edges of a bipartite graph with as many colours as its
/// largest degree.
class EdgeColouring {
public:
  struct Edge {
    int32_t sender, receiver;
  };

  EdgeColouring(int64_t numVertices, int64_t numColours)
      : sent(numVertices, Slots(numColours, -1)),
        received(numVertices, Slots(numColours, -1)) {}

  void add(Edge edge) {
    int32_t colour = freeColour(sent[edge.sender]);
    if (received[edge.receiver][colour] >= 0)
      flip(edge.receiver, colour, freeColour(received[edge.receiver]));
    edges.push_back(edge);
    colours.push_back(colour);
    place(edges.size() - 1);
  }

  llvm::ArrayRef<int32_t> getColours() const { return colours; }

private:
  using Slots = llvm::SmallVector<int32_t, 8>;

  static int32_t freeColour(const Slots &slots) {
    return llvm::find(slots, -1) - slots.begin();
  }

  void place(int32_t edge) {
    sent[edges[edge].sender][colours[edge]] = edge;
    received[edges[edge].receiver][colours[edge]] = edge;
  }

  /// Swaps both colours on the path of edges of `first`, which is to become
  /// free at `receiver`, and `second`, which is free there, in turns. It ends
  /// before any sender at which `first` is free.
  void flip(int32_t receiver, int32_t first, int32_t second) {
    Slots path;
    for (int32_t edge = received[receiver][first]; edge >= 0;) {
      path.push_back(edge);
      edge = sent[edges[edge].sender][second];
      if (edge < 0)
        break;
      path.push_back(edge);
      edge = received[edges[edge].receiver][first];
    }
    for (int32_t edge : path) {
      sent[edges[edge].sender][colours[edge]] = -1;
      received[edges[edge].receiver][colours[edge]] = -1;
    }
    for (int32_t edge : path) {
      colours[edge] = colours[edge] == first ? second : first;
      place(edge);
    }
  }

  /// Per vertex and colour the edge, or -1.
  std::vector<Slots> sent, received;
  std::vector<Edge> edges;
  llvm::SmallVector<int32_t, 0> colours;
};
} // namespace

/// A sender for every demand such that none sends more than `rounds` pieces, of
/// the group of the receiver by `groupOf`; nothing where there is no such
/// choice.
std::optional<PieceRouting::Senders>
PieceRouting::chooseSenders(llvm::ArrayRef<int64_t> groupOf,
                            int64_t rounds) const {
  std::vector<Owners> owners(product(cuts)), candidates;
  for (int64_t device = 0; device < numDevices; ++device)
    for (int64_t piece : owned[device])
      owners[piece].push_back(device);
  candidates.reserve(demands.size());
  for (const Demand &demand : demands) {
    auto &list = candidates.emplace_back();
    for (int32_t owner : owners[demand.piece])
      if (groupOf[owner] == groupOf[demand.receiver])
        list.push_back(owner);
  }
  SenderMatching matching(candidates, numDevices, rounds);
  for (size_t demand = 0; demand < demands.size(); ++demand)
    if (!matching.serve(demand))
      return std::nullopt;
  return Senders(matching.getSenders());
}

/// Fills the rounds of `exchange`, of which there are enough.
void PieceRouting::colour(llvm::ArrayRef<int32_t> senders,
                          PieceExchange &exchange) const {
  EdgeColouring colouring(numDevices, exchange.rounds.size());
  for (auto [demand, sender] : llvm::zip_equal(demands, senders))
    colouring.add({sender, demand.receiver});
  for (PieceExchange::Round &round : exchange.rounds) {
    round.targets.assign(numDevices, -1);
    round.pieces.assign(numDevices, 0);
  }
  for (auto [demand, sender, number] :
       llvm::zip_equal(demands, senders, colouring.getColours())) {
    PieceExchange::Round &round = exchange.rounds[number];
    round.targets[sender] = demand.receiver;
    round.pieces[sender] =
        llvm::find(owned[sender], demand.piece) - owned[sender].begin();
  }
  fillOrigins(senders, colouring.getColours(), exchange);
}

void PieceRouting::fillOrigins(llvm::ArrayRef<int32_t> senders,
                               llvm::ArrayRef<int32_t> colours,
                               PieceExchange &exchange) const {
  exchange.origins.resize(product(wanted));
  size_t demand = 0;
  for (int64_t device = 0; device < numDevices; ++device)
    for (auto [index, piece] : llvm::enumerate(needed[device])) {
      int64_t own = llvm::find(owned[device], piece) - owned[device].begin();
      if (own == numHad())
        own += colours[demand++];
      exchange.origins[index].push_back(own);
    }
}

std::optional<PieceExchange> PieceRouting::solve(const CollectiveCosts &costs,
                                                 int64_t pieceBytes) const {
  std::optional<PieceExchange> best;
  double bestSeconds = 0;
  std::optional<Senders> bestSenders;
  llvm::SmallVector<LinkCosts> tried;
  for (const AxisRef &latest : axes)
    for (const AxisRef &slowest : axes) {
      LinkCosts links{costs.linksOf(latest).latency,
                      costs.linksOf(slowest).bandwidth};
      if (llvm::any_of(tried, [&](const LinkCosts &other) {
            return other.latency == links.latency &&
                   other.bandwidth == links.bandwidth;
          }))
        continue;
      tried.push_back(links);
      // Devices that may send to each other agree along all slower axes.
      llvm::SmallVector<int64_t> groupOf(numDevices, 0);
      int64_t stride = numDevices;
      for (const AxisRef &axis : axes) {
        LinkCosts own = costs.linksOf(axis);
        stride /= axis.size(mesh);
        if (own.latency > links.latency || own.bandwidth < links.bandwidth)
          for (int64_t device = 0; device < numDevices; ++device)
            groupOf[device] += device / stride % axis.size(mesh) * stride;
      }
      for (int64_t rounds = least; rounds <= kMaxRounds; ++rounds) {
        PieceExchange exchange;
        exchange.rounds.resize(rounds);
        exchange.links = links;
        if (best && exchange.seconds(pieceBytes) >= bestSeconds)
          break;
        std::optional<Senders> senders = chooseSenders(groupOf, rounds);
        if (!senders)
          continue;
        bestSeconds = exchange.seconds(pieceBytes);
        best = std::move(exchange);
        bestSenders = std::move(senders);
        break;
      }
    }
  if (!best)
    return std::nullopt;
  best->axes = axes;
  best->had = had;
  best->wanted = wanted;
  colour(*bestSenders, *best);
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
  std::vector<PieceRouting::Pieces> held = routing.owned;
  for (const Round &round : rounds) {
    for (PieceRouting::Pieces &pieces : held)
      pieces.push_back(-1);
    for (auto [sender, target] : llvm::enumerate(round.targets)) {
      if (target < 0)
        continue;
      if (held[target].back() >= 0)
        return "expected no device to receive twice in a round";
      held[target].back() = routing.owned[sender][round.pieces[sender]];
    }
  }
  for (int64_t device = 0; device < routing.numDevices; ++device)
    for (auto [index, piece] : llvm::enumerate(routing.needed[device]))
      if (held[device][origins[index][device]] != piece)
        return "expected every device to receive the pieces it needs";
  return "";
}
