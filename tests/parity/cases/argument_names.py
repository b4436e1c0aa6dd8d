"""Functions and methods of Tensor called with arguments by the names that MindSpore gives them."""

import importlib

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case


def v():
    return Tensor(np.array([0.25, -0.5, 0.75], np.float32))


def square():
    return Tensor(np.array([[4, 1, 2], [0, 5, 1], [3, 2, 6]], np.float32))


def cube(dtype="float32"):
    return Tensor((np.arange(24).reshape(2, 3, 4) - 7).astype(dtype))


FUNCTIONS = {
    "arcsin": lambda: ops.arcsin(x=v()),
    "copysign": lambda: ops.copysign(x=v(), other=-v()),
    "deg2rad": lambda: ops.deg2rad(x=v()),
    "expand": lambda: ops.expand(input_x=v(), size=Tensor([2, 3])),
    "floor_div": lambda: ops.floor_div(x=v(), y=v() + 1),
    "frac": lambda: ops.frac(x=v() * 5),
    "i0": lambda: ops.i0(input=v()),
    "inv": lambda: ops.inv(x=v()),
    "isnan_ext": lambda: ops.isnan_ext(tensor=v()),
    "is_tensor": lambda: ms.is_tensor(obj=v()),
    "numel": lambda: ops.numel(input=v()),
    "rad2deg": lambda: ops.rad2deg(x=v()),
    "sqrt": lambda: ops.sqrt(x=v() * v()),
    "tensor_slice": lambda: ops.tensor_slice(input=square(), begin=(0, 1), size=(2, 2)),
    "truncate_mod": lambda: ops.truncate_mod(x=v() * 5, y=v()),
    "unsorted_segment_sum": lambda: ops.unsorted_segment_sum(
        input_x=v(), segment_ids=Tensor([0, 1, 0]), num_segments=2
    ),
    "tensor_const_arg": lambda: ms.tensor([1, 2], const_arg=True),
    "cell_dict": lambda: type(nn.CellDict().set_grad(requires_grad=False)).__name__,
    "sqrt_wrong": lambda: ops.sqrt(y=v()),
    "numel_wrong": lambda: ops.numel(x=v()),
}


@case.table({name: (name,) for name in FUNCTIONS})
def function(name):
    return FUNCTIONS[name]()


METHODS = {
    "addr_by_position": lambda: square().addr(v(), v(), 2, 3),
    "approximate_equal": lambda: v().approximate_equal(other=v() + 1e-6, tolerance=1e-3),
    "diagonal": lambda: cube().diagonal(offset=1, axis1=2, axis2=1),
    "diagonal_dim": lambda: cube().diagonal(dim1=1),
    "float_power": lambda: v().float_power(other=2),
    "qr": lambda: [abs(x) for x in square().qr(some=True)],
    "qr_whole": lambda: [x.shape for x in square()[:, :2].qr(some=False)],
    "qr_mode": lambda: square().qr(mode="reduced"),
    "reverse_sequence": lambda: square().reverse_sequence(Tensor([1, 2, 3]), batch_dim=1),
}


@case.table({name: (name,) for name in METHODS})
def method(name):
    return METHODS[name]()


@case.table({dtype: (dtype,) for dtype in ("float32", "float16", "int32", "int8", "int64", "bool")})
def trace(dtype):
    x = cube(dtype)
    some = [x.trace(), x.trace(1), x.trace(offset=-2), x.trace(0, 1, 2), x[0].trace(9)]
    return some, x.trace(dtype=ms.float16), x.trace(0, -1, 0, ms.int32)


@case.table({"same": ((0, 1, 1),), "outside": ((0, 0, 3),), "text": (("a",),)})
def trace_wrong(arguments):
    return cube().trace(*arguments)


@case
def trace_of_a_vector():
    return v().trace()


@case.table({"left": ("left",), "right": ("right",), "other": ("up",)})
def searchsorted(side):
    rows, new = Tensor([1.0, 3.0, 5.0]), Tensor([3.0, 1.0, 9.0, -1.0])
    plain = rows.searchsorted(new), rows.searchsorted(v=new.reshape(2, 2))
    return (
        plain,
        rows.searchsorted(new, side),
        rows.astype(ms.int64).searchsorted(new.astype(ms.int64), side=side),
    )


@case.table({"left": ({"side": "left"},), "opposite": ({"side": "left", "right": True},)})
def searchsorted_by_function(options):
    rows, new = Tensor([[1.0, 3.0], [2.0, 4.0]]), Tensor([[3.0], [4.0]])
    return ops.searchsorted(rows, new, out_int32=True, **options)


@case.table({str(dtype): (dtype,) for dtype in (ms.float16, ms.float32, ms.float64)})
def sign_of_nan(dtype):
    x = Tensor([float("nan"), -0.0, -2.0, float("inf")], dtype)
    found = ops.sign(x), ops.Sign()(x), x.sign(), ops.sgn(x)
    return found, [1 / y[1] for y in found]


IN_ROWS = {
    "add": lambda x, v: ops.inplace_add(x, v, (0, 2)),
    "update": lambda x, v: ops.inplace_update(x, v, (0, 2)),
    "method": lambda x, v: x.inplace_update(v, (0, 2)),
    "InplaceSub": lambda x, v: ops.InplaceSub((0, 2))(x, v),
    "InplaceUpdateV2": lambda x, v: ops.InplaceUpdateV2()(x, (0, 2), v),
}


@case.table({f"{n}_{k}": (n, k) for n in IN_ROWS for k in ("Tensor", "Parameter")})
def rows_of_the_input(name, kind):
    x = square() if kind == "Tensor" else ms.Parameter(square(), name="p")
    return IN_ROWS[name](x, Tensor(np.full((2, 3), 0.5, np.float32))), x + 0


@case
def rows_of_an_input_compiled():
    @ms.jit
    def changed(x, new):
        y = x * 2
        return x, y, ops.inplace_update(x, new, (0, 2)), ops.inplace_add(y, new, (0, 2))

    x = square()
    return changed(x, Tensor(np.full((2, 3), 0.5, np.float32))), x


NAMES = (
    "COOTensor CSRTensor DeviceCtx JitConfig QuantDtype SparseTensor Symbol UntypedStorage "
    "flops_collection from_numpy is_tensor jit_class lazy_inline mutable no_inline recompute "
    "saved_tensors_hooks set_recursion_limit swap_tensors"
)


@case.table({name: (name,) for name in NAMES.split()})
def common(name):
    return callable(getattr(importlib.import_module("mindspore.common"), name))


SETTINGS = {
    "op_precision": lambda of: of.ascend.op_precision.matmul_allow_hf32(True),
    "op_tuning": lambda of: of.ascend.op_tuning.aclnn_cache(True, 10),
    "op_debug": lambda of: of.ascend.op_debug.debug_option("oom"),
    "gpu": lambda of: of.gpu.op_tuning.conv_fprop_algo("normal"),
    "gpu_tf32": lambda of: of.gpu.op_precision.conv_allow_tf32(False),
    "available": lambda of: (of.cpu.is_available(), of.ascend.is_available()),
    "count": lambda of: of.cpu.device_count(),
}


@case.table({name: (name,) for name in SETTINGS})
def device_setting(name):
    return SETTINGS[name](ms.device_context)
