"""``msgrad.numpy``: compiled, vectorised and under GRAPH_MODE as eagerly; import paths; loading."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import msgrad as ms
import msgrad.numpy as mnp
from msgrad import Tensor

X = Tensor(np.array([[1.0, 2.0, 0.5], [3.0, -1.0, 2.5], [0.75, 4.0, 1.5]], np.float32))
# Name -> a call that a compiled program can do as a whole.
CALLS = {
    "where": lambda x: mnp.where(x > 0, x * x, 2.0),
    "concatenate": lambda x: mnp.concatenate((x, mnp.ones(3)[None])),
    "flip": lambda x: mnp.flip(x, 1) * x,
    "roll": lambda x: mnp.roll(x, 1, 0),
    "split": lambda x: mnp.split(x, 3)[1],
    "pad": lambda x: mnp.pad(x, 1, "reflect"),
    "clip": lambda x: mnp.clip(x, 0, 2),
    "arange": lambda x: mnp.arange(3, dtype=ms.float32) * x,
    "linspace": lambda x: mnp.linspace(x[0], x[1], 3),
    "meshgrid": lambda x: mnp.meshgrid(x[0], x[1])[1],
    "tril": lambda x: mnp.tril(x) + mnp.eye(3),
    "norm": lambda x: mnp.norm(x, axis=1),
    "std": lambda x: mnp.std(x, 0),
    "nanmax": lambda x: mnp.nanmax(x, 1),
    "cumsum": lambda x: mnp.cumsum(x, 0),
    "dot": lambda x: mnp.dot(x, x),
    "cov": lambda x: mnp.cov(x),
    "interp": lambda x: mnp.interp(x, [0, 1, 2], [3.0, 1.0, 4.0]),
    "histogram": lambda x: mnp.histogram(x, 3, (0.0, 3.0))[0],
    "digitize": lambda x: mnp.digitize(x, [0, 1, 2]),
    "gcd": lambda x: mnp.gcd(x.astype(ms.int32), 2),
    "divide": lambda x: mnp.divide(x, [1, 2, 4]),
    "polyval": lambda x: mnp.polyval([1, 2, 3], x),
    "select": lambda x: mnp.select([[True, False, True]], [[1.0, 2.0, 3.0]]) * x,
}


@pytest.mark.parametrize("name", CALLS)
def test_compiled_as_eager(name):
    want = CALLS[name](X)
    # Times 1, since a result that shares elements with an intermediate one is not compiled.
    got = ms.jit(lambda x: CALLS[name](x) * 1)(X)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize("name", ["where", "flip", "pad", "norm", "cumsum", "clip", "polyval"])
def test_vectorised_as_looped(name):
    many = mnp.stack([X, X * 2])
    got = ms.vmap(CALLS[name])(many)
    for i in range(2):
        np.testing.assert_allclose(got[i].asnumpy(), CALLS[name](many[i]).asnumpy(), rtol=1e-6)


def test_every_name_has_a_summary_and_pickles():
    for name in mnp.__all__:
        value = getattr(mnp, name)
        if callable(value) and not isinstance(value, type(ms.float32)):
            assert value.__doc__, name
            assert pickle.loads(pickle.dumps(value)) is value


def test_loads_when_first_asked_for():
    text = (
        "import sys, msgrad; assert 'msgrad.numpy' not in sys.modules; msgrad.install()\n"
        "import mindspore as ms; ones = ms.numpy.ones\n"
        "import mindspore.numpy as mnp; from mindspore import numpy; import msgrad.numpy\n"
        "from mindspore.numpy import array, pi; from mindspore.numpy.math_ops import power\n"
        "from mindspore.numpy.utils import _to_tensor\n"
        "assert mnp is numpy is msgrad.numpy is ms.numpy and mnp.ones is ones"
    )
    subprocess.run([sys.executable, "-c", text], check=True)
