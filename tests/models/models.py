"""Five models with their training steps, as plain MindSpore programs; nothing runs on import.

The same file is run by real MindSpore (``record.py``) and, installed under its name, by msgrad
(``test_models.py``). What is random is fixed here: noise is an input, never drawn in a network.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import mindspore as ms
import numpy as np
from mindspore import nn, ops

GOLDEN = Path(__file__).resolve().parent / "golden"
STEPS = 20
# Steps that are recorded from the state at the end, on the first batches again.
RESUMED = 3
BATCH = 16


class Program(NamedTuple):
    """A network, one training step of it, its data, and all that a training changes."""

    network: nn.Cell
    step: Callable[..., ms.Tensor | tuple[ms.Tensor, ...]]
    batch: Callable[[int], tuple[ms.Tensor, ...]]
    state: nn.Cell


class LeNet5(nn.Cell):
    """LeCun's network for 32x32 images, a quarter to a half as wide as his."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 5, pad_mode="valid", weight_init="he_normal")
        self.conv2 = nn.Conv2d(4, 8, 5, pad_mode="valid", has_bias=True)
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(8 * 5 * 5, 32, activation="relu")
        self.fc2 = nn.Dense(32, 24)
        self.fc3 = nn.Dense(24, 10)

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.relu(self.fc2(self.fc1(self.flatten(x))))
        return self.fc3(x)


def lenet() -> Program:
    """Momentum with weight decay, in a ``TrainOneStepCell``."""
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9, weight_decay=1e-3)
    train = nn.TrainOneStepCell(nn.WithLossCell(network, loss), optimizer)
    train.set_train()

    def batch(step):
        images, labels = digits(step)
        large = images.repeat(4, axis=1).repeat(4, axis=2)[:, None]
        return ms.Tensor(large), ms.Tensor(labels)

    return Program(network, train, batch, train)


class LSTMClassifier(nn.Cell):
    """Two layers over the rows of an image, the second also backwards in time."""

    def __init__(self):
        super().__init__()
        self.first = nn.LSTM(8, 12, batch_first=True)
        self.second = nn.LSTM(12, 8, batch_first=True, bidirectional=True)
        self.head = nn.Dense(16, 10, weight_init="xavier_uniform")

    def construct(self, rows):
        x, _ = self.first(rows)
        x, (hidden, _) = self.second(x)
        return self.head(x.mean(axis=1)) + 0.1 * self.head(ops.concat((hidden[0], hidden[1]), 1))


def lstm() -> Program:
    """Adam, on gradients of ``value_and_grad`` clipped to a global norm."""
    network = LSTMClassifier()
    network.set_train()
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = nn.Adam(network.trainable_params(), learning_rate=0.04)

    def forward(rows, labels):
        logits = network(rows)
        return loss_fn(logits, labels), logits

    gradient = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(rows, labels):
        (loss, _), grads = gradient(rows, labels)
        optimizer(ops.clip_by_global_norm(grads, 0.5))
        return loss

    def batch(step):
        return tuple(ms.Tensor(part) for part in digits(step))

    return Program(network, step, batch, Trained(network, optimizer))


class Generator(nn.Cell):
    """Noise to 8x8 images, by transposed convolution."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(6, 8 * 4 * 4)
        self.norm = nn.BatchNorm2d(8)
        # No bias before a norm: its gradient is rounding only, which Adam turns into whole steps.
        self.up = nn.Conv2dTranspose(8, 4, 4, stride=2)
        self.norm_up = nn.BatchNorm2d(4)
        self.out = nn.Conv2d(4, 1, 3, has_bias=True)

    def construct(self, noise):
        x = self.fc(noise).reshape(-1, 8, 4, 4)
        x = ops.relu(self.norm(x))
        x = ops.relu(self.norm_up(self.up(x)))
        return ops.sigmoid(self.out(x))


class Discriminator(nn.Cell):
    """8x8 images to one logit."""

    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(
            nn.Conv2d(1, 6, 3, stride=2, has_bias=True),
            nn.LeakyReLU(),
            nn.Conv2d(6, 8, 3, stride=2, pad_mode="pad", padding=1, has_bias=True),
            nn.LeakyReLU(alpha=0.1),
            nn.Flatten(),
            nn.Dense(32, 1),
        )

    def construct(self, images):
        return self.body(images)


class DiscriminatorLoss(nn.Cell):
    """Real images are to be called real, generated ones not."""

    def __init__(self, generator, discriminator):
        super().__init__(auto_prefix=False)
        self.generator = generator
        self.discriminator = discriminator
        self.loss = nn.BCEWithLogitsLoss()

    def construct(self, real, noise):
        fake = ops.stop_gradient(self.generator(noise))
        of_real = self.discriminator(real)
        of_fake = self.discriminator(fake)
        return self.loss(of_real, ops.ones_like(of_real)) + self.loss(
            of_fake, ops.zeros_like(of_fake)
        )


class GeneratorLoss(nn.Cell):
    """Generated images are to be called real."""

    def __init__(self, generator, discriminator):
        super().__init__(auto_prefix=False)
        self.generator = generator
        self.discriminator = discriminator
        self.loss = nn.BCEWithLogitsLoss()

    def construct(self, noise):
        logits = self.discriminator(self.generator(noise))
        return self.loss(logits, ops.ones_like(logits))


class Adversaries(nn.Cell):
    """Both networks, so that one checkpoint holds them."""

    def __init__(self):
        super().__init__()
        self.generator = Generator()
        self.discriminator = Discriminator()


class TrainAdversaries(nn.Cell):
    """A step of the discriminator, then one of the generator, each with its own optimizer."""

    def __init__(self, networks):
        super().__init__(auto_prefix=False)
        generator, discriminator = networks.generator, networks.discriminator
        self.networks = networks
        self.step_discriminator = nn.TrainOneStepCell(
            DiscriminatorLoss(generator, discriminator),
            nn.RMSProp(discriminator.trainable_params(), 0.004, decay=0.95, centered=True),
        )
        self.step_generator = nn.TrainOneStepCell(
            GeneratorLoss(generator, discriminator),
            nn.Adam(generator.trainable_params(), 0.01, beta1=0.5, use_amsgrad=True),
        )

    def construct(self, real, noise):
        of_discriminator = self.step_discriminator(real, noise)
        return of_discriminator, self.step_generator(noise)


def gan() -> Program:
    """Two ``TrainOneStepCell`` in one cell: centered RMSProp against Adam with amsgrad."""
    networks = Adversaries()
    train = TrainAdversaries(networks)
    train.set_train()

    def batch(step):
        noise = np.random.default_rng(100 + step).standard_normal((BATCH, 6), np.float32)
        return ms.Tensor(digits(step)[0][:, None]), ms.Tensor(noise)

    return Program(networks, train, batch, train)


class VAE(nn.Cell):
    """A variational autoencoder whose noise is given, with its loss (negative ELBO) as result."""

    def __init__(self):
        super().__init__()
        self.encode = nn.Dense(64, 32, activation="tanh")
        self.mean = nn.Dense(32, 4)
        self.log_variance = nn.Dense(32, 4)
        self.decode = nn.SequentialCell(nn.Dense(4, 32), nn.Tanh(), nn.Dense(32, 64))

    def construct(self, pixels, noise):
        hidden = self.encode(pixels)
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        code = mean + ops.exp(0.5 * log_variance) * noise
        reconstruction = ops.binary_cross_entropy_with_logits(
            self.decode(code),
            pixels,
            ops.ones_like(pixels),
            ops.ones_like(pixels),
            reduction="sum",
        )
        divergence = -0.5 * ops.reduce_sum(
            1 + log_variance - ops.square(mean) - ops.exp(log_variance)
        )
        return (reconstruction + divergence) / pixels.shape[0]


def vae() -> Program:
    """SGD with Nesterov momentum and a list of learning rates, in a ``TrainOneStepCell``."""
    network = VAE()
    rates = nn.cosine_decay_lr(1e-3, 1e-2, STEPS + RESUMED, 5, 5)
    optimizer = nn.SGD(network.trainable_params(), rates, momentum=0.9, nesterov=True)
    train = nn.TrainOneStepCell(network, optimizer)
    train.set_train()

    def batch(step):
        noise = np.random.default_rng(200 + step).standard_normal((BATCH, 4), np.float32)
        return ms.Tensor(digits(step)[0].reshape(BATCH, 64)), ms.Tensor(noise)

    return Program(network, train, batch, train)


class Attention(nn.Cell):
    """Causal self-attention with several heads."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width, has_bias=False)
        self.value = nn.Dense(width, width)
        self.out = nn.Dense(width, width)

    def apart(self, x):
        batch, length, width = x.shape
        return x.reshape(batch, length, self.heads, width // self.heads).transpose(0, 2, 1, 3)

    def construct(self, x, mask):
        query, key, value = self.apart(self.query(x)), self.apart(self.key(x)), self.value(x)
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / (query.shape[-1] ** 0.5)
        weights = ops.softmax(scores.masked_fill(mask, -1e9), axis=-1)
        mixed = ops.matmul(weights, self.apart(value))
        return self.out(mixed.transpose(0, 2, 1, 3).reshape(x.shape))


class Block(nn.Cell):
    """Attention and a two-layer network, each behind a norm and beside a shortcut."""

    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,))
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.mlp = nn.SequentialCell(
            nn.Dense(width, 2 * width), nn.GELU(), nn.Dense(2 * width, width)
        )

    def construct(self, x, mask):
        x = x + self.attention(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Cell):
    """Two blocks that predict the next of ``vocabulary`` tokens."""

    def __init__(self, vocabulary=20, length=12, width=16, heads=4):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width, embedding_table="zeros")
        self.blocks = nn.CellList([Block(width, heads) for _ in range(2)])
        self.norm = nn.LayerNorm((width,))
        self.head = nn.Dense(width, vocabulary)
        self.mask = ms.Tensor(np.triu(np.ones((length, length), bool), 1))
        self.order = ms.Tensor(np.arange(length), ms.int32)

    def construct(self, tokens):
        x = self.tokens(tokens) + self.positions(self.order)
        for block in self.blocks:
            x = block(x, self.mask)
        return self.head(self.norm(x))


class WarmUpThenCosine(nn.learning_rate_schedule.LearningRateSchedule):
    """A linear rise to ``peak``, then a cosine down to a tenth of it."""

    def __init__(self, peak, warmup, steps):
        super().__init__()
        self.warmup = warmup
        self.rise = nn.WarmUpLR(peak, warmup)
        self.fall = nn.CosineDecayLR(0.1 * peak, peak, steps)

    def construct(self, global_step):
        rising = ops.cast(global_step < self.warmup, ms.float32)
        return rising * self.rise(global_step) + (1.0 - rising) * self.fall(global_step)


def transformer() -> Program:
    """AdamWeightDecay in groups with a schedule, on gradients of ``value_and_grad``."""
    network = Transformer()
    network.set_train()
    decayed = [p for p in network.trainable_params() if p.ndim == 2]
    other = [p for p in network.trainable_params() if p.ndim != 2]
    groups = [
        {"params": decayed, "weight_decay": 0.05},
        {"params": other, "weight_decay": 0.0},
        {"order_params": network.trainable_params()},
    ]
    optimizer = nn.AdamWeightDecay(groups, WarmUpThenCosine(4e-3, 5, STEPS), beta2=0.98, eps=1e-6)

    def forward(tokens, targets):
        logits = network(tokens)
        return ops.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    def step(tokens, targets):
        loss, grads = gradient(tokens, targets)
        optimizer(grads)
        return loss

    def batch(step):
        # Arithmetic sequences modulo the vocabulary: something there is to learn.
        draw = np.random.default_rng(300 + step)
        first, stride = draw.integers(0, 20, (BATCH, 1)), draw.integers(1, 4, (BATCH, 1))
        sequence = ((first + stride * np.arange(13)) % 20).astype(np.int32)
        return ms.Tensor(sequence[:, :-1]), ms.Tensor(sequence[:, 1:])

    return Program(network, step, batch, Trained(network, optimizer))


class Trained(nn.Cell):
    """A network and its optimizer, for one checkpoint of both."""

    def __init__(self, network, optimizer):
        super().__init__(auto_prefix=False)
        self.network = network
        self.optimizer = optimizer


def digits(step: int) -> tuple[np.ndarray, np.ndarray]:
    """A batch of scikit-learn's digits: images (16, 8, 8) in [0, 1], float32; labels, int32."""
    with np.load(GOLDEN / "digits.npz") as stored:
        images, labels = stored["images"], stored["labels"]
    chosen = (step * BATCH + np.arange(BATCH)) % len(images)
    return images[chosen].astype(np.float32) / 16, labels[chosen].astype(np.int32)


PROGRAMS: dict[str, Callable[[], Program]] = {
    "lenet": lenet,
    "lstm": lstm,
    "gan": gan,
    "vae": vae,
    "transformer": transformer,
}


def train(program: Program, steps: int = STEPS) -> list[list[float]]:
    """Run the first ``steps`` steps; returns the losses of each."""
    rows = []
    for number in range(steps):
        losses = program.step(*program.batch(number))
        losses = losses if isinstance(losses, tuple) else (losses,)
        rows.append([float(loss.asnumpy()) for loss in losses])
    return rows


def resume(name: str, path: Path) -> list[list[float]]:
    """The losses of ``RESUMED`` more steps of a new program, from a file with all its state."""
    program = PROGRAMS[name]()
    # What the first call does: two optimizers in one cell have names of their own in the file.
    program.state.check_names_and_refresh_name()
    left_out = ms.load_param_into_net(program.state, ms.load_checkpoint(str(path)))
    assert left_out == ([], []), left_out
    return train(program, RESUMED)
