"""``mindspore.common.device``: another import path of ``DeviceCtx``."""

from msgrad.device_manager import DeviceCtx as DeviceCtx
