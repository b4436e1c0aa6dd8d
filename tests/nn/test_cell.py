"""What a network may name as it likes."""

from __future__ import annotations

import abc

from flax import nnx

import msgrad as ms
from msgrad import Tensor, nn

# What MindSpore's and Flax's own classes have as well.
KNOWN = {"_param_prefix", "_buffers", "_setattr", "_abc_impl", "_repr_html_", "_changes"}
KNOWN |= {"_save_to_state_dict", "_load_from_state_dict", "_phase", "_has_config_recompute"}


def test_a_network_may_name_its_parts_as_it_likes():
    """What ``Cell`` keeps for itself begins with ``_cell``, if MindSpore has no name for it."""
    shared = ("__", "_cell", "_flax", "_pytree__", "_graph_node")
    ours = [cls for cls in nn.Cell.__mro__ if cls.__module__.startswith("msgrad.nn")]
    names = {name for cls in ours for name in vars(cls) if name.startswith("_")}
    assert {name for name in names if not name.startswith(shared)} <= KNOWN


def test_parts_and_methods_with_names_of_helpers():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self._drop = nn.ReLU()
            self._number = nn.Dense(2, 2, weight_init="ones", has_bias=False)

        def _run(self, x):
            return self._drop(self._number(x))

        def _forward(self, x):
            return self._run(x) * 2

        def construct(self, x):
            return self._forward(x)

    net = Net()
    net.register_forward_hook(lambda cell, inputs, output: output + 1)
    x = Tensor([[1.0, 2.0]], ms.float32)
    assert net(x).asnumpy().tolist() == [[7.0, 7.0]]
    assert ms.jit(net)(x).asnumpy().tolist() == [[7.0, 7.0]]


def test_no_cell_class_is_asked_whether_another_object_is_one():
    asked = []

    class Asked(nn.Cell):
        @classmethod
        def __subclasshook__(cls, other):
            asked.append(other)
            return NotImplemented

    class Abstract(nn.Cell, metaclass=abc.ABCMeta):
        pass

    # Of `tests/parity`, a case may have registered a virtual subclass in this process.
    if type(nn.Cell).__instancecheck__ is type.__instancecheck__:
        assert not isinstance(object(), nn.Cell)
        assert not isinstance(asked, nnx.Module)
        assert not isinstance(Asked(), Abstract)
        assert not asked
