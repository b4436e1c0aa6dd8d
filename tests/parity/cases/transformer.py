"""MultiheadAttention and the Transformer: outputs, weights, gradients, parameters and errors."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

APPROXIMATE = 2e-4


def waves(*shape, shift=0.0):
    return Tensor(np.sin(np.arange(np.prod(shape)) * 1.3 + shift).reshape(shape), ms.float32)


def filled(layer):
    for number, parameter in enumerate(layer.get_parameters()):
        parameter.set_data(waves(*parameter.shape, shift=number) * 0.5)
    return layer


def attention(**settings):
    return filled(nn.MultiheadAttention(4, 2, **settings))


def query():
    return waves(3, 2, 4)


def memory():
    return waves(5, 2, 4, shift=0.7)


def hidden(*shape):
    return Tensor(np.arange(np.prod(shape)).reshape(shape) % 3 == 1)


ATTENTION = {
    "plain": ({}, {}),
    "no_weights": ({}, {"need_weights": False}),
    "each_head": ({}, {"average_attn_weights": False}),
    "no_bias": ({"has_bias": False}, {}),
    "bias_kv": ({"add_bias_kv": True}, {}),
    "zero_attn": ({"add_zero_attn": True}, {}),
    "both_more": ({"add_bias_kv": True, "add_zero_attn": True}, {"attn_mask": (3, 5)}),
    "mask": ({}, {"attn_mask": (3, 5)}),
    "mask_heads": ({}, {"attn_mask": (4, 3, 5)}),
    "padding": ({}, {"key_padding_mask": (2, 5)}),
    "both_masks": ({}, {"attn_mask": (3, 5), "key_padding_mask": (2, 5)}),
    "floating": ({}, {"attn_mask": waves}),
}


def call(settings, options, inputs):
    masks = {k: hidden(*v) if isinstance(v, tuple) else v for k, v in options.items()}
    if masks.get("attn_mask") is waves:
        masks["attn_mask"] = waves(3, 5)
    layer = attention(**settings)
    loss = lambda *x: (layer(*x, **masks)[0] ** 2).sum()
    gradients = ms.grad(loss, (0, 1, 2), layer.trainable_params())(*inputs)
    return layer(*inputs, **masks), gradients, list(layer.parameters_dict())


@case.table(ATTENTION, tol=APPROXIMATE)
def attends(settings, options):
    return call(settings, options, (query(), memory(), memory()))


@case.table(
    {
        "itself": ({}, lambda: (query(),) * 3),
        "three": ({}, lambda: (query(), memory(), waves(5, 2, 4, shift=0.3))),
        "batch_first": ({"batch_first": True}, lambda: (query(), waves(3, 5, 4), waves(3, 5, 4))),
        "no_batch": ({}, lambda: (waves(3, 4), waves(5, 4), waves(5, 4))),
        "sizes": ({"kdim": 2, "vdim": 3}, lambda: (query(), waves(5, 2, 2), waves(5, 2, 3))),
    },
    tol=APPROXIMATE,
)
def attends_to(settings, inputs):
    return call(settings, {}, inputs())


@case(tol=APPROXIMATE)
def attends_without_batch():
    layer = attention()
    return layer(waves(3, 4), waves(5, 4), waves(5, 4), key_padding_mask=hidden(5))


SMALL = (4, 2, 6, 0.0)
LAYERS = {
    "encoder_layer": (lambda: nn.TransformerEncoderLayer(*SMALL), query),
    "encoder_layer_first": (
        lambda: nn.TransformerEncoderLayer(*SMALL, "gelu", norm_first=True),
        query,
    ),
    "encoder_layer_op": (
        lambda: nn.TransformerEncoderLayer(*SMALL, ops.gelu, batch_first=True),
        query,
    ),
    "decoder_layer": (lambda: nn.TransformerDecoderLayer(*SMALL), query, memory),
    "decoder_layer_first": (
        lambda: nn.TransformerDecoderLayer(*SMALL, norm_first=True),
        query,
        memory,
    ),
    "encoder": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(*SMALL), 2, nn.LayerNorm((4,))),
        query,
    ),
    "decoder": (
        lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(*SMALL), 2),
        query,
        memory,
    ),
    "transformer": (lambda: nn.Transformer(4, 2, 1, 1, 6, 0.0), memory, query),
}


@case.table(LAYERS, tol=APPROXIMATE)
def transforms(make, *inputs):
    layer = filled(make())
    given = [make() for make in inputs]
    loss = lambda *x: (layer(*x) * waves(3, 2, 4)).sum()
    gradients = ms.grad(loss, tuple(range(len(given))), layer.trainable_params())(*given)
    return layer(*given), gradients, list(layer.parameters_dict())


@case(tol=APPROXIMATE)
def masked():
    encoder = filled(nn.TransformerEncoderLayer(*SMALL))
    decoder = filled(nn.TransformerDecoderLayer(*SMALL))
    masks = (hidden(3, 3), hidden(3, 5), hidden(2, 3), hidden(2, 5))
    return encoder(query(), hidden(3, 3), hidden(2, 3)), decoder(query(), memory(), *masks)


@case(tol=APPROXIMATE)
def drawn_from_the_seed():
    ms.set_seed(3)
    model = nn.Transformer(4, 2, 2, 1, 6)
    return {name: p.asnumpy() for name, p in model.parameters_dict().items()}


@case.table(
    {
        "heads": (lambda: nn.MultiheadAttention(4, 3),),
        "rank": (lambda: attention()(waves(4), waves(4), waves(4)),),
        "ranks": (lambda: attention()(query(), waves(5, 4), waves(5, 4)),),
        "size": (lambda: attention()(waves(3, 2, 6), memory(), memory()),),
        "lengths": (lambda: attention()(query(), memory(), query()),),
        "padding_dtype": (
            lambda: attention()(query(), memory(), memory(), Tensor([[1] * 5] * 2, ms.int32)),
        ),
        "padding_shape": (lambda: attention()(query(), memory(), memory(), hidden(2, 4)),),
        "mask_shape": (lambda: attention()(query(), memory(), memory(), attn_mask=hidden(3, 4)),),
        "mask_dtype": (
            lambda: attention()(
                query(), memory(), memory(), attn_mask=Tensor([[1] * 5] * 3, ms.int32)
            ),
        ),
        "activation": (lambda: nn.TransformerEncoderLayer(*SMALL, "tanh"),),
        "activation_op": (lambda: nn.TransformerEncoderLayer(*SMALL, ops.tanh),),
        "activation_cell": (lambda: nn.TransformerEncoderLayer(*SMALL, nn.Tanh()),),
        "features": (lambda: nn.Transformer(4, 2, 1, 1, 6)(waves(3, 2, 6), query()),),
    }
)
def errors(call):
    return repr(call())
