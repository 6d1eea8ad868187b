//===- Rematerialization.h - what is made again rather than sent ----------===//
#ifndef TESSERA_SUPPORT_REMATERIALIZATION_H
#define TESSERA_SUPPORT_REMATERIALIZATION_H

#include "tessera/Support/MinimumCut.h"

#include <span>

namespace tessera {

/// Chooses which values are made again where they are needed, and which are
/// sent there. What is sent of a value need not be the value itself, but
/// anything from which it can be made: its sources, or theirs, which may be a
/// few scalars. For all values that are needed at once this is a minimum cut by
/// what it costs to send them; of equal cuts the one nearest to what is needed,
/// so that nothing is computed twice for no gain.
class Rematerialization {
public:
  using Item = unsigned;

  /// Adds a value that may be needed and costs `sending` to be sent.
  Item add(int64_t sending);
  /// `item` may also be made from `sources`, all of which are needed then, at
  /// the additional cost of `making`. Call at most once for an item.
  void mayMake(Item item, std::span<const Item> sources, int64_t making = 0);
  void need(Item item);

  /// Chooses. Call once, when everything has been said.
  void solve();
  /// Whether `item` is needed and made; what is needed otherwise is sent.
  bool isMade(Item item) const {
    return cut.isOnSourceSide(nodes[item].isMade);
  }

private:
  struct Nodes {
    MinimumCut::Node isNeeded, isMade;
    bool mayBeMade = false;
  };

  std::vector<Nodes> nodes;
  MinimumCut cut;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_REMATERIALIZATION_H
