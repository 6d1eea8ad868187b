// Tuning files that are missing or wrong are refused, with the record that is.
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.none" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo '{"records": [{"kernel": "mma", "tile": "64x64x32/2x2/4"}, {"kernel": "mma", "tile": "64x64"}]}' > %t.tile.json
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.tile.json" 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: echo '{"records": [{"kernel": "mma", "tile": "64x64x32/2x2/4", "rows": 3}]}' > %t.field.json
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.field.json" 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: echo '{"records": [{"kernel": "magic", "tile": "1"}]}' > %t.kernel.json
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.kernel.json" 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: echo '{"records": [{"kernel": "cublasLt", "tile": "64x64x32/2x2/4"}]}' > %t.library.json
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.library.json" 2>&1 | FileCheck %s --check-prefix=TILED
// RUN: echo '[]' > %t.list.json
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.list.json" 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: echo '{"records": {"kernel": "mma"}}' > %t.object.json
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.object.json" 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: echo '{"records": [7]}' > %t.number.json
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.number.json" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: echo '{"records": [{"kernel": "mma", "tile": "64x64x32/2x2/4"}, ["mma"]]}' > %t.second.json
// RUN: not tessera-opt %s --tessera-lower-to-gpu="tuning=%t.second.json" 2>&1 | FileCheck %s --check-prefix=SECOND

// NONE: error: expected a tuning file at '{{.*}}.none', got:
// TILE: error: expected record 1 of the tuning file to be as the format says, got tile "64x64"
// FIELD: error: expected record 0 of the tuning file to be as the format says, got an unknown or malformed field "rows"
// KERNEL: error: expected record 0 of the tuning file to be as the format says, got kernel "magic"
// TILED: error: expected record 0 of the tuning file to be as the format says, got tile "64x64x32/2x2/4"
// LIST: error: expected a tuning file to have a list "records"
// OBJECT: error: expected a tuning file to have a list "records"
// NUMBER: error: expected tuning records to be objects
// SECOND: error: expected tuning records to be objects
module {
}
