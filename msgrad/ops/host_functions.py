"""Python functions as operators: ``PyFunc``, ``Morph``, loops; and what watches values.

``Custom``, which may have a backward pass, is in ``autograd``. A function of NumPy runs on the
host wherever its operator does, also inside a compiled program.
"""

from __future__ import annotations

import builtins
import functools
import itertools
from collections.abc import Callable
from types import FunctionType
from typing import Any

import jax
import numpy as np

from msgrad._core.bridge import is_tensor, unwrap, wrap
from msgrad._core.callbacks import call_on_host
from msgrad._core.checks import of_type, one_of
from msgrad._core.engine import is_tracer
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError, NotATensorError
from msgrad._core.registry import public
from msgrad.common.tensor import Tensor
from msgrad.ops.primitive import Primitive


def on_host(fn: Callable[..., Any], kinds: list[Any], tensors: tuple[Any, ...]) -> list[Any]:
    """Call a function of NumPy arrays; its results have the shapes and dtypes of ``kinds``."""

    def call(*arrays: Any) -> Any:
        found = fn(*(np.array(a) for a in arrays))
        return found if isinstance(found, (tuple, list)) else (found,)

    raw = [unwrap(t) for t in tensors]
    if any(map(is_tracer, raw)):
        return [wrap(r) for r in call_on_host(call, kinds, [*map(jax.lax.stop_gradient, raw)])]
    results = zip(call(*raw), kinds, strict=True)
    return [Tensor(np.asarray(r, k.dtype).reshape(k.shape)) for r, k in results]


class PyFunc(Primitive):
    """Call a function of NumPy arrays; there is no gradient through it.

    Args:
        fn: The function.
        in_types: The dtypes of its arguments.
        in_shapes: Their shapes.
        out_types: The dtypes of its results.
        out_shapes: Their shapes.
        stateful: Accepted for compatibility.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        in_types: Any,
        in_shapes: Any,
        out_types: Any,
        out_shapes: Any,
        stateful: bool = True,
    ) -> None:
        super().__init__("PyFunc")
        self.fn = fn
        self._kinds = [
            jax.ShapeDtypeStruct(tuple(shape), dtype.np_dtype)
            for shape, dtype in zip(out_shapes, out_types, strict=True)
        ]

    def __call__(self, *input_x: Any) -> tuple[Tensor, ...]:
        """Call the function; its results come as a tuple."""
        return tuple(on_host(self.fn, self._kinds, input_x))


class Morph(Primitive):
    """Call a Python function written with operators; differentiated as it is.

    Args:
        fn: The function.
        infer_shape: Accepted for compatibility.
        infer_dtype: Accepted for compatibility.
        bprop_fn: Accepted for compatibility.
    """

    def __init__(
        self, fn: Callable[..., Any], infer_shape: Any, infer_dtype: Any, bprop_fn: Any = None
    ) -> None:
        super().__init__("Morph")
        self._fn = fn

    def __call__(self, *args: Any) -> Any:
        """Call the function."""
        return self._fn(*args)


class _Loop(Primitive):
    """Base of the loops: an object made without arguments and called with functions."""

    def __init__(self) -> None:
        super().__init__(type(self).__name__)


class ForiLoop(_Loop):
    """Call a function of an index and a value, from ``lower`` up to ``upper``."""

    def __call__(
        self, lower: int, upper: int, loop_func: Any, init_val: Any, unroll: bool = True
    ) -> Any:
        """Return what the last call of ``loop_func(i, value)`` gave."""
        value = init_val
        for i in range(int(lower), int(upper)):
            value = loop_func(i, value)
        return value


class WhileLoop(_Loop):
    """Call a function of a value for as long as a condition of it holds."""

    def __call__(self, cond_func: Any, loop_func: Any, init_val: Any) -> Any:
        """Return the first value of which ``cond_func`` is false.

        Raises:
            ValueError: If one of the functions fails.
        """
        value = init_val
        try:
            while cond_func(value):
                value = loop_func(value)
        except AttributeError as error:
            raise ArgumentValueError(f"Invalid loop_func, error info: {error}") from error
        return value


class Scan(_Loop):
    """Call a function of a carried value and each element of a list or tuple."""

    def __call__(
        self, loop_func: Any, init: Any, xs: Any, length: int | None = None, unroll: bool = True
    ) -> Any:
        """Return the last carried value, and the list of the results beside it.

        Raises:
            TypeError: If ``xs`` is neither None, a list nor a tuple.
        """
        of_type("", "xs", xs, list, tuple, type(None))
        if xs is None and length is None:
            raise ArgumentValueError("without 'xs', 'length' must be given.")
        carried, results = init, []
        for x in [None] * int(length or 0) if xs is None else xs:
            carried, result = loop_func(carried, x)
            results.append(result)
        return carried, results


class TensorDump(Primitive):
    """Write a Tensor into a ``.npy`` file.

    Args:
        input_output: ``'in'``, ``'out'`` or ``'all'``.
    """

    def __init__(self, input_output: str = "out") -> None:
        super().__init__("TensorDump")
        one_of("", "input_output", input_output, "in", "out", "all")

    def __call__(self, file: str, input_x: Any) -> None:
        """Write the Tensor; the file's name gets the dtype and a number."""
        tensordump(file, input_x)


_dumped = itertools.count()


@public
def tensordump(file_name: str, tensor: Tensor, mode: str = "out") -> None:
    """Write a Tensor into a NumPy file, whose name is given its dtype and a number.

    Args:
        file_name: The path, with or without ``.npy``.
        tensor: The Tensor.
        mode: Accepted for compatibility.

    Raises:
        TypeError: If ``tensor`` is not a Tensor, or ``file_name`` not a text.
    """
    if not isinstance(file_name, str) or not is_tensor(tensor):
        raise ArgumentTypeError(
            f"a file name and a Tensor are wanted, but got {type(file_name)} and {type(tensor)}."
        )
    stem = file_name.removesuffix(".npy")
    np.save(f"{stem}_{str(tensor.dtype).lower()}_{next(_dumped)}.npy", tensor.asnumpy())


# What a kernel may call without importing it, beside the functions of NumPy.
_IN_KERNELS: dict[str, Any] = {
    "output_tensor": np.zeros,
    "allocate": np.zeros,
    "grid": lambda shape: itertools.product(*map(range, shape)),
    **dict.fromkeys(("serial", "vectorize", "parallel", "reduce"), range),
    "rsqrt": lambda x: 1 / np.sqrt(x),
}


@public
def kernel(fn: Any = None, reg_info: Any = None, compile_attrs: Any = None) -> Any:
    """Return a function that is written for MindSpore's kernel compiler; it runs in Python.

    Args:
        fn: The function of NumPy arrays; without it, a decorator is returned. It may call
            ``output_tensor``, ``allocate``, ``grid``, ``serial``, ``vectorize``, ``parallel``,
            ``reduce``, and NumPy's functions by their names alone.
        reg_info: Accepted for compatibility.
        compile_attrs: Accepted for compatibility.

    Returns:
        The function; ``ops.Custom(fn, out_shape, out_dtype)`` makes an operator of it.
    """
    if fn is None:
        return kernel
    if not isinstance(fn, FunctionType):
        raise NotATensorError(f"a kernel must be a function, but got {type(fn)}.")
    names = [n for n in fn.__code__.co_names if hasattr(np, n) and not hasattr(builtins, n)]
    scope = {name: getattr(np, name) for name in names} | _IN_KERNELS | fn.__globals__
    made = FunctionType(fn.__code__, scope, fn.__name__, fn.__defaults__, fn.__closure__)
    return functools.update_wrapper(made, fn)


ms_kernel = kernel


class Assert(Primitive):
    """Raise if a condition does not hold.

    Args:
        summarize: How many elements of each Tensor the text shows.
    """

    def __init__(self, summarize: int = 3) -> None:
        super().__init__("Assert")
        self.summarize = summarize

    def __call__(self, condition: Any, input_data: Any) -> Tensor:
        """Check the condition; ``input_data`` stands in the text.

        Raises:
            RuntimeError: If it is false.
        """
        if not bool(condition):
            shown = [x.asnumpy().reshape(-1)[: self.summarize].tolist() for x in input_data]
            raise KernelError(f"assert failed: {shown}")
        return Tensor(np.zeros(1, np.int32))
