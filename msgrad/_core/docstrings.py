"""Docstrings taken apart: a Primitive's is made from its operator's, and a family says once what
all of its members would repeat.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# Options that mean the same wherever the docstring of a function does not tell of them.
_USUAL = {
    "axis": "The dimension, or dimensions, that it works along.",
    "ceil_mode": "Whether a last window that reaches over the edge counts.",
    "data_format": "The order of the dimensions; channels come first.",
    "dilation": "int, or one per dimension: steps between the elements of a window.",
    "exclusive": "Whether an element is left out of its own result.",
    "group": "Number of groups of channels, each computed by itself.",
    "inner_precise": "Accepted for compatibility.",
    "half_pixel_centers": "Whether positions are those of the middles of elements.",
    "align_corners": "Whether the corners stay where they are.",
    "keep_dims": "Whether reduced dimensions stay, with size 1.",
    "kernel_size": "int, or one per dimension: size of a window.",
    "maxlen": "Accepted for compatibility.",
    "num": "Accepted for compatibility.",
    "mode": "1, the only one.",
    "out_channel": "Number of channels of the output.",
    "output_size": "int, or one per dimension; None keeps that of the input.",
    "pad": "For ``pad_mode='pad'``: int, or how many zeros on each side.",
    "pad_list": "The same as ``pad``, for each side.",
    "pad_mode": "``'valid'``, ``'same'`` or ``'pad'``.",
    "reverse": "Whether it runs from the end.",
    "sorted": "Accepted for compatibility.",
    "stride": "int, or one per dimension: steps from window to window.",
    "transpose_a": "Whether the first operand is transposed.",
    "transpose_b": "Whether the second operand is transposed.",
    "use_locking": "Accepted for compatibility.",
    **dict.fromkeys(
        ("Seed0", "seed"), "Names a stream of its own; 0 that of ``mindspore.set_seed``."
    ),
    **dict.fromkeys(("Seed1", "seed2"), "Accepted for compatibility."),
}
_USUAL["strides"] = _USUAL["stride"]
# What a docstring does not say itself of the arguments, another function of its module says.
_SHARED = re.compile(r"arguments are\s+those of ``(\w+)``")
_SECTION = re.compile(r"[A-Z][\w ]*:")
_ENTRY = re.compile(r"    (\*{0,2}\w+(?:, \*{0,2}\w+)*): ")


def summary(documented: Any) -> str:
    """Return the first paragraph of a docstring on one line; empty where there is none."""
    return " ".join((inspect.getdoc(documented) or "").partition("\n\n")[0].split())


def _entries(section: str) -> dict[str, str]:
    """Return the lines of an ``Args`` section about each argument, by its name."""
    entries: dict[str, str] = {}
    names: list[str] = []
    for line in section.splitlines()[1:]:
        entry = _ENTRY.match(line)
        if entry:
            names = entry[1].replace("*", "").split(", ")
        for name in names:
            entries[name] = entries.get(name, "") + f"{line[entry.end() :] if entry else line}\n"
    return entries


def doc_of_class(
    function: Callable[..., Any], options: Mapping[str, str], inputs: Mapping[str, str]
) -> str | None:
    """Return the docstring of a class that binds options of a function, and is called on the rest.

    Args:
        function: Its docstring is taken apart.
        options: Arguments of the constructor, and the name of each in ``function``.
        inputs: Arguments of the call, likewise.

    Returns:
        That of the function, with ``Args`` of the constructor and ``Inputs`` of the call.
    """
    usual = {name: f"{_USUAL[key]}\n" for key, name in options.items() if key in _USUAL}
    text = inspect.getdoc(function) or ""
    sections = text.split("\n\n")
    entries = usual
    for name in _SHARED.findall(text):
        other = inspect.getdoc(getattr(sys.modules[function.__module__], name)) or ""
        entries |= {key: f"{said}\n" for key, said in arguments_of(other).items()}
    for section in [s for s in sections if s.startswith("Args:\n")]:
        entries |= _entries(section)
        sections.remove(section)
    # The first may have a colon, too: it is the summary.
    place = next((i for i, s in enumerate(sections) if i and _SECTION.match(s)), len(sections))
    told = {"Args": options, "Inputs": inputs}
    sections[place:place] = [
        f"{title}:\n" + "".join(f"    {key}: {entries[key_of]}" for key, key_of in said.items())
        for title, names in told.items()
        if (said := {key: name for key, name in names.items() if name in entries})
    ]
    return "\n\n".join(s.rstrip() for s in sections) or None


# What a family of numbers raises where a docstring does not say it.
OF_NUMBERS = """Raises:
    TypeError: For arguments of other types.
    ValueError: For numbers outside their range."""


def arguments_of(text: str) -> dict[str, str]:
    """Return what a docstring says of arguments, by name."""
    sections = inspect.cleandoc(text).split("\n\n")
    found = [_entries(section) for section in sections if section.startswith("Args:\n")]
    return {name: said.rstrip() for entries in found for name, said in entries.items()}


def completed(text: str, declared: Iterable[str], told: Mapping[str, str], raises: str = "") -> str:
    """Return a docstring together with what its family says once for all.

    Args:
        text: The docstring; what it says of an argument itself, or of errors, stays.
        declared: Names of the arguments, in their order.
        told: What the family says of arguments, by name.
        raises: The section ``Raises``, for a docstring that has none.
    """
    entries = {**told, **arguments_of(text)}
    sections = inspect.cleandoc(text).split("\n\n")
    sections = [section for section in sections if not section.startswith("Args:\n")]
    said = [f"\n    {name}: {entries[name]}" for name in declared if name in entries]
    if said:
        sections.insert(_place(sections, ()), "Args:" + "".join(said))
    if raises and not any(section.startswith("Raises:\n") for section in sections):
        sections.insert(_place(sections, ("Args", "Inputs", "Returns")), raises)
    return "\n\n".join(sections)


def _place(sections: list[str], before: tuple[str, ...]) -> int:
    """Return where a section goes: after the text, and after the sections in ``before``."""
    titled = (i for i, s in enumerate(sections) if i and _SECTION.match(s))
    return next((i for i in titled if not sections[i].startswith(before or "\n")), len(sections))


class Documented:
    """Base of a family: its members' docstrings are completed by what their bases say.

    What a base says of an argument stands in its own docstring or in ``_told``, by name; ``_kinds``
    has a text by annotation, and ``_raises`` a section for docstrings that have none.
    """

    _told: Mapping[str, str] = {}
    _kinds: Mapping[str, str] = {}
    _raises: str = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        text = vars(cls).get("__doc__")
        if not text or not cls.__module__.startswith("msgrad."):
            return
        if cls._told or cls._kinds or cls._raises:
            declared = inspect.unwrap(cls.__init__).__annotations__
            kinds = {n: cls._kinds[kind] for n, kind in declared.items() if kind in cls._kinds}
            cls.__doc__ = completed(text, declared, {**kinds, **cls._told}, cls._raises)
        if "Args:\n" in text:
            cls._told = {**cls._told, **arguments_of(text)}
