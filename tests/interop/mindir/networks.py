"""Small networks that between them have most of what graphs hold, for either library.

Run by MindSpore as ``python -m tests.interop.mindir.networks FOLDER`` it writes each as a
``.mindir`` file with what the network gives; with ``--read`` it loads the files that msgrad has
written there, and ends with an error where one gives something else.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import mindspore as ms  # pyright: ignore[reportMissingImports]
import numpy as np
from mindspore import Tensor, nn, ops  # pyright: ignore[reportMissingImports]


class Images(nn.Cell):
    """Convolutions, norms and pools; two axes of a size of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(2, 4, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm = nn.BatchNorm2d(4)
        self.depth = nn.Conv2d(4, 4, 3, stride=2, group=4)
        self.group = nn.GroupNorm(2, 4)
        self.act = nn.PReLU(4)
        self.pool = nn.MaxPool2d(2, 2)
        self.mean = nn.AvgPool2d(3, 1, pad_mode="same")
        self.up = nn.Conv2dTranspose(4, 3, 3, stride=2, has_bias=True)
        self.head = nn.Dense(4, 3)
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x: Any) -> Any:
        y = ops.relu(self.norm(self.conv(x)))
        z = self.act(self.group(self.depth(y)))
        w = self.mean(self.pool(y)) + z
        return self.drop(self.head(w.mean((2, 3)))), self.up(w), y.max(), w.argmax(1)


class Words(nn.Cell):
    """An embedding, attention, a recurrent layer, and scores."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(10, 4)
        self.norm = nn.LayerNorm((4,))
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        self.lstm = nn.LSTM(4, 3, batch_first=True)
        self.head = nn.Dense(3, 5, activation="gelu")

    def construct(self, words: Any, scale: Any) -> Any:
        x = self.norm(self.table(words)) * scale
        x = x + self.attention(x, x, x)[0]
        y = self.head(self.lstm(x)[0])
        return ops.log_softmax(y, -1), ops.softmax(y[:, -1]), ops.topk(y[:, 0], 2)


class Shapes(nn.Cell):
    """Operators on places and shapes, integers, booleans and other dtypes."""

    def construct(self, x: Any, at: Any) -> Any:
        a, b = ops.split(x, 2, axis=1)
        picked = ops.gather(x, at[0], 1), ops.gather_elements(x, 1, at), ops.sort(x, 1, True)
        moved = ops.flip(x, (1,)), ops.tile(a, (2, 1)), ops.pad(x, (1, 2)), ops.stack((a, b), 1)
        parts = x[:, 1:3], x[1, ::2], x[..., None], ops.cat((b, a), 1), x.swapaxes(0, 1)
        sums = ops.cumsum(x, 1), x.sum(), x.std(1), x.max(1), ops.norm(x), x.prod(1)
        truth = (x > 0) & (x < 1), ops.where(x > 0, x, -x), (x > 9).any(), ops.isnan(x)
        whole = at // 2, at % 3, at * at, at.astype(ms.float16), ops.one_hot(at, 4, 1.0, 0.0)
        curves = ops.erf(x), ops.tanh(x), ops.softplus(x), x % 0.3, x // 0.3, ops.floor(x)
        return picked, moved, parts, sums, truth, whole, curves


class Numbers(nn.Cell):
    """Operators that are several equations of JAX, complex numbers, and places beyond an edge."""

    def construct(self, x: Any, at: Any) -> Any:
        y = ops.Complex()(x, x + 1)
        parts = ops.real(y * y), ops.abs(y), ops.fmod(x, 0.7), ops.digamma(ops.abs(x) + 1)
        running = ops.cummax(x, 1), ops.cummin(x, 1), ops.logcumsumexp(x, 1)
        ends = ops.tensor_scatter_max(x, at[:, :2] % 2, x[:, 1]), ops.pad(x, (-1, 2))
        fixed = ops.logspace(0.0, 1.0, 4) + x, ops.inverse(x[:, :2]), ops.invert(at)
        return parts, running, ends, fixed, ops.adaptive_avg_pool2d(x[None], (1, None))


class Paths(nn.Cell):
    """Branches and a loop on values, and Tensors that change in place."""

    def construct(self, x: Any, turns: Any) -> Any:
        if x.sum() > 0:  # noqa: SIM108
            x = x + 1
        else:
            x = x * 2
        turn = 0
        while turn < turns:
            x = x * 1.5
            turn = turn + 1
        y = x * 2
        y += 1
        return x, y


def some(*shape: int) -> np.ndarray:
    return np.sin(np.arange(np.prod(shape), dtype=np.float32)).reshape(shape)


WORDS = np.array([[1, 2, 3], [7, 0, 9]], np.int32)
NETWORKS = {
    "images": (Images, [some(2, 2, 8, 8)]),
    "words": (Words, [WORDS, np.array(1.5, np.float32)]),
    "shapes": (Shapes, [some(2, 4), WORDS % 4]),
    "numbers": (Numbers, [some(2, 4), WORDS % 4]),
    "paths": (Paths, [some(2, 3), np.array(3, np.int32)]),
}
# msgrad writes no graphs that branch.
WRITTEN = "images", "words", "shapes", "numbers"


def network(name: str) -> Any:
    """Return a network in evaluation mode, with weights that are the same in either library."""
    net = NETWORKS[name][0]().set_train(False)
    for place, param in enumerate(net.get_parameters()):
        values = some(*param.shape) * 0.5 if param.shape else np.float32(0.5)
        lift = 1.0 if "variance" in param.name else 0.1 * place
        param.set_data(Tensor((values + lift).astype(np.float32)))
    return net


def inputs(name: str) -> list[Any]:
    """Return the Tensors of a call."""
    return [Tensor(array) for array in NETWORKS[name][1]]


def leaves(output: Any) -> list[np.ndarray]:
    """Return the arrays of an output in a row."""
    if isinstance(output, (tuple, list)):
        return [leaf for item in output for leaf in leaves(item)]
    return [output.asnumpy()]


def compare(found: Any, wanted: Any) -> None:
    """Fail where an output is another than was recorded."""
    found = leaves(found)
    assert len(found) == len(wanted)
    for array, want in zip(found, wanted, strict=True):
        assert (array.shape, array.dtype) == (want.shape, want.dtype)
        loose = 1e-3 if want.dtype == np.float16 else 2e-5
        np.testing.assert_allclose(array, want, rtol=loose, atol=1e-5)


def main() -> None:
    """Write what MindSpore writes, or check what msgrad has written."""
    folder, reads = Path(sys.argv[1]), "--read" in sys.argv
    for name in WRITTEN if reads else NETWORKS:
        if reads:
            wanted = np.load(folder / f"{name}.npz")
            graph = nn.GraphCell(ms.load(str(folder / f"{name}.mindir")))
            compare(graph(*inputs(name)), [wanted[key] for key in wanted.files])
            continue
        net = network(name)
        ms.export(net, *inputs(name), file_name=str(folder / name), file_format="MINDIR")
        ms.set_context(mode=ms.GRAPH_MODE)
        np.savez_compressed(folder / f"{name}.npz", *leaves(net(*inputs(name))))


if __name__ == "__main__":
    main()
