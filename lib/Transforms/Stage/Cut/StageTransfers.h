//===- StageTransfers.h - values from one stage to another ----------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_CUT_STAGETRANSFERS_H
#define TESSERA_TRANSFORMS_STAGE_CUT_STAGETRANSFERS_H

#include "Step/StepProgram.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include <map>

namespace tessera::stage {

/// A fragment of `stage` without operations or results at the insertion point.
pipe::FragmentOp createFragment(mlir::OpBuilder &builder, mlir::Location loc,
                                pipe::FragmentKind kind, int64_t stage);

/// The sharding of `value` when it is sent: split in addition over the axes
/// along which devices hold the same. Null where that is its own.
ShardingAttr slicedSharding(mlir::Value value, const Mesh &mesh);

/// Transfers between the fragments of a step that is being taken apart: each
/// value goes once to each stage that needs it. One that is whole on devices
/// along some axes is split over them by its maker before it is sent, and
/// gathered on arrival, so that every byte is sent once.
class StageTransfers {
public:
  /// Operations are made with `builder`, whose insertion point stays.
  StageTransfers(const StepProgram &program, const Mesh &mesh,
                 mlir::OpBuilder &builder)
      : program(program), mesh(mesh), builder(builder) {}

  /// `value`, which stage `source` has, for `fragment` and later ones of its
  /// stage.
  mlir::Value transfer(pipe::FragmentOp fragment, mlir::Value value,
                       int64_t source);
  /// What `fragment` has of `value`, of another stage; null where that is still
  /// to be made for it and for later ones of its stage.
  mlir::Value &arrivalOf(pipe::FragmentOp fragment, mlir::Value value);

  /// By stage, the fragment behind the loop that was made to send, in parts,
  /// what the loop gives.
  const std::map<int64_t, pipe::FragmentOp> &getSenders() const {
    return senders;
  }

private:
  mlir::Value slice(pipe::FragmentOp maker, mlir::Value value,
                    mlir::Location loc);
  pipe::FragmentOp senderOf(mlir::Value value, int64_t source);
  mlir::Location whyTransfer(mlir::Value value, int64_t source, int64_t target,
                             ShardingAttr sent) const;

  const StepProgram &program;
  const Mesh &mesh;
  mlir::OpBuilder &builder;
  std::map<int64_t, pipe::FragmentOp> senders;
  /// What a stage has of values of others, for all of its fragments, and for
  /// what runs after `vocabulary_backward`: the backward pass may not.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> arrived,
      arrivedLate;
  /// What is sent of a value.
  llvm::DenseMap<mlir::Value, mlir::Value> sliced;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_CUT_STAGETRANSFERS_H
