"""Encrypted checkpoints, MindSpore's three modes, by the package ``cryptography``.

A file is a sequence of pieces, each of up to 64 MiB of what is encrypted. A piece is four bytes
that say the mode, for AES-GCM the tag (16 bytes), and then, a length being four bytes, low ones
first::

    length of the rest | 16 | initial vector, 16 bytes | length of the content | content

AES-GCM takes the first 12 bytes of the vector; the others pad the content as PKCS #7 does.
"""

from __future__ import annotations

import os
from io import BytesIO
from typing import Any, BinaryIO

from msgrad._core.errors import ArgumentValueError
from msgrad._core.missing import library
from msgrad._core.protobuf import DamagedFile
from msgrad.interop._files import Source

PIECE_BYTES = 64 * 2**20
_VECTOR, _TAG = 16, 16
# How a piece begins, and how long keys may be.
MODES = {
    "AES-GCM": (b"\xd8\x5e\x3a\x7f", (16, 24, 32)),
    "AES-CBC": (b"\xd9\x5e\x3a\x7f", (16, 24, 32)),
    "SM4-CBC": (b"\xda\x5e\x3a\x7f", (16,)),
}


class Cipher:
    """Encrypts and decrypts with a key.

    Args:
        key: bytes, 16, 24 or 32 of them, for SM4 16.
        mode: ``'AES-GCM'``, ``'AES-CBC'`` or ``'SM4-CBC'``.

    Raises:
        ValueError: For another mode, or a key of another length.
        ImportError: Without the package ``cryptography``.
    """

    def __init__(self, key: bytes, mode: str) -> None:
        if mode not in MODES or len(key) not in MODES[mode][1]:
            raise ArgumentValueError(
                f"the mode must be in {[*MODES]} and the key have 16 bytes (AES: or 24, or 32), "
                f"but got the mode {mode!r} and {len(key)} bytes."
            )
        self._key, self._mode, (self._mark, _) = key, mode, MODES[mode]
        path = "cryptography.hazmat.primitives.ciphers"
        self._ciphers = library(path, "encryption", "An encrypted checkpoint")
        self._tag = b"" if mode != "AES-GCM" else bytes(_TAG)

    def _made(self, vector: bytes, tag: bytes | None) -> Any:
        ciphers = self._ciphers
        algorithm = ciphers.algorithms.SM4 if self._mode == "SM4-CBC" else ciphers.algorithms.AES
        mode = ciphers.modes.GCM(vector[:12], tag) if self._tag else ciphers.modes.CBC(vector)
        return ciphers.Cipher(algorithm(self._key), mode)

    def encrypted(self, piece: bytes) -> bytes:
        """Return a piece of up to 64 MiB with all that stands before it in a file."""
        if not self._tag:
            more = 16 - len(piece) % 16
            piece += bytes([more]) * more
        vector = os.urandom(_VECTOR)
        encryptor = self._made(vector, None).encryptor()
        content = encryptor.update(piece) + encryptor.finalize()
        tag = encryptor.tag if self._tag else b""
        sized = [_VECTOR.to_bytes(4, "little"), vector, len(content).to_bytes(4, "little"), content]
        return b"".join([self._mark, tag, sum(map(len, sized)).to_bytes(4, "little"), *sized])

    def decrypted(self, source: Source) -> Source:
        """Return what a file holds, in memory.

        Raises:
            DamagedFile: If it was not encrypted in this mode with this key.
        """
        found, at = [], 0
        head = 4 + len(self._tag) + 4 + 4 + _VECTOR + 4
        while at < source.size:
            if source.size - at < head or source.part(at, at + 4) != self._mark:
                raise DamagedFile(f"it is not encrypted with {self._mode}")
            before = source.part(at, at + head)
            size = int.from_bytes(before[-4:], "little")
            at += head
            if size > source.size - at:
                raise DamagedFile(f"{size} bytes are announced, {source.size - at} are there")
            tag = before[4 : 4 + len(self._tag)]
            decryptor = self._made(before[-4 - _VECTOR : -4], tag).decryptor()
            try:
                piece = decryptor.update(source.part(at, at + size)) + decryptor.finalize()
            except Exception as error:
                raise DamagedFile(f"it does not fit the key ({type(error).__name__})") from None
            if not self._tag:
                more = piece[-1] if piece else 0
                if not 1 <= more <= 16 or piece[-more:] != bytes([more]) * more:
                    raise DamagedFile("it does not fit the key")
                piece = piece[:-more]
            found.append(piece)
            at += size
        whole = b"".join(found)
        return Source(BytesIO(whole), len(whole))


class Encrypting:
    """A file that is written to, encrypted piece by piece; ``close`` writes the last one."""

    def __init__(self, file: BinaryIO, cipher: Cipher) -> None:
        self._file, self._cipher, self._held = file, cipher, bytearray()

    def write(self, content: Any) -> None:
        self._held += content
        while len(self._held) > PIECE_BYTES:
            self._flush()

    def _flush(self) -> None:
        self._file.write(self._cipher.encrypted(bytes(self._held[:PIECE_BYTES])))
        del self._held[:PIECE_BYTES]

    def close(self) -> None:
        if self._held:
            self._flush()
