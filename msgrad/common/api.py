"""``mindspore.common.api``: another import path of names that lie elsewhere."""

from msgrad.autograd import _no_grad as _no_grad
from msgrad.autograd import jit as jit
from msgrad.autograd import jit_class as jit_class
from msgrad.autograd import mutable as mutable
from msgrad.common.jit_config import JitConfig as JitConfig
from msgrad.runtime._api import _pynative_executor as _pynative_executor
from msgrad.runtime._api import ms_memory_recycle as ms_memory_recycle
from msgrad.runtime._api import set_recursion_limit as set_recursion_limit
