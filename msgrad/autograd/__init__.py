"""Gradient transforms: every derivative here is taken by JAX."""

from msgrad._compiled.fuse_steps import fuse_steps
from msgrad._compiled.inputs import isconstant
from msgrad._compiled.jit import JitStats, jit, jit_class, jit_stats, lazy_inline
from msgrad._gradients.structure import get_grad
from msgrad.autograd.custom import _Function
from msgrad.autograd.grad import grad, value_and_grad
from msgrad.autograd.grad_operation import GradOperation
from msgrad.autograd.hooks import HookBackward
from msgrad.autograd.insert_gradient import DumpGradient, InsertGradientOf
from msgrad.autograd.jacobian import jacfwd, jacrev
from msgrad.autograd.no_grad import _no_grad
from msgrad.autograd.products import jvp, vjp
from msgrad.autograd.recompute import recompute
from msgrad.autograd.taylor import derivative, jet
from msgrad.autograd.vectorize import vmap
from msgrad.common.mutable import mutable

__all__ = [
    "DumpGradient",
    "GradOperation",
    "HookBackward",
    "InsertGradientOf",
    "JitStats",
    "_Function",
    "_no_grad",
    "derivative",
    "fuse_steps",
    "get_grad",
    "grad",
    "isconstant",
    "jacfwd",
    "jacrev",
    "jet",
    "jit",
    "jit_class",
    "jit_stats",
    "jvp",
    "lazy_inline",
    "mutable",
    "recompute",
    "value_and_grad",
    "vjp",
    "vmap",
]
