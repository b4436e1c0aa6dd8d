"""``mutable``: containers and numbers as inputs of compiled calls, and gradients of containers.

The same calls eagerly, in a function under ``jit``, and in GRAPH_MODE; each with the plain Python
object and with the mutable one.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mutable, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def y():
    return Tensor([3.0, 4.0], ms.float32)


def weight():
    return Parameter(Tensor([5.0, 6.0], ms.float32), name="w")


def same():
    one = x()
    return one, one


def first(t):
    return t[0] * t[0]


def both(t):
    return t[0] * t[1]


def square(t):
    return t * t


def by_key(t):
    return t["a"] * t["a"]


def by_both(t):
    return t["a"] * t["b"]


def nested(t):
    return t[0][0] * t[1][0]


def in_dict(t):
    return t["a"][0] * t["a"][1]


def dict_in(t):
    return t[0]["a"] * t[1]


def deep(t):
    return t[0]["a"][0] * t[1] * t[2]


def none_of_it(t):
    return Tensor([7.0], ms.float32) * 1.0


INPUTS = {
    "tensor": (square, x),
    "tuple": (both, lambda: (x(), y())),
    "tuple_unused": (first, lambda: (x(), y())),
    "one": (first, lambda: (x(),)),
    "list": (both, lambda: [x(), y()]),
    "list_unused": (first, lambda: [x(), y()]),
    "dict": (by_key, lambda: {"a": x()}),
    "dict_unused": (by_key, lambda: {"a": x(), "b": y()}),
    "dict_both": (by_both, lambda: {"a": x(), "b": y()}),
    "nested": (nested, lambda: ((x(), y()), (y(), x()))),
    "list_in_tuple": (nested, lambda: ([x(), y()], (y(), x()))),
    "tuple_in_dict": (in_dict, lambda: {"a": (x(), y()), "b": y()}),
    "dict_in_tuple": (dict_in, lambda: ({"a": x(), "b": y()}, y())),
    "deep": (deep, lambda: ({"a": [x(), 1.0], "b": ()}, y(), 2.0)),
    "int_tensor": (both, lambda: (x(), Tensor([3, 4], ms.int32))),
    "float16": (both, lambda: (x(), Tensor([3.0, 4.0], ms.float16))),
    "bool_tensor": (first, lambda: (x(), Tensor([True, False]))),
    "with_float": (both, lambda: (x(), 3.0)),
    "with_int": (both, lambda: (x(), 3)),
    "with_bool": (first, lambda: (x(), True)),
    "floats": (both, lambda: (2.0, 3.0)),
    "ints": (both, lambda: (2, 3)),
    "float": (square, lambda: 3.0),
    "int": (square, lambda: 3),
    "empty": (none_of_it, lambda: ()),
    "none_of_it": (none_of_it, lambda: (x(), y())),
    "same_object": (both, same),
}


def as_it_is(value):
    return value


def dynamic(value):
    return mutable(value, True)


MADE = {"plain": as_it_is, "mutable": mutable}


def in_graph_mode(function, *args):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return function(*args)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@case.table(
    {f"{kind}-{name}": (*row, made) for kind, made in MADE.items() for name, row in INPUTS.items()}
)
def gradient(fn, make, made):
    @ms.jit
    def compiled(t):
        return ms.grad(fn)(t)

    return (
        ms.grad(fn)(made(make())),
        in_graph_mode(ms.grad(fn), made(make())),
        compiled(made(make())),
    )


def two(a, t):
    return a * t[0] * t[1]


def two_outputs(t):
    return t[0] * t[1], t[0]


def three_outputs(t):
    return t[0] * t[1], t[0], t[1]


def grads_first(t):
    return ms.grad(both)(t)[0] * 1.0


FORMS = {
    "value_and_grad": lambda t: ms.value_and_grad(both)(t),
    "second": lambda t: ms.grad(two, 1)(x(), t),
    "second_of_tuple": lambda t: ms.grad(two, (1,))(x(), t),
    "both_places": lambda t: ms.grad(two, (0, 1))(x(), t),
    "aux": lambda t: ms.grad(three_outputs, 0, None, True)(t),
    "value_and_aux": lambda t: ms.value_and_grad(three_outputs, 0, None, True)(t),
    "ids": lambda t: ms.grad(both, 0, None, False, True)(t),
    "sens": lambda t: ms.grad(both, 0, None, False, False, True)(t, y()),
    "two_outputs": lambda t: ms.grad(two_outputs)(t),
    "GradOperation": lambda t: ops.GradOperation()(both)(t),
    "GradOperation_all": lambda t: ops.GradOperation(get_all=True)(both)(t),
    "GradOperation_all_of_two": lambda t: ops.GradOperation(get_all=True)(two)(x(), t),
    "GradOperation_first_of_two": lambda t: ops.GradOperation()(two)(x(), t),
    "GradOperation_sens": lambda t: ops.GradOperation(sens_param=True)(both)(t, y()),
    "vjp": lambda t: ms.vjp(both, t)[1](y()),
    "vjp_of_two": lambda t: ms.vjp(two, x(), t)[1](y()),
    "jvp": lambda t: ms.jvp(both, t, t),
}


@case.table({f"{kind}-{name}": (f, m) for kind, m in MADE.items() for name, f in FORMS.items()})
def form(run, made):
    def outcome(value):
        try:
            return run(value)
        except TypeError as error:
            return error

    return (
        outcome(made((x(), y()))),
        in_graph_mode(outcome, made((x(), y()))),
        in_graph_mode(outcome, made([x(), y()])),
    )


@case.table({kind: (made,) for kind, made in MADE.items()})
def got_from_ids(made):
    gradients = in_graph_mode(ms.grad(both, 0, None, False, True), made((x(), y())))
    return ms.get_grad(gradients, 0)


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = weight()

    def construct(self, t):
        return t[0] * t[1] * self.w


WEIGHTED = {
    "list": lambda n, t: ms.grad(n, 0, [n.w])(t),
    "bare": lambda n, t: ms.grad(n, 0, n.w)(t),
    "only": lambda n, t: ms.grad(n, None, [n.w])(t),
    "by_list": lambda n, t: ops.GradOperation(get_by_list=True)(n, [n.w])(t),
    "all": lambda n, t: ops.GradOperation(get_all=True, get_by_list=True)(n, [n.w])(t),
    "value": lambda n, t: ms.value_and_grad(n, 0, [n.w])(t),
}


@case.table({f"{kind}-{name}": (f, m) for kind, m in MADE.items() for name, f in WEIGHTED.items()})
def with_weights(run, made):
    return (
        run(Weighted(), made((x(), y()))),
        in_graph_mode(run, Weighted(), made((x(), y()))),
        in_graph_mode(run, Weighted(), made([x(), y()])),
    )


class GradNet(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.grad = ops.GradOperation(get_all=True)

    def construct(self, t):
        return self.grad(self.net)(t)


class Product(nn.Cell):
    def construct(self, t):
        return t[0] * t[1]


@case.table({kind: (made,) for kind, made in MADE.items()})
def gradient_in_a_cell(made):
    t = made((x(), y()))
    jitted = GradNet(Product())
    jitted.construct = ms.jit(jitted.construct)
    return (
        GradNet(Product())(t),
        in_graph_mode(GradNet(Product()), t),
        in_graph_mode(ms.grad(Product()), t),
        jitted(t),
    )


@case.table({kind: (made,) for kind, made in MADE.items()})
def gradient_of_a_jitted_function(made):
    t = made((x(), y()))
    jitted = ms.jit(both)
    return ms.grad(jitted)(t), in_graph_mode(ms.grad(jitted), t)


# Containers that are put together in the compiled function.


def of_a_tuple(a, b):
    return ms.grad(both)((a, b))


def of_a_list(a, b):
    return ms.grad(both)([a, b])


def of_a_dict(a, b):
    return ms.grad(by_key)({"a": a, "b": b})


def of_a_mutable(a, b):
    return ms.grad(both)(mutable((a, b)))


def of_results(a, b):
    return ms.grad(both)((a * 1.0, b * 1.0))


def with_a_number(a, b):
    return ms.grad(both)((a, 3.0))


def with_numbers(a, b):
    return ms.grad(first)((a, (1, 2.0, True)))


def with_a_string(a, b):
    return ms.grad(first)((a, "s"))


def with_none(a, b):
    return ms.grad(first)((a, None))


@case.table(
    {
        f.__name__: (f,)
        for f in (
            *(of_a_tuple, of_a_list, of_a_dict, of_a_mutable, of_results, with_a_number),
            *(with_numbers, with_a_string, with_none),
        )
    }
)
def made_in_the_call(fn):
    return ms.jit(fn)(x(), y())


def of_a_member(t):
    return ms.grad(both)(t[0])


def of_a_slice(t):
    return ms.grad(both)(t[:2])


def of_members(t):
    return ms.grad(both)((t[0], t[1]))


def of_one_tensor(t):
    return ms.grad(square)(t[0])


@case.table({kind: (made,) for kind, made in MADE.items()})
def parts_of_an_argument(made):
    flat = made((x(), y(), y()))
    return (
        ms.jit(of_a_member)(made(((x(), y()), y()))),
        ms.jit(of_a_slice)(flat),
        ms.jit(of_members)(flat),
        ms.jit(of_one_tensor)(flat),
    )


CONSTANT = Tensor([1.0, 2.0], ms.float32)


def of_a_global(a):
    return ms.grad(square)(CONSTANT)


def of_a_tuple_with_a_global(a):
    return ms.grad(both)((CONSTANT, a))


@case
def constants_of_the_call():
    return ms.jit(of_a_global)(x()), ms.jit(of_a_tuple_with_a_global)(x())


def product(a, b):
    return a * b * b


@case
def one_tensor_at_two_positions():
    one = x()
    run = ms.grad(product, (0, 1))
    return run(one, one), in_graph_mode(run, one, one)


# Numbers.


def plus_one(n):
    return n + 1


def times(a, n):
    return a * n


def branch(a, n):
    if n > 3:
        return a * 2
    return a * 3


def number_branch(n):
    if n > 3:
        return n * 2
    return n * 3


def arithmetic(n, k):
    return n + k, n - k, n * k, n / k, n // k, n % k, n**k, -n, n > k, n <= k, n == k, n != k


def reversed_arithmetic(n):
    return 7 + n, 7 - n, 7 * n, 7 / n, 7 // n, 7 % n, 2**n, n < 7, n == 7


def with_tensor(a, n):
    return a + n, n + a, a - n, n - a, a / n, n / a, a // n, a**n, n**a, a > n, n > a, a == n


def loop(a, n):
    total = a
    for _ in range(n):
        total = total + a
    return total


def reshaped(a, n):
    return a.reshape((n, 2))


def indexed(a, n):
    return a[n]


def along(a, n):
    return ops.ReduceSum()(a, n)


def filled(a, n):
    return ops.full_like(a, n)


def raised(a, n):
    return ops.pow(a, n)


def kinds_of(n):
    return isinstance(n, int), isinstance(n, float)


def to_python(n):
    return int(n), float(n), bool(n)


def as_tensor(n):
    return Tensor(n)


def total_of(t):
    total = 0
    for item in t:
        total = total + item
    return total, len(t)


def of_pair(d):
    return d["a"] * 2, d["b"]


def matrix():
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


NUMBERS = {
    "int": (plus_one, lambda: (3,)),
    "float": (plus_one, lambda: (0.5,)),
    "bool": (plus_one, lambda: (True,)),
    "40_bits": (plus_one, lambda: (2**40,)),
    "float32_int": (times, lambda: (x(), 3)),
    "float32_float": (times, lambda: (x(), 0.5)),
    "float32_bool": (times, lambda: (x(), True)),
    "float16_float": (times, lambda: (Tensor([1.0, 2.0], ms.float16), 0.5)),
    "int32_int": (times, lambda: (Tensor([1, 2], ms.int32), 3)),
    "int32_float": (times, lambda: (Tensor([1, 2], ms.int32), 0.5)),
    "int8_int": (times, lambda: (Tensor([1, 2], ms.int8), 3)),
    "int64_40_bits": (times, lambda: (Tensor([1, 2], ms.int64), 2**40)),
    "bool_int": (times, lambda: (Tensor([True, False]), 3)),
    "branch_yes": (branch, lambda: (x(), 4)),
    "branch_no": (branch, lambda: (x(), 2)),
    "number_branch_yes": (number_branch, lambda: (4,)),
    "number_branch_no": (number_branch, lambda: (2,)),
    "ints": (arithmetic, lambda: (7, 2)),
    "negative_ints": (arithmetic, lambda: (-7, 2)),
    "floats": (arithmetic, lambda: (7.0, 2.0)),
    "mixed": (arithmetic, lambda: (7.5, 2)),
    "reversed_int": (reversed_arithmetic, lambda: (3,)),
    "reversed_float": (reversed_arithmetic, lambda: (2.0,)),
    "with_tensor": (with_tensor, lambda: (x(), 2)),
    "with_tensor_float": (with_tensor, lambda: (x(), 0.5)),
    "loop": (loop, lambda: (x(), 3)),
    "reshaped": (reshaped, lambda: (matrix(), 3)),
    "indexed": (indexed, lambda: (x(), 1)),
    "along": (along, lambda: (matrix(), 1)),
    "filled": (filled, lambda: (x(), 3)),
    "raised": (raised, lambda: (x(), 2)),
    "isinstance_int": (kinds_of, lambda: (3,)),
    "isinstance_float": (kinds_of, lambda: (3.0,)),
    "to_python": (to_python, lambda: (3,)),
    "as_tensor": (as_tensor, lambda: (3,)),
    "tuple": (total_of, lambda: ((1, 2, 3),)),
    "tuple_of_floats": (total_of, lambda: ((1.5, 2),)),
    "list": (total_of, lambda: ([1, 2],)),
    "dict": (of_pair, lambda: ({"a": 2, "b": x()},)),
}


@case.table(NUMBERS)
def number(fn, make):
    def given():
        return [v if isinstance(v, Tensor) else mutable(v) for v in make()]

    return fn(*given()), ms.jit(fn)(*given())


@case
def numbers_that_change():
    run = ms.jit(times)
    return [run(x(), mutable(n)) for n in (1, 2, 3, -1)] + [
        run(x(), mutable(f)) for f in (0.5, 0.25)
    ]


@case
def branches_that_change():
    run = ms.jit(number_branch)
    return [run(mutable(n)) for n in (1, 4, 3, 5)]


# What is accepted, and of what class it is.


def recursive():
    items = [1]
    items.append(items)
    return items


ACCEPTED = {
    "tuple": (lambda: (x(), y()),),
    "list": (lambda: [x()],),
    "dict": (lambda: {"a": x()},),
    "int_key": (lambda: {1: x()},),
    "numbers": (lambda: (1, 2.5, True),),
    "empty": (lambda: (),),
    "nested": (lambda: ((x(),), [1]),),
    "int": (lambda: 1,),
    "float": (lambda: 1.5,),
    "bool": (lambda: True,),
    "string": (lambda: "s",),
    "None": (lambda: None,),
    "array": (lambda: np.array([1.0]),),
    "set": (lambda: set(),),
    "string_in_tuple": (lambda: (x(), "s"),),
    "None_in_list": (lambda: [None],),
    "itself": (recursive,),
}


@case.table(ACCEPTED)
def accepted(make):
    made = mutable(make())
    return made, type(made).__name__


@case.table(ACCEPTED)
def accepted_with_dynamic_len(make):
    return type(mutable(make(), True)).__name__


@case.table({"tuple": ((),), "str": ("a",), "int": (1,), "None": (None,)})
def dynamic_len_must_be_bool(flag):
    return mutable((x(), y()), flag)


@case
def behaves_as_the_plain_object():
    import copy
    import pickle

    pair = mutable((x(), 2))
    classes = [
        type(f(pair)).__name__
        for f in (
            lambda p: p + (1,),
            lambda p: p[:1],
            mutable,
            copy.copy,
            copy.deepcopy,
            lambda p: pickle.loads(pickle.dumps(p)),
        )
    ]
    sums = type(mutable(1) + 1).__name__, mutable(2.5) * 2, [1, 2, 3][mutable(1)]
    tensor = x()
    return classes, sums, mutable(tensor) is tensor


def sum_of(t):
    total = x()
    for value in t:
        total = total + value
    return total


@case
def lengths_that_change():
    run = ms.jit(sum_of)
    return [run(dynamic(tuple(x() for _ in range(n)))) for n in (2, 1, 3)]


@case.table(
    {
        "tensors": (lambda: (x(), y()),),
        "numbers": (lambda: (1, 2),),
        "kinds": (lambda: (1, 2.5),),
        "number_and_tensor": (lambda: (x(), 1),),
        "dtypes": (lambda: (x(), Tensor([1.0, 2.0], ms.float16)),),
    }
)
def dynamic_elements_are_alike(make):
    return ms.jit(sum_of)(dynamic(make()))


@case
def gradient_of_dynamic_length():
    return (
        in_graph_mode(ms.grad(both), dynamic((x(), y()))),
        in_graph_mode(ms.grad(both), dynamic([x(), y()])),
    )


# Constants.


@ms.jit
def is_constant(a):
    return ops.isconstant(a)


@case.table(
    {
        "tensor": (x,),
        "const_tensor": (lambda: Tensor([1.0], const_arg=True),),
        "parameter": (weight,),
        "int": (lambda: 3,),
        "mutable_int": (lambda: mutable(3),),
        "float": (lambda: 1.5,),
        "mutable_float": (lambda: mutable(1.5),),
        "mutable_bool": (lambda: mutable(True),),
        "tuple": (lambda: (x(), y()),),
        "mutable_tuple": (lambda: mutable((x(), y())),),
        "numbers": (lambda: (1, 2),),
        "mutable_numbers": (lambda: mutable((1, 2)),),
        "dynamic": (lambda: dynamic((1, 2)),),
        "list": (lambda: [1, 2],),
        "mutable_list": (lambda: mutable([1, 2]),),
        "dict": (lambda: {"a": x()},),
        "mutable_dict": (lambda: mutable({"a": x()}),),
        "mutable_tensor": (lambda: mutable(x()),),
        "mutable_const_tensor": (lambda: mutable(Tensor([1.0], const_arg=True)),),
        "string": (lambda: "s",),
        "None": (lambda: None,),
        "array": (lambda: np.array([1.0]),),
    }
)
def isconstant(make):
    return ops.isconstant(make()), is_constant(make())


@ms.jit
def constants_of(t):
    return ops.isconstant(t[0]), ops.isconstant((t[0], 1))


@ms.jit
def constants_from(a):
    return ops.isconstant(a + 1), ops.isconstant(a.shape)


@case
def isconstant_of_parts():
    return (
        [constants_of(made((x(), y()))) for made in MADE.values()],
        [constants_of(made((1, 2))) for made in MADE.values()],
        constants_from(x()),
    )


@case
def const_arg():
    import copy

    const = Tensor([1.0], const_arg=True)
    flags = [
        const.const_arg,
        Tensor([1.0]).const_arg,
        Tensor(const).const_arg,
        (const * 2).const_arg,
        const.copy().const_arg,
        copy.deepcopy(const).const_arg,
        Parameter(const, name="w").const_arg,
    ]
    const.set_const_arg(False)
    flags.append(const.const_arg)
    const.set_const_arg()
    return [*flags, const.const_arg, mutable(const).const_arg]


@case.table({"int": (1,), "None": (None,)})
def const_arg_must_be_bool(flag):
    return Tensor([1.0]).set_const_arg(flag)


def reshaped_to(a, shape):
    return a.reshape(tuple(shape.asnumpy().tolist()))


def doubled(a):
    return a * 2


@case
def const_arg_has_a_value():
    run = ms.jit(reshaped_to)
    return run(matrix(), Tensor([3, 2], const_arg=True)), run(
        matrix(), Tensor([6, 1], const_arg=True)
    )


@case
def const_arg_values_that_change():
    run = ms.jit(doubled)
    return [run(Tensor([float(v)], const_arg=True)) for v in (1, 2, 3)]


@case
def gradient_of_const_arg():
    const = Tensor([1.0, 2.0], ms.float32, const_arg=True)
    return ms.grad(square)(const), in_graph_mode(ms.grad(square), const)


def of_weights_in(form, options):
    """The gradients of two weights that come in a container, by a compiled function."""
    u = Parameter(Tensor([1.0, 2.0], ms.float32), name="u")
    v = Parameter(Tensor([3.0, 1.0], ms.float32), name="v")

    def product(a):
        return (a * u * v).sum()

    weights = form(u, v)

    def run(a):
        return ms.value_and_grad(product, *options, weights)(a)

    def by_operation(a):
        return ops.GradOperation(get_by_list=True)(product, weights)(a)

    row = Tensor([3.0, 4.0], ms.float32)
    return ms.jit(run)(row), ms.jit(by_operation)(row)


@case.table(
    {
        "dict": (lambda u, v: {"u": u, "v": v}, (None,)),
        "dict_and_input": (lambda u, v: {"v": v, "u": u}, (0,)),
        "deep": (lambda u, v: {"u": u, "rest": (v, [u])}, (None,)),
        "list_of_tuple": (lambda u, v: [u, (v,)], (None,)),
        "number": (lambda u, v: {"u": u, "v": 1}, (None,)),
    }
)
def weights_in_a_container(form, options):
    return of_weights_in(form, options)


@case
def weights_in_a_dict_of_pynative():
    u = Parameter(Tensor([1.0, 2.0], ms.float32), name="u")
    return ms.value_and_grad(lambda a: (a * u).sum(), None, {"u": u})(Tensor([3.0, 4.0]))


@case.table({"int": (4,), "float": (2.5,), "bool": (True,)})
def number_in_containers(value):
    @ms.jit
    def within(number):
        return [number], (number, 1), {"a": number}

    return within(mutable(value))


def low_bits(n, x):
    return n & 3, 3 & n, n | 4, ~n, n & x


def repeated(n, x):
    return [1] * n, (x, 1) * n


@case.table({"int": (low_bits, 6), "bool": (low_bits, True), "float": (low_bits, 2.5)})
def bits_of_numbers(function, value):
    return ms.jit(function)(mutable(value), Tensor([5, 6, 7], ms.int64))


@case
def sequences_repeated():
    return [ms.jit(repeated)(mutable(n), Tensor([5.0], ms.float32)) for n in (2, 3)]


@case
def made_and_returned_in_a_compiled_call():
    @ms.jit
    def both(value):
        number = mutable(2)
        members = mutable({"a": value})
        return number, members, (number, members), mutable(1.5), mutable(True)

    found = both(Tensor(1.0))
    return found, [type(item).__name__ for item in found]
