"""Random regions and windows as far as chance has no part in them; MapUniform, DumpGradient."""

from tempfile import mkdtemp

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, outcome


def ints(values, dtype=ms.int32):
    return Tensor(np.array(values), dtype)


def image():
    return numbers(2, 4, 5, 2)


def points(*values):
    return Tensor([[0.3, -0.2], values or (-0.5, 0.6)], ms.float32)


def glimpse(*options, of=image, size=(2, 3), at=points):
    return ops.ExtractGlimpse(*options), (of(), ints(size), at())


GLIMPSES = {
    "middle": lambda: glimpse(at=lambda: Tensor(np.zeros((2, 2)), ms.float32)),
    "centered": lambda: glimpse(True, True, False, "zero"),
    "centered_pixels": lambda: glimpse(True, False, False, "zero"),
    "corner": lambda: glimpse(False, True, False, "zero"),
    "corner_pixels": lambda: glimpse(False, False, False, "zero"),
    "outside": lambda: glimpse(True, True, False, "zero", at=lambda: points(2.0, -1.5)),
    "larger": lambda: glimpse(True, True, False, "zero", size=(6, 6)),
    "another_noise": lambda: glimpse(True, True, True, "zero"),
    "no_noise": lambda: glimpse(True, True, False, "some"),
    "noise_type": lambda: glimpse(True, True, False, 3),
    "dtype": lambda: glimpse(of=lambda: image().astype(ms.float16)),
    "points_dtype": lambda: glimpse(at=lambda: points().astype(ms.float64)),
    "points_shape": lambda: glimpse(at=lambda: points()[:1]),
    "rank": lambda: glimpse(of=lambda: image()[0]),
    "size": lambda: glimpse(size=(0, 2)),
}


@case.table({name: (row,) for name, row in GLIMPSES.items()})
def extract_glimpse(row):
    operator, inputs = row()
    return operator(*inputs)


@case.table({"uniform": (True, "uniform"), "gaussian": (False, "gaussian")})
def glimpse_noise(uniform, noise):
    far = Tensor(np.full((2, 2), 9), ms.float32)
    found = ops.ExtractGlimpse(True, True, uniform, noise)(image(), ints([40, 40]), far).asnumpy()
    low, high = (-1, 1) if uniform else (7, 13)
    spread = 0.577 if uniform else 0.5
    return [
        found.shape,
        found.dtype,
        bool(low <= found.min() and found.max() <= high),
        bool(abs(found.mean() - (low + high) / 2) < 0.1),
        bool(abs(found.std() - spread) < 0.05),
    ]


EVEN = [1.0, 2.0, 2.5, 1.0]


def pool(name, ratio=EVEN, *options, of=image, cast=None):
    return getattr(ops, f"Fractional{name}Pool")(ratio, *options), (
        of() if cast is None else (of() * 9).astype(cast),
    )


# The gradient of FractionalMaxPool raises in 2.10.
POOLS = {
    "avg": (lambda: pool("Avg", [1.0, 2.0, 1.0, 1.0]), (0,)),
    "avg_overlapping": (lambda: pool("Avg", [1.0, 2.0, 5.0, 1.0], False, True), (0,)),
    "avg_seeds": (lambda: pool("Avg", [1.0, 2.0, 1.0, 1.0], False, False, True, 3, 4), None),
    "max": (lambda: pool("Max", [1.0, 2.0, 1.0, 1.0]), None),
    "max_overlapping": (lambda: pool("Max", [1.0, 2.0, 5.0, 1.0], False, True), None),
    "max_whole": (lambda: pool("Max", [1.0, 1.0, 1.0, 1.0]), None),
    "max_pseudo": (lambda: pool("Max", [1.0, 2.0, 1.0, 1.0], True, False, True, 3, 4), None),
    "int32": (lambda: pool("Avg", [1.0, 2.0, 5.0, 1.0], cast=ms.int32), None),
    "int64": (lambda: pool("Max", [1.0, 2.0, 5.0, 1.0], cast=ms.int64), None),
    "float64": (lambda: pool("Max", [1.0, 2.0, 5.0, 1.0], cast=ms.float64), None),
    "float16": (lambda: pool("Max", cast=ms.float16), None),
    "rank": (lambda: pool("Max", of=lambda: image()[0]), None),
    "ratio_type": (lambda: pool("Max", (1.0, 2.0, 2.0, 1.0)), None),
    "ratio_ints": (lambda: pool("Max", [1, 2.0, 2.0, 1]), None),
    "ratio_below": (lambda: pool("Avg", [1.0, 0.5, 2.0, 1.0]), None),
    "ratio_batch": (lambda: pool("Avg", [2.0, 2.0, 2.0, 1.0]), None),
    "ratio_length": (lambda: pool("Avg", [1.0, 2.0, 2.0]), None),
    "ratio_above": (lambda: pool("Avg", [1.0, 9.0, 2.0, 1.0]), None),
    "seed": (lambda: pool("Avg", EVEN, False, False, False, 3), None),
    "seed_type": (lambda: pool("Avg", EVEN, False, False, True, 0.5), None),
}


@case.table(POOLS)
def fractional_pool(row, positions):
    operator, inputs = row()
    return outcome(operator, inputs, positions)


@case.table({"random": (False,), "pseudo": (True,)})
def fractional_windows(pseudo):
    images = numbers(1, 10, 7, 1)
    found = []
    for seed in range(1, 4):
        operator = ops.FractionalMaxPool([1.0, 1.44, 1.73, 1.0], pseudo, False, True, seed, 2)
        first, rows, columns = (t.asnumpy() for t in operator(images))
        again = operator(images)[0].asnumpy()
        edges = [
            (e[0], e[-1], *(int(f(np.diff(e))) for f in (min, max, len))) for e in (rows, columns)
        ]
        found.append((first.shape, rows.dtype.name, edges, bool((first == again).all())))
    return found


def keys():
    return ints([[3, 8], [-9, 2]])


UNIFORM = {
    "usual": lambda: (keys(), ints(4), ints(8)),
    "numbers": lambda: (keys(), 4, 8),
    "long": lambda: (keys().astype(ms.int64), ints(4, ms.int64), ints(8, ms.int64)),
    "mixed": lambda: (keys(), ints(4, ms.int64), ints(8)),
    "float": lambda: (keys().astype(ms.float32), ints(4), ints(8)),
    "unsigned": lambda: (keys().astype(ms.uint8), ints(4), ints(8)),
    "size_float": lambda: (keys(), 4.0, 8),
}


@case.table({name: (row,) for name, row in UNIFORM.items()})
def map_uniform(row):
    return ops.MapUniform()(*row())


def box(*corners):
    return Tensor([[corners or (0.2, 0.2, 0.7, 0.8)]], ms.float32)


def sample(size=(32, 48, 3), boxes=box, least=0.5, dtype=ms.int32, **options):
    operator = ops.SampleDistortedBoundingBoxV2(**options)
    return operator(ints(size, dtype), boxes(), Tensor([least], ms.float32))


def nothing():
    return Tensor(np.zeros((1, 0, 4)), ms.float32)


SAMPLES = {
    "whole": lambda: sample(least=1.0, seed=1, max_attempts=1, area_range=[0.01, 0.011]),
    "int64": lambda: sample(least=1.0, dtype=ms.int64, max_attempts=1, area_range=[0.01, 0.011]),
    "uint8": lambda: sample(least=1.0, dtype=ms.uint8, max_attempts=1, area_range=[0.01, 0.011]),
    "float": lambda: sample(dtype=ms.float32),
    "size": lambda: sample(size=(32, 48)),
    "no_boxes": lambda: sample(boxes=nothing),
    "outside": lambda: sample(boxes=lambda: box(0.2, 0.2, 1.7, 0.8)),
    "turned": lambda: sample(boxes=lambda: box(0.8, 0.2, 0.7, 0.8)),
    "rank": lambda: sample(boxes=lambda: box()[0]),
    "least": lambda: sample(least=1.5),
    "aspects": lambda: sample(aspect_ratio_range=[0.5, 1.0, 2.0]),
    "aspects_equal": lambda: sample(aspect_ratio_range=[1.0, 1.0]),
    "aspects_negative": lambda: sample(aspect_ratio_range=[-0.5, 1.0]),
    "areas": lambda: sample(area_range=[0.5, 2.0]),
    "attempts": lambda: sample(max_attempts=0),
    "attempts_type": lambda: sample(max_attempts="many"),
}


@case.table({name: (row,) for name, row in SAMPLES.items()})
def sample_box(row):
    return row()


@case.table(
    {"boxes": ({},), "image": ({"boxes": nothing, "use_image_if_no_bounding_boxes": True},)}
)
def sampled_regions(options):
    begins, sizes, areas, inside = set(), [], [], []
    for seed in range(1, 60):
        begin, size, found = (t.asnumpy() for t in sample(seed=seed, seed2=7, **options))
        begins.add((*begin, *size))
        areas.append(size[0] * size[1] / (32 * 48))
        sizes.append(size[1] / size[0])
        ends = (begin[:2] + size[:2]) / (32, 48)
        inside.append(bool((ends <= 1).all()))
        inside.append(bool(np.allclose(found[0, 0], [*begin[:2] / (32, 48), *ends])))
    return [
        len(begins) > 40,
        all(inside),
        bool(0.12 < min(areas) < 0.6 and 0.6 < max(areas) <= 1),
        bool(0.7 < min(sizes) < 0.9 and 1.2 < max(sizes) < 1.4),
    ]


@case.table({"in": ("in",), "out": ("out",), "another": ("some",)})
def dump_gradient(where):
    path = f"{mkdtemp()}/gradient.npy"

    def scaled(x):
        return (ops.DumpGradient()(path, x * x, where) * 3).sum()

    return ops.DumpGradient()(path, numbers(2), where), ms.grad(scaled)(numbers(2))
