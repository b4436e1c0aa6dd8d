"""Methods of Tensor that say where and how it is stored, or that take its elements one by one.

JAX decides where arrays are; what MindSpore moves, pins or offloads by hand stays where it is.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    KernelError,
    TensorIndexError,
)
from msgrad._core.op import Array, Arrays, Operand, operator
from msgrad._core.registry import METHODS, method
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops import random as _random
from msgrad.ops import reduction
from msgrad.ops.creation import zeros

# What says how MindSpore stores a Tensor, and is the same for all here.
_FACTS: dict[str, Any] = {
    "delta_seed": 0, "index_of_parent_": None, "init_finished": True, "init_flag": False,
    "is_meta": False, "parent_tensor_": None, "virtual_flag": False,
}  # fmt: skip
_ANSWERS: dict[str, Any] = {
    "flush_from_cache": None, "is_init": False, "is_pinned": False, "is_shared": False,
    "offload_file_path": "", "wait_pipeline": None,
}  # fmt: skip
_IGNORED = ("data_sync", "set_cast_dtype", "set_init_flag")


def _answer(value: Any) -> Any:
    def answer(self: Tensor) -> Any:
        return value

    answer.__doc__ = f"Return {value!r}: of MindSpore's own storage."
    return answer


for _name, _value in _FACTS.items():
    METHODS[_name] = property(_answer(_value))
METHODS["symbolic_shape"] = property(
    lambda self: getattr(self._init, "symbolic_shape", None),
    doc="The sizes of a Tensor that describes an input with Symbols, those as dicts; else None.",
)
METHODS["param_info"] = property(
    lambda self: vars(self).get("param_info"),
    lambda self, value: vars(self).update(param_info=value),
    doc="None, or what a program that makes its own Parameters of Tensors has assigned.",
)
for _name, _value in _ANSWERS.items():
    method(_name)(_answer(_value))


@method(" ".join(_IGNORED))
def _accepted(self: Tensor, value: Any = None) -> None:
    """Accepted for compatibility: of MindSpore's own storage."""


@method("requires_grad_")
def _requires_grad(self: Tensor, requires_grad: bool = True) -> None:
    """Set whether a Parameter is trained; of another Tensor, which ``grad`` asks for, nothing."""
    if hasattr(type(self), "requires_grad"):
        self.requires_grad = requires_grad  # pyright: ignore[reportAttributeAccessIssue]


@method("move_to")
def _move_to(self: Tensor, to: Any, blocking: bool = True) -> Tensor:
    """Return the Tensor: where it is, JAX decides; see ``mindspore.DeviceCtx``."""
    return self


method("assign_value_cpp")(Tensor.assign_value)


@method("set_")
def _set(self: Tensor, source: Any = None) -> Tensor:
    """Let the Tensor be ``source`` from now on: its shape, and its elements, which both share.

    Args:
        source: Tensor of the same dtype, or the storage of one; None for no elements.

    Raises:
        RuntimeError: If its dtype is another one.
        TypeError: If it is neither.

    Differs from MindSpore: in a differentiated or compiled function no elements are shared.
    """
    if source is None:
        source = Tensor(np.zeros(0, self.dtype.np_dtype))
    if isinstance(source, UntypedStorage):
        source = source._tensor
    if not isinstance(source, Tensor):
        raise ArgumentTypeError(f"a Tensor can be set to a Tensor or storage, not {type(source)}.")
    if source.dtype != self.dtype:
        raise KernelError(f"a Tensor of {self.dtype} cannot be set to one of {source.dtype}.")
    return self if source is self else self.assign_value(source)


@method("data_ptr")
def _data_ptr(self: Tensor) -> int:
    """Return the address of the first element, for as long as the Tensor is not written."""
    return self._concrete("data_ptr()").unsafe_buffer_pointer()


class UntypedStorage:
    """The bytes behind a Tensor, to be read."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def nbytes(self) -> int:
        """Return how many bytes there are."""
        return self._tensor.nbytes

    size = __len__ = nbytes

    def data_ptr(self) -> int:
        """Return the address of the first one."""
        return _data_ptr(self._tensor)

    def tolist(self) -> list[int]:
        """Return the bytes as ints."""
        return list(self._tensor.asnumpy().tobytes())

    def resize_(self, size: int) -> UntypedStorage:
        """Raise: memory of JAX is not given back by hand; delete the Tensor."""
        raise EngineError("A storage cannot be resized in msgrad; delete the Tensor instead.")


@method("storage untyped_storage")
def _storage(self: Tensor) -> UntypedStorage:
    """Return the bytes behind the Tensor."""
    return UntypedStorage(self)


@method("get_bytes")
def _get_bytes(self: Tensor) -> bytes:
    """Return the values as bytes."""
    return self.asnumpy().tobytes()


def _from_bytes(data: bytes, shape: tuple[int, ...], dtype: mstype.DType) -> Tensor:
    """Return the Tensor whose bytes ``get_bytes`` gave."""
    return Tensor(np.frombuffer(data, dtype.np_dtype).reshape(shape))


METHODS["convert_bytes_to_tensor"] = staticmethod(_from_bytes)


@method("to_dlpack")
def _to_dlpack(self: Tensor) -> Any:
    """Return a capsule for ``from_dlpack``, of msgrad or another library."""
    return self._concrete("to_dlpack()").__dlpack__()


class _Capsule:
    """What holds a capsule, in the form that JAX takes it."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def _from_dlpack(dlpack: Any) -> Tensor:
    """Make a Tensor of a capsule, or of what has ``__dlpack__``; the values are copied."""
    source = dlpack if hasattr(dlpack, "__dlpack__") else _Capsule(dlpack)
    return Tensor(jnp.array(jax.dlpack.from_dlpack(source), copy=True))


METHODS["from_dlpack"] = staticmethod(_from_dlpack)
METHODS["mH"] = property(
    lambda self: self.mT.conj() if self.is_complex() else self.mT,
    doc="The matrices transposed and conjugated.",
)


@method("new_empty")
def _new_empty(self: Tensor, size: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Return a Tensor of zeros, for values that are to be written; of the same dtype by default."""
    return zeros(size, dtype or self.dtype)


@method("itemset")
def _itemset(self: Tensor, *args: Any) -> Tensor:
    """Return the Tensor with one element replaced: ``(value)`` or ``(place, value)``."""
    new, value = Tensor.copy(self), args[-1]
    if len(args) == 1:
        return new.fill_(value)
    place = args[0]
    if isinstance(place, int):
        if not -self.size <= place < self.size:
            raise TensorIndexError(
                f"index {place} is out of bounds for axis 0 with size {self.size}"
            )
        place = tuple(map(int, np.unravel_index(place % self.size, self.shape)))
    new[place] = value
    return new


@method("resize")
def _resize(self: Tensor, *new_shape: Any) -> Tensor:
    """Return the first elements in another shape; zeros follow where there are too few."""
    shape = new_shape[0] if isinstance(new_shape[0], (tuple, list)) else new_shape
    return _resized(self, tuple(shape))


@operator("Resize", public=False)
def _resized(x: Array, shape: tuple[int, ...]) -> Array:
    count, flat = int(np.prod(shape)), x.reshape(-1)
    return jnp.pad(flat[:count], (0, max(0, count - flat.size))).reshape(shape)


@method("sum_to_size")
def _sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """Add up what broadcasting from ``size`` to the shape repeats."""
    wanted = tuple(size[0]) if size and isinstance(size[0], (tuple, list)) else size
    extra = self.ndim - len(wanted)
    pairs = list(zip(self.shape[extra:], wanted, strict=False))
    if extra < 0 or any(now != to and to != 1 for now, to in pairs):
        raise ArgumentValueError(f"the shape {self.shape} does not sum up to {wanted}.")
    axes = [place + extra for place, (now, to) in enumerate(pairs) if now != to]
    axes = [*range(extra), *axes]
    return reduction.sum(self, tuple(axes), True).reshape(wanted) if axes else self


@method("ptp")
def _ptp(self: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return how far the largest is from the smallest along an axis, or of all."""
    return self.amax(axis, keepdims) - self.amin(axis, keepdims)


@operator("Choose", public=False)
def _chosen(index: Array, choices: Arrays, mode: str) -> Array:
    return jnp.choose(index.astype(jnp.int32), list(choices), mode=mode)


@method("choose")
def _choose(self: Tensor, choices: Any, mode: str = "clip") -> Tensor:
    """Take each element from the choice that the Tensor has the number of.

    Args:
        choices: Tensors, or one whose first dimension counts them.
        mode: What a number outside means: ``'clip'``, ``'wrap'`` or ``'raise'``.
    """
    if mode == "raise":
        numbers = self.asnumpy()
        if ((numbers < 0) | (numbers >= len(choices))).any():
            raise ArgumentValueError(f"there are {len(choices)} choices, but got {numbers}.")
    many = list(choices) if isinstance(choices, (list, tuple)) else [*choices]
    tensors = tuple(c if isinstance(c, Tensor) else Tensor(c) for c in many)
    return _chosen(self, tensors, "clip" if mode == "raise" else mode)


@method("index")
def _index(self: Tensor, indices: Any) -> Tensor:
    """Take elements by a tuple of index Tensors, as ``x[indices]``."""
    of_type("index", "indices", indices, tuple, list)
    return self[tuple(indices)]


@operator("IndexPut", public=False)
def _put_kernel(x: Array, places: Arrays, values: Operand, accumulate: bool) -> Array:
    ref = x.at[tuple(places)]
    values = jnp.asarray(values, x.dtype)
    return ref.add(values) if accumulate else ref.set(values)


@method("index_put")
def _index_put(self: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """Return the Tensor with elements replaced, or added to, at a tuple of index Tensors."""
    return _put_kernel(self, tuple(indices), values, accumulate)


@method("index_put_")
def _index_put_(self: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """Replace elements, or add to them, at a tuple of index Tensors, in place."""
    self._write_elements(_index_put(self, indices, values, accumulate)._peek())
    return self


@method("put_")
def _put_(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Replace elements, or add to them, at places of the flat Tensor, in place."""
    flat = _put_kernel(self.reshape(-1), (index.reshape(-1),), source.reshape(-1), accumulate)
    self._write_elements(flat.reshape(self.shape)._peek())
    return self


@method("index_copy_")
def _index_copy_(self: Tensor, dim: int, index: Tensor, tensor: Tensor) -> Tensor:
    """Replace slices along a dimension, in place."""
    moved = _put_kernel(self.swapaxes(0, dim), (index,), tensor.swapaxes(0, dim), False)
    self._write_elements(moved.swapaxes(0, dim)._peek())
    return self


@method("random_")
def _random_(
    self: Tensor, from_: int = 0, to: int | None = None, *, generator: Any = None
) -> Tensor:
    """Fill with random whole numbers from ``from_`` to below ``to``, in place."""
    limit = to if to is not None else 2**24 if self.is_floating_point() else 2**31 - 1
    return self.copy_(_random.randint(from_, limit, self.shape))


@method("exponential_")
def _exponential_(self: Tensor, lambd: float = 1, *, generator: Any = None) -> Tensor:
    """Fill with exponentially distributed numbers, in place."""
    return self.copy_(-(1 - _random.rand(*self.shape)).log() / lambd)


@method("bernoulli_")
def _bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill with ones, each with probability ``p``, a number or Tensor, and zeros, in place."""
    return self.copy_(_random.rand(*self.shape) < p)
