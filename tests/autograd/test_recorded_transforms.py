"""vmap, jvp, vjp and Jacobians, recorded and run as one program: as operator by operator."""

import gc

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._compiled.program import CompiledProgram
from msgrad._core.deferred.recording import Recorder
from msgrad._core.engine import is_tracer
from msgrad._gradients.recorded_program import TransformedProgram

X = Tensor(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))
ROW = Tensor(np.array([0.3, -0.7, 1.1], np.float32))
W = Parameter(Tensor(np.linspace(0.1, 0.9, 9, dtype=np.float32).reshape(3, 3)), name="w")


def loss(x):
    return ops.tanh(ops.matmul(x, W)).sum()


def several(x):
    y = ops.tanh(ops.matmul(x, W))
    return y, (y * y).sum()


def pulled(x):
    y, pull = ms.vjp(several, x)
    return pull(y[0] * 2, Tensor(1.0))[0]


CALLS = {
    "vmap": lambda: ms.vmap(loss)(X),
    "vmap_axes": lambda: ms.vmap(lambda a, b: a * b, (0, 1), 1)(X, X.T),
    "vmap_one_constant": lambda: ms.vmap(ops.matmul, (0, None))(X, W),
    "vmap_several": lambda: ms.vmap(several, 0, (1, 0))(X),
    "vmap_constant_result": lambda: ms.vmap(lambda x: (x * 2, W * 1.0))(X),
    "vmap_grad": lambda: ms.vmap(ms.grad(loss))(X),
    "vmap_grad_weight": lambda: ms.vmap(ms.grad(loss, None, W))(X),
    "vmap_value_and_grad": lambda: ms.vmap(ms.value_and_grad(loss))(X),
    "vmap_vmap": lambda: ms.vmap(ms.vmap(lambda a: ops.sin(a) * 2))(X),
    "vmap_jvp": lambda: ms.vmap(lambda x: ms.jvp(loss, x, x)[1])(X),
    "vmap_vjp": lambda: ms.vmap(pulled)(X),
    "vmap_jacrev": lambda: ms.vmap(ms.jacrev(several))(X),
    "vmap_jacfwd": lambda: ms.vmap(ms.jacfwd(several))(X),
    "grad_vmap": lambda: ms.grad(lambda x: (ms.vmap(loss)(x) ** 2).sum(), 0, W)(X),
    "grad_jvp": lambda: ms.grad(lambda x: ms.jvp(loss, x, ops.sin(x))[1])(ROW),
    "grad_jacrev": lambda: ms.grad(lambda x: (ms.jacrev(several)(x)[0] ** 2).sum())(ROW),
    "jvp": lambda: ms.jvp(several, ROW, ROW),
    "jvp_aux": lambda: ms.jvp(several, ROW, ROW, has_aux=True),
    "jvp_grad": lambda: ms.jvp(ms.grad(loss), ROW, ROW),
    "jvp_vmap": lambda: ms.jvp(ms.vmap(loss), X, X),
    "jvp_broadcast": lambda: ms.jvp(several, ROW, Tensor([2.0])),
    "vjp": lambda: ms.vjp(several, ROW, weights=W)[1](ROW, Tensor(2.0)),
    "jacfwd": lambda: ms.jacfwd(several)(ROW),
    "jacfwd_two": lambda: ms.jacfwd(lambda a, b: a * ops.sin(b), (0, 1))(ROW, ROW),
    "jacrev": lambda: ms.jacrev(several)(ROW),
    "jacrev_aux": lambda: ms.jacrev(several, has_aux=True)(ROW),
    "jacrev_constant": lambda: ms.jacrev(lambda x: (x * x, W * 1.0))(ROW),
    "jacfwd_constant": lambda: ms.jacfwd(lambda x: (x * x, W * 1.0))(ROW),
    "jacfwd_jacrev": lambda: ms.jacfwd(ms.jacrev(loss))(ROW),
    "jacrev_jacrev": lambda: ms.jacrev(ms.jacrev(loss))(ROW),
    "jacrev_jacfwd": lambda: ms.jacrev(ms.jacfwd(loss))(ROW),
    "jet": lambda: ops.jet(loss, ROW, ops.stack([ROW, ROW * 2])),
    "derivative": lambda: ops.derivative(ops.sin, ROW, 2),
}


def arrays(result):
    if isinstance(result, (tuple, list)):
        return [a for item in result for a in arrays(item)]
    return [result.asnumpy()]


def by_operator(call):
    with ms.eager_mode("op"):
        return call()


@pytest.fixture
def replayed(monkeypatch):
    """Count the recordings that ran call by call after all."""
    calls, replay = [], Recorder.replay

    def counted(self):
        calls.extend([1] if self.open and self.ops else [])
        return replay(self)

    monkeypatch.setattr(Recorder, "replay", counted)
    return calls


@pytest.mark.parametrize("name", CALLS)
def test_same_as_operator_by_operator(name, replayed):
    call = CALLS[name]
    expected = arrays(by_operator(call))
    found = arrays(call())
    for one, other in zip(found, expected, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-6)
    assert not replayed


@pytest.mark.parametrize("name", ["vmap_grad", "grad_vmap", "jvp", "jacfwd_jacrev", "vmap_axes"])
def test_one_program_for_all_calls(name, monkeypatch):
    CALLS[name]()
    made, init = [], TransformedProgram.__init__
    monkeypatch.setattr(
        TransformedProgram, "__init__", lambda self, *a: (made.append(1), init(self, *a))[1]
    )
    before = len(jax.devices()[0].client.live_executables())
    for _ in range(3):
        CALLS[name]()
    gc.collect()
    assert not made
    assert len(jax.devices()[0].client.live_executables()) <= before


@pytest.mark.parametrize(
    "foreign",
    [lambda x: Tensor(jnp.sin(x.__jax_array__())), ms.jit(ops.sin), lambda x: Tensor(x._read())],
    ids=["raw", "jit", "read"],
)
@pytest.mark.parametrize("transform", [ms.vmap, ms.jacfwd, ms.jacrev])
def test_what_needs_the_transform_gets_it(foreign, transform):
    def fn(x):
        return foreign(x * 2) * x

    np.testing.assert_allclose(
        transform(fn)(ROW).asnumpy(), by_operator(lambda: transform(fn)(ROW)).asnumpy(), rtol=1e-6
    )


def test_values_inside_are_shown_or_refused_as_ever(capsys):
    def prints(x):
        y = x * 2
        print(y)
        return y * y

    assert arrays(ms.jvp(prints, ROW, ROW)[1])[0] == pytest.approx(8 * ROW.asnumpy() ** 2)
    assert "0.6" in capsys.readouterr().out
    with pytest.raises(RuntimeError, match="value"):
        ms.vmap(lambda x: float(x.sum()) * x)(X)
    with pytest.raises(RuntimeError, match="value"):
        ms.vmap(lambda x: ms.grad(lambda y: y.sum() if y.sum() > 0 else y[0])(x))(X)


def test_a_backward_function_of_the_users_goes_through_jvp_as_ever():
    class Doubled(nn.Cell):
        def construct(self, x):
            return ops.sin(x)

        def bprop(self, x, out, dout):
            return (dout * 2,)

    cell = Doubled()
    assert ms.jvp(cell, ROW, ROW)[1].asnumpy() == pytest.approx(2 * ROW.asnumpy())
    assert ms.jacfwd(cell)(ROW).asnumpy() == pytest.approx(2 * np.eye(3))


def test_random_numbers_and_writes_inside():
    counter = Parameter(Tensor(0.0), name="counter", requires_grad=False)

    def fn(x):
        ops.assign_add(counter, Tensor(1.0))
        return ops.dropout(x, 0.5) + counter

    def seeded():
        ms.set_seed(3)
        counter.set_data(Tensor(0.0))
        return [arrays(ms.vmap(fn)(X)), arrays(ms.jacfwd(fn)(ROW)), float(counter)]

    found, expected = seeded(), by_operator(seeded)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])
    assert found[2] == expected[2] == 2


def test_a_write_that_differs_between_examples_changes_nothing(replayed):
    weight = Parameter(Tensor([1.0, 1.0, 1.0]), name="w")

    def writes(x):
        ops.assign(weight, x * 2)
        return x

    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"\['w'\] differ between examples"):
            ms.vmap(writes)(X)
        assert weight.asnumpy().tolist() == [1, 1, 1]
    assert not replayed


def test_what_is_kept_has_values():
    kept = []

    def fn(x):
        kept.append(x * 2)
        return (kept[-1] * x).sum()

    ms.vmap(fn)(X)
    ms.jvp(fn, ROW, ROW)
    ms.jacfwd(fn)(ROW)
    ms.jacrev(fn)(ROW)
    assert not any(is_tracer(t._data) for t in kept)
    assert kept[0].asnumpy().tolist() == (X.asnumpy() * 2).tolist()
    assert all(t.asnumpy() == pytest.approx(ROW.asnumpy() * 2) for t in kept[1:])


def test_an_error_inside_leaves_the_state():
    weight = Parameter(Tensor([1.0, 1.0, 1.0]), name="w")

    def fails(x):
        ops.assign_add(weight, Tensor([1.0, 1.0, 1.0]))
        return ops.matmul(x, Tensor(np.zeros((2, 2), np.float32)))

    for call in (
        lambda: ms.vmap(fails)(X),
        lambda: ms.jvp(fails, ROW, ROW),
        lambda: ms.jacfwd(fails)(ROW),
    ):
        with pytest.raises(RuntimeError):
            call()
        assert weight.asnumpy().tolist() == [1, 1, 1]


@pytest.mark.parametrize("name", [n for n in CALLS if not n.startswith(("grad", "vjp"))])
def test_compiled_in_graph_mode(name, monkeypatch):
    ran, run = [], CompiledProgram.run
    monkeypatch.setattr(CompiledProgram, "run", lambda self, *a: (ran.append(1), run(self, *a))[1])
    expected = arrays(CALLS[name]())
    assert not ran
    ms.set_context(mode=ms.GRAPH_MODE)
    found = CALLS[name]()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    # A call that cannot be compiled would warn.
    assert len(ran) == 1
    for one, other in zip(arrays(found), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-6)


def test_a_transform_that_comes_again_in_graph_mode_is_compiled_once():
    def known_by_its_name(x):
        return ms.grad(loss)(x) * 2

    mapped = ms.vmap(known_by_its_name)
    ms.set_context(mode=ms.GRAPH_MODE)
    for _ in range(3):
        mapped(X)
    [stats] = [s for name, s in ms.jit_stats().items() if "known_by_its_name" in name]
    assert (stats.compiles, stats.hits, stats.fallbacks) == (1, 2, {})
