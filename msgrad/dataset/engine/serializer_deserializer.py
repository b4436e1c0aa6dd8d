"""``serialize`` and ``deserialize``: pipelines as JSON, in the form that MindSpore writes.

What it writes of functions, of rows in memory and of transforms of texts says only that they are
there: such a pipeline is written, and cannot be read. Differs from MindSpore: data sets and images'
transforms that it writes and does not read are read here; of transforms of sounds, which it does
not read, the name alone is written.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgrad import dataset as ds
from msgrad import log
from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad.dataset.config import get_num_parallel_workers, get_prefetch_size
from msgrad.dataset.engine import _transformed as steps
from msgrad.dataset.engine._batches import BatchDataset, BucketBatchByLengthDataset
from msgrad.dataset.engine._written import Json, arguments_of, plain, read, written
from msgrad.dataset.engine.datasets import Dataset
from msgrad.dataset.engine.samplers import Sampler

__all__ = ["compare", "deserialize", "serialize", "show"]

# What is done to a dataset: its class -> the name in JSON, and what it is made with.
_STEPS: dict[type[Any], tuple[str, Callable[[Any], Json]]] = {
    BatchDataset: (
        "Batch",
        lambda d: {
            **_queued(),
            "batch_size": 1 if callable(d.batch_size) else d.batch_size,
            "drop_remainder": d.drop_remainder,
            "input_columns": d._asked[0],
            "output_columns": d._asked[1],
            **({"per_batch_map": "pyfunc"} if d._map else {}),
        },
    ),
    BucketBatchByLengthDataset: ("BucketBatchByLength", lambda d: _queued()),
    steps.MapDataset: (
        "Map",
        lambda d: {
            **_queued(d._threads),
            "callback": [],
            "input_columns": d._inputs,
            "output_columns": d._outputs,
            "operations": written(d._operations),
        },
    ),
    steps.FilterDataset: (
        "Filter",
        lambda d: {**_workers(), "input_columns": d._inputs, "predicate": "pyfunc"},
    ),
    steps.ShuffleDataset: (
        "Shuffle",
        lambda d: {"buffer_size": d._buffer._size, "reset_each_epoch": d._buffer._anew},
    ),
    steps.RepeatDataset: ("Repeat", lambda d: {"count": -1 if d._endless else d._count}),
    steps.SkipDataset: ("Skip", lambda d: {"count": d._start}),
    steps.TakeDataset: ("Take", lambda d: {"count": -1 if d._count is None else d._count}),
    steps.ZipDataset: ("Zip", lambda d: _queued()),
    steps.SyncWaitDataset: ("SyncWait", lambda d: _queued()),
    steps.ConcatDataset: (
        "Concat",
        lambda d: {
            "children_flag_and_nums": [_counted(c) for c in d.children],
            "children_sizes": [_counted(c)[1] or 1 for c in d.children],
            "children_start_end_index": [[-1, -1] for _ in d.children],
            "sampler": _sampler(d._sampler or ds.SequentialSampler()),
        },
    ),
    steps.ProjectDataset: ("Project", lambda d: {"columns": d._columns}),
    steps.RenameDataset: (
        "Rename",
        lambda d: {"input_columns": [*d._new], "output_columns": [*d._new.values()]},
    ),
}
_MADE: dict[str, Callable[[Json, list[Any]], Any]] = {
    "Batch": lambda j, of: of[0].batch(j["batch_size"], j["drop_remainder"]),
    "Map": lambda j, of: of[0].map(
        [read(one) for one in j["operations"]],
        j["input_columns"] or None,
        j["output_columns"] or None,
    ),
    "Shuffle": lambda j, of: steps.ShuffleDataset(of[0], j["buffer_size"], j["reset_each_epoch"]),
    "Repeat": lambda j, of: of[0].repeat(j["count"]),
    "Skip": lambda j, of: of[0].skip(j["count"]),
    "Take": lambda j, of: of[0].take(j["count"]),
    "Zip": lambda j, of: of[0].zip(tuple(of[1:])),
    "Concat": lambda j, of: of[0].concat(of[1:]),
    "Project": lambda j, of: of[0].project(j["columns"]),
    "Rename": lambda j, of: of[0].rename(j["input_columns"], j["output_columns"]),
}
# Of these sources nothing is written but that they are there.
_IN_MEMORY = {"MindDataset": "MindDataDataset", "RandomDataset": "RandomDataset"}
# What JSON calls otherwise.
_NODES = {
    "EMnistDataset": "EMnistNode",
    "FakeImageDataset": "FakeImageNode",
    "GTZANDataset": "kGTZANNode",
}
_SOURCES = {there: here for here, there in _NODES.items()}
_COMMON = {
    *("num_samples", "num_parallel_workers", "shuffle", "sampler", "num_shards", "shard_id"),
    *("cache", "decrypt", "column_defaults", "compression_type"),
}
# What MindSpore's C++ has for None.
_NONE: Json = {"class_indexing": {}, "extensions": [], "usage": "all", "columns_list": []}

# Of samplers: attributes, by their names in JSON.
_SAMPLERS: dict[str, str] = {
    "SequentialSampler": "start_index",
    "RandomSampler": "replacement",
    "SubsetSampler": "indices=_chosen",
    "SubsetRandomSampler": "indices=_chosen",
    "WeightedRandomSampler": "weights replacement",
    "PKSampler": "num_val shuffle",
    "DistributedSampler": "num_shards shard_id offset",
}


def _workers(given: int | None = None) -> Json:
    return {"num_parallel_workers": get_num_parallel_workers() if given is None else given}


def _queued(workers: int | None = None) -> Json:
    return {"connector_queue_size": get_prefetch_size(), **_workers(workers)}


def _counted(dataset: Dataset) -> list[int]:
    """Return whether rows have no numbers, and how many they are; 0 of those in memory."""
    source = not dataset.children
    counted = not source or hasattr(dataset, "_made_of")
    return [int(not source), dataset.get_dataset_size() if counted else 0]


def serialize(dataset: Dataset, json_filepath: str = "") -> Json:
    """Return a pipeline as a dict of what JSON has.

    Args:
        dataset: The last dataset of the pipeline.
        json_filepath: Path of a file that it is written to; "" for none.

    Raises:
        TypeError: If the dataset or the path is none.
        OSError: If the file cannot be written.
    """
    if not isinstance(dataset, Dataset):
        raise ArgumentTypeError(f"The dataset must be a Dataset, but got {type(dataset)}.")
    if not isinstance(json_filepath, str):
        raise ArgumentTypeError(f"json_filepath must be a str, but got {type(json_filepath)}.")
    whole = json.dumps(_node(dataset), sort_keys=True, separators=(",", ":"))
    if json_filepath:
        Path(json_filepath).write_text(whole, encoding="utf-8")
    return json.loads(whole)


def deserialize(input_dict: Json | None = None, json_filepath: str | None = None) -> Any:
    """Return the pipeline that ``serialize`` has written, of MindSpore or here; None for nothing.

    Args:
        input_dict: What it returned.
        json_filepath: Or the path of the file.

    Raises:
        TypeError: If it is no dict.
        OSError: If the file cannot be read.
        RuntimeError: For a function, rows in memory, or a name that is not known.
    """
    if input_dict:
        return _dataset(input_dict)
    if json_filepath:
        return _dataset(json.loads(Path(json_filepath).read_text(encoding="utf-8")))
    return None


def show(dataset: Dataset, indentation: int = 2) -> None:
    """Write a pipeline into the log, at the level of information.

    Args:
        dataset: The last dataset of the pipeline.
        indentation: int, by how much more each level begins further right.
    """
    log.info(json.dumps(serialize(dataset), indent=indentation))


def compare(pipeline1: Dataset, pipeline2: Dataset) -> bool:
    """Return whether two pipelines are written alike."""
    return serialize(pipeline1) == serialize(pipeline2)


def _node(dataset: Any) -> Json:
    if type(dataset) is steps._Slice:
        # What a split takes of rows that have no numbers.
        whole = dataset.children[0]
        left = whole.skip(dataset._start) if dataset._start else whole
        return _node(left.take(-1 if dataset._count is None else dataset._count))
    for kind, (name, own) in _STEPS.items():
        if isinstance(dataset, kind):
            children = [_node(child) for child in dataset.children]
            return {"op_type": name, "children": children, **own(dataset)}
    name = type(dataset).__name__
    arguments = arguments_of(dataset)
    if arguments is None:
        named = _IN_MEMORY.get(name, "GeneratorDataset")
        workers = None if name in _IN_MEMORY else 1
        return {"op_type": named, "children": [], **_queued(workers)}
    made = {k: _NONE.get(k) if v is None else v for k, v in arguments.items() if k not in _COMMON}
    if "dataset_files" in made:
        made["dataset_files"] = dataset._paths
    if "sampler" in arguments:
        which: Json = {"sampler": _sampler(dataset._sampler)}
    else:
        shuffle, files = arguments["shuffle"], ds.Shuffle.FILES
        none = shuffle in (False, ds.Shuffle.FALSE)
        which = {"shuffle": 0 if none else 1 if shuffle == files else 2}
        numbers = {"num_samples": 0, "num_shards": 1, "shard_id": 0}
        numbers["num_samples"] = getattr(getattr(dataset, "_schema", None), "num_rows", 0)
        which |= {key: arguments[key] or least for key, least in numbers.items()}
    if name == "ImageFolderDataset":
        made["recursive"] = False
    if name == "TFRecordDataset":
        made |= {"compression_type": "", **_schema(made.pop("schema"))}
        which |= {f"shuffle_{n}": which["shuffle"] > i for i, n in enumerate(("files", "global"))}
    name = _NODES.get(name, name)
    queued = _queued(arguments["num_parallel_workers"])
    return {"op_type": name, "children": [], **queued, **plain(made), **which}


def _schema(schema: Any) -> Json:
    if not isinstance(schema, ds.Schema):
        return {"schema_file_path": schema or ""}
    whole = {"datasetType": schema.dataset_type or "TF", "numRows": schema.num_rows}
    return {"schema_json_string": json.loads(schema.to_json()) | whole}


def _sampler(sampler: Sampler) -> Json:
    name = type(sampler).__name__
    below = [] if sampler.child_sampler is None else [_sampler(sampler.child_sampler)]
    if isinstance(sampler, steps._Part):
        if sampler._randomize:
            below = [_sampler(ds.RandomSampler()) | _ONCE | {"child_sampler": below}]
        part = ds.SequentialSampler(sampler._part.start, sampler._part.stop - sampler._part.start)
        below = [_sampler(part) | {"child_sampler": below}]
        sampler, name = ds.SequentialSampler(), "SequentialSampler"
    # Of a sampler of one's own only that is written.
    pairs = (attribute.partition("=") for attribute in _SAMPLERS.get(name, "").split())
    made = {label: plain(getattr(sampler, own or label), exactly=True) for label, _, own in pairs}
    if isinstance(sampler, ds.DistributedSampler):
        made |= {"even_dist": sampler.offset == -1, "shuffle_mode": 2 if sampler.shuffle else 0}
        made["seed"] = sampler.seed + 1
    elif isinstance(sampler, ds.RandomSampler):
        made |= {"reshuffle_each_epoch": True, "shuffle_mode": 2}
    named = {"sampler_name": name} if name in _SAMPLERS else {}
    made |= {"child_sampler": below} if below else {}
    return {**named, "num_samples": sampler.num_samples or 0, **made}


# Of a random order, which is then the same in all epochs.
_ONCE = {"reshuffle_each_epoch": False}


def _sampler_of(made: Json) -> Sampler:
    name = made.get("sampler_name", "")
    if name not in _SAMPLERS:
        raise EngineError(f"deserialize knows no sampler {name!r}.")
    kind = getattr(ds, name)
    given = {k: v for k, v in made.items() if k in inspect.signature(kind).parameters}
    given["num_samples"] = given["num_samples"] or None
    if name == "DistributedSampler":
        given["shuffle"] = made["shuffle_mode"] != 0
    sampler, below = kind(**given), made.get("child_sampler", ())
    if isinstance(sampler, ds.DistributedSampler):
        sampler.seed = made["seed"] - 1
    if below and _ONCE.items() <= below[0].items() and given["num_samples"]:
        sampler = steps._Part(made["start_index"], given["num_samples"], True)
        below = below[0].get("child_sampler", ())
    elif _ONCE.items() <= made.items():
        raise EngineError("deserialize knows one random order for all epochs only in a split.")
    for child in map(_sampler_of, below):
        if isinstance(child, steps._Part) and name == "SequentialSampler":
            # What a split writes around its own.
            return child
        sampler.add_child(child)
    return sampler


def _dataset(made: Any) -> Dataset:
    if not isinstance(made, dict):
        raise ArgumentTypeError(f"A pipeline must be a dict, but got {type(made)}.")
    children = [_dataset(child) for child in made.get("children", ())]
    name = made.get("op_type", "")
    if name in _MADE and "per_batch_map" not in made:
        return _MADE[name](made, children)
    name = _SOURCES.get(name, name)
    kind = getattr(ds, name, None) if name in ds.__all__ else None
    if not isinstance(kind, type) or getattr(kind, "_made_of", None) is None:
        raise EngineError(
            f"Invalid data, unsupported operation type: {name}; functions and rows in memory "
            "cannot be read."
        )
    given = {k: v for k, v in made.items() if k in inspect.signature(kind).parameters}
    given |= {k: None for k, none in _NONE.items() if k in given and given[k] in (none, "")}
    if made.get("schema_file_path"):
        given["schema"] = made["schema_file_path"]
    if "schema_json_string" in made:
        given["schema"] = schema = ds.Schema()
        schema.from_json(made["schema_json_string"])
    if "sampler" in given:
        given["sampler"] = _sampler_of(given["sampler"])
    else:
        given["shuffle"] = [False, ds.Shuffle.FILES, ds.Shuffle.GLOBAL][given["shuffle"]]
        given["num_samples"] = given["num_samples"] or None
        if given["num_shards"] == 1:
            del given["num_shards"], given["shard_id"]
    return kind(**given)
