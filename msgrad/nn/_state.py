"""Buffers and state dicts of a Cell."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.checks import of_type
from msgrad._core.context import bump_revision
from msgrad._core.errors import ArgumentTypeError, EngineError, ParameterNameError
from msgrad.autograd.hooks import HookHandle, register
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor

if TYPE_CHECKING:
    from msgrad.nn.cell import Cell

_EXTRA = "_extra_state"


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """The names that a net has and a dict lacks, and the other way round."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


class _Problems(list[str]):
    """Texts of errors, and what is to be written if there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.later: list[Callable[[], Any]] = []

    def write(self) -> None:
        while self.later and not self:
            self.later.pop(0)()


def _take_over(target: Tensor, value: Any) -> None:
    raw = (value if is_tensor(value) else Tensor(value))._read()
    # Of a Tensor of its own, with which it may share.
    target.assign_value(wrap(raw.astype(target._read().dtype)))


class StateMixin:
    """The part of ``Cell`` that keeps buffers and gives and takes state dicts."""

    # The class has none; a Cell has a dict of its own from its first buffer on.
    _buffers: Mapping[str, Any] = MappingProxyType({})
    _transient: set[str]
    _params: dict[str, Any]
    _cells: dict[str, Any]

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

    def _cell_entries(self) -> dict[str, Tensor]:
        """Return the parameters and persistent buffers of this cell, by name."""
        transient = vars(self).get("_transient", ())
        own = {**self._params, **{k: v for k, v in self._buffers.items() if k not in transient}}
        return {name: value for name, value in own.items() if value is not None}

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Tensor]:
        """Return parameters and persistent buffers by path; each cell gives its own, and asks its
        children's ``state_dict``.

        Args:
            args: ``destination``, ``prefix`` and ``keep_vars`` in this order.
            destination: A dict to fill, or None for a new one.
            prefix: Put before every path.
            keep_vars: Accepted for compatibility; the live objects are given.

        Raises:
            RuntimeError: If a hook after it returns something.
        """
        destination, prefix, keep_vars = args + (destination, prefix, keep_vars)[len(args) :]
        if destination is None:
            destination = OrderedDict()
            vars(destination)["_metadata"] = OrderedDict()
        metadata: dict[str, Any] = {}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._cell_hooks_of("save_before"):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._cell_hooks_of("save_after"):
            if hook(self, destination, prefix, metadata) is not None:
                raise EngineError("state_dict post-hook must return None")
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Put what this cell alone keeps into ``destination``; a subclass may put in more."""
        for name, value in self._cell_entries().items():
            destination[prefix + name] = value
        if type(self).get_extra_state is not StateMixin.get_extra_state:
            destination[prefix + _EXTRA] = self.get_extra_state()

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

    def _cell_hooks_of(self, when: str) -> list[Callable[..., Any]]:
        return list(vars(self).get(f"_{when}", {}).values())

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, prefix, keep_vars)`` before ``state_dict``."""
        return register(self, "_save_before", hook, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, state_dict, prefix, metadata)`` after ``state_dict``."""
        return register(self, "_save_after", hook, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call a hook before ``load_state_dict``.

        Args:
            hook: Called with the cell, the dict, a prefix, metadata, ``strict`` and three lists: of
                missing keys, unexpected keys and error texts, which it may add to.
        """
        return register(self, "_load_before", hook, hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, incompatible_keys)`` after ``load_state_dict``."""
        return register(self, "_load_after", hook, hook)

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
        found, problems = _IncompatibleKeys([], []), _Problems()
        metadata = getattr(state_dict, "_metadata", None) or {}
        self._cell_load(OrderedDict(state_dict), "", metadata, found, problems)
        lines = [*problems]
        for names, what in zip(reversed(found), ("Unexpected", "Missing"), strict=True):
            if strict and names:
                listed = ", ".join(f'"{name}"' for name in names)
                lines.insert(0, f"{what} key(s) in state_dict: {listed}. ")
        if lines:
            raise EngineError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                + "\n\t".join(lines)
            )
        problems.write()
        return found

    def _cell_load(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        metadata: Mapping[str, Any],
        found: _IncompatibleKeys,
        problems: _Problems,
    ) -> None:
        """Have this cell and then its children see to the entries under ``prefix``."""
        own = metadata.get(prefix[:-1], {})
        self._load_from_state_dict(state_dict, prefix, own, True, *found, problems)
        for name, cell in self._cells.items():
            if cell is not None:
                below = f"{prefix}{name}."
                part = {k: v for k, v in state_dict.items() if k.startswith(below)}
                cell._cell_load(part, below, metadata, found, problems)
        for hook in self._cell_hooks_of("load_after"):
            problems.write()
            if hook(self, found) is not None:
                raise EngineError(
                    "Hooks registered with `register_load_state_dict_post_hook` are not expected "
                    "to return new values: change the lists of incompatible_keys in place."
                )

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: Mapping[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Take over what this cell alone keeps; a subclass may change ``state_dict`` before.

        Args:
            state_dict: The entries whose paths begin with ``prefix``.
            prefix: The path of the cell, with a dot behind it.
            local_metadata: Given to the hooks.
            strict: Whether to add to the two lists of names.
            missing_keys: Paths of this cell that are not in ``state_dict``.
            unexpected_keys: Paths that neither it nor a child has.
            error_msgs: Texts of errors. In ``load_state_dict`` it keeps what is to be written.
        """
        for hook in self._cell_hooks_of("load_before"):
            hook(
                self, state_dict, prefix, local_metadata, strict,
                missing_keys, unexpected_keys, error_msgs,
            )  # fmt: skip
        problems = error_msgs if isinstance(error_msgs, _Problems) else _Problems()
        own: dict[str, Any] = {**self._cell_entries()}
        if type(self).set_extra_state is not StateMixin.set_extra_state:
            own[_EXTRA] = None
        for name, target in own.items():
            path = prefix + name
            if path not in state_dict:
                missing_keys += [path] if strict else []
            elif target is None:
                problems.later.append(partial(self.set_extra_state, state_dict[path]))
            elif not hasattr(value := state_dict[path], "shape"):
                error_msgs.append(
                    f'While copying the parameter named "{path}", expected Tensor or Tensor-like '
                    f"object from checkpoint but received {type(value)}"
                )
            elif tuple(value.shape) != target.shape:
                error_msgs.append(
                    f"size mismatch for {path}: copying a param with shape {tuple(value.shape)} "
                    f"from checkpoint, the shape in current model is {target.shape}."
                )
            else:
                problems.later.append(partial(_take_over, target, value))
        for path in state_dict if strict else ():
            name, below, _ = path.removeprefix(prefix).partition(".")
            if path.startswith(prefix) and name not in (self._cells if below else own):
                unexpected_keys.append(path)
        if problems is not error_msgs:
            problems.write()

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Any, Any]:
        """Make the values of all parameters; they always are already.

        Returns:
            A mapping of each parameter to itself; an empty one with ``auto_parallel_mode``, where
            it is of those that a layout cuts.
        """
        if auto_parallel_mode:
            return {}
        cells = [cell for _, cell in self.cells_and_names()]
        return {p: p for cell in cells for p in cell._params.values() if p is not None}
