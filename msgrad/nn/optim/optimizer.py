"""``Optimizer``, the base: its arguments, and the learning rates and weight decays of a step.

State and step are in ``_base.py``; what a step computes, in ``_step.py`` and each optimizer's rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, dataclass_transform

import jax.numpy as jnp
import numpy as np
import optax

from msgrad._core.bridge import is_tensor, unwrap, wrap
from msgrad._core.checks import at_least_zero, of_type, one_of
from msgrad._core.context import context
from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingAttributeError,
    UnsupportedError,
)
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.tensor import Tensor
from msgrad.nn._hyper import Declaring
from msgrad.nn.cell import Cell
from msgrad.nn.layer.container import CellList
from msgrad.nn.optim import _groups, _rates
from msgrad.nn.optim._base import RuleOptimizer
from msgrad.nn.optim._rule import transformation
from msgrad.nn.optim._sharded import (
    ShardedPlan,
    Unreduced,
    count_of_parts,
    make_sharded_plan,
    own_parts,
)
from msgrad.nn.optim._step import Plan, make_plan
from msgrad.nn.optim._variables import read_all
from msgrad.ops import HyperMap, Map

__all__ = ["Optimizer", "opt_init_args_register"]

_NO_RULE = optax.with_extra_args_support(optax.identity())
# What every constructor hands on to the base.
_OF_ALL = ("learning_rate", "params", "weight_decay", "loss_scale")


class Optimizer(RuleOptimizer):
    """Base of the optimizers; a subclass has a ``_rule``, or a ``construct`` of its own.

    Args:
        learning_rate: Number, 0-d Tensor, 1-d Tensor or iterable (one rate for each step), or
            LearningRateSchedule.
        parameters: Parameters, or group dicts with the keys ``params``, ``lr``, ``weight_decay``,
            ``grad_centralization``; one dict may hold ``order_params`` alone.
        weight_decay: Number or Cell; added to the gradient, times the weight. Without groups it
            spares every parameter with ``beta`` or ``gamma`` in its name.
        loss_scale: What gradients are divided by.

    Inputs: gradients, a tuple with one Tensor for each parameter. Output: a tuple of True.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For negative numbers, no parameters, or two of one name.
        KeyError: For unknown keys in a group.
        RuntimeError: In a step, for gradients that are no tuple of the right length, or when the
            listed learning rates have come to an end.

    A step either happens or leaves everything as it was.
    """

    _told = {
        "params": "As ``parameters`` of ``Optimizer``.",
        "accum": "float, 0 or more, what the sums of squares begin with.",
        "beta1": "float in (0, 1), decay of the mean of gradients.",
        "beta2": "float in (0, 1), decay of the mean of squares.",
        "eps": "float above 0, added to the root.",
        **dict.fromkeys(("l1", "l2", "momentum"), "float, 0 or more."),
        "use_locking": "Accepted for compatibility.",
        "use_nesterov": "Whether to use Nesterov's form.",
    }
    learning_rate: Any
    weight_decay: Any
    _dynamic_decay: bool = True
    # Without groups, weight decay spares parameters with one of these in their names.
    _spared: tuple[str, ...] = ("beta", "gamma")
    _unscales: bool = True
    # The learning rate where None is given.
    _rate: float | None = None
    # The names of the options, and of the attributes that hold them.
    _options: tuple[tuple[str, str], ...] = ()
    _checked_step: tuple[int, int] = (-2, 0)
    _noted_writes: int = -1
    _unique_flag: bool = True
    # What ``target`` can be set to, beside the device.
    _targets: tuple[str, ...] = ()
    # Whether a table that is looked up sparsely has only the rows updated that were looked up.
    _by_rows: bool = False
    map_reverse, hyper_map_reverse = Map(reverse=True), HyperMap(reverse=True)
    use_parallel: bool = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        declared = getattr(vars(cls).get("__init__"), "declared", ())
        if declared:
            # A state may have the name of what it begins with.
            slots = {slot.name for slot in cls._rule.slots} if cls._rule else ()
            names = [name for name in declared if name not in (*_OF_ALL, *cls._hyper_names)]
            cls._options = tuple((name, f"_{name}" if name in slots else name) for name in names)

    def __init__(
        self, learning_rate: Any, parameters: Any, weight_decay: Any = 0.0, loss_scale: float = 1.0
    ) -> None:
        super().__init__(auto_prefix=False)
        owner = type(self).__name__
        given = _groups.read(parameters, learning_rate, weight_decay)
        scale = float(loss_scale) if isinstance(loss_scale, int) else loss_scale
        of_type(owner, "loss_scale", scale, float)
        self.loss_scale = at_least_zero(owner, "loss_scale", scale, strictly=True)
        self.need_scale = self.loss_scale != 1.0
        self.reciprocal_scale = Tensor(1.0 / self.loss_scale, mstype.float32)
        self.is_group = given.is_group
        self.is_group_lr = given.is_group_lr
        self.is_group_params_ordered = given.is_ordered
        self.grad_centralization_flags = tuple(item.centralize for item in given.each)
        self.grad_centralization = any(self.grad_centralization_flags)
        self.param_length = len(given.each)

        self.global_step = Parameter(Tensor([0], mstype.int32), name="global_step")
        self.global_step_increase_tensor = Tensor([1], mstype.int32)
        self._add_rates(given)
        self.parameters = ParameterTuple(item.param for item in given.each)
        self._add_decays(given)
        self.optim_filter = (True,) * self.param_length
        self._parts = count_of_parts(self)
        if self._parts > 1 and self.grad_centralization:
            raise UnsupportedError(
                f"{owner} cannot be sharded over ranks with 'grad_centralization'; leave one out."
            )

    @property
    def _parameters(self) -> ParameterTuple:
        return self.parameters

    # Learning rates and weight decay --------------------------------------------------------

    def _add_rates(self, given: _groups.Settings) -> None:
        owner = type(self).__name__
        held: dict[str, Any] = {}
        for item in given.each:
            if item.lr_name not in held:
                rate = self._preprocess_single_lr(item.lr)
                held[item.lr_name] = (
                    None if rate is None else _rates.learning_rate(owner, rate, item.lr_name)
                )
        self.dynamic_lr = any(isinstance(rate, Cell) for rate in held.values())
        lengths = {len(r) for r in held.values() if isinstance(r, _rates._IteratorLearningRate)}
        if len(lengths) > 1:
            raise ArgumentValueError(
                "For 'Optimizer', the Tensor type dynamic learning rate in group must be the same "
                f"size as the argument 'learning_rate'. Got lists of lengths {sorted(lengths)}."
            )
        self._steps_listed = lengths.pop() if lengths else None
        if self.dynamic_lr:
            held = {
                name: _rates._ConvertToCell(rate) if isinstance(rate, Parameter) else rate
                for name, rate in held.items()
            }
        names = list(held)
        self._rate_of = tuple(names.index(item.lr_name) for item in given.each)
        # Where each of the rates stands first.
        self._first_of = tuple(self._rate_of.index(index) for index in range(len(names)))
        if not given.is_group_lr:
            self.learning_rate = next(iter(held.values()))
        elif self.dynamic_lr:
            cells = CellList(auto_prefix=False)
            cells.extend([held[item.lr_name] for item in given.each])
            self.learning_rate = cells
        else:
            # One for each parameter, as in MindSpore, so that one may stand in it several times.
            rates = (held[item.lr_name] for item in given.each)
            self.learning_rate = tuple.__new__(ParameterTuple, rates)

    def _preprocess_single_lr(self, learning_rate: Any) -> Any:
        """Check the type of a learning rate; optimizers of users that need none override it."""
        _rates.check_type(learning_rate)
        return learning_rate

    def _add_decays(self, given: _groups.Settings) -> None:
        owner = type(self).__name__
        scale = self.loss_scale if self._unscales else 1.0
        held: dict[int, Any] = {}
        for item in given.each:
            if id(item.weight_decay) not in held:
                decay = _rates.weight_decay(owner, item.weight_decay, self._dynamic_decay, scale)
                held[id(item.weight_decay)] = decay
        decays = [held[id(item.weight_decay)] for item in given.each]
        self.dynamic_weight_decay = any(isinstance(decay, Cell) for decay in decays)
        self.decay_flags = tuple(
            decay != 0
            if self.is_group
            else not any(part in item.param.name for part in self._spared)
            for decay, item in zip(decays, given.each, strict=True)
        )
        self.exec_weight_decay = any(decay != 0 for decay in decays)
        self._decays = tuple(
            (None if isinstance(decay, Cell) else decay) if flag else 0.0
            for decay, flag in zip(decays, self.decay_flags, strict=True)
        )
        # It is added to a gradient that is not divided by the loss scale yet.
        shown = tuple(d if isinstance(d, Cell) else Tensor(d * scale) for d in decays)
        self.weight_decay = shown if self.is_group else shown[0]

    def _demand_groups(self) -> None:
        if not self.is_group:
            raise MissingAttributeError(f"The '{type(self).__name__}' has no groups of parameters.")

    @property
    def group_params(self) -> list[Any]:
        """The parameters, group by group or as ordered; only an optimizer with groups has it."""
        self._demand_groups()
        return list(self.parameters)

    @property
    def group_lr(self) -> list[Any]:
        """The rate of each parameter, or what computes it; only an optimizer with groups has it."""
        self._demand_groups()
        held: Any = self.learning_rate
        return list(held) if self.is_group_lr else [held] * len(self.parameters)

    @property
    def group_weight_decay(self) -> list[Any]:
        """The decay of each parameter times the loss scale, or what computes it; only an optimizer
        with groups has it."""
        self._demand_groups()
        scale = self.loss_scale if self._unscales else 1.0
        cells = zip(self.weight_decay, self._decays, strict=True)
        return [cell if fixed is None else fixed * scale for cell, fixed in cells]

    @property
    def group_grad_centralization(self) -> list[bool]:
        """Whether the gradient of each is centralized; only an optimizer with groups has it."""
        self._demand_groups()
        return list(self.grad_centralization_flags)

    @property
    def dynamic_decay_flags(self) -> bool | tuple[bool, ...]:
        """Whether the weight decay changes; with groups, for each parameter."""
        if self.is_group:
            return tuple(fixed is None for fixed in self._decays)
        return self.dynamic_weight_decay

    def _is_dynamic_lr_or_weight_decay(self) -> bool:
        """Whether a rate changes; optimizers of users ask it in a ``get_lr`` of their own."""
        return self.dynamic_lr or self.dynamic_weight_decay

    def get_lr(self) -> Any:
        """Return the learning rate of the next step; with groups, one for each parameter."""
        if not self.dynamic_lr:
            return self.learning_rate
        if self._steps_listed is not None and context.lift is not None:
            checks, writes = context.lift.checks, self.global_step._writes()
            # Once for each step, however often its rate is asked for.
            if self._check_steps not in checks or writes != self._noted_writes:
                vars(self)["_noted_writes"] = writes
                checks.append(self._check_steps)
        if self.is_group_lr:
            return tuple(self._computed_rate(cell) for cell in self.learning_rate)
        return self._computed_rate(self.learning_rate)

    def _computed_rate(self, cell: Cell) -> Tensor:
        self._check_listed(self._step_number())
        listed = isinstance(cell, _rates._IteratorLearningRate)
        rate = cell.at(self.global_step) if listed else cell(self.global_step)
        return wrap(jnp.reshape(unwrap(rate), ()).astype(jnp.float32))

    def _check_listed(self, number: int) -> None:
        if self._steps_listed is not None:
            _rates.check_listed(number, self._steps_listed)

    def _check_steps(self, steps: int) -> None:
        """Raise if a compiled program that makes so many steps runs past the listed rates."""
        version, left = self._checked_step
        now = self.global_step._writes()
        if now != version + 1 or left < steps:
            # Waits for the device; then not again until the rates may have come to an end.
            raw = concrete(self.global_step._read())
            if is_tracer(raw):
                return
            number = int(raw[0])
            self._check_listed(number + steps - 1)
            left = (self._steps_listed or 0) - number
        # Past __setattr__, which lets every compiled program look at its Cells again.
        vars(self)["_checked_step"] = (now, left - steps)

    def _step_number(self) -> int:
        """Return the step as a number; -1 where only a compiled call will know it."""
        raw = concrete(self.global_step._read())
        if is_tracer(raw):
            return -1
        version, number = self._known_step
        if self.global_step._writes() != version:
            # Waits for the device; after a step of this optimizer the number is known without.
            number = int(raw[0])
            vars(self)["_known_step"] = (self.global_step._writes(), number)
        return number

    def get_lr_parameter(self, param: Parameter | list[Parameter]) -> Any:
        """Return the Parameter (or schedule) that holds the learning rate of a parameter.

        Args:
            param: A parameter of this optimizer, or a list of them.

        Raises:
            TypeError: If it is neither.
            ValueError: If it is not a parameter of this optimizer.
        """
        if isinstance(param, list):
            return [self.get_lr_parameter(item) for item in param]
        if not isinstance(param, Parameter):
            raise ArgumentTypeError(
                "For 'get_lr_parameter', the 'param' must be 'Parameter' or 'list' type, but got "
                f"{type(param)}."
            )
        for index, own in enumerate(self.parameters):
            if own is param:
                held: Any = self.learning_rate
                rate = held[index] if self.is_group_lr else held
                listed = isinstance(rate, (_rates._IteratorLearningRate, _rates._ConvertToCell))
                return rate.learning_rate if listed else rate
        raise ArgumentValueError(
            f"For 'get_lr_parameter', the parameter {param.name} is not in optimizer, please check "
            "whether the argument 'param' is correct."
        )

    def get_weight_decay(self) -> Any:
        """Return the weight decay of the next step, times the loss scale; with groups, one for
        each parameter."""
        if not self.dynamic_weight_decay:
            return self.weight_decay
        decays = self.weight_decay if self.is_group else (self.weight_decay,)
        now = tuple(d(self.global_step) if isinstance(d, Cell) else d for d in decays)
        return now if self.is_group else now[0]

    def _computed_decays(self) -> list[Any]:
        """Return the weight decays that the Plan does not know, without the loss scale."""
        if not self.dynamic_weight_decay:
            return [None] * self.param_length
        if not self.is_group:
            now = unwrap(self.weight_decay.weight_decay(self.global_step))
            return [now if fixed is None else None for fixed in self._decays]
        return [
            unwrap(cell.weight_decay(self.global_step)) if fixed is None else None
            for cell, fixed in zip(self.weight_decay, self._decays, strict=True)
        ]

    # The step -------------------------------------------------------------------------------

    def _begin(self, given: dict[str, Any]) -> None:
        """Make an optimizer of what its constructor was given; see ``hyperparameters``."""
        rate, params, decay, scale = (given.pop(name, 1.0) for name in _OF_ALL)
        Optimizer.__init__(self, self._rate if rate is None else rate, params, decay, scale)
        places = dict(self._options)
        for name, value in given.items():
            if name in self._hyper_names:
                setattr(self, name, Parameter(Tensor(value, mstype.float32), name=name))
            else:
                vars(self)[places.get(name, name)] = (
                    tuple(value) if isinstance(value, list) else value
                )
        params = read_all(self.parameters)
        state: Any = self.transformation().init(own_parts(params) if self._parts > 1 else params)
        for slot in self._rule.slots if self._rule else ():
            if slot.name in state:
                self._hold(slot, state[slot.name])

    def _own(self) -> tuple[tuple[str, Any], ...]:
        """Return the options of the rule, as they stand now."""
        return tuple([(name, _number(getattr(self, place))) for name, place in self._options])

    def transformation(self) -> optax.GradientTransformationExtraArgs:
        """Return the rule as an Optax transformation: the same one for the same settings."""
        if self._rule is None:
            raise self._undefined()
        return transformation(self._rule, (self._own(),))

    def plan(self, rule: optax.GradientTransformationExtraArgs | None = None) -> Plan:
        rule = self.transformation() if rule is None else rule
        if self._plan is None or self._plan.rule is not rule:
            form = (
                rule,
                self.loss_scale if self._unscales else 1.0,
                self._decays,
                self.grad_centralization_flags,
                self._rate_of,
                self._rule is not None and self._rule.decoupled,
            )
            if self._parts > 1:
                self._plan = make_sharded_plan(*form)
            else:
                rows = tuple([param._sparse_rows for param in self.parameters])
                sparse = rows if any(rows) else ()
                self._plan = make_plan(*form, sparse=sparse, by_rows=bool(sparse) and self._by_rows)
        return self._plan

    def _plan_for(self, gradients: Any) -> Plan:
        plan = self.plan()
        if isinstance(plan, ShardedPlan) and isinstance(gradients, Unreduced):
            return plan.reducing(gradients.factor)
        return plan

    def _counter(self) -> Parameter:
        return self.global_step

    def read_rates(self) -> list[Any]:
        rates = self.get_lr()
        each = rates if self.is_group_lr else (rates,)
        return [each[place]._read() for place in self._first_of]

    # For optimizers with a construct of their own -------------------------------------------

    def _prepared(self, name: str, gradients: Any, *rest: Any) -> tuple[Tensor, ...]:
        part: Callable[..., list[Any]] = self.plan(_NO_RULE).prepare[name]
        return tuple(wrap(raw) for raw in part([unwrap(grad) for grad in gradients], *rest))

    def decay_weight(self, gradients: Any) -> Any:
        """Return the gradients with weight decay added."""
        if not self.exec_weight_decay:
            return gradients
        params = [param._read() for param in self.parameters]
        return self._prepared("decay", gradients, params, self._computed_decays())

    def gradients_centralization(self, gradients: Any) -> Any:
        """Return the gradients with mean 0 where the groups ask for it."""
        return self._prepared("centralize", gradients) if self.grad_centralization else gradients

    def scale_grad(self, gradients: Any) -> Any:
        """Return the gradients divided by the loss scale."""
        return self._prepared("unscale", gradients) if self.need_scale else gradients

    def flatten_gradients(self, gradients: Any) -> Any:
        """Return the gradients as they are."""
        return gradients

    _grad_sparse_indices_deduplicate = flatten_gradients

    def broadcast_params(self, optim_result: Any) -> Any:
        """Return the result of a step as it is."""
        return optim_result

    @property
    def unique(self) -> bool:
        """Accepted for compatibility: whether indices of sparse gradients are made unique."""
        return self._unique_flag

    @unique.setter
    def unique(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise ArgumentTypeError(
                f"For 'Optimizer', the property 'unique' must be bool, but got {type(value)}"
            )
        object.__setattr__(self, "_unique_flag", value)

    @property
    def target(self) -> str:
        """The device that steps run on, or what was set in its place.

        Those that MindSpore runs on the host on request can be told so, without effect.
        """
        return vars(self).get("_target", self.global_step.device)

    @target.setter
    def target(self, value: str) -> None:
        if not self._targets:
            raise UnsupportedError(
                f"The 'target' of {type(self).__name__} cannot be set; leave it out."
            )
        of_type("Optimizer", "target", value, str)
        targets = sorted({*self._targets, self.global_step.device})
        one_of("Optimizer", "target", value, *targets)
        vars(self)["_target"] = value


def _number(option: Any) -> Any:
    """Return an option; one that a subclass has put in as a Tensor is the number it holds."""
    return np.asarray(option._data).item() if is_tensor(option) else option


@dataclass_transform()
class Listing(Optimizer, Declaring):
    """Base of the optimizers that list in their bodies what their constructors take."""


def opt_init_args_register(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make an ``__init__`` that takes anything; programs choose options by its signature."""

    def deco(self: Any, *args: Any, **kwargs: Any) -> None:
        function(self, *args, **kwargs)

    return deco
