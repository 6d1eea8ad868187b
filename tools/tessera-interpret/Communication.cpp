//===- Communication.cpp - What devices send ------------------------------===//

#include "Results.h"

#include "tessera/Dialect/Spmd/Spmd.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tessera;

static int64_t bytesOf(ArrayRef<CollectiveCount> counts) {
  int64_t bytes = 0;
  for (const CollectiveCount &count : counts)
    bytes += count.bytes;
  return bytes;
}

void tessera::printCommunication(
    const std::vector<std::vector<CollectiveCount>> &devices) {
  ArrayRef<CollectiveCount> most;
  for (const std::vector<CollectiveCount> &counts : devices)
    if (most.empty() || bytesOf(counts) > bytesOf(most))
      most = counts;
  int64_t times = 0;
  llvm::outs() << "       bytes  times  collective\n";
  for (const CollectiveCount &count : most) {
    Operation *op = count.collective;
    times += count.times;
    llvm::outs() << llvm::format("%12lld %6lld  ", (long long)count.bytes,
                                 (long long)count.times)
                 << op->getName().stripDialect() << " ";
    if (auto send = dyn_cast<spmd::SendOp>(op))
      llvm::outs() << "to pipeline rank " << send.getRank();
    else
      printAxes(llvm::outs(),
                cast<spmd::CollectiveOpInterface>(op).getAxes().getAxes());
    llvm::outs() << " " << op->getOperand(0).getType() << "\n";
  }
  llvm::outs() << llvm::format("%12lld %6lld  in all, per device\n",
                               (long long)bytesOf(most), (long long)times);
}
