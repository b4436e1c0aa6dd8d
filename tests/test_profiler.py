"""Traces of ``mindspore.profiler``, and summaries for TensorBoard."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops, profiler
from msgrad.ops import summaries


def traces(folder) -> int:
    return len([*Path(folder).glob("plugins/profile/*/*.xplane.pb")])


def test_a_trace_is_written(tmp_path):
    tracer = ms.Profiler(output_path=str(tmp_path))
    ops.ones((2,)) + 1
    with pytest.raises(RuntimeError, match="already"):
        tracer.start()
    tracer.add_metadata("run", "1")
    tracer.analyse()
    assert traces(tmp_path) == 1
    assert (tmp_path / "profiler_metadata.json").read_text() == '{"run": "1"}'
    with pytest.raises(RuntimeError, match="not started"):
        tracer.stop()


def test_steps_of_a_schedule_are_traced(tmp_path):
    rule = profiler.schedule(wait=1, warmup=1, active=2, repeat=1, skip_first=1)
    assert [rule(step).value for step in range(8)] == [0, 0, 1, 2, 3, 0, 0, 0]
    assert profiler.schedule(wait=-1, active=0).to_dict()["active"] == 1
    ready = profiler.tensorboard_trace_handler(str(tmp_path))
    once = profiler.schedule(wait=1, active=1, repeat=1)
    with profiler.profile(schedule=once, on_trace_ready=ready) as tracer:
        for _ in range(4):
            number = profiler.mstx.range_start("step")
            profiler.mstx.range_end(number)
            tracer.step()
    assert traces(tmp_path) == 1


class Net(nn.Cell):
    """Keeps the mean of what it computes."""

    def __init__(self):
        super().__init__()
        self.dense, self.scalar = nn.Dense(2, 1), ops.ScalarSummary()

    def construct(self, x):
        y = self.dense(x)
        self.scalar("mean", y.mean())
        self.scalar("many", y)
        return y


@pytest.mark.parametrize("way", ["eager", "graph", "gradient"])
def test_a_summary_keeps_the_value(way):
    net, x = Net(), ops.ones((2, 2))
    summaries.take()
    if way == "gradient":
        ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())(x)
        want = net.dense(x).mean()
    else:
        ms.set_context(mode=ms.GRAPH_MODE if way == "graph" else ms.PYNATIVE_MODE)
        want = net(x).mean()
    kept = summaries.take()
    assert list(kept) == [("scalar", "mean")]
    np.testing.assert_allclose(kept["scalar", "mean"], want.asnumpy(), rtol=1e-6)


def test_without_a_writer_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(NotImplementedError, match="tensorboardX"):
        ms.SummaryRecord(str(tmp_path))
    with pytest.raises(ValueError, match="collect_freq"):
        ms.SummaryCollector(str(tmp_path), 0)


class _Writer:
    """What ``SummaryRecord`` asks of tensorboardX, written down."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        return lambda *args: self.calls.append((name, *args))

    def given(self, folder, filename_suffix):
        self.folder = folder
        return self


def test_what_a_record_writes(tmp_path, monkeypatch):
    made = _Writer()
    monkeypatch.setitem(sys.modules, "tensorboardX", SimpleNamespace(SummaryWriter=made.given))
    summaries.take()
    with ms.SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "loss", Tensor(1.5))
        record.add_value("histogram", "w", Tensor([1.0, 2.0]))
        assert record.record(3)
        record.set_mode("eval")
        record.add_value("scalar", "acc", Tensor(0.5))
        record.record(4)
        for error, args in (
            (ValueError, ("bad", "x", Tensor(1.0))),
            (TypeError, ("scalar", "x", 1.0)),
            (ValueError, ("scalar", "x", Tensor([1.0, 2.0]))),
        ):
            with pytest.raises(error):
                record.add_value(*args)
    assert not record.record(5)
    names = [(call[0], call[1]) for call in made.calls if call[0] != "close"]
    assert names == [("add_scalar", "loss"), ("add_histogram", "w"), ("add_scalar", "eval/acc")]


def test_files_for_tensorboard(tmp_path):
    with ms.SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "loss", Tensor(1.5))
        record.record(1)
    assert [*tmp_path.glob("events.*_MS")]


def test_a_record_stays_in_its_folder(tmp_path, monkeypatch):
    made = _Writer()
    monkeypatch.setitem(sys.modules, "tensorboardX", SimpleNamespace(SummaryWriter=made.given))
    monkeypatch.chdir(tmp_path)
    ms.SummaryRecord("./there/../here").close()
    assert made.folder == str(tmp_path.resolve() / "here")


def test_a_collector_in_training(tmp_path, monkeypatch):
    made = _Writer()
    monkeypatch.setitem(sys.modules, "tensorboardX", SimpleNamespace(SummaryWriter=made.given))
    net = nn.Dense(2, 1)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    rows = [(np.ones(2, np.float32), np.ones(1, np.float32))] * 4
    data = ms.dataset.GeneratorDataset(rows, ["x", "y"], shuffle=False).batch(2)
    collector = ms.SummaryCollector(
        str(tmp_path), 2, collect_specified_data={"collect_metric": True}
    )
    model.train(2, data, [collector], dataset_sink_mode=False)
    written = [(call[1], call[3]) for call in made.calls if call[0] == "add_scalar"]
    assert written == [("loss/auto", 1), ("loss/auto", 3)]
    assert {call[0] for call in made.calls} == {"add_scalar", "add_histogram", "close"}
