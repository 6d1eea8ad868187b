//===- AttributeText.cpp - the text of StableHLO's attributes -------------===//

#include "Conversions/AttributeText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::importer;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

/// Reads the tokens of one attribute's text from left to right.
class Cursor {
public:
  explicit Cursor(StringRef text) : rest(text.ltrim()) {}

  bool accept(StringRef token) {
    if (!rest.consume_front(token))
      return false;
    rest = rest.ltrim();
    return true;
  }
  StringRef word() {
    StringRef word =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest = rest.drop_front(word.size()).ltrim();
    return word;
  }
  bool integer(int64_t &value) {
    if (rest.consumeInteger(10, value))
      return false;
    rest = rest.ltrim();
    return true;
  }
  /// `[1, 2]`
  bool integers(SmallVector<int64_t> &values) {
    if (!accept("["))
      return false;
    if (accept("]"))
      return true;
    do {
      if (!integer(values.emplace_back()))
        return false;
    } while (accept(","));
    return accept("]");
  }
  bool atEnd() const { return rest.empty(); }
  /// Says that `what` is missing here.
  Failure expected(StringRef what) const {
    std::string got =
        rest.empty() ? "its end" : "'" + rest.take_front(20).str() + "'";
    return {"expected " + what.str() + ", got " + got};
  }

private:
  StringRef rest;
};

/// A field of a record and where its value goes: one of the targets.
struct Field {
  StringRef name;
  SmallVector<int64_t> *integers = nullptr;
  int64_t *integer = nullptr;
  StringRef *word = nullptr;

  Fallible<void> read(Cursor &cursor) const {
    Cursor start = cursor;
    if (integers)
      return cursor.integers(*integers) ? Fallible<void>()
                                        : start.expected("a list of integers");
    if (integer)
      return cursor.integer(*integer) ? Fallible<void>()
                                      : start.expected("an integer");
    *word = cursor.word();
    return word->empty() ? start.expected("a word") : Fallible<void>();
  }
};

} // namespace

/// Reads `record<field = [1, 2], field = 3>`; every field may be left out.
static Fallible<void> parseRecord(StringRef text, StringRef record,
                                  llvm::ArrayRef<Field> fields) {
  Cursor cursor(text);
  if (cursor.word() != record || !cursor.accept("<"))
    return Failure{"expected '" + record.str() + "<...>', got '" + text.str() +
                   "'"};
  while (!cursor.accept(">")) {
    Cursor start = cursor;
    StringRef name = cursor.word();
    const Field *field =
        llvm::find_if(fields, [&](const Field &f) { return f.name == name; });
    if (field == fields.end())
      return start.expected("a field of '" + record.str() + "'");
    if (!cursor.accept("="))
      return cursor.expected("'='");
    if (Fallible<void> value = field->read(cursor); !value)
      return value;
    cursor.accept(",");
  }
  if (!cursor.atEnd())
    return cursor.expected("its end");
  return {};
}

template <typename Record>
static Fallible<Record> recordOr(Record record, Fallible<void> parsed) {
  if (!parsed)
    return parsed.failure();
  return record;
}

Fallible<DotDims> tessera::importer::parseDotDims(StringRef text) {
  DotDims dims;
  Fallible<void> parsed =
      parseRecord(text, "dot",
                  {{"lhs_batching_dimensions", &dims.lhsBatching},
                   {"rhs_batching_dimensions", &dims.rhsBatching},
                   {"lhs_contracting_dimensions", &dims.lhsContracting},
                   {"rhs_contracting_dimensions", &dims.rhsContracting}});
  return recordOr(std::move(dims), parsed);
}

Fallible<RaggedDotDims> tessera::importer::parseRaggedDotDims(StringRef text) {
  RaggedDotDims dims;
  Fallible<void> parsed =
      parseRecord(text, "ragged_dot",
                  {{"lhs_batching_dimensions", &dims.dot.lhsBatching},
                   {"rhs_batching_dimensions", &dims.dot.rhsBatching},
                   {"lhs_contracting_dimensions", &dims.dot.lhsContracting},
                   {"rhs_contracting_dimensions", &dims.dot.rhsContracting},
                   {"lhs_ragged_dimensions", &dims.lhsRagged},
                   {"rhs_group_dimensions", &dims.rhsGroup}});
  return recordOr(std::move(dims), parsed);
}

Fallible<DotAlgorithm> tessera::importer::parseDotAlgorithm(StringRef text) {
  DotAlgorithm algorithm;
  Fallible<void> parsed = parseRecord(
      text, "dot_algorithm",
      {{"lhs_precision_type", nullptr, nullptr, &algorithm.lhsPrecision},
       {"rhs_precision_type", nullptr, nullptr, &algorithm.rhsPrecision},
       {"accumulation_type", nullptr, nullptr, &algorithm.accumulation},
       {"lhs_component_count", nullptr, &algorithm.lhsComponents},
       {"rhs_component_count", nullptr, &algorithm.rhsComponents},
       {"num_primitive_operations", nullptr, &algorithm.primitiveOperations},
       {"allow_imprecise_accumulation", nullptr, nullptr,
        &algorithm.allowImprecise}});
  return recordOr(algorithm, parsed);
}

Fallible<GatherDims> tessera::importer::parseGatherDims(StringRef text) {
  GatherDims dims;
  Fallible<void> parsed =
      parseRecord(text, "gather",
                  {{"offset_dims", &dims.offset},
                   {"collapsed_slice_dims", &dims.collapsed},
                   {"operand_batching_dims", &dims.operandBatching},
                   {"start_indices_batching_dims", &dims.indicesBatching},
                   {"start_index_map", &dims.startIndexMap},
                   {"index_vector_dim", nullptr, &dims.indexVectorDim}});
  return recordOr(std::move(dims), parsed);
}

Fallible<ScatterDims> tessera::importer::parseScatterDims(StringRef text) {
  ScatterDims dims;
  Fallible<void> parsed =
      parseRecord(text, "scatter",
                  {{"update_window_dims", &dims.window},
                   {"inserted_window_dims", &dims.inserted},
                   {"input_batching_dims", &dims.operandBatching},
                   {"scatter_indices_batching_dims", &dims.indicesBatching},
                   {"scatter_dims_to_operand_dims", &dims.operandDimsMap},
                   {"index_vector_dim", nullptr, &dims.indexVectorDim}});
  return recordOr(std::move(dims), parsed);
}

/// Reads `[b, 0, 1, f]`: the dimensions that `first` and `second` name, and
/// those numbered from 0 on.
static Fallible<void> parseDimNames(Cursor &cursor, StringRef first,
                                    int64_t &firstDim, StringRef second,
                                    int64_t &secondDim,
                                    SmallVector<int64_t> &spatial) {
  if (!cursor.accept("["))
    return cursor.expected("'['");
  llvm::SmallDenseMap<int64_t, int64_t> numbered;
  int64_t rank = 0;
  do {
    Cursor start = cursor;
    StringRef name = cursor.word();
    int64_t number;
    bool isNew = false;
    if (name == first || name == second) {
      int64_t &dim = name == first ? firstDim : secondDim;
      isNew = dim < 0;
      dim = rank;
    } else if (!name.getAsInteger(10, number)) {
      isNew = numbered.insert({number, rank}).second;
    }
    if (!isNew)
      return start.expected("'" + first.str() + "', '" + second.str() +
                            "' or the number of a spatial dimension, each "
                            "once");
    ++rank;
  } while (cursor.accept(","));
  if (!cursor.accept("]"))
    return cursor.expected("']'");
  for (int64_t i = 0, e = numbered.size(); i < e; ++i) {
    auto found = numbered.find(i);
    if (found == numbered.end())
      return cursor.expected("the spatial dimensions from 0 on before");
    spatial.push_back(found->second);
  }
  if (firstDim < 0 || secondDim < 0)
    return cursor.expected("'" + first.str() + "' and '" + second.str() +
                           "' before");
  return {};
}

/// Checks that input, kernel and output have as many spatial dimensions as one
/// another.
Fallible<ConvolutionDims>
tessera::importer::parseConvolutionDims(StringRef text) {
  ConvolutionDims dims;
  Cursor cursor(text);
  if (cursor.word() != "conv" || !cursor.accept("<"))
    return Failure{"expected 'conv<...>', got '" + text.str() + "'"};
  Fallible<void> parsed = parseDimNames(cursor, "b", dims.inputBatch, "f",
                                        dims.inputFeature, dims.inputSpatial);
  if (!parsed)
    return parsed.failure();
  if (!cursor.accept("x"))
    return cursor.expected("'x'");
  parsed = parseDimNames(cursor, "i", dims.kernelInput, "o", dims.kernelOutput,
                         dims.kernelSpatial);
  if (!parsed)
    return parsed.failure();
  if (!cursor.accept("->"))
    return cursor.expected("'->'");
  parsed = parseDimNames(cursor, "b", dims.outputBatch, "f", dims.outputFeature,
                         dims.outputSpatial);
  if (!parsed)
    return parsed.failure();
  if (!cursor.accept(">") || !cursor.atEnd())
    return cursor.expected("'>' and its end");
  if (dims.inputSpatial.size() != dims.kernelSpatial.size() ||
      dims.inputSpatial.size() != dims.outputSpatial.size())
    return Failure{"expected as many spatial dimensions of input, kernel and "
                   "output in '" +
                   text.str() + "'"};
  return dims;
}

Fallible<StringRef> tessera::importer::parseEnumeration(StringRef text,
                                                        StringRef name) {
  Cursor cursor(text);
  if (cursor.word() != name)
    return Failure{"expected '" + name.str() + "', got '" + text.str() + "'"};
  bool bracket = cursor.accept("<");
  StringRef value = cursor.word();
  if (value.empty() || (bracket && !cursor.accept(">")) || !cursor.atEnd())
    return Failure{"expected one word behind '" + name.str() + "', got '" +
                   text.str() + "'"};
  return value;
}

Fallible<SmallVector<StringRef>>
tessera::importer::splitShardingPerValue(StringRef text) {
  StringRef rest = text;
  if (!rest.consume_front("sharding_per_value<[") || !rest.consume_back("]>"))
    return Failure{"expected 'sharding_per_value<[...]>', got '" + text.str() +
                   "'"};
  SmallVector<StringRef> parts;
  bool quoted = false;
  size_t depth = 0, start = 0;
  for (auto [i, c] : llvm::enumerate(rest)) {
    if (c == '"')
      quoted = !quoted;
    if (quoted)
      continue;
    if (c == '<' && depth++ == 0)
      start = i;
    if (c == '>' && (depth == 0 || --depth == 0))
      parts.push_back(rest.slice(start, i + 1));
  }
  if (depth != 0 || quoted)
    return Failure{"expected balanced '<' and '>' in '" + text.str() + "'"};
  return parts;
}
