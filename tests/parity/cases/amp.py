"""Loss scalers and all_finite: structure and dtypes, the dynamic scale, and errors."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, amp, nn

from tests.parity.case import case


def f32(*values):
    return Tensor(list(values), ms.float32)


SCALERS = {
    "static": lambda: amp.StaticLossScaler(4),
    "dynamic": lambda: amp.DynamicLossScaler(16, 2, 3),
}
INPUTS = {
    "tensor": lambda: f32(1.0, 2.0),
    "scalar": lambda: Tensor(5.0, ms.float32),
    "tuple": lambda: (f32(1.0), f32(2.0)),
    "list": lambda: [f32(1.0)],
    "dict": lambda: {"a": f32(1.0), "b": f32(2.0)},
    "nested": lambda: ((f32(1.0), (f32(2.0),)), {"b": (f32(3.0),)}, [f32(4.0)]),
    "half": lambda: f32(1.0).astype(ms.float16),
    "double": lambda: f32(1.0).astype(ms.float64),
    "int": lambda: Tensor([5, 64], ms.int32),
    "int64": lambda: (f32(1.0), Tensor([2])),
    "bool": lambda: Tensor(True),
    "parameter": lambda: Parameter(f32(1.0), name="x"),
    "empty": lambda: (),
    "empty_list": list,
    "number": lambda: 3,
    "float": lambda: 3.0,
    "with_number": lambda: (f32(1.0), 3),
    "None": lambda: None,
    "with_None": lambda: (None,),
    "str": lambda: "a",
    "numpy": lambda: np.ones(2),
}


@case.table(
    {f"{s}-{i}": (scaler, inputs) for s, scaler in SCALERS.items() for i, inputs in INPUTS.items()}
)
def scale(scaler, inputs):
    return scaler().scale(inputs())


@case.table(
    {f"{s}-{i}": (scaler, inputs) for s, scaler in SCALERS.items() for i, inputs in INPUTS.items()}
)
def unscale(scaler, inputs):
    return scaler().unscale(inputs())


VALUES = {
    "0": (lambda: 0,),
    "half": (lambda: 0.5,),
    "1": (lambda: 1,),
    "float": (lambda: 1.5,),
    "negative": (lambda: -1,),
    "str": (lambda: "a",),
    "bool": (lambda: True,),
    "None": (lambda: None,),
    "list": (lambda: [1],),
    "tensor": (lambda: Tensor(2.0),),
}


@case.table(VALUES, message=True)
def static_value(value):
    scaler = amp.StaticLossScaler(value())
    return scaler.scale_value, isinstance(scaler, nn.Cell), isinstance(scaler, amp.LossScaler)


@case.table(VALUES, message=True)
def dynamic_value(value):
    scaler = amp.DynamicLossScaler(value(), 2, 3)
    return scaler.scale_value, scaler.counter, scaler.scale_factor, scaler.scale_window


@case.table(
    {
        "factor_0": (16, 0, 3),
        "factor_1": (16, 1, 3),
        "factor_float": (16, 2.0, 3),
        "factor_bool": (16, True, 3),
        "factor_str": (16, "a", 3),
        "window_0": (16, 2, 0),
        "window_float": (16, 2, 3.0),
        "window_bool": (16, 2, True),
        "window_negative": (16, 2, -1),
    },
    message=True,
)
def dynamic_settings(value, factor, window):
    scaler = amp.DynamicLossScaler(value, factor, window)
    return scaler.scale_value, scaler.scale_factor, scaler.scale_window


@case.table(
    {
        "mixed": (16, 2, 3, "TTTTFTFFTTT"),
        "to_the_floor": (2, 4, 2, "FFFTTTT"),
        "window_1": (1, 3, 1, "TTTF"),
        "factor_1": (8, 1, 2, "TTFT"),
        "float": (1.5, 2, 2, "FTTTT"),
    }
)
def adjust(value, factor, window, steps):
    scaler = amp.DynamicLossScaler(value, factor, window)
    seen = []
    for step in steps:
        changed = scaler.adjust(Tensor(step == "T"))
        seen.append((changed, float(scaler.scale_value), int(scaler.counter)))
    return seen, scaler.scale_value, scaler.counter


@case.table(
    {
        "bool": (lambda: True,),
        "None": (lambda: None,),
        "int": (lambda: Tensor(1),),
        "float": (lambda: Tensor(0.0),),
        "two": (lambda: Tensor([True, False]),),
        "str": (lambda: "a",),
    }
)
def adjust_of_others(value):
    return amp.DynamicLossScaler(16, 2, 3).adjust(value())


@case.table({"bool": (True,), "None": (None,), "str": ("a",)})
def adjust_static(value):
    scaler = amp.StaticLossScaler(4)
    return scaler.adjust(value), scaler.scale_value


@case.table(
    {
        "finite": (lambda: (f32(1.0, 2.0),),),
        "list": (lambda: [f32(1.0, 2.0)],),
        "inf": (lambda: (f32(1.0, np.inf),),),
        "minus_inf": (lambda: (f32(1.0), f32(-np.inf)),),
        "nan": (lambda: (f32(np.nan), f32(1.0)),),
        "ints": (lambda: (Tensor([1, 2]),),),
        "bools": (lambda: (Tensor(True),),),
        "half": (lambda: (f32(1.0).astype(ms.float16), Tensor([70000.0], ms.float16)),),
        "double": (lambda: (Tensor([np.inf], ms.float64),),),
        "parameters": (lambda: ParameterTuple([Parameter(f32(1.0), name="x")]),),
        "empty_tensor": (lambda: (Tensor(np.ones((0,)), ms.float32),),),
        "tensor": (lambda: f32(1.0),),
        "nested": (lambda: ((f32(1.0),),),),
        "dict": (lambda: {"a": f32(1.0)},),
        "None": (lambda: None,),
        "number": (lambda: 3,),
        "str": (lambda: "a",),
        "empty": (lambda: (),),
        "empty_list": (list,),
        "numbers": (lambda: (3.0,),),
        "with_number": (lambda: (f32(1.0), 3.0),),
        "with_None": (lambda: (None,),),
        "numpy": (lambda: (np.ones(2),),),
    }
)
def all_finite(inputs):
    return amp.all_finite(inputs())


@case
def abstract_base():
    return amp.LossScaler()


@case
def half_a_scaler():
    class Half(amp.LossScaler):
        def scale(self, inputs):
            return inputs

    return Half()


@case
def own_scaler():
    class Mine(amp.LossScaler):
        def scale(self, inputs):
            return inputs * 2

        def unscale(self, inputs):
            return inputs / 2

        def adjust(self, grads_finite):
            return None

    return Mine().scale(3), Mine().unscale(4), Mine().adjust(True)


@case
def scaled_training():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    scaler = amp.DynamicLossScaler(1024, 2, 2)
    loss_fn = nn.MSELoss()

    def forward(rows, wanted):
        return scaler.scale(loss_fn(net(rows), wanted))

    step = ms.value_and_grad(forward, None, optimizer.parameters)
    rows, wanted = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), Tensor([[1.0], [2.0]], ms.float32)
    seen = []
    for factor in (1.0, np.inf, 1.0, 1.0):
        loss, grads = step(rows * Tensor(factor, ms.float32), wanted)
        finite = amp.all_finite(grads)
        if finite:
            optimizer(scaler.unscale(grads))
        scaler.adjust(finite)
        seen.append((scaler.unscale(loss), finite, float(scaler.scale_value)))
    return seen, net.weight, net.bias
