"""Initial values against MindSpore's (golden/record_initializers.py), and the errors."""

from __future__ import annotations

import hashlib
import json
import pathlib

import numpy as np
import pytest

from msgrad.common import dtype as mstype
from msgrad.common import initializer as init
from msgrad.common.initializer import Initializer, initializer
from msgrad.common.tensor import Tensor

CASES = json.loads((pathlib.Path(__file__).parent / "golden" / "initializers.json").read_text())
# QR runs in LAPACK, whose last bits differ between builds: some float32 eps.
ROUNDING = 1e-5


@pytest.mark.parametrize("case", CASES, ids=[case["init"] for case in CASES])
def test_recorded_values(case):
    np.random.seed(case["seed"])
    made = eval(case["init"], vars(init)).generate(tuple(case["shape"]), np.float32)
    assert made.dtype == np.float32
    assert made.shape == tuple(case["shape"])
    assert np.random.rand() == case["numpy_next"]
    first = np.array(case["first"], np.float32)
    if case["init"].startswith("Orthogonal"):
        np.testing.assert_allclose(made.ravel()[:8], first, atol=ROUNDING, rtol=0)
    else:
        np.testing.assert_array_equal(made.ravel()[:8], first)
        assert hashlib.sha256(made.tobytes()).hexdigest() == case["sha256"]


@pytest.mark.parametrize("case", CASES[:12:3], ids=[case["init"] for case in CASES[:12:3]])
def test_through_a_tensor(case):
    np.random.seed(case["seed"])
    lazy = initializer(eval(case["init"], vars(init)), case["shape"])
    made = lazy.init_data()
    assert (made.shape, made.dtype) == (tuple(case["shape"]), mstype.float32)
    assert hashlib.sha256(np.asarray(made.asnumpy()).tobytes()).hexdigest() == case["sha256"]


# As MindSpore prints them: half a unit of the last digit printed is the tolerance.
@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (mstype.float16, [0.00653, 0.01509]),
        (mstype.bfloat16, [0.006531, 0.015076]),
        (mstype.int32, [0, 0]),
        (mstype.float64, [np.float32(0.0065303706), np.float32(0.015091925)]),
    ],
)
def test_other_dtypes(dtype, expected):
    np.random.seed(1)
    made = initializer("normal", (2,), dtype).init_data()
    assert made.dtype is dtype
    np.testing.assert_allclose(made.asnumpy().astype(np.float64), expected, atol=5e-6)


NAMES = {
    "zero": init.Zero,
    "zeros": init.Zero,
    "one": init.One,
    "ones": init.One,
    "xaviernormal": init.XavierNormal,
    "xavier_normal": init.XavierNormal,
    "xavieruniform": init.XavierUniform,
    "xavier_uniform": init.XavierUniform,
    "heuniform": init.HeUniform,
    "he_uniform": init.HeUniform,
    "henormal": init.HeNormal,
    "he_normal": init.HeNormal,
    "identity": init.Identity,
    "sparse": init.Sparse,
    "dirac": init.Dirac,
    "orthogonal": init.Orthogonal,
    "variancescaling": init.VarianceScaling,
    "uniform": init.Uniform,
    "normal": init.Normal,
    "truncatednormal": init.TruncatedNormal,
}


def test_names():
    assert init._INITIALIZER_ALIAS == NAMES


@pytest.mark.parametrize("name", ["Normal", "XavierUniform", "ZEROS", "truncatedNormal"])
def test_names_in_any_case(name):
    assert initializer(name, (2, 2)).shape == (2, 2)


@pytest.mark.parametrize(("value", "stored"), [(3, 3.0), (2.5, 2.5), (True, 1.0), (np.int8(4), 4)])
def test_a_number(value, stored):
    np.testing.assert_array_equal(initializer(value, (2,)).init_data().asnumpy(), [stored, stored])


def test_constant_takes_an_array_of_one():
    np.testing.assert_array_equal(init.Constant(np.ones(1)).generate((2,), np.float32), [1, 1])
    np.testing.assert_array_equal(init.Constant(Tensor([1.5])).generate((1,), np.float32), [1.5])
    np.testing.assert_array_equal(init.Constant(-1).generate((2,), np.uint8), [255, 255])
    with pytest.raises(ValueError, match="must be one number"):
        init.Constant([1, 2]).generate((2,), np.float32)


def test_a_tensor_is_returned_as_it_is():
    tensor = Tensor([1.0, 2.0])
    assert initializer(tensor, (2,)) is tensor
    assert initializer(tensor, [2], mstype.float16) is tensor
    with pytest.raises(ValueError, match="should be same as the argument 'shape'"):
        initializer(tensor, (3,))
    with pytest.raises(ValueError, match="should be same as the argument 'shape'"):
        initializer(tensor)


@pytest.mark.parametrize(
    ("shape", "stored"), [(5, (5,)), ((), ()), ([2, 3], (2, 3)), ((2, True), (2, 1))]
)
def test_shapes(shape, stored):
    assert initializer("ones", shape).shape == stored


@pytest.mark.parametrize("shape", [[0], [-1], [2.5], [2, "a"], "ab", np.array([2, 3])])
def test_bad_shapes(shape):
    with pytest.raises(ValueError, match=r"must be (positive integer|an int, tuple or list)"):
        initializer("normal", shape)


@pytest.mark.parametrize("given", [None, [1, 2], init.Normal, np.ones(2)])
def test_bad_init(given):
    with pytest.raises(TypeError, match="should be 'Tensor', 'number', 'string' or 'initializer'"):
        initializer(given, (2,))


def test_unknown_name():
    with pytest.raises(ValueError, match="the class corresponding to 'bad' was not found"):
        initializer("bad", (2,))
    with pytest.raises(ValueError, match="the class corresponding to 'constant' was not found"):
        initializer("constant", (2,))


def test_missing_shape():
    with pytest.raises(AttributeError, match="'shape' must be given"):
        initializer("normal")


def test_dtype_must_be_a_dtype():
    with pytest.raises(TypeError):
        initializer("normal", (2,), "float32")


@pytest.mark.parametrize(
    ("text", "shape", "message"),
    [
        ("XavierUniform()", (2,), "fewer than 2 dimensions"),
        ("HeNormal()", (), "fewer than 2 dimensions"),
        ("VarianceScaling()", (2,), "fewer than 2 dimensions"),
        ("Orthogonal()", (2,), "should be no less than 2"),
        ("Identity()", (2, 2, 2), "should be 2, but got 3"),
        ("Sparse(0.3)", (2,), "should be 2, but got 1"),
        ("Dirac()", (2, 2), "should be 3, 4 or 5"),
        ("Dirac(3)", (4, 2, 3), "divisible by groups"),
        ("HeUniform(mode='x')", (2, 2), "'mode' x not supported"),
        ("HeUniform(nonlinearity='x')", (2, 2), "the argument 'nonlinearity'"),
        ("HeUniform(negative_slope='a')", (2, 2), "is not a valid number"),
        ("HeUniform(negative_slope=True)", (2, 2), "is not a valid number"),
        ("VarianceScaling(scale=-1)", (2, 2), "must be greater than 0"),
        ("VarianceScaling(mode='x')", (2, 2), "'mode' must be"),
        ("VarianceScaling(distribution='x')", (2, 2), "'distribution' must be"),
        ("Normal(-1.0)", (2, 2), "sigma < 0"),
        ("TruncatedNormal(-1.0)", (2, 2), "sigma < 0"),
    ],
)
def test_values_that_cannot_be(text, shape, message):
    with pytest.raises(ValueError, match=message):
        eval(text, vars(init)).generate(shape, np.float32)


def test_truncated_normal_without_spread():
    with pytest.raises(RuntimeError, match="invalid sigma"):
        init.TruncatedNormal(0.0).generate((2,), np.float32)


def test_fans_and_gains():
    assert init._calculate_fan_in_and_fan_out((8, 3, 2, 2)) == (12, 32)
    assert init._calculate_correct_fan((8, 3), "FAN_OUT") == 8
    assert init._calculate_gain("leaky_relu") == 1.4141428569978354
    assert init._calculate_gain("leaky_relu", 0.5) == 1.2649110640673518
    assert init._calculate_gain("tanh") == 1.6666666666666667
    assert init._calculate_gain("conv2d") == 1


class _Ramp(Initializer):
    def __init__(self, step):
        super().__init__(step=step)
        self.step = step

    def _initialize(self, arr):
        init._assignment(arr, np.arange(arr.size).reshape(arr.shape) * self.step)


def test_a_users_initializer():
    made = initializer(_Ramp(0.5), (2, 2), mstype.float16).init_data()
    np.testing.assert_array_equal(made.asnumpy(), np.array([[0, 0.5], [1, 1.5]], np.float16))
    array = np.zeros((2, 2))
    assert _Ramp(2)(array) is None
    np.testing.assert_array_equal(array, [[0, 2], [4, 6]])


def test_a_users_initializer_by_name(monkeypatch):
    monkeypatch.setattr(init, "_INITIALIZER_ALIAS", dict(init._INITIALIZER_ALIAS))

    @init._register("my_alias")
    class Mine(Initializer):
        def _initialize(self, arr):
            arr[...] = 9

    for name in ("my_alias", "mine", "Mine"):
        assert initializer(name, (1,)).init_data().asnumpy() == 9


def test_an_initializer_without_a_rule():
    with pytest.raises(NotImplementedError, match="_initialize"):
        Initializer().generate((2,), np.float32)
