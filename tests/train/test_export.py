"""``export``: files that a process with nothing but JAX serves; ``load`` and ``GraphCell``."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from tests.without_msgrad import run_without_msgrad

SERVER = """
import sys
import jax, numpy as np
for name in sys.argv[1:]:
    program = jax.export.deserialize(bytearray(open(f"{name}.stablehlo", "rb").read()))
    np.save(f"{name}-out.npy", program.call(np.load(f"{name}-in.npy")))
"""


class Residual(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, has_bias=True)
        self.norm = nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(2, 2)
        self.head = nn.Dense(4, 2)

    def construct(self, x: Tensor) -> Tensor:
        y = ops.relu(self.norm(self.conv(x)) + x)
        return self.head(self.pool(y).mean((2, 3)))


class Sequences(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(4, 3, batch_first=True)
        self.head = nn.Dense(3, 2)

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.lstm(x)[0][:, -1])


class Words(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(10, 4)
        self.layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)

    def construct(self, x: Tensor) -> Tensor:
        return self.layer(self.table(x)).mean(1)


class Autoencoder(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.down, self.up = nn.Dense(16, 4), nn.Conv2dTranspose(1, 1, 2, 2, pad_mode="valid")

    def construct(self, x: Tensor) -> Tensor:
        return self.up(ops.tanh(self.down(x.reshape(x.shape[0], -1))).view(-1, 1, 2, 2))


def perceptron() -> nn.Cell:
    return nn.SequentialCell(
        nn.Flatten(), nn.Dense(16, 8, activation="gelu"), nn.LayerNorm((8,)), nn.Dropout(p=0.5)
    )


NETWORKS = {
    "perceptron": (perceptron, (1, 4, 4)),
    "residual": (Residual, (1, 4, 4)),
    "sequences": (Sequences, (6, 4)),
    "words": (Words, (5,)),
    "autoencoder": (Autoencoder, (1, 4, 4)),
}


def batch(shape: tuple[int, ...], size: int) -> np.ndarray:
    rng = np.random.default_rng(size)
    whole = (size, *shape)
    if len(shape) == 1:
        return rng.integers(0, 10, whole).astype(np.int32)
    return rng.normal(size=whole).astype(np.float32)


def export(net, *inputs, path, **kwargs) -> str:
    ms.export(net, *inputs, file_name=str(path), file_format="STABLEHLO", **kwargs)
    return f"{path}.stablehlo"


def test_five_networks_are_served_without_msgrad_and_by_it(tmp_path):
    wanted = {}
    for name, (make, shape) in NETWORKS.items():
        net = make().set_train(False)
        path = export(net, Tensor(batch(shape, 2)), path=tmp_path / name)
        served = batch(shape, 5)
        np.save(tmp_path / f"{name}-in.npy", served)
        wanted[name] = net(Tensor(served)).asnumpy()
        loaded = nn.GraphCell(ms.load(path))(Tensor(served))
        np.testing.assert_allclose(loaded.asnumpy(), wanted[name], rtol=1e-6, atol=1e-6)
    run_without_msgrad(SERVER, *NETWORKS, cwd=tmp_path)
    for name, value in wanted.items():
        found = np.load(tmp_path / f"{name}-out.npy")
        np.testing.assert_allclose(found, value, rtol=1e-6, atol=1e-6, err_msg=name)


def test_open_sizes_are_those_of_the_inputs(tmp_path):
    open_ones = [Tensor(shape=[None, 3, None], dtype=ms.float32), Tensor(shape=[2], dtype=ms.int32)]
    path = export(lambda x, y: (x * 2, {"y": y + 1}), *open_ones, path=tmp_path / "sizes")
    doubled, rest = ms.load(path)(Tensor(np.ones((4, 3, 5), np.float32)), np.arange(2, dtype="i4"))
    assert doubled.shape == (4, 3, 5)
    assert rest["y"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="Shape mismatch"):
        ms.load(path)(np.ones((4, 2, 5), np.float32), np.zeros(2, np.int32))


def test_a_size_that_is_needed_as_a_number_stays_as_it_is(tmp_path, capfd):
    net = lambda x: sum(row for row in x)
    path = export(net, Tensor(np.ones((2, 3), np.float32)), path=tmp_path / "rows")
    assert "for these sizes only" in capfd.readouterr().err
    assert ms.load(path)(np.ones((2, 3), np.float32)).tolist() == [2.0] * 3


def test_a_file_for_other_devices(tmp_path):
    x = Tensor(np.ones((2, 3), np.float32))
    path = export(ops.relu, x, path=tmp_path / "net", platforms=["cpu", "cuda", "tpu"])
    assert ms.load(path).exported.platforms == ("cpu", "cuda", "tpu")


@pytest.mark.parametrize("net", [nn.BatchNorm2d(1), nn.Dropout(p=0.5)])
def test_what_changes_something_is_not_exported(tmp_path, net):
    before = [p.asnumpy() for p in net.get_parameters()]
    with pytest.raises(NotImplementedError, match=r"set_train\(False\)"):
        export(net.set_train(), Tensor(np.ones((2, 1, 3, 3), np.float32)), path=tmp_path / "net")
    assert not list(tmp_path.iterdir())
    for param, value in zip(net.get_parameters(), before, strict=True):
        assert param.asnumpy().tolist() == value.tolist()


def test_wrong_arguments(tmp_path):
    x = Tensor(np.ones((2, 3), np.float32))
    for kind, text, call in (
        (ValueError, "got X", lambda: ms.export(ops.relu, x, file_name="n", file_format="X")),
        (ValueError, "Ascend", lambda: ms.export(ops.relu, x, file_name="n", file_format="AIR")),
        (TypeError, "string", lambda: ms.export(ops.relu, x, file_name=3, file_format="ONNX")),
        (TypeError, "Tensors", lambda: export(ops.relu, 3, path=tmp_path / "n")),
        (TypeError, "a Cell", lambda: export(3, x, path=tmp_path / "n")),
        (ValueError, "must be string", lambda: ms.load(3)),
        (ValueError, "exists", lambda: ms.load(str(tmp_path / "n.stablehlo"))),
        (ValueError, "exists", lambda: ms.load(str(tmp_path / "n.mindir"))),
        (TypeError, "mindspore.load", lambda: nn.GraphCell(3)),
    ):  # fmt: skip
        with pytest.raises(kind, match=text):
            call()
    with pytest.raises(NotImplementedError, match="encrypt"):
        export(ops.relu, x, path=tmp_path / "n", enc_key=b"0" * 16)
    path = export(ops.relu, x, path=tmp_path / "n")
    with pytest.raises(NotImplementedError, match="constants"):
        nn.GraphCell(ms.load(path), params_init={"w": Parameter(x)})
    with pytest.raises(TypeError, match="takes Tensors"):
        ms.load(path)(3)
    os.chmod(path, 0o600)
    with open(path, "r+b") as file:
        file.truncate(50)
    with pytest.raises(ValueError, match="damaged"):
        ms.load(path)


def test_a_size_is_a_number_to_compute_with(tmp_path):
    graph = ms.load(export(lambda x: x.sum() / x.shape[0], Tensor(batch((3, 1), 2)),
                           path=tmp_path / "n"))  # fmt: skip
    assert graph(np.ones((5, 3, 1), np.float32)).asnumpy() == 3.0


def test_a_loaded_network_runs_inside_of_programs_of_jax(tmp_path):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    graph = ms.load(export(ops.relu, Tensor(x), path=tmp_path / "n"))
    assert (jax.jit(graph.exported.call)(x - 2) == np.maximum(x - 2, 0)).all()


def test_onnx_is_written_by_jax2onnx(tmp_path, monkeypatch):
    x = Tensor(np.ones((2, 3), np.float32))
    monkeypatch.setitem(sys.modules, "jax2onnx", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'msgrad\[onnx\]'"):
        ms.export(ops.relu, x, file_name=str(tmp_path / "n"), file_format="ONNX")
    asked = []

    def to_onnx(function, specs, opset):
        asked.append((str(specs[0].shape), opset, str(jax.eval_shape(function, *specs).shape)))
        return SimpleNamespace(SerializeToString=lambda: b"content")

    monkeypatch.setitem(sys.modules, "jax2onnx", SimpleNamespace(to_onnx=to_onnx))
    ms.export(ops.relu, x, file_name=str(tmp_path / "n"), file_format="ONNX", opset=21)
    assert (tmp_path / "n.onnx").read_bytes() == b"content"
    assert asked == [("(b, 3)", 21, "(b, 3)")]


def test_a_tensor_that_the_network_has_made_may_change(tmp_path):
    def net(x):
        y = x * 2
        y[0] = 1
        return y

    path = export(net, Tensor(batch((3, 1), 2)), path=tmp_path / "n")
    assert ms.load(path)(batch((3, 1), 2))[0].asnumpy().tolist() == [[1.0]] * 3
