"""``experimental.optim.Optimizer``, the base: groups of parameters, state and the step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import jax.numpy as jnp
import optax

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    GradientError,
    ParameterNameError,
)
from msgrad._core.watched import WatchedDict, WatchedList
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.tensor import Tensor
from msgrad.experimental.optim._step import Rule, compiled, transformation
from msgrad.nn.cell import Cell

__all__ = ["Optimizer"]


class Optimizer(Cell):
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

    ``param_groups[i]["lr"]`` is a Parameter; assign to it, or use a scheduler.

    Differs from MindSpore: parameters of a group added later take part in the step.
    """

    _rule: Rule | None = None
    _step_label: str | None = None

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        super().__init__(auto_prefix=False)
        self.defaults = dict(defaults)
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
        if not isinstance(group, dict):
            raise ArgumentTypeError(
                f"A parameter group must be a dict, but got {type(group).__name__}."
            )
        if "params" not in group:
            raise ParameterNameError("params")
        given = group["params"]
        members = [given] if isinstance(given, Parameter) else list(given)
        for param in members:
            if not isinstance(param, Parameter):
                raise ArgumentTypeError(
                    f"An optimizer can only optimize Parameters, but got {type(param).__name__}."
                )
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
            raw = rate._read().astype(jnp.float32) if is_tensor(rate) else rate
            value = wrap(raw) if is_tensor(rate) else Tensor(float(raw), mstype.float32)
            whole["lr"] = Parameter(value, name=f"learning_rate_group_{number}")
        for name in whole.keys() & {"weight_decay", "dampening"}:
            whole[name] = float(whole[name])
        self.param_groups.append(WatchedDict(whole))
        self.parameters = ParameterTuple((*self.parameters, *members))

    @property
    def lrs(self) -> list[Parameter]:
        """The learning rate of each group."""
        return [group["lr"] for group in self.param_groups]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            for key in sorted(group):
                if key != "params":
                    value = group[key]
                    # !s: a 0-d array formats as a Python float, with all digits of a double.
                    lines.append(f"    {key}: {(value.asnumpy() if is_tensor(value) else value)!s}")
        return "\n".join([*lines, ")"])

    # The step -------------------------------------------------------------------------------

    def transformation(self) -> optax.GradientTransformationExtraArgs:
        """Give the rule as an Optax transformation of lists of arrays, in the order of
        ``parameters``; its ``update`` takes ``lr``, a learning rate for each of them.
        """
        if self._rule is None:
            raise NotImplementedError(
                f"{type(self).__name__} must define construct(self, gradients), which updates "
                "self.parameters."
            )
        options = tuple(
            tuple((key, _fixed(group[key])) for key in self._option_names())
            for group in self.param_groups
            for _ in group["params"]
        )
        return transformation(self._rule, options)

    def _option_names(self) -> list[str]:
        return [key for key in {**self.defaults, "weight_decay": 0.0} if key != "lr"]

    def _make_state(self, known: int) -> None:
        """Make the state of the parameters from the ``known``-th on."""
        if self._rule is None:
            return
        state: Any = self.transformation().init([param._read() for param in self.parameters])
        early = self._step_early and self._step_label is not None
        if early and not known:
            self._make_step(state["step"])
        for slot in self._rule.slots:
            fresh = zip(state[slot.name][known:], self.parameters[known:], strict=True)
            label = f"{slot.name}_{{}}" if slot.scalar else f"{slot.name}.{{}}"
            made = [Parameter(wrap(raw), name=label.format(param.name)) for raw, param in fresh]
            old = getattr(self, slot.name) if known else ()
            # As in MindSpore, what is one number for each parameter is not among the parameters.
            setattr(
                self, slot.name, [*old, *made] if slot.scalar else ParameterTuple((*old, *made))
            )
        if not early and not known:
            self._make_step(state["step"])

    _step_early = False

    def _make_step(self, raw: Any) -> None:
        if self._step_label is None:
            self._counter = [Parameter(wrap(raw), name="step")]
        else:
            setattr(self, self._step_label, Parameter(wrap(raw), name=self._step_label))

    def _step_counter(self) -> Parameter:
        return self._counter[0] if self._step_label is None else getattr(self, self._step_label)

    def construct(self, gradients: Any) -> Any:
        """Update the parameters by their gradients."""
        step: Callable[..., Any] = compiled(self.transformation())
        slots = self._rule.slots if self._rule else ()
        held = {slot.name: getattr(self, slot.name) for slot in slots}
        state = {name: [param._read() for param in params] for name, params in held.items()}
        state["step"] = self._step_counter()._read()
        params, new = step(
            [param._read() for param in self.parameters],
            state,
            self._raw_gradients(gradients),
            [group["lr"]._read() for group in self.param_groups for _ in group["params"]],
        )
        for param, raw in zip(self.parameters, params, strict=True):
            param._write(raw)
        for name, values in held.items():
            for param, raw in zip(values, new[name], strict=True):
                param._write(raw)
        self._step_counter()._write(new["step"])
        return True

    def _raw_gradients(self, gradients: Any) -> list[Any]:
        owner = type(self).__name__
        if not isinstance(gradients, (tuple, list)) or len(gradients) != len(self.parameters):
            count = len(gradients) if isinstance(gradients, (tuple, list)) else gradients
            raise GradientError(
                f"For '{owner}', the gradients must be a tuple with one Tensor for each of the "
                f"{len(self.parameters)} parameters, but got {count}."
            )
        for grad, param in zip(gradients, self.parameters, strict=True):
            if not is_tensor(grad):
                raise ArgumentTypeError(
                    f"For '{owner}', the gradient of {param.name} must be a Tensor, but got "
                    f"{type(grad).__name__}."
                )
            if grad.shape != param.shape:
                raise ArgumentValueError(
                    f"For '{owner}', the gradient of {param.name} must have its shape "
                    f"{param.shape}, but got {grad.shape}."
                )
        return [grad._read() for grad in gradients]


def _fixed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
