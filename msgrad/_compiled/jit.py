"""``jit``: a MindSpore function or Cell as one ``jax.jit`` program that finds its own state.

A call is traced once (``_core/scopes/discovery.py``): Parameters, optimizer moments, counters, the
random state and Tensors kept on Cells become inputs and outputs of the program; what it writes is
donated. Wrappers never pass through ``jax.jit``: it sees flat lists of raw arrays (``program.py``).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from msgrad._compiled.function import CompiledFunction, JitStats, jit_stats
from msgrad._core.declared import check, guarded
from msgrad._core.engine.flax import ModuleBridge
from msgrad._core.errors import ArgumentValueError, KernelError

__all__ = ["JitStats", "compiled", "jit", "jit_class", "jit_stats", "lazy_inline"]

_T = TypeVar("_T")
_BACKENDS = ["", "ms_backend", "GE"]


def jit(
    function: Any = None,
    *,
    capture_mode: str = "ast",
    jit_level: str = "O0",
    dynamic: int = 0,
    fullgraph: bool = False,
    backend: str = "",
    **options: Any,
) -> Any:
    """Compile a function, method or Cell; also a decorator, with or without arguments.

    Args:
        function: What to compile: a function, method or Cell. Anything else that is no Python
            function, a class included, is given back as it is.
        capture_mode: ``'ast'``, ``'bytecode'`` or ``'trace'``; all do the same here.
        jit_level: ``'O0'`` or ``'O1'``; XLA decides what to fuse.
        dynamic: 0 or 1; every shape is compiled once in any case.
        fullgraph: Accepted for compatibility.
        backend: ``''``, ``'ms_backend'`` or ``'GE'``; all do the same here.
        options: Accepted for compatibility: ``infer_boost`` (``'on'`` or ``'off'``),
            ``jit_config``, ``input_signature`` and others.

    Returns:
        A function of the same name and arguments, with ``stats``, a ``JitStats``. A Cell is given
        back itself and compiled when it is called; ``jit_stats`` lists it.

    Raises:
        TypeError, ValueError, RuntimeError: For options that MindSpore refuses.
        Exception: By a call, what the function raises. What Python refuses in it, as a division by
            zero or a wrong number of arguments, is of Python's type and of that in MindSpore.

    Tensors, JAX arrays, and all state found on the way, are inputs of the compiled program. Python
    numbers, strings and NumPy arrays are constants of it, by value; other objects by identity.
    Whatever the trace has read of a Cell and its class, called or not, makes another program when
    it has changed: child cells, Parameters, the members of CellList and CellDict, numbers, flags,
    methods; lists, dicts and sets that are attributes, also changed in place (up to 64 entries),
    and NumPy arrays there (up to 1 KiB). So do ``param_groups`` of an optimizer and the attributes
    of a ``LossScaler``. A state that comes back finds its program again.

    Constants of the first call are: attributes of other objects, and of Flax modules; globals and
    variables of enclosing functions, and lists, dicts and arrays there; longer lists and larger
    arrays that are changed in place; what is written past ``setattr`` (``vars(cell)[name] = ...``).

    Differs from MindSpore: Python itself runs when a kind of call is first seen, not a transformed
    source. A changed attribute of a Cell is seen. An ``if``, a ternary, ``and``, ``not``, ``in`` or
    a short loop on Tensors is compiled: Python runs once for each way through it. A ``for`` over
    many steps (16 or more alike) is traced step by step and compiled as one ``lax.scan``, and its
    gradient as another. A ``while`` on Tensors, with ``break``, ``continue`` and ``if`` inside, is
    compiled from its source as ``lax.while_loop``, if what it assigns are Tensors of one shape and
    dtype, ints, bools or tuples of them; state may be written in it. So is a tuple or list at a
    place that a Tensor decides; of functions or Cells, the one there is called. What is out of
    range is the nearest.
    ``print`` is compiled, and prints in each call what it prints in the plain function.
    Where a value is needed in Python (``str``, ``asnumpy``; a second derivative through a ``while``
    on Tensors, or one in which a list grows), calls of this kind run as plain Python, with one
    warning that says where. Cells, Parameters and random state
    are as before the call then; what the function had done to lists, globals or other objects
    before it came to that place, it does a second time.
    """
    boost = options.get("infer_boost", "off")
    _check_options(capture_mode, jit_level, dynamic, fullgraph, backend, boost)
    if function is None:
        return functools.partial(
            jit,
            capture_mode=capture_mode,
            jit_level=jit_level,
            dynamic=dynamic,
            fullgraph=fullgraph,
            backend=backend,
            **options,
        )
    if isinstance(function, ModuleBridge) and hasattr(function, "construct"):
        vars(function)["_cell_jitted"] = True
        return function
    if not callable(function) or inspect.isclass(function) or inspect.isbuiltin(function):
        return function
    return compiled(function)


@guarded
def _check_options(
    capture_mode: Any, jit_level: Any, dynamic: Any, fullgraph: Any, backend: Any, boost: Any
) -> None:
    check("jit", "dynamic", "int", dynamic)
    check("jit", "fullgraph", "bool", fullgraph)
    for name, value, accepted in (
        ("capture_mode", capture_mode, ["ast", "bytecode", "trace"]),
        ("jit_level", jit_level, ["O0", "O1"]),
        ("dynamic", dynamic, [0, 1]),
        ("infer_boost", boost, ["on", "off"]),
    ):
        if value not in accepted:
            raise ArgumentValueError(
                f"For 'jit', the '{name}' must be one of {accepted}, but got {value!r}."
            )
    if backend not in _BACKENDS:
        raise KernelError(
            f"Invalid backend name: {backend}, you should register custom backend first; the "
            f"'backend' of 'jit' is one of {_BACKENDS} here."
        )


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the compiled form of a function; see ``jit``."""
    programs = CompiledFunction(function)
    run = programs.__call__

    # A function and not the object, so that it may be a method.
    @functools.wraps(function, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        return run(args, kwargs)

    call.stats = programs.stats  # pyright: ignore[reportAttributeAccessIssue]
    return call


def jit_class(cls: _T) -> _T:
    """Return the class: any Python object may be used inside a compiled function."""
    return cls


def lazy_inline(fn: Any = None, attrs: Any = None, policy: Any = None) -> Any:
    """Return the function, bare or as a decorator with arguments; XLA decides what to inline."""
    return fn if callable(fn) else lambda function: function
