"""``mindspore.common``: Tensor, Parameter, dtypes, initializers and random states, re-exported."""

from typing import TYPE_CHECKING

from msgrad._core.missing import missing_names
from msgrad.common.dtype import (
    TensorType,
    bfloat16,
    bool,
    bool_,
    byte,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    dtype_to_nptype,
    dtype_to_pytype,
    float,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    float_,
    get_py_obj_dtype,
    half,
    hifloat8,
    int,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    intp,
    list_,
    long,
    number,
    pytype_to_dtype,
    qint4x2,
    short,
    single,
    string,
    tensor_type,
    tuple_,
    type_none,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ushort,
)
from msgrad.common.generator import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    set_rng_state,
)
from msgrad.common.generator import seed as _seed
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.seed import get_seed, set_seed

# The function hides the module of the same name here, as it does in MindSpore.
from msgrad.common.tensor import Tensor, tensor

# Importing msgrad.common.seed has bound its name to the module.
seed = _seed

__all__ = [
    "Generator",
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "TensorType",
    "bfloat16",
    "bool",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "complex64",
    "complex128",
    "default_generator",
    "double",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "float",
    "float8_e4m3fn",
    "float8_e5m2",
    "float16",
    "float32",
    "float64",
    "float_",
    "get_py_obj_dtype",
    "get_rng_state",
    "get_seed",
    "half",
    "hifloat8",
    "initial_seed",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "intp",
    "list_",
    "long",
    "manual_seed",
    "number",
    "pytype_to_dtype",
    "qint4x2",
    "seed",
    "set_rng_state",
    "set_seed",
    "short",
    "single",
    "string",
    "tensor",
    "tensor_type",
    "tuple_",
    "type_none",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ushort",
]

__getattr__ = missing_names(__name__, {"_Function": "msgrad.autograd"})

if TYPE_CHECKING:
    # Loaded when they are asked for.
    from msgrad.common import dtype as dtype
    from msgrad.common import generator as generator
    from msgrad.common import initializer as initializer
    from msgrad.common import parameter as parameter
