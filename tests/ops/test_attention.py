"""flash_attention_score, of which MindSpore has no CPU kernel, against the formula."""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops

B, S1, S2, HEADS, SIZE = 2, 3, 4, 2, 4


def _values(*shape: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


QUERY, KEY, VALUE = (_values(B, n, HEADS, SIZE, seed=seed) for seed, n in enumerate((S1, S2, S2)))
MASK = np.random.default_rng(7).random((S1, S2)) > 0.6
ROWS, COLUMNS = np.arange(S1)[:, None], np.arange(S2)
ORDERS = {"BSND": (0, 1, 2, 3), "BNSD": (0, 2, 1, 3), "BSH": None, "SBH": None}


def _expected(hidden: np.ndarray, shift: np.ndarray | float = 0.0) -> np.ndarray:
    scores = 0.5 * np.einsum("btnd,bsnd->bnts", QUERY, KEY) + shift
    powers = np.where(hidden, 0, np.exp(scores))
    return np.einsum("bnts,bsnd->btnd", powers / powers.sum(-1, keepdims=True), VALUE)


def _laid_out(x: np.ndarray, layout: str) -> np.ndarray:
    if layout[-1] == "D":
        return x.transpose(ORDERS[layout])
    flat = x.reshape(*x.shape[:2], -1)
    return flat if layout == "BSH" else flat.swapaxes(0, 1)


@pytest.mark.parametrize("layout", ORDERS)
def test_every_layout(layout):
    given = [Tensor(_laid_out(x, layout)) for x in (QUERY, KEY, VALUE)]
    got = ops.flash_attention_score(
        *given, HEADS, attn_mask=Tensor(MASK), scalar_value=0.5, input_layout=layout
    )
    want = _laid_out(_expected(MASK), layout)
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("mode", "tokens", "hidden"),
    [
        (1, (0, 0), np.zeros((S1, S2), bool)),
        (0, (1, 1), abs(COLUMNS - ROWS) > 1),
        (2, (0, 0), COLUMNS > ROWS),
        (3, (0, 0), COLUMNS > ROWS + S2 - S1),
        (4, (1, 0), (COLUMNS > ROWS + S2 - S1) | (COLUMNS < ROWS + S2 - S1 - 1)),
    ],
)
def test_which_keys_count(mode, tokens, hidden):
    attend = ops.FlashAttentionScore(HEADS, 1.0, 0.5, *tokens, 0, "BSND", mode)
    *_, got = attend(Tensor(QUERY), Tensor(KEY), Tensor(VALUE))
    np.testing.assert_allclose(got.asnumpy(), _expected(hidden), rtol=1e-5, atol=1e-6)


def test_the_shift_and_fewer_heads_of_the_key():
    shift = _values(1, HEADS, S1, S2, seed=5)
    given = [Tensor(x) for x in (QUERY, KEY[:, :, :1], VALUE[:, :, :1])]
    got = ops.flash_attention_score(
        *given, HEADS, Tensor(shift), scalar_value=0.5, input_layout="BSND"
    )
    scores = 0.5 * np.einsum("btnd,bsd->bnts", QUERY, KEY[:, :, 0]) + shift
    powers = np.exp(scores)
    want = np.einsum("bnts,bsd->btnd", powers / powers.sum(-1, keepdims=True), VALUE[:, :, 0])
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-5, atol=1e-6)


def test_it_compiles_and_what_it_does_not_have():
    def attend(q: Tensor, k: Tensor) -> Tensor:
        return ops.flash_attention_score(q, k, k, HEADS, input_layout="BSND")

    q, k = Tensor(QUERY), Tensor(KEY)
    np.testing.assert_allclose(ms.jit(attend)(q, k).asnumpy(), attend(q, k).asnumpy(), rtol=1e-5)
    with pytest.raises(NotImplementedError, match="dropout"):
        ops.flash_attention_score(q, k, k, HEADS, keep_prob=0.5, input_layout="BSND")
    with pytest.raises(NotImplementedError, match="TND"):
        ops.flash_attention_score(q, k, k, HEADS, input_layout="TND")
