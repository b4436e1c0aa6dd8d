"""What runs on several ranks: collectives, and programs that have some in them.

Each rank has arrays of its own, of one shape. A program with collectives runs as ``jax.jit`` of a
``jax.shard_map`` in which every rank has all of each array: shapes stay, and values may differ. It
is traced for the axis, so that a collective is an operation of ``jax.lax`` in it; outside of one a
collective is a small program of its own, on the devices of its group only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import accumulate, product
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec

from msgrad._core.distributed.ordered import NO_RANK, in_order
from msgrad._core.distributed.waiting import waiting
from msgrad._core.distributed.world import AXIS, mesh_of, world
from msgrad._core.engine import (
    as_weak,
    axis_is_bound,
    binding_axis,
    in_transform,
    is_tracer,
    known_as_one_of_many,
    one_of_many,
)
from msgrad._core.errors import ArgumentTypeError, EngineError, UnsupportedError
from msgrad._core.ownership import Owner

Ranks = tuple[int, ...]


def everyone() -> Ranks:
    """Return the numbers of all ranks."""
    return tuple(range(world.size))


def traced_for_ranks() -> AbstractContextManager[None]:
    """Trace what runs inside for several ranks, where there are several."""
    if world.size == 1 or axis_is_bound(AXIS):
        return nullcontext()
    return binding_axis(AXIS, world.size)


def _traced() -> bool:
    """Whether the caller is traced for the ranks: a collective then is an operation."""
    return axis_is_bound(AXIS) and in_transform()


def axes() -> list[tuple[str, int]] | None:
    """Return what ``jax.make_jaxpr`` is told of the ranks."""
    return [(AXIS, world.size)] if world.size > 1 else None


@functools.cache
def _sharding(ranks: Ranks) -> NamedSharding:
    return NamedSharding(mesh_of(ranks), PartitionSpec())


def here(raw: Any) -> Any:
    """Return this rank's own array of one that stands on all of them."""
    if isinstance(raw, jax.Array) and not is_tracer(raw) and isinstance(
        raw.sharding, NamedSharding
    ) and raw.sharding.mesh.axis_names == (AXIS,):  # fmt: skip
        return raw.addressable_data(0)
    return raw


class Across:
    """A function that contains collectives, compiled to run on several ranks.

    Args:
        fn: Of pytrees of arrays.
        donates: Whether it may have the arrays of its first argument.
        ranks: Those that call it, all of them with arrays of one shape.
        stays: Whether its results stay on all ranks, for the next call.

    Inside a trace for the ranks it is ``fn``. Outside, each collective of it needs the one before,
    and the last is a further result: XLA may neither leave one out on this rank, nor run them in
    another order than the other ranks, whose programs can be others.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        donates: bool = False,
        ranks: Ranks | None = None,
        stays: bool = False,
    ) -> None:
        self._fn = fn
        self._stays = stays
        self._ranks = everyone() if ranks is None else ranks
        self._program = jax.jit(self._traced, donate_argnums=0 if donates else ())

    def _traced(self, *arguments: Any) -> Any:
        leaves, tree = jax.tree.flatten(arguments)
        weak = [leaf.weak_type for leaf in leaves]

        def body(*inner: Any) -> Any:
            inner = tuple(
                as_weak(x) if was and not x.weak_type else x
                for x, was in zip(inner, weak, strict=True)
            )
            closed, forms = jax.make_jaxpr(
                lambda *leaves: self._fn(*jax.tree.unflatten(tree, leaves)), return_shape=True
            )(*inner)
            found, last = in_order(closed.jaxpr, closed.consts, inner, None)
            last = jnp.zeros(()) if last is None else last
            return jax.tree.unflatten(jax.tree.structure(forms), found), last

        whole = PartitionSpec()
        mesh = _sharding(self._ranks).mesh
        mapped = jax.shard_map(body, mesh=mesh, in_specs=whole, out_specs=whole, check_vma=False)
        return mapped(*leaves)

    def _there(self, arguments: Any) -> Any:
        """Return arguments as arrays of all ranks; most are, where state is resident."""
        return jax.tree.map(functools.partial(_on_all, _sharding(self._ranks)), arguments)

    def __call__(self, *arguments: Any) -> Any:
        if _traced():
            return self._fn(*arguments)
        return self._run(*self._there(arguments))

    def on_resident(self, state: Any, *more: list[Any]) -> Any:
        """Call it with what it has returned, which is looked at no more, and lists of arrays."""
        on_all = functools.partial(_on_all, _sharding(self._ranks))
        # Without trees, which take 5 us.
        return self._run(state, *[[*map(on_all, each)] for each in more])

    def _run(self, *arguments: Any) -> Any:
        waiting.begin(self._ranks)
        results, last = self._program(*arguments)
        waiting.started(last)
        return results if self._stays else jax.tree.map(here, results)

    def lower(self, *arguments: Any) -> Any:
        """Lower the program for arguments as they are given to a call."""
        return self._program.lower(*self._there(arguments))


def _on_all(sharding: NamedSharding, leaf: Any) -> Any:
    """Return an array of this rank as one of all ranks; a batch or rate may be given again."""
    known = known_as_one_of_many(leaf, sharding)
    if known is not None:
        return known
    if getattr(leaf, "sharding", None) is sharding or isinstance(leaf, (int, float, complex)):
        return leaf
    if is_tracer(leaf):
        raise UnsupportedError(
            "a call with collectives runs here under a transform of JAX (vmap, jax.jit) that knows "
            "nothing of the ranks; call it outside of it, or compile all of it with ms.jit."
        )
    leaf = leaf if isinstance(leaf, jax.Array) else jnp.asarray(leaf)
    if leaf.sharding == sharding:
        return leaf
    return one_of_many(_on(leaf, world.devices[world.rank]), sharding)


def may_exchange_inside() -> bool:
    """Whether a program may have messages in it that some of the ranks do not take part in."""
    return world.size == 2 or world.connected


def connect() -> None:
    """Have all ranks connect, since a program whose collectives some leave out cannot wait for it.

    All ranks call this.
    """
    if world.size > 2 and not world.connected:
        jax.block_until_ready(collective("all_reduce", jnp.zeros((1,)), everyone(), "sum"))
        world.connected = True


def _on(raw: jax.Array, device: Any) -> jax.Array:
    return raw if raw.devices() == {device} else jax.device_put(raw, device)


class OwnerAcross(Owner):
    """The state of a program on several ranks: on all of them while it is resident, else here."""

    def run(self, program: Any, *arguments: Any) -> None:
        """Call the program; what is not state comes back here at once."""
        # An array that was written and not put back is one that a call has returned.
        super().run(program.on_resident if self.writes else program, *arguments)
        results, state = self.results[0], len(self.targets)
        results[state:] = map(here, results[state:])

    def bring_here(self) -> None:
        """Have the state come back here, too: it does not become resident."""
        results = self.results[0]
        results[:] = map(here, results)

    def commit(self, more: Any = (), resident: bool = False) -> None:
        """Put results where they belong."""
        if not resident:
            self.bring_here()
        super().commit(more, resident)

    def put_back(self) -> None:
        """Put the arrays into their places."""
        if not self.results:
            self.held[:] = map(here, self.held)
        super().put_back()


# The collectives, on one array, for a trace that knows the axis.


def _groups(ranks: Ranks) -> Any:
    """Return a group, and the groups of the others, as ``axis_index_groups``; None for all."""
    if len(ranks) == world.size:
        return None
    rest = [rank for rank in everyone() if rank not in ranks]
    size = len(ranks)
    if len(rest) % size:
        raise UnsupportedError(
            f"a group of {size} among {world.size} ranks can be used outside of ms.jit, GRAPH_MODE "
            "and gradient calls only: inside, all ranks must form groups of one size."
        )
    found = [list(ranks), *(rest[i : i + size] for i in range(0, len(rest), size))]
    return sorted(found)


def _place(ranks: Ranks) -> Any:
    """Return the traced number of this rank in its group."""
    index = jax.lax.axis_index(AXIS)
    groups = _groups(ranks)
    if groups is None:
        return index
    table = [0] * world.size
    for group in groups:
        for place, rank in enumerate(group):
            table[rank] = place
    return jnp.array(table, jnp.int32)[index]


def _reduced(x: Any, op: str, groups: Any) -> Any:
    if x.dtype == bool:
        return _reduced(x.astype(jnp.int32), op, groups).astype(bool)
    if op == "prod":
        return jnp.prod(_gathered(x, groups), axis=0).astype(x.dtype)
    if op != "sum" and jnp.iscomplexobj(x):
        raise ArgumentTypeError(
            f"complex numbers have no order, so that a collective has no {op} of {x.dtype}; "
            "reduce the real and the imaginary part."
        )
    function = {"sum": jax.lax.psum, "max": jax.lax.pmax, "min": jax.lax.pmin}[op]
    return function(x, AXIS, axis_index_groups=groups)


def _gathered(x: Any, groups: Any) -> Any:
    return jax.lax.all_gather(x, AXIS, axis_index_groups=groups)


class _Kernel:
    """The functions below, each of ``(x, groups, place, size, *options)``."""

    @staticmethod
    def all_reduce(x: Any, groups: Any, place: Any, size: int, op: str) -> Any:
        return _reduced(x, op, groups)

    @staticmethod
    def all_gather(x: Any, groups: Any, place: Any, size: int) -> Any:
        return jax.lax.all_gather(x, AXIS, tiled=True, axis_index_groups=groups)

    @staticmethod
    def reduce_scatter(x: Any, groups: Any, place: Any, size: int, op: str) -> Any:
        if op == "sum" and x.dtype != bool:
            return jax.lax.psum_scatter(x, AXIS, tiled=True, axis_index_groups=groups)
        part = x.shape[0] // size
        return jax.lax.dynamic_slice_in_dim(_reduced(x, op, groups), place() * part, part)

    @staticmethod
    def broadcast(x: Any, groups: Any, place: Any, size: int, root: int) -> Any:
        # The bits of the root's plus zeros: exact, -0.0 and nan too.
        if x.dtype.kind == "c":
            kernel = _Kernel.broadcast
            parts = [kernel(p, groups, place, size, root) for p in (x.real, x.imag)]
            return jax.lax.complex(*parts)
        integers = x.dtype.kind in "iu"
        bits = x if integers else x.astype(jnp.uint8) if x.dtype == bool else _bits(x)
        summed = jax.lax.psum(
            jnp.where(place() == root, bits, jnp.zeros_like(bits)), AXIS, axis_index_groups=groups
        )
        if integers:
            return summed
        if x.dtype == bool:
            return summed.astype(bool)
        return jax.lax.bitcast_convert_type(summed, x.dtype)

    # What is not the result of a rank is in its program all the same: XLA would leave out a
    # collective that one rank does not need, and the others would wait.

    @staticmethod
    def reduce(x: Any, groups: Any, place: Any, size: int, op: str, root: int) -> Any:
        return jnp.where(place() == root, _reduced(x, op, groups), x)

    @staticmethod
    def reduce_back(x: Any, groups: Any, place: Any, size: int, root: int) -> Any:
        mine = place() == root
        given = jax.lax.psum(jnp.where(mine, x, jnp.zeros_like(x)), AXIS, axis_index_groups=groups)
        return jnp.where(mine, given, given + x)

    @staticmethod
    def gather(x: Any, groups: Any, place: Any, size: int, root: int) -> Any:
        every = jax.lax.all_gather(x, AXIS, tiled=True, axis_index_groups=groups)
        return jnp.where(place() == root, every, jnp.zeros_like(every))

    @staticmethod
    def gather_back(x: Any, groups: Any, place: Any, size: int, root: int) -> Any:
        x = jnp.where(place() == root, x, jnp.zeros_like(x))
        return jax.lax.psum_scatter(x, AXIS, tiled=True, axis_index_groups=groups)

    @staticmethod
    def all_to_all(x: Any, groups: Any, place: Any, size: int, split: int, concat: int) -> Any:
        return jax.lax.all_to_all(x, AXIS, split, concat, tiled=True, axis_index_groups=groups)

    @staticmethod
    def messages(
        x: Any, groups: Any, place: Any, size: int, ranks: Ranks, sends: Any, receives: Any
    ) -> Any:
        """Exchange parts of any size: a permutation for each message of this rank.

        All ranks have them in one order.
        """
        ends, came, own = [0, *accumulate(sends)], {}, ranks.index(world.rank)
        for start, end in product(range(len(ranks)), repeat=2):
            if own not in (start, end) or not (sends[end] if start == own else receives[start]):
                continue
            if start == own:
                part = x[ends[end] : ends[end + 1]]
            else:
                part = jnp.zeros((receives[start], *x.shape[1:]), x.dtype)
            if start != end:
                part = jax.lax.ppermute(part, AXIS, [(ranks[start], ranks[end])])
            if end == own:
                came[start] = part
        return jnp.concatenate([x[:0], *(came[start] for start in sorted(came))])

    @staticmethod
    def permute(x: Any, groups: Any, place: Any, size: int, pairs: tuple[Any, ...]) -> Any:
        if groups is not None:
            raise UnsupportedError("sending between ranks of a group runs outside of programs only")
        return jax.lax.ppermute(x, AXIS, pairs)


def _bits(x: Any) -> Any:
    return jax.lax.bitcast_convert_type(x, jnp.dtype(f"uint{8 * x.dtype.itemsize}"))


@functools.cache
def _eager(kind: str, ranks: Ranks, options: tuple[Any, ...]) -> Across:
    kernel = getattr(_Kernel, kind)
    index = functools.partial(jax.lax.axis_index, AXIS)
    return Across(lambda x: kernel(x, None, index, len(ranks), *options), ranks=ranks)


def _own(x: Any) -> Any:
    """Return ``x`` as a value of this rank.

    JAX and XLA take a constant in a program for one that all ranks have, and multiply it by their
    number instead of asking them. What depends on the number of the rank, if only in form, they
    leave alone.
    """
    return jnp.where(jax.lax.axis_index(AXIS) == NO_RANK, jnp.zeros_like(x), x)


def transformed_error() -> UnsupportedError:
    """Return the error for a collective in a function that is transformed."""
    return UnsupportedError(
        "a collective runs here under a transform of JAX (vmap, jvp, jax.jit, jax.checkpoint) that "
        "knows nothing of the ranks; take it out of the transformed function."
    )


def collective(kind: str, x: Any, ranks: Ranks, *options: Any) -> Any:
    """Run a collective on a raw array, or make it part of the program that is traced."""
    if _traced():
        place = functools.partial(_place, ranks)
        return getattr(_Kernel, kind)(_own(x), _groups(ranks), place, len(ranks), *options)
    if is_tracer(x):
        raise transformed_error()
    if world.rank not in ranks:
        raise EngineError(f"Group {list(ranks)} doesn't contain the global rank {world.rank}")
    return _eager(kind, ranks, options)(x)


def product_of_others(x: Any, ranks: Ranks) -> Any:
    """Return the product of what the other ranks of a group have."""
    every = collective("all_gather", x[None], ranks)
    if _traced():
        mine = jnp.arange(len(ranks)) == _place(ranks)
    else:
        mine = jnp.arange(len(ranks)) == ranks.index(world.rank)
    mine = mine.reshape(-1, *[1] * (every.ndim - 1))
    return jnp.prod(jnp.where(mine, jnp.ones_like(every), every), axis=0)


def differentiable(
    forward: Callable[[Any], Any], backward: Callable[..., Any]
) -> Callable[[Any], Any]:
    """Return ``forward`` with the derivative ``backward(x, result, cotangent)``.

    In an eager gradient both are given arrays, not tracers, so that each runs as a program.
    """
    rule: Any = jax.custom_vjp(forward)

    def run(x: Any) -> Any:
        result = forward(x)
        return result, (x, result)

    rule.defvjp(run, lambda kept, cotangent: (backward(*kept, cotangent),))
    return rule
