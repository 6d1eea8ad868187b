//===- BFloat16Bits.cpp - bf16 as integers --------------------------------===//

#include "BFloat16Bits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// Rewrites one function.
class BitsOfFunction {
public:
  explicit BitsOfFunction(Function &function)
      : function(function), builder(function.getContext()) {}

  void run() {
    ReversePostOrderTraversal<Function *> blocks(&function);
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : *block)
        collect(instruction);
    for (Instruction *instruction : numbers)
      if (auto *phi = dyn_cast<PHINode>(instruction)) {
        builder.SetInsertPoint(phi);
        words[phi] = builder.CreatePHI(wordOf(phi->getType()),
                                       phi->getNumIncomingValues());
        replaced.push_back(phi);
      }
    for (Instruction *instruction : numbers)
      if (!isa<PHINode>(instruction))
        makeWord(*instruction);
    for (Instruction *instruction : numbers)
      if (auto *phi = dyn_cast<PHINode>(instruction))
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          cast<PHINode>(words[phi])
              ->addIncoming(bits(phi->getIncomingValue(i)),
                            phi->getIncomingBlock(i));
    for (Instruction *instruction : users)
      rewriteUser(*instruction);
    for (Instruction *instruction : replaced)
      instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
    for (Instruction *instruction : replaced)
      instruction->eraseFromParent();
  }

private:
  static bool isNumber(Type *type) {
    return type->getScalarType()->isBFloatTy();
  }
  Type *wordOf(Type *type) {
    return type->getWithNewType(builder.getInt16Ty());
  }

  void collect(Instruction &instruction) {
    if (isNumber(instruction.getType()))
      numbers.push_back(&instruction);
    else if (any_of(instruction.operands(), [](const Use &operand) {
               return isNumber(operand->getType());
             }))
      users.push_back(&instruction);
  }

  /// `value`, a number, as an integer.
  Value *bits(Value *value) {
    if (Value *word = words.lookup(value))
      return word;
    if (auto *constant = dyn_cast<Constant>(value))
      return ConstantExpr::getBitCast(constant, wordOf(value->getType()));
    // An argument.
    IRBuilder<> b(&*function.getEntryBlock().getFirstInsertionPt());
    return words[value] = b.CreateBitCast(value, wordOf(value->getType()));
  }

  /// Operand `i`, as an integer if it is a number.
  Value *operand(Instruction &instruction, unsigned i) {
    Value *value = instruction.getOperand(i);
    return isNumber(value->getType()) ? bits(value) : value;
  }

  /// What `instruction`, not a phi, gives as an integer.
  void makeWord(Instruction &instruction) {
    builder.SetInsertPoint(&instruction);
    Type *word = wordOf(instruction.getType());
    auto in = [&](unsigned i) { return operand(instruction, i); };
    Value *result = nullptr;
    if (isa<SelectInst>(instruction))
      result = builder.CreateSelect(in(0), in(1), in(2));
    else if (isa<BitCastInst>(instruction))
      result = builder.CreateBitCast(in(0), word);
    else if (auto *load = dyn_cast<LoadInst>(&instruction))
      result = builder.CreateAlignedLoad(word, load->getPointerOperand(),
                                         load->getAlign());
    else if (isa<ExtractElementInst>(instruction))
      result = builder.CreateExtractElement(in(0), in(1));
    else if (isa<InsertElementInst>(instruction))
      result = builder.CreateInsertElement(in(0), in(1), in(2));
    else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
      result =
          builder.CreateShuffleVector(in(0), in(1), shuffle->getShuffleMask());
    else if (isa<FreezeInst>(instruction))
      result = builder.CreateFreeze(in(0));
    else if (instruction.getOpcode() == Instruction::FNeg)
      result = builder.CreateXor(in(0), ConstantInt::get(word, 0x8000));
    if (result) {
      words[&instruction] = result;
      replaced.push_back(&instruction);
      return;
    }
    users.push_back(&instruction);
    builder.SetInsertPoint(instruction.getNextNode());
    words[&instruction] = builder.CreateBitCast(&instruction, word);
  }

  /// A number in f32.
  Value *widen(Value *number) {
    Type *type = number->getType();
    Value *word = builder.CreateZExt(
        bits(number), type->getWithNewType(builder.getInt32Ty()));
    return builder.CreateBitCast(builder.CreateShl(word, 16),
                                 type->getWithNewType(builder.getFloatTy()));
  }

  /// Makes an instruction take integers where it took numbers.
  void rewriteUser(Instruction &user) {
    builder.SetInsertPoint(&user);
    if (auto *compare = dyn_cast<FCmpInst>(&user)) {
      for (Use &number : compare->operands())
        number.set(widen(number));
      return;
    }
    bool mayTakeWords = isa<StoreInst, BitCastInst>(user);
    for (Use &number : user.operands())
      if (isNumber(number->getType()) && !isa<Constant>(number))
        number.set(mayTakeWords ? bits(number)
                                : builder.CreateBitCast(bits(number),
                                                        number->getType()));
  }

  Function &function;
  IRBuilder<> builder;
  /// What gives numbers; what takes them and gives something else, or is none
  /// of what is made an integer.
  SmallVector<Instruction *> numbers, users;
  SmallVector<Instruction *> replaced;
  DenseMap<Value *, Value *> words;
};

} // namespace

void tessera::codegen::carryBFloat16AsBits(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      BitsOfFunction(function).run();
}
