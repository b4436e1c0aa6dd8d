"""Steps and checks of MindSpore's optimizers, training cells and ``Model`` that programs borrow.

The checks of an optimizer's options are a table: a name, and what is checked of it.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from msgrad import ops
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.initializer import _calculate_fan_in_and_fan_out
from msgrad.common.tensor import Tensor
from msgrad.interop.ckpt import _content, _title
from msgrad.nn import WithLossCell
from msgrad.nn._hyper import not_less
from msgrad.nn.cell import Cell
from msgrad.nn.layer.container import position
from msgrad.porting.inner import checkparam as check
from msgrad.runtime.event import synchronize
from msgrad.train._checkpoint_arguments import cipher_of
from msgrad.train.callback import Callback
from msgrad.train.serialization import _read, _values_of

reciprocal = ops.Reciprocal()


def _grad_overflow(grad: Tensor) -> Tensor:
    """Return 1.0 (shape (1,)) if a gradient has an infinity or a nan, else 0.0."""
    return ops.cast(ops.logical_not(ops.isfinite(grad).all()), mstype.float32).reshape(1)


def cell_grad_scale(scale: Any, grad: Tensor) -> Tensor:
    """Return a gradient times a scale."""
    return grad * ops.cast(scale, grad.dtype)


def _get_datatype(param: Tensor) -> mstype.DType:
    return param.dtype


def _cast_datatype(datatype: mstype.DType, param: Tensor) -> Tensor:
    return ops.cast(param, datatype)


def optimizer_grad_scale(scale: Any, grad: Tensor) -> Tensor:
    """Return a gradient times a scale, itself where the scale is 1."""
    return grad if isinstance(scale, float) and scale == 1.0 else grad * scale


def _apply_decay(weight_decay: Any, if_apply: bool, weight: Tensor, gradient: Tensor) -> Tensor:
    """Return a gradient plus ``weight_decay`` times the weight, if that is to be applied."""
    if not if_apply:
        return gradient
    return gradient + weight * ops.cast(weight_decay, weight.dtype)


def _adam_opt(
    beta1: Tensor,
    beta2: Tensor,
    eps: Tensor,
    lr: Tensor,
    weight_decay: Tensor,
    param: Any,
    m: Any,
    v: Any,
    gradient: Tensor,
    decay_flag: bool,
    optim_filter: bool,
) -> Tensor:
    """Do a step of ``nn.AdamWeightDecay`` on a Parameter, and return its new value.

    Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization, without bias correction.
    """
    if not optim_filter:
        return gradient
    value, grad = ops.cast(param, mstype.float32), ops.cast(gradient, mstype.float32)
    ops.assign(m, beta1 * m + (1 - beta1) * grad)
    ops.assign(v, beta2 * v + (1 - beta2) * ops.square(grad))
    update = m / (eps + ops.sqrt(v))
    if decay_flag:
        update = update + weight_decay * value
    ops.assign(param, ops.cast(value - ops.reshape(lr * update, value.shape), param.dtype))
    return param.value()


def _momentum_opt(
    opt: Any, momentum: Any, learning_rate: Any, gradient: Tensor, weight: Any, moment: Any
) -> bool:
    """Do a step of ``ops.ApplyMomentum``, which is given; returns True."""
    opt(weight, moment, learning_rate, gradient, momentum)
    return True


_Check = Callable[[str, Any, str | None], Any]


def _is_bool(name: str, value: Any, prim: str | None) -> Any:
    return check.check_value_type(name, value, [bool], prim)


def _float(row: Callable[..., Any]) -> _Check:
    def checked(name: str, value: Any, prim: str | None) -> Any:
        check.check_value_type(name, value, [float], prim)
        return row(value, name, prim)

    return checked


def _within(rel: int) -> _Check:
    return _float(lambda value, *about: check.check_float_range(value, 0.0, 1.0, rel, *about))


_VALIDATOR: Any = check.Validator
_POSITIVE, _NOT_NEGATIVE = (
    _float(_VALIDATOR.check_positive_float),
    _float(_VALIDATOR.check_non_negative_float),
)
_FRACTION = _within(check.INC_NEITHER)
_MOMENTS = {"beta1": _FRACTION, "beta2": _FRACTION, "eps": _POSITIVE}
_OPTIONS: dict[str, dict[str, _Check]] = {
    "check_adam": _MOMENTS,
    "check_lazyadam": {**_MOMENTS, "weight_decay": _NOT_NEGATIVE},
    "check_ada_grad": {"accum": _NOT_NEGATIVE, "update_slots": _is_bool},
    "check_adadelta": {"rho": _within(check.INC_BOTH), "epsilon": _NOT_NEGATIVE},
    "check_proximal": {
        "accum": _NOT_NEGATIVE,
        "l1": _NOT_NEGATIVE,
        "l2": _NOT_NEGATIVE,
        "use_locking": _is_bool,
    },
}


def _checks(name: str, options: dict[str, _Check]) -> Callable[..., None]:
    def checks(*values: Any, prim_name: str | None = None) -> None:
        if len(values) > len(options):
            values, prim_name = values[:-1], values[-1]
        for (option, rule), value in zip(options.items(), values, strict=True):
            rule(option, value, prim_name)

    checks.__name__ = checks.__qualname__ = name
    checks.__doc__ = f"Check the options {', '.join(options)} of an optimizer; then its name."
    return checks


globals().update({name: _checks(name, options) for name, options in _OPTIONS.items()})


def check_not_less_than(arg_value: Any, arg_name: str, prim: str, value: float = 0.0) -> None:
    """Raise ``ValueError`` for a number below a limit."""
    not_less(prim, arg_name, arg_value, value)


def check_not_less_than_without_equal(
    arg_value: Any, arg_name: str, prim: str, value: float = 0.0
) -> None:
    """Raise ``ValueError`` for a number below a limit, or at it."""
    not_less(prim, arg_name, arg_value, value, strictly=True)


class _StepSync(Callback):
    """Waits at the end of each step for what the device still computes."""

    def step_end(self, run_context: Any) -> None:
        """Wait."""
        synchronize()


def _transfer_tensor_to_tuple(inputs: Any) -> Any:
    """Return a Tensor as a tuple of one; anything else as it is."""
    return (inputs,) if isinstance(inputs, Tensor) else inputs


def _chg_ckpt_file_name_if_same_exist(directory: str, prefix: str, exception: bool = False) -> str:
    """Return a prefix that no checkpoint of a folder has: ``prefix``, or ``prefix_2``."""
    pattern = re.compile(rf"{re.escape(prefix)}(?:_(\d+))?(?=-).*\.ckpt")
    taken = [found[1] for found in map(pattern.fullmatch, os.listdir(directory)) if found]
    if not taken or exception:
        return prefix
    return f"{prefix}_{max(int(number or 0) for number in taken) + 1}"


def checkpoint_cb_for_save_op(parameter_list: Any) -> bool:
    """Return True: MindSpore's C++ calls it with what a graph saves; here nothing does."""
    return True


def _convert_save_obj_to_param_list(
    save_obj: Any, integrated_save: bool, append_dict: Any, choice_func: Any
) -> list[dict[str, Any]]:
    """Return what ``save_checkpoint`` would write of an object: ``name`` and ``data`` of each."""
    values = _values_of(save_obj, choice_func)
    return [
        {"name": name, "data": value if isinstance(value, Tensor) else Tensor(value)}
        for name, value in values.items()
    ]


class _LossInFloat32(WithLossCell):
    """A network with its loss, whose outputs and labels are float32 for the loss."""

    def construct(self, data: Any, label: Any) -> Any:
        cast = functools.partial(ops.mixed_precision_cast, mstype.float32)
        return self._loss_fn(cast(self._backbone(data)), cast(label))


def _add_loss_network(network: Cell, loss_fn: Cell, cast_model_type: Any) -> Cell:
    """Return a network with its loss; in float32, where the network is float16 or bfloat16.

    Raises:
        TypeError: If the loss is no Cell.
    """
    check.check_value_type("loss_fn", loss_fn, Cell)
    low = cast_model_type in (mstype.float16, mstype.bfloat16)
    return (_LossInFloat32 if low else WithLossCell)(network, loss_fn)


def _get_types_and_shapes(dataset: Any) -> tuple[list[mstype.DType], list[list[int]]]:
    """Return the dtypes and shapes of a dataset's columns."""
    return _convert_type(dataset.output_types()), dataset.output_shapes()


def _convert_type(types: Any) -> list[mstype.DType]:
    """Return the dtypes that NumPy's stand for."""
    return [mstype.pytype_to_dtype(np.dtype(kind).type) for kind in types]


def _truncate_seed(seed: int) -> int:
    """Return a seed below 2**31 - 1."""
    return seed % 0x7FFFFFFF


def _calculate_in_and_out(arr: np.ndarray) -> tuple[int, int]:
    """Return how many inputs and outputs a weight has; raises ``ValueError`` below 2 dimensions."""
    if arr.ndim < 2:
        raise ArgumentValueError(
            "If initialize data with xavier uniform, the dimension of data must be greater than "
            f"1, but got {arr.ndim}."
        )
    return _calculate_fan_in_and_fan_out(arr.shape)


def _valid_index(cell_num: int, index: Any, op_name: str | None = None) -> int:
    """Return the place of a cell in a list, counted from the front.

    Raises:
        TypeError: If it is no int.
        IndexError: If there is none there.
    """
    return position(op_name, index, cell_num)


def _valid_cell(cell: Any, op_name: str | None = None) -> bool:
    """Whether a value is a Cell; raises ``TypeError`` if not."""
    if not isinstance(cell, Cell):
        owner = f"For '{op_name}', each" if op_name else "Each"
        raise ArgumentTypeError(
            f"{owner} cell must be subclass of Cell, but got {type(cell).__name__}."
        )
    return True


def _device_number_check(parallel_mode: str, device_number: int) -> None:
    """Raise ``ValueError`` for several devices in the mode ``stand_alone``."""
    if parallel_mode == "stand_alone" and device_number != 1:
        raise ArgumentValueError(
            "If parallel_mode is stand_alone, device_number must be 1, device_number: "
            f"{device_number}, parallel_mode:{parallel_mode}"
        )


# For programs that read ``.ckpt`` files by themselves.
tensor_to_ms_type: dict[str, Any] = {
    **{str(kind): kind for kind in mstype.all_types if not str(kind).startswith("Complex")},
    "str": mstype.string,
}


def tensor_to_np_type(tensor_type_str: str) -> Any:
    """Return NumPy's type of a dtype's name in a file, as ``"Float32"``; None if there is none."""
    if tensor_type_str == "str":
        return "U"
    kind = tensor_to_ms_type.get(tensor_type_str)
    return kind and kind.np_dtype and kind.np_dtype.type


def _parse_ckpt_proto(ckpt_file_name: str, dec_key: Any, dec_mode: str, crc_check: bool) -> Any:
    """Return what a file holds, as ``value``, each with ``tag`` and ``tensor``.

    That has ``dims``, ``tensor_type``, ``tensor_content`` and ``ByteSize()``. Differs from
    MindSpore: what is in the file in pieces comes as one.
    """
    cipher = cipher_of("load_checkpoint", "dec", dec_key, dec_mode, "ckpt", crc_check)
    items = _read(ckpt_file_name, crc_check, "ckpt", lambda name: True, cipher)
    return SimpleNamespace(value=[_element(name, value) for name, value in items])


def _element(name: str, value: np.ndarray) -> SimpleNamespace:
    kind = _title(name, value)
    dims, content = _content(kind, value)
    tensor = SimpleNamespace(dims=list(dims), tensor_type=kind, tensor_content=bytes(content))
    tensor.ByteSize = lambda: len(content) + len(kind)
    return SimpleNamespace(tag=name, tensor=tensor)
