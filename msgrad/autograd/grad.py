"""``grad`` and ``value_and_grad``: MindSpore's gradient functions on ``jax.vjp``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from msgrad._compiled.graph_mode import in_graph_mode
from msgrad._compiled.inputs import apart, differentiated_in
from msgrad._core.bridge import tensors_in, wrap_inexact
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError, GradientError
from msgrad._gradients.gradients_of import given, gradients_of
from msgrad._gradients.structure import arrange, check_positions, check_weights, inputs_at
from msgrad.ops.control import stop_gradient


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
        where both are asked; and ``(gradients, aux)`` with ``has_aux``. In a compiled call a
        container that ``mutable`` made, or that was put together there, has gradients in its own
        form.

    Raises:
        TypeError, ValueError: At once, for arguments that are not as above.

    Differs from MindSpore: callable objects and ``functools.partial`` are accepted as ``fn``.

    Source: the page ``mindspore.grad`` of MindSpore's API documentation, and facts 1.1-1.5.
    """
    options = (grad_position, has_aux, return_ids, sens_param)
    return _gradient_function("grad", fn, weights, *options)


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
    options = (grad_position, has_aux, return_ids, sens_param)
    return _gradient_function("value_and_grad", fn, weights, *options)


def _gradient_function(
    name: str, fn: Callable[..., Any], weights: Any, *options: Any
) -> Callable[..., Any]:
    grad_position, has_aux, return_ids, sens_param = options
    positions = check_positions(grad_position, weights)
    flags = {"has_aux": has_aux, "return_ids": return_ids, "sens_param": sens_param}
    for label, flag in flags.items():
        if not isinstance(flag, bool):
            raise ArgumentTypeError(
                f"For '_Grad', the '{label}' should be bool, but got {type(flag).__name__}"
            )
    select = first_output if has_aux else all_outputs
    wanted = (positions,) if isinstance(positions, int) else positions or ()

    def after_grad(*args: Any, **kwargs: Any) -> Any:
        if not callable(fn):
            raise ArgumentTypeError(f"The fn should be callable, but got {type(fn).__name__}")
        args, kwargs, sens = split_sens(sens_param, args, kwargs)
        args, kwargs = apart(*wrap_inexact(args, kwargs, wanted))
        try:
            found = inputs_at(positions, [*args, *kwargs.values()])
        except GradientError:
            # Arguments that do not fit ``fn`` are the first thing to say.
            inspect.signature(getattr(fn, "construct", fn)).bind(*args, **kwargs)
            raise
        differentiated, as_inputs = differentiated_in([value for _, value in found])
        targets = differentiated + check_weights(weights)
        output, gradients = gradients_of(fn, args, kwargs, targets, select, given(sens))
        if has_aux and context.inputs is not None:
            # Compiled, what stands beside the first output is a constant to gradients around.
            output = (output[0], *stop_gradient(tuple(output[1:])))
        by_input = as_inputs(gradients[: len(differentiated)])
        by_weight = gradients[len(differentiated) :]
        arranged = arrange(positions, found, by_input, weights, by_weight, return_ids)
        if name == "value_and_grad":
            return output, arranged
        return (arranged, tuple(output[1:])) if has_aux else arranged

    return in_graph_mode(after_grad, fn, weights, name, *options)


def all_outputs(output: Any) -> list[Any]:
    """Select every Tensor of an output; an empty one raises ``RuntimeError``, if not compiled."""
    if isinstance(output, (tuple, list)) and not output and context.inputs is None:
        raise GradientError("Get empty value seq: the function returned an empty tuple or list.")
    return list(tensors_in(output))


def first_output(output: Any) -> list[Any]:
    """Select the Tensors of the first output only.

    Raises:
        ValueError: If there is no tuple of at least two outputs; in a compiled call, of one.
        RuntimeError: If fewer than two of them hold a Tensor, and it is not compiled.
    """
    compiled = context.inputs is not None
    if not isinstance(output, tuple) or len(output) < 2 - compiled:
        raise ArgumentValueError("When has_aux is True, origin fn requires more than one outputs.")
    if not compiled and sum(1 for _ in tensors_in(output)) < 2:
        raise EngineError(
            "If you set has_aux for grad or value_and_grad, that forward function should be multi "
            "output, but only one Tensor was among its outputs; drop has_aux."
        )
    return list(tensors_in(output[0]))


def split_sens(
    sens_param: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    """Split the cotangent from the arguments: the keyword ``sens``, or the last positional one."""
    if not sens_param:
        return args, kwargs, None
    if "sens" in kwargs:
        rest = dict(kwargs)
        sens = rest.pop("sens")
        return args, rest, sens
    return (args[:-1], kwargs, args[-1]) if args else (args, kwargs, None)
