"""What Cells of public model repositories do; found by running them with their gradients."""

import abc

import mindspore as ms
from mindspore import Tensor, nn, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, outcome


def logits():
    return numbers(2, 3)


def shares(seed=1):
    return numbers(2, 3, low=0.1, high=0.9, seed=seed)


@case.table(
    {
        "sigmoid": (lambda: ops.SigmoidCrossEntropyWithLogits(), logits, 1),
        "probabilities": (lambda: ops.BinaryCrossEntropy(), shares, 2),
        "each": (lambda: ops.BinaryCrossEntropy("none"), shares, 2),
        "logits": (lambda: ops.BCEWithLogitsLoss(), logits, 3),
        "function": (lambda: ops.binary_cross_entropy_with_logits, logits, 3),
    },
    tol=5e-5,
)
def constants_of_entropy(make, first, more):
    """SinGAN's: neither a label of the first nor a weight of the others has a gradient."""
    inputs = (first(), *(shares(2 + i) for i in range(more)))
    return outcome(make(), inputs, tuple(range(len(inputs))))


@case.table({"cell": (nn.Cell,), "abc": (nn.Cell, abc.ABC)})
def abstract_methods(*bases):
    """nas-fpn's: a Cell is built although a method is abstract."""

    class Merge(*bases):
        def construct(self, x):
            return x + 1

        @abc.abstractmethod
        def other(self):
            pass

    return Merge()(Tensor([1.0], ms.float32))


@case
def class_of_dtypes():
    """What MindSpore's converter from PyTorch writes gives dtypes an attribute of its own."""
    import mindspore.default_config

    number = ms.dtype.typing.Number
    number.is_half = property(lambda self: self == ms.float16)
    found = ms.float16.is_half, ms.float32.is_half, isinstance(ms.float32, ms.dtype.typing.Float)
    del number.is_half
    return found, mindspore.default_config.__package_name__


@case.table({"before_end": (0,), "to_end": (1,)}, tol=1e-5)
def constructor_of_primitive(end_mode):
    """mindocr's: `ROIAlign.__init__` is replaced."""

    @ops.primitive.prim_attr_register
    def replaced(self, pooled_height, pooled_width, spatial_scale, sample_num, roi_end_mode=1):
        self.roi_end_mode = roi_end_mode

    x, places = numbers(1, 2, 4, 4), Tensor([[0, 0.5, 0.5, 2.5, 3.0]], ms.float32)
    align = ops.ROIAlign
    before, align.__init__ = align.__init__, replaced
    try:
        return align(2, 2, 1.0, 2, roi_end_mode=end_mode)(x, places)
    finally:
        align.__init__ = before


@case
def memo_of_a_copy():
    """ge2e's: a copy by its method, with a Tensor for what is copied already."""
    x = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32)

    def changed(x):
        new = x.__deepcopy__(memodict=x[0])
        new = new * 2
        return (new + x).sum()

    return x.__deepcopy__(memodict=x[0]), ms.grad(changed)(x)


@case.table({"fixed": (0.01, 0.02), "decayed": (0.01, None), "one": (None,)})
def rates_of_groups(*rates):
    """A tutorial's: the rates of an optimizer with groups."""
    weights = [ms.Parameter(Tensor([1.0], ms.float32), name=name) for name in "abc"]
    groups = [{"params": weights[:2]}, {"params": weights[2:]}]
    for group, rate in zip(groups, rates, strict=False):
        group["lr"] = nn.CosineDecayLR(0.1, 1.0, 4) if rate is None else rate
    if len(rates) == 1:
        groups = [{"params": weights, "weight_decay": 0.1}]
    found = nn.Momentum(groups, 0.1, 0.9).group_lr
    rates = [rate if isinstance(rate, Tensor) else rate(Tensor(2)) for rate in found]
    return [rate.asnumpy() for rate in rates]


GROUPS = {
    "with_their_own": lambda a, b: [
        {"params": [a], "weight_decay": 0.25, "grad_centralization": True},
        {"params": [b]},
    ],
    "ordered": lambda a, b: [
        {"params": [a], "weight_decay": nn.ExponentialDecayLR(0.1, 0.9, 4)},
        {"params": [b]},
        {"order_params": [b, a]},
    ],
    "none": lambda a, b: [a, b],
}


@case.table({name: (make,) for name, make in GROUPS.items()})
def settings_of_groups(make):
    """What an optimizer tells of its groups."""
    groups = make(*(ms.Parameter(Tensor([1.0], ms.float32), name=name) for name in "ab"))
    optimizer = nn.Momentum(groups, 0.1, 0.9, weight_decay=0.5, loss_scale=4.0)
    told = [optimizer.dynamic_decay_flags, hasattr(optimizer, "group_weight_decay")]
    if optimizer.is_group:
        decays = [d if isinstance(d, float) else None for d in optimizer.group_weight_decay]
        told += [decays, optimizer.group_grad_centralization]
    return told


@case
def parameters_made_for_several_devices():
    layer = nn.Dense(2, 1)
    made = layer.init_parameters_data()
    return layer.init_parameters_data(auto_parallel_mode=True), [p.name for p in made]
