//===- ManifestTest.cpp - What manifests are refused ----------------------===//

#include "../../runtime/core/program/Manifest.h"
#include "TestModel.h"
#include "tessera/Support/RandomTensor.h"
#include "tessera/runtime.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

using namespace tessera;
using namespace tessera::runtime;
using namespace tessera::runtime::test;

static const std::string mesh =
    R"([{"name": "x", "size": 4}, {"name": "y", "size": 3}])";

/// Why a manifest is refused, without `malformed manifest: `.
static std::string errorOf(const std::string &text) {
  auto manifest = parseManifest(text, TESSERA_ABI_VERSION);
  if (manifest)
    return "no error";
  std::string prefix = "malformed manifest: ";
  EXPECT_TRUE(manifest.message().starts_with(prefix)) << manifest.message();
  return manifest.message().substr(prefix.size());
}

/// A tensor of that type; `more` is appended to the object.
static std::string tensor(const std::string &shape, const std::string &local,
                          const std::string &sharding,
                          const std::string &more = "") {
  return R"({"name": "t", "dtype": "f32", "shape": )" + shape +
         R"(, "local_shape": )" + local + R"(, "sharding": )" + sharding +
         more + "}";
}

static std::string argumentError(const std::string &argument) {
  return errorOf(manifestOf(mesh, "[" + argument + "]", "[]"));
}

TEST(Manifest, ReadsAWholeOne) {
  auto manifest = parseManifest(
      manifestOf(R"({"axes": [{"name": "x", "size": 4}],
                     "device_order": [3, 2, 1, 0]})",
                 "[" +
                     tensor("[8, 5]", "[4, 5]",
                            R"([[{"axis": "x", "pre": 2, "size": 2}], []])",
                            R"(, "donated": 0, "text": "rows")") +
                     "]",
                 "[" +
                     tensor("[8, 5]", "[4, 5]",
                            R"([[{"axis": "x", "pre": 2, "size": 2}], []])") +
                     "]",
                 R"([[{"axis": "x", "size": 2}]])", 256),
      TESSERA_ABI_VERSION);
  ASSERT_TRUE(manifest) << manifest.message();
  EXPECT_EQ(manifest->mesh.ranks(), 4);
  EXPECT_EQ(manifest->arguments[0].donation, 0);
  EXPECT_EQ(manifest->arguments[0].shardingText, "rows");
  EXPECT_EQ(manifest->results[0].localBytes(), 80);
  ASSERT_EQ(manifest->pipelineRanks(), 1);
  EXPECT_EQ(manifest->programs[0].arenaBytes, 256);
  ASSERT_EQ(manifest->programs[0].arguments.size(), 1u);
  EXPECT_EQ(manifest->programs[0].arguments[0], ManifestRows{});
  EXPECT_EQ(manifest->donorOf(manifest->programs[0], 0), 0);
  EXPECT_EQ(manifest->mesh.groupsAlong(manifest->communicators[0]).groups,
            (std::vector<std::vector<int32_t>>{{2, 0}, {3, 1}}));
}

// A tensor may lie on the devices in an order of its own.
TEST(Manifest, ReadsTheOrderOfATensor) {
  std::string line = R"([{"name": "x", "size": 4}])";
  std::string split = tensor("[4]", "[1]", R"([[{"axis": "x"}]])");
  std::string moved = tensor("[4]", "[1]", R"([[{"axis": "x"}]])",
                             R"(, "device_order": [2, 0, 3, 1])");
  auto manifest =
      parseManifest(manifestOf(line, "[" + split + ", " + moved + "]", "[]"),
                    TESSERA_ABI_VERSION);
  ASSERT_TRUE(manifest) << manifest.message();
  auto elementsOf = [&](size_t argument) {
    std::array<std::byte, 4> whole{std::byte(0), std::byte(1), std::byte(2),
                                   std::byte(3)};
    std::vector<int> elements;
    for (int32_t rank = 0; rank < 4; ++rank) {
      std::byte part;
      manifest->arguments[argument].layout.scatter(rank, 1, whole.data(),
                                                   &part);
      elements.push_back(static_cast<int>(part));
    }
    return elements;
  };
  EXPECT_EQ(elementsOf(0), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(elementsOf(1), (std::vector<int>{1, 3, 0, 2}));
  std::string few = tensor("[4]", "[1]", R"([[{"axis": "x"}]])",
                           R"(, "device_order": [0, 1, 2])");
  EXPECT_EQ(errorOf(manifestOf(line, "[" + few + "]", "[]")),
            "argument 0 't': expected a device order of 4 devices, got 3");
}

TEST(Manifest, RefusesBrokenJson) {
  EXPECT_NE(errorOf("{"), "no error");
  EXPECT_NE(errorOf("[]"), "no error");
  EXPECT_NE(errorOf("{}"), "no error");
  EXPECT_NE(errorOf(R"({"abi": 7})"), "no error");
  EXPECT_EQ(errorOf(R"({"abi": "2"})"),
            "expected a number from 0 to 2147483647, got \"2\"");
  EXPECT_EQ(errorOf(R"({"abi": 7, "schema": 1})"), "expected schema 2, got 1");
}

TEST(Manifest, RefusesMeshesThatMakeNoSense) {
  auto meshError = [](const std::string &text) {
    return errorOf(manifestOf(text, "[]", "[]"));
  };
  EXPECT_EQ(meshError(R"([{"name": "x", "size": 0}])"),
            "expected a number from 1 to 2147483647, got 0");
  EXPECT_EQ(
      meshError(R"([{"name": "x", "size": 2}, {"name": "x", "size": 2}])"),
      "two axes of the mesh are named 'x'");
  EXPECT_EQ(meshError(R"([{"name": "x", "size": 2000000000}])"),
            "the mesh has too many devices");
  EXPECT_EQ(meshError(R"({"axes": [{"name": "x", "size": 2}],
                          "device_order": [0, 0]})"),
            "the device order is not a permutation");
  EXPECT_EQ(meshError(R"({"axes": [{"name": "x", "size": 2}],
                          "device_order": [0]})"),
            "expected a device order of 2 devices, got 1");
}

TEST(Manifest, RefusesTensorsThatDoNotFitTheMesh) {
  EXPECT_EQ(argumentError(tensor("[8]", "[8]", R"([[{"axis": "z"}]])")),
            "the mesh has no axis 'z'");
  EXPECT_EQ(argumentError(tensor("[8]", "[8]",
                                 R"([[{"axis": "x", "pre": 3, "size": 2}]])")),
            "sub-axis 'x':(3)2 does not divide the axis of size 4");
  EXPECT_EQ(argumentError(tensor("[8]", "[8]", R"([[{"axis": "x"}]])")),
            "argument 0 't': dimension 0: expected 2 elements in a shard, got "
            "8");
  EXPECT_EQ(argumentError(tensor("[8]", "[2, 1]", R"([[{"axis": "x"}]])")),
            "argument 0 't': expected a local shape and a sharding of 1 "
            "dimensions, got 2 and 1");
  EXPECT_EQ(argumentError(tensor("[8, 8]", "[2, 4]",
                                 R"([[{"axis": "x"}],
                                     [{"axis": "x", "pre": 2, "size": 2}]])")),
            "argument 0 't': an axis shards the tensor twice");
  EXPECT_EQ(argumentError(tensor("[4611686018427387904]", "[1]", "[[]]")),
            "argument 0 't': the tensor is too large");
  EXPECT_EQ(argumentError(R"({"dtype": "f8"})"),
            "argument 0: unknown element type 'f8'");
}

TEST(Manifest, RefusesReductionsThatDoNotFit) {
  auto unreduced = [&](const std::string &reduction) {
    return argumentError(
        tensor("[8]", "[8]", "[[]]",
               R"(, "unreduced": [{"axis": "x"}], "reduction": ")" + reduction +
                   "\""));
  };
  EXPECT_EQ(unreduced("average"), "unknown reduction 'average'");
  EXPECT_EQ(unreduced("and"),
            "argument 0 't': the reduction does not fit the element type");
}

TEST(Manifest, RefusesDonationsThatDoNotFit) {
  auto donationError = [](const std::string &arguments,
                          const std::string &results) {
    return errorOf(manifestOf(mesh, arguments, results));
  };
  std::string whole = tensor("[4]", "[4]", "[[]]");
  std::string donated = tensor("[4]", "[4]", "[[]]", R"(, "donated": 0)");
  std::string shard = tensor("[4]", "[1]", R"([[{"axis": "x"}]])");
  EXPECT_EQ(donationError("[" + donated + "]", "[" + shard + "]"),
            "argument 0: donated to result 0 of another type or sharding");
  EXPECT_EQ(
      donationError("[" + donated + "," + donated + "]", "[" + whole + "]"),
      "argument 1: result 0 has the memory of another argument already");
  EXPECT_EQ(donationError("[" + donated + "]", "[]"),
            "expected a number from 0 to -1, got 0");
}

TEST(Manifest, RefusesCommunicatorsThatRepeatAnAxis) {
  EXPECT_EQ(errorOf(manifestOf(mesh, "[]", "[]",
                               R"([[{"axis": "x"}, {"axis": "x"}]])")),
            "a communicator names an axis twice");
}

TEST(Manifest, RefusesProgramsThatDoNotFit) {
  std::string scalar = tensor("[]", "[]", "[]");
  auto programsError = [&](const std::string &programs) {
    return errorOf(manifestOf(mesh, "[" + scalar + "]", "[" + scalar + "]",
                              "[]", 0, programs));
  };
  auto program = [](int rank, const std::string &more) {
    return R"({"rank": )" + std::to_string(rank) +
           R"(, "entry": "m", "arena": 0)" + more + "}";
  };
  std::string none = R"(, "arguments": [], "results": [])";
  EXPECT_EQ(programsError("[" + program(0, none) + "," + program(1, "") + "]"),
            "no error");
  EXPECT_EQ(programsError("[]"), "expected a program for each pipeline rank");
  EXPECT_EQ(programsError("[" + program(1, "") + "]"),
            "expected the program of pipeline rank 0, got 1");
  EXPECT_EQ(programsError("[" + program(0, none) + "]"),
            "result 0 lives on no pipeline rank");
  EXPECT_EQ(programsError("[" + program(0, R"(, "arguments": [0, 0])") + "]"),
            "a program names one of its arguments twice");
  EXPECT_EQ(programsError("[" + program(0, R"(, "results": [1])") + "]"),
            "expected a number from 0 to 0, got 1");
  std::string donor = tensor("[]", "[]", "[]", R"(, "donated": 0)");
  EXPECT_EQ(errorOf(manifestOf(
                mesh, "[" + donor + "]", "[" + scalar + "]", "[]", 0,
                "[" + program(0, "") + "," +
                    program(1, R"(, "arguments": [0], "results": [])") + "]")),
            "expected result 0 on pipeline rank 1, like argument 0, which is "
            "donated to it");
}

// Channels are opened for the messages that there are.
TEST(Manifest, ReadsChannelsFromTheTransfersOfThePipeline) {
  std::string program = R"("entry": "m", "arena": 0})";
  std::string text = manifestOf(mesh, "[]", "[]", "[]", 0,
                                R"([{"rank": 0, )" + program +
                                    R"(, {"rank": 1, )" + program + "]");
  std::vector<std::pair<int32_t, int32_t>> both = {{0, 1}, {1, 0}},
                                           down = {{0, 1}};
  EXPECT_EQ(parseManifest(text, TESSERA_ABI_VERSION)->channels, both);
  text.back() = ',';
  std::string transfers = R"("pipeline": {"transfers": [)";
  std::string there = R"({"source": 0, "target": 1})";
  EXPECT_EQ(parseManifest(text + transfers + there + "," + there + "]}}",
                          TESSERA_ABI_VERSION)
                ->channels,
            down);
  EXPECT_EQ(errorOf(text + transfers + R"({"source": 0, "target": 2}]}})"),
            "expected a number from 0 to 1, got 2");
}

// A pipeline rank may have some rows of a tensor; all of a result's rows are
// somewhere.
TEST(Manifest, ReadsRows) {
  std::string whole = tensor("[3, 4]", "[3, 2]", R"([[], [{"axis": "x"}]])");
  std::string donor = tensor("[3, 4]", "[3, 2]", R"([[], [{"axis": "x"}]])",
                             R"(, "donated": 0)");
  auto rows = [](int first, int count) {
    return R"({"number": 0, "first_row": )" + std::to_string(first) +
           R"(, "rows": )" + std::to_string(count) + "}";
  };
  auto program = [](int rank, const std::string &arguments,
                    const std::string &results) {
    return R"({"rank": )" + std::to_string(rank) +
           R"(, "entry": "m", "arena": 0, "arguments": [)" + arguments +
           R"(], "results": [)" + results + "]}";
  };
  std::string axes = R"({"axes": [{"name": "x", "size": 2}]})";
  auto textOf = [&](const std::string &tensors, const std::string &programs) {
    return manifestOf(axes, "[" + donor + "]", "[" + tensors + "]", "[]", 0,
                      "[" + programs + "]");
  };
  auto manifest = parseManifest(
      textOf(whole, program(0, rows(0, 1), rows(0, 1)) + "," +
                        program(1, rows(1, 2), rows(0, 1) + "," + rows(1, 2))),
      TESSERA_ABI_VERSION);
  ASSERT_TRUE(manifest) << manifest.message();
  const ManifestProgram &second = manifest->programs[1];
  EXPECT_EQ(manifest->donorOf(second, 0), -1);
  EXPECT_EQ(manifest->donorOf(second, 1), 0);
  const ManifestTensor &argument = manifest->arguments[0];
  EXPECT_EQ(second.arguments[0].localBytes(argument), 2 * 2 * 4);
  std::vector<float> all(3 * 4), own(2 * 2);
  std::iota(all.begin(), all.end(), 0);
  // Of rows 1 and 2, the second device has the last two columns.
  second.arguments[0].layoutOf(argument).scatter(
      1, sizeof(float), reinterpret_cast<const std::byte *>(all.data()),
      reinterpret_cast<std::byte *>(own.data()));
  EXPECT_EQ(own, (std::vector<float>{6, 7, 10, 11}));

  EXPECT_EQ(errorOf(textOf(whole, program(0, "", rows(1, 2)))),
            "result 0 lives in part on no pipeline rank");
  EXPECT_EQ(errorOf(textOf(whole, program(0, rows(1, 2), "0"))),
            "expected result 0 on pipeline rank 0, like argument 0, which is "
            "donated to it");
  EXPECT_EQ(errorOf(textOf(whole, program(0, "", rows(1, 3)))),
            "expected a number from 1 to 2, got 3");
  EXPECT_EQ(errorOf(textOf(whole, program(0, "", rows(3, 1)))),
            "expected a number from 0 to 2, got 3");
  EXPECT_EQ(
      errorOf(manifestOf(
          axes, "[]",
          "[" + tensor("[4, 4]", "[2, 4]", R"([[{"axis": "x"}], []])") + "]",
          "[]", 0, "[" + program(0, "", rows(0, 1)) + "]")),
      "a program has rows of one of its results whose rows are sharded");
}

// Rows may be those of another dimension than the first.
TEST(Manifest, ReadsRowsOfAnyDimension) {
  std::string axes = R"({"axes": [{"name": "x", "size": 2}]})";
  std::string whole = tensor("[4, 3]", "[2, 3]", R"([[{"axis": "x"}], []])");
  auto columns = [](int first, int count) {
    return R"({"number": 0, "dimension": 1, "first_row": )" +
           std::to_string(first) + R"(, "rows": )" + std::to_string(count) +
           "}";
  };
  auto textOf = [&](const std::string &first, const std::string &second) {
    std::string programs;
    for (const std::string &results : {first, second})
      programs +=
          (programs.empty() ? R"({"rank": 0)" : R"(, {"rank": 1)") +
          std::string(R"(, "entry": "m", "arena": 0, "arguments": [], )") +
          R"("results": [)" + results + "]}";
    return manifestOf(axes, "[]", "[" + whole + "]", "[]", 0,
                      "[" + programs + "]");
  };
  auto manifest =
      parseManifest(textOf(columns(0, 1), columns(1, 2)), TESSERA_ABI_VERSION);
  ASSERT_TRUE(manifest) << manifest.message();
  const ManifestTensor &result = manifest->results[0];
  const ManifestRows &second = manifest->programs[1].results[0];
  EXPECT_EQ(second.localBytes(result), 2 * 2 * 4);
  std::vector<float> all(4 * 3), own = {1, 2, 3, 4};
  second.layoutOf(result).gather(
      1, sizeof(float), reinterpret_cast<const std::byte *>(own.data()),
      reinterpret_cast<std::byte *>(all.data()));
  EXPECT_EQ(all, (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 3, 4}));

  EXPECT_EQ(errorOf(textOf(columns(0, 1), columns(2, 1))),
            "result 0 lives in part on no pipeline rank");
  EXPECT_EQ(errorOf(textOf(columns(0, 1), columns(1, 3))),
            "expected a number from 1 to 2, got 3");
  std::string beyond = columns(0, 1);
  beyond.replace(beyond.find("1, \"first"), 1, "2");
  EXPECT_EQ(errorOf(textOf(beyond, columns(1, 2))),
            "a program has rows of one of its results whose rows are sharded");
}

// What a diagnostic is about may be elsewhere in the manifest.
TEST(Manifest, RefusesTheSameElsewhere) {
  auto resultError = [](const std::string &result) {
    return errorOf(manifestOf(mesh, "[]", "[" + result + "]", "[]"));
  };
  EXPECT_EQ(errorOf(R"({"abi": 7, "schema": 3})"), "expected schema 2, got 3");
  std::string axes = R"({"axes": [{"name": "a", "size": 1},
      {"name": "b", "size": 2}, {"name": "b", "size": 3}]})";
  EXPECT_EQ(errorOf(manifestOf(axes, "[]", "[]")),
            "two axes of the mesh are named 'b'");
  axes = R"([{"name": "x", "size": 65536}, {"name": "y", "size": 65536}])";
  EXPECT_EQ(errorOf(manifestOf(axes, "[]", "[]")),
            "the mesh has too many devices");
  axes = R"({"axes": [{"name": "x", "size": 2}], "device_order": [1, 2]})";
  EXPECT_EQ(errorOf(manifestOf(axes, "[]", "[]")),
            "the device order is not a permutation");
  EXPECT_EQ(errorOf(manifestOf(mesh, "[]", "[]", R"([[{"axis": "w"}]])")),
            "the mesh has no axis 'w'");
  EXPECT_EQ(errorOf(manifestOf(mesh, "[]", "[]",
                               R"([[{"axis": "y", "pre": 2, "size": 3}]])")),
            "sub-axis 'y':(2)3 does not divide the axis of size 3");
  EXPECT_EQ(errorOf(manifestOf(mesh, "[]", "[]", R"([[{"axis": "y"},
                                {"axis": "y"}]])")),
            "a communicator names an axis twice");
  EXPECT_EQ(errorOf(manifestOf(mesh, "[]", "[]", R"(["x"])")),
            "expected a list of axes, got \"x\"");
  EXPECT_EQ(argumentError(tensor("[8]", "[8]", "[0]")),
            "expected a list of axes, got 0");
  EXPECT_EQ(argumentError(tensor("8", "[8]", "[[]]")),
            "expected a shape, got 8");
  EXPECT_EQ(resultError(tensor("[8]", "{}", "[[]]")),
            "expected a shape, got {}");
  EXPECT_EQ(resultError(R"({"dtype": "int"})"),
            "result 0: unknown element type 'int'");
  EXPECT_EQ(
      resultError(tensor("[4294967296, 4294967296]", "[1, 1]", "[[], []]")),
      "result 0 't': the tensor is too large");
  EXPECT_EQ(resultError(tensor("[8]", "[8]", "[[], []]")),
            "result 0 't': expected a local shape and a sharding of 1 "
            "dimensions, got 1 and 2");
  EXPECT_EQ(resultError(tensor("[7]", "[1]", R"([[{"axis": "x"}]])")),
            "result 0 't': dimension 0: expected 2 elements in a shard, got 1");
  EXPECT_EQ(
      resultError(tensor("[8]", "[1]", R"([[{"axis": "x"}, {"axis": "x"}]])")),
      "result 0 't': an axis shards the tensor twice");
  std::string more = R"(, "unreduced": [{"axis": "x"}], "reduction": )";
  EXPECT_EQ(resultError(tensor("[8]", "[8]", "[[]]", more + R"("mean")")),
            "unknown reduction 'mean'");
  EXPECT_EQ(resultError(tensor("[8]", "[8]", "[[]]", more + R"("or")")),
            "result 0 't': the reduction does not fit the element type");
  std::string whole = tensor("[4]", "[4]", "[[]]");
  std::string first = tensor("[4]", "[4]", "[[]]", R"(, "donated": 1)");
  EXPECT_EQ(errorOf(manifestOf(mesh, "[" + whole + "," + first + "]",
                               "[" + whole + "," +
                                   tensor("[2]", "[2]", "[[]]") + "]")),
            "argument 1: donated to result 1 of another type or sharding");
  EXPECT_EQ(
      errorOf(manifestOf(mesh, "[" + first + "," + whole + "," + first + "]",
                         "[" + whole + "," + whole + "]")),
      "argument 2: result 1 has the memory of another argument already");
  auto programsError = [&](const std::string &programs) {
    return errorOf(
        manifestOf(mesh, "[]", "[" + whole + "]", "[]", 0, programs));
  };
  std::string program = R"([{"rank": 0, "entry": "m", "arena": 0)";
  EXPECT_EQ(programsError(program + R"(, "results": [0, 0]}])"),
            "a program names one of its results twice");
  std::string many = program + "}";
  for (int rank = 1; rank < 90000; ++rank)
    many += ",{}";
  EXPECT_EQ(programsError(many + "]"),
            "expected a program for each pipeline rank");
}

// Nothing but a mesh that is made here has such axes.
TEST(DeviceMesh, RefusesAxesWithoutDevices) {
  EXPECT_EQ(DeviceMesh::create({{"x", 0}}, {}).message(),
            "expected axis 'x' of the mesh to have a positive size, got 0");
  EXPECT_EQ(DeviceMesh::create({{"x", 2}, {"y", -1}}, {}).message(),
            "expected axis 'y' of the mesh to have a positive size, got -1");
}

// Manifests with a few characters changed at random are read or refused,
// whatever they say.
TEST(Manifest, SurvivesRandomChanges) {
  std::string argument = tensor("[8, 5]", "[4, 5]",
                                R"([[{"axis": "x", "pre": 2, "size": 2}], []])",
                                R"(, "donated": 0)");
  std::string original =
      manifestOf(mesh, "[" + argument + "]", "[" + argument + "]",
                 R"([[{"axis": "x", "size": 2}]])");
  ASSERT_TRUE(parseManifest(original, TESSERA_ABI_VERSION));
  RandomStream random(42);
  std::string alphabet = "0123456789-.eE[]{},:\"xyt ";
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = original;
    for (uint64_t change = 0; change <= random.next() % 3; ++change)
      text[random.next() % text.size()] =
          alphabet[random.next() % alphabet.size()];
    refused += !parseManifest(text, TESSERA_ABI_VERSION);
  }
  EXPECT_GT(refused, 1000);
}
