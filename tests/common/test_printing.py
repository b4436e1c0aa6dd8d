"""``str`` and ``repr`` against texts recorded from MindSpore (golden/record_printing.py)."""

from __future__ import annotations

import base64
import json
import pathlib

import numpy as np
import pytest

from msgrad.common._printing import tensor_repr, tensor_str
from msgrad.common.dtype import from_numpy, to_numpy

CASES = json.loads((pathlib.Path(__file__).parent / "golden" / "printing.json").read_text())


def _array(case: dict) -> np.ndarray:
    stored = "float32" if case["dtype"] == "bfloat16" else case["dtype"]
    flat = np.frombuffer(base64.b64decode(case["bytes"]), stored)
    return flat.reshape(case["shape"]).astype(to_numpy(case["dtype"]))


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{i}-{c['dtype']}-{c['shape']}" for i, c in enumerate(CASES)]
)
def test_recorded_text(case):
    array = _array(case)
    assert tensor_str(array) == case["str"]
    assert tensor_repr(array, from_numpy(array.dtype)) == case["repr"]


def test_the_recording_covers_the_formats():
    assert len(CASES) >= 120
    assert {case["dtype"] for case in CASES} >= {"bool", "int8", "uint64", "bfloat16", "complex64"}
    assert any(" ..." in case["repr"] for case in CASES)


def test_print_options_of_numpy_count_for_str_only():
    array = np.array([1 / 3], np.float32)
    plain = tensor_repr(array, from_numpy(array.dtype))
    with np.printoptions(precision=2):
        assert tensor_str(array) == "[0.33]"
        assert tensor_repr(array, from_numpy(array.dtype)) == plain


def test_a_large_tensor_is_not_written_out():
    array = np.zeros((2000, 2000), np.float32)
    assert len(tensor_repr(array, from_numpy(array.dtype))) < 1000
