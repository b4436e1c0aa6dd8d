"""``mindspore.parallel._ps_context``: of parameter servers, which msgrad does not have."""

from __future__ import annotations

from typing import Any

from msgrad.context import set_ps_context as _set_ps_context


def _is_role_sched() -> bool:
    return False


_is_role_pserver = _is_role_worker = _is_role_sched


def _get_ps_context(attr_key: str) -> Any:
    return False


__all__ = ["_get_ps_context", "_is_role_pserver", "_is_role_sched", "_set_ps_context"]
