"""From the tensor-parallel plans of transformers: dictionaries from module paths to styles (`base_model_tp_plan`)."""

# What a style asks of the module's parameters. Styles that only say where activations are split or summed ask nothing: propagation finds that.
_STYLES = {
    "colwise": "colwise({axis})",
    "colwise_rep": "colwise({axis})",
    "colwise_gather_output": "colwise({axis})",
    "local_colwise": "colwise({axis})",
    "packed_colwise": "packed(2) colwise({axis})",
    "local_packed_rowwise": "packed(2) rowwise({axis})",
    "packed_rowwise": "packed(2) rowwise({axis})",
    "rowwise": "rowwise({axis})",
    "rowwise_rep": "rowwise({axis})",
    "rowwise_split_input": "rowwise({axis})",
    "local_rowwise": "rowwise({axis})",
    "embedding_rowwise": "vocab({axis})",
    "grouped_gemm": "experts({experts})",
    "ep_dispatch_experts": "experts({experts})",
    "sequence_parallel": "sequence({axis})",
    "replicated_with_grad_allreduce": "replicate",
    "replicate": "replicate",
    "mla_kv_a_proj": "replicate",
    "ep_router": "replicate",
    "moe_tp_experts": None,
    "gather": None,
    "local": None,
}


def from_transformers(tp_plan, axis="model", experts=None, mesh=None, default="open"):
    """A plan from a model's tensor-parallel plan.

    tp_plan  a dictionary as `config.base_model_tp_plan` or `model._tp_plan`: the path of a module or parameter, `*` for a number, to the
             name of a style.
    axis     the mesh axis that the plan splits over; `experts` the one that experts are split over, the same by default.
    mesh     sizes of the mesh axes, for the plan.
    default  what becomes of other parameters, as in a plan.

    As in transformers, an entry for a parameter, or for a module inside of another, holds before that of the module around it. Styles without
    a counterpart raise ValueError.
    """
    rules = []
    for path, style in sorted(tp_plan.items(), key=lambda entry: -len(entry[0].split("."))):
        if style not in _STYLES:
            raise ValueError(f"expected a known style ({', '.join(_STYLES)}), got '{style}' for '{path}'")
        if action := _STYLES[style]:
            rules.append({"match": f"{path}.**", "style": action.format(axis=axis, experts=experts or axis)})
    plan = {"mesh": dict(mesh)} if mesh else {}
    return {**plan, "rules": rules, "default": default}
