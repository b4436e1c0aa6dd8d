"""In-place methods of Tensor that 2.10 runs on an Ascend device only, and what is stored how."""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor


def x():
    return Tensor(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))


CASES = {
    "addmm_": ((x(), x()), [[8, 12], [18, 26]]),
    "clamp_": ((2.0, 3.0), [[2, 2], [3, 3]]),
    "masked_fill_": ((x() > 2, 0.0), [[1, 2], [0, 0]]),
    "masked_scatter_": ((x() > 2, Tensor([9.0, 8.0])), [[1, 2], [9, 8]]),
    "scatter_": ((1, Tensor([[0], [1]]), Tensor([[9.0], [9.0]])), [[9, 2], [3, 9]]),
    "scatter_add_": ((1, Tensor([[0], [1]]), Tensor([[9.0], [9.0]])), [[10, 2], [3, 13]]),
    "index_put_": (((Tensor([0]),), Tensor([9.0, 7.0])), [[9, 7], [3, 4]]),
    "put_": ((Tensor([0, 3]), Tensor([9.0, 7.0])), [[9, 2], [3, 7]]),
    "index_copy_": ((1, Tensor([0]), Tensor([[7.0], [8.0]])), [[7, 2], [8, 4]]),
    "floor_": ((), [[1, 2], [3, 4]]),
    "sign_": ((), [[1, 1], [1, 1]]),
}


@pytest.mark.parametrize("name", CASES)
def test_written_in_place(name):
    args, want = CASES[name]
    tensor = x()
    alias = tensor.view(4)
    assert getattr(tensor, name)(*args) is tensor
    np.testing.assert_array_equal(tensor.asnumpy(), np.array(want, np.float32))
    np.testing.assert_array_equal(alias.asnumpy(), np.array(want, np.float32).ravel())


def test_the_gradient_of_what_was_written():
    def clamped(a):
        return (a * 2).clamp_(3.0, 7.0).sum()

    np.testing.assert_array_equal(ms.grad(clamped)(x()).asnumpy(), [[0, 2], [2, 0]])


def test_random_values_lie_in_their_range():
    ms.set_seed(1)
    whole = ms.ops.zeros((50,)).random_(2, 5).asnumpy()
    assert set(whole) == {2.0, 3.0, 4.0}
    assert (ms.ops.zeros((50,)).exponential_(2.0).asnumpy() >= 0).all()
    assert set(ms.ops.zeros((50,)).bernoulli_(0.5).asnumpy()) == {0.0, 1.0}


def test_capsules_and_bytes_come_back():
    np.testing.assert_array_equal(Tensor.from_dlpack(x().to_dlpack()).asnumpy(), x().asnumpy())
    back = Tensor.convert_bytes_to_tensor(x().get_bytes(), (2, 2), ms.float32)
    np.testing.assert_array_equal(back.asnumpy(), x().asnumpy())
    storage = x().untyped_storage()
    assert (storage.nbytes(), len(storage.tolist())) == (16, 16)
    with pytest.raises(RuntimeError, match="resized"):
        storage.resize_(0)


def test_requires_grad_of_a_parameter():
    weight = ms.Parameter(x(), "weight")
    weight.requires_grad_(False)
    assert not weight.requires_grad
    x().requires_grad_()
