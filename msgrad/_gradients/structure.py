"""How the gradients of a call are arranged: MindSpore's rules for positions, weights and ids.

The table of facts 1.2 lives here and nowhere else; no differentiation happens in this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgrad._compiled.inputs import has_gradient
from msgrad._core.bridge import is_tensor, map_tensors
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError, GradientError
from msgrad.common.parameter import Parameter

Positions = int | tuple[int, ...] | None


def check_positions(position: Any, weights: Any) -> Positions:
    """Validate ``grad_position`` when the gradient function is made.

    Raises:
        TypeError: If it is not an int, a tuple of ints or None.
        ValueError: If it is negative, has duplicates, or is None without weights.
    """
    if position is None:
        if weights is None:
            raise ArgumentValueError(
                "`grad_position` and `weight` can not be None at the same time."
            )
        return None
    if isinstance(position, int):
        if position < 0:
            raise ArgumentValueError("grad_position must be >= 0.")
        return int(position)
    if not isinstance(position, tuple):
        raise ArgumentTypeError(
            f"For 'F.grad', the 'grad_position' must be int or tuple, but got {position!r}."
        )
    for index in position:
        if not isinstance(index, int):
            raise ArgumentTypeError(
                f"For 'F.grad', the element in 'grad_position' must be int, but got {index!r}."
            )
        if index < 0:
            raise ArgumentValueError("The element in grad_position must be >= 0.")
    if len(set(position)) != len(position):
        raise ArgumentValueError(
            f"There are duplicate positions in `grad_position`, please check it: {position}"
        )
    return position


def check_weights(weights: Any) -> list[Any]:
    """Return the weights as a list, validating them when the gradient function is called.

    Raises:
        TypeError: If they are neither a Tensor nor a list or tuple; compiled, nor a dict.
        RuntimeError: If an element is not a Tensor.
    """
    if weights is None:
        return []
    if is_tensor(weights):
        return [weights]
    if context.inputs is not None and _is_nested(weights):
        return list(_tensors_of(weights))
    if not isinstance(weights, (list, tuple)):
        raise ArgumentTypeError(
            "The weights you provided is expected to be a tensor, or a list or tuple. but got "
            f"{weights!r}"
        )
    for item in weights:
        if not is_tensor(item):
            raise EngineError(
                "The pointer[tensor] is null. Each of the weights must be a Parameter, but got a "
                f"{type(item)}: {item!r}"
            )
    return list(weights)


def _tensors_of(tree: Any) -> Iterator[Any]:
    if is_tensor(tree):
        yield tree
    elif not isinstance(tree, (dict, list, tuple)):
        raise ArgumentValueError(f"Each of the weights must be a Parameter, but got {tree!r}.")
    else:
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _tensors_of(item)


def of_weights(weights: Any, gradients: Sequence[Any]) -> Any:
    """Arrange the gradients of weights: one by itself, several in a tuple or in their form."""
    if _is_nested(weights):
        rest = iter(gradients)
        return map_tensors(lambda _: next(rest), weights)
    return gradients[0] if is_tensor(weights) else tuple(gradients)


def _is_nested(weights: Any) -> bool:
    """Whether the weights are Parameters in containers of any form, as compiled calls take them."""
    if not isinstance(weights, (list, tuple)):
        return isinstance(weights, dict)
    return not all(map(is_tensor, weights))


def inputs_at(positions: Positions, inputs: Sequence[Any]) -> list[tuple[int, Any]]:
    """Return ``(position, input)`` for each that has a gradient; others drop out silently.

    Raises:
        RuntimeError: If there is no position, or one is outside the inputs, unless there are none.
    """
    if positions is None:
        return []
    wanted = (positions,) if isinstance(positions, int) else positions
    if not wanted:
        raise GradientError("grad_position should not be empty when grad by position!")
    if not inputs:
        return []
    for index in wanted:
        if index >= len(inputs):
            raise GradientError(
                f"Position index {int(index)} is exceed input size. The function was called with "
                f"{len(inputs)} inputs."
            )
    return [(int(i), inputs[i]) for i in wanted if has_gradient(inputs[i])]


def arrange(
    positions: Positions,
    found: Sequence[tuple[int, Any]],
    input_grads: Sequence[Any],
    weights: Any,
    weight_grads: Sequence[Any],
    return_ids: bool,
) -> Any:
    """Arrange gradients as ``grad`` returns them (facts 1.2 and 1.5)."""
    by_input: list[Any] = list(input_grads)
    by_weight: list[Any] = list(weight_grads)
    if return_ids and _is_nested(weights):
        raise GradientError("return_ids names the gradients of weights in one list or tuple only.")
    if return_ids:
        by_input = [(i, g) for (i, _), g in zip(found, by_input, strict=True)]
        named = [weights] if is_tensor(weights) else weights or ()
        by_weight = [
            (getattr(w, "name", ""), g) if isinstance(w, Parameter) else ("", g)
            for w, g in zip(named, by_weight, strict=True)
        ]
    inputs = by_input[0] if len(by_input) == 1 else tuple(by_input)
    params = of_weights(weights, by_weight)
    if positions is None:
        return params
    return inputs if weights is None else (inputs, params)


def get_grad(gradients: Any, identifier: Any) -> Any:
    """Pick one gradient out of the result of ``grad(..., return_ids=True)``.

    Args:
        gradients: What the gradient function returned.
        identifier: An input position (int) or a Parameter.

    Returns:
        The gradient Tensor.

    Raises:
        TypeError: If the identifier is neither an int nor a Parameter.
        ValueError: If they are a tuple of several gradients without ids.
        RuntimeError: If no gradient carries it.
    """
    if isinstance(identifier, Parameter):
        wanted: Any = identifier.name
    elif isinstance(identifier, int):
        wanted = identifier
    else:
        raise ArgumentTypeError(
            f"For `get_grad`, the `x` should be an integer or a Parameter, but got {identifier}"
        )

    pairs = list(_pairs(gradients))
    if not pairs and isinstance(gradients, tuple) and len(gradients) > 1:
        raise ArgumentValueError(
            "get_grad needs what a gradient function made with return_ids=True returned, but the "
            "gradients carry no ids."
        )
    for name, gradient in pairs:
        if type(name) is type(wanted) and name == wanted:
            return gradient
    raise GradientError(
        f"Can not find the gradient for position or Parameter {identifier} in what get_grad was "
        "given; it needs the result of a gradient function made with return_ids=True."
    )


def _pairs(tree: Any) -> Iterator[tuple[Any, Any]]:
    if not isinstance(tree, (tuple, list)):
        return
    if len(tree) == 2 and isinstance(tree[0], (int, str)):
        yield tree[0], tree[1]
        return
    for item in tree:
        yield from _pairs(item)
