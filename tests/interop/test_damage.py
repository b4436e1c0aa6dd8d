"""Damaged files of both formats, made at random and by rule: refused or read, nothing else."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import sys
import tracemalloc

import ml_dtypes
import numpy as np
import pytest

from msgrad.interop import read_ckpt, read_safetensors, write_ckpt, write_safetensors

REFUSED = (ValueError, NotImplementedError)
VALUES = {
    "w": np.arange(6, dtype=np.float32).reshape(2, 3),
    "half": np.ones(3, ml_dtypes.bfloat16),
    "n": np.int64(5),
    "none": np.zeros((0, 3), np.uint8),
    "é" * 20: np.zeros((1, 1, 2), np.bool_),
}


# The format ckpt: a file is nested fields, written here as (number, value) with value an int, bytes
# or a list of fields.


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def encoded(fields: list) -> bytes:
    out = []
    for number, value in fields:
        if isinstance(value, int):
            out += [varint(number * 8), varint(value)]
        else:
            content = encoded(value) if isinstance(value, list) else value
            out += [varint(number * 8 + 2), varint(len(content)), content]
    return b"".join(out)


def entry(name: bytes, sizes: list[int], content: bytes, dtype: bytes = b"Float32") -> tuple:
    return 1, [(1, name), (2, [*((1, size) for size in sizes), (2, dtype), (3, content)])]


def tree() -> list:
    return [
        entry(b"w", [2, 3], bytes(24)),
        entry(b"long", [2, 2], bytes(8)),
        entry(b"long", [2, 2], bytes(8)),
        entry(b"n", [], bytes(8), b"Int64"),
        entry(b"note", [0], "größer".encode("utf-32-le"), b"str"),
    ]


NUMBERS = (0, 1, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**70)


def lists_in(fields: list) -> list[list]:
    """Return a list of fields and all lists below it."""
    below = [lists_in(value) for _, value in fields if isinstance(value, list)]
    return [fields, *itertools.chain(*below)]


def changed_fields(rng: random.Random) -> bytes:
    """A file whose fields are repeated, left out, exchanged, renumbered or of other values."""
    whole = tree()
    for _ in range(rng.randint(1, 3)):
        fields = rng.choice([one for one in lists_in(whole) if one])
        at = rng.randrange(len(fields))
        number, value = fields[at]
        deed = rng.randrange(6)
        if deed == 0:
            fields[at:at] = [fields[at]] * rng.choice((1, 2, 100))
        elif deed == 1:
            del fields[at]
        elif deed == 2:
            rng.shuffle(fields)
        elif deed == 3:
            fields[at] = (rng.choice((1, 2, 3, 4, 15, 16, 2**20)), value)
        elif deed == 4:
            fields[at] = (number, rng.choice(NUMBERS))
        else:
            fields[at] = (number, rng.choice((b"", b"\xff" * 4, b"w" * 300, [], [(1, 1)])))
    return encoded(whole)


# The format safetensors: a header, and bytes.


def safetensors_file(header: object, body: bytes) -> bytes:
    told = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(told).to_bytes(8, "little") + told + body


def changed_header(rng: random.Random, content: bytes) -> bytes:
    """A file whose header says something else of one tensor or of the metadata."""
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:end])
    body = content[end:]
    odd = [*NUMBERS, -1, 1.5, 2.0, True, None, "", "F32", "F4", "X", "\ud800", [], [1], {}, 10**400]
    odd += [[0, 2**62], [2**40] * 3, [1] * 70, [-1, -6], [None], [[0]], {"a": "b"}]
    name = rng.choice(list(header))
    deed = rng.randrange(5)
    if deed == 0:
        del header[name]
    elif deed == 1:
        header[name] = rng.choice(odd)
    elif deed == 2:
        header[rng.choice(("", "x", "\ud800", "\0", "w"))] = header[name]
    elif deed == 3 and isinstance(header[name], dict):
        header[name][rng.choice(list(header[name]))] = rng.choice(odd)
    else:
        body = rng.choice((b"", body + b"more", body[:-1], body * 2))
    return safetensors_file(header, body)


def changed_bytes(rng: random.Random, content: bytes) -> bytes:
    """Bytes flipped, taken out, put in, or written over with the largest numbers."""
    for _ in range(rng.randint(1, 3)):
        at, length = rng.randrange(len(content)), rng.choice((1, 2, 8, 30))
        put = rng.choice(
            (b"", bytes([content[at] ^ 1 << rng.randrange(8)]), b"\xff" * length, b"\x80" * 11)
        )
        content = content[:at] + put + content[at + rng.choice((len(put), 0, length)) :]
    return content


def files_of(format: str, whole: bytes) -> list[bytes]:
    rng = random.Random(8)
    files = [whole[:end] for end in range(len(whole))]
    files += [changed_bytes(rng, whole) for _ in range(400)]
    if format == "ckpt":
        files += [encoded(tree())[:end] for end in range(len(encoded(tree())))]
        files += [changed_fields(rng) for _ in range(400)]
    else:
        files += [changed_header(rng, whole) for _ in range(400)]
        files += [safetensors_file(b"[" * 10**5, b""), safetensors_file(b"[1]", b"")]
        files += [size.to_bytes(8, "little") + whole[8:] for size in NUMBERS[:-1]]
    return files


READERS = {"ckpt": (read_ckpt, write_ckpt), "safetensors": (read_safetensors, write_safetensors)}


@pytest.mark.parametrize("format", READERS)
def test_a_damaged_file_is_refused_or_read(tmp_path, format):
    read, write = READERS[format]
    path = tmp_path / f"x.{format}"
    write(path, VALUES)
    whole = path.read_bytes()
    path.chmod(0o600)
    refused = 0
    files = files_of(format, whole)
    tracemalloc.start()
    try:
        for content in files:
            path.write_bytes(content)
            tracemalloc.reset_peak()
            held = tracemalloc.get_traced_memory()[0]
            try:
                found = read(path, crc_check=True)
            except REFUSED as error:
                refused, text = refused + 1, str(error)
            else:
                text = "No error. " * 3
                assert sum(value.nbytes for value in found.values()) <= len(content) + 4
                del found
            assert 20 < len(text) < 3000
            # Python's own objects for 100 lists and numbers, and a block of the file.
            assert tracemalloc.get_traced_memory()[1] - held < 2**20 + 40 * len(content)
    finally:
        tracemalloc.stop()
    assert len(files) / 3 < refused < len(files)


# Large ones: the number of calls grows as the file does.


def safetensors_of(names: list[str]) -> bytes:
    told = {"dtype": "U8", "shape": [1]}
    header = {name: {**told, "data_offsets": [i, i + 1]} for i, name in enumerate(names)}
    return safetensors_file(header, bytes(len(names)))


LARGE = {
    "entries": lambda n: encoded([entry(b"%d" % i, [1], b"1234") for i in range(n)]),
    "pieces": lambda n: encoded([entry(b"w", [n], b"1234")] * n),
    "empty_pieces": lambda n: encoded([entry(b"w", [0], b"")] * n),
    "text_in_pieces": lambda n: encoded([entry(b"w", [0], b"a\0\0\0", b"str")] * n),
    "sizes": lambda n: encoded([entry(b"w", [2**62] * n, b"")]),
    "long_names": lambda n: encoded([entry(b"w" * n, [1], b"1")]),
    "same_names": lambda n: encoded([entry(b"%d" % (i % 2), [1], b"1234") for i in range(n)]),
    "safetensors": lambda n: safetensors_of([str(i) for i in range(n)]),
    "safetensors_sizes": lambda n: safetensors_file(
        {"w": {"dtype": "U8", "shape": [2**62] * n, "data_offsets": [0, 0]}}, b""
    ),
}


def calls(path, content: bytes) -> int:
    """Read a file; returns how many functions were called, in Python and below."""
    path.write_bytes(content)
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(note)
    try:
        with contextlib.suppress(*REFUSED):
            (read_safetensors if content[8:9] == b"{" else read_ckpt)(path)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("make", LARGE.values(), ids=LARGE)
def test_large_files_take_as_many_calls_as_they_have_entries(tmp_path, make):
    path = tmp_path / "x"
    calls(path, make(10))
    few, many = calls(path, make(500)), calls(path, make(2000))
    assert many < 4.5 * few


@pytest.mark.parametrize("sizes", [[2**62], [2**62, 4], [2**64 - 1], [0, 2**62], [2**31] * 64])
def test_sizes_that_no_array_has(tmp_path, sizes):
    (tmp_path / "x.ckpt").write_bytes(encoded([entry(b"w", sizes, b"")]))
    told = {"w": {"dtype": "F32", "shape": sizes, "data_offsets": [0, 0]}}
    (tmp_path / "x.safetensors").write_bytes(safetensors_file(told, b""))
    with pytest.raises(ValueError, match=r"'w'|shape"):
        read_ckpt(tmp_path / "x.ckpt")
    with pytest.raises(ValueError, match=r"shape|[Oo]verflow|too big"):
        read_safetensors(tmp_path / "x.safetensors")


def test_100_000_sizes_are_refused_at_the_first_too_many(tmp_path):
    (tmp_path / "x.ckpt").write_bytes(encoded([entry(b"w", [2**62] * 100_000, b"")]))
    with pytest.raises(ValueError, match="more than 64 sizes"):
        read_ckpt(tmp_path / "x.ckpt")
