"""What the families of operators share: inputs by name, and what one row of a table gives.

A row is a function whose parameters name its inputs, ``lambda line, index: ops.take(line, index)``.
Few shapes and dtypes serve all rows, since each new one is compiled anew.
"""

import inspect

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor

from tests.parity.cases.numpy_elementwise import attempt

_NOISE = np.random.RandomState(0)
FLOATS = {
    "pos": [0.3, 1.2, 2.5, 0.7],
    "pos2": [1.5, 0.4, 2.0, 0.9],
    "big": [1.5, 2.2, 3.5, 4.7],
    "small": [0.1, 0.4, 0.8, 0.6],
    "line": [-0.5, 1.5, 2.0, 0.25],
    "line8": [0.5, -1.0, 2.0, 0.25, 1.0, 3.0, -2.0, 0.75],
    "four": [1.0, 1.0, 1.0, 1.0],
    "wide": [[1.0, 2.0, 0.5], [3.0, -1.0, 2.5]],
    "wide2": [[0.5, 1.0, -2.0], [1.0, 2.0, 4.0]],
    "even": [[1.0, 2.0], [0.5, -1.0]],
    "square": [[1.0, 2.0, 0.5], [3.0, -1.0, 2.5], [0.0, 4.0, 1.5]],
    "spd": [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]],
    "row3": [[1.0, 2.0, 3.0]],
    "two": [0.5, 1.5],
    "three": [1.0, 2.0, 3.0],
    "one": 2.0,
    "col": [[1.0], [2.0]],
    "tall": np.arange(14).reshape(7, 2),
    "batch": _NOISE.randn(2, 3, 3),
    "batch2": _NOISE.randn(2, 3, 3),
    "image4": _NOISE.randn(4, 1, 2, 2),
    "image1": _NOISE.randn(1, 1, 4, 4),
    "image4c": _NOISE.randn(1, 4, 2, 2),
    "volume": _NOISE.randn(1, 1, 3, 3, 3),
}
OTHERS = {
    "cplx": ([1 + 2j, 1j, -1j, 3], "complex64"),
    "cwide": ([[1 + 1j, 2, 0.5j], [3, -1j, 2.5]], "complex64"),
    "cspd": (FLOATS["spd"], "complex64"),
    "ints": ([7, 2, 6], "int32"),
    "ints2": ([3, 2, 4], "int32"),
    "short": ([7, 2, -6], "int16"),
    "index": ([2, 0], "int32"),
    "rows": ([[2], [0]], "int32"),
    "elements": ([[0, 2, 1], [1, 0, 2]], "int32"),
    "seg": ([2, 0, 2], "int32"),
    "sorted_seg": ([0, 0, 2], "int32"),
    "reps": ([1, 1, 2, 2, 3, 1], "int32"),
    "mask": ([[True, False, True], [False, True, True], [True, True, False]], "bool_"),
}


def named(name):
    values, dtype = OTHERS.get(name) or (FLOATS[name], "float32")
    return Tensor(np.array(values), getattr(ms, dtype))


def held(tensor):
    """A Parameter of the same values."""
    return Parameter(Tensor(tensor.asnumpy()), name="p") if isinstance(tensor, Tensor) else tensor


def outcome(call, gradient=True, wrong=True):
    """What a row gives, its gradients, and what it says to a text as its first input."""
    names = [
        p.name for p in inspect.signature(call).parameters.values() if p.default is inspect._empty
    ]
    inputs = [named(name) for name in names]
    places = tuple(i for i, x in enumerate(inputs) if x.dtype in (ms.float32, ms.complex64))
    found = {"value": attempt(call, *inputs)}
    if gradient and places:
        fresh = [named(name) for name in names]
        found["gradient"] = attempt(ms.grad(call, places), *fresh)
    if wrong and inputs:
        found["wrong"] = attempt(call, "a", *inputs[1:])
    return found
