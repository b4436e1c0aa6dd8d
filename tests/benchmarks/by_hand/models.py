"""The steps of ``tests.models`` and their variants, written in JAX and Optax.

Each maker takes the first weights, by their names in the MindSpore program, and returns
``(state, step)`` with ``step(state, *batch) -> (state, losses)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import optax

from tests.benchmarks.by_hand.conv import convolution, max_pool

Weights = dict[str, jax.Array]
Made = tuple[Any, Callable[..., Any]]


def _dense(p: Weights, name: str, x: jax.Array) -> jax.Array:
    x = x @ p[f"{name}.weight"].T
    return x + p[f"{name}.bias"] if f"{name}.bias" in p else x


def _training(weights: Weights, loss: Callable[..., Any], rule: Any) -> Made:
    def step(state: Any, *batch: jax.Array) -> Any:
        params, moments = state
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        updates, moments = rule.update(gradients, moments, params)
        return (optax.apply_updates(params, updates), moments), value

    return (weights, rule.init(weights)), step


def _lenet_loss(p: Weights, images: jax.Array, labels: jax.Array) -> jax.Array:
    x = max_pool(jax.nn.relu(convolution(images, p["conv1.weight"], 1, 0)), 2, 2)
    x = convolution(x, p["conv2.weight"], 1, 0) + p["conv2.bias"][:, None, None]
    x = max_pool(jax.nn.relu(x), 2, 2).reshape(len(x), -1)
    x = jax.nn.relu(_dense(p, "fc2", jax.nn.relu(_dense(p, "fc1", x))))
    logits = _dense(p, "fc3", x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def lenet(weights: Weights) -> Made:
    rule = optax.chain(optax.add_decayed_weights(1e-3), optax.sgd(0.1, momentum=0.9))
    return _training(weights, _lenet_loss, rule)


def graph_mode(weights: Weights) -> Made:
    return _training(weights, _lenet_loss, optax.adam(1e-3))


def loss_scale(weights: Weights) -> Made:
    """Scale the loss, leave out a step whose gradients are not finite, and adapt the scale."""
    rule = optax.sgd(0.01, momentum=0.9)

    def step(state: Any, *batch: jax.Array) -> Any:
        params, moments, scale, since = state
        scaled = lambda p: scale * _lenet_loss(p, *batch)
        value, gradients = jax.value_and_grad(scaled)(params)
        gradients = jax.tree.map(lambda g: g / scale, gradients)
        fine = jnp.stack([jnp.isfinite(g).all() for g in gradients.values()]).all()
        updates, after = rule.update(gradients, moments, params)
        kept = lambda new, old: jax.tree.map(lambda a, b: jnp.where(fine, a, b), new, old)
        grows = since + 1 >= 3
        grown = jnp.where(grows, scale * 2, scale)
        new_scale = jnp.where(fine, grown, jnp.maximum(scale / 2, 1))
        since = jnp.where(fine & ~grows, since + 1, 0)
        params = kept(optax.apply_updates(params, updates), params)
        return (params, kept(after, moments), new_scale, since), (value / scale, ~fine, scale)

    return (weights, rule.init(weights), jnp.float32(2.0**12), jnp.int32(0)), step


def accumulating(weights: Weights) -> Made:
    """Make a step of the gradients of two batches."""
    rule = optax.MultiSteps(optax.sgd(0.1, momentum=0.9), 2, use_grad_mean=True)
    return _training(weights, _lenet_loss, rule)


def _lstm(p: Weights, layer: str, x: jax.Array, end: str = "") -> Any:
    """Run over (T, N, I); returns (T, N, H), and the last one."""
    recurrent = p[f"{layer}.weight_hh_l0{end}"].T
    inputs = x @ p[f"{layer}.weight_ih_l0{end}"].T
    inputs = inputs + p[f"{layer}.bias_ih_l0{end}"] + p[f"{layer}.bias_hh_l0{end}"]

    def turn(carry: Any, given: jax.Array) -> Any:
        hidden, cell = carry
        i, f, g, o = jnp.split(given + hidden @ recurrent, 4, -1)
        cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
        hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
        return (hidden, cell), hidden

    zeros = jnp.zeros((x.shape[1], recurrent.shape[0]))
    (last, _), every = jax.lax.scan(turn, (zeros, zeros), inputs, reverse=bool(end))
    return every, last


def _lstm_loss(p: Weights, rows: jax.Array, labels: jax.Array) -> jax.Array:
    x, _ = _lstm(p, "first", rows.swapaxes(0, 1))
    there, last = _lstm(p, "second", x)
    back, first = _lstm(p, "second", x, "_reverse")
    mean = jnp.concatenate([there, back], -1).mean(0)
    ends = jnp.concatenate([last, first], -1)
    logits = _dense(p, "head", mean) + 0.1 * _dense(p, "head", ends)
    wanted = optax.smooth_labels(jax.nn.one_hot(labels, logits.shape[-1]), 0.1)
    return optax.softmax_cross_entropy(logits, wanted).mean()


def lstm(weights: Weights) -> Made:
    rule = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(0.04))
    return _training(weights, _lstm_loss, rule)


def _normalised(p: Weights, name: str, x: jax.Array, after: Weights) -> jax.Array:
    mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
    count = x.size // x.shape[1]
    for end, value in (("mean", mean), ("variance", variance * (count / (count - 1)))):
        key = f"{name}.moving_{end}"
        after[key] = 0.9 * after[key] + 0.1 * jax.lax.stop_gradient(value)
    scale = p[f"{name}.gamma"] * jax.lax.rsqrt(variance + 1e-5)
    shift = p[f"{name}.beta"] - mean * scale
    return x * scale[:, None, None] + shift[:, None, None]


def _generated(p: Weights, noise: jax.Array, stats: Weights) -> Any:
    after = dict(stats)
    x = _dense(p, "generator.fc", noise).reshape(-1, 8, 4, 4)
    x = jax.nn.relu(_normalised(p, "generator.norm", x, after))
    kernel = jnp.flip(p["generator.up.weight"], (2, 3)).swapaxes(0, 1)
    x = jax.lax.conv_general_dilated(x, kernel, (1, 1), [(2, 2)] * 2, lhs_dilation=(2, 2))
    x = jax.nn.relu(_normalised(p, "generator.norm_up", x, after))
    x = convolution(x, p["generator.out.weight"]) + p["generator.out.bias"][:, None, None]
    return jax.nn.sigmoid(x), after


def _judged(p: Weights, x: jax.Array) -> jax.Array:
    body = "discriminator.body"
    kernels = (p[f"{body}.0.weight"], p[f"{body}.2.weight"])
    x = jax.lax.conv_general_dilated(x, kernels[0], (2, 2), "SAME")
    x = jax.nn.leaky_relu(x + p[f"{body}.0.bias"][:, None, None], 0.2)
    x = convolution(x, kernels[1], 2) + p[f"{body}.2.bias"][:, None, None]
    return _dense(p, f"{body}.5", jax.nn.leaky_relu(x, 0.1).reshape(len(x), -1))


def gan(weights: Weights) -> Made:
    def part(word: str, moving: bool = False) -> Weights:
        return {k: w for k, w in weights.items() if word in k and moving == ("moving" in k)}

    rules = (
        optax.rmsprop(0.004, decay=0.95, eps=1e-10, initial_scale=1.0, centered=True),
        optax.amsgrad(0.01, b1=0.5),
    )
    cross = optax.sigmoid_binary_cross_entropy

    def of_judge(judge: Weights, images: jax.Array, fake: jax.Array) -> jax.Array:
        real, made = _judged(judge, images), _judged(judge, fake)
        return cross(real, jnp.ones_like(real)).mean() + cross(made, jnp.zeros_like(made)).mean()

    def of_maker(maker: Weights, judge: Weights, noise: jax.Array, stats: Weights) -> Any:
        fake, stats = _generated(maker, noise, stats)
        made = _judged(judge, fake)
        return cross(made, jnp.ones_like(made)).mean(), stats

    def step(state: Any, images: jax.Array, noise: jax.Array) -> Any:
        judge, maker, stats, of_one, of_other = state
        fake, stats = _generated(maker, noise, stats)
        first, gradients = jax.value_and_grad(of_judge)(judge, images, fake)
        updates, of_one = rules[0].update(gradients, of_one, judge)
        judge = optax.apply_updates(judge, updates)
        differentiate = jax.value_and_grad(of_maker, has_aux=True)
        (second, stats), gradients = differentiate(maker, judge, noise, stats)
        updates, of_other = rules[1].update(gradients, of_other, maker)
        maker = optax.apply_updates(maker, updates)
        return (judge, maker, stats, of_one, of_other), (first, second)

    judge, maker = part("discriminator"), part("generator")
    stats = part("generator", moving=True)
    return (judge, maker, stats, rules[0].init(judge), rules[1].init(maker)), step


def _vae_loss(p: Weights, pixels: jax.Array, noise: jax.Array) -> jax.Array:
    hidden = jnp.tanh(_dense(p, "encode", pixels))
    mean, log_variance = _dense(p, "mean", hidden), _dense(p, "log_variance", hidden)
    code = mean + jnp.exp(0.5 * log_variance) * noise
    logits = _dense(p, "decode.2", jnp.tanh(_dense(p, "decode.0", code)))
    reconstruction = optax.sigmoid_binary_cross_entropy(logits, pixels).sum()
    divergence = -0.5 * (1 + log_variance - mean**2 - jnp.exp(log_variance)).sum()
    return (reconstruction + divergence) / len(pixels)


def vae(weights: Weights, rates: list[float]) -> Made:
    table = jnp.array(rates)
    rule = optax.sgd(lambda count: table[count], momentum=0.9, nesterov=True)
    return _training(weights, _vae_loss, rule)


def _layer_norm(p: Weights, name: str, x: jax.Array, epsilon: float = 1e-5) -> jax.Array:
    x = x - x.mean(-1, keepdims=True)
    x = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + epsilon)
    return x * p[f"{name}.gamma"] + p[f"{name}.beta"]


def _transformer_loss(p: Weights, tokens: jax.Array, targets: jax.Array) -> jax.Array:
    length = tokens.shape[1]
    x = p["tokens.embedding_table"][tokens] + p["positions.embedding_table"]
    mask = jnp.triu(jnp.ones((length, length), bool), 1)
    for block in ("blocks.0", "blocks.1"):
        y = _layer_norm(p, f"{block}.norm1", x, 1e-7)
        query, key, value = (
            _dense(p, f"{block}.attention.{part}", y).reshape(*y.shape[:2], 4, -1)
            for part in ("query", "key", "value")
        )
        scores = jnp.einsum("nthd,nshd->nhts", query, key) / query.shape[-1] ** 0.5
        weights = jax.nn.softmax(jnp.where(mask, -1e9, scores))
        mixed = jnp.einsum("nhts,nshd->nthd", weights, value).reshape(x.shape)
        x = x + _dense(p, f"{block}.attention.out", mixed)
        y = jax.nn.gelu(_dense(p, f"{block}.mlp.0", _layer_norm(p, f"{block}.norm2", x)))
        x = x + _dense(p, f"{block}.mlp.2", y)
    logits = _dense(p, "head", _layer_norm(p, "norm", x, 1e-7))
    return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()


def transformer(weights: Weights) -> Made:
    # MindSpore's moments are not corrected for their zeros at the start, Optax's are.
    rise = optax.linear_schedule(0.0, 4e-3, 5)
    fall = optax.cosine_decay_schedule(4e-3, 20, 0.1)
    rule = optax.adamw(
        lambda count: jnp.where(count < 5, rise(count), fall(count)),
        b2=0.98,
        eps=1e-6,
        weight_decay=0.05,
        mask={name: weight.ndim == 2 for name, weight in weights.items()},
    )
    return _training(weights, _transformer_loss, rule)
