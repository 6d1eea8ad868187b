//===- ShortTypeBits.h - the same bits as elements of another type --------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPEBITS_H
#define TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPEBITS_H

#include "Complex/Real.h"

namespace tessera::importer {

/// Whether elements of `from` are those of `to` in other bits: of one width,
/// or each wide one a row of narrow ones. Wide ones are whole bytes.
bool areSameBits(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// The elements of `to` that have the bits of `bits`, elements of `from`
/// (`areSameBits`). Elements of short types are stored before and after.
Real changeBits(Real bits, mlir::RankedTensorType from,
                mlir::RankedTensorType to);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPEBITS_H
