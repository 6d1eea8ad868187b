//===- PieceSenders.cpp - Who sends a piece, and in which round -----------===//
#include "tessera/Sharding/Pieces/MessageRounds.h"
#include "tessera/Sharding/Pieces/PieceExchange.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {
/// Devices that have a piece.
using Owners = llvm::SmallVector<int32_t, 4>;

/// A bipartite matching of demands with senders that send several pieces each,
/// by augmenting paths.
class SenderMatching {
public:
  SenderMatching(llvm::ArrayRef<Owners> candidates, int64_t numDevices,
                 size_t capacity)
      : candidates(candidates), capacity(capacity), served(numDevices),
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
      if (served[sender].size() < capacity &&
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
      for (size_t i = 0; i < capacity; ++i)
        if (augment(served[sender][i])) {
          served[sender][i] = demand;
          senders[demand] = sender;
          return true;
        }
    }
    return false;
  }

  llvm::ArrayRef<Owners> candidates;
  size_t capacity;
  std::vector<llvm::SmallVector<int32_t, 8>> served;
  std::vector<char> isVisited;
  llvm::SmallVector<int32_t, 0> senders;
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
  llvm::SmallVector<Message, 0> messages;
  for (auto [demand, sender] : llvm::zip_equal(demands, senders))
    messages.push_back({sender, demand.receiver});
  llvm::SmallVector<int32_t, 0> numbers =
      roundsOfMessages(messages, numDevices, exchange.rounds.size());
  for (PieceExchange::Round &round : exchange.rounds) {
    round.targets.assign(numDevices, -1);
    round.pieces.assign(numDevices, 0);
  }
  for (auto [demand, sender, number] :
       llvm::zip_equal(demands, senders, numbers)) {
    PieceExchange::Round &round = exchange.rounds[number];
    round.targets[sender] = demand.receiver;
    round.pieces[sender] = *findOwned(sender, demand.piece);
  }
  fillOrigins(numbers, exchange);
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
