"""``GradOperation``: the older form of ``grad``, as an object (facts 1.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad._compiled.graph_mode import in_graph_mode
from msgrad._compiled.inputs import apart, differentiated_in, has_gradient
from msgrad._core.bridge import wrap_inexact
from msgrad._core.checks import of_type
from msgrad._core.declared import check
from msgrad._gradients.gradients_of import given, gradients_of
from msgrad._gradients.structure import check_weights, of_weights
from msgrad.autograd.grad import all_outputs, split_sens


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
        check("GradOperation", "get_all", "bool", get_all)
        check("GradOperation", "get_by_list", "bool", get_by_list)
        check("GradOperation", "sens_param", "bool", sens_param)
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def __call__(self, fn: Callable[..., Any], weights: Any = None) -> Callable[..., Any]:
        """Make the gradient function of ``fn``.

        Args:
            fn: Function or Cell.
            weights: Parameter, or list or tuple of them, for ``get_by_list``; by default the
                trainable parameters that the output turns out to depend on, in the order of
                their use.

        Returns:
            A function of the arguments of ``fn``. It returns the gradient of the first input; with
            ``get_all`` those of all Tensor inputs; with ``get_by_list`` those of the weights; with
            both ``(inputs, weights)``.

        Raises:
            TypeError: If ``fn`` is not callable.

        Differs from MindSpore: without weights GRAPH_MODE gives the same, not ``()``; a Parameter
        that is only compared, or asked where its largest element is, does not count as used.
        """

        def after_grad(*args: Any, **kwargs: Any) -> Any:
            of_type("GradOperation", "fn", fn, Callable)
            return self.output_and_gradients(fn, weights, args, kwargs)[1]

        form = ("GradOperation", self.get_all, self.get_by_list, self.sens_param)
        return in_graph_mode(after_grad, fn, weights, *form)

    def output_and_gradients(
        self,
        fn: Callable[..., Any],
        weights: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        cotangents_of: Callable[[list[Any]], list[Any]] | None = None,
    ) -> tuple[Any, Any]:
        """Run ``fn`` once; gives what it returned and the gradients that a call gives.

        Args:
            fn, weights: As for a call.
            args, kwargs: Arguments of ``fn``.
            cotangents_of: As for ``gradients_of``, instead of a ``sens`` among the arguments.
        """
        args, kwargs, sens = split_sens(self.sens_param, args, kwargs)
        several = len(args) + len(kwargs)
        wanted = range(several if self.get_all else 0 if self.get_by_list else 1)
        args, kwargs = apart(*wrap_inexact(args, kwargs, wanted))
        inputs = [*args, *kwargs.values()][: len(wanted)]
        differentiated, as_inputs = differentiated_in([v for v in inputs if has_gradient(v)])
        used = self.get_by_list and weights is None
        params = check_weights(weights) if self.get_by_list and not used else []
        output, gradients = gradients_of(
            fn,
            args,
            kwargs,
            [*differentiated, *params],
            all_outputs,
            cotangents_of or given(sens),
            used,
        )
        by_input = tuple(as_inputs(gradients[: len(differentiated)]))
        if self.get_by_list:
            by_weight = gradients[len(differentiated) :]
            listed = of_weights(weights, by_weight)
            return output, (by_input, listed) if self.get_all else listed
        return output, by_input if self.get_all or not by_input else by_input[0]
