"""Datasets of images in the formats they are distributed in: folders, MNIST, CIFAR."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.declared import Word, checked
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset.engine._indexed import VisionBaseDataset, check_workers
from msgrad.dataset.engine.cache_client import DatasetCache
from msgrad.dataset.engine.datasets import Row

_USAGES = ("train", "test", "all")


def existing_folder(path: str) -> Path:
    """Return a folder that exists.

    Raises:
        ValueError: If it does not.
    """
    if not Path(path).is_dir():
        raise ArgumentValueError(
            f"The folder {path} does not exist or is not a directory or permission denied!"
        )
    return Path(path)


def check_usage(usage: str | None, valid: Iterable[str]) -> None:
    """Refuse a part of a dataset that there is not; None is all of it.

    Raises:
        ValueError: If it is none of ``valid``.
    """
    if usage is not None and usage not in (accepted := list(valid)):
        raise ArgumentValueError(
            f"Input usage is not within the valid set of {accepted}, but got {usage}."
        )


class ImageFolderDataset(VisionBaseDataset):
    """Image files in a folder for each class: columns ``image``, uint8, and ``label``, int32.

    Args:
        dataset_dir: The folder of the folders.
        extensions: list of the names' ends that count, as ``[".jpg"]``; None for any.
        class_indexing: dict, label by folder; other folders are left out. By default folders are
            numbered by name.
        decode: Whether images are read, to (H, W, 3), or are the files' bytes.
        decrypt: Function of the file's path and ``"r"`` that gives its bytes, or None.
    """

    @checked
    def __init__(
        self,
        dataset_dir: Word,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        extensions: list[Word] | None = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
        decrypt: Callable[..., bytes] | None = None,
    ) -> None:
        super().__init__()
        self._folder = existing_folder(dataset_dir)
        check_workers(num_parallel_workers)
        self._extensions = None if extensions is None else tuple(extensions)
        self._given, self._decode, self._decrypt = class_indexing, decode, decrypt
        self._order_by(shuffle, sampler, num_shards, shard_id, num_samples)

    @cached_property
    def _classes(self) -> dict[str, int]:
        if self._given is not None:
            return self._given
        names = sorted(path.name for path in self._folder.iterdir() if path.is_dir())
        return {name: i for i, name in enumerate(names)}

    @cached_property
    def _files(self) -> list[tuple[str, int]]:
        found = [
            (str(path), label)
            for name, label in sorted(self._classes.items())
            for path in sorted((self._folder / name).iterdir())
            if path.is_file()
            if self._extensions is None or path.suffix in self._extensions
        ]
        if not found:
            raise EngineError(
                "Invalid data, ImageFolderDataset API can't read the data file (interface "
                f"mismatch or no data found): no image in a folder below {self._folder}."
            )
        return found

    def get_col_names(self) -> list[str]:
        return ["image", "label"]

    def get_class_indexing(self) -> dict[str, int]:
        """Return the label of each folder."""
        return dict(self._classes)

    def num_classes(self) -> int:
        """Return the number of classes."""
        return len(self._classes)

    def _count(self) -> int:
        return len(self._files)

    def _labels(self) -> np.ndarray:
        return np.array([label for _, label in self._files])

    def _row_at(self, index: int) -> Row:
        path, label = self._files[index]
        data = Path(path).read_bytes() if self._decrypt is None else self._decrypt(path, "r")
        image = np.frombuffer(data, np.uint8)
        if self._decode:
            from msgrad.dataset.vision.utils import opened

            image = np.array(opened(image).convert("RGB"))
        return image, np.array(label, np.int32)


class _Arrays(VisionBaseDataset):
    """Base of datasets that are a few files of arrays, read whole when first needed.

    Args:
        usage: "train", "test" or "all"; all by default.
    """

    # The columns after the image.
    _label_names = ("label",)

    @checked
    def __init__(
        self,
        dataset_dir: Word,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ) -> None:
        super().__init__()
        self._folder = existing_folder(dataset_dir)
        check_usage(usage, _USAGES)
        check_workers(num_parallel_workers)
        self._usage = usage or "all"
        self._order_by(shuffle, sampler, num_shards, shard_id, num_samples)

    @cached_property
    def _data(self) -> tuple[np.ndarray, ...]:
        """Return images and labels."""
        parts = self._parts()
        if not parts:
            raise EngineError(
                f"Invalid data, {type(self).__name__} API can't read the data file (interface "
                f"mismatch or no data found): no {self._usage} file in {self._folder}."
            )
        return tuple(np.concatenate(column) for column in zip(*parts, strict=True))

    def _parts(self) -> list[tuple[np.ndarray, ...]]:
        raise NotImplementedError(f"{type(self).__name__} must define _parts.")

    def get_col_names(self) -> list[str]:
        return ["image", *self._label_names]

    def _count(self) -> int:
        return len(self._data[0])

    def _labels(self) -> np.ndarray:
        return self._data[1]

    def _row_at(self, index: int) -> Row:
        image, *labels = (column[index] for column in self._data)
        return image, *(np.array(label, np.uint32) for label in labels)


class MnistDataset(_Arrays):
    """MNIST: columns ``image``, uint8 (28, 28, 1), and ``label``, uint32.

    Args:
        dataset_dir: The folder of the idx files.
    """

    def _parts(self) -> list[tuple[np.ndarray, ...]]:
        # The test files come first where all are read.
        files = {"test": ["t10k"], "train": ["train"], "all": ["t10k", "train"]}[self._usage]
        found = []
        for name in files:
            images = self._folder / f"{name}-images-idx3-ubyte"
            labels = self._folder / f"{name}-labels-idx1-ubyte"
            if images.is_file() and labels.is_file():
                found.append((_idx(images)[..., None], _idx(labels)))
        return found


def _idx(path: Path) -> np.ndarray:
    data = path.read_bytes()
    if data[:3] != b"\0\0\x08":
        raise EngineError(f"{path} is no idx file of bytes.")
    shape = np.frombuffer(data, ">u4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST, whose files are as those of MNIST; see ``MnistDataset``."""


class KMnistDataset(MnistDataset):
    """Kuzushiji-MNIST, whose files are as those of MNIST; see ``MnistDataset``."""


class Cifar10Dataset(_Arrays):
    """CIFAR-10: columns ``image``, uint8 (32, 32, 3), and ``label``, uint32.

    Args:
        dataset_dir: The folder of the binary files.
    """

    _files = {"train": "data_batch_*.bin", "test": "test_batch.bin", "all": "*_batch*.bin"}

    def _parts(self) -> list[tuple[np.ndarray, ...]]:
        count, found = len(self._label_names), []
        for path in sorted(self._folder.glob(self._files[self._usage])):
            data = np.fromfile(path, np.uint8)
            if data.size % (count + 3072):
                raise EngineError(f"{path} is no file of {type(self).__name__}.")
            rows = data.reshape(-1, count + 3072)
            images = np.moveaxis(rows[:, count:].reshape(-1, 3, 32, 32), 1, -1)
            found.append((np.ascontiguousarray(images), *rows[:, :count].T))
        return found


class Cifar100Dataset(Cifar10Dataset):
    """CIFAR-100: columns ``image``, ``coarse_label`` and ``fine_label``; see ``Cifar10Dataset``."""

    _label_names = ("coarse_label", "fine_label")
    _files = {"train": "train.bin", "test": "test.bin", "all": "t*.bin"}


__all__ = [name for name in public_names(globals()) if name.endswith("Dataset")]

__getattr__ = missing_names(__name__)
