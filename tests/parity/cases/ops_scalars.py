"""Numbers, tuples, Python functions and loops: values, gradients, one wrong argument each."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
    "scalar_to_array": lambda: (ops.scalar_to_array(2), ops.scalar_to_array(1.5)),
    "ScalarToArray": lambda: ops.ScalarToArray()(3),
    "scalar_cast": lambda: ops.scalar_cast(2, ms.float64),
    "ScalarCast": lambda: (
        ops.ScalarCast()(2.7, ms.int64),
        ops.ScalarCast()(2, ms.bool_),
        ops.ScalarCast()(2, ms.float64),
    ),
    **{
        "scalar_" + n: (
            lambda n=n: (getattr(ops, "scalar_" + n)(7, 2), getattr(ops, "scalar_" + n)(7.5, 2))
        )
        for n in [
            "add",
            "eq",
            "floordiv",
            "ge",
            "gt",
            "le",
            "lt",
            "max",
            "min",
            "mod",
            "mul",
            "ne",
            "pow",
            "sub",
        ]
    },
    "scalar_log": lambda: ops.scalar_log(2.0),
    "scalar_uadd": lambda: ops.scalar_uadd(2),
    "scalar_usub": lambda: ops.scalar_usub(2),
    **{
        "bool_" + n: (lambda n=n: getattr(ops, "bool_" + n)(True, False))
        for n in ["and", "or", "eq"]
    },
    "bool_not": lambda: ops.bool_not(True),
    "tuple_len": lambda: ops.tuple_len((1, 2)),
    "list_len": lambda: ops.list_len([1, 2]),
    "tuple_getitem": lambda: ops.tuple_getitem((1, 2), 0),
    "list_getitem": lambda: ops.list_getitem([1, 2], 0),
    "tuple_setitem": lambda: ops.tuple_setitem((1, 2), 0, 5),
    "list_setitem": lambda: ops.list_setitem([1, 2], 0, 5),
    "dict_getitem": lambda: ops.dict_getitem({"a": 1}, "a"),
    "dict_setitem": lambda: ops.dict_setitem({"a": 1}, "a", 2),
    "tuple_div": lambda: ops.tuple_div((6, 4), (2, 2)),
    "tuple_equal": lambda: ops.tuple_equal((1, 2), (1, 2)),
    "list_equal": lambda: ops.list_equal([1], [1]),
    "tuple_reversed": lambda: ops.tuple_reversed((1, 2)),
    "make_tuple": lambda: ops.make_tuple(1, 2),
    "make_list": lambda: ops.make_list(1, 2),
    "make_dict": lambda: ops.make_dict(("a",), (1,)),
    "make_slice": lambda: ops.make_slice(1, 2, 3),
    "string_eq": lambda: ops.string_eq("a", "a"),
    "string_concat": lambda: ops.string_concat("a", "b"),
    "in_dict": lambda: ops.in_dict("a", {"a": 1}),
    "not_in_dict": lambda: ops.not_in_dict("a", {"a": 1}),
    "is_": lambda: ops.is_(None, None),
    "is_not": lambda: ops.is_not(None, None),
    "hastype": lambda: ops.hastype(1, ms.int64),
    "typeof": lambda: ops.typeof(1),
    "reduced_shape": lambda: ops.reduced_shape((2, 3), (1,)),
    "shape_mul": lambda: ops.shape_mul((2, 3)),
    "array_to_scalar": lambda: ops.array_to_scalar(Tensor(2.0, ms.float32)),
    "array_reduce": lambda: 1,
    "augassign_add": lambda: ops.augassign_add(1, 2),
    "hyper_add": lambda: ops.hyper_add((1, 2), (3, 4)),
    "hyper_add_t": lambda three: ops.hyper_add((three,), (three,)),
    "zip_operation": lambda: ops.zip_operation((1, 2), (3, 4)),
    "iter_converter": lambda: 1,
    "DtypeToEnum": lambda: ops.DtypeToEnum()("x", "y", ms.float32),
    "is_tensor_bool_cond": lambda: ops.is_tensor_bool_cond(Tensor(True)),
    "env_get": lambda: 1,
    "embed": lambda: 1,
    "Assert": lambda: ops.Assert()(Tensor(True), (Tensor(1.0),)),
    "linearize": lambda three: ops.linearize(lambda x: x * x, three)[0],
    "ms_next": lambda: 1,
    "switch": lambda: ops.switch(True, 1, 2),
    "Merge": lambda three: ops.Merge()((three,)),
    "GeSwitch": lambda three: ops.GeSwitch()(three, Tensor(True)),
    "J": lambda: 1,
    "prim_attr_register": lambda: 1,
    "ForiLoop": lambda three: ops.ForiLoop()(0, 3, lambda i, x: x * 2, three),
    "WhileLoop": lambda three: ops.WhileLoop()(lambda x: x.sum() < 50, lambda x: x * 2, three),
    "Scan": lambda three: ops.Scan()(lambda c, x: (c + x, c * x), three, [1.0, 2.0], 2),
    "PyFunc": lambda three: ops.PyFunc(lambda x: x * 2, [ms.float32], [(3,)], [ms.float32], [(3,)])(
        three
    ),
    "Custom": lambda three: ops.Custom(
        lambda x: x * 2, out_shape=lambda x: x, out_dtype=lambda x: x, func_type="pyfunc"
    )(three),
    "Morph": lambda three: ops.Morph(lambda x: x * 2, lambda x: x, lambda x: x)(three),
    "Reusing": lambda three: ops.Reusing()(three),
    "UpdateState": lambda: 1,
    "ScalarSummary": lambda one: ops.ScalarSummary()("a", one),
    "TensorSummary": lambda three: ops.TensorSummary()("a", three),
    "ImageSummary": lambda image1: ops.ImageSummary()("a", image1),
    "HistogramSummary": lambda three: ops.HistogramSummary()("a", three),
    "TensorDump": lambda three: ops.TensorDump()("/tmp/opsfn/dump_", three),
    "tensordump": lambda three: ops.tensordump("/tmp/opsfn/dump2_", three),
    "Push": lambda: 1,
    "CheckNumerics_nan": lambda: ops.CheckNumerics()(Tensor([float("nan")], ms.float32)),
}
# MindSpore 2.10 has no kernel for these on its CPU.
NOT_ON_CPU = (
    "scalar_to_array",
    "ScalarToArray",
    "scalar_ne",
    "bool_and",
    "bool_or",
    "bool_eq",
    "dict_setitem",
    "make_dict",
    "string_eq",
    "string_concat",
    "array_to_scalar",
    "array_reduce",
    "zip_operation",
    "iter_converter",
    "DtypeToEnum",
    "is_tensor_bool_cond",
    "env_get",
    "embed",
    "ms_next",
    "Merge",
    "GeSwitch",
    "J",
    "prim_attr_register",
    "Morph",
    "UpdateState",
    "Push",
    "CheckNumerics_nan",
)
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = ("PyFunc", "Custom")
# These take anything as a first argument, or raise another type.
TOLERANT = ("ForiLoop",
    "PyFunc",
    "Reusing",
    "ScalarSummary",
    "TensorSummary",
    "ImageSummary",
    "HistogramSummary", "Scan", "Custom",)


@case.table({name: (name,) for name in ROWS if name not in NOT_ON_CPU}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT, wrong=name not in TOLERANT)
