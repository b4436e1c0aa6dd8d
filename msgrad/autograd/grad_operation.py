"""``GradOperation``: the older form of ``grad``, as an object (facts 1.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError
from msgrad.autograd.grad import all_outputs, split_sens
from msgrad.autograd.gradients import gradients_of
from msgrad.autograd.graph_mode import in_graph_mode
from msgrad.autograd.structure import check_weights


class GradOperation:
    """Makes gradient functions of networks.

    Args:
        get_all: Give the gradients of all Tensor inputs (a tuple, also for one), not of the
            first only.
        get_by_list: Give the gradients of the weights.
        sens_param: The last positional argument, or the keyword ``sens``, is the cotangent.

    Raises:
        TypeError: If an option is not a bool.
    """

    def __init__(
        self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False
    ) -> None:
        for name, value in (
            ("get_all", get_all),
            ("get_by_list", get_by_list),
            ("sens_param", sens_param),
        ):
            if not isinstance(value, bool):
                raise ArgumentTypeError(
                    f"For 'GradOperation', the '{name}' should be bool, but got "
                    f"{type(value).__name__}"
                )
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def __call__(self, fn: Callable[..., Any], weights: Any = None) -> Callable[..., Any]:
        """Make the gradient function of ``fn``.

        Args:
            fn: Function or Cell.
            weights: Parameter, or list or tuple of them, for ``get_by_list``; by default the
                trainable parameters of the Cell.

        Returns:
            A function of the arguments of ``fn``. It returns the gradient of the first input; with
            ``get_all`` those of all Tensor inputs; with ``get_by_list`` those of the weights; with
            both ``(inputs, weights)``.

        Raises:
            TypeError: If ``fn`` is not callable, or ``weights`` are missing where it has none.

        Differs from MindSpore: a plain function does not tell its weights; they must be given.
        """

        def after_grad(*args: Any, **kwargs: Any) -> Any:
            if not callable(fn):
                raise ArgumentTypeError(
                    "For 'GradOperation', the first argument must be a 'Function' or 'Cell', but "
                    f"got {type(fn)}."
                )
            return self.output_and_gradients(fn, weights, args, kwargs)[1]

        form = ("GradOperation", self.get_all, self.get_by_list, self.sens_param)
        return in_graph_mode(after_grad, fn, weights, *form)

    def output_and_gradients(
        self, fn: Callable[..., Any], weights: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Any, Any]:
        """Run ``fn`` once; gives what it returned and the gradients that a call gives."""
        args, kwargs, sens = split_sens(self.sens_param, args, kwargs)
        chosen = weights
        if self.get_by_list and chosen is None:
            chosen = _trainable_params(fn)
        inputs = [t for t in [*args, *kwargs.values()] if is_tensor(t)]
        if not self.get_all:
            first = next(iter([*args, *kwargs.values()]), None)
            inputs = [first] if is_tensor(first) and not self.get_by_list else []
        params = check_weights(chosen) if self.get_by_list else []
        targets = [*inputs, *params]
        output, gradients = gradients_of(fn, args, kwargs, targets, all_outputs, sens)
        by_input = tuple(gradients[: len(inputs)])
        if self.get_by_list:
            by_weight = gradients[len(inputs) :]
            listed = by_weight[0] if is_tensor(chosen) else tuple(by_weight)
            return output, (by_input, listed) if self.get_all else listed
        return output, by_input if self.get_all or not by_input else by_input[0]


def _trainable_params(fn: Any) -> list[Any]:
    if not hasattr(fn, "trainable_params"):
        raise ArgumentTypeError(
            "For 'GradOperation' with get_by_list=True, the weights of a function must be given: "
            f"GradOperation(get_by_list=True)(fn, weights), but only got {fn!r}."
        )
    return fn.trainable_params()
