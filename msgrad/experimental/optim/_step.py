"""From the rule of one parameter to an Optax transformation of all; the rules are elsewhere."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

Array = jax.Array
Slots = dict[str, Array]


@dataclass(frozen=True)
class Slot:
    """One piece of state of each parameter.

    Attributes:
        name: Of the optimizer's attribute that holds it.
        fill: What it begins with: a number, or the option that says the number.
        scalar: Whether it is one float32 number, and not of the parameter's shape.
    """

    name: str
    fill: float | str = 0.0
    scalar: bool = False


@dataclass(frozen=True)
class Rule:
    """How one parameter makes a step.

    Attributes:
        change: ``(grad, param, slots, lr, step, options) -> (change, slots)``; ``step`` is 1 in
            the first, float32.
        slots: The state of each parameter.
        decoupled: Whether ``change`` itself does the weight decay.
    """

    change: Callable[[Array, Array, Slots, Array, Array, Any], tuple[Array, Slots]]
    slots: tuple[Slot, ...] = ()
    decoupled: bool = False


Options = tuple[tuple[str, Any], ...]


def rest(beta: float) -> np.float32:
    """Give ``1 - beta``, taken in float32 as MindSpore does, which changes its fifth digit."""
    return np.float32(1) - np.float32(beta)


def remainder(beta: float, step: Array) -> Array:
    """Give ``1 - beta**step`` as a correctly rounded float32 power would leave it.

    XLA's own power is off by one unit in the last place, of which a ``beta`` near 1 makes some
    1e-5 of the result.
    """
    rounded = float(np.float32(beta))
    return (
        1 - (1 + jnp.expm1(step * np.float32(math.log(rounded))))
        if rounded
        else jnp.ones_like(step)
    )


@functools.lru_cache(maxsize=256)
def transformation(
    rule: Rule, options: tuple[Options, ...]
) -> optax.GradientTransformationExtraArgs:
    """Give the Optax transformation of lists of parameters; ``update`` takes ``lr``, a list.

    Args:
        rule: Of one parameter.
        options: For each parameter, those of its group but ``lr``.
    """
    each = [SimpleNamespace(**dict(items)) for items in options]

    def init(params: Any) -> dict[str, Any]:
        state: dict[str, Any] = {
            slot.name: [_first(slot, param, own) for param, own in zip(params, each, strict=True)]
            for slot in rule.slots
        }
        return {**state, "step": jnp.zeros((), jnp.int32)}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        step = state["step"] + 1
        changes: list[Array] = []
        new: dict[str, Any] = {slot.name: [] for slot in rule.slots}
        for index, (grad, param, rate, own) in enumerate(zip(grads, params, lr, each, strict=True)):
            grad = -grad if getattr(own, "maximize", False) else grad
            if own.weight_decay and not rule.decoupled:
                grad = grad + own.weight_decay * param
            slots = {name: values[index] for name, values in state.items() if name != "step"}
            change, slots = rule.change(grad, param, slots, rate, step.astype(jnp.float32), own)
            changes.append(change)
            for name, value in slots.items():
                new[name].append(value)
        return changes, {**new, "step": step}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


def _first(slot: Slot, param: Array, options: SimpleNamespace) -> Array:
    value = getattr(options, slot.fill) if isinstance(slot.fill, str) else slot.fill
    return jnp.full((), value, jnp.float32) if slot.scalar else jnp.full_like(param, value)


@functools.cache
def compiled(rule: optax.GradientTransformationExtraArgs) -> Callable[..., Any]:
    """Give a whole step, compiled: ``(params, state, grads, lr) -> (params, state)``."""

    def step(
        params: list[Array], state: Mapping[str, Any], grads: list[Array], lr: list[Array]
    ) -> tuple[Any, Any]:
        wide = [
            grad.astype(jnp.promote_types(grad.dtype, param.dtype))
            for grad, param in zip(grads, params, strict=True)
        ]
        changes, new = rule.update(wide, state, params, lr=lr)  # pyright: ignore
        kept = jax.tree.map(lambda value, old: value.astype(old.dtype), new, dict(state))
        return optax.apply_updates(params, changes), kept

    return jax.jit(step)
