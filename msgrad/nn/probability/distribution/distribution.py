"""``Distribution``: the calls, the parameters and the checks of all distributions, said once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from msgrad import ops
from msgrad._core.checks import at_least_zero, of_type
from msgrad._core.errors import ArgumentTypeError, UnsupportedError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._family import Family
from msgrad.nn.probability._formula import (
    FLOATS,
    INTS,
    a_tensor,
    batch_shape,
    cast,
    of_dtypes,
    only_numbers,
    positive,
    to_tensor,
)

# What is computed -> the formulas that it can come from, each with what is done to its result.
_WAYS: dict[str, dict[str, Callable[[Any], Any] | None]] = {
    "prob": {"_prob": None, "_log_prob": ops.exp},
    "log_prob": {"_log_prob": None, "_prob": ops.log},
    "cdf": {
        "_cdf": None,
        "_log_cdf": ops.exp,
        "_survival_function": lambda survival: 1.0 - survival,
        "_log_survival": lambda survival: 1.0 - ops.exp(survival),
    },
    "log_cdf": {"_log_cdf": None, "cdf": ops.log},
    "survival_function": {
        "_survival_function": None,
        "_log_survival": ops.exp,
        "cdf": lambda cdf: 1.0 - cdf,
    },
    "log_survival": {"_log_survival": None, "survival_function": ops.log},
    "mean": {"_mean": None},
    "mode": {"_mode": None},
    "sd": {"_sd": None, "_var": ops.sqrt},
    "var": {"_var": None, "_sd": ops.square},
    "entropy": {"_entropy": None},
    "kl_loss": {"_kl_loss": None},
    "cross_entropy": {"_cross_entropy": None},
    "sample": {"_sample": None},
    "get_dist_args": {"_get_dist_args": None},
    "get_dist_type": {"_get_dist_type": None},
}


def _asks(name: str, what: str) -> Callable[..., Any]:
    """Return the method that computes what is named."""

    def method(self: Distribution, *args: Any, **kwargs: Any) -> Any:
        return self.construct(name, *args, **kwargs)

    method.__name__, method.__doc__ = name, f"Compute {what}."
    return method


class Distribution(Family):
    """Base of the distributions; one of your own defines ``_log_prob``, ``_sample`` and the like.

    ``dist.log_prob(value)`` and ``dist("log_prob", value)`` are the same. Every method also takes
    the parameters of the distribution, as Tensors and under their names: what is given there takes
    the place of what the constructor was given, in this call. ``prob`` comes from ``_prob`` or
    ``_log_prob``, whichever the class defines, and so do ``log_prob``, the functions of ``cdf``,
    ``sd`` and ``var``.

    Args:
        seed: int, 0 or more; names a stream of its own that samples are drawn from. With 0 or None
            they come from the generator of ``mindspore.set_seed``.
        dtype: dtype of samples.
        name: What error texts call it.
        param: dict of the constructor's arguments, with ``param_dict``, the parameters by name.

    Raises:
        TypeError: For a dtype, a name, a seed or a parameter of another type, and where parameters
            have different dtypes.
        ValueError: For parameters outside their range.
    """

    # What parameters are: Tensors, lists or numbers, or None where they come with the calls.
    _told: ClassVar[Mapping[str, str]] = {
        "mean": "The mean: Tensor, list or number; None if it comes with the calls.",
        "sd": "The standard deviation, or the scale; above 0.",
        "df": "The degrees of freedom; above 0.",
        "loc": "The location: Tensor, list or number; None if it comes with the calls.",
        "scale": "The scale; above 0.",
        "low": "The lower end: Tensor, list or number; None if it comes with the calls.",
        "high": "The upper end, above the lower.",
        "rate": "The rate, above 0: Tensor, list or number; None if it comes with the calls.",
        "probs": "Between 0 and 1: Tensor, list or number; None if it comes with the calls, where "
        "it is ``probs1``.",
        "concentration": "The shape, above 0: Tensor or list; None if it comes with the calls.",
        "concentration1": "Alpha, above 0: Tensor or list; None if it comes with the calls.",
        "concentration0": "Beta, likewise.",
    }
    # The names of the parameters, in their order; a class that states them gets its constructor.
    _arguments = ""
    # Those that have to be above 0, and what the error calls them.
    _positive: ClassVar[Mapping[str, str]] = {}
    # What ``repr`` calls a parameter, where it is not its name.
    _labels: ClassVar[Mapping[str, str]] = {}
    # Types that parameters must not have.
    _refused: ClassVar[tuple[type, ...]] = ()
    # Whether values count something: they are cast to the dtype of the parameters.
    _counts = False
    # The dtype of samples, and those it may be.
    _standard: ClassVar[Any] = mstype.float32
    _accepted: ClassVar[tuple[mstype.DType, ...]] = FLOATS

    def __init_subclass__(cls, **facts: Any) -> None:
        names = facts.get("arguments", "").split()
        if names:
            kind = facts.get("standard", cls._standard)
            constructor: Any = _constructor(cls, names, kind)
            cls.__init__ = constructor  # type: ignore[method-assign]
            for name in names:
                if not hasattr(Distribution, name):
                    setattr(cls, name, property(lambda self, n=name: getattr(self, f"_{n}")))
        super().__init_subclass__(**facts)

    if TYPE_CHECKING:
        # What a member takes is made of what its class statement says.
        def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def _start(self, seed: int | None, dtype: Any, name: str, param: dict[str, Any]) -> None:
        super().__init__()
        of_type(type(self).__name__, "name", name, str)
        self.seed: int = of_type(name, "seed", 0 if seed is None else seed, int)
        at_least_zero(name, "seed", self.seed)
        self.name = name
        self.dtype = dtype
        self.parameters = {k: v for k, v in param.items() if k != "self" and k[0] != "_"}
        self._reset_parameters()
        if "distribution" not in self.parameters:
            parameters = self.parameters.get("param_dict", {})
            self.parameter_type = _common_dtype(parameters, dtype)
            self.batch_shape = batch_shape(parameters)
            self.is_scalar_batch = only_numbers(parameters)
            self.broadcast_shape = self.batch_shape

    if not TYPE_CHECKING:
        __init__ = _start

    def _declare(self, given: dict[str, Any]) -> None:
        """Construct one of a family: check the arguments, and keep the parameters."""
        names = self._arguments.split()
        of_dtypes(type(self).__name__, "dtype", given["dtype"], self._accepted)
        parameters = {name: given[name] for name in names}
        for name, value in parameters.items():
            if isinstance(value, self._refused) and not isinstance(value, bool):
                raise ArgumentTypeError(
                    f"Input {name} can't be scalar, but got {value}; give it as a Tensor."
                )
        param = {**given, "param_dict": parameters}
        self._start(given["seed"], given["dtype"], given["name"], param)
        self._keep(parameters)

    def _keep(self, parameters: Mapping[str, Any]) -> None:
        """Keep the parameters, as attributes too, and check their values."""
        for name, value in parameters.items():
            kept = f"_{name}_value" if hasattr(Distribution, name) else f"_{name}"
            setattr(self, kept, self._add_parameter(value, name))
        self._check_values(*self.default_parameters)

    def _check_values(self, *values: Tensor | None) -> None:
        for name, value in zip(self.parameter_names, values, strict=True):
            if name in self._positive:
                positive(value, self._positive[name])

    def _reset_parameters(self) -> None:
        self.default_parameters: list[Tensor | None] = []
        self.parameter_names: list[str] = []

    def _add_parameter(self, value: Any, name: str) -> Tensor | None:
        """Keep a parameter, as a Tensor of the parameters' dtype; returns it."""
        kept = None if value is None else to_tensor(value, self.parameter_type)
        self.default_parameters.append(kept)
        self.parameter_names.append(name)
        return kept

    def _check_value(self, value: Any, name: str) -> Tensor:
        return a_tensor(value, name)

    def _check_param_type(self, *args: Any) -> Any:
        """Return the parameters of a call, broadcast; a single one is no tuple.

        Args:
            args: For each parameter a Tensor, or None for that of the constructor.

        Raises:
            TypeError: If one is neither here nor there, is no Tensor, or has another dtype.
        """
        found: list[Tensor] = []
        for arg, name, default in zip(
            args, self.parameter_names, self.default_parameters, strict=False
        ):
            if arg is None and default is None:
                raise ArgumentTypeError(
                    f"The type of {name} must be a subclass of Tensor; it cannot be None, since "
                    "the constructor did not get it either."
                )
            found.append(a_tensor(default if arg is None else arg, name))
            if found[-1].dtype is not found[0].dtype:
                raise ArgumentTypeError(
                    f"The dtype of {name} must be {found[0].dtype} as that of "
                    f"{self.parameter_names[0]}, but got {found[-1].dtype}."
                )
        shapes = {value.shape for value in found}
        if len(shapes) > 1:
            shape = np.broadcast_shapes(*shapes)
            found = [v if v.shape == shape else v.broadcast_to(shape) for v in found]
        kept = tuple([cast(value, self.parameter_type) for value in found])
        return kept if len(kept) != 1 else kept[0]

    def _event_of(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of one sample, from that of the parameters."""
        return shape

    def extend_repr(self) -> str:
        if not self._arguments:
            return ""
        if not self.is_scalar_batch:
            return f"batch_shape = {self.broadcast_shape}"
        pairs = zip(self.parameter_names, self.default_parameters, strict=True)
        return ", ".join(f"{self._labels.get(name, name)} = {value}" for name, value in pairs)

    def _get_dist_type(self) -> str:
        if not self._arguments:
            raise self._unsupported("get_dist_type")
        return type(self).__name__

    def _get_dist_args(self, *args: Tensor | None) -> tuple[Tensor | None, ...]:
        if not self._arguments:
            raise self._unsupported("get_dist_args")
        given = [*args, *[None] * (len(self.parameter_names) - len(args))]
        return tuple(
            default if value is None else a_tensor(value, name)
            for value, name, default in zip(
                given, self.parameter_names, self.default_parameters, strict=True
            )
        )

    def _cross_entropy(self, dist: str, *args: Any, **kwargs: Any) -> Tensor:
        difference = self.construct("kl_loss", dist, *args, **kwargs)
        own = {name: value for name, value in kwargs.items() if not name.endswith("_b")}
        given = len(self.parameter_names) - (len(kwargs) - len(own))
        return self.construct("entropy", *args[given:], **own) + difference

    def _unsupported(self, name: str) -> UnsupportedError:
        return UnsupportedError(f"{name} is not implemented for {self.name} distribution.")

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Compute what is named: ``"prob"``, ``"sample"`` or another of the methods."""
        for formula, then in _WAYS.get(name, {}).items():
            if hasattr(type(self), formula):
                result = getattr(self, formula)(*args, **kwargs)
                return result if then is None else then(result)
        raise self._unsupported(name)

    prob = _asks("prob", "the density, or the probability, at ``value``")
    log_prob = _asks("log_prob", "the logarithm of ``prob`` at ``value``")
    cdf = _asks("cdf", "the probability of at most ``value``")
    log_cdf = _asks("log_cdf", "the logarithm of ``cdf`` at ``value``")
    survival_function = _asks("survival_function", "the probability of more than ``value``")
    log_survival = _asks("log_survival", "the logarithm of ``survival_function`` at ``value``")
    mean = _asks("mean", "the mean")
    mode = _asks("mode", "the mode")
    sd = _asks("sd", "the standard deviation")
    var = _asks("var", "the variance")
    entropy = _asks("entropy", "the entropy, in nats")
    kl_loss = _asks(
        "kl_loss",
        "the Kullback-Leibler divergence of this distribution from another: of the type ``dist``,"
        " which is this one's, and with the parameters that follow, under names that end in ``_b``",
    )
    cross_entropy = _asks("cross_entropy", "the cross entropy with another; see ``kl_loss``")
    sample = _asks("sample", "samples, ``shape`` of them, a tuple, for each of the batch")
    get_dist_args = _asks("get_dist_args", "the parameters, where not given the constructor's")
    get_dist_type = _asks("get_dist_type", "the name of the type")


def _constructor(owner: type, names: list[str], dtype: mstype.DType) -> Callable[..., None]:
    """Return the constructor of a family: its parameters, then seed, dtype and name."""
    defaults = {**dict.fromkeys(names), "seed": None, "dtype": dtype, "name": owner.__name__}
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [inspect.Parameter("self", kind)]
        + [inspect.Parameter(name, kind, default=value) for name, value in defaults.items()]
    )

    def __init__(self: Distribution, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        self._declare({name: value for name, value in bound.arguments.items() if name != "self"})

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__annotations__ = dict.fromkeys(defaults, "Any")
    return __init__


def _common_dtype(parameters: Mapping[str, Any], hint: mstype.DType) -> mstype.DType:
    """Return the dtype of parameters: their own, or one that suits samples; never float64."""
    found: mstype.DType | None = None
    for name, value in parameters.items():
        if hasattr(value, "dtype"):
            kind = mstype.as_dtype(value.dtype)
            if kind is not (found or kind):
                raise ArgumentTypeError(
                    f"{name} should have the same dtype as other arguments, {found}, but got "
                    f"{kind}."
                )
            found = kind
    if found in INTS or found is mstype.float64:
        return mstype.float32
    return found or (mstype.float32 if hint in INTS or hint is None else hint)
