"""Every operator's kernel has its first and second derivative checked, or is listed as having none.

``test_gradients.py`` checks operators as they are called; here the families are gone through, so
that a new operator cannot be left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad import Tensor
from msgrad._core.engine import to_device
from msgrad._core.op import Operator
from msgrad._core.registry import ROWS
from msgrad.common import dtype as mstype


def _operators() -> dict[str, Operator]:
    """Return the operators that the rows of ``ops`` and of ``basics`` say, by family and name."""
    targets = [row.target for row in ROWS.values() if isinstance(row.target, Operator)]
    families = {op: op.__module__.removeprefix("msgrad.") for op in targets}
    return {
        f"{family.rpartition('.')[2]}.{op.__name__}": op
        for op, family in families.items()
        if family.startswith("ops.") or family == "_core.basics"
    }


ALL = _operators()

# No input of theirs carries a gradient: their results are positions, truth values, steps or noise,
# or it is theirs to stop or replace it.
WITHOUT_GRADIENT = {
    "arithmetic": "_map_uniform floor_divide truncate_div _rounded_towards_zero",
    "array": "_reinterpret",
    "basics": "as_constant as_constant_of stop_gradient",
    "comparison": "approximate_equal bitwise_and bitwise_left_shift bitwise_or "
    "bitwise_right_shift bitwise_xor equal greater greater_equal invert isclose less less_equal "
    "logical_and logical_or logical_xor not_equal",
    "counting": "_buckets _compare_and_bitpack _count_nonzero _equal_count _unravel_index "
    "_histogram histc intopk",
    "creation": "_eye logspace",
    # JAX has no derivative of these, and MindSpore none either.
    "decompositions": "_eig _matrix_logarithm geqrf orgqr",
    "choosing": "_categorical",
    "distributions": "_cauchy_numbers _gamma _kept_bits _laplace "
    "_log_normal _ones_like _poisson _standard_gamma _truncated _truncated_standard",
    "ctc": "_dense_labels _greedy",
    # Of IOU and NMSWithMask MindSpore has none either.
    "detection": "_choice_with_mask _combined _in_order _nms_with_mask check_valid iou",
    "extremes": "_argmax _argmin argmax argmin",
    "float_status": "every_finite float_status",
    "random": "_bernoulli _choices _each_once _integers _multinomial _normal _permutation _uniform",
    "recurrent": "_mask",
    "reduction": "all any count_nonzero",
    # In float32 whatever comes; the parity cases compare their gradients with MindSpore's.
    "regions": "crop_and_resize",
    "resize_ops": "_resize_area _scaled",
    "sorting": "_searchsorted",
    "special": "eps gcd heaviside isneginf isposinf isreal lcm population_count sgn signbit",
    "stacking": "_dim_map _vec_permute",
    "unary": "ceil floor imag isfinite isinf isnan logical_not rint round sign trunc",
    "writing": "fills",
}

X = np.array([[0.31, 0.84, 0.52], [0.93, 0.17, 0.68], [0.45, 0.76, 0.23]])
ROW = np.array([2, 0, 1])
GRID = np.array([[0, 2], [1, 0], [2, 2]])
MASK = X > 0.5
ONE_HOT = np.eye(3)
EYE = 3 * np.eye(3)
KEY = np.array([1, 2], np.uint32)
SIGNS = np.where(MASK, 1.0, -1.0)

# The numbers of a step of Adam.
ADAM = (0.9, 0.99, 0.1, 0.9, 0.99, 1e-3)
# Those of Adafactor.
FACTORS = tuple(map(np.asarray, (1.0, 0.9, 0.8, 0.1, 0.1)))
PLACES = np.array([[[0, 3, 5]] * 3])
CORNERS = np.array([[0, 0.1, 0.2, 2.3, 2.4], [0, 1.3, 0.4, 2.6, 1.7]])

# Along which derivatives are taken, and how far.
DIRECTIONS = np.random.default_rng(1).standard_normal((2, 3, 3))
EPS = 2.0**-11

Call = Callable[[Callable[..., Any], Any], Any]


def given(values: np.ndarray, x: Any) -> Any:
    """Return numbers in the dtype of ``x``, without a gradient."""
    return jnp.asarray(values, x.dtype)


def _steps(count: int, *rest: Any, grad: int = -1) -> Call:
    """Call a step of an optimizer: states, numbers, and the gradient at a place among these."""

    def call(k: Any, x: Any) -> Any:
        states = [x - 0.4, x.T, x * x + 0.5, x + 0.3][:count]
        others = list(rest)
        others.insert(len(others) if grad < 0 else grad, x * x.T + 0.1)
        return k(*states, *others)

    return call


def _same(calls: dict[str, Call] | None = None, **lists: tuple[str, Call]) -> dict[str, Call]:
    """Give the table of a family: ``calls``, and for every list of names one call for all."""
    table = dict(calls or {})
    for names, call in lists.values():
        table.update(dict.fromkeys(names.split(), call))
    return table


def one(k: Any, x: Any) -> Any:
    return k(x)


def two(k: Any, x: Any) -> Any:
    return k(x, x.T * x + 0.5)


def centred(k: Any, x: Any) -> Any:
    return k(x - 0.4)


def _written(_: Any, x: Any) -> Any:
    tensor = Tensor(x)
    tensor[1:, 0] = Tensor(x[0, :2] ** 2)
    return tensor._read()


DIFFERENTIABLE: dict[str, dict[str, Call]] = {
    "apply": {
        "_ada_factor_scaled": lambda k, x: k(
            *(x[0] * 0.1, *FACTORS, x - 0.4, x.T, x * x, x[0], x[1], x + 1, FACTORS[0]),
            *(True, True, True),
        ),
        "_fused_ada_factor": lambda k, x: k(
            *(x[0] * 0.1, *FACTORS, x[0], x[1], x[2], x[0], x[0], x[1] * x[2]),
            *(False, False, False),
        ),
        "_ada_max": _steps(3, 0.9, 0.1, 0.9, 0.99, 1e-3),
        "_adadelta": _steps(3, 0.1, 0.9, 0.1),
        "_adagrad": lambda k, x: k(x, x.T, 0.1, x * x, True),
        "_adagrad_da": _steps(3, 0.1, 0.01, 0.02, 2, grad=0),
        "_adagrad_v2": lambda k, x: k(x, x.T, 0.1, x * x, 0.1, True),
        "_adam": lambda k, x: k(x, x.T, x * x, *ADAM, x - 0.4, True),
        "_adam_changes": lambda k, x: k(x.T, x * x, *ADAM, x - 0.4, False),
        "_adam_weight_decay": _steps(3, 0.1, 0.9, 0.99, 1e-3, 0.1),
        "_adamw": _steps(4, 2.0, 0.1, 0.9, 0.99, 0.1, 1e-3, True, True, grad=0),
        "_add_sign": _steps(2, 0.1, 1.0, 0.5, 0.9),
        "_apply_amsgrad": lambda k, x: k(
            *(x, x.T, x * x, x + 1, 0.9, 0.99, 0.1, x - 0.4),
            *(0.9, 0.99, 1e-3),
        ),
        "_apply_amsgrad_v2": _steps(4, *ADAM),
        "_cast_decayed": _steps(3, 0.1, 0.9, 0.99, 1e-3, 0.1, 2.0, grad=5),
        "_centered_rms_prop": lambda k, x: k(x, x.T, x + 2, x, x * x, 0.1, 0.9, 0.5, 1e-3),
        "_ftrl": lambda k, x: k(x, x.T, x * x, x - 0.4, 0.1, 0.01, 0.02, -0.5),
        "_gradient_descent": _steps(1, 0.1),
        "_momentum": lambda k, x: k(x, x.T, 0.1, x * x, 0.9, True),
        "_power_sign": _steps(2, 0.1, 2.0, 0.5, 0.9),
        "_proximal_adagrad": _steps(2, 0.1, 0.01, 0.02),
        "_proximal_descent": _steps(1, 0.1, 0.01, 0.02),
        "_rms_prop": lambda k, x: k(x, x.T, x * x, 0.1, x - 0.4, 0.9, 0.5, 1e-3),
        "_scaled_momentum": lambda k, x: k(0.1, 2.0, x, x.T, 0.1, x * x, 0.9),
        "_sgd": lambda k, x: k(x, x.T, x[0, 0], x * x, x[0, 1], x * 0, 0.1, 0.2, True)[0],
    },
    "apply_sparse": {
        "_sparse_rms_prop": lambda k, x: k(x, x.T, x * x, 0.1, x - 0.4, ROW, 0.9, 0.5, 1e-3),
        "_fused_sparse_ftrl": lambda k, x: k(x, x.T, x * x, x - 0.4, ROW, 0.1, 0.01, 0.02, -0.5),
        "_lazy_adam": lambda k, x: k(x, x.T, x * x, *ADAM, x - 0.4, ROW, False),
        "_sparse_adagrad": lambda k, x: k(x, x.T, x - 0.4, ROW, 0.1, True),
        "_sparse_adagrad_v2": lambda k, x: k(x, x.T, x - 0.4, ROW, 0.1, 0.1, True),
        "_sparse_adam": lambda k, x: k(x, x.T, x * x, *ADAM, x - 0.4, ROW, False),
        "_sparse_apply_ftrl": lambda k, x: k(x, x.T, x * x, x - 0.4, ROW, 0.1, 0.01, 0.02, -0.5),
        "_sparse_proximal": lambda k, x: k(x, x.T, 0.1, 0.01, 0.02, x - 0.4, ROW),
    },
    "attention": {
        "_attention": lambda k, x: k(
            *(x[None, None], x.T[None, None], (x * x)[None, None], x[None, None]),
            *(None, 1, 0.5, 2, 1, "BNSD", 0),
        )[2],
    },
    "pixels": {
        "_depth_to_space": lambda k, x: k(x.reshape(1, 9, 1, 1), 3),
        "_space_to_depth": lambda k, x: k(x[None, None], 3),
        "pixel_shuffle": lambda k, x: k(x.reshape(1, 9, 1, 1), 3),
        "pixel_unshuffle": lambda k, x: k(x[None, None], 3),
        "_adjust_hue": lambda k, x: k(x[None], x[0, 0]),
        "_adjust_saturation": lambda k, x: k(x[None], x[0, 0]),
        "_hsv_to_rgb": one,
        "_rgb_to_hsv": one,
    },
    "ctc": {
        "_ctc_loss_dense": lambda k, x: k(
            *(x[:, None], np.array([[1, 0]]), np.array([2]), np.array([3]), False)
        )[0],
        "_ctc_loss_v2": lambda k, x: k(
            *(
                jax.nn.log_softmax(x[:, None] * 1.0),
                np.array([[1, 2]]),
                np.array([3]),
                np.array([2]),
            ),
            *(0, "none", False),
        )[0],
    },
    "detection": {
        "bounding_box_decode": lambda k, x: k(
            jnp.concatenate([x, x + 3], 1)[:, :4], jnp.concatenate([x, x], 1)[:, :4], (9, 9)
        ),
        "bounding_box_encode": lambda k, x: k(
            jnp.concatenate([x[:, :2], x[:, :2] + 3], 1), jnp.concatenate([x, x], 1)[:, :4]
        ),
    },
    "margin_losses": {
        "_multi_margin": lambda k, x: k(x, ROW, x[0], 2, 0.5, "mean"),
        "cosine_embedding_loss": lambda k, x: k(x, x.T * x, SIGNS[0], 0.1),
        "gaussian_nll_loss": lambda k, x: k(x, x.T, x * x),
        "multilabel_soft_margin_loss": lambda k, x: k(x, ONE_HOT, x[0]),
        "soft_margin_loss": lambda k, x: k(x, SIGNS),
    },
    "patches": {
        "_volume_patches": lambda k, x: k(x[None, None, None], (1, 2, 2), 1, "VALID"),
        "_im2col": lambda k, x: k(x[None, None], 2, 1, 1, 1),
        "_col2im": lambda k, x: k(x.reshape(1, 1, 9, 1), (3, 3), 3, 1, 0, 1),
        "fold": lambda k, x: k(x.reshape(1, 9, 1), (3, 3), 3),
        "unfold": lambda k, x: k(x[None, None], 2),
        "_deformable_offsets": lambda k, x: k(
            x[None, None],
            jnp.tile(x[None, :, :2, None], (1, 4, 1, 2)),
            *((1, 1, 1, 1), (0, 0, 0, 0), (2, 2), (1, 1, 1, 1), "NCHW", 1, True),
        ),
    },
    "recurrent": {
        "recurrent_step": lambda k, x: k(x, (x * x,), x.T, x, x[0], x[1], "RNN_TANH"),
        "recurrent_layer": lambda k, x: k(
            *(x[None], (x * x,), x.T, x, x[0], x[1], np.array([3]), "RNN_TANH", False)
        ),
        "_lstm": lambda k, x: k(
            *(x[:, None], x[:1, None, :2], x[1:2, None, :2], jnp.tile(x.reshape(-1), 6)[:48]),
            *(3, 2, 1, True, False, 0.0, 0),
        )[:3],
        "reverse_sequence": lambda k, x: k(x, ROW, 1),
    },
    "dynamic_rnns": {
        "_dynamic_rnn": lambda k, x: k(
            x[:, None],
            *(jnp.tile(x.reshape(-1), 5)[:40].reshape(5, 8), jnp.tile(x[0], 3)[:8], None),
            *(x[None, :1, :2], x[None, 1:2, :2]),
        ),
        "_dynamic_gru": lambda k, x: k(
            x[:, None],
            *(jnp.tile(x, 2), jnp.tile(x, 2)[:2], jnp.tile(x[0], 2), None, None, x[:1, :2]),
        ),
    },
    "fractional": {
        "_fractional_pool": lambda k, x: k(
            x[None, :, :, None], np.array([1, 2], np.uint32), (2, 2), True, True, True
        )[0],
    },
    "regions": {
        "_glimpse": lambda k, x: k(
            KEY, x[None, :, :, None], np.full((1, 2), 0.2, np.float32), (2, 2), True, True, "zero"
        ),
        "_roi_align": lambda k, x: (
            k(x[None, None], given(CORNERS, x), 2, 2, 0.9, 2, 1)
            + k(x[None, None], given(CORNERS, x), 2, 2, 0.9, 0, 1)
        ),
    },
    "sampling": {
        "affine_grid": lambda k, x: k(x[None, :2], (1, 1, 2, 3)),
        "sample": lambda k, x: k(
            x[None, None], x[None, :, :2, None] * x[:2, 0] - 0.4, "bilinear", "zeros", False
        ),
    },
    "sparse": {
        "_added": lambda k, x: k(GRID, x[0], x, (3, 3)),
        "_sparse_matmul": lambda k, x: k(GRID, x[0], x, (3, 3), False, False),
        "_sparse_to_dense": lambda k, x: k(GRID, x[0], (3, 3)),
    },
    "unpooling": {
        "_fractional": lambda k, x: k(x[None, None], X[None, :1, :2], (2, 2), (2, 2))[0],
        "_lp_pool": lambda k, x: k(x[None], 3.0, (2, 2), (1, 1), False, 2),
        "_unpool": lambda k, x: k(x[None], PLACES, 2, 2, 0, None, 1),
        "_with_places": lambda k, x: k(x[None, None], 2, 1, 0, 1, False, "NCHW", mstype.int64)[0],
    },
    "arithmetic": _same(
        {
            "_integer_exponent": lambda k, x: k(x, 3),
            "addn": lambda k, x: k((x, x * x)),
            "addcmul": lambda k, x: k(x, x * x, x.T, x[0]),
            "addcdiv": lambda k, x: k(x, x * x, x.T, x[0]),
            "lerp": lambda k, x: k(x, x * x, x.T),
            "remainder": lambda k, x: k(x * 3, x.T * x + 0.5),
        },
        pairs=(
            "_div_no_nan _pow _squared_difference add atan2 copysign float_power floor_mod fmod "
            "hypot logaddexp logaddexp2 maximum minimum mul sub tensor_div true_divide xlogy "
            "_mod truncate_mod",
            two,
        ),
    ),
    "array": _same(
        {
            "broadcast_to": lambda k, x: k(x, (2, 3, 3)),
            "expand_dims": lambda k, x: k(x, 1),
            "unsqueeze": lambda k, x: k(x, 1),
            "flip": lambda k, x: k(x, (0,)),
            "moveaxis": lambda k, x: k(x, 0, 1),
            "permute": lambda k, x: k(x, (1, 0)),
            "transpose": lambda k, x: k(x, (1, 0)),
            "swapaxes": lambda k, x: k(x, 0, 1),
            "swapdims": lambda k, x: k(x, 0, 1),
            "repeat_elements": lambda k, x: k(x, 2),
            "reshape": lambda k, x: k(x, (9,)),
            "roll": lambda k, x: k(x, 1, 0),
            "squeeze": lambda k, x: k(x[None]),
            "tile": lambda k, x: k(x, (2, 1)),
            "_take_rows": lambda k, x: k(x, ROW, 0),
        },
        single=("_rows flatten _flatten_method", one),
    ),
    "basics": {"cast": lambda k, x: k(x, jnp.float64)},
    "clip": {
        "_clamp": lambda k, x: k(x, x.T - 0.2, x * x),
        "_clip": lambda k, x: k(x, x.T - 0.2, x * x),
        "_norm": lambda k, x: k((x, x.T), 2.0),
        "_scaled_down": lambda k, x: k(x, x[0, 0] * 4, x[1, 1]),
        "_global_clip": lambda k, x: k((x, x * x), x[0, 0]),
    },
    "creation": {
        "_filled": lambda k, x: k(x[0, 0], (2,), jnp.float64),
        "_steps": lambda k, x: k(x[0, 0], x[0, 1], 3, jnp.float64),
        "linspace": lambda k, x: k(x[0, 0], x[0, 1], 4),
    },
    "extremes": _same(
        {
            "_amax": lambda k, x: k(x, None, 0),
            "_amin": lambda k, x: k(x, None, 0),
            "reduce_max": lambda k, x: k(x, 0),
            "reduce_min": lambda k, x: k(x, 0),
            "_bounded": lambda k, x: k(x, MASK, 0.0, True),
            "_numbers": lambda k, x: k(x, 0, 9.0),
            "cummax": lambda k, x: k(x, 0)[0],
            "cummin": lambda k, x: k(x, 0)[0],
            "_argmax_with_value": lambda k, x: k(x)[1],
            "_argmin_with_value": lambda k, x: k(x)[1],
        },
        value=("_max_of_all _min_of_all", lambda k, x: k(x)[0]),
    ),
    # Their operands are worked out of an index.
    "indexing": {
        "_read_region": lambda _, x: Tensor(x)[1, ::2]._read(),
        "_read_elements": lambda _, x: Tensor(x)[Tensor(ROW), 1:]._read(),
        "_write_elements": _written,
    },
    "joining": {
        "_concat": lambda k, x: k((x, x * x), 1),
        "stack": lambda k, x: k((x, x * x)),
        "_split": lambda k, x: k(x, (1, 2), 0),
        "_unstack": lambda k, x: k(x, 0),
        "narrow": lambda k, x: k(x, 0, 1, 2),
        "slice": lambda k, x: k(x, (0, 1), (2, 2)),
        "strided_slice": lambda k, x: k(x, (0, 0), (3, 3), (2, 1)),
    },
    "linalg": _same(
        {
            "_einsum": lambda k, x: k((x, x * x), "ij,jk->ik"),
            "bmm": lambda k, x: k(x[None], (x * x)[None]),
            "mv": lambda k, x: k(x, x[0]),
            "tensor_dot": lambda k, x: k(x, x * x, 1),
            "addmm": lambda k, x: k(x, x.T, x * x, x[0, 0], x[0, 1]),
            "addmv": lambda k, x: k(x[0], x, x[1], x[0, 0], x[0, 1]),
            "addbmm": lambda k, x: k(x, x[None], (x * x)[None], x[0, 0], x[0, 1]),
            "baddbmm": lambda k, x: k(x[None], x[None], (x * x)[None], x[0, 0], x[0, 1]),
            "outer": lambda k, x: k(x[0], x[1]),
            "cdist": lambda k, x: k(x, x * x + 1),
            "_lp_norm": lambda k, x: k(x, 0),
            "_trace": lambda k, x: k(x, 1, 0, 1),
            "svd": lambda k, x: k(x + jnp.eye(3), False, False),
            "cross": lambda k, x: k(x, x.T, 1),
        },
        single=("_l2_loss _l2_normalize _matrix_inverse det inverse norm trace", one),
        pairs=("cosine_similarity dist dot inner kron matmul mm", two),
    ),
    "losses": _same(
        {
            "mse_loss": lambda k, x: k(x, x.T * x, "mean"),
            "l1_loss": lambda k, x: k(x, x.T * x, "mean"),
            "huber_loss": lambda k, x: k(x, x.T * x, "mean", 0.1),
            "smooth_l1_loss": lambda k, x: k(x, x.T * x, 0.1),
            "binary_cross_entropy": lambda k, x: k(x, x.T, X * X),
            "binary_cross_entropy_with_logits": lambda k, x: k(x, x.T, X * X, X[0]),
            "_nll_loss": lambda k, x: k(x, ROW, x[0], -100, "mean", 0.1),
            "_nll_loss_pair": lambda k, x: k(x, ROW, x[0], "mean", -100)[0],
            "_cross_entropy": lambda k, x: k(x, ROW, x[0], -100, "mean", 0.1),
            "_softmax_cross_entropy": lambda k, x: k(x, ONE_HOT)[0],
            "_sparse_softmax_cross_entropy": lambda k, x: k(x, ROW, False),
            "margin_ranking_loss": lambda k, x: k(x, x.T * x, SIGNS.astype(x.dtype), 0.2),
            "hinge_embedding_loss": lambda k, x: k(x, SIGNS),
            # The labels are constants, as are the weights of binary cross entropies.
            "kl_div": lambda k, x: k(x, X.T.astype(x.dtype)),
        },
        pairs=("_sigmoid_cross_entropy", lambda k, x: k(x, X.T)),
    ),
    "matrices": _same(
        {
            "_diag_part": one,
            "_fill_diagonal": lambda k, x: k(x, 2.0),
            "matrix_band_part": lambda k, x: k(x, 1, 0),
            "_matrix_diag": lambda k, x: k(x[:2], x[2, 2], (0, 1), 3, 3, "LEFT_RIGHT"),
            "_matrix_diag_part": lambda k, x: k(x, x[0, 0], (-1, 1), "RIGHT_LEFT"),
            "matrix_set_diag": lambda k, x: k(x, x[:2] * 2, (0, 1), "LEFT_LEFT"),
            "diag_embed": one,
            "diagflat": one,
            "diagonal_scatter": lambda k, x: k(x, x[0] * 2),
            "_meshgrid": lambda k, x: k((x[0], x[1])),
            "diag": lambda k, x: k(x[0]),
        },
        single=("diagonal tril triu", one),
    ),
    "nn_ops": _same(
        {
            "_untrained_row": lambda k, x: k(x, np.arange(3), 5),
            "threshold": lambda k, x: k(x, 0.5, 0.1),
            "glu": lambda k, x: k(x, 0) if x.shape[0] % 2 == 0 else k(x[:2], 0),
            "prelu": lambda k, x: k(x - 0.4, x[0]),
            "dense": lambda k, x: k(x, x * x, x[0]),
            "_layer_norm": lambda k, x: k(x, x[0], x[1], (3,)),
            "_layer_norm_stats": lambda k, x: k(x, x[0], x[1], 1, 1, 1e-5)[0],
            "_bias_add": lambda k, x: k(x, x[0], "NCHW"),
        },
        single=("log_softmax softmax", one),
        centred=(
            "celu elu fast_gelu gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu "
            "logsigmoid mish relu relu6 selu silu _softplus softshrink softsign tanhshrink",
            centred,
        ),
    ),
    "norm_ops": {
        "_batch_norm_fixed": lambda k, x: k(x, x[0], x[1], x[2] / 2, x[1] + 1, 1e-5),
        "_batch_norm_batch": lambda k, x: k(x, x[0], x[1], x[2], x[0], 1e-5, 0.9)[0],
        "_batch_moments": lambda k, x: k(x)[:, :2],
        "_batch_norm_of": lambda k, x: k(x, x[0], x[1], x[2], x[0], x[None] + 2, 1e-5, 0.9)[0],
        "_group_norm": lambda k, x: k(x[None], x[0], x[1], 3, 1e-5),
        "rms_norm": lambda k, x: k(x, x[0], 1e-6)[0],
        "lrn": lambda k, x: k(x[None, :, :, None], 1),
        "_as_autocast": one,
    },
    "pool_ops": {
        "max_pool": lambda k, x: k(x[None, None], (2, 2), (1, 1), "valid"),
        "avg_pool": lambda k, x: k(x[None, None], (2, 2), (1, 1), "same"),
        "_with_indices": lambda k, x: k(x[None, None], (2, 2), (1, 1), "valid")[0],
    },
    "adaptive_ops": {
        "_adaptive_avg": lambda k, x: k(x[None], (2, 2)),
        "_adaptive_max": lambda k, x: k(x[None], (2, 2), False),
    },
    "conv_ops": {
        "convolve": lambda k, x: k(
            x[None, None], x[None, None, :2, :2], x[0, :1], 2, 1, "same", 0, 1, 1
        ),
        "conv_transpose": lambda k, x: k(
            *(x[None, None], x[None, None, :2, :2], x[0, :1]),
            *((1, 1), "valid", 0, (1, 1), 1, (0, 0)),
        ),
        "_conv_input": lambda k, x: k(
            *(x[None, None, :2, :2], x[None, None, :2, :2]),
            *((1, 1, 3, 3), "valid", 0, (1, 1), (1, 1), 1),
        ),
    },
    "pad_ops": {
        "pad": lambda k, x: k(x, (1, 2)),
        "_pad_pairs": lambda k, x: k(x, ((1, 0), (0, 2))),
        "mirror_pad": lambda k, x: k(x, ((1, 0), (0, 1)), "REFLECT"),
    },
    "resize_ops": {
        "_resize_cubic": lambda k, x: k(x[None, None], (5, 4), "centers"),
        "_resize_linear": lambda k, x: k(x[None, None], (5, 4), "centers"),
        "_resize_nearest": lambda k, x: k(x[None, None], (5, 4), "centers"),
    },
    "random": {
        "_dropout": lambda k, x: k(x, jax.random.key_data(jax.random.key(0)), 0.5, 0)[0],
        "_shifted": lambda k, x: k(x, x[0], x[1]),
        "with_slopes": lambda k, x: k(x - 0.4, x.T),
    },
    "reduction": _same(
        {
            "logsumexp": lambda k, x: k(x, 0),
            "cumsum": lambda k, x: k(x, 0),
            "cumprod": lambda k, x: k(x, 0),
            "_cumprod": lambda k, x: k(x, 0, True, True),
        },
        single=(
            "_nanmean _nansum _reduce_prod mean prod reduce_mean reduce_sum std sum var",
            one,
        ),
    ),
    "selecting": {
        "_gather": lambda k, x: k(x, ROW, 1, 0),
        "_gather_elements": lambda k, x: k(x, GRID, 1),
        "_gather_nd": lambda k, x: k(x, GRID),
        "_take": lambda k, x: k(x, ROW, 0, "clip"),
        "_scatter_elements": lambda k, x: k(x, GRID[:, :1], x[:, :1] * 2, 1, "add"),
        "scatter_rows": lambda k, x: k(x, GRID, x[0], "add"),
        "_one_hot": lambda k, x: k(x[0, 0], x[0, 1], ROW, 3, -1),
        "masked_fill": lambda k, x: k(x, MASK, x[0, 0]),
        "scatter_nd": lambda k, x: k(GRID, x[0], (3, 3)),
        "select": lambda k, x: k(MASK, x, x * x),
        "where": lambda k, x: k(MASK, x, x * x),
    },
    "sorting": {
        "sort": lambda k, x: k(x, 0, False)[0],
        "_topk": lambda k, x: k(x, 2, -1, True)[0],
    },
    "sparse_tensor": {
        "_dense": lambda k, x: k(GRID, x[0], (3, 3)),
        "_product": lambda k, x: k(GRID, x[0], x, (3, 3)),
        "_summed": lambda k, x: k(ROW, x, 3),
        "_taken": lambda k, x: k(GRID, x),
    },
    "tensor_state": {
        "_resized": lambda k, x: k(x, (5, 2)),
        "_chosen": lambda k, x: k(ROW, (x[0], x[1], x[2]), "clip"),
        "_put_kernel": lambda k, x: k(x, (jnp.asarray(ROW),), x * 2, True),
    },
    "quantiles": {
        "_quantile": lambda k, x: k(x, 0.3, 0),
        "median": lambda k, x: k(x)[0],
        "nanmedian": lambda k, x: k(x, 0, False)[0],
    },
    "counting": {
        "_counted": lambda k, x: k(x[0], ROW, 4),
        "_differences": lambda k, x: k(x, x[:, :1], None, 1, 1),
        "_nth_element": lambda k, x: k(x, 1),
        "_running_logsumexp": lambda k, x: k(x, 1, True, True)[:, :-1],
    },
    "decompositions": {
        "_conjugate_transpose": lambda k, x: k(x, (1, 0)),
        "_lu_unpack": lambda k, x: k(x, np.array([1, 3, 3])),
        "_matrix_solve_ls": lambda k, x: k(x + EYE, x, jnp.float64(0.1)),
        "_matrix_triangular_solve": lambda k, x: k(x + EYE, x),
        "_nuclear_norm": one,
        "pinv": lambda k, x: k(x + EYE),
        "_qr": lambda k, x: k(x + EYE),
        "_tridiagonal_matmul": lambda k, x: k(x[:1], x[1:2], x[2:], x),
        "adjoint": one,
        "cholesky": lambda k, x: k(x @ x.T + EYE),
        "cholesky_inverse": lambda k, x: k(jnp.tril(x) + EYE),
        "cholesky_solve": lambda k, x: k(x, jnp.tril(x) + EYE),
        "log_matrix_determinant": lambda k, x: k(x @ x.T + EYE),
        "logdet": lambda k, x: k(x @ x.T + EYE),
        "lstsq": lambda k, x: k(x + EYE, x),
        "lu_solve": lambda k, x: k(x, x + EYE, np.array([1, 3, 3])),
        "matrix_exp": one,
        "matrix_power": lambda k, x: k(x, 3),
        "matrix_solve": lambda k, x: k(x + EYE, x),
        "ormqr": lambda k, x: k(given(X, x), given(X[0], x), x),
    },
    "distributions": {
        "_gumbel_softmax": lambda k, x: k(x, jnp.full(x.shape, 0.4), 1.0, False, -1),
        "_dropout_by_mask": lambda k, x: k(x, np.full(16, 90, np.uint8), 0.5),
    },
    "choosing": {"_shuffled": lambda k, x: k(KEY, x)},
    "fft": _same(
        {
            "_fft_with_size": lambda k, x: jnp.real(k(x, 1, False, True) * (1 + 2j)),
            "_reflected": lambda k, x: k(x, 1, "reflect"),
            "_stft": lambda k, x: k(x.reshape(9), x[0], 4, 2, 3, False, True, False),
            "irfft": lambda k, x: k(x, 5, 1),
        },
        real=("fftshift ifftshift hfft hfft2 hfftn irfft2 irfftn", one),
        whole=(
            "fft fft2 fftn ifft ifft2 ifftn ihfft ihfft2 ihfftn rfft rfft2 rfftn",
            lambda k, x: jnp.real(k(x) * (1 + 2j)),
        ),
    ),
    "scattering": {
        "_add_slices": lambda k, x: k(x, x[:, :2] * 2, ROW[:2], 1),
        "_segments": lambda k, x: k(x, np.array([0, 0, 1]), "Mean", 2),
        "_unsorted": lambda k, x: k(x, ROW, 3, "Sum"),
    },
    "special": _same(
        {
            "_betainc": lambda k, x: k(given(X, x) + 1, given(X.T, x) + 1, x),
            "_complex_abs": lambda k, x: k(x + 1j * x.T),
            "angle": lambda k, x: k(x + 1j * x.T),
            "igamma": lambda k, x: k(given(X, x) + 1, x),
            "igammac": lambda k, x: k(given(X, x) + 1, x),
            "logit": one,
            "mvlgamma": lambda k, x: k(x + 1, 2),
            "nextafter": lambda k, x: k(x, x + 1),
            "polar": lambda k, x: jnp.real(k(x, x.T)),
            "polygamma": lambda k, x: k(np.int32(1), x + 1),
            "view_as_real": lambda k, x: k(x + 1j * x.T),
            "zeta": lambda k, x: k(given(X, x) + 2, x),
        },
        pairs=("_mul_no_nan _square_sum_all fmax fmin ldexp xdivy", two),
        single=(
            "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e "
            "bessel_k1 bessel_k1e bessel_y0 bessel_y1 sinc",
            lambda k, x: k(x + 1),
        ),
    ),
    "stacking": {
        "column_stack": lambda k, x: k((x, x * 2)),
        "dstack": lambda k, x: k((x, x * 2)),
        "_identity_n": lambda k, x: k((x, x * 2)),
        "_padded": lambda k, x: k(x, x[0, 0], ((1, 0), (0, 1)), "constant"),
        "_parallel_concat": lambda k, x: k((x[:1], x[1:2])),
        "batch_to_space_nd": lambda k, x: k(x.reshape(3, 1, 1, 3), (1, 3), ((0, 0), (0, 1))),
        "channel_shuffle": lambda k, x: k(x.reshape(1, 9, 1), 3),
        "_grown": lambda k, x: k(x, 3),
        "padding": lambda k, x: k(x[:, :1], 4),
        "rot90": lambda k, x: k(x, 1, (0, 1)),
        "space_to_batch_nd": lambda k, x: k(x.reshape(1, 1, 3, 3), (3, 1), ((0, 0), (0, 0))),
    },
    "vectors": {
        "_addr": lambda k, x: k(x, x[0], x[1], 2.0, 3.0),
        "_block_diag": lambda k, x: k((x, x[0])),
        "_cartesian_prod": lambda k, x: k((x[0], x[1])),
        "cond": lambda k, x: k(x + EYE, 1),
        "_cov": lambda k, x: k(x, None, None, 1),
        "_rows_of": lambda k, x: k(x[0], ((0, 1), (1, 2))),
        "trapz": lambda k, x: k(x, x.T, dim=1),
        "vector_norm": lambda k, x: k(x, 3, 1),
        "batch_dot": lambda k, x: k(x, x * 2),
        "bidense": lambda k, x: k(x, x * 2, x[None], None),
        "pdist": one,
        "renorm": lambda k, x: k(x, 2, 0, 0.5),
        "vander": lambda k, x: k(x[0]),
        "vecdot": lambda k, x: k(x, x.T),
    },
    "writing": {
        "_filled": lambda k, x: k(x, ROW[:1], x[0, 0], 0),
        "_embedding_lookup": lambda k, x: k(x, ROW, 1),
        "_masked_scatter": lambda k, x: k(x, MASK, x.T * 2),
        "_rows_changed": lambda k, x: k(x, x[:2] * 2, (0, 2), "add"),
        "select_scatter": lambda k, x: k(x, x[0] * 2, 1, 0),
        "slice_scatter": lambda k, x: k(x, x[:2] * 2, 0, 0, 3, 2),
    },
    "state": _same(pairs=("_assign _assign_add _assign_sub", two)),
    "unary": _same(
        {
            "acosh": lambda k, x: k(x + 1.5),
            "erfinv": centred,
            "_complex": lambda k, x: jnp.real(k(x, x.T) * (1 + 2j)),
        },
        single=(
            "abs acos asin asinh atan atanh conj cos cosh deg2rad digamma erf erfc exp exp2 expm1 "
            "frac inv lgamma log log10 log1p log2 nan_to_num neg positive rad2deg real reciprocal "
            "rsqrt sigmoid sin sinh sqrt square tan tanh",
            one,
        ),
    ),
}


def test_every_operator_is_listed_once():
    differentiable = {f"{f}.{name}" for f, table in DIFFERENTIABLE.items() for name in table}
    without = {f"{f}.{name}" for f, names in WITHOUT_GRADIENT.items() for name in names.split()}
    assert not differentiable & without
    listed = differentiable | without
    assert not set(ALL) - listed, "give each a call in DIFFERENTIABLE, or list it WITHOUT_GRADIENT"
    assert not listed - set(ALL), "there is no such operator: take it out of the table"


def _derivatives(fn: Callable[[Any], Any], rng: np.random.Generator) -> Callable[[Any], Any]:
    """Return ``x -> (w f(x), its gradient, that one's along u)``, for fixed random w and u."""

    def first(x: Any) -> tuple[Any, Any]:
        outs, pull = jax.vjp(fn, x)
        weights = jax.tree.map(lambda out: rng.standard_normal(out.shape).astype(out.dtype), outs)
        value = sum(jax.tree.leaves(jax.tree.map(jnp.vdot, weights, outs)))
        return value, pull(weights)[0]

    def evaluate(x: Any) -> tuple[Any, Any, Any]:
        gradient, pull, value = jax.vjp(lambda x: first(x)[::-1], x, has_aux=True)
        return value, gradient, pull(DIRECTIONS[0])[0]

    return evaluate


@pytest.mark.parametrize("family", DIFFERENTIABLE)
def test_derivatives(family):
    """Against differences of two values along a direction, first and second."""
    calls = DIFFERENTIABLE[family].items()
    kernels = {name: (call, ALL[f"{family}.{name}"].kernel) for name, call in calls}

    def evaluate(x: Any) -> dict[str, Any]:
        rng = np.random.default_rng(0)
        return {
            name: _derivatives(lambda x, call=call, kernel=kernel: call(kernel, x), rng)(x)
            for name, (call, kernel) in kernels.items()
        }

    u, v = DIRECTIONS
    # In float64 a second difference still has six digits.
    with jax.enable_x64(True):
        compiled = jax.jit(evaluate)
        before, there, after = (compiled(jnp.asarray(X) + step * v) for step in (-EPS, 0, EPS))
    for name in kernels:
        (low, first_low, _), (_, first, second), (high, first_high, _) = (
            [np.asarray(each) for each in at[name]] for at in (before, there, after)
        )
        close = {"rtol": 1e-4, "atol": 1e-4, "err_msg": f"{family}.{name}"}
        np.testing.assert_allclose(np.vdot(first, v), (high - low) / (2 * EPS), **close)
        along = np.vdot(u, first_high - first_low) / (2 * EPS)
        np.testing.assert_allclose(np.vdot(second, v), along, **close)


# JAX's zeta compares with the largest number.
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize("family", DIFFERENTIABLE)
def test_doubles_need_no_setting_of_jax(family):
    """As users have it: 64-bit values in a process whose default is 32 bits; traced only."""

    def gradient(fn: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def pulled(x: Any) -> Any:
            outs, pull = jax.vjp(fn, x)
            return pull(jax.tree.map(jnp.ones_like, outs))[0]

        return pulled

    for name, call in DIFFERENTIABLE[family].items():
        kernel = ALL[f"{family}.{name}"].kernel
        second = gradient(gradient(lambda x, call=call, kernel=kernel: call(kernel, x)))
        assert jax.jit(second).trace(to_device(X)).out_info.dtype == jnp.float64, name
