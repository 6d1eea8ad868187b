//===- RefusedProgramsTest.cpp - Second inputs to what is refused ---------===//
//
// ProgramTest.cpp has the first input to each diagnostic of programs, jobs and
// contexts; here are others that lead to it, and what has no other home.
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

#include <fstream>

using namespace tessera::runtime::test;

TEST_F(ProgramTest, RefusesDamagedTables) {
  auto with = [&](int position, const std::string &bytes) {
    buildModel(folder.path("m.tsx"), manifestOf(oneRank, "[]", "[]"),
               emptyMain);
    std::fstream file(folder.path("m.tsx"),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(position).write(bytes.data(), bytes.size()).flush();
    return loadError(folder.path("m.tsx"));
  };
  EXPECT_EQ(with(4, "\x01"),
            "not a compiled model (no 64-bit shared object)"); // e_ident: 32
  EXPECT_EQ(with(16, "\x02"),
            "not a compiled model (no 64-bit shared object)"); // e_type: EXEC
  EXPECT_TRUE(with(18, "\x28").starts_with("compiled for ELF machine 40"));
  EXPECT_EQ(with(40, std::string(8, '\x7f')), // e_shoff
            "damaged or truncated ELF file");
  EXPECT_EQ(with(60, "\xff\xff"), // e_shnum
            "damaged or truncated ELF file");
  runCommand({TESSERA_C_COMPILER, "-shared", "-nostdlib", "-o",
              folder.path("bare.so"), "-x", "c", "/dev/null"});
  EXPECT_EQ(loadError(folder.path("bare.so")),
            "not a compiled model (no section .tessera.manifest)");
}

TEST_F(ProgramTest, RefusesOtherTargetsAndCode) {
  auto with = [&](const std::string &target) {
    std::string manifest = manifestOf(oneRank, "[]", "[]");
    manifest.replace(manifest.find("\"cpu\""), 5, target);
    buildModel(folder.path("m.tsx"), manifest, emptyMain);
    return loadError(folder.path("m.tsx"));
  };
  EXPECT_EQ(with(R"("tpu")"),
            "compiled for target 'tpu', this runtime executes 'cpu' and "
            "'cuda'");
  std::string message =
      with(R"("cpu", "cpu": {"name": "quantum", "features": ["avx9000"]})");
  EXPECT_NE(message.find("compiled for CPU 'quantum', which has avx9000; this "
                         "CPU, '"),
            std::string::npos)
      << message;
  EXPECT_EQ(with(R"("cuda")"),
            "no code for GPUs, though the manifest says target 'cuda'");
  buildModel(folder.path("m.tsx"),
             manifestOf(oneRank, "[]", "[]", "[]", 0,
                        R"([{"rank": 0, "entry": "first", "arena": 0}])"),
             emptyMain);
  EXPECT_EQ(loadError(folder.path("m.tsx")),
            "no function 'first', which the manifest names");
}

TEST_F(ProgramTest, RefusesOtherOptions) {
  buildStepModel(folder.path("step.tsx"));
  TesseraProgram *program = load(folder.path("step.tsx"));
  TesseraJobOptions options = {};
  options.size = sizeof options;
  TesseraMachine machine = {};
  auto error = [&] {
    TesseraJob *job = nullptr;
    EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_INVALID);
    return std::string(tessera_error_message());
  };
  options.threads = -1;
  EXPECT_EQ(error(), "expected a number of threads of at least 0, got -1");
  options.threads = INT32_MIN;
  EXPECT_EQ(error(),
            "expected a number of threads of at least 0, got -2147483648");
  options.threads = 0;
  options.machine = &machine;
  options.guards = machine.is_virtual = 1;
  EXPECT_EQ(error(), "guards need kernels that compute, and those of a virtual "
                     "machine do not");
  TesseraLinks links = {"data", 0, -1, 1};
  machine.levels = &links;
  machine.level_count = 1;
  EXPECT_EQ(error(), "guards need kernels that compute, and those of a virtual "
                     "machine do not");
  options.guards = 0;
  EXPECT_EQ(error(), "links: expected a latency of at least 0 seconds and a "
                     "bandwidth above 0, got -1.000000 and 1.000000");
  machine.level_count = 0;
  machine.host_bandwidth = -1;
  EXPECT_EQ(error(), "expected a latency and a bandwidth of at least 0 to the "
                     "host, got 0.000000 and -1.000000");
  machine.host_bandwidth = 0;
  TesseraKernelTime kernel = {"copy", 1e6};
  machine.kernels = &kernel;
  machine.kernel_count = 1;
  EXPECT_EQ(error(), "kernel 'copy': expected a time of 0 to 1e6 seconds, got "
                     "1000000.000000");
  options.machine = nullptr;

  TesseraJob *job = start(program);
  float value = 0;
  auto resultError = [&](int32_t index) {
    EXPECT_EQ(tessera_job_get_result(job, index, &value), TESSERA_INVALID);
    return std::string(tessera_error_message());
  };
  EXPECT_EQ(resultError(0), "no step has run, so there is no result yet");
  EXPECT_EQ(resultError(1), "no step has run, so there is no result yet");
  EXPECT_EQ(resultError(2), "the program has no result 2");
  EXPECT_EQ(resultError(-1), "the program has no result -1");
  EXPECT_EQ(tessera_job_set_argument(job, -1, &value), TESSERA_INVALID);
  EXPECT_STREQ(tessera_error_message(), "the program has no argument -1");
  tessera_job_destroy(job);
  tessera_program_destroy(program);
}

// What a program may not ask of its context, a statement each.
TEST_F(ProgramTest, CallsThatMakeNoSenseAreNamed) {
  const std::pair<const char *, const char *> mistakes[] = {
      {"return tessera_rt_wait(context, -5, &b);",
       "no collective was started with the future -5"},
      {"return tessera_rt_all_gather(context, in, out, 4, 0, -7, &a);",
       "expected a future that is free, got -7"},
      {"return tessera_rt_offload(context, in, 0, 4, -1, &a);",
       "expected bytes inside of the host's arena of 0, got 4 from byte 0 on"},
      {"return tessera_rt_reload(context, -4, out, 4, -1, &b);",
       "expected bytes inside of the host's arena of 0, got 4 from byte -4 on"},
      {"return tessera_rt_offload(context, in, 0, 0, -7, &a);",
       "expected a future that is free, got -7"},
      {"return tessera_rt_recv(context, in, 4, 7, 0, &b);",
       "the model has no pipeline rank 7"},
      {"return tessera_rt_begin_combined(context) || "
       "tessera_rt_begin_combined(context);",
       "expected no combined call within another"},
      {"tessera_rt_begin_combined(context);\n"
       "tessera_rt_all_gather(context, in, out, 4, 0, -1, &a);\n"
       "return tessera_rt_begin_combined(context);",
       "expected no combined call within another"},
      {"return tessera_rt_end_combined(context, -1, &a);",
       "expected collectives in a combined call"},
      {"tessera_rt_begin_combined(context);\n"
       "return tessera_rt_end_combined(context, 0, &b);",
       "expected collectives in a combined call"},
  };
  for (auto [body, expected] : mistakes) {
    std::string message = stepError(mainOf(body));
    EXPECT_TRUE(message.ends_with(std::string(": ") + expected)) << body << "\n"
                                                                 << message;
  }
}

// What is on its way for longer than ranks wait is no hang.
TEST_F(ProgramTest, LinksSlowerThanTheTimeoutEndTheStep) {
  buildStepModel(folder.path("step.tsx"));
  buildChainModel(folder.path("chain.tsx"));
  TesseraLinks level = {"all", 0, 1e5, 1e9};
  TesseraMachine machine = {};
  machine.levels = &level;
  machine.level_count = 1;
  TesseraJobOptions options = {};
  options.machine = &machine;
  options.timeout = 0.2;
  auto expectError = [&](const std::string &model, const std::string &what) {
    TesseraProgram *program = load(folder.path(model));
    TesseraJob *job = start(program, options);
    EXPECT_EQ(tessera_job_step(job), TESSERA_FAILED);
    std::string message = tessera_error_message();
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_TRUE(message.ends_with(", which is on its links for longer"))
        << message;
    tessera_job_destroy(job);
    tessera_program_destroy(program);
  };
  expectError("step.tsx", "in all_reduce");
  expectError("chain.tsx", "in recv");
  level.latency = 0;
  level.bandwidth = 1e-9;
  options.timeout = 0.1;
  expectError("step.tsx", ", which is on its links for longer");
}

/// What a program that runs with the runtime library in a folder of its own
/// says of a back end there, which is compiled from `source`.
static std::string backendError(const TemporaryFolder &folder,
                                const std::string &source) {
  std::filesystem::copy_file(TESSERA_RUNTIME_LIBRARY,
                             folder.path("libtessera_runtime.so"),
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder.path("backend.c")) << source;
  runCommand({TESSERA_C_COMPILER, "-shared", "-o",
              folder.path("libtessera_backend_other.so"),
              folder.path("backend.c")});
  return runCommand({"/usr/bin/env", "LD_LIBRARY_PATH=" + folder.path("."),
                     TESSERA_RUN, folder.path("m.tsx"), "--backend=other"})
      .err;
}

TEST_F(ProgramTest, RefusesOtherBackends) {
  buildModel(folder.path("m.tsx"), manifestOf(oneRank, "[]", "[]"), emptyMain);
  auto expect = [&](const std::string &source, const std::string &expected) {
    std::string message = backendError(folder, source);
    EXPECT_NE(message.find("no back end 'other': " + expected),
              std::string::npos)
        << message;
  };
  expect("int x;",
         "libtessera_backend_other.so has no function tessera_backend");
  expect("int tessera_backend_of_mine(void) { return 0; }",
         "libtessera_backend_other.so has no function tessera_backend");
  std::string table = "static int v[999] = {VERSION};"
                      "void *tessera_backend(void) { return v; }";
  for (auto [version, expected] :
       {std::pair("0", "expected back end version "),
        std::pair("1000", "expected back end version ")}) {
    std::string source = table;
    source.replace(source.find("VERSION"), 7, version);
    expect(source, expected);
  }
}
