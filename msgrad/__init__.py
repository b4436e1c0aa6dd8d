"""MindSpore's names on JAX: ``import msgrad as ms``, or ``install()`` and ``import mindspore``.

This file only re-exports. Its first import goes before all others (see ``porting/start.py``); the
second connects the ranks of a job, before JAX computes (see ``_core/distributed/world.py``); later
ones make JAX keep explicit 64-bit dtypes (see ``_core/engine``).

``__version__`` is that of the MindSpore API, ``"2.10.0"``: under ``install()`` this very module is
``mindspore``, and programs check it. msgrad's own release is ``__msgrad_version__``.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from msgrad._core.collecting import uncollected as _uncollected
from msgrad.porting import start as _start

# isort: split

with _uncollected():
    from msgrad._core.distributed import world as _world  # noqa: F401

    # isort: split

    from msgrad import amp as amp
    from msgrad import common as common
    from msgrad import communication as communication
    from msgrad import context as context
    from msgrad import device_manager as device_manager
    from msgrad import hal as hal
    from msgrad import log as log
    from msgrad import nn as nn
    from msgrad import ops as ops
    from msgrad import parallel as parallel
    from msgrad import runtime as runtime
    from msgrad import train as train
    from msgrad import version as version
from msgrad._core.compile_cache import set_compile_cache as set_compile_cache
from msgrad._core.deferred.recording import eager_mode as eager_mode
from msgrad._core.exports import public_names as _public_names
from msgrad._core.missing import missing_names as _missing_names
from msgrad._core.paths import later as _later
from msgrad.amp.build import *  # noqa: F403
from msgrad.amp.loss_scale_manager import *  # noqa: F403
from msgrad.autograd import _Function as _Function
from msgrad.autograd import _no_grad as _no_grad
from msgrad.autograd import fuse_steps as fuse_steps
from msgrad.autograd import get_grad as get_grad
from msgrad.autograd import grad as grad
from msgrad.autograd import jacfwd as jacfwd
from msgrad.autograd import jacrev as jacrev
from msgrad.autograd import jit as jit
from msgrad.autograd import jit_class as jit_class
from msgrad.autograd import jit_stats as jit_stats
from msgrad.autograd import jvp as jvp
from msgrad.autograd import lazy_inline as lazy_inline
from msgrad.autograd import mutable as mutable
from msgrad.autograd import recompute as recompute
from msgrad.autograd import value_and_grad as value_and_grad
from msgrad.autograd import vjp as vjp
from msgrad.autograd import vmap as vmap
from msgrad.common import dtype as dtype
from msgrad.common.dtype import *  # noqa: F403
from msgrad.common.generator import *  # noqa: F403
from msgrad.common.jit_config import *  # noqa: F403
from msgrad.common.parameter import Parameter as Parameter
from msgrad.common.parameter import ParameterTuple as ParameterTuple
from msgrad.common.seed import *  # noqa: F403
from msgrad.common.tensor import Tensor as Tensor
from msgrad.common.tensor import tensor as tensor
from msgrad.context import *  # noqa: F403
from msgrad.device_manager import *  # noqa: F403
from msgrad.ops import is_tensor as is_tensor
from msgrad.ops.primitive import constexpr as constexpr
from msgrad.parallel import *  # noqa: F403
from msgrad.porting.install import install as install
from msgrad.porting.install import uninstall as uninstall
from msgrad.runtime import *  # noqa: F403
from msgrad.runtime._api import ms_memory_recycle as ms_memory_recycle
from msgrad.runtime._api import set_recursion_limit as set_recursion_limit
from msgrad.train.callback._callback import *  # noqa: F403
from msgrad.train.callback._checkpoint import *  # noqa: F403
from msgrad.train.callback._functions import *  # noqa: F403
from msgrad.train.callback._interruption import *  # noqa: F403
from msgrad.train.callback._left_out import *  # noqa: F403
from msgrad.train.callback._monitored import *  # noqa: F403
from msgrad.train.callback._showing import *  # noqa: F403
from msgrad.train.callback._summary_collector import *  # noqa: F403
from msgrad.train.data_sink import *  # noqa: F403
from msgrad.train.dataset_helper import *  # noqa: F403
from msgrad.train.metrics import *  # noqa: F403
from msgrad.train.model import *  # noqa: F403
from msgrad.train.serialization import *  # noqa: F403
from msgrad.train.summary import *  # noqa: F403
from msgrad.version import __msgrad_version__ as __msgrad_version__
from msgrad.version import __version__ as __version__

__all__ = _public_names(
    globals(),
    *("amp", "communication", "device_manager", "dtype", "experimental", "hal", "log", "nn", "ops"),
    *("context", "common", "parallel", "runtime", "train", "version"),
    *("COMPATIBLE", "GRAPH_MODE", "LAX", "PYNATIVE_MODE", "STRICT"),
    *("_Function", "_no_grad", "__msgrad_version__", "__version__"),
    *common.__all__,
    *_later(__name__),
)

__getattr__ = _missing_names(__name__)

if _TYPE_CHECKING:
    # Loaded when they are asked for.
    from msgrad import boost as boost
    from msgrad import dataset as dataset
    from msgrad import experimental as experimental
    from msgrad import interop as interop
    from msgrad import mint as mint
    from msgrad import numpy as numpy
    from msgrad import profiler as profiler
    from msgrad import rewrite as rewrite
    from msgrad import scipy as scipy
    from msgrad._top import *  # noqa: F403
    from msgrad.log import get_level as get_level
    from msgrad.log import get_log_config as get_log_config
    from msgrad.ops.sparse_tensor import COOTensor as COOTensor
    from msgrad.ops.sparse_tensor import CSRTensor as CSRTensor
    from msgrad.ops.sparse_tensor import RowTensor as RowTensor
    from msgrad.ops.sparse_tensor import SparseTensor as SparseTensor
    from msgrad.ops.tensor_state import UntypedStorage as UntypedStorage
    from msgrad.parallel._layout import Layout as Layout
    from msgrad.parallel._layout import shard as shard
    from msgrad.parallel._sharded import load_segmented_checkpoints as load_segmented_checkpoints
    from msgrad.parallel._sharded import merge_sliced_parameter as merge_sliced_parameter
    from msgrad.parallel._sharded import parameter_broadcast as parameter_broadcast
    from msgrad.parallel._sharded import (
        sync_pipeline_shared_parameters as sync_pipeline_shared_parameters,
    )
    from msgrad.profiler import Profiler as Profiler
    from msgrad.train._strategy import build_searched_strategy as build_searched_strategy
    from msgrad.train._thor import ConvertModelUtils as ConvertModelUtils

_start.watched()
