"""The symbols and methods of Tensor that operators are.

Written by ``python -m tests.record_stubs``.
"""

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from msgrad.autograd.hooks import HookHandle
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor as Tensor
from msgrad.ops.sparse_tensor import COOTensor, CSRTensor
from msgrad.ops.tensor_state import UntypedStorage

_Number = bool | int | float | complex | np.number[Any] | np.bool_
# What stands beside a symbol.
_Other = Tensor | _Number | jax.Array | list[Any] | tuple[Any, ...]

class Installed:
    """See ``Tensor``."""
    def __hash__(self) -> builtins.int: ...
    @property
    def H(self) -> Tensor: ...
    @property
    def T(self) -> Tensor:
        """Permute the dimensions: all reversed, two exchanged, or in the order given."""
    def __abs__(self) -> Tensor: ...
    def __add__(self, other: _Other) -> Tensor: ...
    def __and__(self, other: _Other) -> Tensor: ...
    def __eq__(self, other: Any) -> Tensor: ...
    def __floordiv__(self, other: _Other) -> Tensor: ...
    def __ge__(self, other: _Other) -> Tensor: ...
    def __getitem__(self, index: Any) -> Tensor:
        """Return the elements that ``index`` selects."""
    def __gt__(self, other: _Other) -> Tensor: ...
    def __iadd__(self, other: _Other) -> Tensor: ...
    def __iand__(self, other: _Other) -> Tensor: ...
    def __ifloordiv__(self, other: _Other) -> Tensor: ...
    def __imatmul__(self, other: _Other) -> Tensor: ...
    def __imod__(self, other: _Other) -> Tensor: ...
    def __imul__(self, other: _Other) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __ior__(self, other: _Other) -> Tensor: ...
    def __ipow__(self, other: _Other) -> Tensor: ...
    def __isub__(self, other: _Other) -> Tensor: ...
    def __itruediv__(self, other: _Other) -> Tensor: ...
    def __ixor__(self, other: _Other) -> Tensor: ...
    def __le__(self, other: _Other) -> Tensor: ...
    def __lt__(self, other: _Other) -> Tensor: ...
    def __matmul__(self, other: _Other) -> Tensor: ...
    def __mod__(self, other: _Other) -> Tensor: ...
    def __mul__(self, other: _Other) -> Tensor: ...
    def __ne__(self, other: Any) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __or__(self, other: _Other) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, other: _Other) -> Tensor: ...
    def __radd__(self, other: _Other) -> Tensor: ...
    def __rand__(self, other: _Other) -> Tensor: ...
    def __rfloordiv__(self, other: _Other) -> Tensor: ...
    def __rmatmul__(self, other: _Other) -> Tensor: ...
    def __rmod__(self, other: _Other) -> Tensor: ...
    def __rmul__(self, other: _Other) -> Tensor: ...
    def __ror__(self, other: _Other) -> Tensor: ...
    def __round__(self) -> Tensor: ...
    def __rpow__(self, other: _Other) -> Tensor: ...
    def __rsub__(self, other: _Other) -> Tensor: ...
    def __rtruediv__(self, other: _Other) -> Tensor: ...
    def __rxor__(self, other: _Other) -> Tensor: ...
    def __setitem__(self, index: Any, value: Any) -> None:
        """Replace the elements that ``index`` selects, in place."""
    def __sub__(self, other: _Other) -> Tensor: ...
    def __truediv__(self, other: _Other) -> Tensor: ...
    def __xor__(self, other: _Other) -> Tensor: ...
    def abs(self) -> Tensor:
        """Size of each element."""
    def absolute(self) -> Tensor:
        """Size of each element."""
    def acos(self) -> Tensor:
        """Inverse cosine of each element, in radians."""
    def acosh(self) -> Tensor:
        """Inverse hyperbolic cosine of each element."""
    def add(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Compute ``input + alpha * other``, element by element with broadcasting."""
    def add_(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Compute ``input + alpha * other``, element by element with broadcasting."""
    def addbmm(
        self,
        batch1: Tensor,
        batch2: Tensor,
        beta: Tensor | _Number = 1,
        alpha: Tensor | _Number = 1,
    ) -> Tensor:
        """``beta * input + alpha * sum(batch1 @ batch2)`` over the batch; ``input`` may be a
        number.
        """
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, value: Tensor | _Number = 1) -> Tensor:
        """``input + value * tensor1 / tensor2``, element by element."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, value: Tensor | _Number = 1) -> Tensor:
        """``input + value * tensor1 * tensor2``, element by element."""
    def addmm(
        self, mat1: Tensor, mat2: Tensor, beta: Tensor | _Number = 1, alpha: Tensor | _Number = 1
    ) -> Tensor:
        """``beta * input + alpha * (mat1 @ mat2)`` of matrices; ``input`` may be a number."""
    def addmm_(
        self, mat1: Tensor, mat2: Tensor, beta: Tensor | _Number = 1, alpha: Tensor | _Number = 1
    ) -> Tensor:
        """In place: ``beta * input + alpha * (mat1 @ mat2)`` of matrices; ``input`` may be a
        number.
        """
    def addmv(
        self, mat: Tensor, vec: Tensor, beta: Tensor | _Number = 1, alpha: Tensor | _Number = 1
    ) -> Tensor:
        """``beta * input + alpha * (mat @ vec)`` of a matrix and a vector."""
    def addr(
        self, vec1: Tensor, vec2: Tensor, beta: Tensor | _Number = 1, alpha: Tensor | _Number = 1
    ) -> Tensor:
        """Compute ``beta * x + alpha * outer(vec1, vec2)``."""
    def adjoint(self) -> Tensor:
        """Exchange the last two dimensions and take the complex conjugate."""
    def all(
        self,
        axis: Any = None,
        keep_dims: builtins.bool = False,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Whether all elements over ``axis`` are true or not zero."""
    def allclose(
        self,
        other: Any,
        rtol: builtins.float = 1e-05,
        atol: builtins.float = 1e-08,
        equal_nan: builtins.bool = False,
    ) -> builtins.bool:
        """Whether all elements are close to each other; see ``isclose``."""
    def amax(
        self,
        axis: Any = None,
        keepdims: builtins.bool = False,
        *,
        initial: Any = None,
        where: Tensor | None = None,
    ) -> Tensor:
        """Largest element over ``axis``; a gradient is split evenly between equal ones."""
    def amin(
        self,
        axis: Any = None,
        keepdims: builtins.bool = False,
        *,
        initial: Any = None,
        where: Tensor | None = None,
    ) -> Tensor:
        """Smallest element over ``axis``; see ``amax``."""
    def aminmax(self, *, axis: Any = 0, keepdims: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Smallest and largest elements along ``axis``, not counting nan; without one, of all."""
    def angle(self) -> Tensor:
        """Compute the angle of complex numbers, in radians."""
    def any(
        self,
        axis: Any = None,
        keep_dims: builtins.bool = False,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Whether some element over ``axis`` is true or not zero; of uint8, 0 or 1."""
    def approximate_equal(
        self, other: Tensor | _Number, tolerance: builtins.float = 1e-05
    ) -> Tensor:
        """Whether elements differ by less than a tolerance."""
    def arccos(self) -> Tensor:
        """Inverse cosine of each element, in radians."""
    def arccosh(self) -> Tensor:
        """Inverse hyperbolic cosine of each element."""
    def arcsin(self) -> Tensor:
        """Inverse sine of each element, in radians."""
    def arcsinh(self) -> Tensor:
        """Inverse hyperbolic sine of each element."""
    def arctan(self) -> Tensor:
        """Inverse tangent of each element, in radians."""
    def arctan2(self, other: Tensor | _Number) -> Tensor:
        """Angle of the point (other, input), in radians."""
    def arctanh(self) -> Tensor:
        """Inverse hyperbolic tangent of each element."""
    def argmax(
        self,
        dim: Any = ...,
        keepdim: builtins.bool = False,
        *,
        axis: Any = ...,
        keepdims: builtins.bool = ...,
    ) -> Tensor:
        """Position of the first largest element, int64: of all without ``dim``."""
    def argmax_with_value(self, axis: Any = 0, keep_dims: builtins.bool = False) -> Any:
        """Largest elements along ``axis`` and where they are."""
    def argmin(
        self,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
        *,
        dim: builtins.int | None = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Position of the first smallest element, in int32 (int64 of a 0-d Tensor)."""
    def argmin_with_value(self, axis: Any = 0, keep_dims: builtins.bool = False) -> Any:
        """Smallest elements along ``axis`` and where they are; see ``max``."""
    def argsort(
        self,
        axis: builtins.int = -1,
        descending: builtins.bool = False,
        *,
        stable: Any = False,
        dim: builtins.int = ...,
    ) -> Tensor:
        """Return the positions, int32, of the elements in sorted order along ``axis``."""
    def argwhere(self) -> Tensor:
        """Return the positions of the elements that are not zero: int64 Tensor (n, ndim)."""
    def asin(self) -> Tensor:
        """Inverse sine of each element, in radians."""
    def asinh(self) -> Tensor:
        """Inverse hyperbolic sine of each element."""
    def assign_value_cpp(self, value: Any) -> Tensor:
        """Take over the values of another Tensor, in place; a view then has its own elements."""
    def astype(self, dtype: Any, copy: builtins.bool = True) -> Tensor:
        """Convert to another dtype."""
    def atan(self) -> Tensor:
        """Inverse tangent of each element, in radians."""
    def atan2(self, other: Tensor | _Number) -> Tensor:
        """Angle of the point (other, input), in radians."""
    def atanh(self) -> Tensor:
        """Inverse hyperbolic tangent of each element."""
    def baddbmm(
        self,
        batch1: Tensor,
        batch2: Tensor,
        beta: Tensor | _Number = 1,
        alpha: Tensor | _Number = 1,
    ) -> Tensor:
        """``beta * input + alpha * (batch1 @ batch2)`` of batches of matrices."""
    def bernoulli(self, *, generator: Any = None) -> Tensor:
        """Draw 0 or 1, with the elements as the probabilities of 1."""
    def bernoulli_(self, p: Any = 0.5, *, generator: Any = None) -> Tensor:
        """Fill with ones, each with probability ``p``, a number or Tensor, and zeros, in place."""
    def bfloat16(self) -> Tensor:
        """Convert to BFloat16."""
    def bincount(self, weights: Tensor | None = None, minlength: builtins.int = 0) -> Tensor:
        """Count how often each number occurs, or sum the weights where it does."""
    def bitwise_and(self, other: Tensor | _Number) -> Tensor:
        """And of the bits of two integers or bools."""
    def bitwise_left_shift(self, other: Tensor | _Number) -> Tensor:
        """Shift the bits of integers to the left."""
    def bitwise_not(self) -> Tensor:
        """Flip the bits of integers; of bools, not."""
    def bitwise_or(self, other: Tensor | _Number) -> Tensor:
        """Or of the bits of two integers or bools."""
    def bitwise_right_shift(self, other: Tensor | _Number) -> Tensor:
        """Shift the bits of integers to the right, keeping the sign."""
    def bitwise_xor(self, other: Tensor | _Number) -> Tensor:
        """Exclusive or of the bits of two integers or bools."""
    def bmm(
        self, mat2: Tensor, transpose_a: builtins.bool = False, transpose_b: builtins.bool = False
    ) -> Tensor:
        """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""
    def bool(self) -> Tensor:
        """Convert to Bool."""
    def broadcast_to(self, *shape: Any, **named: Any) -> Tensor:
        """Broadcast to a shape: ``broadcast_to(2, 3)`` or ``broadcast_to((2, 3))``."""
    def byte(self) -> Tensor:
        """Convert to UInt8."""
    def cauchy(self, median: builtins.float = 0.0, sigma: builtins.float = 1.0) -> Tensor:
        """Return numbers of the Cauchy distribution in the shape and dtype of the Tensor."""
    def ceil(self) -> Tensor:
        """Round up to an integer."""
    def cholesky(self, upper: builtins.bool = False) -> Tensor:
        """Factor positive definite matrices (..., N, N) into ``L @ L^H``; ``upper`` gives L^H."""
    def cholesky_inverse(self, upper: builtins.bool = False) -> Tensor:
        """Invert matrices whose Cholesky factor, the ``upper`` or the lower one, is given."""
    def cholesky_solve(self, input2: Tensor, upper: builtins.bool = False) -> Tensor:
        """Solve ``A @ x = input`` where ``input2`` is the Cholesky factor of A."""
    def choose(self, choices: Any, mode: str = "clip") -> Tensor:
        """Take each element from the choice that the Tensor has the number of."""
    def chunk(
        self, chunks: builtins.int, dim: builtins.int = 0, *, axis: builtins.int = ...
    ) -> tuple[Tensor, ...]:
        """Cut a Tensor along ``axis`` into at most ``chunks`` equal pieces, the last smaller."""
    def clamp(self, min: Any = None, max: Any = None) -> Tensor:
        """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""
    def clamp_(self, min: Any = None, max: Any = None) -> Tensor:
        """In place: Clip to [min, max], the upper bound last; the gradient at a bound is 1."""
    def clip(self, min: Any = None, max: Any = None) -> Tensor:
        """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""
    def clone(self) -> Tensor:
        """Return an independent Tensor of the same values, through which gradients flow."""
    def col2im(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any,
        padding_value: Any = 0,
        stride: Any = 1,
        padding: Any = 0,
    ) -> Tensor:
        """Add up columns where they lie in images; see ``fold``."""
    def conj(self) -> Tensor:
        """Complex conjugate of each element."""
    def contiguous(self) -> Tensor:
        """Return the Tensor itself, or a copy where it shows a part of another or its elements
        stand in another order.
        """
    def convert_bytes_to_tensor(
        self, shape: tuple[builtins.int, ...], dtype: mstype.DType
    ) -> Tensor:
        """Return the Tensor whose bytes ``get_bytes`` gave."""
    def copy_(self, src: Tensor, non_blocking: builtins.bool = False) -> Tensor:
        """Copy the elements of ``src`` into the Tensor, in place, with broadcasting."""
    def copysign(self, other: Tensor | _Number = ..., *, y: Tensor | _Number = ...) -> Tensor:
        """The size of ``input`` with the sign of ``other``; float32 but for float16 and 64."""
    def cos(self) -> Tensor:
        """Cosine of each element, in radians."""
    def cosh(self) -> Tensor:
        """Hyperbolic cosine of each element."""
    def count_nonzero(
        self,
        axis: Any = (),
        keep_dims: builtins.bool = False,
        dtype: Any = ...,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """How many elements over ``axis`` are not zero, in ``dtype``."""
    def cov(
        self,
        *,
        correction: builtins.int = 1,
        fweights: Tensor | None = None,
        aweights: Tensor | None = None,
    ) -> Tensor:
        """Return the covariance of variables, each a row of observations."""
    def cross(self, other: Tensor, dim: builtins.int | None = None) -> Tensor:
        """Cross product of vectors of size 3 along ``dim`` (the first of that size by default)."""
    def cummax(self, axis: builtins.int) -> tuple[Tensor, Tensor]:
        """Running maximum along ``axis`` and its int64 positions."""
    def cummin(self, axis: builtins.int) -> tuple[Tensor, Tensor]:
        """Running minimum along ``axis`` and its int32 positions."""
    def cumprod(self, dim: builtins.int, dtype: Any = None) -> Tensor:
        """Running product along ``dim``; integers and bools give int64."""
    def cumsum(
        self, axis: builtins.int | None = None, dtype: Any = None, *, dim: builtins.int | None = ...
    ) -> Tensor:
        """Running sum along ``axis``, or of all elements; what is narrower than int32 becomes
        it.
        """
    def data_ptr(self) -> builtins.int:
        """Return the address of the first element, for as long as the Tensor is not written."""
    def data_sync(self, value: Any = None) -> None:
        """Accepted for compatibility: of MindSpore's own storage."""
    def deg2rad(self) -> Tensor:
        """Degrees to radians."""
    @property
    def delta_seed(self) -> Any:
        """0: of MindSpore's own storage."""
    def det(self) -> Tensor:
        """Determinant of square matrices (..., N, N)."""
    def diag(self) -> Tensor:
        """Return the Tensor of twice the rank whose diagonal is ``input``, and zeros elsewhere."""
    def diagflat(self, offset: builtins.int = 0) -> Tensor:
        """Return the matrix with the elements along a diagonal, and zeros elsewhere."""
    def diagonal(
        self, offset: builtins.int = 0, axis1: builtins.int = 0, axis2: builtins.int = 1
    ) -> Tensor:
        """Return a diagonal of two dimensions, as a view whose last dimension it is."""
    def diagonal_scatter(
        self, src: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1
    ) -> Tensor:
        """Replace a diagonal of two dimensions by ``src``, in a copy of the dtype they meet in."""
    def diff(
        self,
        n: builtins.int = 1,
        axis: builtins.int = -1,
        prepend: Tensor | None = None,
        append: Tensor | None = None,
    ) -> Tensor:
        """Return the differences between neighbours along ``axis``."""
    def digamma(self) -> Tensor:
        """Derivative of ``lgamma`` of each element."""
    def dim(self) -> builtins.int:
        """Return the number of dimensions."""
    def div(self, other: Any, *, rounding_mode: str | None = None) -> Tensor:
        """Divide element by element with broadcasting."""
    def div_(self, other: Any, *, rounding_mode: str | None = None) -> Tensor:
        """Divide element by element with broadcasting."""
    def divide(self, other: Any, *, rounding_mode: str | None = None) -> Tensor:
        """Divide element by element with broadcasting."""
    def dot(self, other: Tensor) -> Tensor:
        """Contract the last dimension of ``input`` with the last but one of ``other``."""
    def double(self) -> Tensor:
        """Convert to Float64."""
    def dsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """Split a Tensor along dimension 2."""
    def eigvals(self) -> Tensor:
        """Return the eigenvalues, complex, of matrices (..., N, N)."""
    def eq(self, other: Tensor | _Number) -> Tensor:
        """Whether elements are equal."""
    def equal(self, other: Tensor | _Number) -> Tensor:
        """Whether elements are equal."""
    def erf(self) -> Tensor:
        """Error function of each element."""
    def erfc(self) -> Tensor:
        """``1 - erf(x)``, exact for large x."""
    def erfinv(self) -> Tensor:
        """Inverse of the error function."""
    def erfinv_(self) -> Tensor:
        """In place: Inverse of the error function."""
    def exp(self) -> Tensor:
        """e to the power of each element."""
    def exp_(self) -> Tensor:
        """e to the power of each element."""
    def expand(self, *size: Any) -> Tensor:
        """Broadcast to a shape: ``expand(2, 3)`` or ``expand((2, 3))``."""
    def expand_as(self, other: Tensor = ..., *, x: Tensor = ...) -> Tensor:
        """Broadcast ``input`` to the shape of ``other``."""
    def expand_dims(self, axis: builtins.int) -> Tensor:
        """Insert a dimension of size 1 at ``axis``, as a view."""
    def expm1(self) -> Tensor:
        """``exp(x) - 1``, exact near 0."""
    def exponential_(self, lambd: builtins.float = 1, *, generator: Any = None) -> Tensor:
        """Fill with exponentially distributed numbers, in place."""
    def fill(self, value: Tensor | builtins.float | builtins.bool) -> Tensor:
        """Return ``fill_value`` in the shape and, by default, the dtype of ``input``."""
    def fill_(self, value: Any) -> Tensor:
        """Fill with a value, in place."""
    def fill_diagonal(self, fill_value: builtins.float, wrap: builtins.bool = False) -> Tensor:
        """Fill the main diagonal, in a copy."""
    def fill_diagonal_(self, fill_value: builtins.float, wrap: builtins.bool = False) -> Tensor:
        """In place: Fill the main diagonal, in a copy."""
    def fills(self, value: Tensor | _Number) -> Tensor:
        """Return a Tensor like ``x`` filled with a number."""
    def flatten(
        self, order: Any = "C", start_dim: builtins.int = 0, end_dim: builtins.int = -1
    ) -> Tensor:
        """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one, as a view."""
    def flip(self, dims: builtins.int | tuple[builtins.int, ...] | list[builtins.int]) -> Tensor:
        """Reverse the order of the elements along the given dimensions (a tuple or list of
        ints).
        """
    def fliplr(self) -> Tensor:
        """Reverse the second dimension."""
    def flipud(self) -> Tensor:
        """Reverse the first dimension."""
    def float(self) -> Tensor:
        """Convert to Float32."""
    def float_power(
        self, exponent: Tensor | _Number = ..., *, other: Tensor | _Number = ...
    ) -> Tensor:
        """Raise to a power element by element, in float64 (complex128 of complex operands)."""
    def float_power_ext(
        self, exponent: Tensor | _Number = ..., *, other: Tensor | _Number = ...
    ) -> Tensor:
        """Raise to a power element by element, in float64 (complex128 of complex operands)."""
    def floor(self) -> Tensor:
        """Round down to an integer."""
    def floor_(self) -> Tensor:
        """In place: Round down to an integer."""
    def floor_divide(self, other: Tensor | _Number = ..., *, y: Tensor | _Number = ...) -> Tensor:
        """Divide and round towards minus infinity; an integer over zero gives its type's limit."""
    def floor_divide_(self, other: Tensor | _Number = ..., *, y: Tensor | _Number = ...) -> Tensor:
        """Divide and round towards minus infinity; an integer over zero gives its type's limit."""
    def flush_from_cache(self) -> Any:
        """Return None: of MindSpore's own storage."""
    def fmax(self, other: Tensor | _Number) -> Tensor:
        """The larger of two elements; of a number and nan, the number."""
    def fmin(self, other: Tensor | _Number) -> Tensor:
        """The smaller of two elements; of a number and nan, the number."""
    def fmod(self, other: Tensor | _Number = ..., *, y: Tensor | _Number = ...) -> Tensor:
        """Compute ``input - trunc(input / other) * other``, each step rounded: 6 by 0.1 leaves
        0.
        """
    def fold(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> Tensor:
        """Add up columns where they lie in images: the transpose of ``unfold``."""
    def frac(self) -> Tensor:
        """What ``trunc`` leaves of each element."""
    def from_dlpack(self) -> Tensor:
        """Make a Tensor of a capsule, or of what has ``__dlpack__``; the values are copied."""
    def gather(self, *args: Any, **named: Any) -> Tensor:
        """Return the elements, or slices, at the positions that an index names."""
    def gather_elements(self, dim: builtins.int, index: Tensor) -> Tensor:
        """Return ``input[i][index[i][j]]...``: along ``dim`` the element that ``index`` names."""
    def gather_nd(self, indices: Tensor) -> Tensor:
        """Return the slices whose leading positions are the rows of ``indices``."""
    def gcd(self, other: Tensor | _Number) -> Tensor:
        """Greatest common divisor of integers, element by element."""
    def ge(self, other: Tensor | _Number) -> Tensor:
        """Whether ``input`` is not less than ``other``."""
    def geqrf(self) -> tuple[Tensor, Tensor]:
        """Factor matrices into R and Householder vectors below its diagonal, and their factors."""
    def ger(self, vec2: Tensor) -> Tensor:
        """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
        M).
        """
    def get_bytes(self) -> bytes:
        """Return the values as bytes."""
    def greater(self, other: Tensor | _Number) -> Tensor:
        """Whether ``input`` is greater than ``other``."""
    def greater_equal(self, other: Tensor | _Number) -> Tensor:
        """Whether ``input`` is not less than ``other``."""
    def gt(self, other: Tensor | _Number) -> Tensor:
        """Whether ``input`` is greater than ``other``."""
    def half(self) -> Tensor:
        """Convert to Float16."""
    def hardshrink(self, lambd: builtins.float = 0.5) -> Tensor:
        """Make 0 of the elements within ``[-lambd, lambd]``."""
    def heaviside(self, values: Tensor) -> Tensor:
        """Return 0 for negative elements, 1 for positive ones, and ``values`` where they are 0."""
    def histc(
        self, bins: builtins.int = 100, min: builtins.float = 0.0, max: builtins.float = 0.0
    ) -> Tensor:
        """Count the elements in ``bins`` intervals of one width: float32, or int32 of integers."""
    def hooks(self) -> list[Callable[[Tensor], Any]]:
        """Return the hooks that are registered on this Tensor, in their order."""
    def hsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """Split a Tensor along dimension 1."""
    def hypot(self, other: Tensor | _Number) -> Tensor:
        """Square root of the sum of two squares."""
    def i0(self) -> Tensor:
        """Compute the Bessel function i0 of each element."""
    def igamma(self, other: Tensor) -> Tensor:
        """Compute the lower regularized incomplete gamma."""
    def igammac(self, other: Tensor) -> Tensor:
        """Compute the upper regularized incomplete gamma."""
    def imag(self) -> Tensor:
        """Imaginary part of each element; of a real Tensor, zeros."""
    def index(self, indices: Any) -> Tensor:
        """Take elements by a tuple of index Tensors, as ``x[indices]``."""
    def index_add(self, *args: Any, alpha: Any = 1, **named: Any) -> Tensor:
        """Add slices, in a copy, at the positions along a dimension; see ``index_add``."""
    def index_add_(self, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Tensor:
        """Add ``alpha * source`` at the positions along a dimension, in place."""
    def index_copy_(self, dim: builtins.int, index: Tensor, tensor: Tensor) -> Tensor:
        """Replace slices along a dimension, in place."""
    def index_fill(self, axis: builtins.int, index: Tensor, value: Tensor | _Number) -> Tensor:
        """Fill the slices of ``axis`` that ``index`` names with a number, in a copy."""
    def index_fill_(self, axis: builtins.int, index: Tensor, value: Tensor | _Number) -> Tensor:
        """In place: Fill the slices of ``axis`` that ``index`` names with a number, in a copy."""
    @property
    def index_of_parent_(self) -> Any:
        """None: of MindSpore's own storage."""
    def index_put(self, indices: Any, values: Any, accumulate: builtins.bool = False) -> Tensor:
        """Return the Tensor with elements replaced, or added to, at a tuple of index Tensors."""
    def index_put_(self, indices: Any, values: Any, accumulate: builtins.bool = False) -> Tensor:
        """Replace elements, or add to them, at a tuple of index Tensors, in place."""
    def index_select(
        self, dim: builtins.int = ..., index: Tensor = ..., *, axis: builtins.int = ...
    ) -> Tensor:
        """Return the slices of ``axis`` that the 1-D ``index`` names."""
    @property
    def init_finished(self) -> Any:
        """True: of MindSpore's own storage."""
    @property
    def init_flag(self) -> Any:
        """False: of MindSpore's own storage."""
    def inner(self, other: Tensor) -> Tensor:
        """Contract the last dimensions of both Tensors; a 0-d one multiplies, of any dtype."""
    def inplace_update(self, v: Tensor, indices: Any) -> Tensor:
        """Replace rows of a copy of ``x``, which stays as it is, as in 2.10."""
    def int(self) -> Tensor:
        """Convert to Int32."""
    def inv(self) -> Tensor:
        """One over each element."""
    def inverse(self) -> Tensor:
        """Inverse of square matrices (..., N, N)."""
    def invert(self) -> Tensor:
        """Flip the bits of integers; of bools, not."""
    def is_complex(self) -> builtins.bool:
        """Whether the dtype is complex."""
    def is_contiguous(self) -> builtins.bool:
        """Whether the elements lie next to each other in memory, in row-major order."""
    def is_floating_point(self) -> builtins.bool:
        """Whether the dtype is floating."""
    def is_init(self) -> Any:
        """Return False: of MindSpore's own storage."""
    @property
    def is_meta(self) -> Any:
        """False: of MindSpore's own storage."""
    def is_pinned(self) -> Any:
        """Return False: of MindSpore's own storage."""
    def is_shared(self) -> Any:
        """Return False: of MindSpore's own storage."""
    def is_signed(self) -> builtins.bool:
        """Whether the dtype has negative numbers; of float16, MindSpore says no."""
    def isclose(
        self,
        other: Tensor,
        rtol: builtins.float = 1e-05,
        atol: builtins.float = 1e-08,
        equal_nan: builtins.bool = False,
    ) -> Tensor:
        """Whether ``|input - other| <= atol + rtol * |other|``, element by element."""
    def isfinite(self) -> Tensor:
        """Whether each element is neither nan nor infinite."""
    def isinf(self) -> Tensor:
        """Whether each element is infinite."""
    def isnan(self) -> Tensor:
        """Whether each element is nan."""
    def isnan_ext(self) -> Tensor:
        """Whether each element is nan."""
    def isneginf(self) -> Tensor:
        """Whether it is -infinity."""
    def isposinf(self) -> Tensor:
        """Whether it is +infinity."""
    def isreal(self) -> Tensor:
        """Whether elements have no imaginary part."""
    def itemset(self, *args: Any) -> Tensor:
        """Return the Tensor with one element replaced: ``(value)`` or ``(place, value)``."""
    def lcm(self, other: Tensor | _Number) -> Tensor:
        """Least common multiple of integers, element by element."""
    def ldexp(self, other: Tensor | _Number) -> Tensor:
        """Compute ``x * 2 ** other``, element by element; in float32 at least beside a Tensor."""
    def le(self, other: Tensor | _Number) -> Tensor:
        """Whether ``input`` is not greater than ``other``."""
    def lerp(self, end: Tensor, weight: Tensor | _Number) -> Tensor:
        """``input + weight * (end - input)``, element by element."""
    def less(self, other: Tensor | _Number) -> Tensor:
        """Whether ``input`` is less than ``other``."""
    def less_equal(self, other: Tensor | _Number) -> Tensor:
        """Whether ``input`` is not greater than ``other``."""
    def lgamma(self) -> Tensor:
        """Logarithm of the size of the gamma function; float32 of int32."""
    def log(self) -> Tensor:
        """Natural logarithm of each element."""
    def log10(self) -> Tensor:
        """Logarithm to the base 10 of each element."""
    def log1p(self) -> Tensor:
        """``log(1 + x)``, exact near 0."""
    def log2(self) -> Tensor:
        """Logarithm to the base 2 of each element."""
    def log_(self) -> Tensor:
        """In place: Natural logarithm of each element."""
    def log_matrix_determinant(self) -> tuple[Tensor, Tensor]:
        """Return the sign, and the logarithm of the size, of determinants of (..., N, N)."""
    def log_normal(self, mean: builtins.float = 1.0, std: builtins.float = 2.0) -> Tensor:
        """Return numbers, in the shape of a Tensor, whose logarithms are normal."""
    def logaddexp(self, other: Tensor | _Number) -> Tensor:
        """Logarithm of the sum of two exponentials."""
    def logaddexp2(self, other: Tensor | _Number) -> Tensor:
        """Base-2 logarithm of ``2**x + 2**y``."""
    def logcumsumexp(self, axis: builtins.int) -> Tensor:
        """Return the logarithm of the running sum of the exponentials along ``axis``."""
    def logdet(self) -> Tensor:
        """Return the logarithm of the determinants of (..., N, N); of negative real ones it is
        nan.
        """
    def logical_and(self, other: Tensor | _Number = ..., *, y: Tensor | _Number = ...) -> Tensor:
        """Whether both elements are not zero."""
    def logical_not(self) -> Tensor:
        """Whether each element is zero or False."""
    def logical_or(self, other: Tensor | _Number = ..., *, y: Tensor | _Number = ...) -> Tensor:
        """Whether one of the elements is not zero."""
    def logical_xor(self, other: Tensor | _Number = ..., *, y: Tensor | _Number = ...) -> Tensor:
        """Whether just one element is not zero."""
    def logit(self, eps: builtins.float | None = None) -> Tensor:
        """Compute ``log(x / (1 - x))``, of ``x`` moved into [eps, 1 - eps] where ``eps`` is
        given.
        """
    def logsumexp(
        self,
        dim: Any = ...,
        keepdim: builtins.bool = False,
        *,
        axis: Any = ...,
        keepdims: builtins.bool = ...,
    ) -> Tensor:
        """Logarithm of the sum of exponentials over ``dim``, safe from overflow."""
    def long(self) -> Tensor:
        """Convert to Int64."""
    def lstsq(self, A: Tensor) -> Tensor:
        """Solve ``input @ x = A`` with the least squares of what is left, for full rank."""
    def lt(self, other: Tensor | _Number) -> Tensor:
        """Whether ``input`` is less than ``other``."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """Solve ``A @ x = b`` from the LU factors of A."""
    @property
    def mH(self) -> Any:
        """The matrices transposed and conjugated."""
    @property
    def mT(self) -> Tensor: ...
    def masked_fill(self, mask: Tensor, value: Tensor | builtins.float | builtins.bool) -> Tensor:
        """Replace the elements where a mask is True; ``value`` takes the dtype, complex too."""
    def masked_fill_(self, mask: Tensor, value: Tensor | builtins.float | builtins.bool) -> Tensor:
        """In place: Replace the elements where a mask is True; ``value`` takes the dtype,
        complex too.
        """
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """Replace the elements where a mask is True by those of ``source``, in order."""
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """In place: Replace the elements where a mask is True by those of ``source``, in order."""
    def masked_select(self, mask: Tensor) -> Tensor:
        """Return the elements where a mask is True, in one dimension."""
    def matmul(self, other: Tensor) -> Tensor:
        """Matrix product of the last two dimensions, the ones before broadcast."""
    def matrix_determinant(self) -> Tensor:
        """Determinant of square matrices (..., N, N)."""
    def matrix_power(self, n: builtins.int) -> Tensor:
        """Multiply square matrices with themselves; a negative power inverts them."""
    def max(
        self,
        *place: Any,
        axis: Any = ...,
        keepdims: Any = ...,
        initial: Any = ...,
        where: Any = ...,
        return_indices: Any = ...,
        dim: Any = ...,
        keepdim: Any = ...,
    ) -> Any:
        """``max()``, ``max(dim, keepdim)`` with positions, or ``max(axis=...)`` without."""
    def maximum(self, other: Tensor | _Number) -> Tensor:
        """The larger of two Tensors element by element; at a tie the gradient is split evenly."""
    def mean(
        self,
        axis: Any = None,
        keep_dims: builtins.bool = False,
        *,
        dtype: Any = None,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Mean over ``axis``; integers stay integers, rounded towards zero."""
    def median(
        self,
        axis: builtins.int = -1,
        keepdims: builtins.bool = False,
        *,
        dim: builtins.int = ...,
        keepdim: builtins.bool = ...,
    ) -> tuple[Tensor, Tensor]:
        """The lower median along ``axis`` and its int64 position; a nan counts as the median."""
    def min(
        self,
        *place: Any,
        axis: Any = ...,
        keepdims: Any = ...,
        initial: Any = ...,
        where: Any = ...,
        return_indices: Any = ...,
        dim: Any = ...,
        keepdim: Any = ...,
    ) -> Any:
        """``max()``, ``max(dim, keepdim)`` with positions, or ``max(axis=...)`` without."""
    def minimum(self, other: Tensor | _Number) -> Tensor:
        """The smaller of two Tensors element by element; at a tie the gradient is split evenly."""
    def mm(
        self, mat2: Tensor, transpose_a: builtins.bool = False, transpose_b: builtins.bool = False
    ) -> Tensor:
        """Product of two matrices (N, K) and (K, M) of one dtype."""
    def move_to(self, to: Any, blocking: builtins.bool = True) -> Tensor:
        """Return the Tensor: where it is, JAX decides; see ``mindspore.DeviceCtx``."""
    def moveaxis(self, source: Any, destination: Any) -> Tensor:
        """Move dimensions to other positions; the rest keep their order."""
    def movedim(self, source: Any, destination: Any) -> Tensor:
        """Move dimensions to other positions; the rest keep their order."""
    def msort(self) -> Tensor:
        """Sort along the first dimension."""
    def mul(self, other: Tensor | _Number) -> Tensor:
        """Multiply element by element with broadcasting."""
    def mul_(self, other: Tensor | _Number) -> Tensor:
        """Multiply element by element with broadcasting."""
    def multinomial(
        self,
        num_samples: builtins.int,
        replacement: builtins.bool = True,
        seed: builtins.int | None = None,
    ) -> Tensor:
        """Draw indices with probabilities proportional to the last dimension."""
    def multiply(self, value: Tensor | _Number) -> Tensor:
        """Multiply element by element with broadcasting."""
    def mvlgamma(self, p: builtins.int) -> Tensor:
        """Compute the logarithm of the multivariate gamma function of dimension ``p``."""
    def nan_to_num(
        self,
        nan: builtins.float | None = None,
        posinf: builtins.float | None = None,
        neginf: builtins.float | None = None,
    ) -> Tensor:
        """Replace nan by ``nan`` (0) and infinities by ``posinf``, ``neginf`` (the largest
        numbers).
        """
    def nanmean(
        self, axis: Any = None, keepdims: builtins.bool = False, *, dtype: Any = None
    ) -> Tensor:
        """Mean over ``axis`` of the elements that are not nan."""
    def nanmedian(
        self, axis: builtins.int = -1, keepdims: builtins.bool = False
    ) -> tuple[Tensor, Tensor]:
        """Return the medians along ``axis`` of what is not nan, and their positions, int64."""
    def nanquantile(
        self, q: Any, axis: builtins.int | None = None, keepdims: builtins.bool = False
    ) -> Tensor:
        """Return the quantiles of what is not nan; see ``quantile``."""
    def nansum(
        self,
        axis: Any = None,
        keepdims: builtins.bool = False,
        *,
        dtype: Any = None,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Sum over ``axis`` with nan taken as 0; bools give int64."""
    def narrow(
        self,
        dim: builtins.int | builtins.bool = ...,
        start: builtins.int = ...,
        length: builtins.int = ...,
        *,
        axis: builtins.int | builtins.bool = ...,
    ) -> Tensor:
        """Return ``length`` elements of ``axis`` from ``start`` on, as a view."""
    def ndimension(self) -> builtins.int:
        """Return the number of dimensions."""
    def ne(self, other: Tensor | _Number) -> Tensor:
        """Whether elements differ."""
    def neg(self) -> Tensor:
        """Negative of each element."""
    def negative(self) -> Tensor:
        """Negative of each element."""
    def nelement(self) -> builtins.int:
        """Return the number of elements."""
    def new_empty(self, size: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
        """Return a Tensor of zeros, for values that are to be written; of the same dtype by
        default.
        """
    def new_full(
        self,
        size: Any,
        fill_value: Tensor | builtins.float | builtins.bool,
        *,
        dtype: mstype.DType | None = None,
    ) -> Tensor:
        """Return a Tensor filled with a value, of the same dtype unless another is given."""
    def new_ones(self, size: Any, dtype: mstype.DType | None = None) -> Tensor:
        """Return ones of a shape, of the same dtype unless another is given."""
    def new_zeros(self, size: Any, dtype: mstype.DType | None = None) -> Tensor:
        """Return zeros of a shape, of the same dtype unless another is given."""
    def nextafter(self, other: Tensor) -> Tensor:
        """Return the next number after ``input`` in the direction of ``other``, float32 or 64."""
    def nonzero(self, *, as_tuple: builtins.bool = False) -> Any:
        """Return the positions of the elements that are not zero."""
    def norm(
        self, ord: Any = None, dim: Any = None, keepdim: builtins.bool = False, *, dtype: Any = None
    ) -> Tensor:
        """Norm of vectors or matrices."""
    def normal_(self, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
        """Fill with normal random numbers, in place."""
    def not_equal(self, other: Tensor | _Number) -> Tensor:
        """Whether elements differ."""
    def numel(self) -> builtins.int:
        """Return the number of elements."""
    def offload_file_path(self) -> Any:
        """Return '': of MindSpore's own storage."""
    def orgqr(self, input2: Tensor) -> Tensor:
        """Multiply the Householder reflections that ``geqrf`` returns: the first columns of Q."""
    def ormqr(
        self,
        input2: Tensor,
        input3: Tensor,
        left: builtins.bool = True,
        transpose: builtins.bool = False,
    ) -> Tensor:
        """Multiply ``other`` by the whole Q of ``geqrf``'s vectors, or by its transpose."""
    def outer(self, vec2: Tensor) -> Tensor:
        """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
        M).
        """
    @property
    def param_info(self) -> Any:
        """None, or what a program that makes its own Parameters of Tensors has assigned."""
    @property
    def parent_tensor_(self) -> Any:
        """None: of MindSpore's own storage."""
    def permute(self, *axis: Any, **named: Any) -> Tensor:
        """Permute the dimensions, ``permute(1, 0)`` or ``permute((1, 0))``, or reverse them."""
    def positive(self) -> Tensor:
        """The Tensor itself, as a new one."""
    def pow(self, exponent: Any) -> Tensor:
        """Raise to a power element by element; an integer to a negative power gives 0."""
    def prod(
        self,
        axis: Any = None,
        keep_dims: builtins.bool = False,
        dtype: Any = None,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Product over ``axis``; bools, signed integers and uint8 give int64."""
    def ptp(self, axis: Any = None, keepdims: builtins.bool = False) -> Tensor:
        """Return how far the largest is from the smallest along an axis, or of all."""
    def put_(self, index: Tensor, source: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """Replace elements, or add to them, at places of the flat Tensor, in place."""
    def qr(self, some: builtins.bool = True) -> tuple[Tensor, Tensor]:
        """Factor matrices into an orthogonal and an upper triangular one; square without
        ``some``.
        """
    def quantile(
        self, q: Any, axis: builtins.int | None = None, keepdims: builtins.bool = False
    ) -> Tensor:
        """Return the quantiles of all elements, or along a dimension, between the nearest ones."""
    def rad2deg(self) -> Tensor:
        """Radians to degrees."""
    def random_(
        self, from_: builtins.int = 0, to: builtins.int | None = None, *, generator: Any = None
    ) -> Tensor:
        """Fill with random whole numbers from ``from_`` to below ``to``, in place."""
    def random_categorical(
        self, num_sample: builtins.int, seed: builtins.int = 0, dtype: mstype.DType = ...
    ) -> Tensor:
        """Draw classes with the probabilities that are the softmax of each row."""
    def ravel(self) -> Tensor:
        """Return all elements in row-major order in one dimension, as a view."""
    def real(self) -> Tensor:
        """Real part of each element; of a real Tensor, the Tensor itself."""
    def reciprocal(self) -> Tensor:
        """One over each element; float32 of integers."""
    def register_hook(self, hook: Callable[[Tensor], Any]) -> HookHandle:
        """Call ``hook`` with the gradient of this Tensor when it is known."""
    def remainder(
        self, other: Tensor | _Number = ..., *, divisor: Tensor | _Number = ...
    ) -> Tensor:
        """Remainder of the division that rounds towards minus infinity; bools are accepted too."""
    def remainder_(
        self, other: Tensor | _Number = ..., *, divisor: Tensor | _Number = ...
    ) -> Tensor:
        """Remainder of the division that rounds towards minus infinity; bools are accepted too."""
    def renorm(
        self, p: builtins.int | builtins.float, axis: builtins.int, maxnorm: builtins.float
    ) -> Tensor:
        """Scale down the slices along ``axis`` (``dim`` of the Primitive) of a norm above
        ``maxnorm``.
        """
    def repeat(self, *repeats: Any, axis: builtins.int | None = None) -> Tensor:
        """Repeat the whole Tensor; with ``axis``, its elements."""
    def repeat_interleave(
        self, repeats: Any, dim: builtins.int | None = None, *, output_size: Any = None
    ) -> Tensor:
        """Repeat elements along ``axis``, or of the flattened Tensor where it is None."""
    def requires_grad_(self, requires_grad: builtins.bool = True) -> None:
        """Set whether a Parameter is trained; of another Tensor, which ``grad`` asks for,
        nothing.
        """
    def reshape(self, *shape: Any, **named: Any) -> Tensor:
        """Return a view in another shape: ``reshape(2, 3)`` or ``reshape((2, 3))``."""
    def reshape_as(self, other: Tensor) -> Tensor:
        """Return ``input`` in the shape of ``other``, as a view."""
    def resize(self, *new_shape: Any) -> Tensor:
        """Return the first elements in another shape; zeros follow where there are too few."""
    def reverse(self, axis: builtins.int | tuple[builtins.int, ...] | list[builtins.int]) -> Tensor:
        """Reverse the order along each dimension of ``axis``."""
    def reverse_sequence(
        self, seq_lengths: Tensor, seq_dim: builtins.int = 0, batch_dim: builtins.int = 0
    ) -> Tensor:
        """Reverse the first elements of each sequence."""
    def roll(
        self,
        shifts: builtins.int | tuple[builtins.int, ...] | list[builtins.int],
        dims: builtins.int | tuple[builtins.int, ...] | list[builtins.int] | None = None,
    ) -> Tensor:
        """Shift the elements cyclically, by ``shifts`` along ``dims`` or of the flattened
        Tensor.
        """
    def rot90(self, k: builtins.int, dims: Any) -> Tensor:
        """Turn the plane of two dimensions by ``k`` quarters, from the first to the second."""
    def round(self, *, decimals: builtins.int = 0) -> Tensor:
        """Round to ``decimals`` digits after the point, halves to even."""
    def rsqrt(self) -> Tensor:
        """One over the square root."""
    def scatter(
        self,
        dim: Any = None,
        index: Any = None,
        src: Any = None,
        *,
        axis: Any = None,
        reduce: str = "none",
    ) -> Tensor:
        """Write ``src`` into a copy at the positions along a dimension; see ``scatter``."""
    def scatter_(
        self,
        dim: Any = None,
        index: Any = None,
        src: Any = None,
        *,
        axis: Any = None,
        reduce: str = "none",
    ) -> Tensor:
        """In place: Write ``src`` into a copy at the positions along a dimension; see
        ``scatter``.
        """
    def scatter_add(self, *args: Any, **named: Any) -> Tensor:
        """Add, in a copy, at the positions that an index names."""
    def scatter_add_(self, *args: Any, **named: Any) -> Tensor:
        """In place: Add, in a copy, at the positions that an index names."""
    def scatter_div(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Divide slices, in a copy."""
    def scatter_max(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Take the larger of slices and ``updates``, in a copy."""
    def scatter_min(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Take the smaller of slices and ``updates``, in a copy."""
    def scatter_mul(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Multiply slices, in a copy."""
    def scatter_sub(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Subtract from slices, in a copy."""
    def searchsorted(self, v: Any, side: str = "left", sorter: Tensor | None = None) -> Tensor:
        """Return the places where ``v`` would be inserted into sorted rows, as int32."""
    def select(self, *args: Any, **named: Any) -> Tensor:
        """Return one slice of a dimension, or choose elements by a condition."""
    def select_scatter(self, src: Tensor, axis: builtins.int, index: builtins.int) -> Tensor:
        """Replace one slice of ``axis`` by ``src``, in a copy."""
    def set_(self, source: Any = None) -> Tensor:
        """Let the Tensor be ``source`` from now on: its shape, and its elements, which both
        share.
        """
    def set_cast_dtype(self, value: Any = None) -> None:
        """Accepted for compatibility: of MindSpore's own storage."""
    def set_init_flag(self, value: Any = None) -> None:
        """Accepted for compatibility: of MindSpore's own storage."""
    def sgn(self) -> Tensor:
        """Compute the sign of each element, or the direction of complex ones."""
    def short(self) -> Tensor:
        """Convert to Int16."""
    def sigmoid(self) -> Tensor:
        """``1 / (1 + exp(-x))``."""
    def sigmoid_(self) -> Tensor:
        """In place: ``1 / (1 + exp(-x))``."""
    def sign(self) -> Tensor:
        """-1, 0 or 1 by the sign of each element; 0 of nan."""
    def sign_(self) -> Tensor:
        """In place: -1, 0 or 1 by the sign of each element; 0 of nan."""
    def signbit(self) -> Tensor:
        """Whether the sign is minus."""
    def sin(self) -> Tensor:
        """Sine of each element, in radians."""
    def sinc(self) -> Tensor:
        """Compute ``sin(pi x) / (pi x)`` of each element, 1 at 0; float32 of integers."""
    def sinh(self) -> Tensor:
        """Hyperbolic sine of each element."""
    def slice_scatter(
        self,
        src: Tensor,
        axis: builtins.int = 0,
        start: builtins.int | None = None,
        end: builtins.int | None = None,
        step: builtins.int = 1,
    ) -> Tensor:
        """Replace a slice ``start:end:step`` of ``axis`` by ``src``, in a copy."""
    def slogdet(self) -> tuple[Tensor, Tensor]:
        """Return the sign, and the logarithm of the size, of determinants of (..., N, N)."""
    def soft_shrink(self, lambd: builtins.float = 0.5) -> Tensor:
        """Bring elements nearer to 0 by ``lambd``; those within become 0."""
    def softmax(self, axis: builtins.int, dtype: Any = None) -> Tensor:
        """Compute exponentials that sum to 1 along ``axis``."""
    def sort(
        self,
        axis: builtins.int = -1,
        descending: builtins.bool = False,
        *,
        stable: Any = False,
        dim: builtins.int = ...,
    ) -> tuple[Tensor, Tensor]:
        """Sort along ``axis``, equal elements in their order."""
    def split(
        self,
        split_size: Any = None,
        dim: builtins.int = 0,
        *,
        axis: builtins.int | None = None,
        split_size_or_sections: Any = None,
    ) -> tuple[Tensor, ...]:
        """Cut into pieces along a dimension, by their size or their sizes."""
    def sqrt(self) -> Tensor:
        """Square root; float32 of integers."""
    def square(self) -> Tensor:
        """Square of each element."""
    def squeeze(self, axis: Any = None) -> Tensor:
        """Drop dimensions of size 1: all, or those in ``axis`` (an axis of another size is
        kept).
        """
    def std(
        self,
        axis: builtins.int | tuple[builtins.int, ...] | None = None,
        ddof: builtins.int | builtins.bool = 0,
        keepdims: builtins.bool = False,
        *,
        dim: builtins.int | tuple[builtins.int, ...] | None = ...,
        keepdim: builtins.bool = ...,
        correction: builtins.int | builtins.bool = ...,
    ) -> Tensor:
        """Square root of the variance; see ``var``."""
    def storage(self) -> UntypedStorage:
        """Return the bytes behind the Tensor."""
    def storage_offset(self) -> builtins.int:
        """Return how many elements of the Tensor that this one shows a part of come before it."""
    def stride(self, dim: builtins.int | None = None) -> Any:
        """Return the steps, in elements, from one element to the next in each dimension."""
    def sub(self, other: Any = ..., *, alpha: Any = 1, y: Any = ...) -> Tensor:
        """Compute ``input - alpha * other``, element by element with broadcasting."""
    def sub_(self, other: Any = ..., *, alpha: Any = 1, y: Any = ...) -> Tensor:
        """Compute ``input - alpha * other``, element by element with broadcasting."""
    def subtract(self, other: Any = ..., *, alpha: Any = 1, y: Any = ...) -> Tensor:
        """Compute ``input - alpha * other``, element by element with broadcasting."""
    def sum(
        self,
        dim: Any = None,
        keepdim: Any = ...,
        keepdims: Any = ...,
        initial: Any = None,
        *,
        dtype: Any = None,
        axis: Any = ...,
    ) -> Tensor:
        """Sum over dimensions: ``(dim, keepdim, *, dtype)`` or ``(axis, dtype, keepdims,
        initial)``.
        """
    def sum_to_size(self, *size: Any) -> Tensor:
        """Add up what broadcasting from ``size`` to the shape repeats."""
    def svd(self, full_matrices: builtins.bool = False, compute_uv: builtins.bool = True) -> Any:
        """Singular value decomposition of matrices (..., M, N)."""
    def swapaxes(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """Exchange two dimensions, as a view."""
    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Exchange two dimensions, as a view; as ``swapaxes``."""
    @property
    def symbolic_shape(self) -> Any:
        """The sizes of a Tensor that describes an input with Symbols, those as dicts; else None."""
    def t(self) -> Tensor:
        """Transpose a 2-D Tensor; others come back in their shape."""
    def take(self, index: Tensor, axis: builtins.int | None = None, mode: str = "clip") -> Tensor:
        """Return the elements, or slices along ``axis``, at the positions in ``index``."""
    def tan(self) -> Tensor:
        """Tangent of each element, in radians."""
    def tanh(self) -> Tensor:
        """Hyperbolic tangent of each element."""
    def tanh_(self) -> Tensor:
        """In place: Hyperbolic tangent of each element."""
    def tensor_expm1(self) -> Tensor:
        """``exp(x) - 1``, exact near 0."""
    def tensor_split(
        self, indices_or_sections: builtins.int | Sequence[builtins.int], axis: builtins.int = 0
    ) -> tuple[Tensor, ...]:
        """Cut a Tensor at the given positions, or into a number of nearly equal pieces."""
    def tile(self, *dims: Any, **named: Any) -> Tensor:
        """Repeat the whole Tensor along its dimensions; see ``tile``."""
    def to(self, *args: Any, dtype: Any = None, other: Any = None, **rest: Any) -> Tensor:
        """Convert to a dtype, or to that of another Tensor; a device is accepted and not used."""
    def to_coo(self) -> COOTensor:
        """Return the elements of a matrix that are not zero, with their places."""
    def to_csr(self) -> CSRTensor:
        """Return the elements of a matrix that are not zero, by rows."""
    def to_dlpack(self) -> Any:
        """Return a capsule for ``from_dlpack``, of msgrad or another library."""
    def top_k(self, k: builtins.int, sorted: builtins.bool = True) -> tuple[Tensor, Tensor]:
        """Return the ``k`` largest elements of the last dimension and their positions; as
        ``topk``.
        """
    def topk(
        self,
        k: builtins.int,
        dim: builtins.int | None = None,
        largest: builtins.bool = True,
        sorted: builtins.bool = True,
    ) -> tuple[Tensor, Tensor]:
        """Return the ``k`` largest (or smallest) elements along ``dim``, in order."""
    def trace(
        self,
        offset: builtins.int = 0,
        axis1: builtins.int = 0,
        axis2: builtins.int = 1,
        dtype: Any = None,
    ) -> Tensor:
        """Sum of a diagonal of two dimensions: int64 of integers, unless ``dtype`` says another."""
    def transpose(self, *axes: Any) -> Tensor:
        """Permute the dimensions: all reversed, two exchanged, or in the order given."""
    def tril(self, diagonal: builtins.int = 0) -> Tensor:
        """Zero the elements above a diagonal of the last two dimensions."""
    def triu(self, diagonal: builtins.int = 0) -> Tensor:
        """Zero the elements below a diagonal of the last two dimensions."""
    def true_divide(self, divisor: Tensor | _Number) -> Tensor:
        """Divide element by element with broadcasting; integers and bools give float32."""
    def trunc(self) -> Tensor:
        """Round towards 0; integers and bools stay as they are."""
    def truncate_mod(self, other: Tensor | _Number = ..., *, y: Tensor | _Number = ...) -> Tensor:
        """Remainder as ``fmod`` has it, but exact, and of an integer by 0 it is 0."""
    def type(self, dtype: Any = None) -> Any:
        """Return the name of the dtype; with ``dtype``, convert to it."""
    def type_as(self, other: Tensor) -> Tensor:
        """Convert to the dtype of another Tensor."""
    def unbind(self, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return the slices along a dimension, without it, as a tuple of views."""
    def unfold(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> Tensor:
        """Return the windows of images as columns."""
    def uniform(
        self, from_: builtins.float = 0.0, to: builtins.float = 1.0, generator: Any = None
    ) -> Tensor:
        """Return uniform random numbers in the shape and dtype of the Tensor."""
    def uniform_(
        self, from_: builtins.float = 0.0, to: builtins.float = 1.0, *, generator: Any = None
    ) -> Tensor:
        """Fill with uniform random numbers, in place."""
    def unique(
        self,
        sorted: builtins.bool = True,
        return_inverse: builtins.bool = False,
        return_counts: builtins.bool = False,
        dim: Any = None,
    ) -> Any:
        """Return the distinct elements, sorted, and on request where they stand and how many."""
    def unique_consecutive(
        self,
        return_inverse: builtins.bool = False,
        return_counts: builtins.bool = False,
        dim: builtins.int | None = None,
    ) -> Any:
        """Return the elements, each run of equal ones as one."""
    def unique_with_pad(self, pad_num: Any) -> tuple[Tensor, Tensor]:
        """Return the distinct elements of a 1-D Tensor, filled up to its size with ``pad_num``."""
    def unsorted_segment_max(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """Return the largest of the rows that share a segment."""
    def unsorted_segment_min(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """Return the smallest of the rows that share a segment."""
    def unsorted_segment_prod(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """Return the product of the rows that share a segment."""
    def unsqueeze(self, dim: builtins.int = ..., *, axis: builtins.int = ...) -> Tensor:
        """Insert a dimension of size 1 at ``dim``, as a view."""
    def untyped_storage(self) -> UntypedStorage:
        """Return the bytes behind the Tensor."""
    def var(
        self,
        axis: Any = None,
        ddof: builtins.int | builtins.bool = 0,
        keepdims: builtins.bool = False,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
        correction: builtins.int | builtins.bool = ...,
    ) -> Tensor:
        """Variance over ``axis``, divided by the count less ``ddof``, be that 0 or negative."""
    def view(self, *shape: Any, **named: Any) -> Tensor:
        """Return a view in another shape, or of the same bits in another ``dtype``."""
    def view_as(self, other: Tensor) -> Tensor:
        """Return ``input`` in the shape of ``other``, as a view."""
    @property
    def virtual_flag(self) -> Any:
        """False: of MindSpore's own storage."""
    def vsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """Split a Tensor along dimension 0."""
    def wait_pipeline(self) -> Any:
        """Return None: of MindSpore's own storage."""
    def where(self, condition: Tensor, other: Any = None, *, y: Any = None) -> Tensor:
        """Return the elements where ``condition`` holds and those of ``other`` elsewhere."""
    def xdivy(self, y: Tensor | _Number) -> Tensor:
        """Divide element by element, and 0 where ``x`` is 0."""
    def xlogy(self, other: Tensor | _Number) -> Tensor:
        """``input * log(other)``, and of real numbers 0 where ``input`` is 0; a number is
        float32.
        """
    def zero_(self) -> Tensor:
        """Fill with zeros, in place."""
