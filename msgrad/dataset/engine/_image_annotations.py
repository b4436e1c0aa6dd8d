"""Datasets of images that are described by XML, JSON, MATLAB's files or other images."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from msgrad._core.declared import Word
from msgrad.dataset.engine._listed import ARRAYS, IMAGES, Rows, files, folders, lines, listed
from msgrad.dataset.vision.utils import pillow

_TAIL = "num_shards shard_id cache extra_metadata decrypt"
_VOC = {"Segmentation": "image target", "Detection": "image bbox label difficult truncate"}


@listed(_VOC, f"num_samples num_parallel_workers shuffle decode sampler {_TAIL}", task=_VOC)
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


@listed("image caption", IMAGES)
def SBUDataset(dataset_dir: Word) -> Rows:
    """SBU: ``image``, and ``caption``, a text; of the addresses those whose image is there."""
    root = Path(dataset_dir)
    urls, captions = (lines(root / f"SBU_captioned_photo_dataset_{n}.txt") for n in _SBU)
    for url, caption in zip(urls, captions, strict=False):
        image = root / "sbu_images" / "_".join(["m", *url.strip().split("/")[-2:]])
        if image.is_file():
            yield image, caption.rstrip()


_SBU = ("urls", "captions")
__all__ = [name for name in list(globals()) if name.endswith("Dataset")]
