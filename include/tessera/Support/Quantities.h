//===- Quantities.h - Sizes and times as people write them ----------------===//

#ifndef TESSERA_SUPPORT_QUANTITIES_H
#define TESSERA_SUPPORT_QUANTITIES_H

#include "tessera/Support/Fallible.h"

#include <cstdint>
#include <string_view>

namespace tessera {

/// A number of bytes, at least 1: `80000000000`, `80e9`, `80GB` (powers of
/// 1000: kB, MB, GB, TB, PB), `1.5GiB` (powers of 1024: KiB to PiB). Without
/// `B` the same; a space before the unit is allowed. Failures say what was
/// expected.
Fallible<int64_t> parseBytes(std::string_view text);

/// A time in units of `unit` seconds: `20us`, `1.5 ms`, `3ns`, `60s`, `5min`,
/// `1h`, or a plain number of them. Negative ones are for the caller to refuse.
Fallible<double> parseTime(std::string_view text, double unit = 1);

/// Something per second: bytes (`450GB/s`, `12.5GiB/s`),
/// operations (`989T`, `989TFLOP/s`), or a plain number.
/// Negative ones are for the caller to refuse.
Fallible<double> parseRate(std::string_view text);

} // namespace tessera

#endif // TESSERA_SUPPORT_QUANTITIES_H
