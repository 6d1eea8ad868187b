//===- ForeignDialects.cpp - StableHLO, CHLO and Shardy by name -----------===//
//
// The compiler knows of these dialects no more than that they exist. That is
// enough for the parser to read their operations in generic form with all of
// MLIR's checks: unlike a region of an operation of an unknown dialect, theirs
// is no symbol table in which a call could look for its callee in vain. Their
// attributes stay opaque texts, which `AttributeText.h` reads where an
// operation is converted. An operation in pretty form is where a user gets told
// about the generic one.
//
//===----------------------------------------------------------------------===//

#include "ForeignModule.h"

#include "tessera/Transforms/Import/ReadModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace tessera::importer::foreign {

/// What the three dialects share: unknown operations, opaque attributes.
class ForeignDialect : public Dialect {
public:
  ForeignDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    auto name = StringAttr::get(getContext(), getNamespace());
    return OpaqueAttr::get(name, parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }

  Type parseType(DialectAsmParser &parser) const override {
    auto name = StringAttr::get(getContext(), getNamespace());
    return OpaqueType::get(name, parser.getFullSymbolSpec());
  }

  /// Called for an operation without quotes around its name.
  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return ParseOpHook(refusePrettyForm);
  }

private:
  static ParseResult refusePrettyForm(OpAsmParser &parser,
                                      OperationState &state) {
    Location place = parser.getEncodedSourceLoc(parser.getNameLoc());
    auto file = dyn_cast<FileLineColLoc>(place);
    InFlightDiagnostic error = emitError(place);
    error << "expected '" << state.name
          << "' in MLIR's generic form, got its pretty form";
    error.attachNote()
        << "write the file in generic form with: python -m tessera normalize "
        << (file ? file.getFilename().getValue() : "FILE");
    return error;
  }
};

/// `Name::text` is the name of the dialect.
template <typename Name> class Named final : public ForeignDialect {
public:
  explicit Named(MLIRContext *context)
      : ForeignDialect(Name::text, context, TypeID::get<Named<Name>>()) {}
  static constexpr StringLiteral getDialectNamespace() { return Name::text; }
};

struct Stablehlo {
  static constexpr StringLiteral text{"stablehlo"};
};
struct Chlo {
  static constexpr StringLiteral text{"chlo"};
};
struct Sdy {
  static constexpr StringLiteral text{"sdy"};
};

} // namespace tessera::importer::foreign

void tessera::importer::registerForeignDialects(DialectRegistry &registry) {
  registry
      .insert<foreign::Named<foreign::Stablehlo>, foreign::Named<foreign::Chlo>,
              foreign::Named<foreign::Sdy>>();
}

/// Whether an argument or result has an attribute that is not Tessera's.
static bool hasForeignAttributes(ArrayAttr boundary) {
  if (!boundary)
    return false;
  for (DictionaryAttr attributes : boundary.getAsRange<DictionaryAttr>())
    for (NamedAttribute attribute : attributes)
      if (!attribute.getName().strref().starts_with("tessera."))
        return true;
  return false;
}

/// Whether no tensor of Tessera's has such elements: complex numbers, unsigned
/// integers, short types.
static bool isForeignElement(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return !integer.isSignless() || integer.getWidth() == 2 ||
           integer.getWidth() == 4;
  auto number = dyn_cast<FloatType>(element);
  return isa<ComplexType>(element) || (number && number.getWidth() <= 8);
}

/// Whether `function` hands on arguments of foreign elements, and that is all
/// it does: no operation says what it is written in.
static bool handsOnForeignElements(func::FuncOp function) {
  return !function.isExternal() && function.getBody().hasOneBlock() &&
         llvm::hasSingleElement(function.front()) &&
         llvm::any_of(function.getArgumentTypes(), [](Type type) {
           return isForeignElement(getElementTypeOrSelf(type));
         });
}

// An operation of another compiler is among the first in a model from JAX.
bool tessera::importer::isForeign(ModuleOp module) {
  for (NamedAttribute attribute : module->getDiscardableAttrs())
    if (!attribute.getName().strref().starts_with("tessera."))
      return true;
  auto result = module->walk([](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    bool foreign =
        !op->isRegistered() ||
        (function && (hasForeignAttributes(function.getArgAttrsAttr()) ||
                      hasForeignAttributes(function.getResAttrsAttr()) ||
                      handsOnForeignElements(function)));
    return foreign ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}
