"""The tables of MindSpore's other import paths, and of names it has dropped, for ``paths.py``.

``PATHS`` has a row for each module path that only passes on names of other modules: what a row
writes is ``module`` for all of its names, ``module:name,name`` for some and ``module:name=new`` for
one that is called ``new`` here. ``DROPPED`` has the names that programs for MindSpore 1.x and 2.0
use and 2.10 lacks; each works and warns.
"""

from __future__ import annotations

# Primitives that no public module of MindSpore's has.
_PRIMITIVES = " ".join(
    f"porting.inner.{name}"
    for name in ("gradients", "expressions", "sparse", "prims", "not_on_cpu")
)

# A package, and what else has their names -> its files in MindSpore; here these may be others.
_FILES: dict[str, str] = {
    "boost": (
        "adasum base boost boost_cell_wrapper dim_reduce grad_freeze group_loss_scale_manager "
        "less_batch_normalization"
    ),
    "dataset": (
        "callback callback.ds_callback engine.obs engine.obs.obs_mindrecord_dataset "
        "engine.serializer_deserializer"
    ),
    "dataset.debug": "debug_hook pre_defined_hook",
    "dataset.utils": "browse_dataset line_reader",
    "experimental.optim experimental.optim.optimizer": (
        "adadelta adagrad adam adamax adamw asgd nadam radam rmsprop rprop sgd"
    ),
    "hal": "event stream",
    "mindrecord": (
        "config mindpage shardheader shardindexgenerator shardreader shardsegment shardwriter "
        "tools tools.cifar100_to_mr tools.cifar10_to_mr tools.csv_to_mr tools.imagenet_to_mr "
        "tools.mnist_to_mr tools.tfrecord_to_mr"
    ),
    "mint.distributed": "distributed",
    "mint.nn": (
        "layer layer.activation layer.basic layer.conv layer.normalization layer.padding "
        "layer.pooling"
    ),
    "mint.optim": "adam adamw fused_adamw sgd",
    "nn": "grad grad.cell_grad layer.thor_layer optim.adasum optim.tft_wrapper",
    "nn.layer": "channel_shuffle dense timedistributed",
    "nn.optim": (
        "ada_grad adadelta adam adamax asgd ftrl lamb lazyadam momentum proximal_ada_grad "
        "rmsprop rprop sgd thor"
    ),
    "nn.probability.bijector": "exp gumbel_cdf invert power_transform scalar_affine softplus",
    "nn.probability.bnn_layers": (
        "bnn_cell_wrapper conv_variational dense_variational layer_distribution"
    ),
    "nn.probability.distribution": (
        "bernoulli beta categorical cauchy exponential gamma geometric gumbel half_normal laplace "
        "log_normal logistic normal poisson student_t uniform"
    ),
    "parallel": (
        "algo_parameter_config checkpoint_convert parameter_broadcast transform_safetensors"
    ),
    "parallel.nn": "parallel_cell_wrapper parallel_grad_reducer",
    "profiler": (
        "common.constant envprofiler experimental_config mstx profiler profiling schedule"
    ),
    "rewrite": (
        "api api.node api.node_type api.pattern_engine api.scoped_value api.symbol_tree "
        "common.namespace"
    ),
    "runtime": "device_limit stream_limit thread_bind_core",
    "scipy.optimize": "line_search linear_sum_assignment minimize",
    "train.callback": (
        "_backup_and_restore _cluster_monitor _early_stop _flops_collector _history "
        "_lambda_callback _landscape _loss_monitor _lr_scheduler_callback _on_request_exit "
        "_reduce_lr_on_plateau _time_monitor _train_fault_tolerance"
    ),
    "train.metrics": (
        "accuracy auc confusion_matrix confusion_matrix_metric cosine_similarity dice error fbeta "
        "hausdorff_distance loss mean_surface_distance perplexity precision recall "
        "root_mean_square_surface_distance topk"
    ),
    "utils": "sdc_detect stress_detect",
}

# Path below the package -> where its names come from, the first that has one.
PATHS: dict[str, str] = {
    **{f"{row.split()[0]}.{name}": row for row, names in _FILES.items() for name in names.split()},
    "_c_expression": (
        "porting.inner.c_expression common.tensor:Tensor=TensorPy "
        "porting.inner.signature:Signature,sig_dtype=signature_dtype,sig_kind=signature_kind,"
        "sig_rw=signature_rw porting.inner.left_out:init_exec_dataset"
    ),
    "_c_expression.amp": "porting.inner.c_expression:AmpLevel,create_amp_strategy",
    "_c_expression.security": "porting.inner.c_expression:enable_security",
    "_c_expression.op_enum": "porting.inner.c_expression:str_to_enum",
    "_c_dataengine": "porting.inner.data_engine",
    "_c_expression.typing": "common.dtype porting.inner.c_expression:type_to_type_id",
    "_checkparam": "porting.inner.checkparam",
    "_extends": "porting.inner.misc:cell_attr_register",
    "_stub_tensor": "porting.inner.misc:StubTensor",
    "common._register_for_tensor": "porting.inner.misc:tensor_operator_registry",
    "common._stub_tensor": "porting.inner.misc:StubTensor",
    **dict.fromkeys(("common.api", "graph.api"), (
        "autograd:_no_grad,jit,jit_class,mutable common.jit_config:JitConfig "
        "runtime._api:_pynative_executor,ms_memory_recycle,set_recursion_limit "
        "porting.inner.misc:_cell_graph_executor,cells_compile_cache,_convert_python_data,"
        "_function_forbid_reuse,_no_recursive "
        "porting.inner.left_out:_JitExecutor,init_exec_dataset "
        "common.dtype:List,Type _top:flops_collection"
    )),
    "common._grad_function": "autograd:_Function",
    "common._decorator": "porting.inner.misc:deprecated",
    "common._monad": "porting.inner.misc:IO,U",
    "common._register_for_recompute": "porting.inner.registries:recompute_registry",
    "common._utils": "porting.inner.shapes",
    "common.device": "device_manager:DeviceCtx",
    "common.dump": "_top:set_dump",
    "common.hook_handle": "porting.inner.misc:HookHandle",
    "common.mindir_util": "_top:load_mindir,save_mindir",
    "common.storage": "ops.tensor_state:UntypedStorage",
    **{f"{package}.{path}": row for package in ("common", "graph") for path, row in {
        "dynamic_shape": "",
        "dynamic_shape.enable_dynamic": "_top:enable_dynamic",
        "jit_trace": "autograd:jit=_jit_trace",
        "lazy_inline": "autograd",
        "no_inline": "_top:no_inline",
        "symbol": "_top:Symbol",
    }.items()},
    "common.file_system": (
        "porting.inner.misc:FileSystem,_register_basic_file_system "
        "_top:mindio_preload,set_mindio_server_info"
    ),
    "common.np_dtype": "numpy.dtypes porting.inner.misc:bfloat16",
    "common.recompute": "autograd porting.inner.left_out:_RecomputeCell",
    "common.sparse_tensor": "ops.sparse_tensor",
    "experimental.map_parameter": "porting.inner.left_out:MapParameter",
    "dataset.context": "context",
    "dataset.core": "",
    "dataset.core.config": "dataset.config",
    "dataset.core.datatypes": "porting.inner.data_engine:mstype_to_detype",
    "dataset.core.validator_helpers": "porting.inner.validators",
    "dataset.debug": "dataset._left_out:DebugHook,PrintDataHook,PrintMetaDataHook",
    "dataset.vision.py_transforms_util": "porting.inner.images",
    "dataset.transforms.py_transforms_util": "dataset.transforms.transforms:Implementation",
    "device_context": "",
    **{f"device_context.ascend{path}": (
        "hal:device_count porting.inner.device_settings:has_ascend=is_available "
        "porting.inner.device_settings"
    ) for path in ("", ".device", ".op_debug", ".op_precision", ".op_tuning")},
    **{f"device_context.cpu{path}": (
        "porting.inner.device_settings:cpu_count=device_count,has_cpu=is_available,threads_num"
    ) for path in ("", ".device", ".op_tuning")},
    "device_context.cpu.device_manager": "device_manager",
    **{f"device_context.gpu{path}": "porting.inner.device_settings"
       for path in ("", ".device", ".op_precision", ".op_tuning")},
    "graph": "",
    "graph.jit_config": "common.jit_config",
    "graph.mutable": "common.mutable",
    **{f"nn.optim.{name}": f"nn.optim porting.inner.training:{check}=_check_param_value{more}"
       for name, check, more in (
           ("ada_grad", "check_ada_grad", ""), ("adadelta", "check_adadelta", ""),
           ("adam", "check_adam", ",_adam_opt"), ("adamax", "check_adam", ""),
           ("lamb", "check_adam", ""), ("lazyadam", "check_lazyadam", ""),
           ("proximal_ada_grad", "check_proximal", ""),
    )},
    "nn.optim.momentum": "nn.optim porting.inner.training:_momentum_opt",
    "boost.boost_cell_wrapper": (
        "boost boost.grad_accumulation:gradient_accumulation_op,gradient_clear_op"
    ),
    "nn.utils": "nn.no_init:no_init_parameters",
    "nn.utils.init": "nn.no_init:no_init_parameters",
    "numpy.math_ops": "numpy.elementwise numpy.products numpy.reductions numpy.statistics numpy",
    "numpy.utils_const": "numpy.utils:_raise_type_error,_raise_value_error",
    "ops._grad_experimental.grad_base": "porting.inner.registries",
    "ops._primitive_cache": "ops.primitive:_get_cache_prim",
    "ops._register_for_op": "porting.inner.registries",
    "ops._utils": "porting.inner.shapes ops",
    "ops._utils.utils": "porting.inner.shapes ops.primitive:_primexpr ops",
    **{f"ops.auto_generate{path}": (
        f"ops mint porting.inner.c_expression:str_to_enum {_PRIMITIVES} "
        "porting.inner.left_out:DynamicQuantExt,QuantBatchMatmul,QuantV2 "
        "porting.inner.suffixed"
    ) for path in ("", ".gen_extend_func", ".gen_ops_def", ".gen_ops_prim")},
    "ops.auto_generate.pyboost_inner_prim": "ops:" + ",".join((
        "all=reduce_all_impl", "any=reduce_any_impl", "broadcast_to=broadcast_to_impl",
        "cdist=cdist_impl", "concat=concat_impl", "flip=reverse_v2_impl", "glu=glu_impl",
        "isclose=isclose_impl", "log_softmax=log_softmax_impl",
        "nan_to_num=nan_to_num_impl", "softmax=softmax_impl",
        "squeeze=squeeze_impl", "triu=triu_impl",
    )) + " porting.inner.suffixed",
    "ops._grad_experimental": "",
    "ops._grad_experimental.grad_comm_ops": (
        "porting.inner.left_out:get_squared_device_local_norm_param"
    ),
    "ops.communication": "mint.distributed ops.left_out:set_comm_ops_inplace",
    "ops.composite.base": "ops",
    "ops.composite.math_ops": "ops",
    "ops.composite.multitype_ops": "ops",
    **{f"ops.composite.multitype_ops.{name}_impl": "ops" for name in (
        "add", "bitwise_and", "bitwise_or", "bitwise_xor", "div", "equal", "floordiv", "getitem",
        "greater", "greater_equal", "in", "invert", "left_shift", "less", "less_equal",
        "logical_and", "logical_not", "logical_or", "mod", "mul", "negative", "not_equal",
        "not_in", "ones_like", "pow", "right_shift", "setitem", "sub", "uadd", "zeros_like",
    )},
    "ops.deprecated": "ops.operations",
    "ops.P": "ops",
    "ops.function": "ops",
    "ops.function.comm_func": "ops.communication",
    "ops.functional_overload": "mint ops",
    **{f"parallel._{name}_context": "parallel._contexts"
       for name in ("auto_parallel", "cost_model", "ps")},
    "parallel._cell_wrapper": "parallel._contexts:destroy_allgather_cell",
    "parallel.auto_parallel": "parallel._layout",
    "parallel.checkpoint_transform": "parallel._sharded",
    "parallel.distributed": "porting.inner.left_out:DistributedDataParallel",
    "parallel.distributed.distributed_data_parallel": (
        "porting.inner.left_out:DistributedDataParallel"
    ),
    "parallel.function": "",
    "parallel.function.reshard_func": "parallel._layout",
    "parallel.nn.parallel_grad_reducer": (
        "parallel.nn nn.wrap.grad_reducer:grad_scale,shard_grad_scale"
    ),
    "parallel.nn": (
        "nn:MicroBatchInterleaved,PipelineCell,PipelineGradReducer,"
        "GradAccumulationCell=GradAccumulation nn:PipelineCell=Pipeline"
    ),
    "parallel.shard": "parallel._layout",
    "parallel.strategy": (
        "porting.inner.left_out:enable_save_strategy_online,get_strategy_metadata"
    ),
    "ops.signature": "porting.inner.signature",
    "ops.vm_impl_registry": "porting.inner.registries ops:get_vm_impl_fn",
    "profiler.common": "",
    "rewrite.common": "",
    "run_check": "_top:run_check",
    "run_check.run_check": "_top:run_check",
    **dict.fromkeys(("safeguard", "safeguard.rewrite_obfuscation"),
                    "_top:load_obf_params_into_net,obfuscate_ckpt"),
    "tools": "_top:sdc_detect_start,sdc_detect_stop,get_sdc_detect_result,set_dump",
    "tools.sdc_detect": "_top",
    "train.train_thor": "train._thor",
    "train.train_thor.convert_utils": "train._thor",
    "train.train_thor.model_thor": "train:Model=ModelThor train.model:Model",
    "train.train_thor.dataset_helper": "train.dataset_helper",
    **{f"ops.function.{name}": "ops porting.inner.suffixed" for name in (
        "array_func", "clip_func", "debug_func", "fft_func", "grad", "grad.grad_func", "image_func",
        "linalg_func", "math_func", "nn_func", "other_func", "parameter_func", "random_func",
        "reshard_func", "sparse_func", "sparse_unary_func", "spectral_func", "vmap_func",
    )},
    **{f"ops.operations.{name}": f"ops {_PRIMITIVES}" for name in (
        "_grad_ops", "_inner_ops", "_quant_ops", "_rl_inner_ops", "_sequence_ops", "array_ops",
        "comm_ops", "control_ops", "custom_ops", "debug_ops", "image_ops", "inner_ops",
        "linalg_ops", "manually_defined", "math_ops", "nn_ops", "other_ops", "random_ops",
        "rl_ops", "sparse_ops", "spectral_ops", "_csr_ops", "_custom_grad", "_embedding_cache_ops",
        "_map_tensor_ops", "_ms_kernel", "_ocr_ops", "_scalar_ops", "_sparse_grad_ops",
        "_thor_ops", "manually_defined._inner", "reshard_ops",
    )},
    "ops.function.nn_func": (
        "ops ops:log_softmax=_innner_log_softmax,dense=linear "
        "porting.inner.prims:multi_head_attention_forward "
        "porting.inner.nn_func porting.inner.suffixed"
    ),
    "ops.function.random_func": (
        "ops common.seed:_get_graph_seed=_get_seed porting.inner.misc:_set_prim_op_user_data "
        "porting.inner.suffixed"
    ),
    "ops.operations._infer_ops": "ops porting.inner.left_out:QuantV2",
    "ops.operations.manually_defined.ops_def": f"ops {_PRIMITIVES}",
    "ops.operations.comm_ops": "ops porting.inner.misc:_VirtualDataset",
    "ops.operations._quant_ops": f"ops {_PRIMITIVES} porting.inner.misc:FakeQuantParam",
    "ops.operations._sequence_ops": f"ops {_PRIMITIVES} porting.inner.misc:TensorToScalar",
    "ops.operations._scalar_ops": f"porting.inner.expressions:bool_not ops {_PRIMITIVES}",
    "ops.operations.other_ops": f"ops {_PRIMITIVES} porting.inner.misc:Load",
    "utils": (
        "porting.inner.left_out:stress_detect "
        "_top:sdc_detect_start,sdc_detect_stop,get_sdc_detect_result "
        "ops.tensor_state:_to_dlpack=to_dlpack,_from_dlpack=from_dlpack"
    ),
    "utils.dlpack": "ops.tensor_state:_to_dlpack=to_dlpack,_from_dlpack=from_dlpack",
    "train.checkpoint_pb2": "porting.inner.left_out:Checkpoint",
    "train.mind_ir_pb2": "porting.inner.left_out:GraphProto,ModelProto",
    "train.node_strategy_pb2": "porting.inner.left_out:ParallelStrategyMap,ParallelLayouts",
}  # fmt: skip

# A file -> where names are that it has in MindSpore, and another file here.
BESIDE: dict[str, str] = {
    "": "mindrecord:Cifar100ToMR,Cifar10ToMR,CsvToMR,FileReader,FileWriter,ImageNetToMR,MindPage,"
        "MnistToMR,TFRecordToMR",
    "common.initializer": "porting.inner.training:_calculate_in_and_out",
    "common.parameter": "porting.inner.misc:_get_unique_parameter_key",
    "common.seed": "porting.inner.training:_truncate_seed",
    "communication._comm_helper": "communication:get_process_group_ranks=_get_group_ranks",
    "communication.comm_func": "communication",
    "dataset.vision.transforms": "dataset.transforms.transforms:PyTensorOperation",
    "device_manager": "_top:set_deterministic",
    "experimental": "porting.inner.left_out:MapParameter",
    "experimental.optim.optimizer": (
        "porting.inner.training:check_not_less_than,check_not_less_than_without_equal"
    ),
    "mint.nn.functional": "porting.inner.suffixed",
    "nn.cell": "nn:GraphCell porting.inner.misc:_cell_graph_executor,cells_compile_cache",
    "nn.layer": "nn",
    "nn.loss": "nn:L1LossExt,MultilabelMarginLoss",
    "nn.loss.loss": "nn:L1LossExt,MultilabelMarginLoss,get_activation",
    "nn.optim": "nn:AdaSumByDeltaWeightWrapCell,AdaSumByGradWrapCell,OptTFTWrapper",
    "nn.optim.thor": "nn",
    "nn.layer.container": "porting.inner.training:_valid_cell,_valid_index",
    "nn.layer.conv": "porting.inner.checkparam:twice,_check_3d_int_or_tuple",
    "nn.optim.optimizer": (
        "porting.inner.training:_apply_decay,_apply_decay=_tensor_apply_decay,"
        "optimizer_grad_scale=_grad_scale,optimizer_grad_scale=tensor_grad_scale"
    ),
    "ops.operations": "porting.inner.not_on_cpu:DSDMatmul,MatmulDDS",
    "nn.wrap.cell_wrapper": (
        "porting.inner.training:_cast_datatype,_cast_datatype=_tensors_cast_datatype,_get_datatype,"
        "_get_datatype=_tensors_get_datatype,cell_grad_scale=grad_scale"
    ),
    "nn.wrap.grad_reducer": "nn:PipelineGradReducer porting.inner.training:reciprocal",
    "nn.wrap.loss_scale": (
        "nn.wrap.loss_scale:_unscaled=tensor_grad_scale porting.inner.training:_grad_overflow,"
        "_grad_overflow=_tensor_grad_overflow,reciprocal"
    ),
    **{f"numpy.{name}": "numpy numpy.utils_const"
       for name in ("array_creations", "array_ops", "logic_ops")},
    "parallel._utils": (
        "parallel:Layout communication._comm_helper:_is_initialized "
        "porting.inner.training:_device_number_check"
    ),
    "runtime.memory": "runtime",
    "runtime.stream": "runtime:synchronize",
    "train._utils": "porting.inner.training:_convert_type,_get_types_and_shapes",
    "train.amp": "train:LossScaleManager porting.inner.training:_add_loss_network",
    "train.callback._callback": "porting.inner.training:checkpoint_cb_for_save_op",
    "train.callback._checkpoint": "porting.inner.training:_chg_ckpt_file_name_if_same_exist",
    "train.model": "porting.inner.training:_StepSync,_transfer_tensor_to_tuple train.callback",
    "train.serialization": "porting.inner.training:_convert_save_obj_to_param_list",
}  # fmt: skip

# What MindSpore's files import from one another, and programs from any of them.
SHARED = (
    ":COOTensor,CSRTensor,ParallelMode,Parameter,ParameterTuple,Tensor,Tensor=PythonTensor,"
    "Tensor=Tensor_,context,dataset=ds,jit,jit_class,log=logger,mint,mutable,nn,numpy=mnp,ops,"
    "load_checkpoint,load_param_into_net,save_checkpoint,_checkparam=Validator,"
    "_checkparam=validator "
    "common.tensor:np common:dtype=mstype common.initializer:HeUniform,Initializer,Uniform,Zero,"
    "_calculate_fan_in_and_fan_out,initializer "
    "communication:GlobalComm,create_group,get_group_size,get_rank nn:Cell "
    "ops:Primitive,ReduceOp,constexpr,prim_attr_register "
    "ops:composite=C,functional=F,operations=P ops.primitive:_get_cache_prim,_primexpr "
    "ops.sparse_tensor:RowTensorInner ops:signature=sig _c_expression:MSContext,typing "
    "_checkparam:args_type_check porting.inner.misc:cell_attr_register "
    "train._utils:_make_directory "
    "nn.optim.optimizer:opt_init_args_register porting.inner.misc:deprecated "
    "porting.inner.shapes:is_dim_unknown,is_shape_unknown,is_stub_tensor "
    "parallel._contexts:auto_parallel_context "
    "parallel._contexts:_is_role_sched parallel._utils:_get_device_num,_get_full_batch,"
    "_get_gradients_mean,_need_to_full,_get_enable_parallel_optimizer,_get_global_rank,"
    "_get_parallel_mode,_is_in_auto_parallel_mode runtime._api:_pynative_executor"
)

_OLD_IMAGES = "dataset.vision dataset.transforms"

# Paths that 2.10 has no more.
DROPPED_PATHS: dict[str, str] = {
    "dataset.transforms.c_transforms": "dataset.transforms",
    "dataset.transforms.py_transforms": (
        "dataset.transforms dataset.transforms:OneHot=OneHotOp "
        "dataset.transforms.transforms:PyTensorOperation"
    ),
    "dataset.transforms.vision": "dataset.vision",
    **{
        f"dataset.{path}.c_transforms": f"porting.inner.images:DecodeOfC=Decode {_OLD_IMAGES}"
        for path in ("vision", "transforms.vision")
    },
    **{
        f"dataset.{path}.py_transforms": (
            "porting.inner.images:DecodeOfPython=Decode,NormalizeOfPython=Normalize,Cutout "
            f"{_OLD_IMAGES}"
        )
        for path in ("vision", "transforms.vision")
    },
    "nn.generator": "common.generator",
    "nn.metrics.accuracy": "train.metrics",
    "nn.metrics.loss": "train.metrics",
    "nn.metrics.metric": "train.metrics.metric train.metrics",
    "nn.optim_ex": "experimental.optim",
    "ops._selected_ops": "ops",
    "train.parallel_utils": "context:ParallelMode",
    **{
        f"{package}{module}": (
            "porting.inner.transformer porting.inner.attention porting.inner.attention:_Linear"
        )
        for package in ("nn.transformer", "parallel._transformer", "parallel.nn")
        for module in ("", ".layers", ".loss", ".moe", ".op_parallel_config", ".transformer")
        if f"{package}{module}" != "parallel.nn"  # 2.10 has that, with other names
    },
}

# Names that 2.10 has no more -> what does the same.
DROPPED: dict[str, str] = {
    "_checkparam.Rel": "porting.inner.checkparam:Rel",
    "_checkparam.Validator": "porting.inner.checkparam:Validator",
    "ms_class": "autograd:jit_class",
    "ms_function": "porting.inner.old:ms_function",
    "no_grad": "autograd:_no_grad",
    "set_offload_context": "porting.inner.old:set_offload_context",
    "common.api.ms_class": "autograd:jit_class",
    "common.api.ms_function": "porting.inner.old:ms_function",
    "context.set_offload_context": "porting.inner.old:set_offload_context",
    **{f"{package}.{name}": f"porting.inner.transformer:{name}"
       for package in ("nn", "parallel.nn") for name in (
        "AttentionMask", "EmbeddingOpParallelConfig", "MoEConfig", "OpParallelConfig",
        "TransformerOpParallelConfig", "TransformerRecomputeConfig", "VocabEmbedding",
    )},
    **{f"{package}.{name}": f"porting.inner.attention:{name}"
       for package in ("nn", "parallel.nn") for name in ("FeedForward", "MultiHeadAttention")},
    **{f"parallel.nn.{name}": f"porting.inner.attention:{name}"
       for name in ("TransformerEncoder", "TransformerEncoderLayer")},
    "parallel.nn.CrossEntropyLoss": "porting.inner.transformer:CrossEntropyLoss",
    "nn.loss.loss.Loss": "nn:LossBase",
    "ops.ControlDepend": "porting.inner.old:ControlDepend",
    "ops.ResizeBilinear": "porting.inner.old:ResizeBilinear",
    "ops.control_depend": "porting.inner.old:control_depend",
    "ops.composite.control_depend": "porting.inner.old:control_depend",
    "ops.functional.control_depend": "porting.inner.old:control_depend",
    **{f"ops.operations{path}.{name}": f"porting.inner.old:{name}"
       for path in ("", ".nn_ops", ".other_ops") for name in ("ControlDepend", "ResizeBilinear")},
}  # fmt: skip


_OF_SHARDED_CHECKPOINTS = (
    "build_searched_strategy", "load_segmented_checkpoints", "merge_pipeline_strategys",
    "merge_sliced_parameter", "parameter_broadcast", "rank_list_for_transform",
    "restore_group_info_list", "sync_pipeline_shared_parameters", "transform_checkpoint_by_rank",
    "transform_checkpoints", "unified_safetensors",
)  # fmt: skip

# Public names of a package that are looked up when they are asked for -> where they are.
LATER: dict[str, dict[str, str]] = {
    "": {
        **dict.fromkeys(("COOTensor", "CSRTensor", "RowTensor", "SparseTensor"),
                        "ops.sparse_tensor"),
        **dict.fromkeys((
            "Int", "QuantDtype", "Symbol", "Type",
            "ckpt_to_safetensors", "enable_dynamic", "export_split_mindir", "flops_collection",
            "from_numpy", "frombuffer", "load_mindir", "load_obf_params_into_net",
            "get_sdc_detect_result", "mindio_preload", "no_inline",
            "obfuscate_ckpt",
            "register_saved_tensors_hooks", "run_check", "safetensors_to_ckpt", "save_mindir",
            "saved_tensors_hooks", "sdc_detect_start", "sdc_detect_stop", "set_deterministic",
            "set_dump", "set_mindio_server_info", "swap_tensors",
        ), "_top"),
        **dict.fromkeys(("get_level", "get_log_config"), "log"),
        **dict.fromkeys(("Layout", "shard"), "parallel._layout"),
        **dict.fromkeys((
            *_OF_SHARDED_CHECKPOINTS, "get_ckpt_path_with_strategy",
        ), "parallel._sharded"),
        **dict.fromkeys(("ConvertModelUtils", "ConvertNetUtils"), "train._thor"),
        **dict.fromkeys(("Node", "NodeType", "ScopedValue", "SymbolTree"), "rewrite"),
        "Profiler": "profiler",
        "UntypedStorage": "ops.tensor_state",
    },
    "parallel": {
        **dict.fromkeys(("Layout", "shard"), "parallel._layout"),
        **dict.fromkeys((
            *_OF_SHARDED_CHECKPOINTS, "convert_checkpoint_by_rank", "convert_checkpoints",
            "rank_list_for_convert", "set_op_strategy_config",
        ), "parallel._sharded"),
        "load_distributed_checkpoint": "train.serialization",
    },
    "train": {
        **dict.fromkeys(("ConvertModelUtils", "ConvertNetUtils"), "train._thor"),
        "ckpt_to_safetensors": "_top",
        "export_split_mindir": "_top",
        "safetensors_to_ckpt": "_top",
        **dict.fromkeys((
            "build_searched_strategy", "get_ckpt_path_with_strategy", "merge_sliced_parameter",
            "restore_group_info_list",
        ), "parallel._sharded"),
    },
}  # fmt: skip

# A package whose files have the names of another, too: in MindSpore each stands in one of them, and
# here perhaps in another. ``import *`` does not bring them.
HOMES: dict[str, str] = {
    **{name: name for name in ("nn.layer", "nn.loss")},
    **{f"dataset.{name}": f"dataset.{name}" for name in ("audio", "text", "transforms", "vision")},
    "dataset.engine": "dataset",
}
