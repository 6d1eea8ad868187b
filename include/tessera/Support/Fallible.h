//===- Fallible.h - A value or a message that says why there is none ------===//
//
// The error type of the parts that do not use LLVM (tensor files, the runtime).
// A failure is one line of text, fit to be printed after `error: `: lower case,
// no full stop.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_FALLIBLE_H
#define TESSERA_SUPPORT_FALLIBLE_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tessera {

/// Why something could not be done.
struct Failure {
  std::string message;
};

/// Either a `T` or the failure that took its place. Converts to true when it
/// holds a value.
template <typename T> class [[nodiscard]] Fallible {
public:
  Fallible(T value) : state(std::move(value)) {}
  Fallible(Failure failure) : state(std::move(failure)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state); }

  /// The value; only when there is one.
  T &operator*() & { return value(); }
  const T &operator*() const & { return const_cast<Fallible *>(this)->value(); }
  T &&operator*() && { return std::move(value()); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &**this; }

  /// The reason; only when there is no value.
  const std::string &message() const {
    assert(!*this && "asked a success for its error message");
    return std::get<Failure>(state).message;
  }

  /// The failure, to hand on to a caller with another value type.
  Failure failure() const { return Failure{message()}; }

private:
  T &value() {
    assert(*this && "took the value of a failure");
    return std::get<T>(state);
  }
  std::variant<T, Failure> state;
};

/// Success without a value, or a failure.
template <> class [[nodiscard]] Fallible<void> {
public:
  Fallible() = default;
  Fallible(Failure failure) : reason(std::move(failure)) {}

  explicit operator bool() const { return !reason; }

  /// The reason; only on failure.
  const std::string &message() const {
    assert(reason && "asked a success for its error message");
    return reason->message;
  }
  Failure failure() const { return Failure{message()}; }

private:
  std::optional<Failure> reason;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_FALLIBLE_H
