"""What turns a network or Model into one for the optimizer THOR, which msgrad leaves out."""

from __future__ import annotations

from typing import Any

from msgrad._core.left_out import left_out

_OTHER = "THOR is left out; train with another optimizer"

ConvertNetUtils = left_out(__name__, "ConvertNetUtils", "makes a network for THOR", _OTHER)

__all__ = ["ConvertModelUtils", "ConvertNetUtils"]


class ConvertModelUtils:
    """Turns a Model with THOR into one that updates THOR's statistics now and then."""

    @staticmethod
    def convert_to_thor_model(
        model: Any,
        network: Any,
        loss_fn: Any = None,
        optimizer: Any = None,
        metrics: Any = None,
        amp_level: str = "O0",
        loss_scale_manager: Any = None,
        keep_batchnorm_fp32: bool = False,
    ) -> Any:
        """Return the Model itself: no optimizer is THOR, since ``nn.thor`` is left out.

        Programs call this whatever they train with.
        """
        return model
