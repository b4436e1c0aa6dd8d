"""``python -m msgrad report program.py``: what became of a program, and why it is slow.

The program runs as under ``run``; this module watches from inside its process and writes at its
end. Times of tracing, lowering and compiling come from ``jax.monitoring``, times of operators from
``jax.profiler``: XLA's names are MindSpore's operators', since each kernel is a ``jax.jit`` of that
name. What is measured costs the program some percent; nothing of it is there under ``run``.
"""

from __future__ import annotations

import atexit
import contextlib
import glob
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax

VARIABLE = "MSGRAD_REPORT"
_STAGES = {
    "/jax/core/compile/jaxpr_trace_duration": "trace",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "lower",
    "/jax/core/compile/backend_compile_duration": "compile",
}
_OPERATION = re.compile(r'^\s*(?:ROOT )?%?([\w.\-]+) = .*metadata=\{op_name="([^"]*)"', re.M)
_PART = re.compile(r"jit\((\w+)\)")
# What programs that msgrad puts together are, by the names that JAX knows them by.
_OWN = {
    "run": "compiled function",
    "_pulled": "gradient call",
    "_forward": "gradient call, forward",
    "_backward": "gradient call, backward",
    "_as_it_is": "forward pass",
    "_mapped": "vmap",
    "_pushed": "jvp",
    "_columns": "Jacobian, jacfwd",
    "_rows": "Jacobian, jacrev",
    "update_list": "optimizer",
}


@dataclass
class Span:
    """One piece of work: a stage, what it was for, when it began and how long it took (seconds)."""

    stage: str
    name: str
    start: float
    seconds: float


@dataclass
class Report:
    """What was found.

    Attributes:
        program: The program's words.
        seconds: From its start to its end.
        stages: Seconds by stage; together ``seconds``.
        spans: Import, traces, lowerings and compiles in the order of their end.
        compiled: ``(name, times, seconds)`` of what XLA compiled, the longest first.
        from_disk: How many of these came from the cache on disk.
        anew: Functions that were compiled more than once, and for what.
        plain: What ran as plain Python, with where and how many kinds of calls.
        values: Lines at which a value was needed in a gradient call, and how often.
        operators: ``(name, calls, seconds)``, the slowest first.
        watched: Seconds during which operators were timed.
        memory: The most bytes that the process had, and what JAX's device says.
    """

    program: list[str]
    seconds: float
    stages: dict[str, float]
    spans: list[Span]
    compiled: list[tuple[str, int, float]]
    from_disk: int
    anew: list[tuple[str, list[str]]]
    plain: list[tuple[str, str, int]]
    values: list[tuple[str, int]]
    operators: list[tuple[str, int, float]]
    watched: float
    memory: dict[str, int] = field(default_factory=dict)


class _Watch:
    """What is noted while the program runs."""

    def __init__(self, words: list[str], page: str | None, began: float, seconds: float) -> None:
        self.words, self.page, self.began = words, page, began
        self.spans: list[Span] = []
        self.values: Counter[str] = Counter()
        now = time.time()
        self.spans.append(Span("import", "python, jax, flax, msgrad", 0.0, now - began))
        self._folder = tempfile.mkdtemp(prefix="msgrad-report-")
        self._lock = threading.Lock()
        self._profiling = now
        self._profiled: float | None = None
        jax.monitoring.register_event_duration_secs_listener(self._note)
        self._note_values()
        options = jax.profiler.ProfileOptions()
        # Its own look at Python would slow Python down.
        options.python_tracer_level = 0
        jax.profiler.start_trace(self._folder, profiler_options=options)
        timer = threading.Timer(seconds, self._stop_profiling)
        timer.daemon = True
        timer.start()

    def _note(self, event: str, duration_secs: float, **more: Any) -> None:
        stage = _STAGES.get(event)
        if stage is not None:
            name = _PART.sub(r"\1", str(more.get("fun_name", "")))
            name = _OWN.get(name, name)
            start = time.time() - duration_secs - self.began
            self.spans.append(Span(stage, name, start, duration_secs))

    def _note_values(self) -> None:
        from msgrad._gradients.pieces import PieceRecorder

        flush, values = PieceRecorder.flush, self.values

        def noted(recorder: Any) -> None:
            if recorder.open and recorder.ops:
                values[_user_line()] += 1
            flush(recorder)

        PieceRecorder.flush = noted  # pyright: ignore[reportAttributeAccessIssue]

    def _stop_profiling(self) -> None:
        with self._lock:
            if self._profiled is None:
                self._profiled = time.time() - self._profiling
                # A trace that the program takes itself has ended this one.
                with contextlib.suppress(RuntimeError):
                    jax.profiler.stop_trace()

    def finish(self) -> Report:
        """Put everything together, at the end of the program."""
        from msgrad._compiled.function import jit_stats

        stats = jit_stats()
        seconds = time.time() - self.began
        self._stop_profiling()
        operators = _operator_times(self._folder)
        shutil.rmtree(self._folder, ignore_errors=True)
        totals: dict[str, list[float]] = defaultdict(list)
        for span in self.spans:
            if span.stage == "compile":
                totals[span.name].append(span.seconds)
        compiled = [(name, len(times), sum(times)) for name, times in totals.items()]
        plain = [
            (name, reason, count)
            for name, each in stats.items()
            for reason, count in each.fallbacks.items()
        ]
        return Report(
            program=self.words,
            seconds=seconds,
            stages=_stages(self.spans, seconds),
            spans=self.spans,
            compiled=sorted(compiled, key=lambda row: -row[2]),
            from_disk=stats["<process>"].cache_hits,
            anew=[(name, each.kinds) for name, each in stats.items() if len(each.kinds) > 1],
            plain=plain,
            values=self.values.most_common(),
            operators=operators,
            watched=self._profiled or 0.0,
            memory=_memory(),
        )


def begin() -> None:
    """Watch this process, as the environment says; called at the end of msgrad's import."""
    # What the program starts itself is not watched.
    told = json.loads(os.environ.pop(VARIABLE))
    watch = _Watch(sys.orig_argv[-told["words"] :], told["page"], told["began"], told["seconds"])
    atexit.register(_write, watch)


def _write(watch: _Watch) -> None:
    from msgrad.porting.report_page import as_page, as_text

    report = watch.finish()
    print(as_text(report), file=sys.stderr)
    if watch.page:
        Path(watch.page).write_text(as_page(report), encoding="utf-8")
        print(f"written: {watch.page}", file=sys.stderr)


def _user_line() -> str:
    from msgrad._core.user_code import user_frame

    frame = user_frame(sys._getframe(1))
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _covered(spans: Iterable[Span]) -> float:
    """Return how many seconds lie in one of the spans at least."""
    total, end = 0.0, float("-inf")
    for start, stop in sorted((s.start, s.start + s.seconds) for s in spans):
        total += max(0.0, stop - max(start, end))
        end = max(end, stop)
    return total


def _stages(spans: list[Span], seconds: float) -> dict[str, float]:
    """Return the seconds of each stage; what stands in several counts for the innermost."""
    stages, inner, counted = {}, [], 0.0
    for stage in ("compile", "lower", "trace", "import"):
        inner += [span for span in spans if span.stage == stage]
        covered = _covered(inner)
        stages[stage], counted = covered - counted, covered
    order = ("import", "trace", "lower", "compile")
    return {**{stage: stages[stage] for stage in order}, "run": max(0.0, seconds - counted)}


def _operator_times(folder: str) -> list[tuple[str, int, float]]:
    """Return name, calls and seconds of the operators in a trace, the slowest first."""
    files = glob.glob(os.path.join(folder, "**", "*.xplane.pb"), recursive=True)
    if not files:
        return []
    names = _operator_names()
    calls: Counter[str] = Counter()
    seconds: dict[str, float] = defaultdict(float)
    for event, stats in _device_events(files[0]):
        module = re.sub(r"\(\d+\)$", "", str(stats.get("hlo_module", "")))
        name = names.get((module, str(stats["hlo_op"])), module.removeprefix("jit_"))
        name = _OWN.get(name, name)
        calls[name] += 1
        seconds[name] += event.duration_ns * 1e-9
    return sorted(((n, calls[n], s) for n, s in seconds.items()), key=lambda row: -row[2])


def _device_events(file: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    for plane in jax.profiler.ProfileData.from_file(file).planes:
        for line in plane.lines:
            for event in line.events:
                stats = {str(name): value for name, value in event.stats}
                if "hlo_op" in stats:
                    yield event, stats


def _operator_names() -> dict[tuple[str, str], str]:
    """Return MindSpore's operator for each module and operation of the programs that are there."""
    names = {}
    for executable in jax.devices()[0].client.live_executables():
        with contextlib.suppress(jax.errors.JaxRuntimeError):
            for module in executable.hlo_modules():
                text = module.to_string()
                for operation, path in _OPERATION.findall(text):
                    names[(module.name, operation)] = _operator_of(path)
    return names


def _operator_of(path: str) -> str:
    """Return ``MatMul`` or ``MatMul, backward`` for XLA's path of an operation."""
    parts = [part for part in _PART.findall(path) if part not in _OWN]
    # Within a kernel stand functions of jnp; the kernel comes first.
    name = parts[0] if parts else path.rpartition("/")[2]
    return f"{name}, backward" if "transpose(" in path else name


def _memory() -> dict[str, int]:
    found = {}
    with contextlib.suppress(ImportError):
        import resource

        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        found["process, at most"] = size if sys.platform == "darwin" else size * 1024
    stats = jax.devices()[0].memory_stats() or {}
    if "peak_bytes_in_use" in stats:
        found["device, at most"] = stats["peak_bytes_in_use"]
    return found
