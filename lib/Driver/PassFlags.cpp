//===- PassFlags.cpp - the flags that every driver of MLIR takes ----------===//

#include "tessera/Driver/PassFlags.h"

#include "Report.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tessera;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kTreeFolder = "mlir-print-ir-tree-dir";

/// The flags by which IR is printed, or a reproducer is made, between passes.
static constexpr llvm::StringLiteral kOneThread[] = {
    "mlir-print-ir-before",
    "mlir-print-ir-before-all",
    "mlir-print-ir-after",
    "mlir-print-ir-after-all",
    "mlir-print-ir-after-change",
    "mlir-print-ir-after-failure",
    "mlir-pass-pipeline-crash-reproducer"};

static cl::Option *findFlag(StringRef name) {
  return cl::getRegisteredOptions().lookup(name);
}

static bool isGiven(StringRef name) {
  cl::Option *flag = findFlag(name);
  return flag && flag->getNumOccurrences() > 0;
}

void tessera::registerDebugFlags(cl::OptionCategory &category) {
  if (findFlag("debug-only"))
    return;
  // They belong to the command line, as those that LLVM would register.
  static cl::opt<bool> all(
      "debug", cl::desc("Print what every pass did, and its debug messages"),
      cl::cat(category),
      cl::callback([](const bool &on) { llvm::DebugFlag = on; }));
  static cl::list<std::string> types(
      "debug-only", cl::CommaSeparated, cl::cat(category),
      cl::value_desc("pass,..."),
      cl::desc("The same for these passes only (tessera-insert-reshards)"));
  types.setCallback([](const std::string &) {
    std::vector<const char *> names;
    for (const std::string &type : types)
      names.push_back(type.c_str());
    llvm::DebugFlag = true;
    llvm::setCurrentDebugTypes(names.data(), names.size());
  });
}

void tessera::registerPassFlags(cl::OptionCategory &category) {
  registerPassManagerCLOptions();
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerDefaultTimingManagerCLOptions();
  registerDebugFlags(category);
  // NOLINTNEXTLINE(custom-iteration-order): each by itself.
  for (auto &[name, flag] : cl::getRegisteredOptions()) {
    if (!StringRef(name).starts_with("mlir-"))
      continue;
    flag->addCategory(category);
    // Their help lists all passes; that of the others names them.
    if (name == "mlir-print-ir-before" || name == "mlir-print-ir-after")
      flag->setHiddenFlag(cl::Hidden);
  }
}

namespace {

/// See `makePassLog`.
class PassLog : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *op) override {
    if (isLogged(pass))
      before[{pass, op}] = countOperations(op);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (isLogged(pass))
      llvm::dbgs() << "[" << pass->getArgument() << "] " << describe(op) << ": "
                   << before.lookup({pass, op}) << " operations -> "
                   << countOperations(op) << "\n";
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (isLogged(pass))
      llvm::dbgs() << "[" << pass->getArgument() << "] " << describe(op)
                   << ": failed\n";
  }

private:
  /// Adaptors, which only nest, have no name.
  static bool isLogged(Pass *pass) {
    return !pass->getArgument().empty() &&
           llvm::isCurrentDebugType(pass->getArgument().str().c_str());
  }
  static std::string describe(Operation *op) {
    auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    return op->getName().getStringRef().str() +
           (name ? " @" + name.getValue().str() : "");
  }

  llvm::DenseMap<std::pair<Pass *, Operation *>, int64_t> before;
};

} // namespace

std::unique_ptr<PassInstrumentation> tessera::makePassLog() {
  return std::make_unique<PassLog>();
}

PassFlags::PassFlags() {
  applyDefaultTimingManagerCLOptions(timing);
  wholeTime = timing.getRootScope();
  if (isGiven(kTreeFolder))
    treeFolder =
        static_cast<cl::opt<std::string> *>(findFlag(kTreeFolder))->getValue();
}

bool PassFlags::areGiven() const {
  return timing.isEnabled() || llvm::DebugFlag || !treeFolder.empty() ||
         llvm::any_of(kOneThread, isGiven);
}

LogicalResult PassFlags::run(PassManager &manager, ModuleOp module,
                             const std::string &phase) {
  MLIRContext &context = *manager.getContext();
  bool needsOneThread = llvm::DebugFlag || llvm::any_of(kOneThread, isGiven);
  bool hasThreads = context.isMultithreadingEnabled();
  if (needsOneThread)
    context.disableMultithreading();
  if (!treeFolder.empty()) {
    // Managers count the files from 0, each for itself.
    SmallString<128> folder(treeFolder);
    llvm::sys::path::append(folder, phase);
    if (std::error_code error = llvm::sys::fs::create_directories(folder))
      return emitError(UnknownLoc::get(&context), "cannot create directory '")
             << folder << "': " << error.message();
    *static_cast<cl::opt<std::string> *>(findFlag(kTreeFolder)) =
        std::string(folder);
  }
  TimingScope time = wholeTime.nest(phase);
  manager.enableTiming(time);
  if (llvm::DebugFlag)
    manager.addInstrumentation(makePassLog());
  // A library has none of the flags.
  LogicalResult result =
      findFlag(kTreeFolder) ? applyPassManagerCLOptions(manager) : success();
  if (succeeded(result))
    result = manager.run(module);
  if (needsOneThread && hasThreads)
    context.enableMultithreading();
  return result;
}
