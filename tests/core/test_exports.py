"""``public_names``: what a module defines, not what it imports."""

from __future__ import annotations

import functools
from types import ModuleType

from msgrad._core.exports import public_names


def module_of(source: str, name: str = "house") -> dict[str, object]:
    module = ModuleType(name)
    exec(source, vars(module))
    return vars(module)


SOURCE = """
import functools
from collections import OrderedDict
from math import sqrt

LIMIT = 3

class Room: ...
class _Cellar: ...
def enter(): ...
def _hide(): ...
key = functools.partial(enter)
opened = functools.wraps(enter)(functools.partial(enter))
class Guest:
    def __call__(self): ...
guest = Guest()
Chamber = Room
"""


def test_it_lists_classes_and_functions_of_the_module():
    listed = public_names(module_of(SOURCE))
    assert listed == ["Chamber", "Guest", "Room", "enter", "opened"]


def test_further_names_are_given():
    assert public_names(module_of(SOURCE), "LIMIT", "Room", "sqrt")[:3] == [
        "Chamber",
        "Guest",
        "LIMIT",
    ]


def test_a_package_lists_what_its_modules_define_and_not_its_namesakes():
    package = module_of("def own(): ...")
    for name in ("house.kitchen", "household", "other"):
        found = module_of(f"def {name.replace('.', '_')}(): ...", name)
        package.update((k, v) for k, v in found.items() if k[0] != "_")
    package["made"] = functools.partial(print)
    assert public_names(package) == ["house_kitchen", "own"]


def test_names_of_a_layer_above_are_exported_too():
    names: dict[str, object] = {}
    exec("from msgrad.nn import *", names)
    assert {"Cell", "Conv2d", "Adam", "MSELoss", "Accuracy", "rearrange_inputs"} <= names.keys()
    assert "public_names" not in names
