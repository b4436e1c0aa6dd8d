"""Fourier transforms."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
    **{
        n: (lambda wide, n=n: getattr(ops, n)(wide))
        for n in [
            "fft",
            "fft2",
            "fftn",
            "ifft",
            "ifft2",
            "ifftn",
            "rfft",
            "rfft2",
            "rfftn",
            "irfft",
            "irfft2",
            "irfftn",
            "hfft",
            "hfft2",
            "hfftn",
            "ihfft",
            "ihfft2",
            "ihfftn",
            "fftshift",
            "ifftshift",
        ]
    },
    **{
        n + "_c": (lambda cwide, n=n: getattr(ops, n)(cwide))
        for n in [
            "fft",
            "fft2",
            "fftn",
            "ifft",
            "ifft2",
            "ifftn",
            "irfft",
            "irfft2",
            "irfftn",
            "hfft",
            "hfft2",
            "hfftn",
            "fftshift",
        ]
    },
    "fft_n": lambda wide: (ops.fft(wide, 4, 0, "ortho"), ops.fft(wide, 2, -1, "forward")),
    "rfftn_s": lambda wide: ops.rfftn(wide, (4, 2), (0, 1)),
    "irfftn_s": lambda cwide: ops.irfftn(cwide, (4, 2), (0, 1)),
    "hfftn_s": lambda cwide: ops.hfftn(cwide, (4, 2), (0, 1)),
    "fft_int": lambda ints: ops.fft(ints),
    "fftfreq": lambda: ops.fftfreq(5, 0.5),
    "rfftfreq": lambda: ops.rfftfreq(5, 0.5),
    "FFTWithSize": lambda cwide: ops.FFTWithSize(2, False, False)(cwide),
    "FFTWithSize_r": lambda wide: ops.FFTWithSize(1, False, True)(wide),
    "FFTWithSize_rt": lambda wide: ops.FFTWithSize(2, False, True, onesided=False, norm="ortho")(
        wide
    ),
    "FFTWithSize_i": lambda cwide: ops.FFTWithSize(1, True, False, "ortho")(cwide),
    "FFTWithSize_ir": lambda cwide: ops.FFTWithSize(1, True, True, signal_sizes=(4,))(cwide),
    "stft": lambda line8: ops.stft(line8, 4, 2, 4, return_complex=True),
    "stft_real": lambda line8: ops.stft(line8, 4, 2, 4, return_complex=False),
    "STFT": lambda line8, four: ops.STFT(4, 2, 4, False, True, False)(line8, four),
}
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = ("stft", "stft_real", "STFT")


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT)


OF_COMPLEX = {
    "rfft": lambda x: (ops.rfft(x), ops.rfft(x, 5), ops.rfft(x, norm="ortho")),
    "rfft_gradient": lambda x: ms.grad(lambda x: ops.rfft(x).abs().sum())(x),
    "rfftn": lambda x: (ops.rfftn(x), ops.rfft2(x.reshape(1, 3))),
    "ihfft": lambda x: (ops.ihfft(x), ops.ihfft(x, 2), ops.ihfftn(x)),
    "rows": lambda x: ops.rfft(ops.stack([x, x + x])),
}


@case.table({name: (call,) for name, call in OF_COMPLEX.items()}, tol=1e-5)
def real_transform_of_complex(call):
    return call(Tensor(np.array([1 + 1j, 2, 3j], np.complex64)))
