//===- TuningRecords.h - Measured choices of kernels ------------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_TUNINGRECORDS_H
#define TESSERA_CODEGEN_NVPTX_TUNINGRECORDS_H

#include "Matmul/MatmulTile.h"
#include "llvm/Support/Error.h"
#include <map>
#include <vector>

namespace tessera::nvptx {

/// What a stage looks like to a record: its kind (`product`, `rows`, `columns`,
/// `elements`, `attention`) and what records of that kind may ask for.
struct TuningKey {
  std::string kind;
  /// 80 or 90.
  int64_t arch;
  /// Of a product: `left` and `right`, the operands' element types ("bf16"),
  /// and `layout`, whether each is contiguous in depth (`k`) or in its free
  /// index (`m`, `n`): `kk`, `kn`, `mk` or `mn`. Of attention: `step` and
  /// `element`, as AttentionRecord.h says.
  std::map<std::string, std::string> names;
  /// Of a product: `batch`, `m`, `n`, `k`. Of reductions: `rows` and `columns`,
  /// and of the element-wise `elements`; and `bytes`, those of the narrowest
  /// tensor's elements. Of attention: `batch` (times heads), `queries`, `keys`,
  /// `features`.
  std::map<std::string, int64_t> sizes;

  TuningKey(const Matmul &matmul, const GpuTarget &target);
  TuningKey(llvm::StringRef kind, const GpuTarget &target,
            std::map<std::string, int64_t> sizes);
};

/// A range of sizes, both ends included.
struct TuningRange {
  int64_t least, most;
};

/// One measured choice. What a record does not mention matches every stage.
struct TuningRecord {
  std::optional<int64_t> arch;
  std::map<std::string, std::string> names;
  std::map<std::string, TuningRange> sizes;
  /// The family of kernels, and its tile as the family writes it; none for a
  /// library. Of products: `mma` (tensor cores or scalar), `wgmma`, `cublasLt`;
  /// of attention that or `wgmma-attention`; else the kind's name.
  std::string kernel, tile;
  /// The number of splits of a product's depth; 0 lets the model choose.
  int64_t splits = 0;

  bool matches(const TuningKey &key) const;
};

/// The records of one or more files, those asked first in front.
/// docs/rationale/gpu-tuning.md describes the file.
class TuningRecords {
public:
  /// The records that ship with the compiler.
  static const TuningRecords &shipped();
  /// Those of `text`; an error says what is wrong with which record.
  static llvm::Expected<TuningRecords> parse(llvm::StringRef text);
  /// Those of the file at `path`, and behind them the ones that ship.
  static llvm::Expected<TuningRecords> load(llvm::StringRef path);

  /// The first record for stages like `key`; null if there is none.
  const TuningRecord *find(const TuningKey &key) const;

private:
  std::vector<TuningRecord> records;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_TUNINGRECORDS_H
