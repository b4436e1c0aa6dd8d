"""Names that are left out, most for want of a CPU kernel in MindSpore 2.10, with what to use."""

from __future__ import annotations

from msgrad._core.left_out import left_out
from msgrad._core.registry import public

_FUSED = "compose it of operators; ms.jit makes one program of them"
_CACHE = "keep keys and values in Parameters, and use flash_attention_score"
_SUBSET = "use mindspore.nn.Conv2d with group=in_channels"

_FRACTIONAL = "use ops.fractional_max_pool2d, whose windows have one size"

# Name -> what it does, what is there instead.
_ROWS = {
    "ApplyKerasMomentum": ("a step of momentum, as Keras has it", "use ApplyMomentum"),
    "ApplyRotaryPosEmb": ("rotates queries and keys by their places", _FUSED),
    "BasicLSTMCell": ("a step of an LSTM", "use mindspore.nn.LSTMCell"),
    "BatchToSpace": ("moves blocks of the batch into space", "use ops.batch_to_space_nd"),
    "BatchToSpaceNDV2": ("moves blocks of the batch into space", "use ops.batch_to_space_nd"),
    "ComputeAccidentalHits": ("finds sampled classes that are right", _FUSED),
    "DepthwiseConv2dNative": ("convolves each channel by itself", _SUBSET),
    "Dilation2D": ("adds windows and takes maxima", "use ops.unfold, an addition and a maximum"),
    "ExtractGlimpse": ("regions around points, with noise outside", "use ops.crop_and_resize"),
    "FractionalAvgPool": ("means of windows of random sizes", _FRACTIONAL),
    "FractionalMaxPool": ("maxima of windows of random sizes", _FRACTIONAL),
    "SampleDistortedBoundingBoxV2": ("draws a box near others", "crop where images are loaded"),
    "DynamicGRUV2": ("a GRU over a sequence", "use mindspore.nn.GRU"),
    "DynamicRNN": ("an LSTM over a sequence", "use mindspore.nn.LSTM"),
    "ExtractImagePatches": ("the windows of images", "use ops.unfold"),
    "LARSUpdate": ("scales a gradient by norms", "use mindspore.nn.LARS"),
    "MultilabelMarginLoss": (
        "a loss of several classes",
        "use ops.multilabel_soft_margin_loss",
    ),
    "NonMaxSuppressionV3": ("keeps boxes by their scores", "use ops.NMSWithMask"),
    "PagedAttention": ("attention over a cache in pages", _CACHE),
    "PagedAttentionMask": ("attention over a cache in pages", _CACHE),
    "RNNTLoss": ("a loss of transducers", "use ops.ctc_loss"),
    "ReshapeAndCache": ("writes keys and values to a cache in pages", _CACHE),
    "SpaceToBatch": ("moves blocks of space into the batch", "use ops.space_to_batch_nd"),
    "SparseApplyAdadelta": ("a step of Adadelta in some rows", "use ApplyAdadelta"),
    "SparseApplyFtrlV2": ("a step of FTRL in some rows", "use SparseApplyFtrl"),
    "SparseApplyProximalAdagrad": (
        "a step of Adagrad in some rows",
        "use FusedSparseProximalAdagrad",
    ),
    "SparseGatherV2": ("rows of a table of parameters", "use ops.gather"),
    "TripletMarginLoss": ("a loss of three vectors", "compose it of ops.norm and ops.relu"),
    "add_layer_norm": ("an addition, then layer_norm", _FUSED),
    "add_rms_norm": ("an addition, then rms_norm", _FUSED),
    "conv_transpose2d": ("a transposed convolution", "use mindspore.nn.Conv2dTranspose"),
    "fused_infer_attention_score": ("attention while decoding", _CACHE),
    "incre_flash_attention": ("attention of one new query", _CACHE),
    "multi_scale_deformable_attn_function": (
        "attention to places of several images",
        "compose it of ops.grid_sample",
    ),
    "multilabel_margin_loss": (
        "a loss of several classes",
        "use ops.multilabel_soft_margin_loss",
    ),
    "prompt_flash_attention": ("attention of a prompt", "use ops.flash_attention_score"),
    "rotary_position_embedding": ("rotates vectors by their places", _FUSED),
    "rotated_iou": ("the overlap of turned boxes", "use ops.iou for boxes along the axes"),
    "swiglu": ("SiLU of one half times the other", "compose it of ops.chunk and ops.silu"),
    "triplet_margin_loss": ("a loss of three vectors", "compose it of ops.norm and ops.relu"),
}

globals().update({name: public(left_out(__name__, name, *said)) for name, said in _ROWS.items()})
