"""A hook registered after uses of its Tensor sees the whole gradient, as in MindSpore 2.10.

No parity cases: where operators run one by one, earlier uses do not count (``register_hook``).
"""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor


def scaled(factor, seen):
    def hook(gradient):
        seen.append(gradient.asnumpy().tolist())
        return gradient * factor

    return hook


def between_uses(x, seen):
    y = x * 2
    used = y * 3
    y.register_hook(scaled(2, seen))
    return (used + y * 5).sum()


def behind_all_uses(x, seen):
    y = x * 2
    result = (y * 3).sum()
    y.register_hook(scaled(2, seen))
    return result


def two_hooks(x, seen):
    y = x * 2
    first = y * 3
    y.register_hook(scaled(2, seen))
    second = y * 5
    y.register_hook(scaled(10, seen))
    return (first + second + y * 7).sum()


def removed(x, seen):
    y = x * 2
    first = y * 3
    handle = y.register_hook(scaled(2, seen))
    second = y * 5
    handle.remove()
    return (first + second + y * 7).sum()


def of_the_input(x, seen):
    used = x * 3
    x.register_hook(scaled(2, seen))
    return (used + x * 5).sum()


def of_an_element(x, seen):
    y = x * 2
    element = y[0]
    y.register_hook(scaled(2, seen))
    return element * 3 + y.sum()


def of_what_was_looked_at(x, seen):
    y = x * 2
    used = y * 3 if y.sum() > 0 else y
    y.register_hook(scaled(2, seen))
    return used.sum()


def of_two_results(x, seen):
    y = x * 2
    used = y * 3
    both = y * used
    y.register_hook(scaled(2, seen))
    used.register_hook(scaled(5, seen))
    return both.sum()


# For x = [1, 2]: the gradient, and what hooks see.
EXPECTED = [
    (between_uses, [32, 32], [[8, 8]]),
    (behind_all_uses, [12, 12], [[3, 3]]),
    (two_hooks, [600, 600], [[15, 15], [30, 30]]),
    (removed, [30, 30], []),
    (of_the_input, [16, 16], [[8, 8]]),
    (of_an_element, [16, 4], [[4, 1]]),
    (of_what_was_looked_at, [12, 12], [[3, 3]]),
    (of_two_results, [144, 288], [[2, 4], [36, 72]]),
]


@pytest.mark.parametrize(("function", "gradient", "told"), EXPECTED)
def test_earlier_uses_count(function, gradient, told):
    seen = []
    differentiated = ms.grad(lambda x: function(x, seen))
    for _ in range(2):
        seen.clear()
        assert differentiated(Tensor([1.0, 2.0])).asnumpy().tolist() == gradient
        assert seen == told


def test_earlier_uses_of_a_parameter_count():
    weight, seen = Parameter(Tensor([2.0, 3.0]), name="w"), []

    def function(x):
        used = weight * x
        weight.register_hook(scaled(2, seen))
        return (used + weight * 5).sum()

    gradients = ms.grad(function, 0, [weight])(Tensor([1.0, 2.0]))
    np.testing.assert_array_equal(gradients[0].asnumpy(), [2, 3])
    np.testing.assert_array_equal(gradients[1][0].asnumpy(), [12, 14])
    assert seen == [[6, 7]]


def test_earlier_uses_count_in_a_second_derivative():
    told = []

    def function(x):
        y = x * x
        result = y * y + y
        y.register_hook(lambda _: told.append("first"))
        y.register_hook(lambda _: told.append("second"))
        return result.sum()

    second = ms.grad(ms.grad(function))(Tensor([1.0, 2.0]))
    np.testing.assert_array_equal(second.asnumpy(), [14, 50])
    assert told == ["first", "second"] * 2
