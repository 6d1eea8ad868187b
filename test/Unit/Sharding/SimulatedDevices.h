//===- SimulatedDevices.h - Reshard plans on real data --------------------===//
#ifndef TESSERA_TEST_UNIT_SHARDING_SIMULATEDDEVICES_H
#define TESSERA_TEST_UNIT_SHARDING_SIMULATEDDEVICES_H

#include "tessera/Sharding/Reshard/ReshardPlan.h"

#include <string>
#include <vector>

namespace tessera {

/// The devices of a mesh, each with its part of one tensor of integers. Runs
/// the steps of a plan on the data itself: knows what each collective does, but
/// nothing of shardings, except to set up the source and to judge the result.
class SimulatedDevices {
public:
  /// Every element of the global tensor has a value of its own; pending sums
  /// are made of different contributions. A step may change to `targetMesh`.
  SimulatedDevices(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
                   const TensorSharding &source,
                   const Mesh *targetMesh = nullptr);

  void run(const ReshardStep &step);
  /// What is wrong if the tensor should be sharded like `target`, or an empty
  /// string.
  std::string check(const TensorSharding &target) const;

private:
  struct Block {
    std::vector<int64_t> shape;
    std::vector<int64_t> values;
  };

  void changeMesh(const ReshardStep &step);
  void reassemble(const ReshardStep &step);
  /// Piece `number`, row-major, of a block cut into `counts` pieces.
  static Block piece(Block block, llvm::ArrayRef<int64_t> counts,
                     int64_t number);
  int64_t digit(const AxisRef &axis, int64_t device) const;
  int64_t indexAlong(llvm::ArrayRef<AxisRef> axes, int64_t device) const;
  /// The devices that differ from `device` along `axes` only, by index.
  std::vector<int64_t> group(llvm::ArrayRef<AxisRef> axes,
                             int64_t device) const;
  /// Part `index` of `count` of `block` along dimension `dim`.
  static Block part(const Block &block, int64_t dim, int64_t index,
                    int64_t count);
  /// Writes `block` as part `index` of `count` into `whole`.
  static void setPart(Block &whole, const Block &block, int64_t dim,
                      int64_t index, int64_t count);
  static Block widened(const Block &block, int64_t dim, int64_t count);
  Block ownPart(const TensorSharding &sharding, int64_t device) const;

  const Mesh *mesh, *targetMesh;
  Block global;
  std::vector<Block> blocks;
};

} // namespace tessera

#endif // TESSERA_TEST_UNIT_SHARDING_SIMULATEDDEVICES_H
