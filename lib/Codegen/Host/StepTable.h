//===- StepTable.h - calls of the runtime as rows of numbers --------------===//
#ifndef TESSERA_CODEGEN_HOST_STEPTABLE_H
#define TESSERA_CODEGEN_HOST_STEPTABLE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::codegen {

/// The steps of a host program as a table.
///
/// A deep model is many thousand calls of a few functions of the runtime, with
/// numbers that are known. As code they would take the back end longer than all
/// kernels. As rows of 64-bit words they cost next to nothing: a row begins
/// with the number of the function, then come its arguments. One loop, a
/// function of the program itself, goes through the rows from one to another
/// and makes the calls, until one fails:
///
/// ```c
/// int32_t tessera_run_steps(void **bases, int64_t *row, int64_t *end);
/// ```
///
/// `bases` are the pointers that the host function got; addresses in rows are
/// relative to them. What must have an address of its own and is known (names
/// of kernels, `TesseraSite`s) stands in tables beside, which rows refer to by
/// number.
class StepTable {
public:
  /// An argument of a call.
  struct Argument {
    enum Kind : uint8_t {
      /// A number of 32 or 64 bits.
      I32,
      I64,
      /// A location in memory: see `address`.
      Address,
      /// A pointer to as many pointers as `numbers`, each like an address. At
      /// most one per call.
      Addresses,
      /// The address of a symbol, by its number.
      Symbol,
      /// A `TesseraSite`, by its number.
      Site,
    };
    Kind kind;
    llvm::SmallVector<int64_t, 4> numbers;
  };

  /// The tables go to the end of `program`.
  explicit StepTable(mlir::ModuleOp program);

  static Argument number(int64_t value, unsigned width) {
    return {width == 32 ? Argument::I32 : Argument::I64, {value}};
  }
  /// `bytes` behind base number `base`, or, for an entry of a table of
  /// pointers, what stands at index `bytes` of base number `base`.
  static int64_t address(unsigned base, int64_t bytes, bool isEntry) {
    return bytes << kAddressBits | int64_t(isEntry) << kBaseBits | base;
  }
  Argument symbol(llvm::StringRef name);
  /// The `TesseraSite` of what is called `name` at `location`.
  Argument site(llvm::StringRef name, llvm::StringRef location);

  /// Adds a call of the runtime's `function`, which takes the context, then
  /// `arguments`, and returns a status.
  void add(llvm::StringRef function, llvm::ArrayRef<Argument> arguments);
  /// Whether rows have been added that no code runs yet.
  bool isPending() const { return words.size() > numRun; }
  /// Code that runs the rows that have been added since the last time; gives
  /// their status.
  mlir::Value run(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value bases);
  /// Defines the tables and the functions, if there are rows.
  void finish();

private:
  static constexpr unsigned kBaseBits = 3, kAddressBits = 4;
  /// How the arguments of a function stand in its rows.
  using Signature = llvm::SmallVector<Argument::Kind, 8>;

  mlir::Type pointerTable(size_t size) const {
    return mlir::LLVM::LLVMArrayType::get(pointer, size);
  }
  mlir::Value integer(int64_t value, unsigned width);
  mlir::Value element(mlir::Value table, mlir::Value index, mlir::Type type);
  mlir::Value addressOf(llvm::StringRef name);
  mlir::Value loadWord(mlir::Value row, int64_t index);
  mlir::Block *addBlock(mlir::Region &body, llvm::ArrayRef<mlir::Type> types);
  mlir::LLVM::LLVMFuncOp addFunction(llvm::StringRef name, mlir::Type result,
                                     llvm::ArrayRef<mlir::Type> types);
  void addConstant(llvm::StringRef name, mlir::Type element, size_t size,
                   mlir::Attribute value);
  void defineSymbols();
  void defineSites();
  void defineAddress();
  void defineRun();
  mlir::Value decode(Argument::Kind kind, mlir::Value word, mlir::Value bases);
  mlir::Value fillPointers(mlir::Value row, int64_t index, mlir::Value bases,
                           mlir::Value pointers);
  void emitCase(llvm::StringRef function, const Signature &signature,
                mlir::Value bases, mlir::Value row, mlir::Value pointers,
                mlir::Block *next, mlir::Block *exit);

  mlir::ModuleOp program;
  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::Type pointer, word, status;

  /// All rows, and how many words of them some code runs.
  std::vector<int64_t> words;
  size_t numRun = 0;
  /// By number: the functions that rows call.
  llvm::MapVector<mlir::StringAttr, Signature> functions;
  /// The numbers of symbols.
  llvm::MapVector<mlir::StringAttr, int64_t> symbols;
  /// Texts one behind the other, each ended by zero, where each begins, and
  /// where those of each site do.
  std::string texts;
  llvm::StringMap<int32_t> textOffsets;
  std::vector<int32_t> siteOffsets;
  /// The most pointers that a call takes.
  size_t mostPointers = 1;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_STEPTABLE_H
