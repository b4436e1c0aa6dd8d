"""The parallel setting of one process: the context, the helpers of training cells, ranks."""

import mindspore as ms
from mindspore import Tensor, communication, context, nn, ops
from mindspore.communication.management import get_group_size, get_rank, release
from mindspore.nn.wrap.cell_wrapper import _VirtualDatasetCell
from mindspore.parallel import _utils, set_algo_parameters
from mindspore.parallel._auto_parallel_context import auto_parallel_context
from mindspore.parallel._cost_model_context import (
    get_cost_model_context,
    reset_cost_model_context,
    set_cost_model_context,
)

from tests.parity.case import case

HELPERS = (
    "_get_device_num",
    "_get_stage_device_num",
    "_get_global_rank",
    "_get_parallel_mode",
    "_get_gradients_mean",
    "_get_full_batch",
    "_get_enable_parallel_optimizer",
    "_get_grad_accumulation_shard",
    "_get_parameter_broadcast",
    "_get_pipeline_stages",
    "_is_in_auto_parallel_mode",
    "_is_in_data_parallel_mode",
    "_is_in_hybrid_parallel_mode",
    "_need_to_full",
)


def asked():
    return {name: getattr(_utils, name)() for name in HELPERS}


@case
def helpers():
    return asked()


@case.table({mode: (mode,) for mode in ("stand_alone", "data_parallel", "hybrid_parallel")})
def helpers_after_setting(mode):
    ms.set_auto_parallel_context(parallel_mode=mode, gradients_mean=True, device_num=8)
    seen = asked()
    ms.reset_auto_parallel_context()
    return seen, asked()


@case.table(
    {
        "mode": ({"parallel_mode": "bad"},),
        "mode_type": ({"parallel_mode": 1},),
        "keyword": ({"foo": 1},),
        "mean": ({"gradients_mean": 1},),
        "devices": ({"device_num": 0},),
        "good": ({"parallel_mode": "data_parallel", "full_batch": False, "pipeline_stages": 1},),
        "strategy": ({"strategy_ckpt_save_file": "a.ckpt", "enable_parallel_optimizer": True},),
        "fusion": ({"all_reduce_fusion_config": [2, 4]},),
    },
    message=True,
)
def set_context(options):
    try:
        context.set_auto_parallel_context(**options)
        return {key: context.get_auto_parallel_context(key) for key in options}
    finally:
        context.reset_auto_parallel_context()


@case.table(
    {"parallel_mode": ("parallel_mode",), "device_num": ("device_num",), "unknown": ("foo",)}
)
def get_context(key):
    return context.get_auto_parallel_context(key)


@case
def modes():
    return {name: getattr(ms.ParallelMode, name) for name in dir(ms.ParallelMode) if name.isupper()}


@case
def context_object():
    made = auto_parallel_context()
    return (
        made is auto_parallel_context(),
        made.get_parallel_mode(),
        made.get_device_num(),
        made.get_device_num_is_set(),
        made.get_gradients_mean(),
    )


@case.table(
    {
        "good": ({"elementwise_op_strategy_follow": True},),
        "unknown": ({"x": 1},),
        "type": ({"fully_use_devices": 1},),
    },
    message=True,
)
def algo_parameters(options):
    set_algo_parameters(**options)
    seen = {key: ms.get_algo_parameters(key) for key in options}
    ms.reset_algo_parameters()
    return seen, {key: ms.get_algo_parameters(key) for key in options}


@case.table({"good": ({"device_memory_capacity": 16.0},), "unknown": ({"foo": 1},)}, message=True)
def cost_model(options):
    set_cost_model_context(**options)
    seen = {key: get_cost_model_context(key) for key in options}
    reset_cost_model_context()
    return seen, {key: get_cost_model_context(key) for key in options}


@case.table(
    {"off": ({"enable_ps": False},), "unknown": ({"foo": 1},), "type": ({"enable_ps": 1},)},
    message=True,
)
def ps_context(options):
    ms.set_ps_context(**options)
    return context.get_ps_context("enable_ps")


@case
def ranks():
    return (
        get_rank(),
        get_group_size(),
        communication.get_local_rank(),
        communication.get_local_rank_size(),
        communication.HCCL_WORLD_COMM_GROUP,
        communication.GlobalComm.WORLD_COMM_GROUP,
        communication.GlobalComm.INITED,
        release(),
    )


@case.table({"number": (1,), "name": ("nope",)}, message=True)
def rank_in(group):
    return get_rank(group), get_group_size(group)


@case.table({"name": ("foo",), "number": (1,)}, message=True)
def init(backend):
    return communication.init(backend)


@case.table(
    {
        "init": (lambda: communication.init(),),
        "group": (lambda: communication.create_group("g", [0]),),
    }
)
def without_a_launcher(call):
    try:
        return call()
    finally:
        release()


@case
def virtual_dataset_cell():
    cell = _VirtualDatasetCell(nn.Dense(2, 1, weight_init="ones"))
    return [p.name for p in cell.get_parameters()], repr(cell)


@case
def virtual_dataset_cell_triple():
    cell = nn.VirtualDatasetCellTriple(nn.Dense(2, 1, weight_init="ones"))
    return [p.name for p in cell.get_parameters()], repr(cell)


@case.table(
    {
        "AllReduce": (lambda: ops.AllReduce(),),
        "max": (lambda: ops.AllReduce(ops.ReduceOp.MAX),),
        "AllGather": (lambda: ops.AllGather(),),
        "Broadcast": (lambda: ops.Broadcast(0),),
        "ReduceScatter": (lambda: ops.ReduceScatter(),),
        "op_type": (lambda: ops.AllReduce(1),),
        "group": (lambda: ops.AllGather(1),),
        "root": (lambda: ops.Broadcast("a"),),
    }
)
def made(make):
    return type(make())


@case
def reduce_ops():
    return ops.ReduceOp.SUM, ops.ReduceOp.MAX, ops.ReduceOp.MIN, ops.ReduceOp.PROD


@case
def reducer_of_one_process():
    net = nn.Dense(2, 1)
    reducer = nn.DistributedGradReducer(net.trainable_params(), True, 1)
    return isinstance(reducer, nn.Cell), [p.name for p in reducer.get_parameters()], Tensor(1.0)
