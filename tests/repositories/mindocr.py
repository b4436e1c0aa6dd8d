"""Builds models of mindocr from its configurations and trains them with their own losses.

Run from the root of the repository, under either library, with a checkout of mindocr (which needs
the package `addict`)::

    python -m tests.repositories.mindocr CHECKOUT --out numbers.json [--mode graph] [--only crnn]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.repositories import running

# Packages that only its data pipelines and metrics use.
UNUSED = """
    cv2 shapely shapely.geometry pyclipper lmdb rapidfuzz rapidfuzz.distance lanms seqeval
    seqeval.metrics matplotlib matplotlib.pyplot pycocotools pycocotools.coco pycocotools.cocoeval
    sklearn sklearn.metrics requests sentencepiece huggingface_hub huggingface_hub.utils
    scipy.io PIL
"""
# Those of MindSpore that 2.10 dropped, without which mindocr is not imported. Its abinet is made of
# them, and is left out here (it does not run either: it takes a shape of three for one of two).
DROPPED = """
    mindspore.parallel._transformer mindspore.parallel._transformer.layers
    mindspore.parallel._transformer.moe mindspore.parallel._transformer.op_parallel_config
    mindspore.parallel._transformer.transformer
"""


def image(height: int, width: int) -> np.ndarray[Any, Any]:
    return drawn.standard_normal((2, 3, height, width)).astype(np.float32)


def mask(*shape: int) -> np.ndarray[Any, Any]:
    return (drawn.random((2, *shape)) > 0.6).astype(np.float32)


def text(length: int, classes: int = 30, padding: int = 0) -> np.ndarray[Any, Any]:
    """Return two texts of 5 and 8 characters, padded."""
    found = drawn.integers(1, classes, (2, length)).astype(np.int32)
    return np.where(np.arange(length) < np.array([[5], [8]]), found, padding).astype(np.int32)


def binary_maps(size: int) -> list[Any]:
    maps = [mask(1, size, size), mask(size, size), mask(size, size), mask(size, size)]
    return [image(size, size), *maps]


def document() -> list[Any]:
    """Return the words of two pages, their boxes, which of them count, and their types."""
    corners = np.sort(drawn.integers(0, 1000, (2, 40, 2, 2)), 2).reshape(2, 40, 4)
    counts = np.arange(40) < np.array([[40], [25]])
    words = drawn.integers(5, 1000, (2, 40))
    return [words, corners, counts.astype(np.int64), np.zeros((2, 40), np.int64)]


def boxes() -> np.ndarray[Any, Any]:
    """Return boxes (image, class, x, y, w, h), padded as the loader does it."""
    found = np.full((2, 6, 6), -1, np.float32)
    found[:, :, 0] = [[0], [1]]
    found[0, :2, 1:] = [[3, 0.5, 0.5, 0.6, 0.4], [1, 0.2, 0.3, 0.2, 0.3]]
    found[1, :1, 1:] = [[0, 0.4, 0.6, 0.5, 0.7]]
    return found


drawn = np.random.default_rng(0)
# A configuration, and what its data set would yield (two of each).
MODELS: dict[str, tuple[str, Any]] = {
    "dbnet": ("det/dbnet/db_r18_icdar15", lambda: binary_maps(64)),
    "dbnet-mobilenet": ("det/dbnet/db_mobilenetv3_icdar15", lambda: binary_maps(64)),
    "dbnet++": ("det/dbnet/dbpp_r50_icdar15", lambda: binary_maps(64)),
    "psenet": (
        "det/psenet/pse_mv3_icdar15",
        lambda: [image(64, 64), mask(64, 64), mask(6, 64, 64), mask(64, 64)],
    ),
    "east": (
        "det/east/east_mobilenetv3_icdar15",
        lambda: [image(64, 64), mask(1, 16, 16), mask(5, 16, 16), mask(1, 16, 16)],
    ),
    "cls": ("cls/mobilenetv3/cls_mv3", lambda: [image(48, 192), np.array([0, 1], np.int32)]),
    "crnn-vgg": ("rec/crnn/crnn_vgg7", lambda: [image(32, 100), text(23, padding=36)]),
    "crnn-resnet": ("rec/crnn/crnn_resnet34", lambda: [image(32, 100), text(24, padding=36)]),
    "rare": ("rec/rare/rare_resnet34", lambda: [image(32, 100), text(27)]),
    "svtr": ("rec/svtr/svtr_tiny", lambda: [image(64, 256), text(24, padding=36)]),
    "svtr-lcnet": (
        "rec/svtr/svtr_ppocrv3_ch",
        lambda: [
            image(48, 320),
            text(25),
            text(25),
            np.array([5, 8], np.int32),
            np.array([1.0, 0.7], np.float32),
            np.ones((2, 1, 40), np.float32),
        ],
    ),
    "master": ("rec/master/master_resnet31", lambda: [image(48, 160), text(32)]),
    "robustscanner": (
        "rec/robustscanner/robustscanner_resnet31",
        lambda: [
            image(48, 160),
            text(40),
            np.ones((2, 1, 40), np.float32),
            np.tile(np.arange(40, dtype=np.int64), (2, 1)),
        ],
    ),
    "visionlan": (
        "rec/visionlan/visionlan_resnet45_LA",
        lambda: [
            image(64, 256),
            text(26),
            text(26),
            text(26),
            np.array([1, 2], np.int32),
            np.array([5, 8], np.int32),
        ],
    ),
    "layout": ("layout/yolov8/yolov8n", lambda: [image(64, 64), boxes()]),
    "layoutxlm-ser": (
        "kie/vi_layoutxlm/ser_vi_layoutxlm_xfund_zh",
        lambda: [*document(), image(8, 8), drawn.integers(0, 7, (2, 40))],
    ),
    "layoutxlm-re": (
        "kie/vi_layoutxlm/re_vi_layoutxlm_xfund_zh",
        lambda: [
            *document(),
            *(drawn.integers(0, most, (2, 16)) for most in (40, 3, 40, 3)),
            image(8, 8),
            drawn.integers(0, 2, (2, 16)),
        ],
    ),
    "table": (
        "table/table_master",
        lambda: [
            image(96, 96),
            text(501, 38).astype(np.int64),
            drawn.random((2, 501, 4)).astype(np.float32),
            np.ones((2, 501, 1), np.float32),
        ],
    ),
}


def numbers(path: str, arrays: list[Any], mode: str) -> dict[str, Any]:
    """Return what a model gives, and the losses of a few training steps."""
    import yaml
    from mindocr.losses import build_loss
    from mindocr.models import build_model
    from mindocr.utils.model_wrapper import NetWithLossWrapper
    from mindspore import Tensor

    with open(path) as file:
        config = yaml.safe_load(file)
    for part in ("backbone", "head"):
        if "use_float16" in config["model"][part]:
            config["model"][part]["use_float16"] = False
    config["model"]["backbone"]["pretrained"] = False
    if "batch_size" in config["loss"]:
        config["loss"]["batch_size"] = 2
    net = build_model(config["model"])
    running.fill(net)
    loss = build_loss(**config["loss"])
    data = config["train"]["dataset"]
    inputs = [Tensor(one) for one in arrays]
    net.set_train(False)
    into_net = data.get("net_input_column_index", [0])
    try:
        forward = running.described(net(*(inputs[i] for i in into_net)))
    except Exception:  # a few take something else where they do not train
        net.set_train(True)
        forward = running.described(net(*(inputs[i] for i in into_net)))
    running.train_surely(net)
    with_loss = NetWithLossWrapper(net, loss, False, into_net, data.get("label_column_index"))

    def plain_loss(*inputs: Any) -> Any:
        found = running.flat(net(*(inputs[i] for i in into_net)))
        return sum((one**2).mean() for one in found)

    try:
        with_loss(*inputs).asnumpy()
    except Exception as error:
        # Written for MindSpore 2.3 on Ascend: a loss may fail; the network is trained all the same.
        said = {"loss raises": f"{type(error).__name__}: {error}".split("\n")[0][:200]}
        return {**forward, **said, **running.trained(net, plain_loss, inputs, mode)}
    return {**forward, **running.trained(net, with_loss, inputs, mode, rate=1e-4)}


def narrower() -> None:
    """Give layoutxlm two layers and 1000 words; it has 12, and 250002."""
    from mindocr.models.backbones.layoutxlm.configuration import LayoutXLMPretrainedConfig

    whole = LayoutXLMPretrainedConfig.__init__

    def less(self: Any, *args: Any, **kwargs: Any) -> None:
        whole(self, *args, **kwargs)
        self.vocab_size, self.num_hidden_layers = 1000, 2

    LayoutXLMPretrainedConfig.__init__ = less


def main() -> None:
    args = running.arguments(__doc__)
    running.stand_in(*UNUSED.split())
    running.stand_in(*DROPPED.split(), although_there=True)
    folder = args.checkout / "configs"
    narrower()

    def build(name: str) -> dict[str, Any]:
        global drawn
        drawn = np.random.default_rng(0)
        path, make = MODELS[name]
        return numbers(str(folder / f"{path}.yaml"), make(), args.mode)

    running.run_each(args, list(args.only or MODELS), build)


if __name__ == "__main__":
    main()
