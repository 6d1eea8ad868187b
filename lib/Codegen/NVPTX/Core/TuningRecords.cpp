//===- TuningRecords.cpp - Measured choices of kernels --------------------===//

#include "Core/TuningRecords.h"
#include "llvm/Support/JSON.h"

using namespace tessera;
using namespace tessera::nvptx;

bool TuningRecord::matches(const TuningKey &key) const {
  auto holds = [](const TuningRange &range, int64_t value) {
    return range.least <= value && value <= range.most;
  };
  return family->kind == key.kind && (!arch || *arch == key.arch) &&
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
  RecordReader(const llvm::json::Object &object, size_t number,
               llvm::ArrayRef<KernelFamily> families)
      : object(object), number(number), families(families) {}

  llvm::Expected<TuningRecord> read() {
    TuningRecord record;
    llvm::StringRef kernel = object.getString("kernel").value_or("");
    const KernelFamily *family =
        llvm::find_if(families, [&](const KernelFamily &known) {
          return known.kernel == kernel;
        });
    if (family == families.end())
      return wrong("kernel \"" + kernel + "\"");
    record.family = family;
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
  llvm::ArrayRef<KernelFamily> families;
};

} // namespace

llvm::Expected<TuningRecords>
TuningRecords::parse(llvm::StringRef text,
                     llvm::ArrayRef<KernelFamily> families) {
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
    auto record =
        RecordReader(*object, records.records.size(), families).read();
    if (!record)
      return record.takeError();
    records.records.push_back(std::move(*record));
  }
  return records;
}

const TuningRecord *TuningRecords::find(const TuningKey &key) const {
  for (const TuningRecord &record : records)
    if (record.matches(key))
      return &record;
  return nullptr;
}
