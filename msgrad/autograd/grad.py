"""``grad`` and ``value_and_grad``: MindSpore's gradient functions on ``jax.vjp``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, tensors_in
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    GradientError,
)
from msgrad.autograd._linearize import linearize, wrap_all
from msgrad.autograd.structure import (
    arrange,
    check_flag,
    check_positions,
    check_weights,
    inputs_at,
)


def grad(
    fn: Callable[..., Any],
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Make a function that gives the gradients of ``fn``.

    The gradient is that of the sum of all elements of all output Tensors.

    Args:
        fn: Function, lambda, bound method, Cell or any callable.
        grad_position: Position or tuple of positions of the inputs to differentiate; keyword
            arguments count after the positional ones. None for weights only. Inputs that are not
            Tensors drop out of the result.
        weights: Parameter, or list or tuple of Parameters, to differentiate as well.
        has_aux: Only the first output is differentiated; the others are returned as a tuple.
        return_ids: Return each gradient as ``(position or parameter name, gradient)``.
        sens_param: The last positional argument of the call is the cotangent of the output
            instead of ones.

    Returns:
        A function of the same arguments. It returns a bare Tensor for one position, a tuple for
        several; for weights a tuple (a bare Tensor for a bare Parameter); ``(inputs, weights)``
        where both are asked; and ``(gradients, aux)`` with ``has_aux``.

    Raises:
        TypeError, ValueError: At once, for arguments that are not as above.

    Differs from MindSpore: callable objects and ``functools.partial`` are accepted as ``fn``.

    Source: the page ``mindspore.grad`` of MindSpore's API documentation, and facts 1.1-1.5.
    """
    run = _gradient_function(fn, grad_position, weights, has_aux, return_ids, sens_param)

    def after_grad(*args: Any, **kwargs: Any) -> Any:
        output, gradients = run(args, kwargs)
        return (gradients, tuple(output[1:])) if has_aux else gradients

    return after_grad


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Make a function that gives what ``fn`` returns together with its gradients.

    Args:
        fn: As for ``grad``, and so are the other arguments.
        grad_position: See ``grad``.
        weights: See ``grad``.
        has_aux: Only the first output is differentiated; the value still holds all of them.
        return_ids: See ``grad``.
        sens_param: See ``grad``.

    Returns:
        A function that returns ``(output, gradients)``; the output as ``fn`` returned it.

    Raises:
        TypeError, ValueError: At once, for arguments that are not as above.
    """
    run = _gradient_function(fn, grad_position, weights, has_aux, return_ids, sens_param)

    def after_grad(*args: Any, **kwargs: Any) -> Any:
        return run(args, kwargs)

    return after_grad


def _gradient_function(
    fn: Callable[..., Any],
    grad_position: Any,
    weights: Any,
    has_aux: Any,
    return_ids: Any,
    sens_param: Any,
) -> Callable[[tuple[Any, ...], dict[str, Any]], tuple[Any, Any]]:
    positions = check_positions(grad_position, weights)
    check_flag("has_aux", has_aux)
    check_flag("return_ids", return_ids)
    check_flag("sens_param", sens_param)
    select = first_output if has_aux else all_outputs

    def run(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        if not callable(fn):
            raise ArgumentTypeError(f"The fn should be callable, but got {type(fn).__name__}")
        sens = None
        if sens_param and "sens" in kwargs:
            kwargs = dict(kwargs)
            sens = kwargs.pop("sens")
        elif sens_param and args:
            args, sens = args[:-1], args[-1]
        found = inputs_at(positions, [*args, *kwargs.values()])
        targets = [tensor for _, tensor in found] + check_weights(weights)
        variables = list({id(t): t for t in targets}.values())
        output, selected, pullback = linearize(fn, args, kwargs, variables, select)
        raws = pullback(None if sens is None else cotangents(sens, selected))
        by_id = dict(zip(map(id, variables), raws, strict=True))
        gradients = wrap_all([by_id[id(t)] for t in targets])
        return output, arrange(
            positions, found, gradients[: len(found)], weights, gradients[len(found) :], return_ids
        )

    return run


def all_outputs(output: Any) -> list[Any]:
    """Select every Tensor of an output; raises ``RuntimeError`` for an empty one."""
    if isinstance(output, (tuple, list)) and not output:
        raise GradientError("Get empty value seq: the function returned an empty tuple or list.")
    return list(tensors_in(output))


def first_output(output: Any) -> list[Any]:
    """Select the Tensors of the first output only.

    Raises:
        ValueError: If there is no tuple of at least two outputs.
        RuntimeError: If fewer than two of them hold a Tensor.
    """
    if not isinstance(output, tuple) or len(output) < 2:
        raise ArgumentValueError("When has_aux is True, origin fn requires more than one outputs.")
    if sum(1 for _ in tensors_in(output)) < 2:
        raise EngineError(
            "If you set has_aux for grad or value_and_grad, that forward function should be multi "
            "output, but only one Tensor was among its outputs; drop has_aux."
        )
    return list(tensors_in(output[0]))


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
        raws.append(jnp.asarray(raw))
    return raws
