"""What compiled functions raise for what Python or an operator refuses in them."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0, 3.0], ms.float32)


class Plain:
    pass


PLAIN = Plain()


def one(a):
    return a


def named(*, a):
    return a


def divided(v):
    return 1 / 0


def floor_divided(v):
    return 1.5 // 0


def remainder(v):
    return 1 % 0


def missing_key(v):
    return {"a": v}["b"]


def unknown_keyword(v):
    return one(1, b=2)


def unknown_keyword_of_an_operator(v):
    return ops.relu(v, foo=1)


def too_few(v):
    return one()


def too_many(v):
    return one(v, v)


def too_many_of_an_operator(v):
    return ops.relu(v, 1, 2)


def none_of_an_operator(v):
    return ops.relu()


def no_positional(v):
    return named(v)


def keyword_missing(v):
    return named()


def called_number(v):
    number = 1
    return number()


def called_tensor(v):
    return v()


def called_object(v):
    return PLAIN()


def length_of_a_number(v):
    return len(3)


def length_of_none(v):
    return len(None)


def length_of_an_object(v):
    return len(PLAIN)


def part_of_an_object(v):
    return PLAIN[0]


def range_of_nothing(v):
    return range()


def range_of_four(v):
    return range(1, 2, 3, 4)


def range_by_zero(v):
    return list(range(0, 3, 0))


def unpacked_too_few(v):
    a, b = (v,)
    return a, b


def first_of_nothing(v):
    return [][0]


def beyond_a_list(v):
    return [v, v][5]


def beyond_a_string(v):
    return "ab"[5]


def list_by_a_float(v):
    both = [v, v]
    return both[1.0]


def string_by_a_float(v):
    text = "ab"
    return text[1.0]


def slice_by_a_float(v):
    return v[0.5:]


def mask_of_another_shape(v):
    return v[Tensor([True, False])]


def next_of_nothing(v):
    return next(iter([]))


def dicts_compared(v):
    return {"a": 1} < {"b": 1}


def tensor_and_dict(v):
    return v + {"a": 1}


def sum_of_strings(v):
    return sum(["a", "b"])


def raised_zero_division(v):
    raise ZeroDivisionError("mine")


def raised_key_error(v):
    raise KeyError("mine")


def raised_index_error(v):
    raise IndexError("list index out of range")


FUNCTIONS = (
    *(divided, floor_divided, remainder, missing_key, unknown_keyword),
    *(unknown_keyword_of_an_operator, too_few, too_many, too_many_of_an_operator),
    *(none_of_an_operator, no_positional, keyword_missing, called_number, called_tensor),
    *(called_object, length_of_a_number, length_of_none, length_of_an_object, part_of_an_object),
    *(range_of_nothing, range_of_four, range_by_zero, unpacked_too_few, first_of_nothing),
    *(beyond_a_list, beyond_a_string, list_by_a_float, string_by_a_float, slice_by_a_float),
    *(mask_of_another_shape, next_of_nothing, dicts_compared, tensor_and_dict, sum_of_strings),
    *(raised_zero_division, raised_key_error, raised_index_error),
)


@case.table({f.__name__: (f,) for f in FUNCTIONS})
def raised(function):
    return ms.jit(function)(x())
