"""Parameter and ParameterTuple: construction, names, values in place, clones and errors."""

import copy
import pickle

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common.initializer import initializer

from tests.parity.case import case

INPUTS = {
    "tensor": (lambda: Tensor([1.0, 2.0], ms.float32),),
    "half": (lambda: Tensor([1.0, 2.0], ms.float16),),
    "int": (lambda: 3,),
    "float": (lambda: 2.5,),
    "list": (lambda: [1, 2],),
    "list_of_floats": (lambda: [1.0, 2.5],),
    "tuple": (lambda: (1, 2),),
    "array": (lambda: np.arange(3, dtype=np.int16),),
    "double_array": (lambda: np.ones(2),),
    "double_array_of_one": (lambda: np.array(2.5),),
    "double": (lambda: np.log(1 / 0.07),),
    "initializer": (lambda: initializer("ones", [2, 2], ms.float32),),
    "scalar": (lambda: Tensor(1.0),),
    "parameter": (lambda: Parameter(Tensor([1.0]), name="other"),),
    "bool_tensor": (lambda: Tensor([True, False]),),
    "bool": (lambda: True,),
    "str": (lambda: "a",),
    "None": (lambda: None,),
    "dict": (dict,),
}


@case.table(INPUTS)
def made_of(value):
    made = Parameter(value(), name="p")
    return made, made.shape, made.dtype, isinstance(made, Tensor)


@case.table(
    {
        "int": (3,),
        "list": ([],),
        "bytes": (b"w",),
    },
    message=True,
)
def wrong_name(name):
    return Parameter(Tensor([1.0]), name=name).name


@case.table({"None": (None,), "empty": ("",)})
def no_name(name):
    made = Parameter(Tensor([1.0]), name=name)
    return made.name.startswith("Parameter#")


@case.table({"str": ("v",), "int": (3,), "with_dot": ("a.b",)})
def renamed(name):
    made = Parameter(Tensor([1.0]), name="w")
    made.name = name
    return made


@case
def unnamed_takes_the_attribute():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first = Parameter(Tensor([1.0]))
            self.second = Parameter(Tensor([2.0]), name="given")

    return [(path, p.name) for path, p in Net().parameters_and_names()]


@case.table({"int": (1,), "None": (None,), "str": ("a",)}, message=True)
def wrong_requires_grad(value):
    return Parameter(Tensor([1.0]), name="w", requires_grad=value)


@case.table({"int": (1,), "False": (False,)}, message=True)
def set_requires_grad(value):
    made = Parameter(Tensor([1.0]), name="w")
    made.requires_grad = value
    return made


def w():
    return Parameter(Tensor([1.0, 2.0], ms.float32), name="w")


@case
def shown():
    return repr(w()), str(w()), repr((w(),)), f"{w()}"


@case
def attributes():
    made = w()
    names = (
        "layerwise_parallel",
        "parallel_optimizer",
        "comm_fusion",
        "cache_enable",
        "key",
        "is_init",
        "sliced",
        "unique",
        "inited_param",
        "init_mode",
        "requires_grad",
        "has_init",
        "name",
    )
    return [(name, getattr(made, name)) for name in names]


@case.table(
    {
        "tensor": (lambda: Tensor([3.0, 4.0], ms.float32),),
        "int": (lambda: 3,),
        "float": (lambda: 2.5,),
        "half": (lambda: Tensor([3.0, 4.0], ms.float16),),
        "ints": (lambda: Tensor([3, 4]),),
        "parameter": (lambda: Parameter(Tensor([3.0, 4.0]), name="v"),),
        "other_shape": (lambda: Tensor([[3.0, 4.0, 5.0]], ms.float32),),
        "list": (lambda: [3.0, 4.0],),
        "array": (lambda: np.ones(2, np.float32),),
        "None": (lambda: None,),
    }
)
def set_data(value):
    made = w()
    given = made.set_data(value())
    return given is made, made, made.shape


@case.table(
    {
        "list": (lambda: [3.0, 4.0],),
        "None": (lambda: None,),
        "str": (lambda: "a",),
    },
    message=True,
)
def set_data_errors(value):
    return w().set_data(value())


@case.table(
    {
        "tensor": (lambda: Tensor([3.0, 4.0], ms.float32),),
        "number": (lambda: 3.0,),
        "half": (lambda: Tensor([3.0, 4.0], ms.float16),),
        "other_shape": (lambda: Tensor([3.0], ms.float32),),
    }
)
def assigned(value):
    made = w()
    return ops.assign(made, value()), made


@case.table(
    {
        "add": (lambda p: p + 1,),
        "radd": (lambda p: 1 + p,),
        "index": (lambda p: p[0],),
        "value": (lambda p: p.value(),),
        "data": (lambda p: p.data,),
        "sum": (lambda p: p.sum(),),
        "astype": (lambda p: p.astype(ms.float16),),
        "negative": (lambda p: -p,),
        "asnumpy": (lambda p: p.asnumpy(),),
        "two": (lambda p: p * p,),
    }
)
def plain_results(compute):
    result = compute(w())
    return result, isinstance(result, Parameter)


@case
def initialized_with_a_layout():
    p = w()
    return p.init_data(set_sliced=True) is p, p.init_data(None) is p, p


@case
def transposed_of_one_dimension():
    p, t = w(), Tensor([1.0, 2.0])
    return p.T is p, t.T is t, Tensor(1.0).T


@case
def changed_in_place():
    made = w()
    alias = made
    made[0] = 5.0
    return made, alias is made


@case
def added_in_place():
    made = alias = w()
    made += 1
    return made, alias, made is alias


@case
def value_is_a_snapshot():
    made = w()
    before = made.value()
    made.set_data(Tensor([7.0, 8.0], ms.float32))
    return before, made


@case
def data_is_assigned():
    made = w()
    made.data = Tensor([7.0, 8.0], ms.float32)
    return made


@case
def data_is_copied():
    source = Tensor([1.0, 2.0], ms.float32)
    made = Parameter(source, name="w")
    source[0] = 9.0
    return made, source


@case.table({"same": ("same",), "zeros": ("zeros",), "ones": ("ones",), "number": (0.5,)})
def clone(init):
    made = Parameter(Tensor([1.0, 2.0], ms.float32), name="w", requires_grad=False)
    new = made.clone(init)
    new.set_data(new + 1.0)
    return new, made


@case
def deepcopied():
    made = w()
    new = copy.deepcopy(made)
    new[0] = 9.0
    return new, made


@case
def pickled():
    new = pickle.loads(pickle.dumps(w()))
    return new, isinstance(new, Parameter)


@case
def set_dtype():
    made = w()
    return made.set_dtype(ms.float16), made


@case.table(
    {
        "list": (lambda: ParameterTuple([w()]),),
        "tuple": (lambda: ParameterTuple((w(),)),),
        "generator": (lambda: ParameterTuple(p for p in [w()]),),
        "empty": (lambda: ParameterTuple([]),),
        "nothing": (lambda: ParameterTuple(),),
        "dense": (lambda: ParameterTuple(nn.Dense(1, 1, "ones", "ones").get_parameters()),),
        "same_name": (lambda: ParameterTuple([w(), w()]),),
        "twice": (lambda: ParameterTuple([(p := w()), p]),),
        "tensor": (lambda: ParameterTuple([Tensor(1.0)]),),
        "int": (lambda: ParameterTuple([3]),),
        "not_iterable": (lambda: ParameterTuple(3),),
        "one_parameter": (lambda: ParameterTuple(w()),),
    }
)
def parameter_tuple(make):
    made = make()
    return made, len(made), isinstance(made, tuple)


@case.table(
    {
        "same_name": (lambda: ParameterTuple([w(), w()]),),
        "int": (lambda: ParameterTuple([3]),),
    },
    message=True,
)
def parameter_tuple_errors(make):
    return repr(make())


def pair():
    return ParameterTuple([w(), Parameter(Tensor([3]), name="net.v")])


@case.table(
    {
        "slice": (lambda: pair()[:1],),
        "index": (lambda: pair()[1],),
        "add": (lambda: pair() + pair()[:0],),
        "iterate": (lambda: [p.name for p in pair()],),
        "contains": (lambda: (p := pair())[0] in p,),
        "repr": (lambda: repr(pair()),),
        "clone": (lambda: pair().clone("copy"),),
        "clone_zeros": (lambda: pair().clone(prefix="m", init="zeros"),),
        "clone_without_prefix": (lambda: pair().clone(),),
        "pickled": (lambda: pickle.loads(pickle.dumps(pair())),),
        "deepcopied": (lambda: copy.deepcopy(pair()),),
    }
)
def parameter_tuple_use(call):
    return call()


@case.table({name: (name,) for name in ("float16", "float64", "int32", "bool_")})
def data_of_another_dtype(name):
    net = nn.Dense(3, 2, weight_init=Tensor(np.arange(6).reshape(2, 3), ms.float32))
    net.weight.data = net.weight.data.astype(getattr(ms, name))
    return net.weight, net.weight * 2


@case
def net_made_half_by_data():
    net = nn.Dense(3, 2, weight_init=Tensor(np.arange(6).reshape(2, 3), ms.float32))
    for param in net.get_parameters():
        param.data = param.data.astype(ms.float16)
    step = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    loss, gradients = step(Tensor(np.ones((2, 3)), ms.float16))
    nn.Momentum(net.trainable_params(), 0.5, 0.9)(gradients)
    return loss, gradients, net.weight


@case.table({"yes": (True,), "no": (False,)})
def aggregated(wanted):
    param = Parameter(Tensor([1.0, 2.0]), name="w")
    before = param.requires_aggr
    param.requires_aggr = wanted
    state = Parameter(Tensor([0.0, 0.0]), name="moment")
    state.requires_aggr = param.requires_aggr
    return before, state.requires_aggr, param.clone().requires_aggr
