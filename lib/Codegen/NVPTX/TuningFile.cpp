//===- TuningFile.cpp - Files of tuning records ---------------------------===//

#include "TuningFile.h"
#include "Attention/AttentionRules.h"
#include "Loops/LoopRules.h"
#include "Matmul/MatmulRules.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::nvptx;

/// What records can choose: the kernels of all folders.
static llvm::ArrayRef<KernelFamily> allFamilies() {
  static const std::vector<KernelFamily> families = [] {
    std::vector<KernelFamily> all;
    for (llvm::ArrayRef<KernelFamily> folder :
         {matmulFamilies(), attentionFamilies(), loopFamilies()})
      llvm::append_range(all, folder);
    return all;
  }();
  return families;
}

/// The text of Tuning.json.
static constexpr const char kShipped[] =
#include "Tuning.json.inc"
    ;

const TuningRecords &nvptx::shippedTuningRecords() {
  static const TuningRecords records =
      llvm::cantFail(TuningRecords::parse(kShipped, allFamilies()));
  return records;
}

llvm::Expected<TuningRecords> nvptx::loadTuningRecords(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("expected a tuning file at '" + path +
                                   "', got: " + buffer.getError().message());
  auto records = TuningRecords::parse((*buffer)->getBuffer(), allFamilies());
  if (records)
    records->append(shippedTuningRecords());
  return records;
}
