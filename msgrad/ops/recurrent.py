"""Recurrent networks over a sequence, by ``lax.scan``, and sequences of several lengths.

The projection of the inputs is one product for the whole sequence; only that of the state is in the
loop. Gates stand in the order of MindSpore's weights: LSTM input, forget, cell, output; GRU reset,
update, new. Layers and single steps are in ``nn``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from msgrad._core.checks import at_least
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, Arrays, Indices, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import floating, need, normal_axis, of_ints, of_rank, of_shape, same_type
from msgrad.ops.reduction import once

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}

State = tuple[Array, ...]


def _lstm_step(projected: Array, recurrent: Array, state: State) -> State:
    entry, forget, cell, out = jnp.split(projected + recurrent, 4, -1)
    kept = jax.nn.sigmoid(forget) * state[1] + jax.nn.sigmoid(entry) * jnp.tanh(cell)
    return jax.nn.sigmoid(out) * jnp.tanh(kept), kept


def _gru(projected: Array, recurrent: Array, state: State) -> State:
    reset_x, update_x, new_x = jnp.split(projected, 3, -1)
    reset_h, update_h, new_h = jnp.split(recurrent, 3, -1)
    reset, update = jax.nn.sigmoid(reset_x + reset_h), jax.nn.sigmoid(update_x + update_h)
    new = jnp.tanh(new_x + reset * new_h)
    return (new + update * (state[0] - new),)


_STEPS: dict[str, Callable[[Array, Array, State], State]] = {
    "LSTM": _lstm_step,
    "GRU": _gru,
    "RNN_TANH": lambda projected, recurrent, _: (jnp.tanh(projected + recurrent),),
    "RNN_RELU": lambda projected, recurrent, _: (jax.nn.relu(projected + recurrent),),
}


def _projected(x: Array, weight: Array, bias: Array | None) -> Array:
    product = jnp.matmul(x, weight.T)
    return product if bias is None else product + bias


def _check_floats(x: Array, state: Arrays) -> None:
    floating(x)
    for part in state:
        if part.dtype != x.dtype:
            raise ArgumentTypeError(
                f"the type of 'hx' should be same as 'x', but got 'x' with type {x.dtype} and 'hx' "
                f"with type {part.dtype}."
            )


def _check_width(x: Array, weight: Array) -> None:
    fits = x.shape[-1] == weight.shape[1]
    need(fits, f"the last dimension of the input must be {weight.shape[1]}", x)


@operator("RNNCell", public=False)
def recurrent_step(
    x: Array,
    state: Arrays,
    w_ih: Array,
    w_hh: Array,
    b_ih: Array | None,
    b_hh: Array | None,
    kind: str,
) -> tuple[Array, ...]:
    """Compute one step of a recurrent network; for the Cells.

    Args:
        x: Tensor (N, input), floating.
        state: One Tensor (N, hidden), for LSTM two.
        w_ih: Tensor (gates * hidden, input).
        w_hh: Tensor (gates * hidden, hidden).
        b_ih: Tensor (gates * hidden,), or None.
        b_hh: The same.
        kind: A key of ``GATES``.

    Returns:
        The new state.
    """
    for part in (x, *state):
        of_rank(part, 2, label="input and state")
        same_type(part, w_ih)
    _check_width(x, w_ih)
    _check_width(state[0], w_hh)
    recurrent = _projected(state[0], w_hh, b_hh)
    return tuple(map(once, _STEPS[kind](_projected(x, w_ih, b_ih), recurrent, tuple(state))))


@operator("LSTM", public=False)
def recurrent_layer(
    x: Array,
    state: Arrays,
    w_ih: Array,
    w_hh: Array,
    b_ih: Array | None,
    b_hh: Array | None,
    seq_length: Indices | None,
    kind: str,
    reverse: bool,
) -> tuple[Array, ...]:
    """Run one direction of one layer of a recurrent network over a sequence.

    Args:
        x: Tensor (L, N, input), floating; the parameters are cast to its dtype.
        state, w_ih, w_hh, b_ih, b_hh, kind: As for ``recurrent_step``.
        seq_length: int Tensor (N,): how long each sequence is; what is behind it gives zeros and
            leaves the state. None: all of L.
        reverse: Whether to run from the end (of each sequence) to the start.

    Returns:
        Tensor (L, N, hidden), and the last state.
    """
    _check_floats(x, state)
    _check_width(x, w_ih)
    of_shape(state[0], "hx", x.shape[1], w_hh.shape[1])
    w_ih, w_hh = w_ih.astype(x.dtype), w_hh.astype(x.dtype)
    b_ih, b_hh = (None if b is None else b.astype(x.dtype) for b in (b_ih, b_hh))
    compute = _STEPS[kind]
    projected = _projected(x, w_ih, b_ih)

    def whole(carried: State, projected: Array) -> tuple[State, Array]:
        new = compute(projected, _projected(carried[0], w_hh, b_hh), carried)
        return new, new[0]

    def step(carried: State, one: tuple[Array, Array]) -> tuple[State, Array]:
        projected, inside = one
        new, _ = whole(carried, projected)
        new = tuple(jnp.where(inside, n, old) for n, old in zip(new, carried, strict=True))
        return new, jnp.where(inside, new[0], 0)

    if seq_length is None:
        last, out = lax.scan(whole, tuple(state), projected, reverse=reverse)
        return out, *last
    inside = jnp.arange(x.shape[0])[:, None, None] < seq_length[None, :, None]
    # Backwards, the scan meets what lies behind a sequence first, and the state passes it.
    last, out = lax.scan(step, tuple(state), (projected, inside), reverse=reverse)
    return out, *last


def check_lengths(name: str, lengths: Any, batch: int) -> None:
    """Raise ``ValueError`` unless there is one length for each of ``batch`` sequences."""
    if lengths.shape != (batch,):
        raise ArgumentValueError(
            f"For '{name}' batch size of x and seq_length must be equal, but got {batch} of x and "
            f"{lengths.shape[0] if lengths.ndim else lengths.shape} of seq_length."
        )


@operator(
    "ReverseSequence",
    primitive="(seq_dim, batch_dim=0)",
    method="(seq_lengths, seq_dim=0, batch_dim=0)",
    int_grad=True,
)
def reverse_sequence(x: Array, seq_lengths: Indices, seq_dim: int, batch_dim: int = 0) -> Array:
    """Reverse the first elements of each sequence.

    Args:
        x: Tensor.
        seq_lengths: int Tensor (N,): how many elements of each sequence.
        seq_dim: The dimension along which elements follow one another.
        batch_dim: The dimension of the N sequences.
    """
    seq, batch = (normal_axis(axis, x.ndim) for axis in (seq_dim, batch_dim))
    fits = seq != batch and seq_lengths.shape == (x.shape[batch],)
    need(fits, "the dimensions must differ, and each sequence have a length", x, seq_lengths)
    of_ints(seq_lengths, "lengths")
    lengths = seq_lengths.astype(jnp.int32)
    lengths = lengths.reshape([-1 if d == batch else 1 for d in range(x.ndim)])
    steps = jnp.arange(x.shape[seq]).reshape([-1 if d == seq else 1 for d in range(x.ndim)])
    return jnp.take_along_axis(x, jnp.where(steps < lengths, lengths - 1 - steps, steps), seq)


@operator("sequence_mask")
def _mask(lengths: Indices, maxlen: int) -> Array:
    of_ints(lengths, "lengths")
    return jnp.arange(maxlen) < lengths[..., None]


@function
def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    """Return True for the first elements of sequences.

    Args:
        lengths: int Tensor (...): how many.
        maxlen: The length of the result; by default the largest of ``lengths``, whose values must
            then be known.

    Returns:
        bool Tensor (..., maxlen).
    """
    most = maxlen
    if most is None:  # by NumPy: JAX's largest mixes widths while 64 bits are only explicit
        most = int(np.asarray(lengths._concrete("sequence_mask")).max())
    at_least("", "maxlen", most, 1)
    return _mask(lengths, most)


def unpacked_weights(
    w: Array, directions: int, gates: int, input_size: int, hidden_size: int, has_bias: bool
) -> tuple[Array, Array, Any]:
    """Return what stands one after the other in ``w``: for each direction the weights of the inputs
    (gates, input_size), those of the state (gates, hidden_size), and the biases, None for none.
    """
    ends = np.cumsum([directions * gates * n for n in (input_size, hidden_size, has_bias)])
    need(w.size >= ends[-1], f"w must have {ends[-1]} elements", w)
    inputs, states, biases = (
        part.reshape(directions, gates, -1)
        for part in jnp.split(w.reshape(-1)[: ends[-1]], ends[:-1])
    )
    return inputs, states, biases[..., 0] if has_bias else [None] * directions


@operator("LSTM", primitive="(...)")
def _lstm(
    x: Array,
    h: Array,
    c: Array,
    w: Array,
    input_size: int,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    dropout: float,
    proj_size: int = 0,
) -> tuple[Array, ...]:
    """Run an LSTM over sequences.

    Args:
        x: Tensor (L, N, input_size), floating.
        h: Tensor (directions, N, hidden_size), the initial state.
        c: Tensor of the same shape, the initial cell state.
        w: Tensor (size, 1, 1): the weights of the inputs of all directions, those of the state, and
            the biases, which are those of inputs and state added up.
        input_size: The size of an input.
        hidden_size: The size of a state.
        num_layers: 1, as MindSpore's CPU kernel has it wherever the two sizes differ.
        has_bias: Whether there are biases.
        bidirectional: Whether there are two directions.
        dropout: Without effect in one layer.
        proj_size: 0.

    Returns:
        The states (L, N, directions * hidden_size), the last state, the last cell state, and two
        zeros (1, 1) in the place of what MindSpore keeps for its backward pass.

    Raises:
        NotImplementedError: For several layers, or a projection.
    """
    if num_layers != 1 or proj_size:
        raise UnsupportedError(
            "the Primitive LSTM has one layer and no projection here; mindspore.nn.LSTM has "
            "several layers."
        )
    directions = 1 + bidirectional
    need(x.ndim == h.ndim == 3, "x and h must have 3 dimensions", x, h)
    w_ih, w_hh, biases = unpacked_weights(
        w, directions, 4 * hidden_size, input_size, hidden_size, has_bias
    )
    runs = [
        recurrent_layer.kernel(
            *(x, (h[d], c[d]), w_ih[d], w_hh[d], biases[d], None),
            *(None, "LSTM", d == 1),
        )
        for d in range(directions)
    ]
    out, last, cells = zip(*runs, strict=True)
    zero = jnp.zeros((1, 1), x.dtype)
    return jnp.concatenate(out, -1), jnp.stack(last), jnp.stack(cells), zero, zero
