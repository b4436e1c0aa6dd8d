"""Clipping by value and by norms: values, containers, dtypes, gradients, errors (facts 4.7)."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

from tests.parity.case import case

INF, NAN = float("inf"), float("nan")


@case.table(
    {
        "numbers": (lambda x: ops.clip_by_value(x, 2, 6),),
        "tensors": (lambda x: ops.clip_by_value(x, Tensor(2.0), Tensor(6.0)),),
        "bounds_of_a_shape": (
            lambda x: ops.clip_by_value(x, Tensor([2.0, 1.0, 0.0]), Tensor([6.0, 2.0, 1.0])),
        ),
        "low_above_high": (lambda x: ops.clip_by_value(x, 7, 3),),
        "low": (lambda x: ops.clip_by_value(x, 2),),
        "high": (lambda x: ops.clip_by_value(x, clip_value_max=3),),
        "neither": (lambda x: ops.clip_by_value(x),),
        "tuple": (lambda x: ops.clip_by_value((x, x * 2), 2, 3),),
        "list": (lambda x: ops.clip_by_value([x, x * 2], 2, 3),),
        "half": (lambda x: ops.clip_by_value(x.astype(ms.float16), 2, 3),),
        "integers": (lambda x: ops.clip_by_value(x.astype(ms.int64), 2, 3),),
        "integers_by_floats": (lambda x: ops.clip_by_value(x.astype(ms.int64), 2.5, 6.5),),
        "integers_by_float_tensors": (
            lambda x: ops.clip_by_value(x.astype(ms.int64), Tensor(2.5), Tensor(6.5)),
        ),
        "tuple_with_number": (lambda x: ops.clip_by_value((x, 3), 2, 3),),
        "number": (lambda x: ops.clip_by_value(3, 2, 3),),
        "text_bound": (lambda x: ops.clip_by_value(x, "a", 3),),
        "clamp": (lambda x: ops.clamp(x, 2, 6),),
        "clamp_min": (lambda x: ops.clamp(x, min=2),),
        "clamp_max": (lambda x: ops.clamp(x, max=2),),
        "clamp_neither": (lambda x: ops.clamp(x),),
        "clamp_low_above_high": (lambda x: x.clamp(7, 3),),
        "clamp_tensors": (lambda x: x.clamp(Tensor(2.0), Tensor(6.0)),),
        "clamp_integers_by_floats": (lambda x: x.astype(ms.int64).clamp(2.5, 6.5),),
        "clamp_single": (lambda x: x.clamp(np.float32(2.5)),),
        "clamp_numbers": (lambda x: ops.clamp(x.astype(ms.int64), np.int32(2), np.float32(6.5)),),
        "clamp_bool": (lambda x: ops.clamp(x, np.bool_(True)),),
        "value_single": (lambda x: ops.clip_by_value(x, np.float32(2.5), np.int64(6)),),
        "clip": (lambda x: ops.clip(x, 2, 6),),
        "clip_method": (lambda x: x.clip(2, 6),),
    }
)
def by_value(clip):
    return clip(Tensor([1.0, 5.0, 9.0]))


@case.table(
    {
        "clip_by_value": (lambda x: ops.clip_by_value(x, 1.0, 3.0),),
        "clip_by_value_low": (lambda x: ops.clip_by_value(x, 1.0),),
        "clip_by_value_tensors": (lambda x: ops.clip_by_value(x, Tensor(1.0), Tensor(3.0)),),
        "clamp": (lambda x: ops.clamp(x, 1.0, 3.0),),
        "clamp_tensors": (lambda x: ops.clamp(x, Tensor(1.0), Tensor(3.0)),),
        "clip_method": (lambda x: x.clip(1.0, 3.0),),
    }
)
def gradient_by_value(clip):
    return ms.grad(clip)(Tensor([1.0, 3.0, 2.0, 0.0, 4.0]))


@case
def gradient_of_integers_by_value():
    return ms.grad(lambda x: ops.clip_by_value(x, 0, 5) * 3)(Tensor([1, -2]))


@case.table(
    {
        "tensor": (lambda x: ops.clip_by_norm(x, 1.0),),
        "within": (lambda x: ops.clip_by_norm(x, 10),),
        "tuple": (lambda x: ops.clip_by_norm((x, x * 2), 1.0),),
        "list": (lambda x: ops.clip_by_norm([x, x * 2], 1.0),),
        "order_one": (lambda x: ops.clip_by_norm(x, 1.0, 1),),
        "order_inf": (lambda x: ops.clip_by_norm(x, 1.0, INF),),
        "nonfinite": (lambda x: ops.clip_by_norm(x * NAN, 1.0, 2.0, True),),
        "infinite": (lambda x: ops.clip_by_norm(Tensor([INF, 4.0]), 1.0),),
        "integers": (lambda x: ops.clip_by_norm(x.astype(ms.int64), 1.0),),
        "half": (lambda x: ops.clip_by_norm(x.astype(ms.float16), 1.0),),
        "text": (lambda x: ops.clip_by_norm(x, "a"),),
        "negative": (lambda x: ops.clip_by_norm(x, -1.0),),
        "number": (lambda x: ops.clip_by_norm(3, 1.0),),
        "empty": (lambda x: ops.clip_by_norm((), 1.0),),
        "zeros": (lambda x: ops.clip_by_norm(x * 0, 1.0),),
        "order_zero": (lambda x: ops.clip_by_norm(x, 1.0, 0.0),),
    }
)
def by_norm(clip):
    return clip(Tensor([3.0, 4.0]))


@case.table(
    {
        "tuple": (lambda x, y: ops.clip_by_global_norm((x, y), 1.0),),
        "list": (lambda x, y: ops.clip_by_global_norm([x, y], 1.0),),
        "tensor": (lambda x, y: ops.clip_by_global_norm(x, 1.0),),
        "default": (lambda x, y: ops.clip_by_global_norm((x, y)),),
        "within": (lambda x, y: ops.clip_by_global_norm((x, y), 10),),
        "integers": (lambda x, y: ops.clip_by_global_norm((x.astype(ms.int64), y), 2),),
        "half": (lambda x, y: ops.clip_by_global_norm((x.astype(ms.float16), y), 1),),
        "parameters": (
            lambda x, y: ops.clip_by_global_norm(
                (Parameter(x, name="x"), Parameter(y, name="y")), 1.0
            ),
        ),
        "tensor_norm": (lambda x, y: ops.clip_by_global_norm((x,), Tensor(1.0)),),
        "true": (lambda x, y: ops.clip_by_global_norm((x, y), True),),
        "nan": (lambda x, y: ops.clip_by_global_norm((Tensor([NAN]), y), 1.0),),
        "inf": (lambda x, y: ops.clip_by_global_norm((Tensor([INF]), y), 1.0),),
        "zero": (lambda x, y: ops.clip_by_global_norm((x,), 0.0),),
        "negative": (lambda x, y: ops.clip_by_global_norm((x,), -1),),
        "text": (lambda x, y: ops.clip_by_global_norm((x,), "a"),),
        "use_norm": (lambda x, y: ops.clip_by_global_norm((x,), 1.0, 2.0),),
        "empty": (lambda x, y: ops.clip_by_global_norm((), 1.0),),
        "number_inside": (lambda x, y: ops.clip_by_global_norm((x, 3), 1.0),),
        "number": (lambda x, y: ops.clip_by_global_norm(3, 1.0),),
    }
)
def by_global_norm(clip):
    return clip(Tensor([3.0]), Tensor([4.0]))


# A difference of nearly equal numbers.
@case.table(
    {
        "by_norm": (lambda x: ops.clip_by_norm(x, 1.0)[0],),
        "by_norm_within": (lambda x: ops.clip_by_norm(x, 10.0)[0],),
        "by_global_norm": (lambda x: ops.clip_by_global_norm((x,), 1.0)[0][0],),
        "by_global_norm_within": (lambda x: ops.clip_by_global_norm((x,), 10.0)[0][0],),
    },
    tol=1e-5,
)
def gradient_by_norm(function):
    return ms.grad(function)(Tensor([3.0, 4.0]))


LARGER = {"row": [[1.0, 2.0]], "column": [[1.0], [1.5]], "longer": [1.0, 1.0, 1.0]}


@case.table({f"{name}_{shape}": (name, shape) for name in ("clamp", "clip") for shape in LARGER})
def bounds_larger_than_the_input(name, shape):
    return getattr(ops, name)(Tensor([1.0, 2.0]), Tensor(LARGER[shape]), None)


@case.table({shape: (shape,) for shape in LARGER})
def bounds_larger_in_place(shape):
    x = Tensor([1.0, 2.0])
    try:
        x.clamp_(Tensor(LARGER[shape]))
    except ValueError:
        return "raised", x
    return x
