//===- ProvidedSymbols.cpp - What compiled programs may call --------------===//
//
// LLVM calls functions of a compiler's own library (compiler-rt, libgcc) for
// what a processor has no instructions for. A program is loaded without such a
// library, so a call of it would be found by the loader only, on the machine
// that runs the program. Here it is found when the program is compiled,
// whichever linker there is.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Host/ProvidedSymbols.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ObjectFile.h"

using namespace mlir;
using namespace tessera::codegen;
namespace object = llvm::object;

bool tessera::codegen::isProvided(StringRef name) {
  static const llvm::StringSet<> names = {
      // The linker and the loader.
      "_GLOBAL_OFFSET_TABLE_", "__tls_get_addr",
      // The C library.
      "memcpy", "memmove", "memset",
      // The mathematical library; `f` behind a name stands for f32.
      "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt",
      "ceil", "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2", "expm1",
      "floor", "fma", "fmod", "ldexp", "log", "log10", "log1p", "log2",
      "nearbyint", "pow", "rint", "round", "roundeven", "sin", "sincos", "sinh",
      "sqrt", "tan", "tanh", "trunc"};
  return name.starts_with("tessera_rt_") || names.contains(name) ||
         (name.ends_with("f") && names.contains(name.drop_back()));
}

/// Calls `visit` with the name of every symbol of `file` that others define
/// (`undefined`) or may use.
static llvm::Error forEachGlobal(const object::ObjectFile &file, bool undefined,
                                 llvm::function_ref<void(StringRef)> visit) {
  for (const object::SymbolRef &symbol : file.symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    bool isUndefined = *flags & object::SymbolRef::SF_Undefined;
    if (!(*flags & object::SymbolRef::SF_Global) || isUndefined != undefined)
      continue;
    llvm::Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    visit(*name);
  }
  return llvm::Error::success();
}

/// The function of `file` that offset `offset` of `section` lies in; empty if
/// there is none.
static StringRef functionAt(const object::ObjectFile &file,
                            object::section_iterator section, uint64_t offset) {
  StringRef found;
  uint64_t start = 0;
  for (const object::SymbolRef &symbol : file.symbols()) {
    auto type = llvm::expectedToOptional(symbol.getType());
    auto symbolSection = llvm::expectedToOptional(symbol.getSection());
    auto address = llvm::expectedToOptional(symbol.getAddress());
    auto name = llvm::expectedToOptional(symbol.getName());
    bool isFunction = type == object::SymbolRef::ST_Function &&
                      symbolSection == section && address && name;
    if (isFunction && *address <= offset && *address >= start) {
      found = *name;
      start = *address;
    }
  }
  return found;
}

/// The function of `file` that first refers to the symbol `name`.
static StringRef findUser(const object::ObjectFile &file, StringRef name) {
  for (const object::SectionRef &section : file.sections()) {
    auto relocated = llvm::expectedToOptional(section.getRelocatedSection());
    if (!relocated)
      continue;
    for (const object::RelocationRef &relocation : section.relocations()) {
      object::symbol_iterator symbol = relocation.getSymbol();
      if (symbol == file.symbol_end())
        continue;
      if (llvm::expectedToOptional(symbol->getName()) == name)
        return functionAt(file, *relocated, relocation.getOffset());
    }
  }
  return {};
}

/// Where in `module` the function `name` comes from.
static Location locationOf(ModuleOp module, StringRef name) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  return function ? function.getLoc() : module.getLoc();
}

LogicalResult tessera::codegen::checkSymbols(ArrayRef<Object> objects,
                                             ArrayRef<ModuleOp> modules) {
  llvm::StringSet<> defined;
  std::vector<std::unique_ptr<object::ObjectFile>> files;
  // What LLVM has written it can read.
  for (const Object &data : objects) {
    files.push_back(llvm::cantFail(
        object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(
            StringRef(data.data(), data.size()), "tessera.o"))));
    llvm::cantFail(
        forEachGlobal(*files.back(), /*undefined=*/false,
                      [&](StringRef name) { defined.insert(name); }));
  }
  for (auto [file, module] : llvm::zip_equal(files, modules)) {
    std::string missing;
    llvm::cantFail(
        forEachGlobal(*file, /*undefined=*/true, [&](StringRef name) {
          if (missing.empty() && !name.empty() && !isProvided(name) &&
              !defined.contains(name))
            missing = name.str();
        }));
    if (missing.empty())
      continue;
    StringRef user = findUser(*file, missing);
    return emitError(locationOf(module, user))
           << "expected code that calls the runtime, the C library and its "
              "mathematical library only, got a call of '"
           << missing << "'" << (user.empty() ? "" : " in '") << user
           << (user.empty() ? "" : "'");
  }
  return success();
}
