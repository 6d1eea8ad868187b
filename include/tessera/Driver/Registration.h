//===- Registration.h - every dialect and pass of the compiler ------------===//
#ifndef TESSERA_DRIVER_REGISTRATION_H
#define TESSERA_DRIVER_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tessera {

/// Registers every dialect that occurs between `import` and `package`.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers every pass of the compiler, and the upstream ones it uses, under
/// their command-line names.
void registerPasses();

} // namespace tessera

#endif // TESSERA_DRIVER_REGISTRATION_H
