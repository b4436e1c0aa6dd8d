"""LARS: scales each gradient by the size of its weights before another optimizer uses it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import optax

from msgrad._core.checks import of_type
from msgrad._core.errors import MissingAttributeError, UnsupportedError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell
from msgrad.nn.optim._step import Plan, make_plan
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["LARS"]


@functools.lru_cache(maxsize=256)
def lars(
    inner: optax.GradientTransformationExtraArgs,
    epsilon: float,
    coefficient: float,
    use_clip: bool,
    used: tuple[bool, ...],
) -> optax.GradientTransformationExtraArgs:
    """Return the rule: ``inner`` with ``coefficient * norm(w) / (norm(g) + decay * norm(w) +
    epsilon) * (g + decay * w)`` for gradients; where a norm is 0 the factor is 1.

    Args:
        inner: The other rule.
        epsilon: See above.
        coefficient: See above.
        use_clip: Whether the factor is at most the learning rate, over which it is divided.
        used: For each parameter, whether its gradient is scaled; if not, it is given as it is.
    """

    def update(
        grads: Any, state: Any, params: Any, *, lr: Any, decay: Any, **extra: Any
    ) -> tuple[Any, Any]:
        scaled = []
        for g, param, rate, share, wanted in zip(grads, params, lr, decay, used, strict=True):
            if wanted:
                of_param, of_grad = (jnp.sqrt(jnp.sum(jnp.square(x))) for x in (param, g))
                factor = coefficient * of_param / (of_grad + share * of_param + epsilon)
                if use_clip:
                    factor = jnp.minimum(factor / rate, 1.0)
                factor = jnp.where((of_param > 0) & (of_grad > 0), factor, 1.0)
                g = (factor * (g + share * param)).astype(g.dtype)
            scaled.append(g)
        # Their weight decay is done.
        none = [0.0] * len(scaled)
        return inner.update(scaled, state, params, lr=lr, decay=none, **extra)

    return optax.GradientTransformationExtraArgs(inner.init, update)  # pyright: ignore


def _not_norm_or_bias(param: Parameter) -> bool:
    return "LayerNorm" not in param.name and "bias" not in param.name


class LARS(Optimizer):
    """Layer-wise adaptive rates, around another optimizer.

    Args:
        optimizer: Optimizer; its weight decay is done here, for the parameters that are scaled.
        epsilon: float, added to the norms that are divided by.
        coefficient: float, the trust in a rate.
        use_clip: Whether the factor of a gradient is divided by the learning rate and at most 1.
        lars_filter: Says of a Parameter whether its gradient is scaled.

    Inputs: gradients, a tuple with one Tensor for each parameter. Output: a tuple of True.

    Raises:
        TypeError: For arguments of other types.
        AttributeError: If ``optimizer`` is not an optimizer.

    Differs from MindSpore: it runs on every device; MindSpore 2.10 has no kernel for CPU.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        epsilon: float = 1e-5,
        coefficient: float = 0.001,
        use_clip: bool = False,
        lars_filter: Callable[[Parameter], bool] = _not_norm_or_bias,
    ) -> None:
        if not isinstance(optimizer, Optimizer):
            kind = type(optimizer).__name__
            raise MissingAttributeError(
                f"'{kind}' object has no attribute 'init_params'; nn.LARS is made of an Optimizer."
            )
        if optimizer._parts > 1:
            raise UnsupportedError(
                "nn.LARS needs whole parameters; its optimizer must be made without "
                "enable_parallel_optimizer."
            )
        Cell.__init__(self, auto_prefix=False)
        self.global_step = optimizer.global_step
        # MindSpore's stand-ins; the rates are those of the other optimizer.
        self.learning_rate = Parameter(Tensor(0.0, mstype.float32), name="fake_lr")
        self.fake_param = Parameter(Tensor(0.0, mstype.float32), name="fake_param")
        self.parameters = optimizer.parameters
        self.opt = optimizer
        self.epsilon = of_type("LARS", "epsilon", epsilon, float)
        self.coefficient = of_type("LARS", "coefficient", coefficient, float)
        self.use_clip = of_type("LARS", "use_clip", use_clip, bool)
        self.lars_flag = tuple(bool(lars_filter(param)) for param in self.parameters)
        for name in _SHARED.split():
            object.__setattr__(self, name, getattr(optimizer, name))

    def get_lr(self) -> Any:
        """Return the learning rate of the other optimizer's next step."""
        return self.opt.get_lr()

    def transformation(self) -> optax.GradientTransformationExtraArgs:
        """Return the other optimizer's rule with scaled gradients."""
        form = self.epsilon, self.coefficient, self.use_clip, self.lars_flag
        return lars(self.opt.transformation(), *form)

    def plan(self, rule: optax.GradientTransformationExtraArgs | None = None) -> Plan:
        inner = self.opt.plan()
        form = inner.loss_scale, inner.decays, inner.centralized, inner.rates
        return make_plan(self.transformation() if rule is None else rule, *form, True)

    def rule_state(self) -> dict[str, Parameter | ParameterTuple]:
        """Return the Parameters that hold the state of the other optimizer's rule."""
        return self.opt.rule_state()

    def read_given(self, gradients: Any) -> tuple[Any, ...]:
        """Return what a step reads and does not write."""
        return self.opt.read_given(gradients)

    def write_step(self, params: list[Any], state: dict[str, Any], step: Any) -> None:
        self.opt.write_step(params, state, step)

    def _count(self, write: Any) -> None:
        self.opt._count(write)


_SHARED = (
    "param_length loss_scale need_scale reciprocal_scale is_group is_group_lr dynamic_lr "
    "dynamic_weight_decay weight_decay decay_flags exec_weight_decay grad_centralization "
    "grad_centralization_flags"
)
