"""Programs as users write them: derivatives inside losses, surrogate gradients, loops, writes."""

import itertools

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def sample(shape, seed, scale=0.5):
    values = np.random.default_rng(seed).normal(size=shape) * scale
    return Tensor(values.astype(np.float32))


def dense(inputs, outputs, seed):
    layer = nn.Dense(inputs, outputs)
    layer.weight.set_data(sample((outputs, inputs), seed))
    layer.bias.set_data(sample((outputs,), seed + 100))
    return layer


def values_of(weights):
    # A Parameter's automatic name depends on the cases before.
    return [weight.asnumpy() for weight in weights]


class Mlp(nn.Cell):
    """Dense layers with an activation between them; several inputs become columns."""

    def __init__(self, sizes, activation):
        super().__init__()
        pairs = list(itertools.pairwise(sizes))
        self.layers = nn.CellList([dense(a, b, i) for i, (a, b) in enumerate(pairs)])
        self.activation = activation

    def construct(self, *inputs):
        x = inputs[0] if len(inputs) == 1 else ops.concat(inputs, 1)
        for layer in self.layers[:-1]:
            x = self.activation(layer(x))
        return self.layers[-1](x)


# WGAN-GP: the norm of an input gradient inside a loss differentiated for the weights

ACTIVATIONS = {"tanh": (lambda: nn.Tanh(),), "leaky_relu": (lambda: nn.LeakyReLU(0.2),)}


def critic_batch():
    mix = Tensor(np.linspace(0.1, 0.9, 3, dtype=np.float32).reshape(3, 1))
    return sample((3, 2), 10, 2.0), sample((3, 2), 11, 2.0), mix


def critic_loss(net):
    def loss(real, fake, mix):
        slope = ms.grad(net)(mix * real + (1 - mix) * fake)
        norm = ops.sqrt((slope * slope).sum(axis=1) + 1e-12)
        penalty = ((norm - 1) ** 2).mean()
        return net(fake).mean() - net(real).mean() + 10 * penalty, penalty

    return loss


@case.table(ACTIVATIONS, tol=2e-5)
def gradient_penalty(activation):
    net = Mlp((2, 4, 1), activation())
    weights = net.trainable_params()
    return ms.value_and_grad(critic_loss(net), None, weights, has_aux=True)(*critic_batch())


@case.table(ACTIVATIONS, tol=1e-4)
def gradient_penalty_steps(activation):
    net = Mlp((2, 4, 1), activation())
    weights = net.trainable_params()
    optimizer = nn.Adam(weights, 1e-2, beta1=0.5, beta2=0.9)
    step = ms.value_and_grad(critic_loss(net), None, weights, has_aux=True)
    losses = []
    for _ in range(3):
        (loss, penalty), grads = step(*critic_batch())
        optimizer(grads)
        losses.append((loss, penalty))
    return losses, values_of(weights)


# A physics-informed network for Burgers' equation: u_t + u u_x = nu u_xx

NU = 0.01 / np.pi


def points(count=6):
    rng = np.random.default_rng(20)
    x = rng.uniform(-1, 1, (count, 1)).astype(np.float32)
    t = rng.uniform(0, 1, (count, 1)).astype(np.float32)
    return Tensor(x), Tensor(t)


def field():
    return Mlp((2, 8, 8, 1), nn.Tanh())


def parts(net, x, t):
    slope = ms.grad(net, 0)
    u_xx = ms.grad(lambda x, t: slope(x, t), 0)(x, t)
    u_x, u_t = ms.grad(net, (0, 1))(x, t)
    return net(x, t), u_x, u_t, u_xx


def residual_loss(net):
    def loss(x, t, x0, u0):
        u, u_x, u_t, u_xx = parts(net, x, t)
        inside = u_t + u * u_x - NU * u_xx
        start = net(x0, ops.zeros_like(x0)) - u0
        return (inside * inside).mean() + (start * start).mean()

    return loss


def start():
    x0 = np.linspace(-1, 1, 5, dtype=np.float32).reshape(5, 1)
    return Tensor(x0), Tensor(-np.sin(np.pi * x0).astype(np.float32))


@case(tol=2e-5)
def burgers_derivatives_of_the_field():
    return parts(field(), *points())


@case(tol=2e-5)
def burgers_gradient_of_the_loss():
    net = field()
    return ms.value_and_grad(residual_loss(net), None, net.trainable_params())(*points(), *start())


@case(tol=1e-3)
def burgers_adam_steps():
    net = field()
    weights = net.trainable_params()
    optimizer = nn.Adam(weights, 1e-2)
    step = ms.value_and_grad(residual_loss(net), None, weights)
    losses = []
    for _ in range(4):
        loss, grads = step(*points(), *start())
        optimizer(grads)
        losses.append(loss)
    return losses, values_of(weights)


# A leaky integrate-and-fire neuron: a step forward, a smooth surrogate backward


class Spike(nn.Cell):
    def construct(self, v):
        return (v >= 0).astype(ms.float32)

    def bprop(self, v, out, dout):
        return (dout / (1 + (np.pi * v) ** 2),)


class Lif(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inputs = dense(3, 2, 30)
        self.decay = Parameter(Tensor([0.9, 0.8], ms.float32), name="decay")
        self.spike = Spike()

    def construct(self, x):
        v = ops.zeros((x.shape[1], 2), ms.float32)
        count = ops.zeros((x.shape[1], 2), ms.float32)
        for step in range(10):
            v = self.decay * v + self.inputs(x[step])
            fired = self.spike(v - 0.5)
            v = v - fired * 0.5
            count = count + fired
        return count


def rate_loss(net):
    return lambda x: ((net(x) / 10 - 0.3) ** 2).sum()


@case(tol=1e-5)
def spiking_neuron():
    net, x = Lif(), sample((10, 2, 3), 31, 1.0)
    return net(x), ms.value_and_grad(rate_loss(net), 0, net.trainable_params())(x)


@case(tol=1e-4)
def spiking_neuron_trained():
    net, x = Lif(), sample((10, 2, 3), 31, 1.0)
    weights = net.trainable_params()
    optimizer = nn.SGD(weights, 0.1)
    losses = []
    for _ in range(5):
        loss, grads = ms.value_and_grad(rate_loss(net), None, weights)(x)
        optimizer(grads)
        losses.append(loss)
    return losses, values_of(weights)


# A linear-chain conditional random field


class Crf(nn.Cell):
    def __init__(self, tags):
        super().__init__()
        self.transitions = Parameter(sample((tags, tags), 40), name="transitions")
        self.begin = Parameter(sample((tags,), 41), name="begin")

    def construct(self, emissions, tags):
        gold = self.begin[tags[0]] + emissions[0, tags[0]]
        alpha = self.begin + emissions[0]
        for i in range(1, len(tags)):
            gold = gold + self.transitions[tags[i - 1], tags[i]] + emissions[i, tags[i]]
            scores = alpha.expand_dims(1) + self.transitions
            top = scores.max(axis=0)
            alpha = top + ops.log(ops.exp(scores - top).sum(axis=0)) + emissions[i]
        return ops.logsumexp(alpha, 0) - gold


@case.table({"five": ([0, 2, 1, 1, 0],), "one": ([2],), "repeated": ([1, 1, 1],)}, tol=1e-5)
def crf_likelihood(tags):
    net, emissions = Crf(3), sample((len(tags), 3), 42)
    return ms.value_and_grad(net, 0, net.trainable_params())(emissions, tags)


# Gradient reversal


class Reverse(nn.Cell):
    def construct(self, x):
        return x

    def bprop(self, x, out, dout):
        return (-0.5 * dout,)


def negated(gradient):
    return -0.5 * gradient


REVERSALS = {
    "insert_gradient": (lambda: ops.InsertGradientOf(negated),),
    "bprop": (lambda: Reverse(),),
    "stop_gradient": (lambda: lambda x: 1.5 * ops.stop_gradient(x) - 0.5 * x,),
}


@case.table(REVERSALS, tol=1e-5)
def gradient_reversal(make):
    features, label, domain, reverse = dense(3, 4, 50), dense(4, 2, 51), dense(4, 2, 52), make()
    cells = (features, label, domain)
    weights = [w for cell in cells for w in cell.trainable_params()]
    labels, domains = Tensor([0, 1, 1, 0], ms.int32), Tensor([0, 0, 1, 1], ms.int32)

    def loss(x):
        hidden = ops.tanh(features(x))
        by_label = ops.cross_entropy(label(hidden), labels)
        by_domain = ops.cross_entropy(domain(reverse(hidden)), domains)
        return by_label + by_domain, by_label, by_domain

    return ms.value_and_grad(loss, 0, weights, has_aux=True)(sample((4, 3), 53, 1.0))


# Adversarial examples


def classifier():
    net, loss = Mlp((4, 6, 3), nn.ReLU()), nn.CrossEntropyLoss()
    return net, lambda x, labels: loss(net(x), labels)


@case.table({"one_step": (1,), "five_steps": (5,)}, tol=1e-5)
def adversarial_examples(steps):
    net, loss = classifier()
    clean, labels = sample((5, 4), 60, 1.0), Tensor([0, 2, 1, 1, 0], ms.int32)
    x, losses = clean, []
    for _ in range(steps):
        value, slope = ms.value_and_grad(loss)(x, labels)
        x = ops.clip_by_value(x + 0.1 * ops.sign(slope), clean - 0.25, clean + 0.25)
        losses.append(value)
    return losses, x, net(x).argmax(axis=1)


# Natural gradient: Fisher-vector products from jvp and vjp, solved by conjugate gradients


@case(tol=1e-3)
def natural_gradient_step():
    x, w = sample((6, 3), 70, 1.0), sample((3, 4), 71)
    labels = Tensor([0, 1, 2, 3, 1, 0], ms.int32)

    def logits(w):
        return ops.matmul(x, w)

    def loss(w):
        return ops.cross_entropy(logits(w), labels)

    def fisher(v):
        z, dz = ms.jvp(logits, w, v)
        p = ops.softmax(z, -1)
        curved = (p * dz - p * (p * dz).sum(axis=1, keepdims=True)) / 6
        _, pull = ms.vjp(logits, w)
        return pull(curved)[0] + 0.1 * v

    gradient = ms.grad(loss)(w)
    step = ops.zeros_like(w)
    rest = direction = gradient
    for _ in range(4):
        along = fisher(direction)
        size = (rest * rest).sum()
        rate = size / (direction * along).sum()
        step = step + rate * direction
        rest = rest - rate * along
        direction = rest + (rest * rest).sum() / size * direction
    return fisher(gradient), step, loss(w - step), (fisher(step) * gradient).sum()


# MAML: the gradient of a query loss through steps of descent on a support loss


def regression(times):
    return lambda w, b, v, x, y: ((times(ops.tanh(times(x, w) + b), v) - y) ** 2).mean()


def adapted(loss, weights, x, y, steps):
    for _ in range(steps):
        grads = ms.grad(loss, (0, 1, 2))(*weights, x, y)
        weights = [w - 0.1 * g for w, g in zip(weights, grads, strict=True)]
    return weights


def start_of_maml():
    return sample((2, 4), 90), sample((4,), 91), sample((4, 1), 92)


# 2.10 loses a term of the second derivative of ops.matmul and @, and not of ops.mm.
MAML = {
    "one_step": (lambda a, b: ops.mm(a, b), 1),
    "two_steps": (lambda a, b: ops.mm(a, b), 2),
    "matmul": (lambda a, b: ops.matmul(a, b), 1),
}


@case.table(MAML, tol=5e-5)
def maml(times, steps):
    tasks = [[sample((5, n), i + j, 1.0) for j, n in enumerate((2, 1, 2, 1))] for i in (80, 85)]
    loss = regression(times)

    def meta_loss(w, b, v):
        total = 0
        for x, y, x_query, y_query in tasks:
            total = total + loss(*adapted(loss, (w, b, v), x, y, steps), x_query, y_query)
        return total

    return ms.value_and_grad(meta_loss, (0, 1, 2))(*start_of_maml())


@case(tol=5e-5)
def maml_of_first_order():
    x, y = sample((5, 2), 80, 1.0), sample((5, 1), 81, 1.0)
    loss = regression(lambda a, b: ops.matmul(a, b))

    def meta_loss(w, b, v):
        grads = ops.stop_gradient(ms.grad(loss, (0, 1, 2))(w, b, v, x, y))
        fast = [p - 0.1 * g for p, g in zip((w, b, v), grads, strict=True)]
        return loss(*fast, x, y)

    return ms.value_and_grad(meta_loss, (0, 1, 2))(*start_of_maml())


# Hessians


def rosenbrock(x):
    a, b = x[:-1], x[1:]
    return (100 * (b - a * a) ** 2 + (1 - a) ** 2).sum()


def quartic(x):
    return (x * x * x * x).sum() + (x.sum()) ** 2


def corner():
    return Tensor([0.5, -1.0, 2.0], ms.float32)


FUNCTIONS = {"rosenbrock": (rosenbrock,), "quartic": (quartic,)}


@case.table(FUNCTIONS, tol=1e-5)
def hessian(fn):
    return ms.jacfwd(ms.jacrev(fn))(corner())


@case.table(FUNCTIONS, tol=1e-5)
def hessian_vector_product_by_two_gradients(fn):
    v = Tensor([1.0, 2.0, -1.0], ms.float32)

    def along(x):
        return (ms.grad(fn)(x) * v).sum()

    return ms.grad(along)(corner())


@case.table(FUNCTIONS, tol=1e-5)
def hessian_vector_product_forward_over_reverse(fn):
    return ms.jvp(ms.grad(fn), corner(), Tensor([1.0, 2.0, -1.0], ms.float32))


@case(tol=1e-4)
def newton_step():
    x = corner()
    curvature = ms.jacfwd(ms.jacrev(quartic))(x)
    slope = ms.grad(quartic)(x)
    step = np.linalg.solve(curvature.asnumpy(), slope.asnumpy())
    return quartic(x), quartic(x - Tensor(step))


# Writes, gathers and scatters


def row():
    return Tensor([1.0, 2.0, 3.0], ms.float32)


def cumulative(x):
    y = ops.zeros(3, ms.float32)
    for i in range(3):
        y[i] = x[i] if i == 0 else y[i - 1] * x[i]
    return y


def slices(x):
    y = ops.zeros((2, 3), ms.float32)
    y[0] = x
    y[1, 1:] = x[:2] * x[1:]
    return y * y


def overwritten(x):
    y = x * 2
    y[1] = 7.0
    return y * x


def masked(x):
    y = x * 1
    y[x > 1.5] = 0.0
    return y * x


def gathered(x):
    return ops.gather(x * x, Tensor([2, 0, 2], ms.int32), 0)


def scattered(x):
    index = Tensor([[0], [2], [0]], ms.int32)
    return ops.scatter_nd(index, x * x, (4,)) * 2


def scattered_into(x):
    index = Tensor([[0], [2]], ms.int32)
    return ops.tensor_scatter_add(x * 3, index, x[:2] * x[1:])


def picked(x):
    index = Tensor([[2, 1], [0, 0]], ms.int32)
    return ops.gather_elements(x.expand_dims(0) * Tensor([[1.0], [2.0]]), 1, index)


def sorted_top(x):
    return ops.topk(x * -1.5, 2)[0] * Tensor([1.0, 10.0])


WRITES = {
    fn.__name__: (fn,)
    for fn in (cumulative, slices, overwritten, masked)
    + (gathered, scattered, scattered_into, picked, sorted_top)
}


@case.table(WRITES)
def writes_and_gathers(fn):
    return ms.value_and_grad(fn)(row())


# Loops and recursion that look at values


def halved(x):
    steps = 0
    while x.sum() > 1:
        x, steps = x * 0.5 * x / (x + 0.1), steps + 1
    return x, steps


def newton_root(x):
    y = x
    while ops.abs(y * y - x).max() > 1e-4:
        y = 0.5 * (y + x / y)
    return y


def fixed_point(x):
    y, previous = ops.zeros_like(x), None
    while previous is None or float((y - previous).abs().sum()) > 1e-5:
        y, previous = ops.cos(0.5 * y + x), y
    return y


def power(x, n):
    if n == 0:
        return ops.ones_like(x)
    half = power(x, n // 2)
    return half * half * x if n % 2 else half * half


def collatz(x):
    while x.max() > 1.5:
        x = x / 2 if int(x.max()) % 2 == 0 else x * 1.5 - 1
    return x


LOOPS = {
    "while_counted": (halved,),
    "while_newton": (newton_root,),
    "while_fixed_point": (fixed_point,),
    "while_branches": (collatz,),
    "recursion": (lambda x: power(x, 11),),
}


@case.table(LOOPS, tol=2e-5)
def loops(fn):
    return ms.value_and_grad(fn)(row())


@case.table({"recursion": (lambda x: power(x, 5),), "newton": (newton_root,)}, tol=2e-5)
def second_derivative_of_loops(fn):
    def slope(x):
        return ms.grad(fn)(x)

    return ms.value_and_grad(slope)(row())


class Recurrent(nn.Cell):
    """Reads until its state saturates, so that the number of steps depends on the data."""

    def __init__(self):
        super().__init__()
        self.inputs, self.state = dense(2, 3, 95), dense(3, 3, 96)

    def construct(self, x):
        h, steps = ops.zeros((1, 3), ms.float32), 0
        for step in range(x.shape[0]):
            h = ops.tanh(self.inputs(x[step : step + 1]) + self.state(h))
            steps += 1
            if (ops.abs(h) > 0.8).any():
                break
        return h * steps


@case(tol=1e-5)
def recurrent_until_saturated():
    net, x = Recurrent(), sample((8, 2), 97)
    return ms.value_and_grad(net, 0, net.trainable_params())(x)
