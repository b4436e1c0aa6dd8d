"""``Settings``: named values of MindSpore's parallel runtime, here checked and only kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError


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
        """Return a value.

        Raises:
            ValueError: For an unknown name.
        """
        if name not in self._known:
            raise ArgumentValueError(f"Get {self._kind}context keyword {name} is not recognized!")
        return self._given.get(name, self._known[name][1])

    def reset(self) -> None:
        """Forget the values that were set."""
        self._given.clear()
