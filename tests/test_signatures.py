"""What ``help`` and ``inspect.signature`` tell of every public name."""

from __future__ import annotations

import importlib
import inspect
import pydoc
from enum import EnumType
from types import ModuleType

import pytest

from msgrad import Parameter, nn, ops
from msgrad._core.left_out import is_left_out
from msgrad.ops.primitive import Primitive
from tests.record_exports import PUBLIC

# As in MindSpore 2.10, where each of them takes further arguments too.
VARIADIC = {
    *(
        "Adam",
        "CheckpointConfig",
        "JitConfig",
        "Model",
        "Stream",
        "TensorDataset",
        "build_train_network",
    ),
    *("Profiler", "Symbol", "custom_info_register", "enable_dynamic", "profile"),
    # By what comes: `mint.empty(2, 3)` or `mint.empty((2, 3))`, with or without a lower bound.
    *("empty", "randint", "randint_like"),
    *(
        "export",
        "get_metric_fn",
        "jit",
        "load",
        "make_range",
        "recompute",
        "save_checkpoint",
        "vjp",
    ),
    *("add_flags", "einsum", "meshgrid", "print_", "rand", "randn"),
    *("set_algo_parameters", "set_auto_parallel_context", "set_context", "set_ps_context"),
    *("critical", "debug", "error", "info", "warning"),
    *("CellDict", "CellList", "Identity", "SequentialCell"),
    *("Initializer", "One", "Zero"),
    *("apply_along_axis", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays"),
    *("gradient", "ix_", "pad", "piecewise", "result_type"),
    *("block_diag", "cartesian_prod", "einsum_ext", "hyper_add", "make_list", "make_tuple"),
    *(f"augassign_{name}" for name in ("add", "sub", "mul", "div", "mod", "floordiv")),
    "zip_operation",
    # Samplers are checked by MindSpore before their constructor sees the arguments.
    *("Dataset", "MappableDataset", "RandomSampler", "SourceDataset", "VisionBaseDataset"),
    "TextBaseDataset",
    *("Slice", "TensorDataset", "functionalize", "to_nnx", "KeptCell", "load"),
}
# Classes of Python's own that have no signature to inspect.
BUILT_IN = {"partial", "_InternalCallbackParam"}
PUBLIC_NAMES = [(path, name) for path in PUBLIC for name in importlib.import_module(path).__all__]
PRIMITIVES = sorted(
    name
    for name in ops.__all__
    if isinstance(cls := getattr(ops, name), type)
    and issubclass(cls, Primitive)
    and not is_left_out(cls)
)


def test_every_public_name_declares_its_arguments():
    hidden = []
    for path, name in PUBLIC_NAMES:
        value = getattr(importlib.import_module(path), name)
        # A module of the same name hides the function once it is imported.
        if isinstance(value, ModuleType) and callable(value):
            value = getattr(value, name)
        # What an enumeration is called with, no program asks.
        if not callable(value) or name in BUILT_IN or isinstance(value, EnumType):
            continue
        signature = inspect.signature(value)
        several = any(
            p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in signature.parameters.values()
        )
        # What is left out takes whatever it is given.
        if several and name not in VARIADIC and not is_left_out(value):
            hidden.append(f"{path}.{name}{signature}")
    assert hidden == []


@pytest.mark.parametrize("name", PRIMITIVES)
def test_a_primitive_tells_what_it_does_and_takes(name):
    cls = getattr(ops, name)
    text, call = cls.__doc__ or "", inspect.signature(cls.__call__)
    assert text
    assert [key for key in inspect.signature(cls).parameters if key not in text] == []
    # Called on Tensors by position too, as in MindSpore.
    named = [p.name for p in call.parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert named == []


def test_the_options_of_a_primitive():
    assert str(inspect.signature(ops.Softmax)) == "(axis: 'int' = -1)"
    assert [*inspect.signature(ops.Conv2D).parameters][:3] == ["out_channel", "kernel_size", "mode"]
    assert [*inspect.signature(ops.Conv2D(4, 3)).parameters] == ["x", "weight"]
    assert [*inspect.signature(ops.ReduceSum()).parameters] == ["x", "axis"]
    assert [*inspect.signature(ops.ReverseV2).parameters] == ["axis"]


def test_help_of_layers_and_optimizers():
    for cls, first in ((nn.Conv2d, "in_channels"), (nn.Adam, "params"), (nn.LSTM, "input_size")):
        assert next(iter(inspect.signature(cls).parameters)) == first
    assert "in_channels: 'int'" in pydoc.plain(pydoc.render_doc(nn.Conv2d)).split("Method")[0]

    class Net(nn.Cell):
        def __init__(self, width: int, *, bias: bool = True):
            super().__init__()

    assert [*inspect.signature(Net).parameters] == ["width", "bias"]
    assert next(iter(inspect.signature(Parameter).parameters)) == "default_input"
