"""DynamicRNN and DynamicGRUV2, recurrent layers as one operator, which 2.10 runs on Ascend alone.

Programs that were written for Ascend call them. Their gates are in Ascend's order: input, cell,
forget, output of the LSTM; reset, update, new of the GRU.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.checks import one_of
from msgrad._core.errors import UnsupportedError
from msgrad._core.op import Array, operator
from msgrad.ops._checks import of_rank

_PLAIN = {
    "cell_depth": 1,
    "keep_prob": 1.0,
    "cell_clip": -1.0,
    "num_proj": 0,
    "time_major": True,
    "activation": "tanh",
}


def _check(
    x: Array, direction: str, lengths: Array | None, plain: tuple[Any, ...], **own: bool
) -> None:
    of_rank(x, 3, label="x")
    one_of("", "direction", direction, "UNIDIRECTIONAL", "REDIRECTIONAL")
    wrong = [name for name, value in zip(_PLAIN, plain, strict=True) if value != _PLAIN[name]]
    wrong += [name for name, right in own.items() if not right]
    if wrong or lengths is not None:
        raise UnsupportedError(f"{wrong} must be as by default, and seq_length None.")


@operator("DynamicRNN", primitive="(...)")
def _dynamic_rnn(
    x: Array,
    w: Array,
    b: Array,
    seq_length: Array | None,
    init_h: Array,
    init_c: Array,
    cell_type: str = "LSTM",
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    use_peephole: bool = False,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    forget_bias: float = 0.0,
    is_training: bool = True,
) -> tuple[Array, ...]:
    """Run an LSTM over sequences.

    Args:
        x: Tensor (steps, batch, input).
        w: Tensor (input + hidden, 4 * hidden).
        b: Tensor (4 * hidden,).
        seq_length: None.
        init_h: Tensor (1, batch, hidden).
        init_c: Tensor of the same shape.
        cell_type: Must be "LSTM".
        direction: "REDIRECTIONAL" from the last step to the first.
        cell_depth, use_peephole, keep_prob, cell_clip, num_proj, time_major, activation: Must be
            as by default.
        forget_bias: Added to the forget gate.
        is_training: Accepted for compatibility.

    Returns:
        y, the states, the cell states, and the gates i, j, f, o and tanh(c) of all steps.
    """
    own = {"cell_type": cell_type == "LSTM", "use_peephole": not use_peephole}
    plain = (cell_depth, keep_prob, cell_clip, num_proj, time_major, activation)
    _check(x, direction, seq_length, plain, **own)

    def step(state: tuple[Array, Array], now: Array) -> tuple[tuple[Array, Array], tuple]:
        h, c = state
        i, j, f, o = jnp.split(jnp.concatenate([now, h], -1) @ w + b, 4, -1)
        i, j, f, o = (*(jax.nn.sigmoid(i), jnp.tanh(j)), *map(jax.nn.sigmoid, (f + forget_bias, o)))
        c = f * c + i * j
        squashed = jnp.tanh(c)
        h = o * squashed
        return (h, c), (h, h, c, i, j, f, o, squashed)

    return jax.lax.scan(step, (init_h[0], init_c[0]), x, reverse=direction[0] == "R")[1]


@operator("DynamicGRUV2", primitive="(...)")
def _dynamic_gru(
    x: Array,
    weight_input: Array,
    weight_hidden: Array,
    bias_input: Array | None,
    bias_hidden: Array | None,
    seq_length: Array | None,
    init_h: Array,
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    gate_order: str = "rzh",
    reset_after: bool = True,
    is_training: bool = True,
) -> tuple[Array, ...]:
    """Run a GRU over sequences.

    Args:
        x: Tensor (steps, batch, input).
        weight_input: Tensor (input, 3 * hidden).
        weight_hidden: Tensor (hidden, 3 * hidden).
        bias_input: Tensor (3 * hidden,) or None; ``bias_hidden`` likewise.
        seq_length: None.
        init_h: Tensor (batch, hidden).
        direction: "REDIRECTIONAL" from the last step to the first.
        cell_depth, keep_prob, cell_clip, num_proj, time_major, activation: Must be as by default.
        gate_order: "rzh" or "zrh", reset or update first.
        reset_after: Must be True: the reset gate is multiplied with the product.
        is_training: Accepted for compatibility.

    Returns:
        y, the states, the gates update, reset and new, and the product of the state for the new
        gate, of all steps.
    """
    own = {"gate_order": gate_order in ("rzh", "zrh"), "reset_after": reset_after}
    plain = (cell_depth, keep_prob, cell_clip, num_proj, time_major, activation)
    _check(x, direction, seq_length, plain, **own)
    of_input = 0 if bias_input is None else bias_input
    of_hidden = 0 if bias_hidden is None else bias_hidden

    def step(h: Array, now: Array) -> tuple[Array, tuple]:
        given = jnp.split(now @ weight_input + of_input, 3, -1)
        kept = jnp.split(h @ weight_hidden + of_hidden, 3, -1)
        gates = [jax.nn.sigmoid(given[k] + kept[k]) for k in (0, 1)]
        reset, update = gates if gate_order == "rzh" else gates[::-1]
        new = jnp.tanh(given[2] + reset * kept[2])
        h = (1 - update) * new + update * h
        return h, (h, h, update, reset, new, kept[2])

    return jax.lax.scan(step, init_h, x, reverse=direction[0] == "R")[1]
