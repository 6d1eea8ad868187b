//===- RoutineCall.h - Calls of routines that shared objects supply -------===//
//
// Interpreter and runtime call the same routines in the same way: the compiler
// describes a call in a line of JSON, which is read here once.
//
//   {"routine": "lapack_spotrf_ffi", "libraries": [], "inputs": 1,
//    "arrays": [{"type": "f32", "dims": [8, 8]}, ...],
//    "parameters": {"uplo": {"type": "ui8", "value": 76}}}
//
// A parameter has a `type` and a `value` (the bits of a number), a `type` and
// `values`, a `text`, or `members`, parameters by name.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_ROUTINECALL_H
#define TESSERA_SUPPORT_ROUTINECALL_H

#include "tessera/Support/CallFrame.h"
#include "tessera/Support/Fallible.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace tessera {

/// A routine that has been found, with everything of its call frame but the
/// memory of its operands and results.
class RoutineCall {
public:
  /// Reads `description` and finds the routine: `kHostCallback` is
  /// `hostCallback` unless that is null, others are in the libraries that it
  /// names, else in the one that comes with the project. Fails where
  /// `checkRoutineCall` does.
  static Fallible<std::unique_ptr<RoutineCall>>
  prepare(const std::string &description,
          TesseraRoutine hostCallback = nullptr);
  ~RoutineCall();

  /// Calls the routine on the memory of all operands, then of all results, with
  /// `context` in its frame. Fails with what the routine says. Several threads
  /// may do so at a time.
  Fallible<void> run(void *const *buffers, const void *context = nullptr) const;

  /// `visit` gets the frame by which the routine would be called on `buffers`.
  void visitFrame(void *const *buffers, const void *context,
                  const std::function<void(TesseraCallFrame *)> &visit) const;

  const std::string &name() const;
  /// How many operands it has, and the bytes of each operand and result.
  size_t operands() const;
  std::span<const size_t> bytes() const;

private:
  struct Contents;
  explicit RoutineCall(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents;
};

/// Whether the shared object at `path` supplies `routine`; fails if it cannot
/// be loaded.
Fallible<bool> suppliesRoutine(const std::string &path,
                               const std::string &routine);

/// The routine by which JAX calls functions of Python. `index` among the
/// parameters is the number of the function in its program.
inline constexpr const char *kHostCallback = "xla_ffi_python_cpu_callback";

/// The parameter of calls that have an effect: their last operand and result
/// are numbers of i32, the order of effects. Where the same call gets the same
/// number, it is to have its effect once; it gives the next number.
inline constexpr const char *kEffectParameter = "tessera.effect";

/// The name of the library of routines that comes with the project.
inline constexpr const char *kRoutineLibrary = "libtessera_routines.so";

} // namespace tessera

#endif // TESSERA_SUPPORT_ROUTINECALL_H
