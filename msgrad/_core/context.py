"""The one context: the active scope and what goes with it, by thread; the mode, of the process."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgrad._compiled.given import Given
    from msgrad._core.autocast import Autocast
    from msgrad._core.scopes.cotangent import Replaced
    from msgrad._core.scopes.discovery import LiftScope
    from msgrad._core.scopes.scope import Scope

GRAPH_MODE = 0
PYNATIVE_MODE = 1


class Context(threading.local):
    """State that belongs to the running thread.

    Attributes:
        scope: The innermost scope of a gradient call that is running its forward pass.
        replaced: Cotangents that user code gave in another shape or dtype, during a pullback.
        mixed: The float dtypes that operators compute in (``Cell.to_float``, amp), or None.
        forward: The forward pass that a gradient call may take over, or None.
        no_grad: Whether operators give results without a gradient.
        lift: The scope of a trace for compilation, while one runs.
        given: The arguments of the compiled call that is traced, or runs as plain Python.
        plain: Whether a call that could not be compiled runs, all of it as plain Python.
    """

    scope: Scope | None = None
    replaced: Replaced | None = None
    lift: LiftScope | None = None
    given: Given | None = None
    plain: bool = False
    mixed: Autocast | None = None
    forward: Any = None
    no_grad: bool = False

    @property
    def mode(self) -> int:
        """``GRAPH_MODE`` (0) or ``PYNATIVE_MODE`` (1); of the process, as in MindSpore."""
        return _mode

    @mode.setter
    def mode(self, value: int) -> None:
        global _mode
        _mode = value


_mode = PYNATIVE_MODE
context = Context()

# Counts changes of what compiled programs bake in: modes, frozen parameters, the tree of cells.
revision = 0
# Whose changes the last ones were.
_recent: deque[int | None] = deque(maxlen=256)
_counting = threading.Lock()


def bump_revision(place: Any = None) -> None:
    """Let compiled programs check what they baked in before they run again.

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
