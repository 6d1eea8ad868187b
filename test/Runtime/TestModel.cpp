//===- TestModel.cpp ------------------------------------------------------===//

#include "TestModel.h"

#include "tessera/Support/Checksum.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::runtime;
using namespace tessera::runtime::test;
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string pattern = testing::TempDir() + "tessera-runtime-XXXXXX";
  folder = mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() { fs::remove_all(folder); }

static std::string readAll(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

CommandResult test::runCommand(const std::vector<std::string> &command) {
  TemporaryFolder folder;
  std::string out = folder.path("out"), err = folder.path("err");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), flags, 0600);
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  int error = posix_spawnp(&process, arguments[0], &actions, nullptr,
                           arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(error, 0) << "cannot start " << command[0];
  int status = 0;
  waitpid(process, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
          readAll(out), readAll(err)};
}

void test::buildModel(const std::string &path, const std::string &manifest,
                      const std::string &source) {
  std::ofstream(path + ".json") << manifest;
  std::ofstream(path + ".c")
      << "#include \"tessera/runtime.h\"\n"
      << "__asm__(\".section .tessera.manifest,\\\"a\\\"\\n.incbin \\\"" << path
      << ".json\\\"\\n.text\\n\");\n"
      << source;
  linkModel(path);
}

void test::linkModel(const std::string &path) {
  CommandResult compiled = runCommand(
      {TESSERA_C_COMPILER, "-shared", "-fPIC", "-O1", "-fuse-ld=lld-22", "-I",
       TESSERA_RUNTIME_INCLUDE, "-o", path, path + ".c"});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  ASSERT_TRUE(writeFile(path, seal(readAll(path))));
}

std::string test::manifestOf(const std::string &mesh,
                             const std::string &arguments,
                             const std::string &results,
                             const std::string &communicators, int arena,
                             const std::string &programs) {
  std::string single = R"([{"rank": 0, "entry": "tessera_main", "arena": )" +
                       std::to_string(arena) + "}]";
  return R"({"schema": 2, "abi": 7, "tessera": "0.1.0", "target": "cpu", "mesh": )" +
         mesh + R"(, "arguments": )" + arguments + R"(, "results": )" +
         results + R"(, "communicators": )" + communicators +
         R"(, "programs": )" + (programs.empty() ? single : programs) + "}";
}

void test::buildStepModel(const std::string &path) {
  std::string weights =
      R"("dtype": "f32", "shape": [4, 6], "local_shape": [2, 3],
         "sharding": [[{"axis": "data"}], [{"axis": "model"}]])";
  buildModel(path,
             manifestOf(R"([{"name": "data", "size": 2},
                            {"name": "model", "size": 2}])",
                        R"([{"name": "w", "donated": 1, )" + weights + R"(},
                            {"name": "x", "dtype": "f32", "shape": [4],
                             "local_shape": [2],
                             "sharding": [[{"axis": "data"}]]}])",
                        R"([{"name": "loss", "dtype": "f32", "shape": [],
                             "local_shape": [], "sharding": []},
                            {"name": "new_w", )" +
                            weights + "}]",
                        R"([[{"axis": "data"}, {"axis": "model"}]])", 64),
             R"(
static void update(void *const *buffers, int64_t begin, int64_t end) {
  float *w = buffers[0], *x = buffers[1];
  for (int64_t row = begin; row < end; ++row)
    for (int column = 0; column < 3; ++column)
      w[3 * row + column] += x[row];
}
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  static const TesseraSite sum = {"sum", "step.py:1:1"};
  static const TesseraSite add = {"add", "step.py:2:1"};
  const float *w = arguments[0];
  float *partial = arena;
  if (arguments[0] != results[1])
    return 99;
  *partial = 0;
  for (int i = 0; i < 6; ++i)
    *partial += w[i];
  int32_t status = tessera_rt_all_reduce(context, partial, results[0], 1,
                                         TESSERA_F32, TESSERA_SUM, 0, -1, &sum);
  if (status)
    return status;
  void *buffers[] = {results[1], arguments[1]};
  return tessera_rt_launch(context, update, buffers, 2, 1, &add);
}
)");
}

void test::buildChainModel(const std::string &path) {
  std::string scalar = R"("dtype": "f32", "shape": [], "local_shape": [],
                          "sharding": [])";
  buildModel(path,
             manifestOf(R"([{"name": "data", "size": 2}])",
                        R"([{"name": "w", "donated": 1, )" + scalar + R"(},
                     {"name": "x", "dtype": "f32", "shape": [4],
                      "local_shape": [2], "sharding": [[{"axis": "data"}]]}])",
                        R"([{"name": "sum", )" + scalar + R"(},
                     {"name": "new_w", )" +
                            scalar + "}]",
                        R"([[{"axis": "data"}]])", 0,
                        R"([{"rank": 0, "entry": "tessera_main_0", "arena": 64,
                      "arguments": [1, 0], "results": [1]},
                     {"rank": 1, "entry": "tessera_main_1", "arena": 64,
                      "arguments": [0], "results": [1, 0]}])"),
             R"(
static const TesseraSite there = {"there", "chain.py:1:1"};
static const TesseraSite sum = {"sum", "chain.py:2:1"};
static const TesseraSite tasks[2] = {{"0F0", "chain.py:3:1"},
                                     {"0F1", "chain.py:3:1"}};
int32_t tessera_main_0(TesseraContext *context, void *const *arguments,
                       void *const *results, void *arena) {
  const float *x = arguments[0], *w = arguments[1];
  float *product = arena, *new_w = results[0];
  int32_t status = 0;
  for (int i = 0; i < 2 && !status; ++i) {
    tessera_rt_begin_task(context, &tasks[i]);
    *product = *w * x[i];
    status = tessera_rt_send(context, product, 4, 1, i, &there);
    tessera_rt_end_task(context);
  }
  *new_w += 1;
  return status;
}
int32_t tessera_main_1(TesseraContext *context, void *const *arguments,
                       void *const *results, void *arena) {
  float *product = arena;
  float *new_w = results[0];
  if (arguments[0] != results[0])
    return 99;
  for (int tag = 1; tag >= 0; --tag) {
    int32_t status =
        tessera_rt_recv(context, product + tag, 4, 0, tag, &there);
    if (status)
      return status;
  }
  product[2] = product[0] + product[1];
  *new_w += 1;
  return tessera_rt_all_reduce(context, product + 2, results[1], 1, TESSERA_F32,
                               TESSERA_SUM, 0, -1, &sum);
}
)");
}
