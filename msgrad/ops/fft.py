"""Discrete Fourier transforms: a table over ``jnp.fft``, and the short-time transform.

Integers and bools are taken as float32; a float64 or complex128 Tensor gives complex128.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_complex, is_inexact
from msgrad._core.registry import function
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import axes, need
from msgrad.ops.creation import ones

Norm = str | None
_NORMS = (None, "backward", "forward", "ortho")


def _ready(x: Array, norm: Norm) -> Array:
    one_of("", "norm", norm, *_NORMS)
    return x if is_inexact(x.dtype) and x.dtype.itemsize > 2 else x.astype(jnp.float32)


def _line(name: str, compute: Callable[..., Array], summary: str) -> Any:
    """Make a transform of one dimension."""

    def kernel(input: Array, n: int | None = None, dim: int = -1, norm: Norm = None) -> Array:
        return compute(_ready(input, norm), n, axes(dim, input.ndim)[0], norm)

    return operator(
        name,
        product=True,
        int_grad=True,
        summary=f"{summary} along ``dim``, cut or padded to ``n``.",
    )(kernel)


def _grid(name: str, compute: Callable[..., Array], summary: str, *, last: bool) -> Any:
    """Make a transform of several dimensions: of the ``last`` two, or of all, by default."""

    def kernel(
        input: Array,
        s: tuple[int, ...] | None = None,
        dim: tuple[int, ...] | None = None,
        norm: Norm = None,
    ) -> Array:
        x = _ready(input, norm)
        if dim is None and s is not None:
            named = tuple(range(input.ndim - len(s), input.ndim))
        else:
            named = axes(dim, input.ndim)
        if s is not None:
            s = tuple(x.shape[a] if n == -1 else n for n, a in zip(s, named, strict=True))
        return compute(x, s, named, norm)

    if last:
        kernel.__defaults__ = (None, (-2, -1), None)
    return operator(
        name, product=True, int_grad=True, summary=f"{summary} over the dimensions ``dim``."
    )(kernel)


def _half(real: Callable[..., Array], whole: Callable[..., Array]) -> Callable[..., Array]:
    """Return a transform of real numbers that takes complex ones: the half that is kept of all."""

    def compute(x: Array, size: Any, named: Any, norm: Norm) -> Array:
        if not is_complex(x.dtype):
            return real(x, size, named, norm)
        last = named if isinstance(named, int) else named[-1]
        found = whole(x, size, named, norm)
        return jax.lax.slice_in_dim(found, 0, found.shape[last] // 2 + 1, axis=last)

    return compute


# ``jnp.fft`` has no Hermitian transforms of several dimensions: they are real ones, conjugated.
def _hermitian(x: Array, s: Any, named: tuple[int, ...], norm: Norm) -> Array:
    swapped = {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, norm)
    return jnp.fft.irfftn(jnp.conj(x), s, named, swapped)


def _inverse_hermitian(x: Array, s: Any, named: tuple[int, ...], norm: Norm) -> Array:
    swapped = {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, norm)
    return jnp.conj(jnp.fft.rfftn(x, s, named, swapped))


_FORWARD, _INVERSE = "Compute the Fourier transform", "Compute the inverse Fourier transform"
_REAL, _REAL_INVERSE = f"{_FORWARD} of real numbers", f"{_INVERSE} to real numbers"
_HERMITIAN = "Compute the transform, real, of a Hermitian signal"
_INTO_HERMITIAN = "Compute the inverse of the transform of a Hermitian signal"

_rfftn, _ihfftn = (
    _half(real, whole)
    for real, whole in ((jnp.fft.rfftn, jnp.fft.fftn), (_inverse_hermitian, jnp.fft.ifftn))
)

fft = _line("FFT", jnp.fft.fft, _FORWARD)
ifft = _line("IFFT", jnp.fft.ifft, _INVERSE)
rfft = _line("RFFT", _half(jnp.fft.rfft, jnp.fft.fft), _REAL)
irfft = _line("IRFFT", jnp.fft.irfft, _REAL_INVERSE)
hfft = _line("HFFT", jnp.fft.hfft, _HERMITIAN)
ihfft = _line("IHFFT", _half(jnp.fft.ihfft, jnp.fft.ifft), _INTO_HERMITIAN)
fft2 = _grid("FFT2", jnp.fft.fftn, _FORWARD, last=True)
fftn = _grid("FFTN", jnp.fft.fftn, _FORWARD, last=False)
ifft2 = _grid("IFFT2", jnp.fft.ifftn, _INVERSE, last=True)
ifftn = _grid("IFFTN", jnp.fft.ifftn, _INVERSE, last=False)
rfft2 = _grid("RFFT2", _rfftn, _REAL, last=True)
rfftn = _grid("RFFTN", _rfftn, _REAL, last=False)
irfft2 = _grid("IRFFT2", jnp.fft.irfftn, _REAL_INVERSE, last=True)
irfftn = _grid("IRFFTN", jnp.fft.irfftn, _REAL_INVERSE, last=False)
hfft2 = _grid("HFFT2", _hermitian, _HERMITIAN, last=True)
hfftn = _grid("HFFTN", _hermitian, _HERMITIAN, last=False)
ihfft2 = _grid("IHFFT2", _ihfftn, _INTO_HERMITIAN, last=True)
ihfftn = _grid("IHFFTN", _ihfftn, _INTO_HERMITIAN, last=False)


@operator("FFTShift", int_grad=True)
def fftshift(input: Array, dim: Any = None) -> Array:
    """Move the frequency 0 to the middle of ``dim``, or of all dimensions."""
    return jnp.fft.fftshift(input, dim if dim == () else axes(dim, input.ndim))


@operator("IFFTShift", int_grad=True)
def ifftshift(input: Array, dim: Any = None) -> Array:
    """Move the frequency 0 from the middle of ``dim`` to the front: undo ``fftshift``."""
    return jnp.fft.ifftshift(input, dim if dim == () else axes(dim, input.ndim))


def _frequencies(name: str, compute: Callable[..., Array]) -> Any:
    def frequencies(n: int, d: float = 1.0, dtype: mstype.DType | None = None) -> Tensor:
        need(not isinstance(n, bool) and n > 0, "'n' must be a positive int", n)
        return Tensor(compute(n, d), mstype.float32 if dtype is None else dtype)

    frequencies.__doc__ = f"Return the frequencies of ``{name.removesuffix('freq')}``, float32."
    return function(name=name)(frequencies)


fftfreq = _frequencies("fftfreq", jnp.fft.fftfreq)
rfftfreq = _frequencies("rfftfreq", jnp.fft.rfftfreq)

_WITH_SIZE = "(signal_ndim, inverse, real, norm='backward', onesided=True, signal_sizes=())"


@operator("FFTWithSize", primitive=_WITH_SIZE)
def _fft_with_size(
    x: Array,
    signal_ndim: int,
    inverse: bool,
    real: bool,
    norm: str = "backward",
    onesided: bool = True,
    signal_sizes: tuple[int, ...] = (),
) -> Array:
    """Compute a Fourier transform of the last dimensions.

    Args:
        x: Tensor: complex, or real for a forward transform with ``real``.
        signal_ndim: 1, 2 or 3: how many dimensions.
        inverse: Whether to compute the inverse.
        real: Whether what is transformed, or comes out of the inverse, is real.
        norm: ``'backward'``, ``'forward'`` or ``'ortho'``.
        onesided: With ``real``, whether the half that the other follows from is left out.
        signal_sizes: Sizes of the result of a real inverse.
    """
    if is_complex(x.dtype) is (real and not inverse):
        raise ArgumentTypeError(f"a Tensor of dtype {x.dtype} cannot be transformed so.")
    named = tuple(range(-signal_ndim, 0))
    x = _ready(x, norm)
    if not real or (not onesided and not inverse):
        return (jnp.fft.ifftn if inverse else jnp.fft.fftn)(x, None, named, norm)
    if not inverse:
        return jnp.fft.rfftn(x, None, named, norm)
    if not onesided:
        return jnp.fft.ifftn(x, None, named, norm).real
    return jnp.fft.irfftn(x, signal_sizes or None, named, norm)


_STFT = "(n_fft, hop_length, win_length, normalized, onesided, return_complex)"


@operator("STFT", primitive=_STFT)
def _stft(
    x: Array,
    window: Array,
    n_fft: int,
    hop_length: int,
    win_length: int,
    normalized: bool,
    onesided: bool,
    return_complex: bool,
) -> Array:
    """Compute Fourier transforms of windows; all arguments are those of ``stft``."""
    before = (n_fft - win_length) // 2
    shape = jnp.pad(window, (before, n_fft - win_length - before))
    starts = jnp.arange(0, x.shape[-1] - n_fft + 1, hop_length)
    frames = x[..., starts[:, None] + jnp.arange(n_fft)] * shape
    compute = jnp.fft.rfft if onesided else jnp.fft.fft
    found = compute(frames, norm="ortho" if normalized else "backward")
    found = jnp.swapaxes(found, -1, -2)
    return found if return_complex else jnp.stack([found.real, found.imag], -1)


@function
def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "REFLECT",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    """Compute the short-time Fourier transform: how the frequencies of a signal change.

    Args:
        x: Tensor (L,) or (N, L), real or complex.
        n_fft: How many numbers each transform takes.
        hop_length: Distance between windows, ``n_fft // 4`` by default.
        win_length: Length of the window, ``n_fft`` by default.
        window: Tensor (win_length,), ones by default.
        center: Whether the signal is padded, so that windows are centred at their positions.
        pad_mode: How: ``'REFLECT'`` or another of ``numpy.pad``.
        normalized: Whether to divide by the root of ``n_fft``.
        onesided: Whether to leave out half; by default for real signals.
        return_complex: False for pairs of numbers; complex by default for complex signals.

    Returns:
        Tensor (..., frequencies, windows), of pairs in a last dimension if not complex.
    """
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    whole = is_complex(x.dtype.np_dtype)
    if window is None:
        window = ones((length,), mstype.float32)
    if center:
        x = _reflected(x, n_fft // 2, pad_mode.lower())
    half = not whole if onesided is None else onesided
    told = whole if return_complex is None else return_complex
    return _stft(x, window, n_fft, hop, length, normalized, half, told)


@operator("STFT")
def _reflected(x: Array, size: int, mode: str) -> Array:
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(size, size)], mode)  # type: ignore[arg-type]
