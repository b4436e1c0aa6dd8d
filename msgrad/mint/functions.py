"""The functions of ``mindspore.mint`` itself: a table, over ``ops`` and ``_functions``."""

from __future__ import annotations

from msgrad.mint import _functions
from msgrad.mint._rows import rows
from msgrad.ops import arithmetic, sorting

_TABLE = """
abs acos acosh asin asinh atan atanh arccos arccosh arcsin arcsinh arctan arctanh atan2 arctan2
cos cosh sin sinh tan tanh exp exp2 expm1 log log1p log2 log10 sqrt rsqrt square reciprocal
erf erfc erfinv sigmoid neg negative sign ceil floor trunc frac round real imag
isfinite isinf logical_not logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor
mul div divide pow float_power fmod remainder floor_divide maximum minimum xlogy lerp
addcmul addcdiv logaddexp logaddexp2 clamp clip nan_to_num isclose
eq ne not_equal gt greater ge greater_equal lt less le less_equal
matmul outer inverse einsum cross trace masked_select
ones_like zeros_like full full_like arange eye
unsqueeze swapaxes flip roll tile broadcast_to ravel unbind nonzero take hstack
sum cumprod logsumexp t triu tril
softmax chunk max min argmax argmin cummin topk sort argsort median kthvalue cumsum count_nonzero
where diag equal dstack polar sinc isneginf vdot gcd bincount histc
select searchsorted meshgrid norm unique_consecutive triangular_solve addr_ scatter_add
index_add linspace empty
normal randint randint_like randn_like item
diff = diff_ext(input, n=1, dim=-1, prepend=None, append=None)
dot = inner(input, other)
clone = Tensor.clone(input: self)
fix = trunc(input)
add = add_ext(input, other, *, alpha=1)
sub = sub_ext(input, other, *, alpha=1)
isnan(tensor: input)
unique = unique_of(input: self, sorted=True, return_inverse=False, return_counts=False, dim=None)
bitwise_not = invert(input: x)
bernoulli = bernoulli_ext(input, *, generator=None)
empty_like = zeros_like(input, *, dtype=None, device: _ = None, pin_memory: _ = False)
zeros(size, *, dtype=None)
ones(size: shape, *, dtype=None)
mean(input: x, dim: axis = None, keepdim: keep_dims = False, *, dtype=None)
prod(input, dim: axis = None, keepdim: keep_dims = False, *, dtype=None)
nansum(input, dim: axis = None, keepdim: keepdims = False, *, dtype=None)
all(input, dim: axis = None, keepdim: keep_dims = False)
any(input, dim: axis = None, keepdim: keep_dims = False)
amax(input, dim: axis = (), keepdim: keepdims = False)
amin(input, dim: axis = (), keepdim: keepdims = False)
var(input, dim: axis = None, *, correction: ddof = 1, keepdim: keepdims = False)
std(input, dim: axis = None, *, correction: ddof = 1, keepdim: keepdims = False)
var_mean(input, dim: axis = None, *, correction: ddof = 1, keepdim: keepdims = False)
std_mean(input, dim: axis = None, *, correction: ddof = 1, keepdim: keepdims = False)
cummax(input, dim: axis)
cdist(x1, x2, p=2.0, compute_mode: _ = 'use_mm_for_euclid_dist_if_necessary')
bmm(input: input_x, mat2)
mm(input, mat2)
mv(input: mat, vec)
addmm(input, mat1, mat2, *, beta=1, alpha=1)
addmv(input, mat, vec, *, beta=1, alpha=1)
addbmm(input, batch1, batch2, *, beta=1, alpha=1)
baddbmm(input, batch1, batch2, *, beta=1, alpha=1)
cat(tensors, dim: axis = 0)
concat(tensors, dim: axis = 0)
stack(tensors, dim: axis = 0)
split(tensor, split_size_or_sections, dim: axis = 0)
transpose = swapaxes(input, dim0: axis0, dim1: axis1)
permute(input, dims: axis)
squeeze(input, dim: axis = None)
reshape(input, shape)
flatten = Tensor.flatten(input: self, start_dim=0, end_dim=-1)
narrow(input, dim: axis, start, length)
index_select(input, dim: axis, index)
gather = gather_elements(input, dim, index)
scatter(input, dim: axis, index, src)
repeat_interleave = Tensor.repeat_interleave(input: self, repeats, dim=None, *, output_size=None)
allclose = Tensor.allclose(input: self, other, rtol=1e-05, atol=1e-08, equal_nan=False)
rand(*size, generator: seed = None, dtype=None, device: _ = None)
randn(*size, generator: seed = None, dtype=None, device: _ = None)
rand_like(input, *, dtype=None, device: _ = None)
multinomial(input, num_samples, replacement=False, *, generator: seed = None)
randperm(n, *, generator: seed = None, dtype=mstype.int64)
npu_gelu = gelu(input, approximate='none')
"""

_OF_OPS = {
    "add_ext": arithmetic._add_ext,
    "sub_ext": arithmetic._sub_ext,
    "unique_of": sorting._unique_method,
}
_FOUND = rows(_TABLE, "msgrad.mint", vars(_functions) | _OF_OPS)
globals().update(_FOUND)

__all__ = [*_FOUND]  # pyright: ignore[reportUnsupportedDunderAll]
