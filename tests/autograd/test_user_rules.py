"""Derivatives through backward passes of the user's: the same in every mode of execution."""

from __future__ import annotations

import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core.deferred.recording import eager_mode
from tests.parity.case import cases, observe
from tests.parity.compare import differences
from tests.parity.test_parity import recorded

ms.install()
FAMILY = "grad_rules"
DEEP = [n for n in recorded(FAMILY) if n.endswith(("-grad_grad]", "-third]", "-penalty]"))]


@pytest.fixture(autouse=True)
def installed() -> None:
    ms.install()


@pytest.mark.parametrize("name", DEEP)
def test_op_by_op_and_in_graph_mode_as_eagerly(name: str) -> None:
    one, want = cases(FAMILY)[name], recorded(FAMILY)[name]
    with eager_mode("op"):
        assert not differences(want, observe(one), one.tol)
    assert not differences(want, observe(one, graph=True), one.tol)


def vector() -> Tensor:
    return Tensor([1.0, 2.0], ms.float32)


class Fails(nn.Cell):
    """Keeps Tensors where a call does not take them back, and raises."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(vector(), name="w")
        self.kept: list[Tensor] = []

    def construct(self, x: Tensor) -> Tensor:
        self.kept += [x * 3, self.w * 2, (x + 1)[0]]
        raise KeyError("after the Tensors")


READS = {
    "asnumpy": lambda t: t.asnumpy(),
    "print": str,
    "operator": lambda t: t + 1,
    "sequence": lambda t: ops.stack([t, t]),
    "element": lambda t: t.reshape(-1)[0],
    "gradient": lambda t: ms.grad(lambda x: x * t)(vector()),
    "jit": lambda t: ms.jit(lambda x: x * t)(vector()),
}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("graph", [True, False])
def test_a_tensor_of_a_failed_compiled_call_says_so(read: str, graph: bool) -> None:
    net, kept = Fails(), []
    net.kept = kept
    call = net if graph else ms.jit(net)
    if graph:
        ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(KeyError, match="after the Tensors"):
        call(vector())
    assert net.w.asnumpy().tolist() == [1.0, 2.0]
    for tensor in kept:
        assert len(tensor.shape) < 2
        with pytest.raises(RuntimeError, match=r"never computed.*Make it again"):
            READS[read](tensor)


def test_index_add_in_place() -> None:
    tensor = ops.zeros((3, 2), ms.float32)
    view = tensor.reshape(6)
    source = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32)
    assert tensor.index_add_(0, Tensor([2, 2], ms.int32), source, alpha=2) is tensor
    assert view.asnumpy().tolist() == [0, 0, 0, 0, 8, 12]
    with pytest.raises(ValueError, match="one slice must be added at each"):
        tensor.index_add_(0, Tensor([0, 1, 2], ms.int32), source)
    assert view.asnumpy().tolist() == [0, 0, 0, 0, 8, 12]


def test_saved_inputs_of_a_jitted_function_that_is_differentiated():
    class Product(ms._Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            return grad * b * 3, grad * a

    compiled = ms.jit(lambda a, b: Product.apply(a, b))
    first, second = Tensor([1.0, 2.0], ms.float32), Tensor([3.0, 5.0], ms.float32)
    found = ms.grad(compiled, (0, 1))(first, second)
    assert [gradient.tolist() for gradient in found] == [[9.0, 15.0], [1.0, 2.0]]
