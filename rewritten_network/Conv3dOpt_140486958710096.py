import sys
import mindspore
from mindspore import nn
from mindspore.nn import Cell
from mindspore.ops import functional as F
#
#
sys.path.insert(0, '/venvs/ms/lib/python3.11/site-packages/mindspore/nn/layer')
from mindspore.nn.cell import Cell
from conv import _Conv

class _ConvOpt(_Conv, Cell):

    def __init__(self):
        Cell.__init__(self)
        for key, value in _Conv.__dict__.items():
            if not key.startswith('__'):
                setattr(_ConvOpt, key, value)
#
sys.path.insert(0, '/venvs/ms/lib/python3.11/site-packages/mindspore/nn/layer')
from conv import Conv3d
from mindspore.train.amp import amp_cast

class Conv3dOpt(Conv3d, _ConvOpt):

    def __init__(self, obj):
        _ConvOpt.__init__(self)
        for key, value in obj.__dict__.items():
            setattr(self, key, value)

    def construct(self, x):
        compare_var = self.group == 1
        if compare_var:
            x_var = amp_cast(x, mindspore.float16)
            weight_var = amp_cast(self.weight, mindspore.float16)
            out = self.conv3d(x_var, weight_var)
            out = amp_cast(out, mindspore.float32)
            if self.has_bias:
                out = self.bias_add(out, self.bias)
        else:
            features = self.split_1(x)
            weights = self.split_0(self.weight)
            outputs = ()
            range_var = range(self.group)
            for i in range_var:
                subscript_var_1 = weights[i]
                subscript_var = features[i]
                subscript_var = amp_cast(subscript_var, mindspore.float16)
                subscript_var_1 = amp_cast(subscript_var_1, mindspore.float16)
                output = self.conv3d(subscript_var, subscript_var_1)
                output = amp_cast(output, mindspore.float32)
                tuple_var = (output,)
                outputs = outputs + tuple_var
            out = self.concat(outputs)
            compare_var_1 = self.bias is not None
            if compare_var_1:
                new_shape = [1 for _ in range(out.ndim)]
                new_shape[1] = self.out_channels
                reshape_var = self.bias.reshape(new_shape)
                out = out + reshape_var
        return out
#