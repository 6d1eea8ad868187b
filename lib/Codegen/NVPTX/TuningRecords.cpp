//===- TuningRecords.cpp - Measured choices of tiles ----------------------===//

#include "TuningRecords.h"
#include "WarpgroupTile.h"
#include "llvm/ADT/StringSwitch.h"
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
    : arch(target.arch), left(typeName(matmul.left.side.operand)),
      right(typeName(matmul.right.side.operand)),
      layout({matmul.left.isDepthMajor ? 'k' : 'm',
              matmul.right.isDepthMajor ? 'k' : 'n'}),
      batch(matmul.batches), m(matmul.m), n(matmul.n), k(matmul.k) {}

bool TuningRecord::matches(const TuningKey &key) const {
  auto holds = [](const auto &wanted, const auto &value) {
    return !wanted || *wanted == value;
  };
  auto contains = [](const std::optional<TuningRange> &range, int64_t value) {
    return !range || (range->least <= value && value <= range->most);
  };
  return holds(arch, key.arch) && holds(left, key.left) &&
         holds(right, key.right) && holds(layout, key.layout) &&
         contains(batch, key.batch) && contains(m, key.m) &&
         contains(n, key.n) && contains(k, key.k);
}

namespace {

/// Reads one record.
class RecordReader {
public:
  RecordReader(const llvm::json::Object &object, size_t number)
      : object(object), number(number) {}

  llvm::Expected<TuningRecord> read() {
    TuningRecord record;
    for (const auto &[key, value] : object)
      if (!readField(record, key.str(), value))
        return wrong("an unknown or malformed field \"" + key.str() + "\"");
    if (record.kernel != "mma" && record.kernel != "wgmma")
      return wrong("kernel \"" + record.kernel + "\"");
    if (record.kernel == "mma" ? !MatmulTile::parse(record.tile)
                               : !WarpgroupTile::parse(record.tile))
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

  static bool readField(TuningRecord &record, llvm::StringRef key,
                        const llvm::json::Value &value) {
    if (auto *range = rangeOf(record, key))
      return readRange(*range, value);
    if (auto *name = nameOf(record, key)) {
      auto text = value.getAsString();
      if (text)
        *name = text->str();
      return text.has_value();
    }
    if (key == "arch" || key == "splits") {
      auto value64 = value.getAsInteger();
      if (value64 && key == "arch")
        record.arch = *value64;
      else if (value64)
        record.splits = *value64;
      return value64 && *value64 > 0;
    }
    auto text = value.getAsString();
    if (text && key == "kernel")
      record.kernel = text->str();
    else if (text && key == "tile")
      record.tile = text->str();
    else
      return text && key == "source";
    return true;
  }

  static std::optional<TuningRange> *rangeOf(TuningRecord &record,
                                             llvm::StringRef key) {
    return llvm::StringSwitch<std::optional<TuningRange> *>(key)
        .Case("batch", &record.batch)
        .Case("m", &record.m)
        .Case("n", &record.n)
        .Case("k", &record.k)
        .Default(nullptr);
  }
  static std::optional<std::string> *nameOf(TuningRecord &record,
                                            llvm::StringRef key) {
    return llvm::StringSwitch<std::optional<std::string> *>(key)
        .Case("left", &record.left)
        .Case("right", &record.right)
        .Case("layout", &record.layout)
        .Default(nullptr);
  }
  static bool readRange(std::optional<TuningRange> &range,
                        const llvm::json::Value &value) {
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
