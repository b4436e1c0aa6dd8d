"""state_dict and load_state_dict: what each cell of a tree does, and hooks on any of them."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.parity.case import case


def value(*shape, start=0.0):
    return Tensor(np.arange(start, start + np.prod(shape)).reshape(shape), ms.float32)


class Leaf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(value(2), name="w")
        self.register_buffer("kept", value(2))
        self.register_buffer("left", value(2), persistent=False)


class Net(nn.Cell):
    def __init__(self, leaf=Leaf):
        super().__init__()
        self.a = leaf()
        self.b = nn.SequentialCell(nn.Dense(2, 2, weight_init=value(2, 2)), nn.ReLU())
        self.own = Parameter(value(1), name="own", requires_grad=False)


def noted(entry):
    return sorted(entry) if isinstance(entry, dict) else type(entry).__name__


HOOKS = (
    "register_state_dict_pre_hook",
    "register_state_dict_post_hook",
    "register_load_state_dict_pre_hook",
    "register_load_state_dict_post_hook",
)


@case.table({f"{name}-{path or 'self'}": (name, path) for name in HOOKS for path in ("", "a", "b")})
def hooks_at(name, path):
    net, log = Net(), []
    cell = getattr(net, path) if path else net
    handle = getattr(cell, name)(
        lambda *a: log.append([noted(i) if not isinstance(i, (str, bool)) else i for i in a[:5]])
    )
    net.state_dict(prefix="x.")
    net.load_state_dict(net.state_dict())
    calls = len(log)
    handle.remove()
    net.load_state_dict(net.state_dict())
    return log, len(log) == calls


@case
def metadata():
    return list(Net().state_dict()._metadata.items())


@case
def positional_arguments():
    found = {}
    return Net().state_dict(found, "q.", True) is found, list(found), hasattr(found, "_metadata")


class MoreSaved(Leaf):
    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "more"] = value(1)


class LessSaved(Leaf):
    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        found = super().state_dict(
            *args, destination=destination, prefix=prefix, keep_vars=keep_vars
        )
        del found[prefix + "w"]
        return found


class Extra(Leaf):
    def get_extra_state(self):
        return {"steps": 3}

    def set_extra_state(self, state):
        self.steps = state["steps"]


@case.table({"more": (MoreSaved,), "less": (LessSaved,), "extra": (Extra,)})
def saved_by_a_child(leaf):
    return list(Net(leaf).state_dict())


class Renamed(Leaf):
    def _load_from_state_dict(self, state_dict, prefix, *rest):
        if prefix + "old" in state_dict:
            state_dict[prefix + "w"] = state_dict.pop(prefix + "old")
        super()._load_from_state_dict(state_dict, prefix, *rest)


def without_w(net, **more):
    return {**{k: v for k, v in net.state_dict().items() if k != "a.w"}, **more}


@case
def loaded_by_a_child():
    net = Net(Renamed)
    report = net.load_state_dict(without_w(net, **{"a.old": value(2, start=5.0)}))
    return net.a.w, list(map(list, report))


@case
def renamed_by_a_hook():
    net = Net()

    def rename(cell, found, prefix, *rest):
        found[prefix + "w"] = found.pop(prefix + "old")

    net.a.register_load_state_dict_pre_hook(rename)
    net.load_state_dict(without_w(net, **{"a.old": value(2, start=5.0)}))
    return net.a.w


@case
def extra_state():
    net = Net(Extra)
    net.load_state_dict(net.state_dict())
    return net.a.steps


@case
def missing_names_taken_out_by_a_hook():
    net = Net()
    net.a.register_load_state_dict_post_hook(lambda cell, report: report.missing_keys.clear())
    return list(map(list, net.load_state_dict(without_w(net))))


@case(message=True)
def error_of_a_hook():
    net = Net()
    net.a.register_load_state_dict_pre_hook(lambda *a: a[-1].append("not today"))
    net.load_state_dict(net.state_dict())


@case.table({"before": ("register_state_dict_post_hook",), "after": (HOOKS[3],)})
def hook_that_returns(name):
    net = Net()
    getattr(net, name)(lambda *a: 3)
    net.load_state_dict(net.state_dict())


@case
def by_one_cell_alone():
    leaf, found, names = Leaf(), {}, ([], [], [])
    leaf._save_to_state_dict(found, "q.", False)
    given = {"q.w": value(2, start=7.0), "q.z": 3, "q.kept": 3, "q.x.y": 1, "other": 1}
    leaf._load_from_state_dict(given, "q.", {}, True, *names)
    return list(found), leaf.w, names


@case.table(
    {
        "number": ({"own": 3},),
        "list": ({"own": [1.0]},),
        "none": ({"own": None},),
        "shape": ({"own": value(3)},),
        "scalar": ({"own": Tensor(1.0)},),
        "names": ({"own": value(1), "z": value(1), "a.z": value(1), "a.z.y": value(1)},),
    },
    message=True,
)
def refused(given):
    Net().load_state_dict({"own": value(1), **given})


@case
def shared_cell():
    net = Net()
    net.c = net.a
    return list(net.state_dict()), list(net.parameters_dict())


class Shown(nn.Cell):
    def __init__(self, text, child=False):
        super().__init__()
        self.text = text
        if child:
            self.inner = nn.ReLU()

    def extend_repr(self):
        return self.text


@case.table({"lines": ("one\ntwo",), "line": ("one",), "nothing": ("",)})
def shown_in_lines(text):
    cells = [Shown(text), Shown(text, child=True)]
    return [repr(cell) for cell in (*cells, nn.SequentialCell(cells))]


@case.table(
    {
        "args": ((value(2),),),
        "three": ((1, 2, 3),),
        "number": (3,),
        "list": ([1, 2],),
        "pair": (((value(2),), {"scale": 4.0}),),
    }
)
def given_by_a_hook_with_kwargs(given):
    class Scaled(nn.Cell):
        def construct(self, x, scale=1.0):
            return x * scale

    cell = Scaled()
    cell.register_forward_pre_hook(lambda *a: given, with_kwargs=True)
    return cell(value(2, start=1.0), scale=2.0)
