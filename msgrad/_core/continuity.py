"""Whether results of a program can hang on the last bit of a value.

XLA computes a value anew in each kernel that reads it, and its CPU compiler may compute
``a * b + c`` in one step in one kernel, with the product exact, and in two steps in another. So two
copies of a value can differ in their last bit. That is rounding, unless something jumps there: the
gradient of a maximum asks which operand equals it, and if it asks with another copy, none does, and
the gradient is lost.

At level 0 LLVM selects most instructions one by one, which keeps the two steps, and leaves what is
too hard for that, and the block before it, to the selection of the other levels, which makes one
step of them. So it depends on the kernel. (The gradient of ``hypot`` at ``x * y + 0.5`` is wrong by
as much as it is large; with ``--xla_cpu_max_isa=AVX``, without such steps, it is right.) At the
other levels there is one selection for all kernels.
"""

from __future__ import annotations

from typing import Any

from jax.extend import core as jex

from msgrad._core.engine import bodies
from msgrad._core.promotion import is_inexact

# Close to each other for values that are close, or what only moves values. Maxima are: only their
# gradients ask for equality, and so do those of ``sort`` and ``floor``, which are not here.
_NAMES = (
    "abs add add_any broadcast_in_dim clamp concatenate conv_general_dilated convert_element_type "
    "copy copy_p cos cosh cumsum div dot_general dynamic_slice dynamic_update_slice erf erfc exp "
    "exp2 expand_dims expm1 gather integer_pow log log1p logistic max min mul neg "
    "optimization_barrier pad quotient reduce_max reduce_min reduce_sum reshape rev rounded rsqrt "
    "scatter scatter-add select_n sign sin sinh slice split sqrt square squeeze stack "
    "stop_gradient sub tanh tile transpose "
    # Their bodies are looked at.
    "closed_call cond custom_jvp_call custom_vjp_call jit remat2 scan while"
)
_CONTINUOUS = frozenset(_NAMES.split())
_ORDERS = ("lt", "le", "gt", "ge")


def may_jump(jaxpr: Any) -> bool:
    """Whether a traced program does anything but continuous arithmetic with floating values.

    A comparison with a number is none of that: on both sides of it the results are as right.
    """
    return any(_jumps(eqn) or any(map(may_jump, bodies(eqn))) for eqn in jaxpr.eqns)


def _jumps(eqn: Any) -> bool:
    name, given = eqn.primitive.name, eqn.invars
    if not all(hasattr(atom.aval, "dtype") for atom in (*given, *eqn.outvars)):
        return True
    if not any(is_inexact(atom.aval.dtype) for atom in given):
        return False
    if name in ("eq", "ne"):
        return given[0] is not given[1]
    if name in _ORDERS:
        return not any(isinstance(atom, jex.Literal) for atom in given)
    if name == "convert_element_type":
        return not is_inexact(eqn.outvars[0].aval.dtype)
    return name not in _CONTINUOUS
