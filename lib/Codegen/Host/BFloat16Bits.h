//===- BFloat16Bits.h - bf16 as integers ----------------------------------===//
#ifndef TESSERA_CODEGEN_HOST_BFLOAT16BITS_H
#define TESSERA_CODEGEN_HOST_BFLOAT16BITS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::codegen {

/// Makes what is chosen, compared and carried as bf16, scalars and vectors,
/// integers of 16 bits: the back end keeps bf16 as f32 between basic blocks,
/// and calls a library to get back. Arithmetic is expected to be in f32
/// already.
void carryBFloat16AsBits(llvm::Module &module);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_BFLOAT16BITS_H
