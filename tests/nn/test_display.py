"""What a notebook shows of a Cell, beside MindSpore's ``repr``."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import jax.numpy as jnp
import numpy as np
from flax import nnx

import msgrad as ms
from msgrad import Parameter, Tensor, nn


class _Table(HTMLParser):
    """Reads a title and the texts of a table's rows; every tag must be closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.title = ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.rows:
            self.rows[-1][-1] += data
        else:
            self.title += data


def shown(cell: nn.Cell) -> tuple[str, list[list[str]]]:
    reader = _Table()
    reader.feed(cell._repr_html_())
    reader.close()
    assert not reader.open
    return reader.title, reader.rows


def test_each_parameter_has_a_row():
    net = nn.SequentialCell(nn.Dense(3, 2), nn.BatchNorm1d(2), nn.ReLU())
    net[0].bias.requires_grad = False
    title, (head, *rows) = shown(net)
    assert title == "SequentialCell: 6 parameters, 16 elements, 10 of them trainable"
    assert head == ["parameter", "shape", "dtype", "trainable", "elements"]
    assert rows[:2] == [
        ["0.weight", "(2, 3)", "Float32", "yes", "6"],
        ["0.bias", "(2,)", "Float32", "no", "2"],
    ]
    assert sum(int(row[-1]) for row in rows) == 16


def test_large_counts_have_separators_and_no_dimension_is_one_element():
    cell = nn.Dense(1000, 40, has_bias=False)
    cell.factor = Parameter(Tensor(1.0, ms.float16))
    title, rows = shown(cell)
    assert title == "Dense: 2 parameters, 40,001 elements, 40,001 of them trainable"
    assert [row[-1] for row in rows[1:]] == ["40,000", "1"]
    assert rows[2][1:3] == ["()", "Float16"]


def test_a_cell_without_parameters_is_one_line():
    assert nn.ReLU()._repr_html_() == "<div><b>ReLU</b>: 0 parameters, 0 elements</div>"


def test_parameters_of_flax_layers_are_shown():
    class Mixed(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = nnx.Linear(3, 2, rngs=nnx.Rngs(0))

    assert [row[:2] for row in shown(Mixed())[1][1:]] == [
        ["inner.bias", "(2,)"],
        ["inner.kernel", "(3, 2)"],
    ]


def test_a_long_table_is_cut_and_says_what_is_left():
    net = nn.SequentialCell([nn.Dense(2, 2) for _ in range(60)])
    title, rows = shown(net)
    assert title.startswith("SequentialCell: 120 parameters, 360 elements")
    assert len(rows) == 1 + 100 + 1
    assert rows[-1] == ["and 20 more", "", "", "", "60"]


def test_names_are_escaped():
    cell = nn.Cell()
    cell.w = Parameter(Tensor([1.0]), name="<script>&")
    assert "<script>" not in cell._repr_html_()
    assert shown(cell)[1][1][0] == "<script>&"


def test_showing_changes_nothing_and_text_stays_mindspores():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
    text, state = repr(net), dict(vars(net))
    net._repr_html_()
    assert (
        repr(net)
        == text
        == (
            "SequentialCell(\n"
            "  (0): Dense(input_channels=2, output_channels=2, has_bias=True)\n"
            "  (1): ReLU()\n)"
        )
    )
    assert dict(vars(net)) == state


def test_flax_displays_a_cell_and_tensors_show_mindspores_text(capsys):
    nnx.display(nn.Dense(2, 1))
    assert re.search("Dense", capsys.readouterr().out)
    tensor = Tensor(np.ones(2, np.float32))
    assert not hasattr(tensor, "_repr_html_")
    assert repr(tensor) == (
        "Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  1.00000000e+00])"
    )
    assert jnp.asarray(tensor).shape == (2,)
