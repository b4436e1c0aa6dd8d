"""Gradient transforms: every derivative here is taken by JAX."""

from msgrad.autograd.grad import grad, value_and_grad
from msgrad.autograd.grad_operation import GradOperation
from msgrad.autograd.hooks import HookBackward
from msgrad.autograd.insert_gradient import InsertGradientOf
from msgrad.autograd.structure import get_grad

__all__ = [
    "GradOperation",
    "HookBackward",
    "InsertGradientOf",
    "get_grad",
    "grad",
    "value_and_grad",
]
