"""Checkpoints in other formats: Orbax, ``convert`` between them, state dicts of PyTorch."""

from __future__ import annotations

import itertools
import sys
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as orbax
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import msgrad as ms
from msgrad import Tensor, interop, nn
from msgrad.porting.cli import main


def values() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {
        "0.weight": rng.normal(size=(2, 3)).astype(np.float32),
        "moments.größe/a": rng.normal(size=3).astype(ms.bfloat16.np_dtype),
        "step (2)": np.array(2**40),
        "0": np.array([True, False]),
    }


def same(one, other) -> bool:
    assert set(one) == set(other)
    for name, array in one.items():
        assert other[name].dtype == array.dtype, name
        assert other[name].shape == array.shape, name
        assert np.asarray(other[name]).tobytes() == np.asarray(array).tobytes(), name
    return True


def training_step():
    net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dropout(p=0.5)).set_train()
    optimizer = nn.Adam(net.trainable_params(), 1e-2)
    step = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)

    def train(x: Tensor) -> Tensor:
        value, gradients = step(x)
        optimizer(gradients)
        return value

    return train, net


def test_a_round_through_all_formats_keeps_names_and_bits(tmp_path, capsys):
    places = [str(tmp_path / name) for name in ("a.ckpt", "b.orbax", "c.safetensors", "d.ckpt")]
    interop.write_ckpt(places[0], values())
    for source, target in itertools.pairwise(places):
        assert main(["convert", source, target]) == 0
        assert capsys.readouterr().out == f"{target}: 4 arrays, 12 numbers\n"
    for read, place in zip(
        (interop.read_ckpt, interop.read_orbax, interop.read_safetensors, interop.read_ckpt),
        places,
        strict=True,
    ):
        assert same(values(), read(place))


def test_convert_says_what_it_cannot_do(tmp_path, capsys):
    interop.write_ckpt(tmp_path / "text.ckpt", {"note": np.array("a text")})
    for words, text in (
        (("absent.ckpt", "b.orbax"), "absent.ckpt"),
        (("a.onnx", "b.orbax"), "convert reads"),
        (("text.ckpt", "b.npy"), "convert reads"),
        (("text.ckpt", "b.orbax"), "'note' is <U6"),
        ((".", "b.ckpt"), "not an Orbax checkpoint"),
    ):
        assert main(["convert", *(str(tmp_path / word) for word in words)]) == 2
        assert text in capsys.readouterr().err


def test_a_training_state_is_saved_while_it_goes_on(tmp_path):
    train, _ = training_step()
    x = Tensor(np.random.randn(4, 3).astype(np.float32))
    train(x)
    pure, state = interop.functionalize(train, x)
    step = jax.jit(pure, donate_argnums=0)
    _, state = step(state, x.asnumpy())
    kept = {name: np.array(value) for name, value in state.items()}
    saving = interop.write_orbax(tmp_path / "run.orbax", state, asynchronous=True)
    wanted, state = step(state, x.asnumpy())
    saving.wait_until_finished()
    saving.close()
    assert same(kept, interop.read_orbax(tmp_path / "run.orbax"))
    back = interop.read_orbax(tmp_path / "run.orbax", like=state)
    assert same(kept, back)
    interop.restore(back)
    np.testing.assert_allclose(train(x).asnumpy(), wanted, rtol=1e-6)


def test_a_cell_is_saved_by_its_parameters_names_and_comes_back(tmp_path):
    _, net = training_step()
    interop.write_orbax(tmp_path / "net.orbax", net)
    kept = {p.name: p.asnumpy() for p in net.get_parameters()}
    for param in net.get_parameters():
        param.set_data(ms.ops.zeros_like(param) + 3)
    loaded = interop.read_orbax(tmp_path / "net.orbax", like=net.parameters_dict())
    net.load_state_dict(loaded)
    assert same(kept, {p.name: p.asnumpy() for p in net.get_parameters()})
    interop.write_orbax(tmp_path / "net.orbax", {"other": np.ones(2)})
    assert [*interop.read_orbax(tmp_path / "net.orbax")] == ["other"]
    with pytest.raises(ValueError, match=r"'0.weight' must be of shape \(4, 3\), but .* is None"):
        interop.read_orbax(tmp_path / "net.orbax", like=net.parameters_dict())
    with pytest.raises(ValueError, match=r"'x' has shape \(0,\)"):
        interop.write_orbax(tmp_path / "net.orbax", {"x": np.ones(0)})
    with pytest.raises(FileNotFoundError):
        interop.read_orbax(tmp_path / "absent.orbax")


def test_shards_and_nested_checkpoints_of_others(tmp_path):
    sharding = NamedSharding(Mesh(np.array(jax.devices()[:1]), ("x",)), PartitionSpec("x"))
    array = jax.device_put(jnp.arange(4.0), sharding)
    with orbax.Checkpointer(orbax.PyTreeCheckpointHandler()) as writer:
        writer.save(tmp_path / "a.orbax", {"model": {"w": array}, "n": [array + 1]})
    assert same({"model.w": array, "n.0": array + 1}, interop.read_orbax(tmp_path / "a.orbax"))
    interop.write_orbax(tmp_path / "b.orbax", {"w": array})
    assert interop.read_orbax(tmp_path / "b.orbax", like={"w": array})["w"].sharding == sharding


def architecture() -> nn.Cell:
    return nn.SequentialCell(
        nn.Conv1d(2, 3, 3),
        nn.BatchNorm2d(3),
        nn.PReLU(3),
        nn.Embedding(5, 4),
        nn.LSTM(4, 2),
        nn.Dense(4, 2),
    )


def state_dict() -> dict[str, np.ndarray]:
    """As PyTorch's ``nn.Sequential`` of the same layers names and shapes them."""
    shapes = {
        "0.weight": (3, 2, 3), "1.weight": (3,), "1.bias": (3,), "1.running_mean": (3,),
        "1.running_var": (3,), "1.num_batches_tracked": (), "2.weight": (3,), "3.weight": (5, 4),
        "4.weight_ih_l0": (8, 4), "4.weight_hh_l0": (8, 2), "4.bias_ih_l0": (8,),
        "4.bias_hh_l0": (8,), "5.weight": (2, 4), "5.bias": (2,),
    }  # fmt: skip
    rng = np.random.default_rng(1)
    return {name: np.asarray(rng.normal(size=shape)) for name, shape in shapes.items()}


def test_a_state_dict_of_pytorch(tmp_path):
    net, given = architecture(), state_dict()
    found = interop.from_torch(given, net)
    assert ms.load_param_into_net(net, found) == ([], [])
    assert {p.name for p in net.get_parameters()} == set(found)
    pairs = {"1.gamma": "1.weight", "1.moving_variance": "1.running_var", "2.w": "2.weight",
             "3.embedding_table": "3.weight", "4.bias_hh_l0": "4.bias_hh_l0"}  # fmt: skip
    for own, theirs in pairs.items():
        np.testing.assert_array_equal(found[own].asnumpy(), given[theirs].astype(np.float32))
    assert found["0.weight"].shape == (3, 2, 1, 3)
    np.testing.assert_array_equal(
        found["0.weight"].asnumpy()[:, :, 0], given["0.weight"].astype("f4")
    )
    interop.write_safetensors(tmp_path / "a.safetensors", given)
    again = interop.from_torch(tmp_path / "a.safetensors", net)
    assert same(
        {n: p.asnumpy() for n, p in found.items()}, {n: p.asnumpy() for n, p in again.items()}
    )


def test_what_does_not_fit_is_said(capfd):
    net, given = architecture(), state_dict()
    del given["1.running_mean"]
    given |= {"6.weight": np.ones(2), "5.weight": np.ones((2, 5))}
    with pytest.raises(ValueError, match="does not fit") as caught:
        interop.from_torch(given, net)
    for text in ("'1.moving_mean' is missing ('1.running_mean')", "'6.weight' is left over",
                 "'5.weight' has shape (2, 5), '5.weight' (2, 4)"):  # fmt: skip
        assert text in str(caught.value)
    found = interop.from_torch(given, net, strict=False)
    assert {"1.moving_mean", "5.weight"}.isdisjoint(found)
    assert len(found) == len([*net.get_parameters()]) - 2
    assert "left over" in capfd.readouterr().err
    with pytest.raises(TypeError, match="a dict of arrays"):
        interop.from_torch(3, net)


def test_a_file_of_pytorch_needs_torch(tmp_path, monkeypatch):
    path = tmp_path / "a.pth"
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModuleNotFoundError, match="needs torch"):
        interop.read_torch(path)

    class Stored:
        """What a tensor of bfloat16 answers."""

        dtype = "torch.bfloat16"
        detach = cpu = lambda self: self
        float = lambda self: SimpleNamespace(numpy=lambda: np.ones(2, np.float32))

    def load(place, *, map_location, weights_only):
        assert (place, map_location, weights_only) == (path, "cpu", True)
        return {"state_dict": {"w": Stored()}, "epoch": 3}

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(load=load))
    assert interop.read_torch(path)["w"].dtype == ms.bfloat16.np_dtype
