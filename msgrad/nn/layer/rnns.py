"""Recurrent layers RNN, LSTM and GRU; single steps are in ``rnn_cells``."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from msgrad import ops
from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, TensorIndexError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_rank, check_tensor
from msgrad.nn._family import Family, Layer
from msgrad.nn._hyper import Count, Flag
from msgrad.nn.layer.basic import Dropout
from msgrad.nn.layer.rnn_cells import _gru_cell as _gru_cell
from msgrad.nn.layer.rnn_cells import _lstm_cell as _lstm_cell
from msgrad.nn.layer.rnn_cells import _rnn_relu_cell as _rnn_relu_cell
from msgrad.nn.layer.rnn_cells import _rnn_tanh_cell as _rnn_tanh_cell
from msgrad.ops.recurrent import GATES, check_lengths, recurrent_layer


class _Direction(Family):
    """Runs one direction of one layer; MindSpore's names of these cells stand in ``repr``."""

    _kind = ""

    def construct(self, x: Tensor, state: Any, weights: Any, lengths: Any, reverse: bool) -> Any:
        return recurrent_layer(x, state, *weights, lengths, self._kind, reverse)


class _DynamicLSTMCPUGPU(_Direction, kind="LSTM"):
    pass


class _DynamicGRUCPUGPU(_Direction, kind="GRU"):
    pass


class _DynamicRNNTanh(_Direction, kind="RNN_TANH"):
    pass


class _DynamicRNNRelu(_Direction, kind="RNN_RELU"):
    pass


class _Recurrent(Layer):
    """What the three layers share.

    All weights of the inputs come first among the parameters, then those of the state, then the
    biases in the same order; they are drawn layer by layer from NumPy's generator.

    Args:
        input_size: Elements of an input step.
        hidden_size: Elements of the state.
        num_layers: How many layers stand on each other.
        has_bias: Whether there are biases.
        batch_first: Whether input and output are (N, L, ...).
        dropout: Probability of an element between layers to be zeroed, in [0, 1).
        bidirectional: Whether each layer also runs backwards.
        dtype: Of the parameters.
    """

    _direction: ClassVar[type[_Direction]] = _DynamicRNNTanh

    input_size: Count
    hidden_size: Count
    num_layers: Count = 1
    has_bias: Flag = True
    batch_first: Flag = False
    dropout: float = 0.0
    bidirectional: Flag = False
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        owner = self.cls_name
        if not isinstance(self.dropout, float):
            raise ArgumentTypeError(
                f"For '{owner}', the type of 'dropout' must be 'float', but got "
                f"'{type(self.dropout).__name__}'."
            )
        if not 0 <= self.dropout < 1:
            raise ArgumentValueError(
                f"For '{owner}', the 'dropout' must be a number in range [0, 1) representing the "
                f"probability of an element being zeroed, but got {self.dropout}."
            )
        self.rnn = self._direction()
        self.dropout_op = Dropout(p=float(self.dropout))
        self._draw(self.input_size, GATES[self._direction._kind] * self.hidden_size, self.dtype)

    def _draw(self, input_size: int, rows: int, dtype: Any) -> None:
        bound = 1 / math.sqrt(self.hidden_size)
        directions = ("", "_reverse") if self.bidirectional else ("",)
        lists: dict[str, list[Parameter]] = {"w_ih": [], "w_hh": [], "b_ih": [], "b_hh": []}

        def drawn(key: str, name: str, *shape: int) -> None:
            values = Tensor(np.random.uniform(-bound, bound, shape).astype(np.float32), dtype)
            lists[key].append(Parameter(values, name=name))

        for layer in range(self.num_layers):
            width = input_size if layer == 0 else self.hidden_size * len(directions)
            for suffix in (f"_l{layer}{direction}" for direction in directions):
                drawn("w_ih", f"weight_ih{suffix}", rows, width)
                drawn("w_hh", f"weight_hh{suffix}", rows, self.hidden_size)
                if self.has_bias:
                    drawn("b_ih", f"bias_ih{suffix}", rows)
                    drawn("b_hh", f"bias_hh{suffix}", rows)
        self.w_ih_list = ParameterTuple(lists["w_ih"])
        self.w_hh_list = ParameterTuple(lists["w_hh"])
        self.b_ih_list = ParameterTuple(lists["b_ih"])
        self.b_hh_list = ParameterTuple(lists["b_hh"])

    def _initial(self, x: Tensor, hx: Any) -> tuple[Tensor, ...]:
        parts = 2 if isinstance(self, LSTM) else 1
        if hx is None:
            shape = (len(self.w_ih_list), x.shape[0 if self.batch_first else 1], self.hidden_size)
            return (ops.zeros(shape, x.dtype),) * parts
        if parts == 2:
            if not isinstance(hx, tuple) or len(hx) != 2:
                raise ArgumentTypeError(
                    f"For 'LSTM', the 'hx' must be a tuple of two Tensors, but got {type(hx)}."
                )
            return tuple(check_tensor("LSTM", f"hx[{i}]", part) for i, part in enumerate(hx))
        return (check_tensor(self.cls_name, "h", hx),)

    def construct(self, x: Tensor, hx: Any = None, seq_length: Any = None) -> Any:
        """Run over the sequences.

        Args:
            x: Tensor (L, N, input_size), or (N, L, input_size) if ``batch_first``.
            hx: The initial state, zeros if None.
            seq_length: int Tensor (N,): the length of each sequence; all of L if None.

        Returns:
            The output (L, N, directions * hidden_size), and the last state in the form of ``hx``.
        """
        name = self.cls_name
        if check_tensor(name, "x", x).ndim < 2:
            kind = ArgumentValueError if self.batch_first else TensorIndexError
            raise kind(f"For '{name}', the input must have 3 dims, but got {x.ndim}.")
        check_rank(name, x, 3)
        state = self._initial(x, hx)
        for part in state:
            if part.ndim != 3 or part.shape[0] != len(self.w_ih_list):
                raise ArgumentValueError(
                    f"For '{name}', the initial state must be of shape (layers * directions, N, "
                    f"hidden_size), the first {len(self.w_ih_list)}, but got {part.shape}."
                )
        x = x.swapaxes(0, 1) if self.batch_first else x
        if seq_length is not None:
            check_lengths(name, check_tensor(name, "seq_length", seq_length), x.shape[1])
        out, last = self._layers(x, state, seq_length)
        return (out.swapaxes(0, 1) if self.batch_first else out), last

    def _layers(self, x: Tensor, state: tuple[Tensor, ...], lengths: Tensor | None) -> Any:
        directions = 2 if self.bidirectional else 1
        ends: list[tuple[Tensor, ...]] = []
        for layer in range(self.num_layers):
            outs = []
            for direction in range(directions):
                at = layer * directions + direction
                biases = (self.b_ih_list[at], self.b_hh_list[at]) if self.has_bias else (None, None)
                weights = (self.w_ih_list[at], self.w_hh_list[at], *biases)
                start = tuple(part[at] for part in state)
                out, *end = self.rnn(x, start, weights, lengths, direction == 1)
                outs.append(out)
                ends.append(tuple(end))
            x = outs[0] if directions == 1 else ops.concat(outs, axis=-1)
            if self.dropout > 0 and layer < self.num_layers - 1:
                x = self.dropout_op(x)
        last = tuple(ops.stack(list(parts)) for parts in zip(*ends, strict=True))
        return x, (last if len(last) == 2 else last[0])


class LSTM(_Recurrent, direction=_DynamicLSTMCPUGPU):
    """Long short-term memory.

    Inputs: x (L, N, input_size); hx, a tuple (h, c) of Tensors (layers * directions, N,
    hidden_size), zeros by default; seq_length, int Tensor (N,). Output: (L, N, directions *
    hidden_size) and the tuple (h, c) of the ends.

    Raises:
        TypeError: For arguments of other types, or a state of another dtype than the input.
        ValueError: For sizes that are not positive or do not fit.
    """


class GRU(_Recurrent, direction=_DynamicGRUCPUGPU):
    """Gated recurrent unit; see ``LSTM``, with a state of one Tensor (h)."""


class RNN(_Recurrent):
    """Plain recurrent network; see ``LSTM``, with a state of one Tensor (h).

    Args:
        nonlinearity: ``'tanh'`` or ``'relu'``.

    Raises:
        TypeError, ValueError: As ``LSTM``; ValueError also for another ``nonlinearity``.
    """

    _: KW_ONLY
    nonlinearity: str = "tanh"

    def _begin(self, given: dict[str, Any]) -> None:
        if one_of("RNN", "nonlinearity", given["nonlinearity"], "tanh", "relu") == "relu":
            vars(self)["_direction"] = _DynamicRNNRelu
        super()._begin(given)


__all__ = public_names(globals())
