"""Loss scales as Cells, and the step of training that uses one.

The scalers of ``mindspore.amp`` and the managers for ``Model`` are in ``msgrad.amp``.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad import ops
from msgrad._core.bridge import is_tensor
from msgrad._core.distributed.world import world
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.scopes.scope import only_if
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell
from msgrad.nn.wrap.cell_wrapper import TrainOneStepCell
from msgrad.nn.wrap.grad_reducer import grad_scale as grad_scale
from msgrad.nn.wrap.grad_reducer import shard_grad_scale as shard_grad_scale
from msgrad.ops.float_status import every_finite

_STATUS_WORDS = 8


@jax.jit
def _updated(
    scale: jax.Array,
    overflow: jax.Array,
    step: jax.Array,
    last: jax.Array,
    factor: jax.Array,
    window: jax.Array,
    least: jax.Array,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    shrunk = jnp.maximum(scale * (1.0 / factor), least)
    grows = ~overflow & (step - last >= window)
    new = jnp.where(overflow, shrunk, jnp.where(grows, scale * factor, scale))
    return new.reshape(scale.shape), jnp.where(overflow | grows, step, last), step + 1


class DynamicLossScaleUpdateCell(Cell):
    """Shrinks a loss scale after an overflow, and lets it grow after a while without one.

    Args:
        loss_scale_value: The scale to start with.
        scale_factor: What to multiply or divide by.
        scale_window: After how many steps without overflow it grows.

    Inputs: loss_scale, a Parameter, float32, changed in place and never below
    ``minimum_loss_scale``, which is 1; overflow, a 0-d bool Tensor. Output: overflow.
    """

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: int) -> None:
        super().__init__()
        self.scale_window = Tensor(scale_window, mstype.int32)
        self.scale_factor = Tensor(scale_factor, mstype.float32)
        self.minimum_loss_scale = Tensor(1.0, mstype.float32)
        self.loss_scale_value = loss_scale_value
        self.cur_iter = Parameter(Tensor(1, mstype.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(
            Tensor(0, mstype.int32), name="last_overflow_iterator_step"
        )

    def get_loss_scale(self) -> float:
        """Return the scale to start with."""
        return self.loss_scale_value

    def construct(self, loss_scale: Parameter, overflow: Tensor) -> Tensor:
        """Update the scale.

        Raises:
            TypeError: If ``overflow`` is not a Tensor, or the scale is not float32.
        """
        if not is_tensor(overflow):
            raise ArgumentTypeError(
                "For 'DynamicLossScaleUpdateCell', 'overflow' must be a bool Tensor, but got "
                f"{type(overflow).__name__}; wrap it: Tensor({overflow!r})."
            )
        if loss_scale.dtype is not mstype.float32:
            raise ArgumentTypeError(
                "For 'DynamicLossScaleUpdateCell', the loss scale must be float32, but got "
                f"{loss_scale.dtype}."
            )
        scale, last, step = _updated(
            loss_scale._read(),
            overflow._read().reshape(()).astype(bool),
            self.cur_iter._read(),
            self.last_overflow_iter._read(),
            self.scale_factor._read(),
            self.scale_window._read(),
            self.minimum_loss_scale._read(),
        )
        loss_scale._assign(scale)
        self.last_overflow_iter._assign(last)
        self.cur_iter._assign(step)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """Leaves a loss scale as it is.

    Args:
        loss_scale_value: The scale.

    Inputs: loss_scale and overflow. Output: overflow.
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self) -> float:
        """Return the scale."""
        return self.loss_scale_value

    def construct(self, _: Any, overflow: Any) -> Any:
        """Do nothing."""
        return overflow


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One step of training with a scaled loss; a step whose gradients overflow is left out.

    Args:
        network: Cell that gives the loss. It runs once in each step.
        optimizer: Gets gradients that are unscaled again.
        scale_sense: A Cell that updates the scale, such as ``DynamicLossScaleUpdateCell``, or the
            scale itself, a Tensor () or (1,).

    Output: ``(loss, overflow, scale_sense)``: the loss unscaled, whether a gradient was not
    finite (0-d bool Tensor), and the scale, the Parameter itself.

    Raises:
        TypeError: If ``scale_sense`` is neither Cell nor Tensor.
        ValueError: If it is a Tensor of another shape.

    Differs from MindSpore: the overflow check runs on every device; in MindSpore the step raises
    on CPU.
    """

    def __init__(self, network: Any, optimizer: Any, scale_sense: Any) -> None:
        super().__init__(network, optimizer, sens=None)
        self.hyper_map = ops.HyperMap()
        self.base = Tensor(1, mstype.float32)
        self.base0 = Tensor(0, mstype.int32)
        self.reduce_sum = ops.ReduceSum(keep_dims=False)
        self.reduce_all = ops.ReduceAll(keep_dims=False)
        self.less_equal = ops.LessEqual()
        self.equal = ops.Equal()
        self.logic_not = ops.LogicalNot()
        self.allreduce = ops.AllReduce()
        self.is_distributed = self.reducer_flag and world.size > 1
        self.gpu_target = False
        self.loss_scaling_manager = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            start: Any = Tensor(scale_sense.get_loss_scale(), mstype.float32)
        elif is_tensor(scale_sense):
            if scale_sense.shape not in ((), (1,)):
                raise ArgumentValueError(
                    "For 'TrainOneStepWithLossScaleCell', the shape of 'scale_sense' must be (1,) "
                    f"or (), but got {scale_sense.shape}."
                )
            start = scale_sense
        else:
            raise ArgumentTypeError(
                "For 'TrainOneStepWithLossScaleCell', the 'scale_sense' must be Cell or Tensor, "
                f"but got 'scale_sense' type: {type(scale_sense)}."
            )
        self.scale_sense = Parameter(start, name="scale_sense")

    def construct(self, *inputs: Any) -> tuple[Any, Any, Any]:
        loss, grads = self._loss_and_gradients(inputs, self.scale_sense)
        status, scale = self.start_overflow_check(loss, self.scale_sense)
        grads = self.hyper_map(ops.partial(_unscaled, scale), grads)
        grads = self.grad_reducer(grads)
        overflow = self.process_loss_scale(self.get_overflow_status(status, grads))
        only_if(ops.logical_not(overflow), lambda: self.optimizer(grads))
        return loss, overflow, self.scale_sense

    def set_sense_scale(self, sens: Tensor) -> None:
        """Set the scale.

        Args:
            sens: Tensor.

        Raises:
            TypeError: If it is not a Tensor.
        """
        if not is_tensor(sens):
            raise ArgumentTypeError(
                "For 'TrainOneStepWithLossScaleCell', the type of 'sens' must be Tensor, but got "
                f"{type(sens)}"
            )
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, pre_cond: Any, compute_input: Any) -> tuple[Tensor, Any]:
        """Begin to watch for overflows: nothing to do here.

        Args:
            pre_cond: What must have been computed before.
            compute_input: What is computed from next.

        Returns:
            A status for ``get_overflow_status``, int32 (8,) of zeros, and ``compute_input``.
        """
        return ops.zeros((_STATUS_WORDS,), mstype.int32), compute_input

    def get_overflow_status(self, status: Any, compute_output: Any) -> Tensor:
        """Whether an element of the gradients is infinite or nan.

        Args:
            status: What ``start_overflow_check`` gave.
            compute_output: Tensor, or Tensors in tuples and lists.

        Returns:
            0-d bool Tensor.
        """
        overflow = ~every_finite(_flat(compute_output))
        if not self.is_distributed:
            return overflow
        # An overflow on one rank leaves out the step on all of them.
        return self.allreduce(ops.cast(overflow, mstype.float32)) > 0

    def process_loss_scale(self, overflow: Any) -> Any:
        """Update the scale where there is a Cell for it; returns ``overflow``.

        Args:
            overflow: 0-d bool Tensor.
        """
        if self.loss_scaling_manager is None:
            return overflow
        return self.loss_scaling_manager(self.scale_sense, overflow)


def _unscaled(scale: Tensor, grad: Tensor) -> Tensor:
    return grad * ops.cast(ops.reciprocal(scale), grad.dtype)


# The name that programs with a step of their own import.
_grad_scale = ops.MultitypeFuncGraph("grad_scale")
_grad_scale.register("Tensor", "Tensor")(_unscaled)


def _flat(tree: Any) -> list[Any]:
    if isinstance(tree, (tuple, list)):
        return [leaf for item in tree for leaf in _flat(item)]
    return [tree]


__all__ = public_names(globals())
