//===- JobPieces.cpp - Arguments in boxes, into ranks and out of them -----===//
//
// An argument lives in shards: on each pipeline rank that has rows of it, on
// each device a box, with replicas and padding. It is divided along the cuts of
// all of these, so that each piece lies in one shard of each rank that has any
// of it; replicas share the work of handing it out.
//
//===----------------------------------------------------------------------===//

#include "Job.h"

#include "Reduction.h"

#include <algorithm>
#include <cstring>
#include <map>

using namespace tessera;
using namespace tessera::runtime;

/// The shard's place in the global tensor, padding included.
TensorBox Job::shardBox(const Holding &holding) const {
  const ManifestRows &rows =
      programOf(holding.rank).arguments[holding.position];
  return rows.layoutOf(program->manifest().arguments[rows.number])
      .shardOf(holding.rank % program->manifest().mesh.ranks());
}

/// Where the ranks, of this process or of all, hold an argument.
std::vector<Job::Holding> Job::holdingsOf(int32_t argument,
                                          bool onlyHere) const {
  std::vector<Holding> holdings;
  for (int32_t rank = 0; rank < static_cast<int32_t>(ranks.size()); ++rank) {
    if (onlyHere && !ranks[rank])
      continue;
    const std::vector<ManifestRows> &held = programOf(rank).arguments;
    for (size_t i = 0; i < held.size(); ++i)
      if (held[i].number == argument)
        holdings.push_back({rank, static_cast<int32_t>(i)});
  }
  return holdings;
}

//===----------------------------------------------------------------------===//
// Out of the ranks
//===----------------------------------------------------------------------===//

/// Cuts each box where the boxes of other pipeline ranks begin or end along
/// `dim`: rows that several of them have.
static std::vector<TensorBox> cutAlong(const TensorBox &box, int64_t dim,
                                       const std::vector<int64_t> &cuts) {
  std::vector<TensorBox> parts;
  int64_t end = box.begin[dim] + box.size[dim];
  for (int64_t first = box.begin[dim]; first < end;) {
    auto next = std::ranges::upper_bound(cuts, first);
    int64_t last = next == cuts.end() ? end : std::min(end, *next);
    parts.push_back(box);
    parts.back().begin[dim] = first;
    parts.back().size[dim] = last - first;
    first = last;
  }
  return parts;
}

/// Appends the pieces of an argument; `load` is what each rank hands out.
void Job::divideArgument(int32_t argument, std::vector<int64_t> &load) {
  const ManifestTensor &tensor = program->manifest().arguments[argument];
  int64_t dim = -1;
  std::vector<int64_t> cuts;
  for (const ManifestProgram &part : program->manifest().programs)
    for (const ManifestRows &rows : part.arguments)
      if (rows.number == argument && rows.count) {
        dim = rows.dim;
        cuts.insert(cuts.end(), {rows.first, rows.first + *rows.count});
      }
  std::ranges::sort(cuts);
  // By its place, who holds a piece.
  std::map<Shape, std::pair<TensorBox, std::vector<Holding>>> holders;
  for (const Holding &holding : holdingsOf(argument, /*onlyHere=*/false)) {
    TensorBox box = intersect(shardBox(holding),
                              TensorBox::whole(tensor.layout.globalShape()));
    if (box.isEmpty())
      continue;
    for (const TensorBox &part :
         dim < 0 ? std::vector{box} : cutAlong(box, dim, cuts)) {
      auto &known = holders[part.begin];
      known.first = part;
      known.second.push_back(holding);
    }
  }
  for (const auto &[begin, held] : holders) {
    const Holding &least = *std::ranges::min_element(
        held.second, {}, [&](const Holding &h) { return load[h.rank]; });
    load[least.rank] +=
        held.first.elements() * static_cast<int64_t>(elementSize(tensor.type));
    division.push_back({argument, least, held.first});
  }
}

JobStatus Job::divide(std::span<const int32_t> arguments) {
  division.clear();
  std::vector<int64_t> load(ranks.size());
  for (int32_t index : arguments) {
    if (JobStatus failure = checkArgument(index))
      return failure;
    const ManifestTensor &argument = program->manifest().arguments[index];
    if (argument.layout.summands() > 1)
      return JobFailure::invalid("argument '" + argument.name +
                                 "' is a sum that ranks hold the parts of");
    divideArgument(index, load);
  }
  return {};
}

JobStatus Job::getPiece(int64_t number, std::byte *data) {
  if (number < 0 || number >= static_cast<int64_t>(division.size()) ||
      !ranks[division[number].holding.rank])
    return JobFailure::invalid("this process has no piece " +
                               std::to_string(number));
  const Piece &piece = division[number];
  Rank &rank = *ranks[piece.holding.rank];
  const ManifestTensor &tensor = program->manifest().arguments[piece.argument];
  void *memory = ownArgument(rank, piece.holding.position);
  if (!memory)
    return notEnoughMemory(piece.holding.rank);
  TensorBox shard = shardBox(piece.holding);
  size_t elementBytes = elementSize(tensor.type);
  if (!backend->devices) {
    copyBox(piece.box, elementBytes, static_cast<std::byte *>(memory), shard,
            data, piece.box);
    return {};
  }
  std::vector<std::byte> staged;
  if (shard != piece.box)
    staged.resize(shard.elements() * elementBytes);
  std::byte *host = shard == piece.box ? data : staged.data();
  if (backend->devices->download(
          world, piece.holding.rank, memory, host,
          shard.elements() * static_cast<int64_t>(elementBytes)) != TESSERA_OK)
    return JobFailure{TESSERA_FAILED, backend->error(world)};
  if (host != data)
    copyBox(piece.box, elementBytes, host, shard, data, piece.box);
  return {};
}

//===----------------------------------------------------------------------===//
// Into the ranks
//===----------------------------------------------------------------------===//

JobStatus Job::checkArgument(int32_t index) const {
  if (index >= 0 &&
      index < static_cast<int32_t>(program->manifest().arguments.size()))
    return {};
  return JobFailure::invalid("the program has no argument " +
                             std::to_string(index));
}

/// Prepares the shards of an argument: padding becomes zero, and so that the
/// first summand is the tensor, the others change nothing.
JobStatus Job::beginArgument(int32_t index) {
  if (JobStatus failure = checkArgument(index))
    return failure;
  const ManifestTensor &tensor = program->manifest().arguments[index];
  filling = Filling{index, {}};
  for (const Holding &holding : holdingsOf(index, /*onlyHere=*/true)) {
    Filling::Shard shard{holding, shardBox(holding)};
    int64_t bytes =
        shard.box.elements() * static_cast<int64_t>(elementSize(tensor.type));
    void *memory = ownArgument(*ranks[holding.rank], holding.position);
    if (!memory)
      return notEnoughMemory(holding.rank);
    if (backend->devices)
      shard.staged.resize(bytes);
    shard.data = backend->devices ? shard.staged.data()
                                  : static_cast<std::byte *>(memory);
    shard.filled =
        intersect(shard.box, TensorBox::whole(tensor.layout.globalShape()));
    if (shard.filled != shard.box)
      std::memset(shard.data, 0, bytes);
    if (tensor.layout.summandOf(holding.rank %
                                program->manifest().mesh.ranks()) != 0) {
      fillNeutral(static_cast<int32_t>(tensor.type), tensor.reduction,
                  shard.data, shard.box.elements());
      shard.isNeutral = true;
    }
    filling->shards.push_back(std::move(shard));
  }
  return {};
}

bool Job::needsBox(const TensorBox &box) const {
  return filling &&
         std::ranges::any_of(filling->shards, [&](const auto &shard) {
           return !shard.isNeutral && !intersect(box, shard.filled).isEmpty();
         });
}

JobStatus Job::setBox(const TensorBox &box, const std::byte *data) {
  if (!filling)
    return JobFailure::invalid("no argument was begun");
  size_t elementBytes =
      elementSize(program->manifest().arguments[filling->argument].type);
  for (Filling::Shard &shard : filling->shards)
    if (!shard.isNeutral)
      copyBox(intersect(box, shard.filled), elementBytes, data, box, shard.data,
              shard.box);
  return {};
}

JobStatus Job::endArgument() {
  if (!filling)
    return JobFailure::invalid("no argument was begun");
  for (const Filling::Shard &shard : filling->shards) {
    Rank &rank = *ranks[shard.holding.rank];
    void *memory = ownArgument(rank, shard.holding.position);
    if (backend->devices &&
        backend->devices->upload(world, shard.holding.rank, shard.data, memory,
                                 static_cast<int64_t>(shard.staged.size())) !=
            TESSERA_OK)
      return JobFailure{TESSERA_FAILED, backend->error(world)};
    if (rank.context.guards)
      rank.context.guards->setBlock(memory);
  }
  filling.reset();
  return {};
}
