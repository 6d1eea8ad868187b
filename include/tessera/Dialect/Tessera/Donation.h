//===- Donation.h - arguments whose memory a result takes -----------------===//
#ifndef TESSERA_DIALECT_TESSERA_DONATION_H
#define TESSERA_DIALECT_TESSERA_DONATION_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace tessera {

/// The number of the result that takes the memory of argument `argument` of
/// `function`; nothing unless that is donated (`tessera.donated`).
std::optional<unsigned> getDonatedResult(mlir::FunctionOpInterface function,
                                         unsigned argument);
/// The same of `argument`, which is an argument of a function.
std::optional<unsigned> getDonatedResult(mlir::BlockArgument argument);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_DONATION_H
