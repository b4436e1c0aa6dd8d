"""MindSpore's names on JAX: ``import msgrad as ms``, or ``install()`` and ``import mindspore``.

This file only re-exports; the first import also makes JAX keep explicit 64-bit dtypes (see
``_core/engine.py``).

``__version__`` is that of the MindSpore API, ``"2.10.0"``: under ``install()`` this very module is
``mindspore``, and programs check it. msgrad's own release is ``__msgrad_version__``.
"""

from msgrad import amp, common, context, nn, ops, version
from msgrad._core.missing import missing_names
from msgrad.autograd import (
    _Function,
    _no_grad,
    get_grad,
    grad,
    jacfwd,
    jacrev,
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
    reset_auto_parallel_context,
    set_auto_parallel_context,
    set_context,
    set_device,
)
from msgrad.porting.install import install, uninstall
from msgrad.version import __msgrad_version__, __version__

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "ParallelMode",
    "_Function",
    "__msgrad_version__",
    "__version__",
    "_no_grad",
    "amp",
    "common",
    "context",
    "get_auto_parallel_context",
    "get_context",
    "get_grad",
    "grad",
    "install",
    "jacfwd",
    "jacrev",
    "jvp",
    "nn",
    "ops",
    "recompute",
    "reset_auto_parallel_context",
    "set_auto_parallel_context",
    "set_context",
    "set_device",
    "uninstall",
    "value_and_grad",
    "version",
    "vjp",
    "vmap",
]
__all__ += common.__all__

__getattr__ = missing_names(__name__)
