//===- ByteSize.cpp - sizes as people write them --------------------------===//

#include "tessera/Support/ByteSize.h"

#include <charconv>
#include <cmath>

using namespace tessera;

/// The bytes of the unit that `name` spells, in small or capital letters; 0 for
/// none.
static double bytesOfUnit(std::string_view name) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
  if (name.empty() || (name.size() == 1 && lower(name[0]) == 'b'))
    return 1;
  constexpr std::string_view kPrefixes = "kmgt";
  size_t power = kPrefixes.find(lower(name[0]));
  bool isBinary = name.size() == 3 && lower(name[1]) == 'i';
  if (power == std::string_view::npos || name.size() != (isBinary ? 3 : 2) ||
      lower(name.back()) != 'b')
    return 0;
  return std::pow(isBinary ? 1024.0 : 1000.0, power + 1);
}

Fallible<int64_t> tessera::parseByteSize(std::string_view text) {
  Failure failure{"expected a size such as 80GB or 512MiB, got '" +
                  std::string(text) + "'"};
  double value = 0;
  auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc())
    return failure;
  std::string_view unit(rest, text.data() + text.size() - rest);
  while (!unit.empty() && unit.front() == ' ')
    unit.remove_prefix(1);
  double bytes = value * bytesOfUnit(unit);
  if (!(bytes >= 1 && bytes <= 9e18))
    return failure;
  return int64_t(bytes);
}
