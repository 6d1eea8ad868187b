"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 3 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 4 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 5 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, tf.aliasing_output = 6 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, tf.aliasing_output = 7 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, tf.aliasing_output = 8 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, tf.aliasing_output = 9 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 10 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, tf.aliasing_output = 11 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, tf.aliasing_output = 12 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>, tf.aliasing_output = 13 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>, tf.aliasing_output = 14 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>, tf.aliasing_output = 15 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, tf.aliasing_output = 16 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>, tf.aliasing_output = 17 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"data"}]>, tf.aliasing_output = 18 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>, tf.aliasing_output = 19 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>, tf.aliasing_output = 20 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>, tf.aliasing_output = 21 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}], function_type = (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<4x8x128xi32>, tensor<4x8x128xi32>) -> (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['embed']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['head']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['layers'][0]['ln1']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, {jax.result_info = "result[0]['layers'][0]['ln2']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, {jax.result_info = "result[0]['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {jax.result_info = "result[0]['lnf']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, {jax.result_info = "result[1]['m']['embed']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {jax.result_info = "result[1]['m']['head']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}, {jax.result_info = "result[1]['m']['layers'][0]['ln1']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, {jax.result_info = "result[1]['m']['layers'][0]['ln2']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, {jax.result_info = "result[1]['m']['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"data"}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, {jax.result_info = "result[1]['m']['lnf']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg88: tensor<512x256xf32>, %arg89: tensor<256x512xf32>, %arg90: tensor<1024x256xf32>, %arg91: tensor<256xf32>, %arg92: tensor<256xf32>, %arg93: tensor<256x1024xf32>, %arg94: tensor<256x8x32xf32>, %arg95: tensor<8x32x256xf32>, %arg96: tensor<256x8x32xf32>, %arg97: tensor<256x8x32xf32>, %arg98: tensor<256xf32>, %arg99: tensor<512x256xf32>, %arg100: tensor<256x512xf32>, %arg101: tensor<1024x256xf32>, %arg102: tensor<256xf32>, %arg103: tensor<256xf32>, %arg104: tensor<256x1024xf32>, %arg105: tensor<256x8x32xf32>, %arg106: tensor<8x32x256xf32>, %arg107: tensor<256x8x32xf32>, %arg108: tensor<256x8x32xf32>, %arg109: tensor<256xf32>, %arg110: tensor<4x8x128xi32>, %arg111: tensor<4x8x128xi32>):
    %454 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %455 = "stablehlo.broadcast_in_dim"(%454) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %456 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %457 = "stablehlo.broadcast_in_dim"(%456) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %458 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %459 = "stablehlo.broadcast_in_dim"(%458) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %460 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %461 = "stablehlo.broadcast_in_dim"(%460) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %462 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %463 = "stablehlo.broadcast_in_dim"(%462) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %464 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %465 = "stablehlo.broadcast_in_dim"(%464) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %466 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %467 = "stablehlo.broadcast_in_dim"(%466) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %468 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %469 = "stablehlo.broadcast_in_dim"(%468) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %470 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %471 = "stablehlo.broadcast_in_dim"(%470) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %472 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %473 = "stablehlo.broadcast_in_dim"(%472) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %474 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %475 = "stablehlo.broadcast_in_dim"(%474) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %476 = "sdy.sharding_constraint"(%455) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}> : (tensor<512x256xf32>) -> tensor<512x256xf32>
    %477 = "sdy.sharding_constraint"(%457) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}> : (tensor<256x512xf32>) -> tensor<256x512xf32>
    %478 = "sdy.sharding_constraint"(%459) <{sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}> : (tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %479 = "sdy.sharding_constraint"(%461) <{sharding = #sdy.sharding<@mesh, [{"data"}]>}> : (tensor<256xf32>) -> tensor<256xf32>
    %480 = "sdy.sharding_constraint"(%463) <{sharding = #sdy.sharding<@mesh, [{"data"}]>}> : (tensor<256xf32>) -> tensor<256xf32>
    %481 = "sdy.sharding_constraint"(%465) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}> : (tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %482 = "sdy.sharding_constraint"(%467) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}> : (tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %483 = "sdy.sharding_constraint"(%469) <{sharding = #sdy.sharding<@mesh, [{}, {}, {"data"}]>}> : (tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %484 = "sdy.sharding_constraint"(%471) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}> : (tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %485 = "sdy.sharding_constraint"(%473) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}> : (tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %486 = "sdy.sharding_constraint"(%475) <{sharding = #sdy.sharding<@mesh, [{"data"}]>}> : (tensor<256xf32>) -> tensor<256xf32>
    %487 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %488 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %489:26 = "stablehlo.while"(%arg110, %arg111, %arg88, %arg91, %arg96, %arg94, %arg97, %arg95, %arg92, %arg93, %arg90, %arg98, %arg89, %488, %487, %476, %477, %478, %479, %480, %481, %482, %483, %484, %485, %486) ({
    ^bb0(%arg138: tensor<4x8x128xi32>, %arg139: tensor<4x8x128xi32>, %arg140: tensor<512x256xf32>, %arg141: tensor<256xf32>, %arg142: tensor<256x8x32xf32>, %arg143: tensor<256x8x32xf32>, %arg144: tensor<256x8x32xf32>, %arg145: tensor<8x32x256xf32>, %arg146: tensor<256xf32>, %arg147: tensor<256x1024xf32>, %arg148: tensor<1024x256xf32>, %arg149: tensor<256xf32>, %arg150: tensor<256x512xf32>, %arg151: tensor<i32>, %arg152: tensor<f32>, %arg153: tensor<512x256xf32>, %arg154: tensor<256x512xf32>, %arg155: tensor<1024x256xf32>, %arg156: tensor<256xf32>, %arg157: tensor<256xf32>, %arg158: tensor<256x1024xf32>, %arg159: tensor<256x8x32xf32>, %arg160: tensor<8x32x256xf32>, %arg161: tensor<256x8x32xf32>, %arg162: tensor<256x8x32xf32>, %arg163: tensor<256xf32>):
      %583 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %584 = "stablehlo.compare"(%arg151, %583) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%584) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg112: tensor<4x8x128xi32>, %arg113: tensor<4x8x128xi32>, %arg114: tensor<512x256xf32>, %arg115: tensor<256xf32>, %arg116: tensor<256x8x32xf32>, %arg117: tensor<256x8x32xf32>, %arg118: tensor<256x8x32xf32>, %arg119: tensor<8x32x256xf32>, %arg120: tensor<256xf32>, %arg121: tensor<256x1024xf32>, %arg122: tensor<1024x256xf32>, %arg123: tensor<256xf32>, %arg124: tensor<256x512xf32>, %arg125: tensor<i32>, %arg126: tensor<f32>, %arg127: tensor<512x256xf32>, %arg128: tensor<256x512xf32>, %arg129: tensor<1024x256xf32>, %arg130: tensor<256xf32>, %arg131: tensor<256xf32>, %arg132: tensor<256x1024xf32>, %arg133: tensor<256x8x32xf32>, %arg134: tensor<8x32x256xf32>, %arg135: tensor<256x8x32xf32>, %arg136: tensor<256x8x32xf32>, %arg137: tensor<256xf32>):
      %578 = "func.call"(%arg112, %arg125) <{callee = @dynamic_index_in_dim}> : (tensor<4x8x128xi32>, tensor<i32>) -> tensor<8x128xi32>
      %579 = "func.call"(%arg113, %arg125) <{callee = @dynamic_index_in_dim}> : (tensor<4x8x128xi32>, tensor<i32>) -> tensor<8x128xi32>
      %580:12 = "func.call"(%arg114, %arg115, %arg116, %arg117, %arg118, %arg119, %arg120, %arg121, %arg122, %arg123, %arg124, %arg126, %arg127, %arg128, %arg129, %arg130, %arg131, %arg132, %arg133, %arg134, %arg135, %arg136, %arg137, %578, %579) <{callee = @closed_call}> : (tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<8x128xi32>, tensor<8x128xi32>) -> (tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>)
      %581 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %582 = "stablehlo.add"(%arg125, %581) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg112, %arg113, %arg114, %arg115, %arg116, %arg117, %arg118, %arg119, %arg120, %arg121, %arg122, %arg123, %arg124, %582, %580#0, %580#1, %580#2, %580#3, %580#4, %580#5, %580#6, %580#7, %580#8, %580#9, %580#10, %580#11) : (tensor<4x8x128xi32>, tensor<4x8x128xi32>, tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<i32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>) -> ()
    }) : (tensor<4x8x128xi32>, tensor<4x8x128xi32>, tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<i32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>) -> (tensor<4x8x128xi32>, tensor<4x8x128xi32>, tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<i32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>)
    %490 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %491 = "stablehlo.broadcast_in_dim"(%490) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %492 = "stablehlo.multiply"(%491, %arg99) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %493 = "stablehlo.add"(%492, %489#15) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %494 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %495 = "stablehlo.broadcast_in_dim"(%494) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %496 = "stablehlo.multiply"(%495, %arg100) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %497 = "stablehlo.add"(%496, %489#16) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %498 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %499 = "stablehlo.broadcast_in_dim"(%498) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %500 = "stablehlo.multiply"(%499, %arg101) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %501 = "stablehlo.add"(%500, %489#17) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %502 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %503 = "stablehlo.broadcast_in_dim"(%502) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %504 = "stablehlo.multiply"(%503, %arg102) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %505 = "stablehlo.add"(%504, %489#18) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %506 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %507 = "stablehlo.broadcast_in_dim"(%506) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %508 = "stablehlo.multiply"(%507, %arg103) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %509 = "stablehlo.add"(%508, %489#19) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %510 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %511 = "stablehlo.broadcast_in_dim"(%510) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %512 = "stablehlo.multiply"(%511, %arg104) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %513 = "stablehlo.add"(%512, %489#20) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %514 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %515 = "stablehlo.broadcast_in_dim"(%514) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %516 = "stablehlo.multiply"(%515, %arg105) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %517 = "stablehlo.add"(%516, %489#21) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %518 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %519 = "stablehlo.broadcast_in_dim"(%518) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %520 = "stablehlo.multiply"(%519, %arg106) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %521 = "stablehlo.add"(%520, %489#22) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %522 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %523 = "stablehlo.broadcast_in_dim"(%522) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %524 = "stablehlo.multiply"(%523, %arg107) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %525 = "stablehlo.add"(%524, %489#23) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %526 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %527 = "stablehlo.broadcast_in_dim"(%526) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %528 = "stablehlo.multiply"(%527, %arg108) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %529 = "stablehlo.add"(%528, %489#24) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %530 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %531 = "stablehlo.broadcast_in_dim"(%530) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %532 = "stablehlo.multiply"(%531, %arg109) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %533 = "stablehlo.add"(%532, %489#25) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %534 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %535 = "stablehlo.broadcast_in_dim"(%534) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %536 = "stablehlo.multiply"(%535, %493) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %537 = "stablehlo.subtract"(%arg88, %536) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %538 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %539 = "stablehlo.broadcast_in_dim"(%538) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %540 = "stablehlo.multiply"(%539, %497) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %541 = "stablehlo.subtract"(%arg89, %540) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %542 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %543 = "stablehlo.broadcast_in_dim"(%542) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %544 = "stablehlo.multiply"(%543, %501) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %545 = "stablehlo.subtract"(%arg90, %544) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %546 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %547 = "stablehlo.broadcast_in_dim"(%546) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %548 = "stablehlo.multiply"(%547, %505) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %549 = "stablehlo.subtract"(%arg91, %548) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %550 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %551 = "stablehlo.broadcast_in_dim"(%550) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %552 = "stablehlo.multiply"(%551, %509) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %553 = "stablehlo.subtract"(%arg92, %552) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %554 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %555 = "stablehlo.broadcast_in_dim"(%554) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %556 = "stablehlo.multiply"(%555, %513) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %557 = "stablehlo.subtract"(%arg93, %556) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %558 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %559 = "stablehlo.broadcast_in_dim"(%558) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %560 = "stablehlo.multiply"(%559, %517) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %561 = "stablehlo.subtract"(%arg94, %560) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %562 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %563 = "stablehlo.broadcast_in_dim"(%562) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %564 = "stablehlo.multiply"(%563, %521) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %565 = "stablehlo.subtract"(%arg95, %564) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %566 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %567 = "stablehlo.broadcast_in_dim"(%566) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %568 = "stablehlo.multiply"(%567, %525) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %569 = "stablehlo.subtract"(%arg96, %568) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %570 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %571 = "stablehlo.broadcast_in_dim"(%570) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %572 = "stablehlo.multiply"(%571, %529) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %573 = "stablehlo.subtract"(%arg97, %572) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %574 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %575 = "stablehlo.broadcast_in_dim"(%574) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %576 = "stablehlo.multiply"(%575, %533) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %577 = "stablehlo.subtract"(%arg98, %576) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    "func.return"(%537, %541, %545, %549, %553, %557, %561, %565, %569, %573, %577, %493, %497, %501, %505, %509, %513, %517, %521, %525, %529, %533, %489#14) : (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x8x128xi32>, tensor<i32>) -> tensor<8x128xi32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg86: tensor<4x8x128xi32>, %arg87: tensor<i32>):
    %450 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %451 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %452 = "stablehlo.dynamic_slice"(%arg86, %arg87, %450, %451) <{slice_sizes = array<i64: 1, 8, 128>}> : (tensor<4x8x128xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xi32>
    %453 = "stablehlo.reshape"(%452) : (tensor<1x8x128xi32>) -> tensor<8x128xi32>
    "func.return"(%453) : (tensor<8x128xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<8x128xi32>, tensor<8x128xi32>) -> (tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<512x256xf32>, %arg14: tensor<256xf32>, %arg15: tensor<256x8x32xf32>, %arg16: tensor<256x8x32xf32>, %arg17: tensor<256x8x32xf32>, %arg18: tensor<8x32x256xf32>, %arg19: tensor<256xf32>, %arg20: tensor<256x1024xf32>, %arg21: tensor<1024x256xf32>, %arg22: tensor<256xf32>, %arg23: tensor<256x512xf32>, %arg24: tensor<f32>, %arg25: tensor<512x256xf32>, %arg26: tensor<256x512xf32>, %arg27: tensor<1024x256xf32>, %arg28: tensor<256xf32>, %arg29: tensor<256xf32>, %arg30: tensor<256x1024xf32>, %arg31: tensor<256x8x32xf32>, %arg32: tensor<8x32x256xf32>, %arg33: tensor<256x8x32xf32>, %arg34: tensor<256x8x32xf32>, %arg35: tensor<256xf32>, %arg36: tensor<8x128xi32>, %arg37: tensor<8x128xi32>):
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x128xi32>
    %36 = "stablehlo.compare"(%arg36, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8x128xi32>, tensor<8x128xi32>) -> tensor<8x128xi1>
    %37 = "stablehlo.constant"() <{value = dense<512> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x128xi32>
    %39 = "stablehlo.add"(%arg36, %38) : (tensor<8x128xi32>, tensor<8x128xi32>) -> tensor<8x128xi32>
    %40 = "stablehlo.select"(%36, %39, %arg36) : (tensor<8x128xi1>, tensor<8x128xi32>, tensor<8x128xi32>) -> tensor<8x128xi32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xi32>) -> tensor<8x128x1xi32>
    %42 = "stablehlo.gather"(%arg13, %41) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> : (tensor<512x256xf32>, tensor<8x128x1xi32>) -> tensor<8x128x256xf32>
    %43 = "stablehlo.multiply"(%42, %42) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %44 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.reduce"(%43, %44) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg84: tensor<f32>, %arg85: tensor<f32>):
      %449 = "stablehlo.add"(%arg84, %arg85) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%449) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %47 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %49 = "stablehlo.divide"(%46, %48) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %50 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %52 = "stablehlo.add"(%49, %51) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %53 = "stablehlo.rsqrt"(%52) : (tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %54 = "stablehlo.divide"(%53, %52) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %55 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %57 = "stablehlo.multiply"(%56, %54) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %58 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %59 = "stablehlo.multiply"(%42, %58) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %60 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64: 2>}> : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %62 = "stablehlo.multiply"(%59, %61) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %63 = "stablehlo.dot_general"(%62, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %64 = "stablehlo.dot_general"(%62, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %65 = "stablehlo.dot_general"(%62, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %66 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<8x128x8x32xf32>) -> tensor<8x128x8x1x32xf32>
    %67 = "stablehlo.dot_general"(%64, %66) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<8x128x8x1x32xf32>) -> tensor<8x8x128x128x1xf32>
    %68 = "stablehlo.transpose"(%67) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<8x8x128x128x1xf32>) -> tensor<8x8x1x128x128xf32>
    %69 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8x1x128x128xf32>
    %71 = "stablehlo.multiply"(%68, %70) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %72 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128xi32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xi32>) -> tensor<128x1xi32>
    %74 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 1>}> : (tensor<128xi32>) -> tensor<1x128xi32>
    %75 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xi32>) -> tensor<128x128xi32>
    %76 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %77 = "stablehlo.compare"(%75, %76) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
    %78 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %79:2 = "func.call"(%77, %71, %78) <{callee = @_where}> : (tensor<128x128xi1>, tensor<8x8x1x128x128xf32>, tensor<f32>) -> (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xi1>)
    %80 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.reduce"(%79#0, %80) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg82: tensor<f32>, %arg83: tensor<f32>):
      %448 = "stablehlo.maximum"(%arg82, %arg83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%448) : (tensor<f32>) -> ()
    }) : (tensor<8x8x1x128x128xf32>, tensor<f32>) -> tensor<8x8x1x128xf32>
    %82 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8x1x128xf32>
    %84 = "stablehlo.maximum"(%83, %81) : (tensor<8x8x1x128xf32>, tensor<8x8x1x128xf32>) -> tensor<8x8x1x128xf32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x8x1x128xf32>) -> tensor<8x8x1x128x1xf32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x128xf32>
    %87 = "stablehlo.subtract"(%79#0, %86) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %88 = "stablehlo.exponential"(%87) : (tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %89 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.reduce"(%88, %89) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg80: tensor<f32>, %arg81: tensor<f32>):
      %447 = "stablehlo.add"(%arg80, %arg81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%447) : (tensor<f32>) -> ()
    }) : (tensor<8x8x1x128x128xf32>, tensor<f32>) -> tensor<8x8x1x128xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x8x1x128xf32>) -> tensor<8x8x1x128x1xf32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x128xf32>
    %93 = "stablehlo.divide"(%88, %92) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %94 = "stablehlo.multiply"(%91, %91) : (tensor<8x8x1x128x1xf32>, tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x1xf32>
    %95 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8x1x128x1xf32>
    %97 = "stablehlo.divide"(%96, %94) : (tensor<8x8x1x128x1xf32>, tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x1xf32>
    %98 = "stablehlo.dot_general"(%65, %93) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x32x1x128xf32>
    %99 = "stablehlo.transpose"(%98) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<8x8x32x1x128xf32>) -> tensor<8x128x8x1x32xf32>
    %100 = "stablehlo.reshape"(%99) : (tensor<8x128x8x1x32xf32>) -> tensor<8x128x8x32xf32>
    %101 = "stablehlo.dot_general"(%100, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<8x32x256xf32>) -> tensor<8x128x256xf32>
    %102 = "stablehlo.add"(%42, %101) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %103 = "stablehlo.multiply"(%102, %102) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %104 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.reduce"(%103, %104) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
      %446 = "stablehlo.add"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%446) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %107 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %109 = "stablehlo.divide"(%106, %108) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %110 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %112 = "stablehlo.add"(%109, %111) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %113 = "stablehlo.rsqrt"(%112) : (tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %114 = "stablehlo.divide"(%113, %112) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %115 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %117 = "stablehlo.multiply"(%116, %114) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %118 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %119 = "stablehlo.multiply"(%102, %118) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %120 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 2>}> : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %122 = "stablehlo.multiply"(%119, %121) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %123 = "stablehlo.dot_general"(%122, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<256x1024xf32>) -> tensor<8x128x1024xf32>
    %124 = "stablehlo.multiply"(%123, %123) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %125 = "stablehlo.multiply"(%124, %123) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %126 = "stablehlo.multiply"(%123, %123) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %127 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %129 = "stablehlo.multiply"(%128, %126) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %130 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %132 = "stablehlo.multiply"(%131, %125) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %133 = "stablehlo.add"(%123, %132) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %134 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %136 = "stablehlo.multiply"(%135, %133) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %137 = "stablehlo.tanh"(%136) : (tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %138 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %140 = "stablehlo.subtract"(%139, %137) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %141 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %143 = "stablehlo.add"(%142, %137) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %144 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %145 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %146 = "stablehlo.multiply"(%145, %143) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %147 = "stablehlo.multiply"(%123, %146) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %148 = "stablehlo.dot_general"(%147, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x1024xf32>, tensor<1024x256xf32>) -> tensor<8x128x256xf32>
    %149 = "stablehlo.add"(%102, %148) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %150 = "stablehlo.multiply"(%149, %149) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %151 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %152 = "stablehlo.reduce"(%150, %151) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg76: tensor<f32>, %arg77: tensor<f32>):
      %445 = "stablehlo.add"(%arg76, %arg77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%445) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %154 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %156 = "stablehlo.divide"(%153, %155) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %157 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %158 = "stablehlo.broadcast_in_dim"(%157) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %159 = "stablehlo.add"(%156, %158) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %160 = "stablehlo.rsqrt"(%159) : (tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %161 = "stablehlo.divide"(%160, %159) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %162 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %164 = "stablehlo.multiply"(%163, %161) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %165 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %166 = "stablehlo.multiply"(%149, %165) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %167 = "stablehlo.broadcast_in_dim"(%arg22) <{broadcast_dimensions = array<i64: 2>}> : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %168 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %169 = "stablehlo.multiply"(%166, %168) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %170 = "stablehlo.dot_general"(%169, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<256x512xf32>) -> tensor<8x128x512xf32>
    %171 = "stablehlo.broadcast_in_dim"(%arg37) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xi32>) -> tensor<8x128x1xi32>
    %172:2 = "func.call"(%170, %171) <{callee = @take_along_axis}> : (tensor<8x128x512xf32>, tensor<8x128x1xi32>) -> (tensor<8x128x1xf32>, tensor<8x128x1x1xi32>)
    %173 = "stablehlo.reshape"(%172#0) : (tensor<8x128x1xf32>) -> tensor<8x128xf32>
    %174 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %175 = "stablehlo.reduce"(%170, %174) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg74: tensor<f32>, %arg75: tensor<f32>):
      %444 = "stablehlo.maximum"(%arg74, %arg75) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%444) : (tensor<f32>) -> ()
    }) : (tensor<8x128x512xf32>, tensor<f32>) -> tensor<8x128xf32>
    %176 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128xf32>
    %178 = "stablehlo.maximum"(%177, %175) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    %179 = "stablehlo.is_finite"(%178) : (tensor<8x128xf32>) -> tensor<8x128xi1>
    %180 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %181 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128xf32>
    %182 = "stablehlo.select"(%179, %178, %181) : (tensor<8x128xi1>, tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x128x1xf32>) -> tensor<8x128x512xf32>
    %185 = "stablehlo.subtract"(%170, %184) : (tensor<8x128x512xf32>, tensor<8x128x512xf32>) -> tensor<8x128x512xf32>
    %186 = "stablehlo.exponential"(%185) : (tensor<8x128x512xf32>) -> tensor<8x128x512xf32>
    %187 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %188 = "stablehlo.reduce"(%186, %187) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg72: tensor<f32>, %arg73: tensor<f32>):
      %443 = "stablehlo.add"(%arg72, %arg73) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%443) : (tensor<f32>) -> ()
    }) : (tensor<8x128x512xf32>, tensor<f32>) -> tensor<8x128xf32>
    %189 = "stablehlo.abs"(%188) : (tensor<8x128xf32>) -> tensor<8x128xf32>
    %190 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128xf32>
    %192 = "stablehlo.compare"(%188, %191) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xi1>
    %193 = "stablehlo.log"(%189) : (tensor<8x128xf32>) -> tensor<8x128xf32>
    %194 = "stablehlo.add"(%193, %182) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    %195 = "stablehlo.subtract"(%194, %173) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    %196 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %197 = "stablehlo.reduce"(%195, %196) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg70: tensor<f32>, %arg71: tensor<f32>):
      %442 = "stablehlo.add"(%arg70, %arg71) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%442) : (tensor<f32>) -> ()
    }) : (tensor<8x128xf32>, tensor<f32>) -> tensor<f32>
    %198 = "stablehlo.constant"() <{value = dense<1.024000e+03> : tensor<f32>}> : () -> tensor<f32>
    %199 = "stablehlo.divide"(%197, %198) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %200 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %201 = "stablehlo.constant"() <{value = dense<1.024000e+03> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.divide"(%200, %201) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128xf32>
    %204 = "stablehlo.negate"(%203) : (tensor<8x128xf32>) -> tensor<8x128xf32>
    %205 = "stablehlo.divide"(%203, %189) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    %206 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128xf32>
    %208 = "stablehlo.select"(%192, %207, %205) : (tensor<8x128xi1>, tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    %209 = "stablehlo.select"(%192, %205, %207) : (tensor<8x128xi1>, tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    %210 = "stablehlo.negate"(%208) : (tensor<8x128xf32>) -> tensor<8x128xf32>
    %211 = "stablehlo.add"(%209, %210) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    %212 = "stablehlo.broadcast_in_dim"(%211) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x512xf32>
    %213 = "stablehlo.multiply"(%212, %186) : (tensor<8x128x512xf32>, tensor<8x128x512xf32>) -> tensor<8x128x512xf32>
    %214 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %215 = "func.call"(%172#1, %214) <{callee = @take_along_axis_0}> : (tensor<8x128x1x1xi32>, tensor<8x128x1xf32>) -> tensor<8x128x512xf32>
    %216 = "stablehlo.add"(%213, %215) : (tensor<8x128x512xf32>, tensor<8x128x512xf32>) -> tensor<8x128x512xf32>
    %217 = "stablehlo.dot_general"(%216, %169) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x512xf32>, tensor<8x128x256xf32>) -> tensor<512x256xf32>
    %218 = "stablehlo.transpose"(%217) <{permutation = array<i64: 1, 0>}> : (tensor<512x256xf32>) -> tensor<256x512xf32>
    %219 = "stablehlo.dot_general"(%216, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x512xf32>, tensor<256x512xf32>) -> tensor<8x128x256xf32>
    %220 = "stablehlo.multiply"(%166, %219) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %221 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %222 = "stablehlo.reduce"(%220, %221) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg68: tensor<f32>, %arg69: tensor<f32>):
      %441 = "stablehlo.add"(%arg68, %arg69) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%441) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %223 = "stablehlo.reshape"(%222) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %224 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %225 = "stablehlo.multiply"(%219, %224) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %226 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %227 = "stablehlo.reduce"(%223, %226) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg66: tensor<f32>, %arg67: tensor<f32>):
      %440 = "stablehlo.add"(%arg66, %arg67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%440) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %228 = "stablehlo.multiply"(%149, %225) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %229 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %230 = "stablehlo.reduce"(%228, %229) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
      %439 = "stablehlo.add"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%439) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %231 = "stablehlo.reshape"(%230) : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %232 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %233 = "stablehlo.multiply"(%225, %232) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %234 = "stablehlo.multiply"(%231, %164) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %235 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %236 = "stablehlo.broadcast_in_dim"(%235) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %237 = "stablehlo.divide"(%234, %236) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %238 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %239 = "stablehlo.reduce"(%237, %238) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg62: tensor<f32>, %arg63: tensor<f32>):
      %438 = "stablehlo.add"(%arg62, %arg63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%438) : (tensor<f32>) -> ()
    }) : (tensor<8x128x1xf32>, tensor<f32>) -> tensor<8x128xf32>
    %240 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x256xf32>
    %241 = "stablehlo.multiply"(%149, %240) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %242 = "stablehlo.add"(%233, %241) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %243 = "stablehlo.multiply"(%240, %149) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %244 = "stablehlo.add"(%242, %243) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %245 = "stablehlo.dot_general"(%244, %147) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<8x128x1024xf32>) -> tensor<256x1024xf32>
    %246 = "stablehlo.transpose"(%245) <{permutation = array<i64: 1, 0>}> : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %247 = "stablehlo.dot_general"(%244, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<1024x256xf32>) -> tensor<8x128x1024xf32>
    %248 = "stablehlo.multiply"(%123, %247) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %249 = "stablehlo.multiply"(%247, %146) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %250 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %251 = "stablehlo.broadcast_in_dim"(%250) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %252 = "stablehlo.multiply"(%251, %248) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %253 = "stablehlo.multiply"(%252, %140) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %254 = "stablehlo.multiply"(%253, %137) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %255 = "stablehlo.add"(%253, %254) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %256 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %257 = "stablehlo.broadcast_in_dim"(%256) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %258 = "stablehlo.multiply"(%257, %255) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %259 = "stablehlo.add"(%249, %258) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %260 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %261 = "stablehlo.broadcast_in_dim"(%260) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1024xf32>
    %262 = "stablehlo.multiply"(%261, %258) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %263 = "stablehlo.multiply"(%262, %129) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %264 = "stablehlo.add"(%259, %263) : (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %265 = "stablehlo.dot_general"(%264, %122) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x1024xf32>, tensor<8x128x256xf32>) -> tensor<1024x256xf32>
    %266 = "stablehlo.transpose"(%265) <{permutation = array<i64: 1, 0>}> : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %267 = "stablehlo.dot_general"(%264, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x1024xf32>, tensor<256x1024xf32>) -> tensor<8x128x256xf32>
    %268 = "stablehlo.multiply"(%119, %267) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %269 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %270 = "stablehlo.reduce"(%268, %269) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg60: tensor<f32>, %arg61: tensor<f32>):
      %437 = "stablehlo.add"(%arg60, %arg61) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%437) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %271 = "stablehlo.reshape"(%270) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %272 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %273 = "stablehlo.multiply"(%267, %272) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %274 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %275 = "stablehlo.reduce"(%271, %274) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg58: tensor<f32>, %arg59: tensor<f32>):
      %436 = "stablehlo.add"(%arg58, %arg59) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%436) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %276 = "stablehlo.multiply"(%102, %273) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %277 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %278 = "stablehlo.reduce"(%276, %277) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
      %435 = "stablehlo.add"(%arg56, %arg57) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%435) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %279 = "stablehlo.reshape"(%278) : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %280 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %281 = "stablehlo.multiply"(%273, %280) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %282 = "stablehlo.add"(%244, %281) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %283 = "stablehlo.multiply"(%279, %117) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %284 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %285 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %286 = "stablehlo.divide"(%283, %285) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %287 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %288 = "stablehlo.reduce"(%286, %287) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg54: tensor<f32>, %arg55: tensor<f32>):
      %434 = "stablehlo.add"(%arg54, %arg55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) : (tensor<8x128x1xf32>, tensor<f32>) -> tensor<8x128xf32>
    %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x256xf32>
    %290 = "stablehlo.multiply"(%102, %289) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %291 = "stablehlo.add"(%282, %290) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %292 = "stablehlo.multiply"(%289, %102) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %293 = "stablehlo.add"(%291, %292) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %294 = "stablehlo.dot_general"(%293, %100) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<8x128x8x32xf32>) -> tensor<256x8x32xf32>
    %295 = "stablehlo.transpose"(%294) <{permutation = array<i64: 1, 2, 0>}> : (tensor<256x8x32xf32>) -> tensor<8x32x256xf32>
    %296 = "stablehlo.dot_general"(%293, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x256xf32>, tensor<8x32x256xf32>) -> tensor<8x128x8x32xf32>
    %297 = "stablehlo.reshape"(%296) : (tensor<8x128x8x32xf32>) -> tensor<8x128x8x1x32xf32>
    %298 = "stablehlo.transpose"(%297) <{permutation = array<i64: 0, 2, 4, 3, 1>}> : (tensor<8x128x8x1x32xf32>) -> tensor<8x8x32x1x128xf32>
    %299 = "stablehlo.dot_general"(%298, %65) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8x32x1x128xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x1x128x128xf32>
    %300 = "stablehlo.dot_general"(%298, %93) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8x32x1x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x32x128xf32>
    %301 = "stablehlo.transpose"(%300) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<8x8x32x128xf32>) -> tensor<8x128x8x32xf32>
    %302 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x128xf32>
    %303 = "stablehlo.multiply"(%299, %302) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %304 = "stablehlo.multiply"(%303, %88) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %305 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %306 = "stablehlo.reduce"(%304, %305) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg52: tensor<f32>, %arg53: tensor<f32>):
      %433 = "stablehlo.add"(%arg52, %arg53) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%433) : (tensor<f32>) -> ()
    }) : (tensor<8x8x1x128x128xf32>, tensor<f32>) -> tensor<8x8x1x128xf32>
    %307 = "stablehlo.reshape"(%306) : (tensor<8x8x1x128xf32>) -> tensor<8x8x1x128x1xf32>
    %308 = "stablehlo.negate"(%307) : (tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x1xf32>
    %309 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x128xf32>
    %310 = "stablehlo.divide"(%299, %309) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %311 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %312 = "stablehlo.reduce"(%308, %311) <{dimensions = array<i64: 2, 4>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %432 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%432) : (tensor<f32>) -> ()
    }) : (tensor<8x8x1x128x1xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %313 = "stablehlo.broadcast_in_dim"(%312) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<8x8x128xf32>) -> tensor<8x8x1x128xf32>
    %314 = "stablehlo.broadcast_in_dim"(%313) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x8x1x128xf32>) -> tensor<8x8x1x128x128xf32>
    %315 = "stablehlo.add"(%310, %314) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %316 = "stablehlo.multiply"(%315, %88) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %317 = "func.call"(%79#1, %316) <{callee = @_where_1}> : (tensor<8x8x1x128x128xi1>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %318 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %319 = "stablehlo.broadcast_in_dim"(%318) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8x1x128x128xf32>
    %320 = "stablehlo.multiply"(%317, %319) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %321 = "stablehlo.transpose"(%320) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<8x8x1x128x128xf32>) -> tensor<8x8x128x128x1xf32>
    %322 = "stablehlo.dot_general"(%321, %64) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8x128x128x1xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x1x32xf32>
    %323 = "stablehlo.transpose"(%322) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<8x8x128x1x32xf32>) -> tensor<8x128x8x1x32xf32>
    %324 = "stablehlo.dot_general"(%321, %66) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8x128x128x1xf32>, tensor<8x128x8x1x32xf32>) -> tensor<8x8x128x32xf32>
    %325 = "stablehlo.transpose"(%324) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<8x8x128x32xf32>) -> tensor<8x128x8x32xf32>
    %326 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %327 = "stablehlo.reduce"(%323, %326) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
      %431 = "stablehlo.add"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%431) : (tensor<f32>) -> ()
    }) : (tensor<8x128x8x1x32xf32>, tensor<f32>) -> tensor<8x128x8x32xf32>
    %328 = "stablehlo.dot_general"(%301, %62) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %329 = "stablehlo.transpose"(%328) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %330 = "stablehlo.dot_general"(%301, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %331 = "stablehlo.dot_general"(%325, %62) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %332 = "stablehlo.transpose"(%331) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %333 = "stablehlo.dot_general"(%325, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %334 = "stablehlo.add"(%330, %333) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %335 = "stablehlo.dot_general"(%327, %62) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %336 = "stablehlo.transpose"(%335) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %337 = "stablehlo.dot_general"(%327, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %338 = "stablehlo.add"(%334, %337) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %339 = "stablehlo.multiply"(%59, %338) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %340 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %341 = "stablehlo.reduce"(%339, %340) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %430 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%430) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %342 = "stablehlo.reshape"(%341) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %343 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %344 = "stablehlo.multiply"(%338, %343) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %345 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %346 = "stablehlo.reduce"(%342, %345) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %429 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%429) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %347 = "stablehlo.multiply"(%42, %344) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %348 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %349 = "stablehlo.reduce"(%347, %348) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %428 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%428) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %350 = "stablehlo.reshape"(%349) : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %351 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %352 = "stablehlo.multiply"(%344, %351) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %353 = "stablehlo.add"(%293, %352) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %354 = "stablehlo.multiply"(%350, %57) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %355 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %356 = "stablehlo.broadcast_in_dim"(%355) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %357 = "stablehlo.divide"(%354, %356) : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %358 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %359 = "stablehlo.reduce"(%357, %358) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %427 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%427) : (tensor<f32>) -> ()
    }) : (tensor<8x128x1xf32>, tensor<f32>) -> tensor<8x128xf32>
    %360 = "stablehlo.broadcast_in_dim"(%359) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x128xf32>) -> tensor<8x128x256xf32>
    %361 = "stablehlo.multiply"(%42, %360) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %362 = "stablehlo.add"(%353, %361) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %363 = "stablehlo.multiply"(%360, %42) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %364 = "stablehlo.add"(%362, %363) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %365 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %366 = "stablehlo.broadcast_in_dim"(%365) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %367 = "stablehlo.scatter"(%366, %41, %364) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %426 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%426) : (tensor<f32>) -> ()
    }) : (tensor<512x256xf32>, tensor<8x128x1xi32>, tensor<8x128x256xf32>) -> tensor<512x256xf32>
    %368 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %369 = "stablehlo.divide"(%199, %368) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %370 = "stablehlo.add"(%arg24, %369) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %371 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %372 = "stablehlo.broadcast_in_dim"(%371) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %373 = "stablehlo.divide"(%367, %372) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %374 = "stablehlo.add"(%arg25, %373) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %375 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %376 = "stablehlo.broadcast_in_dim"(%375) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %377 = "stablehlo.divide"(%218, %376) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %378 = "stablehlo.add"(%arg26, %377) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %379 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %380 = "stablehlo.broadcast_in_dim"(%379) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %381 = "stablehlo.divide"(%246, %380) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %382 = "stablehlo.add"(%arg27, %381) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %383 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %384 = "stablehlo.broadcast_in_dim"(%383) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %385 = "stablehlo.divide"(%346, %384) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %386 = "stablehlo.add"(%arg28, %385) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %387 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %388 = "stablehlo.broadcast_in_dim"(%387) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %389 = "stablehlo.divide"(%275, %388) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %390 = "stablehlo.add"(%arg29, %389) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %391 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %392 = "stablehlo.broadcast_in_dim"(%391) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %393 = "stablehlo.divide"(%266, %392) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %394 = "stablehlo.add"(%arg30, %393) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %395 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %396 = "stablehlo.broadcast_in_dim"(%395) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %397 = "stablehlo.divide"(%332, %396) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %398 = "stablehlo.add"(%arg31, %397) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %399 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %400 = "stablehlo.broadcast_in_dim"(%399) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %401 = "stablehlo.divide"(%295, %400) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %402 = "stablehlo.add"(%arg32, %401) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %403 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %404 = "stablehlo.broadcast_in_dim"(%403) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %405 = "stablehlo.divide"(%336, %404) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %406 = "stablehlo.add"(%arg33, %405) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %407 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %408 = "stablehlo.broadcast_in_dim"(%407) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %409 = "stablehlo.divide"(%329, %408) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %410 = "stablehlo.add"(%arg34, %409) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %411 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %412 = "stablehlo.broadcast_in_dim"(%411) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %413 = "stablehlo.divide"(%227, %412) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %414 = "stablehlo.add"(%arg35, %413) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %415 = "sdy.sharding_constraint"(%374) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}> : (tensor<512x256xf32>) -> tensor<512x256xf32>
    %416 = "sdy.sharding_constraint"(%378) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}> : (tensor<256x512xf32>) -> tensor<256x512xf32>
    %417 = "sdy.sharding_constraint"(%382) <{sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}> : (tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %418 = "sdy.sharding_constraint"(%386) <{sharding = #sdy.sharding<@mesh, [{"data"}]>}> : (tensor<256xf32>) -> tensor<256xf32>
    %419 = "sdy.sharding_constraint"(%390) <{sharding = #sdy.sharding<@mesh, [{"data"}]>}> : (tensor<256xf32>) -> tensor<256xf32>
    %420 = "sdy.sharding_constraint"(%394) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}> : (tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %421 = "sdy.sharding_constraint"(%398) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}> : (tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %422 = "sdy.sharding_constraint"(%402) <{sharding = #sdy.sharding<@mesh, [{}, {}, {"data"}]>}> : (tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %423 = "sdy.sharding_constraint"(%406) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}> : (tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %424 = "sdy.sharding_constraint"(%410) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}> : (tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %425 = "sdy.sharding_constraint"(%414) <{sharding = #sdy.sharding<@mesh, [{"data"}]>}> : (tensor<256xf32>) -> tensor<256xf32>
    "func.return"(%370, %415, %416, %417, %418, %419, %420, %421, %422, %423, %424, %425) : (tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<128x128xi1>, tensor<8x8x1x128x128xf32>, tensor<f32>) -> (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<128x128xi1>, %arg11: tensor<8x8x1x128x128xf32>, %arg12: tensor<f32>):
    %30 = "stablehlo.convert"(%arg12) : (tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 3, 4>}> : (tensor<128x128xi1>) -> tensor<8x8x1x128x128xi1>
    %32 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8x1x128x128xf32>
    %33 = "stablehlo.select"(%31, %arg11, %32) : (tensor<8x8x1x128x128xi1>, tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    "func.return"(%33, %31) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x128x512xf32>, tensor<8x128x1xi32>) -> (tensor<8x128x1xf32>, tensor<8x128x1x1xi32>), res_attrs = [{}, {}], sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<8x128x512xf32>, %arg7: tensor<8x128x1xi32>):
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x128x1xi32>
    %9 = "stablehlo.compare"(%arg7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8x128x1xi32>, tensor<8x128x1xi32>) -> tensor<8x128x1xi1>
    %10 = "stablehlo.constant"() <{value = dense<512> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x128x1xi32>
    %12 = "stablehlo.add"(%arg7, %11) : (tensor<8x128x1xi32>, tensor<8x128x1xi32>) -> tensor<8x128x1xi32>
    %13 = "stablehlo.select"(%9, %12, %arg7) : (tensor<8x128x1xi1>, tensor<8x128x1xi32>, tensor<8x128x1xi32>) -> tensor<8x128x1xi32>
    %14 = "stablehlo.reshape"(%13) : (tensor<8x128x1xi32>) -> tensor<8x128x1x1xi32>
    %15 = "stablehlo.constant"() <{value = dense<511> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x128x1x1xi32>
    %18 = "stablehlo.compare"(%14, %17) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x128x1x1xi32>, tensor<8x128x1x1xi32>) -> tensor<8x128x1x1xi1>
    %19 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 3>}> : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x1xi32>) -> tensor<8x128x1x1xi32>
    %21 = "stablehlo.compare"(%14, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<8x128x1x1xi32>, tensor<8x128x1x1xi32>) -> tensor<8x128x1x1xi1>
    %22 = "stablehlo.and"(%18, %21) : (tensor<8x128x1x1xi1>, tensor<8x128x1x1xi1>) -> tensor<8x128x1x1xi1>
    %23 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %24 = "stablehlo.reduce"(%22, %23) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<i1>, %arg9: tensor<i1>):
      %29 = "stablehlo.and"(%arg8, %arg9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%29) : (tensor<i1>) -> ()
    }) : (tensor<8x128x1x1xi1>, tensor<i1>) -> tensor<8x128x1xi1>
    %25 = "stablehlo.gather"(%arg6, %14) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x128x512xf32>, tensor<8x128x1x1xi32>) -> tensor<8x128x1xf32>
    %26 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x1xf32>
    %28 = "stablehlo.select"(%24, %25, %27) : (tensor<8x128x1xi1>, tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    "func.return"(%28, %14) : (tensor<8x128x1xf32>, tensor<8x128x1x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x128x1x1xi32>, tensor<8x128x1xf32>) -> tensor<8x128x512xf32>, res_attrs = [{}], sym_name = "take_along_axis_0", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<8x128x1x1xi32>, %arg3: tensor<8x128x1xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x512xf32>
    %5 = "stablehlo.scatter"(%4, %arg2, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %6 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<8x128x512xf32>, tensor<8x128x1x1xi32>, tensor<8x128x1xf32>) -> tensor<8x128x512xf32>
    "func.return"(%5) : (tensor<8x128x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x8x1x128x128xi1>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x8x1x128x128xi1>, %arg1: tensor<8x8x1x128x128xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8x1x128x128xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<8x8x1x128x128xi1>, tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    "func.return"(%2) : (tensor<8x8x1x128x128xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
