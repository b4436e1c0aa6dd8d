"""From measurements to text: times, ratios beside their targets, the machine; the README's part."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tests._marked import README, write_part
from tests.benchmarks.engines import ENGINES
from tests.benchmarks.timing import Result
from tests.benchmarks.workloads import WORKLOADS, Workload

# Below this a compiled step may take some microseconds more instead of some percent.
_SHORT, _MORE = 0.5e-3, 20e-6
# From here on an eager step is compared with a compiled one.
_LONG = 4e-3
WIDTH = 100
# At least this share of the speed of PyTorch, eager.
_OF_PYTORCH = {
    "mlp": 1,
    "deep": 1,
    "wide": 1,
    "conv": 0.8,
    "separable": 0.8,
    "transformer": 0.95,
    "resnet": 0.8,
}


@dataclass(frozen=True)
class Ratio:
    """A ratio that has a target.

    Attributes:
        title: Its heading.
        upper: Engine above the line.
        lower: Engine below it.
        met: Tells from the ratio, the workload and the result whether the target is met; None
            where there is no target.
        of: What is compared: ``seconds``, ``first`` or ``memory``.
    """

    title: str
    upper: str
    lower: str
    met: Callable[[float, Workload, Result], bool | None]
    of: str = "seconds"

    def value(self, result: Result) -> float | None:
        """Give the ratio, or None where it was not measured."""
        measured = getattr(result, self.of)
        if self.upper not in measured or self.lower not in measured:
            return None
        upper, lower = measured[self.upper], measured[self.lower]
        # A program without scratch memory needs as much as another one without.
        return upper / lower if lower else float(upper > 0)


def _compiled(engine: str) -> Callable[[float, Workload, Result], bool]:
    def met(ratio: float, _: Workload, result: Result) -> bool:
        hand, ours = result.seconds["hand_jit"], result.seconds[engine]
        return ratio <= 1.03 or (hand < _SHORT and ours - hand <= _MORE)

    return met


def _beside_compiled(ratio: float, _: Workload, result: Result) -> bool | None:
    return ratio <= 2 if result.seconds["jit"] > _LONG else None


def _beside_pytorch(ratio: float, _: Workload, result: Result) -> bool | None:
    least = _OF_PYTORCH.get(result.workload)
    return None if least is None else ratio >= least


RATIOS = (
    Ratio("ms.jit / jax.jit", "jit", "hand_jit", _compiled("jit")),
    Ratio("functionalize / jax.jit", "pure", "hand_jit", _compiled("pure")),
    Ratio("scratch memory", "jit", "hand_jit", lambda r, *_: r <= 1.03, "memory"),
    Ratio("first step", "jit", "hand_jit", lambda r, *_: r <= 1.3, "first"),
    Ratio(
        "eager / JAX",
        "eager",
        "hand_eager",
        lambda r, w, _: r <= 0.5 if w.dispatch_bound else r < 1,
    ),
    Ratio("eager / ms.jit", "eager", "jit", _beside_compiled),
    Ratio("PyTorch / eager", "torch", "eager", _beside_pytorch),
    Ratio(
        "PYNATIVE / eager",
        "pynative",
        "eager",
        lambda r, w, _: r >= (15 if w.dispatch_bound else 5),
    ),
    Ratio("GRAPH / ms.jit", "graph", "jit", lambda r, *_: r >= 6),
)
TARGETS = (
    "Targets: `ms.jit` and `functionalize` at most 1.03 of the step by hand (or 20 us more where "
    "that takes less than 0.5 ms), `ms.jit` with the same scratch memory (within 3 %) and a first "
    "step at most 1.3 times as long; eager at most 0.5 of un-jitted JAX where starting operators "
    "takes most of the time (marked *), below 1 elsewhere; at most 2 of the compiled step where "
    "that takes over 4 ms; PyTorch at least 1 (transformer 0.95, images 0.8) times the eager step, "
    "MindSpore's PYNATIVE at least 5 (*: 15) times, its GRAPH at least 6 times `ms.jit`. A ratio "
    "in parentheses has no target; one with ! misses it."
)


def _milliseconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    value = 1e3 * seconds
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def _judged(ratio: Ratio, result: Result) -> str:
    value = ratio.value(result)
    if value is None:
        return ""
    text = f"{value:.2f}" if value < 10 else f"{value:.0f}"
    if ratio in RATIOS[:2] and result.seconds["hand_jit"] < _SHORT:
        text += f" (+{1e6 * (result.seconds[ratio.upper] - result.seconds['hand_jit']):.0f} us)"
    met = ratio.met(value, WORKLOADS[result.workload], result)
    return f"({text})" if met is None else text if met else f"{text} !"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give the lines of a Markdown table; the first row is its head."""
    used = [i for i in range(len(rows[0])) if i == 0 or any(row[i] for row in rows[1:])]
    widths = {i: max(len(row[i]) for row in rows) for i in used}
    for number, row in enumerate(rows):
        cells = (row[i].rjust(widths[i]) if i else row[i].ljust(widths[i]) for i in used)
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield "|" + "|".join("-" * (widths[i] + 1) + (":" if i else "-") for i in used) + "|"


def machine(mindspore: str | None, pytorch: str | None = None) -> str:
    """Say what was measured on.

    Args:
        mindspore: MindSpore's version, or None where it took no part.
        pytorch: PyTorch's, likewise.
    """
    import jax

    device = jax.devices()[0]
    kind = _processor() if device.platform == "cpu" else device.device_kind
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    versions = [f"{name} {version(name)}" for name in ("jax", "flax", "optax", "numpy")]
    if mindspore:
        versions.append(f"MindSpore {mindspore} (CPU)")
    if pytorch:
        versions.append(f"PyTorch {pytorch}")
    return f"{kind}, {cores} CPU cores; Python {platform.python_version()}, {', '.join(versions)}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def text(results: Sequence[Result], where: str, rounds: int) -> str:
    """Give the whole report in Markdown."""

    def label(result: Result) -> str:
        workload = WORKLOADS[result.workload]
        return workload.about + (" *" if workload.dispatch_bound else "")

    times = [["milliseconds a step", *(engine.title for engine in ENGINES.values())]]
    ratios = [["ratio", *(ratio.title for ratio in RATIOS)]]
    for result in results:
        times.append([label(result), *(_milliseconds(result.seconds.get(n)) for n in ENGINES)])
        ratios.append([label(result), *(_judged(ratio, result) for ratio in RATIOS)])
    measured = f"Measured on {where}; medians of {rounds} rounds in which all take turns."
    parts = [
        textwrap.fill(measured, WIDTH),
        "\n".join(table(times)),
        "\n".join(table(ratios)),
        textwrap.fill(TARGETS, WIDTH),
    ]
    return "\n\n".join(parts)


def write_readme(report: str) -> None:
    """Put the report between the two marks in the README."""
    write_part("benchmarks", f"{report}\n", README)
