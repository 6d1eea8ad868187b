//===- Inspect.cpp - the manifest of a compiled program -------------------===//

#include "tessera/Driver/Inspect.h"

#include "tessera/Package/ProgramFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace tessera;
namespace json = llvm::json;

/// `f32[8x16]`
static std::string describeTensor(const json::Object &tensor,
                                  llvm::StringRef shapeKey) {
  std::string text = tensor.getString("dtype").value_or("?").str() + "[";
  if (const json::Array *shape = tensor.getArray(shapeKey))
    text +=
        llvm::join(llvm::map_range(*shape,
                                   [](const json::Value &size) {
                                     return llvm::formatv("{0}", size).str();
                                   }),
                   "x");
  return text + "]";
}

/// The rows of argument or result `number` that `program` says it has, as
/// ` (rows 0-1, 3)`, of another dimension than the first as
/// ` (of dimension 1: 0-1, 3)`; nothing where it has all.
static std::string rowsOf(const json::Object &program, llvm::StringRef key,
                          int64_t number) {
  llvm::SmallVector<std::pair<int64_t, int64_t>> ranges;
  int64_t dim = 0;
  if (const json::Array *list = program.getArray(key))
    for (const json::Value &value : *list) {
      const json::Object *rows = value.getAsObject();
      if (!rows || rows->getInteger("number") != number)
        continue;
      dim = rows->getInteger("dimension").value_or(0);
      int64_t first = rows->getInteger("first_row").value_or(0),
              end = first + rows->getInteger("rows").value_or(0);
      if (!ranges.empty() && ranges.back().second == first)
        ranges.back().second = end;
      else
        ranges.push_back({first, end});
    }
  if (ranges.empty())
    return "";
  std::string text =
      ranges.front().second - ranges.front().first == 1 && ranges.size() == 1
          ? " (row "
          : " (rows ";
  if (dim)
    text = llvm::formatv(" (of dimension {0}: ", dim).str();
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(ranges, os, [&](std::pair<int64_t, int64_t> range) {
    os << range.first;
    if (range.second - range.first > 1)
      os << '-' << range.second - 1;
  });
  os << ')';
  return text;
}

/// The pipeline ranks `ranks` that have argument or result `number`, and which
/// rows of it.
static std::string describeHolders(const json::Object &manifest,
                                   llvm::StringRef key, int64_t number,
                                   const json::Array &ranks) {
  const json::Array *programs = manifest.getArray("programs");
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(ranks, os, [&](const json::Value &value) {
    size_t rank = value.getAsInteger().value_or(0);
    os << rank;
    if (programs && rank < programs->size())
      if (const json::Object *program = (*programs)[rank].getAsObject())
        os << rowsOf(*program, key, number);
  });
  return text;
}

static void printTensors(llvm::raw_ostream &os, const json::Object &manifest,
                         llvm::StringRef key) {
  const json::Array *tensors = manifest.getArray(key);
  if (!tensors)
    return;
  os << '\n' << key << " (" << tensors->size() << ")\n";
  for (auto [number, value] : llvm::enumerate(*tensors)) {
    const json::Object *tensor = value.getAsObject();
    if (!tensor)
      continue;
    os << llvm::formatv("  {0,-36} {1,-20} per device {2,-20} {3}",
                        tensor->getString("name").value_or("?"),
                        describeTensor(*tensor, "shape"),
                        describeTensor(*tensor, "local_shape"),
                        tensor->getString("text").value_or(""));
    if (std::optional<int64_t> result = tensor->getInteger("donated"))
      os << "  donated to result " << *result;
    if (std::optional<llvm::StringRef> initial = tensor->getString("initial"))
      os << "  " << *initial << " at first";
    if (const json::Array *ranks = tensor->getArray("ranks"))
      os << "  on pipeline ranks "
         << describeHolders(manifest, key, number, *ranks);
    os << '\n';
  }
}

static void printCollectives(llvm::raw_ostream &os,
                             const json::Object &manifest) {
  const json::Array *collectives = manifest.getArray("collectives");
  if (!collectives)
    return;
  int64_t total = 0;
  // By pipeline rank, as each device belongs to one.
  std::map<int64_t, int64_t> totals;
  os << "\ncollectives (" << collectives->size() << ")\n";
  for (const json::Value &value : *collectives) {
    const json::Object *collective = value.getAsObject();
    if (!collective)
      continue;
    int64_t bytes = collective->getInteger("bytes").value_or(0);
    int64_t rank = collective->getInteger("rank").value_or(0);
    total = std::max(total, totals[rank] += bytes);
    os << llvm::formatv("  {0,-16} {1,-24} {2,-28} {3,12} bytes  {4}\n",
                        collective->getString("kind").value_or("?"),
                        llvm::formatv("{0}", collective->get("axes")
                                                 ? *collective->get("axes")
                                                 : json::Value(nullptr))
                            .str(),
                        collective->getString("type").value_or(""), bytes,
                        collective->getString("location").value_or(""));
  }
  os << "  sent per device and step: " << total << " bytes\n";
}

/// What each pipeline rank runs, and what they send each other.
static void printPipeline(llvm::raw_ostream &os, const json::Object &manifest) {
  const json::Object *pipeline = manifest.getObject("pipeline");
  if (!pipeline)
    return;
  const json::Array *ranks = pipeline->getArray("ranks"),
                    *memory = pipeline->getArray("memory"),
                    *transfers = pipeline->getArray("transfers");
  os << llvm::formatv("\nschedule {0}: {1} stages, {2} microbatches\n",
                      pipeline->getString("schedule").value_or("?"),
                      pipeline->getInteger("stages").value_or(0),
                      pipeline->getInteger("microbatches").value_or(0));
  for (size_t rank = 0; ranks && memory && rank < ranks->size(); ++rank)
    os << llvm::formatv("  pipeline rank {0}, {1} bytes per device: {2}\n",
                        rank, (*memory)[rank].getAsInteger().value_or(0),
                        (*ranks)[rank].getAsString().value_or(""));
  if (!transfers)
    return;
  for (const json::Value &value : *transfers)
    if (const json::Object *transfer = value.getAsObject())
      os << llvm::formatv("  from {0} to {1}: {2} x {3}, {4} bytes  {5}\n",
                          transfer->getInteger("source").value_or(0),
                          transfer->getInteger("target").value_or(0),
                          transfer->getInteger("times").value_or(0),
                          transfer->getString("type").value_or(""),
                          transfer->getInteger("bytes").value_or(0),
                          transfer->getString("location").value_or(""));
}

/// `sm_80, sm_90a; ` of a program for GPUs.
static std::string gpuNames(const json::Object &manifest) {
  std::string names;
  if (const json::Object *gpu = manifest.getObject("gpu"))
    if (const json::Array *architectures = gpu->getArray("architectures"))
      for (const json::Value &name : *architectures)
        names += name.getAsString().value_or("?").str() + ", ";
  return names;
}

/// What the functions of every kernel need, where kernels are for GPUs.
static void printGpuKernels(llvm::raw_ostream &os,
                            const json::Object &manifest) {
  const json::Array *kernels = manifest.getArray("kernels");
  if (!kernels || !manifest.get("gpu"))
    return;
  os << "\nkernels (" << kernels->size() << ")\n";
  for (const json::Value &value : *kernels) {
    const json::Object *kernel = value.getAsObject();
    const json::Array *variants =
        kernel ? kernel->getArray("variants") : nullptr;
    for (const json::Value &entry : variants ? *variants : json::Array()) {
      const json::Object *variant = entry.getAsObject();
      const json::Array *steps = variant ? variant->getArray("steps") : nullptr;
      for (const json::Value &line : steps ? *steps : json::Array()) {
        const json::Object *step = line.getAsObject();
        auto number = [&](llvm::StringRef key) {
          std::optional<int64_t> known = step->getInteger(key);
          return known ? std::to_string(*known) : std::string("?");
        };
        if (std::optional<llvm::StringRef> library =
                step->getString("library")) {
          os << llvm::formatv(
              "  {0,-32} {1,-7} {2} x {3} x {4} x {5}\n", *library,
              variant->getString("arch").value_or("?"), number("batches"),
              number("m"), number("n"), number("k"));
          continue;
        }
        os << llvm::formatv(
            "  {0,-32} {1,-7} {2,8} x {3,-5} {4,4} registers {5,7} bytes "
            "shared\n",
            step->getString("name").value_or("?"),
            variant->getString("arch").value_or("?"), number("blocks"),
            number("threads"), number("registers"), number("shared"));
      }
    }
  }
}

/// Prints `manifest` for people.
static void printTable(llvm::raw_ostream &os, const json::Object &manifest) {
  auto text = [&](llvm::StringRef key) {
    return manifest.getString(key).value_or("?");
  };
  os << "model     " << text("model") << "\ntarget    " << text("target");
  if (const json::Object *cpu = manifest.getObject("cpu"))
    os << " (" << gpuNames(manifest) << cpu->getString("name").value_or("?")
       << ")";
  os << "\ntessera   " << text("tessera") << ", ABI "
     << manifest.getInteger("abi").value_or(-1) << "\nmesh      ";
  if (const json::Array *mesh = manifest.getArray("mesh"))
    os << llvm::join(
        llvm::map_range(
            *mesh,
            [](const json::Value &axis) {
              const json::Object *object = axis.getAsObject();
              return object ? llvm::formatv(
                                  "{0}={1}",
                                  object->getString("name").value_or("?"),
                                  object->getInteger("size").value_or(0))
                                  .str()
                            : std::string("?");
            }),
        ", ");
  if (const json::Object *memory = manifest.getObject("memory"))
    os << llvm::formatv("\nmemory    {0} bytes per device (arguments {1}, "
                        "results {2}, both {3}, temporary {4}, headroom {5})",
                        memory->getInteger("peak").value_or(0),
                        memory->getInteger("arguments").value_or(0),
                        memory->getInteger("results").value_or(0),
                        memory->getInteger("donated").value_or(0),
                        memory->getInteger("temporary").value_or(0),
                        memory->getInteger("headroom").value_or(0));
  if (const json::Object *memory = manifest.getObject("memory"))
    if (std::optional<int64_t> host = memory->getInteger("host"))
      os << llvm::formatv("\nhost      {0} bytes per device", *host);
  if (const json::Array *changes = manifest.getArray("changed_mathematics"))
    for (const json::Value &change : *changes)
      os << "\nchanged   " << change.getAsString().value_or("?");
  os << '\n';
  printTensors(os, manifest, "arguments");
  printTensors(os, manifest, "results");
  printCollectives(os, manifest);
  printGpuKernels(os, manifest);
  printPipeline(os, manifest);
}

ExitStatus tessera::inspectProgram(llvm::StringRef path, bool asJSON) {
  llvm::Expected<json::Object> manifest = readManifest(path);
  if (!manifest) {
    llvm::errs() << path << ": error: " << llvm::toString(manifest.takeError())
                 << '\n';
    return kWrongRequest;
  }
  const json::Array *entryPoints = manifest->getArray("entries");
  if (entryPoints && !asJSON) {
    for (const json::Value &value : *entryPoints) {
      const json::Object *entryPoint = value.getAsObject();
      llvm::StringRef name =
          entryPoint ? entryPoint->getString("name").value_or("?") : "?";
      llvm::outs() << (&value == &entryPoints->front() ? "" : "\n")
                   << "entry     " << name << '\n';
      if (const json::Object *own =
              entryPoint ? entryPoint->getObject("manifest") : nullptr)
        printTable(llvm::outs(), *own);
    }
  } else if (asJSON)
    llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(*manifest)));
  else
    printTable(llvm::outs(), *manifest);
  return kDone;
}
