"""``Tensor``: one JAX array with MindSpore's face; its operators are installed by ``msgrad.ops``.

What lives here: construction, the payload and its views, attributes, conversion to Python and
NumPy, printing, copying. Arithmetic, methods such as ``sum`` and indexing are operators
(``msgrad/ops``), one definition each.
"""

from __future__ import annotations

import copy
import functools
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core import basics
from msgrad._core.bridge import is_tensor, note_made, register_tensor_class, wrap
from msgrad._core.checks import of_type
from msgrad._core.context import bump_revision, context
from msgrad._core.deferred.recording import Pending, materialize, materialize_numbers
from msgrad._core.engine import concrete, is_tracer, to_device
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, OptionError
from msgrad._core.former import former_attribute
from msgrad._core.op import constant, dispatch
from msgrad._core.ownership import (
    array_at,
    evict,
    is_my_turn,
    lock,
    outlived,
    wait_for_turn,
)
from msgrad._core.promotion import convert, is_inexact
from msgrad._core.scopes.discovery import value_needed
from msgrad.common import dtype as mstype
from msgrad.common._construct import NoValues, described, to_array
from msgrad.common._printing import tensor_repr, tensor_str
from msgrad.common._ufuncs import array_ufunc
from msgrad.common._views import (
    detach,
    everything,
    rebound,
    root,
    share,
    write_spread,
    write_through,
)

# What a payload may be; jax.eval_shape and jax.tree.map build Tensors of other things.
_ARRAYS = (jax.Array, np.ndarray, Pending)
View = tuple["Tensor", Callable[[Any], Any], int]
# Attributes that are not a copy's.
NOT_COPIED = frozenset({"_data", "_view", "_views", "_picked", "_init", "_hooks", "param_info"})
# From how many views on those that are gone are forgotten, each time their number has doubled.
_MANY_VIEWS = 16


if TYPE_CHECKING:
    # What msgrad.ops puts on the class, as a stub of it says.
    from msgrad.common._installed import Installed  # pyright: ignore[reportMissingModuleSource]
else:
    Installed = object


class Tensor(Installed):
    """An n-dimensional array on a JAX device, with MindSpore 2.10's rules.

    Args:
        input_data: Tensor (its elements are shared, where the dtype is its own), NumPy array or
            scalar, Python number or bool, or a nested list or tuple of these (copied, never
            aliased); a raw JAX array is accepted too.
        dtype: A MindSpore dtype to cast to. By default ints become int64, floats float32, bools
            bool, complex complex128, and NumPy data keeps its dtype.
        shape: The shape, with ``init``; or with ``dtype`` alone, for a Tensor that only describes
            an input: None or -1 for a size that is not known (zeros if all are).
        init: An ``Initializer`` that makes the values when they are first needed.
        const_arg: Whether it is a constant of a compiled function that it is given to: one program
            is compiled for each value.
        device: Accepted for compatibility.

    Raises:
        TypeError: For other input, a ragged list, or a dtype that is not a MindSpore dtype.
        ValueError: For a shape beside ``input_data``, or ``init`` without shape and dtype.

    Differs from MindSpore: ``asnumpy`` gives a writable copy, not the tensor's own memory.
    """

    _data: Any
    _view: View | None = None
    # What it was picked from by an index: see ops/indexing.py.
    _picked: tuple[Any, Any, int] | None = None
    _version: int = 0
    # What to call it where its value must not be a tracer, since it outlives every transform.
    _lasts: str = ""
    _init: Any = None
    _hooks: dict[int, Any] | None = None
    const_arg: bool = False

    def __init__(
        self,
        input_data: Any = None,
        dtype: Any = None,
        shape: Any = None,
        init: Any = None,
        const_arg: bool = False,
        device: Any = None,
    ) -> None:
        if const_arg is not False:
            self.set_const_arg(const_arg)
        if dtype is not None and not isinstance(dtype, mstype.DType):
            raise ArgumentTypeError(
                "For 'Tensor', the 'dtype' should be a MindSpore dtype such as mindspore.float32, "
                f"but got '{dtype!r}'."
            )
        if shape is not None and input_data is not None:
            raise ArgumentValueError(f"The 'shape' {shape} cannot be given with 'input_data'.")
        if init is not None:
            self._defer(init, shape, dtype)
            return
        if input_data is None and dtype is not None:
            sizes, unknown = described(shape)
            if unknown:
                self._defer(NoValues(shape), sizes, dtype)
                return
            input_data = np.zeros(sizes, dtype.np_dtype)
        if isinstance(input_data, Tensor) and (dtype is None or dtype is input_data.dtype):
            shared = input_data._shared()
            self._data = shared._data
            assert shared._view is not None
            base, view_of, _ = shared._view
            self._set_base(base, view_of)
        else:
            self._data = to_array(input_data, dtype)
        note_made(self)

    def _defer(self, init: Any, shape: Any, dtype: Any) -> None:
        if shape is None or dtype is None:
            raise ArgumentValueError(
                "For 'Tensor', 'shape' and 'dtype' must both be given with 'init', but got "
                f"shape={shape!r}, dtype={dtype!r}."
            )
        if not isinstance(shape, (int, tuple, list)):
            raise OptionError(
                f"For 'Tensor', 'shape' must be an int, tuple or list, but got {type(shape)}."
            )
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        self._init = init
        self._data = jax.ShapeDtypeStruct(sizes, dtype.np_dtype)

    # Payload ------------------------------------------------------------------------------

    def _read(self) -> Any:
        """Return the raw array this Tensor reads as now, in the running scope."""
        return materialize(self._peek())

    def _peek(self) -> Any:
        """Return the same, or a ``Pending`` that stands for what is recorded and not run yet."""
        scope = context.scope
        if self._view is not None:
            self._refresh()
        elif self._init is not None:
            self.init_data()
        if scope is not None:
            value = scope.lookup(self)
            if value is not None:
                return value
        return self._data

    def _write(self, raw: Any) -> None:
        """Replace the payload in place, through to the Tensor this one is a view of."""
        if self._view is not None:
            base, view_of, _ = self._view
            current, raw = base._read(), materialize(raw)
            if raw.size > current.size:
                base._write_elements(write_spread(current, view_of, self._read(), raw))
                raw = view_of(base._peek())
            else:
                base._write_elements(write_through(current, view_of, raw))
            self._view = (base, view_of, base._writes())
        # Not by attribute: that of a Parameter goes through Flax's.
        own = vars(self)
        if "_version" in own:
            own["_version"] += 1
        if self._init is not None:
            own["_init"] = None
        self._store(raw)

    def _write_elements(self, raw: Any) -> None:
        # A Parameter differs: a write to some of its elements leaves it a leaf.
        (self._assign if context.no_grad else self._write)(raw)

    def _store(self, raw: Any) -> None:
        scope = context.scope
        if scope is not None:
            scope.write(self, raw)
        elif is_tracer(raw) and self._lasts:
            raise outlived(self._lasts)
        else:
            own = vars(self)
            recorded = type(raw) is Pending and type(own.get("_data")) is not Pending
            later = recorded and self._view is None and context.recorder
            if recorded and not later:
                # Only a Tensor that was made in the call may stand for what is recorded.
                raw = materialize(raw)
            wait_for_turn()
            with lock:
                is_my_turn()
                if not (later and later.write(own, raw)):
                    evict((own,))
                    own["_data"] = materialize(raw) if recorded else raw

    _commit = _store

    def _assign(self, raw: Any) -> None:
        """Take over a value, as a constant: gradients go on to where the Tensor came from."""
        current = self._peek()
        alike = (raw.shape, raw.dtype) == (current.shape, current.dtype)
        if not alike:
            # A program may have read the shape and not the value.
            bump_revision(self)
        if is_inexact(raw.dtype):
            moves = is_tracer(current) or type(current) is Pending
            if moves and alike:
                raw = dispatch(basics.as_constant_of, (), (raw, current))
            elif is_tracer(raw) or type(raw) is Pending:
                raw = dispatch(basics.as_constant, (), (raw,))
        self._write(raw)

    def _set_base(self, base: Tensor, view_of: Callable[[Any], Any]) -> None:
        """Make this Tensor a view: ``view_of`` computes its payload from that of ``base``."""
        self._view = (base, view_of, base._writes())
        views = vars(base).setdefault("_views", [])
        count = len(views)
        if count >= _MANY_VIEWS and not count & (count - 1):
            views[:] = [ref for ref in views if ref() is not None]
        views.append(weakref.ref(self))

    def _shared(self) -> Tensor:
        """Return a Tensor that shares the elements of this one, and its gradient."""
        new = wrap(self._peek())
        new._set_base(self, everything)
        return new

    def _writes(self) -> int:
        """Return how often the payload was replaced; it is counted from the first time on."""
        own = vars(self)
        if type(own.get("_data")) is Pending:
            # What is recorded is with no program that may write to it meanwhile.
            return own.setdefault("_version", 0)
        wait_for_turn()
        with lock:
            is_my_turn()
            evict((own,))
            return own.setdefault("_version", 0)

    def _refresh(self) -> None:
        assert self._view is not None
        base, view_of, version = self._view
        if base._view is not None:
            base._refresh()
        writes = base._writes()
        if writes != version:
            self._view = (base, view_of, writes)
            self._version += 1
            self._store(view_of(self._shown(base)))

    def _shown(self, base: Tensor) -> Any:
        """Return the payload of ``base`` that this view shows: a view from outside of a gradient
        call is a constant of that call, until the call writes the base.
        """
        scope = context.scope
        if scope is None or is_tracer(self._data) or type(self._data) is Pending:
            return base._peek()
        written = scope.last_written(base)
        return base._data if written is None else written

    def init_data(
        self, slice_index: Any = None, shape: Any = None, opt_shard_group: Any = None
    ) -> Tensor:
        """Make the values of a Tensor built with ``init``; the arguments are accepted, unused.

        Returns:
            The Tensor itself.
        """
        if self._init is not None:
            spec = self._data
            values = self._init.generate(spec.shape, spec.dtype)
            self._init = None
            self._data = to_device(np.asarray(values, spec.dtype))
        return self

    # Attributes ---------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        return self._now().shape

    @property
    def dtype(self) -> Any:
        """The MindSpore dtype."""
        return mstype.from_numpy(self._now().dtype)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self._now().shape, dtype=np.int64))

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self._now().dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes to step in each dimension of a contiguous tensor."""
        sizes = self.shape
        return tuple(
            int(np.prod(sizes[i + 1 :], dtype=np.int64)) * self.itemsize for i in range(len(sizes))
        )

    @property
    def device(self) -> str:
        """``'CPU'``, ``'GPU'`` or ``'TPU'``: where the array lives."""
        raw = self._number()
        device = next(iter(raw.devices())) if not is_tracer(raw) else jax.devices()[0]
        return device.platform.upper()

    @property
    def has_init(self) -> bool:
        """Whether the values are still to be made by an initializer."""
        return self._init is not None

    @property
    def init(self) -> Any:
        """The initializer that is still to make the values, or None."""
        return self._init

    @property
    def data(self) -> Tensor:
        """A plain Tensor that shares the elements of this one, and has no gradient."""
        return basics.stop_gradient(self)

    def _now(self) -> Any:
        return self._data if self._init is not None else self._peek()

    # Out to Python and NumPy --------------------------------------------------------------

    def _number(self) -> Any:
        """Return the values without any gradient; a tracer where they are not known yet."""
        return concrete(materialize_numbers(self._peek()))

    def _concrete(self, purpose: str) -> Any:
        raw = self._number()
        if is_tracer(raw):
            lift = context.lift
            if lift is not None and purpose != "print" and type(self) is Tensor:
                raw = lift.value_of(self, self._peek())
                if not is_tracer(raw):
                    return raw
            if lift is not None and purpose != "asnumpy()":
                lift.note_askers()
            raise value_needed(
                f"{purpose} needs the tensor's value, but it is only known when the compiled or "
                f"vectorised function runs (shape {raw.shape}, dtype {raw.dtype}); take it out of "
                "that function, or use operators such as mindspore.ops.where instead.",
                purpose,
            )
        return raw

    def asnumpy(self) -> np.ndarray:
        """Return the values as a NumPy array of the same dtype, writable and independent."""
        return np.array(self._concrete("asnumpy()"))

    numpy = asnumpy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        values = self.asnumpy()
        return values if dtype is None else values.astype(dtype)

    __array_ufunc__ = array_ufunc

    def __jax_array__(self) -> Any:
        return self._read()

    def item(self) -> Any:
        """Return the one element as a Python number.

        Raises:
            ValueError: If there is not exactly one element.
        """
        number = context.lift and context.lift.number(self)
        return self._one("item()") if number is None else number

    def _one(self, purpose: str) -> Any:
        raw = self._concrete(purpose)
        if raw.size != 1:
            raise ArgumentValueError(
                f"The tensor should have only one element, but got {raw.size}, more than one "
                "element is ambiguous."
            )
        return np.asarray(raw).reshape(()).item()

    def tolist(self) -> Any:
        """Return the values as nested Python lists (a number for a 0-d tensor)."""
        return np.asarray(self._concrete("tolist()")).tolist()

    def __bool__(self) -> bool:
        lift = context.lift
        if lift is not None and self.size == 1:
            answer = lift.decide(concrete(self._read()))
            if answer is not None:
                return answer
        return bool(self._one("bool()"))

    def __int__(self) -> int:
        return int(self._one("int()"))

    def __float__(self) -> float:
        return float(self._one("float()"))

    def __index__(self) -> int:
        whole = jnp.issubdtype(self._peek().dtype, jnp.integer) or self.dtype is mstype.bool_
        if not whole or self.size != 1:
            raise ArgumentValueError(
                "Only integer tensors of a single element can be converted to an index, but got "
                f"{self.dtype} of shape {self.shape}."
            )
        return int(self._one("int()"))

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentTypeError("Not support len of a 0-D tensor")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self.shape:
            raise ArgumentTypeError("iteration over a 0-d tensor")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, value: Any) -> bool:
        found = self == value
        return bool(found.any()) if is_tensor(found) else False

    def __str__(self) -> str:
        if self._init is not None or not isinstance(self._data, _ARRAYS):
            return repr(self)
        return tensor_str(np.asarray(self._concrete("print")))

    def __repr__(self) -> str:
        if self._init is not None:
            value = "\n<uninitialized>" if self.ndim > 1 else "<uninitialized>"
            return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={value})"
        if not isinstance(self._data, _ARRAYS):
            return f"Tensor({self._data!r})"
        return tensor_repr(np.asarray(self._concrete("print")), self.dtype)

    # Identity, copying --------------------------------------------------------------------

    def value(self) -> Tensor:
        """The Tensor itself; of a Parameter, a plain Tensor of its present value."""
        return self

    __hash__ = object.__hash__

    def __copy__(self) -> Tensor:
        return self.copy()

    def copy(self) -> Tensor:
        """Return an independent Tensor of the same values, through which gradients flow."""
        raw = self._peek()
        return wrap(constant(raw) if context.no_grad and context.scope is not None else raw)

    def __deepcopy__(self, memodict: Any) -> Tensor:
        # MindSpore does not look at it: a program may pass anything, by this name.
        memo: dict[int, Any] = memodict if isinstance(memodict, dict) else {}
        new = object.__new__(type(self))
        memo[id(self)] = new
        for name, item in [*vars(self).items()]:
            if name not in NOT_COPIED:
                vars(new)[name] = copy.deepcopy(item, memo)
        new._data, new._init = self._now(), self._init
        note_made(new)
        return new

    def __getstate__(self) -> dict[str, Any]:
        dropped = NOT_COPIED - {"_data"}
        state = {k: v for k, v in [*vars(self).items()] if k not in dropped}
        self.init_data()
        state["_data"] = np.asarray(self._concrete("pickling"))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        data = state.pop("_data")
        vars(self).update(state)
        self._data = to_device(data)

    if not TYPE_CHECKING:
        # To a type checker, what is declared nowhere is absent.
        def __getattr__(self, name: str) -> Any:
            if name == "_data":
                own, recorder = vars(self), context.recorder
                if recorder is not None and context.scope is None:
                    # The thread that has written it.
                    written = recorder.written(own)
                    if written is not None:
                        return written
                array = array_at(own)
                if array is not None:
                    return array
            return former_attribute(self, name)

    def set_dtype(self, dtype: Any) -> Any:
        """Change the dtype in place, casting the values to elements of its own, and return it.

        Raises:
            TypeError: If ``dtype`` is not a MindSpore dtype.
        """
        of_type("Tensor", "dtype", dtype, mstype.DType)
        if self._init is not None:
            self._data = jax.ShapeDtypeStruct(self._data.shape, dtype.np_dtype)
        elif dtype is not self.dtype:
            raw = convert(self._read(), dtype.np_dtype)
            rebound(self)
            detach(self)
            self._write(raw)
        return dtype

    def assign_value(self, value: Any) -> Tensor:
        """Take over the values of another Tensor, in place; a view then has its own elements.

        Both share them from then on, as in MindSpore: what is written to one, by an optimizer too,
        is seen in the other. In compiled calls and gradient calls they are copied.
        """
        shared = is_tensor(value) and not context.in_call
        if shared and root(value) is root(self):
            return self
        raw = to_array(value, None)
        rebound(self)
        detach(self)
        self._assign(raw)
        if shared:
            share(self, value)
        return self

    def set_const_arg(self, const_arg: bool = True) -> Tensor:
        """Set ``const_arg``, and return the Tensor.

        Raises:
            TypeError: If it is not a bool.
        """
        of_type("Tensor", "const_arg", const_arg, bool)
        vars(self)["const_arg"] = const_arg
        return self

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """Make a Tensor of a NumPy array, keeping its dtype.

        Raises:
            TypeError: If ``array`` is not a NumPy array.

        Differs from MindSpore: the memory is copied, not shared; JAX arrays do not change.
        """
        of_type("from_numpy", "array", array, np.ndarray)
        return Tensor(array)


@functools.cache
def can_be_taken(kind: type[Any]) -> bool:
    """Whether an array may leave its place in a Tensor of this class.

    Reading ``_data`` where it is missing must end in ``Tensor.__getattr__``.
    """
    return kind.__getattr__ is Tensor.__getattr__ and (  # type: ignore[attr-defined]
        kind.__getattribute__ is Tensor.__getattribute__
    )


tensor = Tensor
register_tensor_class(Tensor)
# Noted as made here: it is none of a trace's state, also where JAX fills it with a mere shape.
jax.tree_util.register_pytree_node(
    Tensor, lambda value: ((value._read(),), None), lambda _, children: wrap(children[0])
)
