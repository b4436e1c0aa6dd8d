"""Compiled functions whose Python asks for values: every branch is compiled, or the call runs as
plain Python with one warning that says where. The results, and the state, are those of eager calls.
"""

import inspect
import linecache
import re
import warnings

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

# Draws from the global generator, which eager and compiled calls share.
UNSEEDED = ops.UniformReal()

IMAGE = Tensor(np.ones((1, 1, 9, 9), np.float32))
VALUES = (2.0, -3.0, 0.5, 7.0, -0.25, 0.0)


class World(nn.Cell):
    """All kinds of state that a program may write, beside what is asked for."""

    def __init__(self, body):
        super().__init__()
        self.weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        self.count = Parameter(Tensor(0, ms.int32), name="count", requires_grad=False)
        self.kept = Tensor([0.0, 0.0])
        self.register_buffer("mean", Tensor([0.0, 0.0]))
        self.other = Tensor([3.0, 4.0])
        self.calls, self.history = 0, []
        self.body = body

    def construct(self, x):
        self.count += 1
        ops.assign_add(self.weight, x)
        self.kept = self.kept * 0.5 + x + UNSEEDED((2,))
        self.mean = self.mean * 0.9 + self.kept
        y = self.body(self, x[0])
        self.kept = self.kept + 1
        return y + self.kept.sum()


def state(net):
    return [t.asnumpy() for t in (net.weight, net.count, net.kept, net.mean, UNSEEDED((2,)))]


FORMS = {
    "construct": lambda net: setattr(net, "construct", ms.jit(net.construct)) or net,
    "function": lambda net: ms.jit(lambda x: net(x)),
    "method": lambda net: ms.jit(net.construct),
}


def run_both(body, form):
    """Call a world with ``body`` eagerly and compiled; gives the statistics and the warnings."""
    nets = [World(body), World(body)]
    run = FORMS[form](nets[1])
    results, states = [], []
    seen = []
    for call, net in ((nets[0], nets[0]), (run, nets[1])):
        ms.set_seed(3)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            results.append([float(call(Tensor([v, 1.0]))) for v in VALUES])
        states.append(state(net))
        seen += found
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5, atol=1e-5)
    for one, other in zip(*states, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-5)
    return (run.construct if form == "construct" else run).stats, seen


# Compiled ---------------------------------------------------------------------------------


def if_else(net, x):
    if x > 0:
        y = x * 2
    else:
        y = x - 1
        y = y * 3
    return y


def early_return(net, x):
    if x > 1:
        return x * 2
    if x < -1:
        return -x
    return x * 0


def ternary(net, x):
    return x * 2 if x > 0 else x - 1


def logic(net, x):
    return x * 2 if (x > 0 and not x > 5) or x < -1 else x - 1


def chained(net, x):
    return x * 2 if 0 < x < 5 else x - 1


def truth(net, x):
    return x * 2 if bool(x) else x + 100


def truth_of_an_integer(net, x):
    if ops.cast(x, ms.int32):
        return x + 100
    return x


def contained(net, x):
    return x * 2 if x in (2.0, 0.5) else x - 1


def contained_in_a_tensor(net, x):
    return x * 2 if 2.0 in ops.stack((x, x + 1.5)) else x - 1


def any_and_all(net, x):
    return x * 2 if any([x > 5, x < -1]) and all([x > 0, True]) else x - 1


def short_loops(net, x):
    total = x * 0
    for i in range(3):
        if x < i:
            continue
        total = total + i + 1
        if total > 3:
            break
    return total


def over_rows(net, x):
    total = x * 0
    for row in ops.stack((x, x * 2)):
        if row > 1:
            total = total + row
    return total + len(ops.stack((x, x)))


def parameter_written_in_one_branch(net, x):
    if x > 0:
        net.weight = net.weight * 2
        net.count += 10
    return net.weight.sum()


def attribute_set_in_one_branch(net, x):
    if x > 0:
        net.kept = net.kept * 3
    else:
        net.mean = net.mean - 1
    return x


def attribute_written_in_place_in_a_branch(net, x):
    if x > 0:
        net.kept[0] = x
    return net.kept[0] * 1


def random_in_one_branch(net, x):
    if x > 0:
        return UNSEEDED((2,)).sum()
    return x


def helper(x):
    if x > 0:
        return x * 3
    return x


def in_a_function_called(net, x):
    return helper(x) + helper(x - 1)


def closed_over_and_nonlocal(net, x):
    y = x

    def inner():
        nonlocal y
        if x > 0:
            y = y + 5

    inner()
    return y


def lists_grown_in_a_branch(net, x):
    found = []
    if x > 0:
        found.append(x)
    return x + len(found) + sum(found)


def within_try_and_with(net, x):
    try:
        with warnings.catch_warnings():
            if x > 0:
                return x * 2
    finally:
        net.mean = net.mean + 1
    return x


def matched(net, x):
    match bool(x > 0):
        case True:
            return x * 2
        case _:
            return x - 1


def gradient_through_a_branch(net, x):
    return ms.grad(lambda v: early_return(net, v * v) + if_else(net, v))(x)


def gradient_by_weights(net, x):
    def loss():
        if net.weight.sum() > 3:
            return (net.weight * net.weight).sum()
        return net.weight.sum() * x

    return ms.grad(loss, None, net.weight)().sum()


def second_derivative(net, x):
    return ms.grad(ms.grad(lambda v: ternary(net, v * v * v)))(x)


def vectorized_beside_a_branch(net, x):
    rows = ops.stack((x, x + 1))
    return ms.vmap(lambda r: r * 2 if x > 0 else r)(rows).sum()


class OwnBackward(nn.Cell):
    def construct(self, x):
        return x * 2 if x > 0 else x * 3

    def bprop(self, x, out, dout):
        return (dout * 10 if dout > x else dout * 100,)


def backward_functions(net, x):
    own, inserted = OwnBackward(), ops.InsertGradientOf(lambda d: d * 5 if d > 1 else -d)
    return ms.grad(lambda v: own(v) * v + inserted(v) * v)(x)


def buffer_set_to_another_tensor(net, x):
    if x > 0:
        net.mean = net.other
    return x + net.mean.sum()


def numbers_of_the_branches(net, x):
    if x > 0:
        return 3.0
    return 4.0


def shapes_that_differ_within(net, x):
    y = ops.stack((x, x)) if x > 0 else x
    return y.sum()


def kernel_of_numpy_constants(net, x):
    return x * Tensor(np.float32(3)) if x > 0 else x + Tensor(np.float32(4))


def while_loop(net, x):
    while x < 100:
        x = x * x + 1
    return x


def while_true(net, x):
    n = x * 0
    while True:
        n = n + 1
        if n > x:
            break
    return n


def loop_caught_by_the_program(net, x):
    try:
        while x < 100:
            x = x * x + 1
    except Exception:
        x = x * 0
    return x


def sequence_of_branches(net, x):
    for i in range(5):
        if x > i:
            x = x + 1
    return x


def break_in_for(net, x):
    for i in range(9):
        x = x + i
        if x > 5:
            break
    else:
        x = x * 10
    return x


def return_in_while(net, x):
    while x < 20:
        x = x * x + 1
        if x > 7:
            return x * 2
    return -x


def doubled_if_positive(x):
    if x > 0:
        return x * 2
    return x - 1


def returns_in_a_function_called_in_a_loop(net, x):
    for _ in range(9):
        x = doubled_if_positive(x) if x < 9 else x - 3
    return x


def row_of_an_index(net, x):
    return ops.stack((x, x * 2))[(x > 0).astype(ms.int32)]


def float_in_a_loop(net, x):
    factor = 0.5
    while x < 20:
        x = x.abs() * 2 + 1
        factor = factor * 1.5
    return x * factor


def index_of_a_list(net, x):
    return x + [5.0, 6.0, 7.0][ops.cast(ops.abs(x) > 1, ms.int32)]


def layer_at_an_index(net, x):
    layers = (ops.abs, nn.ReLU(), lambda v: v * net.weight.sum())
    return layers[ops.cast(x > 1, ms.int32) - ops.cast(x < 0, ms.int32)](x)


def place_returned_from_a_loop(net, x):
    def first_above(x):
        for i in range(5):
            for j in range(3):
                if x * j > i:
                    return x * i, (j, i)
        return x, (-1, -1)

    y, (j, i) = first_above(x)
    return y + j * 10 + i


def return_in_an_inner_while(net, x):
    i = 0
    while i < 4:
        j = 0
        while j < 4:
            if x * i > j + 3:
                return x * 10 + i
            j += 1
            x = x + 0.5
        i += 1
    return -x


def loop_of_an_operator(net, x):
    loop = ops.WhileLoop()
    return loop(lambda v: v[0] < 40, lambda v: (v[0] * v[0] + 1, v[1] + 1), (x, 0))[1] + x


def lists_filled_in_loops(net, x):
    found, ages = [x, x * 0], {"a": 0, "b": x}
    same = found
    while x < 10:
        found[0] = found[0] + 1
        ages["b"], ages["a"] = found[1], ages["a"] + 1
        if x > 3:
            found[1] = found[1] + x
        x = x + 3
    for i in range(12):
        if x > i:
            same[1] = same[1] * 0.5 + i
    return found[0] + found[1] + ages["a"] + ages["b"]


def filled_by_a_function(net, x):
    def fill(values, x):
        while x < 10:
            values[0] = values[0] + x
            x = x + 3

    found = [x, 1]
    fill(found, x)
    return found[0] * found[1]


def another_list_in_a_loop(net, x):
    found = before = [x, x * 0]
    while x < 10:
        found = [found[1] + 1, found[0]]
        x = x + 3
    return found[0] * 3 + found[1] + before[0] * 5


def tensor_of_a_list(net, x):
    rows = [x * i for i in range(3)]
    return (Tensor(rows) * Tensor([[x, 1, 2.5]])).sum()


def raised_in_a_branch(net, x):
    if x > 100:
        raise ValueError("too large")
    return x


def several_kinds_of_results(net, x):
    def found(x):
        if x > 1:
            return None
        return (x, 2) if x > 0 else [x]

    y = found(x)
    return x if y is None else y[0] * len(y)


def to_float(net, x):
    return x * float(x)


def to_int(net, x):
    return x * int(x)


def to_item(net, x):
    return x * x.item()


def range_of_a_tensor(net, x):
    for _ in range(ops.cast(ops.abs(x), ms.int32)):
        x = x + 1
    return x


def caught_by_the_program(net, x):
    try:
        y = x * float(x)
    except Exception:
        y = x * 0
    return y


def caught_and_raised_anew(net, x):
    try:
        y = x * float(x)
    except Exception as error:
        raise KeyError("no number") from error
    return y


def the_largest_of_several(net, x):
    best = x
    for value in ops.stack((x, -x, x * 0, x + 1, x * 2, -x * 3)):
        best = max(best, value)
    return best


def filled_at_a_number(net, x):
    found, place = ops.zeros(3), abs(int(x)) % 3
    found[place] = x * 2
    return found[2] + [x, x + 1, x + 2][place]


COMPILED = [
    index_of_a_list,
    layer_at_an_index,
    place_returned_from_a_loop,
    return_in_an_inner_while,
    loop_of_an_operator,
    row_of_an_index,
    float_in_a_loop,
    if_else,
    early_return,
    ternary,
    logic,
    chained,
    truth,
    truth_of_an_integer,
    contained,
    contained_in_a_tensor,
    any_and_all,
    short_loops,
    over_rows,
    parameter_written_in_one_branch,
    attribute_set_in_one_branch,
    attribute_written_in_place_in_a_branch,
    random_in_one_branch,
    in_a_function_called,
    closed_over_and_nonlocal,
    lists_grown_in_a_branch,
    within_try_and_with,
    matched,
    gradient_through_a_branch,
    gradient_by_weights,
    second_derivative,
    vectorized_beside_a_branch,
    backward_functions,
    numbers_of_the_branches,
    buffer_set_to_another_tensor,
    shapes_that_differ_within,
    kernel_of_numpy_constants,
    while_loop,
    while_true,
    sequence_of_branches,
    break_in_for,
    return_in_while,
    returns_in_a_function_called_in_a_loop,
    loop_caught_by_the_program,
    lists_filled_in_loops,
    filled_by_a_function,
    another_list_in_a_loop,
    raised_in_a_branch,
    several_kinds_of_results,
    tensor_of_a_list,
    to_float,
    to_int,
    to_item,
    range_of_a_tensor,
    caught_by_the_program,
    caught_and_raised_anew,
    the_largest_of_several,
    filled_at_a_number,
]


@pytest.mark.parametrize("body", COMPILED, ids=lambda f: f.__name__)
def test_branches_are_compiled(body):
    stats, seen = run_both(body, "function")
    assert not seen, [str(w.message) for w in seen]
    assert (stats.compiles, stats.hits, stats.fallbacks) == (1, len(VALUES) - 1, {})


@pytest.mark.parametrize("form", FORMS)
def test_branches_in_all_forms(form):
    stats, seen = run_both(parameter_written_in_one_branch, form)
    assert not seen, [str(w.message) for w in seen]
    assert (stats.compiles, stats.hits) == (1, len(VALUES) - 1)


# Plain Python -----------------------------------------------------------------------------


def to_numpy(net, x):
    return x + x.asnumpy().sum()


def to_list(net, x):
    return x + sum(ops.stack((x, x)).tolist())


def formatted(net, x):
    return x + len(f"{x}")


def asserted(net, x):
    assert x < 100, "too large"
    return x


def python_value_on_the_cell(net, x):
    if x > 0:
        net.calls += 1
    return x + net.calls


def list_on_the_cell(net, x):
    if x > 0:
        net.history.append(1)
    return x + len(net.history)


def attribute_deleted(net, x):
    net.mark = 1
    if x > 0:
        del net.mark
    return x + hasattr(net, "mark")


def masked(net, x):
    rows = ops.stack((x, x + 1))
    return rows[rows > 0].sum()


def list_of_two_names_in_a_loop(net, x):
    found = same = [x, x]
    while x < 10:
        found[0] = found[0] + 1
        x = x + 3 + same[0] * 0.1
    return found[0]


def list_filled_and_replaced(net, x):
    found = before = [x, x * 0]
    while x < 10:
        found[0] = x
        found = [found[1], found[0] + 1]
        x = x + 3
    return found[0] + before[0] * 5


def list_in_a_list_in_a_loop(net, x):
    found = [[x], x]
    while x < 10:
        found[0][0] = found[0][0] + 1
        x = x + 3
    return found[0][0]


def in_numpy(net, x):
    return x + float(np.sin(x))


def in_an_inner_trace(net, x):
    return ms.recompute(lambda v: v * 2 if v > 0 else v, x)


def under_vmap(net, x):
    return ms.vmap(lambda v: v * 2 if v > 0 else v)(ops.stack((x, x + 1))).sum()


PLAIN = {
    to_numpy: "x.asnumpy()",
    to_list: "tolist()",
    formatted: 'len(f"{x}")',
    # Under pytest its own assert shows the values first.
    asserted: "",
    python_value_on_the_cell: "if x > 0:",
    list_on_the_cell: "if x > 0:",
    attribute_deleted: "if x > 0:",
    masked: "rows[rows > 0]",
    list_of_two_names_in_a_loop: "while x < 10:",
    list_filled_and_replaced: "while x < 10:",
    list_in_a_list_in_a_loop: "while x < 10:",
    in_numpy: "np.sin(x)",
}


@pytest.mark.parametrize(
    ("body", "form"),
    [
        *((body, "function") for body in PLAIN),
        *((body, form) for body in (to_numpy, to_list) for form in ("construct", "method")),
    ],
)
def test_the_rest_runs_as_plain_python(body, form):
    stats, seen = run_both(body, form)
    (warning,) = seen
    text = str(warning.message)
    assert "runs as plain Python" in text
    assert warning.filename == __file__
    assert stats.compiles == 0
    assert list(stats.fallbacks.values()) == [1]
    if PLAIN[body]:
        found = re.search(r"\((\S+):(\d+): (.*)\)$", text)
        assert found is not None, text
        lines, first = inspect.getsourcelines(body)
        assert found[1] == __file__
        assert first <= int(found[2]) < first + len(lines)
        assert linecache.getline(__file__, int(found[2])).strip() == found[3]
        assert PLAIN[body] in found[3]


def test_what_a_branch_returns():
    first, second = (Parameter(Tensor(v), name=f"p{v}") for v in (1.0, 2.0))

    @ms.jit
    def same(x):
        if x > 0:
            ops.assign_add(first, x)
        return x, first, {"a": (x * 2, "text")}

    for v in (3.0, -1.0):
        found = same(Tensor(v))
        assert (type(found[1]), float(found[1])) == (Tensor, 4)
        assert found[2]["a"][1] == "text"
    assert float(first) == 4

    @ms.jit
    def other(x):
        return first if x > 0 else second

    assert [float(other(Tensor(v))) for v in (1.0, -1.0)] == [4, 2]
    assert (same.stats.compiles, other.stats.compiles) == (1, 1)


RESULTS = {
    "none": lambda x: None if x > 0 else x,
    "containers": lambda x: (x, x) if x > 0 else {"a": [x]},
    "numbers": lambda x: (x, 1) if x > 0 else (x, 2.5),
    "texts": lambda x: "yes" if x > 0 else "no",
    "shapes": lambda x: ops.stack((x, x)) if x > 0 else x,
    "dtypes": lambda x: ops.cast(x, ms.int32) if x > 0 else x,
    "four": lambda x: (x if x > 6 else None) if x > 1 else ((x,) if x > 0 else 3),
    "functions": lambda x: ops.relu if x > 0 else ops.tanh,
}


@pytest.mark.parametrize("function", RESULTS.values(), ids=RESULTS)
def test_results_of_different_structure(function):
    run = ms.jit(function)
    for v in VALUES:
        found, wanted = run(Tensor(v)), function(Tensor(v))
        assert jax.tree.structure(found) == jax.tree.structure(wanted)
        for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
            assert type(one) is type(other)
            assert np.all(one == other)
            assert getattr(one, "dtype", None) == getattr(other, "dtype", None)
    assert (run.stats.compiles, run.stats.hits) == (1, len(VALUES) - 1)


def test_a_convolution_after_a_question():
    run = ms.jit(
        lambda x: ops.conv2d(x * IMAGE, IMAGE[:, :, :3, :3]).sum() if x > 0 else x,
    )
    with pytest.warns(UserWarning, match="many times slower within a branch on the CPU"):
        run(Tensor(2.0))
    assert float(run(Tensor(-2.0))) == -2


def test_an_attribute_that_is_new_in_one_branch():
    class Net(nn.Cell):
        def construct(self, x):
            if x > 0:
                self.seen = x
            return x

    run = ms.jit(Net())
    with pytest.warns(UserWarning, match="'seen' of a Cell is a Tensor after one branch only"):
        run(Tensor(-1.0))
    assert not hasattr(run, "seen")
    run(Tensor(2.0))
    assert float(run.seen) == 2


def test_python_that_differs_when_it_runs_again():
    runs = []

    @ms.jit
    def changing(x):
        runs.append(1)
        x = x * len(runs)
        return x if x > 0 else -x

    with pytest.warns(UserWarning, match="computes other things when it runs again"):
        assert float(changing(Tensor(2.0))) == 2 * len(runs)


def test_where_jax_traces_on_its_own_no_branch_is_kept():
    """JAX keeps what it traces by function, and would take one branch for the other."""

    def recomputed(x):
        return ms.recompute(lambda v: v * 2 if v > 0 else v - 1, x, use_reentrant=False)

    def closed_over(x):
        flag = x > 0

        def inner(raw):
            return raw * 2 if flag else raw - 1

        return Tensor(jax.jit(inner)(x._read()))

    for function in (recomputed, closed_over):
        run = ms.jit(function)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert [float(run(Tensor(v))) for v in (2.0, -3.0, 4.0)] == [4, -4, 8]


class OddError(ValueError):
    def __init__(self, value, limit):
        super().__init__(f"{value} is beyond {limit}")
        self.limit = limit


def with_its_own_arguments(x):
    if x > 5:
        raise OddError("it", 5)
    return x


def with_a_text(x):
    if x > 5:
        raise KeyError(f"{x} of {x.shape}", x * 2)
    return x


def in_a_function_that_is_called(x):
    return with_its_own_arguments(x * 1) + with_a_text(x)


@pytest.mark.parametrize(
    "function", [with_its_own_arguments, with_a_text, in_a_function_that_is_called]
)
def test_an_exception_in_the_branch_that_is_taken(function):
    weight = Parameter(Tensor([1.0]), name="w")

    @ms.jit
    def guarded(x):
        ops.assign_add(weight, x.reshape(1))
        return function(x)

    # What raises first is a program as well.
    for v in (9.0, 1.0, 8.0):
        if v < 5:
            assert float(guarded(Tensor(v))) == float(function(Tensor(v)))
            continue
        with pytest.raises(Exception) as wanted:
            function(Tensor(v))
        with pytest.raises(wanted.type) as found:
            guarded(Tensor(v))
        assert (found.value.args, vars(found.value)) == (wanted.value.args, vars(wanted.value))
    assert weight.asnumpy().tolist() == [19]
    assert (guarded.stats.compiles, guarded.stats.hits) == (1, 2)


def test_an_exception_in_a_gradient():
    def loss(x):
        if x > 5:
            raise ValueError("too large")
        return x * x

    step = ms.jit(ms.grad(loss))
    assert float(step(Tensor(3.0))) == 6
    with pytest.raises(ValueError, match="too large"):
        step(Tensor(7.0))
    assert step.stats.fallbacks == {}


def test_python_before_the_question_runs_once_for_each_way():
    """That is documented: what a program does to lists, it does while it is traced."""
    runs = []

    @ms.jit
    def branching(x):
        runs.append(1)
        return x if x > 0 else -x

    for v in (1.0, -2.0, 3.0):
        branching(Tensor(v))
    assert len(runs) == 2


def test_branches_leave_nothing_behind():
    net = World(parameter_written_in_one_branch)
    run = ms.jit(lambda x: net(x))
    x = Tensor([1.0, 1.0])
    run(x)
    run(x)
    before = len(jax.live_arrays())
    for _ in range(50):
        run(x)
    assert len(jax.live_arrays()) <= before
    assert run.stats.compiles == 1


def test_a_gradient_through_compiled_branches():
    run = ms.jit(early_return_of_one)
    grad = ms.grad(run)
    assert [float(grad(Tensor(v))) for v in (3.0, -3.0, 0.5)] == [2, -1, 0]
    assert [float(grad(Tensor(v))) for v in (3.0, -3.0, 0.5)] == [2, -1, 0]


def early_return_of_one(x):
    return early_return(None, x)


def random_block(rng, depth):
    """Make a program: a list of instructions on three values, a Parameter and an attribute."""
    block = []
    for _ in range(rng.integers(1, 4)):
        kind = rng.choice(["add", "scale", "write", "keep", "random", "take", "if", "if"])
        a, b = (int(v) for v in rng.integers(0, 3, 2))
        if kind == "if" and depth:
            block.append(
                ("if", a, float(rng.normal()), *(random_block(rng, depth - 1) for _ in range(2)))
            )
        elif kind != "if":
            block.append((str(kind), a, b))
    return block


def run_block(net, block, values):
    for kind, a, b, *branches in block:
        if kind == "if":
            run_block(net, branches[0] if values[a] > b else branches[1], values)
        elif kind == "add":
            values[a] = values[a] * 0.5 + values[b]
        elif kind == "scale":
            values[a] = values[a] * (b - 1.5)
        elif kind == "write":
            ops.assign_add(net.weight, values[a] * Tensor([0.1, 0.2]))
        elif kind == "keep":
            net.kept = net.kept * 0.5 + values[a]
        elif kind == "random":
            values[a] = values[a] + UNSEEDED((1,))[0]
        else:
            values[a] = values[a] + (net.weight * net.kept).sum() * 0.1


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5])
def test_random_programs(seed):
    rng = np.random.default_rng(seed)
    block = random_block(rng, 2) + [("if", 0, 0.0, [("write", 1, 0)], [("keep", 2, 0)])]

    def body(net, x):
        values = [x, x - 1, x * 0 + 0.5]
        run_block(net, block, values)
        return values[0] + values[1] * values[2]

    stats, seen = run_both(body, "function")
    assert not seen, [str(w.message) for w in seen]
    assert stats.compiles == 1


class OwnStep(nn.TrainOneStepWithLossScaleCell):
    """The step as MindSpore programs write it."""

    def construct(self, x, y):
        loss = self.network(x, y)
        scale = self.scale_sense
        status, scale = self.start_overflow_check(loss, scale)
        sens = ops.ones_like(loss) * ops.cast(scale, loss.dtype)
        grads = tuple(g / scale for g in self.grad(self.network, self.weights)(x, y, sens))
        overflow = self.process_loss_scale(self.get_overflow_status(status, grads))
        if not overflow:
            loss = ops.depend(loss, self.optimizer(grads))
        return loss, overflow, scale


def test_a_training_step_that_leaves_out_overflows():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 8, 4)).astype(np.float32)
    y = x.sum(-1, keepdims=True)
    y[2] = np.inf
    results = []
    for make in (lambda step: step, lambda step: ms.jit(lambda x, y: step(x, y))):
        ms.set_seed(1)
        net = nn.Dense(4, 1)
        optimizer = nn.Adam(net.trainable_params(), [0.1, 0.05, 0.02, 0.01])
        scale = nn.DynamicLossScaleUpdateCell(1024, 2, 3)
        step = OwnStep(nn.WithLossCell(net, nn.MSELoss()), optimizer, scale)
        run = make(step)
        for i in range(5):
            loss, overflow, scale = run(Tensor(x[i]), Tensor(y[i]))
            results.append([float(loss), bool(overflow), float(scale), int(optimizer.global_step)])
        results.append(net.weight.asnumpy().tolist())
    np.testing.assert_allclose(np.hstack(results[5]), np.hstack(results[11]), rtol=1e-5)
    np.testing.assert_allclose(results[:5], results[6:11], rtol=1e-5)
    assert (run.stats.compiles, run.stats.hits) == (1, 4)
