"""``Cell``, the base of every network and layer: a ``flax.nnx.Module`` with MindSpore's rules.

This file holds registration of parameters and child cells, attribute access, calling and repr.
Naming and iteration are in ``_naming.py``, hooks in ``_hooks.py``, state dicts and buffers in
``_state.py``, the table of a notebook in ``_display.py``; Cell is put together from them.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from msgrad._compiled.graph_mode import call_cell, compiles_now
from msgrad._core.autocast import Autocast
from msgrad._core.bridge import is_tensor, wrap, wrap_arrays
from msgrad._core.checks import of_type, one_of
from msgrad._core.context import GRAPH_MODE, bump_revision, context
from msgrad._core.declared import check, guard_constructor, guarded
from msgrad._core.engine.flax import ModuleBridge, is_flax_private
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingAttributeError,
    ParameterNameError,
    UnsupportedError,
)
from msgrad._core.scopes.discovery import ABSENT, REGISTRIES, watch_attributes_of
from msgrad._core.watched import Registry
from msgrad._gradients.forward_cache import forward_for_gradient, forward_in_program
from msgrad._gradients.forward_pass import records_forward, run_recorded
from msgrad.autograd.bprop import call_with_bprop
from msgrad.autograd.recompute import run_recomputed
from msgrad.common import dtype as mstype
from msgrad.common.jit_config import JitConfig
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.tensor import Tensor
from msgrad.nn._display import DisplayMixin
from msgrad.nn._foreign import adopt, is_foreign
from msgrad.nn._hooks import HooksMixin
from msgrad.nn._layout import LayoutMixin
from msgrad.nn._made_of import operator_of, replace_operator
from msgrad.nn._naming import NamingMixin
from msgrad.nn._state import StateMixin
from msgrad.ops.primitive import Primitive
from msgrad.ops.state import assign

_RECOMPUTE = "mp_comm_recompute parallel_optimizer_comm_recompute recompute_slice_activation"
_FLOAT_FLAGS = {mstype.float16: "fp16", mstype.float32: "fp32", mstype.bfloat16: "bf16"}


class Cell(NamingMixin, HooksMixin, StateMixin, LayoutMixin, DisplayMixin, ModuleBridge):
    """A network or layer; subclasses build in ``__init__`` and compute in ``construct``.

    Args:
        auto_prefix: Whether parameters of child cells are named after their attribute.
        flags: Attributes to set as by ``add_flags``.

    Differs from MindSpore: a Flax module or variable may be an attribute, and any Cell works with
    Flax's own functions (``nnx.split``, ``nnx.state``, ``nnx.merge``, ``nnx.display``).
    """

    training: bool = False
    requires_grad: bool = False
    phase: str = "train"
    _param_prefix: str = ""
    _cell_names_checked: bool = False
    _cell_mixed: Autocast | None = None
    _cell_recomputed: bool = False
    # Programs ask it before they call ``recompute``.
    _has_config_recompute: bool = False
    # Of the library: without cells below it, it is an operator or two, which are not recorded.
    _cell_is_layer: ClassVar[bool] = True
    # What ``extend_repr`` shows: attributes, each by its name or as ``name=attribute``.
    _cell_shown: str = ""
    _cell_jitted: bool = False
    _cell_set_inputs: Any = None
    _cell_jit_config: JitConfig | None = None
    cell_type: str | None = None
    # The operators that a layer is made of, and whether one was replaced; see ``_made_of``.
    _cell_operators: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}
    _cell_replaced: Any = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        guard_constructor(cls)
        cls._cell_is_layer = cls.__module__.startswith("msgrad.")

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None) -> None:
        vars(self)["_params"] = Registry()
        vars(self)["_cells"] = Registry()
        self._auto_prefix = auto_prefix
        self._flags: dict[str, Any] = {}
        if flags:
            self.add_flags(**flags)

    # Attributes ---------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        store = self.__dict__
        for kind in REGISTRIES:
            if (found := store.get(kind)) is not None and name in found:
                return found[name]
        if name in type(self)._cell_operators:
            return operator_of(self, name)
        if context.lift is not None:
            context.lift.missed.add((id(self), name))
        raise MissingAttributeError(
            f"The '{type(self).__name__}' object has no attribute '{name}'."
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if context.lift is not None:
            context.lift.note(self)
        if name in type(self)._cell_operators:
            replace_operator(self)
        store = vars(self)
        params, cells = store.get("_params"), store.get("_cells")
        if issubclass(type(value), Primitive):
            # An operator may take the place of a layer: `net.act = ops.ReLU()`.
            for registry in (params, cells):
                (registry or {}).pop(name, None)
        if isinstance(value, Parameter):
            self._cell_set_parameter(name, value)
        elif isinstance(value, ParameterTuple):
            for item in value:
                self.insert_param_to_cell(item.name, item, check_name_contain_dot=False)
            object.__setattr__(self, name, value)
        elif isinstance(value, Cell):
            self._cell_set_cell(name, value)
        elif params is not None and name in params:
            self._cell_assign_parameter(name, value)
        elif cells is not None and name in cells and not is_foreign(value):
            if value is not None:
                raise ArgumentTypeError(
                    f"Sub cell '{name}' already exists in network, can not assign this type: "
                    f"'{type(value)}' as a cell."
                )
            cells[name] = None
        else:
            if is_foreign(value):
                # Flax may take the place of a Cell: so a network goes over piece by piece.
                (cells or {}).pop(name, None)
                adopt(name, value)
            buffers = store.get("_buffers", ())
            now = buffers[name] if name in buffers else store.get(name, ABSENT)
            if name in buffers:
                buffers[name] = value
            else:
                object.__setattr__(self, name, value)
            if now is not value and not _of_one_form(now, value):
                bump_revision(buffers if name in buffers else store)

    def __delattr__(self, name: str) -> None:
        for registry in ("_params", "_cells", "_buffers"):
            if name in vars(self).get(registry, ()):
                del vars(self)[registry][name]
                break
        else:
            object.__delattr__(self, name)
        bump_revision(vars(self))

    def _cell_registry(self, kind: str, method: str) -> dict[str, Any]:
        found = vars(self).get(kind)
        if found is None:
            raise MissingAttributeError(f"For '{method}', please call Cell.__init__() firstly.")
        return found

    def _cell_set_parameter(self, name: str, value: Parameter) -> None:
        params = self._cell_registry("_params", "insert_param_to_cell")
        self._cell_check_free("parameter", name, params)
        self._cell_drop(name)
        if name in params and params[name] is None:
            params.pop(name)
        self.insert_param_to_cell(name, value)

    def _cell_drop(self, name: str) -> None:
        """Take an attribute away that is to become a Parameter or a Cell."""
        if vars(self).pop(name, ABSENT) is not ABSENT:
            bump_revision(vars(self))

    def _cell_assign_parameter(self, name: str, value: Any) -> None:
        current = self._params[name]
        if value is None:
            self._params[name] = None
        elif current is not None and context.lift is not None:
            assign(current, value)  # as compiled: numbers too, and neither shape nor dtype changes
        elif is_tensor(value) and current is not None:
            current.set_data(value)
        elif current is None:
            del self._params[name]
            object.__setattr__(self, name, value)
        else:
            raise ArgumentTypeError(
                f"Parameter '{name}' already exists in network, can not assign this type: "
                f"'{type(value)}' as a parameter."
            )

    def _cell_set_cell(self, name: str, value: Cell) -> None:
        if "_auto_prefix" not in vars(self):
            raise MissingAttributeError(
                f"The '{type(self).__name__}' object has no attribute '_auto_prefix'. Call "
                "super().__init__() before assigning cells."
            )
        self._cell_check_free("child cell", name, self._cells)
        self._cell_drop(name)
        if self._auto_prefix:
            value.update_parameters_name(f"{name}.")
        self._cells[name] = value

    @guarded
    def insert_param_to_cell(
        self, param_name: str, param: Parameter | None, check_name_contain_dot: bool = True
    ) -> None:
        """Register a parameter under a name; an unnamed one takes that name.

        Args:
            param_name: Attribute name; no dots unless ``check_name_contain_dot`` is False.
            param: The parameter, or None to keep the place.
            check_name_contain_dot: Whether a dot in the name is an error.

        Raises:
            KeyError: For a name with a dot, or one that another attribute has.
            TypeError: If ``param`` is not a Parameter.
        """
        check("insert_param_to_cell", "param_name", "Word | None", param_name)
        params = self._cell_registry("_params", "insert_param_to_cell")
        if not param_name:
            raise ParameterNameError("For 'insert_param_to_cell', 'param_name' must not be empty.")
        if check_name_contain_dot and "." in param_name:
            raise ParameterNameError(
                "For 'insert_param_to_cell', the argument 'param_name' should not contain'.' "
            )
        if not isinstance(param, Parameter) and param is not None:
            raise ArgumentTypeError(
                "For 'insert_param_to_cell', the argument 'param' must be 'Parameter' if not None, "
                f"but got {type(param)}."
            )
        self._cell_check_free("parameter", param_name, params, vars(self))
        if param is not None:
            vars(param)["_of_a_cell"] = True
            if param._auto_name:
                param.name = param_name
        params[param_name] = param

    def insert_child_to_cell(self, child_name: str, child_cell: Cell | None) -> None:
        """Register a child cell under a name, without renaming its parameters.

        Raises:
            TypeError: If ``child_cell`` is not a Cell.
            KeyError: If the name is empty or has a dot.
        """
        if child_cell is not None and not isinstance(child_cell, Cell):
            raise ArgumentTypeError(
                "For 'insert_child_to_cell', the argument 'child_cell' must be 'Cell' if not None, "
                f"but got type {type(child_cell)}."
            )
        of_type("insert_child_to_cell", "child_name", child_name, str)
        if not child_name or "." in child_name:
            raise ParameterNameError(
                f"For 'insert_child_to_cell', the argument 'child_name' must be a name without a "
                f"dot, but got '{child_name}'."
            )
        cells = self._cell_registry("_cells", "insert_child_to_cell")
        self._cell_check_free("child cell", child_name, cells, vars(self))
        cells[child_name] = child_cell

    # Calling ------------------------------------------------------------------------------

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output; raises ``AttributeError`` where a class does not define it."""
        raise MissingAttributeError("For 'Cell', the method 'construct' is not defined.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._cell_names_checked:
            self.check_names_and_refresh_name()
            vars(self)["_cell_names_checked"] = True
        if self._cell_jitted:
            if context.lift is None:
                return call_cell(self, args, kwargs)
        elif context.mode == GRAPH_MODE and compiles_now() and self._cell_compiles():
            return call_cell(self, args, kwargs)
        if self.requires_grad and context.scope is context.lift and not context.no_grad:
            return forward_for_gradient(self, args, kwargs)
        if context.lift is not None and context.scope is context.lift and not context.no_grad:
            return forward_in_program(self, args, kwargs)
        large = self._cells or not self._cell_is_layer
        if large and records_forward() and self._cell_compiles():
            code = type(self).construct
            # What has ``stats`` is compiled: there is nothing to record.
            if not hasattr(code, "stats"):
                return run_recorded(self._cell_call_now, code, args, kwargs)
        return self._cell_call_now(args, kwargs)

    def _cell_compiles(self) -> bool:
        """Whether a call is compiled or recorded; not where it is one compiled call anyway."""
        return True

    def _cell_call_now(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        lift = context.lift
        if lift is not None:
            lift.note(self)
        args = tuple(map(wrap_arrays, args))
        if self._cell_has_hooks:
            return self._cell_call_with_hooks(args, kwargs)
        return wrap_arrays(self._cell_run(args, kwargs))

    def _cell_run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._cell_mixed is None:
            return self.run_construct(args, kwargs)
        outer, context.mixed = context.mixed, self._cell_mixed
        try:
            args, kwargs = self._cell_mixed.inputs(args, kwargs)
            return self._cell_mixed.of_cell(self.run_construct(args, kwargs))
        finally:
            context.mixed = outer

    def run_construct(self, cast_inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run ``construct``, with the cell's ``bprop`` as its backward pass where it has one."""
        bprop = getattr(type(self), "bprop", None)
        if bprop is not None and context.scope is not None:
            return call_with_bprop(self.construct, bprop.__get__(self), tuple(cast_inputs), kwargs)
        if self._cell_recomputed:
            return run_recomputed(self.construct, tuple(cast_inputs), kwargs)
        return self.construct(*cast_inputs, **kwargs)

    @property
    def has_bprop(self) -> bool:
        """Whether the class defines its own backward pass."""
        return hasattr(type(self), "bprop")

    def cast_inputs(self, inputs: tuple[Any, ...], dst_type: mstype.DType) -> tuple[Any, ...]:
        """Cast the floating Tensors among ``inputs``.

        Args:
            inputs: Positional inputs; what is not a floating Tensor stays as it is.
            dst_type: The dtype to cast to.
        """
        return tuple(
            item.astype(dst_type)
            if is_tensor(item) and item.dtype in mstype.float_type and item.dtype is not dst_type
            else item
            for item in inputs
        )

    # Modes and flags ----------------------------------------------------------------------

    def _cell_each_cell(self) -> Iterator[Cell]:
        return (cell for _, cell in self.cells_and_names())

    @guarded
    def set_train(self, mode: bool = True) -> Cell:
        """Set training (or, with False, prediction) mode here and below; returns the cell."""
        for cell in self._cell_each_cell():
            cell.training = mode
            cell.phase = "train" if mode else "predict"
            cell._flags["training"] = mode
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Note that gradients will be taken: a call is kept for the gradient call that follows it.

        Returns:
            The cell.
        """
        self.requires_grad = requires_grad
        return self

    def to_float(self, dst_type: mstype.DType) -> Cell:
        """Compute here and below in another float dtype; parameters keep theirs.

        Args:
            dst_type: float16, float32 or bfloat16.

        Returns:
            The cell. The operands of each operator are cast; outputs stay in ``dst_type``. In a
            compiled call, what is cast is what cells are given and find; see ``Autocast``.

        Raises:
            ValueError: For another dtype.
        """
        if not isinstance(dst_type, mstype.DType) or dst_type not in _FLOAT_FLAGS:
            raise ArgumentValueError(
                "For 'to_float', the argument 'dst_type' must be mstype.float32, mstype.float16 "
                f"or mstype.bfloat16, but got type: {type(dst_type)} and value: {dst_type}."
            )
        for cell in self._cell_each_cell():
            cell._cell_mixed = Autocast(dst_type.np_dtype)
            cell.add_flags(**{flag: kind is dst_type for kind, flag in _FLOAT_FLAGS.items()})
        return self

    def add_flags(self, **flags: Any) -> Cell:
        """Set flags, which also become attributes; returns the cell."""
        self._flags.update(flags)
        for name, value in flags.items():
            object.__setattr__(self, name, value)
        bump_revision(vars(self))
        return self

    def add_flags_recursive(self, **flags: Any) -> Cell:
        """Set flags here and below; returns the cell."""
        for cell in self._cell_each_cell():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """Return the flags set so far."""
        return self._flags

    def apply(self, fn: Callable[[Cell], Any]) -> Cell:
        """Call ``fn`` on every cell below and then on this one; returns the cell."""
        of_type("apply", "fn", fn, Callable)
        for child in self.cells():
            child.apply(fn)
        fn(self)
        return self

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Declare the inputs of ``construct``, to which calls are held in GRAPH_MODE.

        A call is compiled for the shapes it comes with, and again for others.

        Args:
            inputs: One for each argument; ``Tensor(shape=[None, 2], dtype=...)`` for a Tensor.
            kwargs: The same by name, for some of them.

        Raises:
            ValueError: For both, or a name that ``construct`` does not have.
        """
        if inputs and kwargs:
            raise ArgumentValueError(
                "For Cell, set_inputs should only set inputs or kwargs"
                f"(inputs: {inputs}, kwargs: {kwargs})!"
            )
        names = list(inspect.signature(self.construct).parameters) if kwargs else []
        for name in kwargs:
            if name not in names:
                raise ArgumentValueError(f"For dict mode, valid key is {names}, but got {name}!")
        self._cell_set_inputs = (inputs, kwargs)

    def get_inputs(self) -> Any:
        """Return what ``set_inputs`` declared: a tuple, or a dict by name; None if nothing was."""
        if self._cell_set_inputs is None:
            return None
        inputs, kwargs = self._cell_set_inputs
        return kwargs or inputs

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """The options given to ``set_jit_config``."""
        return {} if self._cell_jit_config is None else self._cell_jit_config.jit_config_dict

    def set_jit_config(self, jit_config: JitConfig) -> None:
        """Keep options for compiling, which have no effect; only the first ones count.

        Args:
            jit_config: A ``JitConfig``.

        Raises:
            AttributeError: If it is something else.
        """
        if not isinstance(jit_config, JitConfig):
            raise MissingAttributeError(
                f"'{type(jit_config).__name__}' object has no attribute 'jit_config_dict': "
                "set_jit_config takes a JitConfig."
            )
        if self._cell_jit_config is None:
            self._cell_jit_config = jit_config

    def recompute(
        self,
        *,
        use_reentrant: bool = True,
        output_recompute: bool = False,
        early_stop: bool = True,
        context_fn: Any = None,
        **kwargs: Any,
    ) -> None:
        """Compute the cell's activations again in the backward pass instead of keeping them.

        The arguments are accepted for compatibility; see ``mindspore.recompute``.

        Raises:
            TypeError, ValueError: For keywords that MindSpore refuses.
            NotImplementedError: For ``context_fn``.
        """
        for name, value in kwargs.items():
            one_of("recompute", "keyword", name, *_RECOMPUTE.split())
            of_type("recompute", name, value, bool)
        if context_fn is not None:
            raise UnsupportedError("Cell.recompute does not support 'context_fn'; leave it out.")
        self._cell_recomputed = True
        for _, cell in self.cells_and_names():
            cell._has_config_recompute = True

    @property
    def cls_name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    # Showing, copying ---------------------------------------------------------------------

    def extend_repr(self) -> str:
        """Return what ``repr`` shows between the parentheses; for subclasses to define."""
        pairs = (word.partition("=") for word in self._cell_shown.split())
        return ", ".join(f"{name}={getattr(self, part or name)}" for name, _, part in pairs)

    def __repr__(self) -> str:
        extra = self.extend_repr().splitlines()
        children = [
            f"  ({key}): " + repr(cell).replace("\n", "\n  ")
            for key, cell in vars(self).get("_cells", {}).items()
        ]
        if not children and len(extra) <= 1:
            return f"{type(self).__name__}({''.join(extra)})"
        lines = ["  " + line for line in extra] + children
        return f"{type(self).__name__}(\n" + "\n".join(lines) + "\n)"

    def __str__(self) -> str:
        # Not an alias: a subclass that defines __repr__ is printed by it.
        return self.__repr__()

    def __deepcopy__(self, memo: dict[int, Any]) -> Cell:
        new = object.__new__(type(self))
        memo[id(self)] = new
        for name, item in vars(self).items():
            vars(new)[name] = item if is_flax_private(name) else copy.deepcopy(item, memo)
        return new

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return True

    # Flax ---------------------------------------------------------------------------------

    def _flax_items(self) -> dict[str, Any]:
        """Return the attributes as Flax sees them: plain Tensors as arrays, names as structure.

        Parameter names are structure, not metadata of the variables, so that the states of two
        Cells of one class can be mapped over together whatever the Cells are called.
        """
        unseen = ("_params", "_cells", "_cell_names_checked", "_program_cache")
        own = {k: v for k, v in vars(self).items() if k not in unseen}
        tensors = tuple(k for k, v in own.items() if type(v) is Tensor)
        own.update({k: own[k]._read() for k in tensors})
        params = tuple(
            (k, None, None) if p is None else (k, p.name, p.requires_grad)
            for k, p in self._params.items()
        )
        structure = (params, tuple(self._cells), tensors)
        return {**own, **self._params, **self._cells, "_structure": structure}

    def _flax_restore(self, items: dict[str, Any]) -> None:
        params, cells, tensors = items.pop("_structure")
        vars(self)["_params"] = Registry()
        vars(self)["_cells"] = Registry((key, items.pop(key)) for key in cells)
        for key, name, requires_grad in params:
            param = self._params[key] = items.pop(key)
            if param is not None:
                param._name, param._auto_name = name, False
                param._requires_grad = requires_grad
        for key, value in items.items():
            vars(self)[key] = wrap(value) if key in tensors else value

    def _flax_set(self, name: str, value: Any) -> None:
        current = vars(self).get(name)
        if type(current) is Tensor:
            current._write(value)
        else:
            setattr(self, name, value)


def _of_one_form(now: Any, value: Any) -> bool:
    """Whether a program that read one Tensor from a Cell takes the other, see ``_slots``."""
    return (
        is_tensor(now) and is_tensor(value) and (now.shape, now.dtype) == (value.shape, value.dtype)
    )


watch_attributes_of(Cell)
