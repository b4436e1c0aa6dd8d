"""Normalisation layers: BatchNorm, LayerNorm, GroupNorm, InstanceNorm; operators in ``ops``.

MindSpore's BatchNorm keeps ``momentum`` of the old statistics: 0.9 keeps nine tenths. It uses the
batch's statistics only in training, which ``set_train`` turns on.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgrad import ops
from msgrad._core.checks import of_type
from msgrad._core.distributed.across import everyone
from msgrad._core.distributed.world import world
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.initializer import initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_rank, check_tensor
from msgrad.nn._family import Layer, channels_first
from msgrad.nn._hyper import Count, Exact, Switch, Whole, hyperparameters
from msgrad.ops.norm_ops import batch_norm_together


class _Normalised(Layer):
    """What BatchNorm and InstanceNorm share: checks, parameters and ``repr``.

    Args:
        num_features: C of the input.
        eps: Added to the variance, in (0, 1].
        affine: Whether scale and shift are trained.
        gamma_init: What ``initializer`` accepts, for the scale.
        beta_init: The same for the shift.
        moving_mean_init: The same for the running mean.
        moving_var_init: The same for the running variance.
        dtype: Of the parameters.
    """

    _raises = """Raises:
    TypeError: For arguments of other types, or an input that is not floating.
    ValueError: For values out of range, or an input of another rank or number of channels."""
    _ranks: ClassVar[tuple[int, ...]] = ()
    _cell_shown = "num_features eps momentum gamma beta moving_mean moving_variance"

    num_features: Whole
    eps: float = 1e-5
    momentum: float = 0.9
    affine: bool = True
    gamma_init: Any = "ones"
    beta_init: Any = "zeros"

    def _begin(self, given: dict[str, Any]) -> None:
        affine, dtype = given.pop("affine"), given.pop("dtype")
        super()._begin(given)
        owner, num_features, momentum = self.cls_name, given["num_features"], given["momentum"]
        self.num_features: int = num_features
        if num_features < 1:
            raise ArgumentValueError(
                f"For '{owner}', the 'num_features' must be at least 1, but got {num_features}."
            )
        if isinstance(momentum, str) or not 0 <= momentum <= 1:
            kind = ArgumentTypeError if isinstance(momentum, str) else ArgumentValueError
            raise kind(
                f"For '{owner}', the 'momentum' must be a number in range [0, 1], but got "
                f"{momentum}."
            )
        self.eps: float = given["eps"]

        def made(init: Any, name: str, trained: bool) -> Parameter:
            return Parameter(initializer(init, num_features, dtype), name, trained)

        self.moving_mean = made(given.get("moving_mean_init", "zeros"), "mean", False)
        self.moving_variance = made(given.get("moving_var_init", "ones"), "variance", False)
        self.gamma = made(given["gamma_init"], "gamma", affine)
        self.beta = made(given["beta_init"], "beta", affine)

    def _check(self, x: Any) -> None:
        check_tensor(self.cls_name, "x", x)
        if self._ranks:
            check_rank(self.cls_name, x, *self._ranks)


class _BatchNorm(_Normalised):
    """Batch normalisation of an input of any rank.

    Args:
        momentum: The share of the old statistics that is kept, in [0, 1].
        use_batch_statistics: Whether to normalise by the batch's statistics and to move the
            running ones, the variance unbiased; None for: in training.
        data_format: ``'NCHW'``.
    """

    _cell_shown = _Normalised._cell_shown.replace("momentum", "momentum=_given_momentum")

    moving_mean_init: Any = "zeros"
    moving_var_init: Any = "ones"
    use_batch_statistics: bool | None = None
    data_format: str = "NCHW"
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        owner, use_batch_statistics = type(self).__name__, given["use_batch_statistics"]
        self.format = channels_first(owner, given.pop("data_format", "NCHW"))
        super()._begin(given)
        if use_batch_statistics not in (None, True, False) or type(use_batch_statistics) is int:
            raise ArgumentValueError(
                f"For '{owner}', the 'use_batch_statistics' must be a boolean value or None, but "
                f"got {use_batch_statistics}."
            )
        # What the operator takes: the share of the batch's statistics.
        self.momentum = 1.0 - given["momentum"]
        # As MindSpore's, which keeps the operator: what `momentum` and `eps` become is only shown.
        self._momentum_and_eps = (self.momentum, self.eps)

    @property
    def _given_momentum(self) -> float:
        return 1.0 - self.momentum

    def construct(self, x: Tensor) -> Tensor:
        """Normalise the input; in training, move the statistics."""
        self._check(x)
        decided = self.use_batch_statistics
        return ops.batch_norm(
            x,
            self.moving_mean,
            self.moving_variance,
            self.gamma,
            self.beta,
            bool(self.training) if decided is None else decided,
            *self._momentum_and_eps,
        )


class BatchNorm1d(_BatchNorm, ranks=(2, 3)):
    """Batch normalisation of (N, C) or (N, C, L); see ``BatchNorm2d`` for the arguments."""


class BatchNorm2d(_BatchNorm, ranks=(4,)):
    """Batch normalisation of images.

    Inputs: x (N, C, H, W), floating. Output: of the same shape and dtype.

    The parameters are ``moving_mean`` and ``moving_variance``, which are not trained, ``gamma``
    and ``beta``. A gradient that runs the layer writes the statistics once, when it ends.
    """


class BatchNorm3d(Layer):
    """Batch normalisation of volumes (N, C, D, H, W), by a ``BatchNorm2d`` in ``bn2d``.

    The arguments are those of ``BatchNorm2d``, without ``data_format``.
    """

    num_features: int
    eps: float = 1e-5
    momentum: float = 0.9
    affine: bool = True
    gamma_init: Any = "ones"
    beta_init: Any = "zeros"
    moving_mean_init: Any = "zeros"
    moving_var_init: Any = "ones"
    use_batch_statistics: bool | None = None
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin({})
        self.bn2d = BatchNorm2d(**given)

    def construct(self, x: Tensor) -> Tensor:
        """Normalise the input, its depth and height taken as one dimension.

        Raises:
            TypeError: If the input is not a Tensor.
            ValueError: For another number of dimensions.
        """
        check_rank("BatchNorm3d", check_tensor("BatchNorm3d", "x", x), 5)
        n, c, d, h, w = x.shape
        return self.bn2d(x.reshape(n, c, d * h, w)).reshape(x.shape)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation by the statistics of the batches of all ranks, as of one.

    The arguments are those of ``BatchNorm2d``, without ``data_format`` and with ``process_groups``:
    None, or a list of lists of ranks that each share their statistics; a rank that is in none of
    them has its own. Batches may be of different sizes. In one process it is ``BatchNorm2d``.

    Raises:
        TypeError: For ``process_groups`` that are no list of lists of ints.
        ValueError: For a rank that there is not, or that is in two groups.

    Differs from MindSpore: it runs on every device; MindSpore 2.10 has it on Ascend only.
    """

    @hyperparameters
    def __init__(
        self,
        num_features: Whole,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
        process_groups: Any = None,
        dtype: Any = mstype.float32,
    ) -> None: ...

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        of_type("SyncBatchNorm", "process_groups", self.process_groups, list, type(None))
        self._ranks_of_batch = _own_group(self.process_groups)

    def construct(self, x: Tensor) -> Tensor:
        """Normalise the input; in training, move the statistics."""
        decided = self.use_batch_statistics
        batch = bool(self.training) if decided is None else decided
        if len(self._ranks_of_batch) == 1 or not batch:
            return super().construct(x)
        self._check(x)
        statistics = (self.moving_mean, self.moving_variance, self.gamma, self.beta)
        how = (*self._momentum_and_eps, self._ranks_of_batch)
        return batch_norm_together(x, *statistics, *how)


def _own_group(groups: list[Any] | None) -> tuple[int, ...]:
    """Return the ranks that share their statistics with this one."""
    if groups is None:
        return everyone()
    if world.size == 1:
        return (0,)
    ranks = [rank for group in groups for rank in of_type("SyncBatchNorm", "a group", group, list)]
    for rank in ranks:
        of_type("SyncBatchNorm", "a rank in 'process_groups'", rank, int)
        if not 0 <= rank < world.size or ranks.count(rank) > 1:
            raise ArgumentValueError(
                f"For 'SyncBatchNorm', the 'process_groups' must have each rank of 0 to "
                f"{world.size - 1} at most once, but got {groups}."
            )
    return next((tuple(sorted(group)) for group in groups if world.rank in group), (world.rank,))


class LayerNorm(Layer):
    """Normalisation over the last dimensions.

    Args:
        normalized_shape: tuple or list of ints: the shape of the scale and the shift.
        begin_norm_axis: The first axis to normalise over; -1 for the last.
        begin_params_axis: The first axis of the scale and the shift; -1 for the last.
        gamma_init: What ``initializer`` accepts, for the scale.
        beta_init: The same for the shift.
        epsilon: Added to the variance; 1e-7 unless told.
        dtype: Of the parameters.

    Inputs: x ``(..., *normalized_shape)``, floating. Output: of the same shape and dtype.

    Raises:
        TypeError: If ``normalized_shape`` is not a tuple or list, or another argument of another
            type than stated.
        ValueError: If the input does not end in the shape of the parameters.
        RuntimeError: If an axis is out of range.
    """

    normalized_shape: tuple[int, ...] | list[int]
    begin_norm_axis: int = -1
    begin_params_axis: int = -1
    gamma_init: Any = "ones"
    beta_init: Any = "zeros"
    epsilon: float = 1e-7
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        gamma, beta, dtype = (given.pop(name) for name in ("gamma_init", "beta_init", "dtype"))
        super()._begin(given)
        shape = of_type("LayerNorm", "normalized_shape", self.normalized_shape, tuple, list)
        if not shape:
            raise ArgumentValueError(
                "For 'LayerNorm', the 'normalized_shape' must have at least one element, but got "
                f"{shape}."
            )
        self.gamma = Parameter(initializer(gamma, shape, dtype), "gamma")
        self.beta = Parameter(initializer(beta, shape, dtype), "beta")
        self._normalise = ops.LayerNorm(self.begin_norm_axis, self.begin_params_axis, self.epsilon)

    def construct(self, input_x: Tensor) -> Tensor:
        """Normalise the input.

        Raises:
            AttributeError: If the input is not a Tensor.
            TypeError: For a setting of another type.
            RuntimeError: If an axis is not among its dimensions.
        """
        check_tensor("LayerNorm", "input_x", input_x)
        for name in ("epsilon", "begin_norm_axis", "begin_params_axis"):
            of_type("LayerNorm", name, getattr(self, name), float if name == "epsilon" else int)
        for name in ("begin_norm_axis", "begin_params_axis"):
            axis = getattr(self, name)
            if not -1 <= axis < input_x.ndim:
                raise KernelError(
                    f"For primitive[LayerNorm], input_x's rank is {input_x.ndim}, while the "
                    f"'{name}' value should be in the range [-1, {input_x.ndim}), but got {axis}."
                )
        return self._normalise(input_x, self.gamma, self.beta)[0]

    def extend_repr(self) -> str:
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )


class GroupNorm(Layer):
    """Normalisation over groups of channels.

    Args:
        num_groups: int that divides the next.
        num_channels: C of the input.
        eps: Added to the variance.
        affine: Whether scale and shift are trained.
        gamma_init: What ``initializer`` accepts, for the scale.
        beta_init: The same for the shift.
        dtype: Of the parameters.

    Inputs: x (N, C, ...), floating. Output: of the same shape and dtype.

    Raises:
        TypeError: For arguments of other types.
        ValueError: If the numbers are not positive, do not divide, or are not the input's.
    """

    _cell_shown = "num_groups num_channels"

    num_groups: Count
    num_channels: Count
    eps: Exact = 1e-5
    affine: Switch = True
    gamma_init: Any = "ones"
    beta_init: Any = "zeros"
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        gamma, beta, dtype = (given.pop(name) for name in ("gamma_init", "beta_init", "dtype"))
        super()._begin(given)
        if self.num_channels % self.num_groups:
            raise ArgumentValueError(
                "For 'GroupNorm', the 'num_channels' must be divided by 'num_groups', but got "
                f"'num_channels': {self.num_channels}, 'num_groups': {self.num_groups}."
            )
        for name, init in (("gamma", gamma), ("beta", beta)):
            drawn = initializer(init, self.num_channels, dtype)
            setattr(self, name, Parameter(drawn, name, self.affine))

    def construct(self, x: Tensor) -> Tensor:
        check_tensor("GroupNorm", "x", x)
        return ops.group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)


class _InstanceNorm(_Normalised):
    """Normalisation by the statistics of each channel of each element of a batch.

    Args:
        momentum: In [0, 1]; accepted for compatibility.
    """

    momentum: float = 0.1
    dtype: Any = mstype.float32

    def construct(self, x: Tensor) -> Tensor:
        self._check(x)
        return ops.group_norm(x, self.num_features, self.gamma, self.beta, self.eps)


class InstanceNorm1d(_InstanceNorm, ranks=(3,)):
    """Normalisation of each channel of each sequence (N, C, L); see ``InstanceNorm2d``."""


class InstanceNorm2d(_InstanceNorm, ranks=(4,)):
    """Normalisation of each channel of each image by its own statistics, in any mode.

    Inputs: x (N, C, H, W), floating. Output: of the same shape and dtype.

    Differs from MindSpore: it runs on the CPU too; and the running statistics, which nothing
    reads, are kept as they are.
    """


class InstanceNorm3d(_InstanceNorm, ranks=(5,)):
    """Normalisation of each channel of each volume (N, C, D, H, W); see ``InstanceNorm2d``."""


__all__ = public_names(globals())
