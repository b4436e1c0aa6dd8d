"""``export`` and ``load``: a network as one file, of MindIR, StableHLO or ONNX.

A ``.stablehlo`` file is what ``jax.export`` serializes; no msgrad is needed to serve it::

    program = jax.export.deserialize(bytearray(open("net.stablehlo", "rb").read()))
    program.call(images)
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable
from typing import Any

import jax

from msgrad._compiled.inputs import compiling
from msgrad._core.bridge import is_tensor, map_tensors, unwrap, wrap
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MsgradError,
    UnsupportedError,
)
from msgrad._core.missing import library
from msgrad._core.scopes.scope import Scope
from msgrad.interop._files import reading, replacing
from msgrad.interop.functional import with_any_batch
from msgrad.nn.cell import Cell
from msgrad.nn.graph_cell import _Graph

# By name, each in parts.
_Files = dict[str, Iterable[bytes]]


def export(net: Any, *inputs: Any, file_name: str, file_format: str, **kwargs: Any) -> None:
    """Write a network with its weights to a file that serves it without msgrad.

    The first size of the inputs, if it is the same for all, is a batch of any size afterwards;
    where the network needs it as a number, the file is for this size (with a warning, but for
    MindIR). Sizes that are not known, in ``Tensor(shape=[None, 3, None], dtype=...)``, stay open:
    the first ones as one size, the batch, and every other one on its own.

    Args:
        net: A Cell (as it stands: ``set_train(False)`` first), or a function of Tensors.
        inputs: Tensors of a call.
        file_name: The file; ``.mindir``, ``.stablehlo`` or ``.onnx`` is added. MindIR of more than
            1 GiB is, as MindSpore's, ``<name>_graph.mindir`` and a folder ``<name>_variables``.
        file_format: ``'MINDIR'``, which MindSpore loads; ``'STABLEHLO'`` (needs the extra
            ``export``), or ``'ONNX'`` (``onnx``).
        kwargs: ``platforms``: the devices the file is for, such as ``["cpu", "cuda"]``; that of
            this process by default. For ``'ONNX'``: what ``jax2onnx.to_onnx`` accepts.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For another format; for ``'AIR'``, as in MindSpore without an Ascend.
        NotImplementedError: For an ``enc_key``; if the network draws random numbers or changes its
            Parameters; for MindIR also if it needs an open size as a number, or what no Primitive
            does.
        ModuleNotFoundError: If the library for the format is not installed.
        OSError: If the file cannot be written.

    Differs from MindSpore: a network in training mode is refused if it has what changes then. Its
    MindIR has some operators as several Primitives, and branches or loops on Tensors not at all.
    """
    if not callable(net):
        raise ArgumentTypeError(f"'export' takes a Cell or a function, but got {type(net)}.")
    if not isinstance(file_name, str):
        raise ArgumentTypeError(f"The '{file_name}' must be string, but got {type(file_name)}.")
    for value in inputs:
        if not is_tensor(value):
            raise ArgumentTypeError(f"'export' takes Tensors as inputs, but got {type(value)}.")
    if kwargs.get("enc_key") is not None:
        raise UnsupportedError("'export' does not encrypt; encrypt the file that it has written.")
    if file_format == "AIR":
        raise ArgumentValueError("Only support export file in 'AIR' format with Ascend backend.")
    if file_format not in _WRITERS:
        raise ArgumentValueError(
            f"For 'export', 'file_format' must be one of {list(_WRITERS)}, but got {file_format}."
        )
    stem = file_name.removesuffix(f".{file_format.lower()}")
    files = _WRITERS[file_format](net, inputs, stem, kwargs)
    for path, parts in files.items():
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with replacing(path) as file:
            file.writelines(parts)


def load(file_name: str, **kwargs: Any) -> Any:
    """Read a network that ``export``, here or of MindSpore, has written.

    Args:
        file_name: The ``.mindir`` or ``.stablehlo`` file.
        kwargs: Accepted for compatibility.

    Returns:
        Something to be called with Tensors, and to make an ``nn.GraphCell`` of. Of StableHLO, its
        ``exported`` is the ``jax.export.Exported``.

    Raises:
        ValueError: If the name is no string or ends otherwise, or the file is not there or damaged.
        ModuleNotFoundError: For StableHLO, if flatbuffers is not installed.
    """
    if not isinstance(file_name, str):
        raise ArgumentValueError(
            f"For 'load', the argument 'file_name' must be string, but got {type(file_name)}."
        )
    reader = _READERS.get(os.path.splitext(file_name)[1])
    if reader is None or not os.path.isfile(file_name):
        raise ArgumentValueError(
            f"For 'load', the argument 'file_name' must be a file that exists and ends with one of "
            f"{[*_READERS]}, but got '{file_name}'."
        )
    with reading(file_name) as source:
        content = source.part(0, source.size)
    try:
        return reader(content, os.path.dirname(file_name))
    except MsgradError:
        raise
    except Exception as error:
        raise ArgumentValueError(
            f"'{file_name}' is not a file that export has written, or is damaged: {error}"
        ) from error


def _pure(net: Any, recorder: Any = None) -> Callable[..., Any]:
    """Return a call as a function of arrays, which refuses to change anything."""

    def pure(*raws: Any) -> Any:
        with Scope() as scope, compiling((), {}):
            scope.recorder = recorder
            output = map_tensors(unwrap, net(*map(wrap, raws)))
            # Before the scope forgets them; raising in it undoes what was written. What the network
            # itself has made it may change.
            own = {id(made()) for made in scope.made}
            written_to = [scope.values[key][0] for key in scope.written if key not in own]
            names = [getattr(tensor, "name", "a Tensor") for tensor in written_to]
            if names:
                raise UnsupportedError(
                    f"An exported network must not change anything, but this one writes {names}: "
                    "set_train(False) stops BatchNorm and Dropout; or take interop.functionalize."
                )
        return output

    return pure


def _mindir(net: Any, inputs: Any, stem: str, options: dict[str, Any]) -> _Files:
    # Not with msgrad: few programs export.
    from msgrad.interop.mindir.writing import written

    is_cell = isinstance(net, Cell)
    signature = inspect.signature(net.construct if is_cell else net)
    try:
        named = signature.bind(*inputs).arguments
    except TypeError as error:
        raise ArgumentTypeError(f"'export' cannot call the network: {error}") from error
    given = {}
    for name, value in named.items():
        several = isinstance(value, tuple)
        given |= {f"{name}_{i}": v for i, v in enumerate(value)} if several else {name: value}
    parameters = [(p.name, unwrap(p)) for p in net.get_parameters()] if is_cell else []
    return written(functools.partial(_pure, net), given, parameters, stem)


def _stablehlo(net: Any, inputs: Any, stem: str, options: dict[str, Any]) -> _Files:
    library("flatbuffers", "export", "This format")
    from jax.export import export

    make = export(jax.jit(_pure(net)), platforms=options.get("platforms"))
    program = with_any_batch(lambda specs: make(*specs), inputs)
    return {f"{stem}.stablehlo": [program.serialize()]}


def _onnx(net: Any, inputs: Any, stem: str, options: dict[str, Any]) -> _Files:
    to_onnx = library("jax2onnx", "onnx", "This format").to_onnx
    from jax.extend.core import jaxpr_as_fun

    def make(specs: Any) -> Any:
        # Traced before: what the library puts in the place of jnp.add and others while it traces
        # would stay in the compiled operators.
        traced, shape = jax.make_jaxpr(_pure(net), return_shape=True)(*specs)
        flat, form = jaxpr_as_fun(traced), jax.tree.structure(shape)
        return to_onnx(lambda *raws: form.unflatten(flat(*raws)), specs, **options)

    return {f"{stem}.onnx": [with_any_batch(make, inputs).SerializeToString()]}


def _read_stablehlo(content: bytes, _: str) -> _Graph:
    library("flatbuffers", "export", "This format")
    from jax.export import deserialize

    return _Graph(deserialize(bytearray(content)))


def _read_mindir(content: bytes, folder: str) -> Any:
    from msgrad.interop.mindir.reading import MindIR

    return MindIR(content, folder)


_READERS = {".mindir": _read_mindir, ".stablehlo": _read_stablehlo}
_WRITERS = {"MINDIR": _mindir, "STABLEHLO": _stablehlo, "ONNX": _onnx}
