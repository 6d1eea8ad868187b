//===- Checksum.h - Files that know whether they are whole ----------------===//
//
// A sealed file ends with twelve bytes: `tsxcrc32`, and the CRC-32 of all bytes
// before these as little-endian number. It is the CRC of zlib, gzip and PNG.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_CHECKSUM_H
#define TESSERA_SUPPORT_CHECKSUM_H

#include "tessera/Support/File.h"

namespace tessera {

/// The CRC-32 of some bytes whose CRC-32 is `before`, 0 for none, and of
/// `bytes` behind them.
uint32_t crc32(std::string_view bytes, uint32_t before = 0);

/// `contents` with a seal at the end.
std::string seal(std::string contents);

/// Succeeds if `contents` ends with the seal of what is before it. The failure
/// has no path.
Fallible<void> checkSeal(std::string_view contents);

/// The same for a file, which is read piece by piece. The failure begins with
/// the path.
Fallible<void> checkSeal(InputFile &file);

} // namespace tessera

#endif // TESSERA_SUPPORT_CHECKSUM_H
