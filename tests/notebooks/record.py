"""Executes the notebooks and writes their outputs; what counts as a change is in ``compare.py``.

    python -m tests.notebooks.record [NAME ...] [--out FOLDER]

executes ``notebooks/NAME.py`` (all of them without a name) and writes ``NAME.ipynb`` beside it, or
to FOLDER. The same notebook gives the same bytes: no times, no paths, numbered cells.

How to write a notebook here:

- Write ``notebooks/NAME.py`` in jupytext's percent format, run the command, look at the figures,
  commit both files. The tests find it by itself. Do not edit the ``.ipynb``. Copy the header of a
  notebook that is there.
- The first code cell is ``import msgrad`` and ``_ = msgrad.install()``, with the tag ``jax``; then
  ``import mindspore as ms`` works in Jupyter as it does under ``python -m msgrad run NAME.py``.
- Show things by ``print`` and by matplotlib figures, which appear when their cell ends: no
  ``plt.show()``, no value left on the last line of a cell (``_ = axes.legend()``). What the script
  prints is compared with what the notebook prints.
- Anything on stderr fails: a warning too. So does a number that is off by more than a relative
  1e-4, so print no times. Of figures only their presence is compared.
- It runs in an empty temporary folder, on the CPU, and takes less than a minute.
- A cell that is not MindSpore code (JAX, Flax, msgrad's own names, matplotlib) has the tag ``jax``:
  ``# %% tags=["jax"]``. The others, put together, are a MindSpore program: ``python -m
  tests.notebooks.mindspore NAME`` records what real MindSpore prints for them, and from then on
  the notebook must print that. Needed where a notebook says what MindSpore does.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).parent.parent.parent
NOTEBOOKS = ROOT / "notebooks"
NAMES = tuple(sorted(path.stem for path in NOTEBOOKS.glob("*.py")))
SECONDS_PER_CELL = 120


def environment() -> dict[str, str]:
    """Give the variables that a notebook is executed under."""
    return {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        # In Jupyter, JAX would print programs with the codes of colours in them.
        "JAX_PPRINT_USE_COLOR": "0",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(ROOT),
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }


def execute(source: Path) -> NotebookNode:
    """Execute a notebook from its ``.py`` file and give it with its outputs.

    Raises:
        CellExecutionError: Where a cell raises.
        CellTimeoutError: Where a cell takes longer than ``SECONDS_PER_CELL``.
    """
    # A new machine's font cache is made here: made in the notebook, it would warn there.
    import matplotlib.font_manager  # noqa: F401

    notebook = jupytext.read(source)
    with tempfile.TemporaryDirectory() as folder:
        work, ipython = Path(folder, "work"), Path(folder, "ipython")
        work.mkdir()
        client = NotebookClient(
            notebook,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": str(work)}},
        )
        # IPYTHONDIR: no start-up files and no history of the person who runs this.
        client.execute(env={**environment(), "IPYTHONDIR": str(ipython)})
    return tidy(notebook)


def tidy(notebook: NotebookNode) -> NotebookNode:
    """Leave out what differs from one execution to the next, in place."""
    notebook.metadata = NotebookNode(
        jupytext={"formats": "ipynb,py:percent"},
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    return notebook


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join pieces of one stream; where it is cut depends on timing."""
    result: list[NotebookNode] = []
    for output in outputs:
        stream = output.get("name")
        if stream and result and result[-1].get("name") == stream:
            result[-1].text += output.text
        else:
            result.append(output)
    return result


def read(name: str, folder: Path = NOTEBOOKS) -> NotebookNode:
    """Read an ``.ipynb``."""
    return nbformat.read(folder / f"{name}.ipynb", as_version=4)


def main() -> None:
    """Execute the notebooks named on the command line and write them."""
    parser = argparse.ArgumentParser(description="Execute notebooks and write their outputs.")
    parser.add_argument("names", nargs="*", choices=[[], *NAMES], help="default: all")
    parser.add_argument("--out", type=Path, default=NOTEBOOKS, help="folder to write to")
    args = parser.parse_args()
    for name in args.names or NAMES:
        print(name, file=sys.stderr)
        nbformat.write(execute(NOTEBOOKS / f"{name}.py"), args.out / f"{name}.ipynb")


if __name__ == "__main__":
    main()
