"""What ``nn.Optimizer`` and ``experimental.optim.Optimizer`` share: the state of a rule as
Parameters, and the step that reads and writes them.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.docstrings import OF_NUMBERS, Documented
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, GradientError
from msgrad._core.ownership import is_my_turn, lock, wait_for_turn
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.nn._hyper import TEXTS
from msgrad.nn.cell import Cell
from msgrad.nn.optim._rule import Rule, Slot
from msgrad.nn.optim._step import Plan
from msgrad.nn.optim._variables import can_take, read_all, run_in_place, write_all
from msgrad.ops import AssignAdd, HyperMap, Map

_USUAL = jnp.dtype("float32")


def _of(param: Parameter, raw: Any, name: str) -> Parameter:
    """Make a Parameter of the state; a copy, with a dot in its name, is frozen as ``param`` is."""
    copied = name.endswith(f".{param.name}")
    return Parameter(wrap(raw), name=name, requires_grad=param.requires_grad or not copied)


class RuleOptimizer(Documented, Cell):
    """Base of both families, which say the rest in ``plan``, ``read_rates`` and ``_counter``.

    A step either happens or leaves everything as it was.
    """

    _raises = OF_NUMBERS
    _kinds = TEXTS
    _rule: Rule | None = None
    # Whether gradients may also be a list, of dtypes that are not looked at; a step then gives True
    # and not a tuple of it.
    _takes_lists: bool = False
    _checks_dtypes: bool = True
    _integer_gradients: bool = True
    _hyper_names: tuple[str, ...] = ()
    _state_names: tuple[str, ...] = ()
    _plan: Plan | None = None
    # Into how many parts the state is cut, one for each rank; see ``_sharded.py``.
    _parts: int = 1
    # At how many writes of the counter the step was which.
    _known_step: tuple[int, int] = (-1, 0)
    parameters: ParameterTuple
    # What the ``construct`` of a subclass of one's own finds in MindSpore's bases.
    map_, hyper_map = Map(), HyperMap()
    assignadd: Any = AssignAdd()
    enable_tuple_broaden: bool = True

    def _counter(self) -> Parameter:
        """Return the Parameter that counts the steps."""
        raise NotImplementedError

    def plan(self) -> Plan:
        """Return what the next step does, as a pure function."""
        raise NotImplementedError

    def read_rates(self) -> list[Any]:
        """Return the learning rates of the next step, in the order of the plan."""
        raise NotImplementedError

    def _computed_decays(self) -> list[Any]:
        return []

    def _undefined(self) -> NotImplementedError:
        return NotImplementedError(
            f"{type(self).__name__} must define construct(self, gradients), which updates "
            "self.parameters."
        )

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_plan"}

    def _hold(self, slot: Slot, raws: Any, known: int = 0) -> None:
        """Make the Parameters of a slot, under MindSpore's names.

        Args:
            slot: The slot.
            raws: The array, or a list of one for each parameter.
            known: For how many parameters it has them.
        """
        if not isinstance(raws, list):
            held: Any = Parameter(wrap(raws), name=slot.label or slot.name)
        else:
            fresh = zip(raws[known:], self.parameters[known:], strict=True)
            made = [_of(param, raw, slot.label_of(param.name)) for raw, param in fresh]
            if self._parts > 1 and not slot.scalar:
                for held, param in zip(made, self.parameters, strict=True):
                    held._part_of = tuple(param.shape)
            held = self._bundle(slot, [*getattr(self, slot.name), *made] if known else made)
        setattr(self, slot.name, held)
        if not known:
            self._state_names += (slot.name,)

    def _bundle(self, slot: Slot, held: list[Parameter]) -> Any:
        return ParameterTuple(held)

    def rule_state(self) -> dict[str, Any]:
        """Return the Parameters that hold the state of the rule, by its names."""
        names = self._state_names
        if not names and self._rule is not None:
            # A subclass that went around the constructor has made them itself.
            names = tuple(slot.name for slot in self._rule.slots if hasattr(self, slot.name))
        return {name: getattr(self, name) for name in names}

    def read_step(self, gradients: Any) -> tuple[Any, ...]:
        """Return the arguments of ``Plan.update``: all that a step reads, as raw arrays."""
        given = self.read_given(gradients)
        state = {
            name: held._read() if _count(held) is None else read_all(held)
            for name, held in self.rule_state().items()
        }
        return read_all(self.parameters), state, *given, self._counter()._read()

    def read_given(self, gradients: Any) -> tuple[Any, ...]:
        """Return those of them that a step does not write: gradients, rates, decays, numbers."""
        rates = self.read_rates()
        return (
            self._raw_gradients(gradients, read_all(self.parameters)),
            rates,
            self._computed_decays(),
            {name: getattr(self, name)._read() for name in self._hyper_names},
        )

    def write_step(self, params: list[Any], state: dict[str, Any], step: Any) -> None:
        """Take over what ``Plan.update`` gave."""
        write_all(self.parameters, params)
        for name, value in state.items():
            held = getattr(self, name)
            if isinstance(value, list):
                write_all(held, value)
            else:
                held._write(value)
        self._count(lambda: self._counter()._write(step))

    def _count(self, write: Any) -> None:
        """Write the counter; where its number was known, so is the next one."""
        version, number = self._known_step
        known = self._counter()._writes() == version
        write()
        if known:
            vars(self)["_known_step"] = (self._counter()._writes(), number + 1)

    def _plan_for(self, gradients: Any) -> Plan:
        return self.plan()

    def _cell_compiles(self) -> bool:
        return type(self).construct is not RuleOptimizer.construct

    def construct(self, gradients: Any) -> Any:
        """Update the parameters by their gradients."""
        plan = self._plan_for(gradients)
        state = self.rule_state()
        written = [*self.parameters]
        for held in state.values():
            written.extend([held] if _count(held) is None else held)
        if not can_take(written):
            self.write_step(*plan.compiled(*self.read_step(gradients)))
            return self._done()
        arguments = self.read_given(gradients)
        form = tuple(
            [(n, len(h) if isinstance(h, (tuple, list)) else None) for n, h in state.items()]
        )
        known = plan.compiled_for.get(self)
        if known is None or known[0] != form:
            arrays = read_all(written), *arguments, self._counter()._read()
            known = plan.compiled_for[self] = form, plan.in_place(form)
            known[1].lower(*arrays).compile()
            del arrays
        program = known[1]
        wait_for_turn()
        with lock:
            is_my_turn()
            self._count(
                lambda: run_in_place(
                    program,
                    written,
                    [*written, self._counter()],
                    (*arguments, self._counter()._read()),
                )
            )
        return self._done()

    def _done(self) -> Any:
        return True if self._takes_lists else (True,) * len(self.parameters)

    def _raw_gradients(self, gradients: Any, params: list[Any]) -> list[Any]:
        owner = type(self).__name__
        if not isinstance(gradients, (tuple, list) if self._takes_lists else tuple):
            raise GradientError(
                f"For '{owner}', the gradients must be a tuple with one Tensor for each parameter, "
                f"but got {type(gradients).__name__}; write tuple(gradients)."
            )
        if len(gradients) != len(params):
            raise GradientError(
                f"For '{owner}', there must be one gradient for each of the {len(params)} "
                f"parameters, but got {len(gradients)}."
            )
        raws = read_all(gradients) if all(map(is_tensor, gradients)) else []
        if raws and all(map(_usual, raws, params)):
            return raws
        raws = []
        for grad, param in zip(gradients, self.parameters, strict=True):
            if not is_tensor(grad):
                raise ArgumentTypeError(
                    f"For '{owner}', the gradient of {param.name} must be a Tensor, but got "
                    f"{type(grad).__name__}."
                )
            raw = grad._read()
            if raw.shape != param.shape:
                raise ArgumentValueError(
                    f"For '{owner}', the gradient of {param.name} must have its shape "
                    f"{param.shape}, but got {raw.shape}."
                )
            floating = jnp.issubdtype(raw.dtype, jnp.floating)
            wider = floating and raw.dtype.itemsize > max(param.itemsize, 4)
            if self._checks_dtypes and (wider or not (floating or self._integer_gradients)):
                raise ArgumentTypeError(
                    f"For '{owner}', the gradient of {param.name} must be float16, bfloat16 or "
                    f"float32, but got {grad.dtype}."
                )
            convert = self._checks_dtypes and not floating
            raws.append(raw.astype(jnp.float32) if convert else raw)
        return raws


def _usual(gradient: Any, param: Any) -> bool:
    """Whether there is nothing to check of a gradient."""
    return gradient.dtype is _USUAL and param.dtype is _USUAL and gradient.shape == param.shape


def _count(held: Any) -> int | None:
    """Return how many Parameters these are; None for one that stands alone."""
    # Whether it is a Parameter is a question to Flax's metaclass, 1 us where it is not.
    return len(held) if isinstance(held, (tuple, list)) else None
