"""The ``.ckpt`` format: round trips, damage of every kind, and writing that fails half-way."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import subprocess
import sys
import textwrap

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from msgrad.interop import ckpt, read_ckpt, write_ckpt

DTYPES = (
    *("float16", "float32", "float64", "complex64", "complex128", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *(ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2),
)
ARRAYS = st.builds(
    lambda shape, dtype, seed: (
        np.random.default_rng(seed).integers(0, 100, shape).astype(np.float32).astype(dtype)
    ),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
    st.sampled_from(DTYPES),
    st.integers(0, 99),
)
# A NUL at the end of a text is padding in this format.
TEXTS = st.text(max_size=20).filter(lambda text: not text.endswith("\0"))
quick = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(
    values=st.dictionaries(st.text(max_size=10), ARRAYS | TEXTS, max_size=5),
    crc_check=st.booleans(),
    split=st.integers(1, 64),
)
def test_round_trip(tmp_path, values, crc_check, split):
    path = tmp_path / "x.ckpt"
    write_ckpt(path, values, crc_check=crc_check, _split_bytes=split * 16)
    found = read_ckpt(path, crc_check=True)
    assert list(found) == list(values)
    for name, value in values.items():
        if isinstance(value, str):
            assert found[name].item() == value
        else:
            assert (found[name].dtype, found[name].shape) == (value.dtype, value.shape)
            assert found[name].tobytes() == value.tobytes()


def some_values() -> dict[str, object]:
    return {
        "w": np.arange(6, dtype=np.float32).reshape(2, 3),
        "note": "text",
        "n": np.int64(5),
        "half": np.ones(3, ml_dtypes.bfloat16),
    }


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "x.ckpt"
    write_ckpt(path, some_values(), crc_check=True)
    path.chmod(0o600)
    return path


def test_arrays_of_every_layout_and_library(tmp_path):
    base = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    values = {
        "transposed": base.transpose(2, 0, 1),
        "strided": base[:, ::2, ::-1],
        "big_endian": base.astype(">f4"),
        "jax": jnp.asarray(base),
        "number": 3,
        "bool": True,
    }
    write_ckpt(tmp_path / "x.ckpt", values)
    for name, value in read_ckpt(tmp_path / "x.ckpt").items():
        np.testing.assert_array_equal(value, values[name])


def test_arrays_have_memory_of_their_own(file):
    values = read_ckpt(file)
    file.write_bytes(b"")
    assert values["w"].tolist() == [[0, 1, 2], [3, 4, 5]]
    tree = jax.tree.map(jnp.asarray, {k: v for k, v in values.items() if k != "note"})
    assert float(tree["w"].sum()) == 15


def test_cut_anywhere(file):
    """What is cut between entries is a shorter file; cut anywhere else it is damaged."""
    content, whole = file.read_bytes(), list(some_values())
    shorter = []
    for end in range(len(content)):
        file.write_bytes(content[:end])
        with contextlib.suppress(ValueError):
            shorter.append(list(read_ckpt(file)))
    assert shorter == [whole[:n] for n in range(len(whole) + 1)]


def test_any_byte_changed_is_seen_by_the_checksum(file):
    content = file.read_bytes()
    for at in range(len(content)):
        file.write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :])
        with pytest.raises(ValueError, match=str(file)):
            read_ckpt(file, crc_check=True)


@quick
@given(content=st.binary(max_size=60))
def test_arbitrary_bytes_raise_nothing_else(tmp_path, content):
    (tmp_path / "x.ckpt").write_bytes(content)
    with contextlib.suppress(ValueError, NotImplementedError):
        read_ckpt(tmp_path / "x.ckpt")


def field(number: int, content: bytes) -> bytes:
    return bytes([number * 8 + 2, len(content)]) + content


FLOAT = field(2, b"Float32")
MALFORMED = {
    "no_name": field(1, field(2, FLOAT)),
    "no_tensor": field(1, field(1, b"w")),
    "unknown_dtype": field(1, field(1, b"w") + field(2, field(2, b"Float31"))),
    "too_few_bytes": field(1, field(1, b"w") + field(2, FLOAT + field(3, b"123"))),
    "too_many_bytes": field(1, field(1, b"w") + field(2, FLOAT + field(3, b"12345678"))),
    "name_not_utf8": field(1, field(1, b"\xff") + field(2, FLOAT + field(3, b"1234"))),
    "text_not_utf32": field(1, field(1, b"w") + field(2, field(2, b"str") + field(3, b"123"))),
    "number_too_long": b"\xff" * 11,
    "unknown_field": field(2, b""),
    "huge_length": b"\x0a" + b"\xff" * 8 + b"\x7f",
    "pieces_differ": field(1, field(1, b"w") + field(2, FLOAT + field(3, b"1234")))
    + field(1, field(1, b"w") + field(2, b"\x08\x01" + FLOAT + field(3, b"1234"))),
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_malformed(tmp_path, content):
    (tmp_path / "x.ckpt").write_bytes(content)
    with pytest.raises(ValueError, match="cannot be parsed"):
        read_ckpt(tmp_path / "x.ckpt")


def test_a_map_parameter_is_refused_by_name(tmp_path):
    (tmp_path / "x.ckpt").write_bytes(field(1, field(1, b"table") + field(3, b"")))
    with pytest.raises(NotImplementedError, match="table"):
        read_ckpt(tmp_path / "x.ckpt")


def test_an_empty_file_holds_nothing(tmp_path):
    (tmp_path / "x.ckpt").write_bytes(b"")
    assert read_ckpt(tmp_path / "x.ckpt") == {}


@pytest.mark.parametrize(
    "value", [object(), np.array(["a", "b"]), np.zeros(2, "datetime64[s]"), None, b"bytes"]
)
def test_values_of_no_dtype_are_refused_before_anything_is_written(tmp_path, value):
    with pytest.raises(TypeError, match="bad"):
        write_ckpt(tmp_path / "x.ckpt", {"good": np.ones(1), "bad": value})
    assert list(tmp_path.iterdir()) == []


def test_names_are_strings(tmp_path):
    with pytest.raises(TypeError, match="strings"):
        write_ckpt(tmp_path / "x.ckpt", {1: np.ones(1)})


# The name never holds half a file ---------------------------------------------------------------


def test_the_mode_and_nothing_beside_it(file):
    write_ckpt(file, {"w": np.ones(1)})
    assert stat.S_IMODE(file.stat().st_mode) == 0o400
    assert [path.name for path in file.parent.iterdir()] == ["x.ckpt"]


@pytest.mark.parametrize("where", ["write", "os.fsync", "os.replace"])
def test_a_full_disk_leaves_the_old_file(file, monkeypatch, where):
    before = file.read_bytes()

    def fail(*args: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def write_some(stream, *args: object) -> None:
        stream.write(b"half a file")
        fail()

    if where == "write":
        monkeypatch.setattr(ckpt, "_write", write_some)
    else:
        monkeypatch.setattr(where, fail)
    with pytest.raises(OSError, match="No space left"):
        write_ckpt(file, {"w": np.zeros(9)})
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["x.ckpt"]


def test_a_process_killed_while_writing_leaves_the_old_file(file):
    before = file.read_bytes()
    program = """
        import os, sys
        import numpy as np
        from msgrad.interop import ckpt

        class Last:
            dtype, shape = np.dtype("float32"), (1,)
            def __array__(self, dtype=None, copy=None):
                os._exit(9)

        ckpt.write_ckpt(sys.argv[1], {"w": np.ones(100000, np.float32), "last": Last()})
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), str(file)], check=False)
    assert done.returncode == 9
    assert file.read_bytes() == before
