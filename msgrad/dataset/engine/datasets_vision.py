"""Datasets of images in the formats they are distributed in: folders, MNIST, CIFAR; random ones."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.declared import Word
from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset._arguments import an_int, one_of
from msgrad.dataset.engine._indexed import VisionBaseDataset as VisionBaseDataset
from msgrad.dataset.engine._listed import ARRAYS, Rows, files, folders, listed

_USAGES = ("train", "test", "all")


def _classes(dataset: Any) -> dict[str, int]:
    """Return the label of each folder."""
    given, every = dataset._given["class_indexing"], folders(Path(dataset._given["dataset_dir"]))
    return {path.name: i for i, path in enumerate(every)} if given is None else dict(given)


def _number_of_classes(dataset: Any) -> int:
    """Return the number of classes."""
    return len(_classes(dataset))


@listed(
    "image label",
    "num_samples num_parallel_workers shuffle sampler extensions class_indexing decode num_shards "
    "shard_id cache decrypt",
    {"get_class_indexing": _classes, "num_classes": _number_of_classes},
)
def ImageFolderDataset(
    dataset_dir: Word,
    extensions: list[Word] | None = None,
    class_indexing: dict[str, int] | None = None,
) -> Rows:
    """Image files in a folder for each class: columns ``image``, uint8, and ``label``, int32.

    Args:
        dataset_dir: The folder of the folders.
        extensions: list of the names' ends that count, as ``[".jpg"]``; None for any.
        class_indexing: dict, label by folder; other folders are left out. By default folders are
            numbered by name.
    """
    root = Path(dataset_dir)
    numbered = {path.name: i for i, path in enumerate(folders(root))}
    for name, label in sorted((numbered if class_indexing is None else class_indexing).items()):
        for path in sorted((root / name).iterdir()):
            if path.is_file() and (extensions is None or path.suffix in extensions):
                yield path, np.int32(label)


@listed("image label", ARRAYS, usage=_USAGES)
def MnistDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """MNIST: columns ``image``, uint8 (28, 28, 1), and ``label``, uint32.

    Args:
        dataset_dir: The folder of the idx files.
        usage: "train", "test" or "all"; all by default.
    """
    # The test files come first where all are read.
    for part, name in (("test", "t10k"), ("train", "train")):
        paths = [
            Path(dataset_dir, f"{name}-{what}-ubyte") for what in ("images-idx3", "labels-idx1")
        ]
        if usage in (None, "all", part) and all(path.is_file() for path in paths):
            images, labels = map(_idx, paths)
            yield from zip(images[..., None], labels.astype(np.uint32), strict=True)


def _idx(path: Path) -> np.ndarray:
    return _idx_array(path.read_bytes(), path)


def _idx_array(data: bytes, path: Path) -> np.ndarray:
    """Return the array of bytes that an idx file has; raises ``RuntimeError`` for another file."""
    if data[:3] != b"\0\0\x08":
        raise EngineError(f"{path} is no idx file of bytes.")
    shape = np.frombuffer(data, ">u4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST, whose files are as those of MNIST; see ``MnistDataset``."""


class KMnistDataset(MnistDataset):
    """Kuzushiji-MNIST, whose files are as those of MNIST; see ``MnistDataset``."""


def _cifar(folder: str, pattern: str, count: int) -> Rows:
    for path in files(Path(folder), pattern):
        data = np.fromfile(path, np.uint8)
        if data.size % (count + 3072):
            raise EngineError(f"{path} is no file of CIFAR with {count} labels for each image.")
        rows = data.reshape(-1, count + 3072)
        images = np.moveaxis(rows[:, count:].reshape(-1, 3, 32, 32), 1, -1)
        labels = rows[:, :count].T.astype(np.uint32)
        yield from zip(np.ascontiguousarray(images), *labels, strict=True)


@listed("image label", ARRAYS, usage=_USAGES)
def Cifar10Dataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """CIFAR-10: columns ``image``, uint8 (32, 32, 3), and ``label``, uint32.

    Args:
        dataset_dir: The folder of the binary files.
        usage: "train", "test" or "all"; all by default.
    """
    names = {"train": "data_batch_*.bin", "test": "test_batch.bin"}
    return _cifar(dataset_dir, names.get(usage or "all", "*_batch*.bin"), 1)


@listed("image coarse_label fine_label", ARRAYS, usage=_USAGES)
def Cifar100Dataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """CIFAR-100: columns ``image``, ``coarse_label`` and ``fine_label``; see ``Cifar10Dataset``."""
    names = {"train": "train.bin", "test": "test.bin"}
    return _cifar(dataset_dir, names.get(usage or "all", "t*.bin"), 2)


def _number_of_labels(dataset: Any) -> int:
    """Return the number of labels."""
    return dataset._given["num_classes"]


@listed("image label", ARRAYS, {"num_classes": _number_of_labels})
def FakeImageDataset(
    num_images: int = 1000,
    image_size: Any = (224, 224, 3),
    num_classes: int = 10,
    base_seed: int = 0,
) -> Rows:
    """Random images, those of MindSpore: columns ``image``, uint8, and ``label``, uint32.

    Args:
        num_images: int, how many.
        image_size: tuple or list of int, the shape (H, W, C) of each.
        num_classes: int, how many labels there are.
        base_seed: int, of the first image; each has the next one.

    Differs from MindSpore: ``num_classes`` is a method, as of other datasets.
    """
    an_int("num_images", num_images, 1)
    an_int("num_classes", num_classes, 1)
    if len(one_of("image_size", image_size, list, tuple)) != 3:
        raise ArgumentValueError(
            f"image_size should be a list or tuple of length 3, but got {len(image_size)}."
        )
    shape = tuple(an_int(f"image_size[{i}]", size, 1) for i, size in enumerate(image_size))
    return (
        (partial(_fake_image, seed, shape), np.uint32(Draws(seed).below(num_classes)))
        for seed in range(base_seed, base_seed + num_images)
    )


def _fake_image(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """Return the bytes of float64 normal numbers that are cut at 0, as in 2.10.

    They are made by Marsaglia's polar method, two of each point of a square that is in the circle.
    """
    count = math.prod(shape)
    pairs = -(-count // 16)
    words = np.random.RandomState(seed % 2**32).randint(0, 2**32, 8 * pairs + 256, np.uint32)
    points = np.minimum(words.view("<u8") / 2.0**64, 1 - 2.0**-53).reshape(-1, 2) * 2 - 1
    far = (points**2).sum(1)
    inside = np.flatnonzero((far > 0) & (far <= 1))[:pairs]
    # NumPy's logarithm differs from C's in last bits.
    logs = np.array([math.log(one) for one in far[inside]])
    factors = np.sqrt(-2 * logs / far[inside])
    numbers = np.maximum(points[inside, ::-1] * factors[:, None], 0)
    return numbers.ravel().view(np.uint8)[:count].reshape(shape)


__all__ = [name for name in public_names(globals()) if name.endswith("Dataset")]

__getattr__ = missing_names(__name__)
