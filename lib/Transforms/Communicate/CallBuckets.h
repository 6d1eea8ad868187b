//===- CallBuckets.h - which collectives become one call ------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_CALLBUCKETS_H
#define TESSERA_TRANSFORMS_COMMUNICATE_CALLBUCKETS_H

#include "BlockTimeline.h"

namespace tessera::communicate {

/// The collectives of one call, in the order of the text.
using CallParts = llvm::SmallVector<mlir::Operation *, 2>;

/// Makes one call of `parts` where `builder` stands, and gives it; a single
/// part stays where it is.
mlir::Operation *joinCall(mlir::OpBuilder &builder, const CallParts &parts);

/// Puts the collectives of a block into *buckets*, each of which may be one
/// call, in one pass over the text.
///
/// Of each kind, group and reduction (a *lane*) one bucket is open at a time,
/// and buckets of a lane follow each other. So what an operation depends on is
/// one number per lane, that of the last bucket: a vector clock. A bucket's own
/// clock is that of all its parts; it still moves while the bucket is open, so
/// a collective's clock is followed through those of the buckets in it when it
/// is asked for. A collective joins the open bucket of its lane unless its
/// clock has that bucket in it; then no circle can arise, not even through
/// buckets of several lanes.
///
/// Whether it should is a matter of time, by `BlockTimeline`. A call that waits
/// for the last of its operands ends later than the first of its parts would
/// have. That is good as long as
///
///  - the next call could still begin then without making anything late, and
///  - its first reader waits for it no longer than the readers of its other
///  parts would have waited for theirs, which they need not any more; if it
///  waits anyway, a sixteenth of what a call costs does not count.
///
/// Readers of parts move behind the call. So where they would have waited
/// before the operand of a later part was computed, it is there that much
/// earlier.
///
/// A collective that is large by itself is no part of a bucket, nor does it end
/// one; a bucket that has become large is closed.
///
/// Linear in the size of the block, but for the square of the number of lanes
/// at each collective.
class CallBuckets {
public:
  CallBuckets(mlir::Block &block, const BlockTimeline &timeline);

  /// The buckets of two parts and more.
  llvm::SmallVector<CallParts, 0> take();

private:
  /// By lane, the number of the last bucket that something depends on; -1 where
  /// it depends on none. May be shorter than there are lanes.
  using Clock = llvm::SmallVector<int32_t, 4>;

  /// Of a call: when its operands are there, what it takes, when its first
  /// reader comes; what all readers waited for their parts, and the first.
  struct Times {
    double ready, latency, seconds, need, stalls, firstStall;

    static Times of(const Transfer &transfer);
    /// Of a call of this one's parts and the other's.
    Times joined(const Times &other) const;
    /// When the call ends if the link is free from `link` on.
    double end(double link) const {
      return std::max(link, ready) + latency + seconds;
    }
    bool isLarge() const;
  };
  struct Bucket {
    CallParts parts;
    Clock clock;
    Times times;
    /// Of parts, when they are first read and how long that reader would wait;
    /// a heap, the first on top, and the sum of those that were taken from it.
    llvm::SmallVector<std::pair<double, double>, 1> reads;
    double waited = 0;

    void add(const Transfer &transfer);
    /// What readers of parts would wait before `time`, which does not fall from
    /// one call to the next, or has been asked for with a later one.
    double waitedBefore(double time);
  };
  struct Lane {
    llvm::SmallVector<Bucket, 0> buckets;
    bool isOpen = false;
  };

  void findLanes(const BlockTimeline &timeline);
  /// What `op` depends on through its operands and, if it has effects, its
  /// predecessors with effects.
  Clock clockOf(mlir::Operation *op);
  /// Puts a collective of lane `number` with that clock into a bucket. The next
  /// call may begin at `latest`.
  void place(const Transfer &transfer, unsigned number, const Clock &clock,
             double latest);
  bool dependsOnOpen(const Clock &clock, unsigned lane) const;
  bool pays(const Times &joined, unsigned lane, double latest) const;
  void close(Lane &lane);

  llvm::SmallVector<Lane, 0> lanes;
  llvm::DenseMap<mlir::Operation *, unsigned> laneOf;
  llvm::DenseMap<mlir::Operation *, Clock> clocks;
  /// Of the last operation with effects.
  Clock effects;
  /// Until when the link is busy with calls that are settled.
  double link = 0;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_CALLBUCKETS_H
