"""Checkpoint files with odd names, sizes and entries: what loads, and what is refused how."""

import os
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor

from tests.parity.case import case


def in_a_folder(function, *arguments, **options):
    """Call a function where the current folder is a new one; returns what it returns."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return function(*arguments, **options)
        finally:
            os.chdir(before)


def made(name="w"):
    return [Parameter(Tensor([1.0, 2.0], ms.float32), name=name)]


# Names --------------------------------------------------------------------------------------

_FORMATS = ("ckpt", "safetensors")
_ODD = {
    "nul": "a\0b",
    "half_a_pair": "\ud800",
    "odd_byte": "\udcff",
    "slash": "a/b",
    "newline": "a\nb",
    "quote": 'a"\\b',
    "long": "x" * 300,
    "umlauts": "äöü😀",
}


def through_by_name(parameter, format):
    ms.save_checkpoint(
        [{"name": parameter, "data": Tensor([1.0], ms.float32)}], f"x.{format}", format=format
    )
    return list(ms.load_checkpoint(f"x.{format}", format=format))


@case.table(
    {f"{key}_{format}": (name, format) for key, name in _ODD.items() for format in _FORMATS}
)
def name_of_a_parameter(name, format):
    return in_a_folder(through_by_name, name, format)


def through_a_file(name, format):
    ms.save_checkpoint(made(), f"{name}.{format}", format=format)
    loaded = ms.load_checkpoint(f"{name}.{format}", format=format)
    return list(loaded), [len(os.fsencode(file)) for file in os.listdir()]


_FILES = {
    "half_a_pair": "\ud800",
    "nul": "a\0b",
    "odd_byte": "\udcff",
    "umlauts": "ä" * 115,
    "of_240": "x" * 228,
    "of_245": "x" * 233,
    "of_250": "x" * 238,
    "of_255": "x" * 243,
}


@case.table(
    {f"{key}_{format}": (name, format) for key, name in _FILES.items() for format in _FORMATS}
)
def name_of_a_file(name, format):
    return in_a_folder(through_a_file, name, format)


@case
def name_of_a_file_too_long_to_save():
    return in_a_folder(ms.save_checkpoint, made(), "x" * 300)


@case.table({format: (format,) for format in _FORMATS})
def name_of_a_file_too_long_to_load(format):
    return in_a_folder(ms.load_checkpoint, "x" * 300 + f".{format}", format=format)


@case.table({"nul": ("a\0b",), "half_a_pair": ("\ud800",)})
def name_of_a_file_to_load(name):
    return in_a_folder(ms.load_checkpoint, f"{name}.ckpt")


@case
def text_with_half_a_pair():
    def through():
        ms.save_checkpoint(made(), "x.ckpt", append_dict={"note": "a\ud800b"})
        return ms.load_checkpoint("x.ckpt")["note"] == "a\ud800b"

    return in_a_folder(through)


# Encrypted ones -----------------------------------------------------------------------------


@case.table({mode: (mode,) for mode in ("AES-GCM", "AES-CBC", "SM4-CBC")})
def encrypted_and_loaded_without_a_key(mode):
    """The files are those that MindSpore wrote."""
    folder = os.path.join(os.path.dirname(__file__), "..", "..", "interop", "golden")
    name = "encrypted.ckpt" if mode == "AES-GCM" else f"encrypted_{mode}.ckpt"
    return ms.load_checkpoint(os.path.join(folder, name))


# Entries ------------------------------------------------------------------------------------


def varint(value):
    out = []
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number, content):
    return bytes([number * 8 + 2]) + varint(len(content)) + content


def entry(sizes, content, dtype=b"Float32", name=b"w"):
    described = b"".join(b"\x08" + varint(size) for size in sizes)
    return field(1, field(1, name) + field(2, described + field(2, dtype) + field(3, content)))


_FOUR = np.array([1.5], np.float32).tobytes()
_ENTRIES = {
    "one": entry([1], _FOUR),
    "twice": entry([1], bytes(4)) + entry([1], bytes(4), name=b"v") + entry([1], _FOUR),
    "nul_in_the_name": entry([1], _FOUR, name=b"a\0b"),
    "name_of_no_text": entry([1], _FOUR, name=b"\xff"),
    "fields_in_another_order": field(
        1, field(2, field(3, _FOUR) + field(2, b"Float32") + b"\x08\x01") + field(1, b"w")
    ),
    "name_twice": field(
        1,
        field(1, b"a")
        + field(1, b"w")
        + field(2, b"\x08\x01" + field(2, b"Float32") + field(3, _FOUR)),
    ),
    "size_of_2_62": entry([2**62, 4], b""),
    "size_of_2_62_and_none": entry([0, 2**62], b""),
    "size_below_0": entry([2**64 - 1], _FOUR),
    "two_sizes_below_0": entry([2**64 - 1, 2**64 - 1], _FOUR),
    "100_sizes": entry([1] * 100, _FOUR),
    "1000_sizes": entry([1] * 1000, _FOUR),
    "no_dtype": field(1, field(1, b"w") + field(2, b"\x08\x01" + field(3, _FOUR))),
    "unknown_dtype": entry([1], _FOUR, b"Float31"),
    "text": entry([0], "größer".encode("utf-32-le"), b"str"),
    "text_of_half_a_pair": entry([0], "a\ud800".encode("utf-32-le", "surrogatepass"), b"str"),
    "text_of_three_bytes": entry([0], b"abc", b"str"),
    "text_beyond_unicode": entry([0], b"\xff" * 4, b"str"),
}


def loaded(content):
    with open("x.ckpt", "wb") as file:
        file.write(content)
    values = ms.load_checkpoint("x.ckpt")
    # As ASCII, which half a surrogate pair can be recorded in.
    return {name: ascii(one) if isinstance(one, str) else one for name, one in values.items()}


@case.table({key: (content,) for key, content in _ENTRIES.items()})
def entry_of_a_file(content):
    return in_a_folder(loaded, content)


def converted():
    from mindspore.train import serialization

    ms.save_checkpoint([{"name": "w", "data": Tensor([1.5])}], "x.ckpt")
    serialization.ckpt_to_safetensors("x.ckpt", "there")
    serialization.safetensors_to_ckpt("there/x.safetensors", "back")
    return ms.load_checkpoint("back/x.ckpt")["w"].asnumpy()


@case
def converted_and_back():
    return in_a_folder(converted)
