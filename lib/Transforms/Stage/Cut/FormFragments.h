//===- FormFragments.h - operations into fragments of stages --------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_CUT_FORMFRAGMENTS_H
#define TESSERA_TRANSFORMS_STAGE_CUT_FORMFRAGMENTS_H

#include "Cut/StageFlow.h"

namespace tessera::stage {

/// Gives every stage its own accumulator for what it adds to a carried value;
/// what several stages add to (the gradient of a tied parameter) is added up
/// once, after the loop. The assignment must be complete, and knows all
/// operations but those that are copied or prepared afterwards.
void splitSums(StepProgram &program, StageLabels &assignment);

/// Moves the operations of `program`, whose sums have been split, into
/// fragments, and connects these by transfers (StageTransfers):
///
/// - in the loop `forward` of stages 0 .. S-1, then, if there is a backward
///   pass, `input_gradient` of stages S-1 .. 0, one each;
/// - before the loop one `once` per stage that needs something prepared;
/// - after the loop as many `once` per stage as the order of transfers needs.
void formFragments(StepProgram &program, const StageLabels &assignment,
                   const Mesh &mesh);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_CUT_FORMFRAGMENTS_H
