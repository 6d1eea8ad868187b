//===- Entries.cpp - the attributes and types of a bytecode file ----------===//

#include "Bytecode/Entries.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Call stacks in locations are as deep as the user's program called.
static constexpr unsigned kDeepestEntry = 1000;
/// More elements than any memory holds.
static constexpr int64_t kMostTensorElements = int64_t(1) << 48;
/// Of one entry: the shardings of 40,000 arguments have fewer. Of all texts.
static constexpr uint64_t kMostCharacters = 1 << 24,
                          kMostKeptCharacters = 1 << 28;

/// MLIR's parser calls itself for each bracket.
static constexpr ptrdiff_t kMostBrackets = 5000;

/// Reads the text of an entry that its dialect does not encode.
static void parseTextEntry(StringRef text, MLIRContext *context,
                           Attribute &entry) {
  entry = parseAttribute(text, context);
}
static void parseTextEntry(StringRef text, MLIRContext *context, Type &entry) {
  entry = parseType(text, context);
}

static void readEncodedEntry(ByteCursor &cursor, EntryReader &entries,
                             StringRef dialect, Attribute &entry) {
  if (dialect == "builtin")
    entry = readBuiltinAttribute(cursor, entries);
  else if (dialect == "vhlo")
    entry = readVhloAttribute(cursor, entries);
  else if (dialect == "sdy")
    entry = readShardyAttribute(cursor, entries);
  else
    entries.getStatus().fail("expected attributes of 'builtin', 'vhlo' and "
                             "'sdy', got one of '" +
                             dialect + "'");
}

static void readEncodedEntry(ByteCursor &cursor, EntryReader &entries,
                             StringRef dialect, Type &entry) {
  if (dialect == "builtin")
    entry = readBuiltinType(cursor, entries);
  else if (dialect == "vhlo")
    entry = readVhloType(cursor, entries);
  else
    entries.getStatus().fail("expected types of 'builtin' and 'vhlo', got one "
                             "of '" +
                             dialect + "'");
}

template <typename T>
T EntryReader::read(uint64_t index, ArrayRef<BytecodeFile::Entry> table,
                    std::vector<Read<T>> &done, StringRef what) {
  if (!status.ok())
    return {};
  if (index >= table.size()) {
    status.fail("expected one of " + Twine(table.size()) + " " + what +
                ", got number " + Twine(index));
    return {};
  }
  if (done[index].entry) {
    addCharacters(done[index].characters);
    return done[index].entry;
  }
  if (std::exchange(done[index].isBegun, true) || depth >= kDeepestEntry) {
    status.fail("expected " + what + " without circles, of a depth of " +
                Twine(kDeepestEntry) + " at most");
    return {};
  }
  ++depth;
  uint64_t outside = std::exchange(characters, 1);
  llvm::scope_exit leave([&] {
    done[index].characters = std::exchange(characters, outside);
    if (--depth > 0)
      addCharacters(done[index].characters);
  });
  const BytecodeFile::Entry &entry = table[index];
  ByteCursor cursor(entry.bytes, status);
  T result;
  if (entry.isEncoded) {
    readEncodedEntry(cursor, *this, entry.dialect, result);
  } else if (StringRef text = cursor.text();
             llvm::count_if(text, [](char each) {
               return StringRef("[<({").contains(each);
             }) <= kMostBrackets) {
    addCharacters(text.size());
    parseTextEntry(text, context, result);
  }
  if (!result || !cursor.atEnd())
    status.fail("expected " + what + " of '" + entry.dialect +
                "' that can be read, got number " + Twine(index));
  if (!status.ok())
    return {};
  return done[index].entry = result;
}

/// Refuses texts of more than `most` characters, by a file or by an entry.
static void checkCharacters(uint64_t characters, uint64_t most,
                            ReadStatus &status) {
  if (characters > most)
    status.fail("expected attributes and types of at most " + Twine(most) +
                " characters");
}

void EntryReader::addCharacters(uint64_t more) {
  if (depth == 0)
    return;
  characters += more;
  checkCharacters(characters, kMostCharacters, status);
}

std::string EntryReader::keep(const Twine &text) {
  std::string kept = text.str();
  addCharacters(kept.size());
  keptCharacters += kept.size();
  checkCharacters(keptCharacters, kMostKeptCharacters, status);
  return kept;
}

Attribute EntryReader::attribute(uint64_t index) {
  return read(index, file.attributes, attributes, "attributes");
}

Type EntryReader::type(uint64_t index) {
  return read(index, file.types, types, "types");
}

SmallVector<Attribute> EntryReader::attributeList(ByteCursor &cursor) {
  SmallVector<Attribute> list;
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
    list.push_back(attribute(cursor));
  return list;
}

SmallVector<Type> EntryReader::typeList(ByteCursor &cursor) {
  SmallVector<Type> list;
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
    list.push_back(type(cursor));
  return list;
}

Attribute EntryReader::optionalAttribute(ByteCursor &cursor) {
  bool isGiven;
  uint64_t index = cursor.flagged(isGiven);
  return isGiven ? attribute(index) : Attribute();
}

APInt EntryReader::bits(ByteCursor &cursor, unsigned width) {
  if (width <= 8)
    return APInt(width, cursor.byte(), /*isSigned=*/false,
                 /*implicitTrunc=*/true);
  if (width <= 64)
    return APInt(width, cursor.signedNumber(), /*isSigned=*/true,
                 /*implicitTrunc=*/true);
  SmallVector<uint64_t> words;
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
    words.push_back(cursor.signedNumber());
  if (words.empty())
    words.push_back(0);
  return APInt(width, words);
}

APFloat EntryReader::real(ByteCursor &cursor,
                          const llvm::fltSemantics &semantics) {
  return APFloat(semantics, bits(cursor, APFloat::getSizeInBits(semantics)));
}

std::string EntryReader::printedReal(ByteCursor &cursor) {
  std::string text;
  llvm::raw_string_ostream(text) << FloatAttr::get(
      Float64Type::get(context), real(cursor, APFloat::IEEEdouble()));
  return StringRef(text).rsplit(" : ").first.str();
}

Attribute EntryReader::number(ByteCursor &cursor) {
  Type type = this->type(cursor);
  if (auto real = dyn_cast_if_present<FloatType>(type))
    return FloatAttr::get(type, this->real(cursor, real.getFloatSemantics()));
  if (!type || !type.isIntOrIndex()) {
    status.fail("expected the type of a number");
    return {};
  }
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, bits(cursor, width));
}

Attribute EntryReader::dictionary(ByteCursor &cursor) {
  SmallVector<NamedAttribute> named;
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i) {
    auto name = attributeOf<StringAttr>(cursor, "the name of an entry");
    Attribute value = attribute(cursor);
    if (!name || !value)
      return {};
    if (name.empty())
      status.fail("expected the name of an entry, got none");
    named.push_back({name, value});
  }
  if (DictionaryAttr::findDuplicate(named, /*isSorted=*/false))
    status.fail("expected different names in a dictionary");
  return cursor.ok() ? DictionaryAttr::get(context, named) : DictionaryAttr();
}

/// A byte for each element, a bit for each, or one byte for all: writers have
/// done all of that.
static Attribute readBooleans(RankedTensorType type, StringRef bytes) {
  size_t count = type.getNumElements();
  if (bytes.size() == 1 && uint8_t(bytes[0]) == 0xff)
    return DenseElementsAttr::get(type, true);
  SmallVector<bool> values;
  if (bytes.size() == count) {
    for (char each : bytes)
      values.push_back(each != 0);
  } else if (bytes.size() == llvm::divideCeil(count, 8)) {
    for (size_t i = 0; i < count; ++i)
      values.push_back(bytes[i / 8] >> (i % 8) & 1);
  } else {
    return bytes.size() == 1 ? DenseElementsAttr::get(type, bytes[0] != 0)
                             : DenseElementsAttr();
  }
  return DenseElementsAttr::get(type, values);
}

Attribute EntryReader::elements(Type type, StringRef bytes) {
  auto tensor = expect<RankedTensorType>(type, "a tensor for its elements");
  if (!tensor)
    return {};
  Attribute result;
  ArrayRef<char> data(bytes.data(), bytes.size());
  bool isSplat;
  Type element = tensor.getElementType();
  if (!tensor.hasStaticShape() ||
      !(element.isIntOrIndexOrFloat() || isa<ComplexType>(element))) {
    status.fail("expected a tensor of numbers for its elements");
  } else if (element.isInteger(1)) {
    result = readBooleans(tensor, bytes);
  } else if (DenseElementsAttr::isValidRawBuffer(tensor, data, isSplat)) {
    result = DenseElementsAttr::getFromRawBuffer(tensor, data);
  }
  if (!result)
    status.fail("expected the elements of a tensor, got " +
                Twine(bytes.size()) + " bytes");
  return result;
}

Type EntryReader::tensor(ArrayRef<int64_t> shape, Type element,
                         Attribute encoding) {
  int64_t elements = 1;
  for (int64_t size : shape) {
    bool isOpen = ShapedType::isDynamic(size);
    if ((size < 0 && !isOpen) ||
        llvm::MulOverflow(elements, isOpen ? 1 : size, elements) ||
        elements > kMostTensorElements) {
      status.fail("expected the shape of a tensor, got a dimension of " +
                  Twine(size));
      return {};
    }
  }
  if (!element || !status.ok() || !TensorType::isValidElementType(element)) {
    status.fail("expected the type of a tensor's elements");
    return {};
  }
  return RankedTensorType::get(shape, element, encoding);
}

Attribute EntryReader::opaque(StringRef dialect, const Twine &text) {
  return OpaqueAttr::get(StringAttr::get(context, dialect), keep(text),
                         NoneType::get(context));
}

Type EntryReader::opaqueType(StringRef dialect, const Twine &text) {
  return OpaqueType::get(StringAttr::get(context, dialect), keep(text));
}
