//===- ReshardSteps.h - The plan that a path stands for -------------------===//
#ifndef TESSERA_SHARDING_RESHARD_RESHARDSTEPS_H
#define TESSERA_SHARDING_RESHARD_RESHARDSTEPS_H

#include "Reshard/ReshardSearch.h"

namespace tessera {

/// The steps of a path through the states of `space`, which was made for
/// `problem` on `meshes`: slices that follow each other become one for each
/// dimension, changes between grids of one mesh none.
ReshardPlan planOf(const ReshardSearch::Path &path, const ReshardSpace &space,
                   const ReshardProblem &problem, const ReshardMeshes &meshes);

} // namespace tessera

#endif // TESSERA_SHARDING_RESHARD_RESHARDSTEPS_H
