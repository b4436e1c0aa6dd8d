"""Programs of recordings are found on disk without a trace, where a recording says all of them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._core import effort, kept_programs, kept_shapes
from msgrad._core.compile_cache import own_store
from msgrad._core.deferred import recording
from msgrad._gradients import recorded_program as whole

X = np.linspace(-1, 1, 6).reshape(2, 3).astype(np.float32)


@pytest.fixture(autouse=True)
def folder(tmp_path):
    """Have programs kept in a folder of the test's own."""
    ms.set_compile_cache(tmp_path)
    with ms.eager_mode("deferred"):
        yield tmp_path
    ms.set_compile_cache(None)
    whole.programs.clear()


@pytest.fixture
def traced(monkeypatch):
    """Note what is traced of recordings."""
    noted = []
    evaluate = whole.TransformedProgram._evaluate

    def noting(self, *given):
        noted.append(type(self).__name__)
        return evaluate(self, *given)

    monkeypatch.setattr(whole.TransformedProgram, "_evaluate", noting)
    return noted


def again(call, traced):
    """Call as two processes would; return what each has traced."""
    found = []
    for _ in range(2):
        whole.programs.clear()
        traced.clear()
        results = [(np.asarray(t).tobytes(), t.dtype) for t in jax.tree.leaves(call())]
        found.append((results, [*traced]))
    (first, traces), (second, later) = found
    assert first == second
    return traces, later


def kept(folder):
    return len([*folder.glob("recorded-*")])


def squared(factor):
    def fn(x, w):
        return ((ops.matmul(x, w) * factor).tanh() ** 2).sum(), x.astype(ms.float64) * 2

    return ms.value_and_grad(fn, (0, 1), has_aux=True)


def test_a_gradient_is_found_whatever_its_numbers(folder, traced):
    x, w = Tensor(X), Tensor(X.T.copy())
    assert again(lambda: squared(2.5)(x, w), traced) == (["TransformedProgram"], [])
    assert again(lambda: squared(3.5)(x, w), traced) == ([], [])
    # An int is another program than a float, another shape too.
    assert again(lambda: squared(2)(x, w), traced) == (["TransformedProgram"], [])
    assert again(lambda: squared(2.5)(x[:1], w), traced) == (["TransformedProgram"], [])
    assert kept(folder) == 3


def test_what_was_found_takes_part_in_transforms(traced):
    x, w = Tensor(X), Tensor(X.T.copy())

    def norm(x):
        return ms.grad(lambda x: (ops.matmul(x, w) ** 3).sum())(x).sum()

    first, later = again(lambda: ms.grad(norm)(x), traced)
    # Not even the inner one, for the shapes of its results.
    assert first and not later
    jitted = ms.jit(ms.grad(norm))(x).asnumpy()
    np.testing.assert_allclose(jitted, ms.grad(norm)(x).asnumpy(), rtol=1e-5)


def test_forward_passes_and_other_transforms_are_found(traced):
    net = nn.SequentialCell(*(nn.Dense(3, 3) for _ in range(9))).set_train(False)
    x = Tensor(X)
    assert again(lambda: net(x), traced) == (["TransformedProgram"], [])
    mapped = ms.vmap(lambda row: (row * row).sum() / 3)
    assert again(lambda: mapped(x), traced) == (["TransformedProgram"], [])


def test_cheap_and_full_programs_are_different_ones(folder, traced, monkeypatch):
    monkeypatch.setattr(effort, "IN_FULL", 0)
    monkeypatch.setattr(effort, "CHEAP_CALLS", 1)
    step, x, w = squared(1.5), Tensor(X), Tensor(X.T.copy())
    assert again(lambda: [step(x, w), step(x, w)], traced) == (["TransformedProgram"], [])
    # Both of one trace.
    assert kept(folder) == 2


def test_what_was_found_is_traced_for_arguments_of_another_kind(folder):
    def doubled():
        return kept_programs.Kept(jax.jit(lambda x: x * 2), "doubled", {})

    x = jnp.asarray(X)
    assert doubled()(x).dtype == x.dtype
    found = doubled()
    assert found(x).tolist() == (X * 2).tolist() and kept(folder) == 1
    assert isinstance(found._run, jax.stages.Compiled)
    assert found(2.5) == 5
    assert found(x.astype(jnp.int32)).dtype == jnp.int32


def test_other_code_or_settings_are_another_key(folder, traced, monkeypatch):
    step, x, w = squared(1.5), Tensor(X), Tensor(X.T.copy())
    step(x, w)
    for count, other in enumerate(("sources", "precision", "entry"), 1):
        whole.programs.clear()
        traced.clear()
        if other == "sources":
            monkeypatch.setattr(kept_programs, "sources", lambda: "others")
            step(x, w)
        elif other == "precision":
            with jax.default_matmul_precision("float32"):
                step(x, w)
        else:
            monkeypatch.setattr(kept_programs.pickle, "loads", lambda entry: 1 / 0)
            step(x, w)
        assert traced == ["TransformedProgram"]
        assert kept(folder) == 1 + min(count, 2)


def test_a_program_that_was_removed_is_compiled_anew(folder, traced):
    step, x, w = squared(1.5), Tensor(X), Tensor(X.T.copy())
    step(x, w)
    for path in folder.glob("jit_*"):
        path.unlink()
    assert again(lambda: step(x, w), traced) == (["TransformedProgram"], [])


def _own_rule():
    class Twice(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return (dout * 3,)

    return ms.grad(lambda x: (Twice()(x) * x).sum())


@pytest.mark.parametrize(
    "call",
    [
        lambda x: _own_rule()(x),
        lambda x: ms.grad(lambda x: Tensor(jnp.sin(x.__jax_array__())).sum() * x.sum())(x),
        lambda x: ms.grad(lambda x: ops.cholesky(ops.matmul(x.T, x) + ops.eye(3, 3)).sum())(x),
    ],
    ids=["own rule", "raw jax", "lapack"],
)
def test_what_a_recording_does_not_say_is_traced(call, folder, traced):
    call(Tensor(X))
    assert kept(folder) == 0


def test_host_functions_are_not_kept(folder):
    def host(x):
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    program = kept_programs.Kept(jax.jit(host), ("host",), {})
    assert program(jnp.zeros(3)).shape == (3,)
    assert kept(folder) == 0
    plain = kept_programs.Kept(jax.jit(jnp.sin), ("plain",), {})
    assert plain(jnp.zeros(3)).shape == (3,)
    assert kept(folder) == 1


def test_what_is_described_has_a_name_in_msgrad():
    class Weird:
        pass

    assert kept_programs.described((ops.tanh, 1, 1.0, True, None, slice(2), np.dtype("float32")))
    assert kept_programs.described((1,)) != kept_programs.described((1.0,))
    for value in (Weird(), lambda x: x, np.sin, Weird, {1: 2}):
        with pytest.raises(kept_programs.NotDescribable):
            kept_programs.described((value,))


@pytest.fixture
def shaped(monkeypatch):
    """Note which operators are traced for the shapes of their results."""
    noted, eval_shape = [], jax.eval_shape

    def noting(fn, *args):
        noted.append(fn.__name__)
        return eval_shape(fn, *args)

    monkeypatch.setattr(recording.jax, "eval_shape", noting)
    monkeypatch.setattr(recording, "_rows", {})
    return noted


def next_process():
    """Forget what a process knows, after it has written what it does at its end."""
    shapes = kept_shapes._shapes(own_store())
    shapes._save()
    kept_shapes._shapes.cache_clear()
    recording._rows.clear()
    return shapes


def test_shapes_of_results_are_found(folder, shaped):
    step, x, w = squared(1.5), Tensor(X), Tensor(X.T.copy())
    first = step(x, w)
    assert shaped
    next_process()
    shaped.clear()
    later = step(x, w)
    assert not shaped
    for one, other in zip(jax.tree.leaves(first), jax.tree.leaves(later), strict=True):
        assert one.dtype == other.dtype and np.array_equal(one, other)
    # Other shapes, dtypes, options and kinds of numbers are asked for.
    for others in ((x[:1], w), (x.astype(ms.float64), w.astype(ms.float64))):
        step(*others)
        assert shaped
        shaped.clear()
    squared(2)(x, w)
    assert shaped


def test_what_processes_find_at_the_same_time_is_put_together(folder, shaped):
    step, x, w = squared(1.5), Tensor(X), Tensor(X.T.copy())
    step(x, w)
    ours = kept_shapes._shapes(own_store())
    kept_shapes._shapes.cache_clear()
    recording._rows.clear()
    step(x[:1], w)
    next_process()
    ours._save()
    kept_shapes._shapes.cache_clear()
    shaped.clear()
    step(x, w), step(x[:1], w)
    assert not shaped


def test_an_entry_of_shapes_that_is_not_whole_is_found_anew(folder, shaped):
    step, x, w = squared(1.5), Tensor(X), Tensor(X.T.copy())
    expected = step(x, w)[0][0].asnumpy()
    next_process()
    (entry,) = folder.glob("shapes-*")
    entry.write_bytes(entry.read_bytes()[:-9])
    shaped.clear()
    np.testing.assert_array_equal(step(x, w)[0][0].asnumpy(), expected)
    assert shaped


@pytest.mark.parametrize("by", ["NumPy", "XLA"])
def test_programs_of_further_shapes_are_found(by, folder, traced, monkeypatch):
    monkeypatch.setattr(effort, "IN_FULL", 0)
    monkeypatch.setattr(effort, "fits", lambda program: by == "NumPy")
    step, x, w = squared(1.5), np.tile(X, (4, 1)), Tensor(X.T.copy())

    def results(*lengths):
        return [step(Tensor(x[:n]), w)[1][1].asnumpy().tobytes() for n in lengths]

    first = results(2, 3)
    whole.programs.clear()
    traced.clear()
    assert results(3, 2) == first[::-1] and not traced
    # A reference to a program that is not there any more.
    for path in folder.glob("jit_*"):
        path.unlink()
    whole.programs.clear()
    assert results(3, 2) == first[::-1] and len(traced) == (0 if by == "NumPy" else 2)
