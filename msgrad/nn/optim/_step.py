"""One step of an optimizer as a pure function of raw arrays; reading and writing is elsewhere.

The same ``Plan.update`` runs on its own, compiled once for all optimizers that are alike, and
inside a compiled training step.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax

Array = jax.Array
State = dict[str, Any]
# Of each state its name, and how many arrays it is a list of; None for one array.
Form = tuple[tuple[str, int | None], ...]

# MindSpore centralizes only where the second dimension is a multiple of this.
_CENTRALIZED = 16


def _met(grad: Array) -> Array:
    """Return which rows have a gradient."""
    return jnp.any(grad != 0, tuple(range(1, grad.ndim)), keepdims=True)


@dataclass(frozen=True)
class Plan:
    """What a step does that does not change from step to step.

    Attributes:
        rule: Optax transformation from gradients to changes of the parameters; its ``update``
            takes ``lr`` and ``decay``, a number for each parameter, ``step``, how many steps were
            made, and the optimizer's hyperparameters.
        loss_scale: What the gradients are divided by.
        decays: Weight decay of each parameter; None where it is computed anew for each step.
        centralized: Whether the gradient of each parameter is to have mean 0.
        rates: For each parameter, which of the learning rates is its own.
        decoupled: Whether the rule itself does the weight decay.
        maximized: Whether to climb, for each parameter; empty for none.
        sparse: For each parameter, whether it is a table that is looked up sparsely, of which rows
            without a gradient are not decayed; empty for none.
        by_rows: Whether such rows stay, with their state.
    """

    rule: optax.GradientTransformationExtraArgs
    loss_scale: float
    decays: tuple[float | None, ...]
    centralized: tuple[bool, ...]
    rates: tuple[int, ...]
    decoupled: bool = False
    maximized: tuple[bool, ...] = ()
    sparse: tuple[bool, ...] = ()
    by_rows: bool = False

    def __deepcopy__(self, memo: dict[int, Any]) -> Plan:
        return self

    def _decays(self, computed: Sequence[Array | None]) -> list[Any]:
        return [
            fixed if now is None else jnp.reshape(now, ())
            for fixed, now in zip(self.decays, computed or (None,) * len(self.decays), strict=True)
        ]

    def decay(
        self, grads: list[Array], params: list[Array], decays: Sequence[Array | None]
    ) -> list[Array]:
        """Add to each gradient its weight decay, scaled up as the gradient is."""
        return [
            grad
            if fixed == 0
            else grad
            + value * self.loss_scale * (jnp.where(_met(grad), param, 0) if rows else param)
            for grad, param, value, fixed, rows in zip(
                grads,
                params,
                self._decays(decays),
                self.decays,
                self.sparse or (False,) * len(grads),
                strict=True,
            )
        ]

    def centralize(self, grads: list[Array]) -> list[Array]:
        """Take from gradients their mean over all dimensions but the first, where asked for."""
        return [
            grad - grad.mean(tuple(range(1, grad.ndim)), keepdims=True)
            if wanted and grad.ndim > 1 and grad.shape[1] % _CENTRALIZED == 0
            else grad
            for wanted, grad in zip(self.centralized, grads, strict=True)
        ]

    def unscale(self, grads: list[Array]) -> list[Array]:
        """Divide the gradients by the loss scale."""
        return grads if self.loss_scale == 1 else [1.0 / self.loss_scale * grad for grad in grads]

    def changes(
        self,
        params: list[Array],
        state: State,
        grads: list[Array],
        rates: list[Array],
        decays: Sequence[Array | None],
        hyper: dict[str, Array],
        step: Array,
    ) -> tuple[list[Array], State, Array]:
        """Return what to add to the parameters, the state and the step counter after a step.

        Args:
            params: The parameters.
            state: Of the rule, by name.
            grads: A gradient for each parameter, of the same shape.
            rates: The learning rates, 0-d.
            decays: The computed weight decays; None where ``self.decays`` has it, empty for none.
            hyper: Further arguments of the rule.
            step: How many steps were made.
        """
        wide = [
            grad.astype(jnp.promote_types(grad.dtype, param.dtype))
            for grad, param in zip(grads, params, strict=True)
        ]
        if any(self.maximized):
            wide = [-g if up else g for g, up in zip(wide, self.maximized, strict=True)]
        if not self.decoupled:
            wide = self.decay(wide, params, decays)
        grads = self.unscale(self.centralize(wide))
        given: dict[str, Any] = {
            **hyper,
            "lr": [rates[index] for index in self.rates],
            "decay": self._decays(decays),
        }
        made: tuple[Any, Any] = self.rule.update(grads, state, params, step=step, **given)
        changes, new = made
        for index in itertools.compress(itertools.count(), self.sparse if self.by_rows else ()):
            met = _met(grads[index])
            changes[index] = jnp.where(met, changes[index], 0)
            for name in new:
                if isinstance(new[name], list):
                    new[name][index] = jnp.where(met, new[name][index], state[name][index])
        kept = jax.tree.map(lambda value, old: value.astype(old.dtype), new, state)
        return changes, kept, step + 1  # pyright: ignore

    def update(self, params: list[Array], *given: Any) -> tuple[list[Array], State, Array]:
        """Return the parameters, the state and the step counter after a step.

        Args:
            params: The parameters.
            *given: As for ``changes``.
        """
        changes, new, step = self.changes(params, *given)
        return list(optax.apply_updates(params, changes)), new, step  # pyright: ignore

    @functools.cached_property
    def compiled(self) -> Callable[..., tuple[list[Array], State, Array]]:
        """``update``, compiled."""
        return jax.jit(self.update)

    def update_list(self, form: Form, given: list[Array], *rest: Any) -> list[Array]:
        """As ``update``, of one list of the parameters and the state: ``[*given, step]``."""
        arrays = iter(given)
        params = list(itertools.islice(arrays, len(self.rates)))
        state = {
            name: next(arrays) if count is None else list(itertools.islice(arrays, count))
            for name, count in form
        }
        params, state, step = self.update(params, state, *rest)
        return [*params, *jax.tree.leaves([state[name] for name, _ in form]), step]

    @functools.cached_property
    def in_place(self) -> Callable[[Form], Any]:
        """``update_list`` for a form, compiled to write into the arrays it is given."""
        return functools.cache(lambda form: self._donating(partial(self.update_list, form)))

    def _donating(self, function: Callable[..., list[Array]]) -> Any:
        return jax.jit(function, donate_argnums=0)

    @functools.cached_property
    def compiled_for(self) -> weakref.WeakKeyDictionary[Any, Any]:
        """Form and program of ``in_place``, by the optimizer for whose shapes it was compiled."""
        return weakref.WeakKeyDictionary()

    @functools.cached_property
    def prepare(self) -> dict[str, Callable[..., list[Array]]]:
        """``decay``, ``centralize`` and ``unscale``, compiled."""
        parts = (self.decay, self.centralize, self.unscale)
        return {part.__name__: jax.jit(part) for part in parts}


# Optimizers that are alike share a plan, and with it what is compiled.
make_plan = functools.lru_cache(maxsize=256)(Plan)
