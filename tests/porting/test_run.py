"""``python -m msgrad run``: a program is as under ``python``, and its ``mindspore`` is msgrad.

Each case runs in processes of its own, as a user would start it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import msgrad
from msgrad.porting import start

ROOT = Path(msgrad.__file__).parent.parent
RUN = ("-m", "msgrad", "run")
SECONDS = 120


def python(*words: str, cwd: Path, path: tuple[Path, ...] = (ROOT,), **more) -> dict[str, object]:
    """Return what a Python process gave: its status and all it wrote."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    environment.pop("PYTHONUNBUFFERED", None)
    more = {"stdin": subprocess.DEVNULL, **more} if "input" not in more else more
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    done = subprocess.run(
        [sys.executable, *words], text=True, cwd=cwd, env=environment, timeout=SECONDS, **more
    )
    return {"status": done.returncode, "out": done.stdout, "err": done.stderr}


# What a program can see of how it was started, and do to how it ends.
PROGRAMS = {
    "identity": """
import atexit, dataclasses, inspect, os, pickle, sys, threading, warnings

@dataclasses.dataclass
class Point:
    x: int
    y: "int" = 2

def source():
    return inspect.getsource(source), inspect.getsourcefile(Point)

print(__name__, __file__, __package__, __spec__, sys.argv, sys.path[0], os.getpid() > 0)
print(sys.modules["__main__"].Point is Point, Point.__module__, sorted(globals()))
print(pickle.dumps(Point(1)), pickle.loads(pickle.dumps(Point(1))) == Point(1))
print(source(), [frame.filename for frame in inspect.stack()], sys.orig_argv[1:])
print(sys.flags, sys.stdout.isatty(), sys.stdout.line_buffering)
warnings.warn("here", stacklevel=1)
last = threading.Thread(target=lambda: (threading.main_thread().join(), print("thread", Point(3))))
last.start()
atexit.register(lambda: print("at exit", Point(4), sys.modules["__main__"].Point))
print("last line")
""",
    "syntax error": "x = 1\nif x\n    pass\n",
    "unreadable": "# coding: nonsense\n",
    "chained": """
def inner():
    {}["absent"]

def outer():
    try:
        inner()
    except KeyError as error:
        raise ValueError("outer") from error

try:
    outer()
except ValueError as error:
    error.add_note("noted")
    raise ExceptionGroup("both", [error, OSError(2, "no")])
""",
    "exit number": "import sys; sys.exit(7)",
    "exit text": "import sys; sys.exit('stopped: why')",
    "exit None": "raise SystemExit",
    "exit odd": "raise SystemExit([1, 2])",
    "exit at once": "import os; os._exit(9)",
    "interrupt": """
import os, signal
def wait():
    os.kill(os.getpid(), signal.SIGINT)
    while True: pass
wait()
""",
    "own handler": """
import os, signal
signal.signal(signal.SIGINT, lambda *_: print("handled"))
os.kill(os.getpid(), signal.SIGINT)
""",
    "killed": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\nwhile True: pass\n",
    "excepthook": "import sys\nsys.excepthook = lambda *e: print('hook', e[0])\n1 / 0\n",
    "thread raises": "import threading\nthreading.Thread(target=lambda: 1 / 0).start()\n",
    "helper raises": "import helper\n",
    "recursion": "def f(): f()\nf()\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_as_under_python(name, tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "helper.py").write_text("def f(:\n")
    (tmp_path / "code" / "prog.py").write_text(PROGRAMS[name])
    words = ("code/prog.py", "--lr", "0.1", "--", "-m", "")
    assert python(*RUN, *words, cwd=tmp_path) == python(*words, cwd=tmp_path)


SHOW = "import sys; print(__name__, __spec__ and __spec__.name, sys.argv, sys.path[0], sys.flags)\n"
WORDS = {
    "module": ("-m", "package.module", "-x", "--", "y"),
    "package": ("-m", "package"),
    "no such module": ("-m", "package.absent"),
    "folder": ("package", "run"),
    "zip": ("package.zip", "-h"),
    "code": ("-c", SHOW, "a"),
    "end of options": ("--", "shown.py", "--"),
    "options": ("-O", "-W", "error", "-X", "dev", "-u", "shown.py"),
    "absent": ("absent.py",),
    "empty": ("",),
    "a wrong option": ("--absent",),
}


@pytest.mark.parametrize("name", WORDS)
def test_what_to_run_is_as_for_python(name, tmp_path):
    (tmp_path / "shown.py").write_text(SHOW)
    (tmp_path / "package").mkdir()
    for file in ("__init__.py", "__main__.py", "module.py"):
        (tmp_path / "package" / file).write_text(SHOW)
    with zipfile.ZipFile(tmp_path / "package.zip", "w") as packed:
        packed.writestr("__main__.py", SHOW + "1 / 0")
    found = python(*RUN, *WORDS[name], cwd=tmp_path)
    assert found == python(*WORDS[name], cwd=tmp_path)


def test_options_of_python_go_on(tmp_path):
    (tmp_path / "shown.py").write_text(SHOW + "print(sys.stdout.write_through)")
    options = ("-X", "dev", "-W", "error", "-O")
    found = python(*options, "-um", *RUN[1:], "shown.py", cwd=tmp_path)
    assert found == python(*options, "-u", "shown.py", cwd=tmp_path)


SCRIPT = str(Path(sys.executable).with_name("msgrad"))
STARTED = [
    # sys.argv while msgrad is imported, sys.orig_argv, the command, Python's options
    (["-m", "run", "p.py"], ["python", "-m", "msgrad", "run", "p.py"], ["run", "p.py"], []),
    (["-m", "path"], ["python", "-Xdev", "-Im", "msgrad", "path"], ["path"], ["-Xdev", "-I"]),
    (
        [SCRIPT, "run", "-m", "m"],
        ["python", "-u", SCRIPT, "run", "-m", "m"],
        ["run", "-m", "m"],
        ["-u"],
    ),
    # Something else imports msgrad.
    (["-m", "run"], ["python", "-m", "other", "run"], [], []),
    (["p.py", "run"], ["python", "-O", "p.py", "run"], [], []),
    (["msgrad", "run"], ["python", "msgrad", "run"], [], []),
    (["-c", "run"], ["python", "-c", "import msgrad", "run"], [], []),
    ([""], ["python"], [], []),
    ([], ["python"], [], []),
]


@pytest.mark.parametrize(("argv", "original", "command", "options"), STARTED)
def test_how_this_process_was_started(argv, original, command, options, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", argv)
    monkeypatch.setattr(sys, "orig_argv", original)
    assert start._command() == command
    if command:
        assert start._options() == options


@pytest.mark.parametrize("words", [(), ("-",), ("-", "a", "-")])
def test_a_program_on_standard_input(words, tmp_path):
    text = SHOW + "1 / 0\n"
    found = python(*RUN, *words, cwd=tmp_path, input=text)
    assert found == python(*words, cwd=tmp_path, input=text)
    assert found["status"] == 1


def test_a_reader_that_goes_away(tmp_path):
    (tmp_path / "prog.py").write_text("print('x' * 100_000)\n")

    def with_closed_pipe(*words: str) -> dict[str, object]:
        reading, writing = os.pipe()
        os.close(reading)
        try:
            return python(*words, cwd=tmp_path, stdout=writing)
        finally:
            os.close(writing)

    found = with_closed_pipe(*RUN, "prog.py")
    assert found == with_closed_pipe("prog.py")
    assert "BrokenPipeError" in str(found["err"])


def test_run_says_that_it_needs_the_environment(tmp_path):
    found = python("-E", *RUN, "prog.py", cwd=ROOT)
    assert found["status"] == 1
    assert str(found["err"]).startswith("msgrad: run works through PYTHONPATH")


# Another MindSpore, where site-packages would be: behind everything on PYTHONPATH.
OTHER = "raise ImportError('the other mindspore')\n"

CHILDREN = '''
"""Its processes, threads and last words: what is mindspore there?"""
import atexit, multiprocessing, os, subprocess, sys, threading
from concurrent.futures import ProcessPoolExecutor

class Kept:
    """Pickled on the way to another process and back."""
    def __init__(self, text):
        self.text = text

def seen(asked):
    import mindspore, mindspore.nn as nn, mindspore.ops.operations as P
    from mindspore.common.initializer import Normal
    import msgrad
    assert nn is msgrad.nn and nn.Cell is msgrad.nn.Cell and P is msgrad.ops.operations
    assert Normal is msgrad.common.initializer.Normal
    return Kept(f"{asked.text}: {mindspore is msgrad} {nn.Cell.__module__}")

def put(queue, name):
    queue.put(seen(Kept(name)))

def late():
    threading.main_thread().join()
    print(seen(Kept("thread")).text, flush=True)

if __name__ == "__main__":
    found = []
    # Before anything imports mindspore here: a fork would inherit it.
    for method in ("fork", "spawn", "forkserver"):
        started = multiprocessing.get_context(method)
        queue = started.SimpleQueue()
        process = started.Process(target=put, args=(queue, method))
        process.start()
        found.append((process, queue))
    for process, queue in found:
        process.join()
        print(queue.empty() or queue.get().text, flush=True)
    command = [sys.executable, "-c", "import prog; print(prog.seen(prog.Kept('subprocess')).text)"]
    started = subprocess.Popen(command, cwd=os.path.dirname(os.path.abspath(__file__)))
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        answer = pool.submit(seen, Kept("pool"))
        print(seen(Kept("itself")).text, flush=True)
        started.wait()
        print(answer.result().text, flush=True)
    atexit.register(lambda: print(seen(Kept("at exit")).text))
    threading.Thread(target=late).start()
'''


def test_all_that_a_program_starts_sees_msgrad(tmp_path):
    (tmp_path / "site" / "mindspore").mkdir(parents=True)
    (tmp_path / "site" / "mindspore" / "__init__.py").write_text(OTHER)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "prog.py").write_text(CHILDREN)
    path = (ROOT, tmp_path / "site")
    # Started in another folder than the program's, and from where a namespace of that name lies.
    (tmp_path / "code" / "mindspore").mkdir()
    found = python(*RUN, "code/prog.py", cwd=tmp_path, path=path)
    names = ("fork", "spawn", "forkserver", "subprocess", "itself", "pool", "thread", "at exit")
    lines = sorted(str(found["out"]).splitlines())
    assert lines == sorted(f"{name}: True msgrad.nn.cell" for name in names), found["err"]
    assert found["status"] == 0


INSTALLS = """
import threading
barrier, found = threading.Barrier(8), []

def first():
    barrier.wait()
    import mindspore, mindspore.nn
    from mindspore import Tensor, ops
    found.append((Tensor, ops, mindspore.nn.Cell, mindspore.Parameter))

threads = [threading.Thread(target=first) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
import msgrad, sys
assert found == [(msgrad.Tensor, msgrad.ops, msgrad.nn.Cell, msgrad.Parameter)] * 8
import mindspore
assert mindspore is msgrad
with msgrad.install():
    import mindspore.amp
assert sys.modules["mindspore"] is msgrad
for _ in range(2):
    msgrad.uninstall()
    assert not [name for name in sys.modules if name.split(".")[0] == "mindspore"]
    import mindspore.common.initializer as again, mindspore.nn as nn
    assert again is msgrad.common.initializer and nn is msgrad.nn
    import mindspore
    assert mindspore is msgrad
msgrad.uninstall()
with msgrad.install():
    import mindspore
assert "mindspore" not in sys.modules
print("held")
"""


def test_install_and_uninstall_under_run(tmp_path):
    (tmp_path / "prog.py").write_text(INSTALLS)
    found = python(*RUN, "prog.py", cwd=tmp_path)
    assert (found["out"], found["err"]) == ("held\n", "")


def test_a_mindspore_of_the_programs_own_comes_first_everywhere(tmp_path):
    (tmp_path / "mindspore.py").write_text("own = True\n")
    (tmp_path / "prog.py").write_text(
        "import mindspore, multiprocessing\n"
        "def seen(): print(mindspore.own, flush=True)\n"
        "if __name__ == '__main__':\n"
        "    seen()\n"
        "    process = multiprocessing.get_context('spawn').Process(target=seen)\n"
        "    process.start()\n"
        "    process.join()\n"
    )
    found = python(*RUN, "prog.py", cwd=tmp_path)
    assert found == {"status": 0, "out": "True\nTrue\n", "err": ""}


def test_path_serves_what_starts_python_itself(tmp_path):
    # From a checkout that is not installed, msgrad itself has to be found too.
    printed = python("-m", "msgrad", "path", cwd=ROOT, path=())
    (line,) = str(printed["out"]).splitlines()
    path = [Path(each) for each in line.split(os.pathsep)]
    assert (path[0] / "mindspore" / "__init__.py").is_file()
    assert path[1:] == [ROOT]
    (tmp_path / "test_it.py").write_text(
        "import mindspore as ms, mindspore.nn as nn, sys\n"
        "def test_it():\n"
        "    assert ms.__name__ == 'msgrad' and nn is ms.nn\n"
    )
    command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py")
    found = python(*command, cwd=tmp_path, path=tuple(path))
    assert found["status"] == 0, found["out"]


def test_run_within_run_names_the_folder_once(tmp_path):
    (tmp_path / "inner.py").write_text("import os; print(os.environ['PYTHONPATH'])\n")
    (tmp_path / "outer.py").write_text(
        "import subprocess, sys\n"
        f"subprocess.run([sys.executable, *{RUN}, 'inner.py'], check=True)\n"
    )
    found = python(*RUN, "outer.py", cwd=tmp_path)
    folder, *rest = str(found["out"]).strip().split(os.pathsep)
    assert (folder, rest) == (str(ROOT / "msgrad" / "porting" / "pythonpath"), [str(ROOT)])
