"""The keywords of ``set_context`` that MindSpore only takes: their types, None, what is kept."""

import mindspore as ms

from tests.parity.case import case

# Keyword -> values. What MindSpore refuses with the error of its own binding is not asked for.
VALUES = {
    "ascend_config": (None, 3),
    "auto_tune_mode": (None, "x", 3),
    "deterministic": (None, "ON", "x", True),
    "device_target": (None, "x", 3),
    "disable_format_transform": (None, 3),
    "enable_auto_mixed_precision": (None, True, False, 1, "x"),
    "enable_parallel_split": (True,),
    "enable_reduce_precision": (None, 3),
    "enable_sparse": (None, True, 3),
    "env_config_path": ("no_such_file",),
    "exec_order": (None, "dfs", "x"),
    "gpu_config": (None, 3),
    "host_scheduling_max_threshold": ("x", 3),
    "jit_config": (
        {"jit_level": "O0", "infer_boost": "on"},
        {"jit_level": "O3"},
        {"infer_boost": True},
        {"exc_mode": "auto"},
        {"jit_level": "O1", "infer_boost": "on"},
    ),
    "jit_syntax_level": (0, 1, 3),
    "max_call_depth": (None, 7, "x"),
    "max_device_memory": (None, 3),
    "memory_optimize_level": (None, "O1", "x"),
    "mempool_block_size": (None, 3),
    "mode": (None, 2, "x"),
    "op_timeout": (None, 5, "x"),
    "print_file_path": (None, 3),
    "save_graphs_path": ("",),
    "profiling_options": ("x", None, 3),
    "topo_order": ("x",),
    "variable_memory_max_size": (None, 3),
}


@case.table({f"{key}-{value}": (key, value) for key, of in VALUES.items() for value in of})
def given(key, value):
    ms.set_context(**{key: value})
    try:
        return ms.get_context(key)
    except ValueError:
        return "get_context does not know it"
