//===- FlowCuts.cpp - stages that send each other little ------------------===//

#include "tessera/Stages/Cuts/FlowCuts.h"

#include "tessera/Support/MinimumCut.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

const int64_t FlowCuts::kNever = MinimumCut::kUncuttable;

FlowCuts::Variable FlowCuts::addVariable(std::optional<int64_t> stage) {
  ranges.push_back(stage ? Range{*stage, *stage} : Range{0, stages - 1});
  flowsOf.emplace_back();
  return ranges.size() - 1;
}

void FlowCuts::add(Flow flow) {
  if (flow.users.empty())
    return;
  unsigned number = flows.size();
  if (flow.maker)
    flowsOf[*flow.maker].push_back(number);
  for (Variable user : flow.users)
    flowsOf[user].push_back(number);
  flows.push_back(std::move(flow));
}

/// The side of `variable` in respect of the boundary before stage `boundary`.
FlowCuts::Side FlowCuts::sideOf(Variable variable, int64_t boundary) const {
  auto [first, last] = ranges[variable];
  if (last < boundary)
    return Side::Low;
  return first >= boundary ? Side::High : Side::Open;
}

/// The side of who makes what flows.
FlowCuts::Side FlowCuts::sideOf(const Flow &flow, int64_t boundary) const {
  if (flow.maker)
    return sideOf(*flow.maker, boundary);
  if (flow.available.last < boundary)
    return Side::Low;
  return flow.available.first >= boundary ? Side::High : Side::Both;
}

/// Adds what `flow` costs if it crosses the boundary. The low side is the
/// source's.
void FlowCuts::addToNetwork(MinimumCut &network, const Flow &flow,
                            int64_t boundary) {
  Side maker = sideOf(flow, boundary);
  if (maker == Side::Both)
    return;
  auto nodeOf = [&](Side side, std::optional<Variable> variable) {
    return side == Side::Low    ? MinimumCut::kSource
           : side == Side::High ? MinimumCut::kSink
                                : nodes[*variable];
  };
  MinimumCut::Node from = nodeOf(maker, flow.maker);
  std::optional<MinimumCut::Node> up, down;
  for (Variable user : flow.users) {
    Side side = sideOf(user, boundary);
    MinimumCut::Node to = nodeOf(side, user);
    if (from == to)
      continue;
    if (maker != Side::High && side != Side::Low) {
      if (flow.goesDown) {
        network.addEdge(from, to, MinimumCut::kUncuttable);
      } else {
        if (!up)
          network.addEdge(from, *(up = network.addNode()), flow.cost);
        network.addEdge(*up, to, MinimumCut::kUncuttable);
      }
    }
    if (maker != Side::Low && side != Side::High) {
      if (!down)
        network.addEdge(*(down = network.addNode()), from, flow.cost);
      network.addEdge(to, *down, MinimumCut::kUncuttable);
    }
  }
}

/// Decides the stages first .. last of the variables `open`, for which all of
/// these are possible.
void FlowCuts::cut(llvm::ArrayRef<Variable> open, int64_t first, int64_t last) {
  if (first == last || open.empty())
    return;
  int64_t boundary = first + (last - first + 1) / 2;
  MinimumCut network;
  llvm::SmallVector<unsigned> touched;
  for (Variable variable : open) {
    nodes[variable] = network.addNode();
    llvm::append_range(touched, flowsOf[variable]);
  }
  llvm::sort(touched);
  touched.erase(llvm::unique(touched), touched.end());
  for (unsigned flow : touched)
    addToNetwork(network, flows[flow], boundary);
  network.solve();
  llvm::SmallVector<Variable> low, high;
  for (Variable variable : open) {
    if (network.isOnSourceSide(nodes[variable])) {
      ranges[variable].last = boundary - 1;
      low.push_back(variable);
    } else {
      ranges[variable].first = boundary;
      high.push_back(variable);
    }
  }
  cut(low, first, boundary - 1);
  cut(high, boundary, last);
}

void FlowCuts::solve() {
  nodes.resize(ranges.size());
  llvm::SmallVector<Variable> open;
  for (auto [variable, range] : llvm::enumerate(ranges))
    if (range.first != range.last)
      open.push_back(variable);
  cut(open, 0, stages - 1);
}
