//===- GpuModel.h - Programs for GPUs, written in C and PTX ---------------===//

#ifndef TESSERA_TEST_RUNTIME_GPUMODEL_H
#define TESSERA_TEST_RUNTIME_GPUMODEL_H

#include <string>

namespace tessera::runtime::test {

/// A program on mesh data=RANKS of (x: f32[4 x RANKS] over data, donated to
/// result 0) -> (x + the sum of all x, by element of a shard): an all-reduce
/// `sum` at gpu.py:1:1 and a kernel `add` at gpu.py:2:1. The C text `before`
/// stands at the beginning of its main function, `after` at the end; `images`
/// replaces the list of TesseraGpuImage, which has one for 80.
void buildGpuModel(const std::string &path, int ranks,
                   const std::string &before = "",
                   const std::string &after = "",
                   const std::string &images = "");

/// A chain of two pipeline ranks: (x: f32[4] on the first) -> (x + x on the
/// second), which the first sends in two messages, the second one first.
void buildGpuChain(const std::string &path);

} // namespace tessera::runtime::test

#endif // TESSERA_TEST_RUNTIME_GPUMODEL_H
