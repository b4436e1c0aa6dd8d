"""The names that Flax calls private: its variables and modules, as Parameters and Cells."""

from __future__ import annotations

import inspect
from abc import ABCMeta
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from flax import nnx

from msgrad._core.context import bump_revision, context
from msgrad._core.errors import UnsupportedError


class _Shown(type):
    """A class whose signature is that of its constructor; Flax's own classes hide it."""

    @property
    def __signature__(cls) -> inspect.Signature:
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        return signature.replace(parameters=[*signature.parameters.values()][1:])


class _VariableClass(_Shown, type(nnx.Param)):
    pass


class _Unguarded:
    """Mixed into a Flax variable, which Flax guards against writes from another trace level.

    The scope makes such writes safe here: they are committed after the call.
    """

    __slots__ = ()

    @property
    def _can_update(self) -> bool:
        return True

    def _check_can_update(self) -> None:
        return None


class VariableBridge(_Unguarded, nnx.Param, metaclass=_VariableClass):
    """An ``nnx.Param`` whose raw value is the payload of the Tensor it is mixed with."""

    def _init_variable(self) -> None:
        nnx.Variable.__init__(self, self._payload(), hijax=False, ref=False)

    def _made_here(self) -> bool:
        """Whether it was made in the trace that JAX evaluates under now."""
        return self._trace_state.is_valid()

    def _payload(self) -> Any:
        raise NotImplementedError

    def _set_payload(self, value: Any) -> None:
        raise NotImplementedError

    _raw_value = property(  # pyright: ignore[reportAssignmentType]
        lambda self: self._payload(), lambda self, value: self._set_payload(value)
    )


_SLOT: Any = nnx.Variable.__dict__["_raw_value"]


class _Adopted(_Unguarded):
    """Mixed into a Flax variable: reads and writes go through the running scope."""

    __slots__ = ()

    def _read_slot(self) -> Any:
        scope = context.scope
        value = scope.lookup(self) if scope is not None else None
        return _SLOT.__get__(self) if value is None else value

    def _commit(self, value: Any) -> None:
        scope = context.scope
        if scope is not None:
            scope.write(self, value)
        else:
            _SLOT.__set__(self, value)

    _raw_value = property(_read_slot, _commit)

    # What a compiled program asks of the Tensors that are its state.
    _data = property(lambda self: _SLOT.__get__(self), lambda self, raw: _SLOT.__set__(self, raw))
    _read, _store = _read_slot, _commit
    _view, _lasts = None, ""
    _version = property(lambda self: 0, lambda self, value: None)


_variable_class: Any = type(nnx.Variable)
_ADOPTED = {
    kind: _variable_class(f"Adopted{kind.__name__}", (_Adopted, kind), {"__module__": __name__})
    for kind in (nnx.BatchStat, nnx.RngKey, nnx.RngCount, nnx.Intermediate, nnx.Cache)
}
# At module level, so that pickle finds them.
globals().update({cls.__name__: cls for cls in _ADOPTED.values()})


def adopt_variable(variable: Any) -> None:
    """Make a Flax variable that is no parameter read and write through the running scope.

    Raises:
        UnsupportedError: For a kind of variable that is not known here.
    """
    if isinstance(variable, _Adopted):
        return
    adopted = _ADOPTED.get(type(variable))
    if adopted is None:
        raise UnsupportedError(
            f"A Flax variable of type {type(variable).__name__} inside a Cell is not supported; "
            f"supported are nnx.Param and {sorted(c.__name__ for c in _ADOPTED)}."
        )
    variable.__class__ = adopted


class _SlotPlace(dict[str, Any]):
    """The place of an adopted variable, whose class has no instance dict."""

    def __init__(self, variable: Any) -> None:
        super().__init__(_data=None)
        self._variable = variable

    def __getitem__(self, name: str) -> Any:
        return self._variable._data if name == "_data" else super().__getitem__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        if name == "_data":
            self._variable._data = value
        else:
            super().__setitem__(name, value)


def place_of(variable: Any) -> dict[str, Any]:
    """Return where the array of a Tensor or an adopted Flax variable stands, under ``_data``."""
    return _SlotPlace(variable) if isinstance(variable, _Adopted) else vars(variable)


def is_flax_private(name: str) -> bool:
    """Whether an attribute of a module is Flax's own bookkeeping."""
    return name.startswith("_pytree__")


class _Given(NamedTuple):
    """The arguments of a constructor, as one."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class _ModuleClass(_Shown, type(nnx.Module)):
    """The class of Cell classes: compiled programs see a method or attribute that is replaced."""

    def __init__(cls, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Flax's metaclass is an `ABCMeta`; MindSpore builds Cells with abstract methods.
        type.__setattr__(cls, "__abstractmethods__", frozenset())

    # An `ABCMeta` asks every subclass whether a class that it has not seen is a virtual one; a
    # library of 5,000 Cells makes that 20 ms for each.
    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__

    def register(cls, subclass: type[Any]) -> Any:
        """Make a class a virtual subclass of a user's abstract Cell; from now on, all are asked."""
        for name in ("__instancecheck__", "__subclasscheck__"):
            setattr(_ModuleClass, name, getattr(ABCMeta, name))
        return super().register(subclass)

    # Flax's functions have a parameter `cls`; a Cell's constructor may have one of that name, too.
    if not TYPE_CHECKING:
        # A type checker goes by `__init__`.
        def __call__(cls, /, *args: Any, **kwargs: Any) -> Any:
            if "cls" in kwargs:
                return super().__call__(_Given(args, kwargs))
            return super().__call__(*args, **kwargs)

    def _pytree_meta_construct(cls, node: Any, /, *args: Any, **kwargs: Any) -> None:
        if args and type(args[0]) is _Given:
            args, kwargs = args[0]
        node.__init__(*args, **kwargs)

    def __setattr__(cls, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        cls._has_changed()

    def __delattr__(cls, name: str) -> None:
        super().__delattr__(name)
        cls._has_changed()

    def _has_changed(cls) -> None:
        type.__setattr__(cls, "_changes", vars(cls).get("_changes", 0) + 1)
        bump_revision(cls)


def changes_of(cls: type[Any]) -> int:
    """Return how often attributes of a class and its bases were replaced."""
    return sum(vars(base).get("_changes", 0) for base in cls.__mro__)


class _NoMethod:
    """A method of Flax's modules that Cells lack; a child or a Parameter may have its name."""

    def __get__(self, module: Any, owner: type | None = None) -> NoReturn:
        # Of a Cell, its __getattr__ goes on from here.
        raise AttributeError("Cells have no such method; set_train() is what train and eval are.")


class ModuleBridge(nnx.Module, pytree=False, metaclass=_ModuleClass):
    """An ``nnx.Module`` that accepts any attribute, in any trace, from any subclass."""

    train = eval = sow = perturb = iter_modules = iter_children = _NoMethod()  # pyright: ignore

    # Flax evaluates the annotations of every subclass; a user's may not evaluate.
    __no_type_check__ = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        kwargs.pop("pytree", None)
        slots = cls.__dict__.get("__slots__")
        if slots:
            # Flax refuses classes with slots; the slot descriptors work without the name.
            del cls.__slots__
        super().__init_subclass__(pytree=False, **kwargs)

    def _setattr(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _graph_node_set_key(self, key: Any, value: Any) -> None:
        current = self._flax_items().get(str(key))
        if isinstance(current, nnx.Variable) and isinstance(value, nnx.Variable):
            current.update_from_state(value)
        else:
            self._flax_set(str(key), value)

    def _graph_node_flatten(self) -> tuple[list[tuple[str, Any]], type]:
        return sorted(self._flax_items().items()), type(self)

    def _graph_node_init(self, attributes: Iterable[tuple[str | int, Any]]) -> None:
        self._flax_restore({str(key): value for key, value in attributes})

    def _flax_items(self) -> dict[str, Any]:
        """Return the attributes that Flax sees."""
        raise NotImplementedError

    def _flax_restore(self, items: dict[str, Any]) -> None:
        """Rebuild the object from the attributes that Flax kept."""
        raise NotImplementedError

    def _flax_set(self, name: str, value: Any) -> None:
        """Take over a new value of an attribute that is not a variable."""
        raise NotImplementedError
