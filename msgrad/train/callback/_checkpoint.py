"""``ModelCheckpoint`` and ``CheckpointConfig``: when to save in a training; not the file format."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable
from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.left_out import left_out
from msgrad._core.random import ENTRY
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell
from msgrad.train._checkpoint_arguments import check_instance
from msgrad.train.callback._callback import Callback, RunContext, a_bool, an_int
from msgrad.train.callback._monitored import Monitored
from msgrad.train.callback._resuming import CALLBACK_ENTRY, callback_state, random_state
from msgrad.train.serialization import _settle, save_checkpoint

__all__ = ["CheckpointConfig", "ModelCheckpoint"]


class CheckpointConfig:
    """When to save, and what to keep.

    Args:
        save_checkpoint_steps: int or None; save every so many steps; 0 saves never.
        save_checkpoint_seconds: int or None; save every so many seconds; only without steps.
        keep_checkpoint_max: int or None; how many files to keep, the newest; 0 keeps one.
        keep_checkpoint_per_n_minutes: int or None; keep the first file of every so many minutes,
            and the newest; only if ``keep_checkpoint_max`` is 0.
        integrated_save: Accepted for compatibility.
        async_save: Whether to write in a thread.
        saved_network: The Cell to save instead of network, optimizer and loss scale.
        append_info: list of what each file holds besides: ``'epoch_num'``, ``'step_num'``, dicts of
            int, float, bool, str or Tensor by name, and (msgrad only) ``'random_state'`` and
            ``'callback_state'``, see ``restore_random_state`` and ``restore_callback_state``.
        enc_key, enc_mode: As in ``save_checkpoint``.
        exception_save: Whether an exception that ends the training leaves a file
            ``{prefix}-{epoch}_{step}_breakpoint.ckpt``; with the format ``'ckpt'`` only.
        crc_check: Whether to add a checksum.
        remove_redundancy: Accepted for compatibility where ranks are parallel.
        format: ``'ckpt'`` or ``'safetensors'``.
        kwargs: Accepted for compatibility.

    Raises:
        TypeError, ValueError: For arguments that are not accepted.
    """

    def __init__(
        self,
        save_checkpoint_steps: int | None = 1,
        save_checkpoint_seconds: int | None = 0,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_per_n_minutes: int | None = 0,
        integrated_save: bool = True,
        async_save: bool | str = False,
        saved_network: Cell | None = None,
        append_info: list[Any] | None = None,
        enc_key: bytes | None = None,
        enc_mode: str = "AES-GCM",
        exception_save: bool = False,
        crc_check: bool = False,
        remove_redundancy: bool = False,
        format: str = "ckpt",
        **kwargs: Any,
    ) -> None:
        steps, seconds = save_checkpoint_steps, save_checkpoint_seconds
        newest, minutes = keep_checkpoint_max, keep_checkpoint_per_n_minutes
        for value in (steps, seconds, newest, minutes):
            if value is not None:
                an_int(value)
        if not (steps or seconds or newest or minutes):
            raise ArgumentValueError(
                "For 'CheckpointConfig', the input arguments 'save_checkpoint_steps', "
                "'save_checkpoint_seconds', 'keep_checkpoint_max' and "
                "'keep_checkpoint_per_n_minutes' can't be all None or 0."
            )
        self.save_checkpoint_steps = steps
        self.save_checkpoint_seconds = None if steps else seconds
        self.keep_checkpoint_max = newest
        self.keep_checkpoint_per_n_minutes = None if newest else minutes
        if not newest and not minutes:
            self.keep_checkpoint_max = 1
            self.keep_checkpoint_per_n_minutes = 0
        self.integrated_save = a_bool(integrated_save)
        if isinstance(async_save, str) and async_save not in ("process", "thread"):
            raise ArgumentValueError(
                "For 'save_checkpoint', the argument 'async_save' can only be 'process' or "
                f"'thread',but got {async_save}."
            )
        self.async_save = async_save if isinstance(async_save, str) else a_bool(async_save)
        if saved_network is not None and not isinstance(saved_network, Cell):
            raise ArgumentTypeError(
                "For 'CheckpointConfig', the type of 'saved_network' must be None or Cell, but got "
                f"{type(saved_network)}."
            )
        self.saved_network = saved_network
        self.append_dict = None if append_info is None else _append_dict(append_info)
        check_instance("enc_key", enc_key, (type(None), bytes))
        self.enc_key, self.enc_mode = enc_key, enc_mode
        self.exception_save = a_bool(exception_save)
        if exception_save and format == "safetensors":
            raise ArgumentValueError(
                "For 'save_checkpoint', when format is 'safetensors', other param must be default: "
                "with exception_save, leave the format at 'ckpt'."
            )
        check_instance("crc_check", crc_check, bool)
        check_instance("remove_redundancy", remove_redundancy, bool)
        self.remove_redundancy = remove_redundancy
        self.crc_check, self.format = crc_check, format
        self.map_param_inc = kwargs.get("map_param_inc", False)

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """Return what was settled, by name."""
        names = (
            "save_checkpoint_steps",
            "save_checkpoint_seconds",
            "keep_checkpoint_max",
            "keep_checkpoint_per_n_minutes",
            "saved_network",
        )
        return {name: getattr(self, name) for name in names}


def _append_dict(append_info: Any) -> dict[str, Any]:
    if not isinstance(append_info, list):
        raise ArgumentTypeError(
            "For 'CheckpointConfig', the type of 'append_info' must be list,but got "
            f"{type(append_info)}."
        )
    if sum(isinstance(item, dict) for item in append_info) > 1:
        raise ArgumentTypeError(
            "For 'CheckpointConfig', the element of 'append_info' must has only one dict."
        )
    found: dict[str, Any] = {}
    for item in append_info:
        if isinstance(item, str):
            if item not in ("epoch_num", "step_num", ENTRY, CALLBACK_ENTRY):
                raise ArgumentValueError(
                    "For 'CheckpointConfig', the value of element in the argument 'append_info' "
                    f"must be in ['epoch_num', 'step_num'], but got {item}. ('{ENTRY}' and "
                    f"'{CALLBACK_ENTRY}' are accepted too.)"
                )
            found[item] = 0
        elif isinstance(item, dict):
            for key, value in item.items():
                if not isinstance(key, str) or not isinstance(value, (int, float, str, Tensor)):
                    raise ArgumentTypeError(
                        "For 'CheckpointConfig', the key type of the dict 'append_info' must be "
                        "string, the value type must be int or float or bool, but got key type "
                        f"{type(key)}, value type {type(value)}"
                    )
            found.update(item)
        else:
            raise ArgumentTypeError(
                "For 'CheckpointConfig', the type of 'append_info' element must be str or dict,"
                f"but got {type(item)}."
            )
    return found


class ModelCheckpoint(Callback):
    """Save network, optimizer and loss scale in files ``{prefix}-{epoch}_{step}.ckpt``.

    To resume a training that was killed, from a file written at the end of an epoch with
    ``append_info=["epoch_num", "random_state", "callback_state"]``: build network, optimizer,
    Model, dataset and callbacks as before, then::

        state = ms.load_checkpoint(newest_file)
        ms.load_param_into_net(model.train_network, state)
        restore_random_state(state)
        restore_callback_state(state, callbacks)
        done = int(state["epoch_num"])
        dataset.set_init_step(done * dataset.get_dataset_size())
        model.fit(epochs, dataset, valid, callbacks=callbacks, initial_epoch=done)

    The losses are bit for bit those of a training that was not interrupted; where the shapes of
    batches differ, be it the last one of an epoch, after ``set_deterministic(True)`` in both. With
    ``'callback_state'``, what is due at the last step of an epoch is written after the evaluation
    that follows, when ``EarlyStopping`` and ``ReduceLROnPlateau`` have done their work; this
    callback must stand after them.

    Args:
        prefix: str without a slash, or a function of the callback parameters that gives a whole
            name. Where files with the prefix are there already, ``_1``, ``_2``, ... is added; that
            is settled here, so that ranks with one folder write files of the same names.
        directory: Folder, made if it is not there; or a function of the callback parameters; the
            current folder by default.
        config: CheckpointConfig.

    Raises:
        TypeError, ValueError: For arguments that are not accepted.
    """

    def __init__(
        self,
        prefix: str | Callable[[Any], str] = "CKP",
        directory: str | Callable[[Any], str] | None = None,
        config: CheckpointConfig | None = None,
    ) -> None:
        super().__init__()
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
            raise ArgumentValueError(
                "For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is invalid, "
                f"it must be callable or string that does not contain '/', but got {prefix}."
            )
        if not (directory is None or callable(directory) or isinstance(directory, str)):
            raise ArgumentTypeError(
                f"The path is invalid, the type should be string. Got {type(directory).__name__}."
            )
        if config is not None and not isinstance(config, CheckpointConfig):
            raise ArgumentTypeError(
                "For 'ModelCheckpoint', the type of argument 'config' should be "
                f"'CheckpointConfig', but got {type(config)}."
            )
        self._config = config or CheckpointConfig()
        self._prefix = prefix
        self._directory = directory
        self._given_prefix = prefix
        self._params: Any = None
        self._epoch_start = 0
        if isinstance(directory, str):
            os.makedirs(directory, exist_ok=True)
        if not (callable(prefix) or callable(directory)):
            folder, ending = os.path.realpath(directory or "."), f".{self._config.format}"
            self._prefix = _unused(folder, prefix, ending)
        self._named = not callable(directory)
        self._latest_ckpt_file_name = ""
        self._files: list[str] = []
        self._start()

    def _start(self) -> None:
        self._waits = False
        self._last_triggered_step = 0
        self._last_time = self._window = time.time()
        self._window_files: list[str] = []

    @property
    def latest_ckpt_file_name(self) -> str:
        """The path of the newest file, or ``''``."""
        return self._latest_ckpt_file_name

    def begin(self, run_context: RunContext) -> None:
        """Start counting steps."""
        self._params = run_context.original_args()
        mode = self._params.get("parallel_mode")
        if self._config.remove_redundancy and mode == "stand_alone":
            raise ArgumentTypeError(
                "The deduplication feature for saving checkpoint can only be used in parallel "
                f"scenarios, but got '{mode}'. Leave remove_redundancy out."
            )
        if self._after_epoch:
            self._check_order(self._params.get("list_callback") or [])
        self._start()

    def epoch_begin(self, run_context: RunContext) -> None:
        """Note where the steps of the epoch begin."""
        self._epoch_start = run_context.original_args().cur_step_num

    def __exit__(self, *error: Any) -> None:
        """Save what there is, if an exception ends the training and ``exception_save`` is set."""
        params, self._params = self._params, None
        if error[0] is None or not self._config.exception_save or "train_network" not in params:
            return
        folder, ending = self._folder(params), "_breakpoint.ckpt"
        prefix = self._given_prefix
        name = prefix(params) if callable(prefix) else _unused(folder, prefix, ending)
        step = params.cur_step_num - self._epoch_start
        path = os.path.join(folder, f"{name}-{params.get('cur_epoch_num', 0)}_{step}{ending}")
        keys = {"enc_key": self._config.enc_key, "enc_mode": self._config.enc_mode}
        save_checkpoint(params.train_network, path, append_dict=self._appended(params), **keys)

    @property
    def _after_epoch(self) -> bool:
        return CALLBACK_ENTRY in (self._config.append_dict or {})

    def _check_order(self, callbacks: list[Callback]) -> None:
        later = callbacks[callbacks.index(self) :] if self in callbacks else []
        if any(isinstance(one, Monitored) for one in later):
            raise ArgumentValueError(
                f"A ModelCheckpoint with '{CALLBACK_ENTRY}' must stand after EarlyStopping and "
                "ReduceLROnPlateau in the list of callbacks, to save what they have counted."
            )

    def step_end(self, run_context: RunContext) -> None:
        """Save if it is time to."""
        params = run_context.original_args()
        config, step = self._config, params.cur_step_num
        if config.save_checkpoint_steps:
            due = step >= self._last_triggered_step + config.save_checkpoint_steps
        else:
            seconds = config.save_checkpoint_seconds
            due = bool(seconds) and time.time() - self._last_time >= (seconds or 0)
        if due and self._after_epoch and step % params.batch_num == 0:
            self._waits = True
        elif due:
            self._save(params)

    def epoch_end(self, run_context: RunContext) -> None:
        """Save what waited for the end of the epoch."""
        if self._waits:
            self._save(run_context.original_args())

    def end(self, run_context: RunContext) -> None:
        """Save the last step, and wait for what is being written."""
        params = run_context.original_args()
        config = self._config
        saves = bool(config.save_checkpoint_steps or config.save_checkpoint_seconds)
        if saves and params.cur_step_num not in (0, self._last_triggered_step):
            self._save(params)
        _settle()

    def _folder(self, params: Any) -> str:
        folder = self._directory(params) if callable(self._directory) else self._directory
        folder = os.path.realpath(folder or ".")
        os.makedirs(folder, exist_ok=True)
        return folder

    def _path(self, params: Any) -> str:
        folder = self._folder(params)
        ending = f".{self._config.format}"
        if callable(self._prefix):
            name = self._prefix(params)
        else:
            if not self._named:
                self._prefix = _unused(folder, self._prefix, ending)
                self._named = True
            step = (params.cur_step_num - 1) % params.batch_num + 1
            name = f"{self._prefix}-{params.cur_epoch_num}_{step}"
        return os.path.join(folder, f"{name}{ending}")

    def _appended(self, params: Any) -> dict[str, Any] | None:
        if self._config.append_dict is None:
            return None
        entries = dict(self._config.append_dict)
        if "epoch_num" in entries:
            entries["epoch_num"] = params.get("cur_epoch_num", 0)
        if "step_num" in entries:
            entries["step_num"] = params.cur_step_num
        if ENTRY in entries:
            entries.update(random_state())
        if entries.pop(CALLBACK_ENTRY, None) is not None:
            entries.update(callback_state(params.list_callback))
        return entries

    def _save(self, params: Any) -> None:
        self._waits = False
        config, path = self._config, self._path(params)
        save_checkpoint(
            config.saved_network or params.train_network,
            path,
            config.integrated_save,
            config.async_save,
            self._appended(params),
            config.enc_key,
            config.enc_mode,
            crc_check=config.crc_check,
            format=config.format,
        )
        self._last_triggered_step = params.cur_step_num
        self._last_time = time.time()
        self._latest_ckpt_file_name = path
        params.last_save_ckpt_step = params.cur_step_num
        params.latest_ckpt_file = path
        # Old files go only now: whenever it is killed, a whole file is there.
        self._drop_old(path)

    def _drop_old(self, path: str) -> None:
        minutes = self._config.keep_checkpoint_per_n_minutes
        if minutes:
            if time.time() - self._window >= minutes * 60:
                self._window, self._window_files = time.time(), []
            self._window_files = [one for one in self._window_files if one != path] + [path]
            for old in self._window_files[1:-1]:
                _remove(old)
                self._window_files.remove(old)
            return
        if callable(self._prefix):
            return
        # As in MindSpore, each folder keeps its own.
        folder = os.path.dirname(path)
        here = [one for one in self._files if os.path.dirname(one) == folder and one != path]
        newest = self._config.keep_checkpoint_max or 1
        self._files = [*here, path][-newest:]
        for old in [*here, path][:-newest]:
            _remove(old)


def _unused(folder: str, prefix: str, ending: str) -> str:
    """Return the prefix, with a number one above the highest that files in the folder have."""
    pattern = re.compile(rf"{re.escape(prefix)}(?:_(\d+))?-\d+_\d+{re.escape(ending)}$")
    found = [match for name in os.listdir(folder) if (match := pattern.match(name))]
    return f"{prefix}_{max(int(m[1] or 0) for m in found) + 1}" if found else prefix


def _remove(path: str) -> None:
    # Somebody else may have removed it, another rank perhaps.
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


CheckpointManager = left_out(
    __name__,
    "CheckpointManager",
    "removes old checkpoints for ModelCheckpoint",
    "use ModelCheckpoint with keep_checkpoint_max",
)
