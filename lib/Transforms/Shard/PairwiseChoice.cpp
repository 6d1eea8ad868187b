//===- PairwiseChoice.cpp - many choices that depend on each other --------===//

#include "PairwiseChoice.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <limits>

using namespace tessera;

/// The most passes in either direction.
static constexpr unsigned kMaxRounds = 64;
/// After so many rounds the choices read off are improved, and it is seen
/// whether to go on.
static constexpr unsigned kRoundsPerCheck = 4;
/// The number of checks with neither better choices nor a better bound after
/// which to stop.
static constexpr unsigned kPatience = 3;
/// If at most this part of the cost can be saved, one check without better
/// choices is enough.
static constexpr double kSmallGap = 0.01;
/// A part of the cost that is not worth searching for.
static constexpr double kTolerance = 1e-5;
/// The number of different forests to improve, and the most improvements.
static constexpr unsigned kForests = 7, kMaxForests = 100;
/// No edge leads to the parent of a root.
static constexpr unsigned kNoEdge = std::numeric_limits<unsigned>::max();
/// Differences below this, in seconds, are noise of the summation.
static constexpr double kNoise = 1e-12;

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

PairwiseChoice::Node PairwiseChoice::addNode(llvm::ArrayRef<double> costs) {
  nodes.emplace_back().costs.assign(costs.begin(), costs.end());
  return nodes.size() - 1;
}

/// The edge between two nodes; a new one without costs if there is none.
unsigned PairwiseChoice::edgeBetween(Node a, Node b) {
  if (nodes[a].edges.size() > nodes[b].edges.size())
    std::swap(a, b);
  for (unsigned edge : nodes[a].edges)
    if (edges[edge].other(a) == b)
      return edge;
  Edge &edge = edges.emplace_back();
  edge.a = a;
  edge.b = b;
  edge.columns = numOptions(b);
  edge.costs = std::make_shared<float[]>(numOptions(a) * numOptions(b));
  nodes[a].edges.push_back(edges.size() - 1);
  nodes[b].edges.push_back(edges.size() - 1);
  return edges.size() - 1;
}

void PairwiseChoice::addEdge(
    Node a, Node b, llvm::function_ref<double(unsigned, unsigned)> cost) {
  Edge &edge = edges[edgeBetween(a, b)];
  for (unsigned i = 0; i < numOptions(a); ++i)
    for (unsigned j = 0; j < numOptions(b); ++j)
      pairCost(edge, a, i, j) += cost(i, j);
}

void PairwiseChoice::leastSums(llvm::ArrayRef<double> mine, PairCosts costs,
                               llvm::MutableArrayRef<double> sums) {
  llvm::fill(sums, std::numeric_limits<double>::infinity());
  // Either way along the rows, which lie in memory one behind the other.
  if (costs.theirsStride == 1) {
    for (auto [i, own] : llvm::enumerate(mine)) {
      const float *row = costs.costs + i * costs.mineStride;
      for (size_t j = 0; j < sums.size(); ++j)
        sums[j] = std::min(sums[j], own + row[j]);
    }
    return;
  }
  for (size_t j = 0; j < sums.size(); ++j) {
    const float *row = costs.costs + j * costs.theirsStride;
    for (size_t i = 0; i < mine.size(); ++i)
      sums[j] = std::min(sums[j], mine[i] + row[i]);
  }
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

/// Takes `edge` away from `node`, which may become one to be reduced.
void PairwiseChoice::detach(Node node, unsigned edge,
                            llvm::SmallVectorImpl<Node> &queue) {
  NodeData &data = nodes[node];
  data.edges.erase(llvm::find(data.edges, edge));
  if (data.edges.size() <= 2 && !data.isQueued) {
    data.isQueued = true;
    queue.push_back(node);
  }
}

void PairwiseChoice::reduceIntoNeighbour(Node node) {
  const Edge &edge = edges[nodes[node].edges[0]];
  Node neighbour = edge.other(node);
  llvm::SmallVector<double, 16> best(numOptions(neighbour));
  leastSums(nodes[node].costs, pairCosts(edge, node), best);
  for (auto [cost, least] : llvm::zip_equal(nodes[neighbour].costs, best))
    cost += least;
}

void PairwiseChoice::reduceIntoEdge(Node node) {
  unsigned toU = nodes[node].edges[0], toV = nodes[node].edges[1];
  Node u = edges[toU].other(node), v = edges[toV].other(node);
  Edge &between = edges[edgeBetween(u, v)];
  PairCosts costsU = pairCosts(edges[toU], node),
            costsV = pairCosts(edges[toV], node);
  llvm::SmallVector<double, 16> mine(numOptions(node)), best(numOptions(v));
  for (unsigned j = 0; j < numOptions(u); ++j) {
    for (unsigned i = 0; i < mine.size(); ++i)
      mine[i] = nodes[node].costs[i] + costsU(i, j);
    leastSums(mine, costsV, best);
    for (unsigned k = 0; k < best.size(); ++k)
      pairCost(between, u, j, k) += best[k];
  }
}

void PairwiseChoice::reduce() {
  llvm::SmallVector<Node, 0> queue;
  for (Node node = 0; node < nodes.size(); ++node) {
    nodes[node].isQueued = nodes[node].edges.size() <= 2;
    if (nodes[node].isQueued)
      queue.push_back(node);
  }
  for (size_t next = 0; next < queue.size(); ++next) {
    Node node = queue[next];
    llvm::SmallVector<unsigned, 2> ends(nodes[node].edges.begin(),
                                        nodes[node].edges.end());
    if (ends.size() > 2) {
      // An edge has come in between.
      nodes[node].isQueued = false;
      continue;
    }
    if (ends.size() == 1)
      reduceIntoNeighbour(node);
    else if (ends.size() == 2)
      reduceIntoEdge(node);
    for (unsigned edge : ends)
      detach(edges[edge].other(node), edge, queue);
    reduced.push_back({node, std::move(ends)});
  }
}

/// Chooses for a reduced node, given the choices of the neighbours it had.
void PairwiseChoice::restore(const Reduced &reduced) {
  double best = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < numOptions(reduced.node); ++i) {
    double cost = nodes[reduced.node].costs[i];
    for (unsigned index : reduced.edges) {
      const Edge &edge = edges[index];
      cost +=
          pairCost(edge, reduced.node, i, choices[edge.other(reduced.node)]);
    }
    if (cost < best - kNoise) {
      best = cost;
      choices[reduced.node] = i;
    }
  }
}

void PairwiseChoice::solve() {
  choices.assign(nodes.size(), 0);
  reduce();
  solveRest();
  for (const Reduced &node : llvm::reverse(reduced))
    restore(node);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

double PairwiseChoice::restCost(llvm::ArrayRef<unsigned> choices) const {
  double sum = 0;
  for (Node node : rest)
    sum += nodes[node].costs[choices[node]];
  for (unsigned index : restEdges) {
    const Edge &edge = edges[index];
    sum += pairCost(edge, edge.a, choices[edge.a], choices[edge.b]);
  }
  return sum;
}

/// Tells the neighbours that come later (`forward`) or earlier what their
/// options cost: the node's own costs, shared out among the chains through it,
/// and what it heard from the others. Messages are relative to their least
/// element; returns what they and the node's costs are above zero at least,
/// which in sum over a backward pass is a lower bound of the total cost.
double PairwiseChoice::sendMessages(Node node, bool forward) {
  llvm::SmallVector<double, 16> sum(nodes[node].costs.begin(),
                                    nodes[node].costs.end());
  unsigned later = 0;
  for (unsigned index : nodes[node].edges) {
    const std::vector<float> &heard = edges[index].heardBy(node);
    for (auto [total, part] : llvm::zip_equal(sum, heard))
      total += part;
    later += edges[index].other(node) > node;
  }
  double bound = *llvm::min_element(sum);
  double chains = std::max<size_t>(later, nodes[node].edges.size() - later);
  for (double &total : sum)
    total = (total - bound) / chains;
  for (unsigned index : nodes[node].edges) {
    Edge &edge = edges[index];
    Node other = edge.other(node);
    if ((other > node) != forward)
      continue;
    const std::vector<float> &heard = edge.heardBy(node);
    std::vector<float> &said = edge.heardBy(other);
    llvm::SmallVector<double, 16> own(sum), best(said.size());
    for (auto [mine, part] : llvm::zip_equal(own, heard))
      mine -= part;
    leastSums(own, pairCosts(edge, node), best);
    double least = *llvm::min_element(best);
    llvm::copy(best, said.begin());
    for (float &message : said)
      message -= least;
    bound += least;
  }
  return bound;
}

/// Chooses in the order of the nodes: what is best given the choices before and
/// the messages from behind.
void PairwiseChoice::readOff(llvm::SmallVectorImpl<unsigned> &found) const {
  for (Node node : rest) {
    double best = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < numOptions(node); ++i) {
      double cost = nodes[node].costs[i];
      for (unsigned index : nodes[node].edges) {
        const Edge &edge = edges[index];
        Node other = edge.other(node);
        cost += other < node ? pairCost(edge, node, i, found[other])
                             : edge.heardBy(node)[i];
      }
      if (cost < best - kNoise) {
        best = cost;
        found[node] = i;
      }
    }
  }
}

namespace {
/// The trees of a growing forest, by a representative node each.
class Forest {
public:
  explicit Forest(size_t numNodes) : parent(numNodes) {
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

/// As many nodes of the rest as have only trees between them, those first that
/// come first behind position `start`.
std::vector<bool> PairwiseChoice::pickForest(size_t start) const {
  std::vector<bool> picked(nodes.size(), false);
  Forest forest(nodes.size());
  for (size_t i = 0; i < rest.size(); ++i) {
    Node node = rest[(start + i) % rest.size()];
    llvm::SmallVector<unsigned, 8> trees;
    bool closesCycle = false;
    for (unsigned edge : nodes[node].edges)
      if (Node other = edges[edge].other(node); picked[other]) {
        unsigned tree = forest.treeOf(other);
        closesCycle |= llvm::is_contained(trees, tree);
        trees.push_back(tree);
      }
    if (closesCycle)
      continue;
    picked[node] = true;
    for (unsigned tree : trees)
      forest.join(tree, node);
  }
  return picked;
}

/// The trees that the picked nodes form.
std::vector<PairwiseChoice::Tree>
PairwiseChoice::treesOf(const std::vector<bool> &picked) const {
  std::vector<Tree> trees;
  std::vector<bool> seen(nodes.size(), false);
  for (Node root : rest) {
    if (!picked[root] || seen[root])
      continue;
    seen[root] = true;
    Tree &tree = trees.emplace_back();
    tree.nodes.push_back(root);
    tree.toParent.push_back(kNoEdge);
    for (size_t next = 0; next < tree.nodes.size(); ++next) {
      Node node = tree.nodes[next];
      tree.outside.emplace_back();
      for (unsigned edge : nodes[node].edges) {
        Node other = edges[edge].other(node);
        if (!picked[other]) {
          tree.outside.back().push_back(edge);
        } else if (!seen[other]) {
          seen[other] = true;
          tree.nodes.push_back(other);
          tree.toParent.push_back(edge);
        }
      }
    }
  }
  return trees;
}

/// Whether a choice in or next to `tree` has changed since those in it were
/// made.
bool PairwiseChoice::hasChanged(const Tree &tree) const {
  if (tree.solvedAt == 0)
    return true;
  for (auto [node, outside] : llvm::zip_equal(tree.nodes, tree.outside)) {
    if (changedAt[node] > tree.solvedAt)
      return true;
    for (unsigned edge : outside)
      if (changedAt[edges[edge].other(node)] > tree.solvedAt)
        return true;
  }
  return false;
}

/// Makes the best choices for all nodes of `tree` at once, given those of all
/// others: from its leaves to its root and back.
void PairwiseChoice::improveTree(Tree &tree) {
  tree.solvedAt = ++now;
  for (auto [node, outside] : llvm::zip_equal(tree.nodes, tree.outside)) {
    auto &costs = treeCosts[node];
    costs.assign(nodes[node].costs.begin(), nodes[node].costs.end());
    for (unsigned edge : outside) {
      PairCosts pairs = pairCosts(edges[edge], node);
      unsigned chosen = choices[edges[edge].other(node)];
      for (unsigned i = 0; i < costs.size(); ++i)
        costs[i] += pairs(i, chosen);
    }
  }
  for (size_t i = tree.nodes.size(); i-- > 1;) {
    Node node = tree.nodes[i];
    const Edge &edge = edges[tree.toParent[i]];
    auto &below = treeCosts[edge.other(node)];
    llvm::SmallVector<double, 16> best(below.size());
    leastSums(treeCosts[node], pairCosts(edge, node), best);
    for (auto [cost, least] : llvm::zip_equal(below, best))
      cost += least;
  }
  for (auto [node, toParent] : llvm::zip_equal(tree.nodes, tree.toParent)) {
    auto &costs = treeCosts[node];
    if (toParent != kNoEdge) {
      const Edge &edge = edges[toParent];
      PairCosts pairs = pairCosts(edge, node);
      unsigned chosen = choices[edge.other(node)];
      for (unsigned option = 0; option < costs.size(); ++option)
        costs[option] += pairs(option, chosen);
    }
    unsigned bestOption = choices[node];
    double best = costs[bestOption];
    for (unsigned option = 0; option < costs.size(); ++option)
      if (costs[option] < best - kNoise) {
        best = costs[option];
        bestOption = option;
      }
    choose(node, bestOption);
  }
}

/// Improves one forest after the other, until none of them helps.
void PairwiseChoice::improve() {
  double cost = restCost(choices);
  for (unsigned round = 0, idle = 0; idle < kForests && round < kMaxForests;
       ++round) {
    unsigned number = round % kForests;
    if (number == forests.size())
      forests.push_back(treesOf(pickForest(number * rest.size() / kForests)));
    bool isNew = false;
    for (Tree &tree : forests[number])
      if (hasChanged(tree)) {
        improveTree(tree);
        isNew = true;
      }
    double improved = isNew ? restCost(choices) : cost;
    idle = improved < cost - kNoise ? 0 : idle + 1;
    cost = improved;
  }
}

/// Lets edges of the rest with equal costs share them: layers are alike, and
/// what all passes over the rest read then fits into the caches.
void PairwiseChoice::shareCosts() {
  llvm::DenseMap<llvm::StringRef, std::shared_ptr<float[]>> known;
  for (unsigned index : restEdges) {
    Edge &edge = edges[index];
    llvm::StringRef bytes(reinterpret_cast<const char *>(edge.costs.get()),
                          sizeof(float) * numOptions(edge.a) * edge.columns);
    edge.costs = known.try_emplace(bytes, edge.costs).first->second;
  }
}

void PairwiseChoice::solveRest() {
  for (Node node = 0; node < nodes.size(); ++node) {
    if (nodes[node].isQueued)
      continue;
    rest.push_back(node);
    for (unsigned index : nodes[node].edges) {
      Edge &edge = edges[index];
      edge.heardBy(node).assign(numOptions(node), 0);
      if (edge.a == node)
        restEdges.push_back(index);
    }
  }
  if (rest.empty())
    return;
  shareCosts();
  changedAt.assign(nodes.size(), 0);
  treeCosts.resize(nodes.size());
  improve();
  llvm::SmallVector<unsigned, 0> best = choices;
  double bestCost = restCost(best), lastBound = 0;
  unsigned idle = 0;
  for (unsigned round = 1; round <= kMaxRounds; ++round) {
    double bound = 0;
    for (Node node : rest)
      sendMessages(node, /*forward=*/true);
    for (Node node : llvm::reverse(rest))
      bound += sendMessages(node, /*forward=*/false);
    if (round % kRoundsPerCheck != 0)
      continue;
    llvm::SmallVector<unsigned, 0> found = choices;
    readOff(found);
    ++now;
    for (Node node : rest)
      choose(node, found[node]);
    improve();
    bool hasImproved = false;
    if (double cost = restCost(choices);
        cost < bestCost - kTolerance * bestCost) {
      bestCost = cost;
      best = choices;
      hasImproved = true;
    }
    bool isNear = bestCost <= bound + kSmallGap * bestCost;
    bool hasProgressed =
        hasImproved || (!isNear && bound > lastBound + kTolerance * bestCost);
    lastBound = bound;
    idle = hasProgressed ? 0 : idle + 1;
    if (bestCost <= bound + kTolerance * bestCost ||
        idle >= (isNear ? 1 : kPatience))
      break;
  }
  choices = std::move(best);
}
