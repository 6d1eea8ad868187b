//===- Quantities.cpp -----------------------------------------------------===//

#include "tessera/Support/Quantities.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

using namespace tessera;

namespace {
/// A number and the unit behind it.
struct Quantity {
  double number;
  std::string_view unit;
};
} // namespace

static std::string_view trim(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

/// Takes the number at the beginning of `text` apart from the rest; nothing
/// where there is none that is finite.
static std::optional<Quantity> splitQuantity(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+'))
    text.remove_prefix(1);
  double number = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number))
    return std::nullopt;
  return Quantity{number, trim(text.substr(end - text.data()))};
}

/// What a prefix multiplies with: `k`, `M`, ... or, with an `i`, `Ki`, `Mi`,
/// ...; 1 for none. Nothing for other text.
static std::optional<double> parsePrefix(std::string_view prefix) {
  if (prefix.empty())
    return 1;
  constexpr std::string_view kPrefixes = "kMGTP";
  size_t power = prefix[0] == 'K' ? 0 : kPrefixes.find(prefix[0]);
  if (power == kPrefixes.npos ||
      (prefix.size() > 1 && prefix != "Ki" && prefix.substr(1) != "i"))
    return std::nullopt;
  return std::pow(prefix.size() > 1 ? 1024. : 1000., power + 1);
}

static Failure expected(const std::string &what, std::string_view got) {
  return Failure{"expected " + what + ", got '" + std::string(got) + "'"};
}

Fallible<int64_t> tessera::parseBytes(std::string_view text) {
  Failure failure = expected("a size like 80000000000, 80GB or 512MiB", text);
  // Exact where doubles are not.
  int64_t whole = 0;
  std::string_view digits = trim(text);
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (error == std::errc() && end == digits.data() + digits.size() &&
      whole >= 1)
    return whole;
  std::optional<Quantity> quantity = splitQuantity(text);
  if (!quantity)
    return failure;
  if (quantity->unit.ends_with('B'))
    quantity->unit.remove_suffix(1);
  std::optional<double> factor = parsePrefix(quantity->unit);
  double bytes = factor ? quantity->number * *factor : NAN;
  if (!(bytes >= 1 && bytes < 9.2e18))
    return failure;
  return static_cast<int64_t>(std::llround(bytes));
}

Fallible<double> tessera::parseTime(std::string_view text, double unit) {
  std::optional<Quantity> quantity = splitQuantity(text);
  if (!quantity)
    return expected("a time like 20us, 1.5ms or 60s", text);
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3},
      {"s", 1},     {"min", 60},  {"h", 3600}};
  if (quantity->unit.empty())
    return quantity->number;
  for (auto [name, seconds] : kUnits)
    if (quantity->unit == name)
      return quantity->number * (seconds / unit);
  return expected("a time like 20us, 1.5ms or 60s", text);
}

Fallible<double> tessera::parseRate(std::string_view text) {
  Failure failure = expected("a rate like 450e9, 450GB/s or 989TFLOP/s", text);
  std::optional<Quantity> quantity = splitQuantity(text);
  if (!quantity)
    return failure;
  std::string_view unit = quantity->unit;
  for (std::string_view end : {"FLOP/s", "FLOPS", "B/s"})
    if (unit.ends_with(end)) {
      unit.remove_suffix(end.size());
      break;
    }
  std::optional<double> factor = parsePrefix(unit);
  if (!factor)
    return failure;
  return quantity->number * *factor;
}
