"""``Bijector``: the calls, the parameters and the checks of all bijectors, said once."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, MsgradError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._family import Family
from msgrad.nn.probability._formula import (
    FLOATS,
    Formula,
    a_tensor,
    batch_shape,
    cast,
    of_dtypes,
    only_numbers,
    to_tensor,
)

_DISTRIBUTIONS = "msgrad.nn.probability.distribution"


class Bijector(Family):
    """Base of the bijectors; one of your own defines ``_forward``, ``_inverse`` and their like.

    ``bijector.forward(x)`` and ``bijector("forward", x)`` are the same; called on a distribution it
    returns the ``TransformedDistribution``.

    Args:
        is_constant_jacobian: Whether the derivative is the same everywhere.
        is_injective: Whether it is injective.
        name: What error texts call it.
        dtype: The dtype of values; None for any floating one.
        param: dict of the constructor's arguments, with ``param_dict``, the parameters by name.

    Differs from MindSpore: a Parameter among the parameters stays one, and can be trained; there a
    copy of its values is taken.

    Raises:
        TypeError: For arguments of other types, and for parameters that are not floating or have
            different dtypes.
        ValueError: For parameters outside their range.
    """

    def __init__(
        self,
        is_constant_jacobian: bool = False,
        is_injective: bool = True,
        name: str | None = None,
        dtype: mstype.DType | None = None,
        param: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        of_type(type(self).__name__, "name", name, str)
        of_type(name, "is_constant_jacobian", is_constant_jacobian, bool)
        of_type(name, "is_injective", is_injective, bool)
        if dtype is not None:
            of_dtypes(type(self).__name__, "dtype", dtype, FLOATS)
        self.name: Any = name
        self.dtype = dtype
        param = param or {}
        self.parameters = {k: v for k, v in param.items() if k != "self" and k[0] != "_"}
        parameters = self.parameters.get("param_dict")
        self.batch_shape = batch_shape(parameters)
        self.is_scalar_batch = parameters is not None and only_numbers(parameters)
        self.is_constant_jacobian = is_constant_jacobian
        self.is_injective = is_injective
        self.default_parameters: list[Tensor] = []
        self.parameter_names: list[str] = []

    def _declare(self, name: str, linear: bool = False, **parameters: Any) -> None:
        """Construct one of the family, and keep the parameters, as attributes too."""
        param = {"name": name, **parameters, "param_dict": parameters}
        Bijector.__init__(self, linear, True, name, None, param)
        for key, value in parameters.items():
            setattr(self, key, self._add_parameter(value, key))

    def _add_parameter(self, value: Any, name: str) -> Tensor:
        """Keep a parameter; returns it as a Tensor."""
        kept = to_tensor(value)
        of_dtypes(type(self).__name__, f"dtype of {name}", kept.dtype, FLOATS)
        wanted = self.default_parameters[0].dtype if self.default_parameters else kept.dtype
        if kept.dtype is not (self.dtype or wanted):
            raise ArgumentTypeError(
                f"{name} should have the same dtype as other arguments, {self.dtype or wanted}, "
                f"but got {kept.dtype}."
            )
        self.default_parameters.append(kept)
        self.parameter_names.append(name)
        return kept

    def _check_value_dtype(self, value: Any) -> Tensor:
        a_tensor(value, "input value of bijector")
        accepted = FLOATS if self.dtype is None else (self.dtype,)
        of_dtypes(type(self).__name__, "dtype of the input value", value.dtype, accepted)
        return value

    def _check_value(self, value: Any, name: str) -> Tensor:
        return a_tensor(value, name)

    def cast_param_by_value(self, value: Tensor, para: Tensor) -> Tensor:
        """Return a parameter in the dtype of a value."""
        return cast(para, value.dtype)

    def shape_mapping(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape that values of a shape are mapped to."""
        return np.broadcast_shapes(shape, self.batch_shape or ())

    def extend_repr(self) -> str:
        if self.parameter_names and not self.is_scalar_batch:
            return f"batch_shape = {self.batch_shape}"
        pairs = zip(self.parameter_names, self.default_parameters, strict=True)
        return ", ".join(f"{name} = {value}" for name, value in pairs)

    def forward(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Compute what ``value`` is mapped to."""
        return self._forward(value, *args, **kwargs)

    def inverse(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Compute what is mapped to ``value``."""
        return self._inverse(value, *args, **kwargs)

    def forward_log_jacobian(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Compute the logarithm of the derivative of ``forward``."""
        return self._forward_log_jacobian(value, *args, **kwargs)

    def inverse_log_jacobian(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Compute the logarithm of the derivative of ``inverse``."""
        return self._inverse_log_jacobian(value, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute what is named, or transform a distribution."""
        distributions = importlib.import_module(_DISTRIBUTIONS)
        if args and isinstance(args[0], distributions.Distribution):
            return distributions.TransformedDistribution(self, args[0])
        return super().__call__(*args, **kwargs)

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Tensor:
        """Compute ``"forward"``, ``"inverse"`` or the logarithm of the derivative of one."""
        names = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")
        if name not in names:
            raise MsgradError(f"Invalid name '{name}'; a bijector has {', '.join(names)}.")
        return getattr(self, name)(*args, **kwargs)


class formula(Formula):
    """A formula of a value and the parameters, as a method of the class that it is written in."""

    def method(self, compute: Callable[..., Any], names: list[str]) -> Callable[..., Tensor]:
        def method(self: Bijector, value: Tensor) -> Tensor:
            value = self._check_value_dtype(value)
            return compute(value, *[cast(p, value.dtype) for p in self.default_parameters])

        return method
