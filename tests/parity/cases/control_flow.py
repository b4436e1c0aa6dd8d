"""Compiled functions and Cells whose Python asks Tensors for values, on either side of them."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case

SIGNS = (2.0, -3.0, 0.5, -0.25, 7.0)


def over(function, values=SIGNS):
    """Call one compiled function with all the values, so that a baked-in branch shows."""
    return [function(Tensor(np.array(v, np.float32))) for v in values]


def if_else(x):
    if x > 0:  # noqa: SIM108
        y = x * 2
    else:
        y = x - 1
    return y + 1


def if_without_else(x):
    y = x
    if x > 0:
        y = y * 10
    return y


def early_return(x):
    if x > 1:
        return x * 2
    if x < -1:
        return -x
    return x * 0


def elif_chain(x):
    if x > 5:
        y = x * 1
    elif x > 1:
        y = x * 2
    elif x > 0:
        y = x * 3
    else:
        y = x * 4
    return y


def nested(x):
    y = x
    if x > 0:
        if x > 1:  # noqa: SIM108
            y = x * 3
        else:
            y = x * 5
        y = y + 1
    return y


def ternary(x):
    return x * 2 if x > 0 else x - 1


def both(x):
    return x * 2 if x > 0 and x < 5 else x - 1


def either(x):
    return x * 2 if x > 1 or x < -1 else x - 1


def negated(x):
    return x * 2 if not x > 0 else x - 1


def chained(x):
    return x * 2 if 0 < x < 5 else x - 1


def truth_of_a_number(x):
    n = ops.cast(x, ms.int32)
    if n:
        return x + 100
    return x


def while_halving(x):
    n = x * 0
    while x > 1:
        x = x / 2
        n = n + 1
    return x, n


def while_break(x):
    n = x * 0
    while x < 20:
        x = x + 3
        n = n + 1
        if x > 5:
            break
    return x, n


def for_with_if(x):
    total = x * 0
    for i in range(3):
        if x > i:  # noqa: SIM108
            total = total + 1
        else:
            total = total - 10
    return total


def for_continue(x):
    total = x * 0
    for i in range(3):
        if x < i:
            continue
        total = total + i + 1
    return total


def for_over_rows(x):
    total = x * 0
    for row in ops.stack((x, x * 2, x * 3)):
        if row > 1:
            total = total + row
    return total


def while_with_a_float(x):
    factor = 0.1
    while x < 5:
        x = x + 1
        factor = factor * 1.5
    return factor, x * factor


def row_of_an_index(x):
    return ops.stack((x, x * 2))[(x > 0).astype(ms.int32)]


def inner_function(x):
    if x > 0:
        x = early_return(x)
    return x + if_else(x)


def several(x):
    y = x
    if x > 0:
        y = y + 1
    if y > 2:
        y = y * 2
    if y < 10:
        y = y - 1
    return y


@case.table(
    {
        f.__name__: (f,)
        for f in (
            if_else,
            if_without_else,
            early_return,
            elif_chain,
            nested,
            ternary,
            both,
            either,
            negated,
            chained,
            truth_of_a_number,
            while_halving,
            while_break,
            for_with_if,
            for_continue,
            for_over_rows,
            while_with_a_float,
            row_of_an_index,
            inner_function,
            several,
        )
    }
)
def value(function):
    return over(ms.jit(function))


@case.table(
    {f.__name__: (f,) for f in (if_else, early_return, elif_chain, ternary, for_with_if, several)}
)
def gradient(function):
    return over(ms.jit(ms.grad(function)))


@case
def gradient_through_while():
    def power(x):
        y = x
        while y < 10:
            y = y * x
        return y

    return over(ms.jit(ms.grad(power)), (2.0, 3.0, 11.0))


class Branching(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.array([1.0, 2.0], np.float32)), name="weight")
        self.positive = Parameter(Tensor(0, ms.int32), name="positive", requires_grad=False)

    def construct(self, x):
        y = (x * self.weight).sum()
        if y > 0:
            self.positive = self.positive + 1
            y = y * 2
        else:
            y = y - self.weight.sum()
        return y


def rows():
    return [Tensor(np.array([a, b], np.float32)) for a, b in ((1, 1), (-1, -1), (3, -1), (0, 0))]


@case
def parameter_written_in_a_branch():
    net = Branching()
    net.construct = ms.jit(net.construct)
    return [(net(x), int(net.positive.asnumpy())) for x in rows()]


@case
def gradient_of_a_cell():
    net = Branching()
    grad = ms.jit(ms.grad(net, None, net.trainable_params()))
    return [(grad(x), int(net.positive.asnumpy())) for x in rows()]


@case
def update_unless_it_overflows():
    net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)

    def forward(x):
        return net(x).sum()

    after = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(x):
        loss, grads = after(x)
        overflow = ops.isfinite(grads[0]).all() == False  # noqa: E712
        if not overflow:
            loss = ops.depend(loss, optimizer(grads))
        return loss, overflow

    found = []
    for v in (1.0, np.inf, 2.0, np.nan, 3.0):
        found.append(step(Tensor(np.array([[v, 1.0]], np.float32))))
        found.append((net.weight.asnumpy().copy(), int(optimizer.global_step.asnumpy()[0])))
    return found


@case
def shapes_and_none_are_no_branches():
    @ms.jit
    def static(x, y=None):
        if y is None:
            y = x
        return y * 2 if x.ndim == 0 and x.dtype == ms.float32 else y

    x = Tensor(np.float32(3))
    return static(x), static(x, Tensor(np.float32(4))), static(Tensor([1, 2]))


def found_by_returns(x):
    if x > 0:  # noqa: SIM103
        return True
    return False


def found_by_a_flag(x):
    found = False
    if x > 0:
        found = True
    return found, not found, x


def ternary_of_bools(x):
    return False if x > 0 else True  # noqa: SIM211


def counted(x):
    n = 0
    while x > 0:
        n, x = n + 1, x - 1
    return n, not x, x


@case.table(
    {
        "not": (lambda: negation,),
        "not_comparison": (lambda: not_positive,),
        "not_not": (lambda: twice_negated,),
        "not_bool": (lambda: of_bool,),
        "not_in_containers": (lambda: in_containers,),
        "not_computed_with": (lambda: computed_with,),
        "returns": (lambda: found_by_returns,),
        "flag": (lambda: found_by_a_flag,),
        "ternary": (lambda: ternary_of_bools,),
        "counted": (lambda: counted,),
    }
)
def truth_that_is_returned(function):
    return over(ms.jit(function()))


def negation(x):
    return not x


def not_positive(x):
    return not x > 0, not x


def twice_negated(x):
    return not (not x)  # noqa: SIM208


def of_bool(x):
    return not bool(x), bool(x)


def in_containers(x):
    return {"a": not x}, [not x], x


def computed_with(x):
    return (not x) * 2, (not x) + x


@case
def not_of_one_element():
    return ms.jit(twice_negated)(Tensor([2.0])), ms.jit(twice_negated)(Tensor(0))


def member(x, y):
    return x in (y, 2), x not in [y, 2]


def times_ten_if_member(x, y):
    if x in (y, 2):
        return x * 10
    return x


@case
def in_a_tuple_of_numbers():
    two, three = Tensor(np.array(2, np.float32)), Tensor(np.array(3, np.float32))
    compiled = ms.jit(times_ten_if_member)
    return [compiled(x, three) for x in (two, three, -two)]


@case
def in_a_tuple_as_a_value():
    three = Tensor(np.array(3, np.float32))
    return ms.jit(member)(three, three)


def negative_powers(x):
    return 7**-2, 10**-3 * x, 2**3, 2.0**-1


@case
def integer_powers_of_constants():
    return ms.jit(negative_powers)(Tensor(np.float32(3)))


def none_in_one_branch(x):
    if x > 0:
        return None
    return x * 2


def none_without_return(x):  # noqa: RET503
    if x > 0:
        return x


def none_of_a_ternary(x):
    return x if x > 0 else None


def raised(x):
    if x > 100:
        raise ValueError("too large")
    return x * 2


def raised_deeper(x):
    if x > 0:
        if x > 100:
            raise TypeError("too large")
        x = x * 3
    return x


def asserted(x):
    assert x > -100, "too small"
    return x * 2


def of_two_shapes(x):
    if x > 1:
        return ops.stack([x, x])
    return x.reshape(1)


@case.table(
    {
        f.__name__: (f,)
        for f in (
            *(none_in_one_branch, none_without_return, none_of_a_ternary, raised, raised_deeper),
            *(asserted, of_two_shapes),
        )
    }
)
def outcomes(function):
    return over(ms.jit(function))


def with_text(x):
    if x > 5:
        raise ValueError(f"too large: {x}, {x.shape}")
    return x


def with_a_number(x):
    if x > 5:
        raise RuntimeError("too large", 5)
    return x


def in_a_loop(x):
    for _ in range(5):
        if x > 100:
            raise KeyError("too large")
        x = x * 2
    return x


def assertion_fails(x):
    assert x < 0, f"not negative: {x}"
    return x


@case.table({f.__name__: (f,) for f in (with_text, with_a_number, in_a_loop, assertion_fails)})
def raised_by_a_value(function):
    return ms.jit(function)(Tensor(np.array(7, np.float32)))


def list_in_while(x):
    found = [x, x * 2]
    while x < 10:
        found[0] = found[0] + 1
        x = x + 3
    return found


def another_list_in_while(x):
    found = [x, x * 2]
    while x < 10:
        found = [found[1], found[0]]
        x = x + 3
    return found


def list_beside_an_if(x):
    found = [x, x * 0]
    for i in range(20):
        if x > i:
            found[1] = found[1] + i
        x = x + 0.5
    return found


@case.table({f.__name__: (f,) for f in (list_in_while, another_list_in_while, list_beside_an_if)})
def lists(function):
    return over(ms.jit(function))
