// What is spread over the threads of a GPU gives what the CPU does: a row over several blocks, a softmax of odd rows, columns in parts, an element
// behind the last vector, a transpose in tiles with ragged edges, and equal places in a scatter.
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=1 --outputs=%t.safetensors
// RUN: tesserac %s --target=cuda -o %t.tsx
// RUN: tessera-run %t.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=1e-5
func.func @main(%long: tensor<120000xf32> {tessera.name = "long"}, %rows: tensor<9x333xf32> {tessera.name = "rows"}, %tall: tensor<5000x20xf32> {tessera.name = "tall"},
                %table: tensor<40x24xf32> {tessera.name = "table"}, %updates: tensor<300x24xf32> {tessera.name = "updates"})
    -> (tensor<f32> {tessera.name = "result[0]"}, tensor<9x333xf32> {tessera.name = "result[1]"}, tensor<20xf32> {tessera.name = "result[2]"},
        tensor<333x9xf32> {tessera.name = "result[3]"}, tensor<20x5000xf32> {tessera.name = "result[4]"}, tensor<40x24xf32> {tessera.name = "result[5]"},
        tensor<9x333xf32> {tessera.name = "result[6]"}) {
  %squares = arith.mulf %long, %long : tensor<120000xf32>
  %0 = tessera.reduce sum %squares dims = [0] : tensor<120000xf32> -> tensor<f32>
  %most = tessera.reduce max %rows dims = [1] : tensor<9x333xf32> -> tensor<9xf32>
  %1 = tessera.broadcast %most dims = [0] : tensor<9xf32> -> tensor<9x333xf32>
  %2 = arith.subf %rows, %1 : tensor<9x333xf32>
  %3 = math.exp %2 : tensor<9x333xf32>
  %sum = tessera.reduce sum %3 dims = [1] : tensor<9x333xf32> -> tensor<9xf32>
  %4 = tessera.broadcast %sum dims = [0] : tensor<9xf32> -> tensor<9x333xf32>
  %5 = arith.divf %3, %4 : tensor<9x333xf32>
  %6 = tessera.reduce sum %tall dims = [0] : tensor<5000x20xf32> -> tensor<20xf32>
  %7 = tessera.transpose %rows permutation = [1, 0] : tensor<9x333xf32> -> tensor<333x9xf32>
  %8 = tessera.transpose %tall permutation = [1, 0] : tensor<5000x20xf32> -> tensor<20x5000xf32>
  %iota = tessera.iota dim = 0 : tensor<300x1xi32>
  %half = arith.constant dense<8> : tensor<300x1xi32>
  %places = arith.divsi %iota, %half : tensor<300x1xi32>
  %9 = tessera.scatter sum %table, %updates at %places window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1
    : (tensor<40x24xf32>, tensor<300x1xi32>, tensor<300x24xf32>) -> tensor<40x24xf32>
  %10 = arith.addf %rows, %rows : tensor<9x333xf32>
  return %0, %5, %6, %7, %8, %9, %10 : tensor<f32>, tensor<9x333xf32>, tensor<20xf32>, tensor<333x9xf32>, tensor<20x5000xf32>, tensor<40x24xf32>, tensor<9x333xf32>
}
