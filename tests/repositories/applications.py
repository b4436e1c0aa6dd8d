"""Builds networks of mindspore-courses/applications, each of its own project, and trains them.

Run from the root of the repository, under either library, with a checkout of the applications::

    python -m tests.repositories.applications CHECKOUT --out numbers.json [--only gan]
"""

from __future__ import annotations

import importlib
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.repositories import running

# The folder that its modules are imported from, the module, the class, and what it takes.
Made = tuple[str, str, str, dict[str, Any]]
BERT = Namespace(
    vocab_size=100,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=64,
    hidden_act="gelu",
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
    max_position_embeddings=32,
    type_vocab_size=2,
    initializer_range=0.02,
)
GPT = {"vocab_size": 50, "n_embd": 32, "n_layer": 2, "n_head": 4, "block_size": 16}


def image(size: int, channels: int = 3, batch: int = 2) -> np.ndarray[Any, Any]:
    return drawn.standard_normal((batch, channels, size, size)).astype(np.float32)


def words(*shape: int, most: int = 50) -> np.ndarray[Any, Any]:
    return drawn.integers(1, most, shape).astype(np.int32)


def mask(*shape: int) -> np.ndarray[Any, Any]:
    return (drawn.random(shape) > 0.6).astype(np.float32)


def pages() -> list[Any]:
    """Return dialogues of duconv: words, segments, positions, knowledge and its lengths, labels."""
    places = np.tile(np.arange(12, dtype=np.int32), (2, 1))
    lengths, labels = np.array([10, 7], np.int32), np.array([[0], [1]], np.int32)
    return [words(2, 12), words(2, 12, most=2), places, words(2, 10), lengths, labels]


drawn = np.random.default_rng(0)
MODELS: dict[str, tuple[Made, Callable[[], list[Any]]]] = {
    "nerf": (
        (
            "nerf/src",
            "models.nerf_mlp",
            "NeRFMLP",
            {"cap_w": 32, "use_view_dirs": True, "skips": (4,)},
        ),
        lambda: [drawn.standard_normal((16, 6)).astype(np.float32)],
    ),
    "pix2pix": (
        (
            "pix2pix",
            "src.models.generator",
            "UNetGenerator",
            {"in_planes": 3, "out_planes": 3, "ngf": 8, "n_layers": 6},
        ),
        lambda: [image(64)],
    ),
    "cyclegan": (
        ("cyclegan/src", "models.generator", "ResNetGenerator", {"ngf": 8, "n_layers": 2}),
        lambda: [image(32)],
    ),
    "cyclegan-discriminator": (
        ("cyclegan/src", "models.discriminator", "Discriminator", {"ndf": 8}),
        lambda: [image(32)],
    ),
    "srgan": (
        ("srgan", "src.model.generator", "Generator", {"upscale_factor": 4}),
        lambda: [image(16)],
    ),
    "animeganv2": (
        ("animeganv2/src", "models.generator", "Generator", {"channels": 8}),
        lambda: [image(32)],
    ),
    "gan": (
        ("mindspore-GAN", "src.GAN_model", "Generator", {"latent_size": 100}),
        lambda: [drawn.standard_normal((4, 100)).astype(np.float32)],
    ),
    "ecg": (
        ("ecg", "src.model.ecg_cnn", "ECGCNNNet", {}),
        lambda: [drawn.standard_normal((2, 1, 3600)).astype(np.float32)],
    ),
    "colorization": (
        ("Colorization/src", "model.model", "ColorizationModel", {}),
        lambda: [image(16, channels=1)],
    ),
    "pwc_net": (("pwc_net", "src.pwc_net", "PWCNet", {}), lambda: [image(64), image(64)]),
    "ict": (
        (
            "ict/Transformer",
            "models.networks",
            "GPT",
            {**GPT, "use_gelu2": True},
        ),
        lambda: [words(2, 16), mask(2, 16)],
    ),
    "duconv": (
        ("DuConv_mindspore", "src.model", "RetrievalWithLoss", {"config": BERT, "use_kn": True}),
        pages,
    ),
    "cnnctc": (
        (
            "CNNCTC_MindSpore",
            "src.cnn_ctc",
            "CNNCTC_Model",
            {"num_class": 37, "hidden_size": 512, "final_feature_width": 26},
        ),
        lambda: [drawn.standard_normal((2, 3, 32, 100)).astype(np.float32)],
    ),
    "edsr": (
        ("CAR/src", "model.edsr", "EDSR", {"n_resblocks": 2, "n_feats": 16}),
        lambda: [image(16)],
    ),
    "car": (("CAR/src", "model.downsampler", "DSN", {"k_size": 13}), lambda: [image(64)]),
}


def made(checkout: Path, folder: str, module: str, name: str, options: dict[str, Any]) -> Any:
    """Return a network; each project calls its package `src` or `model`."""
    for known in [*sys.modules]:
        if known.split(".")[0] in ("src", "model", "models", "utils"):
            del sys.modules[known]
    sys.path[0] = str(checkout / folder)
    return getattr(importlib.import_module(module), name)(**options)


def main() -> None:
    args = running.arguments(__doc__)
    running.stand_in("cv2", "imageio", "PIL", "PIL.Image", "scipy.io")

    def build(name: str) -> dict[str, Any]:
        global drawn
        from mindspore import Tensor

        drawn = np.random.default_rng(0)
        what, make = MODELS[name]
        net = made(args.checkout, *what)
        running.fill(net)
        inputs = [Tensor(one) for one in make()]
        net.set_train(False)
        forward = running.described(net(*inputs))
        running.train_surely(net)

        def loss_of(*inputs: Any) -> Any:
            return sum((one**2).mean() for one in running.flat(net(*inputs)))

        return {**forward, **running.trained(net, loss_of, inputs, args.mode)}

    running.run_each(args, MODELS, build)


if __name__ == "__main__":
    main()
