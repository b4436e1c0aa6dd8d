"""Reads the ``params`` argument of an optimizer: a list of Parameters, or of group dicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    ParameterNameError,
)
from msgrad.common.parameter import Parameter, ParameterTuple

_KEYS = ["params", "lr", "weight_decay", "order_params", "grad_centralization"]
_MIXED = (
    "For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or 'dict', "
    "please check the 'parameters'."
)


@dataclass(frozen=True)
class Setting:
    """How one parameter is trained; ``lr_name`` is what its learning rate Parameter is called."""

    param: Parameter
    lr: Any
    lr_name: str
    weight_decay: Any
    centralize: bool = False


@dataclass(frozen=True)
class Settings:
    """What ``params`` says: a ``Setting`` per parameter, in the order of the gradients."""

    each: list[Setting]
    is_group: bool = False
    is_group_lr: bool = False
    is_ordered: bool = False


def read(parameters: Any, lr: Any, weight_decay: Any) -> Settings:
    """Read ``params``, with the optimizer's own ``lr`` and ``weight_decay`` as defaults.

    Raises:
        ValueError: If there are no parameters, or ``order_params`` does not fit the groups.
        TypeError: If an element is neither a Parameter nor a dict, or both kinds are mixed.
        KeyError: If a group has a key that it must not have, or no ``params``.
        RuntimeError: If a parameter stands in two groups.
    """
    if parameters is None:
        raise ArgumentValueError("For 'Optimizer', the argument parameters can not be None.")
    if not isinstance(parameters, Iterable):
        raise ArgumentTypeError(
            "For 'Optimizer', the argument parameters must be Iterable type, but got "
            f"{type(parameters)}."
        )
    if isinstance(parameters, Parameter):
        raise ArgumentTypeError(_MIXED)
    items = list(parameters)
    if not items:
        raise ArgumentValueError("For 'Optimizer', the argument parameters must not be empty.")
    if all(isinstance(item, Parameter) for item in items):
        each = [Setting(item, lr, "learning_rate", weight_decay) for item in items]
        return Settings(each)
    if not all(isinstance(item, dict) for item in items):
        raise ArgumentTypeError(_MIXED)
    return _read_groups(items, lr, weight_decay)


def _read_groups(groups: list[dict[str, Any]], lr: Any, weight_decay: Any) -> Settings:
    settings: dict[int, Setting] = {}
    order: Any = None
    for number, group in enumerate(groups):
        foreign = [key for key in group if key not in _KEYS]
        if foreign:
            raise ParameterNameError(
                f"For 'Optimizer', the key in group params must be one of in {_KEYS}, but got "
                f"{foreign}."
            )
        if "order_params" in group:
            if len(group) > 1:
                raise ArgumentValueError(
                    "For 'Optimizer', the order params dict in group parameters should only "
                    f"include the 'order_params' key, but got {group.keys()}."
                )
            order = group["order_params"]
            continue
        centralize = group.get("grad_centralization", False)
        if not isinstance(centralize, bool):
            raise ArgumentTypeError(
                "For 'Optimizer', the 'gradients_centralization' must be bool type, but got "
                f"{type(centralize)}."
            )
        for param in _members(group):
            if id(param) in settings:
                raise EngineError(
                    f"For 'Optimizer', the {param.name} parameter already exists, it does not "
                    "support repeated setting. Please check whether the optimizer parameter has "
                    "been set multiple times."
                )
            settings[id(param)] = Setting(
                param,
                group.get("lr", lr),
                f"learning_rate_group_{number}" if "lr" in group else "learning_rate",
                group.get("weight_decay", weight_decay),
                centralize,
            )
    each = list(settings.values()) if order is None else _ordered(settings, order)
    return Settings(each, True, any("lr" in group for group in groups), order is not None)


def _members(group: dict[str, Any]) -> list[Parameter]:
    if "params" not in group:
        raise ParameterNameError("params")
    if not isinstance(group["params"], Iterable):
        raise ArgumentTypeError(
            "For 'Optimizer', the argument group `params` must be Iterable type, but got "
            f"{type(group['params'])}."
        )
    members = list(group["params"])
    if not members:
        raise ArgumentValueError("For 'Optimizer', the argument group `params` must not be empty.")
    for index, param in enumerate(members):
        if not isinstance(param, Parameter):
            raise ArgumentTypeError(
                "For 'Optimizer', the element in group parameters must be Parameter type, but got "
                f"{type(param)} at index {index}."
            )
    ParameterTuple(members)
    return members


def _ordered(settings: dict[int, Setting], order: Any) -> list[Setting]:
    order = list(order)
    if len(order) != len(settings):
        raise ArgumentValueError(
            "For 'Optimizer',the length of order parameters must be the same as the length of "
            f"group parameters, but got order parameters' length {len(order)}, group parameters' "
            f"length {len(settings)}."
        )
    for param in order:
        if id(param) not in settings:
            raise ArgumentValueError(
                "For 'Optimizer', 'order_params' must hold the parameters of the groups, but "
                f"got {param}."
            )
    return [settings[id(param)] for param in order]
