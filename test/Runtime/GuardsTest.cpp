//===- GuardsTest.cpp - What guards find, and what they let pass ----------===//

#include "TestModel.h"

#include <gtest/gtest.h>

using namespace tessera::runtime::test;

namespace {

/// A model of (x: f32[4]) -> (y: f32[4]) on mesh data=2, whose kernels `fill`,
/// `copy` and `add` write 4 floats: `fill` reads none, `copy` one buffer and
/// `add` two. What runs is given in C.
class Guards : public testing::Test {
protected:
  /// Runs `steps`, which use `RUN(kernel, site, buffers...)` on floats `x`,
  /// `y` and `a`, an arena of 64.
  CommandResult run(const std::string &steps, bool areGuarded = true) {
    std::string tensor = R"("dtype": "f32", "shape": [4], "local_shape": [4],
                            "sharding": [[]]})";
    std::string manifest = manifestOf(
        R"([{"name": "data", "size": 2}])", R"([{"name": "x", )" + tensor + "]",
        R"([{"name": "y", )" + tensor + "]", R"([[{"axis": "data"}]])", 256);
    manifest.pop_back();
    manifest += R"(, "kernels": [
        {"operands": [], "results": [{"bytes": 16}], "uses": ["fill", "long"]},
        {"operands": [16], "results": [{"bytes": 16}], "uses": ["copy"]},
        {"operands": [16], "results": [{"overwrites": 0}], "uses": ["double"]},
        {"operands": [16, 16], "results": [{"bytes": 16}], "uses": ["add"]}]})";
    std::string model = folder.path("model.tsx");
    buildModel(model, manifest, source + steps + "\n  return 0;\n}\n");
    std::vector<std::string> command = {TESSERA_RUN, model, "--random"};
    if (areGuarded)
      command.push_back("--guards");
    return runCommand(command);
  }

  /// The diagnostic of a run that guards end, behind the rank's number.
  std::string problemOf(const std::string &steps) {
    CommandResult unguarded = run(steps, false);
    EXPECT_EQ(unguarded.status, 0) << unguarded.err;
    CommandResult result = run(steps);
    EXPECT_EQ(result.status, 4) << result.err;
    std::string prefix = "tessera-run: error: rank ";
    EXPECT_TRUE(result.err.starts_with(prefix)) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
    return result.err.substr(prefix.size() + 3,
                             result.err.size() - prefix.size() - 4);
  }

private:
  static constexpr const char *source = R"(
static void fill(void *const *b, int64_t begin, int64_t end) {
  for (int i = 0; i < 4; ++i) ((float *)b[0])[i] = 1;
}
static void too_long(void *const *b, int64_t begin, int64_t end) {
  for (int i = 0; i < 5; ++i) ((float *)b[0])[i] = 2;
}
static void copy(void *const *b, int64_t begin, int64_t end) {
  for (int i = 0; i < 4; ++i) ((float *)b[1])[i] = ((float *)b[0])[i];
}
static void twice(void *const *b, int64_t begin, int64_t end) {
  for (int i = 0; i < 4; ++i) ((float *)b[0])[i] *= 2;
}
static void add(void *const *b, int64_t begin, int64_t end) {
  for (int i = 0; i < 4; ++i)
    ((float *)b[2])[i] = ((float *)b[0])[i] + ((float *)b[1])[i];
}
static const TesseraSite filling = {"fill", "f.py:1:1"},
    longer = {"long", "f.py:2:1"}, copying = {"copy", "f.py:3:1"},
    doubling = {"double", "f.py:4:1"}, adding = {"add", "f.py:5:1"},
    summing = {"sum", "f.py:6:1"}, moving = {"move", "f.py:7:1"};
#define CHECK(call) if ((status = call)) return status
#define RUN(kernel, site, ...) CHECK(tessera_rt_launch(context, kernel, \
    (void *[]){__VA_ARGS__}, 1, 1, &site))
#define SUM(in, out, future) CHECK(tessera_rt_all_reduce(context, in, out, 4, \
    TESSERA_F32, TESSERA_SUM, 0, future, &summing))
#define COMBINED(future, ...) CHECK(tessera_rt_begin_combined(context)); \
    __VA_ARGS__; CHECK(tessera_rt_end_combined(context, future, &summing))
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  float *x = arguments[0], *y = results[0], *a = arena;
  int32_t status;
)";
  TemporaryFolder folder;
};

} // namespace

TEST_F(Guards, LetPassWhatIsRight) {
  CommandResult result = run(R"(
  RUN(fill, filling, a);
  RUN(copy, copying, x, a + 16);
  RUN(twice, doubling, a + 16);
  SUM(a + 16, a + 32, 0);
  RUN(add, adding, a, x, a + 48);
  CHECK(tessera_rt_wait(context, 0, &summing));
  SUM(a, a, -1);
  CHECK(tessera_rt_copy(context, a, a + 16, 16, &moving));
  RUN(add, adding, a + 16, a + 32, y);)");
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(Guards, LetPassCombinedCalls) {
  CommandResult result = run(R"(
  RUN(fill, filling, a);
  RUN(copy, copying, x, a + 16);
  COMBINED(0, SUM(a, a, -1); SUM(a + 16, a + 32, -1));
  RUN(fill, filling, a + 48);
  CHECK(tessera_rt_wait(context, 0, &summing));
  COMBINED(-1, SUM(a, a + 4, -1); SUM(a + 32, a + 32, -1));
  RUN(add, adding, a + 4, a + 32, y);)");
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(Guards, FindWhatIsWrittenOverAPart) {
  EXPECT_EQ(problemOf("RUN(fill, filling, a);\nRUN(fill, filling, a + 16);\n"
                      "COMBINED(0, SUM(a, a, -1); SUM(a + 16, a + 32, -1));\n"
                      "RUN(copy, copying, x, a + 16);\n"
                      "CHECK(tessera_rt_wait(context, 0, &summing));\n"
                      "RUN(copy, copying, x, y);")
                .substr(0, 50),
            "all_reduce 'sum' at f.py:6:1: its operand, 16 byte");
}

TEST_F(Guards, FindWhatIsWrittenBehindAResult) {
  EXPECT_EQ(problemOf("RUN(too_long, longer, y);"),
            "kernel 'long' at f.py:2:1: writes outside of its buffers: memory "
            "behind the end of result 'y', which has 16 bytes, was "
            "overwritten");
}

TEST_F(Guards, FindWhatIsWrittenOverANeighbour) {
  EXPECT_EQ(problemOf("RUN(fill, filling, a + 4);\nRUN(too_long, longer, a);\n"
                      "RUN(fill, filling, y);"),
            "kernel 'long' at f.py:2:1: writes outside of its buffers: the "
            "value of kernel 'fill' at f.py:1:1 was overwritten");
}

TEST_F(Guards, FindValuesThatAreLargerThanTheirMemory) {
  EXPECT_EQ(problemOf("RUN(fill, filling, a);\nRUN(fill, filling, a + 4);\n"
                      "RUN(add, adding, a, a + 4, a + 16);\n"
                      "CHECK(tessera_rt_copy(context, a, y, 16, &moving));\n"
                      "CHECK(tessera_rt_copy(context, a + 16, y + 2, 16, "
                      "&moving));"),
            "copy 'move' at f.py:7:1: expected memory for 16 bytes at byte 8 "
            "of result 'y', which has 16 bytes");
}

TEST_F(Guards, FindValuesThatShareMemory) {
  EXPECT_EQ(problemOf("RUN(fill, filling, a);\nRUN(copy, copying, x, a + 2);\n"
                      "RUN(copy, copying, a, y);"),
            "kernel 'copy' at f.py:3:1: reads the value of kernel 'fill' at "
            "f.py:1:1, which kernel 'copy' at f.py:3:1 has overwritten from "
            "byte 8 on");
}

TEST_F(Guards, FindMemoryThatNobodyHasWritten) {
  EXPECT_EQ(problemOf("RUN(copy, copying, a, y);"),
            "kernel 'copy' at f.py:3:1: reads 16 bytes at byte 0 of the arena, "
            "which nobody has written");
  EXPECT_EQ(problemOf("RUN(fill, filling, a);"),
            "step 'fill' at f.py:1:1: the program's end reads 16 bytes at byte "
            "0 of result 'y', which nobody has written");
}

TEST_F(Guards, FindWhatChangesUnderACollective) {
  EXPECT_EQ(problemOf("RUN(fill, filling, a);\nSUM(a, y, 0);\n"
                      "RUN(twice, doubling, a);\n"
                      "CHECK(tessera_rt_wait(context, 0, &summing));"),
            "all_reduce 'sum' at f.py:6:1: its operand, 16 bytes at byte 0 of "
            "the arena, was overwritten before it was complete");
  EXPECT_EQ(problemOf("RUN(fill, filling, a);\nSUM(a, y, 0);\n"
                      "RUN(copy, copying, y, a + 16);\n"
                      "CHECK(tessera_rt_wait(context, 0, &summing));"),
            "kernel 'copy' at f.py:3:1: reads the value of all_reduce 'sum' at "
            "f.py:6:1 before it is complete");
}
