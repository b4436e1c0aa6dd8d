"""``mindspore.train._utils``: the helper that training scripts import from there."""

from __future__ import annotations

import os

from msgrad._core.errors import ArgumentTypeError


def _make_directory(path: str, arg_name: str = "path") -> str:
    """Make a folder, with those above it, unless it is there; gives its whole path.

    Raises:
        TypeError: If the path is not a str, or empty.
        OSError: If the folder cannot be made.
    """
    if not isinstance(path, str) or not path.strip():
        raise ArgumentTypeError(f"The {arg_name} is invalid, the type should be string.")
    folder = os.path.realpath(path)
    os.makedirs(folder, exist_ok=True)
    return folder
