"""Small parts that few programs name: Tensor.set_, parts of checkpoints, two callbacks, kernels."""

# pyright: reportMissingImports=false, reportUndefinedVariable=false

import contextlib
import os
from pathlib import Path
from tempfile import mkdtemp

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, nn, ops, train

from tests.parity.case import case
from tests.parity.outcome import numbers


@case
def set_shares():
    target, source = numbers(2), numbers(3)
    found = target.set_(source)
    source[0] = 9
    target[1] = 7
    return target, source, found, target.shape


@case
def set_gradient():
    def scaled(x):
        target = numbers(2)
        target.set_(x * 2)
        return (target * x).sum()

    return ms.grad(scaled)(numbers(2))


@case
def set_parameter():
    weight = Parameter(numbers(2), name="w")
    weight.set_(numbers(3))
    return weight.shape, weight.asnumpy(), weight.name


@case.table(
    {
        "itself": (lambda x: (x,),),
        "nothing": (lambda x: (),),
        "storage": (lambda x: (numbers(3).untyped_storage(),),),
        "dtype": (lambda x: (Tensor([1, 2], ms.int32),),),
        "number": (lambda x: (3,),),
        "list": (lambda x: ([1.0, 2.0],),),
    }
)
def set_to(given):
    x = numbers(2)
    x.set_(*given(x))
    return x


def part(values, name="w", **options):
    return Parameter(Tensor(values, ms.float32), name=name, **options)


PARTS = {
    "two": lambda: ([part([1.0, 2.0]), part([3.0])],),
    "rows": lambda: ([part([[1.0, 2.0]]), part([[3.0, 4.0], [5.0, 6.0]])], {}),
    "frozen": lambda: ([part([1.0], requires_grad=False)],),
    "names": lambda: ([part([1.0]), part([2.0], "v")],),
    "shapes": lambda: ([part([[1.0]]), part([[2.0, 3.0]])],),
    "none": lambda: ([],),
    "tuple": lambda: ((part([1.0]),),),
    "member": lambda: ([3],),
    "strategy": lambda: ([part([1.0])], 3),
}


@case.table({name: (row,) for name, row in PARTS.items()})
def merged(row):
    found = ms.merge_sliced_parameter(*row())
    return found.asnumpy(), found.name, found.requires_grad, found.dtype


def segments():
    folder = mkdtemp()
    for i, names in enumerate((("a", "b"), ("c.d", "e"))):
        rows = [{"name": n, "data": Tensor([float(i + len(n))])} for n in names]
        ms.save_checkpoint(rows, f"{folder}/part_{i}.ckpt")
    return folder


SEGMENTS = {
    "all": lambda: (segments(),),
    "chosen": lambda: (segments(), None, False, "x"),
    "none_left": lambda: (segments(), None, False, "a"),
    "empty": lambda: (mkdtemp(),),
    "absent": lambda: ("/nowhere/at/all",),
    "number": lambda: (3,),
}


@case.table({name: (row,) for name, row in SEGMENTS.items()})
def segmented(row):
    found = ms.load_segmented_checkpoints(*row())
    return {name: (value.asnumpy(), value.name) for name, value in sorted(found.items())}


class _Watch(train.Callback):
    def __init__(self, folder, stop=None):
        self.folder, self.stop, self.seen = folder, stop, []

    def on_train_step_end(self, run_context):
        step = run_context.original_args().cur_step_num
        self.seen.append(sorted(os.listdir(self.folder)))
        if step == self.stop:
            raise KeyError("stop")


def trained(folder, stop=None, epochs=3, **options):
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    rows = (np.ones((4, 2), np.float32), np.ones((4, 1), np.float32))
    data = ds.NumpySlicesDataset(rows, shuffle=False).batch(2)
    optimizer = nn.Momentum(net.trainable_params(), 0.0625, 0.5)
    watch = _Watch(folder, stop)
    with contextlib.suppress(KeyError):
        train.Model(net, nn.MSELoss(), optimizer).train(
            epochs,
            data,
            callbacks=[train.BackupAndRestore(folder, **options), watch],
            dataset_sink_mode=False,
        )
    return net.weight.asnumpy(), watch.seen, sorted(os.listdir(folder))


@case
def backup():
    return trained(mkdtemp())


@case
def backup_kept():
    return trained(f"{mkdtemp()}/inner/one", epochs=1, delete_checkpoint=False)


@case
def backup_after_two():
    return trained(mkdtemp(), stop=5, save_freq=2)


@case
def backup_restored():
    folder = mkdtemp()
    return trained(folder, stop=5), trained(folder, epochs=2)


@case.table(
    {
        "freq_text": ({"save_freq": "x"},),
        "freq_zero": ({"save_freq": 0},),
        "freq_bool": ({"save_freq": True},),
        "delete": ({"delete_checkpoint": 3},),
        "folder": ({"backup_dir": 3},),
    }
)
def backup_refused(options):
    return train.BackupAndRestore(**{"backup_dir": mkdtemp(), **options})


@case.table(
    {
        "ckpt": ({"save_ckpt": 3},),
        "mindir": ({"save_mindir": 3},),
        "signal": ({"sig": "a"},),
        "folder": ({"directory": 3},),
        "usual": ({},),
    }
)
def exit_refused(options):
    return train.OnRequestExit(**options)


@case
def exit_saves():
    import signal

    folder = mkdtemp()

    class _Ask(train.Callback):
        def on_train_step_end(self, run_context):
            if run_context.original_args().cur_step_num == 3:
                os.kill(os.getpid(), signal.SIGTERM)

    net = nn.Dense(2, 1)
    rows = (np.ones((4, 2), np.float32), np.ones((4, 1), np.float32))
    data = ds.NumpySlicesDataset(rows, shuffle=False).batch(2)
    leave = train.OnRequestExit(save_mindir=False, file_name="one", directory=folder)
    train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(
        2, data, callbacks=[_Ask(), leave], dataset_sink_mode=False
    )
    (file,) = Path(folder).rglob("*.ckpt")
    return str(file.relative_to(folder)), sorted(ms.load_checkpoint(str(file)))


def _multiplied(a, b):
    c = output_tensor(a.shape, a.dtype)  # noqa: F821
    d = allocate(a.shape, a.dtype)  # noqa: F821
    for i, j in grid(a.shape):  # noqa: F821
        d[i, j] = sqrt(a[i, j])  # noqa: F821
    for i in serial(a.shape[0]):  # noqa: F821
        for j in parallel(a.shape[1]):  # noqa: F821
            c[i, j] = d[i, j] * b[i, j]
    return c


@case
def kernel():
    x = np.array([[1.0, 4.0]], np.float32)
    made = ops.kernel(_multiplied)
    operator = ops.Custom(made, lambda a, b: a, lambda a, b: a)
    return (
        made(x, x),
        ops.kernel(compile_attrs={})(_multiplied)(x, x),
        operator(*map(Tensor, (x, x))),
    )


@case
def kernel_of_a_number():
    return ops.kernel(3)


_update = ops.MultitypeFuncGraph("update")


@_update.register("Tensor", "Tensor", "Tensor")
def _updated(rate, gradient, weight):
    return ops.assign(weight, weight - rate * gradient)


class _Own(nn.Optimizer):
    def __init__(self, params, how):
        super().__init__(0.5, params, 0.25)
        self.how = how

    def construct(self, gradients):
        gradients = self.flatten_gradients(gradients)
        gradients = self.decay_weight(gradients)
        gradients = self._grad_sparse_indices_deduplicate(gradients)
        rate = self.get_lr()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        step = getattr(self, self.how)
        done = step(ops.partial(_update, rate), gradients, self.parameters)
        if self.use_parallel:
            self.broadcast_params(done)
        return done


@case.table({n: (n,) for n in ("map_", "map_reverse", "hyper_map", "hyper_map_reverse")})
def own_optimizer(how):
    weights = [Parameter(numbers(2, seed=i), name=f"w{i}") for i in range(2)]
    own = _Own(weights, how)
    found = own((numbers(2, seed=3), numbers(2, seed=4)))
    return (
        found,
        [w.asnumpy() for w in weights],
        own.global_step.asnumpy(),
        own.enable_tuple_broaden,
    )


def _more(x):
    return x + 1


def _same(x):
    return x


def _hooked(pack, unpack, fn, *inputs):
    seen = []

    def packed(x):
        seen.append(("pack", x.asnumpy()))
        return pack(x)

    def unpacked(x):
        seen.append(("unpack", x if isinstance(x, np.ndarray) else x.asnumpy()))
        return unpack(x)

    def scaled(*args):
        with ms.saved_tensors_hooks(packed, unpacked):
            out = fn(*args)
        return (out * 2).sum()

    found = ms.value_and_grad(scaled, tuple(range(len(inputs))))(*inputs)
    return found, seen


@case.table(
    {
        "mul": (_more, _same, lambda x, y: x * y, 2),
        "exp": (_more, _same, lambda x: ops.exp(x), 1),
        "numpy": (lambda x: x.asnumpy(), lambda x: Tensor(x * 2), lambda x: ops.exp(x), 1),
        "two": (_same, _more, lambda x, y: ops.exp(x) * y, 2),
        "nothing_kept": (_more, _same, lambda x, y: x + y, 2),
        "no_tensor": (_same, lambda x: 3, lambda x: ops.exp(x), 1),
        "no_function": (3, _same, lambda x: ops.exp(x), 1),
    }
)
def saved(pack, unpack, fn, count):
    inputs = [numbers(2, seed=i) for i in range(count)]
    if callable(pack):
        return _hooked(pack, unpack, fn, *inputs)
    with ms.saved_tensors_hooks(pack, unpack):
        return fn(*inputs)


@case
def saved_around_the_gradient():
    def fn(x):
        return ops.exp(x)

    with ms.saved_tensors_hooks(_more, _same):
        return ms.grad(fn)(numbers(2))


@case
def saved_innermost():
    def fn(x):
        with ms.saved_tensors_hooks(_more, _same):
            with ms.saved_tensors_hooks(lambda x: x * 2, _same):
                y = ops.exp(x)
            z = y * x
        return z * x

    return ms.grad(fn)(numbers(2))


def _product(x, y):
    return x * y


@case.table({"plain": (False,), "jit": (True,)})
def saved_registered(compiled):
    hooked = ms.register_saved_tensors_hooks(_more, _same)(_product)

    def gradient(x, y):
        return ms.grad(hooked, (0, 1))(x, y)

    run = ms.jit(gradient) if compiled else gradient
    return run(numbers(2), numbers(2, seed=1))


class _Exp(nn.Cell):
    def construct(self, x):
        return ops.exp(x)


@case.table({"plain": (False,), "jit": (True,)})
def saved_of_a_cell(compiled):
    net = _Exp()
    net.register_saved_tensors_hooks(_more, _same)

    def gradient(x):
        return ms.grad(net)(x)

    run = ms.jit(gradient) if compiled else gradient
    return run(numbers(2)), net(numbers(2))


@case
def permute_without_dimensions():
    x = numbers(2, 3, 4)
    return x.permute(), Tensor(3.0).permute(), x.transpose()


@case.table({name: (name,) for name in ("weight", "nothing", "statistics")})
def get_buffer(name):
    layer = nn.Dense(2, 2, weight_init="ones")
    layer.register_buffer("statistics", numbers(2))
    return layer.get_buffer(name)


TO_FLOAT = {
    "parent_half": "p16",
    "child_after_parent": "p16 c32",
    "half_child_after_parent": "p32 c16",
    "child_before_parent": "c16 p32",
    "child_alone": "c16",
}


@case.table({name: (order,) for name, order in TO_FLOAT.items()})
def to_float_flags(order):
    net = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones", bias_init="zeros"), nn.ReLU())
    for each in order.split():
        (net if each[0] == "p" else net[0]).to_float(getattr(ms, f"float{each[1:]}"))
    return net(numbers(1, 2)), [(cell.fp16, cell.fp32, cell.bf16) for cell in (net[0], net[1])]


def returns_a_number(x):
    return 3.0


def returns_nothing(x):
    return None


@case.table(
    {
        f"{transform}_{function.__name__}": (transform, function)
        for transform in ("jacfwd", "jacrev")
        for function in (returns_a_number, returns_nothing)
    }
)
def jacobian_of_no_tensor(transform, function):
    return getattr(ms, transform)(function)(numbers(2))
