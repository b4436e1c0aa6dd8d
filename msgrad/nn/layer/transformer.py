"""Attention of several heads, and the encoder, the decoder and the Transformer made of it."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from msgrad import ops
from msgrad._core.checks import one_of
from msgrad._core.context import context
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.random import OwnStream
from msgrad.common import dtype as mstype
from msgrad.common.initializer import XavierNormal, XavierUniform, initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._family import Layer
from msgrad.nn.cell import Cell
from msgrad.nn.layer.activation import GELU, ReLU
from msgrad.nn.layer.basic import Dense, Dropout
from msgrad.nn.layer.container import CellList
from msgrad.nn.layer.normalization import LayerNorm
from msgrad.ops.random import drop


def _expect(what: str, found: Any, *wanted: Any) -> None:
    one_of("MultiheadAttention", what, found, *wanted)


def _added(name: str, mask: Tensor, dtype: mstype.DType) -> Tensor:
    """Return a mask as what is added to the scores: -inf where a bool mask is True."""
    if mask.dtype is mstype.uint8:
        mask = mask.astype(mstype.bool_)
    if mask.dtype is mstype.bool_:
        return ops.zeros(mask.shape, dtype).masked_fill(mask, -math.inf)
    if mask.dtype not in mstype.float_type:
        raise ArgumentValueError(
            f"For 'MultiheadAttention', only bool and floating types of {name} are supported, but "
            f"got {mask.dtype}."
        )
    return mask


class MultiheadAttention(Layer):
    """Attention of several heads: ``softmax(q k^T / sqrt(d)) v`` for each, joined and projected.

    Args:
        embed_dim: E, the size of a query, which ``num_heads`` divides.
        num_heads: How many heads there are.
        dropout: The probability of a weight to be dropped in training.
        has_bias: Whether the projections have biases.
        add_bias_kv: Whether a trained key and value are appended to the others.
        add_zero_attn: Whether a key and value of zeros are appended.
        kdim: Size of a key; None for E.
        vdim: Size of a value; None for E.
        batch_first: Whether inputs are (N, L, E) instead of (L, N, E).
        dtype: Of the parameters.

    Inputs: query (L, N, E), key (S, N, kdim) and value (S, N, vdim), or all without N.
    ``key_padding_mask`` (N, S) and ``attn_mask`` (L, S) or (N * num_heads, L, S) are True where
    nothing is looked at, or are added to the scores. Output: (L, N, E), and with ``need_weights``
    the weights, their mean over the heads with ``average_attn_weights``.

    Raises:
        ValueError: For sizes that do not fit, or a mask of another dtype.

    Differs from MindSpore: a bool and a floating mask can be given together.
    """

    embed_dim: int
    num_heads: int
    dropout: float = 0.0
    has_bias: bool = True
    add_bias_kv: bool = False
    add_zero_attn: bool = False
    kdim: int | None = None
    vdim: int | None = None
    batch_first: bool = False
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        embed_dim, has_bias = self.embed_dim, self.has_bias
        self.kdim = embed_dim if self.kdim is None else self.kdim
        self.vdim = embed_dim if self.vdim is None else self.vdim
        self.head_dim = embed_dim // self.num_heads
        if self.head_dim * self.num_heads != embed_dim:
            raise ArgumentValueError(
                "The init argument 'embed_dim' must be divisible by 'num_heads'."
            )
        self.dtype = self.dtype or mstype.float32

        def made(init: Any, name: str, *shape: int) -> Parameter:
            return Parameter(initializer(init, shape, self.dtype), name)

        sizes = (embed_dim, self.kdim, self.vdim)
        self._qkv_same_embed_dim = sizes == (embed_dim,) * 3
        self.in_proj_weight = None
        self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        if self._qkv_same_embed_dim:
            self.in_proj_weight = made(XavierUniform(), "in_proj_weight", 3 * embed_dim, embed_dim)
        else:
            for role, size in zip("qkv", sizes, strict=True):
                name = f"{role}_proj_weight"
                setattr(self, name, made(XavierUniform(), name, embed_dim, size))
        self.in_proj_bias = made("zeros", "in_proj_bias", 3 * embed_dim) if has_bias else None
        self.out_proj = Dense(embed_dim, embed_dim, has_bias=has_bias, dtype=self.dtype)
        self.bias_k = self.bias_v = None
        if self.add_bias_kv:
            self.bias_k = made(XavierNormal(), "bias_k", 1, 1, embed_dim)
            self.bias_v = made(XavierNormal(), "bias_v", 1, 1, embed_dim)

    def construct(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
    ) -> tuple[Tensor, ...]:
        _expect("dimensions of the query", query.ndim, 2, 3)
        _expect("dimensions of key and value", (key.ndim, value.ndim), (query.ndim,) * 2)
        batched = query.ndim == 3
        inputs = (query, key, value)
        if not batched:
            inputs = tuple(x.expand_dims(1) for x in inputs)
        elif self.batch_first:
            inputs = tuple(x.swapaxes(0, 1) for x in inputs)
        _expect("size of a query", query.shape[-1], self.embed_dim)
        _expect("length and batch of the value", inputs[2].shape[:2], inputs[1].shape[:2])
        length, batch, _ = inputs[0].shape
        if key_padding_mask is not None and not batched:
            key_padding_mask = key_padding_mask.expand_dims(0)
        sizes = (batch, length, inputs[1].shape[0])
        mask = self._mask(sizes, query.dtype, key_padding_mask, attn_mask)
        q, k, v = self._projected(inputs)
        scale = math.sqrt(math.sqrt(self.head_dim))
        scores = ops.matmul(q / scale, k.swapaxes(-1, -2) / scale)
        weights = ops.softmax(scores if mask is None else scores + mask, -1)
        if self.training and self.dropout:
            # Without a seed in MindSpore: other ones in each process.
            weights = drop(weights, 1.0 - self.dropout, 0, OwnStream(0, 0))[0]
        heads = ops.matmul(weights, v).transpose(2, 0, 1, 3)
        output = self.out_proj(heads.reshape((length, batch, self.embed_dim)))
        if not batched:
            output, weights = output.squeeze(1), weights.squeeze(0)
        elif self.batch_first:
            output = output.swapaxes(0, 1)
        if average_attn_weights:
            weights = weights.mean(-3)
        return (output, weights) if need_weights else (output,)

    def _projected(self, inputs: tuple[Tensor, ...]) -> list[Tensor]:
        """Return query, key and value, each (N, heads, length, E / heads)."""
        weights: Any = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        packed, bias = self.in_proj_weight, self.in_proj_bias
        if context.mixed is not None:
            # A compiled call casts the Parameters that operators are given, and no pieces of them.
            packed, bias = (
                p if p is None else ops.cast(p, inputs[0].dtype) for p in (packed, bias)
            )
        if packed is not None:
            weights = ops.chunk(packed, 3)
        biases = (None,) * 3 if bias is None else ops.chunk(bias, 3)
        found = []
        rows = zip(inputs, weights, biases, (None, self.bias_k, self.bias_v), strict=True)
        for number, (x, weight, offset, more) in enumerate(rows):
            batch, x = x.shape[1], ops.dense(x, weight, offset)
            if more is not None:
                x = ops.cat((x, more.tile((1, batch, 1))))
            if number and self.add_zero_attn:
                x = ops.cat((x, ops.zeros((1, *x.shape[1:]), x.dtype)))
            x = x.reshape((x.shape[0], batch, self.num_heads, self.head_dim))
            found.append(x.transpose(1, 2, 0, 3))
        return found

    def _mask(
        self, sizes: tuple[int, int, int], dtype: Any, padding: Tensor | None, mask: Tensor | None
    ) -> Tensor | None:
        """Return what is added to the scores, of a shape that broadcasts with theirs."""
        batch, length, source = sizes
        found = []
        if padding is not None:
            _expect("shape of 'key_padding_mask'", padding.shape, (batch, source))
            added = _added("key_padding_mask", padding, dtype)
            found.append(added.reshape((batch, 1, 1, source)))
        if mask is not None:
            whole = (batch * self.num_heads, length, source)
            _expect("shape of 'attn_mask'", mask.shape, (length, source), whole)
            first = (1, 1) if mask.ndim == 2 else (batch, self.num_heads)
            found.append(_added("attn_mask", mask, dtype).reshape((*first, length, source)))
        if not found:
            return None
        total = sum(found[1:], found[0])
        # The keys that are appended are always looked at.
        more = (self.bias_k is not None) + self.add_zero_attn
        return ops.pad(total, (0, more)) if more else total


def _activation(activation: Any) -> Callable[[Tensor], Tensor]:
    named: dict[str, Callable[[Tensor], Tensor]] = {"relu": ops.relu, "gelu": ops.gelu}
    if isinstance(activation, str) and activation in named:
        return named[activation]
    if activation is ops.relu or activation is ops.gelu or isinstance(activation, (ReLU, GELU)):
        found: Any = activation
        return found
    raise ArgumentValueError(
        "The argument 'activation' must be 'relu', 'gelu', ops.relu, ops.gelu, nn.ReLU or nn.GELU "
        f"instance, but get {activation}."
    )


class _TransformerLayer(Layer):
    """What the layers of encoder and decoder share; ``_cross``: whether one looks at a memory."""

    _only_lists = True
    _cross = False

    d_model: int
    nhead: int
    dim_feedforward: int = 2048
    dropout: Any = 0.1
    activation: Any = "relu"
    layer_norm_eps: float = 1e-5
    batch_first: bool = False
    norm_first: bool = False
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        # With what TransformerEncoder and TransformerDecoder make more of them.
        self._settings = tuple(given.values())
        size, drop, dtype = self.d_model, given["dropout"], self.dtype
        attention = partial(
            MultiheadAttention, size, self.nhead, drop, batch_first=self.batch_first, dtype=dtype
        )
        self.self_attn = attention()
        if self._cross:
            self.multihead_attn = attention()
        self.dense1 = Dense(size, self.dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=drop)
        self.dense2 = Dense(self.dim_feedforward, size, dtype=dtype)
        numbers = range(1, 4 if self._cross else 3)
        for number in numbers:
            norm = LayerNorm((size,), epsilon=self.layer_norm_eps, dtype=dtype)
            setattr(self, f"norm{number}", norm)
        for number in numbers:
            setattr(self, f"dropout{number}", Dropout(p=drop))
        self.activation1 = given["activation"]
        self.activation = _activation(given["activation"])
        self.dropout_num = drop
        self.layernorm_eps = self.layer_norm_eps

    def _add(self, number: int, x: Tensor, block: Callable[[Tensor], Tensor]) -> Tensor:
        """Add what a block makes of ``x``, normalised before or after, to ``x``."""
        norm, drop = getattr(self, f"norm{number}"), getattr(self, f"dropout{number}")
        return x + drop(block(norm(x))) if self.norm_first else norm(x + drop(block(x)))

    def _feed(self, x: Tensor) -> Tensor:
        return self.dense2(self.dropout(self.activation(self.dense1(x))))


def _looking(attention: Cell, memory: Tensor | None, mask: Any, padding: Any) -> Any:
    """Return the block that looks at ``memory``, or at its own input."""

    def block(x: Tensor) -> Tensor:
        source = x if memory is None else memory
        return attention(
            x, source, source, attn_mask=mask, key_padding_mask=padding, need_weights=False
        )[0]

    return block


class TransformerEncoderLayer(_TransformerLayer):
    """Self-attention and two dense layers, each added to its input and normalised.

    Args:
        d_model: E, the size of an element.
        nhead: Number of heads.
        dim_feedforward: Size between the dense layers.
        dropout: The probability of an element to be dropped in training.
        activation: ``'relu'``, ``'gelu'``, ``ops.relu``, ``ops.gelu``, or such a layer.
        layer_norm_eps: The epsilon of the normalisations.
        batch_first: Whether inputs are (N, L, E) instead of (L, N, E).
        norm_first: Whether the normalisation comes before the attention and the dense layers.
        dtype: Of the parameters.

    Inputs: src (L, N, E) or (L, E), and the masks of ``MultiheadAttention``. Output: as src.

    Raises:
        ValueError: For another activation, or sizes that do not fit.
    """

    def construct(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        x = self._add(1, src, _looking(self.self_attn, None, src_mask, src_key_padding_mask))
        return self._add(2, x, self._feed)


class TransformerDecoderLayer(_TransformerLayer, cross=True):
    """Self-attention, attention to a memory, and two dense layers; see ``TransformerEncoderLayer``.

    Inputs: tgt (L, N, E), memory (S, N, E) and the masks of both attentions. Output: as tgt.
    """

    def construct(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        x = self._add(1, tgt, _looking(self.self_attn, None, tgt_mask, tgt_key_padding_mask))
        look = _looking(self.multihead_attn, memory, memory_mask, memory_key_padding_mask)
        return self._add(3, self._add(2, x, look), self._feed)


class _Stack(Cell):
    """Layers in a row, each drawn like the first of them, and a normalisation at the end."""

    def __init__(self, layer: _TransformerLayer, num_layers: int, norm: Cell | None) -> None:
        super().__init__()
        first = type(layer)(*layer._settings)
        self.layers = CellList([copy.deepcopy(first) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def _run_all(self, x: Tensor, *inputs: Any) -> Tensor:
        for layer in self.layers:
            x = layer(x, *inputs)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """Encoder layers in a row, all with the same weights at first.

    Args:
        encoder_layer: A ``TransformerEncoderLayer``, of which only the settings are used.
        num_layers: How many there are.
        norm: A normalisation for the end, or None.
    """

    def __init__(self, encoder_layer: Any, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__(encoder_layer, num_layers, norm)

    def construct(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        return self._run_all(src, src_mask, src_key_padding_mask)


class TransformerDecoder(_Stack):
    """Decoder layers in a row, all with the same weights at first.

    Args:
        decoder_layer: A ``TransformerDecoderLayer``, of which only the settings are used.
        num_layers: How many there are.
        norm: A normalisation for the end, or None.
    """

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__(decoder_layer, num_layers, norm)

    def construct(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self._run_all(tgt, memory, *masks)


class Transformer(Cell):
    """An encoder and a decoder that looks at what it makes.

    Args:
        d_model: E, the size of an element.
        nhead: Number of heads.
        num_encoder_layers: Layers of the encoder.
        num_decoder_layers: Layers of the decoder.
        dim_feedforward: Size between the dense layers.
        dropout: The probability of an element to be dropped in training.
        activation: As for ``TransformerEncoderLayer``.
        custom_encoder: A Cell in place of the encoder.
        custom_decoder: A Cell in place of the decoder.
        layer_norm_eps: The epsilon of the normalisations.
        batch_first: Whether inputs are (N, L, E) instead of (L, N, E).
        norm_first: Whether the normalisations come first.
        dtype: Of the parameters.

    Inputs: src (S, N, E), tgt (L, N, E) and the masks. Output: as tgt.

    Raises:
        ValueError: For sizes that do not fit.
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        custom_encoder: Cell | None = None,
        custom_decoder: Cell | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        more: Any = (layer_norm_eps, batch_first, norm_first, dtype)
        settings = tuple[Any, ...]((d_model, nhead, dim_feedforward, dropout, activation, *more))

        def norm() -> LayerNorm:
            return LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)

        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*settings), num_encoder_layers, norm()
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*settings), num_decoder_layers, norm()
        )
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                drawn = initializer("xavier_uniform", parameter.shape, parameter.dtype)
                parameter.set_data(drawn)
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def construct(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise ArgumentValueError(
                "The number of features for 'src' and 'tgt' must be equal to `d_model`, "
                f"{self.d_model}, but got {src.shape[-1]} and {tgt.shape[-1]}."
            )
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self.decoder(tgt, memory, *masks)


__all__ = public_names(globals())
