//===- ExhaustiveReshards.cpp - All shardings and shortest paths ----------===//
#include "ExhaustiveReshards.h"

#include <cmath>
#include <limits>

using namespace tessera;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

ExhaustiveReshards::ExhaustiveReshards(const Mesh &mesh,
                                       llvm::ArrayRef<int64_t> shape,
                                       int64_t elementBytes,
                                       llvm::ArrayRef<LinkCosts> links)
    : mesh(mesh), rank(shape.size()), globalBytes(elementBytes) {
  for (int64_t size : shape)
    globalBytes *= size;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    int64_t before = 1, rest = mesh.axes[i].size;
    for (int64_t prime = 2; rest > 1; ++prime)
      for (; rest % prime == 0; rest /= prime, before *= prime)
        parts.push_back({AxisRef::get(mesh.axes[i].name, before, prime, mesh),
                         prime, links.empty() ? LinkCosts() : links[i]});
  }
  State empty;
  empty.dims.resize(rank);
  empty.unreduced.resize(parts.size());
  enumerate(empty, 0);
}

void ExhaustiveReshards::enumerate(State state, size_t part) {
  if (part == parts.size()) {
    states.push_back(state);
    return;
  }
  enumerate(state, part + 1);
  state.unreduced[part] = true;
  enumerate(state, part + 1);
  state.unreduced[part] = false;
  for (size_t dim = 0; dim < rank; ++dim)
    for (size_t at = 0; at <= state.dims[dim].size(); ++at) {
      State next = state;
      next.dims[dim].insert(next.dims[dim].begin() + at, part);
      enumerate(next, part + 1);
    }
}

TensorSharding ExhaustiveReshards::sharding(size_t state) const {
  TensorSharding sharding = TensorSharding::getReplicated(rank);
  for (size_t dim = 0; dim < rank; ++dim)
    for (int part : states[state].dims[dim])
      sharding.dims[dim].axes.push_back(parts[part].axis);
  for (size_t part = 0; part < parts.size(); ++part)
    if (states[state].unreduced[part])
      sharding.unreduced.push_back(parts[part].axis);
  return sharding.canonical(mesh);
}

int64_t ExhaustiveReshards::shards(const State &state, size_t dim) const {
  int64_t product = 1;
  for (int part : state.dims[dim])
    product *= parts[part].size;
  return product;
}

int64_t ExhaustiveReshards::contributions(const State &state) const {
  int64_t product = 1;
  for (size_t part = 0; part < parts.size(); ++part)
    if (state.unreduced[part])
      product *= parts[part].size;
  return product;
}

int ExhaustiveReshards::roleOf(const State &state, int part) const {
  if (state.unreduced[part])
    return -1;
  for (size_t dim = 0; dim < rank; ++dim)
    for (int used : state.dims[dim])
      if (used == part)
        return dim;
  return -2;
}

double ExhaustiveReshards::seconds(CollectiveKind kind,
                                   const std::vector<int> &group,
                                   double operandBytes) const {
  double latency = 0, bandwidth = kInfinity, n = 1;
  for (int part : group) {
    latency = std::max(latency, parts[part].links.latency);
    bandwidth = std::min(bandwidth, parts[part].links.bandwidth);
    n *= parts[part].size;
  }
  double rounds = std::ceil(std::log2(n));
  switch (kind) {
  case CollectiveKind::AllGather:
    return latency * (1 + rounds) + (n - 1) * operandBytes / bandwidth;
  case CollectiveKind::AllReduce:
    return latency * (1 + 2 * rounds) +
           2 * (n - 1) / n * operandBytes / bandwidth;
  case CollectiveKind::AllToAll:
  case CollectiveKind::ReduceScatter:
    return latency * (1 + rounds) + (n - 1) / n * operandBytes / bandwidth;
  case CollectiveKind::Permute:
    return latency * 2 + operandBytes / bandwidth;
  }
  return kInfinity;
}

/// Whether `longer` is `shorter` followed by something.
static bool extends(const std::vector<int> &longer,
                    const std::vector<int> &shorter) {
  return longer.size() > shorter.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

bool ExhaustiveReshards::isExchange(const State &from, const State &to) const {
  // What every dimension gives, and that it gives or takes.
  std::vector<std::vector<int>> given(rank);
  size_t moves = 0;
  for (size_t dim = 0; dim < rank; ++dim) {
    const std::vector<int> &before = from.dims[dim], &after = to.dims[dim];
    if (extends(before, after)) {
      given[dim].assign(before.begin() + after.size(), before.end());
      ++moves;
    } else if (before != after && !extends(after, before)) {
      return false;
    }
  }
  for (size_t dim = 0; dim < rank; ++dim) {
    if (!extends(to.dims[dim], from.dims[dim]))
      continue;
    // What arrived is what some dimensions gave, each as a whole.
    for (size_t i = from.dims[dim].size(); i < to.dims[dim].size();) {
      int giver = roleOf(from, to.dims[dim][i]);
      if (giver < 0)
        return false;
      for (int part : given[giver])
        if (i >= to.dims[dim].size() || to.dims[dim][i++] != part)
          return false;
      given[giver].clear();
    }
  }
  auto isEmpty = [](const std::vector<int> &list) { return list.empty(); };
  return moves > 1 && from.unreduced == to.unreduced &&
         std::all_of(given.begin(), given.end(), isEmpty);
}

double ExhaustiveReshards::stepSeconds(const State &from,
                                       const State &to) const {
  double bytes = globalBytes;
  bool samePartCounts = true;
  std::vector<size_t> grown, shrunk, changed;
  for (size_t dim = 0; dim < rank; ++dim) {
    bytes /= shards(from, dim);
    samePartCounts &= shards(from, dim) == shards(to, dim);
    if (from.dims[dim] == to.dims[dim])
      continue;
    changed.push_back(dim);
    if (extends(to.dims[dim], from.dims[dim]))
      grown.push_back(dim);
    if (extends(from.dims[dim], to.dims[dim]))
      shrunk.push_back(dim);
  }
  // Which parts change their role, and between which roles.
  std::vector<int> movedFrom, movedTo, moved;
  for (int part = 0; part < static_cast<int>(parts.size()); ++part) {
    int before = roleOf(from, part), after = roleOf(to, part);
    // Within a dimension, the number of shards before it tells its place.
    auto majorShards = [&](const State &state, int dim) {
      int64_t product = 1;
      for (int other : state.dims[dim]) {
        if (other == part)
          break;
        product *= parts[other].size;
      }
      return product;
    };
    if (before != after ||
        (before >= 0 && majorShards(from, before) != majorShards(to, before)))
      moved.push_back(part);
    if (before != after) {
      movedFrom.push_back(before);
      movedTo.push_back(after);
    }
  }
  auto all = [](const std::vector<int> &roles, auto &&condition) {
    return std::all_of(roles.begin(), roles.end(), condition);
  };
  auto isRole = [](int role) { return [role](int r) { return r == role; }; };
  double best = kInfinity;
  auto offer = [&](double seconds) { best = std::min(best, seconds); };

  if (samePartCounts && contributions(from) == contributions(to))
    offer(seconds(CollectiveKind::Permute, moved, bytes));
  std::vector<int> group;
  for (int part : moved)
    if (roleOf(from, part) != roleOf(to, part))
      group.push_back(part);
  if (group.empty())
    return best;
  bool onlyGrown = changed.size() == 1 && grown.size() == 1;
  bool onlyShrunk = changed.size() == 1 && shrunk.size() == 1;
  if (isExchange(from, to))
    offer(seconds(CollectiveKind::AllToAll, group, bytes));
  // Slices of several dimensions at once are as free as one by one.
  if (grown.size() == changed.size() && all(movedFrom, isRole(-2)) &&
      all(movedTo, [](int role) { return role >= 0; }))
    offer(0);
  if (onlyShrunk && all(movedFrom, isRole(shrunk[0])) &&
      all(movedTo, isRole(-2)))
    offer(seconds(CollectiveKind::AllGather, group, bytes));
  if (changed.size() == 2 && grown.size() == 1 && shrunk.size() == 1 &&
      all(movedFrom, isRole(shrunk[0])) && all(movedTo, isRole(grown[0]))) {
    // The parts arrive in the order in which they left.
    std::vector<int> left(from.dims[shrunk[0]].begin() +
                              to.dims[shrunk[0]].size(),
                          from.dims[shrunk[0]].end());
    std::vector<int> arrived(to.dims[grown[0]].begin() +
                                 from.dims[grown[0]].size(),
                             to.dims[grown[0]].end());
    if (left == arrived)
      offer(seconds(CollectiveKind::AllToAll, group, bytes));
  }
  if (all(movedFrom, isRole(-1))) {
    if (onlyGrown && all(movedTo, isRole(grown[0])))
      offer(seconds(CollectiveKind::ReduceScatter, group, bytes));
    if (changed.empty() && all(movedTo, isRole(-2)))
      offer(seconds(CollectiveKind::AllReduce, group, bytes));
  }
  if (all(movedTo, isRole(-1)) &&
      (changed.empty() ? all(movedFrom, isRole(-2)) : onlyShrunk))
    offer(0);
  return best;
}

void ExhaustiveReshards::findShortestPaths() {
  struct Edge {
    size_t from;
    double seconds;
    /// The step makes something unreduced that was not.
    bool makesUnreduced;
  };
  size_t n = states.size();
  std::vector<std::vector<Edge>> edgesTo(n);
  for (size_t from = 0; from < n; ++from)
    for (size_t to = 0; to < n; ++to) {
      if (from == to)
        continue;
      double seconds = stepSeconds(states[from], states[to]);
      if (seconds < kInfinity)
        edgesTo[to].push_back(
            {from, seconds,
             contributions(states[from]) < contributions(states[to])});
    }
  distance.assign(n * n, kInfinity);
  std::vector<size_t> active, next;
  std::vector<bool> isActive(n);
  for (size_t goal = 0; goal < n; ++goal) {
    // Data is made unreduced only over parts that are so in the end: a sum with
    // zeros in order to move data is no way of resharding.
    auto allowed = [&](size_t from, size_t to) {
      for (size_t part = 0; part < parts.size(); ++part)
        if (states[to].unreduced[part] && !states[from].unreduced[part] &&
            !states[goal].unreduced[part])
          return false;
      return true;
    };
    auto at = [&](size_t state) -> double & {
      return distance[state * n + goal];
    };
    at(goal) = 0;
    active = {goal};
    while (!active.empty()) {
      next.clear();
      for (size_t to : active)
        isActive[to] = false;
      for (size_t to : active)
        for (const Edge &edge : edgesTo[to]) {
          double seconds = edge.seconds + at(to);
          if (seconds >= at(edge.from) * (1 - 1e-12) ||
              (edge.makesUnreduced && !allowed(edge.from, to)))
            continue;
          at(edge.from) = seconds;
          if (!isActive[edge.from])
            next.push_back(edge.from);
          isActive[edge.from] = true;
        }
      std::swap(active, next);
    }
  }
}
