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
# # Beyond MindSpore
#
# A MindSpore program under msgrad is a JAX program: a Tensor holds a `jax.Array`, a Cell is a Flax
# module, a gradient is JAX's. This notebook shows what can be done with it that MindSpore cannot
# do, or that only takes a line here.

# %% tags=["jax"]
import jax

# Four virtual devices for the last section. On a GPU or TPU machine this changes nothing.
jax.config.update("jax_num_cpu_devices", 4)

import msgrad

_ = msgrad.install()

# %%
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from sklearn.datasets import load_digits

# %%
images, labels = load_digits(return_X_y=True)
order = np.random.RandomState(0).permutation(len(labels))
images = (images[order] / 16).astype(np.float32)
labels = labels[order].astype(np.int32)
loss_fn = nn.CrossEntropyLoss()


def classifier(hidden=32):
    ms.set_seed(1)
    return nn.SequentialCell(nn.Dense(64, hidden), nn.Tanh(), nn.Dense(hidden, 10))


# %% tags=["jax"]
import jax.numpy as jnp
import matplotlib.pyplot as plt
import optax
from flax import nnx
from jax.flatten_util import ravel_pytree

plt.rcParams.update(
    {
        "figure.figsize": (7.5, 3.6),
        "figure.dpi": 100,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
    }
)

# %% [markdown]
# ## Gradients of every sample, by `vmap(grad)`
#
# A batch gives one gradient, the mean. `vmap` gives the gradient of each image, in one compiled
# call and without a loop. Here it finds wrong labels: 50 of 1,000 are replaced by another digit, a
# network is trained on them, and the images are sorted by the norm of their own gradients.

# %%
draw = np.random.RandomState(1)
wrong = draw.permutation(1000)[:50]
given = labels[:1000].copy()
given[wrong] = (given[wrong] + draw.randint(1, 10, 50)) % 10
x, y = Tensor(images[:1000]), Tensor(given)

net = classifier()
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)
batch_grad = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)


@ms.jit
def step(x, y):
    loss, grads = batch_grad(x, y)
    optimizer(grads)
    return loss


for _ in range(60):
    loss = step(x, y)
print(f"loss {float(loss):.6f}")


# %%
def loss_of_one(image, label):
    return loss_fn(net(image.expand_dims(0)), label.expand_dims(0))


each = ms.jit(ms.vmap(ms.grad(loss_of_one, None, net.trainable_params())))
grads = each(x, y)
for param, grad in zip(net.trainable_params(), grads, strict=True):
    print(f"{param.name:9} {param.shape!s:9} gradients of all samples: {grad.shape}")

# The mean of them is the gradient of the batch.
_, mean = batch_grad(x, y)
for one, other in zip(grads, mean, strict=True):
    np.testing.assert_allclose(one.mean(0).asnumpy(), other.asnumpy(), atol=1e-6)

norms = sum((grad * grad).reshape(1000, -1).sum(1) for grad in grads).sqrt().asnumpy()
largest = np.argsort(-norms)[:50]
found = len(set(largest) & set(wrong))
print(f"at least 40 of the 50 largest belong to wrong labels: {found >= 40}")

# %% tags=["jax"]
figure = plt.figure(figsize=(7.5, 4.4), layout="constrained")
top, bottom = figure.subfigures(2, height_ratios=(1.5, 1))
axes = top.subplots()
is_wrong = np.isin(np.arange(1000), wrong)
bins = np.geomspace(norms.min(), norms.max(), 45)
axes.hist(norms[~is_wrong], bins, color="#6baed6", label="right label")
axes.hist(norms[is_wrong], bins, color="#de2d26", alpha=0.85, label="wrong label")
axes.set(xscale="log", xlabel="norm of the sample's own gradient", ylabel="images")
axes.legend()
top.suptitle("Samples with wrong labels pull hardest", fontsize=11)
for axes, place in zip(bottom.subplots(1, 8), largest[:8], strict=True):
    axes.imshow(images[place].reshape(8, 8), cmap="gray_r")
    axes.set_title(f"said to be {given[place]}", fontsize=8)
    axes.set_axis_off()

# %% [markdown]
# ## A training goes on as a native JAX loop
#
# A MindSpore training, five steps of it: a training cell, compiled.

# %%
net = classifier()
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
train = ms.jit(nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), optimizer))
x, y = Tensor(images[:1000]), Tensor(labels[:1000])
for _ in range(5):
    loss = train(x, y)
print(f"loss {float(loss):.6f}")

# %% [markdown]
# `functionalize` hands out the program of that step as a pure function, and all that it reads and
# writes as a dict of arrays with MindSpore's names. Weights, moments and counters are what they are
# after five steps. The loop is plain JAX; its first steps have the same bits as MindSpore code that
# goes on beside it.

# %% tags=["jax"]
pure, state = msgrad.interop.functionalize(train, x, y)
print(", ".join(f"{name} {value.shape}" for name, value in state.items()))

step = jax.jit(pure)
image, label = jnp.asarray(images[:1000]), jnp.asarray(labels[:1000])
there = state
for _ in range(5):
    native, there = step(there, image, label)
    shim = train(x, y)
    assert np.asarray(native).tobytes() == shim.asnumpy().tobytes()
print(f"5 steps with the same bits, loss {float(native):.6f}")

# %% [markdown]
# What JAX does with functions goes over it: 50 further steps are one `lax.scan`. `restore` puts what came
# out back into the Cells, where MindSpore code finds it.


# %% tags=["jax"]
def scanned(state, _):
    loss, state = pure(state, image, label)
    return state, loss


end, losses = jax.lax.scan(scanned, there, length=50)
msgrad.interop.restore(end)
print(f"last loss of the scan {float(losses[-1]):.6f}, of the Cell {float(train(x, y)):.6f}")

# %% [markdown]
# `to_nnx` makes a network of Flax of the Cell. `strict=True` promises that no MindSpore code is left in it.
# `to_optax` gives the rule of the optimizer, which goes on with its moments and its step; any other rule of
# Optax trains the network as well. From the state after five steps, it takes the steps that were taken above.


# %% tags=["jax"]
def loss_of(params, x, y):
    logits = nnx.merge(structure, params)(x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


@jax.jit
def native_step(params, state, x, y):
    loss, grads = jax.value_and_grad(loss_of)(params, x, y)
    updates, state = rule.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


msgrad.interop.restore(state)
in_flax = msgrad.interop.to_nnx(net, strict=True)
rule = msgrad.interop.to_optax(optimizer, in_flax, net)
structure, params = nnx.split(in_flax)
rule_state = rule.init(params)
for _ in range(5):
    params, rule_state, loss = native_step(params, rule_state, image, label)
print(f"Flax and Optax {float(loss):.6f}, as above {float(native):.6f}")
np.testing.assert_allclose(loss, native, rtol=1e-5)

# %% [markdown]
# A class of one's own has no equivalent in Flax. With the arguments of a call, `to_nnx` makes a module of it
# that runs its `construct` as JAX has compiled it. There is no MindSpore code in it and no msgrad: it goes to
# another process by cloudpickle, takes batches of any size, and trains there.


# %%
class Residual(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(64, 32)
        self.block = nn.Dense(32, 32)
        self.norm = nn.LayerNorm((32,))
        self.last = nn.Dense(32, 10)

    def construct(self, x):
        x = ops.relu(self.first(x))
        return self.last(self.norm(x + ops.tanh(self.block(x))))


ms.set_seed(3)
net = Residual()
optimizer = nn.Adam(net.trainable_params(), 1e-2)
train = ms.jit(nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), optimizer))
for _ in range(20):
    loss = train(x, y)
print(f"loss {float(loss):.6f}")

# %% tags=["jax"]
in_flax = msgrad.interop.to_nnx(net, x)
trainer = nnx.Optimizer(in_flax, msgrad.interop.to_optax(optimizer, in_flax, net), wrt=nnx.Param)


@nnx.jit
def flax_step(net, trainer, x, y):
    def loss_of(net):
        return optax.softmax_cross_entropy_with_integer_labels(net(x), y).mean()

    loss, grads = nnx.value_and_grad(loss_of)(net)
    trainer.update(net, grads)
    return loss


for _ in range(20):
    loss = flax_step(in_flax, trainer, image, label)
    shim = train(x, y)
print(
    f"Flax {float(loss):.4f}, the Cell {float(shim):.4f}, three logits {in_flax(image[:3]).shape}"
)
np.testing.assert_allclose(loss, shim.asnumpy(), rtol=1e-3)

# %% [markdown]
# ## Hessian-vector products
#
# The derivative of the gradient along a direction costs about as much as two gradients, whatever
# the number of weights. MindSpore 2.10 gets some second derivatives wrong (see `second[...]` in the
# [differences page](../tests/parity/DIFFERENCES.md)); JAX's are exact. Power iteration with it
# finds the largest curvature of the loss; the whole Hessian, still small here, confirms it.

# %%
weight = Tensor(np.array([1.0, -0.5, 2.0], np.float32))
direction = Tensor(np.array([1.0, 0.0, 0.0], np.float32))
_, product = ms.jvp(ms.grad(lambda w: (w**4).sum()), weight, direction)
print(product)

# %% tags=["jax"]
structure, params = nnx.split(msgrad.interop.to_nnx(classifier(hidden=4)))
flat, unflatten = ravel_pytree(params)


@jax.jit
def flat_loss(w):
    return loss_of(unflatten(w), image, label)


@jax.jit
def hessian_times(w, v):
    return jax.jvp(jax.grad(flat_loss), (w,), (v,))[1]


descend = jax.jit(lambda w: w - 0.5 * jax.grad(flat_loss)(w))
for _ in range(150):
    flat = descend(flat)

v = jnp.ones_like(flat) / jnp.sqrt(flat.size)
curvatures = []
for _ in range(20):
    product = hessian_times(flat, v)
    curvatures.append(float(v @ product))
    v = product / jnp.linalg.norm(product)

spectrum = jnp.linalg.eigvalsh(jax.jit(jax.hessian(flat_loss))(flat))
print(f"{flat.size} weights: largest curvature {curvatures[-1]:.4f}, exact {spectrum[-1]:.4f}")

# %% tags=["jax"]
figure, axes = plt.subplots()
axes.plot(
    range(1, 21),
    curvatures,
    "o-",
    markersize=3.5,
    color="tab:blue",
    label="Hessian-vector products",
)
axes.axhline(float(spectrum[-1]), color="tab:red", linestyle="--", label="whole Hessian")
axes.set(xlabel="number of products", ylabel="curvature", title="The largest curvature of the loss")
axes.grid(alpha=0.3)
_ = axes.legend()

# %% [markdown]
# ## A Flax layer inside a Cell
#
# Assigned to a Cell, a Flax layer joins it: its parameters are among the Cell's, and MindSpore's
# optimizers, checkpoints and gradients see them. What a layer changes by itself, such as the means
# of this BatchNorm, is state of the compiled step.


# %% tags=["jax"]
class Mixed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nnx.Linear(64, 32, rngs=nnx.Rngs(0))
        self.norm = nnx.BatchNorm(32, rngs=nnx.Rngs(0))
        self.act = nn.ReLU()
        self.last = nn.Dense(32, 10)

    def construct(self, x):
        return self.last(self.act(self.norm(self.first(x))))


ms.set_seed(1)
mixed = Mixed()
optimizer = nn.Momentum(mixed.trainable_params(), 0.05, 0.9)
train = ms.jit(nn.TrainOneStepCell(nn.WithLossCell(mixed, loss_fn), optimizer))
losses = [float(train(Tensor(images[:1000]), Tensor(labels[:1000]))) for _ in range(60)]
print(f"first loss {losses[0]:.6f}, last loss {losses[-1]:.6f}")
print("running means:", mixed.norm.mean[:4])

# %% tags=["jax"]
mixed

# %% [markdown]
# ## A network that solves a differential equation
#
# The heat equation $u_t = \alpha u_{xx}$ on a rod, from $u(x, 0) = \sin \pi x$ and with ends kept
# at 0. The network is trained on the equation alone: its loss holds second derivatives of the
# network, and the training step differentiates them once more. All names are MindSpore's.

# %%
ALPHA = 0.1
ms.set_seed(2)
body = nn.SequentialCell(nn.Dense(2, 32), nn.Tanh(), nn.Dense(32, 32), nn.Tanh(), nn.Dense(32, 1))


def u(x, t):
    """The temperature at one point; start and ends are right whatever the weights are."""
    return ops.sin(np.pi * x) + x * (1 - x) * t * body(ops.stack([x, t])).squeeze()


u_t = ms.grad(u, 1)
u_xx = ms.grad(ms.grad(u, 0), 0)


def residual(x, t):
    return u_t(x, t) - ALPHA * u_xx(x, t)


def equation_loss(x, t):
    return (ms.vmap(residual)(x, t) ** 2).mean()


optimizer = nn.Adam(body.trainable_params(), nn.CosineDecayLR(1e-4, 1e-2, 500))
equation_grad = ms.value_and_grad(equation_loss, None, optimizer.parameters)


@ms.jit
def solve_step(x, t):
    loss, grads = equation_grad(x, t)
    optimizer(grads)
    return loss


draw = np.random.RandomState(0)
for _ in range(500):
    points = draw.uniform(size=(2, 256)).astype(np.float32)
    loss = solve_step(Tensor(points[0]), Tensor(points[1]))

grid = np.linspace(0, 1, 61, dtype=np.float32)
xs, ts = np.meshgrid(grid, grid)
found = ms.vmap(u)(Tensor(xs.ravel()), Tensor(ts.ravel())).asnumpy().reshape(xs.shape)
exact = np.exp(-ALPHA * np.pi**2 * ts) * np.sin(np.pi * xs)
error = np.abs(found - exact).max()
print(f"largest error below 0.005: {error < 0.005}")

# %% tags=["jax"]
figure, (left, right) = plt.subplots(1, 2, figsize=(8.5, 3.6), layout="constrained")
picture = left.contourf(xs, ts, found, levels=20, cmap="inferno")
left.set(xlabel="x", ylabel="t", title="u(x, t) of the network")
figure.colorbar(picture, ax=left, ticks=[0, 0.5, 1])
for row, color in zip((0, 20, 40, 60), plt.cm.viridis((0.1, 0.35, 0.6, 0.8)), strict=True):
    right.plot(grid, exact[row], color=color, linewidth=5, alpha=0.35)
    right.plot(grid, found[row], color=color, linewidth=1.3, label=f"t = {grid[row]:.2f}")
right.set(xlabel="x", ylabel="u", title="network (thin) and exact (wide)")
right.grid(alpha=0.3)
_ = right.legend(fontsize=8, loc="upper right")

# %% [markdown]
# ## Every device of JAX
#
# The same program runs wherever JAX runs: CPU, GPU, TPU. Nothing in it names the device.


# %% tags=["jax"]
def program(x, y):
    net = classifier()
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    step = ms.jit(nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), optimizer))
    return net, [float(step(x, y)) for _ in range(20)]


x, y = images[:512], labels[:512]
device = jax.devices()[-1]
with jax.default_device(device):
    net, reference = program(Tensor(x), Tensor(y))
assert jnp.asarray(net[0].weight).devices() == {device}
print(f"{device}: first loss {reference[0]:.6f}, last loss {reference[-1]:.6f}")

# %% [markdown]
# And on all of them at once: with the batch laid out over the devices, JAX shares the work out and
# sums the gradients. Again the program is the same, only its input is another.

# %% tags=["jax"]
mesh = jax.sharding.Mesh(np.array(jax.devices()), ("data",))
rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
net, losses = program(Tensor(jax.device_put(x, rows)), Tensor(jax.device_put(y, rows)))
assert jnp.asarray(net[0].weight).devices() == set(jax.devices())
np.testing.assert_allclose(losses, reference, rtol=1e-4)
print(f"{len(jax.devices())} devices together: last loss {losses[-1]:.6f}")
