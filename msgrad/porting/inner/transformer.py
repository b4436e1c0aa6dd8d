"""What programs of 1.x take from ``mindspore.nn.transformer``, which 2.10 has no more.

Settings, checks and small layers. How work is spread over devices is up to JAX, so settings are
kept and read only. The attention of several heads and what is made of it have successors in ``nn``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgrad import nn, ops
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.initializer import initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.porting.inner.checkparam import with_checks


class _Config:
    """Base of the settings."""


@dataclass
class OpParallelConfig(_Config):
    """How an operator is spread over devices: by data, and by the model."""

    data_parallel: int = 1
    model_parallel: int = 1
    use_seq_parallel: bool = False
    select_recompute: bool = False


@dataclass
class _PipeLineConfig(_Config):
    pipeline_stage: int = 1
    micro_batch_num: int = 1


def _part(kind: type[Any], *names: str) -> Any:
    """Return the property that is another configuration, with what the two have in common."""

    def part(self: Any) -> Any:
        shared = ("data_parallel", "model_parallel", "use_seq_parallel", *names)
        return kind(**{name: getattr(self, name) for name in shared})

    return property(part, doc=f"The part that {kind.__name__} has.")


@dataclass
class EmbeddingOpParallelConfig(OpParallelConfig):
    """How an embedding is spread over devices."""

    vocab_emb_dp: bool = True
    dp_mp_config = _part(OpParallelConfig)


@dataclass
class MoEParallelConfig(OpParallelConfig):
    """How experts are spread over devices."""

    expert_parallel: int = 1


@dataclass
class TransformerRecomputeConfig(_Config):
    """What is computed again in the backward pass."""

    recompute: bool = False
    parallel_optimizer_comm_recompute: bool = False
    mp_comm_recompute: bool = True
    recompute_slice_activation: bool = False


@dataclass
class TransformerOpParallelConfig(_Config):
    """How a Transformer is spread over devices."""

    data_parallel: int = 1
    model_parallel: int = 1
    expert_parallel: int = 1
    pipeline_stage: int = 1
    micro_batch_num: int = 1
    recompute: Any = field(default_factory=TransformerRecomputeConfig)
    use_seq_parallel: bool = False
    optimizer_shard: bool = False
    gradient_aggregation_group: int = 4
    vocab_emb_dp: bool = True
    dp_mp_config = _part(OpParallelConfig)
    embedding_dp_mp_config = _part(EmbeddingOpParallelConfig, "vocab_emb_dp")
    moe_parallel_config = _part(MoEParallelConfig, "expert_parallel")


@dataclass
class MoEConfig(_Config):
    """How many experts there are, and how they are chosen."""

    expert_num: int = 1
    capacity_factor: float = 1.1
    aux_loss_factor: float = 0.05
    num_experts_chosen: int = 1
    expert_group_size: int | None = None
    group_wise_a2a: bool = False
    comp_comm_parallel: bool = False
    comp_comm_parallel_degree: int = 2


default_dpmp_config = OpParallelConfig()
default_embedding_parallel_config = EmbeddingOpParallelConfig()
default_moe_config = MoEConfig()
default_moeparallel_config = MoEParallelConfig()
default_transformer_config = TransformerOpParallelConfig()
default_transformer_recompute_config = TransformerRecomputeConfig()


def _args_type_validator_check(**checks: Callable[[Any, str], Any]) -> Callable[..., Any]:
    """Return a decorator that calls a check with each argument of its name."""
    return functools.partial(with_checks, checks)


def _valid_type_checks(types: Any, class_name: str) -> Callable[[Any, str], None]:
    """Return a check that a value is one of some dtypes, or of some types."""

    def check(value: Any, name: str) -> None:
        if value not in types and not isinstance(value, tuple(filter(inspect.isclass, types))):
            raise ArgumentTypeError(f"For '{class_name}', {name} must be of {types}, got {value}.")

    return check


def _valid_value_checks(values: Any, class_name: str) -> Callable[[Any, str], None]:
    """Return a check that a value is one of some."""

    def check(value: Any, name: str) -> None:
        if value not in values:
            raise ArgumentValueError(f"For '{class_name}', {name} must be in {values}, got {value}")

    return check


class _LayerNorm(nn.Cell):
    """The normalisation of the last dimension, computed in float32."""

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, param_init_type: Any = None
    ) -> None:
        super().__init__()
        dtype = param_init_type or mstype.float32
        self.gamma = Parameter(initializer("ones", normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer("zeros", normalized_shape, dtype), name="beta")
        self.eps = eps

    def construct(self, x: Tensor) -> Tensor:
        """Normalise."""
        x = x.astype(mstype.float32)
        x = x - x.mean(-1, keep_dims=True)
        found = x * ops.rsqrt((x * x).mean(-1, keep_dims=True) + self.eps)
        return found.astype(self.gamma.dtype) * self.gamma + self.beta

    def shard(self, strategy: Any) -> Any:
        """Return the layer; where it runs is up to JAX."""
        return self


class _Dropout(nn.Dropout):
    """Dropout that is given the share that stays."""

    def shard(self, *strategies: Any, **named: Any) -> Any:
        """Return the layer; where it runs is up to JAX."""
        return self


class AttentionMask(nn.Cell):
    """The mask of texts (N, L) as that of attention (N, L, L): nothing later, nothing padded.

    Args:
        seq_length: L.
        parallel_config: Accepted for compatibility.
    """

    def __init__(self, seq_length: int, parallel_config: Any = default_dpmp_config) -> None:
        super().__init__()
        self.seq_length = seq_length

    def construct(self, input_mask: Tensor) -> Tensor:
        """Make the mask."""
        mask = input_mask.astype(mstype.float16)
        both = mask.expand_dims(2) * mask.expand_dims(1)
        return both * ops.tril(ops.ones((self.seq_length, self.seq_length), both.dtype))


class VocabEmbedding(nn.Cell):
    """Rows of a table; the output is the rows, and the table.

    Args:
        vocab_size: How many rows.
        embedding_size: The size of a row.
        parallel_config: Accepted for compatibility.
        param_init: What the table begins with.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        parallel_config: Any = default_embedding_parallel_config,
        param_init: Any = "normal",
    ) -> None:
        super().__init__()
        self.vocab_size, self.embedding_size = vocab_size, embedding_size
        table = initializer(param_init, (vocab_size, embedding_size), mstype.float32)
        self.embedding_table = Parameter(table, name="embedding_table")
        self.gather = ops.Gather()

    def construct(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Look the rows up."""
        return self.gather(self.embedding_table, input_ids, 0), self.embedding_table


class CrossEntropyLoss(nn.Cell):
    """The mean of the losses of tokens, of those with a mask of 1.

    Args:
        parallel_config: Accepted for compatibility.

    Inputs: logits (N, C), label (N,) and input_mask (N,).
    """

    def __init__(self, parallel_config: Any = default_dpmp_config) -> None:
        super().__init__()

    def construct(self, logits: Tensor, label: Tensor, input_mask: Tensor) -> Tensor:
        """Compute the loss."""
        each = ops.cross_entropy(logits.astype(mstype.float32), label.reshape(-1), reduction="none")
        mask = input_mask.reshape(-1).astype(mstype.float32)
        return (each * mask).sum() / (mask.sum() + 1e-8)


__all__ = public_names(
    globals(),
    *(name for name in globals() if name.startswith("default_")),
    *("_Config", "_PipeLineConfig", "_Dropout", "_LayerNorm"),
    *("_args_type_validator_check", "_valid_type_checks", "_valid_value_checks"),
)
