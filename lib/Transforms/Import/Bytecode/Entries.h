//===- Entries.h - the attributes and types of a bytecode file ------------===//
//
// Each is read when something refers to it first. The dialects' encodings are
// read straight to what the text of a module in generic form gives: builtin
// types and attributes, opaque attributes of `stablehlo` and `sdy`
// (AttributeText.h). So VHLO, StableHLO's versioned copy, is gone before
// anybody sees it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_IMPORT_BYTECODE_ENTRIES_H
#define TESSERA_TRANSFORMS_IMPORT_BYTECODE_ENTRIES_H

#include "Bytecode/BytecodeFile.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace tessera::importer {

/// Gives the attributes and types of a file by their numbers.
class EntryReader {
public:
  EntryReader(const BytecodeFile &file, mlir::MLIRContext *context,
              ReadStatus &status)
      : file(file), context(context), status(status),
        attributes(file.attributes.size()), types(file.types.size()) {}

  mlir::MLIRContext *getContext() const { return context; }
  ReadStatus &getStatus() const { return status; }

  /// The attribute or type with number `index`; null after a failure.
  mlir::Attribute attribute(uint64_t index);
  mlir::Type type(uint64_t index);

  /// Those whose number comes next.
  mlir::Attribute attribute(ByteCursor &cursor) {
    return attribute(cursor.number());
  }
  mlir::Type type(ByteCursor &cursor) { return type(cursor.number()); }
  llvm::SmallVector<mlir::Attribute> attributeList(ByteCursor &cursor);
  llvm::SmallVector<mlir::Type> typeList(ByteCursor &cursor);
  /// Null also where none is given.
  mlir::Attribute optionalAttribute(ByteCursor &cursor);
  llvm::StringRef string(ByteCursor &cursor) {
    llvm::StringRef text =
        readMember(cursor, file.strings, cursor.number(), "strings");
    addCharacters(text.size());
    return text;
  }
  /// The opaque attribute `#dialect.text`, or `#dialect<text>`, as MLIR's
  /// parser makes it; the opaque type of that name.
  mlir::Attribute opaque(llvm::StringRef dialect, const llvm::Twine &text);
  mlir::Type opaqueType(llvm::StringRef dialect, const llvm::Twine &text);
  /// The attribute that comes next, which must be a `T`, `what` in words.
  template <typename T>
  T attributeOf(ByteCursor &cursor, llvm::StringRef what) {
    return expect<T>(attribute(cursor), what);
  }
  /// `entry` as a `T`, or null after a failure that names `what` it should be.
  template <typename T, typename Entry>
  T expect(Entry entry, llvm::StringRef what) {
    if (auto found = mlir::dyn_cast_if_present<T>(entry))
      return found;
    status.fail("expected " + what);
    return {};
  }

  /// The bits of a number; a number of 64 bits or as `semantics` say.
  llvm::APInt bits(ByteCursor &cursor, unsigned width);
  llvm::APFloat real(ByteCursor &cursor, const llvm::fltSemantics &semantics);

  /// A number of 64 bits as text that MLIR reads back to the same.
  std::string printedReal(ByteCursor &cursor);
  /// A type and a number of it; names and attributes. Null after a failure.
  mlir::Attribute number(ByteCursor &cursor);
  mlir::Attribute dictionary(ByteCursor &cursor);

  /// A tensor's elements, which are `bytes`; `type` must be a tensor.
  mlir::Attribute elements(mlir::Type type, llvm::StringRef bytes);
  /// A tensor type of `shape`; null after a failure.
  mlir::Type tensor(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                    mlir::Attribute encoding = {});
  /// For functions of MLIR's that check what they are given. Whoever reads a
  /// file hears what they say; what counts is that they did.
  llvm::function_ref<mlir::InFlightDiagnostic()> quietly() const {
    return emitter;
  }

private:
  /// An entry that has been read, or is just being read.
  template <typename T> struct Read {
    T entry;
    bool isBegun = false;
    uint64_t characters = 0;
  };
  template <typename T>
  T read(uint64_t index, llvm::ArrayRef<BytecodeFile::Entry> entries,
         std::vector<Read<T>> &done, llvm::StringRef what);
  /// The entry that is being read is so much longer, written out.
  void addCharacters(uint64_t more);
  /// Text that is kept, also of entries that few refer to.
  std::string keep(const llvm::Twine &text);

  const BytecodeFile &file;
  mlir::MLIRContext *context;
  ReadStatus &status;
  std::vector<Read<mlir::Attribute>> attributes;
  std::vector<Read<mlir::Type>> types;
  unsigned depth = 0;
  /// A lower bound for the text of the entry that is being read. A few hundred
  /// bytes, in which each entry has the one before twice, are one of 2^100.
  uint64_t characters = 0;
  uint64_t keptCharacters = 0;
  std::function<mlir::InFlightDiagnostic()> emitter = [this] {
    status.fail("expected a valid type or attribute");
    return mlir::emitError(mlir::UnknownLoc::get(context));
  };
};

// What each dialect encodes. Null after a failure.
mlir::Attribute readBuiltinAttribute(ByteCursor &cursor, EntryReader &entries);
mlir::Type readBuiltinType(ByteCursor &cursor, EntryReader &entries);
mlir::Attribute readVhloAttribute(ByteCursor &cursor, EntryReader &entries);
mlir::Type readVhloType(ByteCursor &cursor, EntryReader &entries);
mlir::Attribute readShardyAttribute(ByteCursor &cursor, EntryReader &entries);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_BYTECODE_ENTRIES_H
