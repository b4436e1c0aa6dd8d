"""The one context: the active scope and what goes with it, by thread; the mode, of the process."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

import jax

from msgrad._core.protocols import LiftLike, ScopeLike

GRAPH_MODE = 0
PYNATIVE_MODE = 1


_process: dict[str, Any] = {"mode": PYNATIVE_MODE, "deterministic": False}


def _of_process(name: str) -> Any:
    """Return a property that is the same in all threads, as in MindSpore."""
    return property(lambda _: _process[name], lambda _, value: _process.update({name: value}))


class Context(threading.local):
    """State that belongs to the running thread; the first two to the process.

    Attributes:
        mode: ``GRAPH_MODE`` (0) or ``PYNATIVE_MODE`` (1).
        deterministic: Whether all programs are compiled in full.
        scope: The innermost scope of a gradient call that is running its forward pass.
        replaced: Cotangents that user code gave in another shape or dtype, during a pullback
            (``ReplacedCotangents``), or None.
        mixed: The float dtypes that operators compute in (``Autocast``), or None.
        recorder: Where operators of a Cell without a gradient are recorded while no scope is
            active (``ForwardRecorder``), or None.
        forward: The forward pass that a gradient call may take over (``CachedForward``), or None.
        no_grad: Whether operators give results without a gradient.
        lift: The scope of a trace for compilation, while one runs.
        inputs: Which arguments of the compiled call that is traced, or runs as plain Python, are
            inputs (``CallInputs``), or None.
        saved_hooks: What residuals go through (``saved_tensors_hooks``), or None.
        plain: Whether a call that could not be compiled runs, all of it as plain Python.
        maps: Whether the function of a ``vmap`` runs.
    """

    scope: ScopeLike | None = None
    replaced: Any = None
    lift: LiftLike | None = None
    inputs: Any = None
    plain: bool = False
    maps: bool = False
    mixed: Any = None
    forward: Any = None
    recorder: Any = None
    saved_hooks: Any = None
    no_grad: bool = False

    mode = _of_process("mode")
    deterministic = _of_process("deterministic")

    @property
    def in_call(self) -> bool:
        """Whether a gradient call, a compiled call or a recorded Cell runs in this thread."""
        return self.scope is not None or self.recorder is not None


context = Context()


def platform() -> str:
    """Return what programs run on unless told: ``cpu``, ``gpu`` or ``tpu``."""
    device = jax.config.values["jax_default_device"]
    return getattr(device, "platform", device) or jax.default_backend()


# Counts changes of what compiled programs bake in: modes, frozen parameters, the tree of cells.
revision = 0
# Whose changes the last ones were.
_recent: deque[int | None] = deque(maxlen=256)
_counting = threading.Lock()


# How often Tensors have come to share elements that did not: programs look again how theirs stand.
sharings = 0


def count_sharing() -> None:
    """Make compiled programs look again which of their Tensors are views."""
    global sharings
    with _counting:
        sharings += 1


def bump_revision(place: Any = None) -> None:
    """Make compiled programs check their guards before they run again.

    Args:
        place: What was changed, if it was one thing: the attributes or a registry of a Cell, a
            Parameter, a container.
    """
    global revision
    with _counting:
        _recent.append(None if place is None else id(place))
        revision += 1


def changes_since(before: int) -> tuple[int, set[int] | None]:
    """Return the revision, and the ids of what was changed since another one.

    Returns:
        None for the ids where it may have been anything.
    """
    with _counting:
        behind = revision - before
        if before < 0 or behind > len(_recent):
            return revision, None
        places = {_recent[-1 - i] for i in range(behind)}
        return revision, None if None in places else places  # pyright: ignore[reportReturnType]
