//===- CollectiveNotes.h - Whether ranks call the same collectives --------===//

#ifndef TESSERA_RUNTIME_GPU_COLLECTIVENOTES_H
#define TESSERA_RUNTIME_GPU_COLLECTIVENOTES_H

#include "Operation.h"

#include <deque>
#include <map>
#include <vector>

namespace tessera::gpu {

/// Compares the collectives of a rank with those of the others.
///
/// NCCL does not: members that call different collectives wait for each other,
/// or get wrong values. So in the first step, which later ones repeat, each
/// member tells the first of its group what it calls, and the first compares
/// that with its own calls, one by one, while it waits for the device. Nobody
/// waits for an answer.
class CollectiveNotes {
public:
  /// `host` must outlive the object.
  CollectiveNotes(RankHost &host, int32_t rank) : host(host), rank(rank) {}

  /// The rank is going to call it, or each of its parts. A status as of
  /// RankHost::send.
  int32_t tell(const TesseraCollective &call);
  /// Compares what has been told so far, and with `all` waits for the rest. At
  /// a difference the job has failed.
  int32_t compare(bool all);

private:
  int32_t tellPart(const TesseraCollective &call);
  /// A collective as members must agree on it, with the targets behind it.
  using Note = std::vector<std::byte>;
  /// The calls on one communicator whose first member this rank is.
  struct Calls {
    std::vector<int32_t> members;
    /// Those from number `first` on that somebody has not told of yet.
    std::deque<Note> own;
    size_t first = 0;
    /// By member, how many it has told of.
    std::vector<size_t> told;
  };
  int32_t compare(const Calls &calls, int32_t member, const Note &own,
                  const Note &theirs);

  RankHost &host;
  int32_t rank;
  std::map<int32_t, Calls> communicators;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_COLLECTIVENOTES_H
