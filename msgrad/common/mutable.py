"""``mutable``: containers and numbers that are inputs of a compiled call, not constants of it.

What a gradient function makes of them is in ``_compiled/inputs.py``, what a number is while the
call is traced in ``_compiled/number.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from msgrad._core.bridge import is_tensor, tensors_in
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError

_ACCEPTED = (
    "(bool, int, float, Tensor, tuple, list, dict) or their nested structures with no "
    "self-reference"
)


class _Mutable:
    """What the classes below have in common.

    Attributes:
        __ms_origin_object__: The same as a plain Python object.
        __ms_dynamic_len__: Whether calls may differ in the number of elements.
    """

    __ms_mutable__ = True
    __ms_dynamic_len__ = False
    __ms_origin_object__: Any = None


def _of(plain: type, **members: Any) -> Any:
    name = f"_{plain.__name__.capitalize()}"
    # Nothing derives from bool.
    base = int if plain is bool else plain
    return type(name, (_Mutable, base), {"__module__": __name__, **members})


_Int, _Float, _Tuple, _List, _Dict = map(_of, (int, float, tuple, list, dict))
_Bool = _of(bool, __repr__=lambda self: repr(bool(self)))

# A bool is an int as well.
MUTABLE = {bool: _Bool, int: _Int, float: _Float, tuple: _Tuple, list: _List, dict: _Dict}
MUTABLE_NUMBERS = (_Int, _Float, _Bool)


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Return ``input_data`` as something that is an input of a compiled function.

    A changed number in it then neither makes another program nor is a constant of the first call,
    and in a compiled call a container has gradients, in its own form.

    Args:
        input_data: Tensor, bool, int or float, or nested tuples, lists and dicts of them.
        dynamic_len: For a tuple or list whose elements are alike: whether calls may differ in
            their number. Each number of elements is compiled once.

    Returns:
        A Tensor itself; for others an equal object of a subclass of their class.

    Raises:
        TypeError: For other input, or a ``dynamic_len`` that does not go with it.

    Differs from MindSpore: where a number is needed in Python (as an axis or a size), the call
    runs as plain Python.
    """
    of_type("mutable", "dynamic_len", dynamic_len, bool)
    if not _is_accepted(input_data, ()):
        raise ArgumentTypeError(
            f"For 'mutable', the 'input_data' should be one of {_ACCEPTED}, but got "
            f"{type(input_data).__name__}: {input_data}."
        )
    found = input_data
    for plain, kind in MUTABLE.items():
        if isinstance(input_data, plain):
            found = kind(input_data)
            found.__ms_origin_object__ = getattr(input_data, "__ms_origin_object__", input_data)
            break
    for tensor in tensors_in(found):
        vars(tensor).pop("const_arg", None)
    if dynamic_len:
        of_type("mutable", "input_data", input_data, tuple, list)
        found.__ms_dynamic_len__ = True
    return found


def _is_accepted(value: Any, inside: tuple[int, ...]) -> bool:
    if isinstance(value, (tuple, list, dict)):
        around = (*inside, id(value))
        items = value.values() if isinstance(value, dict) else value
        return id(value) not in inside and all(_is_accepted(item, around) for item in items)
    return is_tensor(value) or isinstance(value, (int, float))


def check_dynamic(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Check that the elements of ``mutable(..., dynamic_len=True)`` are alike.

    Raises:
        TypeError: If Tensors among them differ in dtype.
        ValueError: If they differ in type.
    """
    for value in (*args, *kwargs.values()):
        if not getattr(value, "__ms_dynamic_len__", False) or len(value) < 2:
            continue
        text = (
            "In graph mode, the element {} of dynamic length array must be the same. The element "
            f"do not match, can not convert to dynamic length sequence: {value}"
        )
        if any(type(item) is not type(value[0]) for item in value):
            raise ArgumentValueError(text.format("type"))
        if is_tensor(value[0]) and any(item.dtype != value[0].dtype for item in value):
            raise ArgumentTypeError(text.format("shape"))


def unwrapped(value: Any) -> Any:
    """Return a number that ``mutable`` made as the plain one; operators may ask for its class."""
    return value.__ms_origin_object__ if type(value) in MUTABLE_NUMBERS else value


def mapped(fn: Callable[[Any], Any], tree: Any) -> Any:
    """Apply ``fn`` to whatever is no container, in nested tuples, lists and dicts, each copied."""
    return mapped_varying(lambda value, _: fn(value), tree)


def mapped_varying(fn: Callable[[Any, bool], Any], tree: Any, varies: bool = False) -> Any:
    """Apply ``fn`` to whatever is no container, and whether it is in something mutable."""
    varies = varies or isinstance(tree, _Mutable)
    if isinstance(tree, dict):
        new = copy(tree)
        new.update((key, mapped_varying(fn, item, varies)) for key, item in tree.items())
        return new
    if not isinstance(tree, (tuple, list)):
        return fn(tree, varies)
    items = [mapped_varying(fn, item, varies) for item in tree]
    if isinstance(tree, list):
        new = copy(tree)
        new[:] = items
        return new
    # Of its own class, as of a named one.
    new = tuple.__new__(type(tree), items)
    if hasattr(tree, "__dict__"):
        vars(new).update(vars(tree))
    return new


def plain(tree: Any) -> Any:
    """Return nested containers of which none is mutable."""
    if isinstance(tree, (tuple, list)):
        return (tuple if isinstance(tree, tuple) else list)(map(plain, tree))
    return {k: plain(v) for k, v in tree.items()} if isinstance(tree, dict) else tree
