"""Which devices there are, asked of JAX; choosing one is ``set_device``."""

from __future__ import annotations

from typing import Any

import jax

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad.context import get_context

__all__ = [
    "device_count",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_initialized",
]

TARGETS = ("CPU", "GPU", "TPU", "Ascend")


def local_devices(target: str) -> list[Any]:
    """Give the devices of a kind that JAX has in this process, none if it lacks the kind."""
    try:
        return jax.local_devices(backend=target.lower())
    except RuntimeError:
        return []


def devices_of(device_target: str | None) -> list[Any]:
    """Give the devices of a kind that must be there.

    Args:
        device_target: ``'CPU'``, ``'GPU'`` or ``'TPU'``; None for that of the current device.

    Raises:
        TypeError: If it is not a str.
        ValueError: If it is unknown, or JAX has no such device.
    """
    target = get_context("device_target") if device_target is None else device_target
    if not isinstance(target, str):
        raise ArgumentTypeError(
            f"The argument 'device_target' must be str, but got {target}, type is {type(target)}."
        )
    if target not in TARGETS:
        raise ArgumentValueError(
            f"The argument 'device_target' must be one of {list(TARGETS)}, but got {target}."
        )
    devices = local_devices(target)
    if not devices:
        raise ArgumentValueError(
            f"{target} backend is not available: JAX has {jax.default_backend().upper()} here. "
            "You can call hal.is_available first; another backend needs its own build of JAX."
        )
    return devices


def device_of(device_id: int, device_target: str | None) -> Any:
    """Give one device.

    Raises:
        TypeError: If the number is not an int.
        ValueError: If there is no such device.
    """
    devices = devices_of(device_target)
    if not isinstance(device_id, int):
        raise ArgumentTypeError(
            f"The argument 'device_id' must be int, but got {device_id}, type is {type(device_id)}."
        )
    if device_id < 0:
        raise ArgumentValueError(
            f"The argument 'device_id' should not be negative, but got {device_id}."
        )
    if device_id >= len(devices):
        raise ArgumentValueError(
            f"The argument 'device_id' must be less than device count: {len(devices)}, but got "
            f"{device_id}."
        )
    return devices[device_id]


def is_available(device_target: str) -> bool:
    """Tell whether JAX has a device of a kind.

    Raises:
        ValueError: For an unknown kind.
    """
    if device_target not in TARGETS:
        raise ArgumentValueError(
            f"For 'hal.is_available', the argument 'device_target' must be one of {list(TARGETS)}, "
            f"but got {device_target}."
        )
    return bool(local_devices(device_target))


def is_initialized(device_target: str) -> bool:
    """Tell whether a kind of device is ready for use: where JAX has one, it is.

    Raises:
        ValueError: For an unknown kind.
    """
    return is_available(device_target)


def device_count(device_target: str | None = None) -> int:
    """Give how many devices of a kind (the current one's, for None) JAX has in this process.

    Raises:
        TypeError: If the kind is not a str.
        ValueError: If it is unknown, or JAX has no such device.
    """
    return len(devices_of(device_target))


def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """Give the name of a device: ``'CPU'``, or what JAX calls it, as ``'NVIDIA H100'``.

    Raises:
        TypeError, ValueError: If there is no such device.
    """
    device = device_of(device_id, device_target)
    return "CPU" if device.platform == "cpu" else device.device_kind


def get_device_capability(
    device_id: int, device_target: str | None = None
) -> tuple[int, int] | None:
    """Give the compute capability (major, minor) of a GPU; None for a CPU.

    Raises:
        TypeError, ValueError: If there is no such device.
        NotImplementedError: For a device without one.
    """
    device: Any = device_of(device_id, device_target)
    if device.platform == "cpu":
        return None
    capability = getattr(device, "compute_capability", "")
    major, _, minor = capability.partition(".")
    if not major.isdigit() or not minor.isdigit():
        raise UnsupportedError(
            f"JAX knows no compute capability of {device.device_kind}; nearest: "
            "hal.get_device_name."
        )
    return int(major), int(minor)


def get_device_properties(device_id: int, device_target: str | None = None) -> None:
    """Give None for a CPU, as MindSpore.

    Raises:
        TypeError, ValueError: If there is no such device.
        NotImplementedError: For any other device.
    """
    if device_of(device_id, device_target).platform != "cpu":
        raise UnsupportedError(
            "JAX has no table of device properties; nearest: hal.get_device_name, "
            "hal.get_device_capability, hal.memory_stats."
        )


def get_arch_list(device_target: str | None = None) -> None:
    """Give None for the CPU, as MindSpore.

    Raises:
        TypeError, ValueError: If there is no such device.
        NotImplementedError: For any other device.
    """
    if devices_of(device_target)[0].platform != "cpu":
        raise UnsupportedError(
            "JAX has no list of architectures; nearest: hal.get_device_capability."
        )
