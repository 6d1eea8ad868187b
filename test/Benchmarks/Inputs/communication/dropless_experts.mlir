"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>, tf.aliasing_output = 3 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}], function_type = (tensor<4x256x128xf32>, tensor<128x128xf32>, tensor<128x4xf32>, tensor<4x128x256xf32>, tensor<8x32x128xf32>) -> (tensor<4x256x128xf32>, tensor<128x128xf32>, tensor<128x4xf32>, tensor<4x128x256xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[0]['in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg15: tensor<4x256x128xf32>, %arg16: tensor<128x128xf32>, %arg17: tensor<128x4xf32>, %arg18: tensor<4x128x256xf32>, %arg19: tensor<8x32x128xf32>):
    %46 = "stablehlo.dot_general"(%arg19, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x128xf32>, tensor<128x128xf32>) -> tensor<8x32x128xf32>
    %47 = "stablehlo.tanh"(%46) : (tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %48 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x128xf32>
    %50 = "stablehlo.subtract"(%49, %47) : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %51:21 = "sdy.manual_computation"(%47, %arg17, %arg18, %arg15) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", ?}, {?}, {?}]>, <@mesh, [{?}, {?}]>, <@mesh, [{?}, {?}, {?}]>, <@mesh, [{?}, {?}, {?}]>]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}, {?}]>]>}> ({
    ^bb0(%arg68: tensor<4x32x128xf32>, %arg69: tensor<128x4xf32>, %arg70: tensor<4x128x256xf32>, %arg71: tensor<4x256x128xf32>):
      %412 = "stablehlo.reshape"(%arg68) : (tensor<4x32x128xf32>) -> tensor<128x128xf32>
      %413 = "sdy.sharding_constraint"(%412) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %414 = "stablehlo.dot_general"(%413, %arg69) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x128xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
      %415 = "sdy.sharding_constraint"(%414) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %416 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %417 = "stablehlo.reduce"(%415, %416) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
        %658 = "stablehlo.maximum"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%658) : (tensor<f32>) -> ()
      }) : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
      %418 = "sdy.sharding_constraint"(%417) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<128xf32>) -> tensor<128xf32>
      %419 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %420 = "stablehlo.broadcast_in_dim"(%419) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
      %421 = "sdy.sharding_constraint"(%420) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<128xf32>) -> tensor<128xf32>
      %422 = "stablehlo.maximum"(%421, %418) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
      %423 = "sdy.sharding_constraint"(%422) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<128xf32>) -> tensor<128xf32>
      %424 = "stablehlo.broadcast_in_dim"(%423) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
      %425 = "sdy.sharding_constraint"(%424) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %426 = "stablehlo.broadcast_in_dim"(%425) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x4xf32>
      %427 = "sdy.sharding_constraint"(%426) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %428 = "stablehlo.subtract"(%415, %427) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
      %429 = "sdy.sharding_constraint"(%428) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %430 = "stablehlo.exponential"(%429) : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %431 = "sdy.sharding_constraint"(%430) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %432 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %433 = "stablehlo.reduce"(%431, %432) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg76: tensor<f32>, %arg77: tensor<f32>):
        %657 = "stablehlo.add"(%arg76, %arg77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%657) : (tensor<f32>) -> ()
      }) : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
      %434 = "sdy.sharding_constraint"(%433) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<128xf32>) -> tensor<128xf32>
      %435 = "stablehlo.broadcast_in_dim"(%434) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
      %436 = "sdy.sharding_constraint"(%435) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %437 = "stablehlo.broadcast_in_dim"(%436) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x4xf32>
      %438 = "sdy.sharding_constraint"(%437) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %439 = "stablehlo.divide"(%431, %438) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
      %440 = "sdy.sharding_constraint"(%439) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %441 = "stablehlo.multiply"(%436, %436) : (tensor<128x1xf32>, tensor<128x1xf32>) -> tensor<128x1xf32>
      %442 = "sdy.sharding_constraint"(%441) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %443 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %444 = "stablehlo.broadcast_in_dim"(%443) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x1xf32>
      %445 = "sdy.sharding_constraint"(%444) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %446 = "stablehlo.divide"(%445, %442) : (tensor<128x1xf32>, tensor<128x1xf32>) -> tensor<128x1xf32>
      %447 = "sdy.sharding_constraint"(%446) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %448 = "sdy.sharding_constraint"(%447) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %449:2 = "chlo.top_k"(%440) <{k = 2 : i64}> : (tensor<128x4xf32>) -> (tensor<128x2xf32>, tensor<128x2xi32>)
      %450 = "sdy.sharding_constraint"(%449#0) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x2xf32>) -> tensor<128x2xf32>
      %451 = "sdy.sharding_constraint"(%449#1) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x2xi32>) -> tensor<128x2xi32>
      %452 = "stablehlo.reshape"(%451) : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
      %453 = "sdy.sharding_constraint"(%452) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<128x2x1xi32>) -> tensor<128x2x1xi32>
      %454 = "stablehlo.reshape"(%451) : (tensor<128x2xi32>) -> tensor<256xi32>
      %455 = "sdy.sharding_constraint"(%454) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %456 = "func.call"(%455) <{callee = @argsort}> : (tensor<256xi32>) -> tensor<256xi32>
      %457 = "stablehlo.reshape"(%451) : (tensor<128x2xi32>) -> tensor<256xi32>
      %458 = "sdy.sharding_constraint"(%457) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %459 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %460 = "stablehlo.broadcast_in_dim"(%459) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %461 = "sdy.sharding_constraint"(%460) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %462 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %463 = "func.call"(%458, %462) <{callee = @clip}> : (tensor<256xi32>, tensor<i32>) -> tensor<256xi32>
      %464 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %465 = "stablehlo.broadcast_in_dim"(%464) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %466 = "sdy.sharding_constraint"(%465) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %467 = "stablehlo.compare"(%463, %466) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
      %468 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %469 = "stablehlo.broadcast_in_dim"(%468) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %470 = "sdy.sharding_constraint"(%469) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %471 = "stablehlo.add"(%463, %470) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
      %472 = "sdy.sharding_constraint"(%471) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %473 = "stablehlo.select"(%467, %472, %463) : (tensor<256xi1>, tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
      %474 = "sdy.sharding_constraint"(%473) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %475 = "stablehlo.broadcast_in_dim"(%474) <{broadcast_dimensions = array<i64: 0>}> : (tensor<256xi32>) -> tensor<256x1xi32>
      %476 = "sdy.sharding_constraint"(%475) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xi32>) -> tensor<256x1xi32>
      %477 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %478 = "stablehlo.broadcast_in_dim"(%477) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %479 = "sdy.sharding_constraint"(%478) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %480 = "stablehlo.scatter"(%461, %476, %479) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg74: tensor<i32>, %arg75: tensor<i32>):
        %653 = "sdy.sharding_constraint"(%arg74) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
        %654 = "sdy.sharding_constraint"(%arg75) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
        %655 = "stablehlo.add"(%653, %654) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %656 = "sdy.sharding_constraint"(%655) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%656) : (tensor<i32>) -> ()
      }) : (tensor<4xi32>, tensor<256x1xi32>, tensor<256xi32>) -> tensor<4xi32>
      %481 = "sdy.sharding_constraint"(%480) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %482 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %483 = "func.call"(%456, %482) <{callee = @floor_divide}> : (tensor<256xi32>, tensor<i32>) -> tensor<256xi32>
      %484 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %485 = "stablehlo.broadcast_in_dim"(%484) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %486 = "sdy.sharding_constraint"(%485) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %487 = "stablehlo.compare"(%483, %486) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
      %488 = "stablehlo.constant"() <{value = dense<128> : tensor<i32>}> : () -> tensor<i32>
      %489 = "stablehlo.broadcast_in_dim"(%488) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %490 = "sdy.sharding_constraint"(%489) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %491 = "stablehlo.add"(%483, %490) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
      %492 = "sdy.sharding_constraint"(%491) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %493 = "stablehlo.select"(%487, %492, %483) : (tensor<256xi1>, tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
      %494 = "sdy.sharding_constraint"(%493) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %495 = "stablehlo.broadcast_in_dim"(%494) <{broadcast_dimensions = array<i64: 0>}> : (tensor<256xi32>) -> tensor<256x1xi32>
      %496 = "sdy.sharding_constraint"(%495) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xi32>) -> tensor<256x1xi32>
      %497 = "stablehlo.gather"(%413, %496) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>}> : (tensor<128x128xf32>, tensor<256x1xi32>) -> tensor<256x128xf32>
      %498 = "sdy.sharding_constraint"(%497) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %499 = "stablehlo.broadcast_in_dim"(%498) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<256x128xf32>) -> tensor<4x256x128xf32>
      %500 = "sdy.sharding_constraint"(%499) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %501 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x256x128xi32>
      %502 = "sdy.sharding_constraint"(%501) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %503 = "func.call"(%481) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %504 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %505 = "stablehlo.broadcast_in_dim"(%504) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %506 = "sdy.sharding_constraint"(%505) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %507 = "stablehlo.slice"(%506) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
      %508 = "sdy.sharding_constraint"(%507) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xi32>) -> tensor<1xi32>
      %509 = "stablehlo.slice"(%503) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32>
      %510 = "sdy.sharding_constraint"(%509) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<3xi32>) -> tensor<3xi32>
      %511 = "stablehlo.concatenate"(%508, %510) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      %512 = "sdy.sharding_constraint"(%511) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %513 = "stablehlo.broadcast_in_dim"(%503) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x128xi32>
      %514 = "sdy.sharding_constraint"(%513) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %515 = "stablehlo.broadcast_in_dim"(%512) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x128xi32>
      %516 = "sdy.sharding_constraint"(%515) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %517 = "stablehlo.compare"(%516, %502) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x256x128xi32>, tensor<4x256x128xi32>) -> tensor<4x256x128xi1>
      %518 = "stablehlo.compare"(%502, %514) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x256x128xi32>, tensor<4x256x128xi32>) -> tensor<4x256x128xi1>
      %519 = "stablehlo.and"(%517, %518) : (tensor<4x256x128xi1>, tensor<4x256x128xi1>) -> tensor<4x256x128xi1>
      %520 = "sdy.sharding_constraint"(%519) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi1>) -> tensor<4x256x128xi1>
      %521 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %522 = "stablehlo.broadcast_in_dim"(%521) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x128xf32>
      %523 = "sdy.sharding_constraint"(%522) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %524 = "stablehlo.select"(%520, %500, %523) : (tensor<4x256x128xi1>, tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %525 = "sdy.sharding_constraint"(%524) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %526 = "stablehlo.dot_general"(%525, %arg70) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<4x128x256xf32>) -> tensor<256x256xf32>
      %527 = "sdy.sharding_constraint"(%526) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %528 = "stablehlo.multiply"(%527, %527) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %529 = "stablehlo.multiply"(%528, %527) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %530 = "sdy.sharding_constraint"(%529) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %531 = "stablehlo.multiply"(%527, %527) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %532 = "sdy.sharding_constraint"(%531) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %533 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %534 = "stablehlo.broadcast_in_dim"(%533) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %535 = "sdy.sharding_constraint"(%534) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %536 = "stablehlo.multiply"(%535, %532) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %537 = "sdy.sharding_constraint"(%536) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %538 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
      %539 = "stablehlo.broadcast_in_dim"(%538) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %540 = "sdy.sharding_constraint"(%539) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %541 = "stablehlo.multiply"(%540, %530) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %542 = "sdy.sharding_constraint"(%541) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %543 = "stablehlo.add"(%527, %542) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %544 = "sdy.sharding_constraint"(%543) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %545 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
      %546 = "stablehlo.broadcast_in_dim"(%545) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %547 = "sdy.sharding_constraint"(%546) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %548 = "stablehlo.multiply"(%547, %544) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %549 = "sdy.sharding_constraint"(%548) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %550 = "stablehlo.tanh"(%549) : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %551 = "sdy.sharding_constraint"(%550) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %552 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %553 = "stablehlo.broadcast_in_dim"(%552) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %554 = "sdy.sharding_constraint"(%553) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %555 = "stablehlo.subtract"(%554, %551) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %556 = "sdy.sharding_constraint"(%555) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %557 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %558 = "stablehlo.broadcast_in_dim"(%557) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %559 = "sdy.sharding_constraint"(%558) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %560 = "stablehlo.add"(%559, %551) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %561 = "sdy.sharding_constraint"(%560) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %562 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %563 = "stablehlo.broadcast_in_dim"(%562) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %564 = "sdy.sharding_constraint"(%563) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %565 = "stablehlo.multiply"(%564, %561) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %566 = "sdy.sharding_constraint"(%565) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %567 = "stablehlo.multiply"(%527, %566) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %568 = "sdy.sharding_constraint"(%567) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %569 = "stablehlo.broadcast_in_dim"(%568) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<256x256xf32>) -> tensor<4x256x256xf32>
      %570 = "sdy.sharding_constraint"(%569) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %571 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x256x256xi32>
      %572 = "sdy.sharding_constraint"(%571) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %573 = "func.call"(%481) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %574 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %575 = "stablehlo.broadcast_in_dim"(%574) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %576 = "sdy.sharding_constraint"(%575) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %577 = "stablehlo.slice"(%576) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
      %578 = "sdy.sharding_constraint"(%577) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xi32>) -> tensor<1xi32>
      %579 = "stablehlo.slice"(%573) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32>
      %580 = "sdy.sharding_constraint"(%579) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<3xi32>) -> tensor<3xi32>
      %581 = "stablehlo.concatenate"(%578, %580) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      %582 = "sdy.sharding_constraint"(%581) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %583 = "stablehlo.broadcast_in_dim"(%573) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x256xi32>
      %584 = "sdy.sharding_constraint"(%583) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %585 = "stablehlo.broadcast_in_dim"(%582) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x256xi32>
      %586 = "sdy.sharding_constraint"(%585) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %587 = "stablehlo.compare"(%586, %572) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x256x256xi32>, tensor<4x256x256xi32>) -> tensor<4x256x256xi1>
      %588 = "stablehlo.compare"(%572, %584) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x256x256xi32>, tensor<4x256x256xi32>) -> tensor<4x256x256xi1>
      %589 = "stablehlo.and"(%587, %588) : (tensor<4x256x256xi1>, tensor<4x256x256xi1>) -> tensor<4x256x256xi1>
      %590 = "sdy.sharding_constraint"(%589) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi1>) -> tensor<4x256x256xi1>
      %591 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %592 = "stablehlo.broadcast_in_dim"(%591) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x256xf32>
      %593 = "sdy.sharding_constraint"(%592) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %594 = "stablehlo.select"(%590, %570, %593) : (tensor<4x256x256xi1>, tensor<4x256x256xf32>, tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %595 = "sdy.sharding_constraint"(%594) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %596 = "stablehlo.dot_general"(%595, %arg71) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x256xf32>, tensor<4x256x128xf32>) -> tensor<256x128xf32>
      %597 = "sdy.sharding_constraint"(%596) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %598 = "stablehlo.reshape"(%450) : (tensor<128x2xf32>) -> tensor<256xf32>
      %599 = "sdy.sharding_constraint"(%598) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xf32>) -> tensor<256xf32>
      %600 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %601 = "stablehlo.broadcast_in_dim"(%600) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %602 = "sdy.sharding_constraint"(%601) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %603 = "stablehlo.compare"(%456, %602) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
      %604 = "stablehlo.constant"() <{value = dense<256> : tensor<i32>}> : () -> tensor<i32>
      %605 = "stablehlo.broadcast_in_dim"(%604) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %606 = "sdy.sharding_constraint"(%605) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %607 = "stablehlo.add"(%456, %606) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
      %608 = "sdy.sharding_constraint"(%607) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %609 = "stablehlo.select"(%603, %608, %456) : (tensor<256xi1>, tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
      %610 = "sdy.sharding_constraint"(%609) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %611 = "stablehlo.broadcast_in_dim"(%610) <{broadcast_dimensions = array<i64: 0>}> : (tensor<256xi32>) -> tensor<256x1xi32>
      %612 = "sdy.sharding_constraint"(%611) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xi32>) -> tensor<256x1xi32>
      %613 = "stablehlo.gather"(%599, %612) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<256xf32>, tensor<256x1xi32>) -> tensor<256xf32>
      %614 = "sdy.sharding_constraint"(%613) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xf32>) -> tensor<256xf32>
      %615 = "stablehlo.broadcast_in_dim"(%614) <{broadcast_dimensions = array<i64: 0>}> : (tensor<256xf32>) -> tensor<256x1xf32>
      %616 = "sdy.sharding_constraint"(%615) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xf32>) -> tensor<256x1xf32>
      %617 = "stablehlo.broadcast_in_dim"(%616) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<256x1xf32>) -> tensor<256x128xf32>
      %618 = "sdy.sharding_constraint"(%617) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %619 = "stablehlo.multiply"(%597, %618) : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<256x128xf32>
      %620 = "sdy.sharding_constraint"(%619) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %621 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %622 = "stablehlo.broadcast_in_dim"(%621) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x128xf32>
      %623 = "sdy.sharding_constraint"(%622) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %624 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %625 = "func.call"(%456, %624) <{callee = @floor_divide}> : (tensor<256xi32>, tensor<i32>) -> tensor<256xi32>
      %626 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %627 = "stablehlo.broadcast_in_dim"(%626) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %628 = "sdy.sharding_constraint"(%627) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %629 = "stablehlo.compare"(%625, %628) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
      %630 = "stablehlo.constant"() <{value = dense<128> : tensor<i32>}> : () -> tensor<i32>
      %631 = "stablehlo.broadcast_in_dim"(%630) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
      %632 = "sdy.sharding_constraint"(%631) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %633 = "stablehlo.add"(%625, %632) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
      %634 = "sdy.sharding_constraint"(%633) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %635 = "stablehlo.select"(%629, %634, %625) : (tensor<256xi1>, tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
      %636 = "sdy.sharding_constraint"(%635) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
      %637 = "stablehlo.broadcast_in_dim"(%636) <{broadcast_dimensions = array<i64: 0>}> : (tensor<256xi32>) -> tensor<256x1xi32>
      %638 = "sdy.sharding_constraint"(%637) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xi32>) -> tensor<256x1xi32>
      %639 = "stablehlo.scatter"(%623, %638, %620) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg72: tensor<f32>, %arg73: tensor<f32>):
        %649 = "sdy.sharding_constraint"(%arg72) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        %650 = "sdy.sharding_constraint"(%arg73) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        %651 = "stablehlo.add"(%649, %650) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %652 = "sdy.sharding_constraint"(%651) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%652) : (tensor<f32>) -> ()
      }) : (tensor<128x128xf32>, tensor<256x1xi32>, tensor<256x128xf32>) -> tensor<128x128xf32>
      %640 = "sdy.sharding_constraint"(%639) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %641 = "stablehlo.reshape"(%640) : (tensor<128x128xf32>) -> tensor<4x32x128xf32>
      %642 = "sdy.sharding_constraint"(%641) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x32x128xf32>) -> tensor<4x32x128xf32>
      %643 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
      %644 = "stablehlo.broadcast_in_dim"(%643) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %645 = "sdy.sharding_constraint"(%644) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xf32>) -> tensor<1xf32>
      %646 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %647 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %648 = "sdy.sharding_constraint"(%647) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xf32>) -> tensor<1xf32>
      "sdy.return"(%413, %431, %436, %448, %453, %496, %481, %498, %537, %645, %551, %556, %648, %566, %527, %568, %612, %616, %597, %638, %642) : (tensor<128x128xf32>, tensor<128x4xf32>, tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x2x1xi32>, tensor<256x1xi32>, tensor<4xi32>, tensor<256x128xf32>, tensor<256x256xf32>, tensor<1xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<1xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1xi32>, tensor<256x1xf32>, tensor<256x128xf32>, tensor<256x1xi32>, tensor<4x32x128xf32>) -> ()
    }) : (tensor<8x32x128xf32>, tensor<128x4xf32>, tensor<4x128x256xf32>, tensor<4x256x128xf32>) -> (tensor<256x128xf32>, tensor<256x4xf32>, tensor<256x1xf32>, tensor<256x1xf32>, tensor<256x2x1xi32>, tensor<512x1xi32>, tensor<8xi32>, tensor<512x128xf32>, tensor<512x256xf32>, tensor<2xf32>, tensor<512x256xf32>, tensor<512x256xf32>, tensor<2xf32>, tensor<512x256xf32>, tensor<512x256xf32>, tensor<512x256xf32>, tensor<512x1xi32>, tensor<512x1xf32>, tensor<512x128xf32>, tensor<512x1xi32>, tensor<8x32x128xf32>)
    %52 = "stablehlo.add"(%47, %51#20) : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %53 = "chlo.square"(%52) : (tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %54 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x128xf32>
    %56 = "stablehlo.multiply"(%55, %52) : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %57 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.reduce"(%53, %57) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg66: tensor<f32>, %arg67: tensor<f32>):
      %411 = "stablehlo.add"(%arg66, %arg67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%411) : (tensor<f32>) -> ()
    }) : (tensor<8x32x128xf32>, tensor<f32>) -> tensor<f32>
    %59 = "stablehlo.constant"() <{value = dense<3.276800e+04> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.divide"(%58, %59) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %61 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.constant"() <{value = dense<3.276800e+04> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.divide"(%61, %62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x128xf32>
    %65 = "stablehlo.multiply"(%64, %56) : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %66:4 = "sdy.manual_computation"(%65, %arg17, %51#0, %51#1, %51#2, %51#3, %51#4, %51#5, %arg18, %51#6, %51#7, %51#8, %51#9, %51#10, %51#11, %51#12, %51#13, %51#14, %arg15, %51#15, %51#16, %51#17, %51#18, %51#19) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", ?}, {?}, {?}]>, <@mesh, [{?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{?}, {?}, {?}]>, <@mesh, [{"data", ?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{?}, {?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", ?}, {?}, {?}]>, <@mesh, [{?}, {?}]>, <@mesh, [{?}, {?}, {?}]>, <@mesh, [{?}, {?}, {?}]>]>}> ({
    ^bb0(%arg20: tensor<4x32x128xf32>, %arg21: tensor<128x4xf32>, %arg22: tensor<128x128xf32>, %arg23: tensor<128x4xf32>, %arg24: tensor<128x1xf32>, %arg25: tensor<128x1xf32>, %arg26: tensor<128x2x1xi32>, %arg27: tensor<256x1xi32>, %arg28: tensor<4x128x256xf32>, %arg29: tensor<4xi32>, %arg30: tensor<256x128xf32>, %arg31: tensor<256x256xf32>, %arg32: tensor<1xf32>, %arg33: tensor<256x256xf32>, %arg34: tensor<256x256xf32>, %arg35: tensor<1xf32>, %arg36: tensor<256x256xf32>, %arg37: tensor<256x256xf32>, %arg38: tensor<4x256x128xf32>, %arg39: tensor<256x256xf32>, %arg40: tensor<256x1xi32>, %arg41: tensor<256x1xf32>, %arg42: tensor<256x128xf32>, %arg43: tensor<256x1xi32>):
      %89 = "stablehlo.reshape"(%arg32) : (tensor<1xf32>) -> tensor<f32>
      %90 = "sdy.sharding_constraint"(%89) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
      %91 = "stablehlo.reshape"(%arg35) : (tensor<1xf32>) -> tensor<f32>
      %92 = "sdy.sharding_constraint"(%91) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
      %93 = "stablehlo.reshape"(%arg20) : (tensor<4x32x128xf32>) -> tensor<128x128xf32>
      %94 = "sdy.sharding_constraint"(%93) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %95 = "stablehlo.constant"() <{value = dense<127> : tensor<1xi32>}> : () -> tensor<1xi32>
      %96 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256x1xi32>
      %98 = "sdy.sharding_constraint"(%97) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xi32>) -> tensor<256x1xi32>
      %99 = "stablehlo.compare"(%arg43, %98) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<256x1xi32>, tensor<256x1xi32>) -> tensor<256x1xi1>
      %100 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
      %101 = "sdy.sharding_constraint"(%100) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<1x1xi32>) -> tensor<1x1xi32>
      %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<256x1xi32>
      %103 = "sdy.sharding_constraint"(%102) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xi32>) -> tensor<256x1xi32>
      %104 = "stablehlo.compare"(%arg43, %103) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<256x1xi32>, tensor<256x1xi32>) -> tensor<256x1xi1>
      %105 = "stablehlo.and"(%99, %104) : (tensor<256x1xi1>, tensor<256x1xi1>) -> tensor<256x1xi1>
      %106 = "sdy.sharding_constraint"(%105) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xi1>) -> tensor<256x1xi1>
      %107 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      %108 = "stablehlo.reduce"(%106, %107) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg64: tensor<i1>, %arg65: tensor<i1>):
        %410 = "stablehlo.and"(%arg64, %arg65) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%410) : (tensor<i1>) -> ()
      }) : (tensor<256x1xi1>, tensor<i1>) -> tensor<256xi1>
      %109 = "sdy.sharding_constraint"(%108) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi1>) -> tensor<256xi1>
      %110 = "stablehlo.gather"(%94, %arg43) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>}> : (tensor<128x128xf32>, tensor<256x1xi32>) -> tensor<256x128xf32>
      %111 = "sdy.sharding_constraint"(%110) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %112 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64: 0>}> : (tensor<256xi1>) -> tensor<256x128xi1>
      %113 = "sdy.sharding_constraint"(%112) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xi1>) -> tensor<256x128xi1>
      %114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x128xf32>
      %116 = "sdy.sharding_constraint"(%115) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %117 = "stablehlo.select"(%113, %111, %116) : (tensor<256x128xi1>, tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<256x128xf32>
      %118 = "sdy.sharding_constraint"(%117) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %119 = "stablehlo.multiply"(%arg42, %118) : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<256x128xf32>
      %120 = "sdy.sharding_constraint"(%119) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %121 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %122 = "stablehlo.reduce"(%120, %121) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg62: tensor<f32>, %arg63: tensor<f32>):
        %409 = "stablehlo.add"(%arg62, %arg63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%409) : (tensor<f32>) -> ()
      }) : (tensor<256x128xf32>, tensor<f32>) -> tensor<256xf32>
      %123 = "sdy.sharding_constraint"(%122) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xf32>) -> tensor<256xf32>
      %124 = "stablehlo.reshape"(%123) : (tensor<256xf32>) -> tensor<256x1xf32>
      %125 = "sdy.sharding_constraint"(%124) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x1xf32>) -> tensor<256x1xf32>
      %126 = "stablehlo.broadcast_in_dim"(%arg41) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<256x1xf32>) -> tensor<256x128xf32>
      %127 = "sdy.sharding_constraint"(%126) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %128 = "stablehlo.multiply"(%118, %127) : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<256x128xf32>
      %129 = "sdy.sharding_constraint"(%128) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %130 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %131 = "stablehlo.reduce"(%125, %130) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg60: tensor<f32>, %arg61: tensor<f32>):
        %408 = "stablehlo.add"(%arg60, %arg61) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%408) : (tensor<f32>) -> ()
      }) : (tensor<256x1xf32>, tensor<f32>) -> tensor<256xf32>
      %132 = "sdy.sharding_constraint"(%131) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xf32>) -> tensor<256xf32>
      %133 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
      %135 = "sdy.sharding_constraint"(%134) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xf32>) -> tensor<256xf32>
      %136 = "stablehlo.scatter"(%135, %arg40, %132) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg58: tensor<f32>, %arg59: tensor<f32>):
        %404 = "sdy.sharding_constraint"(%arg58) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        %405 = "sdy.sharding_constraint"(%arg59) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        %406 = "stablehlo.add"(%404, %405) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %407 = "sdy.sharding_constraint"(%406) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%407) : (tensor<f32>) -> ()
      }) : (tensor<256xf32>, tensor<256x1xi32>, tensor<256xf32>) -> tensor<256xf32>
      %137 = "sdy.sharding_constraint"(%136) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xf32>) -> tensor<256xf32>
      %138 = "stablehlo.reshape"(%137) : (tensor<256xf32>) -> tensor<128x2xf32>
      %139 = "sdy.sharding_constraint"(%138) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x2xf32>) -> tensor<128x2xf32>
      %140 = "stablehlo.broadcast_in_dim"(%arg39) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<256x256xf32>) -> tensor<4x256x256xf32>
      %141 = "sdy.sharding_constraint"(%140) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %142 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x256x256xi32>
      %143 = "sdy.sharding_constraint"(%142) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %144 = "func.call"(%arg29) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %145 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %147 = "sdy.sharding_constraint"(%146) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %148 = "stablehlo.slice"(%147) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
      %149 = "sdy.sharding_constraint"(%148) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xi32>) -> tensor<1xi32>
      %150 = "stablehlo.slice"(%144) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32>
      %151 = "sdy.sharding_constraint"(%150) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<3xi32>) -> tensor<3xi32>
      %152 = "stablehlo.concatenate"(%149, %151) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      %153 = "sdy.sharding_constraint"(%152) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %154 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x256xi32>
      %155 = "sdy.sharding_constraint"(%154) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %156 = "stablehlo.broadcast_in_dim"(%153) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x256xi32>
      %157 = "sdy.sharding_constraint"(%156) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %158 = "stablehlo.compare"(%157, %143) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x256x256xi32>, tensor<4x256x256xi32>) -> tensor<4x256x256xi1>
      %159 = "stablehlo.compare"(%143, %155) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x256x256xi32>, tensor<4x256x256xi32>) -> tensor<4x256x256xi1>
      %160 = "stablehlo.and"(%158, %159) : (tensor<4x256x256xi1>, tensor<4x256x256xi1>) -> tensor<4x256x256xi1>
      %161 = "sdy.sharding_constraint"(%160) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi1>) -> tensor<4x256x256xi1>
      %162 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x256xf32>
      %164 = "sdy.sharding_constraint"(%163) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %165 = "stablehlo.select"(%161, %141, %164) : (tensor<4x256x256xi1>, tensor<4x256x256xf32>, tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %166 = "sdy.sharding_constraint"(%165) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %167 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<256x128xf32>) -> tensor<4x256x128xf32>
      %168 = "sdy.sharding_constraint"(%167) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %169 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x256x128xi32>
      %170 = "sdy.sharding_constraint"(%169) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %171 = "func.call"(%arg29) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %172 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %174 = "sdy.sharding_constraint"(%173) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %175 = "stablehlo.slice"(%174) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
      %176 = "sdy.sharding_constraint"(%175) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xi32>) -> tensor<1xi32>
      %177 = "stablehlo.slice"(%171) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32>
      %178 = "sdy.sharding_constraint"(%177) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<3xi32>) -> tensor<3xi32>
      %179 = "stablehlo.concatenate"(%176, %178) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      %180 = "sdy.sharding_constraint"(%179) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %181 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x128xi32>
      %182 = "sdy.sharding_constraint"(%181) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %183 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x128xi32>
      %184 = "sdy.sharding_constraint"(%183) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %185 = "stablehlo.compare"(%184, %170) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x256x128xi32>, tensor<4x256x128xi32>) -> tensor<4x256x128xi1>
      %186 = "stablehlo.compare"(%170, %182) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x256x128xi32>, tensor<4x256x128xi32>) -> tensor<4x256x128xi1>
      %187 = "stablehlo.and"(%185, %186) : (tensor<4x256x128xi1>, tensor<4x256x128xi1>) -> tensor<4x256x128xi1>
      %188 = "sdy.sharding_constraint"(%187) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi1>) -> tensor<4x256x128xi1>
      %189 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %190 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x128xf32>
      %191 = "sdy.sharding_constraint"(%190) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %192 = "stablehlo.select"(%188, %168, %191) : (tensor<4x256x128xi1>, tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %193 = "sdy.sharding_constraint"(%192) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %194 = "stablehlo.dot_general"(%166, %193) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x256xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %195 = "sdy.sharding_constraint"(%194) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %196 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<256x128xf32>) -> tensor<4x256x128xf32>
      %197 = "sdy.sharding_constraint"(%196) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %198 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x256x128xi32>
      %199 = "sdy.sharding_constraint"(%198) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %200 = "func.call"(%arg29) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %201 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %203 = "sdy.sharding_constraint"(%202) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %204 = "stablehlo.slice"(%203) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
      %205 = "sdy.sharding_constraint"(%204) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xi32>) -> tensor<1xi32>
      %206 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32>
      %207 = "sdy.sharding_constraint"(%206) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<3xi32>) -> tensor<3xi32>
      %208 = "stablehlo.concatenate"(%205, %207) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      %209 = "sdy.sharding_constraint"(%208) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %210 = "stablehlo.broadcast_in_dim"(%200) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x128xi32>
      %211 = "sdy.sharding_constraint"(%210) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %212 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x128xi32>
      %213 = "sdy.sharding_constraint"(%212) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %214 = "stablehlo.compare"(%213, %199) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x256x128xi32>, tensor<4x256x128xi32>) -> tensor<4x256x128xi1>
      %215 = "stablehlo.compare"(%199, %211) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x256x128xi32>, tensor<4x256x128xi32>) -> tensor<4x256x128xi1>
      %216 = "stablehlo.and"(%214, %215) : (tensor<4x256x128xi1>, tensor<4x256x128xi1>) -> tensor<4x256x128xi1>
      %217 = "sdy.sharding_constraint"(%216) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi1>) -> tensor<4x256x128xi1>
      %218 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %219 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x128xf32>
      %220 = "sdy.sharding_constraint"(%219) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %221 = "stablehlo.select"(%217, %197, %220) : (tensor<4x256x128xi1>, tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %222 = "sdy.sharding_constraint"(%221) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %223 = "stablehlo.dot_general"(%222, %arg38) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [2, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<256x256xf32>
      %224 = "sdy.sharding_constraint"(%223) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %225 = "stablehlo.multiply"(%arg37, %224) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %226 = "sdy.sharding_constraint"(%225) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %227 = "stablehlo.multiply"(%224, %arg36) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %228 = "sdy.sharding_constraint"(%227) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %229 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %230 = "sdy.sharding_constraint"(%229) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %231 = "stablehlo.multiply"(%230, %226) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %232 = "sdy.sharding_constraint"(%231) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %233 = "stablehlo.multiply"(%232, %arg34) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %234 = "sdy.sharding_constraint"(%233) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %235 = "stablehlo.multiply"(%234, %arg33) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %236 = "sdy.sharding_constraint"(%235) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %237 = "stablehlo.add"(%234, %236) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %238 = "sdy.sharding_constraint"(%237) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %239 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
      %240 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %241 = "sdy.sharding_constraint"(%240) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %242 = "stablehlo.multiply"(%241, %238) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %243 = "sdy.sharding_constraint"(%242) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %244 = "stablehlo.add"(%228, %243) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %245 = "sdy.sharding_constraint"(%244) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %246 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
      %247 = "sdy.sharding_constraint"(%246) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %248 = "stablehlo.multiply"(%247, %243) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %249 = "sdy.sharding_constraint"(%248) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %250 = "stablehlo.multiply"(%249, %arg31) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %251 = "sdy.sharding_constraint"(%250) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %252 = "stablehlo.add"(%245, %251) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %253 = "sdy.sharding_constraint"(%252) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %254 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<256x128xf32>) -> tensor<4x256x128xf32>
      %255 = "sdy.sharding_constraint"(%254) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %256 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x256x128xi32>
      %257 = "sdy.sharding_constraint"(%256) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %258 = "func.call"(%arg29) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %259 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %260 = "stablehlo.broadcast_in_dim"(%259) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %261 = "sdy.sharding_constraint"(%260) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %262 = "stablehlo.slice"(%261) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
      %263 = "sdy.sharding_constraint"(%262) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xi32>) -> tensor<1xi32>
      %264 = "stablehlo.slice"(%258) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32>
      %265 = "sdy.sharding_constraint"(%264) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<3xi32>) -> tensor<3xi32>
      %266 = "stablehlo.concatenate"(%263, %265) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      %267 = "sdy.sharding_constraint"(%266) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %268 = "stablehlo.broadcast_in_dim"(%258) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x128xi32>
      %269 = "sdy.sharding_constraint"(%268) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %270 = "stablehlo.broadcast_in_dim"(%267) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x128xi32>
      %271 = "sdy.sharding_constraint"(%270) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi32>) -> tensor<4x256x128xi32>
      %272 = "stablehlo.compare"(%271, %257) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x256x128xi32>, tensor<4x256x128xi32>) -> tensor<4x256x128xi1>
      %273 = "stablehlo.compare"(%257, %269) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x256x128xi32>, tensor<4x256x128xi32>) -> tensor<4x256x128xi1>
      %274 = "stablehlo.and"(%272, %273) : (tensor<4x256x128xi1>, tensor<4x256x128xi1>) -> tensor<4x256x128xi1>
      %275 = "sdy.sharding_constraint"(%274) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xi1>) -> tensor<4x256x128xi1>
      %276 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %277 = "stablehlo.broadcast_in_dim"(%276) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x128xf32>
      %278 = "sdy.sharding_constraint"(%277) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %279 = "stablehlo.select"(%275, %255, %278) : (tensor<4x256x128xi1>, tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %280 = "sdy.sharding_constraint"(%279) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      %281 = "stablehlo.broadcast_in_dim"(%253) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<256x256xf32>) -> tensor<4x256x256xf32>
      %282 = "sdy.sharding_constraint"(%281) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %283 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x256x256xi32>
      %284 = "sdy.sharding_constraint"(%283) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %285 = "func.call"(%arg29) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %286 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %287 = "stablehlo.broadcast_in_dim"(%286) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %288 = "sdy.sharding_constraint"(%287) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %289 = "stablehlo.slice"(%288) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
      %290 = "sdy.sharding_constraint"(%289) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xi32>) -> tensor<1xi32>
      %291 = "stablehlo.slice"(%285) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32>
      %292 = "sdy.sharding_constraint"(%291) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<3xi32>) -> tensor<3xi32>
      %293 = "stablehlo.concatenate"(%290, %292) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      %294 = "sdy.sharding_constraint"(%293) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %295 = "stablehlo.broadcast_in_dim"(%285) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x256xi32>
      %296 = "sdy.sharding_constraint"(%295) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %297 = "stablehlo.broadcast_in_dim"(%294) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x256xi32>
      %298 = "sdy.sharding_constraint"(%297) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %299 = "stablehlo.compare"(%298, %284) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x256x256xi32>, tensor<4x256x256xi32>) -> tensor<4x256x256xi1>
      %300 = "stablehlo.compare"(%284, %296) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x256x256xi32>, tensor<4x256x256xi32>) -> tensor<4x256x256xi1>
      %301 = "stablehlo.and"(%299, %300) : (tensor<4x256x256xi1>, tensor<4x256x256xi1>) -> tensor<4x256x256xi1>
      %302 = "sdy.sharding_constraint"(%301) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi1>) -> tensor<4x256x256xi1>
      %303 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %304 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x256xf32>
      %305 = "sdy.sharding_constraint"(%304) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %306 = "stablehlo.select"(%302, %282, %305) : (tensor<4x256x256xi1>, tensor<4x256x256xf32>, tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %307 = "sdy.sharding_constraint"(%306) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %308 = "stablehlo.dot_general"(%280, %307) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<4x256x256xf32>) -> tensor<4x128x256xf32>
      %309 = "sdy.sharding_constraint"(%308) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x128x256xf32>) -> tensor<4x128x256xf32>
      %310 = "stablehlo.broadcast_in_dim"(%253) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<256x256xf32>) -> tensor<4x256x256xf32>
      %311 = "sdy.sharding_constraint"(%310) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %312 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x256x256xi32>
      %313 = "sdy.sharding_constraint"(%312) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %314 = "func.call"(%arg29) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %315 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %316 = "stablehlo.broadcast_in_dim"(%315) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
      %317 = "sdy.sharding_constraint"(%316) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %318 = "stablehlo.slice"(%317) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
      %319 = "sdy.sharding_constraint"(%318) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xi32>) -> tensor<1xi32>
      %320 = "stablehlo.slice"(%314) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32>
      %321 = "sdy.sharding_constraint"(%320) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<3xi32>) -> tensor<3xi32>
      %322 = "stablehlo.concatenate"(%319, %321) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      %323 = "sdy.sharding_constraint"(%322) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
      %324 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x256xi32>
      %325 = "sdy.sharding_constraint"(%324) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %326 = "stablehlo.broadcast_in_dim"(%323) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x256x256xi32>
      %327 = "sdy.sharding_constraint"(%326) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi32>) -> tensor<4x256x256xi32>
      %328 = "stablehlo.compare"(%327, %313) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x256x256xi32>, tensor<4x256x256xi32>) -> tensor<4x256x256xi1>
      %329 = "stablehlo.compare"(%313, %325) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x256x256xi32>, tensor<4x256x256xi32>) -> tensor<4x256x256xi1>
      %330 = "stablehlo.and"(%328, %329) : (tensor<4x256x256xi1>, tensor<4x256x256xi1>) -> tensor<4x256x256xi1>
      %331 = "sdy.sharding_constraint"(%330) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xi1>) -> tensor<4x256x256xi1>
      %332 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %333 = "stablehlo.broadcast_in_dim"(%332) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x256xf32>
      %334 = "sdy.sharding_constraint"(%333) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %335 = "stablehlo.select"(%331, %311, %334) : (tensor<4x256x256xi1>, tensor<4x256x256xf32>, tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %336 = "sdy.sharding_constraint"(%335) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
      %337 = "stablehlo.dot_general"(%336, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [2, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x256xf32>, tensor<4x128x256xf32>) -> tensor<256x128xf32>
      %338 = "sdy.sharding_constraint"(%337) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<256x128xf32>) -> tensor<256x128xf32>
      %339 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %340 = "stablehlo.broadcast_in_dim"(%339) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x128xf32>
      %341 = "sdy.sharding_constraint"(%340) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %342 = "stablehlo.scatter"(%341, %arg27, %338) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
        %400 = "sdy.sharding_constraint"(%arg56) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        %401 = "sdy.sharding_constraint"(%arg57) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        %402 = "stablehlo.add"(%400, %401) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %403 = "sdy.sharding_constraint"(%402) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%403) : (tensor<f32>) -> ()
      }) : (tensor<128x128xf32>, tensor<256x1xi32>, tensor<256x128xf32>) -> tensor<128x128xf32>
      %343 = "sdy.sharding_constraint"(%342) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %344 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %345 = "stablehlo.broadcast_in_dim"(%344) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x4xf32>
      %346 = "sdy.sharding_constraint"(%345) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %347 = "stablehlo.scatter"(%346, %arg26, %139) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg54: tensor<f32>, %arg55: tensor<f32>):
        %396 = "sdy.sharding_constraint"(%arg54) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        %397 = "sdy.sharding_constraint"(%arg55) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        %398 = "stablehlo.add"(%396, %397) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %399 = "sdy.sharding_constraint"(%398) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%399) : (tensor<f32>) -> ()
      }) : (tensor<128x4xf32>, tensor<128x2x1xi32>, tensor<128x2xf32>) -> tensor<128x4xf32>
      %348 = "sdy.sharding_constraint"(%347) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %349 = "stablehlo.broadcast_in_dim"(%arg25) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x4xf32>
      %350 = "sdy.sharding_constraint"(%349) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %351 = "stablehlo.multiply"(%348, %350) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
      %352 = "sdy.sharding_constraint"(%351) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %353 = "stablehlo.multiply"(%352, %arg23) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
      %354 = "sdy.sharding_constraint"(%353) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %355 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %356 = "stablehlo.reduce"(%354, %355) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg52: tensor<f32>, %arg53: tensor<f32>):
        %395 = "stablehlo.add"(%arg52, %arg53) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%395) : (tensor<f32>) -> ()
      }) : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
      %357 = "sdy.sharding_constraint"(%356) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<128xf32>) -> tensor<128xf32>
      %358 = "stablehlo.reshape"(%357) : (tensor<128xf32>) -> tensor<128x1xf32>
      %359 = "sdy.sharding_constraint"(%358) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %360 = "stablehlo.negate"(%359) : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %361 = "sdy.sharding_constraint"(%360) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x1xf32>) -> tensor<128x1xf32>
      %362 = "stablehlo.broadcast_in_dim"(%arg24) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x4xf32>
      %363 = "sdy.sharding_constraint"(%362) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %364 = "stablehlo.divide"(%348, %363) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
      %365 = "sdy.sharding_constraint"(%364) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %366 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %367 = "stablehlo.reduce"(%361, %366) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
        %394 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%394) : (tensor<f32>) -> ()
      }) : (tensor<128x1xf32>, tensor<f32>) -> tensor<128xf32>
      %368 = "sdy.sharding_constraint"(%367) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<128xf32>) -> tensor<128xf32>
      %369 = "stablehlo.broadcast_in_dim"(%368) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x4xf32>
      %370 = "sdy.sharding_constraint"(%369) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %371 = "stablehlo.add"(%365, %370) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
      %372 = "sdy.sharding_constraint"(%371) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %373 = "stablehlo.multiply"(%372, %arg23) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
      %374 = "sdy.sharding_constraint"(%373) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %375 = "stablehlo.dot_general"(%374, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x4xf32>, tensor<128x128xf32>) -> tensor<4x128xf32>
      %376 = "sdy.sharding_constraint"(%375) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x128xf32>) -> tensor<4x128xf32>
      %377 = "stablehlo.transpose"(%376) <{permutation = array<i64: 1, 0>}> : (tensor<4x128xf32>) -> tensor<128x4xf32>
      %378 = "sdy.sharding_constraint"(%377) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %379 = "stablehlo.dot_general"(%374, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x128xf32>
      %380 = "sdy.sharding_constraint"(%379) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %381 = "stablehlo.add"(%343, %380) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
      %382 = "sdy.sharding_constraint"(%381) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %383 = "stablehlo.reshape"(%382) : (tensor<128x128xf32>) -> tensor<4x32x128xf32>
      %384 = "sdy.sharding_constraint"(%383) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x32x128xf32>) -> tensor<4x32x128xf32>
      %385 = "stablehlo.all_reduce"(%378) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
        %392 = "stablehlo.add"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %393 = "sdy.sharding_constraint"(%392) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%393) : (tensor<f32>) -> ()
      }) : (tensor<128x4xf32>) -> tensor<128x4xf32>
      %386 = "stablehlo.all_reduce"(%309) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
        %390 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %391 = "sdy.sharding_constraint"(%390) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%391) : (tensor<f32>) -> ()
      }) : (tensor<4x128x256xf32>) -> tensor<4x128x256xf32>
      %387 = "stablehlo.all_reduce"(%195) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
        %388 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %389 = "sdy.sharding_constraint"(%388) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%389) : (tensor<f32>) -> ()
      }) : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
      "sdy.return"(%384, %385, %386, %387) : (tensor<4x32x128xf32>, tensor<128x4xf32>, tensor<4x128x256xf32>, tensor<4x256x128xf32>) -> ()
    }) : (tensor<8x32x128xf32>, tensor<128x4xf32>, tensor<256x128xf32>, tensor<256x4xf32>, tensor<256x1xf32>, tensor<256x1xf32>, tensor<256x2x1xi32>, tensor<512x1xi32>, tensor<4x128x256xf32>, tensor<8xi32>, tensor<512x128xf32>, tensor<512x256xf32>, tensor<2xf32>, tensor<512x256xf32>, tensor<512x256xf32>, tensor<2xf32>, tensor<512x256xf32>, tensor<512x256xf32>, tensor<4x256x128xf32>, tensor<512x256xf32>, tensor<512x1xi32>, tensor<512x1xf32>, tensor<512x128xf32>, tensor<512x1xi32>) -> (tensor<8x32x128xf32>, tensor<128x4xf32>, tensor<4x128x256xf32>, tensor<4x256x128xf32>)
    %67 = "stablehlo.add"(%65, %66#0) : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %68 = "stablehlo.multiply"(%67, %50) : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %69 = "stablehlo.multiply"(%68, %47) : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %70 = "stablehlo.add"(%68, %69) : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<8x32x128xf32>
    %71 = "stablehlo.dot_general"(%70, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x128xf32>, tensor<8x32x128xf32>) -> tensor<128x128xf32>
    %72 = "stablehlo.transpose"(%71) <{permutation = array<i64: 1, 0>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %73 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x128xf32>
    %75 = "stablehlo.multiply"(%74, %66#3) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %76 = "stablehlo.subtract"(%arg15, %75) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %77 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x128xf32>
    %79 = "stablehlo.multiply"(%78, %72) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %80 = "stablehlo.subtract"(%arg16, %79) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %81 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x4xf32>
    %83 = "stablehlo.multiply"(%82, %66#1) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
    %84 = "stablehlo.subtract"(%arg17, %83) : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<128x4xf32>
    %85 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x128x256xf32>
    %87 = "stablehlo.multiply"(%86, %66#2) : (tensor<4x128x256xf32>, tensor<4x128x256xf32>) -> tensor<4x128x256xf32>
    %88 = "stablehlo.subtract"(%arg18, %87) : (tensor<4x128x256xf32>, tensor<4x128x256xf32>) -> tensor<4x128x256xf32>
    "func.return"(%76, %80, %84, %88, %60) : (tensor<4x256x128xf32>, tensor<128x128xf32>, tensor<128x4xf32>, tensor<4x128x256xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<256xi32>) -> tensor<256xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<256xi32>):
    %40 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<256xi32>
    %41 = "sdy.sharding_constraint"(%40) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %42:2 = "stablehlo.sort"(%arg10, %41) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<i32>, %arg12: tensor<i32>, %arg13: tensor<i32>, %arg14: tensor<i32>):
      %45 = "stablehlo.compare"(%arg11, %arg12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%45) : (tensor<i1>) -> ()
    }) : (tensor<256xi32>, tensor<256xi32>) -> (tensor<256xi32>, tensor<256xi32>)
    %43 = "sdy.sharding_constraint"(%42#0) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %44 = "sdy.sharding_constraint"(%42#1) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    "func.return"(%44) : (tensor<256xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<256xi32>, tensor<i32>) -> tensor<256xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<256xi32>, %arg9: tensor<i32>):
    %34 = "stablehlo.convert"(%arg9) : (tensor<i32>) -> tensor<i32>
    %35 = "sdy.sharding_constraint"(%34) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
    %37 = "sdy.sharding_constraint"(%36) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %38 = "stablehlo.maximum"(%37, %arg8) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %39 = "sdy.sharding_constraint"(%38) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    "func.return"(%39) : (tensor<256xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<256xi32>, tensor<i32>) -> tensor<256xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<256xi32>, %arg7: tensor<i32>):
    %7 = "stablehlo.convert"(%arg7) : (tensor<i32>) -> tensor<i32>
    %8 = "sdy.sharding_constraint"(%7) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
    %10 = "sdy.sharding_constraint"(%9) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %11 = "stablehlo.divide"(%arg6, %10) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %12 = "sdy.sharding_constraint"(%11) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %13 = "stablehlo.sign"(%arg6) : (tensor<256xi32>) -> tensor<256xi32>
    %14 = "stablehlo.sign"(%8) : (tensor<i32>) -> tensor<i32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
    %16 = "sdy.sharding_constraint"(%15) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %17 = "stablehlo.compare"(%13, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
    %18 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
    %19 = "sdy.sharding_constraint"(%18) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %20 = "stablehlo.remainder"(%arg6, %19) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %21 = "sdy.sharding_constraint"(%20) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
    %24 = "sdy.sharding_constraint"(%23) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %25 = "stablehlo.compare"(%21, %24) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
    %26 = "stablehlo.and"(%17, %25) : (tensor<256xi1>, tensor<256xi1>) -> tensor<256xi1>
    %27 = "sdy.sharding_constraint"(%26) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi1>) -> tensor<256xi1>
    %28 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
    %30 = "sdy.sharding_constraint"(%29) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %31 = "stablehlo.subtract"(%12, %30) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %32 = "sdy.sharding_constraint"(%31) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    %33 = "func.call"(%27, %32, %12) <{callee = @_where}> : (tensor<256xi1>, tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    "func.return"(%33) : (tensor<256xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<256xi1>, tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<256xi1>, %arg4: tensor<256xi32>, %arg5: tensor<256xi32>):
    %5 = "stablehlo.select"(%arg3, %arg4, %arg5) : (tensor<256xi1>, tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %6 = "sdy.sharding_constraint"(%5) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<256xi32>) -> tensor<256xi32>
    "func.return"(%6) : (tensor<256xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi32>) -> tensor<4xi32>, sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%4) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%3) : (tensor<4xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
