"""``mindspore._checkparam``: what user code borrows of MindSpore's own checks."""

import mindspore as ms
from mindspore import _checkparam as c

from tests.parity.case import case

VALUES = {"3": 3, "0": 0, "-1": -1, "2.5": 2.5, "-2.5": -2.5, "True": True, "text": "a"}
SIGNS = ("positive", "negative", "non_negative", "non_positive")
NUMBERS = [f"check_{sign}_{kind}" for sign in SIGNS for kind in ("int", "float")]
NUMBERS += ["check_is_int", "check_is_float", "check_bool"]


@case.table({f"{name}-{key}": (name, key) for name in NUMBERS for key in VALUES}, message=True)
def one_number(name, key):
    return getattr(c, name)(VALUES[key], "size", "Owner")


@case.table({name: (name,) for name in NUMBERS}, message=True)
def without_names(name):
    return getattr(c, name)("a")


RELATIONS = ("EQ", "NE", "LT", "LE", "GT", "GE")


@case.table({f"{r}-{v}": (r, v) for r in RELATIONS for v in (2, 3, 4)}, message=True)
def relation(name, value):
    return c.check_int(value, 3, getattr(c, name), "size", "Owner")


RANGES = ("INC_NEITHER", "INC_LEFT", "INC_RIGHT", "INC_BOTH")


@case.table({f"{r}-{v}": (r, v) for r in RANGES for v in (0, 1, 3, 5)}, message=True)
def within(name, value):
    return c.check_int_range(value, 0, 3, getattr(c, name), "size", "Owner")


@case.table({str(v): (v,) for v in (0.5, 1.5, 1, "a")}, message=True)
def float_within(value):
    return c.check_float_range(value, 0.0, 1.0, c.INC_NEITHER, "rate", "Owner")


CALLS = {
    "string": lambda: c.check_string("a", ["a", "b"], "mode", "Owner"),
    "string_other": lambda: c.check_string("c", ["a", "b"], "mode", "Owner"),
    "type": lambda: c.check_value_type("x", 3, [int], "Owner"),
    "type_other": lambda: c.check_value_type("x", 3, [str], "Owner"),
    "type_of_two": lambda: c.check_value_type("x", 3, [str, list], "Owner"),
    "type_bool": lambda: c.check_value_type("x", True, [int], "Owner"),
    "type_unnamed": lambda: c.check_value_type("x", 3, str),
    "instance": lambda: c.check_isinstance("x", 3, str),
    "check": lambda: c.check("x", 3, "y", 4, c.EQ, "Owner"),
    "check_in": lambda: c.check("x", 3, "y", [4, 5], c.IN, "Owner"),
    "check_error": lambda: c.check("x", 3, "y", 4, c.EQ, "Owner", KeyError),
    "number": lambda: c.check_number("n", 3, 4, c.GE, "Owner"),
    "dtype": lambda: c.check_type_name("x", ms.float32, [ms.float16, ms.float32], "Owner"),
    "dtype_other": lambda: c.check_type_name("x", ms.float32, [ms.float16], "Owner"),
    "subclass": lambda: c.check_subclass("x", ms.float32, ms.number, "Owner"),
    "infinite": lambda: c.check_positive_float(float("inf"), "x", "Owner"),
    "sequence": lambda: c.check_positive_int_sequence([1, -1], "sizes", "Owner"),
    "axis": lambda: c.check_axis_in_range(5, 3),
    "axes": lambda: c.check_and_canonicalize_axes((0, -1), 3),
}


@case.table({name: (name,) for name in CALLS})
def other_checks(name):
    return CALLS[name]()


@case.table({"right": ((1, "s"),), "wrong": (("x",),), "second": ((1, 3),)}, message=True)
def arguments(args):
    @c.args_type_check(a=int, b=(str, list))
    def called(a, b=None):
        return a, b

    return called(*args)


SIZES = {"3": 3, "1-2-3": (1, 2, 3), "five": (1, 1, 1, 2, 3), "two": (1, 2), "0-1-1": (0, 1, 1)}
SIZES |= {"0": 0, "text": "a", "2.5": 2.5}
OPTIONS = ("", "allow_five", "ret_five", "third_one")


@case.table({f"{option or 'three'}-{key}": (option, key) for option in OPTIONS for key in SIZES})
def sizes(option, key):
    options = {option: True} if option else {}
    return c._check_3d_int_or_tuple("size", SIZES[key], "Owner", **options)


@case
def sizes_of_zero():
    return c._check_3d_int_or_tuple("size", (0, 1, 1), "Owner", greater_zero=False)
