"""Datasets without random order: rows, columns, sizes, types and errors of each operation."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np

from tests.parity.case import case


def rows(data, **options):
    return [
        [item if isinstance(item, np.ndarray) else item.asnumpy() for item in row]
        for row in data.create_tuple_iterator(num_epochs=1, **options)
    ]


def pairs(count=5, **options):
    source = [(np.float32(i), np.int32(i)) for i in range(count)]
    return ds.GeneratorDataset(source, ["a", "b"], shuffle=False, **options)


def renamed(count):
    return pairs(count).rename(["a", "b"], ["c", "d"])


# NumPy 1 and 2 differ in the dtype of `array + 1` for an array without axes.
def plus_one(x):
    return x + x.dtype.type(1)


def twice(x):
    return x + x


class Items:
    def __getitem__(self, index):
        return (np.array([index, index + 1], np.float32),)

    def __len__(self):
        return 4


class Counting:
    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        self.at += 1
        if self.at > 3:
            raise StopIteration
        return (np.array(self.at),)


def generator():
    for i in range(3):
        yield np.array([i, i], np.float32), i


class Rows:
    """The same row again and again, or one after the other."""

    def __init__(self, *each):
        self.each = each

    def __getitem__(self, index):
        return self.each[index]

    def __len__(self):
        return len(self.each)


def source(*each, columns=("x",)):
    return ds.GeneratorDataset(Rows(*each), list(columns), shuffle=False)


def shard(shard_id, offset, count=3):
    return ds.DistributedSampler(count, shard_id, shuffle=False, offset=offset)


MADE = {
    "row_of_list": (lambda: source([1, np.ones(2)], [2, np.zeros(2)], columns="ab"),),
    "row_of_one_in_a_list": (lambda: source([np.ones(2)], [np.zeros(2)]),),
    "row_of_lists": (lambda: source([[1, 2], [3.0]], columns="ab"),),
    **{
        f"offset_{offset}_of_{shard_id}": (
            lambda shard_id=shard_id, offset=offset: ds.NumpySlicesDataset(
                np.arange(10), sampler=shard(shard_id, offset)
            ),
        )
        for shard_id in range(3)
        for offset in range(3)
    },
    "list": (lambda: pairs(),),
    "items": (lambda: ds.GeneratorDataset(Items(), "a", shuffle=False),),
    "function": (lambda: ds.GeneratorDataset(generator, ["a", "b"]),),
    "iterator": (lambda: ds.GeneratorDataset(Counting(), ["a"]),),
    "sampler": (lambda: ds.GeneratorDataset(Items(), ["a"], sampler=[2, 0]),),
    "sequential": (lambda: ds.GeneratorDataset(Items(), ["a"], sampler=ds.SequentialSampler()),),
    "subset": (lambda: ds.GeneratorDataset(Items(), ["a"], sampler=ds.SubsetSampler([3, 1])),),
    "samples": (lambda: pairs(num_samples=2),),
    "shard": (lambda: pairs(num_shards=2, shard_id=1),),
    "shard_0": (lambda: pairs(num_shards=2, shard_id=0),),
    "slices": (lambda: ds.NumpySlicesDataset((np.arange(3), np.ones((3, 2))), shuffle=False),),
    "one_slice": (lambda: ds.NumpySlicesDataset(np.arange(3), shuffle=False),),
    "list_of_lists": (lambda: ds.NumpySlicesDataset([[1, 2], [3, 4]], shuffle=False),),
    "dict": (lambda: ds.NumpySlicesDataset({"x": [1, 2], "y": [3.0, 4.0]}, shuffle=False),),
    "batch": (lambda: pairs().batch(2),),
    "batch_full": (lambda: pairs().batch(2, drop_remainder=True),),
    "batch_of_batch": (lambda: pairs().batch(2).batch(2, True),),
    "batch_map": (
        lambda: pairs().batch(2, per_batch_map=lambda a, b, info: ([plus_one(x) for x in a], b)),
    ),
    "batch_map_column": (
        lambda: pairs().batch(
            2, per_batch_map=lambda a, info: ([twice(x) for x in a],), input_columns=["a"]
        ),
    ),
    "batch_map_more": (
        lambda: pairs().batch(
            2,
            per_batch_map=lambda a, info: (a, a),
            input_columns=["a"],
            output_columns=["a", "c"],
        ),
    ),
    "batch_map_info": (
        lambda: pairs().batch(
            2,
            per_batch_map=lambda a, info: ([np.array(info.get_batch_num()) for _ in a],),
            input_columns=["a"],
        ),
    ),
    "map": (lambda: pairs().map(plus_one, ["a"]),),
    "map_first": (lambda: pairs().map(plus_one),),
    "map_text": (lambda: pairs().map(plus_one, "b"),),
    "map_several": (lambda: pairs().map([plus_one, twice], ["b"]),),
    "map_two": (lambda: pairs().map(lambda a, b: (b, a), ["a", "b"]),),
    "map_more": (lambda: pairs().map(lambda a: (a, twice(a)), ["a"], ["c", "d"]),),
    "map_more_of_last": (lambda: pairs().map(lambda a: (a, twice(a)), ["b"], ["c", "d"]),),
    "map_fewer": (lambda: pairs().map(lambda a, b: (a + b,), ["a", "b"], ["c"]),),
    "map_renames": (lambda: pairs().map(lambda a: a, ["b"], ["c"]),),
    "filter": (lambda: pairs().filter(lambda a: a > 2, ["a"]),),
    "repeat": (lambda: pairs(2).repeat(2),),
    "skip": (lambda: pairs().skip(3),),
    "skip_all": (lambda: pairs().skip(9),),
    "take": (lambda: pairs().take(2),),
    "take_all": (lambda: pairs().take(-1),),
    "take_more": (lambda: pairs().take(9),),
    "zip": (lambda: ds.zip((pairs(2), renamed(3))),),
    "zip_method": (lambda: pairs(2).zip(renamed(3)),),
    "concat": (lambda: pairs(2) + pairs(1),),
    "concat_method": (lambda: pairs(2).concat([pairs(1), pairs(1)]),),
    "project": (lambda: pairs(2).project(["b"]),),
    "project_order": (lambda: pairs(2).project(["b", "a"]),),
    "rename": (lambda: pairs(2).rename("a", "x"),),
    "chain": (lambda: pairs().map(plus_one, ["a"]).repeat(2).batch(3).skip(1).take(2),),
    "set_init_step": (lambda: from_step(2),),
}


def from_step(step):
    data = pairs().batch(2)
    data.set_init_step(step)
    return data


@case.table(MADE)
def made(make):
    data = make()
    return rows(data), data.get_col_names()


@case.table({name: one for name, one in MADE.items() if name not in ("filter", "set_init_step")})
def known(make):
    data = make()
    types = [str(kind) for kind in data.output_types()]
    size = data.get_dataset_size()
    return size, types, data.output_shapes() if size else [], data.get_repeat_count()


@case
def kinds_of_values():
    source = [(1, 2.5, True, [1, 2], np.float64(3), np.float16(1), np.uint8(4))]
    data = ds.GeneratorDataset(source, list("abcdefg"))
    return [(item.dtype, item.shape) for item in next(iter(data.create_tuple_iterator()))]


DICTS = {
    "numbers": {"a": 1, "b": [1, 2]},
    "arrays": {"a": np.arange(3), "s": "text"},
    "nested": {"a": {"b": np.arange(3), "c": (1, 2)}},
    "empty": {},
    "none": {"a": None},
    "by_number": {1: 2.5},
}
WAYS = {
    "row": lambda value: source((value,)),
    "made": lambda value: source((1,)).map(lambda x: value, ["x"]),
    "batch": lambda value: source((value,), (value,)).batch(2),
    "seen": lambda value: source((value,)).map(lambda x: str(x), ["x"]),
    "batch_seen": lambda value: source((value,), (value,)).batch(
        2, per_batch_map=lambda x, info: ([str(one) for one in x],), input_columns=["x"]
    ),
}


@case.table(
    {
        f"{name}_{way}": (make, value)
        for name, value in DICTS.items()
        for way, make in WAYS.items()
        # A dict in a dict, and None, have no batch in MindSpore.
        if way != "batch" or name not in ("nested", "none")
    }
)
def dict_column(make, value):
    data = make(value)
    return list(data.create_dict_iterator(num_epochs=1)), [
        row["x"] for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)
    ]


@case
def row_by_number():
    return source((1, np.ones(2)), (2, np.zeros(2)), columns="ab")[1]


@case
def children():
    return [type(one).__name__ for one in pairs().batch(2).children]


STEPS = {
    "batch": lambda data: data.batch(2),
    "padded_batch": lambda data: data.padded_batch(2),
    "buckets": lambda data: data.bucket_batch_by_length(["x"], [2], [1, 1], lambda x: 1),
    "skip": lambda data: data.skip(1),
    "take": lambda data: data.take(1),
}


@case.table({name: (make,) for name, make in STEPS.items()})
def class_of_a_step(make):
    import mindspore.dataset as ds

    made = make(ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False))
    name = type(made).__name__
    return name, isinstance(made, getattr(ds, name))


def _collated(values, info):
    return {name: np.stack([value[name] for value in values]) for name in values[0]}


@case.table(
    {
        "whole": (lambda data: data.batch(2, per_batch_map=_collated),),
        "repeated": (lambda data: data.batch(2, per_batch_map=_collated).repeat(2),),
        "tuple": (lambda data: data.batch(2, per_batch_map=lambda x, i: (_collated(x, i),)),),
        "beside_more_rows": (
            lambda data: data.batch(
                2,
                per_batch_map=lambda x, i: (_collated(x, i), np.ones(3)),
                output_columns=["x", "y"],
            ),
        ),
        "mapped": (
            lambda data: data.batch(2, per_batch_map=_collated).map(
                lambda x: {"total": x["a"].sum()}, "x"
            ),
        ),
    }
)
def collated_to_a_dict(make):
    data = [{"a": np.arange(3) + i, "b": np.float32(i)} for i in range(4)]
    made = make(ds.GeneratorDataset(data, "x", shuffle=False))
    return made.get_dataset_size(), [dict(row) for row in made.create_dict_iterator(num_epochs=1)]


@case
def dicts():
    return [dict(row) for row in pairs(2).create_dict_iterator(num_epochs=1)]


@case
def numpy_dicts():
    return [dict(row) for row in pairs(2).create_dict_iterator(num_epochs=1, output_numpy=True)]


@case.table({"b": (["b"],), "order": (["b", "a"],)})
def columns(names):
    return rows(pairs(2), columns=names)


@case
def two_epochs_of_one_iterator():
    iterator = pairs(2).create_tuple_iterator(num_epochs=2)
    return [[row[0] for row in iterator] for _ in range(2)]


@case
def in_a_for_loop():
    return [[type(row).__name__, *row] for row in pairs(2)], len(pairs(2))


@case.table(
    {
        "ints": ([3, 2],),
        "floats": ([0.5, 0.5],),
        "thirds": ([0.4, 0.4, 0.2],),
    }
)
def split(sizes):
    return [rows(part) for part in pairs().split(sizes, randomize=False)]


@case
def random_split_shares_no_row():
    ds.config.set_seed(1)
    parts = [rows(part) for part in pairs().split([0.6, 0.4])]
    return [len(part) for part in parts], sorted(float(row[0]) for part in parts for row in part)


@case.table(
    {
        "generator": (lambda: ds.GeneratorDataset(Items(), ["a"]),),
        "shuffle": (lambda: pairs().shuffle(3),),
        "large": (lambda: pairs().shuffle(100),),
    }
)
def shuffled_rows(make):
    ds.config.set_seed(3)
    data = make()
    first, again = rows(data), rows(data)
    return sorted(float(row[0].max()) for row in first), len(again)


@case.table(
    {
        "no_columns": (lambda: ds.GeneratorDataset(Items()),),
        "source": (lambda: ds.GeneratorDataset(3, ["a"]),),
        "columns": (lambda: ds.GeneratorDataset(Items(), 3),),
        "shuffle": (lambda: ds.GeneratorDataset(Items(), ["a"], shuffle=3),),
        "shuffle_and_sampler": (
            lambda: ds.GeneratorDataset(
                Items(), ["a"], shuffle=True, sampler=ds.SequentialSampler()
            ),
        ),
        "sampler_of_iterator": (lambda: ds.GeneratorDataset(Counting(), ["a"], sampler=[1]),),
        "shards": (lambda: ds.GeneratorDataset(Items(), ["a"], num_shards=2),),
        "slices_lengths": (lambda: ds.NumpySlicesDataset(([1, 2], [1])),),
        "slices_kind": (lambda: ds.NumpySlicesDataset(3),),
        "batch_0": (lambda: pairs().batch(0),),
        "batch_float": (lambda: pairs().batch(2.5),),
        "map_kind": (lambda: rows(pairs().map(3, ["a"])),),
        "map_column": (lambda: rows(pairs().map(lambda x: x, ["z"])),),
        "project_column": (lambda: rows(pairs().project(["z"])),),
        "rename_column": (lambda: rows(pairs().rename(["z"], ["y"])),),
        "rename_count": (lambda: pairs().rename(["a"], ["y", "z"]),),
        "repeat_0": (lambda: pairs().repeat(0),),
        "skip_-1": (lambda: pairs().skip(-1),),
        "take_0": (lambda: pairs().take(0),),
        "shuffle_1": (lambda: pairs().shuffle(1),),
        "split_sum": (lambda: pairs().split([3, 3]),),
        "split_floats": (lambda: pairs().split([0.5, 0.6]),),
        "split_nothing": (lambda: pairs().split([]),),
        "split_negative": (lambda: pairs().split([-1, 6]),),
        "split_mixed": (lambda: pairs().split([3, 0.5]),),
        "zip_columns": (lambda: rows(pairs().zip(pairs())),),
        "zip_list": (lambda: ds.zip([pairs(2), renamed(3)]),),
        "concat_columns": (lambda: rows(pairs() + pairs().rename("a", "x")),),
        "ragged": (
            lambda: rows(
                ds.GeneratorDataset([(np.ones(i + 1),) for i in range(2)], ["a"]).batch(2)
            ),
        ),
        "batch_of_types": (lambda: rows(source((np.ones(2),), (np.ones(2, np.int32),)).batch(2)),),
        "batch_of_texts": (lambda: rows(source((1,), ("a",)).batch(2)),),
        "batch_of_keys": (lambda: rows(source(({"a": 1},), ({"b": 1},)).batch(2)),),
        "batch_map_rows": (
            lambda: rows(
                pairs().batch(2, per_batch_map=lambda a, i: (a[:1],), input_columns=["a"])
            ),
        ),
        "batch_map_signature": (
            lambda: pairs().batch(2, per_batch_map=lambda a: (a,), input_columns=["a"]),
        ),
        "batch_map_lacks": (lambda: pairs().batch(2, input_columns=["a"]),),
        "pad_info_column": (lambda: rows(pairs().padded_batch(2, pad_info={"z": ([1], 0)})),),
        "project_none": (lambda: pairs().project(None),),
        "row_of_ragged": (lambda: rows(source(([[1], [2, 3]],))),),
        "row_too_far": (lambda: source((1,))[3],),
        "samples_and_sampler": (
            lambda: ds.GeneratorDataset(
                Items(), ["a"], sampler=ds.SequentialSampler(), num_samples=2
            ),
        ),
        "sampler_text": (lambda: rows(ds.GeneratorDataset(Items(), ["a"], sampler="a")),),
        "row_length": (lambda: rows(ds.GeneratorDataset(Items(), ["a", "b"])),),
        "epochs": (lambda: pairs().create_tuple_iterator(num_epochs=-2),),
        "seed": (lambda: ds.config.set_seed(-1),),
        "seed_text": (lambda: ds.config.set_seed("a"),),
    }
)
def refused(make):
    return make()


@case
def seed():
    ds.config.set_seed(7)
    return ds.config.get_seed()


@case
def transforms():
    image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    from mindspore.dataset import transforms, vision

    steps = [
        vision.Rescale(1 / 255, 0.5),
        vision.Normalize([0.5, 0.4, 0.3], [0.1, 0.2, 0.3]),
        vision.HWC2CHW(),
    ]
    data = ds.GeneratorDataset([(image, np.int32(1))], ["image", "label"])
    data = data.map(steps, ["image"]).map(transforms.OneHot(3), ["label"])
    return rows(data.map(transforms.TypeCast(ms.float16), ["label"]))


def renamed_into(function, inputs, outputs):
    data = ds.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}, shuffle=False)
    data = data.map(function, inputs, outputs)
    return data.get_col_names(), rows(data), rows(data.batch(2))


@case.table(
    {
        "replaced": (lambda a: a * 10, ["a"], ["b"]),
        "replaced_backwards": (lambda a: a * 10, ["b"], ["a"]),
        "beside": (lambda a: (a * 10, a), ["a"], ["b", "c"]),
        "beside_itself": (lambda a: (a * 10, a), ["a"], ["a", "b"]),
        "swapped": (lambda a, b: (a * 10, b), ["a", "b"], ["b", "a"]),
    }
)
def map_into_a_column_that_is_there(function, inputs, outputs):
    return renamed_into(function, inputs, outputs)


def growing():
    for i in range(1, 6):
        yield np.arange(i), np.ones((i, 2), np.float32)


@case.table(
    {
        "none": (None, [3, 6]),
        "none_beyond": (None, [3, 4]),
        "empty": ({}, [3, 6]),
        "open": ({"a": ([None], -1)}, [3, 6]),
        "given": ({"a": ([8], -1), "b": ([8, 2], 0)}, [3, 4]),
        "open_beyond": ({"a": ([8], -1), "b": ([None, 2], 0)}, [3, 4]),
    }
)
def padded_to_the_boundary(pads, boundaries):
    data = ds.GeneratorDataset(growing, ["a", "b"], shuffle=False)
    return rows(
        data.bucket_batch_by_length(
            ["a"], boundaries, [2, 2, 2], pad_info=pads, pad_to_bucket_boundary=True
        )
    )


class Numbered:
    def __getitem__(self, index):
        return np.float32(index), np.full((2,), index, np.int32)

    def __len__(self):
        return 5


TYPES = {
    "same": (lambda: [ms.float32, ms.int32],),
    "wider": (lambda: [ms.float64, ms.int32],),
    "other": (lambda: [ms.int32, ms.int32],),
    "short": (lambda: [ms.float32],),
    "words": (lambda: ["float32", "int32"],),
    "alone": (lambda: ms.float32,),
}


@case.table(TYPES)
def column_types(types):
    return rows(ds.GeneratorDataset(Numbered(), ["a", "b"], types(), shuffle=False))


@case.table({"text": (["a"], "string"), "int": ([1, 2], "int64"), "tuple": ([(1.5,)], "float64")})
def column_types_of_a_list(values, kind):
    return rows(ds.GeneratorDataset(values, ["a"], [getattr(ms, kind)], shuffle=False))


@case
def columns_by_schema():
    schema = ds.Schema()
    schema.add_column("a", ms.float32, [])
    schema.add_column("b", ms.int32, [2])
    data = ds.GeneratorDataset(Numbered(), schema=schema, shuffle=False)
    return data.get_col_names(), rows(data)


class Batches:
    def __iter__(self):
        yield from ([0, 2], [1])


def first_and_sums(first, second):
    return np.stack(first) * 2, np.stack([np.sum(one) for one in second])


BATCHES = {
    "lists": ([[0, 1], [2, 3], [4]], {}),
    "object": (Batches(), {}),
    "collated": ([[0, 1], [2, 3], [4]], {"collate_fn": first_and_sums}),
    "collated_none": (None, {"collate_fn": first_and_sums}),
    "collated_wrong": ([[0, 1]], {"collate_fn": 3}),
    "number": (3, {}),
    "shuffle": ([[0, 1]], {"shuffle": True}),
    "part": ([[0, 1]], {"num_samples": 3}),
    "sampler": ([[0, 1]], {"sampler": [0]}),
    "shard": ([[0, 1]], {"num_shards": 2, "shard_id": 0}),
}


@case.table(BATCHES)
def batch_sampler(batches, options):
    data = ds.GeneratorDataset(Numbered(), ["a", "b"], batch_sampler=batches, **options)
    known = data.get_dataset_size(), data.get_batch_size(), data.output_shapes()
    return known, rows(data), rows(data.batch(2, drop_remainder=True))


@case
def batch_size_of_datasets_side_by_side():
    sizes = ((2, 1), (1, 2), (2, 3))
    made = [ds.zip((pairs().batch(a), renamed(5).batch(b))) for a, b in sizes]
    joined = pairs().batch(2) + pairs().batch(2)
    return [data.get_batch_size() for data in (*made, joined)]


@case.table({"axis": ([6],), "axes": ([2, 2],), "none": ([],)})
def padded_number(shape):
    return ds.transforms.PadEnd(shape, 0)(np.array(3, np.int32))


@case
def what_it_was_made_of():
    """What programs read of a dataset: its source, its sampler, the operations of a map."""
    made = ds.GeneratorDataset([1, 2], "a", num_shards=2, shard_id=0)
    each = [made, ds.GeneratorDataset([1, 2], ["a"], shuffle=False)]
    each += [
        ds.NumpySlicesDataset({"x": [1], "y": [2]}),
        ds.GeneratorDataset([1], "a", sampler=[0]),
    ]
    told = [(type(one.sampler).__name__, one.column_names) for one in each]
    return told, made.source, len(made.map(np.negative, "a").operations)
