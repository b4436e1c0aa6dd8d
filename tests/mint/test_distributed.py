"""``mint.distributed`` in the one process there is."""

from __future__ import annotations

import numpy as np
import pytest

from msgrad import Tensor
from msgrad.mint import distributed as dist


def tensor(*values):
    return Tensor(np.array(values, np.float32))


@pytest.mark.parametrize("name", ["all_reduce", "broadcast", "reduce"])
def test_one_process_has_the_sum(name):
    x = tensor(1.0, 2.0)
    given = () if name == "all_reduce" else (0,)
    assert getattr(dist, name)(x, *given) is None
    assert x.asnumpy().tolist() == [1.0, 2.0]
    getattr(dist, name)(x, *given, async_op=True).wait()


@pytest.mark.parametrize(
    "name",
    [
        *("all_gather_into_tensor", "all_gather_into_tensor_uneven", "all_to_all_single"),
        *("reduce_scatter_tensor", "reduce_scatter_tensor_uneven"),
    ],
)
def test_into_a_tensor(name):
    output = tensor(0.0, 0.0)
    getattr(dist, name)(output, tensor(1.0, 2.0))
    assert output.asnumpy().tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="one shape and dtype"):
        getattr(dist, name)(output, tensor(1.0))
    assert output.asnumpy().tolist() == [1.0, 2.0]


def test_lists_of_one():
    output = tensor(0.0)
    dist.all_gather([output], tensor(1.0))
    assert output.asnumpy().tolist() == [1.0]
    dist.gather(tensor(2.0), [output])
    assert output.asnumpy().tolist() == [2.0]
    dist.scatter(output, [tensor(3.0)])
    assert output.asnumpy().tolist() == [3.0]
    dist.reduce_scatter(output, [tensor(4.0)], "max")
    assert output.asnumpy().tolist() == [4.0]
    dist.all_to_all([output], [tensor(5.0)])
    assert output.asnumpy().tolist() == [5.0]
    with pytest.raises(TypeError, match="list of one"):
        dist.all_gather([output, output], output)
    with pytest.raises(TypeError, match="op must be one of"):
        dist.all_reduce(output, "mean")


def test_objects():
    found = [None]
    dist.all_gather_object(found, {"a": 1})
    assert found == [{"a": 1}]
    dist.gather_object(2, found)
    assert found == [2]
    dist.scatter_object_list(found, [3])
    assert found == [3]
    dist.broadcast_object_list(found)
    assert found == [3]


def test_groups():
    assert (dist.get_rank(), dist.get_world_size(), dist.get_backend()) == (0, 1, "hccl")
    assert dist.is_available() and not dist.is_initialized()
    with pytest.raises(RuntimeError, match="not been inited"):
        dist.get_process_group_ranks()
    with pytest.raises(ValueError, match="Only support hccl"):
        dist.init_process_group("gloo")
    dist.init_process_group()
    try:
        assert dist.is_initialized()
        group = dist.new_group([0])
        assert dist.get_process_group_ranks(group) == [0]
        assert dist.get_global_rank(group, 0) == dist.get_group_rank(group, 0) == 0
        assert dist.barrier(group) is None
    finally:
        dist.destroy_process_group()
    assert not dist.is_initialized()


def test_sending_needs_somebody():
    with pytest.raises(NotImplementedError, match="there is only one"):
        dist.send(tensor(1.0), 1)
