"""Mixed precision over operators that take a tuple of Tensors."""

import mindspore as ms
from mindspore import Tensor, amp, nn, ops

from tests.parity.case import case


class OfTuple(nn.Cell):
    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, a, b):
        return self.op((a, b))


class OfList(nn.Cell):
    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, a, b):
        return self.op([a, b])


class OfOutputs(nn.Cell):
    """A convolution or product in low precision beside its input."""

    def __init__(self, op):
        super().__init__()
        self.op = op
        self.dense = nn.Dense(2, 2, weight_init="ones", bias_init="zeros")

    def construct(self, a, b):
        return self.op((self.dense(a), b))


def grid_of(pair):
    return ops.meshgrid(pair[0].reshape(-1), pair[1].reshape(-1))


OPERATORS = {
    "AddN": lambda: ops.AddN(),
    "addn": lambda: ops.addn,
    "Concat": lambda: ops.Concat(),
    "concat": lambda: ops.concat,
    "cat": lambda: ops.cat,
    "Stack": lambda: ops.Stack(),
    "stack": lambda: ops.stack,
    "hstack": lambda: ops.hstack,
    "vstack": lambda: ops.vstack,
    "meshgrid": lambda: grid_of,
}


def level(name):
    return lambda net: amp.auto_mixed_precision(net, name)


WAYS = {
    "plain": lambda net: net,
    "to_float16": lambda net: net.to_float(ms.float16),
    "to_float32": lambda net: net.to_float(ms.float32),
    "to_bfloat16": lambda net: net.to_float(ms.bfloat16),
    "O1": level("O1"),
    "O2": level("O2"),
    "O3": level("O3"),
    "auto": level("auto"),
}
PAIRS = {
    "16-32": (ms.float16, ms.float32),
    "32-16": (ms.float32, ms.float16),
    "32-32": (ms.float32, ms.float32),
    "16-16": (ms.float16, ms.float16),
    "32-64": (ms.float32, ms.float64),
    "16-int": (ms.float16, ms.int32),
}


def outcome(run):
    try:
        result = run()
    except Exception as error:
        return error
    return result


@case.table(
    {
        f"{op}-{way}": (make, change)
        for op, make in OPERATORS.items()
        for way, change in WAYS.items()
        # 2.10 has no kernel of Stack for bfloat16, and O1 rewrites the source of stack wrongly.
        if (op, way)
        not in {
            ("Stack", "to_bfloat16"),
            ("stack", "to_bfloat16"),
            ("stack", "O1"),
            ("Stack", "O1"),
        }
    }
)
def tuples(make, change):
    found = {}
    for name, (left, right) in PAIRS.items():
        a, b = Tensor([[1.0, 2.0]], left), Tensor([[3.0, 4.0]], right)
        found[name] = outcome(lambda a=a, b=b: change(OfTuple(make()))(a, b))
    return found


@case.table(
    {f"{op}-{way}": (OPERATORS[op], WAYS[way]) for op in ("AddN", "Concat") for way in WAYS}
)
def lists(make, change):
    a, b = Tensor([[1.0, 2.0]], ms.float16), Tensor([[3.0, 4.0]], ms.float32)
    return outcome(lambda: change(OfList(make()))(a, b))


@case.table(
    {
        f"{op}-{way}": (OPERATORS[op], WAYS[way])
        for op in ("AddN", "Concat")
        for way in WAYS
        # 2.10 has no kernel of MatMul for bfloat16.
        if way != "to_bfloat16"
    }
)
def outputs(make, change):
    a = Tensor([[1.0, 2.0]], ms.float32)
    return outcome(lambda: change(OfOutputs(make()))(a, a))
