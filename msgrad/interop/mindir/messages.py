"""MindIR's messages of protobuf as dicts: a table of their fields, read and written by it.

Names and numbers are those of MindSpore's ``mind_ir.proto``; fields that no graph needs to be run
are left out, and skipped where a file has them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

from msgrad._core.protobuf import as_varint, before_bytes, fields, packed, signed

# A field: its number, its kind (a scalar's, or the name of a message), and "*" where it repeats.
_MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "model": {
        "ir_version": (1, "text"),
        "producer_name": (2, "text"),
        "model_version": (5, "text"),
        "graph": (7, "graph"),
        "functions": (8, "graph*"),
        "little_endian": (10, "int"),
        "primitives": (12, "primitive*"),
        "mind_ir_version": (13, "int"),
    },
    "graph": {
        "node": (1, "node*"),
        "name": (2, "text"),
        "parameter": (3, "tensor*"),
        "input": (5, "value*"),
        "output": (6, "value*"),
    },
    "node": {
        "input": (1, "text*"),
        "output": (2, "text*"),
        "name": (3, "text"),
        "op_type": (4, "text"),
        "attribute": (5, "attribute*"),
        "domain": (7, "text"),
    },
    "value": {"name": (1, "text"), "tensor": (2, "tensor*"), "attr_info": (5, "attribute")},
    "primitive": {
        "name": (1, "text"),
        "op_type": (2, "text"),
        "attribute": (3, "attribute*"),
        "instance_name": (4, "text"),
        "prim_type": (5, "int"),
    },
    "attribute": {
        "name": (1, "text"),
        "f": (2, "float"),
        "i": (3, "int"),
        "d": (4, "double"),
        "s": (5, "bytes"),
        "floats": (8, "float*"),
        "doubles": (9, "double*"),
        "ints": (10, "int*"),
        "strings": (11, "bytes*"),
        "tensors": (12, "tensor*"),
        "type": (16, "int"),
        "values": (17, "attribute*"),
    },
    "tensor": {
        "dims": (1, "int*"),
        "data_type": (2, "int"),
        "name": (7, "text"),
        "raw_data": (9, "bytes"),
        "external_data": (12, "external"),
        "ref_key": (13, "text"),
    },
    "external": {"location": (1, "text"), "offset": (2, "int"), "length": (3, "int")},
}
_BY_NUMBER = {
    message: {number: (name, kind) for name, (number, kind) in rows.items()}
    for message, rows in _MESSAGES.items()
}

# How numbers stand in a file.
_WIRE = {"int": 0, "double": 1, "float": 5}


_TO_BYTES: dict[str, Callable[[Any], bytes]] = {
    "int": lambda value: as_varint(int(value)),
    "float": lambda value: struct.pack("<f", value),
    "double": lambda value: struct.pack("<d", value),
    "text": str.encode,
    "bytes": bytes,
}
_FROM_BYTES: dict[str, Callable[[Any], Any]] = {
    "int": signed,
    "float": lambda value: struct.unpack("<f", value)[0],
    "double": lambda value: struct.unpack("<d", value)[0],
    "text": bytes.decode,
    "bytes": bytes,
}


def encode(message: str, content: dict[str, Any]) -> bytes:
    """Return a message of the table as bytes; ``content`` has lists for fields that repeat."""
    parts: list[bytes] = []
    for name, value in content.items():
        number, kind = _MESSAGES[message][name]
        kind, repeats = kind.rstrip("*"), kind.endswith("*")
        for item in value if repeats else [value]:
            block = encode(kind, item) if kind in _MESSAGES else _TO_BYTES[kind](item)
            if kind in _WIRE:
                parts += [as_varint(number << 3 | _WIRE[kind]), block]
            else:
                parts += [before_bytes(number, len(block)), block]
    return b"".join(parts)


def decode(message: str, data: bytes) -> dict[str, Any]:
    """Return a message of the table as a dict: fields that are there, lists for those that repeat.

    Raises:
        DamagedFile: If it ends too early.
        ValueError: If a text is none.
    """
    found: dict[str, Any] = {}
    for number, value in fields(data):
        row = _BY_NUMBER[message].get(number)
        if row is None:
            continue
        name, kind = row[0], row[1].rstrip("*")
        if row[1].endswith("*"):
            found.setdefault(name, []).extend(_items(kind, value))
        else:
            found[name] = _item(kind, value)
    return found


def _item(kind: str, value: Any) -> Any:
    return decode(kind, value) if kind in _MESSAGES else _FROM_BYTES[kind](value)


def _items(kind: str, value: Any) -> Iterator[Any]:
    """Yield what one field of a repeating one holds: numbers may be packed."""
    if kind == "int":
        yield from packed(value)
    elif kind in ("float", "double"):
        yield from (number for (number,) in struct.iter_unpack(f"<{kind[0]}", value))
    else:
        yield _item(kind, value)
