"""Messages of protobuf put together, and taken apart; what their fields mean, others know.

https://protobuf.dev/programming-guides/encoding. Checkpoints, which come in streams, are read and
checked field by field elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class DamagedFile(Exception):
    """The content is not what its format says."""


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
    return as_varint(number << 3 | 2) + as_varint(size)


# Of numbers that are not varints, by their kind.
_SIZES = {1: 8, 5: 4}


def varint(block: bytes, at: int) -> tuple[int, int]:
    """Read a varint; returns it and the position behind it."""
    value = 0
    try:
        for shift in range(0, 70, 7):
            byte = block[at]
            at += 1
            if byte < 0x80:
                return value | byte << shift, at
            value |= (byte & 0x7F) << shift
    except IndexError:
        raise DamagedFile("it ends inside a number") from None
    raise DamagedFile("a number is longer than 64 bits")


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Yield number and content of a message's fields: bytes, or an int for a varint.

    Raises:
        DamagedFile: If it ends too early, or has a field of no known kind.
    """
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind in (0, 2):
            value, at = varint(data, at)
            if kind == 0:
                yield key >> 3, value
                continue
        else:
            value = _SIZES.get(kind, 0)
            if not value:
                raise DamagedFile(f"there is no field of kind {kind}")
        if at + value > len(data):
            raise DamagedFile("it ends inside a field")
        yield key >> 3, data[at : at + value]
        at += value


def signed(number: int) -> int:
    """Return the int64 that a varint stands for."""
    return number - 2**64 if number >> 63 else number


def int64s(message: bytes) -> tuple[int, ...]:
    """Return the int64 of a message that has them alone, packed or not."""
    return tuple(number for _, value in fields(message) for number in packed(value))


def packed(field: Any) -> Iterator[int]:
    """Yield the int64 of a field: of one that is not packed, its own."""
    if isinstance(field, int):
        yield signed(field)
        return
    at = 0
    while at < len(field):
        number, at = varint(field, at)
        yield signed(number)
