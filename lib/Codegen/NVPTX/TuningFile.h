//===- TuningFile.h - Files of tuning records -----------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_TUNINGFILE_H
#define TESSERA_CODEGEN_NVPTX_TUNINGFILE_H

#include "Core/TuningRecords.h"

namespace tessera::nvptx {

/// The records that ship with the compiler: Tuning.json.
const TuningRecords &shippedTuningRecords();
/// Those of the file at `path`, and behind them the ones that ship; an error
/// says what is wrong with which record.
llvm::Expected<TuningRecords> loadTuningRecords(llvm::StringRef path);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_TUNINGFILE_H
