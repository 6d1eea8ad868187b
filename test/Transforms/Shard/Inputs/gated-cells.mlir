"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}], function_type = (tensor<256x768xf32>, tensor<256x768xf32>, tensor<16x64x256xf32>) -> (tensor<256x768xf32>, tensor<256x768xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['hidden']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {jax.result_info = "result[0]['input']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg24: tensor<256x768xf32>, %arg25: tensor<256x768xf32> loc("p['input']"), %arg26: tensor<16x64x256xf32> loc("batch[0]")):
    %78 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %80 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %82 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %86 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %88 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %96 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %100 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %101:15 = "stablehlo.while"(%arg26, %arg25, %arg24, %100, %79, %81, %83, %85, %87, %89, %91, %93, %95, %97, %99) ({
    ^bb0(%arg76: tensor<16x64x256xf32>, %arg77: tensor<256x768xf32> loc("while:"), %arg78: tensor<256x768xf32> loc("while:"), %arg79: tensor<i32> loc("while:"), %arg80: tensor<64x256xf32> loc("while:"), %arg81: tensor<16x64x256xf32> loc("while:"), %arg82: tensor<16x64x256xf32> loc("while:"), %arg83: tensor<16x64x256xf32> loc("while:"), %arg84: tensor<16x64x256xf32> loc("while:"), %arg85: tensor<16x64x256xf32> loc("while:"), %arg86: tensor<16x64x256xf32> loc("while:"), %arg87: tensor<16x64x256xf32> loc("while:"), %arg88: tensor<16x64x256xf32> loc("while:"), %arg89: tensor<16x64x256xf32> loc("while:"), %arg90: tensor<16x64x256xf32> loc("while:")):
      %169 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
      %170 = "stablehlo.compare"(%arg79, %169) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%170) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg61: tensor<16x64x256xf32>, %arg62: tensor<256x768xf32> loc("while:"), %arg63: tensor<256x768xf32> loc("while:"), %arg64: tensor<i32> loc("while:"), %arg65: tensor<64x256xf32> loc("while:"), %arg66: tensor<16x64x256xf32> loc("while:"), %arg67: tensor<16x64x256xf32> loc("while:"), %arg68: tensor<16x64x256xf32> loc("while:"), %arg69: tensor<16x64x256xf32> loc("while:"), %arg70: tensor<16x64x256xf32> loc("while:"), %arg71: tensor<16x64x256xf32> loc("while:"), %arg72: tensor<16x64x256xf32> loc("while:"), %arg73: tensor<16x64x256xf32> loc("while:"), %arg74: tensor<16x64x256xf32> loc("while:"), %arg75: tensor<16x64x256xf32> loc("while:")):
      %155 = "func.call"(%arg61, %arg64) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %156:11 = "func.call"(%arg62, %arg63, %arg65, %155) <{callee = @closed_call}> : (tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>)
      %157 = "func.call"(%arg66, %156#1, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %158 = "func.call"(%arg67, %156#2, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %159 = "func.call"(%arg68, %156#3, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %160 = "func.call"(%arg69, %156#4, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %161 = "func.call"(%arg70, %156#5, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %162 = "func.call"(%arg71, %156#6, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %163 = "func.call"(%arg72, %156#7, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %164 = "func.call"(%arg73, %156#8, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %165 = "func.call"(%arg74, %156#9, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %166 = "func.call"(%arg75, %156#10, %arg64) <{callee = @dynamic_update_index_in_dim}> : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %167 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %168 = "stablehlo.add"(%arg64, %167) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg61, %arg62, %arg63, %168, %156#0, %157, %158, %159, %160, %161, %162, %163, %164, %165, %166) : (tensor<16x64x256xf32>, tensor<256x768xf32>, tensor<256x768xf32>, tensor<i32>, tensor<64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>) -> ()
    }) : (tensor<16x64x256xf32>, tensor<256x768xf32>, tensor<256x768xf32>, tensor<i32>, tensor<64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>) -> (tensor<16x64x256xf32>, tensor<256x768xf32>, tensor<256x768xf32>, tensor<i32>, tensor<64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>)
    %102 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %104 = "stablehlo.subtract"(%101#5, %103) : (tensor<16x64x256xf32>, tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
    %105 = "chlo.square"(%104) : (tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
    %106 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %108 = "stablehlo.multiply"(%107, %104) : (tensor<16x64x256xf32>, tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
    %109 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.reduce"(%105, %109) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32> loc("reduce_sum:")):
      %154 = "stablehlo.add"(%arg59, %arg60) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%154) : (tensor<f32>) -> ()
    }) : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<f32>
    %111 = "stablehlo.constant"() <{value = dense<2.621440e+05> : tensor<f32>}> : () -> tensor<f32>
    %112 = "stablehlo.divide"(%110, %111) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %113 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %114 = "stablehlo.constant"() <{value = dense<2.621440e+05> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.divide"(%113, %114) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x64x256xf32>
    %117 = "stablehlo.multiply"(%116, %108) : (tensor<16x64x256xf32>, tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
    %118 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %120 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x768xf32>
    %122 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x768xf32>
    %124 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %125:16 = "stablehlo.while"(%117, %arg26, %101#6, %101#7, %101#8, %101#9, %101#10, %101#11, %101#12, %101#13, %101#14, %arg24, %124, %121, %123, %119) ({
    ^bb0(%arg43: tensor<16x64x256xf32>, %arg44: tensor<16x64x256xf32> loc("while:"), %arg45: tensor<16x64x256xf32> loc("while:"), %arg46: tensor<16x64x256xf32> loc("while:"), %arg47: tensor<16x64x256xf32> loc("while:"), %arg48: tensor<16x64x256xf32> loc("while:"), %arg49: tensor<16x64x256xf32> loc("while:"), %arg50: tensor<16x64x256xf32> loc("while:"), %arg51: tensor<16x64x256xf32> loc("while:"), %arg52: tensor<16x64x256xf32> loc("while:"), %arg53: tensor<16x64x256xf32> loc("while:"), %arg54: tensor<256x768xf32> loc("while:"), %arg55: tensor<i32> loc("while:"), %arg56: tensor<256x768xf32> loc("while:"), %arg57: tensor<256x768xf32> loc("while:"), %arg58: tensor<64x256xf32> loc("while:")):
      %152 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
      %153 = "stablehlo.compare"(%arg55, %152) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%153) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg27: tensor<16x64x256xf32>, %arg28: tensor<16x64x256xf32> loc("while:"), %arg29: tensor<16x64x256xf32> loc("while:"), %arg30: tensor<16x64x256xf32> loc("while:"), %arg31: tensor<16x64x256xf32> loc("while:"), %arg32: tensor<16x64x256xf32> loc("while:"), %arg33: tensor<16x64x256xf32> loc("while:"), %arg34: tensor<16x64x256xf32> loc("while:"), %arg35: tensor<16x64x256xf32> loc("while:"), %arg36: tensor<16x64x256xf32> loc("while:"), %arg37: tensor<16x64x256xf32> loc("while:"), %arg38: tensor<256x768xf32> loc("while:"), %arg39: tensor<i32> loc("while:"), %arg40: tensor<256x768xf32> loc("while:"), %arg41: tensor<256x768xf32> loc("while:"), %arg42: tensor<64x256xf32> loc("while:")):
      %134 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
      %135 = "stablehlo.subtract"(%134, %arg39) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %136 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %137 = "stablehlo.subtract"(%135, %136) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %138 = "func.call"(%arg27, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %139 = "func.call"(%arg28, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %140 = "func.call"(%arg29, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %141 = "func.call"(%arg30, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %142 = "func.call"(%arg31, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %143 = "func.call"(%arg32, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %144 = "func.call"(%arg33, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %145 = "func.call"(%arg34, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %146 = "func.call"(%arg35, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %147 = "func.call"(%arg36, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %148 = "func.call"(%arg37, %137) <{callee = @dynamic_index_in_dim}> : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %149:3 = "func.call"(%arg38, %arg40, %arg41, %arg42, %138, %139, %140, %141, %142, %143, %144, %145, %146, %147, %148) <{callee = @closed_call_0}> : (tensor<256x768xf32>, tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> (tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>)
      %150 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %151 = "stablehlo.add"(%arg39, %150) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %arg38, %151, %149#0, %149#1, %149#2) : (tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<256x768xf32>, tensor<i32>, tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>) -> ()
    }) : (tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<256x768xf32>, tensor<i32>, tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>) -> (tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<256x768xf32>, tensor<i32>, tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>)
    %126 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x768xf32>
    %128 = "stablehlo.multiply"(%127, %125#14) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    %129 = "stablehlo.subtract"(%arg24, %128) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    %130 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x768xf32>
    %132 = "stablehlo.multiply"(%131, %125#13) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    %133 = "stablehlo.subtract"(%arg25, %132) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    "func.return"(%129, %133, %112) : (tensor<256x768xf32>, tensor<256x768xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg22: tensor<16x64x256xf32>, %arg23: tensor<i32> loc(unknown)):
    %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %75 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %76 = "stablehlo.dynamic_slice"(%arg22, %arg23, %74, %75) <{slice_sizes = array<i64: 1, 64, 256>}> : (tensor<16x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %77 = "stablehlo.reshape"(%76) : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    "func.return"(%77) : (tensor<64x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<256x768xf32>, %arg19: tensor<256x768xf32> loc(unknown), %arg20: tensor<64x256xf32> loc(unknown), %arg21: tensor<64x256xf32> loc(unknown)):
    %28 = "stablehlo.dot_general"(%arg21, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x256xf32>, tensor<256x768xf32>) -> tensor<64x768xf32>
    %29 = "stablehlo.slice"(%28) <{limit_indices = array<i64: 64, 256>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<64x768xf32>) -> tensor<64x256xf32>
    %30 = "stablehlo.slice"(%28) <{limit_indices = array<i64: 64, 512>, start_indices = array<i64: 0, 256>, strides = array<i64: 1, 1>}> : (tensor<64x768xf32>) -> tensor<64x256xf32>
    %31 = "stablehlo.slice"(%28) <{limit_indices = array<i64: 64, 768>, start_indices = array<i64: 0, 512>, strides = array<i64: 1, 1>}> : (tensor<64x768xf32>) -> tensor<64x256xf32>
    %32 = "stablehlo.dot_general"(%arg20, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x256xf32>, tensor<256x768xf32>) -> tensor<64x768xf32>
    %33 = "stablehlo.slice"(%32) <{limit_indices = array<i64: 64, 256>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<64x768xf32>) -> tensor<64x256xf32>
    %34 = "stablehlo.slice"(%32) <{limit_indices = array<i64: 64, 512>, start_indices = array<i64: 0, 256>, strides = array<i64: 1, 1>}> : (tensor<64x768xf32>) -> tensor<64x256xf32>
    %35 = "stablehlo.slice"(%32) <{limit_indices = array<i64: 64, 768>, start_indices = array<i64: 0, 512>, strides = array<i64: 1, 1>}> : (tensor<64x768xf32>) -> tensor<64x256xf32>
    %36 = "stablehlo.add"(%29, %33) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %37 = "stablehlo.negate"(%36) : (tensor<64x256xf32>) -> tensor<64x256xf32>
    %38 = "stablehlo.exponential"(%37) : (tensor<64x256xf32>) -> tensor<64x256xf32>
    %39 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %41 = "stablehlo.add"(%40, %38) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %42 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %44 = "stablehlo.divide"(%43, %41) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %45 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %47 = "stablehlo.subtract"(%46, %44) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %48 = "stablehlo.multiply"(%44, %47) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %49 = "stablehlo.add"(%30, %34) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %50 = "stablehlo.negate"(%49) : (tensor<64x256xf32>) -> tensor<64x256xf32>
    %51 = "stablehlo.exponential"(%50) : (tensor<64x256xf32>) -> tensor<64x256xf32>
    %52 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %54 = "stablehlo.add"(%53, %51) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %55 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %57 = "stablehlo.divide"(%56, %54) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %58 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %60 = "stablehlo.subtract"(%59, %57) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %61 = "stablehlo.multiply"(%57, %60) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %62 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %64 = "stablehlo.subtract"(%63, %57) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %65 = "stablehlo.multiply"(%44, %35) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %66 = "stablehlo.add"(%31, %65) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %67 = "stablehlo.tanh"(%66) : (tensor<64x256xf32>) -> tensor<64x256xf32>
    %68 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x256xf32>
    %70 = "stablehlo.subtract"(%69, %67) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %71 = "stablehlo.multiply"(%64, %67) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %72 = "stablehlo.multiply"(%57, %arg20) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %73 = "stablehlo.add"(%71, %72) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    "func.return"(%73, %73, %arg20, %48, %61, %35, %44, %67, %70, %64, %57) : (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<16x64x256xf32>, %arg16: tensor<64x256xf32> loc(unknown), %arg17: tensor<i32> loc(unknown)):
    %24 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.dynamic_update_slice"(%arg15, %24, %arg17, %25, %26) : (tensor<16x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x256xf32>
    "func.return"(%27) : (tensor<16x64x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<256x768xf32>, tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> (tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<256x768xf32>, %arg1: tensor<256x768xf32> loc(unknown), %arg2: tensor<256x768xf32> loc(unknown), %arg3: tensor<64x256xf32> loc(unknown), %arg4: tensor<64x256xf32> loc(unknown), %arg5: tensor<64x256xf32> loc(unknown), %arg6: tensor<64x256xf32> loc(unknown), %arg7: tensor<64x256xf32> loc(unknown), %arg8: tensor<64x256xf32> loc(unknown), %arg9: tensor<64x256xf32> loc(unknown), %arg10: tensor<64x256xf32> loc(unknown), %arg11: tensor<64x256xf32> loc(unknown), %arg12: tensor<64x256xf32> loc(unknown), %arg13: tensor<64x256xf32> loc(unknown), %arg14: tensor<64x256xf32> loc(unknown)):
    %0 = "stablehlo.add"(%arg3, %arg4) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %1 = "stablehlo.multiply"(%arg14, %0) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %2 = "stablehlo.multiply"(%0, %arg6) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %3 = "stablehlo.multiply"(%arg13, %0) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %4 = "stablehlo.multiply"(%0, %arg11) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %5 = "stablehlo.multiply"(%3, %arg12) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %6 = "stablehlo.multiply"(%5, %arg11) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %7 = "stablehlo.add"(%5, %6) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %8 = "stablehlo.multiply"(%arg10, %7) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %9 = "stablehlo.multiply"(%7, %arg9) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %10 = "stablehlo.negate"(%4) : (tensor<64x256xf32>) -> tensor<64x256xf32>
    %11 = "stablehlo.add"(%2, %10) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %12 = "stablehlo.multiply"(%11, %arg8) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %13 = "stablehlo.multiply"(%9, %arg7) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %14 = "stablehlo.concatenate"(%13, %12, %8) <{dimension = 1 : i64}> : (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x768xf32>
    %15 = "stablehlo.dot_general"(%14, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x768xf32>, tensor<64x256xf32>) -> tensor<768x256xf32>
    %16 = "stablehlo.transpose"(%15) <{permutation = array<i64: 1, 0>}> : (tensor<768x256xf32>) -> tensor<256x768xf32>
    %17 = "stablehlo.add"(%arg2, %16) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    %18 = "stablehlo.dot_general"(%14, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x768xf32>, tensor<256x768xf32>) -> tensor<64x256xf32>
    %19 = "stablehlo.add"(%1, %18) : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    %20 = "stablehlo.concatenate"(%13, %12, %7) <{dimension = 1 : i64}> : (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x768xf32>
    %21 = "stablehlo.dot_general"(%20, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x768xf32>, tensor<64x256xf32>) -> tensor<768x256xf32>
    %22 = "stablehlo.transpose"(%21) <{permutation = array<i64: 1, 0>}> : (tensor<768x256xf32>) -> tensor<256x768xf32>
    %23 = "stablehlo.add"(%arg1, %22) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    "func.return"(%23, %17, %19) : (tensor<256x768xf32>, tensor<256x768xf32>, tensor<64x256xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
