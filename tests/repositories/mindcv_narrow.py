"""Builds the large families of mindcv narrower and shallower, and trains them as mindcv.py does.

Run from the root of the repository, under either library, with a checkout of mindcv::

    python -m tests.repositories.mindcv_narrow CHECKOUT --out numbers.json [--only coat ...]

What their files compute is all there; at full size some take minutes a step. volo is left out: the
real MindSpore has no `ExtractImagePatches` on its CPU.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any
from unittest import mock

from tests.repositories import running
from tests.repositories.mindcv import numbers


def _of(module: str) -> Any:
    return importlib.import_module(f"mindcv.models.{module}")


def _coat(widths: list[int], parallel_depth: int) -> Any:
    return _of("coat").CoaT(
        image_size=64,
        num_classes=10,
        embed_dims=widths,
        serial_depths=[1] * 4,
        parallel_depth=parallel_depth,
        num_heads=8,
        mlp_ratios=[2] * 4,
    )


def _hrnet() -> Any:
    hrnet = _of("hrnet")
    create = hrnet._create_hrnet

    def narrower(pretrained: bool = False, **given: Any) -> Any:
        for name, stage in given["stage_cfg"].items():
            stage.update(num_blocks=[1] * len(stage["num_blocks"]), num_modules=1)
            if name != "stage1":
                stage["num_channels"] = [width // 2 for width in stage["num_channels"]]
        return create(pretrained, **given)

    with mock.patch.object(hrnet, "_create_hrnet", narrower):
        return hrnet.hrnet_w32(num_classes=10)


def _mae() -> Any:
    mae = _of("mae")
    norm = functools.partial(mae.nn.LayerNorm, epsilon=1e-6)
    return mae.VisionTransformer(
        image_size=64,
        embed_dim=96,
        depth=2,
        num_heads=4,
        global_pool="avg",
        norm_layer=norm,
        num_classes=10,
    )


def _repmlp() -> Any:
    return _of("repmlp").RepMLPNet(
        in_channels=3,
        num_class=10,
        channels=(16, 32, 64, 128),
        hs=(16, 8, 4, 2),
        ws=(16, 8, 4, 2),
        num_blocks=(1, 1, 1, 1),
        reparam_conv_k=(1, 3),
        sharesets_nums=(1, 4, 16, 16),
        deploy=False,
    )


def _swin() -> Any:
    return _of("swintransformerv2").SwinTransformerV2(
        image_size=128,
        num_classes=10,
        window_size=4,
        embed_dim=24,
        depths=[2] * 4,
        num_heads=[1, 2, 4, 8],
    )


def _vgg() -> Any:
    vgg = _of("vgg")
    widths = {"vgg11": [16, "M", 32, "M", 64, "M", 64, "M", 512, "M"]}

    class Narrow(vgg.nn.Dense):
        def __init__(self, before: int, after: int) -> None:
            super().__init__(*(64 if width == 4096 else width for width in (before, after)))

    with mock.patch.dict(vgg.cfgs, widths), mock.patch.object(vgg.nn, "Dense", Narrow):
        return vgg.vgg11(num_classes=10)


# A network, and the size of an image that it takes.
MODELS: dict[str, tuple[Callable[[], Any], int]] = {
    "coat": (lambda: _coat([16, 32, 64, 80], 0), 64),
    "coat-parallel": (lambda: _coat([32] * 4, 1), 64),
    "hrnet": (_hrnet, 64),
    "inceptionv3": (lambda: _of("inceptionv3").inception_v3(num_classes=10), 299),
    "inceptionv4": (lambda: _of("inceptionv4").inception_v4(num_classes=10), 96),
    "mae": (_mae, 64),
    "repmlp": (_repmlp, 64),
    "swintransformerv2": (_swin, 128),
    "vgg": (_vgg, 224),
}


def main() -> None:
    args = running.arguments(__doc__)

    def build(name: str) -> dict[str, Any]:
        make, size = MODELS[name]
        return numbers(make(), size, args.mode)

    running.run_each(args, list(args.only or MODELS), build)


if __name__ == "__main__":
    main()
