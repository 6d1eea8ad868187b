"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}, {tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 2 : i32}, {tf.aliasing_output = 3 : i32}, {tf.aliasing_output = 4 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 5 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 6 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>, tf.aliasing_output = 7 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 8 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 9 : i32}, {tf.aliasing_output = 10 : i32}, {tf.aliasing_output = 11 : i32}, {tf.aliasing_output = 12 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 13 : i32}, {tf.aliasing_output = 14 : i32}, {tf.aliasing_output = 15 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 16 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 17 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>, tf.aliasing_output = 18 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 19 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 20 : i32}, {tf.aliasing_output = 21 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}], function_type = (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<4x8x128xi32>, tensor<4x8x128xi32>) -> (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['embed']"}, {jax.result_info = "result[0]['head']"}, {jax.result_info = "result[0]['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[0]['layers'][0]['ln1']"}, {jax.result_info = "result[0]['layers'][0]['ln2']"}, {jax.result_info = "result[0]['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[0]['layers'][0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[0]['lnf']"}, {jax.result_info = "result[1]['m']['embed']"}, {jax.result_info = "result[1]['m']['head']"}, {jax.result_info = "result[1]['m']['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['ln1']"}, {jax.result_info = "result[1]['m']['layers'][0]['ln2']"}, {jax.result_info = "result[1]['m']['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[1]['m']['lnf']"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg88: tensor<512x256xf32>, %arg89: tensor<256x512xf32>, %arg90: tensor<1024x256xf32>, %arg91: tensor<256xf32>, %arg92: tensor<256xf32>, %arg93: tensor<256x1024xf32>, %arg94: tensor<256x8x32xf32>, %arg95: tensor<8x32x256xf32>, %arg96: tensor<256x8x32xf32>, %arg97: tensor<256x8x32xf32>, %arg98: tensor<256xf32>, %arg99: tensor<512x256xf32>, %arg100: tensor<256x512xf32>, %arg101: tensor<1024x256xf32>, %arg102: tensor<256xf32>, %arg103: tensor<256xf32>, %arg104: tensor<256x1024xf32>, %arg105: tensor<256x8x32xf32>, %arg106: tensor<8x32x256xf32>, %arg107: tensor<256x8x32xf32>, %arg108: tensor<256x8x32xf32>, %arg109: tensor<256xf32>, %arg110: tensor<4x8x128xi32>, %arg111: tensor<4x8x128xi32>):
    %408 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %409 = "stablehlo.broadcast_in_dim"(%408) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %410 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %411 = "stablehlo.broadcast_in_dim"(%410) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %412 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %413 = "stablehlo.broadcast_in_dim"(%412) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %414 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %415 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %416 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %417 = "stablehlo.broadcast_in_dim"(%416) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %418 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %419 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %420 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %421 = "stablehlo.broadcast_in_dim"(%420) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %422 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %423 = "stablehlo.broadcast_in_dim"(%422) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %424 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %425 = "stablehlo.broadcast_in_dim"(%424) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %426 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %427 = "stablehlo.broadcast_in_dim"(%426) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %428 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %429 = "stablehlo.broadcast_in_dim"(%428) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %430 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %431 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %432:26 = "stablehlo.while"(%arg110, %arg111, %arg88, %arg91, %arg96, %arg94, %arg97, %arg95, %arg92, %arg93, %arg90, %arg98, %arg89, %431, %430, %409, %411, %413, %415, %417, %419, %421, %423, %425, %427, %429) ({
    ^bb0(%arg138: tensor<4x8x128xi32>, %arg139: tensor<4x8x128xi32>, %arg140: tensor<512x256xf32>, %arg141: tensor<256xf32>, %arg142: tensor<256x8x32xf32>, %arg143: tensor<256x8x32xf32>, %arg144: tensor<256x8x32xf32>, %arg145: tensor<8x32x256xf32>, %arg146: tensor<256xf32>, %arg147: tensor<256x1024xf32>, %arg148: tensor<1024x256xf32>, %arg149: tensor<256xf32>, %arg150: tensor<256x512xf32>, %arg151: tensor<i32>, %arg152: tensor<f32>, %arg153: tensor<512x256xf32>, %arg154: tensor<256x512xf32>, %arg155: tensor<1024x256xf32>, %arg156: tensor<256xf32>, %arg157: tensor<256xf32>, %arg158: tensor<256x1024xf32>, %arg159: tensor<256x8x32xf32>, %arg160: tensor<8x32x256xf32>, %arg161: tensor<256x8x32xf32>, %arg162: tensor<256x8x32xf32>, %arg163: tensor<256xf32>):
      %561 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %562 = "stablehlo.compare"(%arg151, %561) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%562) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg112: tensor<4x8x128xi32>, %arg113: tensor<4x8x128xi32>, %arg114: tensor<512x256xf32>, %arg115: tensor<256xf32>, %arg116: tensor<256x8x32xf32>, %arg117: tensor<256x8x32xf32>, %arg118: tensor<256x8x32xf32>, %arg119: tensor<8x32x256xf32>, %arg120: tensor<256xf32>, %arg121: tensor<256x1024xf32>, %arg122: tensor<1024x256xf32>, %arg123: tensor<256xf32>, %arg124: tensor<256x512xf32>, %arg125: tensor<i32>, %arg126: tensor<f32>, %arg127: tensor<512x256xf32>, %arg128: tensor<256x512xf32>, %arg129: tensor<1024x256xf32>, %arg130: tensor<256xf32>, %arg131: tensor<256xf32>, %arg132: tensor<256x1024xf32>, %arg133: tensor<256x8x32xf32>, %arg134: tensor<8x32x256xf32>, %arg135: tensor<256x8x32xf32>, %arg136: tensor<256x8x32xf32>, %arg137: tensor<256xf32>):
      %556 = "func.call"(%arg112, %arg125) <{callee = @dynamic_index_in_dim}> : (tensor<4x8x128xi32>, tensor<i32>) -> tensor<8x128xi32>
      %557 = "func.call"(%arg113, %arg125) <{callee = @dynamic_index_in_dim}> : (tensor<4x8x128xi32>, tensor<i32>) -> tensor<8x128xi32>
      %558:12 = "func.call"(%arg114, %arg115, %arg116, %arg117, %arg118, %arg119, %arg120, %arg121, %arg122, %arg123, %arg124, %arg126, %arg127, %arg128, %arg129, %arg130, %arg131, %arg132, %arg133, %arg134, %arg135, %arg136, %arg137, %556, %557) <{callee = @closed_call}> : (tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<8x128xi32>, tensor<8x128xi32>) -> (tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>)
      %559 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %560 = "stablehlo.add"(%arg125, %559) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg112, %arg113, %arg114, %arg115, %arg116, %arg117, %arg118, %arg119, %arg120, %arg121, %arg122, %arg123, %arg124, %560, %558#0, %558#1, %558#2, %558#3, %558#4, %558#5, %558#6, %558#7, %558#8, %558#9, %558#10, %558#11) : (tensor<4x8x128xi32>, tensor<4x8x128xi32>, tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<i32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>) -> ()
    }) : (tensor<4x8x128xi32>, tensor<4x8x128xi32>, tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<i32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>) -> (tensor<4x8x128xi32>, tensor<4x8x128xi32>, tensor<512x256xf32>, tensor<256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256x512xf32>, tensor<i32>, tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>)
    %433 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %434 = "stablehlo.divide"(%432#14, %433) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %435 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %436 = "stablehlo.broadcast_in_dim"(%435) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %437 = "stablehlo.divide"(%432#15, %436) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %438 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %439 = "stablehlo.broadcast_in_dim"(%438) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %440 = "stablehlo.divide"(%432#16, %439) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %441 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %442 = "stablehlo.broadcast_in_dim"(%441) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %443 = "stablehlo.divide"(%432#17, %442) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %444 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %445 = "stablehlo.broadcast_in_dim"(%444) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %446 = "stablehlo.divide"(%432#18, %445) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %447 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %448 = "stablehlo.broadcast_in_dim"(%447) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %449 = "stablehlo.divide"(%432#19, %448) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %450 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %451 = "stablehlo.broadcast_in_dim"(%450) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %452 = "stablehlo.divide"(%432#20, %451) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %453 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %454 = "stablehlo.broadcast_in_dim"(%453) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %455 = "stablehlo.divide"(%432#21, %454) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %456 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %457 = "stablehlo.broadcast_in_dim"(%456) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %458 = "stablehlo.divide"(%432#22, %457) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %459 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %460 = "stablehlo.broadcast_in_dim"(%459) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %461 = "stablehlo.divide"(%432#23, %460) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %462 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %463 = "stablehlo.broadcast_in_dim"(%462) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %464 = "stablehlo.divide"(%432#24, %463) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %465 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %466 = "stablehlo.broadcast_in_dim"(%465) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %467 = "stablehlo.divide"(%432#25, %466) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %468 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %469 = "stablehlo.broadcast_in_dim"(%468) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %470 = "stablehlo.multiply"(%469, %arg99) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %471 = "stablehlo.add"(%470, %437) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %472 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %473 = "stablehlo.broadcast_in_dim"(%472) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %474 = "stablehlo.multiply"(%473, %arg100) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %475 = "stablehlo.add"(%474, %440) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %476 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %477 = "stablehlo.broadcast_in_dim"(%476) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %478 = "stablehlo.multiply"(%477, %arg101) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %479 = "stablehlo.add"(%478, %443) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %480 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %481 = "stablehlo.broadcast_in_dim"(%480) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %482 = "stablehlo.multiply"(%481, %arg102) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %483 = "stablehlo.add"(%482, %446) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %484 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %485 = "stablehlo.broadcast_in_dim"(%484) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %486 = "stablehlo.multiply"(%485, %arg103) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %487 = "stablehlo.add"(%486, %449) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %488 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %489 = "stablehlo.broadcast_in_dim"(%488) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %490 = "stablehlo.multiply"(%489, %arg104) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %491 = "stablehlo.add"(%490, %452) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %492 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %493 = "stablehlo.broadcast_in_dim"(%492) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %494 = "stablehlo.multiply"(%493, %arg105) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %495 = "stablehlo.add"(%494, %455) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %496 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %497 = "stablehlo.broadcast_in_dim"(%496) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %498 = "stablehlo.multiply"(%497, %arg106) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %499 = "stablehlo.add"(%498, %458) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %500 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %501 = "stablehlo.broadcast_in_dim"(%500) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %502 = "stablehlo.multiply"(%501, %arg107) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %503 = "stablehlo.add"(%502, %461) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %504 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %505 = "stablehlo.broadcast_in_dim"(%504) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %506 = "stablehlo.multiply"(%505, %arg108) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %507 = "stablehlo.add"(%506, %464) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %508 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %509 = "stablehlo.broadcast_in_dim"(%508) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %510 = "stablehlo.multiply"(%509, %arg109) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %511 = "stablehlo.add"(%510, %467) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %512 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %513 = "stablehlo.broadcast_in_dim"(%512) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %514 = "stablehlo.multiply"(%513, %471) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %515 = "stablehlo.subtract"(%arg88, %514) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %516 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %517 = "stablehlo.broadcast_in_dim"(%516) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %518 = "stablehlo.multiply"(%517, %475) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %519 = "stablehlo.subtract"(%arg89, %518) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %520 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %521 = "stablehlo.broadcast_in_dim"(%520) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %522 = "stablehlo.multiply"(%521, %479) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %523 = "stablehlo.subtract"(%arg90, %522) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %524 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %525 = "stablehlo.broadcast_in_dim"(%524) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %526 = "stablehlo.multiply"(%525, %483) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %527 = "stablehlo.subtract"(%arg91, %526) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %528 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %529 = "stablehlo.broadcast_in_dim"(%528) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %530 = "stablehlo.multiply"(%529, %487) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %531 = "stablehlo.subtract"(%arg92, %530) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %532 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %533 = "stablehlo.broadcast_in_dim"(%532) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %534 = "stablehlo.multiply"(%533, %491) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %535 = "stablehlo.subtract"(%arg93, %534) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %536 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %537 = "stablehlo.broadcast_in_dim"(%536) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %538 = "stablehlo.multiply"(%537, %495) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %539 = "stablehlo.subtract"(%arg94, %538) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %540 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %541 = "stablehlo.broadcast_in_dim"(%540) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %542 = "stablehlo.multiply"(%541, %499) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %543 = "stablehlo.subtract"(%arg95, %542) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %544 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %545 = "stablehlo.broadcast_in_dim"(%544) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %546 = "stablehlo.multiply"(%545, %503) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %547 = "stablehlo.subtract"(%arg96, %546) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %548 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %549 = "stablehlo.broadcast_in_dim"(%548) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %550 = "stablehlo.multiply"(%549, %507) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %551 = "stablehlo.subtract"(%arg97, %550) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %552 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %553 = "stablehlo.broadcast_in_dim"(%552) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %554 = "stablehlo.multiply"(%553, %511) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %555 = "stablehlo.subtract"(%arg98, %554) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    "func.return"(%515, %519, %523, %527, %531, %535, %539, %543, %547, %551, %555, %471, %475, %479, %483, %487, %491, %495, %499, %503, %507, %511, %434) : (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x8x128xi32>, tensor<i32>) -> tensor<8x128xi32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg86: tensor<4x8x128xi32>, %arg87: tensor<i32>):
    %404 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %405 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %406 = "stablehlo.dynamic_slice"(%arg86, %arg87, %404, %405) <{slice_sizes = array<i64: 1, 8, 128>}> : (tensor<4x8x128xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xi32>
    %407 = "stablehlo.reshape"(%406) : (tensor<1x8x128xi32>) -> tensor<8x128xi32>
    "func.return"(%407) : (tensor<8x128xi32>) -> ()
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
      %403 = "stablehlo.add"(%arg84, %arg85) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%403) : (tensor<f32>) -> ()
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
      %402 = "stablehlo.maximum"(%arg82, %arg83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%402) : (tensor<f32>) -> ()
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
      %401 = "stablehlo.add"(%arg80, %arg81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%401) : (tensor<f32>) -> ()
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
      %400 = "stablehlo.add"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%400) : (tensor<f32>) -> ()
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
      %399 = "stablehlo.add"(%arg76, %arg77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%399) : (tensor<f32>) -> ()
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
      %398 = "stablehlo.maximum"(%arg74, %arg75) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%398) : (tensor<f32>) -> ()
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
      %397 = "stablehlo.add"(%arg72, %arg73) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%397) : (tensor<f32>) -> ()
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
      %396 = "stablehlo.add"(%arg70, %arg71) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%396) : (tensor<f32>) -> ()
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
      %395 = "stablehlo.add"(%arg68, %arg69) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%395) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %223 = "stablehlo.reshape"(%222) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %224 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %225 = "stablehlo.multiply"(%219, %224) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %226 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %227 = "stablehlo.reduce"(%223, %226) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg66: tensor<f32>, %arg67: tensor<f32>):
      %394 = "stablehlo.add"(%arg66, %arg67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%394) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %228 = "stablehlo.multiply"(%149, %225) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %229 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %230 = "stablehlo.reduce"(%228, %229) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
      %393 = "stablehlo.add"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%393) : (tensor<f32>) -> ()
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
      %392 = "stablehlo.add"(%arg62, %arg63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%392) : (tensor<f32>) -> ()
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
      %391 = "stablehlo.add"(%arg60, %arg61) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%391) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %271 = "stablehlo.reshape"(%270) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %272 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %273 = "stablehlo.multiply"(%267, %272) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %274 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %275 = "stablehlo.reduce"(%271, %274) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg58: tensor<f32>, %arg59: tensor<f32>):
      %390 = "stablehlo.add"(%arg58, %arg59) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%390) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %276 = "stablehlo.multiply"(%102, %273) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %277 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %278 = "stablehlo.reduce"(%276, %277) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
      %389 = "stablehlo.add"(%arg56, %arg57) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%389) : (tensor<f32>) -> ()
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
      %388 = "stablehlo.add"(%arg54, %arg55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%388) : (tensor<f32>) -> ()
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
      %387 = "stablehlo.add"(%arg52, %arg53) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%387) : (tensor<f32>) -> ()
    }) : (tensor<8x8x1x128x128xf32>, tensor<f32>) -> tensor<8x8x1x128xf32>
    %307 = "stablehlo.reshape"(%306) : (tensor<8x8x1x128xf32>) -> tensor<8x8x1x128x1xf32>
    %308 = "stablehlo.negate"(%307) : (tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x1xf32>
    %309 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<8x8x1x128x1xf32>) -> tensor<8x8x1x128x128xf32>
    %310 = "stablehlo.divide"(%299, %309) : (tensor<8x8x1x128x128xf32>, tensor<8x8x1x128x128xf32>) -> tensor<8x8x1x128x128xf32>
    %311 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %312 = "stablehlo.reduce"(%308, %311) <{dimensions = array<i64: 2, 4>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %386 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%386) : (tensor<f32>) -> ()
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
      %385 = "stablehlo.add"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%385) : (tensor<f32>) -> ()
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
      %384 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %342 = "stablehlo.reshape"(%341) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %343 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %344 = "stablehlo.multiply"(%338, %343) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %345 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %346 = "stablehlo.reduce"(%342, %345) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %383 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%383) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %347 = "stablehlo.multiply"(%42, %344) : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %348 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %349 = "stablehlo.reduce"(%347, %348) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %382 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%382) : (tensor<f32>) -> ()
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
      %381 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
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
      %380 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%380) : (tensor<f32>) -> ()
    }) : (tensor<512x256xf32>, tensor<8x128x1xi32>, tensor<8x128x256xf32>) -> tensor<512x256xf32>
    %368 = "stablehlo.add"(%arg24, %199) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %369 = "stablehlo.add"(%arg25, %367) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %370 = "stablehlo.add"(%arg26, %218) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %371 = "stablehlo.add"(%arg27, %246) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %372 = "stablehlo.add"(%arg28, %346) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %373 = "stablehlo.add"(%arg29, %275) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %374 = "stablehlo.add"(%arg30, %266) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %375 = "stablehlo.add"(%arg31, %332) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %376 = "stablehlo.add"(%arg32, %295) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %377 = "stablehlo.add"(%arg33, %336) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %378 = "stablehlo.add"(%arg34, %329) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %379 = "stablehlo.add"(%arg35, %227) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    "func.return"(%368, %369, %370, %371, %372, %373, %374, %375, %376, %377, %378, %379) : (tensor<f32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>) -> ()
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
