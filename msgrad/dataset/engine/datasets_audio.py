"""Datasets of sounds, of files in the format WAV with 16 bits."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from msgrad._core.declared import Word
from msgrad._core.errors import UnsupportedError
from msgrad._core.missing import missing_names
from msgrad.dataset.engine._listed import ARRAYS, Rows, files, folders, lines, listed, sound

_SPEAKERS = "aew ahw aup awb axb bdl clb eey fem gka jmk ksp ljm lnh rms rxr slp slt"
_LIBRI = "dev-clean dev-other test-clean test-other train-clean-100 train-clean-360 train-other-500"


@listed("waveform sample_rate transcript utterance_id", ARRAYS, name=_SPEAKERS.split())
def CMUArcticDataset(dataset_dir: Word, name: str | None = None) -> Rows:
    """CMU Arctic: ``waveform``, ``sample_rate``, ``transcript``, ``utterance_id``.

    Args:
        name: The speaker; "aew" by default.
    """
    folder = Path(dataset_dir, f"cmu_us_{name or 'aew'}_arctic")
    for line in lines(folder / "etc" / "txt.done.data"):
        found = re.match(r'\( *(\w+) "(.*)" *\)', line)
        if found:
            yield *sound(folder / "wav" / f"{found[1]}.wav"), found[2], found[1].split("_")[-1]


@listed("waveform sample_rate label", ARRAYS, usage=("train", "valid", "test", "all"))
def GTZANDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """GTZAN, a folder for each genre: ``waveform``, ``sample_rate``, ``label``.

    Raises:
        NotImplementedError: For a part; lists of the files of each are not with the dataset.
    """
    if usage not in (None, "all"):
        raise UnsupportedError(f"GTZANDataset reads all of its files, but got usage={usage!r}.")
    for folder in folders(Path(dataset_dir)):
        for path in files(folder, "*.wav"):
            yield *sound(path), folder.name


@listed("waveform sample_rate transcription normalized_transcription", ARRAYS)
def LJSpeechDataset(dataset_dir: Word) -> Rows:
    """LJSpeech: ``waveform``, ``sample_rate``, ``transcription``, ``normalized_transcription``."""
    for line in lines(Path(dataset_dir, "metadata.csv")):
        name, *texts = line.split("|")
        yield *sound(Path(dataset_dir, "wavs", f"{name}.wav"), np.int32), *texts


@listed(
    "waveform sample_rate original_text normalized_text speaker_id chapter_id utterance_id",
    ARRAYS,
    usage=[*_LIBRI.split(), "all"],
)
def LibriTTSDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """LibriTTS: ``waveform``, ``sample_rate``, two texts, and three numbers of the utterance."""
    parts = _LIBRI.split() if usage in (None, "all") else [usage]
    for path in (p for part in parts for p in files(Path(dataset_dir, part), "*/*/*.trans.tsv")):
        for line in lines(path):
            name, *texts = line.split("\t")
            ids = np.array(name.split("_")[:2], np.uint32)
            yield *sound(path.parent / f"{name}.wav"), *texts, *ids, name


@listed(
    "waveform sample_rate label speaker_id utterance_number",
    ARRAYS,
    usage=("train", "test", "valid", "all"),
)
def SpeechCommandsDataset(dataset_dir: Word, usage: str | None = None) -> Rows:
    """Speech commands: ``waveform``, ``sample_rate``, ``label``, and whose it is."""
    root = Path(dataset_dir)
    given = {"valid": "validation_list.txt", "test": "testing_list.txt"}
    parts = {part: lines(root / name) for part, name in given.items() if (root / name).is_file()}
    for path in (p for folder in folders(root) for p in files(folder, "*_nohash_*.wav")):
        name = path.relative_to(root).as_posix()
        part = next((part for part, names in parts.items() if name in names), "train")
        if usage in (None, "all", part):
            speaker, _, number = path.stem.split("_")
            yield *sound(path, np.int32), path.parent.name, speaker, np.int32(number)


@listed("waveform sample_rate label", ARRAYS)
def YesNoDataset(dataset_dir: Word) -> Rows:
    """YesNo: ``waveform``, ``sample_rate``, ``label``, a 0 or 1 for each of the words."""
    for path in files(Path(dataset_dir), "*.wav"):
        yield *sound(path, np.int32), np.array(path.stem.split("_"), np.int32)


__all__ = [name for name in list(globals()) if name.endswith("Dataset")]

__getattr__ = missing_names(__name__)
