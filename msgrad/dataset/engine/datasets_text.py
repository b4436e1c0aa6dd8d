"""Datasets of texts in the files they are distributed in; not files of any lines or values.

A row of the classes says which files a corpus has, and which columns.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from msgrad._core.declared import Word, checked
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset._arguments import check_valid, existing_folder
from msgrad.dataset.engine._listed import ARRAYS, LINES, Rows, files, lines, listed
from msgrad.dataset.engine._rows import Row
from msgrad.dataset.engine.cache_client import DatasetCache
from msgrad.dataset.engine.datasets_standard_format import Shuffle, SourceDataset


class _Corpus(SourceDataset):
    """Base of datasets that are some files of a folder.

    Args:
        dataset_dir: The folder.
        usage: Which file is read; all by default, or "all".
    """

    _columns: tuple[str, ...] = ("text",)
    _files: dict[str, str] = {"train": "train.csv", "test": "test.csv"}

    def __init_subclass__(cls, columns: str = "", files: dict[str, str] | None = None) -> None:
        super().__init_subclass__()
        cls._columns, cls._files = tuple(columns.split()) or cls._columns, files or cls._files

    @checked
    def __init__(
        self,
        dataset_dir: Word,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ) -> None:
        folder = existing_folder(dataset_dir)
        check_valid("usage", usage, [*self._files, "all"])
        names = [name for key, name in self._files.items() if usage in (None, "all", key)]
        found = [str(folder / name) for name in names if (folder / name).is_file()]
        if not found:
            raise EngineError(
                f"Invalid data, {type(self).__name__} API can't read the data file: none of "
                f"{names} is in {folder}."
            )
        self._open(found, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)

    def get_col_names(self) -> list[str]:
        return list(self._columns)

    def _records_of(self, path: str) -> Iterator[Any]:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        wrong = next((row for row in rows if len(row) != len(self._columns)), None)
        if wrong is not None:
            raise EngineError(f"{path}: the row {wrong} does not have the columns {self._columns}.")
        return iter(rows)

    def _row_at(self, index: int) -> Row:
        return tuple(np.array(value) for value in self._all[index])


class _Reordered(_Corpus):
    """A corpus whose arguments and files come in another order."""

    def __init__(
        self,
        dataset_dir: Word,
        usage: str | None = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: DatasetCache | None = None,
    ) -> None:
        order = (num_parallel_workers, shuffle, num_shards, shard_id, cache)
        super().__init__(dataset_dir, usage, num_samples, *order)

    def _open(self, files: Any, *options: Any) -> None:
        super()._open(files, *options)
        self._paths = files


class AGNewsDataset(_Corpus, columns="index title description"):
    """AG News, ``train.csv`` and ``test.csv``: columns ``index``, ``title``, ``description``."""


class AmazonReviewDataset(_Corpus, columns="label title content"):
    """Amazon reviews, ``train.csv`` and ``test.csv``: columns ``label``, ``title``, ``content``."""


class DBpediaDataset(_Corpus, columns="class title content"):
    """DBpedia, ``train.csv`` and ``test.csv``: columns ``class``, ``title``, ``content``."""


class YahooAnswersDataset(_Corpus, columns="class title content answer"):
    """Yahoo answers, ``train.csv`` and ``test.csv``: four columns, ``class`` to ``answer``."""


class SogouNewsDataset(_Reordered, columns="index title content"):
    """Sogou news, ``train.csv`` and ``test.csv``: columns ``index``, ``title``, ``content``."""


class YelpReviewDataset(_Reordered, columns="label text"):
    """Yelp reviews, ``train.csv`` and ``test.csv``: columns ``label``, ``text``."""


class _Lines(_Corpus, columns="text"):
    def _records_of(self, path: str) -> Iterator[Any]:
        text = Path(path).read_text(encoding="utf-8")
        return ((line,) for line in text.split("\n") if line)


class PennTreebankDataset(
    _Lines, files={"train": "ptb.train.txt", "test": "ptb.test.txt", "valid": "ptb.valid.txt"}
):
    """Penn Treebank, ``ptb.train.txt`` and so on: the column ``text``."""


class WikiTextDataset(
    _Lines,
    files={"train": "wiki.train.tokens", "test": "wiki.test.tokens", "valid": "wiki.valid.tokens"},
):
    """WikiText, ``wiki.train.tokens`` and so on: the column ``text``."""


class _Tagged(_Reordered):
    """Sentences of words with their tags, a word on each line.

    Differs from MindSpore: its size is the number of sentences.
    """

    _separator = "\t"

    def _records_of(self, path: str) -> Iterator[Any]:
        text = Path(path).read_text(encoding="utf-8")
        for sentence in text.split("\n\n"):
            words = [line.split(self._separator) for line in sentence.splitlines() if line]
            if words:
                yield list(zip(*words, strict=True))


class UDPOSDataset(
    _Tagged,
    columns="word universal stanford",
    files={key: f"en-ud-tag.v2.{key}.txt" for key in ("train", "test")}
    | {"valid": "en-ud-tag.v2.dev.txt"},
):
    """UDPOS, ``en-ud-tag.v2.train.txt`` and so on: words, and two kinds of tags."""


class CoNLL2000Dataset(
    _Tagged, columns="word pos_tag chunk_tag", files={"train": "train.txt", "test": "test.txt"}
):
    """CoNLL 2000, ``train.txt`` and ``test.txt``: words, and two kinds of tags."""

    _separator = " "


class SST2Dataset(
    _Corpus,
    columns="sentence label",
    files={"train": "train.tsv", "test": "test.tsv", "dev": "dev.tsv"},
):
    """SST-2, ``train.tsv`` and so on: ``sentence``, and ``label`` unless it is ``test.tsv``."""

    def _open(self, files: Any, *options: Any) -> None:
        super()._open(files, *options)
        if [Path(path).name for path in self._paths] == ["test.tsv"]:
            self._columns = ("sentence",)

    def _records_of(self, path: str) -> Iterator[Any]:
        lines = Path(path).read_text(encoding="utf-8").splitlines()[1:]
        rows = (line.split("\t") for line in lines)
        return (row[1:] if self._columns == ("sentence",) else row for row in rows)


# Task -> the columns, what they are called in a test, and those that are numbers.
_TASKS = {
    "AFQMC": ("label sentence1 sentence2", "id sentence1 sentence2"),
    "CMNLI": ("label sentence1 sentence2", "id sentence1 sentence2"),
    "CSL": ("abst id keyword label", "abst id keyword"),
    "IFLYTEK": ("label label_des sentence", "id sentence"),
    "TNEWS": ("keywords label label_desc sentence", "id keywords sentence"),
    "WSC": (
        "idx label span1_index span1_text span2_index span2_text text",
        "idx span1_index span1_text span2_index span2_text text",
    ),
}
_NUMBERS = ("id", "idx", "span1_index", "span2_index")


class CLUEDataset(SourceDataset):
    """Files of the benchmark CLUE, a JSON object on each line: a column for each of its values.

    Args:
        task: "AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC" or "CSL".
        usage: "train", "test" or "eval".
    """

    @checked
    def __init__(
        self,
        dataset_files: Any,
        task: str = "AFQMC",
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ) -> None:
        if task not in _TASKS:
            raise ArgumentValueError(f"task should be one of {list(_TASKS)}, but got {task}.")
        if usage not in ("train", "test", "eval"):
            raise ArgumentValueError(f"usage should be 'train', 'test' or 'eval', not {usage}.")
        self._columns = _TASKS[task][usage == "test"].split()
        self._open(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)

    def get_col_names(self) -> list[str]:
        return list(self._columns)

    def _records_of(self, path: str) -> Iterator[Any]:
        for line in filter(None, Path(path).read_text(encoding="utf-8").split("\n")):
            try:
                found = json.loads(line)
                found.update(found.get("target", {}))
                yield [found[name] for name in self._columns]
            except (ValueError, KeyError, AttributeError) as error:
                raise EngineError(
                    f"Invalid json, failed to parse {path}: {error!r}; {self._columns} are needed."
                ) from error

    def _row_at(self, index: int) -> Row:
        row = zip(self._columns, self._all[index], strict=True)
        return tuple(np.array(v, np.uint32 if name in _NUMBERS else None) for name, v in row)


def _review(path: Path) -> str:
    return path.read_text(encoding="utf-8").rstrip("\n")


def _two(dataset: Any) -> int:
    """Return the number of classes."""
    return 2


@listed("text label", ARRAYS, {"num_classes": _two}, usage=("train", "test", "all"))
def IMDBDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """IMDB reviews, a file each in ``train/pos`` and so on: columns ``text``, ``label`` (int32).

    Args:
        dataset_dir: The folder.
        usage: "train", "test" or "all"; all by default.
    """
    for part in ("train", "test") if usage in (None, "all") else (usage,):
        for name, label in (("pos", 1), ("neg", 0)):
            for path in files(Path(dataset_dir, part, name), "*.txt"):
                yield partial(_review, path), np.int32(label)


@listed("text", LINES)
def EnWik9Dataset(dataset_dir: Word) -> Rows:
    """EnWik9, the file ``enwik9``: the column ``text``, a line."""
    for line in Path(dataset_dir, "enwik9").read_text(encoding="utf-8").splitlines():
        yield (line,)


_MULTI30K = {"test": "mmt16_task1_test/test", "train": "training/train", "valid": "validation/val"}


_PAIRS = (["en", "de"], ["de", "en"], ("en", "de"), ("de", "en"))


@listed("text translation", LINES, usage=(*_MULTI30K, "all"), language_pair=_PAIRS)
def Multi30kDataset(dataset_dir: Word, usage: str | None = None, language_pair: Any = None) -> Rows:
    """Multi30k, lines of two files: ``text`` and its ``translation``.

    Args:
        language_pair: ("en", "de"), the default, or ("de", "en").
    """
    languages = tuple(language_pair or ("en", "de"))
    for part in _MULTI30K.values() if usage in (None, "all") else (_MULTI30K[usage],):
        texts = (Path(dataset_dir, f"{part}.{name}").read_text("utf-8") for name in languages)
        yield from zip(*(text.splitlines() for text in texts), strict=True)


def _talks(
    folder: Path, names: tuple[str, str], pair: Any, parts: dict[str, str], usage: Any
) -> Rows:
    """Yield the lines of two languages of IWSLT.

    Args:
        folder: The folder of the pair.
        names: How the files of training, and of the other parts, begin.
        pair: The languages.
        parts: Which of the other parts is read for each usage.
        usage: "train", "valid", "test", or None or "all" for all.
    """
    source, target = pair
    for part in ("train", "valid", "test") if usage in (None, "all") else (usage,):
        begin, end = (names[0], "") if part == "train" else (f"{names[1]}{parts[part]}.", ".xml")
        texts = []
        for language in pair:
            path = folder / f"{begin}{source}-{target}.{language}{end}"
            if part == "train":
                # What begins so says something of the talk.
                texts.append([line for line in lines(path) if not line.startswith("<")])
            else:
                found = ElementTree.parse(path).getroot().iter("seg")
                texts.append([(segment.text or "").strip() for segment in found])
        yield from zip(*texts, strict=True)


_TALKS = "num_samples shuffle num_shards shard_id num_parallel_workers cache"
_SETS = ("dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014")
_WITH_ENGLISH = [p for one in ("ar", "cs", "de", "fr") for p in (["en", one], [one, "en"])]
_OF_FIVE = [list(pair) for pair in permutations(("en", "nl", "de", "it", "ro"), 2)]


def _also_tuples(pairs: Sequence[Sequence[str]]) -> list[Any]:
    return [*pairs, *map(tuple, pairs)]


@listed(
    "text translation",
    _TALKS,
    usage=("train", "test", "valid", "all"),
    language_pair=_also_tuples(_WITH_ENGLISH),
    valid_set=_SETS,
    test_set=_SETS,
)
def IWSLT2016Dataset(
    dataset_dir: Word,
    usage: str | None = None,
    language_pair: list[str] | tuple[str, ...] | None = None,
    valid_set: str | None = None,
    test_set: str | None = None,
) -> Rows:
    """IWSLT 2016, the lines of talks: ``text`` and its ``translation``.

    Args:
        language_pair: English and Arabic, Czech, German or French, either way; ["de", "en"] by
            default.
        valid_set: "dev2010" or "tst2010" to "tst2014", for "valid"; "tst2013" by default.
        test_set: The same for "test"; "tst2014" by default.

    Differs from MindSpore: files come one after the other, as with one worker.
    """
    pair = language_pair or ("de", "en")
    folder = Path(dataset_dir, "texts", *pair, "-".join(pair))
    parts = {"valid": valid_set or "tst2013", "test": test_set or "tst2014"}
    yield from _talks(folder, ("train.tags.", "IWSLT16.TED."), pair, parts, usage)


@listed(
    "text translation",
    _TALKS,
    usage=("train", "test", "valid", "all"),
    language_pair=_also_tuples(_OF_FIVE),
)
def IWSLT2017Dataset(
    dataset_dir: Word,
    usage: str | None = None,
    language_pair: list[str] | tuple[str, ...] | None = None,
) -> Rows:
    """IWSLT 2017, the lines of talks: ``text`` and its ``translation``; see IWSLT2016Dataset.

    Args:
        language_pair: Two of English, Dutch, German, Italian and Romanian; ["de", "en"] by default.
    """
    names = "DeEnItNlRo"
    folder = Path(dataset_dir, "texts", names, names, f"{names}-{names}")
    parts = {"valid": "dev2010", "test": "tst2010"}
    pair = language_pair or ("de", "en")
    yield from _talks(folder, ("train.tags.", "IWSLT17.TED."), pair, parts, usage)


@listed("context question text answer_start", LINES, usage=("train", "dev", "all"))
def SQuADDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """SQuAD 1.1 or 2.0: ``context``, ``question``, and ``text`` and ``answer_start`` of answers."""
    for part in ("train", "dev") if usage in (None, "all") else (usage,):
        for path in sorted(Path(dataset_dir).glob(f"{part}-v*.json")):
            data = json.loads(path.read_text(encoding="utf-8"))["data"]
            for paragraph in (paragraph for one in data for paragraph in one["paragraphs"]):
                for asked in paragraph["qas"]:
                    answers = asked["answers"] or [{"text": "", "answer_start": -1}]
                    starts = np.array([answer["answer_start"] for answer in answers])
                    texts = [answer["text"] for answer in answers]
                    yield paragraph["context"], asked["question"], texts, starts.astype(np.uint32)


__all__ = [name for name in public_names(globals()) if name.endswith("Dataset")]

__getattr__ = missing_names(__name__)
