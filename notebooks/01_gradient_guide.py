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
# # MindSpore's gradient guide, on JAX
#
# MindSpore's guide *Gradient Derivation* goes through `grad` and `value_and_grad`, loss scale,
# clipping and accumulation. Here is the same way with msgrad as `mindspore`. The cells are
# MindSpore code as you would write it, and print what MindSpore 2.10 prints. The cells under
# *In JAX* show what the calls became.

# %% tags=["jax"]
import msgrad

_ = msgrad.install()

# %% [markdown]
# From here on, `import mindspore` gives msgrad. (`python -m msgrad run program.py` does the same
# for a program, without a change to it.)
#
# ## A function

# %%
import mindspore as ms
from mindspore import ParameterTuple, Tensor, nn, ops
from mindspore.amp import DynamicLossScaler, StaticLossScaler, all_finite

x, y = Tensor(1.0), Tensor(2.0)


def square_and_add(x, y):
    return x**2 + y


print("out", ms.grad(square_and_add, grad_position=0)(x, y))
print("out1", ms.grad(square_and_add, grad_position=1)(x, y))

# %% [markdown]
# With several outputs, their sum is differentiated. `has_aux=True` differentiates the first alone
# and returns the others beside the gradient.


# %%
def two_outputs(x, y):
    return x**2 + y, x


print("out", ms.grad(two_outputs, grad_position=0)(x, y))
out, others = ms.grad(two_outputs, grad_position=0, has_aux=True)(x, y)
print("out", out, "others", others)
out, others = ms.grad(two_outputs, grad_position=1, has_aux=True)(x, y)
print("out", out, "others", others)

# %% [markdown]
# A gradient may be taken inside a Cell, and be differentiated again:


# %%
class GradientOfInput(nn.Cell):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, x, y):
        return ms.grad(self.fn)(x, y)


print(GradientOfInput(square_and_add)(x, y), ms.grad(GradientOfInput(square_and_add))(x, y))

# %% [markdown]
# **In JAX.** A gradient function of msgrad takes JAX arrays too, so `jax.make_jaxpr` can show what
# it computes. Each operator of MindSpore is a block in it, called `jit`. `show` prints a line for
# a block: the operator, the shapes that go in and come out, and the primitives of JAX inside.

# %% tags=["jax"]
import jax
import jax.numpy as jnp


def show(fn, *args):
    for step in blocks(jax.make_jaxpr(fn)(*args).eqns):
        name = step.params.get("name", step.primitive.name)
        inside = " ".join(each.primitive.name for each in inner(step))
        line = f"{name:<10}{shapes(step.invars) + ' -> ' + shapes(step.outvars):<45}{inside}"
        print(line.rstrip())


def blocks(steps):
    for step in steps:
        if any(inner(each) for each in inner(step)):
            yield from blocks(inner(step))
        else:
            yield step


def inner(step):
    return step.params["jaxpr"].eqns if "jaxpr" in step.params else []


def shapes(variables):
    return ", ".join(str(variable.aval).replace("float", "f") for variable in variables)


show(ms.grad(square_and_add), x, y)

# %% [markdown]
# Two operators forward, two back; the addition only passes on what comes. The same function under
# `jax.grad`:

# %% tags=["jax"]
print(jax.make_jaxpr(jax.grad(square_and_add))(1.0, 2.0))

# %% [markdown]
# ## `mindspore.grad` of a network
#
# The guide's network: one layer with fixed weights, which returns its loss and its logits.


# %%
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 1, has_bias=False)
        self.fc.weight.set_data(Tensor([[2, 3, 4]], ms.float32))
        self.loss = nn.MSELoss()

    def construct(self, x, y):
        logits = self.fc(x).squeeze()
        return self.loss(logits, y), logits


net = Net()
weights = net.trainable_params()
x = Tensor([[1, 2, 3]], ms.float32)
y = Tensor(19, ms.float32)

print("=== weight ===")
for param in weights:
    print("name:", param.name, "data:", param.data.asnumpy())
loss, logits = net(x, y)
print("=== output ===")
print(loss, logits)

# %% [markdown]
# `grad_position` chooses inputs, `weights` chooses parameters. The gradient of the first input:

# %%
print("=== grads 1 ===")
grad_func = ms.grad(net, grad_position=0, weights=None, has_aux=True)
grad, logit = grad_func(x, y)
print("grad", grad)
print("logit", logit)

# %% [markdown]
# **In JAX.** The upper half is the network, the lower half the way back, in reverse order.
# `mse_loss` leaves on its way forward what its way back needs.

# %% tags=["jax"]
show(grad_func, x, y)

# %% [markdown]
# The gradient of the second input; of both; of the weights:

# %%
print("=== grads 2 ===")
grad_func = ms.grad(net, grad_position=1, weights=None, has_aux=True)
grad, logit = grad_func(x, y)
print("grad", grad)
print("logit", logit)

# %%
print("=== grads 3 ===")
grad_func = ms.grad(net, grad_position=(0, 1), weights=None, has_aux=True)
grad, logit = grad_func(x, y)
print("grad", grad)
print("logit", logit)

# %%
print("=== grads 4 ===")
grad_func = ms.grad(net, grad_position=None, weights=weights, has_aux=True)
grad, logit = grad_func(x, y)
print("grad", grad)
print("logits", logit)

# %% [markdown]
# Of the first input and the weights; of both inputs and the weights:

# %%
print("=== grads 5 ===")
grad_func = ms.grad(net, grad_position=0, weights=weights, has_aux=True)
grad, logit = grad_func(x, y)
print("grad", grad)
print("logit", logit)

# %%
print("=== grads 6 ===")
grad_func = ms.grad(net, grad_position=(0, 1), weights=weights, has_aux=True)
grad, logit = grad_func(x, y)
print("grad", grad)
print("logit", logit)

# %% [markdown]
# **In JAX.** One way forward serves all three gradients. The `Dense` of the way back has two
# products now, one for the input and one for the weight; `y` costs a change of sign.

# %% tags=["jax"]
show(grad_func, x, y)

# %% [markdown]
# Without `has_aux`, once more, all outputs are differentiated, as their sum would be:

# %%
print("=== grads 7 ===")
print("grad", ms.grad(net, grad_position=0, weights=None, has_aux=False)(x, y))


def summed(x, y):
    loss, logits = net(x, y)
    return loss + logits


print("grad", ms.grad(summed, grad_position=0)(x, y))

# %% [markdown]
# Nothing to differentiate is an error, before any call:

# %%
print("=== grads 8 ===")
try:
    ms.grad(net, grad_position=None, weights=None, has_aux=True)
except ValueError as error:
    print("ValueError:", error)

# %% [markdown]
# ## `mindspore.value_and_grad`
#
# The same, with what the network returned in front. `has_aux` does not split the output here.

# %%
print("=== value and grad ===")
value, grad = ms.value_and_grad(net, grad_position=(0, 1), weights=weights, has_aux=True)(x, y)
print("value", value)
print("grad", grad)

# %% [markdown]
# ## What comes back, for every form
#
# The guide has a table for each of the two functions. Here they are made by calling: each Tensor in
# a result is shown by the name of the one that it equals.

# %%
known = {"loss": 1.0, "logits": 20.0, "dx": [[4, 6, 8]], "dy": -2.0, "dw": [[2, 4, 6]]}


def structure(result):
    if isinstance(result, tuple):
        inner = ", ".join(structure(part) for part in result)
        return f"({inner},)" if len(result) == 1 else f"({inner})"
    return next(name for name, value in known.items() if result.asnumpy().tolist() == value)


def returned(function, position, weights):
    try:
        return structure(function(net, position, weights, has_aux=True)(x, y))
    except ValueError:
        return "ValueError"


w = net.fc.weight
print(f"{'grad_position':15}{'weights':10}{'grad':34}value_and_grad")
for shown, weight_form in (("None", None), ("[w]", [w]), ("w", w)):
    for position in (None, 0, (0,), 1, (0, 1), (1, 0)):
        by_grad = returned(ms.grad, position, weight_form)
        by_value_and_grad = returned(ms.value_and_grad, position, weight_form)
        print(f"{position!s:15}{shown:10}{by_grad:34}{by_value_and_grad}")

# %% [markdown]
# One position gives a bare Tensor, also when it is written `(0,)`. A list of weights gives a tuple,
# also when it holds one; a bare Parameter gives a bare Tensor.
#
# **In JAX.** There the weights are an argument like the others, and `argnums` chooses. Both columns
# below are code, run as it stands; the last says whether the same numbers came out.

# %% tags=["jax"]
W, X, Y = jnp.asarray(w), jnp.asarray(x), jnp.asarray(y)


def f(w, x, y):
    logits = (x @ w.T).squeeze()
    return ((logits - y) ** 2).mean(), logits


def compare(rows):
    for left, right in rows:
        ours, native = jax.tree.leaves(eval(left)), jax.tree.leaves(eval(right))
        same = all(bool((a == b).all()) for a, b in zip(ours, native, strict=True))
        print(f"{left:47}  {right:47}  {same}")


compare(
    [
        ("ms.grad(net, 0, has_aux=True)(x, y)", "jax.grad(f, 1, has_aux=True)(W, X, Y)"),
        ("ms.grad(net, (0, 1), has_aux=True)(x, y)", "jax.grad(f, (1, 2), has_aux=True)(W, X, Y)"),
        ("ms.grad(net, None, w, has_aux=True)(x, y)", "jax.grad(f, has_aux=True)(W, X, Y)"),
        ("ms.grad(net, 0, w, has_aux=True)(x, y)", "jax.grad(f, (1, 0), has_aux=True)(W, X, Y)"),
        (
            "ms.value_and_grad(net, 0, has_aux=True)(x, y)",
            "jax.value_and_grad(f, 1, has_aux=True)(W, X, Y)",
        ),
        ("ms.grad(net, 0)(x, y)", "jax.grad(lambda *a: sum(f(*a)), 1)(W, X, Y)"),
    ]
)

# %% [markdown]
# ## Which gradient is which: `return_ids` and `get_grad`
#
# `return_ids=True` puts before each gradient the position of its input or the name of its
# parameter; `get_grad` picks one out.

# %%
ids = ms.grad(net, grad_position=(0, 1), weights=weights, return_ids=True)(x, y)
print(ids)
print(ms.get_grad(ids, 1))
print(ms.get_grad(ids, net.fc.weight))

# %% [markdown]
# ## Which inputs have a gradient
#
# Tensors do, also those of whole numbers, whose gradients are whole numbers. Anything else goes to
# the function as it is and is left out of the result.


# %%
def cube(x):
    return x**3


print(ms.grad(cube)(Tensor(2.0)), repr(ms.grad(cube)(Tensor(2))), ms.grad(cube)(2.0))

# %% [markdown]
# **In JAX** a Python number has a gradient, a whole number has none:

# %% tags=["jax"]
print(jax.grad(cube)(2.0))
try:
    jax.grad(cube)(2)
except TypeError as error:
    print("TypeError:", str(error).split(" (")[0])

# %% [markdown]
# ## Weights on the outputs: `sens_param`
#
# An output of several numbers is differentiated as if they were summed. With `sens_param=True` the
# last argument of the call weights them; it is the gradient that comes in from above.

# %%
point = Tensor([1.0, 2.0, 3.0], ms.float32)
sens = Tensor([1.0, 0.0, 0.5], ms.float32)
print(ms.grad(cube)(point))
print(ms.grad(cube, sens_param=True)(point, sens))

# %% [markdown]
# **In JAX** that is `jax.vjp`:

# %% tags=["jax"]
compare(
    [
        (
            "ms.grad(cube, sens_param=True)(point, sens)",
            "jax.vjp(cube, point.value())[1](sens)",
        )
    ]
)
show(ms.grad(cube, sens_param=True), point, sens)

# %% [markdown]
# ## The older way: `ops.GradOperation`
#
# The guide advises against it, but older code is full of it. Its three switches, again by calling;
# the loss alone is returned here, so that nothing is summed.


# %%
def only_loss(x, y):
    return net(x, y)[0]


print(f"{'get_all':9}{'get_by_list':13}{'sens_param':12}result")
for get_all in (False, True):
    for get_by_list in (False, True):
        for sens_param in (False, True):
            operation = ops.GradOperation(get_all, get_by_list, sens_param)
            chosen = (ParameterTuple(weights),) if get_by_list else ()
            above = (Tensor(1.0, ms.float32),) if sens_param else ()
            result = structure(operation(only_loss, *chosen)(x, y, *above))
            print(f"{get_all!s:9}{get_by_list!s:13}{sens_param!s:12}{result}")

# %% [markdown]
# ## Loss scale
#
# In float16 small gradients become zero. A factor on the loss multiplies every gradient on its way
# back; at the end it is divided out.

# %%
loss_scale = StaticLossScaler(1024.0)


def forward_fn(x, y):
    loss, logits = net(x, y)
    print("loss", loss)
    return loss_scale.scale(loss), logits


step = ms.value_and_grad(forward_fn, grad_position=None, weights=weights, has_aux=True)
(loss, logits), grad = step(x, y)
print("=== loss scale ===")
print("loss", loss)
print("grad", grad)
loss, grad = loss_scale.unscale(loss), loss_scale.unscale(grad)
print("=== unscale ===")
print("loss", loss)
print("grad", grad)
print(all_finite(grad))

# %% [markdown]
# `print` inside the function shows a number, as in MindSpore; under `jax.grad` it would show a
# tracer.
#
# What the scale is for: the gradient below is 2**-26, too small for float16. With the scale it
# arrives, and is divided in float32.


# %%
def faint(x, scale):
    return x * x * Tensor(2.0**-14, ms.float16) * scale


tiny = Tensor(2.0**-13, ms.float16)
for power in (0, 10):
    scale = Tensor(2.0**power, ms.float16)
    grad = ms.grad(faint)(tiny, scale)
    print("scale", scale, "grad", grad, "unscaled", grad.astype(ms.float32) / 2.0**power)

# %% [markdown]
# **In JAX** the scale is no more than the products one reads in the code, in `f16`:

# %% tags=["jax"]
show(ms.grad(faint), tiny, scale)

# %% [markdown]
# When the scale is too large instead, gradients overflow, and `all_finite` says so. A
# `DynamicLossScaler` then halves its scale, and doubles it after so many steps (here 3) without.

# %%
scaler = DynamicLossScaler(scale_value=2**16, scale_factor=2, scale_window=3)


def scaled_square(x):
    return scaler.scale(x * x)


for _ in range(7):
    grad = ms.grad(scaled_square)(Tensor(1.0, ms.float16))
    finite = all_finite((grad,))
    print("scale", scaler.scale_value.asnumpy(), "grad", grad, "finite", finite)
    scaler.adjust(finite)

# %% [markdown]
# ## Clipping
#
# `ops.clip_by_global_norm` shortens all gradients by one factor, so that their common norm is at
# most `clip_norm`, 1 if not given. `ops.clip_by_value` bounds each number.

# %%
grad = ms.grad(net, (0, 1), weights, has_aux=True)(x, y)[0][1]
print(grad)
print(ops.clip_by_global_norm(grad))
print(ops.clip_by_global_norm(grad, clip_norm=100.0))
print(ops.clip_by_value(grad, -3.0, 3.0))

# %% [markdown]
# **In JAX** these are transformations of Optax:

# %% tags=["jax"]
import optax

transformations = (
    optax.clip_by_global_norm(1.0),
    optax.clip_by_global_norm(100.0),
    optax.clip(3.0),
)
for transformation in transformations:
    print(transformation.update([jnp.asarray(each) for each in grad], transformation.init(grad))[0])

# %% [markdown]
# ## Accumulation
#
# When a batch does not fit into memory, its gradients are added up over parts of it, and the
# optimizer runs once at the end. Each part's loss is divided by the number of parts. Eight samples,
# in one piece and in four:

# %%
inputs = ops.arange(24).reshape(8, 3).astype(ms.float32) / 8
targets = ops.arange(8).reshape(8, 1).astype(ms.float32)


def trained(parts):
    layer = nn.Dense(3, 1, Tensor([[1.0, -0.5, 0.25]]), Tensor([0.5]))
    loss_fn, optimizer = nn.MSELoss(), nn.SGD(layer.trainable_params(), learning_rate=1 / 16)

    def forward_fn(x, y):
        return loss_fn(layer(x), y) / parts

    step = ms.value_and_grad(forward_fn, None, optimizer.parameters)
    sums = optimizer.parameters.clone(prefix="accumulated", init="zeros")
    total, size = 0.0, len(inputs) // parts
    for start in range(0, len(inputs), size):
        loss, grads = step(inputs[start : start + size], targets[start : start + size])
        total += loss
        for accumulated, grad in zip(sums, grads, strict=True):
            ops.assign_add(accumulated, grad)
    optimizer(tuple(each.value() for each in sums))
    print(parts, "parts: loss", total, "gradients", *(each.asnumpy() for each in sums))
    return layer


whole, piecewise = trained(1), trained(4)
print(whole.weight.asnumpy(), whole.bias.asnumpy())
print(piecewise.weight.asnumpy(), piecewise.bias.asnumpy())
same = (whole.weight == piecewise.weight).all() and (whole.bias == piecewise.bias).all()
print("the same:", same)

# %% [markdown]
# **In JAX** with Optax, `optax.MultiSteps` around an optimizer does the adding up:

# %% tags=["jax"]
inputs, targets = jnp.asarray(inputs), jnp.asarray(targets)
weight_and_bias = jnp.array([[1.0, -0.5, 0.25]]), jnp.array([0.5])


@jax.grad
def gradient(weight_and_bias, x, y):
    weight, bias = weight_and_bias
    return ((x @ weight.T + bias - y) ** 2).mean()


optimizer = optax.MultiSteps(optax.sgd(1 / 16), every_k_schedule=4)
state = optimizer.init(weight_and_bias)
for start in range(0, 8, 2):
    part = slice(start, start + 2)
    updates, state = optimizer.update(gradient(weight_and_bias, inputs[part], targets[part]), state)
    weight_and_bias = optax.apply_updates(weight_and_bias, updates)
print(*weight_and_bias)
