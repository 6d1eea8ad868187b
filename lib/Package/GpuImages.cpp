//===- GpuImages.cpp - The code for GPUs in a program's file --------------===//

#include "GpuImages.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Builds the module that holds PTX and cubins as constants, and the table of
/// them that the runtime reads.
class ImageModule {
public:
  explicit ImageModule(ModuleOp module)
      : b(module.getLoc(), module.getContext()),
        result(ModuleOp::create(b, module.getLoc())),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {
    b.setInsertionPointToStart(result.getBody());
  }

  ModuleOp run(ArrayRef<nvptx::GpuImage> images) {
    for (const nvptx::GpuImage &image : images) {
      define(nameOf("ptx", image), image.ptx + '\0', /*alignment=*/1);
      if (!image.cubin.empty())
        define(nameOf("cubin", image), image.cubin, /*alignment=*/16);
    }
    defineTable(images);
    LLVM::GlobalOp::create(b, b.getI64Type(), /*isConstant=*/true,
                           LLVM::Linkage::External, "tessera_gpu_image_count",
                           b.getI64IntegerAttr(images.size()));
    return result;
  }

private:
  static std::string nameOf(StringRef kind, const nvptx::GpuImage &image) {
    return (kind + "_" + Twine(image.module) + "_" + Twine(image.arch)).str();
  }

  void define(StringRef name, StringRef bytes, unsigned alignment) {
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                           LLVM::Linkage::Internal, name,
                           b.getStringAttr(bytes), alignment);
  }

  Value integer(int64_t value, unsigned width) {
    Type type = b.getIntegerType(width);
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  }

  /// The table of all images, each a TesseraGpuImage.
  void defineTable(ArrayRef<nvptx::GpuImage> images) {
    Type i32 = b.getI32Type();
    auto image = LLVM::LLVMStructType::getLiteral(
        b.getContext(), {i32, i32, pointer, pointer, b.getI64Type()});
    auto type = LLVM::LLVMArrayType::get(image, images.size());
    auto table = LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                                        LLVM::Linkage::External,
                                        "tessera_gpu_images", Attribute());
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&table.getInitializerRegion());
    Value value = LLVM::UndefOp::create(b, type);
    for (auto [number, entry] : llvm::enumerate(images)) {
      Value ptx = LLVM::AddressOfOp::create(b, pointer, nameOf("ptx", entry));
      Value cubin = LLVM::ZeroOp::create(b, pointer);
      if (!entry.cubin.empty())
        cubin = LLVM::AddressOfOp::create(b, pointer, nameOf("cubin", entry));
      Value fields[] = {integer(entry.module, 32), integer(entry.arch, 32), ptx,
                        cubin, integer(entry.cubin.size(), 64)};
      for (auto [field, content] : llvm::enumerate(fields))
        value = LLVM::InsertValueOp::create(
            b, value, content,
            ArrayRef<int64_t>{int64_t(number), int64_t(field)});
    }
    LLVM::ReturnOp::create(b, value);
  }

  ImplicitLocOpBuilder b;
  ModuleOp result;
  Type pointer;
};

} // namespace

ModuleOp tessera::makeImageModule(ModuleOp module,
                                  ArrayRef<nvptx::GpuImage> images) {
  return ImageModule(module).run(images);
}
