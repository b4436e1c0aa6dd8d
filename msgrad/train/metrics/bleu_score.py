"""``BleuScore``: how many runs of words translations share with their references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from msgrad._core.checks import of_type, within
from msgrad._core.errors import ArgumentValueError
from msgrad.train.metrics.metric import BuiltIn, not_updated, rearrange_inputs

__all__ = ["BleuScore"]


def _runs(words: Sequence[Any], longest: int) -> Counter[tuple[Any, ...]]:
    return Counter(
        tuple(words[i : i + n]) for n in range(1, longest + 1) for i in range(len(words) - n + 1)
    )


class BleuScore(BuiltIn):
    """BLEU of translations: the mean of the logarithms of precisions, and a penalty for brevity.

    Args:
        n_gram: The longest run of words that counts, 1 to 4.
        smooth: Whether one is added to each count.

    Raises:
        TypeError: For arguments of other types.
        ValueError: If ``n_gram`` is out of range.
    """

    def __init__(self, n_gram: int = 4, smooth: bool = False) -> None:
        self.n_gram = of_type(None, "n_gram", n_gram, int)
        within("BleuScore", "n_gram", n_gram, "[1, 4]")
        self.smooth = of_type(None, "smooth", smooth, bool)
        super().__init__()

    def clear(self) -> None:
        self._shared = np.zeros(self.n_gram)
        self._all = np.zeros(self.n_gram)
        self._length = self._reference_length = 0.0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with translations, lists of words, and for each a list of references.

        Raises:
            ValueError: If there are not two inputs of one length.
        """
        self._need(inputs, "candidate_corpus", "reference_corpus")
        if len(inputs[0]) != len(inputs[1]):
            raise ArgumentValueError(
                "For 'BleuScore.update', 'translate_corpus' (inputs[0]) and 'reference_corpus' "
                f"(inputs[1]) should be equal in length, but got {len(inputs[0])}, {len(inputs[1])}"
            )
        for words, references in zip(*inputs, strict=True):
            self._length += len(words)
            near = min(references, key=lambda reference: abs(len(words) - len(reference)))
            self._reference_length += len(near)
            known: Counter[tuple[Any, ...]] = Counter()
            for reference in references:
                known |= _runs(reference, self.n_gram)
            runs = _runs(words, self.n_gram)
            for counts, found in ((self._shared, runs & known), (self._all, runs)):
                for run, count in found.items():
                    counts[len(run) - 1] += count

    def eval(self) -> Any:
        """Return the score; raises ``RuntimeError`` before any batch."""
        if not self._length:
            raise not_updated()
        if self._shared.min() == 0:
            return np.array(0.0)
        precision = (self._shared + self.smooth) / (self._all + self.smooth)
        short = 1 - self._reference_length / self._length
        penalty = 1.0 if self._length > self._reference_length else np.exp(short)
        return penalty * np.exp(np.log(precision).mean())
