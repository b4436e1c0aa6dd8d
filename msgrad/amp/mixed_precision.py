"""Mixed precision: networks that compute partly in float16 or bfloat16, with float32 parameters.

The casts themselves are done by ``msgrad._core.autocast``; here is which part of a network computes
in what. Building a training step of such a network is in ``build.py``.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from msgrad import nn, ops
from msgrad._core.autocast import WIDEST, Autocast, floating_to
from msgrad._core.checks import of_type
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.dtype import DType
from msgrad.nn import Cell
from msgrad.ops.primitive import Primitive

__all__ = ["auto_mixed_precision", "custom_mixed_precision", "get_black_list", "get_white_list"]

_REGISTRIES = ("_params", "_cells", "_buffers", "_flags")
_FLOAT32 = np.dtype("float32")
LEVELS = ("O0", "O1", "O2", "O3", "auto")

# What level O1 computes in the lower precision.
_WHITE_CELLS = (
    *("Conv1d", "Conv2d", "Conv3d", "Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"),
    *("Dense", "LSTMCell", "RNNCell", "GRUCell"),
)
_WHITE_PRIMITIVES = (
    *("Conv2D", "Conv3D", "Conv2DTranspose", "Conv3DTranspose", "Conv2DBackpropInput"),
    *("MatMul", "BatchMatMul", "PReLU", "ReLU", "Ger"),
)
# What level O2 keeps in float32.
_BLACK_CELLS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm")

# What level "auto" computes in the lower precision, and what in float32: names of operators.
_AUTO_WHITE = (
    *("Conv2D", "Conv3D", "Conv2DTranspose", "Conv3DTranspose", "MatMul", "BatchMatMul"),
    *("MatrixVector", "PReLU", "Einsum", "Dense", "Dot", "Inner", "TensorDot"),
)
# What MindSpore computes in parts, the last of which takes the wider dtype.
_AUTO_WIDEST = ("AddN", "Concat", "Addcmul", "Addcdiv", "Addmm", "Addbmm", "Addmv", "Baddbmm")
# (In MindSpore BiasAdd takes the wider dtype of both, which is that of the bias.)
_AUTO_BLACK = (
    *("Pow", "ACos", "Asin", "Cosh", "Erfinv", "Exp", "Expm1", "Log", "Log10", "Log1p", "Log2"),
    *("Reciprocal", "Rsqrt", "Sinh", "Tan", "Softplus", "LayerNorm", "BatchNorm", "GroupNorm"),
    *("KLDivLoss", "SmoothL1Loss", "BCEWithLogitsLoss", "Cdist", "Pdist", "ReduceProd", "SumExt"),
    *("Softmax", "LogSoftmax", "GumbelSoftmax", "CumProd", "CumSum", "l1_loss", "mse_loss"),
    *("NLLLoss", "BiasAdd", "ReduceLogSumExp", "Var", "trapz", "logsigmoid", "cross_entropy"),
    *("MultiMarginLoss", "PoissonNLLLoss", "FocalLoss", "multilabel_soft_margin_loss"),
)
# Primitives whose kernel carries another name.
_KERNEL_NAMES = {"Ger": "Outer"}


def _classes(module: Any, names: Sequence[str]) -> list[type]:
    return [getattr(module, name) for name in names]


def get_white_list() -> list[type]:
    """Return the Cells and Primitives that level O1 computes in the lower precision: a new list."""
    return _classes(nn, _WHITE_CELLS) + _classes(ops, _WHITE_PRIMITIVES)


def get_black_list() -> list[type]:
    """Return the Cells that level O2 keeps in float32: a new list."""
    return _classes(nn, _BLACK_CELLS)


def auto_mixed_precision(network: Any, amp_level: str = "O0", dtype: DType = mstype.float16) -> Any:
    """Make a network compute partly in a lower precision; its parameters stay float32.

    Args:
        network: Cell; for level ``"auto"`` also a function.
        amp_level: ``"O0"`` nothing; ``"O1"`` the white list, each result back in float32; ``"O2"``
            all but BatchNorm and LayerNorm; ``"O3"`` all; ``"auto"`` operators that profit, with
            those that need the range in float32.
        dtype: The lower precision, float16 or bfloat16.

    Returns:
        O0: the network. O1: a copy that shares parameters with it. O2, O3: the network, which
        is changed, in a Cell that gives float32. auto: the network, which is changed.

    Raises:
        ValueError: For another level or dtype.
        TypeError: If the network is not a Cell.

    Differs from MindSpore: O1 does not rewrite source code. It applies to every Cell and operator
    of the white list, also where MindSpore's rewriting does not look (inherited constructors, the
    ``@`` operator), and leaves the Cells of the original network as they are.
    """
    if amp_level not in LEVELS:
        raise ArgumentValueError(
            f"The amp level {amp_level} is not supported; it must be one of {list(LEVELS)}."
        )
    if amp_level == "auto" and callable(network):
        return _automatic(network, _lower(dtype))
    if not isinstance(network, Cell):
        raise ArgumentTypeError(f"For amp_level '{amp_level}', the network type should be Cell.")
    low = _lower(dtype)
    if amp_level == "O0":
        return network
    if amp_level == "O1":
        return _white_listed(network, get_white_list(), low)
    return _lowered(network, get_black_list() if amp_level == "O2" else [], dtype)


def custom_mixed_precision(
    network: Cell,
    *,
    white_list: list[type] | None = None,
    black_list: list[type] | None = None,
    dtype: DType = mstype.float16,
) -> Cell:
    """Make a network compute in a lower precision what one list names, or all but the other.

    Args:
        network: Cell.
        white_list: Classes of Cells and Primitives, treated as by level O1.
        black_list: Classes of Cells, treated as by level O2; just one list is to be given.
        dtype: The lower precision, float16 or bfloat16.

    Returns:
        A Cell, as of ``auto_mixed_precision``.

    Raises:
        TypeError: If the network is not a Cell, or a list not a list of such classes.
        ValueError: For no list, for two, or for another dtype.
    """
    of_type("custom_mixed_precision", "network", network, Cell)
    if white_list is None and black_list is None:
        raise ArgumentValueError(
            "For custom_mixed_precision, one of white_list and black_list must be provided."
        )
    if white_list is not None and black_list is not None:
        raise ArgumentValueError(
            "For custom_mixed_precision, the white_list or black_list cannot be provided at the "
            "same time, please provide one or the other."
        )
    low = _lower(dtype)
    if white_list is not None:
        _check_list("white_list", white_list, (Cell, Primitive))
        return _white_listed(network, white_list, low)
    _check_list("black_list", black_list, (Cell,))
    return _lowered(network, black_list or [], dtype)


def _lower(dtype: Any) -> np.dtype:
    if dtype not in (mstype.float16, mstype.bfloat16):
        raise ArgumentValueError(
            f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got {dtype}."
        )
    return np.dtype(dtype.np_dtype)


def _check_list(name: str, value: Any, bases: tuple[type, ...]) -> None:
    if not isinstance(value, list):
        raise ArgumentTypeError(f"The type of {name} should be list, but got {type(value)}")
    accepted = " and ".join(f"'{base.__name__}'" for base in bases)
    for item in value:
        if not isinstance(item, type):
            raise ArgumentTypeError(f"The element in {name} should be a class, but got {item}")
        if not issubclass(item, bases):
            raise ArgumentTypeError(
                f"The subclass of element in {name} should be one of {accepted}, but got {item}"
            )


# O1: a copy in which the listed parts cast their operands and give float32 ---------------------


def _white_listed(network: Cell, classes: list[type], low: np.dtype) -> Cell:
    names = [cls.__name__ for cls in classes if issubclass(cls, Primitive)]
    listed = {_KERNEL_NAMES.get(name, name): low for name in names}
    operators = Autocast(by_name=listed, result=_FLOAT32) if listed else None
    cells = tuple(cls for cls in classes if issubclass(cls, Cell))
    new = _copied(network, cells, Autocast(low, result=_FLOAT32), {})
    if type(new) not in cells:
        new._cell_mixed = operators
    return new


def _copied(cell: Cell, listed: tuple[type, ...], casts: Autocast, done: dict[int, Cell]) -> Cell:
    """Copy a Cell and those below it, but not their parameters, and let the listed ones cast."""
    if id(cell) in done:
        return done[id(cell)]
    new = done[id(cell)] = object.__new__(type(cell))
    for name, value in vars(cell).items():
        vars(new)[name] = copy.copy(value) if name in _REGISTRIES else value
    for name, child in cell._cells.items():
        new._cells[name] = child if child is None else _copied(child, listed, casts, done)
    if type(cell) in listed:
        new._cell_mixed = casts
    return new


# O2 and O3: everything casts, but for the Cells of the black list -------------------------------


class _OutputTo(Cell):
    """Calls a Cell and casts its floating results."""

    def __init__(self, backbone: Cell, dtype: np.dtype) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._dtype = dtype

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return self._to(self._backbone(*args, **kwargs))

    def _to(self, outputs: Any) -> Any:
        """Cast results; as in MindSpore, lists become tuples, and dicts stay as they are."""
        if isinstance(outputs, (tuple, list)):
            return tuple([self._to(output) for output in outputs])
        return outputs if isinstance(outputs, dict) else floating_to(self._dtype, outputs)


class _OutputTo16(_OutputTo):
    """Calls a Cell that computes in float32, in a network that computes in less."""


class _OutputTo32(_OutputTo):
    """Calls a network that computes in a lower precision, and gives float32."""

    def __init__(self, backbone: Cell) -> None:
        super().__init__(backbone, _FLOAT32)


def _lowered(network: Cell, black: list[type], dtype: DType) -> Cell:
    network.to_float(dtype)
    _keep_in_float32(network, tuple(black), np.dtype(dtype.np_dtype), set())
    return _OutputTo32(network)


def _keep_in_float32(cell: Cell, black: tuple[type, ...], low: np.dtype, seen: set[int]) -> None:
    if id(cell) in seen:
        return
    seen.add(id(cell))
    for name, child in cell._cells.items():
        if child is None or isinstance(child, _OutputTo16):
            continue
        if black and isinstance(child, black):
            child.to_float(mstype.float32)
            cell._cells[name] = _OutputTo16(child, low)
        else:
            _keep_in_float32(child, black, low, seen)


# auto ------------------------------------------------------------------------------------------


def _automatic(network: Any, low: np.dtype) -> Any:
    casts = Autocast(
        by_name={
            **dict.fromkeys(_AUTO_BLACK, _FLOAT32),
            **dict.fromkeys(_AUTO_WHITE, low),
            **dict.fromkeys(_AUTO_WIDEST, WIDEST),
        }
    )
    if isinstance(network, Cell):
        network._cell_mixed = casts
        return network
    return _running_under(casts, network)


def _running_under(casts: Autocast, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        outer, context.mixed = context.mixed, casts
        try:
            return function(*args, **kwargs)
        finally:
            context.mixed = outer

    return run
