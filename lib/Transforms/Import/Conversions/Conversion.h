//===- Conversion.h - how one foreign operation becomes another -----------===//
//
// The pass `ConvertStablehlo` builds a new module beside the one that was read:
// it walks the old one once, in program order, and looks up every operation's
// name in one table. The old values keep their types, which say what the new,
// signless ones no longer do. Per operation the work is constant: attribute
// texts are parsed once per attribute, types converted once per type.
//
// A file of this folder that converts a family of operations adds its rows to
// the table (`addElementwise`, ...).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_CONVERSION_H
#define TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_CONVERSION_H

#include "Conversions/AttributeText.h"

#include "tessera/Dialect/Tessera/ConstantElement.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tessera::importer {

class Conversion;

/// Appends what replaces the results of `op`; `operands` are what replaced its
/// operands. Operations are built with `conversion.builder`. A failure has been
/// reported.
using ConvertFn = mlir::LogicalResult (*)(
    mlir::Operation *op, mlir::ValueRange operands, Conversion &conversion,
    llvm::SmallVectorImpl<mlir::Value> &results);

/// A row of the table: what an operation looks like, so that `convert` need not
/// check it, and how it is converted.
struct OpConversion {
  /// Stands for any number of operands or results.
  static constexpr int kAny = -1;

  llvm::StringLiteral name;
  ConvertFn convert;
  int numOperands = kAny;
  int numResults = 1;
  /// Each of these must have one block that ends with `terminator`.
  int numRegions = 0;
  /// The attributes that `convert` reads or may ignore; any other is an error.
  llvm::ArrayRef<llvm::StringLiteral> attributes = {};
  llvm::StringLiteral terminator = "stablehlo.return";
};

/// The table by names.
using ConversionTable = llvm::StringMap<const OpConversion *>;

void addElementwise(ConversionTable &table);
void addConverts(ConversionTable &table);
void addStructured(ConversionTable &table);
void addReductions(ConversionTable &table);
void addReduceWindow(ConversionTable &table);
void addSelectAndScatter(ConversionTable &table);
void addConvolution(ConversionTable &table);
void addSorting(ConversionTable &table);
void addIndexed(ConversionTable &table);
void addRandomBits(ConversionTable &table);
void addControlFlow(ConversionTable &table);
void addShardings(ConversionTable &table);
void addCalls(ConversionTable &table);
void addCollectives(ConversionTable &table);
void addRaggedAllToAll(ConversionTable &table);
void addManualComputations(ConversionTable &table);
void addBroadcasting(ConversionTable &table);
void addEinsums(ConversionTable &table);
void addBatchNormalization(ConversionTable &table);
void addDynamicShapes(ConversionTable &table);
void addCustomCalls(ConversionTable &table);
void addLibraryCalls(ConversionTable &table);
void addScans(ConversionTable &table);
void addRaggedDot(ConversionTable &table);

/// Adds the rows `rows` to `table`.
void addRows(ConversionTable &table, llvm::ArrayRef<OpConversion> rows);

/// The name JAX gave an argument: its location is nothing but a name. Null if
/// it has none.
mlir::StringAttr argumentName(mlir::BlockArgument argument);

/// Whether `op` is a constraint of Shardy.
bool isConstraint(mlir::Operation *op);

/// The foreign `value` before it was constrained, as JAX does with everything
/// in a manual region that leaves axes to the compiler, the bodies of
/// reductions and the arithmetic of counters included.
mlir::Value unconstrained(mlir::Value value);

/// What the element type of a foreign tensor means for arithmetic.
enum class ElementKind { Float, Signed, Unsigned, Bool, Other };
ElementKind elementKind(mlir::Type type);

/// The device's position along an axis of the mesh, if that is what `dividend`
/// modulo `divisor`, unsigned integers, computes from the device's number; else
/// null.
mlir::Value positionAlongAxis(Conversion &conversion, mlir::Value dividend,
                              mlir::Value divisor);

/// A diagnostic where `op`, a product of floating-point numbers, is to give
/// integers or truth values: JAX lets them be asked for, StableHLO does not.
llvm::LogicalResult checkProductType(mlir::Operation *op);

/// `value` of foreign type `original`, an operand of a product whose result has
/// elements of type `element`: products of integers are computed in that type.
mlir::Value widenInteger(mlir::Value value, mlir::Type original,
                         mlir::Type element, Conversion &c);

/// `x`, a tensor of numbers, rounded to the element type of `to`.
mlir::Value convertFloat(Conversion &c, mlir::Value x,
                         mlir::RankedTensorType to);

/// The integers of `value`, a foreign tensor that is computed from constants
/// and from static sizes, in row-major order; none if it is something else.
std::optional<llvm::SmallVector<int64_t>> constantIntegers(mlir::Value value);

/// Whether `a` comes behind `b`, element by element, where `kind` is what their
/// elements are: the total order of IEEE 754 for numbers.
mlir::Value isTotallyGreater(Conversion &c, mlir::Value a, mlir::Value b,
                             ElementKind kind);

/// The state of one module's conversion.
class Conversion {
public:
  explicit Conversion(mlir::ModuleOp module);

  /// Replaces the contents of the module.
  mlir::LogicalResult run();

  mlir::ImplicitLocOpBuilder builder;

  //===--------------------------------------------------------------------===//
  // Values and types
  //===--------------------------------------------------------------------===//

  /// What replaces `value`, which has been converted.
  mlir::Value lookup(mlir::Value value) const { return values.lookup(value); }
  void map(mlir::Value value, mlir::Value replacement) {
    values[value] = replacement;
  }
  /// The signless tensor type for `type`; null after a diagnostic at `place` if
  /// there is none.
  mlir::RankedTensorType convertType(mlir::Type type, mlir::Location place);
  /// The types for `types`; fails after a diagnostic.
  mlir::FailureOr<llvm::SmallVector<mlir::Type>>
  convertTypes(mlir::TypeRange types, mlir::Location place);

  /// What foreign operation `name`, of these foreign operands, gives as a
  /// foreign value of type `result`: it is put before `op`, which is defined by
  /// others, and converted. It has `attributes`, and those of its own that `op`
  /// has, too. Null after a diagnostic.
  mlir::Value expand(mlir::Operation *op, llvm::StringRef name,
                     mlir::ValueRange operands, mlir::Type result,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

  /// Converts `op` at the builder's place.
  mlir::LogicalResult convertOp(mlir::Operation &op);
  /// Converts all operations of `block` but its terminator, at the builder's
  /// place; its arguments have been mapped. Appends what replaces the
  /// terminator's operands.
  mlir::LogicalResult convertBody(mlir::Block &block,
                                  llvm::SmallVectorImpl<mlir::Value> &yielded);
  /// Converts region `number` of `op`, which may not use values from outside,
  /// into `target`, which is empty and ends with `tessera.yield`.
  mlir::LogicalResult convertRegion(mlir::Operation *op, unsigned number,
                                    mlir::Region &target);
  /// Appends to `target` arguments for those of `source`, and maps them.
  mlir::LogicalResult convertArguments(mlir::Block &source,
                                       mlir::Block &target);

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  /// A constant of tensor type `type` filled with one value.
  mlir::Value splat(mlir::Type type, double value);
  mlir::Value splat(mlir::Type type, const llvm::APInt &value);
  mlir::Value splat(mlir::Type type, const llvm::APFloat &value);
  /// Zeros of type `type`, floats or integers.
  mlir::Value zeros(mlir::RankedTensorType type);
  /// `value` repeated along all dimensions of `type`, if it is a scalar.
  mlir::Value broadcastScalar(mlir::Value value, mlir::Type type);

  //===--------------------------------------------------------------------===//
  // Attributes
  //===--------------------------------------------------------------------===//

  /// The integers of attribute `name` of `op`; fails after a diagnostic when it
  /// is something else, or missing without a `defaultValue` for all `count`.
  mlir::FailureOr<llvm::SmallVector<int64_t>> integers(mlir::Operation *op,
                                                       llvm::StringRef name);
  mlir::FailureOr<llvm::SmallVector<int64_t>> integersOr(mlir::Operation *op,
                                                         llvm::StringRef name,
                                                         int64_t defaultValue,
                                                         size_t count);
  mlir::FailureOr<int64_t> integer(mlir::Operation *op, llvm::StringRef name);
  /// Whether attribute `name` of `op` is `true` or a unit.
  bool flag(mlir::Operation *op, llvm::StringRef name);
  /// The text of opaque attribute `name` of `op`.
  mlir::FailureOr<llvm::StringRef> text(mlir::Operation *op,
                                        llvm::StringRef name);
  /// What `parse` makes of the text of attribute `name`.
  template <typename T, typename... Args>
  mlir::FailureOr<T> parsed(mlir::Operation *op, llvm::StringRef name,
                            Fallible<T> (*parse)(llvm::StringRef, Args...),
                            Args... args) {
    mlir::FailureOr<llvm::StringRef> contents = text(op, name);
    if (failed(contents))
      return mlir::failure();
    Fallible<T> result = parse(*contents, args...);
    if (result)
      return *result;
    mlir::emitError(op->getLoc())
        << "malformed attribute '" << name << "': " << result.message();
    return mlir::failure();
  }
  /// The sharding that the Shardy attribute `attribute` describes, for a tensor
  /// of type `type`. Null if it names a mesh without axes, which says nothing.
  /// Fails after a diagnostic at `place` that begins with `subject`.
  mlir::FailureOr<ShardingAttr> sharding(mlir::Attribute attribute,
                                         mlir::RankedTensorType type,
                                         mlir::Location place,
                                         const llvm::Twine &subject);
  /// The mesh in which groups of devices are expressed: that of the innermost
  /// region of per-device code, or else the first one; null when the module has
  /// none.
  MeshOp getMesh() const { return mesh; }
  /// As long as it lives, groups of devices are expressed in `mesh`.
  struct MeshScope : llvm::SaveAndRestore<MeshOp> {
    MeshScope(Conversion &c, MeshOp mesh)
        : llvm::SaveAndRestore<MeshOp>(c.mesh, mesh) {}
  };
  /// As long as it lives, what is converted works on the elements of tensors:
  /// shardings of these say nothing.
  struct ElementScope : llvm::SaveAndRestore<bool> {
    ElementScope(Conversion &c)
        : llvm::SaveAndRestore<bool>(c.isOnElements, true) {}
  };
  /// `value` constrained to `sharding`, or itself when that says nothing: every
  /// device has a scalar constant.
  mlir::Value constrain(mlir::Value value, ShardingAttr sharding);

private:
  mlir::LogicalResult convertMesh(mlir::Operation &op);
  mlir::LogicalResult
  checkOperations(mlir::func::FuncOp function,
                  llvm::DenseSet<mlir::Operation *> &checked);
  mlir::LogicalResult convertFunction(mlir::func::FuncOp function);
  mlir::LogicalResult convertBoundaryArguments(mlir::func::FuncOp source,
                                               mlir::func::FuncOp target);
  mlir::LogicalResult
  convertBoundaryResults(mlir::func::FuncOp source, mlir::func::FuncOp target,
                         llvm::SmallVectorImpl<mlir::Value> &results);
  mlir::LogicalResult
  lookupOperands(mlir::Operation &op,
                 llvm::SmallVectorImpl<mlir::Value> &operands);
  mlir::LogicalResult checkForm(mlir::Operation &op, const OpConversion &row);
  mlir::LogicalResult
  constrainResults(mlir::Operation &op,
                   llvm::SmallVectorImpl<mlir::Value> &results);
  /// Gives `value`, an argument or a result of a private function, the
  /// sharding among its `attributes`.
  mlir::FailureOr<mlir::Value>
  constrainBoundary(mlir::Value value, mlir::DictionaryAttr attributes,
                    mlir::Location place, const llvm::Twine &subject);
  mlir::DictionaryAttr
  boundaryAttributes(mlir::DictionaryAttr attributes, mlir::Type original,
                     mlir::RankedTensorType type, mlir::StringAttr name,
                     mlir::Location place, const llvm::Twine &subject);
  mlir::FailureOr<ShardingAttr> parseSharding(llvm::StringRef text,
                                              mlir::Location place,
                                              const llvm::Twine &subject);
  MeshOp meshFor(MeshAttr attribute);

  mlir::ModuleOp module;
  ConversionTable table;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Type, mlir::RankedTensorType> types;
  llvm::DenseMap<mlir::Attribute, ShardingAttr> shardings;
  /// The first mesh, or that of the region at hand.
  MeshOp mesh;
  /// The meshes by name, and by what they are.
  llvm::StringMap<MeshOp> meshes;
  llvm::DenseMap<mlir::Attribute, MeshOp> meshesByValue;
  /// Whether an `ElementScope` lives.
  bool isOnElements = false;
  /// Meshes without axes: shardings on them say nothing.
  llvm::StringSet<> emptyMeshes;
};

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_CONVERSION_H
