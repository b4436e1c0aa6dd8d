"""MindRecord files: what stands in them, and what is read of them."""

import contextlib
import json
import os
import sqlite3
import tempfile

import mindspore.dataset as ds
import numpy as np
from mindspore.mindrecord import FileReader, FileWriter, ImageNetToMR

from tests.parity.case import case

HEADER, PAGE = 1 << 14, 1 << 15
FIELDS = {
    "name": {"type": "string"},
    "label": {"type": "int32"},
    "big": {"type": "int64"},
    "image": {"type": "bytes"},
    "box": {"type": "float32", "shape": [2, 2]},
    "ids": {"type": "int64", "shape": [-1]},
}
FLOATS = ("float32", "float64")
NUMBERS = [0, -1, 127, -128, 128, 300, -300, 70000, -(2**31), 2**31, -(2**40)]


def row(i):
    return {
        "name": "é" * i,
        "label": i - 1,
        "big": i * 10**10,
        "image": bytes([i, 255, 0, 1]) * (i + 1),
        "box": np.arange(4, dtype=np.float32).reshape(2, 2) + i,
        "ids": np.array(NUMBERS[: 2 * i + 1]),
    }


@contextlib.contextmanager
def folder():
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as path:
        os.chdir(path)
        try:
            yield
        finally:
            os.chdir(before)


def write(fields, rows, *settings, index=None, small=True):
    writer = FileWriter(*settings)
    if small:
        writer.set_header_size(HEADER)
        writer.set_page_size(PAGE)
    writer.add_schema(fields, "rows")
    if index:
        writer.add_index(index)
    writer.write_raw_data(rows)
    writer.commit()


def layout(path):
    """Return the header of a file, what its pages hold, and its index."""
    with open(path, "rb") as file:
        data = file.read()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    pages = []
    for page in header["page"]:
        start = HEADER + PAGE * page["page_id"]
        pages.append(data[start : start + page["page_size"]])
    base = sqlite3.connect(f"{path}.db")
    index = base.execute("SELECT * FROM INDEXES ORDER BY ROW_ID").fetchall()
    columns = [each[1:3] for each in base.execute("PRAGMA table_info(INDEXES)")]
    names = base.execute("SELECT * FROM SHARD_NAME").fetchall()
    base.close()
    places = [dict(zip([name for name, _ in columns], each, strict=True)) for each in index]
    return header, pages, places, dict(columns), names


def picked(*names):
    return {name: FIELDS[name] for name in names}


@case.table(
    {
        "every": (tuple(FIELDS), None),
        "index": (("name", "label", "image"), ["label"]),
        "one_blob": (("label", "image"), None),
        "ints": (("ids",), None),
        "no_blob": (("name", "label"), None),
    }
)
def stands_there(names, index):
    with folder():
        fields = picked(*names)
        write(fields, [{n: row(i)[n] for n in names} for i in range(5)], "a.mr", index=index)
        return layout("a.mr")


@case
def pages_that_are_full():
    with folder():
        rows = [{"label": i, "image": bytes([i]) * 10000} for i in range(8)]
        write(picked("label", "image"), rows, "a.mr")
        header, pages, places, _, _ = layout("a.mr")
        return header["page"], [len(page) for page in pages], places


@case.table({"one": ("a.mr", 1), "three": ("a.mr", 3), "twelve": ("a", 12)})
def files(name, shards):
    with folder():
        write(picked("label"), [{"label": i} for i in range(24)], name, shards)
        written = sorted(os.listdir("."))
        first = written[0]
        with open(first, "rb") as file:
            data = file.read()
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        reader = FileReader(first)
        rows = [each["label"] for each in reader.get_next()]
        return written, header["shard_addresses"], rows, reader.len()


@case
def read_row_by_row():
    with folder():
        write(FIELDS, [row(i) for i in range(4)], "a.mr")
        reader = FileReader("a.mr")
        found = list(reader.get_next())
        columns = list(FileReader("a.mr", columns=["label", "box"]).get_next())
        schema = reader.schema()
        reader.close()
        return found, columns, schema, reader.len()


@case
def usual_sizes():
    with folder():
        write(FIELDS, [row(1)], "a.mr", small=False)
        return list(FileReader("a.mr").get_next())


SCALARS = {
    **{f"int32_{kind.__name__}": ("int32", kind(1)) for kind in (np.int16, np.int32, np.int64)},
    **{f"int64_{kind.__name__}": ("int64", kind(1)) for kind in (np.int32, np.int64, np.uint64)},
    **{f"{a}_{b}": (a, np.dtype(b).type(1.5)) for a in FLOATS for b in ("float16", *FLOATS)},
    "int32_array": ("int32", np.array(1)),
    "string_object": ("string", np.bytes_(b"s")),
}


@case.table(SCALARS)
def numbers_of_numpy(kind, value):
    with folder():
        write({"x": {"type": kind}}, [{"x": value}, {"x": value}], "a.mr", index=["x"])
        data = ds.MindDataset("a.mr", shuffle=False)
        return list(FileReader("a.mr").get_next()), iterated(data)


@case
def closed():
    with folder():
        write(picked("label"), [{"label": i} for i in range(4)], "a.mr")
        reader = FileReader("a.mr")
        rows = reader.get_next()
        first = next(rows)
        reader.close()
        return first, reader.len()


@case
def numbers_with_a_point():
    with folder():
        fields = {"half": {"type": "float32"}, "tenth": {"type": "float64"}}
        rows = [{"half": 0.5, "tenth": 0.1}, {"half": np.float32(1.5), "tenth": np.float64(1.1)}]
        write(fields, rows, "a.mr")
        data = ds.MindDataset("a.mr", shuffle=False)
        return list(FileReader("a.mr").get_next()), iterated(data)


def iterated(data):
    return [list(each) for each in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@case
def written_twice():
    with folder():
        writer = FileWriter("a.mr")
        writer.add_schema(picked("label"), "rows")
        writer.write_raw_data([{"label": 1}])
        writer.write_raw_data([{"label": 2}, {"label": "no"}, {"label": 3, "more": 1}])
        writer.commit()
        write(picked("label"), [{"label": 9}], "b.mr")
        write(picked("label"), [{"label": 8}], "b.mr", 1, True)
        return [[each["label"] for each in FileReader(p).get_next()] for p in ("a.mr", "b.mr")]


@case
def dataset():
    with folder():
        write(FIELDS, [row(i) for i in range(4)], "a.mr", 2)
        data = ds.MindDataset("a.mr0", shuffle=False)
        facts = data.get_col_names(), data.get_dataset_size(), data.output_shapes()
        some = ds.MindDataset("a.mr1", ["ids", "name"], shuffle=False)
        batches = ds.MindDataset("a.mr0", ["label", "box"], shuffle=False).batch(3)
        return facts, iterated(data), iterated(some), iterated(batches)


def labels(**options):
    with folder():
        write(picked("label", "ids"), [{"label": i, "ids": np.arange(2)} for i in range(7)], "a.mr")
        data = ds.MindDataset("a.mr", **options)
        found = [int(each[data.get_col_names().index("label")]) for each in iterated(data)]
        return data.get_dataset_size(), found


PADDING = {"padded_sample": {"label": -1}, "num_padded": 2, "columns_list": ["label"]}


@case.table(
    {
        "first_half": ({"shuffle": False, "num_shards": 2, "shard_id": 0},),
        "second_half": ({"shuffle": False, "num_shards": 2, "shard_id": 1},),
        "third": ({"shuffle": False, "num_shards": 3, "shard_id": 2},),
        "few": ({"shuffle": False, "num_samples": 3},),
        "numbers": ({"sampler": lambda: ds.SubsetSampler([1, 5])},),
        "from": ({"sampler": lambda: ds.SequentialSampler(2, 3)},),
        "spread": ({"sampler": lambda: ds.DistributedSampler(2, 1, shuffle=False)},),
        "padded": ({"shuffle": False, **PADDING},),
        "padded_third": ({"shuffle": False, "num_shards": 3, "shard_id": 2, **PADDING},),
    }
)
def order(options):
    made = {k: v() if callable(v) else v for k, v in options.items()}
    return labels(**made)


@case.table(
    {
        "default": ({},),
        "true": ({"shuffle": True},),
        "random": ({"sampler": lambda: ds.RandomSampler()},),
    }
)
def shuffled(options):
    size, found = labels(**{k: v() if callable(v) else v for k, v in options.items()})
    return size, sorted(found)


@case
def list_of_files():
    with folder():
        write(picked("label"), [{"label": i} for i in range(4)], "a.mr", 2)
        return iterated(ds.MindDataset(["a.mr1", "a.mr0"], shuffle=False))


@case.table(
    {
        "no_file": (lambda: ds.MindDataset("none.mr"),),
        "a_number": (lambda: ds.MindDataset(1),),
        "not_one": (lambda: ds.MindDataset("text"),),
        "columns": (lambda: ds.MindDataset("a.mr", 1),),
        "no_column": (lambda: iterated(ds.MindDataset("a.mr", ["none"])),),
        "sampler_and_shuffle": (
            lambda: ds.MindDataset("a.mr", shuffle=True, sampler=ds.SequentialSampler()),
        ),
        "shuffle": (lambda: ds.MindDataset("a.mr", shuffle=1),),
        "shards_alone": (lambda: ds.MindDataset("a.mr", num_shards=2),),
        "shard_too_large": (lambda: ds.MindDataset("a.mr", num_shards=2, shard_id=2),),
        "samples": (lambda: ds.MindDataset("a.mr", num_samples=-1),),
        "padding_alone": (
            lambda: ds.MindDataset("a.mr", padded_sample={"label": 1}, num_padded=1),
        ),
        "no_padding": (lambda: ds.MindDataset("a.mr", ["label"], num_padded=1),),
        "how_much_padding": (
            lambda: ds.MindDataset("a.mr", ["label"], padded_sample={"label": 1}),
        ),
        "padding_that_does_not_divide": (
            lambda: iterated(
                ds.MindDataset(
                    *("a.mr", ["label"], None, False, 2, 0, None, {"label": 1}),
                    num_padded=2,
                )
            ),
        ),
        "reader": (lambda: FileReader("none.mr"),),
        "writer": (lambda: FileWriter(1),),
        "no_shards": (lambda: FileWriter("b.mr", 0),),
        "many_shards": (lambda: FileWriter("b.mr", 1001),),
        "header": (lambda: FileWriter("b.mr").set_header_size(5),),
        "type": (lambda: FileWriter("b.mr").add_schema({"a": {"type": "int8"}}),),
        "name": (lambda: FileWriter("b.mr").add_schema({"a b": {"type": "int32"}}),),
        "empty": (lambda: FileWriter("b.mr").add_schema({}),),
        "no_dict": (lambda: FileWriter("b.mr").add_schema(1),),
        "text_with_a_shape": (
            lambda: FileWriter("b.mr").add_schema({"a": {"type": "string", "shape": [-1]}}),
        ),
        "exists": (lambda: write(picked("label"), [{"label": 1}], "a.mr"),),
        "wrong_rows": (lambda: write(picked("label"), [{"label": "x"}, {"name": 1}], "b.mr"),),
        "whole_for_float": (lambda: write({"a": {"type": "float32"}}, [{"a": 1}], "b.mr"),),
        "float_for_whole": (lambda: write(picked("label"), [{"label": 1.5}], "b.mr"),),
        "bool": (lambda: write(picked("label"), [{"label": True}], "b.mr"),),
        "array_for_bytes": (
            lambda: write(picked("image"), [{"image": np.zeros(2, np.uint8)}], "b.mr"),
        ),
        "dtype": (lambda: write(picked("box"), [{"box": np.ones((2, 2))}], "b.mr"),),
        "shape": (lambda: write(picked("box"), [{"box": np.ones((2, 3), np.float32)}], "b.mr"),),
        "list_for_array": (lambda: write(picked("ids"), [{"ids": [1, 2]}], "b.mr"),),
        "no_rows": (lambda: write(picked("label"), [], "b.mr"),),
        "no_list": (lambda: write(picked("label"), {"label": 1}, "b.mr"),),
        "no_index": (lambda: write(picked("label"), [{"label": 1}], "b.mr", index=["none"]),),
        "index_of_bytes": (
            lambda: write(picked("image"), [{"image": b"x"}], "b.mr", index=["image"]),
        ),
        "no_schema": (lambda: FileWriter("b.mr").write_raw_data([{"label": 1}]),),
    }
)
def refused(call):
    with folder():
        write(picked("label"), [{"label": i} for i in range(7)], "a.mr")
        with open("text", "w") as file:
            file.write("text")
        return str(type(call()))


@case.table({"one": (1, "a.mr"), "two": (2, "a.mr1")})
def appended(shards, name):
    with folder():
        write(FIELDS, [row(i) for i in range(2)], "a.mr", shards)
        writer = FileWriter.open_for_append(name)
        writer.write_raw_data([row(i) for i in range(5, 2, -1)])
        writer.commit()
        rows = iterated(ds.MindDataset(name, shuffle=False))
        # Of several files, 2.10 appends to one or the other.
        return rows if shards == 1 else sorted(rows, key=str), FileReader(name).len()


@case.table({"no_file": ("none.mr",), "a_number": (3,)})
def appended_wrong(name):
    with folder():
        FileWriter.open_for_append(name)


@case
def appended_schema():
    with folder():
        write(FIELDS, [row(1)], "a.mr")
        FileWriter.open_for_append("a.mr").add_schema(FIELDS)


_SAVED = {
    "numbers": {
        name: np.arange(4).astype(name)
        for name in ("int32", "int64", "float32", "float64", "int8", "uint16", "uint32", "uint64")
    },
    "arrays": {
        name: np.arange(12).reshape(2, 3, 2).astype(name)
        for name in ("bool", "uint8", "float16", "float32", "int64")
    },
    "strings": {"text": ["é", "b"], "a-b.c": [1, 2]},
}


@case.table(
    {**{name: (columns, 1) for name, columns in _SAVED.items()}, "three": ({"i": range(7)}, 3)}
)
def saved(columns, files):
    with folder():
        data = ds.NumpySlicesDataset({k: np.asarray(v) for k, v in columns.items()}, shuffle=False)
        data.save("a.mr", files)
        found = "a.mr0" if files > 1 else "a.mr"
        rows = iterated(ds.MindDataset(found, shuffle=False))
        # 2.10 spreads rows over several files by chance.
        return sorted(os.listdir()), FileReader(found).schema(), sorted(rows, key=str)


@case
def saved_of_several_lengths_and_batches():
    def lengths():
        for i in range(1, 4):
            yield np.arange(i), np.array(b"x" * i)

    with folder():
        ds.GeneratorDataset(lengths, ["r", "b"]).save("a.mr")
        ds.NumpySlicesDataset({"i": np.arange(5)}, shuffle=False).batch(2).repeat(2).save("b.mr")
        return [iterated(ds.MindDataset(name, shuffle=False)) for name in ("a.mr", "b.mr")]


_SEVEN = {"i": np.arange(7)}


@case.table(
    {
        "name": (_SEVEN, 3),
        "none": (_SEVEN, "a.mr", 0),
        "many": (_SEVEN, "a.mr", 1001),
        "number": (_SEVEN, "a.mr", "1"),
        "kind": (_SEVEN, "a.mr", 1, "tfrecord"),
        "folder": (_SEVEN, "none/a.mr"),
        "exists": (_SEVEN, "there"),
        "space": ({"a b": [1]}, "a.mr"),
        "texts": ({"s": [["a", "b"], ["c", "d"]]}, "a.mr"),
    }
)
def saved_wrong(columns, *arguments):
    with folder():
        with open("there", "w") as file:
            file.write("text")
        ds.NumpySlicesDataset(columns).save(*arguments)


@case
def saved_of_no_rows():
    with folder():
        ds.NumpySlicesDataset(_SEVEN).filter(lambda i: i > 9, input_columns=["i"]).save("a.mr")


def converted(folders="n01 0\nn02 1\n", **options):
    with folder():
        for name in ("n01", "n02"):
            os.makedirs(f"images/{name}")
            with open(f"images/{name}/a.jpg", "wb") as file:
                file.write(name.encode())
        with open("map.txt", "w") as file:
            file.write(folders)
        given = {"map_file": "map.txt", "image_dir": "images", "destination": "out", **options}
        done = ImageNetToMR(**given).run()
        names = sorted(name for name in os.listdir() if name.startswith("out"))
        reader = FileReader([name for name in names if not name.endswith(".db")])
        return done, names, reader.schema(), list(reader.get_next())


@case.table(
    {
        "all": ({},),
        "two_files": ({"partition_number": 2},),
        "one_class": ({"folders": "n02 7\n"},),
        "no_map": ({"map_file": "no.txt"},),
        "no_images": ({"image_dir": "no"},),
        "number": ({"map_file": 3},),
        "destination": ({"destination": 3},),
        "no_files": ({"partition_number": 0},),
    }
)
def images_by_folder(options):
    return converted(**options)
