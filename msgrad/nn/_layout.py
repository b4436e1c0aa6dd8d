"""What a Cell is told of devices, pipelines and compiling; all but ``shard`` is only kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from msgrad._compiled.graph_mode import call_cell
from msgrad._core.distributed.devices import check_one_kind, plan_parameter, several
from msgrad._core.distributed.layout import Layout
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingAttributeError,
    UnsupportedError,
)
from msgrad.common import dtype as mstype
from msgrad.nn.mixed_precision_type import MixedPrecisionType
from msgrad.ops.spread import constrained

if TYPE_CHECKING:
    from msgrad.common.parameter import Parameter

_DTYPES = {
    MixedPrecisionType.FP16: mstype.float16,
    MixedPrecisionType.FP32: mstype.float32,
    MixedPrecisionType.BF16: mstype.bfloat16,
}


def _new_each_time(kind: type) -> property:
    return property(lambda self: kind(), doc="Empty: of MindSpore's own compiler.")


def _number(name: str, part: str) -> property:
    def get(self: Any) -> int:
        found = vars(self).get(f"_{name}")
        if found is None:
            raise MissingAttributeError(
                f"The '{type(self).__name__}' object has no attribute '{name}'."
            )
        return found

    def set_to(self: Any, value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ArgumentTypeError(
                f"For 'Cell', the property '{name}' must be int type, but got type : {type(value)}"
            )
        if value < 0:
            raise ArgumentValueError(
                f"For 'Cell', the property '{name}' can not be less than 0, but got {value}"
            )
        vars(self)[f"_{name}"] = value

    doc = f"The {part} of a pipeline that the cell is in, once it was set; without effect."
    return property(get, set_to, doc=doc)


class LayoutMixin:
    """The part of ``Cell`` that takes what only other devices or compilers need."""

    _cell_mixed_type = MixedPrecisionType.NOTSET
    # What MindSpore's compiler notes of a Cell; programs of msgrad are in ``jit_stats``.
    bprop_debug = compiled = False
    cell_init_args = compile_phase = ""
    exist_names = exist_objs = frozenset()
    parallel_parameter_name_list = ()

    # MindSpore's own name of where it keeps it, which libraries read.
    _phase = property(lambda self: self.phase, lambda self, value: setattr(self, "phase", value))
    compile_cache = _new_each_time(set)
    phase_cache = _new_each_time(dict)
    parameter_layout_dict = _new_each_time(dict)
    parallel_parameter_merge_net_dict = _new_each_time(dict)

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        raise NotImplementedError

    pipeline_stage = _number("pipeline_stage", "stage")
    pipeline_segment = _number("pipeline_segment", "segment")

    def shard(self, in_strategy: Any, out_strategy: Any = None, parameter_plan: Any = None) -> None:
        """Say how inputs, outputs and parameters are cut into parts for several devices.

        Counts where ``Primitive.shard`` does; on one device it is accepted, whatever it says.

        Args:
            in_strategy: A tuple with one strategy for each Tensor: a ``Layout``, or a tuple of
                ints.
            out_strategy: The same for outputs; XLA decides where there is none.
            parameter_plan: A dict with the name of a parameter (also with ``self.`` before it) and
                its strategy.

        Raises:
            TypeError: If they are none of these.
            ValueError: If a strategy does not fit a parameter, or a Layout was not called.
        """
        if not several():
            return
        what = f"{type(self).__name__}.shard"
        check_shard(in_strategy, out_strategy)
        plan_parameters(self, parameter_plan)
        for handle in vars(self).get("_shard_hooks", ()):
            handle.remove()
        handles = (
            self.register_forward_pre_hook(  # type: ignore[attr-defined]
                lambda cell, inputs: constrained(inputs, in_strategy, f"{what}(in_strategy)")
            ),
            self.register_forward_hook(  # type: ignore[attr-defined]
                lambda cell, inputs, out: constrained(out, out_strategy, f"{what}(out_strategy)")
            ),
        )
        vars(self)["_shard_hooks"] = handles

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Any:
        """Set ``comm_fusion`` of the parameters: which gradients are sent together.

        Args:
            fusion_type: int, 0 or more.
            recurse: Whether also below.

        Returns:
            The cell.

        Raises:
            TypeError: If it is not an int.
            ValueError: If it is below 0.
        """
        if not isinstance(fusion_type, int) or isinstance(fusion_type, bool):
            raise ArgumentTypeError(
                f"The input value must be int, but got '{type(fusion_type).__name__}'"
            )
        if fusion_type < 0:
            raise ArgumentValueError(
                f"The input value must be int and must >= 0, but got '{fusion_type}' with type "
                "'int'."
            )
        for param in self.get_parameters(recurse):
            param.comm_fusion = fusion_type
        return self

    def set_broadcast_flag(self, mode: bool = True) -> Any:
        """Accepted for compatibility: whether inputs are the same on all devices."""
        return self

    def set_boost(self, boost_type: str) -> Any:
        """Accept ``'less_bn'``, and compute as without; returns the cell.

        Raises:
            ValueError: For another name.
        """
        if boost_type != "less_bn":
            raise ArgumentValueError(
                "For 'set_boost', the argument 'boost_type' must be 'less_bn', but got "
                f"{boost_type}."
            )
        return self

    def set_data_parallel(self) -> None:
        """Accepted for compatibility: that inputs are spread over devices."""

    def offload(self, backward_prefetch: str = "Auto") -> None:
        """Accepted for compatibility: JAX keeps activations on the device; see ``recompute``."""

    def remove_redundant_parameters(self) -> None:
        """Accepted for compatibility: there are none outside of a parallel mode."""

    def to_empty(self, *, device: Any = None, recurse: bool = True) -> Any:
        """Return the cell; its parameters have their memory."""
        return self

    def generate_scope(self) -> None:
        """Accepted for compatibility: names of MindSpore's graph."""

    def get_scope(self) -> None:
        """Return None: names of MindSpore's graph."""

    def update_cell_type(self, cell_type: str) -> None:
        """Set ``cell_type``."""
        self.cell_type = cell_type

    def get_mixed_precision_type(self) -> MixedPrecisionType:
        """Return what ``set_mixed_precision_type`` set."""
        return self._cell_mixed_type

    def set_mixed_precision_type(
        self, mixed_type: MixedPrecisionType, recurse: bool = True
    ) -> None:
        """Compute in another float dtype, as ``to_float`` does."""
        self._cell_mixed_type = mixed_type
        if mixed_type in _DTYPES:
            self.to_float(_DTYPES[mixed_type])  # type: ignore[attr-defined]

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Accepted for compatibility: the first call compiles.

        Args:
            args: Inputs as for ``construct``.
            kwargs: The same by name.
        """

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Call the cell as one compiled program, as under ``jit``."""
        return call_cell(self, args, kwargs)  # pyright: ignore[reportArgumentType]

    def get_func_graph_proto(self) -> NoReturn:
        """Raise: a graph of MindSpore's compiler; ``jax.make_jaxpr`` shows that of JAX.

        Raises:
            NotImplementedError: Always.
        """
        raise UnsupportedError("Cell.get_func_graph_proto: see jax.make_jaxpr for a graph of JAX.")


def check_shard(in_strategy: Any, out_strategy: Any) -> None:
    """Check the strategies that ``shard`` is given for a Cell or function."""
    check_one_kind("For 'Shard', the 'in_strategy'", in_strategy)
    if out_strategy is not None:
        check_one_kind("For 'Shard', the 'out_strategy'", out_strategy)


def plan_parameters(fn: Any, plan: Any) -> None:
    """Note where the parameters of a Cell are to stand.

    Args:
        fn: The Cell.
        plan: Name -> strategy; names that it does not have are left alone.

    Raises:
        TypeError: If ``fn`` is no Cell, or ``plan`` no dict of these.
        ValueError: If a strategy does not fit.
    """
    if plan is None:
        return
    if not isinstance(plan, dict) or not all(
        isinstance(name, str) and isinstance(strategy, (tuple, Layout))
        for name, strategy in plan.items()
    ):
        raise ArgumentTypeError(
            "For 'Shard', the 'parameter_plan' should be a dict of names with a tuple or Layout "
            f"each, or None, but got {plan!r}."
        )
    if not isinstance(fn, LayoutMixin):
        raise ArgumentTypeError(
            f"If parameter_plan is set, type of fn must be mindspore.nn.Cell, but got {type(fn)}"
        )
    found = {param.name: param for param in fn.get_parameters()}
    for name, strategy in plan.items():
        param = found.get(name.replace("self.", ""))
        if param is not None:
            plan_parameter(param, strategy)
