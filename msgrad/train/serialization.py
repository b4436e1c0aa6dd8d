"""Saving and loading checkpoints under MindSpore's names; the file formats are in ``interop``."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any

import numpy as np

from msgrad import context as context
from msgrad import log
from msgrad._core.bridge import is_tensor, unwrap
from msgrad._core.checks import one_of
from msgrad._core.declared import Word, checked, guarded
from msgrad._core.engine import concrete
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad._core.ownership import is_my_turn, lock, wait_for_turn
from msgrad.common._construct import to_array
from msgrad.common.parameter import Parameter
from msgrad.interop._encryption import Cipher
from msgrad.interop.ckpt import ckpt_items, has_checksum, write_ckpt
from msgrad.interop.safetensors_io import read_safetensors, write_safetensors
from msgrad.nn.cell import Cell
from msgrad.train._checkpoint_arguments import (
    check_entries,
    check_instance,
    cipher_of,
    prefixes_of,
    source,
    target,
)
from msgrad.train._export import export as export
from msgrad.train._export import load as load
from msgrad.train._load_into_net import _converted, load_param_into_net
from msgrad.train._load_into_net import _load_dismatch_prefix_params as _load_dismatch_prefix_params
from msgrad.train._strategy import build_searched_strategy as build_searched_strategy
from msgrad.train._strategy import joined

# What async saves are writing now; a later call that needs the files waits for it.
_pending: list[Future[None]] = []
# A forked child does not have the threads that write: it must not wait for them.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pending.clear)


@checked
def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: Word,
    integrated_save: bool = True,
    async_save: bool | Word = False,
    append_dict: dict[str, Any] | None = None,
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool | Any = False,
    format: str = "ckpt",
    **kwargs: Any,
) -> None:
    """Write parameters to a file that MindSpore and msgrad load, readable by its owner only.

    The name never holds half a file: the new one takes the place of the old when it is whole.

    Args:
        save_obj: A Cell (a network, an optimizer, a training cell: all its parameters, moments
            and counters), a list of Parameters or of ``{"name": str, "data": Tensor}``, or a dict
            of Parameters, Tensors, arrays or strings by name.
        ckpt_file_name: The file, in a folder that exists; ``.ckpt`` or ``.safetensors`` is added.
        integrated_save: Accepted for compatibility; must be a bool.
        async_save: True, ``'thread'`` or ``'process'`` copies the values now and writes them in a
            thread; failures there are logged.
        append_dict: Further entries: int, float, bool, str or Tensor by name. They replace
            parameters of the same name.
        enc_key: bytes, 16, 24 or 32 of them, or None; with a key the file is encrypted (needs the
            extra ``encryption``; only ``'ckpt'``, without ``crc_check``).
        enc_mode: ``'AES-GCM'``, ``'AES-CBC'`` or ``'SM4-CBC'`` (of 16 bytes).
        choice_func: Called with each parameter's name; False leaves it out.
        crc_check: Whether to add a checksum, for ``load_checkpoint(..., crc_check=True)``.
        format: ``'ckpt'``, or ``'safetensors'`` (needs the extra ``checkpoints``; no strings).
        kwargs: Accepted for compatibility (``incremental``, ``remove_redundancy``, ...).

    Raises:
        TypeError: For arguments or values of other types.
        ValueError: For values that are not accepted.
        ImportError: For an ``enc_key``, without the package ``cryptography``.
        OSError: If the file cannot be written; an existing one is as it was.
    """
    path = target(ckpt_file_name, format)
    one_of("save_checkpoint", "async_save", async_save, True, False, "process", "thread")
    check_entries("'append_dict'", append_dict or {}, int, float, bool, str)
    check_instance("crc_check", crc_check, bool)
    cipher = cipher_of("save_checkpoint", "enc", enc_key, enc_mode, format, crc_check)
    values = _values_of(save_obj, choice_func)
    for name, value in (append_dict or {}).items():
        values[name] = value if isinstance(value, str) else _raw(value)
    metadata = {"remove_redundancy": "True"} if kwargs.get("remove_redundancy") else None
    if not async_save:
        _settle()
        _write(path, _on_host(values), crc_check, format, metadata, cipher)
        return
    # Copies, since a compiled step may reuse the memory of what it replaces.
    copies = {name: np.array(value) for name, value in _on_host(values).items()}
    _settle()
    _pending.append(_in_thread(_write_logged, path, copies, crc_check, format, metadata, cipher))


@guarded
def load_checkpoint(
    ckpt_file_name: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | list[str] | tuple[str, ...] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | list[str] | tuple[str, ...] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    remove_redundancy: bool = False,
    format: str = "ckpt",
) -> dict[str, Any]:
    """Read a file that MindSpore or msgrad wrote.

    Args:
        ckpt_file_name: The file; its ending must be that of ``format``.
        net: A Cell to load the values into, as ``load_param_into_net`` does.
        strict_load: As there.
        filter_prefix: Names that begin so are left out.
        dec_key: The key of an encrypted file, see ``save_checkpoint``.
        dec_mode: As ``enc_mode`` there.
        specify_prefix: Only names that begin so are taken.
        choice_func: Called with each name; False leaves it out. Not asked if a prefix is given.
        crc_check: Whether to compare the file's checksum.
        remove_redundancy: Accepted for compatibility; must be a bool.
        format: ``'ckpt'``, or ``'safetensors'`` (needs the extra ``checkpoints``).

    Returns:
        Parameters by name, in the order of the file; a string is a ``str``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For values that are not accepted, a missing, truncated or damaged file, one
            that changes while it is read or is none (a folder, a pipe, a device), or if no name is
            left.
        ImportError: For a ``dec_key``, without the package ``cryptography``.
        RuntimeError: If the values do not fit ``net``, which is unchanged then.

    Differs from MindSpore: also with ``'safetensors'`` the prefixes count and each Parameter has
    the name of its entry; complex and float8 entries can be loaded.
    """
    _settle()
    drop, keep = (
        prefixes_of("filter_prefix", filter_prefix),
        prefixes_of("specify_prefix", specify_prefix),
    )
    path = source(ckpt_file_name, format)
    if choice_func is not None and not callable(choice_func):
        raise ArgumentValueError(
            f"'{type(choice_func).__name__}' object is not callable: 'choice_func' is a function "
            "of a name."
        )
    check_instance("crc_check", crc_check, bool)
    cipher = cipher_of("load_checkpoint", "dec", dec_key, dec_mode, format, crc_check)
    check_instance("remove_redundancy", remove_redundancy, bool)

    def wanted(name: str) -> bool:
        if drop or keep:
            return not name.startswith(drop) and (not keep or name.startswith(keep))
        return choice_func is None or bool(choice_func(name))

    loaded = {
        name: str(value) if value.dtype.kind == "U" else Parameter(value, name)
        for name, value in _read(path, crc_check, format, wanted, cipher)
    }
    if not loaded:
        raise ArgumentValueError(
            "The loaded parameter dict is empty after filter or specify, please check whether "
            f"'filter_prefix' or 'specify_prefix' are set correctly. The file is {path}."
        )
    if net is not None:
        load_param_into_net(net, loaded, strict_load)
    return loaded


def load_checkpoint_async(
    ckpt_file_name: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | list[str] | tuple[str, ...] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | list[str] | tuple[str, ...] | None = None,
    choice_func: Callable[[str], bool] | None = None,
) -> Future[dict[str, Any]]:
    """Read a ``.ckpt`` file in a thread; see ``load_checkpoint`` for arguments and errors.

    Returns:
        A future; its ``result()`` returns the dict, or raises.
    """
    given = dict(locals())
    return _in_thread(partial(load_checkpoint, **given))


def async_ckpt_thread_status() -> bool:
    """Whether a file is being written by ``save_checkpoint(..., async_save=True)``."""
    return any(not job.done() for job in _pending)


@checked
def load_distributed_checkpoint(
    network: Cell,
    checkpoint_filenames: list[str] | None = None,
    predict_strategy: Any = None,
    train_strategy_filename: str | None = None,
    strict_load: bool = False,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    format: str = "ckpt",
    unified_safetensors_dir: str | None = None,
    dst_safetensors_dir: str | None = None,
    rank_id: int | None = None,
    output_format: str = "safetensors",
    name_map: dict[str, str] | None = None,
    max_process_num: int = 64,
    return_param_dict: bool = False,
) -> bool:
    """Load the checkpoints of several devices, each of a part, into a network.

    Args:
        network: Cell, whose Parameters are whole.
        checkpoint_filenames: The files of all devices, in their order.
        predict_strategy: Accepted for compatibility: Parameters are whole here.
        train_strategy_filename: The strategy file of the training; by default that which
            ``set_auto_parallel_context(strategy_ckpt_load_file=...)`` names.
        strict_load, dec_key, dec_mode: As in ``load_checkpoint`` and ``load_param_into_net``.
        format: Must be "ckpt".
        unified_safetensors_dir, dst_safetensors_dir, rank_id: Of the format "safetensors".
        output_format, name_map, max_process_num, return_param_dict: Of the format "safetensors".

    Returns:
        True. Parameters that the strategy file or the checkpoints do not have stay as they are.

    Raises:
        TypeError, ValueError: For other arguments, or other files than of as many devices.
        NotImplementedError: For "safetensors", and what is cut unevenly.
    """
    if format != "ckpt":
        raise UnsupportedError(
            "msgrad joins no parts of safetensors; nearest: load_checkpoint(format='safetensors'), "
            "which reads whole ones."
        )
    check_instance("network", network, Cell)
    check_instance("predict_strategy", predict_strategy, (dict, type(None)))
    files = checkpoint_filenames or []
    for i, file in enumerate(files):
        if not str(file).endswith(".ckpt") or not os.path.isfile(file):
            raise ArgumentValueError(
                f"For 'load_distributed_checkpoint', the {file} at index {i} must be a checkpoint "
                "file that exists, whose name ends with '.ckpt'."
            )
    path = train_strategy_filename or context.get_auto_parallel_context("strategy_ckpt_load_file")
    layouts = build_searched_strategy(path or "")
    if layouts and len(files) != math.prod(next(iter(layouts.values())).devices):
        raise ArgumentValueError(
            "For 'Load_distributed_checkpoint', the length of 'checkpoint_filenames' should be "
            "equal to the device count of training process. But got the length of "
            f"'checkpoint_filenames' is {len(files)}, and the layouts are {layouts}."
        )
    loaded = [load_checkpoint(file, dec_key=dec_key, dec_mode=dec_mode) for file in files]
    whole = {}
    for _, own in network.parameters_and_names():
        parts = [each[own.name].asnumpy() for each in loaded if own.name in each]
        if own.name in layouts and parts:
            whole[own.name] = Parameter(joined(parts, layouts[own.name]), name=own.name)
    load_param_into_net(network, whole, strict_load)
    return True


# Saving ---------------------------------------------------------------------------------------


def _in_thread(function: Callable[..., Any], *args: Any) -> Future[Any]:
    """Call a function in a thread that Python waits for at exit."""
    future: Future[Any] = Future()

    def run() -> None:
        try:
            future.set_result(function(*args))
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, name="msgrad-checkpoint").start()
    return future


def _settle() -> None:
    """Wait for the files that are being written."""
    for job in list(_pending):
        job.result()
        with suppress(ValueError):  # Another thread may have waited for it, too.
            _pending.remove(job)


def _write(
    path: str,
    values: Mapping[str, Any],
    crc_check: bool,
    format: str,
    metadata: Mapping[str, str] | None,
    cipher: Cipher | None,
) -> None:
    try:
        if format == "ckpt":
            write_ckpt(path, values, crc_check=crc_check, cipher=cipher)
        else:
            write_safetensors(path, values, crc_check=crc_check, metadata=metadata)
    except OSError as error:
        text = (
            f"{error.strerror or error}: failed to save the checkpoint file {path}. The folder "
            "must exist and be writable, and the disk have room; an existing file is as it was"
        )
        raise type(error)(error.errno, text) from error


def _write_logged(path: str, *rest: Any) -> None:
    try:
        _write(path, *rest)
    except Exception as error:
        log.critical("Failed to save the checkpoint file %s: %s", path, error)


def _raw(value: Any) -> Any:
    return concrete(unwrap(value) if is_tensor(value) else to_array(value, None))


def _on_host(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v if isinstance(v, str) else np.asarray(v) for k, v in values.items()}


def _update_param(param: Parameter, new_param: Any, strict_load: bool) -> None:
    """Write a loaded value into a parameter, as ``load_param_into_net`` does."""
    param.set_data(_converted(param, new_param, strict_load))


def _values_of(save_obj: Any, choice_func: Callable[[str], bool] | None) -> dict[str, Any]:
    """Return raw arrays and strings by name."""
    if isinstance(save_obj, Cell):
        named: dict[str, Any] = {param.name: param for param in save_obj.get_parameters()}
    elif isinstance(save_obj, list):
        named = dict(_list_item(item) for item in save_obj)
    elif isinstance(save_obj, dict):
        named = dict(save_obj)
        check_entries("a dict 'save_obj'", named, np.ndarray, str)
    else:
        raise ArgumentTypeError(
            "For 'save_checkpoint', the parameter 'save_obj' must be nn.Cell, list or dict, but "
            f"got {type(save_obj)}."
        )
    wanted = {n: v for n, v in named.items() if choice_func is None or choice_func(n)}
    # Of one step, whatever another thread does.
    wait_for_turn()
    with lock:
        is_my_turn()
        return {n: _raw(value) if is_tensor(value) else value for n, value in wanted.items()}


def _exec_save(
    ckpt_file_name: str,
    data_list: Mapping[str, Any],
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
    map_param_inc: bool = False,
    crc_check: bool = False,
    format: str = "ckpt",
    remove_redundancy: bool | None = None,
) -> None:
    """Write a checkpoint of ``(shape, name of the dtype, values)`` by name; see save_checkpoint."""
    cipher = cipher_of("_exec_save", "enc", enc_key, enc_mode, format, crc_check)
    values = {name: _raw(value) for name, (_, _, value) in data_list.items()}
    _write(ckpt_file_name, _on_host(values), crc_check, format, None, cipher)


def _get_merged_param_data(
    net: Any, parameter_layout_dict: Any, param_name: str, param_data: Any, integrated_save: bool
) -> Any:
    """Return a Parameter's values, which are whole here, whatever devices train it."""
    return param_data


def _list_item(item: Any) -> tuple[str, Any]:
    if isinstance(item, Parameter):
        return item.name, item
    name, data = (item.get("name"), item.get("data")) if isinstance(item, dict) else (None, None)
    if not isinstance(name, str) or not is_tensor(data):
        raise ArgumentTypeError(
            "For save_checkpoint, a list 'save_obj' should hold Parameters, or dicts with the key "
            f"values 'name' (str) and 'data' (Tensor), but got {type(item)}: {item}."
        )
    return name, data


# Loading --------------------------------------------------------------------------------------


def _read(
    path: str, crc_check: bool, format: str, wanted: Callable[[str], bool], cipher: Cipher | None
) -> Iterator[tuple[str, np.ndarray]]:
    try:
        if crc_check and format == "ckpt" and not has_checksum(path):
            log.warning(
                "For 'load_checkpoint', the ckpt file do not contain the crc code, please check "
                "the file."
            )
        if format == "ckpt":
            yield from ckpt_items(path, crc_check=crc_check, wanted=wanted, cipher=cipher)
        else:
            found = read_safetensors(path, crc_check=crc_check)
            yield from (item for item in found.items() if wanted(item[0]))
    except OSError as error:
        raise ArgumentValueError(
            f"Failed to read the checkpoint file {path}. May not have permission to read it, "
            f"please check the correct of the file: {error.strerror or error}."
        ) from error


__all__ = public_names(globals(), "export", "load", "load_param_into_net")

_OTHERS = "get_ckpt_path_with_strategy merge_sliced_parameter restore_group_info_list"
_TOP = "ckpt_to_safetensors export_split_mindir safetensors_to_ckpt"
_INNER = "_parse_ckpt_proto tensor_to_ms_type tensor_to_np_type"
__getattr__ = missing_names(
    __name__,
    {
        **dict.fromkeys(_OTHERS.split(), "msgrad.parallel._sharded"),
        **dict.fromkeys(_INNER.split(), "msgrad.porting.inner.training"),
        **dict.fromkeys(_TOP.split(), "msgrad._top"),
        "_load_map_parameter": "msgrad.porting.inner.left_out",
    },
)
