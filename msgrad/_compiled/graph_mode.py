"""GRAPH_MODE: outermost Cell calls and gradient functions run compiled, as ``jit`` does it.

What is compiled belongs to the Cell, or to the differentiated function, and is dropped with it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable
from typing import Any

from flax import nnx

from msgrad._compiled.function import CompiledFunction
from msgrad._compiled.program_cache import cached_on
from msgrad._compiled.surroundings import surroundings
from msgrad._core.bridge import is_tensor
from msgrad._core.context import GRAPH_MODE, context
from msgrad._core.engine import in_transform
from msgrad._core.engine.flax import ModuleBridge
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError

_HERE = "For set_inputs {} tuple(list) in set_inputs, "


def compiles_now() -> bool:
    """Whether a call made here is to be compiled: it is the outermost one in GRAPH_MODE."""
    return (
        context.mode == GRAPH_MODE
        and context.lift is None
        and context.scope is None
        and not context.plain
        and not in_transform()
    )


def call_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a Cell as one compiled program."""

    def make() -> CompiledFunction:
        def call(*args: Any, **kwargs: Any) -> Any:
            if cell._cell_set_inputs is not None and context.mode == GRAPH_MODE:
                declared, by_name = cell._cell_set_inputs
                _check_inputs(cell.construct, declared, by_name, args)
            return cell._cell_call_now(args, kwargs)

        return CompiledFunction(call, type(cell).__qualname__, all_plain=True)

    return cached_on(cell, "call", make)(args, kwargs)


def in_graph_mode(
    plain: Callable[..., Any], fn: Any, weights: Any, *form: Hashable, what: str = "gradient"
) -> Callable[..., Any]:
    """Return a gradient function, or that of another transform, that is compiled in GRAPH_MODE.

    Args:
        plain: The gradient function.
        fn: What it differentiates. Gradient functions of one ``fn``, made anew in every step, share
            what is compiled if they are alike.
        weights: Parameters that it differentiates with respect to.
        form: What else tells gradient functions of one ``fn`` apart.
        what: What ``jit_stats`` calls it, with the name of ``fn``.
    """

    found: CompiledFunction | None = None
    around: tuple[Hashable, ...] | None = None

    @functools.wraps(plain, updated=())
    def after_grad(*args: Any, **kwargs: Any) -> Any:
        nonlocal found, around
        if not compiles_now():
            return plain(*args, **kwargs)
        if around is None:
            # One made anew sees what has changed around ``fn``, one that is kept does not.
            around = surroundings(fn) if what == "gradient" else ()
        if found is None or isinstance(weights, list):
            found = _shared(plain, fn, weights, (*form, around), what)
        return found(args, kwargs)

    vars(after_grad)["_transforms"] = fn
    return after_grad


def _shared(
    plain: Callable[..., Any], fn: Any, weights: Any, form: tuple[Hashable, ...], what: str
) -> CompiledFunction:
    listed = [weights] if is_tensor(weights) or weights is None else list(weights)
    # The first such function is kept, and with it the weights, so that their ids stay theirs.
    key: Any = (*form, is_tensor(weights), tuple(map(id, listed)))
    owner = fn
    if hasattr(fn, "__func__") and hasattr(fn, "__self__"):
        # A bound method is a new object every time.
        owner = fn.__self__ if isinstance(fn.__self__, ModuleBridge) else fn.__func__
        key = (*key, fn.__func__, None if owner is fn.__self__ else id(fn.__self__))
    # Flax counts every attribute of a module as a part of it, and those of a class cannot be added.
    foreign = isinstance(owner, nnx.Module) and not isinstance(owner, ModuleBridge)
    if foreign or not isinstance(getattr(owner, "__dict__", None), dict):
        return CompiledFunction(plain, _name(what, fn), all_plain=True)
    return cached_on(owner, key, lambda: CompiledFunction(plain, _name(what, fn), all_plain=True))


def _name(what: str, fn: Any) -> str:
    of = getattr(fn, "__qualname__", type(fn).__qualname__)
    return f"{what} of {of}"


def _check_inputs(
    construct: Callable[..., Any],
    declared: tuple[Any, ...],
    by_name: dict[str, Any],
    given: tuple[Any, ...],
) -> None:
    """Compare the arguments of a call with those that were declared, Tensors at the top only.

    Raises:
        TypeError: If their number, a dtype, or what is a Tensor differs.
        ValueError: If a rank or a size differs, or a size is not what its Symbol says.
    """
    names = inspect.signature(construct).parameters
    if not by_name:
        needed = sum(each.default is each.empty for each in names.values())
        if not needed <= len(declared) <= len(names):
            raise ArgumentTypeError(
                f"For 'Cell', the function construct requires {needed} positional argument and "
                f"{len(names) - needed} default argument, total {len(names)}, but got "
                f"{len(declared)}: as many are to be declared by set_inputs."
            )
        by_name = dict(zip(names, declared, strict=False))
    for at, (name, value) in enumerate(zip(names, given, strict=False), 1):
        if name in by_name:
            _check(by_name[name], value, at)


def _check(declared: Any, value: Any, at: int) -> None:
    either, both = _HERE.format("or"), _HERE.format("and")
    if not is_tensor(declared):
        if is_tensor(value):
            raise ArgumentTypeError(f"{either}the {at}th should be static one, but got mutable!")
        return
    if not is_tensor(value):
        raise ArgumentTypeError(f"{either}the {at}th should be mutable one, but got static!")
    if declared.dtype != value.dtype:
        raise ArgumentTypeError(
            f"{either}the {at}th type should be Tensor[{declared.dtype}], but got "
            f"Tensor[{value.dtype}]!"
        )
    shape, sizes = declared.shape, value.shape
    if shape == (-2,):
        return
    if len(shape) != len(sizes):
        raise ArgumentValueError(
            f"{both}the dims of {at}th input must be the same as expected, but got expected: "
            f"{len(shape)}, and input: {len(sizes)}!"
        )
    for axis, (expected, size) in enumerate(zip(shape, sizes, strict=True)):
        if expected not in (-1, size):
            raise ArgumentValueError(
                f"{both}the shape of {at}th input must be the same as expected, but got expected: "
                f"{expected}, and input: {size}!"
            )
        symbol = (declared.symbolic_shape or shape)[axis]
        if isinstance(symbol, dict):
            least, divisor = symbol.get("min", 1), symbol.get("divisor", 1)
            left = symbol.get("remainder", 0)
            if size < max(least, divisor) or size % divisor != left:
                raise ArgumentValueError(
                    f"The {axis + 1}th shape value of {at}th actual input args must be greater "
                    f"than or equal to the 'min' value '{least}' of `Symbol`, and match its "
                    f"'divisor' {divisor} and 'remainder' {left}, but got '{size}'. Actual shape: "
                    f"{[*sizes]}, axis: {axis}."
                )
