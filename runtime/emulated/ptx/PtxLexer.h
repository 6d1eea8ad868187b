//===- PtxLexer.h - PTX text as tokens ------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_PTX_PTXLEXER_H
#define TESSERA_RUNTIME_EMULATED_PTX_PTXLEXER_H

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::emulated {

/// A word (`ld.global.b32`, `%tid.x`, `.reg`, `$L__BB0_1`, `0x10`), a string
/// without its quotes, or one punctuation character.
struct Token {
  enum class Kind { Word, Number, String, Punctuation, End };
  Kind kind = Kind::End;
  std::string_view text;
  uint32_t line = 0;

  bool is(std::string_view other) const {
    return kind != Kind::String && text == other;
  }
};

/// The tokens of `text`, comments left out, ended by one of kind `End`.
std::vector<Token> tokenize(std::string_view text);

/// A numeric literal: `12`, `-3` has none (the sign is punctuation), `0x1F`,
/// `017`, `0b11`, `1.5e3`, `0f3F800000`, `0d3FF0000000000000`.
struct Number {
  uint64_t bits;
  /// 0 for integers, otherwise 4 or 8.
  unsigned floatBytes;
};
std::optional<Number> parseNumber(std::string_view text);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTX_PTXLEXER_H
