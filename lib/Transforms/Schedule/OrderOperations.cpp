//===- OrderOperations.cpp - an order that keeps little memory alive ------===//
//
// Elsewhere: list scheduling for memory.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "InPlace.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#include <set>

#define DEBUG_TYPE "tessera-order-operations"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

namespace tessera::schedule {
#define GEN_PASS_DEF_ORDEROPERATIONS
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

/// Operations that a search for a dependence may visit.
static constexpr unsigned kSearchBudget = 4096;
/// Results of so few bytes never make an operation wait: what depends on them
/// may free much more.
static constexpr int64_t kSmallBytes = 1 << 12;

namespace {

/// The list schedule of one block. Linear in the number of operands, up to the
/// logarithm for the set of ready operations.
///
/// What reads the result of a collective is not hurried, though it frees
/// memory: it keeps its place in the order of the text, and the collective has
/// time. In a training step this leaves the updates of the weights, which the
/// text has behind the backward pass, where they are, and the sums of the
/// gradients overlap with the rest of that pass. But memory comes first: where
/// an operation would have more bytes alive than the order without this
/// patience ever has, those that wait run before it.
///
/// What a collective makes of arguments alone (parameters that are gathered,
/// and the kernels that cast or cut them before) is held for nothing until
/// somebody reads it: it runs on demand, right before the first reader.
class ListSchedule {
public:
  explicit ListSchedule(Block &block);

  /// `first` has to run before `second`, unless `first` depends on `second`.
  void addDependence(Operation *first, Operation *second);
  /// Operations with effects, calls and messages, keep their order.
  void keepEffectsInOrder();
  /// Finds the order, with patience if there is a `limit` in bytes. Returns the
  /// most bytes that are alive at once; can be called once.
  int64_t run(std::optional<int64_t> limit = {});
  /// Puts the block's operations into the order that has been found.
  void apply();

private:
  struct Item {
    Operation *op;
    llvm::SetVector<Value, SmallVector<Value, 4>> operands;
    SmallVector<unsigned, 4> users, before;
    unsigned waitsFor = 0;
    /// Bytes of results, and of operands that nobody else is going to read.
    int64_t taken = 0, freed = 0;
    bool ready = false, done = false;
    /// Whether it reads the result of a collective.
    bool follows = false;
    /// Whether it runs right before its first reader.
    bool onDemand = false;
  };

  void findOnDemand();
  bool reaches(unsigned from, unsigned to) const;
  void addEdge(unsigned first, unsigned second);
  bool isShrinking(const Item &item) const {
    return item.freed >= item.taken || item.taken <= kSmallBytes;
  }
  /// The set of ready operations that the item belongs to.
  std::set<unsigned> &setOf(const Item &item) {
    if (!isShrinking(item))
      return others;
    return isPatient && item.follows ? patient : shrinking;
  }
  /// Takes the next operation out of the ready ones.
  unsigned takeNext(int64_t limit);
  void makeReady(unsigned number);
  void addFreed(unsigned number, int64_t bytes);
  void schedule(unsigned number);
  /// The bytes of the arena that `value` takes; none if it is a result of the
  /// program or made outside of the block.
  int64_t arenaBytes(Value value) const;

  Block &block;
  std::vector<Item> items;
  llvm::DenseMap<Operation *, unsigned> numbers;
  /// Items that are still going to read a value.
  llvm::DenseMap<Value, SmallVector<unsigned, 2>> readers;
  /// The ready ones, by what running them does; `patient` shrink, too.
  std::set<unsigned> shrinking, patient, others;
  bool isPatient = false;
  int64_t live = 0, most = 0;
  SmallVector<unsigned, 0> order;
};

} // namespace

int64_t ListSchedule::arenaBytes(Value value) const {
  if (!isa<RankedTensorType>(value.getType()) || !value.getDefiningOp() ||
      value.getParentBlock() != &block)
    return 0;
  bool leaves = isa<func::ReturnOp>(block.getTerminator()) &&
                llvm::is_contained(value.getUsers(), block.getTerminator());
  return leaves ? 0 : bytesOf(value);
}

void ListSchedule::addEdge(unsigned first, unsigned second) {
  items[first].users.push_back(second);
  items[second].before.push_back(first);
  ++items[second].waitsFor;
}

ListSchedule::ListSchedule(Block &block) : block(block) {
  for (Operation &op : block.without_terminator()) {
    numbers[&op] = items.size();
    items.push_back({&op, {}, {}, {}});
  }
  for (Item &item : items) {
    if (isa<spmd::KernelOp>(item.op))
      item.operands.insert(item.op->operand_begin(), item.op->operand_end());
    else
      item.op->walk([&](Operation *inner) {
        item.operands.insert(inner->operand_begin(), inner->operand_end());
      });
    unsigned number = numbers[item.op];
    for (Value result : item.op->getResults())
      item.taken += arenaBytes(result);
    for (Value operand : item.operands) {
      auto producer = numbers.find(operand.getDefiningOp());
      if (producer == numbers.end() || producer->second == number)
        continue;
      item.follows |= !spmd::partsOf(producer->first).empty();
      readers[operand].push_back(number);
      addEdge(producer->second, number);
    }
  }
  // NOLINTNEXTLINE(custom-iteration-order): adds up.
  for (auto &[value, list] : readers)
    if (list.size() == 1 &&
        !llvm::is_contained(value.getUsers(), block.getTerminator()))
      items[list.front()].freed += arenaBytes(value);
  findOnDemand();
}

/// Whether `op` is a kernel without products: what casts or cuts its operands.
static bool isLightKernel(Operation *op) {
  auto kernel = dyn_cast<spmd::KernelOp>(op);
  return kernel &&
         llvm::none_of(kernel.getBody().getOps(), [](Operation &inner) {
           return getOperationCost(&inner).isHeavy;
         });
}

/// Operations come behind those whose results they read. A collective that lets
/// go of more than it takes, as that of a gradient, has no reason to wait.
void ListSchedule::findOnDemand() {
  auto isKernel = [&](unsigned number) {
    return isa<spmd::KernelOp>(items[number].op);
  };
  auto isCollective = [](const Item &item) {
    return !spmd::partsOf(item.op).empty();
  };
  auto bytesOfAll = [](ValueRange values) {
    int64_t bytes = 0;
    for (Value value : values)
      bytes += bytesOf(value);
    return bytes;
  };
  for (Item &item : items)
    item.onDemand =
        (isLightKernel(item.op) ||
         (isCollective(item) && bytesOfAll(item.op->getOperands()) <=
                                    bytesOfAll(item.op->getResults()))) &&
        !item.users.empty() &&
        !llvm::is_contained(item.op->getUsers(), block.getTerminator()) &&
        llvm::all_of(item.before, [&](unsigned other) {
          return isKernel(other) && items[other].onDemand;
        });
  for (Item &item : llvm::reverse(items))
    item.onDemand &=
        isCollective(item) || llvm::all_of(item.users, [&](unsigned user) {
          return items[user].onDemand;
        });
  // What reads a kernel's result as others do, too, would hold it for longer.
  for (Item &item : items)
    item.onDemand &= llvm::all_of(
        item.before, [&](unsigned other) { return items[other].onDemand; });
}

bool ListSchedule::reaches(unsigned from, unsigned to) const {
  llvm::DenseSet<unsigned> seen = {from};
  SmallVector<unsigned> stack = {from};
  while (!stack.empty()) {
    if (seen.size() > kSearchBudget)
      return true;
    for (unsigned user : items[stack.pop_back_val()].users) {
      if (user == to)
        return true;
      if (seen.insert(user).second)
        stack.push_back(user);
    }
  }
  return false;
}

void ListSchedule::addDependence(Operation *first, Operation *second) {
  unsigned from = numbers.lookup(first), to = numbers.lookup(second);
  if (from != to && !reaches(to, from))
    addEdge(from, to);
}

void ListSchedule::keepEffectsInOrder() {
  std::optional<unsigned> last;
  for (unsigned number = 0; number < items.size(); ++number) {
    if (isMemoryEffectFree(items[number].op))
      continue;
    if (last)
      addEdge(*last, number);
    last = number;
  }
}

void ListSchedule::makeReady(unsigned number) {
  if (items[number].onDemand) {
    for (unsigned user : items[number].users)
      if (--items[user].waitsFor == 0)
        makeReady(user);
    return;
  }
  items[number].ready = true;
  setOf(items[number]).insert(number);
}

void ListSchedule::addFreed(unsigned number, int64_t bytes) {
  Item &item = items[number];
  bool before = isShrinking(item);
  item.freed += bytes;
  if (item.ready && !before && isShrinking(item)) {
    others.erase(number);
    setOf(item).insert(number);
  }
}

void ListSchedule::schedule(unsigned number) {
  Item &item = items[number];
  item.done = true;
  for (unsigned other : item.before)
    if (!items[other].done)
      schedule(other);
  order.push_back(number);
  live += item.taken;
  most = std::max(most, live);
  live -= item.freed;
  for (Value operand : item.operands) {
    auto it = readers.find(operand);
    if (it == readers.end())
      continue;
    llvm::erase(it->second, number);
    if (it->second.size() == 1 &&
        !llvm::is_contained(operand.getUsers(), block.getTerminator()))
      addFreed(it->second.front(), arenaBytes(operand));
  }
  for (unsigned user : item.users)
    if (!item.onDemand && --items[user].waitsFor == 0)
      makeReady(user);
}

unsigned ListSchedule::takeNext(int64_t limit) {
  std::set<unsigned> *source = &shrinking;
  if (shrinking.empty()) {
    source = &others;
    bool isFull =
        !others.empty() && live + items[*others.begin()].taken > limit;
    if (!patient.empty() &&
        (others.empty() || isFull || *patient.begin() < *others.begin()))
      source = &patient;
  }
  unsigned number = *source->begin();
  source->erase(source->begin());
  return number;
}

int64_t ListSchedule::run(std::optional<int64_t> limit) {
  isPatient = limit.has_value();
  SmallVector<unsigned> roots;
  for (unsigned number = 0; number < items.size(); ++number)
    if (items[number].waitsFor == 0)
      roots.push_back(number);
  for (unsigned number : roots)
    makeReady(number);
  while (!shrinking.empty() || !others.empty() || !patient.empty())
    schedule(takeNext(limit.value_or(0)));
  return most;
}

void ListSchedule::apply() {
  for (unsigned number : order)
    items[number].op->moveBefore(block.getTerminator());
}

/// Lets all readers of a donated argument run before the operation that makes
/// the result it is donated to.
static void readBeforeOverwriting(ListSchedule &schedule,
                                  func::FuncOp function) {
  Block &block = function.getBody().front();
  for (BlockArgument argument : block.getArguments()) {
    std::optional<unsigned> donated = getDonatedResult(argument);
    if (!donated)
      continue;
    Operation *writer =
        block.getTerminator()->getOperand(*donated).getDefiningOp();
    if (!writer || writer->getBlock() != &block)
      continue;
    for (Operation *user : argument.getUsers()) {
      Operation *reader = block.findAncestorOpInBlock(*user);
      if (reader != block.getTerminator())
        schedule.addDependence(reader, writer);
    }
  }
}

/// Lets all readers of what a call overwrites run before it.
static void readBeforeCalls(ListSchedule &schedule, Block &block,
                            const CalledFunctions &functions) {
  for (auto call : block.getOps<func::CallOp>())
    for (auto [operand, donation] :
         llvm::zip_equal(call.getOperands(), functions.donations(call))) {
      if (donation < 0)
        continue;
      for (Operation *user : operand.getUsers()) {
        Operation *reader = block.findAncestorOpInBlock(*user);
        if (reader && reader != call && reader != block.getTerminator())
          schedule.addDependence(reader, call);
      }
    }
}

namespace {

struct OrderOperations
    : public tessera::schedule::impl::OrderOperationsBase<OrderOperations> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<spmd::CombinedOp, spmd::KernelOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    CalledFunctions functions(getOperation()->getParentOfType<ModuleOp>());
    for (Block *block : blocks) {
      auto prepare = [&] {
        auto schedule = std::make_unique<ListSchedule>(*block);
        schedule->keepEffectsInOrder();
        readBeforeCalls(*schedule, *block, functions);
        if (block == &getOperation().getBody().front())
          readBeforeOverwriting(*schedule, getOperation());
        return schedule;
      };
      std::unique_ptr<ListSchedule> schedule = prepare(), patient = prepare();
      int64_t most = schedule->run(), mostPatient = patient->run(most);
      LDBG() << "block of " << describeOperation(block->getParentOp())
             << ": at most " << most << " bytes alive, " << mostPatient
             << " where what reads collectives waits: that order is "
             << (mostPatient <= most ? "taken" : "left");
      (mostPatient <= most ? patient : schedule)->apply();
    }
    getOperation().walk([](BarrierOp barrier) {
      barrier->replaceAllUsesWith(barrier.getOperands());
      barrier.erase();
    });
  }
};

} // namespace
