//===- Package.cpp - The phase package: one file that runs ----------------===//

#include "tessera/Package/Package.h"
#include "GpuImages.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tessera/Codegen/Host/ObjectEmitter.h"
#include "tessera/Codegen/Host/ProvidedSymbols.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Support/Checksum.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tessera;

/// A module with the manifest in a section of its own, which the linker keeps
/// because it is referred to by name.
static ModuleOp makeManifestModule(ModuleOp module, StringRef text) {
  OpBuilder b(module.getContext());
  Location loc = module.getLoc();
  auto result = ModuleOp::create(b, loc);
  b.setInsertionPointToStart(result.getBody());
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), text.size() + 1);
  auto manifest = LLVM::GlobalOp::create(
      b, loc, bytes, /*isConstant=*/true, LLVM::Linkage::External,
      "tessera_manifest", b.getStringAttr(text + Twine('\0')));
  manifest.setSection(".tessera.manifest");
  LLVM::GlobalOp::create(b, loc, b.getI64Type(), /*isConstant=*/true,
                         LLVM::Linkage::External, "tessera_manifest_size",
                         b.getI64IntegerAttr(text.size()));
  return result;
}

FailureOr<PackageObjects> tessera::buildObjects(ModuleOp module,
                                                const PackageOptions &options) {
  // Kernels of a GPU are no code of the host.
  bool onDevice = module->hasAttr(rt::RtDialect::kGpuAttr);
  std::vector<nvptx::GpuImage> images;
  if (onDevice) {
    auto emitted = nvptx::emitGpuImages(module, options.assemble
                                                    ? nvptx::Assemble::IfPresent
                                                    : nvptx::Assemble::Never);
    if (failed(emitted))
      return failure();
    images = std::move(*emitted);
  }
  FailureOr<std::string> manifest = buildManifest(module, options, images);
  if (failed(manifest))
    return failure();
  llvm::Expected<codegen::Target> target = codegen::Target::get(
      module->getAttrOfType<StringAttr>(rt::RtDialect::kCpuAttr).getValue());
  if (!target)
    return module.emitError(llvm::toString(target.takeError()));
  OwningOpRef<ModuleOp> imageModule;
  SmallVector<ModuleOp> modules;
  for (auto nested : module.getOps<ModuleOp>())
    if (!onDevice || nested.getSymName() == rt::RtDialect::kProgramName)
      modules.push_back(nested);
  if (onDevice) {
    imageModule = makeImageModule(module, images);
    modules.push_back(*imageModule);
  }
  FailureOr<std::vector<codegen::Object>> objects =
      codegen::emitObjects(modules, *target, options.prefix);
  if (failed(objects) || failed(codegen::checkSymbols(*objects, modules)))
    return failure();
  return PackageObjects{std::move(*objects), std::move(*manifest)};
}

/// Links `objects` and the text of their manifest.
static FailureOr<Package> link(std::vector<codegen::Object> objects,
                               std::string manifest, ModuleOp module) {
  llvm::Expected<codegen::Target> target = codegen::Target::get(
      module->getAttrOfType<StringAttr>(rt::RtDialect::kCpuAttr).getValue());
  if (!target)
    return module.emitError(llvm::toString(target.takeError()));
  OwningOpRef<ModuleOp> manifestModule = makeManifestModule(module, manifest);
  ModuleOp described = *manifestModule;
  FailureOr<std::vector<codegen::Object>> emitted =
      codegen::emitObjects(described, *target);
  if (failed(emitted))
    return failure();
  llvm::append_range(objects, *emitted);
  FailureOr<std::string> program =
      codegen::linkShared(objects, module.getLoc());
  if (failed(program))
    return failure();
  return Package{seal(std::move(*program)), std::move(manifest)};
}

FailureOr<Package> tessera::linkEntryPoints(ArrayRef<NamedObjects> entryPoints,
                                            ModuleOp module,
                                            StringRef version) {
  std::vector<codegen::Object> objects;
  std::string manifest;
  llvm::raw_string_ostream os(manifest);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("abi", kAbiVersion);
    json.attribute("schema", 3);
    json.attribute("tessera", version);
    json.attributeArray("entries", [&] {
      for (const NamedObjects &part : entryPoints)
        json.object([&] {
          json.attribute("name", part.name);
          json.attributeBegin("manifest");
          json.rawValue(part.objects.manifest);
          json.attributeEnd();
        });
    });
  });
  for (const NamedObjects &part : entryPoints)
    llvm::append_range(objects, part.objects.objects);
  return link(std::move(objects), std::move(manifest), module);
}

FailureOr<Package> tessera::buildPackage(ModuleOp module,
                                         const PackageOptions &options) {
  FailureOr<PackageObjects> made = buildObjects(module, options);
  if (failed(made))
    return failure();
  return link(std::move(made->objects), std::move(made->manifest), module);
}
