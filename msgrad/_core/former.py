"""Arguments as MindSpore 1 and 2.0 spell them, where 2.10 has others: they work, with a warning.

They are looked for where a call does not fit its signature, and methods of Tensors where there is
none. Names that are gone from modules stand in ``path_tables``.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, MissingAttributeError
from msgrad._core.user_code import user_level

Given = tuple[tuple[Any, ...], dict[str, Any]]


def _interpolate(
    x: Any,
    roi: None = None,
    scales: Any = None,
    sizes: Any = None,
    coordinate_transformation_mode: str = "align_corners",
    mode: str = "linear",
) -> Given:
    if roi is not None or coordinate_transformation_mode not in ("align_corners", "half_pixel"):
        raise TypeError
    return (x,), {
        "size": sizes,
        # Of all dimensions.
        "scale_factor": scales and tuple(scales[2:]),
        "recompute_scale_factor": scales and True,
        "align_corners": coordinate_transformation_mode == "align_corners",
        "mode": mode,
    }


def _norm(
    input_x: Any, axis: Any, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
) -> Given:
    # The layer of this name has other arguments.
    if not is_tensor(input_x) or (p != 2 and not isinstance(axis, int)):
        raise TypeError
    return (input_x,), {"ord": None if p == 2 else p, "dim": axis, "keepdim": keep_dims}


# What is called -> what gives 2.10's arguments; or the words of 2.10 for older ones, and for those
# that are gone the value that they may have.
FORMER: dict[str, Callable[..., Given] | dict[str, str | tuple[Any, ...]]] = {
    "BatchNorm2d": {"device_num_each_group": (1,)},
    "CumProd": {"axis": "dim"},
    "EmbeddingLookup": {"vocab_cache_size": (0,)},
    "LinSpace": {"stop": "end", "num": "steps"},
    "MindDataset": {"dataset_file": "dataset_files"},
    "Norm": _norm,
    "ReduceLogSumExp": {"keep_dims": "keepdim"},
    "SoftmaxCrossEntropyWithLogits": {
        "is_grad": (False,),
        "num_classes": (2,),
        "smooth_factor": (0,),
    },
    "Transpose": {"input_perm": "dims", "input_x": "input"},
    "conv2d": {"group": "groups"},
    "grid_sample": {"input_x": "input", "interpolation_mode": "mode"},
    "interpolate": _interpolate,
    "max": {"keep_dims": "keepdims"},
    "min": {"keep_dims": "keepdims"},
    "ones": {"type": "dtype"},
}

# Methods of a Tensor; the first is what MindSpore 1.1 calls on what `initializer` returns.
METHODS = {"to_tensor": "init_data"}


def formerly(
    owner: str, args: tuple[Any, ...], named: dict[str, Any], error: ArgumentTypeError
) -> Given:
    """Return the arguments of an older spelling of a call as 2.10 has them, with a warning.

    Args:
        owner: What is called.
        args: Positional arguments.
        named: Keyword arguments.
        error: What is raised if this is no older spelling.
    """
    row = FORMER.get(owner, {})
    if isinstance(row, dict):
        if any(named[word] not in row[word] for word in _gone(row, named)):
            raise error from None
        kept = {word: value for word, value in named.items() if word not in _gone(row, named)}
        found = args, {str(row.get(word, word)): value for word, value in kept.items()}
        if found[1].keys() == named.keys():
            raise error from None
    else:
        try:
            found = row(*args, **named)
        except TypeError:
            raise error from None
    warn_of(f"{owner}({', '.join(named) or '...'})", f"{owner}(..., {', '.join(found[1])})")
    return found


def _gone(row: dict[str, Any], named: dict[str, Any]) -> list[str]:
    return [word for word in named if isinstance(row.get(word), tuple)]


def warn_of(older: str, newer: str) -> None:
    """Warn of a spelling of an older version, at the user's line."""
    text = f"{older} is of an older MindSpore; 2.10 has {newer}."
    warnings.warn(text, DeprecationWarning, stacklevel=user_level(inspect.currentframe()))


def former_attribute(tensor: Any, name: str) -> Any:
    """Return the method that an older one of a Tensor is, with a warning.

    Raises:
        AttributeError: If there was none of that name.
    """
    newer = METHODS.get(name)
    if newer is None:
        raise MissingAttributeError(f"'{type(tensor).__name__}' object has no attribute '{name}'")
    warn_of(f"Tensor.{name}", f"Tensor.{newer}")
    return getattr(tensor, newer)
