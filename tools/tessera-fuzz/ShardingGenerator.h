//===- ShardingGenerator.h - Random meshes and annotations ----------------===//

#ifndef TESSERA_TOOLS_TESSERAFUZZ_SHARDINGGENERATOR_H
#define TESSERA_TOOLS_TESSERAFUZZ_SHARDINGGENERATOR_H

#include "Random.h"

#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera::fuzz {

/// A random mesh and random shardings over it; some divide the tensors' shapes
/// evenly, some do not.
class ShardingGenerator {
public:
  /// Draws a mesh of 1 to 3 axes and at most 16 devices.
  explicit ShardingGenerator(Random &random);

  const Mesh &getMesh() const { return mesh; }

  /// A sharding of a tensor of this shape: axes and parts of axes on some
  /// dimensions, dimensions open or closed, with or without priorities, axes
  /// explicitly replicated and, if the tensor may be, unreduced.
  TensorSharding sharding(llvm::ArrayRef<int64_t> shape, bool mayBeUnreduced);

  /// The same as an attribute that names the mesh `@mesh`.
  ShardingAttr attribute(mlir::MLIRContext *context,
                         llvm::ArrayRef<int64_t> shape, bool mayBeUnreduced);

private:
  Random &random;
  Mesh mesh;
};

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERAFUZZ_SHARDINGGENERATOR_H
