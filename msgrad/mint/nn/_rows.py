"""The layers of ``mindspore.mint.nn`` that only keep the options of a function: a table.

``Softmax(dim=None): softmax`` is a Cell whose constructor takes ``dim`` and which calls
``functional.softmax`` with its inputs and that.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from msgrad._core.errors import ArgumentTypeError
from msgrad._core.spelling import parameters_in
from msgrad.mint.nn import functional
from msgrad.nn.cell import Cell
from msgrad.nn.loss.loss import LossBase

_TABLE = """
AdaptiveAvgPool1d(output_size): adaptive_avg_pool1d
AdaptiveAvgPool2d(output_size): adaptive_avg_pool2d
AdaptiveAvgPool3d(output_size): adaptive_avg_pool3d
AdaptiveMaxPool1d(output_size, return_indices=False): adaptive_max_pool1d
AdaptiveMaxPool2d(output_size, return_indices=False): adaptive_max_pool2d
AvgPool1d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True): avg_pool1d
MaxUnpool2d(kernel_size, stride=None, padding=0): max_unpool2d
Softmax(dim=None): softmax
LogSoftmax(dim=None): log_softmax
GLU(dim=-1): glu
GELU(approximate='none'): gelu
ELU(alpha=1.0, inplace=False): elu
SiLU(inplace=False): silu
ReLU6(inplace=False): relu6
Hardtanh(min_val=-1.0, max_val=1.0, inplace=False): hardtanh
Threshold(threshold, value, inplace=False): threshold
SELU(): selu
Mish(): mish
Tanh(): tanh
Sigmoid(): sigmoid
LogSigmoid(): logsigmoid
Fold(output_size, kernel_size, dilation=1, padding=0, stride=1): fold
Unfold(kernel_size, dilation=1, padding=0, stride=1): unfold
Flatten(start_dim=1, end_dim=-1): flatten
PixelShuffle(upscale_factor): pixel_shuffle
L1Loss(reduction='mean'): l1_loss
MSELoss(reduction='mean'): mse_loss
SmoothL1Loss(reduction='mean', beta=1.0): smooth_l1_loss
SoftMarginLoss(reduction='mean'): soft_margin_loss
BCELoss(weight=None, reduction='mean'): binary_cross_entropy
KLDivLoss(reduction='mean', log_target=False): kl_div
CosineEmbeddingLoss(margin=0.0, reduction='mean'): cosine_embedding_loss
NLLLoss(weight=None, ignore_index=-100, reduction='mean'): nll_loss
BCEWithLogitsLoss(weight=None, reduction='mean', pos_weight=None): binary_cross_entropy_with_logits
AvgPool2d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None): avg_pool2d
AvgPool3d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None): avg_pool3d
MaxPool2d(kernel_size=1, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False): max_pool2d
Upsample(size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None): interpolate
CrossEntropyLoss(weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0): cross_entropy
"""  # noqa: E501
# Those that are losses by their class too, whose only option is the reduction.
_LOSSES = ("L1Loss", "SoftMarginLoss")


def _layer(name: str, text: str, function: str) -> type[Cell]:
    """Make a layer of its constructor's parameters and the name of its function."""
    parameters = parameters_in(text, __name__)
    signature = Signature(parameters)
    options = tuple(p.name for p in parameters)
    call = getattr(functional, function)
    base: Any = LossBase if name in _LOSSES else Cell

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        try:
            bound = signature.bind(*args, **named)
        except TypeError as error:
            raise ArgumentTypeError(f"{name}{signature}: {error}") from None
        bound.apply_defaults()
        base.__init__(self, *(bound.args if base is LossBase else ()))
        for option, value in bound.arguments.items():
            setattr(self, option, value)

    def construct(self: Any, *inputs: Any, **named: Any) -> Any:
        """Call the function."""
        return call(*inputs, **named, **{option: getattr(self, option) for option in options})

    def extend_repr(self: Any) -> str:
        """Return the options."""
        return ", ".join(f"{option}={getattr(self, option)}" for option in options)

    first = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = Signature([first, *parameters])  # pyright: ignore
    doc = f"The layer of ``mint.nn.functional.{function}``; see there for the arguments."
    methods = {"__init__": __init__, "construct": construct, "extend_repr": extend_repr}
    return type(name, (base,), {**methods, "__doc__": doc, "__module__": "msgrad.mint.nn"})


def layers() -> dict[str, type[Cell]]:
    """Return the layers of the table."""
    found = {}
    for line in _TABLE.strip().splitlines():
        head, _, function = line.rpartition("): ")
        name, _, parameters = head.partition("(")
        found[name] = _layer(name, parameters, function)
    return found
