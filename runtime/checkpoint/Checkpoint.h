//===- Checkpoint.h - Checkpoints that load under any mesh ----------------===//
//
// The door of this folder. A program that runs jobs makes a JobState of the
// arguments that its steps change, captures it between steps and lets a Writer
// write it; it restores from the latest of Store::list() whose Reader opens and
// reads without a failure.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CHECKPOINT_CHECKPOINT_H
#define TESSERA_RUNTIME_CHECKPOINT_CHECKPOINT_H

#include "checkpoint/Index.h"
#include "checkpoint/JobState.h"
#include "checkpoint/PieceFile.h"
#include "checkpoint/Store.h"
#include "checkpoint/Writer.h"

#endif // TESSERA_RUNTIME_CHECKPOINT_CHECKPOINT_H
