//===- Inspect.cpp - the manifest of a compiled program -------------------===//

#include "tessera/Driver/Inspect.h"

#include "tessera/Package/ProgramFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

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

static void printTensors(llvm::raw_ostream &os, const json::Object &manifest,
                         llvm::StringRef key) {
  const json::Array *tensors = manifest.getArray(key);
  if (!tensors)
    return;
  os << '\n' << key << " (" << tensors->size() << ")\n";
  for (const json::Value &value : *tensors) {
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
    os << '\n';
  }
}

static void printCollectives(llvm::raw_ostream &os,
                             const json::Object &manifest) {
  const json::Array *collectives = manifest.getArray("collectives");
  if (!collectives)
    return;
  int64_t total = 0;
  os << "\ncollectives (" << collectives->size() << ")\n";
  for (const json::Value &value : *collectives) {
    const json::Object *collective = value.getAsObject();
    if (!collective)
      continue;
    int64_t bytes = collective->getInteger("bytes").value_or(0);
    total += bytes;
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

static void printTable(llvm::raw_ostream &os, const json::Object &manifest) {
  auto text = [&](llvm::StringRef key) {
    return manifest.getString(key).value_or("?");
  };
  os << "model     " << text("model") << "\ntarget    " << text("target");
  if (const json::Object *cpu = manifest.getObject("cpu"))
    os << " (" << cpu->getString("name").value_or("?") << ")";
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
                        "results {2}, temporary {3})",
                        memory->getInteger("peak").value_or(0),
                        memory->getInteger("arguments").value_or(0),
                        memory->getInteger("results").value_or(0),
                        memory->getInteger("temporary").value_or(0));
  os << '\n';
  printTensors(os, manifest, "arguments");
  printTensors(os, manifest, "results");
  printCollectives(os, manifest);
}

ExitStatus tessera::inspectProgram(llvm::StringRef path, bool asJSON) {
  llvm::Expected<json::Object> manifest = readManifest(path);
  if (!manifest) {
    llvm::errs() << path << ": error: " << llvm::toString(manifest.takeError())
                 << '\n';
    return kWrongRequest;
  }
  if (asJSON)
    llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(*manifest)));
  else
    printTable(llvm::outs(), *manifest);
  return kDone;
}
