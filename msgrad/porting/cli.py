"""The command line ``python -m msgrad run|demo|check``; what the commands do is elsewhere."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from msgrad.porting.coverage import coverage
from msgrad.porting.run import demo_lacks, run_demo, run_script
from msgrad.porting.scan import Report, scan
from msgrad.version import __msgrad_version__, __version__

_USAGE_ERROR = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code.

    Args:
        argv: The words after ``python -m msgrad``; None for those of this process.

    Returns:
        0; 1 where ``check`` finds names that msgrad lacks; 2 where a path or package is missing.
    """
    args = _parser().parse_args(argv)
    try:
        return args.command(args)
    except _UsageError as error:
        print(f"msgrad: {error}", file=sys.stderr)
        return _USAGE_ERROR


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

    run = commands.add_parser("run", help="run a program, with msgrad as its mindspore")
    run.add_argument("script", help="path of the program")
    run.add_argument("args", nargs=argparse.REMAINDER, help="its arguments")
    run.set_defaults(command=_run)

    demo = commands.add_parser("demo", help="train a classifier of digits; writes loss.png")
    demo.add_argument("--out", default="msgrad-demo", help="folder to write to (%(default)s)")
    demo.add_argument("--epochs", type=int, default=15, help="default: %(default)s")
    demo.set_defaults(command=_demo)

    check = commands.add_parser(
        "check",
        help="list the MindSpore names a program uses and msgrad lacks",
        description="Read programs without running them. Methods called on objects are not seen.",
    )
    check.add_argument("paths", nargs="*", type=Path, help="files and folders")
    check.add_argument("--all", action="store_true", help="list the names msgrad has as well")
    check.add_argument(
        "--coverage", action="store_true", help="count MindSpore's public names instead"
    )
    check.set_defaults(command=_check)
    return parser


def _run(args: argparse.Namespace) -> int:
    if not Path(args.script).is_file():
        raise _UsageError(f"there is no file '{args.script}'")
    run_script(args.script, args.args)
    return 0


def _demo(args: argparse.Namespace) -> int:
    absent = demo_lacks()
    if absent:
        raise _UsageError(
            f"the demo needs {', '.join(absent)}, not installed here; pip install 'msgrad[demo]'"
        )
    run_demo(args.out, args.epochs)
    return 0


def _check(args: argparse.Namespace) -> int:
    if args.coverage:
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


def _print_report(report: Report, *, everything: bool) -> None:
    shown = report.uses if everything else report.missing
    if shown:
        rows = [
            (
                use.name,
                "missing" if use.missing else "ok",
                str(len(use.places)),
                ", ".join(use.places[:2]) + (", ..." if len(use.places) > 2 else ""),
            )
            for use in shown
        ]
        _print_table(("name", "state", "uses", "where"), rows)
        print()
    for use in report.missing:
        print(use.missing)
    for line in report.unreadable:
        print(f"not readable as Python: {line}")
    names, absent = len(report.uses), len(report.missing)
    uses = sum(len(use.places) for use in report.uses)
    lacking = sum(len(use.places) for use in report.missing)
    print(
        f"{report.files} files use MindSpore: {names - absent} of {names} names are there, "
        f"{uses - lacking} of {uses} uses."
    )


def _print_coverage() -> None:
    rows = coverage()
    table = [
        (row.owner, str(row.have), str(row.total), f"{row.have / row.total:.0%}") for row in rows
    ]
    have, total = sum(row.have for row in rows), sum(row.total for row in rows)
    table.append(("all", str(have), str(total), f"{have / total:.0%}"))
    _print_table(("public names of MindSpore", "in msgrad", "of", "share"), table)


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [head, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        words = [word.ljust(width) for word, width in zip(line, widths, strict=True)]
        print("  ".join(words).rstrip())
