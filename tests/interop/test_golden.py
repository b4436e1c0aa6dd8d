"""Files that the real MindSpore wrote: read as they are, and written again byte for byte."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import msgrad as ms
from msgrad.interop import read_ckpt, read_safetensors, write_ckpt, write_safetensors
from tests.interop.golden.record import APPENDED, DTYPES, MORE_MODES

GOLDEN = Path(__file__).parent / "golden"
NUMPY = {"bfloat16": ml_dtypes.bfloat16, "bool_": np.bool_}
SHAPES = ((), (1,), (2, 3))


def test_a_nested_cell_with_appended_values():
    values = read_ckpt(GOLDEN / "nested.ckpt")
    names = ("scale", "layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias")
    assert list(values) == [*names, *APPENDED]
    for number, name in enumerate(names):
        assert values[name].dtype == np.float32
        assert values[name].reshape(-1).tolist() == [number + i for i in range(values[name].size)]
    assert {name: values[name].item() for name in APPENDED} == APPENDED


def test_the_state_of_an_optimizer():
    values = read_ckpt(GOLDEN / "adam.ckpt", crc_check=True)
    assert values["global_step"].tolist() == [1]
    assert values["learning_rate"].item() == np.float32(0.1)
    np.testing.assert_allclose(values["moment1.layers.0.weight"], np.full((2, 3), 0.1), rtol=1e-6)


def check_dtypes(values: dict[str, np.ndarray]) -> None:
    assert set(values) == {f"{dtype}.{shape}" for dtype in DTYPES for shape in SHAPES}
    for dtype in DTYPES:
        for shape in SHAPES:
            value = values[f"{dtype}.{shape}"]
            assert value.dtype == np.dtype(NUMPY.get(dtype, dtype))
            assert value.shape == shape
            assert (value == 1).all()


def test_every_dtype():
    check_dtypes(read_ckpt(GOLDEN / "dtypes.ckpt", crc_check=True))


def test_every_dtype_in_safetensors():
    check_dtypes(read_safetensors(GOLDEN / "dtypes.safetensors"))


def test_complex_which_mindspore_writes_but_does_not_read():
    value = read_ckpt(GOLDEN / "complex64.ckpt")["c"]
    assert value.dtype == np.complex64
    assert value.tolist() == [1 + 2j, -3j]


def test_a_tensor_in_pieces():
    values = read_ckpt(GOLDEN / "split.ckpt", crc_check=True)
    assert list(values) == ["first", "long", "last"]
    np.testing.assert_array_equal(
        values["long"], np.arange(700, dtype=np.float32).reshape(7, 100), strict=True
    )


@pytest.mark.parametrize("name", ["encrypted", *(f"encrypted_{mode}" for mode in MORE_MODES)])
def test_an_encrypted_file(name):
    path, mode = GOLDEN / f"{name}.ckpt", (name.split("_")[1:] or ["AES-GCM"])[0]
    with pytest.raises(ValueError, match="encrypted"):
        read_ckpt(path)
    pytest.importorskip("cryptography")
    key = b"0123456789abcdef"
    values = ms.load_checkpoint(str(path), dec_key=key, dec_mode=mode)
    trained = read_ckpt(GOLDEN / "adam.ckpt")
    for weight, value in values.items():
        np.testing.assert_array_equal(value.asnumpy(), trained[weight], strict=True)
    for other in ({"dec_key": b"1" * 16, "dec_mode": mode}, {"dec_key": key, "dec_mode": "X"}):
        with pytest.raises(ValueError, match="key"):
            ms.load_checkpoint(str(path), **other)


@pytest.mark.parametrize("mode", ["AES-GCM", *MORE_MODES])
@pytest.mark.parametrize("size", [1, 48])
def test_a_file_that_is_encrypted_in_pieces(tmp_path, monkeypatch, mode, size):
    pytest.importorskip("cryptography")
    monkeypatch.setattr("msgrad.interop._encryption.PIECE_BYTES", size)
    name, given = str(tmp_path / "x.ckpt"), {"a": ms.Tensor([1.0, 2.0]), "b": ms.Tensor([3])}
    ms.save_checkpoint(given, name, enc_key=b"0" * 16, enc_mode=mode)
    found = ms.load_checkpoint(name, dec_key=b"0" * 16, dec_mode=mode)
    assert {k: v.tolist() for k, v in found.items()} == {"a": [1.0, 2.0], "b": [3]}
    whole = (tmp_path / "x.ckpt").read_bytes()
    (tmp_path / "y.ckpt").write_bytes(whole[:-1])
    with pytest.raises(ValueError, match="there"):
        ms.load_checkpoint(str(tmp_path / "y.ckpt"), dec_key=b"0" * 16, dec_mode=mode)


def test_keys_that_do_not_fit():
    pytest.importorskip("cryptography")
    for key, mode in ((b"0" * 15, "AES-GCM"), (b"0" * 24, "SM4-CBC"), (b"0" * 16, "X")):
        with pytest.raises(ValueError, match="16 bytes"):
            ms.save_checkpoint({}, "x", enc_key=key, enc_mode=mode)
    with pytest.raises(ValueError, match="crc_check"):
        ms.save_checkpoint({}, "x", enc_key=b"0" * 16, crc_check=True)


def test_the_checksum_of_safetensors(tmp_path):
    values = read_safetensors(GOLDEN / "summed.safetensors", crc_check=True)
    assert values["epoch"].item() == 3
    content = (GOLDEN / "summed.safetensors").read_bytes()
    (tmp_path / "flipped.safetensors").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ValueError, match="crc check has failed"):
        read_safetensors(tmp_path / "flipped.safetensors", crc_check=True)
    assert set(read_safetensors(tmp_path / "flipped.safetensors")) == set(values)


@pytest.mark.parametrize(
    ("name", "crc_check"),
    [("nested", False), ("adam", True), ("dtypes", True), ("complex64", False)],
)
def test_written_again_the_bytes_are_the_same(tmp_path, name, crc_check):
    golden = GOLDEN / f"{name}.ckpt"
    write_ckpt(tmp_path / "again.ckpt", read_ckpt(golden), crc_check=crc_check)
    assert (tmp_path / "again.ckpt").read_bytes() == golden.read_bytes()


def test_pieces_written_again_are_the_same(tmp_path):
    values = read_ckpt(GOLDEN / "split.ckpt")
    write_ckpt(tmp_path / "again.ckpt", values, crc_check=True, _split_bytes=1024)
    assert (tmp_path / "again.ckpt").read_bytes() == (GOLDEN / "split.ckpt").read_bytes()


def test_safetensors_written_again(tmp_path):
    values = read_safetensors(GOLDEN / "dtypes.safetensors")
    write_safetensors(tmp_path / "again.safetensors", values)
    golden = (GOLDEN / "dtypes.safetensors").read_bytes()
    assert (tmp_path / "again.safetensors").read_bytes() == golden
