"""Devices, memory, streams and random states: what parity cases cannot see."""

from __future__ import annotations

import inspect
import pickle

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.hal import device as hal_device
from msgrad.runtime import memory


class Gpu:
    """Stands for a device whose memory JAX counts."""

    platform, device_kind, compute_capability = "gpu", "NVIDIA H100", "9.0"

    def memory_stats(self):
        return {"bytes_in_use": 10, "peak_bytes_in_use": 30, "pool_bytes": 64, "num_allocs": 3}


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.setattr(hal_device, "_local_devices", lambda target: [Gpu()] * 2)
    monkeypatch.setattr(memory, "_current_device", Gpu)


def test_memory_as_jax_counts_it(gpu):
    assert ms.memory_allocated() == ms.hal.memory_allocated("GPU") == 10
    assert ms.max_memory_allocated() == ms.hal.max_memory_allocated("GPU") == 30
    assert ms.memory_reserved() == ms.hal.memory_reserved("GPU") == 64
    # What JAX does not tell is taken from what it tells.
    assert ms.max_memory_reserved() == ms.hal.max_memory_reserved("GPU") == 30
    assert ms.memory_stats()["total_idle_memory"] == 54
    assert "max_allocated_memory                       30 B" in ms.memory_summary()
    assert ms.hal.memory_summary("GPU") == ms.memory_summary()


@pytest.mark.parametrize(
    "reset",
    [
        lambda: ms.reset_peak_memory_stats(),
        lambda: ms.runtime.reset_max_memory_allocated(),
        lambda: ms.hal.reset_max_memory_reserved("GPU"),
    ],
)
def test_a_count_that_never_restarts_says_so(gpu, reset):
    with pytest.raises(NotImplementedError, match="nearest"):
        reset()


def test_devices_that_are_no_cpu(gpu):
    assert ms.hal.device_count("GPU") == 2
    assert ms.hal.get_device_name(1, "GPU") == "NVIDIA H100"
    assert ms.hal.get_device_capability(0, "GPU") == (9, 0)
    for call in (ms.hal.get_device_properties, lambda *a: ms.hal.get_arch_list("GPU")):
        with pytest.raises(NotImplementedError, match="nearest"):
            call(0, "GPU")


@pytest.mark.parametrize("target", ["Ascend", "GPU", "TPU"])
def test_a_device_that_is_not_there_says_what_to_do(target):
    assert not ms.hal.is_available(target)
    way_out = (
        "JAX does not run on Ascend; write device_target='CPU'"
        if target == "Ascend"
        else (f"Change or remove device_target, or install JAX for {target}")
    )
    before = ms.get_current_device()
    for call in (
        lambda: ms.set_context(device_target=target),
        lambda: ms.set_device(target),
        lambda: ms.DeviceCtx(target).__enter__(),
    ):
        with pytest.raises(RuntimeError, match=way_out):
            call()
    with pytest.raises(ValueError, match="is_available"):
        ms.hal.device_count(target)
    assert ms.get_current_device() == before


def test_a_block_on_a_device_ends_with_an_error_too():
    before = jax.config.values["jax_default_device"]
    with pytest.raises(KeyError), ms.DeviceCtx("CPU"):
        assert ms.get_current_device() == ("CPU", 0)
        raise KeyError
    assert jax.config.values["jax_default_device"] == before


def test_synchronize_waits_for_all_arrays_and_callbacks():
    seen = []
    jax.jit(lambda x: jax.debug.callback(lambda v: seen.append(float(v)), x.sum()))(np.ones(3))
    ms.synchronize()
    assert seen == [3.0]
    # A donated buffer is gone, and nothing to wait for.
    jax.jit(lambda x: x + 1, donate_argnums=0)(jax.numpy.ones(3))
    ms.hal.synchronize()


def test_time_between_events():
    start, end, plain = ms.Event(True), ms.Event(enable_timing=True), ms.Event()
    with pytest.raises(RuntimeError, match="recorded"):
        start.elapsed_time(end)
    start.record()
    sum(range(100_000))
    ms.current_stream().record_event(end)
    assert 0 < start.elapsed_time(end) == -end.elapsed_time(start)
    plain.record()
    with pytest.raises(RuntimeError, match="enable_timing"):
        start.elapsed_time(plain)
    with pytest.raises(TypeError, match="end_event"):
        start.elapsed_time(3)


def test_a_stream_of_another_device():
    stream = ms.Stream()
    stream.device_id = 7
    assert stream != ms.current_stream()
    with pytest.raises(RuntimeError, match="set_device"):
        ms.StreamCtx(stream)


# Random states ----------------------------------------------------------------------------------


def drawn():
    """What Primitives without a seed draw, which follow the generator."""
    return np.concatenate([ops.StandardNormal()((3,)).asnumpy(), ops.UniformReal()((2,)).asnumpy()])


def test_what_is_drawn_after_a_state_is_set_again():
    ms.set_seed(3)
    drawn()
    state = ms.get_rng_state()
    first = drawn()
    assert (drawn() != first).all()
    ms.set_rng_state(state)
    np.testing.assert_array_equal(drawn(), first)
    # Also through a file, and by the object.
    ms.default_generator.set_state(Tensor(state.asnumpy()))
    np.testing.assert_array_equal(drawn(), first)


@pytest.mark.parametrize("seed", [0, 5, 2**32 - 1])
def test_manual_seed_draws_as_set_seed(seed):
    ms.set_seed(seed)
    assert ms.initial_seed() == seed
    first = drawn()
    weights = nn.Dense(2, 2).weight.asnumpy()
    ms.set_seed(seed)
    ms.manual_seed(99)
    assert (drawn() != first).all()
    # Initial weights have a stream of their own.
    np.testing.assert_array_equal(nn.Dense(2, 2).weight.asnumpy(), weights)
    ms.manual_seed(seed)
    np.testing.assert_array_equal(drawn(), first)


def test_all_64_bits_of_a_seed_count():
    states = {ms.manual_seed(seed).get_state()[8:].asnumpy().tobytes() for seed in (1, 2**32 + 1)}
    assert len(states) == 2


def test_a_generator_is_not_the_one_of_the_operators():
    ms.set_seed(1)
    first = drawn()
    ms.set_seed(1)
    ms.Generator().manual_seed(7)
    np.testing.assert_array_equal(drawn(), first)


def test_states_in_compiled_code():
    @ms.jit
    def twice():
        state = ms.get_rng_state()
        draw = ops.StandardNormal()
        first = draw((3,))
        ms.set_rng_state(state)
        return first, draw((3,)), draw((3,))

    for _ in range(2):
        first, again, other = twice()
        np.testing.assert_array_equal(first.asnumpy(), again.asnumpy())
        assert (again.asnumpy() != other.asnumpy()).all()


def test_a_state_of_another_size_is_refused():
    before = ms.get_rng_state().asnumpy()
    with pytest.raises(RuntimeError, match="16 elements"):
        ms.set_rng_state(Tensor(np.zeros(3), ms.uint8))
    np.testing.assert_array_equal(ms.get_rng_state().asnumpy(), before)


# Tensors that only describe an input ------------------------------------------------------------


def test_a_tensor_without_values_says_so_each_time():
    described = Tensor(shape=[None, 2], dtype=ms.float32)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="describes an input and has no values"):
            described + 1
        with pytest.raises(RuntimeError, match="describes an input and has no values"):
            described.asnumpy()
    assert described.shape == (-1, 2)
    assert "uninitialized" in repr(described)


# What is made from rows ---------------------------------------------------------------------------

TABLES = (ms.hal, ms.runtime, ms.parallel, ms.communication, ms.context, ms.train, ms.nn.wrap)


@pytest.mark.parametrize("module", TABLES, ids=lambda module: module.__name__)
def test_what_rows_make_has_a_name_a_place_and_a_text(module):
    made = {name: getattr(module, name) for name in module.__all__}
    for name, value in made.items():
        if inspect.isfunction(value) or inspect.isclass(value):
            # By its module and its name, so neither is that of the helper that made it.
            assert pickle.loads(pickle.dumps(value)) is value, name
            assert inspect.getdoc(value), name


SIGNATURES = {
    "(device_target: 'str | None' = None) -> 'Any'": ms.hal.memory_allocated,
    "() -> 'Any'": ms.memory_allocated,
    "(threads_num: 'int') -> 'None'": ms.dispatch_threads_num,
    "(**kwargs: 'Any') -> 'None'": ms.set_algo_parameters,
    "(attr_key: 'str') -> 'Any'": ms.get_auto_parallel_context,
    "() -> 'None'": ms.reset_ps_context,
    "(group: 'str' = 'hccl_world_group') -> 'Any'": ms.communication.get_rank,
}


@pytest.mark.parametrize("signature", SIGNATURES)
def test_what_rows_make_has_its_own_signature(signature):
    assert str(inspect.signature(SIGNATURES[signature])) == signature
