"""Flax layers inside a Cell: their variables join the Cell's parameters and state.

An ``nnx.Param`` of the layer is replaced by a Parameter (which is an ``nnx.Param``), so that
``trainable_params``, ``grad`` and optimizers see it; every other variable (BatchNorm statistics,
random streams) keeps its identity and Flax type but reads and writes through the running scope.
``set_train`` does not reach into the layer: Flax's ``module.train()`` and ``module.eval()`` do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flax import nnx

from msgrad._core.bridge import wrap
from msgrad._core.engine.flax import adopt_variable
from msgrad.common.parameter import Parameter


class FlaxParameter(Parameter):
    """A Parameter of a Flax layer: always true, as Flax's layers ask ``if self.scale``.

    A MindSpore Parameter has the truth of its one element, and none if it has more.
    """

    def __bool__(self) -> bool:
        return True


def is_foreign(value: Any) -> bool:
    """Whether ``value`` is a Flax module that is not a Cell."""
    return isinstance(value, nnx.Module) and not hasattr(value, "construct")


def variables_of(module: nnx.Module) -> Iterator[tuple[str, nnx.Variable[Any]]]:
    """Yield ``(path, variable)`` of a Flax module, in Flax's order."""
    for path, variable in nnx.to_flat_state(nnx.state(module)):
        if isinstance(variable, nnx.Variable):
            yield ".".join(map(str, path)), variable


def parameters_of(module: nnx.Module) -> Iterator[tuple[str, Parameter]]:
    """Yield ``(path, parameter)`` of an adopted Flax module."""
    for path, variable in variables_of(module):
        if isinstance(variable, Parameter):
            yield path, variable


def adopt(name: str, module: nnx.Module) -> None:
    """Make the variables of ``module``, an attribute called ``name``, join the Cell around it."""
    for path, variable in list(variables_of(module)):
        if isinstance(variable, Parameter):
            # Of a Cell inside the Flax module; named by its path, as when a Cell is attached.
            variable.name = f"{name}.{path}"
        elif type(variable) is nnx.Param:
            *parents, last = path.split(".")
            owner: Any = module
            for part in parents:
                owner = _child(owner, part)
            new = FlaxParameter(wrap(variable.get_raw_value()), name=f"{name}.{path}")
            if isinstance(owner, (list, nnx.List)):
                owner[int(last)] = new
            elif isinstance(owner, dict):
                owner[last] = new
            else:
                setattr(owner, last, new)
        else:
            adopt_variable(variable)


def _child(owner: Any, part: str) -> Any:
    if isinstance(owner, (list, nnx.List)):
        return owner[int(part)]
    return owner[part] if isinstance(owner, dict) else getattr(owner, part)
