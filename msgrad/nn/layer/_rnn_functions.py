"""The steps of recurrent networks as functions, under the private names that programs import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad.ops.rnn_ops import recurrent_step


def _step(kind: str) -> Callable[..., Any]:
    def step(
        inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None
    ) -> Any:
        several = isinstance(hidden, tuple)
        weights = (w_ih, w_hh, b_ih, b_hh)
        found = recurrent_step(inputs, hidden if several else (hidden,), *weights, kind, kind)
        return found if several else found[0]

    return step


_rnn_tanh_cell = _step("RNN_TANH")
_rnn_relu_cell = _step("RNN_RELU")
_lstm_cell = _step("LSTM")
_gru_cell = _step("GRU")
