//===- CollectiveCalls.h - Collectives and what they must give ------------===//

#ifndef TESSERA_TEST_GPU_COLLECTIVECALLS_H
#define TESSERA_TEST_GPU_COLLECTIVECALLS_H

#include "tessera/Support/HostTensor.h"
#include "tessera/backend.h"

#include <string>
#include <vector>

namespace tessera::check {

/// One collective that all ranks call, in one group. Operands are numbers that
/// the element type holds exactly, mostly small integers, so that results can
/// be compared for equality.
struct Call {
  int32_t kind;
  ElementType type;
  int64_t count; ///< Elements of a chunk, as the next three in
                 ///< TesseraCollective.
  int32_t reduction = 0;
  int32_t root = 0;
  std::vector<int32_t> targets = {};
  bool isInPlace = false;
  TesseraSite site = {"check", "the list of checks"};

  /// `all_reduce of 5 x f32, max, in place`.
  std::string describe() const;

  /// What the rank puts in, of `ranks` ranks.
  HostTensor operand(int32_t rank, int32_t ranks) const;
  /// What it must get.
  HostTensor result(int32_t rank, int32_t ranks) const;
};

/// Every kind with every element type, and reduction that is defined for it;
/// with `recordable` those alone that the device does without the host, so that
/// a step of them can be recorded.
std::vector<Call> allCalls(int32_t ranks, bool recordable);

} // namespace tessera::check

#endif // TESSERA_TEST_GPU_COLLECTIVECALLS_H
