"""``build_train_network``: a network, its loss and an optimizer as one training step."""

from __future__ import annotations

from typing import Any

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.amp.loss_scale_manager import DynamicLossScaleManager, LossScaleManager
from msgrad.amp.mixed_precision import LEVELS, auto_mixed_precision
from msgrad.common import dtype as mstype
from msgrad.nn import Cell, Optimizer, TrainOneStepCell, TrainOneStepWithLossScaleCell, WithLossCell

__all__ = ["build_train_network"]


def build_train_network(
    network: Cell,
    optimizer: Optimizer,
    loss_fn: Cell | None = None,
    level: str = "O0",
    boost_level: str = "O0",
    **kwargs: Any,
) -> TrainOneStepCell:
    """Make a training step.

    Args:
        network: Cell; without ``loss_fn`` it gives the loss itself, at O2 and O3 in float16.
        optimizer: Optimizer of its parameters.
        loss_fn: Cell called with its output and the label, in float32.
        level: Of mixed precision, see ``auto_mixed_precision``.
        boost_level: ``"O0"``, ``"O1"`` or ``"O2"``, with the same numbers.
        **kwargs: ``loss_scale_manager`` (LossScaleManager or None; by default, a
            ``DynamicLossScaleManager`` for level O2); ``keep_batchnorm_fp32`` (bool; False makes
            O2 an O3, True makes O3 an O2); ``cast_model_type`` (float16 or float32: O3 or O0).

    Returns:
        A ``TrainOneStepCell``, or a ``TrainOneStepWithLossScaleCell`` for a loss scale that
        changes or drops steps; it and the network are set to train.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For another level or keyword.

    Differs from MindSpore: a step of another ``boost_level`` than O0, which trains as at O0 on CPU
    there too, returns the loss, not None; level O2 and every loss scale manager work on CPU too.
    """
    if not isinstance(network, Cell):
        raise ArgumentTypeError(f"For amp_level '{level}', the network type should be Cell.")
    of_type(None, "optimizer", optimizer, Optimizer)
    if level not in LEVELS:
        raise ArgumentValueError(f"The 'level' should be in : {list(LEVELS)}, but got {level}.")
    check_boost(boost_level)
    settings = _settings(level, kwargs)
    mixed = auto_mixed_precision(network, settings["level"])
    if loss_fn is not None:
        of_type(None, "loss_fn", loss_fn, Cell)
        network = WithLossCell(mixed, loss_fn)
    elif settings["level"] not in ("O2", "O3"):
        network = mixed
    # Else a loss of the network's own stays in the precision that it was told to compute in.
    manager = settings["loss_scale_manager"]
    update = None if manager is None else manager.get_update_cell()
    if update is not None:
        step = TrainOneStepWithLossScaleCell(network, optimizer, update)
    elif manager is not None:
        step = TrainOneStepCell(network, optimizer, manager.get_loss_scale())
    else:
        step = TrainOneStepCell(network, optimizer)
    step.set_train()
    return step


def check_boost(level: Any) -> None:
    """Raise unless it is a level of MindSpore's boost, of which a CPU's training shows nothing.

    Raises:
        ValueError: For another one.
    """
    levels = ["O0", "O1", "O2"]
    if level not in levels:
        raise ArgumentValueError(f"The 'boost_level' should be in : {levels}, but got {level}.")


def _settings(level: str, given: dict[str, Any]) -> dict[str, Any]:
    accepted = ("keep_batchnorm_fp32", "loss_scale_manager", "cast_model_type")
    for key, value in given.items():
        if key not in accepted:
            raise ArgumentValueError(f"Unsupported arg '{key}'; accepted are {list(accepted)}.")
        if key == "keep_batchnorm_fp32":
            of_type(None, key, value, bool)
        if key == "loss_scale_manager" and value is not None:
            of_type(None, key, value, LossScaleManager)
        if key == "cast_model_type" and value not in (mstype.float16, mstype.float32):
            raise ArgumentValueError(
                f"The 'cast_model_type' must be float16 or float32, but got {value!r}."
            )
    default = DynamicLossScaleManager() if level == "O2" else None
    manager = given.get("loss_scale_manager", default)
    if "cast_model_type" in given:
        level = "O3" if given["cast_model_type"] is mstype.float16 else "O0"
    if level in ("O2", "O3") and "keep_batchnorm_fp32" in given:
        level = "O2" if given["keep_batchnorm_fp32"] else "O3"
    return {"level": level, "loss_scale_manager": manager}
