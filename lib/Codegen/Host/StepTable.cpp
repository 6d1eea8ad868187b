//===- StepTable.cpp - calls of the runtime as rows of numbers ------------===//

#include "StepTable.h"

using namespace mlir;
using namespace tessera::codegen;

static constexpr llvm::StringLiteral kRun = "tessera_run_steps",
                                     kAddress = "tessera_step_address",
                                     kPlaceSites = "tessera_place_sites",
                                     kWords = "step_words",
                                     kSymbols = "step_symbols",
                                     kTexts = "step_texts",
                                     kSiteOffsets = "step_site_offsets",
                                     kSites = "step_sites";

StepTable::StepTable(ModuleOp program)
    : program(program), b(program.getContext()), loc(program.getLoc()),
      pointer(LLVM::LLVMPointerType::get(program.getContext())),
      word(b.getI64Type()), status(b.getI32Type()) {}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

StepTable::Argument StepTable::symbol(StringRef name) {
  auto entry = symbols.insert({b.getStringAttr(name), symbols.size()}).first;
  return {Argument::Symbol, {entry->second}};
}

StepTable::Argument StepTable::site(StringRef name, StringRef location) {
  int64_t number = siteOffsets.size() / 2;
  for (StringRef text : {name, location}) {
    auto [entry, isNew] = textOffsets.try_emplace(text, texts.size());
    if (isNew)
      texts += text.str() + '\0';
    siteOffsets.push_back(entry->second);
  }
  return {Argument::Site, {number}};
}

/// Pointers come last, behind their number, so that everything else stands at
/// the same position in all rows of a function.
void StepTable::add(StringRef function, ArrayRef<Argument> arguments) {
  Signature signature = llvm::map_to_vector<8>(
      arguments, [](const Argument &argument) { return argument.kind; });
  auto entry = functions.insert({b.getStringAttr(function), signature}).first;
  assert(entry->second == signature && "expected arguments of one kind");
  words.push_back(entry - functions.begin());
  const Argument *pointers = nullptr;
  for (const Argument &argument : arguments)
    if (argument.kind == Argument::Addresses)
      pointers = &argument;
    else
      words.push_back(argument.numbers.front());
  if (!pointers)
    return;
  words.push_back(pointers->numbers.size());
  llvm::append_range(words, pointers->numbers);
  mostPointers = std::max(mostPointers, pointers->numbers.size());
}

Value StepTable::run(OpBuilder &builder, Location loc, Value bases) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(builder.getInsertionBlock(), builder.getInsertionPoint());
  Value table = addressOf(kWords);
  Value row = element(table, integer(numRun, 64), word);
  Value end = element(table, integer(words.size(), 64), word);
  numRun = words.size();
  return LLVM::CallOp::create(b, loc, TypeRange{status}, kRun,
                              ValueRange{bases, row, end})
      .getResult();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Value StepTable::integer(int64_t value, unsigned width) {
  Type type = b.getIntegerType(width);
  return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value));
}

Value StepTable::element(Value table, Value index, Type type) {
  return LLVM::GEPOp::create(b, loc, pointer, type, table, ValueRange{index});
}

Value StepTable::addressOf(StringRef name) {
  return LLVM::AddressOfOp::create(b, loc, pointer, name);
}

Value StepTable::loadWord(Value row, int64_t index) {
  return LLVM::LoadOp::create(b, loc, word,
                              element(row, integer(index, 64), word));
}

Block *StepTable::addBlock(Region &body, ArrayRef<Type> types) {
  OpBuilder::InsertionGuard guard(b);
  return b.createBlock(&body, body.end(), types,
                       SmallVector<Location>(types.size(), loc));
}

LLVM::LLVMFuncOp StepTable::addFunction(StringRef name, Type result,
                                        ArrayRef<Type> types) {
  b.setInsertionPointToEnd(program.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, loc, name, LLVM::LLVMFunctionType::get(result, types),
      LLVM::Linkage::Internal);
  b.setInsertionPointToStart(function.addEntryBlock(b));
  return function;
}

void StepTable::addConstant(StringRef name, Type element, size_t size,
                            Attribute value) {
  b.setInsertionPointToEnd(program.getBody());
  LLVM::GlobalOp::create(b, loc, LLVM::LLVMArrayType::get(element, size),
                         /*isConstant=*/true, LLVM::Linkage::Internal, name,
                         value);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The addresses of all symbols.
void StepTable::defineSymbols() {
  Type type = pointerTable(symbols.size());
  b.setInsertionPointToEnd(program.getBody());
  auto table =
      LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, kSymbols, Attribute());
  b.createBlock(&table.getInitializerRegion());
  Value value = LLVM::UndefOp::create(b, loc, type);
  for (auto [name, number] : symbols)
    value = LLVM::InsertValueOp::create(b, loc, value, addressOf(name),
                                        ArrayRef<int64_t>{number});
  LLVM::ReturnOp::create(b, loc, value);
}

/// The texts of all sites, and the sites themselves, two pointers each. These
/// are computed when the program is loaded, as the loader would otherwise do
/// from as many relocations.
void StepTable::defineSites() {
  size_t size = siteOffsets.size();
  addConstant(kTexts, b.getI8Type(), texts.size(), b.getStringAttr(texts));
  addConstant(kSiteOffsets, b.getI32Type(), size,
              b.getI32TensorAttr(siteOffsets));
  b.setInsertionPointToEnd(program.getBody());
  auto sites = LLVM::GlobalOp::create(
      b, loc, pointerTable(size),
      /*isConstant=*/false, LLVM::Linkage::Internal, kSites, Attribute());
  b.createBlock(&sites.getInitializerRegion());
  LLVM::ReturnOp::create(b, loc,
                         LLVM::ZeroOp::create(b, loc, pointerTable(size)));

  LLVM::LLVMFuncOp initializer =
      addFunction(kPlaceSites, LLVM::LLVMVoidType::get(b.getContext()), {});
  Region &body = initializer.getBody();
  Block *loop = addBlock(body, {word}), *end = addBlock(body, {});
  LLVM::BrOp::create(b, loc, ValueRange{integer(0, 64)}, loop);
  b.setInsertionPointToStart(loop);
  Value index = loop->getArgument(0);
  Value offset = LLVM::LoadOp::create(
      b, loc, b.getI32Type(),
      element(addressOf(kSiteOffsets), index, b.getI32Type()));
  Value text = element(addressOf(kTexts), offset, b.getI8Type());
  LLVM::StoreOp::create(b, loc, text,
                        element(addressOf(kSites), index, pointer));
  Value next = LLVM::AddOp::create(b, loc, index, integer(1, 64));
  Value isDone = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, next,
                                      integer(size, 64));
  LLVM::CondBrOp::create(b, loc, isDone, end, ValueRange(), loop,
                         ValueRange{next});
  b.setInsertionPointToStart(end);
  LLVM::ReturnOp::create(b, loc, ValueRange());

  b.setInsertionPointToEnd(program.getBody());
  LLVM::GlobalCtorsOp::create(
      b, loc, b.getArrayAttr({FlatSymbolRefAttr::get(initializer)}),
      b.getI32ArrayAttr({65535}),
      b.getArrayAttr({LLVM::ZeroAttr::get(b.getContext())}));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// The function that makes an address of a word.
void StepTable::defineAddress() {
  LLVM::LLVMFuncOp function = addFunction(kAddress, pointer, {pointer, word});
  Value bases = function.getArgument(0), coded = function.getArgument(1);
  auto bits = [&](int64_t mask) {
    return LLVM::AndOp::create(b, loc, coded, integer(mask, 64));
  };
  Value number = bits((1 << kBaseBits) - 1);
  Value base =
      LLVM::LoadOp::create(b, loc, pointer, element(bases, number, pointer));
  Value position =
      LLVM::AShrOp::create(b, loc, coded, integer(kAddressBits, 64));
  Value isEntry = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne,
                                       bits(1 << kBaseBits), integer(0, 64));
  Region &body = function.getBody();
  Block *entry = addBlock(body, {}), *offset = addBlock(body, {});
  LLVM::CondBrOp::create(b, loc, isEntry, entry, offset);
  b.setInsertionPointToStart(entry);
  Value loaded =
      LLVM::LoadOp::create(b, loc, pointer, element(base, position, pointer));
  LLVM::ReturnOp::create(b, loc, loaded);
  b.setInsertionPointToStart(offset);
  LLVM::ReturnOp::create(b, loc, element(base, position, b.getI8Type()));
}

/// The argument of a call that stands in a row as `coded`.
Value StepTable::decode(Argument::Kind kind, Value coded, Value bases) {
  switch (kind) {
  case Argument::I64:
    return coded;
  case Argument::I32:
    return LLVM::TruncOp::create(b, loc, b.getI32Type(), coded);
  case Argument::Address:
    return LLVM::CallOp::create(b, loc, TypeRange{pointer}, kAddress,
                                ValueRange{bases, coded})
        .getResult();
  case Argument::Symbol:
    return LLVM::LoadOp::create(b, loc, pointer,
                                element(addressOf(kSymbols), coded, pointer));
  case Argument::Site:
    return element(addressOf(kSites), coded, pointerTable(2));
  case Argument::Addresses:
    break;
  }
  llvm_unreachable("pointers are filled in one by one");
}

/// Code that writes the addresses of a row to `pointers`. Their number stands
/// at `index`, they themselves behind it. Gives the row behind this one.
Value StepTable::fillPointers(Value row, int64_t index, Value bases,
                              Value pointers) {
  Value count = loadWord(row, index);
  Value first = element(row, integer(index + 1, 64), word);
  Region &body = *b.getInsertionBlock()->getParent();
  Block *test = addBlock(body, {word}), *fill = addBlock(body, {}),
        *end = addBlock(body, {});
  LLVM::BrOp::create(b, loc, ValueRange{integer(0, 64)}, test);
  b.setInsertionPointToStart(test);
  Value number = test->getArgument(0);
  Value isDone =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, number, count);
  LLVM::CondBrOp::create(b, loc, isDone, end, fill);
  b.setInsertionPointToStart(fill);
  Value coded =
      LLVM::LoadOp::create(b, loc, word, element(first, number, word));
  LLVM::StoreOp::create(b, loc, decode(Argument::Address, coded, bases),
                        element(pointers, number, pointer));
  Value next = LLVM::AddOp::create(b, loc, number, integer(1, 64));
  LLVM::BrOp::create(b, loc, ValueRange{next}, test);
  b.setInsertionPointToStart(end);
  return element(first, count, word);
}

/// The call of `function` as `row` says, then on to the `next` row or, if it
/// failed, to the `exit`.
void StepTable::emitCase(StringRef function, const Signature &signature,
                         Value bases, Value row, Value pointers, Block *next,
                         Block *exit) {
  // The context is the first of what the host function got.
  SmallVector<Value> arguments = {LLVM::LoadOp::create(b, loc, pointer, bases)};
  int64_t index = 1;
  for (Argument::Kind kind : signature)
    arguments.push_back(kind == Argument::Addresses
                            ? pointers
                            : decode(kind, loadWord(row, index++), bases));
  Value behind = llvm::is_contained(signature, Argument::Addresses)
                     ? fillPointers(row, index, bases, pointers)
                     : element(row, integer(index, 64), word);
  Value result =
      LLVM::CallOp::create(b, loc, TypeRange{status}, function, arguments)
          .getResult();
  Value isGood = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, result,
                                      integer(0, 32));
  LLVM::CondBrOp::create(b, loc, isGood, next, ValueRange{behind}, exit,
                         ValueRange{result});
  if (program.lookupSymbol(function))
    return;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(program.getBody());
  LLVM::LLVMFuncOp::create(
      b, loc, function,
      LLVM::LLVMFunctionType::get(
          status, llvm::to_vector(ValueRange(arguments).getTypes())));
}

/// The function that runs rows.
void StepTable::defineRun() {
  LLVM::LLVMFuncOp function =
      addFunction(kRun, status, {pointer, pointer, pointer});
  Value bases = function.getArgument(0), end = function.getArgument(2);
  Value pointers = LLVM::AllocaOp::create(b, loc, pointer, pointer,
                                          integer(mostPointers, 64));
  Region &body = function.getBody();
  Block *next = addBlock(body, {pointer}), *choose = addBlock(body, {}),
        *exit = addBlock(body, {status});
  LLVM::BrOp::create(b, loc, ValueRange{function.getArgument(1)}, next);
  b.setInsertionPointToStart(next);
  Value row = next->getArgument(0);
  Value isDone =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, row, end);
  LLVM::CondBrOp::create(b, loc, isDone, exit, ValueRange{integer(0, 32)},
                         choose, ValueRange());
  SmallVector<int32_t> numbers;
  SmallVector<Block *> cases;
  for (auto &[name, signature] : functions) {
    numbers.push_back(numbers.size());
    cases.push_back(addBlock(body, {}));
    b.setInsertionPointToStart(cases.back());
    emitCase(name, signature, bases, row, pointers, next, exit);
  }
  b.setInsertionPointToStart(choose);
  Value number =
      LLVM::TruncOp::create(b, loc, b.getI32Type(), loadWord(row, 0));
  // All numbers are among the cases; any of them may be the last one.
  LLVM::SwitchOp::create(b, loc, number, cases.back(), ValueRange(), numbers,
                         cases, SmallVector<ValueRange>(cases.size()));
  b.setInsertionPointToStart(exit);
  LLVM::ReturnOp::create(b, loc, exit->getArgument(0));
}

void StepTable::finish() {
  if (words.empty())
    return;
  addConstant(kWords, word, words.size(), b.getI64TensorAttr(words));
  if (!symbols.empty())
    defineSymbols();
  if (!siteOffsets.empty())
    defineSites();
  defineAddress();
  defineRun();
}
