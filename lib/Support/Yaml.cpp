//===- Yaml.cpp - The part of YAML that descriptions are written in -------===//
//
// One pass over the characters. A block's indentation is the column of its
// first token, so `- name: x` needs no case of its own: the mapping begins
// behind the dash.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/Yaml.h"

#include <algorithm>

using namespace tessera;

const YamlNode *YamlNode::find(std::string_view key) const {
  auto found = std::ranges::find_if(
      entries, [&](const YamlEntry &entry) { return entry.key.text == key; });
  return found == entries.end() ? nullptr : &found->value;
}

namespace {

/// Deeper nesting is an error, not an overflow of the stack.
constexpr unsigned depthLimit = 64;

class YamlReader {
public:
  YamlReader(std::string_view text, TextError &error)
      : text(text), error(error) {}

  std::optional<YamlNode> document();

private:
  /// What follows ends the line, for a scalar or a mark.
  static bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
  }
  char peek(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }
  bool isAtEnd() const { return at >= text.size(); }
  unsigned column() const { return static_cast<unsigned>(at - lineStart) + 1; }
  void advance() {
    if (text[at++] == '\n') {
      ++line;
      lineStart = at;
    }
  }
  /// The mark `c` of a block: a dash, a colon.
  bool isMark(char c) const { return peek() == c && isSpace(peek(1)); }

  bool fail(std::string message) {
    if (error.message.empty())
      error = {std::move(message), line, column()};
    return false;
  }
  YamlNode begin() const {
    YamlNode node;
    node.line = line;
    node.column = column();
    return node;
  }

  /// To the next token, over spaces, ends of lines and comments.
  bool skip();
  bool endLine();
  bool block(YamlNode &node, unsigned depth);
  bool blockSequence(YamlNode &node, unsigned depth);
  bool blockMapping(YamlNode &node, YamlNode first, unsigned depth);
  bool blockValue(YamlNode &node, unsigned indent, bool dashesToo,
                  unsigned depth);
  bool flow(YamlNode &node, unsigned depth);
  bool scalar(YamlNode &node, bool isInFlow);
  bool quoted(YamlNode &node);
  bool addEntry(YamlNode &node, YamlNode key, YamlNode value);

  std::string_view text;
  TextError &error;
  size_t at = 0, lineStart = 0;
  unsigned line = 1;
};

} // namespace

bool YamlReader::skip() {
  while (!isAtEnd()) {
    // Only what lines begin with is measured in columns.
    if (peek() == '\t' &&
        text.substr(lineStart, at - lineStart).find_first_not_of(' ') ==
            text.npos)
      return fail("expected spaces, got a tab");
    if (peek() == '#' && (at == lineStart || isSpace(text[at - 1])))
      while (!isAtEnd() && peek() != '\n')
        advance();
    else if (isSpace(peek()) && peek() != '\0')
      advance();
    else
      return true;
  }
  return true;
}

std::optional<YamlNode> YamlReader::document() {
  if (!skip())
    return std::nullopt;
  if (text.substr(at).starts_with("---") && isSpace(peek(3))) {
    at += 3;
    if (!skip())
      return std::nullopt;
  }
  YamlNode node = begin();
  if (isAtEnd() || !block(node, 0) || !skip())
    return std::nullopt;
  if (text.substr(at).starts_with("...") && isSpace(peek(3))) {
    at += 3;
    if (!skip())
      return std::nullopt;
  }
  if (isAtEnd())
    return node;
  fail("expected the end of the text, or the next key in its column");
  return std::nullopt;
}

/// Behind a value that is no block itself: to the next token, on a later line.
bool YamlReader::endLine() {
  unsigned valueLine = line;
  if (!skip())
    return false;
  return isAtEnd() || line > valueLine || fail("expected the end of the line");
}

/// Reads what begins at the next token: a sequence if that is a dash, a mapping
/// if a colon follows the scalar, else a scalar or what is in brackets.
bool YamlReader::block(YamlNode &node, unsigned depth) {
  if (depth > depthLimit)
    return fail("expected less nesting");
  node = begin();
  if (isMark('-'))
    return blockSequence(node, depth);
  if (peek() == '{' || peek() == '[')
    return flow(node, depth) && endLine();
  YamlNode first = node;
  if (!scalar(first, /*isInFlow=*/false))
    return false;
  if (isMark(':'))
    return blockMapping(node, std::move(first), depth);
  node = std::move(first);
  return endLine();
}

bool YamlReader::blockSequence(YamlNode &node, unsigned depth) {
  node.kind = YamlNode::Kind::Sequence;
  while (!isAtEnd() && column() == node.column && isMark('-')) {
    advance();
    if (!blockValue(node.items.emplace_back(), node.column,
                    /*dashesToo=*/false, depth))
      return false;
  }
  return true;
}

bool YamlReader::addEntry(YamlNode &node, YamlNode key, YamlNode value) {
  if (node.find(key.text)) {
    error = {"expected different keys, got '" + key.text + "' twice", key.line,
             key.column};
    return false;
  }
  node.entries.push_back({std::move(key), std::move(value)});
  return true;
}

bool YamlReader::blockMapping(YamlNode &node, YamlNode first, unsigned depth) {
  node.kind = YamlNode::Kind::Mapping;
  for (YamlNode key = std::move(first);;) {
    advance(); // The colon.
    YamlNode value;
    if (!blockValue(value, node.column, /*dashesToo=*/true, depth) ||
        !addEntry(node, std::move(key), std::move(value)))
      return false;
    if (isAtEnd() || column() != node.column ||
        (column() == 1 && text.substr(at).starts_with("...")))
      return true;
    key = begin();
    if (!scalar(key, /*isInFlow=*/false))
      return false;
    if (!isMark(':'))
      return fail("expected ':' behind the key '" + key.text + "'");
  }
}

/// Reads the value behind a mark of a block whose column is `indent`: on the
/// same line, or on lines that are indented more (dashes of a mapping's value
/// may stand in its own column). Ends at the next token.
bool YamlReader::blockValue(YamlNode &node, unsigned indent, bool dashesToo,
                            unsigned depth) {
  unsigned markLine = line;
  node = begin();
  if (!skip())
    return false;
  bool isHere =
      !isAtEnd() && (line == markLine || column() > indent ||
                     (dashesToo && column() == indent && isMark('-')));
  if (!isHere)
    return true;
  return block(node, depth + 1);
}

/// Reads what is in brackets, or a scalar in such; ends behind it. Entries are
/// separated by commas, of which one may stand before the closing bracket.
bool YamlReader::flow(YamlNode &node, unsigned depth) {
  if (depth > depthLimit)
    return fail("expected less nesting");
  node = begin();
  if (peek() != '{' && peek() != '[')
    return scalar(node, /*isInFlow=*/true);
  bool isMapping = peek() == '{';
  char close = isMapping ? '}' : ']';
  node.kind = isMapping ? YamlNode::Kind::Mapping : YamlNode::Kind::Sequence;
  advance();
  while (skip() && peek() != close) {
    YamlNode item;
    if (!flow(item, depth + 1) || !skip())
      return false;
    if (isMapping) {
      if (item.kind != YamlNode::Kind::Scalar || peek() != ':')
        return fail("expected ':' behind a key");
      advance();
      YamlNode value;
      if (!skip() || !flow(value, depth + 1) || !skip() ||
          !addEntry(node, std::move(item), std::move(value)))
        return false;
    } else {
      node.items.push_back(std::move(item));
    }
    if (peek() == ',')
      advance();
    else if (peek() != close)
      return fail(std::string("expected ',' or '") + close + "'");
  }
  if (!error.message.empty())
    return false;
  advance();
  return true;
}

bool YamlReader::quoted(YamlNode &node) {
  char quote = peek();
  unsigned first = line;
  for (advance(); !isAtEnd() && line == first; advance()) {
    if (peek() == '\\' && quote == '"')
      return fail("expected no escape in a quoted text");
    if (peek() != quote) {
      node.text += peek();
    } else if (quote == '\'' && peek(1) == '\'') {
      node.text += quote;
      advance();
    } else {
      advance();
      return true;
    }
  }
  error = {std::string("expected a closing ") + quote, node.line, node.column};
  return false;
}

bool YamlReader::scalar(YamlNode &node, bool isInFlow) {
  if (peek() == '"' || peek() == '\'')
    return quoted(node);
  if (std::string_view("&*!|>%@`,]}").find(peek()) != std::string_view::npos)
    return fail(std::string("expected a name or a value, got '") + peek() +
                "'");
  while (!isAtEnd() && peek() != '\n' && !isMark(':') &&
         !(peek() == '#' && isSpace(text[at - 1]))) {
    if (isInFlow &&
        std::string_view(",[]{}:").find(peek()) != std::string_view::npos)
      break;
    node.text += peek();
    advance();
  }
  node.text.erase(node.text.find_last_not_of(" \r\t") + 1);
  return !node.text.empty() || fail("expected a name or a value");
}

std::optional<YamlNode> tessera::parseYaml(std::string_view text,
                                           TextError &error) {
  error = TextError();
  std::optional<YamlNode> node = YamlReader(text, error).document();
  return error.message.empty() ? node : std::nullopt;
}
