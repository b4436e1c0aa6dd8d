"""Arguments as older versions of MindSpore spell them give what 2.10's own give, with a warning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import msgrad as ms
from msgrad import nn, ops
from msgrad.common.initializer import initializer

drawn = np.random.default_rng(0)
rows = ms.Tensor(drawn.standard_normal((2, 3)), ms.float32)
image = ms.Tensor(drawn.standard_normal((1, 2, 4, 6)), ms.float32)
places = ms.Tensor(drawn.uniform(-1, 1, (1, 3, 3, 2)), ms.float32)
kernel = ms.Tensor(drawn.standard_normal((2, 1, 3, 3)), ms.float32)
pairs = ms.dataset.NumpySlicesDataset({"a": np.arange(4), "b": np.ones((4, 2))}, shuffle=False)


def first(rows: Any) -> ms.Tensor:
    """Return the first column of the first row."""
    return next(rows.create_tuple_iterator())[0]


PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "interpolate": (
        lambda: ops.interpolate(
            image, sizes=(8, 5), coordinate_transformation_mode="align_corners", mode="bilinear"
        ),
        lambda: ops.interpolate(image, (8, 5), mode="bilinear", align_corners=True),
    ),
    "interpolate-in-order": (
        lambda: ops.interpolate(image, None, None, (8, 5), "half_pixel", "bilinear"),
        lambda: ops.interpolate(image, (8, 5), mode="bilinear", align_corners=False),
    ),
    "interpolate-scales": (
        lambda: ops.interpolate(image, scales=(1.0, 1.0, 2.0, 0.5), mode="bilinear"),
        lambda: ops.interpolate(image, (8, 3), mode="bilinear", align_corners=True),
    ),
    "norm": (
        lambda: ops.norm(rows, axis=1, p=2, keep_dims=True),
        lambda: ops.LpNorm(1, 2, True)(rows),
    ),
    "norm-1": (lambda: ops.norm(rows, axis=-1, p=1), lambda: ops.LpNorm(-1, 1)(rows)),
    "norm-axes": (lambda: ops.norm(rows, axis=(0, 1)), lambda: ops.LpNorm((0, 1))(rows)),
    "pad": (lambda: ops.pad(rows, ((1, 0), (2, 1))), lambda: ops.Pad(((1, 0), (2, 1)))(rows)),
    "transpose": (lambda: ops.transpose(rows, input_perm=(1, 0)), lambda: rows.T),
    "grid_sample": (
        lambda: ops.grid_sample(image, places, interpolation_mode="nearest", align_corners=True),
        lambda: ops.grid_sample(image, places, "nearest", align_corners=True),
    ),
    "conv2d": (
        lambda: ops.conv2d(image, kernel, pad_mode="same", group=2),
        lambda: ops.conv2d(image, kernel, pad_mode="same", groups=2),
    ),
    "logsumexp": (
        lambda: ops.logsumexp(rows, axis=1, keep_dims=True),
        lambda: ops.logsumexp(rows, 1, True),
    ),
    "cumprod": (lambda: ops.cumprod(rows, axis=1), lambda: ops.cumprod(rows, 1)),
    "linspace": (
        lambda: ops.linspace(ms.Tensor(0.0), ms.Tensor(1.0), num=4),
        lambda: ops.linspace(ms.Tensor(0.0), ms.Tensor(1.0), 4),
    ),
    "ones": (lambda: ops.ones((2, 3), type=ms.float16), lambda: ops.ones((2, 3), ms.float16)),
    "max": (
        lambda: ops.max(rows, axis=1, keep_dims=True)[0],
        lambda: ops.max(rows, axis=1, keepdims=True)[0],
    ),
    "loss": (
        lambda: nn.SoftmaxCrossEntropyWithLogits(is_grad=False, sparse=True)(
            rows, ms.Tensor([0, 2], ms.int32)
        ),
        lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True)(rows, ms.Tensor([0, 2], ms.int32)),
    ),
    "lookup": (
        lambda: nn.EmbeddingLookup(5, 3, param_init="ones", vocab_cache_size=0)(
            ms.Tensor([0, 2], ms.int32)
        ),
        lambda: nn.EmbeddingLookup(5, 3, param_init="ones")(ms.Tensor([0, 2], ms.int32)),
    ),
    "to_tensor": (
        lambda: initializer("ones", (2, 3), ms.float32).to_tensor(),
        lambda: initializer("ones", (2, 3), ms.float32).init_data(),
    ),
    "batch_norm": (
        lambda: nn.BatchNorm2d(2, device_num_each_group=1)(image),
        lambda: nn.BatchNorm2d(2)(image),
    ),
    "column_order": (
        lambda: first(pairs.map(np.negative, "a", column_order=["b", "a"])),
        lambda: first(pairs.map(np.negative, "a").project(["b", "a"])),
    ),
}
REFUSED: dict[str, Callable[[], Any]] = {
    "word": lambda: ops.norm(rows, axis=1, q=2),
    "axes": lambda: ops.norm(rows, axis=(0, 1), p=1),
    "mode": lambda: ops.interpolate(
        image, sizes=(8, 5), coordinate_transformation_mode="asymmetric", mode="bilinear"
    ),
    "cache": lambda: nn.EmbeddingLookup(5, 3, vocab_cache_size=7),
    "gradient": lambda: nn.SoftmaxCrossEntropyWithLogits(is_grad=True),
}


@pytest.mark.parametrize("name", PAIRS)
def test_it_gives_what_the_newer_one_does(name: str) -> None:
    older, newer = PAIRS[name]
    with pytest.warns(DeprecationWarning, match="older MindSpore") as warned:
        given = older()
    assert {w.filename for w in warned} == {__file__}
    expected = newer()
    assert (given.shape, given.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(given.asnumpy(), expected.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_newer_one_is_refused(name: str) -> None:
    with pytest.raises(TypeError):
        REFUSED[name]()
