"""``print`` in compiled functions: each call prints what the plain function prints, in order."""

from contextlib import nullcontext

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops


def words(x):
    print("x is", x, x.shape, [x, 1], {"a": (x, None)}, 2.5, sep=", ", end=".\n")
    return x * 2


def only_text(x):
    print("hello")
    return x


def grown_afterwards(x):
    kept = [1]
    print(kept)
    kept.append(2)
    print(kept)
    return x


def in_branches(x):
    if x > 0:
        print("positive", x)
        x = x * 2
    else:
        print("negative", x)
    print("end")
    return x


def in_a_loop(x):
    turns = 0
    while x < 10:
        print("turn", turns, x, x > 3)
        x = x.abs() * 2
        turns += 1
    print("turns", turns)
    return x


def operator(x):
    ops.Print()("v", x)
    ops.print_(x + 1)
    return x


def in_the_backward_pass_too(x):
    def inner(v):
        print("inner", v, v.astype(ms.int32))
        return v * v * v

    return ms.grad(ms.grad(inner))(x)


def given_up(x):
    print("before", x)
    return x * float(x.asnumpy())


def f_strings(x):
    name, kept = "x", []
    print(f"before {name!r} {x!r}: {x.shape} {x.dtype} {kept!r} {2.5:.2f}{name:>3} {x}", f"{x}", x)
    if x > 0:
        print(f"{name} is positive: {x * 2}")
        x = x * 2
    for i in range(2):
        kept.append(i)
        print(f"{i}, {len(kept)}")
    return x


def text_of_a_list(x):
    kept = [x]
    print(f"kept {kept}")
    return x


def added_text(x):
    print("before")
    print("x is " + str(x))
    return x


def test_the_operator_prints_the_values_of_a_parameter(capsys):
    weight = Parameter(Tensor([1.0, 2.0]), name="w")

    def show(x):
        ops.Print()(weight)
        return x

    show(Tensor(1.0))
    plain = capsys.readouterr().out
    assert plain == f"{Tensor([1.0, 2.0])!r}\n"
    ms.jit(show)(Tensor(1.0))
    assert capsys.readouterr().out == plain


def test_numbers_of_64_bits_are_printed_whole(capsys):
    def show(i, x):
        print(i + 1, (i * 1, x * 1))
        return i

    given = Tensor([2**40, 3]), Tensor(1.123456789012, ms.float64)
    show(*given)
    plain = capsys.readouterr().out
    ms.jit(show)(*given)
    assert capsys.readouterr().out == plain and "1099511627777" in plain


ALL = (words, only_text, grown_afterwards, in_branches, in_a_loop, operator, f_strings)
COMPILED = (*ALL, in_the_backward_pass_too)


def printed(function, capsys, values=(2.0, -3.0, 5.0)):
    """Call a function, and print between the calls; gives all that was printed."""
    for value in values:
        function(Tensor(np.float32(value)))
        print("called")
    return capsys.readouterr().out


@pytest.mark.parametrize("function", COMPILED)
def test_each_call_prints_what_the_plain_function_prints(function, capsys):
    compiled = ms.jit(function)
    assert printed(compiled, capsys) == printed(function, capsys)
    assert compiled.stats.compiles == 1 and not compiled.stats.fallbacks


FORMS = {
    "outside": lambda function: ms.value_and_grad(ms.jit(function)),
    "inside": lambda function: ms.jit(ms.value_and_grad(function)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("function", ALL)
def test_a_gradient_prints_once(function, form, capsys):
    plain = printed(ms.value_and_grad(function), capsys)
    # The backward pass of a loop runs it again.
    loops = pytest.warns(UserWarning, match="runs as plain Python")
    with loops if function is in_a_loop else nullcontext():
        assert printed(FORMS[form](function), capsys) == plain


def test_a_gradient_of_what_is_compiled_already(capsys):
    plain = printed(ms.value_and_grad(in_a_loop), capsys)
    compiled = ms.jit(in_a_loop)
    printed(compiled, capsys)
    assert printed(ms.value_and_grad(compiled), capsys) == plain


@pytest.mark.parametrize("function", [given_up, added_text, text_of_a_list])
def test_a_trace_that_is_given_up_prints_nothing(function, capsys):
    plain = printed(function, capsys)
    with pytest.warns(UserWarning, match="runs as plain Python"):
        assert printed(ms.jit(function), capsys) == plain


def test_under_vmap(capsys):
    plain = ms.vmap(only_text)
    plain(Tensor([1.0, 2.0]))
    expected = capsys.readouterr().out
    compiled = ms.jit(plain)
    with pytest.warns(UserWarning, match="runs as plain Python"):
        compiled(Tensor([1.0, 2.0]))
    assert capsys.readouterr().out == expected


def test_a_training_step(capsys):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor(2.0), name="weight")
            self.calls = 0

        def construct(self, x):
            self.calls += 1
            print("call", self.calls, self.weight, self.weight * 1)
            return self.weight * x

    def steps(mode):
        ms.set_context(mode=mode)
        net = Net()
        step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
        return printed(step, capsys)

    assert steps(ms.GRAPH_MODE) == steps(ms.PYNATIVE_MODE)


def test_a_tensor_is_shown_whatever_its_form_says(capsys):
    @ms.jit
    def shown(x):
        print(f"loss {x:.2f} {2.5:.2f} {x:>9}")
        return x

    assert (
        printed(shown, capsys, (1.5, 2.5))
        == "loss 1.5 2.50 1.5\ncalled\nloss 2.5 2.50 2.5\ncalled\n"
    )
    assert shown.stats.compiles == 1 and not shown.stats.fallbacks
