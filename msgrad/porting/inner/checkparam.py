"""``mindspore._checkparam``: the checks of arguments that user code borrows from MindSpore.

A check returns the value, or raises the type and text that MindSpore raises. Most are rows: a kind
of number and a relation. ``Validator`` and ``Rel`` are the classes that held them before 2.0.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common.dtype import DType, TensorType, _issubclass_

EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = range(1, 13)

_ONE: dict[int, tuple[str, Callable[[Any, Any], bool]]] = {
    EQ: ("= {}", operator.eq),
    NE: ("!= {}", operator.ne),
    LT: ("< {}", operator.lt),
    LE: ("<= {}", operator.le),
    GT: ("> {}", operator.gt),
    GE: (">= {}", operator.ge),
    IN: ("in {}", lambda value, many: value in many),
    NOT_IN: ("not in {}", lambda value, many: value not in many),
}
_RANGES: dict[int, tuple[str, Callable[[Any, Any], bool], Callable[[Any, Any], bool]]] = {
    INC_NEITHER: ("({}, {})", operator.le, operator.ge),
    INC_LEFT: ("[{}, {})", operator.lt, operator.ge),
    INC_RIGHT: ("({}, {}]", operator.le, operator.gt),
    INC_BOTH: ("[{}, {}]", operator.lt, operator.gt),
}
_HARDWARE = (
    "The supported data types depend on the hardware that executes the operator, for more details, "
    "please refer to the MindSpore official website."
)


def _the(prim_name: Any) -> str:
    return f"For '{prim_name}', the" if prim_name else "The"


def _of(arg_name: Any, prim_name: Any) -> str:
    return f"{_the(prim_name)} " + (f"'{arg_name}'" if arg_name else "input value")


def _number(kind: type, value: Any, limit: Any, rel: int, arg_name: Any, prim_name: Any) -> Any:
    if not isinstance(value, kind):
        raise ArgumentTypeError(
            f"{_of(arg_name, prim_name)} must be {kind.__name__}, but got '{type(value).__name__}'"
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise ArgumentValueError(
            f"{_of(arg_name, prim_name)} must be a legal value, but got '{value}'."
        )
    text, holds = _ONE[rel]
    if isinstance(value, bool) or not holds(value, limit):
        error = ArgumentTypeError if isinstance(value, bool) else ArgumentValueError
        raise error(
            f"{_of(arg_name, prim_name)} must be {kind.__name__} and must {text.format(limit)}, "
            f"but got '{value}' with type '{type(value).__name__}'."
        )
    return value


def _named(check_: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    check_.__name__ = check_.__qualname__ = name
    check_.__doc__ = doc
    return check_


def _beside(kind: type) -> Callable[..., Any]:
    def check_(arg_value: Any, value: Any, rel: int, arg_name=None, prim_name=None) -> Any:
        return _number(kind, arg_value, value, rel, arg_name, prim_name)

    doc = f"Return {kind.__name__} that stands in a relation to another, as ``GT``."
    return _named(check_, f"check_{kind.__name__}", doc)


check_int, check_float = _beside(int), _beside(float)


def _row(name: str, kind: type, rel: int) -> Callable[..., Any]:
    """Make the check of a number beside zero, or of each in a sequence."""
    every = name.endswith("_sequence")

    def check_(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> Any:
        if every:
            for place, item in enumerate(arg_value):
                _number(kind, item, 0, rel, f"{arg_name or 'value'}[{place}]", prim_name)
            return arg_value
        return _number(kind, arg_value, 0, rel, arg_name, prim_name)

    what = "the sequence, each" if every else "the value, a"
    return _named(check_, name, f"Return {what} {kind.__name__} {_ONE[rel][0].format(0)}.")


_SIGNS = {"positive": GT, "negative": LT, "non_negative": GE, "non_positive": LE}
for _sign, _rel in _SIGNS.items():
    for _kind in (int, float):
        for _many in ("", "_sequence"):
            _name = f"check_{_sign}_{_kind.__name__}{_many}"
            globals()[_name] = _row(_name, _kind, _rel)


def check_equal_int(
    arg_value: int, value: int, arg_name: str | None = None, prim_name: str | None = None
) -> int:
    """Return an int that equals another."""
    return _number(int, arg_value, value, EQ, arg_name, prim_name)


def _is(kind: type) -> Callable[..., Any]:
    def check_(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> Any:
        if not isinstance(arg_value, kind) or isinstance(arg_value, bool):
            what = f"'{arg_name}'" if arg_name else "input value"
            raise ArgumentTypeError(
                f"{_the(prim_name)} type of {what} must be '{kind.__name__}', but got "
                f"'{type(arg_value).__name__}'."
            )
        return arg_value

    doc = f"Return the value, {kind.__name__} and no bool."
    return _named(check_, f"check_is_{kind.__name__}", doc)


check_is_int, check_is_float = _is(int), _is(float)


def check_bool(arg_value: bool, arg_name: str | None = None, prim_name: str | None = None) -> bool:
    """Return the value, a bool."""
    if not isinstance(arg_value, bool):
        raise ArgumentTypeError(
            f"{_of(arg_name, prim_name)} must be a bool, but got {type(arg_value).__name__}."
        )
    return arg_value


def check_number_range(
    arg_value: Any,
    lower_limit: float,
    upper_limit: float,
    rel: int,
    value_type: type,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> Any:
    """Return a number of a type that lies in a range, as ``INC_LEFT`` for ``[0, 1)``."""
    if not isinstance(arg_value, value_type) or isinstance(arg_value, bool):
        raise ArgumentTypeError(
            f"{_of(arg_name, prim_name)} must be '{value_type.__name__}',  but got "
            f"'{type(arg_value).__name__}'."
        )
    text, below, above = _RANGES[rel]
    if below(arg_value, lower_limit) or above(arg_value, upper_limit):
        raise ArgumentValueError(
            f"{_of(arg_name, prim_name)} must be in range of "
            f"{text.format(lower_limit, upper_limit)}, but got {arg_value} with type "
            f"'{type(arg_value).__name__}'."
        )
    return arg_value


def _in_range(kind: type) -> Callable[..., Any]:
    def check_(
        arg_value: Any, lower_limit: Any, upper_limit: Any, rel: int, arg_name=None, prim_name=None
    ) -> Any:
        limits = (lower_limit, upper_limit, rel)
        return check_number_range(arg_value, *limits, kind, arg_name, prim_name)

    return _named(check_, f"check_{kind.__name__}_range", f"Return {kind.__name__} in a range.")


check_int_range, check_float_range = _in_range(int), _in_range(float)


def check_number(arg_name: str, arg_value: Any, value: Any, rel: int, prim_name: str) -> Any:
    """Return a number that stands in a relation to another."""
    text, holds = _ONE[rel]
    if not holds(arg_value, value):
        raise ArgumentValueError(
            f"For '{prim_name}', the argument '{arg_name}' must {text.format(value)}, but got "
            f"{arg_value}."
        )
    return arg_value


def check(
    arg_name: str,
    arg_value: Any,
    value_name: str,
    value: Any,
    rel: int = EQ,
    prim_name: str | None = None,
    excp_cls: type[Exception] = ValueError,
) -> Any:
    """Return a value that stands in a relation to another, which has a name too."""
    text, holds = _ONE[rel]
    if not holds(arg_value, value):
        error = ArgumentValueError if excp_cls is ValueError else excp_cls
        raise error(
            f"{_of(arg_name, prim_name)} should be {text.format(f'{value_name}: {value}')}, but "
            f"got {arg_value}."
        )
    return arg_value


def check_string(
    arg_value: str,
    valid_values: Iterable[str],
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> str:
    """Return a text that is one of several."""
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        raise ArgumentValueError(
            f"{_of(arg_name, prim_name)} must be str and must be in '{valid_values}', but got "
            f"'{arg_value}'."
        )
    return arg_value


def check_value_type(
    arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None
) -> Any:
    """Return a value of a type, or of one of several; a bool is an int only beside ``bool``."""
    types = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
    stray = isinstance(arg_value, bool) and bool not in types
    if stray or not isinstance(arg_value, types):
        names = [kind.__name__ for kind in types]
        accepted = f"'{names[0]}'" if len(names) == 1 else f"one of '{names}'"
        raise ArgumentTypeError(
            f"{_the(prim_name)} type of '{arg_name}' should be {accepted}, but got type "
            f"'{type(arg_value).__name__}'."
        )
    return arg_value


def check_isinstance(arg_name: str, arg_value: Any, classes: Any) -> Any:
    """Return an instance of a class; ``ValueError`` otherwise."""
    if not isinstance(arg_value, classes):
        raise ArgumentValueError(
            f"The parameter '{arg_name}' must be isinstance of {classes}, but got {arg_value}."
        )
    return arg_value


def _listed(types: Any) -> list[Any]:
    return list(types) if isinstance(types, (list, tuple, set, frozenset)) else [types]


def _title(kind: Any) -> str:
    return str(kind) if isinstance(kind, DType) else getattr(kind, "__name__", str(kind))


def check_type_name(arg_name: str, arg_type: Any, valid_types: Any, prim_name: str | None) -> Any:
    """Return a dtype or type that is one of several."""
    plain = arg_type.element if isinstance(arg_type, TensorType) else arg_type
    types = _listed(valid_types)
    if plain not in types:
        names = [_title(kind) for kind in types]
        accepted = names[0] if len(names) == 1 else f"one of {names}"
        raise ArgumentTypeError(
            f"{_of(arg_name, prim_name)} should be {accepted}, but got "
            f"'{plain if isinstance(plain, DType) else _title(plain)!r}'."
        )
    return arg_type


def check_subclass(
    arg_name: str,
    type_: Any,
    template_types: Any,
    prim_name: str | None,
    addition_error_info: str | None = None,
) -> None:
    """Raise ``TypeError`` unless a type, or dtype, is of a family, as ``mstype.number``."""
    types = _listed(template_types)
    if not any(type_ is kind or _issubclass_(type_, kind) for kind in types):
        many = ", ".join(map(str, types))
        accepted = many if len(types) == 1 else f"one of {many}"
        raise ArgumentTypeError(
            f"{_the(prim_name)} element of '{arg_name}' must be {accepted}, but got {type_}."
            f"{addition_error_info or ''}{_HARDWARE}"
        )


def check_types_same_and_valid(
    args: Mapping[str, Any], valid_values: Iterable[Any], prim_name: str | None
) -> None:
    """Raise ``TypeError`` unless dtypes, by name, are of a family and all the same."""
    first: tuple[str, Any] | None = None
    for name, kind in args.items():
        check_subclass(name, kind, valid_values, prim_name)
        if first is not None and kind != first[1]:
            raise ArgumentTypeError(
                f"{_the(prim_name)} type of '{name}' should be same as '{first[0]}', but got "
                f"'{first[0]}' with type {first[1]} and '{name}' with type {kind}."
            )
        first = first or (name, kind)


check_tensors_dtypes_same_and_valid = check_types_same_and_valid


def check_tensor_dtype_valid(
    arg_name: str, arg_type: Any, valid_dtypes: Iterable[Any], prim_name: str | None
) -> None:
    """Raise ``TypeError`` unless a dtype, or that of a Tensor, is one of several."""
    plain = arg_type.element if isinstance(arg_type, TensorType) else arg_type
    check_subclass(arg_name, plain, _listed(valid_dtypes), prim_name)


def check_element_type_of_iterable(
    arg_name: str, arg_value: Iterable[Any], valid_types: Any, prim_name: str | None = None
) -> Any:
    """Return a collection whose members are of a type."""
    for item in arg_value:
        check_value_type(arg_name, item, valid_types, prim_name)
    return arg_value


def check_str_by_regular(
    target: str, reg: str | None = None, flag: Any = re.ASCII, prim_name: str | None = None
) -> bool:
    """Whether a text matches, which is True; ``ValueError`` otherwise."""
    pattern = reg or r"^\w+[0-9a-zA-Z\_\.]*$"
    if re.match(pattern, target, flag) is None:
        raise ArgumentValueError(
            f"{_the(prim_name)} '{target}' is illegal, it must be match regular'{pattern}' by "
            f"flags'{flag}.'"
        )
    return True


def check_axis_in_range(axis: int, ndim: int) -> int:
    """Return an axis counted from the front."""
    if not -ndim <= axis < ndim:
        raise ArgumentValueError(
            f"The 'axis' must be in the range of [{-ndim}, {ndim}), but got {axis}."
        )
    return axis % ndim


def check_and_canonicalize_axes(axes: int | Sequence[int], ndim: int) -> tuple[int, ...]:
    """Return axes counted from the front."""
    return tuple(check_axis_in_range(axis, ndim) for axis in _listed(axes))


def twice(value: Any) -> Any:
    """Return a pair of a number; a sequence of two as it is."""
    return value if isinstance(value, (tuple, list)) else (value, value)


def triple(value: Any) -> Any:
    """Return a number three times; a sequence of three as it is."""
    return value if isinstance(value, (tuple, list)) else (value,) * 3


def _check_3d_int_or_tuple(
    arg_name: str,
    arg_value: Any,
    prim_name: str,
    allow_five: bool = False,
    ret_five: bool = False,
    greater_zero: bool = True,
    third_one: bool = False,
    three_input: bool = False,
    pad_value: int = 1,
) -> tuple[int, ...]:
    """Return three sizes, given as one int or as three; as five, with ``pad_value`` in front.

    Args:
        arg_name: What they are of, for the error, as ``prim_name``.
        arg_value: An int or a tuple.
        allow_five: Whether five are accepted, of which the last three are taken.
        ret_five: Whether five are returned.
        greater_zero: Whether each must be above 0, not only 0 or above.
        third_one: Whether the depth must be 1.
        three_input: Changes nothing but the error's text, in MindSpore.
    """
    check_value_type(arg_name, arg_value, (int, tuple), prim_name)
    found = (arg_value,) * 3 if isinstance(arg_value, int) else arg_value
    fits = len(found) in ((3, 5) if allow_five else (3,)) and all(
        isinstance(one, int) and one >= greater_zero for one in found
    )
    if not fits:
        raise ArgumentValueError(
            f"For '{prim_name}', the parameter '{arg_name}' must be an positive integer or a tuple "
            f"of three {'or five ' * allow_five}positive integer, but got {found}"
        )
    found = found[-3:]
    if third_one and found[0] != 1:
        raise ArgumentValueError(
            f"For '{prim_name}', the depth of parameter '{arg_name}' must be 1, but got {found[0]}."
        )
    return (pad_value,) * 2 * ret_five + found


def with_checks(checks: Mapping[str, Callable[[Any, str], Any]], function: Any) -> Any:
    """Return a function that calls a check with each argument of its name, at each call."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            if name in checks:
                checks[name](value, name)
        return function(*args, **kwargs)

    return called


def args_type_check(*type_args: Any, **type_kwargs: Any) -> Callable[[Any], Any]:
    """Check the arguments of a function at each call, as ``@args_type_check(a=int)``."""

    def decorate(function: Any) -> Any:
        kinds = inspect.signature(function).bind_partial(*type_args, **type_kwargs).arguments

        def check_(value: Any, name: str) -> None:
            if value is not None and not isinstance(value, kinds[name]):
                raise ArgumentTypeError(
                    f"The parameter '{name}' must be {kinds[name]}, but got {type(value)}"
                )

        return with_checks(dict.fromkeys(kinds, check_), function)

    return decorate


_CHECKS = {name: value for name, value in globals().items() if name.startswith("check")}
_RELATIONS = "EQ NE LT LE GT GE INC_NEITHER INC_LEFT INC_RIGHT INC_BOTH IN NOT_IN"

_ALL = {**_CHECKS, "args_type_check": args_type_check, "twice": twice, "triple": triple}


def _check_finite(name: str, value: Any, prim: str | None = None) -> float:
    _CHECKS["check_is_float"](value, name, prim)
    if not math.isfinite(value):
        raise ArgumentValueError(f"For '{prim}', the '{name}' must be finite, but got {value}.")
    return value


# Before 2.0 the checks were static methods, and the relations members of a class.
Validator = type(
    "Validator",
    (),
    {
        "__doc__": "The checks, as MindSpore 1.x has them.",
        **{name: staticmethod(value) for name, value in _CHECKS.items()},
        # Of 1.0, which has the name first.
        "check_integer": staticmethod(
            lambda arg_name, arg_value, value, rel, prim_name=None: check_int(
                arg_value, value, rel, arg_name, prim_name
            )
        ),
        "check_float_positive": staticmethod(
            lambda name, value, prim=None: _CHECKS["check_positive_float"](value, name, prim)
        ),
        "check_float_legal_value": staticmethod(_check_finite),
    },
)
Rel = type(
    "Rel",
    (),
    {
        "__doc__": "The relations, as MindSpore 1.x has them.",
        **{name: globals()[name] for name in _RELATIONS.split()},
    },
)
__all__ = [*_RELATIONS.split(), *_ALL]
