//===- PathPattern.cpp - which names a rule is about ----------------------===//

#include "PathPattern.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::importer;

Path tessera::importer::splitPath(llvm::StringRef name) {
  Path path(1);
  int depth = 0; // Of braces, which hold the alternatives of one component.
  for (char c : name) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth <= 0 && llvm::StringRef("[]'\"./").contains(c)) {
      if (!path.back().empty())
        path.emplace_back();
    } else {
      path.back() += c;
    }
  }
  if (path.back().empty())
    path.pop_back();
  return path;
}

std::string tessera::importer::joinPath(llvm::ArrayRef<std::string> path) {
  return llvm::join(path, "/");
}

/// What `\d`, `\w`, `\s` stand for inside of brackets; empty for others.
static llvm::StringRef classOf(char letter) {
  switch (letter) {
  case 'd':
    return "0-9";
  case 'w':
    return "A-Za-z0-9_";
  case 's':
    return " \t";
  default:
    return "";
  }
}

/// A regular expression of Python as an extended one of POSIX, which has no
/// classes of letters behind a backslash, no groups without a number and no
/// lazy repetition: for whether something matches, these are only other
/// spellings.
static Fallible<std::string> toPosix(llvm::StringRef text) {
  std::string posix;
  bool inBrackets = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && !classOf(next).empty()) {
      std::string letters = classOf(next).str();
      posix += inBrackets ? letters : "[" + letters + "]";
      ++i;
    } else if (c == '\\' && llvm::isAlnum(next)) {
      return Failure{std::string("expected \\d, \\w or \\s, got \\") + next};
    } else if (c == '\\') {
      posix += {c, next};
      ++i;
    } else if (c == '(' && next == '?' && !inBrackets) {
      if (!text.substr(i).starts_with("(?:"))
        return Failure{"expected no group that looks ahead or back in a "
                       "regular expression"};
      posix += '(';
      i += 2;
    } else if (c == '?' && i > 0 && !inBrackets &&
               llvm::StringRef("*+?}").contains(text[i - 1])) {
      continue;
    } else {
      inBrackets = c == '[' || (inBrackets && c != ']');
      posix += c;
    }
  }
  return posix;
}

Fallible<PathPattern> PathPattern::parse(llvm::StringRef text) {
  PathPattern pattern;
  pattern.text = text.str();
  if (text.size() > 2 && text.front() == '/' && text.back() == '/') {
    Fallible<std::string> posix = toPosix(text.drop_front().drop_back());
    if (!posix)
      return posix.failure();
    pattern.regex = std::make_shared<llvm::Regex>(*posix);
    std::string problem;
    if (!pattern.regex->isValid(problem))
      return Failure{"expected a regular expression between the slashes: " +
                     problem};
    return pattern;
  }
  pattern.isWhole = text.starts_with("/");
  pattern.parts = splitPath(text);
  if (pattern.parts.empty())
    return Failure{"expected a pattern of names"};
  for (const std::string &part : pattern.parts) {
    if (part == "**") {
      pattern.globs.push_back(nullptr);
      continue;
    }
    auto kept = std::make_shared<Part>();
    kept->text = part;
    auto glob = llvm::GlobPattern::create(kept->text, /*MaxSubPatterns=*/64);
    if (!glob)
      return Failure{"expected a pattern of names: " +
                     llvm::toString(glob.takeError())};
    kept->glob = std::move(*glob);
    pattern.globs.push_back(std::move(kept));
  }
  return pattern;
}

/// Whether the glob matches all of `path`: the usual table of which of the
/// glob's first components match which of the path's first.
bool PathPattern::matchesFrom(llvm::ArrayRef<std::string> path) const {
  std::vector<char> reached(path.size() + 1, 0);
  reached[0] = 1;
  for (const auto &glob : globs) {
    std::vector<char> next(path.size() + 1, 0);
    for (size_t i = 0; i <= path.size(); ++i)
      if (!glob)
        next[i] = reached[i] || (i > 0 && next[i - 1]);
      else if (i > 0)
        next[i] = reached[i - 1] && glob->glob->match(path[i - 1]);
    reached = std::move(next);
  }
  return reached[path.size()];
}

bool PathPattern::matches(llvm::ArrayRef<std::string> path) const {
  if (regex)
    return regex->match(joinPath(path));
  for (size_t first = 0; first < path.size(); ++first) {
    if (matchesFrom(path.drop_front(first)))
      return true;
    if (isWhole)
      return false;
  }
  return false;
}
