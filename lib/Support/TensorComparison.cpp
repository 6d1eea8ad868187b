//===- TensorComparison.cpp -----------------------------------------------===//

#include "tessera/Support/TensorComparison.h"

#include "tessera/Support/ElementDispatch.h"

#include <cmath>
#include <cstdio>
#include <limits>

using namespace tessera;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Reads a finite number >= 0 that `text` consists of.
static std::optional<double> parseBound(const std::string &text) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  bool whole = !text.empty() && *end == '\0' && !std::isspace(text[0]);
  if (!whole || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

Fallible<Tolerance> tessera::parseTolerance(const std::string &text) {
  size_t comma = text.find(',');
  std::optional<double> relative = parseBound(text.substr(0, comma));
  std::optional<double> absolute =
      comma == std::string::npos ? 0.0 : parseBound(text.substr(comma + 1));
  if (!relative || !absolute)
    return Failure{"expected a tolerance RTOL[,ATOL] of numbers >= 0, got '" +
                   text + "'"};
  return Tolerance{*relative, *absolute};
}

Tolerance Tolerance::of(ElementType type) const {
  // From 1 to the next number; of integers there are none between.
  double epsilon = type == ElementType::BF16  ? 0x1p-7
                   : type == ElementType::F16 ? 0x1p-10
                   : type == ElementType::F32 ? 0x1p-23
                   : type == ElementType::F64 ? 0x1p-52
                                              : 0;
  return {relative == 0 ? 0 : std::max(relative, epsilon), absolute};
}

/// |got - expected|, exact for integers up to the rounding to double.
template <typename T> static double distance(T got, T expected) {
  if constexpr (std::is_integral_v<T>)
    return got > expected
               ? static_cast<double>(static_cast<uint64_t>(got) -
                                     static_cast<uint64_t>(expected))
               : static_cast<double>(static_cast<uint64_t>(expected) -
                                     static_cast<uint64_t>(got));
  double a = elementToDouble(got), b = elementToDouble(expected);
  bool bothNan = std::isnan(a) && std::isnan(b);
  if (a == b || bothNan)
    return 0;
  double error = std::fabs(a - b);
  return std::isnan(error) ? infinity : error;
}

TensorDifference tessera::compareTensors(const HostTensor &got,
                                         const HostTensor &expected) {
  assert(got.type() == expected.type() && got.shape() == expected.shape());
  TensorDifference difference;
  dispatchElementType(got.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::span<const T> left = got.elements<T>(), right = expected.elements<T>();
    for (size_t i = 0; i < left.size(); ++i) {
      double a = elementToDouble(left[i]), b = elementToDouble(right[i]);
      difference.nanMismatches += std::isnan(a) != std::isnan(b);
      difference.nanMatches += std::isnan(a) && std::isnan(b);
      if (std::isfinite(b))
        difference.largestMagnitude =
            std::max(difference.largestMagnitude, std::fabs(b));
      double error = distance(left[i], right[i]);
      if (error <= difference.largestError)
        continue;
      difference.largestError = error;
      difference.worstIndex = static_cast<int64_t>(i);
      difference.expectedThere = b;
      difference.gotThere = a;
    }
  });
  return difference;
}

double TensorDifference::relativeError() const {
  if (largestError == 0)
    return 0;
  return largestMagnitude == 0 ? infinity : largestError / largestMagnitude;
}

bool TensorDifference::within(const Tolerance &tolerance) const {
  return largestError <=
         tolerance.relative * largestMagnitude + tolerance.absolute;
}

/// `[1, 2, 0]`: the coordinates of a row-major index.
static std::string describeIndex(int64_t index, const Shape &shape) {
  std::string text;
  for (size_t dim = shape.size(); dim-- > 0;) {
    text =
        std::to_string(index % shape[dim]) + (text.empty() ? "" : ", ") + text;
    index /= shape[dim];
  }
  return "[" + text + "]";
}

std::string TensorDifference::describe(const Tolerance &tolerance,
                                       const Shape &shape) const {
  char text[128];
  std::snprintf(text, sizeof text, "largest error %.3g relative, %.3g absolute",
                relativeError(), largestError);
  std::string description = text;
  if (!within(tolerance)) {
    std::snprintf(text, sizeof text, " at %%s: expected %.9g, got %.9g",
                  expectedThere, gotThere);
    std::string where = text;
    where.replace(where.find("%s"), 2, describeIndex(worstIndex, shape));
    description += where;
  }
  if (nanMismatches)
    description += ", NaN on one side only in " +
                   std::to_string(nanMismatches) + " elements";
  if (nanMatches)
    description +=
        ", NaN on both sides in " + std::to_string(nanMatches) + " elements";
  return description;
}
