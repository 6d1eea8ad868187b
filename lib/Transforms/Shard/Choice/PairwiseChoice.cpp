//===- PairwiseChoice.cpp - many choices that depend on each other --------===//

#include "Choice/PairwiseChoice.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace tessera;
using namespace tessera::shard;

/// How many edges far the surroundings of two nodes must be equal for these to
/// make one choice.
static constexpr unsigned kSurroundings = 16;
/// Nodes must be so many times as many as choices for one choice to be made for
/// several of them.
static constexpr size_t kWorthwhile = 2;

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

PairwiseChoice::Node PairwiseChoice::addNode(CostTables::Lowered costs) {
  lowered += costs.by;
  nodes.emplace_back().costs = costs.id;
  return nodes.size() - 1;
}

void PairwiseChoice::addCosts(Node node, CostTables::Lowered costs) {
  CostTables::Lowered sum = tables.sumOfVectors(nodes[node].costs, costs.id);
  lowered += costs.by + sum.by;
  nodes[node].costs = sum.id;
}

void PairwiseChoice::addEdge(Node a, Node b, CostTables::Lowered costs) {
  lowered += costs.by;
  Node fewer = nodes[a].edges.size() > nodes[b].edges.size() ? b : a;
  for (unsigned index : nodes[fewer].edges) {
    Edge &edge = edges[index];
    if (edge.other(fewer) != (fewer == a ? b : a))
      continue;
    CostTables::Table same =
        edge.a == a ? costs.id : tables.transposed(costs.id);
    CostTables::Lowered sum = tables.sumOfTables(edge.costs, same);
    lowered += sum.by;
    edge.costs = sum.id;
    return;
  }
  edges.push_back({a, b, costs.id});
  nodes[a].edges.push_back(edges.size() - 1);
  nodes[b].edges.push_back(edges.size() - 1);
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
  NodeData &neighbour = nodes[edge.other(node)];
  CostTables::Lowered costs = tables.withLeast(
      neighbour.costs, costsFrom(edge.other(node), edge), nodes[node].costs);
  lowered += costs.by;
  neighbour.costs = costs.id;
}

void PairwiseChoice::reduceIntoEdge(Node node) {
  const Edge &toU = edges[nodes[node].edges[0]],
             &toV = edges[nodes[node].edges[1]];
  Node u = toU.other(node), v = toV.other(node);
  addEdge(u, v,
          tables.through(costsFrom(u, toU), nodes[node].costs,
                         costsFrom(node, toV)));
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
  llvm::SmallVector<double, 16> costs(
      tables.vectorCosts(nodes[reduced.node].costs));
  for (unsigned index : reduced.edges) {
    const Edge &edge = edges[index];
    Node other = edge.other(reduced.node);
    const float *row = tables.tableCosts(costsFrom(other, edge)) +
                       choices[other] * costs.size();
    for (size_t i = 0; i < costs.size(); ++i)
      costs[i] += row[i];
  }
  double best = std::numeric_limits<double>::infinity();
  for (auto [option, cost] : llvm::enumerate(costs))
    if (cost < best - kNoise) {
      best = cost;
      choices[reduced.node] = option;
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
// Equal parts
//===----------------------------------------------------------------------===//

namespace {

/// The graph in which the nodes of another that have equal surroundings are
/// one.
class Quotient {
public:
  Quotient(CostTables &tables, const ChoiceGraph &graph);

  size_t numClasses() const { return members.size(); }
  ChoiceSearch::Choices solve();

private:
  void refine();

  CostTables &tables;
  const ChoiceGraph &graph;
  /// What surrounds each node, as a number.
  std::vector<uint64_t> colours;
  std::vector<unsigned> classOf;
  /// The number of nodes per class, and one of them.
  std::vector<unsigned> members, examples;
};

} // namespace

/// A number that stands for `a` and `b` in this order (the finalizer of
/// splitmix64; G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom
/// Number Generators", 2014).
static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15 + b;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// One step: what surrounds a node is what surrounds its neighbours, with the
/// costs of the edges to them.
void Quotient::refine() {
  std::vector<uint64_t> around(colours.size(), 0);
  for (const ChoiceGraph::Edge &edge : graph.edges) {
    // Sums, for neighbours have no order.
    around[edge.a] += mix(edge.costs, colours[edge.b]);
    around[edge.b] += mix(tables.transposed(edge.costs), colours[edge.a]);
  }
  for (auto [colour, more] : llvm::zip_equal(colours, around))
    colour = mix(colour, more);
}

Quotient::Quotient(CostTables &tables, const ChoiceGraph &graph)
    : tables(tables), graph(graph),
      colours(graph.nodes.begin(), graph.nodes.end()) {
  for (unsigned step = 0; step < kSurroundings; ++step)
    refine();
  llvm::DenseMap<std::pair<uint64_t, CostTables::Vector>, unsigned> known;
  for (auto [node, colour] : llvm::enumerate(colours)) {
    auto [entry, isNew] =
        known.try_emplace({colour, graph.nodes[node]}, members.size());
    if (isNew) {
      members.push_back(0);
      examples.push_back(node);
    }
    ++members[entry->second];
    classOf.push_back(entry->second);
  }
}

/// A choice for each node of the graph, the same for all of a class.
ChoiceSearch::Choices Quotient::solve() {
  PairwiseChoice choice(tables);
  choice.addConstant(graph.lowered);
  for (auto [count, example] : llvm::zip_equal(members, examples)) {
    llvm::SmallVector<double, 16> costs(
        tables.vectorCosts(graph.nodes[example]));
    for (double &cost : costs)
      cost *= count;
    choice.addNode(tables.vector(costs));
  }
  llvm::MapVector<std::tuple<unsigned, unsigned, CostTables::Table>, unsigned>
      counts;
  for (const ChoiceGraph::Edge &edge : graph.edges) {
    unsigned a = classOf[edge.a], b = classOf[edge.b];
    if (a <= b)
      ++counts[{a, b, edge.costs}];
    else
      ++counts[{b, a, tables.transposed(edge.costs)}];
  }
  for (auto [edge, count] : counts) {
    auto [a, b, table] = edge;
    unsigned rows = tables.numRows(table), columns = tables.numColumns(table);
    if (a != b) {
      choice.addEdge(a, b,
                     tables.table(rows, columns, [&](unsigned i, unsigned j) {
                       return double(count) * tables.cost(table, i, j);
                     }));
      continue;
    }
    llvm::SmallVector<double, 16> both(rows);
    for (unsigned i = 0; i < rows; ++i)
      both[i] = double(count) * tables.cost(table, i, i);
    choice.addCosts(a, tables.vector(both));
  }
  choice.solve();
  ChoiceSearch::Choices choices;
  for (unsigned number : classOf)
    choices.push_back(choice.choice(number));
  return choices;
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

void PairwiseChoice::solveRest() {
  llvm::SmallVector<Node, 0> rest;
  llvm::SmallVector<unsigned, 0> position(nodes.size());
  ChoiceGraph graph;
  graph.lowered = lowered;
  for (auto [node, data] : llvm::enumerate(nodes))
    if (!data.isQueued) {
      position[node] = rest.size();
      rest.push_back(node);
      graph.nodes.push_back(data.costs);
    }
  if (rest.empty())
    return;
  for (Node node : rest)
    for (unsigned index : nodes[node].edges)
      if (const Edge &edge = edges[index]; edge.a == node)
        graph.edges.push_back({position[node], position[edge.b], edge.costs});
  ChoiceSearch search(tables, graph);
  Quotient quotient(tables, graph);
  ChoiceSearch::Choices found =
      kWorthwhile * quotient.numClasses() <= rest.size()
          ? search.improve(quotient.solve())
          : search.run();
  for (auto [node, choice] : llvm::zip_equal(rest, found))
    choices[node] = choice;
}
