"""``gradients_of``: one gradient call with its targets in a row; the transforms build on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.bridge import is_tensor, tensors_in, wrap
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, GradientError
from msgrad.autograd._linearize import linearize
from msgrad.autograd._reuse import take_forward


def gradients_of(
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    targets: Sequence[Any],
    select: Callable[[Any], Sequence[Any]],
    sens: Any = None,
) -> tuple[Any, list[Any]]:
    """Run ``fn`` and give its output and the gradient of every target.

    Args:
        fn: The program.
        args: Its positional arguments.
        kwargs: Its keyword arguments.
        targets: Tensors to differentiate with respect to; one that occurs twice gets the same
            total gradient in both places, as MindSpore accumulates per object.
        select: Gives the Tensors of the output to differentiate.
        sens: Their cotangent: a Tensor, or a tuple matching the outputs; None for ones.

    Returns:
        What ``fn`` returned, and one Tensor per target.
    """
    variables = list({id(t): t for t in targets}.values())
    linear = take_forward(fn, args, kwargs, variables, select)
    output, selected, pullback = linear or linearize(fn, args, kwargs, variables, select)
    raws = pullback(None if sens is None else cotangents(sens, selected))
    by_id = dict(zip(map(id, variables), raws, strict=True))
    return output, [wrap(by_id[id(t)]) for t in targets]


def cotangents(sens: Any, selected: Sequence[Any]) -> list[Any]:
    """Give the raw cotangents of the selected outputs, checked against them.

    Args:
        sens: A Tensor, or a tuple of Tensors that matches the outputs.
        selected: The output Tensors.

    Raises:
        ValueError: For another shape.
        TypeError: For another dtype.
        RuntimeError: For a shape that only would broadcast, a number, or a wrong count.
    """
    given = [sens] if is_tensor(sens) else list(tensors_in(sens))
    if len(given) != len(selected):
        raise GradientError(
            f"The sens gradient must hold one Tensor per output: {len(selected)} are needed, but "
            f"got {len(given)} in {sens!r}."
        )
    raws = []
    for value, tensor in zip(given, selected, strict=True):
        raw = value._read()
        if raw.shape == (1,) and tensor.shape == ():
            # The usual cotangent of a scalar loss: a loss scale of shape (1,).
            raw = raw.reshape(())
        if raw.shape != tensor.shape:
            text = f"The shape should be {list(tensor.shape)}, but got {list(raw.shape)}"
            if raw.ndim == 0:
                raise GradientError(
                    "For grad interface or custom function, grad tensor should be broadcast to "
                    f"expected shape. {text}, for the sens gradient."
                )
            raise ArgumentValueError(f"{text}, for the sens gradient.")
        if raw.dtype != tensor._read().dtype:
            raise ArgumentTypeError(
                f"The dtype should be {tensor.dtype}, but got {value.dtype}, for the sens gradient."
            )
        raws.append(raw)
    return raws
