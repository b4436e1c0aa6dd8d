"""Layers that are one operator on numbers: OneHot, Norm, ClipByNorm and their like."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.checks import of_type
from msgrad._core.declared import checked
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensor, check_tensors
from msgrad.nn._family import Bare, Layer
from msgrad.nn.cell import Cell


class CosineSimilarity(Layer):
    """The cosine of the angle between vectors; ``nn.CosineSimilarity`` is the metric of that name.

    Args:
        dim: The dimension of the vectors.
        eps: The least that their lengths count.

    Inputs: x1, x2, Tensors that broadcast.
    """

    dim: int = 1
    eps: float = 1e-8

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Return the cosines, without the dimension ``dim``."""
        return ops.cosine_similarity(x1, x2, self.dim, self.eps)


class OneHot(Layer):
    """Rows that are one value at the index and another elsewhere.

    Args:
        axis: Where the new dimension goes.
        depth: Its size.
        on_value: The value at the index.
        off_value: The value elsewhere.
        dtype: Of the output.

    Inputs: indices, int Tensor; one out of range gives a row of ``off_value``.
    """

    axis: int = -1
    depth: int = 1
    on_value: float = 1.0
    off_value: float = 0.0
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        self.onehot = ops.OneHot(self.axis)

    def construct(self, indices: Tensor) -> Tensor:
        values = (Tensor(v, self.dtype) for v in (self.on_value, self.off_value))
        return self.onehot(indices, self.depth, *values)


class Norm(Cell):
    """The root of the sum of squares.

    Args:
        axis: int or tuple of ints; () for all.
        keep_dims: Whether the dimensions stay, with size 1.

    Raises:
        TypeError: If ``keep_dims`` is not a bool.
    """

    _cell_shown = "axis keep_dims"

    @checked
    def __init__(self, axis: int | tuple[int, ...] = (), keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = axis
        self.keep_dims = keep_dims

    def construct(self, x: Tensor) -> Tensor:
        return ops.sqrt(ops.ReduceSum(self.keep_dims)(ops.square(x), self.axis))


class ClipByNorm(Cell):
    """Scales a Tensor down where its norm is larger than a bound.

    Args:
        axis: int, tuple or list of ints: what the norm goes over; None for all.

    Inputs: x, and ``clip_norm``, a Tensor that broadcasts with x. Output: of the shape of x.

    Raises:
        TypeError: If ``axis`` is none of these, or an input is not a Tensor.
    """

    def __init__(self, axis: int | tuple[int, ...] | list[int] | None = None) -> None:
        super().__init__()
        self.axis = of_type("ClipByNorm", "axis", axis, int, tuple, list, type(None))

    def construct(self, x: Tensor, clip_norm: Tensor) -> Tensor:
        """Scale the input.

        Raises:
            TypeError: For an argument that is not a Tensor.
        """
        check_tensors("ClipByNorm", x=x, clip_norm=clip_norm)
        axis = () if self.axis is None else self.axis
        axis = tuple(axis) if isinstance(axis, list) else axis
        squares = ops.ReduceSum(True)(ops.square(x), axis)
        # Where the sum is 0, its root has no derivative.
        norm = ops.sqrt(ops.select(squares > 0, squares, ops.ones_like(squares)))
        norm = ops.select(squares > 0, norm, squares)
        return x * clip_norm / ops.maximum(norm, clip_norm)


class ReduceLogSumExp(Cell):
    """``log(sum(exp(x)))`` over some dimensions.

    Args:
        axis: int or tuple of ints.
        keep_dims: Whether the dimensions stay, with size 1.
    """

    def __init__(self, axis: int | tuple[int, ...], keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = of_type("ReduceLogSumExp", "axis", axis, int, list, tuple)
        self.keep_dims = of_type("ReduceLogSumExp", "keep_dims", keep_dims, bool)

    def construct(self, x: Tensor) -> Tensor:
        return ops.logsumexp(x, self.axis, self.keep_dims)


class _Triangle(Bare):
    """A triangle of matrices, bounded by a diagonal that the call names."""

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        """Make 0 of what lies on the other side of the ``k``-th diagonal."""
        return type(self)._operator(check_tensor(self.cls_name, "x", x), k)


class Tril(_Triangle, operator=ops.tril):
    """The lower triangle of matrices, up to a diagonal that the call names."""


class Triu(_Triangle, operator=ops.triu):
    """The upper triangle of matrices, from a diagonal that the call names."""


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
