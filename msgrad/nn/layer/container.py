"""Cells that hold other cells in order or by key: SequentialCell, CellList, CellDict."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.context import context
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    ParameterNameError,
    TensorIndexError,
)
from msgrad._core.exports import public_names
from msgrad.nn.cell import Cell


def position(
    owner: str | None, index: Any, length: int, kinds: str = "int", insert: bool = False
) -> int:
    """Return the place of a cell, counted from the front; ``insert``: also that at the end.

    Raises:
        TypeError: If it is not an int.
        IndexError: If there is no such cell.
    """
    the = f"For '{owner}', the" if owner else "The"
    if not isinstance(index, int):
        raise ArgumentTypeError(
            f"{the} type of 'index' must be {kinds}, but got {type(index).__name__}."
        )
    if not -length <= index < length + insert:
        raise TensorIndexError(
            f"{the} value of 'index' must be a number in range [{-length}, {length}"
            f"{']' if insert else ')'}, but got {index}."
        )
    return index % length if index < 0 else index


class _Container(Cell):
    """What the containers share: the names of parameters follow the keys of the cells."""

    _cells: dict[str, Cell]  # pyright: ignore[reportIncompatibleVariableOverride]

    def _prefix(self) -> str:
        """Return what stands before the keys in the parameters' names, as these show it.

        The key may stand in a name more than once ("0.blocks.0.weight"). MindSpore takes the place
        at which the next cell has its own key, and the last one while there is no other cell;
        names in checkpoints depend on it ("0.blocks.1.blocks.0.weight" is the second cell's).
        """
        names = [
            (key, param.name.split("."))
            for key, cell in self._cells.items()
            for param in itertools.islice(cell.get_parameters(), 1)
        ]
        if not names:
            return ""
        (key, parts), *others = names
        places = [place for place, part in enumerate(parts) if part == key]
        for place in places if others else ():
            other, its_parts = others[0]
            if place < len(its_parts) and its_parts[place] == other:
                places = [place]
                break
        return "".join(f"{part}." for part in parts[: places[-1]]) if places else ""

    def _put(self, key: str, cell: Cell, prefix: str) -> None:
        if self._auto_prefix:
            cell.update_parameters_name(f"{prefix}{key}.")
        self._cells[key] = cell

    def _number(self, cells: Iterable[Cell]) -> None:
        """Hold exactly ``cells``, under the keys 0, 1, 2, ..."""
        prefix, cells = self._prefix(), list(cells)
        self._cells.clear()
        for index, cell in enumerate(cells):
            self._put(str(index), cell, prefix)

    def _checked(self, cell: Any) -> Cell:
        if not isinstance(cell, Cell):
            raise ArgumentTypeError(
                f"For '{self.cls_name}', each cell must be subclass of Cell, but got "
                f"{type(cell).__name__}."
            )
        return cell

    def _position(self, index: Any, kinds: str = "int", insert: bool = False) -> int:
        """Return ``index`` counted from the front; ``insert`` also allows the place at the end."""
        return position(self.cls_name, index, len(self._cells), kinds, insert)

    def _filled(self, args: tuple[Any, ...], kwargs: dict[str, Any], fill: Any, kind: str) -> None:
        """Construct it of one list or mapping of cells, or none."""
        Cell.__init__(self, auto_prefix=kwargs.get("auto_prefix", True))
        if len(args) > 1:
            raise ArgumentTypeError(
                f"For '{self.cls_name}', the cells must be given as one {kind}, but got "
                f"{len(args)} arguments."
            )
        for cells in args:
            fill(cells)

    def construct(self, *inputs: Any) -> Any:
        """Its cells can be called, it cannot."""
        raise NotImplementedError(
            f"a {self.cls_name} cannot be called; call the cells in it, or use SequentialCell."
        )

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._cells.values()))

    def set_grad(self, flag: bool = True) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Note, here and in the cells held, that gradients will be taken."""
        self.requires_grad = flag
        for cell in self._cells.values():
            cell.set_grad(flag)


class _Ordered(_Container):
    """What the two containers by position share."""

    def __bool__(self) -> bool:
        return bool(self._cells)

    def __setitem__(self, index: int, cell: Cell) -> None:
        key = list(self._cells)[self._position(index)]
        self._put(key, self._checked(cell), self._prefix())


class SequentialCell(_Ordered):
    """Calls cells one after the other, each on the output of the one before.

    Args:
        *args: The cells; or one list of cells; or one OrderedDict of cells by name.

    Inputs: whatever the first cell takes, one value. Output: what the last cell gives.

    Raises:
        TypeError: If an argument is not a Cell (or, alone, a list or OrderedDict).

    Differs from MindSpore: a slice keeps the names that its parameters have, and appending to one
    never replaces a cell in it.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and not isinstance(args[0], Cell):
            given = args[0]
            if not isinstance(given, (list, OrderedDict)):
                raise ArgumentTypeError(
                    "For 'SequentialCell', the 'args[0]' must be Cell, list or orderedDict, but "
                    f"got {type(given).__name__}"
                )
            named = given.items() if isinstance(given, OrderedDict) else enumerate(given)
        else:
            named = enumerate(args)
        for key, cell in named:
            self.insert_child_to_cell(str(key), cell)
            cell.update_parameters_name(f"{key}.")
        self._called = tuple(self._cells)

    @property
    def cell_list(self) -> list[Cell]:
        """The cells that are called, in order."""
        return [self._cells[key] for key in self._called]

    def construct(self, input_data: Any) -> Any:
        """Call the cells in order."""
        for key in self._called:
            input_data = self._cells[key](input_data)
        return input_data

    def __getitem__(self, index: Any) -> Any:
        keys = list(self._cells)
        if isinstance(index, slice):
            part = type(self).__new__(type(self))
            SequentialCell.__init__(part)
            part._called = tuple(keys[index])
            part._cells.update((key, self._cells[key]) for key in part._called)
            return part
        return self._cells[keys[self._position(index)]]

    def __delitem__(self, index: int | slice) -> None:
        keys = list(self._cells)
        if not isinstance(index, (int, slice)):
            raise ArgumentTypeError(
                "For 'SequentialCell', the type of index must be int type or slice type, but got "
                f"{type(index).__name__}"
            )
        prefix = self._prefix()
        gone = keys[index] if isinstance(index, slice) else [keys[self._position(index)]]
        kept = [(place, key) for place, key in enumerate(keys) if key not in gone]
        cells = dict(self._cells)
        self._cells.clear()
        for number, (place, key) in enumerate(kept):
            self._put(str(number) if key == str(place) else key, cells[key], prefix)
        self._called = tuple(self._cells)

    def append(self, cell: Cell) -> None:
        """Add a cell at the end.

        Raises:
            TypeError: If it is not a Cell.
        """
        self._checked(cell)
        number = len(self)
        while str(number) in self._cells:
            number += 1
        self._put(str(number), cell, self._prefix())
        self._called = tuple(self._cells)


class CellList(_Ordered):
    """A list of cells, whose parameters are named after their position.

    Args:
        *args: One list of cells, or nothing.
        **kwargs: ``auto_prefix`` (default True): whether positions go into the parameters' names.

    Raises:
        TypeError: If the argument is not a list, or an element is not a Cell.

    Differs from MindSpore: several arguments are an error, where MindSpore drops them all; and a
    slice keeps the names that its parameters have, where MindSpore renames them in both lists.
    """

    # For vmap: a call maps over the cells.
    _is_ensemble = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._filled(args, kwargs, self.extend, "list")

    def __getitem__(self, index: Any) -> Any:
        cells = list(self._cells.values())
        if isinstance(index, slice):
            part = type(self).__new__(type(self))
            CellList.__init__(part, auto_prefix=self._auto_prefix)
            part._cells.update((str(i), cell) for i, cell in enumerate(cells[index]))
            return part
        if is_tensor(index) and context.inputs is not None:
            # As in a list, which a compiled call of MindSpore's makes of it.
            index = int(index)
        return cells[self._position(index, "int or slice")]

    def __delitem__(self, index: int | slice) -> None:
        cells = list(self._cells.values())
        if isinstance(index, slice):
            del cells[index]
        else:
            del cells[self._position(index, "int or slice")]
        self._number(cells)

    def __iadd__(self, cells: list[Cell]) -> CellList:
        return self.extend(cells)

    def insert(self, index: int, cell: Cell) -> None:
        """Add a cell before the position ``index``; those behind it are renamed.

        Raises:
            TypeError: If it is not a Cell, or ``index`` is not an int.
            IndexError: If there is no such position.
        """
        cells: list[Any] = list(self._cells.values())
        cells.insert(self._position(index, insert=True), self._checked(cell))
        self._number(cells)

    def extend(self, cells: list[Cell]) -> CellList:
        """Add a list of cells at the end; returns the CellList.

        Raises:
            TypeError: If ``cells`` is not a list, or an element is not a Cell.
        """
        if not isinstance(cells, list):
            raise ArgumentTypeError(
                "For 'CellList', the new cells wanted to append should be instance of list, but "
                f"got {type(cells).__name__}."
            )
        prefix = self._prefix()
        for cell in [self._checked(cell) for cell in cells]:
            self._put(str(len(self)), cell, prefix)
        return self

    def append(self, cell: Cell) -> None:
        """Add a cell at the end.

        Raises:
            TypeError: If it is not a Cell.
        """
        self._put(str(len(self)), self._checked(cell), self._prefix())


class CellDict(_Container):
    """A dict of cells, whose parameters are named after their key.

    Args:
        *args: One mapping, CellDict or iterable of (key, cell) pairs, or nothing.
        **kwargs: ``auto_prefix`` (default True): whether keys go into the parameters' names.

    Raises:
        TypeError: For a key that is not a string, or a value that is not a Cell or is itself a
            container.
        KeyError: For a key that is empty, has a dot, or is the name of an attribute of Cell.

    Differs from MindSpore: several arguments are an error; MindSpore drops them all.
    """

    # That of one cell, unlike the other containers'.
    set_grad = Cell.set_grad  # pyright: ignore[reportAssignmentType]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._filled(args, kwargs, self.update, "mapping")

    def __getitem__(self, key: str) -> Cell:
        if key not in self._cells:
            raise ParameterNameError(key)
        return self._cells[key]

    def __setitem__(self, key: str, cell: Cell) -> None:
        self._check_key(key)
        if cell is None:
            raise ArgumentTypeError("For 'CellDict', cell can not be None.")
        if not isinstance(cell, Cell):
            raise ArgumentTypeError(
                f"For 'CellDict', the type of cell should be Cell, but got {type(cell).__name__}."
            )
        if isinstance(cell, _Container):
            raise ArgumentTypeError(
                "For 'CellDict', the type of cell can not be CellDict, CellList or SequentialCell, "
                f"but got {type(cell).__name__}."
            )
        self._put(key, cell, self._prefix())

    def _check_key(self, key: Any) -> None:
        if not isinstance(key, str):
            raise ArgumentTypeError(
                f"For 'CellDict', the type of key should be string but got {type(key).__name__}."
            )
        if "." in key:
            raise ParameterNameError(
                f"For 'CellDict', key can not contain \".\", but got key {key}"
            )
        if not key:
            raise ParameterNameError(
                f"For 'CellDict', key can not be empty string \"\", but got key {key}"
            )
        if key not in self._cells and hasattr(self, key):
            raise ParameterNameError(
                "For 'CellDict', the key can not be same with the attributes of Cell, but got key "
                f"{key}."
            )

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._cells))

    def __contains__(self, key: object) -> bool:
        return key in self._cells

    def clear(self) -> None:
        """Remove all cells."""
        self._cells.clear()

    def pop(self, key: str) -> Cell:
        """Remove a cell and return it; raises ``KeyError`` if there is none."""
        cell = self[key]
        del self._cells[key]
        return cell

    def keys(self) -> KeysView[str]:
        """Return the keys."""
        return self._cells.keys()

    def values(self) -> ValuesView[Cell]:
        """Return the cells."""
        return self._cells.values()

    def items(self) -> ItemsView[str, Cell]:
        """Return the pairs (key, cell)."""
        return self._cells.items()

    def update(self, cells: Any) -> None:
        """Add or replace the cells of a mapping, CellDict or iterable of (key, cell) pairs.

        Raises:
            TypeError: If ``cells`` is none of these.
            ValueError: If an element does not have two members.
        """
        if isinstance(cells, (Mapping, CellDict)):
            pairs = list(cells.items())
        elif isinstance(cells, Iterable):
            pairs = [_pair(position, item) for position, item in enumerate(cells)]
        else:
            raise ArgumentTypeError(
                "CellDict.update() should be called with an iterable of key-value pairs, but got "
                f"{type(cells).__name__}"
            )
        for key, cell in pairs:
            self[key] = cell


def _pair(position: int, item: Any) -> tuple[Any, Any]:
    if not isinstance(item, Iterable):
        raise ArgumentTypeError(
            f"CellDict update sequence element #{position} should be Iterable; but got "
            f"{type(item).__name__}"
        )
    members = tuple(item)
    if len(members) != 2:
        raise ArgumentValueError(
            f"CellDict update sequence element #{position}, length should be 2; but has length "
            f"{len(members)}"
        )
    return members


__all__ = [name for name in public_names(globals()) if name != "position"]
