"""Datasets of images in folders of their own kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.declared import Word
from msgrad.dataset.engine._listed import (
    ARRAYS,
    IMAGES,
    LINES,
    Rows,
    files,
    folders,
    lines,
    listed,
    numbered,
)
from msgrad.dataset.engine.datasets_vision import _idx

_PARTS = ("train", "test", "all")
_EMNIST = ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")


@listed("image label", IMAGES)
def Caltech256Dataset(dataset_dir: Word) -> Rows:
    """Caltech 256, a folder for each class: ``image``, and ``label``, int32."""
    yield from numbered(folders(Path(dataset_dir)))


@listed(
    "image attr",
    "num_parallel_workers shuffle usage sampler decode extensions num_samples num_shards shard_id "
    "cache decrypt",
    usage=("all", "train", "valid", "test"),
)
def CelebADataset(
    dataset_dir: Word, usage: str = "all", extensions: list[str] | None = None
) -> Rows:
    """CelebA, as ``list_attr_celeba.txt`` says: ``image``, and ``attr``, 0 or 1 for each of them.

    Args:
        extensions: list of the names' ends that count; None for any.
    """
    root, part = Path(dataset_dir), ("train", "valid", "test", "all").index(usage)
    path = root / "list_eval_partition.txt"
    parts = dict(line.split() for line in lines(path)) if usage != "all" else {}
    for line in lines(root / "list_attr_celeba.txt")[2:]:
        name, *attributes = line.split()
        wanted = extensions is None or Path(name).suffix in extensions
        if wanted and (usage == "all" or parts.get(name) == str(part)):
            yield root / name, np.array(np.array(attributes, int) > 0, np.uint32)


@listed(
    "image task",
    IMAGES,
    usage=("train", "test", "val", "all", "train_extra"),
    quality_mode=("fine", "coarse"),
    task=("instance", "semantic", "polygon", "color"),
)
def CityscapesDataset(
    dataset_dir: Word, usage: str = "train", quality_mode: str = "fine", task: str = "instance"
) -> Rows:
    """Cityscapes: ``image``, and ``task``, an image too or a text of JSON.

    Args:
        quality_mode: "fine" or "coarse".
        task: "instance", "semantic", "polygon" or "color".
    """
    mode = f"gt{quality_mode.capitalize()}"
    second = "test" if quality_mode == "fine" else "train_extra"
    ending = {"instance": "instanceIds.png", "semantic": "labelIds.png", "color": "color.png"}
    for part in ("train", second, "val") if usage == "all" else (usage,):
        for path in files(Path(dataset_dir, "leftImg8bit", part), "*/*_leftImg8bit.png"):
            name = path.name.replace("leftImg8bit.png", f"{mode}_")
            target = Path(dataset_dir, mode, part, path.parent.name, name)
            if task == "polygon":
                found = json.loads(Path(f"{target}polygons.json").read_text())
                yield path, json.dumps(found, separators=(",", ":"))
            else:
                yield path, target.with_name(name + ending[task])


_SETS_OF_FACES = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}
_PAIRS = {"train": ["pairsDevTrain"], "test": ["pairsDevTest"], "10fold": ["pairs"]}
_PAIRS["all"] = [*_PAIRS["train"], *_PAIRS["test"]]


@listed(
    {"people": "image label", "pairs": "image1 image2 label"},
    IMAGES,
    task=("people", "pairs"),
    usage=("10fold", "train", "test", "all"),
    image_set=[*_SETS_OF_FACES],
)
def LFWDataset(
    dataset_dir: Word,
    task: str | None = None,
    usage: str | None = None,
    image_set: str | None = None,
) -> Rows:
    """Labeled Faces in the Wild: ``image`` and ``label``, or two images and whether they are alike.

    Args:
        task: "people", the default, or "pairs".
        usage: "train", "test", "10fold" or "all", the default: train and test.
        image_set: "original", "funneled", the default, or "deepfunneled".
    """
    root = Path(dataset_dir)

    def image(name: str, number: Any) -> Path:
        folder = root / _SETS_OF_FACES[image_set or "funneled"] / name
        return folder / f"{name}_{int(number):04}.jpg"

    names = [line.split()[0] for line in lines(root / "lfw-names.txt")]
    for list_name in _PAIRS[usage or "all"]:
        of_people = list_name.replace("pairs", "people")
        for line in lines(root / f"{list_name if task == 'pairs' else of_people}.txt"):
            # Other lines are counts.
            match line.split("\t"):
                case name, number if task != "pairs" and name in names:
                    for i in range(int(number)):
                        yield image(name, i + 1), np.uint32(names.index(name))
                case name, one, other:
                    yield image(name, one), image(name, other), np.uint32(1)
                case name, one, second, other:
                    yield image(name, one), image(second, other), np.uint32(0)


_LETTERS = {"mild": "m", "difficult": "d", "wild": "w"}


@listed(
    "hr_image lr_image",
    IMAGES,
    usage=("train", "valid", "all"),
    downgrade=("bicubic", "unknown", *_LETTERS),
    scale=(2, 3, 4, 8),
)
def DIV2KDataset(
    dataset_dir: Word, usage: str = "train", downgrade: str = "bicubic", scale: int = 2
) -> Rows:
    """DIV2K: images of high and of low resolution, ``hr_image`` and ``lr_image``.

    Args:
        downgrade: How the small ones were made: "bicubic", "unknown", "mild", "difficult", "wild".
        scale: How many times smaller they are: 2, 3, 4, or 8 for "bicubic".
    """
    below = "" if downgrade in _LETTERS or scale == 8 else f"X{scale}"
    name = f"LR_{'x8' if scale == 8 else downgrade}"
    for part in ("train", "valid") if usage == "all" else (usage,):
        small = Path(dataset_dir, f"DIV2K_{part}_{name}", below)
        for path in files(Path(dataset_dir, f"DIV2K_{part}_HR"), "*.png"):
            yield path, small / f"{path.stem}x{scale}{_LETTERS.get(downgrade, '')}.png"


@listed("image label", ARRAYS, name=_EMNIST, usage=_PARTS)
def EMnistDataset(dataset_dir: Word, name: Word, usage: str | None = None) -> Rows:
    """EMNIST: ``image``, uint8 (28, 28, 1), and ``label``, uint32.

    Args:
        name: "byclass", "bymerge", "balanced", "letters", "digits" or "mnist".
    """
    for part in ("test", "train") if usage in (None, "all") else (usage,):
        images = Path(dataset_dir, f"emnist-{name}-{part}-images-idx3-ubyte")
        labels = Path(dataset_dir, f"emnist-{name}-{part}-labels-idx1-ubyte")
        yield from zip(_idx(images)[..., None], _idx(labels).astype(np.uint32), strict=True)


@listed("image annotation", IMAGES)
def FlickrDataset(dataset_dir: Word, annotation_file: Word) -> Rows:
    """Flickr8k or 30k: ``image``, and ``annotation``, its five texts.

    Args:
        annotation_file: The path of the file of texts.
    """
    texts: dict[str, list[str]] = {}
    for line in lines(Path(annotation_file)):
        name, text = line.split("\t", 1)
        texts.setdefault(name.rsplit("#", 1)[0], []).append(text)
    for name in sorted(texts):
        yield Path(dataset_dir, name), texts[name]


@listed("image label", IMAGES, usage=_PARTS)
def Food101Dataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """Food101: ``image``, and ``label``, the name of the class."""
    for part in ("train", "test") if usage in (None, "all") else (usage,):
        for name in lines(Path(dataset_dir, "meta", f"{part}.txt")):
            yield Path(dataset_dir, "images", f"{name}.jpg"), name.split("/")[0]


@listed(
    "image label truncated occluded alpha bbox dimensions location rotation_y",
    IMAGES,
    usage=("train", "test"),
)
def KITTIDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """KITTI: ``image``, and for training what stands in it, a row for each object."""
    part = "testing" if usage == "test" else "training"
    numbers: dict[str, int] = {}
    for path in files(Path(dataset_dir, "data_object_image_2", part, "image_2")):
        if usage == "test":
            yield (path,)
            continue
        text = Path(dataset_dir, "data_object_label_2", part, "label_2", f"{path.stem}.txt")
        objects = [line.split() for line in lines(text)]
        labels = [[numbers.setdefault(one[0], len(numbers))] for one in objects]
        data = np.array([one[1:15] for one in objects], np.float32)
        occluded = data[:, 1:2].astype(np.uint32)
        front = np.array(labels, np.uint32), data[:, :1], occluded, data[:, 2:3]
        yield path, *front, data[:, 3:7], data[:, 7:10], data[:, 10:13], data[:, 13:14]


@listed("image label", IMAGES, usage=("train", "test", "valid", "all"))
def LSUNDataset(dataset_dir: Word, usage: str | None = None, classes: Any = None) -> Rows:
    """LSUN: ``image``, and ``label``, uint32.

    Args:
        classes: Name of a class, or a list of them; all by default.
    """
    root, given = Path(dataset_dir), [classes] if isinstance(classes, str) else classes
    part = {"train": "_train", "valid": "_val"}.get(usage or "all", "")
    found = [f for f in folders(root) if f.name.endswith(part or ("_train", "_val"))]
    names = [f.name for f in found if given is None or f.name.rsplit("_", 1)[0] in given]
    yield from numbered(
        (root / name for name in (["test"] if usage == "test" else names)), np.uint32
    )


@listed("image label", ARRAYS.replace("sampler", "sampler class_indexing decode"))
def ManifestDataset(
    dataset_file: Word, usage: str = "train", class_indexing: dict[str, int] | None = None
) -> Rows:
    """Images that a file names, with a JSON object on each line: ``image``, ``label``, int32.

    Args:
        dataset_file: The file.
        class_indexing: dict, label by name; others are left out. By default classes are numbered
            by name.
    """
    rows = [json.loads(line) for line in lines(Path(dataset_file))]
    if usage not in ("train", "eval", "inference"):
        raise ValueError(f"usage must be 'train', 'eval' or 'inference', but got {usage}.")
    rows = [row for row in rows if row["usage"].lower() == usage]
    names = sorted({one["name"] for row in rows for one in row["annotation"]})
    numbers = class_indexing or {name: i for i, name in enumerate(names)}
    for row in rows:
        labels = [numbers[a["name"]] for a in row["annotation"] if a["name"] in numbers]
        if labels:
            yield Path(row["source"]), np.array(labels[0] if len(labels) == 1 else labels, np.int32)


@listed("image label", IMAGES)
def OmniglotDataset(dataset_dir: Word, background: bool | None = None) -> Rows:
    """Omniglot, a folder for each character of an alphabet: ``image``, and ``label``, int32.

    Args:
        background: Whether images of "images_background" are read; they are by default.
    """
    name = "evaluation" if background is False else "background"
    alphabets = folders(Path(dataset_dir, f"images_{name}"))
    characters = [folder for alphabet in alphabets for folder in folders(alphabet)]
    yield from numbered(characters)


@listed(
    "image label",
    "decode num_samples num_parallel_workers shuffle sampler num_shards shard_id cache",
    usage=("train-standard", "train-challenge", "val"),
)
def Places365Dataset(dataset_dir: Word, usage: str | None = None, small: bool = True) -> Rows:
    """Places365: ``image``, and ``label``, uint32.

    Args:
        small: Whether images of (256, 256) are read.
    """
    size, usage = "256" if small else "large", usage or "train-standard"
    folder = Path(dataset_dir, f"val_{size}" if usage == "val" else f"data_{size}_{usage[6:]}")
    for line in lines(Path(dataset_dir, f"places365_{usage.replace('-', '_')}.txt")):
        name, label = line.split()
        path = folder / name.lstrip("/")
        if not path.is_file():
            raise ValueError(f"{path} does not exist.")
        yield path, np.uint32(label)


@listed("image label", ARRAYS, usage=("train", "test", "test10k", "test50k", "nist", "all"))
def QMnistDataset(dataset_dir: Word, usage: str | None = None, compat: bool = True) -> Rows:
    """QMNIST: ``image``, uint8 (28, 28, 1), and ``label``, uint32.

    Args:
        usage: "train", "test", its parts "test10k" and "test50k", "nist" or "all".
        compat: Whether the label is the class alone, or all eight numbers of an image.
    """
    parts = ("train", "test", "nist") if usage in (None, "all") else (usage,)
    for part in parts:
        name = {"nist": "xnist", "train": "qmnist-train"}.get(part, "qmnist-test")
        images = _idx(Path(dataset_dir, f"{name}-images-idx3-ubyte"))[..., None]
        labels = np.fromfile(Path(dataset_dir, f"{name}-labels-idx2-int"), ">i4")[3:]
        labels = labels.reshape(len(images), -1).astype(np.uint32)
        which = {"test10k": slice(10000), "test50k": slice(10000, 60000)}.get(part, slice(None))
        if which.stop is not None and len(images) < which.stop:
            raise ValueError(f"{name}-images-idx3-ubyte has less than {which.stop} images")
        chosen = labels[which, 0] if compat else labels[which]
        yield from zip(images[which], chosen, strict=True)


@listed("image label", IMAGES, usage=("val", "all", "train", "test"))
def RenderedSST2Dataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """Rendered SST-2, images of texts: ``image``, and ``label``, whether it is positive."""
    parts = {None: ("test", "train", "valid"), "val": ("valid",)}
    for part in parts.get(None if usage == "all" else usage, (usage,)):
        root = Path(dataset_dir, str(part))
        yield from numbered((root / "negative", root / "positive"), np.uint32)


@listed("image label", IMAGES)
def SUN397Dataset(dataset_dir: Word) -> Rows:
    """SUN397: ``image``, and ``label``, uint32, the line of ``ClassName.txt``."""
    names = lines(Path(dataset_dir, "ClassName.txt"))
    yield from numbered((Path(dataset_dir, name.strip("/")) for name in names), np.uint32)


@listed("image label", ARRAYS)
def SemeionDataset(dataset_dir: Word) -> Rows:
    """Semeion: ``image``, uint8 (16, 16), and ``label``, uint32."""
    data = np.loadtxt(Path(dataset_dir, "semeion.data"), ndmin=2).astype(np.uint8)
    for row in data:
        yield row[:256].reshape(16, 16), np.uint32(row[256:].argmax())


_STL10 = {"train": ["train"], "test": ["test"], "unlabeled": ["unlabeled"]}
_STL10["train+unlabeled"], _STL10["all"] = ["train", "unlabeled"], ["train", "test", "unlabeled"]


@listed("image label", ARRAYS, usage=[*_STL10])
def STL10Dataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """STL-10: ``image``, uint8 (96, 96, 3), and ``label``, int32, -1 where there is none."""
    for part in _STL10[usage or "all"]:
        images = np.fromfile(Path(dataset_dir, f"{part}_X.bin"), np.uint8).reshape(-1, 3, 96, 96)
        labels = np.full(len(images), -1, np.int32)
        if part != "unlabeled":
            labels = np.fromfile(Path(dataset_dir, f"{part}_y.bin"), np.uint8).astype(np.int32) - 1
        yield from zip(images.transpose(0, 3, 2, 1), labels, strict=True)


@listed("image label", LINES, usage=_PARTS)
def USPSDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """USPS: ``image``, uint8 (16, 16, 1), and ``label``, uint32."""
    names = {"train": ["usps"], "test": ["usps.t"]}.get(usage or "all", ["usps", "usps.t"])
    for line in (line for name in names for line in lines(Path(dataset_dir, name))):
        label, *values = line.split()
        values = np.array([value.split(":")[1] for value in values], np.float64)
        image = ((values + 1) / 2 * 255).astype(np.uint8).reshape(16, 16, 1)
        yield image, np.uint32(int(label) - 1)


@listed(
    "image bbox blur expression illumination occlusion pose invalid",
    IMAGES,
    usage=("train", "test", "valid", "all"),
)
def WIDERFaceDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """WIDER Face: ``image``, and unless it is a test, boxes of faces and what is said of them."""
    split = Path(dataset_dir, "wider_face_split")
    if usage == "test":
        for name in lines(split / "wider_face_test_filelist.txt"):
            yield (Path(dataset_dir, "WIDER_test", "images", name),)
        return
    parts = {"train": ["train"], "valid": ["val"]}.get(usage or "all", ["train", "val"])
    for part in parts:
        text = iter(lines(split / f"wider_face_{part}_bbx_gt.txt"))
        for name in text:
            rows = [next(text).split() for _ in range(max(int(next(text)), 1))]
            faces = np.array(rows, np.int32)
            path = Path(dataset_dir, f"WIDER_{part}", "images", name)
            yield path, faces[:, :4], *faces[:, 4:10].T


__all__ = [name for name in list(globals()) if name.endswith("Dataset")]
