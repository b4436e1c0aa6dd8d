"""Names that programs import from inside MindSpore, where they use them as well."""

from __future__ import annotations

import importlib
import os

import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops


def inner(path):
    module, _, name = path.rpartition(".")
    with ms.install():
        return getattr(importlib.import_module(f"mindspore.{module}"), name)


SAME = {
    "common.api.jit": ms.jit,
    "common.api.jit_class": ms.jit_class,
    "common.api.mutable": ms.mutable,
    "common.api.JitConfig": ms.JitConfig,
    "common.api.set_recursion_limit": ms.set_recursion_limit,
    "common.api.ms_memory_recycle": ms.ms_memory_recycle,
    "common.device.DeviceCtx": ms.DeviceCtx,
    "common.generator.default_generator": ms.default_generator,
    "common.generator.seed": ms.seed,
    "common.jit_config.JitConfig": ms.JitConfig,
    "common.seed.set_seed": ms.set_seed,
    "device_manager.get_current_device": ms.get_current_device,
    "nn.loss.loss._Loss": nn.LossBase,
    "ops.primitive.constexpr": ops.constexpr,
    "train.data_sink": ms.data_sink,
    "train.summary.SummaryRecord": ms.SummaryRecord,
    "train.summary.summary_record.SummaryRecord": ms.SummaryRecord,
}


@pytest.mark.parametrize("path", SAME)
def test_the_same_by_another_path(path):
    assert inner(path) is SAME[path]


def test_dtype_is_a_module_of_the_top_level():
    assert ms.dtype.float32 is ms.float32
    with ms.install():
        from mindspore import dtype as mstype
    assert mstype is ms.common.dtype


def test_primitives_made_once():
    cached = inner("ops._primitive_cache._get_cache_prim")
    summed = cached(ops.ReduceSum)(True)
    assert summed is cached(ops.ReduceSum)(True)
    # Equal, and yet other options.
    assert summed is not cached(ops.ReduceSum)(1)
    assert summed is not cached(ops.ReduceSum)()
    assert summed(Tensor([1.0, 2.0]), 0).asnumpy().tolist() == [3.0]
    # A list cannot be hashed.
    perm = cached(ops.ReduceSum)
    assert perm(keep_dims=False) is perm(keep_dims=False)
    with pytest.raises(TypeError, match="ReduceSum"):
        cached(ops.ReduceSum)(True, 3, [4])


def test_the_executor_and_the_seeds_of_operators():
    assert inner("common.api._pynative_executor").sync() is None
    seeds = inner("common.seed._get_graph_seed")
    ms.set_seed(5)
    assert [seeds(0, "Dropout"), seeds(3, "Dropout"), seeds(None, "Dropout")] == [
        (5, 0),
        (5, 3),
        (5, 0),
    ]


def test_helpers_of_training_scripts(tmp_path):
    assert inner("train.callback._callback.set_cur_net")(nn.Dense(1, 1)) is None
    make = inner("train._utils._make_directory")
    folder = make(str(tmp_path / "a" / "b"))
    assert os.path.isdir(folder)
    assert make(folder) == folder
    for bad in (3, "", None):
        with pytest.raises(TypeError, match="should be string"):
            make(bad)


def test_an_older_loss_base():
    class Squares(inner("nn.loss.loss._Loss")):
        def construct(self, logits, labels):
            return self.get_loss(ops.square(logits - labels))

    assert float(Squares("sum")(Tensor([1.0, 2.0]), Tensor([0.0, 0.0]))) == 5.0
