"""Writes the golden files beside it with the real MindSpore; ``test_golden.py`` reads them.

Run as ``python -m tests.interop.golden.record`` with an interpreter that has MindSpore, from the
root of the repository. All values follow from names and positions, so nothing else is recorded.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DTYPES = (
    *("float16", "float32", "float64", "bfloat16", "bool_"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)
MORE_MODES = ("AES-CBC", "SM4-CBC")
APPENDED = {"epoch": 3, "rate": 0.5, "done": True, "note": "größer 😀", "empty": ""}


def main() -> None:
    """Write every file anew."""
    import mindspore as ms
    from mindspore import Parameter, Tensor, nn
    from mindspore.train import serialization

    def path(name: str) -> str:
        return str(HERE / name)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([nn.Dense(3, 2), nn.Dense(2, 2)])
            self.scale = Parameter(Tensor([0.5, -0.5], ms.float32), name="scale")

        def construct(self, x):
            return self.layers[1](self.layers[0](x)) * self.scale

    net = Net()
    for number, param in enumerate(net.get_parameters()):
        param.set_data(Tensor(np.arange(param.size).reshape(param.shape) + number, param.dtype))
    ms.save_checkpoint(net, path("nested.ckpt"), append_dict=APPENDED)
    adam = nn.Adam(net.trainable_params(), 0.1)
    adam(tuple(Tensor(np.ones(p.shape), p.dtype) for p in net.trainable_params()))

    values = [
        {"name": f"{dtype}.{shape}", "data": Tensor(np.ones(shape), getattr(ms, dtype))}
        for dtype in DTYPES
        for shape in ((), (1,), (2, 3))
    ]
    ms.save_checkpoint(adam, path("adam.ckpt"), crc_check=True)
    ms.save_checkpoint(values, path("dtypes.ckpt"), crc_check=True)
    ms.save_checkpoint(values, path("dtypes.safetensors"), format="safetensors")
    ms.save_checkpoint(
        net,
        path("summed.safetensors"),
        format="safetensors",
        append_dict={"epoch": 3, "rate": 0.5},
        crc_check=True,
    )
    complex_value = Tensor(np.array([1 + 2j, -3j], np.complex64))
    ms.save_checkpoint([{"name": "c", "data": complex_value}], path("complex64.ckpt"))
    key = b"0123456789abcdef"
    ms.save_checkpoint(net, path("encrypted.ckpt"), enc_key=key)
    for mode in MORE_MODES:
        ms.save_checkpoint(net, path(f"encrypted_{mode}.ckpt"), enc_key=key, enc_mode=mode)
    # In KiB.
    serialization.SLICE_SIZE = 1
    long = [
        {"name": "first", "data": Tensor([1.0], ms.float32)},
        {"name": "long", "data": Tensor(np.arange(700).reshape(7, 100), ms.float32)},
        {"name": "last", "data": Tensor([2.0], ms.float32)},
    ]
    ms.save_checkpoint(long, path("split.ckpt"), crc_check=True)
    for file in (*HERE.glob("*.ckpt"), *HERE.glob("*.safetensors")):
        file.chmod(0o644)


if __name__ == "__main__":
    main()
