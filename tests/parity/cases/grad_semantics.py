"""What is differentiated and with respect to what: dtypes, aliases, zeros, values in Python."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def parameter(name="w", requires_grad=True):
    return Parameter(Tensor([2.0, 3.0], ms.float32), name=name, requires_grad=requires_grad)


# Zeros


@case
def unused_input():
    return ms.grad(lambda x, y: x * x, (0, 1))(x(), Tensor([[1.0], [2.0]], ms.float16))


@case
def unused_weight():
    w, other = parameter(), Parameter(Tensor(np.ones((2, 3), np.float16)), name="other")
    return ms.grad(lambda x: x * w, None, [w, other])(x())


@case
def only_unused_weights():
    return ms.value_and_grad(lambda x: x * x, None, parameter())(x())


@case
def frozen_weight():
    w, frozen = parameter(), parameter("frozen", requires_grad=False)
    return ms.grad(lambda x: x * w * frozen, 0, [w, frozen])(x())


@case
def frozen_after_creation():
    w = parameter()
    w.requires_grad = False
    return ms.grad(lambda x: x * w, None, w)(x())


@case
def thawed_after_creation():
    w = parameter(requires_grad=False)
    w.requires_grad = True
    return ms.grad(lambda x: x * w, None, w)(x())


@case
def frozen_cell():
    net = nn.Dense(2, 1, weight_init="ones")
    net.weight.requires_grad = False
    return ms.grad(net, None, [net.weight, net.bias])(Tensor([[1.0, 2.0]], ms.float32))


@case
def frozen_parameter_as_input():
    return ms.grad(lambda x: x * x)(parameter(requires_grad=False))


@case
def parameter_as_input():
    return ms.grad(lambda x: x * x)(parameter())


@case
def parameter_as_input_and_weight():
    w = parameter()
    return ms.grad(lambda x: x * w, 0, [w])(w)


@case
def constant_output():
    return ms.grad(lambda x: Tensor([5.0]))(x())


# The same object in two places


@case
def same_tensor_at_two_positions():
    a = x()
    return ms.grad(lambda x, y: x * x * y, (0, 1))(a, a)


@case
def equal_tensors_at_two_positions():
    return ms.grad(lambda x, y: x * x * y, (0, 1))(x(), x())


@case
def same_tensor_one_position():
    a = x()
    return ms.grad(lambda x, y: x * x * y, 1)(a, a)


@case
def same_tensor_in_a_tuple_and_alone():
    a = x()
    return ms.grad(lambda pair, y: pair[0] * y, (0, 1))((a,), a)


@case
def same_tensor_as_keyword():
    a = x()
    return ms.grad(lambda x, y: x * x * y, 0)(a, y=a)


@case
def same_tensor_by_closure():
    a = x()
    return ms.grad(lambda x: x * a)(a)


@case
def tensor_by_closure_is_a_constant():
    a = x()
    return ms.grad(lambda x: x * a)(x())


@case
def same_parameter_at_two_positions():
    w = parameter()
    return ms.grad(lambda x, y: x * x * y, (0, 1))(w, w)


@case
def same_parameter_under_two_attributes():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = parameter()
            self.b = self.a

        def construct(self, x):
            return self.a * self.b * x

    net = Net()
    return ms.grad(net, None, net.trainable_params())(x())


# Dtypes

NUMBERS = {
    name: (name,)
    for name in ("float16", "bfloat16", "float32", "float64", "int8", "int32", "int64", "uint8")
}


@case.table(NUMBERS)
def dtype_of_square(name):
    return ms.value_and_grad(lambda x: x * x)(Tensor([1, 3], getattr(ms, name)))


@case.table(NUMBERS)
def dtype_of_multiple(name):
    return ms.value_and_grad(lambda x: x * 2.5)(Tensor([1, 3], getattr(ms, name)))


@case.table(NUMBERS)
def dtype_of_quotient(name):
    return ms.value_and_grad(lambda x: x / 2)(Tensor([1, 3], getattr(ms, name)))


@case.table(NUMBERS)
def dtype_of_sum(name):
    return ms.value_and_grad(lambda x: (x + x).sum())(Tensor([1, 3], getattr(ms, name)))


@case.table({name: (name,) for name in ("float16", "bfloat16", "float64", "int32")})
def mixed_with_float32(name):
    a, b = Tensor([1, 3], getattr(ms, name)), Tensor([2.0, 4.0], ms.float32)
    return ms.value_and_grad(lambda x, y: x * y, (0, 1))(a, b)


@case
def half_precision_weight():
    w = Parameter(Tensor([2.0, 3.0], ms.float16), name="w")
    return ms.value_and_grad(lambda x: x * w, 0, w)(x())


@case
def bool_input():
    return ms.grad(lambda x: x.astype(ms.float32) * 2)(Tensor([True, False]))


@case
def bool_input_times_float():
    return ms.grad(lambda b, y: b * y, (0, 1))(Tensor([True, False]), x())


@case
def integer_input_beside_a_float():
    return ms.grad(lambda i, y: i * y, (0, 1))(Tensor([2, 3], ms.int32), x())


@case
def integer_index():
    table, i = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), Tensor([1, 1, 0], ms.int32)
    return ms.grad(lambda t, i: ops.gather(t, i, 0), (0, 1))(table, i)


CASTS = {
    "int32": (lambda x: x.astype(ms.int32),),
    "int64_and_back": (lambda x: x.astype(ms.int64).astype(ms.float32) * 3,),
    "int": (lambda x: x.int(),),
    "float16": (lambda x: x.astype(ms.float16) * 3,),
    "float64": (lambda x: x.astype(ms.float64) * 3,),
    "ops_cast": (lambda x: ops.cast(x, ms.int32) * 2,),
    "to_bool": (lambda x: x.astype(ms.bool_),),
    "to": (lambda x: x.to(ms.float16),),
}


@case.table(CASTS)
def cast(fn):
    return ms.value_and_grad(fn)(Tensor([1.5, 2.5], ms.float32))


COMPARED = {
    "greater": (lambda x: x > 1,),
    "argmax": (lambda x: x.argmax(),),
    "equal": (lambda x: x == 1,),
    "isnan": (lambda x: ops.isnan(x),),
    "floor": (lambda x: x.floor(),),
    "sign": (lambda x: x.sign(),),
    "round": (lambda x: x.round(),),
    "times_mask": (lambda x: x * (x > 1),),
    "ones_like": (lambda x: ops.ones_like(x),),
    "shape": (lambda x: x.shape,),
    "size": (lambda x: x * x.size,),
}


@case.table(COMPARED)
def piecewise_constant(fn):
    return ms.value_and_grad(fn)(x())


# Shapes

BROADCAST = {
    "rows": ((2,), (3, 2)),
    "columns": ((3, 1), (3, 2)),
    "scalar": ((), (3, 2)),
    "one": ((1,), (2, 2)),
    "both": ((3, 1), (1, 2)),
    "leading_ones": ((1, 1, 2), (2,)),
    "empty": ((0,), (1,)),
    "empty_rows": ((1, 2), (0, 2)),
}


@case.table(BROADCAST)
def broadcast(one, other):
    a = Tensor(np.arange(1, 1 + np.prod(one)).reshape(one), ms.float32)
    b = Tensor(np.arange(2, 2 + np.prod(other)).reshape(other), ms.float32)
    return ms.grad(lambda x, y: x * y, (0, 1))(a, b)


@case
def empty_input():
    return ms.value_and_grad(lambda x: (x * x).sum())(Tensor(np.zeros((0,), np.float32)))


@case
def scalar_input():
    return ms.value_and_grad(lambda x: x**3)(Tensor(2.0))


VIEWS = {
    "index": (lambda x: x[0] * 3,),
    "negative_index": (lambda x: x[-1],),
    "slice": (lambda x: x[:, 1:] * 3,),
    "step": (lambda x: x[:, ::2],),
    "newaxis": (lambda x: x[None] * 2,),
    "list_index": (lambda x: x[[0, 0, 1]],),
    "tensor_index": (lambda x: x[Tensor([1, 1])] * 2,),
    "mask": (lambda x: x[x > 2] * 2,),
    "reshape": (lambda x: x.reshape(3, 2)[0],),
    "transpose": (lambda x: x.T[0],),
    "loop": (lambda x: sum(row * i for i, row in enumerate(x)),),
    "split": (lambda x: x.split(1, 0)[1] * 2,),
    "chunk": (lambda x: ops.chunk(x, 2, 1)[0],),
    "concat": (lambda x: ops.cat((x, x * 2), 1),),
    "stack": (lambda x: ops.stack([x, x]) * 2,),
    "where": (lambda x: ops.where(x > 2, x * 2, x * 3),),
    "masked_fill": (lambda x: x.masked_fill(x > 2, 0.0),),
    "pad": (lambda x: ops.pad(x, (1, 1)) * 2,),
    "tile": (lambda x: ops.tile(x, (2, 1)),),
    "broadcast_to": (lambda x: ops.broadcast_to(x[0], (4, 3)),),
    "cumsum": (lambda x: x.cumsum(1),),
    "sort": (lambda x: ops.sort(x, descending=True)[0] * Tensor([1.0, 2.0, 3.0]),),
    "topk": (lambda x: ops.topk(x, 2)[0],),
    "max_with_index": (lambda x: x.max(axis=1, return_indices=True)[0],),
}


@case.table(VIEWS)
def indexing(fn):
    return ms.grad(fn)(Tensor(np.arange(6).reshape(2, 3), ms.float32))


# Values in Python while the function runs

CONCRETE = {
    "asnumpy": (lambda x: x * Tensor(x.asnumpy()),),
    "item": (lambda x: x * x[0].item(),),
    "float": (lambda x: x * float(x[1]),),
    "int": (lambda x: x * int(x[1]),),
    "bool": (lambda x: x * 3 if bool(x[0] > 0) else x,),
    "tolist": (lambda x: x * x.tolist()[1],),
    "numpy_function": (lambda x: x * float(np.sum(x.asnumpy())),),
    "only_numpy": (lambda x: Tensor(x.asnumpy() * 2),),
    "if": (lambda x: x * 2 if x.sum() > 1 else x * 3,),
    "else": (lambda x: x * 2 if x.sum() > 100 else x * 3,),
    "len": (lambda x: x * len(x),),
    "range": (lambda x: sum((x**i for i in range(int(x[1]) + 1)), x),),
    "format": (lambda x: x * len(f"{x}"),),
    "str_and_repr": (lambda x: x * (len(str(x)) + len(repr(x))),),
    "in": (lambda x: x * 2 if 1.0 in x.asnumpy() else x,),
    "max_of_python": (lambda x: max(x[0], x[1]) * 2,),
}


@case.table(CONCRETE)
def value_in_python(fn):
    return ms.value_and_grad(fn)(x())


@case
def while_on_a_tensor():
    def fn(x):
        while x.sum() < 100:
            x = x * x + 1
        return x

    return ms.value_and_grad(fn)(x())


@case
def break_on_a_tensor():
    def fn(x):
        total = x * 0
        for row in range(5):
            total = total + x * row
            if total.sum() > 5:
                break
        return total

    return ms.value_and_grad(fn)(x())


@case
def recursion():
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    return ms.grad(power)(x(), 4)


@case.table(
    {
        "tensor": (lambda x: print("x is", x),),
        "scalar": (lambda x: print(x.sum()),),
        "several": (lambda x: print(x, x * 2, sep="|", end="!\n"),),
        "repr": (lambda x: print(repr(x)),),
        "format": (lambda x: print(f"{x[0].item():.3f} {x.shape} {x.dtype}"),),
        "tuple": (lambda x: print((x, 1)),),
        "asnumpy": (lambda x: print(x.asnumpy()),),
    },
    prints=True,
)
def printed_inside(show):
    def fn(x):
        show(x)
        return x * x

    return ms.grad(fn)(x())


@case
def forward_runs_once():
    calls = []

    def fn(x):
        calls.append(1)
        return x * x

    ms.grad(fn)(x())
    ms.value_and_grad(fn)(x())
    ms.grad(ms.grad(fn))(x())
    return len(calls)


# stop_gradient

STOPPED = {
    "all": (lambda x: ops.stop_gradient(x * x),),
    "one_factor": (lambda x: x * ops.stop_gradient(x),),
    "ms_stop_gradient": (lambda x: x * ops.stop_gradient(x * x) + x,),
    "in_a_tuple": (lambda x: ops.stop_gradient((x, x * 2))[1] * x,),
    "in_a_list": (lambda x: ops.stop_gradient([x, x * 2])[1] * x,),
    "identity_minus": (lambda x: x + ops.stop_gradient(x.floor() - x),),
    "with_int": (lambda x: x * ops.stop_gradient(3),),
}


@case.table(STOPPED)
def stopped(fn):
    return ms.value_and_grad(fn)(Tensor([1.5, 2.0], ms.float32))


@case
def stopped_weight():
    w = parameter()
    return ms.grad(lambda x: x * ops.stop_gradient(w) * w, 0, [w])(x())


@case.table(
    {"int": (3,), "float": (2.5,), "None": (None,), "text": ("s",), "tuple": ((1, 2),)},
)
def stop_gradient_of(value):
    return ops.stop_gradient(value)


@case.table({"tuple": (lambda a: (a, a),), "list": (lambda a: [a, (a, 1)],)})
def stop_gradient_keeps(form):
    a = x()
    return ops.stop_gradient(form(a)), ops.stop_gradient(a) is a


@case.table(
    {
        "Identity": (lambda w: ops.Identity()(w),),
        "identity": (ops.identity,),
        "nn_Identity": (lambda w: nn.Identity()(w),),
        "deepcopy": (lambda w: ops.deepcopy(w),),
        "Load": (lambda w: ops.operations.Load()(w),),
        "value": (lambda w: w.value(),),
        "copy": (lambda w: w.copy(),),
        "Tensor_copy": (Tensor.copy,),
        "itemset": (lambda w: w.itemset(0, 5.0),),
    }
)
def copied_weight(copied):
    w = parameter()
    grads = ms.grad(lambda x: x * copied(w) * w, 0, [w])(x())
    return type(copied(w)).__name__, grads
