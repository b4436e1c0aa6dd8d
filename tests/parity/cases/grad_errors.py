"""What grad and value_and_grad refuse: at their creation, at the call, and in what fn returns."""

import functools

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def square(x):
    return x * x


def pair(x, y):
    return x * y


def x():
    return Tensor([1.0, 2.0], ms.float32)


def weight():
    return Parameter(Tensor([2.0, 3.0], ms.float32), name="w")


POSITIONS = {
    "negative": (-1,),
    "negative_in_tuple": ((-1,),),
    "negative_second": ((0, -2),),
    "list": ([0],),
    "float": (0.0,),
    "text": ("a",),
    "dict": ({},),
    "text_in_tuple": ((0, "a"),),
    "float_in_tuple": ((0.0,),),
    "None_in_tuple": ((None,),),
    "duplicate": ((0, 0),),
    "complex": (0j,),
}


@case.table(POSITIONS, message=True)
def grad_position(value):
    ms.grad(square, value)
    return "no error at creation"


@case.table(POSITIONS, message=True)
def value_and_grad_position(value):
    ms.value_and_grad(square, value)
    return "no error at creation"


@case.table(
    {
        "grad": (lambda: ms.grad(square, None),),
        "grad_explicit": (lambda: ms.grad(square, None, None),),
        "value_and_grad": (lambda: ms.value_and_grad(square, None),),
        "value_and_grad_explicit": (lambda: ms.value_and_grad(square, None, None, has_aux=True),),
        "no_function": (lambda: ms.grad(),),
    },
    message=True,
)
def creation(make):
    make()
    return "no error at creation"


@case
def empty_weights_without_position_are_accepted():
    return ms.grad(square, None, [])(x())


FLAGS = {
    f"{flag}-{name}": (flag, value)
    for flag in ("has_aux", "return_ids", "sens_param")
    for name, value in {"int": 1, "None": None, "text": "a"}.items()
}


@case.table(FLAGS, message=True)
def flag(name, value):
    ms.grad(square, **{name: value})
    return "no error at creation"


@case.table(FLAGS, message=True)
def flag_of_value_and_grad(name, value):
    ms.value_and_grad(square, **{name: value})
    return "no error at creation"


@case.table(
    {
        "empty_tuple": ((),),
        "out_of_range": (2,),
        "out_of_range_in_tuple": ((0, 2),),
    },
    message=True,
)
def position_at_call(value):
    return ms.grad(pair, value)(x(), x())


@case(message=True)
def position_out_of_range_with_weights():
    w = weight()
    return ms.value_and_grad(lambda x: x * w, 1, [w])(x())


@case
def position_of_a_default_argument():
    return ms.grad(lambda x, k=2.0: x * k, 1)(x())


@case.table({"True": (True,), "False": (False,)})
def bool_position(value):
    return ms.grad(lambda x, y: x * x * y, value)(x(), x() + 3)


@case.table({"int": (3,), "None": (None,), "text": ("f",), "tuple": ((1.0, 2.0),)})
def function_not_callable(fn):
    return ms.grad(fn)(x())


@case(message=True)
def function_not_callable_text():
    return ms.grad(3)(x())


@case
def no_inputs_at_all():
    return ms.grad(square)()


class Callable:
    def __call__(self, x):
        return x * x


@case
def callable_object():
    return ms.grad(Callable())(x())


@case
def partial():
    return ms.grad(functools.partial(pair, x()))(x())


@case
def primitive():
    return ms.grad(ops.Mul(), (0, 1))(x(), x() + 1)


@case
def functional_operator():
    return ms.grad(ops.square)(x())


@case.table(
    {
        "int": (lambda w: 3,),
        "text": (lambda w: "w",),
        "set": (lambda w: {w},),
        "generator": (lambda w: (p for p in [w]),),
        "filter": (lambda w: filter(None.__ne__, [w]),),
        "number_in_list": (lambda w: [w, 3],),
        "None_in_list": (lambda w: [None],),
        "nested_list": (lambda w: [[w]],),
        "tensor": (lambda w: Tensor([1.0, 1.0], ms.float32),),
        "tensor_in_list": (lambda w: [Tensor([1.0, 1.0], ms.float32)],),
    }
)
def weights(make):
    w = weight()
    return ms.grad(lambda x: x * w, None, make(w))(x())


@case(message=True)
def weights_text_for_a_number():
    w = weight()
    return ms.grad(lambda x: x * w, None, 3)(x())


@case(message=True)
def weights_text_for_a_number_in_a_list():
    w = weight()
    return ms.grad(lambda x: x * w, None, [w, 3])(x())


@case.table(
    {
        "tensor": (lambda a: a,),
        "one_tuple": (lambda a: (a,),),
        "list": (lambda a: [a, a],),
        "dict": (lambda a: {"a": a, "b": a},),
        "number": (lambda a: 3.0,),
        "None": (lambda a: None,),
    }
)
def aux_needs_a_tuple(form):
    return ms.grad(lambda x: form(x * x), has_aux=True)(x())


@case(message=True)
def aux_needs_a_tuple_text():
    return ms.value_and_grad(square, has_aux=True)(x())


@case.table(
    {
        "number": (lambda a: (a, 3),),
        "None": (lambda a: (a, None),),
        "text": (lambda a: (a, "s"),),
        "number_first": (lambda a: (3.0, a),),
    }
)
def aux_with_one_tensor(form):
    return ms.grad(lambda x: form(x * x), has_aux=True)(x())


@case
def empty_output():
    return ms.grad(lambda x: ())(x())


@case.table(
    {
        "KeyError": (lambda x: {}["a"],),
        "ValueError": (lambda x: int("a"),),
        "ZeroDivisionError": (lambda x: 1 / 0,),
        "AttributeError": (lambda x: x.no_such_name,),
        "NameError": (lambda x: no_such_name,),  # noqa: F821
        "TypeError": (lambda x, y: x,),
    }
)
def raised_inside(fn):
    return ms.grad(fn)(x())


class Own(LookupError):
    pass


def fail(x):
    raise Own("the reason")


@case(message=True)
def own_exception():
    return ms.value_and_grad(fail)(x())


@case
def gradient_after_an_exception():
    w = weight()

    def broken(x):
        raise ValueError(f"stop at {x * w}")

    caught = []
    for fn in (broken, lambda x: x * w * w):
        try:
            caught.append(ms.grad(fn, 0, [w])(x()))
        except ValueError as error:
            caught.append(str(error))
    return caught, w, w * 2


@case
def exception_in_the_inner_of_two_gradients():
    def outer(x):
        try:
            ms.grad(fail)(x)
        except Own:
            return x * 5
        return x

    return ms.grad(outer)(x())


@case
def exception_caught_inside():
    def fn(x):
        try:
            raise Own("never seen")
        except Own:
            return x * 3

    return ms.grad(fn)(x())


@case
def cell_with_too_few_inputs():
    return ms.grad(nn.ReLU())()


@case
def cell_with_too_many_inputs():
    return ms.grad(nn.ReLU())(x(), x())


@case
def unknown_keyword_of_the_function():
    return ms.grad(square)(x(), other=x())


@case
def unknown_keyword_of_grad():
    return ms.grad(square, position=0)


@case
def complex_input():
    return ms.grad(square)(Tensor([1 + 2j], ms.complex64))


@case
def shapes_do_not_broadcast():
    return ms.grad(pair)(x(), Tensor([1.0, 2.0, 3.0], ms.float32))
