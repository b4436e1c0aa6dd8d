"""Says where two encoded outcomes differ; the only place that knows the tolerances."""

from __future__ import annotations

import math
from typing import Any

from tests.parity.codec import builtin_type

# Relative; the absolute one is a tenth. Eight units in the last place of float32, which two
# correct implementations of exp or a short sum may differ by, one or two of the shorter formats.
TOLERANCE = {
    "float16": 2e-3,
    "bfloat16": 1.6e-2,
    "float32": 1e-6,
    "float64": 1e-12,
    "complex64": 1e-6,
    "complex128": 1e-12,
}
# A Python float of a case mostly comes out of a float32 tensor.
PYTHON_FLOAT = TOLERANCE["float32"]


def _close(want: Any, got: Any, tolerance: float) -> bool:
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(_close, want, got, [tolerance] * len(want)))
    if want == got:
        return True
    numbers = (int, float)
    if not isinstance(want, numbers) or not isinstance(got, numbers):
        return False
    return math.isclose(want, got, rel_tol=tolerance, abs_tol=tolerance / 10)


def _array(want: dict, got: dict, kind: str, tol: float | None, where: str) -> list[str]:
    found = [
        f"{where}: {key} {want[key]!r} in MindSpore, {got[key]!r} here"
        for key in (kind, "shape", "name", "requires_grad")
        if key in want and want[key] != got[key]
    ]
    if found:
        return found
    name = want[kind].lower()
    tolerance = 0.0 if name not in TOLERANCE else TOLERANCE[name] if tol is None else tol
    values = [(entry["value"] if kind == "scalar" else entry["values"]) for entry in (want, got)]
    if _close(*values, tolerance):
        return []
    return [f"{where}: values {values[0]!r} in MindSpore, {values[1]!r} here"]


def _values(want: Any, got: Any, tol: float | None, where: str) -> list[str]:
    same = type(want) is type(got)
    if isinstance(want, dict) and same and want.keys() == got.keys():
        kind = next(iter(want))
        if kind in ("tensor", "parameter", "array", "scalar"):
            return _array(want, got, kind, tol, where)
        if kind in ("tuple", "list", "dict", "set") and want.get("class") == got.get("class"):
            return _values(want[kind], got[kind], tol, where)
        if kind == "exception":
            return _raised(want[kind], got[kind], False, where)
        tolerance = PYTHON_FLOAT if tol is None else tol
        equal = _close(want[kind], got[kind], tolerance) if kind == "complex" else want == got
    elif isinstance(want, list) and same and len(want) == len(got):
        return [
            text
            for i, (a, b) in enumerate(zip(want, got, strict=True))
            for text in _values(a, b, tol, f"{where}[{i}]")
        ]
    elif isinstance(want, float) and same:
        equal = _close(want, got, PYTHON_FLOAT if tol is None else tol)
    else:
        equal = same and want == got
    return [] if equal else [f"{where}: {want!r} in MindSpore, {got!r} here"]


def _raised(want: dict, got: dict, message: bool, where: str) -> list[str]:
    kind = want["raises"][0]
    ours = builtin_type(got["raises"][0])
    if not (kind in got["raises"] or issubclass(ours, builtin_type(kind))):
        return [f"{where}: raises {kind}: {want['text']} in MindSpore, {got!r} here"]
    # Ours says more: what came, and the way out.
    if message and not got["text"].startswith(want["text"].rstrip(".")):
        return [f"{where}: text {want['text']!r} in MindSpore, {got['text']!r} here"]
    return []


def differences(want: dict, got: dict, tol: float | None = None, message: bool = False) -> list:
    """Compare two outcomes of one case.

    Args:
        want: what was recorded from MindSpore.
        got: what was observed now.
        tol: the case's own relative tolerance of floating point values.
        message: whether the text of an exception counts.

    Returns:
        One line for each difference; empty when the outcomes agree.
    """
    if "crashed" in want or "crashed" in got:
        return [f"{want!r} in MindSpore, {got!r} here"]
    if "raises" in want and "raises" in got:
        found = _raised(want, got, message, "outcome")
    elif "returns" in want and "returns" in got:
        found = _values(want["returns"], got["returns"], tol, "result")
    else:
        found = [f"outcome: {want!r} in MindSpore, {got!r} here"]
    if want.get("prints") != got.get("prints"):
        found.append(f"printed {want.get('prints')!r} in MindSpore, {got.get('prints')!r} here")
    return found
