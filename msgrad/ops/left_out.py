"""Names that are left out, most for want of a CPU kernel in MindSpore 2.10, with what to use."""

from __future__ import annotations

from typing import Any, NoReturn

from msgrad._core.errors import UnsupportedError
from msgrad._core.left_out import LeftOut, left_out
from msgrad._core.registry import public
from msgrad.ops.primitive import Primitive

_NOT_ON_CPU = "2.10 does not run it on its CPU"
_FUSED = f"{_NOT_ON_CPU}; compose it of operators, ms.jit makes one program of them"
_ATTENTION = f"{_NOT_ON_CPU}; use ops.flash_attention_score"
_METHOD = f"{_NOT_ON_CPU}; use the function and assign its result"
_COMPILER = "a step of MindSpore's compiler, which programs do not call; JAX compiles here"
_SERVER = "it is of the parameter server, which 2.10 has not any more; train data parallel"
_INFO = "it describes a kernel of MindSpore's own to its compiler; write it with operators"
_COLLECTIVE = f"{_NOT_ON_CPU}; use the Primitives AllReduce, AllGather, ReduceScatter, Broadcast"
_CACHE = f"{_NOT_ON_CPU}; keep keys and values in Parameters, and use flash_attention_score"
_PARTS = "a step of MindSpore's compiler; use the class and its attributes"
_CSR = "2.10 compiles it with a tool that it does not bring; use the method of CSRTensor"

# Why, or what to do instead -> what they do -> their names.
_ROWS: dict[str, dict[str, str]] = {
    _FUSED: {
        "rotates queries and keys by their places": "ApplyRotaryPosEmb apply_rotary_pos_emb_",
        "finds sampled classes that are right": "ComputeAccidentalHits",
        "an addition, then layer_norm": "add_layer_norm",
        "an addition, then rms_norm": "add_rms_norm",
        "rotates vectors by their places": "rotary_position_embedding RotaryPositionEmbedding",
        "gathers tokens from experts": "moe_distribute_combine MoeDistributeCombine",
        "sends tokens to experts": "moe_distribute_dispatch MoeDistributeDispatch",
        "routes tokens to experts": "moe_init_routing_v2 MoeInitRouting MoeInitRoutingV2",
        "sorts tokens by experts": "moe_token_permute MoeTokenPermute",
        "puts tokens back in order": "moe_token_unpermute MoeTokenUnpermute",
        "keeps the best groups of experts": "GroupTopk",
        "ops.lerp by a number": "LerpScalar",
        "ops.log_softmax": "LogSoftmaxExt",
        "ops.norm": "EuclideanNorm",
        "ops.split": "SplitV",
        "ops.tensor_scatter_add": "ScatterNonAliasingAdd",
        "counts pairs of classes": "ConfusionMatrix",
        "products of groups of rows": "GroupedMatmul GroupedMatmulV2 GroupedMatmulV4",
        "joins what experts gave": "MoeFinalizeRouting",
        "chooses experts": "MoeGatingTopKSoftmax FusedAddTopKDiv",
        "counts tokens of experts": "MoeComputeExpertTokens",
        "SiLU of one half times the other": "Swiglu",
        "the mask of packed texts": "GenerateEodMaskV2",
        "a product with weights of few bits": "weight_quant_batch_matmul WeightQuantBatchMatmul",
        "a step of AdamW; use nn.AdamWeightDecay": "AdamW",
        "sums of a sparse matrix": "CSRReduceSum",
        "pools regions by place; use ops.roi_align": "PSROIPooling PsROIPooling",
        "nn.InstanceNorm2d": "InstanceNorm",
    },
    _ATTENTION: {
        "chooses keys for sparse attention": "lightning_indexer",
        "compresses blocks of keys": "nsa_compress",
        "attention to compressed blocks": "nsa_compress_attention",
        "attention to chosen blocks": "nsa_select_attention",
        "joins parts of attention": "ring_attention_update",
        "attention to chosen keys": "sparse_flash_attention",
        "attention with many options": "speed_fusion_attention",
        "attention of a prompt": "PromptFlashAttention prompt_flash_attention",
        "attention of one new query": "IncreFlashAttention",
    },
    _METHOD: {
        "ops.clamp": "clamp_",
        "ops.erfinv": "erfinv_",
        "exponential random numbers": "exponential_",
        "ops.sigmoid": "inplace_sigmoid",
        "normal random numbers; x.normal_() is there": "normal_",
        "writes elements at flat positions": "put_",
        "random integers": "random_",
        "ops.bernoulli": "bernoulli_",
        "ops.stop_gradient": "stop_gradient_",
        "ops.tanh": "tanh_",
        "uniform random numbers; x.uniform_() is there": "uniform_",
        "zeros; x.zero_() is there": "zero_",
        "moves a Tensor to another device; x.move_to('CPU') in 2.10": "move_to",
        "moves a Tensor to another device": "MoveTo",
    },
    _COMPILER: {
        "raises in 2.10 too; use ops.Shape or ops.TensorShape": "DynamicShape",
        "a branch of the graph engine": "GeSwitch geswitch",
        "joins branches": "Merge merge",
        "the gradient of a graph": "J",
        "orders side effects": "UpdateState",
        "runs text as Python": "PyExecute",
        "an index of a slice": "SliceGetItem",
        "reduces an array": "array_reduce",
        "embeds a node": "embed",
        "reads gradients of a graph": "env_get environ_get",
        "adds gradients of a graph": "environ_add",
        "makes gradients of a graph": "environ_create",
        "writes gradients of a graph": "environ_set",
        "asks about a graph's sequence": (
            "is_dynamic_sequence_element_unknown is_sequence_shape_unknown "
            "is_sequence_value_unknown"
        ),
        "an iterator of a graph": "iter_converter ms_hasnext ms_next",
        "recomputes a part of a graph; use ms.recompute": "recompute_block",
        "the key of a Parameter": "ref_to_embed",
        "the Python function of an operator": "get_vm_impl_fn",
    },
    _SERVER: {
        "takes a batch from a dataset on the device; iterate over the dataset": "GetNext",
        "maps keys to a cache": "MapCacheIdx",
        "reads weights of a server": "Pull",
        "sends gradients to a server": "Push",
        "a table of weights by key": "make_map_parameter",
    },
    _INFO: {"compiles a kernel of C++": "CustomOpBuilder"},
    _COLLECTIVE: {
        "gathers, then multiplies": "all_gather_matmul",
        "multiplies, then adds and spreads": "matmul_reduce_scatter",
        "exchanges borders with neighbours": "NeighborExchangeV2",
        "says which collectives write in place": "set_comm_ops_inplace",
    },
    f"{_NOT_ON_CPU}; use ApplyMomentum": {
        "a step of momentum, as Keras has it": "ApplyKerasMomentum"
    },
    f"{_NOT_ON_CPU}; use mindspore.nn.LSTMCell": {"a step of an LSTM": "BasicLSTMCell"},
    f"{_NOT_ON_CPU}; use ops.batch_to_space_nd": {
        "moves blocks of the batch into space": "BatchToSpace BatchToSpaceNDV2"
    },
    f"{_NOT_ON_CPU}; use mindspore.nn.Conv2d with group=in_channels": {
        "convolves each channel by itself": "DepthwiseConv2dNative"
    },
    "2.10 raises in every call; use ops.unfold, an addition and a maximum": {
        "adds windows and takes maxima": "Dilation2D"
    },
    f"{_NOT_ON_CPU}; use ops.unfold": {"the windows of images": "ExtractImagePatches"},
    f"{_NOT_ON_CPU}; use mindspore.nn.LARS": {"scales a gradient by norms": "LARSUpdate"},
    f"{_NOT_ON_CPU}; use ops.multilabel_soft_margin_loss": {
        "a loss of several classes": "MultilabelMarginLoss multilabel_margin_loss"
    },
    f"{_NOT_ON_CPU}; use ops.NMSWithMask": {"keeps boxes by their scores": "NonMaxSuppressionV3"},
    _CACHE: {
        "attention over a cache in pages": "PagedAttention PagedAttentionMask",
        "writes keys and values to a cache in pages": "ReshapeAndCache",
        "attention while decoding": "fused_infer_attention_score",
        "attention of one new query": "incre_flash_attention",
    },
    f"{_NOT_ON_CPU}; use ops.ctc_loss": {"a loss of transducers": "RNNTLoss"},
    f"{_NOT_ON_CPU}; use ops.space_to_batch_nd": {
        "moves blocks of space into the batch": "SpaceToBatch"
    },
    f"{_NOT_ON_CPU}; use ApplyAdadelta": {"a step of Adadelta in some rows": "SparseApplyAdadelta"},
    f"{_NOT_ON_CPU}; use SparseApplyFtrl": {"a step of FTRL in some rows": "SparseApplyFtrlV2"},
    f"{_NOT_ON_CPU}; use FusedSparseProximalAdagrad": {
        "a step of Adagrad in some rows": "SparseApplyProximalAdagrad"
    },
    f"{_NOT_ON_CPU}; use ops.gather": {"rows of a table of parameters": "SparseGatherV2"},
    f"{_NOT_ON_CPU}; compose it of ops.norm and ops.relu": {
        "a loss of three vectors": "TripletMarginLoss triplet_margin_loss"
    },
    f"{_NOT_ON_CPU}; use mindspore.nn.Conv2dTranspose": {
        "a transposed convolution": "conv_transpose2d"
    },
    f"{_NOT_ON_CPU}; compose it of ops.grid_sample": {
        "attention to places of several images": "multi_scale_deformable_attn_function"
    },
    f"{_NOT_ON_CPU}; use ops.iou for boxes along the axes": {
        "the overlap of turned boxes": "rotated_iou"
    },
    f"{_NOT_ON_CPU}; compose it of ops.chunk and ops.silu": {
        "SiLU of one half times the other": "swiglu"
    },
    "the launcher says where: python -m msgrad launch --master_addr": {
        "where processes meet": "TCPStore"
    },
    "arrays are sharded with jax.sharding": {
        "spreads a Tensor otherwise": "Reshard",
        "spreads a Tensor": "distribute",
    },
    _NOT_ON_CPU: {
        "use ops.mse_loss": "mse_loss_ext",
        "use ops.adaptive_avg_pool2d": "adaptive_avg_pool2d_ext",
        "use x[...]": "index",
        "a GRU; use nn.GRU": "CudnnGRU",
    },
    _CSR: {
        "elements over those of a Tensor: a / b": "csr_div",
        "elements of a Tensor where the matrix has some": "csr_gather",
        "a.mm(b)": "csr_mm",
        "a * b": "csr_mul",
        "a.mv(b)": "csr_mv",
        "a.sum(axis)": "csr_reduce_sum",
        "a.to_csr()": "coo2csr",
        "a.to_coo()": "csr2coo",
    },
    _PARTS: {
        "COOTensor(indices, values, shape)": "make_coo_tensor",
        "CSRTensor(indptr, indices, values, shape)": "make_csr_tensor",
        "RowTensor(indices, values, shape)": "make_row_tensor make_row_tensor_inner",
        "SparseTensor(indices, values, shape)": "make_sparse_tensor",
        "adds a Tensor: x.to_dense() + y": "row_tensor_add",
        "x.indices": "row_tensor_get_indices",
        "x.values": "row_tensor_get_values",
        "x.shape": "row_tensor_get_dense_shape",
    },
}


class _UntilCalled(LeftOut, Primitive):
    """A Primitive that says so when it is called: networks make what they use elsewhere."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        Primitive.__init__(self, type(self).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(self._text)


def _base(name: str) -> type[LeftOut]:
    return _UntilCalled if name[0].isupper() else LeftOut


globals().update(
    {
        name: public(left_out(__name__, name, what, f"{why} ({what})", _base(name)))
        for why, rows in _ROWS.items()
        for what, names in rows.items()
        for name in names.split()
    }
)
