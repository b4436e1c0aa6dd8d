"""Builds one model of each file of mindcv/models and trains it for a few steps; prints the numbers.

Run from the root of the repository, under either library, with a checkout of mindcv::

    python -m tests.repositories.mindcv CHECKOUT --out numbers.json [--mode graph] [--only vit ...]

Weights do not come from initializers but from NumPy, by the parameter's name, so that both
libraries start from the same ones; of a file's models the one with the fewest parameters is taken.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np

STEPS = 3
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
    "inceptionv3": ("inception_v3", 128),
    "inceptionv4": ("inception_v4", 128),
    "mae": ("mae_b_16_224_finetune", 224),
    "mixnet": ("mixnet_s", 64),
    "mlpmixer": ("mlp_mixer_s_p32", 224),
    "mnasnet": ("mnasnet_050", 64),
    "mobilenetv1": ("mobilenet_v1_025", 64),
    "mobilenetv2": ("mobilenet_v2_035_96", 96),
    "mobilenetv3": ("mobilenet_v3_small_075", 64),
    "mobilevit": ("mobilevit_xx_small", 64),
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
    "vgg": ("vgg11", 64),
    "visformer": ("visformer_tiny", 224),
    "vit": ("vit_b_32_224", 224),
    "volo": ("volo_d1", 224),
    "xception": ("xception", 128),
    "xcit": ("xcit_tiny_12_p16_224", 224),
}


def fill(net: Any) -> None:
    """Set all weights from NumPy: small ones, and norms near the identity."""
    from mindspore import Tensor

    for name, weight in net.parameters_and_names():
        generator = np.random.default_rng(zlib.crc32(name.encode()))
        drawn = generator.standard_normal(weight.shape)
        if name.endswith(("moving_variance", "gamma")) or weight.ndim == 0:
            value = 1 + 0.05 * np.abs(drawn)
        elif weight.ndim == 1:
            value = 0.02 * drawn
        else:
            value = drawn / np.sqrt(np.prod(weight.shape[1:]))
        weight.set_data(Tensor(value.astype(np.float32), weight.dtype))


def numbers(net: Any, size: int, mode: str) -> dict[str, Any]:
    """Return the forward output's sum and spread, and the losses of a few training steps."""
    import mindspore as ms
    from mindspore import Tensor, nn, ops

    fill(net)
    generator = np.random.default_rng(0)
    x = Tensor(generator.standard_normal((2, 3, size, size)).astype(np.float32))
    y = Tensor(np.array([1, 3], np.int32))
    net.set_train(False)
    out = net(x)
    out = (out[0] if isinstance(out, (tuple, list)) else out).asnumpy()
    net.set_train(True)
    optimizer = nn.SGD(net.trainable_params(), 1e-3)

    def loss_of(x: Any, y: Any) -> Any:
        out = net(x)
        parts = out if isinstance(out, (tuple, list)) else (out,)
        return sum(ops.cross_entropy(one.astype(ms.float32), y) for one in parts if one.ndim == 2)

    gradient = ms.value_and_grad(loss_of, None, optimizer.parameters)

    def step(x: Any, y: Any) -> Any:
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    run = ms.jit(step) if mode == "graph" else step
    losses, seconds = [], []
    for _ in range(STEPS):
        start = time.perf_counter()
        losses.append(float(run(x, y)))
        seconds.append(round(time.perf_counter() - start, 3))
    return {"sum": float(out.sum()), "spread": float(out.std()), "losses": losses, "s": seconds}


def without_chance(net: Any) -> Any:
    """Return the network with no dropout or stochastic depth: each library draws its own."""
    for _, cell in net.cells_and_names():
        for name in ("keep_prob", "p", "drop_prob"):
            if "rop" in type(cell).__name__ and hasattr(cell, name):
                setattr(cell, name, 1.0 if name == "keep_prob" else 0.0)
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--mode", choices=("pynative", "graph"), default="pynative")
    parser.add_argument("--only", nargs="*")
    args = parser.parse_args()
    sys.path.insert(0, str(args.checkout))
    if not importlib.util.find_spec("mindspore"):
        import msgrad

        msgrad.install()
    import mindcv.models  # noqa: F401  (registers them)
    from mindcv.models.registry import model_entrypoint

    found: dict[str, Any] = json.loads(args.out.read_text()) if args.out.exists() else {}
    for module, (model, size) in MODELS.items():
        if module in found or (args.only and module not in args.only):
            continue
        start = time.perf_counter()
        try:
            result = numbers(without_chance(model_entrypoint(model)()), size, args.mode)
        except Exception as error:
            result = {"raises": f"{type(error).__name__}: {error}"[:400]}
        found[module] = {**result, "all_s": round(time.perf_counter() - start, 1)}
        args.out.write_text(json.dumps(found, indent=1))
        print(module, found[module], flush=True)


if __name__ == "__main__":
    main()
