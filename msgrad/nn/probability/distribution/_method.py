"""``formula``: how a formula of a distribution, on raw arrays, becomes its method."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import jax

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.random import next_key
from msgrad.common.dtype import to_numpy
from msgrad.common.tensor import Tensor
from msgrad.nn.probability._formula import a_tensor, cast, operator_of

_REQUIRED = inspect.Parameter.empty


def formula(kernel: Callable[..., Any]) -> Callable[..., Tensor]:
    """Make a method of a formula, which then is one operator; a decorator.

    The names of the kernel's arguments say what the method takes. ``value`` and what ends in
    ``_b`` (the parameters of the other distribution) have to be given; the others are the
    distribution's own parameters, which may be. A formula ``_kl_loss`` takes the type of the
    other distribution first. One of a sample draws from ``key`` numbers of the static ``shape``
    that is asked for together with the batch; its result is cast to the distribution's dtype.
    """
    compute, names = operator_of(_with_typed_key(kernel))
    statics = [n for n in names if n in ("key", "shape", "dtype")]
    required = [n for n in names if n == "value" or n.endswith("_b")]
    own = [n for n in names if n not in (*statics, *required)]
    first = {"_kl_loss": {"dist": _REQUIRED}, "_sample": {"shape": ()}}
    defaults = {"self": _REQUIRED, **first.get(kernel.__name__, {})}
    defaults |= dict.fromkeys(required, _REQUIRED) | dict.fromkeys(own)
    signature = inspect.Signature(
        [
            inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
            for n, default in defaults.items()
        ]
    )

    @functools.wraps(kernel)
    def method(self: Any, *args: Any, **kwargs: Any) -> Tensor:
        given = signature.bind(self, *args, **kwargs).arguments
        if "dist" in given:
            _same_type(given["dist"], self._get_dist_type())
        kind = self.parameter_type if self._counts or "dist" in given else self.dtype
        values = [cast(a_tensor(given[n], n), kind) for n in required]
        found = self._check_param_type(*[given.get(n) for n in own])
        operands = [*values, *(found if isinstance(found, tuple) else (found,))]
        if "key" in statics:
            shape = _a_tuple(given.get("shape", ())) + self._event_of(operands[0].shape)
            drawn = compute(next_key(self.seed or None), *operands, shape)
            return cast(drawn, self.dtype)
        return compute(*operands, *[to_numpy(self.dtype) for _ in statics])

    method.__signature__ = signature  # type: ignore[attr-defined]
    return method


def _with_typed_key(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel of a sample, of a key as operators pass it; another as it is."""

    @functools.wraps(kernel)
    def drawing(key: Any, *parameters: Any, shape: tuple[int, ...]) -> Any:
        return kernel(jax.random.wrap_key_data(key), *parameters, shape)

    return drawing if kernel.__name__ == "_sample" else kernel


def _same_type(given: Any, expected: str) -> None:
    if given != expected:
        raise ArgumentValueError(
            f"Expected dist input is {expected}, but got {given}; 'dist' names the type of the "
            "other distribution."
        )


def _a_tuple(shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, tuple):
        raise ArgumentTypeError(f"For shape, input type must be a tuple, but got {type(shape)}.")
    return shape
