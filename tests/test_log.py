"""``mindspore.log``: the line, the place it names, and the level."""

from __future__ import annotations

import logging
import re

import pytest

from msgrad import log


def test_a_line(capsys):
    log.warning("%d of %s", 3, "four")
    line = capsys.readouterr().err
    assert re.fullmatch(
        r"\[WARNING\] ME\(\d+:\d+,MainProcess\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} "
        r"\[.*tests/test_log\.py:\d+\] 3 of four\n",
        line,
    )


def test_the_default_level_hides_information(capsys):
    log.debug("hidden")
    log.info("hidden")
    log.error("an error")
    log.critical("the end")
    lines = capsys.readouterr().err.splitlines()
    assert [line.split("]")[0] for line in lines] == ["[ERROR", "[CRITICAL"]


@pytest.mark.parametrize(("value", "level"), [("0", "0"), ("4", "4"), ("x", "2"), (None, "2")])
def test_level(monkeypatch, value, level):
    if value is None:
        monkeypatch.delenv("GLOG_v", raising=False)
    else:
        monkeypatch.setenv("GLOG_v", value)
    assert log.get_level() == level
    assert log.get_log_config()["GLOG_v"] == level


def test_an_exception_is_shown(capsys):
    try:
        raise ValueError("inner")
    except ValueError:
        log.error("outer", exc_info=True)
    assert "ValueError: inner" in capsys.readouterr().err


def test_python_logging_of_the_program_is_left_alone():
    assert not logging.getLogger("msgrad").propagate
