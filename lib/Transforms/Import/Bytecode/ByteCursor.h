//===- ByteCursor.h - reading bytes that nobody vouches for ---------------===//
//
// Files come from anywhere. Nothing is read beyond their end, and no memory is
// taken for more things than there are bytes left to describe. The first thing
// that is wrong is remembered, and everything read behind it is zero, so that
// readers need not ask after each step whether it went well: only before they
// build something, and in loops.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_IMPORT_BYTECODE_BYTECURSOR_H
#define TESSERA_TRANSFORMS_IMPORT_BYTECODE_BYTECURSOR_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"

namespace tessera::importer {

/// Why a file cannot be read; the first reason given counts.
class ReadStatus {
public:
  bool ok() const { return reason.empty(); }
  void fail(const llvm::Twine &why) {
    if (!ok())
      return;
    reason = why.str();
    // Names in a damaged file are anything.
    for (char &each : reason)
      if (!llvm::isPrint(each))
        each = '?';
  }
  llvm::StringRef message() const { return reason; }

private:
  std::string reason;
};

/// Reads the primitives of MLIR's bytecode from left to right
/// (https://mlir.llvm.org/docs/BytecodeFormat).
class ByteCursor {
public:
  ByteCursor(llvm::StringRef bytes, ReadStatus &status)
      : rest(bytes), state(&status) {}

  bool ok() const { return state->ok(); }
  bool atEnd() const { return rest.empty(); }
  llvm::StringRef remaining() const { return rest; }
  ReadStatus &status() const { return *state; }

  /// The next `size` bytes.
  llvm::StringRef take(uint64_t size) {
    if (ok() && size > rest.size())
      state->fail("expected " + llvm::Twine(size) + " more bytes, got " +
                  llvm::Twine(rest.size()));
    if (!ok())
      return {};
    llvm::StringRef bytes = rest.take_front(size);
    rest = rest.drop_front(size);
    return bytes;
  }
  uint8_t byte() {
    llvm::StringRef one = take(1);
    return one.empty() ? 0 : uint8_t(one.front());
  }
  /// The bytes up to a zero, which is not among them.
  llvm::StringRef text() {
    size_t end = rest.find('\0');
    if (end == llvm::StringRef::npos)
      state->fail("expected a text that ends, got " + llvm::Twine(rest.size()) +
                  " bytes without a zero");
    llvm::StringRef bytes = take(end);
    take(1);
    return bytes;
  }

  /// A number whose first byte says, by its zero bits from the lowest, how many
  /// bytes follow.
  uint64_t number() {
    uint8_t first = byte();
    if (first & 1)
      return first >> 1;
    if (!ok())
      return 0;
    unsigned more = first ? llvm::countr_zero(first) : 8;
    llvm::StringRef bytes = take(more);
    if (bytes.empty())
      return 0;
    uint64_t value = 0;
    for (char each : llvm::reverse(bytes))
      value = value << 8 | uint8_t(each);
    return more == 8 ? value : (value << 8 | first) >> (more + 1);
  }
  /// A number whose lowest bit is its sign.
  int64_t signedNumber() {
    uint64_t value = number();
    return int64_t(value >> 1 ^ (~(value & 1) + 1));
  }
  /// A number that shares its lowest bit with `flag`.
  uint64_t flagged(bool &flag) {
    uint64_t value = number();
    flag = value & 1;
    return value >> 1;
  }
  /// How many of something follow, each of which takes a byte at least.
  uint64_t count() { return checked(number()); }
  uint64_t flaggedCount(bool &flag) { return checked(flagged(flag)); }

  /// As many numbers as the first one says.
  llvm::SmallVector<int64_t> signedNumbers() {
    llvm::SmallVector<int64_t> values;
    for (uint64_t i = 0, e = count(); i < e && ok(); ++i)
      values.push_back(signedNumber());
    return values;
  }

private:
  uint64_t checked(uint64_t count) {
    if (count <= rest.size())
      return count;
    state->fail("expected at most " + llvm::Twine(rest.size()) +
                " things in as many bytes, got " + llvm::Twine(count));
    return 0;
  }

  llvm::StringRef rest;
  ReadStatus *state;
};

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_BYTECODE_BYTECURSOR_H
