//===- PieceSenders.cpp - Who sends a piece, and in which round -----------===//
#include "tessera/Sharding/PieceExchange.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

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

/// A sender for every demand, of the group of the receiver, such that none
/// sends more pieces than there are rounds; nothing where there is no such
/// choice.
std::optional<PieceRouting::Senders>
PieceRouting::chooseSenders(const Layout &layout) const {
  std::vector<Owners> owners(product(cuts)), candidates;
  for (int64_t device = 0; device < numDevices; ++device)
    for (int32_t piece : ownedBy(device))
      owners[piece].push_back(device);
  candidates.reserve(demands.size());
  for (const Demand &demand : demands) {
    auto &list = candidates.emplace_back();
    for (int32_t owner : owners[demand.piece])
      if (layout.groupOf[owner] == layout.groupOf[demand.receiver])
        list.push_back(owner);
  }
  SenderMatching matching(candidates, numDevices, layout.rounds);
  for (size_t demand = 0; demand < demands.size(); ++demand)
    if (!matching.serve(demand))
      return std::nullopt;
  return Senders(matching.getSenders());
}

std::optional<int32_t> PieceRouting::findOwned(int64_t device,
                                               int32_t piece) const {
  llvm::ArrayRef<int32_t> pieces = ownedBy(device);
  const int32_t *found = llvm::find(pieces, piece);
  if (found == pieces.end())
    return std::nullopt;
  return found - pieces.begin();
}

/// Fills the rounds of `exchange`, of which there are enough, and what becomes
/// of the pieces.
void PieceRouting::fillRounds(llvm::ArrayRef<int32_t> senders,
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
    round.pieces[sender] = *findOwned(sender, demand.piece);
  }
  fillOrigins(colouring.getColours(), exchange);
}

/// `rounds` says when each demand is met.
void PieceRouting::fillOrigins(llvm::ArrayRef<int32_t> rounds,
                               PieceExchange &exchange) const {
  exchange.origins.resize(product(wanted));
  size_t demand = 0;
  for (int64_t device = 0; device < numDevices; ++device)
    for (auto [index, piece] : llvm::enumerate(neededBy(device))) {
      std::optional<int32_t> own = findOwned(device, piece);
      exchange.origins[index].push_back(own ? *own
                                            : numHad() + rounds[demand++]);
    }
}

PieceExchange PieceRouting::exchange(const Layout &layout) const {
  PieceExchange exchange;
  exchange.axes = axes;
  exchange.had = had;
  exchange.wanted = wanted;
  exchange.links = layout.links;
  exchange.rounds.resize(layout.rounds);
  fillRounds(*chooseSenders(layout), exchange);
  return exchange;
}
