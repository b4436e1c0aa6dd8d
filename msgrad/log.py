"""MindSpore's log (``mindspore.log.warning(...)``) on Python's ``logging``, in its line format.

Lines go to stderr; what is shown is chosen by ``GLOG_v`` (0 debug, 1 info, 2 warning, the default,
3 error, 4 critical), read when the module is loaded. Log files are not written.
"""

from __future__ import annotations

import functools
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

__all__ = ["critical", "debug", "error", "get_level", "get_log_config", "info", "warning"]

_LEVELS = {
    "0": logging.DEBUG,
    "1": logging.INFO,
    "2": logging.WARNING,
    "3": logging.ERROR,
    "4": logging.CRITICAL,
}
_PACKAGE = Path(__file__).resolve().parent


class _LogActionOnce:
    """Decorates functions whose warnings a logger shows once for each key.

    Args:
        logger: The logger.
        key: What is shown once.
        no_warning: Whether not even once.
    """

    is_logged: ClassVar[set[str]] = set()

    def __init__(self, logger: Any, key: str, no_warning: bool = False) -> None:
        self.logger, self.key, self.no_warning = logger, key, no_warning

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def run(*args: Any, **kwargs: Any) -> Any:
            shown, silent = self.logger.warning, self.no_warning or self.key in self.is_logged
            self.is_logged.add(self.key)
            self.logger.warning = (lambda *text: None) if silent else shown
            try:
                return func(*args, **kwargs)
            finally:
                self.logger.warning = shown

        return run


class _Lines(logging.Handler):
    """Writes ``[LEVEL] ME(pid:thread,process):time [file:line] text`` to the present stderr."""

    _clock = logging.Formatter()

    def emit(self, record: logging.LogRecord) -> None:
        path = Path(record.pathname)
        ours = path.is_relative_to(_PACKAGE)
        shown = path.relative_to(_PACKAGE.parent) if ours else path
        when = self._clock.formatTime(record, "%Y-%m-%d-%H:%M:%S")
        text = record.getMessage()
        if record.exc_info:
            text += "\n" + self._clock.formatException(record.exc_info)
        print(
            f"[{record.levelname}] ME({record.process}:{record.thread},{record.processName}):"
            f"{when}.{int(record.msecs):03d}.000 [{shown}:{record.lineno}] {text}",
            file=sys.stderr,
            flush=True,
        )


@functools.cache
def _get_logger() -> logging.Logger:
    logger = logging.getLogger("msgrad")
    logger.setLevel(_LEVELS.get(get_level(), logging.WARNING))
    logger.propagate = False
    if not logger.handlers:
        logger.addHandler(_Lines())
    return logger


def get_level() -> str:
    """Return the level as ``GLOG_v`` counts: ``'0'`` (debug) to ``'4'`` (critical)."""
    level = os.environ.get("GLOG_v", "2")  # noqa: SIM112
    return level if level in _LEVELS else "2"


def get_log_config() -> dict[str, str]:
    """Return the settings in force, by the names of their environment variables."""
    return {"GLOG_v": get_level(), "GLOG_logtostderr": "1"}


_logger = _get_logger()


debug = _logger.debug
info = _logger.info
warning = _logger.warning
error = _logger.error
critical = _logger.critical
