//===- Yaml.h - The part of YAML that descriptions are written in ---------===//
//
// Block and flow mappings and sequences of plain or quoted scalars, with
// comments: what people write by hand, and all of JSON but escapes. Anchors,
// tags, block scalars and several documents are refused with their place. For
// parts of the project that have no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_YAML_H
#define TESSERA_SUPPORT_YAML_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Where in a text something is wrong (both from 1), and what.
struct TextError {
  std::string message;
  unsigned line = 1, column = 1;
};

struct YamlEntry;

/// A scalar, a mapping or a sequence, and where it begins (from 1).
struct YamlNode {
  enum class Kind { Scalar, Mapping, Sequence };
  Kind kind = Kind::Scalar;
  /// Of a scalar, without quotes; empty where a value is left out.
  std::string text;
  std::vector<YamlNode> items;    ///< Of a sequence.
  std::vector<YamlEntry> entries; ///< Of a mapping; keys differ.
  unsigned line = 1, column = 1;

  /// The value of `key` in a mapping; null where there is none.
  const YamlNode *find(std::string_view key) const;
};

/// A key of a mapping, always a scalar, with its value.
struct YamlEntry {
  YamlNode key, value;
};

/// Reads `text`. Without a result `error` says why; its message is empty where
/// the text holds nothing.
std::optional<YamlNode> parseYaml(std::string_view text, TextError &error);

} // namespace tessera

#endif // TESSERA_SUPPORT_YAML_H
