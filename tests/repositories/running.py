"""What the drivers have in common: weights from NumPy, a few training steps, their numbers.

A driver builds networks of one repository; everything here is written against MindSpore's API, and
runs under the real MindSpore where that is installed, and under msgrad otherwise.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

STEPS = 3


def arguments(doc: str | None) -> argparse.Namespace:
    """Parse the command line of a driver, and make `mindspore` and the checkout importable."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--mode", choices=("pynative", "graph"), default="pynative")
    parser.add_argument("--only", nargs="*")
    args = parser.parse_args()
    sys.path.insert(0, str(args.checkout))
    if not importlib.util.find_spec("mindspore"):
        import msgrad

        msgrad.install()
    return args


def run_each(
    args: argparse.Namespace, names: Iterable[str], numbers: Callable[[str], dict[str, Any]]
) -> None:
    """Write to `args.out` what `numbers` returns for each name: those named, or not there yet."""
    found: dict[str, Any] = json.loads(args.out.read_text()) if args.out.exists() else {}
    for name in names:
        if name not in args.only if args.only else name in found:
            continue
        start = time.perf_counter()
        try:
            result = numbers(name)
        except Exception as error:
            result = {"raises": f"{type(error).__name__}: {error}"[:400]}
        found[name] = {**result, "all_s": round(time.perf_counter() - start, 1)}
        args.out.write_text(json.dumps(found))
        shown = {key: value for key, value in found[name].items() if key not in ("norms", "values")}
        print(name, shown, flush=True)


def fill(net: Any) -> None:
    """Set all weights from NumPy by their names: small ones, and norms near the identity.

    What is not trained stays as built (anchors, indices), but for the statistics of norms.
    """
    from mindspore import Tensor

    for name, weight in net.parameters_and_names():
        if not weight.requires_grad and "moving_" not in name:
            continue
        generator = np.random.default_rng(zlib.crc32(name.encode()))
        drawn = generator.standard_normal(weight.shape)
        if name.endswith(("moving_variance", "gamma")) or weight.ndim == 0:
            value = 1 + 0.05 * np.abs(drawn)
        elif weight.ndim == 1:
            value = 0.02 * drawn
        else:
            value = drawn / np.sqrt(np.prod(weight.shape[1:]))
        weight.set_data(Tensor(value.astype(np.float32), weight.dtype))


def train_surely(net: Any) -> Any:
    """Return the network in training, but nothing in it drawn, and no statistics of a batch.

    Each library draws its own dropout. Two small images have feature maps of one pixel; normalized
    by their own statistics a network multiplies a rounding error by 1e5: nothing can be compared.
    """
    net.set_train(True)
    for _, cell in net.cells_and_names():
        kind = type(cell).__name__
        if "BatchNorm" in kind or "rop" in kind:
            cell.set_train(False)
            for name in ("keep_prob", "p", "drop_prob"):
                if "rop" in kind and hasattr(cell, name):
                    setattr(cell, name, 1.0 if name == "keep_prob" else 0.0)
    return net


def flat(value: Any) -> Iterator[Any]:
    """Iterate over the tensors of a nested result."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from flat(one)
    elif hasattr(value, "asnumpy"):
        yield value


def described(outputs: Any) -> dict[str, Any]:
    """Return shapes, spread and 64 values (evenly taken) of the outputs of a network."""
    arrays = [one.asnumpy() for one in flat(outputs)]
    every = np.concatenate([one.astype(np.float64).ravel() for one in arrays])
    picked = every[np.linspace(0, every.size - 1, 64).astype(int)]
    return {
        "shapes": [list(one.shape) for one in arrays],
        "sum": float(every.sum()),
        "spread": float(every.std()),
        "values": picked.tolist(),
    }


def trained(
    net: Any, loss_of: Callable[..., Any], inputs: Sequence[Any], mode: str, rate: float = 1e-3
) -> dict[str, Any]:
    """Return the losses of a few steps of SGD and, of the first one, the norm of each gradient."""
    import mindspore as ms
    from mindspore import nn

    optimizer = nn.SGD(net.trainable_params(), rate)
    gradient = ms.value_and_grad(loss_of, None, optimizer.parameters)

    def step(*inputs: Any) -> Any:
        loss, gradients = gradient(*inputs)
        optimizer(gradients)
        return loss, gradients

    run = ms.jit(step) if mode == "graph" else step
    losses: list[float] = []
    seconds: list[float] = []
    norms: dict[str, float] = {}
    for _ in range(STEPS):
        start = time.perf_counter()
        loss, gradients = run(*inputs)
        losses.append(float(loss.asnumpy()))
        seconds.append(round(time.perf_counter() - start, 3))
        if not norms:
            norms = {
                weight.name: float(np.linalg.norm(one.asnumpy().astype(np.float64)))
                for weight, one in zip(optimizer.parameters, gradients, strict=True)
            }
    return {"losses": losses, "norms": norms, "s": seconds}


def stand_in(*modules: str, although_there: bool = False) -> None:
    """Have imports of packages that are absent, and that only data pipelines use, give anything.

    Args:
        modules: Their names.
        although_there: Whether those are replaced, too, that can be imported.
    """
    from unittest.mock import MagicMock

    for name in modules:
        try:
            if although_there:
                raise ImportError
            importlib.import_module(name)
        except ImportError:
            sys.modules[name] = MagicMock(__spec__=None)
