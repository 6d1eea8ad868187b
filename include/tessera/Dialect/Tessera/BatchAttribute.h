//===- BatchAttribute.h - the mark of a step's rows -----------------------===//
#ifndef TESSERA_DIALECT_TESSERA_BATCHATTRIBUTE_H
#define TESSERA_DIALECT_TESSERA_BATCHATTRIBUTE_H

#include "llvm/ADT/StringRef.h"

namespace tessera {

/// On an argument of a function an integer: the dimension along which its rows
/// are split into microbatches.
inline constexpr llvm::StringLiteral kBatchAttr = "tessera.batch";

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_BATCHATTRIBUTE_H
