//===- TuningRecords.h - Measured choices of kernels ------------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_CORE_TUNINGRECORDS_H
#define TESSERA_CODEGEN_NVPTX_CORE_TUNINGRECORDS_H

#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "llvm/Support/Error.h"
#include <map>
#include <vector>

namespace tessera::nvptx {

/// Kernels that a record can choose: what they compute, how their tiles are
/// written, and what records may ask for. Every folder has a list of its
/// own; TuningFile.cpp puts them together.
struct KernelFamily {
  /// The record's `kernel`: `wgmma`, `rows`, ...
  llvm::StringLiteral kernel;
  KernelKind kind;
  /// Whether a text is a tile of the family.
  bool (*isTile)(llvm::StringRef text);
  /// The names and sizes that a record may mention.
  llvm::ArrayRef<llvm::StringLiteral> names, sizes;
  /// Whether a record may say `splits`.
  bool hasSplits = false;
};

/// `KernelFamily::isTile` for a type with a `parse`.
template <typename Tile> bool isTileText(llvm::StringRef text) {
  return Tile::parse(text).has_value();
}

/// What a loop nest looks like to a record: its kind and what records of that
/// kind may ask for.
struct TuningKey {
  KernelKind kind;
  /// 80 or 90.
  int64_t arch;
  /// Of reductions: `rows` and `columns`, and of the element-wise `elements`;
  /// and `bytes`, those of the narrowest tensor's elements. Of matmuls and
  /// attention: see Matmul.h and AttentionRecord.h.
  std::map<std::string, int64_t> sizes;
  std::map<std::string, std::string> names;

  TuningKey(KernelKind kind, const GpuTarget &target,
            std::map<std::string, int64_t> sizes,
            std::map<std::string, std::string> names = {})
      : kind(kind), arch(target.arch), sizes(std::move(sizes)),
        names(std::move(names)) {}
};

/// A range of sizes, both ends included.
struct TuningRange {
  int64_t least, most;
};

/// One measured choice. What a record does not mention matches every loop nest.
struct TuningRecord {
  std::optional<int64_t> arch;
  std::map<std::string, std::string> names;
  std::map<std::string, TuningRange> sizes;
  /// Never null in a record that was read.
  const KernelFamily *family = nullptr;
  /// As the family writes it; none for a library.
  std::string tile;
  /// The number of splits of a matmul's depth; 0 lets the model choose.
  int64_t splits = 0;

  bool matches(const TuningKey &key) const;
};

/// The records of one or more files, those asked first in front: an autotuner's
/// table. docs/rationale/gpu-tuning.md describes the file.
class TuningRecords {
public:
  /// Those of `text`, for kernels of `families`, which must outlive them; an
  /// error says what is wrong with which record.
  static llvm::Expected<TuningRecords>
  parse(llvm::StringRef text, llvm::ArrayRef<KernelFamily> families);

  /// Puts the records of `others` behind these.
  void append(const TuningRecords &others) {
    llvm::append_range(records, others.records);
  }

  /// The first record for loop nests like `key`; null if there is none.
  const TuningRecord *find(const TuningKey &key) const;

private:
  std::vector<TuningRecord> records;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_CORE_TUNINGRECORDS_H
