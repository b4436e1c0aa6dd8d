"""Datasets of images in folders of their own kind; what is described by lists, JSON or XML too."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

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
from msgrad.dataset.vision.utils import pillow

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


_SETS_OF_FACES = {
    "original": "lfw",
    "funneled": "lfw_funneled",
    "deepfunneled": "lfw-deepfunneled",
}
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


@listed(
    "image label",
    ARRAYS.replace("sampler", "sampler class_indexing decode"),
)
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


_TAIL = "num_shards shard_id cache extra_metadata decrypt"
_VOC = {"Segmentation": "image target", "Detection": "image bbox label difficult truncate"}


@listed(
    _VOC,
    f"num_samples num_parallel_workers shuffle decode sampler {_TAIL}",
    task=_VOC,
)
def VOCDataset(
    dataset_dir: Word,
    task: str = "Segmentation",
    usage: str = "train",
    class_indexing: dict[str, int] | None = None,
    extra_metadata: bool = False,
) -> Rows:
    """VOC: ``image``, and ``target``, an image too, or what is found, a row for each object.

    Args:
        task: "Segmentation" or "Detection".
        usage: The name of a list in ``ImageSets``, such as "train", "val" or "trainval".
        class_indexing: dict, label by name, for "Detection"; other objects are left out. By default
            classes are numbered by name.
        extra_metadata: Whether the name of the image comes as the column ``_meta-filename`` too.
    """
    root, is_target = Path(dataset_dir), task == "Segmentation"
    names = lines(root / "ImageSets" / ("Segmentation" if is_target else "Main") / f"{usage}.txt")
    objects = {
        name: ElementTree.parse(root / "Annotations" / f"{name}.xml").findall("object")
        for name in map(str.strip, () if is_target else names)
    }
    found = sorted({str(one.findtext("name")) for row in objects.values() for one in row})
    numbers = class_indexing or {name: i for i, name in enumerate(found)}
    for name in map(str.strip, names):
        last = (f"{name}.jpg",) * extra_metadata
        image = root / "JPEGImages" / f"{name}.jpg"
        if is_target:
            yield image, root / "SegmentationClass" / f"{name}.png", *last
            continue
        rows = [
            (numbers[label], one.findtext("difficult", "0"), one.findtext("truncated", "0"), box)
            for one in objects[name]
            if (label := str(one.findtext("name"))) in numbers
            if (box := [one.findtext(f"bndbox/{k}") for k in ("xmin", "ymin", "xmax", "ymax")])
        ]
        if rows:
            boxes = np.array([row[3] for row in rows], np.float32)
            boxes[:, 2:] -= boxes[:, :2]
            columns = (
                np.array(row, np.uint32)[:, None] for row in list(zip(*rows, strict=True))[:3]
            )
            yield image, boxes, *columns, *last


_COCO = {
    "Detection": "image bbox category_id iscrowd",
    "Stuff": "image segmentation iscrowd",
    "Keypoint": "image keypoints num_keypoints",
    "Panoptic": "image bbox category_id iscrowd area",
    "Captioning": "image captions",
}


def _padded(found: list[dict[str, Any]]) -> np.ndarray:
    parts = [part for one in found for part in one["segmentation"]]
    width = max(map(len, parts))
    return np.array([[*part, *[-1] * (width - len(part))] for part in parts], np.float32)


def _each(key: str, kind: Any) -> Any:
    return lambda found: np.array([np.atleast_1d(one[key]) for one in found], kind)


# Column -> how it is made of what is said of an image.
_COLUMNS = {
    "bbox": _each("bbox", np.float32),
    "keypoints": _each("keypoints", np.float32),
    "segmentation": _padded,
    "captions": _each("caption", None),
    **{key: _each(key, np.uint32) for key in ("category_id", "iscrowd", "num_keypoints", "area")},
}


@listed(_COCO, f"num_samples num_parallel_workers shuffle decode sampler {_TAIL}", task=_COCO)
def CocoDataset(
    dataset_dir: Word, annotation_file: Word, task: str = "Detection", extra_metadata: bool = False
) -> Rows:
    """COCO: ``image``, and what is said of it, a row for each object or text.

    Args:
        annotation_file: The path of the JSON file.
        task: "Detection", "Stuff", "Keypoint", "Panoptic" or "Captioning".
        extra_metadata: Whether the name of the image comes as the column ``_meta-filename`` too.
    """
    data = json.loads(Path(annotation_file).read_text(encoding="utf-8"))
    found: dict[int, list[dict[str, Any]]] = {}
    for one in data["annotations"]:
        found.setdefault(one["image_id"], []).extend(one.get("segments_info", [one]))
    for image in data["images"]:
        if image["id"] in found:
            values = (_COLUMNS[name](found[image["id"]]) for name in _COCO[task].split()[1:])
            name = image["file_name"]
            yield Path(dataset_dir, name), *values, *(name,) * extra_metadata


# Those of MATLAB's files, which SciPy reads.


def _mat(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    return loadmat(path)


# Folders of annotations that are not called as those of images.
_RENAMED = {
    "Faces": "Faces_2",
    "Faces_easy": "Faces_3",
    "Motorbikes": "Motorbikes_16",
    "airplanes": "Airplanes_Side_2",
}


@listed(
    {
        "category": "image category",
        "annotation": "image annotation",
        "all": "image category annotation",
    },
    IMAGES.replace(" cache", ""),
    target_type=("category", "annotation", "all"),
)
def Caltech101Dataset(dataset_dir: Word, target_type: str | None = None) -> Rows:
    """Caltech 101: ``image``, ``category``, int64, and ``annotation``, the outline, float64 (2, n).

    Args:
        target_type: "category", the default, "annotation" or "all".
    """
    root, wanted = Path(dataset_dir), target_type or "category"
    found = [f for f in folders(root / "101_ObjectCategories") if f.name != "BACKGROUND_Google"]
    for category, folder in enumerate(found):
        outlines = root / "Annotations" / _RENAMED.get(folder.name, folder.name)
        for path in files(folder):
            values: list[Any] = [] if wanted == "annotation" else [np.int64(category)]
            if wanted != "category":
                name = path.name.replace("image", "annotation")
                values.append(_mat((outlines / name).with_suffix(".mat"))["obj_contour"])
            yield path, *values


_SETS = {"train": "trnid", "test": "tstid", "valid": "valid"}


@listed(
    {"Classification": "image label", "Segmentation": "image segmentation label"},
    IMAGES.replace(" cache", ""),
    task=("Classification", "Segmentation"),
    usage=("train", "valid", "test", "all"),
)
def Flowers102Dataset(dataset_dir: Word, task: str = "Classification", usage: str = "all") -> Rows:
    """Oxford 102 Flower: ``image``, ``segmentation``, an image too, and ``label``, uint32.

    Args:
        task: "Classification", without ``segmentation``, or "Segmentation".
    """
    root = Path(dataset_dir)
    labels, sets = _mat(root / "imagelabels.mat")["labels"][0], _mat(root / "setid.mat")
    for number in (
        i for part, key in _SETS.items() if usage in (part, "all") for i in sets[key][0]
    ):
        segments = (root / "segmim" / f"segmim_{number:05}.jpg",) * (task == "Segmentation")
        image = root / "jpg" / f"image_{number:05}.jpg"
        yield image, *segments, np.uint32(labels[number - 1] - 1)


_PLACES = ("notredame", "yosemite", "liberty")
_PATCH, _IN_ROW = 64, 16


@listed(
    {"train": "image", "test": "image1 image2 matches"},
    ARRAYS,
    name=(*_PLACES, *(f"{place}_harris" for place in _PLACES)),
    usage=("train", "test"),
)
def PhotoTourDataset(dataset_dir: Word, name: Word, usage: str | None = None) -> Rows:
    """PhotoTour: ``image``, uint8 (64, 64, 1); or two, and ``matches``, whether of one point.

    Args:
        name: "notredame", "yosemite" or "liberty", each also with "_harris".
        usage: "train", the default, for images, or "test" for pairs.
    """
    root = Path(dataset_dir, name)
    sheets = [np.array(pillow().open(path).convert("L")) for path in files(root, "*.bmp")]
    patches = [
        sheet[top : top + _PATCH, left : left + _PATCH, None]
        for sheet in sheets
        for top in range(0, _PATCH * _IN_ROW, _PATCH)
        for left in range(0, _PATCH * _IN_ROW, _PATCH)
    ]
    if usage in (None, "train"):
        yield from ((patch,) for patch in patches[: len(lines(root / "info.txt"))])
    else:
        for line in lines(root / "m50_100000_100000_0.txt"):
            one, point, _, other, second, *_ = map(int, line.split())
            yield patches[one], patches[other], np.uint32(point == second)


@listed(
    "image task",
    IMAGES.replace(" cache", ""),
    task=("Boundaries", "Segmentation"),
    usage=("train", "val", "train_noval", "all"),
)
def SBDataset(dataset_dir: Word, task: str = "Boundaries", usage: str = "all") -> Rows:
    """Semantic Boundaries: ``image``, and ``task``, uint8: (20, H, W), a plane for each class.

    Args:
        task: "Boundaries", or "Segmentation": then (H, W), the class of each pixel.
    """
    root = Path(dataset_dir)
    for part in ("train", "val") if usage == "all" else (usage,):
        for name in (line.strip() for line in lines(root / f"{part}.txt")):
            yield root / "img" / f"{name}.jpg", partial(_of_classes, root / f"cls/{name}.mat", task)


def _of_classes(path: Path, task: str) -> np.ndarray:
    found = _mat(path)["GTcls"][task][0, 0]
    if task == "Segmentation":
        return found
    return np.stack([plane.toarray() for plane in found.ravel()])


@listed("image label", ARRAYS.replace(" cache", ""), usage=("train", "test", "extra", "all"))
def SVHNDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """SVHN: ``image``, uint8 (32, 32, 3), and ``label``, uint32."""
    for part in ("train", "test", "extra") if usage in (None, "all") else (usage,):
        data = _mat(Path(dataset_dir, f"{part}_32x32.mat"))
        labels = data["y"].ravel().astype(np.uint32) % 10
        yield from zip(data["X"].transpose(3, 0, 1, 2), labels, strict=True)


__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    name for name in list(globals()) if name.endswith("Dataset")
]
