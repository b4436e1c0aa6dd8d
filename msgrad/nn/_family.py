"""What families of layers share: facts in the class statement, one constructor for all ranks."""

from __future__ import annotations

from typing import Any, ClassVar, dataclass_transform

from msgrad._core.checks import one_of
from msgrad._core.context import context
from msgrad._core.docstrings import Documented
from msgrad._core.errors import ArgumentValueError
from msgrad.nn._hyper import Declaring
from msgrad.nn.cell import Cell


class Family(Documented, Cell):
    """Base of layers that differ in facts, which their class statements name.

    ``class AvgPool1d(_AvgPool, rank=1)`` sets the ``_rank`` of the class, which its base declares.
    What a base says of an argument in its docstring stands in that of each member.
    """

    # Of layers of one operator: that operator.
    _operator: ClassVar[Any] = None

    def __init_subclass__(cls, **facts: Any) -> None:
        own = {name: facts.pop(name) for name in list(facts) if hasattr(cls, f"_{name}")}
        super().__init_subclass__(**facts)
        for name, value in own.items():
            setattr(cls, f"_{name}", value)


class Bare(Family):
    """Base of layers without settings."""

    def __init__(self) -> None:
        super().__init__()


@dataclass_transform()
class Layer(Declaring, Family):
    """Base of layers that list in their bodies what their constructors take."""

    def _begin(self, given: dict[str, Any]) -> None:
        Cell.__init__(self)
        super()._begin(given)


def given(arguments: dict[str, Any], *without: str) -> dict[str, Any]:
    """Return what a constructor was given, from its ``locals()``, for the one that it shares."""
    return {k: v for k, v in arguments.items() if k not in ("self", "__class__", *without)}


def channels_first(owner: str, data_format: Any, rank: int = 2) -> str:
    """Return ``data_format`` if it has the channels first; raises ``ValueError`` if not."""
    if (
        one_of(owner, "format", data_format, *(("NCDHW",) if rank == 3 else ("NCHW", "NHWC")))
        == "NHWC"
    ):
        raise ArgumentValueError(
            f"For '{owner}', the 'NHWC' format only support in GPU target; transpose the input to "
            "NCHW."
        )
    return data_format


def bias_apart() -> bool:
    """Whether the sum with a bias is computed in another dtype than the product.

    At level ``"auto"`` of mixed precision the product is float16 and its sum with the bias, which
    stays float32, is float32; otherwise one fused kernel does both.
    """
    mixed = context.mixed
    return mixed is not None and "BiasAdd" in mixed.by_name
