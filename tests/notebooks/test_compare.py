"""The comparison of notebook outputs notices what it should, and lets pass what it may."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tests.notebooks.compare import differences, printed, text_difference
from tests.notebooks.record import joined

FIGURE = new_output("display_data", data={"image/png": "AAAA", "text/plain": "<Figure 1>"})
OTHER_FIGURE = new_output("display_data", data={"image/png": "BBBB", "text/plain": "<Figure 2>"})


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def notebook(*outputs, tags=()):
    return new_notebook(
        cells=[new_code_cell("f()", outputs=list(outputs), metadata={"tags": list(tags)})]
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("loss 0.123456", "loss 0.123457"),
        ("[ 1.00000000e+00]", "[ 1.00000012e+00]"),
        ("value= 1)", "value= 1.00001)"),
        ("[1.  2.5]", "[1. 2.5]\n"),
        ("0.0", "-0.0"),
        ("1e-09", "3e-08"),
    ],
)
def test_last_digits_and_space_may_differ(old, new):
    assert text_difference(old, new) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("loss 0.123", "loss 0.124"),
        ("loss 0.123", "cost 0.123"),
        ("steps 100", "steps 101"),
        ("steps 100000", "steps 100001"),
        ("[1. 2.]", "[1. 2. 3.]"),
        ("1.5", "-1.5"),
        ("Float32", "Float16"),
        ("1.0", "nan"),
        ("1.0", ""),
    ],
)
def test_other_numbers_and_words_are_noticed(old, new):
    difference = text_difference(f"first\n{old}\n", f"first\n{new}\n")
    assert difference
    assert difference.splitlines()[1:] == [f"- {old}", f"+ {new}"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([stream("1.5\n")], [stream("1.6\n")]),
        ([stream("1.5\n")], []),
        ([stream("1.5\n")], [stream("1.5\n"), stream("UserWarning: look out\n", "stderr")]),
        ([stream("x\n", "stderr")], [stream("x\n", "stderr")]),
        ([FIGURE], []),
        ([], [FIGURE]),
        (
            [new_output("execute_result", data={"text/plain": "1.5"})],
            [new_output("execute_result", data={"text/plain": "1.6"})],
        ),
    ],
)
def test_changed_outputs_and_stderr_are_noticed(old, new):
    (*_, line) = differences(notebook(*old), notebook(*new))
    assert line.startswith("cell 0: ")
    assert "f()" in line


def test_figures_are_compared_by_presence():
    old, new = notebook(stream("1.5\n"), FIGURE), notebook(stream("1.5\n"), OTHER_FIGURE)
    assert not list(differences(old, new))


def test_changed_sources_and_missing_cells_are_noticed():
    old, new = notebook(), notebook()
    new.cells[0].source = "g()"
    assert list(differences(old, new)) == ["cell 0: the source differs"]
    assert list(differences(old, new_notebook())) == ["1 cells before, 0 now"]


def test_printed_leaves_out_stderr_and_tagged_cells():
    shown = notebook(stream("a\n"), stream("b\n", "stderr"), FIGURE, stream("c\n"))
    assert printed(shown, without="jax") == "a\nc\n"
    assert printed(notebook(stream("a\n"), tags=["jax"]), without="jax") == ""


def test_pieces_of_a_stream_are_joined():
    outputs = [stream("a"), stream("b"), stream("c", "stderr"), FIGURE, stream("d")]
    assert [output.get("text") for output in joined(outputs)] == ["ab", "c", None, "d"]
