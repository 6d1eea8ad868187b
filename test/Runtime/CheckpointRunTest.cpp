//===- CheckpointRunTest.cpp - tessera-run with --checkpoint --------------===//

#include "TestModel.h"
#include "tessera/Support/TensorFile.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::runtime::test;
namespace fs = std::filesystem;

namespace {
class CheckpointRun : public testing::Test {
protected:
  void SetUp() override {
    model = path("step.tsx");
    buildStepModel(model);
    HostTensor weights(ElementType::F32, {4, 6}),
        batches(ElementType::F32, {3, 4});
    for (int i = 0; i < 12; ++i)
      batches.setFromDouble(i, i);
    ASSERT_TRUE(writeTensorFile(path("w.safetensors"), {{"w", weights}}));
    ASSERT_TRUE(writeTensorFile(path("x.safetensors"), {{"x", batches}}));
  }

  std::string path(const std::string &name) { return folder.path(name); }

  std::vector<std::string> command(std::vector<std::string> more) {
    std::vector<std::string> all = {TESSERA_RUN, model,
                                    "--inputs=" + path("w.safetensors"),
                                    "--batches=" + path("x.safetensors")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  CommandResult run(std::vector<std::string> more) {
    more.push_back("--checkpoint=" + path("run"));
    return runCommand(command(std::move(more)));
  }
  /// The steps' lines, without their times.
  static std::string steps(const CommandResult &result) {
    std::string text;
    for (size_t begin = 0; (begin = result.out.find("step ", begin)) == 0 ||
                           begin != std::string::npos;
         ++begin)
      if (begin == 0 || result.out[begin - 1] == '\n')
        text += result.out.substr(begin, result.out.find(" (", begin) - begin) +
                "\n";
    return text;
  }
  static void flip(const std::string &file, std::streamoff fromEnd) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(-fromEnd, std::ios::end);
    char byte = static_cast<char>(stream.get());
    stream.seekp(-fromEnd, std::ios::end);
    stream.put(static_cast<char>(byte ^ 1));
  }

  TemporaryFolder folder;
  std::string model;
};
} // namespace

/// The sum of w goes up by six times the sum of a batch: 36, 132, 228.
static const char *const first = "step 1/7 loss=0\nstep 2/7 loss=36\n"
                                 "step 3/7 loss=168\n";
static const char *const later = "step 4/7 loss=396\nstep 5/7 loss=432\n";
static const char *const last = "step 6/7 loss=564\nstep 7/7 loss=792\n";

TEST_F(CheckpointRun, GoesOnWhereItStopped) {
  CommandResult whole = runCommand(command({"--steps=7"}));
  EXPECT_EQ(steps(whole), std::string(first) + later + last) << whole.err;
  CommandResult begun = run({"--steps=3", "--resume"});
  ASSERT_EQ(begun.status, 0) << begun.err;
  EXPECT_EQ(begun.err, "tessera-run: no checkpoint in " + path("run") +
                           ", this run is from the beginning\n");
  CommandResult more = run({"--steps=7", "--resume", "--keep=1"});
  EXPECT_EQ(steps(more), std::string(later) + last) << more.err;
  EXPECT_EQ(more.err, "tessera-run: resumed from " + path("run/step-3") + "\n");
  EXPECT_FALSE(fs::exists(path("run/step-3")));
  // Nothing is left to do.
  CommandResult done = run({"--steps=7", "--resume"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "");
  CommandResult asked =
      run({"--steps=6", "--resume", "--outputs=" + path("o.safetensors")});
  EXPECT_EQ(asked.status, 1);
  EXPECT_NE(asked.err.find("expected a checkpoint of a step before 6, got one "
                           "of step 7"),
            std::string::npos)
      << asked.err;
}

TEST_F(CheckpointRun, FallsBackBehindDamage) {
  ASSERT_EQ(run({"--steps=3"}).status, 0);
  ASSERT_EQ(run({"--steps=5", "--resume"}).status, 0);
  std::string file = path("run/step-5/rank-00003.safetensors");
  flip(file, 1);
  fs::copy(path("run"), path("torn"), fs::copy_options::recursive);
  CommandResult result = run({"--steps=7", "--resume"});
  EXPECT_EQ(steps(result), std::string(later) + last);
  EXPECT_NE(result.err.find("tessera-run: warning: " + file +
                            ": damaged: tensor 'w' does not have its checksum "
                            "at [2:4, 3:6]; going back to " +
                            path("run/step-3") + "\n"),
            std::string::npos)
      << result.err;
  // Torn: the index is cut off.
  fs::remove_all(path("run"));
  fs::rename(path("torn"), path("run"));
  fs::resize_file(path("run/step-5/index.json"), 500);
  result = run({"--steps=5", "--resume"});
  EXPECT_EQ(steps(result), "step 4/5 loss=396\nstep 5/5 loss=432\n");
  // None is left.
  fs::resize_file(path("run/step-5/index.json"), 0);
  fs::remove(path("run/step-3/rank-00000.safetensors"));
  result = run({"--steps=7", "--resume"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("tessera-run: error: " +
                            path("run/step-3/rank-00000.safetensors") +
                            ": No such file or directory; there is no other "
                            "checkpoint in " +
                            path("run") + "\n"),
            std::string::npos)
      << result.err;
}

/// The seed is that of the checkpoint which the run goes on from.
TEST_F(CheckpointRun, FindsTheSeedBehindDamage) {
  auto random = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {TESSERA_RUN, model,
                                    "--checkpoint=" + path("run")};
    all.insert(all.end(), more.begin(), more.end());
    return runCommand(all);
  };
  CommandResult whole =
      runCommand({TESSERA_RUN, model, "--random=5", "--steps=4"});
  ASSERT_EQ(random({"--random=5", "--steps=2"}).status, 0);
  ASSERT_EQ(random({"--steps=3", "--resume"}).status, 0);
  fs::resize_file(path("run/step-3/index.json"), 500);
  CommandResult result = random({"--steps=4", "--resume"});
  ASSERT_EQ(result.status, 0) << result.err;
  std::string expected = steps(whole);
  EXPECT_EQ(steps(result), expected.substr(expected.find("step 3/")));
}

/// --resume would go on from what the other run has left.
TEST_F(CheckpointRun, TellsOfAnotherRun) {
  ASSERT_EQ(run({"--steps=3"}).status, 0);
  CommandResult other = run({"--steps=2"});
  EXPECT_EQ(other.status, 0);
  EXPECT_EQ(other.err, "tessera-run: warning: " + path("run/step-3") +
                           " is of another run, and --resume goes on from the "
                           "latest\n");
}

TEST_F(CheckpointRun, RefusesAnotherModelsCheckpoint) {
  ASSERT_EQ(run({"--steps=1"}).status, 0);
  std::string other = path("other.tsx");
  auto build = [&](const std::string &name, const std::string &shape,
                   const std::string &arguments = "") {
    std::string w = R"("dtype": "f32", "shape": )" + shape +
                    R"(, "local_shape": )" + shape + R"(, "sharding": [[]]})";
    buildModel(other,
               manifestOf("[]",
                          R"([{"name": ")" + name + R"(", "donated": 0, )" + w +
                              arguments + "]",
                          R"([{"name": "result", )" + w + "]"),
               "int32_t tessera_main(TesseraContext *c, void *const *a, void "
               "*const *r, void *m) { return 0; }");
    return runCommand({TESSERA_RUN, other, "--random", "--resume",
                       "--checkpoint=" + path("run")})
        .err;
  };
  std::string prefix = "tessera-run: error: " + path("run/step-1") + ": ";
  EXPECT_EQ(build("v", "[24]"), prefix + "no tensor 'v' of type f32[24]\n");
  EXPECT_EQ(build("weights", "[24]"),
            prefix + "no tensor 'weights' of type f32[24]\n");
  EXPECT_EQ(build("w", "[24]"),
            prefix + "tensor 'w': expected f32[24], got f32[4x6]\n");
  // One that has more than the program takes.
  auto v =
      R"([{"name": "v", "donated": 0, "dtype": "f32", "shape": [2], "local_shape": [2], "sharding": [[]]},
               {"name": "u", "donated": 1, "dtype": "f32", "shape": [2], "local_shape": [2], "sharding": [[]]}])";
  auto r =
      R"([{"name": "a", "dtype": "f32", "shape": [2], "local_shape": [2], "sharding": [[]]},
               {"name": "b", "dtype": "f32", "shape": [2], "local_shape": [2], "sharding": [[]]}])";
  fs::remove_all(path("run"));
  const char *source =
      "int32_t tessera_main(TesseraContext *c, void *const *a, "
      "void *const *r, void *m) { return 0; }";
  buildModel(other, manifestOf("[]", v, r), source);
  ASSERT_EQ(runCommand(
                {TESSERA_RUN, other, "--random", "--checkpoint=" + path("run")})
                .status,
            0);
  EXPECT_EQ(build("v", "[2]"),
            prefix + "tensor 'u' is nothing that the program's steps change\n");
  EXPECT_EQ(build("u", "[2]"),
            prefix + "tensor 'v' is nothing that the program's steps change\n");
}

/// State that an option of the compiler adds may be missing, or of another
/// shape: it is zero then.
TEST_F(CheckpointRun, LetsAddedStateBegin) {
  auto build = [&](const std::string &name, const std::string &feedback) {
    auto tensor = [](const std::string &called, const std::string &shape,
                     const std::string &more) {
      return "{\"name\": \"" + called + R"(", "dtype": "f32", "shape": )" +
             shape + ", \"local_shape\": " + shape + ", \"sharding\": [[]]" +
             more + "}";
    };
    std::string arguments = tensor("w", "[2]", ", \"donated\": 0");
    std::string results = tensor("v", "[2]", "");
    if (!feedback.empty()) {
      arguments += ", " + tensor("__f", feedback,
                                 R"(, "donated": 1, "initial": "zero")");
      results += ", " + tensor("__f", feedback, "");
    }
    std::string add = feedback.empty() ? "" : "*(float *)r[1] += 1;";
    buildModel(path(name),
               manifestOf("[]", "[" + arguments + "]", "[" + results + "]"),
               "int32_t tessera_main(TesseraContext *c, void *const *a, void "
               "*const *r, void *m) { *(float *)r[0] += 1; " +
                   add + " return 0; }");
  };
  HostTensor w(ElementType::F32, {2});
  ASSERT_TRUE(writeTensorFile(path("i.safetensors"), {{"w", w}}));
  auto train = [&](const std::string &name, int steps) {
    CommandResult result = runCommand(
        {TESSERA_RUN, path(name), "--inputs=" + path("i.safetensors"),
         "--steps=" + std::to_string(steps), "--resume",
         "--checkpoint=" + path("run"), "--outputs=" + path("o.safetensors")});
    EXPECT_EQ(result.status, 0) << result.err;
    std::vector<double> values;
    auto tensors = readTensorFile(path("o.safetensors"));
    for (size_t i = 0; tensors && i < tensors->size(); ++i)
      values.push_back((*tensors)[i].tensor.toDouble(0));
    return values;
  };
  build("two", "[2]");
  build("three", "[3]");
  build("none", "");
  EXPECT_EQ(train("two", 2), (std::vector<double>{2, 2}));
  EXPECT_EQ(train("two", 3), (std::vector<double>{3, 3}));
  EXPECT_EQ(train("three", 4), (std::vector<double>{4, 1}));
  EXPECT_EQ(train("none", 5), (std::vector<double>{5}));
  EXPECT_EQ(train("two", 6), (std::vector<double>{6, 1}));
}

TEST_F(CheckpointRun, RefusesRequestsThatMakeNoSense) {
  auto errorOf = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TESSERA_RUN);
    CommandResult result = runCommand(arguments);
    EXPECT_EQ(result.status, 1);
    return result.err;
  };
  EXPECT_EQ(errorOf({model, "--every=2"}),
            "tessera-run: error: --every needs --checkpoint\n");
  EXPECT_EQ(errorOf({model, "--resume"}),
            "tessera-run: error: --resume needs --checkpoint\n");
  EXPECT_EQ(errorOf({model, "--keep=1"}),
            "tessera-run: error: --keep needs --checkpoint\n");
  std::string w =
      R"("dtype": "f32", "shape": [2], "local_shape": [2], "sharding": [[]]})";
  const char *source =
      "int32_t tessera_main(TesseraContext *c, void *const *a, "
      "void *const *r, void *m) { return 0; }";
  std::string other = path("other.tsx");
  auto errorFor = [&](const std::string &arguments,
                      const std::string &results) {
    buildModel(other, manifestOf("[]", arguments, results), source);
    return errorOf({other, "--random", "--checkpoint=" + path("run")});
  };
  std::string named = "{\"name\": \"", r = named + "r\", " + w,
              s = named + "s\", " + w;
  EXPECT_EQ(errorFor("[]", "[" + r + "]"),
            "tessera-run: error: --checkpoint: no argument is donated to a "
            "result, so steps change no state\n");
  EXPECT_EQ(errorFor("[" + named + "w\", " + w + "]", "[" + r + "]"),
            "tessera-run: error: --checkpoint: no argument is donated to a "
            "result, so steps change no state\n");
  auto twice = [&](const std::string &name) {
    return "[" + named + name + "\", \"donated\": 0, " + w + ", " + named +
           name + "\", \"donated\": 1, " + w + "]";
  };
  EXPECT_EQ(errorFor(twice("w"), "[" + r + ", " + s + "]"),
            "tessera-run: error: --checkpoint: two arguments are called 'w'\n");
  EXPECT_EQ(errorFor(twice("v"), "[" + r + ", " + s + "]"),
            "tessera-run: error: --checkpoint: two arguments are called 'v'\n");
  // A file stands where the folder should.
  EXPECT_EQ(errorOf({model, "--random", "--checkpoint=" + model})
                .find("tessera-run: error: " + model + ": "),
            0u);
}

/// Starts a command, whose output goes to files.
static pid_t start(const std::vector<std::string> &command,
                   const std::string &output,
                   rlim_t largestFile = RLIM_INFINITY) {
  pid_t child = fork();
  if (child != 0)
    return child;
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  rlimit limit = {largestFile, largestFile};
  if (!std::freopen((output + ".out").c_str(), "w", stdout) ||
      !std::freopen((output + ".err").c_str(), "w", stderr))
    _exit(126);
  setrlimit(RLIMIT_FSIZE, &limit);
  execv(arguments[0], arguments.data());
  _exit(127);
}

static std::string textOf(const std::string &file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

static int statusOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(CheckpointRun, StopsWithACheckpoint) {
  std::vector<std::string> forever =
      command({"--steps=100000000", "--resume", "--checkpoint=" + path("run")});
  pid_t child = start(forever, path("log"));
  while (textOf(path("log.out")).find("step 20/") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGTERM);
  EXPECT_EQ(statusOf(child), 75);
  std::string text = textOf(path("log.err"));
  std::string stopped =
      "tessera-run: stopped by SIGTERM, with a checkpoint in ";
  size_t at = text.find(stopped);
  ASSERT_NE(at, std::string::npos) << text;
  std::string checkpoint = text.substr(at + stopped.size());
  checkpoint.pop_back();
  // It begins behind the last step that was printed.
  std::string printed = textOf(path("log.out"));
  size_t line = printed.rfind("step ");
  std::string step =
      printed.substr(line + 5, printed.find('/', line) - line - 5);
  EXPECT_EQ(checkpoint, path("run/step-" + step));
  CommandResult next =
      run({"--steps=" + std::to_string(std::stol(step) + 1), "--resume"});
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_NE(next.err.find("resumed from " + checkpoint), std::string::npos);
}

/// Whether a process has a handler for SIGTERM.
static bool catchesTermination(pid_t process) {
  std::string status = textOf("/proc/" + std::to_string(process) + "/status");
  size_t caught = status.find("SigCgt:");
  return caught != std::string::npos &&
         std::stoull(status.substr(caught + 7), nullptr, 16) >> (SIGTERM - 1) &
             1;
}

/// A job that is told to end while it makes its state is no failed one: it ends
/// with the checkpoint that it has, or behind its first step.
TEST_F(CheckpointRun, StopsBeforeTheFirstStep) {
  std::string init = path("init.tsx");
  buildModel(init,
             manifestOf("[]", "[]",
                        R"([{"name": "w", "dtype": "f32", "shape": [4, 6],
                            "local_shape": [4, 6], "sharding": [[], []]}])"),
             "int usleep(unsigned);"
             "int32_t tessera_main(TesseraContext *c, void *const *a, "
             "void *const *r, void *m) {"
             "  for (int i = 0; i < 24; ++i) ((float *)r[0])[i] = 0;"
             "  usleep(500000);"
             "  return 0; }");
  auto stop = [&] {
    pid_t child =
        start({TESSERA_RUN, model, "--init=" + init,
               "--batches=" + path("x.safetensors"), "--steps=100000000",
               "--resume", "--checkpoint=" + path("run")},
              path("log"));
    for (int i = 0; i < 10000 && !catchesTermination(child); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(child, SIGTERM);
    EXPECT_EQ(statusOf(child), 75) << textOf(path("log.err"));
    std::string text = textOf(path("log.err"));
    return text.substr(text.find('\n') + 1);
  };
  std::string stopped =
      "tessera-run: stopped by SIGTERM, with a checkpoint in " +
      path("run/step-1") + "\n";
  EXPECT_EQ(stop(), stopped);
  EXPECT_EQ(stop(), stopped);
  EXPECT_EQ(textOf(path("log.out")), "");
}

/// Where there is no room, one line says so, and the old checkpoint stays.
TEST_F(CheckpointRun, KeepsTheOldOneWhereThereIsNoRoom) {
  ASSERT_EQ(run({"--steps=3"}).status, 0);
  // For a rank's pieces, and for the index only.
  for (rlim_t largest : {100, 350}) {
    pid_t child =
        start(command({"--steps=4", "--resume", "--checkpoint=" + path("run")}),
              path("log"), largest);
    EXPECT_EQ(statusOf(child), 4);
    std::string text = textOf(path("log.err"));
    size_t error = text.find("tessera-run: error: checkpoint of step 4: ");
    if (largest > 100) {
      ASSERT_NE(error, std::string::npos) << text;
      EXPECT_NE(text.find("index.json: File too large\n", error),
                std::string::npos)
          << text;
      EXPECT_EQ(text.find('\n', error), text.size() - 1);
    }
  }
  std::vector<std::string> left;
  for (const auto &entry : fs::directory_iterator(path("run")))
    left.push_back(entry.path().filename().string());
  EXPECT_EQ(left, std::vector<std::string>{"step-3"});
}

/// Batches are read slice by slice, where they lie: from a file of 600 MB, in
/// which all but the first slice is a hole, with half of that as memory.
TEST_F(CheckpointRun, ReadsInputsThatDoNotFitIntoMemory) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer maps more memory than the limit leaves";
#endif
  std::string file = path("large.safetensors");
  std::string header = R"({"x":{"dtype":"F32","shape":[37500000,4],)"
                       R"("data_offsets":[0,600000000]}})";
  uint64_t size = header.size();
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char *>(&size), sizeof size)
      .write(header.data(), header.size())
      .write("\0\0\x80\x3f", 4);
  fs::resize_file(file, sizeof size + size + 600000000);
  auto limited = [&](const std::string &memory) {
    return runCommand({"/bin/sh", "-c",
                       "ulimit -v " + memory + " && exec " TESSERA_RUN " " +
                           model + " --threads=1 --steps=3 --inputs=" +
                           path("w.safetensors") + " --batches=" + file});
  };
  CommandResult result = limited("300000");
  EXPECT_EQ(steps(result),
            "step 1/3 loss=0\nstep 2/3 loss=6\nstep 3/3 loss=6\n")
      << result.err;
}
