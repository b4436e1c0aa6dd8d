"""Tensor's methods that say how it is stored or take elements one by one; Cell's of layouts."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))


FACTS = ("init_flag", "init_finished", "is_meta", "virtual_flag", "param_info", "parent_tensor_")
FACTS += ("index_of_parent_", "delta_seed", "symbolic_shape")


@case.table({name: (name,) for name in FACTS})
def fact(name):
    return getattr(x(), name)


@case.table({n: (n,) for n in ("is_pinned", "is_shared", "storage_offset", "offload_file_path")})
def answer(name):
    return getattr(x(), name)()


CALLS = {
    "mH": lambda: x().mH,
    "ptp": lambda: x().ptp(),
    "ptp_axis": lambda: x().ptp(0),
    "ptp_wrong": lambda: x().ptp(0, 3),
    "sum_to_size": lambda: x().sum_to_size((1, 2)),
    "sum_to_size_all": lambda: x().sum_to_size(()),
    "resize": lambda: x().resize(4),
    "resize_more": lambda: x().resize((3, 2)),
    "itemset": lambda: x().itemset(0, 5.0),
    "itemset_place": lambda: x().itemset((1, 0), 5.0),
    "itemset_outside": lambda: x().itemset(9, 5.0),
    "choose": lambda: Tensor([0, 1]).choose([Tensor([1.0, 2.0]), Tensor([3.0, 4.0])]),
    "get_bytes": lambda: x().get_bytes(),
    "move_to": lambda: x().move_to("CPU"),
    "new_empty": lambda: x().new_empty((2, 3)).shape,
    "from_numpy": lambda: ms.from_numpy(np.ones(2, np.float32)),
    "frombuffer": lambda: ms.frombuffer(b"\x00\x00\x80?", dtype=ms.float32),
}


@case.table({name: (name,) for name in CALLS})
def stored(name):
    return CALLS[name]()


@case
def swapped():
    first, second = Tensor([1, 2]), Tensor([3.0])
    ms.swap_tensors(first, second)
    return first, second


class Extra(nn.Cell):
    """A Cell that has something to keep beside Tensors."""

    kept = None

    def get_extra_state(self):
        return 5

    def set_extra_state(self, state):
        self.kept = state


def staged(value):
    net = nn.Dense(2, 3)
    net.pipeline_stage = value
    return net.pipeline_stage


LAYOUT = {
    "stage": lambda: staged(1),
    "stage_negative": lambda: staged(-1),
    "stage_text": lambda: staged("a"),
    "stage_unset": lambda: nn.Dense(2, 3).pipeline_stage,
    "shard": lambda: nn.Dense(2, 3).shard(((1, 1),)),
    "fusion": lambda: [p.comm_fusion for p in nn.Dense(2, 3).set_comm_fusion(2).get_parameters()],
    "fusion_text": lambda: nn.Dense(2, 3).set_comm_fusion("a"),
    "fusion_negative": lambda: nn.Dense(2, 3).set_comm_fusion(-1),
    "boost": lambda: nn.Dense(2, 3).set_boost("x"),
    "parameters_of_layouts": lambda: nn.Dense(2, 3).parameter_layout_dict,
    "extra_state": lambda: dict(Extra().state_dict()),
    "no_extra_state": lambda: nn.Dense(2, 3).get_extra_state(),
    "compile": lambda: nn.ReLU().compile(x()),
    "primitive": lambda: ops.MatMul().shard(((1, 1), (1, 1)))(x(), x()),
    "primitive_wrong": lambda: ops.MatMul().shard(3),
    "add_stage": lambda: nn.Dense(2, 3).weight.add_pipeline_stage("a"),
    "layout": lambda: ms.Layout((2, 2), ("dp", "mp"))("dp", "None").to_dict(),
    "layout_wrong": lambda: ms.Layout((2, 2), ("dp", "mp"))("x"),
    "deterministic": lambda: ms.set_deterministic(1),
}


@case.table({name: (name,) for name in LAYOUT}, message=True)
def layout(name):
    return LAYOUT[name]()


@case
def extra_state_loaded():
    net = Extra()
    net.load_state_dict(net.state_dict())
    return net.kept


def filled(shape, dtype=np.float32):
    return Tensor(np.full(shape, 2, dtype))


SHAPES = {
    "one_none": ((1,), ()),
    "none_one": ((), (1,)),
    "two_none": ((2,), ()),
    "alike": ((2,), (2,)),
    "row": ((2, 3), (3,)),
    "two_one": ((2,), (1,)),
    "one_matrix": ((1,), (1, 1)),
}


@case.table(
    {
        f"{name}_{key}": (name, *shapes)
        for name in ("assign_add", "assign_sub", "AssignAdd", "AssignSub")
        for key, shapes in SHAPES.items()
    }
)
def written_by_shape(name, variable, value):
    parameter = Parameter(filled(variable), name="p")
    write = getattr(ops, name)
    result = (write() if name[0] == "A" else write)(parameter, filled(value))
    return result, parameter


@case
def counted_by_one():
    steps = Parameter(filled((1,), np.int32), name="steps")
    first = ops.AssignAdd()(steps, 1).asnumpy().copy()
    second = ops.assign_sub(steps, 1).asnumpy().copy()
    return first, second, ops.assign_add(steps, filled((), np.int32)), steps


@case
def info_of_a_parameter():
    one = Parameter(filled((2,)), name="one", layerwise_parallel=True)
    other = Parameter(filled((3,)), name="other", requires_grad=False)
    info = one.param_info
    copied = info.clone()
    info.cloned_obj = [1]
    seen = [info.name, info.requires_grad, info.parameter_shape, type(info).__name__]
    seen += [info.obj is one, hasattr(copied, "cloned_obj"), one.param_info.cloned_obj]
    other.param_info = copied
    seen += [other.name, other.requires_grad, other.layerwise_parallel, other.parallel_optimizer]
    other.name, other.requires_grad = "new", False
    return [*seen, copied.name, copied.requires_grad, copied.parameter_shape, one.name]


class Averaging(nn.Optimizer):
    """State of one's own whose info is that of the weights, counted by a number."""

    def __init__(self, params):
        super().__init__(0.1, params)
        self.averages = ParameterTuple([self.like(p) for p in self.parameters])
        self.steps = Parameter(filled((1,)), name="steps")

    def like(self, param):
        new = Parameter(ops.zeros_like(param))
        new.param_info = param.param_info.clone()
        new.is_init = False
        new.name = "average." + new.name
        return new

    def construct(self, gradients):
        ops.assign_add(self.steps, 1.0)
        for param, average, gradient in zip(self.parameters, self.averages, gradients, strict=True):
            ops.assign(average, (average + gradient) / self.steps)
            ops.assign_sub(param, self.get_lr() * average)
        return True


@case
def optimizer_with_info_of_its_weights():
    weights = [Parameter(filled((2,)), name="weight"), Parameter(filled((3, 1)), name="bias")]
    optimizer = Averaging(weights)
    for _ in range(2):
        optimizer((filled((2,)), filled((3, 1))))
    return [(p.name, p.requires_grad, p.asnumpy()) for p in optimizer.get_parameters()]


def added(tensor, other):
    return tensor.add_(other)


def multiplied(tensor, other):
    return tensor.mul_(other)


def subtracted(tensor, other):
    return tensor.sub_(other, alpha=1)


def copied(tensor, other):
    return tensor.copy_(other)


WRITES = (added, multiplied, subtracted, copied)
SHAPES = {"row": [[1.0, 2.0]], "column": [[1.0], [2.0]], "same": [3.0, 4.0], "one": [5.0]}


@case.table({f"{f.__name__}_{shape}": (f, shape) for f in WRITES for shape in SHAPES})
def compiled_in_place(function, shape):
    """What does not broadcast to the Tensor's shape raises, and leaves it as it was."""
    tensor, raised = Tensor([1.0, 2.0]), False
    try:
        ms.jit(function)(tensor, Tensor(SHAPES[shape]))
    except RuntimeError:
        raised = True
    return raised, tensor


def divided(tensor, other):
    return tensor.div_(other)


def divided_down(tensor, other):
    return tensor.floor_divide_(other)


def left_over(tensor, other):
    return tensor.remainder_(other)


OF_INTEGERS = (added, multiplied, subtracted, divided, divided_down, left_over)
FRACTIONS = {"number": lambda: -2.5, "tensor": lambda: Tensor([2.5])}


@case.table({f"{f.__name__}_{kind}": (f, kind) for f in OF_INTEGERS for kind in FRACTIONS})
def compiled_in_place_of_integers(function, kind):
    """The other operand is cast first."""
    tensor = Tensor([3, 4], ms.int32)
    return ms.jit(function)(tensor, FRACTIONS[kind]()), tensor


@case.table({shape: (shape,) for shape in (*SHAPES, "longer")})
def copied_in_place(shape):
    tensor = Tensor([1.0, 2.0])
    try:
        tensor.copy_(Tensor(SHAPES.get(shape, [1.0, 2.0, 3.0])))
    except RuntimeError:
        return "raised", tensor
    return tensor


@case
def zeros_of_a_value():
    return x().zero_(5.0)


@case
def filled_with_nothing():
    return x().fill_()
