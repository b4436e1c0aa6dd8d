"""The tree of exceptions msgrad raises; each one also is the builtin type MindSpore raises.

MsgradError
+-- ArgumentTypeError    (TypeError)            an argument of a type that is not accepted
|   +-- NotATensorError (AttributeError) ..  something else where a Tensor is needed
+-- ArgumentValueError   (ValueError)           a value, shape or name that is not accepted
|   +-- OptionError (TypeError) ........  several values where one is needed
|       +-- IntRangeError (RuntimeError)  an int of more than 64 bits
+-- TensorIndexError     (IndexError)           an index outside the tensor, or of a wrong kind
+-- ParameterNameError   (KeyError)             a parameter or cell name that cannot be used
+-- MissingAttributeError (AttributeError)      a name that does not exist (yet)
+-- GradientError        (RuntimeError)         a gradient that cannot be formed
+-- KernelError          (RuntimeError)         operands that an operator cannot compute with
+-- EngineError          (RuntimeError)         state that JAX cannot express as asked
|   +-- ValueNeededError                        a value that only a running program knows
+-- ModuleMissingError   (ModuleNotFoundError)  a module path that msgrad does not have
+-- InstallError         (ImportError)          ``install()`` where MindSpore itself is loaded
+-- UnsupportedError     (NotImplementedError)  a part of MindSpore that msgrad leaves out
"""

from __future__ import annotations

from collections import UserString
from collections.abc import Callable
from functools import cached_property
from typing import Any


class MsgradError(Exception):
    """Base of every exception that msgrad raises on purpose."""


class TextLater(UserString):
    """The text of an exception that is mostly caught unread, as in ``hasattr``."""

    def __init__(self, write: Callable[..., str], *arguments: Any) -> None:
        self._write, self._arguments = write, arguments

    @cached_property
    def data(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._write(*self._arguments)

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return str, (self.data,)


class ArgumentTypeError(MsgradError, TypeError):
    """An argument has a type that the call does not accept."""


class NotATensorError(ArgumentTypeError, AttributeError):
    """Something else stands where a Tensor is needed.

    MindSpore raises ``TypeError`` in most operators, and in the others the ``AttributeError`` that
    asking for the shape gives; this is both.
    """


class ArgumentValueError(MsgradError, ValueError):
    """An argument has a value, a shape or a dtype that the call does not accept."""


class OptionError(ArgumentTypeError, ArgumentValueError):
    """Something else, often a Tensor of several elements, stands where an option is needed.

    MindSpore raises ``TypeError`` in most calls, and in the others the ``ValueError`` that asking
    for its one value gives; this is both.
    """


class TensorIndexError(MsgradError, IndexError):
    """An index lies outside the tensor or is not of an indexable kind."""


class ParameterNameError(MsgradError, KeyError):
    """A parameter or cell name cannot be used where it was given."""


class MissingAttributeError(MsgradError, AttributeError):
    """A name does not exist on the object; the text names the nearest one where there is one."""


class GradientError(MsgradError, RuntimeError):
    """A gradient cannot be formed as asked."""


class KernelError(MsgradError, RuntimeError):
    """Operands have shapes or options that an operator cannot compute with."""


class IntRangeError(OptionError, NotATensorError, KernelError, SystemError):
    """An int of more than 64 bits; MindSpore 2.10 raises, by operator, any of these types."""


class EngineError(MsgradError, RuntimeError):
    """A value or a state is needed in a form that the running JAX transform cannot give."""


class ValueNeededError(EngineError):
    """Python needs a value that is only known when the compiled or vectorised function runs.

    Attributes:
        purpose: What for, as ``int()``; empty where nobody asks.
    """

    purpose: str = ""


class ModuleMissingError(MsgradError, ModuleNotFoundError):
    """A module path does not exist; the text names the nearest one."""


class InstallError(MsgradError, ImportError):
    """msgrad cannot stand in for MindSpore, since MindSpore itself is loaded."""


class UnsupportedError(MsgradError, NotImplementedError):
    """A part of MindSpore that msgrad leaves out; the text names the nearest supported call."""
