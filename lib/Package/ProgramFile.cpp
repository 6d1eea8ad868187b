//===- ProgramFile.cpp - What a compiled program says about itself --------===//

#include "tessera/Package/ProgramFile.h"

#include "tessera/Support/Checksum.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ObjectFile.h"

using namespace tessera;
namespace json = llvm::json;

/// The text of the section `.tessera.manifest` as JSON.
static llvm::Expected<json::Value> readSection(llvm::StringRef path) {
  auto contents = llvm::MemoryBuffer::getFile(path);
  if (!contents)
    return llvm::errorCodeToError(contents.getError());
  llvm::MemoryBufferRef buffer = **contents;
  if (!buffer.getBuffer().starts_with(llvm::ELF::ElfMagic))
    return llvm::createStringError("no program of Tessera: it is no ELF file");
  // LLVM reads files that somebody damaged less carefully.
  if (Fallible<void> intact = checkSeal(buffer.getBuffer()); !intact)
    return llvm::createStringError(intact.message());
  auto file = llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file)
    return file.takeError();
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != ".tessera.manifest")
      continue;
    llvm::Expected<llvm::StringRef> text = section.getContents();
    if (!text)
      return text.takeError();
    return json::parse(text->rtrim('\0'));
  }
  return llvm::createStringError(
      "no program of Tessera: it has no section .tessera.manifest");
}

llvm::Expected<json::Object> tessera::readManifest(llvm::StringRef path) {
  llvm::Expected<json::Value> manifest = readSection(path);
  if (!manifest)
    return manifest.takeError();
  if (json::Object *object = manifest->getAsObject())
    return std::move(*object);
  return llvm::createStringError("the manifest is no JSON object");
}
