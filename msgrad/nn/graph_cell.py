"""``GraphCell``: a network that was exported, as a Cell; files are in ``train/_export.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from msgrad._core.bridge import is_tensor, unwrap, wrap_arrays
from msgrad._core.errors import ArgumentTypeError, UnsupportedError
from msgrad._core.exports import public_names
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
    """A network that ``mindspore.load`` has read, as a Cell; it computes, and is not trained.

    Args:
        graph: What ``mindspore.load`` returned.
        params_init: Must be None: the weights are constants of the file.
        obf_random_seed: Must be None.

    Inputs: Tensors as for the network that was exported. Output: as there.

    Raises:
        TypeError: If ``graph`` is not such a graph.
        NotImplementedError: For the other arguments.

    Differs from MindSpore: it has no parameters, and no gradients.
    """

    def __init__(self, graph: Any, params_init: Any = None, obf_random_seed: Any = None) -> None:
        super().__init__(auto_prefix=True)
        if not isinstance(graph, _Graph):
            raise ArgumentTypeError(
                "For 'GraphCell', the argument 'graph' must be what mindspore.load returned, but "
                f"got type {type(graph)}."
            )
        if params_init is not None or obf_random_seed is not None:
            raise UnsupportedError(
                "The weights of an exported network are constants of its file; load the "
                "checkpoint into the Cell and export that."
            )
        self.graph = graph

    def construct(self, *inputs: Any) -> Any:
        return self.graph(*inputs)


__all__ = public_names(globals())
