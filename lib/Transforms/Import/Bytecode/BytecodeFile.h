//===- BytecodeFile.h - the sections of a file of MLIR bytecode -----------===//

#ifndef TESSERA_TRANSFORMS_IMPORT_BYTECODE_BYTECODEFILE_H
#define TESSERA_TRANSFORMS_IMPORT_BYTECODE_BYTECODEFILE_H

#include "Bytecode/ByteCursor.h"

namespace tessera::importer {

/// The tables of a file, whose bytes outlive them.
struct BytecodeFile {
  /// Versions of the format that change what is where. Those of MLIR 22 end
  /// with 6.
  enum Version : uint64_t {
    kDialectVersions = 1,
    kIsolatedSections = 2,
    kUseListOrders = 3,
    kOptionalArgumentLocations = 4,
    kProperties = 5,
    kNewest = 6,
  };

  struct OperationName {
    /// `vhlo`
    llvm::StringRef dialect;
    /// `add_v1`
    llvm::StringRef name;
    /// Whether the writer knew the operation; its properties are then not an
    /// attribute, but what the operation says they are.
    bool wasRegistered = true;
  };

  /// An attribute or a type.
  struct Entry {
    llvm::StringRef dialect;
    llvm::StringRef bytes;
    /// Whether the dialect encodes it; else it is a text.
    bool isEncoded = false;
  };

  uint64_t version = 0;
  /// `StableHLO_v1.15.0`, or what else wrote the file.
  llvm::StringRef producer;
  llvm::SmallVector<llvm::StringRef> strings, dialects, properties;
  llvm::SmallVector<OperationName> operations;
  llvm::SmallVector<Entry> attributes, types;
  llvm::StringRef ir;
};

/// Whether `contents` begin as MLIR's bytecode does.
bool isBytecode(llvm::StringRef contents);

/// What stands in `contents`, which is bytecode; `status` says whether that
/// went well.
BytecodeFile readBytecodeFile(llvm::StringRef contents, ReadStatus &status);

/// The next section of `cursor`, which sets `id`; `start` is where the file
/// begins.
llvm::StringRef readSection(ByteCursor &cursor, uint8_t &id, const char *start);

/// The member of `table` with the number that comes next; `what` it is.
template <typename T>
T readMember(ByteCursor &cursor, const llvm::SmallVector<T> &table,
             uint64_t index, llvm::StringRef what) {
  if (index < table.size())
    return table[index];
  cursor.status().fail("expected one of " + llvm::Twine(table.size()) + " " +
                       what + ", got number " + llvm::Twine(index));
  return {};
}

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_BYTECODE_BYTECODEFILE_H
