//===- Printing.h - Shardings as text in tests ----------------------------===//
#ifndef TESSERA_TEST_UNIT_SHARDING_PRINTING_H
#define TESSERA_TEST_UNIT_SHARDING_PRINTING_H

#include "tessera/Sharding/Algebra/TensorSharding.h"

#include "llvm/Support/raw_ostream.h"

#include <ostream>
#include <string>

namespace tessera {

/// What `value` prints.
template <typename T> std::string toString(const T &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value;
  return text;
}

/// `{"x", "y"}`.
inline std::string toString(const AxisList &axes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printAxes(os, axes);
  return text;
}

// GoogleTest prints operands of failed comparisons through these.
inline void PrintTo(const AxisRef &axis, std::ostream *os) {
  *os << toString(axis);
}
inline void PrintTo(const TensorSharding &sharding, std::ostream *os) {
  *os << toString(sharding);
}

} // namespace tessera

#endif // TESSERA_TEST_UNIT_SHARDING_PRINTING_H
