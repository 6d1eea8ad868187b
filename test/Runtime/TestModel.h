//===- TestModel.h - Compiled models written in C -------------------------===//

#ifndef TESSERA_TEST_RUNTIME_TESTMODEL_H
#define TESSERA_TEST_RUNTIME_TESTMODEL_H

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::runtime::test {

/// A folder that lives as long as the object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  /// The path of a file in it.
  std::string path(const std::string &name) const {
    return (folder / name).string();
  }

private:
  std::filesystem::path folder;
};

/// Compiles C source, which includes runtime.h, and a manifest to a model at
/// `path`. Fails the test if that fails.
void buildModel(const std::string &path, const std::string &manifest,
                const std::string &source);

/// Makes the model at `path` again from its C source at `path`.c, which a test
/// may have edited. Fails the test if that fails.
void linkModel(const std::string &path);

/// A manifest for target cpu and this ABI version. The texts are JSON lists as
/// in the manifest; `arena` is in bytes, for the one program `tessera_main`
/// unless `programs` are given.
std::string manifestOf(const std::string &mesh, const std::string &arguments,
                       const std::string &results,
                       const std::string &communicators = "[]", int arena = 0,
                       const std::string &programs = "");

/// A little training step on mesh data=2,model=2: (w: f32[4x6] donated to
/// result 1, x: f32[4]) -> (loss = the sum of w, w + x by rows). w is sharded
/// over both axes, x over data; the loss takes an all-reduce over the whole
/// mesh, and the update is a kernel over rows.
void buildStepModel(const std::string &path);

/// A little chain of two pipeline ranks on mesh data=2: (w: f32[] on both,
/// donated to result 1; x: f32[4] over data, on the first) -> (the sum of w *
/// x, on the second; w + 1, on both), where the first sends w * x in two
/// halves, each as a task.
void buildChainModel(const std::string &path);

/// How a command ended.
struct CommandResult {
  int status; ///< The exit status; minus the signal's number for a crash.
  std::string out, err;
};

/// Runs a program with arguments.
CommandResult runCommand(const std::vector<std::string> &command);

} // namespace tessera::runtime::test

#endif // TESSERA_TEST_RUNTIME_TESTMODEL_H
