//===- PtxLexer.cpp -------------------------------------------------------===//

#include "ptx/PtxLexer.h"

#include <bit>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string>

using namespace tessera;
using namespace tessera::emulated;

static bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

/// The end of the word that begins at `at`: a double colon belongs to it
/// (`.shared::cta`), a single one does not (labels).
static size_t endOfWord(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (isWordCharacter(text[at]))
      ++at;
    else if (text.substr(at, 2) == "::")
      at += 2;
    else
      break;
  }
  return at;
}

/// The end of blanks and comments that begin at `at`; counts lines.
static size_t skipBlanks(std::string_view text, size_t at, uint32_t &line) {
  while (at < text.size()) {
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      size_t end = std::min(text.find("*/", at + 2), text.size());
      for (; at < end; ++at)
        line += text[at] == '\n';
      at = std::min(end + 2, text.size());
    } else if (std::isspace(static_cast<unsigned char>(text[at]))) {
      line += text[at++] == '\n';
    } else {
      break;
    }
  }
  return at;
}

std::vector<Token> emulated::tokenize(std::string_view text) {
  // A C string may come with its final zero.
  text = text.substr(0, text.find('\0'));
  std::vector<Token> tokens;
  uint32_t line = 1;
  for (size_t at = skipBlanks(text, 0, line); at < text.size();
       at = skipBlanks(text, at, line)) {
    char first = text[at];
    if (first == '"') {
      size_t end = std::min(text.find('"', at + 1), text.size());
      tokens.push_back(
          {Token::Kind::String, text.substr(at + 1, end - at - 1), line});
      at = std::min(end + 1, text.size());
    } else if (isWordCharacter(first)) {
      size_t end = endOfWord(text, at);
      // The exponent's sign of a decimal float: `1.0e-5`.
      if (std::isdigit(static_cast<unsigned char>(first)) && first != '0' &&
          end < text.size() && (text[end] == '-' || text[end] == '+') &&
          (text[end - 1] == 'e' || text[end - 1] == 'E'))
        end = endOfWord(text, end + 1);
      bool number = std::isdigit(static_cast<unsigned char>(first));
      tokens.push_back({number ? Token::Kind::Number : Token::Kind::Word,
                        text.substr(at, end - at), line});
      at = end;
    } else {
      tokens.push_back({Token::Kind::Punctuation, text.substr(at, 1), line});
      ++at;
    }
  }
  tokens.push_back({Token::Kind::End, {}, line});
  return tokens;
}

/// All of `text` as digits of `base`.
static std::optional<uint64_t> parseDigits(std::string_view text, int base) {
  uint64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<Number> emulated::parseNumber(std::string_view text) {
  auto integer = [](std::optional<uint64_t> value, unsigned floatBytes = 0) {
    return value ? std::optional<Number>({*value, floatBytes}) : std::nullopt;
  };
  if (text.size() > 2 && text[0] == '0') {
    char prefix = text[1];
    if ((prefix == 'f' || prefix == 'F') && text.size() == 10)
      return integer(parseDigits(text.substr(2), 16), 4);
    if ((prefix == 'd' || prefix == 'D') && text.size() == 18)
      return integer(parseDigits(text.substr(2), 16), 8);
  }
  if (text.find('.') != std::string_view::npos) {
    std::string copy(text);
    char *end = nullptr;
    double value = std::strtod(copy.c_str(), &end);
    if (*end)
      return std::nullopt;
    return Number{std::bit_cast<uint64_t>(value), 8};
  }
  if (!text.empty() && (text.back() == 'U' || text.back() == 'u'))
    text.remove_suffix(1);
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return integer(parseDigits(text.substr(2), 16));
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
    return integer(parseDigits(text.substr(2), 2));
  if (text.size() > 1 && text[0] == '0')
    return integer(parseDigits(text.substr(1), 8));
  return integer(parseDigits(text, 10));
}
