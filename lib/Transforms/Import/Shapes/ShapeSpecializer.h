//===- ShapeSpecializer.h - a program for given sizes ---------------------===//
//
// Rewrites a foreign module in place: arguments of `@main` get static shapes,
// and one walk in program order derives those of everything else from them
// (ResultShapes.h). Integers that are known become constants on the way, for
// JAX computes sizes from those of arguments and passes them on. A function
// that is called is copied for each list of shapes and known integers that it
// is called with.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHAPES_SHAPESPECIALIZER_H
#define TESSERA_TRANSFORMS_IMPORT_SHAPES_SHAPESPECIALIZER_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::importer {

/// Makes all shapes of `module` static. Each of `shapes` says those of an
/// argument of `@main`, as `NAME=8x128`, or `arg0=8x128` for one that has no
/// name. A module whose shapes are static stays as it is. Fails after a
/// diagnostic.
mlir::LogicalResult specializeShapes(mlir::ModuleOp module,
                                     llvm::ArrayRef<std::string> shapes);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHAPES_SHAPESPECIALIZER_H
