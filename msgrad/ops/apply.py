"""Steps of optimizers as operators: they write to Parameters in place, and give their values.

Where a CPU kernel of MindSpore leaves the results unwritten (Adam, AdamWeightDecay, ApplyRMSProp),
they are the new values here, as its documentation says. The optimizers themselves are in
``nn.optim``, steps in some rows alone in ``apply_sparse``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.op import Array, operator
from msgrad._core.registry import function
from msgrad.ops._checks import same_shape

Arrays = tuple[Array, ...]

# What the arguments are, under whatever Primitive: the arrays, and the numbers.
_ARRAYS = {
    "var variable parameters param": "Parameter that a step is made of, floating.",
    "m mean_gradient": "Parameter of the same shape: the mean of gradients.",
    "v mean_square": "Parameter of the same shape: the mean of their squares.",
    "vhat max_v": "Parameter of the same shape: the largest ``v`` so far.",
    "accum gradient_squared_accumulator": "Parameter of the same shape: what is summed up.",
    "accumulation gradient_accumulator": "Parameter of the same shape: gradients summed up.",
    "accum_update": "Parameter of the same shape: the mean of squares of changes.",
    "linear": "Parameter of the same shape: FTRL's linear term.",
    "moment": "Parameter of the same shape: changes summed up.",
    "stat": "Parameter of the same shape: above 0 before the first step.",
    "exp_avg": "Parameter of the same shape: the mean of changes.",
    "exp_avg_sq_row": "Parameter: the means of squares of rows.",
    "exp_avg_sq_col": "Parameter: the means of squares of columns.",
    "exp_avg_sq": "Parameter of the same shape: the mean of squares of what has one dimension.",
    "gradient grad delta": "Tensor, the gradient.",
    "indices": "int Tensor (L,): the rows that the gradient (L, ...) is of.",
}
_NUMBERS = {
    "beta1_power": "``beta1`` to the power of the step.",
    "beta2_power": "``beta2`` to the power of the step.",
    "lr learning_rate alpha": "The learning rate.",
    "beta1 beta rho": "What is kept of a mean.",
    "beta2": "What is kept of the mean of squares.",
    "epsilon eps": "Added to the root, or under it.",
    "decay": "The weight decay; of RMSProp, what is kept of a mean.",
    "weight_decay": "The weight decay.",
    "momentum": "What is kept of the accumulated gradient.",
    "global_norm": "What the gradient is divided by.",
    "global_step step": "The number of the step.",
    "loss_scale": "What the gradient is multiplied by.",
    "l1": "Strength of the absolute values.",
    "l2": "Strength of the squares.",
    "lr_power": "The power of ``accum``, at most 0.",
    "logbase": "The logarithm of the power's base.",
    "sign_decay": "How much the signs count.",
    "dampening": "What a gradient loses before it is accumulated.",
    "nesterov use_nesterov": "Whether to use Nesterov's form.",
    "amsgrad": "Whether to divide by the largest ``v`` so far.",
    "maximize": "Whether to climb.",
    "clip_threshold": "How large the root of the mean square of a change is at most.",
    "enable_scale_parameter": "Whether the rate grows with the parameter.",
    "enable_first_moment": "Whether changes are averaged.",
    "enable_weight_decay": "Whether there is weight decay.",
    "update_slots": "Whether what is summed up goes on.",
}
_ARRAYS, _NUMBERS = (
    {name: text for names, text in rows.items() for name in names.split()}
    for rows in (_ARRAYS, _NUMBERS)
)
_ABOUT = _ARRAYS | _NUMBERS
_OPTION = re.compile(r"(\w+)(?:: _)?(?: ?= ?([\w.-]+))?")


def written(
    name: str,
    state: int,
    primitive: str = "",
    *,
    gives: int | None = None,
    start: int = 0,
    numbers: str = "Operand",
    without: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a Primitive that writes to its first arguments what a kernel gives; a decorator.

    What the kernel's arguments are, the tables above say by their names.

    Args:
        name: Of the Primitive.
        state: How many arguments are written to; the kernel gives a value for each.
        primitive: The parameters of its constructor, which are static: bools, or else floats.
        gives: Which of the kernel's values it gives; None for all of them.
        start: Where the arguments that are written to begin.
        numbers: What numbers may be: ``Array`` where they have to be Tensors.
        without: An argument of the kernel that the Primitive does not have: None.
    """
    static = dict(_OPTION.findall(primitive))
    kinds = {
        **dict.fromkeys(_NUMBERS, numbers),
        **dict.fromkeys(_ARRAYS, "Array"),
        "indices": "Indices",
        **{n: "bool" if v in ("True", "False") else "float" for n, v in static.items()},
    }

    def decorate(kernel: Callable[..., Any]) -> Callable[..., Any]:
        declared = inspect.signature(kernel)
        own = [p for p in declared.parameters.values() if p.name != without]
        names = [p.name for p in own]
        # Not where a gradient is of some rows, or a mean is one of rows.
        whole = not {"indices", "exp_avg"} & {*names}
        alike = [place for place, n in enumerate(names) if whole and n in _ARRAYS]
        gap = [*declared.parameters].index(without) if without else 0

        @wraps(kernel)
        def step(*args: Any, **options: Any) -> Any:
            same_shape(*(args[place] for place in alike))
            args = (*args[:gap], None, *args[gap:]) if without else args
            return kernel(*args, **options)

        step.__signature__ = declared.replace(  # type: ignore[attr-defined]
            parameters=[p.replace(annotation=kinds[p.name]) for p in own]
        )
        compute = operator(name, public=False, product=True)(step)

        def call(*args: Any, **options: Any) -> Any:
            variables = args[start : start + state]
            for variable in variables:
                if not is_tensor(variable):
                    raise ArgumentTypeError(
                        f"For '{name}', arguments {start} to {start + state - 1} must be "
                        f"Parameters, but got {type(variable)}."
                    )
            results = compute(*args, **options)
            new = list(results) if isinstance(results, tuple) else [results]
            for variable, value in zip(variables, new, strict=False):
                variable._assign(value._peek())
            return results if gives is None else new[gives]

        call.__name__ = kernel.__name__
        told = "".join(f"    {n}: {_ABOUT[n]}\n" for n in inspect.signature(compute).parameters)
        call.__doc__ = f"{kernel.__doc__}\n\nArgs:\n{told}"
        call.__module__ = kernel.__module__
        call.__signature__ = inspect.signature(step)  # type: ignore[attr-defined]
        function(name=name, primitive=f"{name}({primitive})", public=False)(call)
        return compute

    return decorate


def _shrunk(x: Array, l1: Array) -> Array:
    """Return ``x`` nearer to 0 by ``l1``."""
    return jnp.sign(x) * jnp.maximum(jnp.abs(x) - l1, 0)


def _moments(m: Array, v: Array, grad: Array, beta1: Any, beta2: Any) -> Arrays:
    return m + (grad - m) * (1 - beta1), v + (jnp.square(grad) - v) * (1 - beta2)


def _by_moments(
    m: Array, v: Array, grad: Array, b1: Any, b2: Any, lr: Any, betas: Arrays, eps: Any, nes: bool
) -> Arrays:
    """Return Adam's change and moments."""
    m, v = _moments(m, v, grad, *betas)
    rate = lr * jnp.sqrt(1 - b2) / (1 - b1)
    way = betas[0] * m + (1 - betas[0]) * grad if nes else m
    return -(rate * way / (jnp.sqrt(v) + eps)), m, v


def by_adam(var: Array, m: Array, v: Array, grad: Array, *powers: Any) -> Arrays:
    change, m, v = _by_moments(m, v, grad, *powers)
    return var + change, m, v


@written("Adam", 3, "use_locking: _ = False, use_nesterov=False")
def _adam(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov
) -> Arrays:
    """Step by Adam."""
    powers = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon, use_nesterov)
    return by_adam(var, m, v, gradient, *powers)


@written("AdamNoUpdateParam", 2, "use_locking: _ = False, use_nesterov=False", gives=2)
def _adam_changes(
    m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov
) -> Arrays:
    """Return what Adam would add to the parameter."""
    powers = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon, use_nesterov)
    change, m, v = _by_moments(m, v, gradient, *powers)
    return m, v, change


def _decayed(var, m, v, lr, beta1, beta2, epsilon, decay, gradient, global_norm) -> Arrays:
    """Step by Adam without bias correction, with decoupled weight decay."""
    gradient = gradient.astype(m.dtype)
    gradient = gradient if global_norm is None else gradient / global_norm
    m, v = _moments(m, v, gradient, beta1, beta2)
    change = lr * (m / (jnp.sqrt(v) + epsilon) + decay * var)
    return (var - change).astype(var.dtype), m, v


_DECAYED = 3, "use_locking: _ = False"
_adam_weight_decay = written("AdamWeightDecay", *_DECAYED, without="global_norm")(_decayed)
_cast_decayed = written("FusedCastAdamWeightDecay", *_DECAYED)(_decayed)


@written("AdamW", 4)
def _adamw(
    var, m, v, max_v, gradient, step, lr, beta1, beta2, decay, eps, amsgrad=False, maximize=False
) -> Arrays:
    """Step by Adam with decoupled weight decay."""
    m, v = _moments(m, v, jnp.where(maximize, -gradient, gradient).astype(m.dtype), beta1, beta2)
    max_v = jnp.where(amsgrad, jnp.maximum(max_v, v), max_v)
    root = jnp.sqrt(jnp.where(amsgrad, max_v, v) / (1 - beta2**step)) + eps
    change = lr * (m / (1 - beta1**step) / root + decay * var)
    return (var - change).astype(var.dtype), m, v, max_v


def _amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad) -> Arrays:
    """Step by Adam, divided by the largest mean of squares so far."""
    m, v = _moments(m, v, grad, beta1, beta2)
    vhat = jnp.maximum(vhat, v)
    rate = lr * jnp.sqrt(1 - beta2_power) / (1 - beta1_power)
    return var - rate * m / (jnp.sqrt(vhat) + epsilon), m, v, vhat


_apply_amsgrad_v2 = written("ApplyAdamWithAmsgradV2", 4, "use_locking: _ = False")(_amsgrad)


@written("ApplyAdamWithAmsgrad", 4, "beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking: _ = False")
def _apply_amsgrad(
    var, m, v, vhat, beta1_power, beta2_power, lr, grad, beta1, beta2, epsilon
) -> Arrays:
    """Step by Adam, divided by the largest mean of squares so far."""
    return _amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)


@written("ApplyAdaMax", 3)
def _ada_max(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad) -> Arrays:
    """Step by AdaMax: Adam with the largest gradient for the mean of squares."""
    m = beta1 * m + (1 - beta1) * grad
    v = jnp.maximum(beta2 * v, jnp.abs(grad))
    return var - lr / (1 - beta1_power) * m / (v + epsilon), m, v


@written("ApplyAdadelta", 3)
def _adadelta(var, accum, accum_update, lr, rho, epsilon, grad) -> Arrays:
    """Step by Adadelta."""
    accum = rho * accum + (1 - rho) * jnp.square(grad)
    update = jnp.sqrt(accum_update + epsilon) / jnp.sqrt(accum + epsilon) * grad
    return var - lr * update, accum, rho * accum_update + (1 - rho) * jnp.square(update)


@written("ApplyAdagrad", 2, "update_slots=True")
def _adagrad(var, accum, lr, grad, update_slots) -> Arrays:
    """Step by Adagrad; ``update_slots`` says whether the sum of squares goes on."""
    accum = accum + jnp.square(grad) if update_slots else accum
    return var - lr * grad / jnp.sqrt(accum), accum


@written("ApplyAdagradV2", 2, "epsilon, update_slots=True")
def _adagrad_v2(var, accum, lr, grad, epsilon, update_slots) -> Arrays:
    """Step by Adagrad, with a number added to the root."""
    accum = accum + jnp.square(grad) if update_slots else accum
    return var - lr * grad / (jnp.sqrt(accum) + epsilon), accum


@written("ApplyAdagradDA", 3, "use_locking: _ = False", gives=0)
def _adagrad_da(
    var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step
) -> Arrays:
    """Step by Adagrad's dual averaging."""
    total = gradient_accumulator + grad
    squares = gradient_squared_accumulator + jnp.square(grad)
    pull = -_shrunk(total, l1 * global_step)
    new = lr * pull / (l2 * global_step * lr + jnp.sqrt(squares))
    return new, total, squares


@written("ApplyAddSign", 2)
def _add_sign(var, m, lr, alpha, sign_decay, beta, grad) -> Arrays:
    """Step along the gradient, further where its sign is that of its mean."""
    m = beta * m + (1 - beta) * grad
    return var - lr * (alpha + sign_decay * jnp.sign(grad) * jnp.sign(m)) * grad, m


@written("ApplyPowerSign", 2)
def _power_sign(var, m, lr, logbase, sign_decay, beta, grad) -> Arrays:
    """Step along the gradient, further where its sign is that of its mean, by a power."""
    m = beta * m + (1 - beta) * grad
    return var - lr * jnp.exp(logbase * sign_decay * jnp.sign(grad) * jnp.sign(m)) * grad, m


@written("ApplyCenteredRMSProp", 4, "use_locking: _ = False", gives=0)
def _centered_rms_prop(
    var, mean_gradient, mean_square, moment, grad, learning_rate, decay, momentum, epsilon
) -> Arrays:
    """Step by RMSProp, divided by the root of the variance."""
    mean = decay * mean_gradient + (1 - decay) * grad
    square = decay * mean_square + (1 - decay) * jnp.square(grad)
    root = jnp.sqrt(square - jnp.square(mean) + epsilon)
    moment = momentum * moment + learning_rate * grad / root
    return var - moment, mean, square, moment


@written("ApplyRMSProp", 3, "use_locking: _ = False", gives=0)
def _rms_prop(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon) -> Arrays:
    """Step by RMSProp."""
    return by_rms(var, mean_square, moment, grad, learning_rate, decay, momentum, epsilon)


def by_rms(
    var: Array, square: Array, moment: Array, grad: Array, lr: Any, decay: Any, mass: Any, eps: Any
) -> Arrays:
    square = decay * square + (1 - decay) * jnp.square(grad)
    moment = mass * moment + lr * grad / jnp.sqrt(square + eps)
    return var - moment, square, moment


def by_ftrl(
    var: Array, accum: Array, linear: Array, grad: Array, lr: Any, l1: Any, l2: Any, lr_power: Any
) -> Arrays:
    """Step by FTRL."""
    new = accum + jnp.square(grad)
    change = (new**-lr_power - accum**-lr_power) / lr
    linear = linear + grad - change * var
    return -_shrunk(linear, l1) / (new**-lr_power / lr + 2 * l2), new, linear


_ftrl = written("ApplyFtrl", 3, "use_locking: _ = False", gives=0)(by_ftrl)


@written("ApplyGradientDescent", 1)
def _gradient_descent(var, alpha, delta) -> Array:
    """Step along a gradient."""
    return var - alpha * delta


@written(
    "ApplyMomentum",
    2,
    "use_nesterov=False, use_locking: _ = False, gradient_scale: _ = 1.0",
    gives=0,
)
def _momentum(variable, accumulation, learning_rate, gradient, momentum, use_nesterov) -> Arrays:
    """Step along an accumulated gradient; ``gradient_scale`` is without effect."""
    accum = momentum * accumulation + gradient
    way = gradient + momentum * accum if use_nesterov else accum
    return variable - learning_rate * way, accum


@written("FusedWeightScaleApplyMomentum", 2, gives=0, start=2)
def _scaled_momentum(
    weight_decay, loss_scale, variable, accumulation, learning_rate, gradient, momentum
) -> Arrays:
    """Step along an accumulated gradient, which is scaled, with weight decay."""
    accum = momentum * accumulation + (variable * weight_decay + gradient) * loss_scale
    return variable - learning_rate * accum, accum


def _proximal(var: Array, rate: Any, l1: Any, l2: Any) -> Array:
    return _shrunk(var, rate * l1) / (1 + rate * l2)


def by_proximal(var: Array, accum: Array, grad: Array, lr: Any, l1: Any, l2: Any) -> Arrays:
    accum = accum + jnp.square(grad)
    rate = lr / jnp.sqrt(accum)
    return _proximal(var - rate * grad, rate, l1, l2), accum


@written("ApplyProximalAdagrad", 2, "use_locking: _ = False")
def _proximal_adagrad(var, accum, lr, l1, l2, grad) -> Arrays:
    """Step by Adagrad, then towards 0."""
    return by_proximal(var, accum, grad, lr, l1, l2)


@written("ApplyProximalGradientDescent", 1)
def _proximal_descent(var, alpha, l1, l2, delta) -> Array:
    """Step along a gradient, then towards 0."""
    return _proximal(var - alpha * delta, alpha, l1, l2)


@written("SGD", 6, "dampening=0.0, weight_decay=0.0, nesterov=False", gives=0, numbers="Array")
def _sgd(
    parameters, gradient, learning_rate, accum, momentum, stat, dampening, weight_decay, nesterov
) -> Arrays:
    """Step by gradient descent with momentum; ``stat`` is above 0 before the first step."""
    grad = gradient + weight_decay * parameters
    new = jnp.where(stat > 0, grad, accum * momentum + (1 - dampening) * grad)
    way = grad + momentum * new if nesterov else new
    changed = parameters - learning_rate * way
    return changed, gradient, learning_rate, new, momentum, jnp.minimum(stat, 0)


def _mean_square(x: Array) -> Array:
    return jnp.sqrt(jnp.square(x).mean())


def _ada_factor(
    epsilon,
    clip_threshold,
    beta1,
    beta2,
    weight_decay,
    learning_rate,
    gradient,
    param,
    exp_avg,
    exp_avg_sq_row,
    exp_avg_sq_col,
    exp_avg_sq,
    global_norm,
    enable_scale_parameter,
    enable_first_moment,
    enable_weight_decay,
) -> Arrays:
    """Step by Adafactor, whose mean of squares is a product of rows and columns."""
    gradient = gradient if global_norm is None else gradient / global_norm
    squares = jnp.square(gradient) + epsilon[0]
    row, col, sq = exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq
    if param.ndim >= 2:
        row = beta2 * row + (1 - beta2) * squares.mean(-1)
        col = beta2 * col + (1 - beta2) * squares.mean(-2)
        mean = (row / row.mean(-1, keepdims=True))[..., None] * col[..., None, :]
    else:
        mean = sq = beta2 * sq + (1 - beta2) * squares
    update = gradient / jnp.sqrt(mean)
    update = update / jnp.maximum(1, _mean_square(update) / clip_threshold)
    rate = learning_rate
    if enable_scale_parameter:
        rate = rate * jnp.maximum(epsilon[1], _mean_square(param))
    update = rate * update
    if enable_first_moment:
        exp_avg = update = beta1 * exp_avg + (1 - beta1) * update
    decayed = param * (1 - weight_decay * rate) if enable_weight_decay else param
    return decayed - update, exp_avg, row, col, sq


_OF_FACTOR = "enable_scale_parameter=False, enable_first_moment=False, enable_weight_decay=False"
_of_factor = partial(written, state=5, primitive=_OF_FACTOR, gives=0, start=7, numbers="Array")
_fused_ada_factor = _of_factor("FusedAdaFactor", without="global_norm")(_ada_factor)
_ada_factor_scaled = _of_factor("FusedAdaFactorWithGlobalNorm")(_ada_factor)
