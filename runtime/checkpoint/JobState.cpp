//===- JobState.cpp -------------------------------------------------------===//

#include "checkpoint/JobState.h"

#include "tessera/Support/NearestName.h"

#include <algorithm>
#include <set>

using namespace tessera;
using namespace tessera::checkpoint;

/// Why the last call of the runtime failed.
static Failure runtimeFailure() { return Failure{tessera_error_message()}; }

Fallible<Snapshot> JobState::plan() {
  const TesseraPiece *pieces = nullptr;
  int64_t count = 0;
  if (tessera_job_divide(job, arguments.data(),
                         static_cast<int32_t>(arguments.size()), &pieces,
                         &count))
    return runtimeFailure();
  Snapshot snapshot;
  snapshot.index.tensors = tensors;
  std::set<int32_t> others;
  for (int64_t i = 0; i < count; ++i) {
    const TesseraPiece &piece = pieces[i];
    if (!tessera_job_has_rank(job, piece.rank)) {
      others.insert(piece.rank);
      continue;
    }
    size_t number =
        std::ranges::find(arguments, piece.argument) - arguments.begin();
    size_t dims = tensors[number].shape.size();
    snapshot.items.push_back({number,
                              piece.rank,
                              {Shape(piece.begin, piece.begin + dims),
                               Shape(piece.size, piece.size + dims)},
                              0});
    pieceNumbers.push_back(i);
  }
  snapshot.others.assign(others.begin(), others.end());
  if (!snapshot.allocate())
    return Failure{"not enough memory for a copy of the state"};
  return snapshot;
}

Fallible<void> JobState::capture(Snapshot &snapshot) {
  for (size_t i = 0; i < snapshot.items.size(); ++i)
    if (tessera_job_get_piece(job, pieceNumbers[i],
                              snapshot.buffer.get() + snapshot.items[i].offset))
      return runtimeFailure();
  return {};
}

/// Whether a tensor of a checkpoint is one that the program takes. What was
/// made of a tensor file may not say of which short type its bytes are.
static bool fits(const Tensor *found, const Tensor &tensor) {
  return found && found->type == tensor.type && found->shape == tensor.shape &&
         (found->shortType.empty() || found->shortType == tensor.shortType);
}

Fallible<void> JobState::check(const Index &index) const {
  std::vector<std::string> names;
  for (const Tensor &tensor : index.tensors)
    names.push_back(tensor.name);
  for (const Tensor &tensor : tensors) {
    const Tensor *found = index.find(tensor.name);
    if (tensor.isInitiallyZero || fits(found, tensor))
      continue;
    if (!found)
      return Failure{"no tensor '" + tensor.name + "' of type " +
                     tensor.describeType() + didYouMean(tensor.name, names)};
    return Failure{"tensor '" + tensor.name + "': expected " +
                   tensor.describeType() + ", got " + found->describeType()};
  }
  for (const Tensor &found : index.tensors)
    if (!found.isInitiallyZero &&
        std::ranges::find(tensors, found.name, &Tensor::name) == tensors.end())
      return Failure{"tensor '" + found.name +
                     "' is nothing that the program's steps change"};
  return {};
}

/// Brings zeros to all ranks that hold the argument that was begun.
static Fallible<void> fillWithZeros(TesseraJob *job, const Tensor &tensor) {
  size_t elementBytes = elementSize(tensor.type);
  BlockedBox blocks(TensorBox::whole(tensor.shape), elementBytes,
                    defaultBlockBytes);
  std::vector<std::byte> zeros(
      std::max<size_t>(defaultBlockBytes, elementBytes));
  for (int64_t i = 0; i < blocks.count(); ++i) {
    TensorBox block = blocks.block(i);
    if (tessera_job_set_box(job, block.begin.data(), block.size.data(),
                            zeros.data()))
      return runtimeFailure();
  }
  return {};
}

Fallible<void> JobState::restore(const Reader &reader) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tessera_job_begin_argument(job, arguments[i]))
      return runtimeFailure();
    const Tensor *found = reader.index().find(tensors[i].name);
    auto needs = [&](const TensorBox &box) {
      return tessera_job_needs_box(job, box.begin.data(), box.size.data()) != 0;
    };
    auto take = [&](const TensorBox &box,
                    const std::byte *data) -> Fallible<void> {
      if (tessera_job_set_box(job, box.begin.data(), box.size.data(), data))
        return runtimeFailure();
      return {};
    };
    Fallible<void> done = fits(found, tensors[i])
                              ? reader.read(*found, needs, take)
                              : fillWithZeros(job, tensors[i]);
    if (!done)
      return done;
    if (tessera_job_end_argument(job))
      return runtimeFailure();
  }
  return {};
}
