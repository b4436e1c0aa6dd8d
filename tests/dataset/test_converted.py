"""Data sets written into MindRecord files, as 2.10 writes them with pandas and OpenCV beside it.

What it does of TFRecord files was seen beside a stand-in for TensorFlow.
"""

from __future__ import annotations

import gzip
import os
import pickle
import struct
from types import SimpleNamespace

import numpy as np
import pytest

from msgrad import dataset as ds
from msgrad.mindrecord import (
    Cifar10ToMR,
    Cifar100ToMR,
    CsvToMR,
    FileReader,
    MnistToMR,
    TFRecordToMR,
)
from msgrad.mindrecord._format import MindRecordException

TEXT = "id,name,score\n1,ab,0.5\n2,cd,1.5\n3,,2\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(TEXT)
    return str(path)


def test_columns_of_a_csv_file(table, tmp_path):
    out = str(tmp_path / "out")
    assert CsvToMR(table, out).run() == 0
    reader = FileReader(out)
    kinds = {"id": "int64", "name": "string", "score": "float64"}
    assert reader.schema() == {name: {"type": kind} for name, kind in kinds.items()}
    # The third row has no name.
    rows = [{"id": 1, "name": "ab", "score": 0.5}, {"id": 2, "name": "cd", "score": 1.5}]
    assert list(reader.get_next()) == rows


def test_some_columns_in_several_files(table, tmp_path):
    out = str(tmp_path / "out")
    assert CsvToMR(table, out, ["score", "id"], 2).transform() is None
    found = list(FileReader(f"{out}0").get_next())
    assert found == [{"id": i + 1, "score": s} for i, s in enumerate((0.5, 1.5, 2.0))]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (("no.csv", "out"), OSError),
        ((3, "out"), ValueError),
        (("a.csv", 3), ValueError),
        (("a.csv", "out", "id"), ValueError),
        (("a.csv", "out", ["no"]), RuntimeError),
        (("a.csv", "out", None, 0), MindRecordException),
    ],
)
def test_what_a_csv_file_must_be(table, tmp_path, monkeypatch, given, error):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error):
        CsvToMR(*given).run()


def test_mnist(tmp_path):
    pytest.importorskip("cv2")
    images = (np.arange(2 * 784) % 200).astype(np.uint8).reshape(2, 28, 28)
    for name in ("train", "t10k"):
        data = struct.pack(">iiii", 2051, *images.shape) + images.tobytes()
        with gzip.open(tmp_path / f"{name}-images-idx3-ubyte.gz", "wb") as file:
            file.write(data)
        with gzip.open(tmp_path / f"{name}-labels-idx1-ubyte.gz", "wb") as file:
            file.write(struct.pack(">ii", 2049, 2) + bytes([3, 4]))
    MnistToMR(str(tmp_path), str(tmp_path / "out")).run()
    for part in ("train", "test"):
        data = ds.MindDataset(str(tmp_path / f"out_{part}.mindrecord"), shuffle=False)
        rows = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))
        assert [(row["label"].dtype, int(row["label"])) for row in rows] == [
            (np.int64, 3),
            (np.int64, 4),
        ]
        found = ds.vision.Decode()(rows[0]["data"])
        assert found.shape == (28, 28, 3)
        assert np.abs(found[..., 0].astype(int) - images[0]).mean() < 4


def test_mnist_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        MnistToMR(str(tmp_path), str(tmp_path / "out")).run()


def colours():
    """Return images of the planes red, green and blue, in rows."""
    planes = np.arange(3)[:, None] * 40 + np.add.outer(np.arange(32), np.arange(32)).reshape(-1)
    return np.stack([planes, planes + 60]).reshape(2, -1).astype(np.uint8)


CIFAR = {
    "10": (
        Cifar10ToMR,
        [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"],
        {b"labels": [3, 4]},
        {"label": [3, 4] * 5},
    ),
    "100": (
        Cifar100ToMR,
        ["train", "test"],
        {b"fine_labels": [30, 41], b"coarse_labels": [3, 4]},
        {"fine_label": [30, 41], "coarse_label": [3, 4]},
    ),
}


@pytest.mark.parametrize(("converter", "names", "labels", "found"), CIFAR.values(), ids=[*CIFAR])
def test_cifar(tmp_path, converter, names, labels, found):
    for name in names:
        (tmp_path / name).write_bytes(pickle.dumps({b"data": colours(), **labels}))
    out = str(tmp_path / "out")
    assert converter(str(tmp_path), out).run([*found]) == 0
    kinds = dict.fromkeys(("id", *found), "int64") | {"data": "bytes"}
    assert FileReader(out).schema() == {name: {"type": kinds[name]} for name in sorted(kinds)}
    assert FileReader(f"{out}_test").len() == 2
    rows = list(FileReader(out).get_next())
    assert [row["id"] for row in rows] == [*range(len(rows))]
    assert {name: [row[name] for row in rows] for name in found} == found
    image = ds.vision.Decode()(np.frombuffer(rows[1]["data"], np.uint8))
    wanted = colours()[1].reshape(3, 32, 32).transpose(1, 2, 0)
    assert np.abs(image.astype(int) - wanted).mean() < 2


def test_cifar_that_is_not_there(tmp_path):
    with pytest.raises(MindRecordException, match="data_batch"):
        Cifar10ToMR(str(tmp_path), str(tmp_path / "out")).run()
    with pytest.raises(FileNotFoundError):
        Cifar10ToMR(str(tmp_path / "no"), str(tmp_path / "out")).run()


def test_a_pickle_with_more_than_arrays_is_not_run(tmp_path):
    class Made:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "made"),)

    (tmp_path / "train").write_bytes(pickle.dumps(Made()))
    with pytest.raises(RuntimeError, match="forbidden"):
        Cifar100ToMR(str(tmp_path), str(tmp_path / "out")).run()
    assert not (tmp_path / "made").exists()


def message(number, data):
    return bytes([number << 3 | 2, len(data)]) + data


def records(folder):
    """Return the path of a TFRecord file of three examples."""
    whole = b""
    for i in range(3):
        kinds = {
            "lab": message(3, message(1, bytes([30 + i]))),
            "img": message(1, message(1, b"ab%d" % i)),
            "box": message(2, message(1, struct.pack("<ff", 1.5, i))),
        }
        entries = (message(1, n.encode()) + message(2, value) for n, value in kinds.items())
        row = message(1, b"".join(message(1, entry) for entry in entries))
        # What stands for the checksums is not looked at.
        whole += struct.pack("<Q", len(row)) + bytes(4) + row + bytes(4)
    (folder / "a.tfrecord").write_bytes(whole)
    return str(folder / "a.tfrecord")


def feature(dtype, *shape, default=None):
    return SimpleNamespace(shape=shape, dtype=SimpleNamespace(name=dtype), default_value=default)


FEATURES = {
    "lab": feature("int64"),
    "img": feature("string"),
    "box": feature("float32", 2),
    "no-way": feature("uint8", default=7),
}


@pytest.mark.parametrize("binary", [None, ["img"]])
def test_features_of_a_tfrecord_file(tmp_path, binary):
    source, out = records(tmp_path), str(tmp_path / "out")
    assert TFRecordToMR(source, out, FEATURES, binary).run() is None
    assert FileReader(out).schema() == {
        "box": {"shape": [2], "type": "float32"},
        "img": {"type": "bytes" if binary else "string"},
        "lab": {"type": "int64"},
        "no_way": {"type": "int32"},
    }
    (first, *_), count = list(FileReader(out).get_next()), FileReader(out).len()
    assert count == 3
    np.testing.assert_array_equal(first.pop("box"), np.array([1.5, 0], np.float32))
    assert first == {"lab": 30, "img": b"ab0" if binary else "ab0", "no_way": 7}


@pytest.mark.parametrize(
    ("features", "binary"),
    [
        (3, None),
        ({"lab": 3}, None),
        ({"img": feature("string", 1)}, None),
        ({"box": feature("float32", 1, 2)}, None),
        (FEATURES, "img"),
        (FEATURES, ["lab"]),
        (FEATURES, ["absent"]),
    ],
)
def test_features_that_cannot_be(tmp_path, features, binary):
    with pytest.raises(ValueError):
        TFRecordToMR(records(tmp_path), str(tmp_path / "out"), features, binary)


def test_a_feature_that_is_not_there(tmp_path):
    made = TFRecordToMR(records(tmp_path), str(tmp_path / "out"), {"no": feature("int64")})
    with pytest.raises(ValueError, match="required"):
        made.run()
