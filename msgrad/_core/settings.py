"""What MindSpore's own runtime and compiler are told, here checked and only kept, as tables.

``Settings`` are rows of names, types and defaults; ``accepted`` makes a row of a function that has
nothing to do, ``accepted_as`` makes one of its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError

Function = TypeVar("Function", bound=Callable[..., Any])


def accepted(function: Function) -> Function:
    """Check the arguments of a function that has no effect, and say so; a decorator.

    Args:
        function: Its docstring is the reason why there is nothing to do.
    """
    function.__doc__ = (
        f"Accepted for compatibility: {function.__doc__}\n\n"
        "Raises:\n    TypeError: For arguments of other types."
    )
    return checked(function)


def accepted_as(name: str, why: str, result: Any = None) -> Callable[..., Any]:
    """Make a function that takes anything, has no effect and says why, and returns ``result``."""

    def accept(*args: Any, **kwargs: Any) -> Any:
        return result

    accept.__name__ = accept.__qualname__ = name
    accept.__doc__ = f"Accepted for compatibility: {why}."
    return accept


class Settings:
    """Named values with their types and defaults.

    Args:
        known: Name -> (accepted type or types, default).
        kind: What the error texts call them.
    """

    def __init__(self, known: Mapping[str, tuple[Any, Any]], kind: str = "") -> None:
        self._known = dict(known)
        self._kind = kind
        self._given: dict[str, Any] = {}

    def set(self, values: Mapping[str, Any]) -> None:
        """Take over values; nothing changes where one of them is not accepted.

        Raises:
            ValueError: For an unknown name.
            TypeError: For a value of another type.
        """
        for name, value in values.items():
            if name not in self._known:
                raise ArgumentValueError(
                    f"Set {self._kind}context keyword {name} is not recognized! Accepted are "
                    f"{', '.join(self._known)}."
                )
            accepted = self._known[name][0]
            # bool is an int in Python, but not in these settings.
            if not isinstance(value, accepted) or (type(value) is bool and accepted is not bool):
                raise ArgumentTypeError(
                    f"The parameter '{name}' must be {accepted}, but got {type(value)}"
                )
        self._given.update(values)

    def get(self, name: str) -> Any:
        """Return a value; raises ``ValueError`` for an unknown name."""
        if name not in self._known:
            raise ArgumentValueError(f"Get {self._kind}context keyword {name} is not recognized!")
        return self._given.get(name, self._known[name][1])

    def reset(self) -> None:
        """Forget the values that were set."""
        self._given.clear()

    @contextmanager
    def changed(self, values: Mapping[str, Any]) -> Iterator[None]:
        """Set values while something runs."""
        before = dict(self._given)
        self.set(values)
        try:
            yield
        finally:
            self._given = before

    def functions(
        self, module: str, name: str, about: str, check: Callable[[Any], None] | None = None
    ) -> tuple[Callable[..., None], Callable[[str], Any], Callable[[], None]]:
        """Make the functions ``set_NAME``, ``get_NAME`` and ``reset_NAME`` of a module.

        Args:
            module: The module's ``__name__``.
            name: ``algo_parameters`` of ``set_algo_parameters``.
            about: What the settings are of, for the docstrings.
            check: Raises for values that are not accepted beyond their types; called with the
                keywords first.
        """

        def set_(**kwargs: Any) -> None:
            if check is not None:
                check(kwargs)
            self.set(kwargs)

        def get(attr_key: str) -> Any:
            return self.get(attr_key)

        def reset() -> None:
            self.reset()

        rows = (
            (set_, "set", f"Keep settings of {about}.", _SETS.format(", ".join(self._known))),
            (get, "get", f"Return one of the settings of {about}.", _UNKNOWN),
            (reset, "reset", f"Put back the settings of {about}.", ""),
        )
        for function, verb, summary, rest in rows:
            function.__name__ = function.__qualname__ = f"{verb}_{name}"
            function.__module__, function.__doc__ = module, summary + rest
        return set_, get, reset


_UNKNOWN = "\n\nRaises:\n    ValueError: For an unknown keyword."
_SETS = f"\n\nArgs:\n    **kwargs: {{}}.{_UNKNOWN}\n    TypeError: For a value of another type."
