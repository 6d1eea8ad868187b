//===- EntryPointsTest.cpp - Programs whose entry points share state ------===//

#include "ProgramFixture.h"

#include <vector>

using namespace tessera::runtime::test;

namespace {

/// A tensor of four numbers over the axis `x`, or of none.
std::string tensor(const std::string &name, bool isScalar = false,
                   const std::string &more = "") {
  return "{\"name\": \"" + name + "\", \"dtype\": \"f32\", " +
         (isScalar ? R"("shape": [], "local_shape": [], "sharding": [])"
                   : R"("shape": [4], "local_shape": [2],
                        "sharding": [[{"axis": "x"}]])") +
         more + "}";
}

/// The manifest of one entry point, whose communicator is along `axis`.
std::string
entryOf(const std::string &name, const std::string &axis,
        const std::string &arguments, const std::string &results,
        const std::string &mesh =
            R"([{"name": "x", "size": 2}, {"name": "y", "size": 3}])",
        const std::string &programs = "") {
  std::string main =
      R"([{"rank": 0, "entry": ")" + name + R"(_main", "arena": 64}])";
  return R"({"name": ")" + name + R"(", "manifest": )" +
         manifestOf(mesh, "[" + arguments + "]", "[" + results + "]",
                    R"([[{"axis": ")" + axis + R"("}]])", 64,
                    programs.empty() ? main : programs) +
         "}";
}

std::string fileOf(const std::string &entries) {
  return R"({"schema": 3, "abi": )" + std::to_string(TESSERA_ABI_VERSION) +
         R"(, "entries": [)" + entries + "]}";
}

/// fill: (seed) -> (state = seed times the devices along y).
/// add: (state donated to result 0, w) -> (state + w, the sum of the old one).
const char *const source = R"(
#include "tessera/runtime.h"
static const TesseraSite a = {"a", "m.py:1:1"};
int32_t fill_main(TesseraContext *context, void *const *arguments,
                  void *const *results, void *arena) {
  float *state = results[0];
  const float *seed = arguments[0];
  state[0] = state[1] = *seed;
  return tessera_rt_all_reduce(context, state, state, 2, TESSERA_F32,
                               TESSERA_SUM, 0, -1, &a);
}
int32_t add_main(TesseraContext *context, void *const *arguments,
                 void *const *results, void *arena) {
  float *state = arguments[0], *next = results[0], *sum = results[1];
  const float *w = arguments[1];
  *(float *)arena = state[0] + state[1];
  for (int i = 0; i < 2; ++i)
    next[i] = state[i] + w[i];
  return tessera_rt_all_reduce(context, arena, sum, 1, TESSERA_F32,
                               TESSERA_SUM, 0, -1, &a);
}
)";

class EntryPointsTest : public ProgramTest {
protected:
  std::string build(const std::string &entries) {
    std::string path = folder.path("entries.tsx");
    buildModel(path, fileOf(entries), source);
    return path;
  }

  std::string fill() const {
    return entryOf("fill", "y", tensor("seed", true), tensor("state"));
  }
  std::string add() const {
    return entryOf("add", "x",
                   tensor("state", false, R"(, "donated": 0)") + "," +
                       tensor("w"),
                   tensor("next") + "," + tensor("sum", true));
  }

  void set(TesseraJob *job, int32_t index, std::vector<float> values) {
    EXPECT_EQ(tessera_job_set_argument(job, index, values.data()), TESSERA_OK)
        << tessera_error_message();
  }
  void enterAndStep(TesseraJob *job, int32_t entry) {
    EXPECT_EQ(tessera_job_enter(job, entry), TESSERA_OK);
    EXPECT_EQ(tessera_job_step(job), TESSERA_OK) << tessera_error_message();
  }
  std::vector<float> state(TesseraJob *job) {
    std::vector<float> values(4);
    EXPECT_EQ(tessera_job_enter(job, 1), TESSERA_OK);
    EXPECT_EQ(tessera_job_get_argument(job, 0, values.data()), TESSERA_OK)
        << tessera_error_message();
    return values;
  }
  float sum(TesseraJob *job) {
    float value = 0;
    EXPECT_EQ(tessera_job_get_result(job, 1, &value), TESSERA_OK)
        << tessera_error_message();
    return value;
  }
};

// Each entry point has a communicator of its own with number 0, along another
// axis; the result of one is the argument of the other, which updates it in
// place. With guards, every read is of what the other has written.
TEST_F(EntryPointsTest, StateStaysBetweenThem) {
  TesseraProgram *program = load(build(fill() + "," + add()));
  EXPECT_EQ(tessera_program_entry_count(program), 2);
  EXPECT_STREQ(tessera_program_entry_name(program, 0), "fill");
  EXPECT_STREQ(tessera_program_entry_name(program, 1), "add");
  const TesseraProgram *second = tessera_program_entry(program, 1);
  EXPECT_STREQ(tessera_program_argument(second, 1)->name, "w");
  for (bool onDemand : {false, true}) {
    TesseraJobOptions options = {};
    options.allocate_on_demand = onDemand;
    TesseraJob *job = start(program, options);
    set(job, 0, {5});
    enterAndStep(job, 0);
    EXPECT_EQ(state(job), (std::vector<float>{15, 15, 15, 15}));
    set(job, 1, {1, 2, 3, 4});
    enterAndStep(job, 1);
    EXPECT_EQ(sum(job), 60);
    enterAndStep(job, 1);
    EXPECT_EQ(sum(job), 70);
    EXPECT_EQ(state(job), (std::vector<float>{17, 19, 21, 23}));
    // What was there is overwritten, and w is still what it was.
    enterAndStep(job, 0);
    enterAndStep(job, 1);
    EXPECT_EQ(sum(job), 60);
    EXPECT_EQ(state(job), (std::vector<float>{16, 17, 18, 19}));
    tessera_job_destroy(job);
  }
  tessera_program_destroy(program);
}

// What a call has no memory for stays in the job's, for the next one too.
TEST_F(EntryPointsTest, CallsLeaveTheirStateThere) {
  TesseraProgram *program = load(build(fill() + "," + add()));
  TesseraJobOptions options = {};
  options.allocate_on_demand = true;
  TesseraJob *job = start(program, options);
  float seed = 2, w[] = {1, 1, 1, 1}, sum = 0;
  const void *seeds[] = {&seed}, *arguments[] = {nullptr, w};
  void *results[] = {nullptr, &sum};
  TesseraCall fills = {}, adds = {};
  fills.size = adds.size = sizeof(TesseraCall);
  fills.arguments = seeds;
  adds.arguments = arguments;
  adds.results = results;
  EXPECT_EQ(tessera_job_call(job, &fills), TESSERA_OK);
  EXPECT_EQ(tessera_job_enter(job, 1), TESSERA_OK);
  for (float expected : {24.f, 28.f}) {
    EXPECT_EQ(tessera_job_call(job, &adds), TESSERA_OK)
        << tessera_error_message();
    EXPECT_EQ(sum, expected);
  }
  EXPECT_EQ(state(job), (std::vector<float>{8, 8, 8, 8}));
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

TEST_F(EntryPointsTest, OneCanRunAlone) {
  TesseraProgram *program = load(build(fill() + "," + add()));
  TesseraJob *job = start(
      const_cast<TesseraProgram *>(tessera_program_entry(program, 1)), {});
  set(job, 0, {1, 2, 3, 4});
  set(job, 1, {1, 1, 1, 1});
  EXPECT_EQ(tessera_job_step(job), TESSERA_OK) << tessera_error_message();
  EXPECT_EQ(sum(job), 10);
  EXPECT_EQ(tessera_job_enter(job, 1), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(), "the program has no entry point 1");
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

TEST_F(EntryPointsTest, ResultsAreThoseOfTheEntryPoint) {
  TesseraProgram *program = load(build(fill() + "," + add()));
  TesseraJob *job = start(program);
  enterAndStep(job, 0);
  float values[4];
  EXPECT_EQ(tessera_job_enter(job, 1), TESSERA_OK);
  EXPECT_EQ(tessera_job_get_result(job, 1, values), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(),
               "no step has run, so there is no result yet");
  EXPECT_EQ(tessera_job_get_argument(job, 2, values), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(), "the program has no argument 2");
  EXPECT_EQ(tessera_job_enter(job, -1), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(), "the program has no entry point -1");
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

TEST_F(EntryPointsTest, OneNameIsOneTensor) {
  std::string scalar = entryOf("add", "x", tensor("state", true), "");
  EXPECT_EQ(loadError(build(fill() + "," + scalar)),
            "entry point 'fill' has another type or sharding of 'state' than "
            "those before it");
  EXPECT_EQ(loadError(build(add() + "," +
                            entryOf("fill", "y", tensor("w", true), ""))),
            "entry point 'fill' has another type or sharding of 'w' than "
            "those before it");
}

TEST_F(EntryPointsTest, NothingIsOverwrittenThatIsStillRead) {
  EXPECT_EQ(
      loadError(build(fill() + "," +
                      entryOf("add", "x", tensor("state"), tensor("state")))),
      "entry point 'add': result 'state' overwrites the argument of that name, "
      "which is not donated to it");
  EXPECT_EQ(
      loadError(build(entryOf("fill", "x", tensor("seed"), tensor("seed")) +
                      "," + add())),
      "entry point 'fill': result 'seed' overwrites the argument of that name, "
      "which is not donated to it");
  EXPECT_EQ(
      loadError(build(fill() + "," +
                      entryOf("add", "x",
                              tensor("w", false, R"(, "donated": 0)") + "," +
                                  tensor("state"),
                              tensor("state")))),
      "entry point 'add': result 'state' takes the memory of an argument of "
      "another name");
  EXPECT_EQ(loadError(build(entryOf("fill", "x",
                                    tensor("seed", false, R"(, "donated": 0)"),
                                    tensor("w")) +
                            "," + add())),
            "entry point 'fill': result 'w' takes the memory of an argument of "
            "another name");
}

TEST_F(EntryPointsTest, ResultsOfOneNameAreRefused) {
  EXPECT_EQ(loadError(build(entryOf("fill", "y", tensor("seed", true),
                                    tensor("state") + "," + tensor("state")) +
                            "," + add())),
            "entry point 'fill': result 'state' is there twice");
  EXPECT_EQ(loadError(build(entryOf("fill", "y", tensor("seed", true),
                                    tensor("w") + "," + tensor("w")) +
                            "," + add())),
            "entry point 'fill': result 'w' is there twice");
}

TEST_F(EntryPointsTest, AllHaveTheSameRanks) {
  const char *two = R"([{"name": "x", "size": 2}])",
             *four = R"([{"name": "x", "size": 4}])";
  EXPECT_EQ(loadError(build(fill() + "," + entryOf("add", "x", "", "", two))),
            "malformed manifest: entry point 'add' has other ranks than "
            "'fill'");
  EXPECT_EQ(loadError(build(entryOf("add", "x", "", "", four) + "," + fill())),
            "malformed manifest: entry point 'fill' has other ranks than "
            "'add'");
  auto staged = [&](int ranks) {
    std::string programs;
    for (int rank = 0; rank < ranks; ++rank)
      programs += (rank ? ", " : "[") + std::string(R"({"rank": )") +
                  std::to_string(rank) +
                  R"(, "entry": "add_main", "arena": 64})";
    programs += "]";
    return loadError(build(entryOf("fill", "x", "", "", two, programs) + "," +
                           entryOf("add", "x", "", "", two, programs)));
  };
  EXPECT_EQ(staged(2), "expected one pipeline rank in a program with several "
                       "entry points, got 2");
  EXPECT_EQ(staged(3), "expected one pipeline rank in a program with several "
                       "entry points, got 3");
}

TEST_F(EntryPointsTest, NamesDiffer) {
  EXPECT_EQ(loadError(build(fill() + "," + fill())),
            "malformed manifest: two entry points have the name 'fill'");
  EXPECT_EQ(loadError(build(add() + "," + add())),
            "malformed manifest: two entry points have the name 'add'");
  EXPECT_EQ(loadError(build("")),
            "malformed manifest: expected a list of entry points");
  std::string path = folder.path("entries.tsx");
  buildModel(path,
             R"({"schema": 3, "entries": 2, "abi": )" +
                 std::to_string(TESSERA_ABI_VERSION) + "}",
             source);
  EXPECT_EQ(loadError(path),
            "malformed manifest: expected a list of entry points");
}

TEST_F(EntryPointsTest, SchemasAreThoseOfThisVersion) {
  std::string path = folder.path("entries.tsx"), known = R"({"schema": 3)";
  for (const char *schema : {"2", "4"}) {
    std::string file = fileOf(fill() + "," + add());
    file.replace(0, known.size(), R"({"schema": )" + std::string(schema));
    buildModel(path, file, source);
    EXPECT_EQ(loadError(path), "malformed manifest: expected schema 3, got " +
                                   std::string(schema));
  }
}

TEST_F(EntryPointsTest, TargetsAreTheHost) {
  auto compiledFor = [&](const std::string &target) {
    std::string entries = fill() + "," + add();
    for (size_t at; (at = entries.find(R"("cpu")")) != std::string::npos;)
      entries.replace(at, 5, '"' + target + '"');
    return loadError(build(entries));
  };
  EXPECT_EQ(compiledFor("cuda"), "malformed manifest: expected target 'cpu' of "
                                 "several entry points, got 'cuda'");
  EXPECT_EQ(compiledFor("other"),
            "malformed manifest: expected target 'cpu' of "
            "several entry points, got 'other'");
}

// What ranks compute on may be parts of a sum, which is not put together here.
TEST_F(EntryPointsTest, SumsAreNotRead) {
  auto readSum = [&](const std::string &name) {
    std::string sum = R"({"name": ")" + name + R"(", "dtype": "f32",
      "shape": [], "local_shape": [], "sharding": [], "reduction": "sum",
      "unreduced": [{"axis": "y"}]})";
    TesseraProgram *program =
        load(build(entryOf("fill", "y", sum, "") + "," + add()));
    TesseraJob *job = start(program);
    float value = 0;
    EXPECT_EQ(tessera_job_get_argument(job, 0, &value), TESSERA_INVALID);
    std::string message = tessera_error_message();
    tessera_job_destroy(job);
    tessera_program_destroy(program);
    return message;
  };
  EXPECT_EQ(readSum("s"), "argument 's' is a sum that ranks hold the parts of");
  EXPECT_EQ(readSum("t"), "argument 't' is a sum that ranks hold the parts of");
}

TEST_F(EntryPointsTest, TimesOfKernelsAreThoseOfOne) {
  TesseraProgram *program = load(build(fill() + "," + add()));
  TesseraMachine machine = {};
  machine.is_virtual = true;
  TesseraLinks links = {nullptr, 0, 1e-6, 1e9};
  machine.levels = &links;
  machine.level_count = 1;
  TesseraJobOptions options = {};
  options.size = sizeof options;
  options.machine = &machine;
  TesseraJob *job = nullptr;
  EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(),
               "times of kernels are those of one entry point, got 2");
  tessera_program_destroy(program);
  program = load(
      build(fill() + "," + add() + "," +
            entryOf("fill2", "x", "", "",
                    R"([{"name": "x", "size": 2}, {"name": "y", "size": 3}])",
                    R"([{"rank": 0, "entry": "fill_main", "arena": 64}])")));
  EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(),
               "times of kernels are those of one entry point, got 3");
  tessera_program_destroy(program);
}

} // namespace
