"""The checks of the arguments of ``save_checkpoint`` and ``load_checkpoint``; no file is opened."""

from __future__ import annotations

import os
from typing import Any

from msgrad import log
from msgrad._core.bridge import is_tensor
from msgrad._core.checks import one_of
from msgrad._core.declared import check
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.interop._encryption import Cipher

_FORMATS = ("safetensors", "ckpt")


def target(name: str, format: Any) -> str:
    """Return the whole path of the file that ``save_checkpoint`` is to write.

    Raises:
        ValueError: For an unknown format, or a name that no file can have.
        IsADirectoryError: If the name is that of a folder.
    """
    one_of("save_checkpoint", "format", format, *_FORMATS)
    _check_name("save_checkpoint", name)
    path = os.path.realpath(name)
    if not path.endswith(format) and not os.path.isdir(path):
        path += f".{format}"
    if os.path.isdir(path):
        raise IsADirectoryError(
            f"For 'save_checkpoint', the parameter `ckpt_file_name`: {path} is a directory, it "
            "must be a file name."
        )
    return path


def _check_name(call: str, name: str) -> None:
    """Refuse what no file system can have as a name.

    Raises:
        ValueError: For a NUL, or half a surrogate pair (``UnicodeEncodeError``).
    """
    told = f"For '{call}', the file name {name[:200]!r}"
    if "\0" in name:
        raise ArgumentValueError(f"{told} holds an embedded null byte, which ends a name.")
    try:
        os.fsencode(name)
    except UnicodeEncodeError as error:
        error.reason = f"surrogates not allowed. {told} must be a text that can be encoded"
        raise


def check_entries(what: str, values: Any, *kinds: type) -> None:
    """Check that the names in a dict are texts, and its values Tensors or of ``kinds``.

    Raises:
        TypeError: If one is not.
    """
    for name, value in values.items():
        if not isinstance(name, str) or not (is_tensor(value) or isinstance(value, kinds)):
            raise ArgumentTypeError(
                f"For 'save_checkpoint', the keys of {what} must be str and the values Tensor or "
                f"one of {[kind.__name__ for kind in kinds]}, but got the type of key {type(name)} "
                f"and the type of value {type(value)}."
            )


def source(name: Any, format: Any) -> str:
    """Return the whole path of the file that ``load_checkpoint`` is to read.

    Raises:
        TypeError: If the name is not a str.
        ValueError: For an unknown format, another ending, a name that no file can have, or a file
            that does not exist.
    """
    if not isinstance(name, str):
        raise ArgumentTypeError(
            "For 'load_checkpoint', the argument 'ckpt_file_name' must be string, but got "
            f"{type(name)}."
        )
    one_of("load_checkpoint", "format", format, *_FORMATS)
    if not name.endswith(format):
        raise ArgumentValueError(
            "For 'load_checkpoint', the checkpoint file format must same with 'format', but got "
            f"file_name:'{name}', format:'{format}'"
        )
    _check_name("load_checkpoint", name)
    path = os.path.realpath(name)
    if not os.path.exists(path):
        raise ArgumentValueError(
            f"For 'load_checkpoint', the checkpoint file: {path} does not exist, please check "
            "whether the 'ckpt_file_name' is correct."
        )
    return path


def prefixes_of(argument: str, value: Any) -> tuple[str, ...]:
    """Return the prefixes of names as a tuple, empty for None; logs that they are outdated.

    Raises:
        TypeError: If it is not a str, or a list or tuple of str.
        ValueError: For an empty one.
    """
    if value is None:
        return ()
    both = "'specify_prefix' or 'filter_prefix'"
    check("load_checkpoint", argument, "Word | list[Word] | tuple[Word, ...]", value)
    prefixes = (value,) if isinstance(value, str) else tuple(value)
    if not prefixes:
        raise ArgumentValueError(
            f"For 'load_checkpoint', the argument {both} can't be empty when {both} is list or "
            "tuple."
        )
    if "" in prefixes:
        raise ArgumentValueError(f"For 'load_checkpoint', the value of {both} can't include ''.")
    log.warning(
        "For load_checkpoint, this parameter `%s` will be deprecated, please use `choice_func` "
        "instead.",
        argument,
    )
    return prefixes


def check_instance(name: str, value: Any, kinds: Any) -> None:
    """Check the type of an argument.

    Raises:
        ValueError: For another type, as MindSpore has it.
    """
    if not isinstance(value, kinds):
        raise ArgumentValueError(
            f"The parameter '{name}' must be isinstance of {kinds}, but got {value}."
        )


def cipher_of(
    call: str, which: str, key: Any, mode: Any, format: str, crc_check: bool = False
) -> Cipher | None:
    """Return what a checkpoint is encrypted with, None without a key.

    Raises:
        ValueError: For arguments that MindSpore refuses too, or a checksum, with which it cannot
            read the file.
        ImportError: Without the package ``cryptography``.
    """
    check_instance(f"{which}_key", key, (type(None), bytes))
    check_instance(f"{which}_mode", mode, str)
    if key is None:
        return None
    if format == "safetensors":
        raise ArgumentValueError(
            f"For '{call}', when format is 'safetensors', the parameter '{which}_key' must be set "
            f"to default value 'None', but got '{key}'."
        )
    if crc_check:
        raise ArgumentValueError(
            f"For '{call}', 'crc_check' must be False with a key, but got True; AES-GCM notices "
            "what is damaged."
        )
    return Cipher(key, mode)
