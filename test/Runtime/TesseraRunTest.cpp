//===- TesseraRunTest.cpp - The command line of tessera-run ---------------===//

#include "TestModel.h"
#include "tessera/Support/TensorFile.h"
#include "tessera/runtime.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

using namespace tessera;
using namespace tessera::runtime::test;

namespace {
class TesseraRun : public testing::Test {
protected:
  void SetUp() override {
    model = path("step.tsx");
    buildStepModel(model);
    weights = HostTensor(ElementType::F32, {4, 6});
    for (int i = 0; i < 24; ++i)
      weights.setFromDouble(i, i);
    rows = HostTensor(ElementType::F32, {4});
    rows.setFromDouble(2, 0.5);
  }

  std::string path(const std::string &name) { return folder.path(name); }

  CommandResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TESSERA_RUN);
    return runCommand(arguments);
  }

  /// The one diagnostic of a run that must end with this status, without
  /// `tessera-run: error: ` and the line's end.
  std::string errorOf(std::vector<std::string> arguments, int status = 1) {
    CommandResult result = run(std::move(arguments));
    EXPECT_EQ(result.status, status) << result.err;
    std::string prefix = "tessera-run: error: ";
    EXPECT_TRUE(result.err.starts_with(prefix)) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
    return result.err.substr(prefix.size(),
                             result.err.size() - prefix.size() - 1);
  }

  std::string write(const std::string &name,
                    const std::vector<NamedTensor> &tensors) {
    EXPECT_TRUE(writeTensorFile(path(name), tensors));
    return path(name);
  }

  nlohmann::json readJson(const std::string &name) {
    std::ifstream file(path(name));
    return nlohmann::json::parse(file, nullptr, false);
  }

  TemporaryFolder folder;
  std::string model;
  HostTensor weights, rows;
};
} // namespace

/// Text without the times in parentheses, which differ from run to run.
static std::string withoutTimes(std::string text) {
  for (size_t begin; (begin = text.find(" (")) != std::string::npos;)
    text.erase(begin, text.find(')', begin) + 1 - begin);
  return text;
}

TEST_F(TesseraRun, TrainsAndResumes) {
  std::string inputs =
      write("in.safetensors", {{"w", weights}, {"arg1", rows}});
  std::string outputs = path("out.safetensors");
  CommandResult first =
      run({model, "--inputs", inputs, "--steps=2", "--outputs=" + outputs});
  ASSERT_EQ(first.status, 0) << first.err;
  std::string steps = first.out.substr(0, first.out.find("2 steps"));
  EXPECT_EQ(withoutTimes(steps), "step 1/2 loss=276\nstep 2/2 loss=279\n");
  EXPECT_NE(first.out.find("2 steps on 4 ranks (data=2,model=2): median "),
            std::string::npos);

  // The outputs name results; the donated one is an argument of the next run.
  HostTensor batches(ElementType::F32, {2, 4});
  batches.setFromDouble(7, 1);
  CommandResult again =
      run({model, "--inputs=" + outputs, "--steps=4",
           "--batches=" + write("b.safetensors", {{"x", batches}})});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(withoutTimes(again.out.substr(0, again.out.find("4 steps"))),
            "step 1/4 loss=282\nstep 2/4 loss=282\n"
            "step 3/4 loss=288\nstep 4/4 loss=288\n");
}

TEST_F(TesseraRun, FoldersOfNpyWorkAsFiles) {
  std::string inputs = write("in", {{"w", weights}, {"x", rows}});
  CommandResult result =
      run({model, "--inputs=" + inputs, "--outputs=" + path("out")});
  ASSERT_EQ(result.status, 0) << result.err;
  auto outputs = readTensorFile(path("out"));
  ASSERT_TRUE(outputs) << outputs.message();
  ASSERT_EQ(outputs->size(), 2u);
  EXPECT_EQ((*outputs)[1].name, "new_w");
  EXPECT_EQ((*outputs)[1].tensor.toDouble(12), 12.5);
}

/// A program on two ranks that makes arguments of the step model: rows of `w`
/// count from `start` on, all of x is `fill`.
static void buildInitModel(const std::string &path,
                           const std::string &secondResult = "x") {
  auto tensor = [](const std::string &name, const std::string &shape,
                   const std::string &local) {
    return R"({"name": ")" + name + R"(", "dtype": "f32", "shape": )" + shape +
           R"(, "local_shape": )" + local + R"(, "sharding": )" +
           (shape == local ? shape == "[]" ? "[]" : "[[]]"
                           : R"([[{"axis": "half"}], []])") +
           "}";
  };
  buildModel(path,
             manifestOf(R"([{"name": "half", "size": 2}])",
                        "[" + tensor("start", "[]", "[]") + ", " +
                            tensor("fill", "[]", "[]") + "]",
                        "[" + tensor("w", "[4, 6]", "[2, 6]") + ", " +
                            tensor(secondResult, "[4]", "[4]") + "]",
                        R"([[{"axis": "half"}]])", 64),
             R"(
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  const float *start = arguments[0], *fill = arguments[1];
  float *w = results[0], *x = results[1];
  int64_t half = tessera_rt_axis_index(context, 0);
  for (int i = 0; i < 12; ++i)
    w[i] = *start + 12 * half + i;
  for (int i = 0; i < 4; ++i)
    x[i] = *fill;
  return 0;
}
)");
}

TEST_F(TesseraRun, AnotherProgramMakesTheArguments) {
  buildInitModel(path("init.tsx"));
  std::string init = "--init=" + path("init.tsx");
  HostTensor start(ElementType::F32, {}), fill(ElementType::F32, {});
  start.setFromDouble(0, 100);
  fill.setFromDouble(0, 0.25);
  std::string inputs =
      write("start.safetensors", {{"start", start}, {"fill", fill}});
  for (int i = 0; i < 24; ++i)
    weights.setFromDouble(i, 100 + i);
  for (int i = 0; i < 4; ++i)
    rows.setFromDouble(i, 0.25);
  std::string made = write("made.safetensors", {{"w", weights}, {"x", rows}});
  CommandResult expected = run({model, "--inputs=" + made, "--steps=3"}),
                got = run({model, init, "--inputs=" + inputs, "--steps=3"});
  ASSERT_EQ(got.status, 0) << got.err;
  auto steps = [](const CommandResult &result) {
    return withoutTimes(result.out.substr(0, result.out.find("3 steps on")));
  };
  EXPECT_EQ(steps(got), steps(expected));
  EXPECT_NE(steps(got).find("loss="), std::string::npos);
}

TEST_F(TesseraRun, RefusesInitialisationsThatDoNotFit) {
  buildInitModel(path("init.tsx"));
  std::string init = "--init=" + path("init.tsx");
  EXPECT_EQ(errorOf({model, init}),
            path("init.tsx") +
                ": no tensor for argument 'start' of type f32[]");
  HostTensor number(ElementType::F32, {});
  std::string inputs = write(
      "in.safetensors", {{"start", number}, {"fill", number}, {"x", rows}});
  EXPECT_EQ(errorOf({model, init, "--inputs=" + inputs}),
            "argument 'x' is fed by " + inputs + " and by " + path("init.tsx"));
  inputs =
      write("twice.safetensors",
            {{"start", number}, {"fill", number}, {"x", rows}, {"w", weights}});
  EXPECT_EQ(errorOf({model, "--inputs=" + inputs, init}),
            "argument 'w' is fed by " + inputs + " and by " + path("init.tsx"));
  buildInitModel(path("init.tsx"), "y");
  inputs = write("in.safetensors", {{"start", number}, {"fill", number}});
  EXPECT_EQ(errorOf({model, init, "--inputs=" + inputs}),
            path("init.tsx") + ": tensor 'y' is no argument of the program");
  buildInitModel(path("init.tsx"), "new_w");
  EXPECT_EQ(errorOf({model, init, "--inputs=" + inputs}),
            path("init.tsx") + ": tensor 'new_w' binds to argument 0, which "
                               "another tensor of the file binds to already");
  EXPECT_EQ(errorOf({model, "--init=" + path("none.tsx")}),
            path("none.tsx") + ": No such file or directory");
  EXPECT_EQ(errorOf({model, init, "--backend=cuda"}),
            "--init needs all ranks in one process, and the back end 'cuda' "
            "has one for each; run " +
                path("init.tsx") +
                " with --outputs=FILE, and this with --inputs=FILE");
}

TEST_F(TesseraRun, RandomInputsDependOnTheSeed) {
  std::string first = run({model, "--random"}).out;
  EXPECT_EQ(withoutTimes(run({model, "--random=0"}).out), withoutTimes(first));
  EXPECT_NE(withoutTimes(run({model, "--random=1"}).out), withoutTimes(first));
}

TEST_F(TesseraRun, ComparesWithExpectations) {
  std::string inputs = write("in.safetensors", {{"w", weights}, {"x", rows}});
  HostTensor loss(ElementType::F32, {});
  loss.setFromDouble(0, 276);
  HostTensor updated = weights;
  for (int i = 12; i < 18; ++i)
    updated.setFromDouble(i, i + 0.5);
  std::string good =
      write("good.safetensors", {{"loss", loss}, {"result1", updated}});
  CommandResult same =
      run({model, "--inputs=" + inputs, "--expect=" + good, "--tolerance=0"});
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_NE(same.out.find("loss: largest error 0 relative, 0 absolute\nnew_w: "
                          "largest error 0 relative, 0 absolute\n"),
            std::string::npos)
      << same.out;

  updated.setFromDouble(3, 26);
  std::string bad =
      write("bad.safetensors", {{"loss", loss}, {"new_w", updated}});
  CommandResult other =
      run({model, "--inputs=" + inputs, "--expect=" + bad, "--tolerance=0.5"});
  EXPECT_EQ(other.status, 3);
  EXPECT_NE(other.out.find("new_w: differs: largest error 0.885 relative, 23 "
                           "absolute at [0, 3]: expected 26, got 3\n"),
            std::string::npos)
      << other.out;
  EXPECT_EQ(other.err,
            "tessera-run: error: 1 of 2 results differ from " + bad + "\n");
  EXPECT_EQ(
      run({model, "--inputs=" + inputs, "--expect=" + bad, "--tolerance=0,23"})
          .status,
      0);
}

/// The part of a table's row that says what it is of, behind its numbers.
static bool hasRow(const std::string &text, const std::string &row) {
  return text.find("  " + row + "\n") != std::string::npos;
}

TEST_F(TesseraRun, ProfilesAndTraces) {
  CommandResult result = run({model, "--random", "--steps=2", "--profile",
                              "--trace=" + path("trace.json")});
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char *row :
       {"of 4 ranks in 2 steps, the mean", "in kernels", "all",
        "all_reduce sum, step.py:1:1", "add, step.py:2:1"})
    EXPECT_TRUE(hasRow(result.out, row)) << row << result.out;
  EXPECT_NE(result.out.find(" 100.0%  all\n"), std::string::npos);
  nlohmann::json trace = readJson("trace.json");
  size_t kernels = 0, arrows = 0;
  std::set<std::string> processes;
  for (const nlohmann::json &event : trace["traceEvents"]) {
    kernels += event.value("cat", "") == "kernel";
    arrows += event["ph"] == "s";
    if (event["name"] == "process_name")
      processes.insert(event["args"]["name"]);
  }
  EXPECT_EQ(kernels, 8u); // Four ranks, two steps.
  EXPECT_EQ(arrows, 6u);  // From the last rank to the three others.
  EXPECT_EQ(processes, (std::set<std::string>{"rank 0", "rank 1", "rank 2",
                                              "rank 3", "tessera-run"}));
}

/// The ranks of this model wait 50 ms for rank 2 in a blocking collective and
/// 50 ms for rank 1 in one that was started; each computes 20 ms beside the
/// latter.
static void buildWaitingModel(const std::string &path) {
  buildModel(path,
             manifestOf(R"([{"name": "x", "size": 4}])", "[]", "[]",
                        R"([[{"axis": "x"}]])", 64),
             R"(
#include <time.h>
static const TesseraSite first = {"first", "m.py:1:1"},
                         second = {"second", "m.py:2:1"},
                         slow = {"slow", "m.py:3:1"},
                         beside = {"beside", "m.py:4:1"};
static void rest(void *const *buffers, int64_t begin, int64_t end) {
  struct timespec time = {0, *(int64_t *)buffers[0] * 1000000};
  nanosleep(&time, 0);
}
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  int64_t rank = tessera_rt_axis_index(context, 0), much = 50, little = 20;
  void *slowly[] = {&much}, *quickly[] = {&little};
  int32_t status = 0;
  if (rank == 2)
    status = tessera_rt_launch(context, rest, slowly, 1, 1, &slow);
  if (!status)
    status = tessera_rt_all_reduce(context, arena, arena, 4, TESSERA_F32,
                                   TESSERA_SUM, 0, -1, &first);
  if (!status && rank == 1)
    status = tessera_rt_launch(context, rest, slowly, 1, 1, &slow);
  if (!status)
    status = tessera_rt_all_gather(context, arena, (char *)arena + 16, 4, 0, 0,
                                   &second);
  if (!status)
    status = tessera_rt_launch(context, rest, quickly, 1, 1, &beside);
  return status ? status : tessera_rt_wait(context, 0, &second);
}
)");
}

TEST_F(TesseraRun, ProfileSaysForWhomRanksWaited) {
  buildWaitingModel(model);
  CommandResult result =
      run({model, "--threads=2", "--profile=" + path("profile.json")});
  ASSERT_EQ(result.status, 0) << result.err;
  nlohmann::json profile = readJson("profile.json");
  std::map<std::string, double> times;
  for (const nlohmann::json &row : profile["waits"])
    times[std::string(row["name"]) + " for " + row["rank"].dump() + ", " +
          std::string(row["activity"])] = row["time"];
  // Three of four ranks wait 50 ms, then 30 ms; the mean counts. Machines that
  // test are busy.
  EXPECT_GT(times["first for 2, kernel 'slow'"], 0.7 * 50 * 3 / 4)
      << profile.dump(1);
  EXPECT_GT(times["second for 1, kernel 'slow'"], 0.6 * 30 * 3 / 4)
      << profile.dump(1);
  EXPECT_GT(double(profile["parts"]["waiting_for_a_rank"]), 0.65 * 60)
      << profile.dump(1);
  double sum = 0;
  for (const auto &[part, time] : profile["parts"].items())
    sum += double(time);
  EXPECT_NEAR(sum, double(profile["step"]), 1e-6 * sum);
  for (const nlohmann::json &row : profile["communication"]) {
    bool isSecond = row["name"] == "second";
    EXPECT_EQ(row["kind"], isSecond ? "all_gather" : "all_reduce");
    EXPECT_EQ(row["calls"], 1);
    // All but the last to come compute 20 ms beside it.
    EXPECT_GE(double(row["hidden"]), isSecond ? 0.7 * 20 * 3 / 4 : 0);
    EXPECT_LT(double(row["transfer"]), 20);
  }
}

TEST_F(TesseraRun, TracesTasksOfPipelineRanks) {
  buildChainModel(path("chain.tsx"));
  CommandResult result = run({path("chain.tsx"), "--random", "--steps=2",
                              "--profile", "--trace=" + path("trace.json")});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("2 steps on 4 ranks (2 x data=2): median"),
            std::string::npos)
      << result.out;
  // A task's time is that of the events in it.
  EXPECT_EQ(result.out.find("0F0"), std::string::npos) << result.out;
  EXPECT_TRUE(hasRow(result.out, "send there, chain.py:1:1")) << result.out;
  size_t tasks = 0;
  std::map<int, std::pair<nlohmann::json, nlohmann::json>> arrows;
  nlohmann::json trace = readJson("trace.json");
  for (const nlohmann::json &event : trace["traceEvents"]) {
    tasks += event.value("cat", "") == "task";
    if (event["ph"] == "s" && event["cat"] == "recv")
      arrows[event["id"]].first = event;
    else if (event["ph"] == "f" && event["cat"] == "recv")
      arrows[event["id"]].second = event;
  }
  EXPECT_EQ(tasks, 8u); // Two on each device of the first rank, two steps.
  // As many messages, each from a device to the same one two ranks on.
  EXPECT_EQ(arrows.size(), 8u);
  for (const auto &[number, ends] : arrows) {
    EXPECT_EQ(int(ends.first["pid"]) + 2, int(ends.second["pid"]));
    EXPECT_LE(double(ends.first["ts"]), double(ends.second["ts"]));
  }
}

TEST_F(TesseraRun, HelpAndVersion) {
  EXPECT_EQ(run({"--version"}).out, "tessera-run 0.1.0 (ABI version " +
                                        std::to_string(TESSERA_ABI_VERSION) +
                                        ")\n");
  CommandResult help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char *flag :
       {"--backend", "--ranks", "--threads", "--timeout", "--inputs", "--init",
        "--random", "--steps", "--batches", "--outputs", "--expect",
        "--tolerance", "--profile", "--trace"})
    EXPECT_NE(help.out.find(flag), std::string::npos) << flag;
}

//===----------------------------------------------------------------------===//
// Malformed requests: one line, status 1
//===----------------------------------------------------------------------===//

TEST_F(TesseraRun, RefusesMalformedCommandLines) {
  EXPECT_EQ(errorOf({}), "expected a compiled model (FILE.tsx); see --help");
  EXPECT_EQ(errorOf({"--random"}),
            "expected a compiled model (FILE.tsx); see --help");
  EXPECT_EQ(errorOf({model, "--frobnicate"}),
            "unknown option '--frobnicate'; see --help");
  EXPECT_EQ(errorOf({model, "other"}),
            "expected one model, got '" + model + "' and 'other'");
  EXPECT_EQ(errorOf({"-", "--random", model}),
            "expected one model, got '-' and '" + model + "'");
  EXPECT_EQ(errorOf({model, "--inputs"}), "--inputs needs a value");
  EXPECT_EQ(errorOf({model, "--inputs="}), "--inputs needs a value");
  EXPECT_EQ(errorOf({model, "--help=yes"}), "--help takes no value, got 'yes'");
  EXPECT_EQ(errorOf({model, "--version=2"}),
            "--version takes no value, got '2'");
  EXPECT_EQ(errorOf({model, "--profile="}), "--profile needs a value");
  for (const char *steps : {"0", "-1", "x", "3x", "99999999999999999999"})
    EXPECT_EQ(errorOf({model, "--random", "--steps", steps}),
              std::string("--steps: expected a whole number of at least 1, "
                          "got '") +
                  steps + "'");
  EXPECT_EQ(errorOf({model, "--random", "--expect=x", "--tolerance=a"}),
            "expected a tolerance RTOL[,ATOL] of numbers >= 0, got 'a'");
  EXPECT_EQ(errorOf({model, "--random", "--tolerance=1"}),
            "--tolerance needs --expect");
  EXPECT_EQ(errorOf({model, "--inputs=x", "--tolerance=1,2"}),
            "--tolerance needs --expect");
  EXPECT_EQ(errorOf({model, "--random", "--inputs=x"}),
            "--inputs and --random exclude each other");
  EXPECT_EQ(errorOf({model, "--inputs", "x", "--random=7"}),
            "--inputs and --random exclude each other");
  EXPECT_EQ(errorOf({model, "--random", "--timeout=0"}),
            "--timeout: expected a time other than 0, got '0'");
  EXPECT_EQ(errorOf({model, "--random", "--timeout=0ms"}),
            "--timeout: expected a time other than 0, got '0ms'");
  EXPECT_EQ(errorOf({model, "--random", "--timeout=soon"}),
            "--timeout: expected a time like 20us, 1.5ms or 60s, got 'soon'");
  EXPECT_EQ(run({model, "--random", "--timeout=30s"}).status, 0);
  EXPECT_EQ(errorOf({model, "--ouptuts=x.safetensors"}),
            "unknown option '--ouptuts'; did you mean '--outputs'?; see "
            "--help");
}

TEST_F(TesseraRun, RefusesRanksAndBackEndsThatDoNotFit) {
  EXPECT_EQ(errorOf({model, "--random", "--ranks=8"}),
            "expected 4 ranks for the model's mesh (data=2,model=2), got 8");
  EXPECT_EQ(errorOf({model, "--random", "--backend=smoke"}),
            "no back end 'smoke': there is no libtessera_backend_smoke.so "
            "beside the runtime library");
  EXPECT_EQ(errorOf({model, "--random", "--backend=lcoal"}),
            "no back end 'lcoal': there is no libtessera_backend_lcoal.so "
            "beside the runtime library; did you mean 'local'?");
  EXPECT_EQ(errorOf({model, "--random", "--backend=Local"}),
            "no back end 'Local': a back end's name has lower-case letters and "
            "digits only; did you mean 'local'?");
}

TEST_F(TesseraRun, RefusesFilesItCannotReadOrWrite) {
  EXPECT_EQ(errorOf({"missing.tsx"}), "missing.tsx: No such file or directory");
  EXPECT_EQ(errorOf({path("step.tsx.c")}),
            path("step.tsx.c") + ": not a compiled model (no ELF file)");
  EXPECT_EQ(errorOf({model, "--inputs=missing"}),
            "missing: No such file or directory");
  EXPECT_EQ(errorOf({model, "--inputs=" + model}).substr(0, model.size() + 24),
            model + ": not a safetensors file");
  EXPECT_EQ(errorOf({model, "--random", "--outputs=/no/such/x.safetensors"}),
            "/no/such/x.safetensors: no folder '/no/such'");
  for (const char *flag : {"--trace", "--profile"})
    EXPECT_EQ(
        errorOf({model, "--random", flag + std::string("=/no/such/t.json")}),
        "/no/such/t.json: no folder '/no/such'");
}

TEST_F(TesseraRun, RefusesTensorsThatDoNotFit) {
  EXPECT_EQ(errorOf({model}), "no tensor for argument 'w' of type f32[4x6]; "
                              "give --inputs=FILE or --random");
  std::string file = write("in.safetensors", {{"w", weights}});
  EXPECT_EQ(errorOf({model, "--inputs=" + file}),
            file + ": no tensor for argument 'x' of type f32[4]");
  file = write("in.safetensors", {{"w", rows}, {"x", rows}});
  EXPECT_EQ(errorOf({model, "--inputs=" + file}),
            file + ": tensor 'w': expected f32[4x6], got f32[4]");
  file = write("in.safetensors",
               {{"w", weights}, {"x", HostTensor(ElementType::F64, {4})}});
  EXPECT_EQ(errorOf({model, "--inputs=" + file}),
            file + ": tensor 'x': expected f32[4], got f64[4]");
  file = write("in.safetensors", {{"w", weights}, {"x", rows}, {"y", rows}});
  EXPECT_EQ(errorOf({model, "--inputs=" + file}),
            file + ": tensor 'y' is no argument of the program");
  std::string misspelt = write("p.safetensors", {{"new_v", weights}});
  EXPECT_EQ(errorOf({model, "--random", "--expect=" + misspelt}),
            misspelt + ": tensor 'new_v' is no result of the program; did you "
                       "mean 'new_w'?");
  file = write("expect.safetensors", {{"loss", HostTensor()}});
  EXPECT_EQ(errorOf({model, "--random", "--expect=" + file}),
            file + ": no tensor for result 'new_w' of type f32[4x6]");
  file = write("batches.safetensors", {{"x", rows}});
  EXPECT_EQ(errorOf({model, "--random", "--batches=" + file}),
            file + ": tensor 'x': expected f32[4] with one more leading "
                   "dimension, got f32[4]");
  file = write("batches.safetensors",
               {{"w", HostTensor(ElementType::F32, {1, 4, 6})}});
  EXPECT_EQ(errorOf({model, "--random", "--batches=" + file}),
            file + ": argument 'w' takes no batches, it is fed by a result");
  file = write("both.safetensors",
               {{"x", HostTensor(ElementType::F32, {2, 4})},
                {"w", HostTensor(ElementType::F32, {2, 4, 6})}});
  EXPECT_EQ(errorOf({model, "--random", "--batches=" + file}),
            file + ": argument 'w' takes no batches, it is fed by a result");
}

TEST_F(TesseraRun, RefusesTruncatedTensorFiles) {
  std::string file = write("in.safetensors", {{"w", weights}, {"x", rows}});
  auto size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, size - 1);
  EXPECT_EQ(errorOf({model, "--inputs=" + file}),
            file + ": tensor 'x': truncated file: expected 112 bytes of data, "
                   "got 111");
}

//===----------------------------------------------------------------------===//
// Models that fail: status 4, never a signal and never a hang
//===----------------------------------------------------------------------===//

TEST_F(TesseraRun, CrashingKernelIsNamed) {
  for (const char *body :
       {"*(volatile int *)8 = 1", "__builtin_trap()",
        "crash(buffers, begin, end + *(volatile int *)&end)"}) {
    buildModel(model, manifestOf(R"([{"name": "x", "size": 1}])", "[]", "[]"),
               std::string(R"(
static void crash(void *const *buffers, int64_t begin, int64_t end) {
  volatile char large[1 << 16];
  large[begin] = 1;
  )") + body + R"(;
  large[begin] = 2;
}
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  static const TesseraSite site = {"boom", "m.py:7:1"};
  return tessera_rt_launch(context, crash, 0, 1, 1, &site);
}
)");
    std::string message = errorOf({model}, 4);
    EXPECT_TRUE(message.starts_with("rank 0 is in kernel 'boom' at m.py:7:1: "
                                    "crashed with signal "))
        << message;
  }
}

TEST_F(TesseraRun, RanksThatDisagreeEndWithBothLocations) {
  buildModel(model,
             manifestOf(R"([{"name": "x", "size": 2}])", "[]", "[]",
                        R"([[{"axis": "x"}]])", 64),
             R"(
static const TesseraSite a = {"a", "m.py:1:1"}, b = {"b", "m.py:2:2"};
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  const TesseraSite *site = tessera_rt_axis_index(context, 0) ? &b : &a;
  return tessera_rt_all_reduce(context, arena, arena, 4, TESSERA_F32,
                               TESSERA_SUM, 0, -1, site);
}
)");
  EXPECT_EQ(
      errorOf({model}, 4),
      "mismatched collectives: rank 0 calls all_reduce 'a' at m.py:1:1 (4 "
      "x f32, sum), rank 1 calls all_reduce 'b' at m.py:2:2 (4 x f32, "
      "sum)");
}

/// A program that reads a collective's result before it has waited for it: the
/// data are there if they are moved at once, and zeros if not.
TEST_F(TesseraRun, RandomDelaysShowReadsBeforeAWait) {
  buildModel(model,
             manifestOf(R"([{"name": "x", "size": 1}])",
                        R"([{"name": "a", "dtype": "f32", "shape": [],
                             "local_shape": [], "sharding": []}])",
                        R"([{"name": "r", "dtype": "f32", "shape": [],
                             "local_shape": [], "sharding": []}])",
                        R"([[{"axis": "x"}]])", 64),
             R"(
static const TesseraSite site = {"sum", "m.py:1:2"};
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  *(float *)arena = 0;
  tessera_rt_all_reduce(context, arguments[0], arena, 1, TESSERA_F32,
                        TESSERA_SUM, 0, 0, &site);
  *(float *)results[0] = *(float *)arena;
  return tessera_rt_wait(context, 0, &site);
})");
  HostTensor three(ElementType::F32, {});
  three.setFromDouble(0, 3);
  std::string inputs = write("in.safetensors", {{"a", three}});
  EXPECT_EQ(withoutTimes(run({model, "--inputs=" + inputs}).out),
            "step 1/1 r=3\n");
  std::set<std::string> seen;
  for (int seed = 0; seed < 8; ++seed)
    seen.insert(withoutTimes(run({model, "--inputs=" + inputs,
                                  "--random-delays=" + std::to_string(seed)})
                                 .out));
  EXPECT_EQ(seen, (std::set<std::string>{"step 1/1 r=0\n", "step 1/1 r=3\n"}));
}

TEST_F(TesseraRun, SlowRankIsATimeout) {
  buildModel(model,
             manifestOf(R"([{"name": "x", "size": 2}])", "[]", "[]",
                        R"([[{"axis": "x"}]])", 64),
             R"(
#include <unistd.h>
static const TesseraSite a = {"a", "m.py:1:1"}, slow = {"slow", "m.py:2:2"};
static void wait(void *const *buffers, int64_t begin, int64_t end) { sleep(2); }
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  if (tessera_rt_axis_index(context, 0))
    tessera_rt_launch(context, wait, 0, 1, 1, &slow);
  return tessera_rt_all_gather(context, arena, (char *)arena + 8, 4, 0, -1, &a);
}
)");
  EXPECT_EQ(errorOf({model, "--timeout=0.2"}, 4),
            "rank 0 waited 0.2 s in all_gather 'a' at m.py:1:1 for rank 1, "
            "which is in kernel 'slow' at m.py:2:2");
}
