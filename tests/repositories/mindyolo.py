"""Builds the smallest network of each family of mindyolo and trains it with its own loss.

Of families that have large networks only, one is made narrower.

Run from the root of the repository, under either library, with a checkout of mindyolo::

    python -m tests.repositories.mindyolo CHECKOUT --out numbers.json [--mode graph] [--only yolov5]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.repositories import running
from tests.repositories.running import trained

CONFIGURATIONS = {
    "yolov3": "yolov3/yolov3.yaml",
    "yolov4": "yolov4/yolov4.yaml",
    "yolov5": "yolov5/yolov5n.yaml",
    "yolov5-p6": "yolov5/yolov5n6.yaml",
    "yolov7": "yolov7/yolov7-tiny.yaml",
    "yolov7-aux": "yolov7/yolov7-w6.yaml",
    "yolov8": "yolov8/yolov8n.yaml",
    "yolov8-seg": "yolov8/seg/yolov8x-seg.yaml",
    "yolov9": "yolov9/yolov9-t.yaml",
    "yolov10": "yolov10/yolov10n.yaml",
    "yolov11": "yolov11/yolov11-n.yaml",
    "yolox": "yolox/yolox-nano.yaml",
}
SIZE = 64


def labels() -> np.ndarray[Any, Any]:
    """Return boxes (image, class, x, y, w, h) of two images, padded as the loader does it."""
    found = np.full((2, 8, 6), -1, np.float32)
    found[:, :, 0] = [[0], [1]]
    found[0, :3, 1:] = [[3, 0.5, 0.5, 0.6, 0.4], [7, 0.2, 0.3, 0.2, 0.3], [3, 0.7, 0.8, 0.3, 0.1]]
    found[1, :2, 1:] = [[0, 0.4, 0.6, 0.5, 0.7], [79, 0.8, 0.2, 0.15, 0.2]]
    return found


def numbers(path: str, mode: str) -> dict[str, Any]:
    """Return what a network gives for two images, and the losses of a few training steps."""
    from mindspore import Tensor
    from mindyolo.models import create_loss, create_model
    from mindyolo.utils.config import Config, load_config

    config = Config(load_config(path)[0])
    if max(config.network.depth_multiple, config.network.width_multiple) >= 1:
        config.network.depth_multiple, config.network.width_multiple = 0.33, 0.125
    net = create_model(config.network.model_name, config.network, num_classes=config.data.nc)
    running.fill(net)
    loss_fn = create_loss(
        **config.loss,
        anchors=config.network.get("anchors", 1),
        stride=config.network.stride,
        nc=config.data.nc,
    )
    generator = np.random.default_rng(0)
    # The head of v10 takes the best 300 places, the loss of masks 600.
    size = SIZE * (2 if "yolov10" in path else 3 if "seg" in path else 1)
    x = Tensor(generator.random((2, 3, size, size)).astype(np.float32))
    inputs = [x, Tensor(labels())]
    if "seg" in path:
        masks = generator.integers(0, 4, (2, size // 4, size // 4)).astype(np.float32)
        inputs.append(Tensor(masks))
    net.set_train(False)
    forward = running.described(net(x))
    running.train_surely(net)
    loss_fn.set_train(True)

    said: list[str] = []

    def own_loss(x: Any, *labels: Any) -> Any:
        return loss_fn(net(x), *(labels if len(labels) == 2 else (*labels, x)))[0]

    def plain_loss(x: Any, *labels: Any) -> Any:
        return sum((one**2).mean() for one in running.flat(net(x)))

    for loss, rate in ((own_loss, 1e-5), (own_loss, 1e-5), (plain_loss, 1e-3)):
        try:
            loss(*inputs)
        except (AttributeError, TypeError, ValueError) as error:
            # Written for MindSpore 2.3: in 2.10 most of the losses fail, many at this method alone.
            said.append(f"{type(error).__name__}: {error}".split("\n")[0][:120])
            axis_in_max(Tensor)
        else:
            return {**forward, "loss raises": said, **trained(net, loss, inputs, mode, rate)}
    raise RuntimeError(said)


def axis_in_max(tensor: Any) -> None:
    """Give `Tensor.max` the meaning of MindSpore 2.3: what is given by position is an axis."""
    of_today = tensor.max

    def of_then(self: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return of_today(self, axis=axis, keepdims=keepdims)

    if of_today.__name__ != "of_then":
        tensor.max = of_then


def main() -> None:
    args = running.arguments(__doc__)
    running.stand_in("cv2", "pycocotools", "pycocotools.coco")
    folder = args.checkout / "configs"

    def build(name: str) -> dict[str, Any]:
        return numbers(str(folder / CONFIGURATIONS[name]), args.mode)

    running.run_each(args, CONFIGURATIONS, build)


if __name__ == "__main__":
    main()
