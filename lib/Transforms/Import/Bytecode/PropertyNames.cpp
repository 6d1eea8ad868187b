//===- PropertyNames.cpp - what the numbers of a property list mean -------===//
//
// From VHLO 0.15 on (version 5 of the format) an operation that its writer
// knows has a list of numbers for its attributes, without their names: MLIR
// writes them in the order of their names.
//
//===----------------------------------------------------------------------===//

#include "Bytecode/Operations.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {
struct PropertyList {
  StringLiteral operation;
  /// With spaces between them.
  StringLiteral names;
};
} // namespace

// Operations of VHLO that are not here have none. A version at the end of a
// name, as in VHLO, stands for just that version.
static constexpr PropertyList kPropertyLists[] = {
    {"builtin.module", "sym_name? sym_visibility?"},
    {"builtin.unrealized_conversion_cast", ""},
    {"sdy.manual_computation", "in_shardings manual_axes out_shardings"},
    {"sdy.mesh", "mesh sym_name"},
    {"sdy.named_computation", "in_shardings? name out_shardings?"},
    {"sdy.propagation_barrier", "allowed_direction"},
    {"sdy.reshard", "sharding"},
    {"sdy.return", ""},
    {"sdy.sharding_constraint", "sharding"},
    {"sdy.sharding_group", "group_id"},
    {"vhlo.all_gather",
     "all_gather_dim channel_id replica_groups use_global_device_ids"},
    {"vhlo.all_reduce", "channel_id replica_groups use_global_device_ids"},
    {"vhlo.all_to_all",
     "channel_id concat_dimension replica_groups split_count split_dimension"},
    {"vhlo.batch_norm_grad", "epsilon feature_index"},
    {"vhlo.batch_norm_inference", "epsilon feature_index"},
    {"vhlo.batch_norm_training", "epsilon feature_index"},
    {"vhlo.broadcast", "broadcast_sizes"},
    {"vhlo.broadcast_in_dim", "broadcast_dimensions"},
    {"vhlo.call", "callee"},
    {"vhlo.cbrt_v2", "result_accuracy"},
    {"vhlo.cholesky", "lower"},
    {"vhlo.collective_broadcast_v1", "channel_id replica_groups"},
    {"vhlo.collective_broadcast_v2",
     "channel_id has_dynamic_root replica_groups"},
    {"vhlo.collective_permute", "channel_id source_target_pairs"},
    {"vhlo.collective_reduce",
     "channel_id has_dynamic_root replica_groups use_global_device_ids"},
    {"vhlo.compare", "compare_type comparison_direction"},
    {"vhlo.composite", "composite_attributes decomposition name version"},
    {"vhlo.concatenate", "dimension"},
    {"vhlo.constant", "value"},
    {"vhlo.convolution",
     "batch_group_count feature_group_count input_batch_dimension "
     "input_feature_dimension input_spatial_dimensions "
     "kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation output_batch_dimension "
     "output_feature_dimension output_spatial_dimensions padding "
     "precision_config rhs_dilation window_reversal window_strides"},
    {"vhlo.cosine_v2", "result_accuracy"},
    {"vhlo.cross-replica-sum", "replica_groups"},
    {"vhlo.custom_call_v1",
     "api_version backend_config call_target_name called_computations "
     "has_side_effect operand_layouts output_operand_aliases result_layouts"},
    {"vhlo.custom_call_v2",
     "api_version backend_config call_target_name called_computations "
     "has_side_effect operand_layouts output_operand_aliases result_layouts "
     "result_tilings"},
    {"vhlo.dot", "precision_config"},
    {"vhlo.dot_general_v1",
     "lhs_batching_dimensions lhs_contracting_dimensions precision_config "
     "rhs_batching_dimensions rhs_contracting_dimensions"},
    {"vhlo.dot_general_v2",
     "accumulation_type allow_imprecise_accumulation lhs_batching_dimensions "
     "lhs_component_count lhs_contracting_dimensions lhs_precision_type "
     "num_primitive_operations precision_config rhs_batching_dimensions "
     "rhs_component_count rhs_contracting_dimensions rhs_precision_type"},
    {"vhlo.dynamic_broadcast_in_dim",
     "broadcast_dimensions known_expanding_dimensions "
     "known_nonexpanding_dimensions"},
    {"vhlo.dynamic_conv_v1",
     "batch_group_count feature_group_count input_batch_dimension "
     "input_feature_dimension input_spatial_dimensions "
     "kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation output_batch_dimension "
     "output_feature_dimension output_spatial_dimensions padding "
     "precision_config rhs_dilation window_reversal window_strides"},
    {"vhlo.dynamic_conv_v2",
     "batch_group_count feature_group_count input_batch_dimension "
     "input_feature_dimension input_spatial_dimensions "
     "kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation output_batch_dimension "
     "output_feature_dimension output_spatial_dimensions precision_config "
     "rhs_dilation window_reversal window_strides"},
    {"vhlo.dynamic_gather_v1",
     "collapsed_slice_dims index_vector_dim "
     "indices_are_sorted offset_dims start_index_map"},
    {"vhlo.dynamic_gather_v2",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
     "operand_batching_dims start_index_map start_indices_batching_dims"},
    {"vhlo.dynamic_iota", "iota_dimension"},
    {"vhlo.dynamic_slice", "slice_sizes"},
    {"vhlo.einsum", "einsum_config"},
    {"vhlo.exponential_minus_one_v2", "result_accuracy"},
    {"vhlo.exponential_v2", "result_accuracy"},
    {"vhlo.fft", "fft_length fft_type"},
    {"vhlo.func", "arg_attrs function_type res_attrs sym_name sym_visibility"},
    {"vhlo.gather_v1",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
     "slice_sizes start_index_map"},
    {"vhlo.gather_v2",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
     "operand_batching_dims slice_sizes start_index_map "
     "start_indices_batching_dims"},
    {"vhlo.get_dimension_size", "dimension"},
    {"vhlo.get_tuple_element", "index"},
    {"vhlo.infeed", "infeed_config layout"},
    {"vhlo.iota", "iota_dimension"},
    {"vhlo.log_plus_one_v2", "result_accuracy"},
    {"vhlo.log_v2", "result_accuracy"},
    {"vhlo.logistic_v2", "result_accuracy"},
    {"vhlo.map", "dimensions"},
    {"vhlo.outfeed", "outfeed_config"},
    {"vhlo.pad", "edge_padding_high edge_padding_low interior_padding"},
    {"vhlo.recv_v1", "channel_id channel_type is_host_transfer"},
    {"vhlo.recv_v2",
     "channel_id channel_type is_host_transfer source_target_pairs"},
    {"vhlo.reduce", "dimensions"},
    {"vhlo.reduce_precision", "exponent_bits mantissa_bits"},
    {"vhlo.reduce_scatter",
     "channel_id replica_groups scatter_dimension use_global_device_ids"},
    {"vhlo.reduce_window", "base_dilations padding window_dilations "
                           "window_dimensions window_strides"},
    {"vhlo.reverse", "dimensions"},
    {"vhlo.rng", "rng_distribution"},
    {"vhlo.rng_bit_generator", "rng_algorithm"},
    {"vhlo.rsqrt_v2", "result_accuracy"},
    {"vhlo.scatter_v1",
     "index_vector_dim indices_are_sorted inserted_window_dims "
     "scatter_dims_to_operand_dims unique_indices update_window_dims"},
    {"vhlo.scatter_v2",
     "index_vector_dim indices_are_sorted input_batching_dims "
     "inserted_window_dims scatter_dims_to_operand_dims "
     "scatter_indices_batching_dims unique_indices update_window_dims"},
    {"vhlo.select_and_scatter", "padding window_dimensions window_strides"},
    {"vhlo.send_v1", "channel_id channel_type is_host_transfer"},
    {"vhlo.send_v2",
     "channel_id channel_type is_host_transfer source_target_pairs"},
    {"vhlo.set_dimension_size", "dimension"},
    {"vhlo.sine_v2", "result_accuracy"},
    {"vhlo.slice", "limit_indices start_indices strides"},
    {"vhlo.sort", "dimension is_stable"},
    {"vhlo.sqrt_v2", "result_accuracy"},
    {"vhlo.tan_v2", "result_accuracy"},
    {"vhlo.tanh_v2", "result_accuracy"},
    {"vhlo.torch_index_select", "batch_dims dim"},
    {"vhlo.transpose", "permutation"},
    {"vhlo.triangular_solve", "left_side lower transpose_a unit_diagonal"},
    {"vhlo.unary_einsum", "einsum_config"},
};

static const llvm::StringMap<StringRef> &propertyLists() {
  static const llvm::StringMap<StringRef> byName = [] {
    llvm::StringMap<StringRef> lists;
    for (const PropertyList &list : kPropertyLists)
      lists[list.operation] = list.names;
    return lists;
  }();
  return byName;
}

std::optional<SmallVector<StringRef>>
tessera::importer::findPropertyNames(const BytecodeFile::OperationName &name) {
  std::string full = (name.dialect + "." + name.name).str();
  auto found = propertyLists().find(full);
  if (found == propertyLists().end())
    found = propertyLists().find(StringRef(full).rsplit("_v").first);
  if (found == propertyLists().end())
    return std::nullopt;
  SmallVector<StringRef> names;
  found->second.split(names, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return names;
}
