//===- PtxFence.cpp - fence -----------------------------------------------===//

#include "asynchronous/PtxAsync.h"

using namespace tessera;
using namespace tessera::emulated;

/// Memory is sequentially consistent here, but for the asynchronous proxy.
static Outcome doNothing(Warp &, const Instruction &, LaneMask) {
  return Outcome::Continue;
}

static Outcome fenceProxy(Warp &warp, const Instruction &, LaneMask) {
  warp.block().state<AsyncCopies>().fence(warp);
  return Outcome::Continue;
}

/// Operands: [map].
static Outcome acquireMap(Warp &warp, const Instruction &instruction,
                          LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if (lanes >> lane & 1)
      async.acquireMap(warp.address(instruction[0], lane));
  return Outcome::Continue;
}

/// fence.proxy.async{.global|.shared}, fence.proxy.alias, fence.proxy.tensormap
static void decodeProxy(Decoding &d) {
  if (d.take("async")) {
    takeSharedSpace(d);
    return d.handle(fenceProxy);
  }
  if (d.take("alias"))
    return d.handle(doNothing);
  d.expect("tensormap::generic");
  bool acquires = d.take("acquire");
  if (!acquires)
    d.expect("release");
  if (d.takeOneOf({"cta", "cluster", "gpu", "sys"}) < 0)
    d.fail("expected a scope");
  if (!acquires)
    return d.handle(doNothing);
  d.address(Space::Generic);
  if (int64_t bytes = d.immediate(); bytes != 128)
    return d.fail("expected the 128 bytes of a tensor map, got " +
                  std::to_string(bytes));
  d.handle(acquireMap);
}

static void decodeFence(Decoding &d) {
  if (d.take("proxy"))
    return decodeProxy(d);
  if (d.take("mbarrier_init")) {
    d.expect("release");
    d.expect("cluster");
    return d.handle(fenceProxy);
  }
  d.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  if (d.takeOneOf({"cta", "cluster", "gpu", "sys"}) < 0)
    d.fail("expected a scope");
  d.handle(doNothing);
}

std::span<const Opcode> emulated::fenceOpcodes() {
  static constexpr Opcode opcodes[] = {{"fence", decodeFence}};
  return opcodes;
}
