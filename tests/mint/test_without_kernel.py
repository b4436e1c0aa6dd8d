"""Names of ``mint`` that MindSpore 2.10 has for Ascend only, held to NumPy and SciPy.

A row is a call and what it gives, both texts; the operands are those of the parity cases. The real
MindSpore raises RuntimeError for all of them on a CPU: "The kernel Acos unregistered.".
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.special

import msgrad as ms
from msgrad import Tensor, mint

X = np.array([[0.5, -0.25, 0.75], [-0.5, 0.125, 1.0]], np.float32)
VALUES = {
    "x": X,
    "y": np.array([[1.0, 2.0, -3.0], [0.5, -1.5, 2.5]], np.float32),
    "p": np.array([[0.5, 2.0, 1.5], [3.0, 0.25, 1.25]], np.float32),
    "v": np.array([0.5, -1.0, 2.0], np.float32),
    "w": np.array([[2.0, 0.5, 0.0], [0.5, 3.0, -1.0], [0.0, 1.0, 4.0]], np.float32),
    "t": (np.arange(12).reshape(2, 2, 3) * 7 % 5 - 1.5).astype(np.float32),
    "i": np.array([[2, 0, 1], [0, 1, 2]]),
    "j": np.array([1, 0]),
    "k": np.array([[1, -2, 3], [4, 5, -6]], np.int32),
    "b": np.array([[True, False, True], [False, False, True]]),
    "o": np.ones((1, 2, 2, 2), np.float32),
}
SCOPE = {"np": np, "sp": scipy.special, "la": scipy.linalg, "f32": np.float32, "inf": np.inf}

# With a gradient by every float operand.
DIFFERENTIABLE = {
    "exp2(x)": "np.exp2(x)",
    "acos(x * 0.5)": "np.arccos(x * f32(0.5))",
    "arccos(x * 0.5)": "np.arccos(x * f32(0.5))",
    "acosh(p + 1)": "np.arccosh(p + f32(1))",
    "arccosh(p + 1)": "np.arccosh(p + f32(1))",
    "asin(x * 0.5)": "np.arcsin(x * f32(0.5))",
    "arcsin(x * 0.5)": "np.arcsin(x * f32(0.5))",
    "asinh(x)": "np.arcsinh(x)",
    "arcsinh(x)": "np.arcsinh(x)",
    "atan(x)": "np.arctan(x)",
    "arctan(x)": "np.arctan(x)",
    "atan2(x, y)": "np.arctan2(x, y)",
    "arctan2(x, y)": "np.arctan2(x, y)",
    "frac(y * 0.7)": "y * f32(0.7) - np.trunc(y * f32(0.7))",
    "log10(p)": "np.log10(p)",
    "log2(p)": "np.log2(p)",
    "special.exp2(x)": "np.exp2(x)",
    "clone(x)": "x",
    "npu_gelu(x)": "x * sp.ndtr(x)",
    "logaddexp(x, y)": "np.logaddexp(x, y)",
    "logaddexp2(x, y)": "np.logaddexp2(x, y)",
    "addcdiv(x, y, p, value=2)": "x + 2 * y / p",
    "addcmul(x, y, p, value=0.5)": "x + f32(0.5) * y * p",
    "std(x, 1)": "x.std(1, ddof=1)",
    "std(x, (0, 1), correction=0)": "x.std()",
    "var(x, 0, keepdim=True)": "x.var(0, ddof=1, keepdims=True)",
    "std_mean(x, 1)": "(x.std(1, ddof=1), x.mean(1))",
    "var_mean(x)": "(x.var(ddof=1), x.mean())",
    "logsumexp(x, 1)": "sp.logsumexp(x, 1)",
    "median(x, 1)": "(np.median(x, 1), np.array([0, 1]))",
    "median(x)": "f32(0.125)",
    "kthvalue(x, 1, 0)": "(x.min(0), np.array([1, 0, 0]))",
    "norm(x)": "np.sqrt((x * x).sum())",
    "norm(x, 2, 1)": "np.sqrt((x * x).sum(1))",
    "norm(x, p=1, dim=0, keepdim=True)": "np.abs(x).sum(0, keepdims=True)",
    "norm(x, dim=1)": "np.sqrt((x * x).sum(1))",
    "cumsum(x, 0)": "x.cumsum(0)",
    "cummin(x, 1)": "(np.minimum.accumulate(x, 1), np.array([[0, 1, 1], [0, 0, 0]]))",
    "topk(x, 2)": "(np.sort(x)[:, :0:-1], np.argsort(x)[:, :0:-1])",
    "topk(x, 1, 0, False)": "(x.min(0, keepdims=True), np.array([[1, 0, 0]]))",
    "sort(x, dim=0)": "(np.sort(x, 0), np.argsort(x, 0))",
    "sort(x, descending=True)": "(np.sort(x)[:, ::-1], np.argsort(x)[:, ::-1])",
    "trace(w)": "w.trace()",
    "mm(x, w)": "x @ w",
    "mv(x, v)": "x @ v",
    "dot(v, v)": "v @ v",
    "vdot(v, v)": "v @ v",
    "outer(v, v)": "np.outer(v, v)",
    "addmm(x, x, w, beta=2, alpha=0.5)": "2 * x + f32(0.5) * x @ w",
    "addmv(v, w, v, beta=2, alpha=3)": "2 * v + 3 * w @ v",
    "addbmm(w[:2, :2], t, t.swapaxes(1, 2))": "w[:2, :2] + (t @ t.swapaxes(1, 2)).sum(0)",
    "baddbmm(t[:, :, :2], t, t.swapaxes(1, 2), alpha=2)": (
        "t[:, :, :2] + 2 * t @ t.swapaxes(1, 2)"
    ),
    "einsum('ij,jk->ik', x, w)": "x @ w",
    "inverse(w)": "np.linalg.inv(w)",
    "linalg.inv(w)": "np.linalg.inv(w)",
    "triangular_solve(x.T, w)[0]": "la.solve_triangular(w, x.T)",
    "triangular_solve(x.T, w, False, True)[0]": "la.solve_triangular(w, x.T, 'T', True)",
    "tril(w, -1)": "np.tril(w, -1)",
    "diag(v, 1)": "np.diag(v, 1)",
    "diag(w, -1)": "np.diag(w, -1)",
    "stack((x, y), 1)": "np.stack((x, y), 1)",
    "roll(x, 1)": "np.roll(x, 1)",
    "roll(x, (1, 2), (0, 1))": "np.roll(x, (1, 2), (0, 1))",
    "index_select(x, 1, j)": "x[:, j]",
    "index_add(x, 0, j, y, alpha=2)": "x + 2 * y[::-1]",
    "scatter_add(x, 1, i, y)": "x + np.array([[2, -3, 1], [0.5, -1.5, 2.5]], f32)",
    "take(x, i)": "x.ravel()[i]",
    "repeat_interleave(x, 2, 1)": "x.repeat(2, 1)",
    "repeat_interleave(x, j + 1, dim=0)": "x.repeat([2, 1], 0)",
    "linalg.qr(w)[1] ** 2": "np.linalg.qr(w)[1] ** 2",
    "linalg.norm(x)": "np.sqrt((x * x).sum())",
    "linalg.norm(x, 1)": "np.abs(x).sum(0).max()",
    "linalg.norm(x, dim=1)": "np.sqrt((x * x).sum(1))",
    "linalg.vector_norm(x, 3, 1)": "(np.abs(x) ** 3).sum(1) ** f32(1 / 3)",
    "linalg.vector_norm(x, inf, dim=0, keepdim=True)": "np.abs(x).max(0, keepdims=True)",
    "linalg.matrix_norm(w, 'nuc')": "np.linalg.norm(w, 'nuc')",
    "linalg.matrix_norm(x, inf, keepdim=True)": "np.linalg.norm(x, inf, keepdims=True)",
    "functional.relu6(y * 4)": "np.clip(y * 4, 0, 6)",
    "functional.elu(x, 2.0)": "np.where(x > 0, x, 2 * np.expm1(x))",
    "functional.leaky_relu(x)": "np.where(x > 0, x, x * f32(0.01))",
    "functional.logsigmoid(x)": "sp.log_expit(x)",
    "functional.hardtanh(y, -2, 2)": "np.clip(y, -2, 2)",
    "functional.gelu(x)": "x * sp.ndtr(x)",
    "functional.mish(x)": "x * np.tanh(np.logaddexp(0, x))",
    "functional.selu(x)": "f32(1.0507) * np.where(x > 0, x, f32(1.67326) * np.expm1(x))",
    "functional.threshold(x, 0.2, 3.0)": "np.where(x > f32(0.2), x, f32(3))",
    "functional.log_softmax(x, 1)": "sp.log_softmax(x, 1)",
    "special.log_softmax(x)": "sp.log_softmax(x, 1)",
    "functional.embedding(j, x)": "x[j]",
    "functional.dropout2d(t, 0.0)": "t",
    "functional.layer_norm(x, (3,), v, v)": (
        "v * (x - x.mean(1)[:, None]) / np.sqrt(x.var(1)[:, None] + f32(1e-5)) + v"
    ),
    "functional.batch_norm(x, None, None, v, v, True)": (
        "v * (x - x.mean(0)) / np.sqrt(x.var(0) + f32(1e-5)) + v"
    ),
    "functional.batch_norm(x, v, p[0])": "(x - v) / np.sqrt(p[0] + f32(1e-5))",
    "functional.normalize(x)": "x / np.sqrt((x * x).sum(1))[:, None]",
    "functional.conv1d(t, o[:, :, 0], padding=1)[..., 1]": "t[:, :, :2].sum((1, 2))[:, None]",
    "functional.conv2d(t[None], o)": "(t[:, :, :2] + t[:, :, 1:]).sum((0, 1))[None, None, None]",
    "functional.conv2d(t, o, padding='valid')": (
        "(t[:, :, :2] + t[:, :, 1:]).sum((0, 1))[None, None]"
    ),
    "functional.conv3d(t[None], o[None])": (
        "(t[:, :, :2] + t[:, :, 1:]).sum((0, 1))[None, None, None]"
    ),
    "functional.conv_transpose2d(t, o.swapaxes(0, 1), stride=2)": (
        "np.kron(t.sum(0), np.ones((2, 2), f32))[None]"
    ),
    "functional.max_pool2d(t, (2, 1))": "t.max(1, keepdims=True)",
    "functional.avg_pool1d(t, 3)": "t.mean(2, keepdims=True)",
    "functional.avg_pool2d(t, (2, 1), divisor_override=3)": "t.sum(1, keepdims=True) / f32(3)",
    "functional.avg_pool3d(t[None], (2, 2, 3))": "t.mean()[None, None, None, None]",
    "functional.adaptive_avg_pool1d(t, 1)": "t.mean(2, keepdims=True)",
    "functional.adaptive_avg_pool2d(t, [1, None])": "t.mean(1, keepdims=True)",
    "functional.adaptive_avg_pool3d(t[None], 1)": "t.mean()[None, None, None, None]",
    "functional.adaptive_max_pool1d(t[:, :1] * 2, 1)": "t[:, :1].max(2, keepdims=True) * 2",
    "functional.pad(x, [1, 0, 0, 1], value=2.0)": (
        "np.pad(x, ((0, 1), (1, 0)), constant_values=2)"
    ),
    "functional.pad(t, (1, 1), mode='reflect')": ("np.pad(t, ((0, 0), (0, 0), (1, 1)), 'reflect')"),
    "functional.interpolate(t, 5, mode='linear', align_corners=True)[..., ::2]": "t",
    "functional.unfold(t[None], (2, 1))": "t.reshape(1, 4, 3)",
    "functional.fold(t.reshape((1, 4, 3)), (2, 3), (2, 1))": "t[None]",
    "functional.mse_loss(x, y)": "((x - y) ** 2).mean()",
    "functional.l1_loss(x, y, 'sum')": "np.abs(x - y).sum()",
    "functional.soft_margin_loss(x, y)": "np.logaddexp(0, -x * y).mean()",
    "functional.kl_div(x, p)": "(p * (np.log(p) - x)).mean()",
    "functional.kl_div(x, p, 'batchmean', True)": "(np.exp(p) * (p - x)).sum() / 2",
    "functional.cross_entropy(x, j)": "-sp.log_softmax(x, 1)[[0, 1], j].mean()",
    "functional.cosine_embedding_loss(x, y, 2 * j - 1)": (
        "(1 - x[0] @ y[0] / np.sqrt(x[0] @ x[0] * (y[0] @ y[0])) + np.maximum(0, "
        "x[1] @ y[1] / np.sqrt(x[1] @ x[1] * (y[1] @ y[1])))) / 2"
    ),
}
OTHER = {
    "exp2(k)": "np.exp2(k.astype(f32))",
    "floor_divide(k, 2)": "k // 2",
    "isneginf(x - inf)": "np.isneginf(x - inf)",
    "bitwise_or(k, 3)": "k | 3",
    "bitwise_xor(b, ~b)": "np.ones_like(b)",
    "bitwise_not(k)": "~k",
    "equal(x, x)": "True",
    "equal(x, y)": "False",
    "equal(x, v)": "False",
    "argmax(x, 1)": "x.argmax(1)",
    "argmin(k, -1)": "k.argmin(1)",
    "argsort(x, 0)": "x.argsort(0)",
    "cumsum(k, 1)": "k.cumsum(1)",
    "cumsum(b, 1)": "b.cumsum(1)",
    "bincount(j, minlength=4)": "np.bincount(j, minlength=4)",
    "bincount(i.ravel(), x.ravel())": "np.bincount(i.ravel(), x.ravel()).astype(f32)",
    "histc(x, 4, -1, 1)": "np.histogram(x, 4, (-1, 1))[0].astype(f32)",
    "histc(x, 4)": "np.histogram(x, 4)[0].astype(f32)",
    "count_nonzero(b, 1)": "np.count_nonzero(b, 1)",
    "nonzero(b, as_tuple=True)": "np.nonzero(b)",
    "where(b)": "np.nonzero(b)",
    "searchsorted(v[1:], x, sorter=j[::-1], out_int32=True)": (
        "np.searchsorted(v[1:], x).astype(np.int32)"
    ),
    "full((2, 3), 1.5)": "np.full((2, 3), 1.5, f32)",
    "zeros_like(k)": "np.zeros_like(k)",
    "ones_like(x)": "np.ones_like(x)",
    "full_like(x, 2)": "np.full_like(x, 2)",
    "arange(1, 6, 2)": "np.arange(1, 6, 2)",
    "linspace(0, 1, 5)": "np.linspace(0, 1, 5, dtype=f32)",
    "randint(1, 2, (2,))": "np.ones(2, np.int64)",
    "randint_like(x, 1, 2)": "np.ones_like(x)",
    "randperm(1)": "np.zeros(1, np.int64)",
    "bernoulli(x * 0 + 1)": "np.ones_like(x)",
    "rand(2, 3) * 0": "np.zeros((2, 3), f32)",
    "randn((2, 3)) * 0": "np.zeros((2, 3), f32)",
    "rand_like(x) * 0": "np.zeros_like(x)",
    "randn_like(x) * 0": "np.zeros_like(x)",
    "normal(x, x * 0)": "x",
    "multinomial(x * 0 + 1, 3).sum(1)": "np.array([3, 3])",
    "functional.one_hot(j, 3)": "np.eye(3, dtype=np.int64)[j]",
    "functional.one_hot(i)": "np.eye(3, dtype=np.int64)[i]",
    "functional.dropout(x, 1.0)": "np.zeros_like(x)",
    "functional.max_unpool2d(x[:, :1, None], i[:, :1, None], 2)": (
        "np.array([[[0, 0], [0.5, 0]], [[-0.5, 0], [0, 0]]], f32)"
    ),
}
IN_PLACE = {
    "functional.relu_(x)": "np.maximum(x, 0)",
    "functional.sigmoid_(x)": "sp.expit(x)",
    "functional.elu_(x)": "np.where(x > 0, x, np.expm1(x))",
    "functional.hardtanh_(x, 0.0, 0.5)": "np.clip(x, 0, 0.5)",
    "functional.threshold_(x, 0.2, 3.0)": "np.where(x > 0.2, x, 3)",
    "functional.relu(x, True)": "np.maximum(x, 0)",
    "functional.silu(x, inplace=True)": "x * sp.expit(x)",
    "functional.dropout(x, 0.0, True, True)": "x",
    "addr_(x, j.astype(x.dtype), x[0])": "x + np.outer([1, 0], x[0])",
}


def run(call, **given):
    operands = {name: Tensor(value.copy()) for name, value in VALUES.items()} | given
    return eval(f"mint.{call}", {"mint": mint, "inf": np.inf, **operands})


def check(call, wanted, found):
    wanted = eval(wanted, {**SCOPE, **VALUES})
    for got, want in zip(
        *(v if isinstance(v, tuple) else (v,) for v in (found, wanted)), strict=True
    ):
        if isinstance(want, bool):
            assert got is want
            continue
        assert got.shape == want.shape
        if want.dtype != np.float64:
            assert got.asnumpy().dtype == want.dtype
        np.testing.assert_allclose(got.asnumpy(), want, 2e-5, 2e-6, err_msg=call)


@pytest.mark.parametrize(("call", "wanted"), {**DIFFERENTIABLE, **OTHER}.items())
def test_values(call, wanted):
    check(call, wanted, run(call))


@pytest.mark.parametrize(("call", "wanted"), IN_PLACE.items())
def test_in_place(call, wanted):
    x = Tensor(X.copy())
    found = run(call, x=x)
    assert found is x
    check(call, wanted, x)


# MindSpore's gradient of the labels is 0.
CONSTANT = {"functional.kl_div(x, p)": "p"}


@pytest.mark.parametrize("call", DIFFERENTIABLE)
def test_gradient_is_the_slope(call):
    floats = [n for n in "xypvwto" if n in _names(call) and n != CONSTANT.get(call)]
    rng = np.random.default_rng(0)
    ways = [rng.normal(size=VALUES[n].shape).astype(np.float32) for n in floats]

    def loss(*values):
        found = run(call, **dict(zip(floats, values, strict=True)))
        parts = found if isinstance(found, tuple) else (found,)
        return sum((p * p).sum() for p in parts if p.dtype == ms.float32)

    def at(step):
        pairs = zip(floats, ways, strict=True)
        return float(loss(*(Tensor(VALUES[n] + np.float32(step) * way) for n, way in pairs)))

    given = [Tensor(VALUES[n].copy()) for n in floats]
    found = ms.grad(loss, tuple(range(len(floats))))(*given)
    gradients = found if isinstance(found, tuple) else (found,)
    along = sum(float((g.asnumpy() * way).sum()) for g, way in zip(gradients, ways, strict=True))
    slope = (at(4e-3) - at(-4e-3)) / 8e-3
    np.testing.assert_allclose(along, slope, 1e-2, 1e-2)


def _names(call):
    return compile(f"mint.{call}", "", "eval").co_names


@pytest.mark.parametrize(("padding", "more"), [(0, 0), ((1, 0), (0, 1))])
def test_transposed_convolution(padding, more):
    layer = mint.nn.ConvTranspose2d(2, 1, 2, 2, padding, more, bias=False)
    layer.weight.set_data(Tensor(np.ones((2, 1, 2, 2), np.float32)))
    whole = np.full((4, 4), 2, np.float32)
    wanted = whole if padding == 0 else np.pad(whole[1:-1], [(0, 0), (0, 1)])
    np.testing.assert_array_equal(layer(ms.Tensor(VALUES["o"])).asnumpy()[0, 0], wanted)


def test_distinct_elements():
    values = ms.Tensor([[3, 1], [3, 1], [1, 2]], ms.int32)
    assert mint.unique(values).asnumpy().tolist() == [1, 2, 3]
    found, inverse, counts = mint.unique(values, True, True, True)
    assert (found.dtype, inverse.dtype, counts.dtype) == (ms.int32, ms.int64, ms.int64)
    np.testing.assert_array_equal(found.asnumpy()[inverse.asnumpy()], values.asnumpy())
    assert counts.asnumpy().tolist() == [3, 1, 2]
    rows, where = mint.unique(values, return_inverse=True, dim=0)
    assert rows.asnumpy().tolist() == [[1, 2], [3, 1]]
    assert where.asnumpy().tolist() == [1, 1, 0]
    assert mint.unique(ms.Tensor([np.nan, np.nan, 1.0])).shape == (3,)


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("Arange", (1, 6, 2), [1, 3, 5]),
        ("TrilExt", (ms.Tensor([[1, 2], [3, 4]]),), [[1, 0], [3, 4]]),
        ("RepeatInterleaveTensor", (ms.Tensor([5, 6]), ms.Tensor([2, 1]), 0), [5, 5, 6]),
    ],
)
def test_kernels_behind_functions(name, given, wanted):
    assert getattr(ms.ops.auto_generate, name)()(*given).asnumpy().tolist() == wanted


def test_dropout_of_a_place_in_a_stream():
    generator = ms.Generator()
    generator.manual_seed(7)
    step = ms.Tensor(1, ms.int64)
    place, other = generator._step(step), generator._step(step)
    drop = ms.ops.auto_generate.DropoutExt()
    x = ms.ops.ones((64, 8), ms.float32)
    dropped, mask = drop(x, 0.5, *place)
    np.testing.assert_array_equal(dropped.asnumpy(), 2 * mask.asnumpy())
    again = drop(input=x, p=0.5, seed=place[0], offset=place[1])[0]
    np.testing.assert_array_equal(dropped.asnumpy(), again.asnumpy())
    assert not np.array_equal(dropped.asnumpy(), drop(x, 0.5, *other)[0].asnumpy())
    generator.manual_seed(7)
    assert [int(part) for part in generator._step(step)] == [int(part) for part in place]
    with pytest.raises(RuntimeError, match="Step"):
        generator._step(1)
