//===- YamlTest.cpp - The part of YAML that descriptions are written in ---===//

#include "tessera/Support/Yaml.h"
#include "tessera/Support/MachineDescription.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

/// The node in brackets, as JSON without quotes.
std::string show(const YamlNode &node) {
  std::string text;
  switch (node.kind) {
  case YamlNode::Kind::Scalar:
    return node.text;
  case YamlNode::Kind::Sequence:
    for (const YamlNode &item : node.items)
      text += (text.empty() ? "" : ",") + show(item);
    return "[" + text + "]";
  case YamlNode::Kind::Mapping:
    for (const YamlEntry &entry : node.entries)
      text +=
          (text.empty() ? "" : ",") + entry.key.text + ":" + show(entry.value);
    return "{" + text + "}";
  }
  return text;
}

std::string read(std::string_view text) {
  TextError error;
  std::optional<YamlNode> node = parseYaml(text, error);
  return node ? show(*node)
              : std::to_string(error.line) + ":" +
                    std::to_string(error.column) + ": " + error.message;
}

TEST(Yaml, BlocksNestByColumns) {
  EXPECT_EQ(read("a: 1\nb:\n  c: x y\n  d:\n    - 1\n    - e: 2\n      f: 3\n"
                 "g:\n- 1\n-\n  - 2\n"),
            "{a:1,b:{c:x y,d:[1,{e:2,f:3}]},g:[1,[2]]}");
  EXPECT_EQ(read("- - 1\n  - 2\n- 3"), "[[1,2],3]");
  EXPECT_EQ(read("a:\nb: 1"), "{a:,b:1}");
}

TEST(Yaml, BracketsCommentsAndQuotes) {
  EXPECT_EQ(read("--- # first\n{a: [1, {b: 2}, ], # more\n 'c d': \"e: f\"}"
                 "\n...\n"),
            "{a:[1,{b:2}],c d:e: f}");
  EXPECT_EQ(read("a: x#y # z\nb: 'it''s'\n\n# end\n"), "{a:x#y,b:it's}");
  EXPECT_EQ(read("a: http://b:1/\r\n"), "{a:http://b:1/}");
}

TEST(Yaml, WhatIsWrongHasItsPlace) {
  EXPECT_EQ(read("a: 1\na: 2"), "2:1: expected different keys, got 'a' twice");
  EXPECT_EQ(read("a: \"b"), "1:4: expected a closing \"");
  EXPECT_EQ(read("a:\n  b: 1\n c: 2"),
            "3:2: expected the end of the text, or the next key in its column");
  EXPECT_EQ(read("a: 1\nb"), "2:2: expected ':' behind the key 'b'");
  EXPECT_EQ(read("{a: 1, b}"), "1:9: expected ':' behind a key");
  EXPECT_EQ(read("[1, 2"), "1:6: expected ',' or ']'");
  EXPECT_EQ(read("a: [1] 2"), "1:8: expected the end of the line");
  EXPECT_EQ(read("a: &b 1"), "1:4: expected a name or a value, got '&'");
  EXPECT_EQ(read("a: |\n  b"), "1:4: expected a name or a value, got '|'");
  EXPECT_EQ(read("a:\n\t- 1"), "2:1: expected spaces, got a tab");
  EXPECT_EQ(read("a: 1\n \tb: 2"), "2:2: expected spaces, got a tab");
  EXPECT_EQ(read("a: \"\\n\""), "1:5: expected no escape in a quoted text");
  EXPECT_EQ(read("# nothing\n"), "1:1: ");
  EXPECT_EQ(read(std::string(200, '[')), "1:66: expected less nesting");
  EXPECT_EQ(read("a: 1\n  b: 2"),
            "2:3: expected the end of the text, or the next key in its column");
  EXPECT_EQ(read("a:\n  b: 1\n  c"), "3:4: expected ':' behind the key 'c'");
  EXPECT_EQ(read("{a 1}"), "1:5: expected ':' behind a key");
  EXPECT_EQ(read("{a: 1 b: 2}"), "1:8: expected ',' or '}'");
  EXPECT_EQ(read("a: 'b' c"), "1:8: expected the end of the line");
  EXPECT_EQ(read("\"\\\\\""), "1:2: expected no escape in a quoted text");
  std::string deep;
  for (int i = 0; i < 200; ++i)
    deep += "- ";
  EXPECT_EQ(read(deep + "1"), "1:131: expected less nesting");
}

/// No text makes the reader read behind its end or run for ever.
TEST(Yaml, EveryPrefixIsReadOrRefused) {
  std::string text =
      "--- #\na: {b: [1, 'x'], \"c\": }\nd:\n- e: 1\n  f: 2\n...";
  for (size_t length = 0; length <= text.size(); ++length)
    read(std::string(text, 0, length));
}

TEST(MachineDescription, IsReadAsItIsWritten) {
  MachineDescription machine;
  machine.device = {312e12, 1.5e12, 80'000'000'000};
  machine.levels = {{"node", 8, 2e-6, 250e9}, {"it's all", 0, 1e-5, 0.1}};
  machine.axes = {{"data", 0, 1, 1.0 / 3}};
  std::string text = printMachine(machine);
  TextError error;
  std::optional<MachineDescription> again = parseMachine(text, error);
  ASSERT_TRUE(again) << text << error.message;
  EXPECT_EQ(printMachine(*again), text);
  EXPECT_EQ(again->device.compute, 312e12);
  EXPECT_EQ(again->levels[1].name, "it's all");
  EXPECT_EQ(again->axes[0].bandwidth, 1.0 / 3);
}

TEST(MachineDescription, WhatIsWrongHasItsPlace) {
  auto problem = [](std::string_view text) {
    TextError error;
    EXPECT_FALSE(parseMachine(text, error)) << text;
    return std::to_string(error.line) + ":" + std::to_string(error.column) +
           ": " + error.message;
  };
  EXPECT_EQ(problem("levels: 1"), "1:9: expected a list");
  EXPECT_EQ(problem("levels: [1]"),
            "1:10: expected a mapping with the keys 'name', 'latency', "
            "'bandwidth', 'devices', 'launch', 'half-saturation', "
            "'copy-bandwidth', 'links'");
  EXPECT_EQ(problem("levels: [{name: }]"), "1:17: expected a name or a value, "
                                           "got '}'");
  EXPECT_EQ(problem("levels:\n- name: a\n  devices: 8.5"),
            "3:12: expected a number of devices, got '8.5'");
  EXPECT_EQ(problem("levels:\n- name: a\n  devices: [8]"),
            "3:12: expected one value, got several");
  EXPECT_EQ(problem("axes: [{name: a, latency: 0, bandwidth: 1, devices: 2}]"),
            "1:44: unknown key 'devices'");
  EXPECT_EQ(problem("levels: [{name: '', latency: 0, bandwidth: 1}]"),
            "1:17: expected a name");
  EXPECT_EQ(problem("axes: [[]]"),
            "1:8: expected a mapping with the keys 'name', 'latency', "
            "'bandwidth'");
  EXPECT_EQ(problem("levels: [{name: a, bandwidth: 1}]"),
            "1:10: missing required key 'latency'");
  EXPECT_EQ(problem("axes: [{name: a, latency: 0}]"),
            "1:8: missing required key 'bandwidth'");
  EXPECT_EQ(problem("levels:\n- name: a\n  devices: two"),
            "3:12: expected a number of devices, got 'two'");
  EXPECT_EQ(problem("levels:\n- name: {a: 1}\n"),
            "2:9: expected one value, got several");
}

} // namespace
