//===- RoutineSignatures.h - What the project's routines read and write ---===//
#ifndef TESSERA_SUPPORT_ROUTINESIGNATURES_H
#define TESSERA_SUPPORT_ROUTINESIGNATURES_H

#include "tessera/Support/Fallible.h"

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

/// A routine of the library that comes with the project.
struct OwnRoutine {
  /// What it computes, under LAPACK's name for real matrices ("potrf",
  /// "orgqr"), or "fft".
  std::string_view family;
  /// LAPACK's for the element type: s (f32), d (f64), c and z (complex numbers
  /// of these).
  char letter;
};

/// The routine of that name; nothing for those of others.
std::optional<OwnRoutine> findOwnRoutine(std::string_view routine);

/// Checks a call, described as RoutineCall.h says: arrays and parameters are
/// those that the routine reads and writes, in number, type and shape. Of
/// others' routines nothing is known, and nothing is checked.
Fallible<void> checkRoutineCall(const std::string &description);

} // namespace tessera

#endif // TESSERA_SUPPORT_ROUTINESIGNATURES_H
