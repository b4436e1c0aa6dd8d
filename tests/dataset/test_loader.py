"""``DataLoader`` with workers: the rows of one process; workers that raise, hang, or end."""

from __future__ import annotations

import os
import random
import time

import numpy as np
import pytest

from msgrad.dataset import dataloader as loading
from msgrad.dataset.dataloader import _workers


class Squares(loading.Dataset):
    calls = 0

    def __len__(self):
        return 6

    def __getitem__(self, index):
        self.calls += 1
        return np.float32(index), index**2


class Stream(loading.IterableDataset):
    def __iter__(self):
        info = loading.get_worker_info()
        return iter(range(7) if info is None else range(info.id, 7, info.num_workers))


class Told(Squares):
    def __getitem__(self, index):
        info = loading.get_worker_info()
        drawn = random.random(), np.random.rand()
        self.calls += 1
        same = info.dataset is self
        return info.id, info.num_workers, info.seed, same, self.calls, os.environ["TOLD"], drawn


class Troubled(Squares):
    def __init__(self, trouble):
        self.trouble = trouble

    def __getitem__(self, index):
        if index == 2:
            self.trouble()
        return index


def raises():
    raise LookupError("no such row")


def is_killed():
    os._exit(3)


def hangs():
    time.sleep(600)


def tell(place):
    os.environ["TOLD"] = str(place)


def rows(loader):
    return [np.asarray(batch.asnumpy()).tolist() for batch in loader]


def itself(batch):
    return batch


def test_the_rows_of_one_process():
    for size in (4, None):
        here = list(loading.DataLoader(Squares(), size))
        there = list(loading.DataLoader(Squares(), size, num_workers=2))
        assert repr(here) == repr(there)
    order = [np.random.default_rng(4) for _ in range(2)]
    order[0].integers(0, 2**63 - 1)  # The seed of the workers is drawn first.
    here = loading.DataLoader(Squares(), 4, True, generator=order[0])
    there = loading.DataLoader(Squares(), 4, True, generator=order[1], num_workers=3)
    assert repr(list(here)) == repr(list(there))


def test_workers_have_streams_of_their_own():
    loader = loading.DataLoader(Stream(), 2, num_workers=2)
    assert rows(loader) == rows(loader) == [[0, 2], [1, 3], [4, 6], [5]]
    assert rows(loading.DataLoader(Stream(), 2, num_workers=2, drop_last=True)) == [
        [0, 2],
        [1, 3],
        [4, 6],
    ]
    rest = loading.DataLoader(Stream(), None, num_workers=2)
    assert list(rest) == list(range(7))


def told(loader):
    return [batch[0] for batch in loader]


def test_what_workers_know():
    def loader(**options):
        return loading.DataLoader(
            Told(),
            num_workers=2,
            collate_fn=itself,
            worker_init_fn=tell,
            generator=np.random.default_rng(1),
            **options,
        )

    first = told(loader())
    assert [row[0] for row in first] == [0, 1] * 3
    assert {row[1] for row in first} == {2} and all(row[3] for row in first)
    # The numbers that MindSpore gives for this generator.
    seeds = 4720721261117928063, 4720721261117928064
    assert {row[0]: row[2] for row in first} == dict(enumerate(seeds))
    assert [row[4] for row in first] == [1, 1, 2, 2, 3, 3]
    assert [row[5] for row in first] == ["0", "1"] * 3
    assert len({row[6] for row in first}) == 6
    assert told(loader()) == first
    fresh, kept = loader(), loader(persistent_workers=True)
    assert [row[4] for _ in range(2) for row in told(fresh)] == [1, 1, 2, 2, 3, 3] * 2
    assert [row[4] for _ in range(2) for row in told(kept)][-2:] == [6, 6]


def test_one_that_raises_is_an_error_and_the_next_epoch_goes_on():
    loader = loading.DataLoader(Troubled(raises), num_workers=2, collate_fn=itself)
    batches = iter(loader)
    assert [next(batches), next(batches)] == [[0], [1]]
    with pytest.raises(RuntimeError, match=r"worker 0 of the DataLoader:\n(.*\n)*.*no such row"):
        next(batches)
    assert rows(loading.DataLoader(Stream(), 4, num_workers=1)) == [[0, 1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("trouble", "seconds", "said"),
    [(is_killed, 0, "exited unexpectedly"), (hangs, 1, "timed out .* after 1 seconds")],
)
def test_one_that_is_killed_or_hangs_is_an_error(trouble, seconds, said):
    loader = loading.DataLoader(
        Troubled(trouble), num_workers=1, collate_fn=itself, timeout=seconds
    )
    with pytest.raises(RuntimeError, match=said):
        list(loader)
    assert list(loading.DataLoader(Stream(), None, num_workers=1)) == list(range(7))


def test_a_successor_goes_on_where_a_worker_has_ended():
    batches = iter(loading.DataLoader(Stream(), None, num_workers=1, prefetch_factor=1))
    first = [next(batches), next(batches)]
    # As a process ends that had nothing to do for long.
    _workers._executors.pop(0).shutdown(wait=True)
    assert [*first, *batches] == list(range(7))


class Waits(Squares):
    def __getitem__(self, index):
        while index == 0 and not os.path.exists(self.path):
            time.sleep(0.01)
        return index


def test_what_is_ready_comes_first_where_order_does_not_matter(tmp_path):
    data = Waits()
    data.path = str(tmp_path / "go on")
    options = {"num_workers": 2, "collate_fn": itself, "in_order": False}
    if (os.cpu_count() or 1) < 2:
        pytest.skip("two workers share the only process")
    seen = []
    for batch in loading.DataLoader(data, **options):
        seen += batch
        if len(seen) == 3:
            (tmp_path / "go on").touch()
    assert seen[:3] == [1, 3, 5] and sorted(seen) == list(range(6))
