"""``mindspore.device_manager``: the current device, and blocks that run on another one."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import jax

from msgrad.context import _find_device, get_context, set_device

__all__ = ["DeviceCtx", "get_current_device", "set_device"]


class DeviceInfo(NamedTuple):
    """A device: its kind, as ``'CPU'``, and its number."""

    device_target: str
    device_id: int

    def __repr__(self) -> str:
        return repr(tuple(self))


def get_current_device() -> DeviceInfo:
    """Return the device that new Tensors are made on."""
    target = get_context("device_target")
    device: Any = jax.config.values["jax_default_device"]
    if not isinstance(device, jax.Device):
        return DeviceInfo(target, 0)
    return DeviceInfo(target, jax.local_devices(backend=device.platform).index(device))


class DeviceCtx:
    """A ``with`` block whose new Tensors are made on a device.

    Args:
        name: ``'CPU'``, ``'GPU'`` or ``'TPU'``.
        device_id: Which of these devices; None for the first.

    Raises:
        RuntimeError: When the block is entered, for a device that JAX does not have here.
    """

    def __init__(self, name: str, device_id: int | None = None) -> None:
        self._name, self._device_id = name, device_id or 0
        self._inside: list[AbstractContextManager[Any]] = []

    def __enter__(self) -> DeviceCtx:
        block = jax.default_device(_find_device(self._name, self._device_id))
        block.__enter__()
        self._inside.append(block)
        return self

    def __exit__(self, *error: Any) -> None:
        self._inside.pop().__exit__(*error)
