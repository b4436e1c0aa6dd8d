"""No compiled call goes stale: owner x what is replaced in it x way of compiling, against eager.

Every program here is made twice. One runs eagerly and one compiled, both are changed in the same
way between calls, and the results are compared.
"""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

N = 2


def dense(value, bias=False):
    weight = Tensor(np.full((N, N), value, np.float32))
    return nn.Dense(N, N, weight_init=weight, bias_init="ones", has_bias=bias)


def parameter(value, name="w"):
    return Parameter(Tensor(np.full(N, value, np.float32)), name=name)


def tensor(value):
    return Tensor(np.full(N, value, np.float32))


class Scaled(nn.Cell):
    """Has an attribute of its own, which is one cell deeper."""

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def construct(self, x):
        return x * self.factor


class Owner(nn.Cell):
    """Holds what one part of the table needs, and is called in some of the ways only."""

    def __init__(self, build, use):
        super().__init__()
        self.use = use
        build(self)

    def construct(self, x):
        return self.use(self, x)


class Outer(nn.Cell):
    """Reaches into a Cell that it does not call."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner.use(self.inner, x)


def over(cells, x):
    for cell in cells:
        x = cell(x)
    return x


def sets(name, value):
    return lambda n: setattr(n, name, value() if callable(value) else value)


def holds(**values):
    def build(n):
        for name, make in values.items():
            setattr(n, name, make())

    return build


def build_cells(n):
    n.parts = nn.CellList([dense(1.0), dense(2.0)])


def build_buffer(n):
    n.register_buffer("b", tensor(2.0))


def shared(n):
    n.one = n.two = tensor(2.0)


def nested(n):
    n.box = {"a": [1.0, 2.0], "b": (3.0, [4.0])}


def deep(n):
    n.body = nn.SequentialCell(nn.SequentialCell(dense(1.0), Scaled(2.0)), nn.CellList([]))


# Part: what is built, how it is used, and how it is changed between two calls.
PARTS = {
    "cell": (
        holds(head=lambda: dense(1.0)),
        lambda n, x: n.head(x),
        {
            "set": sets("head", lambda: dense(3.0)),
            "other kind": sets("head", nn.ReLU),
            "insert_child_to_cell": lambda n: n.insert_child_to_cell("head", dense(3.0)),
            "del and set": lambda n: (delattr(n, "head"), setattr(n, "head", dense(3.0))),
            "registry": lambda n: n._cells.update(head=dense(3.0)),
            "its weight": lambda n: setattr(n.head, "weight", Parameter(ops.ones((N, N)) * 5)),
            "its weight's data": lambda n: n.head.weight.set_data(ops.ones((N, N)) * 5),
            "has_bias": lambda n: (
                setattr(n.head, "bias", parameter(3.0)),
                sets("has_bias", True)(n.head),
            ),
            "activation": lambda n: sets("activation", nn.Sigmoid)(n.head),
            "to_float": lambda n: n.to_float(ms.float16),
        },
    ),
    "CellList": (
        build_cells,
        lambda n, x: over(n.parts, x),
        {
            "append": lambda n: n.parts.append(dense(3.0)),
            "set": lambda n: n.parts.__setitem__(0, dense(3.0)),
            "del": lambda n: n.parts.__delitem__(0),
            "del slice": lambda n: n.parts.__delitem__(slice(0, 1)),
            "insert": lambda n: n.parts.insert(0, dense(3.0)),
            "extend": lambda n: n.parts.extend([dense(3.0), nn.ReLU()]),
            "iadd": lambda n: n.parts.__iadd__([dense(3.0)]),
            "replace": sets("parts", lambda: nn.CellList([dense(3.0)])),
            "order": lambda n: (n.parts.append(nn.Sigmoid()), n.parts._cells.move_to_end("0")),
        },
    ),
    "CellList[1]": (
        build_cells,
        lambda n, x: n.parts[1](x) * len(n.parts),
        {
            "set": lambda n: n.parts.__setitem__(-1, dense(3.0)),
            "del": lambda n: n.parts.__delitem__(0) or n.parts.append(dense(3.0)),
            "append": lambda n: n.parts.append(dense(3.0)),
        },
    ),
    "CellDict": (
        holds(parts=lambda: nn.CellDict({"a": dense(1.0), "b": nn.Sigmoid()})),
        lambda n, x: over(n.parts.values(), x),
        {
            "set": lambda n: n.parts.__setitem__("a", dense(3.0)),
            "new": lambda n: n.parts.__setitem__("c", dense(3.0)),
            "del": lambda n: n.parts.__delitem__("a"),
            "pop": lambda n: n.parts.pop("a"),
            "update": lambda n: n.parts.update({"a": dense(3.0)}),
            "clear": lambda n: n.parts.clear(),
            "order": lambda n: n.parts.__setitem__("a", n.parts.pop("a")),
        },
    ),
    "SequentialCell": (
        holds(parts=lambda: nn.SequentialCell(dense(1.0), dense(2.0))),
        lambda n, x: n.parts(x),
        {
            "append": lambda n: n.parts.append(dense(3.0)),
            "set": lambda n: n.parts.__setitem__(0, dense(3.0)),
            "del": lambda n: n.parts.__delitem__(0),
        },
    ),
    "SequentialCell, by hand": (
        holds(parts=lambda: nn.SequentialCell(dense(1.0), dense(2.0))),
        lambda n, x: over(n.parts, x),
        {
            "append": lambda n: n.parts.append(dense(3.0)),
            "set": lambda n: n.parts.__setitem__(0, dense(3.0)),
            "del": lambda n: n.parts.__delitem__(0),
        },
    ),
    "deep": (
        deep,
        lambda n, x: n.body[0](x),
        {
            "cell": lambda n: n.body[0].__setitem__(0, dense(3.0)),
            "attribute": lambda n: setattr(n.body[0][1], "factor", 5.0),
            "container": lambda n: n.body.__setitem__(0, nn.SequentialCell(dense(3.0))),
        },
    ),
    "Parameter": (
        holds(w=lambda: parameter(2.0)),
        lambda n, x: x * n.w,
        {
            "set": sets("w", lambda: parameter(3.0)),
            "tensor": sets("w", lambda: tensor(3.0)),
            "insert_param_to_cell": lambda n: n.insert_param_to_cell("w", parameter(3.0)),
            "registry": lambda n: n._params.__setitem__("w", parameter(3.0)),
            "cell": lambda n: (delattr(n, "w"), setattr(n, "w", 4.0)),
            "set_data": lambda n: n.w.set_data(tensor(3.0)),
            "shape": lambda n: n.w.set_data(Tensor(np.float32([[3.0], [4.0]]))),
        },
    ),
    "None": (
        holds(w=lambda: None),
        lambda n, x: x if n.w is None else x * n.w,
        {"Parameter": sets("w", lambda: parameter(3.0)), "Tensor": sets("w", lambda: tensor(3.0))},
    ),
    "ParameterTuple": (
        holds(ws=lambda: ms.ParameterTuple([parameter(2.0, "one"), parameter(3.0, "two")])),
        lambda n, x: x * n.ws[0] + n.ws[1],
        {
            "set": sets(
                "ws", lambda: ms.ParameterTuple([parameter(4.0, "three"), parameter(5.0, "four")])
            )
        },
    ),
    "all Parameters": (
        holds(w=lambda: parameter(2.0), head=lambda: dense(1.0)),
        lambda n, x: over([lambda x, p=p: x * p.sum() for p in n.trainable_params()], x),
        {
            "one more": lambda n: setattr(n.head, "extra", parameter(3.0, "extra")),
            "frozen": lambda n: setattr(n.w, "requires_grad", False),
            "replaced": lambda n: setattr(n.head, "weight", parameter(3.0)),
        },
    ),
    "a shape": (
        holds(w=lambda: parameter(2.0), t=lambda: tensor(2.0)),
        lambda n, x: x * n.w.shape[-1] + len(n.t.shape),
        {
            "Parameter": lambda n: n.w.set_data(ops.ones((N, 5))),
            "Tensor": sets("t", lambda: ops.ones((N, 5))),
            "in place": lambda n: n.t.assign_value(ops.ones((N, 5))),
        },
    ),
    "Tensor": (
        holds(t=lambda: tensor(2.0)),
        lambda n, x: x * n.t,
        {
            "set": sets("t", lambda: tensor(3.0)),
            "number": sets("t", 4.0),
            "Parameter": sets("t", lambda: parameter(3.0)),
            "dtype": sets("t", lambda: Tensor([3, 4], ms.int32)),
            "in place": lambda n: n.t.__setitem__(0, 5.0),
        },
    ),
    "shared Tensor": (
        shared,
        lambda n, x: x * n.one + n.two,
        {"one": sets("one", lambda: tensor(3.0)), "two": sets("two", lambda: tensor(3.0))},
    ),
    "buffer": (
        build_buffer,
        lambda n, x: x * n.b,
        {
            "set": sets("b", lambda: tensor(3.0)),
            "register": lambda n: n.register_buffer("b", tensor(3.0)),
            "shape": sets("b", lambda: ops.ones((N, 1)) * 3),
        },
    ),
    "all buffers": (
        build_buffer,
        lambda n, x: over([lambda x, b=b: x * b for _, b in n.named_buffers()], x),
        {
            "set": sets("b", lambda: tensor(3.0)),
            "register": lambda n: n.register_buffer("c", tensor(3.0)),
        },
    ),
    "number": (
        holds(k=lambda: 0.0),
        lambda n, x: x / n.k if isinstance(n.k, float) else x * n.k,
        {"set": sets("k", 2.0), "kind": sets("k", 2), "sign": sets("k", -0.0)},
    ),
    "flag": (
        holds(on=lambda: True),
        lambda n, x: x * 2 if n.on and not n.training else x * 3,
        {
            "set": sets("on", False),
            "training": lambda n: n.set_train(),
            "add_flags": lambda n: n.add_flags(on=False),
            "del and class": lambda n: (delattr(n, "on"), setattr(n, "on", False)),
        },
    ),
    "text": (
        holds(how=lambda: "twice"),
        lambda n, x: x * {"twice": 2, "thrice": 3}[n.how],
        {"set": sets("how", "thrice")},
    ),
    "tuple": (
        holds(pair=lambda: (2, (3.0, "a")), ts=lambda: (tensor(1.0),)),
        lambda n, x: x * n.pair[0] + n.pair[1][0] + n.ts[0],
        {
            "set": sets("pair", (2, (4.0, "a"))),
            "Tensors": sets("ts", lambda: (tensor(3.0),)),
        },
    ),
    "list": (
        holds(some=lambda: [1.0, 2.0]),
        lambda n, x: x * sum(n.some),
        {
            "set": sets("some", lambda: [1.0, 5.0]),
            "in place": lambda n: n.some.__setitem__(0, 5.0),
            "append": lambda n: n.some.append(5.0),
        },
    ),
    "list of Cells": (
        holds(some=lambda: [dense(1.0), dense(2.0)]),
        lambda n, x: over(n.some, x),
        {"in place": lambda n: n.some.__setitem__(0, dense(3.0)), "pop": lambda n: n.some.pop()},
    ),
    "list of Tensors": (
        holds(some=lambda: [Tensor(2.0)]),
        lambda n, x: x * n.some[0],
        {"in place": lambda n: n.some.__setitem__(0, Tensor(3.0))},
    ),
    "dict": (
        nested,
        lambda n, x: x * n.box["a"][0] + n.box["b"][1][0] + len(n.box),
        {
            "in place": lambda n: n.box["a"].__setitem__(0, 5.0),
            "in a tuple": lambda n: n.box["b"][1].__setitem__(0, 5.0),
            "new": lambda n: n.box.update(c=1),
            "set": sets("box", lambda: {"a": [1.0], "b": (3.0, [5.0])}),
            "set, then in place": lambda n: (nested(n), n.box["a"].__setitem__(0, 5.0)),
        },
    ),
    "array": (
        holds(arr=lambda: np.float32([1.0, 2.0])),
        lambda n, x: x * Tensor(n.arr),
        {
            "set": sets("arr", lambda: np.float32([3.0, 4.0])),
            "in place": lambda n: n.arr.__setitem__(0, 5.0),
        },
    ),
    "absent": (
        holds(),
        lambda n, x: over(n.more, x) if hasattr(n, "more") else x * getattr(n, "k", 2.0),
        {
            "cells": sets("more", lambda: nn.CellList([dense(3.0)])),
            "number": sets("k", 3.0),
            "Parameter": sets("k", lambda: parameter(3.0)),
        },
    ),
}


def in_graph_mode(call):
    def run(*args):
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            return call(*args)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)

    return run


def fused(n):
    step = ms.fuse_steps(lambda x: n.use(n, x), 2)
    return lambda x: step(ops.stack([x, x]))[1]


def graph_gradient(n):
    return in_graph_mode(ms.grad(lambda x: n.use(n, x).sum()))


# How a program is made eagerly, and how it is compiled.
def reads(n):
    return lambda x: n.use(n, x)


WAYS = {
    "jit, owner not called": (reads, lambda n: ms.jit(reads(n))),
    "jit, owner called": (reads, lambda n: ms.jit(lambda x: n(x))),
    "jit of the Cell": (reads, ms.jit),
    "GRAPH_MODE": (reads, in_graph_mode),
    "GRAPH_MODE, not called": (reads, lambda n: in_graph_mode(Outer(n))),
    "jit, deeper": (
        reads,
        lambda n: (lambda o: ms.jit(lambda x: o(x)))(nn.SequentialCell(Outer(n))),
    ),
    "jit of grad": (
        lambda n: ms.grad(lambda x: n.use(n, x).sum()),
        lambda n: ms.jit(ms.grad(lambda x: n.use(n, x).sum())),
    ),
    "grad in GRAPH_MODE": (lambda n: ms.grad(lambda x: n.use(n, x).sum()), graph_gradient),
    "fuse_steps": (reads, fused),
    "Model.predict": (reads, lambda n: in_graph_mode(ms.Model(n).predict)),
}

# Every change in two ways and one more in turn, and the commonest ones in all of them.
ALWAYS = ("jit, owner not called", "GRAPH_MODE, not called")
OTHERS = [way for way in WAYS if way not in ALWAYS]
COMMONEST = (("cell", "set"), ("CellList", "append"), ("CellDict", "set"), ("Parameter", "set"))
CHANGES = [(part, name) for part in PARTS for name in PARTS[part][2]]
TABLE = [
    pytest.param(*PARTS[part][:2], PARTS[part][2][name], *WAYS[way], id=f"{part}, {name}: {way}")
    for number, (part, name) in enumerate(CHANGES)
    for way in (WAYS if (part, name) in COMMONEST else (*ALWAYS, OTHERS[number % len(OTHERS)]))
]


@pytest.mark.parametrize(("build", "use", "change", "eager", "compile"), TABLE)
def test_a_change_is_seen(build, use, change, eager, compile):
    x = Tensor(np.float32([[1.0, -2.0], [3.0, 0.5]]))
    plain, net = Owner(build, use), Owner(build, use)
    expect, run = eager(plain), compile(net)
    for stage in ("before", "again", "changed", "after"):
        if stage == "changed":
            change(plain)
            change(net)
        np.testing.assert_allclose(
            run(x).asnumpy(), expect(x).asnumpy(), rtol=1e-3, err_msg=stage, equal_nan=True
        )
    if hasattr(run, "stats"):
        assert run.stats.compiles <= 2
        assert run.stats.fallbacks == {}


def test_unrelated_writes_do_not_compile_and_a_former_state_is_found_again():
    net = Owner(holds(head=lambda: dense(1.0), k=lambda: 2.0, some=lambda: [1.0]), None)
    net.aside, other = dense(1.0), nn.Dense(N, N)
    run = ms.jit(lambda x: net.head(x) * net.k + net.some[0])
    x, first = ops.ones((N, N)), net.head
    run(x)
    for write in (
        lambda: setattr(other, "weight", parameter(1.0)),
        lambda: setattr(other, "k", 7),
        lambda: setattr(net, "aside", dense(2.0)),
        lambda: setattr(net, "never_read", 7),
        lambda: nn.SequentialCell([dense(float(i)) for i in range(300)]),
        lambda: other.weight.register_hook(lambda g: g).remove(),
        lambda: net.head.weight.set_data(ops.ones((N, N))),
    ):
        write()
        run(x)
    assert run.stats.compiles == 1
    net.head = dense(3.0)
    run(x)
    net.head = first
    run(x)
    net.k = 3.0
    run(x)
    net.k = 2.0
    run(x)
    net.some[0] = 2.0
    run(x)
    net.some[0] = 1.0
    assert float(run(x)[0, 0]) == 5
    assert run.stats.compiles == 4


def test_what_a_call_itself_appends_does_not_compile_anew():
    net = Owner(holds(seen=list), None)

    @ms.jit
    def run(x):
        net.seen.append(x.shape)
        return x * len(net.seen)

    for _ in range(3):
        assert float(run(Tensor(2.0))) == 2
    assert (run.stats.compiles, net.seen) == (1, [()])


def test_a_method_or_attribute_replaced_in_a_class_is_seen():
    class Base(nn.Cell):
        factor = 2.0

        def construct(self, x):
            return self.scaled(x)

        def scaled(self, x):
            return x * self.factor

    class Net(Base):
        pass

    class Other(nn.Cell):
        factor = 2.0

    net, x = Net(), Tensor(1.0)
    run = ms.jit(lambda x: net(x))
    assert float(run(x)) == 2
    Other.factor = 3.0
    assert float(run(x)) == 2
    assert run.stats.compiles == 1
    Base.factor = 3.0
    assert float(run(x)) == 3
    Net.factor = 4.0
    assert float(run(x)) == 4
    del Net.factor
    assert float(run(x)) == 3
    Base.scaled = lambda self, x: x + 10
    assert float(run(x)) == 11
    Net.construct = lambda self, x: x - 10
    assert float(run(x)) == -9
    assert float(run(x)) == -9
    assert run.stats.compiles == 6


# What a training step reads of its optimizer and loss scale, changed between two steps.


def groups(n, **options):
    n.rule = ms.experimental.optim.SGD([n.w], 0.1, momentum=0.5, **options)
    n.rate = ms.experimental.optim.lr_scheduler.StepLR(n.rule, 1)


def group_step(n):
    loss, grads = ms.value_and_grad(lambda: (n.w * n.w).sum(), None, n.rule.parameters)()
    n.rule(grads)
    return loss


def scaler_step(n):
    n.scaler.adjust(n.finite)
    return n.scaler.scale(n.w)


def train_step(n):
    return n.trainer(n.w.value())


def build_training(n):
    n.net = nn.Dense(N, 1, weight_init="ones", bias_init="ones")
    n.rule = nn.Momentum(n.net.trainable_params(), 0.1, 0.9, weight_decay=0.1)
    n.updater = nn.DynamicLossScaleUpdateCell(4.0, 2, 1)
    n.trainer = nn.TrainOneStepWithLossScaleCell(n.net, n.rule, n.updater)


TRAINING = {
    "param_groups": (
        groups,
        group_step,
        {
            "lr": lambda n: n.rule.param_groups[0].__setitem__(
                "lr", Parameter(Tensor(0.5), name="lr")
            ),
            "lr's value": lambda n: ops.assign(n.rule.param_groups[0]["lr"], Tensor(0.5)),
            "momentum": lambda n: n.rule.param_groups[0].update(momentum=0.1),
            "weight_decay": lambda n: n.rule.param_groups[0].__setitem__("weight_decay", 0.5),
            "scheduler": lambda n: n.rate.step(),
            "add_param_group": lambda n: n.rule.add_param_group({"params": [parameter(1.0, "v")]}),
        },
    ),
    "scaler": (
        lambda n: setattr(n, "scaler", ms.amp.DynamicLossScaler(4.0, 2, 1)),
        scaler_step,
        {
            "scale_factor": lambda n: setattr(n.scaler, "scale_factor", 4),
            "scale_window": lambda n: setattr(n.scaler, "scale_window", 5),
            "scale_value": lambda n: setattr(n.scaler, "scale_value", Parameter(Tensor(64.0))),
            "its value": lambda n: n.scaler.scale_value.set_data(Tensor(64.0)),
        },
    ),
    "TrainOneStepWithLossScaleCell": (
        build_training,
        train_step,
        {
            "scale": lambda n: n.trainer.set_sense_scale(Tensor(64.0)),
            "factor": lambda n: setattr(n.updater, "scale_factor", Tensor(8.0)),
            "rate": lambda n: ops.assign(n.rule.learning_rate, Tensor(0.5)),
            "rate replaced": lambda n: setattr(
                n.rule, "learning_rate", Parameter(Tensor(0.5), name="r")
            ),
            "network": lambda n: setattr(
                n.trainer, "network", nn.SequentialCell(n.net, nn.Sigmoid())
            ),
        },
    ),
}


@pytest.mark.parametrize(
    ("build", "step", "change"),
    [
        pytest.param(build, step, changes[name], id=f"{part}, {name}")
        for part, (build, step, changes) in TRAINING.items()
        for name in changes
    ],
)
def test_a_changed_setting_is_seen_by_a_compiled_step(build, step, change):
    def made():
        net = Owner(holds(w=lambda: parameter(2.0), finite=lambda: Tensor(True)), step)
        build(net)
        return net

    plain, net = made(), made()
    run = ms.jit(lambda: step(net))
    for stage in ("before", "again", "changed", "after"):
        if stage == "changed":
            change(plain)
            change(net)
        for a, b in zip(_flat(run()), _flat(step(plain)), strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, err_msg=stage)
    np.testing.assert_allclose(net.w.asnumpy(), plain.w.asnumpy(), rtol=1e-5)
    assert run.stats.compiles <= 2
    assert run.stats.fallbacks == {}


def _flat(result):
    return result if isinstance(result, tuple) else (result,)
