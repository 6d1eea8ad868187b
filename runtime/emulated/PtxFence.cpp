//===- PtxFence.cpp - fence -----------------------------------------------===//

#include "PtxAsync.h"

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
  if (acquires) {
    d.address(Space::Generic);
    d.immediate(); // The size, always that of a tensor map.
  }
  d.handle(doNothing);
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
