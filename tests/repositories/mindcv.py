"""Builds one model of each file of mindcv/models and trains it for a few steps; prints the numbers.

Run from the root of the repository, under either library, with a checkout of mindcv::

    python -m tests.repositories.mindcv CHECKOUT --out numbers.json [--mode graph] [--only vit ...]

Weights do not come from initializers but from NumPy, by the parameter's name, so that both
libraries start from the same ones; of a file's models the one with the fewest parameters is taken.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.repositories import running

# The smallest model of each file, and the size of an image that it takes.
MODELS = {
    "bit": ("BiT_resnet50", 64),
    "cait": ("cait_xxs24_224", 224),
    "cmt": ("cmt_tiny", 160),
    "coat": ("coat_lite_tiny", 224),
    "convit": ("convit_tiny", 224),
    "convnext": ("convnextv2_atto", 64),
    "crossvit": ("crossvit_9", 240),
    "densenet": ("densenet121", 64),
    "dpn": ("dpn92", 64),
    "edgenext": ("edgenext_xx_small", 64),
    "efficientnet": ("efficientnet_b0", 64),
    "ghostnet": ("ghostnet_050", 64),
    "googlenet": ("googlenet", 64),
    "halonet": ("halonet_50t", 256),
    "hrnet": ("hrnet_w32", 64),
    "inceptionv3": ("inception_v3", 299),
    "inceptionv4": ("inception_v4", 128),
    "mae": ("mae_b_16_224_finetune", 224),
    "mixnet": ("mixnet_s", 64),
    "mlpmixer": ("mlp_mixer_s_p32", 224),
    "mnasnet": ("mnasnet_050", 64),
    "mobilenetv1": ("mobilenet_v1_025", 64),
    "mobilenetv2": ("mobilenet_v2_035_96", 96),
    "mobilenetv3": ("mobilenet_v3_small_075", 64),
    # 2.10's softmax has a wrong gradient after one over a single value, as images of 64 lead to.
    "mobilevit": ("mobilevit_xx_small", 128),
    "nasnet": ("nasnet_a_4x1056", 64),
    "pit": ("pit_ti", 224),
    "pnasnet": ("pnasnet", 64),
    "poolformer": ("poolformer_s12", 64),
    "pvt": ("pvt_tiny", 224),
    "pvtv2": ("pvt_v2_b0", 64),
    "regnet": ("regnet_x_200mf", 64),
    "repmlp": ("repmlp_t224", 224),
    "repvgg": ("repvgg_a0", 64),
    "res2net": ("res2net50", 64),
    "resnest": ("resnest14", 64),
    "resnet": ("resnet18", 64),
    "resnetv2": ("resnetv2_50", 64),
    "rexnet": ("rexnet_09", 64),
    "senet": ("seresnet18", 64),
    "shufflenetv1": ("shufflenet_v1_g3_05", 64),
    "shufflenetv2": ("shufflenet_v2_x0_5", 64),
    "sknet": ("skresnet18", 64),
    "squeezenet": ("squeezenet1_1", 64),
    "swintransformer": ("swin_tiny", 224),
    "swintransformerv2": ("swinv2_tiny_window8", 256),
    "vgg": ("vgg11", 224),
    "visformer": ("visformer_tiny", 224),
    "vit": ("vit_b_32_224", 224),
    "volo": ("volo_d1", 224),
    "xception": ("xception", 128),
    "xcit": ("xcit_tiny_12_p16_224", 224),
}


def numbers(net: Any, size: int, mode: str) -> dict[str, Any]:
    """Return what the network gives for two images, and the losses of a few training steps."""
    import mindspore as ms
    from mindspore import Tensor, ops

    running.fill(net)
    generator = np.random.default_rng(0)
    x = Tensor(generator.standard_normal((2, 3, size, size)).astype(np.float32))
    y = Tensor(np.array([1, 3], np.int32))
    net.set_train(False)
    out = net(x)
    forward = running.described(out[0] if isinstance(out, (tuple, list)) else out)
    scale = 2.0 ** max(0, round(math.log2(forward["spread"])))
    running.train_surely(net)

    def loss_of(x: Any, y: Any) -> Any:
        out = net(x)
        parts = out if isinstance(out, (tuple, list)) else (out,)
        logits = [one.astype(ms.float32) / scale for one in parts if one.ndim == 2]
        return sum(ops.cross_entropy(one, y) for one in logits)

    return {**forward, **running.trained(net, loss_of, (x, y), mode)}


def main() -> None:
    args = running.arguments(__doc__)
    import mindcv.models  # noqa: F401  (registers them)
    from mindcv.models.registry import model_entrypoint

    def build(module: str) -> dict[str, Any]:
        model, size = MODELS[module]
        return numbers(model_entrypoint(model)(), size, args.mode)

    running.run_each(args, list(args.only or MODELS), build)


if __name__ == "__main__":
    main()
