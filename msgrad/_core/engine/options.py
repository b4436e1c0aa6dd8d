"""The options under which XLA compiles a program: JAX's, and some by what it is made of."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import jax
from jax._src.interpreters import pxla
from jaxlib.mlir.ir import WalkResult
from jaxlib.xla_client import CompileOptions

from msgrad._core.protobuf import before_bytes

# XLA's option of this name is a table, which ``compiler_options`` of ``jax.jit`` cannot say.
BACKEND_OPTIONS = "xla_backend_extra_options"
_EXECUTABLE_BUILD_OPTIONS, _DEBUG_OPTIONS, _BACKEND_OPTIONS = 3, 3, 500
_plain_compile_options = pxla.create_compile_options
# On a CPU XLA takes ``optimization_barrier`` away before it fuses, elsewhere afterwards; what comes
# then does not need the pass, unless there is a barrier of several values: that ends the process.
_BARRIERS_STAY = "xla_disable_hlo_passes", "cse_barrier_expander"
# Else a small loop is written as one kernel, and no kernel can have a barrier.
_LOOPS_STAY = {"xla_cpu_small_while_loop_byte_threshold": "0"}
# Kernels are written for LLVM without MLIR between, and loops not unrolled: convolutional networks
# compile in half the time. Equal kernels are compiled each by itself then, and copies that end in
# fewer dimensions take 7 times as long: not for what is products, as transformers are. Nor for
# batch normalisations, whose steps take 6 to 9 % longer, unless most of it is depthwise
# convolutions: those are written as elements of windows, cut out by a slice each.
_OF_IMAGES = (("xla_cpu_use_fusion_emitters", False),)
_NOT_UNROLLED = "xla_cpu_disable_loop_unrolling"
_MOST_PRODUCTS, _DEPTHWISE, _CHANNELS_AND_BATCH = 2, 2.5, 2


def _message(number: int, content: bytes) -> bytes:
    """Return the protobuf field ``number``, with text or a message in it."""
    return before_bytes(number, len(content)) + content


@dataclass
class _Parts:
    """What a program has of the operations that options hang on.

    Attributes:
        barriers: How many values its barriers have.
        counts: How many there are by name, with slices of images and, as ``sum``, sums over all but
            the channels, as gradients of biases and batch normalisations are.
        calls: The functions it calls, which are compiled as often as they are called.
    """

    barriers: set[int] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    calls: list[str] = field(default_factory=list)

    def look(self, operation: Any) -> Any:
        name = operation.name.removeprefix("stablehlo.")
        if name == "func.call":
            self.calls.append(operation.attributes["callee"].value)
        elif name == "optimization_barrier":
            self.barriers.add(len(operation.operands))
        elif name in {"dot_general", "convolution", "while"}:
            self.counts[name] += 1
        elif name == "slice":
            self.counts[name] += len(operation.operands[0].type.shape) > _CHANNELS_AND_BATCH + 1
        elif name == "reduce":
            over, rank = operation.attributes["dimensions"], len(operation.operands[0].type.shape)
            summed = rank > _CHANNELS_AND_BATCH and {0, rank - 1} <= set(over) and 1 not in over
            self.counts["sum"] += summed
        return WalkResult.ADVANCE

    @property
    def of_images(self) -> bool:
        """Whether most of it is convolutions that lose nothing under ``_OF_IMAGES``."""
        products, convolutions = self.counts["dot_general"], self.counts["convolution"]
        if self.counts["slice"] > _DEPTHWISE * (products + convolutions):
            return products + convolutions > 0
        few = self.counts["sum"] <= convolutions and products <= _MOST_PRODUCTS * convolutions
        return few and convolutions > 0


def _parts(module: Any) -> _Parts:
    """Return what a program has, with what its functions have for each call of them."""
    functions: dict[str, _Parts] = {}
    for function in module.body.operations:
        parts = functions[function.attributes["sym_name"].value] = _Parts()
        function.operation.walk(parts.look)

    @functools.cache
    def counts(name: str) -> Counter[str]:
        own = functions[name]
        return sum((counts(called) for called in own.calls), own.counts)

    return _Parts(set().union(*(f.barriers for f in functions.values())), counts("main"))


def _compile_options(module: Any, *args: Any, **kwargs: Any) -> Any:
    """As JAX's own; ``BACKEND_OPTIONS`` are added, their names with commas.

    On a CPU, barriers stay, and loops where there are barriers; programs made of
    convolutions take ``_OF_IMAGES``, too, where nothing else is said.
    """
    options = kwargs["compiler_options"] if "compiler_options" in kwargs else args[-1]
    names = options.pop(BACKEND_OPTIONS, "") if isinstance(options, dict) else ""
    more = dict.fromkeys(filter(None, names.split(",")), "")
    made = _plain_compile_options(module, *args, **kwargs)
    if any(getattr(arg, "platform", "") == "cpu" for arg in (*args, *kwargs.values())):
        parts = _parts(module)
        if parts.barriers == {1}:
            made.env_option_overrides = [*made.env_option_overrides, _BARRIERS_STAY]
            if parts.counts["while"]:
                more |= _LOOPS_STAY
        if not options and parts.of_images and _knows_of_images():
            made.env_option_overrides = [*made.env_option_overrides, *_OF_IMAGES]
            more[_NOT_UNROLLED] = ""
    if not more:
        return made
    table = b"".join(
        _message(_BACKEND_OPTIONS, _message(1, name.encode()) + _message(2, value.encode()))
        for name, value in more.items()
    )
    # What follows in a protobuf is merged into what came before.
    table = _message(_EXECUTABLE_BUILD_OPTIONS, _message(_DEBUG_OPTIONS, table))
    return CompileOptions.ParseFromString(made.SerializeAsString() + table)


pxla.create_compile_options = _compile_options


def compiles_under(options: dict[str, Any]) -> bool:
    """Whether this version of XLA has the options."""
    try:
        jax.jit(lambda: 0, compiler_options=options).lower().compile()
    except jax.errors.JaxRuntimeError:
        return False
    return True


@functools.cache
def _knows_of_images() -> bool:
    return compiles_under({**dict(_OF_IMAGES), BACKEND_OPTIONS: _NOT_UNROLLED})
