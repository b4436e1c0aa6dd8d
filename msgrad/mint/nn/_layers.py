"""The layers of ``mindspore.mint.nn`` that have parameters, or do something else in training.

Their weights are drawn as in PyTorch, whose conventions these are: a ``momentum`` of BatchNorm is
the share of the new statistics, and a padding has no mode.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from msgrad import ops
from msgrad._core.checks import of_type, one_of
from msgrad._core.distributed.groups import WORLD_GROUP, ranks_of
from msgrad._core.errors import ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.initializer import HeUniform, Normal, Uniform, initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.mint.nn import functional
from msgrad.nn._family import Layer
from msgrad.nn._hyper import Count, Switch
from msgrad.nn.layer.padding import _Around
from msgrad.ops.conv_ops import per_dimension
from msgrad.ops.norm_ops import batch_norm_together

Ints = Any  # int, or a tuple or list of ints
_NORMAL = Normal(1.0)
# Its names are made at run time.
F: Any = functional


def _parameter(init: Any, shape: Any, name: str, dtype: Any, trained: bool = True) -> Parameter:
    kind = mstype.float32 if dtype is None else dtype
    return Parameter(initializer(init, shape, kind), name, trained)


class _Convolution(Layer):
    """What convolutions take.

    Args:
        in_channels: C of the input.
        out_channels: C of the output.
        kernel_size: int or tuple of an int for each dimension.
        stride: The same.
        padding: The same, put on both sides; or ``'valid'``, ``'same'``.
        dilation: The same.
        groups: Number of groups of channels, which divides both numbers of channels.
        bias: Whether there is a bias.
        padding_mode: ``'zeros'``, ``'reflect'``, ``'replicate'`` or ``'circular'``.
        dtype: Of the parameters; float32 by default.
    """

    in_channels: Count
    out_channels: Count
    kernel_size: Ints
    stride: Ints = 1
    padding: Ints | str = 0

    _rank = 2
    transposed = False

    def _begin(self, given: dict[str, Any]) -> None:
        bias, dtype = given.pop("bias"), given.pop("dtype")
        super()._begin(given)
        owner, groups = self.cls_name, given["groups"]
        first, second = self.in_channels, self.out_channels
        if first % groups or second % groups:
            raise ArgumentValueError(
                f"For '{owner}', groups must divide in_channels and out_channels, but got {groups},"
                f" {first} and {second}."
            )
        modes = ("zeros", "reflect", "replicate", "circular")
        one_of(owner, "padding_mode", given["padding_mode"], *modes)
        for name in ("kernel_size", "stride", "dilation"):
            setattr(self, name, self._each(given[name]))
        if not isinstance(self.padding, str):
            self.padding = self._each(self.padding, 0)
        self.output_padding = self._each(given.get("output_padding", 0), 0)
        shape = (first, second // groups) if self.transposed else (second, first // groups)
        sizes = (*shape, *self.kernel_size)
        self.weight = _parameter(HeUniform(math.sqrt(5)), sizes, "weight", dtype)
        reach = 1 / math.sqrt(math.prod(sizes[1:]))
        self.bias = _parameter(Uniform(reach), second, "bias", dtype) if bias else None
        self._around = [p for p in reversed(self._both()) for p in p]

    def _each(self, value: Any, least: int = 1) -> tuple[int, ...]:
        rank = self._rank
        if isinstance(value, int) and not isinstance(value, bool):
            return (value,) * rank
        members = tuple(value) if isinstance(value, list) else value
        return per_dimension("sizes", members, rank, least)

    def _both(self) -> list[tuple[int, int]]:
        """Return what is put before and after each dimension."""
        if not isinstance(self.padding, str):
            return [(p, p) for p in self.padding]
        if self.padding == "valid":
            return [(0, 0)] * self._rank
        wide = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
        return [(n // 2, n - n // 2) for n in wide]

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, groups={self.groups}, bias={self.bias is not None}"
        )


class _Forward(_Convolution):
    dilation: Ints = 1
    groups: Count = 1
    bias: Any = True
    padding_mode: str = "zeros"
    dtype: Any = None

    def construct(self, input: Tensor) -> Tensor:
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._around, mode=self.padding_mode), 0
        function = getattr(self, f"conv{self._rank}d")
        return function(
            input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )


class Conv1d(_Forward, rank=1):
    """Convolution of sequences (N, C, L) or (C, L)."""

    conv1d = staticmethod(F.conv1d)


class Conv2d(_Forward):
    """Convolution of images (N, C, H, W) or (C, H, W)."""

    conv2d = staticmethod(F.conv2d)


class Conv3d(_Forward, rank=3):
    """Convolution of volumes (N, C, D, H, W) or (C, D, H, W)."""

    conv3d = staticmethod(F.conv3d)


class ConvTranspose2d(_Convolution):
    """Transposed convolution of images; see ``Conv2d`` for the arguments.

    ``output_padding`` is added to the size of the output; ``padding_mode`` must be ``'zeros'``.
    """

    transposed = True

    output_padding: Ints = 0
    groups: Count = 1
    bias: Any = True
    dilation: Ints = 1
    padding_mode: str = "zeros"
    dtype: Any = None

    def _begin(self, given: dict[str, Any]) -> None:
        mode = given["padding_mode"]
        if mode != "zeros":
            raise ArgumentValueError(
                f"For 'ConvTranspose2d', padding_mode must be 'zeros', but got {mode!r}."
            )
        super()._begin(given)

    def construct(self, input: Tensor, output_size: Any = None) -> Tensor:
        """Transpose the convolution; ``output_size`` says ``output_padding``."""
        more: Any = self.output_padding
        if output_size is not None:
            sizes = tuple(output_size)[-2:]
            sides = self._both()
            known = (input.shape[-2:], self.kernel_size, self.stride, self.dilation, sides)
            usual = [
                (n - 1) * s - sum(p) + d * (k - 1) + 1 for n, k, s, d, p in zip(*known, strict=True)
            ]
            more = tuple(size - least for size, least in zip(sizes, usual, strict=True))
        steps = (self.stride, self.padding, more, self.groups, self.dilation)
        return F.conv_transpose2d(input, self.weight, self.bias, *steps)


class _Batched(Layer):
    """Batch normalisation of an input of any rank.

    Args:
        num_features: C of the input.
        eps: Added to the variance.
        momentum: The share of the batch in the new running statistics; None for their mean.
        affine: Whether there are ``weight`` and ``bias``.
        track_running_stats: Whether there are running statistics; without, the batch's are used.
        dtype: Of the parameters; float32 by default.
    """

    num_features: Count
    eps: float = 1e-5
    momentum: float | None = 0.1
    affine: bool = True
    track_running_stats: bool = True

    _cell_shown = "num_features eps momentum affine track_running_stats"
    _ranks = ()

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        shape, dtype = (self.num_features,), given["dtype"]
        self.weight = _parameter("ones", shape, "weight", dtype) if self.affine else None
        self.bias = _parameter("zeros", shape, "bias", dtype) if self.affine else None
        self.running_mean = self.running_var = self.num_batches_tracked = None
        if self.track_running_stats:
            self.running_mean = _parameter("zeros", shape, "running_mean", dtype, False)
            self.running_var = _parameter("ones", shape, "running_var", dtype, False)
            count = Tensor(0, mstype.int64)
            self.num_batches_tracked = Parameter(count, "num_batches_tracked", False)

    def construct(self, input: Tensor) -> Tensor:
        """Normalise the input; in training, by the batch's statistics, and keep count."""
        if self._ranks and input.ndim not in self._ranks:
            raise ArgumentValueError(
                f"For '{self.cls_name}', the input must have one of {self._ranks} dimensions, but "
                f"got {input.ndim}."
            )
        share: Any = self.momentum
        if self.training and self.num_batches_tracked is not None:
            ops.assign_add(self.num_batches_tracked, Tensor(1, mstype.int64))
            if share is None:
                share = 1.0 / float(self.num_batches_tracked.asnumpy())
        batch = bool(self.training) or self.running_mean is None
        statistics = (self.running_mean, self.running_var)
        share = 0.0 if share is None else share
        return self._normalised(input, *statistics, batch, share)

    def _normalised(self, input: Tensor, mean: Any, var: Any, batch: bool, share: float) -> Tensor:
        return F.batch_norm(input, mean, var, self.weight, self.bias, batch, share, self.eps)


class _BatchNorm(_Batched):
    dtype: Any = None


class BatchNorm1d(_BatchNorm, ranks=(2, 3)):
    """Batch normalisation of (N, C) or (N, C, L)."""


class BatchNorm2d(_BatchNorm, ranks=(4,)):
    """Batch normalisation of images (N, C, H, W)."""


class BatchNorm3d(_BatchNorm, ranks=(5,)):
    """Batch normalisation of volumes (N, C, D, H, W)."""


class SyncBatchNorm(_Batched):
    """Batch normalisation by the statistics of the batches of all ranks, as of one.

    Args:
        process_group: Name of the group of ranks; None for all.
    """

    process_group: str | None = None
    dtype: Any = None

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        self._ranks_of_batch = ranks_of(self.process_group or WORLD_GROUP)

    def _normalised(self, input: Tensor, mean: Any, var: Any, batch: bool, share: float) -> Tensor:
        if not batch or len(self._ranks_of_batch) == 1:
            return super()._normalised(input, mean, var, batch, share)
        given = ((mean, 0.0), (var, 1.0), (self.weight, 1.0), (self.bias, 0.0))
        means, variances, weight, bias = (
            Tensor(np.full(self.num_features, default, np.float32)) if vector is None else vector
            for vector, default in given
        )
        return batch_norm_together(
            input, means, variances, weight, bias, share, self.eps, self._ranks_of_batch
        )


class LayerNorm(Layer):
    """Normalisation over the last dimensions.

    Args:
        normalized_shape: Their sizes, an int or a tuple or list of ints.
        eps: Added to the variance.
        elementwise_affine: Whether there are ``weight`` and ``bias``.
        bias: Whether there is a ``bias``.
        dtype: Of the parameters; float32 by default.
    """

    _cell_shown = "normalized_shape eps elementwise_affine"

    normalized_shape: Ints
    eps: float = 1e-5
    elementwise_affine: bool = True
    bias: Any = True
    dtype: Any = None

    def _begin(self, given: dict[str, Any]) -> None:
        bias, dtype = given.pop("bias"), given["dtype"]
        super()._begin(given)
        sizes = of_type("LayerNorm", "normalized_shape", self.normalized_shape, int, tuple, list)
        shape = self.normalized_shape = (sizes,) if isinstance(sizes, int) else tuple(sizes)
        affine = self.elementwise_affine
        self.weight = _parameter("ones", shape, "weight", dtype) if affine else None
        self.bias = _parameter("zeros", shape, "bias", dtype) if affine and bias else None

    def construct(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNorm(Layer):
    """Normalisation over groups of channels of (N, C, ...).

    Args:
        num_groups: Their number, which divides C.
        num_channels: C of the input.
        eps: Added to the variance.
        affine: Whether ``weight`` and ``bias`` are trained.
        dtype: Of the parameters; float32 by default.
    """

    _cell_shown = "num_groups num_channels eps affine"

    num_groups: Count
    num_channels: Count
    eps: float = 1e-5
    affine: bool = True
    dtype: Any = None

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        channels, dtype = self.num_channels, given["dtype"]
        if channels % self.num_groups:
            raise ArgumentValueError(
                f"For 'GroupNorm', num_groups must divide num_channels, but got {self.num_groups} "
                f"and {channels}."
            )
        self.weight = _parameter("ones", (channels,), "weight", dtype, self.affine)
        self.bias = _parameter("zeros", (channels,), "bias", dtype, self.affine)

    def construct(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class Embedding(Layer):
    """A table of rows, looked up by number.

    Args:
        num_embeddings: The number of rows.
        embedding_dim: Their length.
        padding_idx: A row that begins as zeros and gets no gradient.
        max_norm: None; see ``ops.embedding``.
        norm_type: Not used without ``max_norm``.
        scale_grad_by_freq: False.
        sparse: Accepted; gradients are dense.
        _weight: The table, instead of one drawn from the normal distribution.
        _freeze: Whether it is not trained.
        dtype: Of the table; float32 by default.
    """

    _cell_shown = "num_embeddings embedding_dim padding_idx"

    num_embeddings: Count
    embedding_dim: Count
    padding_idx: int | None = None
    max_norm: float | None = None
    norm_type: float = 2.0
    scale_grad_by_freq: bool = False
    sparse: bool = False
    _weight: Tensor | None = None
    _freeze: bool = False
    dtype: Any = None

    def _begin(self, given: dict[str, Any]) -> None:
        _weight, _freeze, dtype = (given.pop(name) for name in ("_weight", "_freeze", "dtype"))
        super()._begin(given)
        padding_idx, num_embeddings = self.padding_idx, self.num_embeddings
        kind = mstype.float32 if dtype is None else dtype
        shape = (num_embeddings, self.embedding_dim)
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ArgumentValueError(
                f"For 'Embedding', padding_idx must be in [{-num_embeddings}, {num_embeddings}), "
                f"but got {padding_idx}."
            )
        if _weight is None:
            table = np.array(initializer(_NORMAL, shape, kind).init_data().asnumpy())
            if padding_idx is not None:
                table[padding_idx] = 0
            _weight = Tensor(table, kind)
        elif tuple(_weight.shape) != shape:
            raise ArgumentValueError(
                f"For 'Embedding', _weight must be of shape {shape}, but got {_weight.shape}."
            )
        self.weight = Parameter(_weight, "weight", not _freeze)

    def construct(self, input: Tensor) -> Tensor:
        options = (self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)
        return F.embedding(input, self.weight, *options)


class PReLU(Layer):
    """``x`` where positive, ``weight * x`` elsewhere, with a trained weight (of each channel).

    Args:
        num_parameters: 1, or C of the input.
        init: What the weight begins with.
        dtype: Of the weight; float32 by default.
    """

    num_parameters: Count = 1
    init: float = 0.25
    dtype: Any = None

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin({})
        count, init, dtype = given.values()
        self.weight = _parameter(init, (count,), "weight", dtype)

    def construct(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)


class _Dropout(Layer):
    """What layers take that drop something.

    Args:
        p: The probability, from 0 to 1.
        inplace: Whether it is written into the input.
    """

    _cell_shown = "p"
    _function = staticmethod(F.dropout)

    p: float = 0.5
    inplace: Switch = False

    def construct(self, input: Tensor) -> Tensor:
        """Drop elements, or give the input."""
        return type(self)._function(input, self.p, bool(self.training), self.inplace)


class Dropout(_Dropout):
    """In training, zeroes elements with probability ``p`` and divides the others by ``1 - p``."""


class Dropout2d(_Dropout, function=staticmethod(F.dropout2d)):
    """In training, zeroes whole channels of (N, C, H, W); see ``Dropout``."""


class ZeroPad1d(_Around, rank=1):
    """Pads the last dimension with zeros, by an int or a pair."""


class ZeroPad3d(_Around, rank=3):
    """Pads the last three dimensions with zeros, by an int or three pairs, the last first."""


class _Upsampling(Layer):
    _options = ("nearest", None)

    size: Any = None
    scale_factor: Any = None

    def construct(self, input: Tensor) -> Tensor:
        return F.interpolate(input, self.size, self.scale_factor, *self._options)


class UpsamplingNearest2d(_Upsampling):
    """Resizes images (N, C, H, W) to ``size`` or by ``scale_factor``, to the nearest pixel."""


class UpsamplingBilinear2d(_Upsampling, options=("bilinear", True)):
    """Resizes images (N, C, H, W) linearly, the corners in their places."""
