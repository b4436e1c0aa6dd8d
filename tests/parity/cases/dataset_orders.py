"""Random orders of datasets: for a seed, which row comes when, epoch by epoch."""

import tempfile
from pathlib import Path

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.mindrecord import FileWriter
from mindspore.train import Callback, Model

from tests.parity.case import case

SEED = 123456


def first(value):
    return int(str(value)) if value.dtype.kind in "SU" else int(value.ravel()[0])


def epochs(data, count=3):
    made = data.create_tuple_iterator(output_numpy=True, num_epochs=count)
    return [[first(row[0]) for row in made] for _ in range(count)]


def numbers(count, **options):
    return ds.NumpySlicesDataset(list(range(count)), ["a"], **options)


def sampled(count, sampler):
    return numbers(count, sampler=sampler)


def below(sampler, child):
    sampler.add_child(child)
    return sampled(8, sampler)


class Squares:
    def __getitem__(self, index):
        return (np.int64(index * index),)

    def __len__(self):
        return 8


def plain(count=8):
    return numbers(count, shuffle=False)


def through(data):
    return data.map(lambda x: x, ["a"])


ORDERS = {
    **{f"rows_{n}": (lambda n=n: numbers(n),) for n in (1, 2, 3, 8, 9, 1000)},
    "part": (lambda: numbers(8, num_samples=3),),
    "part_larger": (lambda: numbers(8, num_samples=100),),
    "generator": (lambda: ds.GeneratorDataset(Squares(), ["a"], shuffle=True),),
    "random_part": (lambda: sampled(8, ds.RandomSampler(num_samples=3)),),
    "replacement": (lambda: sampled(8, ds.RandomSampler(replacement=True)),),
    "replacement_part": (lambda: sampled(1000, ds.RandomSampler(True, 50)),),
    "subset": (lambda: sampled(9, ds.SubsetRandomSampler([8, 1, 3, 5, 0])),),
    "subset_part": (lambda: sampled(9, ds.SubsetRandomSampler([8, 1, 3, 5, 0], 3)),),
    "shard": (lambda: numbers(9, num_shards=2, shard_id=0),),
    "shard_second": (lambda: numbers(9, num_shards=4, shard_id=3),),
    "distributed": (lambda: sampled(8, ds.DistributedSampler(2, 1)),),
    "distributed_part": (lambda: sampled(9, ds.DistributedSampler(2, 0, num_samples=3)),),
    "distributed_offset": (lambda: sampled(9, ds.DistributedSampler(2, 0, offset=1)),),
    "weighted": (lambda: sampled(4, ds.WeightedRandomSampler([0.1, 0.4, 0.2, 0.3], 4)),),
    "weighted_many": (lambda: sampled(99, ds.WeightedRandomSampler([*map(float, range(99))], 50)),),
    "weighted_once": (lambda: sampled(6, ds.WeightedRandomSampler([1, 2, 3, 4, 5, 6], 5, False)),),
    "child_sequential": (lambda: below(ds.RandomSampler(), ds.SequentialSampler(2, 4)),),
    "child_random": (lambda: below(ds.DistributedSampler(2, 1), ds.RandomSampler()),),
    "buffer": (lambda: plain().shuffle(4),),
    "buffer_whole": (lambda: plain().shuffle(8),),
    "buffer_larger": (lambda: plain().shuffle(20),),
    "buffer_many": (lambda: plain(1000).shuffle(100),),
    "buffer_twice": (lambda: plain().shuffle(4).shuffle(8),),
    "buffer_after_random": (lambda: numbers(8).shuffle(4),),
    "buffer_repeated": (lambda: plain().shuffle(4).repeat(2),),
    "buffer_of_repeated": (lambda: plain().repeat(2).shuffle(4),),
    "buffer_left_early": (lambda: plain().shuffle(4).take(3),),
    "buffer_left_early_repeated": (lambda: plain().shuffle(4).take(3).repeat(2),),
    "buffer_skipped": (lambda: plain().shuffle(4).skip(2),),
    "buffer_zipped": (lambda: ds.zip((plain().shuffle(4), plain(5).rename("a", "b"))),),
    "buffer_filtered": (lambda: plain().filter(lambda x: x % 2 == 0).shuffle(3),),
    "buffer_of_batches": (lambda: plain(12).batch(2).shuffle(4),),
    "batches": (lambda: plain(9).shuffle(4).batch(4, True),),
    "repeated": (lambda: numbers(8).repeat(3),),
    "repeated_taken": (lambda: numbers(4).repeat(2).take(6),),
    "concatenated": (lambda: numbers(5) + numbers(5),),
    "split_first": (lambda: numbers(10).split([6, 4])[0],),
    "split_second": (lambda: numbers(10).split([6, 4])[1],),
    "split_in_order": (lambda: numbers(10).split([6, 4], randomize=False)[1],),
    "split_unshuffled": (lambda: plain(10).split([6, 4])[0],),
    "split_split": (lambda: plain(12).split([8, 4])[0].split([4, 4])[1],),
    "split_shuffled": (lambda: numbers(10).split([6, 4])[0].shuffle(3),),
    "split_mapped": (lambda: through(numbers(10)).split([6, 4])[1],),
    "split_mapped_unshuffled": (lambda: through(plain(10)).split([6, 4])[1],),
    "split_mapped_in_order": (lambda: through(numbers(10)).split([6, 4], randomize=False)[1],),
}


@case.table(ORDERS)
def order(make):
    found = []
    for seed in (1, SEED):
        ds.config.set_seed(seed)
        found.append(epochs(make()))
    return found


@case.table({"set_seed": (lambda: ms.set_seed(7),), "config": (lambda: ds.config.set_seed(7),)})
def seeded_by(seed):
    seed()
    np.random.rand(3)
    return epochs(numbers(8))


@case
def seed_counts_when_iteration_begins():
    ds.config.set_seed(1)
    data = numbers(8)
    ds.config.set_seed(2)
    return epochs(data)


@case
def each_iterator_begins_anew():
    ds.config.set_seed(1)
    data = numbers(8).shuffle(4)
    return [epochs(data, 2), epochs(data, 2), [[first(row[0].asnumpy()) for row in data]] * 2]


@case
def shards_have_one_order_without_a_seed():
    ds.config.set_seed(5489)
    return epochs(numbers(9, num_shards=2, shard_id=1))


class Counting:
    """A sampler of one's own that gives another order in each epoch, and counts them."""

    epochs = 0

    def __iter__(self):
        self.epochs += 1
        return iter(np.random.RandomState(self.epochs).permutation(8).tolist())


class Yielding(Counting):
    def __iter__(self):
        yield from Counting.__iter__(self)


class CountingSampler(Counting, ds.Sampler):
    pass


SAMPLERS = {
    f"{kind.__name__}_{name}": (kind, make)
    for kind in (Counting, Yielding, CountingSampler)
    for name, make in {
        "numbers": lambda sampler: numbers(8, sampler=sampler),
        "generator": lambda sampler: ds.GeneratorDataset(Squares(), ["a"], sampler=sampler),
        "mapped": lambda sampler: through(numbers(8, sampler=sampler)).batch(2),
    }.items()
}


@case.table(SAMPLERS)
def sampler_that_counts_epochs(kind, make):
    sampler = kind()
    data = make(sampler)
    counts = [sampler.epochs, data.get_dataset_size(), sampler.epochs]
    return counts, epochs(data, 2), sampler.epochs, epochs(data, 2), sampler.epochs


class Drawing(ds.Sampler):
    """One that draws from NumPy's generator, which all iterators share."""

    def __iter__(self):
        yield from np.random.permutation(6).tolist()


class Told(Drawing):
    def __len__(self):
        return 6


class Listed:
    def __iter__(self):
        return iter(np.random.permutation(6).tolist())


def over(sampler, child):
    sampler.add_child(child)
    return sampler


DRAWING = {
    "alone": (lambda: numbers(6, sampler=Drawing()),),
    "of_known_length": (lambda: numbers(6, sampler=Told()),),
    "of_some": (lambda: numbers(6, sampler=Drawing(4)),),
    "no_sampler": (lambda: numbers(6, sampler=Listed()),),
    "mapped": (lambda: through(numbers(6, sampler=Drawing())).batch(2),),
    "of_each_other": (lambda: numbers(6, sampler=over(Drawing(), ds.SequentialSampler())),),
    "sharded": (
        lambda: numbers(6, sampler=over(ds.DistributedSampler(2, 0, shuffle=False), Drawing())),
    ),
}


@case.table(DRAWING)
def sampler_that_draws(make):
    np.random.seed(3)
    return epochs(make(), 2)


@case
def sampler_of_a_folder_that_counts_epochs():
    with tempfile.TemporaryDirectory() as root:
        sampler = Counting()
        data = pictures(root, sampler=sampler, num_parallel_workers=1)
        return sampler.epochs, epochs(data, 2), epochs(data, 1), sampler.epochs


@case
def sampler_that_counts_epochs_below_another():
    sampler = CountingSampler()
    data = numbers(8, sampler=sampler)
    data.add_sampler(ds.SequentialSampler(2, 3))
    return epochs(data, 2), epochs(data, 1), sampler.epochs


def pictures(root, **options):
    from PIL import Image

    for number in range(12):
        path = Path(root, "abc"[number // 4], f"{number}.png")
        path.parent.mkdir(exist_ok=True)
        Image.new("RGB", (2, 2), (number, 0, 0)).save(path)
    return ds.ImageFolderDataset(root, decode=True, **options)


PICTURES = {
    "all": (dict,),
    "classes": (lambda: {"sampler": ds.PKSampler(2)},),
    "classes_shuffled": (lambda: {"sampler": ds.PKSampler(2, shuffle=True)},),
    "classes_more": (lambda: {"sampler": ds.PKSampler(5)},),
    "classes_part": (lambda: {"sampler": ds.PKSampler(2, num_samples=4)},),
}


@case.table(PICTURES)
def folder(options):
    with tempfile.TemporaryDirectory() as root:
        ds.config.set_seed(SEED)
        return epochs(pictures(root, **options()))


FILES = {
    "one": (1, {}),
    "one_part": (1, {"num_samples": 3}),
    "one_shard": (1, {"num_shards": 2, "shard_id": 0}),
    "all": (3, {}),
    "all_part": (3, {"num_samples": 9}),
    "all_shard": (3, {"num_shards": 2, "shard_id": 1}),
    "order_of_files": (3, {"shuffle": ds.Shuffle.FILES}),
    "order_of_files_shard": (3, {"shuffle": ds.Shuffle.FILES, "num_shards": 2, "shard_id": 1}),
    "within_files": (3, {"shuffle": ds.Shuffle.INFILE}),
}


@case.table(FILES)
def text(count, options):
    with tempfile.TemporaryDirectory() as root:
        paths = []
        for number, rows in enumerate((7, 5, 3)[:count]):
            paths.append(str(Path(root, f"{number}.txt")))
            Path(paths[-1]).write_text("".join(f"{number * 100 + i}\n" for i in range(rows)))
        ds.config.set_seed(SEED)
        return epochs(ds.TextFileDataset(paths, num_parallel_workers=1, **options))


@case
def text_of_more_rows_than_are_held():
    with tempfile.TemporaryDirectory() as root:
        path = Path(root, "a.txt")
        path.write_text("".join(f"{i}\n" for i in range(12_000)))
        ds.config.set_seed(SEED)
        return epochs(ds.TextFileDataset(str(path), num_parallel_workers=1), 1)[0][::100]


RECORDS = {
    "all": (dict,),
    "in_order": (lambda: {"shuffle": False},),
    "shard": (lambda: {"num_shards": 2, "shard_id": 1},),
    "random": (lambda: {"sampler": ds.RandomSampler()},),
    "subset": (lambda: {"sampler": ds.SubsetRandomSampler([1, 5, 7])},),
    "some": (lambda: {"num_samples": 5},),
    "more_than_all": (lambda: {"num_samples": 14},),
    "twice": (lambda: {"sampler": ds.RandomSampler(True, 4)},),
    "within_files": (lambda: {"shuffle": ds.Shuffle.INFILE},),
    "some_within_files": (lambda: {"shuffle": ds.Shuffle.INFILE, "num_samples": 5},),
    "files": (lambda: {"shuffle": ds.Shuffle.FILES},),
    "files_one_shard": (lambda: {"shuffle": ds.Shuffle.FILES, "num_shards": 1, "shard_id": 0},),
    "some_of_files": (lambda: {"shuffle": ds.Shuffle.FILES, "num_samples": 5},),
}


@case.table(RECORDS)
def record(options):
    with tempfile.TemporaryDirectory() as root:
        writer = FileWriter(f"{root}/a", 3)
        writer.add_schema({"a": {"type": "int64"}}, "rows")
        writer.write_raw_data([{"a": i} for i in range(11)])
        writer.commit()
        ds.config.set_seed(SEED)
        return epochs(ds.MindDataset([f"{root}/a{i}" for i in range(3)], ["a"], **options()))


@case.table({str(seed): (seed,) for seed in (1, 2, 3)})
def record_files_mixed(seed):
    """From the second epoch on, the rows are cut where files ended at first, as in 2.10."""
    with tempfile.TemporaryDirectory() as root:
        for number in range(3):
            writer = FileWriter(f"{root}/{number}.mindrecord")
            writer.add_schema({"a": {"type": "int64"}}, "rows")
            writer.write_raw_data([{"a": 10 * number + i} for i in range(3 + number)])
            writer.commit()
        paths = [f"{root}/{number}.mindrecord" for number in range(3)]
        ds.config.set_seed(seed)
        return epochs(ds.MindDataset(paths, ["a"], shuffle=ds.Shuffle.FILES))


def pad(sampler, shuffle):
    """Rows with as many more as shards need, of which each takes its own; in order."""
    data = ds.NumpySlicesDataset(np.arange(9), ["a"], shuffle=shuffle)
    data = data + ds.PaddedDataset([{"a": np.array(100)}])
    data.use_sampler(sampler)
    return epochs(data, 2)


@case.table({"mixed": (None,), "in_order": (False,), "asked_for": (True,)})
def shards_of_a_concat(shuffle):
    ds.config.set_seed(SEED)
    return [
        pad(ds.DistributedSampler(shards, shard, shuffle=False), shuffle)
        for shards, shard in ((1, 0), (2, 0), (2, 1))
    ]


SIZES = {"three": (4, 3, 2), "unlike": (1, 5, 1, 2), "of_one": (1, 1, 1, 1, 1)}


@case.table({name: (sizes,) for name, sizes in SIZES.items()})
def files_by_workers(sizes):
    """By two workers rows of two files come in turn; few rows a file make a small buffer."""
    made = []
    with tempfile.TemporaryDirectory() as root:
        for number, count in enumerate(sizes):
            text = "".join(f"{number * 100 + i}\n" for i in range(count))
            Path(root, f"{number}.txt").write_text(text)
        for shuffle in (False, ds.Shuffle.FILES, True):
            for part in ({}, {"num_samples": 3}, {"num_shards": 2, "shard_id": 1}):
                for workers in (1, 2):
                    ds.config.set_seed(SEED)
                    options = {"shuffle": shuffle, "num_parallel_workers": workers, **part}
                    made.append(epochs(ds.TextFileDataset(f"{root}/*.txt", **options), 2))
    return made


@case
def a_sampler_keeps_the_seed_it_was_made_with():
    ds.config.set_seed(SEED)
    sampler = ds.DistributedSampler(2, 1)
    ds.config.set_seed(SEED + 1)
    return epochs(ds.NumpySlicesDataset(np.arange(9), ["a"], sampler=sampler), 2)


class Losses(Callback):
    def __init__(self):
        self.seen = []

    def step_end(self, run_context):
        self.seen.append(float(run_context.original_args().net_outputs.asnumpy()))


@case
def losses_of_a_shuffled_training():
    ms.set_seed(3)
    inputs = np.linspace(-1, 1, 20, dtype=np.float32)[:, None]
    data = ds.NumpySlicesDataset((inputs, inputs**2 + inputs), ["x", "y"]).shuffle(10).batch(4)
    net = nn.SequentialCell(nn.Dense(1, 4), nn.Tanh(), nn.Dense(4, 1))
    losses = Losses()
    model = Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.25, 0.5))
    model.train(4, data, callbacks=[losses], dataset_sink_mode=False)
    return losses.seen


@case
def sizes_by_function():
    """What it is told; a ``repeat`` is one epoch, and there is no batch after the last row."""
    asked = []

    def size(info):
        asked.append((info.get_epoch_num(), info.get_batch_num()))
        return info.get_epoch_num() + 2

    data = ds.GeneratorDataset([*range(6)], ["x"], shuffle=False).batch(size).repeat(2)
    return data.get_dataset_size(), epochs(data, 2), asked
