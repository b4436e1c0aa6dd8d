"""``JitConfig``: options of MindSpore's compiler, checked and kept; XLA needs none of them."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentValueError

__all__ = ["JitConfig"]

_LEVELS = ["O0", "O1", "O2"]
_ACCEPTED = {
    "exc_mode": ["auto", "sink", "no_sink"],
    "jit_syntax_level": ["STRICT", "LAX"],
    "debug_level": ["RELEASE", "DEBUG"],
    "infer_boost": ["on", "off"],
}


class JitConfig:
    """Options for compiling, which have no effect.

    Args:
        jit_level: ``''``, ``'O0'``, ``'O1'`` or ``'O2'``.
        exc_mode: ``'auto'``, ``'sink'`` or ``'no_sink'``.
        jit_syntax_level: ``''``, ``'STRICT'`` or ``'LAX'``.
        debug_level: ``'RELEASE'`` or ``'DEBUG'``.
        infer_boost: ``'on'`` or ``'off'``.
        kwargs: Further options, kept as they are.

    Raises:
        ValueError: For other values.
    """

    def __init__(
        self,
        jit_level: str = "",
        exc_mode: str = "auto",
        jit_syntax_level: str = "",
        debug_level: str = "RELEASE",
        infer_boost: str = "off",
        **kwargs: Any,
    ) -> None:
        given = {name: value for name, value in locals().items() if name in _ACCEPTED}
        if jit_level != "" and jit_level not in _LEVELS:
            raise ArgumentValueError(f"For 'jit_level' must be one of {_LEVELS}.")
        for name, accepted in _ACCEPTED.items():
            if given[name] not in accepted and (name, given[name]) != ("jit_syntax_level", ""):
                raise ArgumentValueError(f"For '{name}' must be one of '{accepted}'.")
        self.jit_config_dict: dict[str, Any] = {**kwargs, "jit_level": jit_level, **given}
        if jit_level:
            self.jit_config_dict["backend"] = "GE" if jit_level == "O2" else "ms_backend"
