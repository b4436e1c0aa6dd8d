"""MindSpore's names on JAX: ``import msgrad as ms``, or ``install()`` and ``import mindspore``.

This file only re-exports; the first import also makes JAX keep explicit 64-bit dtypes (see
``_core/engine.py``).

``__version__`` is that of the MindSpore API, ``"2.10.0"``: under ``install()`` this very module is
``mindspore``, and programs check it. msgrad's own release is ``__msgrad_version__``.
"""

from msgrad import (
    amp,
    common,
    communication,
    context,
    experimental,
    log,
    nn,
    ops,
    parallel,
    train,
    version,
)
from msgrad._core.missing import missing_names
from msgrad.amp import (
    DynamicLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
    build_train_network,
)
from msgrad.autograd import (
    _Function,
    _no_grad,
    get_grad,
    grad,
    jacfwd,
    jacrev,
    jit,
    jvp,
    recompute,
    value_and_grad,
    vjp,
    vmap,
)
from msgrad.common import *  # noqa: F403
from msgrad.context import (
    GRAPH_MODE,
    PYNATIVE_MODE,
    ParallelMode,
    get_auto_parallel_context,
    get_context,
    get_ps_context,
    reset_auto_parallel_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_context,
    set_device,
    set_ps_context,
)
from msgrad.parallel import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from msgrad.porting.install import install, uninstall
from msgrad.train.serialization import (
    async_ckpt_thread_status,
    export,
    load_checkpoint,
    load_checkpoint_async,
    load_distributed_checkpoint,
    load_param_into_net,
    save_checkpoint,
)
from msgrad.version import __msgrad_version__, __version__

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "ParallelMode",
    "_Function",
    "__msgrad_version__",
    "__version__",
    "_no_grad",
    "amp",
    "async_ckpt_thread_status",
    "build_train_network",
    "common",
    "communication",
    "context",
    "experimental",
    "export",
    "get_algo_parameters",
    "get_auto_parallel_context",
    "get_context",
    "get_grad",
    "get_ps_context",
    "grad",
    "install",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_distributed_checkpoint",
    "load_param_into_net",
    "log",
    "nn",
    "ops",
    "parallel",
    "recompute",
    "reset_algo_parameters",
    "reset_auto_parallel_context",
    "reset_ps_context",
    "save_checkpoint",
    "set_algo_parameters",
    "set_auto_parallel_context",
    "set_context",
    "set_device",
    "set_ps_context",
    "train",
    "uninstall",
    "value_and_grad",
    "version",
    "vjp",
    "vmap",
]
__all__ += common.__all__

__getattr__ = missing_names(__name__)
