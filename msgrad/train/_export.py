"""``export`` and ``load``: a network as one file of StableHLO that any JAX runs, or of ONNX.

A ``.stablehlo`` file is what ``jax.export`` serializes; no msgrad is needed to serve it::

    program = jax.export.deserialize(bytearray(open("net.stablehlo", "rb").read()))
    program.call(images)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import jax

from msgrad._compiled.inputs import compiling
from msgrad._core.bridge import is_tensor, map_tensors, unwrap, wrap
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.missing import library
from msgrad._core.scopes.scope import Scope
from msgrad.interop._files import reading, replacing
from msgrad.interop._open_sizes import with_any_batch
from msgrad.nn.graph_cell import _Graph

_SUFFIX = ".stablehlo"
_MINDIR = (
    "nearest: file_format='STABLEHLO', which any JAX serves, or 'ONNX'. A MindIR file is a graph "
    "of MindSpore's own operators, for its own runtime"
)


def export(net: Any, *inputs: Any, file_name: str, file_format: str, **kwargs: Any) -> None:
    """Write a network with its weights to a file that serves it without msgrad.

    The first size of the inputs, if it is the same for all, is a batch of any size afterwards;
    where the network needs it as a number, the file is for this size, with a warning. Sizes that
    are not known, in ``Tensor(shape=[None, 3, None], dtype=...)``, stay open: the first ones
    as one size, the batch, and every other one on its own.

    Args:
        net: A Cell (as it stands: ``set_train(False)`` first), or a function of Tensors.
        inputs: Tensors of a call.
        file_name: The file; ``.stablehlo`` or ``.onnx`` is added.
        file_format: ``'STABLEHLO'`` (needs the extra ``export``), or ``'ONNX'`` (``onnx``).
        kwargs: ``platforms``: the devices the file is for, such as ``["cpu", "cuda"]``; that of
            this process by default. For ``'ONNX'``: what ``jax2onnx.to_onnx`` accepts.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For another format.
        NotImplementedError: For ``'MINDIR'`` and ``'AIR'``; if the network draws random numbers
            or changes its Parameters.
        ModuleNotFoundError: If the library for the format is not installed.
        OSError: If the file cannot be written.

    Differs from MindSpore, which writes MINDIR, AIR and ONNX.
    """
    if not callable(net):
        raise ArgumentTypeError(f"'export' takes a Cell or a function, but got {type(net)}.")
    if not isinstance(file_name, str):
        raise ArgumentTypeError(f"The '{file_name}' must be string, but got {type(file_name)}.")
    for value in inputs:
        if not is_tensor(value):
            raise ArgumentTypeError(f"'export' takes Tensors as inputs, but got {type(value)}.")
    if file_format in ("MINDIR", "AIR"):
        raise UnsupportedError(f"msgrad does not write '{file_format}'; {_MINDIR}.")
    if file_format not in _WRITERS:
        raise ArgumentValueError(
            f"For 'export', 'file_format' must be one of {list(_WRITERS)}, but got {file_format}."
        )
    suffix = f".{file_format.lower()}"
    path = file_name if file_name.endswith(suffix) else file_name + suffix
    content = _WRITERS[file_format](_pure(net), inputs, kwargs)
    with replacing(path) as file:
        file.write(content)


def load(file_name: str, **kwargs: Any) -> Any:
    """Read a network that ``export`` has written as StableHLO.

    Args:
        file_name: The ``.stablehlo`` file.
        kwargs: Accepted for compatibility.

    Returns:
        Something to be called with Tensors, and to make an ``nn.GraphCell`` of; its ``exported``
        is the ``jax.export.Exported``.

    Raises:
        ValueError: If the name is no string or ends otherwise, or the file is not there or damaged.
        NotImplementedError: For a ``.mindir`` file.
        ModuleNotFoundError: If flatbuffers is not installed.
    """
    if not isinstance(file_name, str):
        raise ArgumentValueError(
            f"For 'load', the argument 'file_name' must be string, but got {type(file_name)}."
        )
    if file_name.endswith(".mindir"):
        raise UnsupportedError(
            f"msgrad does not read '{file_name}': a MindIR file is a graph of MindSpore's own "
            "operators. Keep the Python code of the network and load its checkpoint."
        )
    if not file_name.endswith(_SUFFIX) or not os.path.isfile(file_name):
        raise ArgumentValueError(
            f"For 'load', the argument 'file_name' must be a file that exists and ends with "
            f"'{_SUFFIX}', but got '{file_name}'."
        )
    library("flatbuffers", "export", "This format")
    from jax.export import deserialize

    with reading(file_name) as source:
        content = bytearray(source.part(0, source.size))
    try:
        return _Graph(deserialize(content))
    except Exception as error:
        raise ArgumentValueError(
            f"'{file_name}' is not a file that export has written, or is damaged: {error}"
        ) from error


def _pure(net: Any) -> Callable[..., Any]:
    """Return a call as a function of arrays, which refuses to change anything."""

    def pure(*raws: Any) -> Any:
        with Scope() as scope, compiling((), {}):
            output = map_tensors(unwrap, net(*map(wrap, raws)))
            # Before the scope forgets them; raising in it undoes what was written.
            names = [getattr(scope.values[key][0], "name", "a Tensor") for key in scope.written]
            if names:
                raise UnsupportedError(
                    f"An exported network must not change anything, but this one writes {names}: "
                    "set_train(False) stops BatchNorm and Dropout; or take interop.functionalize."
                )
        return output

    return pure


def _stablehlo(pure: Callable[..., Any], inputs: Any, options: dict[str, Any]) -> bytes:
    library("flatbuffers", "export", "This format")
    from jax.export import export

    make = export(jax.jit(pure), platforms=options.get("platforms"))
    return with_any_batch(lambda specs: make(*specs), inputs).serialize()


def _onnx(pure: Callable[..., Any], inputs: Any, options: dict[str, Any]) -> bytes:
    to_onnx = library("jax2onnx", "onnx", "This format").to_onnx
    from jax.extend.core import jaxpr_as_fun

    def make(specs: Any) -> Any:
        # Traced before: what the library puts in the place of jnp.add and others while it traces
        # would stay in the compiled operators.
        traced, shape = jax.make_jaxpr(pure, return_shape=True)(*specs)
        flat, form = jaxpr_as_fun(traced), jax.tree.structure(shape)
        return to_onnx(lambda *raws: form.unflatten(flat(*raws)), specs, **options)

    return with_any_batch(make, inputs).SerializeToString()


_WRITERS = {"STABLEHLO": _stablehlo, "ONNX": _onnx}
