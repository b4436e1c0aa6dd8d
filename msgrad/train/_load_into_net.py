"""``load_param_into_net``: which loaded value goes to which parameter; files are not read here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgrad import log
from msgrad._core.bridge import unwrap, wrap
from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell
from msgrad.train._checkpoint_arguments import check_instance

# A loaded value is converted within a family; across families, or with strict_load, it is not.
_FAMILIES = (
    {mstype.float16, mstype.float32, mstype.float64, mstype.bfloat16},
    set(mstype.int_type),
)


def load_param_into_net(
    net: Cell,
    parameter_dict: Mapping[str, Any],
    strict_load: bool = False,
    remove_redundancy: bool = False,
) -> tuple[list[str], list[str]]:
    """Return the parameters of a Cell (a network, an optimizer, a training cell) loaded values.

    Names are ``Parameter.name``. Names that find no entry are tried with a prefix: whatever stands
    before the name in an entry that ends with it. Everything is checked before anything is written.

    Args:
        net: The Cell.
        parameter_dict: What ``load_checkpoint`` gave; strings in it are passed over.
        strict_load: Whether dtypes must be equal (else float types and int types are converted
            among themselves) and prefixes are not tried.
        remove_redundancy: For checkpoints of parallel training; must be False.

    Returns:
        The parameters' names that have no entry, and the entries' names that gave no parameter its
        value (those that were loaded without their prefix are among them).

    Raises:
        TypeError: For arguments or entries of other types, or with ``remove_redundancy``.
        ValueError: If ``remove_redundancy`` is not a bool.
        RuntimeError: For shapes that differ, or dtypes that are not converted; ``net`` is
            unchanged.

    Differs from MindSpore: after an error MindSpore leaves the net half loaded; and a loaded value
    with further sizes of 1 at the end of its shape takes the parameter's shape, not the reverse.
    """
    _check_arguments(net, parameter_dict, strict_load, remove_redundancy)
    plan: list[tuple[Parameter, Tensor]] = []
    absent: list[Parameter] = []
    for param in net.get_parameters():
        value = parameter_dict.get(param.name)
        if isinstance(value, Parameter):
            plan.append((param, _converted(param, value, strict_load)))
        elif value is None:
            absent.append(param)
    used = {param.name for param, _ in plan}
    if not strict_load:
        absent = _plan_without_prefix(plan, absent, parameter_dict)
    for param, value in plan:
        param.set_data(value)
    names = [param.name for param in absent]
    if names:
        log.warning(
            "For 'load_param_into_net', %d parameters in the 'net' are not loaded, because they "
            "are not in the 'parameter_dict', please check whether the network structure is "
            "consistent when training and loading checkpoint.",
            len(names),
        )
        log.warning("%s are not loaded.", names)
    return names, [name for name in parameter_dict if name not in used]


def _plan_without_prefix(
    plan: list[tuple[Parameter, Tensor]],
    absent: list[Parameter],
    loaded: Mapping[str, Any],
    strict: bool = False,
) -> list[Parameter]:
    """Add to the plan what is found under a prefix; returns the parameters that remain absent."""
    first, tried = _prefixes({param.name for param in absent}, loaded), set()
    while True:
        candidates = (first[param.name] for param in absent if param.name in first)
        prefix = next((prefix for prefix in candidates if prefix not in tried), None)
        if prefix is None:
            return absent
        tried.add(prefix)
        log.warning(
            "For 'load_param_into_net', remove parameter prefix name: %s, continue to load.", prefix
        )
        remaining = []
        for param in absent:
            value = loaded.get(prefix + param.name)
            if isinstance(value, Parameter):
                plan.append((param, _converted(param, value, strict)))
            else:
                remaining.append(param)
        absent = remaining


def _load_dismatch_prefix_params(
    net: Cell, parameter_dict: Mapping[str, Any], param_not_load: list[str], strict_load: bool
) -> None:
    """Load what is found under a prefix, and take its names out of ``param_not_load``."""
    wanted = set(param_not_load)
    absent = [param for param in net.get_parameters() if param.name in wanted]
    plan: list[tuple[Parameter, Tensor]] = []
    _plan_without_prefix(plan, absent, parameter_dict, strict_load)
    for param, value in plan:
        param.set_data(value)
        param_not_load.remove(param.name)


def _prefixes(names: set[str], loaded: Iterable[str]) -> dict[str, str]:
    """Return, by name, what stands before it in the first entry that ends with it."""
    first: dict[str, str] = {}
    # Looked up by length, since names times entries may be too many.
    lengths = {len(name) for name in names}
    for entry in loaded:
        for length in lengths:
            name = entry[-length:]
            if name in names:
                first.setdefault(name, entry.removesuffix(name))
    return first


def _converted(param: Parameter, loaded: Parameter, strict: bool) -> Tensor:
    """Return a value in the parameter's shape and dtype, or raise ``RuntimeError``.

    Where it has both already it is the loaded one itself, with which the parameter then shares.
    """
    value, shape, name = unwrap(loaded), param.shape, param.name
    fits = value.shape[: len(shape)] == shape and all(n == 1 for n in value.shape[len(shape) :])
    if not fits:
        raise EngineError(
            f"For 'load_param_into_net', {name} in the argument 'net' should have the same shape "
            f"as {name} in the argument 'parameter_dict'. But got its shape {shape} in the "
            f"argument 'net' and shape {value.shape} in the argument 'parameter_dict'. Check that "
            "the checkpoint belongs to this network; nothing has been loaded."
        )
    kinds = {param.dtype, loaded.dtype}
    if len(kinds) > 1 and (strict or not any(kinds <= family for family in _FAMILIES)):
        raise EngineError(
            f"For 'load_param_into_net', {name} in the argument 'net' should have the same type "
            f"as {name} in the argument 'parameter_dict'. but got its type {param.dtype} in the "
            f"argument 'net' and type {loaded.dtype} in the argument 'parameter_dict'. Convert it "
            "first with Parameter(value.astype(...)); nothing has been loaded."
        )
    if value.shape == shape and len(kinds) == 1:
        return loaded
    return wrap(value.astype(param.dtype.np_dtype).reshape(shape))


def _check_arguments(net: Any, loaded: Any, strict: Any, remove_redundancy: Any) -> None:
    if not isinstance(net, Cell):
        raise ArgumentTypeError(
            f"For 'load_param_into_net', the argument 'net' should be a Cell, but got {type(net)}."
        )
    if not isinstance(loaded, Mapping):
        raise ArgumentTypeError(
            "For 'load_param_into_net', the argument 'parameter_dict' should be a dict, but got "
            f"{type(loaded)}."
        )
    if not isinstance(strict, bool):
        raise ArgumentTypeError(
            f"The input value must be a bool, but got {type(strict).__name__} for 'strict_load'."
        )
    check_instance("remove_redundancy", remove_redundancy, bool)
    if remove_redundancy:
        raise ArgumentTypeError(
            "The deduplication feature for loading checkpoint can only be used in parallel "
            "scenarios, but got stand_alone."
        )
    for name, value in loaded.items():
        if not isinstance(name, str) or not isinstance(value, (Parameter, str)):
            raise ArgumentTypeError(
                "For 'parameter_dict', the element in the argument 'parameter_dict' should be a "
                f"'str' and 'Parameter' , but got {type(name)} and {type(value)}."
            )
