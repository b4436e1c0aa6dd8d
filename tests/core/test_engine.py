"""One test per name that JAX or Flax calls private: each says what breaks when it changes."""

import copy
import os
import pickle
import weakref
from contextlib import nullcontext

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad._core import compile_cache, engine
from msgrad._core.engine import options as compile_options
from msgrad._core.engine import programs
from msgrad._core.engine.linear import linear_call


class Scale(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([2.0, 3.0]))

    def construct(self, x):
        return x * self.weight


def test_explicit_64_bit_dtypes_stay_64_bit():
    assert Tensor([1, 2]).dtype is ms.int64
    assert Tensor(np.ones(2)).dtype is ms.float64
    assert jnp.arange(3).dtype == jnp.int32, "the process-wide default must stay 32-bit"


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: jnp.pad(x, 1),
        lambda x: jax.lax.complex(x, x).real,
        lambda x: jax.lax.complex(x, x).imag,
    ],
    ids=["pad", "real", "imag"],
)
def test_transpose_rules_keep_64_bits(fn):
    x = engine.to_device(np.ones(2))
    assert jax.grad(lambda x: fn(x).sum())(x).dtype == np.float64


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**40, 1]),
        np.array(1 / 3),
        np.arange(6.0).reshape(2, 3).T,
        np.zeros((0, 3), np.float32),
        np.array([True]),
        np.array([1 + 2j]),
        np.array([1.5], jnp.bfloat16),
        # So large that they are put where the device takes them over.
        np.arange(2.0**40, 2.0**40 + 6000).reshape(3, 2000).T[::2],
        np.full((100, 60), 1 + 2j).T,
        np.arange(9000, dtype=np.int8)[::-1].reshape(90, 100)[:, 1:].repeat(2, 0),
    ],
    ids=lambda values: f"{values.dtype}-{values.size}",
)
def test_all_bits_reach_the_device(values):
    """``batched_device_put``: else a Tensor of a NumPy array takes four times as long."""
    made = engine.to_device(values)
    assert made.dtype == values.dtype
    assert not made.weak_type
    assert not made.committed
    np.testing.assert_array_equal(np.asarray(made), values)
    np.testing.assert_array_equal(np.asarray(made[...] * 1), values)
    if values.size:
        values[...] = 0
        assert np.asarray(made).any(), "its memory is its own"
    # In a trace it is a value of that trace.
    assert jax.eval_shape(lambda: engine.to_device(values)).dtype == values.dtype


def test_stop_gradient_gives_the_concrete_array_of_an_eager_tracer():
    seen = []

    def f(x):
        seen.append(engine.concrete(x * 2))
        return x

    jax.vjp(f, jnp.float32(3))
    jax.grad(lambda x: jax.grad(f)(x))(jnp.float32(3))
    assert not any(engine.is_tracer(s) for s in seen)
    assert [float(s) for s in seen] == [6.0, 6.0]


def test_lower_one_level_stops_the_inner_gradient_only():
    def inner(x, y):
        return engine.lower_one_level(x * y) * y

    assert jax.grad(inner)(2.0, 5.0) == 0
    outer = jax.grad(lambda y: jax.grad(lambda x: x * engine.lower_one_level(y * x))(3.0))(4.0)
    assert outer == 3


def test_graft_gives_the_value_of_one_and_the_tangent_of_the_other():
    out, tangent = jax.jvp(lambda x: engine.graft(jnp.float32(7), x), (2.0,), (5.0,))
    assert (out, tangent) == (7, 5)


def test_plain_evaluation_adds_nothing_to_the_cache_of_a_jitted_function():
    double = jax.jit(lambda x: x * 2)
    constant = jnp.float32(3)

    def f(x):
        with engine.plain_evaluation():
            six = double(constant)
        return six * x

    double(constant)
    for _ in range(3):
        jax.grad(f)(2.0)
    assert double._cache_size() == 1


def test_raw_value_of_a_variable_is_the_payload():
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    assert weight.get_raw_value() is weight._data
    weight.set_raw_value(jnp.zeros(2))
    assert weight.asnumpy().tolist() == [0, 0]


def test_parameter_is_written_in_another_trace_and_committed():
    weight = Parameter(Tensor([1.0, 2.0]), name="w")

    def f(x):
        weight.set_data(weight * 2)
        return (x * weight).sum()

    ms.grad(f)(Tensor([1.0, 1.0]))
    assert weight.asnumpy().tolist() == [2, 4]


def test_variable_metadata_survives_pickle_and_deepcopy():
    weight = Parameter(Tensor([1.0, 2.0]), name="w", requires_grad=False)
    for other in (copy.deepcopy(weight), pickle.loads(pickle.dumps(weight))):
        assert (other.name, other.requires_grad) == ("w", False)
        assert other.get_metadata().keys() == weight.get_metadata().keys()
        assert jax.tree.leaves(other)[0].tolist() == [1, 2]


def test_pytree_meta_construct_passes_an_argument_called_cls():
    class Loss(nn.Cell):
        def __init__(self, box, cls=0.5):
            super().__init__()
            self.weights = (box, cls)

    assert Loss(1.0, cls=2.0).weights == (1.0, 2.0)
    assert Loss(1.0).weights == (1.0, 0.5)


def test_graph_node_flatten_shows_parameters_under_their_attribute_names():
    paths = [path for path, _ in nnx.to_flat_state(nnx.state(nn.SequentialCell(Scale())))]
    assert paths == [("0", "weight")]


def test_graph_node_init_restores_names_order_and_freezing():
    net = Scale()
    net.early = Parameter(Tensor([1.0]), name="own", requires_grad=False)
    net.child = Scale()
    net.kept = Tensor([1.0, 2.0])
    merged = nnx.merge(*nnx.split(net))
    assert [p.name for p in merged.get_parameters()] == ["weight", "own", "child.weight"]
    assert [p.requires_grad for p in merged.get_parameters()] == [True, False, True]
    assert isinstance(merged.kept, Tensor)


def test_graph_node_set_key_updates_variables_and_tensors_in_place():
    net = Scale()
    net.kept = Tensor([1.0, 2.0])
    weight, kept = net.weight, net.kept
    nnx.update(net, jax.tree.map(lambda leaf: leaf * 10, nnx.state(net)))
    assert net.weight is weight
    assert net.kept is kept
    assert weight.asnumpy().tolist() == [20, 30]
    assert kept.asnumpy().tolist() == [10, 20]


def test_states_of_differently_named_cells_map_together():
    one, other = nn.SequentialCell(Scale()), nn.SequentialCell(Scale())
    other.update_parameters_name("target.")
    mixed = jax.tree.map(lambda a, b: a + b, nnx.state(one), nnx.state(other))
    assert jax.tree.leaves(mixed)[0].tolist() == [4, 6]


def test_subclass_with_slots_and_annotations_that_do_not_evaluate():
    class Odd(nn.Cell):
        __slots__ = ("slot",)
        value: "NoSuchType[3]"  # noqa: F821
        other: "int | 'x'"  # noqa: F821

        def construct(self, x):
            return x

    net = Odd()
    net.slot = 3
    assert net.slot == 3
    assert nnx.merge(*nnx.split(net))(5) == 5


def test_cell_attributes_are_set_in_another_trace():
    net = Scale()

    def f(x):
        net.seen = x * 2
        return net(x).sum()

    ms.grad(f)(Tensor([1.0, 1.0]))
    assert net.seen.asnumpy().tolist() == [2, 2]


class Adopting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.linear = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
        self.norm = nnx.BatchNorm(2, rngs=nnx.Rngs(0))
        self.dropout = nnx.Dropout(0.5, rngs=nnx.Rngs(1))

    def construct(self, x):
        return self.dropout(self.norm(self.linear(x)))


@pytest.mark.parametrize(
    "copied", [lambda n: n, copy.deepcopy, lambda n: pickle.loads(pickle.dumps(n))]
)
def test_adopted_variables_take_part_in_a_gradient(copied):
    net = copied(Adopting())
    names = [p.name for p in net.trainable_params()]
    assert sorted(names) == ["linear.bias", "linear.kernel", "norm.bias", "norm.scale"]
    before = np.asarray(net.norm.mean)
    x = Tensor(np.array([[1.0, 1.0], [2.0, 4.0]], np.float32))
    grads = ms.grad(lambda x: (net(x) * x).sum(), None, net.trainable_params())(x)
    assert [g.shape for g in grads] == [p.shape for p in net.trainable_params()]
    after = np.asarray(net.norm.mean)
    assert not np.array_equal(before, after), "statistics are committed"
    assert isinstance(nnx.state(net, nnx.BatchStat)["norm"]["mean"], nnx.BatchStat)
    assert int(net.dropout.rngs.count[...]) == 1


def test_unknown_flax_variables_are_refused():
    class Mine(nnx.Variable):
        pass

    class Layer(nnx.Module):
        def __init__(self):
            self.mine = Mine(jnp.ones(2))

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layer = Layer()

    with pytest.raises(NotImplementedError, match="Mine"):
        Net()


def test_64_bit_values_keep_all_their_bits():
    assert Tensor(2**40).item() == 2**40
    assert Tensor(np.array([0.1])).item() == 0.1
    assert (Tensor(np.array([1.0])) * 0.1).item() == 0.1
    assert (Tensor([1]) + 2**40).item() == 2**40 + 1
    array = np.ones(64, np.float32)
    tensor = Tensor(array)
    array[:] = 0
    assert tensor.asnumpy().all(), "no memory is shared"


def test_what_stands_between_a_trace_and_the_caller():
    found = {}

    def outer(x):
        trace = engine.current_trace()

        def note(name, value):
            found[name] = engine.stands_on(trace)
            return value

        note("itself", x)
        jax.grad(lambda v: note("gradient", v))(x)
        jax.vjp(jax.grad(lambda v: note("second gradient", v * v)), x)
        jax.vmap(lambda v: note("vmap", v))(x[None])
        jax.jit(lambda v: note("jit", v))(x)
        jax.grad(jax.checkpoint(lambda v: note("checkpoint", v)))(x)
        jax.lax.scan(lambda c, _: (note("scan", c), None), x, None, 2)
        with engine.plain_evaluation():
            note("outside", x)
        return x

    jax.make_jaxpr(outer)(1.0)
    own = {"itself", "gradient", "second gradient", "vmap"}
    assert found == {name: name in own for name in found}
    assert len(found) == 8


def test_a_tracer_has_the_value_of_the_trace_around_its_gradient():
    seen = []

    def outer(x):
        def inner(y):
            seen.append((engine.primal_of(y), engine.primal_of(engine.primal_of(y * x))))
            return y * x

        return jax.vjp(inner, x)[0]

    x = jnp.float32(3)
    jax.vjp(outer, x)
    traced, number = seen[0]
    assert engine.is_tracer(traced)
    assert float(engine.primal_of(traced)) == 3
    assert float(number) == 9


def test_a_gradient_has_a_trace_of_its_own_that_can_be_entered_again():
    outside = engine.current_trace()
    seen = []

    def f(x):
        trace = engine.current_trace()
        assert trace is not outside
        assert engine.trace_of(x) is trace
        with engine.plain_evaluation():
            assert engine.current_trace() is not trace
            with engine.in_trace(trace):
                y = jnp.sin(x)
        seen.append(engine.trace_of(y) is trace)
        return y

    np.testing.assert_allclose(jax.grad(f)(1.0), np.cos(1.0), rtol=1e-6)
    assert seen == [True]
    assert engine.current_trace() is outside


def test_a_jax_transform_around_the_caller_is_seen():
    seen = []

    def f(x):
        seen.append(engine.in_transform())
        return x * 2

    for transform in (jax.jit, jax.grad, jax.vmap):
        transform(f)(jnp.ones(2) if transform is jax.vmap else jnp.float32(1))
    f(jnp.float32(1))
    assert seen == [True, True, True, False], "GRAPH_MODE would compile inside a transform"


def test_what_keeps_arguments_is_seen():
    seen = []
    jax.grad(lambda x: (seen.append(engine.needs_arguments_later()), x)[1])(1.0)
    assert seen == [True], "a step inside a transform would lose its donated weights"
    assert not engine.needs_arguments_later()
    with jax.debug_nans(True):
        assert engine.needs_arguments_later(), "a step that gives nan would lose its weights"


def test_a_weak_array_keeps_its_width():
    """``_convert_element_type``: else a number of a compiled call would lose its upper 32 bits."""
    wide = engine.as_weak(jnp.asarray(np.array(2**40), dtype=np.int64))
    assert (wide.weak_type, wide.dtype, int(wide)) == (True, np.int64, 2**40)
    assert (engine.as_weak(jnp.float32(2.0)) * jnp.ones(2, jnp.float16)).dtype == jnp.float16


def test_what_runs_inside_of_a_trace_is_told_from_what_runs_around():
    """``parent_trace``: else a value of an inner transform is taken for state of the program."""
    found = []

    def outer(x):
        def traced(y):
            here = engine.current_trace()
            jax.vmap(lambda z: found.append(engine.made_under(z, here)) or z)(y)
            found.append(engine.made_under(x, here))
            return y

        jax.make_jaxpr(traced)(x)
        return x

    jax.vmap(outer)(jnp.ones((2, 3)))
    assert found == [True, False]


def test_a_batch_trace_maps_as_vmap_does():
    values = jnp.arange(6.0).reshape(3, 2)
    trace = engine.batch_trace(3)
    with engine.in_trace(trace):
        one = engine.one_example(trace, values)
        assert engine.is_tracer(one) and one.shape == (2,)
        moved, alike = jnp.sin(one) * 2, jnp.ones(2) * 3
        # Inside a gradient, and a gradient inside of it.
        gradient = jax.grad(lambda v: (v * v).sum())(one)
    found, axis = engine.all_examples(trace, moved)
    assert axis == 0 and found.tolist() == (jnp.sin(values) * 2).tolist()
    assert engine.all_examples(trace, alike)[1] is None
    assert engine.all_examples(trace, gradient)[0].tolist() == (2 * values).tolist()


def test_jax_names_forward_mode_through_a_custom_vjp():
    @jax.custom_vjp
    def rule(x):
        return x

    rule.defvjp(lambda x: (x, None), lambda _, ct: (ct,))
    with pytest.raises(TypeError) as caught:
        jax.jvp(rule, (1.0,), (1.0,))
    assert engine.has_no_forward_rule(caught.value)
    assert not engine.has_no_forward_rule(TypeError("another"))


def test_jax_asks_the_store_for_programs(tmp_path, anything_is_kept):
    asked = []

    class Store:
        _path = tmp_path

        def get(self, key):
            asked.append(("get", key))

        def put(self, key, value):
            asked.append(("put", key))

    before = jax.config.values["jax_compilation_cache_dir"]
    programs.keep_programs_in(Store())
    try:
        jax.jit(lambda x: x * 0.75 + 3)(jnp.ones(7))
        (get, key), (put, again) = asked[-2:]
        assert (get, put, key) == ("get", "put", again)
        assert len(key.rpartition("-")[2]) == 64, "the end of a key is what a file is found by"
        jax.config.update("jax_compilation_cache_dir", str(tmp_path))
        assert programs.jaxs_own_store().path == tmp_path
    finally:
        jax.config.update("jax_compilation_cache_dir", before)
        programs.keep_programs_in(None)


def test_a_compile_is_entered_with_the_name_of_the_program(monkeypatch, tmp_path):
    names = []
    monkeypatch.setattr(
        engine.compiler, "backend_compile_and_load", engine.compiler.backend_compile_and_load
    )
    engine.compile_within(lambda name: nullcontext(names.append(name)))
    ms.set_compile_cache(tmp_path)
    try:
        for _ in range(2):
            jax.jit(lambda x: x * 0.5)(jnp.ones(3))
            jax.clear_caches()
    finally:
        ms.set_compile_cache(None)
    assert names.count("_lambda") == 1, "the second one came from the cache"


def test_options_of_the_backend_reach_xla(monkeypatch):
    """``pxla.create_compile_options``: else new shapes are compiled with twice the effort."""
    seen = []

    def noting(*args, **kwargs):
        seen.append(real(*args, **kwargs))
        return seen[-1]

    real = compile_options.pxla.create_compile_options
    monkeypatch.setattr(compile_options.pxla, "create_compile_options", noting)
    wanted = "xla_cpu_optimize_for_size,xla_cpu_disable_loop_unrolling"
    options = {compile_options.BACKEND_OPTIONS: wanted}
    double = jax.jit(lambda x: x * 2.5, compiler_options=options)
    assert double(jnp.float32(2)) == 5
    names = [name.encode() for name in wanted.split(",")]
    # The number may have been put on the device by a program of its own.
    (coded,) = [code for each in seen if names[0] in (code := each.SerializeAsString())]
    assert all(name in coded for name in names)
    assert coded == compile_options.CompileOptions.ParseFromString(coded).SerializeAsString()


def test_barriers_stay():
    """``cse_barrier_expander``: else blocks of layers are computed anew in all that follow."""
    held = jax.jit(lambda x: jax.lax.optimization_barrier(x * 2) + 1)
    assert "opt-barrier" in held.lower(jnp.ones(3)).compile().as_text()
    # One of several values would end the process.
    both = jax.jit(lambda x: sum(jax.lax.optimization_barrier((x * 2, held(x)))))
    assert both(jnp.float32(3)) == 13

    @jax.jit
    def in_a_small_loop(x):
        return jax.lax.fori_loop(0, 5, lambda _, y: jax.lax.optimization_barrier(y * 2) + 1, x)

    assert in_a_small_loop(jnp.float32(1)) == 63


def _unrolled(monkeypatch, function, *shapes):
    """Whether a program is compiled as others are, and not as networks of convolutions."""
    seen = []
    real = compile_options.pxla.create_compile_options

    def noting(*args, **kwargs):
        seen.append(real(*args, **kwargs))
        return seen[-1]

    with monkeypatch.context() as patched:
        patched.setattr(compile_options.pxla, "create_compile_options", noting)
        jax.jit(function).lower(*(jax.ShapeDtypeStruct(s, jnp.float32) for s in shapes)).compile()
    *_, made = seen
    plain = ("xla_cpu_use_fusion_emitters", False) not in made.env_option_overrides
    assert plain is (b"xla_cpu_disable_loop_unrolling" not in made.SerializeAsString())
    return plain


def test_options_hang_on_what_a_program_is_made_of(monkeypatch):
    """Convolutions against products and sums of channels: in functions, per call.

    Where XLA has no such options, all are compiled as others are.
    """
    known = compile_options._knows_of_images()

    def convolve(x, w):
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME")

    images, kernel, matrix = (2, 3, 4, 4), (3, 3, 3, 3), (4, 4)
    product = jax.jit(lambda x, m: x @ m)

    def layers(x, w, m, count, taps=0, sums=0):
        for _ in range(count):
            x = product(x, m)
        x += sum(x[:, :, n % 4 : n % 4 + 1] * n for n in range(taps))
        x -= sum((x * n).sum((0, 2, 3), keepdims=True) for n in range(sums))
        return convolve(x, w)

    def unrolled(*counts):
        return _unrolled(monkeypatch, lambda *a: layers(*a, *counts), images, kernel, matrix)

    assert _unrolled(monkeypatch, convolve, images, kernel) is not known
    assert unrolled(2) is not known
    assert unrolled(3)
    assert unrolled(1, 0, 1) is not known
    assert unrolled(1, 0, 2)
    assert unrolled(3, 11, 2) is not known
    assert _unrolled(monkeypatch, lambda x: x.sum((0, 2, 3)), images)
    assert _unrolled(monkeypatch, lambda x: x * 2, images)


def test_what_no_result_of_a_program_needs_is_dropped():
    def run(x):
        (doubled, _), _ = jax.lax.scan(lambda c, _: ((c[0] * 2, c[0] + 1), c[1]), (x, x), None, 3)
        return doubled, -x

    found = engine.needed_for(jax.make_jaxpr(run)(1.0), 1)
    loop, other = found.jaxpr.eqns
    assert (len(loop.outvars), other.primitive.name) == (1, "neg")
    assert jax.extend.core.jaxpr_as_fun(found)(1.0) == [8.0]


def test_operands_of_a_scan_are_told_apart():
    def run(fixed, carried, rows):
        return jax.lax.scan(lambda c, row: (c * fixed + row[0], row), carried, (rows, rows))

    (scan,) = jax.make_jaxpr(run)(jnp.ones(()), jnp.ones(()), jnp.ones(3)).jaxpr.eqns
    shapes = [[v.aval.shape for v in part] for part in engine.scanned(scan.params, scan.invars)]
    assert shapes == [[()], [()], [(3,), (3,)]]


def test_sizes_of_an_export_are_told_from_other_values():
    """``is_size`` and ``lacks_symbol``: else networks are exported for one batch size only."""
    size = jax.export.symbolic_shape("b")[0]
    assert [engine.is_size(value) for value in (size, 2 * size, 3, True, 2.0, "b")] == [
        *(True, True, True, False, False, False)
    ]

    def zeros(x):
        with engine.plain_evaluation(), pytest.raises(Exception, match="'b'") as caught:
            jax.jit(lambda: jnp.zeros(x.shape))()
        assert engine.lacks_symbol(caught.value)
        assert not engine.lacks_symbol(ValueError())
        return x

    jax.export.export(jax.jit(zeros))(jax.ShapeDtypeStruct((size,), jnp.float32))


def test_an_axis_is_bound_inside_only():
    assert not engine.axis_is_bound("ranks")
    with engine.binding_axis("ranks", 2):
        assert engine.axis_is_bound("ranks")
        # Without it JAX refuses a collective over an axis that no shard_map is around.
        shape = jax.eval_shape(lambda x: jax.lax.all_gather(x, "ranks"), jnp.ones(3))
    assert shape.shape == (2, 3)
    assert not engine.axis_is_bound("ranks")


SLURM = {
    "JOB_ID": "70",
    "STEP_NODELIST": "node[07-08]",
    "NTASKS": "5",
    "PROCID": "3",
    "LOCALID": "1",
}


def test_jax_finds_ranks_by_the_variables_of_slurm_and_open_mpi(monkeypatch):
    with monkeypatch.context() as patch:
        patch.delenv("JAX_COORDINATOR_PORT", raising=False)
        for name, value in SLURM.items():
            patch.setenv(f"SLURM_{name}", value)
        assert engine.cluster_here(61500) == ("node07:61500", 5, 3, 1)
        # Set by hand, it stays.
        assert engine.cluster_here(61501)[0] == "node07:61500"
        os.environ.pop("JAX_COORDINATOR_PORT")
    monkeypatch.setenv("OMPI_MCA_orte_hnp_uri", "1531576320.0;tcp://10.96.0.1,10.148.0.1:34911")
    for name, value in {"SIZE": "2", "RANK": "1", "LOCAL_RANK": "0"}.items():
        monkeypatch.setenv(f"OMPI_COMM_WORLD_{name}", value)
    assert engine.cluster_here(None) == ("10.96.0.1:62624", 2, 1, 0)


def test_one_of_many_keeps_the_array_and_its_weak_dtype():
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("ranks",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    own = jnp.asarray(2.0)
    made = engine.one_of_many(own, sharding)
    assert made.sharding == sharding and made.weak_type == own.weak_type
    assert float(made) == 2.0
    assert made.addressable_data(0).unsafe_buffer_pointer() == own.unsafe_buffer_pointer()
    # It is kept on the array, until that is gone.
    assert engine.known_as_one_of_many(own, sharding) is made
    assert (
        engine.known_as_one_of_many(own, jax.sharding.SingleDeviceSharding(jax.devices()[0]))
        is None
    )
    assert engine.known_as_one_of_many(jnp.asarray(2.0), sharding) is None
    gone = weakref.ref(made)
    del made, own
    assert gone() is None


def test_the_derivative_by_a_number_is_that_of_vjp():
    def fn(x):
        return [jnp.sin(x) * x, jnp.float32(2), jax.lax.stop_gradient(x)], [x * 3, 7]

    results, pull, aux = jax.vjp(fn, np.float32(2), has_aux=True)
    seen = []

    @jax.custom_vjp
    def caught(x):
        return x

    caught.defvjp(
        lambda x: (x, None), lambda _, cotangent: (seen.append(cotangent), (cotangent,))[1]
    )
    ours, pull_ours, aux_ours = engine.vjp_of_number(lambda x: fn(caught(x())), np.float32(2))
    assert ours == results and aux_ours == aux
    cotangents = [jnp.float32(3), jnp.float32(5), jnp.float32(7)]
    assert pull_ours(cotangents) is None
    assert sum(seen) == pull(cotangents)[0]


def test_the_derivative_by_a_number_takes_part_in_one_around_it():
    def cube(x):
        seen = []

        @jax.custom_vjp
        def enter(number, x):
            return x

        enter.defvjp(lambda number, x: (x, None), lambda _, c: (seen.append(c), (None, None))[1])
        _, pull, _ = engine.vjp_of_number(lambda n: ([enter(n(), x) ** 3 * x], []), np.float32(0))
        pull([jnp.float32(1)])
        return seen[0]

    # What comes back of e**3 * x, where e is x: 3 * x**3.
    assert cube(jnp.float32(2)) == 3 * 2**2 * 2
    assert jax.grad(cube)(jnp.float32(2)) == 9 * 2**2


def test_a_number_that_nothing_came_of_has_no_derivative():
    before = engine.current_trace()
    results, pull, aux = engine.vjp_of_number(lambda n: ([], []), np.float32(0))
    assert results == aux == [] and pull([]) is None
    with pytest.raises(ZeroDivisionError):
        engine.vjp_of_number(lambda n: 1 / 0, np.float32(0))
    assert engine.current_trace() is before


def test_one_process_has_no_coordination_service():
    assert engine.coordination() is None


@pytest.fixture
def own_store(tmp_path):
    kept = {}

    class Store:
        _path, get, put = "here", staticmethod(kept.get), staticmethod(kept.__setitem__)

    before = engine.programs.program_store()
    settings = {name: jax.config.values[name] for name in compile_cache._THRESHOLDS}
    for name, value in compile_cache._THRESHOLDS.items():
        jax.config.update(name, value)
    programs.keep_programs_in(Store())
    assert type(engine.programs.program_store()) is Store
    yield kept
    programs.keep_programs_in(before)
    for name, value in settings.items():
        jax.config.update(name, value)


def test_a_program_is_called_from_what_jax_keeps_and_what_is_around_it(own_store):
    """Also one that came from the disk: what ``serialize`` makes of that lacks its functions."""
    x = jnp.arange(6.0)

    def whole(x):
        return {"sum": jnp.tanh(x * 3).sum() + 1}, x.astype(np.float64)

    for _ in range(2):
        jax.clear_caches()
        compiled, key = engine.programs.compiled_with_key(jax.jit(whole).lower(x))
        program = engine.programs.program_from(
            engine.programs.around_program(compiled), own_store[key]
        )
        found, wanted = program(x), jax.jit(whole)(x)
        assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), found, wanted))
        assert [v.dtype for v in jax.tree.leaves(found)] == [np.float32, np.float64]
    assert engine.programs.compiled_with_key(jax.jit(whole).lower(x))[1] in (key, None)


def test_a_program_that_calls_what_lowering_registers_is_told():
    def host(x):
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    x = jnp.eye(3)
    for function, outside in ((jnp.tanh, False), (host, True), (jnp.linalg.cholesky, True)):
        lowered = jax.jit(function).lower(x)
        assert engine.programs.calls_outside(lowered, lowered.compile()) == outside


def test_settings_of_a_thread_are_settings_of_a_trace():
    plain = engine.programs.tracing_settings()
    assert engine.programs.tracing_settings() == plain and " at 0x" not in plain
    for other in (jax.default_matmul_precision("float32"), jax.enable_x64(True)):
        with other:
            assert engine.programs.tracing_settings() != plain


def test_what_is_differentiated_around_the_caller_is_known():
    seen = []

    def note(x):
        seen.append((engine.only_derivatives_around(outer), engine.derivatives_around(outer)))
        assert engine.derivatives_around() == seen[-1][1]
        return x * 2

    outer = engine.current_trace()
    x = jnp.float32(3)
    note(x)
    jax.vjp(note, x)
    jax.jvp(note, (x,), (x,))
    jax.grad(lambda x: jax.grad(note)(x) * x)(x)
    jax.vmap(note)(jnp.ones(2))
    assert seen == [(True, 0), (True, 1), (True, 1), (True, 2), (False, 0)]


def test_a_linear_function_has_its_own_transpose_also_when_mapped():
    def run(factor, values):
        return [values[0] * factor]

    def transposed(factor, cotangents):
        return [cotangents[0] * factor + 100]

    def call(factor, x):
        return linear_call(run, transposed, factor, [x])[0]

    factors, x = jnp.array([2.0, 3.0]), jnp.array([1.0, 5.0])
    np.testing.assert_array_equal(jax.vmap(call)(factors, x), [2, 15])
    np.testing.assert_array_equal(jax.vmap(jax.grad(call, 1), (0, None))(factors, x[1]), [102, 103])
    summed = jax.grad(lambda x: jax.vmap(call, (0, None))(factors, x).sum())
    assert summed(x[1]) == 205
    assert jax.jvp(lambda x: call(2.0, x), (x,), (x,))[1].tolist() == [2, 10]
    with pytest.raises(NotImplementedError, match="first derivative"):
        jax.grad(call)(x[0], x[1])


@pytest.mark.parametrize(
    "fn",
    [jax.lax.igamma, jax.lax.igammac, lambda a, x: jax.lax.betainc(a, a, x / 4)],
    ids=["igamma", "igammac", "betainc"],
)
def test_loops_of_special_functions_keep_64_bits(fn):
    a, x = engine.to_device(np.array([1.5])), engine.to_device(np.array([2.0]))
    assert fn(a, x).dtype == np.float64
    assert jax.jit(jax.grad(lambda x: fn(a, x).sum()))(x).dtype == np.float64


def test_the_key_is_the_programs_own_though_its_options_are_tried_on_another(own_store):
    # Whether XLA has the options of convolutions is found out when the first one is compiled.
    compile_options._knows_of_images.cache_clear()
    jax.clear_caches()
    lowered = jax.jit(lambda x, w: jax.lax.conv(x, w, (1, 1), "SAME") * 7.25).lower(
        np.ones((2, 3, 8, 8), np.float32), np.ones((4, 3, 3, 3), np.float32)
    )
    _, key = engine.programs.compiled_with_key(lowered)
    # Nothing is kept of an option that this version of XLA does not have.
    *tried, own = own_store
    assert len(tried) == compile_options._knows_of_images()
    assert key == own not in tried
