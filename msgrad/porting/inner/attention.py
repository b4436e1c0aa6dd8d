"""The Transformer of 1.x, ``mindspore.nn.transformer``: its layers, with its names of parameters.

Matrices are multiplied in float16 and normalised in float32 unless said otherwise, as they were.
2.10 has ``nn.TransformerEncoder`` and its like, which take other arguments.
"""

from __future__ import annotations

from typing import Any

from msgrad import nn, ops
from msgrad._core.errors import UnsupportedError
from msgrad.common import dtype as mstype
from msgrad.common.initializer import initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.porting.inner.transformer import _LayerNorm


class _Linear(nn.Cell):
    """A layer ``activation(x @ weight + bias)``, computed in a dtype of its own.

    Args:
        in_channels: The size of the input's last dimension.
        out_channels: That of the output.
        transpose_b: Whether the weight is (out, in).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        activation: Any = None,
        transpose_b: bool = True,
        param_init_type: Any = mstype.float32,
        compute_dtype: Any = mstype.float16,
        **_: Any,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels, self.dtype = in_channels, out_channels, compute_dtype
        self.transpose_b, self.has_bias = transpose_b, has_bias
        shape = (out_channels, in_channels) if transpose_b else (in_channels, out_channels)
        self.weight = Parameter(initializer(weight_init, shape, param_init_type), name="weight")
        if has_bias:
            self.bias = Parameter(
                initializer(bias_init, (out_channels,), param_init_type), name="bias"
            )
        self.activation = nn.get_activation(activation) if activation else None

    def construct(self, x: Tensor) -> Tensor:
        """Compute the layer."""
        weight = self.weight.astype(self.dtype)
        found = ops.matmul(x.astype(self.dtype), weight.T if self.transpose_b else weight)
        found = found + self.bias.astype(self.dtype) if self.has_bias else found
        found = found if self.activation is None else self.activation(found)
        return found.astype(x.dtype)

    def shard(self, *strategies: Any, **named: Any) -> Any:
        """Return the layer; where it runs is up to JAX."""
        return self


class FeedForward(nn.Cell):
    """Two layers, the first with an activation.

    Args:
        hidden_size: The size of input and output.
        ffn_hidden_size: The size between them.
        dropout_rate: The share of the output that is dropped.
    """

    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        dropout_rate: float,
        hidden_act: Any = "gelu",
        param_init_type: Any = mstype.float32,
        **_: Any,
    ) -> None:
        super().__init__()
        kind: Any = {"transpose_b": False, "param_init_type": param_init_type}
        self.mapping = _Linear(hidden_size, ffn_hidden_size, activation=hidden_act, **kind)
        self.projection = _Linear(ffn_hidden_size, hidden_size, **kind)
        self.dropout = nn.Dropout(p=dropout_rate)

    def construct(self, x: Tensor) -> Tensor:
        """Compute both, in float16."""
        return self.dropout(self.projection(self.mapping(x.astype(mstype.float16))))


class MultiHeadAttention(nn.Cell):
    """Attention of several heads; the output, and the keys and values of this call.

    Args:
        batch_size, src_seq_length, tgt_seq_length: Accepted for compatibility.
        hidden_size: The size of the last dimension.
        num_heads: How many heads share it.
    """

    def __init__(
        self,
        batch_size: int | None,
        src_seq_length: int,
        tgt_seq_length: int,
        hidden_size: int,
        num_heads: int,
        hidden_dropout_rate: float = 0.1,
        attention_dropout_rate: float = 0.1,
        compute_dtype: Any = mstype.float16,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        use_past: bool = False,
        parallel_config: Any = None,
    ) -> None:
        super().__init__()
        if use_past:
            raise UnsupportedError(
                "use_past=True keeps keys and values on Ascend; give the whole sequence again."
            )
        self.n_head, self.size_per_head = num_heads, hidden_size // num_heads
        self.hidden_size, self.dtype = hidden_size, compute_dtype
        self.softmax_dtype = softmax_compute_type
        kind: Any = {"param_init_type": param_init_type, "compute_dtype": compute_dtype}
        self.projection = _Linear(hidden_size, hidden_size, transpose_b=False, **kind)
        self.dropout = nn.Dropout(p=hidden_dropout_rate)
        self.prob_dropout = nn.Dropout(p=attention_dropout_rate)
        self.dense1 = _Linear(hidden_size, hidden_size, **kind)
        self.dense2 = _Linear(hidden_size, hidden_size, **kind)
        self.dense3 = _Linear(hidden_size, hidden_size, **kind)

    def construct(
        self,
        query_tensor: Tensor,
        key_tensor: Tensor,
        value_tensor: Tensor,
        attention_mask: Tensor | None,
        key_past: Any = None,
        value_past: Any = None,
        batch_valid_length: Any = None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Attend where the mask (N, L, S) is 1."""
        given = (
            attention_mask
            if query_tensor.ndim == 2 and attention_mask is not None
            else query_tensor
        )
        batch = given.shape[0]
        query, key, value = (
            dense(x.astype(self.dtype))
            .reshape(batch, -1, self.n_head, self.size_per_head)
            .swapaxes(1, 2)
            for dense, x in (
                (self.dense1, query_tensor),
                (self.dense2, key_tensor),
                (self.dense3, value_tensor),
            )
        )
        scale = self.size_per_head**-0.25
        scores = ops.matmul(query * scale, key.swapaxes(2, 3) * scale).astype(self.softmax_dtype)
        if attention_mask is not None:
            mask = attention_mask.astype(self.softmax_dtype)
            scores = scores + (1 - (mask.expand_dims(1) if mask.ndim == 3 else mask)) * -10000.0
        share = self.prob_dropout(ops.softmax(scores, -1).astype(self.dtype))
        found = ops.matmul(share, value).swapaxes(1, 2).reshape(batch, -1, self.hidden_size)
        found = self.dropout(self.projection(found)).reshape(query_tensor.shape)
        return found.astype(query_tensor.dtype), (key.swapaxes(2, 3), value)


class TransformerEncoderLayer(nn.Cell):
    """Attention of a sequence to itself, then two layers; the output, and keys and values.

    Args:
        post_layernorm_residual: Whether what is normalised is added, not what it is made of.
    """

    def __init__(
        self,
        batch_size: int | None,
        hidden_size: int,
        ffn_hidden_size: int,
        num_heads: int,
        seq_length: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        hidden_act: Any = "gelu",
        use_past: bool = False,
        **_: Any,
    ) -> None:
        super().__init__()
        self.post_layernorm_residual = post_layernorm_residual
        self.layernorm1, self.layernorm2 = _LayerNorm((hidden_size,)), _LayerNorm((hidden_size,))
        self.attention = MultiHeadAttention(
            *(batch_size, seq_length, seq_length, hidden_size, num_heads),
            hidden_dropout_rate=hidden_dropout_rate,
            attention_dropout_rate=attention_dropout_rate,
            softmax_compute_type=softmax_compute_type,
            param_init_type=param_init_type,
            use_past=use_past,
        )
        self.output = FeedForward(
            *(hidden_size, ffn_hidden_size, hidden_dropout_rate, hidden_act),
            param_init_type=param_init_type,
        )

    def construct(
        self,
        x: Tensor,
        input_mask: Tensor | None = None,
        init_reset: Any = True,
        batch_valid_length: Any = None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Compute the layer of x (N, L, C) or (N * L, C)."""
        normal = self.layernorm1(x).astype(mstype.float16)
        found, present = self.attention(normal, normal, normal, input_mask)
        x = found + (normal if self.post_layernorm_residual else x)
        normal = self.layernorm2(x).astype(mstype.float16)
        return self.output(normal) + (normal if self.post_layernorm_residual else x), present


class TransformerEncoder(nn.Cell):
    """Layers one after the other, each a ``TransformerEncoderLayer``; all their keys and values."""

    def __init__(
        self,
        batch_size: int | None,
        num_layers: int,
        hidden_size: int,
        ffn_hidden_size: int,
        seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: Any = "gelu",
        post_layernorm_residual: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.num_layers = num_layers
        sizes = (batch_size, hidden_size, ffn_hidden_size, num_heads, seq_length)
        rest = (attention_dropout_rate, hidden_dropout_rate, post_layernorm_residual)
        options["hidden_act"] = hidden_act
        self.blocks = nn.CellList(
            [TransformerEncoderLayer(*sizes, *rest, **options) for _ in range(num_layers)]
        )

    def construct(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        init_reset: Any = True,
        batch_valid_length: Any = None,
    ) -> tuple[Tensor, tuple[Any, ...]]:
        """Compute the layers."""
        presents = ()
        for block in self.blocks:
            hidden_states, present = block(hidden_states, attention_mask)
            presents = (*presents, present)
        return hidden_states, presents


__all__ = ["FeedForward", "MultiHeadAttention", "TransformerEncoder", "TransformerEncoderLayer"]
