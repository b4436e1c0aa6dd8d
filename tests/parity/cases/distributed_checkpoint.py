"""Checkpoints of several devices, each of a part, joined by what a strategy file says."""

import os
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.parity.case import case

WEIGHT = np.arange(8, dtype=np.float32).reshape(2, 4)
BIAS = np.array([5, 6], np.float32)


def field(number, content):
    """Encode a field of a protobuf message: bytes, or a small number."""
    if isinstance(content, int):
        return bytes([number * 8]) + varint(content)
    return bytes([number * 8 + 2, len(content)]) + content


def varint(number):
    number %= 2**64
    found = []
    while number > 127:
        found.append(number % 128 + 128)
        number //= 128
    return bytes([*found, number])


def layout(name, devices, cut, step=0, parts=0):
    own = [field(1, varints(devices)), field(2, varints(cut)), field(3, b""), field(4, b"")]
    own += [field(5, 0), field(6, step), field(7, parts)]
    return field(3, field(1, name.encode()) + field(2, b"".join(own)))


def varints(numbers):
    return field(1, b"".join(map(varint, numbers)))


def write(file, *layouts):
    with open(file, "wb") as opened:
        opened.write(field(1, 0) + b"".join(layouts))


def saved(**values):
    return [{"name": name, "data": Tensor(value)} for name, value in values.items()]


def four_devices():
    write("s.ckpt", layout("weight", [2, 2], [1, 0]), layout("bias", [2, 2], [1]))
    for device in range(4):
        i, j = divmod(device, 2)
        part = {"weight": WEIGHT[i : i + 1, 2 * j : 2 * j + 2], "bias": BIAS[i : i + 1]}
        ms.save_checkpoint(saved(**part), f"r{device}.ckpt")
    return [f"r{device}.ckpt" for device in range(4)]


def in_a_folder(function):
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return function()
        finally:
            os.chdir(before)


def loaded(files, path="s.ckpt", net=None, **options):
    net = net or nn.Dense(4, 2)
    made = ms.load_distributed_checkpoint(net, files, None, path, **options)
    return made, net.weight.asnumpy(), net.bias.asnumpy()


def by_context():
    files = four_devices()
    ms.set_auto_parallel_context(strategy_ckpt_load_file="s.ckpt")
    try:
        return loaded(files, None)
    finally:
        ms.reset_auto_parallel_context()


def repeated():
    write("s.ckpt", layout("weight", [2, 2], [-1, 0]))
    for device in range(4):
        j = device % 2
        ms.save_checkpoint(saved(weight=WEIGHT[:, 2 * j : 2 * j + 2]), f"r{device}.ckpt")
    return loaded([f"r{device}.ckpt" for device in range(4)])[1]


def optimizer():
    write("s.ckpt", layout("weight", [2], [-1, -1], 1, 2))
    for device in range(2):
        ms.save_checkpoint(saved(weight=WEIGHT[device : device + 1]), f"r{device}.ckpt")
    return loaded(["r0.ckpt", "r1.ckpt"])[1]


def one_more():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor(np.zeros((2, 4), np.float32)), name="weight")
            self.bias = Parameter(Tensor([1.0, 1.0]), name="other")

    return loaded(four_devices(), net=Net())


WAYS = {
    "four": lambda: loaded(four_devices()),
    "context": by_context,
    "repeated": repeated,
    "optimizer": optimizer,
    "one_more": one_more,
    "too_few": lambda: loaded(four_devices()[:2]),
    "no_strategy": lambda: loaded(four_devices(), None),
    "no_such_strategy": lambda: loaded(four_devices(), "nothing.ckpt"),
    "no_such_file": lambda: loaded([*four_devices()[:3], "nothing.ckpt"]),
    "other_shape": lambda: loaded(four_devices(), net=nn.Dense(4, 3)),
    "no_cell": lambda: loaded(four_devices(), net=3),
    "no_dict": lambda: ms.load_distributed_checkpoint(nn.Dense(4, 2), four_devices(), 3, "s.ckpt"),
}


@case.table({name: (way,) for name, way in WAYS.items()})
def load(way):
    return in_a_folder(way)


def merged(count=4, strategy=True):
    parts = [ms.load_checkpoint(file)["weight"] for file in four_devices()[:count]]
    given = (ms.build_searched_strategy("s.ckpt"),) if strategy else ()
    return ms.merge_sliced_parameter(parts, *given)


MERGES = {"by_layout": (4, True), "in_a_row": (4, False), "too_few": (2, True)}


@case.table(MERGES)
def merge(count, strategy):
    return in_a_folder(lambda: merged(count, strategy))


STRATEGIES = {"absent": ("nothing.ckpt",), "number": (3,)}


@case.table(STRATEGIES)
def strategy_of(path):
    return ms.build_searched_strategy(path)


@case
def names_of_a_strategy():
    def run():
        four_devices()
        return sorted(ms.build_searched_strategy("s.ckpt"))

    return in_a_folder(run)
