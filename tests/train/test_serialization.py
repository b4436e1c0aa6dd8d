"""Saving, loading and loading into a net: what parity cases do not compare."""

from __future__ import annotations

import errno
import os
import sys
import threading

import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.train import serialization
from tests.interop.test_golden import GOLDEN


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 2), nn.Dense(2, 2)])
        self.scale = Parameter(Tensor([0.5, -0.5], ms.float32), name="scale")

    def construct(self, x):
        return self.layers[1](self.layers[0](x)) * self.scale


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def values_of(cell):
    return {p.name: p.asnumpy() for p in cell.get_parameters()}


def assert_same(ours, theirs):
    assert list(ours) == list(theirs)
    for name, value in theirs.items():
        np.testing.assert_array_equal(ours[name], value, strict=True, err_msg=name)


def test_what_mindspore_wrote_goes_into_a_net():
    net = Net()
    loaded = ms.load_checkpoint(str(GOLDEN / "nested.ckpt"), net)
    assert int(loaded["epoch"]) == 3
    assert loaded["note"] == "größer 😀"
    assert_same(values_of(net), {k: loaded[k].asnumpy() for k in values_of(net)})
    adam = nn.Adam(net.trainable_params(), 0.1)
    adam_state = ms.load_checkpoint(str(GOLDEN / "adam.ckpt"), crc_check=True)
    assert ms.load_param_into_net(adam, adam_state) == ([], [])


def test_training_goes_on_from_a_checkpoint_bit_for_bit():
    x = Tensor(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))

    def made():
        net = Net()
        adam = nn.Adam(net.trainable_params(), 0.1)
        step = ms.value_and_grad(lambda x: ops.square(net(x)).mean(), None, adam.parameters)

        def run(steps):
            losses = []
            for _ in range(steps):
                loss, grads = step(x)
                adam(grads)
                losses.append(float(loss))
            return losses

        return net, adam, run

    net, adam, run = made()
    run(3)
    ms.save_checkpoint(net, "net.ckpt")
    ms.save_checkpoint(adam, "adam.ckpt")
    expected = run(3)
    net, adam, run = made()
    ms.load_checkpoint("net.ckpt", net)
    assert ms.load_param_into_net(adam, ms.load_checkpoint("adam.ckpt")) == ([], [])
    assert run(3) == expected


@pytest.mark.parametrize("dtype", ["complex64", "complex128", "float8_e4m3fn", "float8_e5m2"])
def test_dtypes_that_only_msgrad_loads(dtype):
    value = Tensor(np.array([1.0, 2.0]), getattr(ms, dtype))
    ms.save_checkpoint([{"name": "w", "data": value}], "x.ckpt")
    loaded = ms.load_checkpoint("x.ckpt")["w"]
    assert loaded.dtype is getattr(ms, dtype)
    assert loaded.astype(ms.complex64).asnumpy().tolist() == [1, 2]


def test_safetensors_keep_names_and_bfloat16():
    ms.save_checkpoint({"w": Tensor([1.5], ms.bfloat16)}, "x", format="safetensors", crc_check=True)
    loaded = ms.load_checkpoint("x.safetensors", format="safetensors", crc_check=True)
    assert (loaded["w"].name, loaded["w"].dtype) == ("w", ms.bfloat16)


def test_safetensors_hold_no_strings():
    with pytest.raises(TypeError, match="note"):
        ms.save_checkpoint(Net(), "x", format="safetensors", append_dict={"note": "text"})
    assert os.listdir() == []


def test_safetensors_of_a_dtype_that_numpy_does_not_have():
    header = b'{"w":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}}'
    with open("x.safetensors", "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header + b"8")
    with pytest.raises(NotImplementedError, match="dtype"):
        ms.load_checkpoint("x.safetensors", format="safetensors")


def test_safetensors_without_the_library(monkeypatch):
    ms.save_checkpoint(Net(), "old", format="safetensors")
    monkeypatch.setitem(sys.modules, "safetensors", None)
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(ModuleNotFoundError, match=r"msgrad\[checkpoints\]"):
        ms.save_checkpoint(Net(), "x", format="safetensors")
    with pytest.raises(ModuleNotFoundError, match=r"msgrad\[checkpoints\]"):
        ms.load_checkpoint("old.safetensors", format="safetensors")
    assert os.listdir() == ["old.safetensors"]


def test_safetensors_of_8_bits():
    value = Tensor(np.array([1.0, 2.0]), ms.float8_e4m3fn)
    ms.save_checkpoint({"w": value}, "x", format="safetensors")
    assert ms.load_checkpoint("x.safetensors", format="safetensors")["w"].dtype is value.dtype


def test_variables_of_flax_layers_are_saved():
    class Mixed(nn.Cell):
        def __init__(self):
            super().__init__()
            self.linear = nnx.Linear(2, 2, rngs=nnx.Rngs(0))

    first, second = Mixed(), Mixed()
    second.linear.kernel[...] = jnp.zeros((2, 2))
    ms.save_checkpoint(first, "x.ckpt")
    assert ms.load_param_into_net(second, ms.load_checkpoint("x.ckpt")) == ([], [])
    np.testing.assert_array_equal(second.linear.kernel[...], first.linear.kernel[...])


def test_saved_inside_a_gradient_are_the_values_of_now():
    weight = Parameter(Tensor([2.0], ms.float32), name="w")

    def forward(x):
        weight.set_data(weight * 2)
        ms.save_checkpoint([weight], "x.ckpt")
        return (weight * x).sum()

    ms.grad(forward, 0, [weight])(Tensor([3.0], ms.float32))
    assert ms.load_checkpoint("x.ckpt")["w"].asnumpy().tolist() == [4.0]


# Writing meanwhile ------------------------------------------------------------------------------


def test_async_saving_writes_the_values_of_the_call(monkeypatch):
    go_on, write = threading.Event(), serialization.write_ckpt

    def wait_and_write(*args, **kwargs):
        assert go_on.wait(10)
        write(*args, **kwargs)

    monkeypatch.setattr(serialization, "write_ckpt", wait_and_write)
    weight = Parameter(Tensor([1.0], ms.float32), name="w")
    ms.save_checkpoint([weight], "x.ckpt", async_save=True)
    weight.set_data(Tensor([2.0], ms.float32))
    assert ms.async_ckpt_thread_status()
    assert os.listdir() == []
    go_on.set()
    # Loading waits for what is being written.
    assert ms.load_checkpoint("x.ckpt")["w"].asnumpy().tolist() == [1.0]
    assert not ms.async_ckpt_thread_status()


def test_async_saves_follow_each_other():
    for number in range(5):
        ms.save_checkpoint([], "x.ckpt", async_save="process", append_dict={"n": number})
    assert int(ms.load_checkpoint_async("x.ckpt").result()["n"]) == 4


def test_a_failure_meanwhile_is_logged(capsys):
    ms.save_checkpoint(Net(), "missing/x.ckpt", async_save=True)
    with pytest.raises(ValueError, match="does not exist"):
        ms.load_checkpoint("missing/x.ckpt")
    logged = capsys.readouterr().err
    assert logged.startswith("[CRITICAL]")
    assert "missing/x.ckpt" in logged


# Failures ---------------------------------------------------------------------------------------


def failing_with(number):
    def fail(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize(
    ("patched", "number", "kind"),
    [
        ("os.open", errno.EACCES, PermissionError),
        ("os.open", errno.EROFS, OSError),
        ("os.fsync", errno.ENOSPC, OSError),
    ],
    ids=["read_only_folder", "read_only_disk", "full_disk"],
)
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_a_file_that_cannot_be_written(monkeypatch, patched, number, kind, format):
    name = f"x.{format}"
    ms.save_checkpoint([Parameter(Tensor([1.0]), name="old")], name, format=format)
    with monkeypatch.context() as patch:
        patch.setattr(patched, failing_with(number))
        with pytest.raises(kind, match="an existing file is as it was") as caught:
            ms.save_checkpoint(Net(), name, format=format)
    assert caught.value.errno == number
    assert os.listdir() == [name]
    assert list(ms.load_checkpoint(name, format=format)) == ["old"]


def test_a_missing_folder_is_named():
    with pytest.raises(FileNotFoundError, match=r"missing/x\.ckpt"):
        ms.save_checkpoint(Net(), "missing/x")


def write(content):
    with open("bad.ckpt", "wb") as file:
        file.write(content)
    return "bad.ckpt"


def saved(values):
    ms.save_checkpoint(values, "fits_not.ckpt")
    return "fits_not.ckpt"


def float_parameters(**shapes):
    return [Parameter(Tensor(np.ones(s, np.float32)), name=n) for n, s in shapes.items()]


GOOD = (GOLDEN / "nested.ckpt").read_bytes()
BAD_FILES = {
    "truncated": (lambda: write(GOOD[:100]), ValueError),
    "garbage": (lambda: write(b"\xff" * 100), ValueError),
    "empty": (lambda: write(b""), ValueError),
    "encrypted": (lambda: write((GOLDEN / "encrypted.ckpt").read_bytes()), ValueError),
    "missing": (lambda: "missing.ckpt", ValueError),
    "wrong_ending": (lambda: "x.safetensors", ValueError),
    "folder": (lambda: os.mkdir("folder.ckpt") or "folder.ckpt", ValueError),
    "wrong_shape_last": (
        lambda: saved(float_parameters(scale=(2,), **{"layers.1.bias": (3,)})),
        RuntimeError,
    ),
    "wrong_dtype": (
        lambda: saved([Parameter(Tensor([1, 2]), name="scale")]),
        RuntimeError,
    ),
}


@pytest.mark.parametrize(("make", "error"), BAD_FILES.values(), ids=BAD_FILES)
def test_the_net_is_unchanged_after_a_failure(make, error):
    net = Net()
    before = values_of(net)
    path = make()
    with pytest.raises(error) as caught:
        ms.load_checkpoint(path, net)
    assert len(str(caught.value)) > 30
    assert_same(values_of(net), before)


def test_a_cut_file_is_refused_or_ends_between_entries():
    whole = [(name, str(value)) for name, value in ms.load_checkpoint(write(GOOD)).items()]
    refused = 0
    for length in range(1, len(GOOD)):
        try:
            loaded = ms.load_checkpoint(write(GOOD[:length]))
        except ValueError:
            refused += 1
        else:
            # The format has neither a length nor an end, so that such a file is a good one.
            given = [(name, str(value)) for name, value in loaded.items()]
            assert given == whole[: len(given)]
    assert refused == len(GOOD) - len(whole)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_a_flipped_bit_is_found_by_the_checksum(format):
    name = f"x.{format}"
    ms.save_checkpoint(Net(), name, format=format, crc_check=True)
    with open(name, "rb") as file:
        good = file.read()
    net = Net()
    before = values_of(net)
    os.remove(name)
    # The checksum's own entry, in the header of safetensors, cannot be part of it.
    for place in range(good.find(b"layers"), len(good), 7):
        with open(name, "wb") as file:
            file.write(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises(ValueError, match=r".{30}"):
            ms.load_checkpoint(name, net, format=format, crc_check=True)
    assert_same(values_of(net), before)


def test_a_file_that_may_not_be_read(monkeypatch):
    ms.save_checkpoint(Net(), "x.ckpt")
    monkeypatch.setattr(os, "open", failing_with(errno.EACCES))
    with pytest.raises(ValueError, match="Permission denied"):
        ms.load_checkpoint("x.ckpt")


def test_what_is_left_out_names_the_nearest_call():
    with pytest.raises(NotImplementedError, match=r"nearest|leave out|then: load_checkpoint"):
        ms.load_distributed_checkpoint(Net(), format="safetensors")
    assert os.listdir() == []


@pytest.mark.parametrize("value", [Tensor([1.0]), np.ones(1, np.float64), "text"])
def test_dicts_of_tensors_arrays_and_strings(value):
    ms.save_checkpoint({"key": value}, "x.ckpt")
    loaded = ms.load_checkpoint("x.ckpt")["key"]
    assert loaded == value if isinstance(value, str) else loaded.dtype == ms.Tensor(value).dtype


@pytest.mark.parametrize("value", [1, 1.5, None, [1]])
def test_dicts_of_other_values_are_refused(value):
    with pytest.raises(TypeError, match="the type of value"):
        ms.save_checkpoint({"key": value}, "x.ckpt")


def test_names_that_are_not_found_are_logged(capsys):
    ms.load_param_into_net(Net(), {"net.scale": Parameter(Tensor([1.0, 2.0], ms.float32))})
    logged = capsys.readouterr().err.splitlines()
    assert "remove parameter prefix name: net." in logged[0]
    assert "4 parameters in the 'net' are not loaded" in logged[1]
    assert "msgrad/train/_load_into_net.py:" in logged[1]


def test_names_that_are_not_found_take_one_pass_over_the_file():
    class Counted(dict):
        passes = 0

        def __iter__(self):
            self.passes += 1
            return super().__iter__()

    def passes(absent):
        net = nn.Cell()
        for number in range(absent):
            setattr(net, f"p{number}", Parameter(Tensor([1.0]), name=f"absent{number}"))
        loaded = Counted({f"entry{i}": Parameter(Tensor([1.0]), name="w") for i in range(9)})
        assert len(ms.load_param_into_net(net, loaded)[0]) == absent
        return loaded.passes

    assert passes(2) == passes(20)


def test_mindspore_paths():
    with ms.install():
        import mindspore
        from mindspore import load_checkpoint
        from mindspore.train.serialization import load_param_into_net, save_checkpoint

        assert load_checkpoint is mindspore.train.load_checkpoint is ms.load_checkpoint
        assert load_param_into_net is ms.load_param_into_net
        assert save_checkpoint is ms.save_checkpoint
