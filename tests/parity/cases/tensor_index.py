"""``x[index]`` and ``x[index] = value``: results, views, gradients, errors (facts 2.4)."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor

from tests.parity.case import case


def grid(*sizes, dtype=np.float32):
    return Tensor(np.arange(np.prod(sizes)).reshape(sizes).astype(dtype))


BASIC = {
    "int": (lambda a: a[1],),
    "negative": (lambda a: a[-1],),
    "two_ints": (lambda a: a[0, 1],),
    "all_ints": (lambda a: a[1, 2, -1],),
    "tensor_int": (lambda a: a[Tensor(1)],),
    "slice": (lambda a: a[:, 1:3],),
    "slice_clipped": (lambda a: a[0, -9:100],),
    "slice_empty": (lambda a: a[:, 2:1],),
    "slice_from_end": (lambda a: a[..., -2:],),
    "slice_of_tensors": (lambda a: a[0, Tensor(1) : Tensor(3)],),
    "step": (lambda a: a[:, ::2],),
    "step_from": (lambda a: a[0, 0, 1::2],),
    "reversed": (lambda a: a[::-1],),
    "reversed_step": (lambda a: a[:, ::-2],),
    "reversed_part": (lambda a: a[0, 2:0:-1],),
    "none": (lambda a: a[None],),
    "none_inside": (lambda a: a[:, None, 0],),
    "none_last": (lambda a: a[..., None],),
    "true": (lambda a: a[True],),
    "true_and_int": (lambda a: a[0, True],),
    "ellipsis": (lambda a: a[..., 0],),
    "ellipsis_inside": (lambda a: a[1, ..., 2],),
    "ellipsis_for_nothing": (lambda a: a[1, 2, ..., 3],),
    "empty_tuple": (lambda a: a[()],),
    "colon": (lambda a: a[:],),
}
ADVANCED = {
    "tensor": (lambda a: a[Tensor([1, 0, 1])],),
    "tensor_negative": (lambda a: a[Tensor([-1])],),
    "tensor_2d": (lambda a: a[Tensor([[0, 1], [1, 0]])],),
    "tensor_empty": (lambda a: a[Tensor([], ms.int64)],),
    "tensor_int32": (lambda a: a[Tensor([1], ms.int32)],),
    "two_tensors": (lambda a: a[Tensor([0, 1]), Tensor([2, 0])],),
    "two_tensors_broadcast": (lambda a: a[Tensor([[0], [1]]), Tensor([2, 0])],),
    "tensors_apart": (lambda a: a[Tensor([0, 1]), :, Tensor([1, 2])],),
    "tensors_behind": (lambda a: a[:, Tensor([0, 1]), Tensor([1, 2])],),
    "int_and_tensor": (lambda a: a[0, Tensor([0, 1])],),
    "int_slice_tensor": (lambda a: a[0, :, Tensor([1, 2])],),
    "none_and_tensor": (lambda a: a[None, Tensor([0, 1])],),
    "tensor_and_slice": (lambda a: a[Tensor([0, 1]), 1:],),
    "slice_and_list": (lambda a: a[:, [0, 2]],),
    "list": (lambda a: a[[1, 0]],),
    "two_lists": (lambda a: a[[0, 1], [1, 2]],),
    "nested_list": (lambda a: a[[[0, 1], [1, 0]]],),
    "list_of_slices": (lambda a: a[[0, slice(None)]],),
    "tuple_inside": (lambda a: a[(0, 1), 0],),
    "mask": (lambda a: a[a > 5],),
    "mask_of_nothing": (lambda a: a[a > 500],),
    "mask_first": (lambda a: a[Tensor([True, False])],),
    "mask_two_dims": (lambda a: a[Tensor([[True, False, True], [False, True, False]])],),
    "mask_second": (lambda a: a[:, Tensor([True, False, True])],),
    "mask_list": (lambda a: a[[True, False]],),
}


@case.table(BASIC)
def basic(read):
    return read(grid(2, 3, 4))


@case.table(ADVANCED)
def advanced(read):
    return read(grid(2, 3, 4))


@case.table({**BASIC, **ADVANCED})
def of_integers(read):
    return read(grid(2, 3, 4, dtype=np.int64))


# MindSpore's gradients of these are wrong, or fail, on the CPU.
WITHOUT_GRADIENT = ("step", "step_from", "tensor_negative", "tensor_empty")


@case.table(
    {
        k: v
        for k, v in {**BASIC, **ADVANCED}.items()
        if not k.startswith("reversed") and k not in WITHOUT_GRADIENT
    }
)
def gradient(read):
    return ms.grad(lambda a: read(a) * read(a))(grid(2, 3, 4))


@case.table({k: BASIC[k] for k in ("int", "slice", "none", "ellipsis")})
def gradient_of_integers(read):
    return ms.grad(lambda a: read(a) * 3)(grid(2, 3, 4, dtype=np.int64))


@case.table(
    {
        "out_of_bounds": (lambda a: a[5],),
        "out_of_bounds_below": (lambda a: a[-3],),
        "false": (lambda a: a[False],),
        "two_ellipses": (lambda a: a[..., ...],),
        "empty_list": (lambda a: a[[]],),
        "float": (lambda a: a[1.0],),
        "numpy_array": (lambda a: a[np.array([0, 1])],),
        "text": (lambda a: a["x"],),
        "range": (lambda a: a[range(2)],),
    },
    message=True,
)
def refused_with_text(read):
    return read(grid(2, 3))


@case.table(
    {
        "too_many": (lambda a: a[0, 0, 0],),
        "numpy_int": (lambda a: a[np.int64(1)],),
        "float_tensor": (lambda a: a[Tensor([0.0, 1.0])],),
        "tensor_out_of_bounds": (lambda a: a[Tensor([1, 9])],),
        "second_tensor_out_of_bounds": (lambda a: a[:, Tensor([9])],),
        "two_tensors_out_of_bounds": (lambda a: a[Tensor([1, 9]), Tensor([0, 0])],),
        "list_out_of_bounds": (lambda a: a[[1, 9]],),
        "mask_shape": (lambda a: a[Tensor([True, False, True])],),
        "no_broadcast": (lambda a: a[Tensor([0, 1]), Tensor([0, 1, 2])],),
        "zero_step": (lambda a: a[::0],),
        "float_slice": (lambda a: a[1.0:2],),
        "numpy_slice": (lambda a: a[np.int64(1) :],),
    }
)
def refused(read):
    return read(grid(2, 3))


@case.table(
    {
        "int": (lambda a: a[0],),
        "ellipsis": (lambda a: a[...],),
        "none": (lambda a: a[None],),
        "empty_tuple": (lambda a: a[()],),
        "mask": (lambda a: a[Tensor(True)],),
    }
)
def of_a_scalar(read):
    return read(Tensor(3.0))


ROW = (1.0, 2.0, 3.0)
WRITTEN = {
    "int": (0, 9),
    "negative": (-1, 9),
    "two_ints": ((1, -1), 9),
    "row": (0, lambda: Tensor(ROW)),
    "row_of_list": (0, [1, 2, 3]),
    "row_of_tuple": (0, (1, 2, 3)),
    "slice_broadcast": (slice(0, 2), lambda: Tensor(ROW)),
    "column": ((slice(None), 1), lambda: Tensor([5.0, 6.0])),
    "one_element_of_vector": ((0, 0), lambda: Tensor([7.0])),
    "step": ((slice(None), slice(None, None, 2)), 9),
    "step_tensor": ((0, slice(None, None, 2)), lambda: Tensor([8.0, 9.0])),
    "backwards": ((0, slice(2, 0, -1)), lambda: Tensor([8.0, 9.0])),
    "nothing": (slice(0, 0), 9),
    "everything": (slice(None), True),
    "ellipsis": (Ellipsis, 1),
    "none": (None, 1),
    "none_inside": ((slice(None), None), 7),
    "true": (True, 1),
    "false": (False, 1),
    "tensor_int": (lambda: Tensor(1), 1),
    "tensor": (lambda: Tensor([1, 0]), 5),
    "tensor_rows": (lambda: Tensor([1, 0]), lambda: Tensor([ROW, (4.0, 5.0, 6.0)])),
    "two_tensors": (lambda: (Tensor([0, 1]), Tensor([1, 2])), 5),
    "same_place_twice": (lambda: (Tensor([0, 0]), Tensor([1, 1])), lambda: Tensor([5.0, 6.0])),
    "int_and_tensor": (lambda: (0, Tensor([0, 1])), 7),
    "slice_and_tensor": (
        lambda: (slice(None), Tensor([0, 1])),
        lambda: Tensor([[1.0, 2.0], [3.0, 4.0]]),
    ),
    "list": ([0, 1], 5),
    "mask": (lambda: grid(2, 3) > 2, 0),
    "mask_values": (lambda: grid(2, 3) > 2, lambda: Tensor([7.0, 8.0, 9.0])),
    "mask_of_nothing": (lambda: grid(2, 3) > 200, 7),
    "mask_first": (lambda: Tensor([True, False]), 1),
    "mask_list": (([True, False], 1), 7),
    "float_into_int_cast": (0, 2.7),
    "out_of_bounds": (5, 1),
    "too_many": ((0, 0, 0), 1),
    "float_index": (1.0, 1),
    "text_index": ("x", 1),
    "numpy_int": (lambda: np.int64(1), 1),
    "tensor_out_of_bounds": (lambda: Tensor([1, 9]), 5),
    "none_value": (0, None),
    "text_value": (0, "x"),
    "complex_value": (0, 1j),
    "numpy_value": (0, lambda: np.array([1, 2, 3])),
    "short_row": (0, lambda: Tensor([1, 2])),
    "short_list": (0, [1, 2]),
    "rank_too_high": (0, lambda: Tensor([ROW])),
    "two_for_one": ((0, 0), lambda: Tensor([1.0, 2.0])),
}


def made(thing):
    return thing() if callable(thing) else thing


@case.table(WRITTEN)
def written(index, value):
    a = grid(2, 3)
    b = a
    a[made(index)] = made(value)
    return a, b is a


@case.table({k: WRITTEN[k] for k in ("int", "row", "float_into_int_cast", "mask", "tensor_rows")})
def written_into_integers(index, value):
    a = grid(2, 3, dtype=np.int64)
    a[made(index)] = made(value)
    return a


@case.table({k: WRITTEN[k] for k in ("int", "row", "mask", "ellipsis")})
def written_into_a_parameter(index, value):
    a = Parameter(grid(2, 3), name="a")
    a[made(index)] = made(value)
    return a


@case
def written_into_bools():
    a = grid(2, 3) > 0
    a[0] = 1
    return a


@case.table({"ellipsis": (Ellipsis,), "empty_tuple": ((),), "int": (0,)})
def written_into_a_scalar(index):
    a = Tensor(3.0)
    a[index] = 1
    return a


@case.table(
    {k: BASIC[k] for k in ("int", "two_ints", "slice", "step", "none", "true", "ellipsis", "colon")}
)
def a_write_to_a_part_reaches_the_whole(read):
    a = grid(2, 3, 4)
    part = read(a)
    part[(0,) * part.ndim] = 99
    return a


@case.table({k: BASIC[k] for k in ("int", "two_ints", "slice", "step", "none", "ellipsis")})
def a_write_to_the_whole_reaches_a_part(read):
    a = grid(2, 3, 4)
    part = read(a)
    a[:] = 77
    return part


@case
def chained_write():
    a = grid(2, 3, 4)
    a[0][1][2] = 99
    return a


@case
def parts_of_parts():
    a = grid(4)
    b = a[1:3]
    c = b[0:1]
    c[0] = 9
    return a, b, c


@case
def part_of_another_shape():
    a = grid(4)
    b = a.reshape(2, 2)[1]
    b[0] = 9
    return a


@case
def part_of_a_parameter():
    a = Parameter(grid(2, 3), name="a")
    b = a[0]
    b[0] = 9
    return a, type(b).__name__


@case
def augmented_part():
    a = grid(2, 3)
    a[0] += 10
    a[:, 1] *= 10
    return a


@case
def augmented_name_leaves_the_whole():
    a = grid(4)
    b = a[1:3]
    b += 1
    return a, b


@case
def what_an_index_tensor_gave_does_not_follow():
    a = grid(2, 3)
    b = a[Tensor([0])]
    a[0] = 99
    return b


@case
def iteration():
    a = grid(2, 3)
    b, c = a
    return list(a), b, c
