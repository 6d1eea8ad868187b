//===- EmulatedGpu.cpp - Runs GPU kernels of programs in tests ------------===//

#include "EmulatedGpu.h"
#include "asynchronous/TensorMap.h"
#include "execution/PtxLaunch.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tessera;
using namespace tessera::test;

void EmulatedGpu::Free::operator()(void *memory) const { std::free(memory); }

bool EmulatedGpu::load(std::span<const TesseraGpuImage> images) {
  for (const TesseraGpuImage &image : images) {
    auto module = emulated::Module::parse(image.ptx);
    if (!module) {
      std::fprintf(stderr, "%s\n", module.message().c_str());
      return false;
    }
    modules[{image.module, image.arch}] = std::move(*module);
  }
  return true;
}

void *EmulatedGpu::allocate(size_t bytes, const std::string &name) {
  size_t size = (bytes + 255) / 256 * 256;
  if (size == 0)
    size = 256;
  void *address = std::aligned_alloc(256, size);
  std::memset(address, 0, size);
  allocations.emplace_back(address);
  // Only what was asked for may be accessed.
  if (bytes > 0)
    memory.add(reinterpret_cast<uint64_t>(address), bytes, name);
  return address;
}

/// CUDA's number for an element type of the ABI.
static int tensorMapType(int32_t dtype) {
  using emulated::TensorMapType;
  switch (dtype) {
  case TESSERA_F16:
    return int(TensorMapType::F16);
  case TESSERA_BF16:
    return int(TensorMapType::BF16);
  case TESSERA_F64:
    return int(TensorMapType::F64);
  case TESSERA_MAP_TF32:
    return int(TensorMapType::TF32);
  default:
    return int(TensorMapType::F32);
  }
}

/// Writes the descriptor that `map` asks for.
static Fallible<void> writeMap(const TesseraTensorMap &map, const void *buffer,
                               std::byte *into) {
  std::vector<uint64_t> sizes(map.sizes, map.sizes + map.rank);
  std::vector<uint64_t> strides(map.strides, map.strides + map.rank - 1);
  std::vector<uint32_t> box(map.box, map.box + map.rank);
  std::vector<uint32_t> steps(map.rank, 1);
  int swizzle = map.swizzle == 0    ? 0
                : map.swizzle == 32 ? 1
                : map.swizzle == 64 ? 2
                                    : 3;
  auto made = emulated::makeTensorMap(
      tensorMapType(map.dtype), map.rank, reinterpret_cast<uint64_t>(buffer),
      sizes.data(), strides.data(), box.data(), steps.data(), 0, swizzle, 0);
  if (!made)
    return made.failure();
  return made->encode(std::span<std::byte, emulated::TensorMap::byteSize>(
      into, emulated::TensorMap::byteSize));
}

int32_t EmulatedGpu::run(const TesseraGridStep &step, int32_t module,
                         int32_t arch, void *const *buffers) {
  auto found = modules.find({module, arch});
  const emulated::Kernel *kernel =
      found == modules.end() ? nullptr : found->second->kernel(step.symbol);
  if (!kernel) {
    std::fprintf(stderr, "no function %s\n", step.symbol);
    return TESSERA_FAILED;
  }
  std::vector<std::byte> parameters(kernel->parameterBytes());
  auto place = kernel->parameters().begin();
  for (int32_t i = 0; i < step.buffer_count; ++i)
    std::memcpy(parameters.data() + (place++)->offset,
                &buffers[step.buffers[i]], sizeof buffers[0]);
  for (int32_t i = 0; i < step.map_count; ++i)
    if (auto written = writeMap(step.maps[i], buffers[step.maps[i].buffer],
                                parameters.data() + (place++)->offset);
        !written) {
      std::fprintf(stderr, "%s\n", written.message().c_str());
      return TESSERA_FAILED;
    }
  emulated::LaunchShape shape;
  for (int i = 0; i < 3; ++i)
    shape.grid[i] = step.grid[i];
  shape.block[0] = step.block;
  shape.sharedBytes = step.shared;
  auto fault = emulated::launch(*kernel, shape, parameters, memory);
  if (!fault)
    return TESSERA_OK;
  std::fprintf(stderr, "%s\n", fault->c_str());
  return TESSERA_FAILED;
}

int32_t EmulatedGpu::launch(const TesseraGpuKernel &kernel,
                            void *const *buffers, int32_t arch) {
  for (int32_t i = 0; i < kernel.variant_count; ++i) {
    const TesseraGpuVariant &variant = kernel.variants[i];
    if (variant.arch != arch)
      continue;
    for (int32_t step = 0; step < variant.step_count; ++step)
      if (int32_t status =
              run(variant.steps[step], variant.module, arch, buffers))
        return status;
    return TESSERA_OK;
  }
  std::fprintf(stderr, "no variant for %d\n", int(arch));
  return TESSERA_FAILED;
}
