//===- ProgramTest.cpp - Loading and running models through the C ABI -----===//

#include "ProgramFixture.h"
#include "tessera/runtime.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>

using namespace tessera::runtime::test;

TEST_F(ProgramTest, StepsFeedDonatedArguments) {
  buildStepModel(folder.path("step.tsx"));
  TesseraProgram *program = load(folder.path("step.tsx"));
  EXPECT_EQ(tessera_program_ranks(program), 4);
  EXPECT_STREQ(tessera_program_mesh(program), "data=2,model=2");
  EXPECT_EQ(tessera_program_argument(program, 0)->donation, 1);
  EXPECT_EQ(tessera_program_argument(program, 1)->donation, -1);
  EXPECT_EQ(tessera_program_result(program, 1)->bytes, 96);
  for (int32_t threads : {1, 3}) {
    TesseraJobOptions options = {};
    options.threads = threads;
    TesseraJob *job = start(program, options);
    std::vector<float> w(24), x = {1, 10, 100, 1000}, updated(24);
    std::iota(w.begin(), w.end(), 0.f);
    ASSERT_EQ(tessera_job_set_argument(job, 0, w.data()), TESSERA_OK);
    ASSERT_EQ(tessera_job_set_argument(job, 1, x.data()), TESSERA_OK);
    for (int step = 0; step < 3; ++step) {
      ASSERT_EQ(tessera_job_step(job), TESSERA_OK) << tessera_error_message();
      float loss = 0;
      ASSERT_EQ(tessera_job_get_result(job, 0, &loss), TESSERA_OK);
      EXPECT_EQ(loss, std::accumulate(w.begin(), w.end(), 0.f));
      for (int i = 0; i < 24; ++i)
        w[i] += x[i / 6];
      ASSERT_EQ(tessera_job_get_result(job, 1, updated.data()), TESSERA_OK);
      EXPECT_EQ(updated, w);
    }
    tessera_job_destroy(job);
  }
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, PipelineRanksHoldWhatTheyUse) {
  buildChainModel(folder.path("chain.tsx"));
  TesseraProgram *program = load(folder.path("chain.tsx"));
  EXPECT_EQ(tessera_program_ranks(program), 4);
  EXPECT_STREQ(tessera_program_mesh(program), "2 x data=2");
  TesseraJobOptions options = {};
  options.record_events = true;
  TesseraJob *job = start(program, options);
  float w = 2, x[4] = {1, 10, 100, 1000};
  ASSERT_EQ(tessera_job_set_argument(job, 0, &w), TESSERA_OK);
  ASSERT_EQ(tessera_job_set_argument(job, 1, x), TESSERA_OK);
  for (int step = 0; step < 3; ++step) {
    ASSERT_EQ(tessera_job_step(job), TESSERA_OK) << tessera_error_message();
    float sum = 0, updated = 0;
    ASSERT_EQ(tessera_job_get_result(job, 0, &sum), TESSERA_OK);
    ASSERT_EQ(tessera_job_get_result(job, 1, &updated), TESSERA_OK);
    EXPECT_EQ(sum, 1111 * w);
    EXPECT_EQ(updated, w += 1);
  }
  auto kinds = [&](int32_t rank) {
    const TesseraEvent *events = nullptr;
    int64_t count = 0;
    tessera_job_events(job, rank, &events, &count);
    std::string text;
    for (int64_t i = 0; i < count / 3; ++i) {
      text += std::string(events[i].kind) + " " + events[i].name + ", ";
      EXPECT_LE(events[i].begin, events[i].end);
    }
    return text;
  };
  EXPECT_EQ(kinds(1), "task 0F0, send there, task 0F1, send there, ");
  EXPECT_EQ(kinds(3), "recv there, recv there, all_reduce sum, ");
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, RecordsEventsWhenAsked) {
  buildStepModel(folder.path("step.tsx"));
  TesseraProgram *program = load(folder.path("step.tsx"));
  for (bool record : {false, true}) {
    TesseraJobOptions options = {};
    options.record_events = record;
    TesseraJob *job = start(program, options);
    ASSERT_EQ(tessera_job_step(job), TESSERA_OK);
    for (int32_t rank = 0; rank < 4; ++rank) {
      const TesseraEvent *events = nullptr;
      int64_t count = 0;
      tessera_job_events(job, rank, &events, &count);
      ASSERT_EQ(count, record ? 2 : 0);
      if (!record)
        continue;
      EXPECT_STREQ(events[0].kind, "all_reduce");
      EXPECT_STREQ(events[0].location, "step.py:1:1");
      EXPECT_EQ(events[0].bytes, 4);
      EXPECT_STREQ(events[1].name, "add");
      EXPECT_LE(events[0].begin, events[0].end);
      EXPECT_LE(events[0].end, events[1].begin);
    }
    tessera_job_destroy(job);
  }
  tessera_program_destroy(program);
}

//===----------------------------------------------------------------------===//
// Calls on the caller's memory
//===----------------------------------------------------------------------===//

namespace {
/// What a call of the step model takes and gives: memory of the caller's that
/// begins `shift` floats behind a multiple of 64 bytes.
struct StepMemory {
  explicit StepMemory(int shift) {
    for (size_t i = 0; i < std::size(pieces); ++i)
      pieces[i] = memory + 64 * i + shift;
  }
  alignas(64) float memory[64 * 14];
  float *pieces[14];
};
} // namespace

TEST_F(ProgramTest, CallsReadAndWriteGlobalTensors) {
  buildStepModel(folder.path("step.tsx"));
  TesseraProgram *program = load(folder.path("step.tsx"));
  for (int shift : {0, 1})
    for (int32_t onDemand : {0, 1}) {
      TesseraJobOptions options = {};
      options.allocate_on_demand = onDemand;
      TesseraJob *job = start(program, options);
      StepMemory memory(shift);
      float *w = memory.pieces[0], *x = memory.pieces[1];
      float *loss = memory.pieces[2], *updated = memory.pieces[3];
      std::iota(w, w + 24, 0.f);
      for (int i = 0; i < 4; ++i)
        x[i] = static_cast<float>(i);
      const void *arguments[] = {w, x};
      void *results[] = {loss, updated};
      TesseraCall call = {sizeof call, arguments, nullptr, results, nullptr};
      for (int repetition = 0; repetition < 2; ++repetition) {
        ASSERT_EQ(tessera_job_call(job, &call), TESSERA_OK)
            << tessera_error_message();
        EXPECT_EQ(*loss, 276);
        for (int i = 0; i < 24; ++i) {
          EXPECT_EQ(w[i], i); // Not donated by the caller.
          EXPECT_EQ(updated[i], i + i / 6);
        }
      }
      // Again and again in one place.
      arguments[0] = updated;
      ASSERT_EQ(tessera_job_call(job, &call), TESSERA_OK);
      EXPECT_EQ(updated[23], 29);
      EXPECT_EQ(*loss, 276 + 36);
      // Then without the caller's memory.
      ASSERT_EQ(tessera_job_set_argument(job, 0, w), TESSERA_OK);
      ASSERT_EQ(tessera_job_set_argument(job, 1, x), TESSERA_OK);
      ASSERT_EQ(tessera_job_step(job), TESSERA_OK);
      ASSERT_EQ(tessera_job_get_result(job, 1, updated), TESSERA_OK);
      EXPECT_EQ(updated[23], 26);
      // What the call does not name comes from the job, and stays there.
      call.arguments = nullptr;
      void *onlyLoss[] = {loss, nullptr};
      call.results = onlyLoss;
      ASSERT_EQ(tessera_job_call(job, &call), TESSERA_OK);
      EXPECT_EQ(*loss, 276 + 36);
      ASSERT_EQ(tessera_job_get_result(job, 1, updated), TESSERA_OK);
      EXPECT_EQ(updated[23], 29);
      tessera_job_destroy(job);
    }
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, CallsReadAndWriteShards) {
  buildStepModel(folder.path("step.tsx"));
  TesseraProgram *program = load(folder.path("step.tsx"));
  for (int shift : {0, 1}) {
    TesseraJobOptions options = {};
    options.allocate_on_demand = 1;
    TesseraJob *job = start(program, options);
    StepMemory memory(shift);
    const void *arguments[8];
    void *results[8];
    for (int rank = 0; rank < 4; ++rank) {
      float *w = memory.pieces[rank], *x = memory.pieces[4 + rank % 2];
      arguments[rank] = w;
      arguments[4 + rank] = x;
      results[rank] = memory.pieces[6 + rank];
      results[4 + rank] = rank == 0 ? w : memory.pieces[10 + rank];
      std::iota(w, w + 6, 10.f * static_cast<float>(rank));
      x[0] = 1;
      x[1] = 2;
    }
    TesseraCall call = {sizeof call, nullptr, arguments, nullptr, results};
    ASSERT_EQ(tessera_job_call(job, &call), TESSERA_OK)
        << tessera_error_message();
    for (int rank = 0; rank < 4; ++rank) {
      EXPECT_EQ(*static_cast<float *>(results[rank]), 60 * 6 + 60);
      auto *updated = static_cast<float *>(results[4 + rank]);
      EXPECT_EQ(updated[2], 10 * rank + 2 + 1);
      EXPECT_EQ(updated[5], 10 * rank + 5 + 2);
      EXPECT_EQ(memory.pieces[rank][0], 10 * rank + (rank == 0));
    }
    tessera_job_destroy(job);
  }
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, CallsOfPipelineRanksTakeGlobalTensors) {
  buildChainModel(folder.path("chain.tsx"));
  TesseraProgram *program = load(folder.path("chain.tsx"));
  TesseraJob *job = start(program);
  float w = 3, x[] = {1, 2, 3, 4}, sum = 0, next = 0;
  const void *arguments[] = {&w, x};
  void *results[] = {&sum, &next};
  TesseraCall call = {sizeof call, arguments, nullptr, results, nullptr};
  ASSERT_EQ(tessera_job_call(job, &call), TESSERA_OK)
      << tessera_error_message();
  EXPECT_EQ(sum, 30);
  EXPECT_EQ(next, 4);
  EXPECT_EQ(w, 3);
  call.argument_shards = arguments;
  EXPECT_EQ(tessera_job_call(job, &call), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(),
               "expected global tensors for 2 pipeline ranks, got shards");
  call = {sizeof call, arguments, nullptr, results, results};
  EXPECT_EQ(tessera_job_call(job, &call), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(),
               "expected global tensors for 2 pipeline ranks, got shards");
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

/// A result whose value is the sum of what two ranks hold.
static std::string summandsManifest() {
  return manifestOf(R"([{"name": "data", "size": 2}])", "[]",
                    R"([{"name": "sum", "dtype": "f32", "shape": [],
                         "local_shape": [], "sharding": [],
                         "unreduced": [{"axis": "data"}], "reduction": "sum"}])");
}

TEST_F(ProgramTest, CallsWriteSumsAsAWholeOrAsShards) {
  buildModel(folder.path("m.tsx"), summandsManifest(),
             "int32_t tessera_main(TesseraContext *c, void *const *a,\n"
             "  void *const *r, void *s) {\n"
             "  *(float *)r[0] = 21; return 0;\n"
             "}\n");
  TesseraProgram *program = load(folder.path("m.tsx"));
  TesseraJob *job = start(program);
  alignas(64) float shards[2][16] = {};
  float sum = 0;
  void *results[] = {&sum}, *resultShards[] = {nullptr, shards[1]};
  TesseraCall call = {sizeof call, nullptr, nullptr, results, resultShards};
  EXPECT_EQ(tessera_job_call(job, &call), TESSERA_INVALID);
  EXPECT_STREQ(
      tessera_error_message(),
      "expected the global tensor of result 'sum' or its shards, got both");
  resultShards[0] = shards[0];
  EXPECT_EQ(tessera_job_call(job, &call), TESSERA_INVALID);
  EXPECT_STREQ(
      tessera_error_message(),
      "expected the global tensor of result 'sum' or its shards, got both");
  call.result_shards = nullptr;
  ASSERT_EQ(tessera_job_call(job, &call), TESSERA_OK)
      << tessera_error_message();
  EXPECT_EQ(sum, 42);
  call = {sizeof call, nullptr, nullptr, nullptr, resultShards};
  ASSERT_EQ(tessera_job_call(job, &call), TESSERA_OK)
      << tessera_error_message();
  EXPECT_EQ(shards[0][0], 21);
  EXPECT_EQ(shards[1][0], 21);
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, TheOnlyRankLeavesTheCallersThreadAsItWas) {
  buildModel(folder.path("m.tsx"),
             manifestOf(oneRank, "[]",
                        R"([{"name": "r", "dtype": "f32", "shape": [],
                             "local_shape": [], "sharding": []}])"),
             "int32_t tessera_main(TesseraContext *c, void *const *a,\n"
             "  void *const *r, void *s) {\n"
             "  volatile float tiny = 1e-38f;\n"
             "  *(float *)r[0] = tiny / 2;\n"
             "  return 0; }\n");
  TesseraProgram *program = load(folder.path("m.tsx"));
  TesseraJob *job = start(program);
  float value = 1;
  void *results[] = {&value};
  TesseraCall call = {sizeof call, nullptr, nullptr, results, nullptr};
  ASSERT_EQ(tessera_job_call(job, &call), TESSERA_OK);
  volatile float tiny = 1e-38f;
  EXPECT_EQ(value, 0);
  EXPECT_NE(tiny / 2, 0);
  char text[64] = "?";
  tessera_describe_thread(text, sizeof text);
  EXPECT_STREQ(text, "");
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, StepsCanBeInterrupted) {
  // Kernels and no end, or waiting for a rank that never comes.
  for (int size : {1, 2})
    for (const char *source :
         {"for (;;) if (tessera_rt_launch(c, kernel, 0, 1, 1, 0)) return 7;",
          "if (tessera_rt_axis_index(c, 0) == 0) for (;;)\n"
          "  if (tessera_rt_launch(c, kernel, 0, 1, 1, 0)) return 7;\n"
          "float in = 0, out;\n"
          "return tessera_rt_all_reduce(c, &in, &out, 1, 11, 0, 0, -1, 0);"}) {
      std::string path = folder.path("endless.tsx");
      buildModel(
          path,
          manifestOf(R"([{"name": "x", "size": )" + std::to_string(size) + "}]",
                     "[]", "[]", R"([[{"axis": "x"}]])"),
          std::string("static void kernel(void *const *b, int64_t i, "
                      "int64_t j) {}\n"
                      "int32_t tessera_main(TesseraContext *c, void "
                      "*const *a, void *const *r, void *s) {") +
              source + "}\n");
      TesseraProgram *program = load(path);
      int asked = 0;
      TesseraJobOptions options = {};
      options.interrupted = [](void *data) -> int32_t {
        return ++*static_cast<int *>(data) == 2;
      };
      options.interrupted_data = &asked;
      TesseraJob *job = start(program, options);
      EXPECT_EQ(tessera_job_step(job), TESSERA_FAILED);
      EXPECT_STREQ(tessera_error_message(), "interrupted");
      EXPECT_EQ(asked, 2);
      tessera_job_destroy(job);
      tessera_program_destroy(program);
    }
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, RefusesOtherFiles) {
  EXPECT_EQ(loadError(folder.path("missing")), "No such file or directory");
  std::ofstream(folder.path("text")) << "module {}";
  EXPECT_EQ(loadError(folder.path("text")),
            "not a compiled model (no ELF file)");
  EXPECT_EQ(loadError("/proc/self/exe").substr(0, 21), "not a compiled model ");
  runCommand({TESSERA_C_COMPILER, "-shared", "-o", folder.path("plain.so"),
              "-x", "c", "/dev/null"});
  EXPECT_EQ(loadError(folder.path("plain.so")),
            "not a compiled model (no section .tessera.manifest)");
}

TEST_F(ProgramTest, RefusesOtherMachines) {
  std::string manifest = manifestOf(oneRank, "[]", "[]");
  auto with = [&](const std::string &what, const std::string &replacement) {
    std::string changed = manifest;
    changed.replace(changed.find(what), what.size(), replacement);
    buildModel(folder.path("m.tsx"), changed, emptyMain);
    return loadError(folder.path("m.tsx"));
  };
  EXPECT_EQ(with(R"("abi": 7)", R"("abi": 1)"),
            "compiled for ABI version 1, this runtime has version 7");
  EXPECT_EQ(with(R"("abi": 7)", R"("abi": 8)"),
            "compiled for ABI version 8, this runtime has version 7");
  EXPECT_EQ(with(R"("target": "cpu")", R"("target": "metal")"),
            "compiled for target 'metal', this runtime executes 'cpu' and "
            "'cuda'");
  std::string message =
      with(R"("target": "cpu")",
           R"("target": "cpu", "cpu": {"name": "future", "features":
              ["sse2", "avx4096", "prefetchi"]})");
  EXPECT_TRUE(message.starts_with("compiled for CPU 'future', which has "
                                  "avx4096; this CPU, '"))
      << message;

  buildModel(folder.path("m.tsx"), manifest, emptyMain);
  std::fstream file(folder.path("m.tsx"),
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(18).put(char(0xf3)).flush(); // e_machine: RISC-V
  EXPECT_TRUE(loadError(folder.path("m.tsx"))
                  .starts_with("compiled for ELF machine 243"));
}

TEST_F(ProgramTest, RefusesDamagedFiles) {
  buildModel(folder.path("m.tsx"), manifestOf(oneRank, "[]", "[]"), emptyMain);
  auto size = std::filesystem::file_size(folder.path("m.tsx"));
  for (auto rest : {size - 1, size - 100, size / 2, uintmax_t(64),
                    uintmax_t(20), uintmax_t(0)}) {
    std::filesystem::resize_file(folder.path("m.tsx"), rest);
    EXPECT_NE(loadError(folder.path("m.tsx")), "no error") << rest;
  }
}

TEST_F(ProgramTest, RefusesMissingCode) {
  std::string manifest = manifestOf(oneRank, "[]", "[]");
  buildModel(folder.path("m.tsx"), manifest, "int other;");
  EXPECT_EQ(loadError(folder.path("m.tsx")),
            "no function 'tessera_main', which the manifest names");
  buildModel(folder.path("m.tsx"), manifest,
             "int32_t tessera_rt_future(void);\n"
             "int32_t tessera_main(TesseraContext *c, void *const *a,\n"
             "  void *const *r, void *s) { return tessera_rt_future(); }\n");
  EXPECT_TRUE(
      loadError(folder.path("m.tsx")).starts_with("cannot be loaded: "));
}

TEST_F(ProgramTest, RefusesOptionsThatDoNotFit) {
  buildStepModel(folder.path("step.tsx"));
  TesseraProgram *program = load(folder.path("step.tsx"));
  TesseraJob *job = nullptr;
  auto error = [&](TesseraJobOptions options) {
    options.size = sizeof options;
    EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
    return std::string(tessera_error_message());
  };
  TesseraJobOptions options = {};
  options.ranks = 3;
  EXPECT_EQ(error(options), "expected 4 ranks for the model's mesh "
                            "(data=2,model=2), got 3");
  options.ranks = 4;
  options.backend = "none";
  EXPECT_EQ(error(options), "no back end 'none': there is no "
                            "libtessera_backend_none.so beside the runtime "
                            "library");
  options.backend = "../x";
  EXPECT_EQ(error(options), "no back end '../x': a back end's name has "
                            "lower-case letters and digits only");
  job = start(program);
  float value = 0;
  EXPECT_EQ(tessera_job_get_result(job, 0, &value), TESSERA_INVALID);
  EXPECT_EQ(tessera_job_set_argument(job, 2, &value), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(), "the program has no argument 2");
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, RefusesModelsLargerThanTheMachine) {
  std::string manifest = manifestOf(oneRank, "[]", "[]");
  std::string small = R"("arena": 0)";
  manifest.replace(manifest.find(small), small.size(),
                   R"("arena": 4000000000000000000)");
  buildModel(folder.path("m.tsx"), manifest, emptyMain);
  TesseraProgram *program = load(folder.path("m.tsx"));
  TesseraJob *job = nullptr;
  TesseraJobOptions options = {};
  options.size = sizeof options;
  EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
  std::string message = tessera_error_message();
  EXPECT_TRUE(message.starts_with("the model needs 3725290298.5 GiB (ranks "
                                  "here: 1), this machine has "))
      << message;
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, RefusesMoreRanksThanThreadsMakeSense) {
  buildModel(folder.path("m.tsx"),
             manifestOf(R"([{"name": "x", "size": 900000}])", "[]", "[]"),
             emptyMain);
  TesseraProgram *program = load(folder.path("m.tsx"));
  TesseraJob *job = nullptr;
  TesseraJobOptions options = {};
  options.size = sizeof options;
  EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(),
               "the local back end runs at most 4096 ranks, got 900000");
  tessera_program_destroy(program);
}

//===----------------------------------------------------------------------===//
// Models that fail
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, FailingRankIsNamed) {
  EXPECT_EQ(
      stepError(mainOf(R"(
  int32_t status = tessera_rt_all_gather(context, in, out, 4, 0, -1, &a);
  if (status || rank == 1)
    return status ? status : 42;
  return tessera_rt_all_gather(context, in, out, 4, 0, -1, &b);
)")),
      "rank 1 returned status 42; it is after all_gather 'a' at m.py:1:1");
}

TEST_F(ProgramTest, MismatchNamesBothSides) {
  EXPECT_EQ(
      stepError(mainOf(R"(
  return rank == 0
    ? tessera_rt_all_gather(context, in, out, 4, 0, -1, &a)
    : tessera_rt_broadcast(context, in, out, 4, 0, 0, -1, &b);
)")),
      "mismatched collectives: rank 0 calls all_gather 'a' at m.py:1:1 (4 "
      "x u8), rank 1 calls broadcast 'b' at m.py:2:2 (4 x u8, root 0)");
}

TEST_F(ProgramTest, RankThatLeavesEarlyIsADeadlock) {
  EXPECT_EQ(stepError(mainOf(R"(
  return rank == 1 ? 0 : tessera_rt_all_gather(context, in, out, 4, 0, -1, &a);
)")),
            "deadlock: rank 0 waits in all_gather 'a' at m.py:1:1 for rank 1, "
            "which has finished");
}

TEST_F(ProgramTest, FuturesThatMakeNoSenseAreNamed) {
  auto lastPart = [&](const std::string &body) {
    std::string message = stepError(mainOf(body));
    return message.substr(message.find(": ") + 2);
  };
  EXPECT_EQ(lastPart("return tessera_rt_wait(context, 2, &a);"),
            "wait 'a' at m.py:1:1: no collective was started with the future "
            "2");
  EXPECT_EQ(
      lastPart(R"(
  tessera_rt_all_gather(context, in, out, 4, 0, 0, &a);
  return tessera_rt_all_gather(context, in + 16, out + 16, 4, 0, 0, &b);
)"),
      "all_gather 'b' at m.py:2:2: expected a future that is free, got 0");
  EXPECT_EQ(lastPart(R"(
  return tessera_rt_all_gather(context, in, out, 4, 0, 0, &a);
)"),
            "all_gather 'a' at m.py:1:1: was started, and nobody has waited "
            "for it");
}

TEST_F(ProgramTest, RankThatOnlyStartsIsAwaitedInVain) {
  EXPECT_EQ(stepError(mainOf(R"(
  int32_t status = rank ? 0 : tessera_rt_all_gather(context, in, out, 4, 0, 0, &a);
  return rank || status ? status : tessera_rt_wait(context, 0, &a);
)")),
            "deadlock: rank 0 waits in all_gather 'a' at m.py:1:1 for rank 1, "
            "which has finished");
}

/// A rank that sleeps in a collective goes on once that is over, also while the
/// one that came last computes and its bytes are moved late.
TEST_F(ProgramTest, LateMessagesWakeWhoAwaitsThem) {
  buildModel(folder.path("m.tsx"),
             manifestOf(R"([{"name": "x", "size": 2}])", "[]", "[]",
                        R"([[{"axis": "x"}]])", 64),
             mainOf(R"(
  extern int usleep(unsigned);
  static volatile int over;
  if (rank == 1)
    usleep(20000);
  int32_t status = tessera_rt_all_gather(context, in, out, 4, 0, 0, &a);
  for (int i = 0; rank == 1 && !status && !over && i < 2000; ++i)
    usleep(1000);
  int seen = rank == 0 || over;
  status = status ? status : tessera_rt_wait(context, 0, &a);
  over = 1;
  return status ? status : seen ? 0 : 42;
)"));
  TesseraLinks level = {"all", 0, 1e-6, 1e9};
  TesseraMachine machine = {};
  machine.levels = &level;
  machine.level_count = 1;
  machine.has_delays = 1;
  for (machine.delay_seed = 0; machine.delay_seed < 8; ++machine.delay_seed) {
    TesseraProgram *program = load(folder.path("m.tsx"));
    TesseraJobOptions options = {};
    options.machine = &machine;
    TesseraJob *job = start(program, options);
    EXPECT_EQ(tessera_job_step(job), TESSERA_OK)
        << machine.delay_seed << ": " << tessera_error_message();
    tessera_job_destroy(job);
    tessera_program_destroy(program);
  }
}

TEST_F(ProgramTest, RefusesMachinesThatTakeNoTimeOrForEver) {
  buildModel(folder.path("m.tsx"), manifestOf(oneRank, "[]", "[]"), emptyMain);
  TesseraProgram *program = load(folder.path("m.tsx"));
  TesseraLinks level = {"all", 0, 1e-6, 0};
  TesseraKernelTime kernel = {"add", -1};
  TesseraMachine machine = {};
  machine.levels = &level;
  machine.level_count = 1;
  machine.kernels = &kernel;
  machine.kernel_count = 1;
  TesseraJobOptions options = {};
  options.size = sizeof options;
  options.machine = &machine;
  TesseraJob *job = nullptr;
  EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(),
               "links: expected a latency of at least 0 seconds and a "
               "bandwidth above 0, got 0.000001 and 0.000000");
  level.bandwidth = 1e9;
  machine.host_latency = -1;
  EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(),
               "expected a latency and a bandwidth of at least 0 to the host, "
               "got -1.000000 and 0.000000");
  machine.host_latency = 0;
  EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(), "kernel 'add': expected a time of 0 to "
                                        "1e6 seconds, got -1.000000");
  tessera_program_destroy(program);
}

TEST_F(ProgramTest, UnknownCommunicatorIsNamed) {
  std::string message = stepError(mainOf(R"(
  return tessera_rt_all_gather(context, in, out, 4, 5, -1, &a);
)"));
  EXPECT_EQ(message.substr(message.find(": ")),
            ": all_gather 'a' at m.py:1:1: the model has no communicator 5");
}

#if defined(__x86_64__)
TEST_F(ProgramTest, UnknownPipelineRankIsNamed) {
  EXPECT_EQ(stepError(mainOf(R"(
  return rank == 1 ? 0 : tessera_rt_send(context, in, 4, 1, 0, &a);
)")),
            "rank 0: send 'a' at m.py:1:1: the model has no pipeline rank 1");
}

TEST_F(ProgramTest, DenormalsAreZero) {
  buildModel(folder.path("m.tsx"),
             manifestOf(oneRank, "[]",
                        R"([{"dtype": "f32", "shape": [4],
                             "local_shape": [4], "sharding": [[]]}])"),
             R"(
static void halve(void *const *buffers, int64_t begin, int64_t end) {
  volatile float smallest = 0x1p-126f;
  for (int64_t i = begin; i < end; ++i)
    ((float *)buffers[0])[i] = smallest / 2 + 1.0f * (smallest / 2 == 0);
}
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  return tessera_rt_launch(context, halve, results, 4, 1, 0);
}
)");
  TesseraProgram *program = load(folder.path("m.tsx"));
  TesseraJobOptions options = {};
  options.threads = 2;
  TesseraJob *job = start(program, options);
  float values[4];
  ASSERT_EQ(tessera_job_step(job), TESSERA_OK);
  ASSERT_EQ(tessera_job_get_result(job, 0, values), TESSERA_OK);
  for (float value : values)
    EXPECT_EQ(value, 1);
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}
#endif
