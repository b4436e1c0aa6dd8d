"""``mindspore.profiler`` on ``jax.profiler``: what runs when, for TensorBoard or Perfetto.

A trace is a folder ``plugins/profile/TIME`` in the output folder. What MindSpore measures beside
that (memory, caches, links of an Ascend device) is accepted and not measured.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import jax

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.left_out import left_out, refused

__all__ = [
    "AicoreMetrics",
    "DynamicProfilerMonitor",
    "EnvProfiler",
    "ExportType",
    "HostSystem",
    "Profiler",
    "ProfilerActivity",
    "ProfilerLevel",
    "mstx",
    "profile",
    "schedule",
    "tensorboard_trace_handler",
]

# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []

_READ = "open the trace folder in TensorBoard (its profile plugin) or ui.perfetto.dev"


def _names(name: str, what: str, **members: str) -> Any:
    made: Any = Enum(name, members, module=__name__)
    made.__doc__ = what
    return made


ProfilerLevel = _names(
    "ProfilerLevel", "How much to measure.",
    Level0="Level0", Level1="Level1", Level2="Level2", LevelNone="LevelNone",
)  # fmt: skip
ProfilerActivity = _names("ProfilerActivity", "What to measure.", CPU="CPU", NPU="NPU", GPU="GPU")
AicoreMetrics = _names(
    "AicoreMetrics", "What to count of an Ascend device; without effect.",
    AiCoreNone="None", ArithmeticUtilization="ArithmeticUtilization", L2Cache="L2Cache",
    Memory="Memory", MemoryAccess="MemoryAccess", MemoryL0="MemoryL0", MemoryUB="MemoryUB",
    PipeUtilization="PipeUtilization", ResourceConflictRatio="ResourceConflictRatio",
)  # fmt: skip
ExportType = _names("ExportType", "A kind of file; without effect.", Text="text", Db="db")
HostSystem = _names(
    "HostSystem", "What to measure of the host; without effect.",
    CPU="cpu", MEM="mem", DISK="disk", NETWORK="network", OSRT="osrt",
)  # fmt: skip


class ProfilerAction(Enum):
    """What is done in a step."""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


@dataclass(frozen=True, kw_only=True)
class schedule:
    """Which steps to trace: ``skip_first`` not, then ``wait`` not, ``warmup`` and ``active`` ones.

    Args:
        wait: Steps to leave out at the beginning of each round.
        active: Steps to trace at its end.
        warmup: Steps between.
        repeat: How many rounds; 0 for as many as there are.
        skip_first: Steps to leave out before all.
    """

    wait: int
    active: int
    warmup: int = 0
    repeat: int = 0
    skip_first: int = 0

    def __post_init__(self) -> None:
        # As MindSpore does: what is no count is the least that makes sense.
        for name, value in self.to_dict().items():
            least = int(name == "active")
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                object.__setattr__(self, name, least)

    def __call__(self, step: int) -> ProfilerAction:
        step -= self.skip_first
        length = self.wait + self.warmup + self.active
        if step < 0 or (self.repeat and step >= self.repeat * length):
            return ProfilerAction.NONE
        place = step % length
        if place < self.wait:
            return ProfilerAction.NONE
        if place < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        return ProfilerAction.RECORD_AND_SAVE if place == length - 1 else ProfilerAction.RECORD

    def to_dict(self) -> dict[str, int]:
        """Return the numbers by name."""
        return asdict(self)


class tensorboard_trace_handler:
    """Names the folder for traces, as ``on_trace_ready`` of ``profile``.

    Args:
        dir_name: The folder; ``./data`` by default.
        worker_name: Accepted for compatibility.
        analyse_flag: Accepted for compatibility.
        async_mode: Accepted for compatibility.
    """

    def __init__(
        self,
        dir_name: str | None = None,
        worker_name: str | None = None,
        analyse_flag: bool = True,
        async_mode: bool = False,
    ) -> None:
        self.dir_name = dir_name

    def __call__(self, profiler: Any) -> None:
        return None


class _ExperimentalConfig:
    """Settings of an Ascend device's profiler, kept."""

    def __init__(self, **kwargs: Any) -> None:
        vars(self).update(kwargs)


class profile:
    """Traces what runs, from ``start`` or the beginning to ``stop``; also a ``with`` block.

    Args:
        start_profile: Whether to begin at once.
        schedule: Which steps to trace; ``step`` is to be called after each then.
        on_trace_ready: Called with the profiler when a trace was written;
            ``tensorboard_trace_handler`` names its folder.
        output_path: The folder, where that does not name one.
        kwargs: Accepted for compatibility: what MindSpore measures on an Ascend device.
    """

    def __init__(
        self,
        start_profile: bool = True,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[Any], Any] | None = None,
        output_path: str = "./data",
        **kwargs: Any,
    ) -> None:
        for name, value in (("schedule", schedule), ("on_trace_ready", on_trace_ready)):
            of_type("profile", name, value, Callable, type(None))
        folder = getattr(on_trace_ready, "dir_name", None) or output_path
        of_type("profile", "output_path", folder, str)
        self._folder, self._schedule, self._ready = folder, schedule, on_trace_ready
        self._step, self._on, self._tracing = 0, False, False
        self._metadata: dict[str, Any] = {}
        if start_profile:
            self.start()

    def start(self) -> None:
        """Begin.

        Raises:
            RuntimeError: If it has begun already, or another profiler traces.
        """
        if self._on:
            raise EngineError("The profiler has already started; call stop first.")
        self._on = True
        self._follow()

    def stop(self) -> None:
        """End, and write the trace.

        Raises:
            RuntimeError: If it has not begun.
        """
        if not self._on:
            raise EngineError("The profiler has not started; call start first.")
        self._on = False
        self._write()

    def step(self) -> None:
        """Say that a step has ended.

        Raises:
            RuntimeError: If the profiler has not begun.
        """
        if not self._on:
            raise EngineError("The profiler has not started; call start before step.")
        if self._schedule is not None:
            if self._schedule(self._step) is ProfilerAction.RECORD_AND_SAVE:
                self._write()
            self._step += 1
            self._follow()

    def _follow(self) -> None:
        """Trace or not, as the schedule has it for the step that begins."""
        now = ProfilerAction.RECORD if self._schedule is None else self._schedule(self._step)
        if now is not ProfilerAction.NONE and not self._tracing:
            jax.profiler.start_trace(self._folder)
            self._tracing = True

    def _write(self) -> None:
        if self._tracing:
            self._tracing = False
            jax.profiler.stop_trace()
            if self._metadata:
                text = json.dumps(self._metadata)
                Path(self._folder, "profiler_metadata.json").write_text(text)
            if self._ready is not None:
                self._ready(self)

    def add_metadata(self, key: str, value: str) -> None:
        """Keep a text beside the trace."""
        self._metadata[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """Keep JSON beside the trace."""
        self._metadata[key] = json.loads(value)

    def __enter__(self) -> Any:
        if not self._on:
            self.start()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._on:
            self.stop()


class Profiler(profile):
    """Traces what runs; ``analyse`` ends it.

    Args:
        kwargs: ``output_path``, ``start_profile``, ``schedule`` and ``on_trace_ready``, see
            ``profile``; others are accepted for compatibility.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def analyse(
        self,
        offline_path: str | None = None,
        pretty: bool = False,
        step_list: Any = None,
        mode: str = "sync",
    ) -> None:
        """End the trace, if it has not ended; the arguments are accepted for compatibility."""
        if self._on:
            self.stop()

    offline_analyse = staticmethod(refused(__name__, "offline_analyse", _READ))
    op_analyse = refused(__name__, "op_analyse", _READ)


def analyse(profiler_path: str, max_process_number: int = 1, **kwargs: Any) -> None:
    """Accepted for compatibility: a trace is ready when it was written."""
    if not Path(profiler_path).is_dir():
        raise ArgumentValueError(f"'{profiler_path}' is no folder of a trace.")


DynamicProfilerMonitor = left_out(
    __name__, "DynamicProfilerMonitor", "profiles on demand", "use Profiler in a Callback"
)
EnvProfiler = left_out(
    __name__, "EnvProfiler", "profiles as an environment variable says", "use Profiler"
)


class mstx:
    """Marks and ranges in a trace."""

    enable = True
    _ids = itertools.count(1)
    _open: dict[int, Any] = {}

    @staticmethod
    def mark(message: str, stream: Any = None, domain: str = "default") -> None:
        """Put a mark."""
        with jax.profiler.TraceAnnotation(message):
            pass

    @staticmethod
    def range_start(message: str, stream: Any = None, domain: str = "default") -> int:
        """Begin a range; returns its number for ``range_end``."""
        number, made = next(mstx._ids), jax.profiler.TraceAnnotation(message)
        made.__enter__()
        mstx._open[number] = made
        return number

    @staticmethod
    def range_end(range_id: int, domain: str = "default") -> None:
        """End a range; an unknown number is ignored."""
        made = mstx._open.pop(range_id, None)
        if made is not None:
            made.__exit__(None, None, None)
