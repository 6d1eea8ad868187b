//===- PrintModel.h - the model as text ---------------------------*- C++
//-*-===//
#ifndef TESSERA_DRIVER_PRINTMODEL_H
#define TESSERA_DRIVER_PRINTMODEL_H

#include "tessera/Driver/Compiler.h"

namespace tessera {

/// Writes the model of `options` as it was read, before any phase: text in
/// generic form, whatever the file is. Every failure has been reported when
/// this returns.
ExitStatus printModel(const CompileOptions &options);

} // namespace tessera

#endif // TESSERA_DRIVER_PRINTMODEL_H
