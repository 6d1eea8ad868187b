//===- CompiledProgram.h - Compiles and runs programs in tests ------------===//
#ifndef TESSERA_TEST_UNIT_CODEGEN_COMPILEDPROGRAM_H
#define TESSERA_TEST_UNIT_CODEGEN_COMPILEDPROGRAM_H

#include "tessera/Support/HostTensor.h"
#include "tessera/Support/TensorComparison.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::test {

/// A scheduled program (the IR after the phase `schedule`), compiled, linked
/// and loaded into this process. Launches run their ranges out of order on the
/// calling thread, so that code which relies on an order is caught; those of
/// GPU kernels are emulated.
class CompiledProgram {
public:
  /// Compiles `text` for `target`, a processor or `sm_80` or `sm_90a`; null,
  /// with the diagnostics on stderr, if that fails.
  static std::unique_ptr<CompiledProgram> compile(const std::string &text,
                                                  const std::string &target);
  ~CompiledProgram();

  /// Runs the program once; gives its status.
  int32_t run(const std::vector<void *> &arguments,
              const std::vector<void *> &results);
  const std::string &manifest() const { return manifestText; }

private:
  CompiledProgram() = default;
  int32_t runOnGpu(const std::vector<void *> &arguments,
                   const std::vector<void *> &results);

  void *library = nullptr;
  std::string path, manifestText;
  int32_t (*entry)(void *, void *const *, void *const *, void *) = nullptr;
  std::vector<char> arena;
  /// Bytes of the arguments and results.
  std::vector<size_t> argumentBytes, resultBytes;
  /// 80 or 90; 0 for kernels that run on the CPU.
  int arch = 0;
};

/// Whether this machine executes code for `target`; GPUs are emulated. What it
/// does not execute is compiled and loaded all the same.
bool isExecuted(const std::string &target);

/// Runs `program` on `inputs`, and expects results that differ from `expected`
/// by `limit` at most.
void expectResults(CompiledProgram &program, std::vector<HostTensor> &inputs,
                   const std::vector<HostTensor> &expected,
                   const Tolerance &limit);

/// `kernel` (the text between the braces of a `spmd.kernel` and its function
/// type) as a program: operands are the arguments, results the results.
std::string programOf(const std::string &operandTypes,
                      const std::string &resultTypes, const std::string &body);

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_CODEGEN_COMPILEDPROGRAM_H
