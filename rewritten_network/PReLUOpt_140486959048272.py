import sys
import mindspore
from mindspore import nn
from mindspore.nn import Cell
from mindspore.ops import functional as F
#
#
sys.path.insert(0, '/venvs/ms/lib/python3.11/site-packages/mindspore/ops/auto_generate')
from mindspore.ops.auto_generate.gen_ops_prim import *
from mindspore.ops.auto_generate.pyboost_inner_prim import *
from mindspore.ops.operations.manually_defined.ops_def import *
from mindspore.ops.auto_generate.gen_ops_def import cast_op

def cast_opt(input, dtype):
    cast_op_var = cast_op(input, dtype)
    return cast_op_var
#
sys.path.insert(0, '/venvs/ms/lib/python3.11/site-packages/mindspore/nn/layer')
from mindspore.nn.cell import Cell
from activation import PReLU
from mindspore.train.amp import amp_cast

class PReLUOpt(PReLU, Cell):

    def __init__(self, obj):
        Cell.__init__(self)
        for key, value in obj.__dict__.items():
            setattr(self, key, value)

    def construct(self, x):
        cast_var = cast_opt(self.w, x.dtype)
        x = amp_cast(x, mindspore.float16)
        cast_var = amp_cast(cast_var, mindspore.float16)
        prelu_var = self.prelu(x, cast_var)
        prelu_var = amp_cast(prelu_var, mindspore.float32)
        return prelu_var
#