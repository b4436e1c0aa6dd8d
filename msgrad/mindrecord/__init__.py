"""``mindspore.mindrecord``: files of rows in MindSpore's own format, written and read.

How a file is laid out is in ``_format.py``; ``dataset.MindDataset`` reads them for training.
"""

from msgrad._core.left_out import left_out_all
from msgrad._core.missing import missing_names
from msgrad.mindrecord._converters import Cifar10ToMR as Cifar10ToMR
from msgrad.mindrecord._converters import Cifar100ToMR as Cifar100ToMR
from msgrad.mindrecord._converters import CsvToMR as CsvToMR
from msgrad.mindrecord._converters import ImageNetToMR as ImageNetToMR
from msgrad.mindrecord._converters import MnistToMR as MnistToMR
from msgrad.mindrecord._converters import TFRecordToMR as TFRecordToMR
from msgrad.mindrecord._format import MindRecordException as MindRecordException
from msgrad.mindrecord.filereader import FileReader as FileReader
from msgrad.mindrecord.filewriter import FileWriter as FileWriter

SUCCESS = 0
FAILED = -1

_ROWS = {
    "dataset.MindDataset takes a sampler and columns": "MindPage",
    "files are written and read as they are": "set_enc_key set_enc_mode set_dec_mode",
}
_NAMES = left_out_all(__name__, "a part of the MindRecord format", _ROWS)
globals().update(_NAMES)

__all__ = [
    *("FAILED", "SUCCESS", "Cifar10ToMR", "Cifar100ToMR", "CsvToMR", "FileReader", "FileWriter"),
    *("ImageNetToMR", "MnistToMR", "TFRecordToMR"),
    *_NAMES,
]

__getattr__ = missing_names(__name__)
