//===- AttributeText.h - the text of StableHLO's and Shardy's attributes --===//
//
// Attributes of dialects that are not built in arrive as text. These functions
// read the texts that JAX writes; a failure says what was expected.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_ATTRIBUTETEXT_H
#define TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_ATTRIBUTETEXT_H

#include "tessera/Support/Fallible.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tessera::importer {

/// `dot<lhs_batching_dimensions = [0], ..., rhs_contracting_dimensions = [1]>`
struct DotDims {
  llvm::SmallVector<int64_t> lhsBatching, rhsBatching;
  llvm::SmallVector<int64_t> lhsContracting, rhsContracting;
};

/// `dot_algorithm<lhs_precision_type = bf16, ..., accumulation_type = f32,
/// ...>`: operands are rounded to their precision types (split into that many
/// components of it), and products are summed up in the accumulation type.
struct DotAlgorithm {
  llvm::StringRef lhsPrecision, rhsPrecision, accumulation;
  int64_t lhsComponents = 1, rhsComponents = 1, primitiveOperations = 1;
  /// `true` or `false`.
  llvm::StringRef allowImprecise;
};

/// `ragged_dot<lhs_batching_dimensions = [0], ..., rhs_group_dimensions = [0]>`
struct RaggedDotDims {
  DotDims dot;
  /// The dimension of the left operand that is split into groups, and that of
  /// the right one that counts them.
  llvm::SmallVector<int64_t> lhsRagged, rhsGroup;
};

/// `gather<offset_dims = [1], ..., index_vector_dim = 1>`
struct GatherDims {
  llvm::SmallVector<int64_t> offset, collapsed;
  llvm::SmallVector<int64_t> operandBatching, indicesBatching;
  llvm::SmallVector<int64_t> startIndexMap;
  int64_t indexVectorDim = 0;
};

/// `scatter<update_window_dims = [1], ..., index_vector_dim = 1>`
struct ScatterDims {
  llvm::SmallVector<int64_t> window, inserted;
  llvm::SmallVector<int64_t> operandBatching, indicesBatching;
  llvm::SmallVector<int64_t> operandDimsMap;
  int64_t indexVectorDim = 0;
};

/// `conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>`: which dimension is what.
struct ConvolutionDims {
  int64_t inputBatch = -1, inputFeature = -1;
  int64_t kernelInput = -1, kernelOutput = -1;
  int64_t outputBatch = -1, outputFeature = -1;
  /// As many of each.
  llvm::SmallVector<int64_t> inputSpatial, kernelSpatial, outputSpatial;
};

Fallible<DotDims> parseDotDims(llvm::StringRef text);
Fallible<RaggedDotDims> parseRaggedDotDims(llvm::StringRef text);
Fallible<DotAlgorithm> parseDotAlgorithm(llvm::StringRef text);
Fallible<GatherDims> parseGatherDims(llvm::StringRef text);
Fallible<ScatterDims> parseScatterDims(llvm::StringRef text);
Fallible<ConvolutionDims> parseConvolutionDims(llvm::StringRef text);

/// The case of an enumeration: `LT` of `comparison_direction LT` (or
/// `comparison_direction<LT>`), where `name` is `comparison_direction`.
Fallible<llvm::StringRef> parseEnumeration(llvm::StringRef text,
                                           llvm::StringRef name);

/// The texts of the shardings in `sharding_per_value<[<@mesh, [{"x"}]>, ...]>`,
/// each as `<@mesh, [{"x"}]>`.
Fallible<llvm::SmallVector<llvm::StringRef>>
splitShardingPerValue(llvm::StringRef text);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_ATTRIBUTETEXT_H
