# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # From MindSpore to JAX
#
# A MindSpore program runs under msgrad as it is; nothing has to be rewritten on the first day. This
# guide is for the days after: what each concept of MindSpore is in msgrad, and what to write in its
# place in JAX, Flax and Optax. Each row of the table has a cell below that runs both sides and
# asserts that they agree.
#
# | concept | in MindSpore | in msgrad | in native JAX |
# |---|---|---|---|
# | [Tensor](#Tensor) | `Tensor(x, ms.float32)`, `x[0] = 1` | the same; holds a `jax.Array` | `jnp.array(x)`, `x.at[0].set(1)` |
# | [Parameter](#Parameter) | `Parameter(x, name="w")`, `set_data` | the same; is an `nnx.Param` | `nnx.Param(x)`, `w[...] = x` |
# | [Cell](#Cell) | `nn.Cell` | the same; is an `nnx.Module` | `nnx.Module` |
# | [construct](#construct) | `construct`, `set_train` | the same | `__call__`, `train()` and `eval()` |
# | [weights](#weights) | `grad(f, None, weights)` | the same | `nnx.split`, `jax.grad` of the state |
# | [grad positions](#grad-positions) | `grad(f, (0, 2))`, any output | the same | `jax.grad(f, argnums=(0, 2))`, a scalar |
# | [has_aux](#has_aux) | `(loss, aux1, aux2)` | the same | `(loss, (aux1, aux2))` |
# | [sens](#sens) | `GradOperation(sens_param=True)` | the same | `jax.vjp` |
# | [loss scale](#loss-scale) | `DynamicLossScaler`, `all_finite` | the same | two products and `jnp.isfinite` |
# | [clip](#clip) | `ops.clip_by_global_norm` | the same | `optax.clip_by_global_norm` |
# | [accumulation](#accumulation) | a second set of Parameters | the same | `optax.MultiSteps` |
# | [optimizer](#optimizer) | `nn.Momentum(params, ...)` | the same; `interop.to_optax` | `optax.sgd(..., momentum=...)` |
# | [schedule](#schedule) | `nn.CosineDecayLR` | the same | `optax.cosine_decay_schedule` |
# | [jit and GRAPH_MODE](#jit-and-GRAPH_MODE) | `ms.jit`, `set_context(mode=...)` | the same; finds its state | `jax.jit`, state in and out |
# | [hooks](#hooks) | `tensor.register_hook` | the same | `jax.custom_vjp` of the identity |
# | [bprop](#bprop) | `Cell.bprop` | the same | `jax.custom_vjp` |
# | [random seeds](#random-seeds) | `ms.set_seed(1)` | the same | `jax.random.key(1)`, handed on |
# | [dtypes](#dtypes) | what NumPy has is kept | the same | 64 bits only when asked for |
# | [checkpoints](#checkpoints) | `save_checkpoint` | the same; `interop.read_ckpt` | arrays by name; Orbax |
# | [data parallel](#data-parallel) | a process for each device | one process, a sharded batch | the same |

# %% tags=["jax"]
import jax

# Two virtual devices for the last row. On a GPU or TPU machine this changes nothing.
jax.config.update("jax_num_cpu_devices", 2)

import msgrad

_ = msgrad.install()

# %% tags=["jax"]
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import optax
from flax import nnx
from mindspore import Parameter, Tensor, nn, ops

AGREED = []


def agree(concept, ours, native, rtol=1e-6):
    """Assert that a result of MindSpore code and one of JAX code are the same, and note the row."""
    ours, native = (jax.tree.map(np.asarray, jax.tree.leaves(side)) for side in (ours, native))
    for one, other in zip(ours, native, strict=True):
        assert one.dtype == other.dtype, (one.dtype, other.dtype)
        np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-6)
    AGREED.append(concept)
    print(f"{concept}: both sides agree")


values = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]], np.float32)
targets = np.array([1, 0], np.int32)

# %% [markdown]
# ## The rows
#
# ### Tensor
#
# A Tensor can be given to any function of `jnp`, and `jnp.asarray` takes the array out. A write
# into a Tensor is a new array underneath; in JAX one writes that down.

# %% tags=["jax"]
x = Tensor(values)
x[0] = 7.0
ours = ops.matmul(x, x.T) + 1

a = jnp.array(values)
a = a.at[0].set(7.0)
native = a @ a.T + 1

agree("Tensor", ours, native)

# %% [markdown]
# ### Parameter

# %% tags=["jax"]
w = Parameter(Tensor(values), name="w")
w.set_data(w * 2)
ops.assign_add(w, Tensor(values))
assert isinstance(w, nnx.Param)

v = nnx.Param(jnp.array(values))
v[...] = v[...] * 2
v[...] = v[...] + values

agree("Parameter", w, v[...])


# %% [markdown]
# ### Cell
#
# `Dense` keeps its weight as (out, in), `nnx.Linear` its kernel as (in, out). A Cell may hold Flax
# layers, so that a network can be moved layer by layer.


# %% tags=["jax"]
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(3, 4)
        self.last = nn.Dense(4, 2)

    def construct(self, x):
        return self.last(ops.relu(self.first(x)))


class NativeNet(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(3, 4, rngs=rngs)
        self.last = nnx.Linear(4, 2, rngs=rngs)

    def __call__(self, x):
        return self.last(nnx.relu(self.first(x)))


ms.set_seed(1)
net = Net()
native_net = NativeNet(nnx.Rngs(1))
for name in ("first", "last"):
    getattr(native_net, name).kernel[...] = jnp.asarray(getattr(net, name).weight).T
    getattr(native_net, name).bias[...] = jnp.asarray(getattr(net, name).bias)
assert isinstance(net, nnx.Module)

agree("Cell", net(Tensor(values)), native_net(values))

# %% [markdown]
# ### construct
#
# Both call it by `net(x)`. A Cell starts in prediction mode and a Flax module in training mode. `p`
# of `nn.Dropout` and `rate` of `nnx.Dropout` are the share that is dropped.

# %% tags=["jax"]
drop = nn.Dropout(p=0.5)
assert not drop.training
native_drop = nnx.Dropout(0.5, rngs=nnx.Rngs(0))
assert not native_drop.deterministic
native_drop.eval()
agree("construct", drop(Tensor(values)), native_drop(values))

drop.set_train()
native_drop.train()
assert not np.allclose(drop(Tensor(values)).asnumpy(), values)
assert not np.allclose(native_drop(values), values)

# %% [markdown]
# ### weights
#
# MindSpore's gradient looks at whatever `fn` used. In JAX what is differentiated is an argument:
# the state of the module, a pytree.

# %% tags=["jax"]
loss_fn = nn.CrossEntropyLoss()


def forward(x, y):
    return loss_fn(net(x), y)


ours = ms.grad(forward, None, net.trainable_params())(Tensor(values), Tensor(targets))

structure, params = nnx.split(net)


def native_loss(params, x, y):
    logits = jnp.asarray(nnx.merge(structure, params)(jnp.asarray(x)))
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


native = nnx.to_pure_dict(jax.grad(native_loss)(params, values, targets))

by_name = dict(zip([p.name for p in net.trainable_params()], ours, strict=True))
agree(
    "weights",
    by_name,
    {f"{cell}.{name}": grad for cell, grads in native.items() for name, grad in grads.items()},
)

# %% [markdown]
# ### grad positions
#
# MindSpore differentiates the sum of all outputs, `jax.grad` wants one number.

# %% tags=["jax"]
x, y, z = (np.full(3, value, np.float32) for value in (1.0, 2.0, 3.0))

ours = ms.grad(lambda x, y, z: x * y * z, (0, 2))(Tensor(x), Tensor(y), Tensor(z))
native = jax.grad(lambda x, y, z: (x * y * z).sum(), argnums=(0, 2))(x, y, z)

agree("grad positions", ours, native)

# %% [markdown]
# ### has_aux
#
# All outputs after the first are auxiliary in MindSpore; in JAX the function returns a pair.

# %% tags=["jax"]
ours = ms.grad(lambda x, y: ((x * y).sum(), x + y, x - y), has_aux=True)(Tensor(x), Tensor(y))
native = jax.grad(lambda x, y: ((x * y).sum(), (x + y, x - y)), has_aux=True)(x, y)

agree("has_aux", ours, native)

# %% [markdown]
# ### sens
#
# What the backward pass starts from. In JAX the backward pass is a function of it.

# %% tags=["jax"]
sens = np.array([1.0, 10.0, 100.0], np.float32)

ours = ops.GradOperation(get_all=True, sens_param=True)(lambda x, y: x * y)(
    Tensor(x), Tensor(y), Tensor(sens)
)
_, backward = jax.vjp(lambda x, y: x * y, x, y)
native = backward(sens)

agree("sens", ours, native)

# %% [markdown]
# ### loss scale

# %% tags=["jax"]
scaler = ms.amp.DynamicLossScaler(scale_value=2.0**10, scale_factor=2, scale_window=1)
scaled = ms.grad(lambda x: scaler.scale((x * x).sum()))(Tensor(x))
finite = ms.amp.all_finite((scaled,))
ours = scaler.unscale(scaled)
scaler.adjust(finite)

scale = jnp.float32(2.0**10)
native_scaled = jax.grad(lambda x: scale * (x * x).sum())(x)
native_finite = jnp.isfinite(native_scaled).all()
native = native_scaled / scale
scale = jnp.where(native_finite, scale * 2, scale / 2)

agree("loss scale", (ours, finite, scaler.scale_value), (native, native_finite, scale))

# %% [markdown]
# ### clip

# %% tags=["jax"]
grads = (values, 3 * values)

ours = ops.clip_by_global_norm(tuple(map(Tensor, grads)), 1.0)
native, _ = optax.clip_by_global_norm(1.0).update(grads, optax.EmptyState())

agree("clip", ours, native)

# %% [markdown]
# ### accumulation
#
# Four small batches, one update.

# %% tags=["jax"]
batches = np.random.RandomState(0).normal(size=(4, 5, 3)).astype(np.float32)
start = np.array([0.1, 0.2, 0.3], np.float32)

w = Parameter(Tensor(start), name="w")
optimizer = nn.SGD([w], learning_rate=0.1)
kept = optimizer.parameters.clone(prefix="kept", init="zeros")
add = ops.partial(ops.assign_add)
grad_fn = ms.grad(lambda x: ((x * w).sum(1) ** 2).mean() / len(batches), None, optimizer.parameters)
for batch in batches:
    ops.HyperMap()(add, kept, grad_fn(Tensor(batch)))
optimizer(tuple(kept))

rule = optax.MultiSteps(optax.sgd(0.1), every_k_schedule=len(batches))
v, state = jnp.array(start), None
state = rule.init(v)
for batch in batches:
    grad = jax.grad(lambda v, x: ((x * v).sum(1) ** 2).mean())(v, batch)
    updates, state = rule.update(grad, state, v)
    v = optax.apply_updates(v, updates)

agree("accumulation", w, v)

# %% [markdown]
# ### optimizer
#
# An optimizer of MindSpore holds the parameters and changes them; a rule of Optax is given them and
# returns updates. Some rules differ in a detail: `nn.Adam` does not correct its `eps` for the bias,
# `optax.adam` does. `to_optax` gives MindSpore's rule as an Optax one.

# %% tags=["jax"]
from msgrad.interop import to_optax


def trained(optimizer):
    for _ in range(5):
        optimizer(ms.grad(lambda: (w**2).sum(), None, optimizer.parameters)())
    return w.asnumpy()


def natively_trained(rule):
    v = jnp.array(start)
    state = rule.init([v])
    for _ in range(5):
        updates, state = rule.update([jax.grad(lambda v: (v**2).sum())(v)], state, [v])
        v = optax.apply_updates([v], updates)[0]
    return v


w = Parameter(Tensor(start), name="w")
ours = trained(nn.Momentum([w], learning_rate=0.1, momentum=0.9))
native = natively_trained(optax.sgd(0.1, momentum=0.9))
agree("optimizer", ours, native)

w = Parameter(Tensor(start), name="w")
adam = nn.Adam([w], learning_rate=0.1, eps=1e-3)
rule = to_optax(adam)
np.testing.assert_allclose(trained(adam), natively_trained(rule), rtol=1e-6)
assert not np.allclose(w.asnumpy(), natively_trained(optax.adam(0.1, eps=1e-3)), rtol=1e-4)

# %% [markdown]
# ### schedule

# %% tags=["jax"]
schedule = nn.CosineDecayLR(min_lr=0.0, max_lr=0.1, decay_steps=10)
native_schedule = optax.cosine_decay_schedule(0.1, decay_steps=10)

agree(
    "schedule",
    [schedule(Tensor(step, ms.int32)) for step in range(11)],
    [native_schedule(step) for step in range(11)],
)

# %% [markdown]
# ### jit and GRAPH_MODE
#
# `ms.jit` finds out by itself which weights, moments and counters a step reads and writes, and
# makes them inputs and outputs of one JAX program. With `jax.jit` one passes them in and takes them
# out.

# %% tags=["jax"]
w = Parameter(Tensor(start), name="w")
optimizer = nn.Momentum([w], learning_rate=0.1, momentum=0.9)
grad_fn = ms.value_and_grad(lambda x: ((x * w).sum(1) ** 2).mean(), None, optimizer.parameters)


@ms.jit
def step(x):
    loss, grads = grad_fn(x)
    optimizer(grads)
    return loss


rule = optax.sgd(0.1, momentum=0.9)


@jax.jit
def native_step(v, state, x):
    loss, grad = jax.value_and_grad(lambda v: ((x * v).sum(1) ** 2).mean())(v)
    updates, state = rule.update(grad, state, v)
    return optax.apply_updates(v, updates), state, loss


ours = [step(Tensor(batch)) for batch in batches]

native, v = [], jnp.array(start)
state = rule.init(v)
for batch in batches:
    v, state, loss = native_step(v, state, batch)
    native.append(loss)

agree("jit and GRAPH_MODE", (ours, w), (native, v))


# %% [markdown]
# ### hooks
#
# A function of the gradient that passes through a value.


# %% tags=["jax"]
def hooked(x):
    y = x * x
    y.register_hook(lambda grad: grad * 10)
    return y.sum()


@jax.custom_vjp
def ten_times(y):
    return y


ten_times.defvjp(lambda y: (y, None), lambda _, grad: (grad * 10,))

ours = ms.grad(hooked)(Tensor(x))
native = jax.grad(lambda x: ten_times(x * x).sum())(x)

agree("hooks", ours, native)


# %% [markdown]
# ### bprop
#
# A backward pass of one's own. `jax.custom_vjp` splits the forward pass in two: what is computed,
# and what is kept for the way back.


# %% tags=["jax"]
class Sign(nn.Cell):
    """The sign, with the gradient of a line between -1 and 1."""

    def construct(self, x):
        return ops.sign(x)

    def bprop(self, x, out, dout):
        return (dout * (x.abs() < 1).astype(x.dtype),)


@jax.custom_vjp
def sign(x):
    return jnp.sign(x)


sign.defvjp(lambda x: (jnp.sign(x), x), lambda x, dout: (dout * (jnp.abs(x) < 1),))

points = np.array([-2.0, -0.5, 0.5, 2.0], np.float32)
ours = ms.grad(Sign())(Tensor(points))
native = jax.grad(lambda x: sign(x).sum())(points)

agree("bprop", ours, native)

# %% [markdown]
# ### random seeds
#
# Seeds that each call and layer is given by itself; in JAX a key that one splits and hands on.
# Under msgrad `set_seed` gives MindSpore's initial weights, bit for bit, and the numbers that its
# operators draw. The numbers of the two sides are not each other's, but each side repeats its own.

# %% tags=["jax"]


def drawn():
    ms.set_seed(1)
    return ops.standard_normal((2,)), nn.Dense(3, 2).weight


def natively_drawn():
    key, other = jax.random.split(jax.random.key(1))
    return jax.random.normal(key, (2,)), nnx.Linear(3, 2, rngs=nnx.Rngs(other)).kernel[...]


agree("random seeds", (drawn(), natively_drawn()), (drawn(), natively_drawn()))

# %% [markdown]
# ### dtypes
#
# `Tensor` keeps what NumPy has; `jnp.asarray` makes 32 bits of 64 unless the dtype is given. A
# Python number does not change the dtype of a Tensor or an array.

# %% tags=["jax"]
wide = np.array([1.0, 2.0])
assert jnp.asarray(wide).dtype == jnp.float32

half = np.array([1.0, 2.0], np.float16)
agree(
    "dtypes",
    (Tensor(wide), Tensor(half) * 2.0, Tensor(half) + Tensor(values[0, :2])),
    (jnp.asarray(wide, jnp.float64), half * jnp.float16(2.0), jnp.asarray(half) + values[0, :2]),
)

# %% [markdown]
# ### checkpoints
#
# msgrad reads and writes MindSpore's own files. `read_ckpt` gives them as arrays by name, without a
# network; what comes after, Orbax or Flax's own functions, takes such a dict.

# %% tags=["jax"]
from pathlib import Path
from tempfile import TemporaryDirectory

from msgrad.interop import read_ckpt

with TemporaryDirectory() as folder:
    path = str(Path(folder) / "net.ckpt")
    ms.save_checkpoint(net, path)

    again = Net()
    ms.load_param_into_net(again, ms.load_checkpoint(path))
    ours = again(Tensor(values))

    arrays = read_ckpt(path)
    hidden = jax.nn.relu(values @ arrays["first.weight"].T + arrays["first.bias"])
    native = hidden @ arrays["last.weight"].T + arrays["last.bias"]

agree("checkpoints", ours, native)

# %% [markdown]
# ### data parallel
#
# MindSpore starts a process for each device, and a reducer averages the gradients. Here one process
# sees all devices: lay the batch out over them, and JAX does the rest. `set_auto_parallel_context`,
# `get_rank` and the reducers are there for programs that call them: one process is a group of one.

# %% tags=["jax"]
mesh = jax.sharding.Mesh(np.array(jax.devices()), ("data",))
rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
many = 4 * len(jax.devices())
inputs = jax.device_put(np.resize(values, (many, 3)), rows)
wanted = jax.device_put(np.resize(targets, many), rows)

ours = ms.grad(forward, None, net.trainable_params())(Tensor(inputs), Tensor(wanted))
native = jax.jit(jax.grad(native_loss))(params, inputs, wanted)

assert jnp.asarray(ours[0]).devices() == set(jax.devices())
native = nnx.to_pure_dict(native)
agree(
    "data parallel",
    list(ours),
    [native[cell][name] for cell in ("first", "last") for name in ("weight", "bias")],
)

# %% tags=["jax"]
print(f"{len(AGREED)} rows, each with both sides equal")

# %% [markdown]
# ## What differs from MindSpore, and why
#
# Where msgrad comes out differently it does so on purpose, each time for a reason that is written
# down beside the case that shows it: [the differences page](../tests/parity/DIFFERENCES.md) is
# generated from that table, and a test fails when an entry is no longer true. Some of the reasons,
# read from the table:

# %% tags=["jax"]
import runpy

table = Path(msgrad.__file__).parents[1] / "tests" / "parity" / "differences.py"
reasons = runpy.run_path(str(table))["DIFFERENCES"]
for case in (
    "grad_higher:second[matmul]",
    "grad_higher:second[mean]",
    "grad_state:writing_an_element_of_the_input",
    "grad_state:parameter_written[assign_after_use]",
    "optim:plain[Momentum_nesterov]",
    "optim:learning_rate_changed_by_set_data",
    "checkpoint:unchanged_after_an_error_in_the_last",
    "containers:cell_list_slice[1:]",
    "parallel:without_a_launcher[init]",
):
    print(f"{case}\n    {reasons[case]}")

# %% [markdown]
# The kinds of reasons: MindSpore's CPU kernel is wrong and its documentation right, so the
# documentation is followed; MindSpore fails and there is one sensible answer, so it is given; an
# error leaves things half done, so here they stay as they were.
#
# ## Which way to go
#
# ```text
# Does `python -m msgrad check your/code` find all names?
# |
# +-- no --> Is the name in a part you can do without, or in a few lines you can write by hand?
# |          +-- yes: do that, and go on below
# |          +-- no:  write that part in JAX (jnp takes Tensors), or leave this program for now
# |
# +-- yes -> Run it unchanged: `python -m msgrad run train.py`. Is it fast enough?
#            |
#            +-- yes: you are done
#            |
#            +-- no --> Compile it: `step = ms.jit(step)`, or set_context(mode=ms.GRAPH_MODE).
#                       Is it fast enough now?
#                       |
#                       +-- yes: you are done
#                       +-- no:  does a warning name a line that runs as plain Python? Take it
#                                out of the step, or write it with ops.where.
#
# Go native, module by module, when you want something that JAX has and MindSpore has not:
# other transformations (notebook 04), several devices, Flax layers, Optax rules, or a code base
# without MindSpore's names. A Cell may hold Flax layers, an optimizer may be an Optax rule
# (interop.from_optax), and each of them works before the next one is moved.
# ```
#
# ## Stumbling blocks
#
# What one sees, and its cure. Each error is provoked here.


# %% tags=["jax"]
def provoked(call, *args, sentences=None):
    """Call what fails, and print what one sees: the first line or sentences of it, wrapped."""
    try:
        call(*args)
    except Exception as error:
        line = f"{type(error).__name__}: {error}".splitlines()[0]
        words = ". ".join(line.split(". ")[:sentences]).rstrip(".").split()
    else:
        raise AssertionError("nothing was raised")
    line = ""
    for word in words:
        if len(line) + len(word) > 95:
            print(line)
            line = "   "
        line += f" {word}" if line else word
    print(line)


# %% [markdown]
# ### 1. The device of the script is not here

# %% tags=["jax"]
import warnings

with warnings.catch_warnings(record=True) as seen:
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="Ascend")
print(seen[0].message)

# %% [markdown]
# **Cure:** none is needed; to be rid of the warning, leave `device_target` out. JAX takes the best
# device it finds; the environment variable `JAX_PLATFORMS` chooses another. Where a program imports
# `msgrad` by its own name, the device must be there.

# %% tags=["jax"]
ms.set_context(mode=ms.PYNATIVE_MODE)

# %% [markdown]
# ### 2. A name is not there

# %% tags=["jax"]
provoked(lambda: ops.clip_by_globalnorm)

# %% [markdown]
# **Cure:** take the nearest name, if it is a slip. `python -m msgrad check your/code` lists all
# such names with their places before anything runs.

# %% tags=["jax"]
assert callable(ops.clip_by_global_norm)


# %% [markdown]
# ### 3. `if` on a value, where there is none
#
# `ms.jit` compiles both branches of an `if` on a Tensor. Under `vmap` and `jax.jit` a function runs
# once, with placeholders for all values.


# %% tags=["jax"]
def leaky(x):
    return x if x > 0 else 0.1 * x


provoked(ms.vmap(leaky), Tensor(points))

# %% [markdown]
# **Cure:** compute both and choose with `ops.where`.

# %% tags=["jax"]
print(ms.vmap(lambda x: ops.where(x > 0, x, 0.1 * x))(Tensor(points)))

# %% [markdown]
# ### 4. `jax.jit` around code that changes weights
#
# `jax.jit` does not know that the optimizer writes to Parameters. What it would write is gone after
# the call, so the weight stays as it was, and the call fails.

# %% tags=["jax"]
w = Parameter(Tensor(start), name="w")
optimizer = nn.SGD([w], learning_rate=0.1)
grad_fn = ms.grad(lambda x: (x * w).sum(), None, optimizer.parameters)


def change(x):
    optimizer(grad_fn(x))
    return jnp.float32(0)


provoked(jax.jit(change), batches[0], sentences=1)
assert np.array_equal(w.asnumpy(), start)

# %% [markdown]
# **Cure:** `ms.jit`, which knows; or go native for this step (`nnx.split`, as in the row
# [weights](#weights)), so that the weights are arguments and results.

# %% tags=["jax"]
w = Parameter(Tensor(start), name="w")
optimizer = nn.SGD([w], learning_rate=0.1)
grad_fn = ms.grad(lambda x: (x * w).sum(), None, optimizer.parameters)
ms.jit(lambda x: optimizer(grad_fn(x)))(Tensor(batches[0]))
print(w.asnumpy())

# %% [markdown]
# ### 5. What a compiled call does not look at again
#
# A compiled call sees what changes in Cells: weights, child cells, numbers, flags, short lists,
# methods of the class. What it found anywhere else is a constant of the first call: attributes of
# other objects, global variables and those of enclosing functions, and what is in them.

# %% tags=["jax"]
settings = {"factor": 2.0}
double = ms.jit(lambda x: x * settings["factor"])
print(double(Tensor(1.0)))
settings["factor"] = 3.0
print(double(Tensor(1.0)))


# %% [markdown]
# **Cure:** keep it in a Cell, or give it as an argument.


# %% tags=["jax"]
class Scaled(nn.Cell):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def construct(self, x):
        return x * self.factor


scaled = ms.jit(Scaled(2.0))
print(scaled(Tensor(1.0)))
scaled.factor = 3.0
print(scaled(Tensor(1.0)))

# %% [markdown]
# ### 6. `jax.grad` of MindSpore code
#
# It wants one number, and arrays instead of Tensors.

# %% tags=["jax"]
provoked(jax.grad(lambda x: x * x), jnp.array(points), sentences=2)
provoked(jax.grad(lambda x: ops.square(x).sum()), jnp.array(points))

# %% [markdown]
# **Cure:** `ms.grad`, or take the array out of the result with `jnp.asarray`.

# %% tags=["jax"]
print(ms.grad(lambda x: x * x)(Tensor(points)))
print(jax.grad(lambda x: jnp.asarray(ops.square(x).sum()))(jnp.array(points)))

# %% [markdown]
# ### 7. What cancels exactly, operator by operator
#
# The operators of a gradient call, and of a compiled one, run as one program. A product is rounded
# there before something is added to it, as in MindSpore, so `ops.sqrt(x * x - a * a)` is 0 at `x = a`.
# The sums that JAX makes in a backward pass, and code written in `jnp`, may be contracted
# (`a * b + c * d` with one product exact): what cancels there may leave a last digit, and a root or
# a logarithm of it may be nan.
#
# **Cure:** keep roots and logarithms inside their domain (`ops.maximum(v, 0)`). To see whether this is
# it, run the program once with `MSGRAD_EAGER=op` (each operator by itself), or with
# `XLA_FLAGS=--xla_cpu_max_isa=AVX`, which turns contraction off on a CPU; it makes `erf` up to 16
# times as slow, and random numbers and `tanh` twice.
