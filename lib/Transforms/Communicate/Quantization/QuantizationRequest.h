//===- QuantizationRequest.h - which collectives a user wants shorter -----===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_QUANTIZATIONREQUEST_H
#define TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_QUANTIZATIONREQUEST_H

#include "tessera/Sharding/Algebra/AxisRef.h"
#include "tessera/Support/Fallible.h"

namespace tessera::communicate {

/// `gather:int8`, `sum:int8@data`, `sum:int8@node+data`: one of the parts of
/// `--quantize-collectives`.
struct QuantizationRequest {
  bool isSum = false;
  /// Groups along these axes, or some of them, whatever the price says; where
  /// none is named, all groups where it pays.
  llvm::SmallVector<AxisName, 2> axes;

  /// Whether a group along `group` is meant.
  bool matches(llvm::ArrayRef<AxisRef> group) const;

  /// Fails on what is none, and on axes that `mesh` does not have.
  static Fallible<QuantizationRequest> parse(llvm::StringRef text,
                                             const Mesh &mesh);
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_QUANTIZATIONREQUEST_H
