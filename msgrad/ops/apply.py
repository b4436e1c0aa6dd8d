"""One step of an optimizer as an operator: it writes to Parameters in place, and gives their values.

Where MindSpore's CPU kernel leaves the results unwritten (Adam, AdamWeightDecay, ApplyRMSProp, ...),
they are the new values here, as its documentation says. The optimizers themselves are in
``nn.optim``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Indices, Operand, operator
from msgrad._core.registry import function

Arrays = tuple[Array, ...]


def _written(
    name: str, state: int, primitive: str = "", *, gives: int | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a Primitive that writes to its first arguments what a kernel gives; a decorator.

    Args:
        name: Of the Primitive.
        state: How many arguments are written to; the kernel gives a value for each.
        primitive: The parameters of its constructor.
        gives: Which of the kernel's values it gives; None for all of them.
    """

    def decorate(kernel: Callable[..., Any]) -> Callable[..., Any]:
        compute = operator(name, public=False)(kernel)

        def call(*args: Any, **options: Any) -> Any:
            for variable in args[:state]:
                if not is_tensor(variable):
                    raise ArgumentTypeError(
                        f"For '{name}', the first {state} arguments must be Parameters, but got "
                        f"{type(variable)}."
                    )
            new = compute(*args, **options)
            new = new if isinstance(new, tuple) else (new,)
            for variable, value in zip(args[:state], new, strict=False):
                variable._assign(value._peek())
            if gives is not None:
                return new[gives]
            return new if len(new) > 1 else new[0]

        call.__name__ = kernel.__name__
        call.__doc__ = kernel.__doc__
        call.__module__ = kernel.__module__
        call.__signature__ = inspect.signature(kernel)  # type: ignore[attr-defined]
        function(name=name, primitive=f"{name}({primitive})", public=False)(call)
        return compute

    return decorate


def _alike(*arrays: Array) -> None:
    if len({a.shape for a in arrays}) > 1:
        raise ArgumentValueError(
            f"the Tensors must have one shape, but got {', '.join(str(a.shape) for a in arrays)}."
        )


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


@_written("Adam", 3, "use_locking: _ = False, use_nesterov=False")
def _adam(
    var: Array,
    m: Array,
    v: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    gradient: Array,
    use_nesterov: bool,
) -> Arrays:
    """Step by Adam."""
    _alike(var, m, v, gradient)
    powers = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon, use_nesterov)
    change, m, v = _by_moments(m, v, gradient, *powers)
    return var + change, m, v


@_written("AdamNoUpdateParam", 2, "use_locking: _ = False, use_nesterov=False", gives=2)
def _adam_changes(
    m: Array,
    v: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    gradient: Array,
    use_nesterov: bool,
) -> Arrays:
    """Return what Adam would add to the parameter."""
    _alike(m, v, gradient)
    powers = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon, use_nesterov)
    change, m, v = _by_moments(m, v, gradient, *powers)
    return m, v, change


def _decayed(
    var: Array,
    m: Array,
    v: Array,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    decay: Operand,
    gradient: Array,
) -> Arrays:
    """Step by Adam without bias correction, with decoupled weight decay."""
    _alike(var, m, v, gradient)
    m, v = _moments(m, v, gradient.astype(m.dtype), beta1, beta2)
    change = lr * (m / (jnp.sqrt(v) + epsilon) + decay * var)
    return (var - change).astype(var.dtype), m, v


_adam_weight_decay = _written("AdamWeightDecay", 3, "use_locking: _ = False")(_decayed)


@_written("FusedCastAdamWeightDecay", 3, "use_locking: _ = False")
def _cast_decayed(
    var: Array,
    m: Array,
    v: Array,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    decay: Operand,
    gradient: Array,
    global_norm: Operand,
) -> Arrays:
    """Step as AdamWeightDecay, by a float16 gradient that is divided by a norm first."""
    scaled = gradient.astype(m.dtype) / global_norm
    return _decayed(var, m, v, lr, beta1, beta2, epsilon, decay, scaled)


def _amsgrad(
    var: Array,
    m: Array,
    v: Array,
    vhat: Array,
    b1: Any,
    b2: Any,
    lr: Any,
    betas: Any,
    eps: Any,
    grad: Array,
) -> Arrays:
    _alike(var, m, v, vhat, grad)
    m, v = _moments(m, v, grad, *betas)
    vhat = jnp.maximum(vhat, v)
    rate = lr * jnp.sqrt(1 - b2) / (1 - b1)
    return var - rate * m / (jnp.sqrt(vhat) + eps), m, v, vhat


@_written("ApplyAdamWithAmsgrad", 4, "beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking: _ = False")
def _apply_amsgrad(
    var: Array,
    m: Array,
    v: Array,
    vhat: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    grad: Array,
    beta1: float,
    beta2: float,
    epsilon: float,
) -> Arrays:
    """Step by Adam, divided by the largest mean of squares so far."""
    given = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon)
    return _amsgrad(var, m, v, vhat, *given, grad)


@_written("ApplyAdamWithAmsgradV2", 4, "use_locking: _ = False")
def _apply_amsgrad_v2(
    var: Array,
    m: Array,
    v: Array,
    vhat: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    grad: Array,
) -> Arrays:
    """Step by Adam, divided by the largest mean of squares so far."""
    given = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon)
    return _amsgrad(var, m, v, vhat, *given, grad)


@_written("ApplyAdaMax", 3)
def _ada_max(
    var: Array,
    m: Array,
    v: Array,
    beta1_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    grad: Array,
) -> Arrays:
    """Step by AdaMax: Adam with the largest gradient for the mean of squares."""
    _alike(var, m, v, grad)
    m = beta1 * m + (1 - beta1) * grad
    v = jnp.maximum(beta2 * v, jnp.abs(grad))
    return var - lr / (1 - beta1_power) * m / (v + epsilon), m, v


@_written("ApplyAdadelta", 3)
def _adadelta(
    var: Array,
    accum: Array,
    accum_update: Array,
    lr: Operand,
    rho: Operand,
    epsilon: Operand,
    grad: Array,
) -> Arrays:
    """Step by Adadelta."""
    _alike(var, accum, accum_update, grad)
    accum = rho * accum + (1 - rho) * jnp.square(grad)
    update = jnp.sqrt(accum_update + epsilon) / jnp.sqrt(accum + epsilon) * grad
    return var - lr * update, accum, rho * accum_update + (1 - rho) * jnp.square(update)


@_written("ApplyAdagrad", 2, "update_slots=True")
def _adagrad(var: Array, accum: Array, lr: Operand, grad: Array, update_slots: bool) -> Arrays:
    """Step by Adagrad; ``update_slots`` says whether the sum of squares goes on."""
    _alike(var, accum, grad)
    accum = accum + jnp.square(grad) if update_slots else accum
    return var - lr * grad / jnp.sqrt(accum), accum


@_written("ApplyAdagradV2", 2, "epsilon, update_slots=True")
def _adagrad_v2(
    var: Array, accum: Array, lr: Operand, grad: Array, epsilon: float, update_slots: bool
) -> Arrays:
    """Step by Adagrad, with a number added to the root."""
    _alike(var, accum, grad)
    accum = accum + jnp.square(grad) if update_slots else accum
    return var - lr * grad / (jnp.sqrt(accum) + epsilon), accum


@_written("ApplyAdagradDA", 3, "use_locking: _ = False", gives=0)
def _adagrad_da(
    var: Array,
    gradient_accumulator: Array,
    gradient_squared_accumulator: Array,
    grad: Array,
    lr: Operand,
    l1: Operand,
    l2: Operand,
    global_step: Operand,
) -> Arrays:
    """Step by Adagrad's dual averaging."""
    _alike(var, gradient_accumulator, gradient_squared_accumulator, grad)
    total = gradient_accumulator + grad
    squares = gradient_squared_accumulator + jnp.square(grad)
    pull = -_shrunk(total, l1 * global_step)
    new = lr * pull / (l2 * global_step * lr + jnp.sqrt(squares))
    return new, total, squares


@_written("ApplyAddSign", 2)
def _add_sign(
    var: Array,
    m: Array,
    lr: Operand,
    alpha: Operand,
    sign_decay: Operand,
    beta: Operand,
    grad: Array,
) -> Arrays:
    """Step along the gradient, further where its sign is that of its mean."""
    _alike(var, m, grad)
    m = beta * m + (1 - beta) * grad
    return var - lr * (alpha + sign_decay * jnp.sign(grad) * jnp.sign(m)) * grad, m


@_written("ApplyPowerSign", 2)
def _power_sign(
    var: Array,
    m: Array,
    lr: Operand,
    logbase: Operand,
    sign_decay: Operand,
    beta: Operand,
    grad: Array,
) -> Arrays:
    """Step along the gradient, further where its sign is that of its mean, by a power."""
    _alike(var, m, grad)
    m = beta * m + (1 - beta) * grad
    return var - lr * jnp.exp(logbase * sign_decay * jnp.sign(grad) * jnp.sign(m)) * grad, m


@_written("ApplyCenteredRMSProp", 4, "use_locking: _ = False", gives=0)
def _centered_rms_prop(
    var: Array,
    mean_gradient: Array,
    mean_square: Array,
    moment: Array,
    grad: Array,
    learning_rate: Operand,
    decay: Operand,
    momentum: Operand,
    epsilon: Operand,
) -> Arrays:
    """Step by RMSProp, divided by the root of the variance."""
    _alike(var, mean_gradient, mean_square, moment, grad)
    mean = decay * mean_gradient + (1 - decay) * grad
    square = decay * mean_square + (1 - decay) * jnp.square(grad)
    root = jnp.sqrt(square - jnp.square(mean) + epsilon)
    moment = momentum * moment + learning_rate * grad / root
    return var - moment, mean, square, moment


@_written("ApplyRMSProp", 3, "use_locking: _ = False", gives=0)
def _rms_prop(
    var: Array,
    mean_square: Array,
    moment: Array,
    learning_rate: Operand,
    grad: Array,
    decay: Operand,
    momentum: Operand,
    epsilon: Operand,
) -> Arrays:
    """Step by RMSProp."""
    _alike(var, mean_square, moment, grad)
    square = decay * mean_square + (1 - decay) * jnp.square(grad)
    moment = momentum * moment + learning_rate * grad / jnp.sqrt(square + epsilon)
    return var - moment, square, moment


def _by_ftrl(
    var: Array, accum: Array, linear: Array, grad: Array, lr: Any, l1: Any, l2: Any, power: Any
) -> Arrays:
    new = accum + jnp.square(grad)
    change = (new**-power - accum**-power) / lr
    linear = linear + grad - change * var
    return -_shrunk(linear, l1) / (new**-power / lr + 2 * l2), new, linear


@_written("ApplyFtrl", 3, "use_locking: _ = False", gives=0)
def _ftrl(
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    lr: Operand,
    l1: Operand,
    l2: Operand,
    lr_power: Operand,
) -> Arrays:
    """Step by FTRL."""
    _alike(var, accum, linear, grad)
    return _by_ftrl(var, accum, linear, grad, lr, l1, l2, lr_power)


@_written("ApplyGradientDescent", 1)
def _gradient_descent(var: Array, alpha: Operand, delta: Array) -> Array:
    """Step along a gradient."""
    _alike(var, delta)
    return var - alpha * delta


@_written(
    "ApplyMomentum",
    2,
    "use_nesterov=False, use_locking: _ = False, gradient_scale: _ = 1.0",
    gives=0,
)
def _momentum(
    variable: Array,
    accumulation: Array,
    learning_rate: Operand,
    gradient: Array,
    momentum: Operand,
    use_nesterov: bool,
) -> Arrays:
    """Step along an accumulated gradient; ``gradient_scale`` has no effect on a CPU."""
    _alike(variable, accumulation, gradient)
    accum = momentum * accumulation + gradient
    way = gradient + momentum * accum if use_nesterov else accum
    return variable - learning_rate * way, accum


@_written("FusedWeightScaleApplyMomentum", 2, gives=0)
def _scaled_momentum(
    variable: Array,
    accumulation: Array,
    weight_decay: Operand,
    scale: Operand,
    learning_rate: Operand,
    gradient: Array,
    momentum: Operand,
) -> Arrays:
    """Step along an accumulated gradient, which is scaled, with weight decay."""
    _alike(variable, accumulation, gradient)
    accum = momentum * accumulation + (variable * weight_decay + gradient) * scale
    return variable - learning_rate * accum, accum


def _proximal(var: Array, rate: Any, l1: Any, l2: Any) -> Array:
    return _shrunk(var, rate * l1) / (1 + rate * l2)


@_written("ApplyProximalAdagrad", 2, "use_locking: _ = False")
def _proximal_adagrad(
    var: Array, accum: Array, lr: Operand, l1: Operand, l2: Operand, grad: Array
) -> Arrays:
    """Step by Adagrad, then towards 0."""
    _alike(var, accum, grad)
    accum = accum + jnp.square(grad)
    rate = lr / jnp.sqrt(accum)
    return _proximal(var - rate * grad, rate, l1, l2), accum


@_written("ApplyProximalGradientDescent", 1)
def _proximal_descent(var: Array, alpha: Operand, l1: Operand, l2: Operand, delta: Array) -> Array:
    """Step along a gradient, then towards 0."""
    _alike(var, delta)
    return _proximal(var - alpha * delta, alpha, l1, l2)


@_written("SGD", 6, "dampening=0.0, weight_decay=0.0, nesterov=False", gives=0)
def _sgd(
    parameters: Array,
    gradient: Array,
    learning_rate: Array,
    accum: Array,
    momentum: Array,
    stat: Array,
    dampening: float,
    weight_decay: float,
    nesterov: bool,
) -> Arrays:
    """Step by gradient descent with momentum; ``stat`` is above 0 before the first step."""
    _alike(parameters, gradient, accum, stat)
    grad = gradient + weight_decay * parameters
    new = jnp.where(stat > 0, grad, accum * momentum + (1 - dampening) * grad)
    way = grad + momentum * new if nesterov else new
    changed = parameters - learning_rate * way
    return changed, gradient, learning_rate, new, momentum, jnp.minimum(stat, 0)


def _rows(
    rule: Callable[..., Arrays], state: Arrays, grad: Array, indices: Indices, *given: Any
) -> Arrays:
    """Return a state of which the rows that have a gradient are changed by a rule.

    Rows of one index are added up first; ``rule`` takes the state and a gradient of its shape.
    """
    if indices.ndim != 1 or grad.shape != (indices.size, *state[0].shape[1:]):
        raise ArgumentValueError(
            "there must be a row of the gradient for each of the indices, of which there is one "
            f"dimension, but got a gradient {grad.shape} and indices {indices.shape}."
        )
    whole = jnp.zeros_like(state[0]).at[indices].add(grad)
    named = jnp.zeros(state[0].shape[0], bool).at[indices].set(True)
    named = named.reshape(-1, *(1,) * (grad.ndim - 1))
    new = rule(*state, whole, *given)
    return tuple(jnp.where(named, n, old) for n, old in zip(new, state, strict=True))


@_written("FusedSparseAdam", 3, "use_locking: _ = False, use_nesterov=False")
def _sparse_adam(
    var: Array,
    m: Array,
    v: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    gradient: Array,
    indices: Indices,
    use_nesterov: bool,
) -> Arrays:
    """Step by Adam, where all rows but those of the indices have a gradient of 0."""
    whole = jnp.zeros_like(var).at[indices].add(gradient)
    powers = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon, use_nesterov)
    change, m, v = _by_moments(m, v, whole, *powers)
    return var + change, m, v


@_written("FusedSparseLazyAdam", 3, "use_locking: _ = False, use_nesterov=False")
def _lazy_adam(
    var: Array,
    m: Array,
    v: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    gradient: Array,
    indices: Indices,
    use_nesterov: bool,
) -> Arrays:
    """Step by Adam in the rows of the indices; the others stay, also their moments."""
    powers = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon, use_nesterov)

    def rule(var: Array, m: Array, v: Array, grad: Array) -> Arrays:
        change, m, v = _by_moments(m, v, grad, *powers)
        return var + change, m, v

    return _rows(rule, (var, m, v), gradient, indices)


@_written("SparseApplyAdagrad", 2, "lr, update_slots=True, use_locking: _ = False")
def _sparse_adagrad(
    var: Array, accum: Array, grad: Array, indices: Indices, lr: float, update_slots: bool
) -> Arrays:
    """Step by Adagrad in the rows of the indices."""
    return _rows(_adagrad_rows, (var, accum), grad, indices, lr, 0.0, update_slots)


@_written("SparseApplyAdagradV2", 2, "lr, epsilon, use_locking: _ = False, update_slots=True")
def _sparse_adagrad_v2(
    var: Array,
    accum: Array,
    grad: Array,
    indices: Indices,
    lr: float,
    epsilon: float,
    update_slots: bool,
) -> Arrays:
    """Step by Adagrad in the rows of the indices, with a number added under the root."""
    return _rows(_adagrad_rows, (var, accum), grad, indices, lr, epsilon, update_slots)


def _adagrad_rows(
    var: Array, accum: Array, grad: Array, lr: float, epsilon: float, update_slots: bool
) -> Arrays:
    accum = accum + jnp.square(grad) if update_slots else accum
    return var - lr * grad / jnp.sqrt(accum + epsilon), accum


def _sparse_ftrl(
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    indices: Indices,
    lr: float,
    l1: float,
    l2: float,
    lr_power: float,
) -> Arrays:
    """Step by FTRL in the rows of the indices."""
    return _rows(_by_ftrl, (var, accum, linear), grad, indices, lr, l1, l2, lr_power)


_FTRL = "lr, l1, l2, lr_power, use_locking: _ = False"
_sparse_apply_ftrl = _written("SparseApplyFtrl", 3, _FTRL)(_sparse_ftrl)
_fused_sparse_ftrl = _written("FusedSparseFtrl", 3, _FTRL)(_sparse_ftrl)


@_written("FusedSparseProximalAdagrad", 2, "use_locking: _ = False")
def _sparse_proximal(
    var: Array,
    accum: Array,
    lr: Operand,
    l1: Operand,
    l2: Operand,
    grad: Array,
    indices: Indices,
) -> Arrays:
    """Step by Adagrad, then towards 0, in the rows of the indices."""

    def rule(var: Array, accum: Array, grad: Array) -> Arrays:
        accum = accum + jnp.square(grad)
        rate = lr / jnp.sqrt(accum)
        return _proximal(var - rate * grad, rate, l1, l2), accum

    return _rows(rule, (var, accum), grad, indices)
