"""Record MindSpore's initial values into initializers.json; run it with a Python that has it.

Each case holds the expression, the shape, NumPy's seed, the first values, a SHA-256 of all bytes,
and the number NumPy's generator gives next.
"""

from __future__ import annotations

import hashlib
import json
import pathlib

import mindspore as ms
import numpy as np
from mindspore.common import initializer as init

CASES = (
    ("Normal()", (5,), 0),
    ("Normal()", (), 3),
    ("Normal(1.0)", (1000, 1000), 1),
    ("Normal(0.02, 1.5)", (64, 3, 7, 7), 2),
    ("Uniform()", (17,), 0),
    ("Uniform(1.0)", (1000, 1000), 1),
    ("Uniform(-0.3)", (8, 8), 2),
    ("TruncatedNormal()", (300, 20), 0),
    ("TruncatedNormal(1.0)", (1000, 1000), 1),
    ("TruncatedNormal(0.5, 0.3, -1.0, 0.8)", (3, 5), 2),
    ("TruncatedNormal(1.0, 0.0, -300.0, -299.0)", (3,), 3),
    ("TruncatedNormal(0.01, 0.0, 2.0, 3.0)", (3,), 4),
    ("XavierUniform()", (8, 3, 3, 3), 0),
    ("XavierUniform(2.0)", (128, 64), 1),
    ("XavierNormal()", (8, 3, 3, 3), 0),
    ("XavierNormal(0.5)", (128, 64), 1),
    ("HeUniform()", (128, 64), 0),
    ("HeUniform(5**0.5)", (10, 84), 1),
    ("HeUniform(mode='fan_out', nonlinearity='tanh')", (8, 3, 5), 2),
    ("HeNormal()", (64, 3, 7, 7), 0),
    ("HeNormal(0.2, 'fan_out')", (12, 6), 1),
    ("HeNormal(nonlinearity='relu')", (12, 6, 2), 2),
    ("VarianceScaling()", (9, 5), 0),
    ("VarianceScaling(2.0, 'fan_avg', 'untruncated_normal')", (9, 5), 1),
    ("VarianceScaling(2.0, 'fan_out', 'uniform')", (9, 5, 2), 2),
    ("Orthogonal()", (4, 7), 0),
    ("Orthogonal(1.5)", (7, 2, 2), 1),
    ("Sparse(0.3)", (10, 4), 0),
    ("Sparse(0.05, 2.0)", (30, 20), 1),
    ("Identity()", (3, 5), 0),
    ("Dirac()", (4, 3, 4, 5), 0),
    ("Dirac(2)", (4, 3, 2, 4, 5), 0),
    ("Constant(2.5)", (2, 2), 0),
    ("Zero()", (3,), 0),
    ("One()", (3,), 0),
)


def record(text: str, shape: tuple[int, ...], seed: int) -> dict:
    np.random.seed(seed)
    made = init.initializer(eval(text, vars(init)), shape, ms.float32)
    array = made.init_data().asnumpy()
    return {
        "init": text,
        "shape": list(shape),
        "seed": seed,
        "first": array.ravel()[:8].tolist(),
        "sha256": hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest(),
        "numpy_next": np.random.rand(),
    }


def main() -> None:
    target = pathlib.Path(__file__).parent / "initializers.json"
    target.write_text(json.dumps([record(*case) for case in CASES], indent=1) + "\n")


if __name__ == "__main__":
    main()
