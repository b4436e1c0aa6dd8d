"""What is said of several devices and checked at once: layouts, strategies, automatic modes."""

import mindspore as ms
import numpy as np
from mindspore import Layout, Tensor, nn, ops
from mindspore.parallel import shard
from mindspore.parallel.auto_parallel import AutoParallel

from tests.parity.case import case


def grid():
    return Layout((2, 2, 2), ("dp", "sp", "mp"))


@case.table(
    {
        "plain": ((2, 4), ("dp", "mp")),
        "virtual": ((2, 2), ("a", "interleaved_parallel")),
        "virtual_first": ((2, 2), ("interleaved_parallel", "a")),
        "bool": ((True, 2), ("a", "b")),
        "none_of_one": ((0, 2), ("a", "b")),
        "more_names": ((2,), ("a", "b")),
        "sizes_list": ([2], ("a",)),
        "names_list": ((2,), ["a"]),
        "size_float": ((2.0,), ("a",)),
        "name_int": ((2,), (1,)),
        "name_empty": ((2,), ("",)),
        "name_none": ((2,), ("None",)),
        "name_twice": ((2, 2), ("a", "a")),
        "ranks": ((2, 2), ("a", "b"), [3, 1, 2, 0]),
        "ranks_tuple": ((2, 2), ("a", "b"), (0, 1, 2, 3)),
        "ranks_few": ((2, 2), ("a", "b"), [0, 1]),
        "ranks_text": ((2, 2), ("a", "b"), [0, 1, 2, "3"]),
    }
)
def layout(*given):
    return Layout(*given)("None").to_dict()


@case.table(
    {
        "two": ("dp", "mp"),
        "none": (),
        "whole": ("None", "None"),
        "joined": (("dp", "sp"), "mp"),
        "joined_none": (("dp", "None"),),
        "twice": ("dp", "dp"),
        "twice_joined": (("dp", "mp"), "mp"),
        "unknown": ("nope",),
        "unknown_joined": (("nope",),),
        "number": (3,),
        "nothing": (None,),
    }
)
def layout_called(*axes):
    return grid()(*axes).to_dict()


@case
def layout_not_called():
    return Layout((2,), ("a",)).to_dict()


STRATEGIES = {
    "tuples": (lambda: ((2, 1), (1, 4)),),
    "layouts": (lambda: (grid()("dp", "mp"), grid()("mp", "sp")),),
    "empty": (lambda: (),),
    "int": (lambda: 3,),
    "list": (lambda: [(1, 2)],),
    "ints": (lambda: (2, 1),),
    "text": (lambda: ((2, 1), (1, "a")),),
    "float": (lambda: ((2.0, 1),),),
    "bool": (lambda: ((True, 1),),),
    "negative": (lambda: ((-1, 1),),),
    "mixed": (lambda: (grid()("dp", "mp"), (1, 1)),),
    "not_called": (lambda: (Layout((2,), ("a",)),),),
}


def said(operator):
    return {key: operator.attrs[key] for key in sorted(operator.attrs) if key[:2] in ("in", "ou")}


@case.table(STRATEGIES)
def primitive_shard(strategy):
    return said(ops.MatMul().shard(strategy()))


@case.table(STRATEGIES)
def primitive_shard_out(strategy):
    return said(ops.MatMul().shard(((1, 1), (1, 1)), strategy()))


@case
def primitive_shard_nothing():
    return said(ops.MatMul().shard())


@case
def primitive_shard_only_out():
    return ops.MatMul().shard(out_strategy=((1, 1),))


@case
def primitive_sharded_computes():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return ops.MatMul().shard(((2, 1), (1, 4)))(x, x.T)


@case.table(STRATEGIES)
def on_one_device(strategy):
    """Neither a Cell nor a function is concerned, whatever is said."""
    net = nn.Dense(3, 2)
    return net.shard(strategy()), shard(net, strategy()) is net, ms.shard(net, strategy()) is net


@case.table(
    {
        "batch": ("data_parallel",),
        "whole": ("full_batch",),
        "tuples": (((2, 1), (2,)),),
        "word": ("nope",),
        "text": (((2, "a"),),),
        "ints": ((2, 1),),
        "list": ([(2, 1)],),
    }
)
def dataset_strategy(given):
    try:
        ms.set_auto_parallel_context(dataset_strategy=given)
        return ms.get_auto_parallel_context("full_batch")
    finally:
        ms.reset_auto_parallel_context()


@case.table(
    {
        "batch": ("data_parallel",),
        "word": ("nope",),
        "tuples": (((2, 1),),),
        "text": (((2, "a"),),),
        "ints": ((3,),),
        "list": ([(2, 1)],),
        "int": (3,),
        "none": (None,),
    }
)
def auto_parallel_strategy(given):
    return AutoParallel(nn.Dense(2, 2)).dataset_strategy(given)


@case.table(
    {
        "default": ({},),
        "size": ({"shard_size": 0},),
        "size_float": ({"shard_size": 2.0},),
        "threshold": ({"threshold": -1},),
        "level": ({"optimizer_level": "level2"},),
        "level_unknown": ({"optimizer_level": "x"},),
    }
)
def auto_parallel_hsdp(given):
    return AutoParallel(nn.Dense(2, 2)).hsdp(**given)


@case
def auto_parallel_mode():
    return AutoParallel(nn.Dense(2, 2), "x")


@case
def auto_parallel_on_one_device():
    net = nn.Dense(2, 2, weight_init="ones")
    return AutoParallel(net)(Tensor(np.ones((2, 2), np.float32)))


@case.table(
    {
        "defaults": ({},),
        "pipeline": (
            {"pipeline_config": {"pipeline_interleave": True, "pipeline_scheduler": "gpipe"}},
        ),
        "unknown": ({"pipeline_config": {"stages": 2}},),
        "no_dict": ({"pipeline_config": 3},),
        "norms": ({"dump_local_norm": True, "dump_local_norm_path": "norms"},),
        "device_norm": ({"dump_device_local_norm": True, "init_param_in_compile": False},),
    }
)
def settings_of_pipelines_and_norms(given):
    names = ("pipeline_interleave", "pipeline_scheduler", "dump_local_norm")
    more = ("dump_local_norm_path", "dump_device_local_norm", "init_param_in_compile")
    try:
        ms.set_auto_parallel_context(**given)
        return [ms.get_auto_parallel_context(name) for name in (*names, *more)]
    finally:
        ms.reset_auto_parallel_context()
