"""``formula``: how a formula of a distribution, on raw arrays, becomes its method."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError
from msgrad._core.random import next_key
from msgrad.common.dtype import to_numpy
from msgrad.common.tensor import Tensor
from msgrad.nn.probability._formula import Formula, a_tensor, cast
from msgrad.ops.random import choice_numbers, normal_numbers, uniform_numbers

_REQUIRED = inspect.Parameter.empty
_DRAWN: dict[str, Callable[..., Any]] = {
    "key": lambda seed, shape, beside: next_key(seed or None),
    "units": lambda seed, shape, beside: uniform_numbers("uniform", seed, shape, beside=beside),
    "choices": lambda seed, shape, beside: choice_numbers("multinomial", seed, shape, beside),
    "normals": lambda seed, shape, beside: normal_numbers("normal", seed, shape, beside=beside),
}


class formula(Formula):
    """A formula, which is one operator, as a method of the class that it is written in.

    The names of its arguments say what the method takes. ``value`` and what ends in ``_b`` (the
    parameters of the other distribution, whose type then comes first) have to be given; the others
    are the distribution's own parameters, which may be. One that begins with ``key``
    draws from it numbers of the static ``shape`` that is asked for together with the batch; one
    with ``units``, ``choices`` (uniform on [0, 1)) or ``normals`` is given so many, float32, as
    MindSpore draws them. What it returns is cast to the dtype of samples.
    """

    def method(self, compute: Callable[..., Any], names: list[str]) -> Callable[..., Tensor]:
        statics = [n for n in names if n in ("shape", "dtype", *_DRAWN)]
        drawn = _DRAWN.get(names[0])
        required = [n for n in names if n == "value" or n.endswith("_b")]
        own = [n for n in names if n not in (*statics, *required)]
        two = bool(required) and required[0] != "value"
        defaults: dict[str, Any] = {"self": _REQUIRED, **({"dist": _REQUIRED} if two else {})}
        defaults |= {"shape": ()} if drawn else {}
        defaults |= dict.fromkeys(required, _REQUIRED) | dict.fromkeys(own)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        signature = inspect.Signature(
            [inspect.Parameter(n, kind, default=default) for n, default in defaults.items()]
        )

        def method(self: Any, *args: Any, **kwargs: Any) -> Tensor:
            given = signature.bind(self, *args, **kwargs).arguments
            if two:
                _same_type(given["dist"], self.get_dist_type())
            kind = self.parameter_type if self._counts or two else self.dtype
            values = [cast(a_tensor(given[n], n), kind) for n in required]
            found = self._check_param_type(*[given.get(n) for n in own])
            operands = [*values, *(found if isinstance(found, tuple) else (found,))]
            if drawn:
                asked = of_type("sample", "shape", given.get("shape", ()), tuple)
                shape = asked + self._event_of(operands[0].shape)
                sizes = (shape,) if "shape" in names else ()
                noise = drawn(self.seed, shape, tuple(operands))
                return cast(compute(noise, *operands, *sizes), self.dtype)
            return compute(*operands, *[to_numpy(self.dtype) for _ in statics])

        method.__signature__ = signature  # type: ignore[attr-defined]
        return method


def _same_type(given: Any, expected: str) -> None:
    if given != expected:
        raise ArgumentValueError(
            f"Expected dist input is {expected}, but got {given}; 'dist' names the type of the "
            "other distribution."
        )
