"""Datasets of texts, read from files that are written here."""

import json
import tempfile
from pathlib import Path

import mindspore.dataset as ds

from tests.parity.case import case

# In the order of the files, as by one worker.
PLAIN = {"shuffle": False, "num_parallel_workers": 1}


def rows(data):
    return [dict(row) for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]


def write(root, files):
    for name, text in files.items():
        path = Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(root)


def values(columns):
    def line(kind, i):
        return f'"{i}",' + ",".join(f'"{kind} ""x"" a,{j}"' for j in range(columns - 1)) + "\n"

    return {"train.csv": line("in", 0) + line("in", 1), "test.csv": line("out\\nz", 3)}


CSV = {
    **dict.fromkeys(("AGNews", "AmazonReview", "DBpedia", "SogouNews"), 3),
    "YahooAnswers": 4,
    "YelpReview": 2,
}
USAGES = {"": {}, "_train": {"usage": "train"}, "_all": {"usage": "all"}, "_no": {"usage": "valid"}}


@case.table({f"{n}{u}": (n, c, o) for n, c in CSV.items() for u, o in USAGES.items()})
def csv(name, columns, options):
    with tempfile.TemporaryDirectory() as root:
        kind = getattr(ds, f"{name}Dataset")
        data = kind(write(root, values(columns)), **options, **PLAIN)
        return data.get_dataset_size(), data.get_col_names(), rows(data)


OPTIONS = {
    "some": {"num_samples": 2},
    "part": {"num_shards": 2, "shard_id": 0},
    "part_alone": {"num_shards": 2},
    "samples": {"num_samples": "a"},
    "negative": {"num_samples": -1},
    "cache": {"cache": 3},
}


@case.table({name: (options,) for name, options in OPTIONS.items()})
def option(options):
    with tempfile.TemporaryDirectory() as root:
        return rows(ds.AGNewsDataset(write(root, values(3)), "train", **options, **PLAIN))


@case
def shuffled():
    with tempfile.TemporaryDirectory() as root:
        data = ds.AGNewsDataset(write(root, values(3)))
        return sorted(str(row["index"]) for row in rows(data))


@case
def no_folder():
    ds.AGNewsDataset("/no/such/folder")


@case
def no_file():
    with tempfile.TemporaryDirectory() as root:
        return rows(ds.AGNewsDataset(root))


@case
def other_columns():
    with tempfile.TemporaryDirectory() as root:
        return rows(ds.AGNewsDataset(write(root, values(2)), **PLAIN))


LINES = {"PennTreebank": "ptb.{}.txt", "WikiText": "wiki.{}.tokens"}


@case.table({f"{n}_{u}": (n, u) for n in LINES for u in ("train", "valid", "all")})
def lines(name, usage):
    with tempfile.TemporaryDirectory() as root:
        files = {LINES[name].format(u): f" {u} a \n\n c d \n" for u in ("train", "test", "valid")}
        data = getattr(ds, f"{name}Dataset")(write(root, files), usage, **PLAIN)
        return data.get_dataset_size(), rows(data)


@case.table({name: (name,) for name in ("train", "dev", "test")})
def sst(usage):
    files = {
        "train.tsv": "sentence\tlabel\nhide it\t0\ngood\t1\n",
        "dev.tsv": "sentence\tlabel\nhide\t0\n",
        "test.tsv": "index\tsentence\n0\tuneasy\n1\ta b\n",
    }
    with tempfile.TemporaryDirectory() as root:
        data = ds.SST2Dataset(write(root, files), usage, **PLAIN)
        return data.get_dataset_size(), data.get_col_names(), rows(data)


@case.table({"train": ("train",), "test": ("test",), "no": ("valid",)})
def imdb(usage):
    files = {
        f"{part}/{kind}/{i}_7.txt": f"{part} {kind} {i}\n"
        for part in ("train", "test")
        for kind in ("pos", "neg")
        for i in (10, 2)
    }
    with tempfile.TemporaryDirectory() as root:
        data = ds.IMDBDataset(write(root, files), usage, **PLAIN)
        return data.get_dataset_size(), data.num_classes(), rows(data)


WORDS = "If{0}SCONJ{0}IN\nx{0}Y{0}Z\n\nb{0}c{0}d\n\n"
TAGGED = {
    "UDPOS": {"en-ud-tag.v2.train.txt": WORDS.format("\t"), "en-ud-tag.v2.test.txt": ""},
    "CoNLL2000": {"train.txt": WORDS.format(" "), "test.txt": ""},
}


@case.table({name: (name,) for name in TAGGED})
def tagged(name):
    with tempfile.TemporaryDirectory() as root:
        data = getattr(ds, f"{name}Dataset")(write(root, TAGGED[name]), "train", **PLAIN)
        return data.get_col_names(), rows(data)


SPANS = {
    "target": {"span1_index": 2, "span2_index": 7, "span1_text": "x", "span2_text": "y"},
    "text": "t",
    "idx": 1,
}
CLUE = {
    "AFQMC": ({"sentence1": "a你", "sentence2": "b"}, {"label": "0"}),
    "TNEWS": ({"sentence": "s", "keywords": "k"}, {"label": "102", "label_desc": "n"}),
    "IFLYTEK": ({"sentence": "s"}, {"label": "1", "label_des": "d"}),
    "CMNLI": ({"sentence1": "a", "sentence2": "b"}, {"label": "neutral"}),
    "WSC": (SPANS, {"label": "true"}),
    "CSL": ({"id": 1, "abst": "a", "keyword": ["k1", "k2"]}, {"label": "1"}),
}


@case.table({f"{n}_{u}": (n, u) for n in CLUE for u in ("train", "eval", "test")})
def clue(task, usage):
    both, label = CLUE[task]
    given = {"id": 4, **both} if usage == "test" else {**both, **label}
    with tempfile.TemporaryDirectory() as root:
        write(root, {"a.json": json.dumps(given, ensure_ascii=False) + "\n"})
        data = ds.CLUEDataset(f"{root}/a.json", task, usage, **PLAIN)
        return data.get_dataset_size(), data.get_col_names(), rows(data)


WRONG = {
    "task": ('{"sentence": "s"}\n', ("X",)),
    "usage": ('{"sentence": "s"}\n', ("CSL", "valid")),
    "columns": ('{"sentence": "s"}\n', ("CSL",)),
    "json": ("hello\n", ()),
}


@case.table(WRONG)
def clue_wrong(text, arguments):
    with tempfile.TemporaryDirectory() as root:
        write(root, {"a.json": text})
        return rows(ds.CLUEDataset(f"{root}/a.json", *arguments, **PLAIN))
