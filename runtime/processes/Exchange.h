//===- Exchange.h - Which bytes of a collective go where ------------------===//
//
// What one member does in a collective, made from the plan that `local`
// executes (runtime/local/Transfer.h), so that there is one table of
// collectives and one order of sums. A collective has at most two exchanges, in
// each of which every member has some bytes for every other one (an all-to-all
// of bytes):
//
//   0. Copies go from the member that has them to those that want them. Of a
//      reduction each member gets the parts that it reduces, from all.
//   1. Of a reduction for everybody (all_reduce), each member sends the part
//      that it has reduced to all (an all-gather of bytes).
//
// A small all_reduce has only the first: everybody gets everything and reduces
// all of it, which takes one latency instead of two.
//
// Reductions take the members in the order of the group, by the kernels of
// core/Reduction.h, whoever does them: results equal those of `local`, bit for
// bit.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_EXCHANGE_H
#define TESSERA_RUNTIME_PROCESSES_EXCHANGE_H

#include "../local/Transfer.h"
#include "Transport.h"

#include <memory>

namespace tessera::processes {

class Exchange {
public:
  static constexpr int phases = 2;

  /// Replaces the exchange by that of `call`, which makes sense, as the calling
  /// member sees it. Memory of former ones is reused.
  void build(const TesseraCollective &call);

  /// What this member sends to, and gets from, the one at `position`.
  std::span<const Piece> sends(int phase, int32_t position) const {
    return routes[phase][position].sent;
  }
  std::span<const Piece> receives(int phase, int32_t position) const {
    return routes[phase][position].received;
  }

  /// What needs nobody else: copies from this member to itself, and zeros.
  void copyOwn() const;
  /// Between the two exchanges.
  void reduce() const;

private:
  /// What passes between this member and another one.
  struct Route {
    std::vector<Piece> sent, received;
  };
  struct Reduction {
    int32_t dtype, reduction;
    int64_t count;
    std::vector<const std::byte *> sources;
    std::byte *destination;
  };
  /// What is to be reduced here: where in `scratch` what comes from others will
  /// be.
  struct Pending {
    const runtime::Transfer *transfer;
    int64_t begin, end; ///< Elements.
    std::byte *destination;
  };

  void addCopies(const runtime::Transfer &transfer);
  void addReduction(const runtime::Transfer &transfer);
  /// Elements [begin, end) are reduced by the member at `where`.
  void reduceAt(int32_t where, const runtime::Transfer &transfer, int64_t begin,
                int64_t end, std::byte *destination);
  /// Gives what is reduced here its sources.
  void placeScratch();

  int32_t self = 0, size = 0;
  runtime::TransferPlan plan;
  std::vector<TesseraCollective> members;
  std::vector<Route> routes[phases]; ///< By position.
  std::vector<Pending> pending;
  std::vector<Reduction> reductions;
  struct Copy {
    const std::byte *source; ///< Null for zeros.
    std::byte *destination;
    int64_t bytes;
  };
  std::vector<Copy> copies;
  std::unique_ptr<std::byte[]> scratch;
  int64_t scratchBytes = 0;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_EXCHANGE_H
