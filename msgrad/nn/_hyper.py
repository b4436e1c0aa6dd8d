"""What constructors take, declared once: annotations say which values are accepted.

``CHECKS`` has a row for each kind; a parameter annotated with anything else is taken as it is. A
class of ``Declaring`` lists its parameters in its body, and needs no ``__init__``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import a_bool, at_least_zero, inside, of_type, positive_float, positive_int
from msgrad._core.docstrings import OF_NUMBERS, completed
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, OptionError
from msgrad._core.former import formerly
from msgrad.common.tensor import Tensor

Function = TypeVar("Function", bound=Callable[..., Any])

# Of `nn`: floats that must be floats, no ints.
Exact = float
Share = float  # between 0 and 1, neither of them
Ratio = float  # from 0 to 1
Positive = float
NotNegative = float
# Of the schedules, which word it differently.
Rate = float  # above 0
StartRate = float
RateFromZero = float
Count = int  # above 0
Whole = int
Flag = bool
Weights = Tensor | None
Switch = bool  # the same to a caller; MindSpore words the error in two ways
# Of SGD: an int too.
Damping = float
# Of `experimental.optim`: any number, or a Tensor of one.
Number = float
AboveZero = Number
FromZero = Number
Betas = tuple[float, float]


def _at_least(owner: str, name: str, value: Any, *, strictly: bool = False) -> Any:
    if not isinstance(value, (int, float)) and not is_tensor(value):
        raise ArgumentTypeError(
            f"For {owner}, the {name} must be a number, but got {type(value).__name__}."
        )
    return not_less(owner, name, value, strictly=strictly)


def not_less(owner: str, name: str, value: Any, low: float = 0.0, *, strictly: bool = False) -> Any:
    """Return ``value`` if it is ``low`` or more, or more; raises ``ValueError`` if not."""
    if value < low or (strictly and value == low):
        wanted = "greater than" if strictly else "greater than or equal to"
        raise ArgumentValueError(
            f"For {owner}, the {name} must be {wanted} {low}, but got {value}."
        )
    return value


def _not_negative(owner: str, name: str, value: Any, *, strictly: bool = False) -> float:
    return at_least_zero(owner, name, of_type(owner, name, value, float), strictly=strictly)


def _damping(owner: str, name: str, value: Any) -> float:
    value = float(value) if isinstance(value, int) else value
    if not isinstance(value, float):
        raise ArgumentTypeError(
            f"For '{owner}', the argument '{name}' must be float type, but got {type(value)}."
        )
    return from_zero(owner, name, value)


def from_zero(owner: str, name: str, value: float) -> float:
    """Return ``value`` if it is 0 or more; raises ``ValueError`` if not."""
    if value < 0:
        # As MindSpore has it, which names only this one twice.
        came = f"'dampening' {value}" if name == "dampening" else f"{value}."
        raise ArgumentValueError(
            f"For '{owner}', the argument '{name}' must be at least 0.0, but got {came}"
        )
    return value


def _betas(owner: str, name: str, value: Any) -> Any:
    if not isinstance(value, (tuple, list)) or len(value) < 2:
        kind = OptionError if hasattr(value, "shape") else ArgumentTypeError
        raise kind(f"For {owner}, the {name} must be a pair of floats, but got {value}.")
    for index, beta in enumerate(value[:2]):
        if not isinstance(beta, (int, float)):
            raise ArgumentTypeError(
                f"For '{owner}', the '{name}[{index}]' must be 'float', but got "
                f"'{type(beta).__name__}'."
            )
        if not 0 <= beta < 1:
            raise ArgumentValueError(f"Invalid beta parameter at index {index}: {beta}")
    return value


def _class(owner: str) -> str | None:
    # MindSpore's functions do not say their names.
    return None if owner.islower() else owner


def _rate_from_zero(owner: str, name: str, value: Any) -> float:
    if not isinstance(value, float):
        raise ArgumentTypeError(
            f"For '{owner}', the argument '{name}' must be type of float, but got '{name}' type: "
            f"{type(value)}."
        )
    return at_least_zero(_class(owner), name, value)


def ascending(owner: str, min_lr: float, max_lr: float) -> None:
    """Raise ``ValueError`` unless ``min_lr < max_lr``."""
    if min_lr >= max_lr:
        raise ArgumentValueError(
            f"For '{owner}', the 'max_lr' must be greater than the 'min_lr', but got 'max_lr' "
            f"value: {max_lr}, 'min_lr' value: {min_lr}."
        )


CHECKS: dict[str, Callable[[str, str, Any], Any]] = {
    "Exact": lambda owner, name, value: of_type(owner, name, value, float),
    "Share": functools.partial(inside, low=0.0, high=1.0),
    "Ratio": functools.partial(inside, low=0.0, high=1.0, closed=True),
    "Positive": functools.partial(_not_negative, strictly=True),
    "NotNegative": _not_negative,
    "Rate": lambda owner, name, value: positive_float(_class(owner), name, value),
    "StartRate": lambda owner, name, value: positive_float(None, name, value),
    "RateFromZero": _rate_from_zero,
    "Count": lambda owner, name, value: positive_int(_class(owner), name, value),
    "Whole": lambda owner, name, value: of_type(owner, name, value, int),
    "Flag": lambda owner, name, value: of_type(_class(owner), name, value, bool),
    "Switch": a_bool,
    "Weights": lambda owner, name, value: of_type(owner, name, value, Tensor, type(None)),
    "Damping": _damping,
    "AboveZero": functools.partial(_at_least, strictly=True),
    "FromZero": _at_least,
    "Betas": _betas,
}


# The types that a signature shows, as callers know them.
_TYPES = {
    **{kind: getattr(globals()[kind], "__name__", "") for kind in CHECKS},
    "Betas": "tuple[float, float]",
    "Weights": "Tensor | None",
}
# What a docstring says of an argument of each kind, where it says nothing else.
TEXTS = {
    "Exact": "float.",
    "Share": "float in (0, 1).",
    "Ratio": "float in [0, 1].",
    **dict.fromkeys(("Positive", "Rate", "StartRate"), "float above 0."),
    **dict.fromkeys(("NotNegative", "RateFromZero"), "float, 0 or more."),
    "Count": "int above 0.",
    "AboveZero": "Number or Tensor above 0.",
    "FromZero": "Number or Tensor, 0 or more.",
    "Betas": "tuple of two numbers in [0, 1), the decays of the means of gradients and squares.",
}


class Declared:
    """What a function declares of its arguments; ``names`` are all but the first."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._signature = inspect.signature(function)
        parameters = self._signature.parameters.values()
        self._checks = {
            p.name: CHECKS[str(p.annotation)] for p in parameters if str(p.annotation) in CHECKS
        }
        self.names = tuple(p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD)[1:]
        self._rest = [p.name for p in parameters if p.kind is p.VAR_KEYWORD]
        self.shown = self._signature.replace(
            parameters=[
                p.replace(annotation=_TYPES.get(str(p.annotation), p.annotation))
                for p in parameters
            ]
        )

    def read(self, owner: str, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Return the arguments by name, with the defaults, as the checks leave them.

        Raises:
            TypeError: If they do not fit the signature, or one is of another type.
            ValueError: If one lies outside its range.
        """
        try:
            bound = self._signature.bind(*args, **named)
        except TypeError as error:
            ours = ArgumentTypeError(f"{self._function.__qualname__}() {error}")
            return self.read(owner, *formerly(owner, args, named, ours))
        bound.apply_defaults()
        given = bound.arguments
        for name in self._rest:
            given.update(given.pop(name))
        given.update((n, check(owner, n, given[n])) for n, check in self._checks.items())
        return given


def checked_rates(function: Function) -> Function:
    """Hold a function to the kinds of numbers that it declares; a decorator."""
    declared = Declared(function)
    kinds = {n: TEXTS[kind] for n, kind in function.__annotations__.items() if kind in TEXTS}
    told = {**kinds, "total_step": "int above 0, how many rates to give."}
    function.__doc__ = completed(function.__doc__ or "", function.__annotations__, told, OF_NUMBERS)

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        return function(**declared.read(function.__name__, args, named))

    vars(call)["__signature__"] = declared.shown
    return call  # type: ignore[return-value]


def hyperparameters(constructor: Function) -> Function:
    """Make a constructor of one that declares hyperparameters; a decorator.

    The class says in ``_begin(given)`` what becomes of them. It runs after the constructor's own
    body, which has only to refuse what does not go together.
    """
    declared = Declared(constructor)

    @functools.wraps(constructor)
    def init(self: Any, *args: Any, **named: Any) -> None:
        given = declared.read(type(self).__name__, (self, *args), named)
        constructor(**given)
        del given["self"]
        self._begin(given)

    vars(init).update(declared=declared.names, __signature__=declared.shown)
    return init  # type: ignore[return-value]


class Declaring:
    """Base of classes that list in their bodies what their constructors take, as dataclasses do::

        class Threshold(Layer):
            threshold: float
            value: float = 0.0

    What a base lists comes first. What is no argument is a ``ClassVar``, or has no annotation.
    A base that MindSpore does not have says ``_only_lists``: its subclasses have the constructor,
    so that ``super(nn.AdamWeightDecay, self).__init__`` is that of ``Optimizer``.
    """

    # The parameters, those of the bases included.
    _listed: ClassVar[dict[str, inspect.Parameter]] = {}

    def __init_subclass__(cls: Any, **kwargs: Any) -> None:
        if "__init__" in vars(cls):
            cls._listed = {}
        elif cls.__module__.startswith("msgrad."):
            own = _parameters(cls)
            cls._listed = {**cls._listed, **own}
            listed = own or any(vars(base).get("_only_lists") for base in cls.__bases__)
            if listed and not vars(cls).get("_only_lists"):
                cls.__init__ = hyperparameters(_constructor(cls))
        super().__init_subclass__(**kwargs)

    def _begin(self, given: dict[str, Any]) -> None:
        """Take over what the constructor was given: as attributes, if a class does not say else."""
        for name, value in given.items():
            setattr(self, name, value)


def _parameters(cls: Any) -> dict[str, inspect.Parameter]:
    """Return the parameters that the body of a class lists, and take their defaults off it."""
    found: dict[str, inspect.Parameter] = {}
    place: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if kind == "KW_ONLY":
            place = inspect.Parameter.KEYWORD_ONLY
        elif not kind.startswith("ClassVar"):
            default = vars(cls).get(name, inspect.Parameter.empty)
            found[name] = inspect.Parameter(name, place, default=default, annotation=kind)
            if name in vars(cls):
                # Of instances alone: it may become a Parameter, whose name must be free.
                delattr(cls, name)
    return found


def _constructor(cls: Any) -> Callable[..., None]:
    """Return a constructor that declares what a class lists, and does nothing."""

    def __init__(self: Any, *args: Any, **named: Any) -> None: ...

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([own, *cls._listed.values()], return_annotation="None")
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__annotations__ = {name: p.annotation for name, p in cls._listed.items()}
    vars(__init__)["__signature__"] = signature
    return __init__
