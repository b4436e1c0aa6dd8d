"""Boxes drawn on an image, as 2.10 draws them where OpenCV is beside it."""

from __future__ import annotations

import numpy as np
import pytest

from msgrad.dataset.utils import imshow_det_bbox

IMAGE = np.full((40, 60, 3), 7, np.uint8)
BOXES = np.array([[2, 3, 10, 12, 0.9], [5, 25, 28, 9, 0.3]])
LABELS = np.array([[1], [0]])
MASKS = np.zeros((2, 40, 60), np.uint8)
MASKS[0, 4:8, 4:8] = 1


@pytest.fixture
def draw(tmp_path):
    def drawn(image=IMAGE, boxes=BOXES, labels=LABELS, segm=None, **options):
        given = {"class_names": ["a", "b"], "show": False, "out_file": str(tmp_path / "o.png")}
        return imshow_det_bbox(image, boxes, labels, segm, **(given | options))

    return drawn


@pytest.mark.parametrize(
    ("arguments", "total"),
    [
        ({}, 599157),
        ({"score_threshold": 0.5}, 327581),
        ({"boxes": BOXES[:, :4]}, 250777),
        ({"segm": MASKS}, 596303),
        ({"segm": MASKS, "mask_color": (200, 10, 20)}, 596095),
        ({"class_names": {0: "p", 1: "q"}}, 613609),
        ({"class_names": ["a"]}, 603384),
        ({"image": IMAGE.transpose(2, 0, 1)}, 599157),
        (
            {
                "thickness": 1,
                "font_size": 0.5,
                "bbox_color": (1, 2, 3),
                "text_color": (4, 5, 6),
            },
            47367,
        ),
        ({"boxes": BOXES + 0.6}, 589853),
        ({"boxes": BOXES[:0], "labels": LABELS[:0]}, 50400),
    ],
)
def test_total_of_what_is_drawn(draw, tmp_path, arguments, total):
    found = draw(**arguments)
    assert (found.shape, found.dtype, int(found.sum())) == ((40, 60, 3), np.uint8, total)
    assert (tmp_path / "o.png").stat().st_size
    assert (IMAGE == 7).all()


def test_colours_are_the_other_way_round(draw):
    image = IMAGE * np.array([1, 2, 3], np.uint8)
    assert draw(image, BOXES[:0], LABELS[:0])[0, 0].tolist() == [21, 14, 7]


@pytest.mark.parametrize(
    "arguments",
    [
        {"image": "a.png"},
        {"boxes": BOXES.tolist()},
        {"labels": LABELS[:, 0]},
        {"labels": LABELS[:1]},
        {"segm": MASKS[:1]},
        {"segm": MASKS[0]},
        {"class_names": None},
        {"bbox_color": (1, 2)},
        {"text_color": [1, 2, 3]},
        {"thickness": -1},
        {"font_size": -1},
        {"wait_time": -1},
        {"win_name": 3},
        {"out_file": 3},
        {"out_file": None},
    ],
)
def test_arguments_that_are_not_accepted(draw, arguments):
    with pytest.raises(AssertionError):
        draw(**arguments)
