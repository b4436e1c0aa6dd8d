"""What an optimizer's class declares: its numbers with their checks, and the slots of its rule."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from msgrad import Parameter, Tensor, nn
from msgrad.experimental import optim
from msgrad.nn._hyper import CHECKS
from msgrad.nn.optim._rule import Rule, Slot

FAMILIES = {"nn": (nn, nn.optim.__all__), "experimental": (optim, optim.__all__)}
CLASSES = {
    f"{family}.{name}": getattr(module, name)
    for family, (module, names) in FAMILIES.items()
    for name in names
    if getattr(getattr(module, name), "_rule", None) is not None
}
SCHEDULES = {name: getattr(nn, name) for name in nn.learning_rate_schedule.__all__}
LISTS = {name: getattr(nn, name) for name in nn.dynamic_lr.__all__}
LAYERS = {
    name: getattr(nn, name)
    for name in (*nn.layer.__all__, *nn.loss.__all__)
    if hasattr(getattr(nn, name), "__init__") and hasattr(getattr(nn, name).__init__, "declared")
}
# Where a constructor asks for them.
NEEDED = {
    "learning_rate": 0.1,
    "lr": 0.1,
    "momentum": 0.9,
    "decay_rate": 0.9,
    "end_learning_rate": 0.01,
    "min_lr": 0.01,
    "max_lr": 0.1,
    "power": 0.5,
    "decay_steps": 4,
    "warmup_steps": 4,
    "total_step": 4,
    "step_per_epoch": 2,
    "decay_epoch": 2,
    "warmup_epoch": 2,
    **dict.fromkeys(("in_channels", "out_channels", "kernel_size", "num_features"), 4),
    **dict.fromkeys(("vocab_size", "embedding_size", "field_size"), 4),
    **dict.fromkeys(("num_groups", "num_channels"), 4),
    **dict.fromkeys(("input_size", "hidden_size", "upscale_factor", "downscale_factor"), 2),
}


def params() -> list[Parameter]:
    return [Parameter(Tensor(np.ones((2, 3), np.float32)), name="w")]


def declared(kind) -> dict[str, inspect.Parameter]:
    made = kind.__init__ if isinstance(kind, type) else kind
    # Behind what the signature shows: the kinds.
    return dict(inspect.signature(inspect.unwrap(made)).parameters)


def given(kind) -> dict:
    parameters = declared(kind)
    needed = {n: NEEDED[n] for n, p in parameters.items() if p.default is p.empty and n in NEEDED}
    return {**needed, "params": params()} if "params" in parameters else needed


DECLARED = {
    f"{label}-{name}": (kind, name, str(parameter.annotation))
    for label, kind in {**CLASSES, **SCHEDULES, **LISTS, **LAYERS}.items()
    for name, parameter in declared(kind).items()
    if str(parameter.annotation) in CHECKS
}


@pytest.mark.parametrize(("kind", "name", "check"), DECLARED.values(), ids=DECLARED)
def test_what_is_declared_is_checked(kind, name, check) -> None:
    with pytest.raises(TypeError, match=name):
        kind(**{**given(kind), name: "a"})


def test_every_optimizer_and_every_check_is_looked_at() -> None:
    assert len(CLASSES) == 27
    assert {check for _, _, check in DECLARED.values()} == set(CHECKS)


def test_python_says_what_does_not_fit_a_signature() -> None:
    with pytest.raises(TypeError, match="required argument: 'params'"):
        nn.Adam()
    with pytest.raises(TypeError, match=r"RMSProp.__init__\(\) got an unexpected keyword"):
        nn.RMSProp(params(), foo=1)


def test_a_rule_has_only_the_slots_that_it_names() -> None:
    class Misspelt(nn.SGD):
        _rule = Rule(lambda own, grad, param, slots: (-grad, {"acum": grad}), (Slot("accum"),))

    with pytest.raises(KeyError, match="acum"):
        Misspelt(params())((Tensor(np.ones((2, 3), np.float32)),))


def test_an_option_that_is_set_later_counts() -> None:
    one, other = (nn.Adam(params(), 0.1) for _ in range(2))
    other.beta1 = 0.5
    gradients = [(Tensor(np.full((2, 3), k, np.float32)),) for k in (1.0, -2.0)]
    for each in gradients:
        one(each)
        other(each)
    moments = [optimizer.moment1[0].asnumpy()[0, 0] for optimizer in (one, other)]
    np.testing.assert_allclose(moments, [0.9 * 0.1 - 0.2, 0.5 * 0.5 - 1.0], rtol=1e-5)
