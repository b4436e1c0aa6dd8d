"""Loss-scale update cells and managers: the scale over many steps, settings and errors."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, amp, nn, ops
from mindspore.nn.wrap.loss_scale import DynamicLossScaleUpdateCell
from mindspore.train.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager

from tests.parity.case import case


def scale_of(value, shape=()):
    return Parameter(Tensor(np.full(shape, value), ms.float32), name="scale")


SEQUENCES = {
    "facts": (16, 2, 3, "FFFFTFTTTTTTT"),
    "grows": (16, 2, 2, "FFFFFFFTFFFF"),
    "window_1": (4, 2, 1, "FFFTFF"),
    "factor_3": (100, 3, 2, "TTFFFFT"),
    "factor_half": (16, 1.5, 2, "FFFTTF"),
    "to_the_floor": (2.5, 4, 2, "TTTFFFF"),
    "to_the_ceiling": (2.0**126, 2, 1, "FFFFTT"),
}


@case.table(SEQUENCES)
def update_cell(value, factor, window, steps):
    cell, scale = nn.DynamicLossScaleUpdateCell(value, factor, window), scale_of(value)
    seen = []
    for step in steps:
        overflow = cell(scale, Tensor(step == "T"))
        seen.append(
            (overflow, scale.asnumpy().copy(), int(cell.cur_iter), int(cell.last_overflow_iter))
        )
    return seen, cell.get_loss_scale(), [p.name for p in cell.get_parameters()]


@case.table(SEQUENCES)
def manager(value, factor, window, steps):
    chosen = DynamicLossScaleManager(value, factor, window)
    seen = []
    for step in steps:
        chosen.update_loss_scale(step == "T")
        seen.append((chosen.get_loss_scale(), chosen.cur_iter, chosen.last_overflow_iter))
    return seen


@case
def update_cell_attributes():
    cell = DynamicLossScaleUpdateCell(16, 2, 3)
    return (
        (cell.get_loss_scale(), cell.loss_scale_value, cell.scale_window, cell.scale_factor),
        (cell.cur_iter, cell.last_overflow_iter, repr(cell)),
    )


@case.table({"one": ((1,),), "scalar": ((),)})
def update_cell_shape(shape):
    scale = scale_of(16, shape)
    out = nn.DynamicLossScaleUpdateCell(16, 2, 3)(scale, Tensor(True))
    return out, scale


@case.table({"bool": (lambda: True,), "None": (lambda: None,), "tensor": (lambda: Tensor(True),)})
def overflow_of_kind(value):
    scale = scale_of(16)
    return nn.DynamicLossScaleUpdateCell(16, 2, 3)(scale, value()), scale


@case
def integer_scale():
    scale = Parameter(Tensor(16, ms.int32), name="scale")
    return nn.DynamicLossScaleUpdateCell(16, 2, 3)(scale, Tensor(True))


@case.table({"tensor": (lambda: Tensor(True),), "bool": (lambda: True,), "None": (lambda: None,)})
def fixed_update_cell(overflow):
    cell, scale = nn.FixedLossScaleUpdateCell(128), scale_of(16)
    return cell(scale, overflow()), scale, cell.get_loss_scale(), repr(cell)


@case.table(
    {
        "default": ((),),
        "float": ((2.0,),),
        "keep": ((1, False),),
        "half": ((0.5,),),
        "zero": ((0,),),
        "negative": ((-1,),),
    },
    message=True,
)
def fixed_manager(arguments):
    chosen = FixedLossScaleManager(*arguments)
    cell = chosen.get_update_cell()
    return (
        chosen.get_loss_scale(),
        chosen.get_drop_overflow_update(),
        chosen.update_loss_scale(True),
        None if cell is None else (type(cell), cell.get_loss_scale()),
    )


@case.table(
    {
        "default": ((),),
        "float": ((16.0, 2.5, 3),),
        "factor_1": ((16, 1),),
        "half": ((0.5,),),
        "zero": ((0,),),
        "factor_0": ((16, 0),),
        "factor_negative": ((16, -1),),
        "window_0": ((16, 2, 0),),
        "window_float": ((16, 2, 1.5),),
    },
    message=True,
)
def dynamic_manager(arguments):
    chosen = DynamicLossScaleManager(*arguments)
    cell = chosen.get_update_cell()
    settings = (
        chosen.scale_window,
        chosen.scale_factor,
        chosen.increase_ratio,
        chosen.decrease_ratio,
    )
    return (
        chosen.get_loss_scale(),
        chosen.get_drop_overflow_update(),
        settings,
        (type(cell), cell.get_loss_scale(), cell.scale_factor, cell.scale_window),
    )


@case
def cell_of_a_manager_starts_from_its_scale():
    chosen = DynamicLossScaleManager(16, 2, 1)
    for _ in range(3):
        chosen.update_loss_scale(False)
    return chosen.get_loss_scale(), chosen.get_update_cell().get_loss_scale()


@case
def base_manager():
    chosen = ms.LossScaleManager()
    return chosen.get_loss_scale(), chosen.update_loss_scale(True), chosen.get_update_cell()


@case
def same_classes():
    return (
        amp.FixedLossScaleManager is FixedLossScaleManager,
        ms.FixedLossScaleManager is FixedLossScaleManager,
        ms.train.FixedLossScaleManager is FixedLossScaleManager,
        issubclass(DynamicLossScaleManager, ms.LossScaleManager),
        nn.DynamicLossScaleUpdateCell is DynamicLossScaleUpdateCell,
    )


@case
def own_manager():
    class Mine(ms.LossScaleManager):
        def get_loss_scale(self):
            return 8.0

        def get_update_cell(self):
            return nn.DynamicLossScaleUpdateCell(8.0, 2, 2)

    return Mine().get_loss_scale(), Mine().update_loss_scale(True), type(Mine().get_update_cell())


@case.table({"float": (ms.float32,), "int": (ms.int32,)})
def float_status(dtype):
    return ops.FloatStatus()(Tensor([1, 2], dtype))
