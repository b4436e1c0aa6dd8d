"""The command line ``python -m msgrad run|demo|check|...``; what the commands do is elsewhere."""

from __future__ import annotations

import argparse
import importlib
import os
import runpy
import sys
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path

from msgrad._core.compile_cache import VARIABLE, jaxs_folder, usual_store
from msgrad.porting.coverage import coverage, mindspore_names, why_lacking
from msgrad.porting.install import install
from msgrad.porting.scan import Report, scan
from msgrad.porting.start import start
from msgrad.version import __msgrad_version__, __version__

# What the demo needs, and what pip calls it.
_OF_DEMO = {"matplotlib": "matplotlib", "sklearn": "scikit-learn", "tqdm": "tqdm"}
_USAGE_ERROR = 2
_PIPE_CLOSED = 128 + 13  # As a shell counts what SIGPIPE ended.


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code.

    Args:
        argv: The words after ``python -m msgrad``; None for those of this process.

    Returns:
        0; 1 where ``check`` finds names that msgrad lacks; 2 where a path or package is missing;
        141 where what reads the output has closed it.
        ``run`` does not return.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    start(words)
    args = _parser().parse_args(words)
    try:
        code = args.command(args)
        sys.stdout.flush()
    except _UsageError as error:
        print(f"msgrad: {error}", file=sys.stderr)
        return _USAGE_ERROR
    except BrokenPipeError:  # `... | head`: Python's own flush at the end would raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    return code


class _UsageError(Exception):
    """Something asked for on the command line is not there."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m msgrad", description="Run MindSpore programs on JAX, unchanged."
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"msgrad {__msgrad_version__} (API of MindSpore {__version__})",
    )
    commands = parser.add_subparsers(required=True, metavar="command")

    # Only for their help: `start` has done them.
    commands.add_parser(
        "run",
        help="run a program, with msgrad as its mindspore",
        usage="%(prog)s [option] ... [-m module | program | -] [argument] ...",
        description="What follows `run` is what would follow `python`.",
    )
    commands.add_parser("launch", help="run a program on several ranks, with msrun's options")
    commands.add_parser(
        "path",
        help="print what makes msgrad the mindspore of any Python, on its PYTHONPATH",
        description="For what starts Python itself: PYTHONPATH=$(%(prog)s) pytest",
    )

    commands.add_parser(
        "report",
        help="run a program and say where its time went, and what to do about it",
        usage="%(prog)s [--html FILE] [--seconds N] [option] ... program [argument] ...",
        description="Runs as `run` does. At the end: time by stage, what was compiled and why "
        "anew, what ran as plain Python and where, values needed within gradient calls, the "
        "slowest operators (of the first N seconds, 30), memory; FILE shows it with a timeline.",
    )

    demo = commands.add_parser("demo", help="train a classifier of digits; writes loss.png")
    demo.add_argument("--out", default="msgrad-demo", help="folder to write to (%(default)s)")
    demo.add_argument("--epochs", type=int, default=15, help="default: %(default)s")
    demo.set_defaults(command=_demo)

    check = commands.add_parser(
        "check",
        help="list the MindSpore names a program uses and msgrad lacks",
        description="Read programs without running them. Methods called on objects are not seen.",
    )
    check.add_argument(
        "paths",
        nargs="*",
        type=Path,
        help="files and folders; after --coverage, mindspore.ops, ...",
    )
    check.add_argument("--all", action="store_true", help="list the names msgrad has as well")
    check.add_argument(
        "--coverage",
        action="store_true",
        help="count MindSpore's public names instead, or list those that a module lacks, and why",
    )
    check.set_defaults(command=_check)

    cache = commands.add_parser(
        "cache",
        help="say how many compiled programs are kept on disk, and where",
        description=f"Another folder: {VARIABLE}=/path; none: {VARIABLE}=0.",
    )
    cache.add_argument("--clear", action="store_true", help="remove them")
    cache.set_defaults(command=_cache)
    convert = commands.add_parser(
        "convert",
        help="write a checkpoint in another format: .ckpt, .safetensors, .orbax",
        description="The endings say which formats; a folder is Orbax. Also reads .pt and .pth.",
    )
    convert.add_argument("source", help="the checkpoint to read")
    convert.add_argument("target", help="the new one; replaced if it exists")
    convert.set_defaults(command=_convert)
    return parser


def _demo(args: argparse.Namespace) -> int:
    absent = []
    for module, package in _OF_DEMO.items():
        try:
            importlib.import_module(module)
        except ImportError:
            absent.append(package)
    if absent:
        raise _UsageError(
            f"the demo lacks packages; {sys.executable} -m pip install {' '.join(absent)}"
        )
    with as_file(files("msgrad.porting").joinpath("programs", "digits.py")) as script, install():
        sys.argv = [str(script), "--out", args.out, "--epochs", str(args.epochs)]
        runpy.run_path(str(script), run_name="__main__")
    return 0


def _convert(args: argparse.Namespace) -> int:
    # Only this command needs JAX.
    from msgrad.interop.formats import convert

    try:
        found = convert(args.source, args.target)
    except (OSError, TypeError, ValueError, ImportError, NotImplementedError) as error:
        raise _UsageError(str(error)) from error
    sizes = sum(array.size for array in found.values())
    print(f"{args.target}: {len(found)} arrays, {sizes} numbers")
    return 0


def _check(args: argparse.Namespace) -> int:
    if args.coverage:
        if args.paths:
            _print_lacking([str(path) for path in args.paths])
        else:
            _print_coverage()
        return 0
    if not args.paths:
        raise _UsageError("check needs a file or folder, or --coverage")
    try:
        report = scan(args.paths)
    except FileNotFoundError as error:
        raise _UsageError(str(error)) from error
    _print_report(report, everything=args.all)
    return 1 if report.missing or report.unreadable else 0


def _cache(args: argparse.Namespace) -> int:
    store = usual_store()
    if store is None:
        theirs = jaxs_folder()
        print(
            f"JAX's own settings keep compiled programs in {theirs}; that folder is left alone"
            if theirs
            else "compiled programs are not kept"
        )
        return 0
    if args.clear:
        store.clear()
    entries = store.entries()
    size = sum(entry.size for entry in entries)
    names = [Path(entry.path).name for entry in entries]
    rows = [
        ("folder", str(store.folder)),
        # What refers to one, or is a table (``kept_programs.py``, ``kept_shapes.py``), is none.
        ("programs", str(sum(not name.startswith(("recorded-", "shapes-")) for name in names))),
        ("size", f"{size / 1e6:.1f} MB of at most {store.bound / 1e6:.0f} MB"),
    ]
    if entries:
        first, last = (datetime.fromtimestamp(entries[i].used) for i in (0, -1))
        rows.append(("last used", f"{first:%Y-%m-%d} (the oldest) to {last:%Y-%m-%d}"))
    _print_table(("compiled programs", ""), rows)
    return 0


def _print_report(report: Report, *, everything: bool) -> None:
    for use in report.uses if everything else report.missing:
        print(f"missing  {use.name}: {use.missing}" if use.missing else f"ok       {use.name}")
        for file, lines in use.places.items():
            print(f"         {file}:{', '.join(map(str, lines))}")
    for line in report.unreadable:
        print(f"not readable as Python: {line}")
    names, absent = len(report.uses), len(report.missing)
    uses = sum(use.count for use in report.uses)
    lacking = sum(use.count for use in report.missing)
    print(
        f"{report.files} files use MindSpore: {names - absent} of {names} names are there, "
        f"{uses - lacking} of {uses} uses."
    )


def _print_lacking(modules: Sequence[str]) -> None:
    names = mindspore_names()
    for module in modules:
        inside = [name for name in names if name.startswith(f"{module}.")]
        if not inside:
            raise _UsageError(f"MindSpore 2.10 has no public names in {module}")
        rows = [(name, why) for name in inside if (why := why_lacking(name))]
        print(*(f"{name}: {why}" for name, why in rows), sep="\n")


def _print_coverage() -> None:
    rows = coverage()
    table = [
        (row.owner, str(row.have), str(row.refused), str(row.total), f"{row.have / row.total:.0%}")
        for row in rows
    ]
    have, refused, total = (
        sum(counts) for counts in zip(*((r.have, r.refused, r.total) for r in rows), strict=True)
    )
    table.append(("all", str(have), str(refused), str(total), f"{have / total:.0%}"))
    _print_table(("public names of MindSpore", "in msgrad", "left out", "of", "share"), table)


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [head, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        words = [word.ljust(width) for word, width in zip(line, widths, strict=True)]
        print("  ".join(words).rstrip())
