"""Pipelines as JSON: ``serialize``, ``deserialize``, ``compare``; the files are written here."""

import json

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.transforms as transforms
import mindspore.dataset.vision as vision
import numpy as np
from mindspore.dataset.vision import Border, ConvertMode, ImageBatchFormat, Inter, SliceMode

from tests.parity.case import case
from tests.parity.cases.dataset_files import folder, pictures, records, rows, schema


def images(root, **options):
    given = options or {"shuffle": False}
    return ds.ImageFolderDataset(str(root), num_parallel_workers=1, **given)


def rows_in_memory():
    return ds.GeneratorDataset(lambda: iter([(np.array(1),)]), ["a"], shuffle=False)


def serialized(data, root):
    """Return what is written, with the folder taken out."""
    return json.loads(json.dumps(ds.serialize(data)).replace(str(root), "FOLDER"))


PIPELINES = {
    "samplers": lambda root: [
        images(root, sampler=sampler)
        for sampler in (
            ds.SequentialSampler(1, 2),
            ds.RandomSampler(True, 2),
            ds.DistributedSampler(4, 2, False),
            ds.PKSampler(1),
            ds.SubsetSampler([1, 2]),
            ds.SubsetRandomSampler([1, 2]),
            ds.WeightedRandomSampler([0.1, 0.2], 1),
        )
    ],
    "which": lambda root: [
        images(root, num_samples=2),
        images(root, num_shards=2, shard_id=1),
        images(root, shuffle=True, decode=True, class_indexing={"c": 1}, extensions=[".png"]),
    ],
    "steps": lambda root: [
        images(root).skip(1).take(2).repeat(3),
        images(root).repeat().take(),
        images(root).shuffle(4).batch(2, True, 1),
        images(root).rename("label", "z").project("z"),
        images(root) + images(root, num_samples=2),
        images(root).zip(images(root).rename(["image", "label"], ["a", "b"])),
        images(root).map(transforms.TypeCast(ms.int64), ["label"], num_parallel_workers=1),
    ],
    "split": lambda root: [*images(root).split([3, 2]), *images(root).split([3, 2], False)],
    "functions": lambda root: [
        images(root).filter(lambda label: True, ["label"], 1),
        images(root).map([lambda image: image, vision.Decode()], ["image"], num_parallel_workers=1),
        rows_in_memory(),
        rows_in_memory().batch(
            2,
            per_batch_map=lambda a, info: (a,),
            input_columns=["a"],
            output_columns=["b"],
            num_parallel_workers=1,
        ),
    ],
    "texts": lambda root: [
        ds.TextFileDataset(records(root), num_parallel_workers=1),
        ds.TFRecordDataset(records(root), num_parallel_workers=1, shuffle=False),
        ds.TFRecordDataset(records(root), num_parallel_workers=1, columns_list=["lab"]),
        ds.TFRecordDataset(
            records(root),
            str(root / "schema.json"),
            num_parallel_workers=1,
            shuffle=ds.Shuffle.FILES,
        ),
        ds.CSVDataset(
            records(root), column_names=["x"], num_samples=3, num_parallel_workers=1, shuffle=False
        ),
    ],
    "more_images": lambda root: [
        ds.MnistDataset(str(root), "train", num_parallel_workers=1),
        ds.Cifar10Dataset(str(root), shuffle=False, num_parallel_workers=1),
        ds.CelebADataset(str(root), num_parallel_workers=1),
        ds.FakeImageDataset(5, (2, 2, 3), 3, 1, num_parallel_workers=1),
    ],
}


@case.table({name: (made,) for name, made in PIPELINES.items()})
def written(made):
    workers = ds.config.get_num_parallel_workers()
    ds.config.set_num_parallel_workers(1)
    try:
        with folder() as root:
            pictures(root)
            return [serialized(data, root) for data in made(root)]
    finally:
        ds.config.set_num_parallel_workers(workers)


POINTS = [[0, 1], [1, 1], [1, 0], [0, 0]]
OPERATIONS = {
    "colours": lambda: [
        vision.AdjustBrightness(2.0),
        vision.AdjustGamma(10.0, 1.0),
        vision.AutoContrast(1.0, 5),
        vision.ConvertColor(ConvertMode.COLOR_BGR2GRAY),
        vision.Equalize(),
        vision.Invert(),
        vision.Normalize([1.0, 2.0, 3.0], [0.1, 2.0, 3.0]),
        vision.NormalizePad([1.0], [2.0], "float16"),
        vision.Posterize(4),
        vision.RandomColorAdjust((0.5, 1.0), 0.4, (1, 2), 0.1),
        vision.RandomLighting(0.1),
        vision.RandomPosterize((1, 4)),
        vision.RandomSharpness((0.1, 1.9)),
        vision.RandomSolarize((1, 9)),
        vision.Rescale(1 / 255, 0.0),
        vision.Solarize((1, 9)),
    ],
    "places": lambda: [
        vision.Affine(15, [0.2, 0.2], 1.1, 5.0, Inter.AREA, 3),
        vision.CenterCrop(3),
        vision.Crop((0, 0), 3),
        vision.CutOut(2),
        vision.Erase(1, 2, 3, 4, (1, 2, 3), True),
        vision.GaussianBlur((3, 5), (1.0, 2.0)),
        vision.GaussianBlur(3),
        vision.Pad((1, 2), 3, Border.EDGE),
        vision.PadToSize(5, 1),
        vision.Perspective(POINTS, POINTS, Inter.LINEAR),
        vision.RandomAffine(5, (0.1, 0.2, 0.3, 0.4), (0.5, 1.0), 3, Inter.BILINEAR, 4),
        vision.RandomAffine((1, 2)),
        vision.RandomCrop((3, 4), 2, True, (1, 2, 3), Border.REFLECT),
        vision.RandomHorizontalFlip(0.3),
        vision.RandomResizedCrop((3, 4), (0.1, 1.0), (0.5, 2.0), Inter.BICUBIC, 5),
        vision.RandomResize(3),
        vision.RandomRotation((1, 3), Inter.BILINEAR, True, (1, 2), (1, 2, 3)),
        vision.ResizedCrop(0, 0, 2, 2, 3),
        vision.Resize(3),
        vision.Resize((3, 4), Inter.PILCUBIC),
        vision.Rotate(30),
        vision.SlicePatches(2, 2, SliceMode.DROP, 5),
        vision.VerticalFlip(),
    ],
    "others": lambda: [
        vision.AutoAugment(),
        vision.BoundingBoxAugment(vision.RandomHorizontalFlip(1), 0.3),
        vision.CutMixBatch(ImageBatchFormat.NCHW),
        vision.Decode(),
        vision.HWC2CHW(),
        vision.MixUpBatch(0.9),
        vision.RandAugment(),
        vision.RandomSelectSubpolicy([[(vision.RandomRotation(3), 0.5)]]),
        vision.ToTensor(),
        vision.ToType(np.float32),
        vision.UniformAugment([vision.RandomRotation(3), vision.CenterCrop(2)], 1),
        transforms.Compose([vision.CenterCrop(2)]),
        transforms.Fill(3),
        transforms.OneHot(4, 0.1),
        transforms.PadEnd([3], 1),
        transforms.RandomApply([vision.CenterCrop(2)], 0.3),
        transforms.RandomChoice([vision.CenterCrop(2)]),
        transforms.TypeCast(ms.int32),
        transforms.Unique(),
    ],
    "in_python": lambda: [
        vision.Decode(to_pil=True),
        vision.FiveCrop(2),
        vision.Grayscale(3),
        vision.RandomErasing(),
        vision.RandomPerspective(0.5, 0.6, Inter.BILINEAR),
        vision.Resize(3, Inter.ANTIALIAS),
        vision.TenCrop(2),
        vision.ToPIL(),
        [
            vision.ToPIL(),
            vision.CenterCrop(2),
            vision.RandomHorizontalFlip(0.3),
            vision.ToTensor(),
        ],
    ],
}


@case.table({name: (made,) for name, made in OPERATIONS.items()})
def transforms_written(made):
    with folder() as root:
        pictures(root)
        # A dataset of 2.10 is in one pipeline only.
        return [ds.serialize(images(root).map(one, ["image"]))["operations"] for one in made()]


@case
def read_again():
    with folder() as root:
        data = images(pictures(root), shuffle=False, decode=True)
        data = data.map([vision.Resize((3, 3)), vision.HWC2CHW()], ["image"])
        data = data.map(transforms.TypeCast(ms.int64), ["label"]).batch(2, True).repeat(2)
        made = ds.serialize(data, str(root / "a.json"))
        texts = ds.TFRecordDataset(records(root), schema(), shuffle=False, num_parallel_workers=1)
        again = [
            ds.deserialize(made),
            ds.deserialize(json_filepath=str(root / "a.json")),
            ds.deserialize(ds.serialize(images(root).split([3, 2], False)[1])),
            ds.deserialize(ds.serialize(images(root, sampler=ds.SubsetSampler([1, 3])))),
        ]
        return (
            [rows(one) for one in again],
            json.loads((root / "a.json").read_text()) == made,
            [ds.compare(data, one) for one in (data, images(root), texts)],
            [ds.deserialize(), ds.deserialize({}), ds.show(data)],
        )


@case.table(
    {
        "rows_in_memory": (lambda root: rows_in_memory().repeat(2),),
        "function": (lambda root: images(root).map(lambda label: label, ["label"]),),
        "filter": (lambda root: images(root).filter(lambda label: True, ["label"]),),
    }
)
def not_read(made):
    with folder() as root:
        return ds.deserialize(ds.serialize(made(pictures(root)))).get_dataset_size()
