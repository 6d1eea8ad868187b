//===- KernelCode.cpp -----------------------------------------------------===//

#include "KernelCode.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::gpu;

KernelCode::~KernelCode() {
  device.makeCurrent();
  for (auto &[key, module] : modules)
    device.driver().moduleUnload(module);
}

static std::string architectureName(int32_t arch) {
  return arch == 90 ? "sm_90a" : "sm_" + std::to_string(arch);
}

Fallible<void> KernelCode::load() {
  std::string present;
  bool fits = images.empty();
  for (const TesseraGpuImage &image : images) {
    std::string name = architectureName(image.arch);
    if (present.find(name) == std::string::npos)
      present += (present.empty() ? "" : ", ") + name;
    fits |= runs(image.arch);
  }
  if (!fits)
    return Failure{"the program has code for " + present + ", which " +
                   device.description() + " does not run"};
  std::map<int32_t, int32_t> best; // By module, the architecture.
  for (const TesseraGpuImage &image : images)
    if (runs(image.arch))
      best[image.module] = std::max(best[image.module], image.arch);
  for (auto [number, arch] : best)
    if (auto loaded = module(number, arch); !loaded)
      return loaded.failure();
  return {};
}

/// The driver's log, without the line ends.
static std::string oneLine(std::string text) {
  text.resize(std::strlen(text.c_str()));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  for (char &c : text)
    if (c == '\n' || c == '\r')
      c = ' ';
  return text;
}

/// Loads one image, with what the driver's compiler has to say as the failure.
static Fallible<CudaModule> loadImage(const CudaDriver &driver,
                                      const void *image) {
  std::string log(4096, '\0');
  int names[] = {jitErrorLogBuffer, jitErrorLogBufferSize, jitGenerateLineInfo};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1),
                    reinterpret_cast<void *>(uintptr_t(1))};
  CudaModule module = nullptr;
  CudaResult result = driver.moduleLoad(&module, image, 3, names, values);
  if (result == cudaOk)
    return module;
  std::string what = oneLine(std::move(log));
  return Failure{describe(driver, result) + (what.empty() ? "" : ": " + what)};
}

Fallible<CudaModule> KernelCode::module(int32_t number, int32_t arch) {
  if (auto found = modules.find({number, arch}); found != modules.end())
    return found->second;
  std::string which =
      "module " + std::to_string(number) + " for " + architectureName(arch);
  for (const TesseraGpuImage &image : images) {
    if (image.module != number || image.arch != arch)
      continue;
    device.makeCurrent();
    const CudaDriver &driver = device.driver();
    bool useCubin = image.cubin && image.arch == device.capability();
    auto loaded = useCubin ? loadImage(driver, image.cubin)
                           : Fallible<CudaModule>(Failure{"no code"});
    // A cubin of a newer compiler than the driver knows: PTX may still do.
    if (!loaded && image.ptx)
      loaded = loadImage(driver, image.ptx);
    if (!loaded)
      return Failure{which + " cannot be loaded on " + device.description() +
                     ": " + loaded.message()};
    return modules[{number, arch}] = *loaded;
  }
  return Failure{"the program has no " + which};
}

Fallible<std::vector<KernelCode::Step>>
KernelCode::resolve(const TesseraGpuKernel &kernel) {
  const TesseraGpuVariant *best = nullptr;
  for (int32_t i = 0; i < kernel.variant_count; ++i) {
    const TesseraGpuVariant &variant = kernel.variants[i];
    if (runs(variant.arch) && (!best || best->arch < variant.arch))
      best = &variant;
  }
  if (!best)
    return Failure{"the kernel has no code for " + device.description()};
  Fallible<CudaModule> code = module(best->module, best->arch);
  if (!code)
    return code.failure();
  const CudaDriver &driver = device.driver();
  std::vector<Step> steps;
  for (int32_t i = 0; i < best->step_count; ++i) {
    const TesseraGridStep &step = best->steps[i];
    if (step.library) {
      steps.push_back({&step, nullptr});
      continue;
    }
    std::string which = std::string("function '") + step.symbol + "' ";
    CudaFunction function = nullptr;
    if (CudaResult result =
            driver.moduleFunction(&function, *code, step.symbol))
      return Failure{which + "is not in module " +
                     std::to_string(best->module) + ": " +
                     describe(driver, result)};
    if (step.shared > device.maxSharedBytes())
      return Failure{which + "needs " + std::to_string(step.shared) +
                     " bytes of shared memory, a block of " +
                     device.description() + " has " +
                     std::to_string(device.maxSharedBytes())};
    CudaResult result = cudaOk;
    // Without asking a block has 48 KiB, less what the function declares.
    if (step.shared > 0)
      result = driver.functionSetAttribute(function, functionMaxDynamicShared,
                                           step.shared);
    if (result)
      return Failure{which + "gets no " + std::to_string(step.shared) +
                     " bytes of shared memory: " + describe(driver, result)};
    steps.push_back({&step, function});
  }
  return steps;
}

Fallible<std::span<const KernelCode::Step>>
KernelCode::find(const TesseraGpuKernel &kernel) {
  auto found = kernels.find(&kernel);
  if (found == kernels.end()) {
    Fallible<std::vector<Step>> steps = resolve(kernel);
    if (!steps)
      return steps.failure();
    found = kernels.emplace(&kernel, *std::move(steps)).first;
  }
  return std::span<const Step>(found->second);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// The CUtensorMapDataType of an element type; -1 for a type unknown to us.
static int mapTypeOf(int32_t dtype) {
  switch (dtype) {
  case TESSERA_I1:
  case TESSERA_I8:
  case TESSERA_U8:
    return mapUint8;
  case TESSERA_I16:
  case TESSERA_U16:
    return mapUint16;
  case TESSERA_I32:
    return mapInt32;
  case TESSERA_U32:
    return mapUint32;
  case TESSERA_I64:
    return mapInt64;
  case TESSERA_U64:
    return mapUint64;
  case TESSERA_F16:
    return mapFloat16;
  case TESSERA_BF16:
    return mapBfloat16;
  case TESSERA_F32:
    return mapFloat32;
  case TESSERA_F64:
    return mapFloat64;
  case TESSERA_MAP_TF32:
    return mapTfloat32;
  }
  return -1;
}

/// The CUtensorMapSwizzle of so many bytes.
static int swizzleOf(int32_t bytes) {
  return bytes == 32 ? 1 : bytes == 64 ? 2 : bytes == 128 ? 3 : 0;
}

static Fallible<CudaTensorMap>
encode(const CudaDriver &driver, const TesseraTensorMap &map, void *buffer) {
  uint64_t sizes[5], strides[5];
  uint32_t box[5], elementStrides[5];
  if (map.rank < 1 || map.rank > 5)
    return Failure{"expected a tensor map of rank 1 to 5, got " +
                   std::to_string(map.rank)};
  for (int32_t i = 0; i < map.rank; ++i) {
    sizes[i] = map.sizes[i];
    box[i] = static_cast<uint32_t>(map.box[i]);
    elementStrides[i] = 1;
    if (i + 1 < map.rank)
      strides[i] = map.strides[i];
  }
  CudaTensorMap encoded;
  CudaResult result =
      driver.encodeTiled(&encoded, mapTypeOf(map.dtype), map.rank, buffer,
                         sizes, strides, box, elementStrides, mapInterleaveNone,
                         swizzleOf(map.swizzle), mapPromotion128, mapFillZero);
  if (result)
    return Failure{"the tensor map of buffer " + std::to_string(map.buffer) +
                   " cannot be encoded: " + describe(driver, result)};
  return encoded;
}

Fallible<std::span<CudaTensorMap>> KernelCode::maps(const TesseraGridStep &step,
                                                    void *const *buffers) {
  if (step.map_count == 0)
    return std::span<CudaTensorMap>();
  std::vector<void *> addresses;
  for (int32_t i = 0; i < step.map_count; ++i)
    addresses.push_back(buffers[step.maps[i].buffer]);
  auto [entry, isNew] = encoded.try_emplace({&step, addresses});
  std::vector<CudaTensorMap> &maps = entry->second;
  for (int32_t i = 0; isNew && i < step.map_count; ++i) {
    auto map = encode(device.driver(), step.maps[i], addresses[i]);
    if (!map) {
      encoded.erase(entry);
      return map.failure();
    }
    maps.push_back(*map);
  }
  return std::span(maps);
}
