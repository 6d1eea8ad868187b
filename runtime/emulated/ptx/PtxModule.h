//===- PtxModule.h - PTX text as kernels that can be executed -------------===//

#ifndef TESSERA_RUNTIME_EMULATED_PTX_PTXMODULE_H
#define TESSERA_RUNTIME_EMULATED_PTX_PTXMODULE_H

#include "tessera/Support/Fallible.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::emulated {

class Module;
struct Program;

/// A parameter of a kernel: where it lies in the parameter block of a launch.
struct KernelParameter {
  std::string name;
  /// In bytes.
  uint32_t offset, bytes, alignment;
};

/// A function that a launch can execute (`.entry`). Lives as long as its
/// module.
class Kernel {
public:
  explicit Kernel(std::unique_ptr<Program> program);
  ~Kernel();

  const std::string &name() const;
  const std::vector<KernelParameter> &parameters() const;
  /// What a launch must pass: the end of the last parameter, in bytes.
  uint32_t parameterBytes() const;
  /// The statically declared shared memory of a block, in bytes.
  uint32_t staticSharedBytes() const;
  /// Where dynamic shared memory begins, behind the static one.
  uint32_t dynamicSharedOffset() const;
  /// The largest block by `.maxntid` or `.reqntid`, {0, 0, 0} if unlimited.
  std::array<uint32_t, 3> maxThreads() const;
  /// The decoded instructions, for the interpreter.
  const Program &program() const { return *decoded; }

private:
  std::unique_ptr<Program> decoded;
};

/// One PTX file, parsed and decoded, with the memory of its `.global` and
/// `.const` variables. That memory belongs to one device: every device needs a
/// module of its own. Otherwise immutable, so that many launches may share it.
class Module {
public:
  /// Reads PTX text. Everything in it is understood or refused: an unknown
  /// directive, opcode, modifier or operand is a failure that names the line.
  static Fallible<std::unique_ptr<Module>> parse(std::string_view text);
  ~Module();

  /// The kernel called `name`; null if there is none.
  const Kernel *kernel(std::string_view name) const;
  std::span<const std::unique_ptr<Kernel>> kernels() const { return entries; }
  /// The bytes of a `.global` or `.const` variable; empty if there is none.
  std::span<std::byte> variable(std::string_view name) const;
  /// As in `.target`: `sm_80`, `sm_90a`.
  const std::string &target() const { return architecture; }

private:
  friend class ModuleParser;
  Module();
  struct Variables;

  std::string architecture;
  std::unique_ptr<Variables> variables;
  std::vector<std::unique_ptr<Kernel>> entries;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTX_PTXMODULE_H
