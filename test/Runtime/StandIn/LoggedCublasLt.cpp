//===- LoggedCublasLt.cpp - What cuBLASLt is told -------------------------===//

#include "StandIn.h"

#include "../../../runtime/emulated/device/EmulatedCublasLt.h"

#include <cstring>

using namespace tessera;
using namespace tessera::standin;
using namespace tessera::gpu;

static const CublasLt &real() { return emulated::emulatedCublasLt(); }

/// `  attribute 3 = 1`; of a pointer, whether it is one.
static void logAttribute(int attribute, const void *value, size_t bytes,
                         bool isPointer = false) {
  uint64_t number = 0;
  std::memcpy(&number, value, std::min(bytes, sizeof number));
  log("  attribute " + std::to_string(attribute) + " = " +
      (isPointer ? number ? "a pointer" : "null" : std::to_string(number)));
}

const CublasLt &standin::loggedCublasLt() {
  static const CublasLt table = [] {
    CublasLt table = real();
    table.matmulCreate = [](BlasMatmul *matmul, int compute, int scaleType) {
      log("  compute " + std::to_string(compute) + ", scale " +
          std::to_string(scaleType));
      return real().matmulCreate(matmul, compute, scaleType);
    };
    table.matmulSet = [](BlasMatmul matmul, int attribute, const void *value,
                         size_t bytes) {
      logAttribute(attribute, value, bytes, attribute == blasBiasPointer);
      return real().matmulSet(matmul, attribute, value, bytes);
    };
    table.layoutCreate = [](BlasLayout *layout, int type, uint64_t rows,
                            uint64_t columns, int64_t leading) {
      log("  type " + std::to_string(type) + ", " + std::to_string(rows) +
          " x " + std::to_string(columns) + ", leading " +
          std::to_string(leading));
      return real().layoutCreate(layout, type, rows, columns, leading);
    };
    table.layoutSet = [](BlasLayout layout, int attribute, const void *value,
                         size_t bytes) {
      logAttribute(attribute, value, bytes);
      return real().layoutSet(layout, attribute, value, bytes);
    };
    table.preferenceSet = [](BlasPreference preference, int attribute,
                             const void *value, size_t bytes) {
      logAttribute(attribute, value, bytes);
      return real().preferenceSet(preference, attribute, value, bytes);
    };
    return table;
  }();
  return table;
}
