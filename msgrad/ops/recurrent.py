"""Sequences: ReverseSequence, sequence_mask, and the LSTM whose weights stand in one Tensor."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._axis import normal_axis
from msgrad.ops.rnn_ops import recurrent_layer


@operator("ReverseSequence", primitive="(seq_dim, batch_dim=0)", int_grad=True)
def reverse_sequence(x: Array, seq_lengths: Indices, seq_dim: int, batch_dim: int = 0) -> Array:
    """Reverse the first elements of each sequence.

    Args:
        x: Tensor.
        seq_lengths: int Tensor (N,): how many elements of each sequence.
        seq_dim: The dimension along which elements follow one another.
        batch_dim: The dimension of the N sequences.
    """
    seq, batch = (normal_axis(axis, x.ndim) for axis in (seq_dim, batch_dim))
    if seq == batch or seq_lengths.shape != (x.shape[batch],):
        raise ArgumentValueError(
            f"'seq_dim' and 'batch_dim' must differ, and there must be {x.shape[batch]} lengths, "
            f"but got {seq_dim}, {batch_dim} and lengths of shape {seq_lengths.shape}."
        )
    if not jnp.issubdtype(seq_lengths.dtype, jnp.integer):
        raise ArgumentTypeError(f"the lengths must be ints, but got {seq_lengths.dtype}.")
    lengths = seq_lengths.astype(jnp.int32)
    lengths = lengths.reshape([-1 if d == batch else 1 for d in range(x.ndim)])
    steps = jnp.arange(x.shape[seq]).reshape([-1 if d == seq else 1 for d in range(x.ndim)])
    return jnp.take_along_axis(x, jnp.where(steps < lengths, lengths - 1 - steps, steps), seq)


@operator("sequence_mask")
def _mask(lengths: Indices, maxlen: int) -> Array:
    if not jnp.issubdtype(lengths.dtype, jnp.integer):
        raise ArgumentTypeError(f"the lengths must be ints, but got {lengths.dtype}.")
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
    if most < 1:
        raise ArgumentValueError(f"'maxlen' must be positive, but got {most}.")
    return _mask(lengths, most)


@operator(
    "LSTM",
    primitive="(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, "
    "proj_size=0)",
)
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
    proj_size: int,
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
    directions, gates = 1 + bidirectional, 4 * hidden_size
    sizes = [directions * gates * n for n in (input_size, hidden_size, int(has_bias))]
    if x.ndim != 3 or h.ndim != 3 or w.size < sum(sizes):
        raise ArgumentValueError(
            f"x and h must have 3 dimensions and there must be {sum(sizes)} weights, but got "
            f"{x.shape}, {h.shape} and {w.size}."
        )
    flat = w.reshape(-1)[: sum(sizes)]
    w_ih, w_hh, bias = jnp.split(flat, [sizes[0], sizes[0] + sizes[1]])
    w_ih = w_ih.reshape(directions, gates, input_size)
    w_hh = w_hh.reshape(directions, gates, hidden_size)
    biases = bias.reshape(directions, -1)
    lengths = jnp.full(x.shape[1], x.shape[0])
    runs = [
        recurrent_layer.kernel(
            *(x, (h[d], c[d]), w_ih[d], w_hh[d], biases[d] if has_bias else None, None, lengths),
            *("LSTM", "LSTM", d == 1),
        )
        for d in range(directions)
    ]
    out, last, cells = zip(*runs, strict=True)
    zero = jnp.zeros((1, 1), x.dtype)
    return jnp.concatenate(out, -1), jnp.stack(last), jnp.stack(cells), zero, zero
