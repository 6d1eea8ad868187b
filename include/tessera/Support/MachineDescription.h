//===- MachineDescription.h - A machine as a user describes it ------------===//
//
// What a file of docs/cluster.md says, without LLVM, so that the compiler
// (through Cluster.h) and tessera-run read one file by one reader. All in
// seconds, bytes and floating-point operations.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_MACHINEDESCRIPTION_H
#define TESSERA_SUPPORT_MACHINEDESCRIPTION_H

#include "tessera/Support/Fallible.h"
#include "tessera/Support/HostMemory.h"
#include "tessera/Support/KernelCosts.h"
#include "tessera/Support/LinkDetails.h"
#include "tessera/Support/Yaml.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// What one device has; the defaults are the built-in description, those of
/// `Machine` in the compiler.
struct DeviceDescription {
  /// Floating-point operations, and bytes read or written, per second.
  double compute = 800e9, memoryBandwidth = 100e9;
  int64_t memory = 64'000'000'000; ///< Bytes.
  HostMemory host;
  KernelCosts kernels;
};

/// Links of one level of the network, or along one mesh axis.
struct LinkDescription {
  std::string name;
  /// Of a level: how many devices, with consecutive numbers, a group has; 0
  /// for all.
  int64_t devices = 0;
  double latency = 0;   ///< Seconds until the first byte arrives.
  double bandwidth = 0; ///< Bytes per second of one link.
  LinkDetails details;
};

/// All that a description says.
struct MachineDescription {
  /// What it was found by, which is not part of the text: a file, or the name
  /// of a machine that ships.
  std::string name;
  DeviceDescription device;
  /// How many devices there are; 0 where as many as a program needs.
  int64_t devices = 0;
  /// From the innermost out; the devices of each divide those of the next, and
  /// the last holds all.
  std::vector<LinkDescription> levels;
  /// The links along axes of the mesh, whatever the levels say.
  std::vector<LinkDescription> axes;

  /// A network slow enough for random delays to change who comes first among
  /// threads: one level of 10 us and 1 GB/s.
  static MachineDescription slowNetwork();

  /// Why this describes no machine, or an empty string.
  std::string verify() const;
};

/// Reads and verifies a description; without a result, `error` says why.
std::optional<MachineDescription> parseMachine(std::string_view text,
                                               TextError &error);

/// The text of the description that `name` asks for: of a machine that ships
/// (ShippedMachines.h), unless there is such a file, or of the file.
Fallible<std::string> findMachineText(const std::string &name);

/// The same, read and verified; the failure begins with
/// `file:line:column: error: `.
Fallible<MachineDescription> readMachineFile(const std::string &name);

/// Writes a description as `parseMachine` reads it.
std::string printMachine(const MachineDescription &machine);

} // namespace tessera

#endif // TESSERA_SUPPORT_MACHINEDESCRIPTION_H
