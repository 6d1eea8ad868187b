//===- Futex.h - Waiting for a number to change ---------------------------===//

#ifndef TESSERA_RUNTIME_CORE_FUTEX_H
#define TESSERA_RUNTIME_CORE_FUTEX_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tessera::runtime {

/// A counter that threads can wait on. A waiter reads the counter, looks
/// whether what it waits for has happened, and if not waits for the counter to
/// move on; who makes things happen does so first and then calls `signal`. So
/// no wake-up is lost. std::atomic::wait would do but for time-outs.
class Signal {
public:
  uint32_t read() const { return count.load(std::memory_order_acquire); }

  /// Moves the counter and wakes all waiters.
  void signal() {
    count.fetch_add(1);
    if (waiters.load() == 0)
      return;
    syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr,
            0);
  }

  /// Returns when the counter is not `seen` any more, or the time is over, or
  /// for no reason.
  void wait(uint32_t seen, std::optional<std::chrono::nanoseconds> limit = {}) {
    timespec time;
    if (limit) {
      time.tv_sec = limit->count() / 1'000'000'000;
      time.tv_nsec = limit->count() % 1'000'000'000;
    }
    // Either `signal` sees the waiter, or the system sees the moved counter.
    waiters.fetch_add(1);
    syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, seen,
            limit ? &time : nullptr, nullptr, 0);
    waiters.fetch_sub(1);
  }

private:
  std::atomic<uint32_t> count = 0;
  std::atomic<int32_t> waiters = 0;
  static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));
};

/// Tells the processor that the thread spins.
inline void spinPause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until `done()` or some ten microseconds have gone; whether it is done.
template <typename Done> bool spinUntil(Done done) {
  for (int i = 0; i < 400; ++i) {
    if (done())
      return true;
    spinPause();
  }
  return false;
}

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_FUTEX_H
