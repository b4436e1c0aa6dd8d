"""What ``msgrad.dataset`` leaves out of MindSpore's, each with the way that is open instead."""

from msgrad._core.left_out import left_out_all

_READ = "read its files in a class with __getitem__ and __len__, and give that to GeneratorDataset"
_PIPELINE = "iterate over the dataset and look at what comes; it is plain Python here"

_ROWS = {
    _READ: "TedliumDataset",
    "copy the files here, then read them with MindDataset": "OBSMindDataset",
    "write the dataset as a function": "serialize deserialize",
    _PIPELINE: "compare show",
    "map with a function that prints": "DebugHook PrintDataHook PrintMetaDataHook",
    "one process reads its own files": "sync_wait_for_dataset",
}
_NAMES = left_out_all(__name__, "a part of MindSpore's datasets", _ROWS)
globals().update(_NAMES)

_DEBUG = ("DebugHook", "PrintDataHook", "PrintMetaDataHook")
__all__ = sorted(_NAMES.keys() - _DEBUG)
