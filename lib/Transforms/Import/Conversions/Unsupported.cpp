//===- Unsupported.cpp - what models ask for that is not done -------------===//

#include "tessera/Transforms/Import/Conversions/Unsupported.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

// Targets are those of JAX on NVIDIA's and AMD's GPUs (`cusolver_*`,
// `hipsolver_*`, `cu_*`), on TPUs (`Cholesky`), and on CPUs what is rare.
static constexpr StringLiteral
    kCallbackTargets[] = {"*python_*callback*", "*callback*"},
    kLibraryTargets[] = {"cusolver_*",
                         "hipsolver_*",
                         "*cusparse_*",
                         "*hipsparse_*",
                         "*lu_pivots*",
                         "*fft_*",
                         "*ducc*",
                         "*trsyl*",
                         "*potrf*",
                         "*trsm*",
                         "*geqrf*",
                         "*geqp3*",
                         "*orgqr*",
                         "*ungqr*",
                         "*ormqr*",
                         "*unmqr*",
                         "*getrf*",
                         "*syev*",
                         "*heev*",
                         "*gesdd*",
                         "*gesvd*",
                         "*geev*",
                         "*gees*",
                         "*gehrd*",
                         "*gtsv*",
                         "*sytrd*",
                         "*hetrd*",
                         "Cholesky",
                         "TriangularSolve",
                         "Qr",
                         "*Householder*",
                         "LuDecomposition",
                         "Eigh",
                         "Svd"},
    kComplex[] = {"stablehlo.complex", "stablehlo.real", "stablehlo.imag"},
    kComplexTypes[] = {"complex<*"},
    kDynamic[] = {"stablehlo.dynamic_broadcast_in_dim",
                  "stablehlo.dynamic_conv",
                  "stablehlo.dynamic_gather",
                  "stablehlo.dynamic_iota",
                  "stablehlo.dynamic_pad",
                  "stablehlo.dynamic_reshape",
                  "stablehlo.real_dynamic_slice",
                  "stablehlo.get_dimension_size",
                  "stablehlo.set_dimension_size",
                  "shape.*",
                  "tensor.dim",
                  "chlo.dynamic_*"},
    kDynamicTargets[] = {"shape_assertion", "stablehlo.dynamic_*"},
    kQuantized[] = {"stablehlo.uniform_*"}, kQuantizedTypes[] = {"!quant.*"},
    kShort[] = {"i2", "i4", "ui2", "ui4", "si2", "si4", "f4*", "f6*", "f8*"},
    kInfeed[] = {"stablehlo.infeed", "stablehlo.outfeed"},
    kSend[] = {"stablehlo.send", "stablehlo.recv"},
    kRng[] = {"stablehlo.rng", "stablehlo.rng_get_and_update_state"},
    kTokens[] = {"stablehlo.after_all", "stablehlo.create_token"},
    kTokenTypes[] = {"!stablehlo.token*"},
    kReplicas[] = {"stablehlo.replica_id"},
    kKernelTargets[] = {"*triton*", "*pallas*", "tpu_custom_call",
                        "mosaic_*", "*cudnn*",  "*cuda_graph*",
                        "cu_*",     "*cublas*"},
    kCustomCall[] = {"stablehlo.custom_call"}, kAll[] = {"*"};

static constexpr StringLiteral kReal =
    "compute with the real and the imaginary part as two tensors";

ArrayRef<Unsupported> tessera::importer::unsupportedKinds() {
  static const Unsupported kinds[] = {
      {"debug-print",
       "return the value as a result and print it outside of the step",
       {},
       kCallbackTargets,
       {},
       "debug_"},
      {"io-callback",
       "pass what it reads as an argument, return what it writes as a result",
       {},
       kCallbackTargets,
       {},
       "io_callback"},
      {"pure-callback",
       "write the function in JAX, or compute it before the step and pass its "
       "value in",
       {},
       kCallbackTargets,
       {}},
      {"linear-algebra",
       "export for the CPU, whose routines of linear algebra are known",
       {},
       kLibraryTargets,
       {}},
      {"complex", kReal, kComplex, {}, kComplexTypes},
      {"dynamic-shapes",
       "compile for one size by --shape=NAME=8x128, or pad to one, and mask "
       "what is padding",
       kDynamic,
       kDynamicTargets,
       {}},
      {"quantized-types",
       "keep the integers and their scales as tensors, and multiply by the "
       "scales where they are used",
       kQuantized,
       {},
       kQuantizedTypes},
      {"short-types",
       "keep their bits in i8; StableHLO's are read so",
       {},
       {},
       kShort},
      {"infeed-outfeed",
       "pass data as arguments and return results; tessera-run feeds steps "
       "with --batches",
       kInfeed,
       {},
       {}},
      {"send-recv",
       "say what lies where by shardings, or exchange in a jax.shard_map",
       kSend,
       {},
       {}},
      {"rng",
       "draw with jax.random from a key that the step takes and returns",
       kRng,
       {},
       {}},
      {"ordered-effects",
       "leave out ordered=True, and return what is to be seen as a result",
       kTokens,
       {},
       kTokenTypes},
      {"replicas",
       "use partitions, as jax.jit and jax.shard_map do, instead of jax.pmap",
       kReplicas,
       {},
       {}},
      {"kernels",
       "use the same function in JAX: kernels are formed by the compiler",
       {},
       kKernelTargets,
       {}},
      {"custom-calls",
       "supply the routine by --custom-calls=lib.so, or write what it computes "
       "in JAX",
       kCustomCall,
       {},
       {}},
      {"other-operations",
       "write what it computes in jax.numpy and jax.lax",
       kAll,
       {},
       {}},
  };
  return kinds;
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

static bool matches(StringRef text, ArrayRef<StringLiteral> patterns) {
  return llvm::any_of(patterns, [&](StringRef pattern) {
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(pattern);
    assert(glob && "patterns of the table are well-formed");
    return glob->match(text);
  });
}

/// Whether a name in `location` contains `part`.
static bool hasName(Location location, StringRef part) {
  return location
      ->walk([&](Location nested) {
        auto name = dyn_cast<NameLoc>(nested);
        return name && name.getName().getValue().contains(part)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

const Unsupported &tessera::importer::unsupportedKind(Operation *op) {
  StringRef name = op->getName().getStringRef();
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  for (const Unsupported &kind : unsupportedKinds()) {
    bool fits = matches(name, kind.operations) ||
                (target && matches(target.getValue(), kind.targets));
    if (fits && (kind.name.empty() || hasName(op->getLoc(), kind.name)))
      return kind;
  }
  llvm_unreachable("the last kind fits all operations");
}

const Unsupported *tessera::importer::unsupportedKind(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  std::string element;
  llvm::raw_string_ostream(element)
      << (shaped ? shaped.getElementType() : type);
  bool isDynamic = shaped && !shaped.hasStaticShape();
  for (const Unsupported &kind : unsupportedKinds())
    if (matches(element, kind.elements) ||
        (isDynamic && kind.anchor == "dynamic-shapes"))
      return &kind;
  return nullptr;
}

bool tessera::importer::isInFile(Location location) {
  return location
      ->walk([](Location nested) {
        return isa<FileLineColLoc>(nested) ? WalkResult::interrupt()
                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

Location tessera::importer::locationOfArgument(BlockArgument argument) {
  if (isInFile(argument.getLoc()) || argument.use_empty())
    return argument.getLoc();
  Operation *first = *argument.user_begin();
  for (Operation *user : argument.getUsers())
    if (user->getBlock() == first->getBlock() && user->isBeforeInBlock(first))
      first = user;
  return first->getLoc();
}

/// The first place in a file from which `function` is called, also by others
/// that it is called by.
static std::optional<Location> placeOfCall(func::FuncOp function) {
  SmallVector<func::FuncOp> pending = {function};
  DenseSet<Operation *> seen = {function};
  for (size_t i = 0; i < pending.size(); ++i)
    for (auto other :
         function->getParentOfType<ModuleOp>().getOps<func::FuncOp>()) {
      std::optional<Location> place;
      other.walk([&](func::CallOp call) {
        if (call.getCallee() != pending[i].getSymName())
          return WalkResult::advance();
        if (seen.insert(other).second)
          pending.push_back(other);
        if (!isInFile(call.getLoc()))
          return WalkResult::advance();
        place = call.getLoc();
        return WalkResult::interrupt();
      });
      if (place)
        return place;
    }
  return std::nullopt;
}

/// Reports `diagnostic` at the call of `function`, if it is in no file.
static LogicalResult reportAtCall(func::FuncOp function,
                                  Diagnostic &diagnostic) {
  if (isInFile(diagnostic.getLocation()))
    return failure();
  std::optional<Location> call = placeOfCall(function);
  if (!call)
    return failure();
  auto atCall = [&](Location place) -> Location {
    return isInFile(place) ? place : CallSiteLoc::get(place, *call);
  };
  InFlightDiagnostic placed = function.getContext()->getDiagEngine().emit(
      atCall(diagnostic.getLocation()), diagnostic.getSeverity());
  placed << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    placed.attachNote(atCall(note.getLocation())) << note.str();
  return success();
}

LocationsOfCalls::LocationsOfCalls(func::FuncOp function)
    : handler(function.getContext(), [=](Diagnostic &diagnostic) {
        return reportAtCall(function, diagnostic);
      }) {}

void tessera::importer::noteAlternative(InFlightDiagnostic &diagnostic,
                                        const Unsupported *kind) {
  if (kind)
    diagnostic.attachNote()
        << kind->alternative << "; see docs/unsupported.md#" << kind->anchor;
}
