//===- EmulatedRunTest.cpp - Programs for GPUs on the emulated back end ---===//

#include "GpuModel.h"
#include "TestModel.h"

#include "tessera/Support/HostTensor.h"
#include "tessera/Support/TensorFile.h"

#include <bit>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::runtime::test;

namespace {
class EmulatedRun : public testing::Test {
protected:
  std::string path(const std::string &name) const { return folder.path(name); }

  CommandResult run(std::vector<std::string> arguments,
                    std::vector<std::string> variables = {}) {
    std::vector<std::string> command = {"env"};
    command.insert(command.end(), variables.begin(), variables.end());
    command.push_back(TESSERA_RUN);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return runCommand(command);
  }

  /// The only line of a run that must fail.
  std::string errorOf(int status, std::vector<std::string> arguments,
                      std::vector<std::string> variables = {}) {
    CommandResult result = run(std::move(arguments), std::move(variables));
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1)
        << result.err;
    std::string prefix = "tessera-run: error: ";
    EXPECT_TRUE(result.err.starts_with(prefix)) << result.err;
    return result.err.substr(prefix.size(),
                             result.err.size() - prefix.size() - 1);
  }

  /// Writes the tensor `name` of 1, 2, 3, ...
  std::string counting(const std::string &name, int64_t elements) {
    HostTensor tensor(ElementType::F32, {elements});
    for (int64_t i = 0; i < elements; ++i)
      tensor.setFromDouble(i, static_cast<double>(i + 1));
    std::string file = path(name + ".safetensors");
    EXPECT_TRUE(writeTensorFile(file, {{name, tensor}}));
    return file;
  }
  std::vector<double> resultIn(const std::string &file) {
    auto tensors = readTensorFile(file);
    EXPECT_TRUE(tensors);
    std::vector<double> values;
    for (int64_t i = 0; tensors && i < (*tensors)[0].tensor.elementCount(); ++i)
      values.push_back((*tensors)[0].tensor.toDouble(i));
    return values;
  }

  TemporaryFolder folder;
  std::string model = path("gpu.tsx");
};
} // namespace

/// What the program of buildGpuModel makes of 1, 2, ... on two ranks.
static std::vector<double> afterSteps(int steps) {
  std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int step = 0; step < steps; ++step)
    for (int i = 0; i < 4; ++i) {
      double sum = x[i] + x[i + 4];
      x[i] += sum;
      x[i + 4] += sum;
    }
  return x;
}

TEST_F(EmulatedRun, StepsAndGraphsGiveTheSame) {
  buildGpuModel(model, 2);
  for (const char *graphs : {"0", "1"}) {
    CommandResult result =
        run({model, "--backend=emulated", "--inputs=" + counting("x", 8),
             "--steps=4", "--outputs=" + path("y.safetensors")},
            {std::string("TESSERA_CUDA_GRAPHS=") + graphs});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(resultIn(path("y.safetensors")), afterSteps(4));
  }
}

TEST_F(EmulatedRun, ProgramsThatReadAreNotRecorded) {
  // Each step adds one to the first element by way of the host.
  buildGpuModel(model, 1, R"(
  float first = 0;
  status = tessera_rt_read(context, arguments[0], &first, 4);
  first += 1;
  if (!status)
    status = tessera_rt_write(context, &first, results[0], 4);
)");
  CommandResult result =
      run({model, "--backend=emulated", "--inputs=" + counting("x", 4),
           "--steps=3", "--outputs=" + path("y.safetensors")});
  ASSERT_EQ(result.status, 0) << result.err;
  std::vector<double> expected = {((1 + 1) * 2 + 1) * 2 + 1, 2, 3, 4};
  expected[0] *= 2;
  for (int i = 1; i < 4; ++i)
    expected[i] *= 8;
  EXPECT_EQ(resultIn(path("y.safetensors")), expected);
}

TEST_F(EmulatedRun, MessagesArriveOutOfOrderAndKeepTheirBytes) {
  buildGpuChain(model);
  CommandResult result =
      run({model, "--backend=emulated", "--inputs=" + counting("x", 4),
           "--steps=3", "--outputs=" + path("y.safetensors")});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(resultIn(path("y.safetensors")), (std::vector<double>{2, 4, 6, 8}));
}

TEST_F(EmulatedRun, ProfileKnowsKernelsAndCollectives) {
  buildGpuModel(model, 2);
  CommandResult result =
      run({model, "--backend=emulated", "--random", "--profile"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("  add, gpu.py:2:1\n"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("  all_reduce sum, gpu.py:1:1\n"),
            std::string::npos)
      << result.out;
}

TEST_F(EmulatedRun, TracesShowTasksAroundWhatIsInThem) {
  buildGpuModel(model, 2, R"(
  static const TesseraSite task = {"1F0", "schedule"};
  tessera_rt_begin_task(context, &task);
)",
                "tessera_rt_end_task(context);");
  CommandResult result = run({model, "--backend=emulated", "--random",
                              "--trace=" + path("trace.json")});
  ASSERT_EQ(result.status, 0) << result.err;
  std::ifstream file(path("trace.json"));
  nlohmann::json trace = nlohmann::json::parse(file, nullptr, false);
  ASSERT_FALSE(trace.is_discarded());
  for (int process : {1, 2}) {
    double begin = 0, end = 0;
    std::set<std::string> slices;
    for (const nlohmann::json &event : trace["traceEvents"]) {
      if (event["ph"] != "X" || event["pid"] != process)
        continue;
      slices.insert(std::string(event["cat"]) + " " +
                    std::string(event["name"]));
      double first = event["ts"], last = first + double(event["dur"]);
      if (event["cat"] == "task")
        std::tie(begin, end) = std::tuple(first, last);
      // The file has thousandths of microseconds.
      EXPECT_GE(first, begin - 1e-2);
      EXPECT_LE(last, end + 1e-2);
    }
    // The compute stream waits for what the communication stream does.
    EXPECT_EQ(slices, (std::set<std::string>{"task 1F0", "all_reduce sum",
                                             "wait sum", "kernel add"}));
  }
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST_F(EmulatedRun, AccessOutOfBoundsNamesKernelAndLine) {
  buildGpuModel(model, 1, "", R"(
  if (!status)
    status = tessera_rt_launch_grid(context, &far, buffers, &plus);
)");
  std::string error = errorOf(4, {model, "--backend=emulated", "--random"});
  EXPECT_TRUE(error.starts_with("rank 0: the device failed: ")) << error;
  EXPECT_NE(error.find("add"), std::string::npos) << error;
  EXPECT_NE(error.find("gpu.py:2"), std::string::npos) << error;
}

/// The kernel `add` (arena, results[0]) while the collective `sum` from `in` to
/// `out` is under way.
static std::string kernelBeside(const std::string &in, const std::string &out,
                                bool waits) {
  std::string wait = R"(
  if (!status)
    status = tessera_rt_wait(context, 0, &sum);
)",
              launch = R"(
  if (!status)
    status = tessera_rt_launch_grid(context, &add, buffers, &plus);
)";
  return R"(
  static const float zeros[4];
  for (int i = 0; i < 8 && !status; ++i)
    status = tessera_rt_write(context, zeros, (char *)arena + 8 * i, 8);
  if (!status)
    status = tessera_rt_all_reduce(context, )" +
         in + ", " + out + R"(, 4, TESSERA_F32, TESSERA_SUM, 0, 0, &sum);
)" + (waits ? wait + launch : launch + wait);
}

TEST_F(EmulatedRun, KernelsBesideCollectivesThatTouchTheirMemoryAreFaults) {
  struct {
    const char *in, *out;
  } collectives[] = {
      // The kernel reads what is written, writes what is read, and both.
      {"(char *)arena + 16", "arena"},
      {"results[0]", "(char *)arena + 16"},
      {"(char *)arena + 16", "results[0]"},
  };
  for (auto [in, out] : collectives) {
    buildGpuModel(model, 2, kernelBeside(in, out, /*waits=*/false));
    std::string error = errorOf(4, {model, "--backend=emulated", "--random"});
    for (const char *part :
         {"race", "kernel 'add' at gpu.py:2:1",
          "all_reduce 'sum' at gpu.py:1:1", "and no event orders them"})
      EXPECT_NE(error.find(part), std::string::npos) << error;
    buildGpuModel(model, 2, kernelBeside(in, out, /*waits=*/true));
    CommandResult result = run({model, "--backend=emulated", "--random"});
    EXPECT_EQ(result.status, 0) << result.err;
  }
}

TEST_F(EmulatedRun, KernelsBesideCollectivesMayReadWithThemAndWorkElsewhere) {
  for (const char *in : {"arena", "(char *)arena + 32"}) {
    buildGpuModel(model, 2,
                  kernelBeside(in, "(char *)arena + 16", /*waits=*/false));
    CommandResult result = run({model, "--backend=emulated", "--random"});
    EXPECT_EQ(result.status, 0) << result.err;
  }
}

TEST_F(EmulatedRun, RankThatLeavesIsADeadlock) {
  buildGpuModel(model, 2,
                "if (tessera_rt_axis_index(context, 0) == 1) return 0;");
  EXPECT_EQ(errorOf(4, {model, "--backend=emulated", "--random"}),
            "deadlock: rank 0 waits in all_reduce 'sum' at gpu.py:1:1 for rank "
            "1, which has finished");
}

TEST_F(EmulatedRun, ReductionsThatNcclLacksAreDoneOnTheHost) {
  buildGpuModel(model, 2, R"(
  if (!status)
    status = tessera_rt_all_reduce(context, arguments[0], results[0], 4,
                                   TESSERA_I32, TESSERA_XOR, 0, -1, &sum);
  if (!status)
    return 0;
)");
  CommandResult result =
      run({model, "--backend=emulated", "--inputs=" + counting("x", 8),
           "--outputs=" + path("y.safetensors")});
  ASSERT_EQ(result.status, 0) << result.err;
  auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
  std::vector<double> expected;
  for (int i = 0; i < 8; ++i)
    expected.push_back(
        std::bit_cast<float>(bits(float(i % 4 + 1)) ^ bits(float(i % 4 + 5))));
  EXPECT_EQ(resultIn(path("y.safetensors")), expected);
}

TEST_F(EmulatedRun, TargetsAndBackEndsMustFit) {
  buildGpuModel(model, 1);
  EXPECT_EQ(errorOf(1, {model, "--random"}),
            "compiled for target 'cuda', back end 'local' executes 'cpu'; use "
            "--backend=cuda or --backend=emulated");
  buildGpuChain(model);
  EXPECT_EQ(errorOf(1, {model, "--backend=local", "--random"}),
            "compiled for target 'cuda', back end 'local' executes 'cpu'; use "
            "--backend=cuda or --backend=emulated");
  buildStepModel(model);
  EXPECT_EQ(errorOf(1, {model, "--backend=emulated", "--random"}),
            "compiled for target 'cpu', back end 'emulated' executes 'cuda'; "
            "use --backend=local");
}

TEST_F(EmulatedRun, GuardsAreForThreadsOfThisMachine) {
  buildGpuModel(model, 1);
  EXPECT_EQ(errorOf(1, {model, "--backend=emulated", "--random", "--guards"}),
            "expected the back end 'local' for guards, got 'emulated'");
  buildGpuChain(model);
  EXPECT_EQ(errorOf(1, {model, "--backend=emulated", "--random", "--guards"}),
            "expected the back end 'local' for guards, got 'emulated'");
}

TEST_F(EmulatedRun, KernelsMustBeThere) {
  auto expectError = [&](const std::string &images, const char *architecture,
                         const std::string &expected) {
    buildGpuModel(model, 1, "", "", images);
    std::string error =
        errorOf(1, {model, "--backend=emulated", "--random"},
                {std::string("TESSERA_EMULATED_ARCH=") + architecture});
    EXPECT_NE(error.find(expected), std::string::npos) << error;
  };
  expectError("{0, 120, ptx, 0, 0}", "90",
              "the program has code for sm_120, which device 0");
  expectError("{0, 90, ptx, 0, 0}", "ninety",
              "TESSERA_EMULATED_ARCH: expected 80, 86, 89, 90, 100 or 120, got "
              "'ninety'");
  expectError(R"({0, 80, ".target sm_100\n", 0, 0})", "80",
              "the PTX is for sm_100, the device has capability 80");
  expectError(R"({0, 80, ".target sm_90a\n", 0, 0})", "100",
              "the PTX is for sm_90a, the device has capability 100");
}

TEST_F(EmulatedRun, DevicesMustRunTheCode) {
  buildGpuModel(model, 1, "", "", "{0, 90, ptx, 0, 0}");
  EXPECT_EQ(errorOf(1, {model, "--backend=emulated", "--random"},
                    {"TESSERA_EMULATED_ARCH=80"}),
            "rank 0: the program has code for sm_90a, which device 0, emulated "
            "GPU "
            "(compute capability 8.0) does not run");
  EXPECT_EQ(
      errorOf(1, {model, "--backend=emulated", "--random"},
              {"TESSERA_EMULATED_ARCH=70"}),
      "TESSERA_EMULATED_ARCH: expected 80, 86, 89, 90, 100 or 120, got '70'");
  buildGpuModel(model, 1, "", "", R"({0, 80, "nonsense", 0, 0})");
  std::string error = errorOf(1, {model, "--backend=emulated", "--random"},
                              {"TESSERA_EMULATED_ARCH=80"});
  EXPECT_TRUE(
      error.starts_with("rank 0: module 0 for sm_80 cannot be loaded on device "
                        "0, emulated GPU (compute capability 8.0): "))
      << error;
}

TEST_F(EmulatedRun, GpuProgramsNeedTheirImages) {
  buildGpuModel(model, 1);
  std::string source = model + ".c";
  std::string hide = "sed -i 's/tessera_gpu_image_count/hidden_count/' ";
  ASSERT_EQ(runCommand({"sh", "-c", hide + source}).status, 0);
  linkModel(model);
  EXPECT_EQ(errorOf(1, {model, "--backend=emulated", "--random"}),
            model + ": no code for GPUs, though the manifest says target "
                    "'cuda'");
}
