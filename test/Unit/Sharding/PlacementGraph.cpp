//===- PlacementGraph.cpp - Who holds what, and how that changes ----------===//
#include "PlacementGraph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <set>

using namespace tessera;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

PlacementGraph::PlacementGraph(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
                               int64_t elementBytes,
                               llvm::ArrayRef<LinkCosts> links)
    : mesh(mesh), shape(shape.begin(), shape.end()), elementBytes(elementBytes),
      links(links.begin(), links.end()), devices(1) {
  this->links.resize(mesh.axes.size());
  for (const MeshAxis &axis : mesh.axes)
    devices *= axis.size;
  makeParts();
  makeGroupings({});
  makePlacements({}, {});
}

void PlacementGraph::makeParts() {
  int64_t stride = devices;
  for (size_t number = 0; number < mesh.axes.size(); ++number) {
    const MeshAxis &axis = mesh.axes[number];
    stride /= axis.size;
    for (int64_t before = 1; before < axis.size; ++before)
      for (int64_t size : {2, 3, 5, 7}) {
        if (axis.size % (before * size) != 0)
          continue;
        Part part{size == axis.size ? AxisRef(axis.name)
                                    : AxisRef(axis.name, before, size),
                  number,
                  before,
                  size,
                  {}};
        for (int64_t device = 0; device < devices; ++device)
          part.digits.push_back(device / stride % axis.size /
                                (axis.size / before / size) % size);
        parts.push_back(part);
      }
  }
}

/// Whether `part` shares nothing with the parts in use and is a digit of one
/// number together with them (2*3 or 3*2, not both).
bool PlacementGraph::fit(const std::vector<size_t> &used, size_t part) const {
  const Part &a = parts[part];
  for (size_t other : used) {
    const Part &b = parts[other];
    bool isBefore = b.before % (a.before * a.size) == 0;
    bool isBehind = a.before % (b.before * b.size) == 0;
    if (a.axisNumber == b.axisNumber && !isBefore && !isBehind)
      return false;
  }
  return true;
}

void PlacementGraph::makeGroupings(std::vector<size_t> used) {
  if (!used.empty()) {
    // Devices that agree in all but these digits; their index in the group.
    Grouping grouping{used, {}};
    std::map<int, std::map<int, int>> groups;
    for (int device = 0; device < devices; ++device) {
      int index = 0;
      for (size_t part : used)
        index = index * parts[part].size + parts[part].digits[device];
      // What identifies the group: the device at index 0 in it.
      int origin = device;
      for (size_t part : used) {
        int64_t weight = devices;
        for (size_t axis = 0; axis <= parts[part].axisNumber; ++axis)
          weight /= mesh.axes[axis].size;
        weight *= mesh.axes[parts[part].axisNumber].size /
                  (parts[part].before * parts[part].size);
        origin -= parts[part].digits[device] * weight;
      }
      groups[origin][index] = device;
    }
    for (auto &[origin, members] : groups) {
      grouping.groups.emplace_back();
      for (auto [index, device] : members)
        grouping.groups.back().push_back(device);
    }
    groupings.push_back(grouping);
  }
  for (size_t part = 0; part < parts.size(); ++part)
    if (fit(used, part)) {
      used.push_back(part);
      makeGroupings(used);
      used.pop_back();
    }
}

/// `roles` are the lists of parts per dimension; the last, complete or not, may
/// grow. Behind the dimensions comes the set of what is unreduced.
void PlacementGraph::makePlacements(std::vector<std::vector<size_t>> roles,
                                    std::vector<size_t> used) {
  if (roles.size() == shape.size() + 1)
    addPlacement(roles);
  else {
    roles.emplace_back();
    makePlacements(roles, used);
    roles.pop_back();
  }
  if (roles.empty())
    return;
  bool isSet = roles.size() == shape.size() + 1;
  for (size_t part = 0; part < parts.size(); ++part) {
    bool isAscending =
        roles.back().empty() || roles.back().back() < part || !isSet;
    if (!fit(used, part) || !isAscending)
      continue;
    roles.back().push_back(part);
    used.push_back(part);
    makePlacements(roles, used);
    used.pop_back();
    roles.back().pop_back();
  }
}

void PlacementGraph::addPlacement(
    const std::vector<std::vector<size_t>> &roles) {
  Placement placement;
  for (int device = 0; device < devices; ++device) {
    Holding holding;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int begin = 0, length = shape[dim];
      for (size_t part : roles[dim]) {
        length /= parts[part].size;
        begin += length * parts[part].digits[device];
      }
      holding.block.push_back({begin, begin + length});
    }
    int index = 0;
    for (size_t part : roles.back())
      index = index * parts[part].size + parts[part].digits[device];
    holding.contributions = {index};
    placement.push_back(holding);
  }
  renumber(placement);
  auto [known, isNew] = numberOf.try_emplace(placement, placements.size());
  descriptions.resize(numberOf.size());
  descriptions[known->second].push_back(roles);
  if (!isNew)
    return;
  placements.push_back(placement);
  TensorSharding sharding = TensorSharding::getReplicated(shape.size());
  for (size_t dim = 0; dim < shape.size(); ++dim)
    for (size_t part : roles[dim])
      sharding.dims[dim].axes.push_back(parts[part].axis);
  for (size_t part : roles.back())
    sharding.unreduced.push_back(parts[part].axis);
  shardings.push_back(sharding.canonical(mesh));
}

/// Numbers what devices have added up, per block, by first appearance.
void PlacementGraph::renumber(Placement &placement) {
  using Block = std::vector<std::pair<int, int>>;
  std::map<Block, std::map<std::vector<int>, int>> numbers;
  for (Holding &holding : placement) {
    auto &known = numbers[holding.block];
    int number =
        known.try_emplace(holding.contributions, known.size()).first->second;
    holding.contributions = {number};
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Whether all devices of a group hold the same.
bool PlacementGraph::isCommon(const Placement &placement,
                              const Grouping &grouping) {
  for (const std::vector<int> &group : grouping.groups)
    for (int device : group)
      if (placement[device] != placement[group[0]])
        return false;
  return true;
}

/// Every device keeps, of what its group holds in common, its part of `dim`.
PlacementGraph::Result PlacementGraph::slice(Placement placement,
                                             const Grouping &grouping,
                                             size_t dim) {
  if (!isCommon(placement, grouping))
    return std::nullopt;
  for (const std::vector<int> &group : grouping.groups) {
    int count = group.size();
    for (int i = 0; i < count; ++i) {
      auto &[begin, end] = placement[group[i]].block[dim];
      int length = (end - begin) / count;
      begin += i * length;
      end = begin + length;
    }
  }
  return placement;
}

/// Every device gets the blocks of its group, which follow each other in `dim`.
/// Which of the contributions are joined must be one to one.
PlacementGraph::Result PlacementGraph::gather(Placement placement,
                                              const Grouping &grouping,
                                              size_t dim) {
  std::map<Holding, std::vector<int>> joinedWith;
  for (const std::vector<int> &group : grouping.groups) {
    Holding whole = placement[group[0]];
    whole.contributions.clear();
    for (int device : group) {
      const Holding &piece = placement[device];
      whole.contributions.push_back(piece.contributions[0]);
      if (device == group[0])
        continue;
      if (piece.block[dim].first != whole.block[dim].second)
        return std::nullopt;
      whole.block[dim].second = piece.block[dim].second;
    }
    for (int device : group) {
      Holding piece = placement[device];
      // Apart from `dim` the blocks are the same.
      piece.block[dim] = whole.block[dim];
      if (piece.block != whole.block)
        return std::nullopt;
      auto [known, isNew] =
          joinedWith.try_emplace(placement[device], whole.contributions);
      if (known->second != whole.contributions)
        return std::nullopt;
    }
    for (int device : group)
      placement[device] = whole;
  }
  return placement;
}

/// Whether a sharding that describes the placement is pending over (also) these
/// parts. Other groups may hold each contribution once by chance, as those over
/// "x":(1)2 of 6 do for a sum over "x":(3)2, but a sum is formed over its axes.
bool PlacementGraph::isPending(size_t placement,
                               const Grouping &grouping) const {
  for (const auto &roles : descriptions[placement])
    if (std::all_of(grouping.parts.begin(), grouping.parts.end(),
                    [&](size_t part) {
                      return std::find(roles.back().begin(), roles.back().end(),
                                       part) != roles.back().end();
                    }))
      return true;
  return false;
}

/// Whether a sharding that describes the placement splits `dim`, minor-most, by
/// these parts. Otherwise other groups may hold what follows each other, but
/// not the same contributions in general.
bool PlacementGraph::isMinorMost(size_t placement, const Grouping &grouping,
                                 size_t dim) const {
  for (const auto &roles : descriptions[placement])
    if (roles[dim].size() >= grouping.parts.size() &&
        std::equal(grouping.parts.rbegin(), grouping.parts.rend(),
                   roles[dim].rbegin()))
      return true;
  return false;
}

/// Every device gets the sum of what its group holds, all of the same block.
PlacementGraph::Result PlacementGraph::reduce(Placement placement,
                                              const Grouping &grouping) {
  std::map<Holding, std::vector<int>> summedWith;
  for (const std::vector<int> &group : grouping.groups) {
    std::vector<int> sum;
    for (int device : group)
      sum.push_back(placement[device].contributions[0]);
    std::sort(sum.begin(), sum.end());
    if (std::unique(sum.begin(), sum.end()) != sum.end())
      return std::nullopt;
    for (int device : group) {
      if (placement[device].block != placement[group[0]].block)
        return std::nullopt;
      auto [known, isNew] = summedWith.try_emplace(placement[device], sum);
      if (known->second != sum)
        return std::nullopt;
    }
    for (int device : group)
      placement[device].contributions = sum;
  }
  return placement;
}

/// The devices of a group, which hold the same, now contribute to it each by
/// itself: one what it had, or each what it had brought, the others nothing.
PlacementGraph::Placement
PlacementGraph::makeUnreduced(Placement placement, const Grouping &grouping) {
  for (const std::vector<int> &group : grouping.groups)
    for (size_t i = 0; i < group.size(); ++i)
      placement[group[i]].contributions.push_back(i);
  return placement;
}

double PlacementGraph::bytesOf(const Holding &holding) const {
  double bytes = elementBytes;
  for (auto [begin, end] : holding.block)
    bytes *= end - begin;
  return bytes;
}

double PlacementGraph::seconds(CollectiveKind kind, const Grouping &grouping,
                               double operandBytes) const {
  double latency = 0, bandwidth = kInfinity, n = 1;
  for (size_t part : grouping.parts) {
    latency = std::max(latency, links[parts[part].axisNumber].latency);
    bandwidth = std::min(bandwidth, links[parts[part].axisNumber].bandwidth);
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
  case CollectiveKind::Broadcast: // No plan has one.
    break;
  }
  return kInfinity;
}

void PlacementGraph::add(size_t from, Result to, double seconds,
                         int madeUnreduced, bool reduces) {
  if (!to)
    return;
  renumber(*to);
  auto found = numberOf.find(*to);
  if (found != numberOf.end() && found->second != from)
    edgesTo[found->second].push_back({from, seconds, madeUnreduced, reduces});
}

void PlacementGraph::addCollectives(size_t from) {
  const Placement &placement = placements[from];
  double bytes = bytesOf(placement[0]);
  for (size_t number = 0; number < groupings.size(); ++number) {
    const Grouping &grouping = groupings[number];
    auto cost = [&](CollectiveKind kind) {
      return seconds(kind, grouping, bytes);
    };
    Result sum;
    if (isPending(from, grouping))
      sum = reduce(placement, grouping);
    if (sum)
      add(from, sum, cost(CollectiveKind::AllReduce), -1, true);
    if (isCommon(placement, grouping))
      add(from, makeUnreduced(placement, grouping), 0, number);
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      add(from, slice(placement, grouping, dim), 0, -1, true);
      if (sum)
        add(from, slice(*sum, grouping, dim),
            cost(CollectiveKind::ReduceScatter), -1, true);
      Result whole;
      if (isMinorMost(from, grouping, dim))
        whole = gather(placement, grouping, dim);
      if (!whole)
        continue;
      add(from, whole, cost(CollectiveKind::AllGather));
      add(from, makeUnreduced(*whole, grouping), 0, number);
      for (size_t other = 0; other < shape.size(); ++other)
        if (other != dim)
          add(from, slice(*whole, grouping, other),
              cost(CollectiveKind::AllToAll));
    }
  }
}

/// Adds what comes of exchanges between several dimensions at once: some give,
/// others take, one group of devices does it all. `placement` is what `moves`
/// of them over `parts` have made so far.
void PlacementGraph::addExchanges(size_t from, const Placement &placement,
                                  const Grouping &parts, unsigned moves,
                                  unsigned givers, unsigned takers) {
  if (moves > 1)
    add(from, placement,
        seconds(CollectiveKind::AllToAll, parts, bytesOf(placements[from][0])));
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if ((givers | takers) >> dim & 1)
      continue;
    for (const Grouping &grouping : groupings) {
      Result whole;
      if (isMinorMost(from, grouping, dim))
        whole = gather(placement, grouping, dim);
      if (!whole)
        continue;
      Grouping both = parts;
      both.parts.insert(both.parts.end(), grouping.parts.begin(),
                        grouping.parts.end());
      for (size_t other = 0; other < shape.size(); ++other) {
        if (other == dim || (givers >> other & 1))
          continue;
        Result next = slice(*whole, grouping, other);
        renumber(*next);
        addExchanges(from, *next, both, moves + 1, givers | 1u << dim,
                     takers | 1u << other);
      }
    }
  }
}

/// Whether devices that agree in all axes but those in the set `axes` can
/// exchange what they hold to get from one placement to the other. Per block,
/// the contributions may be numbered anew, but in the same way everywhere.
bool PlacementGraph::moveWithin(const Placement &from, const Placement &to,
                                size_t axes) const {
  // Per block and contribution: how many devices of each group hold it.
  using Block = std::vector<std::pair<int, int>>;
  auto counts = [&](const Placement &placement) {
    std::map<Holding, std::map<int, int>> perHolding;
    for (int device = 0; device < devices; ++device) {
      int group = 0, rest = device;
      for (size_t axis = mesh.axes.size(); axis-- > 0;) {
        int coordinate = rest % mesh.axes[axis].size;
        rest /= mesh.axes[axis].size;
        group =
            group * mesh.axes[axis].size + (axes >> axis & 1 ? 0 : coordinate);
      }
      ++perHolding[placement[device]][group];
    }
    std::map<Block, std::multiset<std::map<int, int>>> perBlock;
    for (const auto &[holding, groups] : perHolding)
      perBlock[holding.block].insert(groups);
    return perBlock;
  };
  return counts(from) == counts(to);
}

double PlacementGraph::permutationSeconds(const Placement &from,
                                          const Placement &to) const {
  double best = kInfinity;
  for (size_t axes = (size_t(1) << mesh.axes.size()) - 1; axes > 0; --axes) {
    double latency = 0, bandwidth = kInfinity;
    for (size_t axis = 0; axis < mesh.axes.size(); ++axis)
      if (axes >> axis & 1) {
        latency = std::max(latency, links[axis].latency);
        bandwidth = std::min(bandwidth, links[axis].bandwidth);
      }
    double cost = latency * 2 + bytesOf(from[0]) / bandwidth;
    if (cost < best && moveWithin(from, to, axes))
      best = cost;
  }
  return best;
}

void PlacementGraph::addPermutations() {
  // Only placements with the same blocks and numbers of contributions.
  std::map<Placement, std::vector<size_t>> alike;
  for (size_t number = 0; number < placements.size(); ++number) {
    Placement sorted = placements[number];
    std::sort(sorted.begin(), sorted.end());
    alike[sorted].push_back(number);
  }
  for (const auto &[holdings, numbers] : alike)
    for (size_t from : numbers)
      for (size_t to : numbers)
        if (from != to)
          edgesTo[to].push_back(
              {from, permutationSeconds(placements[from], placements[to]), -1});
}

/// The pieces into which the boundaries of both placements cut the tensor, one
/// set for each contribution to a sum over `pending`.
PlacementGraph::Pieces
PlacementGraph::piecesOf(const Placement &from, const Placement &to,
                         const std::vector<size_t> &pending) const {
  Pieces pieces;
  pieces.bytes = elementBytes;
  std::vector<int> length;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    auto [oldBegin, oldEnd] = from[0].block[dim];
    auto [newBegin, newEnd] = to[0].block[dim];
    length.push_back(std::gcd(oldEnd - oldBegin, newEnd - newBegin));
    // A dimension that no device changes is not cut.
    bool stays = true;
    for (int device = 0; device < devices; ++device)
      stays &= from[device].block[dim] == to[device].block[dim];
    if (stays)
      length.back() = oldEnd - oldBegin;
    pieces.bytes *= length.back();
  }
  auto list = [&](const Placement &placement, int device) {
    int contribution = 0;
    for (size_t part : pending)
      contribution =
          contribution * parts[part].size + parts[part].digits[device];
    std::vector<int> numbers = {contribution};
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      std::vector<int> longer;
      auto [begin, end] = placement[device].block[dim];
      for (int number : numbers)
        for (int at = begin; at < end; at += length[dim])
          longer.push_back(number * shape[dim] + at);
      numbers = longer;
    }
    return numbers;
  };
  for (int device = 0; device < devices; ++device) {
    pieces.had.push_back(list(from, device));
    pieces.wanted.push_back(list(to, device));
  }
  return pieces;
}

/// The fewest rounds in which every device receives what it lacks from devices
/// that agree with it in all axes but those in the set `axes`: the smallest
/// capacity of senders and receivers with which all of it flows.
/// Ford-Fulkerson.
int PlacementGraph::fewestRounds(const Pieces &pieces, size_t axes) const {
  struct Lack {
    int device, piece, sender;
  };
  std::vector<Lack> lacks;
  std::vector<int> received(devices, 0);
  auto has = [&](int device, int piece) {
    const std::vector<int> &had = pieces.had[device];
    return std::find(had.begin(), had.end(), piece) != had.end();
  };
  for (int device = 0; device < devices; ++device)
    for (int piece : pieces.wanted[device])
      if (!has(device, piece)) {
        lacks.push_back({device, piece, -1});
        ++received[device];
      }
  auto maySend = [&](int sender, const Lack &lack) {
    int a = sender, b = lack.device;
    for (size_t axis = mesh.axes.size(); axis-- > 0;) {
      int size = mesh.axes[axis].size;
      if (!(axes >> axis & 1) && a % size != b % size)
        return false;
      a /= size;
      b /= size;
    }
    return has(sender, lack.piece);
  };
  int rounds = *std::max_element(received.begin(), received.end());
  for (;; ++rounds) {
    std::vector<int> sent(devices, 0);
    for (Lack &lack : lacks)
      lack.sender = -1;
    bool isPossible = true;
    for (Lack &start : lacks) {
      // Breadth first over senders; `via` is the lack that made one reachable.
      std::vector<Lack *> via(devices, nullptr);
      std::vector<int> open;
      auto visit = [&](Lack &lack) {
        for (int sender = 0; sender < devices; ++sender)
          if (!via[sender] && maySend(sender, lack)) {
            via[sender] = &lack;
            open.push_back(sender);
          }
      };
      visit(start);
      int free = -1;
      for (size_t i = 0; i < open.size() && free < 0; ++i) {
        if (sent[open[i]] < rounds)
          free = open[i];
        for (Lack &other : lacks)
          if (other.sender == open[i])
            visit(other);
      }
      if (open.empty())
        return -1;
      isPossible = free >= 0;
      if (!isPossible)
        break;
      ++sent[free];
      for (int sender = free; sender >= 0;)
        std::swap(via[sender]->sender, sender);
    }
    if (isPossible)
      return rounds;
  }
}

double PlacementGraph::reassemblySeconds(size_t from, size_t to) const {
  double best = kInfinity;
  for (const auto &before : descriptions[from])
    for (const auto &after : descriptions[to]) {
      // The same sum, pending over the same parts of axes.
      if (before.back() != after.back())
        continue;
      Pieces pieces = piecesOf(placements[from], placements[to], before.back());
      for (size_t axes = (size_t(1) << mesh.axes.size()) - 1; axes > 0;
           --axes) {
        double latency = 0, bandwidth = kInfinity;
        for (size_t axis = 0; axis < mesh.axes.size(); ++axis)
          if (axes >> axis & 1) {
            latency = std::max(latency, links[axis].latency);
            bandwidth = std::min(bandwidth, links[axis].bandwidth);
          }
        int rounds = fewestRounds(pieces, axes);
        if (rounds >= 0)
          best =
              std::min(best, rounds * (2 * latency + pieces.bytes / bandwidth));
      }
    }
  return best;
}

bool PlacementGraph::haveSameBlocks(size_t a, size_t b) const {
  for (int device = 0; device < devices; ++device)
    if (placements[a][device].block != placements[b][device].block)
      return false;
  return true;
}

void PlacementGraph::addReassemblies() {
  for (size_t to = 0; to < size(); ++to)
    for (size_t from = 0; from < size(); ++from) {
      if (haveSameBlocks(from, to))
        continue;
      double seconds = reassemblySeconds(from, to);
      if (seconds < kInfinity)
        reassembliesTo[to].push_back({from, seconds, -1});
    }
}

/// Dijkstra's algorithm from the goal. Vertices come twice: with `size()` added
/// to their number, a reassembly is still to come.
std::vector<double> PlacementGraph::distancesTo(size_t goal) const {
  // Data becomes unreduced only over axes over which it is so in the end: to
  // move data by sums with zeros is no way of resharding.
  std::vector<bool> allowed;
  for (const Grouping &grouping : groupings)
    allowed.push_back(isPending(goal, grouping));
  std::vector<double> distance(2 * size(), kInfinity);
  std::priority_queue<std::pair<double, size_t>,
                      std::vector<std::pair<double, size_t>>, std::greater<>>
      queue;
  auto reach = [&](size_t vertex, double length) {
    if (length >= distance[vertex])
      return;
    distance[vertex] = length;
    queue.push({length, vertex});
  };
  reach(goal, 0);
  while (!queue.empty()) {
    auto [known, vertex] = queue.top();
    queue.pop();
    if (known > distance[vertex])
      continue;
    bool isBefore = vertex >= size();
    size_t to = vertex % size();
    for (const Edge &edge : edgesTo[to])
      if (isBefore ? edge.reduces
                   : edge.madeUnreduced < 0 || allowed[edge.madeUnreduced])
        reach(edge.from + (vertex - to), known + edge.seconds);
    if (!isBefore && haveSameBlocks(to, goal))
      for (const Edge &edge : reassembliesTo[to])
        reach(edge.from + size(), known + edge.seconds);
  }
  for (size_t from = 0; from < size(); ++from)
    distance[from] = std::min(distance[from], distance[from + size()]);
  distance.resize(size());
  return distance;
}

void PlacementGraph::findShortestPaths(bool withReassemblies) {
  edgesTo.resize(size());
  reassembliesTo.resize(size());
  for (size_t from = 0; from < size(); ++from)
    addCollectives(from);
  for (size_t from = 0; from < size(); ++from)
    addExchanges(from, placements[from], {}, 0, 0, 0);
  addPermutations();
  if (withReassemblies)
    addReassemblies();
  for (size_t goal = 0; goal < size(); ++goal)
    distances.push_back(distancesTo(goal));
}
