"""How much effort XLA puts into a program: all of it, or none where its shapes may not come back.

The first two shapes of a structure are compiled in full. Where it comes again with others, as with
sentences of changing length, compiling costs more than the steps that it speeds up. Those programs
are run by NumPy, which takes as long as XLA does where products are most of it
(``numpy_program.py``). What NumPy cannot run is compiled with a sixth of the effort, or a third
where a sixth is not safe, and runs some 1.5 or 1.2 times as long. All are compiled in full once
they have come back often enough. It is calls that are counted, not seconds, so two runs of one
script compute the same bits. A run that is resumed counts anew; ``deterministic`` rules that out:
then everything is compiled in full.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Hashable
from platform import machine
from typing import Any

import jax

from msgrad._core.bounded import Bounded
from msgrad._core.context import context, platform
from msgrad._core.continuity import may_jump
from msgrad._core.engine import in_transform, needs_arguments_later
from msgrad._core.engine.options import BACKEND_OPTIONS, compiles_under
from msgrad._core.kept_programs import Kept
from msgrad._core.numpy_program import NumpyProgram, OtherOperandsError, fits

# A transformer of 2 layers: 0.6 s of one core instead of 1.75, and steps of 17 ms instead of 15.
# Loops are neither unrolled nor vectorized, which is most of what is saved.
_CPU_OPTIONS = {
    "xla_backend_optimization_level": 1,
    "xla_cpu_use_fusion_emitters": False,
    "xla_llvm_disable_expensive_passes": True,
    "xla_cpu_parallel_codegen_split_count": 2,
    # YNNPACK plans each product anew in every process, 3 ms that no disk saves; by Eigen a call
    # takes as long. Its sums stay: without them LLVM has a third more to compile.
    "xla_cpu_experimental_ynn_fusion_type": "LIBRARY_FUSION_TYPE_REDUCE",
    BACKEND_OPTIONS: "xla_cpu_disable_loop_unrolling,xla_cpu_optimize_for_size",
}
# 0.3 s, and steps of 21 ms, for what cannot jump (``continuity.py``); tried on these processors.
# In one part: to split LLVM's module takes longer than two threads save in so little work.
_LEAST = {"xla_backend_optimization_level": 0, "xla_cpu_parallel_codegen_split_count": 1}
_LEAST_ON = ("x86_64", "AMD64")
# On a GPU most of the time goes into trying out kernels for products; XLA's guess is as right.
_CHEAP: dict[str, dict[str, Any]] = {"cpu": _CPU_OPTIONS, "gpu": {"xla_gpu_autotune_level": 0}}

# Calls of such a program before it is compiled in full. They cost a few steps' time at most, and a
# shape that comes so often comes more often.
CHEAP_CALLS = 16
_MAX_KNOWN = 1024
# How many shapes of a structure are compiled in full: whole batches, and the rest at the end of an
# epoch. So a training on a data set is resumed bit for bit without asking for it.
IN_FULL = 2


@functools.cache
def _cheap_options(platform: str) -> dict[str, Any] | None:
    """Return those of the options that this version of XLA has; None where none are known."""
    options = _CHEAP.get(platform)
    if options is None or compiles_under(options):
        return options
    return {name: value for name, value in options.items() if compiles_under({name: value})}


class Structures:
    """What was compiled already, and in which shapes."""

    def __init__(self) -> None:
        self._shapes: Bounded[Hashable, set[Hashable]] = Bounded(_MAX_KNOWN)
        self._lock = threading.Lock()

    def comes_again(self, structure: Hashable, shapes: Hashable) -> bool:
        """Note a structure that is to be compiled; returns whether it comes in ever new shapes.

        Args:
            structure: All but the shapes of inputs, and numbers that may stem from them.
            shapes: Those shapes. Where they were there before it must be the numbers that differ.
        """
        with self._lock:
            known = self._shapes[structure] = self._shapes.get(structure, set())
            again = len(known) >= IN_FULL and shapes not in known
            known.add(shapes)
            if len(known) > _MAX_KNOWN:
                known.pop()
        return again

    def clear(self) -> None:
        self._shapes.clear()


def compiled(function: Callable[..., Any], cheaply: bool, what: Any = None, **options: Any) -> Any:
    """Return ``jax.jit`` of a function of arrays that come in one shape only.

    Args:
        function: The function.
        cheaply: Whether to compile it cheaply at first.
        what: What the program is made of, if it may be found on disk by that (``Kept``).
        **options: Of ``jax.jit``.
    """

    def form(**how: Any) -> Any:
        jitted: Any = jax.jit(function, **how, **options)
        if how and platform() == "cpu":
            least = jitted
            if machine() in _LEAST_ON:
                how_little = {**how["compiler_options"], **_LEAST}
                least = jax.jit(function, compiler_options=how_little, **options)
            jitted = _Cheapest(least, jitted)
        return jitted if what is None else Kept(jitted, what, how)

    cheap = _cheap_options(platform()) if cheaply else None
    if cheap is None:
        return form()
    return _CheapFirst(form(), form(compiler_options=cheap))


class _Cheapest:
    """A program that NumPy runs if it fits; else one that is compiled with the least effort if it
    cannot jump, else with little.

    Args:
        least, little: The two forms, as ``jax.jit`` gives them.
    """

    def __init__(self, least: Any, little: Any) -> None:
        self._forms = least, little
        self._form: Any = None

    def _chosen(self, args: tuple[Any, ...]) -> Any:
        if self._form is None:
            least, little = self._forms
            traced = least.trace(*args)
            program = traced.jaxpr.jaxpr
            if len(jax.devices()) == 1 and not needs_arguments_later() and fits(program):
                self._form = NumpyProgram(traced.jaxpr, traced.out_info)
            else:
                self._form = little if may_jump(program) else least
        return self._form

    def __call__(self, *args: Any) -> Any:
        try:
            return self._chosen(args)(*args)
        except OtherOperandsError:
            self._form = self._forms[1]
            return self._form(*args)

    def lower(self, *args: Any) -> Any:
        """Lower the form that is right for it."""
        return self._chosen(args).lower(*args)


class _CheapFirst:
    """A program that is compiled cheaply, and in full once it has come back often enough.

    Args:
        full, cheap: The two forms, as ``jax.jit`` gives them.
    """

    def __init__(self, full: Any, cheap: Any) -> None:
        self._full = full
        self._cheap: Any = cheap
        self._left = CHEAP_CALLS

    def _form(self) -> Any:
        if context.deterministic:
            self._cheap = None
        return self._full if self._cheap is None else self._cheap

    def __call__(self, *args: Any) -> Any:
        # Inside a transform or a trace it becomes a part of something else.
        if self._cheap is None or in_transform():
            return self._full(*args)
        results = self._form()(*args)
        self._left -= 1
        if self._left <= 0:
            self._cheap = None
        return results

    def lower(self, *args: Any) -> Any:
        """Lower the form that the next call runs."""
        return self._form().lower(*args)
