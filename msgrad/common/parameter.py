"""``Parameter``, the Tensor that a Cell owns and trains, and ``ParameterTuple``.

A Parameter is a Tensor and a ``flax.nnx.Param`` at once: MindSpore code, ``jnp`` functions and
Flax's state functions all see the same payload.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any

import jax
import numpy as np

from msgrad._core import basics
from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.checks import at_least, of_type
from msgrad._core.context import bump_revision, context
from msgrad._core.declared import guarded
from msgrad._core.engine import is_tracer, lower_one_level
from msgrad._core.engine.flax import VariableBridge
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.promotion import is_inexact
from msgrad.common._construct import to_array
from msgrad.common._param_info import ParamInfo
from msgrad.common.dtype import float32, int32
from msgrad.common.tensor import NOT_COPIED, Tensor

PARAMETER_NAME_DEFAULT = "Parameter"

# Whether Parameters leave their values to be made when they are first needed.
no_values: ContextVar[bool] = ContextVar("no_values", default=False)
# MindSpore numbers unnamed parameters from 2.
_unnamed = itertools.count(2)


def _flag(name: str, default: int, doc: str | None = None) -> Any:
    """Return a property, a bool or an int of 0 or more, without effect within one process."""

    def write(self: Any, value: Any) -> None:
        of_type("Parameter", name, value, type(default))
        vars(self)[name] = at_least("Parameter", name, value, 0)

    return property(lambda self: vars(self).get(name, default), write, doc=doc)


class Parameter(Tensor, VariableBridge):
    """A trainable Tensor with a name.

    Args:
        default_input: Tensor (also one made by ``initializer``), number, list or NumPy array; its
            data is copied.
        name: The name; None or ``''`` gives ``Parameter#N``, replaced by the attribute's name when
            the parameter is assigned to a Cell.
        requires_grad: Whether it is trained.
        layerwise_parallel: Accepted for compatibility.
        parallel_optimizer: Accepted for compatibility.
        storage_format: Accepted for compatibility.
        device: Accepted for compatibility.

    Raises:
        TypeError: If the data is of no accepted kind, or ``requires_grad`` is not a bool.
        ValueError: If the data is a Python bool or the name is not a string.
    """

    _name: str = PARAMETER_NAME_DEFAULT
    _auto_name: bool = True
    _requires_grad: bool = True
    layerwise_parallel = _flag("layerwise_parallel", False)
    parallel_optimizer = _flag("parallel_optimizer", True)
    comm_fusion = _flag("comm_fusion", 1, "Which gradients are sent together; 0 or more.")
    cache_enable: bool = False
    cache_shape: Any = ()
    key: int = -1
    # Read and written by optimizers that clone their state themselves.
    requires_aggr: bool = True
    is_init: bool = False
    sliced: bool = False
    unique: bool = False
    inited_param: Any = None
    parallel_optimizer_comm_recompute: bool = False
    init_mode: Any = None
    # Whether it is a table with sparse gradients, see ``Plan.sparse``.
    _sparse_rows: bool = False
    # The shape of what this is one rank's part of, flat; see ``nn/optim/_sharded.py``.
    _part_of: tuple[int, ...] | None = None

    def __init__(
        self,
        default_input: Any,
        name: str | None = None,
        requires_grad: bool = True,
        layerwise_parallel: bool = False,
        parallel_optimizer: bool = True,
        storage_format: str = "",
        device: Any = None,
    ) -> None:
        if isinstance(default_input, bool):
            raise ArgumentValueError(
                "Parameter data can not be `bool`; pass a Tensor of dtype mindspore.bool_."
            )
        if isinstance(default_input, tuple):
            raise ArgumentTypeError(
                "The type of the argument 'default_input' must be in ['Tensor', 'int', 'float', "
                f"'numpy.ndarray', 'list']. But got type {type(default_input)}."
            )
        later: Any = (
            no_values.get() and isinstance(default_input, Tensor) and default_input.has_init
        )
        # Unlike a Tensor, a Parameter of one of these is 32-bit; np.log(2) is a float64.
        kind = {int: int32, np.float64: float32}.get(type(default_input))
        raw = to_array(0 if later else default_input, kind)
        # A leaf: no gradient goes on to what it was made of.
        self._data = lower_one_level(raw) if is_tracer(raw) and is_inexact(raw.dtype) else raw
        self._init_variable()
        if later:
            own = vars(default_input)
            vars(self).update(_init=own["_init"], _data=own["_data"])
        self.name = name
        self.requires_grad = requires_grad
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)

    @property
    def _lasts(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return "" if self._made_here() else f"Parameter '{self._name}'"

    def _write_elements(self, raw: Any) -> None:
        self._assign(raw)

    def _payload(self) -> Any:
        return self._read()

    def _set_payload(self, value: Any) -> None:
        if hasattr(self, "_data"):
            self._write(value)
        else:
            self._data = value

    @property
    def name(self) -> str:
        """The name by which optimizers, checkpoints and gradients with ids call it."""
        return self._name

    @name.setter
    def name(self, value: str | None) -> None:
        if value is not None and not isinstance(value, str):
            raise ArgumentValueError(
                "The type of the Parameter's name should be 'string' or 'None', but got "
                f"{type(value)}."
            )
        value = value and value.strip()
        if value and len(value) > 1024:
            raise ArgumentValueError(
                f"The length of the '{value[:60]}...' name must be at most 1024, but got "
                f"{len(value)}."
            )
        self._auto_name = not value
        self._name = value or f"Parameter#{next(_unnamed)}"

    @property
    def requires_grad(self) -> bool:
        """Whether the parameter is trained; a frozen one has gradient zero."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise ArgumentTypeError("The argument `requires_grad` must be bool type")
        self._requires_grad = value
        bump_revision(self)

    @property
    def param_info(self) -> ParamInfo:
        """Name and flags, with a ``clone()`` that another Parameter can be given."""
        if "param_info" not in vars(self):
            vars(self)["param_info"] = new = ParamInfo()
            new.obj = self
        return vars(self)["param_info"]

    @param_info.setter
    def param_info(self, value: ParamInfo) -> None:
        of_type("Parameter", "param_info", value, ParamInfo)
        for name in ParamInfo.NOTED:
            setattr(self, name, getattr(value, name))
        value.obj = self
        vars(self)["param_info"] = value

    @property
    def data(self) -> Tensor:
        """A plain Tensor that shares its elements with the parameter, and has no gradient;
        assigning a Tensor takes over its values, shape and dtype.
        """
        return basics.stop_gradient(self) if context.in_call else Tensor._shared(self)

    @data.setter
    def data(self, value: Any) -> None:
        self.assign_value(value) if is_tensor(value) else self.set_data(value)

    def _shared(self) -> Tensor:
        return self.data

    def value(self) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a plain Tensor of the present value."""
        return wrap(self._peek())

    def init_data(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, layout: Any = None, set_sliced: bool = False
    ) -> Parameter:
        """Make the values, which there always are; the arguments are accepted, unused."""
        return self

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Take over new values, cast to the parameter's dtype; the shape may change.

        A Tensor of that dtype shares its elements with the parameter from then on, see
        ``assign_value``.

        Args:
            data: Tensor, int, float or bool; no float where the parameter is of integers.
            slice_shape: Accepted for compatibility.

        Returns:
            The parameter.

        Raises:
            TypeError: For data of another kind; the parameter is unchanged.
        """
        kind = type(data)
        if not is_tensor(data) and kind not in (int, float, bool):
            raise ArgumentTypeError(
                "Parameter data must be [`Tensor`, `int`, `float`] or a kind of `Tensor` (like "
                f"`Tensor`). But with type {kind}."
            )
        if kind is float and self.dtype.np_dtype.kind in "iu":
            raise ArgumentTypeError(
                f"Parameter data of {self.dtype} must be a Tensor or an int, but got {data}."
            )
        if not is_tensor(data) or data.dtype != self.dtype:
            data = wrap(to_array(data, self.dtype))
        self.assign_value(data)
        return self

    def add_pipeline_stage(self, stage: int) -> None:
        """Accepted for compatibility: a stage of a pipeline that uses the parameter.

        Raises:
            TypeError: If it is not an int, 0 or more.
        """
        if not isinstance(stage, int) or stage < 0:
            raise ArgumentTypeError("`stage` must be a positive number of int type")

    def clone(self, init: Any = "same") -> Parameter:
        """Return a new parameter of the same name, shape, dtype and ``requires_grad``.

        Args:
            init: ``'same'`` for the same values, else what ``initializer`` accepts.
        """
        from msgrad.common.initializer import initializer

        if isinstance(init, str) and init == "same":
            data: Any = wrap(self._read())
        else:
            data = initializer(init, self.shape, self.dtype)
        new = Parameter(data, self.name, self.requires_grad)
        new.layerwise_parallel = self.layerwise_parallel
        new.parallel_optimizer = self.parallel_optimizer
        new.comm_fusion = self.comm_fusion
        new.requires_aggr = self.requires_aggr
        return new

    def copy(self, *args: Any, **updates: Any) -> Any:
        """Return an independent Parameter; with arguments, Flax's copy of the variable."""
        return VariableBridge.copy(self, *args, **updates) if args or updates else self.clone()

    def __deepcopy__(self, memodict: Any) -> Parameter:
        memo: dict[int, Any] = memodict if isinstance(memodict, dict) else {}
        new = object.__new__(type(self))
        memo[id(self)] = new
        new._data = self._read()
        new._init_variable()
        for key, item in [*vars(self).items()]:
            if key not in NOT_COPIED:
                vars(new)[key] = copy.deepcopy(item, memo)
        return new

    def __setstate__(self, state: dict[str, Any]) -> None:
        Tensor.__setstate__(self, state)
        self._init_variable()

    def __str__(self) -> str:
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, "
            f"requires_grad={self.requires_grad})"
        )

    __repr__ = __str__


class ParameterTuple(tuple):
    """An immutable sequence of Parameters with distinct names.

    Raises:
        TypeError: If an element is not a Parameter, or the input is not a collection.
        ValueError: If two different parameters carry the same name.
    """

    @guarded
    def __new__(cls, iterable: Iterable[Parameter]) -> ParameterTuple:
        data = tuple(iterable)
        seen: dict[str, Parameter] = {}
        for item in data:
            if not isinstance(item, Parameter):
                raise ArgumentTypeError(
                    "For ParameterTuple initialization, ParameterTuple input should be "
                    f"'Parameter' collection, but got a {type(iterable)}, whose element is a "
                    f"{type(item)}."
                )
            if seen.setdefault(item.name, item) is not item:
                raise ArgumentValueError(
                    f"The value {item} , its name '{item.name}' already exists. Please set a "
                    "unique name for the parameter."
                )
        return tuple.__new__(cls, data)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """Return a clone of each parameter, named ``prefix.name``.

        Args:
            prefix: Put before each name, with a dot.
            init: As for ``Parameter.clone``.

        Raises:
            TypeError, ValueError: If the prefix is no str of letters, digits, ``_`` and ``.``.
        """
        if not re.match(r"\w+[0-9a-zA-Z_.]*$", prefix, re.ASCII):
            raise ArgumentValueError(
                f"The '{prefix}' is illegal, it must be match "
                r"regular'^\w+[0-9a-zA-Z\_\.]*$' by flags're.ASCII.'"
            )
        clones = []
        for item in self:
            new = item.clone(init)
            new.name = f"{prefix}.{item.name}"
            clones.append(new)
        return ParameterTuple(clones)

    def __reduce__(self) -> tuple[Any, ...]:
        return ParameterTuple, (list(self),)


jax.tree_util.register_pytree_node(
    ParameterTuple,
    lambda value: (tuple(value), None),
    lambda _, children: tuple.__new__(ParameterTuple, children),
)
