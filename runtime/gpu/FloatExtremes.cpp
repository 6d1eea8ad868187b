//===- FloatExtremes.cpp --------------------------------------------------===//

#include "FloatExtremes.h"

#include "tessera/Support/Collective.h"

#include <string>
#include <utility>
#include <vector>

using namespace tessera;
using namespace tessera::gpu;

struct FloatExtremes::Format {
  int32_t dtype;
  int32_t integer; ///< The integers' type.
  int64_t bytes;   ///< Of an integer.
  uint64_t infinity;
  uint64_t magnitude; ///< The bits of an element but for its sign.
  const char *toIntegers, *toFloats;
};

const FloatExtremes::Format *FloatExtremes::formatOf(int32_t dtype) {
  static constexpr Format formats[] = {
      {TESSERA_F16, TESSERA_I32, 4, 0x7c00, 0x7fff, "widen16", "narrow16"},
      {TESSERA_BF16, TESSERA_I32, 4, 0x7f80, 0x7fff, "widen16", "narrow16"},
      {TESSERA_F32, TESSERA_I32, 4, 0x7f80'0000, 0x7fff'ffff, "order32",
       "order32"},
      {TESSERA_F64, TESSERA_I64, 8, 0x7ff0'0000'0000'0000,
       0x7fff'ffff'ffff'ffff, "order64", "order64"},
  };
  for (const Format &format : formats)
    if (format.dtype == dtype)
      return &format;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

/// A thread for each element. What is written in capitals differs.
static constexpr const char *kernelPattern = R"(
.visible .entry NAME(.param .u64 from, .param .u64 to, .param .u64 count,
                     .param .bWIDTH infinity, .param .bWIDTH nan) {
  .reg .pred %done, %isNan;
  .reg .b32 %block, %threads, %thread;
  .reg .b64 %from, %to, %count, %i, %at;
  .reg .bWIDTH %x, %magnitude, %flip, %infinity, %nan;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  cvt.u64.u32 %at, %thread;
  mul.wide.u32 %i, %block, %threads;
  add.s64 %i, %i, %at;
  ld.param.u64 %count, [count];
  setp.ge.u64 %done, %i, %count;
  @%done bra end;
  ld.param.u64 %from, [from];
  cvta.to.global.u64 %from, %from;
  mad.lo.s64 %at, %i, FROM_BYTES, %from;
  ld.global.FROM_TYPE %x, [%at];
  ld.param.bWIDTH %infinity, [infinity];
  ld.param.bWIDTH %nan, [nan];
  and.bWIDTH %magnitude, %x, MAGNITUDE;
  setp.gt.uWIDTH %isNan, %magnitude, %infinity;
  shr.sWIDTH %flip, %x, TOP_BIT;
  and.bWIDTH %flip, %flip, MAGNITUDE;
  xor.bWIDTH %x, %x, %flip;
  selp.bWIDTH %x, %nan, %x, %isNan;
  ld.param.u64 %to, [to];
  cvta.to.global.u64 %to, %to;
  mad.lo.s64 %at, %i, TO_BYTES, %to;
  st.global.TO_TYPE [%at], %x;
end:
  ret;
}
)";

using Words = std::vector<std::pair<std::string, std::string>>;

static std::string replaceWords(std::string text, const Words &words) {
  for (const auto &[word, by] : words)
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;)
      text.replace(at, word.size(), by);
  return text;
}

/// One module of PTX for all kernels, from one pattern: they differ in width
/// and types alone.
std::string FloatExtremes::kernelText() {
  Words of32 = {{"WIDTH", "32"}, {"TOP_BIT", "31"}};
  Words of64 = {{"WIDTH", "64"}, {"TOP_BIT", "63"}};
  auto kernel = [](Words words, Words more) {
    words.insert(words.end(), more.begin(), more.end());
    return replaceWords(kernelPattern, words);
  };
  return ".version 8.0\n.target sm_80\n.address_size 64\n" +
         kernel(of32, {{"NAME", "widen16"},
                       {"FROM_TYPE", "s16"},
                       {"FROM_BYTES", "2"},
                       {"TO_TYPE", "b32"},
                       {"TO_BYTES", "4"},
                       {"MAGNITUDE", "0x7fff"}}) +
         kernel(of32, {{"NAME", "narrow16"},
                       {"FROM_TYPE", "b32"},
                       {"FROM_BYTES", "4"},
                       {"TO_TYPE", "b16"},
                       {"TO_BYTES", "2"},
                       {"MAGNITUDE", "0x7fff"}}) +
         kernel(of32, {{"NAME", "order32"},
                       {"FROM_TYPE", "b32"},
                       {"FROM_BYTES", "4"},
                       {"TO_TYPE", "b32"},
                       {"TO_BYTES", "4"},
                       {"MAGNITUDE", "0x7fffffff"}}) +
         kernel(of64, {{"NAME", "order64"},
                       {"FROM_TYPE", "b64"},
                       {"FROM_BYTES", "8"},
                       {"TO_TYPE", "b64"},
                       {"TO_BYTES", "8"},
                       {"MAGNITUDE", "0x7fffffffffffffff"}});
}

FloatExtremes::~FloatExtremes() {
  if (module)
    device.driver().moduleUnload(module);
}

Fallible<void> FloatExtremes::load() {
  if (module)
    return {};
  std::string text = kernelText();
  if (CudaResult result = device.driver().moduleLoad(&module, text.c_str(), 0,
                                                     nullptr, nullptr))
    return Failure{"the kernels for minima and maxima cannot be loaded: " +
                   describe(device.driver(), result)};
  return {};
}

Fallible<void> FloatExtremes::convert(const char *kernel, CudaAddress from,
                                      CudaAddress to, int64_t count,
                                      uint64_t infinity, uint64_t nan,
                                      CudaStream stream) {
  constexpr unsigned threads = 256;
  const CudaDriver &driver = device.driver();
  CudaFunction function = nullptr;
  if (CudaResult result = driver.moduleFunction(&function, module, kernel))
    return Failure{describe(driver, result)};
  auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
  void *parameters[] = {&from, &to, &count, &infinity, &nan};
  if (CudaResult result =
          driver.launchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream,
                              parameters, nullptr))
    return Failure{describe(driver, result)};
  return {};
}

//===----------------------------------------------------------------------===//
// The reduction
//===----------------------------------------------------------------------===//

bool FloatExtremes::handles(const TesseraCollective &call) const {
  return collectiveInfo(call.kind).isReduction &&
         (call.reduction == TESSERA_MIN || call.reduction == TESSERA_MAX) &&
         formatOf(call.dtype) && call.count > 0 &&
         communicators.usesNccl(*call.group);
}

Fallible<void> FloatExtremes::reserve(int64_t bytes) {
  if (bytes <= reserved)
    return {};
  integers = device.allocate(bytes);
  reserved = integers ? bytes : 0;
  if (!integers)
    return Failure{"no memory is left on the device"};
  return {};
}

Fallible<void> FloatExtremes::reduce(const TesseraCollective &call,
                                     CudaStream stream) {
  const Format &format = *formatOf(call.dtype);
  bool scatters = collectiveInfo(call.kind).splitsOperand;
  int64_t operands = call.count * (scatters ? call.group->size : 1);
  int64_t results = scatters ? call.count : 0; // Else in place.
  if (Fallible<void> loaded = load(); !loaded)
    return loaded;
  if (Fallible<void> done = reserve((operands + results) * format.bytes); !done)
    return done;
  CudaAddress reduced = integers + (scatters ? operands * format.bytes : 0);
  uint64_t nan =
      call.reduction == TESSERA_MAX ? format.magnitude : ~format.magnitude;
  if (Fallible<void> done =
          convert(format.toIntegers, reinterpret_cast<CudaAddress>(call.in),
                  integers, operands, format.infinity, nan, stream);
      !done)
    return done;
  TesseraCollective ofIntegers = call;
  ofIntegers.dtype = format.integer;
  ofIntegers.in = reinterpret_cast<const void *>(integers);
  ofIntegers.out = reinterpret_cast<void *>(reduced);
  if (Fallible<void> done = communicators.collective(ofIntegers, stream); !done)
    return done;
  // No integer counts as NaN here: each is the bits of a float already.
  return convert(format.toFloats, reduced,
                 reinterpret_cast<CudaAddress>(call.out), call.count,
                 format.magnitude, nan, stream);
}
