"""``set_context`` and its relatives: what they keep, and what they refuse, as MindSpore does."""

from __future__ import annotations

import pytest

import msgrad as ms


def test_mode():
    assert ms.get_context("mode") == ms.PYNATIVE_MODE == 1
    assert ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU") is None
    assert ms.get_context("mode") == ms.GRAPH_MODE == 0
    assert ms.context.get_context("mode") == 0
    assert ms.get_context("device_target") == "CPU"


REFUSED = [
    (lambda: ms.set_context(0), TypeError, "positional"),
    (lambda: ms.set_context(mode=2), ValueError, r"should be context.GRAPH_MODE \(0\)"),
    (lambda: ms.set_context(mode="a"), TypeError, "The parameter 'mode' must be"),
    (lambda: ms.set_context(foo=2), ValueError, "keyword argument foo is not recognized!"),
    (lambda: ms.get_context("foo"), ValueError, "the argument foo is not recognized!"),
    (lambda: ms.get_context(3), TypeError, "must be <class 'str'>"),
    (lambda: ms.set_context(device_target="Ascend"), RuntimeError, "Unsupported device target"),
    (lambda: ms.set_context(device_target="XPU"), ValueError, "must be one of"),
    (lambda: ms.set_context(device_target=3), TypeError, "The parameter 'device_target'"),
    (lambda: ms.set_context(device_id="0"), TypeError, "The parameter 'device_id'"),
    (lambda: ms.set_context(save_graphs=9), ValueError, "value for save_graphs should be 0-3"),
    (lambda: ms.set_context(max_call_depth=-1), ValueError, "must be greater than 0"),
    (lambda: ms.set_context(pynative_synchronize=1), TypeError, "'pynative_synchronize' must be"),
    (lambda: ms.set_context(deterministic="x"), ValueError, r"one of \['ON', 'OFF'\]"),
    (lambda: ms.set_device("foo"), ValueError, "must be one of"),
    (lambda: ms.set_auto_parallel_context(parallel_mode="bad"), ValueError, "got the value : bad"),
    (lambda: ms.set_auto_parallel_context(foo=1), ValueError, "keyword foo is not recognized!"),
    (lambda: ms.set_auto_parallel_context(gradients_mean=1), TypeError, "'gradients_mean' must"),
    (lambda: ms.get_auto_parallel_context("foo"), ValueError, "Get context keyword foo"),
]


@pytest.mark.parametrize(("call", "error", "text"), REFUSED)
def test_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()
    assert ms.get_context("mode") == ms.PYNATIVE_MODE


def test_a_refused_call_sets_nothing():
    with pytest.raises(ValueError):
        ms.set_context(mode=ms.GRAPH_MODE, max_call_depth=5, foo=1)
    with pytest.raises(RuntimeError):
        ms.set_context(mode=ms.GRAPH_MODE, device_target="Ascend")
    assert ms.get_context("mode") == ms.PYNATIVE_MODE
    assert ms.get_context("max_call_depth") == 1000


def test_options_are_kept():
    ms.set_context(save_graphs=2, max_call_depth=10)
    assert ms.get_context("save_graphs") == 2
    assert ms.get_context("max_call_depth") == 10
    assert ms.get_context("deterministic") == "OFF"


def test_the_cpu_has_any_number():
    ms.set_context(device_id=99)
    assert ms.get_context("device_id") == 99
    assert ms.get_current_device() == ("CPU", 0)
    ms.set_context(device_id=0)


@pytest.mark.parametrize("target", ["Ascend", "GPU"])
def test_a_program_for_another_device_runs_on_what_is_here(target):
    with ms.install():
        import mindspore

        with pytest.warns(RuntimeWarning, match=f"no {target} here: .* runs on CPU") as seen:
            mindspore.set_context(device_target=target, device_id=5)
        assert seen[0].filename == __file__
        assert mindspore.get_context("device_target") == "CPU"
        with pytest.warns(RuntimeWarning):
            mindspore.set_device(target, 1)
    with pytest.raises(RuntimeError, match="Unsupported device target"):
        ms.set_context(device_target=target)


def test_set_device():
    ms.set_device("CPU", 0)
    assert ms.get_context("device_target") == "CPU"
    assert ms.Tensor([1.0]).device == "CPU"


def test_auto_parallel_context():
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    assert ms.get_auto_parallel_context("parallel_mode") == "data_parallel"
    assert ms.get_auto_parallel_context("gradients_mean") is True
    assert ms.get_auto_parallel_context("device_num") == 1
    ms.reset_auto_parallel_context()
    assert ms.get_auto_parallel_context("parallel_mode") == "stand_alone"
