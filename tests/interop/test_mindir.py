"""Files of MindIR: those that MindSpore wrote, read; and written ones, which MindSpore reads."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

with ms.install():
    from tests.interop.mindir import networks

ORACLE = os.environ.get("MSGRAD_ORACLE_PYTHON")
RECORDED = Path(__file__).parent / "mindir" / "recorded"


def export(net: Any, *inputs: Any, path: Path) -> str:
    ms.export(net, *inputs, file_name=str(path), file_format="MINDIR")
    return f"{path}.mindir"


def graph(path: Any) -> nn.GraphCell:
    return nn.GraphCell(ms.load(str(path)))


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        *((name, ms.PYNATIVE_MODE) for name in networks.NETWORKS),
        *((name, ms.GRAPH_MODE) for name in networks.WRITTEN),
    ],
)
def test_a_file_of_mindspore_gives_what_mindspore_gives(name, mode):
    ms.set_context(mode=mode)
    wanted = np.load(RECORDED / f"{name}.npz")
    found = graph(RECORDED / f"{name}.mindir")(*networks.inputs(name))
    networks.compare(found, [wanted[key] for key in wanted.files])


@pytest.mark.parametrize("name", networks.WRITTEN)
def test_a_written_file_gives_what_the_network_gives(tmp_path, name):
    net, inputs = networks.network(name), networks.inputs(name)
    read = graph(export(net, *inputs, path=tmp_path / name))
    networks.compare(read(*inputs), networks.leaves(ms.jit(net)(*inputs)))
    assert [p.name for p in read.get_parameters()] == [p.name for p in net.get_parameters()]


@pytest.mark.skipif(not ORACLE, reason="MSGRAD_ORACLE_PYTHON names no interpreter")
def test_mindspore_reads_what_is_written(tmp_path):
    for name in networks.WRITTEN:
        net, inputs = networks.network(name), networks.inputs(name)
        export(net, *inputs, path=tmp_path / name)
        np.savez(tmp_path / f"{name}.npz", *networks.leaves(ms.jit(net)(*inputs)))
    command = [ORACLE, "-m", "tests.interop.mindir.networks", str(tmp_path), "--read"]
    subprocess.run(command, check=True, env={**os.environ, "GLOG_v": "3"})


def test_a_graph_is_trained(tmp_path):
    net = networks.network("images")
    x, y = networks.inputs("images")[0], Tensor([0, 2], ms.int32)
    read = graph(RECORDED / "images.mindir")
    losses = []
    # As in MindSpore, the statistics of BatchNorm are Parameters of a graph like others.
    names = [p.name for p in net.trainable_params()]
    for cell in (net, read):
        known = cell.parameters_dict()
        optimizer = nn.SGD([known[name] for name in names], 0.1)
        step = ms.value_and_grad(
            lambda x, y: ops.cross_entropy(cell(x)[0], y),
            None,
            optimizer.parameters,
        )
        for _ in range(3):
            loss, grads = step(x, y)
            optimizer(grads)
            losses.append(float(loss))
    np.testing.assert_allclose(losses[:3], losses[3:], rtol=1e-4)
    assert losses[2] < losses[0]


def test_a_file_serves_batches_of_any_size_where_the_network_does(tmp_path):
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Dense(32, 3))
    read = graph(export(net, Tensor(networks.some(2, 1, 4, 4)), path=tmp_path / "n"))
    other = Tensor(networks.some(5, 1, 4, 4))
    networks.compare(read(other), networks.leaves(net(other)))
    rows = export(
        lambda x: sum(row for row in x), Tensor(networks.some(2, 3)), path=tmp_path / "new" / "r"
    )
    assert graph(rows)(Tensor(np.ones((2, 3), np.float32))).tolist() == [2.0] * 3


@pytest.mark.parametrize(
    "one",
    [
        lambda x: x / x.shape[0],
        lambda x: x[:4],
        lambda x: x * 2 if x.shape[0] > 3 else x,
        lambda x: ops.ones_like(x),
    ],
)
def test_a_file_for_one_batch_refuses_others(tmp_path, one):
    read = graph(export(one, Tensor(networks.some(2, 3)), path=tmp_path / "n"))
    assert read(Tensor(networks.some(2, 3))).shape == (2, 3)
    with pytest.raises(ValueError, match="Reshape"):
        read(Tensor(networks.some(5, 3)))


@pytest.mark.parametrize(
    "one",
    [
        lambda x: ops.clamp(x, -0.5, 0.5),
        lambda x: ops.unsqueeze(x, 0),
        lambda x: ops.masked_fill(x, x > 0, 0.5),
        lambda x: x.swapaxes(0, 1).reshape(3, -1, 2).swapaxes(0, 1),
        lambda x: ops.interpolate(x[:, None], size=(9, 4), mode="nearest"),
        lambda x: nn.AvgPool1d(25, 1, pad_mode="same")(ops.cat([x] * 13, -1)),
    ],
)
def test_what_serves_any_batch(tmp_path, one):
    read = graph(export(one, Tensor(networks.some(2, 3, 2)), path=tmp_path / "n"))
    x = Tensor(networks.some(5, 3, 2))
    networks.compare(read(x), networks.leaves(one(x)))


def test_open_sizes(tmp_path):
    x = Tensor(shape=[None, 3, None], dtype=ms.float32)
    read = graph(export(lambda x: ops.softmax(x * 2, -1).sum(1), x, path=tmp_path / "open"))
    assert read(Tensor(np.ones((4, 3, 5), np.float32))).shape == (4, 5)
    with pytest.raises(NotImplementedError, match="export it for each size"):
        export(lambda x: x / x.shape[0], x, path=tmp_path / "fixed")
    with pytest.raises(NotImplementedError, match="export it for each size"):
        export(lambda x: x[..., :512], x, path=tmp_path / "part")


def test_large_parameters_are_in_a_file_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr("msgrad.interop.mindir.graph.MOST_BYTES", 100)
    net, (words, scale) = networks.network("words"), networks.inputs("words")
    ms.export(net, words, scale, file_name=str(tmp_path / "new" / "n"), file_format="MINDIR")
    read = graph(tmp_path / "new" / "n_graph.mindir")
    networks.compare(read(words, scale), networks.leaves(ms.jit(net)(words, scale)))
    (tmp_path / "new" / "n_variables" / "data_0").unlink()
    with pytest.raises(ValueError, match="data_0"):
        graph(tmp_path / "new" / "n_graph.mindir")


def test_other_values_of_parameters():
    loaded = ms.load(str(RECORDED / "words.mindir"))
    zeros = Tensor(np.zeros((5, 3), np.float32))
    net = nn.GraphCell(loaded, {"head.weight": zeros, "none": zeros})
    assert not net.parameters_dict()["head.weight"].asnumpy().any()
    for kind, given in (
        (TypeError, [zeros]),
        (TypeError, {"head.weight": 3}),
        (ValueError, {"head.weight": Parameter(Tensor(np.zeros((3, 5), np.float32)))}),
        (ValueError, {"head.weight": Tensor(np.zeros((5, 3), np.float16))}),
    ):
        with pytest.raises(kind):
            nn.GraphCell(loaded, given)


def test_what_no_primitive_stands_for_is_named(tmp_path):
    x = Tensor(networks.some(2, 2))
    with pytest.raises(NotImplementedError, match="in 'Cholesky'"):
        export(ops.cholesky, x, path=tmp_path / "n")
    with pytest.raises(TypeError, match="cannot call"):
        export(nn.Dense(2, 2), x, x, path=tmp_path / "n")
    assert not list(tmp_path.iterdir())


def test_a_damaged_file(tmp_path):
    content = (RECORDED / "paths.mindir").read_bytes()
    for size in (0, 10, 1000, len(content) - 7):
        (tmp_path / "n.mindir").write_bytes(content[:size])
        with pytest.raises(ValueError, match="damaged"):
            ms.load(str(tmp_path / "n.mindir"))
    (tmp_path / "n.mindir").write_bytes(content.replace(b":turns", b":torns", 1))
    with pytest.raises(RuntimeError, match="has no"):
        graph(tmp_path / "n.mindir")(*networks.inputs("paths"))


def test_wrong_numbers_of_inputs():
    read = graph(RECORDED / "paths.mindir")
    with pytest.raises(RuntimeError, match="takes 2 inputs"):
        read(Tensor(networks.some(2, 3)))
