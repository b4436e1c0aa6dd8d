"""Operators made of Python functions, kernels of newer names, and names that are left out."""

from typing import Any

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops

X = np.array([[1.0, 2.0, 0.5], [3.0, -1.0, 2.5]], np.float32)


def tensor(values: Any = X) -> Tensor:
    return Tensor(np.array(values))


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        (lambda x: ops.AddExt()(x, x, 2), lambda x: x + 2 * x),
        (lambda x: ops.SubExt()(x, x, 2), lambda x: x - 2 * x),
        (lambda x: ops.SumExt()(x, 1, True), lambda x: x.sum(1, keepdims=True)),
        (lambda x: ops.MeanExt()(x, 0), lambda x: x.mean(0)),
        (lambda x: ops.MatMulExt()(x, x.T), lambda x: x @ x.T),
        (lambda x: ops.StackExt(1)((x, x)), lambda x: ops.stack((x, x), 1)),
        (lambda x: ops.SplitWithSize()(x, (1, 2), 1)[1], lambda x: x[:, 1:]),
        (lambda x: ops.TopkExt()(x, 2)[0], lambda x: ops.topk(x, 2)[0]),
        (lambda x: ops.SortExt()(x, 0, True)[0], lambda x: ops.sort(x, 0, True)[0]),
        (lambda x: ops.CumsumExt()(x, 1), lambda x: x.cumsum(1)),
        (lambda x: ops.FmodScalar()(x, 2), lambda x: ops.fmod(x, 2)),
        (lambda x: ops.Outer()(x[0], x[1]), lambda x: ops.outer(x[0], x[1])),
        (lambda x: ops.SiLU()(x), lambda x: ops.silu(x)),
    ],
)
def test_a_newer_name_does_what_the_older_does(newer, older):
    np.testing.assert_array_equal(newer(tensor()).asnumpy(), older(tensor()).asnumpy())


def test_a_function_of_numpy_runs_inside_a_compiled_program():
    double = ops.PyFunc(lambda x: x * 2, [ms.float32], [(2, 3)], [ms.float32], [(2, 3)])
    step = ms.jit(lambda x: double(x + 1)[0] + 1)
    np.testing.assert_allclose(step(tensor()).asnumpy(), (X + 1) * 2 + 1)


def test_custom_has_the_gradient_of_its_bprop():
    def bprop(x, out, dout):
        return (dout * x * 10,)

    square = ops.Custom(lambda x: x * x, lambda x: x, lambda x: x, bprop=bprop)
    gradient = ms.grad(lambda x: square(x).sum())(tensor())
    np.testing.assert_allclose(gradient.asnumpy(), X * 10)


def test_custom_compiles_no_code_of_other_devices():
    with pytest.raises(NotImplementedError, match="pyfunc"):
        ops.Custom(lambda x: x, func_type="aot")


def test_a_primitive_keeps_its_arguments():
    class Own(ops.PrimitiveWithInfer):
        @ops.prim_attr_register
        def __init__(self, axis, keep=False):
            self.both = (axis, keep)

    own = Own(3)
    assert (own.axis, own.keep, own.both, own.name) == (3, False, (3, False), "Own")
    assert own.attrs == {"axis": 3, "keep": False}


def test_a_mask_drops_what_it_says():
    ms.set_seed(0)
    mask = ops.DropoutGenMask()((100, 10), Tensor(0.7, ms.float32))
    kept = ops.DropoutDoMask()(ops.ones((100, 10)), mask, Tensor(0.7, ms.float32)).asnumpy()
    assert set(np.unique(kept).round(4)) == {0.0, np.float32(1 / 0.7).round(4)}
    assert 0.65 < (kept > 0).mean() < 0.75


def test_what_is_copied_is_written_in_place():
    x = tensor()
    np.testing.assert_allclose(ops.CopyWithSlice()(x, tensor(X * 3)).asnumpy(), X * 3)
    np.testing.assert_allclose(x.asnumpy(), X * 3)


def test_a_wrong_row_leaves_the_tensor_as_it_was():
    x = tensor()
    with pytest.raises(ValueError, match="must have the shape"):
        ops.inplace_update(x, tensor(), 1)
    np.testing.assert_array_equal(x.asnumpy(), X)


def test_a_dump_is_a_file_of_numpy(tmp_path):
    ops.TensorDump()(str(tmp_path / "x"), tensor())
    (written,) = tmp_path.iterdir()
    assert written.name == "x_float32_0.npy"
    np.testing.assert_array_equal(np.load(written), X)


def test_nan_is_an_error_of_check_numerics():
    with pytest.raises(RuntimeError, match="NaN"):
        ops.CheckNumerics()(tensor([np.nan]))


def test_quantiles_are_those_of_numpy():
    for axis in (None, 0, 1):
        found = ops.quantile(tensor(), 0.3, axis).asnumpy()
        np.testing.assert_allclose(found, np.quantile(X, 0.3, axis), rtol=1e-6)


def test_bessel_functions_keep_64_bits():
    from scipy import special

    x = np.array([0.3, 2.5])
    for name in ("j0", "j1", "y0", "y1", "k0", "k1"):
        found = getattr(ops, f"bessel_{name}")(Tensor(x)).asnumpy()
        np.testing.assert_array_equal(found, getattr(special, name)(x))


@pytest.mark.parametrize("name", ["J", "MoveTo", "Push"])
def test_what_is_left_out_says_so(name):
    with pytest.raises(NotImplementedError, match=f"leaves out ops.{name}"):
        getattr(ops, name)().add_prim_attr("cut", 2)(3)


@pytest.mark.parametrize("name", ["swiglu", "all_gather_matmul"])
def test_a_function_that_is_left_out_says_so(name):
    with pytest.raises(NotImplementedError, match=f"leaves out ops.{name}"):
        getattr(ops, name)()
