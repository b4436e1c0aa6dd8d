"""Datasets that pass on every row of another, with other columns or names of columns."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from msgrad._core.errors import EngineError
from msgrad.dataset._arguments import a_list
from msgrad.dataset.engine._rows import Row, Run
from msgrad.dataset.engine.datasets import Dataset, TextBaseDataset


class Columns(TextBaseDataset):
    """Base of the datasets that replace some columns by others."""

    def __init__(self, child: Dataset, inputs: Any, outputs: Any, most: int | None = None) -> None:
        super().__init__(child)
        self._given = [None if given is None else a_list(given) for given in (inputs, outputs)]
        self._most = most

    # Columns are looked up when they are first needed: that one does not exist is an error of
    # whoever asks for names or rows, and the number of rows is known without them.

    @cached_property
    def _inputs(self) -> list[str]:
        given = self._given[0]
        return self._children[0].get_col_names()[: self._most] if given is None else given

    @cached_property
    def _outputs(self) -> list[str]:
        return self._inputs if self._given[1] is None else self._given[1]

    @cached_property
    def _places(self) -> list[int]:
        return self._children[0]._places_of(self._inputs)

    @cached_property
    def _in_place(self) -> bool:
        return len(self._inputs) == len(self._outputs)

    @cached_property
    def _others(self) -> list[int]:
        return [i for i in range(len(self._children[0].get_col_names())) if i not in self._places]

    @cached_property
    def _kept(self) -> list[int]:
        every = self._all(self._children[0].get_col_names(), self._outputs)
        # Of two columns of one name, the new one stays where it takes the place of an input, else
        # the old one.
        kept = dict(builtins.zip(every, range(len(every)), strict=True))
        if self._in_place:
            kept |= dict(builtins.zip(self._outputs, self._places, strict=True))
        return sorted(kept.values())

    @cached_property
    def _names(self) -> list[str]:
        return self._replaced(self._children[0].get_col_names(), self._outputs)

    def get_col_names(self) -> list[str]:
        return list(self._names)

    def _all(self, row: Any, values: Any) -> list[Any]:
        if self._in_place:
            changed = list(row)
            for place, value in builtins.zip(self._places, values, strict=True):
                changed[place] = value
            return changed
        return [*values, *(row[i] for i in self._others)]

    def _replaced(self, row: Any, values: Any) -> list[Any]:
        every = self._all(row, values)
        return every if len(every) == len(self._kept) else [every[i] for i in self._kept]

    def _checked(self, made: Any, of: str) -> list[Any]:
        values = list(made) if isinstance(made, (tuple, list)) else [made]
        if len(values) != len(self._outputs):
            raise EngineError(
                f"{of} gave {len(values)} columns, but the output columns are {self._outputs}; "
                "name them in output_columns."
            )
        return values


class ProjectDataset(TextBaseDataset):
    """See ``Dataset.project``."""

    def __init__(self, child: Dataset, columns: list[str]) -> None:
        super().__init__(child)
        self._columns = columns

    @cached_property
    def _places(self) -> list[int]:
        return self._children[0]._places_of(self._columns)

    def get_col_names(self) -> list[str]:
        names = self._children[0].get_col_names()
        return [names[place] for place in self._places]

    def _rows(self, run: Run) -> Iterator[Row]:
        for row in self._children[0]._rows(run.of()):
            yield tuple(row[i] for i in self._places)


class RenameDataset(TextBaseDataset):
    """See ``Dataset.rename``."""

    def __init__(self, child: Dataset, old: list[str], new: list[str]) -> None:
        super().__init__(child)
        self._new = dict(builtins.zip(old, new, strict=True))

    def get_col_names(self) -> list[str]:
        child = self._children[0]
        names = list(child.get_col_names())
        for place, name in builtins.zip(
            child._places_of(list(self._new)), self._new.values(), strict=True
        ):
            names[place] = name
        if len(set(names)) < len(names):
            raise EngineError(f"rename: the columns would be {names}, two of one name.")
        return names
