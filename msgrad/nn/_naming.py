"""Names and iteration: how a Cell lists its parameters and cells, and what they are called."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, ValuesView
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgrad._core.checks import of_type
from msgrad._core.declared import guarded
from msgrad._core.errors import ArgumentValueError, ParameterNameError
from msgrad.common.parameter import Parameter
from msgrad.nn._foreign import is_foreign, parameters_of

if TYPE_CHECKING:
    from msgrad.nn.cell import Cell


class NamingMixin:
    """The part of ``Cell`` that walks the tree of cells."""

    _params: dict[str, Parameter | None]
    _cells: dict[str, Cell | None]
    _param_prefix: str

    def _cell_check_free(self, kind: str, name: str, own: Any, *others: Any) -> None:
        """Refuse a name that the class, or something else in the cell, has; not Flax's names."""
        store = vars(self)
        taken = [*others, *(store.get(one, ()) for one in ("_params", "_cells", "_buffers"))]
        of_flax = ("flax", "msgrad._core.engine.flax")
        taken += [vars(c) for c in type(self).__mro__ if not c.__module__.startswith(of_flax)]
        if name not in own and any(name in one for one in taken):
            call = "insert_param_to_cell" if kind == "parameter" else "insert_child_to_cell"
            raise ParameterNameError(
                f"For '{call}', the {name} {kind} already exists in the network.Cannot insert "
                f"another {kind} with the same name."
            )

    def cells(self) -> ValuesView[Cell]:
        """Return the direct child cells."""
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, Cell]:
        """Return the direct child cells by attribute name, each once."""
        found: OrderedDict[str, Cell] = OrderedDict()
        seen: set[int] = set()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells_and_names(
        self, cells: set[Any] | None = None, name_prefix: str = ""
    ) -> Iterator[tuple[str, Cell]]:
        """Yield ``(path, cell)`` for this cell (path ``''``) and all below, each once.

        Args:
            cells: Cells seen already, left out.
            name_prefix: Put before every path.
        """
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self  # pyright: ignore[reportReturnType]
        for name, cell in self._cells.items():
            if cell is not None:
                path = f"{name_prefix}.{name}" if name_prefix else name
                yield from cell.cells_and_names(seen, path)

    def parameters_and_names(
        self, name_prefix: str = "", expand: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield ``(path, parameter)``, own parameters first, each parameter once.

        Args:
            name_prefix: Put before every path.
            expand: Whether to go into child cells.
        """
        of_type(None, "name_prefix", name_prefix or "", str)
        here: Any = [(name_prefix, self)]
        seen: set[int] = set()
        for path, cell in self.cells_and_names(name_prefix=name_prefix) if expand else here:
            for name, param in chain(cell._params.items(), _foreign_parameters(cell)):
                if param is not None and id(param) not in seen:
                    seen.add(id(param))
                    yield (f"{path}.{name}" if path else name), param

    @guarded
    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """Yield the parameters, own ones first.

        Args:
            expand: Whether to go into child cells.
        """
        return (param for _, param in self.parameters_and_names(expand=bool(expand)))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """Return the parameters with ``requires_grad``."""
        return [p for p in self.get_parameters(expand=recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """Return the parameters without ``requires_grad``."""
        return [p for p in self.get_parameters(expand=recurse) if not p.requires_grad]

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """Return the parameters by ``Parameter.name``."""
        return OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse))

    parameters_broadcast_dict = parameters_dict

    @property
    def param_prefix(self) -> str:
        """The prefix set by ``update_cell_prefix``; empty at first."""
        return self._param_prefix

    def update_cell_prefix(self) -> None:
        """Set every cell's ``param_prefix`` to its path."""
        for path, cell in self.cells_and_names():
            cell._param_prefix = path

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Rename every parameter to ``prefix`` followed by its path.

        Args:
            prefix: Usually ends with a dot.
            recurse: Whether to go into child cells.

        Raises:
            TypeError: If the prefix is not a string.
        """
        of_type("update_parameters_name", "prefix", prefix, str)
        for path, param in self.parameters_and_names(expand=recurse):
            if prefix:
                param.is_init = False
            param.name = prefix + path

    def check_names(self) -> None:
        """Raise ``ValueError`` if two different parameters carry the same name."""
        seen: dict[str, Parameter] = {}
        for param in self.get_parameters():
            if seen.setdefault(param.name, param) is not param:
                raise ArgumentValueError(
                    f"The value of {param} is duplicated: its name '{param.name}' already exists. "
                    "Please set a unique name for the parameter."
                )

    def check_names_and_refresh_name(self) -> None:
        """Rename every parameter to its path if two of them carry the same name.

        Every cell does so when it is first called, so that a checkpoint keeps both.
        """
        names = [param.name for _, param in self.parameters_and_names()]
        if len(set(names)) < len(names):
            self.update_parameters_name()
            self.check_names()


def _foreign_parameters(cell: Any) -> Iterator[tuple[str, Parameter]]:
    for name, value in vars(cell).copy().items():
        if is_foreign(value):
            for path, param in parameters_of(value):
                yield f"{name}.{path}", param
