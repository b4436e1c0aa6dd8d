"""The table of workloads, with their data; NumPy only, so that MindSpore's process has it too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

Batch = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Workload:
    """One training step, or another call of a network, to be timed.

    Attributes:
        about: What it is, for the table.
        code: The module of ``programs`` and of ``by_hand`` that has it.
        batch: Makes the two inputs of a step from a generator.
        optimizer: ``momentum`` or ``adam``.
        rate: The learning rate.
        dispatch_bound: Whether starting operators takes most of the time when nothing is compiled.
        options: Arguments of the program's ``make``.
        call: ``step``; ``forward`` for the loss alone, of a Cell; ``vmap`` for the gradient of the
            input, ``vmap(grad(...))``.
    """

    about: str
    code: str
    batch: Callable[[np.random.Generator], Batch]
    optimizer: str
    rate: float
    dispatch_bound: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    call: str = "step"

    def data(self) -> Batch:
        """Give the batch, the same for every library."""
        return self.batch(np.random.default_rng(0))


def _numbers(x: tuple[int, ...], y: tuple[int, ...]) -> Callable[[np.random.Generator], Batch]:
    return lambda rng: (
        rng.normal(size=x).astype(np.float32),
        rng.normal(size=y).astype(np.float32),
    )


def _images(count: int) -> Callable[[np.random.Generator], Batch]:
    return lambda rng: (
        rng.normal(size=(count, 3, 32, 32)).astype(np.float32),
        rng.integers(0, 10, count).astype(np.int32),
    )


def _text(words: int, count: int, tokens: int) -> Callable[[np.random.Generator], Batch]:
    def batch(rng: np.random.Generator) -> Batch:
        text = rng.integers(0, words, (count, tokens + 1)).astype(np.int32)
        return text[:, :-1].copy(), text[:, 1:].copy()

    return batch


WORKLOADS = {
    "mlp": Workload(
        "MLP 8-16-16-4, batch 4",
        "mlp",
        _numbers((4, 8), (4, 4)),
        "adam",
        1e-3,
        True,
        {"sizes": (8, 16, 16, 4)},
    ),
    "deep": Workload(
        "MLP, 16 layers of 64, batch 32",
        "mlp",
        _numbers((32, 64), (32, 64)),
        "momentum",
        0.01,
        True,
        {"sizes": (64,) * 17},
    ),
    "wide": Workload(
        "MLP 784-512x3-10, batch 128",
        "mlp",
        _numbers((128, 784), (128, 10)),
        "momentum",
        0.01,
        options={"sizes": (784, 512, 512, 512, 10)},
    ),
    "conv": Workload("two convolutions, 32x32x3, batch 32", "conv", _images(32), "momentum", 0.01),
    "transformer": Workload(
        "transformer, 3 layers of 128, 64 tokens, batch 8",
        "transformer",
        _text(256, 8, 64),
        "adam",
        1e-3,
        options={"words": 256, "width": 128, "heads": 4, "tokens": 64, "depth": 3},
    ),
    "resnet": Workload(
        "ResNet-18, 32x32x3, batch 16",
        "resnet",
        _images(16),
        "momentum",
        # Tiny: normalised over so few pixels, one ReLU that rounding turns moves all gradients by
        # 0.2 %, which must not show in the losses.
        1e-7,
        options={"widths": (64, 64, 128, 128, 256, 256, 512, 512)},
    ),
    "separable": Workload(
        "depthwise and grouped convolutions, 32x32x3, batch 16",
        "separable",
        _images(16),
        "momentum",
        0.01,
        options={"widths": (32, 64, 128, 128, 256)},
    ),
    "pinn": Workload(
        "PINN 1-32-32-1, second order, 64 points",
        "pinn",
        _numbers((64, 1), (64, 1)),
        "adam",
        1e-3,
        True,
        {"width": 32},
    ),
    "many": Workload(
        "250 layers of 8 (500 parameters), batch 8",
        "many",
        _numbers((8, 8), (8, 8)),
        "adam",
        1e-3,
        True,
        {"depth": 250, "width": 8},
    ),
    "vmap": Workload(
        "MLP 8-16-16-4, vmap(grad), 64 examples",
        "mlp",
        _numbers((64, 8), (64, 4)),
        "adam",
        1e-3,
        True,
        {"sizes": (8, 16, 16, 4)},
        "vmap",
    ),
}
WORKLOADS["forward"] = replace(
    WORKLOADS["transformer"], about="the same transformer, without a gradient", call="forward"
)

# Those whose first step is timed.
FIRST = {
    "lenet": Workload("LeNet, 32x32x3, batch 32", "lenet", _images(32), "momentum", 0.01),
    "resnet": WORKLOADS["resnet"],
    "transformer12": replace(
        WORKLOADS["transformer"],
        about="transformer, 12 layers of 128, 64 tokens, batch 8",
        options={**WORKLOADS["transformer"].options, "depth": 12},
    ),
    "lstm": Workload(
        "LSTM of 128, 32 tokens, batch 16",
        "lstm",
        _text(256, 16, 32),
        "adam",
        1e-3,
        options={"words": 256, "width": 128},
    ),
}
