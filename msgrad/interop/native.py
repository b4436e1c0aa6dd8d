"""Cells as networks of Flax: ``to_nnx`` and back, by one table of layers.

A layer of the table becomes Flax's own, with the functions of JAX around it that it needs: images
stay (N, C, H, W), a convolution of Flax stands between two ``jnp.moveaxis``. What comes out of a
network of such layers and containers is made of ``flax.nnx`` and ``jax`` alone. An own Cell has its
``construct``, which is MindSpore code: it stays, behind a module that takes and gives arrays; or,
where ``to_nnx`` has the arguments of a call, it becomes a program (``_program.py``).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from flax import nnx

from msgrad._core.bridge import map_tensors, unwrap, wrap
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.exports import public_names
from msgrad.interop._program import Program, program_of
from msgrad.interop.functional import functionalize
from msgrad.nn.cell import Cell
from msgrad.nn.layer import (
    activation,
    basic,
    container,
    conv,
    embedding,
    normalization,
    pooling,
    rnn_cells,
)

_Turn = Callable[[Any], Any]


class _Weight(NamedTuple):
    """Where a Parameter stands in Flax's layer, and how it is turned on the way there and back."""

    path: str
    there: _Turn = lambda raw: raw
    back: _Turn = lambda raw: raw


_AS_IT_IS = _Weight("")


class _Row(NamedTuple):
    """How a layer is made in Flax, or None where its settings have no equivalent, and its weights.

    ``make`` returns the layer, or the callables to be called one after the other.
    """

    make: Callable[[Any], Any]
    weights: dict[str, _Weight] = {}


_ZEROS: Any = {"kernel_init": nnx.initializers.zeros}
_TO_LAST = partial(jnp.moveaxis, source=1, destination=-1)
_TO_FIRST = partial(jnp.moveaxis, source=-1, destination=1)


def _rngs() -> nnx.Rngs:
    return nnx.Rngs(0)


def _linear(cell: Any, sizes: str = "features") -> Any:
    ends = (getattr(cell, f"{end}_{sizes}") for end in ("in", "out"))
    return nnx.Linear(*ends, use_bias=cell.has_bias, **_ZEROS, rngs=_rngs())


def _dense(cell: Any) -> Any:
    linear = _linear(cell, "channels")
    return [linear, to_nnx(cell.activation)] if cell.activation_flag else linear


def _convolution(kind: Any, cell: Any, turned: Callable[[int, int], int], **more: Any) -> Any:
    rank = 1 if issubclass(type(cell), conv.Conv1d) else len(cell.kernel_size)
    sizes, dilation = cell.kernel_size[-rank:], cell.dilation[-rank:]
    pads = cell.padding if isinstance(cell.padding, tuple) else (cell.padding,) * 2 * rank
    # For each dimension what is put around, of both ends.
    reach = [d * (k - 1) for k, d in zip(sizes, dilation, strict=True)]
    ends = zip(reach, pads[-2 * rank :: 2], pads[-2 * rank + 1 :: 2], strict=True)
    around = [(turned(r, a), turned(r, b)) for r, a, b in ends]
    made = kind(
        cell.in_channels,
        cell.out_channels,
        sizes,
        cell.stride[-rank:],
        padding=around if cell.pad_mode == "pad" else cell.pad_mode.upper(),
        kernel_dilation=dilation,
        use_bias=cell.has_bias,
        **more,
        **_ZEROS,
        rngs=_rngs(),
    )
    return [_TO_LAST, made, _TO_FIRST]


def _conv(cell: Any) -> Any:
    return _convolution(nnx.Conv, cell, lambda _, pad: pad, feature_group_count=cell.group)


def _conv_transpose(cell: Any) -> Any:
    if cell.group != 1 or any(cell._output_padding):
        return None
    # JAX counts what is put around, not what is cut off.
    turned = lambda reach, cut: reach - cut  # noqa: E731
    return _convolution(nnx.ConvTranspose, cell, turned, transpose_kernel=True)


def _batch_norm(cell: Any) -> Any:
    decided = cell.use_batch_statistics
    momentum, eps = cell._momentum_and_eps
    return nnx.BatchNorm(
        cell.num_features,
        use_running_average=not (cell.training if decided is None else decided),
        axis=1,
        momentum=1.0 - momentum,
        epsilon=eps,
        use_fast_variance=False,
        rngs=_rngs(),
    )


def _layer_norm(cell: Any) -> Any:
    if len(cell.normalized_shape) != 1 or cell.begin_norm_axis != -1:
        return None
    made = partial(nnx.LayerNorm, epsilon=cell.epsilon, use_fast_variance=False, rngs=_rngs())
    return made(cell.normalized_shape[0])


def _group_norm(cell: Any) -> Any:
    made = partial(nnx.GroupNorm, epsilon=cell.eps, use_fast_variance=False, rngs=_rngs())
    return [_TO_LAST, made(cell.num_channels, cell.num_groups), _TO_FIRST]


def _embedding(cell: Any) -> Any:
    init: Any = nnx.initializers.zeros
    return nnx.Embed(cell.vocab_size, cell.embedding_size, embedding_init=init, rngs=_rngs())


def _dropout(cell: Any) -> Any:
    return nnx.Dropout(cell._rate, deterministic=not cell.training, rngs=_rngs())


def _recurrent(kind: Any, gates: int) -> Callable[[Any], Any]:
    def make(cell: Any) -> Any:
        size = cell.hidden_size
        inits: Any = {**_ZEROS, "recurrent_kernel_init": nnx.initializers.zeros}
        made = kind(cell.input_size, size, **inits, rngs=_rngs())
        # Flax has the biases of one of them; MindSpore of both or none.
        for name, inputs in (("dense_i", cell.input_size), ("dense_h", size)):
            dense = nnx.Linear(inputs, gates * size, use_bias=cell.has_bias, **_ZEROS, rngs=_rngs())
            setattr(made, name, dense)
        return made

    return make


def _pool(function: Any, **counts: Any) -> Callable[[Any], Any]:
    def make(cell: Any) -> Any:
        plain = cell.pad_mode != "PAD" and not cell.ceil_mode
        if not plain or getattr(cell, "return_indices", False) or cell._window is None:
            return None
        if getattr(cell, "divisor_override", None) or cell.format != "NCHW":
            return None
        form = {"window_shape": cell._window[-2:], "strides": cell._stride[-2:]}
        return [_TO_LAST, partial(function, **form, padding=cell.pad_mode, **counts), _TO_FIRST]

    return make


def _flatten(cell: Any) -> Any:
    stop = None if cell.end_dim == -1 else cell.end_dim + 1
    return partial(jax.lax.collapse, start_dimension=cell.start_dim, stop_dimension=stop)


def _transposed(path: str) -> _Weight:
    return _Weight(path, jnp.transpose, jnp.transpose)


def _kernel(raw: Any) -> Any:
    return jnp.moveaxis(raw, (0, 1), (-1, -2))


def _kernel_back(raw: Any) -> Any:
    return jnp.moveaxis(raw, (-1, -2), (0, 1))


_LINEAR = {"weight": _transposed("kernel"), "bias": _Weight("bias")}
_CONV = {"weight": _Weight("kernel", _kernel, _kernel_back), "bias": _Weight("bias")}
_SEQUENCE = _Weight(
    "kernel", lambda raw: _kernel(raw[:, :, 0]), lambda raw: _kernel_back(raw)[:, :, None]
)
_SCALE = {"gamma": _Weight("scale"), "beta": _Weight("bias")}
_STATISTICS = {"moving_mean": _Weight("mean"), "moving_variance": _Weight("var")}
_GATES = {
    "weight_ih": _transposed("dense_i.kernel"),
    "weight_hh": _transposed("dense_h.kernel"),
    "bias_ih": _Weight("dense_i.bias"),
    "bias_hh": _Weight("dense_h.bias"),
}

# The one table: MindSpore's layer -> how Flax makes it, and its weights there.
_TABLE: dict[type[Any], _Row] = {
    basic.Dense: _Row(_dense, _LINEAR),
    basic.Linear: _Row(_linear, _LINEAR),
    conv.Conv1d: _Row(_conv, {**_CONV, "weight": _SEQUENCE}),
    conv.Conv2d: _Row(_conv, _CONV),
    conv.Conv3d: _Row(_conv, _CONV),
    conv.Conv2dTranspose: _Row(_conv_transpose, _CONV),
    conv.Conv3dTranspose: _Row(_conv_transpose, _CONV),
    normalization.BatchNorm1d: _Row(_batch_norm, _SCALE | _STATISTICS),
    normalization.BatchNorm2d: _Row(_batch_norm, _SCALE | _STATISTICS),
    normalization.LayerNorm: _Row(_layer_norm, _SCALE),
    normalization.GroupNorm: _Row(_group_norm, _SCALE),
    embedding.Embedding: _Row(_embedding, {"embedding_table": _Weight("embedding")}),
    rnn_cells.LSTMCell: _Row(_recurrent(nnx.OptimizedLSTMCell, 4), _GATES),
    rnn_cells.GRUCell: _Row(_recurrent(nnx.GRUCell, 3), _GATES),
    basic.Dropout: _Row(_dropout),
    basic.Flatten: _Row(_flatten),
    basic.Identity: _Row(lambda cell: nnx.Sequential()),
    pooling.MaxPool2d: _Row(_pool(nnx.max_pool)),
    pooling.AvgPool2d: _Row(_pool(nnx.avg_pool, count_include_pad=False)),
    activation.ReLU: _Row(lambda cell: jax.nn.relu),
    activation.ReLU6: _Row(lambda cell: jax.nn.relu6),
    activation.Tanh: _Row(lambda cell: jnp.tanh),
    activation.Sigmoid: _Row(lambda cell: jax.nn.sigmoid),
    activation.SiLU: _Row(lambda cell: jax.nn.silu),
    activation.GELU: _Row(lambda cell: partial(jax.nn.gelu, approximate=cell.approximate)),
    activation.LeakyReLU: _Row(lambda cell: partial(jax.nn.leaky_relu, negative_slope=cell.alpha)),
    activation.Softmax: _Row(lambda cell: partial(jax.nn.softmax, axis=cell.axis)),
    activation.LogSoftmax: _Row(lambda cell: partial(jax.nn.log_softmax, axis=cell.axis)),
}
_CONTAINERS: dict[type[Any], Callable[[dict[str, Any]], Any]] = {
    container.SequentialCell: lambda inside: nnx.Sequential(*inside.values()),
    container.CellList: lambda inside: nnx.List(inside.values()),
    container.CellDict: nnx.Dict,
}


class _KeptCell(nnx.Module):
    """A Cell whose ``construct`` stays; called with arrays, it gives arrays.

    Args:
        cell: The Cell.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell

    def __call__(self, *args: Any) -> Any:
        given = jax.tree.map(wrap, args)
        return map_tensors(unwrap, self.cell(*given))


def to_nnx(cell: Cell, *example: Any, strict: bool = False) -> Any:
    """Return a network of Flax with the weights of a Cell; the Cell stays as it is.

    ``to_nnx(cell, images)`` needs no msgrad any more, whatever the Cell: a class of one's own is
    one module of it, which runs its ``construct`` as JAX has compiled it and has its weights as
    ``net.weights["head.weight"]``. It goes to another process by cloudpickle, and trains there.

    Args:
        cell: A network. Dense, Linear, Conv1d to 3d, Conv2dTranspose, Conv3dTranspose, BatchNorm,
            LayerNorm, GroupNorm, Embedding, Dropout, Flatten, LSTMCell, GRUCell, MaxPool2d,
            AvgPool2d and the usual activations become Flax's, SequentialCell, CellList and CellDict
            its containers. Any other Cell becomes a module that takes and gives arrays, one for the
            whole of it.
        example: Arguments of a call, as ``functionalize`` takes them. Any other Cell becomes a
            program then, for batches of any size unless it needs theirs (needs the extra
            ``export``); it has gradients, but no ``jax.vmap``. Without them it is kept, a copy.
        strict: Whether to refuse Cells that would be kept.

    Returns:
        A ``flax.nnx.Module``, or a function of JAX for a layer without weights. It takes what the
        Cell takes, images as (N, C, H, W), but arrays; LSTMCell and GRUCell are called as Flax
        calls them, ``cell(carry, x)``, the carry of an LSTM being ``(c, h)``. BatchNorm and Dropout
        are in the mode that ``set_train`` gave them, ``net.train()`` and ``net.eval()`` change it.
        Parameters with ``requires_grad=False`` are no ``nnx.Param``.

    Raises:
        TypeError: If it is no Cell.
        NotImplementedError: With ``strict``; it names the Cells. Where a call is not pure.
        ModuleNotFoundError: With an example, if flatbuffers is not installed.

    Differs from MindSpore: in training, Flax moves the running variance by the biased variance of
    the batch, and draws other elements to drop.
    """
    if not isinstance(cell, Cell):
        raise ArgumentTypeError(f"to_nnx takes a Cell, but got {type(cell).__name__}.")
    kept = {} if not (strict or example) else {c: name for name, c in _kept(cell, "")}
    if example:
        return _made(cell, {}, _Examples(cell, example, kept))
    if kept:
        named = ", ".join(f"{type(c).__name__} ('{name}')" for c, name in kept.items())
        raise UnsupportedError(
            f"These have no equivalent in Flax: {named}. Without strict=True they keep their "
            "construct; with the arguments of a call, to_nnx(cell, x), they become programs."
        )
    return _made(cell, {})


def from_nnx(net: Any, cell: Cell) -> None:
    """Put the weights of a network of Flax into the Cell that ``to_nnx`` made it of.

    Args:
        net: What ``to_nnx`` returned, trained meanwhile.
        cell: That Cell, or another one like it. Random streams stay as they are.

    Raises:
        ValueError: If the network is not of this form; nothing has changed.
    """
    try:
        pairs = [(param, weight.back(value)) for param, value, weight in _pairs(net, cell)]
    except (AttributeError, IndexError, KeyError, TypeError, StopIteration) as error:
        raise ArgumentValueError(
            f"This network is not what to_nnx makes of {type(cell).__name__}: {error}"
        ) from error
    for param, value in pairs:
        if value.shape != param.shape:
            raise ArgumentValueError(
                f"'{param.name}' is of shape {param.shape}, but in the network {value.shape}."
            )
    for param, value in pairs:
        param.set_data(wrap(jnp.copy(value)))


class _Examples:
    """With which arguments the Cells that have no equivalent are called.

    Args:
        cell: The network.
        example: Arguments of a call.
        kept: Those Cells.
    """

    def __init__(self, cell: Any, example: tuple[Any, ...], kept: Any) -> None:
        self._shared: dict[int, Any] = {}
        self._found = {id(cell): example}
        if kept and cell not in kept:
            for each in kept:
                vars(each)["construct"] = partial(self._note, each)
            try:
                functionalize(cell, *example)
            finally:
                for each in kept:
                    del vars(each)["construct"]

    def _note(self, cell: Any, *args: Any) -> Any:
        self._found.setdefault(id(cell), map_tensors(_spec, args))
        return type(cell).construct(cell, *args)

    def program(self, cell: Any) -> Any:
        if id(cell) not in self._found:
            raise UnsupportedError(f"A call with this example does not call {type(cell).__name__}.")
        return program_of(cell, self._found[id(cell)], self._shared)


def _spec(tensor: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(tensor.shape, tensor.dtype.np_dtype)


def _made(cell: Any, seen: dict[int, Any], examples: _Examples | None = None) -> Any:
    """Make the network of a Cell; one that stands in several places does so afterwards."""
    if id(cell) not in seen:
        inside = type(cell) in _CONTAINERS and _plain(cell)
        seen[id(cell)] = (
            _CONTAINERS[type(cell)](
                {key: _made(one, seen, examples) for key, one in cell._cells.items()}
            )
            if inside
            else _layer(cell, examples)
        )
    return seen[id(cell)]


def _layer(cell: Any, examples: _Examples | None) -> Any:
    parts = _parts(cell)
    if parts is None:
        return examples.program(cell) if examples else _KeptCell(copy.deepcopy(cell))
    for weight, param in _weights(cell):
        owner, name = _place(_core(parts), weight.path)
        value = weight.there(param._read())
        if isinstance(getattr(owner, name), nnx.Param) and not param.requires_grad:
            setattr(owner, name, nnx.Variable(value))
        else:
            getattr(owner, name).set_value(value)
    return parts[0] if len(parts) == 1 else nnx.Sequential(*parts)


def _plain(cell: Any) -> bool:
    """Whether a call of it is but its construct with its own operators."""
    changed = cell._cell_mixed or cell._cell_replaced or cell._cell_recomputed
    return not (changed or cell._cell_has_hooks or cell.has_bprop)


def _parts(cell: Any) -> list[Any] | None:
    """Return the callables that a layer of the table becomes, or None."""
    row = _TABLE.get(type(cell))
    made = row.make(cell) if row is not None and _plain(cell) else None
    return made if made is None or isinstance(made, list) else [made]


def _kept(cell: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the Cells that have no equivalent, with their places."""
    if type(cell) in _CONTAINERS and _plain(cell):
        for key, child in cell._cells.items():
            yield from _kept(child, f"{name}.{key}".lstrip("."))
    elif _parts(cell) is None:
        yield name, cell


def _core(parts: Any) -> Any:
    """Return the layer with the weights among callables."""
    return next(part for part in parts if isinstance(part, nnx.Module))


def _weights(cell: Any) -> Iterator[tuple[_Weight, Any]]:
    for name, weight in _TABLE[type(cell)].weights.items():
        param = getattr(cell, name)
        if param is not None:
            yield weight, param


def _place(layer: Any, path: str) -> tuple[Any, str]:
    *parents, name = path.split(".")
    for parent in parents:
        layer = getattr(layer, parent)
    return layer, name


def _pairs(net: Any, cell: Any) -> Iterator[tuple[Any, Any, _Weight]]:
    """Yield each Parameter of a Cell with its value in a network of Flax, and how it is turned."""
    if isinstance(net, _KeptCell):
        own = {param.name: param._read() for param in net.cell.get_parameters()}
        yield from ((param, own[param.name], _AS_IT_IS) for param in cell.get_parameters())
    elif isinstance(net, Program):
        for param in cell.get_parameters():
            yield param, net.weights[param.name].get_value(), _AS_IT_IS
    elif type(cell) in _CONTAINERS and _plain(cell):
        inside = getattr(net, "layers", net)
        for number, (key, child) in enumerate(cell._cells.items()):
            yield from _pairs(inside[key if isinstance(inside, nnx.Dict) else number], child)
    elif _TABLE[type(cell)].weights:
        core = _core(net.layers) if isinstance(net, nnx.Sequential) else net
        for weight, param in _weights(cell):
            owner, name = _place(core, weight.path)
            yield param, getattr(owner, name).get_value(), weight


class _Place(int):
    """The place of a leaf in ``nnx.state(net, nnx.Param)``, as the value of its variable."""


def _trained_leaves(net: Any, cell: Cell) -> list[tuple[Any, _Turn, _Turn] | None]:
    """Return whose leaves ``nnx.state(net, nnx.Param)`` has, in turn.

    Args:
        net, cell: As for ``from_nnx``.

    Returns:
        For each the Parameter, and how its array is turned on the way to Flax and back.
    """
    graph, params, rest = nnx.split(net, nnx.Param, ...)
    structure = jax.tree.structure(params)
    found: list[Any] = [None] * structure.num_leaves
    places = jax.tree.unflatten(structure, [*map(_Place, range(len(found)))])
    for param, value, weight in _pairs(nnx.merge(graph, places, rest), cell):
        if type(value) is _Place:
            found[value] = (param, weight.there, weight.back)
    return found


__all__ = public_names(globals())
