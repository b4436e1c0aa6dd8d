"""Names of MindSpore's inner modules that are left out, each with what to do instead."""

from msgrad._core.left_out import left_out, left_out_all, refused

__all__ = ["Checkpoint", "ParallelLayouts", "ParallelStrategyMap", "init_exec_dataset"]
_REFUSED = {
    "_load_map_parameter": "a checkpoint holds Parameters only; load_checkpoint reads it",
    "enable_save_strategy_online": "sharding of an array says how it is spread",
    "get_squared_device_local_norm_param": "compute the norm of the gradients",
    "get_strategy_metadata": "sharding of an array says how it is spread",
    "stress_detect": "it tests Ascend devices",
}
globals().update({name: refused(__name__, name, why) for name, why in _REFUSED.items()})

_STRATEGY = "arrays are whole here, or sharded with jax.sharding"

Checkpoint = left_out(
    "msgrad.train.checkpoint_pb2",
    "Checkpoint",
    "the message that a .ckpt file is",
    "load_checkpoint reads the file, save_checkpoint writes it",
)
globals().update(
    left_out_all(
        "msgrad.train.mind_ir_pb2",
        "a message of a .mindir file",
        {"ms.load reads the file, ms.export writes it": "GraphProto ModelProto"},
    )
)
ParallelStrategyMap = left_out(
    "msgrad.train.node_strategy_pb2",
    "ParallelStrategyMap",
    "how operators were spread over devices",
    _STRATEGY,
)
ParallelLayouts = left_out(
    "msgrad.train.node_strategy_pb2",
    "ParallelLayouts",
    "how Tensors were spread over devices",
    _STRATEGY,
)
_JitExecutor = left_out("msgrad.common.api", "_JitExecutor", "compiles a function", "use ms.jit")
_RecomputeCell = left_out(
    "msgrad.common.recompute", "_RecomputeCell", "a Cell computed again backwards", "use recompute"
)
MapParameter = left_out(
    "msgrad.experimental",
    "MapParameter",
    "a table of weights that grows with its keys",
    "2.10's CPU neither reads nor writes one; use nn.Embedding, with a row for each key",
)
DistributedDataParallel = left_out(
    "msgrad.parallel.distributed",
    "DistributedDataParallel",
    "a Cell whose gradients are reduced while they are computed",
    "reduce them with nn.DistributedGradReducer",
)
init_exec_dataset = refused(
    "msgrad._c_expression", "init_exec_dataset", "iterate over the dataset, or use Model.train"
)
globals().update(
    left_out_all(
        "msgrad.ops.auto_generate",
        "a kernel of Ascend devices for quantized networks",
        {"no CPU of MindSpore runs it": "DynamicQuantExt QuantBatchMatmul QuantV2"},
    )
)
