"""Every workload gives the same losses in msgrad and by hand, and the command runs; no times."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.benchmarks import __main__ as command
from tests.benchmarks import first, lengths, report
from tests.benchmarks.engines import ENGINES, MINDSPORE, PYTORCH
from tests.benchmarks.timing import Result
from tests.benchmarks.worker import Worker
from tests.benchmarks.workloads import WORKLOADS

# What takes long to compile, made smaller; the code is the same.
_ONE_LAYER = {"words": 256, "width": 128, "heads": 4, "tokens": 64, "depth": 1}
_SMALL = {
    "transformer": _ONE_LAYER,
    "forward": _ONE_LAYER,
    "resnet": {"widths": (64, 64, 128)},
    "separable": {"widths": (8, 16, 16)},
    "many": {"depth": 10, "width": 8},
}


@pytest.mark.parametrize("name", WORKLOADS)
def test_losses_agree(name):
    workload = WORKLOADS[name]
    workload = replace(workload, options=_SMALL.get(name, workload.options))
    ours = ENGINES["eager"].make(workload)
    by_hand = ENGINES["hand_jit"].make(workload)
    for _ in range(2):
        assert float(ours()) == pytest.approx(float(by_hand()), rel=1e-4)


def test_command_runs_every_engine_and_writes_the_readme(monkeypatch, tmp_path, capsys):
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- benchmarks: begin -->\nold\n<!-- benchmarks: end -->\nafter\n")
    monkeypatch.setattr(report, "README", readme)
    for variable in (MINDSPORE, PYTORCH):
        monkeypatch.delenv(variable, raising=False)
    arguments = ["benchmarks", "mlp", "--rounds", "1", "--first", "0", "--write-readme"]
    monkeypatch.setattr("sys.argv", arguments)
    command.main()
    shown = capsys.readouterr().out
    for engine in ENGINES.values():
        assert (engine.title in shown) is (engine.python is None)
    written = readme.read_text()
    assert written.startswith("before\n") and written.endswith("after\n")
    assert "MLP 8-16-16-4" in written and "old" not in written


def test_command_for_first_steps_writes_the_readme(monkeypatch, tmp_path, capsys):
    readme = tmp_path / "README.md"
    readme.write_text("<!-- first seconds: begin -->\nbefore\n<!-- first seconds: end -->\n")
    steps = {"pynative": (2.0, 5.0), "cold": (3.0, 5.00001), "again": (1.0, 5.00001)}
    monkeypatch.setattr(first, "_step", lambda workload, kind, cache: (*steps[kind], "2.10.0"))
    monkeypatch.setenv("MSGRAD_ORACLE_PYTHON", "python")
    monkeypatch.setattr("sys.argv", ["first", "lenet", "--times", "1", "--write-readme"])
    first.main(readme)
    assert "lenet: pynative 2.00, cold 3.00, again 1.00 s" in capsys.readouterr().out
    written = readme.read_text()
    assert "LeNet" in written and "MindSpore 2.10.0" in written and "before" not in written
    steps["again"] = (1.0, 5.00002)
    with pytest.raises(AssertionError, match="lenet: "):
        first.main(readme)


@pytest.mark.parametrize(
    ("cold", "again", "misses"), [(0.9, 0.3, 0), (1.9, 1.0, 0), (2.1, 1.1, 2), (0.9, 1.1, 1)]
)
def test_targets_of_a_first_step(cold, again, misses):
    seconds = {"pynative": 1.0, "cold": cold, "again": again}
    shown = first.text({"lenet": seconds}, "a machine", 1)
    assert shown.split("The first step")[0].count("!") == misses


def test_worker_answers():
    worker = Worker("jit")
    seconds, memory = worker.ask("first", "mlp")
    assert seconds > 0 and memory >= 0
    assert worker.ask("losses", "mlp", 1)[0] < 1
    assert worker.ask("first_step", "lenet")[1] == pytest.approx(2.3, abs=0.2)
    worker.close()


@pytest.mark.parametrize("engine", ["eager", "graph_mode"])
def test_texts_of_many_lengths(engine):
    alone = lengths.run(engine, 1, 2)
    both = lengths.run(engine, 3, 2)
    assert both["processor"] > 0 and 4 < both["loss"] < 7 and both["loss"] != alone["loss"]


def test_worker_that_ends_says_so():
    worker = Worker("jit")
    with pytest.raises(RuntimeError, match="ended with code 1"):
        worker.ask("losses", "no such workload", 1)
    worker.close()


@pytest.mark.parametrize(
    ("hand", "ours", "met"), [(1e-3, 1.03e-3, True), (1e-3, 1.1e-3, False), (1e-5, 2.9e-5, True)]
)
def test_target_of_a_compiled_step(hand, ours, met):
    result = Result("mlp", {"hand_jit": hand, "jit": ours})
    ratio = report.RATIOS[0]
    assert ratio.met(ratio.value(result) or 0, WORKLOADS["mlp"], result) is met
    assert ("!" in report.text([result], "a machine", 1).split("Targets")[0]) is not met
