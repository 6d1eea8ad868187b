//===- Routines.cpp - what is known of routines and their calls -----------===//

#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Support/RoutineCall.h"
#include "tessera/Support/RoutineSignatures.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Shared objects that models name
//===----------------------------------------------------------------------===//

namespace {

/// The shared objects that modules of the dialect's context may name.
struct AllowedLibraries : DialectInterface::Base<AllowedLibraries> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllowedLibraries)
  explicit AllowedLibraries(Dialect *dialect) : Base(dialect) {}

  llvm::StringSet<> paths;
};

} // namespace

void tessera::allowRoutineLibrary(MLIRContext &context, StringRef path) {
  auto *dialect = context.getOrLoadDialect<TesseraDialect>();
  auto *allowed = dialect->getRegisteredInterface<AllowedLibraries>();
  if (!allowed)
    allowed = &dialect->addInterface<AllowedLibraries>();
  allowed->paths.insert(path);
}

LogicalResult tessera::verifyRoutineLibraries(Operation *module,
                                              Attribute attribute) {
  auto paths = dyn_cast<ArrayAttr>(attribute);
  if (!paths || !llvm::all_of(paths, llvm::IsaPred<StringAttr>))
    return module->emitError() << "expected " << kRoutineLibrariesAttr
                               << " to be an array of paths, got " << attribute;
  auto *allowed = module->getContext()
                      ->getLoadedDialect<TesseraDialect>()
                      ->getRegisteredInterface<AllowedLibraries>();
  for (auto path : paths.getAsRange<StringAttr>())
    if (!allowed || !allowed->paths.contains(path))
      return module->emitError()
             << "expected --custom-calls=" << path.getValue()
             << " for a model that calls its routines, got none";
  return success();
}

//===----------------------------------------------------------------------===//
// The routines of the project
//===----------------------------------------------------------------------===//

namespace {

/// The arrays of a call, which the verifier has compared with the signature.
struct Arrays {
  LibraryCallOp call;

  ArrayRef<int64_t> shape(unsigned index) {
    return call.getTensorType(index).getShape();
  }
  double elements(unsigned index) {
    return double(call.getArrayType(index).getNumElements());
  }
  /// Of matrices in array `index`, the rows, the columns, the lesser of both,
  /// and how many there are.
  double rows(unsigned index = 0) { return double(sizeFromEnd(index, 1)); }
  double columns(unsigned index = 0) { return double(sizeFromEnd(index, 0)); }
  double least() { return std::min(rows(), columns()); }
  double batch() {
    double size = rows() * columns();
    return size > 0 ? elements(0) / size : 0;
  }

private:
  int64_t sizeFromEnd(unsigned index, unsigned fromEnd) {
    RankedTensorType type = call.getArrayType(index);
    return type.getRank() > fromEnd
               ? type.getDimSize(type.getRank() - 1 - fromEnd)
               : 1;
  }
};

/// A family of routines, and what a call takes.
struct Routine {
  StringLiteral name;
  double (*operations)(Arrays);
};

} // namespace

/// A factor of a matrix, `times` that of a square one's product.
static double factorization(Arrays a, double times) {
  double m = a.rows(), n = a.columns(), k = a.least();
  return a.batch() * times * (m * n * k - k * k * k / 3);
}
static double cubic(Arrays a, double times) {
  return a.batch() * times * a.rows() * a.columns() * a.least();
}

static double transform(Arrays a) {
  auto lengths = a.call.getParameters().getAs<DenseI64ArrayAttr>("length");
  double points =
      std::max(a.elements(0), a.elements(a.call.getOperands().size()));
  double size = 1;
  for (int64_t length : lengths ? lengths.asArrayRef() : ArrayRef<int64_t>())
    size *= double(length);
  return 5 * points * std::log2(std::max(size, 2.0));
}

/// Each family of the project's routines.
static constexpr Routine kRoutines[] = {
    {"geev", [](Arrays a) { return cubic(a, 27); }},
    {"gees", [](Arrays a) { return cubic(a, 25); }},
    {"fft", transform},
    {"gehrd", [](Arrays a) { return cubic(a, 10.0 / 3); }},
    {"geqp3", [](Arrays a) { return factorization(a, 2); }},
    {"geqrf", [](Arrays a) { return factorization(a, 2); }},
    {"gesdd", [](Arrays a) { return cubic(a, 22); }},
    {"getrf", [](Arrays a) { return factorization(a, 1); }},
    {"gtsv", [](Arrays a) { return 8 * a.elements(3); }},
    {"laswp", [](Arrays a) { return a.elements(0); }},
    {"orgqr", [](Arrays a) { return factorization(a, 2); }},
    {"potrf", [](Arrays a) { return cubic(a, 1.0 / 3); }},
    {"syevd", [](Arrays a) { return cubic(a, 9); }},
    {"sytrd", [](Arrays a) { return cubic(a, 4.0 / 3); }},
    {"trsm", [](Arrays a) { return a.elements(1) * a.rows(); }},
};

bool tessera::isOwnRoutine(StringRef routine) {
  return findOwnRoutine(routine).has_value();
}

bool tessera::hasEffect(Operation *op) {
  auto call = dyn_cast<LibraryCallOp>(op);
  return call && call.getParameters().contains(kEffectParameter);
}

bool tessera::holdsEffect(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return hasEffect(nested) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

int64_t tessera::countRoutineOperations(LibraryCallOp call) {
  std::optional<OwnRoutine> own = findOwnRoutine(call.getRoutine());
  if (!own)
    return 0;
  const auto *routine = llvm::find_if(kRoutines, [&](const Routine &routine) {
    return routine.name == StringRef(own->family);
  });
  bool isComplex = llvm::any_of(
      llvm::seq<unsigned>(0, call.getBuffers().size()), [&](unsigned index) {
        return isa<ComplexType>(call.getBuffer(index).getElement());
      });
  return int64_t(routine->operations(Arrays{call}) * (isComplex ? 4 : 1));
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The bits of a number.
static int64_t bitsOf(Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(value).getValue().getZExtValue();
}

static void writeValues(DenseElementsAttr elements, json::OStream &out) {
  out.attribute("type", textOf(elements.getElementType()));
  out.attributeArray("values", [&] {
    for (Attribute value : elements.getValues<Attribute>())
      out.value(uint64_t(bitsOf(value)));
  });
}

/// A list that is an array of C in the compiler.
static DenseElementsAttr elementsOf(DenseArrayAttr array) {
  auto type = RankedTensorType::get({array.getSize()}, array.getElementType());
  // Bytes there, and bits here.
  if (auto truths = dyn_cast<DenseBoolArrayAttr>(array))
    return DenseElementsAttr::get(type, truths.asArrayRef());
  return DenseElementsAttr::getFromRawBuffer(type, array.getRawData());
}

static void writeParameters(DictionaryAttr parameters, json::OStream &out);

/// The fields of one parameter, which the verifier has found to have a form.
static void writeParameter(Attribute value, json::OStream &out) {
  if (auto text = dyn_cast<StringAttr>(value))
    return out.attribute("text", text.getValue());
  if (auto members = dyn_cast<DictionaryAttr>(value))
    return out.attributeObject("members",
                               [&] { writeParameters(members, out); });
  if (auto array = dyn_cast<DenseArrayAttr>(value))
    return writeValues(elementsOf(array), out);
  if (auto elements = dyn_cast<DenseElementsAttr>(value))
    return writeValues(elements, out);
  out.attribute("type", textOf(cast<TypedAttr>(value).getType()));
  out.attribute("value", uint64_t(bitsOf(value)));
}

static void writeParameters(DictionaryAttr parameters, json::OStream &out) {
  for (NamedAttribute parameter : parameters)
    out.attributeObject(parameter.getName().getValue(),
                        [&] { writeParameter(parameter.getValue(), out); });
}

std::string tessera::describeCall(StringRef routine, DictionaryAttr parameters,
                                  ArrayRef<RankedTensorType> arrays,
                                  unsigned inputs, ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream);
  out.object([&] {
    out.attributeArray("arrays", [&] {
      for (RankedTensorType type : arrays)
        out.object([&] {
          out.attributeArray("dims", [&] {
            for (int64_t size : type.getShape())
              out.value(size);
          });
          out.attribute("type", textOf(type.getElementType()));
        });
    });
    out.attribute("inputs", int64_t(inputs));
    out.attributeArray("libraries", [&] {
      if (auto paths =
              module ? module->getAttrOfType<ArrayAttr>(kRoutineLibrariesAttr)
                     : ArrayAttr())
        for (auto path : paths.getAsRange<StringAttr>())
          out.value(path.getValue());
    });
    out.attributeObject("parameters",
                        [&] { writeParameters(parameters, out); });
    out.attribute("routine", routine);
  });
  return text;
}
