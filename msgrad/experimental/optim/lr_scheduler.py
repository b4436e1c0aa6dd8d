"""Schedulers that change ``param_groups[i]["lr"]`` of an experimental optimizer, one epoch a call;
cyclic and restarting ones are in ``_scheduler.py``.
"""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.experimental.optim import _scheduler
from msgrad.experimental.optim._scheduler import *  # noqa: F403
from msgrad.experimental.optim._scheduler import LRScheduler, each, of_optimizer, rate_of, set_rate
from msgrad.experimental.optim.optimizer import Optimizer


class _Factors(LRScheduler):
    """Base of the schedulers that multiply the rates before by a number."""

    def _factor(self, epoch: int) -> float:
        raise NotImplementedError

    def get_lr(self) -> list[float]:
        epoch = self._epoch
        factor = 1.0 if epoch == 0 else self._factor(epoch)
        return [rate * factor for rate in self._rates]


class StepLR(_Factors):
    """Multiplies the rates by ``gamma`` every ``step_size`` epochs.

    Args:
        step_size: int.
        gamma: float.

    Raises:
        TypeError: For arguments of other types.
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        if not isinstance(step_size, int) or isinstance(step_size, bool):
            raise ArgumentTypeError(
                f"For 'StepLR', the 'step_size' must be int, but got {type(step_size)}."
            )
        if not isinstance(gamma, float):
            raise ArgumentTypeError(
                f"For 'StepLR', the 'gamma' must be float, but got {type(gamma)}."
            )
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return 1.0 if epoch % self.step_size else self.gamma

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self.gamma ** (self._epoch // self.step_size) for base in self._base]


class MultiStepLR(_Factors):
    """Multiplies the rates by ``gamma`` in each of the epochs in ``milestones``.

    Args:
        milestones: list of ints; one that stands there twice counts twice.
        gamma: Number.

    Raises:
        TypeError: For arguments of other types.
    """

    def __init__(
        self, optimizer: Optimizer, milestones: list[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        of_type(None, "milestones", milestones, list)
        for item in milestones:
            if not isinstance(item, int) or isinstance(item, bool):
                raise ArgumentTypeError(
                    "For 'MultiStepLR', elements of the 'milestones' must be type of int, but got "
                    f"one element of 'milestones' type: {type(item)}."
                )
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.gamma ** self.milestones[epoch]

    def _get_closed_form_lr(self) -> list[float]:
        passed = bisect.bisect_right(sorted(self.milestones.elements()), self._epoch)
        return [base * self.gamma**passed for base in self._base]


class ConstantLR(_Factors):
    """Multiplies the rates by ``factor`` until epoch ``total_iters``.

    Args:
        factor: Number in [0, 1].
        total_iters: int.

    Raises:
        ValueError: If ``factor`` lies outside.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 <= factor <= 1.0:
            raise ArgumentValueError(
                "Constant multiplicative factor expected to be between 0 and 1."
            )
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch = self._epoch
        if epoch == 0:
            return [rate * self.factor for rate in self._rates]
        if epoch == self.total_iters:
            return [rate / self.factor for rate in self._rates]
        return self._rates

    def _get_closed_form_lr(self) -> list[float]:
        factor = self.factor if self._epoch < self.total_iters else 1.0
        return [base * factor for base in self._base]


class LinearLR(LRScheduler):
    """Multiplies the rates by a number that goes from ``start_factor`` to ``end_factor`` in
    ``total_iters`` epochs.

    Args:
        start_factor: Number in (0, 1].
        end_factor: Number in [0, 1].
        total_iters: int.

    Raises:
        ValueError: If a factor lies outside.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1.0:
            raise ArgumentValueError(
                "Starting multiplicative factor expected to be greater than 0 and less than or "
                "equal to 1."
            )
        if not 0 <= end_factor <= 1.0:
            raise ArgumentValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _at(self, epoch: int) -> float:
        way = self.end_factor - self.start_factor
        return self.start_factor + way * min(self.total_iters, epoch) / self.total_iters

    def get_lr(self) -> list[float]:
        epoch = self._epoch
        factor = self._at(epoch) / (1.0 if epoch == 0 else self._at(epoch - 1))
        return [rate * factor for rate in self._rates]

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self._at(self._epoch) for base in self._base]


class ExponentialLR(_Factors):
    """Multiplies the rates by ``gamma`` every epoch.

    Args:
        gamma: Number.
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.gamma

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self.gamma**self._epoch for base in self._base]


class PolynomialLR(_Factors):
    """Multiplies the first rates by ``(1 - epoch / total_iters) ** power``.

    Args:
        total_iters: int.
        power: Number.
    """

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        if epoch > self.total_iters:
            return 1.0
        rest = 1.0 - epoch / self.total_iters, 1.0 - (epoch - 1) / self.total_iters
        return (rest[0] / rest[1]) ** self.power

    def _get_closed_form_lr(self) -> list[float]:
        rest = 1.0 - min(self.total_iters, self._epoch) / self.total_iters
        return [base * rest**self.power for base in self._base]


class _Functions(LRScheduler):
    """Base of the schedulers that ask a function of the epoch for each group."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        of_optimizer(optimizer)
        self.lr_lambdas = each(optimizer, "lr_lambdas, but got", lr_lambda)
        super().__init__(optimizer, last_epoch)

    def _times(self, rates: list[float]) -> list[float]:
        pairs = zip(rates, self.lr_lambdas, strict=True)
        return [rate * float(function(self._epoch)) for rate, function in pairs]


class LambdaLR(_Functions):
    """Multiplies the first rates by what a function of the epoch gives.

    Args:
        lr_lambda: Function, or a list of one for each group.

    Raises:
        ValueError: If there are more or fewer functions than groups.
    """

    def get_lr(self) -> list[float]:
        return self._times(self._base)


class MultiplicativeLR(_Functions):
    """Multiplies the rates before by what a function of the epoch gives.

    Args:
        lr_lambda: Function, or a list of one for each group.

    Raises:
        ValueError: If there are more or fewer functions than groups.
    """

    def get_lr(self) -> list[float]:
        return self._times(self._rates) if self._epoch else self._rates


class CosineAnnealingLR(LRScheduler):
    """Half cosines between the first rates and ``eta_min``, ``T_max`` epochs long.

    Args:
        T_max: int.
        eta_min: Number.
    """

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch, low = self._epoch, self.eta_min
        if epoch == 0:
            return self._rates
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            turn = (1 - math.cos(math.pi / self.T_max)) / 2
            pairs = zip(self._rates, self._base, strict=True)
            return [rate + (base - low) * turn for rate, base in pairs]
        now = 1 + math.cos(math.pi * epoch / self.T_max)
        before = 1 + math.cos(math.pi * (epoch - 1) / self.T_max)
        return [(rate - low) * now / before + low for rate in self._rates]

    def _get_closed_form_lr(self) -> list[float]:
        share = (1 + math.cos(math.pi * self._epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self._base]


class SequentialLR(LRScheduler):
    """One scheduler after another.

    Args:
        schedulers: list of schedulers of this optimizer.
        milestones: list of ints, one fewer: the epochs in which the next one begins.

    Raises:
        ValueError: For lists that do not fit, or schedulers of another optimizer.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        if any(one.optimizer is not optimizer for one in schedulers):
            raise ArgumentValueError(
                "Sequential Schedulers expects all schedulers to belong to the same optimizer, but "
                "got one of another optimizer."
            )
        if len(milestones) != len(schedulers) - 1:
            raise ArgumentValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                f"the number of milestone points, but got number of schedulers {len(schedulers)} "
                f"and the number of milestones {len(milestones)}"
            )
        self._schedulers, self._milestones = schedulers, milestones
        self.optimizer = optimizer
        self.last_epoch = Parameter(
            Tensor(float(last_epoch + 1), mstype.float32), name="last_epoch_SequentialLR"
        )
        # Each of them has made its first step; only the first one's is to stand.
        for group in optimizer.param_groups:
            set_rate(group, float(group["initial_lr"]))
        for one in schedulers:
            one._go(float(one.last_epoch) - 1)
        schedulers[0].step()
        self._last_lr = schedulers[0]._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch and set its rates."""
        self._go(float(self.last_epoch) + 1 if epoch is None else epoch)
        index = bisect.bisect_right(self._milestones, self._epoch)
        one = self._schedulers[index]
        begins = index > 0 and self._milestones[index - 1] == self._epoch
        one.step(0) if begins else one.step()
        self._last_lr = one._last_lr


class ReduceLROnPlateau:
    """Multiplies the rates by ``factor`` when a metric has not become better for ``patience``
    epochs.

    Args:
        optimizer: As for ``LRScheduler``.
        mode: ``"min"`` or ``"max"``: what is better.
        factor: Number below 1.
        patience: int.
        threshold: Number; how much better counts.
        threshold_mode: ``"rel"`` or ``"abs"``.
        cooldown: int; epochs after a reduction that do not count.
        min_lr: Number, or a list of one for each group: the least rate.
        eps: Number; a smaller change of the rate is not made.

    Raises:
        TypeError: If ``optimizer`` is not an experimental one.
        ValueError: For arguments outside their range.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | list[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ArgumentValueError("The lr factor should be less than 1.0.")
        of_optimizer(optimizer)
        self.min_lrs = each(optimizer, "min_lrs, got", min_lr)
        if mode not in ("min", "max"):
            raise ArgumentValueError(f"`mode` should be 'min' or 'max', but got {mode}.")
        if threshold_mode not in ("rel", "abs"):
            raise ArgumentValueError(
                f"`threshold mode` should be 'rel' or 'abs', but got {threshold_mode}."
            )
        self.optimizer, self.factor, self.patience = optimizer, factor, patience
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.cooldown, self.eps = cooldown, eps
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = 0
        self.last_epoch = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    @property
    def in_cooldown(self) -> bool:
        """Whether a reduction was made a short while ago."""
        return self.cooldown_counter > 0

    def get_last_lr(self) -> list[Any]:
        """Return the rates that stand now, as Tensors."""
        return [Tensor(float(rate), mstype.float32) for rate in self._last_lr]

    def _better(self, value: float) -> bool:
        sign = 1 if self.mode == "max" else -1
        if math.isinf(self.best):
            return sign * value > sign * self.best
        margin = abs(self.best) if self.threshold_mode == "rel" and self.best < 0 else self.best
        step = self.threshold * margin if self.threshold_mode == "rel" else self.threshold
        return sign * value > sign * (self.best + sign * step)

    def step(self, metrics: Any) -> bool:
        """Take the metric of an epoch, a number or a Tensor of one; returns True."""
        value = float(metrics if not is_tensor(metrics) else np.asarray(metrics.asnumpy()))
        self.last_epoch += 1
        if self._better(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                old = rate_of(group)
                new = max(old * self.factor, float(least))
                if old - new > self.eps:
                    set_rate(group, new)
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        return True


__all__ = public_names(globals(), *_scheduler.__all__)
