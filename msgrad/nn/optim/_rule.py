"""What an optimizer is: the rule of one parameter and the state that it keeps.

``transformation`` makes of it an Optax transformation of all parameters; what is common to all
optimizers, from weight decay to the loss scale, is in ``_step.py``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from msgrad._core.engine import is_tracer

Array = jax.Array
Slots = dict[str, Array]
Options = tuple[tuple[str, Any], ...]

# State of so many elements is filled by NumPy: JAX would compile a program for each shape, 25 ms.
_MOST_BY_HOST = 2**22


@dataclass(frozen=True, eq=False)
class Slot:
    """One piece of state.

    Attributes:
        name: Of the optimizer's attribute that holds it.
        first: What it begins with: a number, the option that says the number, or a function
            ``(param, own)`` that gives the array.
        scalar: Whether it is one float32 number for each parameter, and not of its shape.
        shared: The shape, where it is one float32 array for all parameters.
        when: The option that must be true for there to be one.
        label: Of its Parameters; braces stand for the parameter's name.
    """

    name: str
    first: float | str | Callable[[Array, Any], Array] = 0.0
    scalar: bool = False
    shared: tuple[int, ...] | None = None
    when: str = ""
    label: str = ""

    def label_of(self, param: str) -> str:
        """Return the name of the Parameter that holds it."""
        return (self.label or f"{self.name}{'_' if self.scalar else '.'}{{}}").format(param)

    def make(self, param: Array, own: Any) -> Array:
        """Return what it begins with."""
        if callable(self.first):
            return self.first(param, own)
        first = getattr(own, self.first) if isinstance(self.first, str) else self.first
        if self.shared is not None or self.scalar:
            return jnp.asarray(np.full(self.shared or (), first, np.float32), np.float32)
        plain = param.dtype == np.float32 and param.size <= _MOST_BY_HOST
        if plain and not is_tracer(param) and not getattr(param, "committed", False):
            return jnp.asarray(np.full(param.shape, first, np.float32), np.float32)
        return jnp.full_like(param, first)


@dataclass(frozen=True, eq=False)
class Rule:
    """How one parameter makes a step.

    Attributes:
        change: ``(own, grad, param, slots) -> (change, slots)``: what is to be added to the
            parameter, and the slots that have changed. ``own`` has the optimizer's options and
            ``lr``, ``step`` (1.0 in the first) and ``weight_decay``.
        slots: The state.
        decoupled: Whether ``change`` itself does the weight decay.
        whole: Whether ``change`` looks at more than one element of a parameter at a time, other
            than by the sums of ``total``.
        advance: ``(own, slots) -> slots``: from the shared ones to those of this step, before the
            parameters' turn; whatever else it gives is for ``change`` to read.
    """

    change: Callable[[Any, Array, Array, Slots], tuple[Array, Slots]]
    slots: tuple[Slot, ...] = ()
    decoupled: bool = False
    advance: Callable[[Any, Slots], Slots] | None = None
    whole: bool = False

    def slots_of(self, own: Any) -> list[Slot]:
        """Return the slots that there are with these options."""
        return [slot for slot in self.slots if not slot.when or getattr(own, slot.when)]


def total(own: Any, sums: list[Array]) -> list[Array]:
    """Return sums over a parameter, of which this rank may have a part only (``_sharded.py``)."""
    found = getattr(own, "total", None)
    return sums if found is None else list(found(jnp.stack(sums)))


def rest(beta: float) -> np.float32:
    """Return ``1 - beta``, taken in float32 as MindSpore does, which changes its fifth digit."""
    return np.float32(1) - np.float32(beta)


def remainder(beta: float, step: Array) -> Array:
    """Return ``1 - beta**step`` as a correctly rounded float32 power would leave it.

    XLA's own power is off by one unit in the last place, of which a ``beta`` near 1 makes some
    1e-5 of the result.
    """
    rounded = float(np.float32(beta))
    return (
        1 - (1 + jnp.expm1(step * np.float32(math.log(rounded))))
        if rounded
        else jnp.ones_like(step)
    )


# Products that are rounded before they are added to, as MindSpore's kernels round them. XLA's CPU
# backend contracts ``a * b + c`` into one fused instruction with one rounding, whatever
# ``xla_cpu_enable_fast_math`` or ``reduce_precision`` say. Ten steps of AMSGrad then differ from
# MindSpore's in the last bit of one number in eight; with these forms, which LLVM does not see
# through, in none (``tests/parity/cases/optim.py``).


def unfused(product: Array) -> Array:
    """Return ``product`` as it is, rounded before it is used."""
    size = jnp.abs(product)
    return jnp.where(product < 0, -size, size)


def unfused_square(x: Array) -> Array:
    """Return ``x * x``, rounded before it is used."""
    return jnp.abs(x * jnp.abs(x))


def _once_per_shape(rule: Rule) -> Callable[..., tuple[Array, Slots]]:
    """Return ``rule.change`` for a trace: traced once for parameters that are alike.

    XLA inlines the calls first of all, so it compiles the same program. Of the 150 parameters of a
    transformer, 10 are traced: tracing and lowering take 0.09 s instead of 0.34.
    """
    known: dict[Any, Any] = {}

    def change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
        given = vars(own)
        arrays = {name: value for name, value in given.items() if isinstance(value, jax.Array)}
        fixed = {name: value for name, value in given.items() if name not in arrays}
        # Equal values of different types mean different things.
        key = tuple([(name, type(value), value) for name, value in fixed.items()])
        if key not in known:

            def traced(arrays: Any, *rest: Any) -> tuple[Array, Slots]:
                return rule.change(SimpleNamespace(**fixed, **arrays), *rest)

            known[key] = jax.jit(traced)
        return known[key](arrays, grad, param, slots)

    return change


@functools.lru_cache(maxsize=256)
def transformation(
    rule: Rule, options: tuple[Options, ...]
) -> optax.GradientTransformationExtraArgs:
    """Return the Optax transformation of lists of parameters.

    Its state is a dict of lists, and of arrays where they are shared; its ``update`` takes lists
    ``lr`` and ``decay``, and ``step``, how many steps were made.

    Args:
        rule: Of one parameter.
        options: Of each parameter, or of all.
    """

    def owns(params: Any) -> list[dict[str, Any]]:
        each = [dict(items) for items in options]
        return each if len(each) > 1 else each * len(params)

    slots = rule.slots_of(SimpleNamespace(**dict(options[0])))
    each_has = [slot.name for slot in slots if slot.shared is None]
    all_share = [slot.name for slot in slots if slot.shared is not None]

    def init(params: Any) -> dict[str, Any]:
        pairs = [(p, SimpleNamespace(**own)) for p, own in zip(params, owns(params), strict=True)]
        made = {
            s.name: [s.make(*pair) for pair in pairs[: None if s.shared is None else 1]]
            for s in slots
        }
        return {name: value[0] if name in all_share else value for name, value in made.items()}

    def update(
        grads: Any, state: Any, params: Any, *, lr: Any, decay: Any, step: Any, **hyper: Any
    ) -> tuple[Any, dict[str, Any]]:
        count = jnp.reshape(step, ()).astype(jnp.float32) + 1
        shared = {name: state[name] for name in all_share}
        if rule.advance is not None:
            shared = rule.advance(SimpleNamespace(**dict(options[0]), step=count), shared)
        changes: list[Array] = []
        new: dict[str, Any] = {name: [] for name in each_has}
        change = _once_per_shape(rule) if is_tracer(count) else rule.change
        for index, (grad, param, rate, share, own) in enumerate(
            zip(grads, params, lr, decay, owns(params), strict=True)
        ):
            given = SimpleNamespace(**own, **hyper, lr=rate, weight_decay=share, step=count)
            old = {name: state[name][index] for name in each_has}
            way, made = change(given, grad, param, {**old, **shared})
            changes.append(way)
            for name, value in {**old, **made}.items():
                new[name].append(value)
        return changes, {**new, **{name: shared[name] for name in all_share}}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore
