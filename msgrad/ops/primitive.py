"""``Primitive``, how an operator's Primitive class is derived from its one definition, and what
makes operators of one's own: bases, decorators, and ``constexpr`` of a Python function.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import of_type
from msgrad._core.declared import annotations_of, check, refuse_argument
from msgrad._core.distributed.devices import check_one_kind, check_strategies, several
from msgrad._core.distributed.layout import Layout
from msgrad._core.docstrings import doc_of_class
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.random import OwnStream
from msgrad._core.registry import public
from msgrad.ops.spread import constrained


class Primitive:
    """Base of the operator classes: an object made with options, then called on Tensors.

    Args:
        name: The operator's name.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.attrs: dict[str, Any] = {}

    def __call__(self, *args: Any) -> Any:
        raise NotImplementedError(f"Primitive '{self.name}' has no implementation to call.")

    def __getattr__(self, name: str) -> Any:
        # What `add_prim_attr` keeps can be read as an attribute.
        if name in (kept := vars(self).get("attrs", {})):
            return kept[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @functools.cached_property
    def init_attrs(self) -> dict[str, Any]:
        """What the constructor was given, by name."""
        return {"name": self.name}

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        """Keep a named attribute on the Primitive; returns it."""
        self.attrs[name] = value
        return self

    def del_prim_attr(self, name: str) -> Primitive:
        """Forget a named attribute; returns the Primitive."""
        self.attrs.pop(name, None)
        return self

    def set_prim_instance_name(self, instance_name: str) -> Primitive:
        """Keep a name of this Primitive; returns it."""
        self.instance_name = instance_name
        return self

    def shard(self, in_strategy: Any = None, out_strategy: Any = None) -> Primitive:
        """Say how operands and results are cut into parts for several devices.

        Counts in what ``ms.jit`` and GRAPH_MODE compile in the modes ``semi_auto_parallel`` and
        ``auto_parallel``, where the process has several devices. A Parameter among the operands
        then stands on the devices in these parts.

        Args:
            in_strategy: A tuple with one strategy for each Tensor: a ``Layout`` called with the
                names of axes, or a tuple that says into how many parts each dimension is cut.
            out_strategy: The same for results; XLA decides where there is none.

        Returns:
            The Primitive.

        Raises:
            TypeError: If they are not tuples of these, or of both.
            ValueError: If there is only an ``out_strategy``, one of the other kind, or a Layout
                that was not called.
        """
        given = {"in": in_strategy, "out": out_strategy}
        for end, strategy in given.items():
            if strategy is not None:
                check_strategies(f"{end}_strategy", strategy)
        if in_strategy is None and out_strategy is not None:
            raise ArgumentValueError(
                f"The out_strategy of {self.name} is {out_strategy}, need to set in_strategy too."
            )
        if in_strategy and out_strategy and type(in_strategy[0]) is not type(out_strategy[0]):
            raise ArgumentValueError(
                "The in_strategy type must equal to the out_strategy type: tuples, or Layouts."
            )
        for end, strategy in given.items():
            if strategy:
                check_one_kind(f"{end}_strategy", strategy)
        for end, strategy in given.items():
            if strategy and isinstance(strategy[0], Layout):
                layouts = [s.to_dict() for s in strategy]
                for layout in layouts:
                    del layout["rank_list"]
                self.attrs[f"{end}_layout"] = tuple(layouts)
            elif strategy is not None:
                self.attrs[f"{end}_strategy"] = strategy
        if in_strategy and several():
            self._spread_as(in_strategy, out_strategy)
        return self

    def _spread_as(self, in_strategy: Any, out_strategy: Any) -> None:
        """Become a Primitive that cuts its operands; have the layer compute with it, if of one."""
        if not isinstance(self, _Spread):
            self.__class__ = _spread_class(type(self))
        vars(self)["_strategies"] = in_strategy, out_strategy
        use = vars(self).pop("_in_use", None)
        if use is not None:
            use(self)

    def set_stage(self, stage: int) -> Primitive:
        """Keep the stage of a pipeline it is in; returns the Primitive."""
        return self.add_prim_attr("stage", stage)

    def set_device(self, device_target: str) -> Primitive:
        """Keep where it is to run, which JAX decides; returns the Primitive."""
        return self.add_prim_attr("primitive_target", device_target)

    def recompute(self, mode: bool = True) -> Primitive:
        """Keep that it is to be computed again backwards, as ``mindspore.recompute``.

        Raises:
            TypeError: If ``mode`` is not a bool.
        """
        of_type("", "mode", mode, bool)
        return self.add_prim_attr("recompute", mode)

    def init_prim_io_names(self, inputs: Any, outputs: Any) -> None:
        """Keep the names of operands and results."""
        self.attrs.update(input_names=list(inputs), output_names=list(outputs))

    update_parameter = False

    def _shown(self) -> dict[str, Any]:
        """What ``repr`` tells of it: attributes, without the names of operands and results."""
        return {k: v for k, v in self.attrs.items() if k not in ("input_names", "output_names")}

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value}" for key, value in self._shown().items())
        return f"Prim[{self.name}]<{shown}>" if shown else f"Prim[{self.name}]"


class _Spread(Primitive):
    """What a Primitive is with ``shard`` on several devices: of a class derived from its own."""

    _strategies: tuple[Any, Any]

    def __call__(self, *args: Any) -> Any:
        cut, parts = self._strategies
        args = constrained(args, cut, f"{self.name}.shard(in_strategy)")
        return constrained(super().__call__(*args), parts, f"{self.name}.shard(out_strategy)")

    def __reduce__(self) -> tuple[Any, ...]:
        return _spread_again, (type(self).__mro__[2], vars(self))


@functools.cache
def _spread_class(cls: type[Any]) -> type[Any]:
    return type(cls.__name__, (_Spread, cls), {"__module__": cls.__module__})


def _spread_again(cls: type[Any], attributes: dict[str, Any]) -> Any:
    new = object.__new__(_spread_class(cls))
    vars(new).update(attributes)
    return new


class PrimitiveWithCheck(Primitive):
    """Base of an operator of one's own that checks its arguments: define ``__call__`` too.

    Args:
        name: The operator's name.
    """


class PrimitiveWithInfer(Primitive):
    """Base of an operator of one's own that infers its result: define ``__call__`` too.

    Args:
        name: The operator's name.
    """


@public
def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Keep the arguments of a Primitive's ``__init__`` as its attributes; a decorator."""
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def initialized(self: Any, *args: Any, **kwargs: Any) -> None:
        Primitive.__init__(self, type(self).__name__)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        self.init_attrs = dict(list(bound.arguments.items())[1:])
        for name, value in self.init_attrs.items():
            self.add_prim_attr(name, value)
            setattr(self, name, value)
        fn(self, *args, **kwargs)

    return initialized


prim_arg_register = prim_attr_register


class _Derived(Primitive):
    """A Primitive class made by ``primitive``; the table of its call is on the class."""

    _function: Callable[..., Any]
    _signature: inspect.Signature
    _rename: Mapping[str, str]
    _checks: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(type(self).__name__)
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentTypeError(f"{self.name}{self._signature}: {error}") from None
        bound.apply_defaults()
        for key, value in bound.arguments.items():
            setattr(self, key, value)
        options = self._options
        for key, value in bound.arguments.items():
            number = not isinstance(self._signature.parameters[key].default, bool)
            if number and is_tensor(value) and value.size != 1:
                raise refuse_argument(self.name, key, "a single value", value)
        kinds = annotations_of(self._function) if self._checks else {}
        for key, kind in kinds.items():
            if key in options:
                check(self.name, key, kind, options[key])

    @functools.cached_property
    def _options(self) -> dict[str, Any]:
        """What its function is called with, by attributes: a user may replace `__init__`."""
        given = {
            self._rename.get(key, key): getattr(self, key, parameter.default)
            for key, parameter in self._signature.parameters.items()
        }
        kinds = annotations_of(self._function)
        for first, second in ("seed", "seed2"), ("Seed0", "Seed1"):
            seeds = getattr(self, first, 0), getattr(self, second, 0)
            if kinds.get(first, "").startswith("Seed"):
                given[first] = OwnStream(*seeds)
        return {key: value for key, value in given.items() if key != "_"}

    @functools.cached_property
    def init_attrs(self) -> dict[str, Any]:
        """The constructor's arguments by name."""
        options = self._signature.parameters.items()
        return {key: getattr(self, key, option.default) for key, option in options}

    def _shown(self) -> dict[str, Any]:
        return self.init_attrs | super()._shown()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = {self._rename.get(key, key): value for key, value in kwargs.items()}
        return type(self)._function(*args, **kwargs, **self._options)


# Names of what a Primitive is called with, the first ones, where its function has others.
_CALLED = {
    "data": "TensorScatterElements",
    "dtype dims x": "Fill",
    "image": "ResizeBilinearV2",
    "input": "AdaptiveMaxPool2D ArgMaxWithValue ArgMinWithValue CumSum GeLU Slice",
    "input dim0 dim1": "TransposeExtView",
    "input input_perm": "TransposeView",
    "input other": "Div",
    "input target": "BinaryCrossEntropy",
    "input target weight posWeight": "BCEWithLogitsLoss",
    "input_x": "Argmax Cast Flatten Identity LayerNorm ResizeNearestNeighbor UnsortedSegmentSum",
    "input_x input_y": "RightShift",
    "prediction target": "SmoothL1Loss",
    "start stop num": "LinSpace",
    "x": "MultiMarginLoss OnesLike Rank ReduceAny ScalarToTensor Shape Sqrt ZerosLike",
    "x y": "BatchMatMul LogicalAnd LogicalOr",
    "x1 x2": "LeftShift",
}
_CALLED_BY_NAME = {name: text.split() for text, names in _CALLED.items() for name in names.split()}


def primitive(
    name: str,
    function: Callable[..., Any],
    options: Mapping[str, Any] | None = None,
    rename: Mapping[str, str] | None = None,
    *,
    checks: bool = False,
    told: Mapping[str, str] | None = None,
) -> type[_Derived]:
    """Derive the Primitive class of a functional operator.

    Args:
        name: The class's name, as in ``mindspore.ops.ReduceSum``.
        function: The functional operator; called with the Primitive's arguments followed by its
            options as keywords.
        options: Constructor arguments with their defaults (``inspect.Parameter.empty`` for a
            required one).
        rename: Constructor name -> name in ``function``, where they differ; ``_`` where it has
            no counterpart and is not passed on.
        checks: Whether it refuses a wrong option when it is made, rather than when it is called.
        told: Names of its arguments -> those that the docstring has for them, where they differ.

    Returns:
        The class.
    """
    names = {key: (rename or {}).get(key, key) for key in options or {}}
    declared = inspect.signature(function)
    own = [
        p
        for p in declared.parameters.values()
        if p.name not in names.values() and p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)
    ]
    called = _CALLED_BY_NAME.get(name, [])
    given = [p.replace(name=n) for p, n in zip(own, called, strict=False)] + own[len(called) :]
    asked = [
        inspect.Parameter(
            key,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=default,
            annotation=getattr(declared.parameters.get(names[key]), "annotation", Any),
        )
        for key, default in (options or {}).items()
    ]
    about = {**{p.name: p.name for p in given}, **names, **(told or {})}
    construct = inspect.Signature([_SELF, *asked])
    call = declared.replace(parameters=[_SELF, *given])
    members = {
        "__doc__": doc_of_class(
            function, {n: about[n] for n in names}, {p.name: about[p.name] for p in given}
        ),
        "__module__": "msgrad.ops.operations",
        "__init__": _with_signature(_Derived.__init__, construct),
        "__call__": _with_signature(_Derived.__call__, call),
        "_function": staticmethod(function),
        "_signature": inspect.Signature(asked),
        "_rename": {**dict(zip(called, [p.name for p in own], strict=False)), **(rename or {})},
        "_checks": checks,
    }
    return type(name, (_Derived,), members)


_SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _with_signature(function: Any, signature: inspect.Signature) -> Callable[..., Any]:
    """Return the same function, of which ``inspect`` and ``help`` tell another signature."""
    new = FunctionType(function.__code__, function.__globals__, closure=function.__closure__)
    new.__signature__ = signature  # type: ignore[attr-defined]
    return new


@public
def constexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
    check: bool = True,
) -> Any:
    """Make a Primitive of a function that MindSpore computes while it compiles; also a decorator.

    Args:
        fn: The function; it is called as it is, also where a program is traced.
        get_instance: Whether to give a Primitive rather than its class.
        name: Its name; that of the function by default.
        reuse_result: Accepted for compatibility.
        check: Accepted for compatibility.

    Returns:
        A Primitive to call with the function's arguments, or its class.

    Raises:
        AttributeError: If ``fn`` is not a function.
    """
    if fn is None:
        return lambda function: constexpr(function, get_instance, name, reuse_result, check)
    label = name or fn.__name__

    class ProxyOp(Primitive):
        def __init__(self) -> None:
            super().__init__(label)

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        def __reduce__(self) -> str:
            # By the name of the function, in the place of which it stands.
            self.__module__ = fn.__module__
            return fn.__qualname__

    return ProxyOp() if get_instance else ProxyOp


def _primexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
) -> Any:
    """Do what ``constexpr`` does; MindSpore's own layers use it for shapes."""
    return constexpr(fn, get_instance, name, reuse_result)


@functools.lru_cache(maxsize=1024, typed=True)
def _made(cls: type, *args: Any, **kwargs: Any) -> Any:
    return cls(*args, **kwargs)


def _run_op(obj: Primitive, op_name: str, args: Sequence[Any]) -> Any:
    """Run a Primitive as its own class does, whatever ``__call__`` a subclass of a program has."""
    own = next(kind for kind in type(obj).__mro__ if kind.__module__.startswith("msgrad."))
    return own.__call__(obj, *args)


def _get_cache_prim(cls: type) -> Callable[..., Any]:
    """Return a function that makes a Primitive of a class, or gives the one made before.

    Args:
        cls: A class of Primitives; what cannot be hashed among the options is made anew.
    """

    def make(*args: Any, **kwargs: Any) -> Any:
        try:
            return _made(cls, *args, **kwargs)
        except TypeError:
            return cls(*args, **kwargs)

    return make
