"""The names of ``msgrad.mint.functions``.

Written by ``python -m tests.record_stubs``.
"""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor as Tensor
from msgrad.ops import abs as abs
from msgrad.ops import acos as acos
from msgrad.ops import acosh as acosh
from msgrad.ops import addcdiv as addcdiv
from msgrad.ops import addcmul as addcmul
from msgrad.ops import arange as arange
from msgrad.ops import arccos as arccos
from msgrad.ops import arccosh as arccosh
from msgrad.ops import arcsin as arcsin
from msgrad.ops import arcsinh as arcsinh
from msgrad.ops import arctan as arctan
from msgrad.ops import arctan2 as arctan2
from msgrad.ops import arctanh as arctanh
from msgrad.ops import argmax as argmax
from msgrad.ops import asin as asin
from msgrad.ops import asinh as asinh
from msgrad.ops import atan as atan
from msgrad.ops import atan2 as atan2
from msgrad.ops import atanh as atanh
from msgrad.ops import bitwise_and as bitwise_and
from msgrad.ops import bitwise_or as bitwise_or
from msgrad.ops import bitwise_xor as bitwise_xor
from msgrad.ops import broadcast_to as broadcast_to
from msgrad.ops import ceil as ceil
from msgrad.ops import clamp as clamp
from msgrad.ops import clip as clip
from msgrad.ops import cos as cos
from msgrad.ops import cosh as cosh
from msgrad.ops import cross as cross
from msgrad.ops import cumprod as cumprod
from msgrad.ops import div as div
from msgrad.ops import divide as divide
from msgrad.ops import dstack as dstack
from msgrad.ops import einsum as einsum
from msgrad.ops import eq as eq
from msgrad.ops import erf as erf
from msgrad.ops import erfc as erfc
from msgrad.ops import erfinv as erfinv
from msgrad.ops import exp as exp
from msgrad.ops import exp2 as exp2
from msgrad.ops import expm1 as expm1
from msgrad.ops import eye as eye
from msgrad.ops import flip as flip
from msgrad.ops import float_power as float_power
from msgrad.ops import floor as floor
from msgrad.ops import floor_divide as floor_divide
from msgrad.ops import fmod as fmod
from msgrad.ops import frac as frac
from msgrad.ops import full_like as full_like
from msgrad.ops import gcd as gcd
from msgrad.ops import ge as ge
from msgrad.ops import greater as greater
from msgrad.ops import greater_equal as greater_equal
from msgrad.ops import gt as gt
from msgrad.ops import histc as histc
from msgrad.ops import hstack as hstack
from msgrad.ops import imag as imag
from msgrad.ops import inverse as inverse
from msgrad.ops import isclose as isclose
from msgrad.ops import isfinite as isfinite
from msgrad.ops import isinf as isinf
from msgrad.ops import isneginf as isneginf
from msgrad.ops import le as le
from msgrad.ops import lerp as lerp
from msgrad.ops import less as less
from msgrad.ops import less_equal as less_equal
from msgrad.ops import log as log
from msgrad.ops import log1p as log1p
from msgrad.ops import log2 as log2
from msgrad.ops import log10 as log10
from msgrad.ops import logaddexp as logaddexp
from msgrad.ops import logaddexp2 as logaddexp2
from msgrad.ops import logical_and as logical_and
from msgrad.ops import logical_not as logical_not
from msgrad.ops import logical_or as logical_or
from msgrad.ops import logical_xor as logical_xor
from msgrad.ops import logsumexp as logsumexp
from msgrad.ops import lt as lt
from msgrad.ops import masked_select as masked_select
from msgrad.ops import matmul as matmul
from msgrad.ops import maximum as maximum
from msgrad.ops import minimum as minimum
from msgrad.ops import mul as mul
from msgrad.ops import nan_to_num as nan_to_num
from msgrad.ops import ne as ne
from msgrad.ops import neg as neg
from msgrad.ops import negative as negative
from msgrad.ops import nonzero as nonzero
from msgrad.ops import not_equal as not_equal
from msgrad.ops import ones_like as ones_like
from msgrad.ops import outer as outer
from msgrad.ops import polar as polar
from msgrad.ops import pow as pow
from msgrad.ops import ravel as ravel
from msgrad.ops import real as real
from msgrad.ops import reciprocal as reciprocal
from msgrad.ops import remainder as remainder
from msgrad.ops import roll as roll
from msgrad.ops import round as round
from msgrad.ops import rsqrt as rsqrt
from msgrad.ops import searchsorted as searchsorted
from msgrad.ops import sigmoid as sigmoid
from msgrad.ops import sign as sign
from msgrad.ops import sin as sin
from msgrad.ops import sinc as sinc
from msgrad.ops import sinh as sinh
from msgrad.ops import sqrt as sqrt
from msgrad.ops import square as square
from msgrad.ops import sum as sum
from msgrad.ops import swapaxes as swapaxes
from msgrad.ops import take as take
from msgrad.ops import tan as tan
from msgrad.ops import tanh as tanh
from msgrad.ops import tile as tile
from msgrad.ops import trace as trace
from msgrad.ops import tril as tril
from msgrad.ops import triu as triu
from msgrad.ops import trunc as trunc
from msgrad.ops import unbind as unbind
from msgrad.ops import unique_consecutive as unique_consecutive
from msgrad.ops import unsqueeze as unsqueeze
from msgrad.ops import xlogy as xlogy
from msgrad.ops import zeros_like as zeros_like

_Operand = Tensor | bool | int | float | complex | np.number[Any] | np.bool_
_Sizes = int | tuple[int, ...] | list[int]
_Window = int | tuple[int, ...]
# What stands beside a symbol.
_Other = _Operand | jax.Array | list[Any] | tuple[Any, ...]

__all__: list[str]

def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Compute ``input + alpha * other``, element by element with broadcasting."""

def addbmm(
    input: _Operand, batch1: Tensor, batch2: Tensor, *, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * sum(batch1 @ batch2)`` over the batch; ``input`` may be a
    number.
    """

def addmm(
    input: _Operand, mat1: Tensor, mat2: Tensor, *, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * (mat1 @ mat2)`` of matrices; ``input`` may be a number."""

def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * (mat @ vec)`` of a matrix and a vector."""

def addr_(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Compute ``beta * input + alpha * outer(vec1, vec2)``, in place."""

def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether all elements over ``axis`` are true or not zero."""

def allclose(
    input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Whether all elements are close to each other; see ``isclose``."""

def amax(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""

def amin(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """Smallest element over ``axis``; see ``amax``."""

def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether some element over ``axis`` is true or not zero; of uint8, 0 or 1."""

def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the position of the first smallest element, int64."""

def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Return the places, int64, of the elements in sorted order along ``dim``."""

def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * (batch1 @ batch2)`` of batches of matrices."""

def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 0 or 1, with the elements as the probabilities of 1."""

def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count each number from 0 on, or sum its weights; the values of ``input`` must be
    known.
    """

def bitwise_not(input: Tensor) -> Tensor:
    """Flip the bits of integers; of bools, not."""

def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""

def cat(tensors: Any, dim: int = 0) -> Tensor:
    """Join Tensors along an existing dimension."""

def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: Any = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """Distances between the rows of (..., P, M) and (..., R, M), in the p-norm: (..., P, R)."""

def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut along ``dim`` into at most ``chunks`` equal pieces; what is empty, into so many."""

def clone(input: Any) -> Tensor:
    """Return an independent Tensor of the same values, through which gradients flow."""

def concat(tensors: Any, dim: int = 0) -> Tensor:
    """Join Tensors along an existing dimension."""

def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """Return how many elements over ``dim`` are not 0, int64."""

def cummax(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Running maximum along ``axis`` and its int64 positions."""

def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the running minimum along ``dim`` and its positions, int64."""

def cumsum(input: Tensor, dim: int, dtype: mstype.DType | None = None) -> Tensor:
    """Return the running sum along ``dim``; int64 of ints and bools unless ``dtype`` says."""

def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return a diagonal of a matrix, or the matrix with a vector as its diagonal."""

def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the differences, taken ``n`` times, between neighbours along ``dim``."""

def dot(input: Tensor, other: Tensor) -> Tensor:
    """Contract the last dimensions of both Tensors; a 0-d one multiplies, of any dtype."""

def empty(
    *size: Any, dtype: mstype.DType | None = None, device: Any = None, pin_memory: bool = False
) -> Tensor:
    """Return zeros, where MindSpore returns whatever the memory holds."""

def empty_like(
    input: Tensor, *, dtype: mstype.DType | None = None, device: Any = None, pin_memory: Any = False
) -> Tensor:
    """Return zeros of the shape and, by default, the dtype of ``input``."""

def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two Tensors have the same shape and elements."""

def fix(input: Tensor) -> Tensor:
    """Round towards 0; integers and bools stay as they are."""

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one, as a view."""

def full(
    size: tuple | list, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return a Tensor filled with one value, whose dtype is the default."""

def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return ``input[i][index[i][j]]...``: along ``dim`` the element that ``index`` names."""

def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """Add ``alpha * source`` to a copy, its slices along ``dim`` to those that ``index``
    names.
    """

def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return the slices of ``axis`` that the 1-D ``index`` names."""

def isnan(tensor: Tensor) -> Tensor:
    """Whether each element is nan."""

def item(input: Tensor) -> float | int | bool:
    """Return the one number of a Tensor."""

def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the ``k``-th smallest elements along ``dim`` and their places, int64."""

def linspace(start: Any, end: Any, steps: int, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return ``steps`` numbers from ``start`` to ``end``, both included; float32 by default."""

def max(input: Tensor | float, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """Return the maximum of all, along ``dim`` with the places, or of two."""

def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""

def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median of all elements, or those along ``dim`` with their places, int64."""

def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Return the coordinates of a grid, ``'ij'`` (rows first) unless told."""

def min(input: Tensor | float, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """Return the minimum of all, along ``dim`` with the places, or of two."""

def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Product of two matrices (N, K) and (K, M) of one dtype."""

def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: int | None = None
) -> Tensor:
    """Draw indices with probabilities proportional to the last dimension."""

def mv(input: Tensor, vec: Tensor) -> Tensor:
    """Product of a matrix (N, K) and a vector (K,)."""

def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``axis`` with nan taken as 0, then cast to ``dtype``; bools give int64."""

def narrow(input: Tensor, dim: int | bool, start: int, length: int) -> Tensor:
    """Return ``length`` elements of ``axis`` from ``start`` on, as a view."""

def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the norm over ``dim``, the root of the sum of squares unless ``p`` says."""

def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, generator: Any = None) -> Tensor:
    """Return normal numbers, float32, in the shape of ``mean`` and ``std``, or in ``size``."""

def npu_gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Compute ``x * Phi(x)`` with the normal distribution function, or its tanh
    approximation.
    """

def ones(size: Any, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of ones."""

def permute(input: Tensor, dims: _Sizes) -> Tensor:
    """Permute the dimensions; as ``transpose``."""

def prod(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Product over ``axis``; bools, signed integers and uint8 give int64."""

def rand(
    *size: Any, generator: int | None = None, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return numbers uniform on [0, 1); see ``randn`` for the arguments."""

def rand_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Return numbers uniform on [0, 1) of the shape and dtype of ``input``."""

def randint(
    *args: Any, generator: Any = None, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return integers uniform on [low, high), int64 by default: ``randint(low=0, high,
    size)``.
    """

def randint_like(
    input: Tensor, *bounds: int, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return integers uniform on [low, high) as many as ``input`` has: ``(input, low=0,
    high)``.
    """

def randn(
    *size: Any, generator: int | None = None, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return standard normal numbers."""

def randn_like(input: Tensor, *, dtype: mstype.DType | None = None, device: Any = None) -> Tensor:
    """Return standard normal numbers of the shape and, unless told, the dtype of ``input``."""

def randperm(n: int, *, generator: int | None = None, dtype: mstype.DType = ...) -> Tensor:
    """Return the numbers 0 to ``n - 1`` in random order, int64 by default."""

def repeat_interleave(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: Any = None
) -> Tensor:
    """Repeat elements along ``axis``, or of the flattened Tensor where it is None."""

def reshape(input: Tensor, shape: _Sizes) -> Tensor:
    """Return the elements in row-major order in another shape."""

def scatter(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """Write ``src`` into a copy at the positions along ``axis`` that ``index`` names."""

def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add ``src`` to a copy at the positions along ``dim`` that ``index`` names."""

def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Return one slice of a dimension, without it, as a view."""

def softmax(input: Tensor, dim: int | None, *, dtype: mstype.DType | None = None) -> Tensor:
    """Compute exponentials that sum to 1 along ``dim``: 0 or 1 by the rank, if None."""

def sort(
    input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the elements sorted along ``dim``, equal ones in their order, and their places."""

def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int] | None, dim: int = 0
) -> tuple[Tensor, ...]:
    """Cut a Tensor along ``axis`` into pieces of a size (the last may be shorter) or of
    sizes.
    """

def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Drop dimensions of size 1: all, or those in ``axis`` (an axis of another size is
    kept).
    """

def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join Tensors of one shape and dtype along a new dimension."""

def std(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    correction: int | bool = 1,
    keepdim: bool = False,
) -> Tensor:
    """Square root of the variance; see ``var``."""

def std_mean(
    input: Any, dim: Any = None, *, correction: int | bool = 1, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean; see ``var``."""

def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Compute ``input - alpha * other``, element by element with broadcasting."""

def t(input: Tensor) -> Tensor:
    """Return the Tensor with its first two dimensions exchanged; of fewer, as it is."""

def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest or smallest elements along ``dim``, and their places, int64."""

def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two dimensions, as a view."""

def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """Solve ``A x = b`` for a triangular ``A``; returns ``x`` and a copy of ``A``."""

def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the distinct elements, sorted."""

def var(
    input: Tensor, dim: Any = None, *, correction: int | bool = 1, keepdim: bool = False
) -> Tensor:
    """Variance over ``axis``, divided by the count less ``ddof``, be that 0 or negative."""

def var_mean(
    input: Any, dim: Any = None, *, correction: int | bool = 1, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """Variance and mean; see ``var``."""

def vdot(input: Tensor, other: Tensor) -> Tensor:
    """Compute the product of two vectors, the first one conjugated."""

def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Return ``input`` where a condition holds and ``other`` elsewhere; alone, the places."""

def zeros(size: Any, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of zeros; see ``ones``."""
