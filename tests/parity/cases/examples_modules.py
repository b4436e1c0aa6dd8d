"""Modules beside the operators: Fourier and cosine transforms, datasets, rate schedulers, files."""

import os
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import mindspore.numpy as mnp
import mindspore.scipy as msp
import mindspore.scipy.fft
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.dataset import transforms
from mindspore.experimental import optim

from tests.parity.case import case


def line():
    return Tensor([1.0, 3.0, 2.0, 5.0], ms.float32)


def plane():
    return Tensor([[1.0, 3.0, 2.0], [0.0, 5.0, 4.0]], ms.float32)


@case.table({name: (name,) for name in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]})
def fourier_line(name):
    transform = getattr(mnp.fft, name)
    return transform(line(), axis=0), transform(line(), 3, norm="ortho")


SPACES = "fft2 ifft2 rfft2 irfft2 hfft2 ihfft2 fftn ifftn rfftn irfftn hfftn ihfftn"


@case.table({name: (name,) for name in SPACES.split()})
def fourier_space(name):
    transform = getattr(mnp.fft, name)
    return transform(plane(), axes=(0, 1)), transform(a=plane(), s=(2, 2), norm="forward")


FOURIER = {
    "fftshift": lambda: mnp.fft.fftshift(x=line(), axes=0),
    "ifftshift": lambda: mnp.fft.ifftshift(plane(), axes=(1,)),
    "fftfreq": lambda: mnp.fft.fftfreq(5, d=0.5),
    "rfftfreq": lambda: mnp.fft.rfftfreq(n=4),
    "no_input": lambda: mnp.fft.fft(input=line()),
}
COSINE = {
    "dct": lambda: msp.fft.dct(line()),
    "idct": lambda: msp.fft.idct(line(), norm="ortho"),
    "dct_longer": lambda: msp.fft.dct(line(), 2, 6),
    "dct_cut": lambda: msp.fft.dct(plane(), n=1, axis=0),
    "dct_int": lambda: msp.fft.dct(Tensor([4, 1, 2])),
    "dct_float64": lambda: msp.fft.dct(Tensor([4, 1, 2], ms.float64)),
    "dct_type": lambda: msp.fft.dct(line(), 3),
    "dct_norm": lambda: msp.fft.dct(line(), norm="forward"),
    "dctn": lambda: msp.fft.dctn(plane()),
    "idctn": lambda: msp.fft.idctn(plane(), axes=(0,)),
    "dctn_cut": lambda: msp.fft.dctn(plane(), s=(3, 2), norm="ortho"),
}
ARRAYS = {
    "block_diag_int": lambda: msp.linalg.block_diag(Tensor([[4, 1]]), Tensor([[2], [3]])),
    "block_diag_float": lambda: msp.linalg.block_diag(line(), plane()),
    "result_type": lambda: str(mnp.result_type("i2", True)),
    "result_type_two": lambda: str(mnp.result_type("u1", ms.float16, 3)),
}


@case.table({name: (call,) for name, call in {**FOURIER, **COSINE, **ARRAYS}.items()})
def call(function):
    return function()


def schedulers():
    rates = optim.lr_scheduler
    sgd = optim.SGD(nn.Dense(2, 2).trainable_params(), lr=0.25)
    return {
        "StepLR": lambda: rates.StepLR(sgd, 3),
        "CyclicLR": lambda: rates.CyclicLR(sgd, 0.125, 0.5),
        "CosineAnnealingWarmRestarts": lambda: rates.CosineAnnealingWarmRestarts(sgd, 3),
        "SequentialLR": lambda: rates.SequentialLR(
            sgd, [rates.ConstantLR(sgd), rates.ConstantLR(sgd)], [1]
        ),
    }


@case
def scheduler_steps():
    return {name: make().step() for name, make in schedulers().items()}


@case
def plateau_step():
    sgd = optim.SGD(nn.Dense(2, 2).trainable_params(), lr=0.25)
    return optim.lr_scheduler.ReduceLROnPlateau(sgd).step(1.0)


@case
def group_start_id():
    sgd = optim.SGD(nn.Dense(2, 2).trainable_params(), lr=0.25)
    sgd.add_param_group({"params": [Parameter(line(), name="more")]})
    return sgd.group_start_id


@case.table({"no_dot": ("some_ckpt", "ckpt"), "other": ("some_ckpt", "safetensors")})
def checkpoint_name(name, form):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        ms.save_checkpoint({"a": Parameter(line(), name="a")}, path, format=form)
        return os.listdir(folder), ms.load_checkpoint(path)["a"].asnumpy()


def numbers(count=9, **options):
    return ds.NumpySlicesDataset(list(range(count)), "c", **options)


def values(dataset):
    return [row[0] for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def sampled(*steps, first=None):
    dataset = numbers(sampler=first) if first else numbers(shuffle=False)
    for name, sampler in steps:
        getattr(dataset, name)(sampler)
    return values(dataset), dataset.get_dataset_size()


def pair():
    return numbers(3, shuffle=False).concat(numbers(4, shuffle=False))


def picked(sampler):
    dataset = pair()
    dataset.use_sampler(sampler)
    return values(dataset), dataset.get_dataset_size()


def told(*steps):
    seen = []
    dataset = numbers(4, shuffle=False).sync_wait("go", callback=seen.append)
    dataset = dataset.map(lambda x: x + 1).batch(2)
    for number, row in enumerate(dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)):
        seen.append(row[0])
        dataset.sync_update("go", data=number)
    return seen


def schema():
    made = ds.Schema()
    made.add_column("a", ms.int64, [3])
    made.add_column("b", ms.uint8)
    return made


def ragged():
    return ds.NumpySlicesDataset([[5], [5, 6], [7, 8, 9]], "c", shuffle=False)


DATASETS = {
    "add_sampler": lambda: sampled(("add_sampler", ds.SequentialSampler(2, 4))),
    "add_to_sampler": lambda: sampled(
        ("add_sampler", ds.DistributedSampler(2, 0, shuffle=False)),
        first=ds.SequentialSampler(1, 6),
    ),
    "use_sampler": lambda: sampled(
        ("add_sampler", ds.SequentialSampler(2, 4)),
        ("use_sampler", ds.DistributedSampler(4, 1, shuffle=False)),
    ),
    "use_sampler_none": lambda: numbers().use_sampler(None),
    "use_sampler_list": lambda: numbers().use_sampler([1, 2]),
    "concat_shard": lambda: picked(ds.DistributedSampler(3, 1, shuffle=False)),
    "concat_sampler": lambda: picked(ds.SequentialSampler(1, 2)),
    "concat_num_samples": lambda: picked(ds.RandomSampler(num_samples=2)),
    "flat_map": lambda: values(
        ds.NumpySlicesDataset([[4, 1], [2, 3]], shuffle=False).flat_map(
            lambda row: ds.NumpySlicesDataset(row * 2, shuffle=False).repeat(2)
        )
    ),
    "flat_map_no_function": lambda: numbers().flat_map(3),
    "flat_map_no_dataset": lambda: numbers().flat_map(lambda x: x),
    "sync": told,
    "sync_twice": lambda: numbers().sync_wait("go").sync_wait("go"),
    "sync_unknown": lambda: numbers().sync_wait("go").sync_update("stop"),
    "sync_batch": lambda: numbers().sync_wait("go").sync_update("go", num_batch=0),
    "sync_wait_batch": lambda: numbers().sync_wait("go", 0),
    "to_json": lambda: (schema().to_json(), ds.Schema().to_json()),
    "ragged": lambda: values(ragged()),
    "ragged_padded": lambda: values(ragged().padded_batch(2, pad_info={})),
    "padded_by_function": lambda: values(
        ragged().padded_batch(lambda batch: batch.get_batch_num() + 1, pad_info={})
    ),
    "one_hot_column": lambda: transforms.OneHot(4)(np.array([[2], [0]], np.int32)),
}


@case.table({name: (function,) for name, function in DATASETS.items()})
def dataset(function):
    return function()


@case
def keys_of_state_dict():
    net = nn.Dense(2, 2)
    whole, none = net.load_state_dict(net.state_dict()), net.load_state_dict({}, strict=False)
    return repr(whole), str(whole), str(none)
