//===- PlanReader.cpp - a plan file becomes data --------------------------===//
//
// The file is read by the reader of clusters' descriptions; here its nodes
// become rules. The first thing that is wrong is reported, with its place.
//
//===----------------------------------------------------------------------===//

#include "PlanReader.h"
#include "PlanTerms.h"

#include "tessera/Support/NearestName.h"
#include "tessera/Support/Quantities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::importer;

namespace {

/// Fills a plan from the nodes of its text. Each function is true unless
/// something was wrong; the first that was stands in `error`.
class PlanReader {
public:
  explicit PlanReader(TextError &error) : error(error) {}

  bool readPlan(const YamlNode &node, ShardingPlan &plan);

private:
  using Read = llvm::function_ref<bool(const YamlNode &)>;

  static PlanPlace placeOf(const YamlNode &node) {
    return {node.line, node.column};
  }
  bool fail(const YamlNode &node, std::string message) {
    error = {std::move(message), node.line, node.column};
    return false;
  }
  bool expectKeys(const YamlNode &node, std::vector<std::string> keys);
  bool optional(const YamlNode &node, const char *key, Read read) {
    const YamlNode *value = node.find(key);
    return !value || read(*value);
  }
  bool expectText(const YamlNode &node) {
    return node.kind == YamlNode::Kind::Scalar ||
           fail(node, "expected one value, got several");
  }
  /// Reads a scalar by `parse`, which says what it expected.
  template <typename T, typename Parse>
  bool readText(const YamlNode &node, T &value, Parse parse) {
    if (!expectText(node))
      return false;
    auto parsed = parse(node);
    if (!parsed)
      return fail(node, parsed.message());
    value = *std::move(parsed);
    return true;
  }
  bool readNumber(const YamlNode &node, int64_t least, int64_t &value);
  bool readPattern(const YamlNode &node, const char *key, PathPattern &pattern);
  bool readBytes(const YamlNode &node, int64_t &bytes);
  bool readList(const YamlNode &node, Read read);
  bool readMesh(const YamlNode &node, ShardingPlan &plan);
  bool readAxes(const YamlNode &node, ShardingPlan &plan);
  bool readNames(const YamlNode &node, std::vector<PlanName> &names);
  bool readSpec(const YamlNode &node, std::vector<PlanDim> &spec);
  bool readPlacements(const YamlNode &node,
                      std::vector<PlanPlacement> &placements);
  bool readConditions(const YamlNode &node, PlanRule &rule);
  bool readActions(const YamlNode &node, PlanRule &rule);
  bool readRule(const YamlNode &node, PlanRule &rule);
  bool readActivation(const YamlNode &node, PlanActivation &activation);
  bool readStages(const YamlNode &node, ShardingPlan &plan);
  bool readDefault(const YamlNode &node, ShardingPlan &plan);
  bool readTolerance(const YamlNode &node, double &share);

  TextError &error;
};

} // namespace

/// Whether `node` is a mapping that has none but these keys.
bool PlanReader::expectKeys(const YamlNode &node,
                            std::vector<std::string> keys) {
  if (node.kind != YamlNode::Kind::Mapping)
    return fail(node,
                "expected a mapping with the keys " + llvm::join(keys, ", "));
  for (const YamlEntry &entry : node.entries)
    if (!llvm::is_contained(keys, entry.key.text))
      return fail(entry.key, "unknown key '" + entry.key.text + "'" +
                                 didYouMean(entry.key.text, keys));
  return true;
}

bool PlanReader::readNumber(const YamlNode &node, int64_t least,
                            int64_t &value) {
  if (!expectText(node))
    return false;
  if (llvm::StringRef(node.text).getAsInteger(10, value) || value < least)
    return fail(node, "expected a number of at least " + std::to_string(least) +
                          ", got '" + node.text + "'");
  return true;
}

bool PlanReader::readPattern(const YamlNode &node, const char *key,
                             PathPattern &pattern) {
  const YamlNode *value = node.find(key);
  if (!value)
    return fail(node, std::string("missing required key '") + key + "'");
  return readText(*value, pattern, [](const YamlNode &text) {
    return PathPattern::parse(text.text);
  });
}

bool PlanReader::readBytes(const YamlNode &node, int64_t &bytes) {
  return readText(node, bytes,
                  [](const YamlNode &text) { return parseBytes(text.text); });
}

bool PlanReader::readList(const YamlNode &node, Read read) {
  if (node.kind != YamlNode::Kind::Sequence)
    return fail(node, "expected a list");
  return llvm::all_of(node.items, read);
}

bool PlanReader::readMesh(const YamlNode &node, ShardingPlan &plan) {
  plan.meshPlace = placeOf(node);
  if (node.kind != YamlNode::Kind::Mapping)
    return fail(node,
                "expected the sizes of mesh axes, as {data: 2, model: 4}");
  for (const YamlEntry &entry : node.entries) {
    PlanMeshAxis &axis = plan.mesh.emplace_back();
    axis.name = {entry.key.text, placeOf(entry.key)};
    if (!readNumber(entry.value, 1, axis.size))
      return false;
  }
  return true;
}

/// One name, or a list of names.
bool PlanReader::readNames(const YamlNode &node, std::vector<PlanName> &names) {
  if (node.kind == YamlNode::Kind::Sequence)
    return llvm::all_of(node.items, [&](const YamlNode &item) {
      return expectText(item) && readNames(item, names);
    });
  if (!expectText(node))
    return false;
  if (!node.text.empty() && node.text != "null")
    names.push_back({node.text, placeOf(node)});
  return true;
}

/// Per logical name a candidate, or a list of candidates.
bool PlanReader::readAxes(const YamlNode &node, ShardingPlan &plan) {
  if (node.kind != YamlNode::Kind::Mapping)
    return fail(node, "expected the candidates of logical axes, as {embed: "
                      "[fsdp, data]}");
  for (const YamlEntry &entry : node.entries) {
    LogicalAxis &axis = plan.axes.emplace_back();
    axis.name = {entry.key.text, placeOf(entry.key)};
    if (entry.value.kind != YamlNode::Kind::Sequence) {
      if (!readNames(entry.value, axis.candidates.emplace_back()))
        return false;
      continue;
    }
    for (const YamlNode &item : entry.value.items)
      if (!readNames(item, axis.candidates.emplace_back()))
        return false;
  }
  return true;
}

bool PlanReader::readSpec(const YamlNode &node, std::vector<PlanDim> &spec) {
  bool hasRest = false;
  return readList(node, [&](const YamlNode &item) {
    PlanDim &dim = spec.emplace_back();
    if (item.kind == YamlNode::Kind::Sequence)
      return readNames(item, dim.axes);
    if (!readText(item, dim, [](const YamlNode &text) {
          return parseDim(text.text, placeOf(text));
        }))
      return false;
    if (dim.isRest && std::exchange(hasRest, true))
      return fail(item, "expected '...' once in a spec");
    return true;
  });
}

/// A list in the order of the mesh, or a mapping from axes.
bool PlanReader::readPlacements(const YamlNode &node,
                                std::vector<PlanPlacement> &placements) {
  auto read = [&](const YamlNode &text) {
    return readText(text, placements.emplace_back(), [](const YamlNode &item) {
      return parsePlacement(item.text, placeOf(item));
    });
  };
  if (node.kind != YamlNode::Kind::Mapping)
    return readList(node, read);
  for (const YamlEntry &entry : node.entries) {
    if (!read(entry.value))
      return false;
    placements.back().axis = entry.key.text;
    placements.back().place = placeOf(entry.key);
  }
  return true;
}

/// Which tensors a rule is about.
bool PlanReader::readConditions(const YamlNode &node, PlanRule &rule) {
  auto readRank = [&](const YamlNode &value) {
    return readNumber(value, 0, rule.rank.emplace());
  };
  auto readShape = [&](const YamlNode &value) {
    rule.shape.emplace();
    return readList(value, [&](const YamlNode &item) {
      bool isAny = item.kind == YamlNode::Kind::Scalar && item.text == "?";
      int64_t &size = rule.shape->emplace_back(-1);
      return isAny || readNumber(item, 0, size);
    });
  };
  auto readRole = [&](const YamlNode &value) {
    return readText(value, rule.role,
                    [](const YamlNode &text) { return parseRole(text.text); });
  };
  auto readLeast = [&](const YamlNode &value) {
    return readBytes(value, rule.minBytes);
  };
  return readPattern(node, "match", rule.match) &&
         optional(node, "rank", readRank) &&
         optional(node, "shape", readShape) &&
         optional(node, "role", readRole) &&
         optional(node, "at-least", readLeast);
}

/// What a node says, on one line.
static std::string textOf(const YamlNode &node) {
  if (node.kind == YamlNode::Kind::Scalar)
    return node.text.empty() ? "-" : node.text;
  std::string text;
  for (const YamlNode &item : node.items)
    text += (text.empty() ? "" : ", ") + textOf(item);
  for (const YamlEntry &entry : node.entries)
    text += (text.empty() ? "" : ", ") + entry.key.text + ": " +
            textOf(entry.value);
  return node.kind == YamlNode::Kind::Mapping ? "{" + text + "}"
                                              : "[" + text + "]";
}

/// What a rule asks for.
bool PlanReader::readActions(const YamlNode &node, PlanRule &rule) {
  const YamlNode *first = nullptr;
  for (const char *key : {"spec", "style", "placements"})
    if (const YamlNode *value = node.find(key)) {
      if (first)
        return fail(*value, "expected one of spec, style and placements in a "
                            "rule, got two");
      first = value;
    }
  const YamlNode *fsdp = node.find("fsdp");
  if (!first && !fsdp)
    return fail(node, "expected one of spec, style, placements and fsdp in a "
                      "rule");
  rule.action = placeOf(first ? *first : *fsdp);
  rule.text = first ? textOf(*first) : "";
  if (fsdp)
    rule.text += (first ? " fsdp(" : "fsdp(") + textOf(*fsdp) + ")";
  auto readStyle = [&](const YamlNode &value) {
    return readText(value, rule.style, [](const YamlNode &text) {
      return parseStyle(text.text, placeOf(text));
    });
  };
  auto readFsdp = [&](const YamlNode &value) {
    return readText(value, rule.fsdp, [](const YamlNode &text) {
      return parseFsdp(text.text, placeOf(text));
    });
  };
  return optional(node, "spec",
                  [&](const YamlNode &value) {
                    return readSpec(value, rule.spec.emplace());
                  }) &&
         optional(node, "style", readStyle) &&
         optional(node, "placements",
                  [&](const YamlNode &value) {
                    return readPlacements(value, rule.placements.emplace());
                  }) &&
         optional(node, "fsdp", readFsdp);
}

bool PlanReader::readRule(const YamlNode &node, PlanRule &rule) {
  rule.place = placeOf(node);
  return expectKeys(node, {"match", "rank", "shape", "role", "at-least", "spec",
                           "style", "placements", "fsdp"}) &&
         readConditions(node, rule) && readActions(node, rule);
}

bool PlanReader::readActivation(const YamlNode &node,
                                PlanActivation &activation) {
  activation.place = placeOf(node);
  if (!expectKeys(node, {"scope", "result", "spec"}) ||
      !readPattern(node, "scope", activation.scope))
    return false;
  const YamlNode *spec = node.find("spec");
  if (!spec)
    return fail(node, "missing required key 'spec'");
  return readSpec(*spec, activation.spec) &&
         optional(node, "result", [&](const YamlNode &value) {
           return readNumber(value, 0, activation.result.emplace());
         });
}

bool PlanReader::readStages(const YamlNode &node, ShardingPlan &plan) {
  if (node.kind != YamlNode::Kind::Mapping)
    return fail(node, "expected the numbers of stages by path, as {layers/0: "
                      "0, layers/1: 1}");
  for (const YamlEntry &entry : node.entries) {
    PlanStage &stage = plan.stages.emplace_back();
    stage.place = placeOf(entry.key);
    auto parse = [](const YamlNode &key) {
      return PathPattern::parse(key.text);
    };
    if (!readText(entry.key, stage.match, parse) ||
        !readNumber(entry.value, 0, stage.stage))
      return false;
  }
  return true;
}

bool PlanReader::readDefault(const YamlNode &node, ShardingPlan &plan) {
  if (!expectText(node))
    return false;
  const std::vector<std::string> names = {"open", "replicate", "error", "fsdp"};
  plan.otherwisePlace = placeOf(node);
  if (node.text == "open")
    return true;
  if (node.text == "replicate" || node.text == "error") {
    plan.otherwise =
        node.text == "error" ? PlanDefault::Error : PlanDefault::Replicate;
    return true;
  }
  if (!llvm::StringRef(node.text).starts_with("fsdp("))
    return fail(node, "expected open, replicate, error or fsdp(AXIS, SIZE) as "
                      "the default, got '" +
                          node.text + "'" + didYouMean(node.text, names));
  plan.otherwise = PlanDefault::Fsdp;
  return readText(node, plan.otherwiseFsdp, [](const YamlNode &text) {
    return parseFsdp(text.text, placeOf(text));
  });
}

bool PlanReader::readTolerance(const YamlNode &node, double &share) {
  if (!expectText(node))
    return false;
  if (llvm::StringRef(node.text).getAsDouble(share) || !(share >= 0) ||
      share > 1)
    return fail(node, "expected a share from 0 to 1, got '" + node.text + "'");
  return true;
}

bool PlanReader::readPlan(const YamlNode &node, ShardingPlan &plan) {
  auto into = [&](auto method, auto &field) {
    return [this, method, &field](const YamlNode &value) {
      return (this->*method)(value, field);
    };
  };
  auto each = [&](auto method, auto &list) {
    return [this, method, &list](const YamlNode &value) {
      return readList(value, [&](const YamlNode &item) {
        return (this->*method)(item, list.emplace_back());
      });
    };
  };
  return expectKeys(node, {"mesh", "axes", "rules", "activations", "stages",
                           "default", "tolerance"}) &&
         optional(node, "mesh", into(&PlanReader::readMesh, plan)) &&
         optional(node, "axes", into(&PlanReader::readAxes, plan)) &&
         optional(node, "rules", each(&PlanReader::readRule, plan.rules)) &&
         optional(node, "activations",
                  each(&PlanReader::readActivation, plan.activations)) &&
         optional(node, "stages", into(&PlanReader::readStages, plan)) &&
         optional(node, "default", into(&PlanReader::readDefault, plan)) &&
         optional(node, "tolerance",
                  into(&PlanReader::readTolerance, plan.tolerance));
}

std::optional<ShardingPlan> tessera::importer::parsePlan(llvm::StringRef text,
                                                         TextError &error) {
  std::optional<YamlNode> node = parseYaml({text.data(), text.size()}, error);
  if (!node) {
    if (error.message.empty())
      error.message = "expected a plan, got nothing";
    return std::nullopt;
  }
  ShardingPlan plan;
  if (!PlanReader(error).readPlan(*node, plan))
    return std::nullopt;
  return plan;
}
