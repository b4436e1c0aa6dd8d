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
# # Gradients of your own
#
# How to look at a gradient on its way back, clip it, turn it round, replace it, stop it. The cells
# are MindSpore code and print what MindSpore 2.10 prints; *In JAX* shows what they became.

# %% tags=["jax"]
import msgrad

_ = msgrad.install()

# %% [markdown]
# ## `InsertGradientOf`: a function on the way back
#
# `ops.InsertGradientOf(f)` makes an operator that returns its input. On the way back, `f` gets the
# gradient that arrives at this place, and what `f` returns goes on from there.

# %%
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


def look(gradient):
    print("arrives:", gradient)


look_at = ops.InsertGradientOf(look)
x = Tensor([1.0, -2.0, 3.0], ms.float32)


def square(x):
    return look_at(x) ** 2


print(square(x))
print(ms.grad(square)(x))

# %% [markdown]
# `look` returns nothing, so the gradient stays as it is. Other uses, each a function of the
# gradient:


# %%
def double(gradient):
    return 2 * gradient


def reverse(gradient):
    return -gradient


def stop(gradient):
    return ops.zeros_like(gradient)


def clip(gradient):
    return ops.clip_by_value(gradient, -3.0, 3.0)


def unit(gradient):
    if ops.norm(gradient) > 1:
        return gradient / ops.norm(gradient)
    return gradient


def constant(gradient):
    return 100.0


def square_with(change):
    return lambda x: change(x) ** 2


for function in (double, reverse, stop, clip, unit, constant):
    changed = square_with(ops.InsertGradientOf(function))
    print(f"{function.__name__:9}", changed(x), ms.grad(changed)(x))

# %% [markdown]
# `unit` decides by the value of the gradient, in plain Python: the gradient is a value at that
# moment, not a tracer. `constant` returns a number, and a number without a shape is what comes out.
#
# Where what the operator gave is used twice, the gradients of both uses are added first. With one
# operator around another, the outer one comes first on the way back.

# %%
double_it, look_again = ops.InsertGradientOf(double), ops.InsertGradientOf(look)


def used_twice(x):
    seen = look_at(x)
    return seen * 3 + seen * 4


def nested(x):
    return look_again(double_it(look_at(x))) * 3


print(ms.grad(used_twice)(x))
print(ms.grad(nested)(x))

# %% [markdown]
# `f` may write a Parameter. This Cell adds up the gradients that pass through it; and it makes the
# gradient of its weight, and only that, smaller.


# %%
class Watched(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([2.0, 3.0, 4.0], ms.float32), name="weight")
        self.total = Parameter(Tensor(0.0, ms.float32), name="total", requires_grad=False)
        self.keep = ops.InsertGradientOf(self.add_to_total)
        self.slower = ops.InsertGradientOf(self.eighth)

    def add_to_total(self, gradient):
        ops.assign_add(self.total, gradient.abs().sum())
        return gradient

    def eighth(self, gradient):
        return gradient / 8

    def construct(self, x):
        return self.keep(x) * self.slower(self.weight)


watched = Watched()
for _ in range(2):
    print(ms.grad(watched, 0, watched.weight)(x))
    print("total", watched.total.asnumpy())

# %% [markdown]
# **In JAX** such an operator is the identity with a backward rule, a `jax.custom_vjp`. First as
# msgrad has made it, then written by hand:

# %% tags=["jax"]
import jax
import jax.numpy as jnp


@jax.custom_vjp
def clipped(x):
    return x


def clipped_forward(x):
    return x, None


def clipped_backward(_, gradient):
    return (jnp.clip(gradient, -3.0, 3.0),)


clipped.defvjp(clipped_forward, clipped_backward)

print(jax.make_jaxpr(ops.InsertGradientOf(clip))(x))
print(jax.grad(lambda x: (clipped(x) ** 2).sum())(jnp.asarray(x)))

# %% [markdown]
# ## What reaches x, with a clip and without
#
# A function that gets steeper and steeper, differentiated at 101 places:


# %%
clip_gradient = ops.InsertGradientOf(clip)


def steep(x):
    return x**4 / 4


def steep_clipped(x):
    return steep(clip_gradient(x))


points = Tensor([i / 25 - 2 for i in range(101)], ms.float32)
plain, with_clip = ms.grad(steep)(points), ms.grad(steep_clipped)(points)
print("largest", plain.max(), "and", with_clip.max())
print("changed at", int((plain != with_clip).sum()), "of", len(points), "places")

# %% tags=["jax"]
import matplotlib.pyplot as plt

plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "font.size": 10})
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
left.plot(points, steep(points), color="0.3")
left.set(xlabel="x", ylabel="y", title="the function, y = x⁴ / 4")
right.plot(points, plain, color="0.6", label="without a clip")
right.plot(points, with_clip, color="tab:blue", label="with a clip at ±3")
right.set(xlabel="x", ylabel="gradient that reaches x", title="its gradient")
_ = right.legend(frameon=False, loc="upper left")

# %% [markdown]
# ## `Cell.bprop`: the whole way back by hand
#
# A Cell with a method `bprop` is not differentiated. `bprop` gets the inputs, the output and the
# gradient of the output, and returns a gradient for each input. Rounding, for example, has the
# gradient zero; to train through it, one lets the gradient pass straight.


# %%
class Rounded(nn.Cell):
    def construct(self, x):
        return ops.round(x)

    def bprop(self, x, out, dout):
        print("x", x, "out", out, "dout", dout)
        return (dout,)


rounded = Rounded()
values = Tensor([2.4, -1.6], ms.float32)
print(ms.grad(lambda x: ops.round(x) ** 2)(values))
print(ms.grad(lambda x: rounded(x) ** 2)(values))

# %% [markdown]
# With several outputs, `out` and `dout` are tuples; an output that is not used has zeros in `dout`.
# `None` in place of a gradient means zeros.


# %%
class SumAndProduct(nn.Cell):
    def construct(self, x, y):
        return x + y, x * y

    def bprop(self, x, y, out, dout):
        print("dout", dout)
        return dout[1] * y, None


sum_and_product = SumAndProduct()


def product(x, y):
    return sum_and_product(x, y)[1]


a, b = Tensor([3.0], ms.float32), Tensor([5.0], ms.float32)
print(ms.grad(product, (0, 1))(a, b))

# %% [markdown]
# ## Which one wins
#
# With `bprop`, nothing that stands inside the Cell is asked: no derivative, no `InsertGradientOf`.
# One outside is, as before.


# %%
class Stopped(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inside = ops.InsertGradientOf(stop)

    def construct(self, x):
        return self.inside(x) * 7


class WithRule(Stopped):
    def bprop(self, x, out, dout):
        return (dout * 5,)


stopped, with_rule = Stopped(), WithRule()


def look_outside(x):
    return with_rule(look_at(x))


print("InsertGradientOf alone:", ms.grad(stopped)(a))
print("bprop as well:", ms.grad(with_rule)(a))
print("and one outside:", ms.grad(look_outside)(a))

# %% [markdown]
# **In JAX** a Cell with `bprop` is a `jax.custom_vjp` with that rule:


# %% tags=["jax"]
@jax.custom_vjp
def rounded_in_jax(x):
    return jnp.round(x)


rounded_in_jax.defvjp(lambda x: (jnp.round(x), None), lambda _, dout: (dout,))
print(jax.grad(lambda x: (rounded_in_jax(x) ** 2).sum())(jnp.asarray(values)))

# %% [markdown]
# ## Hooks
#
# A hook is put on from outside, and can be taken off. On a Tensor, or a Parameter:


# %%
def halve(gradient):
    print("hook gets", gradient)
    return gradient / 2


def hooked(x):
    y = x * 4
    y.register_hook(halve)
    return y * y


print(ms.grad(hooked)(a))

weight = Parameter(Tensor([2.0], ms.float32), name="weight")


def times_weight(x):
    return x * weight


handle = weight.register_hook(halve)
print(ms.grad(times_weight, 0, [weight])(a))
handle.remove()
print(ms.grad(times_weight, 0, [weight])(a))

# %% [markdown]
# On a Cell, there are hooks before and after it runs, and before and after its way back. What a
# hook returns takes the place of what it got.


# %%
def before(cell, inputs):
    print("before:", inputs)
    return (inputs[0] * 2,)


def after(cell, inputs, output):
    print("after:", inputs, output)


def before_backward(cell, grad_output):
    print("before backward:", grad_output)
    return (grad_output[0] * 10,)


def after_backward(cell, grad_input, grad_output):
    print("after backward:", grad_input, grad_output)
    return (grad_input[0] + 1,)


layer = nn.Dense(2, 1, Tensor([[1.0, -2.0]]), Tensor([0.5]))
handles = [
    layer.register_forward_pre_hook(before),
    layer.register_forward_hook(after),
    layer.register_backward_pre_hook(before_backward),
    layer.register_backward_hook(after_backward),
]
data = Tensor([[1.0, 3.0]], ms.float32)
print(ms.grad(layer)(data))
for handle in handles:
    handle.remove()
print(ms.grad(layer)(data))

# %% [markdown]
# `ops.HookBackward` is the operator among the hooks. Its function gets a tuple.


# %%
def first_of(gradients):
    print("HookBackward gets", gradients)
    return (gradients[0] * 3,)


hook = ops.HookBackward(first_of)


def with_hook(x):
    return hook(x) * 2


print(ms.grad(with_hook)(a))

# %% [markdown]
# ## `stop_gradient`
#
# What goes through it is a constant on the way back.


# %%
def half_stopped(x):
    return x * ops.stop_gradient(x)


print(ms.grad(half_stopped)(a))

# %% [markdown]
# **In JAX**, `jax.lax.stop_gradient`:

# %% tags=["jax"]
print(jax.grad(lambda x: (x * jax.lax.stop_gradient(x)).sum())(jnp.asarray(a)))

# %% [markdown]
# ## Gradient reversal
#
# To train features that do not tell from which domain a sample comes, a head learns to tell the
# domain, and the features learn against it: between the two, the gradient is reversed. The head's
# own gradient stays.

# %%
reverse_gradient = ops.InsertGradientOf(reverse)
features = nn.Dense(2, 2, Tensor([[1.0, 0.5], [-0.5, 1.0]]), has_bias=False)
domain_head = nn.Dense(2, 1, Tensor([[2.0, -1.0]]), has_bias=False)
chosen = [features.weight, domain_head.weight]


def domain_loss(x):
    return domain_head(features(x)).sum()


def reversed_domain_loss(x):
    return domain_head(reverse_gradient(features(x))).sum()


for loss in (domain_loss, reversed_domain_loss):
    of_features, of_head = ms.grad(loss, None, chosen)(data)
    print(f"{loss.__name__:21} features", *of_features.asnumpy(), "head", *of_head.asnumpy())

# %% [markdown]
# ## A surrogate gradient: a spiking neuron
#
# A neuron adds up its input, leaks, and emits a spike when its potential crosses 1; then 1 is taken
# off. A spike is a step, its gradient is zero, and the neuron learns nothing. With a `bprop` that
# puts the slope of a soft step in that place, it does.


# %%
class Spike(nn.Cell):
    def construct(self, v):
        return (v > 0).astype(ms.float32)


class TrainableSpike(Spike):
    def bprop(self, v, out, dout):
        return (dout / (1 + 4 * v.abs()) ** 2,)


class Neuron(nn.Cell):
    def __init__(self, spike):
        super().__init__()
        self.spike = spike
        self.weight = Parameter(Tensor(0.25, ms.float32), name="weight")

    def construct(self, current):
        v, potentials, spikes = Tensor(0.0, ms.float32), [], []
        for each in current:
            v = 0.875 * v + self.weight * each
            spike = self.spike(v - 1)
            potentials.append(v)
            spikes.append(spike)
            v = v - spike
        return ops.stack(spikes).sum(), ops.stack(potentials)


def step_of(neuron):
    def loss_fn(current):
        count, potentials = neuron(current)
        return (count - wanted) ** 2, count, potentials

    return ms.grad(loss_fn, None, neuron.weight, has_aux=True)


wanted = 12
current = [0.5 + 0.5 * (t % 8 < 4) for t in range(40)]
for spike in (Spike(), TrainableSpike()):
    gradient, (count, _) = step_of(Neuron(spike))(current)
    print(type(spike).__name__, "spikes", count, "gradient", gradient)

# %% [markdown]
# The neuron shall spike 12 times. Gradient descent on its one weight:

# %%
neuron = Neuron(TrainableSpike())
step = step_of(neuron)
counts, traces = [], []
for epoch in range(13):
    gradient, (count, potentials) = step(current)
    counts.append(int(count))
    traces.append(potentials.asnumpy())
    if epoch % 3 == 0:
        print("epoch", epoch, "weight", neuron.weight.asnumpy(), "spikes", counts[-1])
    ops.assign_sub(neuron.weight, gradient / 4096)

# %% tags=["jax"]
figure, panels = plt.subplot_mosaic(
    [["slope", "epochs"], ["first", "first"], ["last", "last"]],
    figsize=(9, 6.5),
    layout="constrained",
)
v = Tensor([i / 50 - 1 for i in range(101)], ms.float32)
panels["slope"].step(v + 1, Spike()(v), color="0.3", label="spike")
panels["slope"].plot(
    v + 1, ms.grad(TrainableSpike())(v), color="tab:blue", label="surrogate gradient"
)
panels["slope"].set(xlabel="potential", title="one spike")
panels["slope"].legend(frameon=False)
panels["epochs"].plot(counts, "o-", color="tab:blue", markersize=4)
panels["epochs"].axhline(wanted, color="0.6", linestyle="--", label="wanted")
panels["epochs"].set(xlabel="epoch", ylabel="spikes", ylim=(0, wanted + 2), title="training")
panels["epochs"].legend(frameon=False, loc="lower right")
for name, epoch in (("first", 0), ("last", len(traces) - 1)):
    potential, panel = traces[epoch], panels[name]
    times = [t for t, value in enumerate(potential) if value > 1]
    panel.plot(potential, color="0.3")
    panel.plot(times, potential[times], "o", color="tab:red", markersize=5, label="spike")
    panel.axhline(1, color="0.6", linestyle="--")
    panel.set(ylabel="potential", ylim=(0, 1.6), title=f"epoch {epoch}: {counts[epoch]} spikes")
panels["last"].set_xlabel("time step")
_ = panels["first"].legend(frameon=False, loc="lower right")
