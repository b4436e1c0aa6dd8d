"""What a transform of a dataset draws from: numbers by ``_core.draws``, of the configured seed."""

from __future__ import annotations

from msgrad._core.draws import Draws
from msgrad.dataset.config import _DEFAULT_SEED, _shuffle_seed, get_seed

_of_no_seed: list[Draws] = []


def draws() -> Draws:
    """Return what a transform draws from that is called by hand: anew from the seed each time.

    So does MindSpore: with a seed, all calls draw the same. Without one, they go on.
    """
    seed = get_seed()
    if seed != _DEFAULT_SEED:
        return Draws(seed)
    if not _of_no_seed:
        _of_no_seed.append(Draws(_shuffle_seed()))
    return _of_no_seed[0]
