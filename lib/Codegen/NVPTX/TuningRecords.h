//===- TuningRecords.h - Measured choices of tiles --------------*- C++ -*-===//
#ifndef TESSERA_LIB_CODEGEN_NVPTX_TUNINGRECORDS_H
#define TESSERA_LIB_CODEGEN_NVPTX_TUNINGRECORDS_H

#include "MatmulTile.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace tessera::nvptx {

/// What a product looks like to a record.
struct TuningKey {
  /// 80 or 90.
  int64_t arch;
  /// The operands' element types ("bf16").
  std::string left, right;
  /// Whether each operand is contiguous in depth (`k`) or in its free index
  /// (`m`, `n`): `kk`, `kn`, `mk` or `mn`.
  std::string layout;
  int64_t batch, m, n, k;

  TuningKey(const Matmul &matmul, const GpuTarget &target);
};

/// A range of sizes, both ends included.
struct TuningRange {
  int64_t least, most;
};

/// One measured choice. What a record does not mention matches every product.
struct TuningRecord {
  std::optional<int64_t> arch;
  std::optional<std::string> left, right, layout;
  std::optional<TuningRange> batch, m, n, k;
  /// The family of kernels, `mma` (this one, tensor cores or scalar) or
  /// `wgmma`, and its tile as the family writes it.
  std::string kernel, tile;
  /// The number of splits of the depth; 0 lets the model choose.
  int64_t splits = 0;

  bool matches(const TuningKey &key) const;
};

/// The records of one or more files, those asked first in front.
/// docs/rationale/gpu-matmul.md describes the file.
class TuningRecords {
public:
  /// The records that ship with the compiler.
  static const TuningRecords &shipped();
  /// Those of `text`; an error says what is wrong with which record.
  static llvm::Expected<TuningRecords> parse(llvm::StringRef text);
  /// Those of the file at `path`, and behind them the ones that ship.
  static llvm::Expected<TuningRecords> load(llvm::StringRef path);

  /// The first record for products like `key`; null if there is none.
  const TuningRecord *find(const TuningKey &key) const;

private:
  std::vector<TuningRecord> records;
};

} // namespace tessera::nvptx

#endif // TESSERA_LIB_CODEGEN_NVPTX_TUNINGRECORDS_H
