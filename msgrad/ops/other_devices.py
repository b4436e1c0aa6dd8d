"""Names of operators that MindSpore 2.10 does not run on its CPU, or only while it compiles."""

from __future__ import annotations

from msgrad._core.left_out import left_out
from msgrad._core.registry import public

_ASCEND = "2.10 has it on Ascend only"
_FUSED = f"{_ASCEND}; compose it of operators, ms.jit makes one program of them"
_ATTENTION = f"{_ASCEND}; use ops.flash_attention_score"
_METHOD = "in place on Ascend only; use the function and assign its result"
_COMPILER = "a step of MindSpore's compiler, which programs do not call; JAX compiles here"
_SERVER = "2.10 has no parameter server any more; use data parallel training"
_INFO = "it describes a kernel of MindSpore's own to its compiler; write it with operators"
_COLLECTIVE = f"{_ASCEND}; use the Primitives AllReduce, AllGather, ReduceScatter, Broadcast"

# Why, and what to do instead -> the names with what they do.
_ROWS: dict[str, dict[str, str]] = {
    _FUSED: {
        "moe_distribute_combine": "gathers tokens from experts",
        "moe_distribute_dispatch": "sends tokens to experts",
        "moe_init_routing_v2": "routes tokens to experts",
        "moe_token_permute": "sorts tokens by experts",
        "moe_token_unpermute": "puts tokens back in order",
        "GroupTopk": "keeps the best groups of experts",
        "LerpScalar": "ops.lerp by a number",
        "LogSoftmaxExt": "ops.log_softmax",
        "EuclideanNorm": "ops.norm",
        "HistogramFixedWidth": "ops.histc",
        "SplitV": "ops.split",
        "ScatterNonAliasingAdd": "ops.tensor_scatter_add",
        "ConfusionMatrix": "counts pairs of classes",
    },
    _ATTENTION: {
        "lightning_indexer": "chooses keys for sparse attention",
        "nsa_compress": "compresses blocks of keys",
        "nsa_compress_attention": "attention to compressed blocks",
        "nsa_select_attention": "attention to chosen blocks",
        "ring_attention_update": "joins parts of attention",
        "sparse_flash_attention": "attention to chosen keys",
        "speed_fusion_attention": "attention with many options",
    },
    _METHOD: {
        "clamp_": "ops.clamp",
        "erfinv_": "ops.erfinv",
        "exponential_": "exponential random numbers",
        "inplace_sigmoid": "ops.sigmoid",
        "normal_": "normal random numbers; x.normal_() is there",
        "put_": "writes elements at flat positions",
        "random_": "random integers",
        "bernoulli_": "ops.bernoulli",
        "stop_gradient_": "ops.stop_gradient",
        "tanh_": "ops.tanh",
        "uniform_": "uniform random numbers; x.uniform_() is there",
        "zero_": "zeros; x.zero_() is there",
        "move_to": "moves a Tensor to another device; x.move_to('CPU') in 2.10",
        "MoveTo": "moves a Tensor to another device",
    },
    _COMPILER: {
        "DynamicShape": "the shape of a Tensor; use ops.Shape or ops.TensorShape",
        "DumpGradient": "writes a gradient to a file; use ops.InsertGradientOf",
        "GeSwitch": "a branch of the graph engine",
        "Merge": "joins branches",
        "J": "the gradient of a graph",
        "UpdateState": "orders side effects",
        "PyExecute": "runs text as Python",
        "SliceGetItem": "an index of a slice",
        "array_reduce": "reduces an array",
        "embed": "embeds a node",
        "env_get": "reads gradients of a graph",
        "environ_add": "adds gradients of a graph",
        "environ_create": "makes gradients of a graph",
        "environ_get": "reads gradients of a graph",
        "environ_set": "writes gradients of a graph",
        "geswitch": "a branch of the graph engine",
        "is_dynamic_sequence_element_unknown": "asks about a graph's sequence",
        "is_sequence_shape_unknown": "asks about a graph's sequence",
        "is_sequence_value_unknown": "asks about a graph's sequence",
        "iter_converter": "an iterator of a graph",
        "merge": "joins branches",
        "ms_hasnext": "an iterator of a graph",
        "ms_next": "an iterator of a graph",
        "recompute_block": "recomputes a part of a graph; use ms.recompute",
        "ref_to_embed": "the key of a Parameter",
        "get_vm_impl_fn": "the Python function of an operator",
    },
    _SERVER: {
        "GetNext": "takes a batch from a dataset on the device; iterate over the dataset",
        "MapCacheIdx": "maps keys to a cache",
        "MapUniform": "maps keys to a range",
        "Pull": "reads weights of a server",
        "Push": "sends gradients to a server",
        "make_map_parameter": "a table of weights by key",
    },
    _INFO: {
        "CustomOpBuilder": "compiles a kernel of C++",
        "kernel": "compiles a kernel of Python; use ops.Custom with func_type='pyfunc'",
        "ms_kernel": "compiles a kernel of Python; use ops.Custom with func_type='pyfunc'",
    },
    _COLLECTIVE: {
        "all_gather_matmul": "gathers, then multiplies",
        "all_to_all_v_c": "exchanges parts of any size",
        "matmul_reduce_scatter": "multiplies, then adds and spreads",
        "AllGatherV": "gathers parts of any size",
        "AlltoAllV": "exchanges parts of any size",
        "AlltoAllVC": "exchanges parts of any size",
        "ReduceScatterV": "adds and spreads parts of any size",
        "NeighborExchange": "exchanges Tensors with neighbours",
        "NeighborExchangeV2": "exchanges borders with neighbours",
        "set_comm_ops_inplace": "says which collectives write in place",
    },
}

globals().update(
    {
        name: public(left_out(__name__, name, what, f"{why} ({what})"))
        for why, names in _ROWS.items()
        for name, what in names.items()
    }
)
