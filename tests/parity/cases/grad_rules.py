"""Second and third derivatives through backward passes that a user wrote, in all ways.

A rule is a backward pass of the user's (``Cell.bprop``, ``_Function``, ``InsertGradientOf``, hooks)
inside a function of one input, a way takes a derivative of the second order of it.
"""

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def y():
    return Tensor([3.0, 5.0], ms.float32)


class Ruled(nn.Cell):
    """x * x, with a backward pass given by a function of (x, out, dout)."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (self.answer(x, out, dout),)


class Round(nn.Cell):
    """A straight-through estimator."""

    def construct(self, x):
        return ops.round(x)

    def bprop(self, x, out, dout):
        return (dout,)


class Outer(nn.Cell):
    """A rule whose construct holds another rule."""

    def __init__(self):
        super().__init__()
        self.inner = Ruled(hundredfold)

    def construct(self, x):
        return self.inner(x) * 2

    def bprop(self, x, out, dout):
        return (self.inner(x) * dout,)


class Kept(nn.Cell):
    """construct leaves a Tensor on self, which bprop reads."""

    def __init__(self):
        super().__init__()
        self.kept = None

    def construct(self, x):
        self.kept = ops.exp(x)
        return x * 2

    def bprop(self, x, out, dout):
        return (dout * self.kept,)


class KeptOutput(nn.Cell):
    """The same with the output; what was kept is the output, rule and all."""

    def construct(self, x):
        self.kept = x * x
        return self.kept

    def bprop(self, x, out, dout):
        return (dout * self.kept,)


class Identity(nn.Cell):
    """Gives back its very input."""

    def construct(self, x):
        return x

    def bprop(self, x, out, dout):
        return (dout * 10,)


class Pair(nn.Cell):
    """Two inputs and two outputs."""

    def construct(self, x, y):
        return x * y, x + y

    def bprop(self, x, y, out, dout):
        return dout[0] * y * 3 + dout[1], dout[0] * out[0] + dout[1] * 5


class Square(nn.Cell):
    """x * x; hooks are registered on it."""

    def construct(self, x):
        return x * x


def linear(x, out, dout):
    return dout * 10


def by_input(x, out, dout):
    return dout * x * x * 5


def by_output(x, out, dout):
    return dout * out * 5


def nonlinear(x, out, dout):
    return dout * dout


def without_dout(x, out, dout):
    return x * 7


def weighted(x, out, dout):
    return dout * x * 3


def hundredfold(x, out, dout):
    return dout * 100


def times_3(g):
    return g * 3


def squared(g):
    return g * g


def sevens(g):
    return ops.ones_like(g) * 7


def tuple_times_3(g):
    return (g[0] * 3,)


def tuple_squared(g):
    return (g[0] * g[0],)


def cell_times_3(cell, grad_input, grad_output):
    return (grad_input[0] * 3,)


def cell_product(cell, grad_input, grad_output):
    return (grad_input[0] * grad_output[0],)


def cell_pre_times_3(cell, grad_output):
    return (grad_output[0] * 3,)


def squared_after(make):
    """A rule: the square of what the Cell or Primitive gives that ``make`` makes."""

    def rule():
        net = make()

        def fn(x):
            return net(x) ** 2

        return fn

    return rule


def ruled(answer):
    return squared_after(lambda: Ruled(answer))


def pair():
    net = Pair()

    def fn(x):
        a, b = net(x, x * x)
        return a * a + b * x

    return fn


def twice():
    net = Ruled(weighted)

    def fn(x):
        return net(net(x)) + net(x)

    return fn


def function(name):
    """An operation of the user's, by what its backward pass is made of."""

    class Cube(ms.common._Function):
        @staticmethod
        def forward(ctx, x):
            out = x * x * x
            ctx.save_for_backward(x, out)
            return out

        @staticmethod
        def backward(ctx, dout):
            x, out = ctx.saved_tensors
            if name == "linear":
                return dout * 10
            return dout * x * 10 if name == "input" else dout * out * 10

    return squared_after(lambda: Cube.apply)


def on_a_square(make):
    """A rule: an identity with a backward pass, put on x * x."""

    def rule():
        identity = make()

        def fn(x):
            return identity(x * x) ** 2

        return fn

    return rule


def hook(f, start=False):
    def rule():
        def fn(x):
            z = x * 1 if start else x * x
            z.register_hook(f)
            return z * z * x

        return fn

    return rule


def hook_on_input():
    def fn(x):
        x.register_hook(times_3)
        return x * x * x

    return fn


def cell_hook(kind, f):
    def make():
        net = Square()
        getattr(net, kind)(f)
        return net

    return squared_after(make)


BPROPS = {
    "bprop_linear": ruled(linear),
    "bprop_input": ruled(by_input),
    "bprop_output": ruled(by_output),
    "bprop_nonlinear": ruled(nonlinear),
    "bprop_no_dout": ruled(without_dout),
    "bprop_round": squared_after(Round),
    "bprop_nested": squared_after(Outer),
    "bprop_pair": pair,
    "bprop_twice": twice,
}
IDENTITIES = {
    "insert_scale": on_a_square(lambda: ops.InsertGradientOf(times_3)),
    "insert_square": on_a_square(lambda: ops.InsertGradientOf(squared)),
    "insert_constant": on_a_square(lambda: ops.InsertGradientOf(sevens)),
    "hook_scale": hook(times_3),
    "hook_square": hook(squared),
    "hook_start": hook(times_3, start=True),
}
CELL_HOOKS = {
    "cell_backward": cell_hook("register_backward_hook", cell_times_3),
    "cell_backward_square": cell_hook("register_backward_hook", cell_product),
    "cell_backward_pre": cell_hook("register_backward_pre_hook", cell_pre_times_3),
}
# What MindSpore ignores where it compiles.
HOOK_BACKWARD = {
    "hook_backward": on_a_square(lambda: ops.HookBackward(tuple_times_3)),
    "hook_backward_square": on_a_square(lambda: ops.HookBackward(tuple_squared)),
}
# What MindSpore cannot compile.
EAGER_ONLY = {
    "bprop_kept": squared_after(Kept),
    "bprop_kept_output": squared_after(KeptOutput),
    "bprop_identity": squared_after(Identity),
    "hook_on_input": hook_on_input,
    "function_linear": function("linear"),
    "function_input": function("input"),
    "function_output": function("output"),
}
RULES = {**BPROPS, **IDENTITIES, **CELL_HOOKS, **HOOK_BACKWARD, **EAGER_ONLY}


class Differentiated(nn.Cell):
    """Gives the gradient of a function in construct."""

    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, x):
        return ms.grad(self.fn)(x)


def vjp_of_grad(fn):
    def run(x):
        out, pull = ms.vjp(ms.grad(fn), x)
        return out, pull(y())

    return run


def penalized(fn):
    return ms.value_and_grad(lambda x: fn(x).sum() + (ms.grad(fn)(x) ** 2).sum())


EAGER = {
    "first": lambda fn: ms.value_and_grad(fn),
    "grad_grad": lambda fn: ms.grad(ms.grad(fn)),
    "third": lambda fn: ms.grad(ms.grad(ms.grad(fn))),
    "of_value_and_grad": lambda fn: ms.grad(ms.value_and_grad(fn)),
    "grad_operation": lambda fn: ops.GradOperation()(ops.GradOperation()(fn)),
    "in_construct": lambda fn: ms.grad(Differentiated(fn)),
    "sens": lambda fn: lambda x: ms.grad(ms.grad(fn), sens_param=True)(x, y()),
    "vjp_grad": vjp_of_grad,
    "penalty": penalized,
}
# What MindSpore compiles in either mode; there it ignores HookBackward, and the hooks of a Cell
# from the second order on.
COMPILED = {
    "jit_outside": lambda fn: ms.jit(ms.grad(ms.grad(fn))),
    "jvp": lambda fn: lambda x: ms.jvp(fn, x, y()),
    "jacfwd": lambda fn: ms.jacfwd(fn),
    "jacrev": lambda fn: ms.jacrev(fn),
    "jacrev_grad": lambda fn: ms.jacrev(ms.grad(fn)),
    "jacfwd_grad": lambda fn: ms.jacfwd(ms.grad(fn)),
    "jvp_grad": lambda fn: lambda x: ms.jvp(ms.grad(fn), x, y()),
}
# What MindSpore takes through identities, but not through bprop.
OF_IDENTITIES = {
    "jacrev_jacrev": lambda fn: ms.jacrev(ms.jacrev(fn)),
    "jacfwd_jacrev": lambda fn: ms.jacfwd(ms.jacrev(fn)),
}
LOST = {
    **OF_IDENTITIES,
    "jit_inside": lambda fn: ms.grad(ms.grad(ms.jit(fn))),
}
WAYS = {**EAGER, **COMPILED, **LOST}


def table(rules, ways):
    return {f"{rule}-{way}": (rule, way) for rule in rules for way in ways}


@case.table(
    {
        **table(RULES, EAGER),
        **table({**BPROPS, **IDENTITIES}, COMPILED),
        **table(IDENTITIES, OF_IDENTITIES),
        **table(CELL_HOOKS, ["jvp", "jacfwd", "jacrev"]),
        **table(["bprop_linear", "bprop_round"], LOST),
        **table(["insert_scale"], ["jit_inside"]),
        **table(["cell_backward", "hook_backward"], ["jit_outside"]),
    },
    tol=1e-5,
)
def of_the_input(rule, way):
    return WAYS[way](RULES[rule]())(x())


class Weighted(nn.Cell):
    """A rule that reads a Parameter forwards and backwards."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")

    def construct(self, x):
        return x * self.w

    def bprop(self, x, out, dout):
        return (dout * self.w * x,)


class Behind(nn.Cell):
    """A rule between two uses of a Parameter."""

    def __init__(self, make):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")
        self.fn = make()

    def construct(self, x):
        return self.fn(x * self.w) * self.w


class HookedParameter(nn.Cell):
    """A hook on a Parameter."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")
        self.w.register_hook(times_3)

    def construct(self, x):
        return x * x * self.w * self.w


NETS = {
    "reads_a_parameter": Weighted,
    "bprop": lambda: Behind(RULES["bprop_output"]),
    "function": lambda: Behind(RULES["function_input"]),
    "insert": lambda: Behind(RULES["insert_scale"]),
    "hook": lambda: Behind(RULES["hook_scale"]),
    "hook_backward": lambda: Behind(RULES["hook_backward"]),
    "cell_backward": lambda: Behind(RULES["cell_backward"]),
    "hooked_parameter": HookedParameter,
}


def weights_twice(net):
    return ms.grad(ms.grad(net, None, net.w), None, net.w)


def input_then_weights(net):
    return ms.grad(ms.grad(net), 0, [net.w])


def weights_then_input(net):
    return ms.grad(ms.grad(net, None, [net.w]), 0, [net.w])


def by_list(net):
    first = ops.GradOperation(get_all=True, get_by_list=True)(net, ms.ParameterTuple([net.w]))
    return ops.GradOperation(get_all=True, get_by_list=True)(first, ms.ParameterTuple([net.w]))


def penalty(net):
    def fn(x):
        return net(x).sum() + (ms.grad(net)(x) ** 2).sum()

    return ms.value_and_grad(fn, 0, [net.w])


def in_jit(net):
    return ms.jit(ms.grad(ms.grad(net), 0, [net.w]))


BY_WEIGHT = {
    "weights_twice": weights_twice,
    "input_then_weights": input_then_weights,
    "weights_then_input": weights_then_input,
    "by_list": by_list,
    "penalty": penalty,
    "jit": in_jit,
}


@case.table(
    {
        f"{net}-{way}": (net, way)
        for net in NETS
        for way in BY_WEIGHT
        if way != "jit" or net in ("bprop", "insert", "hook")
    },
    tol=1e-5,
)
def of_weights(net, way):
    made = NETS[net]()
    return BY_WEIGHT[way](made)(x())


def kept_beside(net, x):
    return net(x) + net.kept * 3


@case.table({"inner": (Kept,), "output": (KeptOutput,)}, tol=1e-5)
def read_after_the_call(kind):
    net = kind()

    def fn(x):
        return kept_beside(net, x)

    return ms.value_and_grad(fn)(x()), ms.grad(ms.grad(fn))(x())


@case
def one_output_in_two_places():
    class Twice(nn.Cell):
        def construct(self, x):
            out = x * 2
            return out, out

        def bprop(self, x, out, dout):
            return (dout[0] * 10 + dout[1] * 100,)

    net = Twice()

    def fn(x):
        a, b = net(x)
        return a + b * 2

    return ms.value_and_grad(fn)(x())


class Implicit(nn.Cell):
    """A gradient inside of construct, where there is none, or inside of bprop."""

    def __init__(self, where):
        super().__init__()
        self.where = where

    def construct(self, x):
        return ms.grad(cube)(x) if self.where == "construct" else x * x

    def bprop(self, x, out, dout):
        return (dout * ms.grad(cube)(x) if self.where == "bprop" else dout,)


def cube(x):
    return x * x * x


@case.table({"construct": ("construct",), "bprop": ("bprop",)}, message=True)
def gradient_inside(where):
    net = Implicit(where)
    return ms.value_and_grad(net)(x()), ms.grad(ms.grad(net))(x())


@case.table({"grad": (ms.grad,), "value_and_grad": (ms.value_and_grad,)}, message=True)
def gradient_without_gradients(transform):
    with ms._no_grad():
        return transform(cube)(x())
