"""Operators at the points, ties and dtypes where a rule of their own decides, and no formula."""

import operator

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case

INF, NAN = float("inf"), float("nan")


def of(*values, dtype="float32"):
    return Tensor(np.array(values), getattr(ms, dtype))


GRADIENTS = {
    "bessel_i0": (ops.bessel_i0, (-1.0, 0.0, 2.0)),
    "i0": (lambda x: x.i0(), (-1.0, 0.0, 2.0)),
    "digamma": (ops.digamma, (0.0, 2.5)),
    "lgamma": (ops.lgamma, (0.0, -0.0, 2.5)),
    "logit": (ops.logit, (0.0, 0.5, 1.0, -1.0, 2.0, NAN)),
    "logit_eps": (lambda x: ops.logit(x, 0.25), (0.0, 0.25, 0.5, 0.75, 1.0)),
    "copysign": (lambda x: ops.copysign(x, of(1, -1, 1, -1, 0)), (0.0, 0.0, -2.0, 3.0, 1.0)),
    "copysign_to": (lambda x: ops.copysign(of(1, -1, 0), x), (0.0, 2.0, -2.0)),
    "fmax": (lambda x: ops.fmax(x, of(0, 3, 1, NAN, 1)), (0.0, 1.0, 2.0, 1.0, NAN)),
    "fmax_other": (lambda x: ops.fmax(of(0, 3, 1, NAN, 1), x), (0.0, 1.0, 2.0, 1.0, NAN)),
    "fmax_number": (lambda x: ops.fmax(x, 1), (0.0, 1.0, 2.0)),
    "hypot": (lambda x: ops.hypot(x, of(0, -1, 2, 0)), (0.0, 3.0, 0.0, -2.0)),
    "entropy": (
        lambda x: ops.binary_cross_entropy(x, of(1, 0, 0, 1, 0.5), reduction="none"),
        (0.0, 1.0, 0.0, 1.0, 0.25),
    ),
    "entropy_by_labels": (
        lambda x: ops.binary_cross_entropy(of(0, 1, 0.25), x, reduction="none"),
        (1.0, 1.0, 0.5),
    ),
    "kl_div": (
        lambda x: ops.kl_div(x, of(0.5, 0, -2), "none"),
        (-1.0, -INF, -2.0),
    ),
    "clip_by_norm_of_zeros": (lambda x: ops.clip_by_norm(x, 1.0), (0.0, 0.0)),
    "clip_by_norm_inf": (lambda x: ops.clip_by_norm(x, 1.0, INF), (2.0, -2.0, 1.0)),
    "clip_by_global_norm": (lambda x: ops.clip_by_global_norm((x, x))[0], (0.5, 0.5)),
    "renorm_of_zeros": (lambda x: ops.renorm(x, 2, 0, 1.0), ([0, 0], [3, 4])),
    "cdist_0": (lambda x: ops.cdist(x, of([1, 2], [0, 4]), 0.0), ([1, 2], [3, 4])),
    "pdist_0": (lambda x: ops.pdist(x, 0.0), ([1, 2], [3, 2])),
    "norm_inf": (lambda x: ops.norm(x, INF), (1.0, -3.0, 3.0)),
    "norm_inf_of_zeros": (lambda x: ops.norm(x, INF), (0.0, 0.0)),
    "norm_smallest": (lambda x: ops.norm(x, -INF, dim=0), (-1.0, 3.0, 1.0)),
    "norm_inf_of_rows": (lambda x: ops.norm(x, INF, dim=1), ([3, 3, -3], [0, 0, 0])),
    "vector_norm_inf": (lambda x: ops.vector_norm(x, INF, axis=(0, 1)), ([2, -3], [-3, 3])),
    **{
        f"matrix_norm_{order}": (
            lambda x, order=order: ops.matrix_norm(x, order),
            ([1, 0, 2], [0, -1, 0]),
        )
        for order in (1, -1, INF, -INF)
    },
    "matrix_norm_of_zeros": (lambda x: ops.matrix_norm(x, 1), ([0, 0], [0, 0])),
}


@case.table({key: (key,) for key in GRADIENTS}, tol=1e-5)
def gradient(key):
    function, values = GRADIENTS[key]
    return function(of(*values)), ms.grad(function)(of(*values))


def ramp(dtype):
    return of(-4, -2, 0, 1, 2, 5, dtype=dtype)


def summed(name, dtype, other, alpha):
    return getattr(of(1, 2, dtype=dtype), name)(other, alpha=alpha)


VALUES = {
    "digamma": lambda: ops.digamma(of(0.0, -0.0, -1.0)),
    "flatten_of_one": lambda: ops.Flatten()(of(1, 2, 3)),
    "flatten_of_three": lambda: ops.Flatten()(of([[1, 2]], [[3, 4]])),
    "flatten_of_none": lambda: ops.Flatten()(Tensor(2.0)),
    "flatten_empty": lambda: ops.Flatten()(Tensor(np.zeros((0, 2, 3)), ms.float32)),
    "trapz_64": lambda: ops.trapz(of(1, 2, 4, dtype="float64")),
    "trapz_16": lambda: ops.trapz(of(1, 2, 4, dtype="float16")),
    "trapz_b16": lambda: ops.trapz(of(1, 2, 4, dtype="bfloat16")),
    "trapz_of_16": lambda: ops.trapz(*(of(1, 2, 4, dtype="float16"),) * 2),
    "xlogy_numbers": lambda: [
        ops.xlogy(*given)
        for given in (
            (of(1, 2, dtype="float16"), 2.5),
            (2, of(1, 2, dtype="float16")),
            (of(1, 2, dtype="float64"), 2),
        )
    ],
    "gaussian_nll_16": lambda: ops.gaussian_nll_loss(
        *(of(1, 2, dtype="float16"),) * 3, full=True, reduction="none"
    ),
    "trapz_of_both": lambda: ops.trapz(of(1, 2, 4, dtype="float16"), of(1, 2, 4)),
    "trapz_of_integers": lambda: ops.trapz(of(1, 2, 4, dtype="int32"), of(1, 3, 4, dtype="int32")),
    "norm_inf_of_none": lambda: ops.norm(Tensor(np.zeros((3, 0)), ms.float32), INF, dim=1),
    "norm_inf_complex": lambda: ops.norm(of(1, 2j, dtype="complex64"), INF),
    "matrix_norm_complex": lambda: ops.matrix_norm(of([1, 2j], [3, 1], dtype="complex64"), 1),
    "matrix_norm_16": lambda: ops.matrix_norm(of([1, 2], [3, 1], dtype="float16"), INF, (1, 0)),
    "matrix_norm_kept": lambda: ops.matrix_norm(of([1, 2], [3, 1]), -1, keepdims=True),
    "outer_of_a_matrix": lambda: ops.outer(of([1, 2], [3, 4]), of(1, 2)),
    "outer_with_a_matrix": lambda: ops.outer(of(1, 2), of([1, 2], [3, 4])),
    "outer_of_two": lambda: ops.outer(of([1, 2], [3, 4]), of([1, 2], [3, 4])),
    **{
        f"{name}_alpha_{key}": lambda name=name, given=given: summed(name, *given)
        for name in ("add", "sub")
        for key, given in {
            "int": ("int16", 2, 3),
            "none": ("int16", 2, 0),
            "float": ("float16", 2, 2.5),
            "bool": ("int16", True, 2),
        }.items()
    },
    "xlogy_gradient": lambda: ms.grad(lambda x: ops.xlogy(x, of(0, 2, 2)))(of(0, 0, 1)),
    "celu_of_0": lambda: ops.celu(of(1, -1), 0.0),
    "softshrink_below_0": lambda: ops.softshrink(of(1, -1), -1.0),
    "kl_div_of_shapes": lambda: ops.kl_div(of([1, 2], [3, 4]), of(1, 2)),
    "trace_of_three": lambda: ops.trace(of([[1, 2]])),
    "ldexp_numbers": lambda: [
        ops.ldexp(*given)
        for given in (
            (of(1, 2), 2),
            (of(1, 2, dtype="float16"), 2.5),
            (of(1, 2, dtype="int32"), 2),
            (3.5, of(1, 2, dtype="float64")),
            (3, of(1, 2, dtype="int32")),
            (of(1, 2, dtype="float16"), of(1, 2, dtype="int32")),
            (of(1, 2, dtype="float64"), of(1, 2, dtype="int32")),
        )
    ],
    "matrix_set_diags": lambda: ops.matrix_set_diag(
        of([1, 2], [3, 4], [5, 6]), of([7, 8], [9, 0]), of(-1, 0, dtype="int32")
    ),
    "matrix_set_diag": lambda: [
        ops.matrix_set_diag(of([1, 2], [3, 4], dtype=x), of(1.5, 2, dtype=y))
        for x, y in (("int64", "float32"), ("float32", "float64"), ("float16", "float32"))
    ],
    "lgamma_of_int32": lambda: ops.lgamma(of(3, 5, -2, dtype="int32")),
    "quotients_of_float16": lambda: [
        function(of(1, 7, 44, 100, dtype="float16"), of(number, dtype="float16"))
        for number in (44, 3, 7, 0.3)
        for function in (ops.div, ops.RealDiv(), ops.DivNoNan())
    ],
    "float16_by_numbers": lambda: [
        of(1, 7, 44, 100, dtype="float16") / number for number in (44, 3.0, 7, 0.3)
    ],
    "cosine_similarity_of_none": lambda: ops.cosine_similarity(Tensor(2.0), Tensor(-3.0), 0),
    **{
        f"{name}_{dtype}": lambda name=name, dtype=dtype: getattr(ops, name)(ramp(dtype))
        for name in ("hardswish", "hardsigmoid", "hardshrink", "softshrink")
        for dtype in ("int8", "int16", "int32", "int64", "float32", "complex64")
    },
}


@case.table({key: (key,) for key in VALUES})
def value(key):
    return VALUES[key]()


COMPARISONS = {
    "equal": ops.equal,
    **{name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
}
BEYOND = (("int8", 300), ("int8", -200), ("uint8", 300), ("uint8", -1), ("int32", 2**40 + 44))


@case.table({name: (compare,) for name, compare in COMPARISONS.items()})
def compared_beyond_its_range(compare):
    return [compare(of(0, 1, 44, 100, dtype=dtype), number) for dtype, number in BEYOND]


GRID = np.linspace(-1.4, 1.4, 15)


@case.table(
    {
        f"{size}_{padding}_{'corners' if corners else 'centers'}": (size, padding, corners)
        for size in (5, 6)
        for padding in ("zeros", "border", "reflection")
        for corners in (True, False)
    }
)
def sampled_halfway(size, padding, corners):
    """The nearest element where two are as near, in images and in volumes."""
    image = np.arange(1, size**2 + 1).reshape(1, 1, size, size)
    places = np.stack([GRID, np.zeros(15)], -1).reshape(1, 1, 15, 2)
    volume = np.arange(1, size**3 + 1).reshape(1, 1, size, size, size)
    deep = np.stack([GRID, np.zeros(15), np.zeros(15)], -1).reshape(1, 1, 1, 15, 3)
    return [
        ops.grid_sample(*(Tensor(x, ms.float32) for x in given), "nearest", padding, corners)
        for given in ((image, places), (volume, deep))
    ]


@case.table({mode: (mode,) for mode in ("nearest", "bilinear")})
def sampled_nowhere(mode):
    """Places that are not finite are outside, as those of points at no distance."""
    image, places = of([1, 2], [3, 4]), of([NAN, 0], [INF, 0], [-INF, 0], [0, NAN], [0.5, 0.5])
    return ops.grid_sample(image.reshape(1, 1, 2, 2), places.reshape(1, 1, 5, 2), mode)


@case.table(
    {f"{ddof}_{dtype}": (ddof, dtype) for ddof in (2, 3) for dtype in ("float32", "float16")}
)
def variance_by_nothing(ddof, dtype):
    """The count less ddof is 0, or negative."""
    x = of([1, 2], [3, 3], dtype=dtype)
    return ops.var(x, 1, ddof=ddof), x.var(0, ddof), ops.std(of([1, 2], [4, 3]), 1, ddof=ddof)


POINTS, OTHERS = ([1, 2, 0], [0, 0, 0]), ([0, 1, 1], [1, 2, 0], [3, 2, -2])
DISTANCES = {
    "norm_of_zeros_by_int": lambda x, y: ops.norm(x, 2, 1),
    "norm_of_zeros_by_float": lambda x, y: ops.norm(x, 2.0, 1),
    "norm_of_zeros_by_default": lambda x, y: ops.norm(x, dim=1),
    "norm_of_zeros_method": lambda x, y: x.norm(2, 1, True),
    "cdist_largest": lambda x, y: ops.cdist(x, y, INF),
    "cdist_half": lambda x, y: ops.cdist(x, y, 0.5),
}


@case.table({key: (key,) for key in DISTANCES}, tol=1e-5)
def gradient_of_distances(key):
    """Equal points, and differences of which some are as large as another, or 0."""
    function, given = DISTANCES[key], (of(*POINTS), of(*OTHERS))
    return function(*given), ms.grad(lambda x, y: function(x, y).sum(), (0, 1))(*given)


@case
def distinct_nans():
    x = of(1, NAN, NAN, 1, 2, NAN)
    return ops.unique(x), ops.Unique()(x)


SUMMANDS = {
    "int": lambda: 2,
    "float": lambda: 1.5,
    "bool": lambda: True,
    "tensor": lambda: Tensor(2),
}


@case.table({key: (key,) for key in SUMMANDS})
def added_to_products(key):
    """A number where a matrix is expected, and factors that are no ints."""
    a, b = of([1, 2, 3], [4, 5, 6]), of([1, 2], [3, 4], [5, 6])
    rows, columns = of([[1, 2], [3, 4]]), of([[1, 0], [2, 1]])
    return [
        function(SUMMANDS[key](), *given, **factors)
        for function, given in ((ops.addmm, (a, b)), (ops.addbmm, (rows, columns)))
        for factors in ({}, {"beta": 0.5, "alpha": 2}, {"beta": 2, "alpha": 0.5})
    ]


@case
def outer_of_complex():
    x, y = of(1 + 2j, 3 - 1j, dtype="complex64"), of(2j, 1 - 1j, 4, dtype="complex64")
    return ops.outer(x, y), x.outer(y)


PRODUCTS = {
    "mul": (lambda x, u: ops.tensor_scatter_mul(x, of([0], [2], dtype="int32"), u), (2.0, 0.5)),
    "div": (lambda x, u: ops.tensor_scatter_div(x, of([0], [2], dtype="int32"), u), (2.0, 0.5)),
    "segments": (
        lambda x, u: ops.unsorted_segment_prod(x, of(0, 2, 0, 2, dtype="int32"), 3),
        (2.0, 0.5),
    ),
}


@case.table({key: (key,) for key in PRODUCTS}, tol=1e-5)
def second_derivative_of_products(key):
    function, updates = PRODUCTS[key]
    first = ms.grad(lambda x, u: (function(x, u) ** 3).sum(), (0, 1))

    def weighed(x, u):
        of_x, of_u = first(x, u)
        return (of_x * of(1, -2, 0.5, 3)).sum() + (of_u * of(2, -1)).sum()

    given = of(1.5, 2, 3, -1), of(*updates)
    return first(*given), ms.grad(weighed, (0, 1))(*given)
