"""Shuffles of datasets: seeds, epochs, going on in the middle; what is not there says so."""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import dataset as ds


@pytest.fixture(autouse=True)
def unseeded():
    ds.config._settings.clear()
    yield
    ds.config._settings.clear()


def pipeline():
    data = ds.NumpySlicesDataset(np.arange(24), ["a"])
    return data.shuffle(5).repeat(2).batch(5)


def epochs(data, count):
    iterator = data.create_tuple_iterator(num_epochs=count, output_numpy=True)
    return [[row[0].tolist() for row in iterator] for _ in range(count)]


def test_each_epoch_has_every_row_in_its_own_order():
    ds.config.set_seed(1)
    first, second = epochs(pipeline(), 2)
    assert first != second
    for each in (first, second):
        rows = [value for batch in each for value in batch]
        assert sorted(rows) == sorted([*range(24)] * 2)
        assert sorted(rows[:24]) == list(range(24))
        assert rows[:24] != rows[24:]


def test_a_seed_gives_the_same_order_again():
    ds.config.set_seed(1)
    one = epochs(pipeline(), 2)
    assert epochs(pipeline(), 2) == one
    ds.config.set_seed(2)
    assert epochs(pipeline(), 2) != one


def test_the_global_seed_counts_where_there_is_no_other():
    ms.set_seed(3)
    one = epochs(pipeline(), 1)
    ms.set_seed(4)
    assert epochs(pipeline(), 1) != one
    ms.set_seed(3)
    assert epochs(pipeline(), 1) == one


@pytest.mark.parametrize("step", [0, 3, 10, 13, 25])
def test_going_on_at_a_step(step):
    ds.config.set_seed(1)
    data = pipeline()
    size = data.get_dataset_size()
    every = [batch for epoch in epochs(data, 4) for batch in epoch]
    data.set_init_step(step)
    iterator = data.create_tuple_iterator(num_epochs=4, output_numpy=True)
    rest = [row[0].tolist() for _ in range(4 - step // size) for row in iterator]
    assert rest == every[step:]


def test_random_samplers():
    def rows(sampler):
        data = ds.NumpySlicesDataset(np.arange(10), sampler=sampler)
        return [int(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    ds.config.set_seed(1)
    assert sorted(rows(ds.RandomSampler())) == list(range(10))
    assert len(rows(ds.RandomSampler(replacement=True, num_samples=7))) == 7
    assert sorted(rows(ds.SubsetRandomSampler([3, 1, 8]))) == [1, 3, 8]
    shards = [rows(ds.DistributedSampler(2, shard)) for shard in (0, 1)]
    assert sorted(shards[0] + shards[1]) == list(range(10))
    with pytest.raises(RuntimeError, match=r"Sample ID \(11\) is out of bound"):
        rows([11])


def test_an_error_in_a_map_names_the_function_and_keeps_its_cause():
    def halve(x):
        raise ZeroDivisionError("no")

    data = ds.NumpySlicesDataset(np.arange(3), ["a"]).map(halve, ["a"])
    with pytest.raises(RuntimeError, match=r"\[halve\] failed .*'a'.* ZeroDivisionError: no") as e:
        next(data.create_tuple_iterator())
    assert isinstance(e.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("run", "text"),
    [
        (lambda: ds.TedliumDataset("folder"), "leaves out dataset.TedliumDataset: read its files"),
        (lambda: ds.vision.DecodeVideo(2), "leaves out dataset.DecodeVideo: read videos"),
        (lambda: ds.transforms.Plugin(2), "leaves out dataset.Plugin: map"),
        (lambda: pipeline().build_voc(2), "Dataset has no 'build_voc'"),
    ],
)
def test_what_is_not_there_says_so(run, text):
    with pytest.raises((AttributeError, NotImplementedError), match=text):
        run()


def test_rows_of_random_transforms_are_counted_and_looked_at():
    images = ds.NumpySlicesDataset(np.zeros((4, 8, 8, 3), np.uint8), ["image"])
    crop = [ds.vision.RandomHorizontalFlip(0.5), ds.vision.RandomCrop(4)]
    data = images.map(crop, ["image"])
    by_length = data.bucket_batch_by_length(["image"], [5], [2, 2], element_length_function=len)
    assert by_length.get_dataset_size() == 2
    assert data.filter(lambda image: True).shuffle(3).get_dataset_size() == 4
    assert data.repeat(3).shuffle(2).output_shapes() == [[4, 4, 3]]


def test_one_hot_with_smoothing():
    made = ds.transforms.OneHot(4, 0.2)(np.int32(1))
    np.testing.assert_allclose(made, [0.05, 0.85, 0.05, 0.05], rtol=1e-6)
    with pytest.raises(RuntimeError, match="outside"):
        ds.transforms.OneHot(4)(np.int32(4))


def test_compose():
    both = ds.transforms.Compose([lambda x: (x, x + 1), lambda a, b: a * b])
    assert both(3) == 12
