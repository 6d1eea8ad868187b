//===- Target.cpp - The x86 processor that code is generated for ----------===//

#include "tessera/Codegen/Host/Target.h"
#include "tessera/Support/NearestName.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>
#include <mutex>

using namespace tessera::codegen;

static const llvm::Target *lookupX86() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
  std::string error;
  return llvm::TargetRegistry::lookupTarget(
      llvm::Triple("x86_64-unknown-linux-gnu"), error);
}

std::unique_ptr<llvm::TargetMachine>
Target::createMachine(llvm::CodeGenOptLevel level) const {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  // The loader runs what stands in `.init_array`.
  options.UseInitArray = true;
  return std::unique_ptr<llvm::TargetMachine>(lookupX86()->createTargetMachine(
      llvm::Triple("x86_64-unknown-linux-gnu"), name, features, options,
      llvm::Reloc::PIC_, std::nullopt, level));
}

static std::string hostFeatures() {
  std::string text;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    text += (text.empty() ? "" : ",") +
            std::string(feature.second ? "+" : "-") + feature.first().str();
  return text;
}

/// Refuses what is no processor of 64 bits.
static llvm::Error checkProcessor(const std::string &name) {
  auto describe = [](llvm::StringRef cpu) {
    return std::unique_ptr<llvm::MCSubtargetInfo>(
        lookupX86()->createMCSubtargetInfo(
            llvm::Triple("x86_64-unknown-linux-gnu"), cpu, ""));
  };
  if (auto known = describe(""); !known->isCPUStringValid(name)) {
    std::vector<std::string> names;
    for (const auto &processor : known->getAllProcessorDescriptions())
      if (describe(processor.Key)->checkFeatures("+64bit"))
        names.push_back(processor.Key);
    return llvm::createStringError("unknown processor '" + name + "'" +
                                   tessera::didYouMean(name, names));
  }
  if (!describe(name)->checkFeatures("+64bit"))
    return llvm::createStringError("expected a processor of 64 bits, got '" +
                                   name + "'");
  return llvm::Error::success();
}

llvm::Expected<Target> Target::get(llvm::StringRef cpu) {
  const char *forced = std::getenv("TESSERA_CPU");
  if (cpu == "native" && forced && *forced)
    cpu = forced;
  Target target;
  bool native = cpu == "native";
  target.name = native ? llvm::sys::getHostCPUName().str() : cpu.str();
  if (native)
    target.features = hostFeatures();
  if (!native)
    if (llvm::Error error = checkProcessor(target.name))
      return error;
  std::unique_ptr<llvm::TargetMachine> machine = target.createMachine();
  const llvm::MCSubtargetInfo &info = *machine->getMCSubtargetInfo();
  for (const char *feature :
       {"sse4.2", "avx", "avx2", "fma", "f16c", "bmi2", "avx512f", "avx512bw",
        "avx512dq", "avx512vl", "avx512bf16", "avx512fp16"})
    if (info.checkFeatures("+" + std::string(feature)))
      target.required.push_back(feature);
  bool has512 = info.checkFeatures("+avx512f,+avx512bw,+avx512dq,+avx512vl");
  bool has256 = info.checkFeatures("+avx2,+fma");
  target.vectorBits = has512 ? 512 : has256 ? 256 : 128;
  return target;
}
