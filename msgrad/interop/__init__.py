"""The way out to native JAX: checkpoint files as plain arrays, optimizers as Optax rules.

This file only re-exports.
"""

from msgrad.interop.ckpt import read_ckpt, write_ckpt
from msgrad.interop.optax import OptaxOptimizer, from_optax, to_optax
from msgrad.interop.safetensors_io import read_safetensors, write_safetensors

__all__ = [
    "OptaxOptimizer",
    "from_optax",
    "read_ckpt",
    "read_safetensors",
    "to_optax",
    "write_ckpt",
    "write_safetensors",
]
