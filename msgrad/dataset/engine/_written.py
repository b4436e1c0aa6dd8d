"""Transforms as JSON, in the form that MindSpore writes; pipelines are elsewhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError
from msgrad.common import dtype as mstype
from msgrad.dataset import transforms, vision
from msgrad.dataset.transforms.transforms import TensorOperation, _as_arrays

Json = dict[str, Any]

# What JSON calls otherwise: here -> there.
_RENAMED = {"HWC2CHW": "HwcToChw", "ToType": "TypeCast"}
_HERE = {there: here for here, there in _RENAMED.items() if there != "TypeCast"}
# MindSpore's C++ numbers the ways to resample otherwise than its Python.
_INTERS = {"BILINEAR": 0, "NEAREST": 1, "BICUBIC": 2, "AREA": 3, "PILCUBIC": 4}
_BORDERS = [*vision.Border]
_POLICIES = ["imagenet", "cifar10", "svhn"]
# Numbers that are not of 32 bits.
_EXACT = {"smoothing_rate"}
# Those that ``.device()`` sends to a device.
_NAMES = """
AdjustBrightness AdjustContrast AdjustHue AdjustSaturation AdjustSharpness Affine AutoContrast
ConvertColor Crop Decode Equalize Erase GaussianBlur HorizontalFlip Invert Normalize Pad Perspective
Posterize ResizedCrop Resize Rotate Solarize VerticalFlip
"""
_ON_DEVICE = frozenset(_NAMES.split())
# What 2.10 does not read again.
_BARE = {"Concatenate", "Mask", "Slice"}
# What has one size, of the shorter side.
_OF_ONE_SIDE = {"Resize", "RandomResize", "ResizeWithBBox", "RandomResizeWithBBox"}
# Transforms in Python that draw; of others it is said that they do not.
_DRAWING = {"RandomErasing", "RandomGrayscale", "RandomPerspective", "RandomOrder", "Decode"}
_OF_PYTHON = {"implementation", "output_type", "random", "device_target", "c_size", "py_size"}
_FUNCTION = "mindspore.dataset.transforms.py_transforms_util"


def written(given: list[Any]) -> list[Json]:
    ours = [one for one in given if one is not _as_arrays]
    known = [isinstance(one, TensorOperation) for one in ours]
    # What stands before ToTensor runs in Python if one of it does.
    ends = [i for i, one in enumerate(ours) if isinstance(one, vision.ToTensor)]
    first = ours[: ends[0]] if ends else ours
    if all(known) and len(first) > 1 and any(map(_in_python, first)):
        params = {"transforms": [_by_python(one) for one in first], "device_target": "CPU"}
        composed = _python_json("transforms", "Compose", params)
        return [composed, *(_operation(one) for one in ours[len(first) :])]
    return [_operation(one) for one in ours]


def _in_python(one: Any) -> bool:
    arguments = arguments_of(one) or {}
    thin = (
        arguments.get("interpolation") == vision.Inter.ANTIALIAS and type(one).__name__ == "Resize"
    )
    made = type(one).__name__ == "RandomOrder" or arguments.get("to_pil") is True
    return made or thin or (type(one).python_only if hasattr(type(one), "python_only") else False)


def _operation(one: Any) -> Json:
    if not isinstance(one, TensorOperation):
        name = getattr(one, "__name__", type(one).__name__)
        return {"python_module": _FUNCTION, "tensor_op_name": name}
    if _in_python(one):
        return _by_python(one)
    name = type(one).__name__
    here = _package(one) in ("vision", "transforms") and name not in _BARE
    params = _params(name, arguments_of(one) or {}) if here else {}
    named = _RENAMED.get(name, name)
    return {"tensor_op_name": named, "tensor_op_params": params if params else None}


def _python_json(module: str, name: str, params: Json) -> Json:
    made = {"implementation": int(name != "ToNumpy"), "output_type": "float64", **params}
    return {
        "python_module": f"mindspore.dataset.{module}.transforms",
        "tensor_op_name": name,
        "tensor_op_params": made,
    }


def _by_python(one: Any) -> Json:
    name, arguments = type(one).__name__, arguments_of(one) or {}
    params = {"transforms": [], **plain(arguments, exactly=True)}
    if "transforms" in arguments:
        params["transforms"] = [_by_python(each) for each in arguments["transforms"]]
    if name == "Resize":
        params["c_size"], params["py_size"] = [params["size"]], params.pop("size")
    elif "size" in params and name != "FiveCrop":
        params["size"] = _pair(params["size"])
    if name not in _DRAWING and not name.startswith("Random"):
        params["random"] = False
    if not getattr(type(one), "python_only", False) and (name not in _DRAWING or name == "Decode"):
        params["device_target"] = "CPU"
    return _python_json(_package(one), name, params)


def _package(one: Any) -> str:
    """Return in which package of the dataset a transform is, "" for none."""
    module = type(one).__module__.removeprefix("msgrad.dataset.")
    return "" if module == type(one).__module__ else module.partition(".")[0]


def _params(name: str, arguments: Json) -> Json:
    """Return what a transform was made with, as MindSpore's C++ has it."""
    made: Json = {}
    for key, value in arguments.items():
        by_name = _AS.get(f"{name}.{key}") or _AS.get(key)
        made[key] = by_name(value) if by_name else value
    if name in _OF_ONE_SIDE:
        size = arguments["size"]
        made["size"] = [size] if isinstance(size, int) else size
    if name == "Decode":
        made = {"rgb": True}
    if name == "Rotate":
        made["degree"] = float(made.pop("degrees"))
    if name == "Fill":
        return plain(made["fill_value"])
    if name in _ON_DEVICE:
        made["device_target"] = "CPU"
    return made if name == "RandomApply" else plain(made)


def _pair(value: Any) -> Any:
    return [value, value] if isinstance(value, (int, float)) else value


def _around(value: Any) -> Any:
    return [-value, value] if isinstance(value, (int, float)) else value


def _factors(value: Any) -> Any:
    single = isinstance(value, (int, float))
    return [max(0.0, 1.0 - value), 1.0 + value] if single else _floats(value)


def _floats(value: Any) -> Any:
    return [float(one) for one in value] if isinstance(value, (list, tuple)) else float(value)


def _array(value: Any) -> Json:
    array = np.asarray(value)
    kind = {"U": "string", "S": "bytes"}.get(array.dtype.kind, array.dtype.name)
    return {"data": array.reshape(-1).tolist(), "shape": [*array.shape], "type": kind}


def _type(value: Any) -> str:
    return str(value).lower() if isinstance(value, mstype.DType) else np.dtype(value).name


def _four(value: Any) -> Any:
    whole = [*_pair(value)]
    return whole * 2 if len(whole) == 2 else whole


def _shears(value: Any) -> Any:
    both = [*_floats(_around(0 if value is None else value))]
    return [*both, 0.0, 0.0][:4]


# By name, and where that is not enough by transform: what stands in JSON for an argument.
_AS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("interpolation", "resample"), lambda v: _INTERS[vision.Inter(v).name]),
    "padding_mode": lambda v: _BORDERS.index(v),
    "policy": lambda v: _POLICIES.index(v),
    "RandomSelectSubpolicy.policy": lambda v: [
        [{"tensor_op": _operation(one), "prob": float(prob)} for one, prob in each] for each in v
    ],
    **dict.fromkeys(("convert_mode", "slice_mode", "image_batch_format"), int),
    "size": _pair,
    "padding": lambda v: [0, 0, 0, 0] if v is None else _four(v),
    "fill_value": lambda v: [v] * 3 if isinstance(v, int) else v,
    "SlicePatches.fill_value": int,
    "Fill.fill_value": _array,
    "offset": lambda v: [] if v is None else _pair(v),
    "ignore": lambda v: [] if v is None else [v] if isinstance(v, int) else v,
    **dict.fromkeys(
        ("RandomAffine.degrees", "RandomRotation.degrees"), lambda v: _floats(_around(v))
    ),
    "Affine.degrees": float,
    "Affine.shear": lambda v: _floats([v, 0.0] if isinstance(v, (int, float)) else v),
    "RandomAffine.translate": lambda v: [0.0] * 4 if v is None else v,
    "RandomAffine.scale": lambda v: [1.0, 1.0] if v is None else v,
    "RandomAffine.shear": _shears,
    **{f"RandomColorAdjust.{n}": _factors for n in ("brightness", "contrast", "saturation")},
    "hue": _around,
    "center": lambda v: [] if v is None else _floats(v),
    **dict.fromkeys(("degree", "prob", "alpha"), float),
    "Solarize.threshold": _floats,
    "kernel_size": lambda v: [v] if isinstance(v, int) else v,
    "sigma": lambda v: [0.0] if v is None else _floats(v if isinstance(v, (list, tuple)) else [v]),
    "Erase.value": lambda v: _floats(v if isinstance(v, (list, tuple)) else [v]),
    **dict.fromkeys(("output_type", "data_type", "dtype"), _type),
    **dict.fromkeys(("constant", "pad_value"), lambda v: None if v is None else _array(v)),
    "transform": lambda v: _operation(v),
    "transforms": lambda v: [_operation(one) for one in v],
}


def plain(value: Any, exactly: bool = False) -> Any:
    """Return what JSON has for a value; floats as of 32 bits, unless exactly."""
    if isinstance(value, dict):
        return {k: plain(v, exactly or k in _EXACT) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one, exactly) for one in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist(), exactly)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (float, np.floating)):
        return float(value) if exactly else float(np.float32(value))
    if isinstance(value, np.integer):
        return int(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return repr(value)


def _number(made: Json) -> Any:
    array = np.array(made["data"]).reshape(made["shape"])
    return array if array.ndim else array.item()


def _choice(value: Any) -> Any:
    """Return the policy of ``AutoAugment``, or of ``RandomSelectSubpolicy``."""
    if isinstance(value, int):
        return vision.AutoAugmentPolicy(_POLICIES[value])
    return [[(read(one["tensor_op"]), one["prob"]) for one in each] for each in value]


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value


def _alone(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else _tuples(value)


_INTERS_OF = {number: name for name, number in _INTERS.items()}
# By name: an argument of what stands in JSON; tuples of lists elsewhere.
_OF: dict[str, Callable[[Any], Any]] = {
    "transform": lambda v: read(v),
    "transforms": lambda v: [read(one) for one in v],
    **dict.fromkeys(("interpolation", "resample"), lambda v: vision.Inter[_INTERS_OF[v]]),
    "padding_mode": lambda v: _BORDERS[v],
    "policy": _choice,
    "convert_mode": vision.ConvertMode,
    "slice_mode": vision.SliceMode,
    "image_batch_format": vision.ImageBatchFormat,
    "data_type": lambda v: getattr(mstype, v),
    "output_type": lambda v: np.dtype(v).type,
    "pad_value": _number,
    "pad_shape": list,
    **dict.fromkeys(("size", "kernel_size", "sigma", "value"), _alone),
}


def read(made: Json) -> Any:
    """Return the transform that stands in JSON.

    Raises:
        RuntimeError: For a function, or a name or argument that is not known.
    """
    written_as = made.get("tensor_op_name", "")
    name = str(_HERE.get(written_as, written_as))
    if made.get("python_module") == _FUNCTION:
        raise EngineError(f"Failed to find key 'tensor_op_params' of {name}: it is a function.")
    kinds = [getattr(m, name) for m in (vision, transforms) if name in m.__all__]
    if not kinds or not issubclass(kinds[0], TensorOperation):
        raise EngineError(f"Invalid data, unsupported operation: {name}.")
    params = dict(made.get("tensor_op_params") or {})
    if name == "Fill":
        params = {"fill_value": _number(params)}
    for own, theirs in (("size", "py_size"), ("degrees", "degree")):
        if theirs in params:
            params[own] = params[theirs]
    of = _OF if "python_module" not in made else {**_OF, "interpolation": vision.Inter}
    wanted = inspect.signature(kinds[0]).parameters
    given = {k: v for k, v in params.items() if k in wanted and v is not None and v != []}
    lacking = [p.name for p in wanted.values() if p.default is p.empty and p.name not in given]
    if lacking:
        raise EngineError(f"Failed to find keys {lacking} of {name} in 'tensor_op_params'.")
    return kinds[0](**{key: of.get(key, _tuples)(value) for key, value in given.items()})


def arguments_of(made: Any) -> Json | None:
    """Return what the constructor was given, with its defaults; None where that is not kept."""
    kept = getattr(made, "_made_of", None)
    if kept is None:
        return None
    bound = inspect.signature(type(made)).bind(*kept[0], **kept[1])
    bound.apply_defaults()
    return dict(bound.arguments)
