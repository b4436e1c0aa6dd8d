"""Buffers and state dicts of a Cell."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.checks import of_type
from msgrad._core.context import bump_revision
from msgrad._core.errors import ArgumentTypeError, EngineError, ParameterNameError
from msgrad.autograd.hooks import HookHandle, check_hook
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor

if TYPE_CHECKING:
    from msgrad.nn.cell import Cell


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """The names that a net has and a dict lacks, and the other way round."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


class StateMixin:
    """The part of ``Cell`` that keeps buffers and gives and takes state dicts."""

    # The class has none; a Cell has a dict of its own from its first buffer on.
    _buffers: Mapping[str, Any] = MappingProxyType({})
    _transient: set[str]

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Keep a Tensor that is state but not a parameter.

        Args:
            name: Attribute name, without a dot.
            tensor: The Tensor, or None.
            persistent: Whether ``state_dict`` contains it.

        Raises:
            TypeError: If the name is not a string or ``tensor`` not a Tensor.
            KeyError: If the name has a dot, is empty, or is taken.
        """
        of_type(None, "name", name, str)
        if not name or "." in name:
            raise ParameterNameError(f"buffer name can't be empty or contain \".\": '{name}'")
        store = self.__dict__
        buffers = store.setdefault("_buffers", {})
        if name not in buffers and hasattr(self, name):
            raise ParameterNameError(f"attribute '{name}' already exists")
        buffers[name] = of_type(None, name, tensor, Tensor, type(None))
        bump_revision(store)
        transient = store.setdefault("_transient", set())
        transient.discard(name) if persistent else transient.add(name)

    def cells_and_names(self) -> Iterator[tuple[str, Cell]]:
        raise NotImplementedError

    def to(self, device: Any = None, dtype: Any = None, non_blocking: bool = False) -> StateMixin:
        """Cast the floating parameters and buffers, here and below, to another dtype.

        Args:
            device: A name, which has no effect; or, alone, a dtype, or a Tensor of that dtype.
            dtype: A floating or complex dtype; None for no cast.
            non_blocking: Accepted for compatibility.

        Returns:
            The cell.

        Raises:
            TypeError: For another dtype, or another kind of ``device``.

        Differs from MindSpore: a Cell stays where its arrays are; see ``jax.device_put``.
        """
        if isinstance(device, mstype.DType) or is_tensor(device):
            device, dtype = None, getattr(device, "dtype", device)
        if not isinstance(device, (str, type(None))):
            raise ArgumentTypeError(
                f'Failed calling Cell.to with "Cell.to({type(device).__name__})". The valid '
                'calling should be: "Cell.to(device=<None, string>, dtype=<None, mstype>, '
                'non_blocking=<bool>)".'
            )
        movable = {*mstype.float_type, mstype.bfloat16, *mstype.complex_type}
        if dtype is not None and dtype not in movable:
            raise ArgumentTypeError(
                "Cell.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={dtype}"
            )
        cells = [cell for _, cell in self.cells_and_names()]
        for cell in cells if dtype is not None else ():
            for param in cell._params.values():
                if param is not None and param.dtype in movable:
                    param.set_dtype(dtype)
            for buffer in cell._buffers.values():
                if buffer is not None and buffer.dtype in movable:
                    buffer._write(buffer.astype(dtype)._peek())
        return self

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield ``(path, buffer)``.

        Args:
            prefix: Put before every path, with a dot.
            recurse: Whether to go into child cells.
            remove_duplicate: Whether to yield a shared buffer once.
        """
        seen: set[int] = set()
        for path, cell in self.cells_and_names():
            if path and not recurse:
                return
            for name, buffer in cell._buffers.items():
                if buffer is None or (remove_duplicate and id(buffer) in seen):
                    continue
                seen.add(id(buffer))
                yield ".".join(part for part in (prefix, path, name) if part), buffer

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield the buffers."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer at a path; raises ``AttributeError`` if there is none."""
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if name not in cell._buffers:
            getattr(cell, name)
            raise AttributeError(f"`{name}` is not a buffer")
        return cell._buffers[name]

    def get_sub_cell(self, target: str) -> Cell:
        """Return the cell at a path; raises ``AttributeError`` if there is none."""
        cell: Any = self
        for part in filter(None, target.split(".")):
            cell = getattr(cell, part)
        return cell

    def _cell_entries(self) -> Iterator[tuple[str, Tensor]]:
        """Yield ``(path, parameter or persistent buffer)``, cell by cell."""
        for path, cell in self.cells_and_names():
            entries: dict[str, Any] = dict(cell._params)
            transient = cell.__dict__.get("_transient", ())
            for name, buffer in cell._buffers.items():
                if name not in transient:
                    entries[name] = buffer
            for name, value in entries.items():
                if value is not None:
                    yield (f"{path}.{name}" if path else name), value

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Tensor]:
        """Return parameters and persistent buffers by path.

        Args:
            args: Not used.
            destination: A dict to fill, or None for a new one.
            prefix: Put before every path.
            keep_vars: Accepted for compatibility; the live objects are given.
        """
        target = OrderedDict() if destination is None else destination
        for hook in self._cell_hooks_of("save_before"):
            hook(self, prefix, keep_vars)
        for path, value in self._cell_entries():
            target[prefix + path] = value
        for path, cell in self._cell_with_extra_state():
            target[prefix + path] = cell.get_extra_state()
        for hook in self._cell_hooks_of("save_after"):
            hook(self, target, prefix, {})
        return target

    def get_extra_state(self) -> Any:
        """Return what ``state_dict`` is to contain beside Tensors; for subclasses to define."""
        raise EngineError(
            "Reached a code path in Cell.get_extra_state() that should never be called: define it."
        )

    def set_extra_state(self, state: Any) -> None:
        """Take over what ``get_extra_state`` gave; for subclasses to define."""
        raise EngineError(
            "Reached a code path in Cell.set_extra_state() that should never be called: define it."
        )

    def _cell_with_extra_state(self) -> Iterator[tuple[str, Any]]:
        for path, cell in self.cells_and_names():
            if type(cell).get_extra_state is not StateMixin.get_extra_state:
                yield f"{path}._extra_state".lstrip("."), cell

    def _cell_hooks_of(self, when: str) -> list[Callable[..., Any]]:
        return list(vars(self).get(f"_{when}", {}).values())

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, prefix, keep_vars)`` before ``state_dict``."""
        return _hooked(self, "save_before", hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, state_dict, prefix, metadata)`` after ``state_dict``."""
        return _hooked(self, "save_after", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call a hook before ``load_state_dict``.

        Args:
            hook: Called with the cell, the dict, a prefix, metadata, ``strict`` and three lists: of
                missing keys, unexpected keys and error texts, which it may add to.
        """
        return _hooked(self, "load_before", hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, incompatible_keys)`` after ``load_state_dict``."""
        return _hooked(self, "load_after", hook)

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> Any:
        """Take over values by path.

        Args:
            state_dict: What ``state_dict`` gave.
            strict: Whether missing or unexpected names are an error.

        Returns:
            A pair ``(missing_keys, unexpected_keys)``.

        Raises:
            TypeError: If ``state_dict`` is not a mapping.
            RuntimeError: For a shape that differs, or with ``strict`` for names that do; nothing
                has been changed then.
        """
        of_type(None, "state_dict", state_dict, Mapping)
        state_dict = dict(state_dict)
        problems: list[str] = []
        early: tuple[list[str], list[str]] = ([], [])
        for hook in self._cell_hooks_of("load_before"):
            hook(self, state_dict, "", {}, strict, *early, problems)
        extra = dict(self._cell_with_extra_state())
        stored = {path: state_dict.pop(path) for path in extra if path in state_dict}
        own = dict(self._cell_entries())
        missing = early[0] + [name for name in own if name not in state_dict]
        missing += [path for path in extra if path not in stored]
        unexpected = early[1] + [name for name in state_dict if name not in own]
        if strict and missing:
            problems.append(f"Missing key(s): {missing}")
        if strict and unexpected:
            problems.append(f"Unexpected key(s): {unexpected}")
        shared = [name for name in state_dict if name in own]
        for name in shared:
            if tuple(state_dict[name].shape) != own[name].shape:
                problems.append(
                    f"{name}: the shape is {own[name].shape}, but the given one is "
                    f"{tuple(state_dict[name].shape)}"
                )
        if problems:
            raise EngineError(
                f"Error(s) in loading state_dict for {type(self).__name__}: " + "; ".join(problems)
            )
        for name in shared:
            target, value = own[name], state_dict[name]
            raw = (value if is_tensor(value) else Tensor(value))._read()
            # Of a Tensor of its own, with which it may share.
            target.assign_value(wrap(raw.astype(target._read().dtype)))
        for path, state in stored.items():
            extra[path].set_extra_state(state)
        incompatible = _IncompatibleKeys(missing, unexpected)
        for hook in self._cell_hooks_of("load_after"):
            hook(self, incompatible)
        return incompatible

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Any, Any]:
        """Make the values of all parameters; they always are already.

        Returns:
            A mapping of each parameter to itself.
        """
        return {value: value for _, value in self._cell_entries() if isinstance(value, Parameter)}


def _hooked(cell: StateMixin, when: str, hook: Callable[..., Any]) -> HookHandle:
    check_hook(hook)
    hooks = vars(cell).setdefault(f"_{when}", {})
    handle = HookHandle(hooks)
    hooks[handle.handle_id] = hook
    return handle
