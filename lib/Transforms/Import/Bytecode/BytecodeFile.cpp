//===- BytecodeFile.cpp - the sections of a file of MLIR bytecode ---------===//

#include "Bytecode/BytecodeFile.h"

#include <array>
#include <optional>

using namespace tessera;
using namespace tessera::importer;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// Numbers of sections.
enum SectionId : uint8_t {
  kStrings,
  kDialects,
  kEntries,
  kEntryOffsets,
  kIr,
  kResources,
  kResourceOffsets,
  kVersionsOfDialects,
  kPropertyValues,
  kSections
};
} // namespace

bool tessera::importer::isBytecode(StringRef contents) {
  return contents.starts_with("ML\xefR");
}

StringRef tessera::importer::readSection(ByteCursor &cursor, uint8_t &id,
                                         const char *start) {
  uint8_t first = cursor.byte();
  id = first & 0x7f;
  uint64_t size = cursor.number();
  if (cursor.ok() && id >= kSections)
    cursor.status().fail("expected the number of a section, got " +
                         Twine(unsigned(id)));
  if (first & 0x80) {
    uint64_t alignment = cursor.number();
    if (cursor.ok() && !llvm::isPowerOf2_64(alignment))
      cursor.status().fail("expected the alignment of a section, got " +
                           Twine(alignment));
    if (cursor.ok())
      cursor.take(llvm::offsetToAlignment(cursor.remaining().data() - start,
                                          llvm::Align(alignment)));
  }
  return cursor.take(size);
}

/// The strings stand in a row behind their sizes, of which the last comes
/// first; each ends with a zero.
static void readStrings(StringRef section, BytecodeFile &file,
                        ReadStatus &status) {
  ByteCursor cursor(section, status);
  uint64_t count = cursor.count();
  file.strings.resize(count);
  StringRef left = section;
  for (StringRef &string : llvm::reverse(file.strings)) {
    uint64_t size = cursor.number();
    if (cursor.ok() && (size == 0 || size > left.size()))
      status.fail("expected the size of a string, got " + Twine(size));
    if (!cursor.ok())
      return;
    string = left.take_back(size).drop_back();
    left = left.drop_back(size);
  }
  if (cursor.ok() && cursor.remaining().data() != left.end())
    status.fail("expected the strings behind their sizes");
}

/// Calls `read` for each member of the groups in `cursor`, with the group's
/// dialect, until `isDone`.
static void readGroups(ByteCursor &cursor, const BytecodeFile &file,
                       llvm::function_ref<bool()> isDone,
                       llvm::function_ref<void(StringRef)> read) {
  while (cursor.ok() && !isDone()) {
    StringRef dialect =
        readMember(cursor, file.dialects, cursor.number(), "dialects");
    for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
      read(dialect);
  }
}

static void readNames(StringRef section, BytecodeFile &file, const char *start,
                      ReadStatus &status) {
  ByteCursor cursor(section, status);
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i) {
    bool hasVersion = false;
    uint64_t name = file.version < BytecodeFile::kDialectVersions
                        ? cursor.number()
                        : cursor.flagged(hasVersion);
    file.dialects.push_back(readMember(cursor, file.strings, name, "strings"));
    uint8_t id;
    if (hasVersion)
      readSection(cursor, id, start);
  }
  if (file.version >= BytecodeFile::kOptionalArgumentLocations)
    cursor.number(); // Of names.
  readGroups(
      cursor, file, [&] { return cursor.atEnd(); },
      [&](StringRef dialect) {
        bool wasRegistered = true;
        uint64_t name = file.version < BytecodeFile::kProperties
                            ? cursor.number()
                            : cursor.flagged(wasRegistered);
        file.operations.push_back(
            {dialect, readMember(cursor, file.strings, name, "strings"),
             wasRegistered});
      });
}

/// Attributes and types stand in a row; their sizes stand elsewhere.
static void readEntries(StringRef section, StringRef sizes, BytecodeFile &file,
                        ReadStatus &status) {
  ByteCursor cursor(sizes, status), contents(section, status);
  uint64_t attributes = cursor.count(), types = cursor.count();
  auto readTable = [&](llvm::SmallVector<BytecodeFile::Entry> &table,
                       uint64_t count) {
    readGroups(
        cursor, file, [&] { return table.size() >= count; },
        [&](StringRef dialect) {
          BytecodeFile::Entry entry;
          entry.dialect = dialect;
          entry.bytes = contents.take(cursor.flagged(entry.isEncoded));
          table.push_back(entry);
        });
  };
  readTable(file.attributes, attributes);
  readTable(file.types, types);
}

static void readProperties(StringRef section, BytecodeFile &file,
                           ReadStatus &status) {
  ByteCursor cursor(section, status);
  if (section.empty())
    return;
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
    file.properties.push_back(cursor.take(cursor.number()));
}

BytecodeFile tessera::importer::readBytecodeFile(StringRef contents,
                                                 ReadStatus &status) {
  BytecodeFile file;
  ByteCursor cursor(contents, status);
  cursor.take(4);
  file.version = cursor.number();
  file.producer = cursor.text();
  if (file.version > BytecodeFile::kNewest)
    status.fail("expected version " + Twine(BytecodeFile::kNewest) +
                " of the format at most, got " + Twine(file.version));
  std::array<std::optional<StringRef>, kSections> sections;
  while (cursor.ok() && !cursor.atEnd()) {
    uint8_t id;
    StringRef section = readSection(cursor, id, contents.data());
    if (!cursor.ok())
      break;
    if (sections[id])
      status.fail("expected section " + Twine(unsigned(id)) + " once");
    sections[id] = section;
  }
  for (uint8_t id : {kStrings, kDialects, kEntries, kEntryOffsets, kIr})
    if (!sections[id])
      status.fail("expected section " + Twine(unsigned(id)) + ", got none");
  if (!status.ok())
    return file;
  readStrings(*sections[kStrings], file, status);
  readNames(*sections[kDialects], file, contents.data(), status);
  readEntries(*sections[kEntries], *sections[kEntryOffsets], file, status);
  readProperties(sections[kPropertyValues].value_or(""), file, status);
  file.ir = *sections[kIr];
  return file;
}
