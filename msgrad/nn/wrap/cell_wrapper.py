"""Cells around a network: its loss, its evaluation, its gradients and one step of training.

The step with a loss scale is in ``loss_scale.py``.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from msgrad import ops
from msgrad._core.autocast import floating_to
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.autograd import GradOperation
from msgrad.common.dtype import from_numpy
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.tensor import Tensor
from msgrad.context import ParallelMode, get_auto_parallel_context
from msgrad.nn.cell import Cell
from msgrad.nn.layer.basic import Identity
from msgrad.nn.optim._sharded import unreduced
from msgrad.nn.wrap.grad_reducer import DistributedGradReducer, _broadcast_parameters


class WithLossCell(Cell):
    """A network with its loss; the names of the network's parameters stay.

    Args:
        backbone: The network, called with the data.
        loss_fn: Called with the network's output and the label.
    """

    def __init__(self, backbone: Any, loss_fn: Any) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self) -> Any:
        """The network."""
        return self._backbone


class WithEvalCell(Cell):
    """A network with its loss, for evaluation: gives ``(loss, output, label)``.

    Args:
        network: The network, called with the data.
        loss_fn: Called with the network's output and the label.
        add_cast_fp32: Whether output and label are cast to float32 first.

    Raises:
        TypeError: If ``add_cast_fp32`` is not a bool.
    """

    def __init__(self, network: Any, loss_fn: Any, add_cast_fp32: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = of_type("WithEvalCell", "add_cast_fp32", add_cast_fp32, bool)

    def construct(self, data: Any, label: Any) -> tuple[Any, Any, Any]:
        """Compute the loss and give the output beside it."""
        outputs = self._network(data)
        if self.add_cast_fp32:
            label, outputs = floating_to(np.dtype("float32"), (label, outputs))
        return self._loss_fn(outputs, label), outputs, label


class ForwardValueAndGrad(Cell):
    """Return the output of a network and its gradients, arranged as by ``GradOperation``.

    Args:
        network: Cell or function.
        weights: Parameters, for ``get_by_list``.
        get_all: Give the gradients of all inputs.
        get_by_list: Give the gradients of the weights.
        sens_param: The last positional argument is the cotangent of the output.

    Raises:
        TypeError: For arguments of other types.
    """

    def __init__(
        self,
        network: Any,
        weights: Any = None,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
    ) -> None:
        super().__init__(auto_prefix=False)
        owner = "ForwardValueAndGrad"
        if not callable(network):
            raise ArgumentTypeError(
                f"For '{owner}', the argument 'network' must be cell, function type or method "
                f"type, but got '{type(network)}'"
            )
        flags = {"get_all": get_all, "get_by_list": get_by_list, "sens_param": sens_param}
        for name, value in flags.items():
            if not isinstance(value, bool):
                raise ArgumentTypeError(
                    f"For '{owner}', the type of '{name}' must be bool, but got '{type(value)}'"
                )
        if get_by_list and not isinstance(weights, (ParameterTuple, tuple, list)):
            raise ArgumentTypeError(
                f"For '{owner}', when 'get_by_list' is set to True, the argument 'weights' must "
                f"be Parameters array, but got '{type(weights)}'"
            )
        self.network = network
        if isinstance(network, Cell):
            network.set_grad()
        self.weights = weights
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param
        self.grad = GradOperation(get_all, get_by_list, sens_param)

    def construct(self, *inputs: Any) -> tuple[Any, Any]:
        """Run the network once; return its output and the gradients."""
        return self.grad.output_and_gradients(self.network, self.weights, inputs, {})


class TrainOneStepCell(Cell):
    """One step of training: loss, gradients, update of the weights.

    Args:
        network: Cell that gives the loss, a Tensor or a tuple of them, of which all are
            differentiated. It runs once in each step.
        optimizer: Its parameters are the ``weights``.
        sens: Factor on the gradients, which nothing divides out again; None for 1.
        return_grad: Give also a dict of the gradients by parameter name.

    Output: what the network gives, before the update; with ``return_grad`` a pair with the dict.

    Where the mode of ``set_auto_parallel_context`` is ``data_parallel`` when it is made, gradients
    are summed over the ranks first, or averaged with ``gradients_mean``; ``parameter_broadcast``
    gives all ranks the parameters and the optimizer's state of rank 0.

    An optimizer made under ``enable_parallel_optimizer`` keeps its part of the state on each rank.

    A subclass may replace ``construct`` and use ``network``, ``optimizer``, ``weights``, ``grad``,
    ``sens``, ``grad_reducer``, ``reducer_flag`` and ``parallel_mode``.
    """

    _adds_up: bool = False

    def __init__(
        self, network: Any, optimizer: Any, sens: float | None = None, return_grad: bool = False
    ) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = self.optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        shape = getattr(sens, "shape", ())
        if math.prod(shape) != 1:
            raise ArgumentValueError(
                f"For '{type(self).__name__}', the 'sens' must be a number, but got an array of "
                f"shape {tuple(shape)}."
            )
        self.sens = 1.0 if sens is None else sens
        self.sense_flag = sens is not None
        self.return_grad = return_grad
        # What subclasses ask before they update: here only the callback OnRequestExit stops.
        self.use_graceful_exit = False
        self.parallel_mode = get_auto_parallel_context("parallel_mode")
        self.reducer_flag = self.parallel_mode in (
            ParallelMode.DATA_PARALLEL,
            ParallelMode.HYBRID_PARALLEL,
        )
        self.grad_reducer: Any = Identity()
        if self.reducer_flag:
            self.mean = get_auto_parallel_context("gradients_mean")
            self.grad_reducer = DistributedGradReducer(self.weights, self.mean)
            self.degree = self.grad_reducer.degree
            # A sharded optimizer adds them up itself, if nobody sees them in between.
            own = type(self).construct is TrainOneStepCell.construct and not return_grad
            self._adds_up = own and getattr(optimizer, "_parts", 1) > 1
            if get_auto_parallel_context("parameter_broadcast"):
                _broadcast_parameters(self)

    def _loss_and_gradients(self, inputs: tuple[Any, ...], sens: Any) -> tuple[Any, Any]:
        # One program, where a call of the network and a gradient call after it would be two.
        filled = None if sens is None else functools.partial(_filled, sens)
        return self.grad_no_sens.output_and_gradients(
            self.network, self.weights, inputs, {}, filled
        )

    def construct(self, *inputs: Any) -> Any:
        loss, grads = self._loss_and_gradients(inputs, self.sens if self.sense_flag else None)
        if self._adds_up:
            grads = unreduced(grads, 1.0 / self.degree if self.mean else None)
        else:
            grads = self.grad_reducer(grads)
        self.optimizer(grads)
        if self.return_grad:
            return loss, {
                weight.name: grad for weight, grad in zip(self.weights, grads, strict=True)
            }
        return loss


def _filled(value: Any, outputs: list[Any]) -> list[Any]:
    """Return, for each output, a raw array that is ``value``, of one element, everywhere."""
    number = value.reshape(()) if getattr(value, "shape", ()) else value
    return [ops.fill(from_numpy(o.dtype), o.shape, number)._read() for o in outputs]


class ParameterUpdate(Cell):
    """Assigns its input to a parameter.

    Args:
        param: The parameter.

    Raises:
        TypeError: If it is not a Parameter.
    """

    def __init__(self, param: Parameter) -> None:
        super().__init__(auto_prefix=False)
        self._param = of_type("ParameterUpdate", "param", param, Parameter)

    def construct(self, x: Tensor) -> Tensor:
        """Assign; return the value."""
        return ops.assign(self._param, x)


class _VirtualDataset(Cell):
    """Marks the inputs that come from a dataset; in one process they stay as they are."""

    def construct(self, *data: Any) -> Any:
        return data[0] if len(data) == 1 else data


class _VirtualDatasetCell(Cell):
    """Calls a network with inputs that are marked as coming from a dataset."""

    def __init__(self, backbone: Any) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs: Any) -> Any:
        return self._backbone(*inputs)


class VirtualDatasetCellTriple(_VirtualDatasetCell):
    """Calls a network with three inputs that are marked as coming from a dataset.

    Args:
        backbone: The network.
    """

    def construct(self, a: Any, b: Any, c: Any) -> Any:
        return self._backbone(a, b, c)


class WithGradCell(Cell):
    """The gradients of the weights of a network, by its loss.

    Args:
        network: The Cell; training mode is set.
        loss_fn: Called with the network's output and the label; None if the network gives a loss.
        sens: The cotangent of the loss; None for 1.

    Output: a tuple of gradients, one for each trainable parameter.
    """

    def __init__(self, network: Cell, loss_fn: Any = None, sens: Any = None) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)
        self.sens = sens
        whole = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss = whole.set_train()

    def construct(self, *inputs: Any) -> Any:
        more = () if self.sens is None else (self.sens,)
        return self.grad(self.network_with_loss, self.weights)(*inputs, *more)


__all__ = public_names(globals())

_OTHERS = "GradAccumulationCell MicroBatchInterleaved PipelineCell _MicroBatch"
__getattr__ = missing_names(
    __name__,
    {
        **dict.fromkeys(_OTHERS.split(), "msgrad.nn.wrap.micro_batches"),
        "DistributedGradReducer": "msgrad.nn.wrap.grad_reducer",
    },
)
