"""Names that are left out, most for want of a CPU kernel in MindSpore 2.10, with what to use."""

from __future__ import annotations

from typing import Any, NoReturn

from msgrad._core.errors import UnsupportedError
from msgrad._core.left_out import LeftOut, left_out
from msgrad._core.registry import public
from msgrad.ops.primitive import Primitive

_NOT_ON_CPU = "2.10 does not run it on its CPU"

# Why, or what to do instead, for the rows below it: their names, and what they do.
_TABLE = f"""
* {_NOT_ON_CPU}; compose it of operators, ms.jit makes one program of them
ApplyRotaryPosEmb apply_rotary_pos_emb_: rotates queries and keys by their places
ComputeAccidentalHits: finds sampled classes that are right
add_layer_norm: an addition, then layer_norm
add_rms_norm: an addition, then rms_norm
rotary_position_embedding RotaryPositionEmbedding: rotates vectors by their places
moe_distribute_combine MoeDistributeCombine: gathers tokens from experts
moe_distribute_dispatch MoeDistributeDispatch: sends tokens to experts
moe_init_routing_v2 MoeInitRouting MoeInitRoutingV2: routes tokens to experts
moe_token_permute MoeTokenPermute: sorts tokens by experts
moe_token_unpermute MoeTokenUnpermute: puts tokens back in order
GroupTopk: keeps the best groups of experts
LerpScalar: ops.lerp by a number
LogSoftmaxExt: ops.log_softmax
EuclideanNorm: ops.norm
SplitV: ops.split
ScatterNonAliasingAdd: ops.tensor_scatter_add
ConfusionMatrix: counts pairs of classes
GroupedMatmul GroupedMatmulV2 GroupedMatmulV4: products of groups of rows
MoeFinalizeRouting: joins what experts gave
MoeGatingTopKSoftmax FusedAddTopKDiv: chooses experts
MoeComputeExpertTokens: counts tokens of experts
Swiglu: SiLU of one half times the other
GenerateEodMaskV2: the mask of packed texts
weight_quant_batch_matmul WeightQuantBatchMatmul: a product with weights of few bits
CSRReduceSum: sums of a sparse matrix
PsROIPooling: pools regions by place; use ops.roi_align
InstanceNorm: nn.InstanceNorm2d
* {_NOT_ON_CPU}; use ops.flash_attention_score
lightning_indexer: chooses keys for sparse attention
nsa_compress: compresses blocks of keys
nsa_compress_attention: attention to compressed blocks
nsa_select_attention: attention to chosen blocks
ring_attention_update: joins parts of attention
sparse_flash_attention: attention to chosen keys
speed_fusion_attention: attention with many options
PromptFlashAttention prompt_flash_attention: attention of a prompt
IncreFlashAttention: attention of one new query
* {_NOT_ON_CPU}; use the function and assign its result
clamp_: ops.clamp
erfinv_: ops.erfinv
exponential_: exponential random numbers
inplace_sigmoid: ops.sigmoid
normal_: normal random numbers; x.normal_() is there
put_: writes elements at flat positions
random_: random integers
bernoulli_: ops.bernoulli
stop_gradient_: ops.stop_gradient
tanh_: ops.tanh
uniform_: uniform random numbers; x.uniform_() is there
zero_: zeros; x.zero_() is there
move_to: moves a Tensor to another device; x.move_to('CPU') in 2.10
MoveTo: moves a Tensor to another device
* a step of MindSpore's compiler, which programs do not call; JAX compiles here
DynamicShape: raises in 2.10 too; use ops.Shape or ops.TensorShape
GeSwitch geswitch: a branch of the graph engine
Merge merge: joins branches
J: the gradient of a graph
UpdateState: orders side effects
PyExecute: runs text as Python
SliceGetItem: an index of a slice
array_reduce: reduces an array
embed: embeds a node
env_get environ_get: reads gradients of a graph
environ_add: adds gradients of a graph
environ_create: makes gradients of a graph
environ_set: writes gradients of a graph
is_dynamic_sequence_element_unknown: asks about a graph's sequence
is_sequence_shape_unknown is_sequence_value_unknown: asks about a graph's sequence
iter_converter ms_hasnext ms_next: an iterator of a graph
recompute_block: recomputes a part of a graph; use ms.recompute
ref_to_embed: the key of a Parameter
get_vm_impl_fn: the Python function of an operator
* it is of the parameter server, which 2.10 has not any more; train data parallel
GetNext: takes a batch from a dataset on the device; iterate over the dataset
MapCacheIdx: maps keys to a cache
Pull: reads weights of a server
Push: sends gradients to a server
make_map_parameter: a table of weights by key
* it describes a kernel of MindSpore's own to its compiler; write it with operators
CustomOpBuilder: compiles a kernel of C++
* {_NOT_ON_CPU}; use the Primitives AllReduce, AllGather, ReduceScatter, Broadcast
all_gather_matmul: gathers, then multiplies
matmul_reduce_scatter: multiplies, then adds and spreads
NeighborExchangeV2: exchanges borders with neighbours
set_comm_ops_inplace: says which collectives write in place
* 2.10 raises in every call; use ops.unfold, an addition and a maximum
Dilation2D: adds windows and takes maxima
* {_NOT_ON_CPU}; keep keys and values in Parameters, and use flash_attention_score
PagedAttention PagedAttentionMask: attention over a cache in pages
ReshapeAndCache: writes keys and values to a cache in pages
fused_infer_attention_score: attention while decoding
incre_flash_attention: attention of one new query
* the launcher says where: python -m msgrad launch --master_addr
TCPStore: where processes meet
* arrays are sharded with jax.sharding
Reshard: spreads a Tensor otherwise
distribute: spreads a Tensor
* {_NOT_ON_CPU}
mse_loss_ext: use ops.mse_loss
adaptive_avg_pool2d_ext: use ops.adaptive_avg_pool2d
index: use x[...]
CudnnGRU: a GRU; use nn.GRU
ApplyKerasMomentum: a step of momentum, as Keras has it; use ApplyMomentum
BasicLSTMCell: a step of an LSTM; use mindspore.nn.LSTMCell
BatchToSpace BatchToSpaceNDV2: moves blocks of the batch into space; use ops.batch_to_space_nd
DepthwiseConv2dNative: convolves each channel by itself; use nn.Conv2d with group=in_channels
ExtractImagePatches: the windows of images; use ops.unfold
LARSUpdate: scales a gradient by norms; use mindspore.nn.LARS
MultilabelMarginLoss: a loss of several classes; use ops.multilabel_soft_margin_loss
multilabel_margin_loss: a loss of several classes; use ops.multilabel_soft_margin_loss
NonMaxSuppressionV3: keeps boxes by their scores; use ops.NMSWithMask
RNNTLoss: a loss of transducers; use ops.ctc_loss
SpaceToBatch: moves blocks of space into the batch; use ops.space_to_batch_nd
SparseApplyAdadelta: a step of Adadelta in some rows; use ApplyAdadelta
SparseApplyFtrlV2: a step of FTRL in some rows; use SparseApplyFtrl
SparseApplyProximalAdagrad: a step of Adagrad in some rows; use FusedSparseProximalAdagrad
SparseGatherV2: rows of a table of parameters; use ops.gather
TripletMarginLoss triplet_margin_loss: a loss of three vectors; compose it of ops.norm and ops.relu
conv_transpose2d: a transposed convolution; use mindspore.nn.Conv2dTranspose
multi_scale_deformable_attn_function: attention to places of images; compose it of ops.grid_sample
rotated_iou: the overlap of turned boxes; use ops.iou for boxes along the axes
swiglu: SiLU of one half times the other; compose it of ops.chunk and ops.silu
* 2.10 compiles it with a tool that it does not bring; use the method of CSRTensor
csr_div: elements over those of a Tensor: a / b
csr_gather: elements of a Tensor where the matrix has some
csr_mm: a.mm(b)
csr_mul: a * b
csr_mv: a.mv(b)
csr_reduce_sum: a.sum(axis)
coo2csr: a.to_csr()
csr2coo: a.to_coo()
* a step of MindSpore's compiler; use the class and its attributes
make_coo_tensor: COOTensor(indices, values, shape)
make_csr_tensor: CSRTensor(indptr, indices, values, shape)
make_row_tensor make_row_tensor_inner: RowTensor(indices, values, shape)
make_sparse_tensor: SparseTensor(indices, values, shape)
row_tensor_add: adds a Tensor: x.to_dense() + y
row_tensor_get_indices: x.indices
row_tensor_get_values: x.values
row_tensor_get_dense_shape: x.shape
"""


class _UntilCalled(LeftOut, Primitive):
    """A Primitive that says so when it is called: networks make what they use elsewhere."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        Primitive.__init__(self, type(self).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(self._text)


def base_of(name: str) -> type[LeftOut]:
    """Return what stands for a name: a class that says so when it is called, if it is one."""
    return _UntilCalled if name[0].isupper() else LeftOut


def _rows() -> dict[str, Any]:
    found, why = {}, ""
    for line in _TABLE.strip().splitlines():
        if line.startswith("* "):
            why = line[2:]
            continue
        names, _, what = line.partition(": ")
        for name in names.split():
            found[name] = left_out(__name__, name, what, f"{why} ({what})", base_of(name))
    return found


globals().update({name: public(value) for name, value in _rows().items()})
