"""Datasets read from files, samplers, and batches of padded rows; the files are written here."""

import contextlib
import gzip
import struct
import tempfile
import zlib
from pathlib import Path

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.vision as vision
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


def rows(data, **options):
    made = data.create_dict_iterator(num_epochs=1, output_numpy=True, **options)
    return [dict(row) for row in made]


def known(data):
    size, names = data.get_dataset_size(), data.get_col_names()
    return size, names, data.get_batch_size(), data.num_classes(), data.get_class_indexing()


def picture(seed):
    from PIL import Image

    bits = np.random.RandomState(seed).randint(0, 256, (4, 5, 3))
    return Image.fromarray(bits.astype(np.uint8))


def pictures(root):
    for i, name in enumerate(
        ("b_cat/2.png", "b_cat/10.png", "b_cat/1.bmp", "a_dog/z.png", "c/x.png")
    ):
        (root / name).parent.mkdir(exist_ok=True)
        picture(i).save(root / name)
    (root / "readme.txt").write_text("not an image")
    return str(root)


FOLDERS = {
    "all": {},
    "decoded": {"decode": True},
    "ends": {"extensions": [".bmp"]},
    "classes": {"class_indexing": {"b_cat": 7, "c": 1}},
    "some": {"num_samples": 2},
    "some_of_none": {"num_samples": 0},
    "first_part": {"num_shards": 2, "shard_id": 0},
    "last_part": {"num_shards": 2, "shard_id": 1},
    "no_ends": {"extensions": [".gif"]},
    "part_alone": {"num_shards": 2},
    "part_too_high": {"num_shards": 2, "shard_id": 2},
    "negative": {"num_samples": -1},
    "text": {"num_samples": "a"},
    "workers": {"num_parallel_workers": 0},
    "decode_text": {"decode": "yes"},
}


@case.table({name: (options,) for name, options in FOLDERS.items()})
def image_folder(options):
    with folder() as root:
        data = ds.ImageFolderDataset(pictures(root), shuffle=False, **options)
        return rows(data), known(data)[0 if "class_indexing" not in options else 1 :]


@case
def image_folder_absent():
    ds.ImageFolderDataset("/no/such/folder")


SAMPLERS = {
    "subset": lambda: ds.SubsetSampler([3, 1, 1]),
    "subset_some": lambda: ds.SubsetSampler([3, 1, 1], 2),
    "numbers": lambda: [2, 0],
    "number": lambda: 4,
    "sequential": lambda: ds.SequentialSampler(2, 2),
    "sequential_beyond": lambda: ds.SequentialSampler(2, 20),
    "sequential_outside": lambda: ds.SequentialSampler(9, 2),
    "distributed": lambda: ds.DistributedSampler(2, 1, False),
    "distributed_some": lambda: ds.DistributedSampler(2, 0, False, num_samples=2),
    "distributed_offset": lambda: ds.DistributedSampler(2, 0, False, offset=1),
    "distributed_offset_last": lambda: ds.DistributedSampler(2, 1, False, offset=1),
    "distributed_outside": lambda: ds.DistributedSampler(2, 2),
    "weighted": lambda: ds.WeightedRandomSampler([0, 0, 1, 0, 0], 3),
    "weighted_all": lambda: ds.WeightedRandomSampler([0, 0, 1, 0, 0]),
    "weighted_none": lambda: ds.WeightedRandomSampler([0, 0, 0], 2),
    "weighted_negative": lambda: ds.WeightedRandomSampler([-1.0, 0], 2),
    "weighted_many": lambda: ds.WeightedRandomSampler([0] * 9 + [1], 2),
    "weighted_text": lambda: ds.WeightedRandomSampler(["a"], 2),
    "classes": lambda: ds.PKSampler(1),
    "classes_none": lambda: ds.PKSampler(0),
    "own": lambda: Own(),
    "child": lambda: with_child(),
    "outside": lambda: ds.SubsetSampler([9]),
    "below": lambda: ds.SubsetSampler([-1]),
    "text": lambda: ds.SubsetSampler(["a"]),
    "random_text": lambda: ds.RandomSampler("a"),
}


def Own():
    class Last(ds.Sampler):
        def __iter__(self):
            yield from (4, 0)

    return Last()


def with_child():
    sampler = ds.SequentialSampler(0, 2)
    sampler.add_child(ds.SubsetSampler([4, 3, 2]))
    return sampler


def digits(root):
    for name, count in (("train", 5), ("t10k", 3)):
        images = np.random.RandomState(count).randint(0, 256, (count, 28, 28)).astype(np.uint8)
        for kind, array in (("images", images), ("labels", np.arange(count, dtype=np.uint8))):
            head = struct.pack(f">4B{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
            path = root / f"{name}-{kind}-idx{array.ndim}-ubyte"
            path.write_bytes(head + array.tobytes())
    return str(root)


@case.table({name: (make,) for name, make in SAMPLERS.items()})
def sampled(make):
    with folder() as root:
        data = ds.MnistDataset(digits(root), "train", sampler=make())
        size = data.get_dataset_size()
        return size, [int(row["label"]) for row in rows(data)]


@case.table({name: (make,) for name, make in SAMPLERS.items() if "weighted" not in name})
def sampled_source(make):
    data = ds.GeneratorDataset([np.int32(i) for i in range(5)], ["a"], sampler=make())
    return data.get_dataset_size(), [int(row["a"]) for row in rows(data)]


def small(made):
    return [{**row, "image": (row["image"].shape, row["image"][::9, ::9, 0])} for row in made]


@case.table(
    {
        "all": ("MnistDataset", ()),
        "train": ("MnistDataset", ("train", 2)),
        "test": ("FashionMnistDataset", ("test",)),
        "usage": ("MnistDataset", ("x",)),
        "kuzushiji": ("KMnistDataset", ("test", 1)),
    }
)
def mnist(name, args):
    with folder() as root:
        data = getattr(ds, name)(digits(root), *args, shuffle=False)
        return small(rows(data)), known(data)


def number(value):
    value &= (1 << 64) - 1
    made = b""
    while value > 127:
        made, value = made + bytes([value & 127 | 128]), value >> 7
    return made + bytes([value])


def field(which, content):
    return number(which << 3 | 2) + number(len(content)) + content


def feature(values):
    if isinstance(values[0], bytes):
        return field(1, b"".join(field(1, value) for value in values))
    if isinstance(values[0], float):
        return field(2, field(1, struct.pack(f"<{len(values)}f", *values)))
    return field(3, field(1, b"".join(map(number, values))))


def example(**features):
    entries = [
        field(1, field(1, name.encode()) + field(2, feature(v))) for name, v in features.items()
    ]
    return field(1, b"".join(entries))


def checksum(data):
    """Return the masked CRC-32C of a TFRecord."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def records(root):
    for name, count in (("a", 3), ("b", 2)):
        data = b""
        for i in range(count):
            row = example(lab=[i + 10 * count], img=[b"ab%d" % i], box=[1.5, float(i)], neg=[-1, i])
            length = struct.pack("<Q", len(row))
            data += length + checksum(length) + row + checksum(row)
        (root / f"{name}.tfrecord").write_bytes(data)
    (root / "schema.json").write_text(
        '{"datasetType": "TF", "numRows": 3, "columns": {"lab": {"type": "int32", "rank": 0}, '
        '"img": {"type": "uint8", "rank": 1}, "neg": {"type": "int64", "rank": 1, "shape": [2]}}}'
    )
    return [str(root / "b.tfrecord"), str(root / "a.tfrecord")]


def schema():
    made = ds.Schema()
    made.add_column("lab", ms.int32, shape=[])
    made.add_column("img", ms.uint8, shape=[-1])
    made.add_column("box", ms.float32)
    return made


RECORDS = {
    "all": {},
    "columns": {"columns_list": ["neg", "lab"]},
    "schema": {"schema": schema},
    "some": {"num_samples": 4, "columns_list": ["lab"]},
    "first_part": {"num_shards": 2, "shard_id": 0, "columns_list": ["lab"]},
    "last_part": {"num_shards": 2, "shard_id": 1, "columns_list": ["lab"]},
    "equal_part": {
        "num_shards": 2,
        "shard_id": 1,
        "columns_list": ["lab"],
        "shard_equal_rows": True,
    },
    "no_column": {"columns_list": ["q"]},
}


@case.table({name: (options,) for name, options in RECORDS.items()})
def tfrecord(options):
    given = {k: v() if callable(v) else v for k, v in options.items()}
    with folder() as root:
        data = ds.TFRecordDataset(records(root), num_parallel_workers=1, shuffle=False, **given)
        return rows(data), known(data)


@case
def tfrecord_schema_file():
    with folder() as root:
        path = records(root)[1]
        return rows(ds.TFRecordDataset(path, str(root / "schema.json"), shuffle=False))


PACKED = {
    "gzip": (gzip.compress, "GZIP", {}),
    "zlib": (zlib.compress, "ZLIB", {}),
    "shard": (gzip.compress, "GZIP", {"num_shards": 2, "shard_id": 1, "shard_equal_rows": True}),
    "not_packed": (bytes, "GZIP", {}),
    "packed_otherwise": (gzip.compress, "ZLIB", {}),
    "unknown": (gzip.compress, "XZ", {}),
    "few_files": (gzip.compress, "GZIP", {"num_samples": 1, "num_shards": 3, "shard_id": 1}),
}


@case.table(PACKED)
def tfrecord_packed(pack, kind, options):
    with folder() as root:
        for path in (paths := records(root)):
            Path(path).write_bytes(pack(Path(path).read_bytes()))
        options = {"num_parallel_workers": 1, "shuffle": False, **options}
        data = ds.TFRecordDataset(paths, compression_type=kind, **options)
        return rows(data), data.get_dataset_size()


PARTS = {"all": {}, "some": {"num_samples": 4}, "shard": {"num_shards": 2, "shard_id": 0}}


@case.table({name: (options,) for name, options in PARTS.items()})
def tfrecord_of_as_many_rows_as_the_schema_says(options):
    options = {"num_parallel_workers": 1, "shuffle": False, **options}
    with folder() as root:
        data = ds.TFRecordDataset(records(root), str(root / "schema.json"), **options)
        return rows(data), data.get_dataset_size()


SHAPES = {"default": (), "none": ([],), "one": ([1],), "two": ([2],), "any": ([-1],)}
OF_TEXT = {
    f"{name}_{kind}_{shape}": (name, kind, given)
    for name in ("img", "words", "neg")
    for kind in ("string", "uint8")
    for shape, given in SHAPES.items()
    if kind == "string" or name == "img"
}


@case.table(OF_TEXT)
def tfrecord_of_bytes(name, kind, shape):
    row = example(img=[b"hello"], words=[b"a", b"bcd"], neg=[1, 2])
    length = struct.pack("<Q", len(row))
    made = ds.Schema()
    made.add_column(name, kind, *shape)
    with folder() as root:
        path = root / "a.tfrecord"
        path.write_bytes(length + checksum(length) + row + checksum(row))
        return rows(ds.TFRecordDataset(str(path), made, shuffle=False)), str(made)


@case
def tfrecord_absent():
    ds.TFRecordDataset("/no/such/file")


@case
def tfrecord_of_text():
    with folder() as root:
        (root / "a.txt").write_text("no record at all")
        return rows(ds.TFRecordDataset(str(root / "a.txt")))


TEXTS = {
    "all": {},
    "some": {"num_samples": 2},
    "first": {"num_shards": 2, "shard_id": 0},
    "last": {"num_shards": 2, "shard_id": 1},
    "shuffle": {"shuffle": "a"},
}


@case.table({name: (options,) for name, options in TEXTS.items()})
def text_file(options):
    with folder() as root:
        (root / "a.txt").write_text("hello a\nworld\n\nlast")
        (root / "b.txt").write_text("é two\nfive\n", encoding="utf-8")
        paths = [str(root / "b.txt"), str(root / "a.txt")]
        options = {"shuffle": False, "num_parallel_workers": 1, **options}
        return rows(ds.TextFileDataset(paths, **options))


VALUES = {
    "text": {},
    "types": {"column_defaults": [1, 0.5, "q"]},
    "too_few": {"column_defaults": [1, 0.5]},
    "wrong_type": {"column_defaults": [1, 0.5, 1]},
}


@case.table({name: (options,) for name, options in VALUES.items()})
def csv(options):
    with folder() as root:
        (root / "a.csv").write_text('a,b,c\n1,2.5,x\n3,4.5,"y z"\n')
        return rows(ds.CSVDataset(str(root / "a.csv"), shuffle=False, **options))


@case
def csv_named():
    with folder() as root:
        (root / "a.csv").write_text("1;2.5\n3;4.5\n")
        defaults, names = [1, 0.5], ["p", "q"]
        return rows(ds.CSVDataset(str(root / "a.csv"), ";", defaults, names, shuffle=False))


def growing():
    source = [(np.arange(i + 1, dtype=np.int32), np.int32(i)) for i in range(5)]
    return ds.GeneratorDataset(source, ["a", "b"], shuffle=False)


BATCHES = {
    "padded": lambda: growing().padded_batch(2, pad_info={}),
    "padded_to": lambda: growing().padded_batch(2, True, pad_info={"a": ([6], -1)}),
    "padded_by": lambda: growing().padded_batch(2, True, pad_info={"a": (None, 7), "b": None}),
    "cut": lambda: growing().padded_batch(5, pad_info={"a": ([3], -1)}),
    "padded_rank": lambda: growing().padded_batch(2, pad_info={"a": ([6, 2], -1)}),
    "buckets": lambda: growing().bucket_batch_by_length(
        ["a"], [3], [2, 1], pad_info={"a": ([None], -1)}
    ),
    "buckets_function": lambda: growing().bucket_batch_by_length(
        ["b"], [2], [2, 2], lambda b: int(b), {}, drop_remainder=True
    ),
    "buckets_boundary": lambda: growing().bucket_batch_by_length(
        ["a"], [3, 9], [2, 2, 2], pad_info={"a": ([None], -1)}, pad_to_bucket_boundary=True
    ),
    "buckets_sizes": lambda: growing().bucket_batch_by_length(["a"], [3], [2], pad_info={}),
    "buckets_order": lambda: growing().bucket_batch_by_length(["a"], [3, 2], [2, 1, 1]),
    "sizes": lambda: growing().project("b").batch(lambda info: info.get_batch_num() + 1),
    "padded_dataset": lambda: ds.PaddedDataset([{"x": np.array(1)}, {"x": np.array(2)}]),
}


@case.table({name: (make,) for name, make in BATCHES.items()})
def batched(make):
    return rows(make())


SETTINGS = {
    "num_parallel_workers": (2, 0, "a"),
    "prefetch_size": (3, 0, "a"),
    "seed": (7, -1, "a"),
    "auto_num_workers": (True, 1),
    "enable_shared_mem": (True, 1),
    "numa_enable": (False, 1),
    "monitor_sampling_interval": (5, 0),
    "multiprocessing_timeout_interval": (5, 0),
}


@case.table({f"{name}_{i}": (name, v) for name, vs in SETTINGS.items() for i, v in enumerate(vs)})
def setting(name, value):
    before = getattr(ds.config, f"get_{name}")()
    try:
        getattr(ds.config, f"set_{name}")(value)
        return getattr(ds.config, f"get_{name}")()
    finally:
        getattr(ds.config, f"set_{name}")(before)


# A training script: images in folders, transforms, a small convolutional network ---------------


def shapes(root):
    """Write bars and blocks as PNG files of several sizes, a folder for each class."""
    from PIL import Image

    draw = np.random.RandomState(0)
    for i in range(12):
        height, width = draw.randint(18, 30, 2)
        image = draw.randint(0, 90, (height, width, 3))
        part = (slice(None), slice(4, 9)) if i % 2 else (slice(5, 14), slice(5, 14))
        image[part] += 150
        (root / str(i % 2)).mkdir(exist_ok=True)
        Image.fromarray(image.astype(np.uint8)).save(root / str(i % 2) / f"{i:02}.png")
    return str(root)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        draw = np.random.RandomState(1)

        def weight(*shape):
            return Tensor(draw.normal(0, 0.2, shape).astype(np.float32))

        self.conv = nn.Conv2d(3, 4, 3, pad_mode="same", weight_init=weight(4, 3, 3, 3))
        self.norm = nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(4, 4)
        self.last = nn.Dense(64, 2, weight_init=weight(2, 64), bias_init="zeros")

    def construct(self, x):
        x = self.pool(ops.relu(self.norm(self.conv(x))))
        return self.last(x.view(x.shape[0], -1))


@case.table({"arrays": (False,), "pictures": (True,)}, tol=1e-4)
def training(pictures):
    operations = [
        vision.Decode(to_pil=pictures),
        vision.Resize(20),
        vision.CenterCrop(16),
        vision.RandomHorizontalFlip(1.0),
        vision.RandomColorAdjust((1.2, 1.2)) if not pictures else vision.RandomVerticalFlip(1.0),
        vision.ToTensor(),
        vision.Normalize([0.4, 0.4, 0.4], [0.2, 0.2, 0.2], is_hwc=False),
    ]
    net = Net()
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    loss_of = nn.CrossEntropyLoss()
    step = ms.value_and_grad(lambda x, y: loss_of(net(x), y), None, optimizer.parameters)
    with folder() as root:
        sampler = ds.SubsetSampler([0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11])
        data = ds.ImageFolderDataset(shapes(root), sampler=sampler)
        data = data.map(operations, "image").batch(4, drop_remainder=True)
        losses = []
        for _ in range(2):
            for image, label in data.create_tuple_iterator(num_epochs=1):
                loss, gradients = step(image, label)
                optimizer(gradients)
                losses.append(loss)
    return losses, data.get_dataset_size(), image[0, 0, 0]


@case.table(
    {
        "lines": (lambda read: [len(read), read.len(), *map(read.readline, range(1, 6)), read[2]],),
        "closed": (lambda read: (read.close(), read.readline(1)),),
        "none": (lambda read: read.readline(0),),
        "beyond": (lambda read: read.readline(6),),
        "text": (lambda read: read.readline("a"),),
    }
)
def lines_of_a_file(run):
    from mindspore.dataset.utils import LineReader

    with folder() as root:
        (root / "a.txt").write_bytes("a\nb\u00e9c\r\n\n d \nlast".encode())
        return run(LineReader(str(root / "a.txt")))


@case.table({"none": ("none.txt",), "number": (3,)})
def lines_of_no_file(path):
    from mindspore.dataset.utils import LineReader

    return LineReader(path)
