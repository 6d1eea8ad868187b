//===- NcclCodes.h - NCCL's numbers as ours -------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_DEVICE_NCCLCODES_H
#define TESSERA_RUNTIME_EMULATED_DEVICE_NCCLCODES_H

#include "tessera/backend.h"

#include <cstddef>
#include <iterator>

namespace tessera::emulated {

/// The element type of runtime.h for an ncclDataType_t; -1 if there is none.
inline int32_t dtypeOf(int type) {
  static constexpr int32_t types[] = {
      TESSERA_I8,  TESSERA_U8,  TESSERA_I32, TESSERA_U32, TESSERA_I64,
      TESSERA_U64, TESSERA_F16, TESSERA_F32, TESSERA_F64, TESSERA_BF16};
  return type >= 0 && type < int(std::size(types)) ? types[type] : -1;
}

/// The reduction of runtime.h for an ncclRedOp_t; -1 if there is none.
inline int32_t reductionOf(int operation) {
  static constexpr int32_t reductions[] = {TESSERA_SUM, TESSERA_PRODUCT,
                                           TESSERA_MAX, TESSERA_MIN};
  return operation >= 0 && operation < int(std::size(reductions))
             ? reductions[operation]
             : -1;
}

/// The collective of `count` elements of an ncclDataType_t; without reduction,
/// root, group and site.
inline TesseraCollective collectiveOf(int32_t kind, const void *in, void *out,
                                      size_t count, int type) {
  TesseraCollective call = {};
  call.kind = kind;
  call.in = in;
  call.out = out;
  call.count = static_cast<int64_t>(count);
  call.dtype = dtypeOf(type);
  return call;
}

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_DEVICE_NCCLCODES_H
