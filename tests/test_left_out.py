"""What is left out says so when it is used, and collectives give what one process has."""

from __future__ import annotations

import importlib

import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.communication import comm_func


@pytest.mark.parametrize(
    "path",
    [
        "mindrecord.MindPage",
        "dataset.TedliumDataset",
        "dataset.audio.Vad",
        "dataset.debug.DebugHook",
        "dataset.vision.DecodeVideo",
        "ops.swiglu",
        "ops.auto_generate.MoeInitRouting",
        "ops.auto_generate.InplaceExp",
        "ops.operations._quant_ops.FakeQuantPerLayer",
        "ops.csr_mm",
        "runtime.MemPool",
        "parallel.convert_checkpoints",
        "rewrite.PatternEngine",
        "train.checkpoint_pb2.Checkpoint",
        "train.mind_ir_pb2.ModelProto",
        "common.api.init_exec_dataset",
    ],
)
def test_what_is_left_out_says_what_to_do(path):
    module, _, name = path.rpartition(".")
    found = getattr(importlib.import_module(f"msgrad.{module}"), name)
    with pytest.raises(NotImplementedError, match=f"msgrad leaves out .*{name}: ...."):
        # Primitives say so when they are called: networks make what they use elsewhere.
        found(3)(3)


def test_collectives_that_return_their_results():
    x = Tensor([1.0, 2.0])
    for call in (comm_func.all_reduce, comm_func.all_gather_into_tensor):
        found, handle = call(x)
        assert (found.tolist(), handle) == ([1.0, 2.0], None)
        assert call(x, async_op=True)[1].wait() is None
    for call in (comm_func.broadcast, comm_func.gather_into_tensor, comm_func.scatter_tensor):
        assert call(x).tolist() == [1.0, 2.0]
    assert comm_func.reduce(x, 0, "max").tolist() == [1.0, 2.0]
    assert comm_func.all_to_all_with_output_shape([(2,)], [x])[0][0].tolist() == [1.0, 2.0]
    with pytest.raises(TypeError, match="tensor"):
        comm_func.all_reduce(3)
    with pytest.raises(ValueError, match="'op'"):
        comm_func.all_reduce(x, "mean")
    with pytest.raises(ValueError, match="one process"):
        comm_func.broadcast(x, 1)
    with pytest.raises(ValueError, match="one process"):
        comm_func.all_to_all_single_with_output_shape((3,), x)


def test_collectives_of_operators():
    x, written = Tensor([1.0, 2.0]), Tensor([0.0, 0.0])
    assert ops.gather_into_tensor(written, x) is None
    assert written.tolist() == [1.0, 2.0]
    for operator in (ops.AlltoAll(1, 0, 0), ops.Reduce(0), ops.CollectiveGather(0)):
        assert operator(x).tolist() == [1.0, 2.0]
    assert ops.Barrier()() is None
    with pytest.raises(ValueError, match="split_count"):
        ops.AlltoAll(2, 0, 0)
    gradient = ms.grad(lambda v: (ops.CollectiveScatter()(v) ** 2).sum())(x)
    assert gradient.tolist() == [2.0, 4.0]
