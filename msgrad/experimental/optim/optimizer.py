"""``experimental.optim.Optimizer``, the base: groups of parameters, state and the step."""

from __future__ import annotations

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, dataclass_transform

import jax.numpy as jnp
import optax

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, ParameterNameError
from msgrad._core.watched import WatchedDict, WatchedList
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.tensor import Tensor
from msgrad.nn._hyper import Declaring
from msgrad.nn.optim._base import RuleOptimizer
from msgrad.nn.optim._rule import Slot, transformation
from msgrad.nn.optim._step import Plan, make_plan
from msgrad.nn.optim._variables import read_all

__all__ = ["Optimizer"]


# What the plan of a step takes from a group.
_OF_ALL = ("lr", "weight_decay", "maximize")


class _Group(WatchedDict):
    """A group: what is set as its ``lr`` is written into the Parameter, so that no step is compiled
    anew for it.
    """

    def __setitem__(self, key: str, value: Any) -> None:
        if key == "lr" and key in self and not isinstance(value, Parameter):
            self[key].set_data(_rate(value))
        else:
            super().__setitem__(key, value)


def _rate(value: Any) -> Tensor:
    if is_tensor(value):
        return wrap(value._read().astype(jnp.float32))
    return Tensor(float(value), mstype.float32)


class Optimizer(RuleOptimizer):
    """Base of the optimizers with ``param_groups``; a subclass of ours has a ``_rule``, one of a
    user defines ``construct(gradients)``.

    Args:
        params: Parameters, or group dicts with ``params`` and any of the options.
        defaults: The options and what they are where a group does not say.

    Inputs: gradients, a tuple or list with one Tensor for each parameter. Output: True.

    Raises:
        TypeError: If ``params`` or one of its elements is of another type.
        ValueError: If there are no parameters, or one stands in two groups.
        KeyError: If a group has no ``params``.
        RuntimeError: In a step, if there are more or fewer gradients than parameters.

    ``param_groups[i]["lr"]`` is a Parameter; assign to it, set it, or use a scheduler.

    Differs from MindSpore: parameters of a group added later take part in the step; what is set as
    a group's ``lr`` stays a Parameter, and counts if it is an int or a Tensor, too.
    """

    _told = {
        "amsgrad": "Whether to divide by the largest mean of squares so far.",
        "maximize": "Whether to climb.",
    }
    _takes_lists = True
    _checks_dtypes = False
    # The name of the Parameter that counts the steps, and whether it comes before the state.
    _step_label: str = ""
    _step_early: bool = False
    # The options that stand first in a group, where that is not the order of the constructor.
    _order: tuple[str, ...] = ()

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        super().__init__(auto_prefix=False)
        self.defaults = dict(defaults)
        # Of ours it stays empty; a subclass of a user keeps there what it likes.
        self.state: defaultdict[Any, dict[Any, Any]] = defaultdict(dict)
        if isinstance(params, (Parameter, str)) or not isinstance(params, Iterable):
            raise ArgumentTypeError(
                "The params given to the optimizer must be an iterable of Parameters or dicts, but "
                f"got {type(params).__name__}."
            )
        groups = list(params)
        if not groups:
            raise ArgumentValueError("For 'Optimizer', the argument params must not be empty.")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.param_groups: list[dict[str, Any]] = WatchedList()
        self.parameters = ParameterTuple(())
        for group in groups:
            self._append(group)
        self._make_state(0)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group.

        Args:
            param_group: ``params`` and any of the options.

        Raises:
            TypeError: If it is not a dict, or holds something other than Parameters.
            ValueError: If a parameter stands in another group.
        """
        known = len(self.parameters)
        self._append(param_group)
        self._make_state(known)

    def _append(self, group: Any) -> None:
        of_type(None, "group", group, dict)
        if "params" not in group:
            raise ParameterNameError("params")
        given = group["params"]
        members = [given] if isinstance(given, Parameter) else list(given)
        for param in members:
            of_type(None, "params", param, Parameter)
        known = {id(param) for param in self.parameters}
        if any(id(param) in known for param in members):
            raise ArgumentValueError("some parameters appear in more than one parameter group.")
        whole = {
            "params": WatchedList(members),
            **{k: v for k, v in group.items() if k != "params"},
        }
        for name, value in self.defaults.items():
            whole.setdefault(name, value)
        whole.setdefault("weight_decay", 0.0)
        rate = whole["lr"]
        number = len(self.param_groups)
        if not isinstance(rate, Parameter):
            whole["lr"] = Parameter(_rate(rate), name=f"learning_rate_group_{number}")
        for name in whole.keys() & {"weight_decay", "dampening"}:
            whole[name] = float(whole[name])
        self.param_groups.append(_Group(whole))
        self.parameters = ParameterTuple((*self.parameters, *members))

    @property
    def group_start_id(self) -> list[int]:
        """How many parameters there are before each group, and in all."""
        return [0, *itertools.accumulate(len(group["params"]) for group in self.param_groups)]

    @property
    def lrs(self) -> list[Parameter]:
        """The learning rate of each group."""
        return [group["lr"] for group in self.param_groups]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += [""] * (number > 0) + [f"Parameter Group {number}"]
            for key in sorted(group):
                if key != "params":
                    value = group[key]
                    # !s: a 0-d array formats as a Python float, with all digits of a double.
                    lines.append(f"    {key}: {(value.asnumpy() if is_tensor(value) else value)!s}")
        return "\n".join([*lines, ")"])

    # The step -------------------------------------------------------------------------------

    def _begin(self, given: dict[str, Any]) -> None:
        """Make an optimizer of what its constructor was given; see ``hyperparameters``."""
        params = given.pop("params")
        Optimizer.__init__(self, params, {name: given[name] for name in (*self._order, *given)})

    def plan(self) -> Plan:
        if self._rule is None:
            raise self._undefined()
        each = [group for group in self.param_groups for _ in group["params"]]
        names = [name for name in self.defaults if name not in _OF_ALL]
        options = tuple(tuple((name, _fixed(group[name])) for name in names) for group in each)
        decays = "weight_decay" in self.defaults
        return make_plan(
            transformation(self._rule, options or ((),)),
            1.0,
            tuple(group["weight_decay"] if decays else 0.0 for group in each),
            (False,) * len(each),
            tuple(i for i, group in enumerate(self.param_groups) for _ in group["params"]),
            self._rule.decoupled,
            tuple(bool(group.get("maximize", False)) for group in each),
        )

    def transformation(self) -> optax.GradientTransformationExtraArgs:
        """Return the rule as an Optax transformation of lists of arrays, in the order of
        ``parameters``; its ``update`` takes ``lr``, a learning rate for each of them.
        """
        plan = self.plan()
        plan = dataclasses.replace(plan, rates=tuple(range(len(plan.rates))))

        def init(params: Any) -> dict[str, Any]:
            state: Any = plan.rule.init(params)
            return {**state, "step": jnp.zeros((), jnp.int32)}

        def update(
            grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
        ) -> tuple[Any, dict[str, Any]]:
            kept = {name: value for name, value in state.items() if name != "step"}
            changes, new, step = plan.changes(params, kept, grads, lr, (), {}, state["step"])
            return changes, {**new, "step": step}

        return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore

    def _make_state(self, known: int) -> None:
        """Make the state of the parameters from the ``known``-th on."""
        if self._rule is None:
            return
        state: Any = self.plan().rule.init(read_all(self.parameters))
        if self._step_early and not known:
            self._make_step()
        for slot in [slot for slot in self._rule.slots if slot.name in state]:
            self._hold(slot, state[slot.name], known)
        if not self._step_early and not known:
            self._make_step()

    def _bundle(self, slot: Slot, held: list[Parameter]) -> Any:
        # As in MindSpore, what is one number for each parameter is not among the parameters.
        return held if slot.scalar else ParameterTuple(held)

    def _make_step(self) -> None:
        counter = Parameter(Tensor(0, mstype.int32), name=self._step_label or "step")
        # Nor is a counter that MindSpore does not have.
        setattr(self, self._step_label or "_own_step", counter if self._step_label else [counter])

    def _counter(self) -> Parameter:
        return getattr(self, self._step_label) if self._step_label else self._own_step[0]

    def read_rates(self) -> list[Any]:
        return [group["lr"]._read() for group in self.param_groups]


@dataclass_transform()
class Listing(Optimizer, Declaring):
    """Base of the optimizers that list in their bodies what their constructors take."""


def _fixed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
