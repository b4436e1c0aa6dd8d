"""The dtype objects (``mindspore.float32``, ...) and their conversions; no arrays.

Every dtype is a singleton, compared by identity. The module imports nothing of msgrad, so that
every layer may use it. Like MindSpore's module of the same name it binds ``bool``, ``int`` and
``float`` to dtypes; the Python types are reached through ``builtins``.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
from typing import Any

import ml_dtypes
import numpy as np


class DType:
    """A MindSpore type: a singleton with ``repr`` ``mindspore.float32`` and ``str`` ``Float32``.

    Attributes:
        np_dtype: the NumPy dtype that stores it (``ml_dtypes`` for bfloat16 and float8), or None
            where an array cannot have this type (``number``, ``string``, ``tuple_``, ...).
        name: the lower-case name, as in ``repr`` without ``mindspore.``.
    """

    __slots__ = ("__weakref__", "_global_name", "_title", "name", "np_dtype")

    name: str
    np_dtype: np.dtype | None
    _title: str
    _global_name: str

    def __new__(cls, bits: builtins.int = 0) -> DType:
        """Return the existing dtype of this kind: ``Float(32) is float32``, ``Int() is int_``."""
        try:
            return _BY_KIND[cls, bits]
        except KeyError:
            accepted = sorted(size for kind, size in _BY_KIND if kind is cls)
            raise RuntimeError(
                f"For {cls.__name__} type only support number of {accepted} bits, but got "
                f"{bits}bits"
            ) from None

    def __repr__(self) -> str:
        return f"mindspore.{self.name}"

    def __str__(self) -> str:
        return self._title

    def __reduce__(self) -> str:
        # A name pickles as a reference to this module's global; copy and deepcopy give the object.
        return self._global_name


Type = DType


class Number(DType):
    """A type of array elements, or a family (``number``, ``int_``, ``float_``, ``uint``)."""

    __slots__ = ()

    is_complex = False
    is_floating_point = False
    is_signed = False

    @property
    def itemsize(self) -> builtins.int:
        """Bytes of one element; 1 for a family, as MindSpore says."""
        return self.np_dtype.itemsize if self.np_dtype is not None else 1

    def to_real(self) -> DType:
        """Return the dtype of the real part.

        Raises:
            TypeError: for a family such as ``int_``.
        """
        if self in (number, int_, uint, float_):
            raise TypeError(f"Cannot convert type {self.name} to real type.")
        return _REAL_OF.get(self, self)

    def to_complex(self) -> DType:
        """Return the complex dtype of this precision; of float32, bfloat16, float64, complex types.

        Raises:
            TypeError: for every other type.
        """
        if self not in _COMPLEX_OF:
            raise TypeError(f"Cannot convert type {self.name} to complex type.")
        return _COMPLEX_OF[self]


def _kind(name: str, what: str, base: type[DType] = DType, **flags: builtins.bool) -> type[DType]:
    members = {"__slots__": (), "__doc__": what, "__module__": __name__, **flags}
    return type(name, (base,), members)


Bool = _kind("Bool", "Truth values.", Number)
Int = _kind("Int", "Signed integers.", Number, is_signed=True)
UInt = _kind("UInt", "Unsigned integers.", Number)
Float = _kind(
    "Float", "IEEE and 8-bit floating point.", Number, is_floating_point=True, is_signed=True
)
BFloat = _kind("BFloat", "Brain floating point.", Number, is_floating_point=True, is_signed=True)
Complex = _kind("Complex", "Complex numbers.", Number, is_complex=True, is_signed=True)
String = _kind("String", "The type of Python strings.")
List = _kind("List", "The type of lists.")
Tuple = _kind("Tuple", "The type of tuples.")
NoneType = _kind("NoneType", "The type of None.")
NullType = _kind("NullType", "The type of an absent value.")
TypeType = _kind("TypeType", "The type of a dtype.")
FunctionType = _kind("FunctionType", "The type of functions and Cells.")


class TensorType(DType):
    """The type of a Tensor: ``TensorType()`` of any, ``TensorType(float32)`` of that dtype."""

    __slots__ = ("element",)

    element: DType | None

    def __new__(cls, element: DType | None = None) -> TensorType:
        made = _TENSOR_TYPES.get(element)
        if made is None:
            made = object.__new__(cls)
            made.np_dtype, made._global_name = None, "tensor_type"
            made.element = element
            made.name = "tensor" if element is None else f"tensor[{element.name}]"
            made._title = "Tensor" if element is None else f"Tensor[{element}]"
            _TENSOR_TYPES[element] = made
        return made

    def __reduce__(self) -> tuple[type, tuple[DType | None]]:  # type: ignore[override]
        return TensorType, (self.element,)


_TENSOR_TYPES: dict[DType | None, TensorType] = {}


def _make(
    kind: type[DType],
    title: str,
    scalar: Any = None,
    *,
    name: str | None = None,
    global_name: str | None = None,
) -> Any:
    made = object.__new__(kind)
    made.np_dtype = None if scalar is None else np.dtype(scalar)
    made._title = title
    made.name = title.lower() if name is None else name
    made._global_name = made.name if global_name is None else global_name
    return made


bool = bool_ = _make(Bool, "Bool", np.bool_)
int8 = byte = _make(Int, "Int8", np.int8)
int16 = short = _make(Int, "Int16", np.int16)
int32 = intc = int = _make(Int, "Int32", np.int32)
int64 = long = intp = _make(Int, "Int64", np.int64)
uint8 = ubyte = _make(UInt, "UInt8", np.uint8)
uint16 = ushort = _make(UInt, "UInt16", np.uint16)
uint32 = uintc = _make(UInt, "UInt32", np.uint32)
uint64 = uintp = _make(UInt, "UInt64", np.uint64)
float16 = half = _make(Float, "Float16", np.float16)
float32 = single = float = _make(Float, "Float32", np.float32)
float64 = double = _make(Float, "Float64", np.float64)
bfloat16 = _make(BFloat, "BFloat16", ml_dtypes.bfloat16)
complex64 = cfloat = _make(Complex, "Complex64", np.complex64)
complex128 = cdouble = _make(Complex, "Complex128", np.complex128)
float8_e4m3fn = _make(Float, "Float8E4M3FN", ml_dtypes.float8_e4m3fn, name="float8_e4m3fn")
float8_e5m2 = _make(Float, "Float8E5M2", ml_dtypes.float8_e5m2, name="float8_e5m2")
# Neither NumPy nor JAX has these two, so no array can hold them: they exist as names only.
hifloat8 = _make(Float, "HiFloat8")
qint4x2 = _make(Int, "Int4", global_name="qint4x2")

int_ = _make(Int, "Int", global_name="int_")
uint = _make(UInt, "UInt")
float_ = _make(Float, "Float", global_name="float_")
number = _make(Number, "Number")

string = _make(String, "String", name="string_", global_name="string")
list_ = _make(List, "List", name="list_")
tuple_ = _make(Tuple, "Tuple", name="tuple_")
type_none = _make(NoneType, "None", name="type_none")
type_type = _make(TypeType, "TypeType", name="type_type")
function = _make(FunctionType, "Func", name="function")
_null = _make(NullType, "Null", name="Null", global_name="_null")
tensor_type = TensorType()

int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16, float8_e4m3fn, float8_e5m2, hifloat8)
complex_type = (complex64, complex128)
number_type = (
    *int_type,
    *uint_type,
    *(float16, float32, float64, bfloat16, complex64, complex128),
    *(qint4x2, float8_e4m3fn, float8_e5m2, hifloat8),
)
all_types = (bool_, *number_type)
signed_type = tuple(entry for entry in number_type if entry not in uint_type)

# What calling a class gives; the 8-bit floats and int4 are not reached this way, as in MindSpore.
_BY_KIND: dict[tuple[type, builtins.int], DType] = {
    **{(type(e), e.itemsize * 8): e for e in (*int_type, *uint_type, *complex_type)},
    **{(type(e), e.itemsize * 8): e for e in (float16, float32, float64, bfloat16)},
    **{(type(e), 0): e for e in (bool_, int_, uint, float_, number, string, list_, tuple_)},
    **{(type(e), 0): e for e in (type_none, type_type, function, _null)},
}
_REAL_OF: dict[DType, DType] = {complex64: float32, complex128: float64}
_COMPLEX_OF: dict[DType, DType] = {
    bfloat16: complex64,
    float32: complex64,
    complex64: complex64,
    float64: complex128,
    complex128: complex128,
}
_FROM_NUMPY: dict[np.dtype, DType] = {
    entry.np_dtype: entry for entry in all_types if entry.np_dtype is not None
}
_FROM_PYTHON: dict[type, DType] = {
    builtins.list: list_,
    builtins.tuple: tuple_,
    type(None): type_none,
    builtins.bool: bool_,
    builtins.int: int64,
    builtins.float: float64,
    builtins.complex: complex128,
    builtins.str: string,
    np.str_: string,
    **{np_dtype.type: entry for np_dtype, entry in _FROM_NUMPY.items()},
}
_TO_PYTHON: dict[DType, type] = {
    bool_: builtins.bool,
    **dict.fromkeys((*int_type, *uint_type, int_), builtins.int),
    **dict.fromkeys((float16, float32, float64, bfloat16, float_), builtins.float),
    **dict.fromkeys(complex_type, builtins.complex),
    list_: builtins.list,
    tuple_: builtins.tuple,
    string: builtins.str,
    type_none: type(None),
}
# What Tensor.astype takes as text: the dtypes' names and aliases, and NumPy's reading of "int",
# "float" and "uint".
_FROM_STRING: dict[str, DType] = {
    **{name: entry for name, entry in globals().items() if entry in _FROM_NUMPY.values()},
    "int": int64,
    "int_": int64,
    "uint": uint64,
    "float": float64,
    "float_": float64,
}


def from_numpy(np_dtype: np.dtype) -> DType:
    """Return the dtype of an array with NumPy dtype `np_dtype`.

    Raises:
        TypeError: if no MindSpore tensor can have it (strings, objects, structures).
    """
    try:
        return _FROM_NUMPY[np_dtype]
    except KeyError:
        raise TypeError(
            f"NumPy dtype {np_dtype!r} has no MindSpore dtype; convert the array first, for "
            "instance with astype('float32'). Accepted: "
            f"{sorted(entry.name for entry in _FROM_NUMPY.values())}."
        ) from None


def as_dtype(dtype_like: Any) -> DType:
    """Return the dtype meant by a dtype, a name such as 'int32', or a NumPy or Python type.

    Raises:
        TypeError: if it names no dtype.
        NotImplementedError: if it is a Python type without one.

    Differs from MindSpore: ``Tensor.astype``, whose rules these are, rejects ``np.dtype`` objects,
    'bfloat16' and complex NumPy types; here they are accepted.
    """
    if isinstance(dtype_like, DType):
        return dtype_like
    if isinstance(dtype_like, str):
        found = _FROM_STRING.get(dtype_like.lower())
        if found is None:
            raise TypeError(
                f"The string input type must be one of {sorted(_FROM_STRING)}, but got "
                f"'{dtype_like}'."
            )
        return found
    if isinstance(dtype_like, np.dtype):
        return from_numpy(dtype_like)
    if isinstance(dtype_like, type):
        return pytype_to_dtype(dtype_like)
    raise TypeError(
        f"The input type must be one of {list(all_types)}, but got {dtype_like!r} of type "
        f"{type(dtype_like)}."
    )


def to_numpy(dtype_like: Any) -> np.dtype:
    """Return the NumPy dtype that stores `dtype_like` (anything `as_dtype` accepts).

    Raises:
        TypeError: if it names no dtype, or one that an array cannot have.
        NotImplementedError: for hifloat8 and qint4x2, which neither NumPy nor JAX stores.
    """
    found = as_dtype(dtype_like)
    if found.np_dtype is None:
        if found in all_types:
            raise NotImplementedError(
                f"{found!r} has no storage in NumPy or JAX; nearest: mindspore.float8_e4m3fn or "
                "mindspore.int8."
            )
        raise TypeError(f"The input type must be one of {list(all_types)}, but got {found!r}.")
    return found.np_dtype


def dtype_to_nptype(type_: DType) -> type:
    """Return the NumPy scalar type of a dtype: ``numpy.int8`` of ``mindspore.int8``.

    Raises:
        KeyError: if an array cannot have the type.

    Differs from MindSpore: float8 types give the ``ml_dtypes`` type instead of a KeyError.
    """
    np_dtype = type_.np_dtype if isinstance(type_, DType) else None
    if np_dtype is None:
        raise KeyError(type_)
    return np_dtype.type


def dtype_to_pytype(type_: DType) -> type:
    """Return the Python type of a dtype: ``dtype_to_pytype(mindspore.int8)`` is ``int``.

    Raises:
        KeyError: if no Python type corresponds to it.
    """
    return _TO_PYTHON[type_]


def pytype_to_dtype(obj: Any) -> DType:
    """Return the dtype of a Python type, a NumPy scalar type or dtype; of a dtype, itself.

    Raises:
        TypeError: if `obj` is not a type.
        NotImplementedError: if the type has no dtype.
    """
    if isinstance(obj, DType):
        return obj
    if isinstance(obj, np.dtype):
        obj = obj.type
    if not isinstance(obj, type):
        raise TypeError(
            "For 'pytype_to_dtype', the argument 'obj' must be a python type object,"
            f"such as int, float, str, etc. But got type {type(obj)}."
        )
    found = _FROM_PYTHON.get(obj)
    if found is None:
        raise NotImplementedError(f"The python type {obj} cannot be converted to MindSpore type.")
    return found


def get_py_obj_dtype(obj: Any) -> DType:
    """Return the type of a value: ``TensorType(dtype)``, or ``function`` of functions and Cells.

    Raises:
        NotImplementedError: if values of this kind have no MindSpore type.
    """
    if isinstance(obj, DType):
        return type_type
    if isinstance(obj, type):
        return pytype_to_dtype(obj)
    if isinstance(getattr(obj, "dtype", None), DType):
        return TensorType(obj.dtype)
    if inspect.isfunction(obj) or hasattr(obj, "construct"):
        return function
    return pytype_to_dtype(type(obj))


def type_size_in_bytes(dtype: DType) -> builtins.int:
    """Bytes of one element of `dtype`; 0 for a type that is not a number.

    Raises:
        TypeError: if `dtype` is not a dtype.
    """
    if not isinstance(dtype, DType):
        raise TypeError(f"The argument 'dtype' must be a mindspore dtype, but got {type(dtype)}.")
    return dtype.itemsize if isinstance(dtype, Number) else 0


def _issubclass_(type_: DType, dtype: DType) -> builtins.bool:
    if not isinstance(type_, DType) or not isinstance(dtype, DType):
        raise TypeError(
            f"Both arguments must be mindspore dtypes, but got {type_!r} and {dtype!r}."
        )
    if dtype in (number, int_, uint, float_):
        return isinstance(type_, type(dtype))
    return type_ is dtype


def __getattr__(name: str) -> Any:
    if name == "typing":  # MindSpore's module of these classes, of which programs replace methods
        return importlib.import_module("msgrad._c_expression.typing")
    if name == "QuantDtype":
        return importlib.import_module("msgrad._top").QuantDtype
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


__all__ = [
    *(name for name, entry in globals().items() if isinstance(entry, DType) and name[0] != "_"),
    *("TensorType", "dtype_to_nptype", "dtype_to_pytype", "get_py_obj_dtype", "pytype_to_dtype"),
]
for _inner in ("function", "type_type"):
    __all__.remove(_inner)
