//===- ShippedMachines.h - Machines that the project describes ------------===//
//
// The files of lib/Support/Machines, each number with its source beside it.
// `h100x8x4` is `h100x8` with four nodes.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_SHIPPEDMACHINES_H
#define TESSERA_SUPPORT_SHIPPEDMACHINES_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// A machine that ships: its name, what it is in a few words (the first line of
/// its file), and the text of its description.
struct ShippedMachine {
  std::string name, about;
  std::string_view text;
};

/// All of them, by name.
const std::vector<ShippedMachine> &shippedMachines();

/// The description of the machine called `name`, or of so many nodes of one
/// (`h100x8x4`: `h100x8` four times); nothing where there is none.
std::optional<std::string> findShippedMachine(std::string_view name);

/// `no machine is called 'NAME'; did you mean …`, with where to find them.
std::string describeUnknownMachine(const std::string &name);

} // namespace tessera

#endif // TESSERA_SUPPORT_SHIPPEDMACHINES_H
