//===- ChoiceSearch.cpp - choices that no reduction settles ---------------===//

#include "Choice/ChoiceSearch.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace tessera;
using namespace tessera::shard;

/// The most rounds for a large graph and for any, and how many costs all rounds
/// may read: what is left between the bound and the best choices often closes
/// late and at once, and rounds of a small graph cost nothing.
static constexpr size_t kMinRounds = 64, kMaxRounds = 1024,
                        kMaxReads = 20'000'000;
/// After so many rounds the choices read off are improved, and it is seen
/// whether to go on.
static constexpr unsigned kRoundsPerCheck = 4;
/// The number of checks with neither better choices nor a better bound after
/// which to stop.
static constexpr unsigned kPatience = 3;
/// If at most this part of what is not to be paid in any case can be saved, one
/// check without better choices is enough.
static constexpr double kSmallGap = 0.01;
/// A part of the cost that is not worth searching for.
static constexpr double kTolerance = 1e-5;
/// The number of different forests to improve, and the most improvements.
static constexpr unsigned kForests = 7, kMaxForests = 100;
ChoiceSearch::ChoiceSearch(CostTables &tables, const ChoiceGraph &graph)
    : tables(tables), graph(graph), firstHalf(numNodes() + 1, 0),
      changedAt(numNodes(), 0), choices(numNodes(), 0) {
  unsigned numOptions = 0;
  for (Node node = 0; node < numNodes(); ++node) {
    firstCost.push_back(numOptions);
    numOptions += costs(node).size();
  }
  allTreeCosts.resize(numOptions);
  for (const ChoiceGraph::Edge &edge : graph.edges) {
    ++firstHalf[edge.a + 1];
    ++firstHalf[edge.b + 1];
  }
  for (Node node = 0; node < numNodes(); ++node)
    firstHalf[node + 1] += firstHalf[node];
  allHalves.resize(firstHalf.back());
  std::vector<unsigned> next(firstHalf.begin(), firstHalf.end() - 1);
  unsigned numMessages = 0;
  for (const ChoiceGraph::Edge &edge : graph.edges) {
    const float *fromA = tables.tableCosts(edge.costs),
                *fromB = tables.tableCosts(tables.transposed(edge.costs));
    unsigned toA = numMessages, toB = toA + costs(edge.a).size();
    numMessages = toB + costs(edge.b).size();
    allHalves[next[edge.a]++] = {edge.b, fromA, fromB, toA, toB};
    allHalves[next[edge.b]++] = {edge.a, fromB, fromA, toB, toA};
  }
  messages.assign(numMessages, 0);
}

double ChoiceSearch::cost(const Choices &choices) const {
  double sum = graph.lowered;
  for (Node node = 0; node < numNodes(); ++node)
    sum += costs(node)[choices[node]];
  for (const ChoiceGraph::Edge &edge : graph.edges)
    sum += tables.cost(edge.costs, choices[edge.a], choices[edge.b]);
  return sum;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Tells the neighbours that come later (`forward`) or earlier what their
/// options cost: the node's own costs, shared out among the chains through it,
/// and what it heard from the others. Messages are relative to their least
/// element; returns what they and the node's costs are above zero at least,
/// which in sum over a backward pass is a lower bound of the total cost.
double ChoiceSearch::sendMessages(Node node, bool forward) {
  llvm::SmallVector<double, 16> sum(costs(node)), own, best;
  unsigned later = 0;
  for (const Half &half : halves(node)) {
    const float *heard = &messages[half.heard];
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] += heard[i];
    later += half.other > node;
  }
  double bound = *llvm::min_element(sum);
  double chains = std::max<size_t>(later, halves(node).size() - later);
  for (double &total : sum)
    total = (total - bound) / chains;
  for (const Half &half : halves(node)) {
    if ((half.other > node) != forward)
      continue;
    const float *heard = &messages[half.heard];
    own = sum;
    for (size_t i = 0; i < own.size(); ++i)
      own[i] -= heard[i];
    best.assign(costs(half.other).size(), kInfinity);
    lowerToLeastSums(own, half.fromMine, best);
    double least = *llvm::min_element(best);
    for (auto [message, total] :
         llvm::zip(llvm::make_range(&messages[half.said],
                                    &messages[half.said] + best.size()),
                   best))
      message = total - least;
    bound += least;
  }
  return bound;
}

/// Chooses in the order of the nodes: what is best given the choices before and
/// the messages from behind.
void ChoiceSearch::readOff(Choices &found) const {
  llvm::SmallVector<double, 16> sum;
  for (Node node = 0; node < numNodes(); ++node) {
    sum.assign(costs(node).begin(), costs(node).end());
    for (const Half &half : halves(node)) {
      const float *part = half.other < node
                              ? half.fromOther + found[half.other] * sum.size()
                              : &messages[half.heard];
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += part[i];
    }
    double best = kInfinity;
    for (auto [option, total] : llvm::enumerate(sum))
      if (total < best - kNoise) {
        best = total;
        found[node] = option;
      }
  }
}

//===----------------------------------------------------------------------===//
// Forests
//===----------------------------------------------------------------------===//

namespace {
/// The trees of a growing forest, by a representative node each.
class Trees {
public:
  explicit Trees(size_t numNodes) : parent(numNodes) {
    for (size_t node = 0; node < numNodes; ++node)
      parent[node] = node;
  }
  unsigned treeOf(unsigned node) {
    while (parent[node] != node)
      node = parent[node] = parent[parent[node]];
    return node;
  }
  void join(unsigned a, unsigned b) { parent[treeOf(a)] = treeOf(b); }

private:
  std::vector<unsigned> parent;
};
} // namespace

/// As many nodes as have only trees between them, those first that come first
/// behind `start`.
llvm::BitVector ChoiceSearch::pickForest(size_t start) const {
  llvm::BitVector picked(numNodes());
  Trees joined(numNodes());
  llvm::SmallVector<unsigned, 8> trees;
  for (size_t i = 0; i < numNodes(); ++i) {
    Node node = (start + i) % numNodes();
    trees.clear();
    bool closesCycle = false;
    for (const Half &half : halves(node))
      if (picked[half.other]) {
        unsigned tree = joined.treeOf(half.other);
        closesCycle |= llvm::is_contained(trees, tree);
        trees.push_back(tree);
      }
    if (closesCycle)
      continue;
    picked.set(node);
    for (unsigned tree : trees)
      joined.join(tree, node);
  }
  return picked;
}

/// The trees that the picked nodes form.
ChoiceSearch::Forest ChoiceSearch::growForest(llvm::BitVector picked) const {
  Forest forest;
  forest.isPicked = std::move(picked);
  llvm::BitVector seen(numNodes());
  for (Node root : forest.isPicked.set_bits()) {
    if (seen[root])
      continue;
    seen.set(root);
    unsigned begin = forest.members.size();
    forest.members.push_back({root, root, nullptr});
    for (size_t next = begin; next < forest.members.size(); ++next) {
      Node node = forest.members[next].node;
      for (const Half &half : halves(node)) {
        if (!forest.isPicked[half.other] || seen[half.other])
          continue;
        seen.set(half.other);
        forest.members.push_back({half.other, node, &half});
      }
    }
    forest.trees.push_back({begin, unsigned(forest.members.size())});
  }
  return forest;
}

/// Whether a choice in or next to `tree` has changed since those in it were
/// made.
bool ChoiceSearch::hasChanged(const Forest &forest, const Tree &tree) const {
  auto isNew = [&](Node node) { return changedAt[node] > tree.solvedAt; };
  return tree.solvedAt == 0 ||
         llvm::any_of(membersOf(forest, tree), [&](const Member &member) {
           return isNew(member.node) ||
                  llvm::any_of(halves(member.node), [&](const Half &half) {
                    return isNew(half.other);
                  });
         });
}

/// Adds `row`, one cost per option, to `sums`.
static void addRow(llvm::MutableArrayRef<double> sums, const float *row) {
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] += row[i];
}

/// Makes the best choices for all nodes of `tree` at once, given those of all
/// others: from its leaves to its root and back.
void ChoiceSearch::improveTree(const Forest &forest, Tree &tree) {
  tree.solvedAt = ++now;
  for (const Member &member : membersOf(forest, tree)) {
    llvm::MutableArrayRef<double> sums = treeCosts(member.node);
    llvm::copy(costs(member.node), sums.begin());
    for (const Half &half : halves(member.node))
      if (!forest.isPicked[half.other])
        addRow(sums, half.fromOther + choices[half.other] * sums.size());
  }
  llvm::SmallVector<double, 16> best;
  for (const Member &member : llvm::reverse(membersOf(forest, tree))) {
    if (!member.fromParent)
      break;
    llvm::MutableArrayRef<double> below = treeCosts(member.parent);
    best.assign(below.size(), kInfinity);
    lowerToLeastSums(treeCosts(member.node), member.fromParent->fromOther,
                     best);
    for (auto [cost, least] : llvm::zip_equal(below, best))
      cost += least;
  }
  for (const Member &member : membersOf(forest, tree)) {
    llvm::MutableArrayRef<double> sums = treeCosts(member.node);
    if (member.fromParent)
      addRow(sums, member.fromParent->fromMine +
                       choices[member.parent] * sums.size());
    unsigned bestOption = choices[member.node];
    double least = sums[bestOption];
    for (auto [option, sum] : llvm::enumerate(sums))
      if (sum < least - kNoise) {
        least = sum;
        bestOption = option;
      }
    choose(member.node, bestOption);
  }
}

/// Improves one forest after the other, until none of them helps; returns the
/// cost of the choices.
double ChoiceSearch::improve() {
  double least = cost(choices);
  for (unsigned round = 0, idle = 0; idle < kForests && round < kMaxForests;
       ++round) {
    unsigned number = round % kForests;
    if (number == forests.size())
      forests.push_back(growForest(pickForest(number * numNodes() / kForests)));
    bool isNew = false;
    for (Tree &tree : forests[number].trees)
      if (hasChanged(forests[number], tree)) {
        improveTree(forests[number], tree);
        isNew = true;
      }
    double improved = isNew ? cost(choices) : least;
    idle = improved < least - kNoise ? 0 : idle + 1;
    least = improved;
  }
  return least;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

ChoiceSearch::Choices ChoiceSearch::improve(Choices start) {
  choices = std::move(start);
  improve();
  return choices;
}

/// A round sends all messages forwards and backwards; every few rounds choices
/// are read off them and improved. Ends when the bound meets the best choices,
/// or after some checks in which neither has moved.
ChoiceSearch::Choices ChoiceSearch::run() {
  size_t reads = 1;
  for (const ChoiceGraph::Edge &edge : graph.edges)
    reads += 2 * costs(edge.a).size() * costs(edge.b).size();
  const size_t maxRounds =
      std::clamp(kMaxReads / reads, kMinRounds, kMaxRounds);
  double bestCost = improve(), lastBound = 0;
  Choices best = choices;
  unsigned idle = 0;
  for (size_t round = 1; round <= maxRounds; ++round) {
    double bound = graph.lowered;
    for (Node node = 0; node < numNodes(); ++node)
      sendMessages(node, /*forward=*/true);
    for (Node node = numNodes(); node-- > 0;)
      bound += sendMessages(node, /*forward=*/false);
    if (round % kRoundsPerCheck != 0)
      continue;
    Choices found = choices;
    readOff(found);
    ++now;
    for (Node node = 0; node < numNodes(); ++node)
      choose(node, found[node]);
    double foundCost = improve();
    bool hasImproved = foundCost < bestCost - kTolerance * bestCost;
    if (hasImproved) {
      bestCost = foundCost;
      best = choices;
    }
    bool isNear = bestCost <= bound + kSmallGap * (bestCost - graph.lowered);
    bool hasProgressed =
        hasImproved || (!isNear && bound > lastBound + kTolerance * bestCost);
    lastBound = bound;
    idle = hasProgressed ? 0 : idle + 1;
    if (bestCost <= bound + kTolerance * bestCost ||
        idle >= (isNear ? 1 : kPatience))
      break;
  }
  return best;
}
