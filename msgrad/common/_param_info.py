"""``ParamInfo``: what MindSpore's C++ part notes of a Parameter, as optimizers of users read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def _noted(name: str, default: Any) -> Any:
    """Return a property that is the Parameter's own, or of none a value that was set."""

    def read(self: ParamInfo) -> Any:
        return self.kept.get(name, default) if self.obj is None else getattr(self.obj, name)

    def write(self: ParamInfo, value: Any) -> None:
        if self.obj is None:
            self.kept[name] = value
        else:
            setattr(self.obj, name, value)

    return property(read, write)


class ParamInfo:
    """Name and flags of ``obj``, a Parameter or None; further attributes may be set.

    Differs from MindSpore: what says how devices store a Parameter is not noted.
    """

    NOTED = {
        "name": "Parameter", "requires_grad": True, "layerwise_parallel": False,
        "parallel_optimizer": True, "comm_fusion": 1,
    }  # fmt: skip

    name, requires_grad, layerwise_parallel, parallel_optimizer, comm_fusion = (
        _noted(*item) for item in NOTED.items()
    )

    def __init__(self) -> None:
        self.obj: Any = None
        self.kept: dict[str, Any] = {}

    @property
    def parameter_shape(self) -> list[int]:
        """The shape of the Parameter; of a clone, that of the first one."""
        return self.kept.get("shape", [] if self.obj is None else list(self.obj.shape))

    @parameter_shape.setter
    def parameter_shape(self, value: Sequence[int]) -> None:
        self.kept["shape"] = list(value)

    def clone(self) -> ParamInfo:
        """Return one of no Parameter, of the same name and flags."""
        new = ParamInfo()
        new.kept = {name: getattr(self, name) for name in self.NOTED}
        new.kept["shape"] = self.parameter_shape
        return new
