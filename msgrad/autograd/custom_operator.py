"""``Custom``: an operator made of a Python function, and of another as its backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from msgrad._core.checks import of_type, one_of
from msgrad._core.context import context
from msgrad._core.errors import UnsupportedError
from msgrad.autograd.bprop import call_with_bprop
from msgrad.ops.host_functions import on_host
from msgrad.ops.primitive import Primitive

_KINDS = ("pyfunc", "hybrid", "akg", "aot", "julia", "tbe", "aicpu")


class Custom(Primitive):
    """Make an operator of a Python function on NumPy arrays.

    Args:
        func: The function of NumPy arrays.
        out_shape: The shape of the result, a tuple of them, or a function of the input shapes.
        out_dtype: Its dtype, a tuple of them, or a function of the input dtypes.
        func_type: ``'pyfunc'``; the other kinds compile code for another device.
        bprop: Function of the inputs, the result and its gradient, written with operators; returns
            the gradient of each input. Without it there is no gradient.
        reg_info: Accepted for compatibility.

    Raises:
        NotImplementedError: For another ``func_type``.
    """

    def __init__(
        self,
        func: Callable[..., Any],
        out_shape: Any = None,
        out_dtype: Any = None,
        func_type: str = "pyfunc",
        bprop: Callable[..., Any] | None = None,
        reg_info: Any = None,
    ) -> None:
        super().__init__("Custom")
        one_of("Custom", "func_type", func_type, *_KINDS)
        if func_type != "pyfunc":
            raise UnsupportedError(
                f"msgrad runs Custom operators of Python functions, not of {func_type!r}: write "
                "func_type='pyfunc', or the function with operators."
            )
        of_type("Custom", "func", func, Callable)
        self.func, self.out_shape, self.out_dtype, self.bprop = func, out_shape, out_dtype, bprop

    def __call__(self, *inputs: Any) -> Any:
        """Call the function on Tensors."""
        if self.bprop is None or context.scope is None:
            return self._call(*inputs)
        return call_with_bprop(self._call, self.bprop, inputs, {})

    def _call(self, *inputs: Any) -> Any:
        shapes = self._asked(self.out_shape, [x.shape for x in inputs])
        dtypes = self._asked(self.out_dtype, [x.dtype for x in inputs])
        several = isinstance(dtypes, (tuple, list))
        pairs = zip(shapes, dtypes, strict=True) if several else [(shapes, dtypes)]
        kinds = [jax.ShapeDtypeStruct(tuple(s), d.np_dtype) for s, d in pairs]
        results = on_host(self.func, kinds, inputs)
        return tuple(results) if several else results[0]

    @staticmethod
    def _asked(given: Any, of: list[Any]) -> Any:
        return given(*of) if callable(given) and not hasattr(given, "np_dtype") else given
