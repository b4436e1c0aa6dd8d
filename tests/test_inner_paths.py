"""Names that programs import from inside MindSpore, where they use them as well."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._core.path_tables import DROPPED, DROPPED_PATHS, HOMES, LATER, PATHS


def inner(path):
    module, _, name = path.rpartition(".")
    with ms.install():
        return getattr(importlib.import_module(f"mindspore.{module}"), name)


SAME = {
    "common.api.jit": ms.jit,
    "common.api.jit_class": ms.jit_class,
    "common.api.mutable": ms.mutable,
    "common.api.JitConfig": ms.JitConfig,
    "common.api.set_recursion_limit": ms.set_recursion_limit,
    "common.api.ms_memory_recycle": ms.ms_memory_recycle,
    "common.device.DeviceCtx": ms.DeviceCtx,
    "common.generator.default_generator": ms.default_generator,
    "common.generator.seed": ms.seed,
    "common.jit_config.JitConfig": ms.JitConfig,
    "common.seed.set_seed": ms.set_seed,
    "communication._comm_helper._get_group_ranks": ms.communication.get_process_group_ranks,
    "dataset.vision.transforms.PyTensorOperation": (
        ms.dataset.transforms.transforms.PyTensorOperation
    ),
    "device_manager.get_current_device": ms.get_current_device,
    "nn.loss.loss._Loss": nn.LossBase,
    "nn.layer.rnn_cells.RNNCellBase": nn.GRUCell.__mro__[2],
    "ops.primitive.constexpr": ops.constexpr,
    "ops.primitive.prim_attr_register": ops.prim_attr_register,
    "ops.primitive.PrimitiveWithInfer": ops.PrimitiveWithInfer,
    "_c_expression.typing.Float": ms.common.dtype.Float,
    "_c_expression.Tensor": ms.Tensor,
    "_c_expression.Cell_": nn.Cell,
    "ops.auto_generate.relu": ops.relu,
    "ops.auto_generate.gen_ops_def.relu": ops.relu,
    "ops.composite.base.HyperMap": ops.HyperMap,
    "ops.function.nn_func.softmax": ops.softmax,
    "ops.operations.nn_ops.Conv2D": ops.Conv2D,
    "ops.operations.math_ops.MatMul": ops.MatMul,
    "common.sparse_tensor.COOTensor": ms.COOTensor,
    "nn.metrics.Accuracy": ms.train.Accuracy,
    "parallel.shard.Layout": ms.Layout,
    "profiler.profiler.Profiler": ms.Profiler,
    "train.data_sink": ms.data_sink,
    "train.summary.SummaryRecord": ms.SummaryRecord,
    "train.summary.summary_record.SummaryRecord": ms.SummaryRecord,
}


@pytest.mark.parametrize("path", SAME)
def test_the_same_by_another_path(path):
    assert inner(path) is SAME[path]


def test_dtype_is_a_module_of_the_top_level():
    assert ms.dtype.float32 is ms.float32
    with ms.install():
        from mindspore import dtype as mstype
    assert mstype is ms.common.dtype


def test_primitives_made_once():
    cached = inner("ops._primitive_cache._get_cache_prim")
    summed = cached(ops.ReduceSum)(True)
    assert summed is cached(ops.ReduceSum)(True)
    # Equal, and yet other options.
    assert summed is not cached(ops.ReduceSum)(1)
    assert summed is not cached(ops.ReduceSum)()
    assert summed(Tensor([1.0, 2.0]), 0).asnumpy().tolist() == [3.0]
    # A list cannot be hashed.
    perm = cached(ops.ReduceSum)
    assert perm(keep_dims=False) is perm(keep_dims=False)
    with pytest.raises(TypeError, match="ReduceSum"):
        cached(ops.ReduceSum)(True, 3, [4])


def test_the_executor_and_the_seeds_of_operators():
    assert inner("common.api._pynative_executor").sync() is None
    seeds = inner("common.seed._get_graph_seed")
    ms.set_seed(5)
    assert [seeds(0, "Dropout"), seeds(3, "Dropout"), seeds(None, "Dropout")] == [
        (5, 0),
        (5, 3),
        (5, 533697028),
    ]


def test_helpers_of_training_scripts(tmp_path):
    assert inner("train.callback._callback.set_cur_net")(nn.Dense(1, 1)) is None
    make = inner("train._utils._make_directory")
    folder = make(str(tmp_path / "a" / "b"))
    assert os.path.isdir(folder)
    assert make(folder) == folder
    for bad in (3, "", None):
        with pytest.raises(TypeError, match="should be string"):
            make(bad)


def test_an_older_loss_base():
    class Squares(inner("nn.loss.loss._Loss")):
        def construct(self, logits, labels):
            return self.get_loss(ops.square(logits - labels))

    assert float(Squares("sum")(Tensor([1.0, 2.0]), Tensor([0.0, 0.0]))) == 5.0


def resolved(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return importlib.import_module(f"msgrad.{path}")


@pytest.mark.parametrize("path", [*PATHS, *DROPPED_PATHS])
def test_a_path_has_the_names_it_says(path):
    module = resolved(path)
    with ms.install():
        assert resolved(path) is module
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    with pytest.raises(AttributeError, match="no_such_name"):
        module.no_such_name


@pytest.mark.parametrize("name", DROPPED)
def test_a_name_of_older_versions_warns(name):
    module, _, own = name.rpartition(".")
    owner = resolved(module) if module else ms
    with pytest.warns(DeprecationWarning, match=own):
        found = getattr(owner, own)
    assert callable(found)


@pytest.mark.parametrize("package", LATER)
def test_what_is_looked_up_late_is_exported(package):
    owner = resolved(package) if package else ms
    assert set(LATER[package]) <= set(owner.__all__)
    assert [name for name in LATER[package] if not hasattr(owner, name)] == []


@pytest.mark.parametrize(
    "module",
    ["nn.layer.basic", "nn.loss.loss", "dataset.engine.datasets_vision", "dataset.text.utils"],
)
def test_a_file_has_the_names_of_its_package(module):
    inside = resolved(module)
    package = resolved(HOMES[module.rpartition(".")[0]])
    assert [name for name in package.__all__ if not hasattr(inside, name)] == []
    assert not hasattr(inside, "SomethingElse")


def test_nothing_of_the_tables_is_loaded_with_msgrad():
    text = (
        "import gc, sys, msgrad; print(*(n for n in sys.modules if n.startswith('msgrad.')))\n"
        "assert gc.isenabled() and 'TruncatedNormal' not in vars(msgrad.ops)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    late = {"porting.inner", "_top", "profiler", "scipy", "boost", "rewrite", "multiprocessing"}
    late |= {"dataset", "experimental", "mint", "numpy"}
    assert loaded & {f"msgrad.{name}" for name in late} == set()
    assert "jax.experimental.sparse" not in loaded


def test_older_spellings_compute():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        validator, rel = inner("_checkparam.Validator"), inner("_checkparam.Rel")
        resize, cell = ops.ResizeBilinear, nn.ResizeBilinear  # pyright: ignore
        compiled = ms.ms_function(lambda x: x + 1)  # pyright: ignore[reportAttributeAccessIssue]
        old = cell()
    assert validator.check_int_range(2, 0, 3, rel.INC_LEFT, "size", "Owner") == 2
    with pytest.raises(ValueError, match="must be in range"):
        validator.check_int_range(3, 0, 3, rel.INC_LEFT, "size", "Owner")
    x = Tensor(np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2))
    want = ops.ResizeBilinearV2(True)(x, (3, 3)).asnumpy()
    np.testing.assert_array_equal(resize((3, 3), True)(x).asnumpy(), want)
    np.testing.assert_array_equal(old(x, (3, 3), align_corners=True).asnumpy(), want)
    with pytest.raises(ValueError, match="either"):
        old(x)
    assert float(compiled(Tensor(1.0))) == 2.0


def test_arguments_of_a_constructor_are_noted():
    class Net(nn.Cell):
        @inner("_extends.cell_attr_register")
        def __init__(self, width, bias=True):
            super().__init__()

    assert Net(3).cell_init_args == "Netdict_values([3])"


def test_blocks_are_copied_between_caches():
    swap = inner("_c_expression.swap_cache")
    host, device = Tensor([[1.0], [2.0]]), Tensor([[3.0], [4.0]])
    swap(host, device, Tensor([[0, 1]]), False)
    assert device.tolist() == [[3.0], [1.0]]
    swap(host, device, Tensor([[0, 1]]), True)
    assert host.tolist() == [[1.0], [3.0]]


def test_a_description_of_a_kernel():
    register, kind = inner("ops.op_info_register.CustomRegOp"), inner("ops.DataType")
    built = register("add").input(0, "x").output(0, "y").target("CPU")
    info = built.dtype_format(kind.F32_Default, kind.F16_Default).get_op_info()
    assert info["inputs"] == [{"index": 0, "name": "x", "paramType": "required"}]
    assert info["dtype_format"] == [(("float32", "DefaultFormat"), ("float16", "DefaultFormat"))]
    with pytest.raises(ValueError, match="2"):
        built.dtype_format(kind.F32_Default)
    assert inner("ops.custom_info_register")(info)(lambda x: x)(3) == 3


@pytest.mark.parametrize("name", ["transform_checkpoints", "load_mindir"])
def test_what_is_left_out_says_so(name):
    with pytest.raises(NotImplementedError, match=name):
        getattr(ms, name)("file")


def old_transformer(name, module="nn.transformer"):
    return getattr(resolved(module), name)


def test_settings_of_the_transformer_of_1():
    whole = old_transformer("TransformerOpParallelConfig")(data_parallel=2, model_parallel=4)
    assert (whole.pipeline_stage, whole.recompute.mp_comm_recompute) == (1, True)
    assert (whole.dp_mp_config.data_parallel, whole.dp_mp_config.model_parallel) == (2, 4)
    assert whole.moe_parallel_config.expert_parallel == 1
    embedding = whole.embedding_dp_mp_config
    assert (embedding.vocab_emb_dp, embedding.dp_mp_config) == (True, whole.dp_mp_config)
    whole.recompute.recompute = True
    again = old_transformer("TransformerOpParallelConfig")()
    assert again.recompute == old_transformer("TransformerRecomputeConfig")()
    other = old_transformer("default_dpmp_config", "parallel._transformer.op_parallel_config")
    assert again.dp_mp_config == other


def test_the_transformer_stood_in_parallel_before():
    for name in ("TransformerOpParallelConfig", "TransformerEncoder", "CrossEntropyLoss"):
        found = old_transformer(name, "parallel.nn.transformer")
        assert found is old_transformer(name)
        with pytest.warns(DeprecationWarning, match=name):
            assert getattr(resolved("parallel.nn"), name) is found


def test_checks_of_the_transformer_of_1():
    path = "nn.transformer.layers"
    checks = old_transformer("_args_type_validator_check", path)

    class Layer:
        @checks(
            size=ms._checkparam.check_positive_int,
            dtype=old_transformer("_valid_value_checks", path)([ms.float16, ms.float32], "Layer"),
            act=old_transformer("_valid_type_checks", path)([str], "Layer"),
        )
        def __init__(self, size, dtype=ms.float32, act="relu"):
            self.size = size

    assert Layer(3, ms.float16).size == 3
    for error, given in ((ValueError, {"dtype": ms.int8}), (TypeError, {"act": 3})):
        with pytest.raises(error, match="For 'Layer', "):
            Layer(3, **given)
    with pytest.raises(ValueError, match="size"):
        Layer(0)


def test_layers_of_the_transformer_of_1():
    x = Tensor(np.arange(8, dtype=np.float32).reshape(2, 4) ** 2)
    norm = old_transformer("_LayerNorm")((4,))
    np.testing.assert_allclose(
        norm(x).asnumpy(), nn.LayerNorm((4,), epsilon=1e-5)(x).asnumpy(), 1e-5
    )
    assert norm.shard(((1,),)) is norm
    assert [p.name for p in norm.trainable_params()] == ["gamma", "beta"]
    mask = old_transformer("AttentionMask")(3)(Tensor([[1, 1, 0]]))
    assert mask.asnumpy().tolist() == [[[1, 0, 0], [1, 1, 0], [0, 0, 0]]]
    table = old_transformer("VocabEmbedding")(5, 2, param_init="ones")
    rows, whole = table(Tensor([[1, 2]], ms.int32))
    assert (rows.shape, whole.shape) == ((1, 2, 2), (5, 2))
    loss = old_transformer("CrossEntropyLoss")()
    found = loss(x, Tensor([1, 2], ms.int32), Tensor([1, 0], ms.int32))
    np.testing.assert_allclose(
        found.asnumpy(), ops.cross_entropy(x[:1], Tensor([1], ms.int32)).asnumpy(), 1e-5
    )


def test_attention_of_the_transformer_of_1():
    x = Tensor(np.linspace(-1, 1, 16, dtype=np.float32).reshape(1, 4, 4) ** 3)
    attention = old_transformer("MultiHeadAttention")(
        *(1, 4, 4, 4, 2, 0.0, 0.0), compute_dtype=ms.float32
    )
    mask = np.tril(np.ones((1, 4, 4), np.float32))
    found, (keys, values) = attention(x, x, x, Tensor(mask))
    assert (keys.shape, values.shape) == ((1, 2, 2, 4), (1, 2, 4, 2))
    layers = (attention.dense1, attention.dense2, attention.dense3)
    joined = [ops.concat([getattr(one, name) for one in layers]) for name in ("weight", "bias")]
    same = nn.MultiheadAttention(4, 2, batch_first=True)
    same.in_proj_weight.set_data(joined[0])
    same.in_proj_bias.set_data(joined[1])
    same.out_proj.weight.set_data(attention.projection.weight.T)
    same.out_proj.bias.set_data(attention.projection.bias)
    want, _ = same(x, x, x, attn_mask=Tensor(mask[0] == 0))
    np.testing.assert_allclose(found.asnumpy(), want.asnumpy(), 1e-4, 1e-9)
    with pytest.raises(NotImplementedError, match="use_past"):
        old_transformer("MultiHeadAttention")(1, 4, 4, 4, 2, use_past=True)


def test_encoder_of_the_transformer_of_1():
    x = Tensor(np.linspace(-1, 1, 16, dtype=np.float32).reshape(1, 4, 4) ** 3)
    encoder = old_transformer("TransformerEncoder")(1, 2, 4, 8, 4, 2, 0.0, 0.0)
    names = [p.name for p in encoder.trainable_params()]
    assert len(names) == 32
    assert {"blocks.0.layernorm1.gamma", "blocks.1.attention.dense3.bias"} <= set(names)
    assert "blocks.1.output.mapping.weight" in names
    found, presents = encoder(x, Tensor(np.ones((1, 4, 4), np.float32)))
    assert (found.shape, found.dtype, len(presents)) == (x.shape, ms.float32, 2)
    flat, _ = encoder.blocks[0](x.reshape(4, 4), Tensor(np.ones((1, 4, 4), np.float32)))
    whole, _ = encoder.blocks[0](x, None)
    np.testing.assert_allclose(flat.asnumpy(), whole.asnumpy()[0], 1e-3)
    after = old_transformer("TransformerEncoderLayer")(
        *(1, 4, 8, 2, 4, 0.0, 0.0), post_layernorm_residual=True
    )
    assert after(x)[0].dtype == ms.float16


def test_split_as_1_has_it():
    x = Tensor(np.arange(24, dtype=np.float32).reshape(2, 4, 3))
    for call in (
        lambda: ops.split(x, axis=1, output_num=2),
        # There is no dimension 4: the axis comes first, then the number of pieces.
        lambda: ops.split(x, 1, 4),
    ):
        with pytest.warns(DeprecationWarning, match="output_num"):
            pieces = call()
        assert {piece.shape for piece in pieces} == {(2, 4 // len(pieces), 3)}
        assert (ops.cat(pieces, 1) == x).all()
    with (
        pytest.warns(DeprecationWarning, match="output_num"),
        pytest.raises(ValueError, match="equal pieces"),
    ):
        ops.split(x, axis=1, output_num=3)
    with pytest.raises(TypeError, match="split_size_or_sections"):
        ops.split(x)
    assert [piece.shape[1] for piece in ops.split(x, 2, 1)] == [2, 2]


RECORDED = json.loads((Path(__file__).parent / "inner_paths.json").read_text())


@pytest.mark.parametrize("path", RECORDED)
def test_a_path_has_what_mindspore_has_there(path):
    with ms.install():
        module = importlib.import_module(f"mindspore.{path}")
        missing = [name for name in RECORDED[path].split() if not hasattr(module, name)]
    assert missing == []


SAME_FURTHER = {
    "mint.nn.layer.conv.Conv2d": "mint.nn.Conv2d",
    "mint.nn.layer.normalization.Tensor": "Tensor",
    "mint.optim.adamw.AdamW": "mint.optim.AdamW",
    "mint.distributed.distributed.init_process_group": "mint.distributed.init_process_group",
    "hal.event.Event": "hal.Event",
    "hal.stream.Stream": "hal.Stream",
    "nn.layer.thor_layer.DenseThor": "nn.DenseThor",
    "nn.probability.distribution.normal.Normal": "nn.probability.distribution.Normal",
    "nn.layer.basic.Parameter": "Parameter",
    "common.symbol.Symbol": "Symbol",
    "ops.vm_impl_registry.Primitive": "ops.Primitive",
    "mindrecord.tools.cifar10_to_mr.FileWriter": "mindrecord.FileWriter",
}


@pytest.mark.parametrize("path", SAME_FURTHER)
def test_the_same_in_a_file_of_a_package(path):
    with ms.install():
        package, _, name = f"mindspore.{SAME_FURTHER[path]}".rpartition(".")
        assert inner(path) is getattr(importlib.import_module(package), name)


def test_a_function_hidden_by_its_module_is_called_there():
    assign = inner("scipy.optimize.linear_sum_assignment.linear_sum_assignment")
    with ms.install():
        from mindspore.scipy.optimize import linear_sum_assignment
    cost = Tensor([[4.0, 1.0], [2.0, 3.0]])
    for call in (assign, linear_sum_assignment):
        rows, columns = call(cost, False, Tensor(2))
        assert (rows.tolist(), columns.tolist()) == ([0, 1], [1, 0])


def test_modules_left_out_say_why():
    with ms.install(), pytest.raises(ModuleNotFoundError, match="compiler; JAX compiles here"):
        importlib.import_module("mindspore._extends.parse.parser")


def test_registries_of_primitives():
    registry = inner("ops._register_for_op.Registry")()
    kept = registry.register(ops.ReLU)(len)
    registry.register("Name")(max)
    assert (registry.get(ops.ReLU(), None), registry.get("Name", None)) == (kept, max)
    assert registry.get("Other", 3) == 3
    with pytest.raises(TypeError, match="Primitive class"):
        registry.register(ops.ReLU())(len)


def test_checks_of_optimizers():
    for module, good in (("adam", (0.9, 0.99, 1e-8)), ("ada_grad", (0.1, True))):
        assert inner(f"nn.optim.{module}._check_param_value")(*good, "Op") is None
    check = inner("nn.optim.adam._check_param_value")
    with pytest.raises(ValueError, match="'beta1' must be in range of"):
        check(1.0, 0.9, 1e-8, "Op")
    with pytest.raises(TypeError, match="'beta2' should be 'float'"):
        check(0.9, 1, 1e-8, "Op")


def test_a_step_of_adam():
    step = inner("nn.optim.adam._adam_opt")
    param, m, v = (
        ms.Parameter(Tensor(values, ms.float32), name=name)
        for name, values in (("p", [1.0, 2.0]), ("m", [0.1, 0.2]), ("v", [0.3, 0.4]))
    )
    options = [Tensor(one, ms.float32) for one in (0.9, 0.99, 1e-2, 0.1, 0.5)]
    step(*options, param, m, v, Tensor([0.5, -0.5], ms.float32), True, True)
    # Recorded of MindSpore 2.10.
    np.testing.assert_allclose(param.asnumpy(), [0.92488003, 1.87972999], 1e-5)


def test_shapes_that_broadcast():
    broadcast = inner("ops._utils.utils.get_broadcast_shape")
    assert broadcast([-1, 3], [1, 3], "Op") == [-1, 3]


def test_a_finder_of_another_package_has_the_same_name():
    code = (
        "import sys\n"
        "class _Finder:\n"
        "    def find_spec(self, *_): return None\n"
        "sys.meta_path.append(_Finder())\n"
        "import msgrad\n"
        "import msgrad.ops.auto_generate, msgrad._checkparam\n"
        "print(msgrad.device_context.__name__)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stdout.strip() == "msgrad.device_context", found.stderr
