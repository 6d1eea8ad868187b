//===- Checksum.cpp -------------------------------------------------------===//

#include "tessera/Support/Checksum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

using namespace tessera;

static_assert(std::endian::native == std::endian::little,
              "words of a file are read without conversion");

/// How many bytes are looked up at a time.
static constexpr int kSlices = 8;

using Tables = std::array<std::array<uint32_t, 256>, kSlices>;

/// By byte, what it adds to the remainder; in table i with i zero bytes behind
/// it ("slicing by 8", Kounavis and Berry, A Systematic Approach to Building
/// High Performance Software-Based CRC Generators, 2005).
static constexpr Tables makeTables() {
  constexpr uint32_t kPolynomial = 0xedb88320; // Its lowest term first.
  Tables tables = {};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit)
      rest = rest >> 1 ^ (rest & 1 ? kPolynomial : 0);
    tables[0][byte] = rest;
  }
  for (int slice = 1; slice < kSlices; ++slice)
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t rest = tables[slice - 1][byte];
      tables[slice][byte] = rest >> 8 ^ tables[0][rest & 255];
    }
  return tables;
}

uint32_t tessera::crc32(std::string_view bytes, uint32_t before) {
  static constexpr Tables kTables = makeTables();
  uint32_t rest = ~before;
  for (; bytes.size() >= kSlices; bytes.remove_prefix(kSlices)) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= rest;
    rest = 0;
    for (int i = 0; i < kSlices; ++i)
      rest ^= kTables[kSlices - 1 - i][word >> 8 * i & 255];
  }
  for (unsigned char byte : bytes)
    rest = rest >> 8 ^ kTables[0][(rest ^ byte) & 255];
  return ~rest;
}

static constexpr std::string_view kMagic = "tsxcrc32";
static constexpr size_t kSealSize = kMagic.size() + sizeof(uint32_t);

/// The seal of bytes with this CRC-32.
static std::string makeSeal(uint32_t crc) {
  std::string text(kMagic);
  return text.append(reinterpret_cast<const char *>(&crc), sizeof crc);
}

std::string tessera::seal(std::string contents) {
  return contents.append(makeSeal(crc32(contents)));
}

/// Compares the seal at the end of a file with that of its contents.
static Fallible<void> compareSeals(std::string_view got, uint32_t crc) {
  if (!got.starts_with(kMagic))
    return Failure{"damaged or of another version: expected a checksum at the "
                   "end of the file, got none"};
  if (got == makeSeal(crc))
    return {};
  return Failure{"damaged: the checksum at the end of the file is not that of "
                 "what is before it"};
}

Fallible<void> tessera::checkSeal(std::string_view contents) {
  size_t size = contents.size() - std::min(contents.size(), kSealSize);
  return compareSeals(contents.substr(size), crc32(contents.substr(0, size)));
}

Fallible<void> tessera::checkSeal(InputFile &file) {
  constexpr uint64_t kPiece = 1 << 18;
  uint64_t size = file.size() - std::min<uint64_t>(file.size(), kSealSize);
  if (Fallible<void> found = file.seek(0); !found)
    return found;
  uint32_t crc = 0;
  std::string piece;
  for (uint64_t at = 0; at < size; at += piece.size()) {
    piece.resize(std::min(kPiece, size - at));
    if (Fallible<void> read = file.read(piece.data(), piece.size()); !read)
      return read;
    crc = crc32(piece, crc);
  }
  std::string end(file.size() - size, '\0');
  if (Fallible<void> read = file.read(end.data(), end.size()); !read)
    return read;
  Fallible<void> same = compareSeals(end, crc);
  return same ? same : Fallible<void>(file.failure(same.message()));
}
