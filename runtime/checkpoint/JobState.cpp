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

Fallible<void> JobState::check(const Index &index) const {
  std::vector<std::string> names;
  for (const Tensor &tensor : index.tensors)
    names.push_back(tensor.name);
  for (const Tensor &tensor : tensors) {
    const Tensor *found = index.find(tensor.name);
    if (!found)
      return Failure{"no tensor '" + tensor.name + "' of type " +
                     tensor.describeType() + didYouMean(tensor.name, names)};
    if (found->type != tensor.type || found->shape != tensor.shape ||
        found->shortType != tensor.shortType)
      return Failure{"tensor '" + tensor.name + "': expected " +
                     tensor.describeType() + ", got " + found->describeType()};
  }
  for (const std::string &name : names)
    if (std::ranges::find(tensors, name, &Tensor::name) == tensors.end())
      return Failure{"tensor '" + name +
                     "' is nothing that the program's steps change"};
  return {};
}

Fallible<void> JobState::restore(const Reader &reader) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tessera_job_begin_argument(job, arguments[i]))
      return runtimeFailure();
    Fallible<void> done = reader.read(
        *reader.index().find(tensors[i].name),
        [&](const TensorBox &box) {
          return tessera_job_needs_box(job, box.begin.data(),
                                       box.size.data()) != 0;
        },
        [&](const TensorBox &box, const std::byte *data) -> Fallible<void> {
          if (tessera_job_set_box(job, box.begin.data(), box.size.data(), data))
            return runtimeFailure();
          return {};
        });
    if (!done)
      return done;
    if (tessera_job_end_argument(job))
      return runtimeFailure();
  }
  return {};
}
