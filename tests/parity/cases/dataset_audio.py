"""``mindspore.dataset.audio``: transforms of sounds and their spectra."""

import mindspore.dataset as ds
import mindspore.dataset.audio as audio
import numpy as np

from tests.parity.case import case


def sound(*shape, kind=np.float32):
    at = np.arange(64)
    return (np.sin(at * 0.3) * 0.7 + np.cos(at * 1.3) * 0.2).astype(kind).reshape(shape or 64)


def spectrum(*shape):
    return np.abs(np.sin(np.arange(45))).reshape(shape or (9, 5)).astype(np.float32)


def pairs(*shape):
    return np.sin(np.arange(90)).reshape(shape or (9, 5, 2)).astype(np.float32)


def advance():
    return np.linspace(0, np.pi * 4, 9, dtype=np.float32)[:, None]


SPEC = {
    "n_fft": 16,
    "win_length": 16,
    "hop_length": 8,
    "pad": 0,
    "window": "HANN",
    "power": 2.0,
    "normalized": False,
    "center": True,
    "pad_mode": "REFLECT",
    "onesided": True,
}
MELS = {**SPEC, "f_min": 0.0, "f_max": 8000.0, "n_mels": 6, "norm": "NONE", "mel_scale": "HTK"}
KINDS = {
    "window": "WindowType",
    "pad_mode": "BorderType",
    "norm": "NormType",
    "mel_scale": "MelType",
}


def options(given):
    return {
        name: getattr(getattr(audio, KINDS[name]), value) if name in KINDS else value
        for name, value in given.items()
    }


# Name -> arguments; a name is told from others of its class after a mark.
OF_SOUND = {
    "AllpassBiquad": lambda: (16000, 2000.0),
    "BandBiquad": lambda: (16000, 2000.0),
    "BandBiquad-noise": lambda: (16000, 2000.0, 0.5, True),
    "BandpassBiquad": lambda: (16000, 2000.0),
    "BandpassBiquad-skirt": lambda: (16000, 2000.0, 0.5, True),
    "BandrejectBiquad": lambda: (16000, 2000.0),
    "BassBiquad": lambda: (16000, 3.0),
    "Biquad": lambda: (0.1, 0.2, 0.3, 1.0, 0.2, 0.1),
    "DeemphBiquad": lambda: (44100,),
    "DeemphBiquad-48": lambda: (48000,),
    "EqualizerBiquad": lambda: (16000, 2000.0, 3.0),
    "HighpassBiquad": lambda: (16000, 2000.0),
    "LowpassBiquad": lambda: (16000, 2000.0),
    "RiaaBiquad": lambda: (44100,),
    "RiaaBiquad-96": lambda: (96000,),
    "TrebleBiquad": lambda: (16000, 3.0),
    "LFilter": lambda: ([1.0, 0.2], [0.3, 0.1]),
    "LFilter-far": lambda: ([1.0, 0.2], [3.0, 0.1], False),
    "Filtfilt": lambda: ([1.0, 0.2, 0.1], [0.3, 0.1, 0.2]),
    "Contrast": tuple,
    "DCShift": lambda: (0.5,),
    "DCShift-down": lambda: (-0.8, 0.03),
    "Fade-quarter": lambda: (10, 5, audio.FadeShape.QUARTER_SINE),
    "Fade-half": lambda: (10, 5, audio.FadeShape.HALF_SINE),
    "Fade": lambda: (10, 5),
    "Fade-log": lambda: (10, 5, audio.FadeShape.LOGARITHMIC),
    "Fade-exp": lambda: (10, 5, audio.FadeShape.EXPONENTIAL),
    "Fade-long": lambda: (100, 5),
    "Gain": lambda: (2.0,),
    "Vol": lambda: (0.5,),
    "Vol-power": lambda: (0.5, audio.GainType.POWER),
    "Vol-db": lambda: (0.5, audio.GainType.DB),
    "Overdrive": tuple,
    "MuLawEncoding": tuple,
    "MuLawEncoding-few": lambda: (16,),
    "Resample": lambda: (16, 10),
    "Resample-kaiser": lambda: (10, 16, audio.ResampleMethod.KAISER_WINDOW, 4, 0.9, 10.0),
    "Resample-same": tuple,
    "Spectrogram": lambda: (16,),
    "Spectrogram-complex": lambda: (16, None, None, 0, audio.WindowType.HANN, 0.0),
    "Spectrogram-norm": lambda: (16, None, None, 0, audio.WindowType.HANN, 1.0, True),
    "Spectrogram-cut": lambda: (16, 10, 4, 3, audio.WindowType.HAMMING, 2.0, False, False),
    "Spectrogram-bartlett": lambda: (16, 16, 8, 0, audio.WindowType.BARTLETT),
    "Spectrogram-blackman": lambda: (16, 16, 8, 0, audio.WindowType.BLACKMAN),
    "Spectrogram-kaiser": lambda: (16, 16, 8, 0, audio.WindowType.KAISER),
    "SpectralCentroid": lambda: (16000, 16),
    "MelSpectrogram": lambda: (16000, 16, None, None, 0.0, None, 0, 4),
    "MFCC": lambda: (16000, 3, 2, audio.NormMode.ORTHO, False, options(MELS)),
    "MFCC-log": lambda: (16000, 3, 2, audio.NormMode.NONE, True, options(MELS)),
    "LFCC": lambda: (16000, 6, 3, 0.0, 8000.0, 2, audio.NormMode.ORTHO, False, options(SPEC)),
    "LFCC-log": lambda: (16000, 6, 3, 0.0, 8000.0, 2, audio.NormMode.NONE, True, options(SPEC)),
}


@case.table({name: (name, make) for name, make in OF_SOUND.items()}, tol=2e-4)
def of_sound(name, make):
    return getattr(audio, name.partition("-")[0])(*make())(sound())


@case.table({name: (name,) for name in ("CONSTANT", "EDGE", "SYMMETRIC")}, tol=2e-4)
def padded(name):
    return audio.Spectrogram(16, pad_mode=getattr(audio.BorderType, name))(sound())


@case(tol=2e-4)
def channels():
    x = sound(2, 32)
    found = audio.LowpassBiquad(16000, 2000.0)(x), audio.Spectrogram(16, onesided=False)(x)
    return *found, audio.Resample(10, 16)(x)


# 2.10 has the coefficients in float32.
@case(tol=1e-6)
def of_kinds():
    low = audio.LowpassBiquad(16000, 2000.0)(sound(kind=np.float64))
    gains = audio.Gain(2.0)(sound(kind=np.float64)), audio.Gain(2.0)(np.arange(4))
    return low, *gains, audio.MuLawDecoding()(np.arange(0, 256, 40))


@case.table({"up": (0.8,), "down": (-0.8,)})
def shifted(shift):
    return audio.DCShift(shift)(sound())


@case.table({"up": (0.5, 0.05), "down": (-0.5, 0.05), "less": (-0.5, 0.02), "far": (-1.0, 0.05)})
def shifted_with_a_limit(shift, gain):
    return audio.DCShift(shift, gain)(np.linspace(-1, 1, 21, dtype=np.float32))


OF_SPECTRUM = {
    "mel": lambda: audio.MelScale(4, 16000, n_stft=9)(spectrum()),
    "mel_slaney": lambda: audio.MelScale(
        4, 16000, 20.0, 6000.0, 9, audio.NormType.SLANEY, audio.MelType.SLANEY
    )(spectrum(1, 9, 5)),
    "mel_shape": lambda: audio.MelScale(4, n_stft=5)(spectrum()),
    "db": lambda: audio.AmplitudeToDB()(spectrum()),
    "db_magnitude": lambda: audio.AmplitudeToDB(audio.ScaleType.MAGNITUDE, 2.0, 1e-5, 3.0)(
        np.stack([spectrum(), spectrum() * 9])
    ),
    "db_batch": lambda: audio.AmplitudeToDB(top_db=3.0)(
        np.stack([spectrum(), spectrum() * 9])[:, None]
    ),
    "db_least": lambda: audio.AmplitudeToDB(audio.ScaleType.POWER, 0.1, 0.5, 1e6)(
        np.array([[0.0, 1e-12, 1e-5, 1.0, -1.0]], np.float32)
    ),
    "db_of_sound": lambda: audio.AmplitudeToDB()(sound()),
    "amplitude": lambda: audio.DBToAmplitude(2.0, 0.5)(spectrum()),
    "deltas": lambda: audio.ComputeDeltas()(spectrum()),
    "deltas_reflect": lambda: audio.ComputeDeltas(3, audio.BorderType.REFLECT)(spectrum()),
    "deltas_constant": lambda: audio.ComputeDeltas(3, audio.BorderType.CONSTANT)(spectrum()),
    "frequencies": lambda: audio.FrequencyMasking(False, 3, 2, 1.0)(spectrum()),
    "times": lambda: audio.TimeMasking(False, 2, 1, 5.0)(spectrum()),
    "mask": lambda: audio.MaskAlongAxis(1, 2, 7.0, 1)(spectrum(1, 9, 5)),
    "mask_far": lambda: audio.MaskAlongAxis(4, 3, 7.0, 2)(spectrum()),
    "mask_none": lambda: audio.MaskAlongAxisIID(0, 7.0, 2)(spectrum()),
    "angle": lambda: audio.Angle()(pairs()),
    "norm": lambda: audio.ComplexNorm(2.0)(pairs()),
    "norm_shape": lambda: audio.ComplexNorm(2.0)(spectrum()),
    "both": lambda: audio.Magphase(2.0)(pairs()),
    "inverse": lambda: audio.InverseSpectrogram(None, 16)(pairs()),
    "inverse_norm": lambda: audio.InverseSpectrogram(20, 16, normalized=True)(pairs()),
    "inverse_apart": lambda: audio.InverseSpectrogram(None, 16, center=False)(pairs()),
    "inverse_long": lambda: audio.InverseSpectrogram(200, 16)(pairs()),
    "times_none_far": lambda: audio.TimeMasking(False, 0, 300)(spectrum()),
    "faster": lambda: audio.PhaseVocoder(1.3, advance())(pairs()),
    "slower": lambda: audio.TimeStretch(8, 9, 0.8)(pairs()),
    "stretch_none": lambda: audio.TimeStretch(8, 9)(pairs(1, 9, 5, 2)),
    "stretch_no_batch": lambda: audio.TimeStretch(8, 9)(pairs()),
    "stretch_batches": lambda: audio.TimeStretch(8, 9, 1.0)(pairs(3, 1, 3, 5, 2)),
    "stretch_flat": lambda: audio.TimeStretch(8, 9)(pairs(45, 2)),
    "dct": lambda: audio.create_dct(3, 4),
    "dct_ortho": lambda: audio.create_dct(3, 4, audio.NormMode.ORTHO),
    "linear": lambda: audio.linear_fbanks(9, 0.0, 8000.0, 4, 16000),
    "bank": lambda: audio.melscale_fbanks(9, 0.0, 8000.0, 4, 16000),
    "bank_slaney": lambda: audio.melscale_fbanks(
        9, 20.0, 8000.0, 4, 16000, audio.NormType.SLANEY, audio.MelType.SLANEY
    ),
}


@case.table({name: (make,) for name, make in OF_SPECTRUM.items()}, tol=1e-4)
def of_spectrum(make):
    return make()


def frames(*shape):
    return np.sin(np.arange(np.prod(shape or (9, 3))) * 1.7).reshape(shape or (9, 3))


def tone(*shape):
    at = np.arange(np.prod(shape or (600,)))
    return (np.sin(at * 0.3) * 0.7 + np.cos(at * 1.3) * 0.2).reshape(shape or (600,))


def mels(*shape):
    return np.abs(np.sin(np.arange(np.prod(shape)))).reshape(shape).astype(np.float32)


EFFECTS = {
    "cmn": lambda: audio.SlidingWindowCmn(4, 2)(frames()),
    "cmn_center": lambda: audio.SlidingWindowCmn(4, 2, True)(frames()),
    "cmn_deviation": lambda: audio.SlidingWindowCmn(5, 3, False, True)(frames(2, 9, 3)),
    "cmn_both": lambda: audio.SlidingWindowCmn(5, 3, True, True)(frames(2, 9, 3)),
    "cmn_all": lambda: audio.SlidingWindowCmn()(frames()),
    "cmn_one": lambda: audio.SlidingWindowCmn(1, 1, True, True)(frames()),
    "cmn_flat": lambda: audio.SlidingWindowCmn()(frames(9)),
    "cmn_integers": lambda: audio.SlidingWindowCmn()(np.arange(12).reshape(4, 3)),
    "pitch": lambda: audio.DetectPitchFrequency(16000)(tone(2, 4000)),
    "pitch_options": lambda: audio.DetectPitchFrequency(30, 0.1, 3, 5, 25)(tone(60)),
    "pitch_even": lambda: audio.DetectPitchFrequency(30, 0.1, 4, 5, 25)(tone(60)),
    "pitch_short": lambda: audio.DetectPitchFrequency(30, 0.1, 40, 5, 25)(tone(60)),
    "pitch_integers": lambda: audio.DetectPitchFrequency(30)(np.arange(60)),
    "dither": lambda: audio.Dither()(tone(2, 30)),
    "dither_shaped": lambda: audio.Dither(noise_shaping=True)(tone(2, 3, 10)),
    "dither_integers": lambda: audio.Dither()(np.arange(9)),
    "flanger": lambda: audio.Flanger(4410)(tone(2, 300)),
    "flanger_options": lambda: audio.Flanger(
        4410,
        1.0,
        3.0,
        20.0,
        50.0,
        2.0,
        30.0,
        audio.Modulation.TRIANGULAR,
        audio.Interpolation.QUADRATIC,
    )(tone(3, 300)),
    "flanger_regen": lambda: audio.Flanger(4410, delay=5.0, regen=-95.0, speed=10.0)(
        tone(2, 2, 200)
    ),
    "flanger_flat": lambda: audio.Flanger(4410)(tone(300)),
    "flanger_many": lambda: audio.Flanger(4410)(tone(5, 60)),
    "phaser": lambda: audio.Phaser(44100)(tone(2, 300)),
    "phaser_options": lambda: audio.Phaser(4410, 0.5, 0.9, 4.0, 0.3, 1.5, False)(tone()),
    "phaser_integers": lambda: audio.Phaser(4410)(np.ones(9, np.int32)),
    "griffin": lambda: audio.GriffinLim(16, 3, rand_init=False)(mels(9, 7).astype(float)),
    "griffin_options": lambda: audio.GriffinLim(
        16, 4, 12, 5, audio.WindowType.HAMMING, 1.5, 0.5, 30, False
    )(mels(9, 7).astype(float)),
    "griffin_batch": lambda: audio.GriffinLim(16, 5, momentum=0.0, rand_init=False)(
        mels(2, 9, 7).astype(float)
    ),
    "griffin_chance": lambda: audio.GriffinLim(16)(mels(9, 7)).shape,
    "griffin_frequencies": lambda: audio.GriffinLim(16)(mels(8, 7)),
    "griffin_short": lambda: audio.GriffinLim(16, length=10)(mels(9, 7)),
    "griffin_momentum": lambda: audio.GriffinLim(16, momentum=1.0)(mels(9, 7)),
    "inverse_mels_frequencies": lambda: audio.InverseMelScale(9, 4)(mels(5, 5)),
}


@case.table({name: (make,) for name, make in EFFECTS.items()}, tol=1e-5)
def effects(make):
    return make()


# 2.10 adds up phases in float32, of float64 sounds too.
SHIFTS = {
    "up": lambda: audio.PitchShift(16000, 4)(tone(2, 1500)),
    "down": lambda: audio.PitchShift(16000, -3, 12, 64, 48, 16)(tone()),
    "bins": lambda: audio.PitchShift(8000, 2, 6, 32, window=audio.WindowType.KAISER)(
        tone(2, 2, 200)
    ),
}


@case.table({name: (make,) for name, make in SHIFTS.items()}, tol=2e-3)
def shifted_in_pitch(make):
    return make()


CHANCE = {
    "dither_one": lambda: audio.Dither(audio.DensityFunction.RPDF)(tone(40)),
    "dither_many": lambda: audio.Dither(audio.DensityFunction.RPDF, True)(tone(3, 20)),
    "dither_seven": lambda: audio.Dither(audio.DensityFunction.GPDF)(tone(40)),
    "dither_seven_many": lambda: audio.Dither(audio.DensityFunction.GPDF, True)(tone(2, 3, 9)),
    "inverse_mels": lambda: audio.InverseMelScale(9, 4, max_iter=30)(mels(4, 5)),
    "inverse_mels_loss": lambda: audio.InverseMelScale(9, 4, tolerance_loss=0.05)(mels(1, 4, 3)),
    "inverse_mels_change": lambda: audio.InverseMelScale(9, 4, tolerance_change=1e-3)(
        mels(2, 1, 4, 3)
    ),
    "inverse_mels_options": lambda: audio.InverseMelScale(
        9,
        4,
        8000,
        20.0,
        3000.0,
        3,
        sgdargs={"sgd_lr": 0.05, "sgd_momentum": 0.5},
        norm=audio.NormType.SLANEY,
        mel_type=audio.MelType.SLANEY,
    )(mels(2, 4, 3)),
}


@case.table(
    {f"{name}_{seed}": (make, seed) for seed in (3, 4) for name, make in CHANCE.items()}, tol=1e-4
)
def effects_by_chance(make, seed):
    ds.config.set_seed(seed)
    return make()


OF_A_KIND = {
    "Angle": lambda: (audio.Angle(), pairs()),
    "ComplexNorm": lambda: (audio.ComplexNorm(), pairs()),
    "Fade": lambda: (audio.Fade(), sound()),
    "Filtfilt": lambda: (audio.Filtfilt([0.1, 0.2], [1.0, 0.3]), sound()),
    "Gain": lambda: (audio.Gain(), sound()),
    "HighpassBiquad": lambda: (audio.HighpassBiquad(4000, 1500.0), sound()),
    "LFCC": lambda: (audio.LFCC(n_filter=6, n_lfcc=4, speckwargs=dict(SPEC)), sound(1, 64)),
    "LFilter": lambda: (audio.LFilter([0.1, 0.2], [1.0, 0.3]), sound()),
    "MelScale": lambda: (audio.MelScale(4, 16000, n_stft=9), spectrum()),
    "MuLawDecoding": lambda: (audio.MuLawDecoding(), sound()),
    "Overdrive": lambda: (audio.Overdrive(), sound()),
    "Resample": lambda: (audio.Resample(3, 2), sound()),
    "Spectrogram": lambda: (audio.Spectrogram(n_fft=16), sound()),
    "Vol": lambda: (audio.Vol(0.5), sound()),
    "DetectPitchFrequency": lambda: (audio.DetectPitchFrequency(30, 0.1, 3, 5, 25), sound()),
    "Dither": lambda: (audio.Dither(), sound()),
    "Flanger": lambda: (audio.Flanger(4410), sound(2, 32)),
    "GriffinLim": lambda: (audio.GriffinLim(16), spectrum()),
    "InverseMelScale": lambda: (audio.InverseMelScale(9, 4, max_iter=3), mels(4, 5)),
    "Phaser": lambda: (audio.Phaser(4410), sound()),
    "PitchShift": lambda: (audio.PitchShift(16000, 1, n_fft=16), sound()),
    "SlidingWindowCmn": lambda: (audio.SlidingWindowCmn(), spectrum()),
}


@case.table({name: (name,) for name in OF_A_KIND})
def kinds_of_the_result(name):
    made, x = OF_A_KIND[name]()
    return [str(made(x.astype(kind)).dtype) for kind in ("float16", "float32", "float64")]


@case
def masked_by_chance():
    found = audio.FrequencyMasking(True, 4)(np.ones((3, 9, 5), np.float32))
    times = audio.TimeMasking(True, 4)(np.ones((3, 9, 5), np.float32))
    return (
        bool(((found == 0).all(-1).sum(-1) < 5).all()),
        bool(((times == 0).all(-2).sum(-1) < 5).all()),
        found.shape,
    )


WRONG = {
    "rate": lambda: audio.LowpassBiquad("a", 1.0),
    "rate_zero": lambda: audio.LowpassBiquad(0, 1.0),
    "rate_float": lambda: audio.LowpassBiquad(1.5, 1.0),
    "frequency": lambda: audio.LowpassBiquad(16000, "a"),
    "quality": lambda: audio.LowpassBiquad(16000, 1.0, 0.0),
    "quality_high": lambda: audio.LowpassBiquad(16000, 1.0, 1.5),
    "fade": lambda: audio.Fade(-1),
    "fade_shape": lambda: audio.Fade(1, 1, 3),
    "channels": lambda: audio.MuLawEncoding(0),
    "channels_float": lambda: audio.MuLawDecoding(1.5),
    "fft": lambda: audio.Spectrogram(0),
    "window_long": lambda: audio.Spectrogram(16, win_length=20),
    "hop": lambda: audio.Spectrogram(16, hop_length=-1),
    "window": lambda: audio.Spectrogram(16, window="hann"),
    "power": lambda: audio.Spectrogram(16, power=-1.0),
    "mels": lambda: audio.MelScale(0),
    "mel_range": lambda: audio.MelScale(4, 16000, 9000.0, 100.0),
    "contrast": lambda: audio.Contrast(200.0),
    "scale": lambda: audio.AmplitudeToDB("a"),
    "amin": lambda: audio.AmplitudeToDB(amin=-1.0),
    "deltas": lambda: audio.ComputeDeltas(2),
    "mask": lambda: audio.MaskAlongAxis(-1, 1, 1.0, 1),
    "mask_axis": lambda: audio.MaskAlongAxis(1, 1, 1.0, 0),
    "gain": lambda: audio.Vol("a"),
    "deemph": lambda: audio.DeemphBiquad(16000),
    "riaa": lambda: audio.RiaaBiquad(3),
    "biquad": lambda: audio.Biquad(1.0, 1.0, 1.0, 0.0, 1.0, 1.0),
    "coefficients": lambda: audio.LFilter([1.0], [1.0, 2.0]),
    "coefficients_text": lambda: audio.LFilter("a", [1.0]),
    "overdrive": lambda: audio.Overdrive(-1.0),
    "norm": lambda: audio.ComplexNorm(-1.0),
    "shift": lambda: audio.DCShift("a"),
    "shift_far": lambda: audio.DCShift(3.0),
    "resample": lambda: audio.Resample(0),
    "dct": lambda: audio.create_dct(0, 3),
    "cmn": lambda: audio.SlidingWindowCmn(1.5),
    "cmn_center": lambda: audio.SlidingWindowCmn(3, 2, 1),
    "pitch_frame": lambda: audio.DetectPitchFrequency(30, 0.0),
    "pitch_low": lambda: audio.DetectPitchFrequency(30, 0.1, 3, 0),
    "dither": lambda: audio.Dither("TPDF"),
    "flanger_delay": lambda: audio.Flanger(10, 31.0),
    "flanger_depth": lambda: audio.Flanger(10, 0.0, 11.0),
    "flanger_regen": lambda: audio.Flanger(10, regen=96.0),
    "flanger_width": lambda: audio.Flanger(10, width=101.0),
    "flanger_speed": lambda: audio.Flanger(10, speed=0.05),
    "flanger_phase": lambda: audio.Flanger(10, phase=101.0),
    "flanger_modulation": lambda: audio.Flanger(10, modulation="x"),
    "phaser_in": lambda: audio.Phaser(10, 1.1),
    "phaser_delay": lambda: audio.Phaser(10, delay_ms=6.0),
    "phaser_decay": lambda: audio.Phaser(10, decay=1.0),
    "phaser_speed": lambda: audio.Phaser(10, mod_speed=2.5),
    "griffin_iterations": lambda: audio.GriffinLim(16, 0),
    "griffin_window": lambda: audio.GriffinLim(16, window_type="a"),
    "griffin_power": lambda: audio.GriffinLim(16, power=0.0),
    "griffin_momentum": lambda: audio.GriffinLim(16, momentum=-0.1),
    "griffin_random": lambda: audio.GriffinLim(16, rand_init=1),
    "pitch_steps": lambda: audio.PitchShift(10, 1.5),
    "pitch_bins": lambda: audio.PitchShift(10, 1, 0),
    "inverse_mels": lambda: audio.InverseMelScale(9, 4, f_min=9000.0),
    "inverse_mels_loss": lambda: audio.InverseMelScale(9, 4, tolerance_loss=0.0),
    "inverse_mels_options": lambda: audio.InverseMelScale(9, 4, sgdargs={"sgd_lr": 1.0}),
    "text": lambda: audio.Gain()("a"),
    "scalar": lambda: audio.LowpassBiquad(16000, 1.0)(np.float32(1)),
    "integers": lambda: audio.LowpassBiquad(16000, 1.0)(np.arange(4)),
    "texts": lambda: audio.LowpassBiquad(16000, 1.0)(np.array(["a"])),
}


@case.table({name: (make,) for name, make in WRONG.items()})
def wrong(make):
    make()


@case(tol=2e-4)
def pipeline():
    rows = ds.NumpySlicesDataset({"x": sound(2, 32)}, shuffle=False)
    rows = rows.map([audio.Gain(), audio.Spectrogram(16)], ["x"])
    return [dict(row) for row in rows.create_dict_iterator(num_epochs=1, output_numpy=True)]


# Name -> what makes a transform, and the shape of what it is given.
ODD = {
    "low": (lambda: audio.LowpassBiquad(16000, 2000.0), (2, 20)),
    "biquad": (lambda: audio.Biquad(0.1, 0.2, 0.3, 1.0, 0.2, 0.1), (2, 20)),
    "contrast": (lambda: audio.Contrast(), (2, 20)),
    "fade": (lambda: audio.Fade(3, 2), (2, 20)),
    "fade_none": (lambda: audio.Fade(), (2, 20)),
    "encode": (lambda: audio.MuLawEncoding(), (2, 20)),
    "resample": (lambda: audio.Resample(3, 2), (2, 20)),
    "resample_none": (lambda: audio.Resample(3, 3), (2, 20)),
    "spectrogram": (lambda: audio.Spectrogram(8), (2, 20)),
    "centroid": (lambda: audio.SpectralCentroid(16000, 8), (2, 20)),
    "mels": (lambda: audio.MelSpectrogram(16000, 8, n_mels=2), (2, 20)),
    "deltas": (lambda: audio.ComputeDeltas(3), (4, 10)),
    "decibels": (lambda: audio.AmplitudeToDB(), (4, 10)),
    "times": (lambda: audio.TimeMasking(False, 2, 1, 3.0), (4, 10)),
    "cmn": (lambda: audio.SlidingWindowCmn(4, 2), (4, 10)),
    "cmn_one": (lambda: audio.SlidingWindowCmn(4, 2), (1, 10)),
    "pitch": (lambda: audio.DetectPitchFrequency(30, 0.1, 3, 5, 25), (2, 20)),
    "flanger": (lambda: audio.Flanger(4410), (2, 20)),
    "phaser": (lambda: audio.Phaser(4410), (2, 20)),
    "stretch": (lambda: audio.TimeStretch(8, 4, 0.8), (4, 5, 2)),
}


@case.table(
    {f"{name}-{kind}": (name, kind) for name in ODD for kind in ("bool", "int16")}, tol=3e-4
)
def of_integers(name, kind):
    make, shape = ODD[name]
    return make()((np.arange(np.prod(shape)).reshape(shape) % 3).astype(kind))


@case.table({name: (name,) for name in ODD})
def of_nothing(name):
    make, shape = ODD[name]
    return make()(np.zeros((*shape[:-1], 0), np.float32))


@case.table(
    {name: (name,) for name in ("biquad", "contrast", "spectrogram", "centroid", "mels")}, tol=1e-6
)
def of_a_list(name):
    return ODD[name][0]()([0.1, 0.2, 0.3, 0.2, 0.1, 0.0, 0.1, 0.2])


MEL = {"n_mels": 3, "n_fft": 16}
PLACES = {
    "fade_half": lambda: str(audio.Fade(1, 0)(sound().astype(np.float16)).dtype),
    "cmn_three": lambda: audio.SlidingWindowCmn(4, 2)(spectrum(1, 9, 5)),
    "mels_short": lambda: audio.MelSpectrogram(16000, **MEL)(sound()[:8]),
    "mels_longer": lambda: audio.MelSpectrogram(16000, **MEL)(sound()[:9]),
    "mels_odd_rate": lambda: audio.MelSpectrogram(7, **MEL)(sound()),
    "mels_top_none": lambda: audio.MelSpectrogram(16000, f_max=0, **MEL)(sound()),
    "mels_low_int": lambda: audio.MelSpectrogram(16000, f_min=0, **MEL),
    "mels_no_power": lambda: audio.MelSpectrogram(16000, power=0.0, **MEL),
    "scale_odd_rate": lambda: audio.MelScale(3, 7, n_stft=9)(spectrum()),
    "linear_odd_rate": lambda: audio.linear_fbanks(9, 0.0, 7.0, 4, 7),
    "bank_odd_rate": lambda: audio.melscale_fbanks(9, 0.0, 7.0, 4, 7),
    "linear_low": lambda: audio.linear_fbanks(9, -1.0, 7.0, 4, 7),
    "linear_turned": lambda: audio.linear_fbanks(9, 8.0, 7.0, 4, 7),
    "linear_bool": lambda: audio.linear_fbanks(True, 0.0, 7.0, 4, 7),
    "bank_top": lambda: audio.melscale_fbanks(9, 0.0, 0, 4, 7),
    "lfcc_low": lambda: audio.LFCC(16000, 6, 3, -1.0),
    "mfcc_type": lambda: audio.MFCC(16000, 3, 2.0)(sound()),
    "filter_text": lambda: audio.LFilter([1.0, "a"], [0.1, 0.2]),
    "filter_bool": lambda: audio.LFilter([1.0, True], [0.1, 0.2]),
    "filter_zero": lambda: audio.LFilter([0.0, 1.0], [0.1, 0.2])(sound()),
    "shift_no_gain": lambda: audio.DCShift(0.5, 0.0)(sound()),
    "vol_below": lambda: audio.Vol(-1.0),
    "vol_no_power": lambda: audio.Vol(0.0, audio.GainType.POWER),
    "vol_db_below": lambda: audio.Vol(-1.0, audio.GainType.DB)(sound()),
    "rolloff": lambda: audio.Resample(3, 2, rolloff=1),
    "beta": lambda: audio.Resample(3, 2, beta="a")(sound()),
    "mask_value": lambda: audio.TimeMasking(False, 2, 1, -1.0),
    "mask_width": lambda: audio.MaskAlongAxis(1, 0, 3.0, 1),
    "centroid_rate": lambda: audio.SpectralCentroid(-1),
    "deltas_flat": lambda: audio.ComputeDeltas(3)(sound()),
    "pitch_no_lags": lambda: audio.DetectPitchFrequency(30, 0.1, 3, 10, 25)(sound()),
    "pitch_no_lags_at_all": lambda: audio.DetectPitchFrequency(30, 0.1, 3, 15, 25)(sound()),
    "pitch_float": lambda: audio.DetectPitchFrequency(30, 0.1, 3, 5.0)(sound()),
    "advance_list": lambda: audio.PhaseVocoder(1.3, [[0.0]]),
    "advance_flat": lambda: audio.PhaseVocoder(1.3, np.zeros(9, np.float32))(pairs()),
    "advance_short": lambda: audio.PhaseVocoder(1.3, advance()[:8])(pairs()),
    "stretch_more": lambda: audio.TimeStretch(8, 12, 0.8)(pairs(1, 9, 5, 2)),
}


@case.table({name: (make,) for name, make in PLACES.items()}, tol=3e-4)
def at_its_limits(make):
    return make()
