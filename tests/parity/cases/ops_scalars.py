"""Numbers, tuples, Python functions and loops."""

from tempfile import mkdtemp

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
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
            "pow",
            "sub",
        ]
    },
    "scalars_of_tensors": lambda: (
        ops.scalar_add(Tensor([1, 2]), 1.5),
        ops.scalar_floordiv(Tensor([5.0]), 2),
        ops.scalar_gt(Tensor([1.0, 3.0]), 2),
        ops.scalar_max(Tensor([2]), 1),
        ops.scalar_usub(Tensor([1.0])),
        ops.scalar_log(Tensor(2.0)),
        ops.scalar_add("a", "b"),
    ),
    "scalar_add_of_none": lambda: ops.scalar_add(None, 2),
    "scalar_max_of_many": lambda: ops.scalar_max(Tensor([2, 1]), 1),
    "scalar_log": lambda: ops.scalar_log(2.0),
    "scalar_uadd": lambda: ops.scalar_uadd(2),
    "scalar_usub": lambda: ops.scalar_usub(2),
    "bool_not": lambda: ops.bool_not(True),
    "tuple_len": lambda: ops.tuple_len((1, 2)),
    "list_len": lambda: ops.list_len([1, 2]),
    "tuple_getitem": lambda: ops.tuple_getitem((1, 2), 0),
    "list_getitem": lambda: ops.list_getitem([1, 2], 0),
    "tuple_setitem": lambda: ops.tuple_setitem((1, 2), 0, 5),
    "list_setitem": lambda: ops.list_setitem([1, 2], 0, 5),
    "dict_getitem": lambda: ops.dict_getitem({"a": 1}, "a"),
    "tuple_div": lambda: ops.tuple_div((6, 4), (2, 2)),
    "tuple_equal": lambda: ops.tuple_equal((1, 2), (1, 2)),
    "list_equal": lambda: ops.list_equal([1], [1]),
    "tuple_reversed": lambda: ops.tuple_reversed((1, 2)),
    "make_tuple": lambda: ops.make_tuple(1, 2),
    "make_list": lambda: ops.make_list(1, 2),
    "make_slice": lambda: ops.make_slice(1, 2, 3),
    "in_dict": lambda: ops.in_dict("a", {"a": 1}),
    "not_in_dict": lambda: ops.not_in_dict("a", {"a": 1}),
    "is_": lambda: ops.is_(None, None),
    "is_not": lambda: ops.is_not(None, None),
    "hastype": lambda: ops.hastype(1, ms.int64),
    "typeof": lambda: ops.typeof(1),
    "reduced_shape": lambda: ops.reduced_shape((2, 3), (1,)),
    "shape_mul": lambda: ops.shape_mul((2, 3)),
    "augassign_add": lambda: ops.augassign_add(1, 2),
    "hyper_add": lambda: ops.hyper_add((1, 2), (3, 4)),
    "hyper_add_t": lambda three: ops.hyper_add((three,), (three,)),
    "Assert": lambda: ops.Assert()(Tensor(True), (Tensor(1.0),)),
    "linearize": lambda three: ops.linearize(lambda x: x * x, three)[0],
    "switch": lambda: ops.switch(True, 1, 2),
    "ForiLoop": lambda three: ops.ForiLoop()(0, 3, lambda i, x: x * 2, three),
    "WhileLoop": lambda three: ops.WhileLoop()(lambda x: x.sum() < 50, lambda x: x * 2, three),
    "Scan": lambda three: ops.Scan()(lambda c, x: (c + x, c * x), three, [1.0, 2.0], 2),
    "PyFunc": lambda three: ops.PyFunc(lambda x: x * 2, [ms.float32], [(3,)], [ms.float32], [(3,)])(
        three
    ),
    "Custom": lambda three: ops.Custom(
        lambda x: x * 2, out_shape=lambda x: x, out_dtype=lambda x: x, func_type="pyfunc"
    )(three),
    "Reusing": lambda three: ops.Reusing()(three),
    "TensorDump": lambda three: ops.TensorDump()(f"{mkdtemp()}/dump_", three),
    "tensordump": lambda three: ops.tensordump(f"{mkdtemp()}/dump_", three),
}
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = ("PyFunc", "Custom")
# These take anything as a first argument, or raise another type.
TOLERANT = (
    "ForiLoop",
    "PyFunc",
    "Reusing",
    "Scan",
    "Custom",
)


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT, wrong=name not in TOLERANT)
