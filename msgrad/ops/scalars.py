"""Operators on Python's own numbers, tuples, lists, dicts and texts; no Tensor is computed."""

from __future__ import annotations

import inspect
import operator as python
from collections.abc import Callable
from math import log, prod
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.registry import function, public
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops.cast import cast
from msgrad.ops.control import HyperMap, MultitypeFuncGraph

_NUMBERS = (int, float, bool)


def _plain(
    name: str, compute: Callable[..., Any], summary: str, like: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """Export a function of Python values, with a name and a docstring of its own."""

    def computed(*values: Any) -> Any:
        return compute(*values)

    computed.__name__, computed.__doc__ = name, summary
    computed.__signature__ = inspect.signature(like or compute)  # type: ignore[attr-defined]
    return public(computed)


def _arithmetic(word: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    return _plain(f"scalar_{word}", compute, f"Compute {word!r} as Python does.")


scalar_add, scalar_sub = _arithmetic("add", python.add), _arithmetic("sub", python.sub)
scalar_mul, scalar_pow = _arithmetic("mul", python.mul), _arithmetic("pow", python.pow)
scalar_mod = _arithmetic("mod", python.mod)
scalar_floordiv = _arithmetic("floordiv", python.floordiv)
scalar_eq, scalar_ne = _arithmetic("eq", python.eq), _arithmetic("ne", python.ne)
scalar_lt, scalar_le = _arithmetic("lt", python.lt), _arithmetic("le", python.le)
scalar_gt, scalar_ge = _arithmetic("gt", python.gt), _arithmetic("ge", python.ge)
scalar_max, scalar_min = (
    _arithmetic("max", lambda x, y: max(x, y)),
    _arithmetic("min", lambda x, y: min(x, y)),
)
scalar_uadd, scalar_usub = _arithmetic("uadd", python.pos), _arithmetic("usub", python.neg)
scalar_log = _arithmetic("log", lambda x: log(x))


bool_and = _plain("bool_and", lambda x, y: bool(x and y), "Whether both are true.")
bool_or = _plain("bool_or", lambda x, y: bool(x or y), "Whether one is true.")
bool_eq = _plain("bool_eq", python.eq, "Whether two bools are equal.")
is_ = _plain("is_", python.is_, "Whether two values are one object.")
is_not = _plain("is_not", python.is_not, "Whether two values are different objects.")
string_eq = _plain("string_eq", python.eq, "Whether two texts are equal.")
string_concat = _plain("string_concat", python.add, "Join two texts.")
tuple_len = _plain("tuple_len", len, "Return how many elements there are.")
list_len = _plain("list_len", len, "Return how many elements there are.")
tuple_getitem = _plain("tuple_getitem", python.getitem, "Return the element at an index.")
list_getitem = _plain("list_getitem", python.getitem, "Return the element at an index.")
dict_getitem = _plain("dict_getitem", python.getitem, "Return the value of a key.")
in_dict = _plain("in_dict", lambda key, items: key in items, "Whether a dict has a key.")
not_in_dict = _plain("not_in_dict", lambda key, items: key not in items, "Whether it has not.")
tuple_equal = _plain("tuple_equal", python.eq, "Whether two tuples are equal.")
list_equal = _plain("list_equal", python.eq, "Whether two lists are equal.")
tuple_reversed = _plain("tuple_reversed", lambda x: x[::-1], "Return a tuple backwards.")
make_tuple = _plain("make_tuple", lambda *values: values, "Return the arguments as a tuple.")
make_list = _plain("make_list", lambda *values: list(values), "Return the arguments as a list.")
make_slice = _plain(
    "make_slice", lambda start, stop, step: slice(start, stop, step), "Return a slice."
)
make_dict = _plain(
    "make_dict",
    lambda keys, values: dict(zip(keys, values, strict=True)),
    "Return a dict of a tuple of keys and one of values.",
)
shape_mul = _plain("shape_mul", lambda shape: prod(shape), "Multiply the sizes of a shape.")


def _with(values: Any, key: Any, value: Any) -> Any:
    changed = dict(values) if isinstance(values, dict) else list(values)
    changed[key] = value
    return type(values)(changed)


tuple_setitem = _plain("tuple_setitem", _with, "Return a tuple with one element replaced.")
list_setitem = _plain("list_setitem", _with, "Return a list with one element replaced.")
dict_setitem = _plain("dict_setitem", _with, "Return a dict with one value replaced.")


@public
def tuple_div(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, ...]:
    """Divide the ints of two tuples; each must be a multiple.

    Raises:
        ValueError: If one is not.
    """
    if any(a % b for a, b in zip(x, y, strict=True)):
        raise ArgumentValueError(f"{x} are no multiples of {y}.")
    return tuple(a // b for a, b in zip(x, y, strict=True))


@public
def reduced_shape(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """Return a shape with the dimensions of ``axis`` (all for none) of size 1."""
    named = (axis,) if isinstance(axis, int) else axis
    at = {a % len(shape) for a in named} if named else set(range(len(shape)))
    return tuple(1 if d in at else size for d, size in enumerate(shape))


@public
def broadcast_gradient_args(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[Any, Any]:
    """Return, for two shapes that broadcast, the dimensions along which each is repeated."""
    whole = np.broadcast_shapes(x, y)

    def repeated(shape: tuple[int, ...]) -> tuple[int, ...]:
        own = (0,) * (len(whole) - len(shape)) + tuple(shape)
        other = [*zip(own, whole, strict=True)]
        return tuple(d for d, (a, b) in enumerate(other) if a == 0 or (a == 1 and b != 1))

    return repeated(x), repeated(y)


_NUMBER_OF = {bool: mstype.bool_, int: mstype.int64, float: mstype.float32, str: mstype.string}


@public
def typeof(value: Any) -> Any:
    """Return the MindSpore type of a value: of a Tensor ``Tensor[dtype]``, of an int int64."""
    if is_tensor(value):
        return mstype.TensorType(value.dtype) if hasattr(mstype, "TensorType") else value.dtype
    return _NUMBER_OF.get(type(value), type(value))


@public
def hastype(value: Any, kind: Any) -> bool:
    """Whether a value is of a MindSpore type."""
    return typeof(value) is kind


@function(primitive="ScalarCast")
def scalar_cast(input_x: Any, input_y: Any) -> Any:
    """Convert a Python number to the Python type of a dtype.

    Args:
        input_x: int, float or bool.
        input_y: int64, float64 or ``bool_``; also float16 to 64 and int8 to 64.

    Raises:
        ValueError: If ``input_x`` is no number, or the dtype another.
    """
    wanted = str(input_y).lower()
    if not isinstance(input_x, _NUMBERS) and not is_tensor(input_x):
        raise ArgumentTypeError(f"'input_x' must be a number, but got {type(input_x)}.")
    for label, kind in (("bool", bool), ("int", int), ("float", float)):
        if wanted.startswith(label):
            return kind(input_x)
    raise ArgumentValueError(f"'input_y' must be a dtype of numbers, but got {input_y}.")


@function(primitive="ScalarToArray")
def scalar_to_array(input_x: Any) -> Tensor:
    """Return a Python number as a 0-d Tensor: int64 of an int, float32 of a float."""
    of_type("", "input_x", input_x, *_NUMBERS)
    return Tensor(input_x)


@public
def array_to_scalar(x: Tensor) -> Any:
    """Return the number that a Tensor of one element holds."""
    return x.asnumpy().reshape(()).item()


@function(primitive="DtypeToEnum")
def _dtype_to_enum(op_name: str, arg_name: str, dtype: Any) -> Any:
    """Return the dtype, which stands for itself."""
    return dtype


@public
def is_tensor_bool_cond(x: Any) -> bool:
    """Whether a Tensor can be the condition of an ``if``: it has one element."""
    return is_tensor(x) and x.size == 1


@public
def bool_not(x: Any) -> Tensor:
    """Return the opposite of a bool, as a 0-d bool Tensor."""
    return Tensor(not x)


@public
def deepcopy(input_x: Tensor) -> Tensor:
    """Return a copy of a Tensor."""
    of_type("", "input_x", input_x, Tensor)
    return Tensor.copy(input_x)


def _augmented(name: str, compute: Callable[[Any, Any], Any]) -> MultitypeFuncGraph:
    made = MultitypeFuncGraph(f"augassign_{name}")
    for one in ("Number", "Tensor", "Tuple", "List", "String"):
        for other in ("Number", "Tensor", "Tuple", "List", "String"):
            made.register(one, other)(compute)
    return public(made)


augassign_add, augassign_sub = _augmented("add", python.add), _augmented("sub", python.sub)
augassign_mul, augassign_div = _augmented("mul", python.mul), _augmented("div", python.truediv)
augassign_mod = _augmented("mod", python.mod)
augassign_floordiv = _augmented("floordiv", python.floordiv)


def _sum_of(x: Any, y: Any) -> Any:
    if not all(is_tensor(v) or isinstance(v, _NUMBERS) for v in (x, y)):
        raise ArgumentValueError(f"cannot find fn match given args: {type(x)} and {type(y)}.")
    return x + y


hyper_add = public(HyperMap(_sum_of))


@public
def mixed_precision_cast(dst_dtype: mstype.DType, x: Any) -> Any:
    """Cast the floating Tensors of a value, or of a tuple, to a dtype; leave the rest."""
    if is_tensor(x):
        floating = x.is_floating_point()
        return cast(x, dst_dtype) if floating else x
    if isinstance(x, (tuple, list)):
        return type(x)(mixed_precision_cast(dst_dtype, v) for v in x)
    if isinstance(x, dict):
        return {key: mixed_precision_cast(dst_dtype, value) for key, value in x.items()}
    return x


@public
def switch(condition: Any, true_value: Any, false_value: Any) -> Any:
    """Return one of two values."""
    return true_value if condition else false_value


@public
def switch_layer(index: Any, layers: Any) -> Any:
    """Return one of a tuple of functions."""
    return layers[int(index)]


@public
def tail(x: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return all but the first element of a tuple."""
    return x[1:]


@public
def zip_operation(*sequences: Any) -> tuple[Any, ...]:
    """Return tuples of the elements of several tuples, place by place."""
    return tuple(zip(*sequences, strict=False))


@function(primitive="Reusing")
def _reusing(x: Any) -> Any:
    """Return the value itself."""
    return x
