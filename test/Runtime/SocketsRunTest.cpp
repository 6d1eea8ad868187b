//===- SocketsRunTest.cpp - Ranks that are processes ----------------------===//
//
// tessera-run with the back end `sockets`: processes that it starts itself, and
// processes that a launcher starts, over shared memory and over TCP.
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include "tessera/Support/TensorFile.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::runtime::test;

namespace {
class SocketsRun : public testing::Test {
protected:
  void SetUp() override {
    model = path("step.tsx");
    buildStepModel(model);
    HostTensor weights(ElementType::F32, {4, 6}), rows(ElementType::F32, {4});
    for (int i = 0; i < 24; ++i)
      weights.setFromDouble(i, 0.1 * i);
    rows.setFromDouble(2, 0.5);
    inputs = path("in.safetensors");
    ASSERT_TRUE(writeTensorFile(inputs, {{"w", weights}, {"x", rows}}));
  }

  std::string path(const std::string &name) const { return folder.path(name); }

  static std::string readAll(const std::string &file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  /// Processes that this program starts, with variables such as `A=1 B=2`.
  CommandResult run(const std::string &arguments,
                    const std::string &variables = "") {
    return runCommand({"sh", "-c",
                       "env " + variables + " " TESSERA_RUN " " + model +
                           " --backend=sockets --inputs=" + inputs + " " +
                           arguments});
  }

  /// A process for each rank, as a launcher of MPI starts them: rank i with
  /// variables[i] too.
  std::vector<CommandResult> launch(const std::string &arguments,
                                    std::vector<std::string> variables,
                                    std::vector<std::string> models = {}) {
    static int jobs = 0;
    size_t count = variables.size();
    models.resize(count, model);
    std::string port = std::to_string(20000 + (getpid() * 13 + jobs++) % 9000);
    std::string script;
    for (size_t i = 0; i < count; ++i) {
      std::string number = std::to_string(i);
      script += "(env PMI_RANK=" + number +
                " PMI_SIZE=" + std::to_string(count) + " MASTER_PORT=" + port +
                " " + variables[i] + " " TESSERA_RUN " " + models[i] +
                " --backend=sockets --inputs=" + inputs + " " + arguments +
                " >" + path("out" + number) + " 2>" + path("err" + number) +
                "; echo $? >" + path("status" + number) + ") &\n";
    }
    runCommand({"sh", "-c", script + "wait\n"});
    std::vector<CommandResult> results;
    for (size_t i = 0; i < count; ++i) {
      std::string number = std::to_string(i);
      results.push_back({std::atoi(readAll(path("status" + number)).c_str()),
                         readAll(path("out" + number)),
                         readAll(path("err" + number))});
    }
    return results;
  }

  /// Has the model's main function begin with these lines of C.
  void insertAtBegin(const std::string &lines) {
    std::string source = readAll(model + ".c");
    std::string place = "  const float *w = arguments[0];\n";
    size_t at = source.find(place);
    ASSERT_NE(at, std::string::npos);
    source.insert(at + place.size(), lines);
    std::ofstream(model + ".c")
        << "#include <signal.h>\n#include <sys/resource.h>\n"
           "#include <unistd.h>\n"
        << source;
    linkModel(model);
  }

  void expectError(const CommandResult &result, const std::string &message,
                   int status = 4) {
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.err, "tessera-run: error: " + message + "\n");
  }

  TemporaryFolder folder;
  std::string model, inputs;
};
} // namespace

/// The number of this rank, in C of the model: the last axis index is that of
/// the whole mesh.
static const std::string rankInC = "tessera_rt_axis_index(context, 0)";

TEST_F(SocketsRun, StartsAProcessForEachRankAndComputesAsLocalDoes) {
  ASSERT_EQ(runCommand({TESSERA_RUN, model, "--inputs=" + inputs, "--steps=3",
                        "--outputs=" + path("local.safetensors")})
                .status,
            0);
  for (const char *variables : {"", "TESSERA_SHARED_MEMORY=0"}) {
    CommandResult result =
        run("--steps=3 --outputs=" + path("sockets.safetensors"), variables);
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("3 steps on 4 ranks (data=2,model=2)"),
              std::string::npos)
        << result.out;
    EXPECT_EQ(readAll(path("sockets.safetensors")),
              readAll(path("local.safetensors")));
  }
}

TEST_F(SocketsRun, MessagesOfPipelineRanksPass) {
  buildChainModel(model);
  HostTensor weight(ElementType::F32, {}), rows(ElementType::F32, {4});
  weight.setFromDouble(0, 2);
  for (int i = 0; i < 4; ++i)
    rows.setFromDouble(i, i + 1);
  ASSERT_TRUE(writeTensorFile(inputs, {{"w", weight}, {"x", rows}}));
  CommandResult result = run("--steps=2");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("step 1/2 sum=20 new_w=3"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("step 2/2 sum=30 new_w=4"), std::string::npos);
}

TEST_F(SocketsRun, TracesShowAllRanks) {
  CommandResult result =
      run("--steps=2 --profile --trace=" + path("trace.json"));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("of 4 ranks in 2 steps"), std::string::npos);
  auto trace = nlohmann::json::parse(readAll(path("trace.json")));
  std::set<int> ranks;
  for (const auto &event : trace["traceEvents"])
    if (event.value("name", "") == "add")
      ranks.insert(event["pid"].get<int>());
  EXPECT_EQ(ranks.size(), 4u);
}

TEST_F(SocketsRun, LaunchersProcessesMeetAndRankZeroReports) {
  auto results = launch("--steps=2", {"", "", "", ""});
  ASSERT_EQ(results[0].status, 0) << results[0].err;
  EXPECT_NE(results[0].out.find("2 steps on 4 ranks"), std::string::npos);
  for (int rank : {1, 2, 3}) {
    EXPECT_EQ(results[rank].status, 0);
    EXPECT_EQ(results[rank].out + results[rank].err, "");
  }
}

TEST_F(SocketsRun, ProcessesMustBeAsManyAsRanks) {
  for (const CommandResult &each : launch("", {"", ""}))
    expectError(each,
                "expected 4 processes, one for each rank, got 2; start them "
                "with torchrun, srun or mpirun",
                1);
  CommandResult result = run("--ranks=8");
  expectError(result,
              "expected 4 ranks for the model's mesh (data=2,model=2), got 8",
              1);
}

TEST_F(SocketsRun, KilledProcessIsNamedWithWhoWaitsForIt) {
  insertAtBegin("  if (" + rankInC + " == 2) raise(SIGKILL);\n");
  for (const char *variables : {"", "TESSERA_SHARED_MEMORY=0"}) {
    CommandResult result = run("", variables);
    EXPECT_EQ(result.status, 4);
    // Any of the others may say so first.
    EXPECT_TRUE(result.err.starts_with(
        "tessera-run: error: the process of rank 2 has ended; rank "))
        << result.err;
    EXPECT_NE(result.err.find("waits in all_reduce 'sum' at step.py:1:1"),
              std::string::npos)
        << result.err;
  }
}

TEST_F(SocketsRun, KilledRankZeroIsNamedByTheLauncher) {
  insertAtBegin("  if (" + rankInC + " == 0) raise(SIGKILL);\n");
  expectError(run(""), "the process of rank 0 ended by signal 9 (Killed)");
}

TEST_F(SocketsRun, CrashedKernelIsNamed) {
  insertAtBegin("  if (" + rankInC + " == 0) *(volatile int *)8 = 1;\n");
  CommandResult result = run("");
  EXPECT_EQ(result.status, 4);
  EXPECT_NE(result.err.find("rank 0 has begun: crashed with signal 11"),
            std::string::npos)
      << result.err;
}

TEST_F(SocketsRun, MissingCollectiveIsADeadlock) {
  insertAtBegin("  if (" + rankInC + " == 1) return 0;\n");
  expectError(run(""), "deadlock: rank 0 waits in all_reduce 'sum' at "
                       "step.py:1:1 for rank 1, which has finished");
}

TEST_F(SocketsRun, StoppedRankIsATimeout) {
  insertAtBegin("  if (" + rankInC + " == 3) raise(SIGSTOP);\n");
  CommandResult result = run("--timeout=0.3");
  EXPECT_EQ(result.status, 4);
  EXPECT_NE(result.err.find(" waited 0.3 s in all_reduce 'sum' at step.py:1:1 "
                            "for rank 3, which does not answer"),
            std::string::npos)
      << result.err;
  // Rank 0 ends by itself, though one never says good-bye.
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
}

/// While all others wait for the end of the step, in which nobody is late.
TEST_F(SocketsRun, RankThatIsStoppedAtTheEndIsATimeout) {
  auto endWith = [&](const std::string &last) {
    std::string source = readAll(model + ".c");
    std::string place = "  return tessera_rt_launch(";
    size_t at = source.find(place);
    ASSERT_NE(at, std::string::npos);
    source.insert(at, "  if (" + rankInC + " == 2) " + last + ";\n");
    std::ofstream(model + ".c") << "#include <signal.h>\n#include <unistd.h>\n"
                                << source;
    linkModel(model);
  };
  endWith("sleep(1)");
  EXPECT_EQ(run("--timeout=0.1").status, 0);
  endWith("raise(SIGSTOP)");
  expectError(run("--timeout=0.1"), "rank 0 waited 0.1 s for the end of the "
                                    "step for rank 2, which does not answer");
}

TEST_F(SocketsRun, ProcessThatIsKilledBeforeItIsThereIsNamed) {
  std::string source = readAll(model + ".c");
  std::ofstream(model + ".c")
      << "#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n"
      << source
      << "__attribute__((constructor)) static void end(void) {\n"
         "  const char *rank = getenv(\"RANK\");\n"
         "  if (rank && strcmp(rank, \"2\") == 0) raise(SIGKILL);\n}\n";
  linkModel(model);
  expectError(run(""), "the process of rank 2 ended by signal 9 (Killed)");
}

/// Somebody listens, and never says anything.
TEST_F(SocketsRun, RankZeroThatDoesNotAnswerIsNamed) {
  int door = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  auto *generic = reinterpret_cast<sockaddr *>(&address);
  ASSERT_EQ(bind(door, generic, size), 0);
  ASSERT_EQ(listen(door, 4), 0);
  ASSERT_EQ(getsockname(door, generic, &size), 0);
  std::string port = std::to_string(ntohs(address.sin_port));
  CommandResult result = run(
      "", "RANK=1 WORLD_SIZE=4 TESSERA_START_TIMEOUT=0.1 MASTER_PORT=" + port);
  close(door);
  expectError(result, "rank 0 at 127.0.0.1:" + port + " does not answer", 1);
}

TEST_F(SocketsRun, SlowRankSaysWhatItDoes) {
  insertAtBegin("  if (" + rankInC + " == 3) sleep(2);\n");
  CommandResult result = run("--timeout=0.3");
  EXPECT_EQ(result.status, 4);
  EXPECT_NE(result.err.find(" for rank 3, which has begun"), std::string::npos)
      << result.err;
}

TEST_F(SocketsRun, SignalsEndAllRanks) {
  insertAtBegin("  usleep(10000);\n");
  for (const char *signal : {"TERM", "HUP"}) {
    std::string out = path(signal);
    CommandResult result = runCommand(
        {"sh", "-c",
         TESSERA_RUN " " + model +
             " --backend=sockets --steps=1000000 --inputs=" + inputs + " >" +
             out + " & job=$!\nwhile kill -0 $job && ! grep -q step " + out +
             " 2>/dev/null; do sleep 0.1; done\n"
             "children=$(cat /proc/$job/task/$job/children)\n"
             "kill -" +
             signal +
             " $job; wait $job; status=$?\n"
             "for child in $children; do kill -0 $child 2>/dev/null && echo "
             "alive; "
             "done\n"
             "echo $(echo $children | wc -w) ranks; ls /dev/shm | grep "
             "tessera; "
             "exit $status"});
    EXPECT_EQ(result.out, "4 ranks\n");
    expectError(result, signal == std::string("TERM")
                            ? "stopped by signal 15 (Terminated)"
                            : "stopped by signal 1 (Hangup)");
  }
}

TEST_F(SocketsRun, StrangersAreRefused) {
  auto results = launch("", {"TESSERA_JOB_SECRET=a TESSERA_START_TIMEOUT=2",
                             "TESSERA_JOB_SECRET=a", "TESSERA_JOB_SECRET=b",
                             "TESSERA_JOB_SECRET=a"});
  EXPECT_EQ(results[0].status, 1);
  EXPECT_NE(
      results[0].err.find("tessera-run: refused 127.0.0.1, which does not "
                          "know the job's secret\n"),
      std::string::npos)
      << results[0].err;
  EXPECT_NE(results[0].err.find("error: waited 2 s for rank 2 to start"),
            std::string::npos)
      << results[0].err;
  expectError(results[2],
              "rank 0 refuses this process: it does not know the job's secret, "
              "TESSERA_JOB_SECRET",
              1);
}

TEST_F(SocketsRun, TooFewDescriptorsAreNoHang) {
  for (int limit : {13, 15, 19}) {
    CommandResult result = runCommand(
        {"sh", "-c",
         "ulimit -n " + std::to_string(limit) +
             "; TESSERA_START_TIMEOUT=10 timeout 30 " TESSERA_RUN " " + model +
             " --backend=sockets --inputs=" + inputs});
    EXPECT_TRUE(result.status == 0 || result.status == 1 || result.status == 4)
        << result.status;
    EXPECT_EQ(result.err.find("waiting"), std::string::npos) << result.err;
    EXPECT_TRUE(result.status == 0 ||
                result.err.find("Too many open files") != std::string::npos)
        << limit << ": " << result.err;
  }
}

/// A byte now and then keeps the door no longer than silence does.
TEST_F(SocketsRun, StrangersWhoSaySlowlyWhoTheyAreAreRefused) {
  int port = 20000 + getpid() * 7 % 9000;
  auto begin = std::chrono::steady_clock::now();
  auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  };
  std::thread stranger([&] {
    int stranger = -1;
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    do {
      close(stranger);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      stranger = socket(AF_INET, SOCK_STREAM, 0);
    } while (passed() < 20 &&
             connect(stranger, reinterpret_cast<sockaddr *>(&address),
                     sizeof address) != 0);
    while (passed() < 20 && ::send(stranger, "R", 1, MSG_NOSIGNAL) == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    close(stranger);
  });
  CommandResult result =
      run("", "RANK=0 WORLD_SIZE=4 TESSERA_START_TIMEOUT=1 MASTER_PORT=" +
                  std::to_string(port));
  stranger.join();
  EXPECT_LT(passed(), 15);
  EXPECT_NE(result.err.find("refused 127.0.0.1"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("waited 1 s for rank 1, 2, 3 to start"),
            std::string::npos)
      << result.err;
}

TEST_F(SocketsRun, ProcessesOfOtherJobsAreRefused) {
  auto results = launch("", {"TESSERA_JOB_ID=a TESSERA_START_TIMEOUT=1", "",
                             "TESSERA_JOB_ID=a", "TESSERA_JOB_ID=a"});
  expectError(results[1],
              "rank 0 is of job 'a' (generation 0), rank 1 of job '' "
              "(generation 0)",
              1);
  std::string number = "TESSERA_JOB_GENERATION=";
  expectError(launch("", {number, number, number, number})[0],
              "TESSERA_JOB_GENERATION: expected a number, got ''", 1);
  number += "x";
  expectError(launch("", {number, number, number, number})[1],
              "TESSERA_JOB_GENERATION: expected a number, got 'x'", 1);
  std::string longName = "TESSERA_JOB_ID=" + std::string(64, 'j');
  expectError(launch("", {longName, longName, longName, longName})[0],
              "TESSERA_JOB_ID: expected at most 63 characters, got 64", 1);
}

TEST_F(SocketsRun, AllMustRunOneProgram) {
  std::string other = path("other.tsx");
  buildStepModel(other);
  std::string source = readAll(other + ".c");
  source.replace(source.find("step.py:2:1"), 11, "step.py:3:1");
  std::ofstream(other + ".c") << source;
  linkModel(other);
  auto results = launch("", {"", "", "", ""}, {model, model, model, other});
  EXPECT_EQ(results[0].status, 1);
  EXPECT_TRUE(results[0].err.starts_with(
      "tessera-run: error: the processes run different programs: rank 0 one "
      "with checksum "))
      << results[0].err;
}

//===----------------------------------------------------------------------===//
// Checkpoints
//===----------------------------------------------------------------------===//

static void flipLastByte(const std::string &file) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(-1, std::ios::end);
  char byte = static_cast<char>(stream.get());
  stream.seekp(-1, std::ios::end);
  stream.put(static_cast<char>(byte ^ 1));
}

TEST_F(SocketsRun, GoesOnFromCheckpointsOfEitherBackEnd) {
  std::string checkpoint = " --resume --checkpoint=" + path("run");
  CommandResult begun = run("--steps=3 --every=1" + checkpoint);
  ASSERT_EQ(begun.status, 0) << begun.err;
  ASSERT_EQ(runCommand({TESSERA_RUN, model, "--inputs=" + inputs, "--steps=5",
                        "--resume", "--checkpoint=" + path("run")})
                .status,
            0);
  CommandResult last =
      run("--steps=7 --outputs=" + path("a.safetensors") + checkpoint);
  EXPECT_EQ(last.err, "tessera-run: resumed from " + path("run/step-5") + "\n");
  ASSERT_EQ(runCommand({TESSERA_RUN, model, "--inputs=" + inputs, "--steps=7",
                        "--outputs=" + path("b.safetensors")})
                .status,
            0);
  EXPECT_EQ(readAll(path("a.safetensors")), readAll(path("b.safetensors")));
}

TEST_F(SocketsRun, DamageThatAnotherProcessFindsIsNoticedByAll) {
  std::string checkpoint = " --resume --checkpoint=" + path("run");
  ASSERT_EQ(run("--steps=2" + checkpoint).status, 0);
  ASSERT_EQ(run("--steps=3" + checkpoint).status, 0);
  flipLastByte(path("run/step-3/rank-00003.safetensors"));
  CommandResult result = run("--steps=4" + checkpoint);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err,
            "tessera-run: warning: " + path("run/step-3") +
                ": the process of another rank cannot read its part; going "
                "back to " +
                path("run/step-2") + "\ntessera-run: resumed from " +
                path("run/step-2") + "\n");
  EXPECT_NE(result.out.find("step 3/4"), std::string::npos) << result.out;
  for (const char *step : {"run/step-2", "run/step-4"})
    flipLastByte(path(step) + "/rank-00001.safetensors");
  std::filesystem::remove_all(path("run/step-3"));
  result = run("--steps=5" + checkpoint);
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find(
                "error: " + path("run/step-2") +
                ": the process of another rank cannot read its part; there is "
                "no other checkpoint in " +
                path("run") + "\n"),
            std::string::npos)
      << result.err;
}

TEST_F(SocketsRun, PartThatCannotBeWrittenEndsAll) {
  insertAtBegin("  if (" + rankInC +
                " == 1) {\n"
                "    struct rlimit limit = {16, 16};\n"
                "    signal(SIGXFSZ, SIG_IGN);\n"
                "    setrlimit(RLIMIT_FSIZE, &limit);\n  }\n");
  // Behind the last step, and behind one of many.
  for (const char *steps : {"--steps=1", "--steps=1000000 --every=1"}) {
    CommandResult result =
        run(std::string(steps) + " --checkpoint=" + path("run"));
    EXPECT_EQ(result.status, 4);
    EXPECT_NE(result.err.find("rank-00001.safetensors: File too large"),
              std::string::npos)
        << result.err;
    EXPECT_EQ(result.err.find("error: "), result.err.rfind("error: "))
        << result.err;
  }
}

TEST_F(SocketsRun, ProcessesSeeOneFolderOfCheckpoints) {
  ASSERT_EQ(run("--steps=2 --checkpoint=" + path("one")).status, 0);
  ASSERT_EQ(run("--steps=3 --checkpoint=" + path("three")).status, 0);
  auto errorOf = [&](const std::string &mine, const std::string &theirs) {
    std::string own = model + " --checkpoint=" + path(mine);
    auto results =
        launch("--steps=9 --resume", {"", "", "", ""},
               {own, own, model + " --checkpoint=" + path(theirs), own});
    EXPECT_NE(results[0].status, 0);
    return results[0].err;
  };
  std::string expected = ": expected one folder for all processes; the latest "
                         "checkpoint is ";
  EXPECT_EQ(errorOf("one", "none"),
            "tessera-run: error: " + path("none") + expected +
                "that of step 2 for rank 0, none for another process\n");
  EXPECT_EQ(errorOf("one", "three"), "tessera-run: error: " + path("three") +
                                         expected +
                                         "that of step 2 for rank 0, that of "
                                         "step 3 for another process\n");
}
