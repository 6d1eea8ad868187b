//===- ShortTypeLegalizer.h - bytes for tensors of short types ------------===//
//
// Rewrites a foreign module in place, in program order. Every value of a short
// type becomes its bytes. An operation on them has one of these forms:
//
// - *stored*: what moves elements, or carries them (control flow, calls), does
//   so with bytes;
// - *special*: what is about the type itself (constants, conversions, counts
//   of bits);
// - *computed*, all others: operands are widened, results narrowed. Rounding
//   once what was computed exactly, or in single precision, is rounding in the
//   short format. The body of a reduction computes in the wider type, too, so
//   that a sum is rounded once and is the sum that sharding knows.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPELEGALIZER_H
#define TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPELEGALIZER_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::importer {

/// Stores all values of short types of `module` in bytes. What `@main` takes
/// and gives has the attribute `tessera.short_type`. Fails after a diagnostic.
mlir::LogicalResult legalizeShortTypes(mlir::ModuleOp module);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPELEGALIZER_H
