"""``mindspore.parallel.nn``: parts of a batch, one after another, are added up."""

import mindspore as ms
import numpy as np
from mindspore import nn
from mindspore.parallel import nn as cells

from tests.parity.case import case


class Sum(nn.Cell):
    def construct(self, x):
        return x.sum()


KINDS = ("GradAccumulation", "MicroBatchInterleaved", "Pipeline")


@case.table({kind: (kind,) for kind in KINDS})
def in_two_parts(kind):
    x = ms.Tensor(np.arange(8, dtype=np.float32).reshape(4, 2))
    return getattr(cells, kind)(Sum(), 2)(x)


@case.table({f"{kind}-{parts}": (kind, parts) for kind in KINDS for parts in ("a", 0)})
def wrong_parts(kind, parts):
    return getattr(cells, kind)(Sum(), parts)
