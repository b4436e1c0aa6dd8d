"""Hooks of a Cell: before and after its forward pass, and around its backward pass."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.context import context
from msgrad._core.engine import is_tracer, trace_of
from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._gradients.saved_tensors import saved_tensors_hooks
from msgrad.autograd.hooks import HookHandle, moving_part, register, with_gradient_hook


class HooksMixin:
    """The part of ``Cell`` that runs hooks around the forward pass."""

    _cell_forward_pre: dict[int, tuple[Callable[..., Any], bool]] | None = None
    _cell_forward: dict[int, tuple[Callable[..., Any], bool, bool]] | None = None

    _cell_backward_pre: dict[int, Callable[..., Any]] | None = None
    _cell_backward: dict[int, Callable[..., Any]] | None = None

    @property
    def _cell_has_hooks(self) -> bool:
        return bool(
            self._cell_forward_pre
            or self._cell_forward
            or self._cell_backward_pre
            or self._cell_backward
        )

    def register_forward_pre_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        """Call ``hook_fn(cell, inputs)`` before the cell runs.

        Args:
            hook_fn: May return None, or inputs to use instead (a tuple, or one bare value); with
                ``with_kwargs`` it is called as ``hook_fn(cell, inputs, kwargs)`` and returns a
                pair.
            prepend: Run it before the hooks that exist.
            with_kwargs: Hand over keyword arguments too.

        Raises:
            TypeError: If ``hook_fn`` is not callable.
        """
        return register(self, "_cell_forward_pre", hook_fn, (hook_fn, with_kwargs), prepend)

    def register_forward_hook(
        self,
        hook_fn: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> HookHandle:
        """Call ``hook_fn(cell, inputs, output)`` after the cell has run.

        Args:
            hook_fn: May return None or an output to use instead; with ``with_kwargs`` it is
                called as ``hook_fn(cell, inputs, kwargs, output)``.
            prepend: Run it before the hooks that exist.
            with_kwargs: Hand over keyword arguments too.
            always_call: Run it also when the forward pass raises.

        Raises:
            TypeError: If ``hook_fn`` is not callable.
        """
        return register(
            self, "_cell_forward", hook_fn, (hook_fn, with_kwargs, always_call), prepend
        )

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook_fn(cell, grad_output)`` before the backward pass of the cell.

        Args:
            hook_fn: Takes the tuple of output gradients; may return None, or gradients to use
                instead (a tuple, or one bare Tensor).

        Raises:
            TypeError: If ``hook_fn`` is not callable.
        """
        return register(self, "_cell_backward_pre", hook_fn, hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook_fn(cell, grad_input, grad_output)`` after the backward pass of the cell.

        Args:
            hook_fn: Takes the tuples of input and output gradients; may return None, or input
                gradients to use instead (a tuple, or one bare Tensor). Gradients of parameters
                are not changed. Where no input is differentiated, each input gradient is None.

        Raises:
            TypeError: If ``hook_fn`` is not callable.

        Differs from MindSpore: a float without a gradient beside one that has one gets zeros,
        not None.
        """
        return register(self, "_cell_backward", hook_fn, hook_fn)

    def _cell_run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _cell_call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        for hook, with_kwargs in list((self._cell_forward_pre or {}).values()):
            given = hook(self, args, kwargs) if with_kwargs else hook(self, args)
            if given is None:
                continue
            if with_kwargs:
                if not isinstance(given, tuple) or len(given) != 2:
                    raise EngineError(
                        "forward pre hook with kwargs must return None or a tuple of (new_args, "
                        f"new_kwargs), but got {given}"
                    )
                args, kwargs = given
            else:
                args = given if isinstance(given, tuple) else (given,)
        args, backward_from = self._cell_backward_hooks(args)
        after = list((self._cell_forward or {}).values())
        try:
            output = self._cell_run(args, kwargs)
        except Exception:
            for hook, with_kwargs, always_call in after:
                if always_call:
                    hook(self, args, kwargs, None) if with_kwargs else hook(self, args, None)
            raise
        for hook, with_kwargs, _ in after:
            given = hook(self, args, kwargs, output) if with_kwargs else hook(self, args, output)
            if given is not None:
                output = given
        return backward_from(output)

    def _cell_backward_hooks(
        self, args: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], Callable[[Any], Any]]:
        """Return the inputs, with the backward hooks at them, and what puts those at the output.

        Between the two are the forward pass and the forward hooks, whatever these make of it.
        """
        before, after = self._cell_backward_pre or {}, self._cell_backward or {}
        if context.scope is None or not (before or after):
            return args, lambda output: output
        grad_output: tuple[Any, ...] = ()
        # Not the inputs: JAX keeps the functions below, with all that they refer to.
        pulls = [_is_differentiated(moving_part(t)) for t in args if is_tensor(t)]
        pulled, absent = any(pulls), context.inputs is None
        if not (pulled or absent):
            # MindSpore compiles no hook at which no gradient arrives.
            after = {}

        def pull_output(gradients: tuple[Any, ...]) -> Any:
            nonlocal grad_output
            gradients = self._cell_chain(before, gradients, lambda hook, g: hook(self, g))
            if after:
                grad_output = gradients
            if after and not pulled:
                # No gradient will arrive at the inputs, as in the first layer of a network.
                pull_input((None,) * (len(pulls) or 1))
            return gradients

        def pull_input(gradients: tuple[Any, ...]) -> Any:
            nonlocal grad_output
            # Not kept: a traced Tensor that outlives its trace would keep it from being compiled.
            given, grad_output = grad_output, ()
            return self._cell_chain(after, gradients, lambda hook, g: hook(self, g, given))

        if pulled and after:
            args = _hooked(args, pull_input, absent)
        return args, lambda output: _hooked(output, pull_output, absent)

    @staticmethod
    def _cell_chain(
        hooks: dict[int, Any], gradients: tuple[Any, ...], call: Callable[[Any, Any], Any]
    ) -> tuple[Any, ...]:
        for hook in list(hooks.values()):
            given = call(hook, gradients)
            if given is None:
                continue
            given = tuple(given) if isinstance(given, (tuple, list)) else (given,)
            if len(given) != len(gradients):
                raise ArgumentTypeError(
                    f"The backward hook return value size is {len(given)} not equal to expect "
                    f"grad input size {len(gradients)}"
                )
            for item in given:
                if item is not None and not is_tensor(item):
                    raise ArgumentTypeError(
                        "The output type of a backward hook should be a tensor but got "
                        f"{type(item).__name__}."
                    )
            gradients = given
        return gradients

    def register_saved_tensors_hooks(
        self, pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any]
    ) -> None:
        """Run ``construct`` with ``mindspore.saved_tensors_hooks``.

        Args:
            pack_hook: As there.
            unpack_hook: As there.
        """
        construct = type(self).construct  # pyright: ignore[reportAttributeAccessIssue]

        @functools.wraps(construct)
        def hooked(cell: Any, *args: Any, **kwargs: Any) -> Any:
            with saved_tensors_hooks(pack_hook, unpack_hook):
                return construct(cell, *args, **kwargs)

        vars(self)["construct"] = MethodType(hooked, self)


def _is_differentiated(raw: Any) -> bool:
    """Whether a gradient may arrive at a value: one of a compiled call has none in that call,
    unless the call is differentiated as a whole.
    """
    lift: Any = context.lift
    own = None if lift is None or context.scope is lift else lift.trace
    return is_tracer(raw) and trace_of(raw) is not own


def _hooked(values: Any, pull: Callable[[tuple[Any, ...]], Any], absent: bool) -> Any:
    """Return inputs or an output with ``pull`` on the gradients of the Tensors in them.

    As in MindSpore, a list, tuple or dict beside Tensors stays as it is, and what is written to it
    is seen outside.
    """
    if type(values) is not tuple or not any(map(is_tensor, values)):
        return with_gradient_hook(values, pull, absent)
    hooked = iter(with_gradient_hook([v for v in values if is_tensor(v)], pull, absent))
    return tuple(next(hooked) if is_tensor(v) else v for v in values)
