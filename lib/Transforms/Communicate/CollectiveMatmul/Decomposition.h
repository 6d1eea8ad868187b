//===- Decomposition.h - a collective and its products, by pieces ---------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_DECOMPOSITION_H
#define TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_DECOMPOSITION_H

#include "BlockTimeline.h"
#include "CollectiveMatmul/PartialProducts.h"

#include <limits>
#include <memory>

namespace tessera::communicate {

/// What the price of a decomposition needs beside the operations.
struct PriceInputs {
  Machine machine;
  /// The links of the collective's group.
  GroupLinks links;
  /// What a call costs beside its messages. What it costs to launch a kernel is
  /// hidden behind the kernels before it, as none is shorter than that.
  double callSeconds;
  /// What share of the time the links are busy: a second more on them makes the
  /// rest of the program later by so much.
  double busy;
  /// When the collective runs as it is.
  const Transfer *transfer;

  /// What it costs that the links are busy for `seconds` instead.
  double lateness(double seconds) const {
    return busy *
           std::max(seconds - transfer->latency - transfer->seconds, 0.0);
  }
};

/// What taking a collective apart saves.
struct Price {
  /// The seconds by which everything behind it comes earlier.
  double saved = 0;
  /// The shortest kernel that a product becomes.
  double piece = 0;
};

/// The price of what is not worth it at any.
inline constexpr Price kNever{-std::numeric_limits<double>::infinity(), 0};

/// A collective with the products before or behind it, as it could be: the
/// partial products of some blocks run while others are on the way.
class Decomposition {
public:
  virtual ~Decomposition();

  /// What it is, in words: `permutes` of so many, or pieces.
  virtual std::string describe() = 0;
  virtual Price price(const PriceInputs &inputs) = 0;
  /// Builds it in place of the collective and its products. Results are equal,
  /// but for the order of a sum over devices.
  virtual void apply() = 0;
};

/// An all-gather whose result products read along dimensions that they keep.
/// Each device sends its shard to every other by a permute of its own, and the
/// product of each shard, which is a block of the result, is computed as it
/// comes. All products share the permutes. Who else reads the gathered tensor
/// finds it put together from the shards. Null, and why in `reason`, where
/// there is no such product.
std::unique_ptr<Decomposition> decomposeGather(spmd::AllGatherOp gather,
                                               std::string &reason);

/// A reduce-scatter of a product that nothing else reads. Each device computes
/// the blocks of the others first, sends each to its owner by a permute of its
/// own, and adds what comes to its own block, the last one.
std::unique_ptr<Decomposition> decomposeScatter(spmd::ReduceScatterOp scatter,
                                                std::string &reason);

/// An all-reduce of a product that nothing else reads, in `pieces` pieces along
/// the first dimension of the result that has as many elements: while one is
/// summed over the devices, the next is computed. Sums keep their order.
std::unique_ptr<Decomposition> decomposeReduction(spmd::AllReduceOp reduction,
                                                  int64_t pieces,
                                                  std::string &reason);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_DECOMPOSITION_H
