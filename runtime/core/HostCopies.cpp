//===- HostCopies.cpp - copies to the host's arena and back ---------------===//
//
// Of ranks that compute on the host, whose arena there is a second one: a copy
// is made when it is started, or, every second one, when it is awaited, so that
// what must not depend on it is seen not to. On a described machine it takes
// the time of the link, behind the copies before it in its direction.
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

using namespace tessera;
using namespace tessera::runtime;

void TesseraContext::HostCopy::move() {
  if (std::exchange(isPending, false))
    std::memcpy(target, source, static_cast<size_t>(bytes));
}

/// When a copy that starts now has ended.
int64_t TesseraContext::reserveHostLink(bool isThere, int64_t bytes) {
  if (hostBandwidth <= 0)
    return 0;
  double seconds = hostLatency + static_cast<double>(bytes) / hostBandwidth;
  int64_t &free = hostFree[isThere];
  free = std::max(free, clock()) +
         static_cast<int64_t>(std::llround(1e9 * std::min(seconds, 2.6e6)));
  return free;
}

int32_t TesseraContext::offload(const void *source, int64_t offset,
                                int64_t bytes, int32_t future,
                                const TesseraSite *where) {
  return copyToHostOrBack("offload", {source, nullptr, bytes}, offset, future,
                          where);
}

int32_t TesseraContext::reload(int64_t offset, void *target, int64_t bytes,
                               int32_t future, const TesseraSite *where) {
  return copyToHostOrBack("reload", {nullptr, target, bytes}, offset, future,
                          where);
}

int32_t TesseraContext::copyToHostOrBack(const char *name, HostCopy copy,
                                         int64_t offset, int32_t number,
                                         const TesseraSite *where) {
  if (!beginCommunication(name, where))
    return TESSERA_FAILED;
  Future *future = number == -1 ? nullptr : findFuture(number);
  if (number != -1 && (!future || future->kind))
    return fail(name, *site,
                "expected a future that is free, got " +
                    std::to_string(number));
  if (copy.bytes < 0 || offset < 0 || offset > hostBytes - copy.bytes)
    return fail(name, *site,
                "expected bytes inside of the host's arena of " +
                    std::to_string(hostBytes) + ", got " +
                    std::to_string(copy.bytes) + " from byte " +
                    std::to_string(offset) + " on");
  bool isThere = !copy.target;
  if (isThere)
    copy.target = hostArena + offset;
  else
    copy.source = hostArena + offset;
  copy.end = reserveHostLink(isThere, copy.bytes);
  copy.isPending = !kernelTimes;
  Range read(copy.source, copy.bytes), written(copy.target, copy.bytes);
  if (!future) {
    if (guards)
      if (int32_t status =
              judge(guards->before({{read}}, {{written}}), name, *site))
        return status;
    awaitHostCopy(copy);
    return guards ? judge(guards->after({{written}}, {name, site}), name, *site)
                  : 0;
  }
  if (guards)
    if (int32_t status = judge(
            guards->start(number, {{read}}, {{written}}, {name, site.load()}),
            name, *site))
      return status;
  if (hostCopies++ % 2 == 0)
    copy.move();
  *future = {name, site.load(), 0, {}, copy};
  return TESSERA_OK;
}

void TesseraContext::awaitHostCopy(HostCopy &copy) {
  copy.move();
  constexpr int64_t slice = 10'000'000;
  auto left = [&] { return copy.end > 0 ? copy.end - clock() : 0; };
  if (kernelTimes) {
    if (left() > 0)
      backend->compute(world, rank, left());
    return;
  }
  while (!mustStop() && left() > 0)
    std::this_thread::sleep_for(
        std::chrono::nanoseconds(std::min(left(), slice)));
}

int32_t TesseraContext::finishHostCopy(int32_t number, Future started,
                                       const TesseraSite *where) {
  if (!beginCommunication(started.kind, where))
    return TESSERA_FAILED;
  awaitHostCopy(*started.copy);
  return guards ? judge(guards->wait(number), started.kind, *site) : 0;
}
