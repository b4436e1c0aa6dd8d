"""Methods of Tensor and Cell, and helpers of inner modules, that programs use now and then."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.dataset.core import validator_helpers as checks
from mindspore.nn.layer.conv import _check_input_3d
from mindspore.nn.loss.loss import _check_label_dtype
from mindspore.train.callback._callback import _handle_loss
from mindspore.train.serialization import _update_param

from tests.parity.case import case


def wide():
    return Tensor(np.arange(1, 7).reshape(2, 3), ms.float32)


def places():
    return Tensor([[0, 0], [1, 2]], ms.int64)


def two():
    return Tensor([2.0, 9.0], ms.float32)


def cast(*to, **named):
    net = nn.Dense(2, 3)
    same = net.to(*to, **named) is net
    return same, [str(param.dtype) for param in net.get_parameters()]


def written(value, strict):
    param = ms.Parameter(two(), name="p")
    _update_param(param, ms.Parameter(value, name="p"), strict)
    return param.asnumpy()


class Operation:
    def __init__(self, size, mode=2, *, fill=3):
        pass


METHODS = {
    **{
        f"scatter_{how}": lambda how=how: getattr(wide(), f"scatter_{how}")(places(), two())
        for how in ("sub", "div", "mul", "max", "min")
    },
    "masked_scatter": lambda: wide().masked_scatter(wide() > 3, Tensor([9.0, 8.0, 7.0])),
    "fill_diagonal": lambda: wide().fill_diagonal(5.0),
    "fill_diagonal_wrap": lambda: wide().fill_diagonal(5.0, True),
    "to_coo": lambda: wide().to_coo().to_tuple(),
    "to_csr": lambda: wide().to_csr().to_tuple(),
    "csr_softmax": lambda: ops.csr_softmax(wide().to_csr(), ms.float32).values,
    "scatter_is_a_copy": lambda: (lambda x: (x.scatter_mul(places(), two()), x)[1])(wide()),
    "drawn": lambda: [x.shape for x in (wide().cauchy(), wide().log_normal(), ops.rrelu(wide()))],
    "rrelu_positive": lambda: ops.rrelu(wide(), 0.1, 0.2),
    "cell_to": lambda: cast(ms.float16),
    "cell_to_named": lambda: cast(dtype=ms.bfloat16),
    "cell_to_tensor": lambda: cast(Tensor([1.0], ms.float64)),
    "cell_to_int": lambda: cast(ms.int32),
    "cell_to_number": lambda: cast(3),
    "loss_of_step": lambda: [
        float(_handle_loss(x)) for x in (two(), (Tensor(3.0), 1), Tensor(3.0), 3.0)
    ],
    "update_param": lambda: written(Tensor([3.0, 4.0], ms.float16), False),
    "update_param_strict": lambda: written(Tensor([3.0, 4.0], ms.float16), True),
    "update_param_shape": lambda: written(Tensor([3.0], ms.float32), False),
    "labels": lambda: _check_label_dtype(ms.float32, "Loss"),
    "labels_int": lambda: _check_label_dtype(ms.int32, "Loss"),
    "rank_3": lambda: _check_input_3d((1, 2, 3), "Conv1d"),
    "rank_2": lambda: _check_input_3d((1, 2), "Conv1d"),
    "range": lambda: checks.check_value(5, [1, 5], "n"),
    "range_out": lambda: checks.check_value(5, [1, 3], "n"),
    "range_open": lambda: checks.check_value(1, [1, 5], "n", left_open_interval=True),
    "type": lambda: checks.type_check(1, (str, float), "n"),
    "type_bool": lambda: checks.type_check(True, (int,), "n"),
    "types": lambda: checks.type_check_list([1, "a"], (int,), ["p", "q"]),
    "positive": lambda: checks.check_pos_int32(0, "n"),
    "bytes": lambda: checks.check_uint8(256, "n"),
    "arguments": lambda: checks.parse_user_args(Operation.__init__, 1, fill=4)[0],
}


@case.table({name: (name,) for name in METHODS})
def method(name):
    return METHODS[name]()


def along(x):
    return x.max(1)


def along_kept(x):
    return x.min(1, True)


def axis_and_keepdims(x):
    return x.max(0, keepdims=True)


def axis_and_keepdim(x):
    return x.min(0, keepdim=True)


def axis_and_no_initial(x):
    return x.max(1, initial=None)


def by_dim(x):
    return x.max(dim=1, keepdim=True)


def by_axis(x):
    return x.min(axis=1, keepdims=True)


def both_named(x):
    return x.max(axis=1, keepdim=True)


def dim_and_initial(x):
    return x.max(dim=1, initial=1.0)


FORMS = (
    along,
    along_kept,
    axis_and_keepdims,
    axis_and_keepdim,
    axis_and_no_initial,
    by_dim,
    by_axis,
    both_named,
    dim_and_initial,
)


@case.table({f.__name__: (f,) for f in FORMS})
def extremes(form):
    return form(Tensor([[1.0, 5.0, 2.0], [7.0, 3.0, 4.0]], ms.float32))


@case.table({f.__name__: (f,) for f in FORMS})
def extremes_compiled(form):
    return ms.jit(form)(Tensor([[1.0, 5.0, 2.0], [7.0, 3.0, 4.0]], ms.float32))


def largest_of_all(x):
    return x.argmax()


def largest_kept(x):
    return x.argmax(keepdims=True)


def largest_along(x):
    return x.argmax(0), x.argmax(1, True), ops.argmax(x), x.argmin()


@case.table({f.__name__: (f,) for f in (largest_of_all, largest_kept, largest_along)})
def argmax_of(form):
    x = Tensor([[1.0, 5.0, 2.0], [7.0, 3.0, 4.0]], ms.float32)
    return form(x), ms.jit(form)(x)


@case.table(
    {
        "device": ("CPU",),
        "small_letters": ("cpu",),
        "device_and_dtype": ("CPU", lambda: ms.float16),
        "mixed_letters": ("Cpu",),
        "numbered": ("CPU:0",),
        "dtype_by_name": ("float16",),
        "no_device_and_dtype": ("x", lambda: ms.float16),
        "int": (3,),
    }
)
def tensor_to(device, dtype=None):
    return Tensor([1.5, 2.0]).to(device, *([] if dtype is None else [dtype()]))


@case.table(
    {
        "device": (lambda: {"device": "CPU"},),
        "none": (lambda: {"device": None, "dtype": ms.float16},),
        "both": (lambda: {"device": "CPU", "dtype": ms.int32, "non_blocking": True},),
        "copy": (lambda: {"dtype": ms.float32, "copy": True},),
        "no_device": (lambda: {"device": "float16"},),
    }
)
def tensor_to_by_keyword(named):
    return Tensor([1.5, 2.0]).to(**named())
