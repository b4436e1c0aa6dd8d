"""``GraphCell``: a network that was exported, as a Cell; files are in ``train/_export.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from msgrad._core.bridge import is_tensor, unwrap, wrap_arrays
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.exports import public_names
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell

if TYPE_CHECKING:
    # Not with msgrad: few programs load one.
    from jax.export import Exported


class _Graph:
    """What ``load`` returns: a program of StableHLO with its weights, to be called with Tensors."""

    def __init__(self, exported: Exported) -> None:
        self.exported = exported
        self._call = jax.jit(exported.call)

    def __call__(self, *inputs: Any) -> Any:
        for value in inputs:
            if not is_tensor(value) and not isinstance(value, (jax.Array, np.ndarray)):
                raise ArgumentTypeError(
                    f"An exported network takes Tensors or arrays, but got {type(value)}."
                )
        return wrap_arrays(self._call(*map(unwrap, inputs)))

    def __repr__(self) -> str:
        return f"Graph{self.exported.in_avals} -> {self.exported.out_avals}"


class GraphCell(Cell):
    """A network that ``mindspore.load`` has read, as a Cell.

    Args:
        graph: What ``mindspore.load`` returned. That of a ``.mindir`` file has Parameters, and
            is differentiated and trained like any other Cell; that of StableHLO computes only.
        params_init: For a ``.mindir`` file, other values of its Parameters, by name: Tensors or
            Parameters of the same shape and dtype. Names that it does not have are passed over.
        obf_random_seed: Must be None.

    Inputs: Tensors as for the network that was exported. Output: as there.

    Raises:
        TypeError: If ``graph`` is not such a graph, or ``params_init`` no dict of Tensors by name.
        ValueError: If a value has another shape or dtype than its Parameter.
        NotImplementedError: For ``obf_random_seed``, or ``params_init`` of StableHLO.

    Differs from MindSpore: it runs in PYNATIVE mode, too.
    """

    def __init__(self, graph: Any, params_init: Any = None, obf_random_seed: Any = None) -> None:
        super().__init__(auto_prefix=True)
        parameters = getattr(graph, "parameters", None)
        if not isinstance(graph, _Graph) and parameters is None:
            raise ArgumentTypeError(
                "For 'GraphCell', the argument 'graph' must be what mindspore.load returned, but "
                f"got type {type(graph)}."
            )
        if obf_random_seed is not None or (params_init is not None and parameters is None):
            raise UnsupportedError(
                "The weights of an exported network are constants of its file; load the "
                "checkpoint into the Cell and export that."
            )
        self.graph = graph
        given = _checked(params_init)
        for name, array in (parameters or {}).items():
            value = given.get(name, array)
            if value.shape != array.shape or unwrap(value).dtype != array.dtype:
                raise ArgumentValueError(
                    f"The parameter '{name}' has shape {array.shape} and dtype {array.dtype}, but "
                    f"got a value of shape {value.shape} and dtype {value.dtype}."
                )
            self.insert_param_to_cell(name, Parameter(Tensor(value), name=name), False)

    def construct(self, *inputs: Any) -> Any:
        if isinstance(self.graph, _Graph):
            return self.graph(*inputs)
        return self.graph.run(inputs, self._params)


def _checked(params_init: Any) -> dict[str, Any]:
    """Return other values of Parameters, by name."""
    if not isinstance(params_init, (dict, type(None))):
        raise ArgumentTypeError(
            "For 'GraphCell', the argument 'params_init' must be a dict, but got "
            f"{type(params_init)}."
        )
    for name, value in (params_init or {}).items():
        if not isinstance(name, str) or not is_tensor(value):
            raise ArgumentTypeError(
                "For 'GraphCell', the key of the 'params_init' must be str, and the value must be "
                f"Tensor or Parameter, but got the key type: {type(name)}, and the value type: "
                f"{type(value)}"
            )
    return params_init or {}


__all__ = public_names(globals())
