"""Making Tensors, printing them, and what a Tensor says of itself (facts 2.1, 2.2, 2.4, 2.5)."""

import copy
import pickle

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor
from mindspore.common.initializer import One

from tests.parity.case import case

MADE = {
    "int": (lambda: Tensor(3),),
    "float": (lambda: Tensor(2.5),),
    "bool": (lambda: Tensor(True),),
    "complex": (lambda: Tensor(1 + 2j),),
    "big_int": (lambda: Tensor(2**40),),
    "huge_float": (lambda: Tensor(1e300),),
    "ints": (lambda: Tensor([1, 2, 3]),),
    "floats": (lambda: Tensor([1.0, 2.0]),),
    "mixed": (lambda: Tensor([1, 2.5]),),
    "bools": (lambda: Tensor([True, False]),),
    "bool_and_int": (lambda: Tensor([True, 2]),),
    "complexes": (lambda: Tensor([1 + 2j, 3]),),
    "empty": (lambda: Tensor([]),),
    "empty_rows": (lambda: Tensor([[], []]),),
    "tuple": (lambda: Tensor((1.0, 2.0)),),
    "nested": (lambda: Tensor([[1, 2], [3, 4]]),),
    "nested_tuples": (lambda: Tensor(((1, 2), (3, 4))),),
    "float64_array": (lambda: Tensor(np.array([1.0, 2.0])),),
    "float32_array": (lambda: Tensor(np.array([1.0], np.float32)),),
    "float16_array": (lambda: Tensor(np.array([1.5], np.float16)),),
    "int32_array": (lambda: Tensor(np.array([1], np.int32)),),
    "int8_array": (lambda: Tensor(np.array([-1], np.int8)),),
    "uint8_array": (lambda: Tensor(np.array([255], np.uint8)),),
    "uint16_array": (lambda: Tensor(np.array([65535], np.uint16)),),
    "bool_array": (lambda: Tensor(np.array([True])),),
    "complex64_array": (lambda: Tensor(np.array([1j], np.complex64)),),
    "scalar_array": (lambda: Tensor(np.array(3.0)),),
    "numpy_float64": (lambda: Tensor(np.float64(1.5)),),
    "numpy_int32": (lambda: Tensor(np.int32(7)),),
    "numpy_bool": (lambda: Tensor(np.bool_(True)),),
    "list_of_arrays": (lambda: Tensor([np.array([1.0, 2.0]), np.array([3.0, 4.0])]),),
    "list_of_int_arrays": (lambda: Tensor([np.array([1, 2]), np.array([3, 4])]),),
    "list_of_int32_arrays": (lambda: Tensor([np.array([1, 2], np.int32)]),),
    "list_of_uint8_arrays": (
        lambda: Tensor((np.array([1, 2], np.uint8), np.array([3, 4], np.uint8))),
    ),
    "array_and_ints": (lambda: Tensor([np.array([1, 2], np.int8), [3, 4]]),),
    "list_of_an_empty_array": (lambda: Tensor([np.array([], np.int32)]),),
    "list_of_numpy_uint8": (lambda: Tensor([np.uint8(1), np.uint8(2)]),),
    "list_of_numpy_int16_and_bool": (lambda: Tensor([np.int16(1), np.bool_(True)]),),
    "list_of_numpy_uint64_and_int": (lambda: Tensor([np.uint64(1), 2]),),
    "list_of_uint8_tensors": (lambda: Tensor([Tensor(1, ms.uint8), Tensor(2, ms.uint8)]),),
    "uint64": (lambda: Tensor(2**63),),
    "uint64_as_float": (lambda: Tensor(2**64 - 1, ms.float32),),
    "uint64_as_int32": (lambda: Tensor(2**63 + 5, ms.int32),),
    "list_of_uint64": (lambda: Tensor([2**63, 1]),),
    "list_of_uint64_and_negative": (lambda: Tensor([2**63, -1]),),
    "list_of_tensors": (lambda: Tensor([Tensor(1.0), Tensor(2.0)]),),
    "list_of_int_tensors": (lambda: Tensor([Tensor(1), Tensor(2)]),),
    "tensor": (lambda: Tensor(Tensor([1, 2])),),
    "parameter": (lambda: Tensor(Parameter(Tensor([1.0]), name="w")),),
    "cast_float_to_int": (lambda: Tensor([1.7, -1.7], ms.int32),),
    "cast_int_to_half": (lambda: Tensor([1, 2], ms.float16),),
    "cast_to_bfloat16": (lambda: Tensor([1.00390625], ms.bfloat16).astype(ms.float32),),
    "cast_to_bool": (lambda: Tensor([0.0, 0.5], ms.bool_),),
    "cast_array": (lambda: Tensor(np.array([1.5]), ms.float32),),
    "cast_tensor": (lambda: Tensor(Tensor([1.5]), ms.int64),),
    "function": (lambda: ms.tensor([1, 2]),),
    "function_dtype": (lambda: ms.tensor([1, 2], ms.float32),),
    "from_numpy": (lambda: Tensor.from_numpy(np.array([1, 2], np.int16)),),
}


@case.table(MADE)
def made(make):
    tensor = make()
    return tensor, tensor.shape, str(tensor.dtype), repr(tensor), str(tensor)


REFUSED = {
    "text": (lambda: Tensor("a"),),
    "None": (lambda: Tensor(None),),
    "nothing": (lambda: Tensor(),),
    "dict": (lambda: Tensor({"a": 1}),),
    "set": (lambda: Tensor({1}),),
    "ragged": (lambda: Tensor([[1], [1, 2]]),),
    "texts": (lambda: Tensor(["a"]),),
    "None_in_list": (lambda: Tensor([1, None]),),
    "too_big_int": (lambda: Tensor(2**70),),
    "dtype_text": (lambda: Tensor([1.0], "float32"),),
    "dtype_numpy": (lambda: Tensor([1.0], np.float32),),
    "const_arg": (lambda: Tensor([1.0], const_arg=1),),
    "object_array": (lambda: Tensor(np.array([None])),),
}


@case.table(REFUSED)
def refused(make):
    return make()


def square():
    return Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ms.float32)


SAYS = {
    "size": (lambda t: t.size,),
    "ndim": (lambda t: t.ndim,),
    "dim": (lambda t: t.dim(),),
    "itemsize": (lambda t: t.itemsize,),
    "nbytes": (lambda t: t.nbytes,),
    "strides": (lambda t: t.strides,),
    "shape": (lambda t: t.shape,),
    "dtype": (lambda t: t.dtype is ms.float32,),
    "len": (lambda t: len(t),),
    "T": (lambda t: t.T,),
    "iter": (lambda t: list(t),),
    "contains": (lambda t: 5.0 in t,),
    "not_contains": (lambda t: 7.0 in t,),
    "in_list": (lambda t: t in [t],),
    "hash": (lambda t: hash(t) == id(t) or hash(t) == hash(t),),
    "asnumpy": (lambda t: t.asnumpy(),),
    "numpy": (lambda t: t.numpy(),),
    "tolist": (lambda t: t.tolist(),),
    "writable": (lambda t: t.asnumpy().flags.writeable,),
    "f_string": (lambda t: f"{t}",),
    "percent": (lambda t: "%s" % t,),
    "type": (lambda t: t.type(),),
    "has_init": (lambda t: t.has_init,),
    "value": (lambda t: t.value() is t,),
    "copy": (lambda t: t.copy(),),
    "deepcopy": (lambda t: copy.deepcopy(t),),
    "pickle": (lambda t: pickle.loads(pickle.dumps(t)),),
    "is_tensor": (lambda t: isinstance(t, Tensor),),
    "detach": (lambda t: hasattr(t, "detach"),),
    "missing": (lambda t: t.no_such_name,),
    "format_spec": (lambda t: format(t, ".3f"),),
    "bool_of_many": (lambda t: bool(t),),
    "item_of_many": (lambda t: t.item(),),
    "item_with_index": (lambda t: t.item(1),),
    "float_of_many": (lambda t: float(t),),
    "int_of_many": (lambda t: int(t),),
}


@case.table(SAYS)
def says(ask):
    return ask(square())


SCALAR = {
    "item": (lambda t: t.item(),),
    "float": (lambda t: float(t),),
    "int": (lambda t: int(t),),
    "bool": (lambda t: bool(t),),
    "round": (lambda t: round(t),),
    "percent": (lambda t: "%.2f" % t,),
    "str": (lambda t: str(t),),
    "repr": (lambda t: repr(t),),
    "len": (lambda t: len(t),),
    "iter": (lambda t: list(t),),
    "index_0": (lambda t: t[0],),
    "ellipsis": (lambda t: t[...],),
    "shape": (lambda t: t.shape,),
    "tolist": (lambda t: t.tolist(),),
}


@case.table(SCALAR)
def says_float_scalar(ask):
    return ask(Tensor(2.5, ms.float32))


@case.table(SCALAR)
def says_int_scalar(ask):
    return ask(Tensor(3, ms.int64))


@case.table(
    {**SCALAR, "range": (lambda t: list(range(t)),), "getitem": (lambda t: [1, 2, 3, 4][t],)}
)
def says_one_element(ask):
    return ask(Tensor([3], ms.int32))


SET_DTYPE = {"float16": (ms.float16,), "int32": (ms.int32,), "float64": (ms.float64,)}


@case.table(SET_DTYPE)
def set_dtype(dtype):
    tensor = square()
    return str(tensor.set_dtype(dtype)), tensor


@case
def assign_value():
    tensor = square()
    alias = tensor
    tensor.assign_value(Tensor([[7.0, 8.0, 9.0], [1.0, 1.0, 1.0]], ms.float32))
    return alias


@case
def augmented_assignment_makes_a_new_object():
    tensor = square()
    alias = tensor
    tensor += 1
    return tensor, alias, tensor is alias


@case
def numpy_array_is_copied():
    array = np.array([1.0, 2.0], np.float32)
    tensor = Tensor(array)
    array[0] = 100.0
    return tensor


INTEGER_NAMES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOAT_NAMES = ["float16", "float32", "float64", "bfloat16", "complex64", "complex128"]
DTYPE_NAMES = ["bool_", *INTEGER_NAMES, *FLOAT_NAMES, "int_", "float_", "number", "string"]


@case
def dtype_names():
    return {name: (repr(getattr(ms, name)), str(getattr(ms, name))) for name in DTYPE_NAMES}


@case
def dtype_conversions():
    return (
        [np.dtype(ms.dtype_to_nptype(getattr(ms, n))).name for n in DTYPE_NAMES[:12]],
        [str(ms.pytype_to_dtype(t)) for t in (int, float, bool, np.float32, np.int64)],
        [ms.dtype_to_pytype(getattr(ms, n)).__name__ for n in DTYPE_NAMES[:12]],
        ms.float32 == "float32",
        ms.float32 in (ms.float16, ms.float32),
        copy.deepcopy(ms.float32) == ms.float32,
    )


@case
def signed_dtypes():
    return [Tensor(1, getattr(ms, name)).is_signed() for name in DTYPE_NAMES[:15]]


@case.table(
    {
        "array": (np.ones((2, 2), np.float32), {"shape": (4,)}),
        "its_own": (np.ones((2, 2), np.float32), {"shape": (2, 2), "dtype": ms.float16}),
        "number": (1.5, {"shape": ()}),
        "initialized": ([1.0], {"shape": (1,), "dtype": ms.float32, "init": One()}),
        "none": ([1.0], {"shape": None}),
        "zeros": (None, {"shape": (2,), "dtype": ms.float16}),
    }
)
def shape_beside_values(values, settings):
    return Tensor(values, **settings)
