//===- CudaRunTest.cpp - Processes with a GPU each ------------------------===//
//
// The back end `cuda` with a library that stands in for the driver and NCCL
// (StandIn.h): several processes that meet over TCP, as a launcher starts them.
//
//===----------------------------------------------------------------------===//

#include "GpuModel.h"
#include "TestModel.h"

#include "../../runtime/gpu/FloatExtremes.h"
#include "../../runtime/gpu/LibraryTransforms.h"
#include "tessera/Support/HostTensor.h"
#include "tessera/Support/TensorFile.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include <dlfcn.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::runtime::test;

namespace {
/// How one of the processes ended.
struct Process {
  int status;
  std::string out, err, log;
};

class CudaRun : public testing::Test {
protected:
  void SetUp() override {
    if (std::string(TESSERA_STANDIN_LIBRARIES).empty())
      GTEST_SKIP() << "no stand-in for the driver on this processor";
  }
  std::string path(const std::string &name) const { return folder.path(name); }

  static std::string readAll(const std::string &file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  /// Runs `count` processes of the model at once, process i with variables[i]
  /// too.
  std::vector<Process> launch(int count, const std::string &arguments,
                              std::vector<std::string> variables = {},
                              int worldSize = 0) {
    static int jobs = 0;
    variables.resize(count);
    std::string port = std::to_string(20000 + (getpid() * 17 + jobs++) % 9000);
    std::string script;
    for (int i = 0; i < count; ++i) {
      std::string number = std::to_string(i);
      script += "(env LD_LIBRARY_PATH=" TESSERA_STANDIN_LIBRARIES
                " TESSERA_STANDIN_FOLDER=" +
                folder.path(".") +
                " TESSERA_STANDIN_LOG=" + path("log" + number) +
                " TESSERA_STANDIN_DEVICES=" + std::to_string(count) +
                " TESSERA_EMULATED_ARCH=80 ";
      if (isMpi)
        script +=
            "PMI_RANK=" + number + " PMI_SIZE=" + std::to_string(count) + " ";
      else if (count > 1 || worldSize > 1)
        script += "RANK=" + number + " LOCAL_RANK=" + number + " WORLD_SIZE=" +
                  std::to_string(worldSize ? worldSize : count) +
                  " MASTER_ADDR=127.0.0.1 MASTER_PORT=" + port + " ";
      script += variables[i] + " " TESSERA_RUN " " + path("gpu.tsx") +
                " --backend=cuda " + arguments + " >" + path("out" + number) +
                " 2>" + path("err" + number) + "; echo $? >" +
                path("status" + number) + ") &\n";
    }
    runCommand({"sh", "-c", script + "wait\n"});
    std::vector<Process> processes;
    for (int i = 0; i < count; ++i) {
      std::string number = std::to_string(i);
      processes.push_back({std::atoi(readAll(path("status" + number)).c_str()),
                           readAll(path("out" + number)),
                           readAll(path("err" + number)),
                           readAll(path("log" + number))});
    }
    return processes;
  }

  std::string inputs(int64_t elements) {
    HostTensor tensor(ElementType::F32, {elements});
    for (int64_t i = 0; i < elements; ++i)
      tensor.setFromDouble(i, static_cast<double>(i + 1));
    std::string file = path("x.safetensors");
    EXPECT_TRUE(writeTensorFile(file, {{"x", tensor}}));
    return "--inputs=" + file + " --outputs=" + path("y.safetensors") + " ";
  }
  std::vector<double> outputs() {
    auto tensors = readTensorFile(path("y.safetensors"));
    std::vector<double> values;
    EXPECT_TRUE(tensors);
    for (int64_t i = 0; tensors && i < (*tensors)[0].tensor.elementCount(); ++i)
      values.push_back((*tensors)[0].tensor.toDouble(i));
    return values;
  }

  /// Both processes end with 4, and the first one alone says why.
  void expectFailure(const std::vector<Process> &processes,
                     const std::string &message) {
    EXPECT_EQ(processes[0].err, "tessera-run: error: " + message + "\n");
    for (const Process &process : processes)
      EXPECT_EQ(process.status, 4) << process.err;
    for (size_t i = 1; i < processes.size(); ++i)
      EXPECT_EQ(processes[i].err, "");
  }

  TemporaryFolder folder;
  std::string model = path("gpu.tsx");
  /// Whether `launch` does as a launcher of MPI does, which says nothing of
  /// where to meet.
  bool isMpi = false;
};
} // namespace

/// The part of a log that is about NCCL, without the names of calls that only
/// ask.
static std::vector<std::string> ncclCalls(const std::string &log) {
  std::vector<std::string> calls;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("nccl") || line.starts_with("  ") ||
        line.starts_with("communicator"))
      calls.push_back(line);
  return calls;
}

static int64_t countIn(const std::string &text, const std::string &what) {
  int64_t count = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

TEST_F(CudaRun, OneProcessNeedsNoLauncherAndNoNccl) {
  buildGpuModel(model, 1);
  Process process = launch(1, inputs(4) + "--steps=3")[0];
  ASSERT_EQ(process.status, 0) << process.err;
  EXPECT_EQ(outputs(), (std::vector<double>{8, 16, 24, 32}));
  EXPECT_TRUE(ncclCalls(process.log).empty());
  // The second step is recorded, and launched twice.
  EXPECT_EQ(countIn(process.log, "cuGraphLaunch\n"), 2);
  EXPECT_EQ(countIn(process.log, "cuLaunchKernel\n"), 2);
}

TEST_F(CudaRun, ProcessesExchangeAndTheFirstOneReports) {
  buildGpuModel(model, 2);
  std::vector<Process> processes = launch(2, inputs(8) + "--steps=2");
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  EXPECT_EQ(processes[1].status, 0) << processes[1].err;
  // x and the sum of both shards, twice.
  EXPECT_EQ(outputs(), (std::vector<double>{25, 34, 43, 52, 29, 38, 47, 56}));
  EXPECT_NE(processes[0].out.find("2 steps on 2 ranks"), std::string::npos);
  EXPECT_EQ(processes[1].out + processes[1].err, "");
  for (int rank : {0, 1}) {
    std::vector<std::string> expected = {
        "ncclCommInitRank",
        "communicator of 2, position " + std::to_string(rank),
        "ncclAllReduce",
        "  4 x f32, reduction 0, root 0, 2 members",
        "ncclAllReduce",
        "  4 x f32, reduction 0, root 0, 2 members",
        "ncclCommDestroy"};
    if (rank == 0)
      expected.insert(expected.begin(), "ncclGetUniqueId");
    EXPECT_EQ(ncclCalls(processes[rank].log), expected);
  }
}

// Each process writes the pieces of its rank, and reads its own.
TEST_F(CudaRun, ProcessesKeepOneCheckpoint) {
  buildGpuModel(model, 2);
  std::string checkpoint = "--checkpoint=" + path("run") + " --resume ";
  std::vector<Process> processes =
      launch(2, inputs(8) + checkpoint + "--steps=2");
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  EXPECT_EQ(processes[1].status, 0) << processes[1].err;
  EXPECT_EQ(processes[1].out + processes[1].err, "");
  for (const char *file :
       {"rank-00000.safetensors", "rank-00001.safetensors"}) {
    auto pieces = readTensorFile(path("run/step-2/") + file);
    ASSERT_TRUE(pieces) << pieces.message();
    EXPECT_EQ((*pieces)[0].tensor.describeType(), "f32[4]");
  }
  processes = launch(2, inputs(8) + checkpoint + "--steps=3");
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  EXPECT_EQ(processes[0].err,
            "tessera-run: resumed from " + path("run/step-2") + "\n");
  std::vector<double> resumed = outputs();
  launch(2, inputs(8) + "--steps=3");
  EXPECT_EQ(resumed, outputs());
}

TEST_F(CudaRun, EventsOrderCollectivesAndKernels) {
  buildGpuModel(model, 2);
  std::vector<Process> processes =
      launch(2, inputs(8), {"TESSERA_CUDA_GRAPHS=0", "TESSERA_CUDA_GRAPHS=0"});
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  std::string log = processes[0].log;
  // The communication stream waits, works, is marked; the kernel comes after a
  // wait for that mark.
  size_t reduce = log.find("ncclAllReduce\n"), kernel = log.find("cuLaunch");
  ASSERT_NE(reduce, std::string::npos);
  ASSERT_LT(reduce, kernel);
  std::string between = log.substr(reduce, kernel - reduce);
  EXPECT_EQ(countIn(between, "cuEventRecord\ncuStreamWaitEvent\n"), 1)
      << between;
}

TEST_F(CudaRun, MessagesGoOverChannels) {
  buildGpuChain(model);
  std::vector<Process> processes = launch(2, inputs(4) + "--steps=3");
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  EXPECT_EQ(processes[1].status, 0) << processes[1].err;
  EXPECT_EQ(outputs(), (std::vector<double>{2, 4, 6, 8}));
  EXPECT_EQ(countIn(processes[0].log, "  16 bytes to member 1\n"), 4);
  EXPECT_EQ(countIn(processes[1].log, "  16 bytes from member 0\n"), 4);
}

TEST_F(CudaRun, PermutesAndAllToAllsAreGroups) {
  buildGpuModel(model, 2, R"(
  static const int32_t targets[] = {1, -1};
  if (!status)
    status = tessera_rt_all_to_all(context, arguments[0], (char *)arena + 64, 8,
                                   0, -1, &plus);
  if (!status)
    status = tessera_rt_permute(context, (char *)arena + 64, results[0], 16,
                                targets, 0, -1, &plus);
)");
  std::vector<Process> processes = launch(2, inputs(8));
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  EXPECT_EQ(
      countIn(processes[0].log,
              "ncclGroupStart\nncclSend\n  8 bytes to member 0, in a "
              "group\nncclRecv\n  8 bytes from member 0, in a group\n"
              "ncclSend\n  8 bytes to member 1, in a group\nncclRecv\n  8 "
              "bytes from member 1, in a group\nncclGroupEnd\n"),
      1)
      << processes[0].log;
  // Rank 0 gets zeros, rank 1 what rank 0 had after the exchange; then the sum
  // is added.
  std::vector<double> shards[] = {{0, 0, 0, 0}, {1, 2, 5, 6}};
  std::vector<double> expected;
  for (const auto &shard : shards)
    for (int i = 0; i < 4; ++i)
      expected.push_back(shard[i] + shards[0][i] + shards[1][i]);
  EXPECT_EQ(outputs(), expected);
}

TEST_F(CudaRun, DifferencesAreTheStatusOfAll) {
  buildGpuModel(model, 2);
  inputs(8);
  std::vector<Process> processes =
      launch(2, "--random --expect=" + path("expected.safetensors"));
  EXPECT_EQ(processes[0].status, 1);
  HostTensor wrong(ElementType::F32, {8});
  ASSERT_TRUE(writeTensorFile(path("expected.safetensors"), {{"y", wrong}}));
  processes = launch(2, "--random --expect=" + path("expected.safetensors"));
  EXPECT_EQ(processes[0].status, 3) << processes[0].err;
  EXPECT_EQ(processes[1].status, 3);
  EXPECT_EQ(processes[1].err, "");
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST_F(CudaRun, MissingDriverIsSaid) {
  if (dlopen("libcuda.so.1", RTLD_LAZY))
    GTEST_SKIP() << "this machine has a driver";
  buildGpuModel(model, 1);
  CommandResult result =
      runCommand({TESSERA_RUN, model, "--backend=cuda", "--random"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(
      result.err.starts_with("tessera-run: error: back end 'cuda' needs "
                             "the NVIDIA driver: libcuda.so.1: "))
      << result.err;
}

TEST_F(CudaRun, ProcessesMustBeAsManyAsRanks) {
  buildGpuModel(model, 2);
  Process process = launch(1, "--random")[0];
  EXPECT_EQ(process.status, 1);
  EXPECT_EQ(process.err,
            "tessera-run: error: expected 2 processes, one for each rank, got "
            "1; start them with torchrun, srun or mpirun\n");
  buildGpuModel(model, 1);
  for (const Process &each : launch(3, "--random"))
    EXPECT_NE(each.err.find("expected 1 process, got 3; start them with "
                            "torchrun, srun or mpirun"),
              std::string::npos)
        << each.err;
}

TEST_F(CudaRun, MachinesMustHaveTheGpus) {
  buildGpuModel(model, 1);
  Process process = launch(1, "--random", {"TESSERA_STANDIN_DEVICES=0"})[0];
  EXPECT_EQ(process.status, 1);
  EXPECT_EQ(process.err, "tessera-run: error: rank 0: expected at least 1 GPU "
                         "on this machine, got 0\n");
}

TEST_F(CudaRun, RankThatNeverStartsIsNamed) {
  buildGpuModel(model, 2);
  Process process = launch(1, "--random", {"TESSERA_START_TIMEOUT=0.5"}, 2)[0];
  EXPECT_EQ(process.status, 1);
  EXPECT_TRUE(process.err.ends_with(
      "tessera-run: error: waited 0.5 s for rank 1 to start\n"))
      << process.err;
  EXPECT_TRUE(process.err.starts_with(
      "tessera-run: waiting for rank 1 to start (0 of 0.5 s)\n"))
      << process.err;
}

// Loading is not what the time-out is for: the first step begins when all are
// there, and whoever waits learns for whom.
TEST_F(CudaRun, RanksThatLoadSlowlyAreNotTakenForHanging) {
  buildGpuModel(model, 2);
  std::string slow = "TESSERA_STANDIN_DELAY=cuModuleLoadDataEx=4";
  for (int late : {0, 1}) {
    std::vector<std::string> variables(2, "TESSERA_START_TIMEOUT=20");
    variables[late] += " " + slow;
    std::vector<Process> processes =
        launch(2, inputs(8) + "--timeout=2", variables);
    ASSERT_EQ(processes[0].status, 0) << processes[0].err;
    EXPECT_EQ(processes[1].status, 0) << processes[1].err;
    EXPECT_EQ(outputs(), (std::vector<double>{7, 10, 13, 16, 11, 14, 17, 20}));
    if (late == 1)
      EXPECT_NE(processes[0].err.find(
                    "tessera-run: waiting for rank 1 to load the program ("),
                std::string::npos)
          << processes[0].err;
  }
}

// Nobody waits for it.
TEST_F(CudaRun, RankThatCannotLoadEndsTheOthers) {
  buildGpuModel(model, 3);
  for (int broken : {0, 2}) {
    std::vector<std::string> variables(3);
    variables[broken] = "TESSERA_STANDIN_FAIL=cuModuleLoadDataEx=209";
    std::vector<Process> processes = launch(3, inputs(12), variables);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(processes[i].status, i == broken ? 1 : 4) << processes[i].err;
    std::string why = "tessera-run: error: rank " + std::to_string(broken) +
                      ": module 0 for sm_80 cannot be loaded on device " +
                      std::to_string(broken);
    EXPECT_TRUE(processes[0].err.starts_with(why)) << processes[0].err;
    EXPECT_TRUE(processes[broken].err.starts_with(why))
        << processes[broken].err;
  }
}

TEST_F(CudaRun, RankThatLeavesBeforeTheFirstStepIsNamed) {
  buildGpuModel(model, 2);
  for (int broken : {0, 1}) {
    std::vector<std::string> variables(2);
    variables[broken] = "TESSERA_STANDIN_FAIL=cuMemsetD8Async=2";
    std::vector<Process> processes = launch(2, inputs(8), variables);
    for (const Process &process : processes)
      EXPECT_EQ(process.status, 4) << process.err;
    EXPECT_EQ(processes[broken].err, "tessera-run: error: rank " +
                                         std::to_string(broken) +
                                         ": not enough memory\n");
    if (broken == 1)
      EXPECT_EQ(processes[0].err,
                "tessera-run: error: the process of rank 1 has ended\n");
  }
}

TEST_F(CudaRun, RankThatNeverFinishesLoadingIsNamed) {
  buildGpuModel(model, 2);
  std::string patience = "TESSERA_START_TIMEOUT=5 ";
  std::vector<Process> processes =
      launch(2, inputs(8),
             {patience, patience + "TESSERA_STANDIN_DELAY="
                                   "cuModuleLoadDataEx=8"});
  EXPECT_EQ(processes[0].status, 4);
  EXPECT_TRUE(processes[0].err.ends_with(
      "error: waited 5 s for rank 1 to load the program\n"))
      << processes[0].err;
  EXPECT_EQ(processes[1].status, 4);
}

TEST_F(CudaRun, ErrorsOfNcclNameRankAndOperation) {
  buildGpuModel(model, 2);
  expectFailure(
      launch(2, "--random", {"", "TESSERA_STANDIN_FAIL=ncclAllReduce=2"}),
      "rank 1: all_reduce 'sum' at gpu.py:1:1: NCCL: unhandled "
      "system error: the stand-in was told so");
}

TEST_F(CudaRun, ErrorsThatNcclNoticesLaterEndTheWait) {
  buildGpuModel(model, 2);
  std::string hang = "TESSERA_STANDIN_HANG=ncclAllReduce ";
  expectFailure(launch(2, "--random", {hang, hang + "TESSERA_STANDIN_ERROR=6"}),
                "rank 1: NCCL: remote error: the stand-in was told so");
}

TEST_F(CudaRun, CollectiveThatHangsIsATimeout) {
  buildGpuModel(model, 2);
  std::vector<Process> processes = launch(
      2, "--random --timeout=1", {"", "TESSERA_STANDIN_HANG=ncclAllReduce"});
  std::string err = processes[0].err;
  EXPECT_NE(err.find(" waited 1 s in all_reduce 'sum' at gpu.py:1:1 for other "
                     "ranks\n"),
            std::string::npos)
      << err;
  EXPECT_EQ(processes[0].status, 4);
  EXPECT_EQ(processes[1].status, 4);
  EXPECT_EQ(processes[1].err, "");
  EXPECT_EQ(countIn(processes[0].log, "ncclCommAbort\n"), 1);
}

// NCCL itself drops NaN. Here the second rank has one.
TEST_F(CudaRun, MaximaOfFloatsAreReducedAsIntegers) {
  buildGpuModel(model, 2, R"(
  if (tessera_rt_axis_index(context, 0) == 1)
    status = tessera_rt_write(context, "\xff\xff\xff\xff", arguments[0], 4);
  if (!status)
    status = tessera_rt_all_reduce(context, arguments[0], results[0], 4,
                                   TESSERA_F32, TESSERA_MAX, 0, -1, &plus);
  if (!status)
    return 0;
)");
  std::vector<Process> processes = launch(2, inputs(8));
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  std::vector<double> values = outputs();
  for (int i = 0; i < 8; ++i)
    if (i % 4 == 0)
      EXPECT_TRUE(std::isnan(values[i])) << values[i];
    else
      EXPECT_EQ(values[i], i % 4 + 5);
  EXPECT_EQ(countIn(processes[0].log,
                    "ncclAllReduce\n  4 x i32, reduction 3, root 0"),
            1)
      << processes[0].log;
}

// What is run through the emulator assembles too.
TEST(RuntimeKernels, Assemble) {
  std::string ptxas = "/usr/local/cuda/bin/ptxas";
  if (runCommand({"sh", "-c", "command -v ptxas"}).status == 0)
    ptxas = "ptxas";
  else if (!std::ifstream(ptxas))
    GTEST_SKIP() << "no ptxas on this machine";
  TemporaryFolder folder;
  std::string file = folder.path("kernels.ptx");
  std::ofstream(file) << gpu::FloatExtremes::kernelText();
  std::string transforms = folder.path("transforms.ptx");
  std::ofstream(transforms) << gpu::LibraryTransforms::kernelText();
  for (const char *arch : {"sm_80", "sm_90a", "sm_100"}) {
    for (auto [text, kernels] : {std::pair(file, 4), {transforms, 6}}) {
      CommandResult result = runCommand(
          {"sh", "-c",
           ptxas + " -v -arch=" + arch + " -o /dev/null " + text + " 2>&1"});
      EXPECT_EQ(result.status, 0) << result.out;
      EXPECT_EQ(countIn(result.out, " 0 bytes spill stores"), kernels)
          << result.out;
    }
  }
}

TEST_F(CudaRun, CubinsAreForTheirDeviceAndPtxForTheOthers) {
  std::string refused = R"({0, 80, ptx, "a cubin of a newer compiler", 28})";
  buildGpuModel(model, 1, "", "", refused);
  for (auto [arch, loads] : {std::pair("80", 2), {"90", 1}, {"100", 1}}) {
    std::remove(path("log0").c_str());
    Process process =
        launch(1, inputs(4), {std::string("TESSERA_EMULATED_ARCH=") + arch})[0];
    EXPECT_EQ(process.status, 0) << process.err;
    EXPECT_EQ(countIn(process.log, "cuModuleLoadDataEx\n"), loads) << arch;
  }
  // The best code of each module is loaded, and nothing else.
  buildGpuModel(model, 1, "", "",
                "{0, 80, ptx, 0, 0}, {1, 90, ptx, 0, 0}, "
                "{1, 80, ptx, 0, 0}");
  std::remove(path("log0").c_str());
  Process process = launch(1, inputs(4), {"TESSERA_EMULATED_ARCH=90"})[0];
  EXPECT_EQ(process.status, 0) << process.err;
  EXPECT_EQ(countIn(process.log, "cuModuleLoadDataEx\n"), 2);
}

// NCCL ends no communicator that a graph still uses.
TEST_F(CudaRun, GraphsEndBeforeCommunicators) {
  buildGpuModel(model, 2);
  for (bool hangs : {false, true}) {
    std::string hang = hangs ? "TESSERA_STANDIN_HANG=ncclAllReduce@4" : "";
    std::string arguments = inputs(8) + "--steps=5 --timeout=1";
    std::vector<Process> processes = launch(2, arguments, {hang, hang});
    EXPECT_EQ(processes[0].status, hangs ? 4 : 0) << processes[0].err;
    for (const Process &process : processes) {
      size_t graph = process.log.rfind("cuGraphExecDestroy\n");
      size_t end =
          process.log.find(hangs ? "ncclCommAbort\n" : "ncclCommDestroy\n");
      ASSERT_NE(graph, std::string::npos);
      ASSERT_NE(end, std::string::npos);
      EXPECT_LT(graph, end);
      std::remove(path("log0").c_str());
      std::remove(path("log1").c_str());
    }
  }
}

// NCCL does not see it: it hangs, or gives something.
TEST_F(CudaRun, MismatchedCollectivesAreNamed) {
  std::string hang = "TESSERA_STANDIN_HANG=ncclAllReduce";
  for (bool isStarted : {false, true}) {
    std::string number = isStarted ? "0" : "-1";
    buildGpuModel(model, 2,
                  R"(
  static const TesseraSite other = {"other", "gpu.py:3:1"};
  if (tessera_rt_axis_index(context, 0) == 1) {
    status = tessera_rt_all_reduce(context, arguments[0], arena, 3, TESSERA_F32,
                                   TESSERA_MAX, 0, )" +
                      number + R"(, &other);
    if (status || )" + number +
                      R"( < 0)
      return status;
    return tessera_rt_wait(context, 0, &other);
  }
)");
    expectFailure(launch(2, "--random --timeout=60", {hang, hang}),
                  "mismatched collectives: rank 0 calls all_reduce 'sum' at "
                  "gpu.py:1:1 (4 x f32, sum), rank 1 calls all_reduce 'other' "
                  "at gpu.py:3:1 (3 x f32, max)");
  }
}

// As under `srun --gpus-per-task=1`: the local rank counts processes, not GPUs.
TEST_F(CudaRun, ProcessesMayBeShownTheirOwnGpuOnly) {
  buildGpuModel(model, 2);
  std::string own = "TESSERA_STANDIN_DEVICES=1 CUDA_VISIBLE_DEVICES=0";
  for (const Process &process : launch(2, "--random", {own, own}))
    EXPECT_EQ(process.status, 0) << process.err;
}

/// Starts a sum with future 0 on both ranks.
static const char *const startedSum = R"(
  static const TesseraSite late = {"late", "gpu.py:3:1"};
  int64_t rank = tessera_rt_axis_index(context, 0);
  status = tessera_rt_all_reduce(context, arguments[0], arena, 4, TESSERA_F32,
                                 TESSERA_SUM, 0, 0, &sum);
)";

// As FutureFailures of FutureConformanceTest.cpp, where members are processes
// that only time tells from slow ones.
TEST_F(CudaRun, StartedCollectiveThatAMemberLacksIsATimeout) {
  buildGpuModel(model, 2, std::string(startedSum) + R"(
  if (!status && rank == 0)
    status = tessera_rt_all_reduce(context, arguments[0], (char *)arena + 64, 4,
                                   TESSERA_F32, TESSERA_SUM, 0, 1, &late);
  if (!status && rank == 0)
    status = tessera_rt_wait(context, 1, &late);
  return status ? status : tessera_rt_wait(context, 0, &sum);
)");
  expectFailure(launch(2, "--random --timeout=1"),
                "rank 0 waited 1 s in all_reduce 'late' at gpu.py:3:1 for "
                "other ranks");
}

TEST_F(CudaRun, RankThatGivesUpReleasesThoseThatWaitForFutures) {
  buildGpuModel(model, 2, std::string(startedSum) + R"(
  if (!status && rank == 1)
    return 7;
  return status ? status : tessera_rt_wait(context, 0, &sum);
)");
  std::vector<Process> processes = launch(
      2, "--random --timeout=60", {"TESSERA_STANDIN_HANG=ncclAllReduce", ""});
  expectFailure(processes, "rank 1 returned status 7; it is after all_reduce "
                           "'sum' at gpu.py:1:1");
}

TEST_F(CudaRun, StartedCollectiveThatNobodyWaitsForIsNamed) {
  buildGpuModel(model, 2, std::string(startedSum) + "return status;");
  std::vector<Process> processes = launch(2, "--random");
  EXPECT_NE(processes[0].err.find(": all_reduce 'sum' at gpu.py:1:1: was "
                                  "started, and nobody has waited for it\n"),
            std::string::npos)
      << processes[0].err;
  EXPECT_EQ(processes[0].status, 4);
  EXPECT_EQ(processes[1].status, 4);
}

TEST_F(CudaRun, ProcessThatDiesEndsTheOthers) {
  buildGpuModel(model, 2, R"(
  if (tessera_rt_axis_index(context, 0) == 1)
    *(volatile int *)8 = 0;
)");
  std::vector<Process> processes = launch(2, "--random");
  EXPECT_EQ(processes[0].err,
            "tessera-run: error: the process of rank 1 has ended\n");
  EXPECT_EQ(processes[0].status, 4);
}

TEST_F(CudaRun, FailingDriverCallIsNamed) {
  buildGpuModel(model, 1);
  Process process =
      launch(1, "--random", {"TESSERA_STANDIN_FAIL=cuLaunchKernel=1"})[0];
  EXPECT_EQ(process.status, 4);
  EXPECT_TRUE(process.err.starts_with(
      "tessera-run: error: rank 0: kernel 'add' at gpu.py:2:1: function 'add': "
      "CUDA_ERROR_INVALID_VALUE"))
      << process.err;
}

//===----------------------------------------------------------------------===//
// Products by cuBLASLt
//===----------------------------------------------------------------------===//

/// y = x^T x + b as a library step, of x's first 4 elements as a 2 x 2 matrix
/// and b = (x[0], x[1]).
static const char *const libraryProduct = R"(
  static const TesseraLibraryStep step = {
    1, 2, 2, 2, {0, TESSERA_F32, 1, 0, 0, 2, 0}, {0, TESSERA_F32, 0, 0, 0, 2, 0},
    {1, TESSERA_F32, 0, 0, 16, 2, 0}, 0, 0, 2, 0, 512};
  static const TesseraGridStep product_steps[] = {
    {0, {0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, &step}};
  static const TesseraGpuVariant product_variants[] = {{80, 0, product_steps, 1, 0}};
  static const TesseraGpuKernel product = {product_variants, 1, 0};
  void *product_buffers[] = {arguments[0], arena, (char *)arena + 512};
  if (!status)
    status = tessera_rt_launch_grid(context, &product, product_buffers, &plus);
  if (!status)
    status = tessera_rt_copy(context, (char *)arena + 16, results[0], 16, 0);
  return status;
)";

/// The lines about cuBLASLt.
static std::vector<std::string> libraryCalls(const std::string &log) {
  std::vector<std::string> calls;
  std::istringstream lines(log);
  bool isWithin = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  "))
      isWithin = line.starts_with("cublasLt");
    if (isWithin)
      calls.push_back(line);
  }
  return calls;
}

TEST_F(CudaRun, LibraryIsToldOfTheTransposedProduct) {
  buildGpuModel(model, 1, libraryProduct);
  auto processes = launch(1, inputs(4) + "--steps=1");
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  EXPECT_EQ(outputs(), (std::vector<double>{11, 16, 15, 22}));
  // A is the right operand as it lies there, B the left one transposed, which
  // it is no more than once: column-major memory of x is x^T.
  EXPECT_EQ(libraryCalls(processes[0].log),
            (std::vector<std::string>{
                "cublasLtCreate",
                "cublasLtMatmulDescCreate",
                "  compute 68, scale 0",
                "cublasLtMatmulDescSetAttribute",
                "  attribute 3 = 0",
                "cublasLtMatmulDescSetAttribute",
                "  attribute 4 = 1",
                "cublasLtMatmulDescSetAttribute",
                "  attribute 7 = 4",
                "cublasLtMatmulDescSetAttribute",
                "  attribute 8 = a pointer",
                "cublasLtMatrixLayoutCreate",
                "  type 0, 2 x 2, leading 2",
                "cublasLtMatrixLayoutCreate",
                "  type 0, 2 x 2, leading 2",
                "cublasLtMatrixLayoutCreate",
                "  type 0, 2 x 2, leading 2",
                "cublasLtMatmulPreferenceCreate",
                "cublasLtMatmulPreferenceSetAttribute",
                "  attribute 1 = 512",
                "cublasLtMatmulPreferenceSetAttribute",
                "  attribute 5 = 64",
                "cublasLtMatmulPreferenceSetAttribute",
                "  attribute 6 = 64",
                "cublasLtMatmulPreferenceSetAttribute",
                "  attribute 7 = 16",
                "cublasLtMatmulPreferenceSetAttribute",
                "  attribute 8 = 16",
                "cublasLtMatmulAlgoGetHeuristic",
                "cublasLtMatmulPreferenceDestroy",
                "cublasLtMatmulDescSetAttribute",
                "  attribute 8 = a pointer",
                "cublasLtMatmul",
                "cublasLtMatrixLayoutDestroy",
                "cublasLtMatrixLayoutDestroy",
                "cublasLtMatrixLayoutDestroy",
                "cublasLtMatmulDescDestroy",
                "cublasLtDestroy",
            }));
}

TEST_F(CudaRun, LibraryIsPreparedOnceAndRecorded) {
  buildGpuModel(model, 1, libraryProduct);
  auto processes = launch(1, inputs(4) + "--steps=5");
  ASSERT_EQ(processes[0].status, 0) << processes[0].err;
  std::vector<std::string> calls = libraryCalls(processes[0].log);
  auto count = [&](const std::string &name) {
    return std::count(calls.begin(), calls.end(), name);
  };
  EXPECT_EQ(count("cublasLtCreate"), 1);
  EXPECT_EQ(count("cublasLtMatmulAlgoGetHeuristic"), 1);
  // The first step, and the one that is recorded.
  EXPECT_EQ(count("cublasLtMatmul"), 2);
  // Programs without library steps do not load it.
  buildGpuModel(model, 1);
  std::remove(path("log0").c_str());
  processes = launch(1, inputs(4));
  EXPECT_EQ(processes[0].status, 0) << processes[0].err;
  EXPECT_EQ(processes[0].log.find("cublasLt"), std::string::npos);
}

TEST_F(CudaRun, LibraryErrorsNameTheKernel) {
  buildGpuModel(model, 1, libraryProduct);
  auto errorWith = [&](const std::string &variables) {
    return launch(1, inputs(4), {variables})[0].err;
  };
  std::string prefix =
      "tessera-run: error: rank 0: kernel 'add' at gpu.py:2:1: ";
  EXPECT_EQ(errorWith("TESSERA_STANDIN_FAIL=cublasLtMatmul=14"),
            prefix +
                "cuBLASLt: a product: CUBLAS_STATUS_INTERNAL_ERROR (14)\n");
  EXPECT_EQ(errorWith("TESSERA_STANDIN_FAIL=cublasLtCreate=14"),
            prefix +
                "cuBLASLt: cannot be started: CUBLAS_STATUS_INTERNAL_ERROR "
                "(14)\n");
  EXPECT_EQ(errorWith("TESSERA_STANDIN_FAIL=cublasLtMatmulAlgoGetHeuristic=15"),
            prefix + "cuBLASLt: the choice of an algorithm: "
                     "CUBLAS_STATUS_NOT_SUPPORTED (15)\n");
}

TEST_F(CudaRun, MissingLibraryIsNamed) {
  buildGpuModel(model, 1, libraryProduct);
  // Files that are no libraries hide those that this machine may have.
  std::string hidden = path("hidden");
  runCommand({"sh", "-c",
              "mkdir " + hidden + "; touch " + hidden + "/libcublasLt.so.12 " +
                  hidden + "/libcublasLt.so.13"});
  auto processes =
      launch(1, inputs(4),
             {"LD_LIBRARY_PATH=" + hidden + ":" TESSERA_STANDIN_LIBRARIES});
  EXPECT_EQ(processes[0].status, 4);
  std::string expected =
      "tessera-run: error: rank 0: kernel 'add' at gpu.py:2:1: back end 'cuda' "
      "needs cuBLASLt, which this program's tuning records chose: ";
  EXPECT_TRUE(processes[0].err.starts_with(expected)) << processes[0].err;
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

/// The slices of a rank on one of its tracks: `category name`.
static std::vector<std::string> slicesOn(const nlohmann::json &trace, int rank,
                                         int track) {
  std::vector<std::string> slices;
  for (const nlohmann::json &event : trace["traceEvents"])
    if (event["ph"] == "X" && event["pid"] == rank + 1 && event["tid"] == track)
      slices.push_back(std::string(event["cat"]) + " " +
                       std::string(event["name"]));
  return slices;
}

TEST_F(CudaRun, TracesShowEveryRank) {
  buildGpuModel(model, 2, R"(
  static const TesseraSite task = {"1F0", "schedule"};
  tessera_rt_begin_task(context, &task);
)",
                "tessera_rt_end_task(context);");
  auto processes = launch(
      2, inputs(8) + "--steps=3 --profile --trace=" + path("trace.json"));
  for (const Process &process : processes)
    ASSERT_EQ(process.status, 0) << process.err;
  nlohmann::json trace =
      nlohmann::json::parse(readAll(path("trace.json")), nullptr, false);
  ASSERT_FALSE(trace.is_discarded());
  auto thrice = [](std::vector<std::string> step) {
    std::vector<std::string> all;
    for (int i = 0; i < 3; ++i)
      all.insert(all.end(), step.begin(), step.end());
    return all;
  };
  for (int rank : {0, 1}) {
    EXPECT_EQ(slicesOn(trace, rank, 1), thrice({"task 1F0", "wait sum"}));
    EXPECT_EQ(slicesOn(trace, rank, 2), thrice({"kernel add"}));
    EXPECT_EQ(slicesOn(trace, rank, 3), thrice({"all_reduce sum"}));
  }
  // By one clock: every rank's events lie within the steps of rank 0, but for
  // what the clocks' difference may be wrong by.
  double begin = INFINITY, end = 0;
  for (const nlohmann::json &event : trace["traceEvents"])
    if (event["ph"] == "X" && event["pid"] == 0) {
      begin = std::min(begin, double(event["ts"]));
      end = std::max(end, double(event["ts"]) + double(event["dur"]));
    }
  constexpr double slack = 1e5; // Microseconds: machines that test are busy.
  for (const nlohmann::json &event : trace["traceEvents"])
    if (event["ph"] == "X" && event["pid"] == 2) {
      EXPECT_GE(double(event["ts"]), begin - slack);
      EXPECT_LE(double(event["ts"]) + double(event["dur"]), end + slack);
    }
  EXPECT_NE(processes[0].out.find("of 2 ranks in 3 steps, the mean\n"),
            std::string::npos)
      << processes[0].out;
}

//===----------------------------------------------------------------------===//
// Meeting by MPI
//===----------------------------------------------------------------------===//

/// What the program of buildGpuModel makes of 1, 2, ... on `ranks` ranks.
static std::vector<double> afterOneStep(int ranks) {
  std::vector<double> x(4 * ranks);
  for (int i = 0; i < 4 * ranks; ++i) {
    x[i] = i + 1;
    for (int rank = 0; rank < ranks; ++rank)
      x[i] += 4 * rank + i % 4 + 1;
  }
  return x;
}

TEST_F(CudaRun, ProcessesOfMpiLaunchersMeetWhereMpiSays) {
  isMpi = true;
  buildGpuModel(model, 3);
  auto processes = launch(3, inputs(12));
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(processes[i].status, 0) << processes[i].err;
    EXPECT_TRUE(std::ifstream(path("broadcast.ended" + std::to_string(i))));
  }
  EXPECT_EQ(outputs(), afterOneStep(3));
}

// It is not the launcher's: the variables count alone.
TEST_F(CudaRun, LibrariesOfAnotherMpiAreNotAsked) {
  isMpi = true;
  buildGpuModel(model, 2);
  std::string other = "TESSERA_STANDIN_MPI_SIZE=1";
  auto processes = launch(2, inputs(8), {other, other});
  for (const Process &process : processes)
    ASSERT_EQ(process.status, 0) << process.err;
  EXPECT_FALSE(std::ifstream(path("broadcast")));
  EXPECT_EQ(outputs(), afterOneStep(2));
}

TEST_F(CudaRun, OpenMpiMeetsByItself) {
  if (runCommand({"sh", "-c", "command -v mpirun"}).status)
    GTEST_SKIP() << "no mpirun on this machine";
  for (int ranks : {2, 4}) {
    buildGpuModel(model, ranks);
    std::string count = std::to_string(ranks);
    CommandResult result =
        runCommand({"sh", "-c",
                    "env LD_LIBRARY_PATH=" TESSERA_STANDIN_LIBRARIES
                    " TESSERA_STANDIN_FOLDER=" +
                        folder.path(".") + " TESSERA_STANDIN_DEVICES=" + count +
                        " TESSERA_EMULATED_ARCH=80 OMPI_ALLOW_RUN_AS_ROOT=1 "
                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                        "MPIEXEC_TIMEOUT=120 mpirun --oversubscribe -n " +
                        count + " " TESSERA_RUN " " + model +
                        " --backend=cuda " + inputs(4 * ranks)});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(outputs(), afterOneStep(ranks));
  }
}

// It fails as it does under other launchers, and mpirun ends with the status.
TEST_F(CudaRun, OpenMpiEndsWithTheStatusOfFailures) {
  if (runCommand({"sh", "-c", "command -v mpirun"}).status)
    GTEST_SKIP() << "no mpirun on this machine";
  buildGpuModel(model, 2);
  CommandResult result = runCommand(
      {"sh", "-c",
       "env LD_LIBRARY_PATH=" TESSERA_STANDIN_LIBRARIES
       " TESSERA_STANDIN_FOLDER=" +
           folder.path(".") +
           " TESSERA_STANDIN_DEVICES=2 TESSERA_EMULATED_ARCH=80 "
           "TESSERA_STANDIN_FAIL=ncclAllReduce=2 OMPI_ALLOW_RUN_AS_ROOT=1 "
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MPIEXEC_TIMEOUT=120 "
           "mpirun --oversubscribe -n 2 " TESSERA_RUN " " +
           model + " --backend=cuda " + inputs(8)});
  EXPECT_EQ(result.status, 4) << result.err;
  EXPECT_NE(result.err.find("all_reduce 'sum' at gpu.py:1:1: NCCL: unhandled "
                            "system error"),
            std::string::npos)
      << result.err;
}
