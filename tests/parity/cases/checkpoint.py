"""Checkpoints: what is written, read, filtered, loaded into a Cell, and refused."""

import os
import stat
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.parity.case import case


class Net(nn.Cell):
    def __init__(self, dtype=None):
        super().__init__()
        kind = dtype or ms.float32
        self.w = Parameter(Tensor([1, 2], kind), name="w")
        self.b = Parameter(Tensor([5], kind), name="b")


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = nn.CellList([nn.Dense(2, 3), nn.Dense(3, 2)])
        self.tail = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
        self.frozen = Parameter(Tensor([1.0], ms.float32), name="frozen", requires_grad=False)


def numbered(net):
    """Fill the parameters with values that follow from their position."""
    for number, param in enumerate(net.get_parameters()):
        param.set_data(Tensor(np.arange(param.size).reshape(param.shape) + number, param.dtype))
    return net


def make(value, dtype="float32", name="x"):
    return Parameter(Tensor(np.array(value), getattr(ms, dtype)), name=name)


def through(save_obj, name="a.ckpt", load=None, **options):
    """Save and load in a folder of its own; returns what was loaded and the file's bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        ms.save_checkpoint(save_obj, path, **options)
        with open(path, "rb") as file:
            content = file.read()
        return ms.load_checkpoint(path, **(load or {})), content


def loaded_from(save_obj=None, saved=None, **options):
    """Save (a Net, unless another object is given) and load with ``options``."""
    return through(save_obj or Net(), load=options, **(saved or {}))[0]


@case
def nested_cells():
    return through(numbered(Nested()))


@case
def optimizer_state():
    net = numbered(Net())
    adam = nn.Adam(net.trainable_params(), 0.1)
    adam((Tensor([1.0, 2.0], ms.float32), Tensor([3.0], ms.float32)))
    return list(through(adam)[0].values())


@case
def optimizer_state_restored():
    def step(adam):
        adam((Tensor([1.0, 2.0], ms.float32), Tensor([3.0], ms.float32)))

    first = nn.Adam(Net().trainable_params(), 0.1)
    step(first)
    restored = nn.Adam(Net().trainable_params(), 0.1)
    names = ms.load_param_into_net(restored, through(first)[0])
    step(restored)
    return names, list(restored.get_parameters())


_DTYPES = (
    *("float16", "float32", "float64", "bfloat16", "bool_"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)


@case.table({dtype: (dtype,) for dtype in _DTYPES})
def bytes_of_dtype(dtype):
    shapes = {"matrix": [[0, 1], [2, 3]], "vector": [1], "scalar": 1}
    values = [
        {"name": name, "data": Tensor(np.array(value), getattr(ms, dtype))}
        for name, value in shapes.items()
    ]
    return through(values, crc_check=True)


_APPENDED = {
    "int": (3,),
    "negative": (-3,),
    "big": (2**40,),
    "float": (2.5,),
    "float_beyond_float32": (1e300,),
    "bool": (True,),
    "str": ("größer 😀",),
    "empty_str": ("",),
}


@case.table(_APPENDED)
def appended(value):
    return through([], append_dict={"value": value})


@case
def appended_tensors():
    extra = {"t": Tensor([1, 2]), "s": Tensor(3.0), "p": make([1.0], name="other"), "w": 7}
    return through(Net(), append_dict=extra)


@case.table(
    {
        "list": (list,),
        "int_key": (lambda: {1: 2},),
        "list_value": (lambda: {"a": [1]},),
        "None_value": (lambda: {"a": None},),
        "numpy_float32": (lambda: {"a": np.float32(1)},),
    }
)
def wrong_append_dict(value):
    return through(Net(), append_dict=value())


_OBJECTS = {
    "list_of_parameters": (lambda: [make([1.0], name="p"), make([2], "int32", name="q")],),
    "list_of_dicts": (lambda: [{"name": "p", "data": Tensor([1.0])}],),
    "dict_of_more": (lambda: [{"name": "p", "data": Tensor([1.0]), "more": 1}],),
    "same_name_twice": (
        lambda: [{"name": "p", "data": Tensor([1.0])}, {"name": "p", "data": Tensor([2.0])}],
    ),
    "dict_of_parameters": (lambda: {"key": make([1.0], name="other")},),
    "parameters_dict": (lambda: Net().parameters_dict(),),
    "dict_of_array": (lambda: {"a": np.ones(2)},),
    "dict_of_str": (lambda: {"a": "text"},),
}


@case.table(_OBJECTS)
def save_obj(made):
    return through(made())


_WRONG_OBJECTS = {
    "int": (lambda: 3,),
    "None": (lambda: None,),
    "str": (lambda: "x",),
    "tuple": (lambda: (1,),),
    "list_of_int": (lambda: [1],),
    "no_name": (lambda: [{"data": Tensor([1.0])}],),
    "no_data": (lambda: [{"name": "x"}],),
    "int_name": (lambda: [{"name": 1, "data": Tensor([1.0])}],),
    "int_data": (lambda: [{"name": "x", "data": 1}],),
    "array_data": (lambda: [{"name": "x", "data": np.ones(2)}],),
    "str_data": (lambda: [{"name": "x", "data": "s"}],),
    "int_key": (lambda: {1: make([1.0])},),
}


@case.table(_WRONG_OBJECTS)
def wrong_save_obj(made):
    return through(made())


@case.table({"int": (3,), "None": (None,), "str": ("x",)}, message=True)
def save_obj_of_another_kind(value):
    return through(value)


@case
def renamed_parameter():
    net = Net()
    net.w.name = "renamed"
    return list(through(net)[0])


@case
def shared_cell():
    class Shared(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first = nn.Dense(1, 1)
            self.second = self.first

    return list(through(Shared())[0])


# Names of files -----------------------------------------------------------------------------


@case.table(
    {
        "bare": ("x", "ckpt"),
        "ckpt": ("x.ckpt", "ckpt"),
        "other_ending": ("x.txt", "ckpt"),
        "safetensors_ending": ("x.safetensors", "ckpt"),
        "bare_safetensors": ("x", "safetensors"),
        "safetensors": ("x.safetensors", "safetensors"),
        "ckpt_ending": ("x.ckpt", "safetensors"),
        "only_the_ending": (".ckpt", "ckpt"),
    }
)
def name_and_mode(name, format):
    with tempfile.TemporaryDirectory() as folder:
        returned = ms.save_checkpoint(Net(), os.path.join(folder, name), format=format)
        made = sorted(os.listdir(folder))
        modes = [oct(stat.S_IMODE(os.stat(os.path.join(folder, n)).st_mode)) for n in made]
        return returned, made, modes


@case
def replaces_a_read_only_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.ckpt")
        ms.save_checkpoint(Net(), path)
        ms.save_checkpoint([make([3.0], name="new")], path)
        return ms.load_checkpoint(path), sorted(os.listdir(folder))


@case.table({"int": (3,), "None": (None,), "folder": (".",)})
def wrong_name(name):
    return ms.save_checkpoint(Net(), name)


@case.table({"missing": ("missing/x.ckpt",), "folder": ("made.ckpt",)})
def wrong_folder(name):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "made.ckpt"))
        return ms.save_checkpoint(Net(), os.path.join(folder, name))


@case.table(
    {
        "integrated_save": ({"integrated_save": 1},),
        "async_save_int": ({"async_save": 1},),
        "async_save_str": ({"async_save": "x"},),
        "enc_key": ({"enc_key": "x"},),
        "enc_mode": ({"enc_mode": 1},),
        "choice_func": ({"choice_func": 3},),
        "crc_check": ({"crc_check": 1},),
        "format": ({"format": "x"},),
        "format_int": ({"format": 1},),
        "safetensors_key": ({"format": "safetensors", "enc_key": b"0123456789abcdef"},),
    }
)
def wrong_save_option(options):
    with tempfile.TemporaryDirectory() as folder:
        return ms.save_checkpoint(Net(), os.path.join(folder, "x"), **options)


@case.table(
    {
        "unknown": ({"unknown": 3},),
        "incremental": ({"incremental": True},),
        "choice_func": ({"choice_func": lambda name: name == "w"},),
        "choice_func_appended": (
            {"choice_func": lambda name: name == "w", "append_dict": {"n": 1}},
        ),
        "choice_func_number": ({"choice_func": lambda name: 1},),
        "crc_check": ({"crc_check": True},),
    }
)
def save_option(options):
    return loaded_from(saved=options)


# Loading ------------------------------------------------------------------------------------

_EXTRA = {"epoch": 3, "note": "text"}


@case.table(
    {
        "filter": ({"filter_prefix": "w"},),
        "filter_two": ({"filter_prefix": ["w", "b"]},),
        "filter_tuple": ({"filter_prefix": ("epoch",)},),
        "filter_all": ({"filter_prefix": ["w", "b", "e", "n"]},),
        "specify": ({"specify_prefix": "w"},),
        "specify_two": ({"specify_prefix": ["w", "no"]},),
        "specify_nothing": ({"specify_prefix": "zzz"},),
        "both": ({"filter_prefix": "w", "specify_prefix": ["w", "b"]},),
        "choice": ({"choice_func": lambda name: name == "b"},),
        "choice_nothing": ({"choice_func": lambda name: False},),
        "choice_and_filter": ({"choice_func": lambda name: name == "b", "filter_prefix": "w"},),
        "crc_check": ({"crc_check": True},),
        "remove_redundancy": ({"remove_redundancy": True},),
        "strict_load": ({"strict_load": 1},),
        "dec_mode": ({"dec_mode": "any"},),
    }
)
def load_option(options):
    return loaded_from(saved={"append_dict": _EXTRA}, **options)


@case.table(
    {
        "filter_int": ({"filter_prefix": 3},),
        "filter_list_of_int": ({"filter_prefix": [3]},),
        "filter_empty": ({"filter_prefix": ""},),
        "filter_empty_list": ({"filter_prefix": []},),
        "specify_int": ({"specify_prefix": 3},),
        "specify_empty": ({"specify_prefix": ""},),
        "choice": ({"choice_func": 3},),
        "dec_key": ({"dec_key": "x"},),
        "dec_mode": ({"dec_mode": 3},),
        "crc_check": ({"crc_check": 1},),
        "remove_redundancy": ({"remove_redundancy": 1},),
        "format": ({"format": "x"},),
        "other_format": ({"format": "safetensors"},),
        "net": ({"net": 3},),
    }
)
def wrong_load_option(options):
    return loaded_from(**options)


@case.table({"int": (3,), "None": (None,)}, message=True)
def load_of_another_kind(name):
    return ms.load_checkpoint(name)


@case.table(
    {"missing": ("no.ckpt",), "bare": ("no",), "ending": ("no.txt",), "empty": ("",)},
    message=True,
)
def load_of_a_wrong_name(name):
    return ms.load_checkpoint(name)


_DAMAGE = {
    "empty": (lambda content: b"",),
    "garbage": (lambda content: b"garbage!" * 10,),
    "first_byte": (lambda content: content[:1],),
    "half": (lambda content: content[: len(content) // 2],),
    "all_but_one": (lambda content: content[:-1],),
    "in_the_checksum": (lambda content: content[:-3],),
    "flipped": (lambda content: content[:20] + bytes([content[20] ^ 1]) + content[21:],),
    "text_behind": (lambda content: content + b"more",),
}


@case.table(_DAMAGE)
def damaged(damage):
    content = through(Net(), crc_check=True)[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.ckpt")
        with open(path, "wb") as file:
            file.write(damage(content))
        return ms.load_checkpoint(path, crc_check=True)


@case
def folder_as_file():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "x.ckpt"))
        return ms.load_checkpoint(os.path.join(folder, "x.ckpt"))


@case
def loaded_into_a_net():
    net = Net()
    loaded = loaded_from([make([7, 8], name="w"), make([9], name="b")], net=net)
    return loaded, list(net.get_parameters())


@case
def loaded_asynchronously():
    with tempfile.TemporaryDirectory() as folder:
        ms.save_checkpoint(Net(), os.path.join(folder, "x.ckpt"))
        return ms.load_checkpoint_async(os.path.join(folder, "x.ckpt")).result()


@case
def missing_file_asynchronously():
    return ms.load_checkpoint_async("no.ckpt").result()


# Safetensors --------------------------------------------------------------------------------


def safetensors(save_obj, load=None, **options):
    loaded, content = through(
        save_obj,
        "a.safetensors",
        {"format": "safetensors", **(load or {})},
        format="safetensors",
        **options,
    )
    # MindSpore numbers the names of the Parameters.
    return {key: value.value() for key, value in loaded.items()}, content


# MindSpore 2.10 loads bfloat16, but cannot show its values then.
@case.table({dtype: (dtype,) for dtype in _DTYPES if dtype != "bfloat16"})
def safetensors_of_dtype(dtype):
    values = [
        {"name": "matrix", "data": Tensor(np.array([[0, 1], [2, 3]]), getattr(ms, dtype))},
        {"name": "scalar", "data": Tensor(1, getattr(ms, dtype))},
    ]
    return safetensors(values)


# The order of the metadata in the file is by chance, so the content is not compared here.
@case
def safetensors_checksum():
    values = {"epoch": 3, "rate": 0.5, "done": True}
    saved = safetensors(Net(), load={"crc_check": True}, append_dict=values, crc_check=True)
    return saved[0]


@case.table(
    {
        "filter": ({"filter_prefix": "w"},),
        "specify": ({"specify_prefix": "w"},),
        "choice": ({"choice_func": lambda name: name == "w"},),
        "choice_nothing": ({"choice_func": lambda name: False},),
        "dec_key": ({"dec_key": b"0123456789abcdef"},),
        "crc_check_without": ({"crc_check": True},),
    }
)
def safetensors_option(options):
    return safetensors(Net(), load=options)[0]


@case.table(
    {
        "empty": (lambda content: b"",),
        "garbage": (lambda content: b"garbage!" * 10,),
        "half": (lambda content: content[: len(content) // 2],),
        "all_but_one": (lambda content: content[:-1],),
        "flipped": (lambda content: content[:-1] + bytes([content[-1] ^ 1]),),
    }
)
def safetensors_damaged(damage):
    content = safetensors(Net(), crc_check=True)[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.safetensors")
        with open(path, "wb") as file:
            file.write(damage(content))
        return ms.load_checkpoint(path, format="safetensors", crc_check=True)


# Into a network -----------------------------------------------------------------------------


def into(net, values, **options):
    """Load and return the names and what the parameters are then."""
    names = ms.load_param_into_net(net, values, **options)
    return names, list(net.get_parameters())


def entries(*names):
    """Parameters of two or one elements, by names that end in w or b."""
    return {
        name: make([10 * i, 10 * i + 1] if name.endswith("w") else [10 * i], name=name)
        for i, name in enumerate(names, 1)
    }


@case.table(
    {
        "all": (("w", "b"),),
        "one_missing": (("w",),),
        "one_more": (("w", "b", "q.b"),),
        "none": ((),),
        "prefix": (("net.w", "net.b"),),
        "prefix_of_one": (("net.w", "b"),),
        "two_prefixes": (("net.w", "foo.b"),),
        "two_prefixes_reversed": (("foo.b", "net.w"),),
        "deep_prefix": (("a.net.w", "a.net.b"),),
        "prefix_and_another": (("net.w", "net.zb"),),
        "prefix_without_dot": (("xw", "b"),),
        "moments_too": (("net.w", "moment1.net.w", "net.b", "moment1.net.b"),),
        "moments_first": (("moment1.net.w", "net.w", "moment1.net.b", "net.b"),),
        "one_prefix_inside_another": (("x.y.w", "y.b"),),
        "candidates": (("x.w", "y.w", "b"),),
    }
)
def names(given):
    return into(Net(), entries(*given))


def same_names():
    """A Cell with two parameters of one name, as a GAN's two optimizers have."""
    cell = nn.Cell()
    cell.first = nn.SGD([make([1.0], name="first")], 0.1)
    cell.second = nn.SGD([make([2.0], name="second")], 0.2)
    return cell


@case
def parameters_of_one_name_saved():
    return through(same_names())


@case
def parameters_of_one_name_loaded():
    return into(same_names(), {"learning_rate": make(0.5), "first": make([3.0])})


@case
def parameters_of_one_name_missing():
    return into(same_names(), {"first": make([3.0])})


@case
def nothing_in_common():
    return into(Net(), {"q": make([1.0])})


class Holder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.other = Parameter(Tensor([0.0], ms.float32), name="other")


@case
def the_net_has_the_prefix():
    return into(Holder(), entries("w", "b"))


@case.table({"equal": (("w", "b"),), "missing": (("w",),), "prefix": (("net.w", "net.b"),)})
def names_with_strict_load(given):
    return into(Net(), entries(*given), strict_load=True)


@case
def strings_are_passed_over():
    return into(Net(), {"w": "x", **entries("b"), "note": "y"})


_KINDS = ("float16", "float32", "float64", "bfloat16", "int8", "int32", "int64", "uint8", "bool_")


@case.table({f"{a}_from_{b}": (a, b) for a in _KINDS for b in _KINDS if a != b})
def converted(ours, theirs):
    values = {"w": make([0, 1], theirs), "b": make([1], theirs)}
    return into(Net(getattr(ms, ours)), values)


@case.table({f"{a}_from_{b}": (a, b) for a in _KINDS[:5] for b in _KINDS[:5]})
def converted_with_strict_load(ours, theirs):
    values = {"w": make([0, 1], theirs), "b": make([1], theirs)}
    return into(Net(getattr(ms, ours)), values, strict_load=True)


@case.table(
    {
        "longer": ([1, 2, 3],),
        "scalar": (1,),
        "row": ([[1, 2]],),
        "column": ([[1], [2]],),
        "matrix": ([[1, 2], [3, 4]],),
    }
)
def shape(value):
    return into(Net(), {"w": make(value), "b": make([9])})


@case
def shape_with_prefix():
    return into(Net(), {"net.w": make([1, 2, 3]), "net.b": make([9])})


@case
def unchanged_after_an_error_in_the_first():
    net = Net()
    try:
        ms.load_param_into_net(net, {"w": make([1, 2, 3]), "b": make([9])})
    except RuntimeError as error:
        return str(error)[:60], list(net.get_parameters())


@case
def unchanged_after_an_error_in_the_last():
    net = Net()
    try:
        ms.load_param_into_net(net, {"w": make([7, 8]), "b": make([9, 9])})
    except RuntimeError as error:
        return str(error)[:60], list(net.get_parameters())


@case
def frozen_stays_frozen():
    net = Net()
    net.w.requires_grad = False
    return into(net, entries("w", "b"))


@case
def the_parameter_stays_and_shares_nothing():
    net, values = Net(), entries("w", "b")
    weight = net.w
    ms.load_param_into_net(net, values)
    values["w"].set_data(Tensor([0.0, 0.0], ms.float32))
    return weight is net.w, net.w


@case.table(
    {
        "net": (lambda: (3, {}),),
        "dict_int": (lambda: (Net(), 3),),
        "dict_list": (lambda: (Net(), []),),
        "int": (lambda: (Net(), {"w": 1}),),
        "array": (lambda: (Net(), {"w": np.ones(2, np.float32)}),),
    },
    message=True,
)
def wrong_argument(arguments):
    return ms.load_param_into_net(*arguments())


@case.table(
    {
        "tensor": (lambda: {"w": Tensor([1.0, 2.0])},),
        "key": (lambda: {1: make([1.0])},),
    }
)
def wrong_entry(values):
    return ms.load_param_into_net(Net(), values())


@case.table(
    {
        "strict_load": ({"strict_load": 1},),
        "remove_redundancy_int": ({"remove_redundancy": 1},),
        "remove_redundancy": ({"remove_redundancy": True},),
    },
    message=True,
)
def wrong_option(options):
    return ms.load_param_into_net(Net(), entries("w", "b"), **options)


@case
def wrong_strict_load_into_a_net():
    return loaded_from(net=Net(), strict_load=1)


@case
def wrong_prefix_before_a_missing_file():
    return ms.load_checkpoint("missing.ckpt", filter_prefix=3)


@case
def log_settings():
    return type(ms.log.get_level()), sorted(ms.log.get_log_config())
