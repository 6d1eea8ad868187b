//===- ByteSize.h - sizes as people write them ----------------------------===//
#ifndef TESSERA_SUPPORT_BYTESIZE_H
#define TESSERA_SUPPORT_BYTESIZE_H

#include "tessera/Support/Fallible.h"

#include <cstdint>
#include <string_view>

namespace tessera {

/// The bytes that `text` says: `80GB` (powers of 1000), `512MiB` (of 1024),
/// `1.5 GB`, or without a unit a number of bytes, `80e9`. Fails where it is not
/// a size, or not one from 1 byte to 9e18.
Fallible<int64_t> parseByteSize(std::string_view text);

} // namespace tessera

#endif // TESSERA_SUPPORT_BYTESIZE_H
