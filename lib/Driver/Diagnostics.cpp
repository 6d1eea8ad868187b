//===- Diagnostics.cpp - how tools report errors --------------------------===//

#include "Diagnostics.h"

#include "mlir/IR/Remarks.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;

/// Whether `path` is of a library that users call and do not write.
static bool isInLibrary(StringRef path) {
  for (StringRef library : {"-packages/jax/", "-packages/jaxlib/"})
    if (path.contains(library))
      return true;
  return path.starts_with("<");
}

FileLineColLoc tessera::findFileLocation(Location location) {
  FileLineColLoc innermost, found;
  location->walk([&](Location nested) {
    auto file = dyn_cast<FileLineColLoc>(nested);
    if (file && !innermost)
      innermost = file;
    if (file && !isInLibrary(file.getFilename()))
      found = file;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found ? found : innermost;
}

DiagnosticPrinter::DiagnosticPrinter(MLIRContext &context, std::string path,
                                     llvm::raw_ostream &os)
    : inputPath(std::move(path)), os(os),
      handler(&context, [this](Diagnostic &d) {
        print(d);
        return success();
      }) {}

static StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("all severities are named");
}

void DiagnosticPrinter::printLine(Location location, StringRef severity,
                                  const std::string &text) {
  if (FileLineColLoc file = findFileLocation(location))
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  else
    os << inputPath;
  os << ": " << severity << ": " << text << '\n';
}

void DiagnosticPrinter::print(Diagnostic &diagnostic) {
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  if (isError && std::exchange(hasError, true))
    return;
  Location location = diagnostic.getLocation();
  FileLineColLoc place =
      isError && textLocations ? textLocations->find(location) : nullptr;
  printLine(place ? Location(place) : location,
            severityName(diagnostic.getSeverity()), diagnostic.str());
  if (place && findFileLocation(location))
    printLine(location, "note", "this is its place in the model");
  for (Diagnostic &note : diagnostic.getNotes())
    printLine(note.getLocation(), severityName(note.getSeverity()), note.str());
}

namespace {

/// Makes a diagnostic of each remark.
class RemarkPrinter : public remark::detail::MLIRRemarkStreamerBase {
public:
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    using Argument = remark::detail::Remark::Arg;
    ArrayRef<Argument> facts = remark.getArgs();
    if (facts.empty())
      return;
    auto diagnostic = emitRemark(remark.getLocation())
                      << facts.front().val << " [" << remark.getRemarkName()
                      << ']';
    for (const Argument &fact : facts.drop_front())
      diagnostic.attachNote() << fact.val;
  }
};

} // namespace

void tessera::printRemarks(MLIRContext &context) {
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<RemarkPrinter>(),
      std::make_unique<remark::RemarkEmittingPolicyAll>(),
      {".*", ".*", ".*", ".*", ".*"});
}
