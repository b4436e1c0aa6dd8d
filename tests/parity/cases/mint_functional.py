"""Functions of ``mint.nn.functional``, ``linalg`` and ``special``; see ``mint_functions``."""

from tests.parity.case import case
from tests.parity.cases.mint_functions import ROUGH, derivatives, error, results, rows

# Calls that the CPU of 2.10 runs.
GIVES = {
    "functional.grid_sample": (
        "f(t[None], of(np.linspace(-1, 1, 8).reshape(1, 2, 2, 2)), align_corners=True)",
        "f(t[None], of(np.linspace(-1.2, 1, 8).reshape(1, 2, 2, 2)), 'nearest', 'border')",
    ),
    (
        "functional.relu functional.silu functional.softplus functional.hardshrink "
        "functional.softshrink functional.hardsigmoid functional.hardswish "
        "functional.sigmoid functional.tanh"
    ): ("f(x)", "f(y)"),
    "functional.glu": ("f(t[:, :, :2])", "f(t, 0)", "f(t, dim=1)"),
    "functional.prelu": ("f(x, of([0.25]))", "f(x, v)"),
    "functional.softmax": ("f(x, 1)", "f(x)", "f(t)", "f(x, dim=0)"),
    "functional.linear": ("f(x, w)", "f(x, w, v)", "f(x, weight=w, bias=v)", "f(v, w)"),
    "functional.dropout": ("f(x, 0.0)", "f(x, training=False)"),
    "functional.group_norm": (
        "f(t, 1)",
        "f(t, 2, of([1.0, 2.0]), of([0.5, 0.0]))",
        "f(t, num_groups=1, eps=0.1)",
    ),
    "functional.adaptive_max_pool2d": ("f(t, 1)", "f(t, (1, 2))", "f(t, 1, return_indices=True)"),
    "functional.pixel_shuffle": ("f(of(np.arange(16).reshape(1, 4, 2, 2)), 2)",),
    "functional.pad": ("f(x, (1, 1), 'circular')",),
    "functional.interpolate functional.upsample": ("f(t[None], 4)", "f(t[None], scale_factor=2.0)"),
    "functional.smooth_l1_loss": ("f(x, y)", "f(x, y, 'sum')", "f(x, y, reduction='none')"),
    "functional.binary_cross_entropy": (
        "f(p / 4, b.astype(ms.float32))",
        "f(p / 4, p / 4, p)",
        "f(p / 4, p / 4, reduction='none')",
    ),
    "functional.binary_cross_entropy_with_logits": (
        "f(x, p)",
        "f(x, p, weight=v)",
        "f(x, p, reduction='sum', pos_weight=v)",
        "f(x, p, reduction='none')",
    ),
    "functional.nll_loss": (
        "f(x, j)",
        "f(x, j, v)",
        "f(x, j, ignore_index=1)",
        "f(x, j, reduction='none')",
    ),
    "functional.flatten": ("f(t)", "f(t, 1)", "f(t, start_dim=0, end_dim=1)"),
    "linalg.norm linalg.matrix_norm": ("f(w, 'nuc')",),
    "special.erfc special.expm1 special.round special.sinc special.log1p": ("f(x)",),
}
# Those whose first call has a gradient.
GRADIENTS = (
    "functional.grid_sample "
    "functional.relu functional.silu functional.hardshrink functional.softshrink "
    "functional.hardsigmoid functional.hardswish functional.sigmoid functional.tanh "
    "functional.glu functional.prelu functional.softmax functional.linear "
    "functional.dropout functional.group_norm functional.adaptive_max_pool2d "
    "functional.pixel_shuffle functional.interpolate functional.upsample "
    "functional.smooth_l1_loss functional.binary_cross_entropy "
    "functional.binary_cross_entropy_with_logits functional.nll_loss functional.flatten "
    "special.erfc special.expm1 special.round special.sinc special.log1p"
)
# A wrong call, and whose it is.
WRONG = {
    "f(x, x)": "functional.grid_sample",
    "f(1.5)": (
        "functional.relu functional.relu6 functional.silu functional.elu "
        "functional.leaky_relu functional.logsigmoid functional.hardtanh functional.gelu "
        "functional.softplus functional.mish functional.selu functional.hardshrink "
        "functional.softshrink functional.hardsigmoid functional.hardswish "
        "functional.sigmoid functional.tanh functional.relu_ functional.elu_ "
        "functional.hardtanh_ functional.sigmoid_ functional.normalize special.erfc "
        "special.expm1 special.exp2 special.round special.sinc special.log1p"
    ),
    "f(x)": "functional.threshold functional.threshold_ functional.prelu linalg.inv",
    "f('a')": (
        "functional.unfold functional.fold "
        "functional.glu functional.embedding functional.one_hot functional.dropout2d "
        "functional.conv1d functional.conv3d functional.max_pool2d "
        "functional.adaptive_avg_pool2d functional.cross_entropy functional.nll_loss "
        "linalg.vector_norm"
    ),
    "f(x, 3)": "functional.softmax functional.log_softmax functional.flatten special.log_softmax",
    "f(x, x[:, :2])": "functional.linear",
    "f(x, 2.0)": "functional.dropout",
    "f(x, (2,))": "functional.layer_norm",
    "f(t, 3)": "functional.group_norm",
    "f(x, 1, 2)": "functional.batch_norm functional.max_unpool2d",
    "f(t[None], x)": "functional.conv2d functional.conv_transpose2d",
    "f(x, 'a')": (
        "functional.avg_pool1d functional.avg_pool2d functional.avg_pool3d "
        "functional.adaptive_avg_pool1d functional.adaptive_avg_pool3d "
        "functional.adaptive_max_pool1d functional.adaptive_max_pool2d "
        "functional.binary_cross_entropy linalg.norm"
    ),
    "f(x, 2)": "functional.pixel_shuffle",
    "f(x, (1, 1), 'a')": "functional.pad",
    "f(x, 4)": "functional.interpolate functional.upsample",
    "f(x, y, 'a')": (
        "functional.mse_loss functional.l1_loss functional.smooth_l1_loss "
        "functional.soft_margin_loss"
    ),
    "f(x, p, 'a')": "functional.kl_div",
    "f(x, p, reduction='a')": "functional.binary_cross_entropy_with_logits",
    "f(x, y)": "functional.cosine_embedding_loss",
    "f(w, 'a')": "linalg.qr",
    "f(v)": "linalg.matrix_norm",
}

_GIVES, _GRADIENTS, _WRONG = rows(GIVES, GRADIENTS, WRONG)


# MindSpore's exp, tanh and erf of float32 are polynomials, which err by up to 2e-6.
@case.table({name: row for name, row in _GIVES.items() if name.split(".")[-1] in ROUGH}, tol=5e-6)
def roughly(name, calls):
    return results(name, calls)


@case.table({name: row for name, row in _GIVES.items() if name.split(".")[-1] not in ROUGH})
def gives(name, calls):
    return results(name, calls)


@case.table(_GRADIENTS, tol=5e-6)
def gradient(name, call):
    return derivatives(name, call)


@case.table(_WRONG)
def wrong(name, call):
    return error(name, call)
