"""What classes of operators of one's own derive from: ``PrimitiveWithInfer`` and decorators."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from msgrad._core.registry import public
from msgrad.ops.primitive import Primitive


class PrimitiveWithCheck(Primitive):
    """Base of an operator of one's own that checks its arguments: define ``__call__`` too.

    Args:
        name: The operator's name.
    """


class PrimitiveWithInfer(Primitive):
    """Base of an operator of one's own that infers its result: define ``__call__`` too.

    Args:
        name: The operator's name.
    """


@public
def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Keep the arguments of a Primitive's ``__init__`` as its attributes; a decorator."""
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def initialized(self: Any, *args: Any, **kwargs: Any) -> None:
        Primitive.__init__(self, type(self).__name__)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            self.add_prim_attr(name, value)
            setattr(self, name, value)
        fn(self, *args, **kwargs)

    return initialized


prim_arg_register = prim_attr_register
