//===- ProgramLowering.cpp - From the scheduled program to launches -------===//
//
// Models repeat themselves: the layers of a transformer have the same kernels.
// Kernels are compared by their bodies first, and only distinct ones are
// compiled, so that the time of this phase grows with the number of different
// layers and not with depth. Distinct kernels are dealt out, largest first, to
// nested modules, which are lowered (and later compiled) in parallel.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Host/ProgramLowering.h"
#include "HostProgram.h"
#include "WorkRecord.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Threading.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Support/StableSort.h"
#include <list>
#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

namespace {

/// One of the kernels that are compiled.
struct DistinctKernel {
  spmd::KernelOp kernel;
  SmallVector<int64_t> aliases;
  std::string symbol;
  unsigned module = 0;
  std::unique_ptr<LoweredKernel> code;
};

/// Replaces the program's functions by host functions, and its kernels by the
/// code that the target makes of each different one.
class ProgramLowering {
public:
  ProgramLowering(ModuleOp module, KernelTarget &target,
                  const ProgramLoweringOptions &options)
      : module(module), target(target), options(options) {}

  FailureOr<KernelCounts> run() {
    FailureOr<ProgramFunctions> program = ProgramFunctions::find(module);
    if (failed(program))
      return failure();
    eraseUnused(module, *program);
    for (const HostFunction &function : program->functions)
      findDistinct(function);
    dealOut();
    if (failed(lowerAll()))
      return failure();
    std::string work = recordWork(module, [&](spmd::KernelOp kernel) {
      return KernelInTraces{names.find(kernel)->second,
                            uses.lookup(kernel)->code->numLaunches()};
    });
    module->setAttr(rt::RtDialect::kWorkAttr,
                    StringAttr::get(module.getContext(), work));
    CommunicationTable communication(*program);
    if (failed(buildHostProgram(module, *program, communication, describeUses(),
                                target)))
      return failure();
    communication.write(module);
    describe(*program);
    return counts;
  }

private:
  /// Names a kernel after its most characteristic operation.
  static StringRef nameOf(spmd::KernelOp kernel) {
    Operation *best = nullptr;
    auto rank = [](Operation *op) {
      WorkKind kind = getOperationCost(op).kind;
      return kind == WorkKind::Product || kind == WorkKind::Structured ||
                     kind == WorkKind::Library
                 ? 3
             : kind == WorkKind::Reduction           ? 2
             : op->hasTrait<OpTrait::ConstantLike>() ? 0
                                                     : 1;
    };
    for (Operation &op : kernel.getBody().front().without_terminator())
      if (!best || rank(&op) > rank(best))
        best = &op;
    return best ? best->getName().stripDialect() : "copy";
  }

  /// What nothing calls does not run.
  static void eraseUnused(ModuleOp module, const ProgramFunctions &program) {
    for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
      if (!function.isExternal() &&
          llvm::none_of(program.functions, [&](const HostFunction &used) {
            return used.source == function;
          }))
        function.erase();
  }

  void findDistinct(const HostFunction &function) {
    func::FuncOp source = function.source;
    source.walk([&](spmd::KernelOp kernel) {
      ++counts.kernels;
      SmallVector<int64_t> aliases = function.locations.aliases(kernel);
      DistinctKernel *&entry = known[kernelKey(kernel, aliases)];
      std::string name = nameOf(kernel).str();
      if (!entry) {
        ++counts.distinct;
        std::string symbol = name + "_" + std::to_string(distinct.size());
        distinct.push_back({kernel, aliases, symbol, 0, {}});
        entry = &distinct.back();
      }
      uses[kernel] = entry;
      names[kernel] = name + "." + std::to_string(numbers[name]++);
    });
  }

  /// Makes the modules and assigns every kernel to the emptiest one.
  void dealOut() {
    unsigned count = options.modules
                         ? options.modules
                         : std::max(1u, module.getContext()->getNumThreads());
    count = std::max<size_t>(1, std::min<size_t>(count, distinct.size()));
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(ModuleOp::create(builder, module.getLoc(),
                                       "kernels_" + std::to_string(i)));
    std::vector<DistinctKernel *> order;
    for (DistinctKernel &entry : distinct)
      order.push_back(&entry);
    auto size = [](DistinctKernel *entry) {
      return entry->kernel.getBody().front().getOperations().size();
    };
    stableSort(order, [&](DistinctKernel *a, DistinctKernel *b) {
      return size(a) > size(b);
    });
    SmallVector<size_t> load(count, 0);
    for (DistinctKernel *entry : order) {
      auto *least = std::min_element(load.begin(), load.end());
      entry->module = least - load.begin();
      *least += size(entry);
    }
  }

  LogicalResult lowerAll() {
    return failableParallelForEachN(
        module.getContext(), 0, parts.size(), [&](size_t number) {
          SmallVector<const LoweredKernel *> codes;
          for (DistinctKernel &entry : distinct) {
            if (entry.module != number)
              continue;
            entry.code = target.lower(entry.kernel, entry.aliases,
                                      parts[number], entry.symbol);
            if (!entry.code)
              return failure();
            codes.push_back(entry.code.get());
          }
          target.finish(parts[number], codes);
          return success();
        });
  }

  KernelUses describeUses() {
    KernelUses result;
    for (auto &[kernel, entry] : uses)
      result[kernel] = {entry->code.get(),
                        "kernels_" + std::to_string(entry->module),
                        entry->symbol, names[kernel], entry->aliases};
    return result;
  }

  /// What the manifest says about a fragment of a stage; null for other
  /// functions.
  static Attribute describeFragment(func::FuncOp function) {
    auto stage = function->getAttrOfType<IntegerAttr>(kFragmentStageAttr);
    auto kind =
        function->getAttrOfType<pipe::FragmentKindAttr>(kFragmentKindAttr);
    if (!stage || !kind)
      return {};
    Builder builder(function.getContext());
    StringRef kindText = pipe::stringifyFragmentKind(kind.getValue());
    NamedAttrList entry;
    entry.set("name", function.getNameAttr());
    entry.set("stage", builder.getI64IntegerAttr(stage.getInt()));
    entry.set("kind", builder.getStringAttr(kindText));
    for (StringRef measure : {"flops", "bytes"})
      if (auto number =
              function->getAttrOfType<IntegerAttr>(("pipe." + measure).str()))
        entry.set(measure, number);
    if (Attribute arena = function->getAttr(spmd::SpmdDialect::kArenaSizeAttr))
      entry.set("arena", arena);
    return entry.getDictionary(function.getContext());
  }

  /// What the manifest says about the kernels: the bytes of their operands and
  /// results, and what launches call them.
  Attribute describeKernels() {
    Builder builder(module.getContext());
    llvm::DenseMap<const DistinctKernel *, SmallVector<Attribute>> launches;
    for (auto &[kernel, entry] : uses)
      launches[entry].push_back(builder.getStringAttr(names[kernel]));
    auto bytesOf = [](ValueRange values) {
      return llvm::map_to_vector(
          values, [](Value value) { return spmd::bytesOf(value); });
    };
    SmallVector<Attribute> kernels;
    for (const DistinctKernel &entry : distinct) {
      spmd::KernelOp kernelOp = entry.kernel;
      NamedAttrList kernel;
      kernel.set("name", builder.getStringAttr(entry.symbol));
      kernel.set("operations",
                 builder.getI64IntegerAttr(entry.code->operations));
      kernel.set("operands",
                 builder.getDenseI64ArrayAttr(bytesOf(kernelOp.getOperands())));
      kernel.set("results",
                 builder.getDenseI64ArrayAttr(bytesOf(kernelOp.getResults())));
      kernel.set("overwrites", builder.getDenseI64ArrayAttr(entry.aliases));
      kernel.set("uses", builder.getArrayAttr(launches[&entry]));
      kernels.push_back(kernel.getDictionary(builder.getContext()));
    }
    return builder.getArrayAttr(kernels);
  }

  /// Leaves of entries their declarations, of what they call nothing, and
  /// writes down what the manifest needs.
  void describe(const ProgramFunctions &program) {
    Builder builder(module.getContext());
    SmallVector<Attribute> fragments;
    module->setAttr(rt::RtDialect::kKernelsAttr, describeKernels());
    for (const HostFunction &function : program.functions) {
      func::FuncOp source = function.source;
      if (Attribute fragment = describeFragment(source))
        fragments.push_back(fragment);
      if (function.isEntry) {
        source.eraseBody();
        source.setPrivate();
      } else {
        source.erase();
      }
    }
    if (!fragments.empty())
      module->setAttr(rt::RtDialect::kFragmentsAttr,
                      builder.getArrayAttr(fragments));
  }

  ModuleOp module;
  KernelTarget &target;
  const ProgramLoweringOptions &options;
  KernelCounts counts;
  std::list<DistinctKernel> distinct;
  llvm::StringMap<DistinctKernel *> known;
  llvm::MapVector<Operation *, DistinctKernel *> uses;
  llvm::DenseMap<Operation *, std::string> names;
  llvm::StringMap<unsigned> numbers;
  std::vector<ModuleOp> parts;
};

} // namespace

FailureOr<KernelCounts>
codegen::lowerProgram(ModuleOp module, KernelTarget &target,
                      const ProgramLoweringOptions &options) {
  return ProgramLowering(module, target, options).run();
}
