"""Record what MindSpore prints for tensors into printing.json; run it with a Python that has it.

Usage: python record_printing.py [number of random cases] [output file]
Each case holds the raw bytes of the array (bfloat16 as float32, which is exact), its shape and
dtype, and str and repr.
"""

from __future__ import annotations

import base64
import json
import pathlib
import sys

import mindspore as ms
import numpy as np

FLOATS = ("float16", "float32", "float64", "bfloat16")
INTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
COMPLEX = ("complex64", "complex128")
SHAPES = (
    *((), (1,), (2,), (5,), (7,), (12,), (13,), (24,), (25,), (30,), (49,)),
    *(
        (1, 1),
        (2, 3),
        (6, 6),
        (7, 2),
        (2, 7),
        (8, 8),
        (1, 30),
        (2, 3, 4),
        (2, 7, 1),
        (7, 1, 2),
        (1, 2, 1, 7),
    ),
    *((0,), (0, 3), (2, 0), (2, 0, 3)),
)


def values(rng: np.random.RandomState, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Random values of widely different magnitudes, some of them special."""
    if dtype == "bool":
        return np.asarray(rng.rand(*shape) > 0.5)
    if dtype in INTS:
        info = np.iinfo(dtype)
        span = float(2 ** rng.randint(1, info.bits))
        raw = np.floor(np.asarray(rng.randn(*shape)) * span / 4)
        return np.clip(raw, max(info.min, -(2.0**62)), min(info.max, 2.0**62)).astype(dtype)
    scale = 10.0 ** rng.choice([-30, -6, -2, 0, 0, 0, 2, 4, 8, 30])
    if dtype == "float16":
        scale = 10.0 ** rng.choice([-6, -2, 0, 0, 3, 4])
    raw = np.asarray(rng.randn(*shape)) * scale
    if rng.rand() < 0.3:
        raw = raw * 10.0 ** rng.randint(-4, 5, size=shape)
    if rng.rand() < 0.3:
        raw = np.round(raw)
    if rng.rand() < 0.25:
        pick = rng.rand(*shape) < 0.3
        raw = np.where(pick, rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], size=shape), raw)
    if dtype in COMPLEX:
        raw = raw + 1j * np.asarray(rng.randn(*shape)) * rng.choice([1.0, 1e-8, 1e10, 0.0])
        return np.asarray(raw).astype(dtype)
    with np.errstate(over="ignore"):
        return np.asarray(raw).astype("float32" if dtype == "bfloat16" else dtype)


def fixed() -> list[tuple[np.ndarray, str]]:
    """Cases chosen by hand: limits, summaries, the middle that a summary hides."""
    hidden = np.zeros((8, 8), "int64")
    hidden[4, 4] = -123456789
    long_hidden = np.ones(1001, "int32")
    long_hidden[500] = 10**9
    return [
        (np.array(True), "bool"),
        (np.array([[True]]), "bool"),
        (np.array(2**63 - 1), "int64"),
        (np.array([2**63 - 1, -(2**63)]), "int64"),
        (np.array([2**64 - 1, 1], "uint64"), "uint64"),
        (np.array(1 / 3), "float64"),
        (np.array(1e-5, "float32"), "float32"),
        (np.array(1234567.0, "float32"), "float32"),
        (np.array(123456.5, "float32"), "float32"),
        (np.array(-np.inf, "float32"), "float32"),
        (np.array(np.nan, "float32"), "float32"),
        (np.array(0.1, "float16"), "float16"),
        (np.array(0.1, "float32"), "bfloat16"),
        (np.array(-1.5 + 0.25j), "complex128"),
        (np.array([1e300, 1.0, -1e-200, 1e-300]), "float64"),
        (np.array([[1e300, 1.0], [-1e-200, 1e-300]]), "float64"),
        (np.array([np.nan, -np.nan, 0.0, -0.0], "float32"), "float32"),
        (np.array([np.nan, -np.nan, 0.0, -0.0], "float16"), "float16"),
        (np.array([np.nan, -np.nan, 0.0, -0.0, np.inf], "float32"), "bfloat16"),
        (np.array([complex(-np.nan, 1), complex(-0.0, -0.0), complex(1, np.inf)]), "complex128"),
        (hidden, "int64"),
        (long_hidden, "int32"),
        (np.arange(1001.0, dtype="float32"), "float32"),
        (np.arange(1001.0, dtype="float32"), "bfloat16"),
        (np.arange(1001) % 3 == 0, "bool"),
        (np.arange(1001).astype("complex64"), "complex64"),
        (np.arange(14 * 72).reshape(14, 72), "int64"),
        (np.linspace(0, 1, 343).reshape(7, 7, 7).astype("float32"), "float32"),
    ]


def record(array: np.ndarray, dtype: str) -> dict:
    tensor = ms.Tensor(array, getattr(ms, dtype if dtype != "bool" else "bool_"))
    stored = tensor.astype(ms.float32).asnumpy() if dtype == "bfloat16" else tensor.asnumpy()
    return {
        "dtype": dtype,
        "shape": list(array.shape),
        "bytes": base64.b64encode(np.ascontiguousarray(stored).tobytes()).decode(),
        "str": str(tensor),
        "repr": repr(tensor),
    }


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 96
    default = pathlib.Path(__file__).parent / "printing.json"
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else default
    rng = np.random.RandomState(20)
    dtypes = (*FLOATS, *FLOATS, *INTS, *COMPLEX, "bool")
    cases = fixed()
    for index in range(count):
        dtype = dtypes[index % len(dtypes)]
        cases.append((values(rng, SHAPES[rng.randint(len(SHAPES))], dtype), dtype))
    target.write_text(json.dumps([record(*case) for case in cases], indent=0) + "\n")


if __name__ == "__main__":
    main()
