//===- Quantities.h - bytes and seconds for people ------------------------===//
#ifndef TESSERA_DRIVER_QUANTITIES_H
#define TESSERA_DRIVER_QUANTITIES_H

#include <cstdint>
#include <string>

namespace tessera {

/// `384 B`, `12.3 kB`, `4.57 MB`: three digits, in powers of 1000.
std::string formatBytes(int64_t bytes);

/// `12.3 us`, `4.57 ms`: three digits.
std::string formatSeconds(double seconds);

} // namespace tessera

#endif // TESSERA_DRIVER_QUANTITIES_H
