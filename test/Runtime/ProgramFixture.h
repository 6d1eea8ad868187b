//===- ProgramFixture.h - Tests of models through the C API ---------------===//
#ifndef TESSERA_TEST_RUNTIME_PROGRAMFIXTURE_H
#define TESSERA_TEST_RUNTIME_PROGRAMFIXTURE_H

#include "TestModel.h"
#include "tessera/runtime.h"

#include <gtest/gtest.h>

namespace tessera::runtime::test {

/// Loads models, starts them, and says why that fails.
class ProgramTest : public testing::Test {
protected:
  /// Loads the model, which must succeed.
  TesseraProgram *load(const std::string &path) {
    TesseraProgram *program = nullptr;
    EXPECT_EQ(tessera_program_load(path.c_str(), &program), TESSERA_OK)
        << tessera_error_message();
    return program;
  }

  /// Why the model cannot be loaded, without its path.
  std::string loadError(const std::string &path) {
    TesseraProgram *program = nullptr;
    if (tessera_program_load(path.c_str(), &program) != TESSERA_INVALID)
      return "no error";
    std::string message = tessera_error_message();
    EXPECT_TRUE(message.starts_with(path + ": ")) << message;
    return message.substr(std::min(message.size(), path.size() + 2));
  }

  TesseraJob *start(TesseraProgram *program, TesseraJobOptions options = {}) {
    options.size = sizeof options;
    TesseraJob *job = nullptr;
    EXPECT_EQ(tessera_job_create(program, &options, &job), TESSERA_OK)
        << tessera_error_message();
    return job;
  }

  /// What the one step of a model says when it fails. The model has a mesh of
  /// two ranks, no arguments and results, and one communicator over both.
  std::string stepError(const std::string &source) {
    std::string path = folder.path("failing.tsx");
    buildModel(path,
               manifestOf(R"([{"name": "x", "size": 2}])", "[]", "[]",
                          R"([[{"axis": "x"}]])", 64),
               source);
    TesseraProgram *program = load(path);
    TesseraJob *job = start(program);
    EXPECT_EQ(tessera_job_step(job), TESSERA_FAILED);
    std::string message = tessera_error_message();
    tessera_job_destroy(job);
    tessera_program_destroy(program);
    return message;
  }

  const std::string oneRank = R"([{"name": "x", "size": 1}])";
  const std::string emptyMain =
      "int32_t tessera_main(TesseraContext *c, void *const *a, void *const *r,"
      " void *s) { return 0; }\n";
  TemporaryFolder folder;
};

/// A main function of this body, with the sites `a` and `b` and its rank as
/// `rank`.
inline std::string mainOf(const std::string &body) {
  return R"(
static const TesseraSite a = {"a", "m.py:1:1"}, b = {"b", "m.py:2:2"};
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  int rank = tessera_rt_axis_index(context, 0);
  float *in = arena, *out = in + 8;
)" + body +
         "}\n";
}

} // namespace tessera::runtime::test

#endif // TESSERA_TEST_RUNTIME_PROGRAMFIXTURE_H
