"""CIFAR's files; worker processes; what is read when."""

from __future__ import annotations

import importlib
import os
import random
import signal
import subprocess
import sys
import time
from concurrent import futures

import numpy as np
import pytest

import msgrad
from msgrad import dataset as ds
from msgrad.dataset import vision
from msgrad.dataset.engine import _workers


@pytest.fixture(autouse=True)
def unseeded():
    ds.config._settings.clear()
    yield
    ds.config._settings.clear()


def cifar(path, labels, first=0):
    images = (
        np.random.default_rng(first).integers(0, 256, (len(labels), 3, 32, 32)).astype(np.uint8)
    )
    rows = np.concatenate([np.array(labels, np.uint8), images.reshape(len(labels), -1)], 1)
    path.write_bytes(rows.tobytes())
    return np.moveaxis(images, 1, -1)


def rows(data):
    return list(data.create_tuple_iterator(output_numpy=True, num_epochs=1))


def test_cifar_10(tmp_path):
    train = [cifar(tmp_path / f"data_batch_{i}.bin", [[i], [i + 1]], i) for i in range(1, 6)]
    test = cifar(tmp_path / "test_batch.bin", [[7]], 9)
    data = ds.Cifar10Dataset(str(tmp_path), "train", shuffle=False)
    assert data.get_col_names() == ["image", "label"]
    made = rows(data)
    np.testing.assert_array_equal([row[0] for row in made], np.concatenate(train))
    assert [int(row[1]) for row in made] == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    assert made[0][1].dtype == np.uint32
    every = ds.Cifar10Dataset(str(tmp_path), shuffle=False)
    assert every.get_dataset_size() == 11
    np.testing.assert_array_equal(rows(every)[-1][0], test[0])
    chosen = ds.Cifar10Dataset(str(tmp_path), sampler=ds.PKSampler(2))
    assert sorted(int(row[1]) for row in rows(chosen)) == sorted([1, 2, 3, 4, 5, 6, 7] * 2)


def test_cifar_100(tmp_path):
    images = cifar(tmp_path / "test.bin", [[1, 50], [2, 51]])
    data = ds.Cifar100Dataset(str(tmp_path), "test", shuffle=False)
    assert data.get_col_names() == ["image", "coarse_label", "fine_label"]
    made = rows(data)
    np.testing.assert_array_equal(made[1][0], images[1])
    assert [int(label) for label in made[1][1:]] == [2, 51]
    with pytest.raises(RuntimeError, match="no train file"):
        rows(ds.Cifar100Dataset(str(tmp_path), "train"))
    with pytest.raises(RuntimeError, match="is no file of"):
        (tmp_path / "train.bin").write_bytes(b"short")
        rows(ds.Cifar100Dataset(str(tmp_path), "train"))


class Source:
    def __len__(self):
        return 20

    def __getitem__(self, index):
        return np.full((6, 6, 3), index, np.uint8), index


def pipeline(workers, processes=True):
    data = ds.GeneratorDataset(Source(), ["image", "label"], num_parallel_workers=workers)
    options = {"num_parallel_workers": workers, "python_multiprocessing": processes}
    add = np.add.outer(np.arange(6), np.arange(6))[..., None].astype(np.uint8)
    return data.map([lambda image: image + add, vision.RandomCrop(2)], ["image"], **options)


def test_workers_make_the_same_rows_in_the_same_order():
    ds.config.set_seed(2)
    for one in _workers._pool(2):
        one.submit(int).result()  # They are there, and make rows from the first one on.

    def of_two_epochs(data):
        iterator = data.create_tuple_iterator(output_numpy=True, num_epochs=2)
        return [row for _ in range(2) for row in iterator]

    one, several = (of_two_epochs(pipeline(2, processes)) for processes in (False, True))
    assert [int(row[1]) for row in one[:20]] != list(range(20))
    for left, right in zip(one, several, strict=True):
        np.testing.assert_array_equal(left[0], right[0])
        assert left[1] == right[1]


def test_workers_that_are_there_already_know_modules_folder_and_what_mindspore_is(
    monkeypatch, tmp_path
):
    (tmp_path / "of_a_user.py").write_text(
        "import mindspore\ndef name(x):\n    return mindspore.__name__ + open(x).read()\n"
    )
    (tmp_path / "row").write_text("3")
    _workers._pool.cache_clear()
    _workers._pool(1)[0].submit(int).result()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "work"
    with msgrad.install():
        path.write_bytes(_workers.packed(importlib.import_module("of_a_user").name))
        made = _workers._pool(1)[0].submit(_workers._run, str(path), (0,), "row").result()
    assert made == "msgrad3"


def test_an_error_in_a_worker_arrives():

    def halve(x):
        raise ZeroDivisionError("no")

    data = ds.NumpySlicesDataset(np.arange(3), ["a"])
    data = data.map(halve, ["a"], num_parallel_workers=2, python_multiprocessing=True)
    with pytest.raises(RuntimeError, match=r"\[halve\] failed .*ZeroDivisionError: no"):
        rows(data)


def test_a_short_epoch_does_not_wait_for_workers(monkeypatch):
    class Never:
        def submit(self, *given):
            return futures.Future()

    monkeypatch.setattr(_workers, "_pool", lambda workers: [Never()] * workers)
    ds.config.set_seed(2)
    states = random.getstate(), np.random.get_state()[1].tolist()
    assert [int(row[1]) for row in rows(pipeline(64))] == [int(row[1]) for row in rows(pipeline(1))]
    assert (random.getstate(), np.random.get_state()[1].tolist()) == states


def test_a_killed_worker_is_an_error_and_the_next_epoch_has_others():
    def ended(x):
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
        return x

    parent = os.getpid()
    data = ds.NumpySlicesDataset(np.arange(3), ["a"], shuffle=False).repeat(10**6)
    options = {"num_parallel_workers": 2, "python_multiprocessing": True}
    with pytest.raises(RuntimeError, match="A worker process of the dataset has ended"):
        rows(data.map(ended, ["a"], **options))
    assert len(rows(data.take(5).map(lambda x: x, ["a"], **options))) == 5


def test_what_cannot_be_sent_is_made_here(monkeypatch):
    monkeypatch.setitem(sys.modules, "loky", None)
    with pytest.warns(UserWarning, match="need loky"):
        made = rows(pipeline(2).map(lambda image: image, ["image"]))
    assert len(made) == 20


def test_images_load_when_first_used():
    code = (
        "import sys, msgrad; print([m for m in sys.modules if 'msgrad.dataset' in m or m == 'PIL'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
    # Pillow is an extra, and `import PIL` is enough where there is one.
    code = (
        "import sys; sys.modules['PIL'] = None; import msgrad.dataset as ds, numpy as np; "
        "print(ds.vision.Resize(3)(np.zeros((4, 4, 3), np.uint8)).shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "(3, 3, 3)"
    code = "import msgrad.dataset, PIL; PIL.Image.new('L', (2, 2))"
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert _workers._pool.cache_info().currsize <= 1


@pytest.mark.parametrize("last", [np.ones(2, np.float32), np.ones((2, 2), int), None])
def test_rows_that_cannot_be_saved_leave_no_file(tmp_path, last):
    def source():
        yield (np.arange(3),)
        yield (last if last is not None else 1 / 0,)

    with pytest.raises(RuntimeError):
        ds.GeneratorDataset(source, ["x"]).save(str(tmp_path / "rows.mindrecord"), 2)
    assert not list(tmp_path.iterdir())
