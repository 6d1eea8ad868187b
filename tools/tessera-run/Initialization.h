//===- Initialization.h - A program that makes another one's arguments ----===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_INITIALIZATION_H
#define TESSERA_TOOLS_TESSERA_RUN_INITIALIZATION_H

#include "Inputs.h"
#include "Session.h"

namespace tessera::run {

/// The options of a job that runs a program as `options` ask for.
TesseraJobOptions jobOptionsFor(const Options &options);

/// Runs the program of `--init` once, on ranks of its own that are gone
/// afterwards, and appends its results to `initial` by their names. Tensors of
/// `given` that are its arguments feed it; those that `slots` do not know as
/// well are taken away. Returns why to stop, if so.
std::optional<Stop> runInitialization(const Options &options,
                                      const Slots &slots,
                                      std::vector<StoredTensor> &given,
                                      std::vector<StoredTensor> &initial);

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_INITIALIZATION_H
