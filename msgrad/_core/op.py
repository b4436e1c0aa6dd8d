"""The definition of an operator, and the one function through which every operator call passes.

An operator is a kernel on raw arrays: its first parameters are arrays (annotated ``Array`` for a
Tensor, ``Operand`` for a Tensor or a number, ``Arrays`` for a sequence of Tensors, or ``Indices``
for positions, masks and conditions, which never carry a gradient; also ``| None``), the rest is
static, and its annotations say what is accepted. ``@operator`` turns it
into a callable on Tensors. The kernel runs through a ``jax.jit`` that is cached per value of the
static arguments: under an eager gradient one jitted kernel costs as much as one jnp primitive.
Promotion and checks stand inside the kernel, where they cost nothing once it is compiled.
"""

from __future__ import annotations

import functools
import inspect
import pickle
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import Place, is_tensor, operand, static, wrap_tree
from msgrad._core.by_numpy import ByNumpy
from msgrad._core.context import context, platform
from msgrad._core.declared import RAISED, check, raise_ours, shown
from msgrad._core.deferred.recording import Pending, materialize, run_eagerly
from msgrad._core.engine import to_device
from msgrad._core.errors import ArgumentTypeError, OptionError
from msgrad._core.former import formerly
from msgrad._core.protocols import OperatorLike
from msgrad._core.random import key_of_rows
from msgrad._core.registry import Row, Text, register
from msgrad._core.rounding import rounded
from msgrad._core.scopes import integer_gradients as intgrad

Array = jax.Array
Arrays = Sequence[jax.Array]
Indices = jax.Array
Operand = jax.Array

_ARRAY_KINDS = ("Array", "Arrays", "Indices", "Operand")
_EMPTY = inspect.Parameter.empty


class Operator:
    """One operator: callable on Tensors; made by ``operator``, see the module's docstring.

    Attributes:
        name: MindSpore's name of it, used in error texts.
        kernel: The function on raw arrays, for layers that fuse several into one.
        arity: How many leading parameters are arrays.
        selects: Per array parameter, whether it only selects (``Indices``).
        int_grad: Whether a gradient passes through it on integer Tensors.
        view: Whether the result shares its elements with the first operand, or what says so of
            the two.
        product: Whether a multiplication may be the last thing it does, see ``rounding``.
    """

    def __init__(
        self,
        kernel: Callable[..., Any],
        name: str,
        *,
        int_grad: bool | str,
        view: bool | Callable[[Any, Any], bool],
        autocast: bool,
        lists: bool = True,
        product: bool,
        also: Mapping[str, str] | None = None,
    ) -> None:
        functools.update_wrapper(self, kernel)
        self.name = name
        self.kernel = kernel
        self.int_grad = int_grad
        self.view = view
        self.autocast = autocast and not view
        self._static = static if lists else self._but_a_list
        self.product = product
        declared = inspect.signature(kernel).parameters
        names, kinds = [*declared], [str(p.annotation) for p in declared.values()]
        defaults = [p.default for p in declared.values()]
        self._positional = sum(p.kind is not p.KEYWORD_ONLY for p in declared.values())
        self.arity = sum(kind.split(" |")[0] in _ARRAY_KINDS for kind in kinds)
        self.places = tuple(
            Place(name, label, kind.startswith("Operand"))
            for label, kind in zip(names[: self.arity], kinds, strict=False)
        )
        self._tests = tuple(kinds[self.arity :])
        self._sequence = tuple(kind == "Arrays" for kind in kinds[: self.arity])
        self._optional = tuple(kind.endswith("| None") for kind in kinds[: self.arity])
        self.selects = tuple(kind == "Indices" for kind in kinds[: self.arity])
        self._names = tuple(names)
        self._defaults = tuple(defaults)
        self._needed = max((n for n, d in enumerate(defaults, 1) if d is _EMPTY), default=0)
        self._index = {name: i for i, name in enumerate(self._names)}
        others = (also or {}).items()
        self._index.update((other, self._index[name]) for other, name in others)
        # Which array is the key of a random operator.
        self._key = names.index("key") if "key" in names[: self.arity] else None
        # Where all of them accept the same, one place stands for all; the call is hot.
        self._place = Place(
            name, "' or '".join(p.label for p in self.places), kinds[:1] == ["Operand"]
        )
        self._plain = (
            self._key is None
            and not any(self._sequence)
            and not any(self._optional)
            and all(p.number == self._place.number for p in self.places)
        )
        # Which option is the dtype to compute in, where a gradient passes through integers.
        self._dtype = names.index("dtype") - self.arity if int_grad and "dtype" in names else None
        self._compiled: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def __repr__(self) -> str:
        return f"<operator {self.name}{inspect.signature(self)}>"

    def __reduce__(self) -> str:
        """Return the name by which it is pickled, as a function of a module; a copy is itself."""
        usual = [sys.modules.get(name) for name in ("msgrad.ops", self.__module__)]
        for module in [m for m in usual if m is not None] + list(sys.modules.values()):
            # The kernel may be of another module, or have no name of its own.
            for name, value in list(getattr(module, "__dict__", {}).items()):
                if value is self:
                    self.__module__ = module.__name__
                    return name
        raise pickle.PicklingError(f"{self!r} is kept in no module; assign it to a name there.")

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != len(self._names):
            if not kwargs and self._needed <= len(args) <= self._positional:
                args = args + self._defaults[len(args) :]
            else:
                args = self._bind(args, kwargs)
        tensors = args[: self.arity]
        if self._plain:
            place = self._place
            operands = tuple([operand(place, t) for t in tensors])
        else:
            operands = self._operands(tensors)
        mixed = context.mixed if self.autocast else None
        if mixed is not None:
            operands = mixed.operands(self.name, tensors, operands)
        options = ()
        if len(args) > self.arity:
            options = tuple([self._static(a) for a in args[self.arity :]])
        result = self.run(options, tensors, operands)
        return result if mixed is None else mixed.of_operator(self.name, result)

    def _but_a_list(self, option: Any) -> Any:
        if isinstance(option, list):
            raise OptionError(f"For '{self.name}', {option} must be a tuple, not a list.")
        return static(option)

    def run(self, options: tuple[Any, ...], tensors: Sequence[Any], operands: tuple) -> Any:
        """Dispatch and wrap; ``tensors`` are what ``operands`` were read from."""
        if self._key is not None and context.maps:
            key, beside = operands[self._key], (operands[: self._key], operands[self._key + 1 :])
            key = dispatch(_key_of_rows, (), (key, beside))
            operands = (*beside[0], key, *beside[1])
        scope = context.scope
        if scope is not None and self._dtype is not None:
            first = intgrad.as_asked(tensors[0], options[self._dtype])
            if first is not tensors[0]:
                tensors, operands = (first, *tensors[1:]), (first._peek(), *operands[1:])
        if context.no_grad and (scope is not None or context.recorder is None):
            operands = _without_gradient(operands)
        outputs = dispatch(self, options, operands)
        if scope is not None and scope.carriers and not context.no_grad:
            return intgrad.propagate(self, options, tensors, _materialized(operands), outputs)
        result = wrap_tree(outputs)
        view = self.view
        if view and is_tensor(tensors[0]) and (view is True or view(tensors[0], result)):
            result._set_base(tensors[0], functools.partial(_show, self, options))
        return result

    def _operands(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        operands: list[Any] = []
        for value, place, sequence, optional in zip(
            tensors, self.places, self._sequence, self._optional, strict=True
        ):
            if sequence:
                if not isinstance(value, (tuple, list)):
                    raise ArgumentTypeError(
                        f"For '{self.name}', the input must be a tuple or list of Tensors, "
                        f"but got {type(value)}."
                    )
                operands.append(tuple(operand(place, v) for v in value))
            elif optional and value is None:
                operands.append(None)
            else:
                operands.append(operand(place, value))
        return tuple(operands)

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if len(args) > self._positional:
            raise ArgumentTypeError(
                f"{self.name}() takes {self._positional} positional arguments but {len(args)} "
                "were given"
            )
        values = [*args, *self._defaults[len(args) :]]
        for key, value in kwargs.items():
            index = self._index.get(key)
            if index is None:
                error = ArgumentTypeError(
                    f"{self.name}() got an unexpected keyword argument '{key}'; accepted are "
                    f"{inspect.signature(self)}"
                )
                return self._bind(*formerly(self.name, args, kwargs, error))
            if index < len(args):
                raise ArgumentTypeError(f"{self.name}() got multiple values for argument '{key}'")
            values[index] = value
        for name, value in zip(self._names, values, strict=True):
            if value is _EMPTY:
                raise ArgumentTypeError(f"{self.name}() missing a required argument: '{name}'")
        return tuple(values)

    def options_of(self, options: tuple[Any, ...]) -> dict[str, Any]:
        """Return static arguments by their names."""
        return dict(zip(self._names[self.arity :], options, strict=True))

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the jitted kernel for these static arguments."""
        # Equal values of different types (1 and True, 2 and 2.0) mean different things.
        key = (options, *map(type, options)) if options else options
        try:
            found = self._compiled.get(key)
        except TypeError:
            names = ", ".join(self._names[self.arity :])
            raise OptionError(
                f"For '{self.name}', one of the arguments {names} is of a type that is none of "
                f"theirs: {', '.join(map(shown, options))}."
            ) from None
        if found is None:
            given = self.options_of(options)
            for (name, value), kind in zip(given.items(), self._tests, strict=True):
                check(self.name, name, kind, value)
            kernel = functools.partial(self.kernel, **given)
            # A kernel of several operators is told what errors call this one.
            owner = given.get("name", self.name)

            # A fresh function, so that jax.jit names the program after the operator.
            def call(*operands: Any) -> Any:
                by_numpy.traced()
                try:
                    # Strict settings of JAX's are for the user's own code.
                    with (
                        jax.numpy_dtype_promotion("standard"),
                        jax.numpy_rank_promotion("allow"),
                        jax.default_matmul_precision(_precision(self.name)),
                    ):
                        results = kernel(*jax.tree.map(_as_array, operands))
                except RAISED as error:
                    raise_ours(owner, error, (*operands, *options))
                return jax.tree.map(rounded, results) if self.product else results

            call.__name__ = self.name
            by_numpy = ByNumpy(jax.jit(call), functools.partial(self._compiled.__setitem__, key))
            by_numpy.traced()
            found = self._compiled[key]
        return found


_CONVOLUTIONS = "Conv2D", "Conv2DTranspose"


def _precision(name: str) -> str | None:
    """Return JAX's name for how exact the products in an operator are; None for its default.

    On a GPU that is TF32, 10 bits for each operand: what MindSpore allows in convolutions alone. A
    precision that JAX is told (``jax.default_matmul_precision``) holds for all.
    """
    settings: Any = jax.config
    told = settings.jax_default_matmul_precision
    exact = told is None and platform() == "gpu" and name not in _CONVOLUTIONS
    return "float32" if exact else told


def _as_array(operand: Any) -> Any:
    """Return a number, or an array of NumPy's, as an array of JAX, all bits kept."""
    if isinstance(operand, (np.ndarray, np.generic)):
        return jnp.asarray(operand, dtype=operand.dtype)
    # ``jax.jit`` does that; under ``jax.disable_jit`` it does not.
    return jnp.asarray(operand) if isinstance(operand, (int, float, complex)) else operand


def dispatch(op: OperatorLike, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
    """Run ``op`` on raw arrays: the one way from an operator call to JAX.

    A Python float beside a 64-bit operand is made 64-bit first, since ``jax.jit`` would round it.
    """
    if float in map(type, operands) and any(
        getattr(o, "dtype", None) == jnp.float64 for o in operands
    ):
        operands = tuple(to_device(np.asarray(o)) if type(o) is float else o for o in operands)
    scope = context.scope
    if scope is None:
        recorder = context.recorder
        if recorder is not None:
            # What is a program by itself runs as such.
            recorded = isinstance(op, Operator) and recorder.record(op, options, operands)
            if recorded:
                return recorded
            if recorder.open:
                operands = _materialized(operands)
        try:
            return op.compiled(options)(*operands)
        except TypeError:
            given = _materialized(operands)
            if not any(type(leaf) is Pending for leaf in jax.tree.leaves(operands)):
                raise
            # Another thread records it. What was never computed has said so.
            return op.compiled(options)(*given)
    if scope.recorder is not None and not scope.carriers:
        recorded = scope.recorder.record(op, options, operands)
        if recorded is not None:
            return recorded
    return run_eagerly(op, options, _materialized(operands))


def _show(op: Operator, options: tuple[Any, ...], raw: Any) -> Any:
    return dispatch(op, options, (raw,))


def _materialized(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([_materialized(o) if isinstance(o, tuple) else materialize(o) for o in operands])


def _without_gradient(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([constant(o) for o in operands])


def constant(value: Any) -> Any:
    """Return a raw value, or a tuple of them, without its derivative."""
    if isinstance(value, tuple):
        return _without_gradient(value)
    if type(value) is Pending:
        return dispatch(_stop_gradient, (), (value,))
    return jax.lax.stop_gradient(value)


def _stopped(value: Array) -> Array:
    return jax.lax.stop_gradient(value)


def _keyed(key: Array, beside: Arrays) -> Array:
    return key_of_rows(key, *map(jax.lax.stop_gradient, jax.tree.leaves(beside)))


_stop_gradient, _key_of_rows = (
    Operator(kernel, name, int_grad=False, view=False, autocast=False, product=False)
    for kernel, name in ((_stopped, "StopGradient"), (_keyed, "KeyOfRows"))
)


def operator(
    name: str,
    *,
    primitive: Text = False,
    method: Text = False,
    also: Mapping[str, str] | None = None,
    checks: bool = False,
    public: bool = True,
    int_grad: bool | str = False,
    view: bool | Callable[[Any, Any], bool] = False,
    autocast: bool = True,
    lists: bool = True,
    product: bool = False,
    summary: str | None = None,
) -> Callable[[Callable[..., Any]], Operator]:
    """Make an ``Operator`` of a kernel on raw arrays, and its row.

    Args:
        name: MindSpore's name of the operator, used in error texts.
        primitive: What ``Row`` says of it, as of the next ones.
        method: Its Tensor methods.
        also: Other names of arguments, to be given by keyword, with those they stand for.
        checks: Whether its Primitive refuses a wrong option when it is made.
        public: Whether ``ops`` exports it; never what begins with an underscore.
        int_grad: MindSpore passes a gradient through it on integer Tensors (facts 1.4);
            ``"float"`` where that gradient stays float32.
        view: Its result shares elements with its first operand, so that writes go both ways; or
            what says whether it does, of the two.
        autocast: Under ``Cell.to_float`` its floating operands are cast; never for a view.
        lists: Whether a list counts as a tuple where one is expected.
        product: A multiplication may be the last thing it does; then its results are rounded
            before what follows uses them (see ``rounding``).
        summary: Its docstring, where the kernel is made by a function.
    """

    def decorate(kernel: Callable[..., Any]) -> Operator:
        flags = {"view": view, "autocast": autocast, "lists": lists, "product": product}
        made = Operator(kernel, name, int_grad=int_grad, also=also, **flags)
        made.__doc__ = summary or made.__doc__
        if kernel.__module__.startswith("msgrad."):
            register(Row(made, name, primitive, method, also, checks, public))
        return made

    return decorate
