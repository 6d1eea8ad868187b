//===- ProgramGenerator.h - Random annotated programs ---------------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_PROGRAMGENERATOR_H
#define TESSERA_TOOLS_TESSERA_FUZZ_PROGRAMGENERATOR_H

#include "ShardingGenerator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::fuzz {

/// Makes a random program of canonical Tessera IR, operation by operation, from
/// the values that it has so far.
///
/// All values are small integers, also those of float type, and for each value
/// a bound on its magnitude is known. Before an operation could leave the range
/// in which the type holds all integers, a remainder brings its operands back.
/// So every sum is exact in any order, and a partitioned program must give the
/// same bits as the whole one.
class ProgramGenerator {
public:
  ProgramGenerator(mlir::MLIRContext *context, uint64_t seed);

  /// A verified module with a mesh and a function @main of about `operations`
  /// operations, annotated at random.
  mlir::OwningOpRef<mlir::ModuleOp> generate(int64_t operations);

private:
  /// A value that later operations may use; its magnitude is at most `bound`.
  struct Known {
    mlir::Value value;
    double bound;
    mlir::RankedTensorType type() const {
      return mlir::cast<mlir::RankedTensorType>(value.getType());
    }
    llvm::ArrayRef<int64_t> shape() const { return type().getShape(); }
    mlir::Type element() const { return type().getElementType(); }
    int64_t rank() const { return type().getRank(); }
  };
  /// Adds one operation, or returns false where it finds no operands for it.
  using Addition = bool (ProgramGenerator::*)();

  // Values.
  mlir::Type randomElement();
  llvm::SmallVector<int64_t> randomShape();
  Known newArgument(mlir::RankedTensorType type);
  Known newConstant(mlir::RankedTensorType type);
  /// A constant tensor of these integers.
  mlir::Value integers(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                       llvm::ArrayRef<int64_t> values);
  /// The number in every element.
  mlir::Value splat(mlir::RankedTensorType type, int64_t number);
  /// An existing or a new value of exactly this type.
  Known need(mlir::RankedTensorType type);
  Known need(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    return need(mlir::RankedTensorType::get(shape, element));
  }
  /// An existing value for which `fits` holds, the later the likelier.
  std::optional<Known> find(llvm::function_ref<bool(const Known &)> fits);
  std::optional<Known> findNumber(int64_t minimalRank = 0);
  /// `known`, by a remainder if need be, with a bound of at most `bound`, which
  /// is at least 3.
  Known bounded(Known known, double bound);
  bool add(mlir::Value value, double bound);
  template <typename Op, typename... Arguments> Op create(Arguments &&...args) {
    return Op::create(builder, builder.getUnknownLoc(),
                      std::forward<Arguments>(args)...);
  }
  mlir::RankedTensorType tensorType(llvm::ArrayRef<int64_t> shape,
                                    mlir::Type element) {
    return mlir::RankedTensorType::get(shape, element);
  }

  // Operations (ProgramGenerator.cpp, TensorOperations.cpp,
  // IndexedOperations.cpp, LoopOperations.cpp, ManualRegions.cpp,
  // FunctionCalls.cpp, LibraryCalls.cpp, WindowOperations.cpp).
  bool addOperation();
  bool addBinary();
  bool addUnary();
  bool addSelect();
  bool addConversion();
  bool addDotGeneral();
  bool addReduce();
  bool addArgmax();
  bool addSort();
  bool addBroadcast();
  bool addTranspose();
  bool addReshape();
  bool addSlice();
  bool addPad();
  bool addConcatenate();
  bool addStencil();
  bool addRotation();
  bool addEdges();
  bool addMiddle();
  bool addReverse();
  bool addIota();
  bool addConstant();
  bool addConstrain();
  bool addBarrier();
  bool addShardingGroup();
  bool addPropagationBarrier();
  bool addDynamicSlice();
  bool addDynamicUpdateSlice();
  bool addGather();
  bool addScatter();
  bool addFor();
  bool addWhile();
  bool addIf();
  bool addSwitch();
  bool addAccumulation();
  bool addLayers();
  bool addUpdate();
  bool addManual();
  bool addCollective();
  bool addCall();
  bool addRoutine();
  bool addCholesky();
  bool addTriangularSolve();
  bool addElimination();
  bool addTransform();
  llvm::SmallVector<mlir::Value> indicesInto(int64_t rank);
  llvm::SmallVector<mlir::Value> drawStates();
  mlir::Value handOn(mlir::Value value);
  llvm::SmallVector<mlir::Value> iterate(mlir::ValueRange carried);
  Known iterate(Known carried, int64_t operations);
  mlir::Value sum(mlir::Value a, mlir::Value b);
  mlir::Value mostlyWhole(mlir::Value value);
  mlir::func::FuncOp newFunction();
  mlir::DictionaryAttr boundaryAttributes(mlir::Type type, int64_t percent);
  Known needSquares();
  mlir::Value triangle(mlir::Value squares, bool isUnit);
  mlir::Value product(mlir::Value lhs, int64_t lhsOver, mlir::Value rhs,
                      int64_t rhsOver);
  mlir::Attribute buffer(mlir::Type element, int64_t rank,
                         llvm::ArrayRef<int64_t> own, bool isByColumns);
  LibraryCallOp callLapack(llvm::StringRef family, mlir::ValueRange operands,
                           mlir::TypeRange types, llvm::StringRef letters,
                           llvm::ArrayRef<mlir::Attribute> buffers,
                           llvm::ArrayRef<int64_t> aliases,
                           llvm::ArrayRef<int64_t> whole);
  AxesAttr axesOfMesh(llvm::ArrayRef<AxisRef> axes);
  std::pair<Known, TensorSharding> drawExit(Known value,
                                            llvm::ArrayRef<AxisRef> axes);
  /// A value of the manual region or function that is being made.
  std::optional<Known> findInside() {
    return find([](const Known &) { return true; });
  }

  void finish();
  void markBatch();

  Random random;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp main;
  std::optional<ShardingGenerator> shardings;
  llvm::SmallVector<Known> pool;
  /// Arguments of a state, and the results that replace them.
  llvm::SmallVector<std::pair<mlir::BlockArgument, mlir::Value>> replaced;
  /// Whether nothing of @main is seen: in manual regions and other functions.
  bool isIsolated = false;
  /// How many loops and branches are around.
  int64_t depth = 0;
  /// How many manual regions are around, their axes and the mesh of these.
  unsigned nesting = 0;
  AxisList manualAxes;
  const ShardingGenerator::NamedMesh *manualMesh = nullptr;
  /// Whether devices of a manual region may take another way than others.
  bool isDivergent = false;
  /// What may be called, and how many functions are being made.
  llvm::SmallVector<mlir::func::FuncOp> functions;
  unsigned unfinished = 0;
  /// Which operations are calls of routines, and of how many in a hundred.
  Random routineDraws;
  int64_t routinePercent = 0;
  /// How many sharding groups there are.
  int64_t groups = 0;
};

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_PROGRAMGENERATOR_H
