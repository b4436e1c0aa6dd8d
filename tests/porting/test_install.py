"""``install()``: what ``import mindspore`` gives, and that nothing of it is left afterwards."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
import textwrap
import threading
import types
from importlib import metadata

import numpy as np
import pytest

import msgrad
from msgrad.porting import install


def aliases() -> list[str]:
    return [name for name in sys.modules if name.split(".")[0] == "mindspore"]


def test_same_module_objects():
    msgrad.install()
    import mindspore
    import mindspore.common.initializer
    import mindspore.nn as nn
    from mindspore import Tensor, context
    from mindspore.common.parameter import Parameter

    assert mindspore is msgrad
    assert nn is msgrad.nn
    assert mindspore.common.initializer is sys.modules["msgrad.common.initializer"]
    assert Tensor is msgrad.Tensor
    assert Parameter is msgrad.Parameter
    assert context is msgrad.context


def test_aliasing_leaves_the_modules_as_they_were():
    before = copy.copy(msgrad.nn.__spec__)
    msgrad.install()
    importlib.import_module("mindspore.nn")
    assert msgrad.nn.__name__ == "msgrad.nn"
    assert msgrad.nn.__spec__ == before


def test_version_is_that_of_the_api():
    msgrad.install()
    import mindspore

    assert mindspore.__version__ == "2.10.0"
    assert importlib.import_module("mindspore.version").__version__ == "2.10.0"


def test_libraries_find_the_distribution_while_installed():
    def known() -> list[str]:
        return [each.version for each in metadata.distributions(name="mindspore")]

    before = known()
    with msgrad.install():
        assert metadata.version("mindspore") == "2.10.0"
        assert metadata.metadata("MindSpore")["Name"] == "mindspore"
        assert metadata.version("msgrad") == msgrad.__msgrad_version__
        assert known() == ["2.10.0", *before]
    assert known() == before


def test_numbers_print_as_in_programs_for_mindspore():
    result = {"acc": np.float64(0.5)}
    before = repr(result)
    with msgrad.install():
        assert repr(result) == "{'acc': 0.5}"
    assert repr(result) == before


def test_uninstall_undoes_everything():
    finders, modules = list(sys.meta_path), set(sys.modules)
    msgrad.install()
    msgrad.install()
    importlib.import_module("mindspore.common.initializer")
    msgrad.uninstall()
    assert aliases() == []
    assert sys.meta_path == finders
    assert set(sys.modules) >= modules
    msgrad.uninstall()


def test_context_manager_ends_where_it_began():
    with msgrad.install():
        import mindspore

        assert mindspore.nn.Cell is msgrad.nn.Cell
    assert aliases() == []


def test_context_manager_ends_after_an_error():
    with pytest.raises(ZeroDivisionError), msgrad.install():
        import mindspore  # noqa: F401

        1 / 0
    assert aliases() == []


def test_nested_installations():
    with msgrad.install():
        with msgrad.install():
            pass
        assert "mindspore" in sys.modules
    assert "mindspore" not in sys.modules

    msgrad.install()
    with msgrad.install():
        pass
    assert "mindspore" in sys.modules


def test_three_threads_at_once():
    paths = ["mindspore.nn", "mindspore.common.initializer", "mindspore.amp"]
    finders, interval = list(sys.meta_path), sys.getswitchinterval()
    start, errors = threading.Barrier(3), []

    def installing(path: str) -> None:
        try:
            for _ in range(30):
                start.wait()
                with msgrad.install():
                    with msgrad.install():
                        importlib.import_module(path)
                    found = importlib.import_module(path)
                    assert found is sys.modules[f"msgrad{path.removeprefix('mindspore')}"]
                    assert sys.meta_path == [install._alias_finder, *finders, sys.meta_path[-1]]
        except Exception as error:
            errors.append(error)
            start.abort()

    threads = [threading.Thread(target=installing, args=(path,)) for path in paths]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert errors == []
    assert (sys.meta_path, aliases()) == (finders, [])


def test_a_fork_while_another_thread_installs():
    program = """
        import os, threading
        import msgrad
        from msgrad.porting import install

        entered, leave = threading.Event(), threading.Event()

        def hold():
            with install._turn:
                entered.set()
                leave.wait()

        thread = threading.Thread(target=hold)
        thread.start()
        entered.wait()
        threading.Timer(0.1, leave.set).start()
        child = os.fork()
        if not child:
            with msgrad.install():
                os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    """
    run = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)]
    assert subprocess.run(run, timeout=120, check=False).returncode == 0


def test_uninstall_within_the_block():
    with msgrad.install():
        msgrad.uninstall()
        assert aliases() == []
    assert aliases() == []


def test_another_mindspore_is_left_alone(monkeypatch):
    other = types.ModuleType("mindspore")
    other.__file__ = "site/mindspore/__init__.py"
    monkeypatch.setitem(sys.modules, "mindspore", other)
    finders = list(sys.meta_path)
    with pytest.raises(ImportError, match=r"already imported \(from site/mindspore"):
        msgrad.install()
    assert sys.meta_path == finders
    msgrad.uninstall()
    assert sys.modules["mindspore"] is other


MISSING = {
    "import mindspore.common.initialiser": "nearest: mindspore.common.initializer",
    "import mindspore.no_such_module": "'mindspore.no_such_module'",
    "from mindspore.ops import AbsentOperator": "msgrad.ops has no 'AbsentOperator' yet",
    "from mindspore import Tensr": "nearest: Tensor",
}


@pytest.mark.parametrize("statement", MISSING)
def test_missing_module_or_name(statement):
    msgrad.install()
    with pytest.raises(ModuleNotFoundError) as error:
        exec(statement, {})
    assert MISSING[statement] in str(error.value)
    assert "python -m msgrad check" in str(error.value)


def test_a_failed_import_leaves_no_alias():
    msgrad.install()
    with pytest.raises(ImportError):
        importlib.import_module("mindspore.no_such_module")
    assert aliases() == ["mindspore"]


@pytest.mark.parametrize("name", ["", ".nn", ".ops", ".amp", ".common"])
def test_missing_attribute(name):
    module = importlib.import_module(f"msgrad{name}")
    with pytest.raises(AttributeError, match=r"has no 'NoSuchName' yet; .*python -m msgrad check"):
        _ = module.NoSuchName
    assert not hasattr(module, "__no_such_dunder__")
    assert getattr(module, "no_such_name", None) is None


def test_missing_attribute_names_the_nearest():
    with pytest.raises(AttributeError, match=r"^msgrad has no 'tensr' yet; nearest: Tensor"):
        _ = msgrad.tensr


def test_near_names_are_looked_for_only_when_the_text_is_read(monkeypatch):
    def searched(*_):
        raise AssertionError("searched")

    with monkeypatch.context() as patch:
        patch.setattr("msgrad._core.missing.nearest_names", searched)
        assert not hasattr(msgrad, "tensr")
        with pytest.raises(AttributeError) as error:
            _ = msgrad.tensr
    told = "msgrad has no 'tensr' yet; nearest: Tensor"
    assert str(pickle.loads(pickle.dumps(error.value))).startswith(told)
    assert told in repr(error.value)


def test_module_names_are_listed_only_when_the_text_is_read(monkeypatch):
    def listed():
        raise AssertionError("listed")

    msgrad.install()
    with monkeypatch.context() as patch:
        patch.setattr("msgrad.porting.install.module_names", listed)
        with pytest.raises(ImportError) as error:
            importlib.import_module("mindspore.no_such_module")
    told = "msgrad has no module 'mindspore.no_such_module' yet; "
    assert str(pickle.loads(pickle.dumps(error.value))).startswith(told)
    assert error.value.name == "mindspore.no_such_module"


def test_submodules_load_on_demand():
    text = "import msgrad as ms; print(ms.ops.operations.__name__, ms.common.initializer.Normal)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.stdout.split()[0] == "msgrad.ops.operations", done.stderr


def test_classes_keep_their_own_module_names():
    msgrad.install()
    from mindspore import Tensor

    assert Tensor.__module__ == "msgrad.common.tensor"
    text = pickle.dumps(Tensor([1.0, 2.0]))
    msgrad.uninstall()
    again = pickle.loads(text)
    assert isinstance(again, msgrad.Tensor)
    assert again.asnumpy().tolist() == [1.0, 2.0]
