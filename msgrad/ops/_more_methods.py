"""Methods of Tensor that are functions of ``msgrad.ops`` under the same name, and in-place forms.

A name here has no row of its own. What is in place writes the Tensor it is called on and returns
it; most of these 2.10 runs on an Ascend device only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from msgrad.common.tensor import Tensor

FUNCTIONS = (
    "addr adjoint angle approximate_equal bincount cholesky cholesky_inverse cholesky_solve col2im "
    "cov diagflat diagonal_scatter diff dsplit eigvals fills fmax fmin fold gcd geqrf "
    "heaviside histc hsplit i0 igamma igammac index_fill inplace_update invert isneginf isposinf "
    "isreal lcm ldexp log_matrix_determinant logcumsumexp logdet logit lstsq lu_solve "
    "matrix_power msort mvlgamma nanmedian nanquantile nextafter orgqr ormqr qr "
    "quantile random_categorical renorm reverse reverse_sequence rot90 "
    "searchsorted select_scatter sgn signbit sinc slice_scatter slogdet "
    "soft_shrink trace unfold unique_consecutive unique_with_pad unsorted_segment_max "
    "unsorted_segment_min unsorted_segment_prod vsplit xdivy"
)
IN_PLACE = (
    "addmm clamp erfinv fill_diagonal floor index_fill log masked_fill masked_scatter "
    "scatter scatter_add sigmoid sign tanh"
)


def in_place(function: Any) -> Callable[..., Tensor]:
    """Return the in-place form of a function: the result, in the dtype of its first argument."""

    @functools.wraps(function)
    def write(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        self._write_elements(function(self, *args, **kwargs).astype(self.dtype)._peek())
        return self

    summary = (function.__doc__ or "").partition("\n")[0]
    write.__doc__ = f"In place: {summary}"
    return write


def more_methods(exports: Mapping[str, Any]) -> dict[str, Any]:
    """Return the methods by name.

    Args:
        exports: The names of ``msgrad.ops``.
    """
    found = {name: exports[name] for name in FUNCTIONS.split()}
    for name in IN_PLACE.split():
        # The method first: `ops.scatter_add` is another operator than `Tensor.scatter_add`.
        source = getattr(Tensor, name, None) or exports[name]
        found[f"{name}_"] = in_place(source)
    return found
