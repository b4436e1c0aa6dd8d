"""Which devices there are, asked of JAX; choosing one is ``set_device``."""

from __future__ import annotations

from typing import Any

import jax

from msgrad._core.checks import of_type, one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.exports import public_names
from msgrad.context import get_context

_TARGETS = ("CPU", "GPU", "TPU", "Ascend")


def _local_devices(target: str) -> list[Any]:
    """Return the devices of a kind that JAX has in this process, none if it lacks the kind."""
    try:
        return jax.local_devices(backend=target.lower())
    except RuntimeError:
        return []


def _devices_of(device_target: str | None) -> list[Any]:
    """Return the devices of a kind that must be there, of the current one's for None.

    Raises:
        TypeError: If it is not a str.
        ValueError: If it is unknown, or JAX has no such device.
    """
    target = get_context("device_target") if device_target is None else device_target
    of_type(None, "device_target", target, str)
    one_of(None, "device_target", target, *_TARGETS)
    devices = _local_devices(target)
    if not devices:
        raise ArgumentValueError(
            f"{target} backend is not available: JAX has {jax.default_backend().upper()} here. "
            "You can call hal.is_available first; another backend needs its own build of JAX."
        )
    return devices


def _device_of(device_id: int, device_target: str | None) -> Any:
    devices = _devices_of(device_target)
    if not isinstance(device_id, int):
        raise ArgumentTypeError(
            f"The argument 'device_id' must be int, but got {device_id}, type is {type(device_id)}."
        )
    if not 0 <= device_id < len(devices):
        raise ArgumentValueError(
            f"The argument 'device_id' must be 0 or more, and less than device count: "
            f"{len(devices)}, but got {device_id}."
        )
    return devices[device_id]


def _only_of_a_cpu(device: Any, what: str, nearest: str) -> None:
    if device.platform != "cpu":
        raise UnsupportedError(f"JAX has no {what}; nearest: {nearest}.")


def is_available(device_target: str) -> bool:
    """Whether JAX has a device of a kind, ready for use.

    Raises:
        ValueError: For an unknown kind.
    """
    one_of(None, "device_target", device_target, *_TARGETS)
    return bool(_local_devices(device_target))


is_initialized = is_available


def device_count(device_target: str | None = None) -> int:
    """Return how many devices of a kind (the current one's, for None) JAX has in this process.

    Raises:
        TypeError: If the kind is not a str.
        ValueError: If it is unknown, or JAX has no such device.
    """
    return len(_devices_of(device_target))


def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """Return the name of a device: ``'CPU'``, or what JAX calls it, as ``'NVIDIA H100'``.

    Raises:
        TypeError, ValueError: If there is no such device.
    """
    device = _device_of(device_id, device_target)
    return "CPU" if device.platform == "cpu" else device.device_kind


def get_device_capability(
    device_id: int, device_target: str | None = None
) -> tuple[int, int] | None:
    """Return the compute capability (major, minor) of a GPU; None for a CPU.

    Raises:
        TypeError, ValueError: If there is no such device.
        NotImplementedError: For a device without one.
    """
    device: Any = _device_of(device_id, device_target)
    if device.platform == "cpu":
        return None
    major, _, minor = getattr(device, "compute_capability", "").partition(".")
    if not major.isdigit() or not minor.isdigit():
        raise UnsupportedError(
            f"JAX knows no compute capability of {device.device_kind}; nearest: "
            "hal.get_device_name."
        )
    return int(major), int(minor)


def get_device_properties(device_id: int, device_target: str | None = None) -> None:
    """Return None for a CPU, as MindSpore.

    Raises:
        TypeError, ValueError: If there is no such device.
        NotImplementedError: For any other device.
    """
    nearest = "hal.get_device_name, hal.get_device_capability, hal.memory_stats"
    _only_of_a_cpu(_device_of(device_id, device_target), "table of device properties", nearest)


def get_arch_list(device_target: str | None = None) -> None:
    """Return None for the CPU, as MindSpore.

    Raises:
        TypeError, ValueError: If there is no such device.
        NotImplementedError: For any other device.
    """
    device = _devices_of(device_target)[0]
    _only_of_a_cpu(device, "list of architectures", "hal.get_device_capability")


__all__ = public_names(globals())
