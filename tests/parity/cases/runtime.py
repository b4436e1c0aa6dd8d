"""The small surfaces around a program: devices, streams, memory, random states, settings."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, hal, nn, ops, runtime

from tests.parity.case import case

TARGETS = {"CPU": ("CPU",), "GPU": ("GPU",), "unknown": ("XPU",), "number": (1,)}
KINDS = {"hal": (hal,), "runtime": (runtime,)}


# Devices ------------------------------------------------------------------------------------------


@case
def current_device():
    device = ms.get_current_device()
    return device.device_target, device.device_id, tuple(device), repr(device), len(device)


@case
def a_block_on_a_device():
    with ms.DeviceCtx("CPU", 0):
        made = ops.ones((2,), ms.float32)
    with ms.DeviceCtx("CPU"):
        return made * 2


@case.table(TARGETS)
def available(target):
    return hal.is_available(target)


@case.table({**TARGETS, "none": (None,)})
def count(target):
    return hal.device_count(target)


@case.table({"first": (0,), "named": (0, "CPU"), "absent": (3,), "negative": (-1,), "text": ("0",)})
def name(*place):
    return hal.get_device_name(*place)


@case.table({"first": (0,), "absent": (3,)})
def described(number):
    return hal.get_device_properties(number), hal.get_device_capability(number)


@case
def architectures():
    return hal.get_arch_list()


# Memory -------------------------------------------------------------------------------------------


@case.table(KINDS)
def memory(module):
    numbers = [
        getattr(module, name)()
        for name in (
            "memory_allocated",
            "max_memory_allocated",
            "memory_reserved",
            "max_memory_reserved",
            "reset_max_memory_allocated",
            "reset_max_memory_reserved",
            "reset_peak_memory_stats",
            "empty_cache",
        )
    ]
    return numbers, type(module.memory_summary()).__name__


@case
def memory_stats():
    return runtime.memory_stats()


# Streams and events -------------------------------------------------------------------------------


@case.table(KINDS)
def synchronize(module):
    product = ops.matmul(Tensor(np.ones((8, 8), np.float32)), Tensor(np.ones((8, 8), np.float32)))
    return module.synchronize(), product.sum()


@case
def streams():
    stream = hal.Stream()
    return (
        repr(stream),
        stream.query(),
        stream.synchronize(),
        stream.wait_stream(hal.current_stream()),
        stream == hal.default_stream(),
        hash(stream) == hash(hal.communication_stream()),
        (stream.id, stream.device_name, stream.device_id),
        hal.set_cur_stream(stream),
    )


@case
def a_block_on_a_stream():
    with hal.StreamCtx(hal.current_stream()) as entered:
        made = ops.ones((2,), ms.float32)
    return entered, made


@case
def events():
    event = hal.Event(enable_timing=True)
    before = repr(event)
    stream = hal.current_stream()
    return (
        before,
        event.record(),
        event.query(),
        event.synchronize(),
        event.wait(),
        event.record(stream),
        repr(event),
        stream.wait_event(event),
        repr(stream.record_event()),
    )


STREAM_ERRORS = {
    "priority": (lambda: hal.Stream("a"),),
    "equal": (lambda: hal.Stream() == 1,),
    "wait_stream": (lambda: hal.Stream().wait_stream(1),),
    "context": (lambda: hal.StreamCtx(1),),
    "current": (lambda: hal.set_cur_stream(1),),
    "timing": (lambda: hal.Event(1),),
    "record": (lambda: hal.Event().record(3),),
}


@case.table(STREAM_ERRORS, message=True)
def stream_errors(call):
    return call()


# Settings without effect --------------------------------------------------------------------------

SETTINGS = {
    "blocking": (lambda: runtime.launch_blocking(),),
    "memory": (lambda: runtime.set_memory("10GB", "1GB", "60GB", "O1"),),
    "memory_type": (lambda: runtime.set_memory(max_size=1),),
    "memory_text": (lambda: runtime.set_memory(max_size="10"),),
    "memory_level": (lambda: runtime.set_memory(optimize_level="O9"),),
    "threads": (lambda: runtime.dispatch_threads_num(2),),
    "threads_text": (lambda: runtime.dispatch_threads_num("2"),),
    "affinity": (lambda: runtime.set_cpu_affinity(True),),
    "affinity_number": (lambda: runtime.set_cpu_affinity(1),),
    "group": (lambda: runtime.set_kernel_launch_group(thread_num=2, kernel_group_num=4),),
    "group_text": (lambda: runtime.set_kernel_launch_group("2"),),
    "capture": (lambda: runtime.set_kernel_launch_capture(True),),
    "recursion": (lambda: ms.set_recursion_limit(77),),
    "recursion_default": (lambda: ms.set_recursion_limit(),),
    "recursion_zero": (lambda: ms.set_recursion_limit(0),),
    "recursion_bool": (lambda: ms.set_recursion_limit(True),),
    "recursion_text": (lambda: ms.set_recursion_limit("a"),),
    "recycle": (lambda: ms.ms_memory_recycle(),),
}


@case.table(SETTINGS)
def settings(call):
    return call()


@case
def the_recursion_limit_is_no_context():
    ms.set_recursion_limit(77)
    return ms.get_context("max_call_depth")


# Compiler settings --------------------------------------------------------------------------------

CONFIGS = {
    "default": ((), {}),
    "levels": (("O2", "sink"), {}),
    "O1": ((), {"jit_level": "O1"}),
    "O0": ((), {"jit_level": "O0", "jit_syntax_level": "LAX", "debug_level": "DEBUG"}),
    "boost": ((), {"infer_boost": "on"}),
    "more": ((), {"foo": 1, "backend": "GE"}),
    "bad_level": ((), {"jit_level": "O9"}),
    "number": ((), {"jit_level": 1}),
    "bad_mode": ((), {"exc_mode": "x"}),
    "bad_syntax": ((), {"jit_syntax_level": "x"}),
    "bad_debug": ((), {"debug_level": "x"}),
    "bad_boost": ((), {"infer_boost": "x"}),
}


@case.table(CONFIGS, message=True)
def jit_config(args, kwargs):
    return ms.JitConfig(*args, **kwargs).jit_config_dict


def next_number(x):
    return x + 1


@case.table({"default": ("",), "own": ("ms_backend",), "unknown": ("inductor",), "None": (None,)})
def backend_of_jit(name):
    return ms.jit(next_number, backend=name)(Tensor([1.0]))


@case
def unknown_boost_of_jit():
    return ms.jit(next_number, infer_boost="x")(Tensor([1.0]))


@case
def jit_config_of_a_cell():
    net = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones"))
    before = dict(net.jit_config_dict)
    given = net.set_jit_config(ms.JitConfig("O1"))
    first = dict(net.jit_config_dict)
    net.set_jit_config(ms.JitConfig("O2"))
    return before, given, first, dict(net.jit_config_dict), dict(net[0].jit_config_dict)


@case.table({"int": (1,), "none": (None,), "dict": ({"jit_level": "O1"},)})
def jit_config_of_another_kind(value):
    return nn.Dense(2, 2).set_jit_config(value)


def shapes(inputs):
    return [(item.shape, item.dtype) if isinstance(item, Tensor) else item for item in inputs]


UNKNOWN = {
    "rows": ([None, 2],),
    "tuple": ((None, None),),
    "minus": ([-1, 2],),
    "rank": (None,),
    "known": ((2, 3),),
}


@case.table(UNKNOWN)
def a_tensor_without_values(shape):
    tensor = Tensor(shape=shape, dtype=ms.float32)
    return tensor.shape, tensor.dtype, tensor.ndim


@case.table({"tensor": ((2, 2),), "unknown": ((None, 2),)})
def inputs_of_a_cell(shape):
    net = nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
    before = net.get_inputs()
    given = net.set_inputs(Tensor(shape=shape, dtype=ms.float32))
    inputs = net.get_inputs()
    out = net(Tensor(np.ones((3, 2), np.float32)))
    return before, given, type(inputs).__name__, shapes(inputs), out


@case
def inputs_of_several_kinds():
    net = nn.Dense(2, 2)
    net.set_inputs(Tensor([1.0]), 3.5, True, None, "a")
    return shapes(net.get_inputs())


INPUT_ERRORS = {
    "unknown": ((), {"y": 3}),
    "both": ((1,), {"x": 2}),
}


@case.table(INPUT_ERRORS)
def inputs_that_are_refused(args, kwargs):
    return nn.Dense(2, 2).set_inputs(*args, **kwargs)


@case.table(
    {
        "rank": ((None, 3), np.ones(3, np.float32)),
        "size": ((None, 3), np.ones((1, 2), np.float32)),
        "dtype": ((None, 3), np.ones((1, 3), np.int32)),
        "any_rank": (None, np.ones((1, 2), np.float32)),
        "values": ((2,), np.ones((1, 2), np.float32)),
        "number": ((None, 3), 3.0),
        "fits": ((None, 3), np.ones((2, 3), np.float32)),
    }
)
def a_call_is_held_to_its_inputs(shape, given):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.ReLU()
    net.set_inputs(Tensor(shape=shape, dtype=ms.float32))
    return net(Tensor(given) if isinstance(given, np.ndarray) else given)


@case.table({"too_many": (3, 4.0), "static": (3,), "none": ()})
def a_call_is_held_to_declared(*declared):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.ReLU()
    net.set_inputs(*declared)
    return net(Tensor([1.0, -2.0]))


@case
def inputs_declared_after_a_call():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.ReLU()
    before = net(Tensor([1.0, -2.0]))
    net.set_inputs(Tensor(shape=(None,), dtype=ms.float32))
    after = net(Tensor([1.0, -2.0]))
    try:
        net(Tensor([[1.0]]))
    except ValueError:
        return before, after
    return None


SYMBOLS = {
    "divisor": {"divisor": 2},
    "other_divisor": {"divisor": 3},
    "remainder": {"divisor": 3, "remainder": 2},
    "min": {"min": 3},
    "max": {"max": 1},
    "no_divisor": {"divisor": 0},
    "negative": {"min": -1},
    "large_remainder": {"divisor": 2, "remainder": 2},
    "text": {"remainder": "a"},
    "unique": {"unique": 3},
}


@case.table({name: (options,) for name, options in SYMBOLS.items()})
def a_call_is_held_to_a_symbol(options):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.ReLU()
    declared = Tensor(shape=[ms.Symbol(**options), None, 3], dtype=ms.float32)
    net.set_inputs(declared)
    out = net(Tensor(np.ones((2, 1, 3), np.float32)))
    return declared.shape, declared.symbolic_shape, out


@case
def symbols_of_a_tensor_without_values():
    return Tensor(shape=[None, 3], dtype=ms.float32).symbolic_shape, Tensor([1.0]).symbolic_shape


# Constants of compiled code -----------------------------------------------------------------------


@case
def constants():
    @ops.constexpr
    def following(x):
        return x + 1

    @ops.constexpr(name="named", reuse_result=False, check=False)
    def product(x, y=2):
        return x * y

    @ops.constexpr(get_instance=False)
    def half(x):
        return x / 2

    from mindspore.ops.primitive import _primexpr
    from mindspore.ops.primitive import constexpr as same

    @_primexpr
    def twice(x):
        return x * 2

    return (
        (following(2), following(Tensor([1.0])), following.name),
        (product(3), product(3, y=4), product.name),
        half()(3),
        (twice(4), twice((1, 2)), twice.name),
        same is ops.constexpr,
        same is ms.constexpr,
    )


@case
def a_constant_in_a_network():
    @ms.constexpr
    def sizes(shape):
        return tuple(reversed(shape))

    class Turn(nn.Cell):
        def construct(self, x):
            return x.reshape(sizes(x.shape))

    return Turn()(Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)))


# Random states ------------------------------------------------------------------------------------


@case
def seeds():
    before = ms.get_seed()
    given = ms.manual_seed(5)
    return (
        given is ms.default_generator,
        ms.initial_seed(),
        ms.get_rng_state()[:8],
        ms.get_rng_state().shape,
        ms.get_rng_state().dtype,
        ms.get_seed() == before,
        type(ms.seed()).__name__,
    )


@case
def generators():
    generator = ms.Generator()
    first = generator.initial_seed()
    same = generator.manual_seed(3) is generator
    state = generator.get_state()
    seeded = generator.seed() == generator.initial_seed()
    changed = bool((generator.get_state() != state).any())
    given = generator.set_state(state)
    back = bool((generator.get_state() == state).all())
    return first, same, seeded, changed, given, back, generator.initial_seed()


SEEDS = {"negative": (-1,), "bool": (True,), "large": (2**63,), "small": (-(2**63),)}


@case.table(SEEDS)
def unusual_seeds(seed):
    generator = ms.Generator()
    generator.manual_seed(seed)
    return generator.initial_seed(), generator.get_state()[:8]


RANDOM_ERRORS = {
    "text": (lambda: ms.manual_seed("a"),),
    "float": (lambda: ms.manual_seed(1.5),),
    "numpy": (lambda: ms.manual_seed(np.int64(3)),),
    "too_large": (lambda: ms.manual_seed(2**65),),
    "state": (lambda: ms.set_rng_state(1),),
    "state_dtype": (lambda: ms.set_rng_state(Tensor([1, 2])),),
    "generator_state": (lambda: ms.Generator().set_state(1),),
    "arguments": (lambda: ms.Generator(1),),
}


@case.table(RANDOM_ERRORS)
def random_errors(call):
    return call()


@case
def a_state_set_again():
    ms.manual_seed(3)
    state = ms.get_rng_state()
    ms.manual_seed(4)
    ms.set_rng_state(state)
    return ms.initial_seed(), bool((ms.get_rng_state() == state).all())
