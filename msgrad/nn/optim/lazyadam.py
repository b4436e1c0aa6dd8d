"""LazyAdam: Adam under the name that MindSpore has for sparse gradients."""

from __future__ import annotations

from msgrad.nn.optim.adam import _PlainAdam

__all__ = ["LazyAdam"]


class LazyAdam(_PlainAdam):
    """Adam; MindSpore updates only the rows that a sparse gradient names, and gradients here are
    dense, for which both are the same. Arguments, errors and state are those of ``AdamOffload``.
    """

    _targets = ("CPU",)
