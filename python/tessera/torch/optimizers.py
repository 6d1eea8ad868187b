"""SGD, Adam and AdamW with PyTorch's arithmetic: the same operations in the same order, so that losses agree.

The state of a parameter is a dictionary of tensors by PyTorch's names. The number of the step is one for all parameters; learning rates are arguments of every step, one for each
group of parameters, so that schedules may change them.
"""

import math

import jax.numpy as jnp
import numpy as np


def _sgd(parameter, gradient, state, step, lr, options):
    if options["weight_decay"]:
        gradient = gradient + options["weight_decay"] * parameter
    if options["momentum"]:
        buffer = options["momentum"] * state["momentum_buffer"] + (1 - options["dampening"]) * gradient
        if options["dampening"]:  # The first one is the gradient itself.
            buffer = jnp.where(step == 1, gradient, buffer)
        state = {"momentum_buffer": buffer}
        gradient = gradient + options["momentum"] * buffer if options["nesterov"] else buffer
    return parameter - lr.astype(parameter.dtype) * gradient, state


def _adam(parameter, gradient, state, step, lr, options):
    first, second = options["betas"]
    if options["weight_decay"] and options["decoupled_weight_decay"]:
        parameter = parameter * (1 - lr * options["weight_decay"]).astype(parameter.dtype)
    elif options["weight_decay"]:
        gradient = gradient + options["weight_decay"] * parameter
    average = state["exp_avg"] + (1 - first) * (gradient - state["exp_avg"])
    squares = second * state["exp_avg_sq"] + (1 - second) * (gradient * gradient)
    new = {"exp_avg": average, "exp_avg_sq": squares}
    if options["amsgrad"]:
        squares = new["max_exp_avg_sq"] = jnp.maximum(state["max_exp_avg_sq"], squares)
    root = jnp.sqrt(squares) / jnp.sqrt(_correction(second, step)).astype(squares.dtype)
    rate = (lr / _correction(first, step)).astype(parameter.dtype)
    return parameter - rate * (average / (root + options["eps"])), new


def _correction(beta, step):
    """1 - beta^step, exact to the last bits also where that is small."""
    return -jnp.expm1(step * math.log(beta)) if beta else jnp.ones_like(step)


def _sgd_moments(options):
    return ["momentum_buffer"] if options["momentum"] else []


def _adam_moments(options):
    return ["exp_avg", "exp_avg_sq"] + (["max_exp_avg_sq"] if options["amsgrad"] else [])


# By the name of PyTorch's class: how a parameter is updated, and which tensors that keeps.
RULES = {"SGD": (_sgd, _sgd_moments), "Adam": (_adam, _adam_moments), "AdamW": (_adam, _adam_moments)}
_OPTIONS = ("betas", "eps", "weight_decay", "amsgrad", "momentum", "dampening", "nesterov", "maximize", "decoupled_weight_decay")


class Optimizer:
    """The update of all parameters.

    kind     the name of PyTorch's class.
    groups   of each group the options as a dictionary, without the learning rate.
    members  the name of a parameter -> the number of its group.
    """

    def __init__(self, kind, groups, members):
        if kind not in RULES:
            raise ValueError(f"expected an optimizer of {', '.join(RULES)}, got {kind}; without one, a step gives gradients to any optimizer of PyTorch")
        self.kind, self.groups, self.members = kind, groups, members
        self.rule, self.moments = RULES[kind]

    def initial(self, parameters):
        """Zeros for a dictionary of parameters: {name of the state: {name of the parameter: array}}."""
        state = {}
        for name, parameter in parameters.items():
            for moment in self.moments(self.groups[self.members[name]]):
                state.setdefault(moment, {})[name] = np.zeros_like(parameter)
        return state

    def update(self, parameters, gradients, state, step, rates):
        """New parameters and state; `step` is the number of this step as a float32, `rates` has one number per group."""
        new_parameters, new_state = {}, {moment: {} for moment in state}
        for name, parameter in parameters.items():
            options, lr = self.groups[self.members[name]], rates[self.members[name]]
            gradient = -gradients[name] if options["maximize"] else gradients[name]
            own = {moment: tensors[name] for moment, tensors in state.items() if name in tensors}
            new_parameters[name], own = self.rule(parameter, gradient, own, step, lr, options)
            for moment, tensor in own.items():
                new_state[moment][name] = tensor.astype(parameter.dtype)
        return new_parameters, new_state


def clip_gradients(gradients, limit):
    """Gradients whose norm over all of them is `limit` at most, as `torch.nn.utils.clip_grad_norm_` leaves them."""
    total = jnp.sqrt(sum(jnp.sum(jnp.square(gradient.astype(jnp.float32))) for gradient in gradients.values()))
    factor = jnp.minimum(limit / (total + 1e-6), 1.0)
    return {name: gradient * factor.astype(gradient.dtype) for name, gradient in gradients.items()}


def read_optimizer(optimizer, names):
    """The `Optimizer` for one of PyTorch's; `names` has the name of each trained parameter by its identity."""
    groups, members = [], {}
    for number, group in enumerate(optimizer.param_groups):
        groups.append({option: group[option] for option in _OPTIONS if option in group})
        groups[-1].setdefault("maximize", False)
        groups[-1].setdefault("decoupled_weight_decay", type(optimizer).__name__ == "AdamW")
        for parameter in group["params"]:
            if id(parameter) in names:
                members[names[id(parameter)]] = number
    return Optimizer(type(optimizer).__name__, groups, members)


def read_state(optimizer, names):
    """({name of the state: {name of the parameter: tensor}}, number of steps so far) of one of PyTorch's optimizers."""
    state, steps = {}, set()
    for parameter, own in optimizer.state.items():
        for moment, tensor in own.items():
            if moment == "step":
                steps.add(int(tensor))
            elif tensor is not None and id(parameter) in names:
                state.setdefault(moment, {})[names[id(parameter)]] = tensor
    if len(steps) > 1:
        raise ValueError(f"expected an optimizer whose parameters have made the same number of steps, got {sorted(steps)}")
    # SGD does not count: with momenta it has made a step at least, so that the next one is not the first.
    return state, steps.pop() if steps else int(bool(state))


def learning_rates(optimizer):
    return [float(group["lr"]) for group in optimizer.param_groups]
