"""Products of float32 are products of float32 on a GPU too, where JAX's own are not."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

import msgrad as ms
import msgrad.numpy as mnp
from msgrad import mint, ops
from msgrad._core import op

_SIZES = iter(range(37, 97))
_EXACT, _FAST, _TF32 = "HIGHEST", "None", "HIGH"


@pytest.fixture
def on_gpu(monkeypatch):
    """What is traced is traced as for a GPU; it runs here."""
    monkeypatch.setattr(op, "platform", lambda: "gpu")


def precisions(function, *shapes):
    """Return those of the products in a function and in its gradient; none is shown as nothing."""

    def called(*arrays):
        return function(*map(ms.Tensor, arrays))._read().sum()

    arrays = [jnp.ones(shape) for shape in shapes]
    text = str(jax.make_jaxpr(jax.value_and_grad(called, 1))(*arrays))
    found = [
        line.split("=")[1] for line in text.splitlines() if line.strip().startswith("precision=")
    ]
    return {one.strip("() ").split(",")[0].removeprefix("Precision.").strip() for one in found}


def product(function):
    size = next(_SIZES)
    return precisions(function, (3, size), (size, size))


def convolution():
    size = next(_SIZES)
    return precisions(ops.conv2d, (2, 64, size, size), (64, 64, 3, 3))


FUNCTIONS = {"matmul": ops.matmul, "dense": ops.dense, "mm": ops.mm, "mint": mint.matmul}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_products_are_exact_on_a_gpu(name, on_gpu):
    assert product(FUNCTIONS[name]) == {_EXACT}


def test_a_convolution_of_numpy_is_a_product(on_gpu):
    size = next(_SIZES)
    assert precisions(lambda x, y: mnp.convolve(x, y, mode="valid"), (size,), (3,)) == {_EXACT}


def test_elsewhere_they_are_what_jax_makes_them(monkeypatch):
    monkeypatch.setattr(op, "platform", lambda: "cpu")
    assert product(ops.matmul) == set()
    assert convolution() == {_FAST}


def test_convolutions_take_what_jax_takes(on_gpu):
    assert convolution() == {_FAST}


def test_what_jax_is_told_holds(on_gpu):
    with jax.default_matmul_precision("tensorfloat32"):
        assert product(ops.matmul) == convolution() == {_TF32}


def test_settings_of_mindspore(on_gpu, monkeypatch):
    settings = ms.device_context.gpu.op_precision
    for name in ("matmul_allow_tf32", "conv_allow_tf32"):
        with pytest.raises(TypeError, match=name):
            getattr(settings, name)(1)
    monkeypatch.setattr(jax, "devices", lambda kind=None: ["one"])
    try:
        settings.matmul_allow_tf32(True)
        assert product(ops.matmul) == convolution() == {_TF32}
        settings.conv_allow_tf32(False)
        assert product(ops.matmul) == convolution() == {_EXACT}
    finally:
        settings.matmul_allow_tf32(False)
        settings.conv_allow_tf32(True)
    assert product(ops.matmul) == {_EXACT}
    assert convolution() == {_FAST}
