"""Tokens of ``sentencepiece``: those that MindSpore 2.10 gives for models of the same texts."""

from __future__ import annotations

import os

import pytest

from msgrad import dataset
from msgrad.dataset import text
from msgrad.dataset.text import SentencePieceModel, SPieceTokenizerOutType

pytest.importorskip("sentencepiece")

LINES = [
    f"the quick brown fox number {n} jumps over {n * 7} lazy dogs near an old river"
    for n in range(50)
]
TEXTS = ("an old fox", "zebra 42", "")
STRING, INT = SPieceTokenizerOutType.STRING, SPieceTokenizerOutType.INT
# As 2.10 gives them.
FOUND = {
    SentencePieceModel.BPE: (
        "▁ an ▁o l d ▁ f o x|▁ z e b r a ▁ 4 2|",
        [[11, 8, 6, 21, 19, 11, 26, 14, 35], [11, 37, 13, 18, 12, 16, 11, 41, 39], []],
    ),
    SentencePieceModel.CHAR: (
        "▁ a n ▁ o l d ▁ f o x|▁ z e b r a ▁ 4 2|",
        [[3, 8, 7, 3, 6, 13, 11, 3, 18, 6, 27], [3, 29, 5, 10, 4, 8, 3, 33, 31], []],
    ),
}


def of_file(model):
    with open("lines.txt", "w") as file:
        file.write("\n".join(LINES) + "\n")
    return text.SentencePieceVocab.from_file(["lines.txt"], 48, 0.9995, model, {})


def of_dataset(model):
    rows = dataset.NumpySlicesDataset({"text": LINES}, shuffle=False)
    return text.SentencePieceVocab.from_dataset(rows, ["text"], 48, 0.9995, model, {})


@pytest.mark.parametrize("model", FOUND)
@pytest.mark.parametrize("train", [of_file, of_dataset])
def test_pieces_and_their_numbers(model, train, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vocab = train(model)
    text.SentencePieceVocab.save_model(vocab, ".", "saved.model")
    pieces, numbers = FOUND[model]
    for mode in (vocab, os.path.join(".", "saved.model")):
        cut, numbered = (text.SentencePieceTokenizer(mode, kind) for kind in (STRING, INT))
        assert "|".join(" ".join(cut(one).tolist()) for one in TEXTS) == pieces
        assert [numbered(one).tolist() for one in TEXTS] == numbers
        assert (cut("").dtype, numbered("").dtype) == ("<U1", "int32")


def test_in_a_pipeline():
    rows = dataset.NumpySlicesDataset({"text": list(TEXTS[:2])}, shuffle=False)
    tokenizer = text.SentencePieceTokenizer(of_dataset(SentencePieceModel.BPE), INT)
    rows = rows.map(tokenizer, ["text"])
    found = [row["text"].tolist() for row in rows.create_dict_iterator(1, output_numpy=True)]
    assert found == FOUND[SentencePieceModel.BPE][1][:2]


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (TypeError, lambda: text.SentencePieceTokenizer(3, INT)),
        (TypeError, lambda: text.SentencePieceTokenizer("x", 1)),
        (RuntimeError, lambda: text.SentencePieceTokenizer("nothing.model", INT)("a")),
        (RuntimeError, lambda: text.SentencePieceTokenizer(text.SentencePieceVocab(), INT)("a")),
        (RuntimeError, lambda: text.SentencePieceTokenizer("x", INT)(3)),
        (TypeError, lambda: of_dataset("BPE")),
        (RuntimeError, lambda: trained(["nothing.txt"])),
        (TypeError, lambda: trained("nothing.txt")),
        (TypeError, lambda: trained(["x"], params={"max_sentence_length": 3})),
        (ValueError, lambda: trained(["x"], size=-1)),
        (TypeError, lambda: text.SentencePieceVocab.save_model(3, ".", "x")),
        (RuntimeError, lambda: text.SentencePieceVocab.save_model(trained(), "nowhere", "x")),
    ],
)
def test_wrong_arguments(kind, call):
    with pytest.raises(kind, match=r".{10}"):
        call()


def trained(files=None, size=48, params=None):
    if files is None:
        return of_dataset(SentencePieceModel.CHAR)
    given = (files, size, 0.9995, SentencePieceModel.CHAR, params or {})
    return text.SentencePieceVocab.from_file(*given)
