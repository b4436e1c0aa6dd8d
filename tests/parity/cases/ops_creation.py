"""New Tensors and conversions between dtypes: values, dtypes, shapes, errors."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case

DTYPES = {
    name: (name,)
    for name in (
        *("bool_", "int8", "int16", "int32", "int64", "uint8"),
        *("float16", "bfloat16", "float32", "float64"),
    )
}


@case.table(
    {
        "ones": (lambda: ops.ones((2,)),),
        "ones_int": (lambda: ops.ones(2),),
        "ones_tensor": (lambda: ops.ones(Tensor([2, 3])),),
        "ones_dtype": (lambda: ops.ones((2,), ms.int64),),
        "ones_bool": (lambda: ops.ones((2,), dtype=ms.bool_),),
        "ones_two_numbers": (lambda: ops.ones(2, 3),),
        "zeros": (lambda: ops.zeros((2, 3), ms.float16),),
        "zeros_list": (lambda: ops.zeros([2, 3]),),
        "zeros_negative": (lambda: ops.zeros((-1,)),),
        "zeros_float": (lambda: ops.zeros(2.0),),
        "zeros_bool": (lambda: ops.zeros(True),),
        "Zeros": (lambda: ops.Zeros()((2,), ms.float32),),
        "Ones": (lambda: ops.Ones()(2, ms.int32),),
        "ones_like": (lambda: ops.ones_like(Tensor([1.5])),),
        "ones_like_dtype": (lambda: ops.ones_like(Tensor([1.5]), dtype=ms.int64),),
        "zeros_like": (lambda: ops.zeros_like(Tensor([3], ms.int32)),),
        "zeros_like_number": (lambda: ops.zeros_like(3),),
        "OnesLike": (lambda: ops.OnesLike()(Tensor([1.5])),),
        "ZerosLike": (lambda: ops.ZerosLike()(Tensor([True])),),
        "full": (lambda: ops.full((2,), 3),),
        "full_dtype": (lambda: ops.full((2,), 3.5, dtype=ms.float32),),
        "full_int_size": (lambda: ops.full(2, 3),),
        "full_like": (lambda: ops.full_like(Tensor([1.5]), 3),),
        "full_like_dtype": (lambda: ops.full_like(Tensor([1.5]), 3.5, dtype=ms.int64),),
        "full_like_integers": (lambda: ops.full_like(Tensor([1]), 3.5),),
        "full_like_tensor": (lambda: ops.full_like(Tensor([1.5]), Tensor(3.0)),),
        "full_tensor_of_one": (lambda: ops.full((2,), Tensor([3.5]), dtype=ms.float32),),
        "full_tensor_of_two": (lambda: ops.full((2,), Tensor([0.5, 0.6])),),
        "fill": (lambda: ops.fill(ms.float32, (2,), 3),),
        "fill_cast": (lambda: ops.fill(ms.int32, (2,), 3.7),),
        "Fill": (lambda: ops.Fill()(ms.float32, (2,), 3.7),),
        "eye": (lambda: ops.eye(2),),
        "eye_wide": (lambda: ops.eye(2, 3),),
        "eye_dtype": (lambda: ops.eye(2, 3, ms.float16),),
        "eye_nothing": (lambda: ops.eye(0),),
        "eye_negative": (lambda: ops.eye(-1),),
        "Eye": (lambda: ops.Eye()(2, 3, ms.float32),),
        "arange": (lambda: ops.arange(5),),
        "arange_from": (lambda: ops.arange(1, 5),),
        "arange_step": (lambda: ops.arange(1, 5, 2),),
        "arange_float": (lambda: ops.arange(0, 1, 0.25),),
        "arange_float_end": (lambda: ops.arange(5.0),),
        "arange_float_step": (lambda: ops.arange(0.0, 1.0, 0.3),),
        "arange_dtype": (lambda: ops.arange(5, dtype=ms.float32),),
        "arange_int32": (lambda: ops.arange(2, 5, dtype=ms.int32),),
        "arange_down": (lambda: ops.arange(5, 0, -2),),
        "arange_away": (lambda: ops.arange(0, 5, -1),),
        "arange_zero_step": (lambda: ops.arange(0, 5, 0),),
        "arange_tensor": (lambda: ops.arange(Tensor(3)),),
        "linspace": (lambda: ops.linspace(0, 1, 5),),
        "linspace_one": (lambda: ops.linspace(0.0, 10.0, 1),),
        "linspace_none": (lambda: ops.linspace(0, 1, 0),),
        "linspace_tensors": (lambda: ops.linspace(Tensor(0.0), Tensor(1.0), 3),),
        "LinSpace": (lambda: ops.LinSpace()(Tensor(0.0), Tensor(1.0), 3),),
        "range": (lambda: ops.range(0, 6, 2),),
        "range_tensors": (lambda: ops.range(Tensor(0), Tensor(6), Tensor(2)),),
        "range_float": (lambda: ops.range(0.0, 1.0, 0.5),),
        "Range": (lambda: ops.Range()(Tensor(0), Tensor(6), Tensor(2)),),
        "scalar_to_tensor": (lambda: ops.scalar_to_tensor(3),),
        "scalar_to_tensor_dtype": (lambda: ops.scalar_to_tensor(3, ms.int64),),
        "ScalarToTensor": (lambda: ops.ScalarToTensor()(3),),
        "tuple_to_array": (lambda: ops.tuple_to_array((1, 2, 3)),),
        "TupleToArray_mixed": (lambda: ops.TupleToArray()((1, 2.0, 3)),),
        "new_zeros": (lambda: Tensor([1.5]).new_zeros((2, 3)),),
        "new_ones": (lambda: Tensor([1]).new_ones(2),),
        "new_ones_dtype": (lambda: Tensor([1.5]).new_ones((2,), dtype=ms.int64),),
    }
)
def made(make):
    return make()


@case.table(DTYPES)
def full_of_dtype(name):
    kind = getattr(ms, name)
    return ops.ones((2,), kind), ops.zeros((2,), kind)


@case.table(
    {
        "randn": (lambda: ops.randn(2, 3),),
        "randn_tuple": (lambda: ops.randn((2, 3)),),
        "randn_dtype": (lambda: ops.randn(2, dtype=ms.float16),),
        "rand": (lambda: ops.rand(2, 3),),
        "rand_like": (lambda: ops.rand_like(Tensor([1.5])),),
        "randn_like": (lambda: ops.randn_like(Tensor([1.5])),),
        "standard_normal": (lambda: ops.standard_normal((2, 3)),),
        "StandardNormal": (lambda: ops.StandardNormal()((2, 3)),),
        "normal": (lambda: ops.normal((2, 3), Tensor(0.0), Tensor(1.0)),),
        "normal_numbers": (lambda: ops.normal((2, 3), 0.0, 1.0),),
        "normal_broadcast": (lambda: ops.normal((2, 3), Tensor([0.0, 1.0, 2.0]), Tensor(1.0)),),
        "uniform": (lambda: ops.uniform((2, 3), Tensor(0.0), Tensor(1.0)),),
        "uniform_numbers": (lambda: ops.uniform((2, 3), 0.0, 1.0),),
        "uniform_wrong_ints": (lambda: ops.uniform((2, 3), Tensor(0), Tensor(9), dtype=ms.int32),),
        "uniform_ints": (
            lambda: ops.uniform((2, 3), Tensor(0, ms.int32), Tensor(9, ms.int32), dtype=ms.int32),
        ),
        "UniformReal": (lambda: ops.UniformReal()((2,)),),
        "UniformInt": (lambda: ops.UniformInt()((2,), Tensor(0, ms.int32), Tensor(5, ms.int32)),),
        "randint": (lambda: ops.randint(0, 5, (2,)),),
        "randint_dtype": (lambda: ops.randint(0, 5, (2,), dtype=ms.int32),),
        "randperm": (lambda: ops.randperm(5),),
        "multinomial": (lambda: ops.multinomial(Tensor([0.0, 1.0, 1.0]), 2, False),),
    }
)
def random_shape_and_dtype(make):
    result = make()
    return result.shape, result.dtype


@case.table(
    {
        "bernoulli": (lambda: ops.bernoulli(Tensor([0.0, 1.0]), Tensor([0.0, 1.0])),),
        "multinomial": (lambda: ops.multinomial(Tensor([0.0, 1.0]), 3),),
        "multinomial_rows": (lambda: ops.multinomial(Tensor([[0.0, 1.0], [1.0, 0.0]]), 2),),
        "randperm": (lambda: ops.sort(ops.randperm(5))[0],),
        "mean": (lambda: abs(float(ops.randn(10000).mean())) < 0.05,),
        "deviation": (lambda: abs(float(ops.randn(10000).std()) - 1) < 0.05,),
        "range": (lambda: bool((ops.rand(1000) < 1).all()) and bool((ops.rand(1000) >= 0).all()),),
        "integers": (lambda: sorted(set(ops.randint(0, 3, (200,)).asnumpy().tolist())),),
    }
)
def random_values(make):
    return make()


@case
def seed_repeats_numbers():
    ms.set_seed(1)
    a, b = ops.rand(3), ops.rand(3)
    ms.set_seed(1)
    c, d = ops.rand(3), ops.rand(3)
    return [bool((x == y).all()) for x, y in ((a, b), (a, c), (b, d))]


@case
def an_operator_seed_is_a_stream():
    a, b = ops.rand(3, seed=5), ops.rand(3, seed=5)
    return bool((a == b).all())


@case.table({f"{a}_{b}": (a, b) for a in DTYPES for b in DTYPES})
def converted(source, target):
    return Tensor([0, 1, 2], getattr(ms, source)).astype(getattr(ms, target))


@case.table(
    {
        "truncates": (lambda x: x.astype(ms.int32),),
        "string": (lambda x: x.astype("int32"),),
        "numpy": (lambda x: x.astype(np.int32),),
        "python": (lambda x: x.astype(int),),
        "copy": (lambda x: x.astype(ms.int64, copy=False),),
        "to": (lambda x: x.to(ms.int32),),
        "to_half": (lambda x: x.to(ms.float16),),
        "half": (lambda x: x.half(),),
        "float": (lambda x: x.float(),),
        "double": (lambda x: x.double(),),
        "bfloat16": (lambda x: x.bfloat16(),),
        "int": (lambda x: x.int(),),
        "long": (lambda x: x.long(),),
        "short": (lambda x: x.short(),),
        "byte": (lambda x: x.byte(),),
        "bool": (lambda x: x.bool(),),
        "uint8_wraps": (lambda x: (x * 200).astype(ms.uint8),),
        "type": (lambda x: x.type(),),
        "type_to": (lambda x: x.type(ms.int32),),
        "type_as": (lambda x: x.type_as(Tensor([1])),),
        "cast": (lambda x: ops.cast(x, ms.int32),),
        "cast_same_is_the_tensor": (lambda x: ops.cast(x, ms.float32) is x,),
        "astype_same_is_another": (lambda x: x.astype(ms.float32) is x,),
        "Cast": (lambda x: ops.Cast()(x, ms.int32),),
        "cast_int": (lambda x: ops.cast(3, ms.float32),),
        "cast_float": (lambda x: ops.cast(3.7, ms.int32),),
        "cast_bool": (lambda x: ops.cast(True, ms.float32),),
        "cast_int_": (lambda x: ops.cast(x, ms.int_),),
        "cast_float_": (lambda x: ops.cast(x, ms.float_),),
        "dtype": (lambda x: ops.dtype(x),),
        "DType": (lambda x: ops.DType()(x),),
        "is_floating_point": (lambda x: (x.is_floating_point(), x.int().is_floating_point()),),
        "is_signed": (lambda x: (x.is_signed(), x.byte().is_signed()),),
        "bad_string": (lambda x: x.astype("bad"),),
        "bad_number": (lambda x: x.astype(3),),
        "cast_string": (lambda x: ops.cast(x, "int32"),),
        "cast_python": (lambda x: ops.cast(x, int),),
        "cast_tuple": (lambda x: ops.cast((1, 2), ms.float32),),
        "dtype_of_number": (lambda x: ops.dtype(3),),
    }
)
def conversion(convert):
    return convert(Tensor([1.7, -1.7, 0.0]))


@case.table(
    {
        "to_int": (lambda x: x.astype(ms.int32),),
        "through_int": (lambda x: x.astype(ms.int32) * 2,),
        "cast_to_int": (lambda x: ops.cast(x, ms.int64),),
        "to_bool": (lambda x: x.astype(ms.bool_),),
        "to_half": (lambda x: x.astype(ms.float16) * 3,),
        "to_double": (lambda x: x.astype(ms.float64) * 3,),
        "int_and_back": (lambda x: x.astype(ms.int32).astype(ms.float32) * 2,),
        "int_to_int": (lambda x: x.astype(ms.int32).astype(ms.int64) * 2,),
        "same": (lambda x: x.astype(ms.float32) * 2,),
    }
)
def gradient_through_conversion(function):
    return ms.grad(function)(Tensor([1.5, 2.5]))


@case.table(
    {
        "to_float": (lambda x: x.astype(ms.float32) * 2,),
        "to_int": (lambda x: x.astype(ms.int32) * 2,),
        "same": (lambda x: x.astype(ms.int64) * 2,),
    }
)
def gradient_of_converted_integers(function):
    return ms.grad(function)(Tensor([1, 2]))


@case
def a_cast_to_the_same_dtype_is_a_view():
    a = Tensor([1.0, 2.0])
    b, c, d = a.astype(ms.float32), a.to(ms.float32), a.float()
    b[0] = 9
    a[1] = 7
    return a, b, c, d


def fill(x, value):
    return ops.fill(ms.float32, (3,), value)


def fill_integers(x, value):
    return ops.fill(ms.int32, (3,), ops.stop_gradient(value))


def fill_primitive(x, value):
    return ops.Fill()(ms.float32, (3,), value)


def full(x, value):
    return ops.full((3,), value, dtype=ms.float32)


def full_like(x, value):
    return ops.full_like(x, value)


FILLED = {f.__name__: (f,) for f in (fill, fill_integers, fill_primitive, full, full_like)}


@case.table(FILLED)
def gradient_of_a_filling_tensor(filled):
    return ms.value_and_grad(lambda x: (filled(x, x.sum()) * x).sum())(Tensor([1.0, 2.0, 4.0]))


@case.table(FILLED)
def filling_tensor_in_a_compiled_cell(filled):
    class Filled(ms.nn.Cell):
        @ms.jit
        def construct(self, x):
            total = x.sum()
            return filled(x, total), not total > 1.0

    return Filled()(Tensor([1.0, 2.0, 4.0]))
