"""The groups of ranks by name: those of all ranks, and what ``create_group`` made."""

from __future__ import annotations

from msgrad._core.distributed.world import world
from msgrad._core.errors import EngineError

WORLD_GROUP = "hccl_world_group"
WORLD_GROUPS = (WORLD_GROUP, "nccl_world_group", "mccl_world_group")

_groups: dict[str, tuple[int, ...]] = {}


def ranks_of(group: str) -> tuple[int, ...]:
    """Return the numbers of the ranks of a group.

    Raises:
        RuntimeError: If there is no such group; with one process every name is that of all.
    """
    found = _groups.get(group)
    if found is not None:
        return found
    if group in WORLD_GROUPS or world.size == 1:
        return tuple(range(world.size))
    raise EngineError(
        f"There is no group '{group}'; there are {[*WORLD_GROUPS, *_groups]}. Make it with "
        "create_group, on its members."
    )


def groups() -> dict[str, list[int]]:
    """Return the groups that were made, with their ranks."""
    return {name: [*ranks] for name, ranks in _groups.items()}


def add_group(group: str, ranks: tuple[int, ...]) -> None:
    _groups[group] = ranks


def forget_group(group: str) -> None:
    _groups.pop(group, None)
