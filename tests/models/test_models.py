"""Five models trained from MindSpore's checkpoints: MindSpore's losses, and its state at the end.

``python -m tests.models.record`` (with MindSpore) records what is compared here. Measured on a
CPU, the losses differ by 2e-6 at most: float32 rounding, amplified by 20 steps.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import msgrad as ms

GOLDEN = Path(__file__).resolve().parent / "golden"
RECORDED = json.loads((GOLDEN / "losses.json").read_text())
NAMES = ["lenet", "lstm", "gan", "vae", "transformer"]
ORACLE = os.environ.get("MSGRAD_ORACLE_PYTHON")
LOSS_TOLERANCE = 1e-4
# Of the largest entry of a parameter or moment; moments are gradients, with their cancellation.
STATE_TOLERANCE = 3e-4


@pytest.fixture
def models() -> ModuleType:
    """The programs, whose ``import mindspore`` is msgrad."""
    ms.install()
    return importlib.import_module("tests.models.models")


def from_golden(models: ModuleType, name: str):
    program = models.PROGRAMS[name]()
    assert ms.load_checkpoint(str(GOLDEN / f"{name}.ckpt"), program.network)
    return program


@pytest.mark.parametrize("name", NAMES)
def test_losses_and_trained_checkpoint_are_mindspores(models, name, tmp_path):
    program = from_golden(models, name)
    losses = models.train(program)
    np.testing.assert_allclose(losses, RECORDED[name]["losses"], rtol=LOSS_TOLERANCE)
    ms.save_checkpoint(program.state, str(tmp_path / "trained"))
    ours = ms.load_checkpoint(str(tmp_path / "trained.ckpt"))
    theirs = ms.load_checkpoint(str(GOLDEN / f"{name}_trained.ckpt"))
    assert [(k, p.dtype, p.shape) for k, p in ours.items()] == [
        (k, p.dtype, p.shape) for k, p in theirs.items()
    ]
    for key, expected in theirs.items():
        scale = np.abs(expected.asnumpy()).max(initial=0)
        np.testing.assert_allclose(
            ours[key].asnumpy(), expected.asnumpy(), 0, STATE_TOLERANCE * scale, err_msg=key
        )


@pytest.mark.parametrize("name", NAMES)
def test_training_goes_on_from_mindspores_state(models, name):
    losses = models.resume(name, GOLDEN / f"{name}_trained.ckpt")
    np.testing.assert_allclose(losses, RECORDED[name]["resumed"], rtol=LOSS_TOLERANCE)


@pytest.mark.parametrize("name", ["lenet", "gan", "transformer"])
def test_compiled_step_has_the_same_losses(models, name):
    program = from_golden(models, name)
    traces = []

    @ms.jit
    def step(*batch):
        traces.append(name)
        return program.step(*batch)

    losses = models.train(program._replace(step=step))
    np.testing.assert_allclose(losses, RECORDED[name]["losses"], rtol=LOSS_TOLERANCE)
    assert len(traces) <= 2


def test_first_call_tells_parameters_of_one_name_apart():
    cell = ms.nn.Cell(auto_prefix=False)
    cell.first, cell.second = ms.nn.Dense(2, 2), ms.nn.Dense(2, 2)
    cell.construct = lambda x: cell.second(cell.first(x))
    assert [p.name for p in cell.get_parameters()] == ["weight", "bias"] * 2
    cell(ms.ops.ones((1, 2)))
    assert [p.name for p in cell.get_parameters()] == [
        "first.weight",
        "first.bias",
        "second.weight",
        "second.bias",
    ]


def test_stored_digits_are_those_of_scikit_learn():
    datasets = pytest.importorskip("sklearn.datasets")
    with np.load(GOLDEN / "digits.npz") as stored:
        images, labels = stored["images"], stored["labels"]
    digits = datasets.load_digits()
    assert (images == digits.images[: len(images)]).all()
    assert (labels == digits.target[: len(labels)]).all()


@pytest.mark.oracle
@pytest.mark.skipif(not ORACLE, reason="MSGRAD_ORACLE_PYTHON names no interpreter")
@pytest.mark.parametrize("name", NAMES)
def test_mindspore_goes_on_from_our_state(models, name, tmp_path):
    program = from_golden(models, name)
    models.train(program)
    ms.save_checkpoint(program.state, str(tmp_path / "trained"))
    output = subprocess.run(
        [
            str(ORACLE),
            "-m",
            "tests.models.record",
            "--resume",
            name,
            str(tmp_path / "trained.ckpt"),
        ],
        cwd=GOLDEN.parents[2],
        env=os.environ | {"GLOG_v": "3"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout
    losses = json.loads(output.splitlines()[-1])
    np.testing.assert_allclose(losses, RECORDED[name]["resumed"], rtol=LOSS_TOLERANCE)
