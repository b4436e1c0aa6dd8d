"""``mindspore.dataset.audio``: left out; what changes a sound is any Python function."""

from msgrad._core.left_out import left_out_all

_ROWS = {
    "map the sounds with a Python function, such as those of scipy.signal": (
        "AllpassBiquad AmplitudeToDB Angle BandBiquad BandpassBiquad BandrejectBiquad BassBiquad "
        "Biquad BorderType ComplexNorm ComputeDeltas Contrast DBToAmplitude DCShift DeemphBiquad "
        "DensityFunction DetectPitchFrequency Dither EqualizerBiquad Fade FadeShape Filtfilt "
        "Flanger FrequencyMasking Gain GainType GriffinLim HighpassBiquad Interpolation "
        "InverseMelScale InverseSpectrogram LFCC LFilter LowpassBiquad MFCC Magphase "
        "MaskAlongAxis MaskAlongAxisIID MelScale MelSpectrogram MelType Modulation MuLawDecoding "
        "MuLawEncoding NormMode NormType Overdrive PhaseVocoder Phaser PitchShift Resample "
        "ResampleMethod RiaaBiquad ScaleType SlidingWindowCmn SpectralCentroid Spectrogram "
        "TimeMasking TimeStretch TrebleBiquad Vad Vol WindowType create_dct linear_fbanks "
        "melscale_fbanks"
    )
}
_NAMES = left_out_all("msgrad.dataset.audio", "a transform of sounds", _ROWS)
globals().update(_NAMES)

__all__ = [*_NAMES]  # pyright: ignore[reportUnsupportedDunderAll]
