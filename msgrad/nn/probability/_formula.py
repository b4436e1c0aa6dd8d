"""What distributions and bijectors share: their parameters, checked, and formulas as operators."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import jax
import numpy as np

from msgrad._core.deferred.recording import materialize_numbers
from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Operator, operator
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor

FLOATS = mstype.float_type
INTS = (*mstype.int_type, *mstype.uint_type)


class Formula:
    """A formula on raw arrays in the body of a class, whose method it becomes.

    Args:
        kernel: The formula: a lambda of arrays, of which ``key`` is one for random numbers, and of
            the static ``shape`` and ``dtype``.
    """

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self._kernel = kernel
        self._method: Any = None

    def __set_name__(self, owner: type, name: str) -> None:
        # Under a second name it is the same.
        if self._method is None:
            names = list(inspect.signature(self._kernel).parameters)
            compute = _operator(self._kernel, f"{owner.__name__}.{name[1:]}", names)
            # By a name, as operators are pickled.
            globals()[f"_{owner.__module__.rpartition('.')[2]}_{owner.__name__}{name}"] = compute
            self._method = self.method(compute, names)
            self._method.__name__ = name
        setattr(owner, name, self._method)

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        """Compute it; here for type checkers, as the method takes its place."""
        return self._method(*args, **kwargs)

    def method(self, compute: Callable[..., Any], names: list[str]) -> Callable[..., Tensor]:
        """Return the method, which calls ``compute``, an operator of arguments of these names."""
        raise NotImplementedError


def _operator(kernel: Callable[..., Any], name: str, names: list[str]) -> Operator:
    def compute(*args: Any, **statics: Any) -> Any:
        if names[0] == "key":
            args = (jax.random.wrap_key_data(args[0]), *args[1:])
        return kernel(*args, **statics)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    static = ("shape", "dtype")
    compute.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(n, kind, annotation="Any" if n in static else "Array") for n in names]
    )
    return operator(name, product=True, public=False)(compute)


def a_tensor(value: Any, name: str) -> Tensor:
    """Return ``value`` if it is a Tensor; raises ``TypeError`` if not."""
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(
            f"For {name}, input type must be a Tensor or Parameter, but got {type(value)}; convert "
            "it with mindspore.Tensor(value)."
        )
    return value


def to_tensor(value: Any, dtype: mstype.DType | None = None) -> Tensor:
    """Return a parameter as a Tensor that gradients flow through; a Parameter is itself.

    Raises:
        TypeError: If it is no Tensor, NumPy array, list or number.
    """
    if isinstance(value, Parameter):
        return value
    known = (Tensor, np.ndarray, list, int, float)
    if isinstance(value, bool) or not isinstance(value, known):
        raise ArgumentTypeError(
            f"A parameter must be a Tensor, a NumPy array, a list or a number, but got {value} of "
            f"type {type(value)}."
        )
    if isinstance(value, Tensor):
        return value if dtype is None else cast(value, dtype)
    return Tensor(value, dtype)


def cast(value: Tensor, dtype: mstype.DType) -> Tensor:
    """Return ``value`` in a dtype; itself, without an operator, where it has it."""
    return value if value.dtype is dtype else value.astype(dtype)


def batch_shape(parameters: Mapping[str, Any] | None) -> tuple[int, ...] | None:
    """Return the shape that parameters broadcast to; None while one of them is not given."""
    if parameters is None or any(value is None for value in parameters.values()):
        return None
    return np.broadcast_shapes(*[to_tensor(value).shape for value in parameters.values()])


def only_numbers(parameters: Mapping[str, Any]) -> bool:
    """Whether each parameter that is given is a Python number."""
    return all(isinstance(v, (int, float)) for v in parameters.values() if v is not None)


def require(condition: Callable[..., Any], text: str, *values: Tensor | None) -> None:
    """Check what parameters are; not those of which a compiled program does not know the values.

    Args:
        condition: A function of NumPy arrays, of what must hold everywhere.
        text: The error's.
        values: The parameters; nothing is checked if one is None.

    Raises:
        ValueError: If it does not hold.
    """
    given = [value for value in values if value is not None]
    now = [concrete(materialize_numbers(value._peek())) for value in given]
    if len(given) < len(values) or any(map(is_tracer, now)):
        return
    arrays = [np.asarray(array) for array in now]
    if not np.all(condition(*arrays)):
        raise ArgumentValueError(f"{text}, but got {', '.join(map(str, arrays))}.")


def positive(value: Tensor | None, label: str) -> None:
    """Check that a parameter is above 0; raises ``ValueError`` if not."""
    require(lambda array: array > 0, f"{label} must be greater than zero", value)


def of_dtypes(owner: str, name: str, dtype: Any, accepted: Iterable[mstype.DType]) -> mstype.DType:
    """Return ``dtype`` if it is one of those accepted; raises ``TypeError`` if not."""
    if dtype not in tuple(accepted):
        raise ArgumentTypeError(
            f"For '{owner}', the '{name}' should be one of {list(accepted)}, but got {dtype}."
        )
    return dtype
