//===- FutureNumbers.cpp --------------------------------------------------===//

#include "FutureNumbers.h"

#include "tessera/Dialect/Spmd/Combined.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

FutureNumbers::FutureNumbers(const ProgramFunctions &program) {
  int32_t end = 0;
  for (const HostFunction &function : program.functions) {
    func::FuncOp source = function.source;
    llvm::BitVector taken;
    end = number(source.front(), end, taken);
  }
}

int32_t FutureNumbers::number(Block &block, int32_t first,
                              llvm::BitVector &taken) {
  int32_t end = first;
  for (Operation &op : block) {
    if (auto start = dyn_cast<spmd::StartOp>(op)) {
      SmallVector<spmd::StartOp, 1> parts = spmd::startsOfCall(start);
      if (parts.empty() || parts.back()->getNextNode() == start.getWait())
        continue;
      int free = taken.find_first_unset();
      if (free < 0) {
        free = taken.size();
        taken.push_back(false);
      }
      taken.set(free);
      numbers[start] = first + free;
      end = std::max(end, first + free + 1);
    } else if (auto wait = dyn_cast<spmd::WaitOp>(op)) {
      if (std::optional<int32_t> free = of(wait.getStart()))
        taken.reset(*free - first);
    } else if (!isa<spmd::KernelOp>(op)) {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          end = std::max(end, number(inner, first, taken));
    }
  }
  return end;
}
