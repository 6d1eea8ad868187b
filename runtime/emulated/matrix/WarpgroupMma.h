//===- WarpgroupMma.h - Asynchronous matrix products of warp groups -------===//

#ifndef TESSERA_RUNTIME_EMULATED_MATRIX_WARPGROUPMMA_H
#define TESSERA_RUNTIME_EMULATED_MATRIX_WARPGROUPMMA_H

#include "asynchronous/SharedLayout.h"
#include "execution/PtxWarp.h"
#include "matrix/MatrixFragments.h"

#include <deque>

namespace tessera::emulated {

/// What a wgmma.mma_async computes: D (64 x n) = A (64 x k) * B (k x n) + D,
/// k * bytes of an element = 32.
struct WgmmaShape {
  unsigned n = 0;
  MatrixElement element = MatrixElement::F16;
  AccumulatorElement accumulator = AccumulatorElement::F32;
  bool negateA = false, negateB = false;
  Major majorA = Major::K, majorB = Major::K;
  /// A is in registers: operands `registersD()` to + 3.
  bool registersA = false;

  unsigned k() const { return 32 / bytesOf(element); }
  unsigned registersD() const {
    return accumulator == AccumulatorElement::F32 ? n / 2 : n / 4;
  }

  /// To and from two words of `Instruction::data`.
  std::array<uint32_t, 2> pack() const;
  static WgmmaShape unpack(uint32_t first, uint32_t second);
};

/// The products that the warps of a block have started. Each warp computes its
/// 16 rows by itself.
///
/// **Products are computed when they are waited for**, in order, from what
/// shared memory and the registers of A hold then; descriptors are read at
/// once. Until then each register of D holds a token, a signalling NaN that
/// says which element of which product belongs there. So a register can be
/// copied (compilers do that to tie inputs to outputs) and handed to the next
/// product, and is recognised when the value is known; any other use of it in
/// between is a fault.
class WarpgroupMma : public BlockState {
public:
  /// wgmma.mma_async; `accumulate` is scale-d.
  Outcome start(Warp &warp, const Instruction &instruction, bool accumulate);
  /// wgmma.fence, wgmma.commit_group and wgmma.wait_group.
  void fence(Warp &warp) { state(warp).fenced = true; }
  void commit(Warp &warp);
  void wait(Warp &warp, unsigned allowed);

  /// Checks an instruction that runs while products are pending: a fault if it
  /// uses one of their accumulators.
  static Outcome observe(Warp &warp, const Instruction &instruction,
                         LaneMask lanes);

  std::optional<std::string> finish(Block &block) override;

private:
  struct Product {
    uint32_t id; ///< In its tokens.
    const Instruction *instruction;
    bool accumulate;
    /// Of A, unless it is in registers, and B, when it started.
    std::optional<MatrixDescriptor> a, b;
    /// D at the start, values or tokens; then its values.
    std::vector<LaneWords> accumulators;
  };
  struct Group {
    size_t products;
    Clock clock;
  };
  struct State {
    std::deque<Product> pending; ///< Oldest first.
    std::deque<Group> groups;    ///< Of the first of them.
    size_t uncommitted = 0;
    uint32_t nextId = 1;
    /// Whether a fence came after all products that were waited for.
    bool fenced = false;
  };
  State &state(Warp &warp) { return states[warp.index()]; }

  bool continues(Warp &warp, const Instruction &instruction);
  void compute(Warp &warp, Product &product);
  void resolve(Warp &warp, const std::vector<Product> &done);

  std::array<State, maxWarps> states;
  /// Offsets of all registers of 32 bits, once they are needed.
  std::vector<uint32_t> registers;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_MATRIX_WARPGROUPMMA_H
