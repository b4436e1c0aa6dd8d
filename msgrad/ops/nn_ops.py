"""Activations, layer normalisation, the dense product and the functional embedding.

``losses`` and ``random`` have more; plain look-up is ``gather``.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import of_type, one_of, within
from msgrad._core.declared import Sizes
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    KernelError,
    UnsupportedError,
)
from msgrad._core.op import Array, Indices, Operand, operator
from msgrad._core.promotion import (
    as_inexact,
    broadcast,
    convert,
    is_float,
    promote,
    require_inexact,
    wide,
)
from msgrad._core.registry import function, spelling
from msgrad._core.rounding import mean_of
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, normal_axis, of_shape, refuse, same_type
from msgrad.ops.arithmetic import _ONE
from msgrad.ops.primitive import primitive
from msgrad.ops.reduction import once
from msgrad.ops.selecting import gather


@operator("Softmax", method="(axis, dtype=None)", primitive="(axis=-1)", checks=True, product=True)
def softmax(input: Array, axis: int = -1, *, dtype: Any = None) -> Array:
    """Compute exponentials that sum to 1 along ``axis``.

    Args:
        input: Tensor, floating.
        axis: int.
        dtype: Converted to before computing.

    Raises:
        TypeError: For an integer Tensor without ``dtype``, or an axis that is not an int.
        ValueError: If the axis is out of range.
    """
    refuse(input, jnp.complexfloating)
    x = input if dtype is None else input.astype(mstype.to_numpy(dtype))
    at = normal_axis(axis, x.ndim)
    return softmax_of(wide(require_inexact(x)), at).astype(x.dtype)


def _below_most(x: Array, axis: int) -> Array:
    """Return ``x`` without its maximum, to which the exponential's quotients are alike."""
    most = lax.reduce_max(lax.stop_gradient(x), (axis,))
    return x - lax.expand_dims(most, (axis,))


def _sum_along(x: Array, axis: int) -> Array:
    return lax.expand_dims(lax.reduce_sum(x, (axis,)), (axis,))


def softmax_of(x: Array, axis: int) -> Array:
    """Return the softmax of inexact numbers along an axis from 0 on."""
    powers = jnp.exp(_below_most(x, axis))
    return powers / _sum_along(powers, axis)


def log_softmax_of(x: Array, axis: int) -> Array:
    """Return the logarithm of ``softmax_of`` in a stable form."""
    below = _below_most(x, axis)
    return below - jnp.log(_sum_along(jnp.exp(below), axis))


@operator("LogSoftmax", primitive="(axis=-1)")
def log_softmax(logits: Array, axis: int = -1) -> Array:
    """Compute the logarithm of ``softmax`` in a stable form."""
    # In a number there is an axis 0 to MindSpore, for this operator alone.
    if logits.ndim == 0 and axis == 0:
        return jnp.zeros_like(require_inexact(logits))
    at = normal_axis(axis, logits.ndim)
    return log_softmax_of(wide(require_inexact(logits)), at).astype(logits.dtype)


@function
def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """Compute the softmax of the negated Tensor."""
    return softmax(-x, axis, dtype=dtype)


@operator("ReLU", primitive=True, int_grad=True)
def relu(input: Array, inplace: bool = False) -> Array:
    """Compute ``max(x, 0)``; its gradient at 0 is 0. ``inplace`` is accepted and has no effect."""
    refuse(input, jnp.complexfloating)
    # Selected by hand it takes half as long to trace, and steps of convolutions a third longer.
    return input if input.dtype == jnp.bool_ else jax.nn.relu(input)


@operator("ReLU6", primitive=True)
def relu6(x: Array) -> Array:
    """Compute ``min(max(x, 0), 6)``; its gradient is 0 at 0 and 1 at 6."""
    x = require_inexact(x)
    return lax.select((x > 0) & (x <= 6), x, jnp.clip(lax.stop_gradient(x), 0, 6))


@operator("GeLU", product=True)
def gelu(input: Array, approximate: str = "none") -> Array:
    """Compute ``x * Phi(x)`` with the normal distribution function, or its tanh approximation.

    Raises:
        ValueError: If ``approximate`` is neither ``'none'`` nor ``'tanh'``.
    """
    refuse(input, jnp.complexfloating)
    one_of("gelu", "approximate", approximate, "none", "tanh")
    return jax.nn.gelu(require_inexact(input), approximate=approximate == "tanh")


@operator("FastGeLU", product=True)
def fast_gelu(x: Array) -> Array:
    """Compute ``x * sigmoid(1.702 * x)``."""
    return x * jax.nn.sigmoid(1.702 * require_inexact(x))


@operator("LeakyReLU", int_grad=True)
def leaky_relu(input: Array, alpha: float = 0.2) -> Array:
    """Return ``x`` where positive, ``alpha * x`` elsewhere; the gradient at 0 is the mean of
    both.
    """
    refuse(input, jnp.complexfloating)
    # Of integers the slope is an integer too.
    slope = alpha if is_float(input.dtype) else int(alpha)
    scaled = (input * slope).astype(input.dtype)
    return (lax.max if alpha <= 1 else lax.min)(input, scaled)


@operator("Elu", primitive="(alpha=1.0)")
def elu(input_x: Array, alpha: float = 1.0) -> Array:
    """Return ``x`` where positive and ``exp(x) - 1`` elsewhere.

    Raises:
        ValueError: If ``alpha`` is not 1, the only value that MindSpore accepts.
    """
    need(alpha == 1.0, "alpha must be 1.0", alpha)
    return jax.nn.elu(require_inexact(input_x))


_SELU_ALPHA = 1.6732632423543772
_SELU_SCALE = 1.0507009873554805


@operator("SeLU", primitive=True, also={"input": "input_x"}, product=True)
def selu(input_x: Array) -> Array:
    """Compute the scaled exponential linear unit.

    Differs from MindSpore: its CPU gradient is wrong below 0; here it is the derivative.
    """
    x = require_inexact(input_x)
    below = _SELU_ALPHA * jnp.expm1(jnp.minimum(x, 0))
    return _SELU_SCALE * jnp.where(x >= 0, x, below)


@operator("CeLU", primitive="(alpha=1.0)")
def celu(x: Array, alpha: float = 1.0) -> Array:
    """Return ``x`` where positive and ``alpha * (exp(x / alpha) - 1)`` elsewhere."""
    need(alpha, "the 'alpha' must be another number than 0", alpha)
    return jax.nn.celu(require_inexact(x), alpha)


@operator("SiLU", primitive=True, product=True)
def silu(input: Array) -> Array:
    """Compute ``x * sigmoid(x)``."""
    return jax.nn.silu(require_inexact(input))


@operator("hardtanh", int_grad=True)
def hardtanh(input: Array, min_val: float = -1.0, max_val: float = 1.0) -> Array:
    """Clip to [min_val, max_val]; its gradient is 0.5 at the edges."""
    x = input.astype(jnp.result_type(input.dtype, min_val, max_val))
    low, high = (jnp.full(x.shape, v, x.dtype) for v in (min_val, max_val))
    return lax.min(lax.max(x, low), high).astype(input.dtype)


def _signed(x: Array) -> Array:
    refuse(x, jnp.bool_, jnp.unsignedinteger, jnp.complexfloating)
    return as_inexact(x)


@operator("HSwish", primitive=True, int_grad=True)
def hardswish(input: Array) -> Array:
    """Compute ``x * relu6(x + 3) / 6``; of signed integers cut to integers."""
    x = _signed(input)
    # The branch that is not taken must be finite: its gradient counts.
    inner = jnp.where(jnp.abs(x) > 3, 0, x)
    found = jnp.where(x > 3, x, jnp.where(x < -3, 0, inner * (inner + 3) / 6))
    return found.astype(input.dtype)


@operator("HSigmoid", primitive=True)
def hardsigmoid(input: Array) -> Array:
    """Compute ``relu6(x + 3) / 6``, of signed integers cut; its gradient is 0 at the edges."""
    x = _signed(input)
    found = jnp.where(jnp.abs(x) >= 3, (x > 0).astype(x.dtype), (x + 3) / 6)
    return found.astype(input.dtype)


@operator("Softplus", primitive=True)
def _softplus(input: Array, beta: Operand = _ONE, threshold: float = 20) -> Array:
    """Compute ``log(1 + exp(x))``."""
    x = require_inexact(input)
    if jnp.size(beta) != 1:
        raise ArgumentValueError(f"the 'beta' must be one number, but got shape {beta.shape}.")
    beta = jnp.asarray(beta, x.dtype).reshape(())
    return jnp.where(x * beta > threshold, x, jax.nn.softplus(x * beta) / beta)


@function
def softplus(input: Tensor, beta: Tensor | float = 1, threshold: float = 20) -> Tensor:
    """Compute ``log(1 + exp(beta * x)) / beta``, and ``x`` itself where ``beta * x >
    threshold``.

    Args:
        input: Tensor, floating.
        beta: A number, or a Tensor of one element, which has its gradient.
        threshold: A number.

    Raises:
        ValueError: If ``beta`` is the number 0.
    """
    if not is_tensor(beta) and beta == 0:
        raise ArgumentValueError(f"the 'beta' must be another number than 0, but got {beta}.")
    return _softplus(input, beta, threshold)


@operator("Mish", primitive=True, product=True)
def mish(x: Array) -> Array:
    """Compute ``x * tanh(softplus(x))``."""
    return jax.nn.mish(require_inexact(x))


@operator("PReLU", primitive=True)
def prelu(input: Array, weight: Array) -> Array:
    """Return ``x`` where positive and ``weight * x`` elsewhere.

    Args:
        input: Tensor (N, C, ...).
        weight: Tensor (1,) or (C,).

    Raises:
        ValueError: If ``weight`` has another length.
    """
    channels = input.shape[1] if input.ndim > 1 else 1
    if weight.ndim != 1 or weight.shape[0] not in (1, channels):
        raise ArgumentValueError(
            f"the length of 'weight' must be 1 or equal to number of channels: {channels}, but got "
            f"shape {list(weight.shape)}."
        )
    slope = weight.reshape(-1, *(1,) * (input.ndim - 2)) if input.ndim else weight.reshape(())
    product = jnp.multiply(*promote(slope, input))
    return jnp.where(input > 0, input, product.astype(input.dtype))


@operator("logsigmoid")
def logsigmoid(x: Array) -> Array:
    """Compute ``log(sigmoid(x))`` in a stable form."""
    return jax.nn.log_sigmoid(require_inexact(x))


@operator("Softsign", primitive=True)
def softsign(x: Array) -> Array:
    """Compute ``x / (1 + abs(x))``."""
    return jax.nn.soft_sign(require_inexact(x))


@operator("SoftShrink", primitive="(lambd=0.5)")
def softshrink(input: Array, lambd: float = 0.5) -> Array:
    """Bring elements nearer to 0 by ``lambd``; those within become 0."""
    refuse(input, jnp.bool_, jnp.integer, jnp.complexfloating)
    if lambd < 0:
        raise KernelError(f"the 'lambd' must not be negative, but got {lambd}.")
    return jnp.where(jnp.abs(input) > lambd, input - jnp.sign(input) * lambd, 0)


@operator("HShrink", primitive="(lambd=0.5)", method=True)
def hardshrink(input: Array, lambd: float = 0.5) -> Array:
    """Make 0 of the elements within ``[-lambd, lambd]``."""
    refuse(input, jnp.bool_, jnp.integer, jnp.complexfloating)
    return jnp.where(jnp.abs(input) <= lambd, 0, input)


@operator("tanhshrink", int_grad=True)
def tanhshrink(input: Array) -> Array:
    """Compute ``x - tanh(x)``."""
    refuse(input, jnp.bool_)
    x = as_inexact(input)
    return x - jnp.tanh(x)


@operator("threshold")
def threshold(input: Array, thr: float, value: float) -> Array:
    """Return ``x`` where above ``thr`` and ``value`` elsewhere."""
    return jnp.where(input > thr, input, convert(jnp.asarray(value), input.dtype))


@operator("GLU", primitive="(axis=-1)", product=True)
def glu(x: Array, axis: int = -1) -> Array:
    """Return the first half of ``axis`` times the sigmoid of the second."""
    first, second = jnp.split(x, 2, normal_axis(axis, x.ndim))
    return first * jax.nn.sigmoid(second)


@operator("Dense", primitive=True, int_grad=True)
def dense(input: Array, weight: Array, bias: Array | None = None) -> Array:
    """Compute ``input @ weight.T + bias``.

    Args:
        input: Tensor (..., in).
        weight: Tensor (out, in), or (in,).
        bias: Tensor (out,), or None.

    Returns:
        Tensor (..., out).

    Raises:
        TypeError: If the dtypes differ or are bool.
        ValueError: If the sizes of ``in`` differ.
    """
    if input.dtype != weight.dtype or input.dtype == jnp.bool_:
        raise ArgumentTypeError(
            "the type of 'x2' should be same as 'x1' and not bool, but got 'x1' with type "
            f"{input.dtype} and 'x2' with type {weight.dtype}."
        )
    if input.shape[-1:] != weight.shape[-1:]:
        raise ArgumentValueError(
            f"Dense shape error, got x_col: {input.shape[-1:]}, w_row: {weight.shape[-1:]}; the "
            "last dimensions of input and weight should be equal."
        )
    product = lax.dot_general(input, weight, (((input.ndim - 1,), (weight.ndim - 1,)), ((), ())))
    # In one step, not through one dimension after the other: so is the sum that is its gradient.
    if bias is not None and bias.shape == product.shape[-1:]:
        bias = broadcast(bias, product.shape)
    return product if bias is None else product + bias


def _standardised(x: Array, axes: tuple[int, ...], eps: float) -> tuple[Array, Array, Array]:
    x = once(wide(require_inexact(x)))
    middle = mean_of(x, axes, True)
    apart = x - middle
    variance = mean_of(lax.square(apart), axes, True)
    return apart * lax.rsqrt(variance + eps), middle, variance


@operator("LayerNorm")
def _layer_norm(
    input: Array,
    weight: Array | None,
    bias: Array | None,
    normalized_shape: Sizes,
    eps: float = 1e-5,
) -> Array:
    """Normalise over the last dimensions, then scale and shift.

    Args:
        input: Tensor ``(..., *normalized_shape)``, floating.
        normalized_shape: int, tuple or list of ints.
        weight: Tensor of ``normalized_shape``, or None.
        bias: Tensor of ``normalized_shape``, or None.
        eps: Added to the variance.

    Raises:
        ValueError: If ``normalized_shape`` is not the end of the input's shape.
    """
    sizes = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
    ndim = len(sizes)
    fits = ndim and input.shape[-ndim:] == sizes
    need(fits, "the normalized shape must be the last dimensions", input, sizes)
    out, _, _ = _standardised(input, tuple(range(-ndim, 0)), eps)
    return _scaled(out, weight, bias).astype(input.dtype)


def _scaled(x: Array, weight: Array | None, bias: Array | None) -> Array:
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


layer_norm = spelling(
    "layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5)", _layer_norm
)


@operator("LayerNorm", primitive="(...)", product=True)
def _layer_norm_stats(
    x: Array,
    gamma: Array,
    beta: Array,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
    epsilon: float = 1e-7,
) -> tuple[Array, Array, Array]:
    """Normalize over the last dimensions, then scale and shift.

    Args:
        x: Tensor, floating.
        gamma: The factors, of the shape of ``x`` from ``begin_params_axis`` on.
        beta: What is added, of the same shape.
        begin_norm_axis: The first dimension that is normalized over.
        begin_params_axis: The first dimension of ``gamma`` and ``beta``.
        epsilon: Added to the variance.

    Returns:
        The result, the means and the variances.
    """
    first = normal_axis(begin_norm_axis, x.ndim, "begin_norm_axis")
    start = normal_axis(begin_params_axis, x.ndim, "begin_params_axis")
    if gamma.shape != x.shape[start:] or beta.shape != x.shape[start:]:
        raise ArgumentValueError(
            f"gamma or beta shape must match input shape, but got input shape: {list(x.shape)}, "
            f"gamma shape: {list(gamma.shape)}, beta shape: {list(beta.shape)}."
        )
    out, mean, variance = _standardised(x, tuple(range(first, x.ndim)), epsilon)
    return (out * gamma + beta).astype(x.dtype), mean, variance


@operator("BiasAdd", primitive="(data_format='NCHW')")
def _bias_add(input_x: Array, bias: Array, data_format: str) -> Array:
    """Add one number to each channel.

    Args:
        input_x: Tensor of 2 to 5 dimensions.
        bias: Tensor (C,) of the same dtype.
        data_format: ``'NCHW'``, ``'NHWC'`` or ``'NCDHW'``: which dimension the channels are.
    """
    channel = input_x.ndim - 1 if data_format == "NHWC" else 1
    same_type(input_x, bias)
    of_shape(bias, "bias", input_x.shape[channel])
    sizes = [-1 if d == channel else 1 for d in range(input_x.ndim)]
    return jnp.add(*promote(input_x, bias.reshape(sizes)))


bias_add = spelling(
    "bias_add(input_x, bias, _: data_format = 'NCHW')",
    _bias_add,
    """Add a bias (C,) along the second dimension of (N, C, ...).

    Raises:
        TypeError: If the dtypes differ.
        ValueError: If the bias has another length.
    """,
)


def _gelu_by_tanh(x: Tensor) -> Tensor:
    """Return ``x`` times the normal distribution function of ``x``, approximated by ``tanh``."""
    return gelu(x, "tanh")


FastGelu = FastGeLU = primitive("FastGeLU", fast_gelu)
GeLU = Gelu = primitive("GeLU", _gelu_by_tanh)
soft_shrink = softshrink


@operator("Embedding")
def _untrained_row(rows: Array, ids: Indices, padding_idx: int) -> Array:
    return jnp.where((ids == padding_idx)[..., None], lax.stop_gradient(rows), rows)


@function
def embedding(
    input: Tensor,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Look up rows of a table.

    Args:
        input: int Tensor of any shape.
        weight: Parameter or Tensor (rows, size).
        padding_idx: A row that gets no gradient; a negative one counts from the end.
        max_norm: None.
        norm_type: Not used without ``max_norm``.
        scale_grad_by_freq: False.

    Returns:
        Tensor ``(*input.shape, size)``.

    Raises:
        TypeError: If ``padding_idx`` is not an int, or the input not an int Tensor.
        ValueError: If it is out of range.
        RuntimeError: If a number in ``input`` is out of range (checked on the CPU).
        NotImplementedError: For ``max_norm`` or ``scale_grad_by_freq``.
    """
    if max_norm is not None or scale_grad_by_freq:
        raise UnsupportedError(
            "ops.embedding has no 'max_norm' and no 'scale_grad_by_freq' here; scale the table "
            "with ops.clip_by_norm, or its gradient, before the call."
        )
    rows = gather(weight, input, 0)
    if padding_idx is None:
        return rows
    of_type("", "padding_idx", padding_idx, int)
    count = weight.shape[0]
    within("", "padding_idx", padding_idx, f"[{-count}, {count})")
    return _untrained_row(rows, input, padding_idx % count)
