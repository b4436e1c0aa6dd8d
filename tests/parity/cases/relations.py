"""Which public classes derive from which: programs ask ``isinstance(cell, nn.Conv2d)``."""

import mindspore as ms
from mindspore import mint, nn, train

from tests.parity.case import case

# Left out, or of msgrad alone.
# fmt: off
WITHOUT = {
    "AdaSumByDeltaWeightWrapCell", "AdaSumByGradWrapCell", "AvgPool1dExt", "AvgPool2dExt",
    "AvgPool3dExt", "BackupAndRestore", "Conv2dThor", "DenseThor", "Dropout2dExt", "DropoutExt",
    "EmbeddingExt", "EmbeddingLookupThor", "EmbeddingThor", "FlopsUtilizationCollector",
    "GetNextSingleOp", "L1LossExt", "LearningRateSchedule", "LayerNormExt", "LogSoftmaxExt",
    "MaxPool2dExt", "MultilabelMarginLoss", "OnRequestExit", "OptTFTWrapper", "PReLUExt",
    "PipelineGradReducer", "ProgressBar", "TrainFaultTolerance",
}
# fmt: on


def classes(module):
    names = set(getattr(module, "__all__", dir(module))) - WITHOUT
    found = {name: getattr(module, name) for name in names if not name.startswith("_")}
    return {name: value for name, value in found.items() if isinstance(value, type)}


@case.table({"nn": (nn, nn), "mint": (mint.nn, mint.nn), "both": (mint.nn, nn)})
def layers(module, other):
    pairs = [
        (name, base)
        for name, cls in classes(module).items()
        for base, parent in classes(other).items()
        if issubclass(cls, parent) and cls is not parent
    ]
    return sorted(f"{name} < {base}" for name, base in pairs if base != "Cell")


@case
def training():
    found = classes(train)
    pairs = [(a, b) for a in found for b in found if a != b and issubclass(found[a], found[b])]
    return sorted(f"{a} < {b}" for a, b in pairs), isinstance(ms.Parameter([1.0]), ms.Tensor)
