"""``Model``: the loops of training, evaluation and prediction; no callback and no metric."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from msgrad._core.checks import of_type, one_of
from msgrad._core.distributed.world import world
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingAttributeError,
    UnsupportedError,
)
from msgrad._core.left_out import refused
from msgrad.amp import LossScaleManager, build_train_network
from msgrad.amp.build import check_boost
from msgrad.amp.mixed_precision import LEVELS
from msgrad.context import ParallelMode as ParallelMode
from msgrad.context import get_auto_parallel_context
from msgrad.nn import Cell, Optimizer, WithEvalCell, WithLossCell
from msgrad.train import callback as _builtin
from msgrad.train.callback._callback import (
    OLD_HOOKS,
    Callback,
    CallbackManager,
    InternalCallbackParam,
    RunContext,
    a_bool,
    an_int,
)
from msgrad.train.dataset_helper import DatasetHelper, dataset_size
from msgrad.train.metrics import Loss, Metric, get_metrics

__all__ = ["Model"]

_KEYWORDS = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")
# MindSpore's own callbacks sit out the evaluations within `fit`; this one does not.
_IN_EVALUATION = (_builtin.TimeMonitor,)


class Model:
    """A network with what trains and evaluates it.

    Args:
        network: Cell; without ``loss_fn`` it gives the loss itself.
        loss_fn: Cell called with the network's output and the label.
        optimizer: Optimizer of the network's parameters; without one, training only runs it.
        metrics: Set of names (``{'acc', 'loss'}``), or dict of Metrics by name.
        eval_network: Cell that gives loss, prediction and label; by default made of ``network``
            and ``loss_fn``.
        eval_indexes: list of three int: where those are among its outputs. None feeds all of its
            outputs to each metric.
        amp_level: Of mixed precision, see ``amp.auto_mixed_precision``.
        boost_level: ``'O0'``, ``'O1'`` or ``'O2'``, with the same numbers.
        kwargs: ``loss_scale_manager`` (LossScaleManager or None), ``keep_batchnorm_fp32`` (bool);
            ``boost_config_dict`` and ``acc_level`` are accepted for compatibility.

    Raises:
        TypeError, ValueError: For arguments that are not accepted.

    Differs from MindSpore: data are fed batch by batch in any sink mode, with the same numbers;
    level O2 and every loss scale manager work on CPU too.
    """

    def __init__(
        self,
        network: Cell,
        loss_fn: Cell | None = None,
        optimizer: Optimizer | None = None,
        metrics: Any = None,
        eval_network: Cell | None = None,
        eval_indexes: list[int] | None = None,
        amp_level: str = "O0",
        boost_level: str = "O0",
        **kwargs: Any,
    ) -> None:
        self._network = of_type(None, "network", network, Cell)
        if loss_fn and not isinstance(loss_fn, Cell):
            raise MissingAttributeError(
                f"'{type(loss_fn).__name__}' object has no attribute 'get_inputs': the 'loss_fn' "
                "of Model must be a Cell."
            )
        self._loss_fn = loss_fn
        self._optimizer = of_type(None, "optimizer", optimizer, Optimizer, type(None))
        self._check_options(amp_level, boost_level, optimizer is not None, kwargs)
        self._amp_level = amp_level
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._loss_scale_manager_set = "loss_scale_manager" in kwargs
        self._keep_bn_fp32 = kwargs.get("keep_batchnorm_fp32")
        self._eval_network: Cell | None = None
        self._eval_indexes: list[int] | None = None
        self._parallel_mode = get_auto_parallel_context("parallel_mode")
        # Subclasses override these three.
        self._train_network = self._build_train_network()
        self._build_eval_network(metrics, eval_network, eval_indexes)
        self._build_predict_network()

    @staticmethod
    def _check_options(
        amp_level: Any, boost_level: Any, has_optimizer: bool, kwargs: dict[str, Any]
    ) -> None:
        if not isinstance(amp_level, str):
            raise ArgumentTypeError(
                f"The argument `level` must be a string in {list(LEVELS)},but got type "
                f"{type(amp_level)}."
            )
        if amp_level not in LEVELS:
            raise ArgumentValueError(
                f"The 'level' should be in : {list(LEVELS)}, but got {amp_level}."
            )
        if amp_level != "O0" and not has_optimizer:
            raise ArgumentValueError(
                "Auto mixed precision will not work because 'optimizer' is None.Please set "
                "amp_level='O0' to disable auto mixed precision or set 'optimizer' not be None to "
                "use auto mixed precision."
            )
        check_boost(boost_level)
        for name in kwargs:
            if name not in _KEYWORDS:
                raise ArgumentValueError(
                    "The argument in 'kwargs' should be 'loss_scale_manager' or "
                    "'keep_batchnorm_fp32' or 'boost_config_dict' or 'acc_level', but got "
                    f"'{name}'."
                )
        if kwargs.get("loss_scale_manager") is not None:
            of_type(None, "loss_scale_manager", kwargs["loss_scale_manager"], LossScaleManager)
        if "keep_batchnorm_fp32" in kwargs:
            of_type(None, "keep_batchnorm_fp32", kwargs["keep_batchnorm_fp32"], bool)

    def _build_train_network(self) -> Cell:
        if self._optimizer is None:
            return WithLossCell(self._network, self._loss_fn) if self._loss_fn else self._network
        options: dict[str, Any] = {}
        if self._keep_bn_fp32 is not None:
            options["keep_batchnorm_fp32"] = self._keep_bn_fp32
        if self._loss_scale_manager_set:
            options["loss_scale_manager"] = self._loss_scale_manager
        return build_train_network(
            self._network, self._optimizer, self._loss_fn, self._amp_level, **options
        )

    def _build_eval_network(self, metrics: Any, eval_network: Any, eval_indexes: Any) -> None:
        self._metric_fns = get_metrics(metrics)
        if self._metric_fns:
            self._eval_network, self._eval_indexes = _evaluation_network(
                self._network, self._loss_fn, eval_network, eval_indexes, self._amp_level
            )

    def _build_predict_network(self) -> None:
        self._predict_network = self._network

    @property
    def train_network(self) -> Cell:
        """The training step: network, loss, optimizer and loss scale."""
        return self._train_network

    @property
    def eval_network(self) -> Cell | None:
        """The network that gives loss, prediction and label; None without metrics."""
        return self._eval_network

    @property
    def predict_network(self) -> Cell:
        """The network that ``predict`` runs."""
        return self._predict_network

    # Training -------------------------------------------------------------------------------

    def train(
        self,
        epoch: int,
        train_dataset: Any,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train.

        Args:
            epoch: int, the number of the last epoch.
            train_dataset: Dataset, or any object with ``get_dataset_size`` and
                ``create_tuple_iterator``; with a ``loss_fn``, of two columns.
            callbacks: Callback, or list of them.
            dataset_sink_mode: Accepted for compatibility.
            sink_size: int; in sink mode, the steps that callbacks take for an epoch.
            initial_epoch: int, the number of epochs already done (see ``ModelCheckpoint``).

        Raises:
            TypeError, ValueError: For arguments that are not accepted.
        """
        self._check_epochs("train", epoch, initial_epoch, dataset_sink_mode, sink_size)
        self._loop(epoch, initial_epoch, train_dataset, callbacks, dataset_sink_mode, sink_size)

    def fit(
        self,
        epoch: int,
        train_dataset: Any,
        valid_dataset: Any = None,
        valid_frequency: int | list[int] = 1,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        valid_dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train, and evaluate after epochs.

        Args:
            epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch: As for
                ``train``; callbacks of one's own may define only hooks named ``on_...``.
            valid_dataset: Dataset to evaluate on, or None.
            valid_frequency: int, evaluate after every so many epochs; or the list of the epochs.
            valid_dataset_sink_mode: Accepted for compatibility.

        Raises:
            TypeError, ValueError: For arguments that are not accepted.
        """
        self._check_epochs("fit", epoch, initial_epoch, dataset_sink_mode, sink_size)
        a_bool(valid_dataset_sink_mode)
        _refuse_old_hooks(callbacks)
        if not isinstance(valid_frequency, (int, list)):
            raise ArgumentTypeError(
                "For 'Model.fit', the type of 'valid_frequency' must be a list or an integer, but "
                f"got type {type(valid_frequency)}."
            )
        if valid_dataset is not None:
            dataset_size(valid_dataset)
            if not self._metric_fns:
                raise ArgumentValueError(
                    "For 'Model.fit', if valid_dataset is not None, the model argument 'metrics' "
                    "can not beNone or empty, you should set the argument 'metrics' for model."
                )
        valid = None if valid_dataset is None else (valid_dataset, valid_frequency)
        self._loop(
            epoch, initial_epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, valid
        )

    def _check_epochs(self, owner: str, epoch: Any, initial: Any, sink: Any, size: Any) -> None:
        a_bool(sink)
        an_int(epoch, 1)
        an_int(initial)
        if initial >= epoch:
            raise ArgumentValueError(
                f"For 'Model.{owner}', the parameter 'epoch' must bigger than parameter "
                f"'initial_epoch', but got the parameter 'epoch' is {epoch}, 'initial_epoch' is "
                f"{initial}."
            )
        if not isinstance(size, int):
            raise ArgumentTypeError(
                f"The type of input value must be 'int', but got '{type(size).__name__}'."
            )
        if size < -1 or size == 0:
            raise ArgumentValueError(
                f"For 'Model.{owner}', The argument 'sink_size' must be -1 or positive, but got "
                f"{size}."
            )

    def _loop(
        self,
        epochs: int,
        initial: int,
        dataset: Any,
        callbacks: Any,
        sink: bool,
        sink_size: int,
        valid: tuple[Any, Any] | None = None,
    ) -> None:
        if dataset_size(dataset) == 0:
            raise ArgumentValueError(
                "There is no valid data in dataset, please check dataset file firstly."
            )
        manager = CallbackManager(callbacks)
        helper = DatasetHelper(dataset, sink, sink_size, epochs)
        params = InternalCallbackParam(
            cur_step_num=0,
            train_network=self._train_network,
            epoch_num=epochs - initial,
            batch_num=sink_size if sink and sink_size > 0 else dataset_size(dataset),
            mode="train",
            loss_fn=self._loss_fn,
            optimizer=self._optimizer,
            parallel_mode=get_auto_parallel_context("parallel_mode"),
            device_number=world.size,
            train_dataset=dataset,
            list_callback=manager._callbacks,
            train_dataset_element=None,
            network=self._network,
            last_save_ckpt_step=None,
            latest_ckpt_file=None,
            # Spelled so in MindSpore.
            loss_scale_mananger=self._loss_scale_manager,
            initial_step=None,
            dataset_sink_mode=False,
        )
        with manager:
            context = RunContext(params)
            manager.on_train_begin(context)
            for epoch in range(initial + 1, epochs + 1):
                params.cur_epoch_num = epoch
                self._epoch(helper, manager, context, params)
                if hasattr(dataset, "reset"):
                    dataset.reset()
                if valid is not None and _is_due(epoch, valid[1]):
                    self._evaluate_in_fit(valid[0], manager, params)
                manager.on_train_epoch_end(context)
                for name in ("metrics", "eval_results"):
                    params.pop(name, None)
                if context.get_stop_requested():
                    break
            manager.on_train_end(context)

    def _epoch(self, helper: Any, manager: Any, context: RunContext, params: Any) -> None:
        manager.on_train_epoch_begin(context)
        self._train_network.set_train()
        for element in helper:
            inputs = element if isinstance(element, (list, tuple)) else (element,)
            if self._loss_fn is not None and len(inputs) != 2:
                raise ArgumentValueError(
                    "When 'loss_fn' is not None, 'train_dataset' should return two elements, but "
                    f"got {len(inputs)}, please check the number of elements returned by "
                    "'train_dataset'"
                )
            params.cur_step_num += 1
            params.train_dataset_element = element
            manager.on_train_step_begin(context)
            params.net_outputs = self._train_network(*inputs)
            manager.on_train_step_end(context)
            if context.get_stop_requested():
                break

    # Evaluation -----------------------------------------------------------------------------

    def _evaluate_in_fit(self, dataset: Any, manager: CallbackManager, params: Any) -> None:
        own = [
            one
            for one in manager._callbacks
            if not _is_builtin(one) or isinstance(one, _IN_EVALUATION)
        ]
        kept = {name: params.get(name) for name in ("cur_step_num", "net_outputs", "batch_num")}
        params.update(
            eval_network=self._eval_network,
            valid_dataset=dataset,
            batch_num=dataset_size(dataset),
            cur_step_num=0,
            mode="eval",
        )
        try:
            # With a context of its own: a stop asked for in it ends this evaluation only.
            with CallbackManager(own) as entered:
                self._evaluate(dataset, entered, RunContext(params), params, with_loss=True)
        finally:
            params.update(kept, mode="train")

    def _evaluate(
        self,
        dataset: Any,
        manager: CallbackManager,
        context: RunContext,
        params: Any,
        with_loss: bool = False,
    ) -> dict[str, Any]:
        assert self._eval_network is not None
        assert self._metric_fns is not None
        scores = _Scores(self._metric_fns, self._eval_indexes, with_loss)
        manager.on_eval_begin(context)
        self._eval_network.set_train(False)
        manager.on_eval_epoch_begin(context)
        for element in DatasetHelper(dataset):
            inputs = element if isinstance(element, (list, tuple)) else (element,)
            params.cur_step_num += 1
            params.eval_dataset_element = element
            manager.on_eval_step_begin(context)
            params.net_outputs = self._eval_network(*inputs)
            manager.on_eval_step_end(context)
            scores.update(params.net_outputs)
            if context.get_stop_requested():
                break
        manager.on_eval_epoch_end(context)
        if hasattr(dataset, "reset"):
            dataset.reset()
        results = scores.eval()
        if with_loss:
            params.eval_results = results
        params.metrics = {name: results[name] for name in self._metric_fns}
        manager.on_eval_end(context)
        return params.metrics

    def eval(
        self, valid_dataset: Any, callbacks: Any = None, dataset_sink_mode: bool = False
    ) -> dict[str, Any]:
        """Evaluate.

        Args:
            valid_dataset: Dataset, as for ``train``.
            callbacks: Callback, or list of them.
            dataset_sink_mode: Accepted for compatibility.

        Returns:
            The value of each metric, by name.

        Raises:
            TypeError: For arguments of other types.
            ValueError: If the Model has no metrics.
        """
        a_bool(dataset_sink_mode)
        if callbacks is not None and not isinstance(callbacks, (Callback, list, tuple)):
            raise ArgumentTypeError("The 'callbacks' is not a Callback or a list of Callback.")
        if not self._metric_fns:
            raise ArgumentValueError(
                "For Model.eval, the model argument 'metrics' can not be None or empty, you should "
                "set the argument 'metrics' for model."
            )
        manager = CallbackManager(callbacks)
        params = InternalCallbackParam(
            eval_network=self._eval_network,
            valid_dataset=valid_dataset,
            batch_num=dataset_size(valid_dataset),
            mode="eval",
            cur_step_num=0,
            list_callback=manager._callbacks,
            network=self._network,
            dataset_sink_mode=False,
        )
        with manager:
            return self._evaluate(valid_dataset, manager, RunContext(params), params)

    def predict(self, *predict_data: Any, backend: str | None = None, config: Any = None) -> Any:
        """Run the network outside of training mode.

        Args:
            predict_data: Its inputs: Tensors, numbers, tuples, lists or dicts.
            backend, config: Accepted for compatibility: None or ``'lite'``, and its settings.

        Returns:
            Its output.

        Raises:
            TypeError: For an input of another type.
            ValueError: For another backend.
        """
        one_of("Model.predict", "backend", backend, None, "lite")
        for item in predict_data:
            if isinstance(item, np.ndarray):
                kinds = "Tensor, None, int, float, str"
                raise ArgumentTypeError(
                    f"The types of input data must be in the Union({kinds}, tuple[{kinds}], "
                    f"list[{kinds}], dict[{kinds}]), but got type ndarray. Wrap it in Tensor(...)."
                )
        self._predict_network.set_train(False)
        return self._predict_network(*predict_data)

    def build(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Left out: compiles ahead of time for Ascend; raises ``NotImplementedError``."""
        raise UnsupportedError(
            "Pre-init process only supports Ascend target currently. Call train, fit or eval; they "
            "need no build."
        )

    infer_train_layout = refused(
        __name__, "infer_train_layout", "layouts of model parallelism; call train or fit"
    )
    infer_predict_layout = refused(
        __name__, "infer_predict_layout", "layouts of model parallelism; call predict"
    )


def _evaluation_network(
    network: Any, loss_fn: Any, given: Any, indexes: Any, amp_level: str
) -> tuple[Any, list[int] | None]:
    """Return the network that an evaluation runs, and where loss, prediction and label are in it.

    Raises:
        ValueError: If there is neither an evaluation network nor a loss, or the indexes are no
            list of three.
    """
    if given is not None:
        if indexes is not None and not (isinstance(indexes, list) and len(indexes) == 3):
            raise ArgumentValueError(
                "The argument 'eval_indexes' must be a list or None. If 'eval_indexes' is a list, "
                f"length of it must be three. But got 'eval_indexes' {indexes}"
            )
        return given, indexes
    if loss_fn is None:
        raise ArgumentValueError(
            "If `metrics` is set, `eval_network` must not be None. Do not set `metrics` if you "
            "don't want an evaluation. (With a loss_fn, Model makes the eval_network itself.)"
        )
    return WithEvalCell(network, loss_fn, amp_level in ("O2", "O3", "auto")), [0, 1, 2]


class _Scores:
    """The metrics of one evaluation.

    Args:
        metrics: By name.
        indexes: Where loss, prediction and label are among the outputs; None feeds all of them.
        with_loss: Whether to add ``eval_loss``: as in MindSpore, the loss of the last batch.
    """

    def __init__(
        self, metrics: dict[str, Metric], indexes: list[int] | None, with_loss: bool = False
    ) -> None:
        self._metrics = dict(metrics)
        self._indexes = indexes
        if with_loss and indexes is not None:
            self._metrics["eval_loss"] = Loss()
        for metric in self._metrics.values():
            metric.clear()

    def update(self, outputs: Any) -> None:
        """Update with the outputs of a step."""
        each = tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)
        if "eval_loss" in self._metrics:
            self._metrics["eval_loss"].clear()
        for metric in self._metrics.values():
            if self._indexes is None:
                metric.update(*each)
            elif isinstance(metric, Loss):
                metric.update(each[self._indexes[0]])
            else:
                metric.update(each[self._indexes[1]], each[self._indexes[2]])

    def eval(self) -> dict[str, Any]:
        """Return the value of each metric."""
        return {name: metric.eval() for name, metric in self._metrics.items()}


def _is_builtin(one: Callback) -> bool:
    return type(one).__module__.startswith(f"{_builtin.__name__}.")


def _is_due(epoch: int, frequency: int | list[int]) -> bool:
    return epoch in frequency if isinstance(frequency, list) else epoch % frequency == 0


def _refuse_old_hooks(callbacks: Any) -> None:
    for one in CallbackManager(callbacks)._callbacks:
        old = {name for name in OLD_HOOKS if name in vars(type(one))}
        if old and not _is_builtin(one):
            raise ArgumentValueError(
                f"For {type(one).__name__} callback, {old} methods may not be supported in later "
                "version, Use methods prefixed with 'on_train' or 'on_eval' instead when using "
                "customized callbacks."
            )
