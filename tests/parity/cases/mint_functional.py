"""Functions of ``mint.nn.functional``, ``linalg`` and ``special``; see ``mint_functions``."""

from tests.parity.case import case
from tests.parity.cases import mint_functions
from tests.parity.cases.mint_functions import calls_of

FUNCTIONAL = {
    **dict.fromkeys(
        (
            *("relu", "relu6", "silu", "elu", "leaky_relu", "logsigmoid", "hardtanh", "gelu"),
            *("softplus", "mish", "selu", "hardshrink", "softshrink", "hardsigmoid", "hardswish"),
            *("sigmoid", "tanh", "relu_", "elu_", "hardtanh_", "sigmoid_"),
        ),
        ("f(x)", "f(y)", "f(1.5)"),
    ),
    "relu[inplace]": (),
    "threshold": ("f(x, 0.1, 0.5)", "f(x, threshold=0.1, value=20)", "f(x)"),
    "threshold_": ("f(x, 0.1, 0.5)", "f(x)"),
    "glu": ("f(t[:, :, :2])", "f(t, 0)", "f(t, dim=1)", "f(t)"),
    "prelu": ("f(x, of([0.25]))", "f(x, v)", "f(x)"),
    "softmax": ("f(x, 1)", "f(x)", "f(t)", "f(x, dim=0)", "f(x, 3)"),
    "log_softmax": ("f(x, 1)", "f(x)", "f(x, dim=0)", "f(x, 1, dtype=ms.float64)", "f(x, 3)"),
    "linear": ("f(x, w)", "f(x, w, v)", "f(x, weight=w, bias=v)", "f(v, w)", "f(x, x[:, :2])"),
    "embedding": ("f(i, x)", "f(j, x)", "f(i, x, padding_idx=1)", "f(x, x)"),
    "one_hot": ("f(i)", "f(i, 3)", "f(j, num_classes=4)", "f(x)"),
    "dropout": ("f(x, 0.0)", "f(x, training=False)", "f(x, p=0.5).shape", "f(x, 2.0)"),
    "dropout2d": ("f(t[None], 0.0)", "f(t[None], training=False)", "f(x, 2.0)"),
    "layer_norm": ("f(x, (3,))", "f(x, (3,), v, v)", "f(x, [2, 3], eps=0.1)", "f(x, (2,))"),
    "group_norm": (
        "f(t, 1)",
        "f(t, 2, of([1.0, 2.0]), of([0.5, 0.0]))",
        "f(t, num_groups=1, eps=0.1)",
        "f(t, 3)",
    ),
    "batch_norm": (
        "f(x, v, p[0], v, v, True)",
        "f(x, v, p[0], v, v)",
        "f(x, v, p[0])",
        "f(x, v, p[0], training=True, momentum=0.5, eps=0.1)",
        "f(x, 1, 2)",
    ),
    "normalize": ("f(x)", "f(x, dim=0)", "f(x, p=1.0, dim=1)", "f(1.5)"),
    "conv1d": (
        "f(t, of(np.ones((1, 2, 2))))",
        "f(t, of(np.ones((1, 2, 2))), of([0.5]), padding=1)",
        "f(t, of(np.ones((2, 1, 2))), groups=2, stride=2)",
        "f(t, of(np.ones((1, 2, 2))), padding='same')",
        "f(t, x)",
    ),
    "conv2d": (
        "f(t[None], of(np.ones((1, 2, 2, 2))))",
        "f(t[None], of(np.ones((1, 2, 2, 2))), of([0.5]), padding=1)",
        "f(t[None], of(np.ones((1, 2, 2, 2))), stride=(1, 2), padding=(1, 0))",
        "f(t[None], of(np.ones((1, 2, 2, 2))), padding='same')",
        "f(t[None], of(np.ones((1, 2, 2, 2))), padding='valid', dilation=1)",
        "f(t, of(np.ones((1, 2, 2, 2))))",
        "f(t[None], x)",
    ),
    "conv3d": (
        "f(t[None, None], of(np.ones((1, 1, 2, 2, 2))))",
        "f(t[None, None], of(np.ones((1, 1, 2, 2, 2))), of([0.5]), padding=1)",
        "f(t[None, None], x)",
    ),
    "conv_transpose2d": (
        "f(t[None], of(np.ones((2, 1, 2, 2))))",
        "f(t[None], of(np.ones((2, 1, 2, 2))), of([0.5]), stride=2, padding=1, output_padding=1)",
        "f(t[None], x)",
    ),
    "max_pool2d": (
        "f(t, 2)",
        "f(t[None], 2, 1)",
        "f(t[None], (1, 2), stride=1, padding=0, ceil_mode=True)",
        "f(t[None], 2, 1, return_indices=True)",
        "f(x, 2)",
    ),
    "max_unpool2d": ("f(of([[[1.5]]]), of([[[3]]], 'int64'), 2)", "f(x, 1, 2)"),
    "avg_pool1d": ("f(t, 2)", "f(t, 2, 1)", "f(t, 2, 1, padding=1, count_include_pad=False)", "f(x, 'a')"),
    "avg_pool2d": ("f(t[None], 2)", "f(t[None], 2, 1)", "f(t[None], 2, 1, 1, True, False)", "f(t[None], 2, divisor_override=3)", "f(x, 'a')"),
    "avg_pool3d": ("f(t[None], 2)", "f(t[None], 2, 1, 1)", "f(x, 'a')"),
    "adaptive_avg_pool1d": ("f(t, 1)", "f(t, 2)", "f(x, 'a')"),
    "adaptive_avg_pool2d": ("f(t, 1)", "f(t, (1, 2))", "f(t[None], (None, 1))", "f(x, 'a')"),
    "adaptive_avg_pool3d": ("f(t[None], 1)", "f(t[None], (1, 2, 1))", "f(x, 'a')"),
    "adaptive_max_pool1d": ("f(t, 1)", "f(t, 2)", "f(t, 1, return_indices=True)", "f(x, 'a')"),
    "adaptive_max_pool2d": ("f(t, 1)", "f(t, (1, 2))", "f(t, 1, return_indices=True)", "f(x, 'a')"),
    "pixel_shuffle": ("f(of(np.arange(16).reshape(1, 4, 2, 2)), 2)", "f(x, 2)"),
    "pad": (
        "f(x, (1, 1))",
        "f(x, [1, 0, 0, 1], value=2.0)",
        "f(t, (1, 1), mode='reflect')",
        "f(t, (1, 1), 'replicate')",
        "f(x, (1, 1), 'circular')",
        "f(x, (1, 1), 'a')",
    ),
    "interpolate": (
        "f(t[None], 4)",
        "f(t[None], size=(4, 6), mode='bilinear', align_corners=True)",
        "f(t[None], (4, 6), mode='bilinear', align_corners=False)",
        "f(t[None], scale_factor=2.0)",
        "f(t, 6, mode='linear', align_corners=False)",
        "f(t[None], (3, 5), mode='bicubic', align_corners=False)",
        "f(x, 4)",
    ),
    "upsample": ("f(t[None], 4)", "f(t[None], scale_factor=2.0)", "f(x, 4)"),
    "grid_sample": (
        "f(t[None], of(np.linspace(-1, 1, 8).reshape(1, 2, 2, 2)), align_corners=True)",
        "f(t[None], of(np.linspace(-1.2, 1, 8).reshape(1, 2, 2, 2)), 'nearest', 'border')",
        "f(x, x)",
    ),
    "unfold": ("f(t[None], 2)", "f(t[None], (1, 2), padding=1, stride=2)", "f(x, 'a')"),
    "fold": ("f(of(np.arange(8).reshape(1, 4, 2)), (2, 3), 2)", "f(x, 1, 'a')"),
    **dict.fromkeys(("mse_loss", "l1_loss", "smooth_l1_loss", "soft_margin_loss"), ("f(x, y)", "f(x, y, 'sum')", "f(x, y, reduction='none')", "f(x, y, 'a')")),
    "kl_div": ("f(x, p)", "f(x, p, 'batchmean')", "f(x, p, reduction='none', log_target=True)", "f(x, p, 'a')"),
    "binary_cross_entropy": ("f(f32(x), b32)", "f(x, p)"),
    "binary_cross_entropy_with_logits": ("f(x, p)", "f(x, p, weight=v)", "f(x, p, reduction='sum', pos_weight=v)", "f(x, p, reduction='none')", "f(x, p, reduction='a')"),
    "cross_entropy": (
        "f(x, j)",
        "f(x, j, v)",
        "f(x, j, reduction='sum')",
        "f(x, j, ignore_index=1)",
        "f(x, j, reduction='none', label_smoothing=0.1)",
        "f(x, p)",
        "f(x, of([1, 2], 'int32'))",
        "f(x, v)",
    ),
    "nll_loss": ("f(x, j)", "f(x, j, v)", "f(x, j, ignore_index=1)", "f(x, j, reduction='none')", "f(x, v)"),
    "cosine_embedding_loss": ("f(x, y, of([1, -1], 'int64'))", "f(x, y, of([1, -1], 'int64'), 0.5, 'none')", "f(x, y)"),
    "flatten": ("f(t)", "f(t, 1)", "f(t, start_dim=0, end_dim=1)", "f(x, 3)"),
}
del FUNCTIONAL["relu[inplace]"]
FUNCTIONAL["binary_cross_entropy"] = ("f(p / 4, b.astype(ms.float32))", "f(p / 4, p / 4, v)", "f(p / 4, p / 4, reduction='none')", "f(x, 'a')")
LINALG = {
    "inv": ("f(w)", "f(x)"),
    "qr": ("f(w)", "f(w, 'complete')", "f(w, 'r')", "f(w, 'a')"),
    "norm": ("f(x)", "f(x, 1)", "f(x, dim=1)", "f(x, 2, 1, True)", "f(w, 'nuc')", "f(x, 'fro', dtype=ms.float64)", "f(x, 'a')"),
    "vector_norm": ("f(x)", "f(x, 1, 1)", "f(x, float('inf'), dim=0, keepdim=True)", "f(x, 'a')"),
    "matrix_norm": ("f(x)", "f(x, 1)", "f(x, float('inf'), keepdim=True)", "f(w, 'nuc')", "f(v)"),
}
SPECIAL = {
    **dict.fromkeys(("erfc", "expm1", "exp2", "round", "sinc", "log1p"), ("f(x)", "f(1.5)")),
    "log_softmax": ("f(x, 1)", "f(x, 3)"),
}
TABLES = {"mint.nn.functional": FUNCTIONAL, "mint.linalg": LINALG, "mint.special": SPECIAL}
GIVES, WRONG, GRADIENTS = {}, {}, {}
for module, rows in TABLES.items():
    given, refused = calls_of(rows, module)
    last = module.split(".")[-1]
    GIVES |= {f"{last}.{name}": row for name, row in given.items()}
    WRONG |= {f"{last}.{name}": row for name, row in refused.items()}
    GRADIENTS |= {
        f"{last}.{name}": (name, calls[0], module)
        for name, calls in rows.items()
        if name not in ("one_hot",)
    }


@case.table(GIVES)
def gives(*row):
    return mint_functions.gives(*row)


@case.table(WRONG)
def wrong(*row):
    return mint_functions.wrong(*row)


@case.table(GRADIENTS)
def gradient(*row):
    return mint_functions.gradient(*row)
