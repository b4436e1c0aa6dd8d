"""Data sets written into MindRecord files, as 2.10 writes them with pandas and OpenCV beside it."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest

from msgrad import dataset as ds
from msgrad.mindrecord import CsvToMR, FileReader, MnistToMR
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
