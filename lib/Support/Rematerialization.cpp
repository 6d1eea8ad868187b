//===- Rematerialization.cpp ----------------------------------------------===//

#include "tessera/Support/Rematerialization.h"

using namespace tessera;

Rematerialization::Item Rematerialization::add(int64_t sending) {
  Nodes added = {cut.addNode(), cut.addNode()};
  cut.addEdge(added.isNeeded, added.isMade, sending);
  nodes.push_back(added);
  return nodes.size() - 1;
}

void Rematerialization::mayMake(Item item, std::span<const Item> sources,
                                int64_t making) {
  Nodes &made = nodes[item];
  made.mayBeMade = true;
  cut.addEdge(made.isMade, MinimumCut::kSink, making);
  for (Item source : sources)
    cut.addEdge(made.isMade, nodes[source].isNeeded, MinimumCut::kUncuttable);
}

void Rematerialization::need(Item item) {
  cut.addEdge(MinimumCut::kSource, nodes[item].isNeeded,
              MinimumCut::kUncuttable);
}

/// The source's side of the network is what is needed, and, cut off from it,
/// what is not made: a value that is needed and not made is sent.
void Rematerialization::solve() {
  for (const Nodes &item : nodes)
    if (!item.mayBeMade)
      cut.addEdge(item.isMade, MinimumCut::kSink, MinimumCut::kUncuttable);
  cut.solve();
}
