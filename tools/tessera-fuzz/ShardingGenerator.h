//===- ShardingGenerator.h - Random meshes and annotations ----------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_SHARDINGGENERATOR_H
#define TESSERA_TOOLS_TESSERA_FUZZ_SHARDINGGENERATOR_H

#include "Random.h"

#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera::fuzz {

/// Random meshes and random shardings over them; some divide the tensors'
/// shapes evenly, some do not.
class ShardingGenerator {
public:
  struct NamedMesh {
    llvm::StringRef name;
    Mesh mesh;
    /// The built-in description if there is none.
    std::optional<Machine> machine;
  };

  /// Draws a mesh `@mesh` of 1 to 3 axes and at most 16 devices, and sometimes
  /// another one, `@other`, over the same devices; now and then two whose axes
  /// end where no grid has both. Some lie on machines with unlike links.
  explicit ShardingGenerator(Random &random);
  /// Draws shardings over `meshes`, of which there is one at least.
  ShardingGenerator(Random &random, llvm::ArrayRef<NamedMesh> meshes)
      : random(random), meshes(meshes) {}

  /// The first mesh.
  const Mesh &getMesh() const { return meshes.front().mesh; }
  llvm::ArrayRef<NamedMesh> getMeshes() const { return meshes; }
  /// Declares all meshes where `builder` stands.
  void declareMeshes(mlir::OpBuilder &builder) const;

  /// A sharding of a tensor of this shape: axes and parts of axes on some
  /// dimensions, dimensions open or closed, with or without priorities, axes
  /// explicitly replicated and, if the tensor may be, unreduced. In a manual
  /// region, whose axes are `manual`, over the others of `manualMesh`.
  ShardingAttr attribute(mlir::MLIRContext *context,
                         llvm::ArrayRef<int64_t> shape, bool mayBeUnreduced,
                         llvm::ArrayRef<AxisRef> manual = {},
                         const NamedMesh *manualMesh = nullptr);

private:
  TensorSharding sharding(llvm::ArrayRef<int64_t> shape, bool mayBeUnreduced,
                          const Mesh &mesh, llvm::ArrayRef<AxisRef> manual);

  Random &random;
  llvm::SmallVector<NamedMesh, 2> meshes;
};

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_SHARDINGGENERATOR_H
