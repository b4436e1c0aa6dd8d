"""The dtype objects against what MindSpore 2.10 was observed to do."""

from __future__ import annotations

import builtins
import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

from msgrad.common import dtype as mstype

CONCRETE = [
    ("bool_", "mindspore.bool", "Bool", np.bool_, 1),
    ("int8", "mindspore.int8", "Int8", np.int8, 1),
    ("int16", "mindspore.int16", "Int16", np.int16, 2),
    ("int32", "mindspore.int32", "Int32", np.int32, 4),
    ("int64", "mindspore.int64", "Int64", np.int64, 8),
    ("uint8", "mindspore.uint8", "UInt8", np.uint8, 1),
    ("uint16", "mindspore.uint16", "UInt16", np.uint16, 2),
    ("uint32", "mindspore.uint32", "UInt32", np.uint32, 4),
    ("uint64", "mindspore.uint64", "UInt64", np.uint64, 8),
    ("float16", "mindspore.float16", "Float16", np.float16, 2),
    ("float32", "mindspore.float32", "Float32", np.float32, 4),
    ("float64", "mindspore.float64", "Float64", np.float64, 8),
    ("bfloat16", "mindspore.bfloat16", "BFloat16", ml_dtypes.bfloat16, 2),
    ("complex64", "mindspore.complex64", "Complex64", np.complex64, 8),
    ("complex128", "mindspore.complex128", "Complex128", np.complex128, 16),
    ("float8_e4m3fn", "mindspore.float8_e4m3fn", "Float8E4M3FN", ml_dtypes.float8_e4m3fn, 1),
    ("float8_e5m2", "mindspore.float8_e5m2", "Float8E5M2", ml_dtypes.float8_e5m2, 1),
]
ABSTRACT = [
    ("hifloat8", "mindspore.hifloat8", "HiFloat8"),
    ("qint4x2", "mindspore.int4", "Int4"),
    ("int_", "mindspore.int", "Int"),
    ("uint", "mindspore.uint", "UInt"),
    ("float_", "mindspore.float", "Float"),
    ("number", "mindspore.number", "Number"),
    ("string", "mindspore.string_", "String"),
    ("list_", "mindspore.list_", "List"),
    ("tuple_", "mindspore.tuple_", "Tuple"),
    ("tensor_type", "mindspore.tensor", "Tensor"),
    ("type_none", "mindspore.type_none", "None"),
    ("type_type", "mindspore.type_type", "TypeType"),
    ("function", "mindspore.function", "Func"),
    ("_null", "mindspore.Null", "Null"),
]
NAMES = [row[0] for row in CONCRETE + ABSTRACT]


@pytest.mark.parametrize(("name", "text", "title", "scalar", "size"), CONCRETE)
def test_concrete_dtype(name, text, title, scalar, size):
    dtype = getattr(mstype, name)
    assert (repr(dtype), str(dtype), dtype.itemsize) == (text, title, size)
    assert dtype.np_dtype == np.dtype(scalar)
    assert mstype.from_numpy(np.zeros(1, scalar).dtype) is dtype
    assert mstype.to_numpy(dtype) == np.dtype(scalar)
    assert mstype.to_numpy(scalar) == np.dtype(scalar)
    assert mstype.to_numpy(np.dtype(scalar)) == np.dtype(scalar)
    assert mstype.dtype_to_nptype(dtype) is scalar
    assert mstype.type_size_in_bytes(dtype) == size


@pytest.mark.parametrize(("name", "text", "title"), ABSTRACT)
def test_type_without_arrays(name, text, title):
    dtype = getattr(mstype, name)
    assert (repr(dtype), str(dtype), dtype.np_dtype) == (text, title, None)
    with pytest.raises(KeyError):
        mstype.dtype_to_nptype(dtype)
    with pytest.raises((TypeError, NotImplementedError)):
        mstype.to_numpy(dtype)


@pytest.mark.parametrize("name", NAMES)
def test_dtypes_are_singletons(name):
    dtype = getattr(mstype, name)
    assert copy.copy(dtype) is dtype
    assert copy.deepcopy([dtype])[0] is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert {dtype: 1}[dtype] == 1
    assert not callable(dtype)
    assert [other for other in NAMES if getattr(mstype, other) == dtype] == [name]


def test_a_dtype_is_not_its_name_or_numpy_type():
    assert mstype.float32 != "float32"
    assert mstype.float32 != np.float32
    assert mstype.float32 in (mstype.float16, mstype.float32)


ALIASES = {
    "bool": "bool_",
    "byte": "int8",
    "short": "int16",
    "int": "int32",
    "intc": "int32",
    "long": "int64",
    "intp": "int64",
    "ubyte": "uint8",
    "ushort": "uint16",
    "uintc": "uint32",
    "uintp": "uint64",
    "half": "float16",
    "float": "float32",
    "single": "float32",
    "double": "float64",
    "cfloat": "complex64",
    "cdouble": "complex128",
}


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_alias(alias, name):
    assert getattr(mstype, alias) is getattr(mstype, name)


def test_classes_give_the_existing_dtypes():
    assert mstype.Float(32) is mstype.float32
    assert mstype.Int(8) is mstype.int8
    assert mstype.Int() is mstype.int_
    assert mstype.Bool() is mstype.bool_
    assert mstype.String() is mstype.string
    assert mstype.TensorType() is mstype.tensor_type
    assert isinstance(mstype.int8, mstype.Int)
    assert isinstance(mstype.int8, mstype.Type)
    with pytest.raises(RuntimeError, match="Int type only support number of"):
        mstype.Int(7)
    with pytest.raises(RuntimeError, match="but got 8bits"):
        mstype.Float(8)


def test_tensor_type_of_an_element_type():
    made = mstype.TensorType(mstype.float32)
    assert (repr(made), str(made)) == ("mindspore.tensor[float32]", "Tensor[Float32]")
    assert made is mstype.TensorType(mstype.float32)
    assert pickle.loads(pickle.dumps(made)) is made
    assert made != mstype.TensorType(mstype.int32)


def test_groups_of_types():
    assert mstype.int_type == (mstype.int8, mstype.int16, mstype.int32, mstype.int64)
    assert mstype.uint_type == (mstype.uint8, mstype.uint16, mstype.uint32, mstype.uint64)
    assert mstype.bool_ not in mstype.number_type
    assert mstype.all_types == (mstype.bool_, *mstype.number_type)
    assert len(mstype.number_type) == 18
    assert mstype.complex_type == (mstype.complex64, mstype.complex128)
    assert not set(mstype.uint_type) & set(mstype.signed_type)


@pytest.mark.parametrize(
    ("name", "is_complex", "is_floating_point", "is_signed"),
    [
        ("bool_", False, False, False),
        ("int8", False, False, True),
        ("uint8", False, False, False),
        ("float16", False, True, True),
        ("bfloat16", False, True, True),
        ("complex64", True, False, True),
        ("number", False, False, False),
    ],
)
def test_properties(name, is_complex, is_floating_point, is_signed):
    dtype = getattr(mstype, name)
    found = (dtype.is_complex, dtype.is_floating_point, dtype.is_signed)
    assert found == (is_complex, is_floating_point, is_signed)


def test_real_and_complex_counterparts():
    assert mstype.complex64.to_real() is mstype.float32
    assert mstype.int8.to_real() is mstype.int8
    assert mstype.bfloat16.to_complex() is mstype.complex64
    assert mstype.float64.to_complex() is mstype.complex128
    with pytest.raises(TypeError, match="Cannot convert type float16 to complex type"):
        mstype.float16.to_complex()
    with pytest.raises(TypeError, match="Cannot convert type int to real type"):
        mstype.int_.to_real()
    assert not hasattr(mstype.string, "itemsize")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("int32", "int32"),
        ("Int32", "int32"),
        ("float", "float64"),
        ("int", "int64"),
        ("bool", "bool_"),
        ("bool_", "bool_"),
        ("uint", "uint64"),
        ("half", "float16"),
        ("bfloat16", "bfloat16"),
        (builtins.int, "int64"),
        (builtins.float, "float64"),
        (builtins.bool, "bool_"),
        (builtins.complex, "complex128"),
        (np.intc, "int32"),
    ],
)
def test_what_astype_accepts(given, name):
    assert mstype.as_dtype(given) is getattr(mstype, name)


@pytest.mark.parametrize("given", ["foo", "f4", "str", "None", None, 3, [1]])
def test_what_astype_rejects(given):
    with pytest.raises(TypeError, match="must be one of"):
        mstype.to_numpy(given)


@pytest.mark.parametrize("given", [object, dict, bytes])
def test_python_types_without_a_dtype(given):
    with pytest.raises(NotImplementedError, match="cannot be converted to MindSpore type"):
        mstype.to_numpy(given)


@pytest.mark.parametrize("np_dtype", ["U3", "O", ">f4", "M8[s]"])
def test_arrays_without_a_dtype(np_dtype):
    with pytest.raises(TypeError, match="has no MindSpore dtype"):
        mstype.from_numpy(np.dtype(np_dtype))


def test_every_numpy_spelling_of_an_integer_is_found():
    assert mstype.from_numpy(np.dtype("longlong")) is mstype.int64
    assert mstype.from_numpy(np.dtype(np.uint)) is mstype.uint64


def test_python_types():
    assert mstype.dtype_to_pytype(mstype.uint8) is builtins.int
    assert mstype.dtype_to_pytype(mstype.bfloat16) is builtins.float
    assert mstype.dtype_to_pytype(mstype.float_) is builtins.float
    assert mstype.dtype_to_pytype(mstype.bool_) is builtins.bool
    assert mstype.dtype_to_pytype(mstype.type_none) is type(None)
    with pytest.raises(KeyError):
        mstype.dtype_to_pytype(mstype.number)
    assert mstype.pytype_to_dtype(list) is mstype.list_
    assert mstype.pytype_to_dtype(np.str_) is mstype.string
    assert mstype.pytype_to_dtype(mstype.int8) is mstype.int8
    with pytest.raises(TypeError, match="must be a python type object"):
        mstype.pytype_to_dtype("float32")
    with pytest.raises(NotImplementedError, match="cannot be converted"):
        mstype.pytype_to_dtype(dict)


class _WithDtype:
    dtype = mstype.float32


class _CellLike:
    def construct(self):
        return None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "mindspore.int64"),
        (1.0, "mindspore.float64"),
        (True, "mindspore.bool"),
        ("a", "mindspore.string_"),
        (None, "mindspore.type_none"),
        ((1, 2), "mindspore.tuple_"),
        (np.float32(1), "mindspore.float32"),
        (np.float32, "mindspore.float32"),
        (mstype.float32, "mindspore.type_type"),
        (_WithDtype(), "mindspore.tensor[float32]"),
        (lambda: 1, "mindspore.function"),
        (_CellLike(), "mindspore.function"),
    ],
)
def test_type_of_a_value(value, text):
    assert repr(mstype.get_py_obj_dtype(value)) == text


@pytest.mark.parametrize("value", [{}, np.array([1]), slice(1), object()])
def test_values_without_a_type(value):
    with pytest.raises(NotImplementedError):
        mstype.get_py_obj_dtype(value)


def test_subclass_relation():
    assert mstype._issubclass_(mstype.float32, mstype.float_)
    assert mstype._issubclass_(mstype.int32, mstype.number)
    assert not mstype._issubclass_(mstype.bfloat16, mstype.float_)
    assert not mstype._issubclass_(mstype.string, mstype.number)
    assert mstype._issubclass_(mstype.string, mstype.string)
    with pytest.raises(TypeError):
        mstype._issubclass_(mstype.float32, mstype.Float)
