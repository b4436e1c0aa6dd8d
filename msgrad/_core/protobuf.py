"""Protobuf, written: https://protobuf.dev/programming-guides/encoding. ``interop`` reads it."""

from __future__ import annotations

_BYTES = 2


def as_varint(number: int) -> bytes:
    """Return an int of 64 bits, as protobuf has it; a negative one as its complement."""
    number &= 2**64 - 1
    coded = bytearray()
    while number > 0x7F:
        coded.append(number & 0x7F | 0x80)
        number >>= 7
    coded.append(number)
    return bytes(coded)


def before_bytes(number: int, size: int) -> bytes:
    """Return what stands before the content of field ``number``, a text or message of a size."""
    return as_varint(number << 3 | _BYTES) + as_varint(size)
