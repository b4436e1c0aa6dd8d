import sys
import mindspore
from mindspore import nn
from mindspore.nn import Cell
from mindspore.ops import functional as F
#
#
sys.path.insert(0, '/venvs/ms/lib/python3.11/site-packages/mindspore/nn/layer')

def _deconv_output_length(is_valid, is_same, is_pad, input_length, filter_size, stride_size, dilation_size, padding):
    length = 0
    sub_var_1 = dilation_size - 1
    sub_var = filter_size - 1
    mult_var = sub_var * sub_var_1
    filter_size = filter_size + mult_var
    if is_valid:
        sub_var_2 = filter_size - stride_size
        compare_var = sub_var_2 > 0
        if compare_var:
            mult_var_1 = input_length * stride_size
            add_var = mult_var_1 + filter_size
            length = add_var - stride_size
        else:
            length = input_length * stride_size
    elif is_same:
        length = input_length * stride_size
    elif is_pad:
        mult_var_2 = input_length * stride_size
        sub_var_3 = mult_var_2 - padding
        add_var_2 = sub_var_3 + filter_size
        length = add_var_2 - stride_size
    return length
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
from mindspore import ops
from conv import Conv2dTranspose
from mindspore.train.amp import amp_cast

class Conv2dTransposeOpt(Conv2dTranspose, _ConvOpt):

    def __init__(self, obj):
        _ConvOpt.__init__(self)
        for key, value in obj.__dict__.items():
            setattr(self, key, value)

    def shard(self, strategy):
        self.conv2d_transpose.shard(strategy)
        return self

    def construct(self, x):
        n, _, h, w = self.shape(x)
        add_var_1 = self.padding_top + self.padding_bottom
        subscript_var_9 = self.dilation[0]
        subscript_var_8 = self.stride[0]
        subscript_var_7 = self.kernel_size[0]
        h_out = _deconv_output_length(self.is_valid, self.is_same, self.is_pad, h, subscript_var_7, subscript_var_8, subscript_var_9, add_var_1)
        add_var = self.padding_left + self.padding_right
        subscript_var_6 = self.dilation[1]
        subscript_var_5 = self.stride[1]
        subscript_var_4 = self.kernel_size[1]
        w_out = _deconv_output_length(self.is_valid, self.is_same, self.is_pad, w, subscript_var_4, subscript_var_5, subscript_var_6, add_var)
        tuple_var_5 = (n, self.out_channels, h_out, w_out)
        x_var = amp_cast(x, mindspore.float16)
        weight_var = amp_cast(self.weight, mindspore.float16)
        tuple_var_5 = amp_cast(tuple_var_5, mindspore.float16)
        conv2d_trans_ret = self.conv2d_transpose(x_var, weight_var, tuple_var_5)
        conv2d_trans_ret = amp_cast(conv2d_trans_ret, mindspore.float32)
        if self.has_bias:
            conv2d_trans_ret = self.bias_add(conv2d_trans_ret, self.bias)
        isinstance_var = isinstance(self.output_padding, tuple)
        if isinstance_var:
            subscript_var_4_6 = self.stride[0]
            subscript_var_4_5 = self.dilation[0]
            max_var_1 = max(subscript_var_4_5, subscript_var_4_6)
            subscript_var_4_4 = self.output_padding[0]
            compare_var_4 = subscript_var_4_4 >= max_var_1
            subscript_var_4_3 = self.output_padding[0]
            compare_var_3 = subscript_var_4_3 < 0
            or_var_1 = compare_var_3 or compare_var_4
            if or_var_1:
                raise ValueError('output_padding[0] must be in range of [0, max(stride_h, dilation_h)).')
            subscript_var_4_2 = self.stride[1]
            subscript_var_4_1 = self.dilation[1]
            max_var = max(subscript_var_4_1, subscript_var_4_2)
            subscript_var_3 = self.output_padding[1]
            compare_var_2 = subscript_var_3 >= max_var
            subscript_var_2 = self.output_padding[1]
            compare_var_1 = subscript_var_2 < 0
            or_var = compare_var_1 or compare_var_2
            if or_var:
                raise ValueError('output_padding[1] must be in range of [0, max(stride_w, dilation_w)).')
            not_var = not self.is_pad
            and_var = not_var and (self.output_padding[0] > 0 or self.output_padding[1] > 0)
            if and_var:
                raise ValueError("when output_padding is not zero, pad_mode must be 'pad'")
            subscript_var_1 = self.output_padding[1]
            tuple_var_4 = (0, subscript_var_1)
            subscript_var = self.output_padding[0]
            tuple_var_3 = (0, subscript_var)
            tuple_var_2 = (0, 0)
            tuple_var_1 = (0, 0)
            tuple_var = (tuple_var_1, tuple_var_2, tuple_var_3, tuple_var_4)
            pad = ops.Pad(paddings=tuple_var)
            pad_var = pad(conv2d_trans_ret)
            return pad_var
        compare_var_4 = self.output_padding == 0
        if compare_var_4:
            return conv2d_trans_ret
        subscript_var_3 = self.stride[0]
        subscript_var_2 = self.dilation[0]
        max_var_1 = max(subscript_var_2, subscript_var_3)
        compare_var_3 = self.output_padding >= max_var_1
        compare_var_2 = self.output_padding < 0
        or_var_1 = compare_var_2 or compare_var_3
        if or_var_1:
            raise ValueError('output_padding must be in range of [0, max(stride_h, dilation_h)).')
        subscript_var_1 = self.stride[1]
        subscript_var = self.dilation[1]
        max_var = max(subscript_var, subscript_var_1)
        compare_var_1 = self.output_padding >= max_var
        compare_var = self.output_padding < 0
        or_var = compare_var or compare_var_1
        if or_var:
            raise ValueError('output_padding must be in range of [0, max(stride_w, dilation_w)).')
        not_var = not self.is_pad
        and_var = not_var and self.output_padding > 0
        if and_var:
            raise ValueError("when output_padding is not zero, pad_mode must be 'pad'")
        tuple_var_4 = (0, self.output_padding)
        tuple_var_3 = (0, self.output_padding)
        tuple_var_2 = (0, 0)
        tuple_var_1 = (0, 0)
        tuple_var = (tuple_var_1, tuple_var_2, tuple_var_3, tuple_var_4)
        pad = ops.Pad(paddings=tuple_var)
        pad_var = pad(conv2d_trans_ret)
        return pad_var
#