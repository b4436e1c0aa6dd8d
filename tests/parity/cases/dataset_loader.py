"""``mindspore.dataset.dataloader``: loaders in one process, samplers, what becomes of rows."""

import collections

import mindspore as ms
import numpy as np
from mindspore import Tensor
from mindspore.dataset import dataloader as loading

from tests.parity.case import case

Point = collections.namedtuple("Point", "x y")


class Squares(loading.Dataset):
    def __init__(self, rows, width=1):
        self.rows, self.width = rows, width

    def __getitem__(self, index):
        return np.full(self.width, index, np.float32), index**2

    def __len__(self):
        return self.rows


class Stream(loading.IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(range(self.rows))


class Unending(Stream):
    def __len__(self):
        return self.rows


class OfPoints(Squares):
    def __getitem__(self, index):
        return {"at": Point(index, 0.5), "of": "s"}


def generator():
    return np.random.default_rng(3)


def columns(count=3):
    return Tensor(np.arange(count)), Tensor(np.arange(count, dtype=np.float32)[:, None])


BATCHES = {
    "ints": [1, 2],
    "floats": [1.0, 2.0],
    "bools": [True, False],
    "int_first": [1, 2.5],
    "float_first": [1.5, 2],
    "texts": ["a", "b"],
    "bytes": [b"a", b"b"],
    "arrays": [np.ones(2, np.float32), np.zeros(2, np.float32)],
    "doubles": [np.ones(2), np.ones(2)],
    "numbers_of_numpy": [np.float32(1), np.float32(2)],
    "small_ints": [np.int8(1), np.int8(2)],
    "bools_of_numpy": [np.bool_(True)],
    "tuples": [(1, 2.0), (3, 4.0)],
    "lists": [[1, 2], [3, 4]],
    "ranges": [range(2), range(2)],
    "nested": [({"a": [1, 2]}, "s"), ({"a": [3, 4]}, "t")],
    "dicts": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}],
    "none": [None, None],
    "ragged": [(1, 2), (3,)],
    "ragged_arrays": [np.ones(2), np.ones(3)],
    "nothing": [],
    "objects": [object()],
    "arrays_of_texts": [np.array(["a"])],
    "sets": [{1}, {2}],
    "complex": [1j],
    "other_keys": [{"a": 1}, {"b": 2}],
    "beyond_32_bits": [2**40],
}


@case.table({name: (batch,) for name, batch in BATCHES.items()})
def collated(batch):
    return loading.default_collate(batch)


@case
def collated_tensors():
    rows = [Tensor([1, 2]), Tensor([3, 4])]
    return loading.default_collate(rows), loading.default_collate([Tensor([1.0]), Tensor([1])])


@case
def kinds_of_containers():
    of_points = loading.default_collate([Point(1, 2.0), Point(3, 4.0)])
    ordered = loading.default_collate([collections.OrderedDict(a=1)])
    counted = loading.default_collate([collections.defaultdict(int, a=1)])
    return type(of_points).__name__, [*of_points], type(ordered).__name__, type(counted).__name__


ROWS = {
    "number": 1,
    "number_of_numpy": np.float64(1),
    "array": np.ones(2, np.float32),
    "texts": np.array(["a"]),
    "objects": np.array([None]),
    "list": [1, np.ones(1)],
    "tuple": (np.ones(1), 2),
    "dict": {"a": np.ones(1), "b": "s"},
    "range": range(2),
    "none": None,
}


@case.table({name: (row,) for name, row in ROWS.items()})
def converted(row):
    return loading.default_convert(row)


LOADERS = {
    "rows": lambda: loading.DataLoader(Squares(3)),
    "batches": lambda: loading.DataLoader(Squares(5), 2),
    "whole_batches": lambda: loading.DataLoader(Squares(5), 2, drop_last=True),
    "no_batches": lambda: loading.DataLoader(Squares(2), None),
    "stream": lambda: loading.DataLoader(Stream(5), 2),
    "whole_batches_of_a_stream": lambda: loading.DataLoader(Stream(5), 2, drop_last=True),
    "rows_of_a_stream": lambda: loading.DataLoader(Stream(3), None),
    "sampler": lambda: loading.DataLoader(Squares(4), 2, sampler=[3, 1, 0]),
    "batch_sampler": lambda: loading.DataLoader(Squares(4), batch_sampler=[[3, 1], [0]]),
    "list": lambda: loading.DataLoader([1, 2]),
    "collate_fn": lambda: loading.DataLoader(Squares(3), 2, collate_fn=len),
    "collate_fn_of_rows": lambda: loading.DataLoader(Squares(2), None, collate_fn=len),
    "random": lambda: loading.DataLoader(Squares(10), 3, True, generator=generator()),
    "tensors": lambda: loading.DataLoader(loading.TensorDataset(*columns()), 2),
    "mappings": lambda: loading.DataLoader([{"a": np.ones(2), "b": "s"}] * 3, 2),
}


@case.table({name: (make,) for name, make in LOADERS.items()})
def loaded(make):
    return list(make())


@case
def named_tuples():
    (batch,) = loading.DataLoader(OfPoints(2), 2)
    return type(batch["at"]).__name__, [*batch["at"]], batch["of"]


@case
def lengths():
    makes = Squares(5), Unending(5)
    options = {}, {"drop_last": True}
    found = [len(loading.DataLoader(data, 2, **more)) for data in makes for more in options]
    loader = loading.DataLoader(Squares(5), None)
    return found, len(loader), len(iter(loader)), len(LOADERS["batch_sampler"]())


WRONG = {
    "batch_size": {"batch_size": 0},
    "batch_size_float": {"batch_size": 1.5},
    "batch_size_bool": {"batch_size": True},
    "num_workers": {"num_workers": -1},
    "num_workers_float": {"num_workers": 1.0},
    "timeout": {"timeout": -1},
    "timeout_text": {"timeout": "a"},
    "prefetch_factor": {"prefetch_factor": 2},
    "prefetch_factor_0": {"num_workers": 1, "prefetch_factor": 0},
    "persistent_workers": {"persistent_workers": True},
    "shuffle": {"shuffle": 1},
    "drop_last": {"drop_last": 1},
    "collate_fn": {"collate_fn": 3},
    "pin_memory": {"pin_memory": 1},
    "generator": {"generator": 3},
    "context": {"multiprocessing_context": "spawn"},
    "context_unknown": {"num_workers": 1, "multiprocessing_context": "nope"},
    "context_int": {"num_workers": 1, "multiprocessing_context": 3},
    "in_order": {"in_order": 1},
    "sampler": {"sampler": 3},
    "batch_sampler": {"batch_sampler": 3},
    "sampler_and_shuffle": {"sampler": [0], "shuffle": True},
    "two_sizes": {"batch_sampler": [[0]], "batch_size": 2},
    "two_ends": {"batch_sampler": [[0]], "drop_last": True},
    "two_orders": {"batch_sampler": [[0]], "shuffle": True},
    "two_samplers": {"batch_sampler": [[0]], "sampler": [0]},
}


@case.table({name: (options,) for name, options in WRONG.items()})
def wrong(options):
    return list(loading.DataLoader(Squares(2), **options))


@case.table(
    {
        "shuffled_stream": (lambda: loading.DataLoader(Stream(3), shuffle=True),),
        "sampled_stream": (lambda: loading.DataLoader(Stream(3), sampler=[0]),),
        "length_of_a_stream": (lambda: len(loading.DataLoader(Stream(3))),),
        "no_dataset": (lambda: loading.DataLoader(3),),
        "no_rows": (lambda: loading.Dataset()[0],),
        "tensors_of_other_lengths": (lambda: loading.TensorDataset(Tensor([1]), Tensor([1, 2])),),
        "no_tensors": (lambda: loading.TensorDataset([1, 2]),),
        "tensor_of_no_dimension": (lambda: loading.TensorDataset(Tensor(1)),),
        "row_beyond_the_end": (lambda: loading.TensorDataset(Tensor([1, 2]))[5],),
        "no_iterator": (lambda: iter(loading.Sampler()),),
    }
)
def wrong_use(call):
    return call()


@case
def rows_of_tensors():
    data = loading.TensorDataset(*columns())
    return data[0], data[-1], data[0:2], len(data)


SAMPLERS = {
    "sequential": lambda: loading.SequentialSampler([5, 6]),
    "random": lambda: loading.RandomSampler(range(10), generator=generator()),
    "with_replacement": lambda: loading.RandomSampler(range(10), True, 70, generator()),
    "some": lambda: loading.RandomSampler(range(10), num_samples=4, generator=generator()),
    "more_than_all": lambda: loading.RandomSampler(range(4), False, 10, generator()),
    "batches": lambda: loading.BatchSampler(range(5), 2, False),
    "whole_batches": lambda: loading.BatchSampler(range(5), 2, True),
    "of_no_rows": lambda: loading.RandomSampler([]),
    "replacement_int": lambda: loading.RandomSampler(range(3), 1),
    "num_samples_0": lambda: loading.RandomSampler(range(3), num_samples=0),
    "num_samples_float": lambda: loading.RandomSampler(range(3), num_samples=1.0),
    "generator_int": lambda: loading.RandomSampler(range(3), generator=1),
    "batch_size_0": lambda: loading.BatchSampler(range(3), 0, False),
    "drop_last_int": lambda: loading.BatchSampler(range(3), 2, 1),
    "of_an_int": lambda: loading.BatchSampler(3, 2, False),
    "rank": lambda: loading.DistributedSampler(range(10), 3, 1, shuffle=False),
    "rank_dropped": lambda: loading.DistributedSampler(range(10), 3, 2, False, drop_last=True),
    "rank_shuffled": lambda: loading.DistributedSampler(range(10), 2, 1, seed=5),
    "rank_of_few": lambda: loading.DistributedSampler(range(2), 5, 4, False),
    "this_rank": lambda: loading.DistributedSampler(range(4), shuffle=False),
    "rank_beyond": lambda: loading.DistributedSampler(range(4), 2, 2),
    "no_ranks": lambda: loading.DistributedSampler(range(4), 0, 0),
    "ranks_float": lambda: loading.DistributedSampler(range(4), 2.0, 0),
    "shuffle_int": lambda: loading.DistributedSampler(range(4), 2, 0, 1),
    "seed_negative": lambda: loading.DistributedSampler(range(4), 2, 0, seed=-1),
    "seed_float": lambda: loading.DistributedSampler(range(4), 2, 0, seed=1.0),
}


@case.table({name: (make,) for name, make in SAMPLERS.items()})
def sampled(make):
    sampler = make()
    return list(sampler), len(sampler)


@case
def seeds_of_samplers():
    ms.set_seed(1)
    return [list(loading.RandomSampler(range(10))) for _ in range(2)]


@case
def epochs_of_ranks():
    sampler = loading.DistributedSampler(range(10), 2, 0)
    first = list(sampler)
    sampler.set_epoch(1)
    return first, list(sampler), sampler.num_samples, sampler.total_samples


@case
def no_worker():
    return loading.get_worker_info()
