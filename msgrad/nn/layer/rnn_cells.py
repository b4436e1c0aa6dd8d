"""Single steps of recurrent networks: RNNCell, LSTMCell, GRUCell; layers are in ``rnns``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import of_type, one_of, positive_int
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.initializer import Uniform, initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensor
from msgrad.nn._family import Family
from msgrad.ops.recurrent import GATES, recurrent_step


def _step(kind: str) -> Callable[..., Any]:
    def step(
        inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None
    ) -> Any:
        several = isinstance(hidden, tuple)
        weights = (w_ih, w_hh, b_ih, b_hh)
        found = recurrent_step(inputs, hidden if several else (hidden,), *weights, kind)
        return found if several else found[0]

    return step


_rnn_tanh_cell = _step("RNN_TANH")
_rnn_relu_cell = _step("RNN_RELU")
_lstm_cell = _step("LSTM")
_gru_cell = _step("GRU")


class RNNCellBase(Family):
    """The weights of one step of a recurrent network, for cells of one's own; no ``construct``.

    Args:
        input_size: Size of the input.
        hidden_size: Size of the state.
        has_bias: Whether there are the two biases.
        num_chunks: How many gates: the weights have so many times ``hidden_size`` rows.
        dtype: Of the parameters.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool,
        num_chunks: int,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        owner = self.cls_name
        self.has_bias = of_type(owner, "has_bias", has_bias, bool)
        self.hidden_size = positive_int(owner, "hidden_size", hidden_size)
        self.input_size = positive_int(owner, "input_size", input_size)
        rows = num_chunks * hidden_size
        init = Uniform(scale=1 / math.sqrt(hidden_size))
        shapes = [(rows, input_size), (rows, hidden_size), *[(rows,)] * (2 if has_bias else 0)]
        for shape in shapes:
            # MindSpore fills the weights with normal numbers first and throws those away; the
            # ones that it keeps come later in the stream.
            np.random.standard_normal(shape)

        def drawn(name: str, *shape: int) -> Parameter:
            return Parameter(initializer(init, shape, dtype), name=name)

        self.weight_ih = drawn("weight_ih", rows, input_size)
        self.weight_hh = drawn("weight_hh", rows, hidden_size)
        self.bias_ih = drawn("bias_ih", rows) if has_bias else None
        self.bias_hh = drawn("bias_hh", rows) if has_bias else None


class _Step(RNNCellBase):
    """What the cells share: checks and weights, drawn in the order of the parameters."""

    _kind = "RNN_TANH"

    def __init__(
        self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = mstype.float32
    ) -> None:
        super().__init__(input_size, hidden_size, has_bias, GATES[self._kind], dtype)

    def _next(self, x: Any, state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        check_tensor(self.cls_name, "x", x)
        weights = (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return recurrent_step(x, state, *weights, self._kind)


class RNNCell(_Step):
    """One step of a plain recurrent network: ``tanh(W x + b + U h + d)``.

    Args:
        nonlinearity: ``'tanh'`` or ``'relu'``.

    Inputs: x (N, input_size) and h (N, hidden_size). Output: the new h.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For sizes that are not positive, or another nonlinearity.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        nonlinearity: str = "tanh",
        dtype: Any = mstype.float32,
    ) -> None:
        one_of("RNNCell", "nonlinearity", nonlinearity, "tanh", "relu")
        super().__init__(input_size, hidden_size, has_bias, dtype)
        self._kind = f"RNN_{nonlinearity.upper()}"
        self.nonlinearity = nonlinearity

    def construct(self, x: Tensor, hx: Tensor) -> Tensor:
        return self._next(x, (check_tensor("RNNCell", "hx", hx),))[0]


class GRUCell(_Step, kind="GRU"):
    """One step of a gated recurrent unit; see ``RNNCell``, without ``nonlinearity``."""

    def construct(self, x: Tensor, hx: Tensor) -> Tensor:
        return self._next(x, (check_tensor("GRUCell", "hx", hx),))[0]


class LSTMCell(_Step, kind="LSTM"):
    """One step of long short-term memory; see ``RNNCell`` for the arguments.

    Inputs: x (N, input_size) and hx, a tuple (h, c) of Tensors (N, hidden_size). Output: the new
    tuple (h, c).
    """

    def construct(self, x: Tensor, hx: tuple[Tensor, Tensor]) -> tuple[Tensor, ...]:
        """Compute the new state.

        Raises:
            TypeError: If the state is not a pair of Tensors.
        """
        if not isinstance(hx, tuple) or len(hx) != 2 or not all(is_tensor(h) for h in hx):
            raise ArgumentTypeError(
                f"For 'LSTMCell', the 'hx' must be a tuple of two Tensors, but got {type(hx)}."
            )
        return self._next(x, hx)


# As in MindSpore, the base is imported from here only.


__all__ = [name for name in public_names(globals()) if name != "RNNCellBase"]
