"""Layers that MindSpore runs on Ascend alone, or has dropped: against their formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn

RAW = np.sin(np.arange(18) * 1.3).reshape(2, 3, 3).astype(np.float32)
SPD = np.array([[4.0, 1.0], [1.0, 3.0]], np.float32)
SIGNS = np.sign(RAW)


def windows(raw: np.ndarray) -> np.ndarray:
    """Return the windows of two by two, the place before the channel."""
    parts = [raw[:, :, i : i + 2, j : j + 2] for i in range(2) for j in range(2)]
    return np.concatenate(parts, 1)


def triplet(x: np.ndarray, near: np.ndarray, far: np.ndarray) -> np.ndarray:
    first, second = (np.sqrt(((x - y) ** 2).sum(-1)) for y in (near, far))
    return np.maximum(first - second + 1, 0).mean()


LAYERS: dict[str, tuple[Any, tuple[np.ndarray, ...], Any]] = {
    "Unfold": (
        lambda: nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1]),
        (RAW[None],),
        windows(RAW[None]),
    ),
    "MatrixDiag": (nn.MatrixDiag, (RAW[0, 0],), np.diag(RAW[0, 0])),
    "MatrixDiagPart": (nn.MatrixDiagPart, (RAW,), np.einsum("nii->ni", RAW)),
    "MatrixSetDiag": (
        nn.MatrixSetDiag,
        (RAW, RAW[:, 0]),
        RAW * (1 - np.eye(3)) + RAW[:, 0, :, None] * np.eye(3),
    ),
    "MatDet": (nn.MatDet, (SPD,), 11.0),
    "MatInverse": (nn.MatInverse, (SPD,), np.linalg.inv(SPD)),
    "Roll": (lambda: nn.Roll([1, 2], [0, -1]), (RAW,), np.roll(RAW, (1, 2), (0, 2))),
    "SoftMarginLoss": (
        nn.SoftMarginLoss,
        (RAW, SIGNS),
        np.log1p(np.exp(-SIGNS * RAW)).mean(),
    ),
    "TripletMarginLoss": (
        nn.TripletMarginLoss,
        (RAW, RAW * 1.5, RAW[::-1].copy()),
        triplet(RAW, RAW * 1.5, RAW[::-1]),
    ),
}


@pytest.mark.parametrize("name", LAYERS)
def test_it_is_what_its_formula_says(name: str) -> None:
    make, inputs, wanted = LAYERS[name]
    found = make()(*map(Tensor, inputs))
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", LAYERS)
def test_its_gradient_is_the_slope(name: str) -> None:
    make, inputs, _ = LAYERS[name]
    layer, given = make(), [Tensor(value) for value in inputs]
    gradient = ms.grad(lambda *x: (layer(*x) ** 2).sum())(*given).asnumpy()
    for place in ((0,) * gradient.ndim, (-1,) * gradient.ndim):
        values = []
        for step in (1e-2, -1e-2):
            moved = inputs[0].copy()
            moved[place] += step
            values.append(float((layer(Tensor(moved), *given[1:]) ** 2).sum()))
        np.testing.assert_allclose(gradient[place], (values[0] - values[1]) / 2e-2, rtol=0.05)


def wrong(call: Callable[[], Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        call()


def test_wrong_settings() -> None:
    wrong(lambda: nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "a"), ValueError, "padding")
    wrong(lambda: nn.SoftMarginLoss("a"), ValueError, "reduction")
    wrong(lambda: nn.TripletMarginLoss(reduction="a"), ValueError, "reduction")


def test_resize_bilinear_of_mindspore_1() -> None:
    with pytest.warns(DeprecationWarning, match="ops.interpolate"):
        layer = nn.ResizeBilinear()
    image = Tensor(np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2))
    found = layer(image, size=(2, 3), align_corners=True)
    np.testing.assert_allclose(found.asnumpy()[0, 0], [[0, 0.5, 1], [2, 2.5, 3]])
    assert layer(image, scale_factor=2).shape == (1, 1, 4, 4)
    wrong(lambda: layer(image), ValueError, "either 'size' or 'scale_factor'")


@pytest.mark.parametrize("name", ["DenseThor", "AdaSumByGradWrapCell"])
def test_what_is_left_out_says_what_to_do(name: str) -> None:
    wrong(lambda: getattr(nn, name)(1), NotImplementedError, f"leaves out nn.{name}")
