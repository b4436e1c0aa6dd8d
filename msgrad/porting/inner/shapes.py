"""Helpers of ``mindspore._checkparam`` and ``ops._utils`` on shapes, axes and containers.

They return what MindSpore's return, and raise the types and texts that it raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad.common import dtype as mstype
from msgrad.porting.inner.checkparam import (
    EQ,
    check_axis_in_range,
    check_int,
    check_value_type,
)

max_, min_ = max, min


def is_shape_unknown(shape: Sequence[int]) -> bool:
    """Whether a size of a shape is not known before the program runs: -1, or -2 for all."""
    return any(size < 0 for size in shape)


def is_dim_unknown(shape: Sequence[int]) -> bool:
    """Whether even the number of dimensions is not known: ``(-2,)``."""
    return len(shape) == 1 and shape[0] == -2


def get_func(func: Any) -> Any:
    """Return the function itself; MindSpore unwraps those it has compiled."""
    return func


def get_broadcast_shape(
    x_shape: Sequence[int],
    y_shape: Sequence[int],
    prim_name: str,
    arg_name1: str = "x",
    arg_name2: str = "y",
) -> list[int]:
    """Return the shape that two shapes broadcast to; -1 for a size that is not known.

    Raises:
        ValueError: If they do not.
    """
    if is_dim_unknown(x_shape) or is_dim_unknown(y_shape):
        return [-2]
    rank = max(len(x_shape), len(y_shape))
    sizes = []
    for place in range(-rank, 0):
        one, two = (s[place] if -place <= len(s) else 1 for s in (x_shape, y_shape))
        if one != two and 1 not in (one, two) and -1 not in (one, two):
            raise ArgumentValueError(
                f"For '{prim_name}', {arg_name1}.shape and {arg_name2}.shape need to broadcast. "
                f"The value of {arg_name1}.shape[{place}] or {arg_name2}.shape[{place}] must be 1 "
                f"or -1 when they are not the same, but got {arg_name1}.shape = {x_shape} and "
                f"{arg_name2}.shape = {y_shape}."
            )
        # Of a size that is known and one that is not, it is the known one, unless that is 1.
        sizes.append(two if one in (1, -1) and two != 1 else one)
    return sizes


def dim_not_equal(dim1: int, dim2: int) -> bool:
    """Whether two sizes are known and differ."""
    return dim1 != dim2 and dim1 >= 0 and dim2 >= 0


def ms_arrange(x: int) -> list[int]:
    """Return the numbers below ``x``."""
    return list(range(x))


def check_is_number(
    arg_value: Any, arg_type: type, arg_name: str | None = None, prim_name: str | None = None
) -> Any:
    """Return a number of a type, which is no bool and, if a float, finite."""
    owner = f"For '{prim_name}', the" if prim_name else "The"
    called = f"'{arg_name}'" if arg_name else "input value"
    if not isinstance(arg_value, arg_type) or isinstance(arg_value, bool):
        raise ArgumentTypeError(
            f"{owner} type of {called} must be '{arg_type.__name__}', but got "
            f"'{type(arg_value).__name__}'."
        )
    if isinstance(arg_value, float) and not np.isfinite(arg_value):
        raise ArgumentValueError(f"{owner} {called} must be a legal float, but got '{arg_value}'.")
    return arg_value


def check_str_and_none_by_regular(
    target: str, reg: str | None = None, flag: int = re.ASCII, prim_name: str | None = None
) -> bool:
    """Whether a text matches an expression; raises ``ValueError`` if not."""
    reg = r"^\w*[0-9a-zA-Z\_\.\-]*$" if reg is None else reg
    if re.match(reg, target, flag) is None:
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise ArgumentValueError(
            f"{owner} '{target}' is illegal, it must be match regular'{reg}' by flags'{flag}.'"
        )
    return True


def check_file_name_by_regular(
    target: str, reg: str | None = None, prim_name: str | None = None
) -> bool:
    """Whether a text may be the name of a file; raises ``TypeError``, ``ValueError`` if not."""
    owner = f"For '{prim_name}', the" if prim_name else "The"
    if not isinstance(target, str):
        raise ArgumentTypeError(f"{owner} '{target}' must be string, but got {type(target)}.")
    reg = r"^[0-9a-zA-Z@\_\-\.\:\/\\]+$" if reg is None else reg
    if re.match(reg, target) is None:
        raise ArgumentValueError(
            f"{owner} '{target}' is illegal, it must be match regular '{reg}'."
        )
    return True


def check_pad_value_by_mode(pad_mode: str, padding: int, prim_name: str) -> int:
    """Return a padding, which is 0 unless ``pad_mode`` is 'pad'."""
    if pad_mode != "pad" and padding != 0:
        raise ArgumentValueError(
            f"For '{prim_name}', padding must be zero when pad_mode is '{pad_mode}', but got "
            f"{padding}."
        )
    return padding


def check_valid_input(arg_name: str, arg_value: Any, prim_name: str) -> Any:
    """Return a value that is not None."""
    if arg_value is None:
        raise ArgumentValueError(
            f"For '{prim_name}', the argument '{arg_name}' can not be None, but got None."
        )
    return arg_value


def check_scalar_or_tensor_types_same(
    args: Mapping[str, Any], valid_values: Sequence[Any], prim_name: str, allow_mix: bool = False
) -> None:
    """Raise ``TypeError`` unless types, by name, are of those accepted and all the same.

    Args:
        args: Dtypes, or types of Tensors.
        valid_values: The dtypes accepted.
        prim_name: Whose arguments they are.
        allow_mix: Whether a Tensor and a number of its dtype are the same.
    """
    first: tuple[str, Any] | None = None
    for name, kind in args.items():
        plain = kind.element if isinstance(kind, mstype.TensorType) else kind
        if plain not in valid_values:
            raise ArgumentTypeError(
                f"For '{prim_name}', the type of '{name}' must be in {valid_values}, but got "
                f"{kind}."
            )
        shown = plain if allow_mix else kind
        first = first or (name, shown)
        if shown != first[1]:
            raise ArgumentTypeError(
                f"For '{prim_name}', the type of '{name}' must be same as '{first[0]}', but got "
                f"'{first[0]}' with type {first[1]} and '{name}' with type {kind}."
            )


def check_reduce_shape(
    ori_shape: Sequence[int],
    shape: Sequence[int],
    axis: int | Sequence[int],
    prim_name: str,
    arg_name1: str,
    arg_name2: str,
) -> None:
    """Raise ``ValueError`` unless ``shape`` is ``ori_shape`` without some axes."""
    gone = [axis] if isinstance(axis, int) else axis
    if [size for place, size in enumerate(ori_shape) if place not in gone] != list(shape):
        raise ArgumentValueError(
            f"For '{prim_name}', the shape of parameter '{arg_name1}' reduce on 'axis': {axis} "
            f"must be equal to the shape of '{arg_name2}': {shape}, but got {ori_shape}."
        )


def check_astype_dtype(dtype: Any) -> mstype.DType:
    """Return the dtype that a dtype, NumPy's or Python's, or its name, stands for."""
    if isinstance(dtype, str):
        known = getattr(mstype, dtype.lower(), None)
        if not isinstance(known, mstype.DType):
            raise ArgumentTypeError(
                f"For Tensor.astype, the input type must be the name of a dtype, but got '{dtype}'."
            )
        return known
    if isinstance(dtype, mstype.DType):
        return dtype
    if isinstance(dtype, type):
        return mstype.pytype_to_dtype(np.dtype(dtype).type)
    raise ArgumentTypeError(
        f"For Tensor.astype, the input type must be one of {mstype.number_type}, but got {dtype}."
    )


def _series(values: Sequence[Any], what: str, series: str) -> tuple[Any, ...]:
    """Return what was given as several values, or as one sequence of them."""
    first = values[0]
    if isinstance(first, int):
        return tuple(values)
    if isinstance(first, (tuple, list)):
        return tuple(first)
    raise ArgumentTypeError(
        f"For Tensor.{what} must be {series}, or series of integer, but got {type(first)}"
    )


def check_transpose_axis(axes: Sequence[Any], ndim: int) -> tuple[int, ...]:
    """Return the axes that ``Tensor.transpose(*axes)`` means."""
    if not axes or axes[0] is None:
        return tuple(range(ndim))[::-1]
    found = _series(axes, "transpose, the parameter 'axes'", "a tuple/list")
    if len(found) != ndim:
        raise ArgumentValueError(
            "For Tensor.transpose, the number of axes must be equal to the dimension of Tensor, "
            f"but got {len(found)} in the number of axes."
        )
    return found


def check_reshape_shp(shp: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape that ``Tensor.reshape(*shp)`` means."""
    return _series(shp, "reshape, the parameter 'shape'", "an integer, or tuple/list")


def check_flatten_order(order: str) -> None:
    """Raise unless an order is 'C' or 'F'."""
    rule = "For Tensor.flatten, the parameter 'order' must be"
    if not isinstance(order, str):
        raise ArgumentTypeError(f"{rule} a string, but got {type(order)}")
    if order not in ("C", "F"):
        raise ArgumentValueError(f"{rule} 'C' or 'F', but got '{order}'")


def check_swapaxes_axis(axes: Any, ndim: int) -> Any:
    """Return an axis, or axes, counted from the front."""
    if isinstance(axes, (tuple, list)):
        return tuple(check_axis_in_range(axis, ndim) for axis in axes)
    return check_axis_in_range(axes, ndim)


def prepare_shape_for_squeeze(shape: Sequence[int], axes: Any) -> tuple[int, ...]:
    """Return a shape without axes of size 1."""
    if not isinstance(axes, (int, tuple, list)):
        raise ArgumentTypeError(
            "For Tensor.squeeze, the parameter 'axes' must be one of [int, tuple, list], but got "
            f"{type(axes)}"
        )
    given = (axes,) if isinstance(axes, int) else axes
    ndim = len(shape)
    for axis in given:
        if not -ndim <= axis < ndim:
            raise ArgumentValueError(
                f"For Tensor.squeeze, the 'axis' must be in the range of [-{ndim}, {ndim}), but "
                f"got {axis}."
            )
        if shape[axis] != 1:
            raise ArgumentValueError(
                f"For Tensor.squeeze, the shape of parameter 'axis' {tuple(given)} must be 1, but "
                f"got {shape[axis]}."
            )
    gone = {axis % ndim for axis in given}
    return tuple(size for place, size in enumerate(shape) if place not in gone)


def check_axis_valid(axes: Any, ndim: int) -> tuple[int, ...]:
    """Return axes counted from the front, all of them for None; none may come twice."""
    if axes is None:
        return tuple(range(ndim))
    if isinstance(axes, (tuple, list)):
        found = tuple(check_axis_in_range(axis, ndim) for axis in axes)
        _check_dup(found)
        return found
    return (check_axis_in_range(axes, ndim),)


def _check_dup(axes: Sequence[int]) -> None:
    if len(set(axes)) < len(axes):
        raise ArgumentValueError(
            f"The element of parameter 'axis' can not be duplicate, but got {axes}."
        )


def is_stub_tensor(tensor: Any) -> bool:
    """Whether a value is a Tensor whose values are not there yet; none is."""
    return False


def expanded_shape(ndim: int, axis_size: int, axis: int) -> tuple[int, ...]:
    """Return a shape of ones, with ``axis_size`` at ``axis``."""
    return tuple(axis_size if place == axis else 1 for place in range(ndim))


def tuple_slice(tup: tuple[Any, ...], start: int, end: int) -> tuple[Any, ...]:
    """Return ``tup[start:end]``."""
    return tup[start:end]


def infer_out_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that shapes broadcast to; raises ``ValueError`` if they do not."""
    try:
        return np.broadcast_shapes(*map(tuple, shapes))
    except ValueError:
        raise ArgumentValueError(
            "For Tensor, the dimension on each axis must be 1 or the max value on the axis "
            f"to support broadcasting, but got shapes {shapes}"
        ) from None


def check_axis_type(
    axis: Any, type_int: bool = True, type_tuple: bool = True, type_list: bool = True
) -> bool:
    """Whether an axis is of a type that is accepted; raises ``TypeError`` if not."""
    pairs = zip((int, tuple, list), (type_int, type_tuple, type_list), strict=True)
    kinds: tuple[Any, ...] = tuple(kind for kind, accepted in pairs if accepted)
    if not isinstance(axis, kinds):
        names = "".join(f"{kind.__name__}, " for kind in kinds)
        raise ArgumentTypeError(
            f"For Tensor.ptp, the axis should be {names}, but got {type(axis)}."
        )
    for one in axis if isinstance(axis, (tuple, list)) else ():
        if not isinstance(one, int):
            raise ArgumentTypeError(
                f"For Tensor.ptp, each axis must be integer, but got {type(one)} in {axis}."
            )
    return True


def check_type_support(dtype: Any, device: str, supported_dtypes: Iterable[Any]) -> bool:
    """Whether a dtype is one of those supported; also where there is no such device."""
    from msgrad.context import get_context

    return dtype in supported_dtypes or get_context("device_target") != device


def _check_type(arg_name: str, value: Any, kinds: Sequence[type], prim_name: str | None) -> None:
    if not isinstance(value, tuple(kinds)):
        owner = f"For '{prim_name}', the" if prim_name else "The"
        names = [kind.__name__ for kind in kinds]
        raise ArgumentTypeError(
            f"{owner} type of '{arg_name}' should be "
            f"{names[0] if len(names) == 1 else f'one of {names}'}, but got '{value}' with type "
            f"'{type(value).__name__}'."
        )


def check_element_type_of_dict(
    arg_name: str,
    arg_value: Mapping[Any, Any],
    key_types: Sequence[type],
    value_types: Sequence[type],
    prim_name: str | None = None,
) -> None:
    """Raise ``TypeError`` unless a value is a dict with keys and values of some types."""
    check_value_type(arg_name, arg_value, [dict], prim_name)
    for key, value in arg_value.items():
        _check_type(arg_name, key, key_types, prim_name)
        _check_type(arg_name, value, value_types, prim_name)


def check_size_and_element_type_of_tuple(
    arg_name: str,
    arg_value: Any,
    expect_size: int,
    expect_element_type: type,
    prim_name: str | None = None,
) -> None:
    """Raise unless a value is a tuple of a size with elements of a type."""
    check_value_type(arg_name, arg_value, [tuple], prim_name)
    check_int(len(arg_value), expect_size, EQ, f"{arg_name} size", prim_name)
    for value in arg_value:
        _check_type("arg_name", value, [expect_element_type], prim_name)


def check_input_format(input_param: str) -> str:
    """Return 'NCHW', the one format there is; raises ``ValueError`` for another."""
    if input_param != "NCHW":
        raise ArgumentValueError(f"The data format must be NCHW, but got {input_param}.")
    return input_param


def _expand(size: int, sequences: bool) -> Callable[[Any], tuple[int, ...]]:
    kinds = (tuple, list) if sequences else (tuple,)
    whole = (
        "an sequence to tuple, input sequence"
        if sequences
        else "an int number to tuple, input tuple"
    )
    other = (
        "an input to tuple, input type must be integer or tuple[int]/list[int]"
        if sequences
        else "an int number to tuple, input type must be integer or tuple[int]"
    )

    def convert(value: Any) -> tuple[int, ...]:
        if isinstance(value, int) and not isinstance(value, bool):
            return (value,) * size
        if not isinstance(value, kinds):
            raise ArgumentTypeError(f"When expanding {other}, but got {type(value)}")
        if len(value) != size:
            raise ArgumentTypeError(
                f"When expanding {whole} dimension must be {size}, but got {value}"
            )
        return tuple(value)

    convert.__doc__ = f"Return {size} integers: a number repeated, or those given."
    return convert


twice, triple = _expand(2, False), _expand(3, False)
once, once_sequence = _expand(1, False), _expand(1, True)
twice_sequence, triple_sequence = _expand(2, True), _expand(3, True)


def check_input_dataset(*dataset: Any, dataset_type: Any) -> bool:
    """Whether all values are of a type."""
    return all(isinstance(one, dataset_type) for one in dataset)


def check_input_data(*data: Any, data_class: Any) -> None:
    """Raise ``TypeError`` unless values, or those in containers, are of a class or several."""
    for value in data:
        many = value.values() if isinstance(value, dict) else value
        for one in many if isinstance(value, (tuple, list, dict)) else (value,):
            if not isinstance(one, data_class):
                names = (
                    tuple(kind.__name__ for kind in data_class)
                    if isinstance(data_class, tuple)
                    else data_class.__name__
                )
                got = None if one is None else type(one).__name__
                raise ArgumentTypeError(
                    f"The types of input data must be in the Union({names}, tuple[{names}], "
                    f"list[{names}], dict[{names}]), but got type {got}."
                )


def check_output_data(data: Any) -> None:
    """Raise ``RuntimeError`` for a network that returned None."""
    if data is None:
        raise EngineError("The output data can not be None, please check your net or input data.")


def check_hook_fn(hook_fn: Any) -> None:
    """Raise ``TypeError`` for a hook that cannot be called."""
    if not callable(hook_fn):
        raise ArgumentTypeError(
            f"Expected a callable hook function, but got {type(hook_fn).__name__}."
        )
