//===- TuningRecords.cpp - Measured choices of kernels --------------------===//

#include "TuningRecords.h"
#include "Attention/AttentionRecord.h"
#include "Loops/RowShape.h"
#include "Warpgroup/WarpgroupTile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::nvptx;

static std::string typeName(mlir::Value operand) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(operand.getType());
  return name;
}

TuningKey::TuningKey(const Matmul &matmul, const GpuTarget &target)
    : kind("product"),
      arch(target.arch), names{{"left", typeName(matmul.left.side.operand)},
                               {"right", typeName(matmul.right.side.operand)},
                               {"layout",
                                {matmul.left.isDepthMajor ? 'k' : 'm',
                                 matmul.right.isDepthMajor ? 'k' : 'n'}}},
      sizes{{"batch", matmul.batches},
            {"m", matmul.m},
            {"n", matmul.n},
            {"k", matmul.k}} {}

TuningKey::TuningKey(llvm::StringRef kind, const GpuTarget &target,
                     std::map<std::string, int64_t> sizes)
    : kind(kind), arch(target.arch), sizes(std::move(sizes)) {}

namespace {

/// Kernels that a record can choose: what they compute, how their tiles are
/// written, and what records may ask for.
struct KernelFamily {
  llvm::StringLiteral kernel, kind;
  bool (*isTile)(llvm::StringRef text);
  llvm::ArrayRef<llvm::StringLiteral> names, sizes;
  bool hasSplits = false;
};

constexpr llvm::StringLiteral kProductNames[] = {"left", "right", "layout"};
constexpr llvm::StringLiteral kProductSizes[] = {"batch", "m", "n", "k"};
constexpr llvm::StringLiteral kReductionSizes[] = {"rows", "columns", "bytes"};
constexpr llvm::StringLiteral kElementSizes[] = {"elements", "bytes"};

constexpr llvm::StringLiteral kAttentionNames[] = {"step", "element"};
constexpr llvm::StringLiteral kAttentionSizes[] = {"batch", "queries", "keys",
                                                   "features"};

template <typename Tile> bool isTile(llvm::StringRef text) {
  return Tile::parse(text).has_value();
}
bool isNothing(llvm::StringRef text) { return text.empty(); }

const KernelFamily kFamilies[] = {
    {"mma", "product", isTile<MatmulTile>, kProductNames, kProductSizes, true},
    {"wgmma", "product", isTile<WarpgroupTile>, kProductNames, kProductSizes,
     true},
    {"cublasLt", "product", isNothing, kProductNames, kProductSizes},
    {"attention", "attention", isTile<AttentionRecord>, kAttentionNames,
     kAttentionSizes},
    {"wgmma-attention", "attention", isTile<AttentionRecord>, kAttentionNames,
     kAttentionSizes},
    {"rows", "rows", isTile<BlockTile>, {}, kReductionSizes},
    {"columns", "columns", isTile<BlockTile>, {}, kReductionSizes},
    {"elements", "elements", isTile<VectorTile>, {}, kElementSizes},
};

const KernelFamily *familyOf(llvm::StringRef kernel) {
  for (const KernelFamily &family : kFamilies)
    if (family.kernel == kernel)
      return &family;
  return nullptr;
}

} // namespace

bool TuningRecord::matches(const TuningKey &key) const {
  auto holds = [](const TuningRange &range, int64_t value) {
    return range.least <= value && value <= range.most;
  };
  return familyOf(kernel)->kind == key.kind && (!arch || *arch == key.arch) &&
         llvm::all_of(names,
                      [&](const auto &name) {
                        return key.names.at(name.first) == name.second;
                      }) &&
         llvm::all_of(sizes, [&](const auto &size) {
           return holds(size.second, key.sizes.at(size.first));
         });
}

namespace {

/// Reads one record.
class RecordReader {
public:
  RecordReader(const llvm::json::Object &object, size_t number)
      : object(object), number(number) {}

  llvm::Expected<TuningRecord> read() {
    TuningRecord record;
    record.kernel = object.getString("kernel").value_or("").str();
    const KernelFamily *family = familyOf(record.kernel);
    if (!family)
      return wrong("kernel \"" + record.kernel + "\"");
    for (const auto &[key, value] : object)
      if (!readField(record, *family, key.str(), value))
        return wrong("an unknown or malformed field \"" + key.str() + "\"");
    if (!family->isTile(record.tile))
      return wrong("tile \"" + record.tile + "\"");
    return record;
  }

private:
  llvm::Error wrong(const llvm::Twine &what) {
    return llvm::createStringError("expected record " + llvm::Twine(number) +
                                   " of the tuning file to be as the format "
                                   "says, got " +
                                   what);
  }

  static bool readField(TuningRecord &record, const KernelFamily &family,
                        const std::string &key,
                        const llvm::json::Value &value) {
    if (llvm::is_contained(family.sizes, key))
      return readRange(record.sizes[key], value);
    if (key == "arch" || (key == "splits" && family.hasSplits)) {
      auto value64 = value.getAsInteger();
      if (value64 && key == "arch")
        record.arch = *value64;
      else if (value64)
        record.splits = *value64;
      return value64 && *value64 > 0;
    }
    auto text = value.getAsString();
    if (text && llvm::is_contained(family.names, key))
      record.names[key] = text->str();
    else if (text && key == "tile")
      record.tile = text->str();
    else
      return text && (key == "source" || key == "kernel");
    return true;
  }

  static bool readRange(TuningRange &range, const llvm::json::Value &value) {
    if (auto exact = value.getAsInteger()) {
      range = {*exact, *exact};
      return true;
    }
    const llvm::json::Array *ends = value.getAsArray();
    if (!ends || ends->size() != 2)
      return false;
    auto least = (*ends)[0].getAsInteger(), most = (*ends)[1].getAsInteger();
    if (least && most)
      range = {*least, *most};
    return least && most;
  }

  const llvm::json::Object &object;
  size_t number;
};

} // namespace

llvm::Expected<TuningRecords> TuningRecords::parse(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *file = value->getAsObject();
  const llvm::json::Array *list = file ? file->getArray("records") : nullptr;
  if (!list)
    return llvm::createStringError(
        "expected a tuning file to have a list \"records\"");
  TuningRecords records;
  for (const llvm::json::Value &entry : *list) {
    const llvm::json::Object *object = entry.getAsObject();
    if (!object)
      return llvm::createStringError("expected tuning records to be objects");
    auto record = RecordReader(*object, records.records.size()).read();
    if (!record)
      return record.takeError();
    records.records.push_back(std::move(*record));
  }
  return records;
}

llvm::Expected<TuningRecords> TuningRecords::load(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("expected a tuning file at '" + path +
                                   "', got: " + buffer.getError().message());
  auto records = parse((*buffer)->getBuffer());
  if (!records)
    return records.takeError();
  llvm::append_range(records->records, shipped().records);
  return records;
}

/// The text of Tuning.json.
static constexpr const char kShipped[] =
#include "Tuning.json.inc"
    ;

const TuningRecords &TuningRecords::shipped() {
  static const TuningRecords records = llvm::cantFail(parse(kShipped));
  return records;
}

const TuningRecord *TuningRecords::find(const TuningKey &key) const {
  for (const TuningRecord &record : records)
    if (record.matches(key))
      return &record;
  return nullptr;
}
