"""``COOTensor``, ``CSRTensor``, ``RowTensor``: what 2.10 runs of them on a CPU."""

import mindspore as ms
import numpy as np
from mindspore import COOTensor, CSRTensor, RowTensor, Tensor, ops

from tests.parity.case import case


def values():
    return Tensor([1.0, 2.0], ms.float32)


def places(dtype=ms.int64):
    return Tensor([[0, 1], [1, 2]], dtype)


def coo():
    return COOTensor(places(), values(), (3, 4))


def csr():
    return CSRTensor(Tensor([0, 1, 2, 2], ms.int32), Tensor([1, 2], ms.int32), values(), (3, 4))


def rows():
    return RowTensor(Tensor([0, 2], ms.int32), Tensor([[1, 2], [3, 4]], ms.float32), (3, 2))


def twice():
    return COOTensor(Tensor([[1, 0], [0, 0], [1, 0]]), Tensor([1.0, 2.0, 3.0]), (2, 2))


def dense():
    return Tensor(np.full((3, 4), 2, np.float32))


CALLS = {
    "tuple": lambda: coo().to_tuple(),
    "dense": lambda: coo().to_dense(),
    "dense_twice": lambda: twice().to_dense(),
    "about": lambda: [getattr(coo(), n) for n in ("shape", "dtype", "size", "ndim", "itemsize")],
    "coalesce": lambda: twice().coalesce().to_tuple(),
    "abs": lambda: (-coo()).abs().to_tuple(),
    "astype": lambda: coo().astype(ms.float64).to_tuple(),
    "add": lambda: (coo() + coo()).to_tuple(),
    "sub": lambda: (coo() - coo()).to_tuple(),
    "add_threshold": lambda: coo().add(coo(), Tensor(3.0, ms.float32)).to_tuple(),
    "add_dense": lambda: coo() + dense(),
    "concat": lambda: ops.coo_concat((coo(), coo())).to_tuple(),
    "repr": lambda: repr(coo()),
    "csr_tuple": lambda: csr().to_tuple(),
    "csr_dense": lambda: csr().to_dense(),
    "csr_add": lambda: (csr() + csr()).to_tuple(),
    "csr_neg": lambda: (-csr()).to_tuple(),
    "csr_about": lambda: [getattr(csr(), n) for n in ("shape", "dtype", "size", "ndim")],
    "csr_repr": lambda: repr(csr()),
    "rows": lambda: [rows().indices, rows().values, rows().dense_shape],
    "rows_repr": lambda: repr(rows()),
    "to_coo": lambda: ops.dense_to_sparse_coo(Tensor([[0, 1.0], [2, 0]])).to_tuple(),
    "to_csr": lambda: ops.dense_to_sparse_csr(Tensor([[0, 1.0], [2, 0]])).to_tuple(),
    "coo_exp": lambda: ops.coo_exp(coo()).to_tuple(),
    "csr_exp": lambda: ops.csr_exp(csr()).to_tuple(),
    "coo_relu": lambda: ops.coo_relu(-coo()).to_tuple(),
    "gradient": lambda: ms.grad(lambda v: COOTensor(places(), v, (3, 4)).to_dense().sum() * 2)(
        values()
    ),
}


@case.table({name: (name,) for name in CALLS})
def sparse(name):
    return CALLS[name]()


WRONG = {
    "shape_list": lambda: COOTensor(places(), values(), [3, 4]),
    "one_size": lambda: COOTensor(places(), values(), (3,)),
    "indices": lambda: COOTensor([[0, 1]], values(), (3, 4)),
    "indices_float": lambda: COOTensor(places(ms.float32), values(), (3, 4)),
    "number": lambda: COOTensor(places(), Tensor([1.0]), (3, 4)),
    "nothing": lambda: COOTensor(),
    "csr_rows": lambda: CSRTensor(Tensor([0, 1]), Tensor([1, 2]), values(), (3, 4)),
    "csr_shape": lambda: CSRTensor(Tensor([0, 1, 2, 2]), Tensor([1, 2]), values(), (3,)),
    "csr_int": lambda: CSRTensor(3, Tensor([1, 2]), values(), (3, 4)),
    "three_dimensions": lambda: ops.dense_to_sparse_coo(Tensor(np.ones((2, 2, 2)))),
}


@case.table({name: (name,) for name in WRONG})
def wrong(name):
    return WRONG[name]()
