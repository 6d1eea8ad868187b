//===- Libraries.h - NVIDIA's libraries, loaded at run time ---------------===//

#ifndef TESSERA_RUNTIME_CUDA_LIBRARIES_H
#define TESSERA_RUNTIME_CUDA_LIBRARIES_H

#include "../gpu/CublasLt.h"
#include "../gpu/Cufft.h"
#include "../gpu/Nccl.h"
#include "tessera/Support/Fallible.h"

namespace tessera::cuda {

/// The functions of libcuda.so.1, initialised. Fails, in words for the user, if
/// there is no driver or it lacks a function.
Fallible<const gpu::CudaDriver *> loadDriver();

/// The functions of libnccl.so.2.
Fallible<const gpu::Nccl *> loadNccl();

/// The functions of libcublasLt.so.13, or else of libcublasLt.so.12.
Fallible<const gpu::CublasLt *> loadCublasLt();

/// The functions of libcufft.so.12, or else of libcufft.so.11.
Fallible<const gpu::Cufft *> loadCufft();

} // namespace tessera::cuda

#endif // TESSERA_RUNTIME_CUDA_LIBRARIES_H
