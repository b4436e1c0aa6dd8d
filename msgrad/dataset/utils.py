"""``mindspore.dataset.utils``: boxes drawn on an image, and the lines of a file by number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset._arguments import an_int
from msgrad.dataset.vision._arrays import opencv

# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []


class LineReader:
    """The lines of a file, each read when it is asked for.

    Args:
        filename: str, path of the file.

    Raises:
        TypeError: If it is no str.
        RuntimeError: If there is no such file.
    """

    def __init__(self, filename: str) -> None:
        if not isinstance(filename, str):
            raise ArgumentTypeError(f"path: {filename} is not string")
        if not Path(filename).is_file():
            raise EngineError(f"The input file [{filename}] does not exist.")
        self.filename, self._places = filename, [0]
        with open(filename, "rb") as file:
            for line in file:
                self._places.append(self._places[-1] + len(line))

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self._places) - 1

    def readline(self, line: int) -> str:
        """Return a line without its end; the first is 1.

        Raises:
            TypeError, ValueError: If there is no such line.
        """
        an_int("line", line, 1, len(self))
        begin, end = self._places[line - 1 : line + 1]
        with open(self.filename, "rb") as file:
            file.seek(begin)
            return file.read(end - begin).decode().rstrip("\r\n")

    __getitem__ = readline

    def close(self) -> None:
        """Accepted for compatibility: between two lines the file is closed."""

    len = __len__


def imshow_det_bbox(
    image: np.ndarray,
    bboxes: np.ndarray,
    labels: np.ndarray,
    segm: np.ndarray | None = None,
    class_names: Any = None,
    score_threshold: float = 0,
    bbox_color: tuple[int, int, int] = (0, 255, 0),
    text_color: tuple[int, int, int] = (203, 192, 255),
    mask_color: tuple[int, int, int] = (128, 0, 128),
    thickness: int = 2,
    font_size: float = 0.8,
    show: bool = True,
    win_name: str = "win",
    wait_time: int = 2000,
    out_file: str | None = None,
) -> np.ndarray:
    """Draw boxes, with the names of their classes, and masks on an image.

    Args:
        image: (H, W, 3) or (3, H, W), red, green, blue.
        bboxes: (N, 4) or (N, 5), left, top, width, height, and a score.
        labels: (N, 1) of int.
        segm: (M, H, W), a mask for each box, or None.
        class_names: list, tuple or dict, names of the labels.
        score_threshold: Boxes of a lower score are left out.
        bbox_color, text_color, mask_color: (blue, green, red).
        thickness: int, of lines.
        font_size: float, of texts.
        show: Whether a window shows it, for ``wait_time`` milliseconds; OpenCV must have windows.
        win_name: str, its title.
        wait_time: int.
        out_file: Path of the file that it is written to; needed without a window.

    Returns:
        (H, W, 3), blue, green, red.

    Raises:
        AssertionError: For arguments that are not accepted.
    """
    arrays = isinstance(image, np.ndarray) and image.ndim == 3 and 3 in (image.shape[::2])
    _must(arrays, "image must be a ndarray in (H, W, C) or (C, H, W) format.")
    boxed = isinstance(bboxes, np.ndarray) and bboxes.ndim == 2 and bboxes.shape[1] in (4, 5)
    _must(boxed, "bboxes must be a ndarray in (N, 4) or (N, 5) format.")
    named = isinstance(labels, np.ndarray) and labels.shape == (len(bboxes), 1)
    _must(named, "labels must be a ndarray in (N, 1) format and has same N with bboxes.")
    if segm is not None:
        masks = isinstance(segm, np.ndarray) and segm.ndim == 3
        _must(masks, "segm must be a ndarray in (M, H, W) format.")
        enough = len(segm) >= len(bboxes)
        _must(enough, "number of segm masks must not be less than the number of bboxes.")
    names = isinstance(class_names, (list, tuple, dict))
    _must(names, "class_names must be a list, tuple or dict.")
    colors = {"bbox_color": bbox_color, "text_color": text_color, "mask_color": mask_color}
    for name, color in colors.items():
        three = isinstance(color, tuple) and len(color) == 3
        _must(three, f"{name} must be a three tuple, formatted (B, G, R).")
    for name, size in (
        ("thickness", thickness),
        ("font_size", font_size),
        ("wait_time", wait_time),
    ):
        _must(size >= 0, f"{name} must be larger than or equal to zero.")
    _must(isinstance(win_name, str), "win_name must be a str.")
    _must(out_file is None or isinstance(out_file, str), "out_file must be a str.")
    _must(show or out_file is not None, "out_file must be a str where nothing is shown.")

    cv2 = opencv()
    planes = image if image.shape[2] == 3 else image.transpose(1, 2, 0)
    drawn = np.ascontiguousarray(planes[..., ::-1])
    for i, (box, label) in enumerate(zip(bboxes, labels[:, 0], strict=True)):
        score = box[4] if len(box) == 5 else None
        if score is not None and score < score_threshold:
            continue
        x, y, right, low = (int(n) for n in (*box[:2], box[0] + box[2], box[1] + box[3]))
        drawn = cv2.rectangle(drawn, (x, y), (right, low), bbox_color, thickness)
        known = label in class_names if isinstance(class_names, dict) else label < len(class_names)
        text = str(class_names[label]) if known else f"class {label}"
        text += "" if score is None else f"|{score:.2f}"
        drawn = cv2.putText(
            drawn, text, (x, low), cv2.FONT_HERSHEY_SIMPLEX, font_size, text_color, thickness
        )
        if segm is not None:
            inside = segm[i].astype(bool)
            drawn[inside] = drawn[inside] * 0.5 + np.array(mask_color) * 0.5
    if out_file is not None:
        # A folder that is not there is an error, which OpenCV passes over.
        Path(out_file).touch()
        cv2.imwrite(out_file, drawn)
    if show:
        cv2.imshow(win_name, drawn)
        cv2.waitKey(wait_time)
    return drawn


def _must(holds: bool, text: str) -> None:
    if not holds:
        raise AssertionError(text)


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
