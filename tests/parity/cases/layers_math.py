"""Layers of matrices, special functions and images compared: values, gradients, wrong arguments."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.parity.case import case

APPROXIMATE = 5e-5


def waves(*shape, shift=0.0):
    return Tensor(np.sin(np.arange(np.prod(shape)) * 1.3 + shift).reshape(shape), ms.float32)


def square():
    return waves(3, 3)


def stack():
    return waves(2, 3, 3)


def vector():
    return waves(3)


def positive():
    return Tensor([[0.3, 1.5, 2.0], [4.5, 9.0, 20.0]], ms.float32)


def images():
    return (waves(2, 2, 8, 8) + 1) / 2


def others():
    return (waves(2, 2, 8, 8, shift=0.4) + 1) / 2


LAYERS = {
    "MatMul": (lambda: nn.MatMul(), square, square),
    "MatMul_t1": (lambda: nn.MatMul(True), square, square),
    "MatMul_t2": (lambda: nn.MatMul(False, True), stack, square),
    "MatMul_vectors": (lambda: nn.MatMul(True, True), vector, vector),
    "MatMul_left": (lambda: nn.MatMul(True), vector, stack),
    "MatMul_right": (lambda: nn.MatMul(), stack, vector),
    "L1Regularizer": (lambda: nn.L1Regularizer(0.5), square),
    "Unflatten": (lambda: nn.Unflatten(1, (3, 1)), square),
    "Unflatten_last": (lambda: nn.Unflatten(-1, [1, 3]), square),
    "LGamma": (lambda: nn.LGamma(), positive),
    "LGamma_below": (lambda: nn.LGamma(), lambda: positive() - 5.2),
    "DiGamma": (lambda: nn.DiGamma(), positive),
    "DiGamma_below": (lambda: nn.DiGamma(), lambda: positive() - 5.2),
    "IGamma": (lambda: nn.IGamma(), positive, lambda: positive() + 0.5),
    "LBeta": (lambda: nn.LBeta(), positive, lambda: positive() + 0.5),
    "CentralCrop": (lambda: nn.CentralCrop(0.5), images),
    "CentralCrop_odd": (lambda: nn.CentralCrop(0.4), stack),
    "CentralCrop_all": (lambda: nn.CentralCrop(1.0), images),
}


@case.table(LAYERS, tol=APPROXIMATE)
def value(make, *inputs):
    return make()(*[given() for given in inputs])


@case.table({k: v for k, v in LAYERS.items() if k not in ("IGamma", "LBeta")}, tol=APPROXIMATE)
def gradient(make, *inputs):
    layer = make()
    given = [value() for value in inputs]
    return ms.grad(lambda *a: (layer(*a) ** 2).sum(), tuple(range(len(given))))(*given)


IMAGES = {
    "SSIM": (lambda: nn.SSIM(filter_size=3),),
    "SSIM_settings": (lambda: nn.SSIM(2.0, 3, 0.8, 0.02, 0.05),),
    "MSSSIM": (lambda: nn.MSSSIM(1.0, (0.4, 0.6), 3),),
    "PSNR": (lambda: nn.PSNR(),),
    "PSNR_max": (lambda: nn.PSNR(2),),
}


@case.table(IMAGES, tol=APPROXIMATE)
def images_compared(make):
    # 2.10 fails on them in PYNATIVE mode, for a cast of the number max_val.
    ms.set_context(mode=ms.GRAPH_MODE)
    layer = make()
    return layer(images(), others()), ms.grad(layer, (0, 1))(images(), others())


@case
def bytes_compared():
    ms.set_context(mode=ms.GRAPH_MODE)
    first, second = ((v * 255).astype(ms.uint8) for v in (images(), others()))
    return nn.PSNR(255)(first, second), nn.MSSSIM(255, (0.4, 0.6), 3)(first, second)


MOMENTS = {
    "all": (lambda: nn.Moments(),),
    "0": (lambda: nn.Moments(0),),
    "pair": (lambda: nn.Moments((0, 2)),),
    "keep": (lambda: nn.Moments((1, 2), True),),
}


@case.table(MOMENTS, tol=APPROXIMATE)
def moments(make):
    def both(v):
        mean, variance = make()(v)
        return mean.sum() + (variance * variance).sum()

    return make()(stack()), make()(stack().astype(ms.float16)), ms.grad(both)(stack())


@case.table(
    {
        "limit": (lambda: nn.Range(1, 8, 2),),
        "one": (lambda: nn.Range(4),),
        "float": (lambda: nn.Range(0.5, 2.5, 0.5),),
        "down": (lambda: nn.Range(5, 1, -2),),
    }
)
def numbers(make):
    return make()()


@case
def image_gradients():
    first, second = nn.ImageGradients()(images())
    line = nn.ImageGradients()(waves(1, 1, 1, 3))
    slope = ms.grad(lambda v: sum((d * d).sum() for d in nn.ImageGradients()(v)))(images())
    return first, second, line, slope


@case
def parameters():
    layers = nn.SSIM(filter_size=3), nn.MSSSIM(1.0, (0.4, 0.6), 3)
    return [
        [(p.name, p.shape, p.requires_grad) for p in layer.get_parameters()] for layer in layers
    ]


@case.table(
    {
        "matmul": (lambda: nn.MatMul(1),),
        "matmul_sizes": (lambda: nn.MatMul()(square(), waves(2, 2)),),
        "moments": (lambda: nn.Moments("a"),),
        "moments_item": (lambda: nn.Moments(("a",)),),
        "moments_keep": (lambda: nn.Moments(0, 1),),
        "moments_dtype": (lambda: nn.Moments()(Tensor([1, 2])),),
        "range": (lambda: nn.Range(1, 2, 0),),
        "l1": (lambda: nn.L1Regularizer("a"),),
        "l1_0": (lambda: nn.L1Regularizer(0),),
        "l1_inf": (lambda: nn.L1Regularizer(float("inf")),),
        "unflatten": (lambda: nn.Unflatten("a", (1, 2)),),
        "unflatten_size": (lambda: nn.Unflatten(0, 2),),
        "unflatten_fit": (lambda: nn.Unflatten(1, (2, 2))(square()),),
        "roll": (lambda: nn.Roll("a", 0),),
        "roll_lengths": (lambda: nn.Roll([1, 2], [0]),),
        "lgamma": (lambda: nn.LGamma()(Tensor([1, 2])),),
        "digamma": (lambda: nn.DiGamma()(Tensor([1, 2])),),
        "igamma": (lambda: nn.IGamma()(Tensor([1, 2]), vector()),),
        "lbeta": (lambda: nn.LBeta()(Tensor([1, 2]), vector()),),
        "ssim": (lambda: nn.SSIM(0),),
        "ssim_max": (lambda: nn.SSIM("a"),),
        "ssim_filter": (lambda: nn.SSIM(filter_size=0),),
        "ssim_sigma": (lambda: nn.SSIM(filter_sigma=0.0),),
        "ssim_k": (lambda: nn.SSIM(k1=1),),
        "ssim_small": (lambda: nn.SSIM()(images(), others()),),
        "ssim_shapes": (lambda: nn.SSIM(filter_size=3)(images(), others()[:1]),),
        "ssim_dtypes": (lambda: nn.SSIM(filter_size=3)(images(), others().astype(ms.float16)),),
        "msssim": (lambda: nn.MSSSIM(power_factors=3),),
        "psnr": (lambda: nn.PSNR(-1),),
        "psnr_rank": (lambda: nn.PSNR()(square(), square()),),
        "image_gradients": (lambda: nn.ImageGradients()(square()),),
        "crop": (lambda: nn.CentralCrop(1),),
        "crop_0": (lambda: nn.CentralCrop(0.0),),
        "crop_rank": (lambda: nn.CentralCrop(0.5)(square()),),
        "unfold": (lambda: nn.Unfold(3, [1, 1, 1, 1], [1, 1, 1, 1]),),
        "unfold_form": (lambda: nn.Unfold([2, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1]),),
        "unfold_0": (lambda: nn.Unfold([1, 0, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1]),),
    }
)
def errors(call):
    return repr(call())
