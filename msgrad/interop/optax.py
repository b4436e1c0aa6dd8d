"""Optimizers out to Optax and in from it.

Out: ``to_optax(optimizer)`` gives the rule of an optimizer, with its rates, groups, weight decay,
loss scale, moments and step, as an ``optax.GradientTransformation`` for any pytree::

    tx = msgrad.interop.to_optax(nn.Momentum(net.trainable_params(), 0.1, 0.9, weight_decay=1e-4))
    state = tx.init(params)
    updates, state = tx.update(grads, state, params)
    params = optax.apply_updates(params, updates)

In: ``from_optax(transformation, params)`` makes an optimizer of any Optax transformation, with its
state as Parameters::

    rule = optax.chain(optax.clip_by_global_norm(1.0), optax.lion(1e-4))
    optimizer = msgrad.interop.from_optax(rule, net.trainable_params())
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from msgrad._core.bridge import unwrap, wrap
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.interop.native import _trained_leaves
from msgrad.interop.orbax_io import _dotted
from msgrad.nn.cell import Cell
from msgrad.nn.optim._step import make_plan
from msgrad.nn.optim.lars import LARS
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["OptaxOptimizer", "from_optax", "to_optax"]


class RuleState(NamedTuple):
    """State of a rule taken out: its own, by MindSpore's names, and how many steps were made."""

    rule: dict[str, Any]
    step: jax.Array


def to_optax(
    optimizer: Optimizer, net: Any = None, cell: Cell | None = None
) -> optax.GradientTransformation:
    """Return the rule of an optimizer as an Optax transformation; the optimizer stays as it is.

    ``init`` goes on where the optimizer stands: with its moments, and after as many steps. So a
    training goes on natively in the middle::

        net = interop.to_nnx(cell)
        native = nnx.Optimizer(net, interop.to_optax(optimizer, net, cell), wrt=nnx.Param)

    Args:
        optimizer: An optimizer of ``msgrad.nn``; its hyperparameters and state are taken as they
            stand now, dynamic learning rates and weight decays as functions of the step.
        net, cell: As for ``from_nnx``, where the rule is to be for ``nnx.state(net, nnx.Param)``.

    Returns:
        A transformation whose ``update(grads, state, params)`` needs ``params``. Its updates are
        to be added to the parameters (``optax.apply_updates``). Without ``net`` the pytree of
        parameters is matched with the optimizer's by names if it is a dict of all their names, and
        in their order if it is a list of as many, of their shapes; any other pytree starts anew:
        the optimizer must have no groups, and weight decay goes by the names of the path, joined
        by points.

    Raises:
        TypeError: If it is not such an optimizer; for ``net`` without ``cell``.
        ValueError: If ``net`` has not the optimizer's parameters; from ``init`` or ``update``, if
            the optimizer has groups and the parameters are not matched.
    """
    if not isinstance(optimizer, Optimizer):
        raise ArgumentTypeError(
            "to_optax takes an optimizer of msgrad.nn, but got "
            f"{type(optimizer).__name__}; an experimental one has .transformation()."
        )
    if (net is None) != (cell is None):
        raise ArgumentTypeError("to_optax takes a network of Flax together with its Cell.")
    if optimizer._parts > 1:
        raise UnsupportedError(
            "an optimizer whose state is spread over ranks (enable_parallel_optimizer) is no Optax "
            "transformation of whole arrays; make it without."
        )
    whole = optimizer.plan()
    inner = optimizer.opt if isinstance(optimizer, LARS) else optimizer
    hyper = {name: getattr(inner, name)._read() for name in inner._hyper_names}
    rates = _rates_of(inner)
    own = _Order.of(optimizer)
    natively = None if net is None else _Order.of(optimizer, net, cell)
    state = {
        name: [param._read() for param in held] if isinstance(held, tuple) else held._read()
        for name, held in inner.rule_state().items()
    }
    stands = RuleState(state, inner._counter()._read())

    def matched(params: Any) -> tuple[Any, _Order | None]:
        """Return the plan for this pytree, and which of its leaves are whose."""
        paths = jax.tree_util.tree_flatten_with_path(params)[0]
        if natively is not None and len(paths) == natively.count:
            return whole, natively
        if isinstance(params, dict) and sorted(params) == sorted(own.names):
            found = {path[0].key: place for place, (path, _) in enumerate(paths)}
            return whole, own._replace(places=[found[name] for name in own.names])
        listed = isinstance(params, (list, tuple)) and len(paths) == own.count
        if listed and [jnp.shape(leaf) for _, leaf in paths] == own.shapes:
            return whole, own
        if optimizer.is_group:
            raise ArgumentValueError(
                f"The optimizer has groups of {own.count} parameters, and the pytree has "
                f"{len(paths)} leaves; give a dict from the parameters' names to arrays, or a "
                "list of them."
            )
        value = next((decay for decay in whole.decays if decay != 0), 0.0)
        spared = optimizer._spared
        decays = tuple(
            0.0 if any(part in _dotted(path) for part in spared) else value for path, _ in paths
        )
        flags, places = (False,) * len(paths), (0,) * len(paths)
        form = whole.loss_scale, decays, flags, places, whole.decoupled
        return make_plan(whole.rule, *form), None

    def init(params: Any) -> RuleState:
        plan, order = matched(params)
        if order is not None:
            return jax.tree.map(jnp.copy, stands)
        if int(stands.step[0]):
            warnings.warn(
                f"to_optax: this pytree is not that of the optimizer's parameters, so the moments "
                f"of its {int(stands.step[0])} steps stay behind; give init a dict of them by "
                "their names, or to_optax the network of Flax and its Cell.",
                stacklevel=2,
            )
        fresh: Any = plan.rule.init(jax.tree.leaves(params))
        return RuleState(fresh, jnp.zeros((1,), jnp.int32))

    def update(grads: Any, state: Any, params: Any = None) -> tuple[Any, RuleState]:
        if params is None:
            raise ArgumentValueError("update(grads, state, params) needs the parameters.")
        plan, order = matched(params)
        old, given = ([*jax.tree.leaves(tree)] for tree in (params, grads))
        listed = order.listed if order else list
        decays = _decays_of(inner, plan, state.step)
        before = listed(old)
        new, kept, step = plan.update(
            before, state.rule, listed(given), rates(state.step), decays, hyper, state.step
        )
        changes = [value - was for value, was in zip(new, before, strict=True)]
        leaves = order.put_back(changes, old) if order else changes
        return jax.tree.unflatten(jax.tree.structure(params), leaves), RuleState(kept, step)

    return optax.GradientTransformation(init, update)  # pyright: ignore


class _Order(NamedTuple):
    """Which leaves of a pytree are whose parameters.

    Attributes:
        names, shapes: Of the optimizer's parameters.
        places: For each the number of its leaf.
        there, back: How arrays are turned on the way to the leaf, and back.
        count: How many leaves there are; those that are nobody's stay as they are.
    """

    names: list[str]
    shapes: list[tuple[int, ...]]
    places: list[int]
    there: list[Callable[[Any], Any]]
    back: list[Callable[[Any], Any]]
    count: int

    @classmethod
    def of(cls, optimizer: Optimizer, net: Any = None, cell: Any = None) -> _Order:
        """Return that of a list of the parameters, or of the weights of a network of Flax."""
        params = [*optimizer.parameters]
        leaves = (
            [(param, jnp.asarray, jnp.asarray) for param in params]
            if net is None
            else _trained_leaves(net, cell)
        )
        found = {id(leaf[0]): (i, *leaf[1:]) for i, leaf in enumerate(leaves) if leaf is not None}
        absent = [param.name for param in params if id(param) not in found]
        if absent:
            raise ArgumentValueError(
                f"These parameters of the optimizer are no nnx.Param of the network: {absent}; "
                "give the network that to_nnx made of the Cell, and that Cell."
            )
        places, there, back = (
            list(each) for each in zip(*(found[id(p)] for p in params), strict=True)
        )
        names, shapes = [param.name for param in params], [param.shape for param in params]
        return cls(names, shapes, places, there, back, len(leaves))

    def listed(self, leaves: list[Any]) -> list[Any]:
        """Return the arrays of the parameters, in their order."""
        return [back(leaves[i]) for i, back in zip(self.places, self.back, strict=True)]

    def put_back(self, arrays: list[Any], leaves: list[Any]) -> list[Any]:
        """Return arrays of the parameters as leaves, and zeros for those that are nobody's."""
        found = {
            i: there(array) for i, there, array in zip(self.places, self.there, arrays, strict=True)
        }
        return [found[i] if i in found else jnp.zeros_like(leaf) for i, leaf in enumerate(leaves)]


def _rates_of(optimizer: Optimizer) -> Callable[[jax.Array], list[jax.Array]]:
    """Return the function from the step to the learning rates, in the order of the plan."""
    held: Any = optimizer.learning_rate
    each = held if optimizer.is_group_lr else (held,)
    places = optimizer._rate_of if optimizer.is_group_lr else (0,)
    first = {index: place for place, index in reversed(list(enumerate(places)))}
    cells = [each[first[index]] for index in range(len(first))]
    fixed = [None if isinstance(cell, Cell) else cell._read() for cell in cells]

    def rates(step: jax.Array) -> list[jax.Array]:
        return [
            value
            if value is not None
            else jnp.reshape(unwrap(cell(wrap(step))), ()).astype(jnp.float32)
            for cell, value in zip(cells, fixed, strict=True)
        ]

    return rates


def _decays_of(optimizer: Optimizer, plan: Any, step: jax.Array) -> list[Any]:
    decays: Any = optimizer.weight_decay
    each = decays if optimizer.is_group else (decays,) * len(plan.decays)
    return [
        unwrap(decay.weight_decay(wrap(step))) if fixed is None else None
        for decay, fixed in zip(each, plan.decays, strict=True)
    ]


@functools.lru_cache(maxsize=256)
def _as_rule(
    transformation: optax.GradientTransformation, names: tuple[str, ...], scaled: bool
) -> optax.GradientTransformationExtraArgs:
    """Return a transformation of dicts by name as a rule of lists, with the leaves of its state."""
    native = optax.with_extra_args_support(transformation)

    def by_name(values: Any) -> dict[str, Any]:
        return dict(zip(names, values, strict=True))

    def init(params: Any) -> dict[str, Any]:
        return {"optax_state": jax.tree.leaves(native.init(by_name(params)))}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        shape = jax.tree.structure(jax.eval_shape(native.init, by_name(params)))
        old = jax.tree.unflatten(shape, state["optax_state"])
        changes, new = native.update(by_name(grads), old, by_name(params))
        listed: Any = [changes[name] for name in names]  # pyright: ignore
        leaves = jax.tree.leaves(new)
        way = [-(rate * each) for rate, each in zip(lr, listed, strict=True)] if scaled else listed
        return way, {"optax_state": leaves}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class OptaxOptimizer(Optimizer):
    """An Optax transformation as an optimizer; made by ``from_optax``.

    State: ``optax_state``, a Parameter for each leaf of the transformation's state, called
    ``optax`` and the path of the leaf, such as ``optax.0.mu.fc.weight``.
    """

    def __init__(
        self, transformation: optax.GradientTransformation, params: Any, learning_rate: Any = None
    ) -> None:
        of_type("from_optax", "transformation", transformation, optax.GradientTransformation)
        super().__init__(1.0 if learning_rate is None else learning_rate, params)
        self._native = transformation
        self._scaled = learning_rate is not None
        raws = {param.name: param._read() for param in self.parameters}
        leaves = jax.tree_util.tree_flatten_with_path(transformation.init(raws))[0]
        self.optax_state = ParameterTuple(
            Parameter(wrap(jnp.asarray(raw)), name=f"optax.{_dotted(path)}") for path, raw in leaves
        )
        self._state_names = ("optax_state",)

    def transformation(self) -> optax.GradientTransformationExtraArgs:
        """Return it as a rule of lists of arrays."""
        names = tuple(param.name for param in self.parameters)
        return _as_rule(self._native, names, self._scaled)


def from_optax(
    transformation: optax.GradientTransformation, params: Any, learning_rate: Any = None
) -> OptaxOptimizer:
    """Make an optimizer of an Optax transformation.

    Args:
        transformation: Any; it sees the parameters as a dict from their names, so that masks and
            labels can go by them. One that asks for more than gradients and parameters (a line
            search, which wants the loss) cannot be used.
        params: As for ``nn.Optimizer``: Parameters, or groups with ``lr`` and ``weight_decay``.
        learning_rate: As for ``nn.Optimizer``; what the transformation's direction is multiplied
            by, downwards: for ``optax.scale_by_adam()`` and the like. None if the transformation
            has its own learning rate, as ``optax.adam(1e-3)`` has.

    Returns:
        An ``nn.Optimizer``, called with a tuple of gradients.

    Raises:
        TypeError: If it is not a transformation.
    """
    return OptaxOptimizer(transformation, params, learning_rate)
