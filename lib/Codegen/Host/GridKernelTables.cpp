//===- GridKernelTables.cpp -----------------------------------------------===//

#include "GridKernelTables.h"
#include "tessera/Dialect/Tessera/ElementTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

GridKernelTables::GridKernelTables(ModuleOp program)
    : program(program), b(program.getContext()) {}

GridKernelTables::Field GridKernelTables::integer(int64_t value,
                                                  unsigned width) {
  return {b.getIntegerType(width), value, {}, false};
}

GridKernelTables::Field GridKernelTables::pointerTo(StringRef symbol) {
  return {LLVM::LLVMPointerType::get(b.getContext()), 0, symbol.str(), true};
}

std::string GridKernelTables::define(ArrayRef<Field> fields) {
  if (fields.empty())
    return {};
  SmallVector<Type> types;
  for (const Field &field : fields)
    types.push_back(field.type);
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  std::string name = "gpu_" + std::to_string(count++);
  Location loc = program.getLoc();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(program.getBody());
  auto global =
      LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name, Attribute());
  b.createBlock(&global.getInitializerRegion());
  Value value = LLVM::UndefOp::create(b, loc, type);
  for (auto [number, field] : llvm::enumerate(fields)) {
    Value entry;
    if (!field.isAddress)
      entry = LLVM::ConstantOp::create(
          b, loc, field.type, b.getIntegerAttr(field.type, field.number));
    else if (field.symbol.empty())
      entry = LLVM::ZeroOp::create(b, loc, field.type);
    else
      entry = LLVM::AddressOfOp::create(b, loc, field.type, field.symbol);
    value = LLVM::InsertValueOp::create(b, loc, value, entry,
                                        ArrayRef<int64_t>{int64_t(number)});
  }
  LLVM::ReturnOp::create(b, loc, value);
  return name;
}

std::string GridKernelTables::defineText(StringRef text) {
  SmallVector<Field> bytes;
  for (char c : text)
    bytes.push_back(integer(c, 8));
  bytes.push_back(integer(0, 8));
  return define(bytes);
}

std::string GridKernelTables::defineNumbers(ArrayRef<int64_t> values,
                                            unsigned width) {
  SmallVector<Field> fields;
  for (int64_t value : values)
    fields.push_back(integer(value, width));
  return define(fields);
}

/// Fields of a TesseraTensorMap.
void GridKernelTables::append(SmallVectorImpl<Field> &fields,
                              rt::TensorMapAttr map) {
  // TESSERA_MAP_TF32 of the runtime's interface.
  constexpr int32_t tf32 = 64;
  fields.push_back(integer(map.getBuffer(), 32));
  fields.push_back(
      integer(isa<FloatTF32Type>(map.getElement())
                  ? tf32
                  : static_cast<int32_t>(*getStoredType(map.getElement())),
              32));
  fields.push_back(integer(map.getSizes().size(), 32));
  fields.push_back(integer(map.getSwizzle(), 32));
  fields.push_back(pointerTo(defineNumbers(map.getSizes(), 64)));
  fields.push_back(pointerTo(defineNumbers(map.getStrides(), 64)));
  fields.push_back(pointerTo(defineNumbers(map.getBox(), 64)));
}

/// Fields of a TesseraGridStep.
void GridKernelTables::append(SmallVectorImpl<Field> &fields,
                              rt::GridStepAttr step) {
  SmallVector<Field> maps;
  for (rt::TensorMapAttr map : step.getMaps())
    append(maps, map);
  ArrayRef<int32_t> buffers = step.getBuffers().asArrayRef();
  fields.push_back(pointerTo(defineText(step.getSymbol().getValue())));
  for (int64_t size : step.getGrid())
    fields.push_back(integer(size, 32));
  fields.push_back(integer(step.getBlock(), 32));
  fields.push_back(integer(step.getShared(), 32));
  fields.push_back(integer(buffers.size(), 32));
  fields.push_back(pointerTo(
      defineNumbers(SmallVector<int64_t>(buffers.begin(), buffers.end()), 32)));
  fields.push_back(pointerTo(define(maps)));
  fields.push_back(integer(step.getMaps().size(), 32));
  fields.push_back(integer(0, 32));
  fields.push_back(pointerTo(""));
}

/// Fields of a TesseraMatrix.
void GridKernelTables::append(SmallVectorImpl<Field> &fields,
                              rt::MatrixAttr matrix) {
  fields.push_back(integer(matrix.getBuffer(), 32));
  fields.push_back(
      integer(static_cast<int32_t>(*getStoredType(matrix.getElement())), 32));
  fields.push_back(integer(matrix.getTransposed(), 32));
  fields.push_back(integer(0, 32));
  for (int64_t value : {matrix.getOffset(), matrix.getRow(), matrix.getBatch()})
    fields.push_back(integer(value, 64));
}

/// Fields of a TesseraGridStep that is a library's.
void GridKernelTables::append(SmallVectorImpl<Field> &fields,
                              rt::LibraryStepAttr step) {
  SmallVector<Field> product;
  for (int64_t size :
       {step.getBatches(), step.getM(), step.getN(), step.getK()})
    product.push_back(integer(size, 64));
  for (rt::MatrixAttr matrix :
       {step.getLeft(), step.getRight(), step.getResult()})
    append(product, matrix);
  for (int64_t value :
       {step.getBias(), int32_t(step.getTf32()), step.getWorkspace(), 0})
    product.push_back(integer(value, 32));
  product.push_back(integer(step.getBytes(), 64));
  // No symbol, no blocks, threads and shared memory, no buffers, no maps.
  fields.push_back(pointerTo(""));
  for (int field = 0; field < 6; ++field)
    fields.push_back(integer(0, 32));
  fields.push_back(pointerTo(""));
  fields.push_back(pointerTo(""));
  fields.push_back(integer(0, 32));
  fields.push_back(integer(0, 32));
  fields.push_back(pointerTo(define(product)));
}

/// Fields of a TesseraGpuVariant.
void GridKernelTables::append(SmallVectorImpl<Field> &fields,
                              rt::VariantAttr variant, int64_t module) {
  SmallVector<Field> steps;
  for (Attribute step : variant.getSteps())
    if (auto grid = dyn_cast<rt::GridStepAttr>(step))
      append(steps, grid);
    else
      append(steps, cast<rt::LibraryStepAttr>(step));
  fields.push_back(integer(variant.getArch(), 32));
  fields.push_back(integer(module, 32));
  fields.push_back(pointerTo(define(steps)));
  fields.push_back(integer(variant.getSteps().size(), 32));
  fields.push_back(integer(0, 32));
}

std::string GridKernelTables::symbol(rt::GridKernelOp kernel) {
  std::string &name = known[kernel];
  if (name.empty()) {
    auto parent = kernel->getParentOfType<ModuleOp>();
    int64_t number = 0;
    parent.getSymName()
        ->drop_front(StringRef("kernels_").size())
        .getAsInteger(10, number);
    SmallVector<Field> variants;
    for (auto variant : kernel.getVariants().getAsRange<rt::VariantAttr>())
      append(variants, variant, number);
    name = define({pointerTo(define(variants)),
                   integer(kernel.getVariants().size(), 32), integer(0, 32)});
  }
  return name;
}
