"""Embedding: tables, values, gradients, indices and errors."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.parity.case import case


def ids(dtype=ms.int32):
    return Tensor([[0, 2], [4, 1]], dtype)


def table():
    return Tensor(np.arange(15).reshape(5, 3), ms.float32)


@case.table(
    {
        "plain": ({},),
        "one_hot": ({"use_one_hot": True},),
        "padding": ({"padding_idx": 2},),
        "padding_one_hot": ({"padding_idx": 2, "use_one_hot": True},),
        "ones": ({"embedding_table": "ones"},),
        "tensor": ({"embedding_table": table()},),
        "tensor_padding": ({"embedding_table": table(), "padding_idx": 0},),
        "uniform": ({"embedding_table": "uniform"},),
    }
)
def embedding(options):
    ms.set_seed(1)
    layer = nn.Embedding(5, 3, **options)
    return repr(layer), list(layer.get_parameters()), layer(ids())


@case.table(
    {
        "vocab_0": ({"vocab_size": 0},),
        "vocab_str": ({"vocab_size": "a"},),
        "vocab_bool": ({"vocab_size": True},),
        "size_negative": ({"embedding_size": -1},),
        "size_float": ({"embedding_size": 2.0},),
        "one_hot_int": ({"use_one_hot": 1},),
        "padding_7": ({"padding_idx": 7},),
        "padding_negative": ({"padding_idx": -1},),
        "padding_str": ({"padding_idx": "a"},),
        "table_shape": ({"embedding_table": Tensor(np.ones((4, 3)), ms.float32)},),
        "table_name": ({"embedding_table": "bad"},),
    },
    message=True,
)
def construction_errors(options):
    return repr(nn.Embedding(**{"vocab_size": 5, "embedding_size": 3, **options}))


@case.table(
    {
        "scalar": (lambda: Tensor(3, ms.int32),),
        "vector": (lambda: Tensor([3, 0], ms.int64),),
        "three_dimensions": (lambda: Tensor(np.ones((2, 1, 3)), ms.int32),),
        "short": (lambda: ids(ms.int16),),
        "negative": (lambda: Tensor([-1], ms.int32),),
        "out_of_range": (lambda: Tensor([5], ms.int32),),
        "float": (lambda: Tensor([1.0], ms.float32),),
        "bool": (lambda: Tensor([True]),),
        "number": (lambda: 3,),
    }
)
def inputs(make):
    return nn.Embedding(5, 3, embedding_table=table())(make())


@case
def one_hot_out_of_range():
    return nn.Embedding(5, 3, True, embedding_table=table())(Tensor([5, 1], ms.int32))


@case.table({"plain": ({},), "one_hot": ({"use_one_hot": True},), "padding": ({"padding_idx": 1},)})
def gradient(options):
    layer = nn.Embedding(5, 3, **options)
    twice = Tensor([[0, 2], [2, 1]], ms.int32)
    return ms.grad(lambda i: layer(i).sum(), None, layer.trainable_params())(twice)


@case
def in_half_precision():
    return nn.Embedding(5, 3, embedding_table=table()).to_float(ms.float16)(ids())


@case.table({"float16": (ms.float16,), "float64": (ms.float64,)})
def dtype_of_the_table(dtype):
    layer = nn.Embedding(5, 3, dtype=dtype)
    return layer.embedding_table.dtype, layer(ids()).dtype
