"""What help() says of families whose docstrings are completed by those of their bases."""

from __future__ import annotations

import inspect

import pytest

from msgrad import experimental, nn
from msgrad._core.docstrings import Documented, arguments_of, completed
from msgrad.experimental.optim import lr_scheduler
from msgrad.nn import dynamic_lr, learning_rate_schedule

FAMILIES = (nn.optim, experimental.optim, lr_scheduler, dynamic_lr, learning_rate_schedule, nn.loss)
LAYERS = (
    nn.RNN,
    nn.GRU,
    nn.LSTM,
    nn.BatchNorm1d,
    nn.BatchNorm2d,
    nn.InstanceNorm3d,
    nn.Conv1d,
    nn.Conv2d,
    nn.Conv3dTranspose,
    nn.MaxPool1d,
    nn.AvgPool3d,
)
MEMBERS = [getattr(module, name) for module in FAMILIES for name in module.__all__]


def _arguments(documented: object) -> dict[str, str]:
    return arguments_of(documented.__doc__ or "")


@pytest.mark.parametrize(
    "member",
    [m for m in (*MEMBERS, *LAYERS) if callable(m) and m not in (nn.thor, nn.LearningRateSchedule)],
    ids=lambda member: member.__name__,
)
def test_each_argument_is_described(member):
    described = _arguments(member)
    assert [n for n in inspect.signature(member).parameters if n not in described] == []


def test_what_a_member_says_itself_stands():
    assert "not bias-corrected" in _arguments(nn.Adam)["eps"]
    assert "lr * weight_decay * w" in _arguments(nn.AdamWeightDecay)["weight_decay"]
    assert _arguments(nn.Lamb)["beta1"] == "float in (0, 1), decay of the mean of gradients."
    assert (nn.Adam.__doc__ or "").count("Raises:") == 1


def test_sections_stand_in_order():
    text = "Short.\n\nArgs:\n    b: Own.\n\nInputs: x.\n\nDiffers from MindSpore: no."
    told = {"a": "Theirs.", "b": "Not this.", "c": "Not asked for."}
    assert completed(text, ("a", "b"), told, "Raises:\n    E: Always.") == (
        "Short.\n\nArgs:\n    a: Theirs.\n    b: Own.\n\nInputs: x.\n\n"
        "Raises:\n    E: Always.\n\nDiffers from MindSpore: no."
    )


def test_classes_of_users_keep_their_docstrings():
    class Mine(nn.Optimizer):
        """Mine."""

    assert issubclass(Mine, Documented)
    assert Mine.__doc__ == "Mine."
