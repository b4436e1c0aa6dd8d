"""How a parity case is declared and run; not how results are written down or compared.

A family is a module ``tests/parity/cases/<family>.py``. It is written against the MindSpore API
only, so that the same file runs under the real MindSpore and under msgrad::

    import mindspore as ms
    import numpy as np
    from mindspore import Tensor, nn, ops

    from tests.parity.case import case

    @case
    def grad_of_square():
        return ms.grad(lambda x: x * x)(Tensor([1.0, 2.0]))

    @case.table({"int": (0,), "float": (0.5,), "text": ("a",)}, message=True)
    def position(value):
        return ms.grad(lambda x: x * x, value)(Tensor([1.0]))

A case returns anything made of Tensor, Parameter, dtype, numpy array, tuple, list, dict, set,
str, bytes, number and None, or raises: an exception is a result like any other. Objects of other
classes are recorded by the name of their class. The options, in both forms:

``tol``      relative tolerance of floating point values instead of the dtype's own
             (``tests.parity.compare.TOLERANCE``); the absolute one is a tenth of it
``message``  compare also the exception's text, not only its builtin type: it must begin with the
             first line of MindSpore's, the final stop apart, and may say more
``prints``   compare also what the case printed from Python

Every value of a table is the tuple of arguments of one case; ids are ``position[int]`` and so on.
Write ``lambda: ops.Name`` rather than ``ops.Name`` in a table, and build objects inside the case:
one name that is absent must fail one case and not the import of the family, and the recorder
forks after the import, which must not have run operators. Before each case the
mode is PYNATIVE and numpy's seed is 0; what else matters the case sets itself. Automatic names
(``Parameter#3``) depend on the cases before: give names, or do not return them.

Record with an interpreter that has MindSpore, from the root of the repository, and commit the
JSON: ``python -m tests.parity.record [family ...]``.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.parity import codec


@dataclass(frozen=True)
class Case:
    """One thing to observe: a function, its arguments, and how closely to compare."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    tol: float | None = None
    message: bool = False
    prints: bool = False


_families: dict[str, dict[str, Case]] = {}


def _declare(
    function: Callable[..., Any], key: str | None, arguments: tuple, options: dict
) -> None:
    if not isinstance(arguments, tuple):
        raise TypeError(f"{function.__name__}[{key}]: a table's value is a tuple of arguments")
    name = function.__name__ if key is None else f"{function.__name__}[{key}]"
    family = _families.setdefault(function.__module__, {})
    if name in family:
        raise ValueError(f"{function.__module__} declares the case {name} twice")
    family[name] = Case(name, function, arguments, **options)


class _Declare:
    """The decorator ``case``, bare or with options, and ``case.table``."""

    def __call__(self, function: Callable[..., Any] | None = None, **options: Any) -> Any:
        if function is None:
            return lambda function: self(function, **options)
        _declare(function, None, (), options)
        return function

    def table(self, rows: Mapping[str, tuple[Any, ...]], **options: Any) -> Callable[..., Any]:
        """Declare one case per row: its id and the arguments of the function."""

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            for key, arguments in rows.items():
                _declare(function, key, arguments, options)
            return function

        return decorate


case = _Declare()


def cases(family: str) -> dict[str, Case]:
    """Import a family; returns its cases by name, in the order of definition."""
    module = f"tests.parity.cases.{family}"
    importlib.import_module(module)
    return _families.get(module, {})


def prepare(graph: bool = False) -> None:
    """Put back what a case may rely on; only calls that both libraries have."""
    import mindspore as ms

    np.random.seed(0)
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE)


def observe(one: Case, graph: bool = False) -> dict[str, Any]:
    """Run a case; returns its encoded outcome: what it returned or raised, and printed.

    Args:
        one: The case.
        graph: Whether the mode is GRAPH_MODE instead of PYNATIVE_MODE.
    """
    prepare(graph)
    printed = io.StringIO()
    outcome: dict[str, Any]
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        if one.prints:
            stack.enter_context(contextlib.redirect_stdout(printed))
        try:
            outcome = {"returns": codec.encode(one.function(*one.arguments))}
        except Exception as error:
            outcome = codec.encode_exception(error)
    if one.prints:
        outcome["prints"] = codec.tidy(printed.getvalue())
    return outcome
