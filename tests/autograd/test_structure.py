"""The arrangement of gradients against a small independent model of MindSpore's rules."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import msgrad as ms
from msgrad import Parameter, Tensor

DTYPES = {"float16": ms.float16, "float32": ms.float32, "float64": ms.float64, "int32": ms.int32}
SHAPES = st.sampled_from([(), (1,), (2,), (2, 3), (0,), (1, 4)])


@st.composite
def calls(draw):
    """Draw the inputs (Tensors and others), the positions and the weights of one call."""
    shape = draw(SHAPES)
    count = draw(st.integers(1, 3))
    kinds = [
        draw(st.sampled_from(["tensor", "tensor", "tensor", "number", "none"]))
        for _ in range(count)
    ]
    dtypes = [draw(st.sampled_from(sorted(DTYPES))) for _ in range(count)]
    if draw(st.booleans()):
        position = draw(st.integers(0, count - 1))
    else:
        position = tuple(draw(st.permutations(range(count)))[: draw(st.integers(1, count))])
    form = draw(st.sampled_from(["none", "bare", "list", "tuple", "empty"]))
    if draw(st.booleans()) and form != "none":
        position = None
    return shape, kinds, dtypes, position, form


def model(kinds, dtypes, position, form, weights):
    """Give the expected nesting: a dtype name for each gradient, tuples around them."""
    names = [d if k == "tensor" else None for k, d in zip(kinds, dtypes, strict=True)]
    chosen = (position,) if isinstance(position, int) else position or ()
    found = [names[p].capitalize() for p in chosen if names[p] is not None]
    inputs = found[0] if len(found) == 1 else tuple(found)
    if form == "none":
        return inputs
    params = {
        "bare": "Float32",
        "list": ("Float32",) * len(weights),
        "tuple": ("Float32",) * len(weights),
        "empty": (),
    }[form]
    return params if position is None else (inputs, params)


def nesting(tree):
    return tuple(map(nesting, tree)) if isinstance(tree, tuple) else str(tree.dtype)


@settings(max_examples=60, deadline=None)
@given(calls())
def test_nesting_dtypes_and_shapes(call):
    shape, kinds, dtypes, position, form = call
    made = {
        "tensor": lambda d: Tensor(np.ones(shape), DTYPES[d]),
        "number": lambda d: 2.5,
        "none": lambda d: None,
    }
    inputs = [made[k](d) for k, d in zip(kinds, dtypes, strict=True)]
    params = [Parameter(Tensor(np.full(shape, v), ms.float32), name=f"p{v}") for v in (2.0, 3.0)]
    weights = {"none": None, "bare": params[0], "list": params, "tuple": tuple(params), "empty": []}

    def fn(*args):
        total = params[0] * params[1]
        for arg in args:
            total = total if arg is None else total * arg
        return total

    expected = model(kinds, dtypes, position, form, params)
    grads = ms.grad(fn, position, weights[form])(*inputs)
    assert nesting(grads) == expected
    value, same = ms.value_and_grad(fn, position, weights[form])(*inputs)
    assert nesting(same) == expected
    assert value.shape == shape
    for gradient in _leaves(grads):
        assert gradient.shape == shape


def _leaves(tree):
    if isinstance(tree, tuple):
        for item in tree:
            yield from _leaves(item)
    else:
        yield tree


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-2, 2, width=32), min_size=1, max_size=4), st.integers(1, 3))
def test_nested_gradients_of_a_power(values, order):
    fn = lambda x: (x * x * x * x).sum()
    for _ in range(order):
        fn = ms.grad(fn)
    factor, power = {1: (4, 3), 2: (12, 2), 3: (24, 1)}[order]
    x = np.array(values, np.float32)
    np.testing.assert_allclose(fn(Tensor(x)).asnumpy(), factor * x**power, rtol=1e-5, atol=1e-5)
