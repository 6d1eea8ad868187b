//===- PathPattern.h - which names a rule is about --------------*- C++ -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PATHPATTERN_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PATHPATTERN_H

#include "tessera/Support/Fallible.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Regex.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::importer {

/// A name as its components: `p['layers'][0]['w1']`, `p.layers.0.w1` and
/// `p/layers/0/w1` are all p, layers, 0, w1.
using Path = std::vector<std::string>;

/// The components of `name`.
Path splitPath(llvm::StringRef name);

/// The components with slashes between them.
std::string joinPath(llvm::ArrayRef<std::string> path);

/// A set of paths: a glob, or a regular expression between slashes.
///
/// A glob has components as a path has, with `*`, `?` and `{a,b}` inside of
/// one and `**` for any number of them. It matches a path by the path's end:
/// `layers/*/w1` is `p/layers/0/w1` as well as `opt/m/layers/0/w1`. With a
/// slash in front it matches whole paths only. A regular expression is searched
/// for anywhere in the components with slashes between.
class PathPattern {
public:
  /// Reads a pattern; says what is wrong with one that is none.
  static Fallible<PathPattern> parse(llvm::StringRef text);

  /// Whether `path` is one of the set.
  bool matches(llvm::ArrayRef<std::string> path) const;
  /// The pattern as it was written.
  const std::string &str() const { return text; }
  /// The components of a glob, for a comparison of names; empty for a regular
  /// expression.
  llvm::ArrayRef<std::string> components() const { return parts; }

private:
  bool matchesFrom(llvm::ArrayRef<std::string> path) const;

  std::string text;
  std::vector<std::string> parts;
  /// A component of a glob, which points into its text.
  struct Part {
    std::string text;
    std::optional<llvm::GlobPattern> glob;
  };
  /// Per component; null for `**`.
  std::vector<std::shared_ptr<const Part>> globs;
  std::shared_ptr<llvm::Regex> regex;
  bool isWhole = false;
};

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PATHPATTERN_H
