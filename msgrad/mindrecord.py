"""``mindspore.mindrecord``: left out. MindRecord is a file format of MindSpore's own.

Its files are read with MindSpore; what is written anew can be TFRecord, NumPy or image files.
"""

from msgrad._core.left_out import left_out_all
from msgrad._core.missing import missing_names

SUCCESS = 0
FAILED = -1

_ROWS = {
    "keep the samples in files of NumPy or TFRecord, which dataset.GeneratorDataset and "
    "dataset.TFRecordDataset read": "FileWriter Cifar10ToMR Cifar100ToMR CsvToMR ImageNetToMR "
    "MnistToMR TFRecordToMR",
    "convert the file where MindSpore is installed, then read it with "
    "dataset.GeneratorDataset": "FileReader MindPage",
    "it is of the MindRecord format, which is not here": "set_enc_key set_enc_mode set_dec_mode",
}
_NAMES = left_out_all(__name__, "a part of the MindRecord format", _ROWS)
globals().update(_NAMES)

__all__ = ["FAILED", "SUCCESS", *_NAMES]  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = missing_names(__name__)
