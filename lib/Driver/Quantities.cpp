//===- Quantities.cpp - bytes and seconds for people ----------------------===//

#include "Quantities.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

/// `value` with three digits in the largest of `units` (steps of 1000) that
/// keeps it at 1 or more.
static std::string format(double value, llvm::ArrayRef<llvm::StringRef> units) {
  size_t unit = 0;
  // 999.5 would be printed as 1000.
  while (unit + 1 < units.size() && value >= 999.5) {
    value /= 1000;
    ++unit;
  }
  std::string text;
  int digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  llvm::raw_string_ostream(text)
      << llvm::format("%.*f ", digits, value) << units[unit];
  return text;
}

std::string tessera::formatBytes(int64_t bytes) {
  if (bytes < 1000)
    return std::to_string(bytes) + " B";
  return format(bytes / 1e3, {"kB", "MB", "GB", "TB"});
}

std::string tessera::formatSeconds(double seconds) {
  return format(seconds * 1e9, {"ns", "us", "ms", "s"});
}
